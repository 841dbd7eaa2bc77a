"""How much a session may be given, in characters and in tokens, and where a text is cut that is longer.

Tokens are estimated, without any vendor's tokenizer: a Chinese, Japanese or Korean character is one token, four Latin
letters or spaces are one, two digits, marks or accented, Greek or Cyrillic letters are one. Real tokenizers differ by
about a quarter, to either side; a budget is kept by the estimate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

LEAST = 80
"""Characters of a text below which a part of it is not worth giving."""

_EASY = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz \n"


def tokens(text: str) -> int:
    """About how many tokens a text is, rounded up."""
    plain = text.encode("ascii", "ignore")
    easy = len(plain) - len(plain.translate(None, _EASY))
    wide = 0 if len(plain) == len(text) else _wide(text, len(plain))
    return wide + -(-(easy + 2 * (len(text) - wide - easy)) // 4)


def _wide(text: str, plain: int) -> int:
    """Characters from U+0800 on, by what the text takes in UTF-8 and UTF-16: many times faster than looking at each."""
    beyond = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)
    return len(text.encode("utf-8", "surrogatepass")) + plain - 2 * len(text) - beyond


class Budget(NamedTuple):
    """What is left of both measures."""

    characters: int
    tokens: int

    def fits(self, text: str) -> bool:
        """Whether all of the text goes in."""
        return len(text) <= self.characters and tokens(text) <= self.tokens

    def without(self, text: str) -> Budget:
        """What is left once the text is in."""
        return Budget(self.characters - len(text), self.tokens - tokens(text))

    def share(self, part: float) -> Budget:
        """A part of it."""
        return Budget(int(self.characters * part), int(self.tokens * part))

    def within(self, other: Budget) -> Budget:
        """The smaller of both, measure by measure."""
        return Budget(min(self.characters, other.characters), min(self.tokens, other.tokens))


def fitting(lines: Sequence[tuple[int, str]], ends: frozenset[int], room: Budget) -> int:
    """How many of the numbered lines go in, cut behind a line at which something ends; 0: too few to be worth it."""
    size = weight = best = 0
    for count, (number, line) in enumerate(lines, 1):
        size += len(line) + 1
        # Line by line it rounds up a little more often than as a whole.
        weight += tokens(line + "\n")
        if size > room.characters or weight > room.tokens:
            break
        if number in ends and size >= LEAST:
            best = count
    return best
