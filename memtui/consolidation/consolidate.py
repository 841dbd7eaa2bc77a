"""The care of homes by the day and by the week (spec 003's 每日归纳流程, spec 002's 周期任务).

Each step writes through the vault, all of a run in one group that one undo takes back. Done steps are noted on
disk, so that a run that was killed is continued; a run for a day or week that was done already does what came
since.
"""

from __future__ import annotations

import os
import time as timer
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memtui.consolidation import daily_steps, outdated_files, owned_sections, step_work, weekly_steps
from memtui.consolidation.step_work import StepResult, Work
from memtui.core import clock
from memtui.core.errors import LockedError, MemtuiError
from memtui.core.locale import _
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, state
from memtui.fs.write_journal import Journal, generate_record_id
from memtui.layouts.home_config import explain_switched_off
from memtui.store import consolidate_report
from memtui.store.consolidate_report import Report, ReportStep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memtui.consolidation.step_work import ProgressMark
    from memtui.core.config import Config
    from memtui.store.vault import Vault


class Doing(NamedTuple):
    """One step."""

    name: str
    """A key of `consolidate_report.TITLES`."""
    run: Callable[[Work], StepResult]
    once: bool = False
    """It is for all homes at once."""


def _index_homes(work: Work) -> StepResult:
    """Bring every index up to date with the disk."""
    if not work.dry_run:
        work.vault.refresh(progress=lambda _home, done, total: work.tell(done, total))
    states = work.vault.status()
    left = tuple((state.home.label, state.warning) for state in states if state.warning and not state.away)
    counts = {
        "files": sum(state.files for state in states),
        "memories": sum(state.memories for state in states),
    }
    return StepResult(counts, left=left)


DAILY = (
    Doing("queue", daily_steps.drain_jobs, once=True),
    Doing("extraction", daily_steps.extract_queue),
    Doing("duplicates", daily_steps.merge_duplicates),
    Doing("decay", daily_steps.decay_memories),
    Doing("expiry", daily_steps.expire_memories),
    Doing("attachments", daily_steps.count_waiting),
    Doing("sections", owned_sections.refresh_sections),
)
WEEKLY = (
    Doing("activity", weekly_steps.count_activity),
    Doing("files", weekly_steps.count_edited_files),
    Doing("topics", weekly_steps.summarize_topics),
    Doing("graph", outdated_files.check_graph),
    Doing("index", _index_homes, once=True),
    Doing("facts", weekly_steps.propose_weekly_facts),
    Doing("signals", weekly_steps.read_unread_sessions, once=True),
    Doing("capabilities", weekly_steps.draft_weekly_skill),
    Doing("retention", outdated_files.retire_files),
)


_BACK = 5000
"""Writes that are looked through for those of a run that was interrupted."""


def run(
    vault: Vault,
    config: Config,
    *,
    weekly: bool,
    dry_run: bool,
    progress: Callable[[str, int, int], None] | None = None,
    now: float | None = None,
) -> Report:
    """Look after the open homes. Weekly does the day's work first. `progress`: what is done, how much of it, of all.

    `dry_run` writes nothing anywhere. Raises LockedError where another run is at it, OSError where not even what is
    done can be noted; then nothing was begun.
    """
    moment = clock.now() if now is None else now
    if dry_run:
        return _Run(vault, config, weekly, True, progress, moment).report()
    with _hold_consolidation_lock():
        return _Run(vault, config, weekly, False, progress, moment).report()


@contextmanager
def _hold_consolidation_lock() -> Iterator[None]:
    """One consolidation at a time."""
    locks = state() / "locks"
    make_private_directory(locks)
    try:
        with hold_lock(locks / "consolidate.lock", timeout=0.0):
            yield
    except LockedError:
        raise LockedError(_("Another consolidation is at work: let it end, then try again.")) from None


class _Run:
    """One run over the homes of a vault."""

    def __init__(
        self,
        vault: Vault,
        config: Config,
        weekly: bool,
        dry_run: bool,
        progress: Callable[[str, int, int], None] | None,
        now: float,
    ) -> None:
        self.vault, self.config, self.dry_run, self.now, self.weekly = vault, config, dry_run, now, weekly
        self._progress = progress
        names = [step_work.ALL, *(str(home.path) for home in vault.homes)]
        kinds = (False, True) if weekly else (False,)
        self.marks = {(name, kind): step_work.read_mark(name, kind, now) for name in names for kind in kinds}
        mine = [mark for mark in self.marks.values() if mark.weekly is weekly]
        going = [mark for mark in self.marks.values() if mark.done and mark.finished is None]
        self.resumes = bool(going)
        self.started = int(timer.time() * 1000)
        self.group = next((mark.group for mark in going if mark.group), "") or generate_record_id()
        self.since = min(mark.since for mark in mine)
        over = [mark for mark in mine if mark.finished is not None]
        self.before = max((mark.finished or 0.0 for mark in over), default=None) if len(over) == len(mine) else None
        self.earlier = tuple(step for mark in over for step in mark.done) if self.before is not None else ()
        self.steps: list[ReportStep] = []
        self.off = {str(home.path): (home.label, why) for home in vault.homes if (why := explain_switched_off(home))}

    def report(self) -> Report:
        """Do the steps, each at every home that it is for."""
        began = timer.monotonic()
        self._begin_run()
        for doing in DAILY:
            self._run_step_everywhere(doing, weekly=False)
        for doing in WEEKLY if self.weekly else ():
            self._run_step_everywhere(doing, weekly=True)
        found = Report(
            step_work.name_period(self.now, self.weekly),
            self.weekly,
            self.dry_run,
            self.now,
            self.since,
            self._find_written_group(),
            tuple(self.steps),
            timer.monotonic() - began,
            self.before,
            self.earlier,
        )
        if not self.dry_run:
            # What failed is tried by the next run like everything else: it goes on only where one was killed.
            step_work.end_run(self.marks.values(), self.now)
            consolidate_report.keep(found)
        return found

    def _begin_run(self) -> None:
        """What was finished is looked at anew; what was interrupted goes on."""
        for key, mark in self.marks.items():
            fresh = mark if mark.finished is None else mark._replace(done=(), finished=None, last=mark.finished)
            self.marks[key] = fresh._replace(group=self.group)
            if not self.dry_run:
                step_work.write_mark(self.marks[key])

    def _run_step_everywhere(self, doing: Doing, *, weekly: bool) -> None:
        for home in [step_work.ALL] if doing.once else [str(home.path) for home in self.vault.homes]:
            if home in self.off:
                # Its own tool has its memory off (specs 001 and 004): that is said once, and nothing is written.
                if not any(step.home == home for step in self.steps):
                    self.steps.append(ReportStep(doing.name, home, left=(self.off[home],)))
                continue
            mark = self.marks[home, weekly]
            done = next((step for step in mark.done if step.name == doing.name), None)
            if done is not None:
                self.steps.append(done._replace(standing="earlier"))
                continue
            step, memo = self._run_step(doing, home, mark)
            self.steps.append(step)
            if not self.dry_run and step.standing == "done":
                self.marks[home, weekly] = after = step_work.advance_mark(mark, step, memo)
                step_work.write_mark(after)

    def _run_step(self, doing: Doing, home: str, mark: ProgressMark) -> tuple[ReportStep, dict[str, int]]:
        step = ReportStep(doing.name, home)
        place = next((one for one in self.vault.homes if str(one.path) == home), None)
        place = place or next(iter(self.vault.homes), None)
        if place is None:
            return step, {}
        began = timer.monotonic()

        def tell(done: int, total: int) -> None:
            if self._progress is not None:
                self._progress(step.title, done, total)

        work = Work(self.vault, self.config, place, self.now, mark.since, self.group, self.dry_run, tell, mark.memo)
        tell(0, 1)
        try:
            told = doing.run(work)
        except (MemtuiError, OSError) as error:
            return _fail_step(step, str(error), began), {}
        except Exception as error:
            # One home that is stranger than all others must not keep the rest from being looked after.
            if os.environ.get("MEMTUI_DEBUG", "").strip() not in {"", "0"}:
                raise
            return _fail_step(step, f"{type(error).__name__}: {error}"[:500], began), {}
        tell(1, 1)
        seconds = timer.monotonic() - began
        step = step._replace(counts=dict(told.counts), lines=told.lines, left=told.left, seconds=seconds)
        if told.failed:
            step = step._replace(standing="failed")
        return step, dict(told.memo)

    def _find_written_group(self) -> str:
        """The group, if anything was written in it."""
        if self.dry_run:
            return ""

        for record in islice(Journal().records(), _BACK):
            if record.group == self.group:
                return self.group
            if not self.resumes and int(record.id[:12], 16) < self.started:
                break
        return ""


def _fail_step(step: ReportStep, why: str, began: float) -> ReportStep:
    return step._replace(left=(("", why),), seconds=timer.monotonic() - began, standing="failed")
