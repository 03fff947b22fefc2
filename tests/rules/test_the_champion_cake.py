"""Section 2 of the spec: the champion cake is held, compared, lost by 禄骨, and taken only at the end."""

import pytest
from game_lines import NONE, YIXIU, cakes, holder, left, played

SMALL = {"stock": [1, 0, 0, 0, 0, 1]}


def test_the_champion_cake_is_held_not_taken_while_the_game_runs():
    answer = played("xiamen", "甲乙", "444412")
    assert not answer["over"] and holder(answer) == ("甲", "sihong", 3)
    assert answer["stock"]["zhuangyuan"] == 1 and cakes(answer, "甲") == {}


def test_the_champion_takes_the_cake_when_the_game_is_over():
    answer = played(SMALL, "甲乙", "444412", YIXIU)
    assert answer["over"] and answer["turn"] is None and left(answer) == {}
    assert cakes(answer, "甲") == {"zhuangyuan": 1} and cakes(answer, "乙") == {"yixiu": 1}


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        ("444412", "444413"),
        ("444466", "111112"),
        ("111115", "222226"),
        ("555556", "444441"),
        ("444441", "444445"),
        ("444446", "444411"),
    ],
)
def test_the_higher_throw_holds_whoever_threw_first(lower, higher):
    assert holder(played("xiamen", "甲乙", lower, higher))[0] == "乙"
    assert holder(played("xiamen", "甲乙", higher, lower))[0] == "甲"


@pytest.mark.parametrize(
    ("one", "other"),
    [("444425", "444416"), ("222223", "555553"), ("444446", "444446"), ("444411", "444411"), ("444412", "444421")],
)
def test_of_equal_throws_the_earlier_keeps_it(one, other):
    assert holder(played("xiamen", "甲乙", one, other))[0] == "甲"


def test_a_second_chajinhua_gets_no_duitang_either():
    answer = played({"stock": [1, 4, 4, 8, 16, 32]}, "甲乙", "444411", "444411")
    assert cakes(answer, "甲") == {"duitang": 2} and cakes(answer, "乙") == {} and answer["stock"]["duitang"] == 2


def test_an_own_second_chajinhua_gets_the_duitang_that_are_left():
    answer = played({"stock": [1, 4, 4, 8, 16, 32]}, "甲乙", "444411", NONE, "444411")
    assert cakes(answer, "甲") == {"duitang": 4}


def test_a_chajinhua_gets_duitang_again_once_the_other_has_fallen():
    answer = played({"stock": [1, 4, 4, 8, 16, 32]}, "甲乙", "444411", NONE, "444412", "444411")
    assert cakes(answer, "乙") == {"duitang": 2} and holder(answer)[0] == "乙"


def test_under_best_a_fallen_chajinhua_still_stands_in_the_way():
    rules = {"stock": [1, 4, 4, 8, 16, 32], "own_rolls": "best"}
    answer = played(rules, "甲乙", "444411", NONE, "444412", "444411")
    assert cakes(answer, "乙") == {} and holder(answer)[0] == "甲"


@pytest.mark.parametrize(("on_table", "gets"), [(2, 2), (1, 1), (0, 0), (5, 2)])
def test_a_chajinhua_takes_the_duitang_that_are_on_the_table(on_table, gets):
    answer = played({"stock": [1, on_table, 4, 8, 16, 32]}, "甲乙", "444411")
    assert cakes(answer, "甲").get("duitang", 0) == gets


def test_the_last_own_champion_throw_counts_even_when_lower():
    assert holder(played("xiamen", "甲乙", "444466", NONE, "444412")) == ("甲", "sihong", 3)
    assert holder(played({"own_rolls": "best"}, "甲乙", "444466", NONE, "444412")) == ("甲", "sihong", 12)


def test_falling_below_another_is_lugu_and_the_champion_passes():
    answer = played("xiamen", "甲乙", "444466", "444426", "444416")
    assert holder(answer) == ("乙", "sihong", 8)


def test_an_equal_own_throw_makes_the_standing_one_the_later_of_two():
    assert holder(played("xiamen", "甲乙", "444425", "444416", "444425"))[0] == "乙"
    assert holder(played({"own_rolls": "best"}, "甲乙", "444425", "444416", "444425"))[0] == "甲"


def test_the_duitang_of_a_chajinhua_stay_after_lugu():
    throws = ("444411", "444446", "444412")
    answer = played("xiamen", "甲乙", *throws)
    assert holder(answer)[0] == "乙" and cakes(answer, "甲") == {"duitang": 2}
    answer = played({"lugu_keeps_duitang": False}, "甲乙", *throws)
    assert holder(answer)[0] == "乙" and cakes(answer, "甲") == {} and answer["stock"]["duitang"] == 2


def test_a_fall_that_keeps_the_champion_is_no_lugu():
    answer = played({"lugu_keeps_duitang": False}, "甲乙", "444411", "444412", "444413")
    assert holder(answer) == ("甲", "sihong", 4) and cakes(answer, "甲") == {"duitang": 2}


def test_lugu_returns_only_the_duitang_that_the_chajinhua_brought():
    rules = {"lugu_keeps_duitang": False, "stock": [1, 3, 4, 8, 16, 32]}
    answer = played(rules, "甲乙", "123456", NONE, "444411", "444446", "444412")
    assert cakes(answer, "甲") == {"duitang": 1} and answer["stock"]["duitang"] == 2


def test_being_outdone_by_another_is_no_lugu():
    rules = {"lugu_keeps_duitang": False, "six_ends": False, "liubohong": "champion"}
    answer = played(rules, "甲乙", "444411", "444444")
    assert holder(answer)[0] == "乙" and cakes(answer, "甲") == {"duitang": 2}


def test_the_note_of_text_c_on_lugu_duitang_stay_and_only_the_champion_goes():
    answer = played("contest", "甲乙丙", "444411", "444441", NONE, "444466")
    assert holder(answer) == ("乙", "wuhong", 1) and cakes(answer, "甲") == {"duitang": 2}


def test_with_two_sets_the_champion_cakes_go_to_the_best_and_the_next_best():
    rules = {"sets": 2, "stock": [1, 0, 0, 0, 0, 1]}
    running = played(rules, "甲乙丙", "444412", "444466", "444426")
    assert [c["player"] for c in running["champions"]] == ["乙", "丙"] and running["champion"] == running["champions"][
        0
    ]
    assert running["stock"]["zhuangyuan"] == 2
    answer = played(rules, "甲乙丙", "444412", "444466", "444426", YIXIU, YIXIU)
    assert answer["over"]
    assert [cakes(answer, name) for name in "甲乙丙"] == [
        {"yixiu": 1},
        {"zhuangyuan": 1, "yixiu": 1},
        {"zhuangyuan": 1},
    ]


def test_one_player_has_one_standing_throw_so_not_two_champion_cakes():
    rules = {"sets": 2, "stock": [1, 0, 0, 0, 0, 1]}
    for own_rolls in ("last", "best"):
        answer = played({**rules, "own_rolls": own_rolls}, "甲乙", "444466", YIXIU, "444426", YIXIU)
        assert answer["over"] and cakes(answer, "甲") == {"zhuangyuan": 1} and answer["stock"]["zhuangyuan"] == 1


def test_sets_multiply_the_stock():
    assert played({"sets": 2}, "甲")["stock"] == {
        "zhuangyuan": 2,
        "duitang": 4,
        "sanhong": 8,
        "sijin": 16,
        "erju": 32,
        "yixiu": 64,
    }


def test_a_champion_throw_off_the_ladder_holds_nothing():
    rules = {"ladder": ["wuzi", "chajinhua", "liubohong"]}
    assert holder(played(rules, "甲", "444466")) is None
    assert holder(played(rules, "甲", "333331")) == ("甲", "wuzi", 1)


def test_five_alike_by_face_beat_a_higher_carry():
    assert holder(played({"wuzi_compare": "face"}, "甲乙", "111116", "222221")) == ("乙", "wuzi", 1)
    assert holder(played("xiamen", "甲乙", "111116", "222221")) == ("甲", "wuzi", 6)


def test_six_alike_by_face_beat_a_lower_face():
    rules = {"preset": "company", "liubohei_compare": "face"}
    assert holder(played(rules, "甲乙", "222222", "333333"))[0] == "乙"
    assert holder(played("company", "甲乙", "222222", "333333"))[0] == "甲"
