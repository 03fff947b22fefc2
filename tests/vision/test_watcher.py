"""The watcher on a drawn table with a scripted reader: what is a throw, what is none, and when it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.bowl import Bowl
from vision.reading import Frame, Verdict
from vision.watcher import Seen, Watcher

ROW = [(230.0, 150.0), (290.0, 140.0), (350.0, 155.0), (250.0, 215.0), (315.0, 225.0), (375.0, 210.0)]
OTHER_ROW = [(255.0, 180.0), (318.0, 180.0), (380.0, 178.0), (290.0, 250.0), (350.0, 255.0), (310.0, 105.0)]
IN_TIME = 0.5


class Evening:
    """Plays scenes to a watcher frame by frame and keeps what it tells."""

    def __init__(self, drawn: Any, script: Any, die: Callable[..., Any], fps: float = 30.0, known: bool = True) -> None:
        self.drawn, self.script, self.die, self.fps = drawn, script, die, fps
        bowl = Bowl(drawn.rim, drawn.empty(), 640, 360) if known else None
        self.watcher = Watcher(lambda _: script, bowl)
        self.seen: list[Seen] = []
        self.index = 0

    def dice(self, places: Sequence[tuple[float, float]] = ROW, values: Iterable[int] = (1, 2, 3, 4, 5, 6)) -> list[Any]:
        return [self.die(x, y, v) for (x, y), v in zip(places, values, strict=False)]

    def show(self, frame: Frame) -> None:
        self.seen += self.watcher.feed(frame, self.index, self.index / self.fps)
        self.index += 1

    def rest(self, dice: Sequence[Any], seconds: float, **how: Any) -> None:
        """These dice lie there for so long."""
        self.script.dice = dice
        self.script.hand = float(how.get("hand", 0.0))
        for _ in range(round(seconds * self.fps)):
            self.show(self.drawn.frame(dice, number=self.index, **how))

    def roll(self, dice: Sequence[Any], seconds: float = 0.5, way: float = 90.0) -> None:
        """The dice roll to where they will lie."""
        frames = round(seconds * self.fps)
        for left in range(frames, 0, -1):
            far = way * (left / frames) ** 1.5
            moving = [self.die(d.x - far * (1 - 2 * (k % 2)), d.y + 0.6 * far, d.value) for k, d in enumerate(dice)]
            self.script.dice = moving
            self.show(self.drawn.frame(moving, number=self.index))

    def hand_comes(self, dice: Sequence[Any], seconds: float = 0.4) -> None:
        self._hand(dice, seconds, lambda part: 0.62 * part)

    def hand_goes(self, dice: Sequence[Any], seconds: float = 0.4) -> None:
        self._hand(dice, seconds, lambda part: 0.62 * (1 - part))

    def _hand(self, dice: Sequence[Any], seconds: float, reach: Callable[[float], float]) -> None:
        self.script.dice = dice
        frames = round(seconds * self.fps)
        for k in range(1, frames + 1):
            self.script.hand = reach(k / frames)
            self.show(self.drawn.frame(dice, hand=self.script.hand, number=self.index))

    def events(self, *but: str) -> list[str]:
        return [s.event for s in self.seen if s.event not in ("hand", *but)]

    def throws(self) -> list[Seen]:
        return [s for s in self.seen if s.event == "throw"]


@pytest.fixture
def evening(drawn: Any, script: Any, die: Callable[..., Any]) -> Evening:
    """A calibrated table with an empty bowl that has been watched for half a second."""
    evening = Evening(drawn, script, die)
    evening.rest([], 0.5)
    return evening


@pytest.mark.parametrize("fps", [15.0, 30.0, 60.0])
def test_a_throw_is_told_once_soon_after_it_lies_still_at_any_frame_rate(
    fps: float, drawn: Any, script: Any, die: Callable[..., Any]
) -> None:
    evening = Evening(drawn, script, die, fps)
    evening.rest([], 0.5)
    began = evening.index
    evening.roll(evening.dice())
    still = evening.index
    evening.rest(evening.dice(), 2.0)
    (throw,) = evening.throws()
    assert 0.2 <= (throw.frame - still) / fps <= IN_TIME
    assert began - 2 <= throw.started_frame <= began + 2
    assert throw.reading is not None
    assert throw.reading.values == (1, 2, 3, 4, 5, 6)


def test_the_line_of_a_throw_has_the_fields_of_the_contract(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    line = evening.throws()[0].as_json()
    assert {"event", "frame", "t", "started_frame", "values", "outside", "verdict"} <= set(line)
    assert (line["event"], line["values"], line["outside"], line["verdict"]) == ("throw", [1, 2, 3, 4, 5, 6], 0, "sure")


def test_dice_that_lie_there_at_the_start_are_found_and_no_throw(drawn: Any, script: Any, die: Callable[..., Any]) -> None:
    evening = Evening(drawn, script, die)
    evening.rest(evening.dice(), 1.5)
    assert evening.events() == ["found"]


def test_dice_that_still_roll_are_not_told(evening: Evening) -> None:
    evening.roll(evening.dice(), seconds=2.5, way=250.0)
    assert evening.events() == []


def test_a_nudged_die_is_a_change_of_the_same_throw(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    nudged = evening.dice([*ROW[:5], (400.0, 180.0)], (1, 2, 3, 4, 5, 2))
    evening.rest(nudged, 1.0)
    assert evening.events() == ["throw", "changed"]
    assert evening.seen[-1].reading is not None
    assert evening.seen[-1].reading.values == (1, 2, 2, 3, 4, 5)


def test_a_hand_that_stays_over_the_dice_delays_the_throw_until_it_goes(evening: Evening) -> None:
    evening.hand_comes([])
    evening.rest(evening.dice(), 1.2, hand=0.62)
    assert evening.throws() == []
    evening.hand_goes(evening.dice())
    gone = evening.index
    evening.rest(evening.dice(), 1.0)
    assert evening.events() == ["throw"]
    assert evening.seen[-1].frame - gone <= 15


def test_a_hand_that_comes_and_goes_over_lying_dice_tells_nothing_new(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    evening.hand_comes(evening.dice())
    evening.hand_goes(evening.dice())
    evening.rest(evening.dice(), 1.0)
    assert evening.events() == ["throw"]


def test_dice_taken_out_one_by_one_are_no_throw_and_then_the_bowl_is_clear(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    for left in range(5, -1, -1):
        evening.hand_comes(evening.dice()[: left + 1])
        evening.hand_goes(evening.dice()[:left])
        evening.rest(evening.dice()[:left], 0.6)
    assert evening.events() == ["throw", "cleared"]


def test_dice_pushed_about_while_others_are_taken_out_are_no_throw(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    evening.hand_comes(evening.dice())
    left = evening.dice(OTHER_ROW[:2], (6, 5))
    evening.hand_goes(left)
    evening.rest(left, 1.5)
    assert evening.events() == ["throw"]


def test_scooping_all_dice_at_once_clears_the_bowl_and_the_next_throw_is_new(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    evening.hand_comes(evening.dice())
    evening.hand_goes([])
    evening.rest([], 0.6)
    second = evening.dice(OTHER_ROW, (4, 4, 4, 4, 1, 1))
    evening.roll(second)
    evening.rest(second, 1.0)
    assert evening.events() == ["throw", "cleared", "throw"]
    assert evening.throws()[1].reading is not None
    assert evening.throws()[1].reading.values == (1, 1, 4, 4, 4, 4)


def test_a_throw_onto_a_bowl_that_was_never_seen_empty_is_a_new_throw(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    evening.hand_comes(evening.dice())
    second = evening.dice(OTHER_ROW, (2, 2, 3, 3, 5, 5))
    evening.hand_goes(second)
    evening.rest(second, 1.0)
    assert evening.events() == ["throw", "throw"]


def test_a_picture_cut_to_the_empty_bowl_and_a_throw_after_it_are_told_apart(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    evening.rest([], 0.4)
    second = evening.dice(OTHER_ROW)
    evening.roll(second)
    evening.rest(second, 1.0)
    assert evening.events() == ["throw", "cleared", "throw"]


def test_a_die_outside_the_bowl_is_a_jump(evening: Evening) -> None:
    dice = evening.dice([*ROW[:5], (540.0, 300.0)])
    evening.roll(dice)
    evening.rest(dice, 1.0)
    (throw,) = evening.throws()
    assert throw.reading is not None
    assert (throw.reading.verdict, throw.reading.outside) == (Verdict.JUMP, 1)


def test_somebody_who_fidgets_at_the_edge_of_the_picture_does_not_hold_the_throw_up_for_ever(evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.script.dice = evening.dice()
    for k in range(120):
        frame = evening.drawn.frame(evening.dice(), number=evening.index)
        cv2.circle(frame, (30, 60 + 40 * (k % 5)), 25, (200, 200, 40), -1)
        evening.show(frame)
    assert evening.events() == ["throw"]


def test_a_die_that_still_rolls_on_the_table_is_waited_for(evening: Evening) -> None:
    evening.roll(evening.dice())
    for k in range(40):
        rolling = [*evening.dice()[:5], evening.die(600 - 2 * k, 320, 6)]
        evening.script.dice = rolling
        evening.show(evening.drawn.frame(rolling, number=evening.index))
    assert evening.throws() == []
    evening.rest([*evening.dice()[:5], evening.die(522, 320, 6)], 1.0)
    (throw,) = evening.throws()
    assert throw.reading is not None
    assert throw.reading.verdict == Verdict.JUMP


def test_five_dice_are_waited_for_a_little_longer(evening: Evening) -> None:
    evening.roll(evening.dice()[:5])
    still = evening.index
    evening.rest(evening.dice()[:5], 1.0)
    (throw,) = evening.throws()
    assert 0.29 <= (throw.frame - still) / evening.fps <= IN_TIME
    assert throw.reading is not None
    assert throw.reading.verdict == Verdict.INCOMPLETE


@pytest.mark.parametrize(("shift", "turn"), [(0.05, 0.0), (-0.05, 0.0), (0.0, 3.0)])
def test_a_knocked_camera_is_told_within_three_seconds_and_is_no_throw(
    shift: float, turn: float, drawn: Any, script: Any, die: Callable[..., Any]
) -> None:
    drawn.ground = "stone"
    evening = Evening(drawn, script, die)
    evening.rest([], 0.5)
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    move = cv2.getRotationMatrix2D((320, 180), turn, 1.0)
    move[0, 2] += shift * 640
    for _ in range(90):
        frame = drawn.frame(evening.dice(), number=evening.index)
        evening.show(np.asarray(cv2.warpAffine(frame, move, (640, 360), borderMode=cv2.BORDER_REPLICATE), np.uint8))
    assert evening.events("found") == ["throw", "bumped"]


@pytest.mark.parametrize("light", [0.6, 1.4])
def test_another_light_is_neither_a_knock_nor_a_throw(light: float, evening: Evening) -> None:
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    for _ in range(90):
        frame = evening.drawn.frame(evening.dice(), number=evening.index)
        evening.show(np.clip(frame.astype(np.float32) * light, 0, 255).astype(np.uint8))
    assert evening.events() == ["throw"]


def test_darkness_is_told_once(evening: Evening) -> None:
    for _ in range(60):
        evening.show(np.full((360, 640, 3), 4, np.uint8))
    assert evening.events() == ["dark"]


def test_without_a_calibration_the_bowl_is_found_by_itself(drawn: Any, script: Any, die: Callable[..., Any]) -> None:
    evening = Evening(drawn, script, die, known=False)
    evening.rest([], 0.6)
    evening.roll(evening.dice())
    evening.rest(evening.dice(), 1.0)
    assert evening.events() == ["throw"]


def test_the_same_frames_give_the_same_answer(drawn: Any, script: Any, die: Callable[..., Any]) -> None:
    told = []
    for _ in range(2):
        evening = Evening(drawn, script, die)
        evening.rest([], 0.4)
        evening.roll(evening.dice())
        evening.rest(evening.dice(), 0.8)
        told.append([s.as_json() for s in evening.seen])
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["c00", "c01", "c02", "c03"])
def test_with_a_perfect_reader_each_simulated_throw_is_told_once_within_twelve_frames(
    name: str, pictures: Path, clip: Callable[[Path], Any]
) -> None:
    film = clip(pictures / "sim-dev" / f"{name}.mp4")
    at = [0]

    class Perfect:
        def read(self, frame: Frame, *, expect: int = 6) -> Any:
            return film.reading(at[0])

    watcher = Watcher(lambda _: Perfect(), film.bowl)
    seen: list[Seen] = []
    for index, frame in enumerate(film.frames):
        at[0] = index
        seen += watcher.feed(frame, index, index / 30)
    told = [s.event for s in seen if s.event != "hand"]
    truth = film.truth
    expected = ["found", "cleared", "throw"] if truth["previous_values"] else ["throw"]
    assert told == expected + (["cleared"] if truth["kind"] == "hand_scoop" else [])
    throw = next(s for s in seen if s.event == "throw")
    assert truth["first_rest_frame"] <= throw.frame <= truth["first_rest_unoccluded_frame"] + 12
    assert throw.reading is not None
    assert list(throw.reading.values) == truth["expected_values"]
