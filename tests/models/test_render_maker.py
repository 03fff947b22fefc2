"""The picture maker's pure parts: profiles, lenses, dice, truth and camera faults (nothing here path-traces)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.training.render import faults, truth
from models.training.render.__main__ import arguments, missing
from models.training.render.attitude import Lie, faces_by_tilt, rotation, top_corners
from models.training.render.die import (
    DieLook,
    die_mesh,
    die_paint,
    draw_look,
    face_frame,
    face_normal,
    pip_places,
    place_pips,
)
from models.training.render.lens import HEIGHT, WIDTH, Lens, draw_lens, rim_truth
from models.training.render.ornaments import MOTIFS
from models.training.render.profile import draw_profile

seeds = st.integers(0, 10_000)


def _look(seed: int = 3) -> DieLook:
    return draw_look(np.random.default_rng(seed))


def _lens(seed: int = 5) -> Lens:
    return draw_lens(np.random.default_rng(seed), 100.0, 60.0)


def _upright(x: float = 0.0, y: float = 0.0, z: float = 20.0) -> Lie:
    return Lie(np.array([x, y, z]), np.array([1.0, 0.0, 0.0, 0.0]))


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_bowl_is_closed_deep_and_stands_on_the_table(seed: int) -> None:
    profile = draw_profile(np.random.default_rng(seed))
    line = np.concatenate([profile.inner, profile.lip, profile.outer])
    assert 75.0 <= profile.rim_radius <= 150.0
    assert line[0, 0] == 0.0
    assert line[-1, 0] == 0.0
    assert line[:, 1].min() == 0.0
    assert np.all(np.diff(profile.inner[:, 0]) > 0)
    assert profile.bottom_height > profile.outer[-1, 1]
    assert line[:, 1].max() == pytest.approx(profile.rim_height, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_a_die_has_opposite_faces_that_add_up_to_seven(seed: int) -> None:
    look = _look(seed)
    for value in range(1, 7):
        a = face_normal(value, left_handed=look.left_handed)
        assert np.array_equal(a, -face_normal(7 - value, left_handed=look.left_handed))


@pytest.mark.parametrize("left", [False, True])
def test_a_die_turns_one_two_three_the_way_its_handedness_says(left: bool) -> None:
    one, two, three = (face_normal(v, left_handed=left) for v in (1, 2, 3))
    assert float(np.cross(one, two) @ three) == (-1.0 if left else 1.0)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_face_is_seen_from_outside_and_not_mirrored(value: int) -> None:
    for left in (False, True):
        right, up, normal = face_frame(value, left_handed=left)
        assert np.allclose(np.cross(right, up), normal)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_every_face_has_as_many_pips_as_its_value(seed: int) -> None:
    look = _look(seed)
    for value in range(1, 7):
        points = pip_places(value, look)
        assert len({tuple(np.round(p, 6)) for p in points}) == value
        assert np.abs(points).max() < 0.5 - look.pip_radius


@settings(max_examples=5, deadline=None)
@given(seeds)
def test_a_die_is_a_closed_skin_of_the_size_it_says(seed: int) -> None:
    look = _look(seed)
    points, quads, uvs = die_mesh(look, place_pips(np.random.default_rng(seed), look), 21)
    assert np.ptp(points, axis=0) == pytest.approx([look.edge] * 3, abs=1e-3)
    assert uvs.shape == (len(quads), 4, 2)
    edges = np.sort(np.concatenate([quads[:, [k, (k + 1) % 4]] for k in range(4)]), axis=1)
    assert np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2)


def test_the_paint_puts_red_on_the_one_and_the_four_of_a_chinese_die() -> None:
    rng = np.random.default_rng(2)
    look = draw_look(rng, "cn_white")
    picture, mask = die_paint(rng, look, place_pips(rng, look))
    n = picture.shape[0] // 2
    for value in range(1, 7):
        row, column = (value - 1) // 3, (value - 1) % 3
        cell = (slice(row * n, (row + 1) * n), slice(column * n, (column + 1) * n))
        inked = mask[cell] > 0.95
        if inked.any():
            red, green, _ = picture[cell][inked].mean(axis=0)
            assert (red > 3 * green) == (value in (1, 4))


@settings(max_examples=30, deadline=None)
@given(seeds, st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1))
def test_a_ray_through_a_pixel_meets_the_table_where_the_lens_projects_it(seed: int, x: int, y: int) -> None:
    lens = _lens(seed)
    ray = lens.rays(np.array([[x, y]], float))[0]
    point = lens.centre - ray * lens.centre[2] / ray[2]
    assert lens.project(point[None])[0] == pytest.approx([x, y], abs=0.05)


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_the_whole_rim_is_in_the_picture(seed: int) -> None:
    bowl = rim_truth(_lens(seed), 100.0, 60.0, 10.0)
    rim = np.array(bowl["rim_polygon"])
    assert rim.min() > 0
    assert rim[:, 0].max() < WIDTH
    assert rim[:, 1].max() < HEIGHT
    assert 300 < bowl["rim_ellipse"]["minor"] <= bowl["rim_ellipse"]["major"] < 720


def test_a_level_die_shows_its_one_and_a_turned_one_another_face() -> None:
    look = _look()
    assert faces_by_tilt(np.array([1.0, 0, 0, 0]), look)[0] == (0.0, 1)
    turned = np.array([np.cos(np.pi / 4), np.sin(np.pi / 4), 0.0, 0.0])
    tilt, value = faces_by_tilt(turned, look)[0]
    assert tilt == pytest.approx(0.0, abs=1e-4)
    assert rotation(turned) @ face_normal(value, left_handed=look.left_handed) == pytest.approx([0, 0, 1])


def test_the_top_corners_lie_on_top() -> None:
    look = _look()
    corners = top_corners(_upright(), look)
    assert np.allclose(corners[:, 2], 20.0 + look.edge / 2)


def test_a_die_seen_by_nobody_else_is_wholly_visible() -> None:
    entry = truth.die_truth(0, _upright(), _look(), _lens(), lambda rays: np.zeros(len(rays), np.int64), inside=True)
    assert entry["visible_fraction"] == 1.0
    assert entry["top_visible_fraction"] == 1.0
    assert entry["in_view"]
    assert entry["value"] == 1
    box, full = entry["bbox"], entry["bbox_full"]
    assert np.abs(np.array(box) - full).max() < 2.5


def test_a_covered_die_is_not_in_view_and_the_throw_cannot_be_read() -> None:
    entry = truth.die_truth(0, _upright(), _look(), _lens(), lambda rays: np.full(len(rays), -1, np.int64), inside=True)
    assert entry["bbox"] is None
    assert not entry["in_view"]
    throw = truth.throw_truth([entry] * 6, "hand", hand=True)
    assert not throw["readable"]
    assert throw["expected_values"] == []
    assert throw["unreadable_reasons"] == ["fewer_than_six_in_view"]


def test_six_clear_dice_can_be_read() -> None:
    owner = lambda rays: np.zeros(len(rays), np.int64)  # noqa: E731
    dice = [truth.die_truth(0, _upright(18.0 * n), _look(), _lens(), owner, inside=True) for n in range(6)]
    throw = truth.throw_truth(dice, "in", hand=False)
    assert throw["readable"]
    assert throw["expected_values"] == [1] * 6
    assert throw["all_in_bowl"]
    json.dumps(throw)


def test_touching_rectangles_are_joined_and_others_stay_apart() -> None:
    boxes = truth.joined([(0, 0, 10, 10), (8, 8, 20, 20), (40, 40, 50, 50)])
    assert sorted(boxes) == [(0, 0, 20, 20), (40, 40, 50, 50)]


def test_every_motif_stays_near_its_box() -> None:
    for make in MOTIFS.values():
        for points, kind, _ in make(np.random.default_rng(4)):
            assert kind in ("fill", "line")
            assert np.abs(points).max() < 1.6


def test_the_same_draw_gives_the_same_photograph_and_the_truth_of_it() -> None:
    clean = np.full((HEIGHT, WIDTH, 3), 0.2, np.float32)
    cam = faults.draw_webcam(np.random.default_rng(1))
    shot = faults.draw_shot(np.random.default_rng(2), cam)
    one, two = (faults.photograph(clean, cam, shot, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(one, two)
    assert one.shape == clean.shape
    assert 60 <= shot.quality <= 95
    assert faults.encode(one, shot.quality)[:2] == b"\xff\xd8"
    assert set(faults.photo_truth(cam, shot)) >= {"blur_sigma_px", "noise", "ev", "shake_px"}


def test_a_clean_picture_comes_back_from_eight_bits() -> None:
    linear = np.linspace(0, 0.9, 300, dtype=np.float32).reshape(10, 10, 3)
    stored = (faults.to_srgb(linear) * 255 + 0.5).astype(np.uint8)
    assert np.abs(faults.to_linear(stored) - linear).max() < 0.006


def test_colours_keep_their_places_through_the_mosaic() -> None:
    clean = np.zeros((HEIGHT, WIDTH, 3), np.float32)
    clean[..., 2] = 0.3
    cam = faults.draw_webcam(np.random.default_rng(1))
    shot = faults.draw_shot(np.random.default_rng(2), cam)
    blue, green, red = faults.photograph(clean, cam, shot, np.random.default_rng(3)).reshape(-1, 3).mean(axis=0)
    assert red > 2 * max(blue, green)


def test_only_set_ups_without_their_own_file_are_made(tmp_path: Path) -> None:
    (tmp_path / "s0001.json").write_text("{}")
    (tmp_path / "s0002_t00.json").write_text("{}")
    assert missing(tmp_path, 0, 4) == [0, 2, 3]
    assert arguments(["--out", str(tmp_path), "--setups", "4"]).seed == 1
