"""What all sources of candidates share: the memories that they look at, and how a candidate names one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.model import Filter, Layer
from memtui.formats.marks import KEY
from memtui.store import candidates, secrets
from memtui.store.candidates import CandidateSource, Near
from memtui.store.standing import find_open_home

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.edits import Draft
    from memtui.core.model import Home, Memory
    from memtui.store.candidates import Candidate, Decision
    from memtui.store.vault import Vault

ASKED = frozenset({Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL})
"""Where it is looked: a session tells what happened, not what holds."""


LONGEST = 8000
"""Characters of a proposal."""


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


def is_rejected(decision: Decision | None) -> bool:
    """Whether a person rejected it."""
    return decision is not None and decision.done == "rejected"


def quote_candidate(candidate: Candidate) -> str:
    """What it says, as a sentence about it quotes it."""
    text = " ".join(candidate.said.replace("**", "").split())
    return f"“{text[:39]}…”" if len(text) > 40 else f"“{text}”"


def propose_draft(
    vault: Vault,
    home: str,
    draft: Draft,
    who: str,
    *,
    layer: Layer = Layer.CORE,
    path: str = "",
    line: int = 0,
    session: str = "",
    group: str = "",
) -> Candidate:
    """Keep what somebody proposes until a person decides: see `review.queue.propose`, which compares it as well."""
    whose = find_open_home(vault, home)
    if not draft.text.strip():
        raise RefusedError(_("There is nothing to propose in an empty text."))
    if len(draft.text) > LONGEST:
        raise RefusedError(_("{number:,} characters are no memory: propose less.").format(number=len(draft.text)))
    draft, _told = secrets.mask_draft(vault, draft)
    candidate, edit = candidates.put(whose, draft, who, layer, CandidateSource(home, path, line, session))
    decided = candidates.load_decisions([whose])
    if is_rejected(decided.get(candidate.id)):
        return candidate._replace(stored="", reason=decided[candidate.id].reason or _("rejected before"))
    waiting = [other for other in candidates.list_waiting_candidates(whose) if not is_rejected(decided.get(other.id))]
    known = next((other for other in waiting if other.id == candidate.id), None)
    if known is None:
        if len(waiting) >= candidates.MOST:
            raise RefusedError(
                _("{count} proposals wait already: decide some of them first.").format(count=len(waiting))
            )
        what = _("proposed {text}").format(text=quote_candidate(candidate))
        vault.apply([edit], verb="propose", who=who, what=what, group=group)
    return known or candidate
