"""Tones, tunes and lamps of the real firmware, and what it costs of the chip."""

from __future__ import annotations

import itertools
import statistics
import subprocess
from pathlib import Path

import pytest
from emulated import MS, Cable, needs

from firmware_bridge.codec import encode
from firmware_bridge.commands import Command, Lamp, Tune, lamp, tone, tune


@pytest.mark.parametrize("hz", [31, 50, 110, 122, 123, 440, 1000, 2637, 4186, 7902, 8000])
def test_a_tone_is_within_half_a_percent_of_its_pitch(cable: Cable, hz: int) -> None:
    cable.chip.tell("edges 1")
    cable.command(tone(hz, 400))
    cable.run(450)
    waves = [b - a for a, b in zip(cable.chip.edges, cable.chip.edges[1:], strict=False)]
    sounded = 16e6 / statistics.mean(waves)
    assert abs(sounded - hz) / hz <= 0.005


def test_a_tone_lasts_as_long_as_it_should(cable: Cable) -> None:
    cable.command(tone(880, 200))
    cable.run(400)
    begun, ended = cable.chip.told("buzz")[0][0], cable.chip.told("tone")[-1][0]
    assert cable.chip.told("tone")[-1][1] == 0
    assert 195 <= (ended - begun) / MS - 40 <= 206  # silence is known after 40 ms


def test_an_answer_and_the_first_edge_come_within_fifty_milliseconds(cable: Cable) -> None:
    for i in range(9):
        began = cable.now
        sounds = len(cable.chip.told("buzz"))
        cable.command(tone(500 + 10 * i, 40))
        assert cable.run(50, lambda sounds=sounds, i=i: len(cable.done()) > i  # type: ignore[misc]
                         and len(cable.chip.told("buzz")) > sounds)
        assert cable.now - began <= 0.05
        cable.run(130)


def test_a_command_whose_answer_was_lost_is_not_done_twice(cable: Cable) -> None:
    lost = 0

    def lossy(data: bytes) -> bytes:
        nonlocal lost
        if b"OK" in data and lost < 3:
            lost += 1
            return b""
        return data

    cable.to_host = lossy
    cable.command(tone(880, 30))
    cable.run(700)
    assert [done.code for done in cable.done()] == [0]
    assert lost == 3
    assert len(cable.chip.told("buzz")) == 1


def test_a_command_that_is_never_answered_is_given_up(cable: Cable) -> None:
    cable.to_host = lambda data: data if b"OK" not in data else b""
    cable.command(tone(880, 30))
    cable.run(1500)
    assert [done.code for done in cable.done()] == [None]


@pytest.mark.parametrize(("command", "code"), [
    (Command("BZ", (30, 100)), 2), (Command("BZ", (8001, 100)), 2), (Command("BZ", (440, 5001)), 2),
    (Command("BZ", ("4a0", 100)), 2), (Command("TN", (6,)), 2), (Command("LD", (3, 1)), 2), (Command("LD", (1, 4)), 2),
    (Command("ID", ("a001",)), 2), (Command("XX", (1,)), 1), (Command("BZ", (0, 0)), 0), (Command("LD", (2, 1)), 0),
])
def test_what_a_box_cannot_do_it_refuses_with_a_reason(cable: Cable, command: Command, code: int) -> None:
    cable.command(command)
    cable.run(60)
    assert [done.code for done in cable.done()] == [code]


def test_each_tune_is_another_melody(cable: Cable) -> None:
    melodies = []
    for which in Tune:
        heard = len(cable.chip.told("tone"))
        cable.command(tune(which))
        cable.run(1900)
        notes = cable.chip.told("tone")[heard:]  # where one follows another, a wave of neither pitch lies between
        melodies.append(tuple(hz for (at, hz), (end, _) in itertools.pairwise(notes) if hz and end - at > 30 * MS))
    assert len(set(melodies)) == len(Tune)
    assert all(melodies)
    sad, fanfare = melodies[Tune.JUMP], melodies[Tune.CHAMPION]
    assert list(sad) == sorted(sad, reverse=True)
    assert fanfare[-1] == max(fanfare)


def test_a_lamp_blinks_slowly_fast_or_not(cable: Cable) -> None:
    counts = {}
    for mode in (Lamp.ON, Lamp.SLOW, Lamp.FAST, Lamp.OFF):
        cable.command(lamp(mode))
        cable.run(50)
        before = len(cable.chip.told("lamp"))
        cable.run(2048)
        counts[mode] = len(cable.chip.told("lamp")) - before
    assert counts == {Lamp.ON: 0, Lamp.SLOW: 4, Lamp.FAST: 16, Lamp.OFF: 0}
    assert cable.chip.told("lamp")[-1][1] == 0


def test_a_beat_counts_what_was_dropped(cable: Cable) -> None:
    cable.run(700)
    before = len(cable.chip.sent)
    cable.chip.feed(encode("PG"))
    cable.run(40)
    first = len(cable.chip.sent)
    cable.chip.feed(b"junk\n" + b"x" * 100 + b"\n" + b"\xff\xfe\n" + b"PG*0000\n" + encode("PG"))
    cable.run(40)
    beats = [bytes(byte for _, byte in cable.chip.sent[i:]).split(b"*")[0].split() for i in (before, first)]
    assert int(beats[1][4]) - int(beats[0][4]) == 4


def test_the_firmware_fits_with_room_to_spare(firmware: Path, cable: Cable) -> None:
    needs("avr-size")
    cable.damage = 0.01
    for i in range(30):
        cable.chip.press("ABCD"[i % 4])
        cable.command(Command("ID", (f"A{i:03X}",)))
        cable.command(tune(Tune.JUMP))
        cable.run(150)
    cable.chip.tell("stack")
    cable.run(10)
    [(_, stack)] = cable.chip.told("stack")
    listed = subprocess.run(["avr-size", firmware.with_suffix(".elf")], capture_output=True, text=True, check=True)
    text, data, bss = map(int, listed.stdout.splitlines()[1].split()[:3])
    assert text + data <= 8192
    assert 16 < stack < 256
    assert data + bss + stack <= 1024
