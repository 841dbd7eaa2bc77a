"""What Home's timeline and the calendar show of a day: its sessions, plans and releases, and of its notes so many that
other days are seen, too. No widget here.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from memtui import clock
from memtui.model import Filter, Layer, Memory, Status
from memtui.pattern import pattern
from memtui.tui.choosing import (
    LEARNT,
    LOGGED,
    LOOKED_AT,
    READ,
    exactly,
    slight,
    stem_of,
    take_turns,
)
from memtui.tui.paint import PACKAGE, when

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.tui.context import Context

OF_A_DAY = 4
"""Notes of one day that are shown before those of the day before."""
DAYS = 8
"""Days with notes that are looked for."""
DENSE = 80
"""Notes that are read at once: a busy day has more."""

_ASKED = pattern(r"^(?:用户(?:又|再次)?(?:询问|触发|问(?!题))|(?:the )?user (?:asked|triggered|wondered))", 2)
_DEMANDED = pattern(
    r"\buser (?:explicitly |clearly )?(?:emphasi[sz]ed|demand(?:s|ed)|insist(?:s|ed)|wants|prefers|requires|required)\b"
    r"|用户(?:明确|特别|再次|反复)*(?:要求|强调|希望|偏好|纠正)|^要求",
    2,
)
"""What the person asked to be so."""
_TELLING = LEARNT | {"todo"}
_CHIEF = ("proposal", "why", "requirements", "prd", "plan", "design", "how", "tasks", "task")
"""Documents of a plan: the first that is there stands for it."""
_BOOKKEEPING = pattern(r"verified|not covered|verification|验证|验收|测试结果", 2)
_PLANNED = frozenset({"plan"})
_PAST = frozenset({Status.ACTIVE, Status.CANDIDATE, Status.ARCHIVED})


class Day:
    """What is shown of one day, and how much is left out of it."""

    def __init__(self) -> None:
        self.done: list[Memory] = []
        """Sessions and plans."""
        self.releases: list[Memory] = []
        self.notes: list[Memory] = []
        self.noted = 0
        """Notes of the day, those that were not read, too."""

    def choose(self, most: int, held: str) -> tuple[list[Memory], int]:
        """At most `most` releases and notes, the one that is `held` among them; how many more there are."""
        shown = [*self.done]
        for found in (self.releases, _in_turn(self.notes)):
            shown += [one for number, one in enumerate(found) if number < most or one.id == held]
        left = len(self.done) + len(self.releases) + max(self.noted, len(self.notes)) - len(shown)
        return shown, left


def _in_turn(notes: Sequence[Memory]) -> list[Memory]:
    """The notes of a day, the newest first, its files in turn and in each its sections: how it begins, then what says
    what to do or to know before others.
    """
    files: dict[str, dict[tuple[str, ...], list[Memory]]] = {}
    last: list[Memory] = []
    for one in sorted(notes, key=lambda one: (-(when(one) or 0.0), *stand(one))):
        if slight(one) or one.extra.get("done"):
            last.append(one)
        else:
            files.setdefault(one.path, {}).setdefault(one.heading, []).append(one)
    queues = []
    for sections in files.values():
        for found in sections.values():
            found.sort(key=lambda one: bool(_ASKED.search(one.text[:LOOKED_AT])))
        first, *others = sections.values()
        others.sort(key=lambda found: found[0].kind not in _TELLING)
        queue = list(take_turns([first, *others], len(notes), 1))
        queue.sort(key=lambda one: not _DEMANDED.search(one.text[:LOOKED_AT]))
        queues.append(queue)
    return [*take_turns(queues, len(notes), 1), *last]


def stand(memory: Memory) -> tuple[int, str, int]:
    """A day's own file before what else is named after it."""
    return len(memory.path), memory.path, memory.start


def choose_notes(context: Context, page: int) -> list[Day]:
    """The notes of the last days that have some, the newest day first, of more days than a page shows."""
    vault = context.vault
    wanted = context.scope((Layer.JOURNAL,))
    most = min(DAYS, max(3, page // 2))
    days: dict[float, Day] = {}
    until: float | None = None
    for _turn in range(most):
        refs = vault.ids(wanted._replace(until=until), "time", limit=DENSE)
        found = [one for one in vault.load(refs) if one is not None and not one.kind.startswith("session_")]
        for one in found:
            days.setdefault(_midnight(one), Day()).notes.append(one)
        # Of the oldest of them more may be to come: it is left out of what fills the page.
        rows = sum(1 + min(len(day.notes), OF_A_DAY) for start, day in days.items() if start != min(days))
        if len(refs) < DENSE or not found or len(days) >= most or min(days) == until or rows > page:
            break
        until = min(days)
    for start, day in days.items():
        if len(day.notes) > OF_A_DAY:
            day.noted = len(vault.ids(wanted._replace(since=start, until=_next(start))))
    return [days[start] for start in sorted(days, reverse=True)]


def _midnight(memory: Memory) -> float:
    moment = when(memory)
    moment = memory.modified or 0.0 if moment is None else moment
    return clock.parse(clock.day(moment)) or 0.0


def _next(start: float) -> float:
    """The midnight after, also where a day has 23 hours or 25."""
    return clock.parse(clock.day(start + 36 * 3600)) or start + 86400


def choose_days(context: Context) -> list[Memory]:
    """What happened besides sessions and notes: the head of every plan, live or put away, and of every release."""
    return [*load_plans(context, list(find_plans(context))[:READ]), *find_releases(context)]


def find_plans(context: Context) -> dict[tuple[str, str], bool]:
    """The document that each plan is known by, the newest plan first, by its home and path; whether it is counted
    among sessions already.
    """
    vault = context.vault
    heads = context.scope((Layer.SESSION,), _PLANNED)
    counted = {(str(home.path), outline.path) for home, outline in vault.outlines(heads)}
    packages: dict[tuple[str, str, str], tuple[int, str]] = {}
    past = _past(context)
    heads = past._replace(layers=frozenset({Layer.SESSION}), kinds=_PLANNED)
    documents = past._replace(layers=frozenset({Layer.KNOWLEDGE}))
    for place, outline in (*vault.outlines(heads), *vault.outlines(documents)):
        match = PACKAGE.match(outline.path)
        if match is None:
            continue
        stem = stem_of(outline.path)
        rank = _CHIEF.index(stem) if stem in _CHIEF else len(_CHIEF)
        # A plan that was put away may have left its folder behind, or the hour in its name.
        key = (str(place.path), "".join(match.group(2, 3, 4)), match[5])
        packages[key] = min(packages.get(key, (99, "")), (rank, outline.path))
    newest = sorted(packages.items(), key=lambda item: (item[0][1:], item), reverse=True)
    places = [(home, path) for (home, _day, _name), (_rank, path) in newest]
    return {place: place in counted for place in places}


def load_plans(context: Context, places: Iterable[tuple[str, str]]) -> Iterator[Memory]:
    """The heads of these plans."""
    vault = context.vault
    past = _past(context)
    heads = (
        vault.ids(past._replace(homes=frozenset({home}), path=exactly(path)), "path", limit=1)
        for home, path in places
    )
    # One look at the texts is quicker than one for each.
    yield from filter(None, vault.load(chain.from_iterable(heads)))


def _past(context: Context) -> Filter:
    """Plans, live or put away."""
    statuses = frozenset[Status]() if context.hidden else _PAST
    return context.scope((Layer.KNOWLEDGE, Layer.SESSION), statuses=statuses)


def find_releases(context: Context) -> Iterator[Memory]:
    """The first entry of each day, version and kind of change of a changelog."""
    seen: set[object] = set()
    vault = context.vault
    refs = vault.ids(context.scope((Layer.KNOWLEDGE,), LOGGED), "time", limit=4 * READ)
    found = [
        one
        for one in vault.load(refs)
        if one is not None and (when(one) is not None or pending(one)) and not PACKAGE.match(one.path)
    ]
    found.sort(key=lambda one: (-(when(one) or 0.0), one.home, one.path, one.start))
    for memory in found:
        release = (
            memory.home,
            memory.path,
            memory.heading[:3],
            when(memory) and clock.day(when(memory) or 0.0),
        )
        if release not in seen and not any(map(_BOOKKEEPING.search, memory.heading)):
            seen.add(release)
            yield memory


def pending(memory: Memory) -> bool:
    """Whether it is of a release that is still to come, and has no day yet."""
    return when(memory) is None and any(map(_PENDING.search, memory.heading))


_PENDING = pattern(r"\[?unreleased\]?|未发布|待发布", 2)
