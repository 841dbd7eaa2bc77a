"""What is typed or pasted before what it is meant for is there goes there, in its order, and to nothing else."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from textual.events import Event, Key, Paste
from textual.widgets import Input

from memtui.tui import typed_ahead
from memtui.tui.sheets import Prompt
from tests.tui.conftest import Desk


class Reading:
    """What a window reads before it opens waits for `gate`; `done` are the actions that keys led to."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.gate, self.done = desk, threading.Event(), list[str]()
        self._ask, self._do = desk.main.reader.ask, desk.main.do
        desk.main.reader.ask = self.ask  # type: ignore[method-assign, assignment]
        desk.main.do = self.do  # type: ignore[method-assign]

    def ask(self, group: str, job: Callable[[Any], Any], *given: Any, **named: Any) -> None:
        def read(cancelled: Any) -> Any:
            if group == "place":
                self.gate.wait(60)
            return job(cancelled)

        self._ask(group, read, *given, **named)

    def do(self, id: str) -> None:
        self.done.append(id)
        self._do(id)

    async def begin(self) -> None:
        """Press the key; what it reads is not there yet."""
        self.gate.clear()
        self.done.clear()
        self.desk.app.post_message(Key("o", "o"))
        await self.desk.until(lambda: not self.desk.main.settled.is_set())

    async def end(self) -> None:
        """What is read is there, and its window."""
        self.gate.set()
        await self.desk.until(lambda: isinstance(self.desk.app.screen, Prompt))
        await self.desk.settled()


def send(desk: Desk, *typed: str | Event) -> None:
    """Put it all in the queue at once, as a slow line brings it."""
    for one in typed:
        desk.app.post_message(Key(one, one if len(one) == 1 else None) if isinstance(one, str) else one)


async def test_what_is_typed_while_a_prompt_is_read_goes_into_it(desk: Desk) -> None:
    await desk.press("2")
    reading = Reading(desk)
    await reading.begin()
    send(desk, *"kilnxda", Paste("a pasted\nname"), *"Ds1")
    await asyncio.sleep(0.05)
    await reading.end()
    assert desk.app.screen.query_one("#typed", Input).value == "kilnxdaa pasted nameDs1"
    assert reading.done == ["item.new"]


async def test_a_reading_that_took_too_long_does_not_let_keys_through_the_next(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.press("2")
    reading = Reading(desk)
    with monkeypatch.context() as patch:
        patch.setattr(typed_ahead, "OPENING", 0.02)
        await reading.begin()
        send(desk, "j")
        await desk.until(lambda: "list.down" in reading.done)
        await reading.end()
    await desk.press("escape")
    await reading.begin()
    send(desk, *"xadDs1")
    await asyncio.sleep(0.05)
    await reading.end()
    assert desk.app.screen.query_one("#typed", Input).value == "xadDs1"
    assert reading.done == ["item.new"]


async def test_an_opening_that_ends_late_does_not_end_a_newer_one(desk: Desk) -> None:
    first = desk.main.hold_keys()
    second = desk.main.hold_keys()
    first.set()
    assert not desk.main.settled.is_set()
    second.set()
    assert desk.main.settled.is_set()


@pytest.mark.parametrize(
    ("first", "box"), [("slash", "#box"), ("f", "#filter"), ("i", "#typed"), ("o", "#typed"), ("ctrl+p", "Input")]
)
async def test_a_paste_does_not_overtake_what_is_typed_before_it(desk: Desk, first: str, box: str) -> None:
    await desk.press("2")
    send(desk, first, "end", *"xa", Paste("pasted text"), *"dD", Paste("twice"), "s")
    await desk.until(lambda: any(found.value.endswith("s") for found in desk.app.screen.query(Input)))
    await desk.settled()
    assert desk.app.screen.query_one(box, Input).value.endswith("xapasted textdDtwices")


async def test_a_paste_into_a_list_does_nothing(desk: Desk) -> None:
    await desk.press("2")
    reading = Reading(desk)
    send(desk, Paste("xD"))
    await desk.settled()
    assert not reading.done
    assert desk.app.screen is desk.main


@pytest.mark.parametrize(
    "keys",
    [
        ("slash", "escape"),
        ("slash", *"outb", "escape", "escape"),
        ("slash", "a", "ctrl+u", *"outb", "escape", "escape"),
        ("o", "escape"),
        ("o", *"kiln", "escape"),
        ("ctrl+p", "escape"),
        ("ctrl+p", *"clip", "down", "enter", "escape", "escape"),
        ("question_mark", "escape"),
    ],
)
async def test_what_is_typed_behind_an_escape_is_for_what_it_leads_to(desk: Desk, keys: tuple[str, ...]) -> None:
    send(desk, *keys, "q")
    await desk.until(lambda: desk.app.return_code == 0)


async def test_what_is_typed_behind_an_escape_keeps_its_order(desk: Desk) -> None:
    await desk.press("2")
    send(desk, "slash", *"ab", "escape", "escape", "escape", "2", "slash", "c", Paste("def"), "g")
    await desk.until(lambda: any(found.value.endswith("g") for found in desk.app.screen.query(Input)))
    await desk.settled()
    assert desk.app.screen.query_one("#box", Input).value.endswith("cdefg")


@pytest.mark.parametrize("first", ["slash", "f", "i", "o", "ctrl+p", "question_mark", "d"])
async def test_one_ctrl_c_is_one_whatever_opens_before_it(desk: Desk, first: str) -> None:
    await desk.press("2")
    send(desk, first, "ctrl+c")
    await desk.settled()
    assert desk.app.return_code is None


async def test_two_are_two_however_late_they_are_heard(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    await desk.press("2")
    reading = Reading(desk)
    await reading.begin()
    first, second, third = (Key("ctrl+c", None) for _ in range(3))
    second.time = first.time + 5
    third.time = second.time + 0.1
    send(desk, first, second)
    await asyncio.sleep(0.05)
    await reading.end()
    assert desk.app.return_code is None
    send(desk, third)
    await desk.until(lambda: desk.app.return_code == 130)
