"""What a session taught: by the configured model, or offline by `memtui.language` where there is none or it fails.

Spec 002 keeps a model's words, or the bare dialogue, where its answer cannot be used, and asks it for plain text
about a session that is too short to teach anything. All of these would take the place of what the rules had
written down, and would be given to later sessions: so the rules stand there, and `warning` says why. Of an answer
that can be used, what it has nothing to say of is the rules' too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.core.errors import UnavailableError
from memtui.language import summary
from memtui.language.free_text import read_notes
from memtui.llm import ask
from memtui.sessions import minutes

if TYPE_CHECKING:
    from memtui.core.config import Config
    from memtui.language.conversation import Conversation, Extract, Learned


def extract(conversation: Conversation, config: Config) -> Extract:
    """What a session taught: by the model that is configured, by rules where there is none or it fails."""
    own = summary.extract(conversation)
    why = _why_not(config)
    if why:
        wanted = config.capture.extractor == "model" or is_model_set(config)
        return own._replace(warning=why if wanted and config.capture.extractor != "rules" else "")
    try:
        found = minutes.extract(conversation, config)
    except UnavailableError as error:
        return own._replace(warning=str(error))
    if found is None:
        return own
    return found._replace(
        points=found.points or own.points or own.done,
        decisions=found.decisions or own.decisions,
        todos=found.todos or own.todos,
        outcome=own.outcome if found.outcome.startswith("unknown") else found.outcome,
    )


def extract_notes(text: str, config: Config) -> tuple[Learned, ...]:
    """Durable notes in a free text: a compaction's summary, a pasted conversation (spec 001 §4.2)."""
    if not _why_not(config):
        return minutes.extract_notes(text, config)
    return read_notes(text)


def is_model_set(config: Config) -> bool:
    """Whether a person named a model, be it there or not."""
    return bool(config.llm.command or config.llm.url or config.llm.model)


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
