"""Sessions with the real firmware: who listens, what a restart of either side keeps, and how soon a link is back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from emulated import MS, Cable, Chip, optiboot

from firmware_bridge.codec import LineReader, encode, said
from firmware_bridge.commands import tone
from firmware_bridge.talk import Linked, Pressed, Talk, TalkState, Unlinked

MakeChip = Callable[..., Chip]


def answers(chip: Chip, *bodies: str, ms: int = 20) -> list[str]:
    """What a chip says to lines that hold."""
    chip.feed(b"\n" + b"".join(encode(body) for body in bodies))
    return [line.body for line in LineReader().feed(chip.run(ms * MS))]


def test_a_box_says_who_it_is_when_it_is_plugged_in(new_chip: MakeChip) -> None:
    said_first = new_chip().run(20 * MS)
    assert said_first == encode("HELLO - 1 0.1.0 DICEBOX FFFF 0 B")


def test_greeting_again_resumes_and_a_new_name_begins_anew(chip: Chip) -> None:
    chip.run(20 * MS)
    kinds = [answers(chip, f"HI {name} 1")[0].split()[-1] for name in ("7F3A", "7F3A", "0001", "7F3A")]
    assert kinds == ["N", "R", "N", "N"]


def test_a_session_ends_with_good_bye(chip: Chip) -> None:
    chip.run(20 * MS)
    answers(chip, "HI 7F3A 1", "BY")
    assert answers(chip, "?")[0].split()[1] == "-"
    assert answers(chip, "HI 7F3A 1")[0].split()[-1] == "N"


def test_a_resumed_session_keeps_what_waits(cable: Cable) -> None:
    cable.to_host = lambda data: b""
    cable.chip.press("A")
    cable.run(500)
    cable.to_host = lambda data: data
    cable.talk.end()
    cable.news.clear()
    cable.talk.begin(cable.now)
    cable.run(300)
    assert next(news for _, news in cable.news if isinstance(news, Linked)).hello.kind == "R"
    assert [(p.button, p.down) for p in cable.presses()] == [("A", True), ("A", False)]


def test_without_a_session_lines_typed_by_hand_are_taken(chip: Chip) -> None:
    chip.run(20 * MS)
    chip.feed(b"BZ 1 880 50\r\n\r\nLD 2 1 1\n")
    assert chip.run(30 * MS) == encode("OK 1") + encode("OK 2")
    assert chip.told("lamp")[-1][1] == 1


def test_in_a_session_with_checksums_nothing_without_one_is_taken(cable: Cable) -> None:
    first = len(cable.chip.sent)
    cable.chip.feed(b"\nBZ 9 880 50\nHI 1111 1\nBY\n")
    cable.run(100)
    assert cable.chip.told("buzz") == []
    assert b"NO" not in bytes(byte for _, byte in cable.chip.sent[first:])
    assert cable.talk.state is TalkState.LINKED


def test_after_silence_of_three_and_a_half_seconds_nobody_listens_any_more(cable: Cable) -> None:
    changes = len(cable.chip.told("link"))
    cable.chip.run(3400 * MS)
    assert cable.chip.told("link")[-1][1] == 1
    assert len(cable.chip.told("link")) == changes
    cable.chip.run(1400 * MS)
    assert {value for _, value in cable.chip.told("link")[changes:]} == {0, 1}


def test_a_host_that_comes_back_from_a_long_pause_is_heard_again(cable: Cable) -> None:
    data = cable.chip.run(4500 * MS)  # the whole program stood still
    cable.talk.received(data, cable.now)
    cable.run(300)
    cable.chip.press("B")
    cable.run(200)
    assert [(p.button, p.down) for p in cable.presses()] == [("B", True), ("B", False)]


def test_a_chip_that_restarts_is_linked_again_within_half_a_second(cable: Cable) -> None:
    cable.run(300)
    cable.chip.press("A")
    cable.run(200)
    cable.chip.tell("reset")
    began = cable.now
    assert cable.run(500, lambda: any(isinstance(n, Unlinked) for _, n in cable.news)
                     and cable.talk.state is TalkState.LINKED)
    assert cable.now - began <= 0.5
    cable.chip.press("A")
    cable.run(200)
    assert len(cable.presses()) == 4


@pytest.mark.parametrize("lost", ["B", "N"])
def test_a_restart_loses_no_press_even_when_its_greeting_is_lost(cable: Cable, lost: str) -> None:
    cable.chip.press("A")
    cable.run(200)  # the host has seen events 1 and 2; after a restart the box begins with 1 again

    def lossy(data: bytes) -> bytes:
        nonlocal spoilt
        at = data.find(f" {lost}*".encode())
        if spoilt or at < 0:
            return data
        spoilt = True
        return data[:at] + b"X" + data[at + 1 :]

    spoilt = False
    cable.to_host = lossy
    cable.chip.tell("reset")
    cable.run(1500, lambda: spoilt and cable.talk.state is TalkState.LINKED)
    cable.run(700)
    assert spoilt
    told = len(cable.presses())
    cable.chip.press("B")
    cable.run(200)
    assert [(p.button, p.down) for p in cable.presses()[told:]] == [("B", True), ("B", False)]


def test_a_frozen_chip_is_noticed_within_three_seconds(cable: Cable) -> None:
    now, end = cable.now, cable.now + 3
    while cable.talk.state is TalkState.LINKED and now < end:
        now += 0.01
        cable.talk.tick(now)
    assert (cable.talk.state, cable.talk.failure) == (TalkState.FAILED, "lost")


def test_a_box_is_linked_within_half_a_second_of_being_plugged_in(new_chip: MakeChip) -> None:
    assert Cable(new_chip()).run(500, lambda: True)
    cable = Cable(new_chip())
    assert cable.run(500, lambda: cable.talk.state is TalkState.LINKED)


def test_behind_the_real_optiboot_it_takes_two_and_a_half_seconds_at_most(new_chip: MakeChip) -> None:
    chip = new_chip(optiboot())
    chip.tell("reset")  # as opening the port does
    cable = Cable(chip)
    assert cable.run(2500, lambda: cable.talk.state is TalkState.LINKED)


def test_a_host_of_another_protocol_is_told_which_one_the_box_speaks(chip: Chip) -> None:
    chip.run(20 * MS)
    [hello] = answers(chip, "HI 7F3A 2")
    assert hello.split()[2] == "1"
    assert chip.told("link")[-1][1] != 1 or answers(chip, "?")[0].split()[1] == "-"


def test_two_boxes_keep_their_presses_apart(new_chip: MakeChip) -> None:
    one, two = Cable(new_chip(), session="0001").link(), Cable(new_chip(), session="0002").link()
    answers(one.chip, "ID 9000 A001")
    for cable, button in ((one, "A"), (two, "B")):
        cable.chip.press(button)
        cable.run(200)
    assert {p.button for p in one.presses()} == {"A"}
    assert {p.button for p in two.presses()} == {"B"}
    assert [answers(cable.chip, "?")[-1].split()[5] for cable in (one, two)] == ["A001", "FFFF"]


def test_its_number_outlives_the_power(chip: Chip) -> None:
    chip.run(20 * MS)
    assert answers(chip, "ID 1 A001") == ["OK 1"]
    chip.tell("power")
    hello = said(LineReader().feed(chip.run(20 * MS))[-1].body)
    assert getattr(hello, "id", "") == "A001"


def test_commands_in_flight_are_done_once_over_a_restart_of_the_talk(cable: Cable) -> None:
    cable.command(tone(880, 30))
    cable.run(200)
    cable.talk.end()
    cable.talk.begin(cable.now)
    cable.run(300)
    cable.command(tone(660, 30))
    cable.run(200)
    assert [done.code for done in cable.done()] == [0, 0]
    assert len(cable.chip.told("buzz")) == 2


def test_a_wrong_version_is_never_linked(cable: Cable) -> None:
    talk = Talk("0001")
    talk.begin(0.0)
    talk.received(encode("HELLO 0001 2 9.9.9 DICEBOX FFFF 10 N") + encode("EV 1 A D 0"), 0.1)
    assert (talk.state, talk.failure) == (TalkState.FAILED, "version")
    assert not any(isinstance(news, Pressed | Linked) for news in talk.take_news())
