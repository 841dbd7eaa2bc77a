"""What is typed or pasted before what it is meant for is there: held, and given to that in its order."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakSet

from textual.events import Key, Paste

if TYPE_CHECKING:
    from typing import Any

    from textual.app import App
    from textual.dom import DOMNode
    from textual.message import Message

    from memtui.tui.screen import MainScreen

OPENING = 5.0
"""Seconds that keys wait for a view or a window at most."""

FURNISHING = 0.5
"""Seconds that keys wait at most for what takes them in a window: not each has such a thing."""

LEAVING = 10.0
"""Seconds that keys wait at most for what an escape before them leaves."""

LOOK_AGAIN = 0.01
"""Seconds between two looks."""


class TypedAhead:
    """The keys of a burst, which an app is told of before the first of them is done."""

    def __init__(self, app: App[Any], main: MainScreen) -> None:
        self._app, self._main = app, main
        self.opened = 0.0
        """When a window was last opened."""
        self._late: WeakSet[asyncio.Event] = WeakSet()
        """Those that keys have waited for in vain."""
        self._aims: WeakKeyDictionary[Key | Paste, int] = WeakKeyDictionary()
        self._again: list[Key | Paste] = []
        """Those that came back from where they were not meant for."""
        self._held: list[Key | Paste] = []
        """Those typed since."""
        self._escaped: DOMNode | None = None
        """Where what follows an escape up has come to."""
        self._left = 0.0

    async def hold_back(self, event: Key | Paste) -> bool:
        """Wait for what opens; whether the event has to wait longer: it comes back then."""
        main = self._main
        await self._wait_for(main.settled)
        # What was waited for may have opened one.
        await self._wait_for(self._app.screen._mounted_event)
        escape = isinstance(event, Key) and event.key == "escape"
        if event.is_forwarded:
            # What that key led elsewhere (`/`, `i`) the others were not meant for the list.
            if self._aims.pop(event, main.turns) == main.turns:
                return False
            again = Key(event.key, event.character) if isinstance(event, Key) else Paste(event.text)
            again.time = event.time
            self._hold(again, self._again)
            return True
        if self._again or self._held or self._is_leaving() or (not escape and self._is_furnishing()):
            self._hold(event, self._held)
            return True
        self._aims[event] = main.turns
        if escape:
            self._escaped, self._left = self._app.focused or self._app.screen, time.monotonic()
        return False

    def follow(self, event: Message) -> None:
        """Have what comes behind an escape that was just sent on wait until it is done."""
        if isinstance(event, Key) and event.key == "escape" and event in self._aims:
            self._follow_up(posted=False)

    def _follow_up(self, *, posted: bool) -> None:
        """Go up to the app behind an escape, from queue to queue, and in each once more, behind what was `posted`
        there: a box would take a letter for text that is typed right behind the escape that leaves it.
        """
        place = self._escaped
        if place is not None and posted:
            place = None if place is self._app else place.parent or self._app
        # One that is gone takes nothing any more.
        if place is not None and place.call_later(self._follow_up, posted=not posted):
            self._escaped = place
        else:
            self._escaped = None
            self._app.call_later(self._hand_out)

    def _is_leaving(self) -> bool:
        place = self._escaped
        return place is not None and place.is_running and time.monotonic() - self._left < LEAVING

    def _is_furnishing(self) -> bool:
        """Whether a window stands, and what is typed in it does not take keys yet."""
        app, opened = self._app, time.monotonic() - self.opened
        return opened < FURNISHING and app.screen is not self._main and app.focused is None

    async def _wait_for(self, there: asyncio.Event) -> None:
        if there.is_set() or there in self._late:
            return
        try:
            await asyncio.wait_for(there.wait(), OPENING)
        except TimeoutError:
            # Whatever became of it, no other key waits for it.
            self._late.add(there)

    def _hold(self, typed: Key | Paste, held: list[Key | Paste]) -> None:
        """They go where one types by then, in their order, before whatever is typed since."""
        held.append(typed)
        if len(self._again) + len(self._held) == 1:
            self._app.call_later(self._hand_out)

    async def _hand_out(self) -> None:
        if self._app.screen_stack and (self._is_leaving() or self._is_furnishing()):
            if self._again or self._held:
                self._app.set_timer(LOOK_AGAIN, self._hand_out)
            return
        again, self._again, self._held = [*self._again, *self._held], [], []
        for typed in again:
            await self._app.on_event(typed)
