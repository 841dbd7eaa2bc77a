"""How agents are served, as rows of Health: what is installed, which hooks fired, what failed, what is left to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.agents.fired import Fired
from memtui.locale import _, _n
from memtui.sessions.jobs import Job
from memtui.tui import draw
from memtui.tui.items import Fixed
from memtui.tui.prose import wrapped

if TYPE_CHECKING:
    from memtui.agents.install.wiring import Installation
    from memtui.tui.draw import Piece

_SIGNS = {"complete": ("●", "ok"), "partly": ("◐", "warn"), "broken": ("✗", "bad"), "missing": ("○", "dim")}


class Serving(NamedTuple):
    """How things stand."""

    installed: list[Installation]
    fired: list[Fired]
    waiting: list[Job]
    given_up: list[Job]


def read(before: Serving | None = None) -> Serving:
    """All of it, on a reader's thread; what is installed is not looked for again where it was `before`."""
    from memtui.agents.fired import fired
    from memtui.agents.install import installed
    from memtui.sessions import jobs

    return Serving(
        before.installed if before else installed(), fired(), jobs.waiting(), jobs.waiting(given_up=True)
    )


def rows(found: Serving | None) -> list[Fixed]:
    """A head, an agent a row, then hooks and jobs; None: it is still being looked for."""
    title = ((" " + _("Agents"), "head"),)
    out = [Fixed(("head", "agents"), title, rest=False)]
    if found is None:
        return [*out, Fixed(("note", "agents"), ((f"   {_('looking …')}", "dim"),), rest=False)]
    here = [one for one in found.installed if one.state != "absent"]
    out += map(_installation, here)
    if not here:
        note = _("No agent that memtui serves has left anything here.")
        out.append(Fixed(("note", "agents"), ((f"   {note}", "dim"),), rest=False))
    out += map(_hook, found.fired)
    if found.waiting or found.given_up:
        queue = _n("{count} session to write down", "{count} sessions to write down", len(found.waiting))
        out.append(Fixed(("note", "queue"), ((" ▸ ", "accent"), (queue, "")), rest=False))
    out += [_job(job, given_up=False) for job in found.waiting if job.error]
    out += [_job(job, given_up=True) for job in found.given_up]
    return out


def _installation(one: Installation) -> Fixed:
    sign, style = _SIGNS.get(one.state, ("?", "warn"))
    return Fixed(
        ("agent", one.agent, one.how, one.place),
        ((f" {sign} ", style), (draw.pad(one.agent, 14) + " ", ""), (draw.pad(_(one.how), 10) + " ", "dim"),
         (draw.one_line(one.why) or _("installed"), "dim" if one.state == "missing" else style)),
        value=one,
    )  # fmt: skip


def _hook(one: Fired) -> Fixed:
    broken = one.failed >= one.last and one.failed > 0
    told = _n("{count} time", "{count} times", one.times)
    wrong = _n("{count} failure", "{count} failures", one.failures) if one.failures else ""
    return Fixed(
        ("hook", one.agent, one.event),
        ((" ✗ " if broken else "   ", "bad"), (draw.pad(one.agent, 14) + " ", "dim"),
         (draw.pad(one.event, 18) + " ", ""), (f"{told}  ", "dim"), (wrong, "bad")),
        ((f" {clock.ago(one.last)} ", "dim"),),
        value=one,
    )  # fmt: skip


def _job(job: Job, *, given_up: bool) -> Fixed:
    sign = (" ✗ ", "bad") if given_up else (" ◐ ", "warn")
    return Fixed(
        ("job", job.path.name),
        (sign, (draw.pad(job.session.agent, 14) + " ", "dim"), (draw.one_line(job.error), "")),
        ((f" {clock.ago(job.time)} ", "dim"),),
        value=job,
    )


def told(value: Installation | Fired | Job, cells: int) -> list[list[Piece]]:
    """All that is known of a row, and what to do about it."""
    if isinstance(value, Job):
        return _told_job(value, cells)
    if isinstance(value, Fired):
        return _told_hook(value, cells)
    command = f"memtui install {value.agent}"
    lines = _fields([(_("agent"), value.agent), (_("how"), value.how), (_("place"), value.place),
                     (_("for"), value.scope), (_("state"), value.why or _("installed"))], cells)  # fmt: skip
    if value.state != "complete":
        lines += [[], *wrapped([("→ ", "accent"), (command, "accent")], cells, hang=2)]
    return lines


def title(value: Installation | Fired | Job) -> str:
    """What stands over it."""
    agent = getattr(value, "agent", "")
    return str(agent) if agent else _("what is left to do")


def _told_hook(one: Fired, cells: int) -> list[list[Piece]]:
    last = clock.local(one.last).strftime("%Y-%m-%d %H:%M:%S")
    lines = _fields(
        [
            (_("hook"), one.event),
            (_("agent"), one.agent),
            (_("last fired"), f"{last} ({clock.ago(one.last)})"),
            (_("took"), f"{one.seconds * 1000:.0f} ms"),
            (_("fired"), f"{one.times:,}"),
            (_("failures"), f"{one.failures:,}" if one.failures else ""),
            (_("last failure"), one.failure),
        ],
        cells,
    )
    note = _("A hook that fails lets the agent go on; what it would have written is kept for later.")
    return [*lines, [], *wrapped([(note, "faint")], cells)]


def _told_job(job: Job, cells: int) -> list[list[Piece]]:
    lines = _fields(
        [
            (_("session"), job.session.id),
            (_("agent"), job.session.agent),
            (_("project"), job.session.name),
            (_("tried"), _n("{count} time", "{count} times", job.tries)),
            (_("failed"), job.error),
        ],
        cells,
    )
    command = "memtui sessions retry"
    return [*lines, [], *wrapped([("→ ", "accent"), (draw.one_line(command), "accent")], cells, hang=2)]


def _fields(pairs: list[tuple[str, str]], cells: int) -> list[list[Piece]]:
    lines: list[list[Piece]] = []
    for label, text in pairs:
        if text:
            lines += wrapped([(draw.pad(label, 13), "dim"), (draw.one_line(text), "")], cells, hang=13)
    return lines
