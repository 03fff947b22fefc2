"""The table of section 5, copied cell by cell, and what each preset does differently at the table."""

import pytest
from game_lines import NONE, cakes, holder, left, played

from rules.bobing.houserules import PRESETS, house_rules

FIVE = ["duitang", "sanhong", "sijin", "erju", "yixiu"]
SIHONG_UP = ["sihong", "wuzi", "wuhong", "chajinhua", "liubohong"]
COLUMNS = ("xiamen", "short", "contest", "chase", "fifteen")
TABLE = {
    "ladder": (
        SIHONG_UP,
        SIHONG_UP,
        ["sihong", "wuzi", "wuhong", "chajinhua", "liubohei", "liubohong"],
        SIHONG_UP,
        ["sihong", "wuzi", "wuhong", "liubohei", "biandijin", "liubohong", "chajinhua"],
    ),
    "sijin_bundle": (True, False, True, False, True),
    "wuzi_four_yixiu": (False, False, False, False, True),
    "duitang_patterns": (["straight"],) * 5,
    "chajinhua_duitang": (2,) * 5,
    "chajinhua_protected": (False, False, True, False, True),
    "lugu_keeps_duitang": (True,) * 5,
    "liubohong": ("everything", "everything", "remaining", "everything", "everything"),
    "liubohei": ("grab", "grab", "share", "grab", "grab"),
    "biandijin": (False, False, False, False, True),
    "six_ends": (True,) * 5,
    "own_rolls": ("last", "best", "last", "best", "best"),
    "sold_out": ("nothing", "nothing", "nothing", "chase", "chase"),
    "liubohei_faces": ([1, 2, 3, 5, 6], [1, 2, 3, 5, 6], [1, 2, 3, 5, 6], [1, 2, 3, 5, 6], [2, 3, 5, 6]),
    "chajinhua_takes_won": (False,) * 5,
    "closing": ("all_out",) * 5,
    "no_champion": ("play_on",) * 5,
    "jump": ("void_and_skip", "rethrow", "void_and_skip", "rethrow", "rethrow"),
    "titles": ("A", "A", "A", "D", "D"),
    "stock": ([1, 2, 4, 8, 16, 32],) * 5,
    "sets": (1,) * 5,
    "wuzi_compare": ("carry",) * 5,
    "liubohei_compare": ("equal",) * 5,
    "direction": ("counter-clockwise",) * 5,
    "count_direction": ("counter-clockwise",) * 5,
    "start": ("two_dice",) * 5,
}


@pytest.mark.parametrize("switch", sorted(TABLE))
def test_a_row_of_the_preset_table_is_as_written(switch):
    assert tuple(house_rules(column).switches()[switch] for column in COLUMNS) == TABLE[switch]


@pytest.mark.parametrize("preset", ["chase", "fifteen"])
def test_the_chase_of_texts_d_and_e_is_for_all_five_tiers_below_the_champion(preset):
    assert sorted(house_rules(preset).chase_tiers) == sorted(FIVE)


def test_every_switch_stands_in_the_table():
    assert {*TABLE, "chase_tiers"} == set(house_rules("xiamen").switches())


def test_company_is_xiamen_but_for_the_switches_that_the_spec_names():
    expected = house_rules("xiamen").switches() | {
        "liubohong": "champion",
        "liubohei": "champion",
        "ladder": ["sihong", "wuzi", "wuhong", "chajinhua", "liubohei", "liubohong"],
        "six_ends": False,
        "jump": "void",
        "closing": "throws:6",
        "no_champion": "sum",
    }
    assert house_rules("company").switches() == expected


def test_there_are_these_six_presets():
    assert set(PRESETS) == {"xiamen", "short", "contest", "chase", "fifteen", "company"}


def test_what_a_file_does_not_name_takes_the_value_of_its_preset():
    rules = house_rules({"preset": "contest", "sets": 2})
    assert rules.switches() == house_rules("contest").switches() | {"sets": 2}
    assert house_rules({"sets": 2}).switches() == house_rules("xiamen").switches() | {"sets": 2}


# what each preset does


def test_short_keeps_the_best_own_throw_and_xiamen_the_last():
    throws = ("444466", "444412", "444412", "112235")
    assert holder(played("xiamen", "甲乙", *throws)) == ("乙", "sihong", 3)
    assert holder(played("short", "甲乙", *throws)) == ("甲", "sihong", 12)


def test_in_contest_liubohong_takes_the_table_and_leaves_others_what_they_won():
    answer = played("contest", "甲乙", "444123", "444444")
    assert cakes(answer, "甲") == {"sanhong": 1}
    assert cakes(answer, "乙") == {"zhuangyuan": 1, "duitang": 2, "sanhong": 3, "sijin": 8, "erju": 16, "yixiu": 32}


def test_in_xiamen_liubohong_takes_the_table_and_what_others_won():
    answer = played("xiamen", "甲乙", "444411", "444444")
    assert cakes(answer, "甲") == {}
    assert cakes(answer, "乙") == {"zhuangyuan": 1, "duitang": 2, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}
    assert left(answer) == {}


def test_in_contest_liubohei_shares_the_table_ranks_its_thrower_and_ends_the_game():
    answer = played("contest", "甲乙", "444411", "222222")
    assert answer["over"] and holder(answer) == ("乙", "liubohei", None)
    assert answer["scramble"] == {"zhuangyuan": 0, "duitang": 0, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}
    assert cakes(answer, "甲") == {"duitang": 2} and cakes(answer, "乙") == {"zhuangyuan": 1}


def test_in_xiamen_liubohei_puts_everything_up_and_nobody_is_champion():
    answer = played("xiamen", "甲乙", "444411", "222222")
    assert answer["over"] and answer["champion"] is None and left(answer) == {}
    assert answer["scramble"] == {"zhuangyuan": 1, "duitang": 0, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}


def test_in_fifteen_a_standing_chajinhua_keeps_champion_and_duitang_from_liubohong():
    answer = played("fifteen", "甲乙", "444411", "444444")
    assert holder(answer) == ("甲", "chajinhua", None)
    assert cakes(answer, "甲") == {"zhuangyuan": 1, "duitang": 2}
    assert cakes(answer, "乙") == {"sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}


def test_in_fifteen_an_ordinary_duitang_is_taken_by_liubohong():
    answer = played("fifteen", "甲乙", "123456", "444444")
    assert cakes(answer, "甲") == {} and cakes(answer, "乙")["duitang"] == 2


def test_in_fifteen_liubohei_grabs_although_it_stands_on_the_ladder():
    answer = played("fifteen", "甲乙", "444412", "222222")
    assert answer["over"] and answer["champion"] is None and answer["scramble"]["zhuangyuan"] == 1


def test_in_fifteen_six_ones_take_the_table_only_and_rank_above_liubohei():
    answer = played("fifteen", "甲乙", "444123", "111111")
    assert answer["over"] and holder(answer) == ("乙", "biandijin", None)
    assert cakes(answer, "甲") == {"sanhong": 1} and cakes(answer, "乙")["sanhong"] == 3


def test_in_fifteen_five_alike_with_a_four_bring_a_yixiu_at_once():
    answer = played("fifteen", "甲乙", "333334")
    assert cakes(answer, "甲") == {"yixiu": 1} and holder(answer) == ("甲", "wuzi", 4)


def test_in_chase_the_duitang_of_a_chajinhua_can_be_chased_and_in_fifteen_not():
    throws = ("444411", "123456")
    assert cakes(played("chase", "甲乙", *throws), "乙") == {"duitang": 1}
    assert cakes(played("fifteen", "甲乙", *throws), "乙") == {}


@pytest.mark.parametrize("preset", ["xiamen", "short", "contest"])
def test_texts_a_b_and_c_give_nothing_once_a_tier_is_sold_out(preset):
    rules = {"preset": preset, "stock": [1, 1, 1, 1, 1, 1]}
    answer = played(rules, "甲乙", "123456", "123456")
    assert cakes(answer, "甲") == {"duitang": 1} and cakes(answer, "乙") == {}


@pytest.mark.parametrize(
    ("preset", "turn", "skip"),
    [
        ("xiamen", "乙", True),
        ("contest", "乙", True),
        ("short", "甲", False),
        ("chase", "甲", False),
        ("fifteen", "甲", False),
        ("company", "乙", False),
    ],
)
def test_what_a_jump_costs_in_each_preset(preset, turn, skip):
    answer = played(preset, "甲乙", "jump")
    assert (answer["turn"], answer["players"][0]["skip"], answer["throws"]) == (turn, skip, 1)


def test_in_company_six_alike_throws_only_rank_and_the_game_goes_on():
    answer = played("company", "甲乙", "444444", "222222", NONE)
    assert not answer["over"] and holder(answer) == ("甲", "liubohong", None)
    assert left(answer) == {"zhuangyuan": 1, "duitang": 2, "sanhong": 4, "sijin": 8, "erju": 16, "yixiu": 32}


def test_in_company_everybody_has_six_turns():
    answer = played("company", "甲乙", "444412", *[NONE] * 11)
    assert answer["over"] and cakes(answer, "甲") == {"zhuangyuan": 1}
    assert not played("company", "甲乙", "444412", *[NONE] * 10)["over"]
