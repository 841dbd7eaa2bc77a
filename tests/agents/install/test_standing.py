"""What Health and doctor are told of what is installed."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from memtui.agents.install import list_installations
from tests.agents.install.conftest import put, tree

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


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
