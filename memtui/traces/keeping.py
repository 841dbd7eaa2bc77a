"""Keeping a home's conversations in its index: what is new, when somebody asks, for as long as they would wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.errors import StaleIndexError
from memtui.locale import _
from memtui.traces.schema import beside
from memtui.traces.taking import pending, take

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.disk.places import Place
    from memtui.model import Home
    from memtui.traces.sources import Source

BUDGET = 30.0
"""Seconds that taking conversations in may take, where nobody says otherwise."""


class Shelf(NamedTuple):
    """A home and where its indexes are."""

    home: Home
    place: Place


def take_in(
    shelf: Shelf,
    wanted: list[Source],
    listed: list[Source],
    budget: float | None,
    progress: Callable[[Home, int, int], None] | None,
    cancelled: Callable[[], bool] | None,
) -> str:
    """Take in what is new; why the answer may lack something, or nothing."""
    place = beside(shelf.place)
    gone: list[str] = []
    fresh = wanted
    try:
        fresh, gone = pending(place, wanted)
        # A disk that is not there has not lost its conversations.
        gone = sorted(set(gone) - {source.path for source in listed}) if shelf.home.path.is_dir() else []
    except StaleIndexError:
        if not wanted:
            return ""
    if not fresh and not gone:
        return ""

    def told(done: int, total: int) -> None:
        if progress is not None:
            progress(shelf.home, done, total)

    taken = take(place, fresh, gone, shelf.home.layout, budget=budget, progress=told, cancelled=cancelled)
    if taken.why and not taken.left:
        return taken.why
    if not taken.left:
        return ""
    megabytes = 1 << 20
    left = _("{left:.1f} MB of {label}'s conversations are still to be taken in: ask again").format(
        left=max(taken.left / megabytes, 0.1), label=shelf.home.label
    )
    return f"{taken.why}; {left}" if taken.why else left
