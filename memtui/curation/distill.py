"""Which facts of the journals belong in core memory (spec 004), and why every other one does not. Pure.

A fact is chosen if it is no system event, stands, lasts (see `passing`), is sure and old enough, and is not in core
memory yet. Opinions come first, then the surer ones, rules, and those said more often; what is over the limit waits
its turn.

A type that nobody stated is told by the kind (`sections.memory_type`). A confidence that nobody stated is taken by the
kind as well, since most journals have no place for one: whoever called a line a preference, a decision, a rule or a
lesson meant it (.9), a fact is a fact (.85), a note may be anything (.8); every further day it was said adds .05. Where
the format has a place for it and nothing stands there (spec 004's own records), it is 0, as spec 004 has it.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.curation.decay import days, seen
from memtui.curation.kin import Kin
from memtui.curation.passing import passing
from memtui.curation.sections import Belongs, belongs, memory_type
from memtui.curation.similar import Likeness, compared, normal, shaped, weight
from memtui.locale import _, _n
from memtui.model import Layer, Status
from memtui.parse import kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.config import DistillConfig
    from memtui.model import Memory

DAY = 86400.0
LONGEST = 800
"""Characters of a fact (spec 004: save_fact cuts there)."""

_NONE = frozenset({
    "session_start", "session_end", "session_metrics", "audit", "warning", "summary", "session", "message", "file",
    "state", "index", "signal", "index_entry", "episode",
})  # fmt: skip
_TAKEN = {"pref": 0.9, "decision": 0.9, "rule": 0.9, "lesson": 0.9, "skill": 0.9, "note": 0.8}
_LABEL = re.compile(r"\*{0,2}([^*:：\n]{1,40})\*{0,2}\s*[:：]\s*\*{0,2}\s*")
_FIELD = re.compile(r"\*\*[^*\n]{1,40}\*\*\s*[:：]|\d{1,2}:\d\d\b")
_EDITED = re.compile(r"[^`\n]{1,200}: edited (?:`[^`\n]*`(?:, )?)+$")
"""The journal's notes of which files were edited (spec 002)."""
_GONE = {
    Status.DELETED: "deleted",
    Status.SUPERSEDED: "superseded",
    Status.ARCHIVED: "archived",
    Status.EXPIRED: "expired",
    Status.CANDIDATE: "not yet released by its own home",
}


class Chosen(NamedTuple):
    """A fact for core memory, with every time it was said."""

    text: str
    said: tuple[Memory, ...]
    """Newest first."""
    days: int
    """On how many different days."""
    type: str
    """W, B or O."""
    place: Belongs
    confidence: float
    near: tuple[tuple[int, Likeness], ...]
    """What core memory says that is alike, nearest first: numbers in `existing`."""
    parts: tuple[tuple[str, str], ...]
    """Why: name and value."""

    @property
    def fact(self) -> Memory:
        """As it was said last."""
        return self.said[0]


class Left(NamedTuple):
    """A fact that was not chosen, and why."""

    fact: Memory
    reason: str


class Selection(NamedTuple):
    """Every fact is in just one of them."""

    chosen: tuple[Chosen, ...]
    refused: tuple[Left, ...]


def select(
    facts: Sequence[Memory],
    existing: Sequence[Memory],
    config: DistillConfig,
    now: float,
    *,
    known: Kin | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    settled: Callable[[Memory], str] = lambda _fact: "",
) -> Selection:
    """What of the facts to propose, given what core memory says already.

    `known` is `existing` ready to be compared, `groups` the facts that say the same, by their numbers: both are worked
    out where they are not given. `settled` says of a fact why a person wants it no more, or nothing.
    """
    known = (
        Kin([memory.text for memory in existing], [memory.entities for memory in existing])
        if known is None
        else known
    )
    groups = Kin(worded(fact) for fact in facts).groups() if groups is None else groups
    refused: list[Left] = []
    passed: list[Chosen] = []
    current = {id(fact) for fact in seen(facts, now)}
    for group in groups:
        standing: list[Memory] = []
        for number in group:
            why = _unfit(facts[number], now)
            if why:
                refused.append(Left(facts[number], why))
            else:
                standing.append(facts[number])
        if not standing:
            continue
        standing.sort(key=lambda fact: -(_when(fact) or 0.0))
        judged = _judged(standing, existing, known, config, now, current, settled)
        if isinstance(judged, str):
            refused.extend(Left(fact, judged) for fact in standing)
        else:
            passed.append(judged)
    refused.sort(key=lambda left: left.fact.kind in _NONE)
    passed.sort(key=_rank)
    chosen, later = _bounded(passed, config.max_items_per_run)
    return Selection(chosen, (*later, *refused))


def _bounded(passed: list[Chosen], limit: int) -> tuple[tuple[Chosen, ...], list[Left]]:
    """The first ones, none of which is part of another; and why the rest waits."""
    chosen: list[Chosen] = []
    left: list[Left] = []
    turn = _n("waits its turn: {count} at a time", "waits its turn: {count} at a time", limit)
    for one in passed:
        if len(chosen) == limit:
            left.extend(Left(fact, turn) for fact in one.said)
            continue
        alike = (other for other in chosen if _overlap(one.text, other.text))
        twin = next(alike, None)
        if twin is None:
            chosen.append(one)
            continue
        why = _("like {place}, which is proposed").format(place=f"{twin.fact.path}:{twin.fact.start}")
        left.extend(Left(fact, why) for fact in one.said)
    return tuple(chosen), left


def _overlap(one: str, two: str) -> bool:
    how = compared(shaped(one), shaped(two))
    return how is not None and how.kind in {"exact", "same", "inside", "around"}


def worded(fact: Memory) -> str:
    """The fact without the label that a summary gives it ('**决策**: 选择 JWT')."""
    match = _LABEL.match(fact.text)
    if match and kinds.exact(match[1]) and fact.text[match.end() :].strip():
        return fact.text[match.end() :].strip()
    return fact.text.strip()


def _unfit(fact: Memory, now: float) -> str:
    """Why this one saying is no fact that lasts, whatever else was said."""
    if fact.kind in _NONE:
        return _("no fact: {kind}").format(kind=fact.kind)
    if memory_type(fact.kind, fact.extra.get("memory_type")) == "S":
        return _("a stage summary, no fact")
    gone = _GONE.get(fact.status)
    if gone:
        return _(gone)
    text = worded(fact)
    if fact.kind in {"note", "event"} and (_FIELD.match(fact.text) or _EDITED.match(text)):
        return _("a line of a log, no fact")
    if len(text) > LONGEST:
        return _("{number:,} characters: too long for one fact").format(number=len(text))
    if weight(normal(text)) < 2:
        return _("too short to mean anything by itself")
    return passing(fact, text, now)


def _judged(
    said: list[Memory],
    existing: Sequence[Memory],
    known: Kin,
    config: DistillConfig,
    now: float,
    current: set[int],
    settled: Callable[[Memory], str],
) -> Chosen | str:
    fact, text = said[0], worded(said[0])
    often = len({clock.day(when) for when in map(_when, said) if when is not None}) or 1
    sure, stated = _confidence(said, often)
    if sure < config.min_confidence:
        note = "" if stated else _(" (none is stated)")
        return (
            _("confidence {value} < {least}").format(value=_share(sure), least=_share(config.min_confidence))
            + note
        )
    first = min((when for when in map(_when, said) if when is not None), default=None)
    if first is None:
        return _("nobody knows how old it is")
    age = max(0.0, now - first) / DAY
    if age < config.min_age_days:
        return _("{age:.1f} days old < {least:g}").format(age=age, least=config.min_age_days)
    entities = tuple(dict.fromkeys(chain.from_iterable(other.entities for other in said)))
    alike = known.like(text, entities)
    for number, how in alike:
        # The same entities are the same thing in core memory (spec 004); in a profile or a document they are a topic.
        if how.covers and (how.kind != "entities" or existing[number].layer is Layer.CORE):
            where = f"{existing[number].path}:{existing[number].start}"
            told = {"exact": "", "entities": _(" (its entities {share})")}.get(how.kind, " ({share})")
            return _("like {place}").format(place=where) + told.format(share=_share(how.score))
    done = next(filter(None, map(settled, said)), "")
    if done:
        return done
    sort = memory_type(fact.kind, fact.extra.get("memory_type"))
    place = belongs(text, fact.kind, sort, config.keywords_rules)
    unseen = [other for other in said if id(other) in current]
    parts = (
        ("type", {"O": "opinion", "B": "biography"}.get(sort, "world")),
        ("confidence", _share(sure) + ("" if stated else _(" (by its kind)"))),
        ("said", _n("on {count} day", "on {count} days", often)),
        ("age", _("{age:.0f} d ≥ {least:g}").format(age=age, least=config.min_age_days)),
        *([("keyword", place.word)] if place.word else []),
        (
            "journal",
            _("still read")
            if unseen
            else _("no longer read: {age} days").format(age=days(_when(fact) or 0, now)),
        ),
    )
    return Chosen(text, tuple(said), often, sort, place, sure, tuple(alike), parts)


def _confidence(said: Sequence[Memory], often: int) -> tuple[float, bool]:
    stated = [fact.confidence for fact in said if fact.confidence is not None]
    if stated:
        return min(1.0, max(stated)), True
    if any("memory_type" in fact.extra for fact in said):
        return 0.0, False
    taken = max(_TAKEN.get(fact.kind, 0.85) for fact in said)
    return min(0.95, taken + 0.05 * (often - 1)), False


def _when(fact: Memory) -> float | None:
    return fact.created if fact.created is not None else fact.modified


def _rank(chosen: Chosen) -> tuple[object, ...]:
    when = _when(chosen.fact) or 0.0
    return (
        chosen.type != "O",
        -chosen.confidence,
        chosen.place.kind != "rule",
        -chosen.days,
        -when,
        chosen.text,
    )


def _share(value: float) -> str:
    """.85, as the interface writes shares."""
    return "1.0" if value >= 0.995 else f"{max(value, 0.0):.2f}".removeprefix("0")
