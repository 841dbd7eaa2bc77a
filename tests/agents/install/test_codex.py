"""Codex: its hooks, its config.toml with comments kept, and the chained notifier."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from memtui.agents.hooks import hook_process
from memtui.agents.install import codex_install, wiring
from memtui.agents.install.planning import list_installations, plan_addition, plan_removal
from memtui.agents.install.wiring import Options
from memtui.core.errors import RefusedError
from tests.agents.install.conftest import back, put, tree

EVENTS = {
    "PreToolUse", "PermissionRequest", "PostToolUse", "PreCompact", "PostCompact", "SessionStart", "SubagentStart",
    "SubagentStop", "UserPromptSubmit", "Stop", "StopFailure", "SessionEnd",
}  # fmt: skip
CONFIG = """# mine
model = "gpt-5" # fast
notify = ["python3", "/home/me/notify.py"] # beep

[features]
web = true # yes

# the other one
[mcp_servers.other]
command = "x"

[projects."/home/me/a.b"]
trust_level = "trusted"
"""
SHAPES = {
    "mine": CONFIG,
    "crlf": CONFIG.replace("\n", "\r\n"),
    "bom": "\ufeff" + CONFIG,
    "no newline": CONFIG.rstrip(),
    "off": CONFIG.replace("web = true # yes", "hooks = false # never"),
    "no notifier": CONFIG.replace('notify = ["python3", "/home/me/notify.py"] # beep\n', ""),
    "notifier in lines": CONFIG.replace('["python3", "/home/me/notify.py"] # beep', '[\n  "python3",\n  "x",\n]'),
    "only tables": "[features]\nweb = true\n",
    "dotted": "features.web = true\n",
    "empty": "",
}


def ours(said: dict[str, object]) -> None:
    """Take what is ours out of what a config.toml says."""
    for name in ("notify", "features", "mcp_servers"):
        said.pop(name, None)


@pytest.mark.parametrize("how", ["hooks", "notify"])
@pytest.mark.parametrize("name", SHAPES)
def test_every_byte_comes_back(user: Path, name: str, how: str, config: Path) -> None:
    config.write_bytes(SHAPES[name].encode())
    before = tree(user)
    put("codex", how)
    text = config.read_bytes().decode("utf-8").removeprefix("\ufeff")
    said, was = tomllib.loads(text), tomllib.loads(SHAPES[name].removeprefix("\ufeff"))
    assert said["mcp_servers"]["memtui"]["args"][-1] == "mcp"
    assert text.count("#") == SHAPES[name].count("#")
    assert not plan_addition("codex", Options(how)).files
    ours(said)
    ours(was)
    assert said == was
    back("codex")
    assert tree(user) == before


def test_hooks_are_of_codexs_form(user: Path) -> None:
    put("codex")
    said = json.loads((user / ".codex" / "hooks.json").read_bytes())
    assert set(said) == {"hooks"}
    assert set(said["hooks"]) <= EVENTS
    for event, groups in said["hooks"].items():
        for handler in groups[0]["hooks"]:
            # It has no exec form: what it does not know it drops, and a bare program would be run.
            assert set(handler) == {"type", "command", "timeout"}
            assert handler["command"].endswith(f" hook {event} --agent codex")
            assert wiring.extract_program(handler)
    assert "apply_patch" in said["hooks"]["PostToolUse"][0]["matcher"]
    assert "SessionEnd" in said["hooks"]
    # They are on by themselves.
    assert "features" not in tomllib.loads((user / ".codex" / "config.toml").read_text("utf-8"))


def test_the_person_is_told_to_trust_them(user: Path) -> None:
    assert any("trust" in warning for warning in plan_addition("codex", Options()).warnings)


def test_switched_off_hooks_are_said(user: Path) -> None:
    (user / ".codex" / "config.toml").write_text(SHAPES["off"], encoding="utf-8")
    assert any("switched off" in warning for warning in plan_addition("codex", Options()).warnings)


@pytest.mark.parametrize("name", SHAPES)
def test_the_notifier_that_was_there_is_kept_and_comes_back(user: Path, name: str, config: Path) -> None:
    config.write_bytes(SHAPES[name].encode())
    previous = tomllib.loads(SHAPES[name].removeprefix("\ufeff")).get("notify")
    put("codex", "notify")
    argv = codex_install.parse_toml(config.read_bytes())["notify"]
    assert codex_install.read_notifier({"notify": argv})
    if previous:
        assert json.loads(argv[argv.index("--then") + 1]) == previous
    else:
        assert "--then" not in argv
    # Without a record, by what it calls.
    for path in (user / ".state").rglob("record.json"):
        path.unlink()
    back("codex")
    left = codex_install.parse_toml(config.read_bytes())
    assert left.get("notify") == previous
    assert "memtui" not in config.read_text("utf-8")
    assert config.read_text("utf-8").count("#") == SHAPES[name].count("#")


def test_codex_calls_ours_and_ours_calls_theirs(user: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    theirs = [sys.executable, "-c", f"import sys; open({str(seen)!r}, 'w').write(repr(sys.argv[1:]))", "--flag"]
    config = user / ".codex" / "config.toml"
    config.write_text(f"notify = {json.dumps(theirs)}\n", encoding="utf-8")
    put("codex", "notify")
    told = json.dumps({"type": "agent-turn-complete", "thread-id": "1", "last-assistant-message": "它's done"})
    argv = tomllib.loads(config.read_text("utf-8"))["notify"]
    done = subprocess.run([*argv, told], env=os.environ, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert seen.read_text("utf-8") == repr(["--flag", told])


@pytest.mark.parametrize("then", ["", "nonsense", "[]", "{}", "[1]", '["/nowhere/at/all"]', '["\\u0000"]'])
def test_a_notifier_that_cannot_be_called_is_nobodys_failure(then: str) -> None:
    hook_process.run_chained_notifier(then, "{}")


@pytest.mark.parametrize(
    "text",
    [
        "not toml at all",
        '[mcp_servers.memtui]\nurl = "https://mine"\n',
        "mcp_servers = { other = { command = 'x' } }\n",
        "mcp_servers = 3\n",
        '[[mcp_servers]]\nname = "other"\n',
    ],
)
def test_what_cannot_be_changed_safely_is_left_alone(text: str, config: Path) -> None:
    config.write_text(text, encoding="utf-8")
    with pytest.raises(RefusedError, match=r"config\.toml"):
        plan_addition("codex", Options())
    assert config.read_text("utf-8") == text


def test_a_notifier_that_is_no_list_is_left_alone(user: Path) -> None:
    (user / ".codex" / "config.toml").write_text('notify = "beep"\n', encoding="utf-8")
    with pytest.raises(RefusedError, match="list of words"):
        plan_addition("codex", Options("notify"))


def test_a_server_that_a_person_made_more_of_stays(config: Path) -> None:
    put("codex")
    config.write_text(config.read_text("utf-8") + "startup_timeout_sec = 20\n", encoding="utf-8")
    assert not plan_addition("codex", Options()).files
    assert any("by hand" in warning for warning in plan_removal("codex", Options()).warnings)
    back("codex")
    assert "startup_timeout_sec" in config.read_text("utf-8")


def test_one_way_goes_and_the_other_stays_whole(user: Path) -> None:
    (user / ".codex" / "config.toml").write_text(CONFIG, encoding="utf-8")
    before = tree(user)
    put("codex")
    put("codex", "notify")
    trust(user)
    assert {(one.how, one.state) for one in list_installations() if one.agent == "codex"} == {
        ("hooks", "complete"),
        ("notify", "complete"),
    }
    back("codex", "hooks")
    assert {(one.how, one.state) for one in list_installations() if one.agent == "codex"} == {("notify", "complete")}
    back("codex")
    assert tree(user) == before


def trust(user: Path, events: tuple[str, ...] = ()) -> None:
    """Trust our hooks, all or of these events, as Codex writes it down."""
    hooks, config = user / ".codex" / "hooks.json", user / ".codex" / "config.toml"
    keys = codex_install.list_trust_keys(hooks, hooks.read_bytes())
    tables = [
        f'[hooks.state."{key}"]\ntrusted_hash = "{digest}"\n'
        for key, digest in keys.items()
        if not events or key.split(":")[1] in events
    ]
    config.write_text("\n".join([config.read_text("utf-8"), "[hooks.state]\n", *tables]), encoding="utf-8")


def test_hooks_that_nobody_trusted_are_said(user: Path) -> None:
    def stands() -> tuple[str, str, str]:
        (found,) = (one for one in list_installations() if one.agent == "codex")
        return found.state, found.why, found.remedy

    put("codex")
    state, why, remedy = stands()
    assert (state, "Codex runs 0 of its 9 hooks" in why, "/hooks" in remedy) == ("partly", True, True)
    trust(user, ("stop", "pre_tool_use"))
    assert "Codex runs 2 of its 9 hooks" in stands()[1]
    config = user / ".codex" / "config.toml"
    config.write_text(config.read_text("utf-8").partition("[hooks.state]")[0], encoding="utf-8")
    trust(user)
    assert stands()[0] == "complete"
    # Changed since they were trusted: Codex asks anew.
    hooks = user / ".codex" / "hooks.json"
    config.write_text(config.read_text("utf-8").replace("sha256:", "sha256:0", 1), encoding="utf-8")
    assert "Codex runs 8 of its 9 hooks" in stands()[1]
    assert hooks.exists()


def test_the_digest_is_codexs() -> None:
    """As Codex 0.169 told it of two hooks."""
    hook = {"type": "command", "command": "/opt/memtui hook Stop --agent codex", "timeout": 10}
    assert codex_install.digest_hook("stop", None, hook) == (
        "sha256:ef3217ad7823d6bfe82c6b0f465a9c5ce3d6a340b6dea747ab4cfb282c088be1"
    )
    assert codex_install.digest_hook("pre_tool_use", "Read|Edit", {**hook, "timeout": 5}) == (
        "sha256:2ee9ecec02cd2b669119c6ddbcf6c5744225536b23332cd77403dfd9cd7f9d58"
    )


@pytest.mark.parametrize("name", SHAPES)
def test_every_byte_comes_back_after_codex_wrote_into_it(user: Path, name: str, config: Path) -> None:
    config.write_bytes(SHAPES[name].encode())
    before = tree(user)
    put("codex")
    trust(user)
    back("codex")
    assert tree(user) == before


def test_and_what_is_not_ours_stays(user: Path, config: Path) -> None:
    config.write_text(CONFIG, encoding="utf-8")
    put("codex")
    trust(user)
    other = '\n# theirs\n[hooks.state."/elsewhere/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n'
    added = '\n[projects."/home/me/new"]\ntrust_level = "trusted"\n'
    config.write_text(f"{config.read_text('utf-8')}{other}{added}", encoding="utf-8")
    back("codex")
    text = config.read_text("utf-8")
    assert "memtui" not in text
    assert str(user) not in text
    wanted = tomllib.loads(CONFIG)
    wanted["projects"]["/home/me/new"] = {"trust_level": "trusted"}
    wanted["hooks"] = {"state": {"/elsewhere/hooks.json:stop:0:0": {"trusted_hash": "sha256:1"}}}
    assert tomllib.loads(text) == wanted
    assert "# theirs" in text


def test_a_note_made_since_stays(config: Path) -> None:
    config.write_text(CONFIG, encoding="utf-8")
    put("codex")
    config.write_text(f"# noted since\n{config.read_text('utf-8')}", encoding="utf-8")
    back("codex")
    assert config.read_text("utf-8") == f"# noted since\n{CONFIG}"


def test_in_a_project(user: Path, project: Path) -> None:
    before = tree(user)
    put("codex", "hooks", "project")
    assert (project / ".codex" / "hooks.json").exists()
    assert not (user / ".codex" / "hooks.json").exists()
    back("codex")
    assert tree(user) == before
