"""Opening homes for a command: to read from, with progress on a terminal, or to write to.

To read: the homes named, else the ones found here. To write: the home named, else the current project's, else
memtui's own.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from memtui.cli import render
from memtui.core.config import load
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING
from memtui.store.vault import Vault
from memtui.team import attach_servers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from memtui.analysis.analyst import Analyst
    from memtui.analysis.derived import Kind
    from memtui.core.config import Config
    from memtui.core.model import Home

if TYPE_CHECKING:
    T = TypeVar("T")

PATIENCE = 0.4
"""Seconds of work before a progress bar appears: what is quick needs none."""


def load_settings(*, warn: bool = True) -> Config:
    """The config as it stands; what is wrong in it is said on stderr and its default holds."""
    config, warnings = load()
    if warn:
        for warning in warnings:
            render.print_remark(_("config: {warning}").format(warning=warning))
    return config


def open_vault(home: Sequence[str], *, wait: bool = True, config: Config | None = None, shared: bool = False) -> Vault:
    """The vault over the homes named with --home, else over every home found here; `shared`: and over what others
    share. The caller closes it.
    """
    config = config or load_settings()
    progress = ProgressBar()
    try:
        opened = Vault.open(list(home) or None, config=config, wait=wait, progress=progress, shared=shared)
        if opened.follows_teams:
            attach_servers(opened)
        return opened
    finally:
        progress.done()


def load_analyses(opened: Vault, *kinds: Kind) -> Analyst:
    """What is worked out about the memories of these homes. Of these kinds it is exact: what is behind is worked out
    now, with a bar.
    """
    from memtui.analysis.analyst import Analyst

    analyst, progress = Analyst(opened), ProgressBar(_("analyzing {label}"))
    if not kinds:
        return analyst
    try:
        analyst.bring_up(kinds, lambda home, _kind, done, total: progress(home, done, total))
    finally:
        progress.done()
    return analyst


def confirm_answer(opened: Vault, ask: Callable[[], T]) -> T:
    """What `ask` answers of indexes that are right with the disk; it is asked twice where they were not."""
    progress = ProgressBar()
    try:
        opened.begin_look(progress)
        answer = ask()
        return answer if opened.confirm(progress) else ask()
    finally:
        progress.done()


class ProgressBar:
    """A bar on stderr for work that takes long; silent where stderr is no terminal."""

    def __init__(self, doing: str = "") -> None:
        """`doing`: a sentence with `{label}` in it, where it is not indexing."""
        self._doing = doing or _("indexing {label}")
        self._since = time.monotonic()
        self._drawn = 0.0
        self._shows = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __call__(self, home: Home, done: int, total: int) -> None:
        """`done` of `total` files, or memories, of this home."""
        self.draw(home.label[:24], done, total)

    def draw(self, label: str, done: int, total: int) -> None:
        """The same of anything that has a name."""
        now = time.monotonic()
        if not self._shows or now - self._since < PATIENCE or (now - self._drawn < 0.1 and done < total):
            return
        self._drawn = now
        share = min(1.0, done / total) if total else 1.0
        bar = "█" * int(share * 24)
        text = self._doing.format(label=render.make_safe_line(label)[:40])
        sys.stderr.write(f"\r\x1b[2K{text} ▕{bar:<24}▏ {done:,}/{total:,}")
        sys.stderr.flush()

    def done(self) -> None:
        """Wipe the bar."""
        if self._drawn:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
            self._drawn = 0.0


def shorten_path(path: str) -> str:
    """A path as a person writes it: '~' for the user's directory."""
    user = os.path.expanduser("~")
    return "~" + path[len(user) :] if path == user or path.startswith(user.rstrip("/\\") + os.sep) else path


def format_place(home: str, path: str, line: int = 0) -> str:
    """`path:line` as editors understand it: relative inside the working directory, else absolute."""
    whole = os.path.join(home, *path.split("/"))
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:
        here = ""
    if here and whole.startswith(here.rstrip(os.sep) + os.sep):
        whole = whole[len(here.rstrip(os.sep)) + 1 :]
    return f"{whole}:{line}" if line else whole


def resolve_home(opened: Vault, path: str) -> str:
    """The open home at a path, as the vault names it. Raises UsageError for one that is not open."""
    real = os.path.realpath(Path(path).expanduser())
    if all(str(home.path) != real for home in opened.homes):
        raise UsageError(_("{path} is not open: name it with --home, too.").format(path=path))
    return real


def describe_home(home: Home) -> str:
    """A home as a person knows it, with its layout."""
    return f"{shorten_path(str(home.path))} ({home.layout})"
