"""Top faces for photos that only have boxes: where the finder sees a face on a labelled die, its quad is taken over."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from models.training.scenes import Scene
from vision.detector import OnnxDetector, Spot, whole
from vision.rectify import edge_of


def add_quads(scenes: Sequence[Scene], detector: OnnxDetector, least: float = 0.25) -> int:
    """Give the dice of photos the quads that the detector finds there; returns how many were given."""
    given = 0
    for scene in scenes:
        if scene.made or not scene.dice:
            continue
        picture = scene.picture()
        spots = [s for s in detector.spots(picture, whole(picture, None)) if s.score >= least]
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
    return given


def _alike(spot: Spot, edge: float) -> bool:
    return bool(0.6 < edge_of(spot.quad) / edge < 1.7 and np.isfinite(spot.quad).all())
