"""A sentence of a talk put so that it stands by itself: without what leads up to it, about the user, short."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.sessions.extract.chinese import CHINESE
from memtui.sessions.extract.english import ENGLISH
from memtui.sessions.extract.limits import shortened
from memtui.sessions.extract.parting import CONDITION
from memtui.sessions.extract.sentences import chinese

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.sessions.extract.sentences import Sentence
    from memtui.sessions.extract.tongue import Tongue

MOST = 200
"""Characters of what was learned."""

_SPACES = re.compile(r"\s+")
_MARKS = re.compile(r"^[ *_~>]+(?=\S)|(?<=[^ *_~>])[*_~>]+$|^[ *_~>]+$")
"""Emphasis that is left over; the star of 'select *' is none."""
_LINK = re.compile(r"\[([^\[\]]{1,100})\]\([^()\s]{1,300}\)")
_CLAUSE = re.compile(
    r"[,;—–，；]\s*(?:and\s+|but\s+|so\s+|also\s+|please\s+|但是?|不过|而且|所以|另外|请)?|\s+but\s+|\s[-–—]{1,2}\s|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])(?:然后|还有|另外|而且)?\s*|(?<=[次遍]了)(?=[\u3400-\u9fff])"
)
_IT = re.compile(r"^(it's|it|它)(?=\W|[是在用])", re.IGNORECASE)
_WITHIN = re.compile(
    r"\b(?:it|them|its)\b|\b(?:handle|do|fix|address|tackle|solve|add|change|revisit) (?:that|this|those|these)\b|它",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"^(?:but |and |so )?((?:the|our|my|this repo's) [\w./-]+(?: [\w./-]+){0,2}?|`[^`]{2,40}`|[A-Z][\w.]+(?: [A-Z][\w.]+)?) "
    r"(?:is|are|was|runs?|uses?|has|lives?|needs?|listens?|sits|does|handles|takes|keeps|stores|returns|gets|comes|works)\b"
)
_NAMED_HAN = re.compile(
    r"^([\u3400-\u9fffA-Za-z][\w.\u3400-\u9fff -]{0,15}?(?:服务|接口|数据库|模块|脚本|项目|环境|端口|配置|表|库|前端|后端|缓存|队列))(?:是|在|用|有|跑|放|会|要|的)"
)


def tongues(text: str) -> tuple[Tongue, ...]:
    """The languages to listen in."""
    return (CHINESE, ENGLISH) if chinese(text) else (ENGLISH,)


def tidy(text: str) -> str:
    """On one line, without marks of emphasis; a link as its words."""
    text = _LINK.sub(r"\1", text) if "](" in text else text
    return _MARKS.sub("", _SPACES.sub(" ", text.replace("**", "")).strip())


def led(text: str, tongue: Tongue) -> int:
    """How much at its beginning says nothing."""
    found = tongue.lead.match(text)
    return found.end() if found and found.end() < len(text) else 0


def clause(text: str, at: int) -> int:
    """Where the part of a sentence begins that says what stands at `at`: the whole of it, where it is a condition."""
    if CONDITION.match(text):
        return 0
    begun = 0
    for cut in _CLAUSE.finditer(text, 0, at + 1):
        if cut.end() <= at:
            begun = cut.end()
    return begun


def clauses(text: str) -> tuple[int, ...]:
    """Where the parts of a sentence begin, each a statement by itself; of a condition there is one."""
    if CONDITION.match(text):
        return (0,)
    return (0, *[cut.end() for cut, _ in zip(_CLAUSE.finditer(text), range(6), strict=False)])


def lasting(bare: str, begin: int, end: int, tongue: Tongue) -> int:
    """Up to where a statement holds that begins and ends there: before what is put off; 0: it is for this once."""
    limits = [at for at in clauses(bare) if at > begin and at >= end] if not CONDITION.match(bare) else []
    until = limits[0] if limits else len(bare)
    passing = [found.start() for found in tongue.passing.finditer(bare)]
    if any(at < until for at in passing):
        return 0
    for start, stop in zip(limits, [*limits, len(bare)][1:], strict=True):
        within = [at for at in passing if start <= at < stop]
        if within:
            # '…, for now' says something about all of it.
            return 0 if stop - start < 16 else start
    return len(bare)


def kept(text: str, begin: int, end: int, tongue: Tongue) -> str:
    """The part of a sentence as it is kept; more of it, where an 'it' in the part is told before."""
    part = standing(text[begin:end], tongue)
    if begin and (not part or _WITHIN.search(part) is not None):
        return standing(text[:end], tongue)
    # What follows may lean on what was said before: 'no tables, I never read them'.
    for cut in reversed(clauses(text[:end])):
        if part or cut <= begin + 8:
            break
        part = standing(text[begin:cut], tongue)
    return part


def standing(text: str, tongue: Tongue) -> str:
    """The sentence as it is kept; empty where it makes no sense by itself."""
    text = tidy(text)
    if tongue.loose.search(tongue.tail.sub("", text[led(text, tongue) :])) is not None:
        return ""
    for _ in range(3):
        before = text
        text = tongue.tail.sub("", text[led(text, tongue) :]).strip()
        for pattern, instead in tongue.plain:
            changed = pattern.sub(instead, text, count=1)
            text = changed.strip() or text
        if text == before:
            break
    if tongue.loose.search(text) is not None or not weighty(text):
        return ""
    return shortened(opened(closed(text)), MOST)


def weighty(text: str) -> bool:
    """Whether there is enough of it to say something."""
    wide = sum(char >= "\u2e80" for char in text)
    return wide >= 4 or (wide >= 2 and len(text) >= 6) or (len(text) >= 8 and text.count(" ") >= 1)


def opened(text: str) -> str:
    """With a capital where a plain word begins it."""
    word = text.split(" ", 1)[0]
    if word.islower() and word.isascii() and word.replace("'", "").replace(",", "").isalpha() and " " in text:
        return text[0].upper() + text[1:]
    return text


def closed(text: str) -> str:
    """Without lone signs at its end."""
    text = text.strip(" \t,;:，；：、-–—")
    for sign in ("`", '"'):
        if text.count(sign) % 2:
            text = text.replace(sign, "")
    for left, right in ("()", "（）", "“”", "「」"):
        if text.count(left) != text.count(right):
            text = text.strip(left + right)
    return text


def resolved(sentence: Sentence, before: Sequence[Sentence]) -> str:
    """The sentence with an 'it' at its beginning replaced by what the one before it was about."""
    found = _IT.match(sentence.bare)
    if not found or not before or before[-1].turn != sentence.turn:
        return sentence.text
    named = _NAMED.match(before[-1].bare) or _NAMED_HAN.match(before[-1].bare)
    if not named:
        return sentence.text
    is_ = " is" if found[1].lower() == "it's" else ""
    return opened(named[1]) + is_ + sentence.text[found.end() :]
