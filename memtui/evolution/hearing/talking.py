"""What of a recorded session is listened to: which sentences, and which failures of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.evolution.hearing.machine import PRINTED
from memtui.evolution.hearing.sign import GAP, SECURITY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.model import Turn
    from memtui.language.conversation import Conversation, Step

ATTEMPTS = 3
"""So many failures of one command in a row are trouble, whatever came of it."""

MOST = 40
"""So many failures of tools are told of, the last ones."""

_PASTED = 12
"""Lines of what a person pasted that are looked at, the last ones: there stands what went wrong."""


_ASKED = 80
"""Characters at the end of a turn in which it asks."""


class Told(NamedTuple):
    """One line that may tell of trouble."""

    text: str
    role: str
    line: int
    types: frozenset[str] | None = None
    """Only signals of these types count; None: all do."""


def told(talk: Conversation) -> Iterator[Told]:
    """All that is to be listened to, in order of who says it: the person, the agent, the tools."""
    from memtui.sessions.extract.sentences import spoken

    closing = _closing(talk.said)
    answers = _answers(talk.said)
    for sentence in spoken(talk.said):
        if sentence.role == "user":
            yield Told(sentence.text, "" if sentence.turn in answers else "user", sentence.line)
        elif sentence.role == "assistant" and not _chatter(sentence.bare, sentence.text):
            every = sentence.turn in closing
            yield Told(
                sentence.text, "assistant", sentence.line, None if every else frozenset({GAP, SECURITY})
            )
    for turn in talk.said:
        if turn.role == "user":
            yield from (Told(line, "tool", turn.line, _NOT_SAID) for line in _pasted(turn.text))
    yield from failures(talk.steps)


_NOT_SAID = frozenset({
    "error", "environment_issue", "dependency_issue", "performance_issue",
})  # fmt: skip
"""What a machine can tell of."""


def failures(steps: tuple[Step, ...]) -> Iterator[Told]:
    """What went wrong with tools and stayed so, or took several attempts."""
    from memtui.sessions.extract import commands, mishaps

    rows: dict[str, list[Step]] = {}
    stuck: dict[int, Step] = {}
    for step in steps:
        command = commands.bare(step.command[:2000]) if step.command.strip() else ""
        if not command or not commands.acts(command):
            continue
        row = rows.setdefault(command, [])
        if not commands.failed(step):
            row.clear()
            continue
        row.append(step)
        if len(row) >= ATTEMPTS and _same(row[-ATTEMPTS:]):
            stuck[row[0].line] = step
    last = mishaps.unsolved(steps)
    found = [*stuck.values(), *([last] if last is not None and last not in stuck.values() else [])]
    for step in sorted(found, key=lambda one: one.line)[-MOST:]:
        line = mishaps.error(step)
        # A command whose output names no error failed all the same.
        yield Told(line or f"`{commands.bare(step.command)[:60]}` failed", "tool", step.line, _NOT_SAID)


def _same(row: list[Step]) -> bool:
    """Whether several failures are one: tests that are written one after the other fail each for itself."""
    from memtui.sessions.extract import mishaps

    lines = [mishaps.error(step) for step in row]
    return not all(mishaps.trivial(step) for step in row) or len(set(lines)) == 1


def _pasted(text: str) -> list[str]:
    """What a person showed of a program's output that tells of an error."""
    from memtui.sessions.extract.sentences import shown

    if PRINTED.search(text) is None:
        return []
    lines = [line for line in text.splitlines() if 6 < len(line) < 600]
    return [line for line in lines if PRINTED.search(line) is not None and shown(line)][-_PASTED:]


def _closing(turns: tuple[Turn, ...]) -> frozenset[int]:
    """The agent's last turn before each of the person's, and at the end."""
    found: set[int] = set()
    last = -1
    for number, turn in enumerate(turns):
        if turn.role == "assistant":
            last = number
        elif turn.role == "user" and last >= 0:
            found.add(last)
            last = -1
    return frozenset({*found, last} - {-1})


def _answers(turns: tuple[Turn, ...]) -> frozenset[int]:
    """The person's turns that correct nobody: the first, and those that answer a question, where a no is an answer."""
    found: set[int] = set()
    before: Turn | None = None
    for number, turn in enumerate(turns):
        if turn.role == "user" and (
            before is None or before.text[-_ASKED:].rstrip(" *_)）\n").endswith(("?", "？"))
        ):
            found.add(number)
        if turn.role in {"user", "assistant"}:
            before = turn
    return frozenset(found)


def _chatter(bare: str, text: str) -> bool:
    from memtui.sessions.extract.wording import tongues

    return any(tongue.chatter.search(bare) is not None for tongue in tongues(text))
