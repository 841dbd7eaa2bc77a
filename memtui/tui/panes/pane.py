"""What the screen asks of a view, with the answers of a view that has nothing special."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.widget import Widget

from memtui.core import clock
from memtui.core.model import Layer
from memtui.tui.context import SHARES, Arrival
from memtui.tui.detail import Detail
from memtui.tui.row_list import Ground, Rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.events import MouseDown, MouseMove

    from memtui.core.model import Memory
    from memtui.tui.actions import Where
    from memtui.tui.context import PaneContext
    from memtui.tui.mutations import Hand


LEAST = 16
"""Cells that a list and the text beside it keep."""

ARRIVES = 3.0
"""Seconds within which what was written is listed."""


def _get_plain_key(key: object) -> str:
    return key if isinstance(key, str) else ""


class Pane(Ground):
    """One view. It asks the vault when it is shown or when the vault has changed, never by itself."""

    view: ClassVar[str] = ""
    """Its id in `PANES` and in the actions."""
    title: ClassVar[str] = ""
    """Its name on the tab line (a source string)."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(id=f"view-{self.view}", classes="view")
        self.context = context
        self.words: tuple[str, ...] = ()
        """What is marked in rows and text, lower case."""
        self._stamp: tuple[int, int] | None = None
        self._minute = 0
        self._dragged = False

    settled = True
    """Whether what it shows first is there: nothing else is begun before."""

    written = Arrival()
    """What a person has just written here and the list does not show yet."""

    def expect(self, text: str, home: str = "", path: str = "") -> None:
        """This was just written, there if anybody knows: the cursor goes to it once it is listed."""
        self.written = Arrival(text, home, path)
        # Where it is not listed here, the cursor must not be carried away later.
        self.set_timer(ARRIVES, lambda: setattr(self, "written", Arrival()))
        if text:
            # The index may have had it before this was told.
            self.reload()

    def refresh_view(self, *, patience: float = 0.0) -> None:
        """Ask again if anything changed since this view last asked."""
        stamp = self.context.stamp
        if stamp != self._stamp:
            self._stamp = stamp
            self.reload(patience=patience)

    def reload(self, *, patience: float = 0.0) -> None:
        """Ask the vault, on a reader's thread; `patience` seconds may be waited for the first frame."""

    def tick(self) -> None:
        """Time has passed: once a minute all rows tell their ages anew, so that no two of them disagree for long."""
        minute = int(clock.now() // 60)
        if minute != self._minute:
            self._minute = minute
            for rows in self.query(Rows):
                rows.forget_strips()

    def memory(self) -> Memory | None:
        """The memory under the cursor."""
        return None

    main_list: ClassVar[str] = "#list"
    """The list that matters."""

    def rows(self) -> Rows | None:
        """Of this view's lists the one that has the focus, or the one that matters."""
        return self.query_one(self.main_list, Rows)

    def list_rows(self) -> Rows:
        """The list beside the sections."""
        return self.query_one("#list", Rows)

    def detail(self) -> Detail | None:
        """The reading pane."""
        return self.query_one("#detail", Detail)

    narrows: ClassVar[bool] = False
    """Whether it has a list that can be narrowed and sorted."""

    ordered = ""
    """What its rows are sorted by, where that is the only order they have (a source string)."""

    typed = ""
    """What narrows the list."""

    def narrow(self, text: str) -> None:
        """Narrow the list to what is typed."""

    def sort(self) -> str:
        """Take the next order and name it."""
        return ""

    def move(self, where: Where) -> bool:
        """Move the cursor of what is neither list nor text and has the focus; False where nothing of that kind has."""
        return False

    def enter(self) -> bool:
        """Open what is under the cursor in this view's own way; False where it has none."""
        return False

    def fold(self, open: bool) -> bool:
        """Fold or unfold what the cursor is on; False where nothing folds."""
        return False

    def can_explain(self) -> bool:
        """Whether it could say why the row under the cursor is there."""
        return False

    def explain(self) -> None:
        """Say so, or show the text again."""

    def ask_otherwise(self, what: str) -> None:
        """Take the next `mode` or `fusion` and ask again."""

    def narrow_by_facet(self) -> None:
        """Let its hits be narrowed by what some of them have in common."""

    def pin_search(self) -> None:
        """Keep what is searched for."""

    def peel(self) -> bool:
        """Leave what escape leaves first; False where there is nothing of that kind."""
        return False

    def write(self, verb: str, hand: Hand) -> bool:
        """Do a verb in this view's own way; False where it has none."""
        return False

    def again(self) -> None:
        """Something was written that no index follows: ask anew, where that shows here."""

    def show_analysis(self) -> None:
        """Something was worked out: ask for it, where it shows here."""

    def why_not(self, verb: str) -> str | None:
        """Why this view does not do a verb, as a source string; None: it is done as in any list."""
        return None

    def stage(self) -> object:
        """What decides, besides the memory, which verbs apply here: the footer is made anew when it changes."""
        return None

    def describe_choice(self, rows: Rows | None, memory: Memory | None) -> object:
        """What decides which verbs apply to what is chosen here."""
        kind = None
        if memory is not None:
            kind = (memory.home, memory.path, memory.layer, memory.status, bool(memory.key), bool(memory.superseded_by))
        row = None if rows is None else (bool(rows.items), type(rows.current), min(2, len(rows.marks)))
        chain = detail.chain if (detail := self.detail()) is not None else None
        linked = chain is not None and bool(chain.after or chain.before)
        waiting = self.context.waiting
        decides = (waiting.queue is None, bool(waiting.candidates)) if self.view == "review" else ()
        return kind, row, linked, decides, self.stage()

    def layer_here(self) -> Layer:
        """The layer that something new belongs to here."""
        return Layer.KNOWLEDGE

    def mend(self) -> str:
        """The action by which an empty list gets something to show; empty: there is none, or it is not empty."""
        return ""

    def opens(self) -> str:
        """The view that opening leads to; 'trash': what was deleted; 'only:' and its path: Home with one home alone."""
        return ""

    def source(self) -> tuple[str, str, int] | None:
        """Home, path and line that opening leads to where the cursor is on no memory."""
        return None

    def origin(self) -> tuple[str, int] | None:
        """The session, and the line of its transcript (0: any), that what is under the cursor comes from, where that
        is no memory.
        """
        return None

    def fit(self) -> None:
        """Choose rows anew, where a list has another height now."""

    def go_to(self, memory: Memory) -> None:
        """Show a memory that this view knows of."""
        detail = self.detail()
        if detail is not None:
            detail.show_memory(memory, None, self.context.home(memory.home))

    def focus_first(self) -> None:
        """Put the focus where work begins."""
        self.query_one(self.main_list).focus()

    def place(self) -> str:
        """Where the cursor is, for the status line: '3 of 1,284 · recent'."""
        return ""

    def chips(self) -> str:
        """What narrows this view, for the status line."""
        return ""

    def warning(self) -> str:
        """Why what is shown may be incomplete."""
        return ""

    def keep(self) -> dict[str, Any]:
        """What it takes to show the same again, as JSON holds it."""
        rows = self.rows()
        return {} if rows is None else {"list": rows.id or "", "held": _get_plain_key(rows.held), "at": rows.cursor}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Show what was kept again, as far as it is still there."""
        found = [rows for rows in self.query(Rows) if rows.id == kept.get("list")]
        at = kept.get("at")
        if found and isinstance(at, int):
            rows = found[0]
            held = [
                n for n in range(len(rows.items)) if kept.get("held") and _get_plain_key(rows.key(n)) == kept["held"]
            ]
            rows.focus()
            rows.go(held[0] if held else at)

    list_share: ClassVar[int] = 3
    """The list's share of the width, as the style sheets have it."""

    def share_width(self, share: float) -> None:
        """Give the text so many thirds of the list's width; 0: as the style sheets have it."""
        if share and (detail := self.detail()) is not None:
            detail.styles.width = f"{share}fr"
            detail.styles.max_width = "100%"

    # -- the line between a list and the text beside it -----------------------------------------------------------

    def widen(self, by: int) -> None:
        """More (1) or less (-1) of the width for the text, in every view."""
        self._divide(round(self.context.whereabouts.share or 2) + by)

    def _divide(self, share: float) -> None:
        self.context.whereabouts.share = share = max(SHARES[0], min(SHARES[1], round(share, 2)))
        for pane in self.screen.query(Pane):
            pane.share_width(share)

    def on_mouse_down(self, event: MouseDown) -> None:
        """The frames that touch there are taken hold of."""
        detail, beside = self._beside()
        if detail is not None and beside is not None and event.screen_x - detail.region.x in {-1, 0}:
            event.stop()
            self._dragged = True
            self.capture_mouse()

    def on_mouse_move(self, event: MouseMove) -> None:
        """The line follows, as far as both sides can be read."""
        detail, beside = self._beside()
        if not event.button:
            # It was let go where nobody heard of it.
            self.on_mouse_up()
        if not self._dragged or detail is None or beside is None:
            return
        event.stop()
        whole = detail.outer_size.width + beside.outer_size.width
        text = max(LEAST, min(detail.region.right - event.screen_x, whole - LEAST))
        if text < whole:
            self._divide(self.list_share * text / (whole - text))

    def on_mouse_up(self) -> None:
        """It stays where it was let go."""
        if self._dragged:
            self._dragged = False
            self.release_mouse()

    def on_hide(self) -> None:
        """Another view is shown: who holds the mouse there would keep it."""
        self.on_mouse_up()

    def _beside(self) -> tuple[Detail | None, Widget | None]:
        """The text, and what ends where it begins."""
        detail = self.detail()
        if detail is None or not detail.display or not isinstance(detail.parent, Widget):
            return None, None
        ends = (one for one in detail.parent.displayed_children if one.region.right == detail.region.x)
        return detail, next(ends, None)

    def redraw(self) -> None:
        """Everything looks different now: another theme."""
        for rows in self.query(Rows):
            rows.forget_strips()
        for detail in self.query(Detail):
            detail.forget_strips()
