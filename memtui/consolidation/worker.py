"""What hooks left for later, done one job after the other by one detached process at a time.

The end of a session follows spec 004's order: its summary, the index brought up to date, core memory distilled,
the end noted, old files cleaned. A job that fails is tried again, three times; then it waits where Health shows
it. So does the model's reading of a session that was summed up by the rules because the model failed.

Distilling the homes without a person: what is chosen is written, and logged.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.config import load
from memtui.core.edits import Append, Draft, Edit
from memtui.core.errors import LockedError, MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import Layer
from memtui.evolution import sessions_read
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, state
from memtui.fs.write_journal import generate_record_id
from memtui.language import transcript_reading
from memtui.layouts import load_facts, load_layout
from memtui.lifecycle import expiry
from memtui.review import proposals, queue
from memtui.review.census import load_census
from memtui.review.proposals import build_changes
from memtui.review.queue import approve
from memtui.sessions import jobs
from memtui.sessions.capture import BRIEF, capture, retain_at_start
from memtui.sessions.central import Delivered, deliver_outbox, put_capture, put_note
from memtui.sessions.collect import collect, publish, sync
from memtui.sessions.distribute import flush
from memtui.sessions.identify import list_earlier_sessions
from memtui.store import candidates
from memtui.store.append import drain as drained
from memtui.store.project import open_session_vault

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.core.config import Config
    from memtui.core.edits import Receipt
    from memtui.core.model import Home
    from memtui.language.conversation import Session
    from memtui.sessions.capture import Captured
    from memtui.sessions.jobs import Job
    from memtui.store.candidates import Candidate, Refused
    from memtui.store.vault import Vault


IDLE = 600.0
"""Seconds without a word after which a session that never said it ended counts as over."""
PATIENCE = 20.0
"""Seconds that the worker waits for another writer: nobody waits for it."""
PROMPT = 5.0
"""Seconds that it waits for a prompt to stand in its transcript."""
_OLD = 30 * 86400.0
"""Seconds after which a flag or a stamp of a session is forgotten."""


def main() -> int:
    """Do what waits; nothing where another worker is at it. The exit status is for tests."""
    os.environ["MEMTUI_INSIDE"] = "1"
    with suppress(OSError):
        # Whatever it was started in may be taken away under it.
        os.chdir(os.path.abspath(os.sep))
    try:
        tried: set[bytes] = set()
        # A hook may come between the last look and the lock being free, and start a worker that finds it held.
        while any(job.stamp not in tried and jobs.is_due(job) for job in jobs.list_jobs()):
            drain_alone(load()[0], 0.0, tried)
        pass_on(load()[0])
    except LockedError:
        return 0
    except (OSError, MemtuiError):
        return 4
    return 0


def drain_alone(config: Config, patience: float, tried: set[bytes] | None = None) -> int:
    """As `drain`, once no other worker is at it. Raises LockedError where one is for longer than `patience` seconds."""
    locks = state() / "locks"
    make_private_directory(locks)
    with hold_lock(locks / "worker.lock", timeout=patience):
        return drain(config, tried)


def drain(config: Config, tried: set[bytes] | None = None) -> int:
    """Do the jobs that wait now, each once, and answer how many are done. What fails waits for the next worker."""
    done = 0
    tried = set() if tried is None else tried
    while True:
        job = next((job for job in jobs.list_jobs() if job.stamp not in tried and jobs.is_due(job)), None)
        if job is None:
            break
        # Before it is begun: where not even the failure can be noted it is not tried for ever.
        tried.add(job.stamp)
        error = _do_job(job, config)
        if error:
            tried.add(jobs.fail_job(job, error, config.capture.tries))
        else:
            jobs.finish_job(job)
            done += 1
    return done


def _do_job(job: Job, config: Config) -> str:
    """Do one job; why it failed, for a person."""
    run = KINDS.get(job.kind)
    if run is None:
        return ""
    try:
        return run(job, config)
    except MemtuiError as error:
        return str(error)
    except Exception as error:
        # One session that is stranger than all others must not keep the rest waiting.
        return f"{type(error).__name__}: {error}"[:500]


def pass_on(config: Config) -> Delivered:
    """Send what waits for the central memory, where there is one."""
    return deliver_outbox(config) if config.agents.remote else Delivered()


def capture_session(session: Session, config: Config, *, trigger: str) -> Captured:
    """Write down a session as far as it was recorded: see `sessions.capture.capture`."""
    return capture(
        session,
        config,
        trigger=trigger,
        settle=queue.approve_clear,
        note_end=sessions_read.note_session_end,
        forward=put_capture if config.agents.remote else None,
    )


def _capture(job: Job, config: Config) -> str:
    _await_prompt(job)
    failed = _capture_session(job.session, config, str(job.more.get("trigger", "asked")))
    if config.agents.bridge:
        # Spec 000: at Stop and at Codex's notify, not only at the end.
        with open_session_vault(job.session, config) as (vault, _home):
            vault.wait, vault.current = PATIENCE, True
            vault.refresh()
            _sync_bridges(vault, config, job.session.cwd)
    return "; ".join(failed)


def _await_prompt(job: Job) -> None:
    """A prompt that asks for it is written to the transcript only once its hook is done: wait, but not for ever."""
    size = job.more.get("grows")
    until = time.monotonic() + PROMPT
    while isinstance(size, int) and time.monotonic() < until:
        with suppress(OSError, ValueError):
            if os.stat(job.session.transcript).st_size > size:
                return
        time.sleep(0.1)


def _capture_session(session: Session, config: Config, trigger: str) -> tuple[str, ...]:
    """Capture, and see to it that a model that failed is asked again; what else failed."""
    done = capture_session(session, config, trigger=trigger)
    if done.warning:
        jobs.put_failed("model", session, done.warning, trigger=trigger)
    elif trigger not in BRIEF:
        jobs.drop("model", session)
    return done.failed


def _ask_again(job: Job, config: Config) -> str:
    """What the rules summed up, by the model this time."""
    done = capture_session(job.session, config, trigger=str(job.more.get("trigger", "end")))
    return "; ".join((*done.failed, done.warning) if done.warning else done.failed)


def _flush(job: Job, config: Config) -> str:
    """Compaction: durable notes of its summary, or of what was said, before it is forgotten (spec 001 §4.2)."""
    text = str(job.more.get("text", ""))
    if not text:
        talk = transcript_reading.read(job.session)
        if talk is None:
            return ""
        text = "\n\n".join(f"{turn.role}: {turn.text}" for turn in talk.said)
        # Spec 003's floor is one for what was said; spec 001's flush of a summary has none.
        if len(text.strip()) < config.capture.least:
            return ""
    with open_session_vault(job.session, config) as (vault, home):
        vault.wait = PATIENCE
        done = flush(vault, home, job.session, text, config, who=job.session.who)
    for one in done.found if config.agents.remote else ():
        put_note(job.session, config, one.text, one.kind)
    return "; ".join(_capture_session(job.session, config, "compaction"))


def _end(job: Job, config: Config) -> str:
    failed = [*_capture_session(job.session, config, "end")]
    with open_session_vault(job.session, config) as (vault, home):
        vault.wait, vault.current = PATIENCE, True
        vault.refresh()
        failed += _distill_home(vault, home, config)
        _put_away_expired(vault, home, job.session.who)
        _log_session_end(vault, home, job)
        _sync_bridges(vault, config, job.session.cwd)
        _publish_home(home, job.session, config)
    _remove_old_flags()
    return "; ".join(failed)


def _publish_home(home: Home, session: Session, config: Config) -> None:
    """Put out what others collect. Where that is refused it is a job of its own: the session is written down."""
    if not config.agents.outbox:
        return
    # One for all sessions of a project: each publishes the whole home.
    about = session._replace(id="")
    try:
        publish(home, Path(config.agents.outbox).expanduser(), config)
        jobs.drop("publish", about)
    except MemtuiError as error:
        with suppress(OSError, RefusedError):
            jobs.put_failed("publish", about, str(error))


def _publish_again(job: Job, config: Config) -> str:
    if config.agents.outbox:
        with open_session_vault(job.session, config) as (_vault, home):
            publish(home, Path(config.agents.outbox).expanduser(), config)
    return ""


def _start(job: Job, config: Config) -> str:
    """Earlier sessions of the project that ended without a word (spec 001 §4.3), and what waits in the spool."""
    drained(config)
    retain_at_start(job.session, config)
    if config.agents.collect and os.path.isdir(os.path.expanduser(config.agents.collect)):
        with open_session_vault(job.session, config) as (vault, home):
            vault.wait = PATIENCE
            with suppress(RefusedError):
                collect(vault, home, Path(config.agents.collect).expanduser())
    for session in list_earlier_sessions(job.session, config, IDLE):
        jobs.put("capture", session, trigger="end")
    for session in jobs.list_idle_sessions(job.session, IDLE):
        jobs.put("end", session, reason="unknown")
        jobs.forget(session)
    return ""


def _distill_home(vault: Vault, home: Home, config: Config) -> list[str]:
    """Spec 004: where a person chose so, what is sure enough goes to core memory; else it waits in Review by itself."""
    if not config.distill.enabled or config.distill.mode != "auto":
        return []

    run(vault, frozenset({str(home.path)}))
    return []


def _put_away_expired(vault: Vault, home: Home, who: str) -> None:
    """Spec 003: a program that keeps its memories in a database rids it at a session's end of what has expired."""
    if load_facts(home).task_databases:
        due = expiry.plan(vault, frozenset({str(home.path)}))
        # What cannot be written now is left to the day's own run.
        over = tuple(step for step in due.steps if step.what == "expire")
        expiry.run(vault, due._replace(steps=over), who=who)


def _log_session_end(vault: Vault, home: Home, job: Job) -> None:
    """Spec 004's session_end record, in homes whose journal is made of records."""
    with suppress(MemtuiError):
        target = load_layout(home.layout).target(home, Layer.JOURNAL, Draft("-"), job.time)
        if target.format != "daily-jsonl":
            return
        stamp = datetime.fromtimestamp(job.time, UTC)
        record = {
            "id": f"log-{stamp:%H%M%S}{stamp.microsecond // 1000:03d}-{job.path.stem[-4:]}",
            "type": "session_end",
            "reason": str(job.more.get("reason", "") or "other"),
            "session_id": job.session.id,
            "timestamp": clock.format_utc(job.time),
        }
        line = json.dumps(record, ensure_ascii=False)
        if record["id"].encode() not in (vault.bytes_of(target.home, target.path) or b""):
            vault.apply([Append(target.home, target.path, line)], verb="log", who=job.session.who)


def _sync_bridges(vault: Vault, config: Config, cwd: str) -> None:
    if config.agents.bridge:
        with suppress(MemtuiError):
            sync(vault, config, cwd=Path(cwd) if cwd else None)


def _remove_old_flags() -> None:
    """Flags and stamps of sessions that are long over; they are made again where they are wanted."""
    before = clock.now() - _OLD
    for folder in ("flags", "captured", "summaries"):
        with suppress(OSError):
            for entry in os.scandir(state() / folder):
                if entry.stat(follow_symlinks=False).st_mtime < before:
                    if entry.is_dir(follow_symlinks=False):
                        shutil.rmtree(entry.path, ignore_errors=True)
                    else:
                        os.unlink(entry.path)


KINDS: dict[str, Callable[[Job, Config], str]] = {
    "capture": _capture,
    "flush": _flush,
    "end": _end,
    "start": _start,
    "model": _ask_again,
    "publish": _publish_again,
}
"""What a job may be."""


WHO = "distillation"
LOG = "review/distilled.jsonl"

_LONGEST = 60_000
"""Bytes of one line of the log: what no longer fits is counted."""
_EACH = 200


class ApprovalRun(NamedTuple):
    """What came of it."""

    done: list[tuple[Candidate, Receipt]]
    left: list[tuple[Candidate, MemtuiError]]
    """What waits for a person, with the reason."""
    refused: list[Refused]


def run(vault: Vault, homes: frozenset[str] = frozenset()) -> ApprovalRun:
    """Distil the homes (none named: all that are open) and write what is chosen."""
    group = generate_record_id()
    total = ApprovalRun([], [], [])
    for count in load_census(vault, homes):
        decided = candidates.load_decisions([count.home])
        limit = count.config.max_items_per_run
        # What waits for a person must not keep what comes after it from ever being written.
        most = count._replace(config=count.config._replace(max_items_per_run=limit * 4))
        waiting, refused = proposals.propose_distilled(vault, most, decided, clock.now())
        here = ApprovalRun([], [], refused)
        for candidate in waiting:
            if len(here.done) == limit:
                break
            try:
                here.done.append((candidate, _write_candidate(vault, candidate, group)))
            except MemtuiError as error:
                here.left.append((candidate, error))
        if here.done or here.left:
            _log(vault, str(count.home.path), here)
        total.done.extend(here.done)
        total.left.extend(here.left)
        total.refused.extend(here.refused)
    return total


def _write_candidate(vault: Vault, candidate: Candidate, group: str) -> Receipt:
    if candidate.warnings:
        raise RefusedError(candidate.warnings[0].partition(": ")[2])
    for change in build_changes(vault, candidate):
        if not isinstance(change, Append) and not (
            isinstance(change, Edit) and all(piece.start == piece.end for piece in change.pieces) and not change.remove
        ):
            raise RefusedError(_("it would change what stands in {path}").format(path=change.path))
    return approve(vault, candidate, group=group, who=WHO)


def _log(vault: Vault, home: str, run: ApprovalRun) -> None:
    plain: dict[str, Any] = {
        "timestamp": clock.convert_to_local(clock.now()).isoformat(timespec="seconds"),
        "type": "distilled",
        "home": home,
        "chosen": [
            {
                "id": candidate.id,
                "text": candidate.text[:_EACH],
                "path": candidate.target.path if candidate.target else "",
                "section": candidate.target.section if candidate.target else "",
                "write": receipt.id,
            }
            for candidate, receipt in run.done
        ],
        "left": [
            {"id": candidate.id, "text": candidate.text[:_EACH], "reason": str(error)} for candidate, error in run.left
        ],
        "refused": [],
        "more": 0,
    }
    room = _LONGEST - len(json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace"))
    for number, fact in enumerate(run.refused):
        told = {"text": fact.text[:_EACH], "reason": fact.reason, "path": fact.path, "line": fact.line}
        room -= len(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")) + 2
        if room < 0:
            plain["more"] = len(run.refused) - number
            break
        plain["refused"].append(told)
    line = json.dumps(plain, ensure_ascii=False)
    vault.apply([Append(str(state()), LOG, line)], verb="log", who=WHO, what=_("wrote down what was distilled"))


if __name__ == "__main__":
    sys.exit(main())
