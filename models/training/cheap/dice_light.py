"""Light on dice: from the surface that rays met to the colour that the camera sees."""

from __future__ import annotations

import numpy as np

from models.training.cheap.arrays import Array, Rng, dot, unit
from models.training.cheap.camera import Camera
from models.training.cheap.lights import Light
from models.training.cheap.looks import Look
from models.training.cheap.raycast import Hits, skin, slab
from models.training.cheap.rest import Rest, face_normal


def _crowd(dice: list[Rest], k: int, p: Array, n: Array) -> Array:
    """Share (n) of the light from all round that neighbours and the ground leave to points p of die k."""
    left = np.ones(p.shape[1], np.float32)
    for i, other in enumerate(dice):
        gap = other.centre - dice[k].centre
        if i == k or gap @ gap > (2.6 * other.edge) ** 2:
            continue
        way = other.centre.astype(np.float32)[:, None] - p
        d2 = dot(way, way)
        facing = np.maximum(dot(way, n), 0) / np.sqrt(d2)
        left *= 1 - np.minimum(facing * (0.30 * other.edge**2) / d2, 0.75)
    return left


def _shade(rng: Rng, light: Light, dice: list[Rest], k: int, p: Array, lamp_index: int) -> Array:
    """Share (n) of one lamp that the other dice leave to points p of die k."""
    lamp = light.lamps[lamp_index]
    lit = np.ones(p.shape[1], np.float32)
    spots = lamp.points(rng, 16)[rng.integers(0, 16, p.shape[1])].T
    for i, other in enumerate(dice):
        gap = other.centre - dice[k].centre
        if i == k or gap @ gap > (3.5 * other.edge) ** 2:
            continue
        back = other.rotation.T.astype(np.float32)
        centre = other.centre.astype(np.float32)[:, None]
        local = back @ (p - centre)
        enter, leave = slab(local, back @ (spots - p), other.edge * 0.47)
        lit *= ~((enter < leave) & (leave > 0.0))
    return lit


def _through(look: Look, rest: Rest, hits: Hits, pixel: float) -> Array:
    """Albedo (3, n) of the far wall seen through a clear die."""
    back = rest.rotation.T.astype(np.float32)
    # light bends towards the normal on its way in
    d = unit(back @ hits.rays - np.float32(0.33) * hits.normal)
    _, leave = slab(hits.local, d, 1.0)
    far = hits.local + d * leave
    axis = np.abs(far).argmax(axis=0)
    value = np.zeros(far.shape[1], np.int8)
    for v in range(1, 7):
        n = face_normal(v, look.hand)
        a = int(np.argmax(np.abs(n)))
        value[(axis == a) & ((far[a] > 0) == (n[a] > 0))] = v
    normal = np.zeros_like(far)
    np.put_along_axis(normal, axis[None], np.sign(np.take_along_axis(far, axis[None], 0)), 0)
    return skin(look, np.asarray(far, np.float32), np.asarray(normal, np.float32), value, pixel + 0.08).albedo


def colours(rng: Rng, camera: Camera, light: Light, dice: list[Rest], k: int, look: Look, hits: Hits, ss: int) -> Array:
    """Linear colours (n, 3) of what rays met of die k."""
    rest = dice[k]
    half = look.edge_mm / 2
    pixel = float(np.mean(hits.depth)) / camera.f / ss / half * 0.6
    surface = skin(look, hits.local, hits.normal, hits.face, pixel)
    to_world = rest.rotation.astype(np.float32)
    n = to_world @ surface.normal
    smooth = to_world @ hits.normal
    p = to_world @ (hits.local * np.float32(half)) + rest.centre.astype(np.float32)[:, None]
    crowd = _crowd(dice, k, p, smooth)
    if look.cut > 0:
        crowd = crowd * (1 - 0.35 * np.float32(look.cut) * surface.pip)
    # near its foot a side face sees little but its own shadow
    low = p[2] - np.float32(rest.corners()[:, 2].min())
    foot = 1 - 0.4 * np.exp(-low / np.float32(half) * 2.2) * (1 - np.clip(smooth[2], 0, 1))
    total = light.ambient(n) * (crowd * foot)
    wrap = np.float32(0.18)  # light goes a little way into the stuff of a die and out again
    for i, lamp in enumerate(light.lamps):
        straight = light.direct(p, n, lamp)
        place = lamp.place.astype(np.float32)[:, None] - p
        around = dot(place, smooth) / np.sqrt(dot(place, place))
        soft = wrap * np.clip(around * 0.5 + 0.5, 0, 1)
        total += lamp.light[:, None] * ((straight * (1 - wrap) + soft) * _shade(rng, light, dice, k, p, i))
    albedo = surface.albedo
    if look.clear > 0:
        behind = _through(look, rest, hits, pixel)
        see = np.float32(look.clear) * (1 - surface.pip)
        inner = (light.sky * 0.35 + light.lamplight() * 0.4 + light.bounce * 0.3)[:, None]
        lit = albedo * total * (1 - see) + behind * inner * see
    else:
        lit = albedo * total
    d = hits.rays
    along = dot(d, n)
    mirror = d - 2 * along * n
    share = surface.gloss * (0.04 + 0.96 * (1 - np.clip(-along, 0, 1)) ** 5) * crowd
    lit = lit + light.mirror(p, mirror, look.rough) * np.minimum(share, 0.6)
    return np.ascontiguousarray(lit.T, np.float32)
