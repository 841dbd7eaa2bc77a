"""Search: everything, as you type, beside a preview; which words matched where, and by what it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from memtui.locale import _, _n
from memtui.model import Filter, Memory
from memtui.results import Hit, Results
from memtui.tui import chips, paint
from memtui.tui.box import Box
from memtui.tui.detail import Detail
from memtui.tui.fields import number
from memtui.tui.frugal import Ground
from memtui.tui.messages import Chosen
from memtui.tui.panes.answers import Answer, Answers
from memtui.tui.panes.layer_view import DEBOUNCE
from memtui.tui.panes.pane import Pane
from memtui.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.timer import Timer

    from memtui.chain import Chain
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush


class SearchView(Pane):
    """A box, the hits, and the memory around the one under the cursor."""

    view: ClassVar[str] = "search"
    number: ClassVar[str] = "/"
    title: ClassVar[str] = "Search"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.results = Results()
        self._answers = Answers(context)
        self._typed = chips.typed("", Filter(), ())
        self._remark = ""
        self.asked = ""
        self._shown = ""
        self._memory: Memory | None = None
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Box, hits, preview."""
        placeholder = _('words, "a phrase", -without, kind:rule since:7d home:shop')
        yield Box(placeholder=placeholder, id="box", select_on_focus=False, compact=True)
        with Ground(id="found"):
            yield Rows(self._paint, self.context.look, tall=2, id="hits")
            yield Detail(self.context.look, id="detail")

    def on_mount(self) -> None:
        """Titles, and a cursor that the box moves."""
        hits = self.query_one("#hits", Rows)
        hits.border_title = Content(_("Search"))
        hits.leads = True
        hits.empty = ((_("Type to search every home. Chinese works down to one character."), "dim"),)

    @property
    def box(self) -> Box:
        """The search box."""
        return self.query_one("#box", Box)

    def rows(self) -> Rows | None:
        """The hits."""
        return self.query_one("#hits", Rows)

    def detail(self) -> Detail | None:
        """The preview."""
        return self.query_one("#detail", Detail)

    def focus_first(self) -> None:
        """Searching begins in the box: typing takes the place of what stands there, an arrow keeps it."""
        if not self.box.has_focus:
            self.box.select_all()
        self.box.focus()

    def memory(self) -> Memory | None:
        """The memory around the hit under the cursor."""
        return self._memory

    # -- asking -------------------------------------------------------------------------------------------------

    def on_input_changed(self, event: Box.Changed) -> None:
        """Every key asks; a newer question takes the place of an older one."""
        event.stop()
        if self.context.config.search.typing:
            # The letter is drawn first: a search would take the interpreter away from it.
            self.call_after_refresh(self._follow)

    def on_input_submitted(self, event: Box.Submitted) -> None:
        """Enter opens the hit; where typing does not search, it searches first."""
        if event.value != self.asked:
            event.stop()
            self.reload()

    def _follow(self) -> None:
        if self.box.value != self.asked:
            self.reload()

    def reload(self, *, patience: float = 0.0) -> None:
        """Search for what stands in the box."""
        text = self.box.value
        typed = chips.typed(text, self.context.scope(), self.context.vault.homes)
        self.asked = text
        if not typed.words and not typed.chips:
            self.context.reader.forget((self.view, "find"))
            self._show(text, typed, Answer(Results()))
            return

        def job(cancelled: Callable[[], bool]) -> Answer:
            def refined(better: Results) -> None:
                self.context.reader.later(lambda: self._refine(text, typed, better))

            return self._answers(typed, cancelled, refined)

        self.context.reader.ask((self.view, "find"), job, lambda answer: self._show(text, typed, answer))

    def _refine(self, text: str, typed: chips.Typed, better: Results) -> None:
        """The full ranking, in place of the quick one, unless somebody is already reading further down."""
        rows = self.query_one("#hits", Rows)
        if text == self.asked and rows.cursor == 0:
            self._show(text, typed, Answer(better, self._remark))

    def _show(self, text: str, typed: chips.Typed, answer: Answer) -> None:
        if not self.is_mounted or text != self.asked:
            return
        another, self._shown = text != self._shown, text
        self._typed, found = typed, answer.found
        self.results, self._remark = found, answer.remark
        self.words = tuple(
            word.strip('"').lower() for word in typed.words.split() if not word.startswith("-")
        )
        self.words = tuple(word for word in self.words if word)
        rows = self.query_one("#hits", Rows)
        with self.app.batch_update():
            rows.empty = ((self._why_empty(), "dim"),)
            rows.border_title = Content(self._title())
            rows.show(list(found), at=0 if another else None)
            if not found:
                self._memory = None
                detail = self.detail()
                if detail is not None:
                    detail.clear()
        self.post_message(Chosen("place"))

    def _title(self) -> str:
        found = self.results
        if not self._typed.words and not self._typed.chips:
            return _("Search")
        number_ = f"{found.total:,}" + ("+" if found.more else "")
        shown = f"{len(found):,} / {number_}" if found.total > len(found) else f"{len(found):,}"
        how = found.backend if self._typed.words else _("newest first")
        return f"{_('Search')} · {shown} · {how}"

    def _why_empty(self) -> str:
        found, typed = self.results, self._typed
        if not typed.words and not typed.chips:
            return _("Type to search every home. Chinese works down to one character.")
        if found.warning:
            return _("Nothing yet: {why}").format(why=found.warning)
        if not typed.words:
            why = _("No memory passes these filters.")
        elif found.hidden:
            if self._by_status:
                why = _("Nothing with that status. Others match: {hidden} (status:all shows them).")
            else:
                why = _("Nothing that still holds. Hidden: {hidden} (. or status:all shows them).")
            why = why.format(hidden=self._hidden())
        else:
            count = len(typed.filter.homes) or len(self.context.vault.homes)
            why = _n("Nothing matches, in {count} home.", "Nothing matches, in {count} homes.", count)
        return f"{why} {self._remark}".rstrip()

    @property
    def _by_status(self) -> bool:
        """Whether the statuses are typed: then `.` changes nothing."""
        return any(chip.lower().startswith("status") for chip in self._typed.chips)

    def _hidden(self) -> str:
        return ", ".join(f"{count:,} {status.value}" for status, count in self.results.hidden.items())

    def _paint(self, item: Hit, brush: Brush) -> list[list[Piece]]:
        shown = self.context.homes or self.context.labels
        home = self.context.home(item.home) if len(shown) > 1 else None
        return paint.hit(item, brush, self.context.name(home) if home else "")

    # -- the preview --------------------------------------------------------------------------------------------

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The preview follows the cursor."""
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DEBOUNCE, self.show_detail)
        self.post_message(Chosen("place"))

    def show_detail(self) -> None:
        """Read the memory around the hit, and its chain."""
        hit = self.query_one("#hits", Rows).current
        if not isinstance(hit, Hit):
            return
        vault = self.context.vault

        def job(_cancelled: Callable[[], bool]) -> tuple[Memory | None, Chain | None]:
            memory = vault.at(hit.home, hit.path, hit.start_line)
            return memory, vault.chain(memory) if memory is not None else None

        def show(found: tuple[Memory | None, Chain | None]) -> None:
            """Unless the cursor has moved on meanwhile."""
            memory, links = found
            detail = self.detail()
            if detail is None or self.query_one("#hits", Rows).current is not hit:
                return
            self._memory = memory
            detail.words = self.words
            if memory is None:
                detail.clear(_("This line has changed on disk since it was found."))
                return
            why = " · ".join(filter(None, (number(hit.score) if hit.score else "", hit.why)))
            detail.show_memory(memory, links, self.context.home(memory.home), why)

        self.context.reader.ask((self.view, "preview"), job, show)

    def place(self) -> str:
        """3 / 120"""
        rows = self.query_one("#hits", Rows)
        return f"{rows.cursor + 1:,} / {len(rows.items):,}" if rows.items else ""

    def warning(self) -> str:
        """What of the question was not understood, why the answer may be incomplete, and what was left out."""
        parts = [self._typed.wrong, self.results.warning]
        if self.results:
            parts.append(self._remark)
            if self.results.hidden and not self._by_status:
                parts.append(_("hidden: {hidden} (. shows them)").format(hidden=self._hidden()))
        return " · ".join(filter(None, parts))
