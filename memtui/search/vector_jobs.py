"""Making the vectors that are missing: `python -m memtui.search.vector_jobs HOME LAYOUT WHERE`.

- `build_vector_text`: what a model is given of a memory, below its headings. Bullets, times, kinds and comments
  are left out: in a journal they are half of each line, and all vectors would look alike.
- `collect_vector_material`: the memories of an index, read from their files with secrets masked.
- `Making`, `fill`: the index says which entries there are, the store which texts have a vector; the model makes
  the rest, the newest first. Finished ones are put in place every few seconds, so that half of the vectors
  already serve, and a process that dies loses a batch.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.config import VectorConfig, load
from memtui.core.errors import LockedError, MemtuiError, UnavailableError
from memtui.core.locale import _
from memtui.core.model import Home, Status
from memtui.core.startup import compile_pattern
from memtui.core.text import CJK_RUN
from memtui.formats.dates import find_day
from memtui.formats.marks import parse_marked_entry
from memtui.fs.locks import hold_lock, step_back
from memtui.index.queries import Index
from memtui.index.schema import LAYERS, SEPARATOR, translate_decode_errors
from memtui.layouts import place_index
from memtui.search.candidate import SearchCandidate
from memtui.search.fts import turn
from memtui.search.texts import MemoryTexts
from memtui.vectors import models
from memtui.vectors.entries import Entries
from memtui.vectors.vector_files import PROSE, WIDE, tidy
from memtui.vectors.vector_store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.fs.places import Place as IndexPlace
    from memtui.search.texts import Place
    from memtui.vectors.e5 import Embedder

VERSION = "3"
"""Changes whenever `build_vector_text` would answer differently: vectors are kept by what it answers."""

LONGEST = 4000
"""Characters that are looked at."""

_BULLET = compile_pattern(r"\s*(?:>\s*)*(?:[-*+•]|\d{1,3}[.)、])\s+|\s*(?:>\s*)+|\s*#{1,6}\s+")
_HOUR = compile_pattern(r"(?:\[|\*\*)?\d{1,2}:\d{2}(?::\d{2})?(?:\]|\*\*)?[\s:：-]+")


def build_vector_text(heading: str, text: str, moment: float | None, path: str) -> str:
    """The text whose vector stands for a memory. `heading`: the headings above, joined by U+001F."""
    parts = [part.strip() for part in heading.split("\x1f")]
    # A date says when, not what: it would draw all lines of a day together.
    above = " > ".join(part for part in parts if part and not _is_dated(part))
    said = "\n".join(filter(None, map(_strip_line, text[:LONGEST].split("\n"))))
    return f"{above}\n{said}" if above and said else said or above


def _is_dated(part: str) -> bool:
    return len(part) <= 16 and bool(find_day(part))


def _strip_line(line: str) -> str:
    bullet = _BULLET.match(line)
    bare = line[bullet.end() :] if bullet else line.strip()
    entry = parse_marked_entry(bare, 1, 1, "", ())
    told = entry.text.strip()
    hour = _HOUR.match(told)
    told = told[hour.end() :] if hour and hour.end() < len(told) else told
    tags = " ".join(tag for tag in entry.tags if tag not in told)
    return f"{told} ({tags})" if tags and told else told


_WORD = compile_pattern("[A-Za-z]+")
_SAYING = compile_pattern(r"[^\W_]")
_SQL = (
    "SELECT entry.id, file.path, entry.line, entry.last, entry.start, entry.size, entry.layer, entry.kind, entry.ts,"
    " entry.heading, entry.crc, file.mtime, file.size, CASE WHEN file.bare THEN file.etag END"
    " FROM entry JOIN file ON file.id = entry.file WHERE entry.id IN ({}) ORDER BY entry.id DESC"
)


class Material(NamedTuple):
    """One memory as a model is given it."""

    id: int
    traits: int
    """PROSE, WIDE, both or neither (`memtui.vectors`)."""
    key: bytes
    text: str
    """Empty: it holds no letter and no digit, so there is nothing to make a vector of."""


def collect_vector_material(index: Index, entries: Entries, texts: MemoryTexts, ids: Sequence[int]) -> list[Material]:
    """The memories of these ids, secrets masked; without those that changed since, in the index or on the disk.

    Raises StaleIndexError.
    """
    places: list[Place] = []
    with translate_decode_errors():
        rows: list[Any] = index.db.execute(_SQL.format(",".join("?" * len(ids))), list(ids)).fetchall()
        for id_, path, line, last, start, size, layer, kind, ts, heading, crc, mtime, length, bare in rows:
            if not entries.same(id_, crc, heading, ts, kind):
                continue
            above = "" if heading is None else SEPARATOR.join(index.heading(heading))
            candidate = SearchCandidate(
                texts.home,
                path,
                line,
                last,
                LAYERS[layer],
                index.name(kind),
                Status.ACTIVE,
                ts,
                above,
                False,
                id_,
            )
            places.append((candidate, start, size, (mtime, length), bare))
        changed = set(texts.fill(places, partial(turn, index)))
    return [_build_material(candidate) for candidate, *_rest in places if candidate.path not in changed]


def hash_text(text: str) -> bytes:
    """What a text's vector is kept by."""
    data = f"{VERSION}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=16).digest()


def is_mostly_cjk(text: str) -> bool:
    """Whether more of a text is Chinese, Japanese or Korean characters than words of letters."""
    if text.isascii():
        return False
    characters = sum(map(len, CJK_RUN.findall(text)))
    return characters > len(_WORD.findall(text))


def render_material(heading: str, raw: str, moment: float | None, path: str) -> str:
    """`build_vector_text`, or nothing where a memory holds no letter and no digit."""
    return build_vector_text(heading, raw, moment, path) if _SAYING.search(raw) else ""


def _build_material(candidate: SearchCandidate) -> Material:
    text = render_material(candidate.heading, candidate.raw, candidate.time, candidate.path)
    if not text:
        return Material(candidate.order, 0, b"", "")
    traits = (PROSE if candidate.prose else 0) | (WIDE if is_mostly_cjk(text) else 0)
    return Material(candidate.order, traits, hash_text(text), text)


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
        place: IndexPlace,
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
        with Store(self._place, self._model) as store, MemoryTexts(self._home) as texts:
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
                    if not self._begun and not self._is_index_changed(index, entries):
                        if self.done < self.total:
                            self.why = self._trouble or _(
                                "some files changed while they were read; they come next time"
                            )
                        return

    def _go_on(self, index: Index, entries: Entries, store: Store, texts: MemoryTexts) -> None:
        """Make what is missing of these entries, until the index is not what it was."""
        missing = entries.missing()
        self.done = entries.done
        self._tell()
        self._due = time.monotonic() + OFTEN
        for start in range(0, len(missing), WINDOW):
            if self.why or self._over():
                return
            self._embed_window(index, entries, store, texts, missing[start : start + WINDOW])
            if self._begun or self._is_index_changed(index, entries):
                return

    def _is_index_changed(self, index: Index, entries: Entries) -> bool:
        return index.replaced() or index.generation() != entries.generation

    def _embed_window(self, index: Index, entries: Entries, store: Store, texts: MemoryTexts, ids: list[int]) -> None:
        keys: dict[bytes, list[tuple[int, int]]] = {}
        written: dict[bytes, str] = {}
        nothing: list[tuple[int, int]] = []
        for one in collect_vector_material(index, entries, texts, ids):
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
            size = self._load_embedder().batch if waiting else 1
        except UnavailableError as error:
            self.why = str(error)
            return
        for start in range(0, len(waiting), size):
            if self.why or self._over():
                return
            self._batch(entries, store, waiting[start : start + size], keys)
            if self._begun:
                return
            if self._put_in_place(entries, store) and self._is_index_changed(index, entries):
                return
        self._put_in_place(entries, store)

    def _batch(
        self,
        entries: Entries,
        store: Store,
        batch: Sequence[tuple[bytes, str]],
        keys: dict[bytes, list[tuple[int, int]]],
    ) -> None:
        model = self._load_embedder()
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
            self._restart(entries)
        for (key, _text), row in zip(batch, rows, strict=True):
            self._settle(entries, keys[key], row)
        self._tell()

    def _restart(self, entries: Entries) -> None:
        """The model's vectors have another length than those of before: all are made anew, once."""
        self._begun, self.done = True, entries.done
        self._lengths += 1
        if self._lengths > 1:
            self.why = _("the model makes vectors of different lengths")

    def _settle(self, entries: Entries, held: Sequence[tuple[int, int]], row: int) -> None:
        if held:
            entries.settle([id_ for id_, _traits in held], [row] * len(held), [traits for _id, traits in held])
            self.done += len(held)

    def _put_in_place(self, entries: Entries, store: Store) -> bool:
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

    def _load_embedder(self) -> Embedder:
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


LEAVE = 5.0
"""Seconds until a process whose parent is gone ends, whatever it is doing."""


class Filled(NamedTuple):
    """What became of it."""

    done: int
    """Memories that have a vector, or hold nothing to make one of."""
    total: int
    made: int = 0
    """Vectors that the model made."""
    seconds: float = 0.0
    why: str = ""
    """Why it could not go on; empty: it is done, or was stopped."""


def fill(
    home: Home,
    place: IndexPlace,
    settings: VectorConfig,
    *,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    budget: float | None = None,
    embedder: Embedder | None = None,
    soon: bool = False,
) -> Filled:
    """Make the vectors that the current index of a home lacks; those of another model stay where they are.

    `progress` gets memories done and in all; `budget`: seconds after which to stop; `soon`: a person waits. Never
    raises for what can go wrong outside: `Filled.why` says it, and what was made is kept.
    """
    why = "" if embedder is not None else models.why_not(settings)
    if why:
        return Filled(0, 0, why=why)
    until = None if budget is None else time.monotonic() + budget

    def over() -> bool:
        return (until is not None and time.monotonic() > until) or (cancelled is not None and cancelled())

    try:
        name = models.identify_model(settings) if embedder is None else embedder.name
    except MemtuiError as error:  # its files went away since they were looked for
        return Filled(0, 0, why=str(error))
    filling = Making(home, place, name, embedder, partial(models.load, settings), over, progress, soon=soon)
    began = time.monotonic()
    try:
        with hold_lock(place.lock.with_name(f"{place.lock.stem}.vectors.lock"), 0.0):
            filling.run()
    except LockedError:
        filling.why = _("another memtui is making the vectors of this home")
    except MemtuiError as error:
        filling.why = str(error)
    return Filled(filling.done, filling.total, filling.made, time.monotonic() - began, filling.why)


def main(arguments: list[str]) -> int:
    """`HOME LAYOUT WHERE`: fill; progress as lines of JSON on stdout, the last one what was done, and `why`.

    `--attached`: the first line of stdin says what is wished, the vector settings and a budget, else the config's
    hold; the end of stdin is the wish to stop.
    """
    attached = "--attached" in arguments
    home, layout, kept = [*(word for word in arguments if word != "--attached"), "auto"][:3]
    gone = threading.Event()
    budget = None
    if attached:
        wish = json.loads(sys.stdin.readline())
        settings, budget = VectorConfig(**wish["settings"]), wish["budget"]
        threading.Thread(target=_listen, args=(gone,), daemon=True).start()
    else:
        settings = load()[0].vector
    step_back()
    last = 0.0

    def say(**values: Any) -> None:
        sys.stdout.write(json.dumps(values) + "\n")
        sys.stdout.flush()

    def progress(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > 0.2:
            last = time.monotonic()
            say(done=done, total=total)

    where = Path(home)
    try:
        place = place_index(where, layout, kept)
        about = Home(where, layout, "", where.name)
        filled = fill(about, place, settings, progress=progress, cancelled=gone.is_set, budget=budget)
    except BrokenPipeError:
        # Nobody listens any more; what was done is in place but for the last seconds.
        os._exit(1)
    say(**filled._asdict())
    return 0


def _listen(gone: threading.Event) -> None:
    sys.stdin.read()
    gone.set()
    time.sleep(LEAVE)
    # A model that does not come back, at an endpoint that is silent: what was placed is in place.
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
