"""Cursor: hooks beside those of others, the MCP server, a rule or a skill; all of it comes and goes to the byte."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.hooks import run
from memtui.agents.install.cursor_install import EVENTS
from memtui.agents.install.planning import list_installations, plan_addition
from memtui.agents.install.wiring import Options
from memtui.consolidation import worker
from memtui.core.config import Config
from memtui.core.errors import RefusedError
from tests.agents.install.conftest import back, put, tree

THEIRS = '{\n  "version": 1,\n  "hooks": {\n    "stop": [\n      {"command": "./audit.sh"}\n    ]\n  }\n}\n'


def hooks(file: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads(file.read_text("utf-8"))["hooks"]
    return found


def test_for_the_user_it_comes_and_goes(user: Path, project: Path) -> None:
    file = user / ".cursor/hooks.json"
    file.write_text(THEIRS, "utf-8")
    (user / ".cursor/mcp.json").write_text('{"mcpServers": {"git": {"command": "git-mcp"}}}', "utf-8")
    before = tree(user)
    put("cursor")
    made = hooks(file)
    assert made.keys() == {theirs for theirs, _ours, _seconds in EVENTS}
    assert made["stop"][0] == {"command": "./audit.sh"}
    assert made["sessionEnd"][0]["command"].endswith(" hook SessionEnd --agent cursor")
    assert json.loads((user / ".cursor/mcp.json").read_text("utf-8"))["mcpServers"]["memtui"]["args"][-1] == "mcp"
    assert (user / ".cursor/skills/memtui/SKILL.md").is_file()
    assert not plan_addition("cursor", Options()).files
    assert ("cursor", "complete") in {(one.agent, one.state) for one in list_installations()}
    back("cursor")
    assert tree(user) == before


def test_a_project_gets_a_rule(project: Path) -> None:
    before = tree(project)
    put("cursor", scope="project")
    rule = (project / ".cursor/rules/memtui.mdc").read_text("utf-8")
    assert rule.startswith("---\ndescription: ") and "alwaysApply: true" in rule and "memory_search" in rule
    back("cursor", scope="project")
    assert tree(project) == before


def test_what_somebody_wrote_since_stays(user: Path, project: Path) -> None:
    put("cursor")
    file = user / ".cursor/hooks.json"
    said = json.loads(file.read_text("utf-8"))
    said["hooks"]["stop"].append({"command": "./mine.sh"})
    file.write_text(json.dumps(said), "utf-8")
    back("cursor")
    assert json.loads(file.read_text("utf-8")) == {"version": 1, "hooks": {"stop": [{"command": "./mine.sh"}]}}


@pytest.mark.parametrize("text", ['{"hooks": []}', '{"hooks": {"stop": {}}}', "[]", "{ // so\n}"])
def test_what_is_no_file_of_hooks_is_left_alone(user: Path, project: Path, text: str) -> None:
    (user / ".cursor/hooks.json").write_text(text, "utf-8")
    with pytest.raises(RefusedError):
        plan_addition("cursor", Options())


def test_a_rule_of_somebody_else_is_left_alone(project: Path) -> None:
    (project / ".cursor/rules").mkdir(parents=True)
    (project / ".cursor/rules/memtui.mdc").write_text("mine\n", "utf-8")
    with pytest.raises(RefusedError, match="somebody else"):
        plan_addition("cursor", Options("", "project"))


def test_what_it_says_is_understood(user: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_WORKER", "off")
    mine = user / ".memtui"
    (mine / "user").mkdir(parents=True)
    (mine / "MEMORY.md").write_text("# MEMORY\n\n## 偏好\n- 测试一律用 pytest\n", "utf-8")
    said = {"conversation_id": "c-1", "generation_id": "g-1", "workspace_roots": [str(project)]}
    started = json.loads(run("SessionStart", json.dumps(said), Config(), agent="cursor"))
    assert started.keys() == {"additional_context"} and "pytest" in started["additional_context"]
    edit = {**said, "file_path": str(project / "a.py"), "edits": [{"old_string": "x", "new_string": "y"}]}
    assert run("PostToolUse", json.dumps(edit), Config(), agent="cursor") == ""
    (day,) = (mine / "daily").glob("*.md")
    assert "shop: edited `a.py`" in day.read_text("utf-8")


def test_a_sessions_end_is_a_record_of_the_skills(user: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec 004: what Cursor's own transcript tells, with what it attached left out, and the end."""
    monkeypatch.setenv("MEMTUI_WORKER", "off")
    data = project / ".cursor/skills/memory-data"
    (data / "daily").mkdir(parents=True)
    (data / "MEMORY.md").write_text("# 核心记忆\n\n## 用户偏好\n", "utf-8")
    own = "c0ffee00-1111-4222-8333-444444444444"
    prompt = "<attached_files>\nIgnore this\n</attached_files>\n<user_query>\n把事件总线换成 NATS\n</user_query>"
    told = [
        ("user", [{"type": "text", "text": prompt}]),
        ("assistant", [{"type": "tool_use", "name": "Write", "input": {"file_path": "bus.ts"}}]),
        ("assistant", [{"type": "text", "text": "我们决定用 NATS，因为更简单。测试全部通过。"}]),
    ]
    file = user / ".cursor/projects/shop/agent-transcripts" / own / f"{own}.jsonl"
    file.parent.mkdir(parents=True)
    lines = [json.dumps({"role": role, "message": {"content": said}}) for role, said in told]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    said = {"conversation_id": own, "generation_id": "g-1", "workspace_roots": [str(project)]}
    ended = {**said, "reason": "completed", "transcript_path": str(file)}
    assert run("SessionEnd", json.dumps(ended), Config(), agent="cursor") == ""
    assert worker.drain(Config()) == 1
    (record,) = (json.loads(line) for line in (data / "sessions.jsonl").read_text("utf-8").splitlines())
    assert record["session_id"] == own and record["topic"] == "把事件总线换成 NATS"
    assert any("NATS" in one and "更简单" in one for one in record["decisions"])
    (day,) = (data / "daily").glob("*.jsonl")
    assert '"session_end"' in day.read_text("utf-8")
