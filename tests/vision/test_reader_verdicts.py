"""What the reader makes of what its eyes see."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from drawn_dice import BOWL, EDGE, FRAME, FROM_ABOVE, HEIGHT, INSIDE, PLACES, WIDTH, DrawnEyes, die, drawn, six

from vision.bowl import Bowl, FoundBowl
from vision.reader import Reader
from vision.reading import Found, Frame, Verdict


def test_six_clear_dice_are_sure_and_sorted() -> None:
    reading = Reader(DrawnEyes(six()), BOWL).read(FRAME)
    assert (reading.verdict, reading.values) == (Verdict.SURE, (1, 2, 3, 4, 5, 6))
    assert reading.rim == BOWL.rim


def test_an_empty_bowl_is_empty() -> None:
    assert Reader(DrawnEyes([]), BOWL).read(FRAME).verdict == Verdict.EMPTY


def test_a_die_outside_the_bowl_is_a_jump_even_when_dice_are_missing() -> None:
    reading = Reader(DrawnEyes([*six()[:4], die((40, 40), 3)]), BOWL).read(FRAME)
    assert (reading.verdict, reading.outside, len(reading.values)) == (Verdict.JUMP, 1, 4)


def test_things_like_dice_beside_a_bowl_without_any_are_a_jump_only_where_they_were_not_there_before() -> None:
    """A table may have a printed cloth; with a calibration what was there before is known."""
    beside = [((60, 60), 1), ((580, 420), 1)]
    frame, eyes = drawn(beside), DrawnEyes([die(place, value) for place, value in beside])
    told = Reader(eyes, BOWL).read(frame)
    assert told.verdict == Verdict.INCOMPLETE and "bobing calibrate" in told.why
    assert Reader(eyes, replace(BOWL, background=drawn([]))).read(frame).verdict == Verdict.JUMP


def test_five_dice_are_incomplete() -> None:
    assert Reader(DrawnEyes(six()[:5]), BOWL).read(FRAME).verdict == Verdict.INCOMPLETE


def test_five_dice_are_enough_where_five_are_expected() -> None:
    assert Reader(DrawnEyes(six()[:5]), BOWL).read(FRAME, expect=5).verdict == Verdict.SURE


def test_a_leaning_die_is_cocked() -> None:
    dice = six()
    reading = Reader(DrawnEyes(dice, {2: (0.0, 0.72)}), FROM_ABOVE).read(FRAME)
    assert reading.verdict == Verdict.COCKED
    assert [d.cocked for d in reading.dice] == [False, False, True, False, False, False]


def test_dice_a_little_aslant_on_the_wall_of_the_bowl_are_no_doubt() -> None:
    slants = {0: (0.2, 0.1), 2: (-0.2, 0.1), 3: (0.2, -0.1), 5: (-0.2, -0.15)}
    reading = Reader(DrawnEyes(six(), slants), FROM_ABOVE).read(FRAME)
    assert reading.verdict == Verdict.SURE
    assert all(d.tilt_deg is not None and d.tilt_deg < 30 for d in reading.dice)


def test_a_die_without_a_clear_top_is_cocked() -> None:
    dice = six()
    dice[1] = dice[1][0], replace(dice[1][1], clear_top=0.2)
    assert Reader(DrawnEyes(dice), BOWL).read(FRAME).verdict == Verdict.COCKED


def test_readers_that_differ_ask_and_name_both_values() -> None:
    dice = six()
    dice[4] = die(INSIDE[4], 5, says=6)
    reading = Reader(DrawnEyes(dice), BOWL).read(FRAME)
    assert reading.verdict == Verdict.ASK
    doubtful = reading.dice[4]
    assert {v for v, _ in doubtful.likely} == {5, 6}
    assert doubtful.doubt


def test_seven_dice_ask() -> None:
    frame = drawn([*zip(INSIDE, (1, 2, 3, 4, 5, 6), strict=True), ((320, 240), 2)])
    assert Reader(DrawnEyes([*six(), die((320, 240), 2)]), BOWL).read(frame).verdict == Verdict.ASK


def test_a_place_that_may_be_a_seventh_die_asks_where_one_of_the_six_is_in_doubt() -> None:
    place, found = die((320, 240), 2)
    faint = replace(found, presence=0.3)
    dice = six()
    assert Reader(DrawnEyes([*dice, (place, faint)]), BOWL).read(FRAME).verdict == Verdict.SURE
    dice[0] = dice[0][0], replace(dice[0][1], presence=0.75)
    assert Reader(DrawnEyes([*dice, (place, faint)]), BOWL).read(FRAME).verdict == Verdict.ASK


def test_beyond_six_in_the_bowl_only_a_die_beyond_doubt_is_a_jump() -> None:
    place, found = die((40, 40), 3)
    frame = drawn([*zip(INSIDE, (1, 2, 3, 4, 5, 6), strict=True), (place, 3)])
    likely = place, replace(found, presence=0.6)
    assert Reader(DrawnEyes([*six(), likely]), BOWL).read(frame).verdict == Verdict.SURE
    assert Reader(DrawnEyes([*six()[:5], likely]), BOWL).read(frame).verdict == Verdict.JUMP


@pytest.mark.parametrize("count", [1, 2, 5])
def test_on_an_open_table_any_number_is_fine_and_all_are_inside(count: int) -> None:
    reading = Reader(DrawnEyes(six()[:count]), None, open_table=True).read(FRAME)
    assert (reading.verdict, len(reading.values), reading.outside, reading.rim) == (Verdict.SURE, count, 0, None)


def test_on_an_empty_open_table_there_is_nothing() -> None:
    assert Reader(DrawnEyes([]), None, open_table=True).read(FRAME).verdict == Verdict.EMPTY


def test_a_hand_over_the_bowl_keeps_it_from_being_sure() -> None:
    covered = FRAME.copy()
    cv2.rectangle(covered, (200, 345), (440, 415), (90, 130, 220), -1)
    empty = np.full_like(FRAME, 120)
    reading = Reader(DrawnEyes(six()), Bowl(BOWL.rim, empty, WIDTH, HEIGHT)).read(covered)
    assert reading.hand
    assert reading.verdict == Verdict.ASK


def test_a_bowl_in_which_something_lies_that_is_read_as_no_die_is_not_empty() -> None:
    empty = np.full_like(FRAME, 120)
    bowl = Bowl(FROM_ABOVE.rim, empty, WIDTH, HEIGHT)
    blurred = cv2.GaussianBlur(FRAME, (0, 0), 12)
    assert Reader(DrawnEyes([]), bowl).read(blurred).verdict == Verdict.INCOMPLETE
    assert Reader(DrawnEyes([]), bowl).read(empty).verdict == Verdict.EMPTY


def _with_fours(colour: tuple[int, int, int]) -> tuple[Frame, list[tuple[tuple[int, int], Found]]]:
    dice = six((4, 2, 3, 4, 6, 6))
    frame = drawn(list(zip(INSIDE, (4, 2, 3, 4, 6, 6), strict=True)))
    for place, value, ink in ((INSIDE[0], 4, (30, 30, 200)), (INSIDE[3], 4, colour)):
        for i, j in PLACES[value]:
            cv2.circle(frame, (place[0] + round(0.24 * EDGE * i), place[1] + round(0.24 * EDGE * j)), 4, ink, -1, cv2.LINE_AA)
    return frame, dice


def test_a_black_four_beside_a_red_four_is_asked_about() -> None:
    frame, dice = _with_fours((20, 20, 20))
    reading = Reader(DrawnEyes(dice), FROM_ABOVE).read(frame)
    assert reading.verdict == Verdict.ASK
    assert "4 or 5" in reading.why


def test_two_red_fours_are_sure() -> None:
    frame, dice = _with_fours((30, 30, 200))
    assert Reader(DrawnEyes(dice), FROM_ABOVE).read(frame).verdict == Verdict.SURE


def _painted(frame: Frame, place: tuple[int, int], body: tuple[int, int, int]) -> Frame:
    painted = frame.copy()
    x, y = place
    part = painted[y - EDGE // 2 : y + EDGE // 2 + 1, x - EDGE // 2 : x + EDGE // 2 + 1]
    part[part.min(2) > 150] = body
    return painted


@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
def test_a_crumb_of_another_colour_among_the_pips_is_asked_about(value: int) -> None:
    """Four red pips and a black crumb in their middle once counted as a sure five."""
    dice = six((value, 2, 2, 2, 2, 2))
    frame = drawn(list(zip(INSIDE, (value, 2, 2, 2, 2, 2), strict=True)))
    (x, y), spots = INSIDE[0], PLACES[value]
    for i, j in spots:
        cv2.circle(frame, (x + round(0.24 * EDGE * i), y + round(0.24 * EDGE * j)), 4, (30, 30, 200), -1, cv2.LINE_AA)
    clean = Reader(DrawnEyes(dice), FROM_ABOVE).read(frame)
    i, j = spots[-1]
    cv2.circle(frame, (x + round(0.24 * EDGE * i), y + round(0.24 * EDGE * j)), 4, (20, 20, 20), -1, cv2.LINE_AA)
    crumbed = Reader(DrawnEyes(dice), FROM_ABOVE).read(frame)
    assert "another colour" not in clean.why
    assert crumbed.verdict == Verdict.ASK
    assert "another colour" in crumbed.why


@pytest.mark.parametrize("value", [2, 3, 4, 5, 6])
def test_a_lamp_among_light_pips_is_asked_about_where_it_may_be_one_pip_more(value: int) -> None:
    """A small lamp in the middle of a navy 4 with white pips was once read as a sure 5; on a pip that must be there it does no harm."""
    frame, (x, y), half = FRAME.copy(), INSIDE[0], EDGE // 2
    cv2.rectangle(frame, (x - half, y - half), (x + half, y + half), (90, 40, 30), -1)
    for i, j in PLACES[value]:
        cv2.circle(frame, (x + round(0.24 * EDGE * i), y + round(0.24 * EDGE * j)), 4, (185, 180, 175), -1, cv2.LINE_AA)
    dice = six((value, 2, 3, 4, 5, 6))
    clean = Reader(DrawnEyes(dice), FROM_ABOVE).read(frame)
    for i, j in PLACES[value]:
        lit = cv2.circle(frame.copy(), (x + round(0.24 * EDGE * i), y + round(0.24 * EDGE * j)), 4, (255, 255, 255), -1, cv2.LINE_AA)
        shining = Reader(DrawnEyes(dice), FROM_ABOVE).read(np.asarray(lit, np.uint8))
        assert "a lamp" not in clean.dice[0].doubt
        assert ("a lamp" in shining.dice[0].doubt) == (value in (3, 5) and (i, j) == (0, 0))


@pytest.mark.parametrize("body", [(60, 200, 240), (200, 120, 60), (170, 160, 250)])
def test_one_thing_of_another_colour_among_five_alike_is_asked_about(body: tuple[int, int, int]) -> None:
    reading = Reader(DrawnEyes(six()), FROM_ABOVE).read(_painted(FRAME, INSIDE[4], body))
    assert reading.verdict == Verdict.ASK
    assert "another colour" in reading.why


def test_dice_of_many_colours_are_no_doubt() -> None:
    frame = FRAME
    for place, body in zip(INSIDE[::2], [(60, 200, 240), (200, 180, 60), (170, 160, 250)], strict=True):
        frame = _painted(frame, place, body)
    assert Reader(DrawnEyes(six()), FROM_ABOVE).read(frame).verdict == Verdict.SURE


EMPTY = np.full_like(FRAME, 120)


@pytest.mark.parametrize("place", [(320, 240), (240, 240), (180, 250), (330, 380)])
@pytest.mark.parametrize("body", [(235, 240, 240), (60, 20, 20), (60, 90, 220)])
def test_what_lies_among_the_dice_and_is_seen_as_none_is_asked_about(place: tuple[int, int], body: tuple[int, int, int]) -> None:
    """A seventh die that the finder had overlooked was once passed over in silence."""
    frame = FRAME.copy()
    (x, y), half = place, EDGE // 2
    cv2.rectangle(frame, (x - half, y - half), (x + half, y + half), body, -1)
    bowl = Bowl(FROM_ABOVE.rim, EMPTY, WIDTH, HEIGHT)
    assert Reader(DrawnEyes(six()), bowl).read(FRAME).verdict == Verdict.SURE
    reading = Reader(DrawnEyes(six()), bowl).read(frame)
    assert (reading.verdict, reading.why) == (Verdict.ASK, "something else lies in the bowl")


def test_a_shadow_among_the_dice_is_no_doubt() -> None:
    frame = FRAME.copy()
    frame[225:262, 200:440] = (frame[225:262, 200:440] * 0.6).astype(np.uint8)
    assert Reader(DrawnEyes(six()), Bowl(FROM_ABOVE.rim, EMPTY, WIDTH, HEIGHT)).read(frame).verdict == Verdict.SURE


@pytest.mark.parametrize("outside", [0, 1])
def test_a_picture_of_another_view_than_the_calibrations_is_neither_sure_nor_a_jump(outside: int) -> None:
    other = np.random.default_rng(1).integers(0, 256, (HEIGHT // 40, WIDTH // 40, 3)).astype(np.uint8)
    empty = np.asarray(cv2.resize(other, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST), np.uint8)
    empty[FROM_ABOVE.mask() > 0] = 120
    dice = [*six(), *[die((40, 40), 3)] * outside]
    reading = Reader(DrawnEyes(dice), Bowl(FROM_ABOVE.rim, empty, WIDTH, HEIGHT)).read(FRAME)
    assert reading.verdict == Verdict.ASK
    assert "calibrate again" in reading.why


def test_where_all_six_lie_plainly_in_the_bowl_a_doubtful_thing_beside_it_is_no_jump() -> None:
    place = (40, 40)
    frame = drawn([*zip(INSIDE, (1, 2, 3, 4, 5, 6), strict=True), (place, 3)])
    plain, doubtful = die(place, 3), die(place, 3, says=6)
    coin = _painted(frame, place, (60, 170, 200))
    assert Reader(DrawnEyes([*six(), plain]), BOWL).read(frame).verdict == Verdict.JUMP
    assert Reader(DrawnEyes([*six(), doubtful]), BOWL).read(frame).verdict == Verdict.SURE
    assert Reader(DrawnEyes([*six(), plain]), BOWL).read(coin).verdict == Verdict.SURE
    assert Reader(DrawnEyes([*six()[:5], doubtful]), BOWL).read(frame).verdict == Verdict.JUMP


def _resized(place: tuple[int, int], value: int, edge: int) -> tuple[tuple[int, int], Found]:
    (x, y), (_, found) = place, die(place, value)
    r = edge / 2
    return place, replace(found, box=(x - r, y - r, edge, edge), quad=((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)))


@pytest.mark.parametrize("edge", [24, 28, 56, 62])
def test_one_die_of_another_size_in_the_bowl_is_asked_about(edge: int) -> None:
    """A die that a hand held over the bowl, nearer to the camera, was once counted among the six."""
    frame, (x, y) = FRAME.copy(), INSIDE[4]
    part = np.asarray(cv2.resize(frame[y - 21 : y + 22, x - 21 : x + 22], (edge + 3, edge + 3)), np.uint8)
    frame[y - 21 : y + 22, x - 21 : x + 22] = 120
    frame[y - edge // 2 - 1 : y - edge // 2 + edge + 2, x - edge // 2 - 1 : x - edge // 2 + edge + 2] = part
    dice = six()
    dice[4] = _resized(INSIDE[4], 5, edge)
    reading = Reader(DrawnEyes(dice), FROM_ABOVE).read(frame)
    assert reading.verdict == Verdict.ASK
    assert "of another size" in reading.why


@pytest.mark.parametrize("place", range(6))
def test_a_faint_mirror_image_among_dice_is_asked_about(place: int) -> None:
    """Five dice and the image of one of them in the glaze were once six sure dice."""
    frame, (x, y) = FRAME.copy(), INSIDE[place]
    part = frame[y - EDGE // 2 : y + EDGE // 2 + 1, x - EDGE // 2 : x + EDGE // 2 + 1]
    part[:] = (237 - 0.25 * (237 - part.astype(np.float32))).astype(np.uint8)
    reading = Reader(DrawnEyes(six()), FROM_ABOVE).read(frame)
    assert reading.verdict == Verdict.ASK
    assert "fainter" in reading.why


BESIDE = (40, 40)


def _beside(frame: Frame, found: tuple[tuple[int, int], Found], background: Frame | None = None) -> Verdict:
    return Reader(DrawnEyes([*six()[:5], found]), Bowl(FROM_ABOVE.rim, background, WIDTH, HEIGHT)).read(frame).verdict


def test_where_dice_are_missing_only_what_is_like_the_others_is_a_jump() -> None:
    """Half a domino beside the bowl was once taken for the die that was missing."""
    five = list(zip(INSIDE[:5], (1, 2, 3, 4, 5), strict=True))
    frame = drawn([*five, (BESIDE, 3)])
    assert _beside(frame, die(BESIDE, 3)) == Verdict.JUMP
    assert _beside(frame, _resized(BESIDE, 3, 30)) == Verdict.JUMP
    assert _beside(frame, _resized(BESIDE, 3, 60)) == Verdict.INCOMPLETE
    for other in ((40, 160, 60), (30, 30, 30), (200, 120, 60)):
        assert _beside(_painted(frame, BESIDE, other), die(BESIDE, 3)) == Verdict.INCOMPLETE
    tile = frame.copy()
    for spot, ink in zip(PLACES[3], [(40, 160, 40), (40, 30, 200), (180, 60, 20)], strict=True):
        at = BESIDE[0] + round(0.24 * EDGE * spot[0]), BESIDE[1] + round(0.24 * EDGE * spot[1])
        cv2.circle(tile, at, 4, ink, -1, cv2.LINE_AA)
    assert _beside(tile, die(BESIDE, 3)) == Verdict.INCOMPLETE


def test_half_of_a_longer_thing_beside_a_calibrated_bowl_is_no_jump() -> None:
    five = list(zip(INSIDE[:5], (1, 2, 3, 4, 5), strict=True))
    frame = drawn([*five, (BESIDE, 3)])
    domino = drawn([*five, (BESIDE, 3), ((BESIDE[0], BESIDE[1] + EDGE), 6)])
    assert _beside(frame, die(BESIDE, 3), EMPTY) == Verdict.JUMP
    assert _beside(domino, die(BESIDE, 3), EMPTY) == Verdict.INCOMPLETE


@pytest.mark.parametrize(("quality", "certain"), [(90, True), (30, False)])
def test_a_bowl_found_in_the_picture_counts_only_where_its_rim_is_certain(quality: int, certain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.reader.find_bowl", lambda frame: FoundBowl(FROM_ABOVE.rim, quality, ()))
    jumped = drawn([*zip(INSIDE, (1, 2, 3, 4, 5, 6), strict=True), (BESIDE, 3)])
    told = [Reader(DrawnEyes(dice), None).read(frame).verdict for dice, frame in ((six(), FRAME), ([*six(), die(BESIDE, 3)], jumped), ([], EMPTY))]
    assert told == ([Verdict.SURE, Verdict.JUMP, Verdict.EMPTY] if certain else [Verdict.ASK, Verdict.ASK, Verdict.INCOMPLETE])
