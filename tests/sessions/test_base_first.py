"""Spec 000: the project's knowledge base is read before what Codex remembers, at the start and in searches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from memtui.core.config import Config
from memtui.language.conversation import Session
from memtui.layouts import Surroundings
from memtui.layouts.discovery import discover_homes
from memtui.sessions.start import load_session_start
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    user, project = tmp_path / "me", tmp_path / "proj"
    monkeypatch.setenv("HOME", str(user))
    base = project / ".helloagents"
    (base / "modules").mkdir(parents=True)
    (base / "sessions").mkdir()
    (project / ".git").mkdir()
    (base / "INDEX.md").write_text("# 知识库\n\n| 关键词 | 模块 |\n|---|---|\n| JWT | modules/auth.md |\n", "utf-8")
    (base / "modules" / "auth.md").write_text("# auth\n\n其他内容与 JWT 无关的很长的一段话。\n\nJWT 令牌有效期 15 分钟，用 RS256 签名。\n", "utf-8")
    (base / "sessions" / "old-1.md").write_text("# 会话摘要\n\n**Session ID:** old-1\n**时间:** 2026-10-01 10:00\n\n## 做了什么\n- 迁移到 JWT\n", "utf-8")
    rollouts = user / ".codex" / "memories" / "rollout_summaries"
    rollouts.mkdir(parents=True)
    for number in range(2):
        (rollouts / f"2026-11-0{number + 1}T10-00-00-ab{number}d-jwt.md").write_text(
            f"thread_id: 019c32d0-ad7a-70b2-b378-c2b94a4ce4a{number}\nupdated_at: 2026-11-0{number + 1}T10:00:00Z\ncwd: {project}\n\n"
            "# JWT JWT\n\n- JWT 令牌有效期 60 分钟，用 RS256 签名。\n",
            "utf-8",
        )
    os.utime(base / "modules" / "auth.md", (1_798_000_000, 1_798_000_000))
    with Vault(discover_homes(Surroundings(project, user, {}, (project,))), Config()) as opened:
        opened.refresh()
        yield opened


def test_what_the_base_says_comes_first_and_the_older_says_so(vault: Vault) -> None:
    found = vault.find("JWT 令牌有效期")
    codex = [number for number, hit in enumerate(found) if hit.home.endswith(".codex")]
    ours = next(number for number, hit in enumerate(found) if hit.path == "modules/auth.md")
    assert codex
    assert ours < min(codex)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    said = next(hit for hit in found if "60 分钟" in hit.snippet)
    assert "older than modules/auth.md:5" in said.why
    assert "older than" not in found[ours].why


def test_a_start_gives_the_base_before_codex(vault: Vault, tmp_path: Path) -> None:
    session = Session("new", "claude-code", str(tmp_path / "proj"), "proj", "proj")
    given = [item.path for item in load_session_start(vault, session, Config()).items if item.path]
    assert given[:2] == ["sessions/old-1.md", "INDEX.md"]
    assert given[2].startswith("memories/rollout_summaries/2026-11-02")
