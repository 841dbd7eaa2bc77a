"""What went wrong and how it was put right: a command failed, something was changed, the same command passed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract import Learned, commands
from memtui.sessions.extract.entities import entities
from memtui.sessions.extract.limits import shortened
from memtui.sessions.extract.reasons import CAUSAL, EXPLAINS, REMEDY, cause_before, reason
from memtui.sessions.extract.wording import standing, tidy, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.language.conversation import Conversation, Step
    from memtui.sessions.extract.sentences import Sentence

_ERROR = re.compile(
    r"\b(?:[A-Z]\w*)?(?:Error|Exception)\b: ?\S|\b(?:error|fatal|panic)(?:\[\w+\])?: \S|\bERR(?:OR|!)[ :]|\b(?:command not found|No such file or directory|Permission denied|Connection refused|not found"
    r"|ECONNREFUSED|EADDRINUSE|ENOENT|EACCES|ETIMEDOUT|already in use|undefined reference|cannot find|could not|Could not|Cannot)\b|^E\s{2,}\S|错误[:：]|失败[:：]"
)
_ASSERTION = re.compile(
    r"\bAssertionError\b|^E\s+assert\b|\bassert(?:ion)?\b.*(?:failed|==)|\bexpected\b.*\b(?:received|got|to (?:be|equal))\b|toBe|toEqual|\b\d+ (?:failed|failing)\b|^FAIL",
    re.IGNORECASE,
)
_NOISE = re.compile(r"^\s*(?:E\s{2,}|npm ERR! ?|ERROR:? (?=\w+Error)|\[\w+\]\s*|[✗✘×❌]\s*|>\s*)")
_STAMP = re.compile(r"^\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z]+\]?\s*|^(?:/[\w.@-]+)+/(?=[\w.-]+:)")
_FIXED = re.compile(
    r"^(?:it (?:was|is) )?fixed by |^the (?:fix|solution|workaround) (?:is|was) (?:to )?", re.IGNORECASE
)
MOST = 20
"""So many mishaps are looked into: the last ones."""
_FAR = 40
"""Steps between a failure and what repaired it."""


class Mishap(NamedTuple):
    """A failure that was put right."""

    failed: Step
    passed: Step
    between: tuple[Step, ...]


def mishaps(steps: Sequence[Step]) -> tuple[Mishap, ...]:
    """Every command that failed first and passed after something was changed, in order."""
    open_: dict[str, int] = {}
    found: list[Mishap] = []
    for number, step in enumerate(steps):
        if not step.command.strip():
            continue
        command = commands.bare(step.command[:2000])
        if commands.failed(step):
            open_.setdefault(command, number)
            continue
        begun = open_.pop(command, None)
        if begun is None or number - begun > _FAR:
            continue
        after = [other for other in steps[begun + 1 : number] if not commands.failed(other)]
        between = tuple(other for other in after if other.writes or commands.remedy(other.command))
        between = between or tuple(other for other in after if other.command and commands.acts(other.command))
        if between:
            found.append(Mishap(steps[begun], step, between))
    return tuple(found)


def unsolved(steps: Sequence[Step]) -> Step | None:
    """The last test or build, where it failed and nothing repaired it."""
    for step in reversed(steps):
        if step.command and (commands.tests(step.command) or commands.checks(step.command)):
            return step if commands.failed(step) else None
    return None


def error(step: Step) -> str:
    """The line that says what went wrong; empty: none does."""
    lines = [line for line in step.result[-6000:].splitlines() if 6 < len(line) < 600]
    told = [line for line in lines if _ERROR.search(line) is not None]
    told = [line for line in told if _ASSERTION.search(line) is None] or told
    if not told:
        return ""
    line = tidy(_STAMP.sub("", _NOISE.sub("", _NOISE.sub("", told[-1].strip()))))
    return shortened(line, 90)


def trivial(step: Step) -> bool:
    """Whether an expectation failed, not the surroundings: that is what writing code is like."""
    return _ASSERTION.search(error(step) or step.result[-300:]) is not None


def lessons(conversation: Conversation, spoken: Sequence[Sentence], han: bool) -> list[Learned]:
    """What is to be learned from what failed and was put right."""
    found = []
    for mishap in mishaps(conversation.steps)[-MOST:]:
        error_line = error(mishap.failed)
        if not error_line:
            continue
        fix = _fix(mishap, spoken, error_line)
        if not fix and trivial(mishap.failed):
            continue
        fix = _FIXED.sub("", fix) or _edited(mishap, conversation, han)
        if not fix:
            continue
        command = shortened(commands.bare(mishap.failed.command), 50)
        if trivial(mishap.failed) and not fix.startswith("`"):
            # What an expectation was is told by the code; why it failed is worth keeping.
            found.append(Learned(fix, "lesson", "", mishap.failed.line, 0.65, entities((fix,), 6)))
            continue
        error_line = shortened(error_line, max(40, 172 - len(command) - len(fix)))
        text = (
            f"`{command}` 报错 {error_line}；解决：{fix}"
            if han
            else f"`{command}` fails with {error_line}; fix: {fix}"
        )
        sure = 0.8 if not fix.startswith(("changed ", "修改 ")) else 0.55
        found.append(
            Learned(shortened(text, 200), "lesson", "", mishap.failed.line, sure, entities((text,), 6))
        )
    return found


def _fix(mishap: Mishap, spoken: Sequence[Sentence], error_line: str) -> str:
    """What repaired it: in the agent's words, unless a command did and the words are about something else."""
    told, ran = _explained(mishap, spoken), _repaired(mishap)
    if told and ran and not set(entities((told,))) & set(entities((error_line,))):
        return ran
    return told or ran


def _explained(mishap: Mishap, spoken: Sequence[Sentence]) -> str:
    """What the agent said was wrong."""
    best = ""
    for number, sentence in enumerate(spoken):
        if sentence.role != "assistant" or sentence.line < mishap.failed.line:
            continue
        if best and sentence.line > mishap.passed.line + 4:
            break
        if sentence.asks or CAUSAL.search(sentence.text) is None:
            continue
        for tongue in tongues(sentence.text):
            if tongue.doubt.search(sentence.bare) or tongue.chatter.search(sentence.bare):
                continue
            caused = tongue.cause.search(sentence.bare)
            if caused is None:
                continue
            said = standing(sentence.text, tongue)
            if not said and sentence.text[caused.end() :].strip():
                said = standing(sentence.text[caused.end() :], tongue)
            if said and REMEDY.search(said) is not None:
                before = cause_before(spoken, number)
                return f"{before}; {shortened(said, 80)}" if before else shortened(said, 110)
            if said and EXPLAINS.search(said):
                return shortened(said, 130)
            best = best or shortened(said, 110)
    given = None if best else reason(spoken, mishap.failed.line, mishap.passed.line)
    return shortened(given[0], 130) if given else best


def _repaired(mishap: Mishap) -> str:
    """The command that repaired it."""
    told = [commands.bare(step.command) for step in mishap.between if step.command and not step.writes]
    return f"`{shortened(told[-1], 60)}`" if told else ""


def _edited(mishap: Mishap, conversation: Conversation, han: bool) -> str:
    from memtui.sessions.extract.work import relative

    files = tuple(
        dict.fromkeys(
            relative(file, conversation.session.cwd)
            for step in mishap.between
            if step.writes
            for file in step.files
        )
    )
    if not files or len(files) > 2:
        return ""
    return ("修改 " if han else "changed ") + ", ".join(files)
