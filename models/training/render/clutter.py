"""Things that lie about on a table in the festival: mooncakes, cards, phones, coins, cups, chopsticks, nuts, tiles, sugar cubes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.render.noise import flat
from models.training.render.ornaments import MOTIFS
from models.training.render.shapes import ball, block, rod, turned
from models.training.render.studio import add_mesh, material, picture_node, uneven

Colour = tuple[float, float, float]
Disc = tuple[float, float, float]


class Clutter:
    """Lays things on the table round a bowl; `discs` keeps where they lie: x, y, radius in mm."""

    def __init__(self, scene: Any, folder: Path, rng: np.random.Generator, bowl_radius_mm: float) -> None:
        self.scene, self.folder, self.rng, self.reach = scene, folder, rng, bowl_radius_mm
        self.discs: list[Disc] = []
        self.names: list[str] = []

    def scatter(self, count: int) -> None:
        """Lays up to `count` things where there is room."""
        makers: dict[str, Callable[[], list[Any]]] = {
            "mooncake": self._mooncake, "phone": self._phone, "card": self._card, "coin": self._coin, "pen": self._pen, "cup": self._cup,
            "chopsticks": self._chopsticks, "plate": self._plate, "nuts": self._nuts, "paper": self._paper, "tile": self._tile, "sugar": self._sugar,
        }  # fmt: skip
        radius = {
            "mooncake": 4,
            "phone": 8.5,
            "card": 7,
            "coin": 2,
            "pen": 7.5,
            "cup": 4.5,
            "chopsticks": 12,
            "plate": 9,
            "nuts": 5,
            "paper": 13,
            "tile": 3.5,
            "sugar": 3.5,
        }
        for name in self.rng.choice(list(makers), size=count):
            spot = self._spot(radius[str(name)] * 10)
            if spot is None:
                continue
            turn = self.rng.uniform(0, 2 * np.pi)
            for thing in makers[str(name)]():
                self._move(thing, spot, turn)
            self.names.append(str(name))

    def _spot(self, radius: float) -> tuple[float, float] | None:
        for _ in range(30):
            a, d = self.rng.uniform(0, 2 * np.pi), self.reach + radius + self.rng.uniform(8, 260)
            x, y = float(d * np.cos(a)), float(d * np.sin(a))
            if all(np.hypot(x - u, y - v) > radius + r for u, v, r in self.discs):
                self.discs.append((x, y, radius))
                return x, y
        return None

    def _move(self, thing: Any, spot: tuple[float, float], turn: float) -> None:
        x, y, z = thing.location
        c, s = np.cos(turn), np.sin(turn)
        thing.location = (spot[0] * 0.1 + c * x - s * y, spot[1] * 0.1 + s * x + c * y, z)
        thing.rotation_euler[2] += turn

    def _solid(self, mesh: Any, colour: Colour, *, rough: float = 0.4, metal: float = 0.0, smooth: bool = True) -> Any:
        thing = add_mesh(self.scene, "clutter", mesh[0], mesh[1], smooth=smooth)
        shade = tuple(float(np.clip(c * np.exp(self.rng.normal(0, 0.12)), 0.01, 0.95)) for c in colour)
        thing.data.materials.append(material("clutter", (shade[0], shade[1], shade[2]), rough=rough, metal=metal)[0])
        return thing

    def _printed(self, half: tuple[float, float, float], rounding: float, picture: Any) -> Any:
        points, quads, uv = block(half, rounding)
        thing = add_mesh(self.scene, "printed", points, quads, uv)
        made, tree, node = material("printed", rough=0.35)
        name = f"print{len(self.names)}_{int(self.rng.integers(1 << 30))}"
        tree.links.new(picture_node(tree, self.folder, name, picture).outputs["Color"], node.inputs["Base Color"])
        thing.data.materials.append(made)
        thing.location[2] = half[2]
        return thing

    def _stamped(
        self, size: tuple[int, int], ground: Colour, marks: list[tuple[str, float, float, float, Colour]]
    ) -> Any:
        """A picture (h, w, 3) with motifs: name, x, y, size as parts of the width, ink."""
        w, h = size
        picture = flat(max(w, h), ground)[:h, :w].copy()
        for name, x, y, s, ink in marks:
            for points, kind, width in MOTIFS[name](self.rng):
                line = np.round((points * s * w + [x * w, y * h]) * 16).astype(np.int32).reshape(-1, 1, 2)
                if kind == "fill":
                    cv2.fillPoly(picture, [line], ink, cv2.LINE_AA, 4)
                else:
                    cv2.polylines(picture, [line], False, ink, max(round(width * s * w), 1), cv2.LINE_AA, 4)
        return picture

    def _mooncake(self) -> list[Any]:
        a = np.linspace(0, 2 * np.pi, 97)[:-1]
        rim = 3.3 + 0.16 * np.abs(np.sin(a * self.rng.integers(5, 9)))
        rows = [(0.96, 0.0), (1.0, 0.4), (1.0, 1.9), (0.93, 2.4), (0.80, 2.45), (0.77, 2.3), (0.0, 2.35)]
        points = np.concatenate(
            [np.stack([rim * k * np.cos(a), rim * k * np.sin(a), np.full(96, z)], axis=1) for k, z in rows]
        )
        k, j = np.meshgrid(np.arange(len(rows) - 1), np.arange(96), indexing="ij")
        quads = np.stack(
            [k * 96 + j, k * 96 + (j + 1) % 96, (k + 1) * 96 + (j + 1) % 96, (k + 1) * 96 + j], axis=-1
        ).reshape(-1, 4)
        cake = self._solid((points, quads), (0.66, 0.38, 0.12), rough=0.35)
        tree = cake.data.materials[0].node_tree
        uneven(tree, tree.nodes["Principled BSDF"], 1.4, 0.9)
        return [cake]

    def _phone(self) -> list[Any]:
        body = self._solid(block((3.7, 7.6, 0.4), 0.35), (0.04, 0.04, 0.05), rough=0.08)
        body.location[2] = 0.4
        return [body]

    def _card(self) -> list[Any]:
        out = []
        for n in range(int(self.rng.integers(1, 5))):
            ink: Colour = (0.75, 0.08, 0.1) if self.rng.random() < 0.5 else (0.06, 0.06, 0.07)
            value = int(self.rng.integers(1, 10))
            spots = [
                ("leaves", 0.3 + 0.4 * (k % 2), 0.15 + 0.7 * (k // 2) / max((value - 1) // 2, 1), 0.11, ink)
                for k in range(value)
            ]
            picture = self._stamped(
                (240, 336),
                (0.94, 0.94, 0.92),
                [*spots, ("characters", 0.1, 0.08, 0.07, ink), ("characters", 0.9, 0.92, 0.07, ink)],
            )
            if self.rng.random() < 0.3:
                picture = self._stamped(
                    (240, 336),
                    (0.12, 0.2, 0.6),
                    [("dots", x / 9, y / 12, 0.05, (0.9, 0.9, 0.95)) for x in range(1, 9) for y in range(1, 12)],
                )
            card = self._printed((3.1, 4.4, 0.02), 0.015, picture)
            card.location = (self.rng.normal(0, 1.2), self.rng.normal(0, 1.2), 0.03 + 0.045 * n)
            card.rotation_euler[2] = float(self.rng.normal(0, 0.6))
            out.append(card)
        return out

    def _coin(self) -> list[Any]:
        r = float(self.rng.uniform(0.95, 1.35))
        metal: Colour = (0.72, 0.70, 0.66) if self.rng.random() < 0.6 else (0.72, 0.5, 0.22)
        shape = turned([(0, 0), (r, 0), (r, 0.18), (r * 0.92, 0.18), (r * 0.9, 0.14), (0, 0.14)])
        coin = self._solid(shape, metal, rough=0.4, metal=1.0, smooth=False)
        # struck relief: a flat mirror would only flash white
        tree = coin.data.materials[0].node_tree
        uneven(tree, tree.nodes["Principled BSDF"], 4.0, 1.0)
        return [coin]

    def _pen(self) -> list[Any]:
        colour = [(0.05, 0.08, 0.4), (0.05, 0.05, 0.05), (0.7, 0.1, 0.1), (0.85, 0.6, 0.1)][int(self.rng.integers(4))]
        return [
            self._solid(rod((-6.8, 0, 0.5), (6.2, 0, 0.5), 0.5, 0.45), colour, rough=0.25),
            self._solid(rod((6.2, 0, 0.5), (7.2, 0, 0.4), 0.3, 0.06), (0.6, 0.6, 0.6), metal=1.0),
        ]

    def _cup(self) -> list[Any]:
        r, h = float(self.rng.uniform(2.5, 4.0)), float(self.rng.uniform(3.0, 7.5))
        colour = [(0.88, 0.88, 0.86), (0.65, 0.75, 0.68), (0.3, 0.16, 0.1), (0.2, 0.3, 0.6)][int(self.rng.integers(4))]
        cup = self._solid(
            turned(
                [
                    (0, 0),
                    (r * 0.6, 0),
                    (r * 0.85, h * 0.3),
                    (r, h),
                    (r - 0.12, h + 0.06),
                    (r - 0.25, h),
                    (r * 0.75, h * 0.35),
                    (0, 0.5),
                ]
            ),
            colour,
            rough=0.12,
        )
        tea = self._solid(turned([(r * 0.93 - 0.1, h * 0.8), (0, h * 0.8)]), (0.45, 0.22, 0.05), rough=0.02)
        return [cup, tea]

    def _chopsticks(self) -> list[Any]:
        colour = [(0.12, 0.18, 0.5), (0.45, 0.15, 0.08), (0.75, 0.6, 0.4), (0.05, 0.05, 0.05)][
            int(self.rng.integers(4))
        ]
        gap = self.rng.uniform(0.5, 2.0)
        return [
            self._solid(rod((-11.5, y, 0.4), (11.5, y * self.rng.uniform(0.4, 1.6), 0.3), 0.38, 0.2), colour, rough=0.3)
            for y in (-gap / 2, gap / 2)
        ]

    def _plate(self) -> list[Any]:
        r = float(self.rng.uniform(6.0, 8.5))
        plate = self._solid(
            turned([(0, 0.2), (r * 0.6, 0.2), (r, 1.6), (r + 0.15, 1.75), (r, 1.85), (r * 0.6, 0.6), (0, 0.55)], 64),
            (0.86, 0.86, 0.84),
            rough=0.12,
        )
        return [plate, *self._nuts(0.6)]

    def _nuts(self, height: float = 0.0) -> list[Any]:
        colour = [(0.25, 0.08, 0.06), (0.72, 0.52, 0.3), (0.12, 0.1, 0.09), (0.8, 0.2, 0.1)][int(self.rng.integers(4))]
        out = []
        for _ in range(int(self.rng.integers(3, 11))):
            size = self.rng.uniform(0.45, 1.0)
            nut = self._solid(ball((size, size * 0.75, size * 0.7)), colour, rough=0.3)
            nut.location = (self.rng.normal(0, 1.7), self.rng.normal(0, 1.7), height + size * 0.7)
            nut.rotation_euler[2] = float(self.rng.uniform(0, 6.3))
            out.append(nut)
        return out

    def _paper(self) -> list[Any]:
        marks = [
            ("characters", 0.08 + 0.06 * k, 0.08 + 0.055 * row, 0.022, (0.1, 0.1, 0.12))
            for row in range(16)
            for k in range(int(self.rng.integers(3, 15)))
        ]
        picture = self._stamped(
            (420, 600), [(0.93, 0.93, 0.91), (0.85, 0.14, 0.12), (0.95, 0.9, 0.7)][int(self.rng.integers(3))], marks
        )
        return [self._printed((float(self.rng.uniform(4, 8)), float(self.rng.uniform(6, 10)), 0.012), 0.01, picture)]

    def _tile(self) -> list[Any]:
        out = []
        for n in range(int(self.rng.integers(1, 4))):
            ink: Colour = [(0.08, 0.4, 0.2), (0.7, 0.08, 0.08), (0.1, 0.15, 0.5)][int(self.rng.integers(3))]
            marks = (
                [("characters", 0.5, 0.5, 0.34, ink)] if self.rng.random() < 0.4 else [("pips", 0.5, 0.5, 0.34, ink)]
            )
            tile = self._printed((1.1, 1.5, 0.9), 0.18, self._stamped((120, 160), (0.92, 0.90, 0.82), marks))
            tile.location[0] += 2.5 * n - 2
            tile.rotation_euler[2] = float(self.rng.normal(0, 0.15))
            out.append(tile)
        return out

    def _sugar(self) -> list[Any]:
        out = []
        for n in range(int(self.rng.integers(1, 4))):
            colour = [(0.9, 0.9, 0.88), (0.85, 0.6, 0.3), (0.4, 0.2, 0.08)][int(self.rng.integers(3))]
            cube = self._solid(block((0.8, 0.8, 0.7), 0.1, 5), colour, rough=0.8)
            cube.location = (1.9 * n - 2 + self.rng.normal(0, 0.2), self.rng.normal(0, 0.7), 0.7)
            cube.rotation_euler[2] = float(self.rng.uniform(0, 6.3))
            out.append(cube)
        return out
