"""The desk of the box at a real table: what presses do, what they may not do, and what lamp and piezo answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from table_talk import THREE_REDS, give, reading, sighting, started

from device.box_desk import BoxDesk
from device.box_gestures import Gestures
from device.box_roles import Roles
from device.errors import Fault
from device.host import Host
from device.table import Table
from firmware_bridge.codec import Hello
from firmware_bridge.commands import Command, Lamp, Tune, lamp, tune
from firmware_bridge.events import Edge, Gone
from firmware_bridge.talk import Done, Linked
from firmware_bridge.words import SEARCHING, Words, lost
from vision.reading import Verdict

HELLO = Hello("7F3A", 1, "0.1.0", "DICEBOX", "A001", 100, "N")


class Scene:
    """A table, its desk and a hand, in a time of their own."""

    def __init__(self, table: Any, roles: Roles | None = None) -> None:
        self.table = table
        self.now = 1000.0
        self.sent: list[Command] = []
        self.desk = BoxDesk(table, roles or Roles(), lambda: self.now, self.sent.append)
        self.desk.step(self.now, Linked(HELLO))
        self.rest()

    def rest(self, seconds: float = 1.0) -> None:
        """Nobody touches anything."""
        for _ in range(round(seconds / 0.02)):
            self.now += 0.02
            self.desk.step(self.now)

    def edge(self, button: str, down: bool, age: int = 0, source: str = "box") -> None:
        self.desk.step(self.now, Edge(source, button, down, age, self.now))

    def press(self, button: str, ms: int = 100, age: int = 0, source: str = "box") -> None:
        """A press that ended `age` ms ago when it is told."""
        if age:
            self.edge(button, True, age + ms, source)
        else:
            self.edge(button, True, 0, source)
            self.rest(ms / 1000)
        self.edge(button, False, age, source)

    def tunes(self) -> list[Tune]:
        """Those played since this was asked last; lamps stay."""
        found = [Tune(int(c.values[0])) for c in self.sent if c.verb == "TN"]
        self.sent[:] = [c for c in self.sent if c.verb != "TN"]
        return found

    def lamp(self) -> Lamp:
        return [Lamp(int(c.values[1])) for c in self.sent if c.verb == "LD"][-1]

    @property
    def state(self) -> dict[str, Any]:
        return self.table.state()

    @property
    def refused(self) -> str | None:
        refused = self.state["box"]["refused"]
        return None if refused is None else refused["key"]


class NoForecast:
    """The odds of the evening are another matter, and take a second to solve at each start."""

    def __init__(self, odds: object) -> None: ...

    def expected_throws(self, ledger: object) -> None: ...


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.prospects.Forecast", NoForecast)


@pytest.fixture
def scene(make: Callable[..., Table]) -> Scene:
    found = Scene(started(make()))
    found.rest()
    found.tunes()
    return found


def asks(scene: Scene, values: tuple[int, ...] = (1, 2, 3, 4, 4, 6)) -> None:
    """The camera saw a throw with one doubtful die."""
    scene.table.saw(sighting(reading(list(values), Verdict.ASK, doubt=(values[0], 6))))
    scene.rest(0.5)


def test_a_confirms_the_throw_that_waits(scene: Scene) -> None:
    asks(scene)
    assert (scene.state["phase"], scene.lamp()) == ("question", Lamp.FAST)
    scene.press("A")
    assert scene.state["question"] is None
    assert scene.state["throws"] == 1
    assert scene.tunes() == [Tune.ACCEPTED]
    assert scene.lamp() is Lamp.OFF  # the dice lie there still
    assert scene.refused is None


def test_nothing_happens_before_the_button_is_let_go(scene: Scene) -> None:
    asks(scene)
    scene.edge("A", True)
    scene.rest(1.5)
    assert scene.state["throws"] == 0
    scene.edge("A", False)
    assert scene.state["throws"] == 1


def test_b_takes_the_last_throw_back(scene: Scene) -> None:
    give(scene.table, "throw", dice=list(THREE_REDS))
    scene.rest()
    scene.tunes()
    scene.press("B")
    assert scene.state["throws"] == 0
    assert scene.tunes() == [Tune.UNDO]


def test_c_passes_the_turn_on(scene: Scene) -> None:
    scene.press("C")
    assert scene.state["turn"]["name"] == "乙"
    assert scene.tunes() == [Tune.NEXT]


def test_what_a_press_means_is_a_matter_of_the_settings(make: Callable[..., Table]) -> None:
    scene = Scene(started(make()), Roles({"A": "next", "B": "free", "C": "jump", "D": "undo"}, "free", "operator"))
    scene.rest()
    scene.press("A")
    assert scene.state["turn"]["name"] == "乙"
    scene.rest()
    scene.tunes()
    scene.press("C")
    assert scene.state["last"]["jump"]
    assert scene.tunes() == [Tune.JUMP]
    scene.rest()
    scene.press("D")
    assert scene.state["throws"] == 0
    scene.rest()
    scene.press("B")
    assert scene.refused == "free"
    scene.press("A", 2500)
    assert scene.refused == "free"
    scene.edge("A", True)
    scene.edge("B", True)
    assert scene.state["box"]["call"]["zh"]


def test_a_press_that_makes_no_sense_now_is_refused_and_shown(scene: Scene) -> None:
    for button, key in (("A", "nothing"), ("B", "nothing_to_undo"), ("D", "free")):
        scene.press(button)
        assert scene.tunes() == [Tune.REFUSED]
        assert scene.state["box"]["refused"]["button"] == button
        assert key in ("nothing_to_undo", scene.refused)
        assert scene.state["box"]["refused"]["zh"]
        scene.rest(0.5)
    assert scene.state["box"]["refused"]["n"] == 3
    assert scene.state["throws"] == 0
    scene.rest(6)
    assert scene.refused is None


def test_yes_to_a_throw_that_was_certain_is_no_mistake(scene: Scene) -> None:
    scene.table.saw(sighting(reading(list(THREE_REDS), Verdict.SURE)))
    scene.rest()
    assert scene.tunes() == [Tune.ACCEPTED]
    scene.press("A")
    assert scene.tunes() == [Tune.ACCEPTED]
    assert (scene.state["throws"], scene.refused) == (1, None)


@pytest.mark.parametrize(("age", "late"), [(1400, False), (1600, True)])
def test_a_late_press_is_not_acted_on_but_asked_for_again(scene: Scene, age: int, late: bool) -> None:
    asks(scene)
    scene.rest(3)
    scene.press("A", age=age)
    assert scene.state["throws"] == (0 if late else 1)
    assert scene.refused == ("late" if late else None)
    if late:
        assert scene.tunes() == [Tune.REFUSED]
        scene.press("A")
        assert (scene.state["throws"], scene.refused) == (1, None)


def test_a_press_is_for_the_board_that_was_seen_when_the_finger_went_down(scene: Scene) -> None:
    scene.edge("A", True)
    scene.rest(0.1)
    asks(scene)  # the question comes while the finger is down
    scene.edge("A", False)
    assert (scene.state["throws"], scene.refused) == (0, "moved_on")
    scene.rest(0.5)
    scene.press("A")
    assert scene.state["throws"] == 1


def test_a_press_within_a_blink_of_a_new_question_is_not_for_it(scene: Scene) -> None:
    scene.table.saw(sighting(reading([1, 2, 3, 4, 4, 6], Verdict.ASK, doubt=(1, 6))))
    scene.rest(0.06)
    scene.press("A", 60)
    assert scene.refused == "moved_on"
    assert (scene.state["question"]["verdict"], scene.state["throws"]) == ("ask", 0)


def test_holding_a_for_two_seconds_calls_the_operator_and_nothing_else(scene: Scene) -> None:
    asks(scene)
    scene.edge("A", True)
    scene.rest(1.9)
    assert scene.state["box"]["call"] is None
    scene.rest(0.2)
    assert scene.state["box"]["call"] == {"zh": "请管理员过来一下", "en": "the operator is wanted at the table"}
    scene.edge("A", False)
    assert scene.state["throws"] == 0
    scene.rest(61)
    assert scene.state["box"]["call"] is None


def test_a_and_b_together_show_the_pairing_code_and_nothing_else(scene: Scene) -> None:
    asks(scene)
    scene.edge("A", True)
    scene.rest(0.1)
    scene.edge("B", True)
    assert scene.state["box"]["pairing"] is True
    scene.rest(0.1)
    scene.edge("A", False)
    scene.edge("B", False)
    assert (scene.state["throws"], scene.refused) == (0, None)
    scene.rest(121)
    assert scene.state["box"]["pairing"] is False


def test_a_button_held_while_the_cable_is_pulled_does_nothing(scene: Scene) -> None:
    asks(scene)
    scene.edge("A", True)
    scene.desk.step(scene.now, Gone("box"))
    scene.rest(5)
    scene.edge("A", False)
    assert (scene.state["throws"], scene.state["box"]["call"]) == (0, None)


def test_buttons_of_two_sources_are_no_chord(scene: Scene) -> None:
    scene.edge("A", True, source="box")
    scene.edge("B", True, source="tv")
    assert scene.state["box"]["pairing"] is False


def test_a_late_press_and_its_release_are_no_hold() -> None:
    gestures = Gestures()
    assert gestures.feed(Edge("box", "A", True, 2600, 100.0)) == []
    assert gestures.tick(100.02) == []
    [gesture] = gestures.feed(Edge("box", "A", False, 2500, 100.06))
    assert gesture.kind == "press"


def test_the_lamp_follows_the_table(scene: Scene) -> None:
    assert scene.lamp() is Lamp.SLOW
    from device.sighting import Sighting

    scene.table.saw(Sighting("hand"))
    scene.rest(0.1)
    assert scene.lamp() is Lamp.ON
    asks(scene)
    assert scene.lamp() is Lamp.FAST
    give(scene.table, "confirm")
    scene.rest(0.1)
    assert scene.lamp() is Lamp.OFF
    scene.table.saw(Sighting("cleared"))
    scene.rest(0.1)
    assert scene.lamp() is Lamp.SLOW


@pytest.mark.parametrize(("dice", "expected"), [
    ([4, 4, 4, 4, 1, 2], Tune.CHAMPION), ([4, 1, 2, 3, 5, 6], Tune.ACCEPTED), ([4, 1, 2, 2, 5, 6], Tune.ACCEPTED)
])
def test_a_throw_by_phone_or_camera_has_its_tune(scene: Scene, dice: list[int], expected: Tune) -> None:
    give(scene.table, "throw", dice=dice)
    scene.rest(0.1)
    assert scene.tunes() == [expected]


def test_one_thing_that_happens_has_one_tune(scene: Scene) -> None:
    asks(scene)
    scene.press("A")
    scene.rest(1)
    assert scene.tunes() == [Tune.ACCEPTED]


def test_yes_is_no_answer_to_what_the_missing_die_shows(scene: Scene) -> None:
    scene.table.saw(sighting(reading([1, 2, 3, 4, 4], Verdict.INCOMPLETE)))
    scene.rest(0.5)
    scene.press("A")
    assert (scene.state["throws"], scene.refused) == (0, "incomplete")
    assert scene.state["question"]["verdict"] == "incomplete"


def test_yes_to_a_cocked_die_is_another_throw(scene: Scene) -> None:
    scene.table.saw(sighting(reading([1, 2, 3, 4, 4, 5], Verdict.COCKED)))
    scene.rest(0.5)
    scene.press("A")
    assert (scene.state["throws"], scene.state["question"], scene.state["turn"]["name"]) == (0, None, "甲")
    assert scene.tunes() == [Tune.ACCEPTED]


def test_a_jump_is_sad(scene: Scene) -> None:
    scene.table.saw(sighting(reading([1, 2, 3, 4, 4, 6], Verdict.JUMP, outside=1)))
    scene.rest(0.5)
    scene.press("A")
    assert scene.state["last"]["jump"]
    assert scene.tunes() == [Tune.JUMP]


def test_a_box_that_comes_back_shines_as_it_should(scene: Scene) -> None:
    scene.desk.step(scene.now, Gone("box"))
    asks(scene)
    scene.sent.clear()
    scene.rest(0.5)
    assert scene.sent == []
    scene.desk.step(scene.now, Linked(HELLO))
    assert scene.sent == [lamp(Lamp.FAST)]


def test_a_lamp_that_was_not_answered_is_lit_again(scene: Scene) -> None:
    scene.sent.clear()
    scene.desk.step(scene.now, Done(lamp(Lamp.SLOW), None))
    scene.rest(0.1)
    assert scene.sent == [lamp(Lamp.SLOW)]
    scene.desk.step(scene.now, Done(tune(Tune.NEXT), None))
    scene.rest(0.1)
    assert scene.sent == [lamp(Lamp.SLOW)]


def test_the_state_of_the_box_is_told_in_words(scene: Scene) -> None:
    scene.desk.step(scene.now, Words("linked", "box A001 at /dev/ttyUSB0", "按钮盒 A001"))
    assert scene.state["box"] | {"buttons": 0} == {
        "state": "linked", "zh": "按钮盒 A001", "en": "box A001 at /dev/ttyUSB0", "id": "A001", "buttons": 0, "keys": True,
        "refused": None, "call": None, "pairing": False,
    }
    assert scene.table.health()["box"] == "ok"
    scene.desk.step(scene.now, lost("/dev/ttyUSB0"))
    assert (scene.state["box"]["state"], scene.state["box"]["id"]) == ("lost", None)
    assert scene.table.health()["box"] == "the box at /dev/ttyUSB0 is gone: plug it in again"


def test_the_table_is_played_without_any_box(make: Callable[..., Table]) -> None:
    table = started(make())
    desk = BoxDesk(table, Roles(), lambda: 1.0)
    desk.step(1.0, SEARCHING)
    give(table, "throw", dice=list(THREE_REDS))
    desk.step(1.1)
    assert table.state()["throws"] == 1


def test_when_the_demo_gives_way_the_box_belongs_to_the_table(make: Callable[..., Table], tmp_path: Any) -> None:
    real = make()
    from device.journal import Journal
    from device.view import Setting
    from rules.bobing.houserules import PRESETS

    demo = Table(Journal.open(None), None, Setting(demo=True), PRESETS["xiamen"], lambda: 0.0, lambda n: 0).open()
    try:
        scene = Scene(Host(lambda: real, demo, True))
        scene.rest()
        scene.table.command({"command": "start", "version": 0, "players": ["甲", "乙"]})
        scene.rest()
        scene.press("C")
        assert real.state()["turn"]["name"] == "乙"
        assert real.state()["box"]["state"] == "none"
    finally:
        demo.close()


def test_a_desk_that_stumbles_hears_the_next_press(make: Callable[..., Table], monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(make())
    desk = BoxDesk(table, Roles(), lambda: 1.0)
    failing = [Fault("disk", "the disk is full: make room"), ValueError("odd"), None]

    def step(now: float, thing: object = None) -> None:
        if thing is not None:
            fault = failing.pop(0)
            if fault is not None:
                raise fault
            desk._inbox.put(None)

    monkeypatch.setattr(desk, "step", step)
    for _ in range(3):
        desk.hear(Gone("tv"))
    desk._run()
    assert failing == []
    assert table.health()["box"] == "the desk of the box stumbled: odd"
