"""Paths stay inside their home, whatever they say and whatever is swapped under them (T30, T31, T33).

A walk sees everything once, and says why where it does not (T10, T29, T35).
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.errors import OutsideError, UnavailableError
from memtui.core.model import Layer, Problem, Role
from memtui.fs import files
from memtui.fs import files as module
from memtui.fs.files import FoundFile, HomeReader, compute_etag, read, split_home_path, walk, walk_directories

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes as POSIX has them")


@pytest.fixture(params=["chained", "compared"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of opening: from the directory's descriptor, and by comparing real paths."""
    monkeypatch.setattr(files, "CHAINED", request.param == "chained")
    return str(request.param)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "home"
    (root / "每日" / "inner").mkdir(parents=True)
    (root / "MEMORY.md").write_bytes(b"# MEMORY\n- one\n")
    (root / "每日" / "inner" / "a b.md").write_bytes("- 偏好\n".encode())
    outside = tmp_path / "home-evil"
    outside.mkdir()
    (outside / "x.md").write_bytes(b"SECRET")
    return root


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "/etc/passwd", "..", "../home-evil/x.md", "a/../../x", "a//b", "a/", "./a", "a/./b", "a\\b", "a\0b",
        "a\nb", "\x1b]52;c;x\x07", "a\x7f", "a\x85b", "x" * 256, "偏" * 86, "a/" + "y" * 300 + "/b",
    ],
)  # fmt: skip
def test_a_path_that_could_leave_is_refused(path: str) -> None:
    with pytest.raises(OutsideError):
        split_home_path(path)


@pytest.mark.parametrize(
    "path", ["a", "a/b.md", "每日/2026-02-24.md", "x" * 255, "偏" * 85, "~", "%2e%2e", "...", "a b"]
)
def test_a_plain_path_is_its_parts(path: str) -> None:
    assert split_home_path(path) == path.split("/")


@given(st.text(alphabet=st.sampled_from("ab./\\\0~\n偏 "), max_size=12))
def test_what_is_let_through_stays_below(path: str) -> None:
    try:
        split_home_path(path)
    except OutsideError:
        return
    assert os.path.normpath(os.path.join("/home", path)).startswith("/home/")


def test_reading(home: Path, way: str) -> None:
    data, status = read(home, "每日/inner/a b.md", 1000)
    assert data.decode() == "- 偏好\n"
    assert status.st_size == len(data)
    assert read(home, "MEMORY.md", 4)[0] == b"# ME"
    assert read(home, "MEMORY.md", 0)[0] == b""


def test_etag_names_the_bytes() -> None:
    assert compute_etag(b"") == "e3b0c44298fc1c149afbf4c8996fb924"
    assert compute_etag(b"a") != compute_etag(b"a\n")


def test_a_home_may_be_a_link(home: Path, tmp_path: Path, way: str) -> None:
    link = tmp_path / "link"
    link.symlink_to(home)
    assert read(link, "MEMORY.md", 100)[0].startswith(b"# MEMORY")


@pytest.mark.parametrize("path", ["nothing.md", "每日/nothing/x.md", "MEMORY.md/x.md"])
def test_a_missing_file_is_missing(home: Path, path: str, way: str) -> None:
    with pytest.raises(FileNotFoundError):
        read(home, path, 100)


@pytest.mark.parametrize("path", ["out.md", "in.md", "dir/x.md", "每日/dir/x.md", "dangling.md", "loop/x.md"])
def test_links_are_not_followed_at_any_depth(home: Path, path: str, way: str) -> None:
    (home / "out.md").symlink_to("../home-evil/x.md")
    (home / "in.md").symlink_to("MEMORY.md")
    (home / "dir").symlink_to("../home-evil")
    (home / "每日" / "dir").symlink_to("../../home-evil")
    (home / "dangling.md").symlink_to("nowhere")
    (home / "loop").symlink_to("loop")
    with pytest.raises(OutsideError):
        read(home, path, 100)


def test_a_pipe_or_a_directory_is_no_file_and_does_not_hang(home: Path, way: str) -> None:
    os.mkfifo(home / "pipe.md")
    for path in ("pipe.md", "每日"):
        with pytest.raises((OutsideError, UnavailableError)):
            read(home, path, 100)


def test_a_directory_swapped_for_a_link_leads_nowhere(home: Path) -> None:
    """F9: what is read while a directory becomes a link and back is never from outside."""
    (home / "a").mkdir()
    (home / "a" / "x.md").write_bytes(b"INSIDE")
    (home / "l").symlink_to("../home-evil")
    stop = threading.Event()

    def flip() -> None:
        while not stop.is_set():
            os.rename(home / "a", home / "real")
            os.rename(home / "l", home / "a")
            os.rename(home / "a", home / "l")
            os.rename(home / "real", home / "a")

    flipper = threading.Thread(target=flip)
    flipper.start()
    seen: set[bytes] = set()
    refused = 0
    try:
        for _ in range(4000):
            try:
                seen.add(read(home, "a/x.md", 100)[0])
            except (OutsideError, FileNotFoundError):
                refused += 1
    finally:
        stop.set()
        flipper.join()
    assert b"SECRET" not in seen
    assert refused


def test_many_directories_with_few_descriptors(home: Path) -> None:
    for number in range(20):
        (home / f"d{number}").mkdir()
        (home / f"d{number}" / "x.md").write_bytes(b"%d" % number)
    with HomeReader(home, keep=3) as reader:
        before = len(os.listdir("/dev/fd"))
        for number in [*range(20), *range(20)]:
            assert reader.read(f"d{number}/x.md", 10)[0] == b"%d" % number
        assert len(os.listdir("/dev/fd")) <= before + 4
    assert len(os.listdir("/dev/fd")) < before + 4


def test_a_file_longer_than_its_status_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An appender may be at work between fstat and read."""
    (home / "x.md").write_bytes(b"y" * 300_000)
    real = os.read
    monkeypatch.setattr("os.read", lambda descriptor, size: real(descriptor, min(size, 1000)))
    assert len(read(home, "x.md", 10_000_000)[0]) == 300_000


def test_a_closed_reader_opens_again(home: Path) -> None:
    reader = HomeReader(home)
    for _ in range(2):
        assert reader.status("每日/inner/a b.md").st_size == 9
        reader.close()


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
def walked_home(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(module, "_FD", request.param)
    root = tmp_path / "home"
    (root / "daily" / "2026").mkdir(parents=True)
    for path in ("MEMORY.md", "daily/2026-01-01.md", "daily/2026/x.md", "config.json"):
        (root / path).write_text("- x\n")
    return root


def test_files_with_a_role_are_found(walked_home: Path) -> None:
    assert seen(walked_home) == ({"MEMORY.md", "daily/2026-01-01.md", "daily/2026/x.md"}, {})


def test_status_as_the_index_keeps_it(walked_home: Path) -> None:
    status = (walked_home / "MEMORY.md").stat()
    found = next(
        one for one in walk(walked_home, role, nothing) if isinstance(one, FoundFile) and one.path == "MEMORY.md"
    )
    assert found == ("MEMORY.md", status.st_mtime_ns, 4, status.st_ino, status.st_ctime_ns, ROLE)


def test_pruned_and_never_entered(walked_home: Path) -> None:
    for name in (".git", "node_modules", ".venv", ".memtui-trash", "own"):
        (walked_home / name).mkdir()
        (walked_home / name / "x.md").write_text("x")
    (walked_home / ".memtui-0123456789abcdef.tmp").write_text("x")
    paths, problems = seen(walked_home, lambda path: path in {"own", "daily/2026"})
    assert paths == {"MEMORY.md", "daily/2026-01-01.md"}
    assert not problems


def test_what_is_not_read_has_a_reason(walked_home: Path, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / "y.md").write_text("y")
    (walked_home / "away").symlink_to(tmp_path / "away")
    (walked_home / "y.md").symlink_to(tmp_path / "away" / "y.md")
    (walked_home / "gone.md").symlink_to("nowhere")
    (walked_home / "alias.md").symlink_to("MEMORY.md")
    os.mkfifo(walked_home / "pipe.md")
    paths, problems = seen(walked_home)
    assert paths == {"MEMORY.md", "daily/2026-01-01.md", "daily/2026/x.md"}
    where = str(tmp_path / "away")
    assert problems == {
        "away": f"a link to {where}, outside this home: open {where} itself to see it",
        "y.md": f"a link to {where}/y.md, outside this home: open {where} itself to see it",
        "gone.md": "a link to something that is not there",
        "pipe.md": "not a regular file (a pipe, socket or device)",
    }


def test_names_that_cannot_be_shown_are_reported(walked_home: Path) -> None:
    for name in (b"caf\xe9.md", b"a\nb.md", b"\x1b]52;c;x\x07.md", b"back\\slash.md"):
        with open(os.path.join(os.fsencode(walked_home), name), "wb") as file:
            file.write(b"- x\n")
    os.mkdir(os.path.join(os.fsencode(walked_home), b"dir\xff"))
    paths, problems = seen(walked_home)
    assert paths == {"MEMORY.md", "daily/2026-01-01.md", "daily/2026/x.md"}
    assert len(problems) == 5
    for path, reason in problems.items():
        path.encode()
        assert reason.startswith("its name")


def test_twins_are_both_kept(walked_home: Path) -> None:
    names = ("\u00e9.md", "e\u0301.md", "Readme.md", "README.md")
    for name in names:
        (walked_home / name).write_text("- x\n")
    if len(set(os.listdir(walked_home)) & set(names)) < 4:
        pytest.skip("this file system has no twins")
    paths, problems = seen(walked_home)
    assert set(names) <= paths
    assert len(problems) == 2
    assert all("only in case or accents" in reason for reason in problems.values())


def test_depth_ends_with_a_word(walked_home: Path) -> None:
    deep = walked_home
    for level in range(20):
        deep = deep / f"l{level}"
        deep.mkdir()
        (deep / "x.md").write_text("x")
    paths, problems = seen(walked_home)
    below = "/".join(f"l{level}" for level in range(16))
    assert f"{below}/x.md" in paths
    assert len(paths) == 3 + 16
    assert list(problems) == [f"{below}/l16"]


def test_too_many_files_end_with_a_word(walked_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (walked_home / "more").mkdir()
    for number in range(30):
        (walked_home / "more" / f"{number}.md").write_text("x")
    monkeypatch.setattr(module, "ENTRIES", 12)
    paths, problems = seen(walked_home)
    assert 0 < len(paths) <= 12
    assert "only the first 12 files of the home are read" in problems.values()
    assert any(listing.cut for listing in walk_directories(walked_home, nothing))


def test_a_directory_that_cannot_be_listed(walked_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert seen(walked_home) == (
        {"MEMORY.md", "daily/2026-01-01.md"},
        {"daily/2026": "no permission to look inside"},
    )


def test_a_missing_home_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(walk_directories(tmp_path / "nowhere", nothing))


def signatures(root: Path) -> dict[str, int]:
    return {listing.path: listing.signature() for listing in walk_directories(root, nothing)}


@pytest.mark.parametrize("what", ["content", "touch", "new", "gone", "renamed", "mode"])
def test_a_signature_changes_with_its_files_alone(walked_home: Path, what: str) -> None:
    file = walked_home / "daily" / "2026-01-01.md"
    before = signatures(walked_home)
    assert signatures(walked_home) == before
    if what == "content":
        file.write_text("- other\n")
    elif what == "touch":
        os.utime(file, ns=(1, 1))
    elif what == "new":
        (walked_home / "daily" / "z.md").write_text("x")
    elif what == "gone":
        file.unlink()
    elif what == "renamed":
        file.rename(walked_home / "daily" / "2026-01-02.md")
    else:
        status = file.stat()
        file.chmod(0o600)
        if file.stat().st_ctime_ns == status.st_ctime_ns:
            pytest.skip("the clock of this file system is too coarse")
    after = signatures(walked_home)
    assert {path for path in before if before[path] != after[path]} == {"daily"}
