"""Search: everything, as you type, beside a preview; which words matched where, and by what it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Hit, Results, Route
from memtui.search import inline
from memtui.tui import draw, paint
from memtui.tui.bars import Bar
from memtui.tui.choices import Choice
from memtui.tui.context import ActionClicked
from memtui.tui.detail import Detail
from memtui.tui.home_status import load_home_statuses
from memtui.tui.mutations import SELECTS
from memtui.tui.panes.layer_view import DEBOUNCE
from memtui.tui.panes.pane import Pane
from memtui.tui.panes.search_answers import (
    Answers,
    Facet,
    HitGroups,
    Offer,
    SearchAnswer,
    SearchMode,
    count_facets,
    describe_hidden,
    draw_hit_explanation,
    draw_hit_reasons,
    explain_missing_vectors,
    is_status_named,
)
from memtui.tui.prose import draw_prose
from memtui.tui.row_list import Fixed, Ground, Rows
from memtui.tui.sheets import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from textual.app import ComposeResult
    from textual.timer import Timer

    from memtui.core.model import HomeStatus, Memory
    from memtui.store.lookup import Chain
    from memtui.tui.bars import Spot
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.row_list import Brush


ROUTES = 3
"""Documents that rules lead to that stand above the hits; why a hit is there names all of them."""


FACETS = 6
"""Of each kind of them that are shown."""

WORTH = 2.0
"""Seconds after which a search that found something is one to come back to."""

DRAWN = 0.004
"""Seconds in which a letter reaches the terminal: the thread that writes it would have to share the interpreter with a
search that began before.
"""


class SearchView(Pane):
    """A box, the hits, and the memory around the one under the cursor."""

    view: ClassVar[str] = "search"
    title: ClassVar[str] = "Search"
    main_list: ClassVar[str] = "#hits"

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self.results = Results()
        self._mixed = True
        """Whether meaning found some of the hits and words others."""
        self._answers = Answers(context)
        self._manner = SearchMode(context.config.search)
        self._typed = inline.parse_inline_filters("", Filter(), ())
        self._remark = ""
        self.asked = ""
        self._shown: object = None
        """The question, and how it was put, that the hits are the answer to."""
        self._facets: dict[str, list[Facet]] = {}
        self._worth: Timer | None = None
        """Runs out when a search has been looked at for so long that it was one."""
        self._groups = HitGroups()
        self._first = 0
        """The row of the best hit: what rules lead to stands above it."""
        self._timer: Timer | None = None
        self.preview = Preview(self)

    def compose(self) -> ComposeResult:
        """Box, hits, preview."""
        placeholder = _('words, "a phrase", -without, kind:rule since:7d home:shop')
        offer = Offer(self.context)
        yield Box(placeholder=placeholder, id="box", suggester=offer, select_on_focus=False, compact=True)
        yield Bar(self.context.look, id="facets")
        with Ground(id="found"):
            hits = Rows(self._paint, self.context.look, tall=2, id="hits")
            hits.badges = self.context.badges
            yield hits
            yield Detail(self.context.look, id="detail")

    def on_mount(self) -> None:
        """Titles, and a cursor that the box moves."""
        hits = self.query_one("#hits", Rows)
        hits.border_title = Content(_("Search"))
        hits.leads = True
        hits.empty = ((_("Type to search every home. Chinese works down to one character."), "dim"),)
        self._offer_searches()
        vault = self.context.vault
        self.context.reader.ask("rules", lambda _cancelled: vault.read_rules(), lambda _none: None, behind=True)

    @property
    def box(self) -> Box:
        """The search box."""
        return self.query_one("#box", Box)

    def focus_first(self) -> None:
        """Searching begins in the box: typing takes the place of what stands there, an arrow keeps it."""
        if not self.box.has_focus:
            self.box.select_all()
        # At once, not when its turn comes: the next letter may be on its way.
        self.screen.set_focus(self.box)

    @property
    def current(self) -> Any:
        """The hit under the cursor, or the document that a rule leads to."""
        return self.query_one("#hits", Rows).current

    @property
    def question(self) -> inline.TypedQuery:
        """What the hits are the answer to."""
        return self._typed

    # -- asking -------------------------------------------------------------------------------------------------

    def on_input_changed(self, event: Box.Changed) -> None:
        """Every key asks; a newer question takes the place of an older one."""
        event.stop()
        if self.context.config.search.typing:
            self.call_after_refresh(self._follow_soon)

    def on_input_submitted(self, event: Box.Submitted) -> None:
        """Enter opens the hit; where typing does not search, it searches first; where nothing is, for what is meant."""
        if event.value != self.asked:
            event.stop()
            self.reload()
        elif self.box.meant and not self.results:
            event.stop()
            self.box.take_meant()

    def _follow_soon(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DRAWN, self._follow)

    def _follow(self) -> None:
        if self.box.value != self.asked:
            self.reload()

    def refresh_view(self, *, patience: float = 0.0) -> None:
        """Ask what another view wants to be asked, else again if anything changed."""
        if self.context.asking:
            self.box.value, self.context.asking = self.context.asking, ""
        super().refresh_view(patience=patience)

    def reload(self, *, patience: float = 0.0) -> None:
        """Search for what stands in the box."""
        text, scope = self.box.value, self.context.scope()
        self.asked = text
        put = self._manner.put
        if not text.strip():
            self.context.reader.forget((self.view, "find"))
            self._show(text, put, inline.parse_inline_filters("", scope, ()), SearchAnswer(Results()))
            return
        hits = self.query_one("#hits", Rows)
        if not hits.items or isinstance(hits.items[0], Fixed):
            # What stands there answers an empty box.
            hits.empty = ((_("searching …"), "dim"),)
            hits.show([], at=0)
        # Words answer first, unless this only takes the place of the same answer: rows would jump there and back.
        at_once = self._manner.at_once and self._shown != (text, put)

        def job(cancelled: Callable[[], bool]) -> tuple[inline.TypedQuery, SearchAnswer]:
            """Find what was typed; a better answer than the first is handed over later."""
            typed = inline.parse_inline_filters(text, scope, self.context.vault.homes, self.context.vault.known)
            if not typed.words and not typed.chips:
                return typed, SearchAnswer(Results())

            def refined(better: Results) -> None:
                self.context.reader.later(lambda: self._refine(text, put, better))

            return typed, self._answers(typed, put, cancelled, refined if at_once else None)

        self.context.reader.ask(
            (self.view, "find"),
            job,
            lambda answer: self._show(text, put, *answer),
            key=(text, put, self.context.serial),
        )

    def _refine(self, text: str, put: tuple[str, str], better: Results) -> None:
        """The full answer, in place of the quick one."""
        if self._shown == (text, put):
            self._show(text, put, self._typed, SearchAnswer(better, self._remark))

    def _show(self, text: str, put: tuple[str, str], typed: inline.TypedQuery, answer: SearchAnswer) -> None:
        if not self.is_mounted or (text, put) != (self.asked, self._manner.put):
            return
        another, self._shown = (text, put) != self._shown, (text, put)
        self._typed, found = typed, answer.found
        self.results, self._remark = found, answer.remark
        self._mixed = "hybrid" in found.backend and not all(hit.meant for hit in found)
        self.box.meant = " ".join((*typed.chips, found.suggestion)) if found.suggestion else ""
        if typed.words:
            self._manner.heed(found)
        self.words = tuple(word.strip('"').lower() for word in typed.words.split() if not word.startswith("-"))
        self.words = tuple(word for word in self.words if word)
        rows = self.query_one("#hits", Rows)
        # What a command answers is a pane of its own here.
        routes = tuple(route for route in found.routes if route.path)[:ROUTES]
        regrouped = self._groups.take(found, another=another, listed=not typed.words)
        items = [*routes, *self._groups.list_rows()]
        self._show_facets(found)
        self._remember_later(text)
        if not text.strip():
            self._offer_searches()
            return
        best = len(routes) if found else 0
        with self.app.batch_update():
            rows.entitle(self._format_title())
            rows.tall = 2
            if another or not items or items != rows.items or regrouped:
                rows.empty = ((self._answers.nothing(typed, answer), "dim"),)
                # Who has not moved stays on the best hit, who has on theirs.
                rows.show(items, at=best if another or rows.cursor == self._first else None)
            else:
                self.preview.follow()
            self._first = best
            if not items:
                self.preview.clear()
        self.post_message(ActionClicked("place"))

    def fold(self, open: bool) -> bool:
        """Show the other lines of the document under the cursor, or its best alone."""
        rows, item = self.query_one("#hits", Rows), self.current
        best = self._groups.turn(item, open) if isinstance(item, Hit) and rows.has_focus else None
        if best is None:
            return False
        items = [*rows.items[: self._first], *self._groups.list_rows()]
        rows.show(items, at=items.index(best))
        return True

    # -- facets, recent and pinned searches ---------------------------------------------------------------------

    def _show_facets(self, found: Results) -> None:
        """What the hits are, with counts: a click narrows, so does the list that ctrl+f opens."""
        self._facets = count_facets(found, self.context)
        bar = self.query_one("#facets", Bar)
        bar.display = bool(self._facets)
        groups: list[list[Spot]] = []
        for name, facets in self._facets.items():
            for number, facet in enumerate(facets[:FACETS]):
                action = f"facet:{facet.chip}"
                head: list[Spot] = [] if number else [(f" {name} ", "faint", "")]
                shown: list[Spot] = [(f"{facet.label} ", facet.style, action), (f"{facet.number:,} ", "dim", action)]
                groups.append([*head, *shown])
        way: list[Spot] = [("  ^f", "accent", "search.narrow"), (f" {_('narrow')} ", "dim", "search.narrow")]
        bar.set([(" ", "", "")], way, groups=groups)

    def narrow_by_facet(self) -> None:
        """Let one of them be chosen: its digit, or enter."""
        rows: list[Fixed] = []
        for name, facets in self._facets.items():
            for facet in facets[:FACETS]:
                key = f"{len(rows) + 1} " if len(rows) < 9 else "  "
                left = ((f" {key}", "accent"), (f"{name:<8}", "dim"), (facet.label, facet.style))
                rows.append(Fixed(facet.chip, left, ((f" {facet.number:,} ", "dim"),), value=facet.chip))
        if rows:
            sheet = Choice(_("Narrow the search"), rows, self.context.look, hint=_("1-9 or enter narrows · esc close"))
            self.app.push_screen(sheet, self._take_chip)
        else:
            self.context.say(_("These hits have nothing to tell them apart by."))

    def _take_chip(self, chip: str | None) -> None:
        if chip:
            self.box.value = f"{chip} {self.box.value.strip()}"
            self.box.cursor_position = len(self.box.value)

    def on_action_clicked(self, event: ActionClicked) -> None:
        """A facet; whatever else is clicked is the screen's."""
        if event.action.startswith("facet:"):
            event.stop()
            self._take_chip(event.action.removeprefix("facet:"))

    def _offer_searches(self) -> None:
        """With nothing typed: the searches that were pinned, then the last ones."""
        known, rows = self.context.whereabouts, self.query_one("#hits", Rows)
        items: list[Any] = []
        for name, searches in ((_("Pinned"), known.pinned), (_("Recent"), known.recent)):
            shown = [one for one in searches if name == _("Pinned") or one not in known.pinned]
            if shown:
                # As tall as hits are: a list has rows of one height.
                items.append(Fixed(("head", name), ((f" {name}", "head"),), rest=False))
                items += [Fixed((name, one), ((f"   {draw.clip_to_line(one)}", ""),), value=one) for one in shown]
        if not items:
            # Somebody's first search: what can be asked besides words.
            told = _("Type to search every home. Chinese works down to one character.")
            items.append(Fixed(("head", "try"), ((f" {told}", "dim"),), rest=False))
            tried = (
                ("since:7d", _("what is new this week")),
                ("kind:decision", _("what was decided")),
                ("kind:todo", _("what is still open")),
                ("kind:rule", _("what agents are to keep to")),
            )
            items += [
                Fixed(("try", chip), ((f"   {chip:<16}", "accent"), (told, "dim")), value=chip) for chip, told in tried
            ]
        rows.entitle(self._format_title())
        rows.empty = ((self._answers.nothing(self._typed, SearchAnswer(Results())), "dim"),)
        rows.tall, self._first = 1, 0
        rows.show(items, at=0)
        self.preview.clear()
        self.post_message(ActionClicked("place"))

    def _remember_later(self, text: str) -> None:
        if self._worth is not None:
            self._worth.stop()
        if text.strip() and self.results:
            self._worth = self.set_timer(WORTH, lambda: self.context.whereabouts.remember_search(text))

    def enter(self) -> bool:
        """A search that was kept is made again; what is opened was worth searching for."""
        item = self.current
        if isinstance(item, Fixed) and isinstance(item.value, str):
            self.box.value = item.value
            self.box.cursor_position = len(item.value)
            return True
        if isinstance(item, (Hit, Route)):
            self.context.whereabouts.remember_search(self.asked)
        return False

    def pin_search(self) -> None:
        """Keep the search at the top of what an empty box offers, or no longer."""
        item = self.current
        text = item.value if isinstance(item, Fixed) and isinstance(item.value, str) else self.box.value
        if not text.strip():
            self.context.say(_("Type a search first: ctrl+s keeps it."))
            return
        kept = self.context.whereabouts.pin_search(text)
        self.context.say(_("pinned: it stands here when nothing is typed") if kept else _("no longer pinned"))
        if not self.box.value.strip():
            self._offer_searches()

    def _format_title(self) -> str:
        found = self.results
        if not self._typed.words and not self._typed.chips:
            return _("Search")
        number_ = f"{found.total:,}" + ("+" if found.more else "")
        shown = f"{len(found):,} / {number_}" if found.total > len(found) else f"{len(found):,}"
        if self._groups.documents:
            count = len(self._groups.every)
            told = _n("{shown} in {count} document", "{shown} in {count} documents", count)
            shown = told.format(shown=shown, count=f"{count:,}")
        how = self._manner.answered(found) if self._typed.words else _("newest first")
        meant = sum(hit.meant for hit in found)
        if 0 < meant < len(found) and how == self._manner.name_both():
            # As rows say which they are, the title says how many: a rare word may stand in one of a hundred.
            how = _("{words} by words, {meant} by meaning only").format(
                words=f"{len(found) - meant:,}", meant=f"{meant:,}"
            )
        return f"{_('Search')} · {shown} · {how}"

    def _paint(self, item: Hit | Route, brush: Brush) -> list[list[Piece]]:
        shown = self.context.homes or {**self.context.labels, **self.context.elsewhere}
        home = self.context.home(item.home) if len(shown) > 1 else None
        label = self.context.name(home) if home else ""
        if isinstance(item, Route):
            return paint.route(item, brush, label)
        groups = self._groups
        return paint.draw_grouped_hit(item, brush, label, groups.documents, groups.unfolded, mixed=self._mixed)

    # -- the preview --------------------------------------------------------------------------------------------

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The preview follows the cursor."""
        event.stop()
        self.preview.follow()
        self.post_message(ActionClicked("place"))

    def memory(self) -> Memory | None:
        """The memory around the hit under the cursor."""
        return self.preview.memory

    def source(self) -> tuple[str, str, int] | None:
        """A document that a rule leads to is opened at its beginning."""
        item = self.current
        return (item.home, item.path, 1) if isinstance(item, Route) else None

    def can_explain(self) -> bool:
        """A hit, or an explanation to leave."""
        return self.preview.explaining or isinstance(self.current, Hit)

    def explain(self) -> None:
        """Why the hit under the cursor is there, for as long as it is not left; the cursor may move on."""
        self.preview.explaining = not self.preview.explaining
        self.preview.show()

    def peel(self) -> bool:
        explaining = self.preview.explaining
        if explaining:
            self.explain()
        return explaining

    def stage(self) -> object:
        """Which verbs apply to a row that is no memory."""
        return self.can_explain()

    def why_not(self, verb: str) -> str | None:
        """A hit may be a part of a memory."""
        return "Hits are not selected: 1 to 4 are lists to select from." if verb in SELECTS else None

    def share_width(self, share: float) -> None:
        """The hits and the preview share a grid."""
        if share and self.is_mounted:
            self.query_one("#found").styles.grid_columns = f"3fr {share}fr"

    def keep(self) -> dict[str, Any]:
        return {"typed": self.box.value}

    def restore(self, kept: Mapping[str, Any]) -> None:
        if isinstance(kept.get("typed"), str):
            self.box.value = str(kept["typed"])

    # -- how ----------------------------------------------------------------------------------------------------

    def ask_otherwise(self, what: str) -> None:
        """The next mode, or the next fusion, where there is anything to ask but words."""

        def show(found: list[HomeStatus]) -> None:
            if why_not := explain_missing_vectors(found):
                self.context.say(f"{_('by words only')}{_(': ')}{why_not}")
                return
            self.context.say(self._manner.turn() if what == "mode" else self._manner.turn_fusion())
            self.reload()

        self.context.reader.ask((self.view, "how"), lambda _cancelled: load_home_statuses(self.context.vault), show)

    def place(self) -> str:
        """3 / 120: the hit under the cursor by its rank, also where it stands below a better one of its document."""
        item = self.current
        at = self._groups.ranks.get(item.key) if isinstance(item, Hit) else None
        return "" if at is None else f"{at:,} / {len(self.results):,}"

    def warning(self) -> str:
        """What of the question was not understood, why the answer may be incomplete, and what was left out."""
        parts = [self._typed.wrong]
        if self.results:
            if self.results.suggestion:
                parts.append(_("did you mean {query}? → takes it").format(query=self.results.suggestion))
            if "hybrid" in self.results.backend and not any(hit.parts.words for hit in self.results):
                # What was found is told before how much was searched: a narrow line has room for one of them.
                parts.append(_("no memory has these words: what is nearest in meaning"))
        parts.append(self._manner.warning(self.results))
        if self.results:
            if self.results.distant:
                parts.append(_("only distant matches"))
            parts.append(self._remark)
            if self.results.hidden and not is_status_named(self._typed):
                parts.append(_("hidden: {hidden} (. shows them)").format(hidden=describe_hidden(self.results)))
        elif self.results.routes:
            # What stands in their place in an empty list has no room where documents do.
            parts = [self._typed.wrong, self._answers.nothing(self._typed, SearchAnswer(self.results, self._remark))]
        return " · ".join(filter(None, parts))


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

        def job(_cancelled: Callable[[], bool]) -> tuple[Memory | None, Chain | None, str]:
            try:
                vault.bring(hit.home, hit.path)
            except MemtuiError as error:
                return None, None, str(error)
            memory = vault.of(hit)
            return memory, vault.chain(memory) if memory is not None else None, ""

        def show(found: tuple[Memory | None, Chain | None, str]) -> None:
            """Unless the cursor has moved on meanwhile."""
            memory, links, why = found
            detail = pane.detail()
            if detail is None or pane.current is not hit:
                return
            self.memory = memory
            detail.words = pane.words
            if self.explaining:
                detail.memory, detail.chain = memory, links
            elif memory is None:
                detail.clear(why or _("This line has changed on disk since it was found."))
            else:
                detail.show_memory(memory, links, pane.context.home(memory.home), draw_hit_reasons(hit))

        pane.context.reader.ask((pane.view, "preview"), job, show)

    def _show_why(self, hit: Hit) -> None:
        pane, detail = self._pane, self._pane.detail()
        if detail is not None:
            found, asked, place = pane.results, pane.question, pane.place()
            title = f"{_('Why')} · {hit.path}:{hit.start_line}"
            detail.show(
                lambda cells: draw_hit_explanation(hit, found, asked, place, cells), key=("why", hit), title=title
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
            detail.show(lambda cells: draw_prose(text, cells, words), key=route.key, title=route.path)

        pane.context.reader.ask(
            (pane.view, "preview"), lambda _cancelled: pane.context.vault.text(route.home, route.path), show
        )
