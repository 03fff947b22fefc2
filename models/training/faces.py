"""Top faces, rectified and cut out once, then turned, shifted and spoilt anew each time: what the face readers learn from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import IterableDataset

from models.training.nets import FACE_SIDE
from models.training.scenes import Scene
from models.training.spoil import spoil
from models.training.targets import shape_of
from vision.detector import OnnxDetector, Spot, whole
from vision.rectify import ROOM, rectify

Array = npt.NDArray[Any]

KEPT_SIDE = 104
KEPT_ROOM = 0.65
KEPT_EDGE = KEPT_SIDE / (1 + 2 * KEPT_ROOM)
INCOMPLETE = ("nell-20191208", "n3-tray")
"""Photos in which some dice have no label: what is found there beside the labels may be right."""
EDGE = FACE_SIDE / (1 + 2 * ROOM)
UNCLEAR, NOTHING = 6, 7
"""The classes of a die without a clear top face, and of what is no die."""


@dataclass(slots=True)
class Faces:
    """Rectified crops (n x 104 x 104 x 3) with class 0-7, and the edge in pixels that each had in its picture.

    exact: whether the face fills the middle of its crop exactly, or only about so.
    """

    pictures: Array
    classes: Array
    edges: Array
    photo: Array
    exact: Array

    def __len__(self) -> int:
        return len(self.classes)


def cut(scenes: Sequence[Scene], seed: int, detector: OnnxDetector | None = None, nothing: float = 0.4) -> Faces:
    """Every known face of the scenes, `nothing` times as many places that are no face, and what the detector takes for one."""
    rng = np.random.default_rng(seed)
    pictures, classes, edges, photo, exact = [], [], [], [], []

    def keep(picture: Array, quad: Array, what: int, edge: float, scene: Scene, fits: bool) -> None:
        pictures.append(rectify(picture, quad.astype(np.float32), KEPT_SIDE, KEPT_ROOM))
        classes.append(what)
        edges.append(edge)
        photo.append(not scene.made)
        exact.append(fits)

    for scene in scenes:
        picture = scene.picture()
        for die in scene.dice:
            if die.quad is None:
                continue
            if die.clear == 1 and die.value:
                keep(picture, die.quad, die.value - 1, die.edge, scene, scene.made or die.fits)
            elif die.clear == 0:
                keep(picture, die.quad, UNCLEAR, die.edge, scene, True)
        if detector is not None and scene.source not in INCOMPLETE:
            for spot in _mistaken(detector, picture, scene):
                keep(picture, spot.quad, NOTHING, spot.edge, scene, False)
        for quad, edge in _empty_places(rng, scene, nothing):
            keep(picture, quad, NOTHING, edge, scene, False)
    return Faces(np.stack(pictures), np.array(classes), np.array(edges), np.array(photo), np.array(exact))


def _mistaken(detector: OnnxDetector, picture: Array, scene: Scene, most: int = 12) -> list[Spot]:
    """Places that the detector takes for dice though there are none."""
    frame = np.asarray(picture, np.uint8)
    spots = sorted(detector.spots(frame, whole(frame, None)), key=lambda s: -s.score)
    centres = np.array([d.centre for d in scene.dice] + [(x + w / 2, y + h / 2) for x, y, w, h in scene.holes]).reshape(-1, 2)
    edges = np.array([d.edge for d in scene.dice] + [max(w, h) for _, _, w, h in scene.holes])
    wrong = [s for s in spots if not len(edges) or (np.linalg.norm(centres - s.quad.mean(0), axis=1) / edges).min() > 0.6]
    return wrong[:most]


def _empty_places(rng: np.random.Generator, scene: Scene, share: float) -> Iterator[tuple[Array, float]]:
    usual = float(np.median([d.edge for d in scene.dice])) if scene.dice else rng.uniform(18, 50)
    centres = np.array([d.centre for d in scene.dice]).reshape(-1, 2)
    holes = np.array(scene.holes).reshape(-1, 4)
    for _ in range(math.ceil(share * max(6, len(scene.dice)))):
        edge = usual * math.exp(rng.normal(0, 0.25))
        pick = rng.random()
        if len(centres) and pick < 0.6:  # beside a die: its side face, the gap to the next one
            way = rng.uniform(0, 2 * math.pi)
            spot = (
                centres[int(rng.integers(len(centres)))]
                + np.array([math.cos(way), math.sin(way)]) * rng.uniform(0.62, 1.3) * edge
            )
        elif scene.rim is not None and pick < 0.85:
            reach = math.sqrt(rng.uniform(0, 1)) * 0.55
            way = rng.uniform(0, 2 * math.pi)
            spot = np.array(
                [
                    scene.rim["cx"] + reach * scene.rim["major"] * math.cos(way),
                    scene.rim["cy"] + reach * scene.rim["minor"] * math.sin(way),
                ]
            )
        else:
            spot = np.array([rng.uniform(0, scene.width), rng.uniform(0, scene.height)])
        if len(centres) and np.linalg.norm(centres - spot, axis=1).min() < 0.6 * edge:
            continue
        if len(holes) and np.any(
            (spot[0] > holes[:, 0] - edge / 2)
            & (spot[0] < holes[:, 0] + holes[:, 2] + edge / 2)
            & (spot[1] > holes[:, 1] - edge / 2)
            & (spot[1] < holes[:, 1] + holes[:, 3] + edge / 2)
        ):
            continue
        turn = rng.uniform(0, 2 * math.pi)
        c, s = math.cos(turn) * edge / 2, math.sin(turn) * edge / 2
        turned = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([[c, s], [-s, c]])
        yield (spot + turned).astype(np.float32), edge


def vary(rng: np.random.Generator, kept: Array, edge: float) -> tuple[Array, Array]:
    """A 64 x 64 crop of a kept one, and the face's shape in it: turned any way, as far off as the finder may be, coarse as small dice."""
    turn = rng.integers(4) * math.pi / 2 + (rng.normal(0, 0.12) if rng.random() < 0.5 else rng.uniform(-0.8, 0.8))
    scale = EDGE / KEPT_EDGE * math.exp(rng.normal(0, 0.11))
    c, s = math.cos(turn), math.sin(turn)
    matrix = np.array([[c, -s], [s, c]]) @ (np.eye(2) + rng.normal(0, 0.07, (2, 2))) * scale
    if rng.random() < 0.5:
        matrix[:, 0] *= -1
    shift = np.clip(rng.normal(0, 0.07, 2), -0.2, 0.2) * EDGE
    middle = np.full(2, (KEPT_SIDE - 1) / 2)
    place = np.concatenate([matrix, ((FACE_SIDE - 1) / 2 + shift - matrix @ middle)[:, None]], 1)
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * KEPT_EDGE / 2 @ matrix.T
    shape = np.array([*shift / EDGE, *shape_of(flat, EDGE)], np.float32)
    coarse = 1.0
    if rng.random() < 0.5:
        coarse = min(1.0, math.exp(rng.uniform(math.log(13), math.log(38))) / min(edge, EDGE))
    if coarse < 0.95:
        small = max(8, round(FACE_SIDE * coarse * min(edge, EDGE) / EDGE))
        k = small / FACE_SIDE
        shrunk = place * k
        shrunk[:, 2] += (k - 1) / 2
        soft = cv2.GaussianBlur(kept, (0, 0), 0.42 / max(k * scale, 0.1))
        shown = cv2.warpAffine(soft, shrunk, (small, small), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        shown = spoil(rng, shown, 0.7)
        return cv2.resize(shown, (FACE_SIDE, FACE_SIDE), interpolation=cv2.INTER_LINEAR), shape
    shown = cv2.warpAffine(kept, place, (FACE_SIDE, FACE_SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return spoil(rng, shown, 1.6), shape


class FaceCrops(IterableDataset[tuple[Array, int, Array, bool]]):
    """An endless stream of (crop, class, shape, whether the shape is known) from kept faces; photos: share of those cut from real photos."""

    def __init__(self, faces: Faces, seed: int, photos: float = 0.4, nothing: float = 0.2, unclear: float = 0.08) -> None:
        self._faces, self._seed = faces, seed
        weight = np.zeros(len(faces))
        for real in (False, True):
            share = photos if real else 1 - photos
            for what in range(8):
                here = (faces.photo == real) & (faces.classes == what)
                if here.any():
                    wanted = {NOTHING: nothing, UNCLEAR: unclear}.get(what, (1 - nothing - unclear) / 6)
                    weight[here] = share * wanted / here.sum()
        self._edges = np.cumsum(weight / weight.sum())

    def __iter__(self) -> Iterator[tuple[Array, int, Array, bool]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        cv2.setNumThreads(0)
        while True:
            i = min(int(np.searchsorted(self._edges, rng.random())), len(self._faces) - 1)
            crop, shape = vary(rng, self._faces.pictures[i], float(self._faces.edges[i]))
            yield crop, int(self._faces.classes[i]), shape, bool(self._faces.exact[i])
