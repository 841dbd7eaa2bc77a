"""A bulk build in a process of its own, so that an app's keys never wait for it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memtui.errors import UnavailableError, UnwritableIndexError
from memtui.index.sync import Changes

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.model import Home


class Apart:
    """One build in a child process: its end can be awaited from one thread and brought about from another."""

    def __init__(self, home: Home, where: str) -> None:
        """`where` as `disk.places.place` takes it."""
        self._command = [
            sys.executable, "-m", "memtui.index.build", str(home.path), home.layout, where, "--behind"
        ]  # fmt: skip
        self._child: subprocess.Popen[str] | None = None
        self._ended = False
        self._lock = threading.Lock()

    def run(self, progress: Callable[[int, int], None], built: Callable[[Changes], None]) -> None:
        """Build, call `built` when all is in the index, and stay until its pieces are merged, too.

        Raises UnwritableIndexError (disk), UnavailableError (lock, or the child died before it was done).
        """
        with self._lock:
            if self._ended:
                return
            self._child = child = subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        said: dict[str, Any] = {}
        with child:
            for line in child.stdout or ():
                with suppress(ValueError):
                    said = json.loads(line)
                if "total" in said:
                    progress(said["done"], said["total"])
                elif "added" in said:
                    built(Changes(said["added"], said["changed"], said["removed"], said["seconds"]))
        if "error" in said:
            raise (UnwritableIndexError if said.get("unwritable") else UnavailableError)(said["error"])
        if child.returncode and "added" not in said and not self._ended:
            raise UnavailableError(
                "the process that builds the index ended too soon; it goes on at the next look"
            )

    def end(self) -> None:
        """End it; the next build goes on from its last commit. From any thread."""
        with self._lock:
            self._ended = True
            if self._child is not None:
                self._child.terminate()
