"""The whole way of the data: the bundled recording through reader, watcher and lookout into the Table, against its truth."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.cli.readers import Readers
from device.demo_director import ANSWER_AFTER_S, PLAYERS, RESTART_AFTER_S, STEP_S, DemoDirector, HeldClock
from device.journal import Journal
from device.lookout import Looking, Lookout
from device.sources import DEMO, demo_calibration, demo_file, open_source
from device.stills import Stills
from device.table import Sighting, Table
from device.view import Setting
from rules.bobing.houserules import PRESETS


class Evening:
    """A table whose people answer the moment something is asked; a recording is watched as fast as it can be."""

    def __init__(self, folder: Path) -> None:
        self.questions: list[dict[str, Any]] = []
        self.reported = 0
        clock = itertools.count(1_700_000_000)
        self.table = Table(
            Journal.open(None),
            Stills(folder),
            Setting(demo=True),
            PRESETS["xiamen"],
            lambda: float(next(clock)),
            lambda n: n - 1,
        ).open()
        self.director = DemoDirector(self.table, lambda _: True)
        self.director.act(self.table.state(), 0.0)

    def watch(self) -> None:
        """The whole demo recording, each frame in order; questions are answered with what the director thinks right."""
        readers = Readers(demo_calibration(), no_bowl=False)
        number = itertools.count()
        now = [0.0]

        def sleep(seconds: float) -> None:
            now[0] += seconds

        looking = Looking(
            open_source=lambda: open_source(str(demo_file()), lambda: 0.0),
            watcher=lambda frame: readers.watcher(frame, 6),
            clock=lambda: now[0],
            sleep=sleep,
            picture_name=lambda: f"still-{next(number)}",
        )
        lookout = Lookout(self.table, looking)
        told = self.table.saw

        def saw(sighting: Any) -> Any:
            state = told(sighting)
            self.reported += sighting.event == "throw"
            if state["phase"] == "question":
                self.questions.append(state["question"])
                self.director.act(state, ANSWER_AFTER_S)
            return self.table.state()

        self.table.saw = saw  # type: ignore[method-assign]
        lookout.run()

    def close(self) -> None:
        """End the table."""
        self.table.close()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    """One watched demo for all tests of this file."""
    played = Evening(tmp_path_factory.mktemp("stills"))
    played.watch()
    yield played
    played.close()


def truth() -> list[dict[str, Any]]:
    """The throws of the recording, as they were made."""
    return list(json.loads((DEMO / "demo.json").read_text())["throws"])


def test_every_throw_of_the_recording_is_reported_once_and_credited_or_asked_about(evening: Evening) -> None:
    assert evening.reported == len(truth())
    thrown_again = sum(1 for question in evening.questions if question["verdict"] in ("cocked", "incomplete"))
    assert evening.table.state()["throws"] + thrown_again == len(truth())


def test_no_throw_of_the_recording_is_silently_wrong(evening: Evening) -> None:
    right = [tuple(throw["values"]) for throw in truth() if not throw["outside"] and not throw["cocked"]]
    asked = {still for question in evening.questions if (still := question["still"])}
    credited = [t for t in evening.table.state()["history"] if t["void"] is None and t["still"] not in asked]
    assert credited
    for throw in credited:
        assert tuple(sorted(throw["dice"])) in right


def test_a_die_that_left_the_bowl_is_asked_about_as_a_jump(evening: Evening) -> None:
    jumps = sum(1 for throw in truth() if throw["outside"])
    assert sum(1 for question in evening.questions if question["verdict"] == "jump") == jumps
    assert sum(1 for throw in evening.table.state()["history"] if throw["jump"]) == jumps


def test_each_throw_that_the_camera_saw_has_its_picture(evening: Evening) -> None:
    for throw in evening.table.state()["history"]:
        assert throw["still"]
        picture = evening.table.still(throw["still"].removeprefix("/stills/").removesuffix(".jpg"))
        assert picture is not None and picture.startswith(b"\xff\xd8")


def test_the_demo_starts_its_game_with_people_and_begins_anew_a_while_after_the_end(tmp_path: Path) -> None:
    table = Table(Journal.open(None), None, Setting(demo=True), PRESETS["xiamen"], lambda: 0.0, lambda n: 0)
    director = DemoDirector(table, lambda _: True)
    director.act(table.state(), 0.0)
    assert [p["name"] for p in table.state()["players"]] == list(PLAYERS)
    table.command({"command": "throw", "version": table.state()["version"], "dice": [4] * 6})
    assert table.state()["over"]
    director.act(table.state(), RESTART_AFTER_S - 1)
    assert table.state()["over"]
    director.act(table.state(), RESTART_AFTER_S)
    assert table.state()["throws"] == 0 and not table.state()["over"]
    table.close()


def test_a_question_of_the_demo_is_answered_in_time_though_further_throws_come_in_behind_it(tmp_path: Path) -> None:
    table = Table(Journal.open(None), None, Setting(demo=True), PRESETS["xiamen"], lambda: 0.0, lambda n: 0)
    steps = itertools.count(1)
    asked = {"verdict": "jump", "dice": [], "still": "", "size": [1, 1]}

    def wait(_: float) -> bool:
        step = next(steps)
        if step in (2, 6, 10):
            table.saw(Sighting("throw", (), False, asked))
        return step > 2 + 2 * int(ANSWER_AFTER_S / STEP_S)

    DemoDirector(table, wait).run()
    assert table.state()["throws"] == 1
    assert table.state()["waiting"] == 1
    table.close()


def test_the_demo_stands_still_while_a_question_is_open() -> None:
    now = [10.0]
    held = [False]
    clock = HeldClock(lambda: now[0], lambda: held[0])
    assert clock() == 10.0
    now[0], held[0] = 16.0, True
    assert clock() == 10.0
    now[0], held[0] = 17.5, False
    assert clock() == 11.5
