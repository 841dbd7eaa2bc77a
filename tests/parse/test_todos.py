"""What is done and what is still to be done, as lines, cells, labels and headings say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memtui.core.model import Status
from tests.parse.reading import read

if TYPE_CHECKING:
    from memtui.core.model import Entry


def state(text: str, line: int = 0, *, parser: str = "markdown", kind: str = "note") -> str:
    """'open', 'done' or neither, of the entry on a line (the last one of all: 0)."""
    entries = read(parser, text, "2026-03-02.md" if parser == "journal" else "notes.md", kind=kind).entries
    found: Entry = next((one for one in entries if one.start == line), entries[-1])
    if found.extra.get("done"):
        return "done"
    return "open" if found.kind == "todo" else ""


@pytest.mark.parametrize(
    "line",
    [
        "- **Importer pushed, deploy pending:** `4fa1` waits for the window",
        "- **Better fix (not yet done):** pass the flag in the wrapper",
        "- **Deferred: the cache** needs a second reader",
        "DEFERRED: the half that reads",
        "- **P0:** a second provider as fallback",
        "- Mail account for the bot — BACKLOG",
        "- High-priority: rotate the keys",
        "- 低优先级：图表配色",
        "- **剩余：** 等凭证到了再联调",
        "导出已完成。**下一步：** 补分页。",
        "- 摘要由本地函数生成，后续可接入评审服务。",
        "Importer SHIPPED 2026-04-02: merged. Remaining: the second reader.",
        "- **ONGOING**: tidy the shelves",
        "- Need to tell the landlord",
        "- The second reader still needs a test",
        "- Нужно сообщить хозяину",
        "- Осталось: второй читатель",
        "- **Nächster Schritt:** Leser testen",
        "- Second reader (TODO)",
        "- 第二个读取器（待办）",
        "- Leser prüfen → noch offen (braucht Zeit)",
        "- [~] half of the shelves",
        "- 读取器支持文本（TODO：向量）",
        "- Host keys are accepted unseen — TODO: check them",
    ],
)
def test_what_a_line_says_is_still_to_be_done(line: str) -> None:
    assert state(f"# Notes\n\n{line}\n") == "open"


@pytest.mark.parametrize(
    "line",
    [
        "- **Phase 2** (done 2026-03-29): one class instead of forty globals",
        "- **迁移** （已完成）：旧表已删",
        "- Smoke test DONE 2026-07-04: both readers agree",
        "**SHIPPED 2026-08-01:** merged and deployed",
        "RESOLVED: the mount was stale",
        "- readers and writers — done by 2026-04-21",
        "- `reader.py` — already migrated 2026-05-17.",
        "- 读取器 — 已修复 #41",
    ],
)
def test_what_a_line_says_is_done(line: str) -> None:
    assert state(f"# Notes\n\n{line}\n") == "done"


@pytest.mark.parametrize(
    "line",
    [
        "- Fixed width fonts only",
        "- Remaining calm is what the user asks for",
        "- The pending queue is read by two workers",
        "- 后续需求一律先问用户",
        "- 描述：待补充",
        "- FIXED_WIDTH is 80",
        "- #open",
        "- Need to write while another reads? Take a copy.",
        "- **Cities:** Basle (204), Berne (pending)",
        "- **State:** pending → processed",
        "- Нужно время",
        "- The linter counts TODO and FIXME",
    ],
)
def test_what_says_nothing_of_the_kind(line: str) -> None:
    assert state(f"# Notes\n\n{line}\n") == ""


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("Done", "done"), ("Completed tasks (April)", "done"), ("✅ 已完成", "done"),
        ("~~2. 导出~~ ✅ 已完成", "done"),
        ("已修复的问题", "done"), ("Login — RESOLVED ✅", "done"), ("3. Rewind (Future)", "open"),
        ("缓存（待实现）", "open"),
        ("Immediate next steps", "open"),
        ("Next build priorities:", "open"), ("明天要做的事", "open"), ("Pending Actions", "open"),
        ("What it fixed for us", ""),
        ("Offene Punkte für Eva", "open"), ("🎯 Следующие шаги:", "open"), ("Próximos passos", "open"),
        ("残タスク", "open"), ("다음 단계", "open"), ("Current priorities", "open"), ("近期优先级（第一期）", "open"),
        ("Automation follow-up (open)", "open"), ("Erledigt", "done"), ("Готово", "done"), ("完了", "done"),
        ("Recent Completions (last day)", "done"), ("No TODOs remaining", ""), ("Plan for tomorrow", "open"),
        ("Opening hours", ""), ("Offenbach", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("parser", ["markdown", "journal"])
def test_a_heading_tells_of_its_section(heading: str, told: str, parser: str) -> None:
    assert state(f"# Notes\n\n## {heading}\n\n- the second reader\n", parser=parser) == told


def test_the_innermost_heading_decides_and_a_box_says_more() -> None:
    text = "# N\n\n## Next\n\n- a reader\n\n### Done\n\n- a writer\n- [ ] a checker\n\n"
    text += "## Done\n\n### Next steps\n\n- more\n"
    assert [state(text, line) for line in (5, 9, 10, 16)] == ["open", "done", "open", "open"]


def test_a_tick_before_a_rule_or_in_a_heading_praises() -> None:
    assert state("# Notes\n\n## Rules\n\n- ✅ one source of truth\n") == ""
    assert state("# Notes\n\n## Dry run ✅\n\n- the price was right\n") == ""
    assert state("# Notes\n\n- ✅ the price was right\n") == "done"


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("Recommended additions:", "open"),
        ("**待办：**", "open"),
        ("**Done:**", "done"),
        ("推荐测试方案：", "open"),
        ("Ports:", ""),
        ("**Next steps for Eva:**", "open"),
        ("**P2 — Second reader:**", "open"),
        ("**P0 — First reader ✅ DONE:**", "done"),
        ("These are older than any ticket and remain open until somebody asks:", "open"),
    ],
)
def test_a_label_tells_of_its_list(label: str, told: str) -> None:
    assert state(f"# Notes\n\n{label}\n- tests of the parser\n") == told


@pytest.mark.parametrize(
    ("cell", "told"),
    [("✅", "done"), ("✅ 已完成", "done"), ("Resolved", "done"), ("失败", "done"),
     ("⏳ 待接入", "open"), ("blocked", "open"),
     ("✅ 稳定", ""), ("closed circuit", "")],
)  # fmt: skip
def test_a_cell_says_how_far_it_is(cell: str, told: str) -> None:
    assert state(f"# Notes\n\n| what | state |\n|--|--|\n| reader | {cell} |\n") == told


def test_a_column_of_signs_tells_where_something_is_lacking() -> None:
    table = "# N\n\n| what | 当前状态 |\n|--|--|\n| reader | ✅ two passes |\n| writer | ❌ {} |\n"
    lacking, broken = table.format("缺第二个"), table.format("broken on Windows")
    assert [state(lacking, line) for line in (5, 6)] == ["done", "open"]
    assert [state(broken, line) for line in (5, 6)] == ["", ""]
    assert state("# N\n\n## TODO\n\n| what | result |\n|--|--|\n| reader | ✅ removed |\n") == "done"


def test_within_one_memory_its_parts_are_to_be_done_and_their_reasons_are_not() -> None:
    text = "---\nname: a\ndescription: d\n---\n\nRecommended additions:\n\n- a reader\n\nIt is so.\n\n"
    text += "## Next steps\n\n- a writer\n\n**Why:** the disk is full\n"
    assert [state(text, line, kind="topic") for line in (8, 10, 14, 16)] == ["open", "", "open", ""]


def test_boxes_of_a_rule_are_asked_each_time_unless_some_are_ticked() -> None:
    assert state("# R\n\n- [ ] do the tests pass?\n- [ ] is it read?\n", 3, kind="rule") == ""
    mixed = "# R\n\n- [ ] write the reader\n- [x] write the writer\n\n## TODO\n\n- [ ] write the checker\n"
    assert [state(mixed, line, kind="rule") for line in (3, 4, 8)] == ["open", "done", "open"]


@pytest.mark.parametrize(
    "heading",
    [
        "待核对事项", "待核实项（延续）", "待讨论问题", "Immediate Priorities", "Focus going forward",
        "Open follow-on tickets (Jira)",
    ],
)  # fmt: skip
def test_more_headings_of_what_is_to_be_done(heading: str) -> None:
    assert state(f"# N\n\n## {heading}\n\n1. **Readers.** two of them\n", 5) == "open"


def test_what_is_not_to_be_done() -> None:
    assert state("# N\n\n## 待遇问题\n\n- 两个人\n", 5) == ""
    assert state("# N\n\n- ⚠️ Need to measure the reader again\n- ⚠️ The reader is slow\n", 3) == "open"
    assert state("# N\n\n- ⚠️ The reader is slow\n", 3) == ""


@pytest.mark.parametrize(
    ("status", "expected"),
    [("pending", "open"), ("in_progress", "open"), ("resolved", "done"), ("promoted", "done"), ("odd", "")],
)
def test_what_a_record_suggests_is_as_far_as_the_record(status: str, expected: str) -> None:
    text = (
        "# Learnings\n\n## [LRN-20260302-001] correction\n\n"
        f"**Logged**: 2026-03-02T10:00:00Z\n**Priority**: low\n**Status**: {status}\n**Area**: till\n\n"
        "### Summary\nThe till rounds down\n\n### Suggested Action\nRound half up in the receipt\n"
    )
    assert state(text) == expected
    assert state(text.replace("[LRN-20260302-001]", "Of the till:")) == ""


@pytest.mark.parametrize(
    ("path", "status", "archived"),
    [
        (".claude/plans/till.md", "done", True),
        ("plans/2026-03-02.md", '"Completed"', True),
        ("plans/till.md", "in progress", False),
        ("notes/till.md", "done", False),
    ],
)
def test_a_plan_whose_frontmatter_says_that_it_is_done_is_put_away(
    path: str, status: str, archived: bool
) -> None:
    text = f"---\nstatus: {status}\nslug: till\n---\n\n# Till\n\nCount the drawer twice.\n"
    entries = read("markdown", text, path).entries
    assert {entry.status is Status.ARCHIVED for entry in entries} == {archived}
