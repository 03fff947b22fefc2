"""Fits how the opinions are weighed, on pictures that no net was trained on: `python -m models.training.calibrate`."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch

from models.training.scenes import Scene, held_out, load_made, load_photos
from vision.bowl import Bowl
from vision.confidence import SIGNS, Weights, chances, die_signs, presence, signs, weigh
from vision.detector import OnnxDetector
from vision.pips import ROOM, SIDE, PipCount, count_pips
from vision.reader import Reader
from vision.reading import Found, Frame, Rim
from vision.rectify import Quad, edge_of, rectify
from vision.tilt import tilts

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Case:
    """One found place: value 1-6, 0 where no clear value is; die: whether there is a die at all; leans: 1, 0 or -1."""

    found: Found
    count: PipCount
    value: int
    die: bool
    leans: int
    photo: bool
    edge: float
    tilt: float | None = None


def cases(scenes: Sequence[Scene], detector: OnnxDetector) -> list[Case]:
    """Every place that the reader takes for a die in these scenes, with the truth."""
    kept = []
    for scene in scenes:
        frame: Frame = np.asarray(scene.picture(), np.uint8)
        bowl = None
        if scene.rim is not None:
            rim = Rim(**{k: scene.rim[k] for k in ("cx", "cy", "major", "minor", "angle_deg")})
            bowl = Bowl(rim, None, scene.width, scene.height)
        reader = Reader(detector, bowl, bowl is None)
        places = reader.found(frame)
        for found, tilt in zip(places, _tilts(frame, places, bowl, detector), strict=True):
            quad = np.asarray(found.quad, np.float32)
            truth = _truth(scene, quad)
            if truth is not None:
                value, die, leans = truth
                count = count_pips(rectify(frame, quad, SIDE, ROOM))
                kept.append(Case(found, count, value, die, leans, not scene.made, edge_of(quad), tilt))
    return kept


def _tilts(frame: Frame, places: Sequence[Found], bowl: Bowl | None, detector: OnnxDetector) -> Sequence[float | None]:
    """How far each place's face leans, as the reader would measure it."""
    quads = [np.asarray(f.quad, np.float32) for f in places]
    middles = [(float(q[:, 0].mean()), float(q[:, 1].mean())) for q in quads]
    slants = [] if bowl is None else detector.slants(frame, [(m, edge_of(q)) for m, q in zip(middles, quads, strict=True)])
    if bowl is None or not slants:
        return [None] * len(places)
    return tilts((frame.shape[1], frame.shape[0]), bowl.rim, middles, slants)


def _truth(scene: Scene, quad: Quad) -> tuple[int, bool, int] | None:
    """Value of the die there (0: no clear top), whether there is a die and whether it leans, None where it can't be said."""
    x, y = quad.mean(0)
    for hx, hy, hw, hh in scene.holes:
        if hx <= x <= hx + hw and hy <= y <= hy + hh:
            return None
    near = [(math.dist((x, y), d.centre), d) for d in scene.dice]
    if not near:
        return 0, False, 0
    distance, die = min(near, key=lambda p: p[0])
    reach = 0.6 if die.rough else 0.4
    if distance < 1.1 * die.edge and not 0.6 < edge_of(quad) / die.edge < 1.7:
        return (0, False, 0) if scene.made and edge_of(quad) < die.edge else None  # a pip of it, or several dice at once
    if distance < reach * die.edge:
        if die.clear == 0:
            return 0, True, die.cocked
        return (die.value, True, die.cocked) if die.clear == 1 and die.value else None
    return None if distance < 1.1 * die.edge or not scene.made else (0, False, 0)


def fit_weights(kept: Sequence[Case], start: Weights) -> Weights:
    """Weights under which the known values are most likely; photos and made pictures count alike in sum."""
    named = [c for c in kept if c.value]
    opinions = torch.tensor(np.array([_opinions(c) for c in named]), dtype=torch.float32)
    truth = torch.tensor([c.value - 1 for c in named])
    balance = _balance(named)
    mix = torch.log(torch.tensor([start.face, start.finder, start.pips])).requires_grad_()  # logs: a weight stays above 0

    def unlikely() -> torch.Tensor:
        log = torch.log_softmax((opinions * mix.exp()[None, :, None]).sum(1), 1)
        # a little doubt in each label keeps the weights from growing without end on a set without mistakes
        doubt = -(0.995 * log[torch.arange(len(truth)), truth] + 0.005 * log.mean(1))
        return (doubt * balance).sum() / balance.sum()

    _lower(unlikely, [mix])
    face, finder, pips = (float(v) for v in mix.detach().exp())
    weights = replace(start, face=face, finder=finder, pips=pips)

    there = torch.tensor([float(c.die) for c in kept])
    told = torch.tensor([die_signs(c.found, c.count) for c in kept])
    balance_there = _balance(kept)
    rises, level = torch.log(torch.tensor([1.0, 1.0, 0.3])).requires_grad_(), torch.tensor(0.0, requires_grad=True)

    def unseen() -> torch.Tensor:
        p = told @ rises.exp() + level
        loss = torch.nn.functional.binary_cross_entropy_with_logits(p, there * 0.996 + 0.002, reduction="none")
        return (loss * balance_there).sum() / balance_there.sum()

    _lower(unseen, [rises, level])
    rise = [float(v) for v in rises.detach().exp()]
    weights = replace(weights, die_presence=rise[0], die_fit=rise[1], die_value=rise[2], die_base=float(level.detach()))

    every = [c for c in kept if c.die]
    chosen = [(c, int(np.argmax(six)) + 1, max(six)) for c in every for six in [chances(c.found, c.count, weights)]]
    told = torch.tensor([signs(c.found, c.count, value, chance, c.tilt) for c, value, chance in chosen])
    right = torch.tensor([float(c.value == value) for c, value, _ in chosen])
    balance_every = _balance(every)
    slopes = torch.log(torch.full((len(SIGNS),), 0.3)).requires_grad_()
    base = torch.tensor(0.0, requires_grad=True)

    def misjudged() -> torch.Tensor:
        p = told @ slopes.exp() + base
        loss = torch.nn.functional.binary_cross_entropy_with_logits(p, right * 0.998 + 0.001, reduction="none")
        return (loss * balance_every).sum() / balance_every.sum()

    _lower(misjudged, [slopes, base])
    fitted = {f"sure_{name}": float(v) for name, v in zip(SIGNS, slopes.detach().exp(), strict=True)}
    return replace(weights, **fitted, sure_base=float(base.detach()))


def _opinions(case: Case) -> Array:
    floor = 1e-4
    return np.stack(
        [
            np.log(np.maximum(case.found.probabilities, floor)),
            np.log(np.maximum(case.found.opinions[0], floor)),
            np.clip(case.count.support, -0.5, 1.0),
        ]
    )


def _balance(kept: Sequence[Case]) -> torch.Tensor:
    photo = np.array([c.photo for c in kept])
    weight = np.where(photo, 0.5 / max(photo.sum(), 1), 0.5 / max((~photo).sum(), 1))
    return torch.tensor(weight, dtype=torch.float32)


def _lower(loss: Any, variables: list[torch.Tensor]) -> None:
    chooser = torch.optim.Adam(variables, lr=0.03)
    for _ in range(400):
        chooser.zero_grad()
        loss().backward()
        chooser.step()


def show(kept: Sequence[Case], weights: Weights) -> None:
    """How surely and how rightly each kind of picture is read."""
    for name, some in (("photos", [c for c in kept if c.photo]), ("made", [c for c in kept if not c.photo])):
        lost = sum(c.die and presence(c.found, c.count, weights) < weights.die for c in some)
        feigned = sum(not c.die and presence(c.found, c.count, weights) >= weights.die for c in some)
        print(f"{name}: {len(some)} places, {sum(c.die for c in some)} dice of which {lost} not taken for one, {feigned} others taken for one")
        some = [c for c in some if presence(c.found, c.count, weights) >= weights.die]
        if not some:
            continue
        weighed = [weigh(c.found, c.count, weights, c.tilt) for c in some]
        right = np.array([w.likely[0][0] == c.value for w, c in zip(weighed, some, strict=True)])
        sure = np.array([w.confidence >= weights.sure and not w.doubt for w in weighed])
        named = np.array([c.value > 0 for c in some])
        single = {
            "face": np.array([int(np.argmax(c.found.probabilities)) + 1 == c.value for c in some]),
            "finder": np.array([int(np.argmax(c.found.opinions[0])) + 1 == c.value for c in some]),
            "pips": np.array([c.count.value == c.value for c in some]),
        }
        print(
            f"{name}: {len(some)} found, {named.sum()} with a value, right {right[named].mean():.4f}"
            f" ({', '.join(f'{k} {v[named].mean():.4f}' for k, v in single.items())}); sure {sure[named].mean():.4f},"
            f" wrong though sure {int((sure & ~right).sum())} (of them without a value {int((sure & ~named).sum())})"
        )


def main() -> None:
    """Fit and print, and write the weights as JSON."""
    asked = argparse.ArgumentParser(prog="python -m models.training.calibrate")
    asked.add_argument("--photos", type=Path)
    asked.add_argument("--made", type=Path, nargs="*", default=[])
    asked.add_argument("--models", type=Path, default=Path("models"))
    asked.add_argument("--most", type=int, default=250, help="made pictures at most")
    asked.add_argument("--out", type=Path, required=True)
    args = asked.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    scenes: list[Scene] = []
    if args.photos:
        scenes += held_out(load_photos(args.photos))[1]
    made = [s for folder in args.made for s in held_out(load_made(folder))[1]]
    chosen = np.random.default_rng(3).permutation(len(made))[: args.most]
    scenes += [made[int(i)] for i in chosen]
    detector = OnnxDetector.load(args.models)
    kept = cases(scenes, detector)
    show(kept, detector.weights)
    weights = fit_weights(kept, Weights())
    print(weights)
    show(kept, weights)
    args.out.write_text(json.dumps(asdict(weights), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
