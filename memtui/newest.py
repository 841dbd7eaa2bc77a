"""A list of memories as a search answers: for a query that is only filters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.model import Layer
from memtui.results import Hit, Results

if TYPE_CHECKING:
    from memtui.model import Filter, Memory
    from memtui.vault import Vault

_LONGEST = 400


def newest(vault: Vault, wanted: Filter, limit: int) -> Results:
    """The newest memories that pass, as hits of no score."""
    refs = vault.ids(wanted)
    found = Results([hit(memory) for memory in vault.load(refs[:limit]) if memory is not None])
    found.total = len(refs)
    return found


def hit(memory: Memory, score: float = 0.0, why: str = "") -> Hit:
    """A memory as a hit: its title or its first line."""
    line = memory.title or memory.text.partition("\n")[0]
    moment = memory.created if memory.updated is None else memory.updated
    return Hit(
        memory.home, memory.path, memory.start, memory.end, score, line[:_LONGEST], memory.layer or Layer.KNOWLEDGE,
        memory.kind, why, memory.status, memory.heading, moment, memory.id,
    )  # fmt: skip
