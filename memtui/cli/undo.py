"""`memtui undo` and `memtui redo`: taking writes back, and doing them again after all, across restarts."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memtui.cli import output, receipts
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import vault
from memtui.errors import MemtuiError, UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.edits import Receipt
    from memtui.vault import Vault


def run(
    verb: str, which: tuple[str, ...], *, group: bool = False, home: tuple[str, ...], as_json: bool
) -> int:
    """Take back what is named, else the last decision; 3 where a file has moved on."""
    if group and not which:
        raise UsageError(_("--group needs the id of one of its writes: `memtui history` lists them."))
    with vault(home, wait=False) as opened:
        wanted = _groups(opened, which) if group else which
        return taken(opened, verb, wanted, as_json, everywhere=not home)


def taken(opened: Vault, verb: str, which: Sequence[str], as_json: bool, *, everywhere: bool = False) -> int:
    """Undo or redo each of these, or the last; what could not be is said, and does not stop the others.

    The last is the last decision `everywhere`: somebody may have written to a home elsewhere a moment ago.
    """
    act = opened.undo if verb == "undo" else opened.redo
    if len(which) < 2:
        # A single one that cannot be is simply an error, conflict and all.
        return _answer([act(which[0] if which else "", everywhere=everywhere)], [], as_json)
    done: list[Receipt] = []
    failed: list[tuple[str, MemtuiError]] = []
    for named in which:
        try:
            done.append(act(named))
        except MemtuiError as error:
            failed.append((named, error))
    return _answer(done, failed, as_json)


def _groups(opened: Vault, which: Sequence[str]) -> list[str]:
    """The groups of these writes, each once; a write that was a decision of its own stands for itself."""
    found: list[str] = []
    for named in which:
        try:
            record = opened.record(named)
        except UsageError:
            # A receipt names the group itself, too.
            found.append(named)
        else:
            found.append(record.group or record.id)
    return list(dict.fromkeys(found))


def _answer(done: list[Receipt], failed: list[tuple[str, MemtuiError]], as_json: bool) -> int:
    if as_json:
        output.document(
            {
                "receipts": [receipts.plain(receipt) for receipt in done],
                "failed": [{"id": named, "reason": str(error)} for named, error in failed],
            }
        )
    else:
        receipts.say(done, back=False)
    for named, error in failed:
        output.talk(f"{named}: {error}")
        receipts.explain(error)
    return max((error.exit_status for _named, error in failed), default=0)


UNDO = Command(
    "undo",
    "Take back the last decision, or the writes named; `memtui history` lists them with their ids.\n\n"
    "What somebody else changed since stays: where a write cannot be taken back by itself, nothing is changed, and "
    "both texts are shown.",
    partial(run, "undo"),
    (Argument("which", many=True, metavar="[ID]…"),),
    (
        Option(("--group",), "Take back all that was decided together with it.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 2 no such write, 3 nothing to undo or the file has moved on, 4 could not. "
    "`memtui redo` does it again.",
)
REDO = Command(
    "redo",
    "Do again what was undone last, or what is named.",
    partial(run, "redo"),
    (Argument("which", many=True, metavar="[ID]…"),),
    EVERYWHERE,
    epilog="Exit status: 0 done, 2 no such write, 3 nothing to redo or the file has moved on, 4 could not.",
)
