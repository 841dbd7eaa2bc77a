"""The terminal under the app: the bytes that come from it, suspending and resuming, and the end of the app."""

from __future__ import annotations

import asyncio
import codecs
import io
import os
import selectors
import signal
import sys
import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.cells import set_cell_size
from textual import events

from memtui.core import clock
from memtui.core.locale import _
from memtui.fs.last_picture import take_terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TextIO

    from textual.app import App
    from textual.driver import Driver
    from textual.message import Message

ENDING = ("SIGTERM", "SIGHUP")
"""Without a handler either would leave the terminal raw, in its other screen and reporting the mouse."""

HANGUP = 1

PATIENCE = 10.0
"""Seconds after which the process ends whatever still holds it."""

UNENDED = 20
"""Tenths of a second of silence, with nothing but keys in between, after which a paste is over though its end never
came: no key would be heard."""

KEYSTROKE = 32
"""Bytes that a key or a movement of the mouse sends at most."""

SILENCE = 0.1, 30.0
"""Seconds that the thread which reads keys waits for more: where a sequence may be cut off, and where nothing is."""

STOPPED = 0.2
"""Seconds after which output that does not end is taken for stopped."""

LARGEST = 10_000
"""Columns or lines: what claims to be larger is no terminal."""

QUIET = 10
"""Looks in silence after which no sequence is open."""

ALTERNATE = "\x1b[?1049h"
"""To the other screen, which xterm clears even where it stands on it."""

_START, _END = "\x1b[200~", "\x1b[201~"
_ESC, _LED = "\x1b", ("[", "O")
"""The escape key, or the beginning of a sequence; what goes on so may be the rest of one that a line cut in two."""


# -- the end ------------------------------------------------------------------------------------------------------


def end_app(app: App[None]) -> None:
    """Have the running app end as if somebody had left it, with the shell's status for that signal (128 and it)."""
    loop = asyncio.get_running_loop()
    for name in ENDING:
        number = getattr(signal, name, None)
        if number is not None:
            # Windows' loop has no such thing, and a loop outside the main thread may not.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, partial(end, app, int(number)))


def end(app: App[None], number: int) -> None:
    """End it, by the signal of that number, whatever still holds it."""
    last = threading.Timer(PATIENCE, os._exit, (128 + number,))
    last.daemon = True
    last.start()
    if hasattr(app, "keep_typed"):
        app.keep_typed()
    driver: Any = app._driver
    if driver is not None and not _is_terminal():
        # The thread that writes to the terminal died with it; its queue would fill up and hold the app for ever.
        driver.write = _ignore
    app.exit(return_code=128 + number)


def _is_terminal() -> bool:
    try:
        return sys.__stderr__ is not None and sys.__stderr__.isatty()
    except (OSError, ValueError):
        return False


def _ignore(_data: str) -> None:
    """There is nobody to write to."""


# -- the last picture ---------------------------------------------------------------------------------------------


def draw_picture(app: App[Any]) -> str:
    """What is on the screen, as the terminal is sent it; its first line says as of when that is. Empty: no picture."""
    width, height = app.size
    try:
        if os.get_terminal_size(2) != (width, height):
            return ""
    except OSError:
        return ""
    update = app.screen._compositor.render_full_update()
    moment = clock.convert_to_local(clock.now()).strftime("%H:%M")
    said = set_cell_size(_(" memtui  as it was at {time}, opening …").format(time=moment), width)
    return f"\x1b[1;1H\x1b[0m{update.render_segments(app.console)}\x1b[1;1H\x1b[0;7m{said}\x1b[0m"


def start_on_picture(driver: Any, start: Callable[[], None]) -> None:
    """Have a driver start, also on a terminal that shows the last picture: to go to the other screen again would
    clear it.
    """
    before = take_terminal()
    if not before:
        start()
        return
    send = driver.write
    driver.write = lambda data: None if data == ALTERNATE else send(data)
    start()
    del driver.write
    driver.attrs_before = before


# -- being put aside ----------------------------------------------------------------------------------------------


def can_suspend(app: App[Any]) -> bool:
    """Whether this system and this terminal can put a program aside."""
    return sys.platform != "win32" and app._driver is not None and app._driver.can_suspend


def suspend_app(app: App[Any], process: int = 0) -> None:
    """Give the terminal back and stop, all of our process group (0) as the terminal itself would do it, or one
    process; whoever brings us back to the foreground finds the screen as it was.
    """
    if sys.platform == "win32":
        return
    with app.suspend():
        os.kill(process, signal.SIGTSTP)
        # Continued in the background, the terminal is still somebody else's.
        while not _is_in_foreground():
            os.kill(os.getpid(), signal.SIGSTOP)


def _is_in_foreground() -> bool:
    if sys.platform == "win32":
        return True
    try:
        return os.tcgetpgrp(sys.__stdin__.fileno()) == os.getpgrp() if sys.__stdin__ else True
    except (OSError, ValueError):
        return True


# -- what comes in --------------------------------------------------------------------------------------------------


class TerminalText:
    """Bytes of a terminal as text. What is not UTF-8 is left out, half a character waits for its other half."""

    def __init__(self, foreign: Callable[[], None]) -> None:
        """`foreign` is told where something was left out."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._foreign = foreign
        self._tail = ""
        """The last of what was read."""
        self._silent = -1
        """Tenths of a second since a paste that is not over; -1: none is."""

    def read(self, data: bytes) -> str:
        """What they say."""
        pending, _flag = self._decoder.getstate()
        # The rest of a character that an earlier read cut in two.
        rest = next((at for at, byte in enumerate(data) if not 0x80 <= byte < 0xC0), len(data)) if pending else 0
        text = self._decoder.decode(data[:rest] + _drop_pairs(data[rest:]))
        if "\ufffd" in text:
            self._foreign()
            text = text.replace("\ufffd", "")
        # A mark may be cut in two by where a read ends.
        joined = self._tail + text
        self._tail = joined[1 - len(_START) :]
        start, end = joined.rfind(_START), joined.rfind(_END)
        if start > end:
            self._silent = 0
        elif end >= 0 or self._silent < 0:
            self._silent = -1
        elif len(data) > KEYSTROKE:
            # What somebody types while no key is heard is no rest of a paste.
            self._silent = 0
        return text

    @property
    def open(self) -> bool:
        """Whether a paste is not over."""
        return self._silent >= 0

    def forget(self) -> None:
        """A mark that began was given up: what follows is no rest of it."""
        self._tail = ""

    def wait(self) -> str:
        """A tenth of a second has passed in silence: the end of a paste that never came."""
        if self._silent < 0:
            return ""
        self._silent += 1
        if self._silent < UNENDED:
            return ""
        self._silent = -1
        return _END


def _drop_pairs(data: bytes) -> bytes:
    """Less the ASCII halves of GBK characters: 乹 is 81 71, and its q is no key that anybody pressed."""
    if data.isascii():
        return data
    out = bytearray()
    at = 0
    while at < len(data):
        byte = data[at]
        size = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
        after = data[at + 1 : at + size]
        whole = all(0x80 <= other < 0xC0 for other in after) and 0xC2 <= byte < 0xF5
        if byte < 0x80 or (whole and byte >= 0x80):
            out += data[at : at + size]
            at += size
        elif at + 1 < len(data) and 0x81 <= byte < 0xFF and 0x40 <= data[at + 1] < 0x7F:
            out.append(byte)
            at += 2
        else:
            out.append(byte)
            at += 1
    return bytes(out)


class Bell(threading.Event):
    """An event for which a thread can wait that waits for a terminal, too."""

    def __init__(self) -> None:
        super().__init__()
        self.receive, self._send = os.pipe()

    def set(self) -> None:
        super().set()
        os.write(self._send, b"!")

    def clear(self) -> None:
        if self.is_set():
            os.read(self.receive, 64)
        super().clear()


def open_whole_writes(file: TextIO) -> TextIO:
    """A file that writes all it is given: unbuffered (PYTHONUNBUFFERED, as in most containers), Python drops the rest
    of what a signal cut in two, and half a sequence stands on the screen.
    """
    if not isinstance(getattr(file, "buffer", None), io.RawIOBase):
        return file
    raw = io.FileIO(file.fileno(), "w", closefd=False)
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding=file.encoding, errors=file.errors)


def listen(driver: Any, hung_up: Callable[[], None], foreign: Callable[[], None]) -> None:
    """Pass on what is typed at a driver's terminal until the app ends or the terminal does."""
    from textual._xterm_parser import XTermParser

    typed, parser = TerminalText(foreign), XTermParser(driver._debug)
    silent, escaped = 0, False
    """`escaped`: the last that was read ended with an escape."""
    with selectors.SelectSelector() as selector:
        selector.register(driver.fileno, selectors.EVENT_READ)
        selector.register(driver.exit_event.receive, selectors.EVENT_READ)
        while not driver.exit_event.is_set():
            text, lone = "", False
            # A sequence that was cut off is given up by the parser after a few looks.
            found = selector.select(SILENCE[silent > QUIET and not typed.open])
            silent = 0 if found else silent + 1
            if driver.exit_event.is_set():
                return
            if found:
                try:
                    data = os.read(driver.fileno, 4096)
                except OSError:
                    data = b""
                if not data:
                    driver._loop.call_soon_threadsafe(hung_up)
                    return
                pasted = typed.open
                text = typed.read(data)
                # Alt and a key come in one piece: in two it was the escape key and then that key, however late both
                # are read.
                lone = escaped and bool(text) and not pasted and not text.startswith(_LED)
                escaped = text.endswith(_ESC) if text else escaped
            else:
                text = typed.wait()
            try:
                # Nothing at all would mean the end to the parser. While there is more to read nothing is cut off,
                # however long ago the beginning of it was read.
                if lone and parser._timeout_time is not None:
                    parser._timeout_time = 0.0
                    messages = [*parser.tick(), *parser.feed(text)]
                else:
                    messages = [*(parser.feed(text) if text else ()), *(() if found else parser.tick())]
                if parser._timeout_time is None:
                    typed.forget()
            except Exception:
                # A sequence that means nothing, such as a key beyond Unicode.
                foreign()
                before, parser = parser, XTermParser(driver._debug)
                parser.mouse_pixels = before.mouse_pixels
                parser.terminal_size = before.terminal_size
                parser.terminal_pixel_size = before.terminal_pixel_size
                continue
            for message in messages:
                driver.process_message(message)


def finish_writes(driver: Any) -> None:
    """Wait for the thread that writes to the terminal.

    Cooked again, the terminal heeds a ctrl+s that was meant for us: what is left to be written would wait for a ctrl+q
    that nobody knows of.
    """
    import termios

    writer = driver._writer_thread
    if writer is None:
        return
    writer._queue.put(None)
    while writer.is_alive():
        writer.join(STOPPED)
        with suppress(OSError, termios.error):
            termios.tcflow(driver._file.fileno(), termios.TCOOFF)
            termios.tcflow(driver._file.fileno(), termios.TCOON)


def harden_driver(driver_class: type[Driver], hung_up: Callable[[], None], foreign: Callable[[], None]) -> type[Driver]:
    """The system's driver, whose thread that reads keys survives whatever it reads."""
    if sys.platform == "win32":
        return driver_class
    from textual.drivers.linux_driver import LinuxDriver

    if not issubclass(driver_class, LinuxDriver):
        return driver_class

    class Hardened(driver_class):  # type: ignore[valid-type,misc]
        """Reads what Textual's own would die of, and does not wake ten times a second to find nothing."""

        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.exit_event = Bell()
            ours: Any = self
            ours._file = open_whole_writes(ours._file)

        def start_application_mode(self) -> None:
            """Take the terminal."""
            start_on_picture(self, super().start_application_mode)

        def run_input_thread(self) -> None:
            """Read until the app ends or the terminal does."""
            listen(self, hung_up, foreign)

        def close(self) -> None:
            """Let go of the terminal, once all is written."""
            finish_writes(self)
            super().close()

        def _sigtstp_application(self, *_given: object) -> None:
            # A second ctrl+z while the first puts us aside, or a third while we are fetched back: Textual's own
            # would do it all in the midst of that, and wait for ever for the thread that writes.
            if self._auto_restart:
                self._loop.call_soon_threadsafe(suspend_app, self._app, os.getpid())
            else:
                os.kill(os.getpid(), signal.SIGSTOP)

        def _sigcont_application(self, *_given: object) -> None:
            # Whoever was stopped without a word put nothing away: begun once more, two threads would read the keys,
            # and the terminal would never be put back.
            paint = partial(self._app.call_later, partial(self._app.refresh, layout=True))
            self._loop.call_soon_threadsafe(paint)

        def process_message(self, message: Message) -> None:
            """Let through what a terminal can say."""
            if isinstance(message, events.Resize) and max(message.size) > LARGEST:
                return
            super().process_message(message)

    return Hardened
