"""The exact truth of one throw, as its file states it: values, tilts, what is seen, what can be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.training.render.attitude import Lie, box_corners, faces_by_tilt, rotation, top_corners
from models.training.render.die import DieLook, die_mesh
from models.training.render.lens import HEIGHT, WIDTH, Lens

Array = npt.NDArray[np.float64]
Owner = Callable[[Array], npt.NDArray[np.int64]]
"""Who is seen along rays (n, 3) from the camera: the id of a die, or -1 for anything else."""

COCKED_DEG, IN_VIEW, TOP_SEEN, TOP_MARGIN_DEG, SMALL_PX = 25.0, 0.3, 0.6, 20.0, 13.0


def outline(lie: Lie, look: DieLook, lens: Lens) -> Array:
    """The outline of the whole die in the picture, a convex polygon (n, 2) that may leave it."""
    blank = {v: (np.array([[9.0, 9.0]]), 1.0) for v in range(1, 7)}
    points, _, _ = die_mesh(look, blank, 7)
    pixels = lens.project(points @ rotation(lie.quaternion).T + lie.position)
    return np.asarray(cv2.convexHull(pixels.astype(np.float32)).reshape(-1, 2), np.float64)


def die_truth(n: int, lie: Lie, look: DieLook, lens: Lens, owner: Owner, *, inside: bool) -> dict[str, Any]:
    """One die's entry."""
    ranked = faces_by_tilt(lie.quaternion, look)
    (tilt, value), (second_tilt, second) = ranked[0], ranked[1]
    top = lens.project(top_corners(lie, look))
    hull = outline(lie, look, lens)
    full = [*hull.min(axis=0), *hull.max(axis=0)]
    seen, top_seen, box = _seen(n, hull, top, lens, owner)
    area = abs(float(cv2.contourArea(top.astype(np.float32))))
    entry = {
        "id": n, "style": look.style, "edge_mm": round(look.edge, 2), "value": value, "tilt_deg": round(tilt, 2), "second_face": second,
        "tilt_margin_deg": round(second_tilt - tilt, 2), "in_view": seen >= IN_VIEW, "inside_bowl": inside, "resting_on": list(lie.resting_on),
        "cocked": bool(tilt > COCKED_DEG or lie.resting_on), "visible_fraction": round(seen, 3), "top_visible_fraction": round(top_seen, 3),
        "bbox": box, "bbox_full": [round(float(v), 1) for v in full], "top_face_px": round(float(np.sqrt(area)), 1),
        "top_center": [round(float(v), 2) for v in lens.project(top_corners(lie, look).mean(axis=0))[0]],
        "top_polygon": [[round(float(x), 2), round(float(y), 2)] for x, y in top],
        "position_mm": [round(float(v), 2) for v in lie.position], "quaternion_wxyz": [round(float(v), 5) for v in lie.quaternion],
    }  # fmt: skip
    if not entry["in_view"]:
        entry["value_note"] = "not in the picture or covered"
    return entry


def _seen(n: int, hull: Array, top: Array, lens: Lens, owner: Owner) -> tuple[float, float, list[int] | None]:
    """Visible part of the die and of its top face, and the box of its visible pixels."""
    low, high = np.floor(hull.min(axis=0)).astype(int), np.ceil(hull.max(axis=0)).astype(int) + 1
    if (high - low).max() > 400:
        return 0.0, 0.0, None
    ys, xs = np.mgrid[low[1] : high[1], low[0] : high[0]]
    shape = ys.shape
    whole, upper = (_filled(p - low, shape) for p in (hull, top))
    wanted = whole | upper
    pixels = np.stack([xs[wanted], ys[wanted]], axis=1)
    if not len(pixels):
        return 0.0, 0.0, None
    within = (pixels[:, 0] >= 0) & (pixels[:, 0] < WIDTH) & (pixels[:, 1] >= 0) & (pixels[:, 1] < HEIGHT)
    mine = np.zeros(len(pixels), bool)
    if within.any():
        mine[within] = owner(lens.rays(pixels[within].astype(np.float64))) == n
    on_top = upper[wanted]
    hits = pixels[mine]
    box = [int(v) for v in (*hits.min(axis=0), *(hits.max(axis=0) + 1))] if len(hits) else None
    return float(mine[whole[wanted]].sum() / max(whole.sum(), 1)), float(mine[on_top].sum() / max(on_top.sum(), 1)), box


def _filled(polygon: Array, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """The pixels whose centre lies in the polygon."""
    canvas = np.zeros((shape[0] * 4, shape[1] * 4), np.uint8)
    # four times finer, then the middle of each block, so that the border pixels count fairly
    cv2.fillPoly(canvas, [np.round((polygon * 4 + 1.5) * 16).astype(np.int32).reshape(-1, 1, 2)], 1, cv2.LINE_8, 4)
    return np.asarray(canvas.reshape(shape[0], 4, shape[1], 4)[:, 1:3, :, 1:3].sum(axis=(1, 3)) >= 3)


def throw_truth(dice: Sequence[dict[str, Any]], request: str, *, hand: bool) -> dict[str, Any]:
    """The throw's entries that follow from its dice."""
    seen = [d for d in dice if d["in_view"]]
    reasons = []
    if len(seen) < len(dice):
        reasons.append("fewer_than_six_in_view")
    if any(d["top_visible_fraction"] < TOP_SEEN for d in seen):
        reasons.append("top_face_hidden")
    if any(d["tilt_margin_deg"] < TOP_MARGIN_DEG for d in seen):
        reasons.append("top_face_ambiguous")
    if any(d["top_face_px"] < SMALL_PX for d in seen):
        reasons.append("too_small")
    inside = sum(d["inside_bowl"] for d in dice)
    return {
        "dice": list(dice), "expected_values": sorted(d["value"] for d in seen), "n_visible": len(seen), "all_in_bowl": inside == len(dice),
        "n_in_bowl": inside, "any_cocked": any(d["cocked"] for d in dice), "readable": not reasons, "unreadable_reasons": reasons,
        "kind": "throw", "throw_request": request, "hand_visible": hand,
    }  # fmt: skip


def patches(
    lies: Sequence[Lie], looks: Sequence[DieLook], lens: Lens, pad: tuple[int, int], margin: float
) -> list[tuple[int, int, int, int]]:
    """Rectangles (x0, y0, x1, y1) of the padded pinhole picture that hold the dice and their shadows; touching ones are merged."""
    w, h = WIDTH + 2 * pad[0], HEIGHT + 2 * pad[1]
    boxes = []
    for lie, look in zip(lies, looks, strict=True):
        p = lens.project(box_corners(lie, look.edge), distorted=False) + pad
        extra = margin * float(np.ptp(p, axis=0).mean())
        x0, y0 = np.floor(p.min(axis=0) - extra).astype(int)
        x1, y1 = np.ceil(p.max(axis=0) + extra).astype(int)
        if x1 > 4 and y1 > 4 and x0 < w - 4 and y0 < h - 4:
            boxes.append((max(int(x0), 0), max(int(y0), 0), min(int(x1), w), min(int(y1), h)))
    return joined(boxes)


def around(points: Array, lens: Lens, pad: tuple[int, int], margin: float) -> tuple[int, int, int, int]:
    """The rectangle of the padded pinhole picture round these world points that lie before the camera."""
    ahead = points[(points @ lens.rotation.T + lens.t)[:, 2] > 40.0]
    p = lens.project(ahead, distorted=False) + pad
    low, high = p.min(axis=0) - margin, p.max(axis=0) + margin
    w, h = WIDTH + 2 * pad[0], HEIGHT + 2 * pad[1]
    x0, y0 = int(np.clip(low[0], 0, w - 8)), int(np.clip(low[1], 0, h - 8))
    return x0, y0, int(np.clip(high[0], x0 + 8, w)), int(np.clip(high[1], y0 + 8, h))


def joined(boxes: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    """The same with overlapping boxes joined until none overlap."""
    out = list(boxes)
    for k in range(len(out)):
        for j in range(k + 1, len(out)):
            a, b = out[k], out[j]
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                both = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
                return joined([both, *(c for n, c in enumerate(out) if n not in (k, j))])
    return out
