"""3 Timeline: sessions and journal by day, with how busy the last weeks were and a calendar of all of them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import Filter, Layer, Memory
from memtui.search.times import parse_time
from memtui.store.happenings import choose_days, filter_days, is_unreleased
from memtui.store.session_ids import find_summarized_transcripts
from memtui.tui import calendar, draw, paint
from memtui.tui.calendar import Calendar
from memtui.tui.panes import layer_view, listing
from memtui.tui.panes.layer_view import LayerView
from memtui.tui.panes.listing import ListSection, SectionList, replace_rows
from memtui.tui.row_list import LoadedRow, Rows

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable

    from textual.app import ComposeResult
    from textual.timer import Timer

    from memtui.core.model import Status
    from memtui.store.reading import MemoryRef
    from memtui.tui.actions import Where
    from memtui.tui.calendar import Activity
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.mutations import Hand
    from memtui.tui.panes.listing import Listing, Wanted
    from memtui.tui.row_list import Brush

DAYS = 21
"""Days in the sparkline: it stands over the sections."""

PLANS = "plans"
"""The key of the section of what happened besides sessions and notes."""
A_DAY = "day:"
"""What the key of a day's section begins with."""


FEW = 200
"""Lines of the journal to one session, beyond which the days are what a person comes for."""


class TimelineView(LayerView):
    """Enter opens a session down to its turns; the calendar leads to the days."""

    view: ClassVar[str] = "timeline"
    title: ClassVar[str] = "Timeline"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.SESSION, Layer.JOURNAL)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        # Which stands first of the sections is chosen.
        self.chosen = ""
        self.order = "time"
        self._activity: Activity | None = None
        self._known: tuple[object, dict[MemoryRef, MemoryRef]] = None, {}
        self._others: tuple[object, list[Memory]] = None, []
        self._former: tuple[str, Any, int] = "sessions", None, 0
        """Section and cursor before the calendar was opened."""
        self._rest: Timer | None = None

    def layer_here(self) -> Layer:
        """Whatever is noted while reading along goes into today's journal."""
        return Layer.JOURNAL

    def paint(self, item: Memory, brush: Brush) -> list[list[Piece]]:
        return paint.draw_dated_row(item, brush)

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[ListSection]:
        """Sessions first, then the journal, then by time, home and kind; the journal first where sessions are few."""
        plain = super().parts(counts, within)
        heads = listing.count_standing(_select_counts(counts, Layer.SESSION, "session"), within) - len(
            self._map_twins(within)
        )
        journal = listing.count_standing(_select_counts(counts, Layer.JOURNAL), within)
        first = [
            ListSection("sessions", _("Sessions"), "kind.session", heads, _narrow_to_sessions),
            ListSection("journal", _("Journal"), "", journal, _narrow_to_journal),
        ]
        if heads * FEW < journal:
            first.reverse()
        vault = self.context.vault
        recent = [
            ListSection(
                f"since:{key}", label, "", len(vault.ids(_narrow_to_time(key)(within))), _narrow_to_time(key), _("When")
            )
            for key, label in (("today", _("today")), ("7d", _("7 days")), ("30d", _("30 days")))
        ]
        plans = ListSection(PLANS, _("Plans and releases"), "", len(self._load_other_days()), lambda whole: whole)
        found = [part for part in (*first, plans) if part.number]
        whole, *kinds = plain
        if plans.number:
            # Plans and releases are not of this layer: they are found under their own name.
            whole = whole._replace(label=_("Sessions and journal"))
            # The few that stand in it are among those: a second number beside theirs would only confuse.
            kinds = [part for part in kinds if part.key != "kind:plan"]
        else:
            whole = whole._replace(label=_("Everything"))
        if whole.number or not found:
            found += [whole, *recent]
        if self.chosen.startswith(A_DAY):
            found.insert(0, self._make_day(self.chosen.removeprefix(A_DAY)))
        return [*found, *kinds]

    def reload(self, *, patience: float = 0.0) -> None:
        """The list first; how busy the days were comes behind it."""
        super().reload(patience=patience)
        whole = self.whole()

        def show(found: Activity) -> None:
            self._activity = found
            if self.is_mounted:
                self.tell()

        self.context.reader.ask(
            (self.view, "activity"),
            lambda _cancelled: calendar.read(self.context, whole, self._map_twins(whole), self._load_other_days()),
            show,
            key=self.context.serial,
            behind=True,
        )

    def _make_day(self, iso: str) -> ListSection:
        """The section of one day: what was done and what was noted on it."""
        day = date.fromisoformat(iso)

        def narrow(within: Filter) -> Filter:
            since, until = calendar.start(day), calendar.start(day + timedelta(1))
            return filter_days(self.context.vault, within)._replace(since=since, until=until)

        number = self._activity.days[day] if self._activity else 0
        return ListSection(f"{A_DAY}{iso}", f"{iso} {paint.name_weekday(day.weekday())}", "accent", number, narrow)

    def arranged(self, listing: Listing, wanted: Wanted) -> Listing:
        """A session is one row: its summary stands for its transcript, unless everything is to be shown."""
        self.context.look_at_days()
        single = listing.section.key == "sessions" or listing.section.key.startswith(A_DAY)
        if single and (twice := self._map_twins(self.whole())):
            replace_rows(listing, twice)
        if listing.section.key == PLANS:
            listing.refs, listing.at = [], None
            self._add(listing, self._load_other_days())
            listing.total = len(self._load_other_days())
        elif listing.section.key.startswith(A_DAY):
            iso = listing.section.key.removeprefix(A_DAY)
            found = [one for one in self._load_other_days() if clock.format_day(paint.choose_time(one) or 0.0) == iso]
            listing.total += len(found)
            self._add(listing, found)
        return listing

    def _add(self, listing: Listing, found: Iterable[Memory]) -> None:
        """Rows for these, behind those that are there; words that were typed narrow them, too."""
        words = listing.words.lower().split()
        fit = (one for one in found if all(word in f"{one.path} {one.text}".lower() for word in words))
        listing.refs = [*listing.refs, *map(LoadedRow, fit)]

    def _load_other_days(self) -> list[Memory]:
        """Plans and releases, the newest first. On a reader's thread."""
        stamp, known = self._others
        if stamp != self.context.stamp:
            known = choose_days(self.context.vault, self.context.scope())
            known.sort(key=lambda one: (is_unreleased(one), paint.choose_time(one) or 0.0), reverse=True)
            self._others = self.context.stamp, known
        return known

    def why_empty(self, listing: Listing) -> str:
        """A day without anything is an answer."""
        if listing.section.key.startswith(A_DAY) and not self.typed:
            return _("no activity on this day")
        return super().why_empty(listing)

    def _map_twins(self, within: Filter) -> dict[MemoryRef, MemoryRef]:
        if self.context.hidden:
            return {}
        stamp, known = self._known
        if stamp != (self.context.stamp, within):
            stamp, known = (
                (self.context.stamp, within),
                find_summarized_transcripts(self.context.vault, _narrow_to_sessions(within)),
            )
            self._known = stamp, known
        return known

    def tell(self) -> None:
        """The sparkline stands in the sections' frame."""
        super().tell()
        if self._activity is not None:
            last = (self._activity.today - timedelta(back) for back in range(DAYS - 1, -1, -1))
            counts = [self._activity.days[day] for day in last]
            line = draw.draw_sparkline(counts) if any(counts) else ""
            self.query_one("#sections", Rows).border_subtitle = Content(line)
            self.calendar.take(self._activity)

    # -- the calendar -------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """The calendar above all, where it is open."""
        yield Calendar(self.context.look, id="calendar")
        yield from super().compose()

    @property
    def calendar(self) -> Calendar:
        """It is there, seen or not."""
        return self.query_one("#calendar", Calendar)

    def write(self, verb: str, hand: Hand) -> bool:
        """Open the calendar, or put it away."""
        if verb != "calendar":
            return False
        (self._put_away if self.calendar.display else self._open)()
        return True

    def why_not(self, verb: str) -> str | None:
        return "" if verb == "calendar" else None

    def _open(self) -> None:
        calendar = self.calendar
        self._former = (self.chosen, self.middle.held, self.middle.cursor)
        calendar.fit(self.screen.size.height)
        ways = (_("o writes a line into today's journal"),) if self.context.days else ()
        calendar.ways = " · ".join((*ways, _("esc goes back")))
        calendar.display = True
        self.add_class("-calendar")
        calendar.focus()
        if calendar.day is not None:
            self._choose(f"{A_DAY}{calendar.day.isoformat()}", None, 0)

    def _put_away(self) -> None:
        self.calendar.display = False
        self.remove_class("-calendar")
        self.focus_first()
        self._choose(*self._former)

    def _choose(self, section: str, held: Any, near: int) -> None:
        self.chosen = section
        # The sections' cursor goes along, else it would choose its own again.
        self.query_one("#sections", SectionList).held = None
        self._ask(held, near)

    def on_calendar_moved(self, event: Calendar.Moved) -> None:
        """The list follows when the cursor rests."""
        event.stop()
        if self._rest is not None:
            self._rest.stop()
        day = f"{A_DAY}{event.day.isoformat()}"
        self._rest = self.set_timer(layer_view.DEBOUNCE, lambda: self._choose(day, None, 0))

    def keep(self) -> dict[str, Any]:
        """A day is only looked at while the calendar is open: the next start begins with what stood there before."""
        section, held, at = self._former
        former = {"section": section, "held": held if isinstance(held, str) else "", "at": at}
        return {**super().keep(), **(former if self.chosen.startswith(A_DAY) else {})}

    def move(self, where: Where) -> bool:
        """By days and pages of weeks, where the calendar has the focus."""
        if self.calendar.has_focus:
            self.calendar.move(where)
        return self.calendar.has_focus

    def fold(self, open: bool) -> bool:
        """A week on or back, where the calendar has the focus."""
        if self.calendar.has_focus:
            self.calendar.turn(1 if open else -1)
            return True
        return super().fold(open)

    def enter(self) -> bool:
        """From a day to what it holds."""
        if self.calendar.has_focus:
            self.focus_first()
            return True
        return False

    def peel(self) -> bool:
        """From what a day holds to the calendar, and out of it."""
        if not self.calendar.display or self.screen.has_class("-zoom"):
            return False
        if self.calendar.has_focus:
            self._put_away()
        else:
            self.calendar.focus()
        return True

    def stage(self) -> object:
        """Keys mean something else in the calendar."""
        return self.calendar.has_focus


def _select_counts(
    counts: Counter[tuple[str, Layer, str, Status]], layer: Layer, kind: str = ""
) -> dict[tuple[str, Layer, str, Status], int]:
    return {key: n for key, n in counts.items() if key[1] is layer and (not kind or key[2] == kind)}


def _narrow_to_sessions(within: Filter) -> Filter:
    return within._replace(layers=frozenset({Layer.SESSION}), kinds=frozenset({"session"}))


def _narrow_to_journal(within: Filter) -> Filter:
    return within._replace(layers=frozenset({Layer.JOURNAL}))


def _narrow_to_time(text: str) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(since=parse_time(text) or clock.now())
