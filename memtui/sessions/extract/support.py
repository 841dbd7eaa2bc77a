"""Whether what a model says was learned was said at all: the guard against what it makes up.

An item stands where three turns in a row hold enough of its words (Chinese by pairs of characters), and where each of
its numbers and each piece of code in it occurs somewhere in the session. What tools printed supports numbers and code
only: a file that says "always do this" is not the person who says it. An item in another language than the session
shares no words with it, and falls. It cannot tell a lie that is told in the session's own words: that is for Review.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from memtui.core.text import segment

if TYPE_CHECKING:
    from collections.abc import Iterable

ENOUGH = 0.4
"""Share of an item's words that three turns must hold."""
ENOUGH_WIDE = 0.3
"""Of pairs of Chinese characters, of which another wording changes more."""

_STEM = 5
_LONGEST = 20_000
_TOKEN = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)+|\d{2,}")
_CODE = re.compile(r"`([^`\n]{2,80})`")
_STOP = """
the and for not with are was were has have had that this these those from into onto than then there their when where
which while will would should must can could may might shall does did done use uses used using always never instead
because before after also only any all each every its you your our out but one who how what why make makes need
needs just very more most other some such them they don doesn isn rather than is it to of in on at by we do go no so
or if an as be he up us my me am ok vs 使用 需要 必须 应该 可以 不要 一个 进行 这个 我们
"""


class Support:
    """What was said, turn by turn, to be asked whether it bears an item out."""

    def __init__(self, turns: Iterable[tuple[int, str]], seen: Iterable[str] = ()) -> None:
        """`turns`: line and words, in order; `seen`: what else stood in the session."""
        said = [(line, text[:_LONGEST]) for line, text in turns]
        self._words = [(line, _words(text)) for line, text in said]
        self._all = _flat("\n".join([*(text for _line, text in said), *seen]))

    def line(self, item: str) -> int | None:
        """The line that comes nearest to the item; None: nothing bears it out."""
        words = _words(item)
        if not words or not self._exact(item):
            return None
        wide = sum(word >= "\u2e80" for word in words)
        enough = ENOUGH_WIDE if wide * 2 > len(words) else ENOUGH
        best, where = 0, 0
        for number, (line, own) in enumerate(self._words):
            around = own.union(*(near for _line, near in self._words[number + 1 : number + 3]))
            shared = len(words & around)
            if shared >= max(enough * len(words), min(2, len(words))):
                score = shared + len(words & own)
                if score > best:
                    best, where = score, line
        return where if best else None

    def holds(self, name: str) -> bool:
        """Whether a name occurs."""
        return bool(name) and _flat(name) in self._all

    def _exact(self, item: str) -> bool:
        """Whether its numbers and its code are the session's."""
        numbers = (
            re.search(rf"(?<!\d){re.escape(number)}(?!\d)", self._all) for number in _NUMBER.findall(item)
        )
        return all(numbers) and all(map(self.holds, _CODE.findall(item)))


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


def _words(text: str) -> frozenset[str]:
    """The words that tell something, by their beginnings."""
    found = _TOKEN.findall(segment(text).casefold())
    return frozenset(word[:_STEM] for word in found if _tells(word))


@cache
def _stop() -> frozenset[str]:
    return frozenset(_STOP.split())


def _tells(word: str) -> bool:
    if word in _stop():
        return False
    return len(word) > 1 or word.isdigit()
