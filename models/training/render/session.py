"""Makes one whole set-up: draws it, builds it, renders the empty bowl and its throws, and writes pictures and truth."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.render import faults, studio, truth
from models.training.render.attitude import Lie
from models.training.render.clutter import Clutter
from models.training.render.darkroom import Darkroom
from models.training.render.die import STYLES, DieLook, draw_look, sibling
from models.training.render.hand import add_hand
from models.training.render.lamps import add_lights
from models.training.render.lens import HEIGHT, WIDTH, Lens, draw_lens, rim_truth
from models.training.render.porcelain import paint_bowl
from models.training.render.profile import Profile, draw_profile
from models.training.render.tabletops import draw_table
from models.training.render.throws import Thrower, draw_kinds

EMPTY_PICTURES = 3
CLEAN_QUALITY = 95


def setup_name(index: int) -> str:
    """The name of a set-up in its files."""
    return f"s{index:04d}"


def draw_looks(rng: np.random.Generator) -> tuple[str, list[DieLook]]:
    """The set's style ("MIX" for several styles in one bowl) and its six dice."""
    look = draw_look(rng)
    if rng.random() > 0.06:
        return look.style, [look] * 6
    return "MIX", [sibling(rng, look, str(rng.choice(list(STYLES)))) for _ in range(6)]


class Session:
    """One set-up under work; everything follows from the base seed and its index."""

    def __init__(self, out: Path, seed: int, index: int, throws: int) -> None:
        self.out, self.name, self.throws = out, setup_name(index), throws
        self.rng = np.random.default_rng([seed, index])
        self.frames: list[dict[str, str]] = []

    def make(self) -> None:
        """Writes the whole set-up; its own file comes last and says that it is complete."""
        self.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            self._build(Path(folder))
            self._empties()
            for n, kind in enumerate(draw_kinds(self.rng, self.throws)):
                self._throw(f"{self.name}_t{n:02d}", kind)
        about = {"setup": self.name, "frames": self.frames, **self.about}
        partial = self.out / f".{self.name}.json.part"
        partial.write_text(json.dumps(about, indent=1))
        partial.rename(self.out / f"{self.name}.json")

    def _build(self, folder: Path) -> None:
        rng = self.rng
        self.profile: Profile = draw_profile(rng)
        rim = self.profile.rim_radius, self.profile.rim_height
        self.lens: Lens = draw_lens(rng, *rim)
        self.style, self.looks = self._draw_looks(rng)
        self.webcam = self._draw_webcam(rng)
        scene = studio.open_scene()
        scene.cycles.seed = int(rng.integers(100000))
        self.scene, self.pad = scene, self.lens.padding()
        studio.set_camera(scene, self.lens, self.pad)
        painting = paint_bowl(rng)
        studio.add_bowl(scene, folder, rng, self.profile, painting)
        table, picture = draw_table(rng)
        studio.add_table(scene, folder, rng, table, picture)
        self.clutter = Clutter(scene, folder, rng, rim[0])
        self.clutter.scatter(int(rng.integers(0, 7)))
        light = add_lights(scene, rng, self.lens.centre)
        first = self.looks[0]
        alike = all(look is first for look in self.looks)
        self.dice = [
            studio.add_die(scene, folder, np.random.default_rng([7, *rng.integers(1 << 30, size=2)]), n, look)
            for n, look in enumerate(self.looks)
        ]
        for die in self.dice:
            studio.lay(die, None)
        self.darkroom = Darkroom(scene, folder)
        self.bend = self.lens.bend_map(self.pad)
        self.bowl = rim_truth(self.lens, *rim, self.profile.bottom_height)
        self.thrower = Thrower(self.profile, self.looks, rng, self._place)
        self.about: dict[str, Any] = {
            "camera": self.lens.as_json(), "bowl": self.bowl, "bowl_pattern": painting.pattern, "glaze": painting.glaze, "gold_rim": painting.gold_rim,
            "table": table, "light": light, "dice_style": self.style, "dice_alike": alike, "dice_edge_mm": [round(look.edge, 2) for look in self.looks],
            "left_handed": [look.left_handed for look in self.looks], "clutter": self.clutter.names,
        }  # fmt: skip

    def _draw_looks(self, rng: np.random.Generator) -> tuple[str, list[DieLook]]:
        return draw_looks(rng)

    def _draw_webcam(self, rng: np.random.Generator) -> faults.Webcam:
        return faults.draw_webcam(rng)

    def _place(self, x: float, y: float) -> str:
        """Whether a die on the table there is "free" in the picture, "hidden", or "outside" it."""
        px, py = self.lens.project(np.array([[x, y, 8.0]]))[0]
        if not (-70 < px < WIDTH + 70 and -70 < py < HEIGHT + 70):
            return "outside"
        if not (34 < px < WIDTH - 34 and 34 < py < HEIGHT - 34):
            return "hidden"
        rim = np.array(self.bowl["rim_polygon"], np.float32)
        over = cv2.pointPolygonTest(rim, (float(px), float(py)), True) > -16
        crowded = any(np.hypot(x - u, y - v) < r + 14 for u, v, r in self.clutter.discs)
        return "hidden" if over or crowded else "free"

    def _empties(self) -> None:
        base = self.darkroom.whole(6, 66)
        rim = self.lens.project(
            np.array([[np.cos(a), np.sin(a), 0] for a in np.linspace(0, 2 * np.pi, 40)]) * self.profile.rim_radius
            + [0, 0, self.profile.rim_height],
            distorted=False,
        )
        low, high = (
            np.floor(rim.min(axis=0)).astype(int) + self.pad - 12,
            np.ceil(rim.max(axis=0)).astype(int) + self.pad + 12,
        )
        w, h = self.darkroom.width, self.darkroom.height
        box = (max(int(low[0]), 0), max(int(low[1]), 0), min(int(high[0]), w), min(int(high[1]), h))
        self.base = self.darkroom.blend(base, [box], 10)
        # the camera meters the middle of the scene once and keeps that exposure
        grey = self.base @ np.array([0.114, 0.587, 0.299], np.float32)
        meter = 0.5 * float(np.minimum(grey, np.median(grey) * 5).mean()) + 0.5 * float(
            np.median(grey[box[1] : box[3], box[0] : box[2]])
        )
        self.gain = float(np.clip(0.33 / max(meter, 1e-5), 1e-3, 1e4))
        flat = self.base.reshape(-1, 3)[::7]
        bright = flat[np.abs(np.argsort(np.argsort(flat[:, 1])) / len(flat) - 0.85) < 0.12]
        spread = 0.35 * flat.mean(axis=0) + 0.65 * bright.mean(axis=0)
        # automatic white balance takes most, not all, of the light's colour away
        cast = np.clip(spread[1] / np.maximum(spread, 1e-6), 0.4, 2.5)
        self.balance = cast ** float(self.rng.uniform(0.45, 0.9))
        for n in range(EMPTY_PICTURES):
            self._develop(
                f"{self.name}_empty{n}",
                self.base,
                "empty",
                {"kind": "empty", "dice": [], "expected_values": [], "all_in_bowl": None, "readable": None},
            )

    def _throw(self, name: str, kind: str) -> None:
        lies = self.thrower.throw(kind)
        if lies is None:
            kind = "in"
            lies = self.thrower.throw(kind)
        if lies is None:
            return
        for die, lie in zip(self.dice, lies, strict=True):
            studio.lay(die, lie)
        boxes = truth.patches(lies, self.looks, self.lens, self.pad, 0.85)
        things: list[Any] = []
        if kind == "hand":
            things = add_hand(self.scene, self.rng, self.profile.rim_radius, self.profile.rim_height)
            # the arm's shadow is soft: a wide border fades it out
            boxes = truth.joined([*boxes, truth.around(studio.corners(things), self.lens, self.pad, 60)])
        linear = self.darkroom.blend(self.base, boxes, 5 if things else 12, 40.0 if things else 9.0)
        self._develop(name, linear, "throw", self._truth(lies, kind))
        studio.remove(things)

    def _truth(self, lies: tuple[Lie, ...], kind: str) -> dict[str, Any]:
        owner = studio.owner(self.scene, self.lens, self.dice)
        dice = [
            truth.die_truth(n, lie, look, self.lens, owner, inside=self.thrower.inside(lie))
            for n, (lie, look) in enumerate(zip(lies, self.looks, strict=True))
        ]
        return truth.throw_truth(dice, kind, hand=kind == "hand")

    def _develop(self, name: str, linear: faults.Linear, kind: str, entries: dict[str, Any]) -> None:
        """Writes one picture with its faults, the clean one beside it, and its truth."""
        bent = cv2.remap(linear, self.bend[..., 0], self.bend[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        light = np.maximum(np.asarray(bent, np.float32) * self.gain * self.balance.astype(np.float32), 0.0)
        shot = faults.draw_shot(self.rng, self.webcam)
        photo = faults.photograph(light, self.webcam, shot, self.rng)
        (self.out / f"{name}.jpg").write_bytes(faults.encode(photo, shot.quality))
        if kind == "throw" or name.endswith("empty0"):
            clean = (faults.to_srgb(light) * 255 + 0.5).astype(np.uint8)
            (self.out / f"{name}_clean.jpg").write_bytes(faults.encode(clean, CLEAN_QUALITY))
        about = {
            "image": f"{name}.jpg", "setup": self.name, "width": WIDTH, "height": HEIGHT, "jpeg_quality": shot.quality,
            "photo": faults.photo_truth(self.webcam, shot), "camera": self.about["camera"], "bowl": self.bowl, **entries,
        }  # fmt: skip
        (self.out / f"{name}.json").write_text(json.dumps(about, indent=1))
        self.frames.append({"image": f"{name}.jpg", "kind": kind})
