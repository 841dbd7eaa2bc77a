"""The last days' facts that a session is given (spec 004): all of the newest, few of those before, then the sure."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui import clock
from memtui.curation.decay import DAY, Window, days, seen
from memtui.home_config import home_defaults
from memtui.layouts import layout
from memtui.locale import _, _n
from memtui.pattern import pattern
from memtui.sessions.passage import Passage, held, holds, masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.model import Entry, Home
    from memtui.sessions.belonging import Belonging
    from memtui.sessions.passage import Patterns

LAYOUTS = frozenset({"skillix", "memtui"})
"""Those that keep facts a day in daily/*.jsonl."""

_DAY = pattern(r"(\d{4}-\d{2}-\d{2})\.jsonl")
_NO_FACTS = frozenset({"session", "session_start", "session_end", "session_metrics", "audit", "warning"})


def window(home: Home) -> Window:
    """How far back the home's own config wants to see."""
    return Window(**home_defaults(home.layout, home.path).get("load", {}))


def recent(home: Home, whose: Belonging, *, now: float, hidden: Patterns) -> list[Passage]:
    """The facts of one home, newest first, each with why it is still seen."""
    if home.layout not in LAYOUTS:
        return []
    reach = window(home)
    places: dict[int, str] = {}
    facts: list[Entry] = []
    for path in _paths(home, reach, now):
        role = layout(home.layout).role(home.path, path)
        source = held(home, path, role, role.limit) if role is not None else None
        if source is None:
            continue
        from memtui.parse.daily_records import parse

        for entry in parse(source).entries:
            if _given(entry, now) and whose.told(*_about(entry)) is not False:
                facts.append(entry)
                places[id(entry)] = path
    return [_passage(home, places[id(fact)], fact, reach, now, hidden) for fact in seen(facts, now, reach)]


def _paths(home: Home, reach: Window, now: float) -> Iterator[str]:
    """The files of the days that can be seen; their names may be of another zone's day."""
    first, last = clock.day(now - (reach.load_days_max + 1) * DAY), clock.day(now + 2 * DAY)
    try:
        names = sorted(os.listdir(home.path / "daily"))
    except OSError:
        return
    for name in names:
        match = _DAY.fullmatch(name)
        if match and first <= match[1] <= last:
            yield f"daily/{name}"


def _given(entry: Entry, now: float) -> bool:
    stage = str(entry.extra.get("memory_type", "")).upper() == "S"
    return entry.kind not in _NO_FACTS and not stage and holds(entry, now)


def _about(entry: Entry) -> tuple[str, str]:
    """The project and the directory that a record names."""
    said = [entry.extra.get(name) for name in ("project", "cwd")]
    project, cwd = (value if isinstance(value, str) else "" for value in said)
    return project, cwd


def _passage(home: Home, path: str, fact: Entry, reach: Window, now: float, hidden: Patterns) -> Passage:
    age = days(fact.created or now, now)
    text = " ".join(masked(fact.text, hidden).split())
    return Passage(
        home,
        path,
        layout(home.layout).role(home.path, path).layer,  # type: ignore[union-attr]  # it was read by its role
        fact.kind,
        _reason(age, fact, reach),
        ((fact.start, text),),
    )


def _reason(age: int, fact: Entry, reach: Window) -> str:
    if age < reach.load_days_full:
        return _n("of the last day", "of the last {count} days", reach.load_days_full).format(
            count=reach.load_days_full
        )
    if age < reach.load_days_partial:
        told = _("{age} days old: one of the newest {count} of its day")
        return told.format(age=age, count=reach.partial_per_day)
    told = _("{age} days old, and important: confidence {confidence:.2f}")
    return told.format(age=age, confidence=fact.confidence or 0.0)


def said_in(fact: Passage, others: Iterable[str]) -> bool:
    """Whether one of the texts says the fact word for word: then it is not said again."""
    key = _squashed(fact.text)
    return len(key) > 7 and any(key in _squashed(other) for other in others)


def _squashed(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
