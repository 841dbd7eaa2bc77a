"""Which day a line of a note is of: its own, its list's, its section's, its document's; and the many ways to say it.

When something ends: the day that is named is included, a moment is a moment.
"""

from __future__ import annotations

import json

import pytest

from memtui.cli.facts_commands import parse_until as typed
from memtui.core import clock
from memtui.core.model import Entry, Layer, Role
from memtui.formats import Source, parse
from memtui.formats.dates import find_path_day, normalize_dates, parse_path_moment
from memtui.formats.facts import format_fact_expiry as recorded
from memtui.formats.markdown_lines import format_item_expiry as told
from memtui.formats.records import parse_end_moment
from memtui.tui.memory_verbs import parse_expiry as asked
from tests.formats.reading import read, utc


def day(text: str, line: int, path: str = "notes.md", parser: str = "markdown") -> str:
    """The day of the entry on a line; empty: it has none."""
    found = next(one for one in read(parser, text, path).entries if one.start <= line <= one.last)
    return "" if found.created is None else clock.format_day(found.created)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("02.03.2026", "2026-03-02"), ("2.3.2026", "2026-03-02"), ("09-02-2026", "2026-02-09"),
        ("02-17-2026", "2026-02-17"), ("17/02/2026", "2026-02-17"), ("02/03/2026", "02/03/2026"),
        ("March 4, 2026", "2026-03-04"), ("4th March 2026", "2026-03-04"), ("4. März 2026", "2026-03-04"),
        ("4 марта 2026", "2026-03-04"), ("4 de março de 2026", "2026-03-04"), ("4 août 2026", "2026-08-04"),
        ("2026년 3월 4일", "2026-03-04"), ("Version 12.40.2026", "Version 12.40.2026"),
        ("10.0.4.2026", "10.0.4.2026"), ("Table 4, 2026", "Table 4, 2026"),
    ],
)  # fmt: skip
def test_days_as_people_write_them(written: str, read_as: str) -> None:
    assert normalize_dates(f"on {written} we") == f"on {read_as} we"


@pytest.mark.parametrize(
    "line",
    [
        "- Reader checked again, re-evaluated April 1, 2026: wait",
        "- imports — done by 2026-04-01",
        "- the cache is warm — 2026-04-01",
        "- Reader seit 01.04.2026 aktiv",
        "First meeting: 2026-04-01. They want it short.",
    ],
)
def test_what_a_sentence_says_of_when(line: str) -> None:
    assert day(f"# Notes\n\n{line}\n", 3) == "2026-04-01"


@pytest.mark.parametrize(
    "field",
    [
        "**Date:** 2026-04-01  \n**Task:** readers", "- **Datum:** 01-04-2026", "Дата изучения: 2026-04-01",
        "_Created: April 1, 2026_", "Fecha: 1 de abril de 2026",
    ],
)  # fmt: skip
def test_a_field_at_the_head_is_of_the_document(field: str) -> None:
    text = f"# Reader\n\n{field}\n\n## What\n\n- two passes\n"
    assert day(text, len(text.splitlines())) == "2026-04-01"


@pytest.mark.parametrize(
    "field",
    [
        "**分析日期**: 2026-04-01", "**检查时间**：2026-04-01 02:20", "**时间:** Wednesday, April 1st, 2026 - 17:38",
        "Last completed run: 2026-04-01T11:30:00Z", "*Order of shelves — Session 5, 2026-04-01 15:17*",
        "Session 10 | 2026-04-01 18:12",
    ],
)  # fmt: skip
def test_whatever_was_done_then_is_named_by_the_field(field: str) -> None:
    assert day(f"# Reader\n\n{field}\n\n## What\n\n- two passes\n", 7) == "2026-04-01"


@pytest.mark.parametrize("field", ["截止日期: 2026-04-01", "下次检查时间：2026-04-01", "Next review | 2026-04-01"])
def test_what_is_to_be_done_then_dates_no_document(field: str) -> None:
    assert day(f"# Reader\n\n{field}\n\n## What\n\n- two passes\n", 7) == ""


def test_what_keeps_the_log_of_a_section_dates_no_document() -> None:
    text = "# R\n\n## One\n\n- two passes\n- since 2026-03-01\n\n## Two\n\n- x y\n\n**维护记录**: 2026-04-01 升级\n"
    assert [day(text, line) for line in (5, 12)] == ["", "2026-04-01"]


@pytest.mark.parametrize(
    ("heading", "found"),
    [
        ("明日交付计划 (2026-04-02)", "2026-04-01"), ("Plan for tomorrow (2026-04-02)", "2026-04-01"),
        ("Reader again (2026-04-02)", "2026-04-02"), ("2026-04-02 计划", "2026-04-02"),
        ("Plan (2026-03-30)", "2026-03-30"), ("The rule (no exceptions, learned 2026-03-30)", "2026-03-30"),
    ],
)  # fmt: skip
def test_the_day_of_a_plan_is_not_that_of_its_writing(heading: str, found: str) -> None:
    assert day(f"# N\n\n## {heading}\n\n- two passes\n", 5, "memory/2026-04-01.md") == found


def test_a_line_at_the_foot_is_too_and_a_change_is_not() -> None:
    assert day("# R\n\n## What\n\n- two passes\n\n---\n*Erstellt: 01.04.2026*\n", 5) == "2026-04-01"
    dated = "# R\n\n## What\n\n- two passes\n- one more since 2026-03-01\n\n---\nAktualisiert: 01.04.2026\n"
    assert [day(dated, line) for line in (5, 6)] == ["", "2026-03-01"]
    assert day("# R\n\nDate of birth: 2011-04-01\n\n## What\n\n- two passes\n", 7) == ""


@pytest.mark.parametrize(
    "stamp", ["Last updated: 2026-04-01", "*最后更新：2026-04-01*", "**Session ended:** 2026-04-01"]
)
def test_the_last_change_dates_a_document_that_says_no_other_date(stamp: str) -> None:
    assert (
        day(f"# Costs\n\n## Each month\n\n- the host: 6 euros\n\n## Later\n\n- a mailbox\n\n{stamp}\n", 5)
        == "2026-04-01"
    )


@pytest.mark.parametrize("number", ["POLICY-2026-04-01-02 - Readers", "[LRN-20260401-001] correction", "FACT_20260401"])
def test_the_number_of_a_record_dates_it(number: str) -> None:
    assert day(f"# M\n\n## {number}\n\n- two passes\n", 5) == "2026-04-01"
    assert day(f"# M\n\n## {number.lower()}\n\n- two passes\n", 5) == ""


def test_a_field_dates_its_section_whichever_line_it_is() -> None:
    text = "# L\n\n## Reader\n\n- **Lesson**: two passes\n- **Source**: 2026-04-01 fixes\n\n### More\n\n- x y\n\n"
    text += "## Writer\n\n- **Lesson**: one pass\n"
    assert [day(text, line) for line in (5, 10, 14)] == ["2026-04-01", "2026-04-01", ""]
    records = "# L\n\n## Reader\n\n- a\n- Date: 2026-04-01\n- b\n- Date: 2026-04-02\n"
    assert day(records, 5) == ""


@pytest.mark.parametrize(
    "heading",
    [
        "Memory (2026-04-01 17:42)",
        "2026.3.2 版本灾难 (2026-04-01)",
        "Session 3 — ended Apr 1 2026",
        "Hot (now) - UPPDATERAD 2026-04-01 07:15",
        "Reader added 2026-04-01",
    ],
)
def test_a_heading_that_ends_in_its_day(heading: str) -> None:
    assert day(f"# N\n\n## {heading}\n\n### Done\n\n- one reader\n", 7) == "2026-04-01"


def test_records_below_one_another_have_no_title() -> None:
    text = "## [E-1] one\n\n**Logged**: 2026-04-01\n\n### What\n\nfirst\n\n"
    text += "## [E-2] two\n\n**Logged**: 2026-04-02\n\n### What\n\nsecond\n\n## [E-3]\n\nthird\n"
    assert [day(text, line) for line in (7, 15, 19)] == ["2026-04-01", "2026-04-02", ""]


def test_a_label_dates_its_list_below_what_else_it_says() -> None:
    text = "# N\n\n**Web pages (done 2026-04-01):**\nserved from `web/`.\n- one\n- two\n\n"
    text += "Notes (2026-04-02):\nmore\n- three\n"
    assert [day(text, line) for line in (4, 5, 6, 10)] == ["2026-04-01", "2026-04-01", "2026-04-01", ""]


def test_a_label_dates_its_list_and_no_more() -> None:
    text = "# N\n\n**Status (2026-04-01):**\n- one\n- two\n\nlater\n\n**Fixed（2026-04-02, by hand）**：\n\n- three\n"
    assert [day(text, line) for line in (4, 5, 7, 11)] == ["2026-04-01", "2026-04-01", "", "2026-04-02"]


@pytest.mark.parametrize(
    ("column", "cell", "found"),
    [
        ("Completed", "2026-04-01 13:02", "2026-04-01"), ("来源", "2026-04-01", "2026-04-01"),
        ("Stand", "01.04.2026", "2026-04-01"), ("Deadline", "2026-04-01", ""), ("计划完成", "2026-04-01", ""),
        ("When", "2999-04-01", ""), ("File", "report-2026-04-01.txt", ""),
    ],
)  # fmt: skip
def test_a_cell_that_is_a_day_dates_its_row(column: str, cell: str, found: str) -> None:
    assert day(f"# N\n\n| what | {column} |\n|--|--|\n| reader | {cell} |\n", 5) == found


def test_a_part_is_of_the_day_that_its_own_heading_names() -> None:
    text = "---\nname: a\ndescription: d, since 2026-03-01\n---\n\nfirst\n\n## 2026-04-01 more\n\nsecond\n"
    entries = read("markdown", text, "a.md", kind="topic").entries
    assert [clock.format_day(one.created or 0) for one in entries] == [
        "2026-03-01",
        "2026-03-01",
        "2026-04-01",
    ]


def test_what_a_document_is_named_for_dates_no_line_about_it() -> None:
    assert day("# N\n\n- see `docs/adr-202603251800-store.md` for it\n", 3) == ""
    assert day("# N\n\n## Moved (readers of the second phase, 2026-04-01)\n\n- one\n", 5) == "2026-04-01"


@pytest.mark.parametrize(
    "heading",
    [
        "April 1, 2026 — readers", "Wednesday, April 1, 2026", "Session 01.04.2026", "Сессия 1 апреля 2026",
        "周三 2026-04-01", "Readers — 2026-04-01 10:30", "Readers | 2026-04-01 (late)", "Meeting 2026/4/1",
    ],
)  # fmt: skip
def test_a_heading_with_its_day(heading: str) -> None:
    assert day(f"# N\n\n## {heading}\n\n### What\n\n- two passes\n", 7) == "2026-04-01"


@pytest.mark.parametrize("line", ["计划 2026-04-01 上线", "预计2026-04-01完成", "It must be done by 2026-04-01."])
def test_what_is_to_be_by_a_day_is_not_of_it(line: str) -> None:
    assert day(f"# N\n\n- {line}\n", 3) == ""


def test_what_a_task_was_done_on_and_what_it_is_due_on() -> None:
    assert day("# N\n\n- [x] two passes ✅ 2026-04-01\n", 3) == "2026-04-01"
    assert day("# N\n\n- [ ] two passes 📅 2026-04-01\n", 3) == ""


@pytest.mark.parametrize("line", ["**Last contact:** Apr 1, 2026", "Last seen: 2026-04-01", "上次联系时间：2026-04-01"])
def test_what_a_group_of_fields_says_of_its_day(line: str) -> None:
    assert day(f"# People\n\n## Ann\n\n- likes tea\n- {line}\n\n## Bo\n\n- likes milk\n", 5) == "2026-04-01"


LOG = """# Last session

> Updated 2026-07-20.

## Session 92 (2026-07-20) — lookups as trees

- The tree needs its parent's column.

### What is open

- [ ] Try it on the page of companies.

## Session 91 (2026-07-18)

- Menus are read from the table.

## How to write here

- The newest stands first.
"""


@pytest.mark.parametrize(
    ("path", "kind", "layers"),
    [
        ("memory/last_session.md", "topic", ["", "", "journal", "journal", "journal", ""]),
        ("WORK-LOG.md", "note", ["", "", "journal", "journal", "journal", ""]),
        ("memory/decision_log.md", "topic", [""] * 6),
        ("memory/sessionless.md", "topic", [""] * 6),
    ],
)
def test_the_dated_sections_of_a_log_are_days(path: str, kind: str, layers: list[str]) -> None:
    entries = parse(Source(path, Role(Layer.KNOWLEDGE, kind, "markdown"), LOG.encode())).entries
    assert [entry.layer.value if entry.layer else "" for entry in entries][-5:] == layers[-5:]
    assert "topic" not in {entry.kind for entry in entries if entry.layer}


def test_days_are_of_the_zone_that_holds_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read in another zone is not remembered: lists would stand in another order."""
    for zone, hours in (("UTC", 0), ("Asia/Shanghai", -8), ("UTC", 0)):
        monkeypatch.setenv("MEMTUI_TZ", zone)
        midnight = 1771891200.0 + hours * 3600
        assert parse_path_moment("memory/2026-02-24.md") == midnight
        assert read("markdown", "## 2026-02-24\n\n- ruff\n").entries[0].created == midnight


LINES = (
    "Logged 2026-02-05. Covered above.", "Status: audited on 2026-02-05.",
    "Persisted from user instruction on 2026-02-05.", "**Last contact:** Feb 5, 2026", "Last contact: 2026-02-05",
    "Updated UI (Anna's change, 2026-02-05)", "Moved to the sidebar (update 2026-02-05)",
    "3택1 지급 (2026-02-05 결정)", "전체 7명 (2026-02-05 확정)", "구현과 일치하도록 2026-02-05 수정",
    "2026-02-05 논의: 보류", "2026-02-05 에 결정함", "2026-02-05：改了读取器", "2026-02-05 已新增执行路径",
    "2026年2月5日：改了读取器", "2026年2月5日 决定使用新读取器", "(2026-02-05) the second reader",
    "[2026-02-05] the second reader", "`2026-02-05` the second reader", "**2026-02-05**: the second reader",
    "**2026-02-05** — the second reader", "the second reader (2026-02-05)", "the second reader (Feb 5, 2026)",
    "the second reader — 2026-02-05", "the second reader - 2026-02-05", "the second reader [2026-02-05]",
    "the second reader *(2026-02-05)*", "the second reader ✅ 2026-02-05", "Feb 5, 2026: the second reader",
    "5 Feb 2026 — the second reader", "5.2.2026: der zweite Leser", "05.02.2026 - der zweite Leser",
    "2026/02/05 the second reader", "2026.02.05 the second reader", "As of 2026-02-05 the reader counts twice",
    "Reader rewritten on 2026-02-05", "We decided on 2026-02-05 to read twice", "Since Feb 5, 2026 we read twice",
    "Superseded on 2026-02-05: the other reader", "Launched 2026-02-05", "Signed on 2026-02-05",
    "Received 2026-02-05", "Published 2026-02-05", "Started on 2026-02-05", "Reviewed with Anna on 2026-02-05",
    "Anna said on 2026-02-05 that she reads twice", "Added 2026-02-05: second reader",
    "Decision (2026-02-05): second reader", "Обновлено 05.02.2026: второй читатель",
    "2026年2月5日に決定：二つ目のリーダー", "（2026年2月5日 決定）二つ目のリーダー",
    "2026-02-05 追加：二つ目のリーダー", "第二个读取器（2026-02-05）", "第二个读取器（2026年2月5日更新）",
    "Page checked and verified at `shelf.example` on 2026-02-05.", "Source: Anna's mail, update on 2026-02-05.",
    "Half of it is paid per 2026-02-05 status", "**第二个读取器完成**（2026-02-05 08:24-08:50）：两遍",
    "于 2026-02-05 完成第二个读取器", "更新于 2026-02-05", "最后更新：2026-02-05", "Last updated: 2026-02-05",
    "*Last updated: February 5, 2026*", "Zweiter Leser hinzugefügt am 05.02.2026",
)  # fmt: skip
"""Items that say when."""
OTHERS = (
    "The deadline is 2026-02-05", "Due 2026-02-05", "Deadline: 2026-02-05", "Expires on 2026-02-05",
    "Certificate expires 2026-02-05", "Launch planned for 2026-02-05", "Release on 2026-02-05",
    "Meeting scheduled for 2026-02-05", "Born 2026-02-05", "Birthday: 2026-02-05", "See notes-2026-02-05.md",
    "Copy `reports/2026-02-05.json` to the shelf", "The model claude-20260205 is used", "计划 2026-02-05 上线",
    "到期：2026-02-05", "Renewal on 2026-02-05", "To be verified by Anna on 2026-02-05", "提醒时间：2026-02-05",
)  # fmt: skip
"""Items with a day of something else."""
HEADINGS = (
    "2026-02-05", "2026-02-05 (Thu)", "2026-02-05 Thursday", "Thursday, February 5, 2026", "Feb 5, 2026",
    "5 February 2026", "Session 2026-02-05", "Session 3 — 2026-02-05", "Session 12 (2026-02-05)",
    "Session (2026-02-05)", "[2026-02-05]", "[1.2.0] - 2026-02-05", "v1.2.0 (2026-02-05)", "1.2.0 — 2026-02-05",
    "2026-02-05: reader", "2026-02-05 — reader", "2026-02-05 14:30", "Reader (2026-02-05)", "Reader — 2026-02-05",
    "Reader - Feb 5, 2026", "Reader, 2026-02-05", "Reader [2026-02-05]", "📅 2026-02-05", "2026/02/05",
    "2026.02.05", "20260205", "05.02.2026", "2026年2月5日", "2026年02月05日 星期四", "2026年2月5日（木）",
    "2026년 2월 5일", "5 февраля 2026", "5. Februar 2026", "5 de febrero de 2026", "5 de fevereiro de 2026",
    "5 février 2026", "Update 2026-02-05", "Update (Feb 5, 2026)", "Status as of 2026-02-05",
    "Decision 7: reader (2026-02-05, Anna)", "ADR-007: reader (2026-02-05)", "Temp depletion order (2026-02-05)",
    "Latest (2026-02-05 evening)", "Day 3 (2026-02-05)", "Week of 2026-02-05", "更新于 2026-02-05",
    "读取器（2026-02-05）", "读取器（2026年2月5日）", "【2026-02-05】读取器", "Reader added 2026-02-05",
    "Webhook fix (v5.5.0 — 2026-02-05)", "Sesi 2026-02-05", "Sesi 2026-02-05 03:23 WIB", "Giorno 2026-02-05",
    "Reader @ 2026-02-05", "Reader · 2026-02-05", "Reader: 2026-02-05", "세션 요약 (2026-02-05)",
    "Completed 2026-02-05", "Done on 2026-02-05", "Sprint 3 (Feb 5, 2026)", "Reader (updated Feb 5, 2026)",
    "Reader | 2026-02-05", "Reader (2026-02-05 08:04-08:24 GMT+4)", "读取器（2026-02-05 07:17-07:20）",
    "Reader - 2026-02-05 12:00 GMT+4", "Session 3 (2026-02-05T08:35:00.000Z)", "读取器（2026-02-05新增）",
    "读取器 (2026.02.05 - 更新)", "Shelf - 2026-02-05 second reader", "Counts — Week of 2026-02-05",
    "Queue - Generated 2026-02-05", "Week of Feb 5–11, 2026", "读取器（2026-02-05 Session 593 新增 — 在心跳里执行）",
)  # fmt: skip
"""Headings of a day."""
PATHS = (
    "2026-02-05.md", "memory/2026-02-05.md", "memory/2026/02/05.md", "memory/2026/02-05.md", "memory/2026-02/05.md",
    "memory/2026-02/02-05.md", "sessions/session-2026-02-05.md", "2026_02_05.md", "20260205.md",
    "20260205-reader.md", "reader-20260205.md", "reader_2026-02-05_v2.md", "2026-02-05-1430.md", "2026.02.05.md",
    "05-02-2026.md", "2026-02-05/reader.md", "logs/2026-02-05/notes.md", "plan/202602051430_reader/task.md",
    "日记/2026年2月5日.md", "2026年02月05日.md",
)  # fmt: skip
"""Names of files and folders."""


@pytest.mark.parametrize("line", LINES)
def test_an_item_is_of_the_day_that_it_names(line: str) -> None:
    assert day(f"# Reader\n\n## State of the shelf\n\n- {line}\n- other\n", 5) == "2026-02-05"


@pytest.mark.parametrize("line", OTHERS)
def test_a_day_of_something_else_dates_nothing(line: str) -> None:
    assert day(f"# Reader\n\n## State of the shelf\n\n- {line}\n- other\n", 5) == ""


@pytest.mark.parametrize("heading", HEADINGS)
def test_what_stands_under_a_day_is_of_that_day(heading: str) -> None:
    text = f"# Reader\n\n## {heading}\n\n- the second reader\n\n## Other\n\n- x\n"
    assert day(text, 5) == "2026-02-05"


@pytest.mark.parametrize(
    "heading",
    [
        "Deadline: 2026-02-05", "Launch, 2026-02-05", "截止：2026-02-05", "Launch - 2026-02-05 in Bonn",
        "Fair (2026-02-05 to 06)", "Fair (2026-02-05 - 2026-02-06)", "交稿（2026-02-05截止）",
        "与昨日对比 (2026-02-05)",
    ],
)  # fmt: skip
def test_a_heading_of_what_is_to_come_dates_nothing(heading: str) -> None:
    assert day(f"# Reader\n\n## {heading}\n\n- the second reader\n", 5) == ""


@pytest.mark.parametrize("path", PATHS)
def test_what_stands_in_a_file_is_of_the_day_it_is_named_for(path: str) -> None:
    assert day("# Reader\n\n## State\n\n- the second reader\n", 5, path) == "2026-02-05"


LAST = utc(2026, 6, 15, 23, 59, 59)


@pytest.mark.parametrize("text", ["2026-06-15", " 2026-06-15 ", "2026/6/15", "2026年6月15日", "20260615"])
def test_a_day_holds_until_its_last_second(text: str) -> None:
    assert parse_end_moment(text) == LAST


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("2026-06-15T00:00", utc(2026, 6, 15)),
        ("2026-06-15 14:30", utc(2026, 6, 15, 14, 30)),
        ("2026-06-15T14:30:00+02:00", utc(2026, 6, 15, 12, 30)),
        (utc(2026, 6, 15), utc(2026, 6, 15)),
        ("9999-12-31", utc(9999, 12, 31)),
        ("2026-02-30", None),
        ("soon", None),
        (None, None),
        ("", None),
    ],
)
def test_a_moment_is_that_moment_and_no_time_is_none(value: object, at: float | None) -> None:
    assert parse_end_moment(value) == at


def test_it_is_the_local_day_even_where_clocks_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "Europe/Berlin")
    assert parse_end_moment("2026-10-25") == utc(2026, 10, 25, 22, 59, 59)
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    assert parse_end_moment("2026-10-25") == utc(2026, 10, 25, 15, 59, 59)


@pytest.mark.parametrize("now", ["2026-06-15T23:00:00", "2026-03-01T12:00:00"])
def test_what_is_written_is_read_as_the_same_end(now: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", now)
    assert told(LAST) == recorded(LAST) == "2026-06-15"
    assert typed("2026-06-15") == asked("2026-06-15") == LAST
    for at in (utc(2026, 6, 16), utc(2026, 6, 16, 9, 30)):
        assert parse_end_moment(recorded(at)) == at
        # Far ahead a bullet says no more than the day, which is never over too soon.
        assert at <= (parse_end_moment(told(at)) or 0.0) <= at + 86400
    assert clock.format_day(LAST) == "2026-06-15"


@pytest.mark.parametrize(
    ("parser", "text"),
    [
        ("markdown", "- freeze (expires: 2026-06-15)\n"),
        ("markdown", "---\nname: freeze\nexpires: 2026-06-15\n---\n\nfreeze\n"),
        ("facts", json.dumps({"facts": [{"id": "f-1", "fact": "freeze", "expires_at": "2026-06-15"}]})),
        ("daily-jsonl", json.dumps({"id": "log-1", "type": "fact", "content": "freeze", "expires_at": "2026-06-15"})),
    ],
)  # fmt: skip
def test_every_place_that_names_an_end(parser: str, text: str) -> None:
    found: list[Entry] = read(parser, text).entries
    assert {entry.expires for entry in found if entry.expires is not None} == {LAST}


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-3-06.md", "2026-03-06"),
        ("memory/2026-3-6 talk.md", "2026-03-06"),
        ("release-2026.3.13.md", ""),
        ("v2026-3-1.md", ""),
        ("2026-13-06.md", ""),
    ],
)
def test_a_file_may_be_named_for_its_day_without_noughts(path: str, day: str) -> None:
    assert find_path_day(path) == day


def test_what_replaced_something_is_of_the_day_on_which_it_did() -> None:
    text = (
        "# Day\n\n- ~~ask by mail~~ (superseded 2026-05-02 → m-1)\n- tea is in the kitchen\n"
        "- ask in the room <!-- id: m-1 -->\n- ~~seven rooms~~ (superseded 2026-05-02 → m-2)\n"
        "- (2026-05-04) eight rooms <!-- id: m-2 -->\n"
    )
    days = [day(text, line, "2026-04-10.md") for line in (4, 5, 7)]
    assert days == ["2026-04-10", "2026-05-02", "2026-05-04"]
