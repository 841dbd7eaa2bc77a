"""Times that a text names, in English and Chinese: 'in March', 'two weeks ago', '去年三月', '前天'.

Careful rather than clever: `may` and `march` are months only where they look like it, and a date without a year
is the last such time before now. `Timely` marks the memories of the times that a query names (spec 003: time
recall).
"""

from __future__ import annotations

from datetime import timedelta

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.core.text import normalize_width
from memtui.search.terms import ASCII_WORD, WORD

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.search.candidate import Pool, SearchCandidate
    from memtui.search.fts import Lookup
    from memtui.search.time_phrases import Time

LONGEST = 2000
"""Characters of a text that are looked at."""

MOST = 60
"""Newest memories of a time that are looked at though they hold none of the words."""

SPANS = 3
"""Times of a query that are heeded."""

LONGEST_QUERY = 400
"""Characters of a query that may name a time, or something known: what is longer was pasted."""

_NAMING = (
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov "
    "november dec december monday tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter "
    "today tonight yesterday night morning afternoon evening weekend week month year ago last past previous quarter "
    "half q1 q2 q3 q4 h1 h2"
)
_ENGLISH = frozenset(_NAMING.split())
_CHINESE = frozenset("年月日天周週号號季期礼禮昨今前")
"""Without one of these, or a year, no time is named; reading closer takes fifteen milliseconds to get ready for."""

_AGE = compile_pattern(r"(\d{1,6})(s|min|h|d|w|mo|m|y)")
_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800, "m": 2592000, "mo": 2592000, "y": 31536000}
_YEAR = compile_pattern(r"(?:19|20)\d\d")


class TimeSpan(NamedTuple):
    """A span of time that a text names."""

    start: float
    """Seconds since the epoch: the local midnight that it begins with."""
    end: float
    """Exclusive."""
    text: str
    """As it stands there."""
    explicit: bool
    """It says its year itself, so that it means the same whenever it is read."""


def find_time_mentions(text: str, now: float) -> list[TimeSpan]:
    """The times that a text names, in their order. Any text will do."""
    text = text[:LONGEST]
    times, plain = _choose_patterns(text)
    if not times:
        return []
    today = clock.convert_to_local(now).date()
    found: list[tuple[int, int, TimeSpan]] = []
    for named_so, read in times:
        for match in named_so.finditer(plain):
            start, end = match.span()
            named = text[start:end]
            try:
                days = read(match, today)
                first = clock.parse(days.first.isoformat())
                last = clock.parse((days.last + timedelta(days=1)).isoformat())
            except (ValueError, OverflowError, StopIteration):
                # 'February 30', 'nine thousand years ago', 'I may 7'.
                continue
            if first is not None and last is not None:
                found.append((start, end, TimeSpan(first, last, named, days.explicit)))
    # '7 May 2023' is not also 'May 2023'.
    found.sort(key=lambda one: (one[0] - one[1], one[0]))
    kept: list[tuple[int, int, TimeSpan]] = []
    for start, end, moment in found:
        if all(end <= other or start >= after for other, after, _ in kept):
            kept.append((start, end, moment))
    return [moment for _, _, moment in sorted(kept)]


def _choose_patterns(text: str) -> tuple[tuple[Time, ...], str]:
    """The patterns that may fit a text, and the text as they have it."""
    times: tuple[Time, ...] = ()
    lower = text.lower()
    words = (ASCII_WORD if lower.isascii() else WORD).findall(lower)
    english = not _ENGLISH.isdisjoint(words) or any(word[:4].isdigit() and _YEAR.match(word) for word in words)
    chinese = not _CHINESE.isdisjoint(text)
    if not (english or chinese):
        return times, text
    # Most queries name no time.
    from memtui.search import time_phrases

    if english:
        times = time_phrases.TIMES_ENGLISH_TIMES
    if chinese:
        return (*times, *time_phrases.TIMES), text.translate(time_phrases.PLAIN)
    return times, text


def parse_time(text: str, *, end: bool = False) -> float | None:
    """A time as people type one: 7d, 12h, today, 2026-02-01, 2026-02, 'last week', 上周. None: it is none.

    A day is its local midnight, and with `end` the midnight after; so are weeks, months and years.
    """
    word = text.strip()
    age = _AGE.fullmatch(normalize_width(word).lower())
    if age:
        return clock.now() - int(age.group(1)) * _SECONDS[age.group(2)]
    found = find_time_mentions(word, clock.now())
    if len(found) == 1 and found[0].text == word:
        return found[0].end if end else found[0].start
    if _YEAR.fullmatch(word):
        return clock.parse(f"{int(word) + end}-01-01")
    moment = clock.parse(word)
    if moment is None or not end or len(word) > 10 or ":" in word:
        return moment
    # A day in another form: 20260201.
    try:
        return clock.parse((clock.convert_to_local(moment).date() + timedelta(days=1)).isoformat())
    except OverflowError:
        # Behind the last day that there is, nothing begins.
        return moment


def parse_future_time(text: str) -> float | None:
    """The end of a time to come, as people type one: 7d from now, today, 2030-02. None: it is none, or over."""
    age = _AGE.fullmatch(normalize_width(text.strip()).lower())
    if age:
        return clock.now() + int(age.group(1)) * _SECONDS[age.group(2)]
    moment = parse_time(text, end=True)
    return moment if moment is not None and moment > clock.now() else None


class Timely:
    """The times that one query names."""

    def __init__(self, query: str) -> None:
        self.spans: list[TimeSpan] = (
            find_time_mentions(query, clock.now())[:SPANS] if len(query) <= LONGEST_QUERY else []
        )

    def add(self, lookup: Lookup, pool: Pool) -> None:
        """Put the newest memories of these times among the candidates."""
        known = {candidate.order for candidate in pool.candidates}
        for span in self.spans:
            ids = [id_ for id_ in lookup.between(span.start, span.end, MOST) if id_ not in known]
            known.update(ids)
            lookup.take_beside(pool, ids)

    def mark(self, candidates: Iterable[SearchCandidate]) -> None:
        """Say of each candidate whether it is of such a time."""
        for candidate in candidates if self.spans else ():
            moment = candidate.time
            for span in self.spans if moment is not None else ():
                if span.start <= (moment or 0.0) < span.end:
                    candidate.recalled = _("of {time}").format(time=span.text)
                    break
