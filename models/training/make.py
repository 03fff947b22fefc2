"""Everything from nothing to models/*.onnx in one command: `python -m models.training.make --photos DIR --work DIR`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

OFTEN = 4
"""How many times as often as a ray-cast picture the slant reader sees a path-traced one: there are few, and real pictures are more like them."""
FACE_LONGER, SLANT_LONGER = 3, 7
"""Their steps for each one of the finder's, which cost several times as much."""


def stages(photos: Path, work: Path, models: Path, cheap: int, setups: int, steps: int) -> list[tuple[str, list[str]]]:
    """The commands in order; each goes on where it was broken off."""
    made = [str(work / "cheap"), str(work / "rendered")]
    often = [made[0], *made[1:] * OFTEN]
    known = ["--photos", str(photos), "--made", *made, "--out", str(work)]
    labels = ["--labels", str(work / "labels.json")]
    young, nets = work / "young", ["--models", str(models)]
    first, later = ["--name", "finder0", "--steps", str(steps // 3)], ["--begin", str(work / "finder0.pt"), "--steps", str(steps)]
    return [
        ("cheap", ["--out", made[0], "--count", str(cheap), "--seed", "7001", "--kind", "mix"]),
        ("render", ["--out", made[1], "--setups", str(setups), "--seed", "20261"]),
        ("train", ["finder", *known, *first]),
        ("train", ["face", *known[2:], "--name", "face0", "--steps", str(steps // 3)]),
        ("publish", ["--run", str(work), "--finder", "finder0", "--face", "face0", "--models", str(young)]),
        ("train", ["label", *known, *labels, "--finder", str(young / "finder.onnx"), "--face", str(young / "face.onnx")]),
        ("train", ["finder", *known, *labels, *later, "--share", "0.5", "--paste", "0.45"]),
        ("publish", ["--run", str(work), "--face", "face0", "--models", str(young)]),
        ("train", ["face", *known, *labels, "--finder", str(young / "finder.onnx"), "--steps", str(FACE_LONGER * steps), "--batch", "64"]),
        ("train", ["slant", "--made", *often, "--out", str(work), "--steps", str(SLANT_LONGER * steps), "--batch", "64"]),
        ("publish", ["--run", str(work), *nets]),
        ("calibrate", ["--photos", str(photos), "--made", *made, *nets, "--out", str(work / "weights.json")]),
        ("publish", ["--run", str(work), *nets]),
    ]


def main(words: Sequence[str] | None = None) -> int:
    """Run every stage; returns the exit status of the first that fails, else 0."""
    asked = argparse.ArgumentParser(prog="python -m models.training.make")
    asked.add_argument("--photos", type=Path, required=True, help="folder with annotations-train.json")
    asked.add_argument("--work", type=Path, required=True, help="pictures, checkpoints and labels go here")
    asked.add_argument("--models", type=Path, default=Path("models"))
    asked.add_argument("--cheap", type=int, default=3000, help="ray-cast pictures")
    asked.add_argument("--setups", type=int, default=40, help="path-traced set-ups of ten throws")
    asked.add_argument("--steps", type=int, default=4000, help="steps of the finder")
    asked.add_argument("--dry-run", action="store_true", help="print the commands only")
    args = asked.parse_args(words)
    (args.work / "young").mkdir(parents=True, exist_ok=True)
    for stage, rest in stages(args.photos, args.work, args.models, args.cheap, args.setups, args.steps):
        line = [sys.executable, "-m", f"models.training.{stage}", *rest]
        print(" ".join(line), flush=True)
        if not args.dry_run:
            done = subprocess.run(line, check=False)
            if done.returncode:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
