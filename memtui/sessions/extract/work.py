"""What was done: commits, the agent's closing reports, changed files, tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract import commands
from memtui.sessions.extract.wording import led, standing, tidy, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.language.conversation import Conversation
    from memtui.sessions.extract.sentences import Sentence

FILES = 40
TOOLS = 12

_TYPE = re.compile(
    r"^(?:feat|fix|chore|docs|refactor|test|tests|perf|style|build|ci|revert|wip)(?:\((?P<scope>[^()]{1,40})\))?!?:\s*",
    re.IGNORECASE,
)
_EVERYTHING = frozenset(
    {"deps", "dev-deps", "deps-dev", "release", "core", "all", "misc", "repo", "main", "app", "src"}
)
_TEMPORARY = re.compile(
    r"^(?:/tmp/|/private/tmp/|/var/folders/|/var/tmp/|/dev/)|(?:^|/)(?:node_modules|\.git|__pycache__|\.venv)/"
)
_OUTSIDE = re.compile(r"^(?:[A-Za-z]:)?[\\/]")
_TRIFLE = re.compile(r"^(?:wip|fix|update|changes|tmp|test|\.)$", re.IGNORECASE)


_EMPTY = re.compile(
    r"(?:所有|全部|全量|相关|单元|回归|\d+ ?个)*(?:测试|用例|构建|编译)(?:都|已|均|也|全部|全都|现已)*(?:通过|跑通)了?[\s。.！!]*$|(?:已经?|都|也)*(?:按|根据|照|遵照)[^，。]{0,10}(?:修改|调整|更新|改好|处理|完成)了?[\s。.！!]*$"
    r"|(?:已经?|都|也|全部)*(?:修改|更新|调整|改正|改好|完成|提交|推送|处理|搞定|修正)(?:完成|完毕|了|好了)*[\s。.！!]*$|(?:all |the |unit )*(?:\d+ )?(?:\w+ )?tests? (?:all )?(?:now )?pass(?:es|ed|ing)?[\s.!]*$",
    re.IGNORECASE,
)
"""It was done, and nothing is told of what."""


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
        # Remembering is not what the session was about.
        if step.tool and "memtui__" not in step.tool:
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
        text = _told(subject)
        if again and found:
            found.pop()
        if _TRIFLE.match(text) is None and len(text) >= 4:
            found.append(Deed(_capital(text), step.line, True))
    return found


def _told(subject: str) -> str:
    """A commit's subject in words: without its type, with its scope where the rest does not say it."""
    kind = _TYPE.match(subject)
    text = tidy(subject[kind.end() :]) if kind else subject
    scope = kind["scope"] if kind else None
    if scope and scope.lower() not in _EVERYTHING and scope.lower().rstrip("s") not in text.lower():
        return f"{scope}: {text}"
    return text or subject


def reports(conversation: Conversation, spoken: Sequence[Sentence]) -> list[Deed]:
    """What the agent says it did, in the turn that closes each piece of work."""
    closing = _closing(conversation)
    wrong = {
        sentence.turn - 1
        for sentence in spoken
        if sentence.role == "user"
        and any(tongue.corrects.match(sentence.bare + " ") for tongue in tongues(sentence.text))
    }
    if wrong and closing - wrong and max(closing) not in wrong:
        # What the person objected to was done another way since.
        closing -= wrong
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
                or tongue.proposes.search(f"{sentence.head} …")
                or _EMPTY.match(bare) is not None
            ):
                continue
            listed = sentence.item and tongue.done_head.search(sentence.head) is not None
            if tongue.done.search(bare[led(bare, tongue) :]) is None and sentence.box != "x" and not listed:
                continue
            said = standing(sentence.text, tongue)
            if said and len(said) >= 6:
                found.append(Deed(said, sentence.line, False))
                break
    return found


def beyond(reported: Sequence[Deed], committed: Sequence[Deed]) -> list[Deed]:
    """What is reported and no commit says already, in other words or as nothing but a commit."""
    subjects = [_stems(deed.text) for deed in committed]
    return [
        deed
        for deed in reported
        if not (committed and _COMMITTED.search(deed.text) is not None and len(deed.text) < 90)
        and not any(_same(subject, _stems(deed.text)) for subject in subjects)
    ]


def _stems(text: str) -> frozenset[str]:
    from memtui.language.statements import meant

    return frozenset(word[:5] for word in meant(text))


def _same(one: frozenset[str], two: frozenset[str]) -> bool:
    return len(one & two) >= 2 and len(one & two) * 2 >= min(len(one), len(two))


_COMMITTED = re.compile(r"\b(?:committed|pushed)\b|提交了|推送了|已提交|已推送", re.IGNORECASE)


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
