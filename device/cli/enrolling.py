"""`bobing enrol`: the dice of this table, shown in the bowl once or twice."""

from __future__ import annotations

from collections.abc import Sequence

from device.cli.calibrating import rests
from device.cli.output import OK, WORLD, CallError, WorldError, counted, emit, line, place_for, say
from device.cli.readers import Readers
from device.errors import Fault
from vision.calibration import CalibrationError
from vision.enrolment import EnrolError, enrol

FACES = ("1", "2", "3", "4", "5", "6")


def _values(words: str | None) -> tuple[int, ...] | None:
    if words is None:
        return None
    parts = words.replace(",", " ").split()
    wrong = next((part for part in parts if part not in FACES), None)
    if wrong is None and parts:
        return tuple(map(int, parts))
    why = "it is empty" if wrong is None else f"{wrong} is not one die's value from 1 to 6"
    raise CallError(f"enrol: --values {words or '(empty)'}: {why}: say what the dice show, with commas between, as 1,2,3,4,5,6")


def run_enrol(specs: Sequence[str], out: str, calibration: str | None, values: str | None, as_json: bool) -> int:
    """Read the shown dice, write their file, say what is missing; dice that can't be read: exit 1, and why."""
    said = _values(values)
    place = place_for("enrol", out)
    readers = Readers(calibration, no_bowl=False)
    frames, names = rests(specs)
    try:
        height, width = frames[0].shape[:2]
        bowl = readers.bowl(width, height)
        enrolment, missing = enrol(
            frames, readers.for_bowl(bowl), expect=6 if said is None else len(said), values=said, bowl=bowl, names=names
        )
        enrolment.save(place)
    except (CalibrationError, EnrolError) as fault:
        raise WorldError(f"enrol: {fault}") from fault
    except OSError as fault:
        raise Fault("unwritable", f"enrol: {out}: can't be written ({fault.strerror}): make room there, or choose another place with --out", f"写不了 {out}") from fault
    if as_json:
        emit({**enrolment.as_json(), "missing": list(missing)})
    else:
        read = ", ".join(f"{value} ({n}x)" for value, n in enumerate(enrolment.seen, 1) if n)
        line(f"dice read with certainty: {read or 'none'}; {counted(len(enrolment.bodies), 'body colour')}")
        say(f"written to {out}")
    for text in missing:
        say(f"enrol: {text}")
    return WORLD if not any(enrolment.seen) else OK
