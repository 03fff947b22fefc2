"""Tilt from slants and rim: a level face is level wherever the camera hangs."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.detector import OnnxDetector
from vision.reading import Rim
from vision.tilt import USUAL_VIEW_DEG, Vector, local_frame, tilts, ways_up

SIZE = (1280, 720)
FOCAL = SIZE[0] / 2 / math.tan(math.radians(USUAL_VIEW_DEG) / 2)


def _camera(lean: float, turn: float) -> Vector:
    """World (z up) to camera coordinates, for a camera that leans by `lean` degrees from straight down."""
    a, b = math.radians(lean), math.radians(turn)
    down = np.diag([1.0, -1.0, -1.0])
    tip = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    spin = np.array([[math.cos(b), -math.sin(b), 0], [math.sin(b), math.cos(b), 0], [0, 0, 1]])
    return np.asarray(spin @ tip @ down)


def _seen(turn: Vector, points: Vector) -> Vector:
    """Pixels of world points (mm) for a camera that looks at the origin from 500 mm."""
    at = points @ turn.T + [0, 0, 500.0]
    return np.asarray(at[:, :2] / at[:, 2:] * FOCAL + [SIZE[0] / 2, SIZE[1] / 2])


def _rim(turn: Vector) -> Rim:
    import cv2

    ring = np.array([[100 * math.cos(t), 100 * math.sin(t), 0.0] for t in np.linspace(0, 2 * math.pi, 60, endpoint=False)])
    (cx, cy), (a, b), angle = cv2.fitEllipse(_seen(turn, ring).astype(np.float32))
    return Rim(cx, cy, b, a, (angle + 90) % 180) if b >= a else Rim(cx, cy, a, b, angle)


def _slant(turn: Vector, point: Vector, normal: Vector) -> tuple[float, float]:
    ray = turn @ point + [0, 0, 500.0]
    right, down, _ = local_frame(ray / np.linalg.norm(ray))
    n = turn @ normal
    return float(n @ right), float(n @ down)


def _tilted(degrees: float, way: float) -> Vector:
    t, w = math.radians(degrees), math.radians(way)
    return np.array([math.sin(t) * math.cos(w), math.sin(t) * math.sin(w), math.cos(t)])


@given(lean=st.floats(0, 35), turn=st.floats(0, 360), degrees=st.floats(0, 50), way=st.floats(0, 360))
def test_a_leaning_die_among_flat_ones_is_measured_wherever_the_camera_hangs(lean: float, turn: float, degrees: float, way: float) -> None:
    camera = _camera(lean, turn)
    points = np.array([[40, 0, 0], [-40, 10, 0], [0, 45, 0], [5, -40, 0], [0, 0, 0], [30, 30, 0]], float)
    normals = [_tilted(0, 0)] * 5 + [_tilted(degrees, way)]
    slants = [_slant(camera, p, n) for p, n in zip(points, normals, strict=True)]
    centres = [(float(x), float(y)) for x, y in _seen(camera, points)]
    measured = tilts(SIZE, _rim(camera), centres, slants)
    assert all(t < 8 for t in measured[:5])
    assert abs(measured[5] - degrees) < 8


def test_no_dice_have_no_tilts() -> None:
    assert tilts(SIZE, Rim(640, 360, 400, 380, 0), [], []) == []


@given(x=st.floats(-0.6, 0.6), y=st.floats(-0.4, 0.4))
def test_the_local_frame_is_square_and_looks_at_the_camera(x: float, y: float) -> None:
    ray = np.array([x, y, 1.0]) / math.sqrt(x * x + y * y + 1)
    frame = np.array(local_frame(ray))
    assert np.allclose(frame @ frame.T, np.eye(3), atol=1e-9)
    assert float(frame[2] @ ray) < 0


@given(lean=st.floats(0, 35), turn=st.floats(0, 360), x=st.floats(-110, 110), y=st.floats(-60, 60))
def test_up_is_one_of_the_two_ways_that_the_rim_tells_wherever_in_the_picture_the_bowl_stands(lean: float, turn: float, x: float, y: float) -> None:
    import cv2

    camera = _camera(lean, turn)
    ring = np.array([[100 * math.cos(t), 100 * math.sin(t), 0.0] for t in np.linspace(0, 2 * math.pi, 72, endpoint=False)])
    at = ring @ camera.T + [x, y, 500.0]
    (cx, cy), (a, b), angle = cv2.fitEllipse((at[:, :2] / at[:, 2:] * FOCAL + [SIZE[0] / 2, SIZE[1] / 2]).astype(np.float32))
    rim = Rim(cx, cy, b, a, (angle + 90) % 180) if b >= a else Rim(cx, cy, a, b, angle)
    up = camera @ np.array([0.0, 0.0, 1.0])
    nearest = max(float(way @ up) for way in ways_up(SIZE, np.array([FOCAL]), rim)[0])
    # a rim that looks round within a thousandth may lean by three degrees
    assert math.degrees(math.acos(min(1.0, nearest))) < 1.0 + 3.0 * math.exp(-lean / 4)


class Centroid:
    """Stands for the slant reader: a face is turned to where its crop is brighter, and 0.03 to the right by mistake."""

    def run(self, _: object, asked: dict[str, np.ndarray]) -> list[np.ndarray]:
        light = asked["picture"].astype(float).mean(3)
        side = np.linspace(-1, 1, light.shape[1])
        total = light.sum((1, 2))
        x, y = (light * side).sum((1, 2)) / total + 0.03, (light * side[:, None]).sum((1, 2)) / total
        return [np.stack([x, y, np.zeros_like(x)], 1)]


@given(way=st.floats(0, 360))
def test_a_face_that_seems_to_lean_is_read_in_mirrors_too_and_an_error_to_one_side_goes(way: float) -> None:
    rows, columns = np.mgrid[0:200, 0:400]
    across = (columns - 300) * math.cos(math.radians(way)) + (rows - 100) * math.sin(math.radians(way))
    frame = np.full((200, 400, 3), 128, np.uint8)
    frame[:, 200:] = np.clip(128 + 6.0 * across[:, 200:, None], 0, 255).astype(np.uint8)
    detector = OnnxDetector(None, None, slant=Centroid())
    flat, also_flat, leaning = detector.slants(frame, [((60.0, 100.0), 20.0), ((100.0, 100.0), 20.0), ((300.0, 100.0), 20.0)])
    assert flat == also_flat
    assert abs(flat[0] - 0.03) < 1e-6
    assert math.hypot(*leaning) > 0.3
    assert math.dist(leaning, (math.hypot(*leaning) * math.cos(math.radians(way)), math.hypot(*leaning) * math.sin(math.radians(way)))) < 0.015


@given(lean=st.floats(0, 25), turn=st.floats(0, 360), x=st.floats(-420, 420), y=st.floats(-180, 180), way=st.floats(0, 360))
def test_flat_dice_lie_flat_wherever_a_far_picture_was_cut_from(lean: float, turn: float, x: float, y: float, way: float) -> None:
    camera = _camera(lean, turn)
    points = np.array([[40, 0, 0], [-40, 10, 0], [0, 45, 0], [5, -40, 0], [0, 0, 0], [30, 30, 0]], float)
    ring = np.array([[100 * math.cos(t), 100 * math.sin(t), 0.0] for t in np.linspace(0, 2 * math.pi, 72, endpoint=False)])

    def far(p: Vector) -> Vector:  # as through a long lens, which sees everything along one direction
        return np.asarray((p @ camera.T)[:, :2] * 1.5 + [SIZE[0] / 2 + x, SIZE[1] / 2 + y])

    import cv2

    (cx, cy), (a, b), angle = cv2.fitEllipse(far(ring).astype(np.float32))
    rim = Rim(cx, cy, b, a, (angle + 90) % 180) if b >= a else Rim(cx, cy, a, b, angle)
    right, down, _ = local_frame(np.array([0.0, 0.0, 1.0]))
    slants = [(float(n @ right), float(n @ down)) for n in (camera @ _tilted(t, way) for t in (0, 0, 0, 0, 0, 40))]
    measured = tilts(SIZE, rim, [(float(u), float(v)) for u, v in far(points)], slants)
    assert all(t < 10 for t in measured[:5])
    assert abs(measured[5] - 40) < 10


def test_where_the_dice_do_not_tell_the_mirror_images_apart_a_die_leans_as_far_as_either_says() -> None:
    """Five dice face the camera, which looks in at 30 degrees: both images are as likely, and the sixth lies flat in one and leans by 60 degrees in the other."""
    rim = Rim(640.0, 360.0, 500.0, 500.0 * math.cos(math.radians(30)), 0.0)
    for side in (1, -1):
        slants = [(0.0, 0.0)] * 5 + [(0.0, side * 0.5)]
        assert max(tilts(SIZE, rim, [(640.0, 360.0)] * 6, slants)) > 50
