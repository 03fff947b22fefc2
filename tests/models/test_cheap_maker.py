"""The cheap picture maker: its truth must be what its pictures show."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.training.cheap import make_scene
from models.training.cheap.__main__ import main
from models.training.cheap.bowl import draw_bowl, shape
from models.training.cheap.camera import Camera, aim, camera_from_json
from models.training.cheap.looks import draw_look, draw_looks
from models.training.cheap.paste import paste_into
from models.training.cheap.raycast import cast, skin
from models.training.cheap.rest import Plane, face_normal, lay, overlap
from models.training.cheap.scene import bowl_setting
from models.training.cheap.throws import bowl_throw


def above(px: float, edge: float, tilt: float, seed: int = 0) -> Camera:
    """A camera that sees the origin in the middle and a die of `edge` mm there about `px` pixels wide."""
    rng = np.random.default_rng(seed)
    f = 320 / 2 / np.tan(np.radians(60) / 2)
    return aim(rng, (320, 320), 60, tilt, f * edge / px, (160, 160), np.array([0, 0, edge / 2]))


@pytest.mark.parametrize("hand", [-1, 1])
@pytest.mark.parametrize("value", range(1, 7))
def test_the_top_face_shows_as_many_pips_as_its_value(value: int, hand: int) -> None:
    rng = np.random.default_rng(value)
    for _ in range(4):
        look = draw_look(rng, "cn_white", 16.0)
        die = lay(Plane(), 0, 0, rng.uniform(0, 6), value, 16.0, look.hand)
        camera = above(90, 16.0, 5)
        hits = cast(camera, die, look, 2, 0)
        pips = skin(look, hits.local, hits.normal, hits.face, 0.01).pip
        mask = np.zeros((640, 640), np.uint8)
        top = (hits.face == value) & (pips > 0.5)
        mask[hits.rows[top], hits.cols[top]] = 255
        tilt, up = die.tilts()[0]
        assert tilt == pytest.approx(0, abs=0.01)
        assert up == value
        assert cv2.connectedComponents(mask)[0] - 1 == value


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), tilt=st.floats(0, 50), value=st.integers(1, 6))
def test_the_top_polygon_covers_the_top_face(seed: int, tilt: float, value: int) -> None:
    rng = np.random.default_rng(seed)
    look = draw_look(rng, "plain_black", 16.0)
    die = lay(Plane(), 0, 0, rng.uniform(0, 6), value, 16.0, look.hand)
    camera = above(60, 16.0, tilt, seed)
    hits = cast(camera, die, look, 2, 0)
    top = hits.face == value
    polygon = camera.project(die.top_corners()).astype(np.float32)
    inside = [
        cv2.pointPolygonTest(polygon, ((c + 0.5) / 2 - 0.5, (r + 0.5) / 2 - 0.5), True) > -1.0
        for c, r in zip(hits.cols[top], hits.rows[top], strict=True)
    ]
    assert np.mean(inside) > 0.99
    if look.edge_round < 0.1 and look.ball > 3:
        assert top.sum() / 4 == pytest.approx(cv2.contourArea(polygon), rel=0.08)


def test_opposite_faces_add_up_to_seven_and_both_hands_occur() -> None:
    for hand in (-1, 1):
        for value in range(1, 7):
            assert np.allclose(face_normal(value, hand), -face_normal(7 - value, hand))
        turn = np.cross(face_normal(1, hand), face_normal(2, hand)) @ face_normal(3, hand)
        assert turn == pytest.approx(hand)
    rng = np.random.default_rng(0)
    assert {look.hand for _ in range(12) for look in draw_looks(rng, 1, 0.8, 14.0, 0.0)} == {-1, 1}


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), request=st.sampled_from(["in", "tilted", "out", "stack", "lean", "many"]))
def test_no_die_is_inside_another_or_under_the_floor(seed: int, request: str) -> None:
    rng = np.random.default_rng(seed)
    setting = bowl_setting(rng)
    bowl = draw_bowl(rng)
    looks = draw_looks(rng, 6, 0.8, min(14.0, bowl.floor / 2.2), 0.1)
    dice = bowl_throw(rng, bowl, setting.camera, looks, request)
    for i, a in enumerate(dice):
        assert not any(overlap(a, b, 0.06) for b in dice[:i])
        corners = a.corners()
        floor = bowl.height(corners[:, 0], corners[:, 1]) if a.inside else 0.0
        assert np.all(corners[:, 2] > floor - 0.05 * a.edge)


def test_rays_and_projection_agree_under_distortion() -> None:
    camera = Camera(640, 480, 500.0, 322.0, 238.0, -0.14, 0.02, np.diag([1.0, -1.0, -1.0]), np.array([0.0, 0.0, 400.0]))
    u, v = np.array([20.0, 300.0, 620.0]), np.array([15.0, 240.0, 470.0])
    d = camera.rays(u, v)
    points = (camera.position[:, None] + d * 350).T
    assert np.allclose(camera.project(points), np.column_stack([u, v]), atol=0.15)


def test_rays_meet_the_bowl_on_its_profile() -> None:
    bowl = shape(90, 60, 12, 3, 45, 2.0, 1.5, 40)
    camera = camera_from_json({"K": [[600, 0, 320], [0, 600, 240], [0, 0, 1]], "dist": [0, 0], "R": np.diag([1, -1, -1]),
                               "t_mm": [0, 0, 400]}, 640, 480)  # fmt: skip
    p, n = bowl.seen(camera.position, camera.grid(220, 140, 40, 40, 5))
    inside = np.hypot(p[0], p[1]) < 80
    assert np.abs(p[2] - bowl.height(p[0], p[1]))[inside].max() < 0.2
    assert np.allclose((n * n).sum(axis=0), 1, atol=1e-4)


@pytest.mark.parametrize("kind", ["bowl", "plain"])
def test_the_same_seed_makes_the_same_picture(kind: str) -> None:
    one, words = make_scene(np.random.default_rng([5, 3]), kind)
    two, again = make_scene(np.random.default_rng([5, 3]), kind)
    assert np.array_equal(one, two)
    assert words == again
    assert one.shape == (words["height"], words["width"], 3)
    assert (words["bowl"] is None) == (kind == "plain")


def test_the_command_fills_up_a_folder_and_leaves_whole_pictures_alone(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path), "--count", "2", "--seed", "4"]) == 0
    names = sorted(p.name for p in tmp_path.iterdir())
    assert len(names) == 4
    first = tmp_path / names[0]
    before = first.read_bytes()
    (tmp_path / names[3]).unlink()
    assert main(["--out", str(tmp_path), "--count", "2", "--seed", "4"]) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == names
    assert first.read_bytes() == before


def test_a_folder_without_empty_bowls_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "o"), "--count", "1", "--paste-from", str(tmp_path)]) == 1
    assert "no empty bowl" in capsys.readouterr().err


def test_dice_can_be_thrown_into_a_known_empty_bowl() -> None:
    setting = bowl_setting(np.random.default_rng(8))
    bowl, camera = setting.bowl, setting.camera
    assert bowl is not None
    setup: dict[str, Any] = {
        "image": "e.jpg",
        "camera": camera.as_json(),
        "bowl": bowl.as_json(camera),
        "photo": {},
        "kind": "empty",
    }
    empty = np.full((camera.height, camera.width, 3), 150, np.uint8)
    picture, truth = paste_into(empty, setup, np.random.default_rng(1), "in")
    assert truth["kind"] == "throw"
    assert len(truth["dice"]) == 6
    for die in truth["dice"]:
        x0, y0, x1, y1 = die["bbox"]
        assert np.abs(picture[y0:y1, x0:x1].astype(int) - 150).max() > 25


def test_the_truth_has_the_words_of_the_simulated_pictures() -> None:
    where = os.environ.get("BOBING_PICTURES")
    if not where:
        assert os.environ.get("CI") != "true", "BOBING_PICTURES must name the folder with real and sim-dev"
        pytest.skip("set BOBING_PICTURES to the folder that holds real and sim-dev")
    theirs = json.loads((Path(where) / "sim-dev" / "s00_t00.json").read_text())
    made = (make_scene(np.random.default_rng(seed), "bowl")[1] for seed in range(20))
    ours = next(truth for truth in made if truth["dice"])
    assert set(theirs) - set(ours) <= {"image", "setup"}
    assert set(theirs["dice"][0]) <= set(ours["dice"][0])
    assert set(theirs["camera"]) == set(ours["camera"])
    assert set(theirs["bowl"]) == set(ours["bowl"])
    assert set(theirs["photo"]) <= set(ours["photo"])
