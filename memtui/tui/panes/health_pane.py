"""6 Health: which homes are open and how fresh they are, what could not be read and why, what wants looking after.

First the findings as rows, each with its place and the verb that mends it; then the view.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual.content import Content

from memtui.agents.install.wiring import Installation
from memtui.core.locale import _, _n, translate_parts
from memtui.core.model import HomeStatus
from memtui.layouts import name_layout
from memtui.review import checkup
from memtui.review.checkup import FINDING_WORDS, check_homes
from memtui.sessions.jobs import Job
from memtui.team.membership import Freshness, list_freshness
from memtui.tui import draw, faults, home_status, paint
from memtui.tui.context import ActionClicked
from memtui.tui.detail import Detail
from memtui.tui.home_status import (
    draw_home_detail,
    draw_team_detail,
    draw_team_row,
    list_home_rows,
    list_versions,
    load_home_statuses,
)
from memtui.tui.panes.pane import Pane
from memtui.tui.prose import draw_prose, wrap_pieces
from memtui.tui.row_list import Fixed, Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from memtui.core.model import Home, Memory, Problem
    from memtui.store.candidates import Finding
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.mutations import Hand

MOST = 500
"""Findings that are listed."""


class FindingRow(NamedTuple):
    """A finding, with the memory that the verbs work on, where it is about one."""

    of: Finding
    memory: Memory | None


def read(context: PaneContext) -> list[FindingRow]:
    """Everything that was found, on a reader's thread."""
    vault, analyst = context.vault, context.analyst
    known = analyst.load_queue(context.homes)
    found = check_homes(
        vault, context.homes, known.queue.waiting if known is not None else (), analyst.load_chains(context.homes) or ()
    )
    return [FindingRow(item, vault.memory(item.memory) if item.memory else None) for item in found[:MOST]]


def load_findings(context: PaneContext) -> list[FindingRow]:
    """What is found at once, on a reader's thread."""
    return [FindingRow(item, None) for item in checkup.check_quickly(context.vault, context.homes)[:MOST]]


def list_finding_rows(found: list[FindingRow] | None, context: PaneContext, *, whole: bool = True) -> list[Fixed]:
    """A head, then a row each; None: it is still being looked for. Not `whole`: more is."""
    number = f"{len(found):,}" if found else ""
    title = ((" " + _("Needs attention"), "head"),)
    out = [Fixed(("head", "findings"), title, ((f" {number} ", "dim"),), rest=False)]
    if found is None or not (found or whole):
        told = (_("looking …"), "dim")
    elif not whole:
        told = (_("still comparing memories: duplicates, contradictions, chains …"), "dim")
    else:
        told = ("", "") if found else (_("All good."), "ok")
    note = [Fixed(("note", "findings"), (("   ", ""), told), rest=False)] if told[0] else []
    several = len(context.labels) > 1
    for item in found or ():
        home = context.home(item.of.home)
        whose = context.name(home) if several and home is not None else ""
        sign = ("⚠", "bad") if item.of.serious else ("◐", "warn")
        out.append(
            Fixed(
                ("finding", *item.of[:4], item.of.text[:80]),
                ((f" {sign[0]} ", sign[1]), (draw.pad(_(FINDING_WORDS.get(item.of.what, item.of.what)), 12), "dim"),
                 (paint.strip_line(draw.clip_to_line(item.of.text)), "")),
                ((f" {whose} ", "faint"),) if whose else (),
                value=item,
            )
        )  # fmt: skip
    return out + note


def draw_finding_detail(item: FindingRow, cells: int) -> list[list[Piece]]:
    """What is wrong, where, and what mends it."""
    finding = item.of
    where = draw.clip_to_line(f"{finding.path}:{finding.line}" if finding.line else finding.path)
    lines = wrap_pieces(
        [("⚠ " if finding.serious else "◐ ", "warn"), (draw.clip_to_line(finding.text), "bold")], cells, hang=2
    )
    if where:
        lines += [[], *wrap_pieces([(where, "dim")], cells)]
    if item.memory is not None:
        lines += [[], *draw_prose(item.memory.text, cells)]
    lines += [[], *wrap_pieces([("→ ", "accent"), (draw.clip_to_line(finding.remedy), "accent")], cells, hang=2)]
    keys = [_("enter shows it in Review") if finding.candidate else _("enter shows where it stands") if where else ""]
    if finding.what == "trash":
        keys = [_("enter shows the trash: u there brings it back")]
    elif item.memory is not None:
        keys += [_("x dismisses it")] * bool(finding.dismissed_as)
        keys.append(_("e s d D do here what they do in a list"))
    return [*lines, [], *wrap_pieces([(" · ".join(filter(None, keys)), "faint")], cells)]


PROBLEMS = 2000
"""Unparsed files that are listed."""


@dataclass(frozen=True, slots=True)
class ParseFault:
    """A file that was not understood, in its home."""

    home: Home
    problem: Problem


class HealthView(Pane):
    """Homes, problems, versions: rows on the left, what they mean on the right."""

    view: ClassVar[str] = "health"
    title: ClassVar[str] = "Health"
    main_list: ClassVar[str] = "#checks"

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._found: list[FindingRow] | None = None
        self._whole = False
        """Whether what was found is all there is to find."""
        self._versions: list[tuple[str, str]] = []
        self._serving: home_status.Serving | None = None
        self._again = True
        """Whether what is installed is to be looked for again: it is whenever this view is opened."""
        self._statuses: list[HomeStatus] | None = None
        self._teams: list[Freshness] = []

    def compose(self) -> ComposeResult:
        """List and detail."""
        rows = Rows(lambda _item, _brush: [], self.context.look, id="checks")
        rows.border_title = Content(_("Health"))
        rows.empty = ((_("asking how the homes stand …"), "dim"),)
        yield rows
        yield Detail(self.context.look, id="detail")

    def refresh_view(self, *, patience: float = 0.0) -> None:
        """Freshness moves on by itself: ask every time."""
        self._again = True
        self.reload(patience=patience)
        self._check()

    def _check(self) -> None:
        """What wants looking after, when anything has changed since it was last looked for."""
        stamp = self.context.stamp
        if stamp == self._stamp:
            return
        self._stamp = stamp

        def job(_cancelled: Callable[[], bool]) -> tuple[list[FindingRow], bool]:
            # Asked first: what is finished while the rest is read may be missing from it.
            whole = self.context.waiting.is_whole or not self.context.analyst.apart
            if self._found is None:
                early = load_findings(self.context)
                self.context.reader.later(lambda: show_early(early))
            return read(self.context), whole

        def show_early(found: list[FindingRow]) -> None:
            if self._found is None:
                self._found = found
                self._show()

        def show(found: tuple[list[FindingRow], bool]) -> None:
            # Until memories were compared, nothing that was found is all there is.
            self._found, self._whole = found
            self._show()

        self.context.reader.ask((self.view, "check"), job, show, key=self.context.serial, behind=True)

    def show_analysis(self) -> None:
        self._stamp = None
        self._check()

    def tick(self) -> None:
        """How fresh the homes are; and what is still to be found."""
        self.reload()
        if not self._whole and self.context.waiting.is_whole:
            self.show_analysis()

    def reload(self, *, patience: float = 0.0) -> None:
        """Ask how each home stands, then who is served: each is shown as soon as it is known."""
        vault, known = self.context.vault, self._versions
        before = None if self._again else self._serving

        def show(found: tuple[list[HomeStatus], list[Freshness], list[tuple[str, str]]]) -> None:
            self._statuses, self._teams, self._versions = found
            self._show()

        def show_serving(found: home_status.Serving) -> None:
            self._serving, self._again = found, False
            self._show()

        reader = self.context.reader
        reader.ask(
            (self.view, "status"),
            lambda _c: (
                load_home_statuses(vault),
                list_freshness() if vault.follows_teams else [],
                known or list_versions(),
            ),
            show,
            key="",
            patience=patience,
        )
        reader.ask((self.view, "serving"), lambda _c: home_status.read(before), show_serving, key=before is None)

    def _show(self) -> None:
        found = self._statuses
        if not self.is_mounted or found is None:
            return
        rows: list[Fixed] = [_make_head("homes", _("Homes"), str(len(found)))]
        rows += list_home_rows(found)
        if not found:
            rows.append(_note("none", _("No home is open: 0 offers ways to begin."), "warn"))
        if self._teams:
            rows += [_blank("t"), _make_head("teams", _("Teams"), str(len(self._teams)))]
            rows += map(draw_team_row, self._teams)
        problems = [(status.home, problem) for status in found for problem in status.problems]
        files = sum(status.unparsed for status in found)
        number = _n("{count} file", "{count} files", files) if files else ""
        rows += faults.list_fault_rows(self.context.faults.found if self.context.faults is not None else [])
        rows += [_blank("p"), _make_head("problems", _("Parse errors"), number)]
        several = len(found) > 1
        rows += [
            _make_problem_row(home, problem, self.context.name(home) if several else "")
            for home, problem in problems[:PROBLEMS]
        ]
        if not problems:
            rows.append(_note("fine", _("None."), "ok"))
        elif len(problems) > PROBLEMS:
            more = _("… and {count:,} more").format(count=len(problems) - PROBLEMS)
            rows.append(_note("more", more, "dim"))
        rows += [_blank("a"), *home_status.list_serving_rows(self._serving)]
        rows += [_blank("c"), *list_finding_rows(self._found, self.context, whole=self._whole)]
        rows += [_blank("v"), _make_head("versions", _("Versions"))]
        rows += [
            Fixed(("version", name), ((f"   {draw.pad(name, 12)}", "dim"), (version, "")))
            for name, version in self._versions
        ]
        self.query_one("#checks", Rows).show(rows)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Say what the row under the cursor means."""
        event.stop()
        self.post_message(ActionClicked("place"))
        detail, item = self.detail(), event.item
        if detail is None or not isinstance(item, Fixed):
            return
        value = item.value
        if value is None:
            detail.show(lambda _cells: [], key=item.key)
        elif isinstance(value, FindingRow):
            detail.show(lambda cells: draw_finding_detail(value, cells), key=item.key, title=value.of.path)
        elif isinstance(value, ParseFault):
            detail.show(lambda cells: _draw_problem(value, cells), key=item.key, title=value.problem.path)
        elif isinstance(value, faults.Fault):
            detail.show(lambda cells: faults.draw_fault_detail(value, cells), key=item.key, title=value.kind)
        elif isinstance(value, Freshness):
            detail.show(lambda cells: draw_team_detail(value, cells), key=item.key, title=value.member.team)
        elif isinstance(value, HomeStatus):
            detail.show(lambda cells: draw_home_detail(value, cells), key=item.key, title=value.home.label)
        else:
            detail.show(
                lambda cells: home_status.draw_serving_detail(value, cells),
                key=item.key,
                title=home_status.label_serving_row(value),
            )

    def memory(self) -> Memory | None:
        """The memory that the finding under the cursor is about."""
        found = self._find_row()
        return found.memory if found is not None else None

    def _find_row(self) -> FindingRow | None:
        item = self.query_one("#checks", Rows).current
        return item.value if isinstance(item, Fixed) and isinstance(item.value, FindingRow) else None

    def why_not(self, verb: str) -> str | None:
        """Nothing is written here that was not found here."""
        if verb == "reject":
            found = self._find_row()
            dismissible = found is not None and found.memory is not None and found.of.dismissed_as
            return "" if dismissible else "Only a memory that reads like an order is dismissed: others are mended."
        return "Nothing new is written here: 1 to 3 have a place for it." if verb == "new" else None

    def write(self, verb: str, hand: Hand) -> bool:
        """Dismiss the finding under the cursor."""
        found = self._find_row()
        if verb != "reject":
            return False
        if found is not None and found.memory is not None:
            finding, memory = found.of, found.memory
            self._found = [row for row in self._found or () if row.of.dismissed_as != finding.dismissed_as]
            self._show()
            hand.write(
                lambda: checkup.reject_finding(hand.vault, finding, memory),
                then=self.show_analysis,
                failed=self.show_analysis,
            )
        return True

    def stage(self) -> object:
        """A finding has verbs where it is about a memory."""
        return self._find_row() is not None

    def enter(self) -> bool:
        """An agent without its hooks is given them, once somebody has seen what would be written."""
        item = self.query_one("#checks", Rows).current
        value = item.value if isinstance(item, Fixed) else None
        lacks = isinstance(value, Installation) and value.state != "complete"
        if lacks:
            self.post_message(ActionClicked("agents.install"))
        return lacks

    def opens(self) -> str:
        """A home opens alone; what is decided in Review is opened there; the trash is a part of the history."""
        found = self._find_row()
        if found is None:
            item = self.query_one("#checks", Rows).current
            status = item.value if isinstance(item, Fixed) else None
            return f"only:{status.home.path}" if isinstance(status, HomeStatus) and not status.away else ""
        if found.of.candidate:
            self.context.waiting.wanted = found.of.candidate
            return "review"
        return "trash" if found.of.what == "trash" else ""

    def origin(self) -> tuple[str, int] | None:
        """The session that a job is about."""
        item = self.query_one("#checks", Rows).current
        job = item.value if isinstance(item, Fixed) else None
        return (job.session.id, 0) if isinstance(job, Job) else None

    def source(self) -> tuple[str, str, int] | None:
        """The unparsed file under the cursor."""
        item = self.query_one("#checks", Rows).current
        if not isinstance(item, Fixed):
            return None
        if isinstance(item.value, FindingRow):
            finding = item.value.of
            return (finding.home, finding.path, finding.line or 1) if finding.path else None
        if not isinstance(item.value, ParseFault):
            return None
        home, problem = item.value.home, item.value.problem
        return str(home.path), problem.path, problem.line or 1


def _make_head(key: str, title: str, number: str = "") -> Fixed:
    return Fixed(("head", key), ((f" {title}", "head"),), ((f" {number} ", "dim"),), rest=False)


def _blank(key: str) -> Fixed:
    return Fixed(("blank", key), (), rest=False)


def _note(key: str, words: str, style: str) -> Fixed:
    return Fixed(("note", key), ((f"   {words}", style),), rest=False)


def _make_problem_row(home: Home, problem: Problem, whose: str) -> Fixed:
    where = f"{problem.path}:{problem.line}" if problem.line else problem.path
    return Fixed(
        ("problem", str(home.path), problem.path, problem.line, problem.reason),
        (
            (" ✗ ", "bad"),
            (draw.cut(draw.clip_to_line(where), 40) + "  ", ""),
            (draw.clip_to_line(translate_parts(problem.reason)), "dim"),
        ),
        ((f" {whose} ", "faint"),) if whose else (),
        value=ParseFault(home, problem),
    )


def _draw_problem(fault: ParseFault, cells: int) -> list[list[Piece]]:
    home, problem = fault.home, fault.problem
    where = f"{problem.path}:{problem.line}" if problem.line else problem.path
    return [
        *wrap_pieces([("✗ ", "bad"), (draw.clip_to_line(where), "bold")], cells, hang=2),
        [],
        *wrap_pieces([(draw.clip_to_line(translate_parts(problem.reason)), "")], cells),
        [],
        *wrap_pieces([(_("The rest of the home is shown; so is what could be read of this file."), "dim")], cells),
        *wrap_pieces([(_("enter shows the file · there E opens it in your editor"), "dim")], cells),
        [],
        *wrap_pieces([(draw.clip_to_line(f"{home.label} ({name_layout(home.layout)})"), "faint")], cells),
    ]
