"""What a consolidation did, or would do: one structure for the terminal, for `--json`, for the app and for the disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memtui import clock
from memtui.locale import _, _n

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    "queue": "What waited to be written",
    "extraction": "Turns that waited to be read",
    "duplicates": "Said twice",
    "decay": "Grown faint",
    "expiry": "Expired",
    "attachments": "What may go",
    "sections": "MEMORY.md and USER.md",
    "activity": "Activity",
    "files": "Most edited files",
    "topics": "What it was about",
    "graph": "How it hangs together",
    "index": "Index",
    "facts": "Facts of several sessions",
    "signals": "Signs of trouble",
    "capabilities": "Skills from patterns",
    "retention": "Old sessions and days",
}
"""A step's name -> what a person reads."""
COUNTS: Mapping[str, tuple[str, str]] = {
    "written": ("{count} written", "{count} written"),
    "waiting": ("{count} waiting", "{count} waiting"),
    "given_up": ("{count} given up", "{count} given up"),
    "proposed": ("{count} offered in Review", "{count} offered in Review"),
    "asked": ("the model was asked about {count} pair", "the model was asked about {count} pairs"),
    "exact": ("{count} letter for letter", "{count} letter for letter"),
    "merged": ("{count} merged", "{count} merged"),
    "demoted": ("{count} made transient", "{count} made transient"),
    "archived": ("{count} put away", "{count} put away"),
    "expired": ("{count} archived", "{count} archived"),
    "renewed": ("{count} made anew", "{count} made anew"),
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
    "heard": ("{count} session heard", "{count} sessions heard"),
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


class Step(NamedTuple):
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
        place = f"{short(self.home)}: " if named and self.home else ""
        out = ["", f"{place}{self.summary}{again.get(self.standing, '')}"]
        most = _FIRST if self.name in _MANY else len(self.lines)
        out += ["", *(f"- {line}" for line in self.lines[:most])] if self.lines else []
        if len(self.lines) > most:
            out.append(
                "- " + _("… and {count} more; --json has them all").format(count=len(self.lines) - most)
            )
        out += [f"- {_('left')}: {f'{what}: ' if what else ''}{why}" for what, why in self.left]
        return out

    @property
    def summary(self) -> str:
        """Its counts in a line: '3 merged, 12 waiting'."""
        told = [
            _n(*COUNTS.get(name, (f"{{count}} {name}",) * 2), number)
            for name, number in self.counts.items()
            if number
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
    steps: tuple[Step, ...] = ()
    seconds: float = 0.0
    before: float | None = None
    """When this period had been done already: this run did what came since."""
    earlier: tuple[Step, ...] = ()
    """What had been done then."""

    @property
    def whole(self) -> bool:
        """Whether every step was done."""
        return all(step.standing != "failed" for step in self.steps)

    @property
    def text(self) -> str:
        """All of it for a person, as Markdown."""
        kind = _("Weekly consolidation") if self.weekly else _("Daily consolidation")
        out = [
            f"# {kind} {self.period}" + (f" ({_('dry run: nothing was written')})" if self.dry_run else "")
        ]
        if self.before is not None:
            again = _("It was done at {time} already; this run did what came since.")
            out += ["", again.format(time=_moment(self.before))]
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
            out += [
                "",
                _("Nothing to do: {steps}.").format(
                    steps=", ".join(_(TITLES.get(one, one)) for one in quiet)
                ),
            ]
        return "\n".join(out) + "\n"


def short(path: str) -> str:
    """A path as a person writes it."""
    user = os.path.expanduser("~")
    return f"~{path[len(user) :]}" if path == user or path.startswith(user.rstrip(os.sep) + os.sep) else path


def _moment(time: float) -> str:
    return clock.local(time).strftime("%Y-%m-%d %H:%M")


def plain(report: Report) -> dict[str, Any]:
    """The report as a document."""
    return {
        **report._asdict(),
        "whole": report.whole,
        "steps": [plain_step(step) for step in report.steps],
        "earlier": [plain_step(step) for step in report.earlier],
    }


def plain_step(step: Step) -> dict[str, Any]:
    """One of its steps."""
    return {
        **step._asdict(),
        "title": step.title,
        "counts": dict(step.counts),
        "lines": list(step.lines),
        "left": [{"what": what, "reason": why} for what, why in step.left],
        "seconds": round(step.seconds, 3),
    }
