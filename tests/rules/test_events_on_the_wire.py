"""Events as JSON and back: what the journal stores is what happened."""

import json
from dataclasses import fields

import game_lines
import pytest

from rules.bobing import events as e
from rules.bobing.houserules import PRESETS, house_rules
from rules.bobing.wire import from_json, is_game_event, to_json

PRIZE = e.Prize("一包毛巾", 12.5, ("红", "蓝", "蓝"))
EVENTS = [
    e.Started(house_rules("fifteen"), (("p2", "乙"), ("p1", "甲")), (("yixiu", PRIZE),), "drawn at random: 7 of 2"),
    e.Thrown("p1", (4, 4, 4, 4, 1, 1)),
    e.Thrown("p1", None, jump=True, still="3.jpg"),
    e.Thrown("p1", (4, 4, 4, 4, 1, 1), jump=True, corrected=True),
    e.Passed("p1"),
    e.SkipMarked("p2"),
    e.ThrowCorrected(3, dice=(1, 2, 3, 4, 5, 6)),
    e.ThrowCorrected(3, jump=True),
    e.ThrowCorrected(3, player="p2"),
    e.TakenBack(),
    e.Undone(),
    e.Redone(),
    e.PlayerAdded("p3", "丙", before="p1"),
    e.PlayerAdded("p3", "丙"),
    e.PlayerRenamed("p3", "丁"),
    e.PlayerMoved("p3", "p1"),
    e.PlayerMoved("p3"),
    e.PlayerSatOut("p3"),
    e.PlayerReturned("p3"),
    e.PlayerLeft("p3"),
    e.GiftNoted(3, "红"),
    e.ScrambleAssigned("yixiu", 3, "p1"),
    e.GivenBack("p1", (0, 2, 4, 0, 0, 0)),
    e.TimeUp(),
    e.Paused(),
    e.Resumed(),
    e.Ended(),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_comes_back_from_its_json_as_it_was(event):
    name, data = to_json(event)
    back = from_json(name, json.loads(json.dumps(data, ensure_ascii=False)))
    assert back == event and type(back) is type(event)
    assert {f.name for f in fields(event)} == set(data)
    assert hash(back) == hash(event)


def test_every_event_that_the_journal_may_hold_is_tried_here():
    stored = {t for t in vars(e).values() if isinstance(t, type) and issubclass(t, e.Event)} - {e.Event, e.SkipUsed}
    assert {type(event) for event in EVENTS} == stored
    assert all(is_game_event(t.__name__) for t in stored)
    assert not is_game_event("SkipUsed") and not is_game_event("Nonsense")


def test_an_unknown_type_is_a_key_error():
    with pytest.raises(KeyError):
        from_json("Nonsense", {})


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_rules_of_a_started_game_come_back_with_their_preset(preset):
    rules = house_rules(preset)
    assert house_rules(json.loads(json.dumps(rules.as_object()))) == rules


def test_random_rules_come_back_too():
    chance = game_lines.chance("wire")
    for _ in range(100):
        rules = house_rules(game_lines.random_rules(chance))
        assert house_rules(json.loads(json.dumps(rules.as_object()))) == rules
