"""Every directory of a home is watched by itself, wherever it comes from and goes to."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

if sys.platform != "linux":
    pytest.skip("inotify", allow_module_level=True)

from memtui.index.inotify import Inotify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Told = list[tuple[str | None, bool]]


def prune(path: str) -> bool:
    return path.rpartition("/")[2] == "pruned"


@pytest.fixture
def told() -> Told:
    return []


@pytest.fixture
def ears(root: Path, told: Told) -> Iterator[Inotify]:
    (root / "a" / "b").mkdir(parents=True)
    (root / "pruned" / "deep").mkdir(parents=True)
    (root / ".git").mkdir()

    def hear(path: str | None, folder: bool = True) -> None:
        told.append((path and os.path.relpath(path, root), folder))

    one = Inotify(str(root), prune, hear)
    yield one
    one.close()


def until(ears: Inotify, what: Callable[[], bool]) -> None:
    for _ in range(200):
        if what():
            return
        ears.wait(0.05)
    raise AssertionError


def folders(ears: Inotify, root: Path) -> set[str]:
    return {os.path.relpath(path, root) for path in ears._folders.values()}


def test_what_is_watched_leaves_the_pruned_out(root: Path, ears: Inotify) -> None:
    assert folders(ears, root) == {".", "a", "a/b"}


def test_a_directory_with_others_inside_is_watched_to_the_bottom(
    root: Path, ears: Inotify, told: Told
) -> None:
    outside = root.with_name("outside")
    (outside / "x" / "pruned").mkdir(parents=True)
    (outside / "x" / "y").mkdir()
    outside.rename(root / "in")
    until(ears, lambda: ("in", True) in told)
    assert folders(ears, root) == {".", "a", "a/b", "in", "in/x", "in/x/y"}
    (root / "in" / "x" / "y" / "z.md").write_text("- z\n")
    until(ears, lambda: ("in/x/y/z.md", False) in told)


def test_a_directory_that_moves_is_heard_by_its_new_name(root: Path, ears: Inotify, told: Told) -> None:
    (root / "a").rename(root / "c")
    until(ears, lambda: {("a", True), ("c", True)} <= set(told))
    assert folders(ears, root) == {".", "c", "c/b"}
    (root / "c" / "b" / "z.md").write_text("- z\n")
    until(ears, lambda: ("c/b/z.md", False) in told)
    (root / "c").rename(root.with_name("gone"))
    until(ears, lambda: folders(ears, root) == {"."})
    told.clear()
    (root.with_name("gone") / "b" / "z.md").unlink()
    (root / "last.md").write_text("- last\n")
    until(ears, lambda: bool(told))
    assert told == [("last.md", False)]


def test_a_new_file_is_told_of_once_it_is_written(root: Path, ears: Inotify, told: Told) -> None:
    with (root / "a.md").open("w") as file:
        ears.wait(0.05)
        assert told == []
        file.write("- a\n")
    until(ears, lambda: told == [("a.md", False)])
    os.link(root / "a.md", root / "b.md")
    until(ears, lambda: told[1:] == [("b.md", False)])


def test_what_was_lost_may_have_been_directories(
    root: Path, ears: Inotify, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(ears, "_event", lambda *_: None)
        (root / "new" / "er").mkdir(parents=True)
        ears.wait(0.05)
    assert "new" not in folders(ears, root)
    ears._take(b"\xff\xff\xff\xff\x00\x40\x00\x00" + bytes(8))
    assert told == [(None, True)]
    assert folders(ears, root) == {".", "a", "a/b", "new", "new/er"}


def test_waiting_ends_when_roused(ears: Inotify) -> None:
    ears.rouse()
    ears.wait(60)
