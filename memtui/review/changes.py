"""What a note tells was changed, beside what still says the old value: 'Review: 15:30 → 16:30'. Pure.

A note that names both values of one thing, the one before and the one since, makes stale whatever gives the first one
of the same thing: by the words it is called by there or in the heading, or by the value itself where that is nobody
else's. What was measured (prices, scores, sizes) goes up and down by itself: of such a value only the day is told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.model import Layer
from memtui.core.startup import compile_pattern
from memtui.language.similarity import extract_terms
from memtui.review.plausible import is_of_day, is_of_log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.core.model import Memory

_LONGEST = 600
"""Characters of a memory beyond which it tells of more than what was changed."""
_UNITS = r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|h|秒|分钟|小时|天|周|字|words?)"
_MODEL = (
    r"(?:gpt|claude|opus|sonnet|haiku|gemini|minimax|qwen|glm|kimi|deepseek|grok|llama|mistral)[\w ./:-]{0,24}?\d[\w.]*"
)
_SORTS = tuple(
    compile_pattern(sort, re.IGNORECASE)
    for sort in (
        r"\d{1,2}[:：]\d\d(?:\s?[ap]m)?(?:\s?[-–~]\s?\d{1,2}[:：]\d\d)?",
        rf"\d+(?:\.\d+)?\s?{_UNITS}(?![a-z])",
        _MODEL,
        r"`[^`\s()]{3,60}`|(?=[^\s]*[a-z])[\w.-]+/[\w./-]+",
    )
)
"""Of which sort a value is: both of a change are of the same. The last ones are names."""
_VALUE = f"(?:{'|'.join(sort.pattern for sort in _SORTS)})"
_RENAMED = compile_pattern(
    r"改名|更名|重命名|迁移|\b(?:renamed?|moved|migrated|replaced|switched|changed)\b|[从從由].*改[为成]", re.IGNORECASE
)
"""What a line says that tells of another name: an arrow alone leads from one to the other."""
_ARROW = compile_pattern(rf"(?P<old>{_VALUE})\s*(?:→|->|=>)\s*(?:改名为?\s*|now\s+)?(?P<new>{_VALUE})", re.IGNORECASE)
_FROM = compile_pattern(
    rf"(?:\bfrom\s+|[从從由])\s*(?P<old>{_VALUE})[^\n。；;]{{0,16}}?(?:\bto\b|改[为到成名]+|调整?[为到]|换[成到为]|切换[到为至]|更新[为到]|→|->)\s*(?P<new>{_VALUE})",
    re.IGNORECASE,
)
_MOVED = compile_pattern(
    rf"{_RENAMED.pattern}|[:：]|调整|改[为到]|推迟|提前|\b(?:from|now|moved|shifted|postponed|updated)\b", re.IGNORECASE
)
"""What a line says of an hour that was moved: an arrow alone leads from the start of something to its end."""
_VERSION = compile_pattern(r"\d+\.\d+(?:\.\d+)?")
_WISHED = compile_pattern(
    r"必须|应该?|建议|考虑|可以|计划|如果|例如|\b(?:must|should|could|would|might|may|suggest|consider|propos|plan|if|e\.g\.|example)",
    re.IGNORECASE,
)
"""What stands before a change that is only thought of."""
_BETWEEN_WORDS = r"(?<![\w.:/-])"
_OWN = compile_pattern(r"[/_.@-].*[a-z]|[a-z].*[/_.@-]|\d+\.\d+\.\d+", re.IGNORECASE)
"""A value that is nobody else's by chance: a path, a file, a name of parts."""
_USUAL = 12
"""Memories that give one value, beyond which it says nothing of what it is the value of."""
_FEW = 3
"""So many give a value that is nobody else's."""
_NAMED = 2
"""So many words call two things by one name."""


class _Change(NamedTuple):
    memory: Memory
    old: str
    new: str
    raw: str
    """Both values, for a person."""


def compare_changes(
    memories: Sequence[Memory], project: Callable[[Memory], str]
) -> Iterator[tuple[Memory, Memory, str]]:
    """What tells of a change, what still gives the value from before, and both values."""
    told = [
        _Change(memory, old, new, raw)
        for memory in memories
        if len(memory.text) <= _LONGEST and not is_of_log(memory.path)
        for old, new, raw in find_changes(memory.text)
    ]
    if not told:
        return
    giving: defaultdict[str, list[Memory]] = defaultdict(list)
    wanted = {one.old for one in told}
    for memory in memories:
        if len(memory.text) <= _LONGEST and not is_of_log(memory.path) and memory.kind != "summary":
            low = _plain(memory.text)
            for old in wanted:
                if old in low and re.search(rf"{_BETWEEN_WORDS}{re.escape(old)}(?![\w/:]|\.\w)", low):
                    giving[old].append(memory)
    for one in told:
        others = giving[one.old]
        for other in others if len(others) <= _USUAL else ():
            if (
                other is not one.memory
                and not _is_beside(one.memory, other)
                and _is_before(other, one.memory)
                and not (other.created is not None and _VERSION.fullmatch(one.old))
                and one.new not in _plain(other.text)
                and project(one.memory) in {"", project(other)}
                and ((len(others) <= _FEW and _OWN.search(one.old)) or _is_one_thing(one.memory, other, one))
            ):
                yield one.memory, other, one.raw


@lru_cache(maxsize=1 << 13)
def find_changes(text: str) -> tuple[tuple[str, str, str], ...]:
    """The values that a text tells were changed: before, since, and as they stand."""
    if not any(mark in text for mark in ("→", "->", "=>", "from ", "From ", "从", "由", "從")):
        return ()
    found: list[tuple[str, str, str]] = []
    for line in text.splitlines():
        for pattern in (_ARROW, _FROM):
            for match in pattern.finditer(line):
                old, new = _plain(match["old"]).strip("` "), _plain(match["new"]).strip("` ")
                # A chain of steps has more arrows.
                chain = line.count("→") + line.count("->") > 1 and pattern is _ARROW
                if old != new and not chain and _is_change(match, line) and not _WISHED.search(line[: match.start()]):
                    found.append((old, new, f"{match['old'].strip('` ')} → {match['new'].strip('` ')}"))
    return tuple(dict.fromkeys(found))


def _is_change(match: re.Match[str], line: str) -> bool:
    """Whether both values are of one sort, and of names the line says that one became the other."""
    sorts = [
        next((at for at, sort in enumerate(_SORTS) if sort.fullmatch(match[side].strip())), -1)
        for side in ("old", "new")
    ]
    told = line[: match.start("old")] + line[match.end("old") : match.start("new")] + line[match.end("new") :]
    if sorts[0] == sorts[1] == 0 and not _MOVED.search(told):
        return False
    return sorts[0] == sorts[1] >= 0 and (sorts[0] < len(_SORTS) - 1 or _RENAMED.search(line) is not None)


def _plain(text: str) -> str:
    return text.casefold().replace("：", ":")


def _is_beside(one: Memory, two: Memory) -> bool:
    """Whether both stand in one section: whoever wrote the second saw the first."""
    return (one.home, one.path, one.heading) == (two.home, two.path, two.heading)


def _is_before(other: Memory, change: Memory) -> bool:
    """Whether a value was noted before it was changed; what is kept has no day of its own."""
    if other.created is None or change.created is None:
        return change.created is not None or other.layer is not Layer.JOURNAL
    passing = other.layer is Layer.JOURNAL or is_of_day(other.path)
    return other.created < change.created if passing else other.created <= change.created


def _is_one_thing(change: Memory, other: Memory, told: _Change) -> bool:
    """Whether both call it by the same words, those of their headings too."""
    values = extract_terms(f"{told.old} {told.new}")
    mine = extract_terms(change.text) - values
    theirs = extract_terms(other.text) - values
    around = extract_terms(" ".join(other.heading[-1:]))
    return len(mine & theirs) >= _NAMED or (len(mine & (theirs | around)) > _NAMED and bool(mine & theirs))
