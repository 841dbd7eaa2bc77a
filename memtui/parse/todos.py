"""How far something is that is to be done: what lines, cells of tables and headings say of it, in Chinese and English.

A box says it best, and is read where marks are (`parse.marks`); here are the words. Each line of each file is asked, so
every pattern stands behind a test that costs little.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.parse import kinds
from memtui.pattern import pattern

TICKS = frozenset("✅☑✔√")
"""What stands before something that is done, where no box does."""
WAITS = frozenset("⏳🚧⬜🔲☐")
"""What stands before something that is still to be done."""
STANDING = frozenset({"rule", "pref", "lesson", "decision", "fact"})
"""Kinds of memories that are no tasks: a tick before one of them says "so", not "done"."""
_SHUT = pattern(
    r"\W*(?:done|completed?|finished|fixed|resolved|shipped|closed|merged|failed|skipped|cancell?ed|"
    r"已?(?:完成|实现|實現|解决|解決|修复|修復|上线|上線|关闭)|失败|跳过|取消)\W*",
    2,
)
_OPEN = pattern(
    r"\W*(?:todo|open|pending|planned|in progress|not started|wip|blocked|deferred|backlog|"
    r"待(?:实现|實現|接入|办|辦|处理|處理|完成|开发|開發|修复|修復|执行|執行|开始)|未(?:开始|開始|完成|实现|修复)|进行中|進行中|计划中|計劃中)\W*",
    2,
)
_CELL = 24
"""Characters of a cell that may say how far something is."""
_TAIL = 12
"""Characters at the end of a line in which it says that it is done: '… ✅ 已恢复'."""
_SHUT_AT_END = pattern(
    r"✅\s*(?:done|completed?|fixed|resolved|已?(?:完成|解决|解決|修复|修復|上线|恢复))[^\n]{0,40}$", 2
)
_LONG = 600
"""Characters of a line that are looked into for what it says by the way."""
_SAYS_SO = 280
"""Characters of a line that may say by the way that something is still to be done."""
_UNDONE = pattern(
    r"\bnot yet (?:implemented|done|wired|written|built|migrated|tested|deployed|fixed|supported)\b|"
    r"待实现|待接入|待開發|待开发|尚未(?:实现|完成|接入|實現)|还没(?:写|做|实现|接入)|還沒(?:寫|做|接)",
    2,
)
_NEXT = pattern(
    r"(?:\*\*)?(?:todo|next(?: steps?| up)?|pending|remaining|left to do|follow[- ]?ups?|fixme|deferred|postponed|"
    r"blocked|"
    r"p[0-3]|(?:high|medium|low)[- ]priority|[高中低](?:优先级|優先級)|"
    r"待办(?:事项)?|下一步(?:计划|待做)?|待完成|待处理|待修改(?:事项)?|未完成|遗留(?:问题)?|剩余|待辦(?:事項)?|待修改事項|剩餘)"
    r"(?:\*\*)?\s*[:：]",
    2,
)
"""How a line begins that says what is still to be done."""
_NEXT_FIRST = frozenset("tnprlfbdhmTNPRLFBDHM高中低待下未遗剩")
"""What such a beginning begins with."""
_NEXT_BOLD = pattern(
    r"\*\*[^*\n]{0,80}\b(?:pending|deferred|remaining|outstanding|not yet [a-z]+|left to do|still to do)\b"
    r"[^*\n]{0,48}\*\*",
    2,
)
"""A bold beginning that says so: '**Fix pushed, deploy pending:** …'."""
_NEXT_WITHIN = pattern(
    r"\*\*(?:下一步(?:计划|待做)?|待办|待辦|剩余|剩餘|遗留|未完成)\s*[:：]?\*\*\s*[:：]?|"
    r"[.;:] (?:Remaining|Next|TODO|Left to do): "
)
_NEXT_END = pattern(
    r"\s[—–-]+\s*(?:\*\*)?(?:BACKLOG|TODO|PENDING|IN PROGRESS|WIP|BLOCKED|TBD)\b(?:\*\*)?[^\n—–]{0,80}$"
)
_LATER = pattern(
    r"[后後][续續](?:可以?|再|考虑|考慮|计划|計劃|需要?|待)?"
    r"(?:接入|引入|扩展|擴展|优化|優化|补充|補充|补|補|实现|實現|迁移|遷移|完善|增强|增強|支持|拆分|替换|替換)"
)
_SETTLED = pattern(
    r"(?:\*\*)?[^\n:：。]{0,80}?\b(?:DONE|SHIPPED|RESOLVED|FIXED|COMPLETED?|MERGED)\b(?:\*\*)?"
    r"(?=(?: on)? 20\d\d-|\s*[:：(（]|\s*[.。!！✅]?\s*$)"
)
"""How a line begins that says, in capitals, that something is done: 'Smoke test DONE 2026-07-04: …'."""
_SETTLED_BOLD = pattern(
    r"\*\*[^*\n]{1,80}\*\*\s*[(（](?:done|completed?|finished|fixed|shipped|resolved|merged|"
    r"已?(?:完成|修复|修復|解决|解決|上线|上線))(?:[ ,，:：][^()（）]{0,40})?[)）]",
    2,
)
_DONE = pattern(
    r"^\W*~~[^~]+~~(?!.*(?:🟡|⏳|🚧))|✅\s*(?:已?(?:完成|解决|修复|上线)|done|completed?|fixed|resolved)\b|"
    r"[—–-]\s*(?:done|completed?|fixed|resolved|shipped|已?(?:完成|解决|修复|上线))\s*✅?\s*$|"
    r"[(（\[](?:已完成|done|completed?|fixed|resolved|shipped|已修复|已解决)[)）\]]\s*$|"
    r"^[\W\d_]*(?:(?:recently )?(?:done|completed?|finished|resolved|fixed|shipped|closed)"
    r"(?: (?:items?|tasks?|todos?|issues?|work|bugs?))?|"
    r"已(?:完成|解决|解決|修复|修復|上线|上線|关闭|關閉)(?:的?(?:事项|任务|工作|问题|功能|項目|事項|任務))?)"
    r"\W*(?:[(（\[][^()（）]*[)）\]])?\s*$",
    2,
)
_TICKED = pattern(r"^\W*(?:✅|☑|✔|√)|(?:✅|☑|✔|√)\s*$")
_WAITING = pattern(
    r"[(（\[](?:future|planned|todo|tbd|pending|wip|not (?:yet )?(?:started|implemented|done)|"
    r"未来|計劃中|计划中|待实现|待完成|待办|未开始|未完成)[)）\]]\s*$|^\W*(?:🚧|⏳|🔲|⬜)",
    2,
)
"""Headings that say how far all below them is."""


_LABEL = 40
_LAST = 100
"""Characters at the end of a line in which it may say that it is put off."""
_ADVISED = pattern(
    r"(?:(?:recommended|suggested|planned|proposed|possible) "
    r"(?:additions?|improvements?|next|work|changes|follow[- ]?ups?|tests?)|"
    r"(?:推荐|建议|推薦|建議)(?:的)?(?:补充|新增|补测|测试|改进|优化|后续|補充|測試|改進|優化|後續))",
    2,
)
"""How a label begins that leads to what somebody thinks should be done."""


def waits(text: str) -> bool:
    """Whether a line says that something is still to be done: at its beginning, by the way, or as its last word."""
    first = text[0]
    if first == "*":
        if _bold_waits(text):
            return True
        first = text[2:3]
    if first in _NEXT_FIRST and (":" in text[:24] or "：" in text[:24]) and _NEXT.match(text):
        return True
    plain = text.isascii()
    if not plain and "**" in text and ("：**" in text or "**：" in text or ":**" in text) and _told(text):
        return True
    if (
        ": " in text
        and ("Next: " in text or "TODO: " in text or "emaining: " in text or "o do: " in text)
        and _NEXT_WITHIN.search(text[:_LONG])
    ):
        return True
    if len(text) > _SAYS_SO:
        return False
    if plain:
        # A dash of two or three signs is one, too.
        return ("-" in text and _put_off(text)) or (" yet " in text and _UNDONE.search(text) is not None)
    if ("—" in text or "–" in text) and _put_off(text):
        return True
    if ("后续" in text or "後" in text) and _LATER.search(text):
        return True
    undone = (
        "待实" in text or "待接" in text or "待开" in text or "待開" in text
        or "尚未" in text or "还没" in text or "還沒" in text or " yet " in text
    )  # fmt: skip
    return undone and _UNDONE.search(text) is not None


def _bold_waits(text: str) -> bool:
    """Whether the bold beginning of a line says so."""
    bold = text[2 : text.find("**", 2)].lower()
    return (
        "pending" in bold or "deferred" in bold or "remaining" in bold or "outstanding" in bold
        or "not yet" in bold or " to do" in bold
    ) and _NEXT_BOLD.match(text) is not None  # fmt: skip


def _told(text: str) -> bool:
    """Whether a label within a Chinese line says so."""
    return (
        "下一步" in text or "待" in text or "剩" in text or "遗留" in text or "未完成" in text
    ) and _NEXT_WITHIN.search(text[:_LONG]) is not None  # fmt: skip


def _put_off(text: str) -> bool:
    tail = text[-_LAST:]
    return (
        "BACKLOG" in tail or "TODO" in tail or "PENDING" in tail or "PROGRESS" in tail or "WIP" in tail
        or "BLOCKED" in tail or "TBD" in tail
    ) and _NEXT_END.search(text) is not None  # fmt: skip


def settled(text: str, *, wanted: bool) -> bool:
    """Whether a line says that it is done: at its beginning, or, where it is one of those `wanted`, at its end."""
    if wanted and "✅" in text and ("✅" in text[-_TAIL:] or _SHUT_AT_END.search(text)):
        return True
    if (
        text[0] == "*"
        and text[text.find("**", 2) + 2 :][:2].lstrip()[:1] in {"(", "（"}
        and _SETTLED_BOLD.match(text)
    ):
        return True
    head = text[:120]
    return ("ED" in head or "DONE" in head or "COMPLETE" in head) and _SETTLED.match(text) is not None


@lru_cache(maxsize=1 << 12)
def state_of(cell: str) -> str:
    """'done' or 'open', where a table's cell says how far something is; empty: it says something else."""
    if len(cell) > _CELL:
        return "open" if cell[:1] in WAITS else ""
    if cell in TICKS or _SHUT.fullmatch(cell):
        return "done"
    return "open" if cell[:1] in WAITS or _OPEN.fullmatch(cell) else ""


def state_of_label(text: str) -> str:
    """'done' or 'open', as a line has it that leads to a list; empty: it says something else."""
    bare = text.strip("*_:： #\n")
    if len(bare) > _LABEL:
        return ""
    if _DONE.search(bare):
        return "done"
    return "open" if kinds.of_heading(bare, outermost=True) == "todo" or _ADVISED.match(bare) else ""


def state_of_heading(heading: tuple[str, ...]) -> str:
    """'done' or 'open', as the innermost heading has it that says so or names what is to be done; else empty.

    'ticked': it has no more than a tick, which settles what was to be done, and praises all else.
    """
    if not any(map(_state_of_part, heading)):
        return ""
    for part in reversed(heading):
        state = _state_of_part(part)
        if state or kinds.of_heading(part) == "todo":
            return state
    return ""


@lru_cache(maxsize=1 << 13)
def _state_of_part(part: str) -> str:
    if part.isascii() and part[-1:] not in {")", "]"}:
        low = part.lower()
        if not ("ed" in low or "done" in low or "complete" in low or "~~" in low):
            return ""
    if _DONE.search(part):
        return "done"
    if _TICKED.search(part):
        return "ticked"
    return "open" if _WAITING.search(part) else ""
