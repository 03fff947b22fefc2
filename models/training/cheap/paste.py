"""Ray-cast dice into pictures of empty bowls whose camera and bowl are known, such as a path tracer's."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng, linear_table, pick, to_display
from models.training.cheap.bowl import Bowl, from_profile, shape
from models.training.cheap.camera import Camera, camera_from_json
from models.training.cheap.compose import draw_dice
from models.training.cheap.ground import Sheet, bowl_sheet, irradiance, table_sheet
from models.training.cheap.lights import Light, draw_light
from models.training.cheap.looks import draw_looks
from models.training.cheap.photo import blur, draw_photo
from models.training.cheap.rest import Rest
from models.training.cheap.scene import CELL, REQUESTS
from models.training.cheap.throws import bowl_throw
from models.training.cheap.truth import add_contrast, die_truth, throw_truth


def bowl_of(rng: Rng, data: dict[str, Any]) -> Bowl:
    """The bowl of a set-up: from its `profile_mm` (pairs of radius and inside height) if it has one, else a likely shape."""
    radius, height, bottom = (float(data[k]) for k in ("rim_radius_mm", "rim_height_mm", "inner_bottom_height_mm"))
    if "profile_mm" in data:
        return from_profile(np.array(data["profile_mm"], np.float64), radius, height)
    floor = radius * rng.uniform(0.40, 0.55)
    return shape(
        radius, height, bottom, 0.035 * radius, floor, rng.uniform(1.6, 2.2), rng.uniform(0.5, 2.5), 0.45 * radius
    )


def _shadows(rng: Rng, camera: Camera, light: Light, dice: list[Rest], bowl: Bowl, canvas: Array) -> None:
    """Darken the picture where the dice take light away."""
    rim = np.zeros(canvas.shape[:2], np.uint8)
    edge = camera.project(bowl.ring(bowl.rim_radius, bowl.rim_height, 120))
    cv2.fillPoly(rim, [np.round(edge * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)

    def darken(sheet: Sheet, mine: list[Rest], inside: bool) -> None:
        if not mine:
            return
        without = irradiance(rng, sheet, camera, light, [], bowl, inside)
        left = irradiance(rng, sheet, camera, light, mine, bowl, inside) / np.maximum(without, 1e-4)
        rows, cols = left.shape[:2]
        full = cv2.resize(left, (cols * CELL, rows * CELL), interpolation=cv2.INTER_LINEAR)
        part = canvas[sheet.y0 : sheet.y0 + rows * CELL, sheet.x0 : sheet.x0 + cols * CELL]
        height, width = part.shape[:2]
        share = rim[sheet.y0 : sheet.y0 + height, sheet.x0 : sheet.x0 + width, None].astype(np.float32) / 255
        share = share if inside else 1 - share
        part *= 1 - share * (1 - np.clip(full[:height, :width], 0, 1))

    darken(table_sheet(camera, CELL), [d for d in dice if not d.inside], False)
    darken(bowl_sheet(camera, bowl, CELL), [d for d in dice if d.inside], True)


def paste_into(
    background: Array, setup: dict[str, Any], rng: Rng, request: str | None = None
) -> tuple[Array, dict[str, Any]]:
    """The empty picture (height, width, 3, 8 bit BGR) with dice thrown in, and the truth.

    setup: its truth in the simulated format (camera, bowl, photo). request: what to throw, drawn if None.
    """
    height, width = background.shape[:2]
    camera, bowl = camera_from_json(setup["camera"], width, height), bowl_of(rng, setup["bowl"])
    canvas = np.asarray(cv2.LUT(background, linear_table()), np.float32)
    rim = setup["bowl"]["rim_ellipse"]
    mask = np.zeros((height, width), np.uint8)
    axes = (rim["major"] * 0.8, rim["minor"] * 0.8)
    cv2.ellipse(mask, ((rim["cx"], rim["cy"]), axes, rim["angle_deg"]), 255, -1)
    inner = canvas[mask > 0]
    # white dice are about as bright as the brightest glaze beside them
    level = min(float(np.quantile(inner.max(axis=1), 0.85)) / 0.8 * rng.uniform(0.8, 1.3), 1.6)
    light = draw_light(rng, np.full(3, 0.5, np.float32), 2 * bowl.rim_radius)
    cast = (inner.mean(axis=0) / inner.mean()) ** rng.uniform(
        0.1, 0.7
    )  # the room's own tint, as far as the glaze tells
    gain = np.asarray(cast * level / max(float((light.sky + light.lamplight()).mean()), 1e-3), np.float32)
    light = replace(light, bounce=np.asarray(inner.mean(axis=0) / gain, np.float32))
    request = request or pick(rng, {k: v for k, v in REQUESTS.items() if k not in ("hand", "empty")})
    n = {"five": int(rng.integers(1, 6)), "many": int(rng.integers(7, 13))}.get(request, 6)
    looks = draw_looks(rng, n, 0.8, min(float(np.clip(rng.normal(14, 2.2), 8.5, 19)), bowl.floor / 2.2), 0.12)
    dice = bowl_throw(rng, bowl, camera, looks, request)
    looks = looks[: len(dice)]  # a small bowl may have no free place for the last one
    _shadows(rng, camera, light, dice, bowl, canvas)
    patch, seen = draw_dice(rng, camera, light, dice, looks, bowl, None)
    was = setup.get("photo", {})
    photo = replace(
        draw_photo(rng, 30.0),
        blur_sigma_px=float(was.get("blur_sigma_px", 0.6)),
        defocus_px=float(was.get("defocus_px", 0.0)) + float(was.get("extra_defocus_px", 0.0)),
        shake_px=0.0,
    )
    layer = np.zeros((height, width, 4), np.float32)
    rows, cols = patch.share.shape[:2]
    layer[patch.y0 : patch.y0 + rows, patch.x0 : patch.x0 + cols] = np.concatenate([patch.picture, patch.share], axis=2)
    layer = blur(layer, photo)
    grain = cv2.subtract(background, cv2.medianBlur(background, 3), dtype=cv2.CV_32F)[mask > 0]
    noise = rng.standard_normal((height, width, 1), np.float32) * np.float32(min(1.2 * float(grain.std()), 14.0))
    share = layer[..., 3:]
    bright = to_display(canvas * (1 - share) + layer[..., :3] * gain) * 255 + noise * share
    picture = np.clip(bright + 0.5, 0, 255).astype(np.uint8)
    truths = [die_truth(camera, i, *of) for i, of in enumerate(zip(dice, looks, seen, strict=True))]
    add_contrast(picture, camera, dice, looks, truths)
    styles = {d["style"] for d in truths}
    truth = {
        **{k: v for k, v in setup.items() if k not in ("image", "dice", "kind")},
        "maker": "cheap-paste",
        "background": setup.get("image"),
        "width": width,
        "height": height,
        "jpeg_quality": int(rng.integers(70, 97)),
        "dice_style": next(iter(styles)) if len(styles) == 1 else "MIX",
        "dice": truths,
        **throw_truth(truths, True),
        "kind": "throw",
        "throw_request": request,
        "hand_visible": False,
    }
    return picture, truth


def empties(folder: Path) -> list[Path]:
    """Truth files of the empty bowls in a folder of simulated pictures."""
    found = []
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text())
        if data.get("kind") == "empty" and data.get("bowl") and (folder / str(data.get("image"))).exists():
            found.append(path)
    return found


def paste_one(path: Path, rng: Rng) -> tuple[Array, dict[str, Any]]:
    """Dice into the empty bowl whose truth file is given."""
    setup = json.loads(path.read_text())
    background = cv2.imread(str(path.parent / setup["image"]))
    if background is None:
        raise FileNotFoundError(
            f"{path.parent / setup['image']} cannot be read as a picture; make the empty bowls again"
        )
    return paste_into(np.asarray(background, np.uint8), setup, rng)
