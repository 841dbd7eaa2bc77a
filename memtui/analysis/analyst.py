"""Finished analyses for whoever shows them, and whether they are behind.

Before `start`, and where no process can be started, answers are computed in the calling thread. Afterwards they
are read from the derived file, and one process of low priority keeps it up to date.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.analysis import compute_rest, derived
from memtui.evolution import audit
from memtui.fs.locks import end_process
from memtui.store import candidates
from memtui.store.candidates import Queue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

    from memtui.analysis.derived import Finished, Kind
    from memtui.core.config import Config
    from memtui.core.model import Home, Memory
    from memtui.evolution.audit import Settled
    from memtui.evolution.effects import Effect, Overview, Pattern
    from memtui.store.candidates import Candidate, Finding
    from memtui.store.vault import Vault


def _load_work() -> ModuleType:
    """What works it out: mostly another process has done so, and the app's first seconds need none of it."""
    from memtui.analysis import process

    return process


class QueueState(NamedTuple):
    """What waits in Review, as far as it is worked out."""

    queue: Queue
    total: int
    """Of what waits: the queue of a large home begins with what matters most."""
    refused: int
    """Facts that were not proposed."""
    at: float | None
    """When it was worked out; None: now."""


class HomeLearning(NamedTuple):
    """What one home has learnt from use."""

    overview: Overview
    at: float | None


def settle_since(known: Overview, settled: Iterable[Settled]) -> Overview:
    """The overview with what somebody said of patterns since it was worked out: a person sees at once what they did."""
    said = {one.pattern: one for one in settled if one.time is not None and one.time > known.now}
    if not said:
        return known

    def apply(pattern: Pattern) -> Pattern:
        word = said.get(pattern.key)
        if word is None:
            return pattern
        return pattern._replace(status=word.status, who=word.who, reason=word.reason, priority="normal")

    return known._replace(patterns=tuple(map(apply, known.patterns)), problems=tuple(map(apply, known.problems)))


CALM = 0.3
"""Seconds without a change before it is looked at what changed."""


TRIES, AGAIN = 5, 2.0
"""So often a process that died is started again, after so many seconds each time more."""

OTHERS = 3.0
"""Seconds that a command waits for another process which works out the same."""


class Analyst:
    """Analyses of the homes of one vault. `start` it once, `wake` it after changes, `stop` it in the end."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._announce: Callable[[], object] = lambda: None
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._stopped = False
        self._urgent = False
        self._rested = 0.0
        self._thread: threading.Thread | None = None
        self._child: subprocess.Popen[str] | None = None
        self._made: dict[tuple[str, Kind], Finished] = {}
        """What this process worked out itself."""
        self._held: dict[tuple[str, Kind], tuple[tuple[int, ...], Finished | None]] = {}
        self.apart = False
        """Whether a process of its own works it out."""
        self.busy = False
        """Whether it is at work, or about to be."""
        self.behind = False
        """Whether what it finished last was of homes that have changed since: it rests before it goes on."""
        self.doing = ("", 0, 0)
        """The kind that is worked out, steps done and in all."""
        self.trouble = ""
        """Why it could not go on, for a person; empty: it can."""
        self.turns = 0
        """Grows whenever something was finished."""

    # -- the process --------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """From now on nothing is worked out in this process, though no other has begun yet."""
        self.apart = self.busy = True

    def start(self, announce: Callable[[], object]) -> None:
        """Have a process work everything out from now on; `announce` is called on a thread when there is news."""
        self._announce = announce
        self.prepare()
        self.wake()

    def wake(self, *, now: bool = False) -> None:
        """Something changed; returns at once. `now`: a person waits for it."""
        if not self.apart:
            return
        with self._lock:
            if self._stopped:
                return
            self._urgent = self._urgent or now
            # While it rests, what is shown is behind already.
            self.busy = True
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="memtui-analysis", daemon=True)
                self._thread.start()
            self._woken.set()
            if self._child is not None:
                self._ask(self._child)

    def stop(self) -> None:
        """End it, and its process."""
        with self._lock:
            self._stopped = True
            child = self._child
            self._woken.set()
        if child is not None:
            end_process(child)

    def bring_up(self, kinds: Iterable[Kind], progress: Callable[[Home, str, int, int], None] | None = None) -> None:
        """Work out here and now what is missing or behind, and keep it: for a command that must be exact."""
        work = _load_work()
        if work.Stamps.of(self._vault).every:
            self._made = work.update_analyses(self._vault, kinds, exact=True, patience=OTHERS, progress=progress)
            self.apart = True

    def _ask(self, child: subprocess.Popen[str]) -> None:
        """Tell the running process. Called with the lock held."""
        self._woken.clear()
        self.busy = True
        word, self._urgent = "now" if self._urgent else "again", False
        with suppress(OSError, ValueError):
            assert child.stdin is not None
            child.stdin.write(word + "\n")
            child.stdin.flush()

    def _run(self) -> None:
        tries = 0
        while True:
            self._woken.wait()
            time.sleep(CALM)
            self._rest()
            if self._left():
                return
            with self._lock:
                self._woken.clear()
                self._urgent, self.busy = False, True
            whole = self._attend()
            if self._left():
                return
            tries = 0 if whole else tries + 1
            if not whole and tries <= TRIES:
                time.sleep(AGAIN * tries)
                self._woken.set()
            elif not whole:
                self._set(busy=False, trouble="the process that analyses your memories ended too soon")
            elif self.busy:
                # It was asked in the moment in which it ended.
                self._woken.set()

    def _rest(self) -> None:
        """Wait until the process may work again, or a person waits for it."""
        while (left := self._rested - time.monotonic()) > 0 and not self._urgent and not self._left():
            self._woken.clear()
            self._woken.wait(left)

    def _left(self) -> bool:
        with self._lock:
            return self._stopped

    def _attend(self) -> bool:
        """One process from its start to its end; whether it ended by itself."""
        try:
            child = subprocess.Popen(
                [sys.executable, "-m", "memtui.analysis.process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
            )
        except OSError as error:
            self._set(busy=False, trouble=error.strerror or "no process can be started")
            return True
        vault = self._vault
        wish = {
            "homes": [[str(home.path), *home[1:]] for home in vault.own_homes],
            "config": dump_config(vault.config),
        }
        idle = False
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            with suppress(OSError):
                child.stdin.write(json.dumps(wish) + "\n")
                child.stdin.flush()
            with self._lock:
                self._child = child
                if self._woken.is_set():
                    self._ask(child)
            for line in child.stdout:
                with suppress(ValueError):
                    said = json.loads(line)
                    idle = bool(said.get("idle"))
                    self._hear(said)
        finally:
            with self._lock:
                self._child = None
            end_process(child)
            child.stdout.close()
        return idle

    def _hear(self, said: dict[str, Any]) -> None:
        if said.get("idle"):
            with self._lock:
                busy = self._woken.is_set()
            self._rested = time.monotonic() + compute_rest(float(said.get("took", 0.0)))
            self._set(busy=busy, behind=bool(said.get("behind")), trouble="", turns=self.turns + 1)
        elif "trouble" in said:
            self._set(trouble=str(said["trouble"]))
        elif "kind" in said:
            doing = str(said["kind"]), int(said["done"]), int(said["total"])
            self._set(doing=doing, turns=self.turns + bool(said["done"]))

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            setattr(self, name, value)
        if not self._stopped:
            self._announce()

    # -- what is finished; on a reader's thread -----------------------------------------------------------------

    def load_queue(
        self, homes: frozenset[str] = frozenset(), *, rejected: bool = False, whole: bool = False
    ) -> QueueState | None:
        """What waits in Review, the first of it or the `whole`; None: not known yet.

        `rejected`: with it what a person rejected, and the facts that were not proposed.
        """
        if not self.apart:
            found: Queue = _load_work().load_whole_queue(self._vault, homes, rejected)
            return QueueState(found, len(found.waiting), len(found.refused), None)
        among = self._among(homes)
        decided = candidates.load_decisions(among)
        waiting: list[Candidate] = []
        times: list[float] = []
        more = left_out = 0
        for home in among:
            known = self._load(home, "queue")
            if known is not None:
                first, total, unfit = known.value
                if whole and (rest := self._load(home, "rest")) is not None:
                    first = [*first, *rest.value]
                left = [
                    one for one in first if not candidates.is_settled(one, decided) and not candidates.is_withdrawn(one)
                ]
                waiting += left
                more += total - len(first)
                left_out += unfit
                times.append(known.at)
        if not times and among:
            return None
        waiting += self._unseen(among, waiting, decided)
        waiting.sort(key=candidates.rank_urgency)
        refused = self.load_refused(among) if rejected else []
        told = Queue(waiting, refused, candidates.list_rejected(among) if rejected else [])
        return QueueState(told, len(waiting) + more, left_out, min(times, default=None))

    def load_refused(self, among: Iterable[Home]) -> list[Any]:
        """The facts that were not proposed, with the reasons."""
        return [one for home in among if (known := self._load(home, "refused")) for one in known.value]

    def load_overview(self, home: Home, *, glance: bool = False) -> HomeLearning | None:
        """What a home has learnt from use; None: not known yet. `glance`: without the sessions behind the numbers."""
        if not self.apart:
            return HomeLearning(_load_work().load_overview(self._vault, home), None)
        known = self._load(home, "glance" if glance else "overview")
        if known is None:
            return None
        return HomeLearning(settle_since(known.value, audit.load_settled(self._vault, home)), known.at)

    def load_effects(self) -> list[tuple[Effect, Memory | None]]:
        """Every experience with its effect, best first; empty while it is not known."""
        if not self.apart:
            return list(_load_work().experiences.load_effects(self._vault))
        known = self._load(self._vault.own_homes[0], "effects") if self._vault.own_homes else None
        return [] if known is None else list(known.value)

    def load_echoes(self) -> list[tuple[Memory, ...]] | None:
        """What several tools remember in their own words; None: not known yet."""
        if not self.apart:
            return list(_load_work().find_echoes(self._vault))
        known = self._load(self._vault.homes[0], "echoes") if self._vault.homes else None
        return None if known is None else list(known.value)

    def load_chains(self, homes: frozenset[str] = frozenset()) -> list[Finding] | None:
        """Successors that are nowhere; None: not known yet."""
        if not self.apart:
            return list(_load_work().list_broken_chains(self._vault, homes))
        known = [self._load(home, "chains") for home in self._among(homes)]
        return [one for part in known if part for one in part.value] if any(known) or not known else None

    def _among(self, homes: frozenset[str]) -> list[Home]:
        return [home for home in self._vault.own_homes if not homes or str(home.path) in homes]

    def _load(self, home: Home, kind: Kind) -> Finished | None:
        if (made := self._made.get((str(home.path), kind))) is not None:
            return made
        place, scope = derived.place_of(self._vault, home, kind)
        signature = derived.sign_file(place)
        key = str(home.path), kind
        held = self._held.get(key)
        # A screen asks after every change, and mostly nothing was finished since.
        if held is None or held[0] != signature:
            known = None if held is None else held[1]
            mark = None if known is None else (known.stamp, known.own, known.at)
            # Mostly it was another kind that was finished.
            if mark is None or derived.read_stamps(place).get((kind, scope)) != mark:
                known = derived.load(place, kind, scope)
            self._held[key] = held = signature, known
        return held[1]

    def _unseen(self, among: Iterable[Home], waiting: Iterable[Candidate], decided: dict[str, Any]) -> list[Candidate]:
        """What was proposed since: an agent's proposal waits at once, though nobody has compared it yet."""
        known = {one.id for one in waiting}
        found: list[Candidate] = []
        for home in among:
            for one in candidates.list_waiting_candidates(home):
                if one.id not in known and not candidates.is_settled(one, decided):
                    found += _load_work().complete_unseen(self._vault, home, one)
        return found


def dump_config(config: Config) -> dict[str, Any]:
    """The settings as JSON has them, by section."""
    return {name: part._asdict() if hasattr(part, "_asdict") else dict(part) for name, part in config._asdict().items()}
