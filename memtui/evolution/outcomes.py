"""How a session went, and how often the person had to correct the agent: by rule, from what was recorded of it.

English and Chinese. What told it is kept, with its line: a person can look there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.evolution.events import Outcome, status
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.sessions.extract import Extract
    from memtui.sessions.extract.sentences import Sentence
    from memtui.sessions.session import Conversation, Step
    from memtui.turns import Turn

_REFUSED = "the user said:\n"
"""What stands in a call's result before the words with which a person refused it."""
_WORDS = 80
_EMPTY_NO = re.compile(r"\W*no+\W*", re.IGNORECASE)
_WRONG = re.compile(
    r"\b(?:not what (?:i|we) (?:asked|wanted|meant|said|need)|i (?:asked|told) you (?:not )?(?:to|for|about)"
    r"|i (?:never|didn't|did not) ask(?:ed)?|you (?:misunderstood|misread|ignored|forgot|missed|broke)"
    r"|you(?:'ve| have) (?:misunderstood|ignored|forgotten|missed|broken)"
    r"|(?:you|that|this|it) should(?:n't| not)? have\b|should(?:n't| not)? have been"
    r"|as i (?:already )?(?:said|told you)"
    r"|(?:revert|undo|roll back) (?:that|this|those|your|the last)\b|put (?:it|that|them) back\b)"
    r"|我要的(?:是|不是)|我(?:说|指)的(?:是|不是)|我(?:让|叫)你|我没(?:让|叫|要)你|没(?:有)?让你"
    r"|应该[^，,。]{1,24}(?:而不是|[，,]\s?(?:而)?不是)|你(?:又|还是|怎么|为什么)?(?:理解|搞|弄|改|写|看|记|用|放)错"
    r"|你(?:漏|忘|忽略|误解)了?|(?:别|不要)(?:再|乱|随便)[改动用写删]|(?:撤销|撤回|还原|回滚)(?:刚才|这次|这个|你的|上面)|改回(?:去|来|原)",
    re.IGNORECASE,
)
"""The agent did what was not wanted, wherever in a sentence that is said."""
_CHECKED = re.compile(r"\b(?:tests?|build)\b|测试|构建", re.IGNORECASE)
_TOLD = re.compile(r"\buser\b|用户|\bgiven up\b|放弃", re.IGNORECASE)


class Correction(NamedTuple):
    """One turn in which a person corrected the agent."""

    text: str
    line: int


def of(talk: Conversation, found: Extract) -> Outcome:
    """How a session went, with the reason: what told it, and the last correction."""
    told = found.outcome
    if not told:
        from memtui.sessions.extract import rules

        told = rules.extract(talk).outcome
    fixes = corrections(talk)
    why = told.replace("：", ":", 1).partition(":")[2].strip()
    parts = [f"{why} ({seen})" if (seen := _seen(talk, why)) and why else why]
    if fixes:
        parts.append(
            _("corrected: “{words}” (line {line})").format(
                words=_cut(fixes[-1].text), line=fixes[-1].line or "?"
            )
        )
    reason = "; ".join(filter(None, parts))
    return Outcome(talk.session.id, talk.ended, status(told), len(fixes), reason)


def corrections(talk: Conversation) -> list[Correction]:
    """The turns in which the person told the agent that it was wrong, each once; never the first one."""
    from memtui.sessions.extract.sentences import sentences

    found: list[Correction] = []
    answered = False
    refused = [step.result for step in talk.steps if step.failed and _REFUSED in step.result]
    begun = min((step.line for step in talk.steps if step.line), default=None)
    for number, turn in enumerate(talk.said):
        if turn.role == "assistant":
            answered = True
        if turn.role != "user" or not (answered or (number and begun is not None and begun < turn.line)):
            continue
        if _refuses(turn, refused):
            found.append(Correction(turn.text, turn.line))
            continue
        wrong = next(filter(_corrects, sentences(turn.text[:4000], "user", turn.line, number)), None)
        if wrong is not None:
            found.append(Correction(wrong.text, turn.line))
    return found


def _corrects(sentence: Sentence) -> bool:
    """Whether a sentence of a person, who has seen what the agent did, corrects it."""
    from memtui.sessions.extract.teaching import complains
    from memtui.sessions.extract.wording import tongues

    if complains(sentence) or _WRONG.search(sentence.bare) is not None:
        return True
    if sentence.asks:
        return False
    for tongue in tongues(sentence.text):
        for at in _starts(sentence):
            said = tongue.corrects.match(f"{sentence.bare[at:]} ")
            # 'no' in the middle of a sentence denies something else.
            if said is not None and (at == 0 or not _EMPTY_NO.fullmatch(said[0])):
                return True
    return False


def _starts(sentence: Sentence) -> Iterator[int]:
    """Where a correction may begin: at the beginning, behind what leads up to it, and behind a comma."""
    from memtui.sessions.extract.wording import clauses, led, tongues

    yield 0
    yield from (at for tongue in tongues(sentence.text) if (at := led(sentence.bare, tongue)))
    yield from clauses(sentence.bare)[1:]


def _refuses(turn: Turn, refused: list[str]) -> bool:
    said = turn.text.strip()[:_WORDS]
    return bool(said) and any(said in result.partition(_REFUSED)[2] for result in refused)


def _seen(talk: Conversation, why: str) -> str:
    """Where one can see it: the last test or build, or the person's last words."""
    if _CHECKED.search(why):
        step = _last_check(talk)
        if step is not None:
            return _("`{command}`, line {line}").format(command=_cut(step.command), line=step.line)
    if _TOLD.search(why) and talk.prompts:
        last = talk.prompts[-1]
        return _("“{words}”, line {line}").format(words=_cut(last.text), line=last.line)
    return ""


def _last_check(talk: Conversation) -> Step | None:
    from memtui.sessions.extract import commands

    checks = (step for step in reversed(talk.steps) if step.command)
    return next((one for one in checks if commands.tests(one.command) or commands.checks(one.command)), None)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WORDS else f"{text[: _WORDS - 1].rstrip()}…"
