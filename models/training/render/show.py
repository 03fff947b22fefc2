"""The pictures of the bundled demo: one pretty set-up in which chosen hands lie, physically thrown and then relabelled.

A cube looks the same after a quarter turn about its own axes, so a thrown die can be given the value that the show wants
without moving it: only which face is called what changes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.training.render import faults, studio, truth
from models.training.render.attitude import Lie, faces_by_tilt
from models.training.render.die import DieLook, draw_look, face_normal
from models.training.render.session import Session

HANDS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("in", (4, 1, 2, 3, 5, 6)),
    ("in", (4, 2, 2, 3, 6, 1)),
    ("in", (4, 4, 1, 3, 5, 6)),
    ("in", (1, 1, 2, 3, 5, 6)),
    ("in", (4, 4, 4, 2, 5, 1)),
    ("out", (4, 4, 3, 2, 6, 1)),
    ("in", (5, 5, 5, 5, 4, 2)),
    ("in", (4, 3, 3, 6, 6, 2)),
    ("in", (4, 4, 4, 4, 2, 5)),
    ("in", (4, 4, 2, 2, 6, 5)),
    ("stack", (4, 4, 1, 2, 5, 3)),
    ("in", (4, 6, 6, 1, 1, 3)),
    ("in", (2, 2, 2, 2, 4, 4)),
    ("in", (4, 4, 4, 4, 1, 1)),
)
"""What the demo throws, in order: six values a throw, and how (in the bowl, one out, one upon another)."""

Array = npt.NDArray[np.float64]


def quarter_turns() -> list[Array]:
    """The 24 turns that bring a cube onto itself, as unit quaternions (w, x, y, z)."""
    half = np.sqrt(0.5)
    found = [q / np.linalg.norm(q) for q in map(np.array, itertools.product((-1.0, 0.0, 1.0), repeat=4)) if np.any(q)]
    turns: list[Array] = []
    for q in found:
        sizes = np.sort(np.abs(q))
        whole = np.allclose(sizes, (0, 0, 0, 1)) or np.allclose(sizes, (0, 0, half, half)) or np.allclose(sizes, 0.5)
        if whole and not any(np.allclose(q, k) or np.allclose(q, -k) for k in turns):
            turns.append(q)
    return turns


def product(a: Array, b: Array) -> Array:
    """The quaternion that turns by b first, then by a."""
    w, x, y, z = a
    v, i, j, k = b
    return np.array(
        [w * v - x * i - y * j - z * k, w * i + x * v + y * k - z * j, w * j - x * k + y * v + z * i, w * k + x * j - y * i + z * v]
    )


def relabelled(lie: Lie, look: DieLook, value: int) -> Lie:
    """The same die in the same place, with `value` on the face that was on top."""
    for turn in quarter_turns():
        q = product(lie.quaternion, turn)
        if faces_by_tilt(q, look)[0][1] == value:
            return Lie(lie.position, q, lie.resting_on)
    raise ValueError(f"no turn brings {value} up from {face_normal(value, left_handed=look.left_handed)}")


class Show(Session):
    """A set-up whose throws are the demo's."""

    def make(self) -> None:
        """Writes the set-up; its own file comes last."""
        self.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            self._build(Path(folder))
            self._empties()
            for n, (kind, values) in enumerate(HANDS):
                self._lay(f"{self.name}_t{n:02d}", kind, values)
        about = {"setup": self.name, "frames": self.frames, **self.about}
        (self.out / f"{self.name}.json").write_text(json.dumps(about, indent=1))

    def _lay(self, name: str, kind: str, values: tuple[int, ...]) -> None:
        lies = self.thrower.throw(kind, tries=60)
        if lies is None:
            raise RuntimeError(f"{kind}: no throw ended that way; choose another set-up")
        lies = tuple(
            relabelled(lie, look, value) for lie, look, value in zip(lies, self.looks, self.rng.permutation(values), strict=True)
        )
        for die, lie in zip(self.dice, lies, strict=True):
            studio.lay(die, lie)
        boxes = truth.patches(lies, self.looks, self.lens, self.pad, 1.0)
        self._develop(name, self.darkroom.blend(self.base, boxes, 16, 9.0), "throw", self._truth(lies, kind))

    def _draw_looks(self, rng: np.random.Generator) -> tuple[str, list[DieLook]]:
        look = replace(draw_look(rng, "cn_white"), edge=17.0, one_radius=0.19, pip_radius=0.1, wear=0.0, off_centre=0.004, dirt=0.0)
        return look.style, [look] * 6

    def _draw_webcam(self, rng: np.random.Generator) -> faults.Webcam:
        return replace(
            faults.draw_webcam(rng), blur_sigma=0.6, defocus=0.0, noise=0.15, ev=0.0, flicker=0.0, low_res=1.0, quality=92, vignette=0.15
        )

    def promising(self) -> bool:
        """Whether this set-up, not yet rendered, is one to show: the bowl large and seen from well above."""
        with tempfile.TemporaryDirectory() as folder:
            self._build(Path(folder))
        rim = self.bowl["rim_ellipse"]
        edge_px = self.looks[0].edge * rim["major"] / (2 * self.profile.rim_radius)
        return edge_px > 28 and 420 < rim["major"] < 640 and rim["minor"] / rim["major"] > 0.88


def main() -> None:
    """Look for promising set-ups, or make one."""
    p = argparse.ArgumentParser(prog="python -m models.training.render.show", description=__doc__)
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--seed", type=int, default=63)
    p.add_argument("--index", type=int, help="make this set-up; without it promising ones are named")
    p.add_argument("--among", type=int, default=60, help="how many set-ups to look through")
    p.add_argument("--empty", action="store_true", help="only the empty bowl, to have a look")
    options = p.parse_args()
    if options.index is None:
        for index in range(options.among):
            show = Show(options.out, options.seed, index, 0)
            if show.promising():
                print(index, show.about["bowl_pattern"], show.about["glaze"], show.about["table"], show.about["light"], flush=True)
        return
    show = Show(options.out, options.seed, options.index, 0)
    if options.empty:
        options.out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            show._build(Path(folder))
            show._empties()
        return
    show.make()


if __name__ == "__main__":
    main()
