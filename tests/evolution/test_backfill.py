"""Old sessions are heard once: by transcript or summary, a killed run goes on, and nothing is written twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui import Vault
from memtui.evolution import audit, sessions_read
from memtui.evolution.audit import PATH, read
from memtui.evolution.overview import load_overview
from memtui.evolution.sessions_read import backfill, list_unread_sessions
from tests.evolution import homes

TROUBLED = (20, 22, 23, 25)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", homes.NOW)


@pytest.mark.parametrize("layout", ["memtui", "code-memory"])
def test_every_session_is_heard_once_and_nothing_that_is_shown_changes(tmp_path: Path, layout: str) -> None:
    place = homes.make(tmp_path / "home", layout, troubled=TROUBLED, failed=(3,))
    with Vault.open([place]) as vault:
        home = vault.homes[0]
        before = load_overview(vault, home)
        assert before.unheard == 60
        steps: list[tuple[int, int]] = []
        assert backfill(vault, home, progress=lambda *step: steps.append(step), who="person") == 60
        assert steps == [(number, 60) for number in range(1, 61)]
        after = load_overview(vault, home)
        assert after.unheard == 0
        assert [one._replace(sessions=()) for one in after.problems] == [
            one._replace(sessions=()) for one in before.problems
        ]
        assert [one.session for one in after.sessions] == [one.session for one in before.sessions]
        assert [one.signals for one in after.sessions] == [one.signals for one in before.sessions]
        bytes_ = (place / PATH).read_bytes()
        assert backfill(vault, home, who="person") == 0
        assert list_unread_sessions(vault, home) == []
        assert (place / PATH).read_bytes() == bytes_
        if layout == "memtui":
            assert {one.status for one in read(vault, home).outcomes} == {"success", "failed"}
        vault.undo(vault.history(1)[0].group)
        assert not (place / PATH).exists() or not read(vault, home).heard


def test_a_run_that_was_killed_goes_on_and_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.evolution.sessions_read.ROOM", 4000)
    place = homes.make(tmp_path / "home", "memtui", troubled=TROUBLED)

    def stop(done: int, _total: int) -> None:
        if done == 41:
            raise KeyboardInterrupt

    with Vault.open([place]) as vault, pytest.raises(KeyboardInterrupt):
        backfill(vault, vault.homes[0], progress=stop, who="person")
    with Vault.open([place]) as vault:
        home = vault.homes[0]
        there = [one.session for one in read(vault, home).heard]
        assert 0 < len(there) < 41
        assert there == [homes.name(number) for number in range(len(there))]
        assert backfill(vault, home, who="person") == 60 - len(there)
        log = read(vault, home)
        assert [one.session for one in log.heard] == [homes.name(number) for number in range(60)]
        assert len({one.session for one in log.outcomes}) == len(log.outcomes) == 60


def test_what_is_known_is_not_noted_again(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", many=2)
    lines = [
        {"timestamp": "2026-01-01T12:00:00", "event_type": "outcome", "session_id": homes.name(0), "outcome": "failed",
         "corrections": 2},
        {"timestamp": "2026-01-01T12:00:00", "event_type": "signals", "session_id": homes.name(0), "signals": []},
    ]  # fmt: skip
    (place / PATH).write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    with Vault.open([place]) as vault:
        assert backfill(vault, vault.homes[0], who="person") == 1
        log = read(vault, vault.homes[0])
        assert [(one.session, one.status) for one in log.outcomes] == [
            (homes.name(0), "failed"), (homes.name(1), "success"),
        ]  # fmt: skip


def test_homes_without_a_log_are_noted_in_memtuis_own_by_whole_paths(tmp_path: Path) -> None:
    place = homes.make(tmp_path / ".helloagents", "helloagents", troubled=TROUBLED)
    with Vault.open([place]) as vault:
        home = vault.homes[0]
        before = load_overview(vault, home)
        assert backfill(vault, home, who="person") == 60
        after = load_overview(vault, home)
        assert [one.key for one in after.problems] == [one.key for one in before.problems] != []
        for _heard, sign in after.problems[0].lines:
            assert sign.path.startswith(str(place))
        own = audit.find_log_home(home)
        assert (own.path / PATH).is_file()
        assert not (place / "evolution").exists()
    other = homes.make(tmp_path / "other" / ".helloagents", "helloagents", many=2)
    with Vault.open([other]) as vault:
        assert len(sessions_read.load_heard_sessions(vault, vault.homes[0])) == 2


def said(role: str, text: Any, session: str) -> str:
    return json.dumps({
        "type": role, "sessionId": session, "cwd": "/home/ann/shop", "uuid": f"{role}-{len(str(text))}",
        "timestamp": "2026-02-20T10:00:00Z", "message": {"role": role, "content": text},
    })  # fmt: skip


def test_transcripts_are_heard_where_they_are_still_there_and_sub_agents_never(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", many=3, troubled=(1,))
    folder = tmp_path / ".claude" / "projects" / "-home-ann-shop"
    folder.mkdir(parents=True)
    for name in (homes.name(1), homes.name(9), "agent-b2"):
        lines = [
            said("user", "No, that is wrong: use pnpm here, not npm!", name),
            said("assistant", "You are right, I will use pnpm.", name),
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    with Vault.open([place, tmp_path / ".claude"]) as vault:
        home, claude = vault.homes
        assert [one.session for one in list_unread_sessions(vault, home)] == [
            homes.name(number) for number in range(3)
        ]
        assert backfill(vault, home, who="person") == 3
        (heard,) = [
            one for one in sessions_read.load_heard_sessions(vault, home) if one.session == homes.name(1)
        ]
        paths = {sign.path for sign in heard.signals}
        assert heard.path == f"sessions/{homes.name(1)}.md"
        assert {heard.path, str(folder / f"{homes.name(1)}.jsonl")} == paths
        # The session with a summary is that home's.
        assert [one.session for one in list_unread_sessions(vault, claude)] == [homes.name(9)]
        backfill(vault, claude, who="person")
        assert {one.session for one in sessions_read.load_heard_sessions(vault, claude)} == {homes.name(9)}


def test_a_summary_cannot_have_another_file_read(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "code-memory", many=1)
    secret = tmp_path / "other.jsonl"
    secret.write_text(said("user", homes.TROUBLE, "other") + "\n", "utf-8")
    file = place / "sessions" / f"{homes.name(0)}.md"
    file.write_text(file.read_text("utf-8").replace("\n---", f"- **原始文件**: `{secret}`\n\n---"), "utf-8")
    with Vault.open([place]) as vault:
        (old,) = list_unread_sessions(vault, vault.homes[0])
        assert old.told is not None
        assert old.told.transcript == str(secret)
        assert old.transcript == ""
        named = tmp_path / f"{homes.name(0)}.jsonl"
        file.write_text(file.read_text("utf-8").replace(str(secret), str(named)), "utf-8")
        named.write_text(said("user", "hello", homes.name(0)) + "\n", "utf-8")
        vault.refresh()
        assert list_unread_sessions(vault, vault.homes[0])[0].transcript == str(named)
