"""Makes the model: `python -m models.training.train --photos DIR --made DIR... --out DIR` (see models/README.md)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from models.training.data import FinderCrops
from models.training.faces import FaceCrops, cut
from models.training.fit import device_here, fit
from models.training.label import add_quads, keep_quads, known_quads
from models.training.losses import finder_loss
from models.training.nets import FACE_CLASSES, Face, Finder, Slant
from models.training.scenes import Scene, held_out, load_made, load_photos
from models.training.slants import SlantCrops
from models.training.slants import load as load_slants
from vision.detector import OnnxDetector, session


def _scenes(args: argparse.Namespace) -> list[Scene]:
    scenes = load_photos(args.photos) if args.photos else []
    for folder in args.made:
        scenes += load_made(folder)
    if args.labels and args.labels.exists():
        known_quads(scenes, args.labels)
    learn, _ = held_out(scenes)
    print(f"{len(learn)} pictures to learn from, {len(scenes) - len(learn)} held out")
    return learn


def _begun(net: nn.Module, checkpoint: Path | None) -> nn.Module:
    if checkpoint is not None:
        known, mine = torch.load(checkpoint, map_location="cpu")["mean"], net.state_dict()
        net.load_state_dict({k: known[k] if k in known and known[k].shape == v.shape else v for k, v in mine.items()})
    return net


def train_finder(args: argparse.Namespace) -> None:
    """Stage 1."""
    crops = FinderCrops(_scenes(args), args.seed, photos=args.share, paste=args.paste, growing=args.made)
    device = device_here()
    batches: DataLoader[Any] = DataLoader(
        crops, args.batch, num_workers=args.workers, prefetch_factor=3 if args.workers else None
    )

    def loss(net: nn.Module, batch: list[Tensor]) -> dict[str, Tensor]:
        picture, told, weight = (t.to(device) for t in batch)
        return finder_loss(net(picture), told, weight)

    fit(
        _begun(Finder(), args.begin),
        batches,
        loss,
        args.out,
        args.name or "finder",
        args.steps,
        args.rate,
        fresh=args.fresh,
    )


def label_photos(args: argparse.Namespace) -> None:
    """Between the stages: where the top faces of the photos' dice lie, to be learnt by both nets."""
    scenes = load_photos(args.photos)
    detector = OnnxDetector(session(args.finder), session(args.face) if args.face else None)
    print("{} faces found in photos, {} fitted to their pips".format(*add_quads(scenes, detector, args.seed)))
    keep_quads(scenes, args.labels)


def train_face(args: argparse.Namespace) -> None:
    """Stage 2; the labels tell where the photos' top faces are."""
    scenes = _scenes(args)
    faces = cut(scenes, args.seed, OnnxDetector(session(args.finder), None) if args.finder else None)
    print(
        f"{len(faces)} crops, by class {np.bincount(faces.classes)}, in photos {np.bincount(faces.classes[faces.photo])}"
    )
    device = device_here()
    crops = FaceCrops(faces, args.seed, photos=args.share)
    batches: DataLoader[Any] = DataLoader(
        crops, args.batch, num_workers=args.workers, prefetch_factor=3 if args.workers else None
    )

    def loss(net: nn.Module, batch: list[Tensor]) -> dict[str, Tensor]:
        picture, what, shape, known = (t.to(device) for t in batch)
        answer = net(picture)
        off = F.smooth_l1_loss(answer[:, FACE_CLASSES:], shape.float(), reduction="none", beta=0.05).mean(1)
        return {
            "face": F.cross_entropy(answer[:, :FACE_CLASSES], what, label_smoothing=0.01),
            "place": 2.0 * (off * known).sum() / known.sum().clamp(min=1),
        }

    fit(
        _begun(Face(), args.begin),
        batches,
        loss,
        args.out,
        args.name or "face",
        args.steps,
        args.rate,
        fresh=args.fresh,
    )


def train_slant(args: argparse.Namespace) -> None:
    """Stage 3: how faces are turned to the camera, from made dice alone."""
    kept = load_slants(args.made, args.seed)
    print(f"{len(kept.slants)} faces, slant {np.linalg.norm(kept.slants, axis=1).mean():.3f} on average", flush=True)
    device = device_here()
    batches: DataLoader[Any] = DataLoader(SlantCrops(kept, args.seed), args.batch, num_workers=args.workers, prefetch_factor=3 if args.workers else None)

    def loss(net: nn.Module, batch: list[Tensor]) -> dict[str, Tensor]:
        picture, slant = (t.to(device) for t in batch)
        answer = net(picture)
        off = (answer[:, :2] - slant).pow(2).sum(1)
        spread = answer[:, 2].clamp(-5, 1)
        return {"slant": (off / (2 * (2 * spread).exp()) + 2 * spread).mean(), "far": 2 * off.sqrt().mean()}

    fit(_begun(Slant(), args.begin), batches, loss, args.out, args.name or "slant", args.steps, args.rate, fresh=args.fresh)


def main() -> None:
    """Read the command line and train one stage."""
    asked = argparse.ArgumentParser(prog="python -m models.training.train")
    asked.add_argument("stage", choices=["finder", "label", "face", "slant"])
    asked.add_argument("--photos", type=Path, help="folder with annotations-train.json")
    asked.add_argument("--made", type=Path, nargs="*", default=[], help="folders of made throws")
    asked.add_argument("--finder", type=Path, help="for labelling and hard examples: the finder as ONNX")
    asked.add_argument("--face", type=Path, help="for labelling: the face reader as ONNX, if there is one yet")
    asked.add_argument("--labels", type=Path, help="JSON with the photos' top faces, written by `label`")
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument("--name", default="")
    asked.add_argument("--steps", type=int, default=3000)
    asked.add_argument("--batch", type=int, default=16)
    asked.add_argument("--rate", type=float, default=2e-3)
    asked.add_argument("--share", type=float, default=0.4, help="share of real photos among the crops")
    asked.add_argument("--paste", type=float, default=0.3)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--workers", type=int, default=1)
    asked.add_argument("--threads", type=int, default=1)
    asked.add_argument("--begin", type=Path, help="checkpoint whose net training begins with")
    asked.add_argument("--fresh", action="store_true")
    args = asked.parse_args()
    cv2.setNumThreads(0)  # threads of OpenCV do not outlive the fork of a data worker
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    {"finder": train_finder, "label": label_photos, "face": train_face, "slant": train_slant}[args.stage](args)


if __name__ == "__main__":
    main()
