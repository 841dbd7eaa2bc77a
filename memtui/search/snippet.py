"""What a hit shows: the line as it stands in the file, where the matches are in it, and why it was found."""

from __future__ import annotations

from memtui.locale import _
from memtui.record import TYPE_CHECKING
from memtui.search.words import fold, folded_with_places, humps, searchable

if TYPE_CHECKING:
    from memtui.search.candidate import Candidate
    from memtui.search.query import Query
    from memtui.search.term import Term

LONGEST = 240
"""Characters of a snippet (spec 001 §4.2)."""

_LEAD = 48
_NAMED = 6
_SCANNED = 20_000
_LINES = 5_000
_CONTROLS = dict.fromkeys([*range(9), *range(10, 32), *range(127, 160)], "\ufffd")

Marks = tuple[tuple[int, int], ...]


def snippet(query: Query, candidate: Candidate) -> tuple[str, Marks]:
    """The line of the memory that matches best, at most 240 characters of it, and the matches' offsets in it."""
    text = candidate.raw
    if (
        candidate.prose
        and candidate.own
        and len(candidate.body) == len(text) <= _SCANNED
        and "\n" not in text
    ):
        # One line, and ranking has folded it and knows what it holds.
        held = [term for term, number in zip(query.terms, candidate.own, strict=True) if number]
        held = [term for term in held if term.fts and not term.faint] or held
        marks = _merged([span for term in held for span in term.spans(candidate.body)])
        text = text.rstrip()
        return shown(text, marks)
    return passage(query, candidate.raw)


def passage(query: Query, raw: str) -> tuple[str, Marks]:
    """The line of any text that matches best, as `snippet` has it."""
    terms = [term for term in query.terms if term.fts and not term.faint] or query.terms
    text, marks = _line(raw, terms, query.literal)
    if not marks:
        # Only single characters of a longer word are left to show.
        text, marks = _line(raw, query.terms, query.literal)
    return shown(text, marks)


def shown(text: str, marks: list[tuple[int, int]]) -> tuple[str, Marks]:
    """At most 240 characters of a line around its matches, and where they stand in that."""
    text, inside = _cut(text, marks)
    # One for one, so that the marks stay true: a gap of NULs or an escape is no text for an agent to read.
    return text if text.isprintable() else text.translate(_CONTROLS), inside


def why(query: Query, candidate: Candidate) -> str:
    """For a person: which words matched in a ranked candidate, and where: '偏好, pytest · heading 偏好'."""
    named: list[str] = []
    above: list[str] = []
    headings = (
        [(name, searchable(name)) for name in candidate.heading.split("\x1f")] if candidate.above else []
    )
    for term, number in zip(query.terms, candidate.own, strict=True):
        if not term.fts or (term.faint and named):
            continue
        if number and not any(term.label in known for known in named):
            named.append(term.label)
        above += [name for name, folded in headings if term.count(folded)]
    if query.literal:
        named.append(query.text)
    words = ", ".join(named[:_NAMED]) + ("…" if len(named) > _NAMED else "")
    if not above:
        return words
    places = [_("heading {name}").format(name=name.strip()) for name in list(dict.fromkeys(above))[:2]]
    return " · ".join(part for part in (words, *places) if part)


def _line(raw: str, terms: list[Term], literal: str) -> tuple[str, list[tuple[int, int]]]:
    lines = raw.split("\n", _LINES)[:_LINES] if "\n" in raw else [raw]
    best: list[tuple[int, int]] = []
    chosen = ""
    most = 0.0
    for line in lines:
        text = line[:_SCANNED].rstrip()
        if not chosen:
            chosen = text
        found, worth = _marks(text, terms, literal)
        if worth > most:
            chosen, best, most = text, found, worth
    return chosen, best


def _marks(text: str, terms: list[Term], literal: str) -> tuple[list[tuple[int, int]], float]:
    """Where the terms stand, merged; and how many different ones do, by weight."""
    folded, places = folded_with_places(text)
    found: list[tuple[int, int]] = []
    worth = 0.0
    for term in terms:
        spans = list(term.spans(folded))
        found += spans
        worth += (term.weight * len(term.pieces) + len(spans) / 100) if spans else 0.0
    if literal:
        at = folded.find(literal)
        if at >= 0:
            found.append((at, at + len(literal)))
            worth += 1
    if places is not None:
        found = [(places[start], places[end - 1] + 1) for start, end in found]
    for start, end in humps(text) if not text.islower() else ():
        part = fold(text[start:end])
        if any(list(term.spans(part)) for term in terms if len(term.pieces) == 1):
            found.append((start, end))
            worth += 1
    return _merged(found), worth


def _merged(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _cut(text: str, marks: list[tuple[int, int]]) -> tuple[str, Marks]:
    """At most 240 characters around the place where most of the matches are, with '…' where something is left out."""
    if len(text) <= LONGEST:
        return text, tuple(marks)
    room = LONGEST - 2
    start = 0
    most = -1
    for first, (begin, _end) in enumerate(marks):
        held = sum(min(end, begin + room) - at for at, end in marks[first:] if at < begin + room)
        if held > most:
            most, start = held, begin
    start = max(0, min(start - _LEAD, len(text) - LONGEST + 1)) if start > _LEAD else 0
    before = "…" if start else ""
    end = start + LONGEST - len(before)
    after = ""
    if end < len(text):
        end, after = end - 1, "…"
    shift = len(before) - start
    inside = [(max(a, start) + shift, min(b, end) + shift) for a, b in marks if b > start and a < end]
    return before + text[start:end] + after, tuple(inside)
