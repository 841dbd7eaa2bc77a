"""What was said in a session, step by step. Times are seconds since the epoch (UTC)."""

from __future__ import annotations

from typing import NamedTuple


class Turn(NamedTuple):
    """One step of a session's transcript: what was said, or a tool called."""

    role: str
    """user, assistant, tool, system, summary."""
    text: str
    time: float | None
    line: int
    """1-based line in the transcript."""
    tool: str = ""
    """The tool's name, for calls and results."""
    failed: bool = False
    sidechain: bool = False
    """Said by or to a sub-agent."""


class Transcript(NamedTuple):
    """A session's turns, with what could not be understood counted rather than hidden."""

    turns: list[Turn]
    skipped: int = 0
    """Lines that were truncated, malformed or no objects."""
    unknown: int = 0
    """Well-formed records of kinds we do not show."""
    truncated: bool = False
    """The file was longer than what was read."""
