"""Small homes with an index, made as the vault makes them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.core.model import Home
from memtui.fs.places import place
from memtui.index import schema
from memtui.index.queries import Index
from memtui.index.sync import sync
from memtui.search.texts import SearchTarget


class Workshop:
    """Makes homes under one directory and closes their indexes in the end."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._open: list[Index] = []
        self._made = 0

    def home(self, files: dict[str, str]) -> Home:
        """A home of these files, the later ones newer; no index."""
        self._made += 1
        root = self._root / f"home{self._made}"
        for number, (path, text) in enumerate(files.items()):
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="")
            os.utime(file, (1_760_000_000 + number * 60,) * 2)
        return Home(root.resolve(), "plain", "a test", f"home{self._made}")

    def target(self, files: dict[str, str]) -> SearchTarget:
        """A home of these files with an index that holds them all."""
        home = self.home(files)
        return SearchTarget(home, self.index(home))

    def index(self, home: Home) -> Index:
        """An up-to-date index of a home, for reading."""
        where = place(home.path, home.layout)
        schema.begin(where, home.layout)
        with Index.open(where, write=True) as index:
            sync(home, index)
        reader = Index.open(where)
        self._open.append(reader)
        return reader

    def close(self) -> None:
        """Let go of every index."""
        for index in self._open:
            index.close()


@pytest.fixture(scope="session", autouse=True)
def _away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Indexes and locks of these tests stay out of the user's directories."""
    patch = pytest.MonkeyPatch()
    root = tmp_path_factory.mktemp("xdg")
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        patch.setenv(name, str(root / name))
    yield
    patch.undo()


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    """Makes homes for one test."""
    made = Workshop(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="session")
def shared_workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """Makes homes that several tests read."""
    made = Workshop(tmp_path_factory.mktemp("homes"))
    yield made
    made.close()
