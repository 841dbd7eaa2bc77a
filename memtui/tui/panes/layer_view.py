"""A view of one or two layers: sections, the list, and the memory under the cursor; Facts is made of it here.

`FactsView`, 2 Facts: L1 by home, kind and status, and what will not hold much longer.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer, Level, Memory, Order, Status
from memtui.lifecycle import expiry
from memtui.tui import draw, paint
from memtui.tui.bars import format_count_title
from memtui.tui.context import ActionClicked, Arrival
from memtui.tui.detail import Detail
from memtui.tui.panes import find_tab, listing
from memtui.tui.panes.listing import (
    Listing,
    ListSection,
    Narrowing,
    SectionList,
    Wanted,
    locate,
    put_open_first,
    read,
    read_parts,
    unfold,
)
from memtui.tui.panes.pane import Pane
from memtui.tui.row_list import Fixed, LoadedRow, Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from textual.app import ComposeResult
    from textual.timer import Timer

    from memtui.store.lookup import Chain
    from memtui.tui.bars import Filling
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.row_list import Brush

ORDERS: tuple[Order, ...] = ("recent", "time", "confidence", "path")

DEBOUNCE = 0.06
"""Seconds that the cursor must rest before the text beside it follows."""


class LayerView(Pane):
    """Sections, list and detail. What differs between the views is said by class variables and three methods."""

    layers: ClassVar[tuple[Layer, ...]] = ()
    narrows: ClassVar[bool] = True
    badged: ClassVar[bool] = True
    """Whether a badge says whose a row is."""
    settled = False

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self.chosen: str = "all"
        self.section: ListSection | None = None
        self.order: Order = ORDERS[0]
        self.typed = ""
        self._narrowing = Narrowing(context)
        self._total = 0
        self._filling: Filling | None = None
        self._before: tuple[Any, int] = (None, 0)
        """What the cursor held before the list was narrowed, and where."""
        self._followed: Memory | None = None
        """What is shown though the list does not hold it: the other end of a chain."""
        self._held: Any = None
        """What the cursor held then."""
        self._timer: Timer | None = None
        self._unfolded: dict[str, Memory] = {}
        """Memories whose parts stand below them, by their ids."""
        self._inside = 0

    # -- what differs -------------------------------------------------------------------------------------------

    def paint(self, item: Memory, brush: Brush) -> list[list[Piece]]:
        """A row; where all are of one kind, without it."""
        home = self.context.home(item.home)
        whose = home.origin.told if home is not None and home.origin is not None else ""
        return paint.draw_memory_row(item, brush, whose=whose, kind=not self.chosen.startswith("kind:"))

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[ListSection]:
        """The sections, from the tallies of the view's layers. Called on a reader's thread."""
        labels, statuses = self.context.labels, within.statuses
        homes = [home for path, home in labels.items() if not within.homes or path in within.homes]
        shown = Counter({key: n for key, n in counts.items() if not statuses or key[3] in statuses})
        return [
            ListSection("all", _("All"), "bold", shown.total(), lambda narrowed: narrowed),
            *listing.group_by_home(shown, homes),
            *listing.group_by_kind(shown),
            *listing.group_by_status(counts),
        ]

    def arranged(self, listing: Listing, wanted: Wanted) -> Listing:
        """What was read, in an order or with rows of the view's own. Called on a reader's thread."""
        return listing

    def whole(self) -> Filter:
        """The filter of the view before a section or chips narrow it."""
        return self.context.scope(self.layers)

    # -- the widgets --------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Sections, list, detail."""
        look = self.context.look
        yield SectionList(look, id="sections")
        rows = Rows(self._draw, look, want=self._want, id="list")
        rows.badges = self.context.badges if self.badged else {}
        yield rows
        yield Detail(look, id="detail")

    def _draw(self, item: Any, brush: Brush) -> list[list[Piece]]:
        return paint.draw_nested_row(self.paint, item, brush, self._unfolded)

    def on_mount(self) -> None:
        """Titles that do not change."""
        if not self.children:
            # On the way out nothing is furnished any more.
            return
        self.query_one("#sections", Rows).border_title = Content(_("Sections"))
        self.query_one("#list", Rows).empty = ((_("reading …"), "dim"),)

    @property
    def middle(self) -> Rows:
        """The list in the middle."""
        return self.query_one("#list", Rows)

    def rows(self) -> Rows | None:
        """The sections if they have the focus, else the list."""
        focused = self.screen.focused
        return focused if isinstance(focused, Rows) and focused.parent is self else self.middle

    def memory(self) -> Memory | None:
        """The one that was followed to, else the memory under the list's cursor."""
        if self._followed is not None:
            return self._followed
        item = self.middle.current
        return item if isinstance(item, Memory) else None

    # -- asking -------------------------------------------------------------------------------------------------

    def refresh_view(self, *, patience: float = 0.0) -> None:
        """Ask again if anything changed, or another section is to be shown."""
        wanted = self.context.sections.pop(self.view, "")
        if wanted and wanted != self.chosen:
            self.chosen, self.typed = wanted, ""
            self.query_one("#sections", SectionList).held = wanted
            self._ask(None, 0, patience)
        super().refresh_view(patience=patience)

    def reload(self, *, patience: float = 0.0) -> None:
        """Ask for sections, references and the first screenful."""
        self._ask(self.middle.held, self.middle.cursor, patience)

    def _ask(self, held: Any, near: int, patience: float = 0.0) -> None:
        rows = self.middle
        height = max(24, rows.size.height)
        stood = rows.current if held is not None else None
        beside = _list_beside(rows.list_known(), stood) if isinstance(stood, Memory) else frozenset()
        here = held, near, rows.touched, height, stood, beside, rows.held, self.written
        wanted = Wanted(self.chosen, self.order, self.typed, *here)
        unfolded = list(self._unfolded.values())

        def job(cancelled: Callable[[], bool]) -> Listing | None:
            """List the view, with what is unfolded; None: nobody waits for it any more."""
            whole = self.whole()
            listing = read(self.context, whole, self.parts, self._narrowing, wanted=wanted, cancelled=cancelled)
            if listing is not None:
                listing = self.arranged(listing, wanted)
                unfold(self.context, listing, whole, unfolded)
            return listing

        self.context.reader.ask((self.view, "list"), job, self._show, key=self.question(), patience=patience)

    def question(self) -> Hashable:
        """What the list is the answer to: asked again it is the same question, whatever changed in the homes."""
        return self.chosen, self.order, self.typed, self.context.serial

    def _show(self, listing: Listing | None) -> None:
        if listing is None or not self.is_mounted:
            return
        self.section, self._inside = listing.section, listing.inside
        self.chosen = self.section.key
        self._total, self.ordered, self._filling = listing.total, listing.by, listing.filling
        self.settled = listing.filling is None or bool(listing.refs)
        self.written = Arrival() if listing.arrived else self.written
        words = listing.words.lower()
        self.words = (words,) if words else ()
        with self.app.batch_update():
            self.query_one("#sections", SectionList).offer(listing.sections, self.chosen)
            rows = self.middle
            rows.words = self.words
            rows.empty = ((self.why_empty(listing), "dim"),)
            rows.border_subtitle = Content(listing.left_out)
            rows.show(listing.refs, listing.known, at=listing.place(rows.held))
            detail = self.detail()
            if detail is not None and detail.words != self.words:
                detail.words = self.words
                detail.restate()
            self.tell()
        if listing.wrong:
            self.context.say(listing.wrong)

    def mend(self) -> str:
        """What its tab says, where nothing narrows the list."""
        bare = not (self.middle.items or self.typed or self._filling) and self.section is not None
        if not bare or self._total:
            return ""
        return find_tab(self.view).choose_mend(self.context)

    def why_empty(self, listing: Listing) -> str:
        """Why there are no rows; never 'nothing' while files are still being read."""
        if listing.filling is not None:
            return listing.filling.describe()
        if self.typed:
            return _("nothing here matches '{text}' · esc shows all").format(text=self.typed[:60])
        if sum(part.number for part in listing.sections[:1]) == 0 and self.chosen == "all":
            return find_tab(self.view).describe_nothing(self.context)
        return _("nothing in this section")

    def tell(self) -> None:
        """The list's title: the section and how many there are."""
        label = self.section.label if self.section and self.section.key != "all" else _("All")
        title = format_count_title(
            f"{_(self.title)} · {label}", len(self.middle.items) - self._inside, self._total, self._filling
        )
        if title != str(self.middle._border_title or ""):
            self.middle.border_title = Content(draw.clip_to_line(title))

    def _want(self, rows: Rows, refs: list[Any]) -> None:
        self.context.reader.ask((self.view, "rows", refs[0]), lambda _c: self.context.load(refs), rows.fetched)

    # -- what a person does -------------------------------------------------------------------------------------

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The text follows the list's cursor; the list follows the sections' cursor."""
        event.stop()
        if event.rows.id == "list":
            if self._followed is not None and event.rows.held != self._held:
                self._followed = None
            self._follow()
            return
        section = event.item.value if isinstance(event.item, Fixed) else None
        # A cursor that holds on to nothing is about to follow what was chosen, and chooses nothing itself.
        if isinstance(section, ListSection) and section.key != self.chosen and event.rows.held is not None:
            self.chosen, self.section = section.key, section
            self._ask(None, 0)

    def _follow(self) -> None:
        self.post_message(ActionClicked("place"))
        if self._timer is not None:
            self._timer.stop()
        detail = self.detail()
        if detail is not None and detail.memory is None and self.memory() is not None:
            self.show_detail()
            return
        self._timer = self.set_timer(DEBOUNCE, self.show_detail)

    def show_detail(self) -> None:
        """Read the chain of the memory under the cursor and show it."""
        memory, detail = self.memory(), self.detail()
        if detail is None:
            return
        if memory is None:
            if not self.middle.items:
                detail.clear()
            return
        self.present(memory, None)

        def job(_cancelled: Callable[[], bool]) -> tuple[Chain, str]:
            return self.context.vault.chain(memory), read_parts(self.context, memory)

        def show(found: tuple[Chain, str]) -> None:
            links, rest = found
            chained = any((links.before, links.after, links.dangling, links.cyclic))
            if self.memory() is memory and (chained or rest):
                self.present(memory, links, rest)

        self.context.reader.ask((self.view, "chain"), job, show)

    def present(self, memory: Memory, links: Chain | None, rest: str = "") -> None:
        """Show a memory in the reading pane, with the lines of its parts."""
        detail = self.detail()
        if detail is not None:
            home = self.context.home(memory.home)
            detail.show_memory(memory, links, home, more=lambda cells: self.below(memory, cells), rest=rest)

    def below(self, memory: Memory, cells: int) -> list[list[Piece]]:
        """Lines of the view's own between a memory's text and its fields."""
        return []

    def fold(self, open: bool) -> bool:
        """Fold or unfold the group under the sections' cursor, or the memory under the list's; False where nothing
        folds.
        """
        rows = self.middle
        if not rows.has_focus:
            return self.query_one("#sections", SectionList).fold(open)
        item = rows.current
        if not isinstance(item, Memory):
            return False
        if open:
            if item.reach <= item.end or item.id in self._unfolded:
                return False
            self._unfolded[item.id] = item
        else:
            owner = item if item.id in self._unfolded else self._find_owner(item)
            if owner is None:
                return False
            del self._unfolded[owner.id]
            rows.held = owner.id
        self._ask(rows.held, rows.cursor)
        return True

    def _find_owner(self, part: Memory) -> Memory | None:
        """The unfolded memory that a row stands within."""
        owners = (
            one
            for one in self._unfolded.values()
            if (one.home, one.path) == (part.home, part.path) and one.end < part.start <= one.reach
        )
        return next(owners, None) if part.level is Level.PART else None

    def narrow(self, text: str) -> None:
        """Narrow the list to what is typed, and stand on the first that is left; without words, where one was."""
        rows = self.middle
        if text == self.typed:
            return
        here = (rows.held, rows.cursor)
        self._before = self._before if self.typed else here
        self.typed = text
        self._ask(*((None, 0) if text else here if rows.has_focus and rows.items else self._before))

    def keep(self) -> dict[str, Any]:
        """Section, order, words, and the memory under the cursor."""
        held = self.middle.held if isinstance(self.middle.held, str) else ""
        return {
            "section": self.chosen,
            "order": self.order,
            "typed": self.typed,
            "held": held,
            "at": self.middle.cursor,
        }

    def restore(self, kept: Mapping[str, Any]) -> None:
        """As they were; the list is asked for anew."""
        section, order, typed, held, at = (kept.get(name) for name in ("section", "order", "typed", "held", "at"))
        if isinstance(section, str) and section:
            self.chosen = section
            self.query_one("#sections", SectionList).held = None
        self.order = next((one for one in ORDERS if one == order), self.order)
        self.typed = typed if isinstance(typed, str) else ""
        if held and isinstance(held, str) and isinstance(at, int):
            # Somebody chose it: what arrives while an index fills does not carry the cursor away.
            rows = self.middle
            rows.held, rows.touched = held, True
            rows.cursor = max(0, min(at, len(rows.items) - 1)) if rows.items else max(0, at)
            self._ask(held, at)
        else:
            self._ask(None, 0)

    def sort(self) -> str:
        """Take the next order and name it."""
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self._ask(None, 0)
        return self.order

    def go_to(self, memory: Memory) -> None:
        """Show a memory of this view: the cursor goes to it if it is in the list, else the text shows it."""

        def job(_cancelled: Callable[[], bool]) -> int | None:
            return locate(self.context, self.middle.items, memory.id, self.middle.cursor)

        def show(at: int | None) -> None:
            self._followed, self._held = (memory if at is None else None), self.middle.held
            if at is not None:
                self.middle.go(at)
            self.show_detail()

        self.context.reader.ask((self.view, "goto"), job, show)

    def place(self) -> str:
        """3 of 1,284 · recent"""
        rows = self.middle
        if not rows.items:
            return ""
        few = rows.items if len(rows.items) <= READ else ()
        heads = [n for n, row in enumerate(few) if isinstance(row, Fixed) and not row.rest]
        at, of = rows.cursor + 1 - sum(n < rows.cursor for n in heads), len(rows.items) - len(heads)
        return f"{at:,} / {of:,} · {_(self.ordered or self.order)}"

    def chips(self) -> str:
        return self.typed


def _list_beside(known: Iterable[Any], stood: Memory) -> frozenset[str]:
    """The ids of those of the same file."""
    home, path = stood.home, stood.path
    return frozenset(one.id for one in known if isinstance(one, Memory) and one.path == path and one.home == home)


SOON = "soon"
"""The key of the section of what expires soon."""
SHARED = "shared"
"""The key of the section of what several tools remember in their own words."""
TODOS = "kind:todo"
READ = 2000
"""Todos that are put in order, and entries of the profile whose files and sections are counted."""


class FactsView(LayerView):
    """Facts, rules, summaries, patterns, tools; and what several tools know, whatever its layer."""

    view: ClassVar[str] = "facts"
    title: ClassVar[str] = "Facts"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.KNOWLEDGE,)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._soon: list[Memory] = []
        self._shared: list[tuple[Memory, ...]] = []
        self._known_at: object = None
        self._told_above = False
        """There are no facts, and the profile tells what is known."""

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[ListSection]:
        """What expires soon stands with the statuses: it is about to have another."""
        plain = super().parts(counts, within)
        above = self.context.scope((Layer.PROFILE, Layer.CORE))
        self._told_above = not plain[0].number and bool(self.context.vault.ids(above, "path", limit=1))
        stamp = (self.context.stamp, int(clock.now() // 60))
        if stamp != self._known_at:
            self._soon, self._known_at = load_expiring(self.context), stamp
        if self._soon:
            days = self.context.vault.config.lifecycle.soon_days
            label = _("expiring in {days:g}d").format(days=days)
            plain.append(ListSection(SOON, label, "warn", len(self._soon), lambda whole: whole, _("Status"), sign="◔"))
        self._shared = self._load_shared()
        if self._shared or self.chosen == SHARED:
            told = ListSection(
                SHARED,
                _("shared by agents"),
                "accent",
                sum(map(len, self._shared)),
                lambda whole: whole,
                sign="=",
            )
            plain.insert(1, told)
        return plain

    def why_empty(self, listing: Listing) -> str:
        """What several tools know takes a while to be worked out."""
        if self.chosen == SHARED and self.context.analyst.busy and not self._shared:
            return _("comparing what the agents remember …")
        if self._told_above and self.chosen == "all" and not self.typed and listing.filling is None:
            if self.context.only_reads:
                return _("All that is known stands in the profile: 1 shows it.")
            return _("All that is known stands in the profile: 1 shows it. Enter writes the first fact.")
        return super().why_empty(listing)

    def _draw(self, item: Any, brush: Brush) -> list[list[Piece]]:
        # What several tools know stands by itself, whatever it is a part of.
        return self.paint(item, brush) if self.chosen == SHARED else super()._draw(item, brush)

    def _load_shared(self) -> list[tuple[Memory, ...]]:
        """Groups of memories that say the same, of the homes in view and of two tools at least."""
        badges, homes = self.context.badges, self.context.homes
        found = (self.context.analyst.load_echoes() or []) if badges else []
        shown = (tuple(one for one in group if not homes or one.home in homes) for group in found)
        return [group for group in shown if len({badges.get(one.home) for one in group}) > 1]

    def show_analysis(self) -> None:
        """What several tools know is worked out behind everything else."""
        if self.middle.touched and self.chosen != SHARED:
            return
        self.reload()

    def arranged(self, listing: Listing, wanted: Wanted) -> Listing:
        """What expires soon, the soonest first; of todos the open ones first."""
        if listing.section.key == TODOS and len(listing.refs) <= READ:
            put_open_first(self.context, listing)
        if listing.section.key == SHARED:
            return self._arrange_shared(listing, wanted)
        if listing.section.key != SOON:
            return listing
        words = listing.words.lower().split()
        found = [one for one in self._soon if all(word in one.text.lower() for word in words)]
        listing.refs, listing.total, listing.by = [LoadedRow(one) for one in found], len(self._soon), "expiry"
        listing.at = next((n for n, one in enumerate(found) if one.id == wanted.held), None)
        if wanted.held is None:
            listing.at = wanted.near
        return listing

    def _arrange_shared(self, listing: Listing, wanted: Wanted) -> Listing:
        """Group by group, each under the tools that know it."""
        words = listing.words.lower().split()
        rows: list[Any] = []
        heads = 0
        for number, group in enumerate(self._shared):
            if not all(any(word in one.text.lower() for one in group) for word in words):
                continue
            tools = dict.fromkeys(self.context.badges[one.home] for one in group)
            said = _n("{count} agent says", "{count} agents say", len(tools))
            heads += 1
            # The badges stand before the memories themselves.
            rows.append(Fixed(f"{SHARED}:{number}", ((f" {said}", "head"),), rest=False))
            rows += map(LoadedRow, group)
        listing.refs, listing.by, listing.inside = rows, "agents", heads
        listing.total = sum(map(len, self._shared))
        listing.at = next(
            (at for at, row in enumerate(rows) if isinstance(row, LoadedRow) and row.value.id == wanted.held), None
        )
        if wanted.held is None:
            listing.at = wanted.near
        return listing


def load_expiring(context: PaneContext) -> list[Memory]:
    """What expires soon, in any home in view, the soonest first. On a reader's thread."""
    found = expiry.list_expiring_soon(context.vault, context.homes, clock.now())
    return sorted(found, key=lambda memory: memory.expires or 0.0)
