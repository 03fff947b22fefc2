"""Whole evenings at the table, with undo, corrections, joins, leaves, doubtful throws, a full disk and restarts, keep their laws."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

sys.path.insert(0, str(Path(__file__).parents[1] / "device"))

from table_talk import moved, reading, sighting

from device.errors import Fault, Refused, Stale
from device.journal import Journal
from device.table import Table
from device.view import Setting
from rules.bobing.houserules import PRESETS
from vision.reading import Verdict

DICE = st.lists(st.integers(1, 6), min_size=6, max_size=6)
RICH = st.sampled_from([[4, 4, 4, 4, 1, 1], [4, 4, 4, 4, 4, 2], [6] * 6, [4] * 6, [1, 2, 3, 4, 5, 6], [2, 2, 2, 2, 2, 3]])
WHO = st.integers(0, 7)
NAMES = st.sampled_from(["甲", "乙", "丙", "丁", "戊", "己", "=x", "p1"])
FULL = Fault("disk_full", "the disk is full", "磁盘已满")
OPENS = ("start", "undo", "redo", "correct", "confirm", "jump", "throw")
"""What may open a game that has ended: a new one, the end taken back, a throw put right (also by an answer to a question about one)."""
COUNTS = {"steps": 0, "restarts": 0, "done": 0, "refused": 0}


class Evening(RuleBasedStateMachine):
    """One table from the first game to the last restart."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="bobing-evening-"))
        self.wall = 1_793_000_000.0
        self.full = False
        self.table = self._opened()

    def _opened(self) -> Table:
        journal = Journal.open(self.folder / "journal.db")
        append = journal.append

        def tried(items: Any, wall: float, anywhere: bool = False) -> Any:
            if self.full:
                raise FULL
            return append(items, wall, anywhere)

        journal.append = tried  # type: ignore[method-assign]
        return Table(journal, None, Setting(), PRESETS["xiamen"], self._now, lambda n: n - 1)

    def _now(self) -> float:
        self.wall += 7.0
        return self.wall

    def _give(self, command: str, **fields: Any) -> None:
        COUNTS["steps"] += 1
        before = self.table.state()
        try:
            after = self.table.command({"command": command, "version": before["version"], **fields})
        except (Refused, Stale) as no:
            COUNTS["refused"] += 1
            assert self.table.state() == before, f"{no} changed something"
        else:
            COUNTS["done"] += 1
            assert after["version"] >= before["version"]
            if before["over"] and command not in OPENS:
                went_on = command == "give_back" and before["ended_by"] in ("six", "grab", "all_out")
                assert after["over"] or went_on, f"{command} opened a game that had ended"
                assert went_on or command == "assign" or cakes(after) == cakes(before), f"{command} moved cakes after the end"

    def _player(self, who: int) -> str:
        players = self.table.state()["players"]
        return str(players[who % len(players)]["id"]) if players else "p1"

    @initialize(count=st.integers(1, 5), rules=st.sampled_from(sorted(PRESETS)), closing=st.sampled_from(["", "throws:20", "clock:5", "lap"]))
    def start(self, count: int, rules: str, closing: str) -> None:
        wanted: Any = {"preset": rules, "closing": closing} if closing else rules
        self._give("start", players=["甲", "乙", "丙", "丁", "戊"][:count], rules=wanted)

    @rule(dice=DICE | RICH)
    def throw(self, dice: list[int]) -> None:
        self._give("throw", dice=dice)

    @rule(dice=DICE | RICH, doubt=st.booleans())
    def seen(self, dice: list[int], doubt: bool) -> None:
        COUNTS["steps"] += 1
        self.table.saw(sighting(reading(list(dice), Verdict.ASK if doubt else Verdict.SURE, 0, (4, 6) if doubt else None)))

    @rule(dice=DICE)
    def nudged(self, dice: list[int]) -> None:
        COUNTS["steps"] += 1
        self.table.saw(moved(list(dice)))

    @rule(dice=st.none() | DICE)
    def confirm(self, dice: list[int] | None) -> None:
        self._give("confirm", **({} if dice is None else {"dice": dice}))

    @rule(which=st.sampled_from(["jump", "rethrow", "undo", "undo", "redo", "skip", "pause", "resume", "end"]))
    def simple(self, which: str) -> None:
        self._give(which)

    @rule(number=st.integers(1, 30), dice=DICE, who=WHO, how=st.sampled_from(["dice", "jump", "player"]))
    def correct(self, number: int, dice: list[int], who: int, how: str) -> None:
        value: Any = {"dice": dice, "jump": True, "player": self._player(who)}[how]
        self._give("correct", throw=number, **{how: value})

    @rule(what=st.sampled_from(["sit_out", "return", "leave"]), who=WHO)
    def moves(self, what: str, who: int) -> None:
        self._give("player", **{what: {"player": self._player(who)}})

    @rule(name=NAMES)
    def joins(self, name: str) -> None:
        self._give("player", add={"name": name})

    @rule(name=NAMES, who=WHO)
    def renamed(self, name: str, who: int) -> None:
        self._give("player", rename={"player": self._player(who), "name": name})

    @rule(tier=st.sampled_from(["yixiu", "erju", "sijin"]), n=st.integers(1, 3), who=WHO)
    def cakes_by_hand(self, tier: str, n: int, who: int) -> None:
        self._give("assign", tier=tier, n=n, player=self._player(who))
        self._give("give_back", player=self._player(who), cakes={tier: n})

    @rule()
    def an_old_command_is_refused(self) -> None:
        before = self.table.state()
        with pytest.raises(Stale):
            self.table.command({"command": "undo", "version": before["version"] - 1})
        assert self.table.state() == before

    @rule()
    def the_disk_fills(self) -> None:
        self.full = True

    @precondition(lambda self: self.full)
    @rule()
    def there_is_room_again(self) -> None:
        self.full = False
        self.table.tick()
        assert self.table.state()["unsaved"] == 0

    @precondition(lambda self: not self.full)
    @rule()
    def restart(self) -> None:
        COUNTS["restarts"] += 1
        self.table.tick()
        before = self.table.state()
        self.table.close()
        self.table = self._opened()
        assert board(self.table.state()) == board(before)

    @invariant()
    def no_cake_is_made_or_lost(self) -> None:
        state = self.table.state()
        for tier in state["tiers"]:
            won = sum(player["cakes"][tier["tier"]] for player in state["players"])
            assert tier["left"] >= 0 and tier["left"] + won + state["scramble"].get(tier["tier"], 0) == tier["total"]

    @invariant()
    def the_version_counts_the_records(self) -> None:
        records = list(self.table._journal.since(0))
        assert [record.seq for record in records] == list(range(1, self.table.state()["version"] + 1))
        assert self.table.state()["unsaved"] == len(records) - self.table._journal.stored_seq

    def teardown(self) -> None:
        self.full = False
        self.table.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def cakes(state: dict[str, Any]) -> list[Any]:
    """Who has what, and what lies on the table."""
    return [[player["cakes"] for player in state["players"]], [tier["left"] for tier in state["tiers"]], state["scramble"]]


def board(state: dict[str, Any]) -> dict[str, Any]:
    """The state without what passes and what is worked out in the background."""
    return {key: value for key, value in state.items() if key not in ("odds", "phase", "notice", "box")}


def test_whole_evenings_keep_their_laws(count: Callable[[int, int], int], figure: Callable[[str], None]) -> None:
    COUNTS.update(dict.fromkeys(COUNTS, 0))
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Evening,
        settings=settings(
            max_examples=count(8, 300), stateful_step_count=count(40, 60), deadline=None, database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    figure(f"{COUNTS['steps']} steps ({COUNTS['done']} done, {COUNTS['refused']} refused), {COUNTS['restarts']} restarts")
