"""Section 4 of the spec: cakes come from the stock of their tier, sold-out ones are void or chased, and when it ends."""

import pytest
from game_lines import NONE, YIXIU, cakes, holder, left, played

ONE_EACH = {"stock": [1, 1, 1, 1, 1, 1]}
CHASE = {"preset": "chase", "stock": [1, 2, 1, 1, 1, 1], "sijin_bundle": True}


@pytest.mark.parametrize(
    ("dice", "won"),
    [
        ("123456", {"duitang": 1}),
        ("444123", {"sanhong": 1}),
        ("333312", {"sijin": 1}),
        ("333341", {"sijin": 1, "yixiu": 1}),
        ("333344", {"sijin": 1, "erju": 1}),
        ("441233", {"erju": 1}),
        (YIXIU, {"yixiu": 1}),
        (NONE, {}),
    ],
)
def test_an_award_takes_from_the_stock_of_its_tier(dice, won):
    answer = played("xiamen", "甲乙", dice)
    assert cakes(answer, "甲") == won
    full = played("xiamen", "甲乙")["stock"]
    assert answer["stock"] == {tier: full[tier] - won.get(tier, 0) for tier in full}


def test_each_part_of_a_bundle_takes_from_its_own_stock():
    answer = played(ONE_EACH, "甲乙", YIXIU, "333341")
    assert cakes(answer, "乙") == {"sijin": 1}
    answer = played(ONE_EACH, "甲乙", "333312", "333341")
    assert cakes(answer, "乙") == {"yixiu": 1}


def test_a_sold_out_cake_is_void_where_nothing_is_chased():
    answer = played(ONE_EACH, "甲乙", YIXIU, YIXIU)
    assert cakes(answer, "乙") == {}


def test_a_sold_out_cake_is_chased_from_the_nearest_holder_backwards():
    answer = played({**CHASE, "stock": [1, 2, 2, 1, 1, 1]}, "甲乙丙丁", "444123", "444123", NONE, "444123")
    assert [cakes(answer, name) for name in "甲乙丙丁"] == [{"sanhong": 1}, {}, {}, {"sanhong": 1}]


def test_the_chase_goes_round_the_table():
    answer = played(CHASE, "甲乙丙", NONE, NONE, "444123", "444123")
    assert cakes(answer, "甲") == {"sanhong": 1} and cakes(answer, "丙") == {}


def test_nobody_chases_from_themselves():
    answer = played(CHASE, "甲乙", "444123", NONE, "444123")
    assert cakes(answer, "甲") == {"sanhong": 1}
    assert cakes(played(CHASE, "甲", "444123", "444123"), "甲") == {"sanhong": 1}


def test_if_nobody_holds_one_nothing_happens():
    answer = played({**CHASE, "stock": [1, 2, 0, 1, 1, 1]}, "甲乙", "444123")
    assert cakes(answer, "甲") == {} and answer["turn"] == "乙"


def test_only_the_listed_tiers_are_chased():
    rules = {**CHASE, "chase_tiers": ["erju"]}
    assert cakes(played(rules, "甲乙", YIXIU, YIXIU), "乙") == {}
    assert cakes(played(rules, "甲乙", "441233", "441233"), "乙") == {"erju": 1}


def test_each_part_of_a_bundle_is_chased_on_its_own():
    answer = played(CHASE, "甲乙丙", YIXIU, "333312", "333341")
    assert [cakes(answer, name) for name in "甲乙丙"] == [{}, {}, {"sijin": 1, "yixiu": 1}]


def test_a_chajinhua_never_chases():
    answer = played(CHASE, "甲乙丙", "123456", "123456", "444411")
    assert [cakes(answer, name) for name in "甲乙丙"] == [{"duitang": 1}, {"duitang": 1}, {}]


def test_the_duitang_of_a_chajinhua_cant_be_chased_where_protected():
    rules = {**CHASE, "chajinhua_protected": True}
    assert cakes(played(rules, "甲乙", "444411", "123456"), "乙") == {}
    # 乙's ordinary one is nearer and not protected
    answer = played({**rules, "stock": [1, 3, 1, 1, 1, 1]}, "甲乙丙", "444411", "123456", "123456")
    assert [cakes(answer, name) for name in "甲乙丙"] == [{"duitang": 2}, {}, {"duitang": 1}]


def test_beside_two_protected_duitang_an_ordinary_one_can_be_chased():
    rules = {**CHASE, "chajinhua_protected": True, "stock": [1, 3, 1, 1, 1, 1]}
    answer = played(rules, "甲乙", "123456", NONE, "444411", "123456", NONE, "123456")
    assert cakes(answer, "甲") == {"duitang": 2} and cakes(answer, "乙") == {"duitang": 1}


def test_text_d_the_fetched_sanhong_is_the_nearest_against_the_direction_of_play():
    answer = played(CHASE, "甲乙丙", "444123", "444123")
    assert [cakes(answer, name) for name in "甲乙丙"] == [{}, {"sanhong": 1}, {}]


def test_the_champion_cake_is_never_chased():
    rules = {**CHASE, "stock": [1, 0, 0, 0, 0, 1]}
    answer = played(rules, "甲乙", "444466", "444412")
    assert holder(answer)[0] == "甲"


def test_the_game_is_over_when_all_lower_tiers_are_empty_and_there_is_a_champion():
    rules = {"stock": [1, 0, 0, 0, 0, 2]}
    assert not played(rules, "甲乙", "444412", YIXIU)["over"]
    assert played(rules, "甲乙", "444412", YIXIU, YIXIU)["over"]


def test_without_a_champion_play_goes_on_after_the_last_cake():
    rules = {"stock": [1, 0, 0, 0, 0, 1]}
    answer = played(rules, "甲乙", YIXIU, NONE, NONE)
    assert not answer["over"] and left(answer) == {"zhuangyuan": 1} and answer["turn"] == "乙"
    answer = played(rules, "甲乙", YIXIU, NONE, NONE, "444412")
    assert answer["over"] and cakes(answer, "乙") == {"zhuangyuan": 1}


def test_the_last_cake_of_the_last_throw_may_go_to_the_champion():
    answer = played({"stock": [1, 0, 0, 1, 0, 0]}, "甲乙", "444412", NONE, "333322")
    assert answer["over"] and cakes(answer, "甲") == {"zhuangyuan": 1, "sijin": 1}


def test_text_a_while_the_last_sijin_is_awaited_a_higher_champion_may_come():
    rules = {"stock": [1, 0, 0, 1, 0, 0]}
    answer = played(rules, "甲乙", "444412", "444413", NONE, "333322")
    assert answer["over"] and cakes(answer, "乙") == {"zhuangyuan": 1, "sijin": 1}
