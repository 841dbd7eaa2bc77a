"""What a session taught, by a model: spec 002's JSON, and its ways down where there is none.

No JSON in the answer → its text; no answer in time → the dialogue itself; a dialogue too short to teach anything → a
summary in Markdown. Files and tools come from the session, not from the model, and what it says was learned must have
been said. Nothing is locked or open while it thinks.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.llm import ask
from memtui.safety.redact import compiled, redact
from memtui.sessions.extract import Extract, Learned, answer, prompt
from memtui.sessions.extract.limits import limited
from memtui.sessions.extract.support import Support
from memtui.sessions.extract.telling import BUDGET, telling

if TYPE_CHECKING:
    from memtui.core.config import Config
    from memtui.language.conversation import Conversation
    from memtui.sessions.extract import Kind

SHORT = 500
"""Characters of dialogue below which nothing is learned (spec 002)."""

CONFIDENCE = 0.8

_NAME = re.compile(r"[\w.+-]{1,60}")


def extract(conversation: Conversation, config: Config) -> Extract:
    """The session in short, `by` model, text or raw. Never raises for what a model does; it says so in `warning`."""
    patterns, _told = compiled(config.redact.patterns)
    told = telling(conversation, patterns)
    bare = Extract(
        topic=told.first,
        goal=told.first,
        outcome="unknown",
        files=conversation.changed,
        tools=tuple(dict.fromkeys(step.tool for step in conversation.steps)),
        by="raw",
        text=told.raw,
    )
    if not told.parts:
        return bare
    short = told.characters < SHORT
    question = (prompt.plain if short else prompt.structured)(told.short, chinese=told.chinese)
    try:
        said = ask.ask(question, config.llm, system=prompt.system(chinese=told.chinese), json=not short)
    except UnavailableError as error:
        why = _("the model did not sum this up, the conversation is kept as it was: {why}")
        return bare._replace(warning=why.format(why=error))
    found = None if short else answer.summed_up(said)
    if found is None:
        why = "" if short else _("the model answered in no form that can be read, its words are kept")
        return limited(bare._replace(by="text", text=answer.unfenced(said), warning=why))
    support = _support(conversation)
    return limited(
        bare._replace(
            topic=found.topic,
            points=found.points,
            decisions=found.decisions,
            todos=found.todos,
            files=(*bare.files, *_named(found.files, conversation)),
            learned=_learned(found, support),
            goal=found.goal or bare.goal,
            outcome=found.outcome,
            entities=tuple(filter(support.holds, found.entities)),
            project=found.project if _NAME.fullmatch(found.project) and support.holds(found.project) else "",
            by="model",
            text="",
        )
    )


def notes(text: str, config: Config) -> tuple[Learned, ...]:
    """Durable notes in a free text; by rules where the model does not answer as it was asked to."""
    patterns, _told = compiled(config.redact.patterns)
    masked = redact(text, patterns).text
    half = BUDGET // 2
    cut = masked if len(masked) <= BUDGET else f"{masked[:half]}\n[…]\n{masked[-half:]}"
    chinese = len(re.findall("[\u3400-\u9fff]", cut)) * 5 > len(cut)
    try:
        question = prompt.noting(cut, chinese=chinese)
        said = ask.ask(question, config.llm, system=prompt.system(chinese=chinese), json=True)
        found = answer.noted(said)
    except UnavailableError:
        found = None
    if found is None:
        from memtui.sessions.extract import rules

        return rules.notes(text)
    support = Support(enumerate(masked.splitlines(), 1))
    made = (_item(support, note, cast("Kind", kind)) for kind, note in found)
    return tuple(item for item in made if item is not None)


def _learned(found: answer.Told, support: Support) -> tuple[Learned, ...]:
    made = [_item(support, rule, "rule", category) for category, rule in found.rules]
    made += [_item(support, avoidance, "lesson") for avoidance in found.avoidances]
    made += [_item(support, text, cast("Kind", kind)) for kind, text in found.memories]
    return tuple(
        item._replace(
            entities=tuple(name for name in found.entities if name.casefold() in item.text.casefold())
        )
        for item in made
        if item is not None
    )


def _item(support: Support, text: str, kind: Kind, category: str = "") -> Learned | None:
    line = support.line(text)
    return None if line is None else Learned(text, kind, category, line, CONFIDENCE)


def _support(conversation: Conversation) -> Support:
    seen = [
        part for step in conversation.steps for part in (step.command, step.given, step.result, *step.files)
    ]
    seen += [conversation.session.name, conversation.session.project]
    return Support(((turn.line, turn.text) for turn in conversation.said), seen)


def _named(files: tuple[str, ...], conversation: Conversation) -> tuple[str, ...]:
    """Those of the model's files that a tool did touch, in a way that does not show: by a shell's command."""
    touched = "\n".join(part for step in conversation.steps for part in (*step.files, step.command))
    known = [f"/{file}" for file in conversation.changed]
    return tuple(
        file
        for file in files
        if re.search(rf"(?<![\w.-]){re.escape(file)}(?![\w-])", touched)
        and not any(one.endswith(f"/{file.removeprefix('./').lstrip('/')}") for one in known)
    )
