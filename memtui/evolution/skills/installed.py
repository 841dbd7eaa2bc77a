"""The skills that memtui installed: what its log says of them, how they stand on disk, and taking one away again."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.disk.folder import real_path
from memtui.edits import Edit
from memtui.errors import MemtuiError, RefusedError, UnconfirmedError
from memtui.evolution import audit
from memtui.evolution.skills import places, records
from memtui.layouts.skills import SKILL
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.edits import Change, Receipt
    from memtui.evolution.skills.places import Anchor
    from memtui.evolution.skills.records import Event
    from memtui.model import Home
    from memtui.vault import Vault
    from memtui.writing import Writing

_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,63}", re.ASCII)
"""Names that scripts gave as well: 'auto-environment_issue'."""


class Capability(NamedTuple):
    """One skill."""

    name: str
    path: str
    """Of its SKILL.md, absolute."""
    made: float | None
    pattern: str
    """The key of the pattern that it was made from."""
    there: bool
    changed: bool | None
    """Whether somebody has changed it since; None: it is gone, or nobody wrote down what it was."""


def installed(vault: Vault, home: Home) -> list[Capability]:
    """Every skill that the log of this home says was made and not taken away, oldest first."""
    kept = audit.where(home)
    return [_standing(vault, kept, event) for event in _events(vault, kept)]


def remove(vault: Vault, home: Home, name: str, *, who: str, confirmed: bool = False) -> Receipt:
    """Move a skill to the trash, take its line out of the index, and have its pattern active again: one write.

    Raises RefusedError for a skill that memtui did not make, UnconfirmedError where somebody has changed it since and
    nobody `confirmed` that this goes, too, and what `Vault.apply` does.
    """
    kept = audit.where(home)
    event = next((one for one in _events(vault, kept) if one.name == name), None)
    if event is None:
        raise RefusedError(_("memtui made no skill {name} that is still there.").format(name=name))
    stands = _standing(vault, kept, event)
    if stands.there and stands.changed is not False and not confirmed:
        raise UnconfirmedError(
            _("{path} was changed since it was made. Say so, and it goes to the trash as it is.").format(
                path=stands.path
            )
        )
    place = places.of(kept, vault.config.evolution)
    at = _anchor(kept, vault, event)
    wanted: list[Change] = []
    base = vault.bytes_of(at.root, at.path) if at is not None and stands.there else None
    if at is not None and base is not None:
        wanted.append(Edit(at.root, at.path, base, (), remove=True))
    index = place.listed
    line = places.without_line(index, vault.bytes_of(index.root, index.path), name)
    gone = event._replace(done="gone", time=clock.now(), path=stands.path, many=0)
    state = records.renewed(vault, kept, gone)
    wanted += [*([line] if line else []), records.noted(vault, kept, gone), *([state] if state else [])]
    if event.pattern:
        why = _("the skill {name} was removed").format(name=name)
        wanted.append(records.settled(vault, kept, event.pattern, "active", why, who))
    pen = vault.beside([kept, index.home, *([at.home] if at is not None else [])])
    what = _("removed the skill {name}").format(name=name)
    receipt = pen.apply(wanted, verb="delete", who=who, what=what, confirmed=True)
    if at is not None and base is not None:
        # Nothing is in it any more, unless somebody put something beside the skill: then it stays.
        with suppress(OSError):
            os.rmdir(os.path.dirname(at.file))
    return receipt


def _events(vault: Writing, kept: Home) -> list[Event]:
    state, events = records.read(vault, kept)
    found: dict[str, Event] = {}
    for event in events:
        found.pop(event.name, None)
        if event.done == "made":
            found[event.name] = event
    told = {event.name for event in events}
    for event in state.generated:
        if event.name not in told:
            found.setdefault(event.name, event)
    return [event for event in found.values() if _NAME.fullmatch(event.name)]


def _standing(vault: Writing, kept: Home, event: Event) -> Capability:
    at = _anchor(kept, vault, event)
    data: bytes | None = None
    if at is not None:
        with suppress(MemtuiError):
            data = vault.bytes_of(at.root, at.path)
    there = data is not None
    changed = records.digest(data) != event.digest if data is not None and event.digest else None
    path = event.path if at is None else at.file
    return Capability(event.name, path, event.time, event.pattern.partition(" @")[0], there, changed)


def _anchor(kept: Home, vault: Writing, event: Event) -> Anchor | None:
    """Where the skill stands: only ever below a directory of skills, whatever the log says. None: nowhere we know."""
    folders = places.known(kept, vault.config.evolution)
    said = os.path.normpath(os.path.expanduser(event.path)) if event.path else ""
    for folder in folders:
        file = folder / event.name / SKILL
        with suppress(MemtuiError):
            if said and real_path(said) != real_path(file):
                continue
            return places.anchored(file, above=folder)
        return None
    return None
