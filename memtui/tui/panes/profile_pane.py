"""1 Profile: what is known about the user, L0 and core memory by file and section, with the budget of MEMORY.md."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from memtui.core.locale import _
from memtui.core.model import Filter, Layer, Memory, Status
from memtui.store.happenings import match_path_exactly
from memtui.tui import home_model, paint
from memtui.tui.choosing import rank_profile_file
from memtui.tui.panes.layer_view import READ, LayerView
from memtui.tui.panes.listing import ListSection

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.panes.listing import Listing, Wanted
    from memtui.tui.row_list import Brush


class ProfileView(LayerView):
    """Sections are files here: a profile is small and read as it was written."""

    view: ClassVar[str] = "profile"
    title: ClassVar[str] = "Profile"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.PROFILE, Layer.CORE)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self.order = "path"
        self._places: dict[Any, tuple[Any, ...]] = {}
        """Where each entry stands among the others, by its file."""
        self._entries: dict[Any, Memory] = {}

    def layer_here(self) -> Layer:
        """That of the file under the cursor; the profile where there is none yet."""
        memory = self.memory()
        return (memory.layer if memory is not None else None) or Layer.PROFILE

    def paint(self, item: Memory, brush: Brush) -> list[list[Piece]]:
        return paint.draw_entry_row(item, brush)

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[ListSection]:
        """Files instead of kinds, each under its home, with the budget of a core file."""
        plain = super().parts(counts, within)
        vault = self.context.vault
        read_ones = {ref: one for ref, one in self.context.load(vault.ids(within, "path")[:READ]).items() if one}
        tally = Counter((one.home, one.path) for one in read_ones.values())
        core = {(one.home, one.path) for one in read_ones.values() if one.layer is Layer.CORE}
        homes = self.context.labels
        turns = {home: number for number, home in enumerate(homes)}
        self._entries = read_ones
        self._places = {ref: (turns[one.home], *rank_profile_file(one.path)) for ref, one in read_ones.items()}
        several = len({home for home, _path in tally}) > 1
        files = [
            ListSection(
                f"file:{home}:{path}", self._format_label(home, path, (home, path) in core), "", tally[home, path],
                _narrow_to_file(home, path), homes[home].label if several else _("Files"),
            )
            for home, path in sorted(tally, key=lambda place: (turns[place[0]], rank_profile_file(place[1])))
        ]  # fmt: skip
        rest = [part for part in plain[1:] if not part.key.startswith("home:")]
        return [plain[0], *files, *rest]

    def arranged(self, listing: Listing, wanted: Wanted) -> Listing:
        """By their paths, though the person and MEMORY.md stand before what says who the agent is."""
        if listing.words or wanted.order != "path" or not all(ref in self._places for ref in listing.refs):
            return listing
        at = listing.at if listing.at is not None and listing.at < len(listing.refs) else None
        here = listing.refs[at] if at is not None and (listing.held is not None or listing.arrived) else None
        listing.refs = sorted(listing.refs, key=self._places.__getitem__)
        # The first page is another one now, and all of it is read already.
        listing.known = self._entries
        if here is not None:
            listing.at = listing.refs.index(here)
        return listing

    def _format_label(self, home: str, path: str, core: bool) -> str:
        if not core or not path.endswith("MEMORY.md"):
            return path
        vault = self.context.vault
        return f"{path} {home_model.measure(vault.text(home, path), vault.config.budget).share:.0%}"


def _narrow_to_file(home: str, path: str) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(homes=frozenset({home}), path=match_path_exactly(path))
