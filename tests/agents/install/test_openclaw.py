"""OpenClaw: a skill in each workspace, and nothing of its own touched."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from memtui.agents.install.planning import plan_addition
from memtui.agents.install.wiring import Options
from memtui.layouts import Surroundings
from memtui.layouts.openclaw import LAYOUT
from tests.agents.install.conftest import back, put, tree

if TYPE_CHECKING:
    from pathlib import Path


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
