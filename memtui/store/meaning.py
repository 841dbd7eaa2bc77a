"""What of one home can be found by meaning: its vectors, open for queries, and how many memories have one.

The model's name takes a little to find out and numpy takes its time to import, so neither is done before
somebody searches by meaning, a command asks for the status, or the first vectors are made in the background.
"""

from __future__ import annotations

import os
import threading
import time
from functools import partial

from memtui.core.errors import UnavailableError
from memtui.core.startup import TYPE_CHECKING, NamedTuple
from memtui.index.queries import Index, list_entry_checksums

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.core.config import VectorConfig
    from memtui.core.model import Home
    from memtui.index.connections import Handles
    from memtui.index.filters import IndexMoment
    from memtui.search.vector_jobs import Filled
    from memtui.vectors.e5 import Embedder
    from memtui.vectors.reader import Vectors


class Coverage(NamedTuple):
    """How far the vectors of a home are."""

    vectors: int
    """Memories that are done: they have a vector, or hold nothing to make one of."""
    total: int
    model: str
    """For a person; empty: not known yet, or there is none."""
    why: str
    """Why there are no vectors, or no more of them; empty: nothing stands in their way."""
    making: bool
    """They are being made just now."""


LOOK = 2.0
"""Seconds after which it is looked again whether a directory's model is still the same."""


class Meaning:
    """One home's vectors. Any method from any thread."""

    def __init__(self, home: Home, where: str, handles: Handles, settings: VectorConfig) -> None:
        """`where` the index lives, as `fs.places.place` takes it."""
        self.home = home
        self.where = where
        self.settings = settings
        self.making: tuple[int, int] | None = None
        """While vectors are being made here: memories done and in all."""
        self.trouble = ""
        """Why the last making of vectors could not go on."""
        self.again = 0.0
        """The moment from which a search may try to make vectors again."""
        self.turns = 0
        """Grows with what there is to see of the making."""
        self._place = handles.place
        self._handles = handles
        self._known: tuple[str, str] | None = None
        self._looked = 0.0
        self._stamp: tuple[object, ...] = ()
        self._held: Vectors | None = None
        self._counted = -1
        """The index's generation for which the vectors held were counted."""
        self._lock = threading.Lock()

    @property
    def why(self) -> str:
        """Empty, or why no vectors can be made or used."""
        return self._identify_model()[1]

    def reason(self) -> str:
        """Why a search could not use vectors; empty: they only have to be made."""
        return self.why or self.trouble

    @property
    def model(self) -> str:
        """The name that vectors are kept by; empty: there is no model."""
        return self._identify_model()[0]

    @property
    def generation(self) -> int:
        """Of the index: vectors that were made for another are not all of them."""
        return self._handles.generation()

    @property
    def ready(self) -> bool:
        """Whether the index holds all of the home, at a place that another process finds."""
        return not self._place.warning and bool(self._handles.ask(lambda index: index.meta("complete")))

    def fill(
        self,
        progress: Callable[[Home, int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        embedder: Embedder | None = None,
        *,
        soon: bool = False,
    ) -> Filled:
        """Make what is missing, here and now. `soon`: somebody waits, so rather nothing than late."""
        from memtui.search.vector_jobs import fill

        found = fill(
            self.home,
            self._place,
            self.settings,
            progress=None if progress is None else partial(progress, self.home),
            cancelled=cancelled,
            embedder=embedder,
            soon=soon,
        )
        self.trouble = found.why
        if embedder is None:
            self._known = None  # a model's files may be others by now than when they were first looked at
            self._identify_model()
        return found

    def vectors(self) -> Vectors | None:
        """The vectors of the current index, as far as they are made; None: there are none."""
        index = self._handles.reader()
        if index is None or not self._has_vectors() or not self.model:
            return None
        from memtui import vectors

        try:
            status = os.stat(vectors.find_placed_file(self._place, self.model))
            stamp = index.path, status.st_ino, status.st_mtime_ns, status.st_size
        except OSError:
            return None
        with self._lock:
            if stamp != self._stamp:
                # Whoever still asks the ones before holds them himself.
                self._held = vectors.open_vectors(self._place, index.path, self.model)
                self._stamp, self._counted = stamp, self._held.generation if self._held else -1
            self._count(self._held)
            return self._held

    def _count(self, held: Vectors | None) -> None:
        """Vectors of memories that were edited since, or are gone, count no more."""
        generation = self._handles.ask(Index.generation)
        if held is None or generation is None or generation == self._counted:
            return
        found = self._handles.ask(list_entry_checksums)
        if found is not None:
            held.recount(found)
            self._counted = generation

    def near(self, rows: Sequence[int], groups: Sequence[int], least: float) -> list[tuple[int, int, float]]:
        """Which of these rows of the index mean nearly the same, as `Vectors.near` tells it; without vectors, none."""
        vectors = self.vectors()
        crcs = None if vectors is None else self._handles.ask(list_entry_checksums)
        if vectors is None or crcs is None:
            return []
        known = dict(crcs)
        return vectors.near([(row, known.get(row, -1)) for row in rows], groups, least)

    def coverage(self, moment: IndexMoment | None, *, ask: bool) -> Coverage:
        """How far the vectors of an index are. `ask`: also where the model's name is not known yet."""
        making = self.making
        index_path, memories = (moment.path, moment.memories) if moment else ("", 0)
        if self._known is None and not ask:
            return Coverage(0, memories, "", "", making is not None)
        if not self.model:
            return Coverage(0, memories, "", self.why, False)
        from memtui.vectors.vector_files import read_coverage

        done, title, then = read_coverage(self._place, os.path.basename(index_path), self.model)
        # A screen is told how many were made; to count which of them still hold, all of them would have to be read.
        if ask and done and then != self._handles.ask(Index.generation):
            held = self.vectors()
            done = held.count if held else 0
        done = done if making is None else max(done, making[0])
        why = self.trouble if done < memories else ""
        return Coverage(min(done, memories), memories, title or self.model, why, making is not None)

    def close(self) -> None:
        """Let go of the vectors."""
        with self._lock:
            held, self._held, self._stamp = self._held, None, ()
        if held is not None:
            held.close()

    def _has_vectors(self) -> bool:
        """Whether there are vectors of any model: a look that needs no import."""
        try:
            return any(name.endswith(".placed") for name in os.listdir(self._place.directory))
        except OSError:
            return False

    def _identify_model(self) -> tuple[str, str]:
        known, now = self._known, time.monotonic()
        # A directory's files may be another model's by now, under whose name the queries' vectors are.
        if known is None or (self.settings.backend == "onnx" and now > self._looked + LOOK):
            from memtui.vectors import models

            try:
                why = models.why_not(self.settings)
                known = "" if why else models.identify_model(self.settings), why
            except UnavailableError as error:
                known = "", str(error)
            self._known, self._looked = known, now
        return known


LOOK = 2.0
"""Seconds after which it is looked again whether a directory's model is still the same."""
