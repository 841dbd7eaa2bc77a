"""Hooks as the processes that agents start, hundreds of times a day, over an interpreter that does nothing."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from memtui.core import clock
from tests.speed.corpus import home as made
from tests.speed.measure import Measure, Row, Scale, percentile, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ROUNDS = 20
_calls = count()


def _payload(event: str, cwd: Path, more: dict[str, Any]) -> bytes:
    """Every call is a session of its own: what is given once is given every time."""
    told = {"session_id": f"speed-{next(_calls)}", "cwd": str(cwd), "hook_event_name": event, **more}
    return json.dumps(told).encode()


def _used(tool: str, cwd: Path) -> dict[str, Any]:
    return {
        "tool_name": tool,
        "tool_input": {"file_path": str(cwd / f"f{next(_calls)}.py"), "new_string": "y"},
    }


@contextmanager
def _ruled(home: Path) -> Iterator[None]:
    """The home with a project that has rules; afterwards as it was, for the other families."""
    rules = home / "areas" / "projects" / "demo" / "rules.md"
    written = (rules, home / "scratchpad.md", home / "daily" / f"{clock.format_day(clock.now())}.md")
    before = {file: file.read_bytes() if file.exists() else None for file in written}
    rules.parent.mkdir(parents=True, exist_ok=True)
    rules.write_text("# demo\n\n## 编码规范\n- 不要使用 var (2026-02-08)\n", encoding="utf-8")
    try:
        yield
    finally:
        for file, data in before.items():
            if data is None:
                file.unlink(missing_ok=True)
            else:
                file.write_bytes(data)


def fires(event: str, more: Callable[[Path], dict[str, Any]]) -> Callable[[Scale], Measure]:
    """A row's measure: the event as a process on a home of so many files, interleaved with a bare start."""

    def run(scale: Scale) -> Measure:
        home = made(scale.files).resolve()
        cwd = home.parent / "demo"
        cwd.mkdir(exist_ok=True)
        env = {**os.environ, "MEMTUI_HOME": str(home), "MEMTUI_WORKER": "off", "MEMTUI_VECTOR_BACKEND": "off"}
        ours = [sys.executable, "-m", "memtui", "hook", event, "--agent", "claude-code"]
        bare = [sys.executable, "-c", "pass"]

        def start(argv: list[str], said: bytes) -> float:
            quiet = subprocess.DEVNULL
            return timed(
                lambda: subprocess.run(argv, input=said, stdout=quiet, stderr=quiet, cwd=cwd, env=env, check=True)
            )

        rounds = scale.times(ROUNDS, 4)
        with _ruled(home):
            start(ours, _payload(event, cwd, more(cwd)))
            turns = [(start(ours, _payload(event, cwd, more(cwd))), start(bare, b"")) for _ in range(rounds)]
        whole, other = zip(*turns, strict=True)
        ratio = statistics.median(one / two for one, two in turns)
        detail = (
            f"{min(whole) * 1000:.0f} ms at best, p95 {percentile(list(whole), 0.95) * 1000:.0f} ms; "
            f"a bare start {min(other) * 1000:.0f} ms, p95 {percentile(list(other), 0.95) * 1000:.0f} ms"
        )
        return Measure(ratio, detail)

    return run


ROWS = (
    Row("hook PreToolUse (Read, the rules)", 6.0, "×", fires("PreToolUse", lambda cwd: _used("Read", cwd))),
    Row("hook PreToolUse (Edit, the gate)", 6.0, "×", fires("PreToolUse", lambda cwd: _used("Edit", cwd))),
    Row("hook PostToolUse (the daily note)", 8.0, "×", fires("PostToolUse", lambda cwd: _used("Edit", cwd))),
    Row("hook SessionStart", 7.5, "×", fires("SessionStart", lambda _cwd: {"source": "startup"})),
    Row(
        "hook UserPromptSubmit",
        8.5,
        "×",
        fires("UserPromptSubmit", lambda _cwd: {"prompt": "Refactor the login flow of the shop"}),
    ),
    Row("hook Stop", 5.0, "×", fires("Stop", lambda _cwd: {})),
    Row("hook SessionEnd", 5.0, "×", fires("SessionEnd", lambda _cwd: {"reason": "other"})),
    Row("hook of an event that nobody wants", 3.0, "×", fires("FileChanged", lambda _cwd: {})),
)
