"""What a made picture shows, in the words and the format of the simulated camera's pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from models.training.cheap.arrays import Array
from models.training.cheap.camera import Camera
from models.training.cheap.compose import Seen
from models.training.cheap.looks import Look
from models.training.cheap.rest import COCKED_DEG, Rest

MIN_SEEN, MIN_TOP, MIN_MARGIN_DEG, MIN_PX, FULL_SET = 0.3, 0.6, 20.0, 13.0, 6


def _pairs(points: Array) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]


def _quaternion(m: Array) -> list[float]:
    """Rotation matrix as w, x, y, z."""
    k = np.array(
        [
            [m[0, 0] - m[1, 1] - m[2, 2], 0, 0, 0],
            [m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0, 0],
            [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], 0],
            [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], m[0, 0] + m[1, 1] + m[2, 2]],
        ]
    )
    _, vectors = np.linalg.eigh(k / 3)
    x, y, z, w = vectors[:, -1]
    return [round(float(v), 5) for v in (w, x, y, z)]


def die_truth(camera: Camera, i: int, rest: Rest, look: Look, seen: Seen) -> dict[str, Any]:
    """One die of the truth."""
    tilts = rest.tilts()
    polygon = camera.project(rest.top_corners())
    x, y = polygon[:, 0], polygon[:, 1]
    area = 0.5 * abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))))
    centre = camera.project(rest.top_corners().mean(axis=0, keepdims=True))[0]
    return {
        "id": i,
        "style": look.style,
        "edge_mm": round(look.edge_mm, 2),
        "value": tilts[0][1],
        "tilt_deg": round(tilts[0][0], 2),
        "second_face": tilts[1][1],
        "tilt_margin_deg": round(tilts[1][0] - tilts[0][0], 2),
        "in_view": seen.share >= MIN_SEEN,
        "inside_bowl": rest.inside,
        "resting_on": rest.resting_on,
        "cocked": tilts[0][0] > COCKED_DEG or bool(rest.resting_on),
        "visible_fraction": round(seen.share, 3),
        "top_visible_fraction": round(seen.top_share, 3),
        "bbox": None if seen.box is None else list(seen.box),
        "bbox_full": [round(float(v), 1) for v in seen.whole_box],
        "top_face_px": round(area**0.5, 1),
        "top_center": [round(float(v), 2) for v in centre],
        "top_polygon": _pairs(polygon),
        "position_mm": [round(float(v), 2) for v in rest.centre],
        "quaternion_wxyz": _quaternion(rest.rotation),
    }


def throw_truth(dice: list[dict[str, Any]], has_bowl: bool) -> dict[str, Any]:
    """The summary over all dice."""
    shown = [d for d in dice if d["in_view"]]
    why = []
    if len(shown) < FULL_SET:
        why.append("fewer_than_six_in_view")
    if any(d["top_visible_fraction"] < MIN_TOP for d in shown):
        why.append("top_face_hidden")
    if any(d["tilt_margin_deg"] < MIN_MARGIN_DEG for d in shown):
        why.append("top_face_ambiguous")
    if any(d["top_face_px"] < MIN_PX for d in shown):
        why.append("too_small")
    if len(shown) > FULL_SET:
        why.append("more_than_six_in_view")
    return {
        "expected_values": sorted(d["value"] for d in shown),
        "n_visible": len(shown),
        "all_in_bowl": bool(dice) and has_bowl and all(d["inside_bowl"] for d in dice),
        "n_in_bowl": sum(d["inside_bowl"] for d in dice),
        "any_cocked": any(d["cocked"] for d in dice),
        "readable": not why,
        "unreadable_reasons": why,
    }
