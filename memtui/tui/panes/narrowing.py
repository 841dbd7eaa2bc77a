"""Narrowing a list by words: the titles of what is in it, read once, then searched with every key."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from memtui.tui.paint import headline

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from memtui.search.titles import Titles
    from memtui.tui.context import Context

SLICE = 256
MOST = 100_000
"""Titles that are looked at; Search looks at everything."""


class Narrowing:
    """The titles of one list. Used on readers' threads, one at a time."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._key: Hashable = None
        self._titles: Titles | None = None

    def find(
        self, refs: Sequence[Any], what: Hashable, words: str, cancelled: Callable[[], bool]
    ) -> list[Any]:
        """The references whose titles fit the words, best first. `what` names the list, so that it is read once."""
        key = (what, self._context.stamp, len(refs))
        with self._lock:
            if key != self._key:
                titles = self._read(refs, cancelled)
                if titles is None:
                    return []
                self._key, self._titles = key, titles
            assert self._titles is not None
            return [refs[place] for place in self._titles.find(words, limit=2000)]

    def _read(self, refs: Sequence[Any], cancelled: Callable[[], bool]) -> Titles | None:
        from memtui.search.titles import Titles

        texts: list[str] = []
        for start in range(0, min(len(refs), MOST), SLICE):
            if cancelled():
                return None
            for memory in self._context.vault.load(refs[start : start + SLICE]):
                if memory is None:
                    texts.append("")
                else:
                    texts.append(f"{headline(memory)} {' '.join(memory.tags)} {memory.key} {memory.path}")
        return Titles(texts)
