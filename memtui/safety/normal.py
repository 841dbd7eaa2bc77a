"""Text as a person would read it aloud, with the way back: full-width forms folded, what draws nothing dropped.

Secrets and orders are looked for in the plain text; where they stand is told in the text as it came.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import cache

from memtui.pattern import pattern
from memtui.record import NamedTuple

UNSEEN = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff"
)
"""What draws nothing: zero width, directions, tags, selectors. The inside of a regular expression class."""

_FOLDED = (
    "\xa0\xaa\xb2\xb3\xb9\xba\u2000-\u200a\u2010\u2011\u202f\u205f\u2070-\u209c\u2100-\u214f\u2460-\u24ff"
    "\u3000\ufb00-\ufb06\ufe50-\ufe6b\uff01-\uff5e\U0001d400-\U0001d7ff\U0001f100-\U0001f189"
)
"""What has a plain form: full-width, mathematical, circled and raised letters, and spaces of every width."""

_COMMON = (("，", " "), ("：", ":"), ("（", "("), ("）", ")"), ("；", " "), ("！", " "), ("？", " "))
"""What Chinese text is full of; where there is nothing else, this is all."""

_RANGES = pattern("(.)(?:-(.))?", re.DOTALL)


class Plain(NamedTuple):
    """Plain text, and where each stretch of it came from."""

    text: str
    starts: list[int]
    """Where stretches begin in `text`; the empty list: it is the text as it came."""
    origins: list[int]
    """Where they began in the text as it came."""
    grown: frozenset[int]
    """The stretches that all came from one character, by where they begin."""

    def place(self, index: int) -> int:
        """Where the character at `index` came from."""
        if not self.starts:
            return index
        stretch = bisect_right(self.starts, index) - 1
        start = self.starts[stretch]
        return self.origins[stretch] + (0 if start in self.grown else index - start)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """What [start, end) stands for in the text as it came, with all that was dropped inside of it."""
        return self.place(start), self.place(end - 1) + 1


@cache
def _unusual() -> re.Pattern[str]:
    return re.compile(f"[{UNSEEN}{_FOLDED}]")


@cache
def _ends() -> re.Pattern[str]:
    # They end a phrase, unless full-width letters stand on both sides: then they may be a part of a password.
    mark, letter = "[\uff01\uff0c\uff1b\uff1f]", "[\uff01-\uff5a]"
    return re.compile(f"{mark}(?<!{letter}{mark})|{mark}(?!{letter})")


@cache
def _forms() -> tuple[dict[int, str], dict[str, str], re.Pattern[str]]:
    """What becomes one other character; what becomes several; and a pattern for those and for what goes."""
    single: dict[int, str] = {}
    several: dict[str, str] = {}
    for first, last in _RANGES.findall(_FOLDED):
        for point in range(ord(first), ord(last or first) + 1):
            form = unicodedata.normalize("NFKC", chr(point))
            if len(form) == 1:
                single[point] = form
            elif form:
                several[chr(point)] = form
    return single, several, re.compile(f"[{UNSEEN}]+|[{re.escape(''.join(several))}]")


def plain(text: str) -> Plain:
    """The text with nothing in it that hides or only looks different. Linear in its length."""
    if text.isascii():
        return Plain(text, [], [], frozenset())
    common = text
    for mark, form in _COMMON:
        common = common.replace(mark, form)
    if _unusual().search(common) is None:
        return Plain(common, [], [], frozenset())
    single, several, odd = _forms()
    text = _ends().sub(" ", text).translate(single)
    parts: list[str] = []
    starts, origins = [0], [0]
    grown: set[int] = set()
    done = at = 0
    for match in odd.finditer(text):
        start, end = match.span()
        new = several.get(match[0], "")
        parts += (text[done:start], new)
        at += start - done
        done = end
        if new:
            grown.add(at)
            starts.append(at)
            origins.append(start)
            at += len(new)
        starts.append(at)
        origins.append(end)
    if len(starts) == 1:
        return Plain(text, [], [], frozenset())
    parts.append(text[done:])
    return Plain("".join(parts), starts, origins, frozenset(grown))
