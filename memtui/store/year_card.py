"""A year of memory as one picture: how busy days were, as the calendar of the app counts them, and counts. SVG.

Only numbers and dates go into it, never a word out of a memory, a path or a home's name: it is made to be shown
around. Days are local; sessions that are kept twice count once.
"""

from __future__ import annotations

import os
from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from memtui.core import clock
from memtui.core.errors import RefusedError, UnavailableError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer
from memtui.store.day_heads import list_happenings
from memtui.store.session_ids import find_summarized_transcripts

if TYPE_CHECKING:
    from memtui.store.vault import Vault

CARD = "memtui-card.svg"
"""The file's name, where nobody gives it another."""

LEVELS = 4
"""Of colour, besides nothing at all."""
CELL, GAP = 13, 3
LEFT, TOP = 46, 96
WIDTH, HEIGHT = LEFT + 53 * (CELL + GAP) + 24, 284

DARK = ("#15181e", "#d6dae2", "#8793a8", ("#232833", "#5b4526", "#8a6430", "#b9823f", "#e0a85c"))
LIGHT = ("#fbfaf7", "#22262e", "#6a7280", ("#ebe8e1", "#f0d9b5", "#e2b377", "#cb8439", "#b3591b"))
"""Background, text, dim text, and the colours of the levels."""


class YearCounts(NamedTuple):
    """What a year was like, in numbers."""

    first: date
    last: date
    days: Counter[date]
    memories: int
    """All that hold today, whenever they were made."""
    sessions: int
    """Of the year."""
    homes: int

    @property
    def run(self) -> int:
        """The most days in a row with something on each of them."""
        longest = length = 0
        for back in range((self.last - self.first).days + 1):
            length = length + 1 if self.days[self.first + timedelta(back)] else 0
            longest = max(longest, length)
        return longest

    @property
    def busiest(self) -> tuple[date, int]:
        """The day with the most on it, the latest of several."""
        return max(self.days.items(), key=lambda pair: (pair[1], pair[0]), default=(self.last, 0))

    def level(self, day: date) -> int:
        """0 for nothing, up to 4; nine of ten days have less than what is drawn as full."""
        count = self.days[day]
        counts = sorted(self.days.values())
        full = counts[len(counts) * 9 // 10] if counts else 1
        return min(LEVELS, 1 + (count - 1) * LEVELS // max(LEVELS, full)) if count else 0


def count_year(vault: Vault, year: int | None = None) -> YearCounts:
    """The counts of a calendar year, or of the last twelve months, by the index; where nothing happened in those, of
    the twelve up to the last day with something. Raises UsageError: it is to come.
    """
    today = clock.convert_to_local(clock.now()).date()
    if year is not None and year > today.year:
        raise UsageError(_("{year} is still to come.").format(year=year))
    happened = Counter(clock.convert_to_local(time).date() for time in list_happenings(vault))
    last = today if year is None else min(today, date(year, 12, 31))
    latest = max((day for day in happened if day <= today), default=today)
    if year is None and latest < today - timedelta(364):
        last = latest
    first = last - timedelta(364) if year is None else date(year, 1, 1)
    sessions = Filter(layers=frozenset({Layer.SESSION}), kinds=frozenset({"session"}))
    twice = set(find_summarized_transcripts(vault, sessions))
    days = Counter({day: number for day, number in happened.items() if first <= day <= last})
    held = 0
    for time, ref in vault.timed(sessions):
        held += ref not in twice and first <= clock.convert_to_local(time).date() <= last
    standing = Filter().statuses
    memories = sum(number for (_home, _layer, _kind, status), number in vault.counts().items() if status in standing)
    return YearCounts(first, last, days, memories, held, len(vault.homes))


def list_facts(year: YearCounts) -> list[str]:
    """The year in a few words, for the picture and for whoever asked for it."""
    day, most = year.busiest
    facts = [
        _n("{count} memory", "{count} memories", year.memories),
        _n("{count} session", "{count} sessions", year.sessions),
        _n("{count} active day", "{count} active days", len(year.days)),
        _n("longest run {count} day", "longest run {count} days", year.run),
    ]
    if most:
        facts.append(_("busiest {day}: {count:,}").format(day=day.isoformat(), count=most))
    return facts


def draw_card(year: YearCounts, *, light: bool = False) -> str:
    """The picture, as the text of an SVG file that needs nothing else to be shown."""
    ground, ink, dim, colours = LIGHT if light else DARK
    font = "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
    title = _("What my agents remember")
    span = f"{year.first.isoformat()} – {year.last.isoformat()}"
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'role="img" font-family="{font}">'
        ),
        f"<title>{escape(title)} · {span}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="{ground}"/>',
        _render_text(24, 40, title, ink, 20, weight=700),
        _render_text(24, 64, span, dim, 13),
    ]
    monday = year.first - timedelta(year.first.weekday())
    for weekday, name in ((0, _("Mon")), (2, _("Wed")), (4, _("Fri"))):
        out.append(_render_text(12, TOP + weekday * (CELL + GAP) + CELL - 2, name, dim, 10))
    month = 0
    for week in range(((year.last - monday).days // 7) + 1):
        x = LEFT + week * (CELL + GAP)
        start = monday + timedelta(7 * week)
        if start.month != month and start.day <= 7:
            out.append(_render_text(x, TOP - 8, start.strftime("%m"), dim, 10))
        month = start.month
        for weekday in range(7):
            day = start + timedelta(weekday)
            if year.first <= day <= year.last:
                y = TOP + weekday * (CELL + GAP)
                told = f"{day.isoformat()}: {year.days[day]:,}"
                out.append(
                    f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="3" fill="{colours[year.level(day)]}">'
                    f"<title>{told}</title></rect>"
                )
    below = TOP + 7 * (CELL + GAP) + 26
    out.append(_render_text(24, below, " · ".join(list_facts(year)), ink, 13))
    for level, colour in enumerate(colours):
        x = WIDTH - 24 - (len(colours) - level) * (CELL + GAP)
        out.append(f'<rect x="{x}" y="{below + 10}" width="{CELL}" height="{CELL}" rx="3" fill="{colour}"/>')
    out.append(_render_text(24, below + 21, "memtui", dim, 11))
    return "\n".join([*out, "</svg>\n"])


def save_card(path: str, picture: str, *, force: bool = False) -> None:
    """Write it to a file of its own. Raises RefusedError where something is there, UnavailableError where it cannot."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if force else os.O_EXCL)
    try:
        with os.fdopen(os.open(path, flags, 0o644), "w", encoding="utf-8") as file:
            file.write(picture)
    except FileExistsError as error:
        raise RefusedError(
            _("{path} is there already: --force replaces it, --output names another.").format(path=path)
        ) from error
    except OSError as error:
        raise UnavailableError(
            _("{path} could not be written: {error}").format(path=path, error=error.strerror)
        ) from error


def _render_text(x: int, y: int, said: str, colour: str, size: int, *, weight: int = 400) -> str:
    return f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" font-weight="{weight}">{escape(said)}</text>'
