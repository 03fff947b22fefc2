"""Evenings put together from single pictures of the simulated camera: dice cut out of stills, hands painted, lamps moved."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from device.cli.readers import Readers
from vision.bowl import Bowl
from vision.reading import Frame, Rim
from vision.watcher import Seen, Watcher

Floats = npt.NDArray[np.float32]
SKIN = (118, 150, 205)


@cache
def readers() -> Readers:
    """The shipped model, loaded once."""
    return Readers(None, no_bowl=False)


@dataclass(frozen=True)
class Piece:
    """One die of a still, moved by dx, dy pixels."""

    still: str
    number: int
    dx: float = 0.0
    dy: float = 0.0

    def by(self, dx: float, dy: float) -> Piece:
        """The same die elsewhere."""
        return Piece(self.still, self.number, self.dx + dx, self.dy + dy)


class Stage:
    """One set-up of the simulated camera: its empty bowl, calibrated, and the dice of its stills."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        truth = json.loads((folder / f"{name}_empty0.json").read_text())
        self.rim = Rim(**truth["bowl"]["rim_ellipse"])
        self.empty = self._picture(f"{name}_empty0")
        self._base = self._picture(f"{name}_empty1").astype(np.float32)
        self.height, self.width = self.empty.shape[:2]
        self._cut: dict[tuple[str, int], tuple[int, int, Floats, Floats]] = {}
        chance = np.random.default_rng(4)
        self._grain = [chance.normal(0, 2, self.empty.shape).round().astype(np.int16) for _ in range(5)]

    def _picture(self, name: str) -> Frame:
        return np.asarray(cv2.imread(str(self._folder / f"{name}.jpg")), np.uint8)

    def truth(self, still: str) -> dict[str, Any]:
        """What lies in a still."""
        told: dict[str, Any] = json.loads((self._folder / f"{self._name}_{still}.json").read_text())
        return told

    def dice(self, still: str, inside: bool = True) -> list[Piece]:
        """The dice of a still that lie in the bowl, or those beside it."""
        return [Piece(still, n) for n, die in enumerate(self.truth(still)["dice"]) if die["inside_bowl"] == inside]

    def values(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        """What these dice show."""
        return tuple(sorted(self.truth(piece.still)["dice"][piece.number]["value"] for piece in pieces))

    def _layer(self, still: str, number: int) -> tuple[int, int, Floats, Floats]:
        """A die cut out of its still (at x, y), lit as the empty bowl is, and how much of each pixel is its own (a little of its shadow with it)."""
        if (still, number) not in self._cut:
            picture = self._picture(f"{self._name}_{still}")
            light = np.median((self._base[::8, ::8] + 4) / (picture[::8, ::8].astype(np.float32) + 4), axis=(0, 1))
            boxes = [[round(v) for v in die["bbox_full"]] for die in self.truth(still)["dice"]]
            left, top, right, bottom = boxes[number]
            room = round(0.3 * max(right - left, bottom - top)) + 6
            x0, y0 = max(0, left - room), max(0, top - room)
            part = picture[y0 : min(self.height, bottom + room), x0 : min(self.width, right + room)].astype(np.float32) * light
            y, x = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]].astype(np.float32)
            apart = np.stack([(x - (b[0] + b[2]) / 2) ** 2 + (y - (b[1] + b[3]) / 2) ** 2 for b in boxes])
            mine = (apart.argmin(axis=0) == number).astype(np.float32)
            mine[:6], mine[-6:], mine[:, :6], mine[:, -6:] = 0, 0, 0, 0
            own = cv2.GaussianBlur(mine, (0, 0), 2.0)[..., None]
            self._cut[still, number] = x0, y0, np.asarray(part, np.float32), np.asarray(own, np.float32)
        return self._cut[still, number]

    def picture(self, dice: Sequence[Piece]) -> Floats:
        """The bowl with these dice, without noise."""
        out = self._base.copy()
        for piece in dice:
            x, y, part, own = self._layer(piece.still, piece.number)
            x, y = x + round(piece.dx), y + round(piece.dy)
            cut = np.s_[max(0, -y) : max(0, self.height - y), max(0, -x) : max(0, self.width - x)]
            part, own = part[cut], own[cut]
            if part.size:
                place = out[max(0, y) : max(0, y) + part.shape[0], max(0, x) : max(0, x) + part.shape[1]]
                place += own * (part - place)
        return out

    def hand(self, picture: Floats, reach: float, angle: float = 0.3, wide: float = 0.5) -> Floats:
        """The picture with an arm that comes from `angle` and reaches so far over the bowl: 0 to its rim, 1 to its middle."""
        radius = self.rim.major / 2
        way = np.array([math.cos(angle), math.sin(angle)])
        across = np.array([-way[1], way[0]]) * wide * radius
        tip = np.array([self.rim.cx, self.rim.cy]) + way * radius * (1 - reach)
        far = tip + way * 2000
        mask = np.zeros((self.height, self.width), np.uint8)
        cv2.fillPoly(mask, [np.rint([tip + 0.7 * across, tip - 0.7 * across, far - across, far + across]).astype(np.int32)], (255,))
        cv2.circle(mask, tuple(np.rint(tip).astype(int).tolist()), round(0.8 * wide * radius), (255,), -1)
        own = cv2.GaussianBlur(mask, (0, 0), 2.0).astype(np.float32)[..., None] / 255
        shade = 1 + 0.06 * np.sin(np.arange(self.width, dtype=np.float32) / 37)[None, :, None]
        return np.asarray(picture + own * (np.array(SKIN, np.float32) * shade - picture), np.float32)

    def grained(self, picture: Floats, number: int) -> Frame:
        """The picture as the camera would give it, with noise of its own."""
        whole = np.clip(picture, 0, 255).astype(np.int16)
        return np.asarray(cv2.add(whole, self._grain[number % len(self._grain)], dtype=cv2.CV_8U), np.uint8)


class Show:
    """Shows a stage to a calibrated watcher with the shipped reader, and keeps what it tells."""

    def __init__(self, stage: Stage, fps: float = 30.0, expect: int = 6) -> None:
        self.stage, self.fps = stage, fps
        self.watcher = Watcher(readers().for_bowl, Bowl(stage.rim, stage.empty, stage.width, stage.height), expect=expect)
        self.seen: list[Seen] = []
        self.index = 0
        self.lamp: Callable[[Floats, float], Floats] = lambda picture, _: picture
        """What the light does to a picture at t seconds."""
        self.camera: Callable[[Frame], Frame] = lambda frame: frame
        """What a knock did to the camera."""
        self.hand: tuple[float, float] | None = None
        """A hand that lies over the bowl: how far it reaches, and from which angle."""

    def show(self, picture: Floats) -> None:
        """One picture."""
        t = self.index / self.fps
        if self.hand is not None:
            picture = self.stage.hand(picture, *self.hand)
        frame = self.camera(self.stage.grained(self.lamp(picture, t), self.index))
        self.seen += self.watcher.feed(frame, self.index, t)
        self.index += 1

    def rest(self, dice: Sequence[Piece], seconds: float) -> None:
        """These dice lie there for so long."""
        picture = self.stage.picture(dice)
        for _ in range(round(seconds * self.fps)):
            self.show(picture)

    def roll(self, dice: Sequence[Piece], lying: Sequence[Piece] = (), seconds: float = 0.5, way: float = 0.5) -> None:
        """These dice roll to where they will lie; way: from so far, in radii of the bowl."""
        count = max(2, round(seconds * self.fps))
        for left in range(count, 0, -1):
            far = way * self.stage.rim.major / 2 * (left / count) ** 1.5
            self.show(self.stage.picture([*lying, *(p.by(far * math.cos(2.4 * k), far * math.sin(2.4 * k)) for k, p in enumerate(dice))]))

    def hand_over(self, before: Sequence[Piece], after: Sequence[Piece], reach: float = 1.3, seconds: float = 0.5, angle: float = 0.3) -> None:
        """A hand comes over the bowl and goes; while it is there the dice become other ones."""
        count = max(2, round(seconds * self.fps))
        for dice, steps in ((before, range(1, count + 1)), (after, range(count, 0, -1))):
            picture = self.stage.picture(dice)
            for k in steps:
                self.show(self.stage.hand(picture, -0.5 + (reach + 0.5) * k / count, angle))

    def events(self) -> list[str]:
        """What was told, hands left out."""
        return [s.event for s in self.seen if s.event != "hand"]

    def told(self) -> list[tuple[str, tuple[int, ...], str]]:
        """What was told of dice: event, values, verdict."""
        return [(s.event, s.reading.values, str(s.reading.verdict)) for s in self.seen if s.reading is not None]
