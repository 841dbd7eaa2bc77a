"""A session written down: what was recorded of it, read, put in short, and brought where it belongs (specs 000, 002).

The transcript is read and thought about before anything is opened or locked; writing is one decision, undone together.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from memtui.digest import sha256
from memtui.disk.places import private, state
from memtui.errors import MemtuiError, QuarantinedError, RefusedError
from memtui.locale import _, _n
from memtui.sessions import conversation, distribute, place, retention
from memtui.sessions.extract import asks_model, extract, worth
from memtui.sessions.record import record

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.config import Config
    from memtui.model import Home
    from memtui.sessions.distribute import Distributed
    from memtui.sessions.extract import Extract
    from memtui.sessions.session import Conversation, Session
    from memtui.vault import Vault

BRIEF = frozenset({"stop"})
"""Triggers in the middle of a session: the summary is written, what it teaches waits for its end."""
_ENDLESS = frozenset({"codex"})
"""Agents that never say that a session is over."""


class Captured(NamedTuple):
    """What came of it."""

    sentence: str
    """For a person."""
    path: str = ""
    """The summary's file, relative to `home`; empty: none was written."""
    home: str = ""
    written: bool = False
    """Whether the summary changed."""
    learned: Distributed | None = None
    failed: tuple[str, ...] = ()
    group: str = ""
    """What `undo` takes all of it back by."""


def capture(session: Session, config: Config, *, trigger: str) -> Captured:
    """Write down a session as far as it was recorded. Raises UnavailableError where its home cannot be written.

    `trigger`: stage, commit, reset, asked, end, compaction, stop (spec 000's moments, and a turn's end).
    """
    if not config.capture.enabled:
        return Captured(_("Nothing is captured: capture.enabled is false."))
    if session.sidechain:
        return Captured(_("Sub-agents write no memories."))
    talk = conversation.read(session)
    if talk is None:
        return Captured(_("There is no transcript of this session to read."))
    brief = trigger in BRIEF
    stamp = f"{talk.size} {talk.lines} {brief} {config.capture.extractor}"
    seen = _seen(session)
    if seen == stamp:
        return Captured(_("Nothing was said since the last time."))
    if brief and seen and asks_model(config):
        return Captured(_("A model reads the session when it is over; its last summary stands until then."))
    # Nor is one asked for the first summary: a turn's end must cost nothing.
    rules = config._replace(capture=config.capture._replace(extractor="rules"))
    found = extract(talk, rules if brief else config)
    if not worth(talk, found):
        return Captured(_("Too little was said to write down."))
    with place.opened(session, config) as (vault, home):
        done = _written(vault, home, session, found, talk, config, trigger)
    if not done.failed:
        _remember(session, stamp)
    return done


def _written(
    vault: Vault,
    home: Home,
    session: Session,
    found: Extract,
    talk: Conversation,
    config: Config,
    trigger: str,
) -> Captured:
    from memtui.disk.journal import new_id

    group = new_id()
    path = place_of(home, session, talk)
    receipt, told = None, [_("the summary says so already")]
    try:
        receipt = record(vault, home, session, found, talk, trigger=trigger, group=group)
        if receipt is not None:
            told = [_("summary: {path}").format(path=path)]
    except QuarantinedError as error:
        # It waits in Review: trying again would only put it there again.
        told = [str(error)]
    learned = None
    if trigger not in BRIEF or session.agent in _ENDLESS:
        # What is learned is compared with what is known, so the index has to be right.
        vault.current = True
        vault.refresh()
        learned = distribute.distribute(vault, home, session, found, config, group=group)
        distribute.entry(vault, home, session, found, path, learned, group)
        told += _told(learned)
        _learned_from(vault, home, session, found, talk, group)
    retention.retain(vault, home, session, config.capture.keep, who=session.who)
    failed = learned.failed if learned else ()
    return Captured(
        "; ".join([*told, *failed]), path, str(home.path), receipt is not None, learned, failed, group
    )


def _learned_from(
    vault: Vault, home: Home, session: Session, found: Extract, talk: Conversation, group: str
) -> None:
    """How it went, and which trouble was heard (spec 002). What cannot be noted is heard again by a backfill."""
    from memtui.evolution import ending

    with suppress(MemtuiError):
        ending.noted(vault, home, session, found, talk, group=group)


def place_of(home: Home, session: Session, talk: Conversation | None = None) -> str:
    """The path of a session's summary in its home; empty where the home keeps none."""
    from memtui import clock
    from memtui.sessions.record import place as where

    time = talk.ended if talk is not None and talk.ended is not None else clock.now()
    try:
        return where(home, session, time).path
    except RefusedError:
        return ""


def _told(learned: Distributed) -> list[str]:
    told: list[str] = []
    if learned.written:
        told.append(_n("{count} thing learned", "{count} things learned", learned.written))
    if learned.proposed:
        told.append(_n("{count} proposal in Review", "{count} proposals in Review", learned.proposed))
    if learned.noted:
        told.append(_n("{count} note", "{count} notes", learned.noted))
    return told


def _file(session: Session) -> Path:
    name = f"{session.agent}\0{session.id}\0{session.transcript}"
    return state() / "captured" / sha256(name.encode("utf-8", "replace"))[:24]


def _seen(session: Session) -> str:
    """How far the session was captured; empty: never."""
    try:
        return _file(session).read_text("utf-8", "replace")
    except OSError:
        return ""


def _remember(session: Session, stamp: str) -> None:
    file = _file(session)
    # Losing it costs one more reading, no memory.
    with suppress(OSError, MemtuiError):
        private(file.parent)
        part = file.with_suffix(f".{os.urandom(4).hex()}")
        part.write_text(stamp, "utf-8")
        os.replace(part, file)
