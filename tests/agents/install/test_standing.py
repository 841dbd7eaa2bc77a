"""What Health and doctor are told of what is installed.

OpenClaw: a skill in each workspace, and nothing of its own touched.
"""

from __future__ import annotations

import json
import shlex
import stat
from pathlib import Path

import pytest

from memtui.agents.install.planning import list_installations, plan_addition
from memtui.agents.install.wiring import Options
from memtui.layouts import Surroundings
from memtui.layouts.openclaw import LAYOUT
from tests.agents.install.conftest import back, put, tree


def test_at_least_one_answer_for_each_agent(user: Path) -> None:
    before = tree(user)
    assert [(one.agent, one.state) for one in list_installations()] == [
        ("claude-code", "missing"),
        ("codex", "missing"),
        ("openclaw", "missing"),
        ("cursor", "missing"),
    ]
    assert tree(user) == before


def test_whole_when_just_made(user: Path, project: Path) -> None:
    put("claude-code", "settings")
    put("claude-code", "settings", "project")
    put("codex")
    put("openclaw")
    put("cursor")
    found = list_installations()
    assert [(one.agent, one.how, one.scope) for one in found] == [
        ("claude-code", "settings", "user"),
        ("claude-code", "settings", "project"),
        ("codex", "hooks", "user"),
        ("openclaw", "skill", "user"),
        ("cursor", "hooks", "user"),
    ]
    # Codex runs none of its hooks until a person trusts them.
    assert [one.state for one in found] == ["complete", "complete", "partly", "complete", "complete"], found
    assert "Codex runs 0 of" in found[2].why


def test_whole_though_another_memtui_made_it(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = user / "bin" / "memtui"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n", encoding="utf-8")
    other.chmod(other.stat().st_mode | stat.S_IXUSR)
    with monkeypatch.context() as patched:
        patched.setattr("memtui.agents.install.wiring.find_program", lambda: (str(other),))
        put("claude-code", "settings")
    assert next((one.state, one.command) for one in list_installations()) == ("complete", str(other))
    other.unlink()
    found = list_installations()[0]
    assert (found.state, str(other) in found.why) == ("broken", True)


def test_a_part_that_is_gone_is_named(user: Path) -> None:
    put("claude-code", "settings")
    settings = user / ".claude" / "settings.json"
    settings.write_text(settings.read_text("utf-8").replace('"SessionEnd"', '"Setup"'), encoding="utf-8")
    found = list_installations()[0]
    assert (found.state, "settings.json" in found.why) == ("partly", True)


def test_files_nobody_can_read_are_no_fault(user: Path) -> None:
    (user / ".claude" / "settings.json").write_bytes(b"\xff\xfe nonsense")
    (user / ".codex" / "config.toml").write_bytes(b"\xff\xfe nonsense")
    (user / ".codex" / "hooks.json").mkdir()
    assert {one.state for one in list_installations()} == {"missing"}


def test_the_skill_comes_and_goes(user: Path) -> None:
    (user / ".openclaw" / "openclaw.json").write_text(
        "{ // JSON5\n plugins: {slots: {memory: 'x'}} }", encoding="utf-8"
    )
    (user / ".openclaw" / "workspace" / "MEMORY.md").write_text("# Memory\n", encoding="utf-8")
    (user / ".openclaw" / "workspace-work").mkdir()
    before = tree(user)
    put("openclaw")
    made = {path for path, data in tree(user).items() if data is not None and path not in before}
    assert made == {f".openclaw/{name}/skills/memtui/SKILL.md" for name in ("workspace", "workspace-work")}
    assert {path: data for path, data in tree(user).items() if path in before} == before
    back("openclaw")
    assert tree(user) == before


def test_a_workspace_that_its_settings_put_elsewhere(user: Path) -> None:
    """As the real `openclaw setup --workspace` leaves them: it is found, and the skill stands where the agent looks."""
    (user / ".openclaw" / "workspace").rmdir()
    (user / "desk" / "memory").mkdir(parents=True)
    (user / "desk" / "SOUL.md").write_text("# Soul\n\nBe kind.\n", encoding="utf-8")
    settings = '{ agents: { defaults: {workspace: \'~/desk\'}, // mine\n entries: {main: {"workspace": "~/desk"}} } }'
    (user / ".openclaw" / "openclaw.json").write_text(settings, encoding="utf-8")
    put("openclaw")
    assert (user / "desk/skills/memtui/SKILL.md").is_file() and not (user / ".openclaw/workspace").exists()
    found = LAYOUT.find(Surroundings(user, user, {}, ()))
    assert [home.path for home in found] == [(user / "desk").resolve()]


def test_the_server_is_for_its_own_command(user: Path) -> None:
    words = shlex.split(plan_addition("openclaw", Options()).commands[0])
    assert words[:4] == ["openclaw", "mcp", "set", "memtui"]
    assert json.loads(words[4])["args"][-1] == "mcp"


def test_where_there_is_none_that_is_said(user: Path) -> None:
    (user / ".openclaw" / "workspace").rmdir()
    (user / ".openclaw").rmdir()
    assert any("OpenClaw" in warning for warning in plan_addition("openclaw", Options()).warnings)
