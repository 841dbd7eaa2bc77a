"""What a model answered, held against what was asked: the JSON object in it, of the right shape, or nothing.

Models put code fences and chatter around it, leave parts out and add others. What has another type than was asked for
is left out, never guessed; a summary without a topic is none.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any, NamedTuple

from memtui.sessions.extract.limits import shortened

ITEMS = 12
"""Of one list."""

LONGEST = 300
"""Characters of one item."""

_TRIES = 64
"""Braces at which an object is looked for."""

_FENCE = re.compile(r"\A\s*```[a-z]*[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_BULLET = re.compile(r"\A(?:[-*+•]\s+|\d{1,2}[.)、]\s*)+(?=\S)")
_OUTCOME = re.compile(
    r"\A\W*(?:(?P<success>success\w*|成功|完成)|(?P<partly>part\w*|部分\w{0,2})|(?P<failed>fail\w*|失败))?(?P<why>.*)\Z",
    re.IGNORECASE,
)
_KINDS = frozenset({"pref", "decision", "rule", "lesson", "fact", "todo"})


class Told(NamedTuple):
    """Spec 002's summary and knowledge, spec 003's episode: as the model tells them."""

    topic: str
    points: tuple[str, ...]
    files: tuple[str, ...]
    decisions: tuple[str, ...]
    todos: tuple[str, ...]
    project: str
    rules: tuple[tuple[str, str], ...]
    """Category and rule."""
    avoidances: tuple[str, ...]
    memories: tuple[tuple[str, str], ...]
    """Kind and text."""
    goal: str
    outcome: str
    entities: tuple[str, ...]


def summed_up(answer: str) -> Told | None:
    """The object that was asked for; None: there is none in the answer."""
    told = _object(answer, "summary")
    summary = told.get("summary") if told else None
    topic = _string(summary.get("topic")) if isinstance(summary, dict) else ""
    if told is None or not isinstance(summary, dict) or not topic:
        return None
    knowledge = _object_of(told, "knowledge")
    if knowledge.get("has_knowledge") is not True:
        knowledge = {}
    # Some put the episode's parts beside the others, as spec 003 lists them.
    episode = _object_of(told, "episode") or told
    return Told(
        topic=topic,
        points=_strings(summary.get("key_points")),
        files=_strings(summary.get("files")),
        decisions=_strings(summary.get("decisions")),
        todos=_strings(summary.get("todos")),
        project=_string(knowledge.get("project"), 60),
        rules=_pairs(knowledge.get("rules"), "category", "rule"),
        avoidances=_strings(knowledge.get("avoidances")),
        memories=tuple(
            (kind, text)
            for kind, text in _pairs(knowledge.get("memories"), "kind", "text")
            if kind in {"pref", "fact"}
        ),
        goal=_string(episode.get("goal")),
        outcome=_outcome(_string(episode.get("outcome"))),
        entities=_strings(episode.get("entities"), 60),
    )


def noted(answer: str) -> tuple[tuple[str, str], ...] | None:
    """Kinds and texts of the notes; None: the answer is no such object."""
    told = _object(answer, "notes")
    if told is None or not isinstance(told["notes"], list):
        return None
    return tuple((kind, text) for kind, text in _pairs(told["notes"], "kind", "text") if kind in _KINDS)


def unfenced(answer: str) -> str:
    """An answer in words, without the fence around all of it."""
    inside = _FENCE.match(answer)
    return unescape(inside[1] if inside else answer).strip()


def _object(answer: str, key: str) -> dict[str, Any] | None:
    """The first object in a text that has the key."""
    reader = json.JSONDecoder(strict=False)
    at = -1
    for _number in range(_TRIES):
        at = answer.find("{", at + 1)
        if at < 0:
            break
        try:
            told, end = reader.raw_decode(answer, at)
        except (ValueError, RecursionError):
            continue
        if isinstance(told, dict) and key in told:
            return told
        at = end - 1
    return None


def _object_of(told: dict[str, Any], key: str) -> dict[str, Any]:
    inner = told.get(key)
    return inner if isinstance(inner, dict) else {}


def _string(told: Any, most: int = LONGEST) -> str:
    """One line of it, without what makes it an item of a list; empty: it is no string."""
    if not isinstance(told, str):
        return ""
    # What it was given was escaped, and models give it back as they saw it.
    return shortened(_BULLET.sub("", " ".join(unescape(told[: most * 8]).split())), most)


def _strings(told: Any, most: int = LONGEST) -> tuple[str, ...]:
    items = told if isinstance(told, list) else []
    return tuple(dict.fromkeys(text for item in items[: 4 * ITEMS] if (text := _string(item, most))))[:ITEMS]


def _pairs(told: Any, first: str, second: str) -> tuple[tuple[str, str], ...]:
    items = told if isinstance(told, list) else []
    pairs = (
        (_string(item.get(first), 40).lstrip("# "), _string(item.get(second)))
        for item in items[: 4 * ITEMS]
        if isinstance(item, dict)
    )
    return tuple(dict.fromkeys(pair for pair in pairs if pair[1]))[:ITEMS]


def _outcome(told: str) -> str:
    """As spec 003's episodes have it: one of four words, and why."""
    found = _OUTCOME.match(told)
    if found is None or found.lastgroup is None:
        return "unknown"
    word = next((name for name in ("success", "partly", "failed") if found[name]), "unknown")
    why = found["why"].strip(" :：,，.。;；–—-")
    return f"{word}: {why}" if why else word
