"""What fired is counted once, whoever fires at the same time; the record stays small and is fit to be shown."""

from __future__ import annotations

import subprocess
import sys

import pytest

from memtui.agents.hooks import hook_process
from memtui.fs.places import state


def record() -> bytes:
    return (state() / "hooks" / "fired.jsonl").read_bytes()


def test_nothing_fired() -> None:
    assert hook_process.list_fired_hooks() == []


def test_what_fired_is_summed_up_by_event_and_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    for second, (agent, event, error) in enumerate(
        [("codex", "Stop", ""), ("claude-code", "Stop", "OSError: disk"), ("claude-code", "Stop", ""), ("", "Stop", "")]
    ):
        monkeypatch.setenv("MEMTUI_NOW", f"2026-02-10T14:30:0{second}Z")
        hook_process.log_hook(agent, event, 0.0123456, error)
    nobody, claude, codex = hook_process.list_fired_hooks()
    assert (nobody.agent, claude.agent, codex.agent) == ("", "claude-code", "codex")
    assert (claude.times, claude.failures, claude.failure) == (2, 1, "OSError: disk")
    assert claude.last - claude.failed == 1.0 and claude.seconds == 0.0123
    assert (codex.times, codex.failures, codex.failed) == (1, 0, 0.0)


def test_the_record_stays_small() -> None:
    for number in range(2_000):
        hook_process.log_hook("claude-code", "PostToolUse", 0.01, "OSError: no" if number == 7 else "")
    assert len(record()) <= hook_process.FIRED_LARGEST + 500
    (one,) = hook_process.list_fired_hooks()
    assert (one.times, one.failures, one.failure) == (2_000, 1, "OSError: no")


def test_nobodys_firing_is_lost_while_it_is_summed_up() -> None:
    code = (
        "from memtui.agents.hooks import hook_process as fired\nfired.LARGEST = 2000\n"
        "for _ in range(200): fired.log_hook('claude-code', 'PostToolUse', 0.01)"
    )
    started = [subprocess.Popen([sys.executable, "-c", code]) for _one in range(8)]
    assert [process.wait(120) for process in started] == [0] * 8
    (one,) = hook_process.list_fired_hooks()
    assert one.times == 1_600


def test_reasons_are_fit_to_be_shown() -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    hook_process.log_hook("codex", "Stop", 0.1, f"Error: \x1b[31m {token}\n\u202e" + "x" * 10_000)
    (one,) = hook_process.list_fired_hooks()
    assert token not in one.failure and token.encode() not in record()
    assert not set("\x1b\n\u202e") & set(one.failure) and len(one.failure) < 400


def test_lines_that_nobody_can_read_are_passed_over() -> None:
    hook_process.log_hook("codex", "Stop", 0.1)
    with (state() / "hooks" / "fired.jsonl").open("ab") as file:
        file.write(b'\xff\n{"event": 1}\n[]\n{"event": "Stop", "last": "x", "times": {}}\n{"event": "St')
    (one,) = hook_process.list_fired_hooks()
    assert one.times == 1
