"""The Blender scene of one set-up: bowl, table, camera and dice as meshes and glazes. One unit is a centimetre."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np

from models.training.render.attitude import Lie, rotation
from models.training.render.die import STYLES, DieLook, die_mesh, die_paint, place_pips
from models.training.render.lens import HEIGHT, WIDTH, Lens
from models.training.render.noise import Field
from models.training.render.porcelain import LIP, Painting
from models.training.render.profile import Profile
from models.training.render.tabletops import SPAN_MM

CM = 0.1
Colour = tuple[float, float, float]


def open_scene() -> Any:
    """An empty scene set up for quick path tracing on one thread."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.use_persistent_data = True
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_mode, scene.render.image_settings.color_depth = "RGB", "32"
    c = scene.cycles
    c.device, c.use_denoising, c.denoiser = "CPU", True, "OPENIMAGEDENOISE"
    c.denoising_input_passes, c.denoising_prefilter = "RGB_ALBEDO_NORMAL", "FAST"
    c.max_bounces, c.diffuse_bounces, c.glossy_bounces, c.transmission_bounces = 7, 3, 3, 6
    c.caustics_reflective, c.caustics_refractive = False, False
    c.sample_clamp_indirect, c.blur_glossy = 4.0, 0.5
    c.use_adaptive_sampling = False
    return scene


def set_camera(scene: Any, lens: Lens, pad: tuple[int, int]) -> None:
    """The pinhole camera of the lens, its picture padded on all sides."""
    data = bpy.data.cameras.new("cam")
    w, h = WIDTH + 2 * pad[0], HEIGHT + 2 * pad[1]
    data.sensor_fit, data.sensor_width = "HORIZONTAL", 36.0
    data.lens = lens.f * 36.0 / w
    data.shift_x, data.shift_y = ((WIDTH - 1) / 2 - lens.cx) / w, (lens.cy - (HEIGHT - 1) / 2) / w
    data.clip_start, data.clip_end = 0.5, 2000.0
    camera = bpy.data.objects.new("cam", data)
    turn = np.eye(4)
    turn[:3, :3] = lens.rotation.T @ np.diag([1.0, -1.0, -1.0])
    turn[:3, 3] = lens.centre * CM
    camera.matrix_world = [list(column) for column in turn.T]
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = w, h, 100


def add_mesh(scene: Any, name: str, vertices: Any, faces: Any, uvs: Any = None, *, smooth: bool = True) -> Any:
    """A mesh object; vertices in cm, faces lists of indices, uvs one pair a corner."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(np.asarray(vertices).tolist(), [], [list(map(int, f)) for f in faces])
    if uvs is not None:
        layer = mesh.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", np.asarray(uvs, np.float32).reshape(-1))
    if smooth:
        mesh.shade_smooth()
    thing = bpy.data.objects.new(name, mesh)
    scene.collection.objects.link(thing)
    return thing


def picture_node(tree: Any, folder: Path, name: str, picture: Field, *, data: bool = False) -> Any:
    """A texture node with this picture (h, w, 3, RGB 0 to 1 as displayed; row 0 at v = 0)."""
    path = folder / f"{name}.png"
    cv2.imwrite(str(path), (np.clip(picture[::-1, :, ::-1], 0, 1) * 255 + 0.5).astype(np.uint8))
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.load(str(path))
    node.image.colorspace_settings.name = "Non-Color" if data else "sRGB"
    node.extension = "MIRROR"
    return node


def material(
    name: str, colour: Colour = (0.8, 0.8, 0.8), *, rough: float = 0.4, metal: float = 0.0, coat: float = 0.0
) -> tuple[Any, Any, Any]:
    """A material, its node tree and its principled node; the colour is given as displayed."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    node = made.node_tree.nodes["Principled BSDF"]
    node.inputs["Base Color"].default_value = [*(c**2.2 for c in colour), 1.0]
    node.inputs["Roughness"].default_value = rough
    node.inputs["Metallic"].default_value = metal
    node.inputs["Coat Weight"].default_value = coat
    node.inputs["Coat Roughness"].default_value = 0.04
    return made, made.node_tree, node


def uneven(tree: Any, node: Any, scale: float, strength: float, socket: str = "Normal") -> None:
    """Makes a surface a little wavy, as glaze and cloth are."""
    noise, bump = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeBump")
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = scale, 2.0
    coordinates = tree.nodes.new("ShaderNodeTexCoord")
    tree.links.new(coordinates.outputs["Object"], noise.inputs["Vector"])
    bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = strength, 0.1
    tree.links.new(noise.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], node.inputs[socket])


def add_bowl(scene: Any, folder: Path, rng: np.random.Generator, profile: Profile, painting: Painting) -> Any:
    """The turned and glazed bowl."""
    line = np.concatenate([profile.inner, profile.lip, profile.outer])
    turns = 128
    angles = np.arange(turns) * 2 * np.pi / turns
    rings = np.stack(
        [
            np.outer(line[:, 0], np.cos(angles)),
            np.outer(line[:, 0], np.sin(angles)),
            np.repeat(line[:, 1:], turns, axis=1),
        ],
        axis=-1,
    )
    at = np.concatenate([profile.arc(), np.ones(len(line) - len(profile.inner))])
    half = 0.5 * LIP * at
    flat_uv = np.stack([0.5 + half[:, None] * np.cos(angles), 0.5 + half[:, None] * np.sin(angles)], axis=-1).reshape(
        -1, 2
    )
    k, j = np.meshgrid(np.arange(len(line) - 1), np.arange(turns), indexing="ij")
    nxt = (j + 1) % turns
    quads = np.stack([k * turns + j, k * turns + nxt, (k + 1) * turns + nxt, (k + 1) * turns + j], axis=-1).reshape(
        -1, 4
    )
    bowl = add_mesh(scene, "bowl", rings.reshape(-1, 3) * CM, quads, flat_uv[quads])
    inside, tree, node = material("glaze", rough=float(rng.uniform(0.3, 0.6)), coat=1.0 if rng.random() < 0.9 else 0.3)
    node.inputs["Coat Roughness"].default_value = float(rng.uniform(0.015, 0.09))
    tree.links.new(picture_node(tree, folder, "bowl", painting.picture).outputs["Color"], node.inputs["Base Color"])
    uneven(tree, node, float(rng.uniform(0.3, 1.2)), float(rng.uniform(0.01, 0.12)), "Coat Normal")
    gold = (0.80, 0.62, 0.25) if rng.random() < 0.6 else (0.45, 0.28, 0.15)
    rim = (
        material("rim", gold, rough=0.25, metal=0.9)[0]
        if painting.gold_rim
        else material("rim", painting.body, rough=0.35, coat=1.0)[0]
    )
    outside = material("outside", painting.body, rough=0.4, coat=1.0)[0]
    for m in (inside, rim, outside):
        bowl.data.materials.append(m)
    row = np.repeat(np.arange(len(line) - 1), turns)
    n = len(profile.inner)
    slots = np.where(row < n - 1, 0, np.where(row < n + len(profile.lip) + 1, 1, 2))
    bowl.data.polygons.foreach_set("material_index", slots.astype(np.int32))
    return bowl


def add_table(scene: Any, folder: Path, rng: np.random.Generator, name: str, picture: Field) -> Any:
    """The table top, turned at random."""
    s, u = 200.0, 2000.0 / SPAN_MM
    corners = np.array([[-s, -s, 0], [s, -s, 0], [s, s, 0], [-s, s, 0]])
    table = add_mesh(
        scene,
        "table",
        corners,
        [[0, 1, 2, 3]],
        np.array([[-u, -u], [u, -u], [u, u], [-u, u]]) + rng.uniform(0, 1, 2),
        smooth=False,
    )
    table.rotation_euler[2] = float(rng.uniform(0, 2 * np.pi))
    soft = name in ("cloth", "checks", "newspaper", "mat")
    made, tree, node = material("table", rough=float(rng.uniform(0.7, 1.0) if soft else rng.uniform(0.12, 0.6)))
    tree.links.new(picture_node(tree, folder, "table", picture).outputs["Color"], node.inputs["Base Color"])
    node.inputs["Specular IOR Level"].default_value = 0.1 if soft else 0.45
    if soft:
        uneven(tree, node, 0.25, 0.5)
    table.data.materials.append(made)
    return table


def add_die(scene: Any, folder: Path, rng: np.random.Generator, n: int, look: DieLook) -> Any:
    """Die number n, at the origin."""
    pips = place_pips(rng, look)
    vertices, quads, uvs = die_mesh(look, pips, 45)
    die = add_mesh(scene, f"die{n}", vertices * CM, quads, uvs.reshape(-1, 2))
    picture, mask = die_paint(rng, look, pips)
    made, tree, node = material(f"die{n}", rough=look.roughness)
    tree.links.new(picture_node(tree, folder, f"die{n}", picture).outputs["Color"], node.inputs["Base Color"])
    if look.style == "red_trans":
        _clear(tree, node, picture_node(tree, folder, f"mask{n}", np.repeat(1 - mask[..., None], 3, axis=2), data=True))
    elif STYLES[look.style][0][0] > 0.8 and rng.random() < 0.5:
        node.inputs["Subsurface Weight"].default_value = float(rng.uniform(0.1, 0.4))
        node.inputs["Subsurface Radius"].default_value, node.inputs["Subsurface Scale"].default_value = (
            (1.0, 0.8, 0.6),
            0.12,
        )
    die.data.materials.append(made)
    die.rotation_mode = "QUATERNION"
    return die


def _clear(tree: Any, node: Any, clear: Any) -> None:
    """Makes a die clear red but for its pips; its shadow lets red light through."""
    scale = tree.nodes.new("ShaderNodeMath")
    scale.operation, scale.inputs[1].default_value = "MULTIPLY", 0.85
    tree.links.new(clear.outputs["Color"], scale.inputs[0])
    tree.links.new(scale.outputs[0], node.inputs["Transmission Weight"])
    node.inputs["IOR"].default_value, node.inputs["Roughness"].default_value = 1.45, 0.05
    path, through, both = (
        tree.nodes.new(f"ShaderNode{kind}") for kind in ("LightPath", "BsdfTransparent", "MixShader")
    )
    through.inputs["Color"].default_value = (0.6, 0.08, 0.08, 1.0)
    tree.links.new(path.outputs["Is Shadow Ray"], both.inputs[0])
    tree.links.new(node.outputs[0], both.inputs[1])
    tree.links.new(through.outputs[0], both.inputs[2])
    tree.links.new(both.outputs[0], tree.nodes["Material Output"].inputs["Surface"])


def lay(die: Any, lie: Lie | None) -> None:
    """Puts a die where it lies, or out of the scene."""
    hidden = lie is None
    die.hide_render = die.hide_viewport = hidden
    if lie is not None:
        turn = np.eye(4)
        turn[:3, :3], turn[:3, 3] = rotation(lie.quaternion), lie.position * CM
        die.matrix_world = [list(column) for column in turn.T]


def remove(things: list[Any]) -> None:
    """Takes things out of the scene again."""
    for thing in things:
        bpy.data.objects.remove(thing, do_unlink=True)


def owner(scene: Any, lens: Lens, dice: list[Any]) -> Any:
    """Tells for rays from the camera which die each meets first, -1 for anything else."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    ids = {die.name: n for n, die in enumerate(dice)}
    start = tuple(lens.centre * CM)

    def ask(rays: Any) -> Any:
        hits = (scene.ray_cast(graph, start, tuple(ray)) for ray in rays.tolist())
        return np.array([ids.get(hit[4].name, -1) if hit[0] else -1 for hit in hits], np.int64)

    return ask


def corners(things: list[Any]) -> Any:
    """The vertices of these things in the world, (n, 3) in mm."""
    out = []
    for thing in things:
        turn = np.array(thing.matrix_world)
        points = np.array([v.co for v in thing.data.vertices])
        out.append((points @ turn[:3, :3].T + turn[:3, 3]) / CM)
    return np.concatenate(out)
