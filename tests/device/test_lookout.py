"""The lookout between a source and the table: what it tells when the view is wrong, when it pauses, how it goes on by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from table_talk import give, started

from device.errors import Fault
from device.hearer import Later
from device.lookout import Looking, Lookout
from device.preview import Preview
from device.recent import MOST_BYTES, Moment, Recent, animated
from device.replays import SUFFIX, Replays
from device.restarts import FIRST_S, MOST_S, WELL_S, Restarts
from device.shots import Shot
from device.sighting import Sighting
from device.standing import HAND_S, NO_BOWL_S, Standing
from device.stills import Passing, Stills
from device.table import Table
from device.view import Notice
from vision.bowl import Bowl
from vision.calibration import CalibrationError
from vision.reading import Die, Frame, Reading, Rim, Verdict
from vision.watcher import Seen

RIM = Rim(160.0, 120.0, 150.0, 140.0, 0.0)


def frame(level: int = 0) -> Frame:
    picture = np.full((240, 320, 3), 60, np.uint8)
    picture[60:180, 90:230] = 170
    picture[5:20, 5 + level % 200 : 30 + level % 200] = 120
    return picture


def reading(values: Sequence[int] = (4, 4, 4, 1, 2, 3), verdict: Verdict = Verdict.SURE) -> Reading:
    dice = tuple(Die(v, 0.999, (100.0 + 15 * k, 100.0, 12.0, 12.0), (106.0, 106.0), True, False, ((v, 0.999),)) for k, v in enumerate(values))
    return Reading(dice, RIM, verdict, "6 dice read")


class Source:
    """Frames once, then a fault where asked for."""

    live = True
    name = "played"

    def __init__(self, count: int, fault: Fault | None = None, begin: int = 0) -> None:
        self.count, self.fault, self.begin, self.closed = count, fault, begin, False

    def __iter__(self) -> Iterator[Shot]:
        for n in range(self.begin, self.begin + self.count):
            yield Shot(n, n / 30, frame(n))
        if self.fault is not None:
            raise self.fault

    def close(self) -> None:
        self.closed = True


class Watched:
    """A watcher that plays {frame number: event}."""

    def __init__(self, script: dict[int, Seen], bowl: Bowl | None = None) -> None:
        self.script, self.bowl = script, bowl
        self.idle, self.dark, self.hand_since = False, False, None

    def feed(self, picture: Frame, index: int, t: float) -> list[Seen]:
        return [self.script[index]] if index in self.script else []


def seen(event: str, index: int, values: Sequence[int] = (4, 4, 4, 1, 2, 3)) -> Seen:
    return Seen(event, index, index / 30, index, reading(values) if event in ("throw", "changed") else None)


def watch(table: Any, script: dict[int, Seen], count: int = 60, calibrated: bool = False, **more: Any) -> Lookout:
    """A lookout that has watched one source to its end."""
    bowl = Bowl(RIM, frame(), 320, 240) if calibrated else None
    looking = Looking(
        open_source=lambda: Source(count),
        watcher=lambda _: Watched(script, bowl),  # type: ignore[arg-type,return-value]
        clock=lambda: 0.0,
        picture_name=lambda: "still-1",
        bowl=lambda _: bowl,
        **more,
    )
    lookout = Lookout(table, looking)
    lookout._once()
    return lookout


def test_after_a_knock_nothing_is_credited_until_the_camera_is_calibrated_again(make: Callable[..., Table]) -> None:
    table = started(make())
    told: list[Notice | None] = []
    table.tell = lambda notice: told.append(notice) or {}  # type: ignore[assignment,method-assign,func-returns-value]
    lookout = watch(table, {5: seen("bumped", 5), 30: seen("throw", 30)}, calibrated=True)
    assert lookout.paused
    assert table.state()["throws"] == 0
    notice = next(n for n in told if n is not None)
    assert (notice.key, notice.action) == ("bumped", "recalibrate")


def test_without_a_calibration_a_knock_pauses_nothing(make: Callable[..., Table]) -> None:
    table = started(make())
    lookout = watch(table, {5: seen("bumped", 5), 30: seen("throw", 30)})
    assert not lookout.paused
    assert table.state()["throws"] == 1


def test_a_test_throw_goes_to_the_desk_and_the_next_one_to_the_table(make: Callable[..., Table]) -> None:
    table = started(make())
    taken: list[Seen] = []
    looking = Looking(
        open_source=lambda: Source(90),
        watcher=lambda _: Watched({10: seen("throw", 10, (1, 2, 3, 4, 5, 6)), 60: seen("throw", 60)}),  # type: ignore[arg-type,return-value]
        clock=lambda: 0.0,
        picture_name=lambda: "still-1",
    )
    lookout = Lookout(table, looking)
    lookout.divert(lambda s, _: taken.append(s))
    lookout._once()
    assert [s.reading.values for s in taken if s.reading] == [(1, 2, 3, 4, 5, 6)]
    assert table.state()["throws"] == 1
    assert table.state()["last"]["kind"] == "sanhong"


def test_for_the_start_a_watcher_of_two_dice_is_taken_and_given_back(make: Callable[..., Table]) -> None:
    made: list[str] = []
    taken: list[Seen] = []

    def watcher(kind: str) -> Any:
        made.append(kind)
        return Watched({10: seen("throw", 10, (3, 5))} if kind == "two" else {})

    looking = Looking(
        open_source=lambda: Source(30),
        watcher=lambda _: watcher("six"),
        clock=lambda: 0.0,
        picture_name=lambda: "still-1",
        two=lambda _: watcher("two"),
    )
    lookout = Lookout(started(make()), looking)
    lookout.divert(lambda s, _: taken.append(s), two=True)
    lookout._once()
    assert made == ["two", "six"]
    assert len(taken) == 1


def test_a_lost_camera_is_told_and_the_game_goes_on_by_hand(make: Callable[..., Table]) -> None:
    table = started(make())
    lost = Fault("camera_lost", "camera 0: no more pictures come: look at the cable", "摄像头断开了")
    preview = Preview()
    looking = Looking(lambda: Source(3, lost), lambda _: Watched({1: seen("hand", 1)}), lambda: 0.0, lambda: "s", preview=preview)  # type: ignore[arg-type,return-value]
    lookout = Lookout(table, looking)
    lookout._stop.set()  # once, without waiting for another try
    lookout._stop.is_set = lambda: False  # type: ignore[method-assign]
    lookout._once()
    state = table.state()
    assert state["notice"]["key"] == "camera_lost"
    assert "by hand" in state["notice"]["en"]
    assert table.health()["camera"].startswith("camera 0")
    assert preview.newest is None
    assert state["phase"] == "throw"
    assert give(table, "throw", dice=[4, 4, 4, 1, 2, 3])["throws"] == 1


def test_a_calibration_of_another_size_is_told_and_the_picture_is_still_shown_so_that_one_can_calibrate(
    make: Callable[..., Table],
) -> None:
    table = started(make())
    preview = Preview()
    shown: list[int] = []
    made: list[Any] = [CalibrationError("the calibration is for pictures of 640x360, these are 320x240: calibrate this camera")]

    def watcher(_: Frame) -> Any:
        what = made.pop(0) if made else Watched({30: seen("throw", 30)})
        if isinstance(what, CalibrationError):
            raise what
        return what

    def each(shot: Shot) -> None:
        shown.append(shot.index)
        if shot.index == 10:
            assert (table.state()["notice"] or {}).get("key") == "calibration"
            lookout.renew()

    lookout = Lookout(table, Looking(lambda: Source(40), watcher, lambda: 0.0, lambda: "s", preview=preview, each=each))
    lookout._once()
    assert len(shown) == 40
    assert table.state()["throws"] == 1


def test_it_comes_back_by_itself_and_the_notice_goes(make: Callable[..., Table]) -> None:
    table = started(make())
    lost = Fault("camera_lost", "camera 0: gone", "断开了")
    sources: list[Any] = [Source(3, lost), Fault("no_camera", "camera 0: not there", "没有"), Source(3)]

    def opened() -> Source:
        source = sources.pop(0)
        if isinstance(source, Fault):
            raise source
        return source  # type: ignore[no-any-return]

    looking = Looking(opened, lambda _: Watched({}), lambda: 0.0, lambda: "s")  # type: ignore[arg-type,return-value]
    lookout = Lookout(table, looking)
    keys: list[str | None] = []
    lookout._stop.wait = lambda timeout=None: keys.append((table.state()["notice"] or {}).get("key")) or False  # type: ignore[assignment,method-assign,func-returns-value]
    lookout.run()
    assert keys == ["camera_lost", "no_camera"]
    assert table.health()["camera"] == "the recording has ended"


def test_the_budget_of_restarts_waits_longer_each_time_and_begins_anew_after_a_good_while() -> None:
    budget, t, waits = Restarts(), 0.0, []
    for _ in range(8):
        waits.append(budget.wait(t, well=False))
        t += waits[-1]
    assert waits[0] == FIRST_S
    assert waits == sorted(waits)
    assert waits[-1] == MOST_S
    budget.opened(t)
    assert budget.wait(t + 1.0, well=True) == MOST_S
    budget.opened(t)
    assert budget.wait(t + WELL_S, well=True) == FIRST_S


def standing(bowl: Bowl | None = None) -> tuple[Standing, list[Notice | None], Watched]:
    told: list[Notice | None] = []
    bowl = bowl or Bowl(RIM, frame(), 320, 240)
    return Standing(bowl, told.append), told, Watched({}, bowl)


def test_a_covered_lens_is_said_in_words_and_taken_back() -> None:
    view, told, watcher = standing()
    watcher.idle = True
    view.look(watcher, np.full((240, 320, 3), 90, np.uint8), 0.0)  # type: ignore[arg-type]
    view.look(watcher, frame(), 5.0)  # type: ignore[arg-type]
    assert [n and n.key for n in told] == ["covered", None]


@pytest.mark.parametrize(("spoil", "key"), [(0.15, "exposure"), (2.5, "exposure")])
def test_too_little_or_too_much_light_is_said_in_words(spoil: float, key: str) -> None:
    view, told, watcher = standing()
    watcher.idle = True
    view.look(watcher, np.clip(frame() * spoil, 0, 255).astype(np.uint8), 0.0)  # type: ignore[arg-type]
    assert told[0] is not None and told[0].key == key and told[0].zh


@pytest.mark.parametrize("light", [0.6, 1.25])
def test_a_usual_change_of_light_is_not_complained_about(light: float) -> None:
    view, told, watcher = standing()
    watcher.idle = True
    view.look(watcher, np.clip(frame() * light, 0, 255).astype(np.uint8), 0.0)  # type: ignore[arg-type]
    assert told == []


def test_a_hand_that_stays_is_mentioned_after_a_while() -> None:
    view, told, watcher = standing()
    watcher.hand_since = 1.0  # type: ignore[assignment]
    view.look(watcher, frame(), 2.0)  # type: ignore[arg-type]
    assert told == []
    view.look(watcher, frame(), 1.0 + HAND_S)  # type: ignore[arg-type]
    assert told[0] is not None and told[0].key == "covered"


def test_pictures_of_another_size_begin_a_new_watcher(make: Callable[..., Table]) -> None:
    made: list[tuple[int, ...]] = []

    def watcher(first: Frame) -> Any:
        made.append(first.shape)
        return Watched({})

    class Resized(Source):
        def __iter__(self) -> Iterator[Shot]:
            for shot in super().__iter__():
                yield shot if shot.index < 10 else Shot(shot.index, shot.t, np.ascontiguousarray(shot.frame[::2, ::2]))

    Lookout(started(make()), Looking(lambda: Resized(20), watcher, lambda: 0.0, lambda: "s"))._once()
    assert made == [(240, 320, 3), (120, 160, 3)]


def test_a_bowl_that_was_only_hidden_for_a_while_needs_no_tap_once_it_is_back() -> None:
    view, told, watcher = standing()
    view.event("lost")
    assert view.paused
    assert view.look(watcher, frame(), 10.0)  # type: ignore[arg-type]
    assert not view.paused
    assert told[-1] is None


def test_where_no_bowl_is_seen_it_is_said_after_a_while_and_taken_back_once_there_is_one() -> None:
    told: list[Notice | None] = []
    view, watcher = Standing(None, told.append), Watched({}, None)
    for t in (0.0, NO_BOWL_S - 1.5):
        view.look(watcher, frame(), t)  # type: ignore[arg-type]
    assert told == []
    view.look(watcher, frame(), NO_BOWL_S + 0.5)  # type: ignore[arg-type]
    assert [n and n.key for n in told] == ["lost"]
    watcher.bowl, watcher.idle = Bowl(RIM, None, 320, 240), True
    view.look(watcher, frame(), NO_BOWL_S + 3.0)  # type: ignore[arg-type]
    assert told[-1] is None and not view.paused


def test_a_knocked_one_stays_paused_until_somebody_taps() -> None:
    view, _, watcher = standing()
    view.event("bumped")
    assert not view.look(watcher, frame(), 10.0)  # type: ignore[arg-type]
    assert view.paused


def test_what_is_wrong_before_there_is_a_table_is_told_once_there_is_one(make: Callable[..., Table]) -> None:
    later = Later()
    assert later.saw(Sighting("throw")) == {}
    later.report("camera", "ok")
    later.tell(Notice("dark", "太暗", "too dark"))
    table = make()
    later.attach(table)
    assert table.state()["notice"]["key"] == "dark"
    assert table.health()["camera"] == "ok"
    later.tell(None)
    assert table.state()["notice"] is None


def moments(count: int = 30) -> tuple[Moment, ...]:
    recent = Recent()
    for n in range(count):
        recent.see(frame(3 * n), n / 12, None)
    return recent.before(count / 12)


def test_six_seconds_are_kept_and_three_are_shown() -> None:
    recent = Recent()
    for n in range(300):
        recent.see(frame(n), n / 30, RIM)
    last = recent.before(299 / 30)
    assert 2.8 <= last[-1].t - last[0].t <= 3.0
    assert 5.8 <= last[-1].t - recent._moments[0].t <= 6.1


def test_a_film_of_three_seconds_is_small_and_moves() -> None:
    import cv2

    film = animated(moments())
    assert film is not None and len(film) <= MOST_BYTES
    ok, shown = cv2.imdecodeanimation(np.frombuffer(film, np.uint8))
    assert ok and len(shown.frames) > 20
    assert 2500 <= sum(shown.durations) <= 4500
    assert animated(()) is None


def test_the_champions_throw_can_be_played_again_and_no_other(make: Callable[..., Table], tmp_path: Any) -> None:
    table = started(make())
    films = Stills(tmp_path / "replays", suffix=SUFFIX)
    replays = Replays(table, films, lambda held: b"film" if held else None)
    for name, values in (("a", (4, 4, 4, 4, 1, 2)), ("b", (4, 1, 2, 3, 5, 6))):
        replays.hold(name, moments(3))
        table.saw(Sighting("throw", tuple(sorted(values)), True, {}, (name, b"jpeg")))
    replays.look()
    shown = {throw["still"]: throw["replay"] for throw in table.state()["history"]}
    assert shown == {"/stills/a.jpg": "/replays/a.webp", "/stills/b.jpg": None}
    assert films.get("a") == b"film"


def test_films_of_an_earlier_evening_are_offered_again(make: Callable[..., Table], tmp_path: Any) -> None:
    Stills(tmp_path / "replays", suffix=SUFFIX).put("a", b"film")
    table = started(make())
    table.saw(Sighting("throw", (1, 2, 4, 4, 4, 4), True, {}, ("a", b"jpeg")))
    replays = Replays(table, Stills(tmp_path / "replays", suffix=SUFFIX)).open()
    assert table.state()["last"]["replay"] == "/replays/a.webp"
    replays.close()


def test_a_table_that_keeps_nothing_holds_only_the_last_pictures_in_memory() -> None:
    passing = Passing()
    for n in range(20):
        passing.put(f"s{n}", b"jpeg")
    assert passing.get("s19") == b"jpeg"
    assert passing.get("s0") is None
