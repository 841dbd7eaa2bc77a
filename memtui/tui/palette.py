"""The command palette: every action that can be done now, every theme, and memories by what they say."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import work
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Provider
from textual.content import Content
from textual.css.query import NoMatches
from textual.errors import NoWidget
from textual.events import Click
from textual.widgets import Input, OptionList

from memtui.core.locale import _
from memtui.core.model import Results
from memtui.manual import TOPICS
from memtui.tui import draw
from memtui.tui.actions import ACTIONS, format_key
from memtui.tui.keymap import find_keys
from memtui.tui.manual_viewer import open_page
from memtui.tui.sheets import leave_once

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.app import ComposeResult
    from textual.await_complete import AwaitComplete
    from textual.command import Hits
    from textual.message import Message

    from memtui.manual import Topic
    from memtui.tui.screen import MainScreen

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
            away = action.view not in {"", main.view}
            reason = "" if away else action.why_not(main.desk)
            title = f"{_(action.title)}{f'  ({keys})' if keys else ''}"
            words = f"{_(action.words)} {_(action.help)}"
            one = Offered(title, _(reason or action.help), words, partial(main.do, action.id), bool(reason))
            (missing if reason else found).append(one)
        return [*found, *missing]

    async def discover(self) -> Hits:
        """Everything, before anything is typed."""
        for one in self._actions():
            yield DiscoveryHit(Content(one.title), one.run, text=one.title, help=one.told)

    async def search(self, query: str) -> Hits:
        """Actions and themes by fuzzy match, or by all their words; then memories by the index."""
        matcher = self.matcher(query)
        wanted = query.lower().split()
        for one in self._actions():
            titled = all(word in one.title.lower() for word in wanted)
            named = all(word in f"{one.title} {one.words}".lower() for word in wanted)
            fuzzy = max(matcher.match(one.title), matcher.match(f"{one.title} {one.told}") * 0.9)
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
