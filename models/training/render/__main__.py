"""Command line: makes set-ups of training pictures, one process a set-up, as many at once as there are workers."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

THROWS = 10


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    """What the user asked for."""
    p = argparse.ArgumentParser(
        prog="python -m models.training.render", description="Path-traced pictures of dice in a bowl, with exact truth."
    )
    p.add_argument("--out", type=Path, required=True, help="folder for the pictures")
    p.add_argument("--setups", type=int, required=True, help="how many set-ups")
    p.add_argument("--first", type=int, default=0, help="index of the first set-up (default 0)")
    p.add_argument("--seed", type=int, default=1, help="base seed (default 1)")
    p.add_argument("--workers", type=int, default=1, help="processes at once, one thread each (default 1)")
    p.add_argument("--throws", type=int, default=THROWS, help=f"throws in a set-up (default {THROWS})")
    p.add_argument("--index", type=int, help="make only this set-up, in this process")
    return p.parse_args(argv)


def missing(out: Path, first: int, count: int) -> list[int]:
    """Indices of the set-ups that are not complete yet."""
    return [k for k in range(first, first + count) if not (out / f"s{k:04d}.json").exists()]


def _one(options: argparse.Namespace, index: int) -> None:
    """Makes one set-up in a process of its own, so that a crash or a leak costs no other."""
    command = [
        sys.executable,
        "-m",
        "models.training.render",
        "--out",
        str(options.out),
        "--setups",
        "1",
        "--seed",
        str(options.seed),
    ]
    command += ["--throws", str(options.throws), "--index", str(index)]
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    start = time.monotonic()
    done = subprocess.run(
        command, env={**os.environ, **single}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False
    )
    took = time.monotonic() - start
    if done.returncode == 0:
        print(f"set-up {index}: done in {took:.0f} s", flush=True)
    else:
        print(f"set-up {index}: failed (exit {done.returncode}), left out: {done.stderr.strip()[-400:]}", flush=True)


def main(argv: list[str] | None = None) -> int:
    """Makes the set-ups that are missing; run it again to go on."""
    options = arguments(argv)
    if options.index is not None:
        import cv2

        from models.training.render.session import Session

        cv2.setNumThreads(1)
        Session(options.out, options.seed, options.index, options.throws).make()
        return 0
    todo = missing(options.out, options.first, options.setups)
    print(f"{len(todo)} of {options.setups} set-ups to make in {options.out}", flush=True)
    with ThreadPoolExecutor(options.workers) as pool:
        list(pool.map(lambda k: _one(options, k), todo))
    return 0 if not missing(options.out, options.first, options.setups) else 1


if __name__ == "__main__":
    sys.exit(main())
