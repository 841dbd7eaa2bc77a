"""The daily note, merged by minute and project, and the avoidance gate."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.hooks import hook_process, run
from memtui.core.config import CaptureConfig, Config
from tests.agents.hooks.payloads import checked, stdin

NOW = "2026-02-10T14:30:05Z"

RULE = """
[[rule]]
id = "no-sleep"
action = "{}"
message = "Wait for the event."
paths = ["*.py"]
pattern = "sleep"
"""


@pytest.fixture(autouse=True)
def at_half_past_two(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)


def edited(cwd: Path, *names: str, tool: str = "Edit", agent: str = "claude-code", **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for name in names:
        given = {"file_path": str(cwd / name), "old_string": "x", "new_string": "y"}
        told = {"tool_name": tool, "tool_input": given, **more}
        answer = checked(
            run("PostToolUse", stdin("PostToolUse", cwd, agent, **told), Config(), agent=agent), "PostToolUse", agent
        )
    assert not [one for one in hook_process.list_fired_hooks() if one.failures], hook_process.list_fired_hooks()
    return answer


def day(home: Path) -> str:
    file = home / "daily" / "2026-02-10.md"
    return file.read_text(encoding="utf-8") if file.exists() else ""


def test_one_entry_a_minute_and_project(demo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited(demo, "src/a.py", "src/b.py", "src/a.py")
    monkeypatch.setenv("MEMTUI_NOW", "2026-02-10T14:31:05Z")
    edited(demo, "src/a.py")
    assert day(home) == (
        "# 2026-02-10\n\n> 自动生成的每日开发笔记\n\n"
        "## 14:30 - 项目: demo\n- **文件**: `src/a.py`, `src/b.py`\n\n"
        "## 14:31 - 项目: demo\n- **文件**: `src/a.py`\n"
    )


def test_projects_have_their_own_entries(demo: Path, home: Path) -> None:
    other = demo.parent / "shop"
    other.mkdir()
    edited(demo, "a.py")
    edited(other, "a.py")
    edited(demo, "b.py", "a.py")
    found = re.findall(r"^## 14:30 - 项目: (\w+)\n((?:- .*\n)+)", day(home), re.MULTILINE)
    assert [(name, re.findall(r"`(.+?)`", lines)) for name, lines in found] == [
        ("demo", ["a.py"]),
        ("shop", ["a.py"]),
        ("demo", ["b.py"]),
    ]


def test_an_ignored_project_has_no_notes(demo: Path, home: Path) -> None:
    (home / "config.json").write_text(
        '{"ignored_projects": ["demo"], "project_name_map": {"work/shop": "demo"}}', encoding="utf-8"
    )
    other = demo.parent / "shop"
    other.mkdir()
    edited(demo, "a.py")
    edited(other, "a.py")
    assert day(home) == ""
    (home / "config.json").write_text('{"ignored_projects": ["other"]}', encoding="utf-8")
    edited(demo, "a.py")
    assert "项目: demo" in day(home)


@pytest.mark.parametrize(("version", "blocks"), [("", True), ('"antd": "^3.26.0"', True), ('"antd": "^5.1.0"', False)])
def test_a_frontend_project_has_the_rules_of_antd(demo: Path, home: Path, version: str, blocks: bool) -> None:
    (demo / "a.jsx").write_text('import { Modal } from "antd";\nconst A = <Modal open={true} />;\n', "utf-8")
    if version:
        (demo / "package.json").write_text(f'{{"dependencies": {{{version}}}}}', "utf-8")
    elif "antd3" in str(edited(demo, "a.jsx", tool="Write")):
        pytest.fail("nobody said that it is one")
    (home / "config.json").write_text('{"frontend_projects": ["demo"]}', encoding="utf-8")
    assert ("antd3-open" in str(edited(demo, "a.jsx", tool="Write"))) is blocks


def test_a_line_of_files_goes_on_and_no_other(demo: Path, home: Path) -> None:
    edited(demo, "a.py")
    file = home / "daily" / "2026-02-10.md"
    file.write_text(day(home) + "- **要点**: 手写\n", encoding="utf-8")
    edited(demo, "b.py", "c.py")
    assert day(home).endswith("- **文件**: `a.py`\n- **要点**: 手写\n- **文件**: `b.py`, `c.py`\n")


def test_what_stood_there_stays(demo: Path, home: Path) -> None:
    before = "# 2026-02-10\n\n## 09:00 - 项目: demo\n- **要点**: 手写 `x`"
    (home / "daily" / "2026-02-10.md").write_text(before, encoding="utf-8")
    edited(demo, "a.py")
    assert day(home).startswith(before + "\n") and day(home).count("`a.py`") == 1


def test_the_form_is_the_homes_own(demo: Path, _own_user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_HOME", str(_own_user / "mine"))
    edited(demo, "src/a.py", "src/b.py", "src/a.py")
    lines = day(_own_user / "mine").splitlines()
    assert [line.partition(" #")[0].partition(" (source")[0] for line in lines] == [
        "- 2026-02-10T14:30:05Z [note] demo: edited `src/a.py`",
        "- 2026-02-10T14:30:05Z [note] demo: edited `src/b.py`",
    ]


def test_codex_patches_name_every_file(demo: Path, _own_user: Path) -> None:
    said = run("PostToolUse", stdin("PostToolUse", demo, "codex"), Config(), agent="codex")
    assert checked(said, "PostToolUse", "codex") == {}
    (line,) = day(_own_user / ".memtui").splitlines()
    assert re.findall(r"`(.+?)`", line) == ["src/a.py", "src/new.py", "src/old.py", "src/from.py", "src/to.py"]


@pytest.mark.parametrize(
    "more",
    [
        {"agent_id": "a1"},
        {"tool": "Read"},
        {"tool": "Bash"},
        {"tool_response": {"success": False}},
        {"tool_response": {"is_error": True, "content": "no"}},
    ],
    ids=["sub-agent", "Read", "Bash", "failed", "error"],
)
def test_nothing_is_noted(more: dict[str, Any], demo: Path, home: Path) -> None:
    edited(demo, "a.py", **more)
    assert day(home) == ""


def test_memories_are_no_work_on_the_project(demo: Path, home: Path) -> None:
    edited(demo, str(home / "MEMORY.md"), str(home / "areas/projects/demo/rules.md"))
    assert day(home) == ""


@pytest.mark.parametrize(
    "capture", [Config().capture._replace(enabled=False), Config().capture._replace(daily=False)], ids=["all", "daily"]
)
def test_it_can_be_switched_off(capture: CaptureConfig, demo: Path, home: Path) -> None:
    config = Config(capture=capture)
    run("PostToolUse", stdin("PostToolUse", demo), config, agent="claude-code")
    assert day(home) == ""


@pytest.mark.parametrize(
    "name",
    [
        "a`b`.py", "a\nb.py", "## 14:30 - 项目: shop.py", "x\u202eyp.py", "- **文件**: `z`.py", "中文 名.py",
        "é.py",
    ],
)  # fmt: skip
def test_names_of_files_are_hostile(name: str, demo: Path, home: Path) -> None:
    edited(demo, name, name)
    body = day(home).partition("笔记\n")[2]
    assert body.count("\n## ") == 1 and body.count("\n- ") == 1 and len(body.splitlines()) == 3
    assert "\u202e" not in body


def test_secrets_in_names_are_masked_once(demo: Path, home: Path) -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    edited(demo, f"{token}.py", f"{token}.py")
    assert token not in day(home) and day(home).count("**文件**") == 1


def test_a_rule_that_blocks_has_it_mended(demo: Path, home: Path) -> None:
    (demo / ".memtui").mkdir()
    rule = RULE
    (demo / ".memtui" / "avoid.toml").write_text(rule.format("block"), encoding="utf-8")
    (demo / "a.py").write_text("y = sleep(1)\n", encoding="utf-8")
    answer = edited(demo, "a.py", tool="Write")
    assert answer["decision"] == "block" and "Wait for the event." in answer["reason"]
    assert "`a.py`" in day(home)
    assert edited(demo, "a.py", tool="Write", agent="codex")["decision"] == "block"
    (demo / ".memtui" / "avoid.toml").write_text(rule.format("warn"), encoding="utf-8")
    answer = edited(demo, "a.py", tool="Write")
    assert "decision" not in answer
    assert "Wait for the event." in answer["hookSpecificOutput"]["additionalContext"]
    config = Config(hooks=Config().hooks._replace(avoid=False))
    assert run("PostToolUse", stdin("PostToolUse", demo), config) == ""


def test_the_gate_answers_when_the_note_cannot_be_written(demo: Path, home: Path) -> None:
    (demo / ".memtui").mkdir()
    rule = RULE.format("block")
    (demo / ".memtui" / "avoid.toml").write_text(rule, encoding="utf-8")
    (demo / "a.py").write_text("y = sleep(1)\n", encoding="utf-8")
    (home / "daily").rmdir()
    (home / "daily").write_text("a file where a directory should be", encoding="utf-8")
    given: dict[str, Any] = {
        "tool_name": "Write",
        "tool_input": {"file_path": str(demo / "a.py"), "content": "y = sleep(1)\n"},
    }
    answer = checked(run("PostToolUse", stdin("PostToolUse", demo, **given), Config()), "PostToolUse")
    assert answer["decision"] == "block"
    (one,) = hook_process.list_fired_hooks()
    assert one.failures == 1
