from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import memtui.formats
from memtui.fs.places import Place, place
from memtui.index import rows, schema
from memtui.index.queries import Index
from tests.index import lined


@pytest.fixture(autouse=True)
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Caches and locks of this test alone, the lined parser, and files just written taken as they are.

    A file's time of change cannot be set, so the guard for racy files would otherwise make every rescan of a test
    read everything again; the tests of the guard switch it on.
    """
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("MEMTUI_NOW", raising=False)
    monkeypatch.setitem(memtui.formats._loaded, "lined", lined.parse)
    monkeypatch.setattr(rows, "RACY", 0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    path = tmp_path / "home"
    path.mkdir()
    return path


@pytest.fixture
def where(root: Path) -> Place:
    return place(root, "lined")


@pytest.fixture
def index(where: Place) -> Iterator[Index]:
    """An empty index, open for writing."""
    with Index(where, schema.begin(where, "lined"), write=True) as opened:
        yield opened
