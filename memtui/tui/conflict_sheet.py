"""A file is no longer what a change was made from: what they wrote, what I wrote, and a choice. Nothing is lost."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from textual.containers import Vertical
from textual.content import Content

from memtui.edits import Edit, Piece, between
from memtui.format.threeway import together
from memtui.locale import _, _n
from memtui.tui import diffs, draw
from memtui.tui.detail import Detail
from memtui.tui.items import Fixed
from memtui.tui.prose import wrapped
from memtui.tui.rows import Rows
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult

    from memtui.errors import ConflictError
    from memtui.tui.draw import Piece as Drawn
    from memtui.tui.hand import Hand


class Way(NamedTuple):
    """One way out of it."""

    name: str
    title: str
    told: str
    before: bytes | None
    after: bytes | None
    """What the file would be then; the difference between the two is shown."""


class ConflictSheet(Sheet[None]):
    """Both, mine, theirs, or the editor; each shows what it would make of the file."""

    KEYS: ClassVar[dict[str, str]] = {
        "item.open": "choose",
        "detail.down": "scroll",
        "app.back": "decide later",
    }

    def __init__(self, error: ConflictError, hand: Hand, job: Callable[[], Any], *, whole: bool) -> None:
        """`whole`: both texts are the whole file; else mine is only the text that somebody typed for it."""
        super().__init__()
        self._error, self._hand, self._job, self._whole = error, hand, job, whole
        self._ways = self._made()

    def _made(self) -> list[Way]:
        error = self._error
        theirs, mine, base = error.theirs, error.mine, error.base
        leave = Way("theirs", _("theirs"), _("leave the file as it stands now"), base, theirs)
        if not self._whole:
            again = Way("again", _("again"), _("try it on what stands there now"), b"", mine)
            edit = Way(
                "edit", _("edit"), _("the file as it is now in your editor, your text at its end"), b"", mine
            )
            return [again, edit, leave._replace(before=theirs)]
        own = Way("mine", _("mine"), _("as if they had not written"), theirs, mine)
        if theirs is None or mine is None:
            return [
                own._replace(told=_("write it again") if theirs is None else _("remove it all the same")),
                leave,
            ]
        both = together(base or b"", theirs, mine)
        told = _("theirs, with your change in it")
        if both.clashes:
            clash = _n(
                "{count} place was changed by both", "{count} places were changed by both", both.clashes
            )
            told += f" · ⚠ {clash}: {_('both texts stand there')}"
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
            rows.border_title = Content(
                draw.one_line(_("{path} changed meanwhile").format(path=self._error.path))
            )
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
                    _row(way),
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
        told = diffs.unified(way.before, way.after, error.path)

        def lines(cells: int) -> list[list[Drawn]]:
            made = wrapped([(draw.one_line(str(error)), "warn")], cells)
            if error.kept:
                made += wrapped([(_("Yours is kept in {place}.").format(place=error.kept), "dim")], cells)
            made.append([])
            return made + (diffs.drawn(told, cells) if told else [[(_("The file stays as it is."), "dim")]])

        self.query_one(Detail).show(lines, key=event.item.key, title=way.told)

    def open_item(self) -> None:
        """Choose."""
        way = self.way
        if not way.name:
            return
        self.dismiss(None)
        if way.name == "theirs":
            self.main.say(_("left as it stands"))
        elif way.name == "again":
            self._hand.write(self._job, typed=_text(self._error.mine))
        elif way.name == "edit":
            self._edit(way)
        else:
            self._write(way.after)

    def close(self) -> None:
        """Later: what was typed stays kept."""
        self._hand.drafts.later(_text(self._error.mine), self._error.kept)
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
            edit = Edit(error.home, error.path, base, between(base, data))

        def job() -> Any:
            what = _("edited {path}, after it had changed").format(path=error.path)
            return self._hand.vault.apply([edit], verb="edit", what=what, confirmed=True)

        def done() -> None:
            with contextlib.suppress(OSError):
                os.unlink(error.kept)

        if data == base:
            self.main.say(_("{path}: nothing changed").format(path=draw.one_line(error.path)))
        else:
            self._hand.write(job, then=done, typed=_text(data))

    def _edit(self, way: Way) -> None:
        from memtui.tui.editing import edited

        error = self._error
        data = way.after or b""
        if not self._whole:
            gap = b"" if not error.theirs or error.theirs.endswith(b"\n") else b"\n"
            data = (error.theirs or b"") + gap + (error.mine or b"") + b"\n"
        after = edited(self.main, error.path, data, 1)
        if after is not None:
            self._write(after)


def _row(way: Way) -> tuple[Drawn, ...]:
    name, told = ("accent", "") if way.name else ("dim", "dim")
    return ((f" {draw.pad(way.title, 8)} ", name), (way.told, told))


def _text(data: bytes | None) -> str:
    return (data or b"").decode("utf-8", "replace")
