"""What was left for later: hooks' jobs, notes of a home that was locked, turns that OpenAkita has not read yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.curation.consolidate.work import Told, brief, unable
from memtui.errors import LockedError, MemtuiError
from memtui.locale import _
from memtui.model import Filter, Layer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.curation.consolidate.offering import Offers
    from memtui.curation.consolidate.work import Work
    from memtui.model import Memory
    from memtui.sessions.jobs import Job

_TURNS = 200
"""Turns of one home that are read at a time, the newest."""


def drained(work: Work) -> Told:
    """Do what hooks left and write what waits; unless another worker is at it. Those writes are the hooks' own."""
    from memtui.curation.spooled import drain
    from memtui.disk import spool
    from memtui.sessions import jobs

    todo, notes = jobs.waiting(), spool.waiting()
    given_up = len(jobs.waiting(given_up=True))
    if work.dry_run or not (todo or notes):
        lines = tuple(f"{job.kind}: {brief(job.session.id)}" for job in todo)
        return Told({"waiting": len(todo) + len(notes), "given_up": given_up}, lines)
    written = drain(work.config)
    left = list(_worked(work, todo)) if todo else []
    done = len(todo) - len(jobs.waiting())
    if len(spool.waiting()):
        left.append((_("notes"), _("their home cannot be written now: they wait on")))
    work.vault.refresh()
    counts = {"written": written + max(0, done), "waiting": len(jobs.waiting()), "given_up": given_up}
    return Told(counts, left=tuple(left))


def _worked(work: Work, todo: Sequence[Job]) -> list[tuple[str, str]]:
    from memtui.disk.locks import locked
    from memtui.disk.places import private, state
    from memtui.sessions import jobs, worker

    locks = state() / "locks"
    private(locks)
    try:
        with locked(locks / "worker.lock", timeout=0.0):
            worker.drain(work.config)
    except LockedError:
        return [(_("sessions"), _("a worker is at them already"))]
    return [(f"{job.kind}: {brief(job.session.id)}", job.error) for job in jobs.waiting() if job.error]


def extracted(work: Work) -> Told:
    """OpenAkita's extraction_queue: what lasts of the turns in it is offered. Its rows are its program's own."""
    wanted = Filter(
        layers=frozenset({Layer.SESSION}), kinds=frozenset({"queue"}), homes=frozenset({work.name})
    )
    turns = [
        turn for turn in work.vault.load(work.vault.ids(wanted, "time", limit=_TURNS)) if turn is not None
    ]
    if not turns:
        return Told()
    from memtui.curation.consolidate.offering import Offers

    offers = Offers(work)
    lines: list[str] = []
    left: list[tuple[str, str]] = []
    failed = False
    for number, turn in enumerate(turns):
        work.tell(number, len(turns))
        try:
            lines += _offered(work, offers, turn)
        except MemtuiError as error:
            left.append((brief(turn.text), str(error)))
            failed = unable(error)
            break
    return Told({"waiting": len(turns), "proposed": len(lines)}, tuple(lines), tuple(left), failed=failed)


def _offered(work: Work, offers: Offers, turn: Memory) -> list[str]:
    from memtui.sessions.extract import rules
    from memtui.sessions.flush import drafted

    found: list[str] = []
    # By rules alone: the same turns wait every day, and a model would be asked about them every day.
    for one in rules.notes(turn.text):
        if one.kind != "todo" and offers.fresh(one.text):
            draft = drafted(one, turn.session)
            offers.propose(draft, path=turn.path, line=turn.start, session=turn.session)
            found.append(brief(one.text))
    return found
