"""3 Timeline: sessions and journal by day, with how busy the last weeks were."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from memtui import clock
from memtui.locale import _
from memtui.model import Filter, Layer, Memory
from memtui.search.moments import when
from memtui.sessions.pairs import told_twice
from memtui.tui import paint, sections
from memtui.tui.panes.layer_view import LayerView
from memtui.tui.panes.listing import without
from memtui.tui.sections import Section

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from memtui.model import Status
    from memtui.refs import Ref
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush
    from memtui.tui.panes.listing import Listing, Wanted

DAYS = 21
"""Days in the sparkline: it stands over the sections."""

BARS = "▁▂▃▄▅▆▇█"


def sparkline(counts: list[int]) -> str:
    """Counts as bars, the tallest for the most; a day without anything is a dot."""
    most = max(counts, default=0)
    return "".join("·" if not count else BARS[min(7, (count * 8 - 1) // most)] for count in counts)


class TimelineView(LayerView):
    """Enter opens a session down to its turns."""

    view: ClassVar[str] = "timeline"
    number: ClassVar[str] = "3"
    title: ClassVar[str] = "Timeline"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.SESSION, Layer.JOURNAL)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.chosen = "sessions"
        self.order = "time"
        self._activity: list[int] = []
        self._known: tuple[object, dict[Ref, Ref]] = None, {}

    def layer_here(self) -> Layer:
        """Whatever is noted while reading along goes into today's journal."""
        return Layer.JOURNAL

    def paint(self, item: Memory, brush: Brush) -> list[list[Piece]]:
        """Day, time, project, text."""
        return paint.timed(item, brush)

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[Section]:
        """Sessions first, then the journal, then by time, home and kind."""
        plain = super().parts(counts, within)
        heads = sections.standing(_only(counts, Layer.SESSION, "session"), within) - len(self._twice(within))
        journal = sections.standing(_only(counts, Layer.JOURNAL), within)
        first = [
            Section("sessions", _("Sessions"), "kind.session", heads, _sessions),
            Section("journal", _("Journal"), "", journal, _journal),
        ]
        self._activity = self._busy(within)
        vault = self.context.vault
        recent = [
            Section(f"since:{key}", label, "", len(vault.ids(_since(key)(within))), _since(key), _("When"))
            for key, label in (("today", _("today")), ("7d", _("7 days")), ("30d", _("30 days")))
        ]
        found = [part for part in first if part.number]
        if self.chosen == "sessions" and not heads:
            self.chosen = found[0].key if found else "all"
        plain[0] = plain[0]._replace(label=_("Everything"))
        return [*found, plain[0], *recent, *plain[1:]]

    def arranged(self, listing: Listing, wanted: Wanted) -> Listing:
        """A session is one row: its summary stands for its transcript, unless everything is to be shown."""
        if listing.section.key == "sessions" and (twice := self._twice(self.whole())):
            without(listing, twice)
        return listing

    def _twice(self, within: Filter) -> dict[Ref, Ref]:
        if self.context.hidden:
            return {}
        stamp, known = self._known
        if stamp != (self.context.stamp, within):
            stamp, known = (self.context.stamp, within), told_twice(self.context.vault, _sessions(within))
            self._known = stamp, known
        return known

    def _busy(self, within: Filter) -> list[int]:
        """How much was written on each of the last days, today last."""
        midnight = when("today") or 0.0
        starts = [midnight - 86400 * back for back in range(DAYS - 1, -1, -1)]
        vault = self.context.vault
        return [len(vault.ids(within._replace(since=start, until=start + 86400))) for start in starts]

    def tell(self) -> None:
        """The sparkline stands in the sections' frame."""
        super().tell()
        if any(self._activity):
            from textual.content import Content

            from memtui.tui.rows import Rows

            self.query_one("#sections", Rows).border_subtitle = Content(sparkline(self._activity))


def _only(
    counts: Counter[tuple[str, Layer, str, Status]], layer: Layer, kind: str = ""
) -> dict[tuple[str, Layer, str, Status], int]:
    return {key: n for key, n in counts.items() if key[1] is layer and (not kind or key[2] == kind)}


def _sessions(within: Filter) -> Filter:
    return within._replace(layers=frozenset({Layer.SESSION}), kinds=frozenset({"session"}))


def _journal(within: Filter) -> Filter:
    return within._replace(layers=frozenset({Layer.JOURNAL}))


def _since(text: str) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(since=when(text) or clock.now())
