"""A bulk build in a process of its own, so that an app's keys never wait for it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from memtui.errors import UnavailableError
from memtui.index.sync import Changes

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.model import Home


def build_apart(
    home: Home,
    where: str,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Changes:
    """As `memtui.index.build.build`, in a child process; `where` as `disk.places.place` takes it.

    Ended early when `cancelled` says so; the next build goes on from there.

    Raises UnavailableError (disk, lock, or the child died).
    """
    command = [sys.executable, "-m", "memtui.index.build", str(home.path), home.layout, where]
    said: dict[str, Any] = {}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        for line in child.stdout or ():
            if cancelled is not None and cancelled():
                child.terminate()
                break
            try:
                said = json.loads(line)
            except ValueError:
                continue
            if progress is not None and "total" in said:
                progress(said["done"], said["total"])
    if "error" in said:
        raise UnavailableError(said["error"])
    if child.returncode and not (cancelled is not None and cancelled()):
        raise UnavailableError(
            "the process that builds the index ended too soon; it goes on at the next look"
        )
    return Changes(
        said.get("added", 0), said.get("changed", 0), said.get("removed", 0), said.get("seconds", 0.0)
    )
