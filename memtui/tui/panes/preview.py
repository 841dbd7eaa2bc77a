"""What stands beside the hits: the memory around the one under the cursor, or why it is there; or a rule's document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.locale import _
from memtui.results import Hit, Route
from memtui.tui import why
from memtui.tui.panes.layer_view import DEBOUNCE
from memtui.tui.prose import prose

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.timer import Timer

    from memtui.chain import Chain
    from memtui.model import Memory
    from memtui.tui.panes.search import SearchView


class Preview:
    """Follows the cursor of Search, a little behind it. Whoever asks why is told so for every hit, until they leave."""

    def __init__(self, pane: SearchView) -> None:
        self._pane = pane
        self._timer: Timer | None = None
        self.explaining = False
        self.memory: Memory | None = None
        """What the hit under the cursor is a part of, as far as it is read."""

    def follow(self) -> None:
        """The cursor has moved, or stands on what may be something else now."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._pane.set_timer(DEBOUNCE, self.show)

    def clear(self) -> None:
        """There is nothing under the cursor."""
        self.memory = None
        detail = self._pane.detail()
        if detail is not None:
            detail.clear()

    def show(self) -> None:
        """What the cursor is on."""
        item = self._pane.current
        if isinstance(item, Route):
            self._show_document(item)
        elif isinstance(item, Hit):
            if self.explaining:
                self._show_why(item)
            self._show_memory(item)

    def _show_memory(self, hit: Hit) -> None:
        """Read the memory around the hit, and its chain: verbs need them beside its reasons, too."""
        pane, vault = self._pane, self._pane.context.vault

        def job(_cancelled: Callable[[], bool]) -> tuple[Memory | None, Chain | None]:
            memory = vault.of(hit)
            return memory, vault.chain(memory) if memory is not None else None

        def show(found: tuple[Memory | None, Chain | None]) -> None:
            """Unless the cursor has moved on meanwhile."""
            memory, links = found
            detail = pane.detail()
            if detail is None or pane.current is not hit:
                return
            self.memory = memory
            detail.words = pane.words
            if self.explaining:
                detail.memory, detail.chain = memory, links
            elif memory is None:
                detail.clear(_("This line has changed on disk since it was found."))
            else:
                detail.show_memory(memory, links, pane.context.home(memory.home), why.brief(hit))

        pane.context.reader.ask((pane.view, "preview"), job, show)

    def _show_why(self, hit: Hit) -> None:
        pane, detail = self._pane, self._pane.detail()
        if detail is not None:
            found, asked, place = pane.results, pane.question, pane.place()
            title = f"{_('Why')} · {hit.path}:{hit.start_line}"
            detail.show(
                lambda cells: why.lines(hit, found, asked, place, cells), key=("why", hit), title=title
            )

    def _show_document(self, route: Route) -> None:
        """What a rule leads to, from its beginning."""
        pane = self._pane

        def show(text: str) -> None:
            detail = pane.detail()
            if detail is None or pane.current is not route:
                return
            self.memory = detail.memory = detail.chain = None
            words = pane.words
            detail.show(lambda cells: prose(text, cells, words), key=route.key, title=route.path)

        pane.context.reader.ask(
            (pane.view, "preview"), lambda _cancelled: pane.context.vault.text(route.home, route.path), show
        )
