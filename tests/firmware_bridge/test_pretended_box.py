"""The box of Python is the firmware's double: the same words in, the same words out."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from emulated import MS, Chip

from firmware_bridge.codec import LineReader, encode
from firmware_bridge.pretended import PretendedBox, Shown

DIALOGUES = [
    ["HI 7F3A 1", "HI 7F3A 1", "HI 0001 1", "HI 7F3A 2", "HI 7f3a 1", "HI 7F3A"],
    ["BZ 1 880 20", "BZ 1 880 20", "BZ 2 30 20", "BZ 3 0 0", "XX 4", "TN 5 6", "TN 6 5", "LD 7 1 3", "LD 8 3 1", "LD 9 2 1"],
    ["HI 7F3A 1", "ID 1 A001", "?", "ID 2 FFFF", "ID 3 a001", "BY", "?", "AK 1", "AK x", "BZ", "BZ 0 1 1", "BZ 10000 1 1"],
]


def words(data: bytes) -> list[str]:
    """What was said, times and the count of bad lines left out: the chip's starts with the empty lines of its power-up."""
    said = [line.body.split() for line in LineReader().feed(data)]
    return [" ".join(w[:6] + w[7:] if w[0] == "HELLO" else w[:1] if w[0] == "HB" else w) for w in said]


@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_it_answers_as_the_firmware_does(new_chip: Callable[..., Chip], dialogue: list[str]) -> None:
    chip, box = new_chip(), PretendedBox(0.0)
    chip.run(50 * MS)
    box.take_out()
    for body in dialogue:
        chip.feed(b"\n" + encode(body))
        box.received(b"\n" + encode(body), 0.05)
        assert words(chip.run(20 * MS)) == words(box.take_out()), body


def test_its_presses_are_told_as_the_firmwares_are(new_chip: Callable[..., Chip]) -> None:
    chip, box, chance = new_chip(), PretendedBox(0.0), random.Random(1)
    chip.run(50 * MS)
    box.take_out()
    chip.feed(b"\n" + encode("HI 7F3A 1"))
    box.received(encode("HI 7F3A 1"), 0.05)
    now, told = 0.05, ([words(chip.run(20 * MS))], [words(box.take_out())])
    seq = 1
    for _ in range(20):
        button = chance.choice("ABCD")
        chip.press(button, 60)
        for down in (True, False):
            now += 0.06
            box.press(button, down, now)
            for side, data in zip(told, (chip.run(50 * MS if down else 90 * MS), box.take_out()), strict=True):
                side.append([word for word in words(data) if word.startswith("EV")][:1])
            chip.feed(encode(f"AK {seq}"))
            box.received(encode(f"AK {seq}"), now)
            seq += 1
    assert told[0] == told[1]


def test_it_shows_what_it_is_told_to() -> None:
    box = PretendedBox(0.0)
    box.press("A", True, 0.1)
    box.received(encode("HI 7F3A 1") + encode("LD 1 1 2") + encode("TN 2 5") + encode("BZ 3 440 100"), 0.2)
    assert box.take_shown() == [
        Shown("unheard", 110, 60), Shown("link", 1), Shown("lamp", 2), Shown("tune", 5), Shown("tone", 440, 100)
    ]
