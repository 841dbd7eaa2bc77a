"""Runs as a whole: in order, dry, resumable after a kill, twice the same, one at a time, taken back byte for byte."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.consolidation import consolidate
from memtui.consolidation.consolidate import DAILY, WEEKLY
from memtui.core.config import Config
from memtui.core.errors import LockedError
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, state
from memtui.fs.write_journal import Journal
from memtui.store import consolidate_report
from memtui.store import consolidate_report as reports
from memtui.store.vault import Vault
from tests.consolidation.homes import hashes, look_after, messy, step
from tests.curation.facts_of import DAY, now
from tests.homes import read_files
from tests.homes.openakita import build as openakita

AUTO = Config(distill=Config().distill._replace(mode="auto"))


def test_a_week_in_the_order_of_the_specification(tmp_path: Path) -> None:
    home = messy(tmp_path)
    report = look_after(home, config=AUTO)
    assert [one.name for one in report.steps] == [doing.name for doing in (*DAILY, *WEEKLY)]
    assert report.whole, [one for one in report.steps if one.standing == "failed"]
    assert step(report, "duplicates").counts["merged"] == 1
    assert step(report, "expiry").counts["expired"] == 1
    assert step(report, "sections").counts["renewed"] == 1
    assert step(report, "activity").counts == {"sessions": 2, "lines": 2, "days": 3, "projects": 1}
    assert step(report, "files").lines[0] == "src/pay.py (shop): 2"
    assert step(report, "facts").counts["proposed"] == 1
    assert step(report, "signals").counts["heard"] == 3
    assert step(report, "retention").counts == {"sessions": 1, "daily": 1}
    assert not (home / "sessions/s-0.md").exists() and not (home / "daily/2025-10-01.md").exists()
    assert (home / "daily/2026-03-01.md").exists()


def test_one_undo_takes_all_of_it_back_byte_for_byte(tmp_path: Path) -> None:
    home = messy(tmp_path)
    before = read_files(home)
    report = look_after(home, config=AUTO)
    assert read_files(home) != before
    assert {record.who for record in Journal().records() if record.group == report.group} == {"consolidation"}
    with Vault.open([home]) as vault:
        vault.undo(report.group)
    assert read_files(home) == before


def test_a_home_that_its_own_tool_has_switched_off_is_left_alone(tmp_path: Path) -> None:
    """Spec 001's `memory.enabled`: false, and nothing is written."""
    home = tmp_path / ".xinghebot" / "workspace" / "k" / "memory"
    (home / "daily").mkdir(parents=True)
    (home / "MEMORY.md").write_text("# MEMORY\n\n- 旧端口 9000 <!-- expires: 2026-01-02 -->\n", "utf-8")
    config = tmp_path / ".xinghebot" / "config.json"
    config.write_text('{"memory": {"enabled": false}}', "utf-8")
    before = (home / "MEMORY.md").read_bytes()
    report = look_after(home)
    assert (home / "MEMORY.md").read_bytes() == before
    assert [why for one in report.steps for _name, why in one.left if "memory.enabled" in why]
    config.unlink()
    assert step(look_after(home), "expiry").counts["expired"] == 1


def test_what_went_is_in_the_trash_and_comes_back_from_there(tmp_path: Path) -> None:
    home = messy(tmp_path)
    old = (home / "sessions/s-0.md").read_bytes()
    look_after(home)
    with Vault.open([home]) as vault:
        (record,) = [one for one in vault.trash() if one.verb == "retention"]
        vault.undo(record.id)
    assert (home / "sessions/s-0.md").read_bytes() == old


def test_a_dry_run_writes_nothing_and_says_what_would_be_done(tmp_path: Path) -> None:
    home = messy(tmp_path)
    with Vault.open([home]):
        pass  # the index and its lock are there
    before = hashes(home, state())
    dry = look_after(home, config=AUTO, dry_run=True)
    assert hashes(home, state()) == before
    assert dry.dry_run and not dry.group
    wet = look_after(home, config=AUTO)
    assert {(one.name, *sorted(one.counts.items())) for one in dry.steps if one.name not in {"index", "signals"}} == {
        (one.name, *sorted(one.counts.items())) for one in wet.steps if one.name not in {"index", "signals"}
    }
    # Not the expired ones: what was merged above them has moved their lines.
    for name in ("duplicates", "sections", "facts", "retention"):
        assert step(dry, name).lines == step(wet, name).lines


def test_twice_is_once(tmp_path: Path) -> None:
    home = messy(tmp_path)
    first = look_after(home, config=AUTO)
    after, mine = read_files(home), hashes(state() / "candidates")
    second = look_after(home, config=AUTO, later=60)
    assert read_files(home) == after and hashes(state() / "candidates") == mine
    assert second.before is not None and not second.group
    assert {one.name for one in second.earlier} == {one.name for one in first.steps if one.name in _weekly()}
    assert "already" in second.text
    assert step(second, "facts").counts["proposed"] == 0


def _weekly() -> set[str]:
    return {doing.name for doing in WEEKLY}


def test_what_is_new_is_done_by_the_second_run_of_a_day(tmp_path: Path) -> None:
    home = messy(tmp_path)
    look_after(home, weekly=False)
    rules = home / "areas/projects/shop/rules.md"
    rules.write_text(rules.read_text("utf-8") + "- 接口返回统一结构\n", "utf-8")
    report = look_after(home, weekly=False, later=60)
    assert step(report, "sections").counts["renewed"] == 1
    assert "接口返回统一结构" in (home / "MEMORY.md").read_text("utf-8")


KILLED = """
import os, signal, sys
from memtui.core.config import Config
from memtui.consolidation import consolidate
from memtui.store.vault import Vault

def stop(title, done, total):
    if title == sys.argv[2] and done == total:
        os.kill(os.getpid(), signal.SIGKILL)

with Vault.open([sys.argv[1]], config=Config(distill=Config().distill._replace(mode="auto"))) as vault:
    consolidate.run(vault, vault.config, weekly=True, dry_run=False, progress=stop)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
@pytest.mark.parametrize("name", ["duplicates", "sections", "facts", "signals", "retention"])
def test_killed_in_the_middle_the_next_run_goes_on(tmp_path: Path, name: str) -> None:
    home = messy(tmp_path)
    before = read_files(home)
    run = [sys.executable, "-c", KILLED, str(home), reports.TITLES[name]]
    done = subprocess.run(run, env=dict(os.environ), check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    report = look_after(home, config=AUTO)
    order = [doing.name for doing in (*DAILY, *WEEKLY)]
    at = order.index(name)
    assert [one.standing for one in report.steps] == ["earlier"] * at + ["done"] * (len(order) - at)
    assert report.whole
    # What both runs wrote is one decision, and comes to the same as a run that nobody killed.
    once = read_files(home)
    with Vault.open([home]) as vault:
        vault.undo(report.group)
    assert read_files(home) == before
    assert "精选" in once["MEMORY.md"].decode() and "sessions/s-0.md" not in once


def test_two_at_once_do_not_collide(tmp_path: Path) -> None:
    home = messy(tmp_path)
    make_private_directory(state() / "locks")
    with hold_lock(state() / "locks" / "consolidate.lock"):
        with pytest.raises(LockedError, match="Another consolidation"):
            look_after(home)
        assert look_after(home, dry_run=True).steps


def test_missed_weeks_catch_up_once(tmp_path: Path) -> None:
    home = messy(tmp_path)
    first = look_after(home)
    assert first.since == pytest.approx(now() - 7 * DAY)
    late = look_after(home, later=30 * DAY)
    assert late.since == pytest.approx(now())
    assert late.before is None and late.period != first.period
    again = look_after(home, later=30 * DAY + 60)
    assert again.since == late.since and again.before is not None
    years = look_after(home, later=800 * DAY)
    assert years.since == pytest.approx(now() + (800 - 84) * DAY)


def test_one_strange_home_does_not_keep_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = messy(tmp_path)
    other = messy(tmp_path / "other")
    target = home / "MEMORY.md"
    target.write_bytes("# M\n".encode("utf-16"))
    report = look_after(home, other)
    assert step(report, "sections", home).left
    assert step(report, "retention", other).counts["sessions"] == 1
    assert target.read_bytes() == "# M\n".encode("utf-16")


def test_the_report_is_kept_and_read_again(tmp_path: Path) -> None:
    home = messy(tmp_path)
    report = look_after(home)
    last = consolidate_report.load_latest_report()
    assert last is not None and last.text == report.text
    assert consolidate_report.load_latest_report(weekly=False) is None
    assert json.loads(json.dumps(reports.encode_report(last)))["steps"][0]["name"] == "queue"
    (state() / "consolidate" / "latest-weekly.json").write_text('{"period": 1, "steps": [{}]}', "utf-8")
    assert consolidate_report.load_latest_report() is None


def test_marks_that_somebody_spoiled_are_begun_anew(tmp_path: Path) -> None:
    home = messy(tmp_path)
    look_after(home)
    for file in (state() / "consolidate").glob("*-weekly.json"):
        file.write_text('["no", "mark"]', "utf-8")
    assert look_after(home, later=60).whole


def test_progress_is_told(tmp_path: Path) -> None:
    home = messy(tmp_path)
    told: list[tuple[str, int, int]] = []
    with Vault.open([home]) as vault:
        consolidate.run(
            vault, vault.config, weekly=True, dry_run=False,
            progress=lambda title, done, total: told.append((title, done, total)), now=now(),
        )  # fmt: skip
    assert {title for title, _done, _total in told} == {reports.TITLES[doing.name] for doing in (*DAILY, *WEEKLY)}
    assert all(0 <= done <= total for _title, done, total in told)


def test_what_could_not_be_written_is_a_failure_and_the_rest_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import apsw

    from memtui.fs import database_rows

    monkeypatch.setattr(database_rows, "WAIT", 50)
    home, other = messy(tmp_path), openakita(tmp_path / "ws")
    base = apsw.Connection(str(other / "data/memory/openakita.db"))
    base.execute("UPDATE memories SET expires_at = '2026-02-20T09:00:00' WHERE superseded_by IS NULL")
    base.execute("BEGIN IMMEDIATE")
    report = look_after(home, other, weekly=False)
    base.close()
    failed = step(report, "expiry", other)
    assert failed.standing == "failed" and failed.left and not report.whole
    assert step(report, "expiry", home).counts["expired"] == 1
    assert "(not done)" in report.text
    again = look_after(home, other, weekly=False, later=60.0)
    assert again.whole and step(again, "expiry", other).counts["expired"] == len(failed.left)
