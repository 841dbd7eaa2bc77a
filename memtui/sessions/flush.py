"""Durable notes of a text or a conversation, into the journal (spec 001 §4.2, spec 003's limits).

At most so many flushes a session, nothing of texts that are too short, at most so many notes each; redacted, without
orders to agents, and nothing twice on one day. A home that is locked gets them with the next write.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.edits import Draft
from memtui.errors import FullError, LockedError, MemtuiError, QuarantinedError
from memtui.locale import _
from memtui.model import Layer
from memtui.sessions import flags
from memtui.sessions.extract import notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.config import Config
    from memtui.edits import Receipt
    from memtui.model import Home
    from memtui.sessions.extract import Learned
    from memtui.sessions.session import Session
    from memtui.vault import Vault

LONGEST = 1000
"""Characters of one note."""
_TAGS = {"pref": "prefs", "decision": "arch", "todo": "todo", "lesson": "lessons", "rule": "rules"}


class Flushed(NamedTuple):
    """What came of it."""

    appended: int
    skipped: int
    """There already, or put aside."""
    path: str
    """The journal file, relative to `home`; empty where nothing was written."""
    home: str = ""
    disabled: bool = False
    reason: str = ""
    """Why nothing, or not all, was written, for a person."""
    receipts: tuple[Receipt, ...] = ()
    kept: int = 0
    """Kept for the next write, as the home is locked."""


def flush(
    vault: Vault,
    home: Home,
    session: Session | None,
    text: str,
    config: Config,
    *,
    source: str = "",
    who: str,
    most: int = 0,
) -> Flushed:
    """Write what lasts of a text into the journal. `most` notes at most; 0: as many as the config says.

    Raises what `Vault.apply` raises where the home cannot be written at all.
    """
    if not config.capture.enabled:
        return Flushed(0, 0, "", disabled=True, reason=_("capture.enabled is false"))
    if session is not None and session.sidechain:
        return Flushed(0, 0, "", disabled=True, reason=_("Sub-agents write no memories."))
    if len(text.strip()) < config.capture.least:
        return Flushed(0, 0, "", reason=_("too short to hold anything that lasts"))
    found = notes(text, config)[: most or config.capture.notes]
    if not found:
        return Flushed(0, 0, "", reason=_("nothing in it lasts"))
    if session is not None and not _admitted(session, config.capture.flushes):
        return Flushed(0, 0, "", reason=_("this session has flushed often enough"))
    return append_all(vault, home, found, source=source or (session.id if session else ""), who=who)


def _admitted(session: Session, most: int) -> bool:
    """Whether the session may flush once more (spec 003: five times)."""
    return any(flags.first(session.id, f"flush-{number}") for number in range(most))


def append_all(
    vault: Vault, home: Home, found: Sequence[Learned], *, source: str, who: str, group: str = ""
) -> Flushed:
    """Append each to the journal of today; what is there already, or was put aside, is counted as skipped."""
    from memtui.curation.append import append
    from memtui.disk.journal import new_id
    from memtui.sessions.place import taking

    done = Flushed(0, 0, "")
    receipts: list[Receipt] = []
    group = group or new_id()
    for one in found:
        draft = drafted(one, source)
        with taking(vault, home, Layer.JOURNAL, draft) as (opened, place):
            try:
                appended = append(opened, place, draft, who=who, group=group)
            except QuarantinedError as error:
                done = done._replace(skipped=done.skipped + 1, reason=str(error))
                continue
            except (LockedError, FullError) as error:
                done = _later(opened, place, draft, who, done, str(error))
                continue
        if appended.receipt is None:
            done = done._replace(skipped=done.skipped + 1)
        else:
            receipts.append(appended.receipt)
            done = done._replace(appended=done.appended + 1)
        done = done._replace(path=appended.path, home=appended.home)
    return done._replace(receipts=tuple(receipts))


def _later(vault: Vault, home: Home, draft: Draft, who: str, done: Flushed, reason: str) -> Flushed:
    from memtui.curation.spooled import keep

    try:
        keep(vault, home, draft, who=who)
    except MemtuiError as error:
        return done._replace(skipped=done.skipped + 1, reason=str(error))
    return done._replace(kept=done.kept + 1, reason=reason)


def drafted(one: Learned, source: str) -> Draft:
    """A note as the journal takes it."""
    tag = _TAGS.get(one.kind, "")
    return Draft(
        one.text[:LONGEST],
        one.kind,
        tags=(tag,) if tag else (),
        entities=one.entities,
        confidence=one.confidence,
        source=source,
    )
