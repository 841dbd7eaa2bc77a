"""`memtui trash`: what was deleted, and bringing it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import diffs, history, output
from memtui.cli.grammar import EVERYWHERE, Argument, Command
from memtui.cli.opening import vault
from memtui.cli.undo import taken
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.disk.record import Record


def run(verb: str | None, which: tuple[str, ...], *, home: tuple[str, ...], as_json: bool) -> int:
    """List what is in the trash, show some of it, or bring some of it back; 1 where there is nothing."""
    verb = verb or "list"
    if (verb == "list") is bool(which):
        raise UsageError(
            _("`memtui trash` lists, `memtui trash show|restore ID…` names what the list shows.")
        )
    with vault(home, wait=False) as opened:
        held = opened.trash()
        if verb == "restore":
            return taken(opened, "undo", [one.id for one in _named(held, which)], as_json)
    shown = _named(held, which) if which else held
    if verb == "show":
        return _show(shown, as_json)
    if as_json:
        output.document({"trash": [history.plain(record) for record in shown]})
    elif shown:
        history.table(shown)
        output.talk(_("`memtui trash restore ID` brings one back."))
    else:
        output.talk(_("The trash is empty."))
    return 0 if shown else 1


def _named(held: Sequence[Record], which: Sequence[str]) -> list[Record]:
    found: list[Record] = []
    for named in which:
        fitting = [
            one
            for one in held
            if one.id == named or (len(named) > 3 and (one.id.startswith(named) or one.id.endswith(named)))
        ]
        if len(fitting) != 1:
            raise UsageError(
                _("'{id}' names nothing in the trash: `memtui trash` lists it.").format(id=named)
                if not fitting
                else _("'{id}' may be several: write more of it.").format(id=named)
            )
        found += fitting
    return list({one.id: one for one in found}.values())


def _show(shown: Sequence[Record], as_json: bool) -> int:
    from memtui.history import difference

    if as_json:
        output.document({"trash": [history.plain(record) | {"diff": difference(record)} for record in shown]})
        return 0
    for record in shown:
        output.line(output.paint(output.safe(f"{record.id}  {record.what}"), output.BOLD))
        for line in diffs.painted(difference(record)):
            output.line(line)
    return 0


COMMAND = Command(
    "trash",
    "What was deleted; nothing is gone until it is restored or its month is over.\n\n"
    "\b\nmemtui trash                list it\nmemtui trash show ID…       what it held\n"
    "memtui trash restore ID…    bring it back, byte for byte",
    run,
    (
        Argument("verb", choices=("list", "show", "restore"), metavar="[list|show|restore]"),
        Argument("which", many=True, metavar="[ID]…"),
    ),
    EVERYWHERE,
    epilog="Exit status: 0 done, 1 the trash is empty, 2 wrong use, 3 something stands in its place, 4 could not.",
)
