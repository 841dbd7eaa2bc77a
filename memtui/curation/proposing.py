"""Where candidates come from, source by source: each looks at one home's census and says what it would have decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.curation import attachments, finding, secrets, stale, stored
from memtui.curation.candidates import identified
from memtui.curation.census import remembered
from memtui.evolution import weak

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memtui.curation.candidates import Candidate
    from memtui.curation.census import Census
    from memtui.curation.decisions import Decision
    from memtui.model import Home
    from memtui.vault import Vault


def aged(vault: Vault, home: Home, decided: Mapping[str, Decision]) -> Iterator[Candidate]:
    """What waits because of its age or its effect alone: for that nothing has to be compared."""
    found = remembered(vault, home)
    for source in (attachments, weak, stale):
        for candidate in source.candidates(vault, found):
            if undecided(candidate, decided):
                yield candidate


def undecided(candidate: Candidate, decided: Mapping[str, Decision]) -> bool:
    """Whether a candidate that is settled in the files themselves was not rejected."""
    done = decided.get(candidate.id)
    return done is None or done.done != "rejected"


def proposals(vault: Vault, count: Census, decided: Mapping[str, Decision]) -> Iterator[Candidate]:
    """All that waits in one home but what is distilled; what was rejected is among it."""
    from memtui.evolution.skills import capability

    for candidate in stored.waiting(count.home):
        done = decided.get(candidate.id)
        if done is None or done.done != "rejected":
            yield finding.completed(vault, count, candidate)
    yield from capability.candidates(vault, count)
    yield from secrets.candidates(vault, count.home)
    yield from finding.contradictions(vault, count)
    yield from (one for one in finding.duplicates(vault, count) if not _distilled(one, decided))
    yield from attachments.candidates(vault, count)
    yield from weak.candidates(vault, count)
    yield from stale.candidates(vault, count)


def _distilled(candidate: Candidate, decided: Mapping[str, Decision]) -> bool:
    """Whether a person had the one be made of the other: the day's note is its evidence."""
    texts = (candidate.text, *(near.text for near in candidate.near))
    known = (decided.get(identified("distilled", candidate.home, text)) for text in texts)
    return any(done is not None and done.done == "approved" for done in known)
