"""All that is known of one session, put together: its summary, what was learned in it, and its transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.model import Filter, Layer
from memtui.sessions.pairs import names, recorded

if TYPE_CHECKING:
    from memtui.model import Memory
    from memtui.vault import Vault

MOST = 400
"""Memories of one session that are looked at."""
_TASKS = "scratchpad"
"""What such a file says of a session is what it was about, and nothing that was learned in it."""


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
    own = memory.session or memory.key or memory.source
    # Codex names a transcript's file by more than the id that stands in it, and summaries after the file.
    more = names(_stem(memory)) if _recorded(vault, memory) else ()
    found = {one.id: one for name in {*names(own), *more} for one in _named(vault, name)}
    found.setdefault(memory.id, memory)
    heads = [one for one in found.values() if one.kind == "session" and one.layer is Layer.SESSION]
    told = [one for one in heads if not _recorded(vault, one)]
    transcript = next((one for one in heads if one not in told), None)
    head = memory if memory in told else next(iter(told), transcript or memory)
    beside = [one for one in found.values() if (one.home, one.path) == (head.home, head.path)]
    same = _place(head)
    parts = sorted((one for one in beside if one is not head and one not in heads), key=lambda one: one.start)
    elsewhere = (one for one in found.values() if one not in heads and not _aside(one))
    born = [one for one in elsewhere if one.layer is not Layer.SESSION or _place(one) != same]
    return SessionPage(own, head, tuple(parts if head in told else ()), tuple(born), transcript)


def called(vault: Vault, session: str) -> Memory | None:
    """What a session's page is opened from: its summary, else its transcript; None: neither is in an open home."""
    heads = Filter(frozenset({Layer.SESSION}), frozenset({"session"}), statuses=frozenset())
    found = [
        one
        for name in names(session)
        for one in vault.load(vault.ids(heads._replace(session=name), limit=MOST))
        if one is not None
    ]
    return next((one for one in found if not _recorded(vault, one)), found[0] if found else None)


def _aside(memory: Memory) -> bool:
    """Whether it was only noted about the session."""
    name = memory.path.rpartition("/")[2]
    kept = memory.kind.startswith("session_")
    return kept or memory.layer is Layer.EVOLUTION or name.partition(".")[0] == _TASKS


def _named(vault: Vault, name: str) -> list[Memory]:
    refs = vault.ids(Filter(session=name, statuses=frozenset()), limit=MOST)
    return [one for one in vault.load(refs) if one is not None]


def _stem(memory: Memory) -> str:
    return memory.path.rpartition("/")[2].partition(".jsonl")[0]


def _place(memory: Memory) -> tuple[str, str]:
    return memory.home, memory.path


def _recorded(vault: Vault, memory: Memory) -> bool:
    """Whether it is the head of a transcript, and no summary."""
    home = next((home for home in vault.homes if str(home.path) == memory.home), None)
    return home is not None and recorded(home, memory.path)
