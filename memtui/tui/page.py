"""A file or a session over the whole screen: read, searched, copied from, and followed while others write to it."""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from memtui.actions import ACTIONS
from memtui.errors import MemtuiError
from memtui.locale import _
from memtui.tui.box import Box
from memtui.tui.keymap import bindings
from memtui.tui.messages import VaultChanged
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widget import Widget
    from textual.widgets import Input

_MORE = {
    "search.open", "filter.open", "view.prev", "view.next", "item.editor", "copy.text", "link.open", "app.help",
}  # fmt: skip

REST = 4
"""So many times as long as reading took, nothing is read again: a long session is written to all the time."""


class Page(Sheet[None]):
    """What the text window and a session's turns have in common. A page knows what it shows: `read`, `follow`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(action for action in ACTIONS if action.id in _MORE)]
    KEYS: ClassVar[dict[str, str]] = {
        "search.open": "find",
        "find.next": "next match",
        "item.editor": "editor",
        "copy.text": "copy line",
        "link.open": "link",
        "app.help": "keys",
        "app.back": "close",
    }

    def __init__(self, home: str, path: str) -> None:
        super().__init__()
        self.home, self.path = home, path
        self.sought = ""
        """What is searched for, lower case."""
        self._asked = self._news = False
        self._unsubscribe: Callable[[], None] = lambda: None

    def content(self) -> Iterable[Widget]:
        """What stands above the find box."""
        return ()

    @abstractmethod
    def first(self) -> Widget:
        """What has the keys while nothing is typed."""

    @abstractmethod
    def read(self) -> Any:
        """What is on the disk now, on a reader's thread."""

    @abstractmethod
    def follow(self, found: Any) -> None:
        """Show what `read` answered; None: it cannot be read any more."""

    @abstractmethod
    def here(self) -> tuple[int, str]:
        """The line that the cursor is on, in the file, and its text."""

    def compose(self) -> ComposeResult:
        """The page, and a box for what is sought."""
        yield from self.content()
        box = Box(placeholder=_("find here"), id="find", compact=True)
        box.display = False
        yield box

    # -- following ----------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """From now on."""
        self._unsubscribe = self.main.context.vault.subscribe(self._tell_news)

    def on_unmount(self) -> None:
        """Nothing is read for a page that is closed."""
        self._unsubscribe()

    def _tell_news(self, generation: int) -> None:
        self.post_message(VaultChanged(generation))

    def on_vault_changed(self, _event: VaultChanged) -> None:
        """Read again, once at a time: a newer question would take the place of one that is being answered."""
        self._news = True
        if not self._asked:
            self._ask()

    def _ask(self) -> None:
        self._asked, self._news = True, False

        def job(_cancelled: Callable[[], bool]) -> tuple[Any, float]:
            begun = time.monotonic()
            try:
                found = self.read()
            except MemtuiError:
                found = None
            return found, time.monotonic() - begun

        def show(answer: tuple[Any, float]) -> None:
            if not self.stands:
                return
            found, took = answer
            self.follow(found)
            self.set_timer(took * REST, self._rested)

        self.main.reader.ask(("page", id(self)), job, show)

    def _rested(self) -> None:
        self._asked = False
        if self._news:
            self._ask()

    # -- keys ---------------------------------------------------------------------------------------------------

    def act(self, id: str) -> None:
        """The find box, the editor and the clipboard, besides the motions."""
        box = self.query_one("#find", Box)
        if id in {"search.open", "filter.open"}:
            box.display = True
            box.select_all()
            box.focus()
        elif id == "app.back" and box.display:
            self._close_box()
        elif id == "item.editor":
            from memtui.tui import editing

            editing.file(self.main.hand, self.home, self.path, self.here()[0])
        elif id == "copy.text":
            line, text = self.here()
            self.main.desk.copy(text, f"{self.path}:{line}")
        elif id == "link.open":
            self._open_link(self.here()[1])
        elif id == "app.help":
            from memtui.tui import doings

            doings.show_keys(self.main, self)
        else:
            super().act(id)

    def _open_link(self, text: str) -> None:
        from memtui.parse.marks import links
        from memtui.tui.links import follow

        if found := links(text):
            follow(self.main, self.home, self.path, found)
        else:
            self.main.say(_("There is no link on this line."))

    def _close_box(self) -> None:
        self.query_one("#find", Box).display = False
        self.first().focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the box: the first match from here on."""
        event.stop()
        self.sought = event.value.lower()
        self._close_box()
        self.seek()

    @abstractmethod
    def seek(self) -> None:
        """Go to the first match."""
