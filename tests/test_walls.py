"""The house stands as it was drawn: who may import whom, how long a file may grow, and what may not be written in one."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("rules", "vision", "firmware_bridge", "models", "device", "web_ui")

# room → the rooms it may import; bobing.py may import all of them
MAY_IMPORT: dict[str, set[str]] = {
    "rules": set(),
    "vision": set(),
    "firmware_bridge": set(),
    "models": set(),
    "device": {"rules", "vision", "firmware_bridge"},
    "web_ui": {"device", "rules"},
    "bobing": set(ROOMS),
}
# room → what it may use that is not Python's own
MAY_USE: dict[str, set[str]] = {
    "rules": set(),
    "vision": {"numpy", "cv2", "onnxruntime"},
    "firmware_bridge": {"serial"},
    "models": set(),
    "device": {"numpy", "cv2", "platformdirs", "cv2_enumerate_cameras"},
    "web_ui": {"flask", "werkzeug", "jinja2", "markupsafe", "cheroot", "segno"},
    "bobing": {"numpy", "cv2", "onnxruntime", "serial", "flask", "platformdirs"},
}
CLOCKS = {"time", "datetime", "sched"}
CHANCE = {"random", "secrets", "uuid"}
THREADS = {"threading", "_thread", "concurrent", "multiprocessing", "asyncio", "queue", "subprocess"}
OUTSIDE = {"socket", "ssl", "http", "urllib", "ftplib", "smtplib", "sqlite3", "shelve", "dbm", "tempfile", "shutil"}
# room → what it must not use although Python has it: clock and chance are arguments, devices belong to `device`
NEVER: dict[str, set[str]] = {
    "rules": CLOCKS | CHANCE | THREADS | OUTSIDE,
    "vision": CLOCKS | CHANCE | THREADS | OUTSIDE,
    "models": CLOCKS | CHANCE | THREADS | OUTSIDE,
}
# scripts that make a file which is kept, run by hand, never by the program
MAKERS = {
    "web_ui/fonts/subset.py": {"fontTools"},
    "web_ui/art/make_sprite.py": {"fontTools"},
    "web_ui/i18n/draft_hant.py": {"opencc"},
}
DISTRIBUTIONS = {
    "opencv-python": {"cv2"},
    "numpy": {"numpy"},
    "onnxruntime": {"onnxruntime"},
    "pyserial": {"serial"},
    "cheroot": {"cheroot"},
    "flask": {"flask", "werkzeug", "jinja2", "markupsafe"},
    "platformdirs": {"platformdirs"},
    "segno": {"segno"},
    "cv2-enumerate-cameras": {"cv2_enumerate_cameras"},
}


def files_of(room: str) -> list[Path]:
    if room == "bobing":
        return [ROOT / "bobing.py"]
    return [file for file in sorted((ROOT / room).rglob("*.py")) if "training" not in file.relative_to(ROOT).parts]


def imports(file: Path) -> Iterator[tuple[str, int]]:
    """Each module, or thing in a module, that a file names in an import, anywhere in it, with the line."""
    package = file.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            for name in node.names:
                yield ".".join([*above, *([node.module] if node.module else []), name.name]), node.lineno


def foreign(room: str) -> Iterator[tuple[str, str, str]]:
    """(place, whole name, first name) of all that a room imports from beyond itself."""
    for file in files_of(room):
        where = file.relative_to(ROOT).as_posix()
        for name, line in imports(file):
            top = name.split(".")[0]
            if top != room and top not in MAKERS.get(where, set()):
                yield f"{where}:{line} imports {name}", name, top


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_the_rooms_it_may(room: str) -> None:
    ours = {*ROOMS, "bobing", "tests"}
    assert [place for place, _, top in foreign(room) if top in ours - MAY_IMPORT[room]] == []


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_uses_only_the_libraries_it_may(room: str) -> None:
    known = {*sys.stdlib_module_names, *ROOMS, "bobing", "tests"} | MAY_USE[room]
    assert [place for place, _, top in foreign(room) if top not in known] == []


@pytest.mark.parametrize("room", NEVER)
def test_time_and_chance_and_devices_come_in_as_arguments(room: str) -> None:
    assert [place for place, _, top in foreign(room) if top in NEVER[room]] == []


def test_nothing_that_runs_imports_the_training() -> None:
    found = [(file, name) for room in MAY_IMPORT for file in files_of(room) for name, _ in imports(file)]
    assert [(file.name, name) for file, name in found if name.startswith("models.training")] == []


def test_the_training_imports_no_room_but_vision() -> None:
    allowed = {"models", "vision"}
    files = sorted((ROOT / "models" / "training").rglob("*.py"))
    found = [(file, name) for file in files for name, _ in imports(file) if name.split(".")[0] in {*ROOMS, "bobing"}]
    assert [(file.name, name) for file, name in found if name.split(".")[0] not in allowed] == []


def test_no_import_hides_in_a_text() -> None:
    hidden = re.compile(r"\b(import_module|__import__)\(")
    found = [file.name for room in ROOMS for file in files_of(room) if hidden.search(file.read_text(encoding="utf-8"))]
    assert found == []


def test_each_library_that_is_used_is_declared_as_a_dependency() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    names = {re.split(r"[<>=!~\[; ]", line)[0] for line in declared}
    available = set().union(*(DISTRIBUTIONS[name] for name in names))
    used = {top for room in MAY_IMPORT for _, _, top in foreign(room)} - {*sys.stdlib_module_names, *ROOMS, "bobing"}
    assert used <= available


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("this is no git checkout: clone the repository to run this test")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def test_a_file_holds_one_idea_and_at_most_400_lines() -> None:
    code = {".py", ".js", ".css", ".html", ".c", ".h"}
    lines = [(len(file.read_text(encoding="utf-8").splitlines()), file) for file in tracked() if file.suffix in code]
    assert [f"{file.relative_to(ROOT)}: {count}" for count, file in lines if count > 400] == []


def test_no_file_names_a_path_of_somebodys_machine_or_a_registrys_host() -> None:
    folders = rb"(?<![\w.])/(?:work|farm|root|opt/bb|home/\w+|Users/\w+)/"
    hosts = rb"pypi\.org|python" rb"hosted|npm" rb"js\.org|deb\.debian\.org"
    forbidden = re.compile(folders + rb"|" + hosts)
    found: list[str] = []
    for file in tracked():
        content = file.read_bytes()
        if b"\0" not in content:
            found += [f"{file.relative_to(ROOT)}: {match.decode()}" for match in forbidden.findall(content)]
    assert found == []
