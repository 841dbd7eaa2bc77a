"""2 Facts: L1, by home, kind and status; and what will not hold much longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from memtui import clock
from memtui.locale import _
from memtui.model import Layer, Memory
from memtui.tui.items import Known
from memtui.tui.panes.layer_view import LayerView
from memtui.tui.sections import Section

if TYPE_CHECKING:
    from collections import Counter

    from memtui.model import Filter, Status
    from memtui.tui.context import Context
    from memtui.tui.panes.listing import Listing, Wanted

SOON = "soon"
"""The key of the section of what expires soon."""
TODOS = "kind:todo"
READ = 2000
"""Todos that are put in order."""


class FactsView(LayerView):
    """Facts, rules, summaries, patterns, tools."""

    view: ClassVar[str] = "facts"
    number: ClassVar[str] = "2"
    title: ClassVar[str] = "Facts"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.KNOWLEDGE,)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._soon: list[Memory] = []
        self._known_at: object = None

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[Section]:
        """What expires soon stands with the statuses: it is about to have another."""
        plain = super().parts(counts, within)
        stamp = (self.context.stamp, int(clock.now() // 60))
        if stamp != self._known_at:
            self._soon, self._known_at = expiring(self.context), stamp
        if self._soon:
            days = self.context.vault.config.lifecycle.soon_days
            label = _("expiring in {days:g}d").format(days=days)
            plain.append(
                Section(SOON, label, "warn", len(self._soon), lambda whole: whole, _("Status"), sign="◔")
            )
        return plain

    def arranged(self, listing: Listing, wanted: Wanted) -> Listing:
        """What expires soon, the soonest first; of todos the open ones first."""
        if listing.section.key == TODOS and len(listing.refs) <= READ:
            put_open_first(self.context, listing)
        if listing.section.key != SOON:
            return listing
        words = listing.words.lower().split()
        found = [one for one in self._soon if all(word in one.text.lower() for word in words)]
        listing.refs, listing.total, listing.by = [Known(one) for one in found], len(self._soon), "expiry"
        listing.at = next((n for n, one in enumerate(found) if one.id == wanted.held), None)
        if wanted.held is None:
            listing.at = wanted.near
        return listing


def put_open_first(context: Context, listing: Listing) -> None:
    """What is still to be done before what is done; the cursor stays on what it is on. On a reader's thread."""
    here = listing.refs[listing.at] if listing.at is not None and listing.at < len(listing.refs) else None
    read = context.load(listing.refs)
    done = {ref for ref, memory in read.items() if memory is not None and memory.extra.get("done")}
    listing.refs = sorted(listing.refs, key=done.__contains__)
    listing.known = read
    # Who holds on to nothing stands at the beginning.
    if here is not None and listing.held is not None:
        listing.at = listing.refs.index(here)


def expiring(context: Context) -> list[Memory]:
    """What expires soon, in any home in view, the soonest first. On a reader's thread."""
    from memtui.curation import lifecycle

    found = lifecycle.soon(context.vault, context.homes, clock.now())
    return sorted(found, key=lambda memory: memory.expires or 0.0)
