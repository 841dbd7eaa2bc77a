"""What was decided, and what is still open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract.sentences import chinese
from memtui.sessions.extract.wording import clause, clauses, closed, kept, lasting, led, tidy, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.sessions.extract.sentences import Sentence
    from memtui.sessions.extract.tongue import Tongue
    from memtui.turns import Turn

_OPTION = re.compile(
    r"\b(?:go with|let's (?:do|use|go with|take)|pick|choose|take|i prefer|do|use|prefer)?\s*(?:option|approach|choice|方案|选项|第)\s?#?([1-9]|[A-Da-d]|one|two|three|一|二|三)\b"
    r"|\b(?:go with|take|pick|choose|let's do) (?:number )?([1-9]|[A-D])\b"
    r"|(?:选|用|按)\s?(?:方案|第)?\s?([1-9A-Da-d一二三])(?:个|种)?(?=$|[吧。，,！!])",
    re.IGNORECASE,
)
_NUMBERS = {"one": "1", "two": "2", "three": "3", "一": "1", "二": "2", "三": "3"}
_OFFERED = re.compile(
    r"\s*(?:[-*]\s+)?(?:\*\*)?(?:option|approach|choice|方案|选项)?\s*#?([1-9]|[A-Da-d]|一|二|三)(?:\*\*)?\s*[.):：、—–-]\s*(?:\*\*)?\s*(.{3,160})",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"^(?:optional(?:ly)?|consider|you (?:could|can|may|might)|maybe|perhaps|nothing|none|n/?a|no\b|可选|可以考虑|建议|无$|没有$|暂无|如需)|\b(?:if (?:you|needed|desired)|would be nice|you (?:could|may want|might want))\b|如果需要",
    re.IGNORECASE,
)


# What a sentence holds that is worth a closer look: most hold nothing of it.
_DECIDING = re.compile(
    r"decid|chose|opted|settled|agreed|went with|pick|select|go with|going with|we'll|we will|stor|made|kept|keep|us(?:ed|e|ing)\b|implemented|put\b|decision|决|选|采用|改用|敲定|用",
    re.IGNORECASE,
)
_LEAVING = re.compile(
    r"to.?do|follow|next|remain|left|open|still|not |n't|need|has to|have to|forget|remind|later|tomorrow|[待未还仍下遗剩没回明之后晚改留放等]",
    re.IGNORECASE,
)


class Conclusion(NamedTuple):
    """A decision or an open item, and where it was said."""

    text: str
    line: int
    turn: int
    person: bool
    entire: str
    """The whole sentence."""


def decision(sentence: Sentence, turns: Sequence[Turn]) -> Conclusion | None:
    """What a sentence decides; None: nothing."""
    person = sentence.role == "user"
    if not person and _DECIDING.search(sentence.text) is None:
        return None
    for tongue in tongues(sentence.text):
        at = led(sentence.bare, tongue)
        wrong = tongue.corrects.match(sentence.bare[at:]) or tongue.retracts.match(sentence.bare[at:])
        if wrong:
            at += wrong.end()
            while at < len(sentence.bare) and sentence.bare[at] in " ,，。.;；—–-:：":
                at += 1
            at += led(sentence.bare[at:], tongue)
        text, bare = sentence.text[at:], sentence.bare[at:]
        if sentence.asks or tongue.doubt.search(bare) or tongue.reported.search(bare):
            continue
        if tongue.chatter.search(bare) is not None:
            continue
        said = _decided(text, bare, tongue.chosen if person else tongue.decided, tongue)
        option = _OPTION.search(bare) if person else None
        if option is not None and (said or option.start() <= 12):
            said = _offered(option, sentence.turn, turns) or said
        if said:
            return Conclusion(said, sentence.line, sentence.turn, person, sentence.text)
    return None


def _decided(text: str, bare: str, pattern: re.Pattern[str], tongue: Tongue) -> str:
    for begin in clauses(bare):
        found = pattern.search(bare[begin:])
        if found is None:
            continue
        until = lasting(bare, begin, begin + found.end(), tongue)
        start = max(begin, clause(bare, begin + found.start()))
        return kept(text, start, until, tongue) if until else ""
    return ""


def _offered(option: re.Match[str], turn: int, turns: Sequence[Turn]) -> str:
    """What the agent had called by the number that a person chose."""
    wanted = next(filter(None, option.groups())).lower()
    wanted = _NUMBERS.get(wanted, wanted)
    before = next(
        (turns[at] for at in range(turn - 1, max(-1, turn - 4), -1) if turns[at].role == "assistant"), None
    )
    if before is None:
        return ""
    for line in before.text.splitlines():
        found = _OFFERED.match(line[:240])
        if found and _NUMBERS.get(found[1].lower(), found[1].lower()) == wanted:
            said = closed(tidy(found[2]))
            return (
                f"选择方案 {wanted.upper()}：{said}"
                if chinese(said)
                else f"Chose option {wanted.upper()}: {said}"
            )
    return ""


def todo(sentence: Sentence) -> Conclusion | None:
    """What a sentence says is still to be done; None: nothing."""
    person = sentence.role == "user"
    if sentence.box == "x" or (
        not sentence.head and sentence.box != " " and _LEAVING.search(sentence.text) is None
    ):
        return None
    for tongue in tongues(sentence.text):
        at = led(sentence.bare, tongue)
        text, bare = sentence.text[at:], sentence.bare[at:]
        if (
            _HINT.search(bare) is not None
            or tongue.chatter.search(bare) is not None
            or tongue.reported.search(bare)
        ):
            continue
        listed = sentence.item and tongue.todo_head.search(sentence.head) is not None
        found = tongue.todo.search(bare)
        if not listed and (sentence.asks or tongue.doubt.search(bare) is not None):
            continue
        if not listed and sentence.box != " " and found is None:
            continue
        begin = clause(bare, found.start()) if found is not None and not listed else 0
        said = kept(text, begin, len(text), tongue)
        if said:
            return Conclusion(said, sentence.line, sentence.turn, person, sentence.text)
    return None
