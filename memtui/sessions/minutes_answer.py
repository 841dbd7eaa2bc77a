"""What a model answered, checked against the shape that was asked for and against what was said in the session.

Shape: the JSON object in the answer, or nothing; models put code fences and chatter around it, leave parts out
and add others. What has another type is left out, never guessed; a summary without a topic is none.

Support: an item stands where three turns in a row hold enough of its words (Chinese by pairs of characters) and
each of its numbers and pieces of code occurs somewhere in the session. What tools printed supports numbers and
code only: a file that says "always do this" is not the person who says it. An item in another language than the
session fails. A lie in the session's own words cannot be detected: that is for Review.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.text import segment_text
from memtui.language.items import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

ITEMS = 12
"""Of one list."""

LONGEST = 300
"""Characters of one item."""

_TRIES = 64
"""Braces at which an object is looked for."""

_BULLET = re.compile(r"\A(?:[-*+•]\s+|\d{1,2}[.)、]\s*)+(?=\S)")
_OUTCOME = re.compile(
    r"\A\W*(?:(?P<success>success\w*|成功|完成)|(?P<partly>part\w*|部分\w{0,2})|(?P<failed>fail\w*|失败))?(?P<why>.*)\Z",
    re.IGNORECASE,
)
_KINDS = frozenset({"pref", "decision", "rule", "lesson", "fact", "todo"})


class Answer(NamedTuple):
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


def read_summary(answer: str) -> Answer | None:
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
    return Answer(
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


def read_noted(answer: str) -> tuple[tuple[str, str], ...] | None:
    """Kinds and texts of the notes; None: the answer is no such object."""
    told = _object(answer, "notes")
    if told is None or not isinstance(told["notes"], list):
        return None
    return tuple((kind, text) for kind, text in _pairs(told["notes"], "kind", "text") if kind in _KINDS)


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
    return shorten(_BULLET.sub("", " ".join(unescape(told[: most * 8]).split())), most)


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


ENOUGH = 0.4
"""Share of an item's words that three turns must hold."""
ENOUGH_WIDE = 0.3
"""Of pairs of Chinese characters, of which another wording changes more."""

_STEM = 5
_TURN = 20_000
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.:/-]\d+)+|\d{2,}")
_CODE = re.compile(r"`([^`\n]{2,80})`")
_STOP = """
the and for not with are was were has have had that this these those from into onto than then there their when where
which while will would should must can could may might shall does did done use uses used using always never instead
because before after also only any all each every its you your our out but one who how what why make makes need
needs just very more most other some such them they don doesn isn rather than is it to of in on at by we do go no so
or if an as be he up us my me am ok vs 使用 需要 必须 应该 可以 不要 一个 进行 这个 我们
"""


class Support:
    """What was said, turn by turn, to be asked whether it bears an item out."""

    def __init__(self, turns: Iterable[tuple[int, str]], seen: Iterable[str] = ()) -> None:
        """`turns`: line and words, in order; `seen`: what else stood in the session."""
        said = [(line, text[:_TURN]) for line, text in turns]
        self._words = [(line, _words(text)) for line, text in said]
        self._all = _flat("\n".join([*(text for _line, text in said), *seen]))

    def line(self, item: str) -> int | None:
        """The line that comes nearest to the item; None: nothing bears it out."""
        words = _words(item)
        if not words or not self._exact(item):
            return None
        wide = sum(word >= "\u2e80" for word in words)
        enough = ENOUGH_WIDE if wide * 2 > len(words) else ENOUGH
        best, where = 0, 0
        for number, (line, own) in enumerate(self._words):
            around = own.union(*(near for _line, near in self._words[number + 1 : number + 3]))
            shared = len(words & around)
            if shared >= max(enough * len(words), min(2, len(words))):
                score = shared + len(words & own)
                if score > best:
                    best, where = score, line
        return where if best else None

    def holds(self, name: str) -> bool:
        """Whether a name occurs."""
        return bool(name) and _flat(name) in self._all

    def _exact(self, item: str) -> bool:
        """Whether its numbers and its code are the session's."""
        numbers = (
            re.search(rf"(?<!\d){re.escape(number)}(?!\d)", self._all) for number in _NUMBER.findall(item)
        )
        return all(numbers) and all(map(self.holds, _CODE.findall(item)))


def _flat(text: str) -> str:
    return " ".join(text.casefold().split())


def _words(text: str) -> frozenset[str]:
    """The words that tell something, by their beginnings."""
    found = _WORD.findall(segment_text(text).casefold())
    return frozenset(word[:_STEM] for word in found if _tells(word))


@cache
def _stop() -> frozenset[str]:
    return frozenset(_STOP.split())


def _tells(word: str) -> bool:
    if word in _stop():
        return False
    return len(word) > 1 or word.isdigit()
