"""Makes the bundled demo recording from the pictures of models/training/render/show.py.

    python -m models.training.render.show --out DIR --seed 64 --index 5
    python -m models.training.demo --pictures DIR --out device/demo

Each throw: the empty bowl, dice that tumble in (the rendered dice, shifted and blurred), six dice at rest, cut.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.calibration import calibrate

Picture = npt.NDArray[np.uint8]
FPS = 15
EMPTY_FRAMES, FLIGHT_FRAMES, REST_FRAMES = 17, 6, 48
CONTRAST, LIFT = 1.22, -12.0


def toned(picture: Picture) -> Picture:
    """The clean render as a good webcam would tone it."""
    return np.clip((picture.astype(np.float32) - 128) * CONTRAST + 128 + LIFT + 12, 0, 255).astype(np.uint8)


def flight(empty: Picture, full: Picture, way: tuple[float, float], part: float) -> Picture:
    """The dice on their way in: `part` of the way is still to go (1: just let go, 0: at rest)."""
    change = full.astype(np.float32) - empty.astype(np.float32)
    shift = np.array([[1, 0, way[0] * part], [0, 1, way[1] * part]], np.float32)
    moved = cv2.warpAffine(change, shift, (empty.shape[1], empty.shape[0]))
    blur = max(1, int(26 * part))
    moved = cv2.blur(moved, (blur, max(1, blur // 2)))
    return np.clip(empty + moved, 0, 255).astype(np.uint8)


def frames_of(pictures: Path, rng: np.random.Generator) -> tuple[list[Picture], list[dict[str, Any]]]:
    """All frames of the recording and the truth of its throws."""
    about = json.loads(next(pictures.glob("s????.json")).read_text())
    name = about["setup"]
    empty = toned(np.asarray(cv2.imread(str(pictures / f"{name}_empty0_clean.jpg")), np.uint8))
    frames: list[Picture] = []
    throws: list[dict[str, Any]] = []
    for path in sorted(pictures.glob(f"{name}_t??.json")):
        truth = json.loads(path.read_text())
        full = toned(np.asarray(cv2.imread(str(path.with_name(path.stem + "_clean.jpg"))), np.uint8))
        frames += [empty] * EMPTY_FRAMES
        start = len(frames)
        angle = rng.uniform(0, 2 * np.pi)
        way = (330 * float(np.cos(angle)), 330 * float(np.sin(angle)))
        frames += [flight(empty, full, way, (1 - n / FLIGHT_FRAMES) ** 1.6) for n in range(FLIGHT_FRAMES)]
        throws.append(
            {
                "start_frame": start,
                "rest_frame": len(frames),
                "rest_end_frame": len(frames) + REST_FRAMES - 1,
                "values": sorted(d["value"] for d in truth["dice"] if d["inside_bowl"]),
                "outside": sum(not d["inside_bowl"] for d in truth["dice"]),
                "cocked": truth["any_cocked"],
            }
        )
        frames += [full] * REST_FRAMES
    return frames + [empty] * EMPTY_FRAMES, throws


def encode(frames: list[Picture], video: Path) -> None:
    """H.264, which every OpenCV decodes; written by the ffmpeg program, since OpenCV's wheels bring no encoder for it."""
    height, width = frames[0].shape[:2]
    command = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{width}x{height}"]
    command += ["-r", str(FPS), "-i", "-", "-c:v", "libx264", "-preset", "medium", "-crf", "27", "-pix_fmt", "yuv420p"]
    command += ["-g", "90", "-movflags", "+faststart", str(video)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as program:
        assert program.stdin is not None
        for frame in frames:
            program.stdin.write(frame.tobytes())
        program.stdin.close()
        if program.wait():
            raise SystemExit("ffmpeg could not write the recording")


def main() -> None:
    """Write demo.mp4, demo.json and demo.calibration."""
    p = argparse.ArgumentParser(prog="python -m models.training.demo", description=__doc__)
    p.add_argument("--pictures", type=Path, required=True)
    p.add_argument("--out", type=Path, required=True)
    options = p.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    frames, throws = frames_of(options.pictures, np.random.default_rng(63))
    height, width = frames[0].shape[:2]
    video = options.out / "demo.mp4"
    encode(frames, video)
    truth = {"fps": FPS, "width": width, "height": height, "n_frames": len(frames), "throws": throws}
    (options.out / "demo.json").write_text(json.dumps(truth, indent=1) + "\n")
    reading = cv2.VideoCapture(str(video))
    _, first = reading.read()
    calibrate([np.asarray(first, np.uint8)]).save(options.out / "demo.calibration")


if __name__ == "__main__":
    main()
