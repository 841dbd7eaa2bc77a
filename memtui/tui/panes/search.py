"""Search: everything, as you type, beside a preview; which words matched where, and by what it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.widgets import Input

from memtui.locale import _
from memtui.model import Filter, Hit, Memory, Results
from memtui.tui import chips, paint
from memtui.tui.detail import Detail
from memtui.tui.fields import number
from memtui.tui.messages import Chosen
from memtui.tui.panes.layer_view import DEBOUNCE
from memtui.tui.panes.pane import Pane
from memtui.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.timer import Timer

    from memtui.chain import Chain
    from memtui.tui.context import Context

PAUSE = 0.012
"""Seconds after a letter before it is searched for: less than a frame."""

MOST = 200
"""Hits that are shown."""


class SearchView(Pane):
    """A box, the hits, and the memory around the one under the cursor."""

    view: ClassVar[str] = "search"
    number: ClassVar[str] = "/"
    title: ClassVar[str] = "Search"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.results = Results()
        self.asked = ""
        self._memory: Memory | None = None
        self._timer: Timer | None = None
        self._soon: Timer | None = None

    def compose(self) -> ComposeResult:
        """Box, hits, preview."""
        placeholder = _('words, "a phrase", -without, kind:rule since:7d home:shop')
        yield Input(placeholder=placeholder, id="box", select_on_focus=False, compact=True)
        yield Rows(paint.hit, self.context.look, tall=2, id="hits")
        yield Detail(self.context.look, id="detail")

    def on_mount(self) -> None:
        """Titles, and a cursor that the box moves."""
        hits = self.query_one("#hits", Rows)
        hits.border_title = Content(_("Search"))
        hits.leads = True
        hits.empty = ((_("Type to search every home. Chinese works down to one character."), "dim"),)

    @property
    def box(self) -> Input:
        """The search box."""
        return self.query_one("#box", Input)

    def rows(self) -> Rows | None:
        """The hits."""
        return self.query_one("#hits", Rows)

    def detail(self) -> Detail | None:
        """The preview."""
        return self.query_one("#detail", Detail)

    def focus_first(self) -> None:
        """Searching begins in the box."""
        self.box.focus()

    def memory(self) -> Memory | None:
        """The memory around the hit under the cursor."""
        return self._memory

    # -- asking -------------------------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Every key asks; a newer question takes the place of an older one."""
        event.stop()
        if self.context.config.search.typing:
            # The letter is drawn first: a search would take the interpreter away from it.
            self._soon = self._restarted(self._soon, PAUSE, self.reload)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter opens the hit; where typing does not search, it searches first."""
        if event.value != self.asked:
            event.stop()
            self.reload()

    def _restarted(self, timer: Timer | None, seconds: float, call: Callable[[], None]) -> Timer:
        if timer is not None:
            timer.stop()
        return self.set_timer(seconds, call)

    def reload(self, *, patience: float = 0.0) -> None:
        """Search for what stands in the box."""
        text = self.box.value
        vault = self.context.vault
        typed = chips.typed(text, self.context.scope(), vault.homes)
        self.asked = text
        if not typed.words:
            self.context.reader.forget((self.view, "find"))
            self._show(text, Results(), typed.wrong)
            return

        def job(cancelled: Callable[[], bool]) -> Results:
            def refined(better: Results) -> None:
                self.context.reader.later(lambda: self._refine(text, better))

            return vault.find(
                typed.words,
                MOST,
                filter=typed.filter,
                mode=self.context.config.search.mode,
                typing=True,
                cancelled=cancelled,
                refine=refined,
            )

        self.context.reader.ask((self.view, "find"), job, lambda found: self._show(text, found, typed.wrong))

    def _refine(self, text: str, better: Results) -> None:
        """The full ranking, in place of the quick one, unless somebody is already reading further down."""
        rows = self.query_one("#hits", Rows)
        if text == self.asked and rows.cursor == 0:
            self._show(text, better, "", jump=False)

    def _show(self, text: str, found: Results, wrong: str, *, jump: bool = True) -> None:
        if not self.is_mounted or text != self.asked:
            return
        self.results = found
        words = chips.typed(text, Filter(), ()).words
        self.words = tuple(word.strip('"').lower() for word in words.split() if not word.startswith("-"))
        self.words = tuple(word for word in self.words if word)
        rows = self.query_one("#hits", Rows)
        with self.app.batch_update():
            rows.empty = ((self._why_empty(words, found), "dim"),)
            rows.border_title = Content(self._title(words, found))
            rows.show(list(found), at=0 if jump else None)
            if not found:
                self._memory = None
                detail = self.detail()
                if detail is not None:
                    detail.clear()
        if wrong:
            self.context.say(wrong)
        self.post_message(Chosen("place"))

    def _title(self, words: str, found: Results) -> str:
        if not words:
            return _("Search")
        number_ = f"{found.total:,}" + ("+" if found.more else "")
        shown = f"{len(found):,} / {number_}" if found.total > len(found) else f"{len(found):,}"
        return f"{_('Search')} · {shown} · {found.backend}"

    def _why_empty(self, words: str, found: Results) -> str:
        if not words:
            return _("Type to search every home. Chinese works down to one character.")
        if found.warning:
            return _("Nothing yet: {why}").format(why=found.warning)
        if found.hidden:
            hidden = ", ".join(f"{count:,} {status.value}" for status, count in found.hidden.items())
            return _("Nothing that still holds. Hidden: {hidden} (. or status:all shows them)").format(
                hidden=hidden
            )
        return _("Nothing matches, in {count} homes.").format(count=len(self.context.vault.homes))

    # -- the preview --------------------------------------------------------------------------------------------

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The preview follows the cursor."""
        event.stop()
        self._timer = self._restarted(self._timer, DEBOUNCE, self.show_detail)
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
            memory, links = found
            detail = self.detail()
            if detail is None or self.query_one("#hits", Rows).current is not hit:
                return
            self._memory = memory
            detail.words = self.words
            if memory is None:
                detail.clear(_("This line has changed on disk since it was found."))
                return
            why = f"{number(hit.score)} · {hit.why}" if hit.why else number(hit.score)
            detail.show_memory(memory, links, self.context.home(memory.home), why)

        self.context.reader.ask((self.view, "preview"), job, show)

    def place(self) -> str:
        """3 / 120"""
        rows = self.query_one("#hits", Rows)
        return f"{rows.cursor + 1:,} / {len(rows.items):,}" if rows.items else ""

    def warning(self) -> str:
        """Why the answer may be incomplete, and what the filter left out."""
        parts = [self.results.warning] if self.results.warning else []
        if self.results and self.results.hidden:
            hidden = ", ".join(f"{count:,} {status.value}" for status, count in self.results.hidden.items())
            parts.append(_("hidden: {hidden} (. shows them)").format(hidden=hidden))
        return " · ".join(parts)
