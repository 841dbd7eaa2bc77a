"""What consolidations leave below the state directory: the last reports, and how far each home is. Never in a home."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_args

from memtui import __version__
from memtui.curation.consolidate.report import Report, Standing, Step, plain, plain_step
from memtui.digest import sha256
from memtui.disk import places
from memtui.disk.places import private, state
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.model import Home

FOLDER = "consolidate"
DERIVED = "consolidation.json"
"""What was worked out of a home's files, by what they were."""
_MAKING = 1
"""Grows whenever the same files come to something else."""
_LARGEST = 4 * 1024 * 1024
_LINES = 400
"""Lines of one step that are kept; what is beyond is counted."""


def stored(step: Step) -> dict[str, Any]:
    """A step as it is kept on disk."""
    more = len(step.lines) - _LINES
    lines = (*step.lines[:_LINES], _("… and {more:,} more").format(more=more)) if more > 0 else step.lines
    return plain_step(step._replace(lines=lines, left=step.left[:_LINES]))


def of_step(said: Any) -> Step | None:
    """A step as it was kept; None for anything else."""
    try:
        standing: Standing = next((one for one in get_args(Standing) if one == said["standing"]), "done")
        return Step(
            str(said["name"]),
            str(said["home"]),
            {str(name): int(number) for name, number in said["counts"].items()},
            tuple(map(str, said["lines"])),
            tuple((str(one["what"]), str(one["reason"])) for one in said["left"]),
            float(said["seconds"]),
            standing,
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def of_report(said: Any) -> Report | None:
    """A report as it was kept; None for anything else."""
    try:
        before = said["before"]
        steps, earlier = (
            tuple(step for step in map(of_step, said[name]) if step is not None)
            for name in ("steps", "earlier")
        )
        return Report(
            str(said["period"]),
            bool(said["weekly"]),
            bool(said["dry_run"]),
            float(said["time"]),
            float(said["since"]),
            str(said["group"]),
            steps,
            float(said["seconds"]),
            None if before is None else float(before),
            earlier,
        )
    except (KeyError, TypeError, ValueError):
        return None


def directory() -> Path:
    """Where consolidations keep what they know; not made here."""
    return state() / FOLDER


def keep(report: Report) -> None:
    """Keep it as the latest of its kind. Raises OSError, RefusedError."""
    whole = plain(report._replace(steps=(), earlier=()))
    whole["steps"] = [stored(step) for step in report.steps]
    whole["earlier"] = [stored(step) for step in report.earlier]
    write(_latest(report.weekly), whole)


def latest(weekly: bool | None = None) -> Report | None:
    """The last report of a kind, or of both; None: there is none."""
    wanted = (True, False) if weekly is None else (weekly,)
    found = [
        (_written(kind), report) for kind in wanted if (report := of_report(read(_latest(kind)))) is not None
    ]
    return max(found, key=lambda pair: pair[0], default=(0, None))[1]


def _written(weekly: bool) -> int:
    try:
        return os.stat(directory() / _latest(weekly)).st_mtime_ns
    except OSError:
        return 0


def _latest(weekly: bool) -> str:
    return f"latest-{'weekly' if weekly else 'daily'}.json"


def remember(home: Home, said: object) -> None:
    """Keep what was worked out of a home's files beside its index, where losing it loses nothing."""
    with suppress(OSError, RefusedError):
        write(DERIVED, said, beside(home))


def recall(home: Home) -> Any:
    """What was worked out of a home's files; None where nothing is known."""
    try:
        return read(DERIVED, beside(home))
    except (OSError, RefusedError):
        return None


def beside(home: Home) -> Path:
    """The directory of a home's index, where what is derived from its files stands."""
    return places.place(home.path, home.layout, "cache").directory


def digest(said: object) -> str:
    """One name for all that something is worked out of, and for how."""
    data = json.dumps([__version__, _MAKING, said], ensure_ascii=False, sort_keys=True, default=str)
    return sha256(data.encode("utf-8", "surrogatepass"))


def write(name: str, said: object, place: Path | None = None) -> None:
    """Put a file of the state directory in its place, whole or not at all. Raises OSError, RefusedError."""
    place = place or directory()
    private(place)
    part = place / f".{name}.{os.urandom(6).hex()}.part"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(json.dumps(said, ensure_ascii=False).encode("utf-8", "replace"))
        os.replace(part, place / name)
    except OSError:
        with suppress(OSError):
            os.unlink(part)
        raise


def read(name: str, place: Path | None = None) -> Any:
    """What stands in such a file; None where it cannot be read."""
    from memtui.disk.files import read as contained
    from memtui.errors import MemtuiError

    try:
        return json.loads(contained(place or directory(), name, _LARGEST)[0])
    except (MemtuiError, OSError, ValueError, RecursionError):
        return None
