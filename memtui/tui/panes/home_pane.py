"""0 Home: what is new and what to do in a strip, and four live panes below it: profile, facts, timeline, evolution.

Where there is room, the memory under the cursor stands beside them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui.core import clock
from memtui.core.locale import _
from memtui.core.model import Layer, Memory
from memtui.core.startup import compile_pattern
from memtui.layouts.tracks import name_owner, shorten_slug_path
from memtui.tui import draw, evolution_model, evolution_rows, paint
from memtui.tui.bars import format_count_title
from memtui.tui.context import ActionClicked, FileWanted
from memtui.tui.detail import Detail
from memtui.tui.evolution_model import FailureRun, LessonRow, ProblemRow
from memtui.tui.home_model import BRIEF, FEW, HEADED, Boards, LearningSummary, list_evolution_rows, read_learned
from memtui.tui.panes import find_tab
from memtui.tui.panes.pane import Pane
from memtui.tui.row_list import Fixed, Ground, Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from textual.app import ComposeResult

    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.home_model import Board
    from memtui.tui.row_list import Brush
    from memtui.tui.today import DayNews

ALL_BOXES = 0.06
"""Seconds that the first frame waits for all boxes: then it shows the profile, which is there long before."""
MORE = 0.2
"""Seconds from the first frame of few rows to the reading of the others."""
WHOLE = 1.0
"""Seconds between two looks at what a build adds to the other boxes than that of notes."""
HIGH = 30
"""Lines of a screen from which the strip has a frame."""
STRIP = 3, 4, 6
"""Rows of the strip: on a low screen, on one of the usual height, and on a high one."""
HIGHER = 44
GREETING = 4
"""Rows of what a person is told once: each of them is wanted, on the lowest screen too."""

BOXES: tuple[tuple[str, str, tuple[Layer, ...]], ...] = (
    ("profile", "Profile · L0", (Layer.PROFILE, Layer.CORE)),
    ("facts", "Facts · L1", (Layer.KNOWLEDGE,)),
    ("timeline", "Timeline · L2", (Layer.SESSION, Layer.JOURNAL)),
    ("evolution", "Evolution", (Layer.EVOLUTION,)),
)


def _load_today() -> ModuleType:
    """What the strip says: the first frame needs none of it."""
    from memtui.tui import today

    return today


class HomeView(Pane):
    """What one sees first."""

    view: ClassVar[str] = "home"
    title: ClassVar[str] = "Home"
    settled = False
    list_share = 2

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self._boards = Boards(context)
        self._few = 0
        self._shown: dict[str, list[Any]] = {}
        self._begun: Board | None = None
        """The first board, before all of it was read."""
        self._board: Board | None = None
        self._learned = LearningSummary()
        self._learned_at: object = None
        self._news: DayNews | None = None
        self._read_at: object = None
        self._folded = self._awaits = self._shared = False
        self._asked: dict[str, int] = {}
        """How many rows of each box were seen when they were asked for."""

    def compose(self) -> ComposeResult:
        """The strip, four lists, and the text of what is under the cursor."""
        look = self.context.look
        strip = Rows(lambda _item, _brush: [], look, id="home-today")
        strip.border_title = Content(_("Today"))
        strip.show(self._list_strip())
        yield strip
        with Ground(id="home-ground"):
            with Ground(id="boxes"):
                yield from self._compose_boxes()
            yield Detail(look, id="detail")

    def _compose_boxes(self) -> ComposeResult:
        look = self.context.look
        painters = {
            "profile": lambda item, brush: _draw_entry(item, brush, self._name_owner(item)),
            "facts": lambda item, brush: _draw_fact(item, brush, self._name_owner(item)),
            "timeline": lambda item, brush: paint.draw_dated_row(
                item, brush, days=self._asked.get("timeline", 0) < HEADED, whose=self._name_owner(item)
            ),
            "evolution": self._draw_learnt,
        }
        for name, title, _layers in BOXES:
            rows = Rows(painters[name], look, id=f"home-{name}", classes="box")
            rows.border_title = Content(_(title))
            rows.empty = ((_("reading …"), "dim"),)
            rows.badges = self.context.badges
            yield rows

    @property
    def strip(self) -> Rows:
        """What is new, and what to do."""
        return self.query_one("#home-today", Rows)

    def focus_first(self) -> None:
        """The first box; asked for again, the strip above it."""
        first = self.query_one("#home-profile", Rows)
        (self.strip if self.screen.focused is first or not self.context.labels else first).focus()

    def rows(self) -> Rows:
        """The box that has the focus, else the first: where the focus is about to be."""
        focused = self.screen.focused
        mine = isinstance(focused, Rows) and self in focused.ancestors
        return focused if mine and isinstance(focused, Rows) else self.query_one("#home-profile", Rows)

    def detail(self) -> Detail | None:
        """The text beside the boxes, where there is room for it."""
        found = self.query_one("#detail", Detail)
        return found if self.screen.has_class("-huge") else None

    def memory(self) -> Memory | None:
        """The memory under the focused box's cursor."""
        item = self.rows().current
        if isinstance(item, LessonRow):
            return item.memory
        return item if isinstance(item, Memory) else None

    def enter(self) -> bool:
        """What was learnt is shown in its own view; a row of the strip leads to what it tells of."""
        item = self.rows().current
        if isinstance(item, Fixed) and item.value is not None and self.rows() is self.strip:
            self._follow(item.value)
            return True
        if not isinstance(self.rows().current, (LessonRow, ProblemRow, FailureRun)):
            return False
        self.post_message(ActionClicked("view.4"))
        return True

    def _follow(self, goal: Any) -> None:
        """Go where a row of the strip leads."""
        if goal.action == "today.unfold":
            self.fold(True)
        elif goal.place is not None:
            self.post_message(FileWanted(*goal.place))
        else:
            self.context.waiting.wanted = goal.candidate or self.context.waiting.wanted
            self.context.asking, self.context.counted = goal.words, (goal.words, goal.only)
            self.post_message(ActionClicked(goal.action))

    def fold(self, open: bool) -> bool:
        """Make one line of the strip, or all of its rows again."""
        if self.rows() is not self.strip or open != self._folded:
            return False
        self._folded = self.context.folded = not open
        self._show_strip()
        return True

    def mend(self) -> str:
        """What the tab of an empty box says."""
        box, board = self.opens(), self._board
        if not box or board is None or board.filling is not None or self.rows().items:
            return ""
        return find_tab(box).choose_mend(self.context)

    def peel(self) -> bool:
        """Who has read what this is needs it no more."""
        greeted, self.context.greets = self.context.greets, False
        if greeted:
            self._show_strip()
        return greeted

    def opens(self) -> str:
        """The view that the focused box opens."""
        box = (self.rows().id or "").removeprefix("home-")
        return "" if box == "today" else box

    def layer_here(self) -> Layer:
        memory = self.memory()
        layers = {"profile": (memory.layer if memory else None) or Layer.PROFILE, "timeline": Layer.JOURNAL}
        return layers.get(self.opens(), Layer.KNOWLEDGE)

    # -- asking -------------------------------------------------------------------------------------------------

    def reload(self, *, patience: float = 0.0) -> None:
        """Rows for the four boxes; what was learnt from use comes when it is there."""
        read = self._prepare_read()
        self.context.reader.ask(
            (self.view, "board"),
            lambda _cancelled: read(begun=self._begin),
            self._show,
            key=self.context.serial,
            patience=min(patience, ALL_BOXES),
        )
        self._show_profile()

    def _prepare_read(self) -> partial[Board]:
        """The question for what the boxes have room for."""
        # The first frame waits for no more than it can show.
        few = self._few or max(8, self.app.size.height // 2 - 4)
        seen = self._count_pages()
        # Before the first frame no box has its height yet: on the same screen it is that of the last time.
        before = self._recall_pages() if not any(seen.values()) else {}
        self._asked = before or seen
        pages = {name: height or few for name, height in self._asked.items()}
        rows = self.query_one("#home-timeline", Rows)
        held = rows.current.id if rows.touched and isinstance(rows.current, Memory) else ""
        return partial(self._boards.read, few, pages, held)

    def _begin(self, board: Board) -> None:
        """The profile is there, and the reader's thread goes on to read the rest of the first board."""
        if self._board is None and board.rows["profile"]:
            self._begun = board
            self.context.reader.later(self._show_profile)

    def _show_profile(self) -> None:
        if self._begun is not None and self._board is None and self.is_mounted:
            self._fill("profile", self._begun)

    def _go_on(self) -> None:
        if self._few < FEW:
            self._few = FEW
            self.reload()

    def _read_whole(self) -> None:
        """Have the other boxes read beside the notes, for the next board to have them."""
        self._awaits = False
        if self.display and self._board is not None and self._board.filling is not None:
            read = self._prepare_read()
            self.context.reader.ask(
                (self.view, "whole"),
                lambda _cancelled: read(whole=True),
                lambda _board: self.reload(),
                key=self.context.serial,
                behind=True,
            )

    def _count_pages(self) -> dict[str, int]:
        """How many rows of each box are seen, or were, where another stands alone."""
        zoomed = self.screen.has_class("-zoom")
        boxes = {name: self.query_one(f"#home-{name}", Rows) for name, _title, _layers in BOXES}
        return {
            name: self._asked.get(name, 0) if zoomed and not rows.has_class("-zoomed") else rows.size.height
            for name, rows in boxes.items()
        }

    def keep(self) -> dict[str, Any]:
        """Where the cursor is, and how many rows of each box are seen on a screen of this size."""
        return {**super().keep(), "seen": [*self.app.size, self._count_pages()]}

    def _recall_pages(self) -> dict[str, int]:
        """How many rows of each box were seen when these homes were left on a screen of this size; empty: who knows."""
        match self.context.whereabouts.views.get(self.view, {}).get("seen"):
            case [width, height, dict() as pages] if (width, height) == self.app.size:
                counts = {name: pages.get(name) for name, _title, _layers in BOXES}
                found = {name: n for name, n in counts.items() if isinstance(n, int) and 0 <= n <= height}
                return found if len(found) == len(BOXES) else {}
        return {}

    def _read_news(self) -> None:
        """Ask what is new, where anything has changed since: behind the rows, and behind what was learnt."""
        stamp = self.context.stamp, self.context.analyst.turns
        if stamp == self._read_at:
            return
        self._read_at = stamp

        def job(cancelled: Callable[[], bool]) -> DayNews:
            # The first frame needs none of it.
            news: DayNews = _load_today().read_today(self.context, self._boards, cancelled)
            return news

        def show(news: DayNews) -> None:
            if self._news is None:
                self._folded = news.looks.folded
            self._news = news
            self.context.seen.update(self.context.homes or self.context.labels)
            if self.is_mounted:
                self._show_strip()

        self.context.reader.ask((self.view, "today"), job, show, key=self.context.serial, behind=True)

    def _count_strip_rows(self) -> int:
        height = self.app.size.height
        room = STRIP[(height >= HIGH) + (height >= HIGHER)]
        beginning = self._news is not None and self._news.here
        return max(room, GREETING) if self._greets or beginning else room

    @property
    def _greets(self) -> bool:
        """Whether somebody who was never here is told what this is."""
        new = self._news is not None and not self._news.looks.known
        return new and self.context.greets and bool(self.context.labels)

    def _list_strip(self) -> list[Fixed]:
        """The rows of the strip, as far as they are known."""
        if self._news is None:
            told = (_("learned"), _("decide"))
            return [
                Fixed(f"today:{name}", ((f" {draw.pad(name, 9)} ", "dim"), ("…", "faint")), rest=False) for name in told
            ]
        today = _load_today()
        made: list[Fixed] = (
            today.list_beginning_rows(self._news.here)
            if not self.context.labels
            else today.list_greeting_rows(self.context, self._news.teams, self._count_strip_rows())
            if self._greets
            else today.list_today_rows(self.context, self._news, self._board, self._learned, self._count_strip_rows())
        )
        return [today.fold_today(made)] if self._folded or self.screen.has_class("-tiny") else made

    def _show_strip(self) -> None:
        """Show them: as high as the screen lets it be, whatever is known by now, so that nothing below it moves."""
        strip = self.strip
        rows = self._list_strip()
        one = self._folded or self.screen.has_class("-tiny")
        framed = self.app.size.height >= HIGH and not one
        strip.set_class(not framed, "-flat")
        strip.styles.height = 1 if one else self._count_strip_rows() + 2 * framed
        shown = [(row.key, row.left, row.right) for row in rows]
        if shown != self._shown.get("today"):
            self._shown["today"] = shown
            strip.show(rows, at=None if strip.touched else 0)

    def on_mount(self) -> None:
        """The strip has its height before anything is known, and follows what waits."""
        self._show_strip()
        self.context.waiting.follow(self._follow_waiting)

    def _follow_waiting(self) -> None:
        if self.is_mounted and self.display and self._news:
            self._show_strip()

    def refresh_view(self, *, patience: float = 0.0) -> None:
        """Ask again if anything changed; what was decided in another view is gone from the strip at once."""
        self._follow_waiting()
        super().refresh_view(patience=patience)

    def on_resize(self) -> None:
        """Another height leaves other room."""
        self._show_strip()
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """What was chosen for boxes of other heights is chosen again: what is seen depends on no order of events."""
        if self.is_mounted and self._few == FEW and self._board is not None and self._count_pages() != self._asked:
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
            self._read_news()

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
            self.set_timer(MORE, self._go_on)
        elif board.filling is not None and not self._awaits:
            self._awaits = True
            self.set_timer(WHOLE, self._read_whole)
        with self.app.batch_update():
            self._share_room(board)
            every = (row for rows in board.rows.values() for row in rows if isinstance(row, Memory))
            owners = {(row.home, name_owner(row.path)) for row in every}
            self._shared = len(owners) > len({home for home, _owner in owners})
            for name, _title, _layers in BOXES:
                self._fill(name, board)
        # Threads take turns: what was learnt would be read while the rows are painted, and while the first look at the
        # files brings what was saved meanwhile.
        if self._learned_at is None and self.context.pause:
            self.set_timer(self.context.pause, self._learn)
        else:
            self.call_after_refresh(self._learn)

    def _share_room(self, board: Board) -> None:
        """A box without anything to tell leaves its room to the others. What analysis adds later changes no room: rows
        that somebody reads stay where they stand."""
        bare = [
            name for name in ("timeline", "evolution") if not (board.rows.get(name) or self._has_notes(name, board))
        ]
        self.set_class(len(bare) == 2, "-bare")
        self.set_class(bare == ["evolution"], "-unlearnt")
        self.set_class(bare == ["evolution"] and board.silent, "-silent")
        facts = any(isinstance(row, Memory) for row in board.rows["facts"])
        self.set_class(bare == ["evolution"] and not facts, "-noted")
        many = sum(isinstance(row, Memory) for row in board.rows["timeline"]) > BRIEF
        self.set_class(bare == ["evolution"] and board.brief and many and board.filling is None, "-brief")
        self.call_after_refresh(self.fit)

    def _fill(self, name: str, board: Board) -> None:
        """Show the rows of a box, if they are others than those it shows."""
        rows = self.query_one(f"#home-{name}", Rows)
        found = list_evolution_rows(board, self._learned) if name == "evolution" else board.rows[name]
        self._entitle(rows, name, board, found)
        nothing = find_tab(name).describe_nothing(self.context)
        words = nothing if board.filling is None else board.filling.describe()
        if name == "facts" and board.filling is None and board.total((Layer.KNOWLEDGE,)):
            # What a short profile leaves room for stands there.
            words = _("All of them stand in the profile's box; 2 lists them.")
        if name == "evolution" and board.filling is None and not self._learned.found.known:
            words = self.context.analyst.trouble or _("working out what was learnt …")
        elif name == "evolution" and board.filling is None and self.context.labels:
            words = _("No session signals yet; ↵ installs hooks, B analyzes past ones.")
        if name == "evolution" and board.filling is None and self.has_class("-silent"):
            # It has one row.
            words = _("No session signals yet; ↵ installs hooks.")
        if not self.context.labels:
            # The strip above says how to begin.
            words = _(find_tab(name).holds)
        rows.empty = ((words, "dim"),)
        # Rows tell their age; what else they say is known by where they stand.
        shown = [int(clock.now() // 60), *([] if found else rows.empty), *map(_stamp, found)]
        if shown == self._shown.get(name):
            return
        self._shown[name] = shown
        # Until somebody moves the cursor, what arrives above must not push the first row out of sight.
        rows.show(found, at=None if rows.touched else 0)

    def _entitle(self, rows: Rows, name: str, board: Board, found: Sequence[Any]) -> None:
        """The title of a box, with how many there are, and what stands below it."""
        title, layers = next((title, layers) for box, title, layers in BOXES if box == name)
        total = board.total(layers) + (board.days if name == "timeline" else 0)
        below = board.gauge(rows.size.width - 4) if name == "profile" else ""
        if name == "profile" and not total and found and board.filling is None:
            below = (
                _("no profile of its own: what agents noted of you")
                if board.personal
                else _("no profile yet: what the project says of itself")
            )
        if name == "facts":
            below = board.left_out(layers)
            if not total and found and board.filling is None:
                below = _("no facts yet: more of what the profile says")
        if name == "evolution" and not total:
            # What was learnt from sessions' files alone has no signals of its own.
            total = sum(not isinstance(row, Fixed) for row in found)
        # A nought over rows that stand in for what is missing would be read as their number.
        borrowed = not total and found and board.filling is None
        counted = _(title) if borrowed else format_count_title(_(title), total, total, board.filling)
        if name == "facts" and total and any(isinstance(row, Memory) and row.layer not in layers for row in found):
            counted += " · " + _("with L0")
        rows.entitle(counted, below)

    def _has_notes(self, name: str, board: Board) -> bool:
        return name == "evolution" and bool(board.reports or any(board.noted.values()))

    def _draw_learnt(self, item: Any, brush: Brush) -> list[list[Piece]]:
        if isinstance(item, Memory):
            return (
                evolution_model.draw_signal_row(item, brush)
                if evolution_model.is_counted_signal(item)
                else paint.draw_memory_row(item, brush)
            )
        return evolution_rows.draw_learnt_row(item, brush, self.context.vault.config.evolution)

    def _name_owner(self, item: Any) -> str:
        """'ann@laptop' of what a colleague shares; the agent or the project, where rows of several stand here."""
        home = self.context.home(item.home) if isinstance(item, Memory) else None
        if home is not None and home.origin is not None:
            return home.origin.told
        return name_owner(item.path) if home is not None and self._shared else ""

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The status line says where one is, and the text beside the boxes follows."""
        event.stop()
        if event.rows.has_focus:
            self.post_message(ActionClicked("place"))
            self._show_detail()

    def on_descendant_focus(self) -> None:
        """The text is that of the box which has the focus."""
        self._show_detail()

    def _show_detail(self) -> None:
        detail, memory = self.detail(), self.memory()
        if detail is not None and memory is not None and not detail.has_focus and detail.memory is not memory:
            detail.show_memory(memory, None, self.context.home(memory.home))

    def place(self) -> str:
        """path:line of what the cursor stands on."""
        memory = self.memory()
        return draw.clip_to_line(f"{shorten_slug_path(memory.path)}:{memory.start}") if memory else ""


def _draw_entry(item: Any, brush: Brush, whose: str) -> list[list[Piece]]:
    """What a file says of the person or the work, with the file's name where no row above has it, or its owner's."""
    above = brush.above
    named = isinstance(above, Fixed) or (
        isinstance(above, Memory) and (above.home, above.path) == (item.home, item.path)
    )
    own = name_owner(item.path)
    file = f"{own}/{item.path.rpartition('/')[2]}" if own else item.path
    return paint.draw_entry_row(item, brush, "" if named else file if whose in {"", own} else whose)


def _draw_fact(item: Any, brush: Brush, whose: str) -> list[list[Piece]]:
    """What is known; where its words leave room, the document that it is from. A rule that begins with when it holds
    says what it is about first. What has no room in the profile stands here as well, and is not counted above.
    """
    if item.layer is not Layer.KNOWLEDGE:
        whose = f"{whose} L0".lstrip() if brush.width >= paint.WIDE else whose
    aside = draw.strip_type(draw.clip_to_line(item.heading[0])) if len(item.heading) > 1 else ""
    text = ""
    if len(item.heading) > 2 and (rule := _CONDITIONAL.match(item.text)):
        text = paint.strip_line(draw.clip_to_line(f"{item.heading[-1]}: {item.text[rule.end() :]}"))
    aside = "" if aside.lower() in item.text.lower() else aside
    return paint.draw_memory_row(item, brush, text, aside, whose=whose)


_CONDITIONAL = compile_pattern(
    r"\W{0,4}(?:条件|场景|前提|conditions?|when|given|scenario)\W{0,3}[:：][^\n]{1,400}\n"
    r"\W{0,4}(?:行为|动作|处理|behaviou?r|then|action)\W{0,3}[:：]\W{0,3}\s*(?=\S)",
    2,
)
"""How a rule of the form condition, behaviour, result begins."""


def _stamp(row: Any) -> Any:
    """Two rows with the same one look the same."""
    return (row.home, row.id, row.start, row.etag, row.status) if isinstance(row, Memory) else row
