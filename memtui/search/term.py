"""One thing to look for: how the index is asked for it, and how often and where it stands in a text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memtui.search.words import GAP, REST, WORD, stem

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class Piece:
    """A part of a term: a CJK run that stands as it is, or a word."""

    text: str
    """Folded."""
    cjk: bool = False
    stem: str = ""
    """What a word's stem must be; empty: the word itself must be the same."""
    beginning: bool = False
    """The word may go on."""
    lead: str = field(default="", init=False)
    """What every word that fits begins with."""

    def __post_init__(self) -> None:
        # Porter only ever changes a stem's last letter, y to i; all else it cuts off.
        lead = self.stem or self.text
        if self.stem.endswith("i") and len(lead) > 1:
            lead = lead[:-1]
        self.lead = self.text if self.cjk else lead

    def end(self, text: str, start: int) -> int:
        """Where this piece ends if it stands at `start` in the folded text; -1: it doesn't."""
        if not text.startswith(self.lead, start):
            return -1
        if self.cjk:
            return start + len(self.text)
        if start and text[start - 1] >= "0" and WORD.match(text[start - 1]):
            return -1
        found = REST.match(text, start)
        end = found.end() if found else start
        word = text[start:end]
        if word == self.text or (self.stem and stem(word) == self.stem):
            return end
        if self.beginning and word.startswith(self.text):
            return start + len(self.text)
        return -1


@dataclass(slots=True)
class Term:
    """Pieces that stand together. `weight` scales what a match is worth; `fts` is empty for terms that only score."""

    pieces: tuple[Piece, ...]
    fts: str
    label: str
    """As a person typed it."""
    weight: float = 1.0
    exact: bool = False
    """Asked for in quotes: every hit must hold it."""

    @property
    def literal(self) -> str:
        """The text itself, where matching it is plain substring search; else empty."""
        return self.pieces[0].text if len(self.pieces) == 1 and self.pieces[0].cjk else ""

    def count(self, text: str) -> float:
        """How often it stands in the folded text; a word that is only begun counts half."""
        first = self.pieces[0]
        lead = first.lead
        start = text.find(lead)
        if start < 0:
            return 0
        if len(self.pieces) > 1 or first.beginning:
            return sum(
                0.5 if first.beginning and WORD.match(text, end) else 1.0 for _, end in self.spans(text)
            )
        if first.cjk:
            return text.count(lead)
        number = 0
        while start >= 0:
            # This is where searches spend their time: most words follow a space, and are as they were typed.
            end = REST.match(text, start).end()  # type: ignore[union-attr]
            if not start or text[start - 1] < "0" or not WORD.match(text[start - 1]):
                word = text[start:end]
                number += word == first.text or (first.stem != "" and stem(word) == first.stem)
            start = text.find(lead, end)
        return number

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where it stands in the folded text, from left to right, without overlaps."""
        first = self.pieces[0]
        lead = first.lead
        start = text.find(lead)
        while start >= 0:
            end = self._whole(text, start)
            if end > start:
                yield start, end
            elif not first.cjk:
                # No word begins in the middle of a word, however long it is.
                end = REST.match(text, start).end()  # type: ignore[union-attr]
            start = text.find(lead, max(end, start + 1))

    def _whole(self, text: str, start: int) -> int:
        before: Piece | None = None
        end = start
        for piece in self.pieces:
            if before is not None:
                gap = GAP.match(text, end)
                after = gap.end() if gap else end
                # Two words, or two runs, are two only where something stands between them.
                if after == end and before.cjk == piece.cjk:
                    return -1
                end = after
            end = piece.end(text, end)
            if end < 0:
                return -1
            before = piece
        return end
