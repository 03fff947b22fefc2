"""Exports checkpoints as `models/*.onnx` and writes their manifest: `python -m models.training.publish --run DIR`."""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

from models.training.export import NETS, export

INPUTS = {
    "finder": "picture: 1 x H x W x 3, uint8, BGR, H and W multiples of 16",
    "face": "picture: N x 64 x 64 x 3, uint8, BGR, the rectified top face with 0.35 edges of room on each side",
    "slant": "picture: N x 56 x 56 x 3, uint8, BGR, the face as it stands in the frame, with 0.75 edges of room on each side",
}
CLASSES = {
    "finder": ["a top face is centred here", "and its place, size, shape, box, clearness, lean, value and tilt"],
    "face": ["1", "2", "3", "4", "5", "6", "a die without a clear top face", "no die"],
    "slant": ["sine of the face's slant to the line of sight, to the right", "the same, downwards", "log of how far off they may be"],
}
DATA = (
    ("models/training/cheap", "MIT", "simulated throws, ray-cast here"),
    ("models/training/render", "MIT", "simulated throws, path-traced here"),
    ("nell-byler/dice_detection", "BSD-3-Clause", "photos, (c) 2019 Nell Byler"),
    ("N3VERS4YDIE/dice-recognition", "CC-BY-4.0", "photos, Roboflow project rune55 version 3, (c) 2025 Santiago Palacio Vásquez"),
    ("skovy/tensorflow-dice-model", "MIT", "photos, (c) 2022"),
    ("DamianTab/DiceDetection", "Apache-2.0", "photos"),
)


def write_manifest(models_dir: Path, weights: dict[str, float], metrics: dict[str, Any]) -> None:
    """manifest.toml for the .onnx files that lie in models_dir."""
    lines = ["# Written by models/training/publish.py; tests hold the files against it.", ""]
    for path in (models_dir / f"{kind}.onnx" for kind in NETS):
        kind = path.stem
        if not path.exists():
            continue  # young nets label photos before there is a slant reader
        lines += [
            f"[{kind}]", f'file = "{path.name}"', f'sha256 = "{hashlib.sha256(path.read_bytes()).hexdigest()}"',
            f"bytes = {path.stat().st_size}", f'input = "{INPUTS[kind]}"', f"classes = {json.dumps(CLASSES[kind])}", "",
        ]
    lines += ["# Fitted on pictures held out from training (models/training/calibrate.py); vision/confidence.py says what they mean."]
    lines += ["[confidence]", *(f"{k} = {round(float(v), 5)}" for k, v in weights.items()), ""]
    lines += ["# Measured by models/training/evaluate.py.", "[metrics]", *(f"{k} = {json.dumps(v)}" for k, v in metrics.items()), ""]
    for name, licence, what in DATA:
        lines += ["[[data]]", f'source = "{name}"', f'licence = "{licence}"', f'what = "{what}"', ""]
    (models_dir / "manifest.toml").write_text("\n".join(lines), encoding="utf-8")


def main() -> None:
    """Export what there is and write the manifest anew."""
    asked = argparse.ArgumentParser(prog="python -m models.training.publish")
    asked.add_argument("--run", type=Path, required=True, help="folder with the checkpoints and weights.json")
    asked.add_argument("--finder", default="finder")
    asked.add_argument("--face", default="face")
    asked.add_argument("--slant", default="slant")
    asked.add_argument("--only", choices=sorted(NETS), help="export this net alone")
    asked.add_argument("--models", type=Path, default=Path("models"))
    args = asked.parse_args()
    for kind, name in (("finder", args.finder), ("face", args.face), ("slant", args.slant)):
        if args.only in (None, kind) and (args.run / f"{name}.pt").exists():
            export(kind, args.run / f"{name}.pt", args.models / f"{kind}.onnx")
    weights, metrics = args.run / "weights.json", args.run / "metrics.json"
    if all((args.models / f"{kind}.onnx").exists() for kind in ("finder", "face")):
        write_manifest(
            args.models,
            json.loads(weights.read_text(encoding="utf-8")) if weights.exists() else {},
            json.loads(metrics.read_text(encoding="utf-8")) if metrics.exists() else {},
        )


if __name__ == "__main__":
    main()
