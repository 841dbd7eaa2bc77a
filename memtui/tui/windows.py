"""What opens over the screen: files, sessions, lists to choose from, questions. Loaded with the first of them.

They read on readers' threads.

What somebody does in the first minute: make a home, have agents' hooks installed.

Loaded when it is asked for.

The command palette: every action that can be done now, every theme, and memories by what they say.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from textual import work
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Provider
from textual.content import Content
from textual.css.query import NoMatches
from textual.errors import NoWidget
from textual.events import Click
from textual.widgets import Input, OptionList

from memtui.agents.install import planning
from memtui.agents.install.wiring import Options
from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n
from memtui.core.model import Results
from memtui.manual import TOPICS
from memtui.store import verbs
from memtui.store.project import find_own_home, make_home
from memtui.store.vault import Vault
from memtui.tui import draw, session_sheet, viewer
from memtui.tui.actions import ACTIONS, find_keys, format_key
from memtui.tui.choices import Choice, HomesSheet, show_keys
from memtui.tui.context_sheet import GivenSheet, load_session_context
from memtui.tui.draw import DARK, LIGHT
from memtui.tui.history_sheet import ConflictSheet, HistorySheet, TrashSheet
from memtui.tui.prose import wrap_pieces
from memtui.tui.row_list import Fixed
from memtui.tui.sheets import Box, LookSheet, Question, leave_once
from memtui.tui.time_sheet import TimeSheet
from memtui.tui.viewer import Viewer, open_page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.app import ComposeResult
    from textual.await_complete import AwaitComplete
    from textual.command import Hits
    from textual.message import Message

    from memtui.agents.install.wiring import InstallPlan
    from memtui.core.errors import ConflictError
    from memtui.core.model import Memory
    from memtui.manual import Topic
    from memtui.tui.context_sheet import ContextRequest
    from memtui.tui.draw import Piece
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
            elif is_wanted():
                self.screen.app.push_screen(Viewer(home, path, text, line))

        is_wanted = self.screen.watch_view()
        self.screen.reader.ask("open", lambda _cancelled: self.screen.context.vault.text(home, path), show)

    def follow_links(self, memory: Memory, otherwise: Callable[[], None] = lambda: None) -> None:
        """What a memory's links lead to; `otherwise`: none leads anywhere."""
        viewer.follow(self.screen, memory.home, memory.path, memory.links, otherwise)

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
            if is_wanted():
                self.screen.app.push_screen(GivenSheet(found))

        is_wanted = self.screen.watch_view()
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
        self.screen.turns += 1

    def pick_homes(self, then: Callable[[], None]) -> None:
        """Which homes are shown; `then` is called when that is something else now."""
        context = self.screen.context

        def done(picked: frozenset[str] | None) -> None:
            if picked:
                context.choose(homes=picked if len(picked) < len(context.labels) else ())
                then()

        self.screen.app.push_screen(HomesSheet(context.vault.homes, context.homes), done)

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
        make_first_home(self.screen)

    def install_hooks(self) -> None:
        """Have the agents that are here served."""
        install_hooks(self.screen)

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


def make_first_home(screen: MainScreen) -> None:
    """Make memtui's own home, where there is none, and open it: the app begins anew with it."""
    config = screen.context.config

    def job() -> bool:
        place = find_own_home()
        lacks = verbs.find_missing_skeleton(place, profile=True)
        if any(lacks):
            with Vault([make_home(place)], config) as opened:
                verbs.make(opened, place, lacks)
        return any(lacks)

    def done(made: bool) -> None:
        """Open it, or say where it is."""
        known = str(place.path)
        if made or not screen.context.labels:
            # What was made elsewhere meanwhile is opened as well.
            screen.leave_for("again")
        elif known in screen.context.labels:
            screen.say(_("It is there already; w says which homes are shown."))
        else:
            screen.say(_("It is there already: `memtui {place}` opens it.").format(place=draw.clip_to_line(known)))

    place = find_own_home()
    text = _("A home of your own is made at {place}: a profile, a MEMORY.md and folders, all plain Markdown.")
    screen.windows.ask(
        _("Make a home"),
        text.format(place=place.path),
        _("make it"),
        lambda: screen.hand.writer.write(job, done, lambda error: screen.say(str(error))),
    )


def install_hooks(screen: MainScreen) -> None:
    """Show what would be written for each agent that is here and not served yet, and write it where that is wanted."""

    def show(found: tuple[list[InstallPlan], list[str]]) -> None:
        """Ask whether it is to be written."""
        plans, left = found
        screen.say("")
        if not plans:
            told = _("Every agent here has its hooks; Health (6) lists them.")
            screen.say(" · ".join(left) or told)
            return
        lines = [f"{plan.agent} ({_(plan.how)}): " + ", ".join(str(file.path) for file in plan.files) for plan in plans]
        count = sum(len(plan.files) for plan in plans)
        text = _n(
            "{count} file is written, so that sessions are analyzed. `memtui uninstall` restores every byte.",
            "{count} files are written, so that sessions are analyzed. `memtui uninstall` restores every byte.",
            count,
        ).format(count=count)
        screen.windows.ask(
            _("Install hooks"),
            "\n\n".join([text, *lines, *left]),
            _("install"),
            lambda: screen.hand.writer.write(
                lambda: _carry_out(plans), show_done, lambda error: screen.say(str(error))
            ),
        )

    def show_done(lines: list[str]) -> None:
        """Tell what was written, and what is left to type."""

        def compose(cells: int) -> list[list[Piece]]:
            return [
                piece
                for line in lines
                for piece in wrap_pieces([(draw.clip_to_line(line), "" if line[:1] != "→" else "accent")], cells)
            ]

        screen.app.push_screen(LookSheet(_("Install hooks"), compose))

    screen.say(_("looking for agents …"))
    screen.reader.ask("install", _plan_hooks, show)


def _plan_hooks(_cancelled: Callable[[], bool]) -> tuple[list[InstallPlan], list[str]]:
    """What would be written, agent by agent, and why it cannot be; where nothing would, why. Reads the disk."""
    plans, left = [], []
    found = planning.list_installations()
    served = {one.agent for one in found if one.state == "complete"}
    if all(one.state == "absent" for one in found):
        names = _(", ").join(dict.fromkeys(one.agent for one in found))
        return [], [_("No agent with hooks found here: {names}.").format(names=names)]
    for agent in dict.fromkeys(one.agent for one in found if one.state != "absent"):
        if agent in served:
            continue
        try:
            plans.append(planning.plan_addition(agent, Options()))
        except MemtuiError as error:
            left.append(f"{agent}: {error}")
    return [plan for plan in plans if plan.files], left


def _carry_out(plans: list[InstallPlan]) -> list[str]:
    """Do it, agent by agent; what was written, what could not be, and what is left to type."""
    lines: list[str] = []
    for plan in plans:
        try:
            carried = planning.carry_out(plan)
        except MemtuiError as error:
            lines.append(f"✗ {plan.agent}: {error}")
            continue
        lines += [f"{_('written')}{_(': ')}{path}" for path in carried.written]
        lines += [f"⚠ {warning}" for warning in (*plan.warnings, *carried.warnings)]
        if plan.commands:
            where = _("in Claude Code") if plan.commands[0].startswith("/") else _("in a shell")
            lines += ["", _("What is left to type, {where}:").format(where=where)]
        lines += [f"→ {command}" for command in plan.commands]
    return lines


MEMORIES = 20

NAMED = 100.0
"""What words that stand in a command's name, or in what it is called besides, add to its score."""


_GATHER: Callable[[CommandPalette, str], Awaitable[None]] = CommandPalette._gather_commands.__wrapped__  # type: ignore[attr-defined]


class CommandsFound(CommandList):
    """The palette's list, which may be clicked where it showed more lines a moment ago."""

    async def _on_click(self, event: Click) -> None:
        event.prevent_default()
        with suppress(IndexError):
            await super()._on_click(event)


class Palette(CommandPalette):
    """Textual's palette, which may be asked twice in one burst, or before it is laid out."""

    def __init__(self) -> None:
        super().__init__(providers=[PaletteCommands], placeholder=_("a command, or words of a memory"))

    def compose(self) -> ComposeResult:
        """As Textual's, with a list of our own."""
        for widget in super().compose():
            yield CommandsFound() if isinstance(widget, CommandList) else widget

    def on_mount(self) -> None:
        """Its cursor stands still, as those of our own boxes."""
        self.query_one(Input).cursor_blink = False

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Leave, once."""
        return leave_once(self, super().dismiss, result)

    async def _on_message(self, message: Message) -> None:
        # The second enter or click of a burst would do the command again.
        if self.is_active or not isinstance(message, (Input.Submitted, OptionList.OptionSelected, Click)):
            await super()._on_message(message)

    def _on_click(self, event: Click) -> None:  # type: ignore[override]
        # A mouse may be where the window was before it became smaller.
        event.prevent_default()
        with suppress(NoWidget):
            super()._on_click(event)

    @work(exclusive=True, group=CommandPalette._GATHER_COMMANDS_GROUP)
    async def _gather_commands(self, search_value: str) -> None:
        # It may be asked before the palette has its styles, and while it is being left.
        while self.is_running and not self._component_styles:
            await asyncio.sleep(0.005)
        if not self.is_running:
            return
        try:
            await _GATHER(self, search_value)
        except (NoMatches, KeyError):
            if self.is_active and self.query(CommandList) and self._component_styles:
                raise

    async def _watch__show_busy(self) -> None:
        with suppress(NoMatches):
            await super()._watch__show_busy()

    def _watch__list_visible(self) -> None:
        # What was found may come when it is being left.
        if self.query(CommandList):
            super()._watch__list_visible()

    def _action_command_list(self, action: str) -> None:
        # Without room the list knows of no lines to turn a page of.
        if self.query_one(CommandList).scrollable_content_region or not action.startswith("page"):
            super()._action_command_list(action)


class Offered(NamedTuple):
    """A command as the palette offers it."""

    title: str
    told: str
    words: str
    """What else it is found by."""
    run: Callable[[], None]
    missing: bool
    """It cannot be done now: `told` says why."""
    away: bool
    """It belongs to another view."""


class PaletteCommands(Provider):
    """What the palette offers."""

    @property
    def _main(self) -> MainScreen:
        return cast("MainScreen", self.screen)

    def _actions(self) -> list[Offered]:
        """Every command of every view. What cannot be done now comes last, with the reason."""
        found: list[Offered] = []
        missing: list[Offered] = []
        main = self._main
        for action in ACTIONS:
            if not action.palette:
                continue
            keys = " ".join(format_key(key) for key in find_keys(action, main.keymap)[:1])
            away = not action.is_here(main.view)
            reason = "" if away else action.why_not(main.desk)
            title = f"{_(action.title)}{f'  ({keys})' if keys else ''}"
            words = f"{_(action.words)} {_(action.help)}"
            one = Offered(title, _(reason or action.help), words, partial(main.do, action.id), bool(reason), away)
            (missing if reason else found).append(one)
        return [*found, *missing]

    async def discover(self) -> Hits:
        """Everything, before anything is typed: what belongs to another view behind what belongs here."""
        for one in sorted(self._actions(), key=lambda one: (one.missing, one.away)):
            yield DiscoveryHit(Content(one.title), one.run, text=one.title, help=one.told)

    async def search(self, query: str) -> Hits:
        """Actions and themes by fuzzy match, or by all their words; then memories by the index."""
        matcher = self.matcher(query)
        wanted = query.lower().split()
        for one in self._actions():
            titled = all(word in one.title.lower() for word in wanted)
            named = all(word in f"{one.title} {one.words}".lower() for word in wanted)
            # Any letters stand somewhere in a sentence: of what is told of a command whole words count.
            fuzzy = matcher.match(one.title)
            # What is called so comes before whatever only has the letters: their scores know no bound.
            score = (fuzzy + NAMED * (titled + named)) * (0.7 if one.missing else 1)
            if score > 0:
                yield Hit(score, Content(one.title), one.run, text=one.title, help=one.told)
        for name in sorted(self.app.available_themes):
            title = _("theme: {name}").format(name=name)
            if (score := matcher.match(title)) > 0:
                yield Hit(score * 0.8, Content(title), partial(self._main.use_theme, name), text=title)
        for topic in TOPICS:
            title = _("help: {page}").format(page=topic.name)
            if (score := matcher.match(f"{title} {_(topic.about)}")) > 0:
                show = partial(self._open_page, topic)
                yield Hit(score * 0.8, Content(title), show, text=title, help=_(topic.about))
        for rank, hit in enumerate(await self._memories(query)):
            text = draw.clip_to_line(hit.snippet)
            place = draw.clip_to_line(f"{hit.path}:{hit.start_line}")
            open_hit = partial(self._main.open_place, hit.home, hit.path, hit.start_line)
            # As markup a path could be anything.
            told = cast("str", Content(place))
            yield Hit(0.3 - rank / 1000, Content(draw.cut(text, 120)), open_hit, text=text, help=told)

    def _open_page(self, topic: Topic) -> None:
        open_page(self._main, topic)

    async def _memories(self, query: str) -> Results:
        context = self._main.context
        future: asyncio.Future[Results] = asyncio.get_running_loop().create_future()

        def job(cancelled: Callable[[], bool]) -> Results:
            # By words: a name is being typed, and a model would take longer than a frame for every letter of it.
            return context.vault.find(
                query, MEMORIES, filter=context.scope(), mode="fts", typing=True, cancelled=cancelled
            )

        def show(found: Results) -> None:
            if not future.done():
                future.set_result(found)

        context.reader.ask("palette", job, show)
        try:
            return await asyncio.wait_for(future, 5)
        except TimeoutError:
            return Results()
