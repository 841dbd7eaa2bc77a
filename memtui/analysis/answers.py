"""What is finished, as those see it who show it: read from the derived file, or worked out here and now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.analysis import derived
from memtui.evolution import experiences
from memtui.store import candidates
from memtui.store.candidates import Queue

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

    from memtui.analysis.derived import Finished, Kind
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


class AnalysisAnswers:
    """Of the homes of one vault. `apart`: another process works it out, and only what it finished is told."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.made: dict[tuple[str, Kind], Finished] = {}
        """What this process worked out itself."""
        self._held: dict[tuple[str, Kind], tuple[tuple[int, ...], Finished | None]] = {}

    def bring_up(
        self,
        kinds: Iterable[Kind],
        patience: float,
        progress: Callable[[Home, str, int, int], None] | None,
    ) -> bool:
        """Work out what is missing or behind, and keep it; whether there was anything to work it out of."""
        work = _load_work()
        if not work.Stamps.of(self._vault).every:
            return False
        self.made = work.update_analyses(self._vault, kinds, exact=True, patience=patience, progress=progress)
        return True

    def load_queue(
        self, homes: frozenset[str], *, apart: bool, rejected: bool = False, whole: bool = False
    ) -> QueueState | None:
        """What waits in Review, the first of it or the `whole`; None: not known yet.

        `rejected`: with it what a person rejected, and the facts that were not proposed.
        """
        if not apart:
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

    def load_overview(self, home: Home, *, apart: bool, glance: bool = False) -> HomeLearning | None:
        """What a home has learnt from use; None: not known yet. `glance`: without the sessions behind the numbers."""
        if not apart:
            return HomeLearning(_load_work().load_overview(self._vault, home), None)
        known = self._load(home, "glance" if glance else "overview")
        if known is None:
            return None
        return HomeLearning(settle_since(known.value, experiences.load_settled(self._vault, home)), known.at)

    def load_effects(self, *, apart: bool) -> list[tuple[Effect, Memory | None]]:
        """Every experience with its effect, best first; empty while it is not known."""
        if not apart:
            return experiences.load_effects(self._vault)
        known = self._load(self._vault.own_homes[0], "effects") if self._vault.own_homes else None
        return [] if known is None else list(known.value)

    def load_echoes(self, *, apart: bool) -> list[tuple[Memory, ...]] | None:
        """What several tools remember in their own words; None: not known yet."""
        if not apart:
            return list(_load_work().find_echoes(self._vault))
        known = self._load(self._vault.homes[0], "echoes") if self._vault.homes else None
        return None if known is None else list(known.value)

    def load_chains(self, homes: frozenset[str], *, apart: bool) -> list[Finding] | None:
        """Successors that are nowhere; None: not known yet."""
        if not apart:
            return list(_load_work().list_broken_chains(self._vault, homes))
        known = [self._load(home, "chains") for home in self._among(homes)]
        return [one for part in known if part for one in part.value] if any(known) or not known else None

    def _among(self, homes: frozenset[str]) -> list[Home]:
        return [home for home in self._vault.own_homes if not homes or str(home.path) in homes]

    def _load(self, home: Home, kind: Kind) -> Finished | None:
        if (made := self.made.get((str(home.path), kind))) is not None:
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
