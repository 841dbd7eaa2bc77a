"""`memtui history`: every write that memtui made, by whom, with its difference."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from itertools import islice
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.cli import diffs, output
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import vault
from memtui.cli.record import iso
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.disk.record import Record
    from memtui.vault import Vault

LIMIT = 30
SHOWN = 12
"""Characters of an id in a list; an id begins with its time, so the end tells them apart."""


def run(verb: str | None, which: str | None, *, home: tuple[str, ...], as_json: bool, **said: Any) -> int:
    """List the writes that fit, or show one; 1 where there is none."""
    if (verb == "show") is not (which is not None):
        raise UsageError(_("`memtui history` lists, `memtui history show ID` shows one with its difference."))
    with vault(home, wait=False) as opened:
        if which is not None:
            return _show(opened, which, as_json)
        limit = said["limit"]
        found = list(islice(_fitting(opened, **said), limit + 1))
    more = len(found) > limit
    del found[limit:]
    if as_json:
        output.document({"writes": [plain(record) for record in found], "more": more})
    elif found:
        table(found)
        if more:
            output.talk(_("the newest {limit}; --limit shows more").format(limit=limit))
    else:
        output.talk(_("Nothing was written."))
    return 0 if found else 1


def _fitting(
    opened: Vault,
    *,
    since: str | None,
    verbs: tuple[str, ...],
    who: str,
    path: str,
    undone: bool,
    everything: bool,
    limit: int,
) -> Iterator[Record]:
    del limit  # the caller's
    begin = None
    if since:
        from memtui.cli.times import moment

        begin = moment(since)
    for record in opened.history(everything=everything):
        if begin is not None and record.time < begin:
            continue
        if verbs and record.verb not in verbs:
            continue
        if who and who not in record.who.split(":") and who != record.who:
            continue
        if undone and not record.undone:
            continue
        if path and not any(_at(path, done.path) for done in record.changes):
            continue
        yield record


def _at(wanted: str, path: str) -> bool:
    globbed = "*" in wanted or "?" in wanted
    return fnmatchcase(path, wanted) if globbed else path.startswith(wanted)


def plain(record: Record) -> dict[str, Any]:
    """A write as a document, without the texts."""
    return {
        "id": record.id,
        "time": iso(record.time),
        "verb": record.verb,
        "who": record.who,
        "what": record.what,
        "paths": list(record.paths),
        "homes": list(dict.fromkeys(done.home for done in record.told)),
        "group": record.group,
        "undoes": record.undoes,
        "state": record.state,
        "undone": record.undone,
        "warnings": list(record.warnings),
    }


def table(records: list[Record]) -> None:
    """One row each, newest first."""
    piped = output.columns() is None
    heads = (
        output.Column(_("when"), output.DIM),
        output.Column(_("id"), output.DIM),
        output.Column(_("verb"), output.GREEN),
        output.Column(_("who")),
        output.Column("", output.YELLOW),
        output.Column(_("what"), grows=True),
        output.Column(_("where"), output.CYAN),
    )
    output.table(
        heads,
        [
            (
                (iso(record.time) or "") if piped else clock.ago(record.time),
                record.id if piped else record.id[-SHOWN:],
                record.verb,
                record.who,
                _("undone") if record.undone else record.state if record.state != "done" else "",
                record.what,
                " ".join(record.paths if piped else map(os.path.basename, record.paths)),
            )
            for record in records
        ],
    )


def _show(opened: Vault, which: str, as_json: bool) -> int:
    from memtui.history import difference

    record = opened.record(which)
    why = opened.applies(record)
    if as_json:
        output.document(plain(record) | {"diff": difference(record), "obstacle": why or None})
        return 0
    title = f"{record.id}  {iso(record.time)}  {record.verb}  {record.who}"
    output.line(output.paint(output.safe(title), output.BOLD))
    output.line(output.safe(record.what))
    for warning in record.warnings:
        output.line(f"! {output.safe(warning)}")
    for line in diffs.painted(difference(record)):
        output.line(line)
    if not why:
        output.talk(_("undo: {command}").format(command=f"memtui undo {record.id}"))
    else:
        output.talk(_("It cannot be taken back: {why}").format(why=why))
    return 0


COMMAND = Command(
    "history",
    "Every write that memtui made, newest first: when, by whom, what. `show ID` gives one with its difference.",
    run,
    (
        Argument("verb", choices=("list", "show"), metavar="[list|show]"),
        Argument("which", metavar="[ID]"),
    ),
    (
        Option(("--limit", "-n"), "How many at most, newest first.", "int", LIMIT, least=1, metavar="N"),
        Option(("--since",), "Not older than this: 7d, 12h, yesterday, 2026-02-01.", metavar="WHEN"),
        Option(
            ("--verb",),
            "Only this verb (append, approve, undo, …); may be repeated.",
            many=True,
            dest="verbs",
        ),
        Option(
            ("--who",),
            "Only writes of this one: person, distillation, agent, or an agent's name.",
            default="",
        ),
        Option(
            ("--path",), "Only files whose path in the home begins so, or matches with * and ?.", default=""
        ),
        Option(("--undone",), "Only what was taken back.", "flag"),
        Option(
            ("--everywhere",),
            "Of every home, not only of those that are open here.",
            "flag",
            dest="everything",
        ),
        *EVERYWHERE,
    ),
    epilog="ID is an id in the list, or a beginning or an end of it. Exit status: 0 found, 1 nothing, 2 wrong use.",
)
