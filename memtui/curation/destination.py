"""Which home a new memory goes to where nobody says: the current project's, else memtui's own, made when needed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from memtui import clock
from memtui.disk.places import private
from memtui.errors import ReadOnlyError, RefusedError
from memtui.layouts import layout
from memtui.model import Home

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtui.edits import Draft
    from memtui.model import Layer


def own(env: Mapping[str, str] | None = None) -> Home:
    """memtui's own home, `$MEMTUI_HOME` or `~/.memtui`, whether or not it is there yet."""
    env = os.environ if env is None else env
    named = env.get("MEMTUI_HOME", "").strip()
    path = Path(named or "~/.memtui").expanduser()
    path = Path(os.path.realpath(path))
    reason = "named by MEMTUI_HOME" if named else "memtui's own home"
    return Home(path, "memtui", reason, path.name if named else "~/.memtui")


def chosen(homes: Iterable[Home], layer: Layer, draft: Draft) -> Home:
    """The first home of the current project that takes such a memory; else memtui's own, which may not be there yet."""
    mine = own()
    for home in homes:
        if home.path == mine.path:
            mine = home
        elif home.current and home.writable and takes(home, layer, draft):
            return home
    return mine


def takes(home: Home, layer: Layer, draft: Draft) -> bool:
    """Whether the home's layout has a place for it."""
    try:
        layout(home.layout).target(home, layer, draft, clock.now())
    except RefusedError:
        return False
    return True


def made(home: Home) -> Home:
    """The home with its directory, made for this user only where it is missing. Raises ReadOnlyError, RefusedError."""
    if not home.path.is_dir():
        try:
            private(home.path)
        except OSError as error:
            reason = (error.strerror or "unknown error").lower()
            raise ReadOnlyError(f"{home.path} cannot be made: {reason}") from error
    return home
