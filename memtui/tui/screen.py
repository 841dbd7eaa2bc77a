"""The one screen: header, tabs, the view at hand, status line, footer. Keys go to actions, news to the view."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from textual.screen import Screen

from memtui.core.locale import _
from memtui.team.membership import list_freshness
from memtui.tui import bars
from memtui.tui.actions import ACTIONS, find_action, find_keys, format_key, make_bindings
from memtui.tui.bars import Bar, News, Tour
from memtui.tui.context import ActionClicked, Analysed, FileWanted, PaneContext, Ready, Stand, VaultChanged, Whereabouts
from memtui.tui.executor import LatestOnlyExecutor
from memtui.tui.mutations import Hand
from memtui.tui.panes import PANES, load_pane_class
from memtui.tui.row_list import Ground

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer
    from textual.widgets import Input

    from memtui.core.config import Config
    from memtui.core.model import HomeStatus
    from memtui.store.vault import Vault
    from memtui.team.membership import Freshness
    from memtui.tui.actions import Action, Desk
    from memtui.tui.draw import Look
    from memtui.tui.mutations import Windows
    from memtui.tui.panes.pane import Pane
    from memtui.tui.row_list import Rows

AFTER = 0.05
"""Seconds after which the bars follow news that the view shows at once."""
BEAT = 6.0, 2.0
"""Seconds between two looks at how the homes stand: while that stays the same, and while it changes."""
SAID = 6.0
"""Seconds that a sentence stays in the status line."""
SOON = 0.2
"""Seconds after the first frame in which what needs no hurry is asked."""

LATER = 1.0
"""Seconds after which what takes long is begun, so that whoever starts typing at once does not notice."""

PATIENCE = 0.12
"""Seconds that the first frame waits for its rows."""

BRIEFLY = 0.03
"""Seconds that the first frame of a view opened later does: keys are pressed by then."""


class MainScreen(Screen[None], Ground):
    """Panes show, actions do; this brings keys to the one and news of the vault to the other."""

    ALLOW_SELECT = False
    AUTO_FOCUS = None
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide"), (160, "-huge")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (18, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [*make_bindings(ACTIONS)]

    def __init__(
        self,
        vault: Vault,
        config: Config,
        look: Callable[[], Look],
        keymap: dict[str, str],
        *,
        desk: Callable[[MainScreen], Desk],
        windows: Callable[[MainScreen], Windows],
        whereabouts: Whereabouts | None = None,
    ) -> None:
        """`desk` makes what actions do here; `windows` what opens over it, when it is first asked for."""
        super().__init__()
        self.keymap = keymap
        self.reader = LatestOnlyExecutor(
            lambda show: self.post_message(Ready(show)), self.say, views=frozenset(tab.view for tab in PANES)
        )
        self.context = PaneContext(vault, self.reader, look, self.remark, config)
        if whereabouts is not None:
            self.context.whereabouts, self.context.hidden = whereabouts, whereabouts.hidden
        self.said = ""
        self._remark = ""
        """Why the last key did nothing: it is about the view that it was pressed in."""
        self.news = News()
        self._moves, self.asked = True, False
        """Whether the header has changed of late, and whether the bars are about to follow a change."""
        self.keys_for: object = None
        """What the footer was last made for."""
        self.turns = 0
        """How often keys began to go elsewhere: to a view, a window, a line to type in."""
        self.settled = asyncio.Event()
        """Not set while a view or a window opens: keys wait for it. Each opening has one of its own."""
        self.settled.set()
        self._view = ""
        self._telling = False
        """Whether the status line and the footer are about to follow."""
        self.before = "home"
        self.tour: Tour | None = None
        """The demo's story, while it is told."""
        self.wish = ""
        """What is opened after this: see `leave_for`."""
        self._arrived: Callable[[], None] | None = None
        """What is done in the view that is being opened, once it is there."""
        self._panes: dict[str, Pane] = {}
        self.desk = desk(self)
        self._windows = windows
        self.hand = Hand(self)
        self._unsubscribe: Callable[[], None] = lambda: None
        self._hush: Timer | None = None

    def compose(self) -> ComposeResult:
        """Bars around an empty body; the first view is put in when the screen is mounted."""
        look = self.context.look
        yield Bar(look, id="header")
        yield Bar(look, id="tabs")
        yield Ground(id="body")
        yield Bar(look, id="banner")
        yield Bar(look, id="status")
        yield Bar(look, id="footer")

    async def on_mount(self) -> None:
        """The first view with its rows; then, behind it, the news."""
        start = self.context.config.ui.start
        if start == "home":
            # Nobody has said where to begin: where one left off.
            start = self.context.whereabouts.view or start
        await self._mount_view(start if start in {tab.view for tab in PANES} else "home", self.settled)
        self.set_class(not self.context.config.ui.preview, "-bare")
        self.set_class(self.context.whereabouts.bare, "-no-sections")
        self.update_header()
        self._unsubscribe = self.context.vault.subscribe(self._vault_changed)
        self.set_timer(BEAT[self._moves], self._tick)
        # What waits and what can be done is looked up behind the first frame.
        self.set_timer(SOON, self.hand.wake)
        self.context.waiting.follow(self._count)
        self.set_timer(LATER, self._start_waiting)

    def _start_waiting(self) -> None:
        """Look for what waits in Review, once what the first view shows is there."""
        if self._view and self.pane.settled:
            self.context.waiting.start(self.set_timer)
        else:
            self.set_timer(LATER, self._start_waiting)

    def on_unmount(self) -> None:
        """Nothing is read for a screen that is gone."""
        self._unsubscribe()
        self.context.analyst.stop()
        self.hand.writer.close()
        self.reader.close()

    # -- views --------------------------------------------------------------------------------------------------

    @cached_property
    def windows(self) -> Windows:
        """What opens over the screen."""
        return self._windows(self)

    @property
    def pane(self) -> Pane:
        """The view that is shown."""
        return self._panes[self._view]

    @property
    def view(self) -> str:
        """Its id."""
        return self._view

    async def _mount_view(self, view: str, there: asyncio.Event) -> None:
        try:
            if view not in self._panes:
                ground = next(iter(self.query(Ground)), None)
                if ground is None or not ground.is_attached:
                    # Somebody left between the key and the view.
                    return
                pane: Pane = load_pane_class(view)(self.context)
                await ground.mount(pane)
                if not pane.children and (self.app._exit or not pane.is_attached):
                    # On the way out nothing is furnished any more.
                    return
                # Whoever asks for it before it is furnished would look for rows that are not there.
                self._panes[view] = pane
                self._try(lambda: pane.share_width(self.context.whereabouts.share))
                if kept := self.context.whereabouts.views.get(view):
                    self._try(lambda: pane.restore(kept))
            self._switch(view, patience=PATIENCE if len(self._panes) == 1 else BRIEFLY)
        finally:
            there.set()

    def _switch(self, view: str, patience: float = 0.0) -> None:
        if view != self._view:
            if self._view and self._view != "search":
                self.before = self._view
            self._view = view
            if self.said and self.said == self._remark:
                self.said = ""
            self.reader.bring_forward(view)
            for name, pane in self._panes.items():
                pane.display = name == view
            self.remove_class("-zoom")
        self._try(lambda: self.pane.refresh_view(patience=patience))
        self._try(self.pane.focus_first)
        self._try(self.update_tabs)
        self.tell()
        arrived, self._arrived = self._arrived, None
        if arrived is not None:
            self.call_after_refresh(arrived)

    def _try(self, part: Callable[[], object]) -> None:
        """What fails in a view must not keep anybody from leaving it for another."""
        try:
            part()
        except Exception as error:
            if self.context.faults is None or not self.context.faults.catch(error):
                raise

    def show(self, view: str, *, jump: bool = True) -> None:
        """Show a view, made when it is first asked for; `jump`: where one was can be gone back to."""
        if jump and self._view and view != self._view:
            self.leave_stand()
        self.hide_filter()
        if view in self._panes:
            self.turns += 1
            with self.app.batch_update():
                self._switch(view)
        else:
            self.call_next(self._mount_view, view, self.hold_keys())

    def hold_keys(self) -> asyncio.Event:
        """Have keys wait for what opens now; whoever opens it sets the answer when it is there."""
        self.turns += 1
        self.settled = asyncio.Event()
        return self.settled

    # -- back and forward ---------------------------------------------------------------------------------------

    def _stand(self, window: tuple[str, ...] = ()) -> Stand:
        kept: dict[str, Any] = {}
        # A view that has nothing to keep can be left all the same.
        self._try(lambda: kept.update(self.pane.keep()))
        return Stand(self._view, kept, window)

    def leave_stand(self, window: tuple[str, ...] = ()) -> None:
        """Somebody goes elsewhere from here, or closes a window: they may want to come back."""
        self.context.whereabouts.jumps.leave(self._stand(window))

    def jump(self, by: int, window: tuple[str, ...] = (), leave: Callable[[], None] = lambda: None) -> None:
        """Back (-1) to where one was, or forward (1) again; from a window, which `leave` closes, to the view below."""
        jumps = self.context.whereabouts.jumps
        if window and by < 0 and jumps.is_at_end:
            jumps.leave(self._stand())
        stand = jumps.step(by, self._stand(window))
        if stand is None:
            self.say(_("There is no earlier place.") if by < 0 else _("There is no later place."))
            return

        leave()

        def arrive() -> None:
            self._try(lambda: self.pane.restore(stand.kept))
            if stand.window[:1] == ("file",):
                _kind, home, path, line = stand.window
                self.windows.open_file(home, path, int(line))
            elif stand.window:
                self.windows.open_session(stand.window[1])

        self._arrived = arrive
        self.show(stand.view, jump=False)

    def note_whereabouts(self) -> None:
        """What is shown, for the next start."""
        if not self._view:
            return
        whereabouts = self.context.whereabouts
        whereabouts.view = "home" if self._view == "search" else self._view
        for view, pane in self._panes.items():
            whereabouts.views[view] = pane.keep()
        whereabouts.hidden = self.context.hidden
        whereabouts.bare = self.has_class("-no-sections")

    def step_view(self, by: int) -> None:
        """The next or the previous one on the tab line."""
        names = [tab.view for tab in PANES]
        self.show(names[(names.index(self._view) + by) % len(names)])

    # -- actions ------------------------------------------------------------------------------------------------

    def action_do(self, id: str) -> None:
        """A key."""
        self.do(id)

    def do(self, id: str) -> None:
        """Do an action, where it belongs, or say why not."""
        wanted = find_action(id)
        if not wanted.is_here(self.view):
            self._go_and_do(wanted)
            return
        reason = wanted.why_not(self.desk)
        if reason:
            self.remark(_(reason))
        else:
            wanted.run(self.desk)
            if self.tour is not None and self.tour.hear(id):
                self.update_tour()

    def begin_tour(self) -> None:
        """Tell the demo's story, a line above the status line that goes on with each right key."""
        self.tour = Tour()
        self.mount(Bar(self.context.look, id="tour"), before="#status")
        self.call_after_refresh(self.update_tour)

    def update_tour(self) -> None:
        """The line of the story as it stands."""
        if self.tour is not None:
            self.query_one("#tour", Bar).set(*self.tour.tell(self.size.width))

    def end_tour(self) -> None:
        """The line goes."""
        self.tour = None
        self.query("#tour").remove()

    def leave_for(self, wish: str) -> None:
        """Leave, and have the app begin anew: 'again' with what is found by then, 'here' with what stands in
        this directory, 'demo' with the bundled homes.
        """
        self.wish = wish
        self.hand.leave()

    def _go_and_do(self, wanted: Action) -> None:
        """Show the view that an action belongs to. What chooses nothing unseen is done there at once."""

        def then() -> None:
            """What is done once the view is there."""
            if self.view != wanted.view:
                # Another key led elsewhere meanwhile: two that go for each other's view would never end.
                return
            if wanted.at_once:
                self.do(wanted.id)
            else:
                key = format_key(find_keys(wanted, self.keymap)[0])
                self.say(_("{title}: press {key} here").format(key=key, title=_(wanted.title)))

        self._arrived = then
        self.show(wanted.view)

    def on_action_clicked(self, event: ActionClicked) -> None:
        """Somebody clicked a name in a bar; `place`: the cursor moved."""
        event.stop()
        if event.action == "place":
            self.tell()
        else:
            self.do(event.action)

    def on_rows_opened(self, event: Rows.Opened) -> None:
        """Clicked twice."""
        event.stop()
        self.do("item.open")

    def on_file_wanted(self, event: FileWanted) -> None:
        """A row of a view leads to a file."""
        event.stop()
        self.windows.open_file(event.home, event.path, event.line)

    def open_place(self, home: str, path: str, line: int) -> None:
        """Show a file at a line: what the palette's memories mean."""
        self.windows.open_file(home, path, line)

    def use_theme(self, name: str) -> None:
        """Wear a theme."""
        self.app.theme = name

    # -- the filter prompt --------------------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        """Every key narrows."""
        if event.input.id == "filter" and event.input.display:
            self.pane.narrow(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter keeps the filter, or goes from the search box to the hits."""
        event.stop()
        if event.input.id == "filter":
            self.hide_filter()
        else:
            self.do("item.open")

    def hide_filter(self, *, clear: bool = False) -> None:
        """The box goes; the filter stays unless it is to be cleared."""
        for box in self.query("#filter"):
            if box.display:
                box.display = False
                if clear:
                    self.pane.narrow("")
                self.pane.focus_first()
        if self._view:
            self.tell()

    # -- news ---------------------------------------------------------------------------------------------------

    def on_ready(self, event: Ready) -> None:
        """A reader's answer; of a screen that is being taken apart nothing is left to show it."""
        if self.app.return_code is None:
            event.deliver()

    def on_vault_changed(self, event: VaultChanged) -> None:
        """The view at hand asks again; the others when they are shown."""
        self.context.generation = event.generation
        self.pane.refresh_view()
        self.context.analyst.wake()
        if not self.asked:
            # A frame is for the view first.
            self.asked = True
            self.set_timer(AFTER, self._follow_change)

    def _follow_change(self) -> None:
        """What stands beside the view follows."""
        self.asked = False
        self.update_header()
        self.context.waiting.look()

    def analyse(self) -> None:
        """Have a process of its own work out what takes long."""
        self.context.analyst.start(lambda: self.post_message(Analysed()))

    def on_analysed(self, _event: Analysed) -> None:
        """What was worked out is shown where it is looked at."""
        if self._view and (self.pane.settled or self.context.waiting.queue is not None):
            self.context.waiting.look()
        if self._view:
            self.pane.show_analysis()

    def _count(self) -> None:
        """Another number of candidates waits."""
        if self._view:
            self.update_tabs()
            self.update_status_line()

    def _tick(self) -> None:
        self.set_timer(BEAT[self._moves], self._tick)
        if self.hand.writer.idle:
            # What is being written goes first.
            self.update_header()
            self.context.waiting.listen()
        self.pane.tick()

    def _vault_changed(self, generation: int) -> None:
        self.post_message(VaultChanged(generation))

    def on_app_focus(self) -> None:
        """Whoever comes back to the terminal wants what is on the disk now."""
        self.context.vault.poke()

    def on_descendant_focus(self, _event: events.DescendantFocus) -> None:
        """The bars say where one is, and what can be done here."""
        self.tell()

    def on_resize(self) -> None:
        """Bars have more or less room."""
        if self._view:
            self.update_tabs()
            self.update_footer()
            self.update_tour()

    def watch_view(self) -> Callable[[], bool]:
        """Asks whether the person looks where he looks now: what took long opens no window over another view."""
        window, pane = self.app.screen, self.pane
        return lambda: self.pane is pane and self.app.screen in {window, self}

    def say(self, sentence: str) -> None:
        """A sentence in the status line, for a while."""
        self.said = sentence
        if self._hush is not None:
            self._hush.stop()
        if self.is_mounted:
            self._hush = self.set_timer(SAID, self._fall_silent)
            self.tell()

    def remark(self, sentence: str) -> None:
        """The same, of the view that is shown: it goes with it."""
        self._remark = sentence
        self.say(sentence)

    def _fall_silent(self) -> None:
        self.said = ""
        self.tell()

    def tell(self) -> None:
        """Have the status line and the footer follow: once, however often a key asks for it."""
        if self._view and not self._telling:
            self._telling = True
            self.call_later(self._tell)

    def _tell(self) -> None:
        self._telling = False
        self._try(self.update_status_line)
        self._try(self.update_footer)

    def restyle(self) -> None:
        """Another theme."""
        for pane in self._panes.values():
            pane.redraw()
        for widget in self.query("Bar, Rows, Detail"):
            widget.refresh()

    # -- bars ---------------------------------------------------------------------------------------------------

    def update_header(self) -> None:
        """Ask how the homes stand and say it, and what has changed since it was last asked."""

        def show(asked: tuple[list[HomeStatus], list[Freshness]]) -> None:
            """Draw the homes as they stand, and say what changed where nothing else is said."""
            found, teams = asked
            chosen = self.context.homes
            left = [(" memtui  ", "title", "app.help"), *bars.draw_missing_homes(chosen, found)]
            state = [*bars.draw_state(found, self.context.config.search.mode), *bars.draw_teams(teams)]
            groups = bars.draw_homes(chosen, found)
            self._moves = self.query_one("#header", Bar).set(left, state, groups=groups, more=bars.draw_more)
            # A receipt with its way back is worth more than the news that it makes itself.
            if (changed := self.news.since(found)) and not self.said:
                self.say(" · ".join(bars.describe_change(self.context.name(home), by) for home, by in changed))

        def look(_cancelled: Callable[[], bool]) -> tuple[list[HomeStatus], list[Freshness]]:
            # Who began to share while the app is open is seen without opening it again.
            vault = self.context.vault
            if vault.admit_shared() or vault.beyond is not None:
                self.context.label_homes()
            return vault.status(), list_freshness() if vault.follows_teams else []

        self.reader.ask("header", look, show, key="")

    def update_tabs(self) -> None:
        """The views, the one at hand as a block; then Search."""
        waiting, hidden = self.context.waiting.number, self.context.hidden
        spots, right = bars.draw_tabs(self.size.width, self.view, waiting, hidden=hidden)
        self.query_one("#tabs", Bar).set(spots, right)

    def show_banner(self, unwritten: int, *, again: bool) -> None:
        """What stands above the status line for as long as something is not written that should be."""
        bar = self.query_one("#banner", Bar)
        bar.display = bool(unwritten)
        if unwritten:
            bar.set(bars.draw_banner(unwritten, again=again))

    def update_status_line(self) -> None:
        """The last receipt, else what narrows this view or why it may be incomplete; and where the cursor is."""
        pane, rows = self.pane, self.hand.rows()
        left = bars.draw_status(
            self.said,
            selected=0 if rows is None else len(rows.marks),
            drawing=rows is not None and rows.marks.anchor is not None,
            chips=pane.chips(),
            warning=pane.warning(),
            waiting=self.context.waiting.number if self.view == "home" else 0,
        )
        self.query_one("#status", Bar).set(left, [(f"{pane.place()} ", "dim", "")], urgent=bool(self.said))

    def update_footer(self) -> None:
        """The keys that do something here, where something else is selected than before."""
        if (here := self._compute_footer_key()) == self.keys_for:
            return
        self.keys_for = here
        able = (
            action
            for action in ACTIONS
            if action.footer and action.is_here(self.view) and not action.why_not(self.desk)
            # A write from outside may be undone, too: the key is there all the same.
            if action.id != "edit.undo" or self.hand.can_undo
        )
        groups, right = bars.draw_footer(able, self.keymap, typing=self._typing)
        self.query_one("#footer", Bar).set([(" ", "", "")], right, groups=groups)

    def _compute_footer_key(self) -> object:
        """What decides which keys do something: as long as it is the same, so are they."""
        here = self.view, self._typing, self.size.width, self.desk.has_rows()
        return here, self.pane.describe_choice(self.hand.rows(), self.desk.memory())

    @property
    def _typing(self) -> bool:
        """Whether letters go into a box."""
        return getattr(self.focused, "takes_text", False)
