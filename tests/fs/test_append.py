"""One record, one write, at the end; nothing of the others is lost or welded (T03, T12, T19 to T21)."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.core.errors import FullError, OutsideError, RefusedError, VanishedError
from memtui.fs import commit as module
from memtui.fs.commit import append, mend, take_back

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and modes as POSIX has them")


def test_the_first_record_makes_the_file(tmp_path: Path) -> None:
    placed = append(tmp_path, "daily/2026-02-24.md", "- 一\n- 二".encode(), b"# Daily\n\n")
    path = tmp_path / "daily/2026-02-24.md"
    assert path.read_bytes() == placed.written == "# Daily\n\n- 一\n- 二\n".encode()
    assert placed[:2] == (str(path), 0)
    assert placed.created
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    placed = append(tmp_path, "daily/2026-02-24.md", b"- 3", b"# Daily\n\n")
    assert path.read_bytes()[placed.offset :] == placed.written == b"- 3\n"
    assert not placed.created


@pytest.mark.parametrize(
    ("before", "written"),
    [
        (b"- a\n", b"- b\n- c\n"),
        (b"- a", b"\n- b\n- c\n"),
        (b"- a\r\n", b"- b\r\n- c\r\n"),
        (b"- a\r\n- torn", b"\r\n- b\r\n- c\r\n"),
        (b"- a\r\n- x\n- y\n", b"- b\n- c\n"),
        (b"\xef\xbb\xbf- a\n\xff", b"\n- b\n- c\n"),
        (b"\0\0\0", b"\n- b\n- c\n"),
    ],
)
def test_lines_end_as_the_file_does(tmp_path: Path, before: bytes, written: bytes) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(before)
    placed = append(tmp_path, "x.md", b"- b\n- c", b"# never\n")
    assert (placed.offset, placed.written) == (len(before), written)
    assert path.read_bytes() == before + written
    take_back(tmp_path, "x.md", placed)
    assert path.read_bytes() == before


@given(before=st.binary(max_size=300), record=st.binary(max_size=300))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_else_is_touched_and_it_can_be_taken_back(tmp_path: Path, before: bytes, record: bytes) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(before)
    if before[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return
    placed = append(tmp_path, "x.bin", record, sync=False)
    assert path.read_bytes() == before + placed.written
    take_back(tmp_path, "x.bin", placed)
    assert path.read_bytes() == before


def test_a_torn_file_is_healed_wherever_it_was_cut(tmp_path: Path) -> None:
    """T21: cut at every byte of its last two records, the new record can be read, and the old bytes are untouched."""
    records = [json.dumps({"id": number, "text": "偏好 ✓"}, ensure_ascii=False).encode() for number in range(3)]
    full = b"".join(record + b"\n" for record in records)
    path = tmp_path / "x.jsonl"
    for cut in range(len(records[0]) + 1, len(full) + 1):
        path.write_bytes(full[:cut])
        append(tmp_path, "x.jsonl", b'{"id": "new"}', sync=False)
        data = path.read_bytes()
        assert data.startswith(full[:cut])
        assert data.split(b"\n")[-2:] == [b'{"id": "new"}', b""]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("before", [b"", b"- a", b"- a@"])
def test_a_dead_writers_beginning_is_cut_off(tmp_path: Path, end: bytes, before: bytes) -> None:
    path = tmp_path / "x.md"
    before = before.replace(b"@", end)
    path.write_bytes(before)
    placed = append(tmp_path, "x.md", b"- b\n- c")
    for cut in range(1, len(placed.written)):
        path.write_bytes(before + placed.written[:cut])
        assert mend(tmp_path, "x.md", len(before), b"- b\n- c")
        assert path.read_bytes() == before
    for whole in (before + placed.written, before, before + b"\n- somebody's"):
        path.write_bytes(whole)
        assert not mend(tmp_path, "x.md", len(before), b"- b\n- c")
        assert path.read_bytes() == whole
    assert not mend(tmp_path, "nothing.md", 0, b"- b")


def test_what_cannot_be_appended_to(tmp_path: Path) -> None:
    (tmp_path / "wide.md").write_bytes("- a\n".encode("utf-16"))
    (tmp_path / "outside.md").symlink_to("/etc/hostname")
    (tmp_path / "directory").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RefusedError):
        append(tmp_path, "wide.md", b"- b")
    with pytest.raises(RefusedError):
        append(tmp_path, "x.md", b"x" * (64 * 1024 + 1))
    for path in ("outside.md", "directory", "pipe", "../x.md"):
        with pytest.raises(OutsideError):
            append(tmp_path, path, b"- b")
    with pytest.raises(VanishedError):
        append(tmp_path / "nowhere", "x.md", b"- b")
    assert not (tmp_path / "x.md").exists()


def test_a_link_inside_the_home_is_followed(tmp_path: Path) -> None:
    (tmp_path / "x.md").symlink_to("real.md")
    append(tmp_path, "x.md", b"- a")
    append(tmp_path, "x.md", b"- b")
    assert (tmp_path / "x.md").is_symlink()
    assert (tmp_path / "real.md").read_bytes() == b"- a\n- b\n"


def test_a_full_disk_leaves_no_half_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.md").write_bytes(b"- a\n")
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, data[:2]))
    with pytest.raises(FullError):
        append(tmp_path, "x.md", b"- b")
    with pytest.raises(FullError):
        append(tmp_path, "new.md", b"- b")
    monkeypatch.undo()
    assert (tmp_path / "x.md").read_bytes() == b"- a\n"
    assert not (tmp_path / "new.md").exists()


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC])
def test_a_failed_sync_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    (tmp_path / "x.md").write_bytes(b"- a\n")

    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fdatasync", fail)
    with pytest.raises(Exception, match=r"x\.md"):
        append(tmp_path, "x.md", b"- b")
    assert (tmp_path / "x.md").read_bytes() == b"- a\n"


@pytest.mark.parametrize(
    ("theirs", "after"),
    [
        (b"- theirs\n", b"- theirs\n- b\n"),
        (b"- theirs", b"- theirs\n- b\n"),
        (b"- a\n- b\n- theirs\n", b"- a\n- b\n- theirs\n"),
        (None, b"- b\n"),
    ],
)
def test_who_replaces_the_file_meanwhile_does_not_lose_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theirs: bytes | None, after: bytes
) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(b"- a\n")
    real = os.write
    waiting = [True]

    def write(descriptor: int, data: bytes) -> int:
        count = real(descriptor, data)
        if waiting:
            waiting.clear()
            path.unlink()
            if theirs is not None:
                path.write_bytes(theirs)
        return count

    monkeypatch.setattr(os, "write", write)
    append(tmp_path, "x.md", b"- b")
    assert path.read_bytes() == after


def test_a_rotated_log_takes_the_record_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rotator comes between the look and the write (T20)."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"{}\n")
    real = os.write

    def write(descriptor: int, data: bytes) -> int:
        path.rename(tmp_path / "x.1.jsonl")
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    append(tmp_path, "x.jsonl", b"[]")
    assert (tmp_path / "x.1.jsonl").read_bytes() == b"{}\n[]\n"
    assert not path.exists()


def test_what_others_wrote_since_is_not_taken_back(tmp_path: Path) -> None:
    placed = append(tmp_path, "x.md", b"- a")
    append(tmp_path, "x.md", b"- b")
    with pytest.raises(RefusedError):
        take_back(tmp_path, "x.md", placed)
    assert (tmp_path / "x.md").read_bytes() == b"- a\n- b\n"


def test_taking_back_the_first_record_takes_the_file(tmp_path: Path) -> None:
    take_back(tmp_path, "x.md", append(tmp_path, "x.md", b"- a", b"# x\n"))
    assert not (tmp_path / "x.md").exists()


APPEND = """
import sys
from memtui.fs.commit import append
from memtui.fs.locks import lock_for; from memtui.fs.locks import hold_lock as locked
for number in range(int(sys.argv[3])):
    with locked(lock_for(sys.argv[1], "x.md"), 60):
        append(sys.argv[1], "x.md", (sys.argv[2] * 3000 + str(number)).encode(), sync=False)
"""


def test_processes_lose_no_record(tmp_path: Path) -> None:
    command = [sys.executable, "-c", APPEND, str(tmp_path)]
    processes = [subprocess.Popen([*command, letter, "60"]) for letter in "abcd"]
    assert [process.wait(60) for process in processes] == [0] * 4
    lines = (tmp_path / "x.md").read_text().splitlines()
    assert sorted(lines) == sorted(letter * 3000 + str(number) for letter in "abcd" for number in range(60))


def test_no_record_is_accepted_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: Any) -> bool:
        return False

    monkeypatch.setattr(module, "_is_in_place", never)
    with pytest.raises(Exception, match="try again"):
        append(tmp_path, "x.md", b"- a")
