"""Section 5 of the spec: what six of a kind do under each value of each switch."""

import pytest
from game_lines import NONE, YIXIU, cakes, game, holder, left, played

from rules.bobing import commands as c
from rules.bobing.decide import decide
from rules.bobing.errors import NotAllowed
from rules.bobing.game import evolve
from rules.bobing.replay import summary

LOWER = {"duitang": 2, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}
ON = {"preset": "contest", "six_ends": False}


def after(game, *commands):
    for command in commands:
        for event in decide(game, command):
            game = evolve(game, event)
    return game


def test_liubohong_everything_brings_the_table_and_all_that_others_won():
    answer = played("xiamen", "甲乙丙", YIXIU, "333344", "444444")
    assert answer["over"] and left(answer) == {}
    assert [cakes(answer, n) for n in "甲乙丙"] == [{}, {}, {"zhuangyuan": 1, **LOWER}]


def test_liubohong_everything_leaves_protected_duitang():
    rules = {"chajinhua_protected": True, "stock": [1, 3, 4, 8, 16, 32]}
    answer = played(rules, "甲乙", "123456", NONE, "444411", "444444")
    assert cakes(answer, "甲") == {"duitang": 2} and cakes(answer, "乙")["duitang"] == 1


def test_liubohong_remaining_brings_what_is_on_the_table():
    answer = played({"liubohong": "remaining"}, "甲乙", YIXIU, "444444")
    assert cakes(answer, "甲") == {"yixiu": 1} and cakes(answer, "乙") == {"zhuangyuan": 1, **LOWER, "yixiu": 31}


def test_liubohong_share_rest_brings_champion_and_duitang_and_the_rest_is_shared():
    answer = played({"liubohong": "share_rest"}, "甲乙", YIXIU, "444444")
    assert cakes(answer, "甲") == {"yixiu": 1} and cakes(answer, "乙") == {"zhuangyuan": 1, "duitang": 2}
    assert left(answer) == {}


def test_liubohong_champion_only_ranks():
    answer = played({"liubohong": "champion", "six_ends": False}, "甲乙", YIXIU, "444444")
    assert not answer["over"] and holder(answer) == ("乙", "liubohong", None) and cakes(answer, "乙") == {}


def test_liubohong_nothing_is_as_if_it_were_no_hand():
    answer = played({"liubohong": "nothing"}, "甲乙", "444444")
    assert not answer["over"] and holder(answer) is None and cakes(answer, "甲") == {} and answer["turn"] == "乙"


def test_an_earlier_liubohong_keeps_the_champion_from_a_later_one():
    answer = played("company", "甲乙", "444444", "444444")
    assert holder(answer)[0] == "甲"


def test_liubohei_grab_puts_all_up_ends_the_game_and_credits_nobody():
    answer = played({"six_ends": False}, "甲乙", YIXIU, "555555")
    assert answer["over"] and answer["turn"] is None and answer["champion"] is None and left(answer) == {}
    assert answer["scramble"] == {"zhuangyuan": 1, **LOWER, "yixiu": 31}
    assert cakes(answer, "甲") == {"yixiu": 1} and cakes(answer, "乙") == {}


def test_the_operator_assigns_the_scramble_and_who_grabbed_the_champion_cake_is_zhuangyuan():
    grabbed = after(
        game("xiamen", "甲乙", "444412", "555555"), c.Assign("zhuangyuan", 1, "p2"), c.Assign("yixiu", 30, "p1")
    )
    answer = summary(grabbed)
    assert (
        holder(answer)[0] == "乙" and cakes(answer, "乙") == {"zhuangyuan": 1} and cakes(answer, "甲") == {"yixiu": 30}
    )
    assert answer["scramble"]["yixiu"] == 2 and answer["scramble"]["zhuangyuan"] == 0
    with pytest.raises(NotAllowed):
        decide(grabbed, c.Assign("yixiu", 3, "p1"))
    with pytest.raises(NotAllowed):
        decide(grabbed, c.Assign("zhuangyuan", 1, "p1"))


def test_liubohei_share_sets_the_lower_tiers_aside():
    answer = played({"liubohei": "share"}, "甲乙", "444412", "555555")
    assert answer["over"] and answer["scramble"] == {"zhuangyuan": 0, **LOWER}
    assert holder(answer) == ("甲", "sihong", 3) and cakes(answer, "甲") == {"zhuangyuan": 1}


def test_liubohei_share_off_the_ladder_without_a_champion_leaves_the_champion_cake_there():
    answer = played({"liubohei": "share"}, "甲乙", "555555")
    assert answer["over"] and answer["champion"] is None and left(answer) == {"zhuangyuan": 1}


def test_liubohei_champion_only_ranks_where_it_is_on_the_ladder():
    answer = played({**ON, "liubohei": "champion"}, "甲乙", "444411", "555555")
    assert not answer["over"] and holder(answer) == ("乙", "liubohei", None) and answer["stock"]["yixiu"] == 32
    answer = played({"liubohei": "champion", "six_ends": False}, "甲乙", "444411", "555555")
    assert not answer["over"] and holder(answer) == ("甲", "chajinhua", None)


def test_liubohei_nothing_is_as_if_it_were_no_hand():
    answer = played({**ON, "liubohei": "nothing", "six_ends": True}, "甲乙", "555555")
    assert not answer["over"] and holder(answer) is None and answer["turn"] == "乙"


def test_six_alike_of_a_face_that_is_not_listed_only_rank():
    rules = {"preset": "contest", "liubohei_faces": [6]}
    answer = played(rules, "甲乙", "555555")
    assert holder(answer) == ("甲", "liubohei", None) and answer["stock"]["yixiu"] == 32
    answer = played({"liubohei_faces": [6]}, "甲乙", "555555")
    assert holder(answer) is None and answer["stock"]["yixiu"] == 32
    assert played({"liubohei_faces": [6]}, "甲乙", "666666")["scramble"]["yixiu"] == 32


def test_text_d_counts_only_the_six_sixes_where_a_house_wants_it_so():
    answer = played({"preset": "chase", "liubohei_faces": [6]}, "甲乙", "222222", "666666")
    assert answer["over"] and answer["throws"] == 2


def test_biandijin_brings_what_is_left_on_the_table_and_nothing_of_what_others_won():
    answer = played({"biandijin": True}, "甲乙", YIXIU, "111111")
    assert answer["over"] and cakes(answer, "乙") == {**LOWER, "yixiu": 31} and cakes(answer, "甲") == {"yixiu": 1}
    assert answer["champion"] is None and left(answer) == {"zhuangyuan": 1}


def test_biandijin_ranks_where_the_ladder_puts_it():
    rules = {"biandijin": True, "ladder": ["biandijin", "sihong", "wuzi", "wuhong", "chajinhua", "liubohong"]}
    assert holder(played(rules, "甲乙", "444412", "111111"))[0] == "甲"
    assert holder(played(rules, "甲", "111111"))[0] == "甲"


@pytest.mark.parametrize("dice", ["444444", "555555"])
def test_with_six_ends_the_champion_is_the_holder_at_that_moment(dice):
    answer = played({"preset": "fifteen", "liubohei": "share"}, "甲乙", "444411", dice)
    assert answer["over"] and holder(answer)[0] == "甲" and cakes(answer, "甲") == {"zhuangyuan": 1, "duitang": 2}


def test_chajinhua_takes_won_takes_duitang_that_others_have_won():
    rules = {"chajinhua_takes_won": True}
    answer = played(rules, "甲乙丙", "123456", "123456", "444411")
    assert [cakes(answer, n) for n in "甲乙丙"] == [{}, {}, {"duitang": 2}]
    answer = played("xiamen", "甲乙丙", "123456", "123456", "444411")
    assert [cakes(answer, n) for n in "甲乙丙"] == [{"duitang": 1}, {"duitang": 1}, {}]


def test_after_liubohong_named_cakes_may_go_back_and_the_game_is_open_again():
    ended = game("xiamen", "甲乙", YIXIU, "444444")
    opened = after(ended, c.GiveBack("p2", (0, 2, 4, 0, 0, 10)))
    answer = summary(opened)
    assert not answer["over"] and answer["turn"] == "甲"
    assert left(answer) == {"zhuangyuan": 1, "duitang": 2, "sanhong": 4, "yixiu": 10}
    assert holder(answer) == ("乙", "liubohong", None)
    assert cakes(summary(after(opened, c.Throw((4, 4, 4, 1, 2, 3)))), "甲") == {"sanhong": 1}


def test_nobody_gives_back_more_than_they_have():
    ended = game("xiamen", "甲乙", YIXIU, "444444")
    for player, given in (
        ("p1", (0, 0, 0, 0, 0, 1)),
        ("p2", (0, 3, 0, 0, 0, 0)),
        ("p2", (0,) * 6),
        ("p2", (0, -1, 0, 0, 0, 1)),
    ):
        with pytest.raises(NotAllowed):
            decide(ended, c.GiveBack(player, given))
