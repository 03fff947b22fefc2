"""What a made picture shows, in the words and the format of the simulated camera's pictures."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from models.training.cheap.arrays import Array
from models.training.cheap.camera import Camera
from models.training.cheap.compose import Seen
from models.training.cheap.looks import Look
from models.training.cheap.rest import COCKED_DEG, Rest, face_normal

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


def add_contrast(
    picture: Array, camera: Camera, dice: list[Rest], looks: list[Look], truths: list[dict[str, Any]]
) -> None:
    """Write `pip_contrast` into every die's truth: how far (0 to 1) the palest pip of its top face is from that face.

    Measured in the finished picture; None where the top face is not wholly in it. Low: nobody could count these pips.
    """
    for rest, look, truth in zip(dice, looks, truths, strict=True):
        truth["pip_contrast"] = None
        n = face_normal(truth["value"], look.hand)
        axis = int(np.argmax(np.abs(n)))
        pips = look.pips[truth["value"]]
        spots = np.zeros((len(pips), 3))
        spots[:, axis] = n[axis]
        spots[:, (axis + 1) % 3], spots[:, (axis + 2) % 3] = pips[:, 0], pips[:, 1]
        px = np.round(camera.project(spots * rest.edge / 2 @ rest.rotation.T + rest.centre)).astype(int)
        polygon = np.array(truth["top_polygon"])
        low, high = np.floor(polygon.min(axis=0)).astype(int), np.ceil(polygon.max(axis=0)).astype(int) + 1
        if truth["bbox"] is None or low.min() < 1 or high[0] >= camera.width or high[1] >= camera.height:
            continue
        part = picture[low[1] : high[1], low[0] : high[0]]
        mask = np.zeros(part.shape[:2], np.uint8)
        middle = polygon.mean(axis=0)
        cv2.fillPoly(mask, [np.round(middle + (polygon - middle) * 0.85 - low).astype(np.int32)], 1)
        face = part[mask > 0].astype(np.float32)
        if not len(face):
            continue
        body = np.median(face, axis=0)
        away = [float(np.abs(picture[y - 1 : y + 2, x - 1 : x + 2].mean(axis=(0, 1)) - body).max()) for x, y in px]
        truth["pip_contrast"] = round(min(away) / 255, 3)


def throw_truth(dice: list[dict[str, Any]], has_bowl: bool) -> dict[str, Any]:
    """The summary over all dice."""
    if not dice:
        return {"expected_values": [], "n_visible": 0, "all_in_bowl": None, "n_in_bowl": 0, "any_cocked": False,
                "readable": None, "unreadable_reasons": []}  # fmt: skip
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
        "all_in_bowl": has_bowl and all(d["inside_bowl"] for d in dice),
        "n_in_bowl": sum(d["inside_bowl"] for d in dice),
        "any_cocked": any(d["cocked"] for d in dice),
        "readable": not why,
        "unreadable_reasons": why,
    }
