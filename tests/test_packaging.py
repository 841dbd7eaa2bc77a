"""The wheel and the source archive hold what a stranger needs. Skipped where hatchling is not installed."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

pytest.importorskip("hatchling")


def built(kind: str, into: Path) -> Path:
    code = f"import sys; from hatchling.build import build_{kind} as b; sys.stdout.write('\\n' + b(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(into)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return into / done.stdout.rpartition("\n")[2]


def package(folder: str) -> set[str]:
    """Files of a directory that belong in an archive, relative to the root."""
    return {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and not any(part.endswith(("cache__", "_cache")) for part in path.parts)
    }


def test_the_wheel_holds_the_package_its_styles_and_the_demo(tmp_path: Path) -> None:
    with zipfile.ZipFile(built("wheel", tmp_path)) as wheel:
        names = set(wheel.namelist())
        entry = next(name for name in names if name.endswith("entry_points.txt"))
        points = wheel.read(entry).decode()
        assert wheel.testzip() is None
    styles = {f"memtui/{name}" for name in package("styles")}
    assert styles
    assert any(name.startswith("memtui/demo/") and name.endswith(".md") for name in names)
    missing = (package("memtui") | styles) - names
    assert not missing, "ignored by git, so left out of the wheel?"
    assert "memtui = memtui.__main__:main" in points
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "screenshots/"))]


def test_the_source_archive_holds_the_tests(tmp_path: Path) -> None:
    with tarfile.open(built("sdist", tmp_path)) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "LICENSE", "pyproject.toml", "tests/test_packaging.py"} <= names
    assert not (package("memtui") | package("styles")) - names
