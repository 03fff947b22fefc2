"""Light on what dice lie on: lamps, shadows of dice and bowl, dark corners where things touch, glare."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from models.training.cheap.arrays import Array, Rng, dot, smoothstep, unit
from models.training.cheap.bowl import Bowl
from models.training.cheap.camera import Camera
from models.training.cheap.lights import Lamp, Light
from models.training.cheap.raycast import slab
from models.training.cheap.rest import Rest

SHADOW_RAYS = 6


@dataclass
class Sheet:
    """A piece of ground seen by the camera at a coarse grid: picture corner, cell size, points and normals (3, rows, cols)."""

    x0: int
    y0: int
    cell: int
    p: Array
    n: Array


def table_sheet(camera: Camera, cell: int) -> Sheet:
    """The whole table's top as seen."""
    cols, rows = -(-camera.width // cell), -(-camera.height // cell)
    d = camera.grid(-0.0, -0.0, cols, rows, cell)
    eye = camera.position.astype(np.float32)
    t = -eye[2] / np.minimum(d[2], -0.06)
    p = np.stack([eye[0] + t * d[0], eye[1] + t * d[1], np.zeros_like(t)])
    n = np.zeros_like(p)
    n[2] = 1
    return Sheet(0, 0, cell, np.asarray(p, np.float32), n)


def bowl_sheet(camera: Camera, bowl: Bowl, cell: int) -> Sheet:
    """The part of the picture round the rim, as points of the bowl's inside."""
    rim = camera.project(bowl.ring(bowl.rim_radius, bowl.rim_height, 48))
    x0, y0 = (int(v) for v in np.maximum(np.floor(rim.min(axis=0)) - 4, 0))
    x1, y1 = np.minimum(np.ceil(rim.max(axis=0)) + 5, [camera.width, camera.height])
    cols, rows = max(1, int(-(-(x1 - x0) // cell))), max(1, int(-(-(y1 - y0) // cell)))
    p, n = bowl.seen(camera.position, camera.grid(x0, y0, cols, rows, cell))
    return Sheet(x0, y0, cell, p, n)


def _window(sheet: Sheet, camera: Camera, points: Array) -> tuple[slice, slice] | None:
    px = (camera.project(points) - [sheet.x0, sheet.y0]) / sheet.cell
    rows, cols = sheet.p.shape[1:]
    x0, y0 = np.maximum(np.floor(px.min(axis=0)).astype(int) - 2, 0)
    x1, y1 = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 3, [cols, rows])
    return (slice(int(y0), int(y1)), slice(int(x0), int(x1))) if x1 > x0 and y1 > y0 else None


def _dice_shadow(rng: Rng, sheet: Sheet, camera: Camera, dice: list[Rest], lamp: Lamp) -> Array:
    """Share (rows, cols) of the lamp that dice leave."""
    lit = np.ones(sheet.p.shape[1:], np.float32)
    points = lamp.points(rng, SHADOW_RAYS)
    for die in dice:
        corners = die.corners()
        low = corners[:, 2].min()
        way = corners - lamp.place
        fall = corners + way * ((corners[:, 2:3] - low) / np.maximum(-way[:, 2:3], 1.0))
        window = _window(sheet, camera, np.concatenate([corners, fall, fall + 0.2 * (fall - corners)]))
        if window is None:
            continue
        p = sheet.p[:, window[0], window[1]]
        size = p.shape[1:]
        back = die.rotation.T.astype(np.float32)
        local = back @ (p.reshape(3, -1) - die.centre.astype(np.float32)[:, None])
        dark = np.zeros(local.shape[1], np.float32)
        for spot in points:
            target = (back @ (spot - die.centre).astype(np.float32))[:, None]
            enter, leave = slab(local, target - local, die.edge * 0.48)
            dark += (enter < leave) & (leave > 0.0) & (enter < 1.0)
        soft = cv2.GaussianBlur(dark.reshape(size) / SHADOW_RAYS, (0, 0), 1.0)
        lit[window[0], window[1]] *= 1 - soft
    return lit


def _nearness(sheet: Sheet, camera: Camera, dice: list[Rest], strength: float) -> Array:
    """Share (rows, cols) of the light from all round that dice leave."""
    left = np.ones(sheet.p.shape[1:], np.float32)
    for die in dice:
        corners = die.corners()
        around = die.centre + (corners - die.centre) * 2.2
        window = _window(sheet, camera, around)
        if window is None:
            continue
        p = sheet.p[:, window[0], window[1]]
        local = die.rotation.T.astype(np.float32) @ (p.reshape(3, -1) - die.centre.astype(np.float32)[:, None])
        q = np.abs(local) - np.float32(die.edge * 0.47)
        gap = np.sqrt((np.maximum(q, 0) ** 2).sum(axis=0)) / np.float32(die.edge)
        left[window[0], window[1]] *= 1 - np.float32(strength) * np.exp(-gap * 4.5).reshape(p.shape[1:])
    return left


def _bowl_shadow(sheet: Sheet, bowl: Bowl, lamp: Lamp, inside: bool) -> Array:
    """Share (rows, cols) of the lamp that the bowl itself leaves, on its inside or on the table round it."""
    lit = np.ones(sheet.p.shape[1:], np.float32)
    place = lamp.place.astype(np.float32)
    for z in (bowl.rim_height,) if inside else (bowl.rim_height * 0.96, bowl.rim_height * 0.5):
        s = (np.float32(z) - sheet.p[2]) / (place[2] - sheet.p[2])
        x, y = sheet.p[0] + s * (place[0] - sheet.p[0]), sheet.p[1] + s * (place[1] - sheet.p[1])
        r = np.sqrt(x * x + y * y)
        blur = np.float32(max(lamp.half) / lamp.place[2] * bowl.rim_height * 0.8 + 1.0)
        edge = np.float32(bowl.rim_radius - 0.5 * bowl.lip if inside else bowl.outer_radius(z))
        seen = smoothstep(edge + blur, edge - blur, r)
        if inside:
            low = smoothstep(0.0, 2 * bowl.lip, bowl.rim_height - sheet.p[2])
            lit *= 1 - low * (1 - seen)
        else:
            lit *= 1 - seen
    return lit


def irradiance(
    rng: Rng, sheet: Sheet, camera: Camera, light: Light, dice: list[Rest], bowl: Bowl | None, inside: bool
) -> Array:
    """Light (rows, cols, 3) that falls on a sheet."""
    around = _nearness(sheet, camera, dice, rng.uniform(0.35, 0.75))
    if bowl is not None:
        r = np.sqrt(sheet.p[0] ** 2 + sheet.p[1] ** 2)
        if inside:
            # the wall takes sky away and throws light back
            around = around * (0.72 + 0.28 * np.minimum(r / np.float32(bowl.rim_radius), 1))
        else:
            around = around * (1 - 0.75 * smoothstep(bowl.rim_radius * 1.12, bowl.foot * 0.9, r))
    total = light.ambient(sheet.n) * around
    for lamp in light.lamps:
        lit = _dice_shadow(rng, sheet, camera, dice, lamp)
        if bowl is not None:
            lit = lit * _bowl_shadow(sheet, bowl, lamp, inside)
        total += lamp.light[:, None, None] * (light.direct(sheet.p, sheet.n, lamp) * lit)
    return np.ascontiguousarray(total.transpose(1, 2, 0))


def _mirrored_dice(sheet: Sheet, camera: Camera, d: Array, dice: list[Rest]) -> Array:
    """Share (rows, cols) of the mirrored room that is not hidden by dice mirrored before it."""
    free = np.ones(sheet.p.shape[1:], np.float32)
    for die in dice:
        around = die.centre + (die.corners() - die.centre) * 2.5
        window = _window(sheet, camera, around)
        if window is None:
            continue
        p, way = sheet.p[:, window[0], window[1]], d[:, window[0], window[1]]
        back = die.rotation.T.astype(np.float32)
        local = back @ (p.reshape(3, -1) - die.centre.astype(np.float32)[:, None])
        enter, leave = slab(local, back @ np.ascontiguousarray(way).reshape(3, -1), die.edge * 0.47)
        hit = ((enter < leave) & (leave > 0)).astype(np.float32).reshape(p.shape[1:])
        free[window[0], window[1]] *= 1 - cv2.GaussianBlur(hit, (0, 0), 0.7)
    return free


def glare(sheet: Sheet, camera: Camera, light: Light, dice: list[Rest], gloss: float, rough: float) -> Array:
    """Mirrored light (rows, cols, 3) of a glossy sheet with dice on it."""
    eye = camera.position.astype(np.float32)[:, None, None]
    d = unit(sheet.p - eye)
    along = dot(d, sheet.n)
    r = d - 2 * along * sheet.n
    share = np.float32(gloss) * (0.04 + 0.96 * (1 - np.clip(-along, 0, 1)) ** 5)
    seen = light.mirror(sheet.p, r, rough)
    free = _mirrored_dice(sheet, camera, r, dice)
    seen = seen * free + light.sky[:, None, None] * np.float32(0.6) * (1 - free)
    return np.ascontiguousarray((seen * share).transpose(1, 2, 0), np.float32)
