"""Whether a query holds a trigger, as people write: any case and width, Chinese anywhere, Latin between its own ends.

Plain `in` and looks at the neighbours: whatever a rules file holds, nothing here takes longer than its length.
"""

from __future__ import annotations

import unicodedata

from memtui.pattern import pattern
from memtui.search.variants import simple
from memtui.text import CJK_RUN

LONGEST = 2000
"""Characters of a query that are looked at."""
LONGEST_TRIGGER = 80
"""Characters of a trigger: what is longer is a sentence, and nobody asks it word by word."""

_JOINTS = str.maketrans("-_", "  ")
_NAME = pattern(r"[a-z0-9_]+")
_PLURAL = 4


def folded(text: str) -> str:
    """A text as triggers are compared: NFKC, no case, one script of Chinese, '-', '_' and blanks alike, no 的."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_JOINTS)
    if not text.isascii():
        text = simple(text).replace("的", "")
    return " ".join(text.split())


class Asked:
    """One query, ready to be compared with many triggers."""

    def __init__(self, query: str) -> None:
        query = query[:LONGEST]
        self.text = folded(query)
        self.names = frozenset(_NAME.findall(unicodedata.normalize("NFKC", query).casefold()))
        """Its identifiers, '_' and all: 'ord_items' names a table."""

    def holds(self, trigger: str) -> bool:
        """Whether a folded trigger stands in it: a Latin one between word ends, a plural's s aside."""
        if len(trigger) < 2:
            # One character stands in half of all questions: it must be the whole of this one.
            return bool(trigger) and trigger == self.text
        at = self.text.find(trigger)
        while at >= 0:
            if self._whole(at, at + len(trigger)):
                return True
            at = self.text.find(trigger, at + 1)
        return False

    def _whole(self, start: int, end: int) -> bool:
        text = self.text
        if start and _letter(text[start]) and _letter(text[start - 1]):
            return False
        if end == len(text) or not _letter(text[end - 1]) or not _letter(text[end]):
            return True
        after = text[end + 1 : end + 2]
        return text[end] == "s" and end - start >= _PLURAL and not (after and _letter(after))

    def prefixed(self, prefix: str) -> bool:
        """Whether one of its identifiers begins with a prefix and goes on behind a '_': a table of that family."""
        prefix = prefix.casefold().rstrip("_")
        return bool(prefix) and any(
            name == prefix or (name.startswith(prefix) and name[len(prefix)] == "_") for name in self.names
        )


def _letter(char: str) -> bool:
    """A letter or digit of a script that puts blanks between words."""
    return char.isalnum() and (char < "\u2e80" or CJK_RUN.match(char) is None)
