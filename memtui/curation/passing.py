"""Which remembered texts hold only for a while, so that nobody needs them next month (spec 004: 纯临时性信息)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui import clock
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.model import Memory

_NOW = re.compile(
    r"(?:^|[，。；：,;:\s]|当前|目前|现在|我们?|还|仍)正在(?!使用|用的)|"
    r"(?:当前|目前|本次)(?:任务|分支|会话|进度|卡在|阻塞)|进行中|(?:待|未)(?:合并|完成|确认|处理|修复)|"
    r"暂时|临时(?:绕过|禁用|关闭|方案|修复|处理)|(?:今天|明天|昨天|今晚|今早|近几[次天日周]|刚刚|刚才|稍后|待会|本周|这周|下周|上周)|"
    r"\b(?:currently|right now|at the moment|for now|for the time being|temporarily|wip|work in progress|in progress"
    r"|todo|fixme|today|tomorrow|yesterday|tonight|this (?:week|morning|afternoon|evening|sprint)|(?:next|last) week"
    r"|working on|about to|just (?:fixed|started|finished|merged)|still (?:failing|broken|open|missing|waiting)"
    r"|current (?:task|branch|session|focus)(?: is|(?=\s*[:：=]))|not yet (?:done|merged|fixed|deployed))\b",
    re.IGNORECASE,
)
_NOW_HINTS = (
    "正在", "近几",
    "当前", "目前", "本次", "进行中", "待", "未", "暂时", "临时", "今", "明天", "昨天", "刚", "稍后", "本周",
    "这周", "下周", "上周", "current", "right now", "at the moment", "for now", "the time being", "temporarily",
    "wip", "in progress", "todo", "fixme", "today", "tomorrow", "yesterday", "tonight", "this ", "next week",
    "last week", "working on", "about to", "just ", "still ", "not yet",
)  # fmt: skip
"""Without one of these it is not of the moment."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_UNTIL = re.compile(
    r"(?:until|till|by|before|deadline|due|expires?(?: on)?|valid (?:until|to)|截[至止]|直到|有效期[至到]?|之前|到期)"
    r"\s*[:：]?\s*(?P<after>\d{4}-\d\d-\d\d)|(?P<before>\d{4}-\d\d-\d\d)\s*(?:之前|前|到期|截止|为止)",
    re.IGNORECASE,
)


def passing(memory: Memory, text: str, now: float) -> str:
    """Why the memory holds for a while only, in a few words for a person; empty: it may well last."""
    if memory.kind == "todo" or "done" in memory.extra:
        return _("a task, no fact")
    if memory.expires is not None:
        return _("holds only until {day}").format(day=clock.day(memory.expires))
    # Most texts name no day, and have none of these words.
    until = _DAY.search(text) and _UNTIL.search(text)
    if until:
        day = until["after"] or until["before"]
        return _(
            "was about {day}, which is past" if day < clock.day(now) else "holds only until {day}"
        ).format(day=day)
    low = text.casefold()
    match = any(map(low.__contains__, _NOW_HINTS)) and _NOW.search(text)
    if match:
        return _("of the moment: “{words}”").format(words=match[0])
    if text.rstrip()[-1:] in {"?", "？"}:
        return _("a question")
    return ""
