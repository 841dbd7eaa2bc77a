"""What a memory is worth to whoever opens Home: points for what its file is for, where in the file it stands, what kind of
thing it says, and how new it is. They were fitted to what readers of real homes wanted to see first.

No widget here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memtui.core import clock
from memtui.core.model import Layer, Memory
from memtui.core.startup import compile_pattern
from memtui.store.day_heads import PACKAGE, read_stem
from memtui.tui.paint import choose_time
from memtui.tui.spreading import (
    CALLED,
    DEMANDING,
    LEARNT,
    LOOKED_AT,
    WANTED,
    is_field,
    is_foremost,
    is_fragment,
    is_slight,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RANKS = (
    ("user.md", "profile.md", "user_profile.md", "about.md"),
    ("memory.md", "long-term.md", "long_term.md", "long-term-memory.md", "长期记忆.md"),
    ("claude.md",),
    ("claude.local.md", "agents.md", "gemini.md", "rules.md", "preferences.md"),
    ("identity.md", "soul.md"),
    ("tools.md", "heartbeat.md", "bootstrap.md"),
)
"""What files of a profile are called: of the person, of core memory, rules for this project, for any, of the agent, of its
tools."""
PERSON, CORE, RULES, OTHERS, AGENT, TOOLS = range(len(RANKS))
ESSENTIAL = ("context", "overview", "project", "guidelines", "index")
"""Documents that say what a project is (spec 000), in the order in which they are worth reading."""
_TOPICS = {"feedback": 23, "project": 12, "reference": 14}
_ROLES = (9, 7, 0, -12, -8, -12)
"""Points of a file of each rank."""
_DOCUMENT, _ESSENTIAL, _PLAN = -18, 6, -10
_SECTIONS = ((7, 1, -4, -20), (2, 2, -5, -9))
"""Of the first section, of the second, to the eighth, and of later ones: of files of a rank, and of others."""
_PLACES = ((4, -9, -12), (4, -7, -7))
"""Of the first of a section, the second, and others."""


def rank_file(path: str) -> int:
    """Its rank; as many as there are: it has none."""
    name = path.rpartition("/")[2].lower()
    found = next((rank for rank, names in enumerate(RANKS) if name in names), len(RANKS))
    # Below `user/` stands what a person says of themselves, whatever it is called.
    return PERSON if found == len(RANKS) and "user" in path.split("/")[:-1] else found


def rate_file(found: Iterable[Memory], days: Sequence[str] = ()) -> dict[str, int]:
    """The points of what a file says, by id; `days` are those with notes, the newest first."""
    sections: dict[tuple[str, ...], int] = {}
    told: Counter[tuple[str, ...]] = Counter()
    rates: dict[str, int] = {}
    todos = 0
    for number, one in enumerate(sorted(found, key=lambda one: one.start)):
        section = sections.setdefault(one.heading, len(sections))
        if one.kind == "todo":
            rates[one.id] = _rate_todo(one, todos, days) + _rate_words(one)
            todos += 1
        else:
            rates[one.id] = _rate(one, number, section, told[one.heading]) + _rate_words(one)
        told[one.heading] += 1
    return rates


def rate_todos(found: Iterable[Memory], days: Sequence[str]) -> dict[str, int]:
    """The points of what is to be done, each file's by themselves."""
    files: dict[tuple[str, str], list[Memory]] = {}
    for one in found:
        files.setdefault((one.home, one.path), []).append(one)
    rates: dict[str, int] = {}
    for some in files.values():
        rates |= rate_file(some, days)
    return rates


def _rate(one: Memory, number: int, section: int, at: int) -> int:
    """By its file and its place in it."""
    rank = PERSON if one.kind == "user" else rank_file(one.path)
    other = rank == len(RANKS)
    essential = other and read_stem(one.path) in (*ESSENTIAL, "readme")
    points = _SECTIONS[other][0 if not section else 1 if section == 1 else 2 if section < 8 else 3]
    points += _PLACES[other][min(at, 2)] - min(max(at - 8, 0), 10)
    if other:
        points += _TOPICS.get(one.kind, _ESSENTIAL if essential else _PLAN if PACKAGE.match(one.path) else _DOCUMENT)
        points += 6 * (number == 0) + 10 * (essential and one.kind == "fact")
    else:
        points += _ROLES[rank] - 3 * (number == 0)
    if rank == PERSON:
        points += 13 * (section == 0) + 6 * (number == 0) - 6 * is_field(one)
        points += 6 * (CALLED.match(one.text) is not None) + 6 * (WANTED.match(one.text) is not None)
    elif rank == RULES:
        points += 12 * is_foremost(one)
    elif rank == CORE or essential:
        points += 9 * (one.kind in LEARNT)
    return points + 7 * (rank == AGENT and DEMANDING.search(one.text[:LOOKED_AT]) is not None)


def _rate_words(one: Memory) -> int:
    """By what it says."""
    size = len(one.text)
    return (
        8 * (DEMANDING.search(one.text[:LOOKED_AT]) is not None)
        - (13 if is_fragment(one) else 9 if size <= 20 else -10 if size > 160 else 0)
        - 12 * is_slight(one)
        - 7 * (_ASIDE.match(one.text) is not None)
        - 7 * (_UPKEEP.search(one.text[:LOOKED_AT]) is not None)
    )


def _rate_todo(one: Memory, at: int, days: Sequence[str]) -> int:
    """By where it is kept, its place in the list, and how new it is."""
    points = 12 * presses(one) + (11 if at == 0 else 0 if at < 3 else -1 if at < 6 else -6)
    if one.layer is Layer.JOURNAL:
        day = name_day(one)
        age = days.index(day) if day in days else len(_AGES)
        return points - 9 + _AGES[min(age, len(_AGES) - 1)]
    return points + (9 if one.layer is Layer.CORE else 7 if PACKAGE.match(one.path) else -10)


def name_day(one: Memory) -> str:
    """The day that it says it is of; empty: none."""
    moment = choose_time(one)
    return clock.format_day(moment) if moment is not None else ""


def presses(one: Memory) -> bool:
    """Whether it says that it must not wait."""
    return _PRESSING.search(one.text[: 2 * LOOKED_AT]) is not None


_AGES = (20, -1, -7, -7, -21)
"""Points of what is to be done, from the newest day with notes on."""
_PRESSING = compile_pattern(
    r"priority\W{0,6}(?:p[01]\b|high|urgent|critical)|\bp[01]\b|\burgent|overdue|优先级\W{0,6}(?:p[01]|高|最高|紧急)|紧急|🔴|🚨",
    2,
)
_ASIDE = compile_pattern(r"[_*](?![_*])[^\n]+[_*]$")
_UPKEEP = compile_pattern(
    r"(?:MEMORY|AGENTS|SOUL|USER|TOOLS|HEARTBEAT|IDENTITY|BOOT(?:STRAP)?)\.md|memory/(?:YYYY|\*)|heartbeat", 2
)
