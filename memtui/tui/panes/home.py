"""0 Home: four live panes side by side: profile, facts, timeline, evolution."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui import clock
from memtui.locale import _
from memtui.model import Layer, Memory, Order, Status
from memtui.tui import budget, draw, paint, recurring
from memtui.tui.effects import effect_row, effects, spoken
from memtui.tui.items import Fixed
from memtui.tui.messages import Chosen
from memtui.tui.panes.pane import Pane
from memtui.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from textual.app import ComposeResult

    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush

FIRST = 24
"""Memories read for a pane of the first frame: what a screen can show of it."""

FEW = 150
"""Memories read for a pane: it shows what is newest; the view of its own has everything."""

BOXES: tuple[tuple[str, str, tuple[Layer, ...]], ...] = (
    ("profile", "Profile · L0", (Layer.PROFILE, Layer.CORE)),
    ("facts", "Facts · L1", (Layer.KNOWLEDGE,)),
    ("timeline", "Timeline · L2", (Layer.SESSION, Layer.JOURNAL)),
    ("evolution", "Evolution", (Layer.EVOLUTION,)),
)


@dataclass(slots=True)
class Board:
    """What a reader brings back: rows for each box, and how many there are of everything."""

    rows: dict[str, list[Any]] = field(default_factory=dict)
    counts: Counter[tuple[Layer, str, Status]] = field(default_factory=Counter)
    budget: tuple[Piece, ...] = ()
    """How full the first MEMORY.md is."""
    filling: bool = False
    """Whether an index is still being built."""

    def total(self, layers: Iterable[Layer]) -> int:
        """Active memories of these layers."""
        wanted = set(layers)
        return sum(
            n for (layer, _kind, status), n in self.counts.items() if layer in wanted and _stands(status)
        )


def _stands(status: Status) -> bool:
    return status in {Status.ACTIVE, Status.CANDIDATE}


class HomeView(Pane):
    """What one sees first."""

    view: ClassVar[str] = "home"
    number: ClassVar[str] = "0"
    title: ClassVar[str] = "Home"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._few = FIRST
        self._filling = True

    def compose(self) -> ComposeResult:
        """Four lists."""
        look = self.context.look
        painters = {
            "profile": paint.entry,
            "facts": paint.memory,
            "timeline": lambda item, brush: paint.timed(item, brush, days=False),
            "evolution": _learnt,
        }
        for name, title, _layers in BOXES:
            rows = Rows(painters[name], look, id=f"home-{name}", classes="box")
            rows.border_title = Content(_(title))
            rows.empty = ((_("reading …"), "dim"),)
            yield rows

    def focus_first(self) -> None:
        """The first box."""
        self.query(Rows).first().focus()

    def memory(self) -> Memory | None:
        """The memory under the focused box's cursor."""
        rows = self.rows()
        item = rows.current if rows is not None else None
        return item if isinstance(item, Memory) else None

    def opens(self) -> str:
        """The view that the focused box opens."""
        rows = self.rows()
        return (rows.id or "").removeprefix("home-") if rows is not None else ""

    # -- asking -------------------------------------------------------------------------------------------------

    def reload(self, *, patience: float = 0.0) -> None:
        """Everything for the four boxes at once."""
        self.context.reader.ask((self.view, "board"), self._board, self._show, patience=patience)

    def _board(self, _cancelled: Callable[[], bool]) -> Board:
        board = Board(filling=any(status.building for status in self.context.vault.status()))
        for (_home, layer, kind, status), number in self.context.vault.counts(self.context.scope()).items():
            board.counts[layer, kind, status] += number
        board.rows["profile"] = self._profile()
        board.budget = next((row.left for row in board.rows["profile"] if _is_gauge(row)), ())
        board.rows["facts"] = [item for item in self._newest((Layer.KNOWLEDGE,)) if item.kind != "index"]
        board.rows["timeline"] = _by_day(
            [
                *self._newest((Layer.SESSION,), ("session",)),
                *self._newest((Layer.JOURNAL,)),
            ]
        )
        board.rows["evolution"] = self._evolution()
        if hidden := [
            f"{number:,} {status.value}"
            for status, number in _hidden(board.counts, Layer.KNOWLEDGE).items()
            if number
        ]:
            total = board.total((Layer.KNOWLEDGE,))
            words = " · ".join([f"{total:,} " + _("active"), *hidden])
            board.rows["facts"] += [_blank("facts"), Fixed("facts:sum", (("  " + words, "dim"),), rest=False)]
        return board

    def _newest(
        self, layers: tuple[Layer, ...], kinds: tuple[str, ...] = (), order: Order = "recent"
    ) -> list[Memory]:
        vault = self.context.vault
        refs = vault.ids(self.context.scope(layers, kinds), order, limit=self._few)
        return [memory for memory in vault.load(refs) if memory is not None]

    def _profile(self) -> list[Any]:
        rows: list[Any] = []
        place = None
        several = len(self.context.vault.homes) > 1
        for memory in self._newest((Layer.PROFILE,), order="path"):
            if place != (memory.home, memory.path):
                place = (memory.home, memory.path)
                home = self.context.home(memory.home)
                label = draw.one_line(home.label) if home and several else ""
                rows.append(
                    Fixed(place, tuple(budget.head(memory.path)), ((f" {label} ", "faint"),), rest=False)
                )
            rows.append(memory)
        core: Counter[tuple[str, str]] = Counter()
        kinds: dict[tuple[str, str], Counter[str]] = {}
        for memory in self._newest((Layer.CORE,), order="path"):
            where = (memory.home, memory.path)
            core[where] += 1
            name = memory.heading[-1] if memory.heading else memory.kind
            kinds.setdefault(where, Counter())[name] += 1
        for where in islice(core, 12):
            rows += self._core(*where, kinds[where])
        return rows

    def _core(self, home: str, path: str, sections: Counter[str]) -> list[Any]:
        vault = self.context.vault
        used = budget.measure(home, path, vault.text(home, path))
        label = self.context.home(home)
        several = len(vault.homes) > 1 and label is not None
        right = ((f" {draw.one_line(label.label)} ", "faint"),) if several and label else ()
        rows: list[Any] = [Fixed(("core", home, path), tuple(budget.head(path)), right, value=used)]
        if path.endswith("MEMORY.md"):
            rows.append(Fixed(("gauge", home, path), (("   ", ""), *budget.gauge(used)), rest=False))
        words = "   ".join(f"{draw.one_line(name)} {number}" for name, number in sections.most_common(6))
        rows.append(Fixed(("parts", home, path), (("   " + words, "dim"),), rest=False))
        return rows

    def _evolution(self) -> list[Any]:
        rows: list[Any] = list(recurring.gravest(self._newest((Layer.EVOLUTION,), ("signal",))))[:8]
        events = self._newest((Layer.EVOLUTION,), ("event", "outcome"))
        if found := effects(events)[:8]:
            rows += [_blank("effects")] if rows else []
            rows.append(Fixed("effects", ((" " + _("effect of what is remembered"), "dim"),), rest=False))
            told = spoken(
                [*self._newest((Layer.CORE,)), *self._newest((Layer.KNOWLEDGE,), ("rule", "lesson"))]
            )
            rows += [effect_row(effect, 9, told) for effect in found]
        for kinds in (("capability",), ("note", "signal"), ("event", "outcome")):
            more = [item for item in self._newest((Layer.EVOLUTION,), kinds) if not recurring.counted(item)]
            if more:
                rows += [_blank(kinds[0])] if rows else []
                rows += more[:20]
        return rows

    # -- showing ------------------------------------------------------------------------------------------------

    def _show(self, board: Board) -> None:
        if not self.is_mounted:
            return
        if self._few < FEW:
            self._few = FEW
            self.set_timer(0.2, self.reload)
        with self.app.batch_update():
            for name, title, layers in BOXES:
                rows = self.query_one(f"#home-{name}", Rows)
                rows.empty = ((self._why_empty(name, board), "dim"),)
                rows.border_title = Content(f"{_(title)} · {board.total(layers):,}")
                # What arrives above while an index fills must not push the first row out of sight.
                rows.show(board.rows[name], at=0 if self._filling and not rows.touched else None)
        self._filling = board.filling
        if board.budget:
            words = "".join(text for text, _style in board.budget).strip()
            self.query_one("#home-profile", Rows).border_subtitle = Content(f"MEMORY.md {words}")

    def _why_empty(self, name: str, board: Board) -> str:
        from memtui.tui.panes import pane_class

        if board.filling:
            return _("indexing …")
        return _(getattr(pane_class(name), "nothing", ""))

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The status line says where one is."""
        event.stop()
        if event.rows.has_focus:
            self.post_message(Chosen("place"))

    def place(self) -> str:
        """path:line of what the cursor stands on."""
        memory = self.memory()
        return draw.one_line(f"{memory.path}:{memory.start}") if memory else ""


def _learnt(item: Memory, brush: Brush) -> list[list[Piece]]:
    return recurring.signal(item, brush) if recurring.counted(item) else paint.memory(item, brush)


def _is_gauge(row: Any) -> bool:
    return isinstance(row, Fixed) and isinstance(row.key, tuple) and row.key[0] == "gauge"


def _blank(key: str) -> Fixed:
    return Fixed(f"blank:{key}", (), rest=False)


def _hidden(counts: Counter[tuple[Layer, str, Status]], layer: Layer) -> dict[Status, int]:
    found: dict[Status, int] = {}
    for (where, _kind, status), number in counts.items():
        if where is layer and not _stands(status):
            found[status] = found.get(status, 0) + number
    return found


def _by_day(memories: list[Memory]) -> list[Any]:
    """Newest first, under the name of each day; the bookkeeping of sessions (spec 004) is left to the view."""
    memories = [memory for memory in memories if not memory.kind.startswith("session_")]
    memories.sort(key=lambda memory: paint.when(memory) or 0.0, reverse=True)
    rows: list[Any] = []
    day = ""
    for memory in memories[:FEW]:
        moment = paint.when(memory)
        name = clock.day(moment) if moment is not None else _("no date")
        if name != day:
            day = name
            weekday = "  " + paint.weekday(clock.local(moment).weekday()) if moment is not None else ""
            rows.append(Fixed(("day", day), ((" " + day, "head"), (weekday, "dim")), rest=False))
        rows.append(memory)
    return rows
