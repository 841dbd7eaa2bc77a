"""How busy days were, and the calendar that shows it: a column a week, a row a weekday, a cursor on a day.

Counts are by local day, drawn in five levels.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.store.happenings import list_day_times
from memtui.tui import draw, paint
from memtui.tui.prose import wrap_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual import events
    from textual.strip import Strip

    from memtui.core.model import Filter, Memory
    from memtui.store.reading import MemoryRef
    from memtui.tui.actions import Where
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Look, Piece

QUARTER = 900
"""Seconds: every zone's midnight falls on a quarter of an hour."""

BARS = "▁▂▃▄▅▆▇█"

LEVELS = 4
"""Besides nothing at all."""


class Activity(NamedTuple):
    """What was written on each day."""

    days: Counter[date]
    today: date
    busy: int
    """A day with so much is as full as a day is drawn: nine of ten days have less."""

    def level(self, day: date) -> int:
        """0 for nothing, up to 4."""
        count = self.days[day]
        return min(LEVELS, 1 + (count - 1) * LEVELS // max(LEVELS, self.busy)) if count else 0

    @property
    def first(self) -> date:
        """The earliest day with anything."""
        return min(self.days, default=self.today)

    @property
    def begin(self) -> date:
        """Where a calendar begins: today, or the last day with anything where this month has none."""
        last = max((day for day in self.days if day <= self.today), default=self.today)
        return self.today if (last.year, last.month) == (self.today.year, self.today.month) else last

    @property
    def most(self) -> tuple[date, int]:
        """The busiest day, the latest of several."""
        return max(self.days.items(), key=lambda pair: (pair[1], pair[0]), default=(self.today, 0))

    @property
    def run(self) -> int:
        """The most days in a row with something on each of them."""
        longest = length = 0
        before = None
        for day in sorted(self.days):
            length = length + 1 if before is not None and day - before == timedelta(1) else 1
            longest, before = max(longest, length), day
        return longest


def measure_activity(times: Iterable[float], now: float) -> Activity:
    """The activity of memories made or changed at these times; what bears the date of a day to come counts for none."""
    midnight = start(clock.convert_to_local(now).date() + timedelta(1))
    found: Counter[int] = Counter(int(time // QUARTER) for time in times if time < midnight)
    days: Counter[date] = Counter()
    for quarter, number in found.items():
        days[clock.convert_to_local(quarter * QUARTER).date()] += number
    counts = sorted(days.values())
    return Activity(days, clock.convert_to_local(now).date(), counts[len(counts) * 9 // 10] if counts else 1)


def start(day: date) -> float:
    """The local midnight that a day begins with, in seconds."""
    return clock.parse(day.isoformat()) or 0.0


def draw_sparkline(counts: Sequence[int], most: int = 0) -> str:
    """Counts as bars, the tallest for `most` or for the most there is; nothing at all is a dot."""
    most = max(most, max(counts, default=0))
    return "".join("·" if count <= 0 else BARS[min(7, (count * 8 - 1) // most)] for count in counts)


def name_month(number: int) -> str:
    """Three letters, January is 1."""
    return (
        _("Jan"), _("Feb"), _("Mar"), _("Apr"), _("May"), _("Jun"), _("Jul"), _("Aug"), _("Sep"), _("Oct"),
        _("Nov"), _("Dec"),
    )[number - 1]  # fmt: skip


def read(context: PaneContext, within: Filter, twice: Iterable[MemoryRef], more: Iterable[Memory] = ()) -> Activity:
    """How busy the days were, of what passes; `twice` are sessions that another one stands for, `more` is what else is
    shown by day.
    """
    return measure_activity(list_day_times(context.vault, within, twice, more), clock.now())


GLYPHS = "·░▒▓█"
"""By level: how much there is shows without any colour."""

STYLES = ("faint", "ok", "ok", "ok", "ok")

LABEL = 6
"""Cells for the names of the weekdays: Mon, 周一."""

WEEK = timedelta(7)

ROOMY = 30
"""Lines of a screen that has one to spare for what the glyphs mean."""


class Calendar(Widget, can_focus=True):
    """Weeks side by side, Monday on top, as many as there is room for; today's is the last."""

    ALLOW_SELECT = False

    @dataclass
    class Moved(Message):
        """The cursor stands on another day."""

        calendar: Calendar
        day: date

    def __init__(self, look: Callable[[], Look], *, id: str) -> None:
        super().__init__(id=id)
        self._look = look
        self.activity: Activity | None = None
        self.day: date | None = None
        """Where the cursor stands; None: nobody has looked yet."""
        self.ways = ""
        """What a person can do where no day has anything."""
        self._last = date.min
        """The Monday of the week at the right."""

    def on_mount(self) -> None:
        """It appears when it is asked for."""
        self.display = False
        self.border_title = Content(_("Activity") + " · " + _("↑↓ days · ←→ weeks · ↵ what the day holds"))

    def take(self, activity: Activity) -> None:
        """Show other counts. The cursor stays on its day; it begins where something was done last."""
        if activity == self.activity:
            return
        if self.activity is None or activity.today != self.activity.today:
            self._last = date.min
        self.activity = activity
        if self.day is None:
            self.day = activity.begin
        self._aim()

    def fit(self, tall: int) -> None:
        """Take the lines that a screen of this height can spare."""
        self.styles.height = 8 + 2 + (tall >= ROOMY)

    # -- moving -------------------------------------------------------------------------------------------------

    def move(self, where: Where) -> None:
        """Down and up by days, pages by weeks, to the first day with anything and to today."""
        if self.activity is None or self.day is None:
            return
        steps = {
            "down": 1, "up": -1, "half_down": 28, "half_up": -28, "page_down": 7 * self.weeks,
            "page_up": -7 * self.weeks,
        }  # fmt: skip
        ends = {"top": self.activity.first, "bottom": self.activity.today}
        self.go(ends[where] if where in ends else self._step_day(self.day, steps[where]))

    def turn(self, by: int) -> None:
        """So many weeks on."""
        if self.day is not None:
            self.go(self._step_day(self.day, 7 * by))

    @staticmethod
    def _step_day(day: date, by: int) -> date:
        try:
            return day + timedelta(by)
        except OverflowError:
            return day

    def go(self, day: date) -> None:
        """Stand on a day, no earlier than the first with anything in it nor later than today."""
        if self.activity is None:
            return
        first = min(self.activity.first, self.activity.today - WEEK * (self.weeks - 1))
        day = max(first, min(day, self.activity.today))
        if day != self.day:
            self.day = day
            self._aim()
            self.post_message(self.Moved(self, day))

    @property
    def weeks(self) -> int:
        """How many there is room for."""
        return max(1, (self.size.width - LABEL) // 2)

    def _aim(self) -> None:
        """Keep the cursor's week in sight, today's at the right for as long as that can be."""
        if self.activity is None or self.day is None:
            return
        newest, here = _find_monday(self.activity.today), _find_monday(self.day)
        if self._last == date.min:
            self._last = newest
            if here <= newest - WEEK * (self.weeks * 2 // 3):
                # What came before the day that it opens at is worth more than weeks without anything.
                self._last = here + WEEK * (self.weeks // 3)
        self._last = min(newest, max(self._last, here))
        if here <= self._last - WEEK * self.weeks:
            self._last = here + WEEK * (self.weeks - 1)
        told = describe_day_count(self.day, self.activity.days[self.day]) if self.activity.days else ""
        self.border_subtitle = Content(told)
        self.refresh()

    # -- drawing ------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Another number of weeks fits."""
        self._last = date.min
        self._aim()

    def render_line(self, y: int) -> Strip:
        """Months, then seven weekdays, then what the glyphs mean."""
        cells = self.size.width
        if self.activity is not None and not self.activity.days:
            lines = self._explain(max(1, cells - 4))
            pieces: list[Piece] = [("  ", ""), *lines[y - 2]] if 2 <= y < len(lines) + 2 else []
            return draw.strip(draw.fit_row(pieces, (), (), cells), cells, self._look(), self.rich_style)
        pieces = self._draw_months() if y == 0 else self._draw_weekday(y - 1) if y <= 7 else self._draw_legend(cells)
        return draw.strip(draw.fit_row(pieces, (), (), cells), cells, self._look(), self.rich_style)

    def _explain(self, cells: int) -> list[list[Piece]]:
        told = _("Nothing here has a date: what is noted or done on a day shows in this calendar.")
        return [*wrap_pieces([(told, "")], cells), *wrap_pieces([(self.ways, "dim")], cells)]

    def _list_mondays(self) -> list[date]:
        return [self._last - WEEK * back for back in range(self.weeks - 1, -1, -1)]

    def _draw_months(self) -> list[Piece]:
        if self.activity is None:
            return [(" " + _("reading …"), "dim")]
        line, before = " " * LABEL, 0
        for number, monday in enumerate(self._list_mondays()):
            last = monday + timedelta(6)
            at = LABEL + 2 * number
            if last.month != before and last.day <= 7 and cell_len(line) < at + (at == LABEL):
                name = name_month(last.month) if last.month != 1 else str(last.year)
                if at + cell_len(name) <= self.size.width:
                    line = draw.pad(line, at) + name
            before = last.month
        return [(line, "dim")]

    def _draw_weekday(self, weekday: int) -> list[Piece]:
        activity = self.activity
        pieces: list[Piece] = [(" " + draw.pad(paint.name_weekday(weekday), LABEL - 2) + " ", "dim")]
        if activity is None or self._last == date.min:
            return pieces
        for monday in self._list_mondays():
            day = monday + timedelta(weekday)
            if day == self.day:
                # Brackets tell the cursor where there are no colours: the cells beside a day are empty.
                name, style = pieces[-1]
                pieces[-1] = (name[:-1], style)
                glyph = GLYPHS[activity.level(day)]
                pieces += [("[", "accent"), (glyph, "title"), ("]", "accent")]
            elif day > activity.today:
                pieces.append(("  ", ""))
            else:
                level = activity.level(day)
                pieces.append((GLYPHS[level] + " ", STYLES[level]))
        return pieces

    def _draw_legend(self, cells: int) -> list[Piece]:
        if self.activity is None:
            return []
        day, most = self.activity.most
        scale: list[Piece] = [(" " * LABEL + _("less") + " ", "dim")]
        scale += [(glyph + " ", style) for glyph, style in zip(GLYPHS, STYLES, strict=True)]
        scale.append((_("more"), "dim"))
        if not most:
            return scale
        facts = (
            _("busiest {day}: {count:,}").format(day=day.isoformat(), count=most),
            _n("{count} active day", "{count} active days", len(self.activity.days)),
            _n("longest run {count} day", "longest run {count} days", self.activity.run),
        )
        for fact in facts:
            if draw.count_cells(scale) + cell_len(fact) + 3 < cells:
                scale.append(("   " + fact, "dim"))
        return scale

    # -- the mouse ----------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """The day that was clicked."""
        x, y = event.x - self.gutter.left - LABEL, event.y - self.gutter.top - 1
        if 0 <= y < 7 and 0 <= x < 2 * self.weeks:
            event.stop()
            self.focus()
            self.go(self._list_mondays()[x // 2] + timedelta(y))


def _find_monday(day: date) -> date:
    return day - timedelta(day.weekday())


def describe_day_count(day: date, count: int) -> str:
    """2026-11-20 Fri · 12 entries"""
    number = _n("{count} entry", "{count} entries", count) if count else _("nothing")
    return f"{day.isoformat()} {paint.name_weekday(day.weekday())} · {number}"
