"""What is computed of a home, kind by kind, and the process of low priority that does it.

`update_analyses` brings the derived file up to date, for that process and for a command that must be exact. Two
processes on one home share the work: the second one finds it done.

`python -m memtui.analysis.process` is started by `Analyst`. The first line of stdin says which homes and
settings, every further line asks to look again ('now': without a rest). It reports as lines of JSON, stays a
little while for the next change, which is then cheap, and ends by itself; the end of stdin ends it at once.
Killed at any moment it loses nothing but the work of that moment.
"""

from __future__ import annotations

import gc
import json
import os
import queue as queue_process
import sys
import threading
import time
from contextlib import ExitStack, suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.analysis import compute_rest, derived
from memtui.analysis.derived import ACROSS, KINDS, Finished, Kind, place_of
from memtui.consolidation import EVOLVED
from memtui.core import clock
from memtui.core.config import Config
from memtui.core.errors import LockedError, MemtuiError, UnavailableError
from memtui.core.model import Home
from memtui.core.startup import sha256
from memtui.evolution import audit, experiences, sessions_read
from memtui.evolution.audit import PATH
from memtui.evolution.overview import load_overview
from memtui.fs.files import sign_file
from memtui.fs.locks import hold_lock, step_back
from memtui.review import proposals, queue
from memtui.review.census import (
    export_alike,
    import_alike,
    load_census,
    load_distill_settings,
    make_empty_census,
)
from memtui.review.checkup import find_faults
from memtui.review.queue import find_echoes
from memtui.store import candidates
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memtui.evolution.effects import Overview
    from memtui.store.candidates import Candidate, Finding, Queue

TOGETHER: dict[Kind, tuple[Kind, ...]] = {
    "overview": ("glance", "overview"),
    "queue": ("queue", "rest", "refused", "chains"),
}
"""One look at a home answers these."""

ROUNDS: tuple[tuple[Kind, ...], ...] = (TOGETHER["queue"], TOGETHER["overview"], ("effects",), ("echoes",))
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


def stamp_home(vault: Vault, home: Home) -> str:
    """Of all that a home's analyses are worked out from; empty while its index is not whole. Reads the disk."""
    mark = vault.mark(home)
    if mark is None:
        return ""
    config = vault.config
    parts = (
        mark,
        candidates.stamp([home]),
        candidates.stamp_stored(home),
        sign_file(os.path.join(audit.find_log_home(home).path, *PATH.split("/"))),
        load_distill_settings(vault, home),
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
        own = {str(home.path): stamp_home(vault, home) for home in vault.own_homes}
        whole = all(own.values())
        return cls(own, sha256("\0".join(own.values()).encode()) if whole and own else "")

    def of_kind(self, home: Home, kind: Kind) -> str:
        """What an analysis of that kind goes by, where one home's own changes are all that counts."""
        return self.every if kind in ACROSS else self.own.get(str(home.path), "")


def list_missing_analyses(
    vault: Vault, now: Stamps, kinds: Iterable[Kind], exact: bool = False
) -> list[tuple[Home, Kind]]:
    """What is to be worked out: missing, of another stamp, or too long ago. Homes that are not whole are left out."""
    moment, longest = clock.now(), EXACT if exact else FRESH
    held: dict[str, dict[tuple[str, str], tuple[str, str, float]]] = {}
    found: list[tuple[Home, Kind]] = []
    for kind in kinds:
        for home in vault.own_homes[:1] if kind in ACROSS else vault.own_homes:
            stamp = now.of_kind(home, kind)
            if not stamp:
                continue
            place, scope = place_of(vault, home, kind)
            name = str(place.directory)
            if name not in held:
                held[name] = derived.read_stamps(place)
            row = held[name].get((kind, scope))
            # One home's answer may name another's memories: whoever must be exact goes by all of them.
            if (
                row is None
                or (row[0] != now.every if exact else row[1] != stamp)
                or not -1.0 <= moment - row[2] <= longest
            ):
                found.append((home, kind))
    return found


def load_whole_queue(vault: Vault, homes: frozenset[str], rejected: bool) -> Queue:
    """What waits in Review, worked out here and now."""
    return queue.load_queue(vault, homes, rejected, evolved=EVOLVED)


def list_broken_chains(vault: Vault, homes: frozenset[str]) -> Iterator[Finding]:
    """Successors that are nowhere, and orders to agents."""
    return (one for count in load_census(vault, homes) for one in find_faults(vault, count))


def complete_unseen(vault: Vault, home: Home, candidate: Candidate) -> list[Candidate]:
    """What was proposed since the last comparison, as far as it is known without one; none where it cannot be read."""
    with suppress(MemtuiError):
        return [proposals.complete_candidate(vault, make_empty_census(vault, home), candidate)]
    return []


def update_analyses(
    vault: Vault,
    kinds: Iterable[Kind] = KINDS,
    *,
    exact: bool = False,
    patience: float = 0.0,
    progress: Callable[[Home, str, int, int], None] | None = None,
) -> dict[tuple[str, Kind], Finished]:
    """Work out what is missing or behind, keep it, and answer what was worked out, by home and kind.

    `patience`: seconds to wait for another process that is at it; afterwards it is worked out twice. `progress` gets
    the home, the kind, steps done and in all.
    """
    made: dict[tuple[str, Kind], Finished] = {}
    now = Stamps.of(vault)
    steps = list_missing_analyses(vault, now, kinds, exact)
    total = len({(str(home.path), _group(kind)) for home, kind in steps})
    done: set[tuple[str, Kind]] = set()
    for home, kind in steps:
        key = str(home.path), _group(kind)
        if key in done:
            continue
        if progress is not None:
            progress(home, kind, len(done), total)
        with ExitStack() as stack:
            with suppress(LockedError, UnavailableError):
                lock = vault.place(home).lock
                stack.enter_context(hold_lock(lock.with_name(f"{lock.stem}.analysis.lock"), patience))
            if (home, kind) in list_missing_analyses(vault, now, (kind,), exact):
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
        return {"effects": tuple(experiences.load_effects(vault))}
    if kind == "echoes":
        return {"echoes": find_echoes(vault)}
    if kind == "overview":
        found = _learned(vault, home)
        return {"glance": _shorten(found), "overview": found}
    waiting: list[Any] = []
    refused: list[Any] = []
    broken: list[Any] = []
    place = vault.place(home)
    before = derived.load_parts(place, ALIKE).get("", ("", None))[1]
    import_alike(vault, home, before)
    beside = [other for other in vault.homes if queue.share_folder(home, other)]
    counted = load_census(vault, frozenset(str(one.path) for one in beside))
    gathered = [
        (
            count,
            *queue.gather_candidates(vault, count, candidates.load_decisions([count.home]), clock.now(), EVOLVED),
        )
        for count in counted
    ]
    for count, made, left in gathered:
        if count.home.path == home.path:
            most = queue.allocate_cards(len(made), [len(others) for _count, others, _left in gathered])
            waiting, more = queue.choose_shown(vault, home, made, most)
            refused = [*left, *more]
            broken = list(find_faults(vault, count))
    if (after := export_alike(vault, home)) != before:
        derived.store_parts(place, ALIKE, {"": ("", after)})
    waiting.sort(key=candidates.rank_urgency)
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
    sessions_read.import_readings(vault, home, before)
    found = load_overview(vault, home)
    after = sessions_read.export_readings(vault, home)
    changed = {path: one for path, one in after.items() if one != before.get(path)}
    if changed or before.keys() - after.keys():
        derived.store_parts(place, SAID, changed, before.keys() - after.keys())
    return found


LINGER = 5.0
"""Seconds without a change after which it ends and gives its memory back."""

HELD = 64 * 1024 * 1024
"""Bytes that it may have while it waits for the next change; after a run that took more it ends."""

MANY = 1 << 10
"""What remembers more than so many answers is made to forget them after each round."""

PATIENCE = 120.0
"""Seconds to wait for another process that works out the same home."""


def main() -> int:
    """Serve whoever started it."""
    wish = json.loads(sys.stdin.readline())
    homes = [Home(Path(path), *rest) for path, *rest in wish["homes"]]
    config = read_config(wish["config"])
    step_back()
    asked: queue_process.SimpleQueue[str] = queue_process.SimpleQueue()
    threading.Thread(target=_listen, args=(asked,), daemon=True).start()
    _serve(homes, config, asked)
    return 0


def read_config(plain: dict[str, Any]) -> Config:
    """The settings as `analyst.dump_config` wrote them."""
    base = Config()
    sections = {
        name: type(part)(
            **{key: tuple(value) if isinstance(value, list) else value for key, value in plain[name].items()}
        )
        for name, part in base._asdict().items()
        if hasattr(part, "_asdict")
    }
    return base._replace(**sections, keymap=plain["keymap"])


def _serve(homes: list[Home], config: Config, asked: queue_process.SimpleQueue[str]) -> None:
    while True:
        began = time.monotonic()
        behind = _once(homes, config)
        took = time.monotonic() - began
        _say(idle=True, took=took, behind=behind)
        if _grown():
            # Python gives little of it back, and to begin anew costs less than it does to hold.
            return
        # What changes all the time must not keep a core busy; who asks for it now is answered now.
        until = time.monotonic() + compute_rest(took)
        try:
            word = asked.get(timeout=LINGER + compute_rest(took))
            while word != "now" and (left := until - time.monotonic()) > 0:
                with suppress(queue_process.Empty):
                    word = asked.get(timeout=left)
            while not asked.empty():
                asked.get()
        except queue_process.Empty:
            return


def _once(homes: list[Home], config: Config) -> bool:
    """One run; whether something is behind again already.

    Each round has a vault of its own: what it remembers of a large home is more than all that an app at rest may hold,
    and what is worth keeping is in the derived file.
    """

    def progress(home: Home, kind: str, done: int, total: int) -> None:
        _say(home=str(home.path), kind=kind, done=done, total=total)

    try:
        # Millions of small values that all stay: looking them through for cycles again and again finds none.
        gc.disable()
        behind = [_round(homes, config, kinds, progress) for kinds in ROUNDS]
        return any(behind)
    except (MemtuiError, OSError) as error:
        _say(trouble=str(error))
        return False
    finally:
        gc.enable()


def _round(
    homes: list[Home],
    config: Config,
    kinds: tuple[Kind, ...],
    progress: Callable[[Home, str, int, int], None],
) -> bool:
    try:
        with Vault(homes, config) as vault:
            # Whoever started us keeps the index right.
            vault.current = False
            update_analyses(vault, kinds, patience=PATIENCE, progress=progress)
            behind = bool(list_missing_analyses(vault, Stamps.of(vault), kinds))
        del vault
        return behind
    finally:
        _forget()


def _grown() -> bool:
    """Whether more memory was needed than a process may hold while it waits."""
    try:
        import resource
    except ImportError:
        return True
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit > HELD


def _forget() -> None:
    """Give back what functions remember of thousands of texts, and whatever else nobody needs any more."""
    for name, module in list(sys.modules.items()):
        for value in list(vars(module).values()) if name.startswith("memtui.") else ():
            if isinstance(value, _lru_cache_wrapper) and (value.cache_parameters()["maxsize"] or 0) > MANY:
                value.cache_clear()
    gc.collect()


def _say(**values: Any) -> None:
    try:
        sys.stdout.write(json.dumps(values) + "\n")
        sys.stdout.flush()
    except OSError:
        # Nobody listens any more; what was finished is in place.
        os._exit(0)


def _listen(asked: queue_process.SimpleQueue[str]) -> None:
    for line in sys.stdin:
        asked.put(line.strip())
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
