"""A great part of the home gone at once is taken for an accident until it stays so (T15)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from memtui.index import sync as module
from tests.index.lined import EVERY, many, match, run, write

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from memtui.index.queries import Index


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + seconds)


def test_an_emptied_home_is_believed_the_second_time(
    root: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(root)
    run(root, index)
    for file in root.rglob("*.md"):
        file.unlink()
    changes = run(root, index)
    assert (changes.suspect, changes.removed) == (20, 0)
    assert len(index.ids(EVERY)) == 20
    assert run(root, index).suspect == 20
    later(monkeypatch, module.AGREE + 0.1)
    changes = run(root, index)
    assert (changes.suspect, changes.removed) == (0, 20)
    assert len(index.ids(EVERY)) == 0


def test_files_that_come_back_were_never_gone(
    root: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(root)
    run(root, index)
    before = index.ids(EVERY)
    root.rename(root.parent / "away")
    changes = run(root, index)
    assert (changes.suspect, changes.away) == (20, True)
    (root.parent / "away").rename(root)
    assert not run(root, index).suspect
    assert index.ids(EVERY) == before
    later(monkeypatch, module.AGREE + 0.1)
    for file in root.rglob("*.md"):
        file.unlink()
    assert run(root, index).suspect == 20, "an old suspicion must not vouch for a new one"


def test_a_third_or_five_files_are_pruned_at_once(root: Path, index: Index) -> None:
    many(root)
    run(root, index)
    for number in range(6):
        (root / str(number % 3) / f"{number}.md").unlink()
    assert run(root, index).removed == 6
    for file in list(root.rglob("*.md"))[:5]:
        file.unlink()
    assert run(root, index, [f"{n % 3}/{n}.md" for n in range(20)]).removed == 5


def test_new_files_are_taken_in_while_others_are_missed(root: Path, index: Index) -> None:
    many(root)
    run(root, index)
    for file in root.rglob("*.md"):
        file.unlink()
    write(root, "new.md", "- brand\n")
    changes = run(root, index)
    assert (changes.added, changes.suspect) == (1, 20)
    assert match(index, "brand") == [("new.md", 1)]
