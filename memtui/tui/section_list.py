"""The list of sections at the left of a view, whose groups fold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.tui import sections
from memtui.tui.items import Fixed
from memtui.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.tui.look import Look
    from memtui.tui.sections import Section


class SectionList(Rows):
    """Where its cursor rests, that section is chosen."""

    def __init__(self, look: Callable[[], Look], *, id: str) -> None:
        super().__init__(lambda item, brush: [], look, id=id)
        self._sections: Sequence[Section] = ()
        self._folded: set[str] = set()

    def offer(self, found: Sequence[Section], chosen: str) -> None:
        """Show these; a cursor that stands on the chosen one goes with it."""
        self._sections = found
        items = sections.folded_rows(found, self._folded)
        if self.held is None or self.held == chosen:
            self.show(items, at=next((n for n, item in enumerate(items) if item.key == chosen), 0))
        else:
            self.show(items)

    def fold(self, open: bool) -> bool:
        """Fold or unfold the group under the cursor; False where nothing folds."""
        item = self.current
        if not self.has_focus or not isinstance(item, Fixed):
            return False
        group = item.value if isinstance(item.value, str) else item.value.group if item.value else ""
        if not group or open == (group not in self._folded):
            return False
        (self._folded.discard if open else self._folded.add)(group)
        items = sections.folded_rows(self._sections, self._folded)
        self.show(items, at=next(n for n, row in enumerate(items) if row.key == f"group:{group}"))
        return True
