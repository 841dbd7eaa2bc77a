"""Filters offered while they are typed in a search box: the rest of the word, faint, taken with the right arrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.suggester import Suggester

from memtui.search.inline import completions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.tui.context import Context


class Offer(Suggester):
    """What is there to be offered is asked for once, until the vault changes."""

    def __init__(self, context: Context) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._context = context
        self._known: dict[tuple[object, str], Sequence[str]] = {}

    async def get_suggestion(self, value: str) -> str | None:
        """The text with its last word completed."""
        offered = completions(value, len(value), self._context.vault.homes, self._values)
        return offered[0] if offered else None

    def _values(self, name: str) -> Sequence[str]:
        key = (self._context.vault.generation, name)
        if key not in self._known:
            self._known = {key: self._context.vault.known(name)}
        return self._known[key]
