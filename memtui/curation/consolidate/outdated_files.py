"""Summaries of sessions and daily files that are old enough go to the trash (spec 002: 30 and 90 days), restorable.

Only in homes whose own rules say so. Never today's, never a transcript, never what is pinned or evergreen, and no
session that nobody has heard yet: what it tells of trouble must stand in the log first. Where every one of more than
`ALL` is outdated, none goes: so it looks where a clock is wrong, or where nobody was for long.
"""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.curation.consolidate.work import Told, unable
from memtui.disk.walk import walk
from memtui.edits import Edit
from memtui.errors import MemtuiError, StaleIndexError
from memtui.layouts import layout
from memtui.locale import _, _n
from memtui.model import Filter, Layer, Problem
from memtui.parse.dates import day_of_path
from memtui.writes import KEEPER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.curation.consolidate.work import Work
    from memtui.parse.source import Role

LAYOUTS = frozenset({"memtui", "code-memory"})
"""Those of spec 002; other tools look after their own."""
DAY = 86400.0
VERB = "retention"
"""What the journal calls it."""
_BACK = 5000
"""Writes that are looked through for what somebody brought back."""
ALL = 20
"""More than so many of one sort, and no other of it, do not go: see `_still`."""
_AT_ONCE = 50
"""Files of one write."""
_SESSIONS, _DAILY = "sessions", "daily"
_STAYS = tuple(
    word.encode(encoding)
    for word in ("pinned", "evergreen", "permanent", "置顶", "常青")
    for encoding in ("utf-8", "gb18030")
)
"""One of these stands in every file that says of itself that it stays."""


class Outdated(NamedTuple):
    """One file, whose time may be over."""

    path: str
    what: str
    """sessions or daily."""
    days: int
    """How old it is."""


def retired(work: Work) -> Told:
    """Move what is outdated to the trash, fifty files a write."""
    if work.home.layout not in LAYOUTS:
        return Told()
    limits = {_SESSIONS: work.config.lifecycle.sessions_days, _DAILY: work.config.lifecycle.daily_days}
    aged = sorted(_aged(work))
    found = [one for one in aged if limits[one.what] and one.days > limits[one.what]]
    still = _still(aged, found, limits)
    found = [one for one in found if one.what not in still]
    kept = _kept(work, found)
    going = [one for one in found if one.path not in kept]
    left = [*still.items(), *kept.items()]
    failed = _gone(work, going, left) if going and not work.dry_run else False
    lost = {path for path, _why in left}
    lines = tuple(
        _n("{path}: {count} day old", "{path}: {count} days old", one.days).format(path=one.path)
        for one in going
        if one.path not in lost
    )
    counts = {what: sum(one.what == what and one.path not in lost for one in going) for what in limits}
    return Told(counts, lines, tuple(left), failed=failed)


def _still(aged: list[Outdated], found: list[Outdated], limits: dict[str, int]) -> dict[str, str]:
    """The sorts of which nothing is left but what is outdated, and why none of it goes.

    Today's do not count: the run may have made them. Small homes are no matter: what goes can be seen at a glance.
    """
    why = _(
        "all of them are older than {days} days, as if the clock were wrong or nobody had been here: nothing was "
        "taken, and nothing is until newer ones stand beside them"
    )
    return {
        what: why.format(days=limits[what])
        for what in limits
        if ALL
        < sum(one.what == what for one in found)
        == sum(one.what == what and one.days > 0 for one in aged)
    }


def _gone(work: Work, going: list[Outdated], left: list[tuple[str, str]]) -> bool:
    """Move all of them; `left` gets what could not be. Whether the disk was why."""
    current, work.vault.current = work.vault.current, False
    failed = False
    try:
        for at in range(0, len(going), _AT_ONCE):
            work.tell(at, len(going))
            failed |= _moved(work, going[at : at + _AT_ONCE], left)
    finally:
        # Once for all of them.
        work.vault.current = current
        work.vault.taken_in([os.path.join(work.name, *one.path.split("/")) for one in going])
        work.vault.refresh()
    return failed


def _aged(work: Work) -> Iterator[Outdated]:
    kind = layout(work.home.layout)
    today = clock.local(work.now).toordinal()

    def role(path: str) -> Role | None:
        found = kind.role(work.home.path, path)
        return found if found is not None and _what(found, path) else None

    def prune(path: str) -> bool:
        return path.split("/", 1)[0] not in {_SESSIONS, _DAILY} or kind.prune(work.home.path, path)

    told = _told(work)
    for item in walk(work.home.path, role, prune):
        if isinstance(item, Problem):
            continue
        what = _what(item.role, item.path)
        day = day_of_path(item.path)
        stamp = clock.parse(day) if day else told.get(item.path)
        age = today - clock.local(item.mtime_ns / 1e9 if stamp is None else stamp).toordinal()
        yield Outdated(item.path, what, age)


def _told(work: Work) -> dict[str, float]:
    """When sessions say that they were: a copy of a home, or a checkout, makes files younger than they are."""
    wanted = Filter(frozenset({Layer.SESSION}), frozenset({"session"}), frozenset({work.name}), frozenset())
    told: dict[str, float] = {}
    for target in work.vault.targets(wanted):
        # The index knows: no file is read for it.
        with suppress(StaleIndexError):
            rows = target.index.rows(target.index.ids(wanted, "path")) if target.index is not None else ()
            told |= {row.path: row.time for row in rows if row.dated}
    return told


def _what(role: Role, path: str) -> str:
    """Which of the two sorts a file is; empty: neither."""
    if role.layer is Layer.SESSION and role.parser == "session" and path.startswith(f"{_SESSIONS}/"):
        return _SESSIONS
    day = role.layer is Layer.JOURNAL and path.startswith(f"{_DAILY}/") and bool(day_of_path(path))
    return _DAILY if day else ""


def _kept(work: Work, found: list[Outdated]) -> dict[str, str]:
    """Those that stay all the same, and why."""
    from memtui.curation.retention import exempt

    brought = _brought_back(work) if found else frozenset()
    kept = {one.path: _("it was brought back from the trash") for one in found if one.path in brought}
    for one in found:
        data = (work.vault.bytes_of(work.name, one.path) or b"").lower()
        # Most files say nothing of the sort, and are not read for it.
        if any(hint in data for hint in _STAYS):
            wanted = Filter(homes=frozenset({work.name}), statuses=frozenset(), path=one.path, parts=True)
            why = next(filter(None, map(exempt, work.vault.memories(wanted, "path"))), "")
            if why:
                kept[one.path] = why
    # A dry run comes after nothing was heard: the run itself hears them first.
    if found and not work.dry_run:
        from memtui.evolution import past

        paths = {one.path for one in found}
        for heard in past.sessions(work.vault, work.home):
            if not heard.line and heard.path in paths:
                kept.setdefault(heard.path, _("nobody has heard it yet"))
    return kept


def _brought_back(work: Work) -> frozenset[str]:
    """Files that went this way before, and that somebody took back as far as the journal knows."""
    from memtui.disk.journal import Journal

    return frozenset(
        done.path
        for record in islice(Journal().records(), _BACK)
        if record.verb == VERB and record.undone
        for done in record.changes
        if done.home == work.name
    )


def _moved(work: Work, going: list[Outdated], left: list[tuple[str, str]]) -> bool:
    """Move some to the trash; `left` gets what could not be. Whether the disk was why."""
    edits: list[Edit] = []
    for one in going:
        try:
            data = work.vault.bytes_of(work.name, one.path)
        except (MemtuiError, OSError) as error:
            left.append((one.path, str(error)))
            continue
        if data is not None:
            edits.append(Edit(work.name, one.path, data, (), remove=True))
    if not edits:
        return False
    what = _n("moved {count} old file to the trash", "moved {count} old files to the trash", len(edits))
    try:
        work.vault.apply(edits, verb=VERB, who=KEEPER, what=what, group=work.group, confirmed=True)
    except MemtuiError as error:
        left += ((os.fspath(edit.path), str(error)) for edit in edits)
        return unable(error)
    return False
