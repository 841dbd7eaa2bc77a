"""Opening what a command writes to: the home named, else the current project's, else memtui's own."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.cli.grammar import Option
from memtui.cli.opening import settings, short, vault
from memtui.errors import UsageError
from memtui.locale import _, _n

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.config import Config
    from memtui.edits import Draft
    from memtui.model import Home, Layer
    from memtui.vault import Vault

LARGEST = 1024 * 1024
"""Bytes that are taken from stdin."""

DRY_RUN = Option(("--dry-run",), "Show what would be written; write nothing.", "flag")


@contextmanager
def writer(home: Sequence[str], layer: Layer, draft: Draft) -> Iterator[tuple[Vault, Home]]:
    """The vault to write with, and the one home that a new memory goes to; memtui's own is made where it is missing.

    Nothing is indexed, neither first nor afterwards: a hook waits for this, and the next question looks anyway.
    """
    from memtui.curation.destination import chosen, made, own
    from memtui.vault import Vault

    config = settings()
    drained(config)
    if len(home) > 1:
        raise UsageError(_("A memory goes to one home: name one with --home."))
    mine = own()
    if home and Path(os.path.realpath(Path(home[0]).expanduser())) == mine.path:
        with Vault([made(mine)], config) as opened:
            opened.current = False
            yield opened, mine
        return
    with vault(home, wait=False, config=config) as opened:
        place = opened.homes[0] if home else chosen(opened.homes, layer, draft)
        if place in opened.homes:
            yield opened, place
            return
    with Vault([made(place)], config) as opened:
        opened.current = False
        yield opened, place


def drained(config: Config) -> None:
    """Write what waits from when a home was locked; say how much that was."""
    from memtui.disk import spool

    if not spool.waiting():
        return
    from memtui.curation.spooled import drain

    count = drain(config)
    if count:
        output.talk(
            _n(
                "{count} note that had waited is written.",
                "{count} notes that had waited are written.",
                count,
            )
        )


def passage(words: Sequence[str]) -> str:
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


def root(opened: Vault, path: str) -> str:
    """The open home at a path, as the vault names it. Raises UsageError for one that is not open."""
    real = os.path.realpath(Path(path).expanduser())
    if all(str(home.path) != real for home in opened.homes):
        raise UsageError(_("{path} is not open: name it with --home, too.").format(path=path))
    return real


def where(home: Home) -> str:
    """A home as a person knows it, with its layout."""
    return f"{short(str(home.path))} ({home.layout})"
