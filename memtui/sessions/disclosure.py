"""Progressive disclosure (spec 003): what memory there is to ask, the task at hand, core memory; nothing dynamic.

What an agent needs beyond that it searches for, in two levels. The description is told as facts: an agent takes orders
from its person, not from what it reads.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.locale import _
from memtui.model import Layer
from memtui.pattern import pattern
from memtui.sessions.passage import Passage, masked, passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.model import Home
    from memtui.sessions.passage import Patterns

ABOUT = "What memtui remembers of this person, this project and earlier sessions."

SEARCH = (
    "More is remembered than is shown here: memory_search finds it, memory_get reads the lines. Questions about "
    "earlier decisions, preferences, open items, people, dates or previous work are answered after a memory_search, "
    "citing path and line; where nothing is found, that is said."
)
"""Spec 001 §5.3: search before you answer."""

LEVELS = (
    "Memory has two levels. First search_memory(query): preferences, rules, lessons, facts, summaries of earlier work; "
    "worth asking when past experience may matter. Then, where a summary is not enough, "
    "search_conversation_traces(keyword): the conversations themselves, with what tools were given and answered."
)
"""Spec 003's two tools."""

_DATABASES = ("data/memory/openakita.db", "data/memory/memory.db", "openakita.db", "memory.db")
_PAD = "scratchpad.md"
_FROM = pattern(r"\((?:source|session)=([^)]*)\)\s*$")


def described(homes: Iterable[Home]) -> str:
    """What an agent is told about the tools."""
    return f"{SEARCH} {LEVELS}" if any(home.layout == "openakita" for home in homes) else SEARCH


def scratchpad(home: Home, other: Callable[[str], bool], *, now: float, hidden: Patterns) -> Passage | None:
    """The current task and the last ones done; `other` says of a session's id whether it is of another project."""
    reason = _("the task at hand, and the last ones done")
    if home.layout == "openakita":
        return _row(home, reason, hidden)
    found = passage(home, _PAD, reason, now=now, hidden=hidden, kind="scratchpad")
    if found is None:
        return None
    kept = []
    for number, line in found.lines:
        match = _FROM.search(line)
        if match is None or not other(match[1].strip()):
            kept.append((number, line))
    if not any(line.strip() and not line.startswith("#") for _number, line in kept):
        return None
    return found._replace(lines=tuple(kept))


def _row(home: Home, reason: str, hidden: Patterns) -> Passage | None:
    """Of a database only this one table is read: there may be a hundred thousand memories beside it."""
    for path in _DATABASES:
        file = os.path.join(home.path, path)
        if os.path.isfile(file) and not os.path.islink(file):
            text = _pad(file)
            if text:
                lines = tuple((0, line) for line in masked(text, hidden).split("\n"))
                return Passage(home, path, Layer.SESSION, "scratchpad", reason, lines)
    return None


def _pad(file: str) -> str:
    import apsw

    from memtui.errors import UnavailableError
    from memtui.parse.openakita_rows import scratchpad as read
    from memtui.parse.sqlite import database, rows, tables
    from memtui.parse.veil import veiled

    try:
        with database(file) as connection:
            columns = tables(connection).get("scratchpad", [])
            found = [read(row, 0, 0) for row in rows(connection, "scratchpad", columns)] if columns else []
    except (UnavailableError, OSError, apsw.Error):
        return ""
    latest = max(filter(None, found), key=lambda entry: entry.updated or 0.0, default=None)
    return "" if latest is None else veiled(latest.text)
