"""What was decided, and what is still open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions.extract.choosing import chosen
from memtui.sessions.extract.wording import clause, clauses, kept, lasting, led, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.model import Turn
    from memtui.sessions.extract.sentences import Sentence
    from memtui.sessions.extract.tongue import Tongue

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
    r"to.?do|follow|next|remain|left|open|still|not |n't|need|has to|have to|forget|remind|later|tomorrow|\b(?:i|we)(?:'ll| will) |postpone|defer|park |backlog|ticket|not part|[待未还仍下遗剩没回明之后晚改留放等]",
    re.IGNORECASE,
)


_DECIDED_HEAD = re.compile(
    r"(?:(?:key|main|design|technical|implementation|architecture|notable|made) )*(?:decisions?|choices|design notes|trade-?offs)(?: made| taken)?\b(?!.{30})"
    r"|(?:关键|主要|设计|技术|重要|架构)*(?:决策|决定|取舍|选型)(?!.{8})",
    re.IGNORECASE,
)
"""A heading over what an agent decided."""


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
    listed = not person and sentence.item and _DECIDED_HEAD.match(sentence.head) is not None
    if not person and not listed and _DECIDING.search(sentence.text) is None:
        return None
    answer = chosen(sentence, turns) if person else ""
    if answer:
        return Conclusion(answer, sentence.line, sentence.turn, person, sentence.text)
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
        if not said and listed:
            said = kept(text, 0, len(text), tongue)
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
        if person and tongue.moved.search(bare) is not None:
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
