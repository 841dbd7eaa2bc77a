"""Claude Code's settings: what others put there stays, in its place, to the byte.

JSON changed as text says the same as JSON changed as values.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.agents.hooks import EVENTS
from memtui.agents.install import edited_json, wiring
from memtui.agents.install.edited_json import decode_json_file, insert_member, remove_member, replace_value
from memtui.agents.install.planning import carry_out, plan_addition, plan_removal
from memtui.agents.install.wiring import Options
from memtui.core.errors import ConflictError, ReadOnlyError, RefusedError
from tests.agents.install.conftest import back, put, tree

OTHERS = """{
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "~/bin/guard.sh"}]},
            {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "engram hook pre", "timeout": 3}]}
        ],
        "Stop": [
            {
                "hooks": [
                    {"type": "command", "command": "say 'memtui hook is done'"},
                    {"type": "prompt", "prompt": "memtui hook?"}
                ]
            }
        ],
        "SomethingNew": "not a list at all"
    },
    "permissions": {"allow": ["Bash(ls:*)"], "defaultMode": "acceptEdits"},
    "名字": "小林"
}
"""
SHAPES = {
    "others": OTHERS.encode(),
    "no newline at the end": OTHERS.rstrip().encode(),
    "crlf": OTHERS.replace("\n", "\r\n").encode(),
    "bom": b"\xef\xbb\xbf" + OTHERS.encode(),
    "tabs": OTHERS.replace("    ", "\t").encode(),
    "one line": json.dumps(json.loads(OTHERS)).encode(),
    "compact": json.dumps(json.loads(OTHERS), separators=(",", ":")).encode(),
    "empty object": b"{}",
    "empty hooks": b'{\n  "hooks": {}\n}\n',
    "empty list": b'{"hooks": {"Stop": []}}',
    "empty file": b"",
    "blank file": b"\n\n",
}
OPTIONS = Options("settings", "user")


@pytest.fixture(name="settings")
def _settings(user: Path) -> Path:
    """The user's settings, with what others put there."""
    file = user / ".claude" / "settings.json"
    file.write_text(OTHERS, encoding="utf-8")
    return file


def ours(data: bytes) -> dict[str, list[object]]:
    """Event -> handlers that call memtui."""
    found: dict[str, list[object]] = {}
    for event, groups in json.loads(data.removeprefix(b"\xef\xbb\xbf"))["hooks"].items():
        for group in groups if isinstance(groups, list) else ():
            found.setdefault(event, []).extend(h for h in group["hooks"] if wiring.extract_program(h))
    return {event: handlers for event, handlers in found.items() if handlers}


def others(data: bytes) -> object:
    said = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    for event, groups in said.get("hooks", {}).items():
        if isinstance(groups, list):
            said["hooks"][event] = [g for g in groups if not any(wiring.extract_program(h) for h in g["hooks"])]
    return said


@pytest.mark.parametrize("name", SHAPES)
def test_every_byte_comes_back(user: Path, name: str) -> None:
    settings = user / ".claude" / "settings.json"
    settings.write_bytes(SHAPES[name])
    before = tree(user)
    put("claude-code", "settings")
    written = settings.read_bytes()
    assert set(ours(written)) == {hook.event for hook in wiring.CLAUDE_CODE}
    assert (b"\r\n" in written) == (b"\r\n" in SHAPES[name])
    assert written.startswith(b"\xef\xbb\xbf") == SHAPES[name].startswith(b"\xef\xbb\xbf")
    back("claude-code")
    assert tree(user) == before


@pytest.mark.parametrize("name", [name for name in SHAPES if "file" not in name])
def test_without_a_record_only_ours_goes(user: Path, name: str) -> None:
    settings = user / ".claude" / "settings.json"
    settings.write_bytes(SHAPES[name])
    put("claude-code", "settings")
    for path in (user / ".state").rglob("record.json"):
        path.unlink()
    back("claude-code")
    if name.startswith("empty"):
        assert json.loads(settings.read_bytes()).get("hooks", {}) in ({}, {"Stop": []})
    else:
        assert settings.read_bytes() == SHAPES[name]
    assert not (user / ".claude" / "skills" / "memtui" / "SKILL.md").exists()


def test_what_is_not_ours_keeps_its_bytes_and_its_order(settings: Path) -> None:
    """Other tools' hooks are neither changed nor switched off (T16)."""
    put("claude-code", "settings")
    written = settings.read_text("utf-8")
    # Every line that was there is there, in the order in which it was; a comma may have come to it.
    lines = iter(line.rstrip(",") for line in written.splitlines())
    assert all(line.rstrip(",") in lines for line in OTHERS.splitlines())
    said = json.loads(written)
    events_there = list(said["hooks"])
    assert events_there[:3] == ["PreToolUse", "Stop", "SomethingNew"]
    assert [group["hooks"][0].get("command") for group in said["hooks"]["PreToolUse"][:2]] == [
        "~/bin/guard.sh",
        "engram hook pre",
    ]


def test_twice_is_once(settings: Path) -> None:
    put("claude-code", "settings")
    once = settings.read_bytes()
    assert not plan_addition("claude-code", OPTIONS).files
    put("claude-code", "settings")
    assert settings.read_bytes() == once


def test_an_edit_since_stays_when_ours_goes(settings: Path) -> None:
    put("claude-code", "settings")
    settings.write_text(settings.read_text("utf-8").replace('"opus"', '"sonnet"'), encoding="utf-8")
    back("claude-code")
    assert settings.read_text("utf-8") == OTHERS.replace('"opus"', '"sonnet"')


def test_installed_again_after_an_edit_the_edit_stays(settings: Path) -> None:
    put("claude-code", "settings")
    # Another memtui wrote it, and the person went on working on the file.
    text = settings.read_text("utf-8").replace('"opus"', '"sonnet"')
    program = wiring.extract_program(next(iter(ours(text.encode()).values()))[0])[0]
    settings.write_text(text.replace(program, "/opt/old/memtui"), encoding="utf-8")
    put("claude-code", "settings")
    assert "/opt/old/memtui" not in settings.read_text("utf-8")
    assert all(len(handlers) == 1 for handlers in ours(settings.read_bytes()).values())
    back("claude-code")
    assert settings.read_text("utf-8") == OTHERS.replace('"opus"', '"sonnet"')


def test_installed_twice_with_another_program_the_first_bytes_come_back(
    user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = user / ".claude" / "settings.json"
    settings.write_bytes(SHAPES["empty list"])
    before = tree(user)
    with monkeypatch.context() as patched:
        patched.setattr("memtui.agents.install.wiring.find_program", lambda: ("/opt/old/memtui",))
        put("claude-code", "settings")
    assert b"/opt/old" in settings.read_bytes()
    put("claude-code", "settings")
    assert b"/opt/old" not in settings.read_bytes()
    back("claude-code")
    assert tree(user) == before


def test_ours_inside_another_tools_entry(user: Path) -> None:
    settings = user / ".claude" / "settings.json"
    mixed = {
        "hooks": {
            "Stop": [
                {
                    "hooks": [
                        {"type": "command", "command": "first"},
                        {"type": "command", "command": "/usr/local/bin/memtui hook Stop"},
                        {"type": "command", "command": "last"},
                    ]
                }
            ]
        }
    }
    settings.write_text(json.dumps(mixed, indent=2), encoding="utf-8")
    back("claude-code")
    left = json.loads(settings.read_bytes())["hooks"]["Stop"][0]["hooks"]
    assert [handler["command"] for handler in left] == ["first", "last"]


@pytest.mark.parametrize(
    ("handler", "is_ours"),
    [
        ({"type": "command", "command": "memtui hook Stop"}, True),
        ({"type": "command", "command": "'/a b/memtui' hook Stop"}, True),
        ({"type": "command", "command": '"C:\\Program Files\\memtui.exe" hook Stop'}, True),
        ({"type": "command", "command": "/x/python -m memtui hook Stop"}, True),
        ({"type": "command", "command": "/x/python", "args": ["-m", "memtui", "hook", "Stop"]}, True),
        ({"type": "command", "command": "/a b/memtui", "args": ["hook", "Stop"]}, True),
        ({"type": "command", "command": "echo memtui hook Stop"}, False),
        ({"type": "command", "command": "sh -c 'log; memtui hook Stop'"}, False),
        ({"type": "command", "command": "notmemtui hook Stop"}, False),
        ({"type": "command", "command": "memtui search hook"}, False),
        ({"type": "prompt", "prompt": "memtui hook Stop"}, False),
        ({"type": "command", "command": "unclosed ' memtui hook"}, False),
        ({"type": "command", "command": 3}, False),
        ("memtui hook Stop", False),
        (None, False),
    ],
)
def test_ours_is_known_by_what_it_calls(handler: object, is_ours: bool) -> None:
    assert bool(wiring.extract_program(handler)) == is_ours


@pytest.mark.parametrize(
    "text",
    [
        '{"hooks": {"Stop": [], "Stop": []}}',
        '{"a": 1} // mine',
        '{"hooks": []}',
        '{"hooks": {"Stop": {"hooks": []}}}',
        "[]",
        "nonsense",
    ],
)
def test_what_cannot_be_changed_safely_is_left_alone(user: Path, text: str) -> None:
    settings = user / ".claude" / "settings.json"
    settings.write_text(text, encoding="utf-8")
    before = tree(user)
    with pytest.raises(RefusedError, match=r"settings\.json"):
        plan_addition("claude-code", OPTIONS)
    assert tree(user) == before


def test_settings_nobody_can_read_do_not_hinder_taking_back(user: Path) -> None:
    (user / ".claude" / "settings.json").write_text('{"a": 1} // mine', encoding="utf-8")
    assert not plan_removal("claude-code", Options()).files


def test_a_file_changed_between_plan_and_write_is_a_conflict(user: Path, settings: Path) -> None:
    plan = plan_addition("claude-code", OPTIONS)
    settings.write_text(OTHERS.replace("opus", "haiku"), encoding="utf-8")
    before = tree(user)
    with pytest.raises(ConflictError):
        carry_out(plan)
    assert {path: data for path, data in tree(user).items() if data is not None} == {
        path: data for path, data in before.items() if data is not None
    }
    assert not plan_removal("claude-code", Options()).records


def test_a_later_file_that_fails_takes_the_earlier_back(user: Path, settings: Path) -> None:
    plan = plan_addition("claude-code", OPTIONS)
    skill = user / ".claude" / "skills" / "memtui" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("somebody was faster", encoding="utf-8")
    with pytest.raises(ConflictError):
        carry_out(plan)
    assert settings.read_text("utf-8") == OTHERS
    assert skill.read_text("utf-8") == "somebody was faster"


def test_a_skill_of_somebody_else_is_refused_and_stays(user: Path) -> None:
    skill = user / ".claude" / "skills" / "memtui" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: memtui\n---\nmine, about memtui", encoding="utf-8")
    with pytest.raises(RefusedError, match="somebody else"):
        plan_addition("claude-code", OPTIONS)
    back("claude-code")
    assert skill.exists()


def test_a_read_only_file_is_left_alone(user: Path, settings: Path) -> None:
    settings.chmod(0o444)
    with pytest.raises(ReadOnlyError):
        put("claude-code", "settings")
    assert settings.read_text("utf-8") == OTHERS
    assert not (user / ".claude" / "skills" / "memtui" / "SKILL.md").exists()


def test_a_link_stays_one_and_its_file_is_written(user: Path) -> None:
    dotfiles = user / "dotfiles" / "claude.json"
    dotfiles.parent.mkdir()
    dotfiles.write_text(OTHERS, encoding="utf-8")
    dotfiles.chmod(0o640)
    settings = user / ".claude" / "settings.json"
    settings.symlink_to("../dotfiles/claude.json")
    put("claude-code", "settings")
    assert os.readlink(settings) == "../dotfiles/claude.json"
    assert ours(dotfiles.read_bytes())
    assert dotfiles.stat().st_mode & 0o777 == 0o640
    back("claude-code")
    assert os.readlink(settings) == "../dotfiles/claude.json"
    assert dotfiles.read_text("utf-8") == OTHERS


def test_a_link_that_leads_elsewhere_since_is_a_conflict(user: Path) -> None:
    for name in ("one", "two"):
        (user / f"{name}.json").write_text("{}", encoding="utf-8")
    settings = user / ".claude" / "settings.json"
    settings.symlink_to(user / "one.json")
    plan = plan_addition("claude-code", OPTIONS)
    settings.unlink()
    settings.symlink_to(user / "two.json")
    with pytest.raises(ConflictError):
        carry_out(plan)
    assert {(user / f"{name}.json").read_text("utf-8") for name in ("one", "two")} == {"{}"}


def test_missing_directories_are_made_and_go_again(user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / "else" / "where"))
    before = tree(user)
    put("claude-code", "settings")
    settings = user / "else" / "where" / "settings.json"
    assert set(ours(settings.read_bytes())) == {hook.event for hook in wiring.CLAUDE_CODE}
    assert settings.stat().st_mode & 0o777 == 0o600
    back("claude-code")
    assert tree(user) == before


def test_a_directory_with_something_else_in_it_stays(user: Path) -> None:
    put("claude-code", "settings")
    (user / ".claude" / "skills" / "mine").mkdir()
    back("claude-code")
    assert (user / ".claude" / "skills" / "mine").is_dir()
    assert not (user / ".claude" / "skills" / "memtui").exists()


def test_in_a_project(user: Path, project: Path) -> None:
    (project / ".mcp.json").write_text('{"mcpServers": {"other": {"command": "x"}}}', encoding="utf-8")
    before = tree(user)
    put("claude-code", "settings", "project")
    assert ours((project / ".claude" / "settings.json").read_bytes())
    servers = json.loads((project / ".mcp.json").read_bytes())["mcpServers"]
    assert list(servers) == ["other", "memtui"]
    assert servers["memtui"]["args"][-1] == "mcp"
    assert not (user / ".claude" / "settings.json").exists()
    back("claude-code")
    assert tree(user) == before


def test_a_projects_link_that_leads_out_is_refused(user: Path, project: Path) -> None:
    (user / ".claude" / "settings.json").write_text("{}", encoding="utf-8")
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").symlink_to(user / ".claude" / "settings.json")
    with pytest.raises(RefusedError, match="out of the project"):
        plan_addition("claude-code", Options("settings", "project"))
    # Nor does it hinder what is for the user alone.
    put("claude-code", "settings")
    back("claude-code")
    assert (user / ".claude" / "settings.json").read_text("utf-8") == "{}"


def test_what_was_there_is_kept(settings: Path) -> None:
    plan = plan_addition("claude-code", OPTIONS)
    kept = Path(carry_out(plan).kept)
    assert [path.read_text("utf-8") for path in kept.iterdir()] == [OTHERS]
    assert {path.stat().st_mode & 0o777 for path in kept.iterdir()} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in (kept, kept.parent, kept.parent.parent)} == {0o700}


def test_two_installing_at_once_leave_it_whole(settings: Path) -> None:
    one, two = plan_addition("claude-code", OPTIONS), plan_addition("claude-code", OPTIONS)
    carry_out(one)
    with pytest.raises(ConflictError):
        carry_out(two)
    assert all(len(handlers) == 1 for handlers in ours(settings.read_bytes()).values())
    back("claude-code")
    assert settings.read_text("utf-8") == OTHERS


def test_only_events_that_hooks_answer_are_installed() -> None:
    known = {name for name, _place in EVENTS}
    assert {hook.event for hook in (*wiring.CLAUDE_CODE, *wiring.CODEX)} <= known


def test_ours_that_is_doubled_becomes_one() -> None:
    wanted = wiring.build_hook_groups("claude-code", ("/x/memtui",))
    once = edited_json.put(None, wanted, "s")
    said = json.loads(once)
    said["hooks"]["Stop"] *= 2
    again = edited_json.put(json.dumps(said).encode(), wanted, "s")
    assert json.loads(again)["hooks"]["Stop"] == [wanted["Stop"]]


NAMES = st.sampled_from([hook.event for hook in wiring.CLAUDE_CODE] + ["Notification", "Unknown"])
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": st.text(max_size=12)})
GROUPS = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, min_size=1, max_size=3)}, optional={"matcher": st.text()})


@settings(deadline=None)
@given(
    st.dictionaries(NAMES, st.lists(GROUPS, min_size=1, max_size=3), min_size=1, max_size=4),
    st.sampled_from([None, 2, 4, "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_whatever_others_hook_comes_back(
    others: dict[str, list[object]], indent: int | str | None, end: str, first: bool
) -> None:
    said = {"hooks": others, "after": 1} if first else {"before": 1, "hooks": others}
    data = json.dumps(said, indent=indent, ensure_ascii=False).replace("\n", end).encode()
    wanted = wiring.build_hook_groups("claude-code", ("/opt/memtui",))
    changed = edited_json.put(data, wanted, "settings.json")
    assert edited_json.put(changed, wanted, "settings.json") == changed
    for event, groups in others.items():
        assert json.loads(changed)["hooks"][event][: len(groups)] == groups
    assert edited_json.take(changed, "settings.json") == data


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
INDENTS = st.sampled_from([None, 2, 4, "\t"])
ENDS = st.sampled_from(["\n", "\r\n"])


def written(value: Any, indent: Any, end: str) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", end)


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), VALUES, INDENTS, ENDS)
def test_what_is_put_in_is_there_and_goes_again(value: dict[str, Any], new: Any, indent: Any, end: str) -> None:
    value.pop("ours", None)
    text = written(value, indent, end)
    more = insert_member(text, [], "ours", new)
    assert json.loads(more) == value | {"ours": new}
    assert list(json.loads(more)) == [*value, "ours"]
    less = remove_member(more, ["ours"])
    assert json.loads(less) == value
    if value:
        assert less == text


@settings(deadline=None)
@given(st.lists(VALUES, max_size=4), VALUES, INDENTS, ENDS)
def test_a_list_grows_at_its_end(value: list[Any], new: Any, indent: Any, end: str) -> None:
    text = written({"a": 1, "list": value}, indent, end)
    more = insert_member(text, ["list"], "", new)
    assert json.loads(more)["list"] == [*value, new]
    assert json.loads(remove_member(more, ["list", len(value)]))["list"] == value


@settings(deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=4), st.data(), INDENTS)
def test_any_member_is_replaced_or_goes(value: list[Any], data: st.DataObject, indent: Any) -> None:
    at = data.draw(st.integers(0, len(value) - 1))
    text = written(value, indent, "\n")
    assert json.loads(replace_value(text, [at], "new")) == [*value[:at], "new", *value[at + 1 :]]
    assert json.loads(remove_member(text, [at])) == [*value[:at], *value[at + 1 :]]


def test_the_style_of_the_file_is_kept() -> None:
    text = '{\r\n\t"a": {\r\n\t\t"b": [1]\r\n\t}\r\n}'
    assert insert_member(text, ["a"], "c", "x" * 80) == text.replace("[1]", '[1],\r\n\t\t"c": "' + "x" * 80 + '"')
    assert insert_member(text, ["a", "b"], "", 2) == text.replace("[1]", "[1, 2]")
    assert insert_member('{"a":1}', [], "b", [2]) == '{"a":1, "b": [2]}'


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}', '{"deep": [{"a": 1, "a": 1}]}', '{"a": 1,}', '{"a": 1} // mine',
        '/* mine */ {"a": 1}', '{"a": NaN}', "{'a': 1}", '{"a": 1', "[" * 100_000, "",
    ],
)  # fmt: skip
def test_what_is_no_strict_json_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match=r"settings\.json .*left alone"):
        decode_json_file(text.encode(), "settings.json")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(RefusedError):
        decode_json_file('{"a": 1}'.encode("utf-16"), "settings.json")
