"""What all sources of candidates share: the memories that they look at, and how a candidate names one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memtui.core.model import Filter, Layer
from memtui.formats.signs import KEY
from memtui.store.candidates import CandidateSource, Near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.model import Home, Memory
    from memtui.store.vault import Vault

ASKED = frozenset({Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL})
"""Where it is looked: a session tells what happened, not what holds."""


class HomeMemories(Protocol):
    """What one home remembers: all that is needed to propose what is due in it."""

    @property
    def home(self) -> Home: ...

    @property
    def memories(self) -> dict[str, Memory]:
        """By their ids, but for the copies that memtui keeps."""


def list_home_memories(vault: Vault, home: Home) -> Iterator[Memory]:
    """All that a home remembers now, but for the copies that memtui keeps, in the order of its files."""
    asked = Filter(layers=ASKED, statuses=frozenset(), parts=True, homes=frozenset({str(home.path)}))
    return (memory for memory in vault.memories(asked, "path") if KEY not in memory.extra)


def make_source(memory: Memory) -> CandidateSource:
    """Where a memory stands, as a candidate names it."""
    when = memory.created if memory.created is not None else memory.modified
    return CandidateSource(memory.home, memory.path, memory.start, memory.session or memory.source, when)


def make_near(memory: Memory, score: float) -> Near:
    """A memory as something alike."""
    return Near(memory.path, memory.start, memory.text, round(score, 4), memory.id)
