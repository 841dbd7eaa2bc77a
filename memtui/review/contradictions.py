"""Facts that cannot both hold: the same thing with another value, or once denied. They are shown, never acted upon.

Precise rather than eager: two facts are compared only where nothing but a value, a 'not' or words without
meaning of their own tells them apart, or where one names what it replaces; then values within longer texts
(`measures`), and tasks that are open here and done there (`outstanding`). What stands under another heading, in
another project or in another topic's file is about something else. Nothing is compared pair by pair.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.locale import _
from memtui.core.model import TOPICS, Layer, Status
from memtui.core.startup import compile_pattern
from memtui.formats import kinds
from memtui.formats.todos import TICKS
from memtui.language.claims import find_claims, find_frame, weigh_words
from memtui.language.similarity import normalize_text, weigh_text
from memtui.language.statements import (
    extract_meaningful_words,
    find_dropped,
    is_turned_around,
    is_use_stated,
    read_sentence,
)
from memtui.review.changes import compare_access, compare_changes, compare_tickets
from memtui.review.measures import compare_measures, compare_statements
from memtui.review.outstanding import find_outstanding
from memtui.review.plausible import Setting, is_of_day, is_of_log, is_telling
from memtui.review.rivals import compare_stances
from memtui.search.terms import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from memtui.core.model import Memory
    from memtui.language.claims import Claim, Frame
    from memtui.language.statements import Dropped, Number

MANY = 6
"""So many values of one thing are a list, not a contradiction."""

_BESIDE = 3
"""Lines between items of one list."""
_NAMED = compile_pattern(r"[^`\n]{0,12}`[^`\n]+`")
_TOPIC = 2
_TELLING = 6.0
"""What a sentence must weigh without its value, and without what every topic has, to be about one thing everywhere."""
_NAMED_APART = 3.0
"""What a name weighs at least that says by itself which thing is meant: 'dev branch', 'station-memory'."""
_ANY = frozenset({
    "servic", "modul", "app", "project", "repo", "server", "system", "interfac", "tool", "script", "default", "max",
    "min", "limit", "timeout", "ver", "port", "config", "run", "test", "every", "one", "only", *"项目系统服务接口默认",
})  # fmt: skip
_FIELD = compile_pattern(r"[^:：\n]{1,48}[:：]")
_CHOICE = compile_pattern(
    r"\W*(?:option|choice|variant|alternative|case|step|phase|stage|选项|方案|备选|情况|步骤|阶段|方法)\s?(?:[A-Z]|\d{1,2}|[一二三四五六])\W{0,4}[:：]",
    re.IGNORECASE,
)
"""One of several that stand side by side: each decision has an 'Option A' of its own."""
_ASKS = compile_pattern(r"^\W*(?:what|which|who|where|why|how) |(?:什么|什麼|哪些|哪里|多少)\W*$", re.IGNORECASE)
"""'What you know', 'what you do not know': what is to be told, not what is so."""
_NOT = compile_pattern(r"\bnot\b|n['’]t\b")
"""What denies something in a sentence; where both of two do so, each denies something of its own."""
_COUNTED = compile_pattern(
    r"\d+ ?(?:tests? )?(?:pass(?:ed|ing)|failed|failing|skipped)\b|\b(?:pass(?:ed|ing)|failed) ?[:=]? ?\d"
    r"|\d+ ?(?:个|项|条)?(?:测试|用例)",
    re.IGNORECASE,
)
"""What a check counted when it ran: another day, another number."""
_LOGGED = compile_pattern(r"\W{0,4}20\d\d[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,2}日?[T ,]*\d{1,2}[:：]\d\d")
"""How an entry of a log begins: its day and hour."""
_ASIDE = compile_pattern(r"\([^\W\d_]{2,}[^()\d]*\)|（[^（）\d]{2,}）")
_DIGITS = compile_pattern(r"\d+")
_LETTERS = compile_pattern(r"[\W_]+")
_KINDS = frozenset(
    {
        "fact", "pref", "decision", "rule", "lesson", "note", "skill", "experience", "persona_trait", "topic",
        *TOPICS,
    }
)  # fmt: skip


class Contradiction(NamedTuple):
    """Two facts of which one at most holds."""

    newer: Memory
    older: Memory
    reason: str
    """Both values, for a person."""
    settles: bool = False
    """The older one is a task, and the newer one tells that it is done; or a rule or state that the newer one takes
    back."""
    changed: bool = False
    """The newer one tells itself what the older one's value was changed to."""


def find_contradictions(
    memories: Iterable[Memory],
    project: Callable[[Memory], str] = lambda _memory: "",
    others: Iterable[Memory] = (),
    alike: Collection[frozenset[str]] = (),
    doubted: list[tuple[Memory, Memory]] | None = None,
) -> list[Contradiction]:
    """The facts among these that contradict another, the newer of the two first. `project` says whose each one is,
    `others` are what states nothing by itself: what is still to be done, and what only leads elsewhere; `alike` which
    two are near each other in meaning, by their ids. `doubted` takes those of which only a reader can tell."""
    every = list(memories)
    setting = Setting(every)
    facts = [memory for memory in every if _is_stated_fact(memory) and _is_claim(memory, setting)]
    scopes = [_derive_scope(memory, project(memory)) for memory in facts]
    # Both read a sentence the same way: one after the other, while it is remembered how.
    read = [(find_frame(fact.text), find_claims(fact.text)) for fact in facts]
    frames, claimed = [framed for framed, _claims in read], [made for _frame, made in read]
    found: dict[str, Contradiction] = {}
    told: dict[tuple[str, str], str] = {}
    sources = (
        _compare_frames(facts, scopes, frames),
        _compare_drops(facts, scopes),
        _compare_claims(facts, scopes, claimed),
        _compare_denied_numbers(facts, scopes, frames),
        compare_measures(every, project, _find_since),
    )
    denied = _("one says not")
    likely = (
        one
        for one in chain.from_iterable(sources)
        if not setting.apart(one[0], one[1])
        and not _are_siblings(one[0], one[1])
        and (one[2] != denied or not all(_NOT.search(memory.text) for memory in one[:2]))
    )
    all_told = [*every, *others]
    valued = ((*one, False) for one in chain(likely, compare_statements(all_told, project, _find_since)))
    stances = _keep_first_rival(compare_stances(every, project, _find_since, alike, doubted))
    named = chain(compare_tickets(all_told, project), compare_access(all_told, project))
    over = chain(find_outstanding(all_told, project), named)
    settled = ((*one, True) for one in over)
    # Whoever tells of a change is believed before all that only says otherwise.
    changes = {
        older.id: Contradiction(newer, older, reason, changed=True)
        for newer, older, reason in compare_changes(all_told, project)
        if not setting.apart(newer, older)
    }
    for newer, older, reason, settles in chain(valued, stances, settled):
        # One change is one card, however often the old value stands there.
        if not settles and told.setdefault((newer.id, reason), older.id) != older.id:
            continue
        # Who is contradicted twice is shown once: beside what is read in every session, else the newest that does.
        known = found.get(older.id)
        if known is None or (_is_read(newer), _age(newer)) > (_is_read(known.newer), _age(known.newer)):
            found[older.id] = Contradiction(newer, older, reason, settles)
    found |= changes
    return sorted(found.values(), key=lambda item: (-_age(item.newer)[0], item.older.path, item.older.start))


def _keep_first_rival(
    rivals: Iterable[tuple[Memory, Memory, str, bool]],
) -> Iterator[tuple[Memory, Memory, str, bool]]:
    """Of what one memory takes back or changes, the first that still says it."""
    seen: set[tuple[str, str]] = set()
    for newer, older, reason, back in rivals:
        if (newer.id, reason) not in seen:
            seen.add((newer.id, reason))
            yield newer, older, reason, back


def _are_siblings(one: Memory, two: Memory) -> bool:
    """Whether two stand in one list, one after the other, and each begins with a name of its own in code; or both with
    a tick, as points of one list do that were written together."""
    if one.path != two.path and all(memory.path.rpartition("/")[2] in memory.text for memory in (one, two)):
        # Each of two documents says something of itself.
        return True
    if (one.home, one.path, one.heading) != (two.home, two.path, two.heading):
        return False
    if abs(one.start - two.start) == 1 and one.text[:1] in TICKS and two.text[:1] in TICKS:
        return True
    if "→" in one.text and "→" in two.text:
        # What follows in one case, and what in another.
        return True
    first, second = (_NAMED.match(memory.text) for memory in (one, two))
    apart = first is not None and second is not None and first[0] != second[0]
    return apart and abs(one.start - two.start) <= _BESIDE


def _is_stated_fact(memory: Memory) -> bool:
    if memory.status is not Status.ACTIVE or memory.kind not in _KINDS or len(memory.text) > 400:
        return False
    return memory.layer in {Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE} or (
        memory.layer is Layer.JOURNAL and memory.kind != "note"
    )


def _is_claim(memory: Memory, setting: Setting) -> bool:
    """Whether it states what holds: no command, no field of a form, no record of a day or of changes."""
    if setting.is_field(memory) or not is_telling(memory.text) or is_of_log(memory.path):
        return False
    if _LOGGED.match(memory.text):
        return False
    if _CHOICE.match(memory.text) or _ASKS.search(memory.text) or _COUNTED.search(memory.text):
        return False
    return memory.layer is Layer.JOURNAL or not is_of_day(memory.path)


def _derive_scope(memory: Memory, project: str) -> tuple[str, ...]:
    """What a fact is about without saying so: its project, its topic, headings that are names."""
    named = memory.heading[1:] if memory.layer is Layer.CORE else memory.heading
    names = (
        tuple(normalize_text(name) for name in named if not kinds.infer_heading_kind(name))
        if memory.layer is not Layer.JOURNAL
        else ()
    )
    topic = memory.path if memory.layer is Layer.KNOWLEDGE and memory.path.endswith(".md") and not project else ""
    return memory.home, project or str(memory.extra.get("project", "")), topic, *names


def _reach(scope: tuple[str, ...], about: Iterable[str]) -> tuple[str, ...]:
    """The scope of a sentence: what says by itself what it is about speaks of the same in every topic's file."""
    if not scope[_TOPIC] or weigh_words([word for word in about if word not in _ANY]) < _TELLING:
        return scope
    return *scope[:_TOPIC], "", *scope[_TOPIC + 1 :]


def _age(memory: Memory) -> tuple[float, float, str, int]:
    """By its own time; what has none counts as older, since only the file says when it was touched."""
    if memory.created is not None:
        return memory.created, 0.0, memory.path, memory.start
    return 0.0, memory.modified or 0.0, memory.path, memory.start


def _is_read(memory: Memory) -> bool:
    return memory.layer in {Layer.PROFILE, Layer.CORE}


def _find_since(memory: Memory) -> tuple[float, str, int]:
    """By its own time, else its file's: what a day's notes say was changed after, where the file was kept up since."""
    return memory.created or memory.modified or 0.0, memory.path, memory.start


def _compare_frames(
    facts: Sequence[Memory], scopes: Sequence[tuple[str, ...]], frames: Sequence[Frame | None]
) -> Iterator[tuple[Memory, Memory, str]]:
    """The same sentence with another number, or once with a 'not'."""
    groups: dict[tuple[object, ...], list[tuple[Memory, Frame]]] = defaultdict(list)
    for fact, scope, framed in zip(facts, scopes, frames, strict=True):
        if framed is not None:
            groups[_reach(scope, framed.words), framed.words].append((fact, framed))
    for group in groups.values():
        if len({_list_amounts(framed) for _fact, framed in group}) in range(2, MANY + 1):
            yield from _compare_group(group)


def _compare_denied_numbers(
    facts: Sequence[Memory], scopes: Sequence[tuple[str, ...]], frames: Sequence[Frame | None]
) -> Iterator[tuple[Memory, Memory, str]]:
    """Once with a number, once denied: 'kept for 30 days', 'not kept'."""
    measured: dict[tuple[object, ...], list[Memory]] = defaultdict(list)
    denied: list[tuple[tuple[object, ...], Memory]] = []
    for fact, scope, framed in zip(facts, scopes, frames, strict=True):
        if framed is None or bool(framed.numbers) == framed.denied:
            continue
        words = tuple(word for word in framed.words if word[0] != "#")
        key: tuple[object, ...] = (_reach(scope, words), words)
        if framed.denied:
            denied.append((key, fact))
        else:
            measured[key].append(fact)
    for key, fact in denied:
        for other in measured.get(key, ()):
            newer, older = (fact, other) if _age(fact) >= _age(other) else (other, fact)
            yield newer, older, _("one says not")


def _list_amounts(framed: Frame) -> tuple[object, ...]:
    return framed.denied, framed.order, *(number.value for number in framed.numbers)


def _compare_group(group: list[tuple[Memory, Frame]]) -> Iterator[tuple[Memory, Memory, str]]:
    group = sorted(group, key=lambda item: _age(item[0]))
    newest, now = group[-1]
    for older, was in group[:-1]:
        changed = [
            (old, new, was.valued[at] and now.valued[at])
            for at, (old, new) in enumerate(zip(was.numbers, now.numbers, strict=True))
            if old.value != new.value
        ]
        if _extract_aside(older.text) != _extract_aside(newest.text) and older.path == newest.path:
            # 'What holds (cite it)', 'what does not hold (say so)': two items of a list.
            continue
        if was.denied != now.denied and not changed:
            yield newest, older, _("one says not")
        elif was.denied == now.denied and not changed and is_turned_around(older.text.lower(), newest.text.lower()):
            yield newest, older, _("one says it the other way round")
        elif (
            was.denied == now.denied
            and changed
            and all(valued for _old, _new, valued in changed)
            and not _have_different_numbers(older.text, newest.text)
        ):
            yield newest, older, ", ".join(_describe_change(old, new) for old, new, _valued in changed)


def _extract_aside(text: str) -> str:
    found = _ASIDE.search(text)
    return found[0] if found is not None else ""


def _have_different_numbers(one: str, two: str) -> bool:
    """Whether two fields have other numbers in their names: '7-day retention: …', '30-day retention: …'."""
    names = [_FIELD.match(text) for text in (one, two)]
    return all(names) and {*_DIGITS.findall((names[0] or [""])[0])} != {*_DIGITS.findall((names[1] or [""])[0])}


def _describe_change(old: Number, new: Number) -> str:
    if old.unit == new.unit:
        return f"{old.raw} → {new.raw}"
    return f"{old.raw} {old.unit}".strip() + " → " + f"{new.raw} {new.unit}".strip()


def _compare_claims(
    facts: Sequence[Memory], scopes: Sequence[tuple[str, ...]], stated: Sequence[tuple[Claim, ...]]
) -> Iterator[tuple[Memory, Memory, str]]:
    """The same subject and predicate with another value."""
    claimed: dict[tuple[object, ...], list[tuple[Memory, Claim]]] = defaultdict(list)
    for fact, scope, made in zip(facts, scopes, stated, strict=True):
        for claim in made:
            claimed[_reach(scope, claim.about), claim.of].append((fact, claim))
    for group in claimed.values():
        if len({claim.means for _fact, claim in group}) not in range(2, MANY + 1):
            continue
        group.sort(key=lambda item: _age(item[0]))
        newest, now = group[-1]
        for older, was in group[:-1]:
            # 'PostgreSQL' and 'PostgreSQL 15' are one value, said twice.
            said_twice = was.means <= now.means or now.means <= was.means or _are_values_alike(was.value, now.value)
            if _are_listed_together(older, newest):
                continue
            if older is not newest and not said_twice and (was.alone or now.alone):
                yield newest, older, f"{fold(was.value)} → {fold(now.value)}"


def _are_listed_together(older: Memory, newest: Memory) -> bool:
    """Whether two fields of one name stand in one section: whoever wrote the second one saw the first."""
    return (
        (older.home, older.path, older.heading) == (newest.home, newest.path, newest.heading)
        and older.created == newest.created
        and all(_FIELD.match(one.text) is not None for one in (older, newest))
    )


def _are_values_alike(old: str, new: str) -> bool:
    """Whether two values are one, spelled in two ways, or two sides of one thing: 'staging key', 'staging url'."""
    if _LETTERS.sub("", old).lower() == _LETTERS.sub("", new).lower():
        return True
    one, two = old.split(), new.split()
    plain = old.islower() and new.islower() and old.isascii() and not any(map(str.isdigit, old + new))
    return plain and len(one) == len(two) > 1 and one[-2] == two[-2] and one[-2] not in {"the", "a", "an"}


def _compare_drops(facts: Sequence[Memory], scopes: Sequence[tuple[str, ...]]) -> Iterator[tuple[Memory, Memory, str]]:
    """One names what it replaces ('不再使用 jest', 'migrated from npm to pnpm'), an older one still says it."""
    gone = [(number, drop) for number, fact in enumerate(facts) if (drop := find_dropped(fact.text)) is not None]
    if not gone:
        return
    # What one of them names is looked for in all of them at once.
    texts = [normalize_text(fact.text) for fact in facts]
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    lines = "\n".join(texts)
    holding: dict[str, list[int]] = {}
    for old in {drop.thing for _number, drop in gone}:
        holding[old] = []
        at = lines.find(old) if old else -1
        while at >= 0:
            number = bisect_right(starts, at) - 1
            holding[old].append(number)
            at = lines.find(old, starts[number + 1])
    for number, drop in gone:
        for other in holding[drop.thing]:
            fact, older = facts[number], facts[other]
            if other == number or not _does_drop_reach(scopes[number], scopes[other], drop, len(holding[drop.thing])):
                continue
            # Where not both are dated, what tells of the change is the newer one.
            if fact.created is not None and older.created is not None and _age(older) >= _age(fact):
                continue
            if is_use_stated(older.text, drop.thing) and _does_drop_concern(fact.text, drop, older.text):
                yield fact, older, _("“{old}” is no longer").format(old=drop.thing)


def _does_drop_reach(scope: tuple[str, ...], other: tuple[str, ...], drop: Dropped, named: int) -> bool:
    """Whether what one drops is dropped where the other stands: a thing with a name of its own, of which little is
    said, is the same under every heading of a home; any other only under its own."""
    if scope == other:
        return True
    return scope[:2] == other[:2] and named <= MANY and weigh_text(drop.thing) >= _NAMED_APART


def _does_drop_concern(text: str, drop: Dropped, other: str) -> bool:
    """Whether what a sentence drops is what the other one says of the same."""
    if drop.subject is not None:
        return drop.subject <= extract_meaningful_words(other)
    theirs = set(read_sentence(other).words) - set(read_sentence(drop.thing).words)
    return 2 * len(theirs & set(read_sentence(text).words)) >= max(len(theirs), 1)
