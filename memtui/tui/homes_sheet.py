"""The window in which homes are ticked: space ticks, enter shows exactly those, escape leaves all as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui.locale import _, _n
from memtui.tui import draw
from memtui.tui.items import Fixed
from memtui.tui.rows import Rows
from memtui.tui.sheets import Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from memtui.model import Home


class HomesSheet(Sheet[frozenset[str]]):
    """Answers with the paths of the homes to show. With none ticked, enter means the one under the cursor."""

    KEYS: ClassVar[dict[str, str]] = {"item.open": "show these", "app.back": "leave it"}

    def __init__(self, homes: Sequence[Home], shown: frozenset[str]) -> None:
        super().__init__()
        self._homes = homes
        self._all = frozenset(str(home.path) for home in homes)
        self._ticked = shown or self._all

    def compose(self) -> ComposeResult:
        """One list in a frame."""
        rows = Rows(lambda _item, _brush: [], self.main.context.look, id="choices", classes="sheet")
        rows.border_title = Content(_("Homes"))
        yield rows

    def on_mount(self) -> None:
        """As tall as its rows need, within the screen."""
        rows = self.query_one(Rows)
        rows.styles.height = min(len(self._homes) + 3, max(6, self.app.size.height - 4))
        self._show()

    def open_item(self) -> None:
        """Show these."""
        self.dismiss(self._ticked or self._here())

    def on_key(self, event: Any) -> None:
        """Space ticks, or takes the tick away."""
        if event.key == "space":
            event.stop()
            here = self._here()
            if here == self._all and len(here) > 1:
                self._ticked = frozenset() if self._ticked == self._all else self._all
            else:
                self._ticked ^= here
            self._show()

    def _here(self) -> frozenset[str]:
        """What the row under the cursor stands for."""
        item = self.query_one(Rows).current
        return frozenset({item.value}) if isinstance(item, Fixed) and item.value else self._all

    def _show(self) -> None:
        def box(ticked: bool) -> tuple[str, str]:
            return (" ☑ " if ticked else " ☐ ", "accent")

        rows = [Fixed("all", (box(self._ticked == self._all), (_("All homes"), "bold")))]
        for home in self._homes:
            path = str(home.path)
            left = (box(path in self._ticked), (draw.pad(draw.one_line(home.label), 26) + " ", ""),
                    (draw.pad(draw.one_line(home.layout), 12) + " ", "dim"),
                    (draw.one_line(home.reason), "faint"))  # fmt: skip
            rows.append(Fixed(path, left, value=path))
        self.query_one(Rows).show(rows)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The frame says what enter does here."""
        event.stop()
        many = len(self._ticked or self._here())
        if self._ticked or many > 1:
            enter = _n("enter shows {count} home", "enter shows {count} homes", many)
        else:
            enter = _("enter shows only this one")
        event.rows.border_subtitle = Content(f"{_('space tick')} · {enter} · {_('esc leave it')}")
