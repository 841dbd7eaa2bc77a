"""A line to type in, over the screen: what it is about above it, what enter does below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.content import Content

from memtui.locale import _
from memtui.tui.box import Box
from memtui.tui.detail import Detail
from memtui.tui.draw import one_line
from memtui.tui.prose import prose, wrapped
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.widgets import Input

    from memtui.tui.draw import Piece

TALL = 8
"""Lines of what it is about that are shown."""


class Prompt(Sheet[str]):
    """Answers with what was typed, which may be nothing; with None where somebody would rather not.

    `check` says at once what is wrong with what is typed, in a sentence; then enter does nothing.
    """

    KEYS: ClassVar[dict[str, str]] = {"item.open": "write it", "app.back": "leave it"}

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        told: str = "",
        hint: str = "",
        placeholder: str = "",
        check: Callable[[str], str] = lambda _text: "",
    ) -> None:
        """`told` is text that what is typed has to do with: the old fact, the candidate."""
        super().__init__()
        self._title, self._text, self._told, self._hint = title, text, told, hint
        self._placeholder, self._check = placeholder, check

    def compose(self) -> ComposeResult:
        """What it is about, the line, and what it does."""
        with Vertical(classes="sheet prompt"):
            yield Detail(self.main.context.look, id="about")
            yield Box(self._text, placeholder=self._placeholder, id="typed", compact=True)

    def on_mount(self) -> None:
        """As tall as it must be."""
        frame = self.query_one(Vertical)
        frame.border_title = Content(one_line(self._title))
        self._tell("")
        box = self.query_one(Box)
        box.focus()
        box.cursor_position = len(self._text)

    def _tell(self, wrong: str) -> None:
        about = self.query_one("#about", Detail)
        hint = wrong or self._hint

        def compose(cells: int) -> list[list[Piece]]:
            lines = prose(self._told, cells)[:TALL] if self._told else []
            return [*lines, *(wrapped([(hint, "warn" if wrong else "dim")], cells) if hint else [])]

        cells = max(20, min(self.app.size.width * 96 // 100, 112) - 4)
        lines = compose(cells)
        about.styles.height = len(lines)
        about.display = bool(lines)
        about.show(compose)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say at once what is wrong."""
        event.stop()
        self._tell(self._check(event.value.strip()))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter."""
        event.stop()
        self.open_item()

    def open_item(self) -> None:
        """Answer, unless something is wrong with it."""
        text = self.query_one(Box).value.strip()
        if wrong := self._check(text):
            self._tell(wrong)
        else:
            self.dismiss(text)


def needed(text: str) -> str:
    """Where nothing is not an answer."""
    return "" if text else _("Type something, or esc leaves it.")
