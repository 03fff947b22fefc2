"""Faces of made dice with the way they are turned to the camera: what the slant reader learns from."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import IterableDataset

from models.training.nets import SLANT_SIDE
from models.training.spoil import spoil_edges
from vision.tilt import SLANT_ROOM, local_frame

Array = npt.NDArray[Any]

KEPT_SIDE = 100
WIDER = 1.25
"""A kept crop shows more than is needed and shows it larger, so that it can be turned."""
STEEPEST = 0.35
"""Cosine of a face's slant below which nobody would take it for a top face."""
ONE_IN = 7


@dataclass(slots=True)
class Slants:
    """Crops (n x 100 x 100 x 3), their slants (n x 2, sine of the angle to the line of sight, towards x and y) and edges in pixels."""

    pictures: Array
    slants: Array
    edges: Array


def load(folders: Iterable[Path], seed: int, held: bool = False) -> Slants:
    """Faces of the throws in these folders; held: of those set-ups that nothing is trained on."""
    rng = np.random.default_rng(seed)
    pictures, slants, edges = [], [], []
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            told = json.loads(path.read_text(encoding="utf-8"))
            image = path.with_suffix(".jpg")
            if not told.get("dice") or "camera" not in told or not image.exists():
                continue
            group = f"{folder.name}/{told.get('setup') or image.name}"
            if (zlib.crc32(group.encode()) % ONE_IN == 0) != held:
                continue
            shown = cv2.imread(str(image))
            for centre, edge, slant in _faces(rng, told):
                pictures.append(_cut(shown, centre, edge))
                slants.append(slant)
                edges.append(edge)
    return Slants(np.stack(pictures), np.array(slants, np.float32), np.array(edges))


def _faces(rng: np.random.Generator, told: dict[str, Any]) -> Iterator[tuple[Array, float, Array]]:
    """Centre and edge in pixels and slant of the top faces, and of every other side that the camera sees well of half of the dice."""
    camera = told["camera"]
    turn, shift = np.asarray(camera["R"]), np.asarray(camera["t_mm"])
    for die in told["dice"]:
        if not die["in_view"] or float(die.get("visible_fraction") or 0) < 0.6:
            continue
        axes = _rotation(die["quaternion_wxyz"])
        normals = [sign * axes[:, k] for k in range(3) for sign in (-1, 1)]
        top = max(range(6), key=lambda i: normals[i][2])
        for i, normal in enumerate(normals):
            if i == top and float(die["top_visible_fraction"]) < 0.6:
                continue
            if i != top and (float(die["visible_fraction"]) < 0.95 or rng.random() < 0.4):
                continue
            face = _face(die, normal, axes, turn, shift, camera)
            if face is not None:
                yield face


def _face(die: dict[str, Any], normal: Array, axes: Array, turn: Array, shift: Array, camera: Any) -> tuple[Array, float, Array] | None:
    half = float(die["edge_mm"]) / 2
    others = [axes[:, k] for k in range(3) if abs(float(axes[:, k] @ normal)) < 0.5]
    middle = np.asarray(die["position_mm"]) + normal * half
    corners = np.array([middle + half * (a * others[0] + b * others[1]) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    seen = np.vstack([middle, corners]) @ turn.T + shift
    n, ray = turn @ normal, seen[0] / np.linalg.norm(seen[0])
    right, down, towards = local_frame(ray)
    if float(n @ towards) < STEEPEST:
        return None
    points = cv2.projectPoints(seen.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), np.asarray(camera["K"]), np.asarray(camera["dist"]))[0].reshape(-1, 2)
    edge = math.sqrt(abs(cv2.contourArea(points[1:].astype(np.float32))))
    return (points[0], edge, np.array([n @ right, n @ down])) if edge > 12 else None


def _rotation(q: list[float]) -> Array:
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _cut(shown: Array, centre: Array, edge: float) -> Array:
    scale = SLANT_SIDE / (1 + 2 * SLANT_ROOM) * WIDER / edge
    if scale < 0.6:
        shown = cv2.GaussianBlur(shown, (0, 0), 0.4 / scale)
    place = np.array([[scale, 0, (KEPT_SIDE - 1) / 2 - scale * centre[0]], [0, scale, (KEPT_SIDE - 1) / 2 - scale * centre[1]]])
    return cv2.warpAffine(shown, place, (KEPT_SIDE, KEPT_SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def vary(rng: np.random.Generator, kept: Array, slant: Array) -> tuple[Array, Array]:
    """A crop turned, mirrored, shifted and scaled as far as the finder may err, spoilt, and the slant in it."""
    angle = rng.uniform(0, 2 * math.pi)
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[c, -s], [s, c]])
    if rng.random() < 0.5:
        turn[:, 0] *= -1
    matrix = turn * math.exp(rng.normal(0, 0.08)) / WIDER
    middle, shift = np.full(2, (KEPT_SIDE - 1) / 2), rng.normal(0, 0.05, 2) * SLANT_SIDE / (1 + 2 * SLANT_ROOM)
    place = np.concatenate([matrix, ((SLANT_SIDE - 1) / 2 + shift - matrix @ middle)[:, None]], 1)
    shown = cv2.warpAffine(kept, place, (SLANT_SIDE, SLANT_SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return spoil_edges(rng, shown), (turn @ slant).astype(np.float32)


class SlantCrops(IterableDataset[tuple[Array, Array]]):
    """An endless stream of (crop, slant); all slants alike often, as most faces lie flat."""

    def __init__(self, kept: Slants, seed: int) -> None:
        self._kept, self._seed = kept, seed
        size = np.linalg.norm(kept.slants, axis=1)
        bins = np.minimum((size / 0.1).astype(int), 9)
        weight = 1.0 / np.sqrt(np.bincount(bins, minlength=10)[bins])
        self._chances = np.cumsum(weight / weight.sum())

    def __iter__(self) -> Iterator[tuple[Array, Array]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        cv2.setNumThreads(0)
        while True:
            i = min(int(np.searchsorted(self._chances, rng.random())), len(self._chances) - 1)
            yield vary(rng, self._kept.pictures[i], self._kept.slants[i])
