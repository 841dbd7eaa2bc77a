"""The many ways in which notes say of what day they are, and the days that only stand in them."""

from __future__ import annotations

import pytest

from memtui.core import clock
from tests.parse.reading import read

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
    "于 2026-02-05 完成第二个读取器", "更新于 2026-02-05", "最后更新：2026-02-05", "Last updated: 2026-02-05",
    "*Last updated: February 5, 2026*", "Zweiter Leser hinzugefügt am 05.02.2026",
)  # fmt: skip
"""Items that say when."""
OTHERS = (
    "The deadline is 2026-02-05", "Due 2026-02-05", "Deadline: 2026-02-05", "Expires on 2026-02-05",
    "Certificate expires 2026-02-05", "Launch planned for 2026-02-05", "Release on 2026-02-05",
    "Meeting scheduled for 2026-02-05", "Born 2026-02-05", "Birthday: 2026-02-05", "See notes-2026-02-05.md",
    "Copy `reports/2026-02-05.json` to the shelf", "The model claude-20260205 is used", "计划 2026-02-05 上线",
    "到期：2026-02-05", "Renewal on 2026-02-05",
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
    "Reader @ 2026-02-05", "Reader · 2026-02-05", "Reader: 2026-02-05", "세션 요약 (2026-02-05)",
    "Completed 2026-02-05", "Done on 2026-02-05", "Sprint 3 (Feb 5, 2026)", "Reader (updated Feb 5, 2026)",
    "Reader | 2026-02-05",
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


def day(text: str, line: int, path: str = "notes.md") -> str:
    """The day of the entry on a line; empty: it has none."""
    found = next(one for one in read("markdown", text, path).entries if one.start <= line <= one.last)
    return "" if found.created is None else clock.format_day(found.created)


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


@pytest.mark.parametrize("heading", ["Deadline: 2026-02-05", "Launch, 2026-02-05", "截止：2026-02-05"])
def test_a_heading_of_what_is_to_come_dates_nothing(heading: str) -> None:
    assert day(f"# Reader\n\n## {heading}\n\n- the second reader\n", 5) == ""


@pytest.mark.parametrize("path", PATHS)
def test_what_stands_in_a_file_is_of_the_day_it_is_named_for(path: str) -> None:
    assert day("# Reader\n\n## State\n\n- the second reader\n", 5, path) == "2026-02-05"
