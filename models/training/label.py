"""Top faces for photos that only have boxes: where the finder sees a face on a labelled die, its quad is taken over."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from models.training.fit_quad import fit_quad
from models.training.scenes import Scene
from vision.detector import OnnxDetector, Spot, whole
from vision.rectify import edge_of

LEAST_FIT = {1: 0.5, 2: 0.5, 3: 0.5, 4: 0.35, 5: 0.3, 6: 0.3}
"""Fit from which a photo's face counts as found exactly."""


def add_quads(scenes: Sequence[Scene], detector: OnnxDetector, seed: int, least: float = 0.25) -> tuple[int, int]:
    """Give the dice of photos the quads that the detector finds there; returns how many were given, and fitted to pips."""
    rng = np.random.default_rng(seed)
    given = fitted = 0
    for scene in scenes:
        if scene.made or not scene.dice:
            continue
        picture = scene.picture()
        spots = detector.sharpened(picture, [s for s in detector.spots(picture, whole(picture, None)) if s.score >= least])
        pairs = sorted(
            (math.dist(spot.centre, die.centre), i, j)
            for i, die in enumerate(scene.dice)
            for j, spot in enumerate(spots)
            if _alike(spot, die.edge) and math.dist(spot.centre, die.centre) < 0.55 * die.edge
        )
        dice_used: set[int] = set()
        spots_used: set[int] = set()
        for _, i, j in pairs:
            if i in dice_used or j in spots_used:
                continue
            dice_used.add(i)
            spots_used.add(j)
            die, spot = scene.dice[i], spots[j]
            die.quad = spot.quad
            die.centre = spot.quad.mean(0)
            die.edge = edge_of(spot.quad)
            die.rough = False
            given += 1
            if edge_of(spot.quad) >= 14:
                quad, fit = fit_quad(rng, picture, spot.quad, die.value)
                if fit > LEAST_FIT[die.value]:
                    fitted += die.value > 2
                    die.fits = die.value > 2  # one or two pips do not tell how a face is turned or drawn out
                    if die.fits or die.value == 1:
                        die.quad, die.centre, die.edge = quad, quad.mean(0), edge_of(quad)
    return given, fitted


def keep_quads(scenes: Sequence[Scene], path: Path) -> None:
    """Write what `add_quads` gave, to be read by `known_quads`."""
    told = {
        s.name: [None if d.quad is None else {"quad": np.round(d.quad, 2).tolist(), "fits": d.fits} for d in s.dice]
        for s in scenes
        if not s.made
    }
    path.write_text(json.dumps(told), encoding="utf-8")


def known_quads(scenes: Sequence[Scene], path: Path) -> None:
    """Give the dice of photos the quads that `keep_quads` wrote."""
    told = json.loads(path.read_text(encoding="utf-8"))
    for scene in scenes:
        if scene.made:
            continue
        for die, known in zip(scene.dice, told.get(scene.name, []), strict=False):
            if known is not None:
                die.quad = np.asarray(known["quad"], np.float32)
                die.centre, die.edge = die.quad.mean(0), edge_of(die.quad)
                die.rough, die.fits = False, bool(known["fits"])


def _alike(spot: Spot, edge: float) -> bool:
    return bool(0.6 < edge_of(spot.quad) / edge < 1.7 and np.isfinite(spot.quad).all())
