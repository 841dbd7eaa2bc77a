"""What was done: commits, the agent's closing reports, changed files, tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract import commands
from memtui.sessions.extract.wording import standing, tidy, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.sessions.extract.sentences import Sentence
    from memtui.sessions.session import Conversation

FILES = 40
TOOLS = 12

_TYPE = re.compile(
    r"^(?:feat|fix|chore|docs|refactor|test|tests|perf|style|build|ci|revert|wip)(?:\([^()]{1,40}\))?!?:\s*",
    re.IGNORECASE,
)
_TEMPORARY = re.compile(
    r"^(?:/tmp/|/private/tmp/|/var/folders/|/var/tmp/|/dev/)|(?:^|/)(?:node_modules|\.git|__pycache__|\.venv)/"
)
_OUTSIDE = re.compile(r"^(?:[A-Za-z]:)?[\\/]")
_TRIFLE = re.compile(r"^(?:wip|fix|update|changes|tmp|test|\.)$", re.IGNORECASE)


class Deed(NamedTuple):
    """Something that was done, and where it was told."""

    text: str
    line: int
    sure: bool
    """Committed; else only told."""


def relative(file: str, cwd: str) -> str:
    """A file as the project calls it."""
    file, root = file.replace("\\", "/"), cwd.replace("\\", "/").rstrip("/")
    if root and file.startswith(root + "/"):
        file = file[len(root) + 1 :]
    while file.startswith("./"):
        file = file[2:]
    return file


def files(conversation: Conversation) -> tuple[str, ...]:
    """The files that were changed, each once, temporary ones left out."""
    cwd = conversation.session.cwd
    named = [tidy(relative(file, cwd)) for file in conversation.changed if len(file) < 1000]
    kept = [file for file in named if file and _TEMPORARY.search(file) is None]
    return tuple(dict.fromkeys(kept))[:FILES]


def tools(conversation: Conversation) -> tuple[str, ...]:
    """The tools that were used, the most used first."""
    counts: dict[str, int] = {}
    for step in conversation.steps:
        if step.tool:
            counts[step.tool] = counts.get(step.tool, 0) + 1
    return tuple(sorted(counts, key=lambda name: -counts[name]))[:TOOLS]


def commits(conversation: Conversation) -> list[Deed]:
    """The subjects of what was committed, in order."""
    found: list[Deed] = []
    for step in conversation.steps:
        told = commands.commit(step)
        if told is None:
            continue
        subject, again = told
        text = tidy(_TYPE.sub("", subject)) or subject
        if again and found:
            found.pop()
        if _TRIFLE.match(text) is None and len(text) >= 4:
            found.append(Deed(_capital(text), step.line, True))
    return found


def reports(conversation: Conversation, spoken: Sequence[Sentence]) -> list[Deed]:
    """What the agent says it did, in the turn that closes each piece of work."""
    closing = _closing(conversation)
    found: list[Deed] = []
    for sentence in spoken:
        if sentence.turn not in closing or sentence.asks or sentence.box == " ":
            continue
        for tongue in tongues(sentence.text):
            bare = sentence.bare
            if (
                tongue.chatter.search(bare)
                or tongue.doubt.search(bare)
                or tongue.todo.search(bare)
                or tongue.todo_head.search(sentence.head)
            ):
                continue
            listed = sentence.item and tongue.done_head.search(sentence.head) is not None
            if tongue.done.search(bare) is None and sentence.box != "x" and not listed:
                continue
            said = standing(sentence.text, tongue)
            if said and len(said) >= 6:
                found.append(Deed(said, sentence.line, False))
                break
    return found


def _closing(conversation: Conversation) -> set[int]:
    """The agent's last turn before each prompt and at the end, where it had worked before."""
    found: set[int] = set()
    last, since = -1, 0
    lines = sorted(step.line for step in conversation.steps)
    for number, turn in enumerate(conversation.said):
        if turn.role == "assistant":
            last = number
        elif turn.role == "user":
            if last >= 0 and _worked(lines, since, turn.line):
                found.add(last)
            last, since = -1, turn.line
    if last >= 0 and _worked(lines, since, 1 << 60):
        found.add(last)
    return found


def _worked(lines: list[int], since: int, until: int) -> bool:
    from bisect import bisect_left

    at = bisect_left(lines, since)
    return at < len(lines) and lines[at] < until


def _capital(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text[0].upper() + text[1:] if first.isalpha() and first.islower() and first.isascii() else text
