"""Where a word stands in a text, so that a text full of nothing else costs no more than others do."""

from __future__ import annotations

FREE = 300
"""So many tries that find nothing are made wherever they fall."""
EVERY = 56
"""And one more for so many characters read: prose may name a word in every line and be read whole."""
APART = 256
"""Beyond that, one in so many characters."""


class Spots:
    """The places of one word, one after another."""

    def __init__(self, text: str, word: str, every: int = EVERY) -> None:
        self._text, self._word, self._every = text, word, every
        self._misses = 0
        self.at = text.find(word)
        """Where it stands now; negative: nowhere any more."""

    def on(self, end: int = 0) -> int:
        """The next place; where something was found that ends at `end`, the one behind that."""
        least = self.at + len(self._word)
        if end <= least:
            self._misses += 1
        if self._misses > FREE + self.at // self._every:
            least = max(least, self.at + APART)
        self.at = self._text.find(self._word, max(least, end))
        return self.at
