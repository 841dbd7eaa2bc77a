"""Spec 000: the project's knowledge base is read before what Codex remembers, at the start and in searches."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.core.config import Config
from memtui.core.edits import Draft
from memtui.core.model import Layer
from memtui.language.conversation import Session
from memtui.layouts import Surroundings
from memtui.layouts.discovery import discover_homes
from memtui.sessions.forms import place
from memtui.sessions.packing import SessionContext
from memtui.sessions.start import load_session_start
from memtui.store.project import choose_home, choose_summary_home, find_own_home
from memtui.store.vault import Vault
from memtui.store.writing import Writing

INDEX = "# 知识库\n\n| 关键词 | 模块 |\n|---|---|\n| JWT | modules/auth.md |\n"
AUTH = "# auth\n\n与令牌无关的一段话。\n\nJWT 令牌有效期 15 分钟，用 RS256 签名。\n"
SUMMARY = (
    "# 会话摘要\n\n**Session ID:** {id}\n**时间:** 2026-10-01 10:00\n**项目:** {project}\n\n## 做了什么\n- 迁移到 JWT\n"
)


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    user, project = tmp_path / "me", tmp_path / "proj"
    monkeypatch.setenv("HOME", str(user))
    base = project / ".helloagents"
    (base / "modules").mkdir(parents=True)
    (base / "sessions").mkdir()
    (project / ".git").mkdir()
    (base / "INDEX.md").write_text(INDEX, "utf-8")
    (base / "modules" / "auth.md").write_text(AUTH, "utf-8")
    (base / "sessions" / "old-1.md").write_text(SUMMARY.format(id="old-1", project="proj"), "utf-8")
    rollouts = user / ".codex" / "memories" / "rollout_summaries"
    rollouts.mkdir(parents=True)
    for number in range(2):
        (rollouts / f"2026-11-0{number + 1}T10-00-00-ab{number}d-jwt.md").write_text(
            f"thread_id: 019c32d0-ad7a-70b2-b378-c2b94a4ce4a{number}\n"
            f"updated_at: 2026-11-0{number + 1}T10:00:00Z\ncwd: {project}\n\n"
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


def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    project = tmp_path / "proj"
    (project / ".git").mkdir(parents=True)
    return project


def _start(project: Path, session: Session) -> SessionContext:
    user = project.parent / "me"
    return load_session_start(Writing(discover_homes(Surroundings(project, user, {}, (project,)))), session, Config())


def test_an_id_of_nobodys_goes_into_the_talk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = _repository(tmp_path, monkeypatch)
    (project / ".helloagents").mkdir()
    (project / ".helloagents" / "INDEX.md").write_text("# i\n", "utf-8")
    made = "0e42edfc-3d19-4771-b34e-560d96645125"
    assert f"<!-- HELLOAGENTS_SESSION_ID: {made} -->" in _start(project, Session(made, "", str(project), "p", "p")).text
    known = Session(made, "claude-code", str(project), "p", "p")
    assert "HELLOAGENTS_SESSION_ID" not in _start(project, known).text
    assert [path.name for path in (project / ".helloagents").iterdir()] == ["INDEX.md"]


def test_without_a_base_the_persons_own_directory_keeps_the_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = _repository(tmp_path, monkeypatch)
    (tmp_path / "me" / ".helloagents" / "user").mkdir(parents=True)
    session = Session("s-1", "", str(project), "proj", "proj")
    homes = discover_homes(Surroundings(project, tmp_path / "me", {}, (project,)))
    home = choose_summary_home(homes, session, Config())
    assert home.path == tmp_path / "me" / ".helloagents"
    assert place(home, session, 0.0).path == "user/sessions/s-1.md"


def test_what_no_project_takes_goes_to_the_persons_own_home_of_another_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who keeps code-memory for all projects has a home: none of memtui's is made beside it (spec 002)."""
    project = _repository(tmp_path, monkeypatch)
    memory = tmp_path / "me" / ".claude" / "memory"
    (memory / "areas" / "projects").mkdir(parents=True)
    (memory / "daily").mkdir()
    homes = discover_homes(Surroundings(project, tmp_path / "me", {}, (project,)))
    for layer in (Layer.JOURNAL, Layer.KNOWLEDGE, Layer.CORE):
        assert choose_home(homes, layer, Draft("x", "fact", project="proj")).path == memory
    assert choose_home(homes, Layer.PROFILE, Draft("x", "pref")).path == find_own_home().path
    for agent, place_of in (("", memory), ("claude-code", memory), ("codex", find_own_home().path)):
        session = Session("s-1", agent, str(project), "proj", "proj")
        assert choose_summary_home(homes, session, Config()).path == place_of, agent
    # L0 stands where HelloAGENTS was installed, in whatever project the person is; none is made beside it.
    theirs = tmp_path / "me" / ".claude" / "helloagents"
    (theirs / "user").mkdir(parents=True)
    homes = discover_homes(Surroundings(project, tmp_path / "me", {}, (project,)))
    assert choose_home(homes, Layer.PROFILE, Draft("x", "pref")).path == theirs
    (project / ".helloagents" / "modules").mkdir(parents=True)
    homes = discover_homes(Surroundings(project, tmp_path / "me", {}, (project,)))
    assert choose_home(homes, Layer.PROFILE, Draft("x", "pref")).path == theirs
    find_own_home().path.mkdir()
    assert choose_home(homes, Layer.JOURNAL, Draft("x")).path == find_own_home().path
