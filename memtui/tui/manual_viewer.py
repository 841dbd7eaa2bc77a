"""A page of the manual in the text window."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from memtui.core.locale import _
from memtui.manual import load_page
from memtui.manual.page_layout import flatten, lay_out
from memtui.tui.viewer import Viewer

if TYPE_CHECKING:
    from memtui.manual import Topic
    from memtui.tui.screen import MainScreen

_WIDEST = 100
"""Cells of a line that is easy to read."""

_FRAME = 12
"""Cells that the window's frame, its scrollbar and the screen around it take."""


class ManualViewer(Viewer):
    """Laid out once, for the width at which it was opened; the window wraps what no longer fits."""

    KEYS: ClassVar[dict[str, str]] = {
        name: title for name, title in Viewer.KEYS.items() if name not in {"item.editor", "link.open"}
    }

    def __init__(self, topic: Topic, cells: int) -> None:
        lines = lay_out(load_page(topic), cells, ticks=True)
        super().__init__("", f"memtui help {topic.name}", "\n".join(map(flatten, lines)) + "\n")

    def on_mount(self) -> None:
        """No line numbers: they mean nothing here."""
        self.area.show_line_numbers = False

    def read(self) -> str:
        """The page, which does not change."""
        return self._text

    def act(self, id: str) -> None:
        """As in any text, but for what belongs to a file of a home."""
        if id == "item.editor":
            self.main.say(_("A page of the manual cannot be edited."))
        else:
            super().act(id)


def open_page(screen: MainScreen, topic: Topic) -> None:
    """Show a page over the screen."""
    cells = max(20, min(screen.app.size.width - _FRAME, _WIDEST))
    screen.app.push_screen(ManualViewer(topic, cells))
