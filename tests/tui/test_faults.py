"""Nothing ends the app: what fails is a sentence, a row in Health and a record in the log; and the keys that did."""

from __future__ import annotations

import asyncio
import errno
import io
import logging
import os
import select
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from rich.style import Style
from textual.command import CommandPalette
from textual.events import Click, Key, MouseDown
from textual.widgets import Input, OptionList
from textual.widgets._toast import Toast

from memtui.core.errors import LockedError
from memtui.tui.choices import Choice
from memtui.tui.faults import MOST, Faults, Threads
from memtui.tui.handlers import ScreenDesk
from memtui.tui.panes.layer_view import FactsView
from memtui.tui.panes.listing import Listing, replace_rows
from memtui.tui.row_list import Fixed, Rows
from memtui.tui.screen import MainScreen
from memtui.tui.sheets import Prompt, Question, Sheet
from memtui.tui.terminal import Bell, TerminalText, harden_driver, listen, open_whole_writes
from memtui.tui.viewer import Viewer
from tests.conftest import until
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import FakeVault
from tests.tui.learnt import learnt
from tests.tui.test_snapshots_writing import records

TEXT = "a memory's own words"


def fails(*_given: object, **_named: object) -> Any:
    raise RuntimeError(TEXT)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "memtui"


@pytest.fixture
async def failing(vault: FakeVault) -> AsyncIterator[Desk]:
    """An app in which something is to go wrong."""
    async with running(vault, faulty=True) as desk:
        yield desk


async def lives(desk: Desk) -> None:
    """It heeds keys, and Health tells what happened."""
    assert "(RuntimeError)" in desk.main.said
    await desk.press("2", "6")
    desk.app.faults.settle()
    await desk.settled()
    text = desk.text()
    assert "Went wrong inside memtui" in text
    assert "RuntimeError" in text
    assert TEXT not in text
    assert desk.app.return_code is None


# -- every road -------------------------------------------------------------------------------------------------------


async def test_a_verb(vault: FakeVault, monkeypatch: pytest.MonkeyPatch, state: Path) -> None:
    monkeypatch.setattr(MainScreen, "step_view", fails)
    async with running(vault, faulty=True) as desk:
        await desk.press("right_square_bracket")
        await lives(desk)
        fault = desk.app.faults.found[0]
        assert fault.count == 1
        assert fault.log == str(state / "errors.log")
        # Health shows where: the file is named beside the row.
        for _ in range(20):
            if "errors.log" in desk.text():
                break
            await desk.press("down")
        assert "errors.log" in desk.text()
    logged = (state / "errors.log").read_text("utf-8")
    assert "RuntimeError" in logged
    assert TEXT not in logged


async def test_a_view(monkeypatch: pytest.MonkeyPatch, failing: Desk) -> None:
    for method in ("reload", "focus_first", "why_not", "stage", "place", "tick"):
        before = sum(fault.count for fault in failing.app.faults.found)
        await failing.press("3")
        with monkeypatch.context() as patch:
            patch.setattr(FactsView, method, fails, raising=False)
            await failing.press("2")
            failing.main.call_next(failing.main._tick)
            await failing.press("j", "space")
            assert sum(fault.count for fault in failing.app.faults.found) > before, method
        await failing.press("3", "6")
        assert failing.main.view == "health"


async def test_a_view_that_cannot_be_made(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FactsView, "compose", fails)
    async with running(vault, faulty=True) as desk:
        await desk.press("2")
        await lives(desk)


async def test_a_sheet_that_cannot_be_made_can_be_left(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prompt, "compose", fails)
    async with running(vault, faulty=True) as desk:
        await desk.press("2", "s", "escape")
        assert desk.app.screen is desk.main
        await lives(desk)


async def test_a_handler_a_callback_and_a_timer(failing: Desk) -> None:
    after: list[int] = []
    failing.main.call_next(fails)
    failing.main.call_next(after.append, 1)
    await failing.settled()
    assert after == [1], "what comes after it comes all the same"
    failing.main.set_timer(0.001, fails)
    failing.main.set_interval(0.001, fails)
    failing.app.call_later(fails)
    failing.main.call_after_refresh(fails)
    failing.main.run_worker(fails, thread=True)
    while sum(fault.count for fault in failing.app.faults.found) < 20:
        await failing.pilot.pause(0.001)
    await lives(failing)


async def test_a_reader_and_a_writer(failing: Desk) -> None:
    failing.main.reader.ask("x", fails, fails)
    await failing.settled()
    assert failing.app.faults.found[0].kind == "RuntimeError"
    failing.main.hand.write(fails, typed="what was typed")
    await failing.settled()
    assert failing.main.hand.drafts.waiting[0].text == "what was typed"
    await lives(failing)
    await failing.press("j")


async def test_a_message_that_is_half_handled_goes_no_further(monkeypatch: pytest.MonkeyPatch, failing: Desk) -> None:
    await failing.press("slash")
    monkeypatch.setattr(Input, "_on_key", fails)
    await failing.press("q")
    assert failing.app.return_code is None
    monkeypatch.undo()
    await lives_after(failing)


async def lives_after(desk: Desk) -> None:
    await desk.press("escape", "escape")
    await lives(desk)


async def test_what_cannot_be_drawn_has_a_line_in_its_place(monkeypatch: pytest.MonkeyPatch, failing: Desk) -> None:
    await failing.press("2")
    monkeypatch.setattr(Rows, "render_line", fails)
    failing.main.pane.redraw()
    await failing.settled()
    assert "This cannot be shown" in failing.text()
    before = failing.app.faults.found[0].count
    await failing.settled()
    assert failing.app.faults.found[0].count - before < 20, "it does not draw itself for ever"
    monkeypatch.undo()
    await failing.press("6")
    await lives(failing)


async def test_what_cannot_be_measured(monkeypatch: pytest.MonkeyPatch, failing: Desk) -> None:
    monkeypatch.setattr(Input, "get_content_width", fails)
    monkeypatch.setattr(Input, "get_content_height", fails)
    monkeypatch.setattr(OptionList, "get_content_height", fails)
    await failing.press("2", "s", "escape", "ctrl+p", "escape")
    assert failing.app.screen is failing.main
    assert failing.app.return_code is None


async def test_a_provider_of_the_palette(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.tui.windows.PaletteCommands.search", fails)
    monkeypatch.setattr("memtui.tui.windows.Palette._refresh_command_list", fails)
    async with running(vault, faulty=True) as desk:
        await desk.press("ctrl+p", "a", "enter", "escape")
        assert desk.app.screen is desk.main
        await lives(desk)


async def test_bars_that_fail_do_not_silence_the_rest(monkeypatch: pytest.MonkeyPatch, failing: Desk) -> None:
    monkeypatch.setattr(failing.main, "update_footer", fails)
    await failing.press("2", "j", "3")
    assert "Timeline" in failing.text()
    monkeypatch.undo()
    await lives(failing)


async def test_an_expected_error_says_itself_and_is_no_fault(vault: FakeVault) -> None:
    def locked() -> None:
        raise LockedError("somebody else is writing\x1b[2J")

    async with running(vault) as desk:
        desk.main.call_next(locked)
        await desk.settled()
        assert desk.main.said.startswith("somebody else is writing")
        assert "\x1b" not in desk.main.said


async def test_no_memory_ends_it(vault: FakeVault) -> None:
    def gone() -> None:
        raise MemoryError

    with pytest.raises(MemoryError):
        async with running(vault) as desk:
            desk.main.call_next(gone)
            await desk.pilot.pause(0.05)


async def test_what_never_stood_does_not_stay(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.tui.screen.MainScreen.compose", fails)
    with pytest.raises(RuntimeError):
        async with running(vault):
            pass


async def test_ctrl_c_twice_ends_whatever_is_stuck(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScreenDesk, "quit", fails)
    async with running(vault, faulty=True) as desk:
        await desk.press("q")
        assert desk.app.return_code is None
        await desk.pilot.press("ctrl+c")
        await desk.settled()
        assert desk.app.return_code is None
        assert "ctrl+c" in desk.main.said
        await desk.pilot.press("ctrl+c")
        desk.app._interrupted = 0.0
        await desk.pilot.press("ctrl+c")
        assert desk.app.return_code == 130


# -- counted, and bounded ---------------------------------------------------------------------------------------------


def faulty(told: Callable[[str], None] = lambda _sentence: None) -> Faults:
    return Faults(lambda: True, told)


def test_a_storm_is_counted_and_not_written_out(state: Path) -> None:
    said: list[str] = []
    faults = faulty(said.append)
    for _ in range(5000):
        try:
            fails()
        except RuntimeError as error:
            assert faults.catch(error)
    faults.settle()
    assert [fault.count for fault in faults.found] == [5000]
    assert len(said) < 5
    assert (state / "errors.log").read_text("utf-8").count("RuntimeError\n") == 4


def test_many_places_are_told_apart_up_to_a_point() -> None:
    faults = faulty()
    for number in range(MOST * 2):
        faults.catch(type(f"Error{number}", (Exception,), {})())
    faults.settle()
    assert len(faults.found) == MOST + 1
    assert sum(fault.count for fault in faults.found) == MOST * 2


def test_a_log_that_cannot_be_written_is_done_without(state: Path) -> None:
    state.write_text("a file where the directory would be")
    faults = faulty()
    assert faults.catch(OSError(errno.EIO, "x"))
    faults.settle()
    assert faults.found[0].log == ""


def test_other_threads_and_logged_exceptions(capsys: pytest.CaptureFixture[str]) -> None:
    faults = faulty()
    hook = threading.excepthook
    with Threads(faults):
        thread = threading.Thread(target=fails)
        thread.start()
        thread.join()
        try:
            fails()
        except RuntimeError:
            logging.getLogger("memtui.somewhere").exception("it failed")
            logging.getLogger("asyncio").error("a task", exc_info=True)
        logging.getLogger("memtui.somewhere").error("only a sentence")
    assert threading.excepthook is hook
    assert sum(fault.count for fault in faults.found) == 3
    assert "Traceback" not in capsys.readouterr().err


# -- each by its cause ------------------------------------------------------------------------------------------------


async def test_why_a_key_did_nothing_goes_with_its_view(vault: FakeVault) -> None:
    vault.learnt = learnt(vault.memories_[0])
    async with running(vault) as desk:
        await desk.press("h", "space")
        assert desk.main.said == "Nothing can be selected here."
        await desk.press("1")
        assert not desk.main.said


async def test_what_was_learnt_is_not_selected_on_home(vault: FakeVault) -> None:
    vault.learnt = learnt(vault.memories_[0])
    async with running(vault) as desk:
        await desk.press("shift+tab", "shift+tab")
        assert desk.main.focused is not None
        assert desk.main.focused.id == "home-evolution"
        await desk.press("space")
        assert desk.main.said == "Nothing can be selected here."
        for key in ("s", "i", "e", "E", "D", "m", "ctrl+e", "d", "t"):
            await desk.press("V", "v", "j", key, "k")
            assert not desk.main.pane.query_one("#home-evolution", Rows).marks
            assert desk.app.screen is desk.main, key


async def test_selected_ones_do_not_stand_for_the_one_under_the_cursor(desk: Desk) -> None:
    """A row that is still being read has no memory, though others are selected."""
    await desk.press("2", "space")
    rows = desk.main.pane.rows()
    assert rows is not None
    rows._known.clear()
    rows._want = lambda _rows, _items: None
    for key in ("s", "i", "e", "E", "ctrl+e"):
        await desk.press(key)
        assert desk.main.said == "There is no memory under the cursor."
    assert desk.app.screen is desk.main


async def test_two_enters_in_one_burst_are_one(vault: FakeVault) -> None:
    written: list[object] = []
    async with running(vault) as desk:
        desk.main.hand.write = lambda *given, **_named: written.append(given)  # type: ignore[method-assign]
        for keys in (("2", "i"), ("2", "s"), ("2", "D"), ("w",), ("question_mark",), ("R",)):
            written.clear()
            await desk.press(*keys)
            sheet = desk.app.screen
            assert isinstance(sheet, Sheet)
            box = list(sheet.query(Input))
            if box:
                box[0].value = "another text"
                # Both are in its queue before it looks at either.
                sheet.post_message(Input.Submitted(box[0], "x"))
                sheet.post_message(Input.Submitted(box[0], "x"))
            else:
                sheet.open_item()
                sheet.open_item()
            await desk.settled()
            assert desk.main in desk.app.screen_stack
            assert len(written) <= 1
            await desk.press("escape", "6")


async def test_an_answer_is_given_once(vault: FakeVault) -> None:
    answers: list[object] = []
    async with running(vault) as desk:
        first = Question("a", "b", "c", desk.main.context.look)
        second = Question("d", "e", "f", desk.main.context.look)
        desk.app.push_screen(first, answers.append)
        desk.app.push_screen(second, answers.append)
        await desk.settled()
        first.dismiss(False)
        await desk.settled()
        assert desk.app.screen is second, "one below leaves nobody else's window"
        second.open_item()
        second.open_item()
        await desk.settled()
        assert answers == [True]
        assert desk.app.screen is first


async def test_a_window_that_is_left_before_it_is_there(vault: FakeVault) -> None:
    answers: list[object] = []
    async with running(vault) as desk:
        for sheet in (Prompt("a", "b"), Question("a", "b", "c", desk.main.context.look)):
            desk.app.push_screen(sheet, answers.append)
            sheet.close()
            await desk.settled()
            assert desk.app.screen is desk.main
        assert answers == [None, False]


async def test_a_window_that_is_gone_before_it_is_furnished(desk: Desk) -> None:
    desk.app.push_screen(Prompt("a", "b"))
    desk.app.pop_screen()
    await desk.settled()
    assert desk.app.screen is desk.main
    assert not desk.app.faults.found


async def test_a_key_waits_for_the_window_that_opens(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    opens = asyncio.Event()
    wait_for = asyncio.wait_for

    class Late(Viewer):
        async def _pre_process(self) -> bool:
            await opens.wait()
            return await super()._pre_process()

    async def waits(what: Coroutine[Any, Any, Any], seconds: float) -> Any:
        opens.set()
        return await wait_for(what, seconds)

    async with running(vault) as desk:
        late = Late(str(vault.homes[0].path), "notes.md", "one\ntwo\nthree\n")
        desk.app.push_screen(late)
        monkeypatch.setattr(asyncio, "wait_for", waits)
        desk.app.post_message(Key("j", "j"))
        # Comes to its turn behind the key.
        desk.app.call_later(opens.set)
        await opens.wait()
        monkeypatch.undo()
        await desk.settled()
        assert not desk.app.faults.found
        assert late.area.cursor_location[0] == 1


async def test_keys_wait_once_for_what_never_comes(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    async def in_vain(what: Coroutine[Any, Any, Any], seconds: float) -> None:
        what.close()
        waited.append(seconds)
        raise TimeoutError

    async with running(vault) as desk:
        desk.main.settled.clear()
        with monkeypatch.context() as patch:
            patch.setattr(asyncio, "wait_for", in_vain)
            for _ in range(3):
                await desk.app.on_event(Key("j", "j"))
        assert len(waited) == 1
        desk.main.settled.set()


async def test_a_window_that_is_not_furnished_opens_nothing(desk: Desk) -> None:
    choice = Choice("which", [Fixed(1, (("one", ""),), value=1)], desk.app.look)
    choice.action_do("item.open")
    choice.open_item()
    desk.app.push_screen(choice)
    await desk.settled()
    await choice.query("*").remove()
    choice.action_do("item.open")
    await desk.settled()
    assert not desk.app.faults.found


async def test_keys_and_clicks_on_the_way_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(desk.app._screen_stacks, desk.app.current_mode, [])
        await desk.app.on_event(Key("j", "j"))
        await desk.app.on_event(MouseDown(None, 1, 1, 0, 0, 1, False, False, False, 1, 1))
    await desk.settled()
    assert not desk.app.faults.found
    assert desk.app.return_code is None


async def test_a_view_that_comes_when_everybody_left(vault: FakeVault) -> None:
    async with running(vault) as desk:
        main = desk.main
    await main._mount_view("timeline", main.settled)
    assert "timeline" not in main._panes


async def test_a_click_where_the_window_was_before_it_became_smaller(desk: Desk) -> None:
    await desk.press("ctrl+p")
    palette = desk.app.screen
    palette.post_message(Click(palette, 500, 90, 0, 0, 1, False, False, False, 500, 90))
    await desk.settled()
    assert not desk.app.faults.found
    assert desk.app.screen is palette


async def test_a_click_where_the_palette_showed_more_commands(desk: Desk) -> None:
    await desk.press("ctrl+p", *"timeline")
    found = desk.app.screen.query_one(OptionList)
    while not found.option_count:
        await desk.pilot.pause(0.01)
    at = found.region.x + 2, found.region.y + 2

    def click(option: int) -> None:
        style = Style(meta={"option": option})
        found.post_message(Click(found, 2, 2, 0, 0, 1, False, False, False, *at, style=style))

    click(10_000)
    await desk.settled()
    assert not desk.app.faults.found
    assert isinstance(desk.app.screen, CommandPalette)
    click(0)
    await desk.settled()
    assert len(desk.app.screen_stack) == 1


async def test_what_the_history_reads_comes_when_it_was_left(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, go = threading.Event(), threading.Event()

    def applies(_record: object) -> str:
        asked.set()
        go.wait(60)
        return ""

    monkeypatch.setattr(vault, "history", lambda *_given: records(), raising=False)
    monkeypatch.setattr(vault, "applies", applies, raising=False)
    async with running(vault) as desk:
        await desk.pilot.press("2", "U")
        while not asked.is_set():
            await desk.pilot.pause(0.01)
        await desk.app.screen.dismiss(None)
        go.set()
        await desk.settled()
        assert not desk.app.faults.found


async def test_a_sentence_in_the_corner_stands_there_once_and_never_without_time(desk: Desk) -> None:
    for _ in range(3):
        desk.app.notify("no UTF-8")
    desk.app.notify("gone at once", timeout=0.1)
    await desk.settled()
    (toast,) = desk.app.screen.query(Toast)
    assert toast._notification.message == "no UTF-8"
    assert len(desk.app._notifications) == 1


async def test_what_is_found_for_a_palette_that_is_left(desk: Desk) -> None:
    await desk.press("ctrl+p")
    palette: Any = desk.app.screen
    palette._list_visible = False
    await desk.settled()
    await palette.query("*").remove()
    palette._list_visible = True
    await desk.press("escape")
    assert not desk.app.faults.found


async def test_two_clicks_beside_the_palette(desk: Desk) -> None:
    await desk.press("ctrl+p")
    palette = desk.app.screen
    assert isinstance(palette, CommandPalette)
    palette._action_escape()
    palette._action_escape()
    await desk.settled()
    assert desk.app.screen is desk.main


async def test_a_command_of_the_palette_is_done_once(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    async with running(vault) as desk:
        await desk.press("ctrl+p", *"timeline")
        palette = desk.app.screen
        while not palette.query_one(OptionList).option_count:
            await desk.pilot.pause(0.01)
        monkeypatch.setattr(desk.main, "do", done.append)
        box = palette.query_one(Input)
        for _ in range(4):
            palette.post_message(Input.Submitted(box, box.value))
        await desk.settled()
        assert len(done) <= 1
        assert desk.app.screen is desk.main or not done


async def test_a_page_of_a_palette_that_has_no_room(desk: Desk) -> None:
    await desk.press("ctrl+p")
    palette: Any = desk.app.screen
    options = palette.query_one(OptionList)
    while not options.option_count:
        await desk.pilot.pause(0.01)
    await desk.pilot.resize_terminal(1, 1)
    options._clear_caches()
    palette._action_command_list("page_down")
    palette._action_command_list("page_up")
    await desk.settled()


async def test_ticked_rows_in_a_window_of_a_few_columns(desk: Desk) -> None:
    await desk.press("2", "space", "j", "space")
    for columns in range(1, 13):
        rows = desk.rows()
        assert len(rows.marks.items) == 2, columns
        await desk.pilot.resize_terminal(columns, 3)
        await desk.settled()
        await desk.press("1", "3", "4", "5", "6", "0")
        assert not desk.app.faults.found, columns
        await desk.pilot.resize_terminal(120, 36)
        await desk.press("2")


async def test_a_place_is_no_markup_in_the_palette(vault: FakeVault) -> None:
    for memory in vault.memories_:
        memory.path = "notes/[/b] [@click=app.quit]x[/].md"
    async with running(vault) as desk:
        await desk.press("ctrl+p", *"pytest")
        options = desk.app.screen.query_one(OptionList)
        for _ in range(200):
            if options.option_count:
                break
            await desk.pilot.pause(0.01)
        await desk.press("escape")


@pytest.mark.parametrize(("at", "then"), [(0, 0), (2, 0), (1, 1), (3, 3), (9, 9), (None, None)])
def test_a_cursor_behind_the_end_of_a_list_that_became_shorter(at: int | None, then: int | None) -> None:
    section: Any = None
    listing = Listing([], section, ["a", "b", "c"], {}, at, 3, "")
    replace_rows(listing, {"c": "a"})
    assert listing.refs == ["a", "b"]
    assert listing.at == then


# -- bytes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reads", "text", "foreign"),
    [
        ([b"abc"], "abc", 0),
        (["部署".encode()], "部署", 0),
        (["部署".encode()[:1], "部署".encode()[1:4], "部署q".encode()[4:]], "部署q", 0),
        (["👩‍💻".encode()[:2], "👩‍💻q".encode()[2:]], "👩‍💻q", 0),
        ([b"\xff"], "", 1),
        ([b"a\xffb"], "ab", 1),
        (["部署".encode("gbk"), b"q"], "q", 1),
        ([b"\x81\x71\x81\x44", b"j"], "j", 2),
        ([b"\xe9", b"j"], "j", 1),
    ],
)
def test_bytes_that_are_no_utf8_are_left_out(reads: list[bytes], text: str, foreign: int) -> None:
    told: list[int] = []
    typed = TerminalText(lambda: told.append(1))
    assert "".join(typed.read(data) for data in reads) == text
    assert (len(told) > 0) == (foreign > 0)


def test_a_paste_whose_end_never_comes_is_over_after_a_while() -> None:
    typed = TerminalText(lambda: None)
    assert typed.wait() == ""
    assert typed.read(b"\x1b[200~abc") == "\x1b[200~abc"
    waited = [typed.wait() for _ in range(50)]
    assert waited.count("\x1b[201~") == 1
    assert typed.read(b"\x1b[200~abc\x1b[201~")
    assert not any(typed.wait() for _ in range(50))


@pytest.mark.parametrize("cut", range(1, 6))
def test_a_paste_whose_beginning_is_cut_in_two_is_one(cut: int) -> None:
    start, end = b"\x1b[200~", b"\x1b[201~"
    typed = TerminalText(lambda: None)
    typed.read(b"j" + start[:cut])
    typed.read(start[cut:] + b"abc")
    assert typed.open
    assert [typed.wait() for _ in range(50)].count("\x1b[201~") == 1
    typed.read(start + end[:cut])
    assert typed.open
    typed.read(end[cut:] + b"j")
    assert not typed.open


@pytest.mark.skipif(sys.platform == "win32", reason="there the app reads keys in another way")
def test_whoever_waits_for_keys_hears_the_bell_and_it_can_ring_again() -> None:
    bell = Bell()
    for _ in range(2):
        waiting = threading.Thread(target=select.select, args=([bell.receive], [], []), daemon=True)
        waiting.start()
        bell.set()
        waiting.join(60)
        assert not waiting.is_alive()
        assert bell.is_set()
        bell.clear()
        assert not bell.is_set()
        assert not select.select([bell.receive], [], [], 0)[0]


class Line:
    """A driver whose terminal is one end of a pair of sockets."""

    _debug = False

    def __init__(self) -> None:
        self._ours, self.theirs = socket.socketpair()
        self.fileno = self._ours.fileno()
        self.exit_event = Bell()
        self.heard: list[str] = []
        self._loop = self
        self._thread = threading.Thread(target=listen, args=(self, lambda: None, lambda: None))
        self._thread.start()

    def call_soon_threadsafe(self, _call: object) -> None: ...

    def process_message(self, message: object) -> None:
        if isinstance(message, Key):
            self.heard.append(message.key)

    def send(self, data: bytes) -> None:
        """Send bytes, and wait until they are read."""
        self.theirs.sendall(data)
        until(lambda: not select.select([self.fileno], [], [], 0)[0])

    def hears_at_last(self) -> bool:
        """Whether a key comes to the app that is pressed now and then."""
        self.send(b"\x1b[57382u")
        time.sleep(0.2)
        return "f19" in self.heard

    def await_keys(self, *keys: str) -> None:
        """Wait until these are all the keys that the app was told of, in their order."""
        until(lambda: len(self.heard) >= len(keys))
        assert self.heard == list(keys)

    def close(self) -> None:
        self.exit_event.set()
        self._thread.join(60)
        self._ours.close()
        self.theirs.close()


@pytest.mark.parametrize(
    ("reads", "keys"),
    [
        ([b"\x1b", b"q"], ["escape", "q"]),
        ([b"j\x1b", b"qj"], ["j", "escape", "q", "j"]),
        ([b"\x1b", b"\x1b", b"q"], ["escape", "escape", "q"]),
        ([b"\x1b", b"\x1b[B", b"q"], ["escape", "down", "q"]),
        ([b"\x1b", "验".encode()[:1], "验".encode()[1:], b"q"], ["escape", "验", "q"]),
        ([b"\x1b", b"[B", b"\x1b", b"OB"], ["down", "down"]),
        ([b"\x1b\x1b[Iq"], ["escape", "q"]),
    ],
)
def test_a_key_right_behind_escape_is_a_key_of_its_own(
    monkeypatch: pytest.MonkeyPatch, reads: list[bytes], keys: list[str]
) -> None:
    # None of it is told by how long it took.
    monkeypatch.setattr("textual.constants.ESCAPE_DELAY", 3600)
    line = Line()
    try:
        for data in reads:
            line.send(data)
        line.await_keys(*keys)
    finally:
        line.close()


@pytest.mark.parametrize(("read", "key"), [(b"\x1b", "escape"), (b"\x1bq", "alt+q")])
def test_an_escape_alone_is_a_key_and_in_one_piece_with_another_it_is_alt(read: bytes, key: str) -> None:
    line = Line()
    try:
        line.send(read)
        line.await_keys(key)
    finally:
        line.close()


def test_a_mark_of_a_paste_that_comes_in_pieces_does_not_make_it_deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both marks, cut wherever they can be: ten terminals at once, for each has to be waited for."""
    monkeypatch.setattr("memtui.tui.terminal.UNENDED", 4)
    cases = [(b"", b"\x1b[200~", cut) for cut in range(1, 6)]
    cases += [(b"\x1b[200~abc", b"\x1b[201~", cut) for cut in range(1, 6)]
    lines = [Line() for _case in cases]
    try:
        for line, (before, mark, cut) in zip(lines, cases, strict=True):
            line.theirs.sendall(before + mark[:cut])
        time.sleep(0.35)
        for line, (_before, mark, cut) in zip(lines, cases, strict=True):
            line.theirs.sendall(mark[cut:])
        # What a paste without an end holds is lost; once it is over, keys are keys.
        for line in lines:
            until(line.hears_at_last)
    finally:
        for line in lines:
            line.close()


def test_keys_do_not_keep_a_paste_open_whose_end_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.tui.terminal.UNENDED", 4)
    line = Line()
    try:
        line.theirs.sendall(b"\x1b[200~abc")
        until(line.hears_at_last)
    finally:
        line.close()


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such terminal")
def test_output_that_ctrl_s_stopped_does_not_hold_the_app() -> None:
    from textual.drivers._writer_thread import WriterThread
    from textual.drivers.linux_driver import LinuxDriver

    theirs, ours = os.openpty()
    try:
        driver: Any = harden_driver(LinuxDriver, lambda: None, lambda: None)
        driver = driver.__new__(driver)
        with open(ours, "w", closefd=False) as driver._file:
            driver._writer_thread = WriterThread(driver._file)
            driver._writer_thread.start()
            os.write(theirs, b"\x13")
            time.sleep(0.1)
            driver._writer_thread.write("the last words\n")
            closing = threading.Thread(target=driver.close, daemon=True)
            closing.start()
            closing.join(60)
            assert not closing.is_alive()
        assert os.read(theirs, 100).startswith(b"the last words")
    finally:
        os.close(theirs)
        os.close(ours)


def test_what_a_signal_cuts_off_a_write_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cut(io.FileIO):
        def write(self, data: Any, /) -> int:
            return super().write(data[:7])

    monkeypatch.setattr(io, "FileIO", Cut)
    reads, writes = os.pipe()
    # As Python's own under PYTHONUNBUFFERED.
    file = io.TextIOWrapper(Cut(writes, "w"), encoding="utf-8", write_through=True)
    with open_whole_writes(file) as mended:
        mended.write("0123456789" * 100)
    file.close()
    with open(reads, "rb") as read:
        assert read.read() == b"0123456789" * 100
    buffered = io.TextIOWrapper(io.BytesIO())
    assert open_whole_writes(buffered) is buffered


async def test_commands_are_looked_for_before_the_palette_has_its_styles_and_when_it_is_left(desk: Desk) -> None:
    await desk.press("ctrl+p")
    palette: Any = desk.app.screen
    styles, palette._component_styles = palette._component_styles, {}
    palette._gather_commands("timeline")
    await desk.pilot.pause(0.05)
    palette._component_styles = styles
    while not palette.query_one(OptionList).option_count:
        await desk.pilot.pause(0.01)
    await palette.query("*").remove()
    palette._gather_commands("facts")
    await desk.press("escape")
    assert not desk.app.faults.found


@pytest.mark.parametrize(
    ("first", "box"), [("slash", "#box"), ("f", "#filter"), ("i", "#typed"), ("o", "#typed"), ("ctrl+p", "Input")]
)
async def test_what_is_typed_right_behind_a_key_goes_where_that_key_leads(desk: Desk, first: str, box: str) -> None:
    done: list[str] = []
    await desk.press("2")
    do = desk.main.do

    def note(id: str) -> None:
        done.append(id)
        do(id)

    desk.main.do = note  # type: ignore[method-assign]
    # A slow line brings them at once: each is in the queue before the first is looked at.
    for key in (first, "end", *"xadDs1"):
        desk.app.post_message(Key(key, key if len(key) == 1 else None))
    await desk.until(lambda: any(found.value.endswith("xadDs1") for found in desk.app.screen.query(Input)))
    await desk.settled()
    assert desk.app.screen.query_one(box, Input).value.endswith("xadDs1")
    assert len(done) == 1


async def test_what_is_typed_behind_enter_is_not_in_what_is_saved(desk: Desk) -> None:
    answers: list[object] = []
    desk.app.push_screen(Prompt("Name"), answers.append)
    await desk.settled()
    for key in ("a", "b", "enter", "j", "j"):
        desk.app.post_message(Key(key, key if len(key) == 1 else None))
    await desk.settled()
    assert answers == ["ab"]


async def test_the_keys_of_a_burst_open_one_window_and_no_tower(desk: Desk) -> None:
    for _ in range(30):
        desk.app.push_screen(Question("Remove?", "It is one.", "remove", desk.app.look))
    await desk.settled()
    assert len(desk.app.screen_stack) == 2
    for number in range(30):
        desk.app.push_screen(Question("Remove?", "It is one.", "remove", desk.app.look))
        desk.app.push_screen(Question(f"Remove {number}?", "It is one.", "remove", desk.app.look))
    # It is said for some seconds only, and a slow machine takes as long to settle.
    assert "close one first" in desk.main.said
    await desk.settled()
    assert len(desk.app.screen_stack) < 15
    for _ in range(15):
        await desk.press("escape")
    assert len(desk.app.screen_stack) == 1
