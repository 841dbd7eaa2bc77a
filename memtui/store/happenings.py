"""What happened on which day besides what was noted, every day's count, and a year of it as one picture (SVG).

Days: the heads of plans and of releases. `scope` is a filter that chooses homes and statuses; without statuses
everything is asked for. Days are local; sessions that are kept twice count once.

The picture shows how busy days were, as the calendar of the app counts them, and counts. Only numbers and dates go
into it, never a word out of a memory, a path or a home's name: it is made to be shown around.
"""

from __future__ import annotations

import os
from collections import Counter
from datetime import date, timedelta
from html import escape
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.errors import RefusedError, UnavailableError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer, Memory, Status
from memtui.core.startup import compile_pattern
from memtui.store.session_ids import find_summarized_transcripts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.store.reading import MemoryRef
    from memtui.store.vault import Vault

HEADS = 240
"""Plans and releases that are read, the newest."""
LOGGED = frozenset({"event"})
"""Kinds of knowledge that tell what happened: a changelog's entries."""
PACKAGE = compile_pattern(r"(?:^|.*/)((20\d\d)-?(\d\d)-?(\d\d)(?:\d{2,6})?[_-]([^/]+))/([^/]+)$")
"""A document of a plan: `plan/202603181016_slug/proposal.md`."""
_CHIEF = ("proposal", "why", "requirements", "prd", "plan", "design", "how", "tasks", "task")
"""Documents of a plan: the first that is there stands for it."""
_BOOKKEEPING = compile_pattern(r"verified|not covered|verification|验证|验收|测试结果", 2)
DATED = "*20??*/*"
_PLANNED = frozenset({"plan"})
_PAST = frozenset({Status.ACTIVE, Status.CANDIDATE, Status.ARCHIVED})


def is_unreleased(memory: Memory) -> bool:
    """Whether it is of a release that is still to come, and has no day yet."""
    return _choose_date(memory) is None and any(map(_PENDING.search, memory.heading))


_PENDING = compile_pattern(r"\[?unreleased\]?|未发布|待发布", 2)


def match_path_exactly(path: str) -> str:
    """A path as a filter that means exactly it and what begins like it; glob signs in a name match themselves."""
    return "".join("?" if char in "*?[" else char for char in path)


def read_stem(path: str) -> str:
    """A file's name without its ending, lower case."""
    return path.rpartition("/")[2].rpartition(".")[0].lower()


def choose_days(vault: Vault, scope: Filter) -> list[Memory]:
    """What happened besides sessions and notes: the head of every plan, live or put away, and of every release."""
    plans = list(find_plans(vault, scope))[:HEADS]
    return [*load_plans(vault, scope, plans), *find_releases(vault, scope)]


def find_plans(vault: Vault, scope: Filter) -> dict[tuple[str, str], bool]:
    """The document that each plan is known by, the newest plan first, by its home and path; whether it is counted
    among sessions already.
    """
    # Only files of folders that are named after a day are looked at: an index finds them by their paths.
    past = _widen_to_past(scope)._replace(path=DATED)
    heads = past._replace(layers=frozenset({Layer.SESSION}), kinds=_PLANNED)
    live = heads._replace(statuses=scope.statuses)
    counted = {(str(home.path), outline.path) for home, outline in vault.outlines(live)}
    packages: dict[tuple[str, str, str], tuple[int, str]] = {}
    documents = past._replace(layers=frozenset({Layer.KNOWLEDGE}))
    for place, outline in (*vault.outlines(heads), *vault.outlines(documents)):
        match = PACKAGE.match(outline.path)
        if match is None:
            continue
        stem = read_stem(outline.path)
        rank = _CHIEF.index(stem) if stem in _CHIEF else len(_CHIEF)
        # A plan that was put away may have left its folder behind, or the hour in its name.
        key = (str(place.path), "".join(match.group(2, 3, 4)), match[5])
        packages[key] = min(packages.get(key, (99, "")), (rank, outline.path))
    newest = sorted(packages.items(), key=lambda item: (item[0][1:], item), reverse=True)
    places = [(home, path) for (home, _day, _name), (_rank, path) in newest]
    return {place: place in counted for place in places}


def load_plans(vault: Vault, scope: Filter, places: Iterable[tuple[str, str]]) -> Iterator[Memory]:
    """The heads of these plans."""
    past = _widen_to_past(scope)
    heads = (
        vault.ids(past._replace(homes=frozenset({home}), path=match_path_exactly(path)), "path", limit=1)
        for home, path in places
    )
    # One look at the texts is quicker than one for each.
    yield from filter(None, vault.load(chain.from_iterable(heads)))


def _widen_to_past(scope: Filter) -> Filter:
    """Plans, live or put away; where a scope leaves out no status, all of them."""
    statuses = _PAST if scope.statuses else scope.statuses
    return scope._replace(layers=frozenset({Layer.KNOWLEDGE, Layer.SESSION}), statuses=statuses)


def find_releases(vault: Vault, scope: Filter) -> Iterator[Memory]:
    """The first entry of each day, version and kind of change of a changelog."""
    seen: set[object] = set()
    refs = vault.ids(scope._replace(layers=frozenset({Layer.KNOWLEDGE}), kinds=LOGGED), "time", limit=4 * HEADS)
    found = [
        one
        for one in vault.load(refs)
        if one is not None and (_choose_date(one) is not None or is_unreleased(one)) and not PACKAGE.match(one.path)
    ]
    found.sort(key=lambda one: (-(_choose_date(one) or 0.0), one.home, one.path, one.start))
    for memory in found:
        release = (
            memory.home,
            memory.path,
            memory.heading[:3],
            _choose_date(memory) and clock.format_day(_choose_date(memory) or 0.0),
        )
        if release not in seen and not any(map(_BOOKKEEPING.search, memory.heading)):
            seen.add(release)
            yield memory


def filter_days(vault: Vault, within: Filter) -> Filter:
    """What a day consists of: its sessions, each as one, and what was noted; not what sessions are made of."""
    kinds = {kind for _home, layer, kind, _status in vault.counts(within) if layer is Layer.SESSION}
    if not (parts := frozenset(kinds - {"session"})):
        return within
    inner = Filter(layers=frozenset({Layer.SESSION}), kinds=parts, statuses=frozenset())
    return within._replace(without=(*within.without, inner))


def list_day_times(vault: Vault, within: Filter, twice: Iterable[MemoryRef], more: Iterable[Memory]) -> Iterator[float]:
    """The time of whatever passes, of `twice` none, for another session stands for them, and of `more`."""
    gone = set(twice)
    timed = vault.timed(filter_days(vault, within))
    yield from (time for time, ref in timed if ref not in gone)
    yield from filter(None, map(_choose_date, more))


def list_happenings(vault: Vault) -> Iterator[float]:
    """The time of each session, note, plan and release of all homes: what the calendar and the year's card count."""
    within = Filter(layers=frozenset({Layer.SESSION, Layer.JOURNAL}))
    sessions = within._replace(layers=frozenset({Layer.SESSION}), kinds=frozenset({"session"}))
    twice = find_summarized_transcripts(vault, sessions)
    yield from list_day_times(vault, within, twice, choose_days(vault, Filter()))


def _choose_date(memory: Memory) -> float | None:
    return memory.updated if memory.updated is not None else memory.created


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
        f"<title>{escape(title, quote=False)} · {span}</title>",
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
            out.append(_render_text(x, TOP - 8, clock.name_month(start.month), dim, 10))
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
    text = escape(said, quote=False)
    return f'<text x="{x}" y="{y}" fill="{colour}" font-size="{size}" font-weight="{weight}">{text}</text>'
