"""Batches for the finder: crops of scenes, turned, scaled and spoilt anew each time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.utils.data import IterableDataset

from models.training.paste import Stock
from models.training.scenes import Scene, Truth, held_out, load_made
from models.training.spoil import spoil
from models.training.targets import moved, targets

Array = npt.NDArray[Any]

PHOTO_SHARES = {
    "nell-20191208": 0.26,
    "n3-tray": 0.22,
    "n3-fisheye": 0.10,
    "skovy-20221211": 0.12,
    "dt-carpet": 0.18,
    "dt-single": 0.12,
}
TRACED_SHARE = 0.4
"""Of the made pictures this share is path-traced, however few there are."""
ODD_COUNTS = 4.0
"""A leaning die is looked at so much more often than a flat one; there are few."""
LOOK_AGAIN = 2000
SMALLEST, LARGEST = 9.0, 42.0
TOO_CLOSE = 66.0


class FinderCrops(IterableDataset[tuple[Array, Array, Array]]):
    """An endless stream of (picture, answers, weights); photos: share of real photos among the crops."""

    def __init__(
        self,
        scenes: Sequence[Scene],
        seed: int,
        size: int = 256,
        photos: float = 0.4,
        paste: float = 0.0,
        growing: Sequence[Path] = (),
    ) -> None:
        self._growing = tuple(growing)
        self._held: frozenset[str] = frozenset()
        self._made = [s for s in scenes if s.made]
        self._photos = [s for s in scenes if not s.made]
        self._by_source = {k: [s for s in self._photos if s.source == k] for k in {s.source for s in self._photos}}
        self._chances = _chances(self._made)
        self._seed, self._size = seed, size
        self._share = photos if self._made else 1.0
        if not self._photos:
            self._share = 0.0
        self._stock = Stock(self._made) if paste > 0 and self._made else None
        self._paste = paste

    def __iter__(self) -> Iterator[tuple[Array, Array, Array]]:
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self._seed, worker.id if worker else 0])
        cv2.setNumThreads(0)
        for turn in itertools.count():
            if turn % LOOK_AGAIN == LOOK_AGAIN - 1:
                self._look_again()
            scene = self._pick(rng)
            target = math.exp(rng.uniform(math.log(SMALLEST), math.log(LARGEST)))
            edge = float(np.median([d.edge for d in scene.dice])) if scene.dice else rng.uniform(20, 40)
            if rng.random() < 0.14 and edge > TOO_CLOSE / 1.5:
                target = float(rng.uniform(TOO_CLOSE * 1.1, TOO_CLOSE * 2.5))
            half = edge > 2.4 * target and scene.width >= 600
            picture = scene.picture(half)
            for _ in range(2):
                again = target
                if target < TOO_CLOSE:
                    again = float(np.clip(target * math.exp(rng.normal(0, 0.25)), SMALLEST, LARGEST))
                yield self.crop(rng, scene, picture, again / edge)

    def _look_again(self) -> None:
        """Take in what the makers have added to their folders since."""
        for folder in self._growing:
            past = frozenset(s.name for s in self._made if s.source == folder.name)
            held = set(self._held)
            fresh, apart = held_out(load_made(folder, past | held))
            self._made += fresh
            self._held = frozenset(held | {s.name for s in apart})
        self._chances = _chances(self._made)

    def _pick(self, rng: np.random.Generator) -> Scene:
        if rng.random() >= self._share:
            return self._made[min(int(np.searchsorted(self._chances, rng.random())), len(self._made) - 1)]
        names = sorted(self._by_source)
        shares = np.array([PHOTO_SHARES.get(n, 0.1) for n in names])
        pool = self._by_source[names[int(rng.choice(len(names), p=shares / shares.sum()))]]
        return pool[int(rng.integers(len(pool)))]

    def crop(self, rng: np.random.Generator, scene: Scene, picture: Array, scale: float) -> tuple[Array, Array, Array]:
        """One crop at `scale` crop pixels a picture pixel of the whole scene."""
        size = self._size
        if scene.dice and rng.random() < 0.8:
            often = np.array([ODD_COUNTS if _odd(d) else 1.0 for d in scene.dice])
            middle = scene.dice[int(rng.choice(len(often), p=often / often.sum()))].centre + rng.normal(0, 0.25, 2) * size / scale
        else:
            middle = np.array([rng.uniform(0, scene.width), rng.uniform(0, scene.height)])
        exact = scene.made
        if exact or rng.random() < 0.4:
            turn = rng.uniform(0, 2 * math.pi)
        else:
            turn = rng.integers(4) * math.pi / 2 + rng.normal(0, 0.05)
        box_kept = exact or abs(math.sin(2 * turn)) < 0.35
        c, s = math.cos(turn), math.sin(turn)
        squeeze = np.exp(rng.normal(0, 0.06, 2))
        matrix = np.array([[c, -s], [s, c]]) @ np.diag(squeeze) * scale
        if rng.random() < 0.5:
            matrix[:, 0] *= -1
        place = np.concatenate([matrix, (size / 2 - matrix @ middle)[:, None]], 1)
        k = scene.width / picture.shape[1]
        used = place.copy()
        used[:, :2] *= k
        used[:, 2] += matrix @ np.full(2, (k - 1) / 2)  # the centre of a pixel of the smaller picture
        border = cv2.BORDER_REPLICATE if rng.random() < 0.5 else cv2.BORDER_CONSTANT
        grey = rng.uniform(0, 255, 3).tolist()
        if scale * k < 0.6:
            picture = (
                cv2.blur(picture, (2, 2)) if scale * k > 0.4 else cv2.GaussianBlur(picture, (0, 0), 0.4 / (scale * k))
            )
        shown = cv2.warpAffine(picture, used, (size, size), flags=cv2.INTER_LINEAR, borderMode=border, borderValue=grey)
        # seen from too close, a die is another look's business: nothing here, least of all a pip, is a die
        dice = [d for d in (moved(d, place, box_kept) for d in scene.dice) if d.edge < TOO_CLOSE]
        edge_here = float(np.median([d.edge for d in scene.dice])) * scale if scene.dice else 0.0
        if self._stock is not None and edge_here < TOO_CLOSE and rng.random() < self._paste:
            shown, dice = self._stock.onto(rng, shown, dice)
        holes = np.array([_corners(h) for h in scene.holes], np.float32).reshape(-1, 4, 2)
        holes = holes @ place[:, :2].T + place[:, 2]
        shown = spoil(rng, shown, 1.0)
        _, answers, weights = targets(dice, holes, (size, size))
        return shown, answers, weights


def _odd(die: Truth) -> bool:
    return die.clear == 0 or die.cocked == 1


def _chances(made: Sequence[Scene]) -> Array:
    """Running sums of how often each made scene is picked: path-traced ones their share, those with leaning dice more often."""
    weight = np.array([2.5 if any(_odd(d) for d in s.dice) else 1.0 for s in made])
    traced = np.array([bool(s.meta.get("traced")) for s in made], bool)
    if traced.any() and not traced.all():
        share = min(TRACED_SHARE, 0.004 * int(traced.sum()))
        weight[traced] *= share / weight[traced].sum()
        weight[~traced] *= (1 - share) / weight[~traced].sum()
    return np.asarray(np.cumsum(weight / max(weight.sum(), 1e-9)))


def _corners(hole: tuple[float, float, float, float]) -> list[list[float]]:
    x, y, w, h = hole
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
