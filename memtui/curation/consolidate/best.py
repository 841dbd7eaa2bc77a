"""Which memories are worth knowing first: the surest, weightiest and most helpful, a few of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.curation import retention
from memtui.curation.census import census
from memtui.curation.kin import Kin
from memtui.curation.secrets import patterns
from memtui.model import Layer, Status
from memtui.safety.injection import examine
from memtui.safety.redact import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.curation.consolidate.work import Work
    from memtui.model import Memory

EACH = 4
"""Of one kind (spec 003)."""
KINDS = ("pref", "rule", "decision", "fact", "lesson", "skill", "experience")
"""In the order in which they are shown."""
IMPORTANT = 0.5
"""What says how important it is and is less than that stays out (spec 003's core memory)."""
_LONG = 240
_USUAL = (0.5, 0.8)
"""The importance and the confidence of what states none."""


def best(work: Work, kinds: frozenset[str], said: Sequence[str]) -> list[Memory]:
    """At most EACH of each kind, best first, of what holds and is not `said` in the file already."""
    effects = _effects(work)
    found: list[tuple[float, float, str, Memory]] = []
    for memory in _among(work):
        if memory.kind in kinds and _fit(work, memory):
            value = effects.get(memory.id)
            if value is None or value >= work.config.evolution.weak:
                found.append(
                    (_score(memory, value), memory.updated or memory.created or 0.0, memory.id, memory)
                )
    found.sort(key=lambda one: (-one[0], -one[1], one[2]))
    there = Kin(said)
    chosen: dict[str, list[Memory]] = {}
    taken: list[str] = []
    for _value, _time, _id, memory in found:
        mine = chosen.setdefault(memory.kind, [])
        if len(mine) < EACH and not _told(there, memory.text) and not _told(Kin(taken), memory.text):
            mine.append(memory)
            taken.append(memory.text)
    return [memory for kind in KINDS for memory in chosen.get(kind, ())]


def _told(kin: Kin, text: str) -> bool:
    return any(how.covers or how.kind == "around" for _number, how in kin.like(text))


def _among(work: Work) -> Iterable[Memory]:
    """What the home knows (L1): journals are raw, and reach core memory by distillation."""
    for count in census(work.vault, frozenset({work.name})):
        against = {one.id for pair in count.contradictions for one in (pair.newer, pair.older)}
        for memory in (*count.facts, *count.kept):
            leaks = any((memory.path, line) in count.leaking for line in range(memory.start, memory.end + 1))
            if memory.layer is Layer.KNOWLEDGE and memory.id not in against and not leaks:
                yield memory


def _fit(work: Work, memory: Memory) -> bool:
    if memory.status is not Status.ACTIVE or passing(memory, work):
        return False
    text = memory.text
    # A line of its own, with nothing in it that Markdown, agents or a secret's owner would mind.
    if not text.strip() or len(text) > _LONG or "\n" in text.strip() or "<!--" in text or "-->" in text:
        return False
    if memory.importance is not None and _share(memory.importance) < IMPORTANT:
        return False
    return examine(text).action == "none" and not redact(text, patterns(work.vault)).secrets


def passing(memory: Memory, work: Work) -> bool:
    """Whether it is there for a while only: core memory is for what stays (spec 003)."""
    if retention.priority(memory) in {retention.SHORT, retention.TRANSIENT}:
        return True
    soon = work.now + work.config.lifecycle.soon_days * retention.DAY
    return memory.expires is not None and memory.expires <= soon


def _score(memory: Memory, effect: float | None) -> float:
    importance = _USUAL[0] if memory.importance is None else _share(memory.importance)
    confidence = _USUAL[1] if memory.confidence is None else memory.confidence
    return 0.4 * (0.5 if effect is None else effect) + 0.4 * importance + 0.2 * confidence


def _share(importance: float) -> float:
    """0 to 1: some tools count to ten."""
    return min(1.0, importance if importance <= 1 else importance / 10)


def _effects(work: Work) -> dict[str, float]:
    """How much each memory helped, by its id (spec 002)."""
    from memtui.evolution import ledger

    days = work.config.evolution.half_life_days
    return {memory.id: one.value(work.now, days) for one, memory in ledger.at(work.vault, work.now) if memory}
