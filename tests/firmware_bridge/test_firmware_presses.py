"""Presses through the real firmware on an emulated chip: none lost, none invented, in order, with their age."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from emulated import MS, Cable, Chip

from firmware_bridge.codec import Beat, Event, LineReader, encode, said
from firmware_bridge.commands import tone
from firmware_bridge.talk import Pressed, TalkState


def edges(cable: Cable) -> list[tuple[str, bool]]:
    return [(press.button, press.down) for press in cable.presses()]


def bounce(chip: Chip, button: str, at: int, chance: random.Random, ms: int = 40) -> int:
    """A press as worn contacts make it: 5 ms of chatter down, 10 ms up; returns when it is over."""
    for begin, length, last in ((at, 5 * MS, 0), (at + (5 + ms) * MS, 10 * MS, 1)):
        t = begin
        while t < begin + length:
            chip.tell(f"pin {button} {chance.randrange(2)} {t}")
            t += chance.randrange(50, 900)
        chip.tell(f"pin {button} {last} {begin + length}")
    return at + (15 + ms) * MS


def test_a_press_is_told_as_down_and_up_with_no_age(cable: Cable) -> None:
    cable.chip.press("A")
    cable.run(150)
    assert cable.presses() == [Pressed("A", True, 0), Pressed("A", False, 0)]


def test_the_first_event_is_the_line_of_the_protocol(cable: Cable) -> None:
    cable.chip.press("A")
    first = len(cable.chip.sent)
    cable.run(20)
    sent = bytes(byte for _, byte in cable.chip.sent[first:])
    assert b"EV 1 A D 0*D5DF\n" in sent


def test_the_line_of_a_press_has_left_the_chip_within_six_milliseconds(cable: Cable) -> None:
    chance = random.Random(1)
    spent = []
    for _ in range(60):
        cable.run(80 + chance.random() * 5)
        pressed, first = cable.chip.now, len(cable.chip.sent)
        offset = chance.randrange(1000)
        cable.chip.press("A", 40, after_us=offset)
        cable.run(60)
        line = next(at for at, byte in cable.chip.sent[first:] if byte == ord("\n"))
        spent.append((line + 87 - pressed - offset) / MS)  # and the time of its last character
    assert max(spent) <= 6.0


def test_two_hundred_bouncing_presses_are_two_hundred_downs_and_ups(cable: Cable) -> None:
    chance = random.Random(2)
    for i in range(200):
        bounce(cable.chip, "ABCD"[i % 4], chance.randrange(1000), chance)
        cable.run(120)
    cable.run(300)
    assert edges(cable) == [("ABCD"[i % 4], down) for i in range(200) for down in (True, False)]


def test_glitches_of_up_to_two_milliseconds_are_no_presses(cable: Cable) -> None:
    chance = random.Random(3)
    for _ in range(120):
        cable.chip.press("A", chance.uniform(0.05, 2.0), after_us=chance.randrange(1000))
        cable.run(20)
    cable.run(100)
    assert edges(cable) == []


def test_two_buttons_at_once_are_both_told(cable: Cable) -> None:
    cable.chip.press("A", 50)
    cable.chip.press("B", 50, after_us=5 * MS)
    cable.run(200)
    assert edges(cable) == [("A", True), ("B", True), ("A", False), ("B", False)]


@pytest.mark.parametrize("rate", [0.001, 0.01, 0.02])
def test_damaged_bytes_lose_and_invent_nothing(cable: Cable, rate: float) -> None:
    cable.damage = rate
    expected, spent = [], []
    for i in range(100):
        button = "ABCD"[cable.chance.randrange(4)]
        expected += [(button, True), (button, False)]
        began, told = cable.now, len(cable.presses())
        cable.chip.press(button, 60)
        if i % 5 < 2:
            cable.command(tone(440 + i, 20))
        cable.run(200 + cable.chance.randrange(150))
        spent += [at - began for at, news in cable.news if isinstance(news, Pressed)][told : told + 1]
    cable.damage = 0.0
    cable.run(1500)
    assert edges(cable) == expected
    assert sorted(spent)[95] <= 0.3
    assert [done.code for done in cable.done()] == [0] * 40
    assert cable.talk.state is TalkState.LINKED


def test_at_five_percent_damage_a_press_a_second_still_arrives(cable: Cable) -> None:
    cable.damage, cable.step_us = 0.05, 2 * MS
    for _ in range(30):
        cable.chip.press("A", 80)
        cable.run(1000)
    cable.damage = 0.0
    cable.run(1500)
    assert edges(cable) == [("A", True), ("A", False)] * 30


def test_half_lines_cost_one_resend(cable: Cable) -> None:
    chance = random.Random(5)
    spent = []
    for _ in range(20):
        cut = True

        def half(data: bytes) -> bytes:
            nonlocal cut, tail
            if tail > 0:  # what follows the cut, up to and with the newline
                gone, tail = data[:tail], max(0, tail - len(data))
                data = data[len(gone):]
            at = data.find(b"EV ")
            if cut and at >= 0:
                cut = False
                keep = at + chance.randrange(1, 16)
                tail = max(0, at + 16 - len(data))
                data = data[:keep] + data[at + 16 :]
            return data

        tail = 0
        cable.to_host = half
        told = len(cable.presses())
        began = cable.now
        cable.chip.press("A", 300)
        assert cable.run(150, lambda told=told: len(cable.presses()) > told)  # type: ignore[misc]
        spent.append((cable.now - began) * 1000)
        cable.to_host = lambda data: data
        cable.run(500)
    assert edges(cable) == [("A", True), ("A", False)] * 20
    assert max(spent) <= 100


def test_noise_and_a_flood_of_plausible_lines_invent_nothing(cable: Cable) -> None:
    chance = random.Random(6)
    cable.talk.received(chance.randbytes(4096), cable.now)
    cable.run(200)
    plausible = bytearray()
    while len(plausible) < 100_000:
        plausible += b"EV %d %c %c %d*%04X\n" % (
            chance.randrange(1, 10_000), chance.choice(b"ABCD"), chance.choice(b"DU"), chance.randrange(100),
            chance.randrange(0x10000),
        )
    valid = sum(_holds(line) for line in bytes(plausible).splitlines())
    for at in range(0, len(plausible), 1000):
        cable.talk.received(bytes(plausible[at : at + 1000]), cable.now)
        cable.run(1)
    # one line in 65536 of such a flood carries the right checksum by chance; this flood has none
    assert valid == 0
    assert edges(cable) == []
    cable.chip.press("B")
    cable.run(150)
    assert edges(cable) == [("B", True), ("B", False)]
    assert cable.talk.state is TalkState.LINKED


def _holds(line: bytes) -> bool:
    body = line[:-5].decode()
    return encode(body) == line + b"\n"


def test_noise_at_the_box_does_nothing(cable: Cable) -> None:
    chance = random.Random(7)
    cable.chip.feed(chance.randbytes(2000) + b"\nAT\r\nBZ 9 880 100\nTN 4 5*0000\nHI 7F3A 1\n")
    cable.run(300)
    assert cable.chip.told("buzz") == []
    cable.chip.press("C")
    cable.run(200)
    assert edges(cable) == [("C", True), ("C", False)]


def test_a_host_that_stalls_gets_all_in_order_with_their_ages(cable: Cable) -> None:
    cable.run(100)
    chip, began = cable.chip, cable.chip.now
    for at in (0, 60):
        chip.press("A", 30, after_us=at * MS)
    data = chip.run(1400 * MS)  # nobody reads meanwhile
    cable.talk.received(data, cable.now)
    cable.run(150)
    presses = cable.presses()
    assert [(p.button, p.down) for p in presses] == [("A", True), ("A", False)] * 2
    took = (cable.chip.now - began) / MS
    assert presses[0].age == 0
    assert all(took - 200 < press.age + at < took for press, at in zip(presses[1:], (30, 60, 90), strict=True))


def test_what_nobody_takes_within_three_seconds_is_dropped_and_counted(cable: Cable) -> None:
    cable.chip.press("A")
    cable.chip.run(3200 * MS)
    cable.talk.take_out()
    cable.talk.received(b"", cable.now)
    cable.run(700)
    assert cable.presses() == []


def test_a_press_that_nobody_hears_blips_and_is_not_told_later(new_chip: Callable[..., Chip]) -> None:
    chip = new_chip()
    chip.run(500 * MS)
    chip.press("A")
    chip.run(200 * MS)
    assert [value for _, value in chip.told("tone")][:1] == [110]
    cable = Cable(chip).link()
    cable.run(200)
    assert edges(cable) == []


def test_an_event_is_delivered_again_with_its_true_age(cable: Cable) -> None:
    cable.to_host = lambda data: b""
    cable.chip.press("D", 500)
    cable.run(200)
    cable.to_host = lambda data: data
    cable.run(100)
    [press] = cable.presses()
    assert 180 <= press.age <= 270


def test_a_beat_never_says_released_before_the_release_is_on_its_way(cable: Cable) -> None:
    chance = random.Random(8)
    for _ in range(60):
        first = len(cable.chip.sent)
        cable.chip.press("A", 60, after_us=chance.randrange(1000))
        cable.run(75)
        for _ in range(6):  # pings, while the release becomes certain
            cable.chip.feed(b"PG*2B93\n")
            cable.run(2 + chance.random())
        cable.run(60)
        lines = LineReader().feed(b"\n" + bytes(byte for _, byte in cable.chip.sent[first:]))
        said_of = [said(line.body) for line in lines if line.checked]
        up = next(i for i, word in enumerate(said_of) if isinstance(word, Event) and not word.down)
        beats = [word for word in said_of[:up] if isinstance(word, Beat)]
        assert beats
        assert all("A" in beat.held or beat.queued for beat in beats)
