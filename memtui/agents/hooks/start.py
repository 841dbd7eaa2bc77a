"""SessionStart: what a session is given at its start. Nothing is written, no home is made for it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.agents.hooks.answer import LONGEST, Answer
from memtui.agents.hooks.payload import sidechain

if TYPE_CHECKING:
    from memtui.agents.hooks import Call
    from memtui.sessions.session import Session


def given(call: Call) -> Answer | None:
    """The context of `memtui context`, where it is switched on; what earlier sessions left behind is seen to later."""
    session = call.session()
    if not (session.sidechain or sidechain(call.payload)):
        _begun(session)
    if not call.config.context.enabled:
        return None
    from memtui.sessions.place import found
    from memtui.sessions.start import given as context
    from memtui.writing import Writing

    config = call.config
    # Longer context would be moved into a file, and nobody reads that.
    fits = config.context._replace(characters=min(config.context.characters, LONGEST - 200))
    homes = Writing(found(session, config), config)
    return Answer(context(homes, session, config._replace(context=fits)).text)


def _begun(session: Session) -> None:
    """A session that never says it ended is found by the next one (spec 001 §4.3)."""
    from memtui.agents.hooks.later import queued
    from memtui.errors import MemtuiError
    from memtui.sessions import unended

    # What a session is given does not depend on it.
    with suppress(OSError, MemtuiError):
        unended.began(session)
        queued("start", session)
