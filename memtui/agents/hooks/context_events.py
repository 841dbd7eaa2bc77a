"""SessionStart and UserPromptSubmit.

SessionStart: what a session is given at its start; nothing is written, no home is made for it.
UserPromptSubmit: the documents that the prompt's words lead to, and the task that it begins.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress

from memtui.agents.hooks.hook_process import LONGEST, HookAnswer, is_sidechain, read_text_field
from memtui.core.errors import MemtuiError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.safety.sanitize import block, frame_memory
from memtui.sessions import jobs
from memtui.store.project import find_session_homes, open_session_writing
from memtui.store.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memtui.agents.hooks import Call
    from memtui.core.config import EvolutionConfig
    from memtui.core.model import Home, Route
    from memtui.language.conversation import Session


def answer_session_start(call: Call) -> HookAnswer | None:
    """The context of `memtui context`, where it is switched on; what earlier sessions left behind is seen to later."""
    session = call.session()
    if not (session.sidechain or is_sidechain(call.payload)):
        _note_beginning(session)
    if not call.config.context.enabled:
        return None
    from memtui.sessions.start import load_session_start as context

    config = call.config
    # Longer context would be moved into a file, and nobody reads that.
    fits = config.context._replace(characters=min(config.context.characters, LONGEST - 200))
    homes = Writing(find_session_homes(session, config), config)
    if config.agents.remote:
        # What asks another machine is loaded where there is one.
        from memtui.sessions.central import load_central_start

        given, problem = load_central_start(homes, session, config._replace(context=fits), values=_load_values)
        return HookAnswer(given.text, problem=problem)
    return HookAnswer(context(homes, session, config._replace(context=fits), values=_load_values).text)


def _load_values(homes: Iterable[Home], config: EvolutionConfig, now: float) -> Mapping[str, float]:
    # Where nothing is given nothing is worth anything.
    from memtui.evolution.effects import load_values

    return load_values(homes, config, now)


def _note_beginning(session: Session) -> None:
    """A session that never says it ended is found by the next one (spec 001 §4.3)."""
    # What a session is given does not depend on it.
    with suppress(OSError, MemtuiError):
        jobs.note_beginning(session)
        _queue("start", session)


def _queue(kind: str, session: Session, **more: str | int) -> None:
    # Most prompts leave nothing to be done.
    from memtui.agents.hooks.session_events import queue_job

    queue_job(kind, session, **more)


def _measure_transcript(transcript: str) -> int:
    """How long a transcript is before the prompt stands in it."""
    try:
        return os.stat(transcript).st_size
    except (OSError, ValueError):
        return 0


PATIENCE = 1.0
"""Seconds that a prompt waits for a lock, where twenty come at once; then the scratchpad follows with the next one."""
ASKED = 8000
"""Characters of a prompt that are looked at."""

_REMEMBER = compile_pattern(
    r"记住|记下|记一下|(?:记录|保存)(?:下来|一下|这|本次|当前|到?(?:记忆|会话|对话|进度|摘要)|\s*[:：])|别忘|写(?:进|入|到)记忆"
    r"|(?:^|[\s，,。；;请我你])(?:记录|保存)[吧。！!~\s]*$|以后都(?:这样|这么|要|用|按)|下次提醒"
    r"|\bremember (?:this|that|it|to|my|our|the|:)|\b(?:save|note|record|memori[sz]e) (?:this|that|it)\b"
    r"|\b(?:don'?t|do not|never) forget\b|\b(?:add|save|write|commit) .{0,40}\bto (?:your |the )?memory\b",
    re.IGNORECASE,
)
"""The person asks for it (spec 000's fourth trigger)."""


def answer_prompt(call: Call) -> HookAnswer | None:
    """Name the documents, follow the task, and have what the person wants remembered written down soon."""
    prompt = read_text_field(call.payload, "prompt", ASKED)
    if not prompt.strip():
        return None
    config = call.config
    session = call.session()
    writing = config.capture.enabled and not (session.sidechain or is_sidechain(call.payload))
    if writing and _REMEMBER.search(prompt):
        _queue("capture", session, trigger="asked", grows=_measure_transcript(session.transcript))
    route = config.hooks.route and config.routing.enabled
    if not route and not (writing and config.capture.scratchpad):
        return None
    return _look_up(call, session, prompt, route, writing and config.capture.scratchpad)


def _look_up(call: Call, session: Session, prompt: str, route: bool, scratchpad: bool) -> HookAnswer:
    context, problem = "", ""
    with open_session_writing(session, call.config) as (vault, home):
        vault.wait = PATIENCE
        if route:
            from memtui.store.routes import match_routes

            context = describe_routes(match_routes(vault, prompt, call.config, here=lambda: session.name))
        if scratchpad:
            from memtui.sessions.scratchpad import update_scratchpad

            try:
                update_scratchpad(vault, home, session, prompt)
            except MemtuiError as error:
                problem = str(error)
    return HookAnswer(context, problem=problem)


def describe_routes(routes: Sequence[Route]) -> str:
    """The documents by name, with the word that leads to each: what to read, not what is in it."""
    if not routes:
        return ""
    said = _("{path} (the prompt says '{word}')")
    answered = _("`{path}` answers it (the prompt says '{word}')")
    items = [
        frame_memory(
            answered.format(path=one.command, word=one.trigger)
            if one.command
            else said.format(path=os.path.join(one.home, one.path), word=one.trigger),
            source=one.source,
            trust="auto",
            kind="route",
        )
        for one in routes
    ]
    return block(items, _("Words of this prompt lead to these documents in memory; `memory_get` reads them."))
