"""A session's page: its summary, what was learned in it, and its transcript turn by turn, with find.

It opens from a memory of the session or by its id; what takes long to read follows when the page is open. Rows
on the left, the whole of what is under the cursor on the right, or below where there is no room.
"""

from __future__ import annotations

import os
import shutil
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.containers import Container
from textual.content import Content

from memtui.core import clock
from memtui.core.errors import RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import Memory, Turn
from memtui.safety.sanitize import sanitize_text
from memtui.sessions.capture import ResumePlan, SessionPage, find_session_memory, gather_page, plan_resume
from memtui.store.session_ids import list_session_names
from memtui.tui import candidate_rows, draw, editing, paint
from memtui.tui.candidate_rows import CandidateRow, Upshot
from memtui.tui.detail import Detail
from memtui.tui.prose import draw_plain, draw_prose, wrap_pieces
from memtui.tui.row_list import Fixed, Rows
from memtui.tui.viewer import Page

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from textual.widget import Widget

    from memtui.core.model import Transcript
    from memtui.store.candidates import Candidate
    from memtui.store.vault import Vault
    from memtui.tui.draw import Look, Piece
    from memtui.tui.row_list import Brush
    from memtui.tui.screen import MainScreen

FOLDED = 4
"""Steps of tools in a row from which on they are one row: two calls with their answers."""

AT_ONCE = 2 << 20
"""Bytes of a transcript that is read before its page opens."""


class ToolRun(NamedTuple):
    """Calls of tools and their answers with nothing said between them, as one row."""

    key: tuple[str, int]
    turns: tuple[Turn, ...]
    open: bool
    """They stand below it, a row each."""

    @property
    def told(self) -> str:
        """Bash ×3, Read ×2 · 1 failed"""
        calls = Counter(turn.tool for turn in self.turns if turn.role != "tool")
        calls = calls or Counter(turn.tool for turn in self.turns)
        names = ", ".join(
            f"{draw.clip_to_line(name)} ×{number}" if number > 1 else draw.clip_to_line(name)
            for name, number in calls.most_common(6)
        )
        failed = sum(turn.failed for turn in self.turns)
        return f"{names} · {_n('{count} failed', '{count} failed', failed)}" if failed else names


def fold_tools(turns: Sequence[Turn], unfolded: Collection[int]) -> list[Any]:
    """The turns, those of tools in a row as one: folded, unless the line of the first is among the `unfolded`."""
    rows: list[Any] = []
    for tools, found in groupby(turns, key=lambda turn: bool(turn.tool)):
        some = tuple(found)
        if not tools or len(some) < FOLDED:
            rows += some
            continue
        run = ToolRun(("tools", some[0].line), some, some[0].line in unfolded)
        rows += [run, *(some if run.open else ())]
    return rows


class SessionReading(NamedTuple):
    """A session as it is read for its page."""

    page: SessionPage
    transcript: Transcript | None
    proposed: tuple[CandidateRow, ...] = ()
    """What waits in Review and comes from it."""
    reading: bool = False
    """Its transcript is long, and still to be read."""

    @property
    def source(self) -> Memory:
        """What its turns are read from."""
        return self.page.transcript or self.page.head


def load_session_page(
    vault: Vault,
    memory: Memory,
    before: SessionReading | None = None,
    waiting: Iterable[Candidate] = (),
    *,
    at_once: bool = False,
) -> SessionReading:
    """All that is known of a memory's session, now; a transcript that has not changed `before` is not read again.

    `at_once`: a long one is left for later.
    """
    page = gather_page(vault, memory)
    own = {name for one in (page.id, page.head.session) for name in list_session_names(one)}
    rows = tuple(
        CandidateRow(candidate)
        for candidate in waiting
        if any(not own.isdisjoint(list_session_names(source.session)) for source in candidate.sources)
    )
    found = SessionReading(page, None, rows)
    if at_once and _measure_file(found.source) > AT_ONCE:
        return found._replace(reading=True)
    if before is not None and not before.reading and _stamp(before.source) == _stamp(found.source):
        return found._replace(transcript=before.transcript)
    return found._replace(transcript=vault.turns(found.source))


def _stamp(source: Memory) -> tuple[str, str, float | None]:
    return source.path, source.etag, source.modified


def _measure_file(source: Memory) -> int:
    try:
        return os.path.getsize(os.path.join(source.home, source.path))
    except OSError:
        return 0


def open_memory_session(screen: MainScreen, memory: Memory) -> None:
    """Its session's page, or its file where nothing more is known of the session."""

    def otherwise(_said: str) -> None:
        screen.windows.open_file(memory.home, memory.path, memory.start)

    _open(screen, lambda: memory, 0, otherwise)


def open_session_by_id(screen: MainScreen, session: str, line: int = 0) -> None:
    """The page of the session with that id, at a line of its transcript (0: at its beginning)."""
    vault = screen.context.vault

    def otherwise(said: str) -> None:
        screen.say(said or _explain_nowhere(session))

    _open(screen, lambda: find_session_memory(vault, session), line, otherwise, lambda: _explain_lost(vault, session))


def _explain_lost(vault: Vault, session: str) -> str:
    """Where its summary went, as far as anybody knows."""
    for record in vault.trash():
        if any(session in done.path for done in record.changes):
            said = _("The summary of session {id} is in the trash: `memtui trash restore {write}` brings it back.")
            return said.format(id=draw.clip_to_line(session)[:8], write=record.id)
    return _explain_nowhere(session)


def _explain_nowhere(session: str) -> str:
    said = _("No open home has a summary or a transcript of session {id}.")
    return said.format(id=draw.clip_to_line(session))


def _open(
    screen: MainScreen,
    memory: Callable[[], Memory | None],
    line: int,
    otherwise: Callable[[str], None],
    why: Callable[[], str] = str,
) -> None:
    """Its page, or `otherwise` with what `why` says, which is asked on the reader's thread, too."""
    screen.say(_("reading the session …"))
    waiting = screen.context.waiting.candidates

    def job(_cancelled: Callable[[], bool]) -> SessionReading | str:
        found = memory()
        return why() if found is None else load_session_page(screen.context.vault, found, None, waiting, at_once=True)

    def done(found: SessionReading | str) -> None:
        screen.say("")
        if isinstance(found, str):
            otherwise(found)
        elif not (list_page_rows(found) or found.transcript is not None or found.reading):
            otherwise("")
        elif is_wanted():
            screen.app.push_screen(SessionSheet(found, screen.context.look, screen.pane.words, line))

    is_wanted = screen.watch_view()
    screen.reader.ask("open", job, done)


def resume_session(screen: MainScreen, session: Memory | str) -> None:
    """Its own agent on the session, in the session's directory; the command is shown before it is run."""
    vault = screen.context.vault

    def job(_cancelled: Callable[[], bool]) -> ResumePlan:
        """The command and its directory. Raises RefusedError."""
        memory = find_session_memory(vault, session) if isinstance(session, str) else session
        if memory is None:
            raise RefusedError(_explain_nowhere(str(session)))
        plan = plan_resume(vault, memory)
        if shutil.which(plan.command[0]) is None:
            raise RefusedError(_("{name} is not installed here: it is not on your PATH.").format(name=plan.command[0]))
        return plan

    def show(plan: ResumePlan) -> None:
        """Ask, with the whole command and its directory."""

        def run() -> None:
            failed = editing.run_in_terminal(screen, list(plan.command), plan.folder)
            screen.desk.refresh_now(sanitize_text(failed) or _("back from {name}").format(name=plan.command[0]))

        told = _("`{command}` in {folder}").format(command=" ".join(plan.command), folder=sanitize_text(plan.folder))
        screen.windows.ask(_("Resume this session"), told, _("resume"), run)

    screen.reader.ask("resume", job, show)


class SessionSheet(Page):
    """What is known of one session."""

    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual declares it
    KEYS: ClassVar[dict[str, str]] = {
        "item.open": "open",
        "view.next": "next prompt",
        "tree.unfold": "tool steps",
        "session.resume": "resume",
        **Page.KEYS,
        "copy.text": "copy",
    }

    def __init__(
        self, found: SessionReading, look: Callable[[], Look], words: tuple[str, ...] = (), line: int = 0
    ) -> None:
        """`line` of the transcript is where the cursor goes to; 0: to the first row."""
        super().__init__(found.page.head.home, found.page.head.path)
        self._told, self._look, self._line = found, look, line
        self._unfolded: set[int] = set()
        """First lines of the runs of tools that are shown step by step."""
        self._words = words

    def content(self) -> Iterable[Widget]:
        with Container(classes="sheet wide transcript"):
            yield Rows(self._paint_row, self._look, id="turns")
            yield Detail(self._look, id="turn")

    @property
    def rows(self) -> Rows:
        """The list."""
        return self.query_one("#turns", Rows)

    @property
    def detail(self) -> Detail:
        """The turn under the cursor."""
        return self.query_one("#turn", Detail)

    def first(self) -> Widget:
        return self.rows

    def here(self) -> tuple[int, str]:
        item = self.rows.current
        if isinstance(item, Turn):
            return item.line, item.text
        return (item.start, item.text) if isinstance(item, Memory) else (1, "")

    def name_place(self) -> tuple[str, ...]:
        """The session; where it has no name, its file."""
        session = self._told.page.id or self._told.page.head.session
        return ("session", session) if session else super().name_place()

    def on_mount(self) -> None:
        """All of it, and what could not be understood."""
        self.rows.words = self._words
        head = self._told.page.head
        self.rows.border_title = Content(draw.clip_to_line(head.title or self.path))
        self._show()
        self.rows.focus()
        if self._told.reading:
            self._ask()

    def _list(self) -> list[Any]:
        return list_page_rows(self._told, self._unfolded)

    def _show(self, at: int | None = None) -> None:
        found = self._told.transcript
        if self._line and found is not None:
            self._unfold_around(self._line)
        rows = self._list()
        nothing = _("reading …") if self._told.reading else _("Nobody said anything in this session.")
        self.rows.empty = ((nothing, "dim"),)
        if self._line and found is not None:
            # Where what led here was said: the last step that begins no later in the file.
            line, self._line = self._line, 0
            said = [n for n, row in enumerate(rows) if isinstance(row, Turn) and row.line <= line]
            at = said[-1] if said else at
        self.rows.show(rows, at=at)
        # A message of several parts is several of these, so they are no turns, and no lines either.
        told = [_n("{count} step", "{count} steps", len(found.turns))] if found is not None else []
        if self._told.reading:
            told.append(_("reading its transcript …"))
        elif found is None:
            told.append(_("its transcript is in no open home"))
        elif found.skipped:
            told.append(_n("{count} broken line", "{count} broken lines", found.skipped))
        if found is not None and found.truncated:
            told.append(_("cut: the file is longer than what was read"))
        self.rows.border_subtitle = Content(" · ".join(told))

    def _unfold_around(self, line: int) -> None:
        """What stands on that line of the transcript is to be seen."""
        turns = self._told.transcript.turns if self._told.transcript is not None else []
        runs = (row for row in fold_tools(turns, ()) if isinstance(row, ToolRun))
        self._unfolded |= {run.key[1] for run in runs if run.turns[0].line <= line <= run.turns[-1].line}

    def _paint_row(self, item: Any, brush: Brush) -> list[list[Piece]]:
        if isinstance(item, ToolRun):
            sign = "▾" if item.open else "▸"
            steps = _n("{count} tool step", "{count} tool steps", len(item.turns))
            failed: tuple[str, str] = ("✗ ", "bad") if any(turn.failed for turn in item.turns) else ("  ", "")
            told: list[Piece] = [(f" {sign}     ", "dim"), failed, (f"{steps}  ", "bold"), (item.told, "dim")]
            return [draw.fit_row((), told, (), brush.width)]
        if isinstance(item, Turn):
            return paint.turn(item, brush)
        if isinstance(item, CandidateRow) and item.candidate is not None:
            return candidate_rows.draw_candidate_row(item.candidate, brush)
        about = _describe_head(item) if item is self._told.page.head and self._told.page.parts else ""
        return paint.draw_memory_row(item, brush, about)

    # -- following ----------------------------------------------------------------------------------------------

    def read(self) -> SessionReading | None:
        """The session as it is now; None: nothing of it is left."""
        vault, before = self.main.context.vault, self._told
        waiting = self.main.context.waiting.candidates
        head = before.page.head
        now = vault.at(head.home, head.path, head.start)
        if now is not None and now.session == head.session:
            return load_session_page(vault, now, before, waiting)
        # Its summary is gone: what is left is read again, so that nothing is shown that is nowhere any more.
        found = load_session_page(vault, head, None, waiting)
        return None if found.transcript is None else found

    def follow(self, found: SessionReading | None) -> None:
        """The session as it is now; whoever was at the last step stays at the last one."""
        if found is None:
            self.rows.border_subtitle = Content(_("gone from the disk: this is what it was"))
            return
        last = bool(self.rows.cursor) and self.rows.cursor == len(self.rows.items) - 1 and not self._told.reading
        here = self.rows.current
        self._told = found
        rows = self._list()
        # Turns have no keys: the same one is looked for, from below, where more has come above it.
        at = None
        if isinstance(here, Turn):
            at = next((n for n in range(len(rows) - 1, -1, -1) if rows[n] == here), None)
        self._show(len(rows) - 1 if last else at)

    # -- what a person does -------------------------------------------------------------------------------------

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The whole of it beside the list."""
        event.stop()
        item = event.item
        source = item if isinstance(item, Memory) else self._told.source
        # What the editor, a link and a copied place are about.
        self.home, self.path = source.home, source.path
        self.detail.words = self._words
        if isinstance(item, Memory):
            self.detail.show_memory(item, None, self.main.context.home(item.home))
        elif isinstance(item, CandidateRow) and (one := item.candidate) is not None:
            self.detail.show(
                lambda cells: candidate_rows.draw_candidate_detail(one, Upshot(""), cells),
                key=item.id,
                title=_("waits in Review"),
            )
        elif isinstance(item, Turn):
            self._show_turn(item)
        elif isinstance(item, ToolRun):
            run = item
            self.detail.show(lambda cells: _draw_run(run, cells), key=item.key, title=item.told)
        else:
            self.detail.clear()

    def _show_turn(self, item: Turn) -> None:
        time = clock.convert_to_local(item.time).strftime("%Y-%m-%d %H:%M:%S") if item.time is not None else ""
        failed = _("failed") if item.failed else ""
        line = _("line {n:,}").format(n=item.line)
        title = " · ".join(part for part in (paint.name_speaker(item), time, failed, line) if part)

        def lines(cells: int) -> list[list[Piece]]:
            # What people and models say is Markdown; what tools are given and answer is not.
            return (draw_plain if item.tool else draw_prose)(item.text, cells, self._words)

        self.detail.show(lines, key=(item.line, item.role, item.text[:80]), title=title)

    def open_item(self) -> None:
        """Enter: a memory's file at its line, a proposal in Review; of a turn, the keys go to its text.

        Where the list has no text beside it, enter shows that first.
        """
        item = self.rows.current
        hidden = self.has_class("-tiny") and not self.has_class("-open")
        if isinstance(item, ToolRun):
            self._fold(not item.open)
        elif hidden or isinstance(item, Turn):
            self.add_class("-open")
            self.call_after_refresh(self.detail.focus)
        elif isinstance(item, Memory):
            self.main.windows.open_file(item.home, item.path, item.start)
        elif isinstance(item, CandidateRow):
            self.main.context.waiting.wanted = item.id
            self.dismiss(None)
            self.main.show("review")

    def act(self, id: str) -> None:
        """Back goes from a turn to the list first."""
        if id == "app.back" and self.detail.has_focus:
            self.remove_class("-open")
            self.call_after_refresh(self.rows.focus)
        elif id in {"tree.fold", "tree.unfold"}:
            self._fold(id == "tree.unfold")
        elif id == "session.resume":
            resume_session(self.main, self._told.page.head)
        elif id in {"view.prev", "view.next"}:
            self._leap(1 if id == "view.next" else -1)
        else:
            super().act(id)

    def _fold(self, open: bool) -> None:
        """Show the steps of the run of tools that the cursor is on or in, or fold them."""
        items, at = self.rows.items, self.rows.cursor
        while at >= 0 and not isinstance(items[at], ToolRun):
            if not isinstance(items[at], Turn) or not items[at].tool:
                return
            at -= 1
        if at < 0 or items[at].open == open:
            return
        (self._unfolded.add if open else self._unfolded.discard)(items[at].key[1])
        self._show(at)

    def _leap(self, by: int) -> None:
        """The next or previous part of the page, or thing that the person said."""
        items, at = self.rows.items, self.rows.cursor + by
        while 0 < at < len(items):
            if isinstance(items[at - 1], Fixed) or getattr(items[at], "role", "") == "user":
                break
            at += by
        self.rows.go(at, by)

    def seek(self) -> None:
        """The first row from here on that holds what is sought; what is folded is unfolded for it."""
        turns = self._told.transcript.turns if self._told.transcript is not None else []
        here = self.rows.current
        hidden = (row for row in fold_tools(turns, self._unfolded) if isinstance(row, ToolRun) and not row.open)
        found = {row.key[1] for row in hidden if any(self.sought in turn.text.lower() for turn in row.turns)}
        if self.sought and found:
            self._unfolded |= found
            rows = self._list()
            self._show(next((n for n, row in enumerate(rows) if row == here), None))
        self._words = (self.sought,) if self.sought else ()
        self.rows.words = self._words
        self.rows.forget_strips()
        self.find(1, here=True)

    def find(self, by: int, *, here: bool = False) -> None:
        """The next or previous row that holds what is sought, around the ends."""
        rows = self.rows
        items = rows.items
        if not self._words or not items:
            return
        for step in range(0 if here else 1, len(items) + 1):
            at = (rows.cursor + by * step) % len(items)
            item = items[at]
            if isinstance(item, (Turn, Memory, CandidateRow)) and self._words[0] in _get_text(item).lower():
                rows.go(at)
                self.on_rows_moved(Rows.Moved(rows, item))
                return
        rows.border_subtitle = Content(
            draw.clip_to_line(_("'{text}' is not in this session").format(text=self._words[0]))
        )


def list_page_rows(found: SessionReading, unfolded: Collection[int] = ()) -> list[Any]:
    """The page's rows: headings where there is more than the transcript; steps of tools in a row are one, if their
    first line is not among the `unfolded`."""
    page, turns = found.page, [] if found.transcript is None else found.transcript.turns
    rows: list[Any]
    steps = fold_tools(turns, unfolded)
    summary = page.head is not page.transcript and (bool(page.parts) or found.transcript is None or page.transcript)
    if not summary and not page.born and not found.proposed:
        return steps
    rows = [_make_head("summary", _("Summary")), page.head, *page.parts] if summary else []
    if page.born:
        rows += [_make_head("born", _("Learned here"), len(page.born)), *page.born]
    if found.proposed:
        rows += [_make_head("proposed", _("Waits in Review"), len(found.proposed)), *found.proposed]
    if turns:
        rows += [_make_head("turns", _("Transcript"), len(turns)), *steps]
    return rows


def _make_head(key: str, title: str, number: int = 0) -> Fixed:
    right = ((f" {number:,} ", "dim"),) if number else ()
    return Fixed(("head", key), ((f" {title}", "head"),), right, rest=False)


def _describe_head(head: Memory) -> str:
    """shop · 2026-11-21 14:30 · 3 decisions: what a summary says stands below it."""
    moment = paint.choose_time(head)
    time = clock.format_minute(moment) if moment is not None else ""
    return " · ".join(
        part for part in (paint.read_session_project(head), time, paint.describe_session_counts(head)) if part
    )


def _draw_run(run: ToolRun, cells: int) -> list[list[Piece]]:
    """Every step in a line or two."""
    lines: list[list[Piece]] = wrap_pieces([(_("l shows them one by one"), "dim")], cells)
    for turn in run.turns:
        style = "bad" if turn.failed else "accent" if turn.role != "tool" else "dim"
        told = [(f"{paint.name_speaker(turn)}  ", style), (draw.clip_to_line(turn.text), "")]
        lines += wrap_pieces(told, cells, hang=2)[:2]
    return lines


def _get_text(item: Turn | Memory | CandidateRow) -> str:
    return item.of.text if isinstance(item, CandidateRow) else item.text
