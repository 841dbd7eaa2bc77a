"""What a write answered, as a document and as a sentence; and what a conflict looks like."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.cli import diffs, output
from memtui.cli.opening import short
from memtui.cli.record import iso
from memtui.disk.places import state
from memtui.errors import ConflictError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.edits import Receipt
    from memtui.errors import MemtuiError


def plain(receipt: Receipt) -> dict[str, Any]:
    """Every field of a receipt."""
    return {
        "id": receipt.id,
        "time": iso(receipt.time),
        "verb": receipt.verb,
        "who": receipt.who,
        "what": receipt.what,
        "paths": _shown(receipt),
        "group": receipt.group,
        "warnings": list(receipt.warnings),
    }


def say(receipts: Sequence[Receipt], *, line: int = 0, back: bool = True) -> None:
    """The places on stdout, as editors take them; what was done, what to know and how to undo it on stderr.

    `line` is the one that was written, of a single write to a single file.
    """
    seen: list[str] = []
    for receipt in receipts:
        for path in _shown(receipt):
            place = f"{path}:{line}" if line else path
            if place not in seen:
                seen.append(place)
                output.line(output.paint(output.safe(place), output.CYAN))
    for receipt in receipts:
        output.talk(receipt.what)
    notes(receipts)
    if back:
        undoing(receipts)


def undoing(receipts: Sequence[Receipt]) -> None:
    """The one line that takes them back, on stderr."""
    if receipts:
        last = receipts[-1]
        name = last.group if last.group and len(receipts) > 1 else last.id
        output.talk(_("undo: {command}").format(command=f"memtui undo {name}"))


def _shown(receipt: Receipt) -> list[str]:
    """The files of homes; what memtui writes down for itself besides is nobody's errand."""
    own = os.path.join(state(), "")
    return [path for path in receipt.paths if not path.startswith(own)]


def notes(receipts: Sequence[Receipt]) -> None:
    """What a person should know of the writes, on stderr: '1 secret was masked'."""
    for warning in dict.fromkeys(warning for receipt in receipts for warning in receipt.warnings):
        output.talk(_("note: {text}").format(text=warning))


def explain(error: MemtuiError) -> None:
    """What a person needs besides the error's sentence: the texts of a conflict."""
    if isinstance(error, ConflictError):
        conflict(error)


def conflict(error: ConflictError) -> None:
    """The three texts of a conflict, as two differences from what the change was made from, on stderr."""
    path = error.path
    for title, text in (
        (_("What changed there in the meantime:"), diffs.unified(error.base, error.theirs, path)),
        (_("What was to be written:"), diffs.unified(error.base, error.mine, path)),
    ):
        output.talk(title)
        for line in diffs.safe(text):
            output.talk(f"  {line}")
    if error.kept and error.kept not in str(error):
        output.talk(_("Your version is kept in {place}.").format(place=short(error.kept)))


def conflicting(error: ConflictError) -> dict[str, Any]:
    """A conflict as a document: where, what is kept, and both differences."""
    return {
        "home": error.home,
        "path": error.path,
        "kept": error.kept or None,
        "theirs": diffs.unified(error.base, error.theirs, error.path),
        "mine": diffs.unified(error.base, error.mine, error.path),
    }
