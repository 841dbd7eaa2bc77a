"""Signal reports (spec 002): rows, bullets and headings of signals with their numbers, prose as notes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.model import Layer
from tests.parse.reading import check_lines, read, utc

PATH = "evolution/signal_report_latest.md"


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "UTC")


def test_a_gate_is_no_task_of_anybody() -> None:
    text = "# Signal report\n\n## Gates for new capabilities\n\n- [x] skills may be made: on\n- [ ] lately: 1 of 5\n"
    assert {entry.kind for entry in read("report", text, PATH, layer=Layer.EVOLUTION).entries} == {"note"}


def test_a_table_in_chinese_gives_signals_that_can_be_sorted() -> None:
    text = (
        "# 信号分析报告\n\n> 生成时间: 2026-02-26 10:00\n\n## 信号统计\n\n"
        "| 信号 | 次数 | 优先级 | 状态 | 最后出现 | 建议 |\n|---|---|---|---|---|---|\n"
        "| environment_issue | 5 | CRITICAL | active | 2026-02-25 | 写脚本 |\n"
        "| `user_correction` | 3 次 | 🔴 高 | 已抑制 | - | |\n\n考虑为 environment_issue 生成能力。\n"
    )
    parsed = read("report", text, PATH, layer=Layer.EVOLUTION)
    made, first, second, prose = parsed.entries
    assert (made.kind, made.created) == ("note", utc(2026, 2, 26, 10))
    assert (first.kind, first.start, first.heading) == ("signal", 9, ("信号分析报告", "信号统计"))
    assert first.extra == {
        "signal": "environment_issue",
        "count": 5,
        "priority": "critical",
        "status": "active",
        "last_seen": "2026-02-25",
        "建议": "写脚本",
    }
    assert first.updated == utc(2026, 2, 25)
    assert first.text == "environment_issue: 5×, critical, active, last seen 2026-02-25 · 写脚本"
    told = {name: second.extra.get(name) for name in ("signal", "count", "priority", "status", "last_seen")}
    assert told == {
        "signal": "user_correction", "count": 3, "priority": "high", "status": "suppressed", "last_seen": None,
    }  # fmt: skip
    assert (prose.kind, prose.created) == ("note", utc(2026, 2, 26, 10))
    check_lines(parsed)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "- **environment_issue + dependency_issue**: 3 次 [high] (active)",
            {
                "signal": "environment_issue + dependency_issue",
                "count": 3,
                "priority": "high",
                "status": "active",
            },
        ),
        (
            "- `session_had_errors`: 4 occurrences, last seen 2026-02-24, priority: high",
            {"signal": "session_had_errors", "count": 4, "priority": "high", "last_seen": "2026-02-24"},
        ),
        (
            "* capability_gap (count=2, priority=normal, status=addressed)",
            {"signal": "capability_gap", "count": 2, "priority": "normal", "status": "addressed"},
        ),
        (
            "1. 🔴 [CRITICAL] test_failure: 5 of the last 8 sessions",
            {"signal": "test_failure", "count": 5, "priority": "critical"},
        ),
        ("- error: 7", {"signal": "error", "count": 7}),
        ("- user_correction ×4", {"signal": "user_correction", "count": 4}),
    ],
)
def test_bullets(line: str, told: dict[str, object]) -> None:
    (entry,) = read("report", f"{line}\n", PATH).entries
    assert (entry.kind, entry.extra) == ("signal", told)
    assert str(told["signal"]) in entry.text


def test_fields_below_a_heading_are_one_signal() -> None:
    text = (
        "## Patterns\n\n### 1. environment_issue [CRITICAL]\n- **Count**: 5\n- **Status**: active\n"
        "- Suggested: a skill\n- **Last seen**: 2026-02-28\n\n### import_path_error\n- 次数: 3\n"
    )
    signal, note, other = read("report", text, PATH).entries
    assert (signal.kind, signal.start, signal.end, signal.updated) == ("signal", 3, 7, utc(2026, 2, 28))
    assert signal.extra == {
        "signal": "environment_issue", "count": 5, "priority": "critical", "status": "active",
        "last_seen": "2026-02-28",
    }  # fmt: skip
    assert (note.kind, note.text) == ("note", "Suggested: a skill")
    assert (other.extra, other.text) == ({"signal": "import_path_error", "count": 3}, "import_path_error: 3×")


@pytest.mark.parametrize(
    "prose",
    [
        "- 总会话数: 12",
        "The last 3 sessions failed.",
        "- create a skill for build_error",
        "| 项目 | 次数 |\n|---|---|\n| shop | 3 |",
    ],
)
def test_what_names_no_signal_with_a_number_is_a_note(prose: str) -> None:
    assert {entry.kind for entry in read("report", f"{prose}\n", PATH).entries} == {"note"}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.text("a_b|-*`[]()#: 59×次信号\n状态", max_size=30)
        | st.sampled_from(["### a_b [HIGH]", "- 次数: 5", "| 信号 | 次数 |", "|--|--|", "| a_b | 9 |"]),
        max_size=12,
    )
)
def test_anything_may_stand_in_a_report(lines: list[str]) -> None:
    check_lines(read("report", "\n".join(lines), PATH))
