"""Starting the worker, so that it outlives the hook that starts it, and costs the hook next to nothing."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

COMMAND = (sys.executable, "-m", "memtui.sessions.worker")


def start() -> None:
    """Start a worker. Never raises: where it cannot be started its jobs wait for the next one."""
    if os.environ.get("MEMTUI_WORKER") == "off":
        return
    with suppress(OSError):
        try:
            # Half of what the library's own way costs, which a hook pays for every time.
            _spawn()
        except (AttributeError, NotImplementedError):
            _popen()


def _spawn() -> None:
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    os.posix_spawn(COMMAND[0], COMMAND, os.environ, file_actions=nothing, setsid=True)


def _popen() -> None:
    import subprocess

    flags = getattr(subprocess, "DETACHED_PROCESS", 0)
    null = subprocess.DEVNULL
    subprocess.Popen(
        COMMAND, stdin=null, stdout=null, stderr=null, start_new_session=not flags, creationflags=flags
    )
