"""What is done and what is still to be done, as lines, cells, labels and headings say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.parse.reading import read

if TYPE_CHECKING:
    from memtui.model import Entry


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
