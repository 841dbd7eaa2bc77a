"""Work left for later: unique, in order, tried a few times, never lost to a newer one."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memtui.consolidation import worker
from memtui.core.config import Config
from memtui.language.conversation import Session
from memtui.sessions import jobs
from memtui.sessions.capture import Captured

SESSION = Session("s1", "claude-code", "/home/ann/shop", "shop", "shop")


def test_one_of_a_kind_and_session() -> None:
    jobs.put("end", SESSION, reason="clear")
    jobs.put("end", SESSION, reason="logout")
    jobs.put("end", SESSION._replace(id="s2"))
    jobs.put("flush", SESSION)
    found = jobs.list_jobs()
    assert [(job.kind, job.session.id) for job in found] == [("end", "s1"), ("end", "s2"), ("flush", "s1")]
    assert found[0].more == {"reason": "logout"}


def test_a_newer_job_survives_the_older_one_s_end() -> None:
    jobs.put("end", SESSION)
    (job,) = jobs.list_jobs()
    jobs.put("end", SESSION, reason="clear")
    jobs.finish_job(job)
    (left,) = jobs.list_jobs()
    jobs.finish_job(left)
    assert jobs.list_jobs() == []


def test_tried_three_times_then_put_aside_and_again() -> None:
    jobs.put("end", SESSION)
    for left in (2, 1, 0):
        (job,) = jobs.list_jobs()
        jobs.fail_job(job, "the disk is full", 3)
        assert len(jobs.list_jobs()) == (1 if left else 0)
    (given_up,) = jobs.list_jobs(given_up=True)
    assert given_up.error == "the disk is full"
    assert jobs.requeue_jobs() == 1
    assert jobs.list_jobs()[0].tries == 0
    assert jobs.list_jobs(given_up=True) == []


def test_what_cannot_be_read_is_passed_over() -> None:
    jobs.put("end", SESSION)
    (jobs.locate_jobs() / "end-0.json").write_bytes(b'{"kind": [')
    (jobs.locate_jobs() / "end-1.json").write_bytes(b"\xff\x00")
    (jobs.locate_jobs() / "end-2.json").mkdir()
    if sys.platform != "win32":
        os.mkfifo(jobs.locate_jobs() / "end-3.json")
    assert len(jobs.list_jobs()) == 1


def test_twenty_at_once_lose_nothing() -> None:
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda number: jobs.put("end", SESSION._replace(id=f"s{number % 10}")), range(20)))
    assert {job.session.id for job in jobs.list_jobs()} == {f"s{number}" for number in range(10)}


def test_flags_go_up_once() -> None:
    with ThreadPoolExecutor(8) as pool:
        raised = list(pool.map(lambda _: jobs.raise_flag("s1", "rules-../../etc"), range(16)))
    assert raised.count(True) == 1
    assert jobs.is_flag_up("s1", "rules-../../etc")
    assert jobs.raise_flag("s2", "rules-../../etc")
    assert jobs.raise_flag("s1", "schema-x")
    jobs.clear("s1", "rules")
    assert not jobs.is_flag_up("s1", "rules-../../etc")
    assert jobs.is_flag_up("s1", "schema-x")


def test_what_fails_does_not_keep_the_rest_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def capture(job: jobs.Job, _config: Config) -> str:
        if job.session.id == "bad":
            raise ValueError("stranger than all others")
        done.append(job.session.id)
        return ""

    monkeypatch.setitem(worker.KINDS, "capture", capture)
    jobs.put("capture", SESSION._replace(id="bad"))
    jobs.put("capture", SESSION._replace(id="good"))
    assert worker.drain(Config()) == 1
    assert done == ["good"]
    (left,) = jobs.list_jobs()
    assert left.error == "ValueError: stranger than all others"


def test_the_worker_is_a_process_that_ends(tmp_path: Path) -> None:
    jobs.put("capture", SESSION._replace(transcript=str(tmp_path / "none.jsonl")))
    ended = subprocess.run([sys.executable, "-m", "memtui.consolidation.worker"], timeout=60, check=False)
    assert ended.returncode == 0
    assert jobs.list_jobs() == []


def test_sessions_without_an_end(tmp_path: Path) -> None:
    import os
    import time

    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.touch()
    new.touch()
    os.utime(old, (time.time() - 3600, time.time() - 3600))
    jobs.note_beginning(SESSION._replace(id="old", transcript=str(old)))
    jobs.note_beginning(SESSION._replace(id="new", transcript=str(new)))
    jobs.note_beginning(SESSION._replace(id="gone", transcript=str(tmp_path / "gone.jsonl")))
    assert [session.id for session in jobs.list_idle_sessions(SESSION, 600)] == ["old"]
    assert list(jobs.list_idle_sessions(SESSION._replace(id="old"), 600)) == []
    jobs.forget(SESSION._replace(id="old"))
    assert list(jobs.list_idle_sessions(SESSION, 600)) == []


def test_a_capture_that_a_prompt_asks_for_waits_for_the_prompt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("{}\n", "utf-8")
    seen: list[int] = []

    def capture(*_given: object, **_named: object) -> Captured:
        seen.append(transcript.stat().st_size)
        return Captured("")

    monkeypatch.setattr(worker, "capture_session", capture)
    monkeypatch.setattr("time.sleep", lambda _seconds: transcript.write_text("{}\n{}\n", "utf-8"))
    jobs.put("capture", SESSION._replace(transcript=str(transcript)), trigger="asked", grows=3)
    assert worker.drain(Config()) == 1
    assert seen == [6]
