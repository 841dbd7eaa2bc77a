"""What the end of a session leaves in the log (spec 002): lessons used, how it went, which trouble was heard in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui import clock
from memtui.evolution import audit, dialect, ledger, outcomes
from memtui.evolution.events import Heard, event
from memtui.evolution.worth import values
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.evolution.dialect import Plain
    from memtui.evolution.events import Outcome
    from memtui.evolution.log import Log
    from memtui.model import Home
    from memtui.sessions.extract import Extract
    from memtui.sessions.session import Conversation, Session
    from memtui.vault import Vault


def noted(
    vault: Vault, home: Home, session: Session, found: Extract, talk: Conversation, *, group: str = ""
) -> None:
    """Append what is new since the last time; nothing for a sub-agent's session, or where all is said already.

    Raises what `Vault.apply` raises, ReadOnlyError where no home can be made.
    """
    if session.sidechain:
        return
    before, every = ledger.of(vault, home), ledger.together(ledger.around(vault))
    used = _used(vault, session, found, talk, every)
    told = [*used, *_went(outcomes.of(talk, found), talk, (every, before), len(used))]
    told += _heard(home, session, talk, before)
    if told:
        what = _("noted the end of session {session}").format(session=session.id)
        audit.written(vault, home, told, who=session.who, what=what, group=group)
        # The next session's start need not wait for it.
        values(vault.homes, vault.config.evolution, clock.now())


def _used(vault: Vault, session: Session, found: Extract, talk: Conversation, before: Log) -> list[Plain]:
    from memtui.evolution.experience import found as same
    from memtui.evolution.experience import known, meant
    from memtui.evolution.uses import uses

    among = known(vault)
    noted = {(ref.experience, ref.digest) for ref in before.refs if ref.session == session.id}
    done = {memory.id for one in noted if (memory := same(among, *one)) is not None}
    return [
        dialect.used(meant(vault, use.memory), session.id, use.context, _time(talk))
        for use in uses(vault, talk, found)
        if use.memory.id not in done
    ]


def _went(now: Outcome, talk: Conversation, logs: tuple[Log, Log], used: int) -> list[Plain]:
    """How it went, unless its own log, the last of them, says just that."""
    from memtui.sessions.extract.commands import failed

    now = now._replace(time=_time(talk))
    known, last = ({one.session: one for one in log.outcomes}.get(now.session) for log in logs)
    if known is not None and now.status == "unknown":
        # Rules that cannot tell do not contradict who could.
        now = now._replace(status=known.status, reason=now.reason or known.reason)
    if last is not None and (last.status, last.corrections) == (now.status, now.corrections):
        return []
    return [dialect.went(now, errors=any(map(failed, talk.steps)), updated=used)]


def _heard(home: Home, session: Session, talk: Conversation, before: Log) -> list[Plain]:
    from memtui.evolution.hearing import of_conversation
    from memtui.sessions.capture import place_of

    path = place_of(home, session, talk)
    if not path or not (home.path / path).is_file():
        path = session.transcript
    elif audit.where(home).path != home.path:
        # In another home's log only the whole path says where that is.
        path = str(home.path / path)
    plain = dialect.heard(Heard(session.id, _time(talk), of_conversation(talk), session.name, path))
    # As the log gives it back: shortened, and as much of it as a record holds.
    now = event(plain, 0)
    last = {one.session: one for one in before.heard}.get(session.id)
    return [] if last is not None and isinstance(now, Heard) and _same(last, now) else [plain]


def _same(one: Heard, two: Heard) -> bool:
    """Whether the same was heard; secrets in the words were masked when they were written."""
    return [(sign.type, sign.line) for sign in one.signals] == [
        (sign.type, sign.line) for sign in two.signals
    ]


def _time(talk: Conversation) -> float:
    return clock.now() if talk.ended is None else talk.ended
