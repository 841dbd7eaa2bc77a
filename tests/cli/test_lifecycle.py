"""`memtui lifecycle`, `memtui consolidate` and `memtui install schedule`, as a person and a timer call them: what they
show, do and answer; and the words by which a memory is given its time.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from memtui import Vault, layouts
from memtui.cli import render
from memtui.fs import database_rows
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, state
from memtui.layouts import HOME_VARIABLES
from memtui.lifecycle import expiry
from memtui.store.write_path import KEEPER
from tests.cli.conftest import Caller
from tests.consolidation.homes import hashes
from tests.homes import read_files
from tests.homes.openakita import build

SHOP = "areas/projects/shop/facts.json"
HOSTILE = "\x1b]52;c;aGk=\x07 [/bold] gone"


@pytest.fixture
def ending(home: Path) -> Path:
    """The home, with facts whose time is over, almost over, or faded."""
    document = json.loads((home / SHOP).read_text("utf-8"))
    document["facts"] += [
        {"id": "fact-010", "fact": HOSTILE, "status": "active", "expires_at": "2026-02-20"},
        {"id": "fact-011", "fact": "Freeze", "status": "active", "expires_at": "2026-03-02"},
        {"id": "fact-012", "fact": "One red build", "priority": "short_term", "timestamp": "2026-01-02"},
        {"id": "fact-013", "fact": "Another red build", "priority": "short_term", "timestamp": "2026-01-02"},
        {"id": "fact-014", "fact": "On leave", "priority": "short_term", "timestamp": "2026-02-20"},
    ]
    (home / SHOP).write_text(json.dumps(document, ensure_ascii=False, indent=2), "utf-8")
    journal = home / "daily/2026-02-24.md"
    journal.write_text(journal.read_text("utf-8") + "- 2026-02-24T11:00:00Z [todo] water (expires: 2026-02-25)\n")
    return home


def test_it_shows_first(call: Caller, ending: Path) -> None:
    before = read_files(ending)
    done = call("lifecycle")
    assert done.status == 0
    assert (
        done.out.index("2 memories have faded")
        < done.out.index("memory has faded: transient")
        < done.out.index("expired")
    )
    assert f"{SHOP}:" in done.out and "expired on 2026-02-20" in done.out and "importance faded to 0.20" in done.out
    assert "\x1b" not in done.out and "\x07" not in done.out
    assert "Nothing was written" in done.err
    assert call("lifecycle", "--dry-run").out == done.out
    assert read_files(ending) == before


def test_as_a_document(call: Caller, ending: Path) -> None:
    plain = call("lifecycle", "--json").json
    assert plain["status"] == "dry_run"
    assert [(step["step"], step["memory"]["key"]) for step in plain["steps"]] == [
        ("remove", "fact-012"), ("remove", "fact-013"), ("demote", "fact-014"), ("expire", "fact-010"), ("expire", ""),
    ]  # fmt: skip
    assert plain["steps"][2]["change"] == {"priority": "transient", "expires": "2026-03-01T12:00:00+00:00"}
    assert plain["steps"][2]["value"] == pytest.approx(0.5 * 0.9**8.5)


def test_done_and_taken_back(call: Caller, ending: Path) -> None:
    before = read_files(ending)
    done = call("lifecycle", "--apply")
    assert done.status == 0
    facts = {fact["id"]: fact for fact in json.loads((ending / SHOP).read_text("utf-8"))["facts"]}
    assert facts["fact-010"]["status"] == "archived"
    assert not {"fact-012", "fact-013"} & facts.keys()
    assert len(call("trash", "--json").json["trash"]) == 2
    again = call("lifecycle", "--apply")
    assert (again.status, again.out) == (1, "") and "Nothing is due" in again.err
    undo = next(line for line in done.err.splitlines() if line.startswith("undo: "))
    assert call(*undo.removeprefix("undo: memtui ").split()).status == 0
    assert read_files(ending) == before


def test_what_expires_soon(call: Caller, ending: Path) -> None:
    done = call("lifecycle", "--soon")
    assert done.status == 0
    assert done.out.count("\n") == 1 and "Freeze" in done.out and "2026-03-02" in done.out
    assert [one["key"] for one in call("lifecycle", "--soon", "--json").json["expiring"]] == ["fact-011"]


def test_nothing_is_due(call: Caller, home: Path) -> None:
    assert call("lifecycle").status == call("lifecycle", "--soon").status == 1
    assert call("lifecycle", "--apply", "--json").json["steps"] == []
    assert call("lifecycle", "--apply", "--soon").status == 2


def test_a_database_that_is_being_written(call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_rows, "WAIT", 50)
    monkeypatch.setattr(database_rows, "_copied_rows", set())
    place = build(tmp_path / "ws")
    writer = apsw.Connection(str(place / "data/memory/openakita.db"))
    writer.execute("UPDATE memories SET expires_at = '2026-01-01T00:00:00' WHERE id = 'm2'")
    writer.execute("BEGIN IMMEDIATE")
    done = call("lifecycle", "--apply", "--home", str(place))
    assert done.status == 4 and "try again" in done.err
    writer.execute("ROLLBACK")
    done = call("lifecycle", "--apply", "--home", str(place), "--json")
    assert done.status == 0 and [step["memory"]["key"] for step in done.json["steps"]] == ["m2"]
    assert writer.execute("SELECT superseded_by FROM memories WHERE id = 'm2'").fetchall() == [("memtui:archived",)]
    writer.close()


def test_whoever_looks_after_homes_marks_journals_too(ending: Path) -> None:
    with Vault.open([ending]) as vault:
        ran = expiry.run(vault, expiry.plan(vault), who=KEEPER)
    assert not ran.left
    assert "(archived 2026-02-28)" in (ending / "daily/2026-02-24.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("said", "kind", "end"),
    [
        ("7d", "fact", "2026-03-07T12:00:00+00:00"), ("24h", "fact", "2026-03-01T12:00:00+00:00"),
        ("session", "fact", "2026-02-28T14:00:00+00:00"), ("short_term", "fact", "2026-03-03T12:00:00+00:00"),
        ("permanent", "fact", None), ("never", "fact", None), ("default", "lesson", "2026-03-07T12:00:00+00:00"),
        ("default", "rule", None),
    ],
)  # fmt: skip
def test_the_words_for_how_long(call: Caller, home: Path, said: str, kind: str, end: str | None) -> None:
    assert call("facts", "add", "Ports are 8081", "--kind", kind, "--to-file", SHOP, "--expires", said).status == 0
    fact = json.loads((home / SHOP).read_text("utf-8"))["facts"][-1]
    assert fact.get("expires_at") == end


def test_an_hour_matters_in_a_bullet(call: Caller, home: Path) -> None:
    call("facts", "add", "The lift is out", "--layer", "core", "--expires", "session")
    call("facts", "add", "The lift is in", "--layer", "core", "--expires", "30d")
    text = (home / "MEMORY.md").read_text("utf-8")
    assert "(expires: 2026-02-28T14:00)" in text and "(expires: 2026-03-30)" in text
    assert "The lift is out" in call("lifecycle", "--soon").out


def test_facts_of_an_agent_have_their_time(call: Caller, home: Path) -> None:
    given = {"content": "CI is red today", "duration": "24h"}
    assert call("tool", "save_fact", json.dumps(given)).json["status"] == "ok"
    (line,) = (home / "daily/2026-02-28.jsonl").read_text("utf-8").splitlines()
    assert json.loads(line)["expires_at"] == "2026-03-01T12:00:00Z"


def test_status_counts_what_expires_soon(call: Caller, ending: Path) -> None:
    assert "1 memory expires soon" in call("status").err
    (state,) = [one for one in call("status", "--json").json["homes"] if one["path"] == str(ending)]
    assert state["expiring"] == 1


@pytest.mark.parametrize("given", [(), ("--apply",), ("--json",)])
def test_nothing_is_due_is_not_said_of_what_nobody_could_read(
    call: Caller, tmp_path: Path, given: tuple[str, ...]
) -> None:
    place = build(tmp_path / "ws")
    base = place / "data/memory/openakita.db"
    for beside in base.parent.glob(f"{base.name}-*"):
        beside.unlink()
    base.write_bytes(b"garbage " * 600)
    done = call("lifecycle", *given, "--home", str(place))
    assert done.status == 4
    if "--json" in given:
        assert [one["path"] for one in done.json["unread"]] == ["data/memory/openakita.db"]
    else:
        assert "openakita.db could not be read: " in done.err
        assert "Nothing is due in what could be read." in done.err
    told = call("consolidate", "--daily", "--home", str(place))
    assert told.status == 0 and "left: data/memory/openakita.db: " in told.out


def test_on_a_terminal_the_list_is_short(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bullets = "".join(
        f"- 会议室 {number} 的旧门牌还没有换掉 {'很' * 60} (expires: 2026-02-01)\n" for number in range(30)
    )
    (home / "MEMORY.md").write_text(f"# Memory\n\n## Notes\n\n{bullets}", "utf-8")
    whole = call("lifecycle", "--home", str(home)).out
    assert whole.count("expired on") == 30 and f"{home.name}/MEMORY.md:5  " in whole
    monkeypatch.setenv("COLUMNS", "60")
    out = call("lifecycle", "--home", str(home)).out
    lines = out.splitlines()
    assert out.count("expired on") == 10 and "… and 20 more (--json has all)" in out
    assert all(render.count_line_cells(line) <= 60 for line in lines)
    assert "  ~/.memtui: MEMORY.md:5  会议室 0" in out


def test_distilling_stays_in_its_project_and_its_journals(
    call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = Path(os.environ["HOME"]) / ".claude" / "memory"
    (user / "areas/projects/shop").mkdir(parents=True)
    (user / "MEMORY.md").write_text("# 长期记忆\n", "utf-8")
    known = {"id": "fact-001", "fact": "WebSocket 心跳间隔 30 秒", "timestamp": "2026-01-08", "confidence": 0.95}
    (user / "areas/projects/shop/facts.json").write_text(json.dumps({"facts": [known]}), "utf-8")
    (user / "daily").mkdir()
    (user / "daily/2026-01-09.md").write_text("# 2026-01-09\n\n- [pref] 用户偏好深色主题\n", "utf-8")
    work = tmp_path / "shop"
    data = work / ".cursor/skills/memory-data"
    (data / "daily").mkdir(parents=True)
    (work / ".git").mkdir()
    (work / ".git/HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    (data / "MEMORY.md").write_text("# 核心记忆\n", "utf-8")
    said = {"type": "fact", "memory_type": "W", "content": "部署前必须跑冒烟测试", "confidence": 0.8}
    for day in ("2026-02-01", "2026-02-03", "2026-02-05"):
        line = json.dumps({**said, "id": f"f-{day}", "timestamp": f"{day}T09:00:00Z"}, ensure_ascii=False)
        (data / f"daily/{day}.jsonl").write_text(f"{line}\n", "utf-8")
    monkeypatch.chdir(work)
    shown = call("distill", "--json").json
    assert [one["text"] for one in shown["candidates"]] == ["部署前必须跑冒烟测试"]
    assert call("distill", "--apply").status == 0
    assert "部署前必须跑冒烟测试" in (data / "MEMORY.md").read_text("utf-8")
    assert (user / "MEMORY.md").read_text("utf-8") == "# 长期记忆\n"
    other = call("distill", "--json", "--home", str(user)).json
    assert {one["text"]: one["reason"] for one in other["refused"]}[known["fact"]] == "knowledge already, no journal"


def test_a_day_and_its_undo(call: Caller, home: Path) -> None:
    before = hashes(home)
    done = call("consolidate", "--daily", "--home", str(home))
    assert done.status == 0 and done.out.startswith("# Daily consolidation 2026-02-28\n")
    assert "1 regenerated" in done.out and hashes(home) != before
    group = done.err.strip().rpartition("memtui undo ")[2]
    assert call("undo", group).status == 0 and hashes(home) == before


def test_without_a_word_it_is_the_day(call: Caller, home: Path) -> None:
    answer = call("consolidate", "--json", "--home", str(home)).json
    assert (answer["status"], answer["weekly"], answer["whole"]) == ("done", False, True)
    assert {"name", "title", "home", "counts", "lines", "left", "seconds", "standing"} <= answer["steps"][0].keys()


def test_dry_it_writes_nothing(call: Caller, home: Path) -> None:
    call("status", "--home", str(home))
    before = hashes(home, state())
    done = call("consolidate", "--weekly", "--dry-run", "--home", str(home))
    assert done.status == 0 and "dry run" in done.out and "Nothing was written." in done.err
    assert hashes(home, state()) == before
    assert call("consolidate", "--last").status == 1


def test_the_last_report_is_shown_again(call: Caller, home: Path) -> None:
    first = call("consolidate", "--weekly", "--home", str(home))
    assert first.out == call("consolidate", "--last").out == call("consolidate", "--last", "--weekly").out
    assert call("consolidate", "--last", "--daily").status == 1
    call("consolidate", "--daily", "--home", str(home))
    assert call("consolidate", "--last", "--json").json["weekly"] is False
    assert call("consolidate", "--last", "--weekly", "--json").json["weekly"] is True


def test_where_nothing_can_be_noted_nothing_is_begun(
    call: Caller, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "full").write_text("no directory\n")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "full"))
    before = hashes(home)
    done = call("consolidate", "--weekly", "--home", str(home))
    assert done.status in {3, 4} and str(tmp_path / "full") in done.err
    assert "went wrong" not in done.err and hashes(home) == before


def test_wrong_use(call: Caller, home: Path) -> None:
    assert call("consolidate", "--daily", "--weekly", "--home", str(home)).status == 2
    assert call("consolidate", "--last", "--dry-run").status == 2


def test_another_at_work_is_told(call: Caller, home: Path) -> None:
    make_private_directory(state() / "locks")
    with hold_lock(state() / "locks" / "consolidate.lock"):
        done = call("consolidate", "--daily", "--home", str(home))
    assert done.status == 4 and "Another consolidation is at work" in done.err


def test_no_home(call: Caller, alone: Path) -> None:
    assert call("consolidate", "--daily").status == 1


def test_what_a_file_says_does_not_reach_the_terminal(call: Caller, home: Path) -> None:
    (home / "sessions").mkdir()
    head = "# 会话摘要: s\n\n- **项目**: shop\n- **时间**: 2026-02-28 10:00\n\n---\n\n"
    text = f"{head}## 主题\nbad \x1b]0;owned\x07 \u202etopic\n"
    (home / "sessions/s.md").write_text(text, "utf-8")
    out = call("consolidate", "--weekly", "--home", str(home)).out
    assert "topic" in out and "\x1b" not in out and "\u202e" not in out


def test_a_schedule_is_printed_and_nothing_written(call: Caller, alone: Path, home: Path) -> None:
    before = hashes(alone)
    made = call("install", "schedule", "--daily-at", "2:05", "--home", str(home), "--json").json
    assert hashes(alone) == before and made["written"] is False
    texts = {os.path.basename(one["path"]): one["text"] for one in made["files"]}
    assert texts.keys() == {
        "memtui-daily.service", "memtui-daily.timer", "memtui-weekly.service", "memtui-weekly.timer",
    }  # fmt: skip
    assert "OnCalendar=*-*-* 02:05:00\nPersistent=true\n" in texts["memtui-daily.timer"]
    assert "OnCalendar=Sun *-*-* 02:35:00\n" in texts["memtui-weekly.timer"]
    assert "After=memtui-daily.service" in texts["memtui-weekly.service"]
    line = next(line for line in texts["memtui-daily.service"].splitlines() if line.startswith("ExecStart="))
    program, *words = shlex.split(line.removeprefix("ExecStart="))
    assert os.path.isabs(program) and words[-4:] == ["consolidate", "--daily", "--home", str(home)]
    assert [line.split()[:5] for line in made["cron"]] == [["5", "2", "*", "*", "*"], ["35", "2", "*", "*", "0"]]
    shown = call("install", "schedule")
    assert shown.status == 0 and "[Timer]" in shown.out and "Nothing was written" in shown.err


def test_a_scheduled_run_finds_the_homes_that_are_found_here(
    call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in HOME_VARIABLES:
        monkeypatch.setenv(variable, str(alone))
    service = call("install", "schedule", "--json").json["files"][0]["text"]
    assert all(f"{variable}=" in service for variable in HOME_VARIABLES)
    # Every variable that a layout asks for is among them.
    asked = {
        name
        for file in Path(layouts.__file__).parent.glob("*.py")
        for name in re.findall(r'variable\("([A-Z_]+)"', file.read_text("utf-8"))
    }
    assert {"CODEX_HOME", "HELLOAGENTS_ROOT"} < asked <= {"MEMTUI_HOME", *HOME_VARIABLES}


def test_words_that_mean_something_to_systemd_and_cron(
    call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = alone / 'a $HOME "b" 100%'
    odd.mkdir()
    monkeypatch.setenv("MEMTUI_HOME", str(odd))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    made = call("install", "schedule", "--home", str(odd), "--json").json
    service = made["files"][0]["text"]
    assert 'a $$HOME \\"b\\" 100%%"' in service and f'"MEMTUI_HOME={alone}/a $HOME \\"b\\" 100%%"' in service
    assert "sk-secret" not in str(made)
    command = made["cron"][0].split(" ", 5)[5].replace("\\%", "%")
    assert shlex.split(command)[-1] == str(odd) and f"MEMTUI_HOME={odd}" in shlex.split(command)
    assert "%" not in made["cron"][0].replace("\\%", "")


@pytest.mark.parametrize("time", ["24:00", "3", "03:60", "noon", "-1:00"])
def test_no_time_of_day(call: Caller, time: str) -> None:
    assert call("install", "schedule", f"--daily-at={time}").status == 2


def test_a_late_hour_makes_the_week_s_run_a_monday_s(call: Caller, alone: Path) -> None:
    made = call("install", "schedule", "--daily-at", "23:45", "--json").json
    assert "OnCalendar=Mon *-*-* 00:15:00" in made["files"][3]["text"]
    assert made["cron"][1].startswith("15 0 * * 1 ")


def test_the_hour_is_a_schedule_s(call: Caller, alone: Path) -> None:
    assert call("install", "claude-code", "--daily-at", "03:00", "--dry-run").status == 2
    assert call("uninstall", "schedule").status == 2


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_reads_the_units(call: Caller, tmp_path: Path) -> None:
    made = call("install", "schedule", "--json").json
    units = tmp_path / "units"
    units.mkdir()
    for one in made["files"]:
        (units / os.path.basename(one["path"])).write_text(one["text"], "utf-8")
    env = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)}
    names = sorted(map(str, units.iterdir()))
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", *names], env=env, capture_output=True, text=True, check=False
    )
    if "Failed to initialize manager" in done.stderr:
        pytest.skip("systemd is not whole here")
    assert done.returncode == 0, done.stderr


def test_as_a_process_of_its_own(home: Path) -> None:
    words = [sys.executable, "-m", "memtui", "consolidate", "--weekly", "--json", "--home", str(home)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120, cwd="/")
    assert done.returncode == 0, done.stderr
    assert '"status": "done"' in done.stdout.replace('":"', '": "') and not done.stderr
