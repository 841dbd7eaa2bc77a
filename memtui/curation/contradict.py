"""Facts that cannot both hold: the same thing with another value, or once denied. Found to be shown, never acted upon.

Precise rather than eager: two facts are put side by side only where nothing but a value, a 'not' or words without
meaning of their own tells them apart, or where one names what it replaces. What stands under another heading, in
another project or in another topic's file is about something else. Nothing is compared pair by pair.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from memtui.curation.claims import claims, frame
from memtui.curation.saying import said
from memtui.curation.similar import normal, shaped
from memtui.curation.statements import dropped, meant, uses
from memtui.locale import _
from memtui.model import Layer, Status
from memtui.parse import kinds
from memtui.search.words import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memtui.curation.claims import Claim, Frame
    from memtui.curation.saying import Number
    from memtui.curation.statements import Dropped
    from memtui.model import Memory

MANY = 6
"""So many values of one thing are a list, not a contradiction."""

_KINDS = frozenset(
    {"fact", "pref", "decision", "rule", "lesson", "note", "skill", "experience", "persona_trait"}
)


class Contradiction(NamedTuple):
    """Two facts of which one at most holds."""

    newer: Memory
    older: Memory
    reason: str
    """Both values, for a person."""


def contradictions(
    memories: Iterable[Memory], project: Callable[[Memory], str] = lambda _memory: ""
) -> list[Contradiction]:
    """The facts among these that contradict another, the newer of the two first. `project` says whose each one is."""
    facts = [memory for memory in memories if _states(memory)]
    scopes = [_scope(memory, project(memory)) for memory in facts]
    found: dict[str, Contradiction] = {}
    for one, two, reason in (*_framed(facts, scopes), *_dropped(facts, scopes), *_claimed(facts, scopes)):
        newer, older = (one, two) if _age(one) >= _age(two) else (two, one)
        # Who is contradicted twice is shown once, beside the newest that does.
        known = found.get(older.id)
        if known is None or _age(newer) > _age(known.newer):
            found[older.id] = Contradiction(newer, older, reason)
    return sorted(found.values(), key=lambda item: (-_age(item.newer)[0], item.older.path, item.older.start))


def _states(memory: Memory) -> bool:
    if memory.status is not Status.ACTIVE or memory.kind not in _KINDS or len(memory.text) > 400:
        return False
    return memory.layer in {Layer.CORE, Layer.KNOWLEDGE} or (
        memory.layer is Layer.JOURNAL and memory.kind != "note"
    )


def _scope(memory: Memory, project: str) -> tuple[str, ...]:
    """What a fact is about without saying so: its project, its topic, headings that are names."""
    named = memory.heading[1:] if memory.layer is Layer.CORE else memory.heading
    names = (
        tuple(normal(name) for name in named if not kinds.of_heading(name))
        if memory.layer is not Layer.JOURNAL
        else ()
    )
    topic = (
        memory.path if memory.layer is Layer.KNOWLEDGE and memory.path.endswith(".md") and not project else ""
    )
    return memory.home, project or str(memory.extra.get("project", "")), topic, *names


def _age(memory: Memory) -> tuple[float, float, str, int]:
    """By its own time; what has none counts as older, since only the file says when it was touched."""
    if memory.created is not None:
        return memory.created, 0.0, memory.path, memory.start
    return 0.0, memory.modified or 0.0, memory.path, memory.start


def _framed(
    facts: Sequence[Memory], scopes: Sequence[tuple[str, ...]]
) -> Iterator[tuple[Memory, Memory, str]]:
    """The same sentence with another number, or once with a 'not'."""
    frames: dict[tuple[object, ...], list[tuple[Memory, Frame]]] = defaultdict(list)
    for fact, scope in zip(facts, scopes, strict=True):
        framed = frame(fact.text)
        if framed is not None:
            frames[scope, framed.words].append((fact, framed))
    for group in frames.values():
        if len({_amounts(framed) for _fact, framed in group}) in range(2, MANY + 1):
            yield from _against(group)


def _amounts(framed: Frame) -> tuple[object, ...]:
    return framed.denied, *(number.value for number in framed.numbers)


def _against(group: list[tuple[Memory, Frame]]) -> Iterator[tuple[Memory, Memory, str]]:
    group = sorted(group, key=lambda item: _age(item[0]))
    newest, now = group[-1]
    for older, was in group[:-1]:
        changed = [
            (old, new, was.valued[at] and now.valued[at])
            for at, (old, new) in enumerate(zip(was.numbers, now.numbers, strict=True))
            if old.value != new.value
        ]
        if was.denied != now.denied and not changed:
            yield newest, older, _("one says not")
        elif was.denied == now.denied and changed and all(valued for _old, _new, valued in changed):
            yield newest, older, ", ".join(_changed(old, new) for old, new, _valued in changed)


def _changed(old: Number, new: Number) -> str:
    if old.unit == new.unit:
        return f"{old.raw} → {new.raw}"
    return f"{old.raw} {old.unit}".strip() + " → " + f"{new.raw} {new.unit}".strip()


def _claimed(
    facts: Sequence[Memory], scopes: Sequence[tuple[str, ...]]
) -> Iterator[tuple[Memory, Memory, str]]:
    """The same subject and predicate with another value."""
    claimed: dict[tuple[object, ...], list[tuple[Memory, Claim]]] = defaultdict(list)
    for fact, scope in zip(facts, scopes, strict=True):
        for claim in claims(fact.text):
            claimed[scope, claim.of].append((fact, claim))
    for group in claimed.values():
        if len({claim.means for _fact, claim in group}) not in range(2, MANY + 1):
            continue
        group.sort(key=lambda item: _age(item[0]))
        newest, now = group[-1]
        for older, was in group[:-1]:
            # 'PostgreSQL' and 'PostgreSQL 15' are one value, said twice.
            said_twice = was.means <= now.means or now.means <= was.means
            if older is not newest and not said_twice and (was.alone or now.alone):
                yield newest, older, f"{fold(was.value)} → {fold(now.value)}"


def _dropped(
    facts: Sequence[Memory], scopes: Sequence[tuple[str, ...]]
) -> Iterator[tuple[Memory, Memory, str]]:
    """One names what it replaces ('不再使用 jest', 'migrated from npm to pnpm'), an older one still says it."""
    gone = [(number, drop) for number, fact in enumerate(facts) if (drop := dropped(fact.text)) is not None]
    if not gone:
        return
    wanted = {drop.thing for _number, drop in gone}
    holding: dict[str, list[int]] = defaultdict(list)
    for number, fact in enumerate(facts):
        words = shaped(fact.text).text
        for old in wanted:
            if old in words:
                holding[old].append(number)
    for number, drop in gone:
        for other in holding[drop.thing]:
            fact, older = facts[number], facts[other]
            if other == number or scopes[other] != scopes[number] or _age(older) >= _age(fact):
                continue
            if uses(older.text, drop.thing) and _concerns(fact.text, drop, older.text):
                yield fact, older, _("“{old}” is no longer").format(old=drop.thing)


def _concerns(text: str, drop: Dropped, other: str) -> bool:
    """Whether what a sentence drops is what the other one says of the same."""
    if drop.subject is not None:
        return drop.subject <= meant(other)
    return bool(set(said(text).words) & set(said(other).words) - set(said(drop.thing).words))
