"""What the system says to a process: end. First the terminal is put back and the indexes are closed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App

ENDING = ("SIGTERM", "SIGHUP")
"""Without a handler either would leave the terminal raw, in its other screen and reporting the mouse."""

PATIENCE = 10.0
"""Seconds after which the process ends whatever still holds it."""


def heed(app: App[None]) -> None:
    """Have the running app end as if somebody had left it, with the shell's status for that signal (128 and it)."""
    loop = asyncio.get_running_loop()
    for name in ENDING:
        number = getattr(signal, name, None)
        if number is not None:
            # Windows' loop has no such thing, and a loop outside the main thread may not.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, partial(_end, app, int(number)))


def _end(app: App[None], number: int) -> None:
    last = threading.Timer(PATIENCE, os._exit, (128 + number,))
    last.daemon = True
    last.start()
    driver: Any = app._driver
    if driver is not None and not _terminal():
        # The thread that writes to the terminal died with it; its queue would fill up and hold the app for ever.
        driver.write = _nothing
    app.exit(return_code=128 + number)


def _terminal() -> bool:
    try:
        return sys.__stderr__ is not None and sys.__stderr__.isatty()
    except (OSError, ValueError):
        return False


def _nothing(_data: str) -> None:
    """There is nobody to write to."""
