"""Rays against dice: rounded cubes with pips, many rays at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.training.cheap.arrays import Array, dot, smoothstep, unit
from models.training.cheap.camera import Camera
from models.training.cheap.looks import Look
from models.training.cheap.rest import NORMALS, Rest, face_normal

STEPS = 8


@dataclass
class Hits:
    """Where rays met one die: columns and rows on the fine grid, depth, own-frame points and normals (3, n), face values (n)."""

    cols: Array
    rows: Array
    depth: Array
    local: Array
    normal: Array
    face: Array
    rays: Array

    def keep(self, which: Array) -> Hits:
        """The hits that `which` (n, bool) selects."""
        return Hits(
            self.cols[which], self.rows[which], self.depth[which], self.local[:, which], self.normal[:, which],
            self.face[which], self.rays[:, which],
        )  # fmt: skip


def slab(o: Array, d: Array, half: float) -> tuple[Array, Array]:
    """Distances (n) at which rays from o (3, n) or (3, 1) enter and leave a cube of the given half edge."""
    inv = 1 / np.where(np.abs(d) < 1e-7, np.float32(1e-7), d)
    a, b = (-half - o) * inv, (half - o) * inv
    enter, leave = np.minimum(a, b), np.maximum(a, b)
    first = np.maximum(np.maximum(enter[0], enter[1]), enter[2])
    return first, np.minimum(np.minimum(leave[0], leave[1]), leave[2])


def _distance(p: Array, core: float, edge_round: float, ball: float) -> Array:
    q = np.abs(p) - core
    m = np.maximum(q, 0)
    # outside the core: rays start on the cube round it, so no point is ever deep inside
    box = np.sqrt(dot(m, m)) - edge_round
    if ball > 3:
        return np.asarray(box)
    return np.asarray(np.maximum(box, np.sqrt(dot(p, p)) - ball))


def cast(camera: Camera, rest: Rest, look: Look, ss: int, margin: int) -> Hits:
    """What rays through the picture's fine grid (ss by ss a pixel) and `margin` pixels round it meet of the die."""
    empty = Hits(*(np.zeros(0, np.int32),) * 2, *(np.zeros(0, np.float32),), *(np.zeros((3, 0), np.float32),) * 2,
                 np.zeros(0, np.int8), np.zeros((3, 0), np.float32))  # fmt: skip
    corners = camera.project(rest.corners())
    x0, y0 = np.floor(corners.min(axis=0)) - 1
    x1, y1 = np.ceil(corners.max(axis=0)) + 2
    x0, y0 = max(x0, -margin), max(y0, -margin)
    x1, y1 = min(x1, camera.width + margin), min(y1, camera.height + margin)
    cols, rows = int((x1 - x0) * ss), int((y1 - y0) * ss)
    if cols <= 0 or rows <= 0:
        return empty
    d_world = camera.grid(x0, y0, cols, rows, 1 / ss).reshape(3, -1)
    back = rest.rotation.T.astype(np.float32)
    half = np.float32(look.edge_mm / 2)
    o = (back @ (camera.position - rest.centre).astype(np.float32))[:, None] / half
    d = back @ d_world
    enter, leave = slab(o, d, 1.0)
    hit = np.flatnonzero(enter < leave)
    d, t = d[:, hit], enter[hit]
    p = o + t * d
    core, edge_round = 1 - look.edge_round, look.edge_round
    for _ in range(STEPS):
        gap = _distance(p, core, edge_round, look.ball)
        t = t + gap
        p = o + t * d
    sure = _distance(p, core, edge_round, look.ball) < 0.02
    hit, p, d, t = hit[sure], p[:, sure], d[:, sure], t[sure]
    if not len(hit):
        return empty
    q = np.maximum(np.abs(p) - core, 0)
    normal = q * np.sign(p)
    if look.ball < 3:
        box = np.sqrt(dot(q, q)) - edge_round
        length = np.sqrt(dot(p, p))
        normal = np.where(length - look.ball > box, p, normal)
    normal = unit(normal)
    axis = np.abs(p).argmax(axis=0)
    sign = np.take_along_axis(p, axis[None], axis=0)[0] > 0
    table = np.zeros((3, 2), np.int8)
    for value in NORMALS:
        n = face_normal(value, look.hand)
        a = int(np.argmax(np.abs(n)))
        table[a, int(n[a] > 0)] = value
    face = table[axis, sign.astype(np.int8)]
    return Hits(
        (int(x0 * ss) + hit % cols).astype(np.int32),
        (int(y0 * ss) + hit // cols).astype(np.int32),
        t * half, np.asarray(p, np.float32), np.asarray(normal, np.float32), face, d_world[:, hit],
    )  # fmt: skip


@dataclass
class Skin:
    """What a die's surface is made of at some points: albedo (3, n), normal (3, n, own frame), gloss and pip share (n)."""

    albedo: Array
    normal: Array
    gloss: Array
    pip: Array


def _veins(look: Look, p: Array, body: Array) -> Array:
    f = look.pips[6][:, 0] * 9 + 2.3  # any numbers that belong to this die
    wave = np.sin(
        p[0] * f[0] + 2 * np.sin(p[1] * f[1] + 1.7) + 1.5 * np.sin(p[2] * f[2] * 2 + f[3]) + 1.3 * p[1] * f[4]
    )
    share = smoothstep(-0.4, 0.9, wave) * np.float32(look.veins)
    return np.asarray(body * (1 - share) + look.vein[:, None] * share, np.float32)


def skin(look: Look, local: Array, normal: Array, face: Array, pixel: float) -> Skin:
    """The surface at own-frame points (3, n); `pixel` is the size of a fine-grid cell on the die in half edges."""
    n = local.shape[1]
    albedo = np.repeat(look.body[:, None], n, axis=1)
    if look.veins > 0:
        albedo = _veins(look, local, albedo)
    bent = normal.copy()
    pip = np.zeros(n, np.float32)
    for value in range(1, 7):
        at = np.flatnonzero(face == value)
        if not len(at):
            continue
        axis = int(np.argmax(np.abs(face_normal(value, look.hand))))
        a, b = (axis + 1) % 3, (axis + 2) % 3
        u, v = local[a, at], local[b, at]
        best = np.full(len(at), 9, np.float32)
        du, dv, left, radius = (np.zeros(len(at), np.float32) for _ in range(4))
        for (pu, pv, pr), wear in zip(look.pips[value], look.wear[value], strict=True):
            x, y = (u - pu) / pr, (v - pv) / pr
            r = np.sqrt(x * x + y * y)
            near = r < best
            best = np.where(near, r, best)
            du, dv = np.where(near, x, du), np.where(near, y, dv)
            left, radius = np.where(near, wear, left), np.where(near, pr, radius)
        edge = (pixel + look.soft) / np.maximum(radius, 0.05)
        share = smoothstep(1 + edge, 1 - edge, best) * (local[:, at] * normal[:, at]).sum(axis=0).clip(0, 1)
        covered = share * left
        albedo[:, at] = albedo[:, at] * (1 - covered) + look.paint[value][:, None] * covered
        if look.cut > 0:
            # a cut pip is a dish: its far wall looks back at the middle
            hollow = np.float32(look.cut) * share * np.minimum(best, 1) ** 2
            bent[a, at] -= du * hollow
            bent[b, at] -= dv * hollow
        pip[at] = share
    return Skin(albedo, unit(bent), np.float32(look.gloss) * (1 + np.float32(look.pip_gloss - 1) * pip), pip)
