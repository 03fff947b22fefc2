"""Section 1 of the spec, row by row and sentence by sentence, with the pictures of the source texts."""

import game_lines
import pytest

from rules.bobing.errors import DiceError
from rules.bobing.hand import score, six_dice
from rules.bobing.houserules import house_rules
from rules.bobing.names import title


def hand(text, rules="xiamen"):
    return score(tuple(game_lines.dice(text)), house_rules(rules)).as_json()


def brief(text, rules="xiamen"):
    h = hand(text, rules)
    return h["kind"], h["carry"], h["awards"]


@pytest.mark.parametrize(
    ("dice", "kind", "carry", "awards"),
    [
        ("444444", "liubohong", None, {"zhuangyuan": 1}),
        ("111111", "liubohei", None, {}),
        ("666666", "liubohei", None, {}),
        ("444411", "chajinhua", None, {"zhuangyuan": 1, "duitang": 2}),
        ("144441", "chajinhua", None, {"zhuangyuan": 1, "duitang": 2}),
        ("444441", "wuhong", 1, {"zhuangyuan": 1}),
        ("444446", "wuhong", 6, {"zhuangyuan": 1}),
        ("666665", "wuzi", 5, {"zhuangyuan": 1}),
        ("111116", "wuzi", 6, {"zhuangyuan": 1}),
        ("444412", "sihong", 3, {"zhuangyuan": 1}),
        ("444466", "sihong", 12, {"zhuangyuan": 1}),
        ("444425", "sihong", 7, {"zhuangyuan": 1}),
        ("123456", "duitang", None, {"duitang": 1}),
        ("635241", "duitang", None, {"duitang": 1}),
        ("444123", "sanhong", None, {"sanhong": 1}),
        ("444111", "sanhong", None, {"sanhong": 1}),
        ("333312", "sijin", None, {"sijin": 1}),
        ("333322", "sijin", None, {"sijin": 1}),
        ("333341", "sijin", None, {"sijin": 1, "yixiu": 1}),
        ("333344", "sijin", None, {"sijin": 1, "erju": 1}),
        ("441236", "erju", None, {"erju": 1}),
        ("441111", "sijin", None, {"sijin": 1, "erju": 1}),
        ("441133", "erju", None, {"erju": 1}),
        ("444333", "sanhong", None, {"sanhong": 1}),
        ("411223", "yixiu", None, {"yixiu": 1}),
        ("466655", "yixiu", None, {"yixiu": 1}),
        ("466653", "yixiu", None, {"yixiu": 1}),
        ("112233", "none", None, {}),
        ("222333", "none", None, {}),
        ("666555", "none", None, {}),
        ("123356", "none", None, {}),
        ("111222", "none", None, {}),
    ],
)
def test_a_hand_of_text_a_is_what_the_table_says(dice, kind, carry, awards):
    assert brief(dice) == (kind, carry, awards)


def test_only_the_four_counts_as_red_so_ones_are_black():
    assert brief("111123")[0] == "sijin"
    assert brief("111112")[0] == "wuzi"
    assert brief("111111")[0] == "liubohei"


def test_the_sixth_die_of_five_alike_is_its_carry_and_a_four_is_four_points_without_a_yixiu():
    assert brief("555554") == ("wuzi", 4, {"zhuangyuan": 1})
    assert hand("555554")["rank"] < hand("222225")["rank"] < hand("111116")["rank"]


def test_five_alike_do_not_compare_by_their_face():
    assert hand("666663")["rank"] == hand("111113")["rank"]


def test_text_e_leaves_five_ones_out_but_they_are_wuzi_there_too():
    assert brief("111113", "fifteen") == ("wuzi", 3, {"zhuangyuan": 1})


def test_text_e_gives_a_yixiu_with_five_alike_and_a_four():
    assert brief("555554", "fifteen") == ("wuzi", 4, {"zhuangyuan": 1, "yixiu": 1})
    assert brief("555553", "fifteen") == ("wuzi", 3, {"zhuangyuan": 1})
    assert brief("444445", "fifteen") == ("wuhong", 5, {"zhuangyuan": 1})


@pytest.mark.parametrize("preset", ["short", "chase"])
def test_texts_b_and_d_know_no_bundles(preset):
    assert brief("333341", preset)[2] == {"sijin": 1}
    assert brief("333344", preset)[2] == {"sijin": 1}


def test_the_least_of_each_rung_outranks_the_best_of_the_rung_below():
    ladder = ["444466", "222221", "333336", "444441", "444446", "444411", "444444"]
    ranks = [hand(text)["rank"] for text in ladder]
    assert ranks == [[0, 12], [1, 1], [1, 6], [2, 1], [2, 6], [3, 0], [4, 0]]
    assert ranks == sorted(ranks)


def test_a_kind_that_is_not_on_the_ladder_has_no_rank_and_brings_no_champion_cake():
    assert (hand("222222")["rank"], hand("222222")["awards"]) == (None, {})
    assert (hand("222222", "contest")["rank"], hand("222222", "contest")["awards"]) == ([4, 0], {"zhuangyuan": 1})
    assert (hand("111111", "fifteen")["rank"], hand("111111", "fifteen")["kind"]) == ([4, 0], "biandijin")
    off = {"biandijin": True}
    assert (hand("111111", off)["kind"], hand("111111", off)["rank"], hand("111111", off)["awards"]) == (
        "biandijin",
        None,
        {},
    )


@pytest.mark.parametrize(
    ("patterns", "duitang", "others"),
    [
        ("straight", ["123456"], ["112233", "113355", "111222"]),
        ("three_pairs_run", ["112233", "223344", "334455", "445566"], ["123456", "113355", "112244", "111222"]),
        ("three_pairs", ["112233", "113355", "112266"], ["123456", "111122", "111222"]),
        ("two_triples", ["111222", "333666", "444111"], ["123456", "112233", "111223"]),
        (["straight", "two_triples"], ["123456", "555666"], ["112233"]),
    ],
)
def test_only_the_named_patterns_are_duitang(patterns, duitang, others):
    rules = {"duitang_patterns": patterns}
    assert [brief(text, rules)[0] for text in duitang] == ["duitang"] * len(duitang)
    assert "duitang" not in [brief(text, rules)[0] for text in others]


def test_a_straight_is_no_duitang_where_the_house_names_other_patterns_only():
    assert brief("123456", {"duitang_patterns": "three_pairs"}) == ("yixiu", None, {"yixiu": 1})


def test_four_alike_and_a_pair_are_never_three_pairs():
    rules = {"duitang_patterns": ["three_pairs", "three_pairs_run", "two_triples"]}
    assert brief("333322", rules)[0] == "sijin"
    assert brief("444422", rules)[0] == "sihong"
    assert brief("444411", rules)[0] == "chajinhua"


def test_two_duitang_patterns_with_fours_come_before_the_red_hands():
    assert brief("334455", {"duitang_patterns": "three_pairs_run"})[2] == {"duitang": 1}
    assert brief("444222", {"duitang_patterns": "two_triples"})[2] == {"duitang": 1}


def test_five_alike_compare_by_face_where_the_house_says_so():
    rules = {"wuzi_compare": "face"}
    assert hand("666661", rules)["rank"] == [1, 61]
    assert hand("111116", rules)["rank"] == [1, 16]
    assert hand("444446", rules)["rank"] == [2, 6]


def test_six_alike_compare_by_face_where_the_house_says_so():
    rules = {"preset": "contest", "liubohei_compare": "face"}
    assert [hand(str(f) * 6, rules)["rank"] for f in (1, 2, 3, 5, 6)] == [[4, f] for f in (1, 2, 3, 5, 6)]


@pytest.mark.parametrize(("n", "awards"), [(0, {"zhuangyuan": 1}), (1, {"zhuangyuan": 1, "duitang": 1})])
def test_a_chajinhua_is_due_as_many_duitang_as_the_house_says(n, awards):
    assert brief("444411", {"chajinhua_duitang": n})[2] == awards


def test_six_fours_that_count_as_nothing_have_no_rank_and_no_award():
    h = hand("444444", {"liubohong": "nothing"})
    assert (h["rank"], h["awards"]) == (None, {})


def test_six_blacks_that_count_as_nothing_have_no_rank_even_on_the_ladder():
    h = hand("555555", {"preset": "contest", "liubohei": "nothing"})
    assert (h["rank"], h["awards"]) == (None, {})


def test_awards_are_named_from_the_champion_cake_down():
    assert list(hand("444411")["awards"]) == ["zhuangyuan", "duitang"]
    assert list(hand("333341")["awards"]) == ["sijin", "yixiu"]


def test_the_titles_are_those_of_the_examination():
    assert [title(k, "A") for k in ("yixiu", "erju", "sijin", "sanhong", "duitang", "sihong")] == [
        "秀才",
        "举人",
        "进士",
        "探花",
        "榜眼",
        "状元",
    ]
    assert [title(k, "A") for k in ("wuhong", "chajinhua", "liubohong", "wuzi")] == ["亲王", "驸马", "皇帝", "状元"]
    assert title("sanhong", "D") in ("会元", "会员")
    assert "榜眼" in title("duitang", "D") and "探花" in title("duitang", "D")
    assert title("none", "A") == title("liubohei", "A") == ""


@pytest.mark.parametrize(
    "wrong", [[1, 2, 3], [1] * 7, [0, 1, 1, 1, 1, 1], [7] * 6, ["4"] * 6, [1.0] * 6, [True] * 6, None, "444411", {}]
)
def test_what_is_not_six_dice_is_refused_in_one_line(wrong):
    with pytest.raises(DiceError) as fault:
        six_dice(wrong)
    assert len(str(fault.value).splitlines()) == 1
