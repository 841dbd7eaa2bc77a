"""Two names change places, or a name is taken that nobody has, by whatever the platform offers."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.fs import folder
from memtui.fs.folder import claim_name, retry_interrupted, swap

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="directories cannot be opened there")


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "a.tmp").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    descriptor = os.open(tmp_path, os.O_RDONLY)
    yield descriptor
    os.close(descriptor)


@pytest.mark.parametrize(("at_once", "links"), [(True, True), (False, True), (False, False)])
def test_both_ways(directory: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: bool, links: bool) -> None:
    monkeypatch.setattr(folder, "AT_ONCE", at_once)
    monkeypatch.setattr(folder, "LINKS", links)
    way = swap(directory, "a.tmp", "b")
    assert way == ("exchange" if at_once else "links" if links else "")
    expected = (b"b", b"a") if way else (b"a", b"b")
    assert ((tmp_path / "a.tmp").read_bytes(), (tmp_path / "b").read_bytes()) == expected
    with pytest.raises(FileExistsError):
        claim_name(directory, "a.tmp", "b")
    claim_name(directory, "a.tmp", "c")
    assert sorted(os.listdir(tmp_path)) == ["b", "c"]
    assert (tmp_path / "c").read_bytes() == expected[0]
    if way:
        with pytest.raises(FileNotFoundError):
            swap(directory, "b", "nothing")
        assert sorted(os.listdir(tmp_path)) == ["b", "c"]


def test_what_a_file_system_lacks_is_done_the_other_way(
    directory: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [errno.EINTR, errno.EINVAL]
    monkeypatch.setattr(folder, "_call", lambda: lambda *_: numbers.pop(0))
    assert swap(directory, "a.tmp", "b") == "links"

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    numbers[:] = [errno.ENOSYS, errno.ENOSYS, errno.ENOSYS]
    assert swap(directory, "a.tmp", "b") == ""
    with pytest.raises(FileExistsError):
        claim_name(directory, "a.tmp", "b")
    claim_name(directory, "a.tmp", "c")
    assert (tmp_path / "c").read_bytes() == b"b"


def test_the_systems_own_number_does_it_too(directory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the C library has no function of that name."""
    if sys.platform != "linux":
        pytest.skip("Linux's way")
    import ctypes

    real = ctypes.CDLL

    class Bare:
        def __init__(self, *words: object, **named: object) -> None:
            self.syscall = real(None, use_errno=True).syscall

    monkeypatch.setattr(ctypes, "CDLL", Bare)
    folder._call.cache_clear()
    try:
        assert swap(directory, "a.tmp", "b") == "exchange"
    finally:
        folder._call.cache_clear()


def test_signals_are_waited_out() -> None:
    answers: list[int | BaseException] = [InterruptedError(), InterruptedError(), 3]

    def call() -> int:
        answer = answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    assert retry_interrupted(call) == 3


def test_a_swap_by_links_is_done_whole_or_not_at_all(
    directory: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "AT_ONCE", False)
    real = os.replace
    for failing in (1, 2):
        calls: list[int] = []

        def replace(*words: Any, calls: list[int] = calls, failing: int = failing, **named: Any) -> None:
            calls.append(1)
            if len(calls) == failing:
                raise OSError(errno.EIO, "no")
            real(*words, **named)

        (tmp_path / "a.tmp").write_bytes(b"a")
        monkeypatch.setattr(os, "replace", replace)
        with pytest.raises(OSError, match="no"):
            swap(directory, "a.tmp", "b")
        monkeypatch.undo()
        monkeypatch.setattr(folder, "AT_ONCE", False)
        assert (tmp_path / "b").read_bytes() == b"b"
        assert set(os.listdir(tmp_path)) <= {"a.tmp", "b"}
