"""How a die looks: body, pips, and where chance put them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from models.training.cheap.arrays import Array, Rng, colour, pick, to_display

LAYOUT: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
"""Pips of a value on a grid of three by three."""

RED, BLACK, BLUE, WHITE = "b0161c", "101012", "16307e", "f2f2ee"

# style: body colours, colour of the 1, of the 4, of the others, weight among Chinese or other dice
CHINESE = {
    "cn_white": (("f4f4f2", "e9ebea", "f8f6f0"), RED, RED, BLACK, 5.0),
    "cn_ivory": (("e9dcba", "e2cf9f", "efe6cd", "d9c7a0"), RED, RED, BLACK, 4.0),
    "cn_blue": (("f2f2f0", "ece5d2"), RED, RED, BLUE, 2.0),
    "cn_one_red": (("f3f2ee", "e8dcc0"), RED, BLACK, BLACK, 0.7),
}
OTHERS = {
    "plain_black": (("f3f3f1", "e8dcbc", "efe8d6"), BLACK, BLACK, BLACK, 4.0),
    "plain_blue": (("f3f3f1", "e8e2d0"), BLUE, BLUE, BLUE, 0.7),
    "plain_red": (("f3f3f1", "e8e2d0"), RED, RED, RED, 0.5),
    "red_trans": (("c01220", "a50f1c", "d8321e"), WHITE, WHITE, WHITE, 1.2),
    "colour_trans": (("1a9a4a", "2450c8", "d87a10", "8a2aa8"), WHITE, WHITE, WHITE, 0.8),
    "black_white": (("17171a", "222226", "2a2622"), WHITE, WHITE, WHITE, 1.5),
    "blue_white": (("1b2f86", "2447b4", "1c6fb0", "121e52"), WHITE, WHITE, WHITE, 1.2),
    "green_white": (("0f7a3c", "14562e", "1a9a5a"), WHITE, WHITE, WHITE, 1.0),
    "red_white": (("b3171f", "8a1018", "cf2a20"), WHITE, WHITE, WHITE, 1.3),
    "yellow_black": (("e6c21e", "f0d850", "c8d028"), BLACK, BLACK, BLACK, 1.0),
    "orange_black": (("e07018", "e89448", "d84a1c"), BLACK, BLACK, BLACK, 0.6),
    "pink_white": (("e0609a", "d83a80", "eaa0bc"), WHITE, WHITE, WHITE, 0.6),
    "purple_white": (("5a2a86", "3c1a60"), WHITE, WHITE, WHITE, 0.5),
    "brown_white": (("5a3420", "7a4a28"), WHITE, WHITE, WHITE, 0.4),
    "wood_black": (("c09a66", "a97c48", "d8bc8c"), BLACK, BLACK, BLACK, 0.7),
    "grey_black": (("9a9a9c", "7c7e82"), BLACK, BLACK, BLACK, 0.4),
    "wild": ((WHITE,), WHITE, WHITE, WHITE, 2.5),
    "black_gold": (("1c1a1a", "402018", "20342a"), "d0a040", "d0a040", "d0a040", 0.4),
}


@dataclass(frozen=True)
class Look:
    """One die's look. Colours are linear BGR; lengths on the die are in half edges.

    pips: per value an array (n, 3) of u, v and radius on its face; paint: per value the pips' colour; wear: per value how
    much of each pip's paint is left (n). hand: +1 or -1, which way round 1, 2, 3 run.
    """

    style: str
    edge_mm: float
    body: Array
    vein: Array
    veins: float
    edge_round: float
    ball: float
    pips: dict[int, Array]
    paint: dict[int, Array]
    wear: dict[int, Array]
    cut: float
    soft: float
    gloss: float
    pip_gloss: float
    rough: float
    clear: float
    hand: int


def _pips(rng: Rng, style: str, wild: float) -> dict[int, Array]:
    chinese = style.startswith("cn")
    radius, spread = rng.uniform(0.115, 0.245), rng.uniform(0.43, 0.61)
    if spread < 2.25 * radius:  # pips of the six would run into one another
        spread = 2.25 * radius
    big = rng.uniform(0.28, 0.48) if chinese and rng.random() < 0.9 else radius * rng.uniform(1, 1.25)
    four = radius * (rng.uniform(1.0, 1.3) if chinese else 1.0)
    narrow = rng.uniform(0.75, 1.0) if rng.random() < 0.4 else 1.0
    pips = {}
    for value, grid in LAYOUT.items():
        uv = np.array(grid, np.float64) * spread
        if value in (2, 3, 6) and narrow < 1:
            uv[:, 0] *= narrow
        uv += rng.normal(0, 0.012 * wild, uv.shape) + rng.normal(0, 0.018 * wild, 2)
        # both orientations of 2, 3 and 6 are sold; the others look the same turned
        if rng.random() < 0.5:
            uv = uv[:, ::-1] * np.array([1, -1])
        r = {1: big, 4: four}.get(value, radius) * rng.normal(1, 0.025 * wild, len(uv))
        pips[value] = np.column_stack([uv, np.clip(r, 0.1, 0.55)]).astype(np.float32)
    return pips


INKS = ("f2f2ee", "101012", "d0a040", "c01820", "e8d020", "2038a0", "1a7a3a")


def _wild(rng: Rng) -> tuple[Array, str]:
    """Any body and a pip colour that stands out from it."""
    hue = rng.random(3) ** 2
    body = np.asarray(np.clip(hue / max(hue.max(), 1e-3) * rng.uniform(0.02, 0.9), 0.01, 0.9), np.float32)
    far = [float(np.abs(to_display(colour(ink)) - to_display(body)).max()) for ink in INKS]
    return body, INKS[int(rng.choice(np.flatnonzero(np.array(far) > min(0.4, max(far)))))] if max(far) > 0.4 else WHITE


def draw_look(rng: Rng, style: str, edge_mm: float) -> Look:
    """A random die of the style."""
    bodies, one, four, rest, _ = (CHINESE | OTHERS)[style]
    body = colour(bodies[int(rng.integers(len(bodies)))]) * np.float32(rng.uniform(0.85, 1.05))
    if style == "wild":
        body, one = _wild(rng)
        four = rest = one
    paint = {v: colour({1: one, 4: four}.get(v, rest)) for v in LAYOUT}
    red = np.asarray(rng.normal(1, 0.12, 3) * rng.uniform(0.7, 1.3), np.float32)
    paint = {
        v: np.clip(c * (red if c[2] > 3 * c[1] else 1) + rng.uniform(0, 0.01), 0, 1).astype(np.float32)
        for v, c in paint.items()
    }
    clear = (
        rng.uniform(0.35, 0.8) if style.endswith("trans") else (rng.uniform(0.1, 0.3) if rng.random() < 0.1 else 0.0)
    )
    marbled = style.startswith("wood") or (not style.startswith("cn") and rng.random() < 0.15)
    base = Look(
        style=style,
        edge_mm=edge_mm,
        body=body,
        vein=np.clip(body * np.float32(rng.uniform(0.4, 1.9)), 0, 0.95),
        veins=rng.uniform(0.3, 1.0) if marbled else 0.0,
        edge_round=float(rng.choice([rng.uniform(0.04, 0.14), rng.uniform(0.12, 0.34)], p=[0.35, 0.65])),
        ball=float(rng.choice([9.0, rng.uniform(1.30, 1.62)], p=[0.6, 0.4])),
        pips={},
        paint=paint,
        wear={},
        cut=float(rng.choice([0.0, rng.uniform(0.3, 1.0)], p=[0.25, 0.75])),
        soft=rng.uniform(0.0, 0.05),
        gloss=float(rng.choice([rng.uniform(0.0, 0.3), rng.uniform(0.4, 1.2)], p=[0.3, 0.7])),
        pip_gloss=float(rng.choice([rng.uniform(0.2, 1.0), rng.uniform(1.0, 4.0)], p=[0.6, 0.4])),
        rough=float(np.exp(rng.uniform(np.log(0.05), np.log(1.5)))),
        clear=clear,
        hand=int(rng.choice([-1, 1])),
    )
    wild = float(rng.choice([0.4, 1.0, 2.2], p=[0.4, 0.45, 0.15]))
    return sibling(rng, replace(base, pips=_pips(rng, style, wild)), rng.random() < 0.2)


def sibling(rng: Rng, look: Look, worn: bool) -> Look:
    """A die of the same set: the same make, a little different, its paint fresh or worn."""
    pips, wear = {}, {}
    for value, spots in look.pips.items():
        moved = spots.copy()
        moved[:, :2] += rng.normal(0, 0.01, (len(spots), 2))
        pips[value] = moved.astype(np.float32)
        left = np.ones(len(spots))
        if worn:
            left -= (rng.random(len(spots)) < 0.3) * rng.uniform(0.2, 0.75, len(spots))
        wear[value] = left.astype(np.float32)
    body = np.clip(look.body * np.float32(rng.normal(1, 0.02)), 0, 1)
    return replace(look, body=body, pips=pips, wear=wear)


def draw_looks(rng: Rng, n: int, chinese: float, edge_mm: float, mixed: float) -> list[Look]:
    """n dice: a set of one make, or with chance `mixed` all sorts; `chinese` is the chance of Chinese dice."""

    def one() -> Look:
        group = CHINESE if rng.random() < chinese else OTHERS
        return draw_look(rng, pick(rng, {k: v[4] for k, v in group.items()}), edge_mm)

    if rng.random() < mixed:
        makes = [one() for _ in range(min(n, int(rng.integers(2, 8))))]
        worn = rng.random() < 0.15
        return [
            replace(sibling(rng, make, worn), edge_mm=edge_mm * rng.uniform(0.85, 1.15))
            for make in (makes[int(rng.integers(len(makes)))] for _ in range(n))
        ]
    make, worn = one(), rng.random() < 0.2
    return [sibling(rng, make, worn) for _ in range(n)]
