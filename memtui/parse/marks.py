"""Marks that people and tools write into a line: times, kinds, tags, confidence, what superseded it.

Looked for at the line's two ends only, each behind a cheap test; what is not understood stays in the text.
"""

from __future__ import annotations

from memtui import clock
from memtui.model import Entry, Status
from memtui.parse import asides, kinds
from memtui.parse.signs import uncommented
from memtui.pattern import pattern

LONGEST = 64 * 1024
"""Most characters of one entry's text; the file keeps the rest, and the index has it."""

_TICKS = frozenset("✅☑✔√")
"""What stands before something that is done, where no box does."""
_WAITS = frozenset("⏳🚧⬜🔲☐")
"""What stands before something that is still to be done."""
_FIRST = frozenset("[0123456789~*(（【") | _TICKS | _WAITS
_SHUT = pattern(r"(?:done|completed?|finished|已完成|完成|已实现|已解决)\W*", 2)
_OPEN = pattern(
    r"(?:todo|open|pending|planned|in progress|not started|"
    r"待实现|待接入|待办|待处理|待完成|未开始|未完成|进行中|计划中)\W*",
    2,
)
_TAIL = 12
"""Characters at the end of a line in which it says that it is done: '… ✅ 已恢复'."""
_SAYS_SO = 280
"""Characters of a line that may say by the way that something is still to be done."""
_UNDONE = pattern(
    r"\bnot yet (?:implemented|done|wired|written|built|migrated|tested|deployed|fixed|supported)\b|"
    r"待实现|待接入|待開發|待开发|尚未(?:实现|完成|接入|實現)|还没(?:写|做|实现|接入)|還沒(?:寫|做|接)",
    2,
)
_NEXT = pattern(
    r"(?:\*\*)?(?:todo|next(?: steps?| up)?|pending|remaining|follow[- ]?ups?|fixme|"
    r"待办(?:事项)?|下一步(?:计划|待做)?|待完成|待处理|待修改(?:事项)?|未完成|遗留(?:问题)?|剩余|待辦(?:事項)?|待修改事項|剩餘)"
    r"(?:\*\*)?\s*[:：]",
    2,
)
"""How a line begins that says what is still to be done."""
_KIND = pattern(r"[\[【]([^\W\d][\w -]{0,23})[\]】]\s*")
_LINK = pattern(r"\]\((?:<([^<>\n]{1,500})>|([^()<>\s]{1,500}))[^()]{0,200}\)|\[\[([^\[\]|#\n]{1,200})")
_CHECK = {"[ ]": False, "[?]": False, "[!]": False, "[/]": False} | dict.fromkeys(
    ("[x]", "[X]", "[-]", "[√]", "[✓]", "[✔]", "[✅]"), True
)


def made(text: str, start: int, end: int, kind: str, heading: tuple[str, ...]) -> Entry:
    """An entry from a block's text (bullet already off), its marks read into fields."""
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}… (+{len(text) - LONGEST:,} characters)"
    entry = Entry(text, start, end, kind, None, Status.ACTIVE, heading)
    if not text:
        return entry
    # A single character is looked for three times as fast as several.
    if "<" in text and "<!--" in text:
        text, said = uncommented(text)
        for comment in said:
            asides.stamp(entry, comment)
    if text and (text[-1] in asides.CLOSERS or "#" in text or "→" in text or "<" in text):
        text = asides.trailing(entry, text)
    if text and text[0] in _FIRST:
        text = _leading(entry, text)
    if entry.kind != "todo":
        if _unfinished(text):
            entry.kind = "todo"
    elif "✅" in text[-_TAIL:] and "done" not in entry.extra:
        entry.extra = {**entry.extra, "done": True}
    if "[" in text and ("](" in text or "[[" in text):
        entry.links = links(text)
    if text:
        # A line of nothing but marks is shown as it stands.
        entry.text = text
    return entry


def _unfinished(text: str) -> bool:
    """Whether a line says that it is still to be done, at its beginning or by the way."""
    if (":" in text[:16] or "：" in text[:16]) and _NEXT.match(text):
        return True
    if len(text) > _SAYS_SO or not (
        " yet " in text or "待" in text or "没" in text or "沒" in text or "尚未" in text
    ):
        return False
    return _UNDONE.search(text) is not None


def state_of(cell: str) -> str:
    """'done' or 'open', where a table's cell says how far something is; empty: it says something else."""
    if cell[:1] in _TICKS or _SHUT.fullmatch(cell):
        return "done"
    return "open" if cell[:1] in _WAITS or _OPEN.fullmatch(cell) else ""


def links(text: str) -> tuple[str, ...]:
    """Targets of Markdown links and images and of wiki links, in order, each once."""
    found = (match[1] or match[2] or match[3].strip() for match in _LINK.finditer(text[:LONGEST]))
    return tuple(dict.fromkeys(target for target in found if target))


def _leading(entry: Entry, text: str) -> str:
    first = text[0]
    if first in _TICKS:
        entry.extra = {**entry.extra, "done": True}
        return text
    if first in _WAITS:
        entry.kind = "todo"
        return text
    if first == "[":
        check = _CHECK.get(text[:3])
        if check is not None and text[3:4] in {" ", "\t", ""}:
            entry.kind = "todo"
            if check:
                entry.extra = {**entry.extra, "done": True}
            text = text[3:].lstrip()
            first = text[:1]
    if first == "~":
        text = _struck(entry, text)
        first = text[:1]
    if first == "*" and text[1:2] == "*":
        text = _bold(entry, text)
        first = text[:1]
    if first.isdigit():
        if text[4:5] == "-":
            text = _stamped(entry, text)
    elif first and first in "[(（【" and text[1:5].isdigit():
        text = _stamped(entry, text)
    if text and text[0] in "[【":
        match = _KIND.match(text)
        if match and text[match.end(1) + 1 : match.end(1) + 2] != "(":
            kind = kinds.exact(match[1]) or (
                match[1].strip().lower() if entry.created is not None and len(match[1]) > 1 else ""
            )
            if kind:
                entry.kind = kind
                text = text[match.end() :]
    return _struck(entry, text) if text[:1] == "~" else text


def _struck(entry: Entry, text: str) -> str:
    """`~~all of it~~` no longer holds."""
    if text[:2] != "~~" or text[-2:] != "~~" or len(text) <= 4 or "~~" in text[2:-2]:
        if text[:2] == "~~" and text.find("~~", 3) > 0 and entry.kind == "todo":
            # '~~what was to be done~~ - why it need not be'
            entry.extra = {**entry.extra, "done": True}
        return text
    if entry.status is Status.ACTIVE:
        entry.status = Status.SUPERSEDED
    return text[2:-2].strip()


def _stamped(entry: Entry, text: str) -> str:
    """Takes the time at the head of a line; a bare date stays in a sentence that goes on with it."""
    if text[19:21] == "Z " and text[10] == "T":
        # What memory_append writes, by far the commonest.
        entry.created = clock.parse(text[:20])
        if entry.created is not None:
            return text[21:].lstrip()
    bracketed = text[0] in "[(（【"
    match = asides.STAMP.match(text, 1 if bracketed else 0)
    if match is None:
        return text
    day, hour, offset = match[1], match[2], match[3] or ""
    # '9:05' is what people type; ISO wants two digits.
    written = f"{day}T{hour.replace(',', '.').zfill(len(hour) + (hour[1] == ':'))}{offset}" if hour else day
    moment = clock.parse(written)
    if moment is None:
        return text
    rest = text[match.end() :]
    if bracketed:
        if rest[:1] not in {"]", ")", "）", "】"} or rest[1:2] == "(":
            return text
        entry.created = moment
        return rest[1:].lstrip(" \t:：-—")
    entry.created = moment
    if not hour and rest[:1] not in {":", "："} and not rest.lstrip().startswith(("[", "-", "—", "–", "|")):
        return text
    return rest.lstrip(" \t:：-—–|")


def _bold(entry: Entry, text: str) -> str:
    """`**all of it**` loses its stars; `**Label**: …` may name a kind; `**2026-02-10** …` is a time."""
    close = text.find("**", 2)
    if close < 3:
        return text
    inner = text[2:close].strip()
    if close == len(text) - 2:
        return inner
    after = text[close + 2 : close + 3]
    if after in {":", "："} or inner[-1:] in {":", "："}:
        kind = kinds.exact(inner.rstrip(":："))
        if kind:
            entry.kind = kind
    if inner[:1].isdigit() and inner[4:5] == "-" and asides.STAMP.fullmatch(inner):
        return inner + text[close + 2 :]
    return text
