"""`memtui consolidate` and `memtui install schedule`, as a person and a timer call them."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, state
from tests.cli.conftest import Caller
from tests.curation.consolidate.homes import hashes


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
    assert {"name", "title", "home", "counts", "lines", "left", "seconds", "standing"} <= answer["steps"][
        0
    ].keys()


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
    assert [line.split()[:5] for line in made["cron"]] == [
        ["5", "2", "*", "*", "*"],
        ["35", "2", "*", "*", "0"],
    ]
    shown = call("install", "schedule")
    assert shown.status == 0 and "[Timer]" in shown.out and "Nothing was written" in shown.err


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
