"""What a home has of a stretch of time: its sessions, each once, and the lines of its journal."""

from __future__ import annotations

import os
import posixpath
from typing import TYPE_CHECKING, NamedTuple

from memtui.model import Filter, Layer, Status

if TYPE_CHECKING:
    from memtui.curation.consolidate.work import Work
    from memtui.model import Memory

_STATUSES = frozenset({Status.ACTIVE, Status.CANDIDATE, Status.ARCHIVED, Status.EXPIRED})
_ASIDE = frozenset({"turn", "message", "queue", "attachment", "scratchpad", "state"})

_SUBORDINATE = "agent-"
"""What the transcripts of sub-agents are called: their work is that of the session that sent them."""


class Session(NamedTuple):
    """One session, as its summary tells it."""

    id: str
    time: float
    project: str
    topic: str
    head: Memory
    items: tuple[Memory, ...]
    """What it did, decided, found, touched and left open."""


class Week(NamedTuple):
    """Newest first, both."""

    sessions: tuple[Session, ...]
    journal: tuple[Memory, ...]


def week(work: Work) -> Week:
    """What there is since `work.since`, until now."""
    own = frozenset({work.name})
    span = Filter(homes=own, statuses=_STATUSES, since=work.since, until=work.now + 1)
    vault = work.vault
    told = [
        memory
        for memory in vault.memories(span._replace(layers=frozenset({Layer.SESSION})), "time")
        if memory.kind not in _ASIDE and not posixpath.basename(memory.path).startswith(_SUBORDINATE)
    ]
    heads: dict[str, Memory] = {}
    items: dict[str, list[Memory]] = {}
    for memory in told:
        name = memory.session or memory.path
        if memory.kind == "session":
            heads.setdefault(name, memory)
        else:
            items.setdefault(name, []).append(memory)
    sessions = [_session(work, name, head, tuple(items.get(name, ()))) for name, head in heads.items()]
    journal = vault.memories(span._replace(layers=frozenset({Layer.JOURNAL})), "time")
    return Week(tuple(sorted(sessions, key=lambda one: -one.time)), tuple(journal))


def _session(work: Work, name: str, head: Memory, items: tuple[Memory, ...]) -> Session:
    time = head.updated or head.created or head.modified or work.now
    topic = " ".join((head.title or head.text).split())
    return Session(name, time, project_of(work, head), topic, head, items)


def project_of(work: Work, memory: Memory) -> str:
    """The project that a memory is about, as far as it says; else its home's."""
    for name in ("project", "cwd"):
        said = memory.extra.get(name)
        if isinstance(said, str) and said.strip():
            return os.path.basename(said.strip().replace("\\", "/").rstrip("/")) or said.strip()
    return os.path.basename(work.home.project.rstrip("/"))
