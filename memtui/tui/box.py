"""A line to type in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.geometry import Size
from textual.reactive import Reactive
from textual.widgets import Input

if TYPE_CHECKING:
    from textual import events


class Box(Input):
    """A letter changes this line and nothing else: Textual would lay the whole screen out anew for each."""

    virtual_size = Reactive(Size(0, 0))

    def _on_paste(self, event: events.Paste) -> None:
        # Textual keeps the first line only; it must not see the event after this.
        event.prevent_default()
        event.stop()
        self.replace(" ".join(event.text.split()), *self.selection)
