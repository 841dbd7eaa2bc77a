"""The history of a file or of one memory, step by step: each step with its difference, and who wrote each line.

`←` and `→` go to the state before and after. Lines that a step brought are marked +, those that it took away stand
struck where they were; the gutter names the author of every other line. Enter goes to the step that wrote the line
under the cursor, `O` to the session that it was written in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.containers import Vertical
from textual.content import Content

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import Filter
from memtui.store.happenings import match_path_exactly
from memtui.store.history import (
    VersionHistory,
    compare_lines,
    find_line_authors,
    find_line_session,
    follow_lines,
    load_versions,
)
from memtui.tui import draw
from memtui.tui.actions import ACTIONS, make_bindings
from memtui.tui.detail import Detail
from memtui.tui.prose import format_moment, wrap_pieces
from memtui.tui.row_list import Rows
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from memtui.core.model import Memory
    from memtui.store.history import Version
    from memtui.tui.draw import Piece
    from memtui.tui.row_list import Brush

_MORE = {"tree.fold", "tree.unfold", "session.open", "copy.text", "pane.zoom"}

GUTTER = 22
"""Cells for who wrote a line, and when."""
STEPS = 40
"""Steps of which the strip shows one glyph each."""


class TimeLine(NamedTuple):
    """One line of a state, or one that the step took away."""

    key: tuple[str, int]
    sign: str
    """'+' it came, '-' it went, ' ' it stood there before."""
    number: int
    """Counted from 1; 0 for one that went."""
    text: str
    author: int
    """The index of the version that wrote it."""


class TimeReading(NamedTuple):
    """All that is read for it."""

    found: VersionHistory
    memories: tuple[Memory, ...]
    """What stands in the file now: memories name sessions."""
    steps: tuple[tuple[int, int, int], ...]
    """(version, first line, last line) of each step that one is led through."""


class TimeSheet(Sheet[None]):
    """One file's states; with `first` and `last` those in which these lines of it were written or changed."""

    AUTO_FOCUS = "#lines"
    BINDINGS: ClassVar[list[BindingType]] = [*make_bindings(action for action in ACTIONS if action.id in _MORE)]
    KEYS: ClassVar[dict[str, str]] = {
        "tree.fold": "older",
        "tree.unfold": "newer",
        "item.open": "step of this line",
        "session.open": "session",
        "pane.zoom": "entry or whole file",
        "copy.text": "copy line",
        "app.back": "close",
    }

    def __init__(self, home: str, path: str, first: int = 0, last: int = 0) -> None:
        super().__init__()
        self.home, self.path, self._first, self._last = home, path, first, last
        self._whole = not first
        self._read: TimeReading | None = None
        self._step = 0
        self._owners: dict[int, list[int]] = {}

    def compose(self) -> ComposeResult:
        """What the step was, then the lines."""
        look = self.main.context.look
        with Vertical(classes="sheet wide time"):
            yield Detail(look, id="step")
            rows = Rows(self._paint, look, id="lines")
            rows.empty = ((_("reading …"), "dim"),)
            yield rows

    def on_mount(self) -> None:
        """Read the states behind the screen's back."""
        self._ask()

    def _ask(self) -> None:
        vault = self.main.context.vault
        home, path = self.home, self.path

        def job(cancelled: Callable[[], bool]) -> TimeReading:
            """The states, and what stands in the file now."""
            found = load_versions(vault, home, path, cancelled)
            within = Filter(homes=frozenset({home}), path=match_path_exactly(path), statuses=frozenset())
            there = [one for one in vault.load(vault.ids(within, "path")) if one is not None]
            memories = tuple(one for one in there if one.path == path)
            steps: list[tuple[int, int, int]] = []
            if not self._whole:
                steps = follow_lines(found.versions, self._first, self._last)
            return TimeReading(found, memories, tuple(steps or ((n, 1, 0) for n in range(len(found.versions)))))

        self.main.reader.ask("time", job, self._take)

    def _take(self, found: TimeReading) -> None:
        if not self.stands:
            return
        self._read = found
        self._owners.clear()
        self._step = len(found.steps) - 1
        self._show()

    # -- showing ------------------------------------------------------------------------------------------------

    @property
    def version(self) -> Version | None:
        """The state that is shown."""
        found = self._read
        return found.found.versions[found.steps[self._step][0]] if found and found.steps else None

    def _show(self, at: int | None = None) -> None:
        rows, found = self.query_one(Rows), self._read
        name = draw.clip_to_line(self.path)
        version = self.version
        if found is None or version is None:
            rows.border_title = Content(name)
            missing = found.found.missing if found is not None else ""
            rows.empty = ((missing or _("Nothing is known of how it came to be."), "dim"),)
            rows.show([])
            return
        index, first, last = found.steps[self._step]
        before = found.found.versions[index - 1].lines if index else ()
        lines = self._list_lines(index)
        step = _("step {n:,} of {all:,}").format(n=self._step + 1, all=len(found.steps))
        what = name if self._whole or not last else f"{name}:{first}"
        rows.border_title = Content(f"{what} · {step}")
        if at is None:
            at = next(
                (n for n, line in enumerate(lines) if line.sign != " " and self._is_within(line, first, last)), None
            )
        if at is None:
            at = next((n for n, line in enumerate(lines) if line.number >= max(1, first)), 0)
        rows.held = None
        rows.show(lines, at=at)
        # What is asked about is seen whole, and not by its first line at the lower edge.
        below = self.size.height // 3 if self._whole or not last else last - first
        self.call_after_refresh(rows.reveal_below, below)
        added = sum(line.sign == "+" for line in lines)
        gone = sum(line.sign == "-" for line in lines)
        detail = self.query_one("#step", Detail)
        told = self._tell_step(version, added, gone, first_known=not before)
        detail.styles.height = min(6, 2 + len(told(max(20, self.app.size.width - 8))))
        detail.show(told, key=index, title=self._draw_strip())

    @staticmethod
    def _is_within(line: TimeLine, first: int, last: int) -> bool:
        return not last or (first <= line.number <= last)

    def _list_lines(self, index: int) -> list[TimeLine]:
        """The lines of a version, those of the one before that it took away in their places."""
        assert self._read is not None
        versions = self._read.found.versions
        if index not in self._owners:
            self._owners[index] = find_line_authors(versions, index)
        owners = self._owners[index]
        new = versions[index].lines
        old = versions[index - 1].lines if index else ()
        lines: list[TimeLine] = []
        for tag, low, high, first, last in compare_lines(old, new):
            if tag != "equal":
                lines += [TimeLine(("-", n), "-", 0, old[n], index) for n in range(low, high)]
            sign = " " if tag == "equal" else "+"
            lines += [TimeLine(("+", n), sign, n + 1, new[n], owners[n]) for n in range(first, last)]
        return lines

    def _tell_step(
        self, version: Version, added: int, gone: int, *, first_known: bool
    ) -> Callable[[int], list[list[Piece]]]:
        missing = self._read.found.missing if self._read is not None and first_known else ""

        def lines(cells: int) -> list[list[Piece]]:
            """When, who, how much, and what the write or the commit says of itself."""
            head: list[Piece] = [(f"{format_moment(version.time)}  ", "dim"), (_name_author(version), "bold")]
            head += [("  ", ""), (f"+{added}", "ok"), (" ", ""), (f"−{gone}", "bad")]
            known = {"git": f"git {version.ref[:10]}", "journal": _("journal")}.get(version.source, "")
            made = wrap_pieces([*head, (f"  {known}", "faint")], cells)
            made += wrap_pieces([(draw.clip_to_line(version.what), "")], cells)
            if version.session:
                words = _("probably in session {id}") if version.guessed else _("in session {id}")
                made += wrap_pieces([(words.format(id=draw.clip_to_line(version.session)), "kind.session")], cells)
            if missing:
                made += wrap_pieces([(missing, "warn")], cells)
            return made

        return lines

    def _draw_strip(self) -> str:
        """One glyph a step, the one that is shown as a block: ··•·"""
        assert self._read is not None
        count = len(self._read.steps)
        begin = max(0, min(self._step - STEPS // 2, count - STEPS))
        shown = range(begin, min(count, begin + STEPS))
        strip = "".join("◆" if n == self._step else "·" for n in shown)
        return f"{'…' if begin else ''}{strip}{'…' if shown and shown[-1] < count - 1 else ''}"

    def _paint(self, item: Any, brush: Brush) -> list[list[Piece]]:
        assert self._read is not None
        above = brush.above
        who = self._tell_author(item)
        if isinstance(above, TimeLine) and above.sign == item.sign and self._tell_author(above) == who:
            who = ""
        style = {"+": "ok", "-": "struck"}.get(item.sign, "")
        number = f"{item.number:>4}" if item.number else "    "
        wide = GUTTER if brush.width >= 90 else GUTTER * 2 // 3
        gutter: list[Piece] = [(" " + draw.pad(who, wide), "dim"), (number + " ", "faint")]
        left = gutter if brush.width >= 60 else [(number + " ", "faint")]
        text = draw.clip_to_line(item.text.expandtabs(2)) if item.text.strip() else ""
        indent = " " * min(8, len(item.text) - len(item.text.lstrip()))
        return [draw.fit_row(left, [(f"{item.sign} ", style or "dim"), (indent + text, style)], (), brush.width)]

    def _tell_author(self, item: TimeLine) -> str:
        """Who wrote a line, and how long ago: of what nobody wrote down, what the memory itself says."""
        assert self._read is not None
        version = self._read.found.versions[item.author]
        time, name = version.time, _name_author(version)
        memory = self._find_memory(item)
        if memory is not None and version.source != "journal":
            time = memory.created or time
            session = find_line_session(memory, item.number)
            name = _("session {id}").format(id=draw.clip_to_line(session)[:8]) if session else name
        age = clock.format_age(time) if time else ""
        return f"{draw.cut(name, GUTTER - len(age) - 2)} {age}"

    def _find_memory(self, item: TimeLine) -> Memory | None:
        """What stands on that line, where the state is the file as it is now."""
        found = self._read
        if found is None or item.sign == "-" or found.steps[self._step][0] != len(found.found.versions) - 1:
            return None
        return next((one for one in found.memories if one.start <= item.number <= max(one.end, one.reach)), None)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The frame says who wrote the line under the cursor, and where."""
        event.stop()
        item, found = event.item, self._read
        if not isinstance(item, TimeLine) or found is None:
            event.rows.border_subtitle = Content("")
            return
        version = found.found.versions[item.author]
        told = [_name_author(version), clock.format_day(version.time) if version.time else ""]
        if session := self._find_session(item):
            told.append(_("session {id}").format(id=draw.clip_to_line(session)[:12]))
        event.rows.border_subtitle = Content(" · ".join(filter(None, told)))

    def _find_session(self, item: TimeLine) -> str:
        """The session that a line was written in: by the memory that stands there, else by the step."""
        assert self._read is not None
        memory = self._find_memory(item)
        named = find_line_session(memory, item.number) if memory is not None else ""
        return named or self._read.found.versions[item.author].session

    # -- keys ---------------------------------------------------------------------------------------------------

    def act(self, id: str) -> None:
        """Older, newer, the session of the line, one entry or the whole file."""
        item = self.query_one(Rows).current
        if id in {"tree.fold", "tree.unfold"}:
            self._go(-1 if id == "tree.fold" else 1)
        elif id == "session.open" and isinstance(item, TimeLine):
            if session := self._find_session(item):
                self.main.windows.open_session(session)
            else:
                self._say(_("No session is known that wrote this line."))
        elif id == "copy.text" and isinstance(item, TimeLine):
            self.main.desk.copy(item.text, _("line"))
            self._say(_("copied {what}").format(what=_("line")))
        elif id == "pane.zoom" and self._first:
            self._whole = not self._whole
            self._ask()
        else:
            super().act(id)

    def _go(self, by: int) -> None:
        found = self._read
        if found is None or not 0 <= self._step + by < len(found.steps):
            missing = found.found.missing if found is not None else ""
            first = missing or _("No earlier step is known.")
            self._say(first if by < 0 else _("This is the latest step."))
            return
        self._step += by
        self._show()

    def open_item(self) -> None:
        """Enter: the step that wrote the line under the cursor."""
        item, found = self.query_one(Rows).current, self._read
        if not isinstance(item, TimeLine) or found is None:
            return
        at = next((n for n, step in enumerate(found.steps) if step[0] == item.author), None)
        if at is None:
            self._say(_("That step is in the whole file's history: z shows it."))
        elif at != self._step:
            self._step = at
            self._show()
            rows = self.query_one(Rows)
            place = next((n for n, line in enumerate(rows.items) if line.sign == "+" and line.text == item.text), None)
            if place is not None:
                rows.go(place)

    def _say(self, sentence: str) -> None:
        self.query_one(Rows).border_subtitle = Content(draw.clip_to_line(sentence))


def _name_author(version: Version) -> str:
    if version.who:
        return draw.clip_to_line(_(version.who))
    return _("unknown")
