"""Streams that stall, lenses that hunt, lamps that pulse, cameras that are knocked: no throw is lost by them, and none invented."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cli.readers import Readers
from vision.bowl import Bowl
from vision.reading import Frame, Reading, Verdict
from vision.watcher import Seen, Watcher

FPS = 30
CLIPS = ("c00", "c01", "c02", "c03")


@cache
def readers() -> Readers:
    """The shipped model, loaded once."""
    return Readers(None, no_bowl=False)


class Filmed:
    """The throw of a simulated clip: the empty bowl for a while, the roll, and the dice at rest, each picture with noise of its own."""

    def __init__(self, film: Any) -> None:
        self.truth = film.truth
        scoop = film.truth["scoop_frames"]
        self.end = scoop[-1][0] - 2 if scoop and scoop[-1][0] > film.truth["first_rest_frame"] else len(film.frames)
        start = film.truth["throw_start_frame"]
        clear = [n for n, f in enumerate(film.truth["frames"]) if f["dice_visible"] == 0 and not f["hand"]]
        self.empty = film.frames[clear[len(clear) // 2]]
        self.roll = film.frames[start : self.end]
        self.moving = [
            n - start for n in range(start + 1, self.end) if film.truth["frames"][n]["moving"] and film.truth["frames"][n]["dice_visible"] >= 3
        ]
        self.rest_at = film.truth["first_rest_unoccluded_frame"] - start
        self.bowl = Bowl(film.rim, self.empty, film.bowl.width, film.bowl.height)
        self._grain = np.random.default_rng(3).normal(0, 2, self.empty.shape).round().astype(np.int16)
        self._given = 0

    def noisy(self, frame: Frame, seconds: float) -> list[Frame]:
        """This picture for so long."""
        return [self._grained(frame) for _ in range(round(seconds * FPS))]

    def _grained(self, frame: Frame) -> Frame:
        self._given += 1
        return np.clip(frame + np.roll(self._grain, 41 * self._given, axis=self._given % 2), 0, 255).astype(np.uint8)

    def rest(self, seconds: float) -> list[Frame]:
        """The dice as they came to rest."""
        return self.noisy(self.roll[-1], seconds)

    def told(self, frames: Sequence[Frame]) -> list[Seen]:
        """What a calibrated watcher tells of these frames, hands left out."""
        watcher = Watcher(readers().for_bowl, self.bowl)
        seen = [s for n, frame in enumerate(frames) for s in watcher.feed(frame, n, n / FPS)]
        return [s for s in seen if s.event != "hand"]

    def right(self, seen: Sequence[Seen]) -> bool:
        """One throw, read right or asked about."""
        (throw,) = [s for s in seen if s.event == "throw"]
        assert throw.reading is not None
        return throw.reading.verdict != Verdict.SURE or list(throw.reading.values) == self.truth["expected_values"]


@pytest.fixture(params=CLIPS)
def film(request: pytest.FixtureRequest, pictures: Path, clip: Callable[[Path], Any]) -> Filmed:
    return Filmed(clip(pictures / "sim-dev" / f"{request.param}.mp4"))


@pytest.mark.parametrize(("part", "seconds"), [(0.3, 0.4), (0.9, 0.4), (0.5, 2.0)])
def test_a_stream_that_freezes_in_the_midst_of_a_roll_tells_the_throw_once_it_goes_on(film: Filmed, part: float, seconds: float) -> None:
    at = film.moving[int(part * len(film.moving))]
    frozen = [film.roll[at]] * round(seconds * FPS)
    seen = film.told([*film.noisy(film.empty, 0.4), *film.roll[:at], *frozen, *film.roll[at:], *film.rest(0.5)])
    assert [s.event for s in seen] == ["throw"]
    assert seen[0].frame >= 12 + film.rest_at + len(frozen)
    assert film.right(seen)


@pytest.mark.parametrize("peak", [3.0, 8.0])
def test_a_lens_that_hunts_over_lying_dice_neither_clears_the_bowl_nor_throws_again(film: Filmed, peak: float) -> None:
    sweep = [blurred(f, peak * math.sin(math.pi * n / 30)) for n, f in enumerate(film.rest(1.0))]
    jump = [blurred(f, peak) for f in film.rest(1.0)]
    before = [*film.noisy(film.empty, 0.4), *film.roll, *film.rest(0.4)]
    seen = film.told([*before, *sweep, *film.rest(0.5), *jump, *film.rest(1.2)])
    assert [s.event for s in seen] == ["throw"]


@pytest.mark.parametrize("peak", [4.0, 8.0])
def test_a_lens_that_hunts_while_dice_come_to_rest_delays_the_throw_and_loses_none(film: Filmed, peak: float) -> None:
    before = film.noisy(film.empty, 0.4)
    frames = [*before, *film.roll, *film.rest(2.0)]
    from_ = len(before) + film.rest_at - 8
    frames[from_ : from_ + 30] = [blurred(f, peak * math.sin(math.pi * n / 30)) for n, f in enumerate(frames[from_ : from_ + 30])]
    seen = film.told(frames)
    assert [s.event for s in seen] == ["throw"]
    assert film.right(seen)


@pytest.mark.parametrize("hertz", [2.0, 5.0])
def test_light_that_pulses_by_a_quarter_hides_no_throw(film: Filmed, hertz: float) -> None:
    frames = [*film.noisy(film.empty, 0.6), *film.roll, *film.rest(1.0)]
    lit = [
        np.clip(f.astype(np.float32) * (1 + 0.25 * math.sin(2 * math.pi * hertz * n / FPS)), 0, 255).astype(np.uint8)
        for n, f in enumerate(frames)
    ]
    seen = film.told(lit)
    assert [s.event for s in seen] == ["throw"]
    assert film.right(seen)


@pytest.mark.parametrize("shift", [0.008, 0.02, 0.05])
@pytest.mark.parametrize("when", ["before", "during"])
def test_a_knock_before_or_during_a_throw_loses_none(film: Filmed, shift: float, when: str) -> None:
    at = 0 if when == "before" else film.rest_at // 2
    moved = [knocked(f, shift) for f in [*film.roll[at:], *film.rest(2.2)]]
    seen = film.told([*film.noisy(film.empty, 0.6), *film.roll[:at], *moved])
    assert [s.event for s in seen if s.event not in ("bumped", "lost", "found")] == ["throw"]
    assert film.right(seen)
    events = [s.event for s in seen]
    if events[0] == "bumped":
        throw = seen[1]
        assert throw.reading is not None
        assert throw.reading.verdict != Verdict.SURE
        assert throw.started_frame <= seen[0].frame


def blurred(frame: Frame, sigma: float) -> Frame:
    """The picture of a lens that is out of focus by so many pixels."""
    return frame if sigma < 0.3 else np.asarray(cv2.GaussianBlur(frame, (0, 0), sigma), np.uint8)


def knocked(frame: Frame, shift: float) -> Frame:
    """The picture of a camera that was moved by this part of its width."""
    height, width = frame.shape[:2]
    way = np.array([[1, 0, shift * width], [0, 1, 0]], np.float32)
    return np.asarray(cv2.warpAffine(frame, way, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


class Table:
    """A drawn table whose watcher is calibrated, with a reader that sees `dice`, or what `sees` says."""

    def __init__(self, drawn: Any, script: Any, die: Callable[..., Any]) -> None:
        self.drawn, self.script, self.die = drawn, script, die
        self.watcher = Watcher(lambda _: script, Bowl(drawn.rim, drawn.empty(), 640, 360))
        self.seen: list[Seen] = []
        self.index = 0
        self.show([], 0.5)

    def dice(self, shift: float = 0.0, count: int = 6) -> list[Any]:
        places = [(230.0, 150.0), (290.0, 140.0), (350.0, 155.0), (250.0, 215.0), (315.0, 225.0), (375.0, 210.0)]
        return [self.die(x + shift, y + 0.6 * shift, k + 1) for k, (x, y) in enumerate(places[:count])]

    def feed(self, frame: Frame) -> None:
        self.seen += self.watcher.feed(frame, self.index, self.index / FPS)
        self.index += 1

    def show(self, dice: Sequence[Any], seconds: float) -> Frame:
        self.script.dice = dice
        for _ in range(round(seconds * FPS)):
            frame = self.drawn.frame(dice, number=self.index)
            self.feed(frame)
        return np.asarray(frame, np.uint8)

    def roll(self, begin: float, end: float) -> Frame:
        for far in np.linspace(begin, end, 8):
            frame = self.show(self.dice(float(far)), 1 / FPS)
        return frame

    def events(self) -> list[str]:
        return [s.event for s in self.seen if s.event != "hand"]


@pytest.fixture
def table(drawn: Any, script: Any, die: Callable[..., Any]) -> Table:
    return Table(drawn, script, die)


@pytest.mark.parametrize("seconds", [0.3, 1.0, 2.0])
def test_the_same_picture_again_and_again_is_no_rest_of_dice_that_roll(table: Table, seconds: float) -> None:
    last = table.roll(-90, -50)
    for _ in range(round(seconds * FPS)):
        table.feed(last)
    assert table.events() == []
    table.roll(-45, 0)
    table.show(table.dice(), 0.6)
    assert table.events() == ["throw"]


def test_even_a_stop_so_long_that_it_is_believed_makes_no_second_throw(table: Table) -> None:
    last = table.roll(-90, -50)
    for _ in range(5 * FPS):
        table.feed(last)
    assert table.events() == ["throw"]
    table.roll(-45, 0)
    table.show(table.dice(), 0.6)
    assert table.events() == ["throw", "changed"]


def test_a_camera_that_gives_each_picture_twice_is_as_quick_as_another(table: Table) -> None:
    for far in np.linspace(-90, 0, 8):
        frame = table.drawn.frame(table.dice(float(far)), number=table.index)
        table.script.dice = table.dice(float(far))
        table.feed(frame)
        table.feed(frame)
    still = table.index
    for _ in range(8):
        frame = table.drawn.frame(table.dice(), number=table.index)
        table.feed(frame)
        table.feed(frame)
    assert table.events() == ["throw"]
    assert table.seen[-1].frame - still <= 15


def test_a_still_picture_that_the_camera_is_cut_to_is_read(table: Table) -> None:
    table.script.dice = table.dice()
    held = table.drawn.frame(table.dice(), number=7)
    for _ in range(FPS // 2):
        table.feed(held)
    assert table.events() == ["throw"]


def test_dice_that_are_seen_by_nobody_in_a_bowl_that_is_not_empty_are_not_gone(table: Table) -> None:
    table.show(table.dice(), 1.0)

    def unclear(frame: Frame, *, expect: int = 6) -> Reading:
        return Reading((), None, Verdict.ASK, "something may be a die")

    seeing, table.script.read = table.script.read, unclear
    for _ in range(4 * FPS):
        table.feed(np.asarray(cv2.GaussianBlur(table.drawn.frame(table.dice(), number=table.index), (0, 0), 1.2), np.uint8))
    table.script.read = seeing
    table.show(table.dice(), 1.0)
    assert table.events() == ["throw"]


def test_dice_that_appear_too_slowly_to_be_movement_are_a_throw_all_the_same(table: Table) -> None:
    empty = table.drawn.empty().astype(np.float32)
    full = table.drawn._picture(table.dice(), 0.0).astype(np.float32)
    table.script.dice = table.dice()
    for n in range(4 * FPS):
        part = min(1.0, n / (3 * FPS))
        noise = np.random.default_rng(n).normal(0, 1.5, empty.shape)
        table.feed(np.clip(empty + part * (full - empty) + noise, 0, 255).astype(np.uint8))
    table.show(table.dice(), 1.0)
    assert table.events().count("throw") == 1
