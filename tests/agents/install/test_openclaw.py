"""OpenClaw: a skill in each workspace, and nothing of its own touched."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from memtui.agents.install.planning import plan_addition
from memtui.agents.install.wiring import Options
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


def test_the_server_is_for_its_own_command(user: Path) -> None:
    words = shlex.split(plan_addition("openclaw", Options()).commands[0])
    assert words[:4] == ["openclaw", "mcp", "set", "memtui"]
    assert json.loads(words[4])["args"][-1] == "mcp"


def test_where_there_is_none_that_is_said(user: Path) -> None:
    (user / ".openclaw" / "workspace").rmdir()
    (user / ".openclaw").rmdir()
    assert any("OpenClaw" in warning for warning in plan_addition("openclaw", Options()).warnings)
