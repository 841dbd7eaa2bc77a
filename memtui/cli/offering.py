"""What a shell offers behind a command: ids that are there, with what they stand for, and kinds.

A person waits for it in the middle of a line: it takes what indexes hold and what was worked out before, builds
nothing, and says nothing where something is wrong.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memtui.analysis.analyst import Analyst
from memtui.cli.options import WRITING_VERBS
from memtui.core.config import load
from memtui.core.model import Filter, Layer, Status
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

MOST = 60
"""Ids of a kind that are offered, the newest: who wants an older one begins it, or looks for it."""

_LAYERS = {
    "profile": (Layer.PROFILE, Layer.CORE), "facts": (Layer.KNOWLEDGE,), "sessions": (Layer.SESSION, Layer.JOURNAL),
}  # fmt: skip
_OVER = frozenset({Status.ARCHIVED, Status.SUPERSEDED, Status.DELETED})


def offer_kinds(typed: Mapping[str, Any]) -> list[str]:
    """The kinds of memories there are, the most frequent first."""
    with _open(typed) as opened:
        counted: Counter[str] = Counter()
        for (_home, _layer, kind, _status), number in opened.counts().items():
            counted[kind] += number
        return [kind for kind, _number in counted.most_common() if kind]


def offer_memories(typed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Ids of what a command lists, newest first, with what they say, where its verb takes one."""
    verb, layers = typed.get("verb"), _LAYERS[typed["command"]]
    if verb not in {"show", *WRITING_VERBS} - {"add"}:
        return
    wanted = Filter(layers=frozenset(layers))
    with _open(typed) as opened:
        refs = opened.ids(wanted._replace(statuses=_OVER) if verb == "restore" else wanted, "time", limit=MOST)
        for memory in opened.load(refs):
            if memory is not None:
                yield memory.id, memory.title or memory.text


def offer_candidates(typed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What waits in Review, as far as it was worked out; of what was rejected what `reconsider` takes."""
    if typed.get("verb") in {None, "list", "propose"}:
        return
    with _open(typed) as opened:
        found = Analyst(opened).load_queue(frozenset(), rejected=True)
        if found is not None:
            again = typed.get("verb") == "reconsider"
            for candidate in found.queue.rejected if again else found.queue.waiting:
                yield candidate.id, f"{candidate.origin}: {candidate.text}"


def offer_writes(typed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The writes, newest first."""
    with _open(typed) as opened:
        for record in opened.history(MOST):
            yield record.id, f"{record.verb}: {record.what}"


def offer_deleted(typed: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What waits in the trash to be restored."""
    with _open(typed) as opened:
        for record in opened.trash()[:MOST]:
            yield record.id, record.what


def _open(typed: Mapping[str, Any]) -> Vault:
    return Vault.open(list(typed.get("home") or ()) or None, config=load()[0], wait=False)
