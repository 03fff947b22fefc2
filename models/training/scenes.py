"""Pictures with known dice, from every source that may be trained on, in one shape.

Two kinds of folder are read: simulated throws in the format of the project's makers (`*.json` beside `*.jpg`, see
`load_made`) and photos with boxes (`load_photos`). A `Scene` keeps the coded picture and decodes it when asked, so
that thousands fit into memory.
"""

from __future__ import annotations

import json
import math
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

WITHHELD = "matteop65"
"""Scenes whose name begins so are left out: their licence withholds the right to sublicense."""

CLEAR_VISIBLE = 0.6
CLEAR_MARGIN = 20.0


@dataclass(slots=True)
class Truth:
    """One known die, in pixels of its picture.

    quad: 4 x 2 corners of the top face, None where only a box is known. outline: n x 2 points round the whole die.
    value: 1-6, 0 unknown. clear, cocked: 1 yes, 0 no, -1 unknown. tilt: degrees, nan unknown. shown: share of the die
    that is seen. rough: the centre is only about right. fits: the quad of a photo's die was fitted to its pips.
    """

    centre: Array
    edge: float
    quad: Array | None
    outline: Array
    value: int
    clear: int = -1
    cocked: int = -1
    tilt: float = math.nan
    shown: float = 1.0
    rough: bool = False
    fits: bool = False


@dataclass(slots=True)
class Scene:
    """A coded picture and what is known of it; whole: every die in it is known."""

    name: str
    source: str
    coded: bytes = field(repr=False)
    dice: list[Truth] = field(repr=False)
    width: int = 0
    height: int = 0
    holes: list[tuple[float, float, float, float]] = field(default_factory=list, repr=False)
    rim: dict[str, float] | None = None
    meta: dict[str, Any] = field(default_factory=dict, repr=False)
    made: bool = False

    def picture(self, half: bool = False) -> Array:
        """The decoded picture, BGR; half: at half size, which is quick."""
        flag = cv2.IMREAD_REDUCED_COLOR_2 if half else cv2.IMREAD_COLOR
        shown = cv2.imdecode(np.frombuffer(self.coded, np.uint8), flag | cv2.IMREAD_IGNORE_ORIENTATION)
        if shown is None:
            raise ValueError(f"{self.name}: not a picture")
        return shown


def load_made(folder: Path, past: frozenset[str] = frozenset()) -> list[Scene]:
    """Simulated throws and empty bowls of `folder`, in name order, but those whose pictures' names are in `past`."""
    scenes = []
    for path in sorted(folder.rglob("*.json")):
        if f"{path.stem}.jpg" in past:
            continue
        told = json.loads(path.read_text(encoding="utf-8"))
        if "image" not in told or "dice" not in told:
            continue
        image = path.parent / told["image"]
        if not image.exists():
            continue
        scenes.append(_made(told, image, folder.name))
    return scenes


def _made(told: dict[str, Any], image: Path, source: str) -> Scene:
    dice, holes = [], []
    for die in told["dice"]:
        box = die.get("bbox")
        shown = float(die.get("visible_fraction") or 0.0)
        if box is None or shown <= 0.0 or die.get("top_polygon") is None:
            continue
        quad = np.asarray(die["top_polygon"], np.float32)
        if shown < 0.3:
            holes.append((box[0], box[1], box[2] - box[0], box[3] - box[1]))
            continue
        dice.append(_made_die(die, quad, box, told.get("camera"), shown))
    rim = (told.get("bowl") or {}).get("rim_ellipse")
    keep = ("setup", "kind", "throw_request", "readable", "all_in_bowl", "any_cocked", "photo", "expected_values", "n_visible")
    meta = {k: told.get(k) for k in keep}
    meta["traced"] = told.get("maker") != "cheap"
    return Scene(
        image.name, source, image.read_bytes(), dice, told["width"], told["height"], holes, rim, meta, made=True
    )


def _made_die(die: dict[str, Any], quad: Array, box: Any, camera: Any, shown: float) -> Truth:
    top_seen = float(die["top_visible_fraction"])
    margin = float(die["tilt_margin_deg"])
    if top_seen >= CLEAR_VISIBLE and margin >= CLEAR_MARGIN:
        clear = 1
    elif top_seen < CLEAR_VISIBLE - 0.15 or margin < CLEAR_MARGIN - 5:
        clear = 0
    else:
        clear = -1
    x0, y0, x1, y1 = box
    outline = np.asarray([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32) - 0.5
    if camera and "quaternion_wxyz" in die and shown > 0.8:
        outline = _corners(die, camera)
    return Truth(
        centre=np.asarray(die["top_center"], np.float32),
        edge=float(np.sqrt(max(abs(cv2.contourArea(quad)), 1.0))),
        quad=quad,
        outline=outline,
        value=int(die["value"]) if top_seen >= 0.45 and margin >= 8 else 0,
        clear=clear,
        cocked=int(bool(die["cocked"])),
        tilt=float(die["tilt_deg"]),
        shown=shown,
    )


def _corners(die: dict[str, Any], camera: dict[str, Any]) -> Array:
    """The eight corners of a die in the picture, drawn in a little as real dice are rounded."""
    w, x, y, z = die["quaternion_wxyz"]
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    unit = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], float)
    world = unit * die["edge_mm"] * 0.47 @ turn.T + np.asarray(die["position_mm"])
    seen = world @ np.asarray(camera["R"]).T + np.asarray(camera["t_mm"])
    points, _ = cv2.projectPoints(
        seen.reshape(-1, 1, 3), np.zeros(3), np.zeros(3), np.asarray(camera["K"]), np.asarray(camera["dist"])
    )
    return points.reshape(-1, 2).astype(np.float32)


def load_photos(folder: Path, part: str = "train") -> list[Scene]:
    """Photos with boxes; scenes of a withheld licence are left out of `train`."""
    told = json.loads((folder / f"annotations-{part}.json").read_text(encoding="utf-8"))
    marks: dict[int, list[dict[str, Any]]] = {}
    for mark in told["annotations"]:
        marks.setdefault(mark["image_id"], []).append(mark)
    scenes = []
    for image in told["images"]:
        if part == "train" and image["scene"].startswith(WITHHELD):
            continue
        dice, holes = [], []
        for mark in marks.get(image["id"], []):
            if mark.get("ignore"):
                holes.append(tuple(mark["bbox"]))
            else:
                dice.append(_photo_die(mark, image["box_kind"]))
        scene = Scene(
            image["file_name"], image["scene"], (folder / image["file_name"]).read_bytes(), dice,
            image["width"], image["height"], holes, None, {"box_kind": image["box_kind"], "tags": image.get("tags")},
        )
        scenes.append(scene)
    return scenes


def _photo_die(mark: dict[str, Any], box_kind: str) -> Truth:
    x, y, w, h = mark["bbox"]
    outline = np.asarray([[x, y], [x + w, y], [x + w, y + h], [x, y + h]], np.float32)
    edge = math.sqrt(w * h) / (1.3 if box_kind == "die" else 1.15)
    centre = np.asarray([x + w / 2, y + h / 2], np.float32)
    return Truth(centre, edge, None, outline, int(mark["category_id"]), clear=1, rough=True)


def held_out(scenes: list[Scene], one_in: int = 7) -> tuple[list[Scene], list[Scene]]:
    """Scenes to learn from and scenes to calibrate on; a made set-up is never split, and a growing folder never re-dealt."""
    apart = [zlib.crc32(_group(s).encode()) % one_in == 0 for s in scenes]
    return [s for s, a in zip(scenes, apart, strict=True) if not a], [s for s, a in zip(scenes, apart, strict=True) if a]


def _group(scene: Scene) -> str:
    return f"{scene.source}/{scene.meta.get('setup') or scene.name}"
