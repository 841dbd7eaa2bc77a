"""One session of one agent, and what was said and done in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.core.model import Turn


class Session(NamedTuple):
    """Who is talking, where, and by which name its file is kept (spec 000)."""

    id: str
    """The agent's own id for it: letters, digits, dots, underscores, dashes; at most 128 of them."""
    agent: str
    """claude-code, codex, …; empty: nobody knows."""
    cwd: str
    """Absolute: where the agent works."""
    project: str
    """The project's key (spec 001 §2.1)."""
    name: str
    """What a person calls the project."""
    transcript: str = ""
    """Absolute path of what was recorded; empty: unknown."""
    sidechain: bool = False
    """A sub-agent's: it never writes (spec 000)."""
    source: str = ""
    """How it began: startup, resume, clear, compact, fork; empty: unknown."""
    how: str = ""
    """How it was recognised, for a person."""

    @property
    def who(self) -> str:
        """As the undo journal names it."""
        return f"agent:{self.agent or 'unknown'}"


class Step(NamedTuple):
    """A tool's call, and what came of it."""

    tool: str
    line: int
    """1-based, in the transcript."""
    time: float | None = None
    files: tuple[str, ...] = ()
    """Those it names, as it names them."""
    command: str = ""
    """What was run, for shells."""
    given: str = ""
    """Its input, shortened."""
    result: str = ""
    """What came back, shortened."""
    failed: bool = False
    writes: bool = False
    """Whether it changes its files."""


class Conversation(NamedTuple):
    """A session as it was recorded: its main thread, without what was rewound, thought, or said to sub-agents."""

    session: Session
    said: tuple[Turn, ...]
    """What the person and the agent said, and summaries of compactions (role summary), in order."""
    steps: tuple[Step, ...] = ()
    started: float | None = None
    ended: float | None = None
    skipped: int = 0
    """Lines that were truncated, malformed or no objects."""
    unknown: int = 0
    """Records of kinds nobody knows."""
    truncated: bool = False
    size: int = 0
    """Bytes of the transcript."""
    lines: int = 0

    @property
    def prompts(self) -> tuple[Turn, ...]:
        """What the person said."""
        return tuple(turn for turn in self.said if turn.role == "user")

    @property
    def changed(self) -> tuple[str, ...]:
        """The files that were written to, each once, in order."""
        return tuple(dict.fromkeys(file for step in self.steps if step.writes for file in step.files))
