"""The vault's door to conversations, level two of spec 003's search: nothing of them is read until somebody asks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.index.transcript_intake import TranscriptShelf
from memtui.index.transcript_tables import find_transcript_place
from memtui.layouts.trace_sources import has_transcripts, list_transcript_sources
from memtui.search.transcript_search import search_traces, unfold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from memtui.core.model import Home
    from memtui.index.filters import Trace, Traces
    from memtui.store.home import OpenHome


class Conversations:
    """The conversations of the homes that are open."""

    def __init__(self, shelves: Iterable[OpenHome]) -> None:
        self.shelves = [
            TranscriptShelf(shelf.home, shelf.place)
            for shelf in shelves
            if has_transcripts(shelf.home.layout)
        ]

    def search(
        self,
        keyword: str,
        *,
        session: str,
        role: Collection[str],
        days_back: float | None,
        limit: int,
        budget: float | None,
        progress: Callable[[Home, int, int], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> Traces:
        """The steps that hold the words: see `Vault.traces`."""
        return search_traces(
            self.shelves, keyword, session=session, role=role, days_back=days_back, limit=limit, budget=budget,
            progress=progress, cancelled=cancelled,
        )  # fmt: skip

    def unfold(self, path: str, line: int, limit: int) -> list[Trace]:
        """The steps, whole, from a trace's place on."""
        return unfold(self.shelves, path, line, limit)

    def list_untold(self) -> list[Home]:
        """Homes with conversations that were never taken in."""
        return [
            shelf.home
            for shelf in self.shelves
            if not os.path.exists(find_transcript_place(shelf.place).pointer)
            and list_transcript_sources(shelf.home)
        ]
