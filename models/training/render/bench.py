"""The physical bowl and dice: builds the world in which dice are thrown, in centimetres, grams and seconds."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import mujoco
import numpy as np

from models.training.render.profile import Profile

CM = 0.1
SECTORS = 48


def _wedges(profile: Profile) -> list[str]:
    """Convex pieces between inside and outside of the wall, as lines of vertices."""
    inner = profile.inner * CM
    # fewer rings where the wall is straight
    keep = [0]
    for k in range(1, len(inner) - 1):
        a, b = inner[keep[-1]], inner[k + 1]
        between = inner[keep[-1] + 1 : k + 1]
        t = (between[:, 0] - a[0]) / max(b[0] - a[0], 1e-9)
        if np.abs(between[:, 1] - (a[1] + t * (b[1] - a[1]))).max() > 0.006:
            keep.append(k)
    ring = inner[[*keep, len(inner) - 1]]
    tangent = np.gradient(ring, axis=0)
    normal = np.stack([tangent[:, 1], -tangent[:, 0]], axis=1)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    back = ring + normal * 0.32
    angles = np.arange(SECTORS) * 2 * np.pi / SECTORS
    out = []
    for k in range(len(ring) - 1):
        for a, b in zip(angles, np.roll(angles, -1), strict=True):
            points = [
                (r * np.cos(t), r * np.sin(t), z)
                for r, z in (ring[k], ring[k + 1], back[k], back[k + 1])
                for t in (a, b)
            ]
            out.append(" ".join(f"{v:.5f}" for p in {tuple(np.round(p, 5)) for p in points} for v in p))
    return out


def build(profile: Profile, edges: list[float], roundings: list[float], *, slick: float) -> Any:
    """A MuJoCo model: table, bowl of wedges with a rim of capsules, and free dice; edges and roundings in mm."""
    parts, assets, bodies = [], [], []
    for n, line in enumerate(_wedges(profile)):
        assets.append(f'<mesh name="w{n}" vertex="{line}"/>')
        parts.append(f'<geom type="mesh" mesh="w{n}" contype="1" conaffinity="0"/>')
    wall = float(profile.rim_height - profile.inner[-1, 1]) * CM
    r, z = profile.rim_radius * CM, float(profile.inner[-1, 1]) * CM
    angles = np.arange(SECTORS + 1) * 2 * np.pi / SECTORS
    for a, b in pairwise(angles):
        ends = f"{r * np.cos(a):.5f} {r * np.sin(a):.5f} {z:.5f} {r * np.cos(b):.5f} {r * np.sin(b):.5f} {z:.5f}"
        parts.append(f'<geom type="capsule" fromto="{ends}" size="{wall:.4f}" contype="5" conaffinity="0"/>')
    for n, (edge, rounding) in enumerate(zip(edges, roundings, strict=True)):
        h, q = edge * CM / 2, rounding * CM
        balls = "".join(
            f'<geom type="sphere" size="{q:.5f}" pos="{x * (h - q):.5f} {y * (h - q):.5f} {w * (h - q):.5f}" mass="0.01" contype="0" conaffinity="1"/>'
            for x in (-1, 1)
            for y in (-1, 1)
            for w in (-1, 1)
        )
        shape = f'<geom type="box" size="{h:.5f} {h:.5f} {h:.5f}" density="1.2" contype="2" conaffinity="6"/>'
        bodies.append(f'<body name="d{n}" pos="{100 + 5 * n} 0 20"><freejoint/>{shape}{balls}</body>')
    xml = f"""<mujoco><option timestep="0.001" gravity="0 0 -981" integrator="implicitfast" cone="elliptic" impratio="5"/>
    <size memory="40M"/>
    <default><geom friction="{slick:.3f} 0.005 0.0001" solref="0.004 0.9" solimp="0.95 0.995 0.005"/></default>
    <asset>{"".join(assets)}</asset>
    <worldbody><geom type="plane" size="300 300 1" contype="1" conaffinity="0"/>{"".join(parts)}{"".join(bodies)}</worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(xml)
