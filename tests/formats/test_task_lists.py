"""Lists of tasks: what their headings and labels are near to, what stands among their items, columns of states."""

from __future__ import annotations

import pytest

from tests.formats.test_todos import state


@pytest.mark.parametrize(
    "heading",
    [
        "查看待办",
        "待办事项检查",
        "Recommended reading",
        "Suggested Action",
        "Recommended steps to deploy",
        "Suggested fixes for common errors",
        "修复建议",
        "Main blockers of the old design",
        "Test plan",
        "Action",
        "使用建议",
        "训练计划",
    ],
)
def test_what_is_only_near_to_it_is_not(heading: str) -> None:
    assert state(f"# N\n\n## {heading}\n\n1. **Readers.** two of them\n", 5) == ""


def test_tasks_below_what_is_to_be_done_are_those() -> None:
    text = (
        "# N\n\n## 下一步\n\n### 计划任务\n\n- 第二个读取器\n\n### T9 - 复盘任务\n\n- 每天一次\n\n## 任务\n\n- 第三个\n"
    )
    assert [state(text, line) for line in (7, 11, 15)] == ["open", "", ""]


def test_among_what_is_left_some_says_that_it_was_done() -> None:
    text = "# N\n\n## 待办\n\n- 已复制模板\n- 已复制一半，但还没测试\n- 见 `todo.md`\n- **待办**: 见 `todo.md`\n"
    assert [state(text, line) for line in (5, 6)] == ["done", "open"]
    assert state("# N\n\n## 待办\n\n- 已安装的插件清单整理\n", 5) == "open"
    assert state("# N\n\n- TODO: see `worker.py` and fix the race\n- x\n", 3) == "open"
    assert state("# N\n\n- **待办**: 见 `todo.md`\n- x\n", 3) == ""
    done = "# N\n\n## 待验证\n\n**已执行操作（可能要回滚）**：\n- 第二个读取器改了名\n"
    assert state(done, 6) == "done"


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("**未修复** — 读两遍", "open"), ("待验证", "open"), ("已补齐边界，待 Ana 评估", "open"),
        ("已完成，待办清空", "done"), ("Done, awaiting review", "open"), ("已完成，等待验证", "open"),
        ("待执行 (要人按)", "open"), ("In progress — Ana", "open"),
        ("blocked - waits for keys", "open"), ("Done (by hand)", "done"), ("待定", ""),
        ("不修复 — 无关", ""),
    ],
)  # fmt: skip
def test_a_column_of_states_says_so_before_it_says_more(cell: str, told: str) -> None:
    assert state(f"# N\n\n| what | 状态 |\n|--|--|\n| reader | {cell} |\n") == told
    if cell[0] in "*待":
        assert state(f"# N\n\n| what | phone |\n|--|--|\n| reader | {cell} |\n") == ""


def test_the_last_of_several_such_columns_decides() -> None:
    text = "# N\n\n| who | 会话状态 | 首次结果 | 回复状态 |\n|--|--|--|--|\n"
    text += "| Ana | ✅ 活跃 | ⏳ 超时 | ✅ 已确认 |\n| Bo | ✅ 活跃 | ✅ 成功 | ⏳ 待确认 |\n"
    assert [state(text, line) for line in (5, 6)] == ["", "open"] or [state(text, 5), state(text, 6)] == [
        "done",
        "open",
    ]
