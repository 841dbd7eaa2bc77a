"""Dates and times of day where people and tools put them: in file names, headings, and sentences that say since when.

A date that a sentence is about (a release, a deadline, a conference) dates nothing.
"""

from __future__ import annotations

import os
from datetime import timedelta
from functools import lru_cache

from memtui.core import clock
from memtui.core.model import Level
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.core.text import HAN

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from memtui.core.model import Entry

_DATE = compile_pattern(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?!\d)")
_FOLDERS = compile_pattern(r"(?<!\d)((?:19|20)\d\d)[-/](\d\d)(?:/\2)?[-/](\d\d)(?!\d|-\d\d)")
_SHORT_DAY = compile_pattern(r"(?<![\w.-])(20\d\d)-(\d{1,2})-(\d{1,2})(?![\d-])")
_CHINESE = compile_pattern(r"(?<!\d)((?:19|20)\d\d)年(\d{1,2})月(\d{1,2})日")
_TYPED = compile_pattern(r"\s*((?:19|20)\d\d)\s?[/.年]\s?(\d{1,2})\s?[/.月]\s?(\d{1,2})日?(?![\d/])")
_DAY_FIRST = compile_pattern(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(20\d\d)(?![\d./-]*\d)")
_KOREAN = compile_pattern(r"(20\d\d)년\s?(\d{1,2})월\s?(\d{1,2})일")
_DAY_NAMED = compile_pattern(
    r"(?<![\d.,-])(\d{1,2})(?:st|nd|rd|th|\.)?\s(?:de\s|of\s)?([^\W\d_]{3,10})[.,]?\s(?:de\s)?(20\d\d)(?!\d)",
    2,
)
_NAMED_DAY = compile_pattern(
    r"\b([^\W\d_]{3,10})\.?\s(\d{1,2})(?:st|nd|rd|th)?(?:\s?[–-]\s?\d{1,2})?,?\s(20\d\d)(?!\d)", 2
)
_OTHERWISE = compile_pattern(r"20\d\d(?:년|(?<=[./,\s-]....)(?!\d|\s?[/.年]\s?\d|-\s?\d))")
"""Where a date may stand that is not written year first. (What begins with letters is found the fastest.)"""
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan ene янв", "feb fev fév фев", "mar mär mrz мар", "apr abr avr апр", "may mai май мая", "jun juin июн",
            "jul juil июл", "aug ago aoû авг", "sep set сен", "oct okt out окт", "nov ноя", "dec dez dic déc дек",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
"""How months begin in English, German, French, Spanish, Portuguese and Russian."""
_CLOCK = compile_pattern(r"(?<![\d:])([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?(?![\d:])")
_HALF = compile_pattern(r"\s?([ap])\.?m\b", 2)
_NOON = 12
_DASHED = compile_pattern(r"[T_-]([01]\d|2[0-3])-?([0-5]\d)-?([0-5]\d)(?!\d)")


_COMPACT = len("20260205")
_AHEAD = 2 * 86400
"""Seconds: somewhere it is tomorrow already."""
_HEAD = 15
"""Lines in which a document may give its date."""
_FIRST = 8
"""Entries at a document's head of which one may give its date."""
_FOOT = 80
"""Characters that its last line has at most if it gives the date."""
_READ = 600
"""Characters of an entry that are read for a date."""
_PACKAGE = compile_pattern(
    r"(?<!\d)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:([01]\d|"
    r"2[0-3])(?:([0-5]\d)(?:[0-5]\d)?)?)?(?=[_-]{1,2}[^\W\d_])"
)
_DAY = r"(20\d\d-\d{1,2}-\d{1,2}|20\d\d[/.]\d{1,2}[/.]\d{1,2}|20\d\d年\d{1,2}月\d{1,2}日)"
_NOT_YET = "".join(rf"(?<!{word})" for word in ("截止", "提醒", "到期", "预计", "计划", "结束", "触发", "下次"))
"""What does not stand before '日期' and '时间' where something was, and is not still to be."""
_FIELD = compile_pattern(rf"(?:updated?|created|modified|更新|创建|{_NOT_YET}日期|date)[^\d\n]{{0,12}}{_DAY}", 2)
_FIELD_LINE = compile_pattern(
    r"^[\s>*_(（+-]*(?:(?:last |first |zuletzt |letzte )?(?:updated?|created|modified|logged|recorded|written|verified|"
    r"generated|contact|contacted|seen|active|prepared|reported|tested|audited|conducted|saved|captured|collected|"
    r"researched|decided|processed|reviewed|learned|observed|discovered|found|resolved|completed|started)(?: at| on)?|"
    r"session (?:started|ended|closed)|"
    r"(?:(?:session|meeting|entry|review|audit|report|analysis|test|start) )?date|datetime|source|since|as of|"
    r"(?:last |first )?(?:completed |successful )?run|"
    r"stand|datum|quelle|erstellt|aktualisiert|aktualisierung|data|criado|atualizado|fecha|creado|actualizado|créée?|"
    r"mis à jour|дата(?! рожд| окон| сдач)(?: [а-я]+)?|создано|обновлено|источник|"
    r"(?:最后|最近|上次|首次|本次|创建|更新|記錄|记录|发现|发生|修复|完成|执行|執行|运行|整理|汇总|联系|聯繫|编写|撰写|分析|测试|审查|"
    r"检查|巡检|扫描|复盘|报告|生成|采集|抓取|收集|处理|调研|研究|学习|统计|验证|确认|汇报|会话|对话|日志|修改|调整|同步|备份)*"
    r"(?:日期|时间|時間)|"
    r"最后更新|更新|创建|(?:维护|更新|变更|修订)记录|来源|날짜|작성일|日付|作成日)"
    rf"(?: am| em| el| le)?\s*[*_]*\s*[:：]\s*[*_`]*\s*(?:[a-z]{{3,6}}day,?\s)?{_DAY}",
    2 | 8,
)
_BYLINE = compile_pattern(
    rf"[*_>\s]*+(?!.*(?:next|due|review|update|deadline|launch|until|expir|birth|release|ends?\b|更新|下次|截止|到期|期限|"
    rf"计划|预计))"
    rf"(?:[^\n:：|]{{1,60}}\||(?<=[*_])[^\n:：|]{{1,60}}[—–,，])\s*{_DAY}(?:\s\d\d:\d\d)?[*_\s]*",
    2,
)
"""A short line below a title, or at the foot, that ends in the day: 'Session 5 | 2026-03-29'."""
_BYLINES = 2
_UPDATED = compile_pattern(r"updated?|modified|aktualisiert|atualizado|actualizado|mis à jour|обновлено|更新", 2)
"""A line that is a date, or begins with one behind such a word. (8: each line of a text.)"""
_HEADED = compile_pattern(
    r"[\W_]*(?:\d{1,3}[.)、．]\s*)?(?:(?:session|log|update[ds]?|notes?|day|daily|journal|entry|meeting|status|added|"
    r"as of|week of|(?:mon|tues|wednes|thurs|fri|satur|sun)day|sitzung|stand|tag|notizen|protokoll|montag|dienstag|"
    r"mittwoch|donnerstag|freitag|samstag|sonntag|сессия|день|запись|обновление|sessão|diário|registro|sesi(?:ón)?|"
    r"diario|séance|sessione|giorno|jour|d[ií]a|hari|catatan|phiên|ngày|oturum|sesja|セッション|세션|"
    r"会话|日记|日志|更新|记录|总结|会议|(?:周|星期)[一二三四五六日天])\W{0,3})?"
    r"(?:(?:v(?:ersion)?\s*)?\[?\d+(?:\.\d+)+[^\]\s]*\]?[\s—–:(（-]*|\[[^\]]{1,30}\][\s—–:(（-]+)?[\W_]*"
    r"(20\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d|\.\d|\s*(?:版本|version))",
    2,
)
NUMBERED = compile_pattern(
    r"\W{0,4}[A-Z]{2,12}[-_](20\d\d)(-?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?:[-_][A-Za-z0-9]{1,8})?(?![\w-])\W*"
)
"""The number of a record that holds its day: 'POLICY-2026-02-06-01 - …', '[LRN-20260304-001] …'."""
_HOURS = (
    r"(?:[T ,，]+~?\d{1,2}:\d\d\S*(?:\s?[-–—~至]\s?\d{1,2}:\d\d\S*)?"
    r"(?:\s?(?:[AaPp][Mm]|[A-Z]{2,4}(?:[+-]\d[\d:]{0,4})?)\b){0,2})?"
)
"""An hour, or from one to another, with a zone: '12:00 GMT+4', '08:04-08:24 UTC'."""
_BEHIND = compile_pattern(
    rf"\s[—–|·-]\s*(20\d\d)[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_HOURS}(?:\s*[(（][^()（）]*[)）])?\s*$"
)
_OF_PAST = r"(?!.*(?:deadline|\bdue\b|target|launch|until|expir|birth|release|截止|到期|期限|计划|预计))"
_TOLD_BEHIND = compile_pattern(
    rf"{_OF_PAST}.*(?:[,，:：]|\s@|\b(?:as of|week of|added|completed|done|decided|fixed|updated|reviewed|ended|"
    r"started|generated|prepared|captured|recorded|verified|aktualisiert|uppdaterad|opdateret|actualizado|atualizado|обновлено)"
    rf"(?: on)?|更新于|于)\s*(20\d\d)[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_HOURS}\s*$",
    2,
)
"""How a heading ends that says when: 'Reader added 2026-02-05'."""
_AMID = compile_pattern(
    rf"{_OF_PAST}.*(?<!\d)\s[—–-]\s(20\d\d)-(\d\d)-(\d\d)\s(?!(?:to|until|through|bis)\b)[^\W\d_]", 2
)
"""A date between a heading's name and what more it says: 'Scoreboard - 2026-07-16 alignment'."""
_BRACKETED = compile_pattern(
    r"[(（\[]\s*(?:[^()（）\[\]\d]{0,12}\s|v?\d[\w.]{0,12}\s?[—–·|,，-]\s?|"
    r"[^()（）\[\]]{0,60}(?:decided|confirmed|added|updated|created|done|learn(?:ed|t)|as of|"
    r"since|更新于?|新增于?|确认于?|完成于?|截至|自|，|,)\W{0,2})?(20\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})日?"
    r"(?:[T\s,，]+~?\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?Z?(?:\s?[-–—~至]\s?\d{1,2}:\d\d(?::\d\d)?)?)?"
    rf"(?:(?:[\s,，;；]+|\s[-–—]\s|(?=[{HAN}])(?!截止|到期|之?前|以前|计划|预计))"
    r"(?!(?:to|until|through|bis)\b|[至到])[^\s()（）\d-][^()（）]{0,48})?\s*[)）\]]",
    2,
)
_SAYING = compile_pattern(
    # '2026-06-04: …', '[2026-06-04] …', 'COMPLETE 2026-07-04', 'since 2026-03-02', '(2026-02-14 确认)', '(2026-03-10):'
    rf"^\W{{0,4}}{_DAY}(?=\s*(?:[:：|—–\])）】*`-]|\s\S))"
    rf"|\b(?:since|as of|from|until now|seit|stand|vom|desde|depuis|first [a-z]+:?|"
    rf"superseded|evaluated|reviewed|checked|promoted|implemented|erstellt|aktualisiert|erledigt|behoben|bestätigt|"
    rf"entdeckt|criado|atualizado|corrigido|"
    rf"confirmado|decidido|создано|обновлено|добавлено|исправлено|обнаружено|найдено|проверено|решено|изучено|"
    rf"created|updated|added|confirmed|verified|fixed|resolved|found|learned|learnt|"
    rf"decided|shipped|merged|completed?|closed|done|deployed|recorded|observed|discovered|approved|noted|identified|"
    rf"reported|seen|measured|tested|migrated|removed|renamed|installed|"
    rf"logged|audited|renamed|launched|published|signed|received|persisted|processed|(?<=\()set|hinzugefügt|entschieden|geändert|adicionado|"
    rf"introduced)(?: on| at| am| em| live)?\W{{0,4}}{_DAY}"
    rf"|(?<!be )\b(?:removed|migrated|implemented|switched|introduced|renamed|replaced|identified|installed|rewritten|"
    rf"refactored|verified|observed|"
    rf"fixed|added|moved|decided|confirmed)\b(?:[^.\n]|\.(?!\s)){{0,60}} on {_DAY}"
    rf"|\bper {_DAY}\s(?:status|update|call|email|review|decision)|\bupdate (?:on|from) {_DAY}"
    rf"|\b(?!released|launched|scheduled|planned|expected|targeted|needed|booked|delayed|postponed|based|"
    rf"required)(?:[a-z]{{2,12}}ed|"
    rf"said|sent|"
    rf"written|built|met|wrote|instruction|request)(?: with [^\s.]{{1,20}})? on {_DAY}"
    rf"|[(（](?![^()（）\n]*(?:due|until|\bby\b|before|expir|plan|target|deadline|\beta\b|release|\bsee\b|\bbis\b|"
    rf"截止|到期|计划|预计))"
    rf"[^()（）\d\n]{{0,32}}[,，\s]{_DAY}\s*[)）]"
    rf"|{_DAY}\s?(?:에\s?|に)?(?:결정|확정|수정|논의|추가|완료|구현|변경|확인|발견|작성|업데이트|決定|追加|変更|"
    rf"修正|確認|完了|作成|実装)"
    rf"|(?:自从?|截至|截止|从|创建(?:时间|于)?[:：]?|更新(?:时间|于)?[:：]?|记录(?:时间|于)?[:：]?|发现于|确认于|"
    rf"完成于|"
    rf"{_NOT_YET}(?:日期|时间)[:：])\s*{_DAY}"
    rf"|(?<!计划)(?<!计划 )(?<!预计)(?<!预计 )(?<!计划于)(?<!预计于)(?<!将于)(?<!計劃)(?<!預計)"
    rf"{_DAY}\s*已?(?:启用|啟用|发布|發佈|發布|建立|部署|安装|安裝|设定|設定|完成|起|以来|开始|确认|更新|新增|发现|"
    rf"记录|修复|决定|验证|创建|实测|"
    rf"测试|踩坑|学到|上线|生效)"
    rf"|[(（\[]\s*{_DAY}(?:[t\s]\d\d:\d\d(?:\s?[-–~]\s?\d\d:\d\d)?)?(?:[\s,，;；]+[^\s()（）\d-][^()（）]{{0,20}})?"
    rf"\s*[)）\]]"
    rf"|\s[—–-]\s{_DAY}\W*$|[✅➕]\s?{_DAY}"
    rf"|[—–-]\s(?:done|completed?|fixed|shipped|merged) by {_DAY}"
    rf"|@created[:：]?\s*{_DAY}"
)
"""Where a date in a sentence, in small letters, says since when it holds, or when it was seen."""
_NEAR = compile_pattern(r"20\d\d[-/.年]\d")
_FAR = 96
_CLOSE = 36
_AFTER = 56
"""Characters before and behind a date within which a sentence says what it means."""
_ANY_DAY = compile_pattern(r"20\d\d(?:[-/.年년]|\d{4}|(?<=[./,\s-]....)(?!\d))")
_NAMES_FILE = compile_pattern(r"\w-20\d{6}")
"""A document that is named for a date is spoken of, which dates nothing."""
_MENTION = compile_pattern(rf"[在于於]\s*{_DAY}|{_DAY}\s*由", 2)
"""Sentences about something done on a day: that date counts less than a heading's."""


def normalize_leading_date(text: str) -> str:
    """A date at the head of a text as ISO 8601 has it: '2026/2/8 14:30', '2026年2月8日 14:30' -> '2026-02-08 14:30'."""
    match = _TYPED.match(text)
    if match is None:
        return text
    return f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}{text[match.end() :]}"


def normalize_dates(text: str, *, day_first: bool = False) -> str:
    """The text with its dates as ISO 8601 has them: '02.02.2026', 'March 4, 2026', '4 марта 2026' are written so.

    `day_first`: it is of a language whose '04/03/2026' is in March.
    """
    if _OTHERWISE.search(text) is None:
        return text
    if "." in text or "/" in text or "-" in text:
        text = _DAY_FIRST.sub(_turn_day_first if day_first else _reorder_day_and_month, text)
    text = (
        _KOREAN.sub(lambda found: _format_iso_day(found, found[1], int(found[2]), found[3]), text)
        if "년" in text
        else text
    )
    text = _DAY_NAMED.sub(lambda found: _format_iso_day(found, found[3], _parse_month(found[2]), found[1]), text)
    return _NAMED_DAY.sub(lambda found: _format_iso_day(found, found[3], _parse_month(found[1]), found[2]), text)


def _reorder_day_and_month(found: re.Match[str]) -> str:
    day, month = int(found[1]), int(found[3])
    if month > 12 >= day:
        day, month = month, day
    elif found[2] == "/" and day <= 12 and day != month:
        # Nobody can say which of the two is the month.
        return found[0]
    return _format_iso_day(found, found[4], month, str(day))


def _turn_day_first(found: re.Match[str]) -> str:
    return _format_iso_day(found, found[4], int(found[3]), found[1])


def _format_iso_day(found: re.Match[str], year: str, month: int, day: str) -> str:
    return f"{year}-{month:02}-{day:0>2}" if 0 < month <= 12 and 0 < int(day) <= 31 else found[0]


def _parse_month(name: str) -> int:
    name = name.lower()
    return _MONTHS.get(name[:4], 0) or _MONTHS.get(name[:3], 0)


def find_day(text: str) -> str:
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
def find_path_day(path: str) -> str:
    """The date that a file is named for; else one spelled by its directories (2026/02/24.md); else empty."""
    name = normalize_dates(path.rsplit("/", 1)[-1])
    day = find_day(name) or find_day(_SHORT_DAY.sub(_fill_day, name))
    if day:
        return day
    for match in _FOLDERS.finditer(path):
        day = f"{match[1]}-{match[2]}-{match[3]}"
        if clock.parse(day) is not None:
            return day
    return ""


def _fill_day(found: re.Match[str]) -> str:
    return f"{found[1]}-{found[2]:0>2}-{found[3]:0>2}"


def find_time_of_day(text: str) -> str:
    """The first time of day in a text as HH:MM:SS, '~10:13 PM' as 22:13:00; empty: there is none."""
    match = _CLOCK.search(text)
    if match is None:
        return ""
    half = _HALF.match(text, match.end())
    hour = int(match[1])
    if half is not None and 0 < hour <= _NOON:
        hour = hour % _NOON + (_NOON if half[1] in "pP" else 0)
    return f"{hour:02}:{match[2]}:{match[3] or '00'}"


def parse_name_moment(name: str) -> float | None:
    """When a file says it was made: its name's first date, with a time right behind it ('2026-02-06T19-57-42')."""
    day = find_day(name)
    if not day:
        return None
    for written in (day, day.replace("-", "")):
        at = name.find(written)
        match = _DASHED.match(name, at + len(written)) if at >= 0 else None
        if match:
            return clock.parse(f"{day}T{match[1]}:{match[2]}:{match[3]}")
    return clock.parse(day)


def _date_successors(entries: Sequence[Entry]) -> None:
    """What replaced something is as old as the day on which that was replaced, whatever day its file is about."""
    since = {one.superseded_by: one.updated for one in entries if one.superseded_by and one.updated is not None}
    for entry in entries if since else ():
        if entry.key in since and entry.created is None and entry.updated is None:
            entry.created = since[entry.key]


def assign_dates(entries: Sequence[Entry], path: str, head: Entry | None = None) -> None:
    """Date what names no time of its own: by its sentence, the headings above it, its file's or folder's name.

    Parts are dated as what they belong to, unless they say more; what `head`, the frontmatter, says of the whole file
    is the weakest. A whole file that says no time is as new as the newest thing in it.
    """
    _date_successors(entries)
    # Most digits are no dates.
    day_first = _write_day_first(entries)
    texts = [_read(entry.text, day_first) if "20" in entry.text else "" for entry in entries]
    fields = _find_field_moments(entries, texts) if any(texts) else {}
    changed = fields.pop(_CHANGED, None)
    named = fields.pop((), None) or parse_path_moment(path)
    above: dict[tuple[str, ...], float | None] = {(): named}
    latest = clock.now() + _AHEAD
    owner: Entry | None = None
    led, before = None, None
    for entry, text in zip(entries, texts, strict=True):
        if entry.level is Level.MEMORY:
            owner = entry
        if led is not None and (before is None or not _continues_list(before, entry)):
            led = None
        before = entry
        told = entry.created is not None or entry.updated is not None
        if told and (head is None or entry is head or (entry.created, entry.updated) != (head.created, head.updated)):
            continue
        found = parse_stated_moment(text) if text else None
        if text and _is_list_lead(text):
            label = text.partition("\n")[0]
            led = found if found is not None else _find_heading_moment((label,), {}, None)
        if found is None:
            found = led
        if found is None and owner is not entry and owner is not None and entry.level is Level.PART:
            found = owner.created
            if entry.heading is not owner.heading and len(entry.heading) > len(owner.heading):
                found = _find_heading_moment(entry.heading, fields, found, len(owner.heading), day_first)
        if found is None:
            if entry.heading not in above:
                above[entry.heading] = _find_heading_moment(entry.heading, fields, named, 0, day_first)
            found = above[entry.heading]
            if text and found == named and not text.isascii():
                mention = _MENTION.search(text)
                if mention is not None:
                    found = clock.parse(normalize_leading_date(mention[1] or mention[2]).strip()[:10]) or found
        # What is still to come was not written then.
        if found is not None and found <= latest and not (told and found == named):
            entry.created, entry.updated = found, None
    if changed is not None and changed <= latest and all(_is_undated(one, changed) for one in entries):
        # It is the only date of the document, and closer to the truth than when the file was copied.
        for entry in entries:
            entry.created = changed
    if head is not None and head.reach and head.created is None and head.updated is None:
        head.created = max((one.created for one in entries if one.created is not None), default=None)


def _is_undated(entry: Entry, changed: float) -> bool:
    return entry.updated is None and (entry.created is None or entry.created == changed)


_CHANGED = ("\0",)
"""Instead of headings: what a document says of its last change."""


def _write_day_first(entries: Sequence[Entry]) -> bool:
    """Whether a document with such dates is written in a language with letters that English has not, nor Chinese."""
    if "/20" not in "\n".join([entry.text for entry in entries if "20" in entry.text]):
        above: tuple[str, ...] = ()
        for entry in entries:
            # Those of one section share it.
            if entry.heading is not above:
                above = entry.heading
                if "/20" in "\n".join(above):
                    break
        else:
            return False
    own = sum(1 for entry in entries[:_SAMPLE] if _OTHER_LETTERS.search(entry.text) is not None)
    return own * 3 > min(len(entries), _SAMPLE)


_SAMPLE = 40
_OTHER_LETTERS = compile_pattern("[àáâãäçèéêëìíîïñòóôõöøùúûüßåæœа-я]")


def _read(text: str, day_first: bool) -> str:
    """The beginning of a text with its dates as ISO 8601 has them; empty: there is none."""
    text = text[:_READ]
    return normalize_dates(text, day_first=day_first) if _ANY_DAY.search(text) is not None else ""


def _is_list_lead(text: str) -> bool:
    """Whether a text leads to a list: a date in it is its items'. Below a label that stands out more may be said."""
    label, more, _rest = text.rstrip("*_` \n").partition("\n")
    bare = label.rstrip("*_` ")
    return bare[-1:] in {":", "："} and (not more or label[:2] == "**" == label[-2:])


def _continues_list(before: Entry, entry: Entry) -> bool:
    """Whether an entry stands in the list that the one before it leads to, or is in."""
    return entry.heading == before.heading and entry.start - before.end <= 1 + _is_list_lead(before.text)


def parse_path_moment(path: str) -> float | None:
    """When a file says it was made: by its name, else by the innermost of its folders that names a day."""
    return _parse_path_moment(path, os.environ.get("MEMTUI_TZ", ""))


@lru_cache(maxsize=1 << 12)
def _parse_path_moment(path: str, _zone: str) -> float | None:
    *folders, name = path.split("/")
    found = parse_name_moment(name) or clock.parse(find_path_day(path))
    for folder in reversed(folders):
        found = found if found is not None else parse_package_moment(folder)
    return found


def parse_package_moment(text: str) -> float | None:
    """The moment in a name such as '202603252311_login-retry', with seconds or the day alone; None: there is none."""
    match = _PACKAGE.search(text)
    if match is None:
        return None
    day, hour = f"{match[1]}-{match[2]}-{match[3]}", f"{match[4]}:{match[5] or '00'}" if match[4] else ""
    return clock.parse(f"{day}T{hour}") if hour else clock.parse(day)


def parse_stated_moment(text: str) -> float | None:
    """Since when something holds, or when it was found, as a sentence says it; None: it does not."""
    # Letters of either case at every place of a long pattern take three times as long.
    text = text.lower()
    for near in _NEAR.finditer(text):
        # What says so stands close to the date, and looking for it everywhere costs more than all else here.
        at = near.start()
        before = _FAR if text[at - 4 : at] == " on " else _CLOSE
        match = _SAYING.search(text, max(0, at - before), at + _AFTER)
        if match is not None:
            day = next(filter(None, match.groups()))
            return clock.parse(normalize_leading_date(day).strip()[:10])
    return parse_package_moment(text) if "_" in text and not _NAMES_FILE.search(text) else None


def _find_field_moments(entries: Sequence[Entry], texts: Sequence[str]) -> dict[tuple[str, ...], float]:
    """What lines that are no more than a date say ('Created: 2026-03-01', '日期：2025-12-11'): by the headings of the
    sections that they speak of; at a document's head or foot, of all of it, `()`."""
    found: dict[tuple[str, ...], float] = {}
    torn: set[tuple[str, ...]] = set()
    last = entries[-1] if entries else None
    first = next((entry.heading[0] for entry in entries[:_FIRST] if entry.heading), "")
    # Records below one another, each under a heading of its own, have no title.
    section = 1 + (last is not None and last.heading[:1] == (first,))
    for count, text in enumerate(texts):
        if not text:
            continue
        entry = entries[count]
        at_head = count < _FIRST and entry.start <= _HEAD
        at_foot = entry is last and len(entry.text) < _FOOT and entry.start > entries[count - 1].end + 1
        if (at_foot or (at_head and count < _BYLINES)) and (match := _BYLINE.fullmatch(text.strip())) is not None:
            moment = clock.parse(normalize_leading_date(match[1]).strip()[:10])
            if moment is not None:
                found.setdefault((), moment)
            continue
        if ":" not in text and "：" not in text:
            continue
        if not at_head and not at_foot and len(entry.heading) < section:
            continue
        if "code" in entry.extra and count:
            continue
        about = entry.heading
        match = _FIELD.search(text) if at_head and entry.level is Level.CONTEXT else None
        if match is not None:
            about = ()
        elif (match := _FIELD_LINE.search(text)) is None:
            continue
        elif (at_foot and "记录" not in match[0]) or len(about) < section:
            # Of a document that grows, the last change was one line's.
            about = _CHANGED if _UPDATED.search(match[0]) else ()
        moment = clock.parse(normalize_leading_date(match[1]).strip()[:10])
        if moment is not None and found.setdefault(about, moment) != moment and about:
            torn.add(about)
    for about in torn:
        # A list of records, each with a date of its own.
        del found[about]
    return found


def _find_heading_moment(
    heading: tuple[str, ...],
    fields: dict[tuple[str, ...], float],
    otherwise: float | None,
    outermost: int = 0,
    day_first: bool = False,
) -> float | None:
    """The day that the innermost heading is, or begins with, or that its section has a line for; a version may stand
    before it ('[0.1.5] - 2026-03-27'). The day of a plan that was written before is none. Headings outside of the
    `outermost` are not asked."""
    for depth in range(len(heading), outermost, -1):
        part = heading[depth - 1]
        found = _parse_heading_moment(part, os.environ.get("MEMTUI_TZ", ""), day_first) if "20" in part else None
        if found is None and fields:
            found = fields.get(heading[:depth])
        if found is None and "20" in part and (number := NUMBERED.match(part)) is not None:
            # Programs count on in the number of a day before.
            found = clock.parse(f"{number[1]}-{number[3]}-{number[4]}")
        if found is None or (otherwise is not None and found > otherwise and _is_plan(part)):
            continue
        return found
    return otherwise


def _is_plan(part: str) -> bool:
    """Whether a heading's date may be the day for which something is planned; one at its head is when it was noted."""
    return _PLANNED.search(part) is not None and _HEADED.match(part) is None


_COMPARED = compile_pattern(r"(?:\b(?:vs\.?|versus|compared (?:to|with))|对比|相比|比较)\W{0,4}20\d\d", 2)
"""Words of a heading whose date is that of what something is compared with."""
_PLANNED = compile_pattern(
    r"\b(?:plan(?:ned|s)?|tomorrow|upcoming|schedule[ds]?|prep(?:aration)?)\b|明[日天]|次日|计划|安排|准备", 2
)


@lru_cache(maxsize=1 << 10)
def _parse_heading_moment(part: str, _zone: str, day_first: bool) -> float | None:
    part = normalize_dates(part, day_first=day_first)
    if _COMPARED.search(part) is not None:
        return None
    if len(part) == _COMPACT and part.isdigit():
        day = find_day(part)
        return clock.parse(day) if day else None
    match = (
        _HEADED.match(part)
        or _BRACKETED.search(part)
        or _BEHIND.search(part)
        or _TOLD_BEHIND.match(part)
        or _AMID.match(part)
    )
    return None if match is None else clock.parse(f"{match[1]}-{match[2]:0>2}-{match[3]:0>2}")


_LOG = compile_pattern(
    r"(?:^|[._ -])(?:sessions?|worklog|devlog|logs?|journal|diary|diario|tagebuch|history|progress|hand-?off|handover|"
    r"standups?|sesi[oó]n(?:es)?|sess(?:ão|ões)|sitzung(?:en)?)(?:[._ -]|$)|日志|日誌|日记|会话|會話|工作记录|"
    r"交接|进展|進捗|журнал|дневник",
    2,
)
"""Words of a document's name that keeps what was done, a section a day."""
_HELD = compile_pattern(r"decision|\badr|lesson|learning|change|决策|决定|教训|reference|feedback", 2)
"""Words of one whose sections hold whatever their day."""


def log_days(entries: Sequence[Entry], path: str) -> frozenset[tuple[str, ...]]:
    """The sections of a log of work that are each of a day, as headings from the outermost; none in any other document.

    One dated section makes no log.
    """
    name = path.rpartition("/")[2].rpartition(".")[0]
    if _LOG.search(name) is None or _HELD.search(name) is not None:
        return frozenset()
    zone = os.environ.get("MEMTUI_TZ", "")
    found = {
        heading[:depth]
        for heading in dict.fromkeys(entry.heading for entry in entries)
        for depth in range(1, len(heading) + 1)
        if "20" in heading[depth - 1] and _parse_heading_moment(heading[depth - 1], zone, False) is not None
    }
    return frozenset(found) if len(found) > 1 else frozenset()


_DAY_ALONE = compile_pattern(r"\d{4}(?:[-/年]\d{1,2}[-/月]\d{1,2}日?|\d{4})")


def extend_to_day_end(value: Any, at: float | None) -> float | None:
    """The same of what was read already: `at`, or the last second of the day where `value` is no more than a day."""
    if at is None or not isinstance(value, str) or not _DAY_ALONE.fullmatch(value.strip()):
        return at
    return _compute_day_end(at, os.environ.get("MEMTUI_TZ", ""))


@lru_cache(maxsize=4096)
def _compute_day_end(midnight: float, _zone: str) -> float:
    try:
        after = clock.parse((clock.convert_to_local(midnight).date() + timedelta(days=1)).isoformat())
    except OverflowError:
        after = None
    return midnight if after is None else after - 1.0
