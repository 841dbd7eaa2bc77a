"""Spec 000's 300 characters: what of an extract is kept when it says more than a summary may.

What counts is what a person reads of it: topic, goal, outcome, what was done, key points, decisions, open items; or,
where there is a text instead of parts, the text, which has a topic of its own. Names of files and tools, and what is
learned (which is written elsewhere), do not count.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.sessions.extract import Extract

MOST = 300
"""Characters of a summary."""

_PARTS = ("decisions", "todos", "done", "points")
"""In the order in which they are missed when they are gone: each gives one of its items, then each its next."""

_LEAST = 32
"""Characters below which the beginning of an item says nothing."""

_SENTENCE = re.compile(r"[。！？；!?]+[”’」』\"')）]*|[.;][\"')]*(?=\s|$)|(?=\n)")
_PHRASE = re.compile(r"[，、：,:]|\s[–—-](?=\s)|——")
_WORD = re.compile(r"(?<=[^\x00-\u2e7f])|\s+")


def limited(extract: Extract, most: int = MOST) -> Extract:
    """The extract with at most so many characters of substance: what matters most, whole where it can be.

    The items of a part are taken in their order. What was not summarised (`by` raw) stays as it is.
    """
    if extract.by == "raw" or characters(extract) <= most:
        return extract
    if extract.text:
        return extract._replace(text=shortened(extract.text, most))
    topic = shortened(extract.topic, most // 4)
    outcome = shortened(extract.outcome, most // 8)
    goal = shortened(extract.goal, most // 5)
    kept: dict[str, list[str]] = {name: [] for name in _PARTS}
    left = most - len(topic) - len(outcome) - len(goal)
    for name, item in _in_turn(extract):
        short = shortened(item, min(left, max(most // 4, _LEAST)))
        if short and (short == item or len(short) >= _LEAST):
            kept[name].append(short)
            left -= len(short)
    return extract._replace(
        topic=topic,
        goal=goal,
        outcome=outcome,
        done=tuple(kept["done"]),
        points=tuple(kept["points"]),
        decisions=tuple(kept["decisions"]),
        todos=tuple(kept["todos"]),
    )


def characters(extract: Extract) -> int:
    """How many characters of substance it has."""
    if extract.text:
        return len(extract.text)
    return sum(map(len, (extract.topic, extract.goal, extract.outcome))) + sum(
        len(item) for _name, item in _in_turn(extract)
    )


def shortened(text: str, most: int) -> str:
    """The beginning of a text, at most so many characters of it, up to where a sentence, a phrase or a word ends.

    A whole sentence stands as it is; what breaks off inside of one ends in …
    """
    if len(text) <= most:
        return text
    if most < 2:
        return ""
    room = text[: most + 1]  # one more: it shows whether what stands before it ends there
    ends = [match.end() for match in _SENTENCE.finditer(room) if match.end() <= most]
    if ends and ends[-1] * 2 >= most:
        return _closed(text[: ends[-1]])
    for breaks, least in ((_PHRASE, most // 2), (_WORD, 1)):
        starts = [match.start() for match in breaks.finditer(room) if least <= match.start() < most]
        if starts:
            return _closed(text[: starts[-1]].rstrip(" ,，、:：;；–—-")) + "…"
    return text[: most - 1] + "…"


def _closed(text: str) -> str:
    """Without a lone sign of code or emphasis that opened something which is gone."""
    for sign in ("`", "**"):
        if text.count(sign) % 2:
            before, _sign, after = text.rpartition(sign)
            text = before + after
    return text


def _in_turn(extract: Extract) -> list[tuple[str, str]]:
    parts: list[tuple[str, tuple[str, ...]]] = [
        ("decisions", extract.decisions),
        ("todos", extract.todos),
        ("done", extract.done),
        ("points", extract.points),
    ]
    deepest = max(len(items) for _name, items in parts)
    return [
        (name, items[number]) for number in range(deepest) for name, items in parts if number < len(items)
    ]
