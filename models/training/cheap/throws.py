"""Where the dice of a throw come to lie."""

from __future__ import annotations

import numpy as np

from models.training.cheap.arrays import Rng
from models.training.cheap.bowl import Bowl
from models.training.cheap.camera import Camera
from models.training.cheap.looks import Look
from models.training.cheap.rest import Heap, Plane, Rest, Spot

WALL_DEG, STEEP_DEG = 17.0, 26.0


def _disc(rng: Rng, radius: float, away: tuple[float, float] = (0.0, 0.0)) -> Spot:
    def spot() -> tuple[float, float]:
        r, a = radius * np.sqrt(rng.random()), rng.uniform(0, 2 * np.pi)
        return float(away[0] + r * np.cos(a)), float(away[1] + r * np.sin(a))

    return spot


def _seen(rng: Rng, camera: Camera, pad: float, keep_off: float) -> Spot:
    """Spots on the table that the camera sees, farther than keep_off from the axis."""

    def spot() -> tuple[float, float]:
        eye = camera.position
        for _ in range(40):
            u = rng.uniform(pad, camera.width - pad)
            v = rng.uniform(pad, camera.height - pad)
            d = camera.rays(np.array([u]), np.array([v]))[:, 0]
            if d[2] < -0.15:
                x, y = eye[:2] - d[:2] * eye[2] / d[2]
                if np.hypot(x, y) > keep_off:
                    return float(x), float(y)
        return keep_off + 20.0, 0.0

    return spot


def bowl_throw(rng: Rng, bowl: Bowl, camera: Camera, looks: list[Look], request: str) -> list[Rest]:
    """Dice of a throw into the bowl; `request` is what the throw was drawn for."""
    steep = STEEP_DEG if request == "tilted" else WALL_DEG
    edge = max((look.edge_mm for look in looks), default=13.0)
    reach = min(bowl.steep_radius(steep), bowl.rim_radius - 1.2 * edge)
    heap = Heap(rng, bowl, True, [])
    table = Heap(rng, Plane(), False, [])
    closeness = float(rng.choice([0.1, 0.5, 0.85]))
    away = rng.normal(0, 0.25, 2) * reach
    spread = reach * rng.uniform(0.55, 1.0)
    odd = int(rng.integers(1, 3)) if request in ("stack", "lean") else 0
    out = int(rng.integers(1, 4)) if request == "out" else int(request in ("hand", "five") and rng.random() < 0.2)
    order: list[Rest] = []
    for i, look in enumerate(looks):
        rest = None
        if i >= len(looks) - out:
            pad = 0.0 if request == "five" else 25.0
            rest = table.alone(_seen(rng, camera, pad, bowl.rim_radius + 0.5 * edge), look.edge_mm, look.hand)
            base = len(heap.dice)
            if rest is not None:
                order.append(rest)
            continue
        if i >= len(looks) - out - odd and request == "stack":
            rest = heap.on_top(look.edge_mm, look.hand)
        elif i >= len(looks) - out - odd and request == "lean":
            rest = heap.beside(look.edge_mm, look.hand, reach * 1.1, rng.uniform(14, 48))
        elif rng.random() < closeness:
            rest = heap.beside(look.edge_mm, look.hand, reach)
        if rest is None:
            inner = request != "tilted" or rng.random() < 0.4
            spot = (
                _disc(rng, min(spread, reach - float(np.hypot(*away)) * 0.5), (away[0], away[1]))
                if inner
                else _disc(rng, reach)
            )
            rest = heap.alone(spot, look.edge_mm, look.hand, 1.5)
        if rest is None:
            rest = heap.alone(_disc(rng, reach * 1.1), look.edge_mm, look.hand, 1.5)
        if rest is not None:
            order.append(rest)
    base = len(heap.dice)
    assert all(k < base for die in order for k in die.resting_on)
    return order


def plain_throw(rng: Rng, camera: Camera, looks: list[Look]) -> list[Rest]:
    """Dice on a table that the camera sees."""
    heap = Heap(rng, Plane(), False, [])
    edge = max(look.edge_mm for look in looks)
    distance = float(np.linalg.norm(camera.position))
    pad = camera.f * edge / distance * (0.2 if rng.random() < 0.3 else 1.2)
    closeness = float(rng.choice([0.0, 0.3, 0.8], p=[0.5, 0.3, 0.2]))
    spot = _seen(rng, camera, pad, -1.0)
    for look in looks:
        rest = None
        chance = rng.random()
        if chance < 0.02:
            rest = heap.on_top(look.edge_mm, look.hand)
        elif chance < 0.04:
            rest = heap.beside(look.edge_mm, look.hand, 1e9, rng.uniform(14, 48))
        elif rng.random() < closeness:
            rest = heap.beside(look.edge_mm, look.hand, 1e9)
        if rest is None:
            heap.alone(spot, look.edge_mm, look.hand)
    return heap.dice
