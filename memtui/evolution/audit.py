"""Spec 002's audit log: which experience was used in which session, and how that went; only ever appended to.

Every writer here takes the home that the event is about; the log that it goes to is its own, or memtui's.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from memtui import clock
from memtui.edits import Append
from memtui.evolution import dialect, events
from memtui.evolution.log import PATH
from memtui.layouts import layout
from memtui.locale import _
from memtui.model import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.edits import Receipt
    from memtui.evolution.dialect import Plain
    from memtui.evolution.events import Heard, Outcome, Settled, Verdicts
    from memtui.evolution.experience import Experience
    from memtui.model import Home, Memory
    from memtui.vault import Vault
    from memtui.writing import Writing

W = TypeVar("W", bound="Writing")


def keeps(home: Home) -> bool:
    """Whether a home has a place for the log: memtui's own kind, and code-memory's."""
    role = layout(home.layout).role(home.path, PATH) if home.layout in {"memtui", "code-memory"} else None
    return role is not None and role.layer is Layer.EVOLUTION


def where(home: Home) -> Home:
    """The home whose log has the events of this one: itself, else memtui's own, which may not be there yet."""
    from memtui.curation.destination import own

    return home if home.writable and keeps(home) else own()


@contextmanager
def place(vault: W, home: Home) -> Iterator[tuple[W, Home]]:
    """The same to be written to, made where it is missing. Raises ReadOnlyError."""
    from memtui.curation.destination import made

    wanted = where(home)
    held = next((one for one in vault.homes if one.path == wanted.path), None)
    if held is not None:
        yield vault, held
        return
    with vault.over(made(wanted)) as mine:
        mine.current = False
        yield mine, wanted


def noted(
    vault: Writing,
    home: Home,
    used: Experience,
    session: str,
    *,
    who: str,
    context: str = "",
    outcome: str = "",
    corrections: int = 0,
) -> Receipt:
    """Append the use, and the outcome where there is one. Raises what `Vault.apply` does, as all writers here do."""
    told = [dialect.used(used.id, session, context)]
    if outcome:
        went = events.Outcome(session, None, events.status(outcome), corrections)
        told.append(dialect.went(went, updated=1))
    what = _("noted that {experience} was used").format(experience=used.id)
    return written(vault, home, told, verb="feedback", who=who, what=what)


def went(
    vault: Writing, home: Home, outcome: Outcome, *, who: str, errors: bool = False, group: str = ""
) -> Receipt:
    """Append how a session went; `errors`: whether anything failed in it."""
    what = _("noted how session {session} went: {outcome}").format(
        session=outcome.session, outcome=_(outcome.status)
    )
    told = [dialect.went(outcome, errors=errors)]
    return written(vault, home, told, verb="feedback", who=who, what=what, group=group)


def verdict(
    vault: Vault, memory: Memory, verdict: Verdicts, reason: str = "", *, who: str = "person"
) -> Receipt:
    """Append what somebody says of a memory: it is helpful, wrong, or stale."""
    from memtui.curation.standing import home_of
    from memtui.evolution.experience import meant

    used = meant(vault, memory)
    said = events.Verdict(used.id, verdict, clock.now(), who, reason)
    what = _("noted that {experience} is {verdict}").format(experience=used.id, verdict=_(verdict))
    return written(
        vault, home_of(vault, memory.home), [dialect.judged(said)], verb="feedback", who=who, what=what
    )


def heard(vault: Writing, home: Home, heard: Heard, *, who: str, group: str = "") -> Receipt:
    """Append the signals of a session. Later ones of the same session take their place."""
    what = _("noted the signals of session {session}").format(session=heard.session)
    return written(vault, home, [dialect.heard(heard)], verb="feedback", who=who, what=what, group=group)


def settled(vault: Writing, home: Home, settled: Settled, *, who: str) -> Receipt:
    """Append how a pattern stands from now on."""
    what = _("noted that {pattern} is {status}").format(pattern=settled.pattern, status=_(settled.status))
    return written(vault, home, [dialect.settled(settled)], verb="feedback", who=who, what=what)


def written(
    vault: Writing, home: Home, told: Sequence[Plain], *, verb: str, who: str, what: str, group: str = ""
) -> Receipt:
    """Append events to the log that takes a home's, in its own dialect."""
    with place(vault, home) as (pen, kept):
        root = str(kept.path)
        scripts = dialect.scripted(pen.bytes_of(root, PATH) or b"", kept)
        record = dialect.record(told, scripts=scripts, trusted=who == "person")
        return pen.apply([Append(root, PATH, record)], verb=verb, who=who, what=what, group=group)
