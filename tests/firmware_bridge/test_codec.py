"""The codec by the protocol's own test vectors, and its laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.codec import (
    Answer,
    Beat,
    Event,
    Hello,
    Line,
    LineReader,
    Log,
    after,
    checksum,
    encode,
    is_own,
    said,
)
from firmware_bridge.commands import Lamp, Tune, lamp, store_id, tone, tune

VECTORS = [
    "HI 7F3A 1*2967", "AK 1*5120", "PG*2B93", "BY*BD7D", "?*264C", "BZ 1 880 200*5A8F", "TN 2 2*2A99", "LD 3 1 1*F808",
    "ID 4 A001*CDCF", "EV 1 A D 0*D5DF", "HB 2605 0 0 1 0*220B", "OK 1*F37A", "HELLO 7F3A 1 0.1.0 DICEBOX FFFF 156 N*44AB",
]
BODY = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters="*"), min_size=1, max_size=56)


def test_the_checksum_is_ccitt_false() -> None:
    assert checksum(b"123456789") == 0x29B1


@pytest.mark.parametrize("line", VECTORS)
def test_the_vectors_of_the_protocol(line: str) -> None:
    body = line.partition("*")[0]
    assert encode(body) == line.encode() + b"\n"
    assert LineReader().feed(line.encode() + b"\n") == [Line(body, True)]


def test_what_a_box_says_is_understood() -> None:
    assert said("EV 1 A D 0") == Event(1, "A", True, 0)
    assert said("HB 2605 5 2 1 0") == Beat(2605, "AC", 2, 1, 0)
    assert said("OK 1") == Answer(1, 0)
    assert said("NO 7 2") == Answer(7, 2)
    assert said("HELLO - 1 0.1.0 DICEBOX A001 156 B") == Hello("-", 1, "0.1.0", "DICEBOX", "A001", 156, "B")
    assert said("# hello there") == Log("hello there")


@pytest.mark.parametrize("body", [
    "EV 0 A D 0", "EV 10000 A D 0", "EV 1 E D 0", "EV 1 AB D 0", "EV 1 A X 0", "EV 1 A D -1", "EV 1 A D", "EV 1 A D 0 0",
    "EV  1 A D 0", "HB 1 G 0 0 0", "HELLO 7f3a 1 0.1.0 DICEBOX FFFF 1 N", "HELLO 7F3A 1 0.1.0 DICEBOX FFFF 1 X", "OK", "NO 1",
    "OK ١", "EV 1  D 0", "XY 1", "ev 1 A D 0",
])
def test_what_is_none_of_a_boxes_words_means_nothing(body: str) -> None:
    assert said(body) is None


def test_the_words_of_a_host_are_known_as_such() -> None:
    assert all(is_own(line.partition("*")[0]) for line in VECTORS[:9])
    assert not any(is_own(line.partition("*")[0]) for line in VECTORS[9:])


def test_commands_make_the_lines_of_the_protocol() -> None:
    made = [tone(880, 200).body(1), tune(Tune.NEXT).body(2), lamp(Lamp.ON).body(3), store_id("A001").body(4)]
    assert [encode(body).decode().strip() for body in made] == VECTORS[5:9]


@given(BODY)
def test_what_is_encoded_is_read_back(body: str) -> None:
    assert LineReader().feed(encode(body)) == [Line(body, True)]
    assert LineReader().feed(b"junk" + encode(body, again=True)) == [Line("junk", False), Line(body, True)]


@given(BODY, st.data())
def test_lines_come_whole_however_they_are_cut_up(body: str, data: st.DataObject) -> None:
    sent, reader, found = encode(body) * 3, LineReader(), []
    while sent:
        length = data.draw(st.integers(1, len(sent)))
        found += reader.feed(sent[:length])
        sent = sent[length:]
    assert found == [Line(body, True)] * 3


@given(BODY, st.integers(0, 60), st.integers(1, 255))
def test_one_changed_byte_never_passes_as_a_checked_line(body: str, at: int, change: int) -> None:
    sent = bytearray(encode(body))
    sent[at % (len(sent) - 1)] ^= change
    assert [line for line in LineReader().feed(bytes(sent)) if line.checked and line.body == body] == []
    assert all(not line.checked for line in LineReader().feed(bytes(sent)))


@given(st.binary(max_size=300))
def test_any_bytes_are_borne(data: bytes) -> None:
    for line in LineReader().feed(data):
        assert 1 <= len(line.body) <= 56
        said(line.body)


def test_cr_before_lf_and_empty_lines_are_ignored() -> None:
    reader = LineReader()
    assert reader.feed(b"\r\n\n\r\nPG*2B93\r\n") == [Line("PG", True)]
    assert reader.bad == 0


@pytest.mark.parametrize("line", [b"P\rG*2B93\n", b"PG*2b93\n", b"PG*2B9\n", b"PG*2B933\n", b"*FFFF\n", b"PG*2B93*2B93\n",
                                  b"x" * 57 + b"\n", b"x" * 5000 + b"\n", b"P\xc3\xa9\n", b"\x00\n"])
def test_lines_that_do_not_hold_are_dropped_and_counted(line: bytes) -> None:
    reader = LineReader()
    assert reader.feed(line) == []
    assert reader.bad == 1
    assert reader.feed(b"PG*2B93\n") == [Line("PG", True)]


@pytest.mark.parametrize("body", ["", "a*b", "é", "a\n", "x" * 57])
def test_what_is_no_body_is_refused(body: str) -> None:
    with pytest.raises(ValueError, match=r"no body|codec"):
        encode(body)


def test_numbers_go_round() -> None:
    assert (after(1), after(9998), after(9999)) == (2, 9999, 1)
