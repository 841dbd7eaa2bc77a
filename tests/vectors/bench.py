"""A home of plain Markdown with an index, and what makes its vectors in this process."""

from __future__ import annotations

import os
from pathlib import Path

from memtui.core.config import VectorConfig
from memtui.core.model import Filter, Home
from memtui.fs.places import place
from memtui.index import schema
from memtui.index.filters import IndexRow
from memtui.index.queries import Index
from memtui.index.sync import sync
from memtui.search.vector_jobs import Filled, fill
from memtui.vectors import open_vectors
from memtui.vectors.reader import Vectors
from memtui.vectors.vector_files import derive_vector_names
from tests.vectors.fake import Fake

EVERY = Filter(statuses=frozenset())


class Bench:
    """One home, its index and its vectors."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.home = Home(root.resolve(), "plain", "a test", "home")
        self.place = place(self.home.path, "plain")
        self.fake = Fake()
        self._writes = 0
        self.renew()

    def write(self, path: str, text: str) -> None:
        """Write a file, later than all before, and bring the index up to date."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="")
        self._writes += 1
        os.utime(file, (1_760_000_000 + self._writes * 60,) * 2)
        self.sync()

    def sync(self) -> None:
        """Bring the index up to date."""
        with Index.open(self.place, write=True) as index:
            sync(self.home, index)

    def renew(self) -> None:
        """Begin a new index, empty."""
        schema.begin(self.place, "plain")

    def fill(self, fake: Fake | None = None, **rest: object) -> Filled:
        """Make what is missing."""
        return fill(self.home, self.place, VectorConfig(), embedder=fake or self.fake, **rest)  # type: ignore[arg-type]

    def vectors(self, fake: Fake | None = None) -> Vectors | None:
        """The vectors of the current index."""
        return open_vectors(self.place, schema.find_current_index(self.place), (fake or self.fake).name)

    def rows(self) -> list[IndexRow]:
        """All entries, by file and line."""
        with Index.open(self.place) as index:
            rows = index.rows(index.ids(EVERY))
        return sorted(rows, key=lambda row: (row.path, row.line, row.id))

    def nearest(self, query: str, depth: int = 1, fake: Fake | None = None) -> list[tuple[str, int]]:
        """Path and line of what is nearest to a query."""
        vectors = self.vectors(fake)
        assert vectors is not None
        known = {(row.id, row.crc): (row.path, row.line) for row in self.rows()}
        best = vectors.scores((fake or self.fake).query(query), share=0.0).best(depth)
        return [known[id_, crc] for id_, crc, _score in best if (id_, crc) in known]

    @property
    def placed(self) -> Path:
        """The table of where vectors belong."""
        return derive_vector_names(self.place, self.fake.name).placed

    @property
    def stored(self) -> Path:
        """The one file of rows."""
        (file,) = derive_vector_names(self.place, self.fake.name).all("rows")
        return file
