"""Many files as batches of finished rows, ids and all: plain tuples that go through a pipe as they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from memtui.index.chunks import Chunker, turns
from memtui.index.intake import take

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.disk.files import Reader
    from memtui.index.plan import Change

_COUNTED = itemgetter(6, 7, 8)

SIZE = 256 * 1024
"""Bytes of files after which a batch goes off: a pipe's worth, so that neither process waits for long."""

Batch = tuple[
    int,
    list[tuple[int, str]],
    list[tuple[Any, ...]],
    list[tuple[Any, ...]],
    list[tuple[int, bytes, bytes]],
    list[tuple[int, str, int, str]],
    list[tuple[int, int, int, int, int]],
    list[int],
    list[tuple[int, int, int, int]],
    list[tuple[int, str]],
    list[str],
]
"""Files done; new names; files (columns of `file`, and last whether it was known); entries (columns of `entry`);
words (id, text, headings, both in UTF-8); problems; times of files whose bytes are the same (mtime, size, ino, ctime,
id); ids of files that are gone; counts (layer, kind, status, n); new directories (id, path); directories to be listed
again."""


@dataclass(slots=True)
class Numbers:
    """The numbers given out so far; whoever makes batches is the only one who gives out more."""

    names: dict[str, int]
    directories: dict[str, int]
    file: int
    """The last one."""
    entry: int
    """The last one."""


class _Pile:
    """A batch being filled."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self.clear()

    def clear(self) -> None:
        """Begin the next batch with nothing in it."""
        self.size = self.done = 0
        self.names: list[tuple[int, str]] = []
        self.files: list[tuple[Any, ...]] = []
        self.entries: list[tuple[Any, ...]] = []
        self.words: list[tuple[int, bytes, bytes]] = []
        self.problems: list[tuple[int, str, int, str]] = []
        self.same: list[tuple[int, int, int, int, int]] = []
        self.gone: list[int] = []
        self.directories: list[tuple[int, str]] = []
        self.racy: list[str] = []

    def number(self, text: str) -> int:
        names = self._numbers.names
        found = names.get(text)
        if found is None:
            found = names[text] = len(names) + 1
            self.names.append((found, text))
        return found

    def directory(self, path: str) -> int:
        directories = self._numbers.directories
        found = directories.get(path)
        if found is None:
            found = directories[path] = max(directories.values(), default=0) + 1
            self.directories.append((found, path))
        return found

    def add(self, reader: Reader, change: Change, chunker: Chunker) -> None:
        """Take in one changed file: its rows and words, or a note that its directory must be looked at again."""
        numbers = self._numbers
        path = change.found.path
        folder = path.rpartition("/")[0]
        self.done += 1
        taken = take(reader, change.found, chunker, change.etag)
        if taken is None:
            self.racy.append(folder)
            if change.file:
                self.gone.append(change.file)
            return
        stamp = taken[:4]
        if taken.ctime != change.found.ctime_ns:
            self.racy.append(folder)
        if taken.chunks is None:
            self.same.append((*stamp, change.file))
            return
        file = change.file
        if not file:
            numbers.file += 1
            file = numbers.file
        title = taken.title or None
        self.files.append(
            (
                file,
                path,
                *stamp,
                taken.etag,
                title,
                len(taken.chunks),
                self.directory(folder),
                bool(change.file),
            )
        )
        order = turns(taken.chunks, range(len(taken.chunks)))
        first = numbers.entry + 1
        numbers.entry += len(order)
        self.entries += [(id_, file, *taken.chunks[place]) for id_, place in enumerate(order, first)]
        self.words += [(id_, *taken.texts[place]) for id_, place in enumerate(order, first)]
        self.problems += [(file, *problem) for problem in taken.problems]
        self.size += taken.size

    def batch(self) -> Batch:
        """What was added so far, in the form that crosses the pipe; the next batch begins empty."""
        tally = [(*key, number) for key, number in Counter(map(_COUNTED, self.entries)).items()]
        made = (
            self.done,
            self.names,
            self.files,
            self.entries,
            self.words,
            self.problems,
            self.same,
            self.gone,
            tally,
            self.directories,
            self.racy,
        )
        self.clear()
        return made


def batches(reader: Reader, changes: Iterable[Change], numbers: Numbers) -> Iterator[Batch]:
    """Read the files in their order. `numbers` goes on growing."""
    pile = _Pile(numbers)
    chunker = Chunker(pile.number)
    for change in changes:
        pile.add(reader, change, chunker)
        if pile.size > SIZE or pile.done >= 500:
            yield pile.batch()
    if pile.done:
        yield pile.batch()
