"""The lights of a room, all real lamps that reflect in the glaze."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from models.training.render.studio import CM, add_mesh

Colour = tuple[float, float, float]
KINDS = {
    "ceiling": 0.24,
    "ring": 0.1,
    "two_bulbs": 0.15,
    "window": 0.16,
    "bulb": 0.12,
    "lantern": 0.08,
    "panel": 0.08,
    "mixed": 0.07,
}
_WARM, _WHITE, _COOL = (1.0, 0.72, 0.45), (1.0, 0.95, 0.88), (0.82, 0.91, 1.0)


def add_lights(scene: Any, rng: np.random.Generator, camera_mm: Any) -> str:
    """Hangs one kind of light into the scene, with some light from the room, and gives its name."""
    kind = str(rng.choice(list(KINDS), p=list(KINDS.values())))
    room = float(rng.uniform(0.04, 0.35))
    makers = {
        "ceiling": _ceiling,
        "ring": _ring,
        "two_bulbs": _bulbs,
        "window": _window,
        "bulb": _bulb,
        "lantern": _lantern,
        "panel": _panel,
    }
    if kind == "mixed":
        for name in rng.choice(list(makers), size=2, replace=False):
            makers[str(name)](scene, rng)
    else:
        makers[kind](scene, rng)
    world = bpy.data.worlds.new("room")
    world.use_nodes = True
    tint = np.clip(np.array(_WHITE) + rng.normal(0, 0.06, 3), 0.5, 1.1)
    world.node_tree.nodes["Background"].inputs[0].default_value = [*tint, 1.0]
    world.node_tree.nodes["Background"].inputs[1].default_value = room
    scene.world = world
    _bystanders(scene, rng, camera_mm)
    return kind


def _lamp(
    scene: Any,
    kind: str,
    at: Any,
    colour: Colour,
    watts: float,
    size: float,
    size_y: float | None = None,
    aim: Any = (0.0, 0.0, 5.0),
) -> Any:
    data = bpy.data.lights.new("lamp", kind)
    data.energy, data.color = watts, colour
    if kind == "AREA":
        data.shape = "DISK" if size_y is None else "RECTANGLE"
        data.size = size
        if size_y is not None:
            data.size_y = size_y
    else:
        data.shadow_soft_size = size
    lamp = bpy.data.objects.new("lamp", data)
    scene.collection.objects.link(lamp)
    at, aim = np.asarray(at, float), np.asarray(aim, float)
    z = (at - aim) / np.linalg.norm(at - aim)
    x = np.cross([0.13, 0.98, 0.1], z)
    x /= np.linalg.norm(x)
    turn = np.eye(4)
    turn[:3, :3], turn[:3, 3] = np.stack([x, np.cross(z, x), z], axis=1), at
    lamp.matrix_world = [list(column) for column in turn.T]
    return lamp


def _colour(rng: np.random.Generator, *choices: Colour) -> Colour:
    c = np.array(choices[int(rng.integers(len(choices)))]) * np.exp(rng.normal(0, 0.04, 3))
    return (float(c[0]), float(c[1]), float(c[2]))


def _over(rng: np.random.Generator, low: float, high: float, aside: float) -> Any:
    """A place above the table (cm), aside of the bowl."""
    a, d, z = rng.uniform(0, 2 * np.pi), rng.uniform(0.15, 1.0) * aside, rng.uniform(low, high)
    # straight overhead the well mirrors the lamp and the dice drown in it: that is rare
    if aside > 50 and rng.random() < 0.75:
        d = max(d, z * rng.uniform(0.4, 0.7))
    return np.array([d * np.cos(a), d * np.sin(a), z])


def _ceiling(scene: Any, rng: np.random.Generator) -> None:
    size = float(rng.uniform(30, 110))
    shape = size * float(rng.uniform(0.25, 1.0)) if rng.random() < 0.6 else None
    _lamp(
        scene,
        "AREA",
        _over(rng, 130, 220, 120),
        _colour(rng, _WHITE, _COOL, _WARM),
        9e4,
        size,
        shape,
        aim=_over(rng, 0, 5, 20),
    )


def _panel(scene: Any, rng: np.random.Generator) -> None:
    at = _over(rng, 140, 210, 90)
    for k in range(int(rng.integers(2, 5))):
        _lamp(scene, "AREA", at + np.array([k * 28.0 - 30, 0, 0]), _COOL, 4e4, 10.0, 110.0, aim=at * [1, 1, 0])


def _ring(scene: Any, rng: np.random.Generator) -> None:
    at, colour = _over(rng, 60, 160, 70), _colour(rng, _WHITE, _COOL)
    big, thick = float(rng.uniform(12, 30)), float(rng.uniform(1.2, 2.6))
    a, b = np.meshgrid(np.arange(48) * 2 * np.pi / 48, np.arange(8) * 2 * np.pi / 8, indexing="ij")
    points = (
        np.stack(
            [(big + thick * np.cos(b)) * np.cos(a), (big + thick * np.cos(b)) * np.sin(a), thick * np.sin(b)], axis=-1
        ).reshape(-1, 3)
        + at
    )
    k, j = np.meshgrid(np.arange(48), np.arange(8), indexing="ij")
    quads = np.stack(
        [k * 8 + j, (k + 1) % 48 * 8 + j, (k + 1) % 48 * 8 + (j + 1) % 8, k * 8 + (j + 1) % 8], axis=-1
    ).reshape(-1, 4)
    _glow(add_mesh(scene, "ring", points, quads), colour, 60.0)


def _glow(thing: Any, colour: Colour, strength: float) -> None:
    made = bpy.data.materials.new("glow")
    made.use_nodes = True
    node = made.node_tree.nodes["Principled BSDF"]
    node.inputs["Emission Color"].default_value, node.inputs["Emission Strength"].default_value = (
        [*colour, 1.0],
        strength,
    )
    thing.data.materials.append(made)


def _bulbs(scene: Any, rng: np.random.Generator) -> None:
    colour = _colour(rng, _WARM, _WHITE)
    for _ in range(2):
        _lamp(
            scene, "POINT", _over(rng, 70, 170, 90), colour, float(rng.uniform(2.5e4, 5e4)), float(rng.uniform(2.5, 7))
        )


def _bulb(scene: Any, rng: np.random.Generator) -> None:
    _lamp(scene, "POINT", _over(rng, 60, 150, 70), _colour(rng, _WARM), 5e4, float(rng.uniform(2.5, 8)))


def _window(scene: Any, rng: np.random.Generator) -> None:
    a, far = rng.uniform(0, 2 * np.pi), rng.uniform(70, 180)
    base, side = np.array([np.cos(a), np.sin(a), 0.0]) * far, np.array([-np.sin(a), np.cos(a), 0.0])
    wide, tall = rng.uniform(25, 55), rng.uniform(35, 70)
    for column in (-0.5, 0.5):
        for row in (0, 1):
            at = base + side * column * (wide + 4) + np.array([0, 0, 55 + row * (tall + 4)])
            _lamp(scene, "AREA", at, _COOL, 5e4, float(wide), float(tall), aim=at - base + np.array([0, 0, -18.0]))
    if rng.random() < 0.5:
        _lamp(scene, "AREA", _over(rng, 150, 200, 80), _WARM, 2e4, 35.0)


def _lantern(scene: Any, rng: np.random.Generator) -> None:
    for _ in range(int(rng.integers(1, 4))):
        at = _over(rng, 70, 140, 80)
        _lamp(scene, "POINT", at, _colour(rng, (1.0, 0.32, 0.16), (1.0, 0.5, 0.25)), 3e4, float(rng.uniform(9, 16)))
    _lamp(scene, "AREA", _over(rng, 150, 210, 90), _WARM, 3.5e4, 40.0)


def _bystanders(scene: Any, rng: np.random.Generator, camera_mm: Any) -> None:
    """The webcam's own body and dark shapes of people round the table, which the glaze mirrors."""
    at = np.asarray(camera_mm) * CM
    boxes = [(at + np.array([0, 0, 3.2]), (5.0, 1.6, 1.6)), (at + np.array([0, 9.0, 4.5]), (0.8, 9.0, 0.8))]
    for _ in range(int(rng.integers(0, 4))):
        a, d = rng.uniform(0, 2 * np.pi), rng.uniform(55, 90)
        boxes.append(
            (
                np.array([d * np.cos(a), d * np.sin(a), rng.uniform(0, 35)]),
                (rng.uniform(12, 22), rng.uniform(10, 18), rng.uniform(25, 45)),
            )
        )
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    for centre, half in boxes:
        box = add_mesh(scene, "bystander", corners * half + centre, quads, smooth=False)
        made = bpy.data.materials.new("dark")
        made.diffuse_color = (0.1, 0.1, 0.1, 1)
        made.use_nodes = True
        shade = rng.uniform(0.02, 0.2)
        made.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (shade, shade, shade * 1.1, 1.0)
        box.data.materials.append(made)
