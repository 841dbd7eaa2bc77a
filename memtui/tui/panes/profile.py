"""1 Profile: what is known about the user. L0 and core memory by file and section, with the budget of MEMORY.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from memtui.locale import _
from memtui.model import Filter, Layer, Memory
from memtui.tui import budget, paint
from memtui.tui.choosing import exactly
from memtui.tui.panes.layer_view import LayerView
from memtui.tui.sections import Section

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from memtui.model import Status
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush

READ = 2000
"""Entries whose files and sections are counted."""


class ProfileView(LayerView):
    """Sections are files here: a profile is small and read as it was written."""

    view: ClassVar[str] = "profile"
    number: ClassVar[str] = "1"
    title: ClassVar[str] = "Profile"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.PROFILE, Layer.CORE)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.order = "path"

    def layer_here(self) -> Layer:
        """That of the file under the cursor; the profile where there is none yet."""
        memory = self.memory()
        return (memory.layer if memory is not None else None) or Layer.PROFILE

    def paint(self, item: Memory, brush: Brush) -> list[list[Piece]]:
        """Section, then text."""
        return paint.entry(item, brush)

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[Section]:
        """Files instead of kinds, each under its home, with the budget of a core file."""
        plain = super().parts(counts, within)
        vault = self.context.vault
        tally: dict[tuple[str, str], int] = {}
        core: set[tuple[str, str]] = set()
        for memory in vault.load(vault.ids(within, "path")[:READ]):
            if memory is not None:
                place = (memory.home, memory.path)
                tally[place] = tally.get(place, 0) + 1
                if memory.layer is Layer.CORE:
                    core.add(place)
        homes = self.context.labels
        several = len({home for home, _path in tally}) > 1
        files = [
            Section(
                f"file:{home}:{path}", self._labelled(home, path, (home, path) in core), "", tally[home, path],
                _file(home, path), homes[home].label if several else _("Files"),
            )
            for home, path in sorted(tally, key=lambda place: list(homes).index(place[0]))
        ]  # fmt: skip
        rest = [part for part in plain[1:] if not part.key.startswith("home:")]
        return [plain[0], *files, *rest]

    def _labelled(self, home: str, path: str, core: bool) -> str:
        if not core or not path.endswith("MEMORY.md"):
            return path
        vault = self.context.vault
        return f"{path} {budget.measure(vault.text(home, path), vault.config.budget).share:.0%}"


def _file(home: str, path: str) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(homes=frozenset({home}), path=exactly(path))
