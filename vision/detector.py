"""The trained dice finder behind the seam: a frame goes in, dice with quads and probabilities come out.

Two nets: the finder answers at every fourth pixel whether a top face is centred there, the face reader reads the
rectified face. A third tells how far a face is turned to the camera. All come from the folder `models`, whose manifest names them and their hashes.
"""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from vision.confidence import Weights
from vision.mirrored import MIRRORS, SIDE, elsewhere, mirrored, near, unmirrored
from vision.mirrored import ROOM as MIRROR_ROOM
from vision.reading import Found, Frame
from vision.rectify import ROOM, Quad, edge_of, parallelogram, rectify, unrectify, upright
from vision.tilt import slant_crop

Floats = npt.NDArray[np.float32]

STRIDE = 4
BOX_UNIT = 16.0
EDGE_UNIT = 20.0
BEST_EDGE = 20.0
"""Edge of a top face, in pixels of what the finder looks at, at which it sees best."""
FACE_SIDE = 64
FACE_CLASSES = 8
PLAINLY_NOTHING, PLAINLY_A_VALUE, STRAIGHT = 0.5, 0.99, 0.1
"""What needs no second look: what is plainly no die, and a value plainly read in a face that the finder had placed well."""
LEGIBLE_AT_ALL, BEYOND_TURNING = 0.2, 0.995
"""A face whose value is less plain than this is looked at in all four positions."""
UNCLEAR = 0.97
"""A face whose value is less plain than this, after all looks, may lie elsewhere: it is looked for in mirrors."""
LEANING = 0.2
"""Sines by which a face is turned otherwise than most of the throw, from which its slant is worth a second look."""
OTHER_SIZE = 0.55
LEAST_PRESENCE = 0.2
MOST_SPOTS = 100
"""Places taken from one look at most; forty dice at once have been seen."""


class ModelFault(Exception):
    """The model's files are missing or are not those of the manifest; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Look:
    """A part of the frame (x, y, w, h in pixels) that the finder looks at, enlarged by `scale`."""

    x: int
    y: int
    w: int
    h: int
    scale: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that the finder takes for a top face, in pixels of the frame; seen_edge: its edge as the finder saw it."""

    score: float
    quad: npt.NDArray[np.float32]
    box: tuple[float, float, float, float]
    clear: float
    values: tuple[float, ...]
    seen_edge: float

    @property
    def centre(self) -> tuple[float, float]:
        """Centre of the top face."""
        a, c = self.quad[0], self.quad[2]
        return float(a[0] + c[0]) / 2, float(a[1] + c[1]) / 2

    @property
    def edge(self) -> float:
        """Edge of the top face in pixels."""
        return edge_of(self.quad)


def session(path: Path, digest: str | None = None) -> ort.InferenceSession:
    """One net on one thread; raises ModelFault if the file is missing or not the one with this sha256."""
    try:
        coded = path.read_bytes()
    except OSError as fault:
        raise ModelFault(f"the model {path.name} cannot be read ({fault.strerror}): install bobing-table again") from fault
    if digest is not None and hashlib.sha256(coded).hexdigest() != digest:
        raise ModelFault(f"the model {path.name} is not the one of manifest.toml: install bobing-table again")
    ort.disable_telemetry_events()  # where the setting of `vision` is not heeded, as on Windows
    wish = ort.SessionOptions()
    wish.intra_op_num_threads = 1
    wish.inter_op_num_threads = 1
    wish.log_severity_level = 3
    return ort.InferenceSession(coded, wish, providers=["CPUExecutionProvider"])


class OnnxDetector:
    """Finds dice with the two nets of a model folder."""

    def __init__(
        self,
        finder: ort.InferenceSession,
        face: ort.InferenceSession | None,
        weights: Weights | None = None,
        slant: ort.InferenceSession | None = None,
    ) -> None:
        self._finder = finder
        self._face = face
        self._slant = slant
        self._weights = weights or Weights()

    @property
    def weights(self) -> Weights:
        """How the opinions are to be weighed, as fitted for these nets."""
        return self._weights

    @classmethod
    def load(cls, models_dir: Path) -> OnnxDetector:
        """The detector that models_dir/manifest.toml describes; raises ModelFault."""
        told = read_manifest(models_dir)
        return cls(
            session(models_dir / told["finder"]["file"], told["finder"]["sha256"]),
            session(models_dir / told["face"]["file"], told["face"]["sha256"]),
            Weights.of(told.get("confidence", {})),
            session(models_dir / told["slant"]["file"], told["slant"]["sha256"]),
        )

    def find(self, frame: Frame, die_px: float | None = None, looks: Sequence[Look] = ()) -> list[Found]:
        """Every die in the frame; without `looks` the whole frame is looked at, at the scale of die_px or at several."""
        return self.read_faces(frame, self.spots(frame, looks or whole(frame, die_px)))

    def spots(self, frame: Frame, looks: Sequence[Look]) -> list[Spot]:
        """Every place that one of the looks takes for a top face, each place once."""
        seen = [spot for look in looks for spot in self._look(frame, look)]
        return each_once(seen)

    def read_faces(self, frame: Frame, spots: Sequence[Spot], may_lie: Callable[[Quad], bool] = lambda _: True) -> list[Found]:
        """The spots with the values that the face reader sees there (the finder's own guess is the second opinion).

        may_lie: whether a face that can't be read may also be looked for there, and be found there.
        """
        if not spots:
            return []
        if self._face is None:
            return [_found(spot, np.array([*spot.values, 0.0, 0.0], np.float32), spot.values) for spot in spots]
        read = self._read(frame, spots)
        unclear = [i for i, (_, c, _) in enumerate(read) if c[:6].sum() > LEGIBLE_AT_ALL and c[:6].max() < UNCLEAR * c[:6].sum()]
        unclear = [i for i in unclear if may_lie(read[i][0].quad)]
        for i, spot in zip(unclear, self._elsewhere(frame, [read[i][0] for i in unclear]), strict=True):
            if spot is None:
                continue
            there = self._read(frame, [spot])[0]
            quad = there[0].quad
            plainer = there[1][FACE_CLASSES - 1] <= read[i][1][FACE_CLASSES - 1]  # not rather no die at all
            if plainer and may_lie(quad) and not any(near(quad, other.quad) for k, (other, _, _) in enumerate(read) if k != i):
                read[i] = there
        return [_found(spot, c, g) for spot, c, g in read]

    def _read(self, frame: Frame, spots: Sequence[Spot]) -> list[tuple[Spot, Floats, Floats]]:
        """Each spot where it exactly lies, the chances of its classes, and the first glance's chances of its values."""
        # the first look at a face tells where exactly it lies; the second one sees it straight
        first = self._face_answers(frame, spots)
        spots = _sharper_all(spots, first)
        second = first.copy()
        glanced = softmax(first[:, :FACE_CLASSES])
        plain = (glanced[:, :6].max(1) > PLAINLY_A_VALUE) & (np.abs(first[:, FACE_CLASSES : FACE_CLASSES + 3]).max(1) < STRAIGHT)
        again = np.flatnonzero((glanced[:, 7] < PLAINLY_NOTHING) & ~plain)
        if len(again):
            second[again] = self._face_answers(frame, [spots[i] for i in again])
        chances = softmax((first[:, :FACE_CLASSES] + second[:, :FACE_CLASSES]) / 2)
        values = chances[:, :6]
        doubtful = [i for i in again if values[i].sum() > LEGIBLE_AT_ALL and values[i].max() < BEYOND_TURNING * values[i].sum()]
        if doubtful:
            second[doubtful, :FACE_CLASSES] = self._turned(frame, [spots[i] for i in doubtful], second[doubtful, :FACE_CLASSES])
            chances[doubtful] = softmax((first[doubtful, :FACE_CLASSES] + second[doubtful, :FACE_CLASSES]) / 2)
        glances = softmax(first[:, :6])
        return list(zip(spots, chances, glances, strict=True))

    def _elsewhere(self, frame: Frame, spots: Sequence[Spot]) -> list[Spot | None]:
        """For each spot the face that the finder sees there in every mirror, if that is another one: the silhouette of a die that shows two sides may look like one."""
        if not spots:
            return []
        crops = np.concatenate([mirrored(upright(frame, spot.centre, spot.edge, SIDE, MIRROR_ROOM)) for spot in spots])
        answers = self._finder.run(None, {"picture": crops})[0]
        found: list[Spot | None] = []
        for spot, answer in zip(spots, answers.reshape(len(spots), len(MIRRORS), *answers.shape[1:]), strict=True):
            seen = [self._in_mirror(cells, mirror, spot) for cells, mirror in zip(answer, MIRRORS, strict=True)]
            again = self.sharpened(frame, [other for other in seen if other is not None])
            which = elsewhere(spot.quad, [other.quad for other in again])
            found.append(None if which is None else again[which])
        return found

    @staticmethod
    def _in_mirror(cells: Floats, mirror: tuple[int, int], spot: Spot) -> Spot | None:
        """The likeliest face near the middle of a mirrored crop about a spot, in pixels of the frame; the die's box stays what it was, and no die becomes less of one."""
        scale = SIDE / (1 + 2 * MIRROR_ROOM) / spot.edge
        there = []
        for other in _decode(cells, Look(0, 0, SIDE, SIDE, 1.0), (1.0, 1.0)):
            quad = np.asarray((unmirrored(other.quad, mirror, SIDE) - (SIDE - 1) / 2) / scale + spot.centre, np.float32)
            if near(quad, spot.quad):
                there.append(replace(other, quad=quad, box=spot.box, score=max(other.score, spot.score), seen_edge=spot.seen_edge))
        return max(there, key=lambda other: other.score, default=None)

    def slants(self, frame: Frame, faces: Sequence[tuple[tuple[float, float], float]]) -> list[tuple[float, float]]:
        """How faces (centre and edge in pixels) are turned to the line of sight: sines towards x and y; none where no net tells."""
        if self._slant is None or not faces:
            return []
        crops = np.stack([slant_crop(frame, centre, edge) for centre, edge in faces])
        told = np.asarray(self._slant.run(None, {"picture": crops})[0], np.float64)[:, :2]
        # what seems to lean is looked at in mirrors too: a slant that is there is mirrored, an error often is not
        leaning = np.flatnonzero(np.hypot(*(told - np.median(told, 0)).T) > LEANING)
        if len(leaning):
            mirrored = np.concatenate([crops[leaning][:, ::up, ::left] for up, left in MIRRORS])
            again = np.asarray(self._slant.run(None, {"picture": mirrored})[0], np.float64)[:, :2].reshape(len(MIRRORS), -1, 2)
            told[leaning] = (told[leaning] + (again * [[(left, up)] for up, left in MIRRORS]).sum(0)) / (1 + len(MIRRORS))
        return [(float(x), float(y)) for x, y in told]

    def sharpened(self, frame: Frame, spots: Sequence[Spot]) -> list[Spot]:
        """The spots with their quads as the face reader sees them."""
        return _sharper_all(spots, self._face_answers(frame, spots)) if self._face is not None and spots else list(spots)

    def _turned(self, frame: Frame, spots: Sequence[Spot], upright: Floats) -> Floats:
        """The mean of what the face reader says of each face in its four positions; a value is the same in all of them."""
        assert self._face is not None
        faces = [rectify(frame, spot.quad, FACE_SIDE) for spot in spots]
        turned = np.stack([np.rot90(face, k) for face in faces for k in (1, 2, 3)])
        answers = np.asarray(self._face.run(None, {"picture": turned})[0], np.float32)[:, :FACE_CLASSES]
        return np.asarray((upright + answers.reshape(len(spots), 3, FACE_CLASSES).sum(1)) / 4, np.float32)

    def _face_answers(self, frame: Frame, spots: Sequence[Spot]) -> Floats:
        assert self._face is not None
        crops = np.stack([rectify(frame, spot.quad, FACE_SIDE) for spot in spots])
        return np.asarray(self._face.run(None, {"picture": crops})[0], np.float32)

    def _look(self, frame: Frame, look: Look) -> list[Spot]:
        part = frame[look.y : look.y + look.h, look.x : look.x + look.w]
        size = max(16, round(look.w * look.scale)), max(16, round(look.h * look.scale))
        if size != (part.shape[1], part.shape[0]):
            part = resized(part, size)
        right, bottom = -size[0] % 16, -size[1] % 16
        if right or bottom:
            part = np.asarray(cv2.copyMakeBorder(part, 0, bottom, 0, right, cv2.BORDER_CONSTANT, value=(120, 120, 120)), np.uint8)
        cells = self._finder.run(None, {"picture": part[None]})[0][0]
        return _decode(cells, look, (size[0] / look.w, size[1] / look.h))


def read_manifest(models_dir: Path) -> dict[str, Any]:
    """What models_dir/manifest.toml says; raises ModelFault."""
    try:
        return tomllib.loads((models_dir / "manifest.toml").read_text(encoding="utf-8"))
    except OSError as fault:
        raise ModelFault(f"the model's manifest.toml cannot be read ({fault.strerror}): install bobing-table again") from fault


def softmax(logits: npt.NDArray[np.floating]) -> Floats:
    """Row by row."""
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(raised / raised.sum(1, keepdims=True), np.float32)


def resized(picture: Frame, size: tuple[int, int]) -> Frame:
    """The picture at another size (width, height): halved as often as it goes, which is quick, then linearly."""
    while picture.shape[1] >= 2 * size[0] and picture.shape[0] >= 2 * size[1]:
        even = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]
        picture = np.asarray(cv2.resize(even, (even.shape[1] // 2, even.shape[0] // 2), interpolation=cv2.INTER_AREA), np.uint8)
    if size != (picture.shape[1], picture.shape[0]):
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    return picture


def whole(frame: Frame, die_px: float | None) -> list[Look]:
    """Looks at the whole frame: one that shows dice of die_px at their best, or one an octave where it is not known."""
    height, width = frame.shape[:2]
    if die_px is not None:
        return [Look(0, 0, width, height, BEST_EDGE / die_px)]
    longest = max(height, width)
    sides = [s for s in (80, 160, 320, 640, 1280) if s <= 1.6 * longest] or [160]
    return [Look(0, 0, width, height, side / longest) for side in sides]


def each_once(spots: Sequence[Spot]) -> list[Spot]:
    """Of spots of about one size that lie on each other, the one best seen: a pip may look like a die, which a reader will tell."""
    if len(spots) < 2:
        return list(spots)
    centres = np.array([s.centre for s in spots])
    edges = np.array([s.edge for s in spots])
    order = np.argsort([-_rank(s) for s in spots])
    free = np.ones(len(spots), bool)
    kept = []
    for i in order:
        if free[i]:
            kept.append(spots[i])
            apart = np.hypot(*(centres - centres[i]).T) > 0.5 * np.maximum(edges, edges[i])
            free &= apart | (np.abs(np.log(edges / edges[i])) > OTHER_SIZE)
            free[i] = False
    return kept


def _rank(spot: Spot) -> float:
    octaves = abs(math.log2(max(spot.seen_edge, 1.0) / BEST_EDGE))
    return spot.score * (1.0 if octaves < 0.7 else max(0.3, 1.0 - 0.6 * (octaves - 0.7)))


def _decode(cells: Floats, look: Look, scale: tuple[float, float]) -> list[Spot]:
    heat = cells[0]
    peaks = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > math.log(LEAST_PRESENCE / (1 - LEAST_PRESENCE)))
    rows, columns = np.nonzero(peaks)
    best = np.argsort(-heat[rows, columns])[:MOST_SPOTS]
    spots = []
    for row, column in zip(rows[best].tolist(), columns[best].tolist(), strict=True):
        a = cells[:, row, column].tolist()
        x, y = (column + a[1]) * STRIDE + 1.5, (row + a[2]) * STRIDE + 1.5
        edge = EDGE_UNIT * math.exp(min(max(a[3], -2.0), 2.5))
        quad = parallelogram((x, y), edge, (a[4], a[5]), (a[6], a[7]))
        px, py = column * STRIDE + 1.5, row * STRIDE + 1.5
        left, top, right, bottom = (BOX_UNIT * side for side in a[8:12])
        wide, high = scale
        corner = (px - left + 0.5) / wide - 0.5 + look.x, (py - top + 0.5) / high - 0.5 + look.y
        raised = [math.exp(v - max(a[14:20])) for v in a[14:20]]
        spots.append(
            Spot(
                score=_sigmoid(a[0]),
                quad=((quad + 0.5) / scale - 0.5 + [look.x, look.y]).astype(np.float32),
                box=(*corner, max((left + right) / wide, 1.0), max((top + bottom) / high, 1.0)),
                clear=_sigmoid(a[12]),
                values=tuple(v / sum(raised) for v in raised),
                seen_edge=edge,
            )
        )
    return spots


def _sharper_all(spots: Sequence[Spot], answers: Floats) -> list[Spot]:
    if answers.shape[1] <= FACE_CLASSES:
        return list(spots)
    return [replace(s, quad=_sharper(s.quad, a[FACE_CLASSES:])) for s, a in zip(spots, answers, strict=True)]


def _sharper(quad: Quad, told: Floats) -> Quad:
    """The quad moved to where the face reader saw the face in its crop; as it was where that is too far off to be true."""
    edge = FACE_SIDE / (1 + 2 * ROOM)
    if max(abs(told[0]), abs(told[1])) > 0.35 or abs(told[2]) > 0.45 or np.hypot(told[3], told[4]) > 0.6:
        return quad
    middle = (FACE_SIDE - 1) / 2 + float(told[0]) * edge, (FACE_SIDE - 1) / 2 + float(told[1]) * edge
    _, _, larger, along, across, cos, sin = told.tolist()
    return unrectify(parallelogram(middle, edge * math.exp(larger), (along, across), (cos, sin)), quad, FACE_SIDE)


def _found(spot: Spot, chances: Floats, glance: Iterable[float]) -> Found:
    values, unclear, nothing = chances[:6], float(chances[6]), float(chances[7])
    # both nets say how likely there is a die at all; their odds multiply
    nothing = min(max(nothing, 0.001), 0.999)
    for_it, against = spot.score * (1 - nothing), (1 - spot.score) * nothing
    total = max(float(values.sum()), 1e-6)
    return Found(
        box=spot.box,
        quad=tuple((float(x), float(y)) for x, y in spot.quad),
        presence=for_it / (for_it + against),
        probabilities=tuple(float(v) / total for v in values),
        clear_top=spot.clear * (1 - unclear / max(1 - nothing, unclear)),
        opinions=(spot.values, tuple(float(v) for v in glance)),
    )


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-min(max(x, -30.0), 30.0)))
