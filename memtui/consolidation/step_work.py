"""What one step of a consolidation is given and answers, and how far the consolidation of a home is, on disk.

Progress is one small file for each home and each of daily and weekly: killed in the middle, the next run
continues where it stopped. A new day or week begins it anew and keeps when the last one was finished, so that
missed ones are caught up at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.errors import UnavailableError
from memtui.core.startup import sha256
from memtui.store import consolidate_report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memtui.core.config import Config
    from memtui.core.errors import MemtuiError
    from memtui.core.model import Home
    from memtui.store.consolidate_report import ReportStep
    from memtui.store.vault import Vault


class Work(NamedTuple):
    """One step at one home; a step for all homes looks at `vault.homes`."""

    vault: Vault
    config: Config
    home: Home
    now: float
    since: float
    """From when on to look back, in seconds since the epoch."""
    group: str
    dry_run: bool
    tell: Callable[[int, int], None]
    """How far it is: done, in all."""
    memo: Mapping[str, int] = {}
    """What this step left behind when it ran in the same period."""

    @property
    def name(self) -> str:
        """The home's path, as `Home.path` prints it."""
        return str(self.home.path)


class StepResult(NamedTuple):
    """What came of it: see `consolidate_report.ReportStep`."""

    counts: Mapping[str, int] = {}
    lines: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    memo: Mapping[str, int] = {}
    """What it wants to know when it runs again in the same period."""
    failed: bool = False
    """Something of it could not be written, as `is_unable` tells: whoever started the run is to notice."""


def is_unable(error: MemtuiError) -> bool:
    """Whether it could not be done, a full or read-only disk for one; what is refused was done as it should be."""
    return error.exit_status == UnavailableError.exit_status


def shorten_text(text: str, most: int = 80) -> str:
    """A text on one line, cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


WEEK = 7 * 86400.0
FURTHEST = 12 * WEEK
"""How far a run looks back after a long pause, in seconds."""
ALL = ""
"""In place of a home, for steps that are for all of them."""


class ProgressMark(NamedTuple):
    """How far one home is in one period."""

    home: str
    weekly: bool
    period: str
    since: float
    """From when on the weekly steps look back."""
    group: str
    done: tuple[ReportStep, ...] = ()
    finished: float | None = None
    """When the last run came to its end; None: it was killed, or is at work."""
    last: float | None = None
    """When the period before this one was finished."""
    memo: Mapping[str, int] = {}
    """What steps want to know when they run again in the same period, by names of their own."""

    @property
    def name(self) -> str:
        """The file's."""
        return _name(self.home, self.weekly)


def name_period(now: float, weekly: bool) -> str:
    """The local day, or its ISO week."""
    if not weekly:
        return clock.format_day(now)
    year, week, _day = clock.convert_to_local(now).isocalendar()
    return f"{year}-W{week:02d}"


def read_mark(home: str, weekly: bool, now: float) -> ProgressMark:
    """How far a home is in the period that is now."""
    before = _read(home, weekly)
    wanted = name_period(now, weekly)
    if before is not None and before.period == wanted:
        return before
    last = None if before is None else before.finished if before.finished is not None else before.last
    since = now - WEEK if last is None else max(now - FURTHEST, min(last, now - WEEK))
    return ProgressMark(home, weekly, wanted, since, "", last=last)


def write_mark(mark: ProgressMark) -> None:
    """Keep it. Raises OSError, RefusedError."""
    consolidate_report.write(
        mark.name,
        {**mark._asdict(), "done": [consolidate_report.encode_stored_step(step) for step in mark.done]},
    )


def advance_mark(mark: ProgressMark, step: ReportStep, memo: Mapping[str, int]) -> ProgressMark:
    """The mark once a step is done."""
    done = (*(other for other in mark.done if other.name != step.name), step)
    return mark._replace(done=done, memo={**mark.memo, **memo})


def end_run(marks: Iterable[ProgressMark], now: float) -> None:
    """Note that a run came to its end. Raises OSError, RefusedError."""
    for mark in marks:
        write_mark(mark._replace(finished=now))


def _read(home: str, weekly: bool) -> ProgressMark | None:
    said: Any = consolidate_report.read(_name(home, weekly))
    try:
        steps = (step for step in map(consolidate_report.decode_step, said["done"]) if step is not None)
        return ProgressMark(
            home,
            weekly,
            str(said["period"]),
            float(said["since"]),
            str(said["group"]),
            tuple(steps),
            _parse_time(said["finished"]),
            _parse_time(said["last"]),
            {str(name): int(number) for name, number in said["memo"].items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _parse_time(said: Any) -> float | None:
    return None if said is None else float(said)


def _name(home: str, weekly: bool) -> str:
    digest = sha256(home.encode("utf-8", "surrogateescape"))[:16]
    return f"{digest}-{'weekly' if weekly else 'daily'}.json"
