"""Laws of a game under every command in any order: cakes are conserved, undo undoes, replaying the events gives the same game."""

import copy
import json

import game_lines
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.bobing import commands as c
from rules.bobing import events as e
from rules.bobing.decide import decide
from rules.bobing.errors import DiceError, NotAllowed
from rules.bobing.game import evolve
from rules.bobing.houserules import house_rules
from rules.bobing.ledger import EXTRA, OVER, PLAY, PLAYING, shown_cakes, shown_stock
from rules.bobing.names import TIERS
from rules.bobing.odds import Odds
from rules.bobing.replay import summary
from rules.bobing.why import why
from rules.bobing.wire import from_json, to_json

RARE = [
    "444444",
    "111111",
    "666666",
    "444411",
    "444412",
    "444466",
    "444446",
    "333334",
    "123456",
    "444123",
    "333344",
    "411223",
]
DICE = st.one_of(
    st.sampled_from(RARE).flatmap(lambda text: st.permutations(game_lines.dice(text))),
    st.lists(st.integers(1, 6), min_size=6, max_size=6),
).map(tuple)
PLAYER = st.sampled_from([f"p{n}" for n in range(1, 6)])
SOMEBODY = st.one_of(st.none(), PLAYER)
PRIZES = (("yixiu", e.Prize("毛巾", 3.5, ("红", "蓝"))), ("zhuangyuan", e.Prize("大饼", 0, ("大",))))


def conserved(ledger, rules):
    """What lies on the table, in the scramble and with the players, tier by tier."""
    return [
        ledger.stock[t] + ledger.scramble[t] + sum(seat.cakes[t] for seat in ledger.seats) == rules.cakes[t]
        for t in range(len(TIERS))
    ]


class AnyGame(RuleBasedStateMachine):
    """Commands in any order; what is refused changes nothing, what is done obeys the laws."""

    def __init__(self):
        super().__init__()
        self.game = None
        self.events = []

    @initialize(seed=st.integers(0, 10**6), players=st.integers(1, 4), at=st.integers(0, 3))
    def start(self, seed, players, at):
        rules = house_rules(game_lines.random_rules(game_lines.chance(seed)))
        first = c.First(player=at % players)
        self.do(c.Start(tuple("甲乙丙丁"[:players]), rules, PRIZES, first))

    def do(self, command):
        before = self.game
        untouched = copy.deepcopy(before.core.ledger) if before else None
        try:
            events = decide(before, command)
            assert decide(before, command) == events
        except (NotAllowed, DiceError) as refusal:
            assert str(refusal) and "\n" not in str(refusal)
            return
        assert before is None or before.core.ledger == untouched
        for event in events:
            self.one(event)

    def one(self, event):
        before = self.game
        name, data = to_json(event)
        assert from_json(name, json.loads(json.dumps(data))) == event
        after = evolve(before, event)
        assert evolve(before, event) == after
        if before is not None and event.undoable:
            undone = evolve(after, e.Undone())
            assert undone == before
            assert evolve(undone, e.Redone()) == after
        if isinstance(event, e.Thrown):
            back = evolve(after, e.TakenBack())
            assert (back.ledger, back.core.thrower) == (before.ledger, before.core.thrower)
        self.game = after
        self.events.append(event)

    @rule(dice=DICE)
    def throw(self, dice):
        self.do(c.Throw(dice))

    @rule(dice=DICE)
    def another_throw(self, dice):
        self.do(c.Throw(dice))

    @rule(dice=st.one_of(st.none(), DICE))
    def jump(self, dice):
        self.do(c.Jump(dice))

    @rule(player=SOMEBODY)
    def skip(self, player):
        self.do(c.Skip(player))

    @rule(number=st.integers(0, 30), dice=DICE)
    def correct_dice(self, number, dice):
        self.do(c.Correct(self.near(number), dice=dice))

    @rule(number=st.integers(0, 30))
    def correct_jump(self, number):
        self.do(c.Correct(self.near(number), jump=True))

    @rule(number=st.integers(0, 30), player=PLAYER)
    def correct_player(self, number, player):
        self.do(c.Correct(self.near(number), player=player))

    def near(self, number):
        return number % (self.game.ledger.throws + 1)

    @rule(command=st.sampled_from([c.TakeBack(), c.Undo(), c.Undo(), c.Redo(), c.Redo()]))
    def go_back_or_forth(self, command):
        self.do(command)

    @rule(name=st.sampled_from("戊己庚辛甲"), before=SOMEBODY)
    def add(self, name, before):
        self.do(c.AddPlayer(name, before))

    @rule(player=PLAYER, name=st.sampled_from("乙癸"))
    def rename(self, player, name):
        self.do(c.RenamePlayer(player, name))

    @rule(player=PLAYER, before=SOMEBODY)
    def move(self, player, before):
        self.do(c.MovePlayer(player, before))

    @rule(kind=st.sampled_from([c.SitOut, c.Leave, c.Return, c.Return, c.Return]), player=PLAYER)
    def come_and_go(self, kind, player):
        self.do(kind(player))

    @rule(number=st.integers(1, 30), gift=st.sampled_from(["红", "蓝", "大", "绿"]))
    def gift(self, number, gift):
        self.do(c.NoteGift(number, gift))

    @precondition(lambda self: any(self.game.ledger.scramble))
    @rule(tier=st.sampled_from(TIERS), n=st.integers(0, 3), player=PLAYER)
    def assign(self, tier, n, player):
        self.do(c.Assign(tier, n, player))

    @precondition(lambda self: any(any(seat.cakes) for seat in self.game.ledger.seats))
    @rule(data=st.data(), player=PLAYER)
    def give_back(self, data, player):
        have = next((seat.cakes for seat in self.game.ledger.seats if seat.id == player), (0,) * 6)
        self.do(c.GiveBack(player, tuple(data.draw(st.integers(0, n)) for n in have)))

    @rule(command=st.sampled_from([c.Pause(), c.Resume(), c.Resume(), c.RingClock()]))
    def rest(self, command):
        self.do(command)

    @precondition(lambda self: self.game.ledger.throws > 8)
    @rule()
    def end(self):
        self.do(c.End())

    @invariant()
    def cakes_are_conserved(self):
        if self.game is not None:
            assert all(conserved(self.game.ledger, self.game.rules))

    @invariant()
    def nothing_is_negative_and_what_is_shown_adds_up(self):
        if self.game is None:
            return
        ledger = self.game.ledger
        shown = [shown_stock(ledger), ledger.scramble, *(shown_cakes(ledger, seat) for seat in ledger.seats)]
        assert all(n >= 0 for cakes in shown for n in cakes)
        assert tuple(map(sum, zip(*shown, strict=True))) == self.game.rules.cakes
        assert all(0 <= seat.flowers <= seat.cakes[1] for seat in ledger.seats)
        assert all(seat.turns >= 0 for seat in ledger.seats)

    @invariant()
    def somebody_who_plays_is_to_throw_unless_it_is_over(self):
        if self.game is None:
            return
        ledger = self.game.ledger
        thrower = self.game.core.thrower
        assert (ledger.phase == EXTRA) == (ledger.extra is not None)
        if ledger.phase == OVER:
            assert thrower is None and ledger.ended_by
        elif ledger.active:
            assert thrower is not None and ledger.seat(thrower).status == PLAYING
            if ledger.phase == PLAY:
                assert not ledger.seat(thrower).skip
        else:
            assert thrower is None, ledger

    @invariant()
    def throws_are_numbered_and_explained(self):
        if self.game is None:
            return
        outcomes = self.game.core.outcomes
        assert [o.number for o in outcomes] == list(range(1, self.game.ledger.throws + 1))
        names = {seat.id: seat.name for seat in self.game.ledger.seats}
        assert len(names) == len(set(names.values()))
        for outcome in outcomes:
            text = why(outcome, self.game.rules, names)
            assert text.zh and text.en and "\n" not in text.zh + text.en

    @invariant()
    def the_holder_has_the_best_standing_throw(self):
        if self.game is None:
            return
        ledger = self.game.ledger
        standing = [seat.standing for seat in ledger.seats if seat.standing]
        by_hand = [one for one in ledger.champions if one.kind == "scramble"]
        if standing and not by_hand and ledger.stock[0]:
            best = max(standing, key=lambda s: (s.rank, -s.order))
            assert ledger.holder == best

    def teardown(self):
        if self.game is None:
            return
        again = None
        for event in self.events:
            again = evolve(again, event)
        assert again == self.game
        summary(self.game)
        fold_is_total_under_every_correction(self.game)


def fold_is_total_under_every_correction(game):
    """Whatever throw turns out to have been whatever, the game goes on and no cake is lost or made."""
    for number in range(1, game.ledger.throws + 1):
        for fix in (
            e.ThrowCorrected(number, dice=(4, 4, 4, 4, 4, 4)),
            e.ThrowCorrected(number, dice=(2, 2, 2, 2, 2, 2)),
            e.ThrowCorrected(number, dice=(1, 1, 2, 2, 3, 5)),
            e.ThrowCorrected(number, jump=True),
        ):
            fixed = evolve(game, fix)
            assert all(conserved(fixed.ledger, game.rules))
            assert fixed.ledger.throws == game.ledger.throws
            assert evolve(fixed, e.Undone()) == game
        was = game.core.outcomes[number - 1]
        same = e.ThrowCorrected(number, jump=True) if was.jump else e.ThrowCorrected(number, dice=was.dice)
        again = evolve(game, same)
        assert (again.ledger, again.core.thrower) == (game.ledger, game.core.thrower)


TestAnyGame = AnyGame.TestCase
TestAnyGame.settings = settings(max_examples=80, stateful_step_count=40)


def test_odds_of_any_house_rules_sum_to_one():
    chance = game_lines.chance("odds")
    for _ in range(20):
        odds = Odds(house_rules(game_lines.random_rules(chance)))
        assert abs(sum(odds.kinds().values()) - 1) < 1e-12
