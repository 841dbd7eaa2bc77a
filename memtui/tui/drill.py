"""From a number to what it counts: the rows that enter leads to, and where each of them stands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.locale import _
from memtui.tui import learning
from memtui.tui.items import Fixed, Known
from memtui.tui.learning_rows import named, spoken
from memtui.tui.learnt import Change, Checked, Lesson, Line, Paper, Problem, Run, Sitting

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.tui.learnt import All

DRILLED = (Problem, Lesson, Run, Change, Checked)
"""What can be gone into."""


def deep(item: Any) -> bool:
    """Whether there is anything behind it: a switch that is on counts nothing."""
    return isinstance(item, DRILLED) and not (isinstance(item, Checked) and not item.gate.counts)


def name(item: Any) -> str:
    """What it is called while one is in it."""
    match item:
        case Problem():
            return named(item.pattern)
        case Lesson():
            return spoken(item)
        case Run():
            return _("sessions")
        case Checked():
            return _(item.gate.title)
    return _("what changed")


def drilled(item: Any, found: All) -> list[Any]:
    """The sessions and lines behind a row; what can be opened of an experience first."""
    match item:
        case Change():
            whole = learning.about(found, item)
            return drilled(whole, found) if whole is not None else []
        case Problem():
            return _problem(item)
        case Checked():
            return [Known(row) for row in learning.counted(item)]
        case Run():
            return list(_listed(learning.of_run(item)))
        case Lesson():
            rows: list[Any] = [Known(row) for row in learning.used_in(found, item.effect)]
            head = Fixed("head:used", ((" " + _("used in"), "head"),), rest=False)
            lesson: list[Any] = [Known(item.memory)] if item.memory is not None else []
            return [*lesson, head, *rows] if rows else lesson
    return []


def _problem(item: Problem) -> list[Any]:
    """Those of the window first; what the total counts besides comes after them."""
    overview = item.learnt.overview
    window = {one.session for one in item.pattern.sessions}
    rows: list[Any] = list(_listed(learning.sittings(item, item.pattern.sessions)))
    before = [one for one in overview.sessions if one.session not in window]
    if older := list(_listed(learning.sittings(item, before))):
        rows += [Fixed("head:before", ((" " + _("before that"), "head"),), rest=False), *older]
    return rows


def _listed(sittings: Iterable[Sitting]) -> Iterable[Known]:
    for sitting in sittings:
        yield Known(sitting)
        yield from map(Known, learning.lines(sitting))


def place(item: Any) -> tuple[str, str, int] | None:
    """Home, path and line of what stands in a home's file; a transcript is read as a session."""
    if isinstance(item, Line) and item.signal.path and not _elsewhere(item):
        home = str(item.learnt.home.path)
        return home, item.signal.path.removeprefix(home).lstrip(os.sep), item.signal.line or 1
    if isinstance(item, Paper) and item.written:
        return str(item.home.path), learning.REPORT, 1
    return None


def session(item: Any) -> tuple[str, int] | None:
    """The session that a row comes from, and the line of its transcript (0: any)."""
    if isinstance(item, Line):
        return item.heard.session, item.signal.line if _elsewhere(item) else 0
    return (item.session, 0) if isinstance(item, Sitting) else None


def _elsewhere(item: Line) -> bool:
    """Whether it stands in a transcript, or in no file of its home."""
    path = item.signal.path
    if path.endswith(".jsonl"):
        return True
    return os.path.isabs(path) and not path.startswith(os.path.join(str(item.learnt.home.path), ""))
