"""A list of memories as a search answers: for a query that is only filters."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.errors import StaleIndexError
from memtui.locale import _, _n
from memtui.model import Layer
from memtui.results import Hit, Results

if TYPE_CHECKING:
    from memtui.model import Filter, Memory
    from memtui.search.target import Target
    from memtui.vault import Vault


def newest(vault: Vault, wanted: Filter, limit: int) -> Results:
    """The newest memories that pass, as hits of no score; of homes without an index, what their files hold."""
    from memtui.search.suggest import name_unread

    refs = vault.ids(wanted)
    memories = vault.load(refs[:limit])
    hits = [hit(memory) for memory in memories if memory is not None]
    lost = len(memories) - len(hits)
    found = Results(hits)
    found.total = len(refs) - lost
    said: dict[str, None] = {}
    targets = vault.targets(wanted)
    for target in targets:
        if target.warning:
            said[target.warning] = None
        if target.index is None:
            _scanned(target, wanted, found, said)
        elif wanted.statuses:
            _hidden(target, wanted, found)
    if found.backend == "scan":
        found.sort(key=lambda one: one.time or 0.0, reverse=True)
        del found[limit:]
    if lost:
        told = _n("{count} memory cannot be read any more", "{count} memories cannot be read any more", lost)
        said[told.format(count=lost)] = None
    found.warning = "; ".join(said) or ("" if found else name_unread(targets))
    return found


def _hidden(target: Target, wanted: Filter, found: Results) -> None:
    """Count what only the status leaves out."""
    from memtui.index.lists import standings

    assert target.index is not None
    with suppress(StaleIndexError):
        for status, number in standings(target.index, wanted._replace(statuses=frozenset())).items():
            if status not in wanted.statuses:
                found.hidden[status] = found.hidden.get(status, 0) + number


def _scanned(target: Target, wanted: Filter, found: Results, said: dict[str, None]) -> None:
    """Put in what a home's files hold: there is no index to ask."""
    from memtui.search.query import parse
    from memtui.search.scan import Scan

    pool = Scan(target.home, parse(""), wanted).pool()
    said[_("searched the files themselves")] = None
    if pool.warning:
        said[pool.warning] = None
    found.backend = "scan"
    found.total += pool.total
    found.more = found.more or pool.more
    for status, number in pool.hidden.items():
        found.hidden[status] = found.hidden.get(status, 0) + number
    for one in pool.candidates:
        found.append(
            Hit(
                str(one.home.path), one.path, one.line, one.last, 0.0, _line(one.raw), one.layer, one.kind, "",
                one.status, tuple(one.heading.split("\x1f")) if one.heading else (), one.time, turn=one.turn,
            )
        )  # fmt: skip


def hit(memory: Memory, score: float = 0.0, why: str = "") -> Hit:
    """A memory as a hit: its title or its first line."""
    moment = memory.created if memory.updated is None else memory.updated
    return Hit(
        memory.home, memory.path, memory.start, memory.end, score, _line(memory.title or memory.text),
        memory.layer or Layer.KNOWLEDGE, memory.kind, why, memory.status, memory.heading,
        moment, memory.id,
    )  # fmt: skip


def _line(text: str) -> str:
    """The first line, as a search shows one."""
    from memtui.search.snippet import shown

    return shown(text.partition("\n")[0], [])[0]
