"""Forty sessions through the real doors leave a home that a person would have written: nothing secret, nothing
injected, nothing lost, one file a session."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from threading import Thread

import pytest

from memtui.agents.hooks.hook_process import list_fired_hooks
from memtui.core.config import Config
from memtui.core.errors import LockedError
from memtui.fs.locks import hold_lock
from memtui.fs.places import state
from memtui.layouts.discovery import open_home_at
from memtui.sessions import jobs
from memtui.store.vault import Vault
from tests.agents.played import PLOTS, Plot, Talk
from tests.safety.secrets import Maker

SESSIONS = 40
"""Every plot of the eight with each agent: every fifth session is Codex's."""
NEVER = ("evil.example", "SUBAGENT", "TAKENBACK", "only-a-sub-agent")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MEMTUI_INSIDE", "MEMTUI_OFF", "MEMTUI_WORKER", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MEMTUI_CAPTURE_KEEP", "0")


def settled() -> None:
    """The queue is empty, and no worker is at it."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            with hold_lock(state() / "locks" / "worker.lock", timeout=0.0):
                if not jobs.list_jobs():
                    return
        except LockedError:
            pass
        time.sleep(0.05)
    raise AssertionError(jobs.list_jobs())


def played(user: Path, number: int, secret: str) -> tuple[Talk, Plot, str]:
    """One of the sessions, from its start to its end: some end twice, some never, some are resumed."""
    plot = PLOTS[number % len(PLOTS)]
    agent = "codex" if number % 5 == 3 and plot.play.__name__ != "_rewound" else "claude-code"
    talk = Talk(user, user / "work" / ("shop-api", "trailmap", "etl")[number % 3], number, agent)
    thing = f"模块{number}号" if plot.kept and "缓存失效还没做" in plot.kept else f"item{number}"
    talk.start()
    plot.play(talk, thing, secret)
    if number % 7 != 2:
        talk.ends(2 if number % 7 == 4 else 1)
    if number % 11 == 6:
        talk.start("resume")
        talk.ends()
    return talk, plot, thing


def test_forty_sessions(_own_user: Path) -> None:
    for name in ("shop-api", "trailmap", "etl"):
        (_own_user / "work" / name).mkdir(parents=True)
    secrets = [f"Hx7#{Maker(number).of('kQ29z', 8)}{number}" for number in range(SESSIONS)]
    done: list[tuple[Talk, Plot, str]] = []

    def some(first: int) -> None:
        done.extend(played(_own_user, number, secrets[number]) for number in range(first, SESSIONS, 2))

    # Two developers, or one with two terminals.
    other = Thread(target=some, args=(1,))
    other.start()
    some(0)
    other.join()
    settled()
    assert len(done) == SESSIONS
    assert not [one for one in list_fired_hooks() if one.failures]
    home = _own_user / ".memtui"
    _summaries(home, done)
    _harmless(_own_user, done, secrets)
    _lasting(home, done)


def _summaries(home: Path, done: list[tuple[Talk, Plot, str]]) -> None:
    files = {file.stem: file.read_text("utf-8") for file in (home / "sessions").iterdir()}
    assert set(files) == {talk.name for talk, plot, _thing in done if plot.kept}
    for talk, plot, thing in done:
        for wanted in plot.kept:
            assert wanted.format(thing=thing) in files[talk.name], (plot.play.__name__, files[talk.name])
        if plot.kept:
            title = "# 会话摘要" if plot.play.__name__ in {"_chinese", "_compacted"} else "# Session summary"
            assert files[talk.name].startswith(title) or plot.play.__name__ == "_leaky"


def _harmless(user: Path, done: list[tuple[Talk, Plot, str]], secrets: list[str]) -> None:
    """No secret below the user's directory but in what was made here, no order in a home or said to an agent."""
    ours = (user / "work", user / ".claude" / "projects", user / ".codex" / "sessions")
    for file in user.rglob("*"):
        if not file.is_file() or any(file.is_relative_to(place) for place in ours):
            continue
        data = file.read_bytes()
        assert not [secret for secret in secrets if secret.encode() in data], file
        if file.is_relative_to(user / ".memtui"):
            assert not [word for word in NEVER if word.encode() in data], file
    for talk, _plot, _thing in done:
        for said in talk.told:
            # What is taken back later may have been given meanwhile, for then it stood.
            assert not [word for word in (*NEVER, *secrets) if word in said.text and word != "TAKENBACK"], said


def _lasting(home: Path, done: list[tuple[Talk, Plot, str]]) -> None:
    """What was edited stands in the journal once, what holds from now on waits in Review once."""
    journal = "\n".join(file.read_text("utf-8") for file in sorted((home / "daily").glob("*.md")))
    edited = Counter(f"src/{talk.number}.ts" for talk, plot, _thing in done if plot.play.__name__ == "_injected")
    for name in edited:
        assert f"`{name}`" in journal
    from memtui.store import candidates

    with Vault([open_home_at(home)], Config()) as vault:
        waiting = [one.text for one in candidates.list_waiting_candidates(vault.homes[0])]
        assert sum("pytest" in text and "一律" in text for text in waiting) == 1
        assert sum("named exports" in text for text in waiting) == 1
        assert "shop_admin" in journal + "\n".join(waiting)
        last = vault.history(1)[0]
        assert vault.undo(last.id, who="person")
