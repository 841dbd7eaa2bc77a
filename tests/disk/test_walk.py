"""A walk sees everything once, and says why where it does not (T10, T29, T35)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.core.model import Layer, Problem, Role
from memtui.fs import files as module
from memtui.fs.files import FoundFile, walk, walk_directories

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes as POSIX has them")

ROLE = Role(Layer.JOURNAL, "note", "markdown")


def role(path: str) -> Role | None:
    return ROLE if path.endswith(".md") else None


def nothing(path: str) -> bool:
    return False


def seen(root: Path, prune: Callable[[str], bool] = nothing) -> tuple[set[str], dict[str, str]]:
    every = list(walk(root, role, prune))
    paths = [one.path for one in every if isinstance(one, FoundFile)]
    assert len(paths) == len(set(paths))
    return set(paths), {one.path: one.reason for one in every if isinstance(one, Problem)}


@pytest.fixture(params=[True, False], ids=["descriptors", "paths"])
def home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(module, "_FD", request.param)
    root = tmp_path / "home"
    (root / "daily" / "2026").mkdir(parents=True)
    for path in ("MEMORY.md", "daily/2026-01-01.md", "daily/2026/x.md", "config.json"):
        (root / path).write_text("- x\n")
    return root


def test_files_with_a_role_are_found(home: Path) -> None:
    assert seen(home) == ({"MEMORY.md", "daily/2026-01-01.md", "daily/2026/x.md"}, {})


def test_status_as_the_index_keeps_it(home: Path) -> None:
    status = (home / "MEMORY.md").stat()
    found = next(
        one for one in walk(home, role, nothing) if isinstance(one, FoundFile) and one.path == "MEMORY.md"
    )
    assert found == ("MEMORY.md", status.st_mtime_ns, 4, status.st_ino, status.st_ctime_ns, ROLE)


def test_pruned_and_never_entered(home: Path) -> None:
    for name in (".git", "node_modules", ".venv", ".memtui-trash", "own"):
        (home / name).mkdir()
        (home / name / "x.md").write_text("x")
    (home / ".memtui-0123456789abcdef.tmp").write_text("x")
    paths, problems = seen(home, lambda path: path in {"own", "daily/2026"})
    assert paths == {"MEMORY.md", "daily/2026-01-01.md"}
    assert not problems


def test_what_is_not_read_has_a_reason(home: Path, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "y.md").write_text("y")
    (home / "away").symlink_to(tmp_path / "away")
    (home / "y.md").symlink_to(tmp_path / "away" / "y.md")
    (home / "gone.md").symlink_to("nowhere")
    (home / "alias.md").symlink_to("MEMORY.md")
    os.mkfifo(home / "pipe.md")
    paths, problems = seen(home)
    assert paths == {"MEMORY.md", "daily/2026-01-01.md", "daily/2026/x.md"}
    where = str(tmp_path / "away")
    assert problems == {
        "away": f"a link to {where}, outside this home: open {where} itself to see it",
        "y.md": f"a link to {where}/y.md, outside this home: open {where} itself to see it",
        "gone.md": "a link to something that is not there",
        "pipe.md": "not a regular file (a pipe, socket or device)",
    }


def test_names_that_cannot_be_shown_are_reported(home: Path) -> None:
    for name in (b"caf\xe9.md", b"a\nb.md", b"\x1b]52;c;x\x07.md", b"back\\slash.md"):
        with open(os.path.join(os.fsencode(home), name), "wb") as file:
            file.write(b"- x\n")
    os.mkdir(os.path.join(os.fsencode(home), b"dir\xff"))
    paths, problems = seen(home)
    assert paths == {"MEMORY.md", "daily/2026-01-01.md", "daily/2026/x.md"}
    assert len(problems) == 5
    for path, reason in problems.items():
        path.encode()
        assert reason.startswith("its name")


def test_twins_are_both_kept(home: Path) -> None:
    names = ("\u00e9.md", "e\u0301.md", "Readme.md", "README.md")
    for name in names:
        (home / name).write_text("- x\n")
    if len(set(os.listdir(home)) & set(names)) < 4:
        pytest.skip("this file system has no twins")
    paths, problems = seen(home)
    assert set(names) <= paths
    assert len(problems) == 2
    assert all("only in case or accents" in reason for reason in problems.values())


def test_depth_ends_with_a_word(home: Path) -> None:
    deep = home
    for level in range(20):
        deep = deep / f"l{level}"
        deep.mkdir()
        (deep / "x.md").write_text("x")
    paths, problems = seen(home)
    below = "/".join(f"l{level}" for level in range(16))
    assert f"{below}/x.md" in paths
    assert len(paths) == 3 + 16
    assert list(problems) == [f"{below}/l16"]


def test_too_many_files_end_with_a_word(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "more").mkdir()
    for number in range(30):
        (home / "more" / f"{number}.md").write_text("x")
    monkeypatch.setattr(module, "ENTRIES", 12)
    paths, problems = seen(home)
    assert 0 < len(paths) <= 12
    assert "only the first 12 files of the home are read" in problems.values()
    assert any(listing.cut for listing in walk_directories(home, nothing))


def test_a_directory_that_cannot_be_listed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_open, real_scan = os.open, os.scandir

    def refuse(name: object) -> None:
        if str(name).endswith("2026"):
            raise PermissionError(13, "Permission denied")

    def opening(path: str, *rest: int, **named: int) -> int:
        refuse(path)
        return real_open(path, *rest, **named)

    def scanning(path: int | str) -> object:
        refuse(path)
        return real_scan(path)

    monkeypatch.setattr("os.open", opening)
    monkeypatch.setattr("os.scandir", scanning)
    monkeypatch.setattr(module, "_FD", module._FD)
    assert seen(home) == (
        {"MEMORY.md", "daily/2026-01-01.md"},
        {"daily/2026": "no permission to look inside"},
    )


def test_a_missing_home_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(walk_directories(tmp_path / "nowhere", nothing))


def signatures(root: Path) -> dict[str, int]:
    return {listing.path: listing.signature() for listing in walk_directories(root, nothing)}


@pytest.mark.parametrize("what", ["content", "touch", "new", "gone", "renamed", "mode"])
def test_a_signature_changes_with_its_files_alone(home: Path, what: str) -> None:
    file = home / "daily" / "2026-01-01.md"
    before = signatures(home)
    assert signatures(home) == before
    if what == "content":
        file.write_text("- other\n")
    elif what == "touch":
        os.utime(file, ns=(1, 1))
    elif what == "new":
        (home / "daily" / "z.md").write_text("x")
    elif what == "gone":
        file.unlink()
    elif what == "renamed":
        file.rename(home / "daily" / "2026-01-02.md")
    else:
        status = file.stat()
        file.chmod(0o600)
        if file.stat().st_ctime_ns == status.st_ctime_ns:
            pytest.skip("the clock of this file system is too coarse")
    after = signatures(home)
    assert {path for path in before if before[path] != after[path]} == {"daily"}
