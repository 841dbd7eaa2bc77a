"""Memories that name what the query names: projects, people, topics that the homes know (spec 003: entity recall)."""

from __future__ import annotations

from memtui.locale import _
from memtui.record import TYPE_CHECKING
from memtui.search.known import joined
from memtui.search.recall import entities
from memtui.search.words import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.search.candidate import Candidate
    from memtui.search.known import Names


class Namely:
    """The names in one query that its homes know."""

    def __init__(self, query: str, homes: Sequence[Names]) -> None:
        """`homes`: what each of them knows, as `known.names_of` answers."""
        known = joined(homes)
        self._names = [name for name in entities(query, known) if name in known] if known else []

    def mark(self, candidates: Iterable[Candidate]) -> None:
        """Say of each candidate which of the names it holds."""
        folded = [(name, fold(name)) for name in self._names]
        for candidate in candidates if folded else ():
            held = [
                name for name, plain in folded if plain in candidate.body or plain in fold(candidate.heading)
            ]
            if held and not candidate.recalled:
                candidate.named = _("names {name}").format(name=", ".join(held[:3]))
