"""What a session taught: one shape, two extractors that fill it, by rules (offline) or by a model.

The shape is spec 002's JSON (summary and knowledge) with spec 003's episode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from memtui.core.config import Config
    from memtui.language.conversation import Conversation

Kind = Literal["pref", "decision", "rule", "lesson", "fact", "todo"]


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
    by: Literal["rules", "model", "text", "raw", "person", "agent"] = "rules"
    """text: a model's answer that was no JSON; raw: the dialogue itself (spec 002's fallbacks)."""
    text: str = ""
    """The body where there are no parts: for text and raw."""
    warning: str = ""
    """Why it is less than was asked for, for a person."""


def extract(conversation: Conversation, config: Config) -> Extract:
    """What a session taught: by the model that is configured, by rules where there is none or it fails."""
    why = _why_not(config)
    if not why:
        from memtui.sessions.extract import model

        return model.extract(conversation, config)
    from memtui.sessions.extract import rules

    return rules.extract(conversation)._replace(warning=why if config.capture.extractor == "model" else "")


def notes(text: str, config: Config) -> tuple[Learned, ...]:
    """Durable notes in a free text: a compaction's summary, a pasted conversation (spec 001 §4.2)."""
    if not _why_not(config):
        from memtui.sessions.extract import model

        return model.notes(text, config)
    from memtui.sessions.extract import rules

    return rules.notes(text)


def asks_model(config: Config) -> bool:
    """Whether sessions are read by a model here."""
    return not _why_not(config)


def _why_not(config: Config) -> str:
    """Why no model is asked, for a person; empty: one is."""
    if config.capture.extractor == "rules":
        return "rules"
    from memtui.llm import ask

    return ask.why_not(config.llm)


def worth(conversation: Conversation, found: Extract) -> bool:
    """Whether a summary is to be written: not for two turns or fewer without a file touched or a conclusion (spec 000).

    A turn is what the person said.
    """
    concluded = bool(found.decisions or found.learned)
    return len(conversation.prompts) > 2 or bool(conversation.changed) or concluded
