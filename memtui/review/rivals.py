"""One thing's one setting or state, told with two that cannot both hold now, in whatever words. Pure.

Two clauses are rivals where they settle the same (`stances`) of the same thing: what the one calls it, the other's
words or headings call it, too, and neither names something else. Vectors, where there are any, vouch for that instead.
Only clauses that share a word are held against each other.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.locale import _
from memtui.core.model import Layer
from memtui.core.startup import compile_pattern
from memtui.language.claims import weigh_words
from memtui.review.plausible import is_of_day, is_of_log
from memtui.review.stances import (
    HOURS,
    IS,
    STATES,
    Stance,
    find_left_model,
    find_stances,
    make_stance,
    name_thing,
    strip_brackets,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from memtui.core.model import Memory

_LONGEST = 700
"""Characters of a memory beyond which it is a document, read by its sections."""
_USUAL = 24
"""Clauses of one kind that share a word, beyond which it finds nothing."""
_KNOWN = 2.0
"""What the words that name the thing weigh at least."""
_NAMED = 0.6
"""Which share of what one of two clauses calls it the other one says."""
_PARTLY = 0.4
"""Which share of what takes a rule back the rule itself says, at least."""
_RULED = 4.0
"""What the words of a rule weigh at least that is taken back."""
_BESIDE = 3.0
"""What one of two says beyond the other weighs at most: where both say more, each is about something else."""

_PLAIN = 160
"""Characters of a memory that says one thing."""

_OFF_HEADING = compile_pattern(
    r"已?(?:暂停|取消|停用|废弃|移除|下线)(?:的?(?:任务|项目|功能|监控))?\W*$|\b(?:removed|paused|disabled|retired)\b",
    re.IGNORECASE,
)
_IN_NEED = compile_pattern(r"回滚|应急|降级|\broll-?back\b|\bemergency\b|\bdowngrad", re.IGNORECASE)
"""How a heading speaks of what is done only where something else went wrong."""
_TALK = compile_pattern(r"\s*(?:assistant|user|system|human|ai)\s*[:：]", re.IGNORECASE)
"""What was said in a talk that is kept whole."""
_FILE = compile_pattern(r"\s*[A-Z]{3,}(?:[_ ][A-Z]+)*(?:\.md)?\b(?=\s*$|\s[—–-])|\s*[A-Z_]{3,}\.md\b")
"""A file that an agent reads at its start: its name says nothing of what stands in it."""
_CHANGED = compile_pattern(
    r"改[到为成用]|调整[为到]|更新为|换成|切换|从.{1,20}[到为]|→|\b(?:changed?|switched|moved|now|from .{1,24} to)\b",
    re.IGNORECASE,
)
_COMMAND = compile_pattern(r"\W*`/\w")
"""A command, and what it would do."""
_ITS_NAME = compile_pattern(r"(?<![\w/.-])[\w-]+(?:\.[\w-]+){2,}(?![\w/])")
"""The name of a host, or of a setting by its path."""
_PART = compile_pattern(
    r"(?:^|/)(?:sub-?)?agents?/|skills?\b|技能|\b(?:researcher|reviewer|coder|writer)\b|子代理|agent\b",
    re.IGNORECASE,
)
_NEWS = compile_pattern(r"(?:^|/)(?:research|news|digests?|radar|clippings?)/", re.IGNORECASE)
"""Where notes of what others do are kept."""
_ASIDE_PART = compile_pattern(
    r"\b(?:local|embeddings?|vision|voice|image|fallback)\b|本地|语音|图像|备用", re.IGNORECASE
)
"""What the first of several lines says that is about a model for one use."""
_OWN_MODEL = compile_pattern(r"\W*(?:模型|model)\W*[:：]", re.IGNORECASE)
"""A field that says nothing of what its model is for: that its heading says."""
_SETTINGS = compile_pattern(
    r"模型|配置|环境|設定|设置|系统|默认|当前|状态|身份"
    r"|\b(?:models?|llms?|config\w*|settings?|setup|system|defaults?|current|status|identity|about|main)\b",
    re.IGNORECASE,
)
"""How a heading speaks of how the agent itself is set up."""
_SENTENCES = compile_pattern(r"[.。!！]\s*[A-Z\u3400-\u9fff]")
"""Where a text goes on after a sentence: it is no item of a list of things."""
_ITEM = 120
"""Characters of a line that is off because of the heading it stands below."""
_LINES = 2
"""So many lines two texts have in common that are versions of one."""
_SURE = frozenset({"off", "rhythm", "model", *HOURS})
"""What is one thing's in the whole home: a number of something may be each document's own."""
_HALF = 1.5
"""What two clauses have in common, by the words of both and of their headings, to be worth a reader's look."""
_TIMES = 2
"""So often a memory is held against others that may settle the same."""
_LOOKED = 2000
"""Pairs of what is over and what is there that share a word, beyond which it finds nothing."""
_LATE = 10
"""Minutes by which a run is after its hour."""
_SEEN = 12
"""Clauses of one sort that name something, beyond which the name is nobody's own."""


class _Held(NamedTuple):
    memory: Memory
    stance: Stance
    around: frozenset[str]
    """The words of the headings and of the file."""
    near: frozenset[str]
    """What of these stands together."""


def compare_stances(
    memories: Sequence[Memory],
    project: Callable[[Memory], str],
    age: Callable[[Memory], tuple[object, ...]],
    alike: Collection[frozenset[str]] = (),
    doubted: list[tuple[Memory, Memory]] | None = None,
) -> Iterator[tuple[Memory, Memory, str, bool]]:
    """Two that settle the same of the same thing otherwise, the newer first, with both values; and whether that
    is so whatever documents they stand in. Of those that are `alike` in meaning, by their ids, few words are asked.
    Into `doubted` go those that may, for all that can be told from their words, the likeliest first."""
    held = [one for memory in memories if _is_standing(memory) for one in _hold(memory)]
    usual = Counter((one.stance.kind, word) for one in held for word in one.stance.anchors)
    meant = _list_meant(held, alike)
    found: list[tuple[_Held, _Held]] = []
    near: dict[frozenset[str], tuple[float, Memory, Memory]] = {}
    for first, second in sorted(_list_pairs(held, project) | meant):
        one, two = held[first], held[second]
        if one.memory is two.memory or not _are_rivals(one, two, usual, near=(first, second) in meant):
            weight = 0.0 if doubted is None or one.memory is two.memory else _weigh_doubt(one, two)
            if weight >= _HALF:
                pair = frozenset((one.memory.id, two.memory.id))
                near[pair] = max(
                    near.get(pair, (0.0, one.memory, two.memory)),
                    (weight, one.memory, two.memory),
                    key=_first,
                )
            continue
        ordered = _order(one, two, age)
        if ordered is not None:
            found.append(ordered)
    if doubted is not None:
        doubted += _take_likeliest(near.values())
    for newer, older in sorted(_leave_last(found), key=lambda pair: _recorded(pair[1].memory)):
        # Of two documents each may be of another time, or tell of the world at large.
        aside = newer.memory.layer is older.memory.layer is Layer.KNOWLEDGE
        passing = aside or Layer.JOURNAL in {newer.memory.layer, older.memory.layer}
        long = max(len(one.memory.text) for one in (newer, older)) > _PLAIN
        if newer.stance.kind == "off" and passing and long and newer.memory.path != older.memory.path:
            # What stands among much else that a day or a document tells is a part of the thing.
            continue
        # Which model answers is told of others, too, but for what the agent itself reads.
        own = newer.stance.kind != "model" or _is_read(newer.memory) or _is_read(older.memory)
        sure = newer.stance.kind in _SURE and not aside and own
        yield newer.memory, older.memory, _tell(older.stance, newer.stance), sure


def _first(told: tuple[float, Memory, Memory]) -> float:
    return told[0]


def _weigh_doubt(one: _Held, two: _Held) -> float:
    """What two clauses have in common that settle something otherwise, if of one thing; 0: they do not."""
    mine, theirs = one.stance, two.stance
    if (one.memory.home, one.memory.path, one.memory.heading) == (
        two.memory.home,
        two.memory.path,
        two.memory.heading,
    ) or (_recorded(one.memory) and _recorded(two.memory)):
        return 0.0
    states = mine.kind in STATES or theirs.kind in STATES
    if states and ("off" not in {mine.kind, theirs.kind} or mine.kind == theirs.kind):
        return 0.0
    if mine.kind == "model":
        return _HALF if mine.name not in theirs.name and theirs.name not in mine.name else 0.0
    if not states and mine.least <= theirs.most and theirs.least <= mine.most:
        return 0.0
    shared, again = mine.about & (theirs.about | two.around), theirs.about & (mine.about | one.around)
    both = max(weigh_words(list(shared)), weigh_words(list(again)))
    less = min(weigh_words(list(about)) for about in (mine.about, theirs.about))
    # What is read in every session is asked about before what documents beside it say.
    kept = any(_is_read(held.memory) for held in (one, two))
    return both * min(1.0, both / max(less, _HALF)) * (2 if kept else 1) if both >= _HALF else 0.0


def _take_likeliest(near: Iterable[tuple[float, Memory, Memory]]) -> Iterator[tuple[Memory, Memory]]:
    """The likeliest first; no memory more than a few times."""
    seen: Counter[str] = Counter()
    for _weight, one, two in sorted(near, key=_first, reverse=True):
        if max(seen[one.id], seen[two.id]) < _TIMES:
            seen.update((one.id, two.id))
            yield one, two


def _list_pairs(held: Sequence[_Held], project: Callable[[Memory], str]) -> set[tuple[int, int]]:
    """By their numbers: those of one kind that share a word, and what is over beside what is there."""
    holding: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
    for number, one in enumerate(held):
        kind, words = one.stance.kind, one.stance.anchors
        if kind not in STATES:
            words |= one.near
        for word in words if kind != "model" else ("",):
            holding["is" if kind in IS else kind, project(one.memory), word].append(number)
    pairs: set[tuple[int, int]] = set()
    for (kind, whose, word), numbers in holding.items():
        there = holding.get(("is", whose, word), ()) if kind == "off" else ()
        if len(numbers) * len(there) <= _LOOKED:
            pairs.update((min(pair), max(pair)) for pair in product(numbers, there))
        if kind not in {"off", "is"} and 1 < len(numbers) <= _USUAL:
            pairs.update(combinations(numbers, 2))
    return pairs


def _list_meant(held: Sequence[_Held], alike: Collection[frozenset[str]]) -> set[tuple[int, int]]:
    """By their numbers: those that settle the same sort of thing in memories that are alike in meaning."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(held) if alike else ():
        if one.stance.kind not in STATES:
            places[one.memory.id].append(number)
    return {
        (min(pair), max(pair))
        for ids in alike
        if len(ids) == 2
        for pair in product(*(places[name] for name in ids))
        if held[pair[0]].stance.kind == held[pair[1]].stance.kind
    }


def _leave_last(pairs: Sequence[tuple[_Held, _Held]]) -> Iterator[tuple[_Held, _Held]]:
    """Of all that speak of one thing, what the last one says stands: what was so in between replaces nothing."""
    groups: dict[tuple[str, str], list[_Held]] = {}
    for pair in pairs:
        first, second = (groups.setdefault((one.memory.id, one.stance.kind), [one]) for one in pair)
        if first is not second:
            first += second
            groups |= {(one.memory.id, one.stance.kind): first for one in second}
    outdated = {(older.memory.id, _value(older.stance)) for _newer, older in pairs}
    for newer, older in pairs:
        group = groups[newer.memory.id, newer.stance.kind]
        stand = {_value(one.stance) for one in group if (one.memory.id, _value(one.stance)) not in outdated}
        if newer.stance.kind in STATES or not stand or _value(newer.stance) in stand:
            yield newer, older


def _is_after(one: _Held, two: _Held, age: Callable[[Memory], tuple[object, ...]]) -> bool:
    """Whether one was said after the other. Of what has no date nobody knows when; but what is kept is kept up longer
    than a day's note, and what is read in every session longer than other documents."""
    first, second = one.memory.created, two.memory.created
    if first is not None and second is not None:
        return age(one.memory) >= age(two.memory)
    ranks = [_rank(held) for held in (one, two)]
    return ranks[0] > ranks[1] or (ranks[0] == ranks[1] and age(one.memory) >= age(two.memory))


def _rank(held: _Held) -> int:
    memory = held.memory
    if memory.created is not None:
        # A note that tells of a change is about what was kept before it.
        return (3 if _CHANGED.search(memory.text) else 0) if _recorded(memory) else 2
    return 2 if _is_read(memory) else 1


def _value(stance: Stance) -> tuple[str, float, float, str]:
    return stance.kind, stance.least, stance.most, stance.name


def _recorded(memory: Memory) -> bool:
    return memory.layer is Layer.JOURNAL or is_of_day(memory.path)


def _is_standing(memory: Memory) -> bool:
    return (
        len(memory.text) <= _LONGEST
        and not any(map(_IN_NEED.search, memory.heading[-1:]))
        and memory.layer is not None
        and not memory.extra.get("code")
        and memory.kind not in {"todo", "summary"}
        and not is_of_log(memory.path)
        and memory.text[:3] != "```"
        and not _TALK.match(memory.text)
    )


def _hold(memory: Memory) -> Iterator[_Held]:
    stances = find_stances(memory.text)
    if memory.extra.get("done") or _recorded(memory):
        # What was done, or so on a day, is no state; how often it then ran, and what is a rule since, is.
        stances = tuple(one for one in stances if one.name or (one.kind != "on" and not one.kind.startswith("size:")))
    listed = len(memory.text) <= _ITEM and not _SENTENCES.search(memory.text)
    if memory.heading and listed and _OFF_HEADING.search(memory.heading[-1]):
        named = strip_brackets(_OFF_HEADING.sub(" ", memory.heading[-1]))
        over = make_stance("off", memory.heading[-1], named)
        stances = (over if over.anchors else make_stance("off", memory.heading[-1], strip_brackets(memory.text)),)
    if stances:
        around, near = _around(memory.heading, memory.path)
        for stance in stances:
            yield _Held(memory, stance, around, near)


@lru_cache(maxsize=1 << 13)
def _around(heading: tuple[str, ...], path: str) -> tuple[frozenset[str], frozenset[str]]:
    stem = path.rpartition("/")[2].partition(".")[0]
    # A document's title says whose it is, not what a line of it is about.
    parts = [*heading[1:][-2:], *([] if is_of_day(path) else [stem.replace("_", " ").replace("-", " ")])]
    named = [name_thing(part) for part in parts if not _FILE.match(part)]
    return frozenset().union(*(words for words, _terms in named)), frozenset().union(
        *(terms for _words, terms in named)
    )


def _are_rivals(one: _Held, two: _Held, usual: Counter[tuple[str, str]], *, near: bool) -> bool:
    """Whether two settle one thing otherwise."""
    mine, theirs = one.stance, two.stance
    if mine.numbers and theirs.numbers and mine.numbers.isdisjoint(theirs.numbers):
        return False
    if mine.kind in STATES and _is_version(one.memory.text, two.memory.text):
        return False
    if mine.kind in STATES or theirs.kind in STATES:
        state = _is_one_state(mine, theirs) or _is_one_state(theirs, mine)
        return state and not _are_both_off(one, two) and not _is_of_another(one, two)
    if mine.kind == "model":
        named = mine.name in theirs.name or theirs.name in mine.name
        left = find_left_model(one.memory.text), find_left_model(two.memory.text)
        if any(
            old and old not in name and name not in old
            for old, name in zip(left, (theirs.name, mine.name), strict=True)
        ):
            # It was switched from another one: what it was switched for is another's, too.
            return False
        return (
            not named
            and all(map(_is_general, (one.memory, two.memory)))
            and all(weigh_words(list(about)) <= _BESIDE for about in (mine.about, theirs.about))
        )
    if mine.kind in HOURS and ((mine.least - theirs.least) % 720 == 0 or abs(mine.least - theirs.least) <= _LATE):
        return False
    if mine.least <= theirs.most and theirs.least <= mine.most:
        return False
    return _is_one_thing(one, two, usual, near=near)


def _are_both_off(one: _Held, two: _Held) -> bool:
    """Whether both texts tell that the thing is over, whatever else one of them says of it."""
    mine, theirs = (
        frozenset().union(*(stance.anchors for stance in find_stances(held.memory.text) if stance.kind == "off"))
        for held in (one, two)
    )
    return bool(mine & theirs)


def _is_of_another(one: _Held, two: _Held) -> bool:
    """Whether what is over has a name, and what is always done is done of all of its sort: 'mail.example.org is
    removed', 'each server has its record'."""
    off, rule = (one, two) if one.stance.kind == "off" else (two, one)
    return rule.stance.kind == "rule" and any(
        name not in rule.memory.text for name in _ITS_NAME.findall(off.memory.text.partition("\n")[0])
    )


def _is_version(one: str, two: str) -> bool:
    """Whether one text stands there again, with little changed: neither takes back what the other one says."""
    first, second = (set(text.splitlines()) for text in (one, two))
    return len(first & second) >= _LINES and 2 * len(first & second) >= min(len(first), len(second))


def _is_general(memory: Memory) -> bool:
    """Whether it speaks of what answers in general, not of what one part of it uses."""
    if _COMMAND.match(memory.text):
        return False
    if _OWN_MODEL.match(memory.text) and not any(map(_SETTINGS.search, memory.heading[1:][-1:] or ("system",))):
        return False
    first = memory.text.partition("\n")[0]
    if _NEWS.search(memory.path) or (first != memory.text and _ASIDE_PART.search(first)):
        return False
    return not _PART.search(memory.path) and not any(map(_PART.search, memory.heading[-1:]))


def _is_one_state(off: Stance, there: Stance) -> bool:
    """Whether what the one says is over is what the other one says is there, by the words of both themselves."""
    if off.kind != "off" or there.kind not in IS or not off.about or not off.anchors & there.anchors:
        return False
    shared = off.about & there.about
    weight, over, said = (weigh_words(list(words)) for words in (shared, off.about, there.about))
    if weight < _RULED:
        return False
    beside = min(over, said) - weight
    return (weight >= _NAMED * over and beside <= _BESIDE) or (
        weight >= _RULED and weight >= _NAMED * said and weight >= _PARTLY * over
    )


def _is_one_thing(one: _Held, two: _Held, usual: Counter[tuple[str, str]], *, near: bool) -> bool:
    """Whether what the one calls it, the other's words or headings call it, too."""
    mine, theirs = one.stance, two.stance
    if not mine.about and not theirs.about:
        return False
    anchors = (mine.anchors & (theirs.anchors | two.near)) | (theirs.anchors & (mine.anchors | one.near))
    if not near and not any(usual[mine.kind, word] <= _SEEN for word in anchors):
        return False
    shared, again = mine.about & (theirs.about | two.around), theirs.about & (mine.about | one.around)
    left, over = mine.about - shared, theirs.about - again
    more = max(weigh_words(list(left)), weigh_words(list(over)))
    named = bool(mine.anchors & theirs.anchors)
    known = _RULED if (left and over) or more >= _BESIDE or not named else _KNOWN
    if not near and max(weigh_words(list(shared)), weigh_words(list(again))) < known:
        return False
    if (
        not near
        and not named
        and any(
            weigh_words(list(more)) > _BESIDE
            for more, own in ((left, mine.anchors & two.near), (over, theirs.anchors & one.near))
            if not own
        )
    ):
        # Only the headings of one of them name the thing, and it goes on to name another.
        return False
    if not near and all(_names_more(stance, more) for stance, more in ((mine, left), (theirs, over))):
        return False
    if (one.memory.home, one.memory.path) == (two.memory.home, two.memory.path) and left and over:
        # Two parts of one document, each with its own.
        return False
    if (one.memory.home, one.memory.path) == (two.memory.home, two.memory.path) and (
        max(weigh_words(list(about)) for about in (mine.about, theirs.about)) < _RULED
    ):
        # What says so little is said of what its own heading names.
        return False
    return near or any(
        said and weigh_words(list(found)) >= _NAMED * weigh_words(list(said))
        for said, found in ((mine.about, shared), (theirs.about, again))
    )


def _names_more(stance: Stance, words: frozenset[str]) -> bool:
    """Whether these words of a clause name something by themselves."""
    han = any(term[0] >= "\u2e80" for term in stance.anchors)
    return (
        weigh_words(list(words)) > _BESIDE
        or any(term in words or (term[0] >= "\u2e80" and set(term) <= words) for term in stance.anchors)
        # A Chinese word that is read as an English one: '发布', publish.
        or (han and any(len(word) > 3 and word.isascii() and word.isalpha() for word in words))
    )


def _order(one: _Held, two: _Held, age: Callable[[Memory], tuple[object, ...]]) -> tuple[_Held, _Held] | None:
    """The newer one first; none where that cannot be told, or both only tell of their day."""
    if "off" in {one.stance.kind, two.stance.kind}:
        if _recorded(one.memory) and _recorded(two.memory):
            # A day tells of the world, too, and of what came and went.
            return None
        off, on = (one, two) if one.stance.kind == "off" else (two, one)
        dated = off.memory.created is not None and on.memory.created is not None
        return None if dated and age(off.memory) < age(on.memory) else (off, on)
    if _recorded(one.memory) and _recorded(two.memory):
        # Each tells of its day.
        return None
    if (one.memory.home, one.memory.path, one.memory.heading) == (
        two.memory.home,
        two.memory.path,
        two.memory.heading,
    ):
        return None
    return (one, two) if _is_after(one, two, age) else (two, one)


def _is_read(memory: Memory) -> bool:
    return memory.layer in {Layer.PROFILE, Layer.CORE}


def _tell(old: Stance, new: Stance) -> str:
    if new.kind == "off":
        return _("one says not")
    return f"{old.raw} → {new.raw}"
