"""Opening what a command writes to: the home named, else the current project's, else memtui's own."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli import render
from memtui.cli.opening import load_settings, open_vault
from memtui.core.errors import UsageError
from memtui.core.locale import _, _n
from memtui.fs import displaced
from memtui.store.append import drain
from memtui.store.destination import choose_home, find_own_home, make_home
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.core.config import Config
    from memtui.core.edits import Draft
    from memtui.core.model import Home, Layer

LARGEST = 1024 * 1024
"""Bytes that are taken from stdin."""


@contextmanager
def open_writer(home: Sequence[str], layer: Layer, draft: Draft) -> Iterator[tuple[Vault, Home]]:
    """The vault to write with, and the one home that a new memory goes to; memtui's own is made where it is missing.

    Nothing is indexed, neither first nor afterwards: a hook waits for this, and the next question looks anyway.
    """
    config = load_settings()
    drain_spool(config)
    if len(home) > 1:
        raise UsageError(_("A memory goes to one home: name one with --home."))
    mine = find_own_home()
    if home and Path(os.path.realpath(Path(home[0]).expanduser())) == mine.path:
        with Vault([make_home(mine)], config) as opened:
            opened.current = False
            yield opened, mine
        return
    with open_vault(home, wait=False, config=config) as opened:
        place = opened.homes[0] if home else choose_home(opened.homes, layer, draft)
        if place in opened.homes:
            yield opened, place
            return
    with Vault([make_home(place)], config) as opened:
        opened.current = False
        yield opened, place


def drain_spool(config: Config) -> None:
    """Write what waits from when a home was locked; say how much that was."""
    if not displaced.list_spooled_records():
        return
    count = drain(config)
    if count:
        render.print_remark(
            _n(
                "{count} note that had waited is written.",
                "{count} notes that had waited are written.",
                count,
            )
        )


def read_passage(words: Sequence[str]) -> str:
    """The words of the command line as one text, or stdin for a single '-'. Raises UsageError for what is no text."""
    if list(words) != ["-"]:
        found = " ".join(words)
        if any("\ud800" <= char <= "\udfff" for char in found):
            raise UsageError(_("The text is not UTF-8."))
    else:
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(_("That is more than {limit} at once.").format(limit="1 MB"))
        try:
            found = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError(_("What came on stdin is not UTF-8.")) from None
    if not found.strip():
        raise UsageError(_("There is nothing to remember in an empty text."))
    return found.strip()
