"""Do the checks bite? Each deliberate fault, put into a copy of the firmware or the bridge, must make a test fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BRIDGE = ROOT / "firmware_bridge"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: in `file`, each `old` (which stands there once) becomes `new`; `test` must fail of it."""

    name: str
    file: str
    changes: tuple[tuple[str, str], ...]
    test: str


MUTANTS = [
    Mutant(
        "debounce of 1 ms both ways", "firmware/buttons.c",
        (("#define DOWN_SAMPLES 3", "#define DOWN_SAMPLES 1"), ("#define UP_SAMPLES 20", "#define UP_SAMPLES 1")),
        "test_firmware_presses.py::test_glitches_of_up_to_two_milliseconds_are_no_presses",
    ),
    Mutant(
        "the firmware never sends again", "firmware/events.c",
        (("(sent && now - sent_at < RESEND_MS)", "sent"),),
        "test_firmware_presses.py::test_half_lines_cost_one_resend",
    ),
    Mutant(
        "the bridge takes repeats for presses", "talk.py",
        (("if event.seq != self._last_event:", "if event.seq:"),),
        "test_firmware_presses.py::test_a_host_that_stalls_gets_all_in_order_with_their_ages",
    ),
    Mutant(
        "the bridge ignores the checksum", "codec.py",
        (('if star and given != b"%04X" % checksum(body):', "if star and len(given) != 4:"),),
        "test_firmware_presses.py::test_noise_and_a_flood_of_plausible_lines_invent_nothing",
    ),
    Mutant(
        "the tone's divider is doubled", "firmware/tone.c",
        (("F_CPU / 2 / (divided ? 8 : 1)", "F_CPU / (divided ? 8 : 1)"),),
        "test_firmware_commands.py::test_a_tone_is_within_half_a_percent_of_its_pitch[440]",
    ),
]


def outcome(mutant: Mutant, folder: Path, emulator: Path, firmware: Path) -> tuple[int, str]:
    """Exit status and last line of pytest on a copy of the room with the mutant's changes."""
    room = folder / "firmware_bridge"
    shutil.copytree(BRIDGE, room, ignore=shutil.ignore_patterns("build", "__pycache__"))
    file = room / mutant.file
    text = file.read_text(encoding="utf-8")
    for old, new in mutant.changes:
        assert text.count(old) == 1, f"{mutant.file} does not hold {old!r} once"
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")
    environment = {**os.environ, "BOBING_BOX_EMULATOR": str(emulator), "BOBING_FIRMWARE_SOURCE": str(room / "firmware")}
    if not mutant.file.startswith("firmware/"):
        environment["BOBING_BUILT_FIRMWARE"] = str(firmware)
    done = subprocess.run(
        # the copy stands in the current folder, which -m puts before the installed room
        [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(ROOT), "-p", "no:cacheprovider",
         str(ROOT / "tests" / "firmware_bridge" / mutant.test)],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=240,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_deliberate_fault_makes_a_test_fail(mutant: Mutant, tmp_path: Path, emulator: Path, firmware: Path) -> None:
    status, said = outcome(mutant, tmp_path, emulator, firmware)
    assert status == 1, said
    assert "FAILED" in said and "ERROR" not in said, said
    assert "AssertionError" in said or "assert " in said, said


def test_the_same_tests_pass_without_a_fault(tmp_path: Path, emulator: Path, firmware: Path) -> None:
    status, said = outcome(Mutant("none", "talk.py", (), MUTANTS[2].test), tmp_path, emulator, firmware)
    assert status == 0, said
