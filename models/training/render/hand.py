"""A hand with its sleeve over the bowl: rods and balls melted into one skin."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from models.training.render.shapes import ball, rod
from models.training.render.studio import CM, add_mesh, material, uneven

SKINS = ((0.85, 0.66, 0.54), (0.78, 0.58, 0.45), (0.68, 0.48, 0.36), (0.9, 0.74, 0.64), (0.5, 0.34, 0.25))


def add_hand(scene: Any, rng: np.random.Generator, rim_radius_mm: float, rim_height_mm: float) -> list[Any]:
    """Holds a hand over the bowl, the arm leaving the picture in a random direction."""
    curl = float(rng.uniform(0.1, 1.25))
    parts = [
        ball((4.3, 3.9, 1.5)),
        rod((-4.2, 0, 0.1), (-9, 0, 0.4), 2.5, 2.5),
        rod((-9, 0, 0.4), (-34, 0, 4), 2.6, 4.2),
    ]
    for y, length in ((-2.8, 0.86), (-1.0, 1.0), (0.9, 1.06), (2.7, 0.97)):
        at, bend, spread = np.array([3.4, y, 0.1]), 0.15, y * float(rng.uniform(0.01, 0.07))
        for long, thick in ((3.6, 0.92), (2.4, 0.85), (1.9, 0.75)):
            bend += curl * float(rng.uniform(0.55, 0.75))
            step = np.array([np.cos(bend) * np.cos(spread), np.sin(spread), -np.sin(bend)]) * long * length
            parts.append(rod(at, at + step, thick, thick * 0.92))
            at = at + step
    thumb = np.array([-1.5, 3.2, -0.2])
    for turn, long in ((0.9, 3.6), (0.45, 2.9), (0.2, 2.2)):
        step = np.array([np.cos(turn), np.sin(turn), -0.35 * curl]) * long
        parts.append(rod(thumb, thumb + step, 1.1, 0.95))
        thumb = thumb + step
    points = np.concatenate([p for p, _ in parts])
    offsets = np.cumsum([0, *(len(p) for p, _ in parts)])
    faces = [list(f + o) for (_, fs), o in zip(parts, offsets, strict=False) for f in fs]
    mirror, size = float(rng.choice([-1, 1])), float(rng.uniform(0.85, 1.12))
    if mirror < 0:
        faces = [f[::-1] for f in faces]
    things = [
        _melt(add_mesh(scene, "hand", points * [size, mirror * size, size], faces), rng),
        _sleeve(scene, rng, size),
    ]
    angle, off = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.75) * rim_radius_mm * CM
    lift = rim_height_mm * CM + 2.4 + 6.5 * np.sin(min(curl, 1.2)) * size + float(rng.uniform(0, 3.0))
    reach = rng.uniform(0, 2 * np.pi)
    for thing in things:
        thing.rotation_euler[2] = float(angle)
        thing.location = (
            float(off * np.cos(reach) - 4 * np.cos(angle)),
            float(off * np.sin(reach) - 4 * np.sin(angle)),
            lift,
        )
    bpy.context.view_layer.update()
    return things


def _melt(thing: Any, rng: np.random.Generator) -> Any:
    """One smooth skin out of the overlapping parts."""
    remesh = thing.modifiers.new("skin", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", 0.22, True
    smooth = thing.modifiers.new("soft", "SMOOTH")
    smooth.factor, smooth.iterations = 0.6, 6
    skin = SKINS[int(rng.integers(len(SKINS)))]
    made, tree, node = material("skin", skin, rough=0.5)
    node.inputs["Specular IOR Level"].default_value = 0.3
    uneven(tree, node, 2.5, 0.5)
    mottle, ramp = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeMix")
    mottle.inputs["Scale"].default_value, ramp.data_type = 0.6, "RGBA"
    ramp.inputs["A"].default_value = [*(c**2.2 for c in skin), 1.0]
    ramp.inputs["B"].default_value = [skin[0] ** 2.2 * 0.9, skin[1] ** 2.2 * 0.62, skin[2] ** 2.2 * 0.6, 1.0]
    tree.links.new(mottle.outputs["Fac"], ramp.inputs["Factor"])
    tree.links.new(ramp.outputs["Result"], node.inputs["Base Color"])
    thing.data.materials.append(made)
    return thing


def _sleeve(scene: Any, rng: np.random.Generator, size: float) -> Any:
    start = float(rng.uniform(-16, -9))
    points, quads = rod((start, 0, 0.8), (start - 40, 0, 6), 4.2, 6.5, 28)
    cloth = add_mesh(scene, "sleeve", points * size, quads)
    colour = [
        (0.12, 0.14, 0.25),
        (0.6, 0.1, 0.12),
        (0.8, 0.8, 0.78),
        (0.2, 0.2, 0.2),
        (0.3, 0.45, 0.35),
        (0.75, 0.6, 0.3),
    ][int(rng.integers(6))]
    made, tree, node = material("sleeve", colour, rough=0.9)
    node.inputs["Specular IOR Level"].default_value = 0.1
    uneven(tree, node, 0.5, 0.8)
    cloth.data.materials.append(made)
    return cloth
