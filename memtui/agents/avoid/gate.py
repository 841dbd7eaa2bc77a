"""Tier 1: the rules about a file, tried on what it says now. No model, no network, milliseconds."""

from __future__ import annotations

import re
import sys
import time
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from memtui.agents.avoid.book import Book, opened
from memtui.agents.avoid.finding import Finding
from memtui.agents.avoid.place import PART, SIZE, contents, holds, meets, pieces, project
from memtui.agents.avoid.views import Views

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from memtui.agents.avoid.rule import Rule

SECONDS = 0.2
"""After so long no further rule, and no further part of the file, is tried: an agent is waiting."""

WHOLE = 1 << 18
"""Characters of a file in which a match may go over the ends of lines."""

EACH = 20
"""Findings of one rule in one file."""


def examine(
    file: Path, cwd: Path, homes: Sequence[Path], *, text: str | None = None, touched: Sequence[str] = ()
) -> list[Finding]:
    """What the rules have against a file, in the order of its lines. Never raises.

    `text` is what the file says, where it is known already. `touched` is what an edit wrote (its new strings): only
    what stands there can block, old code beside it is at most a warning; empty: all of it was written now. A file
    over a megabyte, a link, a device or something that is no text has no findings.
    """
    file = cwd / file
    if text is None:
        text = contents(file.parent, file.name)
    if not text or len(text) > SIZE:
        return []
    return tried(opened(file, cwd, homes), file, cwd, text, touched)


def tried(book: Book, file: Path, cwd: Path, text: str, touched: Sequence[str] = ()) -> list[Finding]:
    """As `examine`, with the rules at hand."""
    deadline = time.monotonic() + SECONDS
    views = Views(text, file.name)
    top = project(file, cwd)
    starts = _starts(views.text)
    fresh = _fresh(views.text, starts, touched)
    found: list[Finding] = []
    for rule in book.rules:
        if time.monotonic() > deadline:
            break
        places = _places(rule, views, starts, deadline)
        if not places or not meets(rule.needs, file, top, deadline) or (rule.source and _orders(rule)):
            continue
        for first, last in places[:EACH]:
            held = fresh is None or any(line in fresh for line in range(first, last + 1))
            action = rule.action if held else "warn"
            line = text[starts[first] : starts[first + 1] if first + 1 < len(starts) else len(text)]
            found.append(Finding(rule.id, action, rule.message, first + 1, rule.good, line.rstrip("\r\n")))
    return sorted(found, key=lambda finding: finding.line)


def _places(rule: Rule, views: Views, starts: list[int], deadline: float) -> list[tuple[int, int]]:
    """First and last line (from 0) of every match of a rule, each line once."""
    text = views.text
    if rule.platform and sys.platform not in rule.platform:
        return []
    if rule.contains and not any(word in text for word in rule.contains):
        return []
    found = list(_lines(rule, views, starts, deadline))
    # What a rule has found when time is up may be but half of what it had to look at.
    if time.monotonic() > deadline and rule.source:
        return []
    if (
        (rule.patterns and not found)
        or (rule.has and not holds(rule.has, text, deadline))
        or (rule.lacks and holds(rule.lacks, text, deadline))
    ):
        return []
    if rule.python:
        from memtui.agents.avoid.shapes import shaped

        found = [*shaped(rule.python, text, views["code"], found if rule.patterns else None, deadline)]
    return [*{first: (first, last) for first, last in found}.values()]


def _lines(rule: Rule, views: Views, starts: list[int], deadline: float) -> Iterator[tuple[int, int]]:
    view = views[rule.view] if rule.patterns else ""
    parts = _parts(rule, views.text, starts)
    for pattern in rule.patterns:
        for start, end in _matches(pattern, view, parts, deadline):
            first = bisect_right(starts, start) - 1
            last = max(first, bisect_right(starts, max(start, end - 1)) - 1)
            if last > first and not rule.whole:
                continue
            stop = starts[last + 1] if last + 1 < len(starts) else len(view)
            lines = view[starts[first] : min(stop, starts[first] + PART)]
            if rule.also and not holds(rule.also, lines, deadline):
                continue
            if rule.unless and holds(rule.unless, lines, deadline):
                continue
            yield first, last


def _parts(rule: Rule, text: str, starts: list[int]) -> list[tuple[int, int]]:
    """Where a rule's expressions look: at the lines with its words, else at everything, piece by piece."""
    if rule.whole:
        return [(0, len(text))] if len(text) <= WHOLE else []
    if not rule.contains:
        return [*pieces(text)]
    lines: set[int] = set()
    for word in rule.contains:
        at = text.find(word)
        while at >= 0:
            line = bisect_right(starts, at)
            lines.add(line - 1)
            at = text.find(word, starts[line]) if line < len(starts) else -1
    ends = [*starts[1:], len(text)]
    return [(starts[line], ends[line]) for line in sorted(lines)]


def _matches(
    pattern: str, view: str, parts: list[tuple[int, int]], deadline: float
) -> Iterator[tuple[int, int]]:
    compiled = re.compile(pattern, re.MULTILINE)
    for start, end in parts:
        for match in compiled.finditer(view, start, end):
            yield match.span()
            if time.monotonic() > deadline:
                return
        if time.monotonic() > deadline:
            return


def _starts(text: str) -> list[int]:
    return [0, *accumulate(len(line) + 1 for line in text.split("\n")[:-1])]


def _fresh(text: str, starts: list[int], touched: Sequence[str]) -> set[int] | None:
    """The lines that an edit wrote; None: all. What a formatter moved since is known by its lines."""
    written = [part for part in touched if part.strip()]
    if not touched:
        return None
    fresh: set[int] = set()
    for part in written:
        at = text.find(part)
        if at < 0:
            loose = {line.strip() for line in part.split("\n")} - {""}
            fresh.update(number for number, line in enumerate(text.split("\n")) if line.strip() in loose)
        while at >= 0:
            first = bisect_right(starts, at) - 1
            last = bisect_right(starts, at + len(part) - 1) - 1
            fresh.update(range(first, last + 1))
            at = text.find(part, at + len(part))
    return fresh


def _orders(rule: Rule) -> bool:
    """Whether a rule that somebody wrote reads like an order to agents about something else (a hostile project's)."""
    from memtui.safety.injection import examine as judged

    return any(judged(part).action == "quarantine" for part in (rule.message, rule.good) if part)
