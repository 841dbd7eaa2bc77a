"""Every event of both agents, said as the agent says it, answered as its schema allows; nothing is ever raised.

`memtui hook` as the process that agents start: status 0, nothing on stderr, JSON or nothing on stdout.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.agents.hooks import EVENTS, hook_process, match_event, run
from memtui.agents.hooks import hook_process as started_hook
from memtui.agents.hooks.hook_process import LONGEST, HookAnswer, encode_answer
from memtui.core.config import Config
from memtui.sessions import jobs, scratchpad
from tests.agents.hooks.payloads import CLAUDE, CODEX, checked, payload, stdin
from tests.forking import run_memtui

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


@pytest.mark.parametrize("spelling", ["SessionStart", "session-start", "session_start", "SESSIONSTART", "sessionStart"])
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
    assert not [one for one in hook_process.list_fired_hooks() if one.failures], hook_process.list_fired_hooks()


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


AT_ONCE = 20


def hook(*argv: str, said: bytes | str = b"", cwd: Path | None = None, fresh: bool = False) -> str:
    """What it writes to stdout; its status is 0, and stderr empty, whatever it was given."""
    data = said if isinstance(said, bytes) else said.encode()
    if fresh:
        command = [sys.executable, "-m", "memtui", "hook", *argv]
        done = subprocess.run(command, input=data, capture_output=True, cwd=cwd, timeout=60, check=False)
    else:
        done = run_memtui(["hook", *argv], given=data, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not [one for one in hook_process.list_fired_hooks() if one.failures], hook_process.list_fired_hooks()
    return done.stdout.decode("utf-8")


def at_once(event: str, said: list[str], cwd: Path) -> list[str]:
    """As many processes, each with its own input, started together."""
    command = [sys.executable, "-m", "memtui", "hook", event, "--agent", "claude-code"]
    pipes = subprocess.PIPE
    started = [subprocess.Popen(command, stdin=pipes, stdout=pipes, stderr=pipes, cwd=cwd) for _one in said]
    for process, text in zip(started, said, strict=True):
        assert process.stdin is not None
        process.stdin.write(text.encode())
        process.stdin.close()
    answers = []
    for process in started:
        assert process.stdout is not None and process.stderr is not None
        answers.append(process.stdout.read().decode())
        assert process.stderr.read() == b""
        assert process.wait(60) == 0
        process.stdout.close()
        process.stderr.close()
    return answers


@pytest.mark.parametrize("spelling", ["PreToolUse", "pre-tool-use", "pre_tool_use"])
def test_it_answers_in_any_spelling(spelling: str, demo: Path, home: Path) -> None:
    answer = checked(hook(spelling, said=stdin("PreToolUse", demo), cwd=demo), "PreToolUse")
    assert answer["hookSpecificOutput"]["permissionDecision"] == "allow"


@pytest.mark.parametrize(
    "argv",
    [(), ("",), ("nosuch",), ("SessionStart", "--frobnicate"), ("--agent",), ("--agent", "x"), ("Stop", "a", "b", "c")],
    ids=" ".join,
)
@pytest.mark.parametrize("said", [b"", b"{", b"\xff\xfe\0", b"[]", b"{}", b"\0" * 100], ids=repr)
def test_it_never_fails(argv: tuple[str, ...], said: bytes, demo: Path, home: Path) -> None:
    hook(*argv, said=said, cwd=demo)


def test_much_input_is_read_to_its_end_and_nothing(demo: Path, home: Path) -> None:
    assert hook("PostToolUse", said=b'{"x": "' + b"y" * 50_000_000 + b'"}', cwd=demo) == ""


def test_a_closed_stdin_and_stdout(demo: Path, home: Path) -> None:
    command = f"{sys.executable} -m memtui hook SessionStart"
    for ends in ("<&-", "<&- >&-", ">&- 2>&-", "</dev/null >/dev/full"):
        line = ["sh", "-c", f"{command} {ends}"]
        done = subprocess.run(line, stderr=subprocess.PIPE, cwd=demo, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, b""), ends


def test_an_unwritable_state_stops_nobody(demo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    for event in ("SessionStart", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"):
        hook(event, said=stdin(event, demo), cwd=demo)


def test_a_broken_config_stops_nobody(demo: Path, home: Path, _own_user: Path) -> None:
    config = _own_user / ".config" / "memtui" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_bytes(b"[hooks\n\xff\0 = nonsense")
    assert hook("PreToolUse", said=stdin("PreToolUse", demo), cwd=demo)


def test_output_is_utf8_whatever_the_locale(demo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("PYTHONUTF8", "0")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert "不要使用 var" in hook("PreToolUse", said=stdin("PreToolUse", demo), cwd=demo, fresh=True)


def test_codex_notify_speaks_in_its_last_argument(demo: Path, home: Path) -> None:
    told = {"type": "agent-turn-complete", "thread-id": "019c32d0-ad7a-70b2-b378-c2b94a4ce4a3", "cwd": str(demo)}
    assert hook("notify", json.dumps(told), cwd=demo) == ""
    (job,) = jobs.list_jobs()
    assert (job.kind, job.session.agent) == ("capture", "codex")


def test_help_is_help() -> None:
    command = [sys.executable, "-m", "memtui", "hook", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "SessionStart" in done.stdout


def test_events_without_a_function_load_no_engine(demo: Path, home: Path) -> None:
    code = (
        "import sys; sys.argv = ['memtui', 'hook', 'FileChanged']\nfrom memtui.__main__ import main\n"
        "try:\n main()\nexcept SystemExit as stop:\n assert not stop.code\n"
        "assert not {'memtui.core.config', 'memtui.sessions', 'json', 'click'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdin=subprocess.DEVNULL)


def test_twenty_edits_at_once_are_all_noted_once(demo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-02-10T14:30:05Z")

    def edit(number: int) -> str:
        name = f"src/file{number // 2}.py"
        return stdin(
            "PostToolUse", demo, tool_name="Edit", tool_input={"file_path": str(demo / name), "new_string": "y"}
        )

    at_once("PostToolUse", [edit(number) for number in range(AT_ONCE)], demo)
    # What waited for a lock too long is brought in by the next one.
    at_once("PostToolUse", [edit(0)], demo)
    text = (home / "daily/2026-02-10.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"`(.+?)`", text)) == sorted(f"src/file{number}.py" for number in range(AT_ONCE // 2))
    assert text.count("## 14:30 - 项目: demo") == 1 and text.count("# 2026-02-10\n") == 1
    (one,) = hook_process.list_fired_hooks()
    assert (one.times, one.failures) == (AT_ONCE + 1, 0)


def test_twenty_sessions_that_end_at_once_are_all_left(demo: Path, home: Path) -> None:
    ends = [stdin("SessionEnd", demo, session_id=f"session-{number:02}") for number in range(AT_ONCE)]
    assert at_once("SessionEnd", ends, demo) == [""] * AT_ONCE
    assert sorted(job.session.id for job in jobs.list_jobs()) == [f"session-{number:02}" for number in range(AT_ONCE)]
    at_once("SessionEnd", [ends[0]] * AT_ONCE, demo)
    assert len(jobs.list_jobs()) == AT_ONCE


def test_sessions_that_are_prompted_at_once_all_keep_their_tasks(demo: Path, _own_user: Path) -> None:
    # Only sessions that told of their beginning are known to go on.
    at_once("SessionStart", [stdin("SessionStart", demo, session_id=f"s{n}") for n in range(5)], demo)
    said = [
        stdin("UserPromptSubmit", demo, session_id=f"s{number}", prompt=f"Build the {word} of {word}s for {word}")
        for number, word in enumerate(("harbour", "lantern", "meadow", "orchard", "quarry"))
    ]
    at_once("UserPromptSubmit", said, demo)
    pad = scratchpad.read((_own_user / ".memtui" / scratchpad.PATH).read_text(encoding="utf-8"))
    kept = {session for _task, session in pad.tasks}
    (prompts,) = (one for one in hook_process.list_fired_hooks() if one.event == "UserPromptSubmit")
    # On a busy machine one may wait for the lock longer than a prompt may wait: then its hook says so.
    assert kept <= {f"s{number}" for number in range(5)} and len(kept) + prompts.failures == 5


@pytest.mark.skipif(sys.platform == "win32", reason="pipes cannot be waited for there")
def test_a_stdin_that_nobody_closes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    monkeypatch.setattr(started_hook, "SILENCE", 0.05)
    try:
        os.write(writing, b'{"session_id": "s1"}')
        with os.fdopen(reading) as pipe:
            monkeypatch.setattr(sys, "stdin", pipe)
            assert started_hook.read_stdin() == '{"session_id": "s1"}'
    finally:
        os.close(writing)


def test_of_twenty_reads_at_once_one_brings_the_rules(demo: Path, home: Path) -> None:
    answers = at_once("PreToolUse", [stdin("PreToolUse", demo)] * AT_ONCE, demo)
    assert sum(bool(answer) for answer in answers) == 1


@pytest.mark.parametrize("event", CLAUDE)
def test_every_event_as_a_process(event: str, demo: Path, home: Path) -> None:
    checked(hook(event, said=stdin(event, demo), cwd=demo, fresh=True), event)


def test_a_model_that_we_asked_runs_no_hooks_of_ours(demo: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_INSIDE", "1")
    assert hook("PreToolUse", said=stdin("PreToolUse", demo), cwd=demo) == ""
