"""What is installed: bobing.py and the six packages with all they need to run, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {"rules", "vision", "firmware_bridge", "models", "device", "web_ui"}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as anybody would build it, with what is installed and no network."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    [built] = out.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def names(wheel: Path) -> list[PurePosixPath]:
    with zipfile.ZipFile(wheel) as parts:
        return [PurePosixPath(name) for name in parts.namelist()]


def test_the_top_level_is_bobing_and_the_six_packages(names: list[PurePosixPath]) -> None:
    top = {name.parts[0] for name in names if not name.parts[0].endswith(".dist-info")}
    assert top == {"bobing.py"} | PACKAGES


def test_neither_tests_nor_the_training_are_installed(names: list[PurePosixPath]) -> None:
    unwanted = [str(name) for name in names if {"tests", "training", "__pycache__"} & set(name.parts)]
    assert unwanted == []
    assert [str(name) for name in names if name.name.startswith("test_")] == []


def test_all_that_the_program_opens_is_installed(names: list[PurePosixPath]) -> None:
    tracked = subprocess.run(["git", "ls-files", "-z", "--", *PACKAGES], cwd=ROOT, capture_output=True)
    if tracked.returncode:
        pytest.skip("this is no git checkout: clone the repository to run this test")
    kept = {PurePosixPath(name) for name in tracked.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    needed = {name for name in kept if name.parts[:2] != ("models", "training")}
    assert needed - set(names) == set()


@pytest.mark.parametrize(("folder", "pattern"), [
    ("models", "*.onnx"),
    ("web_ui/templates", "*.html"),
    ("web_ui/static", "*.css"),
    ("web_ui/static", "*.js"),
    ("device/demo", "*.mp4"),
    ("rules", "py.typed"),
])
def test_model_pages_and_demo_travel_with_the_program(names: list[PurePosixPath], folder: str, pattern: str) -> None:
    assert [name for name in names if name.is_relative_to(folder) and name.match(pattern)] != []


def test_the_wheel_runs_from_anywhere_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as parts:
        parts.extractall(tmp_path / "site")
    program = "import sys; sys.path.insert(0, 'site'); import bobing; print(bobing.__file__); sys.exit(bobing.main())"
    command = [sys.executable, "-c", program, "score", "--json", "4", "4", "4", "4", "1", "1"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    file, result = done.stdout.splitlines()
    assert Path(tmp_path, file).resolve() == (tmp_path / "site" / "bobing.py").resolve()
    assert '"chajinhua"' in result
