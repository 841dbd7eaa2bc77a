"""The sessions of a home are heard once each, from its log, a transcript or their summaries, whatever form those have;
a killed run goes on, and nothing is written twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui import Vault
from memtui.core.config import Config
from memtui.core.model import Home
from memtui.evolution import audit, patterns, sessions_read
from memtui.evolution.audit import PATH, Outcome, SessionSignals, read
from memtui.evolution.overview import load_overview
from memtui.evolution.patterns import compute_problems
from memtui.evolution.sessions_read import backfill, list_unread_sessions
from memtui.language.conversation import Signal
from tests.evolution import homes
from tests.homes import openakita

TROUBLED = (20, 22, 23, 25)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", homes.NOW)


@contextmanager
def opened(*paths: Path) -> Iterator[tuple[Vault, Home]]:
    with Vault.open(paths) as vault:
        yield vault, vault.homes[0]


@pytest.mark.parametrize("layout", ["memtui", "code-memory", "helloagents", "xinghebot", "skillix"])
def test_every_form_of_summary_is_heard(tmp_path: Path, layout: str) -> None:
    folder = {"helloagents": ".helloagents", "skillix": ".cursor/skills/memory-data"}.get(layout, "home")
    place = homes.make(tmp_path / folder, layout, troubled=TROUBLED)
    with opened(place) as (vault, home):
        assert home.layout == layout
        found = sessions_read.load_heard_sessions(vault, home)
        assert [one.session for one in found] == [homes.name(number) for number in range(60)]
        assert [one.time for one in found] == sorted(one.time or 0 for one in found)
        (problem,) = compute_problems(found, (), Config().evolution)
        assert [heard.session for heard in problem.sessions] == [homes.name(number) for number in TROUBLED]
        assert problem.status == "quiet"
        for heard, sign in problem.lines:
            assert sign.line
            line = (place / sign.path).read_text("utf-8").split("\n")[sign.line - 1]
            assert homes.TROUBLE in line
            assert heard.line == 0


def test_the_log_has_the_first_word_and_the_last_of_its_words_holds(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", troubled=TROUBLED)
    with opened(place) as (vault, home):
        sessions_read.load_heard_sessions(vault, home)
        sign = Signal("security_issue", "a key was printed", "sessions/x.md", 3, "key")
        for signs in ((sign, sign), (sign,)):
            homes.told(
                vault, home, SessionSignals(homes.name(20), homes.time(20), signs, "shop"), who="hook:SessionEnd"
            )
        vault.refresh()
        found = {one.session: one for one in sessions_read.load_heard_sessions(vault, home)}
        assert len(found) == 60
        assert found[homes.name(20)].signals == (sign,)
        assert found[homes.name(20)].line == 2
        assert found[homes.name(22)].line == 0


def test_one_line_dated_far_ahead_is_not_the_newest_session(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", troubled=TROUBLED)
    with opened(place) as (vault, home):
        newest = sessions_read.load_heard_sessions(vault, home)[-1].session
        far = SessionSignals("from-5138", 100_000_000_000.0, (Signal("error", "x", "sessions/x.md", 1, "x"),), "shop")
        homes.told(vault, home, far, who="hook:SessionEnd")
        vault.refresh()
        found = sessions_read.load_heard_sessions(vault, home)
        assert (found[0].session, found[0].time) == ("from-5138", None)
        assert found[-1].session == newest


def test_a_summary_that_is_changed_is_heard_again(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", troubled=TROUBLED)
    with opened(place) as (vault, home):
        before = sessions_read.load_heard_sessions(vault, home)
        file = place / "sessions" / f"{homes.name(59)}.md"
        file.write_text(file.read_text("utf-8").replace("Added page 59 to the list", homes.TROUBLE), "utf-8")
        vault.refresh()
        after = sessions_read.load_heard_sessions(vault, home)
        assert not before[59].signals
        assert {sign.type for sign in after[59].signals} == {sign.type for sign in before[20].signals} != set()
        file.unlink()
        vault.refresh()
        assert len(sessions_read.load_heard_sessions(vault, home)) == 59


def test_how_it_went_stands_in_the_log_else_in_the_summary(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", failed=(58, 59))
    with opened(place) as (vault, home):
        went = sessions_read.load_outcomes(vault, home)
        assert {went[homes.name(number)].status for number in range(58)} == {"success"}
        assert went[homes.name(59)].status == "failed"
        assert went[homes.name(59)].reason == "the release was put off"
        homes.told(vault, home, Outcome(homes.name(59), None, "success"), who="person")
        homes.told(vault, home, Outcome(homes.name(58), None, "unknown"), who="person")
        went = sessions_read.load_outcomes(vault, home)
        assert went[homes.name(59)].status == "success"
        assert went[homes.name(58)].status == "failed"


def test_where_nobody_says_how_it_went_it_is_unknown(tmp_path: Path) -> None:
    place = homes.make(tmp_path / ".helloagents", "helloagents", many=3)
    with opened(place) as (vault, home):
        assert {one.status for one in sessions_read.load_outcomes(vault, home).values()} == {"unknown"}
        assert len(sessions_read.load_outcomes(vault, home)) == 3


def test_a_transcript_beside_its_summary_is_the_same_session_and_one_alone_waits(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", many=3)
    folder = tmp_path / ".claude" / "projects" / "-home-ann-shop"
    folder.mkdir(parents=True)
    for number in (1, 7):
        record = {"type": "user", "sessionId": homes.name(number), "cwd": "/home/ann/shop",
                  "message": {"role": "user", "content": "hello"}, "timestamp": "2026-02-01T10:00:00Z"}  # fmt: skip
        (folder / f"{homes.name(number)}.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    with opened(place, tmp_path / ".claude") as (vault, home):
        assert len(sessions_read.load_heard_sessions(vault, home)) == 3
        assert sessions_read.load_heard_sessions(vault, vault.homes[1]) == []


def test_a_home_without_a_log_has_its_patterns_settled_in_memtuis_own(tmp_path: Path) -> None:
    one = homes.make(tmp_path / "a" / ".helloagents", "helloagents", troubled=TROUBLED)
    two = homes.make(tmp_path / "b" / ".helloagents", "helloagents", troubled=TROUBLED)
    with opened(one, two) as (vault, home):
        (problem,) = compute_problems(sessions_read.load_heard_sessions(vault, home), (), Config().evolution)
        patterns.settle(vault, home, problem.key, "addressed", "moved to a fixture", who="person")
        (said,) = audit.load_settled(vault, home)
        assert (said.pattern, said.status, said.reason, said.who) == (
            problem.key, "addressed", "moved to a fixture", "person",
        )  # fmt: skip
        assert audit.load_settled(vault, vault.homes[1]) == ()
        assert audit.load_settled(vault, audit.find_log_home(home)) == ()
        assert not (one / "evolution").exists()


def test_a_session_counts_at_one_home_however_many_share_a_log(tmp_path: Path, _own_user: Path) -> None:
    own = homes.make(_own_user / ".memtui", "memtui", many=2)
    theirs = homes.make(tmp_path / "work" / ".helloagents", "helloagents", troubled=(20, 22, 23), many=24)
    for number in range(2):
        (theirs / "sessions" / f"{homes.name(number)}.md").unlink()
    elsewhere = SessionSignals("of-no-home", homes.time(30), (), "shop")
    with Vault.open([own, theirs]) as vault:
        mine, other = vault.homes
        backfill(vault, other, who="person")
        homes.told(vault, mine, elsewhere, who="person")
        vault.refresh()
        assert [one.session for one in sessions_read.load_heard_sessions(vault, mine)] == [
            *map(homes.name, range(2)),
            "of-no-home",
        ]
        assert [one.session for one in sessions_read.load_heard_sessions(vault, other)] == [
            *map(homes.name, range(2, 24))
        ]
        assert set(sessions_read.load_outcomes(vault, mine)) == {*map(homes.name, range(2)), "of-no-home"}
    with Vault.open([own]) as alone:
        # Whose home is not open: nothing else tells of it.
        assert len(sessions_read.load_heard_sessions(alone, alone.homes[0])) == 25


def test_openakitas_episodes_are_sessions_with_their_outcomes(tmp_path: Path) -> None:
    place = tmp_path / ".openakita" / "workspaces" / "default"
    (place / "data" / "memory").mkdir(parents=True)
    (place / "identity").mkdir()
    (place / "identity" / "USER.md").write_text("# User\n\n- Name: Lin\n", "utf-8")
    database = apsw.Connection(str(place / "data" / "memory" / "openakita.db"))
    database.execute(openakita.V6)
    for number in range(12):
        text = homes.TROUBLE if number in {2, 4, 5} else f"Added page {number}"
        went = "failed" if number == 11 else "completed"
        stamp = f"2026-02-{number + 1:02}T10:00:00"
        database.execute(
            "INSERT INTO episodes (id, session_id, summary, outcome, started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?)",
            (f"e{number}", f"chat-{number:02}", text, went, stamp, stamp),
        )
        database.execute(
            "INSERT INTO attachments (id, session_id, filename, description) VALUES (?, ?, ?, ?)",
            (f"a{number}", f"chat-{number:02}", "x.png", homes.TROUBLE),
        )
    database.close()
    with opened(place) as (vault, home):
        assert home.layout == "openakita"
        found = sessions_read.load_heard_sessions(vault, home)
        assert [one.session for one in found] == [f"chat-{number:02}" for number in range(12)]
        assert {one.session for one in found if one.signals} == {"chat-02", "chat-04", "chat-05"}
        went_all = sessions_read.load_outcomes(vault, home)
        assert [went_all[f"chat-{number:02}"].status for number in range(12)] == ["success"] * 11 + ["failed"]


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


def test_a_run_that_was_killed_goes_on_and_doubles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
        assert [one.session for one in list_unread_sessions(vault, home)] == [homes.name(number) for number in range(3)]
        assert backfill(vault, home, who="person") == 3
        (heard,) = [one for one in sessions_read.load_heard_sessions(vault, home) if one.session == homes.name(1)]
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
