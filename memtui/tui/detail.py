"""The reading pane: one memory, whole, with what is known about it; or any lines that it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.geometry import Size

from memtui.tui import draw
from memtui.tui.draw import step
from memtui.tui.prose import draw_chain, draw_fields, draw_prose, wrap_pieces
from memtui.tui.row_list import Scroller

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.strip import Strip

    from memtui.core.model import Home, Memory
    from memtui.store.lookup import Chain
    from memtui.tui.actions import Where
    from memtui.tui.draw import Look, Piece


class Detail(Scroller, can_focus=True):
    """Scrolls by itself when it has the focus, and by J and K from the list."""

    ALLOW_SELECT = False

    def __init__(self, look: Callable[[], Look], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._look = look
        self._made: Callable[[int], list[list[Piece]]] = lambda _cells: []
        self._lines: list[list[Piece]] = []
        self._cells = 0
        self._room = Size()
        self._shown: object = None
        self.words: tuple[str, ...] = ()
        self.memory: Memory | None = None
        self.chain: Chain | None = None

    def show_memory(
        self,
        memory: Memory,
        links: Chain | None,
        home: Home | None,
        why: str = "",
        more: Callable[[int], list[list[Piece]]] | None = None,
        rest: str = "",
    ) -> None:
        """Show a memory: its text first with the `rest` that belongs to it, its chain, its fields. `why` says how a
        search came by it; `more` are lines of the view's own.
        """

        def compose(cells: int) -> list[list[Piece]]:
            """Its lines at this width."""
            lines: list[list[Piece]] = []
            if memory.title:
                lines += wrap_pieces([(draw.clip_to_line(memory.title), "bold")], cells)
                if memory.text and memory.text != memory.title:
                    lines.append([])
            if memory.text != memory.title:
                lines += draw_prose(memory.text, cells, self.words)
            if rest:
                lines += [[], *draw_prose(rest, cells, self.words)]
            if why:
                lines += [[], *wrap_pieces([("▸ ", "accent"), (draw.clip_to_line(why), "dim")], cells, hang=2)]
            if links is not None:
                lines += draw_chain(links, cells)
            if more is not None:
                lines += more(cells)
            return [*lines, [], *draw_fields(memory, home, cells)]

        self.memory, self.chain = memory, links
        self.show(compose, key=memory.id, title=f"{draw.name_kind(memory.kind)} · {memory.path}:{memory.start}")

    def show(self, compose: Callable[[int], list[list[Piece]]], *, key: object = None, title: str = "") -> None:
        """Show lines made for a width. Another key starts at the top; the same one stays where it was read."""
        self._made = compose
        if key is None or key != self._shown:
            self.scroll_to(y=0, animate=False)
        self._shown = key
        self.border_title = Content(draw.clip_to_line(title))
        self._arrange()

    def clear(self, words: str = "") -> None:
        """Show nothing, or a sentence."""
        self.memory = self.chain = None
        self.show(lambda cells: wrap_pieces([(words, "dim")], cells) if words else [])

    def restate(self) -> None:
        """The words to mark have changed."""
        self._arrange()

    def _arrange(self) -> None:
        # What fits without a scrollbar has none, whatever was shown before: narrower lines would keep the bar there.
        room = self._room = self.content_region.size
        whole = max(4, room.width)
        beside = max(4, room.width - self.styles.scrollbar_size_vertical)
        # Most of what follows a long text is long as well, and is laid out once.
        self._cells = beside if self.show_vertical_scrollbar else whole
        self._lines = self._made(self._cells)
        if self._cells == beside != whole and len(self._lines) <= 2 * room.height:
            self._cells, self._lines = whole, self._made(whole)
        if self._cells == whole != beside and len(self._lines) > room.height:
            self._cells, self._lines = beside, self._made(beside)
        self.virtual_size = Size(0, len(self._lines))
        self._strips.clear()
        self._tell()
        self.refresh()

    def on_resize(self) -> None:
        """Lines are wrapped anew."""
        if self.content_region.size != self._room:
            self._arrange()
        else:
            self._tell()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """The frame says how far one has read."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._tell()

    def _tell(self) -> None:
        height = self.scrollable_content_region.height
        below = len(self._lines) - round(self.scroll_offset.y) - height
        told = Content(f"↓ {below}" if below > 0 and height > 0 else "")
        if str(told) != str(self._border_subtitle or ""):
            self.border_subtitle = told

    def move(self, where: Where) -> None:
        """Scroll."""
        page = max(1, self.size.height - 2)
        by = step(where, page, len(self._lines))
        self.scroll_to(y=max(0, round(self.scroll_offset.y) + by), animate=False)

    def find(self, by: int) -> bool:
        """Scroll to the next (1) or previous (-1) line with a match, around the ends. False: there is none."""
        hits = [number for number, line in enumerate(self._lines) if any(style == "mark" for _text, style in line)]
        if not hits:
            return False
        here = round(self.scroll_offset.y)
        if by > 0:
            target = next((line for line in hits if line > here), hits[0])
        else:
            target = next((line for line in reversed(hits) if line < here), hits[-1])
        self.scroll_to(y=min(target, max(0, self.max_scroll_y)), animate=False)
        return True

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        number = y + round(self.scroll_offset.y)
        strip: Strip | None = self._strips.get(number)
        if strip is None:
            pieces = self._lines[number] if 0 <= number < len(self._lines) else []
            strip = self._strips[number] = draw.strip(pieces, self._cells, self._look(), self.base)
        return strip
