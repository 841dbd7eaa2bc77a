"""The vault's door to conversations, level two of spec 003's search: nothing of them is read until somebody asks."""

from __future__ import annotations

import os

from memtui.record import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from memtui.model import Home
    from memtui.traces.found import Trace, Traces
    from memtui.traces.keeping import Shelf
    from memtui.vault import Vault


class Conversations:
    """What of a vault finds in conversations."""

    def traces(
        self,
        keyword: str,
        *,
        session: str = "",
        role: Collection[str] = (),
        days_back: float | None = 7,
        limit: int = 10,
        budget: float | None = 30.0,
        progress: Callable[[Home, int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Traces:
        """The steps of conversations that hold the words, best first: turns, tools' calls and results, secrets masked.

        Conversations of the last `days_back` days (None or 0: all) are taken into an index of their own first, those
        that are not in it yet, for `budget` seconds at most (None: as long as it takes); `progress` gets the home,
        bytes done and bytes in all. `session`: only sessions whose id begins so, else no more than three of one.
        `role`: user, assistant, thinking, tool_call, tool_result, summary, system.
        """
        from memtui.traces.search import search_traces

        return search_traces(
            self._kept(), keyword, session=session, role=role, days_back=days_back, limit=limit, budget=budget,
            progress=progress, cancelled=cancelled,
        )  # fmt: skip

    def unfolded(self, path: str, line: int, limit: int = 10) -> list[Trace]:
        """A conversation's steps, whole, from a trace's place on; none where no home has such a transcript."""
        from memtui.traces.unfolding import unfold

        return unfold(self._kept(), path, line, limit)

    def untold(self) -> list[Home]:
        """Homes with conversations that were never taken in: the first question takes longer, and reads them."""
        from memtui.traces.schema import beside
        from memtui.traces.sources import sources

        return [
            shelf.home
            for shelf in self._kept()
            if not os.path.exists(beside(shelf.place).pointer) and sources(shelf.home)
        ]

    def _kept(self) -> list[Shelf]:
        from memtui.traces.keeping import Shelf
        from memtui.traces.sources import kept

        shelves = cast("Vault", self)._shelves
        return [Shelf(shelf.home, shelf.place) for shelf in shelves if kept(shelf.home.layout)]
