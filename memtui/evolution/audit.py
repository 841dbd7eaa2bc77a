"""Spec 002's audit log: which experience was used in which session, and how that went; only ever appended to.

Every writer here takes the home that the event is about; the log that it goes to is its own, or memtui's.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from memtui import clock
from memtui.edits import Append
from memtui.errors import VanishedError
from memtui.evolution import dialect, events
from memtui.evolution.log import PATH
from memtui.layouts import layout
from memtui.locale import _
from memtui.model import Layer
from memtui.parse.fields import line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.edits import Receipt
    from memtui.evolution.dialect import Plain
    from memtui.evolution.events import Settled, Verdicts
    from memtui.evolution.experience import Experience
    from memtui.model import Home, Memory
    from memtui.vault import Vault
    from memtui.writing import Writing

_QUOTED = 48
"""Characters of a lesson by which a person knows it again."""

W = TypeVar("W", bound="Writing")


def keeps(home: Home) -> bool:
    """Whether a home has a place for the log: memtui's own kind, and code-memory's."""
    role = layout(home.layout).role(home.path, PATH) if home.layout in {"memtui", "code-memory"} else None
    return role is not None and role.layer is Layer.EVOLUTION


def where(home: Home) -> Home:
    """The home whose log has the events of this one: itself, else memtui's own, which may not be there yet."""
    from memtui.curation.destination import own

    return home if home.writable and keeps(home) else own()


def ready(vault: Writing, home: Home) -> Home:
    """The same, made where memtui's own was never there.

    Raises VanishedError where a home is gone that was open or keeps its own log: nothing is made in its place.
    """
    from memtui.curation.destination import made, own

    wanted, opened = where(home), {one.path for one in vault.homes}
    for one in (home, wanted) if keeps(home) else (wanted,):
        if (one.path in opened or one.path != own().path) and not one.path.is_dir():
            raise VanishedError(_("{root} is gone: is its disk there?").format(root=one.path))
    return made(wanted)


@contextmanager
def place(vault: W, home: Home) -> Iterator[tuple[W, Home]]:
    """The same to be written to. Raises as `ready` does."""
    wanted = ready(vault, home)
    held = next((one for one in vault.homes if one.path == wanted.path), None)
    if held is not None:
        yield vault, held
        return
    with vault.over(wanted) as mine:
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
    """Append the use, and the outcome where there is one."""
    told = [dialect.used(used, session, context)]
    if outcome:
        went = events.Outcome(session, None, events.status(outcome), corrections)
        told.append(dialect.went(went, updated=1))
    what = _("noted that {experience} was used").format(experience=used.id)
    return written(vault, home, told, who=who, what=what)


def verdict(
    vault: Vault, memory: Memory, verdict: Verdicts, reason: str = "", *, who: str = "person"
) -> Receipt:
    """Append what somebody says of a memory: it is helpful, wrong, or stale."""
    from memtui.curation.standing import home_of
    from memtui.evolution.experience import meant

    used = meant(vault, memory)
    said = events.Verdict(used.id, verdict, clock.now(), who, reason, digest=used.digest)
    what = _("noted: “{lesson}” is {verdict}").format(lesson=line(memory.text, _QUOTED), verdict=_(verdict))
    return written(vault, home_of(vault, memory.home), [dialect.judged(said)], who=who, what=what)


def settled(vault: Writing, home: Home, settled: Settled, *, who: str) -> Receipt:
    """Append how a pattern stands from now on."""
    # In another home's log its name says whose it is, which nobody can read.
    pattern = settled.pattern.partition(" @")[0]
    what = _("noted that {pattern} is {status}").format(pattern=pattern, status=_(settled.status))
    return written(vault, home, [dialect.settled(settled)], who=who, what=what)


def written(
    vault: Writing, home: Home, told: Sequence[Plain], *, who: str, what: str, group: str = ""
) -> Receipt:
    """Append events to the log that takes a home's. Raises what `Vault.apply` does, as all writers here do."""
    with place(vault, home) as (pen, kept):
        return pen.apply([appended(pen, kept, told, who)], verb="feedback", who=who, what=what, group=group)


def appended(vault: Writing, kept: Home, told: Sequence[Plain], who: str) -> Append:
    """The change that appends events to a home's own log, in the dialect that the log is in."""
    root = str(kept.path)
    data = vault.bytes_of(root, PATH) if kept.path.is_dir() else None
    scripts = dialect.scripted(data or b"", kept)
    return Append(root, PATH, dialect.record(told, scripts=scripts, trusted=who == "person"))
