"""What opens over the screen: files, sessions, lists to choose from, questions. Loaded with the first of them.

They read on readers' threads.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.core.locale import _, _n
from memtui.manual import TOPICS
from memtui.safety.sanitize import sanitize_text
from memtui.store.year_card import CARD, count_year, draw_card, list_facts, save_card
from memtui.tui import draw, first_steps, links, session_sheet
from memtui.tui.context_sheet import GivenSheet, load_session_context
from memtui.tui.draw import DARK, LIGHT
from memtui.tui.history_sheet import ConflictSheet, HistorySheet, TrashSheet
from memtui.tui.manual_viewer import open_page
from memtui.tui.palette import Palette
from memtui.tui.row_list import Fixed
from memtui.tui.sheets import Box, Choice, HomesSheet, Question, show_keys
from memtui.tui.time_sheet import TimeSheet
from memtui.tui.viewer import Viewer

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.core.errors import ConflictError
    from memtui.core.model import Memory
    from memtui.store.year_card import YearCounts
    from memtui.tui.context_sheet import ContextRequest
    from memtui.tui.mutations import Hand
    from memtui.tui.screen import MainScreen


class ScreenWindows:
    """The windows of the main screen (`memtui.tui.mutations.Windows`, and what its desk opens)."""

    def __init__(self, screen: MainScreen) -> None:
        self.screen = screen

    def open_memory(self, memory: Memory) -> None:
        """A session's page; for any other memory its file."""
        if memory.kind == "session":
            session_sheet.open_memory_session(self.screen, memory)
        else:
            self.open_file(memory.home, memory.path, memory.start)

    def open_session(self, session: str, line: int = 0) -> None:
        """A session's page, by its id, at a line of its transcript."""
        session_sheet.open_session_by_id(self.screen, session, line)

    def resume_session(self, session: Memory | str) -> None:
        """Its own agent on it, once somebody has seen the command and where it is run."""
        session_sheet.resume_session(self.screen, session)

    def open_file(self, home: str, path: str, line: int) -> None:
        """The whole file in the text window, at its line."""

        def show(text: str) -> None:
            if not text:
                self.screen.say(_("{path} is empty or gone.").format(path=draw.clip_to_line(path)))
                return
            self.screen.app.push_screen(Viewer(home, path, text, line))

        self.screen.reader.ask("open", lambda _cancelled: self.screen.context.vault.text(home, path), show)

    def follow_links(self, memory: Memory, otherwise: Callable[[], None] = lambda: None) -> None:
        """What a memory's links lead to; `otherwise`: none leads anywhere."""
        links.follow(self.screen, memory.home, memory.path, memory.links, otherwise)

    def ask(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        """A question; `then` where the answer is yes."""

        def answered(sure: bool | None) -> None:
            if sure:
                then()

        self.screen.app.push_screen(Question(title, text, yes, self.screen.context.look), answered)

    def show_conflict(self, error: ConflictError, hand: Hand, job: Callable[[], Any], *, whole: bool) -> None:
        """A file has moved on under a write: what is to hold?"""
        self.screen.app.push_screen(ConflictSheet(error, hand, job, whole=whole))

    def show_history(self, hand: Hand, verb: str = "") -> None:
        """Every write, or those of one verb."""
        self.screen.app.push_screen(HistorySheet(hand, verb))

    def show_trash(self, hand: Hand) -> None:
        """What was deleted and not restored."""
        self.screen.app.push_screen(TrashSheet(hand))

    def show_time(self, home: str, path: str, first: int = 0, last: int = 0) -> None:
        """How a file came to be, or some lines of it, and who wrote each of them."""
        self.screen.app.push_screen(TimeSheet(home, path, first, last))

    def show_palette(self) -> None:
        """Textual's palette with our commands."""
        self.screen.app.push_screen(Palette())

    def show_given(self) -> None:
        """What a new session would be given now."""

        def job(_cancelled: Callable[[], bool]) -> ContextRequest:
            return load_session_context(self.screen.context, "startup")

        def done(found: ContextRequest) -> None:
            self.screen.app.push_screen(GivenSheet(found))

        self.screen.reader.ask("given", job, done)

    def open_filter(self) -> None:
        """A box above the footer; the list narrows as one types."""
        if not self.screen.query("#filter"):
            placeholder = _("filter this list: words, kind:rule status:all since:7d expiring:7d home:shop")
            self.screen.mount(Box(placeholder=placeholder, id="filter", compact=True), before="#status")
        box = self.screen.query_one("#filter", Box)
        box.value = self.screen.pane.typed
        box.display = True
        box.focus()

    def pick_homes(self, then: Callable[[], None]) -> None:
        """Which homes are shown; `then` is called when that is something else now."""
        context = self.screen.context

        def done(picked: frozenset[str] | None) -> None:
            if picked:
                context.choose(homes=picked if len(picked) < len(context.labels) else ())
                then()

        self.screen.app.push_screen(HomesSheet(context.vault.homes, context.homes), done)

    def save_card(self) -> None:
        """A picture of the last year, beside those that are there already; it is said where."""
        screen = self.screen

        def job(_cancelled: Callable[[], bool]) -> tuple[str, YearCounts]:
            counts = count_year(screen.context.vault)
            stem, ending = os.path.splitext(CARD)
            names = (f"{stem}{f'-{n}' if n else ''}{ending}" for n in range(100))
            path = os.path.abspath(next((name for name in names if not os.path.lexists(name)), CARD))
            save_card(path, draw_card(counts, light=not screen.app.current_theme.dark))
            return path, counts

        def done(found: tuple[str, YearCounts]) -> None:
            path, counts = found
            screen.say(" · ".join([sanitize_text(path), *list_facts(counts)[:3]]))

        screen.reader.ask("card", job, done)

    def pick_theme(self) -> None:
        """Themes, worn as the cursor moves; escape puts the former one back."""
        former = self.screen.app.theme
        first = [DARK, LIGHT, "ansi-dark", "ansi-light"]
        names = [*first, *sorted(name for name in self.screen.app.available_themes if name not in first)]
        rows = [Fixed(name, ((f" {name}", ""),), value=name) for name in names]

        def done(name: Any) -> None:
            self.screen.use_theme(name or former)

        at = names.index(former) if former in names else 0
        sheet = Choice(_("Theme"), rows, self.screen.context.look, hint=_("enter keep · esc back"), at=at,
                       preview=self.screen.use_theme)  # fmt: skip
        self.screen.app.push_screen(sheet, done)

    def make_home(self) -> None:
        """Make a home of one's own."""
        first_steps.make_first_home(self.screen)

    def install_hooks(self) -> None:
        """Have the agents that are here served."""
        first_steps.install_hooks(self.screen)

    def show_keys(self) -> None:
        """Every key by group, and the pages of the manual; enter does it."""
        show_keys(self.screen, topics=TOPICS, open_topic=lambda topic: open_page(self.screen, topic))

    def rebuild(self) -> None:
        """Ask first: it takes a while, though nothing is lost."""
        vault = self.screen.context.vault

        def begin() -> None:
            self.screen.say(_("rebuilding …"))
            self.screen.reader.ask(
                "rebuild", lambda _cancelled: vault.rebuild(), lambda _none: self.screen.say(_("rebuilt"))
            )

        text = _n(
            "The index of {count} home is made anew from the files.",
            "The indexes of {count} homes are made anew from the files.",
            len(vault.homes),
        )
        text += " " + _("No memory is touched; searches go on meanwhile.")
        self.ask(_("Rebuild"), text, _("rebuild"), begin)
