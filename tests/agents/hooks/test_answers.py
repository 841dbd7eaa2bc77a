"""Every event of both agents, said as the agent says it, answered as its schema allows; nothing is ever raised."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.agents.hooks import EVENTS, hook_process, match_event, run
from memtui.agents.hooks.hook_process import LONGEST, HookAnswer, encode_answer
from memtui.core.config import Config
from tests.agents.hooks.payloads import CLAUDE, CODEX, checked, payload, stdin

KNOWN = {name for name, _place in EVENTS}


def test_there_are_31_events() -> None:
    assert len(CLAUDE) == 31


@pytest.mark.parametrize("event", CLAUDE)
def test_claude_code_gets_what_its_schema_allows(event: str, demo: Path, home: Path) -> None:
    answer = run(event, stdin(event, demo), Config(), agent="claude-code")
    checked(answer, event)
    told = hook_process.list_fired_hooks()
    assert [one.event for one in told] == ([event] if event in KNOWN else [])
    assert not any(one.failures for one in told), told


@pytest.mark.parametrize("event", CODEX)
def test_codex_gets_what_its_schema_allows(event: str, demo: Path, home: Path) -> None:
    answer = run(event, stdin(event, demo, "codex"), Config(), agent="codex")
    checked(answer, event, "codex")
    assert not any(one.failures for one in hook_process.list_fired_hooks()), hook_process.list_fired_hooks()


@pytest.mark.parametrize("event", [*sorted(set(CLAUDE) - KNOWN), "", "NoSuchEvent", "../x", "init\x00"])
def test_other_events_are_no_ops(event: str, demo: Path, home: Path) -> None:
    before = sorted(home.rglob("*"))
    assert run(event, stdin(event or "x", demo), Config()) == ""
    assert sorted(home.rglob("*")) == before
    assert not hook_process.list_fired_hooks()


@pytest.mark.parametrize(
    "spelling", ["SessionStart", "session-start", "session_start", "SESSIONSTART", "sessionStart"]
)
def test_events_in_any_spelling(spelling: str) -> None:
    assert match_event(spelling) == "SessionStart"


HOSTILE = {
    "empty": "",
    "no json": "hello",
    "cut off": '{"session_id": "x", "cwd": ',
    "a list": "[1, 2]",
    "a number": "12",
    "null": "null",
    "nul": "\0\0\0",
    "deep": "[" * 100_000,
    "deep object": '{"a":' * 100_000,
    "huge number": '{"session_id": ' + "9" * 10_000 + "}",
    "empty object": "{}",
    "half a character": '{"session_id": "\\ud800", "cwd": "\\ud800", "prompt": "\\ud800", "tool_name": "Edit"}',
}


@pytest.mark.parametrize("event", sorted(KNOWN))
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_input_is_no_input(event: str, what: str, demo: Path) -> None:
    checked(run(event, HOSTILE[what], Config(), agent="claude-code"), event)


@pytest.mark.parametrize("event", sorted(KNOWN - {"notify"}))
@pytest.mark.parametrize(
    "value",
    [None, 1, -1.5, True, [], {}, "", "\0", "x\0y", "../../etc", "a" * 100_000, [[{}]]],
    ids=lambda value: repr(value)[:12],
)
def test_any_field_may_be_anything(event: str, value: object, demo: Path, home: Path) -> None:
    whole = payload(event, demo)
    before = (home / "MEMORY.md").read_bytes()
    for key in whole:
        answer = run(event, json.dumps({**whole, key: value}), Config(), agent="claude-code")
        checked(answer, event)
    for key in ("file_path", "new_string", "edits", "command", "notebook_path"):
        wrong = {**whole, "tool_name": "MultiEdit", "tool_input": {key: value}}
        checked(run(event, json.dumps(wrong), Config(), agent="claude-code"), event)
    assert (home / "MEMORY.md").read_bytes() == before
    assert not [one for one in hook_process.list_fired_hooks() if one.failures], (
        hook_process.list_fired_hooks()
    )


def test_fifty_megabytes_are_nothing(demo: Path) -> None:
    huge = json.dumps(payload("PostToolUse", demo) | {"x": "y" * 50_000_000})
    assert run("PostToolUse", huge, Config()) == ""


@pytest.mark.parametrize("name", ["MEMTUI_INSIDE", "MEMTUI_OFF"])
@pytest.mark.parametrize("event", sorted(KNOWN))
def test_switched_off(event: str, name: str, demo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")
    assert run(event, stdin(event, demo), Config(), agent="claude-code") == ""
    assert not hook_process.list_fired_hooks()


def test_a_fault_of_ours_stops_nobody_and_is_known(demo: Path, home: Path) -> None:
    broken = Config()._replace(hooks=None)  # type: ignore[arg-type]  # what no config is
    assert run("PreToolUse", stdin("PreToolUse", demo), broken) == ""
    (one,) = hook_process.list_fired_hooks()
    assert one.failures == 1 and "AttributeError" in one.failure


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
@pytest.mark.parametrize("event", sorted(set(CLAUDE) | {"notify"}))
@pytest.mark.parametrize("decision", ["", "allow", "deny", "block"])
def test_no_answer_has_a_field_too_many(agent: str, event: str, decision: str) -> None:
    answer = encode_answer(HookAnswer("context", decision, "reason"), event, agent)
    checked(answer, event, agent)


@pytest.mark.parametrize(
    "text",
    ["a" * 40_000, "line\n" * 5_000, "𝄞" * 9_000, "中文\n" * 6_000, "\ud800" * 20_000],
    ids=["letters", "lines", "pairs", "chinese", "halves"],
)
def test_context_is_never_too_long(text: str) -> None:
    answer = checked(encode_answer(HookAnswer(text), "SessionStart", "claude-code"), "SessionStart")
    told = answer["hookSpecificOutput"]["additionalContext"]
    assert len(told.encode("utf-16-le")) // 2 <= LONGEST
    assert len(told.encode("utf-16-le")) // 2 > LONGEST // 2
