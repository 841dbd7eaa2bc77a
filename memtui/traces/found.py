"""What a search of conversations answers."""

from __future__ import annotations

from typing import Any, NamedTuple

from memtui import clock

ROLES = ("user", "assistant", "thinking", "tool_call", "tool_result", "summary", "system")
"""Who or what a trace is of; the index keeps a role as its place in here."""

BACKEND = "traces_fts"


class Trace(NamedTuple):
    """One step of a conversation: what was said, a tool's call with its parameters, or what it gave back."""

    home: str
    path: str
    """Relative to the home; begins with '../' where the tool keeps its conversations beside it, absolute elsewhere."""
    line: int
    """1-based line of the transcript; of OpenAkita's database, the row's id."""
    session: str
    time: float | None
    role: str
    """One of `ROLES`."""
    tool: str
    """The tool's name, for calls and results."""
    snippet: str
    """The line that matches best, at most 240 characters; all of it from `unfold`. Secrets are masked."""
    marks: tuple[tuple[int, int], ...] = ()
    """Where the matches stand in `snippet`, as character offsets [start, end)."""
    score: float = 0.0
    """0 to 1: its BM25 as a share of the best that was found; to compare the traces of one answer."""


class Traces(list[Trace]):
    """The traces, best first, and how they were found."""

    backend: str = BACKEND
    warning: str = ""
    """Empty, or why this answer may be incomplete: 'taken in 312 of 950 MB of conversations'."""
    total: int = 0
    """How many steps match; a lower bound where `more` is set."""
    more: bool = False


def plain(trace: Trace) -> dict[str, Any]:
    """A trace as JSON has it."""
    return {
        "path": trace.path,
        "line": trace.line,
        "session": trace.session,
        "time": None if trace.time is None else clock.local(trace.time).isoformat(timespec="seconds"),
        "role": trace.role,
        "tool": trace.tool,
        "snippet": trace.snippet,
        "score": trace.score,
        "home": trace.home,
    }
