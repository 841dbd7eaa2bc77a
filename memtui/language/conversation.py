"""The values that the other modules exchange: a session as it was recorded, and what is read out of it.

Session, Step and Conversation are the record; Learned, Extract and Signal are the results.
"""

from __future__ import annotations

from memtui.core.startup import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal

    from memtui.core.model import Turn

    Kind = Literal["pref", "decision", "rule", "lesson", "fact", "todo"]


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


class Learned(NamedTuple):
    """One thing worth keeping beyond its session."""

    text: str
    """A sentence that stands by itself."""
    kind: Kind
    """lesson: an avoidance, something that went wrong and how to do it (spec 002)."""
    category: str = ""
    """The section of rules.md it belongs under (spec 002)."""
    line: int = 0
    """Where it was said, in the transcript; 0: unknown."""
    confidence: float = 0.8
    entities: tuple[str, ...] = ()
    asked: bool = False
    """The person said to remember it."""


class Extract(NamedTuple):
    """A session in short (spec 002's `summary`, spec 000's three parts, spec 003's episode)."""

    topic: str
    """One sentence."""
    done: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    """Key points."""
    decisions: tuple[str, ...] = ()
    todos: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    learned: tuple[Learned, ...] = ()
    goal: str = ""
    outcome: str = ""
    """success, partly, failed, unknown; with why, where it is known: 'failed: tests do not pass'."""
    tools: tuple[str, ...] = ()
    """Names of the tools that were used."""
    entities: tuple[str, ...] = ()
    project: str = ""
    """As the extractor recognised it; empty: the session's own."""
    by: Literal["rules", "model", "person", "agent"] = "rules"
    warning: str = ""
    """Why it is not the model's, which was to be asked, for a person."""


SIGNALS = (
    "error", "correction", "capability_gap", "recurring_issue", "environment_issue", "dependency_issue",
    "performance_issue", "security_issue",
)  # fmt: skip
"""Spec 002's eight types of signals."""


class Signal(NamedTuple):
    """One sign of trouble in a session, and the line that it was heard in."""

    type: str
    """One of `SIGNALS`."""
    text: str
    """What was said, in one short line."""
    path: str = ""
    """Relative to the home where it stands in one, else the transcript's absolute path."""
    line: int = 0
    """1-based; 0: unknown."""
    about: str = ""
    """What it is about, the same for the same trouble in other words: 'econnrefused redis'; empty: nothing to name."""
    why: str = ""
    """What told it, for a person: 'a traceback', 'the user corrected the agent'."""
