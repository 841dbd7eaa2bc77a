"""Many files as batches of finished rows, ids and all: plain tuples that go through a pipe as they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from memtui.index.chunks import Chunker, turns
from memtui.index.intake import take

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.disk.files import Reader
    from memtui.index.intake import Taken
    from memtui.index.plan import Change

COUNTED = itemgetter(6, 7, 8, 16)
"""Where in a row of `entry` stands what `tally` counts by: layer, kind, status, level."""

SIZE = 64 * 1024
"""Bytes of files after which a batch goes off: a pipe's worth, so that neither process waits for long."""

BLOCK = 256 * 1024, 4 << 20
"""Bytes of files that get their numbers together: of the first block, and at most; each is half as much again as the
one before. The newest block comes first, and what stands in it begins to be found before the rest is read."""

_SHARE = 8
"""Of what is left, the part that one block has at most: the last one read is the last one written, by one process alone
while the other has nothing to do."""

_FILES = 2000
"""Files of one block at most."""

Batch = tuple[
    int,
    list[tuple[int, str]],
    list[tuple[Any, ...]],
    list[tuple[Any, ...]],
    list[tuple[int, bytes | None, bytes]],
    list[tuple[int, str]],
    list[tuple[int, str, int, str]],
    list[tuple[int, int, int, int, int, bytes]],
    list[int],
    list[tuple[int, int, int, int, int]],
    list[str],
    bool,
]
"""Files done (less than none: there are not numbers enough); new names; files (columns of `file`, and last the etag
under which it was known, None: it was not); entries (columns of `entry`); words (id, text, headings, both in UTF-8);
texts of files (how many entries they have, and what their words are taken from where they are not given); problems;
times of files whose bytes are the same (mtime, size, ino, ctime, id, etag); ids of files that are gone; counts (layer,
kind, status, level, n); directories to be listed again; whether a block ends here: what follows has lower numbers."""


@dataclass(slots=True)
class Numbers:
    """The numbers that are free; whoever makes batches is the only one who gives out more."""

    names: dict[str, int]
    directories: dict[str, int]
    """All that will be needed."""
    name: int
    """The last one that was given out."""
    file: int
    """The last one that was given out."""
    entry: int
    """The highest one that is free: blocks count down, as the newest comes first, and within a block upwards."""
    floor: int
    """The lowest one that is not."""


class _Pile:
    """A batch being filled."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self.first = 0
        """The number of the entry that comes next."""
        self.clear()

    def clear(self) -> None:
        """Begin the next batch with nothing in it."""
        self.size = self.done = 0
        self.names: list[tuple[int, str]] = []
        self.files: list[tuple[Any, ...]] = []
        self.entries: list[tuple[Any, ...]] = []
        self.words: list[tuple[int, bytes | None, bytes]] = []
        self.texts: list[tuple[int, str]] = []
        self.problems: list[tuple[int, str, int, str]] = []
        self.same: list[tuple[int, int, int, int, int, bytes]] = []
        self.gone: list[int] = []
        self.racy: list[str] = []

    def number(self, text: str) -> int:
        names = self._numbers.names
        found = names.get(text)
        if found is None:
            self._numbers.name += 1
            found = names[text] = self._numbers.name
            self.names.append((found, text))
        return found

    def add(self, change: Change, taken: Taken | None) -> None:
        """Take in one changed file: its rows and words, or a note that its directory must be looked at again."""
        numbers = self._numbers
        path = change.found.path
        folder = path.rpartition("/")[0]
        self.done += 1
        if taken is None:
            self.racy.append(folder)
            if change.file:
                self.gone.append(change.file)
            return
        stamp = taken[:4]
        if taken.ctime != change.found.ctime_ns:
            self.racy.append(folder)
        if taken.chunks is None:
            self.same.append((*stamp, change.file, taken.etag))
            return
        file = change.file
        if not file:
            numbers.file += 1
            file = numbers.file
        held = (change.etag or b"") if change.file else None
        title = taken.title or None
        self.files.append(
            (file, path, *stamp, taken.etag, title, len(taken.chunks), numbers.directories[folder], held)
        )
        order = turns(taken.chunks, range(len(taken.chunks)))
        first = self.first
        self.first += len(order)
        self.entries += [(id_, file, *taken.chunks[place]) for id_, place in enumerate(order, first)]
        self.words += [(id_, *taken.words[place]) for id_, place in enumerate(order, first)]
        wanted = any(own is None for own, _ in taken.words)
        self.texts.append((len(order), taken.text if wanted else ""))
        self.problems += [(file, *problem) for problem in taken.problems]
        self.size += taken.size

    def batch(self, last: bool) -> Batch:
        """What was added so far, in the form that crosses the pipe; the next batch begins empty."""
        tally = [(*key, number) for key, number in Counter(map(COUNTED, self.entries)).items()]
        made = (
            self.done,
            self.names,
            self.files,
            self.entries,
            self.words,
            self.texts,
            self.problems,
            self.same,
            self.gone,
            tally,
            self.racy,
            last,
        )
        self.clear()
        return made


def batches(reader: Reader, changes: Sequence[Change], numbers: Numbers) -> Iterator[Batch]:
    """Read the files, the last ones first, so that numbers grow in their order. `numbers` goes on changing."""
    pile = _Pile(numbers)
    chunker = Chunker(pile.number)
    for block in _blocks(changes):
        taken = [
            take(reader, change.found, chunker, None if change.again else change.etag) for change in block
        ]
        numbers.entry -= sum(len(one.chunks or ()) for one in taken if one)
        pile.first = numbers.entry + 1
        if numbers.entry < numbers.floor:
            pile.done = -1
            yield pile.batch(True)
            return
        for change, one in zip(block[:-1], taken, strict=False):
            pile.add(change, one)
            if pile.size > SIZE or pile.done >= 500:
                yield pile.batch(False)
        pile.add(block[-1], taken[-1])
        yield pile.batch(True)


def _blocks(changes: Sequence[Change]) -> Iterator[Sequence[Change]]:
    """The changes from the last to the first, in runs that keep their order."""
    sizes = [min(one.found.size, one.found.role.limit or one.found.size) for one in changes]
    left = sum(sizes)
    least, most = BLOCK
    size, end = least, len(changes)
    while end:
        enough = max(least, min(size, most, left // _SHARE))
        start, held = end, 0
        while start and held < enough and end - start < _FILES:
            start -= 1
            held += sizes[start]
        yield changes[start:end]
        end, left, size = start, left - held, size + size // 2
