"""How agents are served, in the app: a session's page, what a session would be given, hooks and jobs in Health."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.agents.hooks import hook_process
from memtui.core.model import Layer
from memtui.language.conversation import Session
from memtui.sessions import jobs, rules
from memtui.sessions.identify import find_current_session
from memtui.tui.row_list import Rows
from memtui.tui.session_sheet import SessionSheet
from tests.tui.conftest import running
from tests.tui.fake_vault import FakeVault, memory

SESSION = Session("s1", "claude-code", "/home/ann/shop", "shop", "shop")


def told(vault: FakeVault) -> None:
    """The session's summary says something, and something was learned in it."""
    vault.memories_ += [
        memory("选择 RS256", "sessions/s0.md", 5, Layer.SESSION, "decision", session="s0"),
        memory("deploys run from main", "daily/2026-11-21.md", 9, Layer.JOURNAL, "fact", source="s0"),
    ]


async def test_a_session_s_page_is_one_list(vault: FakeVault) -> None:
    told(vault)
    async with running(vault) as desk:
        await desk.press("3", "enter")
        sheet = desk.app.screen
        assert isinstance(sheet, SessionSheet)
        text = desk.text()
        order = [text.index(part) for part in ("Summary", "选择 RS256", "Learned here", "deploys run", "Transcript")]
        assert order == sorted(order)
        assert "5 steps" in text
        await desk.press("slash", *"e2e", "enter")
        assert "e2e" in sheet.here()[1].lower()
        await desk.press("escape")
        assert not isinstance(desk.app.screen, SessionSheet)


async def test_a_summary_without_a_transcript_has_a_page_too(vault: FakeVault) -> None:
    told(vault)
    vault.transcripts.clear()
    async with running(vault) as desk:
        await desk.press("3", "enter")
        assert isinstance(desk.app.screen, SessionSheet)
        assert "in no open home" in desk.text()


async def test_health_tells_which_hooks_fired_and_what_failed(vault: FakeVault) -> None:
    hook_process.log_hook("claude-code", "SessionStart", 0.02)
    hook_process.log_hook("claude-code", "PostToolUse", 0.03, "the disk \x1b]52;c;eA==\x07 is full")
    jobs.put("end", SESSION)
    (job,) = jobs.list_jobs()
    jobs.fail_job(job, "the home is locked", 3)
    async with running(vault) as desk:
        await desk.press("6")
        text = desk.text()
        assert "SessionStart" in text
        assert "1 failure" in text
        assert "1 session to write down" in text
        assert "the home is locked" in text
        rows = desk.app.screen.query_one("#checks", Rows)
        at = next(n for n, item in enumerate(rows.items) if "PostToolUse" in str(item.left))
        rows.go(at)
        await desk.settled()
        assert "last failure" in desk.text()
        assert "\x1b]52" not in desk.text()


async def test_what_a_session_would_be_given_and_its_switch(
    vault: FakeVault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with running(vault) as desk:
        await desk.press("c")
        assert "Session context preview: a new session" in desk.text()
        assert "tells which tools search the rest" in desk.text()
        await desk.press("space")
        assert "● on    every session" in desk.text()
        await desk.press("G", "enter")
        config = desk.app.main.context.config
        assert not config.context.enabled
        assert "switched off everywhere" in desk.text()
        assert rules.explain_switch(find_current_session(config), config)


async def test_enter_on_an_agent_without_hooks_asks_to_install_them(
    vault: FakeVault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / ".claude"))
    (tmp_path / ".claude" / "projects").mkdir(parents=True)
    async with running(vault) as desk:
        await desk.press("6")
        rows = desk.main.pane.rows()
        assert rows is not None
        rows.go(next(n for n, row in enumerate(rows.items) if row.key[:2] == ("agent", "claude-code")))
        await desk.settled()
        assert "enter installs hooks (asks first)" in desk.text()
        await desk.press("enter")
        await desk.rest()
        assert "Install hooks" in desk.text() and "restores every byte" in desk.text()
        await desk.press("n")
        assert not (tmp_path / ".claude" / "settings.json").exists()
