"""Why something went wrong, as the agent found out: said outright, or given as a reason before it was put right."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import pattern
from memtui.sessions.extract import Learned, commands
from memtui.sessions.extract.entities import entities
from memtui.sessions.extract.limits import shortened
from memtui.sessions.extract.wording import standing, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.language.conversation import Conversation, Step
    from memtui.sessions.extract.sentences import Sentence

EXPLAINS = pattern(
    r"\b(?:because|need(?:s|ed)?|missing|must|requires?|instead|wasn't|weren't|isn't|doesn't|didn't|cannot|without|wrong|expects?|only|before|caused|due)\b|因为|需要|缺(?:少|失)?|没有|必须|原因|导致|改(?:成|为)|应该|不支持|由于|忘了|失效|占用|过期|冲突|没(?!问题|有问题)|被.{2,16}了"
)
CAUSAL = pattern(
    r"caus|problem|issue|bug|culprit|reason|turn(?:s|ed) out|fix|solution|workaround|原因|根因|问题|由于|因为|导致|解决|原来|罪魁",
    re.IGNORECASE,
)
_REASON = pattern(
    r"\b(?:because|since|due to|as a result|which (?:means|meant|makes|made|is why|causes?|caused|forces?|breaks?)|(?:that|this)(?:'s| is) why|hence|therefore)\b|[,;:] (?:so|and) |: ",
    re.IGNORECASE,
)
_FAULT = pattern(
    r"\b(?:fail\w*|drop(?:s|ped)|miss(?:es|ed|ing)|lost|loses|lacks?|undefined|nil|null|None|stale|rac(?:e|es|ing)|reset|can(?:'t|not)|doesn't|didn't|don't|isn't|wasn't|aren't|weren't|won't|not|never|no longer|expired?s?|time[sd]? ?out|conflict\w*|mismatch\w*|"
    r"overwr\w+|shadow\w*|leak\w*|block(?:s|ed)|deadlock\w*|sequential|twice|duplicate\w*|wrong\w*|incorrect\w*|too (?:early|late|many|large|small|long|short)|out of|refus\w+|reject\w+|ignor\w+|swallow\w+|truncat\w+|depends on|requires?|expects?|invalid\w*|stuck|overflow\w*|renamed|removed|deprecated|forces? replacement|instead of|still|kill\w*|limits?|limited|old|outdated|until|crash\w*|breaks?|broke|no (?:index|such))\b",
    re.IGNORECASE,
)
_BROKEN = pattern(
    r"\b(?:bugs?|broken|breaks?|fail(?:s|ed|ing|ures?)?|crash\w*|errors?|exceptions?|doesn't|isn't|won't|can't|cannot|not working|wrong|hangs?|leak\w*|slow|flaky|regression|times? ?out|timeouts?|loops?|stuck|freez\w+|missing|blank|empty page|weird|"
    r"down|outage|help|takes \d+|(?:why|wtf) (?:is|does|do|are|did)|[45]\d\d(?:s|'s)?|red|fix)\b|报错|报.{0,4}错|有问题|挂了|不生效|打不开|一直涨|暴涨|飙|过不了|占满|满了|白屏|乱码|跑不|起不来|失败|崩溃|错误|异常|bug|不行|卡死|卡顿|泄漏|超时|太[高大长]|慢",
    re.IGNORECASE,
)
_FIXED = re.compile(r"(?:it (?:was|is) )?fixed by\b", re.IGNORECASE)
REMEDY = pattern(r"\b(?:fixes|solves|resolves|cures) (?:it|that|this|the \w+)\b", re.IGNORECASE)
_OWN = re.compile(r"(?:i|we|you|let's|the fix|to fix|now)\b", re.IGNORECASE)


_TOLD = 40
"""Characters by which a reason is known again."""


class _Piece(NamedTuple):
    """From one prompt to the next: what went wrong in it, and where it was put right."""

    begin: int
    end: int
    wrong: bool
    changed: int
    """The line of the last change; 0: there was none."""


def causes(spoken: Sequence[Sentence], conversation: Conversation, known: Sequence[Learned]) -> list[Learned]:
    """What the agent found out to be wrong, where something had failed or the person had said so, and was changed.

    What is `known` already tells of it is left out.
    """
    pieces = _pieces(conversation)
    if not any(piece.wrong and piece.changed for piece in pieces):
        return []
    found = outright(spoken) if conversation.changed else []
    for piece in pieces:
        if piece.changed and piece.wrong and not any(piece.begin < one.line < piece.end for one in found):
            said = reason(spoken, piece.begin, piece.changed)
            if said is not None:
                found.append(_lesson(said[0], said[1], 0.6))
    told = [one.text.lower() for one in known if one.kind == "lesson"]
    return [one for one in found if not any(one.text[:_TOLD].lower() in text for text in told)]


def outright(spoken: Sequence[Sentence]) -> list[Learned]:
    """The sentences that call something the cause."""
    found: list[Learned] = []
    for number, sentence in enumerate(spoken):
        if sentence.role != "assistant" or sentence.asks or CAUSAL.search(sentence.text) is None:
            continue
        for tongue in tongues(sentence.text):
            caused = tongue.cause.search(sentence.bare)
            if caused is None or tongue.doubt.search(sentence.bare) or tongue.chatter.search(sentence.bare):
                continue
            said = "" if _FIXED.match(sentence.bare) else standing(sentence.text, tongue)
            if said and REMEDY.search(said) is not None:
                before = cause_before(spoken, number)
                if not before:
                    break
                if found and found[-1].text == before:
                    found.pop()
                found.append(_lesson(f"{before}; {said}"[:200], sentence.line, 0.65))
                break
            if said and len(said) >= 16 and (entities((said,), 1) or EXPLAINS.search(said)):
                found.append(_lesson(said, sentence.line, 0.65))
                break
    return found


def cause_before(spoken: Sequence[Sentence], number: int) -> str:
    """What the sentence before one that names a remedy says: what it is good for."""
    before = spoken[number - 1] if number else None
    if before is None or before.turn != spoken[number].turn or before.asks or len(before.text) < 24:
        return ""
    tongue = tongues(before.text)[-1]
    if tongue.chatter.search(before.bare) or tongue.doubt.search(before.bare):
        return ""
    return shortened(standing(before.text, tongue), 130)


def reason(spoken: Sequence[Sentence], begin: int, end: int) -> tuple[str, int] | None:
    """The last sentence between two lines in which the agent gives a reason for a fault; and its line."""
    first = bisect_right(spoken, begin, key=_line)
    for sentence in reversed(spoken[first : bisect_left(spoken, end, key=_line)]):
        if sentence.role != "assistant" or sentence.asks:
            continue
        if len(sentence.text) < 30 or _OWN.match(sentence.bare) or _REASON.search(sentence.bare) is None:
            continue
        if _FAULT.search(sentence.bare) is None:
            continue
        for tongue in tongues(sentence.text)[-1:]:
            no = (tongue.doubt, tongue.chatter, tongue.todo, tongue.decided, tongue.proposes)
            if any(one.search(sentence.bare) for one in no):
                continue
            said = standing(sentence.text, tongue)
            if said and entities((said,), 1):
                return said, sentence.line
    return None


def _acts(step: Step) -> bool:
    """Whether a command may have put something right."""
    told = step.command
    return (
        bool(told)
        and not commands.failed(step)
        and not commands.tests(told)
        and not commands.checks(told)
        and commands.acts(told)
    )


def _line(sentence: Sentence) -> int:
    return sentence.line


def _lesson(text: str, line: int, sure: float) -> Learned:
    return Learned(text, "lesson", "", line, sure, entities((text,), 6))


def _pieces(conversation: Conversation) -> list[_Piece]:
    """The pieces of work, in order."""
    prompts = conversation.prompts
    # A session that was opened and closed has no prompts, and one end too many.
    ends = [*(turn.line for turn in prompts[1:]), 1 << 60][: len(prompts)]
    steps, at = conversation.steps, 0
    found: list[_Piece] = []
    for turn, end in zip(prompts, ends, strict=True):
        begun = at
        while at < len(steps) and steps[at].line < end:
            at += 1
        own = steps[begun:at]
        told = _BROKEN.search(turn.text[:600]) is not None
        wrong = told or any(map(commands.failed, own))
        changed = max((step.line for step in own if step.writes or _acts(step)), default=0)
        begin = turn.line
        if found and found[-1].wrong and not found[-1].changed:
            # It was talked about first, and put right after the person had agreed.
            begin, wrong = found[-1].begin, True
        found.append(_Piece(begin, end, wrong, changed))
    return found
