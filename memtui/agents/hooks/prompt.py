"""UserPromptSubmit: the documents that the prompt's words lead to, and the task that it begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.agents.hooks.answer import Answer
from memtui.agents.hooks.payload import sidechain, text
from memtui.locale import _
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.agents.hooks import Call
    from memtui.results import Route
    from memtui.sessions.session import Session

PATIENCE = 1.0
"""Seconds that a prompt waits for a lock, where twenty come at once; then the scratchpad follows with the next one."""
ASKED = 8000
"""Characters of a prompt that are looked at."""

_REMEMBER = pattern(
    r"记住|记下|记一下|记录(?:下来|一下|这)|保存(?:下来|一下|这|到记忆)|别忘|写(?:进|入|到)记忆"
    r"|\bremember (?:this|that|it|to|my|our|the|:)|\b(?:save|note|record|memori[sz]e) (?:this|that|it)\b"
    r"|\b(?:don'?t|do not|never) forget\b|\b(?:add|save|write|commit) .{0,40}\bto (?:your |the )?memory\b",
    re.IGNORECASE,
)
"""The person asks for it (spec 000's fourth trigger)."""


def asked(call: Call) -> Answer | None:
    """Name the documents, follow the task, and have what the person wants remembered written down soon."""
    prompt = text(call.payload, "prompt", ASKED)
    if not prompt.strip():
        return None
    config = call.config
    session = call.session()
    writing = config.capture.enabled and not (session.sidechain or sidechain(call.payload))
    if writing and _REMEMBER.search(prompt):
        from memtui.agents.hooks.later import queued

        queued("capture", session, trigger="asked")
    route = config.hooks.route and config.routing.enabled
    if not route and not (writing and config.capture.scratchpad):
        return None
    return _looked(call, session, prompt, route, writing and config.capture.scratchpad)


def _looked(call: Call, session: Session, prompt: str, route: bool, scratchpad: bool) -> Answer:
    from memtui.sessions.place import writing

    context, problem = "", ""
    with writing(session, call.config) as (vault, home):
        vault.wait = PATIENCE
        if route:
            from memtui.routing import routes

            context = documents(routes(vault, prompt, call.config))
        if scratchpad:
            from memtui.errors import MemtuiError
            from memtui.sessions.scratchpad import turned

            try:
                turned(vault, home, session, prompt)
            except MemtuiError as error:
                problem = str(error)
    return Answer(context, problem=problem)


def documents(routes: Sequence[Route]) -> str:
    """The documents by name, with the word that leads to each: what to read, not what is in it."""
    if not routes:
        return ""
    import os

    from memtui.sessions.framing import block, framed

    said = _("{path} (the prompt says '{word}')")
    items = [
        framed(
            said.format(path=os.path.join(one.home, one.path), word=one.trigger),
            source=one.source,
            trust="auto",
            kind="route",
        )
        for one in routes
    ]
    return block(items, _("Words of this prompt lead to these documents in memory; `memory_get` reads them."))
