"""Memories of the time that a question names: 'what did we do last week', '昨天做了什么' (spec 003: time recall)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui import clock
from memtui.locale import _
from memtui.search.moments import moments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.search.candidate import Candidate, Pool
    from memtui.search.fts import Lookup
    from memtui.search.moments import Moment

MOST = 60
"""Newest memories of a time that are looked at though they hold none of the words."""

SPANS = 3
"""Times of a query that are heeded."""

LONGEST = 400
"""Characters of a query that may name a time: what is longer was pasted."""


class Timely:
    """The times that one query names."""

    def __init__(self, query: str) -> None:
        self.spans: list[Moment] = moments(query, clock.now())[:SPANS] if len(query) <= LONGEST else []

    def add(self, lookup: Lookup, pool: Pool) -> None:
        """Put the newest memories of these times among the candidates."""
        known = {candidate.order for candidate in pool.candidates}
        for span in self.spans:
            ids = [id_ for id_ in lookup.between(span.start, span.end, MOST) if id_ not in known]
            known.update(ids)
            lookup.take_beside(pool, ids)

    def mark(self, candidates: Iterable[Candidate]) -> None:
        """Say of each candidate whether it is of such a time."""
        for candidate in candidates if self.spans else ():
            moment = candidate.time
            for span in self.spans if moment is not None else ():
                if span.start <= (moment or 0.0) < span.end:
                    candidate.recalled = _("of {time}").format(time=span.text)
                    break
