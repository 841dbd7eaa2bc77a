"""Dates and times of day where people and tools put them: in file names, headings, and sentences that say since when.

What a sentence is about (a release, a deadline, a conference) dates nothing.
"""

from __future__ import annotations

from functools import lru_cache

from memtui import clock
from memtui.model import Level
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.model import Entry

_DATE = pattern(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?!\d)")
_FOLDERS = pattern(r"(?<!\d)((?:19|20)\d\d)[-/](\d\d)[-/](\d\d)(?!\d)")
_CHINESE = pattern(r"(?<!\d)((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})日")
_TYPED = pattern(r"\s*((?:19|20)\d\d)\s?[/.年]\s?(\d{1,2})\s?[/.月]\s?(\d{1,2})日?(?![\d/])")
_CLOCK = pattern(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?![\d:])")
_DASHED = pattern(r"[T_-]([01]\d|2[0-3])-?([0-5]\d)-?([0-5]\d)(?!\d)")


def dashed(text: str) -> str:
    """A date at the head of a text as ISO 8601 has it: '2026/2/8 14:30', '2026年2月8日 14:30' -> '2026-02-08 14:30'."""
    match = _TYPED.match(text)
    if match is None:
        return text
    return f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}{text[match.end() :]}"


def day_in(text: str) -> str:
    """The first real date in a text (YYYY-MM-DD, YYYYMMDD, YYYY年M月D日) as YYYY-MM-DD; empty: there is none."""
    for match in _DATE.finditer(text):
        day = f"{match[1]}-{match[3]}-{match[4]}"
        if clock.parse(day) is not None:
            return day
    chinese = _CHINESE.search(text) if "年" in text else None
    if chinese:
        day = f"{chinese[1]}-{chinese[2]:0>2}-{chinese[3]:0>2}"
        return day if clock.parse(day) is not None else ""
    return ""


@lru_cache(maxsize=1 << 12)
def day_of_path(path: str) -> str:
    """The date that a file is named for; else one spelled by its directories (2026/02/24.md); else empty."""
    day = day_in(path.rsplit("/", 1)[-1])
    if day:
        return day
    for match in _FOLDERS.finditer(path):
        day = f"{match[1]}-{match[2]}-{match[3]}"
        if clock.parse(day) is not None:
            return day
    return ""


def time_in(text: str) -> str:
    """The first time of day in a text as HH:MM:SS; empty: there is none."""
    match = _CLOCK.search(text)
    return f"{match[1]:0>2}:{match[2]}:{match[3] or '00'}" if match else ""


def moment_of_name(name: str) -> float | None:
    """When a file says it was made: its name's first date, with a time right behind it ('2026-02-06T19-57-42')."""
    day = day_in(name)
    if not day:
        return None
    for written in (day, day.replace("-", "")):
        at = name.find(written)
        match = _DASHED.match(name, at + len(written)) if at >= 0 else None
        if match:
            return clock.parse(f"{day}T{match[1]}:{match[2]}:{match[3]}")
    return clock.parse(day)


def date_entries(entries: Sequence[Entry], path: str, head: Entry | None = None) -> None:
    """Date what names no time of its own: by its sentence, the headings above it, its file's or folder's name.

    Parts are dated as what they belong to, unless they say more; what `head`, the frontmatter, says of the whole file
    is the weakest. A whole file that says no time is as new as the newest thing in it.
    """
    named = _moment_of_field(entries) or moment_of_path(path)
    above: dict[tuple[str, ...], float | None] = {(): named}
    latest = clock.now() + _AHEAD
    owner: Entry | None = None
    for entry in entries:
        if entry.level is Level.MEMORY:
            owner = entry
        told = entry.created is not None or entry.updated is not None
        if told and (
            head is None or entry is head or (entry.created, entry.updated) != (head.created, head.updated)
        ):
            continue
        # Most digits are no dates.
        dated = "20" in entry.text[:_READ] and _ANY_DAY.search(entry.text, 0, _READ) is not None
        found = moment_of_saying(entry.text[:_READ]) if dated else None
        if found is None and owner is not entry and owner is not None and entry.level is Level.PART:
            found = owner.created
        if found is None:
            if entry.heading not in above:
                above[entry.heading] = _moment_of_headings(entry.heading, named)
            found = above[entry.heading]
            if dated and found == named:
                mention = _MENTION.search(entry.text[:_READ])
                if mention is not None:
                    found = clock.parse(dashed(mention[1] or mention[2]).strip()[:10]) or found
        # What is still to come was not written then.
        if found is not None and found <= latest and not (told and found == named):
            entry.created, entry.updated = found, None
    if head is not None and head.reach and head.created is None and head.updated is None:
        head.created = max((one.created for one in entries if one.created is not None), default=None)


@lru_cache(maxsize=1 << 12)
def moment_of_path(path: str) -> float | None:
    """When a file says it was made: by its name, else by the innermost of its folders that names a day."""
    *folders, name = path.split("/")
    found = moment_of_name(name) or clock.parse(day_of_path(path))
    for folder in reversed(folders):
        found = found if found is not None else moment_of_package(folder)
    return found


def moment_of_package(text: str) -> float | None:
    """The moment in a name such as '202603252311_login-retry', with seconds or the day alone; None: there is none."""
    match = _PACKAGE.search(text)
    if match is None:
        return None
    day, hour = f"{match[1]}-{match[2]}-{match[3]}", f"{match[4]}:{match[5] or '00'}" if match[4] else ""
    return clock.parse(f"{day}T{hour}") if hour else clock.parse(day)


def moment_of_saying(text: str) -> float | None:
    """Since when something holds, or when it was found, as a sentence says it; None: it does not."""
    for near in _NEAR.finditer(text):
        # What says so stands close to the date, and looking for it everywhere costs more than all else here.
        at = near.start()
        before = _FAR if text[at - 4 : at] == " on " else _CLOSE
        match = _SAYING.search(text, max(0, at - before), at + _AFTER)
        if match is not None:
            day = next(filter(None, match.groups()))
            return clock.parse(dashed(day).strip()[:10])
    if ".20" in text and (dotted := _DOTTED.search(text)) is not None:
        return clock.parse(f"{dotted[3]}-{dotted[2]:0>2}-{dotted[1]:0>2}")
    return moment_of_package(text) if "_" in text else None


def _moment_of_field(entries: Sequence[Entry]) -> float | None:
    """What the head of a document says of the whole of it: '最后更新: 2025-12-11', '> Created 2026-03-01'."""
    for entry in entries[:8]:
        if entry.level is Level.CONTEXT and entry.start <= _HEAD and "20" in entry.text:
            match = _FIELD.search(entry.text)
            if match is not None:
                return clock.parse(dashed(match[1]).strip()[:10])
    return None


def _moment_of_headings(heading: tuple[str, ...], otherwise: float | None) -> float | None:
    """The day that the innermost heading is, or begins with; a version may stand before it ('[0.1.5] - 2026-03-27')."""
    for part in reversed(heading):
        match = (
            (_HEADED.match(part) or _BRACKETED.search(part) or _BEHIND.search(part)) if "20" in part else None
        )
        if match is not None:
            return clock.parse(f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}")
    return otherwise


_AHEAD = 2 * 86400
"""Seconds: somewhere it is tomorrow already."""
_HEAD = 15
"""Lines in which a document says when it was written."""
_READ = 600
"""Characters of an entry that are read for a date."""
_PACKAGE = pattern(
    r"(?<!\d)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|2[0-3])(?:([0-5]\d)(?:[0-5]\d)?)?)?(?=[_-]{1,2}[^\W\d_])"
)
_DAY = r"(20\d\d-\d{1,2}-\d{1,2}|20\d\d[/.]\d{1,2}[/.]\d{1,2}|20\d\d年\d{1,2}月\d{1,2}日)"
_FIELD = pattern(rf"(?:updated?|created|modified|更新|创建|日期|date)[^\d\n]{{0,12}}{_DAY}", 2)
_HEADED = pattern(
    r"[\W_]*(?:\d{1,3}[.)、．]\s*)?(?:(?:session|log|update|notes?|day|会话|日记|日志|更新|记录|总结)\W{0,3})?(?:(?:v(?:ersion)?\s*)?\[?\d+(?:\.\d+)+[^\]\s]*\]?[\s—–:(（-]*|\[[^\]]{1,30}\][\s—–:(（-]+)?[\W_]*"
    r"(20\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)",
    2,
)
_BEHIND = pattern(r"\s[—–-]\s*(20\d\d)[-/.](\d{1,2})[-/.](\d{1,2})\s*$")
_BRACKETED = pattern(
    r"[(（\[]\s*(?:[^()（）\[\]\d]{0,12}\s|[^()（）\[\]]{0,24}(?:decided|confirmed|added|updated|created|done|as of|"
    r"since|更新于?|新增于?|确认于?|完成于?|截至|自|，|,)\W{0,2})?(20\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})日?"
    r"(?:[\s,，;；]+[^\s()（）\d-][^()（）]{0,30})?\s*[)）\]]",
    2,
)
_SAYING = pattern(
    # '2026-06-04: …', '[2026-06-04] …', 'COMPLETE 2026-07-04', 'since 2026-03-02', '(2026-02-14 确认)', '(2026-03-10):'
    rf"^\W{{0,4}}{_DAY}(?=\s*(?:[:：|—–\])）】*-]|\s\S))"
    rf"|\b(?:since|as of|from|until now|created|updated|added|confirmed|verified|fixed|resolved|found|learned|learnt|"
    rf"decided|shipped|merged|completed?|closed|done|deployed|recorded|observed|discovered|approved|noted|identified|"
    rf"reported|seen|measured|tested|migrated|removed|renamed|installed|introduced)(?: on| at)?\W{{0,4}}{_DAY}"
    rf"|\b(?:removed|migrated|implemented|switched|introduced|renamed|replaced|identified|installed|rewritten|refactored|"
    rf"fixed|added|moved|decided|confirmed)\b[^.\n]{{0,60}} on {_DAY}"
    rf"|(?:自从?|截至|截止|从|创建(?:时间|于)?[:：]?|更新(?:时间|于)?[:：]?|记录(?:时间|于)?[:：]?|发现于|确认于|完成于|"
    rf"日期[:：]|时间[:：])\s*{_DAY}"
    rf"|{_DAY}\s*(?:启用|啟用|发布|發佈|發布|建立|部署|安装|安裝|设定|設定|完成|起|以来|开始|确认|更新|新增|发现|记录|修复|决定|验证|完成|创建|实测|测试|踩坑|学到|上线|生效)"
    rf"|[(（\[]\s*{_DAY}(?:\s+[^\s()（）\d-][^()（）]{{0,20}})?\s*[)）\]]"
    rf"|@created[:：]?\s*{_DAY}",
    2,
)
_NEAR = pattern(r"20\d\d[-/.年]\d")
_FAR = 96
_CLOSE = 36
_AFTER = 56
"""Characters before and behind a date within which a sentence says what it means."""
_ANY_DAY = pattern(r"20\d\d[-/.年]|20\d{6}|\.20\d\d")
_MENTION = pattern(rf"[在于於]\s*{_DAY}|{_DAY}\s*由", 2)
"""Where a sentence tells of something that was done then: it says less than a heading's date."""
_DOTTED = pattern(r"\b(?:since|as of|from|seit|ab|vom|stand)\W{0,3}(\d{1,2})\.(\d{1,2})\.(20\d\d)\b", 2)
"""As it is written in half of Europe."""
"""Where a date in a sentence says since when it holds, or when it was seen. (2: whatever the case of letters.)"""
