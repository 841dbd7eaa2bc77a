"""Two windows over the screen: a conflict, and the history of writes; and what could not be written.

`ConflictSheet`: a file is no longer what a change was made from: what they wrote, what I wrote, and a choice;
nothing is lost. `HistorySheet`: every write with when, what, who and where, its difference, and undoing any
that still applies. `retry`: a text that is not written yet is written after all, or given back.
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.containers import Vertical
from textual.content import Content

from memtui.core import clock
from memtui.core.edits import Edit, Piece, diff_lines
from memtui.core.locale import _, _n
from memtui.core.text import normalize_width
from memtui.formats.rewording import merge_three_way
from memtui.store.history import describe_restored, format_write_diff
from memtui.tui import candidate_rows, draw, mutations
from memtui.tui.actions import ACTIONS, make_bindings
from memtui.tui.detail import Detail
from memtui.tui.editing import run_editor
from memtui.tui.prose import format_moment, wrap_pieces
from memtui.tui.row_list import Fixed, Rows
from memtui.tui.sheets import Box, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widgets import Input

    from memtui.core.edits import Receipt
    from memtui.core.errors import ConflictError
    from memtui.fs.write_journal import Done, Record
    from memtui.tui.draw import Piece as Drawn
    from memtui.tui.hand_work import Unwritten
    from memtui.tui.mutations import Hand


class Way(NamedTuple):
    """One way out of it."""

    name: str
    title: str
    told: str
    before: bytes | None
    after: bytes | None
    """What the file would be then; the difference between the two is shown."""


class Retried:
    """A write that met a conflict and was tried on what stands there now."""

    def __init__(self, job: Callable[[], Any]) -> None:
        self.job = job

    def __call__(self) -> Any:
        return self.job()


class ConflictSheet(Sheet[None]):
    """Both, mine, theirs, or the editor; each shows what it would make of the file."""

    KEYS: ClassVar[dict[str, str]] = {"item.open": "choose", "detail.down": "scroll", "app.back": "decide later"}

    def __init__(self, error: ConflictError, hand: Hand, job: Callable[[], Any], *, whole: bool) -> None:
        """`whole`: both texts are the whole file; else mine is only the text that somebody typed for it."""
        super().__init__()
        self._error, self._hand, self._job, self._whole = error, hand, job, whole
        self._ways = self._list_ways()

    def _list_ways(self) -> list[Way]:
        error = self._error
        theirs, mine, base = error.theirs, error.mine, error.base
        leave = Way("theirs", _("theirs"), _("keep the file as it is now"), base, theirs)
        if not self._whole:
            again = Way("again", _("again"), _("try it on what stands there now"), b"", mine)
            edit = Way("edit", _("edit"), _("the file as it is now in your editor, your text at its end"), b"", mine)
            # What was tried and met the same conflict would meet it for ever.
            ways = [again, edit, leave._replace(before=theirs)]
            return ways[1:] if isinstance(self._job, Retried) else ways
        own = Way("mine", _("mine"), _("as if they had not written"), theirs, mine)
        if theirs is None or mine is None:
            return [own._replace(told=_("write it again") if theirs is None else _("remove it all the same")), leave]
        both = merge_three_way(base or b"", theirs, mine)
        told = _("theirs, with your change in it")
        if both.clashes:
            clash = _n("{count} place was changed by both", "{count} places were changed by both", both.clashes)
            told += f" · ⚠ {clash}{_(': ')}{_('both texts stand there')}"
        return [
            Way("both", _("both"), told, theirs, both.data),
            own,
            leave,
            Way("edit", _("edit"), _("both in your editor, to put together"), theirs, both.data),
        ]

    def compose(self) -> ComposeResult:
        """The ways out, and what the one under the cursor would do."""
        look = self.main.context.look
        with Vertical(classes="sheet wide conflict"):
            rows = Rows(lambda _item, _brush: [], look, id="choices")
            rows.border_title = Content(draw.clip_to_line(_("{path} changed meanwhile").format(path=self._error.path)))
            yield rows
            yield Detail(look, id="shown")

    def on_mount(self) -> None:
        """The way that loses nothing comes first."""
        rows = self.query_one(Rows)
        looks = [
            Way("", _("look"), _("what they changed"), self._error.base, self._error.theirs),
            Way("", _("look"), _("what you changed"), self._error.base, self._error.mine),
        ]
        ways = [*self._ways, *(looks if self._whole else ())]
        rows.styles.height = len(ways) + 2
        rows.show(
            [
                Fixed(
                    (number, way.name),
                    _draw_way(way),
                    value=way,
                )
                for number, way in enumerate(ways)
            ],
            at=0,
        )  # fmt: skip

    @property
    def way(self) -> Way:
        """What the cursor is on."""
        item = self.query_one(Rows).current
        assert isinstance(item, Fixed)
        found: Way = item.value
        return found

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Show what it would do."""
        event.stop()
        if not isinstance(event.item, Fixed):
            return
        way, error = self.way, self._error
        told = candidate_rows.diff_contents(way.before, way.after, error.path)

        def lines(cells: int) -> list[list[Drawn]]:
            made = wrap_pieces([(draw.clip_to_line(str(error)), "warn")], cells)
            if error.kept:
                made += wrap_pieces([(_("Yours is kept in {place}.").format(place=error.kept), "dim")], cells)
            made.append([])
            return made + (
                candidate_rows.draw_diff(told, cells) if told else [[(_("The file stays as it is."), "dim")]]
            )

        self.query_one(Detail).show(lines, key=event.item.key, title=way.told)

    def open_item(self) -> None:
        """Choose."""
        way = self.way
        if not way.name:
            return
        self.dismiss(None)
        if way.name == "theirs":
            self.main.say(_("file left unchanged"))
        elif way.name == "again":
            self._hand.write(Retried(self._job), typed=_decode(self._error.mine))
        elif way.name == "edit":
            self._edit(way)
        else:
            self._write(way.after)

    def close(self) -> None:
        # Tried again it is written, or asked about again; what was tried and met the conflict would meet it for ever.
        job = None if isinstance(self._job, Retried) else self._job
        self._hand.drafts.later(_decode(self._error.mine), self._error.kept, job)
        self._hand.changed()
        self.dismiss(None)

    def _write(self, data: bytes | None) -> None:
        error = self._error
        base = error.theirs
        if data is None:
            edit = Edit(error.home, error.path, base, (), remove=True)
        elif base is None:
            edit = Edit(error.home, error.path, None, (Piece(0, 0, data),))
        else:
            edit = Edit(error.home, error.path, base, diff_lines(base, data))

        def job() -> Any:
            what = _("edited {path}, after it had changed").format(path=error.path)
            return self._hand.vault.apply([edit], verb="edit", what=what, confirmed=True)

        def done() -> None:
            with contextlib.suppress(OSError):
                os.unlink(error.kept)

        if data == base:
            self.main.say(_("{path}: nothing changed").format(path=draw.clip_to_line(error.path)))
        else:
            self._hand.write(job, then=done, typed=_decode(data))

    def _edit(self, way: Way) -> None:
        error = self._error
        data = way.after or b""
        if not self._whole:
            gap = b"" if not error.theirs or error.theirs.endswith(b"\n") else b"\n"
            data = (error.theirs or b"") + gap + (error.mine or b"") + b"\n"
        after = run_editor(self.main, error.path, data, 1)
        if after is not None:
            self._write(after)


def _draw_way(way: Way) -> tuple[Drawn, ...]:
    name, told = ("accent", "") if way.name else ("dim", "dim")
    return ((f" {draw.pad(way.title, 8)} ", name), (way.told, told))


def _decode(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")


MOST = 2000
"""Writes that are listed."""


_MORE = {"edit.undo", "edit.redo", "filter.open", "search.open"}


class HistoryEntry:
    """One row: a write, or several that were one decision."""

    __slots__ = ("id", "records")

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = records
        self.id = records[0].group or records[0].id

    @property
    def undone(self) -> bool:
        """Whether all of it was taken back."""
        return all(record.undone for record in self.records)

    def row(self, *, alike: bool) -> Fixed:
        """11-21 14:30  supersede  replaced fact-004 …   person. `alike`: the same was done by all, and is not told."""
        first = self.records[0]
        time = clock.convert_to_local(first.time).strftime("%m-%d %H:%M")
        what = draw.clip_to_line(first.what)
        if len(self.records) > 1:
            what = _n("{count} write", "{count} writes", len(self.records)) + f" · {what} …"
        sign, style = ("✗", "struck") if self.undone else ("↶", "dim") if first.undoes else ("·", "")
        if first.state != "done":
            sign, style = "⚠", "warn"
        left = (
            (f" {sign} ", "dim"),
            (f"{time}  ", "faint"),
            ("" if alike else draw.pad(_(first.verb), 10) + " ", "accent" if not self.undone else "dim"),
            (what, style),
        )
        return Fixed(self.id, left, ((f"  {draw.cut(draw.clip_to_line(first.who), 16)} ", "dim"),), value=self)

    def matches(self, words: Sequence[str]) -> bool:
        """Whether every word is somewhere in it."""
        told = " ".join(
            " ".join(
                (record.verb, _(record.verb), record.what, record.who, *record.paths, clock.format_day(record.time))
            )
            for record in self.records
        )
        text = normalize_width(told).lower()
        return all(word in text for word in words)


class HistorySheet(Sheet[None]):
    """`u` or enter takes the write under the cursor back, `f` narrows, `ctrl+r` does again what was taken back."""

    BINDINGS: ClassVar[list[BindingType]] = [*make_bindings(action for action in ACTIONS if action.id in _MORE)]
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual declares it
    KEYS: ClassVar[dict[str, str]] = {
        "edit.undo": "undo",
        "edit.redo": "redo",
        "filter.open": "filter",
        "app.back": "close",
    }

    alike: ClassVar[bool] = False
    """Whether its rows all tell of the same verb."""

    def __init__(self, hand: Hand, words: str = "") -> None:
        """`words` narrow it from the beginning."""
        super().__init__()
        self._words = words
        self._hand = hand
        self._entries: list[HistoryEntry] = []
        self._applies: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """The writes, the difference of one of them, and a box to narrow by."""
        look = self.main.context.look
        with Vertical(classes="sheet wide history"):
            rows = Rows(lambda _item, _brush: [], look, id="writes")
            rows.border_title = Content(self.title_here)
            rows.empty = ((_("reading …"), "dim"),)
            yield rows
            yield Detail(look, id="write")
            box = Box(self._words, placeholder=_("filter: words, a verb, a file, who"), id="find", compact=True)
            box.display = bool(self._words)
            yield box

    def on_mount(self) -> None:
        """Read them, once there is something to show them in."""
        self.call_after_refresh(self._read)

    def list_records(self) -> list[Record]:
        """The writes, newest first. On a reader's thread."""
        return self._hand.vault.history(MOST)

    def say_nothing(self) -> str:
        """What stands where there are none."""
        return _("Nothing was written yet. What you approve, edit or delete is listed here, and undone from here.")

    @property
    def title_here(self) -> str:
        """What the frame says."""
        return _("History")

    def _read(self) -> None:
        def job(_cancelled: Callable[[], bool]) -> list[HistoryEntry]:
            return fold_records(self.list_records())

        self.main.reader.ask("history", job, self._show)

    def _show(self, entries: list[HistoryEntry] | None = None) -> None:
        if not self.stands:
            return
        if entries is not None:
            self._entries = entries
            self._applies.clear()
        words = normalize_width(self.query_one(Box).value).lower().split()
        found = [entry for entry in self._entries if entry.matches(words)]
        rows = self.query_one("#writes", Rows)
        nothing = _("No write matches.") if self._entries else self.say_nothing()
        rows.empty = ((nothing, "dim"),)
        number = f"{len(found):,}" if len(found) == len(self._entries) else f"{len(found):,} / {len(self._entries):,}"
        rows.border_title = Content(f"{self.title_here} · {number}")
        rows.show([entry.row(alike=self.alike) for entry in found])

    @property
    def entry(self) -> HistoryEntry | None:
        """What the cursor is on."""
        item = self.query_one("#writes", Rows).current
        return item.value if isinstance(item, Fixed) and isinstance(item.value, HistoryEntry) else None

    def does(self, id: str) -> bool:
        """What was taken back can be done again, and the other way round."""
        entry = self.entry
        if id in {"edit.undo", "edit.redo", "item.open"}:
            return entry is not None and entry.undone == (id == "edit.redo")
        return id != "filter.open" or bool(self._entries)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Show its difference, and whether it still applies."""
        event.stop()
        entry, detail = self.entry, self.query_one(Detail)
        self.update_keys()
        if entry is None:
            detail.clear()
            return
        detail.show(lambda cells: self._draw_entry(entry, cells), key=entry.id, title=entry.records[0].what)
        if entry.id not in self._applies and not entry.undone:
            vault = self._hand.vault

            def job(_cancelled: Callable[[], bool]) -> str:
                return next(filter(None, map(vault.applies, entry.records[:40])), "")

            def show(reason: str) -> None:
                self._applies[entry.id] = reason
                if self.stands and self.entry is entry:
                    detail.restate()

            self.main.reader.ask("applies", job, show)

    def _draw_entry(self, entry: HistoryEntry, cells: int) -> list[list[Drawn]]:
        first = entry.records[0]
        lines = wrap_pieces([(draw.clip_to_line(first.what), "bold")], cells)
        lines += wrap_pieces([(f"{format_moment(first.time)}  ", "dim"), (draw.clip_to_line(first.who), "")], cells)
        if entry.undone:
            lines.append([("✗ " + _("It was undone."), "dim")])
        elif (reason := self._applies.get(entry.id)) is not None:
            able = [("✓ " + self.tell_way_back(), "ok")]
            lines += (
                wrap_pieces([("⚠ ", "warn"), (draw.clip_to_line(reason), "warn")], cells, hang=2) if reason else [able]
            )
        if first.state != "done":
            lines += wrap_pieces([("⚠ " + _("It was interrupted: not all of it may be written."), "warn")], cells)
        for warning in dict.fromkeys(text for record in entry.records for text in record.warnings):
            lines += wrap_pieces([("⚠ ", "warn"), (draw.clip_to_line(warning), "warn")], cells, hang=2)
        for record in entry.records[:40]:
            lines.append([])
            for place in dict.fromkeys(self._name_place(done) for done in record.told):
                lines += wrap_pieces([(draw.clip_to_line(place), "dim")], cells, hang=2)
            if len(entry.records) > 1:
                lines += wrap_pieces([(draw.clip_to_line(record.what), "struck" if record.undone else "")], cells)
            lines += candidate_rows.draw_diff(format_write_diff(record), cells)
        return lines

    def _name_place(self, done: Done) -> str:
        """A file as the rows name it, behind its home where there are several; of no open home by its whole path."""
        context = self.main.context
        home = context.home(done.home)
        if home is None:
            return _shorten_path(os.path.join(done.home, *done.path.split("/")))
        return done.path if len(context.vault.homes) == 1 else f"{context.name(home)} {done.path}"

    def tell_way_back(self) -> str:
        """How what is under the cursor comes back."""
        return _("It can still be undone: u")

    def tell_done(self, told: str) -> str:
        """What is said of it once it is done."""
        return told

    # -- keys ---------------------------------------------------------------------------------------------------

    def act(self, id: str) -> None:
        """Take back, do again, narrow."""
        box = self.query_one(Box)
        if id == "edit.undo":
            self.open_item()
        elif id == "edit.redo":
            self._redo()
        elif id in {"filter.open", "search.open"}:
            box.display = True
            box.focus()
            self.main.turns += 1
        elif id == "app.back" and (box.display or box.value):
            box.value = ""
            self._close_box()
        else:
            super().act(id)

    def open_item(self) -> None:
        entry = self.entry
        if entry is not None and not entry.undone:
            self._take(lambda: self._hand.vault.undo(entry.id))

    def _redo(self) -> None:
        entry = self.entry
        if entry is not None and entry.undone:
            self._take(lambda: self._hand.vault.redo(entry.id))

    def _take(self, act: Callable[[], Receipt]) -> None:
        def job() -> tuple[Receipt, tuple[str, str, str]]:
            receipt = act()
            return receipt, mutations.read_restored(self._hand.vault, receipt)

        def done(answer: tuple[Receipt, tuple[str, str, str]]) -> None:
            receipt, restored = answer
            self.main.pane.expect(*restored)
            self._tell(self.tell_done(receipt.what))
            self.main.context.waiting.follow_undo(receipt)
            self._hand.changed()
            self._read()

        def failed(error: Any) -> None:
            self._tell(str(error))
            self._hand.refuse(error, job=job, whole=False)

        self._hand.writer.write(job, done, failed)

    def _tell(self, sentence: str) -> None:
        if self.stands:
            self.query_one("#writes", Rows).border_subtitle = Content(draw.clip_to_line(sentence))
        self.main.say(sentence)

    def _close_box(self) -> None:
        self.query_one(Box).display = False
        self.query_one("#writes", Rows).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Every key narrows."""
        event.stop()
        self._show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter keeps what narrows."""
        event.stop()
        self._close_box()


class TrashSheet(HistorySheet):
    """What was deleted and not restored: what it was, when it went and by whom; enter brings it back."""

    alike = True
    KEYS: ClassVar[dict[str, str]] = {"item.open": "restore", "filter.open": "filter", "app.back": "close"}

    @property
    def title_here(self) -> str:
        return _("Trash")

    def list_records(self) -> list[Record]:
        """What is in it, newest first. On a reader's thread."""
        return self._hand.vault.trash()

    def say_nothing(self) -> str:
        return _("The trash is empty. What is deleted here or by memtui's commands waits here to be restored.")

    def tell_way_back(self) -> str:
        """How what is under the cursor comes back."""
        return _("Enter restores it, byte for byte.")

    def tell_done(self, told: str) -> str:
        return describe_restored(told)


def fold_records(records: Sequence[Record]) -> list[HistoryEntry]:
    """The writes as rows: what was one decision is one."""
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.group or record.id, []).append(record)
    return [HistoryEntry(group) for group in groups.values()]


def _shorten_path(path: str) -> str:
    home = find_user_directory()
    return "~" + path[len(home) :] if path.startswith(home + os.sep) else path


def find_user_directory() -> str:
    """The directory of whoever looks."""
    return os.path.expanduser("~")


def retry(hand: Hand) -> None:
    """Write what could not be written."""
    if not hand.drafts.waiting:
        hand.screen.say(_("Everything is written."))
        return
    unwritten = hand.drafts.waiting[0]
    if unwritten.job is None:
        _give_back(hand, unwritten)
        return

    # Whichever way it ends, a text that still waits is kept anew by then.
    def done() -> None:
        hand.drafts.forget(unwritten)

    hand.drafts.waiting.remove(unwritten)
    hand.write(unwritten.job, then=done, failed=done, typed=unwritten.text)


def _give_back(hand: Hand, unwritten: Unwritten) -> None:
    """What it was typed for is over, or nobody knows any more: its person may have it back."""

    def let_go() -> None:
        hand.screen.app.copy_to_clipboard(unwritten.text)
        hand.drafts.waiting.remove(unwritten)
        hand.drafts.forget(unwritten)
        hand.changed()

    text = unwritten.text[:500] + ("…" if len(unwritten.text) > 500 else "")
    if unwritten.place:
        text += "\n\n" + _("Kept in {place}.").format(place=unwritten.place)
    hand.ask(_("Not written yet"), text, _("to the clipboard, and let it go"), let_go)
