"""Filters offered while they are typed in a search box: the rest of the word, faint, taken with the right arrow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual.suggester import Suggester

from memtui.search.inline import completions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.tui.context import Context


class Offer(Suggester):
    """What is there to be offered is asked for once, on a reader's thread, until the vault changes."""

    def __init__(self, context: Context) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._context = context
        self._known: dict[str, Sequence[str]] = {}
        self._known_at = -1
        self._asked: asyncio.Future[Sequence[str] | None] | None = None

    async def get_suggestion(self, value: str) -> str | None:
        """The text with its last word completed."""
        if self._known_at != self._context.generation:
            self._known_at, self._known = self._context.generation, {}
        missing: list[str] = []

        def known(name: str) -> Sequence[str]:
            if name not in self._known:
                missing.append(name)
            return self._known.get(name, ())

        homes = self._context.vault.homes
        offered = completions(value, len(value), homes, known)
        if missing and (found := await self._ask(missing[0])) is not None:
            self._known[missing[0]] = found
            offered = completions(value, len(value), homes, known)
        return offered[0] if offered else None

    async def _ask(self, name: str) -> Sequence[str] | None:
        """What there is of that name; None where something else was asked for meanwhile."""
        if self._asked is not None and not self._asked.done():
            self._asked.set_result(None)
        answer: asyncio.Future[Sequence[str] | None] = asyncio.get_running_loop().create_future()
        self._asked = answer

        def show(found: Sequence[str]) -> None:
            if not answer.done():
                answer.set_result(found)

        self._context.reader.ask("offer", lambda _cancelled: self._context.vault.known(name), show)
        return await answer
