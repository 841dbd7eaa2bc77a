"""All that is known of one session, put together: its summary, what was learned in it, and its transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.layouts import layout
from memtui.model import Filter, Layer
from memtui.sessions import ids

if TYPE_CHECKING:
    from memtui.model import Memory
    from memtui.vault import Vault

MOST = 400
"""Memories of one session that are looked at."""
_TRANSCRIPTS = frozenset({"claude-transcript", "codex-transcript"})


class SessionPage(NamedTuple):
    """A session's memories, by what they are to it."""

    id: str
    head: Memory
    """Its summary's head; where nobody wrote one, its transcript's."""
    parts: tuple[Memory, ...]
    """What the summary says, in its order."""
    born: tuple[Memory, ...]
    """Memories elsewhere that come from it, the newest first; what was only noted about it is none."""
    transcript: Memory | None
    """Its transcript's head, where that stands in an open home: `Vault.turns` reads it."""


def gathered(vault: Vault, memory: Memory) -> SessionPage:
    """What belongs together with this memory of a session, over all open homes."""
    own = memory.session or memory.key
    names = [name for name in dict.fromkeys((own, ids.inner(own))) if name]
    found = {one.id: one for name in names for one in _named(vault, name)}
    found.setdefault(memory.id, memory)
    heads = [one for one in found.values() if one.kind == "session" and one.layer is Layer.SESSION]
    told = [one for one in heads if not _recorded(vault, one)]
    transcript = next((one for one in heads if one not in told), None)
    head = memory if memory in told else next(iter(told), transcript or memory)
    beside = [one for one in found.values() if (one.home, one.path) == (head.home, head.path)]
    same = _place(head)
    parts = sorted((one for one in beside if one is not head and one not in heads), key=lambda one: one.start)
    elsewhere = (one for one in found.values() if one not in heads and one.layer is not Layer.EVOLUTION)
    born = [one for one in elsewhere if one.layer is not Layer.SESSION or _place(one) != same]
    return SessionPage(own, head, tuple(parts if head in told else ()), tuple(born), transcript)


def _named(vault: Vault, name: str) -> list[Memory]:
    refs = vault.ids(Filter(session=name, statuses=frozenset()), limit=MOST)
    return [one for one in vault.load(refs) if one is not None]


def _place(memory: Memory) -> tuple[str, str]:
    return memory.home, memory.path


def _recorded(vault: Vault, memory: Memory) -> bool:
    """Whether it is the head of a transcript, and no summary."""
    home = next((home for home in vault.homes if str(home.path) == memory.home), None)
    role = layout(home.layout).role(home.path, memory.path) if home is not None else None
    return role is not None and role.parser in _TRANSCRIPTS
