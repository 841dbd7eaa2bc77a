"""What is worked out of a home, kind by kind, and what each answer depends on.

`bring_up` makes the derived file right: for the process of low priority that the app starts, and for a command that
must be exact. Two processes on one home share the work: who comes second finds it done.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui import clock
from memtui.analysis import derived
from memtui.analysis.derived import ACROSS, KINDS, Finished, Kind, place_of
from memtui.curation import decisions, review, stored
from memtui.curation.census import census, recall, recollect, settings
from memtui.curation.checkup import chains
from memtui.digest import sha256
from memtui.disk.locks import locked
from memtui.errors import LockedError, MemtuiError, UnavailableError
from memtui.evolution import audit, ledger, past
from memtui.evolution.log import PATH
from memtui.evolution.overview import overview

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.evolution.overview import Overview
    from memtui.model import Home
    from memtui.vault import Vault

TOGETHER: dict[Kind, tuple[Kind, ...]] = {
    "overview": ("glance", "overview"),
    "queue": ("queue", "rest", "refused", "chains"),
}
"""One look at a home answers these."""

ROUNDS: tuple[tuple[Kind, ...], ...] = (TOGETHER["queue"], TOGETHER["overview"], ("effects",))
"""All kinds as they are worked out one after the other: what waits for a decision before what is to be learnt."""

FIRST = 500
"""Candidates that a screen is given at once."""

SAID = "said"
"""The parts that are kept of each file of sessions: what they say of themselves."""

ALIKE = "alike"
"""The part that is kept of a home's facts: which of them say the same."""

FRESH = 3600.0
"""Seconds for which an answer holds though nothing changed: ages and decay move on."""
EXACT = 60.0
"""The same, for whoever must be exact."""


def own_stamp(vault: Vault, home: Home) -> str:
    """Of all that a home's analyses are worked out from; empty while its index is not whole. Reads the disk."""
    mark = vault.mark(home)
    if mark is None:
        return ""
    config = vault.config
    parts = (
        mark,
        decisions.stamp([home]),
        stored.stamp(home),
        _signature(os.path.join(audit.where(home).path, *PATH.split("/"))),
        settings(vault, home),
        config.budget,
        config.evolution,
        config.lifecycle,
        config.redact,
        os.environ.get("CAPABILITY_GENERATION", ""),
    )
    return sha256(repr(parts).encode("utf-8", "surrogateescape"))


class Stamps(NamedTuple):
    """What the homes are now."""

    own: dict[str, str]
    """By the home's path."""
    every: str
    """Of all of them; empty while one is not whole."""

    @classmethod
    def of(cls, vault: Vault) -> Stamps:
        """As they are at this moment. Reads the disk."""
        own = {str(home.path): own_stamp(vault, home) for home in vault.homes}
        whole = all(own.values())
        return cls(own, sha256("\0".join(own.values()).encode()) if whole and own else "")

    def of_kind(self, home: Home, kind: Kind) -> str:
        """What an analysis of that kind goes by, where one home's own changes are all that counts."""
        return self.every if kind in ACROSS else self.own.get(str(home.path), "")


def wanted(vault: Vault, now: Stamps, kinds: Iterable[Kind], exact: bool = False) -> list[tuple[Home, Kind]]:
    """What is to be worked out: missing, of another stamp, or too long ago. Homes that are not whole are left out."""
    moment, longest = clock.now(), EXACT if exact else FRESH
    held: dict[str, dict[tuple[str, str], tuple[str, str, float]]] = {}
    found: list[tuple[Home, Kind]] = []
    for kind in kinds:
        for home in vault.homes[:1] if kind in ACROSS else vault.homes:
            stamp = now.of_kind(home, kind)
            if not stamp:
                continue
            place, scope = place_of(vault, home, kind)
            name = str(place.directory)
            if name not in held:
                held[name] = derived.stamps(place)
            row = held[name].get((kind, scope))
            # One home's answer may name another's memories: whoever must be exact goes by all of them.
            if (
                row is None
                or (row[0] != now.every if exact else row[1] != stamp)
                or not -1.0 <= moment - row[2] <= longest
            ):
                found.append((home, kind))
    return found


def bring_up(
    vault: Vault,
    kinds: Iterable[Kind] = KINDS,
    *,
    exact: bool = False,
    patience: float = 0.0,
    progress: Callable[[Home, str, int, int], None] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> dict[tuple[str, Kind], Finished]:
    """Work out what is missing or behind, keep it, and answer what was worked out, by home and kind.

    `patience`: seconds to wait for another process that is at it; afterwards it is worked out twice. `progress` gets
    the home, the kind, steps done and in all.
    """
    made: dict[tuple[str, Kind], Finished] = {}
    now = Stamps.of(vault)
    steps = wanted(vault, now, kinds, exact)
    total = len({(str(home.path), _group(kind)) for home, kind in steps})
    done: set[tuple[str, Kind]] = set()
    for home, kind in steps:
        key = str(home.path), _group(kind)
        if key in done or cancelled():
            continue
        if progress is not None:
            progress(home, kind, len(done), total)
        with ExitStack() as stack:
            with suppress(LockedError, UnavailableError):
                lock = vault.place(home).lock
                stack.enter_context(locked(lock.with_name(f"{lock.stem}.analysis.lock"), patience))
            if (home, kind) in wanted(vault, now, (kind,), exact):
                for each, value in _work_out(vault, home, _group(kind)).items():
                    place, scope = place_of(vault, home, each)
                    finished = Finished(value, clock.now(), now.every, now.of_kind(home, each))
                    made[str(home.path), each] = finished
                    derived.store(place, each, finished, scope)
        done.add(key)
    if progress is not None and total:
        progress(steps[-1][0], "", total, total)
    return made


def _group(kind: Kind) -> Kind:
    return next((name for name, kinds in TOGETHER.items() if kind in kinds), kind)


def _work_out(vault: Vault, home: Home, kind: Kind) -> dict[Kind, Any]:
    if kind == "effects":
        return {"effects": tuple(ledger.standing(vault))}
    if kind == "overview":
        found = _learned(vault, home)
        return {"glance": _shorten(found), "overview": found}
    waiting: list[Any] = []
    refused: list[Any] = []
    broken: list[Any] = []
    place = vault.place(home)
    before = derived.load_parts(place, ALIKE).get("", ("", None))[1]
    recall(vault, home, before)
    for count in census(vault, frozenset({str(home.path)})):
        waiting, refused = review.propose_from(vault, count, decisions.decided([home]), clock.now())
        broken = list(chains(vault, count))
    if (after := recollect(vault, home)) != before:
        derived.store_parts(place, ALIKE, {"": ("", after)})
    waiting.sort(key=decisions.urgency)
    return {
        "queue": (waiting[:FIRST], len(waiting), len(refused)),
        "rest": waiting[FIRST:],
        "refused": refused,
        "chains": broken,
    }


def _shorten(found: Overview) -> Overview:
    """The overview without the sessions behind its numbers: thousands of them are nothing for a first page."""
    few = found.config.window
    return found._replace(
        patterns=tuple(one._replace(sessions=one.sessions[-few:]) for one in found.patterns),
        problems=tuple(one._replace(sessions=one.sessions[-few:]) for one in found.problems),
        effects=(),
        sessions=found.window,
        outcomes={},
        experiences={},
    )


def _learned(vault: Vault, home: Home) -> Overview:
    """The overview. What sessions say is worked out of the files that changed only, whoever did the others."""
    place = vault.place(home)
    before = derived.load_parts(place, SAID)
    past.recall(vault, home, before)
    found = overview(vault, home)
    after = past.recollect(vault, home)
    changed = {path: one for path, one in after.items() if one != before.get(path)}
    if changed or before.keys() - after.keys():
        derived.store_parts(place, SAID, changed, before.keys() - after.keys())
    return found


def _signature(file: str) -> tuple[int, ...]:
    try:
        status = os.stat(file)
    except (OSError, MemtuiError):
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
