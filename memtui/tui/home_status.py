"""How a home stands and how agents are served, as rows of Health and in full.

Homes: what is indexed, how fresh, by what it is watched, and what memtui runs on. Agents: what is installed,
which hooks fired, what failed, what is left to do.
"""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len

from memtui import __version__
from memtui.agents.hooks.hook_process import Fired, list_fired_hooks
from memtui.agents.install import planning
from memtui.core import clock
from memtui.core.locale import _, _n, format_share, format_size, translate_parts
from memtui.layouts import name_layout
from memtui.sessions import jobs
from memtui.sessions.jobs import Job
from memtui.tui import draw
from memtui.tui.bars import format_vector_progress, name_backends
from memtui.tui.prose import draw_rule, wrap_pieces
from memtui.tui.row_list import Fixed
from memtui.vectors import models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.agents.install.wiring import Installation
    from memtui.core.model import HomeStatus
    from memtui.store.vault import Vault
    from memtui.team.membership import Freshness
    from memtui.tui.draw import Piece


def load_home_statuses(vault: Vault) -> list[HomeStatus]:
    """How the homes stand; and why nothing is found by meaning, also where nobody has looked yet."""
    why = models.why_not(vault.config.vector)
    return [
        status if status.vectors or status.model or status.vectors_why else status._replace(vectors_why=why)
        for status in vault.status()
    ]


NAMED = 24
"""Cells that names of homes take at most."""


def list_home_rows(found: Sequence[HomeStatus]) -> list[Fixed]:
    """A row each, their names as wide as the longest of them: the tool beside it wants its room."""
    widest = max((cell_len(draw.clip_to_line(status.home.label)) for status in found), default=0)
    busy = any(status.embedding for status in found)
    return [draw_home_row(status, min(widest, NAMED), embedding=busy) for status in found]


def draw_home_row(status: HomeStatus, named: int, *, embedding: bool) -> Fixed:
    """● shop  xinghebot   1,284 · watching; while vectors are made, `embedding`, how far this home has come."""
    sign, style = ("✗", "bad") if status.away else ("◐", "warn") if _is_wanting(status) else ("●", "ok")
    return Fixed(
        ("home", str(status.home.path)),
        (
            (f" {sign} ", style),
            (draw.pad(_shorten(status.home.label, named), named) + "  ", ""),
            (draw.clip_to_line(name_layout(status.home.layout)), "dim"),
        ),
        (
            (f" {_state(status, embedding=embedding)}", "dim"),
            (f" · ✗ {status.unparsed:,} " if status.problems else " ", "bad"),
        ),
        status,
    )


def _shorten(label: str, cells: int) -> str:
    """Homes of one project begin alike: of a path its end is seen."""
    label = draw.clip_to_line(label)
    return draw.clip_start(label, cells) if "/" in label else label


def _is_wanting(status: HomeStatus) -> bool:
    return bool(status.building or status.warning or status.problems)


def _state(status: HomeStatus, *, embedding: bool) -> str:
    """How much there is, and how it is searched and watched; the reasons are beside the list."""
    if status.away:
        return _("not there") if status.home.origin is None else _("no longer shared")
    if status.building:
        far = _("{done:,} of {total:,} files").format(done=status.indexed, total=status.total)
        much = far if status.total else _("indexing …")
    else:
        much = f"{status.memories:,}"
    share = format_vector_progress([status._replace(embedding=embedding)])
    meaning = _("meaning {share}").format(share=share) if share else ""
    found = meaning or (_("no index") if status.backend == "scan" and not status.building else "")
    return " · ".join(filter(None, (much, found, _describe_watching(status)[0])))


def _describe_meaning(status: HomeStatus) -> str:
    """How much can be found by meaning; why not all, and what to do."""
    done, total = status.vectors, status.vectors_total
    if total and done >= total:
        return _("all memories")
    # A long memory has several vectors: their number is none that a person knows.
    far = format_share(done, total) if done else ""
    if status.embedding:
        why = _("more are on their way")
    else:
        why = status.vectors_why or (_("no vectors yet: `memtui index` makes them") if status.memories else "")
    return " · ".join(filter(None, (far, why)))


def _describe_watching(status: HomeStatus) -> tuple[str, str]:
    """How changes become known, and why not as they happen."""
    way, _colon, reason = status.watcher.partition(": ")
    return {"watching": _("watching"), "polling": _("polling")}.get(way, _("not watched")), reason and _(reason)


def draw_home_detail(status: HomeStatus, cells: int) -> list[list[Piece]]:
    """Everything about one home."""
    way, reason = _describe_watching(status)
    rows: list[tuple[str, Any]] = [
        (_("layout"), name_layout(status.home.layout)),
        (_("because"), status.home.reason),
        (_("path"), str(status.home.path)),
        (_("project"), status.home.project),
        (_("files"), f"{status.files:,}"),
        (_("memories"), f"{status.memories:,}"),
        (
            _("search mode"),
            status.backend and f"{name_backends(status.backend, meant=bool(status.vectors))} ({status.backend})",
        ),
        (_("by meaning"), _describe_meaning(status)),
        (_("model"), status.model),
        (_("last indexed"), _describe_freshness(status)),
        (_("watcher"), f"{way}{_(': ')}{reason}" if reason else way),
        (_("index"), status.index_path),
        (_("its size"), format_size(status.index_bytes) if status.index_bytes else ""),
        (_("writable"), _("yes") if status.home.writable else _("no")),
    ]
    lines: list[list[Piece]] = []
    if status.building:
        far = _("indexing {done:,} of {total:,} files").format(done=status.indexed, total=status.total)
        lines.append([(far if status.total else _("indexing …"), "warn")])
    if status.warning:
        lines += wrap_pieces([("⚠ ", "warn"), (draw.clip_to_line(_(status.warning)), "warn")], cells, hang=2)
    for label, text in rows:
        if text:
            name = draw.pad(label, 13)
            told = draw.clip_to_line(str(text)) + ("…" if len(str(text)) > draw.LINE else "")
            lines += wrap_pieces([(name, "dim"), (told, "")], cells, hang=13)
    if status.problems:
        lines += [[], draw_rule(_("parse errors"), cells)]
        for problem in status.problems[:50]:
            where = draw.clip_to_line(f"{problem.path}:{problem.line}" if problem.line else problem.path)
            lines += wrap_pieces(
                [("✗ ", "bad"), (where, ""), (f"  {draw.clip_to_line(translate_parts(problem.reason))}", "dim")],
                cells,
                hang=2,
            )
    if not status.away:
        told = _("enter shows this home alone · w chooses which are shown")
        lines += [[], *wrap_pieces([(told, "faint")], cells)]
    return lines


def _describe_freshness(status: HomeStatus) -> str:
    if status.away:
        return _("not there")
    if status.fresh_at is None:
        return _("not compared with the disk yet")
    return _("{age} ago").format(age=clock.format_age(status.fresh_at) or clock.format_age(clock.now()))


def draw_team_row(one: Freshness) -> Fixed:
    """● shop  ann@laptop   3 homes · 14:03"""
    sign, style = ("◐", "warn") if one.error or not one.seen_at else ("●", "ok")
    member = one.member
    others = _n("{count} home", "{count} homes", one.homes)
    moment = clock.convert_to_local(one.seen_at).strftime("%H:%M") if one.seen_at else _("not synced yet")
    away = _(", offline") if one.error else ""
    return Fixed(
        ("team", member.team),
        (
            (f" {sign} ", style),
            (draw.pad(draw.clip_to_line(member.team), 16) + " ", ""),
            (f"{member.who}@{member.machine}", "dim"),
        ),
        ((f" {others} · {moment}{away} ", "warn" if one.error else "dim"),),
        one,
    )


def _tell_moment(one: Freshness) -> str:
    if not one.seen_at:
        return _("not synced yet")
    told = _("as of {moment}").format(moment=clock.convert_to_local(one.seen_at).strftime("%H:%M"))
    return told + (_(", offline") if one.error else "")


def draw_team_detail(one: Freshness, cells: int) -> list[list[Piece]]:
    """How a team stands: who one is in it, what one shares, and why its server cannot be asked."""
    member = one.member
    lines: list[list[Piece]] = []
    if one.error:
        lines += [*wrap_pieces([("⚠ ", "warn"), (draw.clip_to_line(one.error), "warn")], cells, hang=2), []]
    lines += _draw_fields(
        [
            (_("you are"), f"{member.who}@{member.machine}"),
            (_("copies"), _tell_moment(one)),
            (_("of others"), _n("{count} home", "{count} homes", one.homes)),
            (_("server"), member.dsn),
        ],
        cells,
    )
    for large in one.unmirrored:
        lines += wrap_pieces([("· ", "dim"), (draw.clip_to_line(large.told), "")], cells, hang=2)
    lines += [[], draw_rule(_("what you share"), cells)]
    for share in member.shares:
        about = share.project or _("all of it")
        lines += wrap_pieces(
            [("· ", "dim"), (draw.clip_to_line(f"{share.home}: {about}; {', '.join(share.layers)}"), "")],
            cells,
            hang=2,
        )  # fmt: skip
    told = "memtui team unshare" if member.shares else "memtui team share"
    if not member.shares:
        lines += wrap_pieces([(_("Nothing of yours is shared with it."), "")], cells)
    lines += [[], *wrap_pieces([("→ ", "accent"), (told, "accent")], cells, hang=2)]
    return lines


def list_versions() -> list[tuple[str, str]]:
    """What memtui runs with."""
    from importlib.metadata import PackageNotFoundError, version

    import apsw

    found = [("memtui", __version__), ("SQLite", apsw.sqlite_lib_version())]
    for name in ("textual", "watchdog"):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            found.append((name, _("not installed")))
    return [*found, ("Python", platform.python_version()), (_("system"), f"{platform.system()} {platform.release()}")]


_SIGNS = {"complete": ("●", "ok"), "partly": ("◐", "warn"), "broken": ("✗", "bad"), "missing": ("○", "dim")}


class Serving(NamedTuple):
    """How things stand."""

    installed: list[Installation]
    fired: list[Fired]
    waiting: list[Job]
    given_up: list[Job]


def read(before: Serving | None = None) -> Serving:
    """All of it, on a reader's thread; what is installed is not looked for again where it was `before`."""
    return Serving(
        before.installed if before else planning.list_installations(),
        list_fired_hooks(),
        jobs.list_jobs(),
        jobs.list_jobs(given_up=True),
    )


def list_serving_rows(found: Serving | None) -> list[Fixed]:
    """A head, an agent a row, then hooks and jobs; None: it is still being looked for."""
    title = ((" " + _("Agents"), "head"),)
    out = [Fixed(("head", "agents"), title, rest=False)]
    if found is None:
        return [*out, Fixed(("note", "agents"), ((f"   {_('looking …')}", "dim"),), rest=False)]
    here = [one for one in found.installed if one.state != "absent"]
    out += map(_make_installation_row, here)
    if not here:
        note = _("None of the agents that take hooks is set up for this user.")
        out.append(Fixed(("note", "agents"), ((f"   {note}", "dim"),), rest=False))
    out += map(_make_hook_row, found.fired)
    if found.waiting or found.given_up:
        queue = _n("{count} session to write down", "{count} sessions to write down", len(found.waiting))
        out.append(Fixed(("note", "queue"), ((" ▸ ", "accent"), (queue, "")), rest=False))
    out += [_make_job_row(job, given_up=False) for job in found.waiting if job.error]
    out += [_make_job_row(job, given_up=True) for job in found.given_up]
    return out


def _make_installation_row(one: Installation) -> Fixed:
    sign, style = _SIGNS.get(one.state, ("?", "warn"))
    return Fixed(
        ("agent", one.agent, one.how, one.place),
        ((f" {sign} ", style), (draw.pad(one.agent, 14) + " ", ""), (draw.pad(_(one.how), 10) + " ", "dim"),
         (draw.clip_to_line(one.why) or _("installed"), "dim" if one.state == "missing" else style)),
        value=one,
    )  # fmt: skip


def _make_hook_row(one: Fired) -> Fixed:
    broken = one.failed >= one.last and one.failed > 0
    told = _n("{count} time", "{count} times", one.times)
    wrong = _n("{count} failure", "{count} failures", one.failures) if one.failures else ""
    return Fixed(
        ("hook", one.agent, one.event),
        ((" ✗ " if broken else "   ", "bad"), (draw.pad(one.agent, 14) + " ", "dim"),
         (draw.pad(one.event, 18) + " ", ""), (f"{told}  ", "dim"), (wrong, "bad")),
        ((f" {clock.format_age(one.last)} ", "dim"),),
        value=one,
    )  # fmt: skip


def _make_job_row(job: Job, *, given_up: bool) -> Fixed:
    sign = (" ✗ ", "bad") if given_up else (" ◐ ", "warn")
    return Fixed(
        ("job", job.path.name),
        (sign, (draw.pad(job.session.agent, 14) + " ", "dim"), (draw.clip_to_line(job.error), "")),
        ((f" {clock.format_age(job.time)} ", "dim"),),
        value=job,
    )


def draw_serving_detail(value: Installation | Fired | Job, cells: int) -> list[list[Piece]]:
    """All that is known of a row, and what to do about it."""
    if isinstance(value, Job):
        return _draw_job(value, cells)
    if isinstance(value, Fired):
        return _draw_hook(value, cells)
    command = value.remedy or f"memtui install {value.agent}"
    lines = _draw_fields([(_("agent"), value.agent), (_("how"), value.how), (_("place"), value.place),
                     (_("for"), value.scope), (_("state"), value.why or _("installed"))], cells)  # fmt: skip
    if value.state != "complete":
        lines += [[], *wrap_pieces([("→ ", "accent"), (command, "accent")], cells, hang=2)]
        lines += [[], *wrap_pieces([(_("enter installs hooks (asks first)"), "faint")], cells)]
    return lines


def label_serving_row(value: Installation | Fired | Job) -> str:
    """What stands over it."""
    agent = getattr(value, "agent", "")
    return str(agent) if agent else _("what is left to do")


def _draw_hook(one: Fired, cells: int) -> list[list[Piece]]:
    last = clock.convert_to_local(one.last).strftime("%Y-%m-%d %H:%M:%S")
    lines = _draw_fields(
        [
            (_("hook"), one.event),
            (_("agent"), one.agent),
            (_("last fired"), f"{last} ({clock.format_age(one.last)})"),
            (_("took"), f"{one.seconds * 1000:.0f} ms"),
            (_("fired"), f"{one.times:,}"),
            (_("failures"), f"{one.failures:,}" if one.failures else ""),
            (_("last failure"), one.failure),
        ],
        cells,
    )
    note = _("A hook that fails lets the agent go on; what it would have written is kept for later.")
    return [*lines, [], *wrap_pieces([(note, "faint")], cells)]


def _draw_job(job: Job, cells: int) -> list[list[Piece]]:
    lines = _draw_fields(
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
    return [*lines, [], *wrap_pieces([("→ ", "accent"), (draw.clip_to_line(command), "accent")], cells, hang=2)]


def _draw_fields(pairs: list[tuple[str, str]], cells: int) -> list[list[Piece]]:
    lines: list[list[Piece]] = []
    for label, text in pairs:
        if text:
            lines += wrap_pieces([(draw.pad(label, 13), "dim"), (draw.clip_to_line(text), "")], cells, hang=13)
    return lines
