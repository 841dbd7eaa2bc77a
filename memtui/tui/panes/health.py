"""6 Health: which homes are open and how fresh they are, what could not be read and why, and with what it is done."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui import __version__, clock
from memtui.locale import _, _n
from memtui.tui import draw
from memtui.tui.detail import Detail
from memtui.tui.fields import rule
from memtui.tui.items import Fixed
from memtui.tui.panes.pane import Pane
from memtui.tui.prose import wrapped
from memtui.tui.rows import Rows

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from memtui.model import Home, Problem
    from memtui.tui.draw import Piece
    from memtui.vault import HomeStatus

PROBLEMS = 2000
"""Unparsed files that are listed."""


def size(amount: int) -> str:
    """Bytes for a person."""
    value = float(amount)
    for unit in ("B", "KB", "MB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 10 else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GB"


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that was not understood, in its home."""

    home: Home
    problem: Problem


class HealthView(Pane):
    """Homes, problems, versions: rows on the left, what they mean on the right."""

    view: ClassVar[str] = "health"
    number: ClassVar[str] = "6"
    title: ClassVar[str] = "Health"

    def compose(self) -> ComposeResult:
        """List and detail."""
        rows = Rows(lambda _item, _brush: [], self.context.look, id="checks")
        rows.border_title = Content(_("Health"))
        rows.empty = ((_("reading …"), "dim"),)
        yield rows
        yield Detail(self.context.look, id="detail")

    def rows(self) -> Rows | None:
        """The one list."""
        return self.query_one("#checks", Rows)

    def detail(self) -> Detail | None:
        """What the row means."""
        return self.query_one("#detail", Detail)

    def focus_first(self) -> None:
        """The list."""
        self.query_one("#checks", Rows).focus()

    def refresh_view(self, *, patience: float = 0.0) -> None:
        """Freshness moves on by itself: ask every time."""
        self.reload(patience=patience)

    def tick(self) -> None:
        """How fresh the homes are."""
        self.reload()

    def reload(self, *, patience: float = 0.0) -> None:
        """Ask how each home stands."""
        vault = self.context.vault
        self.context.reader.ask(
            (self.view, "status"), lambda _c: vault.status(), self._show, patience=patience
        )

    def _show(self, found: list[HomeStatus]) -> None:
        if not self.is_mounted:
            return
        rows: list[Fixed] = [_head("homes", _("Homes"), str(len(found)))]
        rows += map(_home_row, found)
        if not found:
            rows.append(
                _note("none", _("No homes are open. `memtui homes` says where they are looked for."), "warn")
            )
        problems = [(status.home, problem) for status in found for problem in status.problems]
        files = sum(status.unparsed for status in found)
        number = _n("{count} file", "{count} files", files) if files else ""
        rows += [_blank("p"), _head("problems", _("Not understood"), number)]
        several = len(found) > 1
        rows += [
            _problem_row(home, problem, self.context.name(home) if several else "")
            for home, problem in problems[:PROBLEMS]
        ]
        if not problems:
            rows.append(_note("fine", _("Every file was understood."), "ok"))
        elif len(problems) > PROBLEMS:
            more = _("… and {count:,} more").format(count=len(problems) - PROBLEMS)
            rows.append(_note("more", more, "dim"))
        rows += [_blank("v"), _head("versions", _("Made with"))]
        rows += [
            Fixed(("version", name), ((f"   {draw.pad(name, 12)}", "dim"), (version, "")))
            for name, version in versions()
        ]
        self.query_one("#checks", Rows).show(rows)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Say what the row under the cursor means."""
        event.stop()
        detail, item = self.detail(), event.item
        if detail is None or not isinstance(item, Fixed):
            return
        value = item.value
        if value is None:
            detail.show(lambda _cells: [], key=item.key)
        elif isinstance(value, Fault):
            detail.show(lambda cells: _told_problem(value, cells), key=item.key, title=value.problem.path)
        else:
            detail.show(lambda cells: _told_home(value, cells), key=item.key, title=value.home.label)

    def fault(self) -> Fault | None:
        """The unparsed file under the cursor."""
        item = self.query_one("#checks", Rows).current
        return item.value if isinstance(item, Fixed) and isinstance(item.value, Fault) else None


def _head(key: str, title: str, number: str = "") -> Fixed:
    return Fixed(("head", key), ((f" {title}", "head"),), ((f" {number} ", "dim"),), rest=False)


def _blank(key: str) -> Fixed:
    return Fixed(("blank", key), (), rest=False)


def _note(key: str, words: str, style: str) -> Fixed:
    return Fixed(("note", key), ((f"   {words}", style),), rest=False)


def _home_row(status: HomeStatus) -> Fixed:
    sign, style = ("✗", "bad") if status.away else ("◐", "warn") if _wanting(status) else ("●", "ok")
    return Fixed(
        ("home", str(status.home.path)),
        (
            (f" {sign} ", style),
            (draw.pad(draw.one_line(status.home.label), 24) + " ", ""),
            (draw.one_line(status.home.layout), "dim"),
        ),
        ((f" {_state(status)}", "dim"), (f" · ✗ {status.unparsed:,} " if status.problems else " ", "bad")),
        status,
    )


def _wanting(status: HomeStatus) -> bool:
    return bool(status.building or status.warning or status.problems)


def _state(status: HomeStatus) -> str:
    """How much there is, and how it is searched and watched; the reasons are beside the list."""
    if status.away:
        return _("not there")
    if status.building:
        far = _("{done:,} of {total:,} files").format(done=status.indexed, total=status.total)
        much = far if status.total else _("indexing …")
    else:
        much = f"{status.memories:,}"
    return f"{much} · {status.backend} · {_watched(status)[0]}"


def _watched(status: HomeStatus) -> tuple[str, str]:
    """How changes become known, and why not as they happen."""
    way, _colon, reason = status.watcher.partition(": ")
    return {"watching": _("watching"), "polling": _("polling")}.get(way, _("not watched")), reason


def _problem_row(home: Home, problem: Problem, whose: str) -> Fixed:
    where = f"{problem.path}:{problem.line}" if problem.line else problem.path
    return Fixed(
        ("problem", str(home.path), problem.path, problem.line, problem.reason),
        (
            (" ✗ ", "bad"),
            (draw.cut(draw.one_line(where), 40) + "  ", ""),
            (draw.one_line(problem.reason), "dim"),
        ),
        ((f" {whose} ", "faint"),) if whose else (),
        value=Fault(home, problem),
    )


def _told_problem(fault: Fault, cells: int) -> list[list[Piece]]:
    home, problem = fault.home, fault.problem
    where = f"{problem.path}:{problem.line}" if problem.line else problem.path
    return [
        *wrapped([("✗ ", "bad"), (draw.one_line(where), "bold")], cells, hang=2),
        [],
        *wrapped([(draw.one_line(problem.reason), "")], cells),
        [],
        *wrapped(
            [(_("The rest of the home is shown; so is what could be read of this file."), "dim")], cells
        ),
        *wrapped([(_("enter shows the file · o opens it in your editor"), "dim")], cells),
        [],
        *wrapped([(draw.one_line(f"{home.label} ({home.layout})"), "faint")], cells),
    ]


def _told_home(status: HomeStatus, cells: int) -> list[list[Piece]]:
    way, reason = _watched(status)
    rows: list[tuple[str, Any]] = [
        (_("layout"), status.home.layout),
        (_("because"), status.home.reason),
        (_("path"), str(status.home.path)),
        (_("project"), status.home.project),
        (_("files"), f"{status.files:,}"),
        (_("memories"), f"{status.memories:,}"),
        (_("searched by"), status.backend),
        (_("fresh"), _fresh(status)),
        (_("watcher"), f"{way}: {reason}" if reason else way),
        (_("index"), status.index_path),
        (_("its size"), size(status.index_bytes) if status.index_bytes else ""),
        (_("writable"), _("yes") if status.home.writable else _("no")),
    ]
    lines: list[list[Piece]] = []
    if status.building:
        far = _("indexing {done:,} of {total:,} files").format(done=status.indexed, total=status.total)
        lines.append([(far if status.total else _("indexing …"), "warn")])
    if status.warning:
        lines += wrapped([("⚠ ", "warn"), (draw.one_line(status.warning), "warn")], cells, hang=2)
    for label, text in rows:
        if text:
            name = draw.pad(label, 12)
            lines += wrapped([(name, "dim"), (draw.one_line(str(text)), "")], cells, hang=12)
    if status.problems:
        lines += [[], rule(_("not understood"), cells)]
        for problem in status.problems[:50]:
            where = draw.one_line(f"{problem.path}:{problem.line}" if problem.line else problem.path)
            lines += wrapped(
                [("✗ ", "bad"), (where, ""), (f"  {draw.one_line(problem.reason)}", "dim")], cells, hang=2
            )
    return lines


def _fresh(status: HomeStatus) -> str:
    if status.away:
        return _("not there")
    if status.fresh_at is None:
        return _("not compared with the disk yet")
    return _("{age} ago").format(age=clock.ago(status.fresh_at) or "0s")


def versions() -> list[tuple[str, str]]:
    """What memtui runs with."""
    from importlib.metadata import PackageNotFoundError, version

    import apsw

    found = [("memtui", __version__), ("SQLite", apsw.sqlite_lib_version())]
    for name in ("textual", "watchdog"):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            found.append((name, _("not installed")))
    return [
        *found,
        ("Python", platform.python_version()),
        (_("system"), f"{platform.system()} {platform.release()}"),
    ]
