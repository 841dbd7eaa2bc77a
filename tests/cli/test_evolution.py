"""`memtui evolution`: signals with their lines, effects, gates, how patterns stand, the report, old sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui.evolution.audit import PATH
from memtui.language import similarity
from tests.cli.conftest import Caller
from tests.evolution import homes

LESSON = "Run the migrations before the service starts"
TROUBLED = (53, 55, 56, 58, 59)


@pytest.fixture
def year(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a trouble that comes back, a streak of failures and a lesson that helps."""
    monkeypatch.setenv("MEMTUI_NOW", homes.NOW)
    place = homes.make(alone / ".memtui", "memtui", troubled=TROUBLED, failed=(57, 58, 59))
    (place / "MEMORY.md").write_text(f"# MEMORY\n\n## Lessons\n\n- {LESSON}\n", "utf-8")
    named = f"avoidance:{similarity.digest(LESSON)}"
    lines = [
        {"timestamp": f"2026-02-{day:02}T10:00:00", "event_type": kind, "session_id": f"x-{day}", **more}
        for day in range(10, 16)
        for kind, more in (("ref", {"experience_id": named}), ("outcome", {"outcome": "success"}))
    ]
    (place / PATH).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return place


def key(call: Caller) -> str:
    found: str = call("evolution", "signals", "--json").json["problems"][0]["key"]
    return found


def test_signals_come_with_their_sessions_and_lines(call: Caller, year: Path) -> None:
    told = call("evolution", "signals", "--json").json
    assert told["window"] == 8
    assert told["heard"] == told["unheard"] == 60
    assert [one["session"] for one in told["sessions"]] == [homes.name(number) for number in range(52, 60)]
    (problem,) = told["problems"]
    assert (problem["count"], problem["priority"], problem["status"]) == (5, "critical", "active")
    assert [one["session"] for one in problem["sessions"]] == [homes.name(number) for number in TROUBLED]
    for one in problem["sessions"]:
        assert homes.TROUBLE in (year / one["path"]).read_text("utf-8").split("\n")[one["line"] - 1]
    assert {one["type"] for one in told["patterns"]} == {problem["type"]}
    assert (told["streak"]["length"], told["streak"]["priority"]) == (3, "high")
    assert told["changes"]


def test_signals_fit_a_terminal_of_eighty_columns(call: Caller, year: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = call("evolution", "signals")
    assert done.status == 0
    rows = done.out.split("\n")
    assert all(len(row) <= 80 for row in rows[:2])
    assert "5/8 █████░░░" in done.out
    assert "CRITICAL" in done.out
    assert f"sessions/{homes.name(59)}.md:" in done.out
    assert "60 sessions are not analyzed yet" in done.err


def test_of_several_homes_it_says_which_one_it_is(call: Caller, year: Path, alone: Path) -> None:
    assert "one of" not in call("evolution", "signals").err
    other = homes.make(alone / ".claude" / "memory", "code-memory", many=3)
    assert "~/.memtui, one of 2 homes" in call("evolution", "signals").err
    assert call("evolution", "signals", "--json").err == ""
    assert call("evolution", "signals", "--home", str(other), "--json").json["home"] == str(other)


def test_where_nothing_was_heard_it_says_so(call: Caller, home: Path) -> None:
    done = call("evolution", "signals")
    assert (done.status, done.out) == (1, "")
    assert "No signals in" in done.err
    assert call("evolution", "effects").status == 1
    assert call("evolution", "skills").status == 1


def test_a_pattern_is_resolved_suppressed_and_reopened_with_a_reason(call: Caller, year: Path) -> None:
    name = key(call)
    done = call("evolution", "resolve", name, "--reason", "in the fixture now", "--json").json
    assert (done["pattern"], done["status"]) == (name, "addressed")
    (problem,) = call("evolution", "signals", "--json").json["problems"]
    assert (problem["status"], problem["who"], problem["reason"]) == ("addressed", "person", "in the fixture now")
    assert (problem["priority"], problem["count"]) == ("normal", 5)
    # A beginning is enough where there is only one.
    assert call("evolution", "suppress", name[: len(name) - 3]).status == 0
    assert call("evolution", "signals", "--json").json["problems"][0]["status"] == "suppressed"
    assert call("evolution", "reopen", name).status == 0
    assert call("evolution", "signals", "--json").json["problems"][0]["status"] == "active"
    assert call("undo").status == 0
    assert call("evolution", "signals", "--json").json["problems"][0]["status"] == "suppressed"


def test_muting_what_is_seldom_heard_is_done_and_remarked_on(call: Caller, alone: Path) -> None:
    homes.make(alone / ".memtui", "memtui", troubled=(1,), many=3)
    kind = call("evolution", "signals", "--json").json["patterns"][0]["key"]
    done = call("evolution", "suppress", kind)
    assert done.status == 0
    assert "1 of 3 sessions only" in done.err


def test_a_pattern_that_is_none_is_refused_with_those_that_are(call: Caller, year: Path) -> None:
    done = call("evolution", "resolve", "nothing-like-it")
    assert done.status == 2
    assert key(call) in done.err
    assert call("evolution", "resolve").status == 2


def test_effects_and_what_a_person_says_of_them(call: Caller, year: Path) -> None:
    (one,) = call("evolution", "effects", "--json").json["effects"]
    assert (one["text"], one["good"], one["bad"], one["refs"]) == (LESSON, 6, 0, 6)
    assert one["p"] == pytest.approx(7 / 8, abs=1e-4)
    assert one["value"] == pytest.approx(one["p"] * one["decay"], abs=1e-3)
    assert one["verdict"] == "strong"
    assert "LESSON" not in call("evolution", "effects").out
    assert LESSON in call("evolution", "effects").out
    assert call("evolution", "wrong", one["memory"], "--reason", "no migrations any more").status == 0
    (after,) = call("evolution", "effects", "--json").json["effects"]
    assert (after["wrong"], after["p"]) == (1, pytest.approx(7 / 9, abs=1e-4))
    assert call("evolution", "helpful", one["experience"]).status == 0
    assert call("evolution", "stale", "nobody").status == 2


def test_gates_are_a_checklist(call: Caller, year: Path) -> None:
    done = call("evolution", "gates")
    assert len([row for row in done.out.split("\n") if row[:1] in {"✓", "✗"}]) == 4
    told = call("evolution", "gates", "--json").json
    assert [gate["open"] for gate in told["gates"]].count(True) < 4
    assert done.status == 1
    assert told["open"] is False


def test_the_report_is_shown_and_written(call: Caller, year: Path) -> None:
    shown = call("evolution", "report").out
    assert shown.startswith("# ")
    assert not (year / "evolution" / "signal_report_latest.md").exists()
    done = call("evolution", "report", "--write", "--json").json
    assert done["receipt"]["verb"] == "report"
    assert (year / "evolution" / "signal_report_latest.md").read_text("utf-8") == done["report"] == shown
    assert "already" in call("evolution", "report", "--write").err
    listed = call("evolution", "list", "--json", "--kind", "signal").json["memories"]
    assert {one["extra"]["signal"] for one in listed} >= {"environment_issue"}


def test_old_sessions_are_heard_after_a_dry_run(call: Caller, year: Path) -> None:
    before = (year / PATH).read_bytes()
    waiting = call("evolution", "backfill", "--dry-run", "--json").json
    assert len(waiting["sessions"]) == 60
    assert (year / PATH).read_bytes() == before
    assert call("evolution", "backfill", "--json").json["heard"] == 60
    assert call("evolution", "signals", "--json").json["unheard"] == 0
    done = call("evolution", "backfill")
    assert (done.status, done.out) == (1, "")


@pytest.mark.parametrize(
    "argv",
    [
        ("signals", "x"),
        ("effects", "--reason", "x"),
        ("list", "--write"),
        ("report", "--force"),
        ("signals", "--dry-run"),
        ("signals", "--kind", "signal"),
        ("gates", "-n", "3"),
        ("remove",),
    ],
)
def test_options_belong_to_their_verbs(call: Caller, year: Path, argv: tuple[str, ...]) -> None:
    assert call("evolution", *argv).status == 2


def test_list_and_show_are_as_they_were(call: Caller, year: Path) -> None:
    listed = call("evolution", "--json").json["memories"]
    assert len(listed) == 12
    assert call("evolution", "show", listed[0]["id"], "--json").json["memory"]["id"] == listed[0]["id"]


def test_nothing_hostile_reaches_the_terminal(call: Caller, alone: Path) -> None:
    place = homes.make(alone / ".memtui", "memtui", many=3)
    evil = {
        "type": "error",
        "text": "boom \x1b]0;owned\x07",
        "about": "bo\x1b[31mom",
        "path": "../../etc/passwd",
        "line": 1,
    }
    lines = [
        {"timestamp": "2026-01-02T10:00:00", "event_type": "signals", "session_id": homes.name(number),
         "signals": [evil], "project": "\x1b[2J"}
        for number in range(3)
    ]  # fmt: skip
    (place / PATH).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    for argv in (("signals",), ("signals", "--json"), ("report",)):
        done = call("evolution", *argv)
        assert done.status == 0
        assert "\x1b" not in done.out + done.err
