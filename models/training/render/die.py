"""One die: its style, where its values sit, its rounded body with cut pips, and its painted faces."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from models.training.render.noise import Field, fractal, mix

Array = npt.NDArray[np.float64]
Colour = tuple[float, float, float]
FACE_PX = 160

# body, ink of most pips, ink of 1, ink of 4, big 1, weight in the draw
STYLES: dict[str, tuple[Colour, Colour, Colour, Colour, bool, float]] = {
    "cn_white": ((0.90, 0.90, 0.88), (0.04, 0.04, 0.05), (0.76, 0.05, 0.06), (0.76, 0.05, 0.06), True, 0.34),
    "cn_ivory": ((0.88, 0.80, 0.62), (0.05, 0.04, 0.04), (0.72, 0.07, 0.06), (0.72, 0.07, 0.06), True, 0.17),
    "cn_blue": ((0.90, 0.90, 0.89), (0.07, 0.14, 0.55), (0.76, 0.05, 0.06), (0.76, 0.05, 0.06), True, 0.14),
    "plain_black": ((0.90, 0.90, 0.88), (0.04, 0.04, 0.05), (0.04, 0.04, 0.05), (0.04, 0.04, 0.05), False, 0.10),
    "red_trans": ((0.78, 0.03, 0.05), (0.93, 0.93, 0.93), (0.93, 0.93, 0.93), (0.93, 0.93, 0.93), False, 0.06),
    "black_white": ((0.04, 0.04, 0.045), (0.92, 0.92, 0.92), (0.92, 0.92, 0.92), (0.92, 0.92, 0.92), False, 0.05),
    "blue_white": ((0.07, 0.10, 0.50), (0.92, 0.92, 0.92), (0.92, 0.92, 0.92), (0.92, 0.92, 0.92), False, 0.05),
    "green_white": ((0.04, 0.36, 0.16), (0.92, 0.92, 0.92), (0.92, 0.92, 0.92), (0.92, 0.92, 0.92), False, 0.04),
    "yellow_black": ((0.90, 0.70, 0.10), (0.05, 0.05, 0.05), (0.05, 0.05, 0.05), (0.05, 0.05, 0.05), False, 0.03),
    "pink_white": ((0.88, 0.40, 0.55), (0.95, 0.95, 0.95), (0.95, 0.95, 0.95), (0.95, 0.95, 0.95), False, 0.02),
}  # fmt: skip

_AXES = {1: 2, 6: 2, 2: 0, 5: 0, 3: 1, 4: 1}


@dataclass(frozen=True, slots=True)
class DieLook:
    """A die's make: edge and rounding in mm; pip measures as parts of the edge; flips turn 2, 3, 6 the other way."""

    style: str
    edge: float
    rounding: float
    pip_radius: float
    one_radius: float
    spread: float
    depth: float
    soft: float
    left_handed: bool
    flips: tuple[bool, bool, bool]
    wear: float
    off_centre: float
    roughness: float
    dirt: float


def draw_look(rng: np.random.Generator, style: str | None = None) -> DieLook:
    """A new make of die, 12-20 mm, Chinese style in two of three cases."""
    names = list(STYLES)
    weights = np.array([STYLES[n][5] for n in names])
    name = style or str(rng.choice(names, p=weights / weights.sum()))
    edge = float(np.clip(rng.normal(15.2, 1.7), 12.0, 20.0))
    pip = float(rng.uniform(0.075, 0.115))
    big = STYLES[name][4] and rng.random() < 0.85
    cut = rng.random() < 0.75
    flips = tuple(bool(rng.random() < 0.5) for _ in range(3))
    return DieLook(
        style=name, edge=edge, rounding=edge * float(rng.uniform(0.07, 0.2)), pip_radius=pip,
        one_radius=float(rng.uniform(0.12, 0.22)) if big else pip * float(rng.uniform(1.0, 1.35)),
        spread=float(rng.uniform(0.23, 0.285)), depth=edge * float(rng.uniform(0.02, 0.06)) if cut else 0.0,
        soft=float(rng.uniform(0.8, 3.5)), left_handed=bool(rng.random() < 0.5), flips=(flips[0], flips[1], flips[2]),
        wear=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.22 else 0.0,
        off_centre=float(rng.uniform(0.01, 0.035)) if rng.random() < 0.25 else 0.004,
        roughness=float(rng.uniform(0.06, 0.4)), dirt=float(rng.uniform(0, 0.25)) if rng.random() < 0.4 else 0.03,
    )  # fmt: skip


def sibling(rng: np.random.Generator, look: DieLook, style: str | None = None) -> DieLook:
    """Another die of the same set, or of another style in a mixed bowl; its edge may differ a little there."""
    if style is None:
        return look
    return replace(draw_look(rng, style), edge=look.edge * float(rng.uniform(0.95, 1.05)))


def face_normal(value: int, *, left_handed: bool) -> Array:
    """Unit normal in the die's own axes of the face that shows `value`; right-handed dice turn 1, 2, 3 counter-clockwise."""
    axis = _AXES[value]
    if left_handed and axis != 2:
        axis = 1 - axis
    normal = np.zeros(3)
    normal[axis] = 1.0 if value <= 3 else -1.0
    return normal


def face_frame(value: int, *, left_handed: bool) -> tuple[Array, Array, Array]:
    """Right, up and normal of a face, a right-handed frame in the die's own axes."""
    normal = face_normal(value, left_handed=left_handed)
    right = np.roll(np.abs(normal), 1)
    return right, np.cross(normal, right), normal


def pip_places(value: int, look: DieLook) -> Array:
    """Centres of the pips on a face, (n, 2), as parts of the edge from the middle of the face."""
    s = look.spread
    flip = {2: look.flips[0], 3: look.flips[1], 6: look.flips[2]}.get(value, False)
    diagonal = [(-s, -s), (s, s)]
    places = {
        1: [(0.0, 0.0)], 2: diagonal, 3: [*diagonal, (0.0, 0.0)], 4: [(-s, -s), (s, s), (-s, s), (s, -s)],
        5: [(-s, -s), (s, s), (-s, s), (s, -s), (0.0, 0.0)], 6: [(x, y) for x in (-s * 0.95, s * 0.95) for y in (-s, 0.0, s)],
    }[value]  # fmt: skip
    points = np.array(places)
    if flip:
        points = points[:, ::-1] if value == 6 else points * [1.0, -1.0]
    return points


def place_pips(rng: np.random.Generator, look: DieLook) -> dict[int, tuple[Array, float]]:
    """Where this very die has its pips: per value the centres and the radius, off centre as its make is."""
    out: dict[int, tuple[Array, float]] = {}
    for value in range(1, 7):
        shift = rng.normal(0, look.off_centre, 2)
        points = pip_places(value, look) + np.clip(shift, -0.05, 0.05)
        radius = look.one_radius if value == 1 else look.pip_radius
        out[value] = (
            points + rng.normal(0, look.off_centre * 0.3, points.shape),
            radius * float(rng.uniform(0.97, 1.03)),
        )
    return out


def die_mesh(
    look: DieLook, pips: dict[int, tuple[Array, float]], grid: int
) -> tuple[Array, npt.NDArray[np.int64], Array]:
    """Vertices (mm), quads and their UVs (quads x 4 x 2) of a rounded die with its pips cut in; the atlas is 3 x 2 faces."""
    half, inner = look.edge / 2, look.edge / 2 - look.rounding
    line = np.linspace(-1, 1, grid)
    vertices, quads, uvs = [], [], []
    index = np.arange(grid * grid).reshape(grid, grid)
    cells = np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1).reshape(-1, 4)
    for value in range(1, 7):
        right, up, normal = face_frame(value, left_handed=look.left_handed)
        b, a = np.meshgrid(line, line, indexing="ij")
        cube = (a.reshape(-1, 1) * right + b.reshape(-1, 1) * up + normal) * half
        core = np.clip(cube, -inner, inner)
        out = cube - core
        body = core + look.rounding * out / np.linalg.norm(out, axis=1, keepdims=True)
        centres, radius = pips[value]
        places = np.stack([a.reshape(-1), b.reshape(-1)], axis=1) / 2
        gap = np.sqrt(((places[:, None] - centres[None]) ** 2).sum(-1)).min(axis=1) / radius
        body -= normal * (look.depth * np.clip(1 - gap**2, 0, 1))[:, None]
        vertices.append(body)
        quads.append(cells + (value - 1) * grid * grid)
        column, row = (value - 1) % 3, (value - 1) // 3
        uv = np.stack([(column + 0.5 + places[:, 0]) / 3, (row + 0.5 + places[:, 1]) / 2], axis=1)
        uvs.append(uv[cells])
    every = np.concatenate(vertices)
    # faces share their edges, so that shading runs smoothly round them
    unique, back = np.unique(np.round(every, 4), axis=0, return_inverse=True)
    return unique, back.reshape(-1)[np.concatenate(quads)], np.concatenate(uvs)


def die_paint(rng: np.random.Generator, look: DieLook, pips: dict[int, tuple[Array, float]]) -> tuple[Field, Field]:
    """The atlas of the six faces (RGB 0 to 1, row 0 at v = 0) and the mask of its pips."""
    body, ink, ink1, ink4, _, _ = STYLES[look.style]
    n = FACE_PX
    picture, masks = np.zeros((2 * n, 3 * n, 3), np.float32), np.zeros((2 * n, 3 * n), np.float32)
    y, x = (np.mgrid[0:n, 0:n] + 0.5) / n - 0.5
    tint = np.clip(np.array(body) + rng.normal(0, 0.015, 3), 0.01, 0.97)
    for value in range(1, 7):
        centres, radius = pips[value]
        gap = np.sqrt((x[..., None] - centres[:, 0]) ** 2 + (y[..., None] - centres[:, 1]) ** 2).min(axis=-1)
        mask = np.clip((radius - gap) * n / look.soft + 0.5, 0, 1).astype(np.float32)
        if look.wear > 0:
            mask *= np.clip(1.6 - look.wear * 1.7 + 1.6 * fractal(rng, n, 9, 3), 0, 1)
        face = np.broadcast_to(tint.astype(np.float32), (n, n, 3)).copy()
        edge = np.maximum(np.abs(x), np.abs(y))
        grime = np.clip((edge - 0.4) * 7, 0, 1) + 0.5 * np.clip(fractal(rng, n, 4, 3), 0, 1)
        face = mix(face, (0.35, 0.30, 0.22), (look.dirt * grime).astype(np.float32))
        colour = {1: ink1, 4: ink4}.get(value, ink)
        face = mix(face, colour, mask)
        column, row = (value - 1) % 3, (value - 1) // 3
        picture[row * n : (row + 1) * n, column * n : (column + 1) * n] = face
        masks[row * n : (row + 1) * n, column * n : (column + 1) * n] = mask
    return picture, np.asarray(cv2.GaussianBlur(masks, (0, 0), 0.6), np.float32)
