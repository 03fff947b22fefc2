"""A sheet of what went wrong: `python -m models.training.failures --dump FILE --out models/failures.jpg` (the dump of evaluate, made throws only)."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
TILE, CAPTION, COLUMNS = 150, 36, 8
SHARES = {"misread": 12, "not found": 6, "unsure": 6}
UNSURE = 0.9


def failures(dump: Sequence[Any]) -> Iterator[tuple[str, Path, Any, Any, str]]:
    """(kind, picture, what is known of the die, what was read or None, verdict) of each die of the made throws that went wrong."""
    for entry in dump:
        picture = Path(entry["image"])
        truth = picture.with_suffix(".json")
        if "known" not in entry or not truth.exists():
            continue
        told = json.loads(truth.read_text(encoding="utf-8"))
        for known in told["dice"]:
            if not known["in_view"]:
                continue
            near = min(entry["answer"]["dice"], key=lambda d: math.dist(d["top"], known["top_center"]), default=None)
            if near is not None and math.dist(near["top"], known["top_center"]) > 0.6 * known["top_face_px"]:
                near = None
            kind = "not found" if near is None else "misread" if near["value"] != known["value"] else "unsure" if near["confidence"] < UNSURE else ""
            if kind:
                yield kind, picture, known, near, entry["answer"]["verdict"]


def tile(picture: Path, known: Any, read: Any, verdict: str) -> Picture:
    """One die with its value, what was read and what stands against reading it."""
    shown = cv2.imread(str(picture))
    reach = 1.15 * known["top_face_px"]
    scale = TILE / (2 * reach)
    x, y = known["top_center"]
    place = np.array([[scale, 0, TILE / 2 - scale * x], [0, scale, TILE / 2 - scale * y]])
    cut = cv2.warpAffine(shown, place, (TILE, TILE), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    whole = np.asarray(cv2.copyMakeBorder(cut, 0, CAPTION, 0, 0, cv2.BORDER_CONSTANT, value=(255, 255, 255)), np.uint8)
    against = [
        "hidden" if known["visible_fraction"] < 0.75 else "",
        f"leans {known['tilt_deg']:.0f}" if known["cocked"] else "",
        f"{known['top_face_px']:.0f} px" if known["top_face_px"] < 22 else "",
    ]
    words = f"{known['value']}: " + ("not found" if read is None else f"read {read['value']} ({read['confidence']:.2f})")
    for row, text in ((TILE + 14, words), (TILE + 30, f"{verdict} {' '.join(filter(None, against))}")):
        cv2.putText(whole, text, (3, row), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40), 1, cv2.LINE_AA)
    return whole


def main() -> None:
    """Draw the sheet."""
    asked = argparse.ArgumentParser(prog="python -m models.training.failures")
    asked.add_argument("--dump", type=Path, required=True)
    asked.add_argument("--out", type=Path, required=True)
    asked.add_argument("--seed", type=int, default=4)
    args = asked.parse_args()
    found = list(failures(json.loads(args.dump.read_text(encoding="utf-8"))))
    rng = np.random.default_rng(args.seed)
    chosen = []
    for kind, share in SHARES.items():
        some = [f for f in found if f[0] == kind]
        print(f"{kind}: {len(some)}")
        chosen += [some[int(i)] for i in rng.permutation(len(some))[:share]]
    tiles = [tile(picture, known, read, verdict) for _, picture, known, read, verdict in chosen]
    tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % COLUMNS)
    sheet = np.vstack([np.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)])
    cv2.imwrite(str(args.out), sheet, [cv2.IMWRITE_JPEG_QUALITY, 82])


if __name__ == "__main__":
    main()
