"""Narrowing a list by words: the texts of what is in it, read once, then looked through with every key."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.text import normal
from memtui.tui.paint import headline

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from memtui.model import Memory
    from memtui.search.titles import Titles
    from memtui.tui.context import Context

SLICE = 256
MOST = 100_000
"""Memories that are looked at; Search looks at everything."""

LONGEST = 4000
"""Characters of a memory that are looked through."""

NEAREST = 50
"""Titles shown where nothing holds the words."""


class Narrowed(NamedTuple):
    """What is left of a list."""

    refs: list[Any]
    nearest: bool = False
    """Nothing holds the words: these only have their letters, best first."""


class Narrowing:
    """The texts of one list. Used on readers' threads, one at a time."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._key: Hashable = None
        self._texts: list[str] = []
        self._headlines: list[str] = []
        self._titles: Titles | None = None

    def find(
        self, refs: Sequence[Any], what: Hashable, words: str, cancelled: Callable[[], bool]
    ) -> Narrowed:
        """The references whose texts hold every word, in their order. `what` names the list: it is read once."""
        key = (what, self._context.stamp, len(refs))
        with self._lock:
            if key != self._key:
                if not self._read(refs, cancelled):
                    return Narrowed([])
                self._key, self._titles = key, None
            wanted = normal(words).lower().split()
            found = [refs[n] for n, text in enumerate(self._texts) if all(word in text for word in wanted)]
            if found or not wanted:
                return Narrowed(found)
            if self._titles is None:
                from memtui.search.titles import Titles

                self._titles = Titles(self._headlines)
            return Narrowed([refs[place] for place in self._titles.find(words, NEAREST)], nearest=True)

    def _read(self, refs: Sequence[Any], cancelled: Callable[[], bool]) -> bool:
        self._key, self._texts, self._headlines = None, [], []
        for start in range(0, min(len(refs), MOST), SLICE):
            if cancelled():
                return False
            for memory in self._context.vault.load(refs[start : start + SLICE]):
                self._headlines.append(headline(memory) if memory else "")
                self._texts.append(_text(memory) if memory else "")
        return True


def _text(memory: Memory) -> str:
    parts = (
        memory.title, memory.text[:LONGEST], *memory.heading, *memory.tags, *memory.entities, memory.kind, memory.key,
        memory.path,
    )  # fmt: skip
    return normal("\n".join(filter(None, parts))).lower()
