"""What a session was about: the first real prompt in one short line, and the later one where the topic moved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.sessions.extract.limits import shortened
from memtui.sessions.extract.wording import closed, opened, tidy, tongues

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.language.conversation import Conversation
    from memtui.sessions.extract.sentences import Sentence

TOPIC = 72
GOAL = 160

_COMMAND = re.compile(r"^/[\w:-]+|^! ")
_COURTEOUS = re.compile(
    r",? (?:and )?(?:can|could) (?:you|u|we) (?:please )?(?:have a look|look|dig in|check|help|take a look|investigate|fix (?:it|that|this)|do (?:it|that))[^.?!]{0,30}[.?!\s]*$|"
    r"(?:[\s,，。.]*(?:please|pls|thanks(?: a lot)?|thank you|谢谢你?|多谢|好吗|可以吗|行吗|一下吧|吧|吗|呢))+[\s。.！!?？]*$|[\s。.！!?？]+$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^(?:i'm|i am|we're|we are|we have|i have|there is|there's|this is|hi|in |on |at |as |when |after |since )\b|^(?:我们?(?:有|是|在|的)|有个|现在|这是|目前)",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r",\s*(?:please|pls|can you|could you|we (?:need|want) to|i (?:need|want)|let's)\b", re.IGNORECASE
)
_NOT = re.compile(r"(?:do not|don't|never|no|keep|make sure|note|be careful)\b", re.IGNORECASE)
_WISH = re.compile(
    r"\b(?:add|fix|implement|create|write|refactor|update|remove|migrate|build|make|set ?up|change|convert|explain|find|investigate|debug|review|test|optimi[sz]e|improve|rename|move|replace|upgrade|deploy|document|design|generate|help|check|figure out|clean|port|split|extract|look (?:at|into)|run|need|want|plan|merge|train|try|bump|analy[sz]e|benchmark|compare|configure|rewrite|verify|polish|tune|wire|hook|translate|open|publish|release|validate|format|lint|sort|parse|export|import|support|handle|extend|reduce|speed up|disable|enable|drop|switch|store|cache|squash|rebase|bisect|profile|mock|scaffold|bootstrap|integrate|provision|list|describe|propose|separate|consolidate|unify|cover)\b"
    r"|加|修|实现|写|重构|更新|删除|迁移|改|创建|新建|解释|查|排查|调试|优化|部署|升级|设计|生成|帮|做|看|增|搭|接入|替换|整理|支持|测试",
    re.IGNORECASE,
)


def topic(spoken: Sequence[Sentence]) -> str:
    """One short line; empty where the person never said what they want."""
    found = list(_wishes(spoken))
    if not found:
        return ""
    first = shortened(found[0], TOPIC)
    if len(found) == 1:
        return first
    sep = "；" if any(char >= "\u4e00" for char in first) else "; "
    second = found[-1]
    room = 74 - len(sep)
    return (
        shortened(found[0], room // 2 + 8) + sep + shortened(second, room // 2 - 8)
        if len(first) + len(second) > room
        else first + sep + second
    )


def goal(spoken: Sequence[Sentence]) -> str:
    """What the person wanted, in their words."""
    first = next(_wishes(spoken), "")
    return shortened(first, GOAL)


def _wishes(spoken: Sequence[Sentence]) -> Iterator[str]:
    """What was wanted first, and then each time the topic moved."""
    begun, taught_only = False, ""
    turns: dict[int, list[Sentence]] = {}
    for sentence in spoken:
        if sentence.role == "user":
            turns.setdefault(sentence.turn, []).append(sentence)
    for said in turns.values():
        moved = any(tongue.moved.search(said[0].bare) for tongue in tongues(said[0].text))
        if begun and not moved:
            continue
        wish, teaches = _wish(said)
        if wish and teaches and not begun:
            # Rules and facts alone are what is told first; what is wanted follows.
            taught_only = taught_only or wish
        elif wish:
            begun = True
            yield wish
    if not begun and taught_only:
        yield taught_only


def _wish(said: Sequence[Sentence]) -> tuple[str, bool]:
    """The sentence of a prompt that says what is wanted, and whether all of it only teaches something."""
    from memtui.sessions.extract.concluding import todo
    from memtui.sessions.extract.teaching import Context, taught

    best, teaches = "", True
    for sentence in said[:12]:
        text = tidy(sentence.text)
        if _COMMAND.match(text) or any(tongue.empty.match(text) for tongue in tongues(text)):
            continue
        told = taught(sentence, Context())
        if told is not None and len(told.text) * 10 >= len(text) * 6:
            if len(said) == 1:
                return _stripped(text), True
            continue
        teaches = teaches and text.endswith((":", "："))
        short = _stripped(text)
        if len(short) < 3 or (" " not in short and short.isascii()):
            continue
        if not best:
            best = short
        if _NOT.match(short) is not None:
            continue
        if _WISH.search(short) is not None and not _aside(short) and todo(sentence) is None:
            # '… please fix it' says what is wanted, not what it is about.
            return best if len(short) < 24 and len(short) < len(best) else short, False
    return best, teaches


def _aside(text: str) -> bool:
    """Whether a sentence tells where things stand, and wants nothing."""
    return _ASIDE.match(text) is not None and _WISHED.search(text) is None


def _stripped(text: str) -> str:
    for tongue in tongues(text):
        found = tongue.request.match(text)
        if found and found.end() < len(text) - 2:
            text = text[found.end() :]
    return opened(closed(_COURTEOUS.sub("", text)))


_LATER = re.compile(
    r"\b(?:not (?:right )?now|some other (?:day|time)|another (?:day|time)|(?:maybe |let's do (?:it|this|that) )?(?:after|in) the (?:next )?release|later then|next (?:quarter|month|sprint|release)|postpone (?:it|this|that)|let's wait)\b|以后再说|先不做|下个版本再|先放一放",
    re.IGNORECASE,
)


def put_off(conversation: Conversation) -> bool:
    """Whether the person's last words put it all off, and nothing was changed."""
    last = conversation.prompts[1:][-1:]
    return (
        bool(last)
        and not conversation.changed
        and len(last[0].text) < 160
        and _LATER.search(last[0].text) is not None
    )
