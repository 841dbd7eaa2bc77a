"""Directories that hold nothing of ours are not watched, within reason (T29)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.index import watch
from memtui.index.watch import list_watch_targets

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def prune(path: str) -> bool:
    return path.rpartition("/")[2] == "pruned"


def test_what_is_watched_leaves_the_pruned_out(root: Path) -> None:
    assert list_watch_targets(str(root), prune) == [(str(root), True)]
    (root / "a" / "b").mkdir(parents=True)
    assert list_watch_targets(str(root), prune) == [(str(root), True)]
    (root / "a" / "pruned" / "deep").mkdir(parents=True)
    (root / "c" / "d").mkdir(parents=True)
    assert sorted(list_watch_targets(str(root), prune)) == [
        (str(root), False),
        (str(root / "a"), False),
        (str(root / "a" / "b"), True),
        (str(root / "c"), True),
    ]


def test_too_many_exceptions_are_watched_with_the_rest(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "MOST", 3)
    for name in "abcd":
        (root / name / "pruned").mkdir(parents=True)
    assert list_watch_targets(str(root), prune) == [(str(root), True)]
