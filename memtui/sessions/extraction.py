"""What a session taught: by the configured model; offline (`memtui.language`) where there is none, or it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.language import summary
from memtui.language.free_text import read_notes
from memtui.llm import ask
from memtui.sessions import minutes

if TYPE_CHECKING:
    from memtui.core.config import Config
    from memtui.language.conversation import Conversation, Extract, Learned


def extract(conversation: Conversation, config: Config) -> Extract:
    """What a session taught: by the model that is configured, by rules where there is none or it fails."""
    why = _why_not(config)
    if not why:
        return minutes.extract(conversation, config)
    return summary.extract(conversation)._replace(warning=why if config.capture.extractor == "model" else "")


def extract_notes(text: str, config: Config) -> tuple[Learned, ...]:
    """Durable notes in a free text: a compaction's summary, a pasted conversation (spec 001 §4.2)."""
    if not _why_not(config):
        return minutes.extract_notes(text, config)
    return read_notes(text)


def is_model_asked(config: Config) -> bool:
    """Whether sessions are read by a model here."""
    return not _why_not(config)


def _why_not(config: Config) -> str:
    """Why no model is asked, for a person; empty: one is."""
    if config.capture.extractor == "rules":
        return "rules"
    return ask.why_not(config.llm)


def is_summary_worth(conversation: Conversation, found: Extract) -> bool:
    """Whether a summary is to be written: not for two turns or fewer without a file touched or a conclusion (spec 000).

    A turn is what the person said.
    """
    concluded = bool(found.decisions or found.learned)
    return len(conversation.prompts) > 2 or bool(conversation.changed) or concluded
