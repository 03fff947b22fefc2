"""Whole scenes from one seed: table, bowl, dice, hand, light and camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng, linear_table, pick
from models.training.cheap.bowl import Bowl, draw_bowl
from models.training.cheap.camera import Camera, aim
from models.training.cheap.clutter import litter
from models.training.cheap.compose import draw_dice
from models.training.cheap.glaze import MARGIN, SIZE, paint_bowl, plain_bowl
from models.training.cheap.ground import Sheet, bowl_sheet, glare, irradiance, table_sheet
from models.training.cheap.hands import draw_hand
from models.training.cheap.lights import Light, draw_light
from models.training.cheap.looks import Look, draw_looks
from models.training.cheap.photo import Photo, draw_photo, take
from models.training.cheap.rest import Rest
from models.training.cheap.tables import draw_table
from models.training.cheap.throws import bowl_throw, plain_throw
from models.training.cheap.truth import add_contrast, die_truth, throw_truth

CELL = 2
KINDS = {"bowl": 0.7, "plain": 0.3}
REQUESTS = {
    "in": 5.0,
    "tilted": 1.2,
    "out": 1.2,
    "five": 0.6,
    "stack": 0.9,
    "lean": 1.3,
    "hand": 0.7,
    "empty": 0.5,
    "many": 0.5,
}
SIZES = (((1280, 720), 5.0), ((960, 540), 2.0), ((640, 480), 1.5), ((800, 600), 1.0), ((640, 360), 0.8))
PLAIN_SIZES = (((640, 640), 3.0), ((640, 480), 2.0), ((960, 720), 1.0), ((1280, 720), 1.0), ((720, 960), 1.0))


@dataclass
class Setting:
    """All that a scene is made of before light falls on it. texture_mm: how wide a texture pixel is."""

    camera: Camera
    bowl: Bowl | None
    dice: list[Rest]
    looks: list[Look]
    table: Array
    texture_mm: float
    paint: Array
    request: str
    words: dict[str, Any]


def _size(rng: Rng, sizes: tuple[tuple[tuple[int, int], float], ...]) -> tuple[int, int]:
    p = np.array([weight for _, weight in sizes])
    return sizes[int(rng.choice(len(sizes), p=p / p.sum()))][0]


def bowl_setting(rng: Rng) -> Setting:
    """A bowl under an overhead camera, dice thrown."""
    size = _size(rng, SIZES)
    bowl = draw_bowl(rng)
    edge = float(np.clip(rng.normal(14, 2.2), 8.5, 19))
    edge = min(edge, bowl.floor / 2.2)
    across = size[1] * rng.uniform(0.48, 1.05)
    hfov = rng.uniform(48, 82)
    f = size[0] / 2 / np.tan(np.radians(hfov) / 2)
    distance = max(f * 2 * bowl.rim_radius / across, bowl.rim_height + 1.6 * bowl.rim_radius)
    slack = [max(size[0] / 2 - 0.42 * across, 0), max(size[1] / 2 - 0.42 * across, 0)]
    pixel = (size[0] / 2 + rng.uniform(-0.8, 0.8) * slack[0], size[1] / 2 + rng.uniform(-0.8, 0.8) * slack[1])
    tilt = float(rng.choice([rng.uniform(0, 12), rng.uniform(8, 35)], p=[0.5, 0.5]))
    camera = aim(rng, size, hfov, tilt, distance, pixel, np.array([0, 0, bowl.rim_height]))
    request = pick(rng, REQUESTS)
    n = {"empty": 0, "five": int(rng.integers(1, 6)), "many": int(rng.integers(7, 13))}.get(request, 6)
    looks = draw_looks(rng, n, 0.85, edge, 0.12)
    dice = bowl_throw(rng, bowl, camera, looks, request)
    table_kind, table = draw_table(rng)
    mm = distance / f * rng.uniform(0.9, 1.5)
    litter(rng, table, mm, int(rng.choice([0, 6, 14])), 0.05)
    painted, paint = paint_bowl(rng, bowl) if rng.random() < 0.9 else plain_bowl(rng)
    words = {"table": table_kind, "bowl_pattern": painted}
    return Setting(camera, bowl, dice, looks[: len(dice)], table, mm, paint, request, words)


def plain_setting(rng: Rng) -> Setting:
    """Dice on a table without a bowl."""
    size = _size(rng, PLAIN_SIZES)
    edge = float(np.clip(rng.normal(16, 2.5), 9, 25))
    px = float(np.exp(rng.uniform(np.log(14), np.log(85)))) * size[1] / 640
    hfov = rng.uniform(38, 75)
    f = size[0] / 2 / np.tan(np.radians(hfov) / 2)
    distance = f * edge / px
    tilt = float(rng.choice([rng.uniform(0, 15), rng.uniform(10, 55)], p=[0.4, 0.6]))
    camera = aim(rng, size, hfov, tilt, distance, (size[0] / 2, size[1] / 2), np.zeros(3))
    room = int(np.clip(size[0] * size[1] / (px * px * 5), 1, 40))
    n = int(rng.integers(1, min(room, int(rng.choice([3, 7, 15, 40]))) + 1))
    looks = draw_looks(rng, n, 0.45, edge, 0.5)
    dice = plain_throw(rng, camera, looks)
    table_kind, table = draw_table(rng)
    mm = distance / f * rng.uniform(0.9, 1.8)
    litter(rng, table, mm, int(rng.choice([0, 6, 14])), 0.3)
    return Setting(
        camera, None, dice, looks[: len(dice)], table, mm, table, "plain", {"table": table_kind, "bowl_pattern": None}
    )


def _grown(field: Array, width: int, height: int, cell: int) -> Array:
    """A coarse field at full size."""
    rows, cols = field.shape[:2]
    full = cv2.resize(field, (cols * cell, rows * cell), interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[:height, :width])


def _cover(sheet: Sheet, texture: Array, mm: float, angle: float, width: int, height: int) -> Array:
    """Linear albedo (height, width, 3) of a texture lying on a sheet, its middle on the axis."""
    c, s = np.float32(np.cos(angle) / mm), np.float32(np.sin(angle) / mm)
    half = np.float32(texture.shape[0] / 2)
    u = _grown(c * sheet.p[0] - s * sheet.p[1] + half, width, height, sheet.cell)
    v = _grown(s * sheet.p[0] + c * sheet.p[1] + half, width, height, sheet.cell)
    flat = cv2.remap(texture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(cv2.LUT(flat, linear_table()))


def _polygon(camera: Camera, points: Array, x0: int, y0: int, width: int, height: int) -> Array:
    mask = np.zeros((height, width), np.uint8)
    px = (camera.project(points) - [x0, y0]) * 16
    cv2.fillPoly(mask, [np.round(px).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return mask.astype(np.float32)[..., None] / 255


def _arcs(rng: Rng, light: Light, rows: int, cols: int) -> Array:
    """Bent streaks of light (rows, cols, 3) that a glossy wall throws on the floor."""
    out = np.zeros((rows, cols), np.float32)
    if rng.random() < 0.35:
        size = min(rows, cols)
        for _ in range(int(rng.integers(1, 4))):
            at = (int(cols * rng.uniform(0.3, 0.7)), int(rows * rng.uniform(0.3, 0.7)))
            axes = (int(size * rng.uniform(0.08, 0.3)), int(size * rng.uniform(0.05, 0.3)))
            turn, start = rng.uniform(0, 360, 2)
            cv2.ellipse(
                out, at, axes, turn, start, start + rng.uniform(40, 170), rng.uniform(0.2, 1.2), max(1, size // 60)
            )
        out[:] = cv2.GaussianBlur(out, (0, 0), max(0.8, size * rng.uniform(0.004, 0.02)))
    return np.asarray(out[..., None] * light.lamplight() * np.float32(0.7), np.float32)


def _draw_bowl(rng: Rng, setting: Setting, bowl: Bowl, light: Light, canvas: Array) -> None:
    camera = setting.camera
    sheet = bowl_sheet(camera, bowl, CELL)
    height, width = canvas[sheet.y0 :, sheet.x0 :].shape[:2]
    width, height = min(width, sheet.p.shape[2] * CELL), min(height, sheet.p.shape[1] * CELL)
    albedo = _cover(sheet, setting.paint, 2 * MARGIN * bowl.rim_radius / SIZE, 0.0, width, height)
    inside = [d for d in setting.dice if d.inside]
    falls = irradiance(rng, sheet, camera, light, inside, bowl, True)
    falls = falls + _arcs(rng, light, *falls.shape[:2])
    gloss = rng.uniform(0.5, 1.6) if rng.random() < 0.9 else rng.uniform(0, 0.3)
    shine = glare(sheet, camera, light, inside, gloss, float(np.exp(rng.uniform(np.log(0.01), np.log(0.5)))))
    # the coarse grid would show as steps on the thin lip
    shine = np.asarray(cv2.GaussianBlur(np.minimum(shine, 5), (0, 0), 0.7))
    inner = albedo * _grown(falls, width, height, CELL) + _grown(shine, width, height, CELL)
    part = canvas[sheet.y0 : sheet.y0 + height, sheet.x0 : sheet.x0 + width]
    # the outside below the rim, as a flaring wall seen past the lip
    body = albedo.reshape(-1, 3)[:: max(1, albedo.size // 30000)].mean(axis=0)
    wall = body * (light.sky * 0.4 + light.bounce * 0.6 + light.lamplight() * 0.12)
    levels = [bowl.ring(bowl.outer_radius(z), z, 48) for z in np.linspace(0, bowl.rim_height * 0.97, 6)]
    outline = np.concatenate(levels)
    hull = cv2.convexHull(camera.project(outline).astype(np.float32))[:, 0]
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(hull * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    x, y, w, h = cv2.boundingRect(hull)
    view = (slice(max(y - 1, 0), y + h + 2), slice(max(x - 1, 0), x + w + 2))
    share = mask[view][..., None].astype(np.float32) / 255
    canvas[view] = canvas[view] * (1 - share) + wall.astype(np.float32) * share
    rim = _polygon(
        camera, bowl.ring(bowl.rim_radius, bowl.rim_height - 0.2 * bowl.lip, 120), sheet.x0, sheet.y0, width, height
    )
    part[:] = part * (1 - rim) + inner * rim


def _expose(rng: Rng, canvas: Array) -> Array:
    """The canvas as bright as an automatic exposure would make it."""
    small = cv2.resize(canvas, (64, 36), interpolation=cv2.INTER_AREA).mean(axis=2)
    weight = np.ones_like(small)
    weight[9:27, 16:48] = rng.uniform(1, 6)
    gain = rng.uniform(0.13, 0.32) / max(float((small * weight).sum() / weight.sum()), 1e-3)
    gain = min(gain, rng.uniform(0.7, 1.6) / max(float(np.quantile(small, 0.97)), 1e-3))
    return np.asarray(canvas * np.float32(gain), np.float32)


def render(rng: Rng, setting: Setting) -> tuple[Array, list[dict[str, Any]], bool]:
    """Linear light (height, width, 3) of a setting, its dice's truth and whether a hand is seen."""
    camera, bowl = setting.camera, setting.bowl
    width, height = camera.width, camera.height
    mean = cv2.LUT(setting.table[::16, ::16], linear_table()).mean(axis=(0, 1))
    under = mean if bowl is None else cv2.LUT(setting.paint[::16, ::16], linear_table()).mean(axis=(0, 1))
    reach = float(np.linalg.norm(camera.position)) * 0.6 if bowl is None else 2 * bowl.rim_radius
    light = draw_light(rng, under, max(reach, 60.0))
    sheet = table_sheet(camera, CELL)
    on_table = [d for d in setting.dice if not d.inside]
    falls = irradiance(rng, sheet, camera, light, on_table, bowl, False)
    canvas = _cover(sheet, setting.table, setting.texture_mm, rng.uniform(0, 2 * np.pi), width, height)
    canvas = canvas * _grown(falls, width, height, CELL)
    if rng.random() < 0.4:
        shine = glare(
            sheet, camera, light, on_table, rng.uniform(0.1, 0.7), float(np.exp(rng.uniform(np.log(0.15), np.log(2))))
        )
        canvas += _grown(shine, width, height, CELL)
    if bowl is not None:
        _draw_bowl(rng, setting, bowl, light, canvas)
    hand: tuple[Array, Array] | None = None
    if setting.request == "hand" or rng.random() < 0.02:
        middle = camera.project(np.array([[0, 0, 0 if bowl is None else bowl.bottom]]))[0]
        spread = 60 if bowl is None else bowl.rim_radius
        px = camera.f / float(np.linalg.norm(camera.position))
        over = middle + rng.normal(0, 0.5, 2) * spread * px
        hand = draw_hand(rng, (width, height), over, 17 * px * rng.uniform(1.0, 1.4))
    if setting.dice:
        cover = None if hand is None else hand[0] > 0.5
        patch, seen = draw_dice(rng, camera, light, setting.dice, setting.looks, bowl, cover)
        patch.onto(canvas)
    else:
        seen = []
    shown = False
    if hand is not None:
        share, picture = hand
        shown = bool((share > 0.5).mean() > 0.002)
        fall = cv2.GaussianBlur(np.roll(share, tuple(int(v) for v in rng.integers(-25, 25, 2)), (0, 1)), (0, 0), 14)
        total = light.sky + light.lamplight()
        canvas = canvas * (1 - 0.45 * fall[..., None])
        canvas = canvas * (1 - share[..., None]) + picture * total * share[..., None]
    truth = [die_truth(camera, i, *of) for i, of in enumerate(zip(setting.dice, setting.looks, seen, strict=True))]
    return _expose(rng, np.minimum(canvas, 30)), truth, shown


def describe(setting: Setting, photo: Photo, dice: list[dict[str, Any]], hand: bool) -> dict[str, Any]:
    """The truth of a picture less its name."""
    bowl = setting.bowl
    styles = {d["style"] for d in dice}
    return {
        "maker": "cheap",
        "width": setting.camera.width,
        "height": setting.camera.height,
        "jpeg_quality": photo.jpeg_quality,
        "photo": photo.as_json(),
        "camera": setting.camera.as_json(),
        "bowl": None if bowl is None else bowl.as_json(setting.camera),
        **setting.words,
        "dice_style": next(iter(styles)) if len(styles) == 1 else "MIX" if styles else None,
        "dice": dice,
        **throw_truth(dice, bowl is not None),
        "kind": "throw" if dice else "empty",
        "throw_request": setting.request,
        "hand_visible": hand,
    }


def make_scene(rng: Rng, kind: str = "mix") -> tuple[Array, dict[str, Any]]:
    """A picture (height, width, 3, 8 bit BGR) and its truth; kind is bowl, plain or mix."""
    kind = pick(rng, KINDS) if kind == "mix" else kind
    setting = bowl_setting(rng) if kind == "bowl" else plain_setting(rng)
    light, dice, hand = render(rng, setting)
    sizes = [d["top_face_px"] for d in dice] or [30.0]
    photo = draw_photo(rng, float(np.median(sizes)))
    picture = take(rng, light, photo)
    add_contrast(picture, setting.camera, setting.dice, setting.looks, dice)
    return picture, describe(setting, photo, dice, hand)
