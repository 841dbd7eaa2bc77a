"""0 Home: four live panes side by side: profile, facts, timeline, evolution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import Layer, Memory
from memtui.core.startup import compile_pattern
from memtui.tui import draw, evolution_model, evolution_rows, paint
from memtui.tui.bars import format_count_title
from memtui.tui.context import ActionClicked
from memtui.tui.evolution_model import FailureRun, LessonRow, ProblemRow
from memtui.tui.home_model import FEW, Boards, LearningSummary, list_evolution_rows, read_learned
from memtui.tui.panes import find_tab
from memtui.tui.panes.pane import Pane
from memtui.tui.row_list import Rows

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.home_model import Board
    from memtui.tui.row_list import Brush

BOXES: tuple[tuple[str, str, tuple[Layer, ...]], ...] = (
    ("profile", "Profile · L0", (Layer.PROFILE, Layer.CORE)),
    ("facts", "Facts · L1", (Layer.KNOWLEDGE,)),
    ("timeline", "Timeline · L2", (Layer.SESSION, Layer.JOURNAL)),
    ("evolution", "Evolution", (Layer.EVOLUTION,)),
)


class HomeView(Pane):
    """What one sees first."""

    view: ClassVar[str] = "home"
    number: ClassVar[str] = "0"
    title: ClassVar[str] = "Home"
    settled = False

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._boards = Boards(context)
        self._few = 0
        self._shown: dict[str, list[Any]] = {}
        self._board: Board | None = None
        self._learned = LearningSummary()
        self._learned_at: object = None
        self._asked: dict[str, int] = {}
        """How many rows of each box were seen when they were asked for."""

    def compose(self) -> ComposeResult:
        """Four lists."""
        look = self.context.look
        painters = {
            "profile": paint.draw_entry_row,
            "facts": _fact,
            "timeline": lambda item, brush: paint.draw_dated_row(item, brush, days=False),
            "evolution": self._learnt,
        }
        for name, title, _layers in BOXES:
            rows = Rows(painters[name], look, id=f"home-{name}", classes="box")
            rows.border_title = Content(_(title))
            rows.empty = ((_("reading …"), "dim"),)
            yield rows

    def focus_first(self) -> None:
        """The first box."""
        self.query(Rows).first().focus()

    def rows(self) -> Rows:
        """The box that has the focus, else the first: where the focus is about to be."""
        focused = self.screen.focused
        return focused if isinstance(focused, Rows) and focused.parent is self else self.query(Rows).first()

    def memory(self) -> Memory | None:
        """The memory under the focused box's cursor."""
        item = self.rows().current
        if isinstance(item, LessonRow):
            return item.memory
        return item if isinstance(item, Memory) else None

    def enter(self) -> bool:
        """What was learnt is shown in its own view."""
        if not isinstance(self.rows().current, (LessonRow, ProblemRow, FailureRun)):
            return False
        self.post_message(ActionClicked("view.4"))
        return True

    def opens(self) -> str:
        """The view that the focused box opens."""
        return (self.rows().id or "").removeprefix("home-")

    def layer_here(self) -> Layer:
        """What the focused box is about."""
        memory = self.memory()
        layers = {"profile": (memory.layer if memory else None) or Layer.PROFILE, "timeline": Layer.JOURNAL}
        return layers.get(self.opens(), Layer.KNOWLEDGE)

    # -- asking -------------------------------------------------------------------------------------------------

    def reload(self, *, patience: float = 0.0) -> None:
        """Rows for the four boxes; what was learnt from use comes when it is there."""
        # The first frame waits for no more than it can show.
        few = self._few or max(8, self.app.size.height // 2 - 4)
        seen = self._pages()
        self._asked = seen
        pages = {name: height or few for name, height in seen.items()}
        rows = self.query_one("#home-timeline", Rows)
        held = rows.current.id if rows.touched and isinstance(rows.current, Memory) else ""
        self.context.reader.ask(
            (self.view, "board"),
            lambda _cancelled: self._boards.read(few, pages, held),
            self._show,
            key=self.context.serial,
            patience=patience,
        )

    def _go_on(self) -> None:
        if self._few < FEW:
            self._few = FEW
            self.reload()

    def _pages(self) -> dict[str, int]:
        """How many rows of each box are seen."""
        return {name: self.query_one(f"#home-{name}", Rows).size.height for name, _title, _layers in BOXES}

    def _fit(self) -> None:
        """What was chosen for boxes of other heights is chosen again: what is seen depends on no order of events."""
        if self.is_mounted and self._few == FEW and self._board is not None and self._pages() != self._asked:
            self.reload()

    def _learn(self) -> None:
        """Ask what was learnt, where anything has changed since: behind the rows, which never wait for it."""
        stamp = self.context.stamp, self.context.analyst.turns
        if stamp == self._learned_at:
            return
        self._learned_at = stamp

        def show(learned: LearningSummary) -> None:
            self._learned = learned
            if self._board is not None and self.is_mounted:
                self._fill("evolution", self._board)

        self.context.reader.ask(
            (self.view, "learned"),
            lambda cancelled: read_learned(self.context, cancelled),
            show,
            key=self.context.serial,
            behind=True,
        )

    def show_analysis(self) -> None:
        """What was learnt is one of the boxes."""
        if self._board is not None:
            self._learn()

    # -- showing ------------------------------------------------------------------------------------------------

    def _show(self, board: Board) -> None:
        if not self.is_mounted:
            return
        self._board = board
        self.settled = board.filling is None or any(board.rows.values())
        if self._few < FEW:
            self.set_timer(0.2, self._go_on)
        with self.app.batch_update():
            self._share_room(board)
            for name, title, layers in BOXES:
                rows = self.query_one(f"#home-{name}", Rows)
                below = board.gauge(rows.size.width - 4) if name == "profile" else ""
                if name == "facts":
                    below = board.left_out(layers)
                total = board.total(layers) + (board.days if name == "timeline" else 0)
                rows.entitle(format_count_title(_(title), total, total, board.filling), below)
                self._fill(name, board)
        # Two threads take turns: what was learnt would be read while the rows are painted, and they wait.
        self.call_after_refresh(self._learn)

    def _share_room(self, board: Board) -> None:
        """A box without anything to tell leaves its room to the others. What analysis adds later changes no room: rows
        that somebody reads stay where they stand."""
        bare = [
            name
            for name in ("timeline", "evolution")
            if not (board.rows.get(name) or self._noted(name, board))
        ]
        self.set_class(len(bare) == 2, "-bare")
        self.set_class(bare == ["evolution"], "-unlearnt")
        facts = any(isinstance(row, Memory) for row in board.rows["facts"])
        self.set_class(bare == ["evolution"] and not facts, "-noted")
        self.call_after_refresh(self._fit)

    def _fill(self, name: str, board: Board) -> None:
        """Show the rows of a box, if they are others than those it shows."""
        rows = self.query_one(f"#home-{name}", Rows)
        found = self._rows_of(name, board)
        words = board.filling.describe() if board.filling is not None else _(find_tab(name).nothing)
        if name == "evolution" and board.filling is None and not self._learned.found.known:
            words = self.context.analyst.trouble or _("working out what was learnt …")
        rows.empty = ((words, "dim"),)
        # Rows tell their age; what else they say is known by where they stand.
        shown = [int(clock.now() // 60), *([] if found else rows.empty), *map(_stamp, found)]
        if shown == self._shown.get(name):
            return
        self._shown[name] = shown
        # Until somebody moves the cursor, what arrives above must not push the first row out of sight.
        rows.show(found, at=None if rows.touched else 0)

    def _rows_of(self, name: str, board: Board) -> list[Any]:
        return list_evolution_rows(board, self._learned) if name == "evolution" else board.rows[name]

    def _noted(self, name: str, board: Board) -> bool:
        return name == "evolution" and bool(board.reports or any(board.noted.values()))

    def _learnt(self, item: Any, brush: Brush) -> list[list[Piece]]:
        if isinstance(item, Memory):
            return (
                evolution_model.draw_signal_row(item, brush)
                if evolution_model.is_counted_signal(item)
                else paint.draw_memory_row(item, brush)
            )
        return evolution_rows.draw_learnt_row(item, brush, self.context.vault.config.evolution)

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The status line says where one is."""
        event.stop()
        if event.rows.has_focus:
            self.post_message(ActionClicked("place"))

    def place(self) -> str:
        """path:line of what the cursor stands on."""
        memory = self.memory()
        return draw.clip_to_line(f"{memory.path}:{memory.start}") if memory else ""


def _fact(item: Any, brush: Brush) -> list[list[Piece]]:
    """What is known; where its words leave room, the document that it is from. A rule that begins with when it holds
    says what it is about first.
    """
    aside = draw.clip_to_line(item.heading[0]) if len(item.heading) > 1 else ""
    text = ""
    if len(item.heading) > 2 and (rule := _CONDITIONAL.match(item.text)):
        text = paint.strip_line(draw.clip_to_line(f"{item.heading[-1]}: {item.text[rule.end() :]}"))
    return paint.draw_memory_row(item, brush, text, aside="" if aside.lower() in item.text.lower() else aside)


_CONDITIONAL = compile_pattern(
    r"\W{0,4}(?:条件|场景|前提|conditions?|when|given|scenario)\W{0,3}[:：][^\n]{1,400}\n"
    r"\W{0,4}(?:行为|动作|处理|behaviou?r|then|action)\W{0,3}[:：]\W{0,3}\s*(?=\S)",
    2,
)
"""How a rule of the form condition, behaviour, result begins."""


def _stamp(row: Any) -> Any:
    """Two rows with the same one look the same."""
    return (row.home, row.id, row.start, row.etag, row.status) if isinstance(row, Memory) else row
