"""Which lessons an agent really used in a session: those it looked up, was stopped by, or named in its own words.

Precise rather than eager: what merely lay before it at the start is no use, nor what the session itself taught.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.model import PERISHABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.curation.kin import Kin
    from memtui.model import Memory
    from memtui.sessions.extract import Extract
    from memtui.sessions.session import Conversation, Step
    from memtui.vault import Vault

MANY = 5
"""Lessons in one answer beyond which it is a listing, and tells of no use."""
NEAR = 93
"""Percent of a lesson's letters that stand, in order, in what is said."""
_LONG, _SHORT, _MOST = 600, 8, 12_000
"""Characters of a passage that is compared, at most and at least; and passages of one session."""
_ASKS = re.compile(
    r"(?:^|[_.:/-])(?:memory_(?:search|get|recall)|search_memor(?:y|ies)|recall(?:_memor(?:y|ies))?|mem_(?:search|get))$"
)
"""Tools that answer from memory, without the server's name before theirs."""
_RUNS = re.compile(r"\bmemtui (?:search|get|facts|tool memory_(?:search|get))\b|\bmemory-search\.py\b")
_FIELD = re.compile(r"\"(?:snippet|text|fact|content|memory)\"\s*:\s*\"((?:[^\"\\]|\\.){1,4000})")
_SPLIT = re.compile(r"(?<=[。！？!?；;])\s*|(?<=\.)\s+|\n")


class Use(NamedTuple):
    """A lesson that was used, and how that is known."""

    memory: Memory
    context: str
    """What was looked up or said, with its line."""


def uses(vault: Vault, talk: Conversation, found: Extract) -> list[Use]:
    """The lessons that were used, each once, in the order of the session."""
    from memtui.curation.kin import Kin
    from memtui.evolution.experience import known

    among = known(vault)
    lessons = list({memory.id: memory for memory in among.values() if memory.status in PERISHABLE}.values())
    if not lessons:
        return []
    kin = Kin(memory.text for memory in lessons)
    taught = Kin(one.text for one in found.learned)
    used: dict[str, Use] = {}
    for line, passages, context, listing in _told(talk):
        here: dict[str, Memory] = {}
        for passage in passages:
            for memory in _meant(passage, kin, lessons, among):
                if not _new(memory, talk, taught):
                    here.setdefault(memory.id, memory)
        if listing and len(here) > MANY:
            continue
        for memory in here.values():
            at = f"{context} (line {line})" if line else context
            used.setdefault(memory.id, Use(memory, at))
    return list(used.values())


def _told(talk: Conversation) -> Iterator[tuple[int, Iterable[str], str, bool]]:
    """What reached or left the agent, with its line, in short, and whether it may be a mere listing."""
    left = _MOST
    for step in talk.steps:
        if asks(step):
            asked = f"{step.tool}: {step.command or step.given}"
            yield step.line, _answers(step.result), asked[:200], True
        elif step.failed and "hook" in step.result:
            yield step.line, _SPLIT.split(step.result), f"{step.tool}: stopped by a hook", True
    for turn in talk.said:
        if turn.role == "assistant":
            for passage in _SPLIT.split(turn.text):
                left -= 1
                if left < 0:
                    return
                yield turn.line, (passage,), " ".join(passage.split())[:200], False


def asks(step: Step) -> bool:
    """Whether a call asks memory for something."""
    name = step.tool.rpartition("__")[2] or step.tool
    return not step.failed and bool(_ASKS.search(name) or _RUNS.search(step.command[:2000]))


def _answers(result: str) -> Iterator[str]:
    """The passages of an answer, which may be JSON that was cut short."""
    fields = _FIELD.findall(result)
    for text in fields:
        yield from _SPLIT.split(_plain(text))
        yield _plain(text)
    if not fields:
        yield from result.splitlines()


def _plain(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text.replace("\\n", "\n").replace('\\"', '"')


def _meant(passage: str, kin: Kin, lessons: list[Memory], among: dict[str, Memory]) -> Iterator[Memory]:
    """The lessons that a passage says in full."""
    from memtui.evolution.experience import body, digest

    said = body(passage)
    if not _SHORT <= len(said) <= _LONG:
        return
    exact = among.get(digest(said))
    if exact is not None:
        yield exact
        return
    for number, how in kin.like(said):
        if how.kind in {"exact", "same", "around"} and _in_order(lessons[number].text, said):
            yield lessons[number]


def _in_order(lesson: str, said: str) -> bool:
    """Whether its words stand there as they are: the same words in another order may say the opposite."""
    from rapidfuzz import fuzz

    from memtui.curation.similar import normal

    return fuzz.partial_ratio(normal(lesson), normal(said)) >= NEAR


def _new(memory: Memory, talk: Conversation, taught: Kin) -> bool:
    """Whether the session taught it itself."""
    if talk.session.id in {memory.session, memory.source}:
        return True
    begun = talk.started if talk.started is not None else talk.ended
    if begun is None or memory.created is None or clock.day(memory.created) < clock.day(begun):
        return False
    return any(how.covers or how.kind == "around" for _number, how in taught.like(memory.text))
