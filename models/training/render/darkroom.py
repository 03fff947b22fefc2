"""Renders rectangles of the scene and blends them into the empty picture of the set-up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np

from models.training.render.faults import Linear

Box = tuple[int, int, int, int]


class Darkroom:
    """Path-traces the open scene; pictures are linear BGR of the padded pinhole size."""

    def __init__(self, scene: Any, folder: Path) -> None:
        self.scene, self.folder = scene, folder
        self.width, self.height = scene.render.resolution_x, scene.render.resolution_y

    def whole(self, samples: int, percent: int = 100) -> Linear:
        """The whole picture, rendered at `percent` of its size: enough for a table that is out of focus anyway."""
        return self._render((0, 0, self.width, self.height), samples, percent)

    def blend(self, base: Linear, boxes: list[Box], samples: int, feather: float = 9.0) -> Linear:
        """`base` with these rectangles rendered anew, fading out over their margins."""
        out = base.copy()
        for x0, y0, x1, y1 in boxes:
            fresh = self._render((x0, y0, x1, y1), samples)
            h, w = fresh.shape[:2]
            dx = np.minimum(
                np.arange(w) + (1e6 if x0 == 0 else 0), np.arange(w)[::-1] + (1e6 if x1 == self.width else 0)
            )
            dy = np.minimum(
                np.arange(h) + (1e6 if y0 == 0 else 0), np.arange(h)[::-1] + (1e6 if y1 == self.height else 0)
            )
            t = np.clip((np.minimum(dx[None, :], dy[:, None]) - 1.0) / feather, 0, 1)
            weight = (t * t * (3 - 2 * t)).astype(np.float32)[..., None]
            part = out[y0:y1, x0:x1]
            out[y0:y1, x0:x1] = part + weight * (fresh - part)
        return out

    def _render(self, box: Box, samples: int, percent: int = 100) -> Linear:
        r = self.scene.render
        x0, y0, x1, y1 = box
        r.use_border = r.use_crop_to_border = True
        # a hundredth of a pixel inside, so that rounding takes no row too many
        r.border_min_x, r.border_max_x = (x0 + 0.01) / self.width, (x1 + 0.01) / self.width
        r.border_min_y, r.border_max_y = (
            (self.height - y1 + 0.01) / self.height,
            (self.height - y0 + 0.01) / self.height,
        )
        r.resolution_percentage = percent
        self.scene.cycles.samples = samples
        self.scene.cycles.seed = (self.scene.cycles.seed + 1) % 100000
        r.filepath = str(self.folder / "render.exr")
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(r.filepath)
        w, h = image.size
        flat = np.empty(w * h * image.channels, np.float32)
        image.pixels.foreach_get(flat)
        channels = image.channels
        bpy.data.images.remove(image)
        picture = flat.reshape(h, w, channels)[::-1, :, 2::-1]
        if (h, w) != (y1 - y0, x1 - x0):
            picture = np.asarray(cv2.resize(picture, (x1 - x0, y1 - y0), interpolation=cv2.INTER_CUBIC), np.float32)
        return np.ascontiguousarray(np.nan_to_num(picture, posinf=50.0))
