"""The work of filling: windows of memories, batches of texts, and what is put in place when."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from memtui.errors import UnavailableError
from memtui.index.index import Index
from memtui.locale import _
from memtui.search.material import material
from memtui.search.passage import VERSION
from memtui.search.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.disk.places import Place
    from memtui.embedding import Embedder
    from memtui.model import Home
    from memtui.vectors.entries import Entries
    from memtui.vectors.store import Store

WINDOW = 256
"""Memories whose texts are held at once: sorted by length, so that those of one batch are about as long."""

OFTEN = 2.0
"""Seconds between puttings in place, or twenty times what the last one took."""

GARBAGE = 1 / 3
"""The share of rows that no memory has any more above which they are left behind, if they are many."""
MANY = 1000

FAILURES = 2
"""Batches in a row that a model may fail at: a single text that it cannot take must not end all."""


class Making:
    """One pass, or as many as the index grows under it. For whoever holds the lock."""

    def __init__(
        self,
        home: Home,
        place: Place,
        model: str,
        embedder: Embedder | None,
        load: Callable[[], Embedder],
        over: Callable[[], bool],
        progress: Callable[[int, int], None] | None,
        *,
        soon: bool = False,
    ) -> None:
        """`over`: whether to stop; `soon`: somebody waits, so a model that does not answer at once is let be."""
        self._home, self._place, self._model = home, place, model
        self._embedder = embedder
        self._load = load
        self._over = over
        self._progress = progress
        self._soon = soon
        self._failed = 0
        self._trouble = ""
        self._due = 0.0
        self._begun = False
        """Another length of vectors was begun in this pass: what had vectors before needs new ones."""
        self._lengths = 0
        self.done = self.total = self.made = 0
        self.why = ""

    def run(self) -> None:
        """Until nothing is missing, or it cannot go on. Raises MemtuiError."""
        from memtui.vectors.entries import Entries
        from memtui.vectors.files import tidy
        from memtui.vectors.store import Store

        with Store(self._place, self._model) as store, Texts(self._home) as texts:
            while True:
                with Index.open(self._place) as index:
                    entries = Entries(index, VERSION)
                    current = entries.adopt(store)
                    self.total, before = len(entries), entries.done
                    self._begun = False
                    self._go_on(index, entries, store, texts)
                    # An index that is only begun says nothing of what is not needed any more.
                    whole = not self._begun and self.done == self.total and bool(index.meta("complete"))
                    if whole and self._compact(entries, store):
                        current = False
                    if self.done != before or not current:
                        entries.place(store)
                    if whole:
                        tidy(self._place, self._model)
                    if self.why or self._over():
                        return
                    if not self._begun and not self._moved(index, entries):
                        if self.done < self.total:
                            self.why = self._trouble or _(
                                "some files changed while they were read; they come next time"
                            )
                        return

    def _go_on(self, index: Index, entries: Entries, store: Store, texts: Texts) -> None:
        """Make what is missing of these entries, until the index is not what it was."""
        missing = entries.missing()
        self.done = entries.done
        self._tell()
        self._due = time.monotonic() + OFTEN
        for start in range(0, len(missing), WINDOW):
            if self.why or self._over():
                return
            self._window(index, entries, store, texts, missing[start : start + WINDOW])
            if self._begun or self._moved(index, entries):
                return

    def _moved(self, index: Index, entries: Entries) -> bool:
        return index.replaced() or index.generation() != entries.generation

    def _window(self, index: Index, entries: Entries, store: Store, texts: Texts, ids: list[int]) -> None:
        keys: dict[bytes, list[tuple[int, int]]] = {}
        written: dict[bytes, str] = {}
        nothing: list[tuple[int, int]] = []
        for one in material(index, entries, texts, ids):
            if one.text:
                keys.setdefault(one.key, []).append((one.id, one.traits))
                written[one.key] = one.text
            else:
                nothing.append((one.id, one.traits))
        self._settle(entries, nothing, -1)
        found = dict(zip(keys, store.find(list(keys)), strict=True))
        for key, row in found.items():
            if row >= 0:
                self._settle(entries, keys[key], row)
                del written[key]
        self._tell()
        waiting = sorted(written.items(), key=lambda item: len(item[1]))
        try:
            size = self._ready().batch if waiting else 1
        except UnavailableError as error:
            self.why = str(error)
            return
        for start in range(0, len(waiting), size):
            if self.why or self._over():
                return
            self._batch(entries, store, waiting[start : start + size], keys)
            if self._begun:
                return
            if self._placed(entries, store) and self._moved(index, entries):
                return
        self._placed(entries, store)

    def _batch(
        self,
        entries: Entries,
        store: Store,
        batch: Sequence[tuple[bytes, str]],
        keys: dict[bytes, list[tuple[int, int]]],
    ) -> None:
        model = self._ready()
        entries.title = model.title
        before = store.file
        try:
            given = [text[: model.longest] for _key, text in batch]
            vectors = model.passages(given, soon=True) if self._soon else model.passages(given)
            rows = store.add([key for key, _text in batch], vectors)
        except UnavailableError as error:
            self._trouble = str(error)
            self._failed += 1
            if self._failed == FAILURES:
                self.why = self._trouble
            return
        self._failed = 0
        self.made += len(rows)
        if store.file != before and entries.forget():
            self._anew(entries)
        for (key, _text), row in zip(batch, rows, strict=True):
            self._settle(entries, keys[key], row)
        self._tell()

    def _anew(self, entries: Entries) -> None:
        """The model's vectors have another length than those of before: all are made anew, once."""
        self._begun, self.done = True, entries.done
        self._lengths += 1
        if self._lengths > 1:
            self.why = _("the model makes vectors of different lengths")

    def _settle(self, entries: Entries, held: Sequence[tuple[int, int]], row: int) -> None:
        if held:
            entries.settle(
                [id_ for id_, _traits in held], [row] * len(held), [traits for _id, traits in held]
            )
            self.done += len(held)

    def _placed(self, entries: Entries, store: Store) -> bool:
        """Put in place what there is, if it is time."""
        began = time.monotonic()
        if began < self._due or store.file is None:
            return False
        entries.place(store)
        took = time.monotonic() - began
        self._due = began + took + max(OFTEN, 20 * took)
        return True

    def _compact(self, entries: Entries, store: Store) -> bool:
        used = entries.used()
        garbage = store.count - len(used)
        # All of a home gone looks like a disk that is not there: it may come back.
        if not len(used) or garbage < MANY or garbage <= GARBAGE * store.count:
            return False
        store.compact(used)
        entries.move(used)
        return True

    def _ready(self) -> Embedder:
        if self._embedder is None:
            model = self._load()
            if model.name != self._model:
                # Vectors are kept by the name that it had when this began.
                raise UnavailableError(_("the model was changed meanwhile; the rest follows later"))
            self._embedder = model
        return self._embedder

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self.done, self.total)
