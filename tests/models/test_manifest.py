"""The shipped model is the one that its manifest describes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

from vision.detector import FACE_SIDE, ModelFault, OnnxDetector, read_manifest
from vision.tilt import SLANT_SIDE

MODELS = Path(__file__).parents[2] / "models"
NETS = ("finder", "face", "slant")


@pytest.mark.parametrize("kind", NETS)
def test_a_net_has_the_hash_of_the_manifest(kind: str) -> None:
    told = read_manifest(MODELS)[kind]
    coded = (MODELS / told["file"]).read_bytes()
    assert hashlib.sha256(coded).hexdigest() == told["sha256"]
    assert len(coded) == told["bytes"]


def test_all_nets_together_are_small() -> None:
    assert sum(p.stat().st_size for p in MODELS.glob("*.onnx")) <= 10_000_000


@pytest.mark.parametrize(("kind", "shape"), [("finder", (1, 64, 96, 3)), ("face", (3, FACE_SIDE, FACE_SIDE, 3)), ("slant", (2, SLANT_SIDE, SLANT_SIDE, 3))])
def test_a_net_takes_the_input_of_the_manifest(kind: str, shape: tuple[int, ...]) -> None:
    net = ort.InferenceSession(MODELS / f"{kind}.onnx", providers=["CPUExecutionProvider"])
    assert [i.name for i in net.get_inputs()] == ["picture"]
    answer = net.run(None, {"picture": np.zeros(shape, np.uint8)})[0]
    assert answer.shape == {"finder": (1, 21, 16, 24), "face": (3, 15), "slant": (2, 3)}[kind]


def test_the_manifest_names_sources_with_their_licences() -> None:
    data = read_manifest(MODELS)["data"]
    assert all(entry["source"] and entry["licence"] for entry in data)
    assert not any("matteop65" in entry["source"] for entry in data)


def test_the_manifest_says_what_was_measured() -> None:
    metrics = read_manifest(MODELS)["metrics"]
    assert metrics and all(isinstance(v, int | float) for v in metrics.values())


def test_another_file_under_the_nets_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.toml").write_bytes((MODELS / "manifest.toml").read_bytes())
    (tmp_path / "finder.onnx").write_bytes(b"no net")
    with pytest.raises(ModelFault, match=r"finder\.onnx is not the one of manifest\.toml"):
        OnnxDetector.load(tmp_path)


def test_a_folder_without_a_manifest_is_one_plain_line(tmp_path: Path) -> None:
    with pytest.raises(ModelFault, match=r"manifest\.toml cannot be read"):
        OnnxDetector.load(tmp_path)
