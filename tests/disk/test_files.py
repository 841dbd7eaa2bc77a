"""Paths stay inside their home, whatever they say and whatever is swapped under them (T30, T31, T33)."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.errors import OutsideError, UnavailableError
from memtui.fs import files
from memtui.fs.files import HomeReader, compute_etag, read, split_home_path

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
