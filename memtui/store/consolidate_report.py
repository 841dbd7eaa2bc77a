"""What a consolidation did, or would do: one structure for the terminal, for `--json`, for the app and for the disk.

The second part is what consolidations keep below the state directory, never in a home: the last reports, and
values that were derived from a home's files.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from memtui import __version__
from memtui.core import clock
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.startup import sha256
from memtui.fs import places
from memtui.fs.files import read as contained
from memtui.fs.places import replace_private_file, state

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memtui.core.model import Home

TITLES: Mapping[str, str] = {
    "queue": "Queued writes", "extraction": "Queued turns", "duplicates": "Duplicates", "decay": "Faded",
    "expiry": "Expired", "attachments": "Expired attachments", "sections": "MEMORY.md and USER.md",
    "activity": "Activity", "files": "Most edited files", "topics": "Topics", "graph": "Links",
    "index": "Index", "facts": "Facts of several sessions", "signals": "Signals",
    "capabilities": "Skills from patterns", "retention": "Old sessions and days",
}  # fmt: skip
"""A step's name -> what a person reads."""
COUNTS: Mapping[str, tuple[str, str]] = {
    "written": ("{count} written", "{count} written"),
    "waiting": ("{count} waiting", "{count} waiting"),
    "given_up": ("{count} given up", "{count} given up"),
    "proposed": ("{count} offered in Review", "{count} offered in Review"),
    "asked": ("the model was asked about {count} pair", "the model was asked about {count} pairs"),
    "exact": ("{count} exact", "{count} exact"),
    "merged": ("{count} merged", "{count} merged"),
    "demoted": ("{count} made transient", "{count} made transient"),
    "archived": ("{count} archived", "{count} archived"),
    "expired": ("{count} archived", "{count} archived"),
    "renewed": ("{count} regenerated", "{count} regenerated"),
    "same": ("{count} as it was", "{count} as they were"),
    "sessions": ("{count} session", "{count} sessions"),
    "lines": ("{count} journal line", "{count} journal lines"),
    "days": ("{count} day", "{count} days"),
    "projects": ("{count} project", "{count} projects"),
    "files": ("{count} file", "{count} files"),
    "topics": ("{count} topic", "{count} topics"),
    "dangling": ("{count} dangling", "{count} dangling"),
    "broken": ("{count} broken", "{count} broken"),
    "orphaned": ("{count} orphaned", "{count} orphaned"),
    "stale": ("{count} stale", "{count} stale"),
    "memories": ("{count} memory", "{count} memories"),
    "heard": ("{count} session analyzed", "{count} sessions analyzed"),
    "patterns": ("{count} pattern to look at", "{count} patterns to look at"),
    "open": ("{count} gate open", "{count} gates open"),
    "daily": ("{count} daily file", "{count} daily files"),
}
"""A count's name -> what a person reads, of one and of many."""


_MANY = frozenset({"duplicates", "decay", "expiry", "retention"})
"""Steps that may have a line for every memory of a home."""
_FIRST = 12
"""So many of those are named in the text."""

Standing = Literal["done", "earlier", "failed"]


class ReportStep(NamedTuple):
    """One step of a consolidation, for one home or for all."""

    name: str
    """A key of `TITLES`."""
    home: str = ""
    """The home's path; empty: it was for all of them."""
    counts: Mapping[str, int] = {}
    """By keys of `COUNTS`."""
    lines: tuple[str, ...] = ()
    """What was done, or would be, or was found; in sentences for a person."""
    left: tuple[tuple[str, str], ...] = ()
    """What was not done, and why."""
    seconds: float = 0.0
    standing: Standing = "done"
    """earlier: by the run that was interrupted and that this one went on with."""

    @property
    def title(self) -> str:
        """Its name for a person."""
        return _(TITLES.get(self.name, self.name))

    @property
    def empty(self) -> bool:
        """Whether there is nothing to say of it."""
        return not (any(self.counts.values()) or self.lines or self.left)

    def told(self, *, named: bool) -> list[str]:
        """It in lines of Markdown; `named`: with the home that it was for."""
        undone = _("not all of it") if any(self.counts.values()) else _("not done")
        again = {"earlier": f" ({_('done before it was interrupted')})", "failed": f" ({undone})"}
        place = f"{abbreviate_path(self.home)}: " if named and self.home else ""
        out = ["", f"{place}{self.summary}{again.get(self.standing, '')}"]
        most = _FIRST if self.name in _MANY else len(self.lines)
        out += ["", *(f"- {line}" for line in self.lines[:most])] if self.lines else []
        if len(self.lines) > most:
            out.append("- " + _("… and {count} more; --json has them all").format(count=len(self.lines) - most))
        out += [f"- {_('left')}: {f'{what}: ' if what else ''}{why}" for what, why in self.left]
        return out

    @property
    def summary(self) -> str:
        """Its counts in a line: '3 merged, 12 waiting'."""
        told = [
            _n(*COUNTS.get(name, (f"{{count}} {name}",) * 2), number) for name, number in self.counts.items() if number
        ]
        return ", ".join(told) or _("nothing")


class Report(NamedTuple):
    """One run."""

    period: str
    """The day ('2026-11-22') or the week ('2026-W47') that it was for."""
    weekly: bool
    dry_run: bool
    time: float
    """When it began."""
    since: float
    """From when on its weekly steps looked back."""
    group: str
    """`memtui undo` of it takes all of the run back; empty: nothing was written."""
    steps: tuple[ReportStep, ...] = ()
    seconds: float = 0.0
    before: float | None = None
    """When this period had been done already: this run did what came since."""
    earlier: tuple[ReportStep, ...] = ()
    """What had been done then."""

    @property
    def whole(self) -> bool:
        """Whether every step was done."""
        return all(step.standing != "failed" for step in self.steps)

    @property
    def text(self) -> str:
        """All of it for a person, as Markdown."""
        kind = _("Weekly consolidation") if self.weekly else _("Daily consolidation")
        out = [f"# {kind} {self.period}" + (f" ({_('dry run: nothing was written')})" if self.dry_run else "")]
        if self.before is not None:
            again = _("It was done at {time} already; this run did what came since.")
            out += ["", again.format(time=clock.format_minute(self.before))]
            out += [f"- {step.title}: {step.summary}" for step in self.earlier if any(step.counts.values())]
        names = list(dict.fromkeys(step.name for step in self.steps))
        several = len({step.home for step in self.steps if step.home}) > 1
        for name in names:
            told = [step for step in self.steps if step.name == name and not step.empty]
            if told:
                out += ["", f"## {told[0].title}"]
                out += (line for step in told for line in step.told(named=several))
        quiet = [name for name in names if all(step.empty for step in self.steps if step.name == name)]
        if quiet:
            out += ["", _("Nothing to do: {steps}.").format(steps=", ".join(_(TITLES.get(one, one)) for one in quiet))]
        return "\n".join(out) + "\n"


def abbreviate_path(path: str) -> str:
    """A path as a person writes it."""
    user = os.path.expanduser("~")
    return f"~{path[len(user) :]}" if path == user or path.startswith(user.rstrip(os.sep) + os.sep) else path


def encode_report(report: Report) -> dict[str, Any]:
    """The report as a document."""
    return {
        **report._asdict(),
        "whole": report.whole,
        "steps": [encode_step(step) for step in report.steps],
        "earlier": [encode_step(step) for step in report.earlier],
    }


def encode_step(step: ReportStep) -> dict[str, Any]:
    """One of its steps."""
    return {
        **step._asdict(),
        "title": step.title,
        "counts": dict(step.counts),
        "lines": list(step.lines),
        "left": [{"what": what, "reason": why} for what, why in step.left],
        "seconds": round(step.seconds, 3),
    }


FOLDER = "consolidate"
DERIVED = "consolidation.json"
"""What was worked out of a home's files, by what they were."""
_MAKING = 1
"""Grows whenever the same files come to something else."""
_LARGEST = 4 * 1024 * 1024
_LINES = 400
"""Lines of one step that are kept; what is beyond is counted."""


def encode_stored_step(step: ReportStep) -> dict[str, Any]:
    """A step as it is kept on disk."""
    more = len(step.lines) - _LINES
    lines = (*step.lines[:_LINES], _("… and {more:,} more").format(more=more)) if more > 0 else step.lines
    return encode_step(step._replace(lines=lines, left=step.left[:_LINES]))


def decode_step(said: Any) -> ReportStep | None:
    """A step as it was kept; None for anything else."""
    try:
        standing: Standing = next((one for one in get_args(Standing) if one == said["standing"]), "done")
        return ReportStep(
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


def decode_report(said: Any) -> Report | None:
    """A report as it was kept; None for anything else."""
    try:
        before = said["before"]
        steps, earlier = (
            tuple(step for step in map(decode_step, said[name]) if step is not None) for name in ("steps", "earlier")
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


def find_consolidation_directory() -> Path:
    """Where consolidations keep what they know; not made here."""
    return state() / FOLDER


def keep(report: Report) -> None:
    """Keep it as the latest of its kind. Raises OSError, RefusedError."""
    whole = encode_report(report._replace(steps=(), earlier=()))
    whole["steps"] = [encode_stored_step(step) for step in report.steps]
    whole["earlier"] = [encode_stored_step(step) for step in report.earlier]
    write(_name_latest(report.weekly), whole)


def load_latest_report(weekly: bool | None = None) -> Report | None:
    """The last report of a kind, or of both; None: there is none."""
    wanted = (True, False) if weekly is None else (weekly,)
    found = [
        (_read_written_at(kind), report)
        for kind in wanted
        if (report := decode_report(read(_name_latest(kind)))) is not None
    ]
    return max(found, key=lambda pair: pair[0], default=(0, None))[1]


def _read_written_at(weekly: bool) -> int:
    try:
        return os.stat(find_consolidation_directory() / _name_latest(weekly)).st_mtime_ns
    except OSError:
        return 0


def _name_latest(weekly: bool) -> str:
    return f"latest-{'weekly' if weekly else 'daily'}.json"


def remember(home: Home, said: object) -> None:
    """Keep what was worked out of a home's files beside its index, where losing it loses nothing."""
    with suppress(OSError, RefusedError):
        write(DERIVED, said, find_home_index_directory(home))


def recall(home: Home) -> Any:
    """What was worked out of a home's files; None where nothing is known."""
    try:
        return read(DERIVED, find_home_index_directory(home))
    except (OSError, RefusedError):
        return None


def find_home_index_directory(home: Home) -> Path:
    """The directory of a home's index, where what is derived from its files stands."""
    return places.place(home.path, home.layout, "cache").directory


def digest(said: object) -> str:
    """One name for all that something is worked out of, and for how."""
    data = json.dumps([__version__, _MAKING, said], ensure_ascii=False, sort_keys=True, default=str)
    return sha256(data.encode("utf-8", "surrogatepass"))


def write(name: str, said: object, place: Path | None = None) -> None:
    """Put a file of the state directory in its place, whole or not at all. Raises OSError, RefusedError."""
    data = json.dumps(said, ensure_ascii=False).encode("utf-8", "replace")
    replace_private_file((place or find_consolidation_directory()) / name, data, sync=False)


def read(name: str, place: Path | None = None) -> Any:
    """What stands in such a file; None where it cannot be read."""
    try:
        return json.loads(contained(place or find_consolidation_directory(), name, _LARGEST)[0])
    except (MemtuiError, OSError, ValueError, RecursionError):
        return None
