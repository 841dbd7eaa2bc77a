"""The command palette: every action that can be done now, every theme, and memories by what they say."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Provider
from textual.content import Content

from memtui.actions import ACTIONS
from memtui.desk import key_name
from memtui.locale import _
from memtui.tui import draw
from memtui.tui.keymap import keys_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.command import Hits

    from memtui.results import Results
    from memtui.tui.main import MainScreen

MEMORIES = 20


class Commands(Provider):
    """What the palette offers."""

    @property
    def _main(self) -> MainScreen:
        return cast("MainScreen", self.screen)

    def _actions(self) -> list[tuple[str, str, Callable[[], None]]]:
        found: list[tuple[str, str, Callable[[], None]]] = []
        keymap = self._main.keymap
        for action in ACTIONS:
            if action.palette and not action.why_not(self._main.desk):
                keys = " ".join(key_name(key) for key in keys_of(action, keymap)[:1])
                found.append(
                    (
                        f"{_(action.title)}{f'  ({keys})' if keys else ''}",
                        _(action.help),
                        partial(self._main.do, action.id),
                    )
                )
        return found

    async def discover(self) -> Hits:
        """Everything, before anything is typed."""
        for title, told, run in self._actions():
            yield DiscoveryHit(Content(title), run, text=title, help=told)

    async def search(self, query: str) -> Hits:
        """Actions and themes by fuzzy match; then memories by the index."""
        matcher = self.matcher(query)
        for title, told, run in self._actions():
            score = max(matcher.match(title), matcher.match(f"{title} {told}") * 0.9)
            if score > 0:
                yield Hit(score, Content(title), run, text=title, help=told)
        for name in sorted(self.app.available_themes):
            title = _("theme: {name}").format(name=name)
            if (score := matcher.match(title)) > 0:
                yield Hit(score * 0.8, Content(title), partial(self._main.use_theme, name), text=title)
        for rank, hit in enumerate(await self._memories(query)):
            text = draw.one_line(hit.snippet)
            place = draw.one_line(f"{hit.path}:{hit.start_line}")
            open_hit = partial(self._main.open_place, hit.home, hit.path, hit.start_line)
            yield Hit(0.3 - rank / 1000, Content(draw.cut(text, 120)), open_hit, text=text, help=place)

    async def _memories(self, query: str) -> Results:
        from memtui.results import Results

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
