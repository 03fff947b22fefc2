"""Throws dice into the bowl by physics until they lie, and gives where they lie; results that drift or overlap are thrown away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from models.training.render.attitude import Lie, faces_by_tilt
from models.training.render.bench import CM, build
from models.training.render.die import DieLook
from models.training.render.profile import Profile

Array = npt.NDArray[np.float64]
DRIFT_MM, OVERLAP_MM = 0.2, 0.1
KINDS = {"in": 0.42, "tilted": 0.24, "out": 0.12, "five": 0.04, "stack": 0.12, "hand": 0.06}
FAR_MM = 3000.0


def draw_kinds(rng: np.random.Generator, count: int) -> list[str]:
    """The requests of a set-up's throws, about as the mix says, in random order."""
    return [str(k) for k in rng.choice(list(KINDS), size=count, p=list(KINDS.values()))]


class Thrower:
    """Throws the six dice of one set-up into its bowl.

    places(position) says for a point on the table (x, y, mm) whether a die there is "free" in the picture, "hidden" or
    "outside" the picture.
    """

    def __init__(
        self, profile: Profile, looks: list[DieLook], rng: np.random.Generator, places: Callable[[float, float], str]
    ) -> None:
        self.profile, self.looks, self.rng, self.places = profile, looks, rng, places
        self.model = build(
            profile, [k.edge for k in looks], [k.rounding for k in looks], slick=float(rng.uniform(0.22, 0.45))
        )
        self.data: Any = mujoco.MjData(self.model)

    def throw(self, kind: str, tries: int = 14) -> tuple[Lie, ...] | None:
        """Six dice at rest as asked for ("in", "tilted", "out", "five", "stack", "hand"), or None if luck ran out."""
        if kind == "tilted":
            found = [t for t in (self._attempt("in") for _ in range(5)) if t is not None]
            return max(found, key=self._lean) if found else None
        for _ in range(tries):
            lies = self._attempt("in" if kind == "hand" else kind)
            if lies is not None:
                return lies
        return None

    def inside(self, lie: Lie) -> bool:
        """The die's centre lies within the rim and above the glaze."""
        r = float(np.hypot(lie.position[0], lie.position[1]))
        return r < self.profile.rim_radius and float(lie.position[2]) > self.profile.inner_height(r)

    def _lean(self, lies: tuple[Lie, ...]) -> float:
        tilts = sorted(
            (faces_by_tilt(lie.quaternion, look)[0][0] for lie, look in zip(lies, self.looks, strict=True)),
            reverse=True,
        )
        return tilts[0] + 0.3 * tilts[1]

    def _attempt(self, kind: str) -> tuple[Lie, ...] | None:
        away = {"out": int(self.rng.choice([1, 2, 3], p=[0.7, 0.22, 0.08])), "five": 1}.get(kind, 0)
        chosen = [int(n) for n in self.rng.permutation(6)]
        outside, last = chosen[:away], chosen[-1] if kind == "stack" else None
        mujoco.mj_resetData(self.model, self.data)
        for n in chosen:
            if n in outside:
                spot = self._table_spot("outside" if kind == "five" else "free")
                if spot is None:
                    return None
                self._put(n, spot, self.rng.normal(0, 12 if kind == "out" else 1, 3))
            elif n == last:
                self._put(n, np.array([FAR_MM, 0.0, self.looks[n].edge / 2 + 0.1]), np.zeros(3), level=True)
        self._release([n for n in chosen if n not in outside and n != last])
        if not self._settle():
            return None
        if last is not None and not self._stack(last):
            return None
        lies = self._lies()
        return lies if lies is not None and self._as_asked(kind, lies, outside) else None

    def _as_asked(self, kind: str, lies: tuple[Lie, ...], outside: list[int]) -> bool:
        gone = [n for n, lie in enumerate(lies) if not self.inside(lie)]
        if kind == "five":
            return (
                gone == outside
                and self.places(float(lies[gone[0]].position[0]), float(lies[gone[0]].position[1])) == "outside"
            )
        if kind == "out":
            return sorted(outside) == gone and all(
                self.places(float(lies[n].position[0]), float(lies[n].position[1])) == "free" for n in gone
            )
        return not gone and (kind != "stack" or any(lie.resting_on for lie in lies))

    def _table_spot(self, wanted: str) -> Array | None:
        reach = self.profile.rim_radius
        for _ in range(200):
            distance = reach + (self.rng.uniform(15, 260) if wanted == "free" else self.rng.uniform(200, 700))
            angle = self.rng.uniform(0, 2 * np.pi)
            x, y = distance * np.cos(angle), distance * np.sin(angle)
            if self.places(x, y) == wanted:
                return np.array([x, y, self.rng.uniform(15, 50)])
        return None

    def _release(self, dice: list[int]) -> None:
        """The dice leave the hand in a loose cluster above the bowl."""
        reach = self.profile.rim_radius
        angle, off = self.rng.uniform(0, 2 * np.pi), reach * np.sqrt(self.rng.uniform(0, 0.2))
        push = self.rng.normal(0, 22, 2)
        for layer, n in enumerate(dice):
            gap = self.looks[n].edge * 1.3
            turn = self.rng.uniform(0, 2 * np.pi)
            ring = gap * (0.75 if layer % 2 else 0.0)
            x, y = off * np.cos(angle) + ring * np.cos(turn), off * np.sin(angle) + ring * np.sin(turn)
            z = self.profile.rim_height + gap * (0.8 + layer * 0.95)
            self._put(n, np.array([x, y, z]), np.array([*(push + self.rng.normal(0, 14, 2)), self.rng.normal(-20, 12)]))

    def _put(self, n: int, at_mm: Array, speed: Array, *, level: bool = False, spin: float = 14.0) -> None:
        q = self.rng.standard_normal(4)
        if level:
            turn = self.rng.uniform(0, 2 * np.pi)
            q = np.array([np.cos(turn / 2), 0, 0, np.sin(turn / 2)]) + self.rng.normal(0, 0.02, 4)
        self.data.qpos[7 * n : 7 * n + 7] = [*(at_mm * CM), *(q / np.linalg.norm(q))]
        self.data.qvel[6 * n : 6 * n + 6] = [*speed, *(self.rng.normal(0, spin if not level else 0.5, 3))]

    def _settle(self, seconds: float = 2.6) -> bool:
        """Lets time pass until nothing moves; False if it drifts on or bodies overlap."""
        still = 0
        for _ in range(int(seconds / 0.02)):
            mujoco.mj_step(self.model, self.data, 20)
            speed = np.abs(self.data.qvel.reshape(-1, 6))
            still = still + 1 if speed[:, :3].max() < 0.4 and speed[:, 3:].max() < 0.5 else 0
            if still >= 5:
                break
        else:
            return False
        before = self.data.qpos.reshape(-1, 7)[:, :3].copy()
        mujoco.mj_step(self.model, self.data, 250)
        drift = np.linalg.norm(self.data.qpos.reshape(-1, 7)[:, :3] - before, axis=1).max()
        depth = -min((float(c.dist) for c in self.data.contact), default=0.0)
        return bool(drift / CM < DRIFT_MM and depth / CM < OVERLAP_MM)

    def _stack(self, n: int) -> bool:
        """Lays die n upon another one, a little askew."""
        below = int(self.rng.choice([k for k in range(6) if k != n]))
        at = self.data.qpos[7 * below : 7 * below + 3] / CM
        offset = self.rng.normal(0, self.looks[n].edge * 0.18, 2)
        height = at[2] + self.looks[below].edge / 2 + self.looks[n].edge * 0.62
        self._put(n, np.array([at[0] + offset[0], at[1] + offset[1], height]), np.array([0.0, 0.0, -4.0]), level=True)
        return self._settle()

    def _lies(self) -> tuple[Lie, ...] | None:
        poses = self.data.qpos.reshape(-1, 7)
        carried: dict[int, set[int]] = {n: set() for n in range(6)}
        force = np.zeros(6)
        for k, contact in enumerate(self.data.contact):
            a, b = (int(self.model.geom_bodyid[g]) - 1 for g in contact.geom)
            if a < 0 or b < 0 or abs(float(contact.frame[2])) < 0.35:
                continue
            mujoco.mj_contactForce(self.model, self.data, k, force)
            weight = float(self.model.body_mass[a + 1]) * 981
            if abs(force[0]) > 0.08 * weight:
                upper, lower = (b, a) if contact.frame[2] > 0 else (a, b)
                carried[upper].add(lower)
        return tuple(Lie(p[:3] / CM, p[3:7].copy(), tuple(sorted(carried[n]))) for n, p in enumerate(poses))
