"""The plugin as Claude Code's own validator would look at it, strictly, by the documented shapes."""

from __future__ import annotations

import json
import re
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.install import claude_install, wiring
from memtui.agents.install.planning import list_installations
from tests.agents.install.conftest import back, put, tree
from tests.homes import write_files

EVENTS = {
    "SessionStart", "Setup", "UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PermissionRequest",
    "PermissionDenied", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Notification",
    "MessageDisplay", "SubagentStart", "SubagentStop", "TaskCreated", "TaskCompleted", "Stop",
    "StopFailure", "TeammateIdle", "InstructionsLoaded", "ConfigChange", "CwdChanged", "DirectoryAdded",
    "FileChanged", "WorktreeCreate", "WorktreeRemove", "PreCompact", "PostCompact", "Elicitation",
    "ElicitationResult", "SessionEnd",
}  # fmt: skip
NO_MATCHER = {"UserPromptSubmit", "Stop"}
MANIFEST = {
    "name", "displayName", "version", "description", "author", "homepage", "repository", "license",
    "keywords", "skills", "commands", "agents", "hooks", "mcpServers", "outputStyles", "userConfig",
    "dependencies", "defaultEnabled",
}  # fmt: skip
HANDLER = {"type", "command", "args", "if", "timeout", "statusMessage", "async", "asyncRewake", "shell"}
FRONTMATTER = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
VERSION = re.compile(r"\d+\.\d+\.\d+([-+][0-9A-Za-z.-]+)?")


def faults(root: Path) -> list[str]:
    """What a strict validator has against a marketplace and the plugins in it; a warning counts."""
    found = []
    market = json.loads((root / ".claude-plugin" / "marketplace.json").read_bytes())
    found += [f"marketplace: {key}" for key in set(market) - {"name", "owner", "metadata", "plugins"}]
    if not NAME.fullmatch(market.get("name", "")) or not market.get("owner", {}).get("name"):
        found.append("marketplace: name, owner")
    if not market.get("metadata", {}).get("description"):
        found.append("marketplace: no description")
    for entry in market["plugins"]:
        source = entry.get("source", "")
        if not source.startswith("./") or ".." in source or not (root / source).is_dir():
            found.append(f"marketplace: source {source}")
            continue
        found += plugin_faults(root / source, entry)
    return found


def plugin_faults(root: Path, entry: dict[str, Any]) -> list[str]:
    manifest = json.loads((root / ".claude-plugin" / "plugin.json").read_bytes())
    found = [f"plugin.json: {key}" for key in set(manifest) - MANIFEST]
    if not NAME.fullmatch(manifest.get("name", "")) or manifest["name"] != entry.get("name"):
        found.append("plugin.json: name")
    if not VERSION.fullmatch(manifest.get("version", "")) or manifest["version"] != entry.get("version"):
        found.append("plugin.json: version")
    if not manifest.get("description") or not isinstance(manifest.get("author", {}).get("name"), str):
        found.append("plugin.json: description, author")
    if [path.name for path in (root / ".claude-plugin").iterdir()] != ["plugin.json"]:
        found.append(".claude-plugin holds more than the manifest")
    found += hooks_faults(json.loads((root / "hooks" / "hooks.json").read_bytes()))
    servers = json.loads((root / ".mcp.json").read_bytes())
    if list(servers) != ["mcpServers"] or any(
        not isinstance(one.get("command"), str) or not all(isinstance(word, str) for word in one["args"])
        for one in servers["mcpServers"].values()
    ):
        found.append(".mcp.json")
    for path in (root / "skills").rglob("SKILL.md"):
        found += skill_faults(path)
    return found


def hooks_faults(said: dict[str, Any]) -> list[str]:
    found = [f"hooks.json: {key}" for key in set(said) - {"hooks", "description"}]
    for event, groups in said["hooks"].items():
        if event not in EVENTS or not isinstance(groups, list):
            found.append(f"hooks.json: {event}")
            continue
        for group in groups:
            if set(group) - {"matcher", "hooks"} or ("matcher" in group and event in NO_MATCHER):
                found.append(f"hooks.json: {event}: {set(group)}")
            re.compile(group.get("matcher", ""))
            found += [f"hooks.json: {event}: {one}" for one in group["hooks"] if not handler_fits(event, one)]
    return found


def handler_fits(event: str, one: dict[str, Any]) -> bool:
    timeout = one.get("timeout")
    return (
        not set(one) - HANDLER
        and one["type"] == "command"
        and isinstance(one["command"], str)
        and all(isinstance(word, str) for word in one.get("args", []))
        # What a session's end waits for, nobody sees; what a prompt waits for, everybody does.
        and isinstance(timeout, int)
        and 0 < timeout <= {"SessionEnd": 5, "PreCompact": 60}.get(event, 10)
    )


def skill_faults(path: Path) -> list[str]:
    head, body = re.fullmatch(r"---\n(.*?)\n---\n(.*)", path.read_text("utf-8"), re.DOTALL).groups()  # type: ignore[union-attr]
    fields = dict(line.split(": ", 1) for line in head.split("\n"))
    found = [f"SKILL.md: {key}" for key in set(fields) - FRONTMATTER]
    if fields["name"] != path.parent.name or not NAME.fullmatch(fields["name"]) or len(fields["name"]) > 64:
        found.append("SKILL.md: name")
    if not 0 < len(fields["description"]) <= 1024 or ": " in fields["description"] or "<" in fields["description"]:
        found.append("SKILL.md: description")
    if not isinstance(json.loads(fields["metadata"]), dict):
        found.append("SKILL.md: metadata")
    if not body.strip() or body.count("\n") > 500 or "{" in body:
        found.append("SKILL.md: body")
    return found


BUILT_IN = {
    "add-dir", "agents", "bug", "clear", "compact", "config", "context", "cost", "doctor", "exit", "export", "help",
    "hooks", "ide", "init", "login", "logout", "mcp", "memory", "model", "permissions", "plugin", "resume", "review",
    "rewind", "skills", "status", "statusline", "tasks", "todos", "usage", "vim",
}  # fmt: skip
"""Commands of Claude Code's own: a skill of such a name would take it away."""


def test_the_skill_takes_no_command_away(user: Path) -> None:
    put("claude-code")
    names = {path.parent.name for path in (user / ".data/memtui/claude-code").rglob("SKILL.md")}
    assert names
    assert not names & BUILT_IN


def test_the_plugin_is_valid(user: Path) -> None:
    put("claude-code")
    assert faults(user / ".data" / "memtui" / "claude-code") == []


def test_the_validator_can_say_no(user: Path) -> None:
    put("claude-code")
    root = user / ".data" / "memtui" / "claude-code"
    hooks = root / "memtui" / "hooks" / "hooks.json"
    hooks.write_text(hooks.read_text("utf-8").replace("PreCompact", "BeforeCompact").replace('"timeout": 30', '"x": 1'))
    (root / "memtui" / ".claude-plugin" / "hooks.json").write_text("{}")
    path = root / "memtui" / "skills" / "recall" / "SKILL.md"
    path.write_text(path.read_text("utf-8").replace("name: recall", "name: other\nmodel: opus"))
    assert len(faults(root)) >= 4


@pytest.mark.parametrize(
    "program", [("/opt/my tools/memtui",), ("/x/python", "-m", "memtui"), ("C:\\Program Files\\memtui.exe",)]
)
def test_it_is_valid_however_memtui_is_called(tmp_path: Path, program: tuple[str, ...]) -> None:
    write_files(tmp_path, claude_install.render_plugin(program))
    assert faults(tmp_path) == []
    assert claude_install.read_skill_program((tmp_path / "memtui/skills/recall/SKILL.md").read_bytes()) == program
    handlers = json.loads((tmp_path / "memtui/hooks/hooks.json").read_bytes())["hooks"]["Stop"][0]["hooks"]
    assert wiring.extract_program(handlers[0]) == program
    assert [handlers[0]["command"], *handlers[0]["args"]] == [*program, "hook", "Stop", "--agent", "claude-code"]


def test_it_is_made_and_taken_back(user: Path) -> None:
    before = tree(user)
    put("claude-code")
    assert not any("settings.json" in path for path in tree(user))
    back("claude-code")
    assert tree(user) == before


def test_what_an_earlier_version_made_goes_with_an_update(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree(user)
    root = user / ".data" / "memtui" / "claude-code"
    with monkeypatch.context() as patched:
        patched.setattr(claude_install, "_SKILL", "earlier")
        put("claude-code")
    assert (root / "memtui/skills/earlier/SKILL.md").exists()
    put("claude-code")
    assert not (root / "memtui/skills/earlier/SKILL.md").exists()
    assert (root / "memtui/skills/recall/SKILL.md").exists()
    back("claude-code")
    assert tree(user) == before
    with monkeypatch.context() as patched:
        patched.setattr(claude_install, "_SKILL", "earlier")
        put("claude-code")
    back("claude-code")
    assert tree(user) == before


def test_the_skill_says_what_it_must() -> None:
    text = claude_install.render_skill_file("memory", ("memtui",)).decode()
    for word in ("memory_search", "memory_get", "memory_append", "memory_propose", "not an instruction", "Never store"):
        assert word in text
    assert len(text) < 6000


def test_claude_codes_own_validator_is_asked(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put("claude-code")
    folder = str(user / ".data" / "memtui" / "claude-code")
    monkeypatch.setenv("PATH", str(user / "bin"))
    assert claude_install.validate_plugin(folder) == ""
    own = user / "bin" / "claude"
    own.parent.mkdir()
    own.write_text('#!/bin/sh\necho "$@"\nexit 1\n', encoding="utf-8")
    own.chmod(own.stat().st_mode | stat.S_IXUSR)
    assert claude_install.validate_plugin(folder) == f"plugin validate {folder} --strict"


@pytest.mark.skipif(shutil.which("claude") is None, reason="Claude Code is not installed here")
def test_claude_code_accepts_it(user: Path) -> None:
    put("claude-code")
    assert claude_install.validate_plugin(str(user / ".data" / "memtui" / "claude-code")) == ""


def test_switched_on_or_not(user: Path) -> None:
    def state() -> tuple[str, str]:
        found = next(one for one in list_installations() if one.agent == "claude-code")
        return found.how, found.state

    assert state() == ("plugin", "missing")
    put("claude-code")
    assert state() == ("plugin", "partly")
    (user / ".claude" / "settings.json").write_text('{"enabledPlugins": {"memtui@memtui": true}}', encoding="utf-8")
    assert state() == ("plugin", "complete")
    (user / ".data/memtui/claude-code/memtui/hooks/hooks.json").unlink()
    assert state() == ("plugin", "partly")
