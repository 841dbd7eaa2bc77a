"""Lines over the screen, to look at and to leave."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from memtui.tui.detail import Detail
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult

    from memtui.tui.draw import Piece


class LookSheet(Sheet[None]):
    """Shows what `lines` makes for a width."""

    def __init__(self, title: str, lines: Callable[[int], Sequence[list[Piece]]]) -> None:
        super().__init__()
        self._title, self._made = title, lines

    def compose(self) -> ComposeResult:
        """One text in a frame."""
        detail = Detail(self.main.context.look, id="look")
        detail.add_class("sheet")
        yield detail

    def on_mount(self) -> None:
        """As tall as it must be."""
        detail = self.query_one("#look", Detail)
        cells = max(20, min(self.app.size.width * 96 // 100, 112) - 4)
        detail.styles.height = min(len(self._made(cells)) + 2, max(5, self.app.size.height - 4))
        detail.show(lambda width: list(self._made(width)), title=self._title)
        detail.border_title = Content(self._title)
