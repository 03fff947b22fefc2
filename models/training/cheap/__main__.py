"""Make a folder of training pictures: python -m models.training.cheap --out DIR --count N --seed S --workers W."""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np

from models.training.cheap.paste import empties, paste_one
from models.training.cheap.scene import make_scene


def make_one(folder: Path, seed: int, index: int, kind: str, bowls: list[Path]) -> bool:
    """Write picture and truth number `index`, in one of the given empty bowls if any; False where they are there already."""
    name = f"c{seed}_{index:06d}"
    picture, truth = folder / f"{name}.jpg", folder / f"{name}.json"
    if truth.exists():
        return False
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, index])
    image, words = paste_one(bowls[int(rng.integers(len(bowls)))], rng) if bowls else make_scene(rng, kind)
    words = {"setup": name, **words, "image": picture.name, "seed": [seed, index]}
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, words["jpeg_quality"]])
    if not ok:
        raise RuntimeError(f"cannot encode {picture.name}")
    picture.write_bytes(data.tobytes())
    # the truth comes last and at once: a picture that has one is whole
    part = truth.with_suffix(".part")
    part.write_text(json.dumps(words))
    part.replace(truth)
    return True


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.training.cheap", description=__doc__)
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for the pictures; made if missing, filled up if not empty"
    )
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--start", type=int, default=0, help="number of the first picture")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kind", choices=["bowl", "plain", "mix"], default="mix")
    parser.add_argument(
        "--paste-from", type=Path, help="folder of empty bowls (simulated format) to throw dice into instead"
    )
    args = parser.parse_args(argv)
    bowls = empties(args.paste_from) if args.paste_from else []
    if args.paste_from and not bowls:
        print(f'no empty bowl in {args.paste_from}; it needs pictures with a .json of kind "empty"', file=sys.stderr)
        return 1
    args.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    numbers = range(args.start, args.start + args.count)
    jobs = [[args.out] * args.count, [args.seed] * args.count, numbers, [args.kind] * args.count, [bowls] * args.count]
    if args.workers > 1:
        with ProcessPoolExecutor(args.workers) as pool:
            made = sum(pool.map(make_one, *jobs, chunksize=4))
    else:
        made = sum(map(make_one, *jobs))
    spent = time.monotonic() - began
    print(f"{made} new of {args.count} pictures in {spent:.0f} s ({spent / max(made, 1):.2f} s each), in {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
