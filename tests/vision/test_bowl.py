"""Finding the rim: on drawn tables, on the simulated camera's pictures, and where there is no bowl at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision import ellipse
from vision.bowl import LEAST_SIDE, Bowl, FoundBowl, find_bowl
from vision.reading import Frame, Rim

BAR = 0.02


def off(found: Rim, true: Rim) -> float:
    """The largest error of centre and axes, as a part of the true major axis."""
    centre = np.hypot(found.cx - true.cx, found.cy - true.cy)
    return float(max(centre, abs(found.major - true.major), abs(found.minor - true.minor))) / true.major


def true_rim(path: Path) -> Rim:
    return Rim(**json.loads(path.with_suffix(".json").read_text())["bowl"]["rim_ellipse"])


def look(path: Path) -> FoundBowl | None:
    return find_bowl(np.asarray(cv2.imread(str(path)), np.uint8))


@pytest.mark.parametrize("ground", ["plain", "checked", "stone"])
def test_the_rim_of_a_drawn_bowl_is_found_on_any_ground(ground: str, drawn_on: Callable[[str], Any]) -> None:
    table = drawn_on(ground)
    found = find_bowl(table.frame())
    assert found is not None
    assert off(found.rim, table.rim) < BAR


def test_dice_in_the_bowl_do_not_hide_its_rim(drawn: Any, die: Callable[..., Any]) -> None:
    dice = [die(270 + 35 * k, 170 + 9 * k, k + 1) for k in range(4)]
    found = find_bowl(drawn.frame(dice))
    assert found is not None
    assert off(found.rim, drawn.rim) < BAR
    assert found.certain


def test_a_bowl_without_any_ring_or_pattern_is_found(drawn: Any) -> None:
    drawn.ring = None
    found = find_bowl(drawn.frame())
    assert found is not None
    assert off(found.rim, drawn.rim) < BAR


@pytest.mark.parametrize("light", [0.6, 1.4])
def test_more_or_less_light_moves_the_rim_nowhere(light: float, drawn: Any) -> None:
    frame = np.clip(drawn.frame() * light, 0, 255).astype(np.uint8)
    found = find_bowl(frame)
    assert found is not None
    assert off(found.rim, drawn.rim) < BAR


@pytest.mark.parametrize("ground", ["plain", "checked", "stone"])
def test_a_table_without_a_bowl_has_no_rim(ground: str, drawn_on: Callable[[str], Any]) -> None:
    table = drawn_on(ground)
    table.rim = Rim(-900.0, -900.0, 100.0, 100.0, 0.0)
    found = find_bowl(table.frame())
    assert found is None or found.quality < 20


def test_a_bowl_half_out_of_the_picture_says_so(drawn: Any) -> None:
    frame: Frame = np.ascontiguousarray(drawn.frame()[:, : round(drawn.rim.cx + 90)])
    found = find_bowl(frame)
    assert found is None or "leaves the picture" in found.reasons[0]


def test_a_hand_over_half_the_bowl_leaves_a_low_quality_with_a_reason(drawn: Any) -> None:
    found = find_bowl(drawn.frame(hand=0.6))
    assert found is None or not found.certain
    if found is not None:
        assert "of the rim is seen" in found.reasons[0]


def test_noise_alone_and_one_colour_alone_are_no_bowl() -> None:
    noise = np.random.default_rng(3).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    for frame in (noise, np.full((240, 320, 3), 200, np.uint8), np.zeros((48, 64, 3), np.uint8)):
        assert find_bowl(frame) is None
    for seed in range(4):
        loud = np.random.default_rng(seed).integers(0, 255, (360, 640, 3), dtype=np.uint8)
        found = find_bowl(loud)
        assert found is None or found.quality < 20


def test_the_empty_bowls_of_the_simulated_camera_are_found_within_the_bar(pictures: Path) -> None:
    wrong = []
    empties = sorted((pictures / "sim-dev").glob("s??_empty0.jpg"))
    for path in empties:
        found = look(path)
        if found is None or off(found.rim, true_rim(path)) > BAR:
            wrong.append(path.name)
    assert empties
    assert len(wrong) <= 0.05 * len(empties), wrong


def test_bowls_with_dice_are_found_within_the_bar_and_a_hand_over_them_is_no_certain_rim(pictures: Path) -> None:
    for path in sorted((pictures / "sim-dev").glob("s0[0-5]_t0[059].jpg")):
        found = look(path)
        if json.loads(path.with_suffix(".json").read_text())["hand_visible"]:
            assert found is None or not found.certain or off(found.rim, true_rim(path)) < BAR, path.name
        else:
            assert found is not None, path.name
            assert off(found.rim, true_rim(path)) < BAR, path.name


def test_photos_of_dice_on_tables_are_no_bowls(pictures: Path) -> None:
    real = pictures / "real"
    photos = json.loads((real / "annotations-dev.json").read_text())["images"]
    for scene in ("lk-wood", "sw-box", "bu-felt", "kp-sheet", "dt-redwood"):
        name = min(photo["file_name"] for photo in photos if photo["scene"] == scene)
        found = look(real / name)
        assert found is None or not found.certain, name


def test_the_box_of_a_bowl_holds_its_rim_and_stays_in_the_picture() -> None:
    bowl = Bowl(Rim(300.0, 200.0, 240.0, 180.0, 40.0), None, 640, 480)
    x, y, w, h = bowl.box()
    for px, py in bowl.polygon():
        assert x <= px <= x + w
        assert y <= py <= y + h
    assert bowl.box(5.0) == (0, 0, 640, 480)


@given(
    st.floats(100, 500), st.floats(100, 400), st.floats(60, 300), st.floats(0.6, 1.0), st.floats(0, 179), st.floats(0, 6.28)
)
def test_points_of_the_rim_lie_on_it(cx: float, cy: float, major: float, ratio: float, angle: float, t: float) -> None:
    rim = Rim(cx, cy, major, major * ratio, angle)
    bowl = Bowl(rim, None, 640, 480)
    for scale, inside in ((0.99, True), (1.01, False)):
        x, y = ellipse.points(rim, np.array([t]), scale)
        assert bowl.contains(float(x[0]), float(y[0])) is inside
        assert abs(float(ellipse.distance(rim, x[0], y[0])) - scale) < 1e-6


@given(st.floats(150, 500), st.floats(150, 350), st.floats(100, 280), st.floats(0.7, 0.97), st.floats(0, 179))
def test_an_ellipse_through_its_own_points_is_itself(cx: float, cy: float, major: float, ratio: float, angle: float) -> None:
    rim = Rim(cx, cy, major, major * ratio, angle)
    found = ellipse.fit(*ellipse.points(rim, ellipse.angles(60)))
    assert found is not None
    assert off(found, rim) < 0.005


@pytest.mark.parametrize("height,width", [(1, 1), (1, 60), (9, 9), (47, 47), (48, 48), (48, 300), (300, 20), (90, 60)])
def test_noise_in_a_picture_hardly_large_enough_for_a_bowl_is_no_certain_one(height: int, width: int) -> None:
    for seed in range(5):
        noise = np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)
        found = find_bowl(noise)
        assert found is None or (min(height, width) >= LEAST_SIDE and not found.certain)
