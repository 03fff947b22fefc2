"""The frame held against the empty bowl: what is new is found wherever it lies, and only there is looked again."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.bowl import Bowl
from vision.change import MOST_MOVED, SAME, STILL_ALIKE, Empty
from vision.detector import OnnxDetector
from vision.reader import Reader
from vision.reading import Frame, Rim, Verdict

WIDTH, HEIGHT = 1280, 720
RIM = Rim(640.0, 360.0, 500.0, 470.0, 0.0)
SMALLEST_DIE = 22
BESIDE = (0, 0, 380, HEIGHT)


def cloth(seed: int) -> Frame:
    chance = np.random.default_rng(seed)
    coarse = chance.integers(60, 200, (18, 32, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8)


@given(
    st.integers(0, 50),
    st.integers(0, BESIDE[2] - SMALLEST_DIE),
    st.integers(0, HEIGHT - SMALLEST_DIE),
    st.sampled_from([-1, 1]),
    st.floats(0.8, 1.2),
)
def test_whatever_is_as_large_as_a_die_and_differs_as_dice_do_is_new_where_it_lies(
    seed: int, x: int, y: int, sign: int, light: float
) -> None:
    empty = cloth(seed)
    frame = np.clip(empty.astype(np.float32) * light, 0, 255)
    part = frame[y : y + SMALLEST_DIE, x : x + SMALLEST_DIE]
    part += sign * 2.5 * SAME
    since = Empty(Bowl(RIM, empty, WIDTH, HEIGHT), empty).since(np.clip(frame, 0, 255).astype(np.uint8))
    assert since is not None
    assert since.new_in(*BESIDE)
    assert not since.new_in(900, 0, WIDTH - 900, HEIGHT)


@pytest.fixture(scope="module")
def eyes() -> OnnxDetector:
    return OnnxDetector.load(Path(__file__).parents[2] / "models")


@pytest.mark.parametrize("level", [0, 90, 255, None])
def test_a_picture_in_which_no_bowl_is_seen_is_never_called_empty(eyes: OnnxDetector, level: int | None) -> None:
    size = (360, 640, 3)
    frame = np.random.default_rng(1).integers(0, 256, size).astype(np.uint8) if level is None else np.full(size, level, np.uint8)
    reading = Reader(eyes, None).read(frame)
    assert reading.rim is None
    assert reading.verdict == Verdict.INCOMPLETE


BODIES = [(255, 255, 255), (0, 0, 255), (255, 80, 0)]


@given(st.integers(0, 50), st.integers(60, 300), st.integers(60, HEIGHT - 60), st.floats(0, 180), st.sampled_from(BODIES), st.floats(0.8, 1.0))
def test_what_is_new_beside_the_bowl_is_one_die_or_more_by_its_outline(
    seed: int, x: int, y: int, turned: float, body: tuple[int, int, int], light: float
) -> None:
    edge, empty = 26.0, cloth(seed)

    def new(long: float, wide: float) -> bool:
        laid = np.clip(empty.astype(np.float32) * light, 0, 255)
        place = np.zeros((HEIGHT, WIDTH), np.uint8)
        corners = cv2.boxPoints(((x, y), (long * edge, wide * edge), turned))
        cv2.fillConvexPoly(place, np.rint(corners).astype(np.int32), 1)
        laid[place > 0] = body
        since = Empty(Bowl(RIM, empty, WIDTH, HEIGHT), empty).since(np.clip(laid, 0, 255).astype(np.uint8))
        assert since is not None
        return since.larger((float(x), float(y)), edge)

    assert not new(1.0, 1.0)
    assert not new(1.5, 1.2)
    assert new(2.3, 1.1)
    assert new(3.2, 3.0)


def painted(x: int, y: int) -> Frame:
    """Light porcelain with a painted eye: an oval with a dot in it."""
    bowl = np.full((HEIGHT, WIDTH, 3), 205, np.uint8)
    cv2.ellipse(bowl, (x, y), (19, 13), 20, 0, 360, (150, 110, 90), 2, cv2.LINE_AA)
    cv2.circle(bowl, (x, y), 4, (120, 80, 70), -1, cv2.LINE_AA)
    return bowl


def square(x: float, y: float, edge: float, turned: float) -> np.ndarray:
    return np.asarray(cv2.boxPoints(((x, y), (edge, edge), turned)), np.float32)


@given(st.integers(500, 780), st.integers(250, 470), st.floats(0, 360), st.floats(0.58, 0.66), st.floats(0.92, 1.0))
def test_a_drawing_of_which_a_die_hides_a_part_is_known_again(x: int, y: int, way: float, off: float, light: float) -> None:
    """The corners of the middle, by which it is known, lie 0.56 edges away."""
    edge, empty = 28.0, painted(x, y)
    rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH]
    beyond = (columns - x) * np.cos(np.radians(way)) + (rows - y) * np.sin(np.radians(way))
    frame = empty.astype(np.float32) * light
    frame[(beyond > off * edge) & (beyond < off * edge + 40)] = (245, 248, 250)
    since = Empty(Bowl(RIM, empty, WIDTH, HEIGHT), empty).since(np.clip(frame, 0, 255).astype(np.uint8))
    assert since is not None
    assert since.half_hidden(square(x, y, edge, 0))


PIPS = {1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)], 4: [(-1, -1), (-1, 1), (1, -1), (1, 1)]}


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(0, 90), st.sampled_from(sorted(PIPS)), st.integers(215, 255))
def test_a_die_that_lies_on_a_drawing_is_new(dx: float, dy: float, turned: float, value: int, body: int) -> None:
    x, y, edge, empty = 640, 360, 28.0, painted(640, 360)
    frame = empty.copy()
    at = (x + dx, y + dy)
    corners = square(*at, edge, turned)
    cv2.fillConvexPoly(frame, np.rint(corners).astype(np.int32), (body, body, body), cv2.LINE_AA)
    right, down = (corners[1] - corners[0]) / 4, (corners[3] - corners[0]) / 4
    for i, j in PIPS[value]:
        middle = np.array(at) + i * right + j * down
        cv2.circle(frame, tuple(np.rint(middle).astype(int).tolist()), 3 + 3 * (value == 1), (40, 30, 30), -1, cv2.LINE_AA)
    since = Empty(Bowl(RIM, empty, WIDTH, HEIGHT), empty).since(frame)
    assert since is not None
    assert since.difference(corners) >= SAME


@given(st.floats(0.2, 1.0), st.floats(0, 90), st.sampled_from(sorted(PIPS)), st.integers(-6, 6), st.integers(0, 3))
def test_a_die_that_is_hardly_lighter_than_the_bowl_is_new_however_dim_the_room(light: float, turned: float, value: int, lighter: int, seed: int) -> None:
    edge, empty = 28.0, np.full((HEIGHT, WIDTH, 3), 205, np.uint8)
    frame = empty.copy()
    corners = square(640, 360, edge, turned)
    cv2.fillConvexPoly(frame, np.rint(corners).astype(np.int32), (205 + lighter,) * 3, cv2.LINE_AA)
    right, down = (corners[1] - corners[0]) / 4, (corners[3] - corners[0]) / 4
    for i, j in PIPS[value]:
        middle = np.array([640.0, 360.0]) + i * right + j * down
        cv2.circle(frame, tuple(np.rint(middle).astype(int).tolist()), 3 + 3 * (value == 1), (40, 30, 30), -1, cv2.LINE_AA)
    noise = np.random.default_rng(seed).normal(0, 1, (2, HEIGHT, WIDTH, 1))
    dim_empty, dim = (np.clip(p * light + n, 0, 255).astype(np.uint8) for p, n in zip((empty, frame), noise, strict=True))
    since = Empty(Bowl(RIM, dim_empty, WIDTH, HEIGHT), dim_empty).since(dim)
    assert since is not None
    assert since.difference(corners) >= SAME
    assert since.difference(corners + np.float32(100)) < SAME


@given(st.floats(0.75, 0.95), st.integers(480, 800), st.integers(250, 470), st.integers(30, 90))
def test_a_glare_that_was_cut_off_in_the_empty_picture_does_not_fill_the_bowl(dimmer: float, x: int, y: int, size: int) -> None:
    light = np.full((HEIGHT, WIDTH, 3), 150, np.float32)
    spot = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.circle(spot, (x, y), size, 180.0, -1)
    light += cv2.GaussianBlur(spot, (0, 0), 12)[..., None]
    empty = np.clip(light, 0, 255).astype(np.uint8)
    since = Empty(Bowl(RIM, empty, WIDTH, HEIGHT), empty).since(np.clip(light * dimmer, 0, 255).astype(np.uint8))
    assert since is not None
    assert not since.filled()


@given(st.integers(0, 50), st.integers(-3, 3), st.integers(-3, 3))
def test_what_lay_beside_the_bowl_is_nothing_new_though_the_camera_moved_by_three_pixels(seed: int, dx: int, dy: int) -> None:
    """Mahjong tiles beside a bowl were dice that had jumped, once somebody leaned on the table."""
    empty = cloth(seed)
    for x, y in ((100, 100), (160, 300)):
        cv2.rectangle(empty, (x, y), (x + 40, y + 40), (240, 240, 235), -1)
        cv2.circle(empty, (x + 20, y + 20), 6, (20, 20, 160), -1)
    frame = cv2.warpAffine(empty, np.array([[1, 0, dx], [0, 1, dy]], np.float32), (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    new = np.array([[60, 500], [100, 500], [100, 540], [60, 540]], np.float32)
    frame[500:541, 60:101] = 235
    since = Empty(Bowl(RIM, empty, WIDTH, HEIGHT), empty).since(np.asarray(frame, np.uint8))
    assert since is not None
    tile = np.array([[100 + x + dx, 100 + y + dy] for x, y in ((0, 0), (40, 0), (40, 40), (0, 40))], np.float32)
    assert since.difference(tile, 2 * MOST_MOVED) < SAME
    assert since.difference(new, 2 * MOST_MOVED) >= SAME


@given(st.floats(0.2, 1.0), st.integers(0, 12), st.integers(0, 2**31))
def test_a_drawing_beside_the_bowl_is_known_again_in_a_shadow_and_through_noise(light: float, noise: int, seed: int) -> None:
    """A tile, a printed flower: what lay there when the camera was set up was a die that had jumped once a lamp had changed."""
    empty = painted(200, 200)
    grain = np.random.default_rng(seed).normal(0, noise * light, empty.shape)
    frame = empty.copy().astype(np.float32)
    frame[120:280, 120:280] = frame[120:280, 120:280] * light
    since = Empty(Bowl(RIM, empty, WIDTH, HEIGHT), empty).since(np.clip(frame + grain, 0, 255).astype(np.uint8))
    assert since is not None
    assert since.half_hidden(square(200, 200, 28.0, 0), STILL_ALIKE, math.inf)
