"""Measures a reader on every set: `python -m models.training.evaluate --pictures DIR` (see models/README.md).

By default the reader of this checkout; with `--command 'bobing read --json'` any program that takes pictures and prints
the JSON of `bobing read`, a line each. It is called with up to fifty pictures of one bowl: `--no-bowl` is added for photos,
`--calibration FILE` for throws whose set-up has an empty picture (not with `--uncalibrated`).
Exit status: 1 where a picture was not answered, 2 where the call was wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.training.answers import Answers, Unmeasurable, command, own_reader, picture
from models.training.judge import CORE_NOT, Tally, judge_photo, judge_throw, risk_and_coverage
from vision.bowl import Bowl
from vision.detector import ModelFault
from vision.reading import Rim

THROW = ("expected_values", "readable", "all_in_bowl", "any_cocked", "photo")


def photos(answers: Answers, folder: Path, part: str, dump: list[Any], only: str = "") -> dict[str, Tally]:
    """Figures of each scene of the photos; only: of the scenes whose names begin so."""
    images, marks, sides = _labels(folder / f"annotations-{part}.json", only)
    tallies: dict[str, Tally] = {}
    paths = [folder / i["file_name"] for i in images]
    for image, answer in zip(images, answers(paths, None, True), strict=True):
        scene = image["scene"]
        figures = judge_photo(answer, marks[image["id"]], image["box_kind"], float(np.median(sides.get(scene, [1.0]))))
        core = not scene.startswith(CORE_NOT)
        groups = [scene, "core" if core else "other", "all"]
        if core and figures["dice"] == 6:
            groups.append("core, six dice")
        if figures["dice"] == 6:
            groups.append("six dice")
        for name in groups:
            tallies.setdefault(name, Tally(name)).add(**figures, failed="error" in answer)
        dump.append({"image": image["file_name"], "scene": scene, "figures": figures, "answer": answer, "marks": marks[image["id"]]})
    return tallies


def _labels(path: Path, only: str) -> tuple[list[Any], dict[int, list[Any]], dict[str, list[float]]]:
    """The images, the marks of each, the longer sides of the marks of each scene; raises Unmeasurable."""
    told = _json(path)
    sides: dict[str, list[float]] = {}
    try:
        images = [i for i in told["images"] if i["scene"].startswith(only)]
        marks: dict[int, list[Any]] = {i["id"]: [] for i in told["images"]}
        scene_of = {i["id"]: i["scene"] for i in told["images"]}
        for mark in told["annotations"]:
            marks[mark["image_id"]].append(mark)
            sides.setdefault(scene_of[mark["image_id"]], []).append(max(mark["bbox"][2:]))
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise Unmeasurable(f"{path}: these are no labels of photos ({fault})") from fault
    return images, marks, sides


def throws(answers: Answers, folder: Path, calibrated: bool, dump: list[Any]) -> dict[str, Tally]:
    """Figures of each set-up of simulated throws; the rim is the true one, calibrated: the empty picture is the background."""
    tallies: dict[str, Tally] = {}
    for (rim, empty, width, height), cases in _of_one_bowl(folder, calibrated).items():
        bowl = Bowl(rim, None if empty is None else picture(empty), width, height)
        for (path, told), answer in zip(cases, answers([p.parent / t["image"] for p, t in cases], bowl, False), strict=True):
            try:
                figures = judge_throw(answer, told)
                known = [(*d["top_center"], d["value"], 0.6 * d["top_face_px"]) for d in told["dice"] if d["in_view"]]
            except (KeyError, TypeError, ValueError) as fault:
                raise Unmeasurable(f"{path}: this does not tell all of a throw ({fault})") from fault
            set_up = str(told.get("setup", ""))
            for name in (set_up if path.parent == folder else f"{path.parent.name}/{set_up}", "all"):
                tallies.setdefault(name, Tally(name)).add(**figures, failed="error" in answer)
            dump.append({"image": str(path.parent / told["image"]), "figures": figures, "answer": answer, "request": told.get("throw_request"), "known": known})
    return tallies


def _of_one_bowl(folder: Path, calibrated: bool) -> dict[tuple[Rim, Path | None, int, int], list[tuple[Path, Any]]]:
    """What is known of each picture, by the bowl that it shows; raises Unmeasurable where there is none."""
    cases: dict[tuple[Rim, Path | None, int, int], list[tuple[Path, Any]]] = {}
    for path in sorted(folder.rglob("*.json")):
        told = _json(path)
        if not isinstance(told, dict) or "image" not in told or not told.get("bowl"):
            continue
        try:
            rim = Rim(**{k: told["bowl"]["rim_ellipse"][k] for k in ("cx", "cy", "major", "minor", "angle_deg")})
            lacking = [k for k in (() if told.get("kind") == "empty" else THROW) if k not in told]
            size = int(told["width"]), int(told["height"])
            if lacking or not isinstance(told["dice"], list):
                raise KeyError(*lacking[:1])
        except (KeyError, TypeError, ValueError) as fault:
            raise Unmeasurable(f"{path}: this does not tell all of a throw ({fault})") from fault
        empty = path.parent / f"{told.get('setup')}_empty1.jpg"
        cases.setdefault((rim, empty if calibrated and empty.exists() else None, *size), []).append((path, told))
    if not cases:
        raise Unmeasurable(f"{folder}: no throws are here (pictures with what is known of them beside them, as JSON)")
    return cases


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise Unmeasurable(f"{path}: can't be read ({fault.strerror})") from fault
    except (ValueError, RecursionError) as fault:
        raise Unmeasurable(f"{path}: this is no JSON") from fault


def show_photos(tallies: dict[str, Tally]) -> None:
    """A line a scene."""
    print(f"{'scene':18} images dice  found  right  exact complete sure  exact+sure silent extra  ms")
    for name in [n for n in sorted(tallies) if n not in ("core", "other", "all", "six dice", "core, six dice")] + ["core", "other", "six dice", "core, six dice", "all"]:
        if name not in tallies:
            continue
        t = tallies[name]
        print(
            f"{name:18} {t.sums['images']:5.0f} {t.sums['dice']:5.0f} {t.rate('found', 'dice'):6.3f} {t.rate('right', 'found'):6.3f}"
            f" {t.rate('exact', 'images'):6.3f} {t.rate('complete', 'images'):6.3f} {t.rate('sure', 'images'):6.3f} {t.rate('exact_sure', 'images'):6.3f}"
            f" {t.sums['silent']:7.0f} {t.sums['extra']:5.0f} {t.rate('ms', 'images'):6.1f}"
        )


def show_throws(tallies: dict[str, Tally]) -> None:
    """A line a set-up."""
    print(f"{'set-up':14} throws found right |clear: n right sure |murky: n right sure |silent| out jump false-jump| odd bad |empty ok| ms")
    for name in [*[n for n in sorted(tallies) if n != "all"][:40], "all"]:
        t = tallies[name]
        s = {k: t.sums.get(k, 0.0) for k in ("throws", "clear", "murky", "silent", "out", "false_jump", "odd", "odd_bad", "empty")}
        print(
            f"{name[-14:]:14} {s['throws']:5.0f} {t.rate('found', 'dice'):6.3f} {t.rate('right', 'found'):6.3f}|{s['clear']:4.0f} {t.rate('clear_right', 'clear'):5.3f} {t.rate('clear_sure', 'clear'):5.3f}"
            f" |{s['murky']:4.0f} {t.rate('murky_right', 'murky'):5.3f} {t.rate('murky_sure', 'murky'):5.3f} |{s['silent']:4.0f} |{s['out']:4.0f} {t.rate('out_jump', 'out'):5.3f} {s['false_jump']:4.0f}"
            f"  |{s['odd']:4.0f} {s['odd_bad']:3.0f} |{s['empty']:4.0f} {t.rate('empty_right', 'empty'):5.3f}| {t.rate('ms', 'images'):5.1f}"
        )
    t = tallies["all"]
    print("verdicts of plain throws:", {n: int(t.sums.get(f"plain_{n}", 0)) for n in ("sure", "ask", "cocked", "incomplete", "jump", "empty")})


def photo_metrics(tallies: dict[str, Tally]) -> dict[str, float]:
    """The figures of the photos that the manifest keeps."""
    core, other, six, pan, every = (tallies.get(n, Tally(n)) for n in ("core", "other", "six dice", "kj-pan", "all"))
    return {
        "core_found": core.rate("found", "dice"), "core_right": core.rate("right", "found"), "core_exact": core.rate("exact", "images"),
        "core_exact_sure": core.rate("exact_sure", "images"), "other_found": other.rate("found", "dice"),
        "other_right": other.rate("right", "found"), "all_found": every.rate("found", "dice"),
        "all_silent": every.rate("silent", "images"), "six_dice_exact": six.rate("exact", "images"),
        "kj_pan_exact": pan.rate("exact", "images"),
    }


def throw_metrics(name: str, every: Tally) -> dict[str, float]:
    """The figures of one set of throws that the manifest keeps."""
    return {
        f"{name}_clear_sure": every.rate("clear_sure", "clear"), f"{name}_murky_sure": every.rate("murky_sure", "murky"),
        f"{name}_silent": every.rate("silent", "throws"), f"{name}_jump": every.rate("out_jump", "out"),
        f"{name}_false_jump": every.rate("false_jump", "all_in"),
    }


def show_risk(dump: Sequence[Any]) -> None:
    """Risk against coverage of single dice, over the photos and over the throws."""
    for name, kind in (("photos", "marks"), ("throws", "known")):
        answered = [pair for entry in dump if kind in entry for pair in _answered(entry)]
        if answered:
            print(f"\nsingle dice of the {name}, surest first: coverage, wrong among them, confidence of the last")
            for threshold, coverage, risk in risk_and_coverage(answered):
                print(f"  {coverage:5.2f}  {risk:7.4f}  {threshold:.4f}")


def _answered(entry: Any) -> Iterable[tuple[float, bool]]:
    """(confidence, right) of each found die that has a label."""
    if "marks" in entry:
        known = [(m["bbox"][0] + m["bbox"][2] / 2, m["bbox"][1] + m["bbox"][3] / 2, m["category_id"], 0.6 * max(m["bbox"][2:])) for m in entry["marks"] if not m.get("ignore")]
    else:
        known = entry["known"]
    for die in entry["answer"].get("dice", []):
        x, y, w, h = die["box"]
        place = (x + w / 2, y + h / 2) if "marks" in entry or not die.get("top") else die["top"]
        near = [(math.dist(place, k[:2]), k) for k in known]
        if near and min(near)[0] < min(near)[1][3]:
            yield float(die["confidence"]), die["value"] == min(near)[1][2]


def _asked() -> argparse.Namespace:
    asked = argparse.ArgumentParser(prog="python -m models.training.evaluate")
    asked.add_argument("--pictures", type=Path, help="the folder that holds real and sim-dev")
    asked.add_argument("--made", type=Path, nargs="*", default=[], help="more folders of simulated throws")
    asked.add_argument("--part", default="dev", choices=["dev", "train"])
    asked.add_argument("--models", type=Path, default=Path("models"))
    asked.add_argument("--command", help="measure this program instead, e.g. 'bobing read --json'")
    asked.add_argument("--dump", type=Path, help="write every answer and its figures here (JSON)")
    asked.add_argument("--metrics", type=Path, help="write the figures of the manifest here (JSON)")
    asked.add_argument("--uncalibrated", action="store_true", help="throws: know the rim, but not the empty bowl's picture")
    asked.add_argument("--skip-photos", action="store_true")
    return asked.parse_args()


def _folders(args: argparse.Namespace) -> list[Path]:
    """The folders of throws; raises Unmeasurable for what can't be measured or written, before hours have gone into it."""
    if not args.pictures and not args.made:
        raise Unmeasurable("say what to measure: --pictures FOLDER (that holds real and sim-dev), --made FOLDER ..., or both")
    folders = [*([args.pictures / "sim-dev"] if args.pictures else []), *args.made]
    for folder in (*([args.pictures / "real"] if args.pictures and not args.skip_photos else []), *folders):
        if not folder.is_dir():
            raise Unmeasurable(f"{folder}: there is no such folder")
    for folder in folders:
        _of_one_bowl(folder, False)
    for file in (args.dump, args.metrics):
        if file is not None and (file.is_dir() or not file.parent.is_dir()):
            raise Unmeasurable(f"{file}: can't be written there: name a file in a folder that exists")
    return folders


def _measured(args: argparse.Namespace) -> int:
    folders = _folders(args)
    answers = command(args.command) if args.command is not None else own_reader(args.models)
    dump: list[Any] = []
    metrics: dict[str, float] = {}
    if args.pictures and not args.skip_photos:
        shown = photos(answers, args.pictures / "real", args.part, dump)
        show_photos(shown)
        _show_failed(shown)
        metrics |= photo_metrics(shown)
    for folder in folders:
        print(f"\n{folder.name}")
        thrown = throws(answers, folder, not args.uncalibrated, dump)
        show_throws(thrown)
        _show_failed(thrown)
        metrics |= throw_metrics(folder.name.replace("-", "_"), thrown["all"])
    show_risk(dump)
    if args.dump:
        args.dump.write_text(json.dumps(dump, default=float), encoding="utf-8")
    reasons = [entry["answer"]["error"] for entry in dump if "error" in entry["answer"]]
    if reasons:
        raise Unmeasurable(
            f"{len(reasons)} of {len(dump)} pictures were not answered, so that the figures are not those of a reader: {reasons[0]}", 1
        )
    if args.metrics:
        args.metrics.write_text(json.dumps({k: round(v, 4) for k, v in metrics.items() if not math.isnan(v)}, indent=1), encoding="utf-8")
    return 0


def _show_failed(tallies: dict[str, Tally]) -> None:
    """How many pictures of a set had no answer: nothing found, nothing silent, and no merit."""
    every = tallies.get("all", Tally("all"))
    failed = int(every.sums.get("failed", 0))
    if failed:
        print(f"not answered: {failed} of {every.sums['images']:.0f} pictures")


def main() -> int:
    """Read the command line and print the tables; returns the exit status."""
    try:
        return _measured(_asked())
    except Unmeasurable as fault:
        print(f"evaluate: {fault}", file=sys.stderr)
        return fault.status
    except (ModelFault, OSError) as fault:
        print(f"evaluate: {fault}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
