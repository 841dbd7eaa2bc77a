"""`memtui history`, `undo`, `redo` and `trash`.

`history`: every write that memtui made, by whom, with its difference. `undo` and `redo` work across restarts.
`trash`: what was deleted, and restoring it.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from memtui.cli import documents, render
from memtui.cli.documents import format_iso
from memtui.cli.opening import open_vault
from memtui.cli.options import EVERYWHERE, Argument, Command, CommandOption, parse_time
from memtui.core import clock
from memtui.core.errors import MemtuiError, UsageError
from memtui.core.locale import _
from memtui.store.history import describe_damage, describe_restored, format_write_diff

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.core.edits import Receipt
    from memtui.fs.write_journal import Record
    from memtui.store.vault import Vault

LIMIT = 30
SHOWN = 12
"""Characters of an id in a list; an id begins with its time, so the end tells them apart."""


def run_history(verb: str | None, which: str | None, *, home: tuple[str, ...], as_json: bool, **said: Any) -> int:
    """List the writes that fit, or show one; 1 where there is none."""
    if (verb == "show") is not (which is not None):
        raise UsageError(_("`memtui history` lists, `memtui history show ID` shows one with its difference."))
    with open_vault(home, wait=False) as opened:
        if which is not None:
            return _show_history(opened, which, as_json)
        limit = said["limit"]
        found = list(islice(_iterate_fitting(opened, **said), limit + 1))
    more = len(found) > limit
    del found[limit:]
    if as_json:
        render.print_document({"writes": [dump_record(record) for record in found], "more": more})
    elif found:
        print_records(found)
        if more:
            render.print_remark(_("the newest {limit}; --limit shows more").format(limit=limit))
    else:
        render.print_remark(_("Nothing was written."))
    _tell_of_damage()
    return 0 if found else 1


def _tell_of_damage() -> None:
    if damage := describe_damage():
        render.print_remark(damage)


def _iterate_fitting(
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
        begin = parse_time(since)
    for record in opened.history(everything=everything):
        if begin is not None and record.time < begin:
            continue
        if verbs and record.verb not in verbs:
            continue
        if who and who not in record.who.split(":") and who != record.who:
            continue
        if undone and not record.undone:
            continue
        if path and not any(_is_at(path, done.path) for done in record.changes):
            continue
        yield record


def _is_at(wanted: str, path: str) -> bool:
    globbed = "*" in wanted or "?" in wanted
    return fnmatchcase(path, wanted) if globbed else path.startswith(wanted)


def dump_record(record: Record) -> dict[str, Any]:
    """A write as a document, without the texts."""
    return {
        "id": record.id,
        "time": format_iso(record.time),
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


def print_records(records: list[Record]) -> None:
    """One row each, newest first."""
    piped = render.count_columns() is None
    heads = (
        render.Column(_("when"), render.DIM),
        render.Column(_("id"), render.DIM),
        render.Column(_("verb"), render.GREEN),
        render.Column(_("who")),
        render.Column("", render.YELLOW),
        render.Column(_("what"), grows=True),
        render.Column(_("where"), render.CYAN),
    )
    render.print_table(
        heads,
        [
            (
                (format_iso(record.time) or "") if piped else clock.format_age(record.time),
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


def _show_history(opened: Vault, which: str, as_json: bool) -> int:
    record = opened.record(which)
    why = opened.applies(record)
    if as_json:
        render.print_document(dump_record(record) | {"diff": format_write_diff(record), "obstacle": why or None})
        return 0
    title = f"{record.id}  {format_iso(record.time)}  {record.verb}  {record.who}"
    render.print_line(render.paint(render.make_safe_line(title), render.BOLD))
    render.print_line(render.make_safe_line(record.what))
    for warning in record.warnings:
        render.print_line(f"! {render.make_safe_line(warning)}")
    for line in render.paint_diff(format_write_diff(record)):
        render.print_line(line)
    if not why:
        render.print_remark(_("undo: {command}").format(command=f"memtui undo {record.id}"))
    else:
        render.print_remark(_("It cannot be undone: {why}").format(why=why))
    return 0


HISTORY_COMMAND = Command(
    "history",
    "Every write that memtui made, newest first: when, by whom, what. `show ID` gives one with its difference.",
    run_history,
    (
        Argument("verb", choices=("list", "show"), metavar="[list|show]"),
        Argument("which", metavar="[ID]", offers="offer_writes"),
    ),
    (
        CommandOption(("--limit", "-n"), "How many at most, newest first.", "int", LIMIT, least=1, metavar="N"),
        CommandOption(("--since",), "Not older than this: 7d, 12h, yesterday, 2026-02-01.", metavar="WHEN"),
        CommandOption(
            ("--verb",), "Only this verb (append, approve, undo, …); may be repeated.", many=True, dest="verbs"
        ),
        CommandOption(
            ("--who",), "Only writes of this one: person, distillation, agent, or an agent's name.", default=""
        ),
        CommandOption(("--path",), "Only files whose path in the home begins so, or matches with * and ?.", default=""),
        CommandOption(("--undone",), "Only what was undone.", "flag"),
        CommandOption(
            ("--everywhere",), "Of every home, not only of those that are open here.", "flag", dest="everything"
        ),
        *EVERYWHERE,
    ),
    epilog="ID is an id in the list, or a beginning or an end of it. Exit status: 0 found, 1 nothing, 2 wrong use.",
)


def run_undo(verb: str, which: tuple[str, ...], *, group: bool = False, home: tuple[str, ...], as_json: bool) -> int:
    """Take back what is named, else the last decision; 3 where a file has moved on."""
    if group and not which:
        raise UsageError(_("--group needs the id of one of its writes: `memtui history` lists them."))
    with open_vault(home, wait=False) as opened:
        wanted = _list_groups(opened, which) if group else which
        return take_back(opened, verb, wanted, as_json, everywhere=not home)


def take_back(
    opened: Vault,
    verb: str,
    which: Sequence[str],
    as_json: bool,
    *,
    everywhere: bool = False,
    tell: Callable[[str], str] = str,
) -> int:
    """Undo or redo each of these, or the last; what could not be is said, and does not stop the others.

    The last is the last decision `everywhere`: somebody may have written to a home elsewhere a moment ago. `tell` puts
    what was done into other words for a person.
    """
    act = opened.undo if verb == "undo" else opened.redo
    if len(which) < 2:
        # A single one that cannot be is simply an error, conflict and all.
        return _answer([act(which[0] if which else "", everywhere=everywhere)], [], as_json, tell)
    done: list[Receipt] = []
    failed: list[tuple[str, MemtuiError]] = []
    for named in which:
        try:
            done.append(act(named))
        except MemtuiError as error:
            failed.append((named, error))
    return _answer(done, failed, as_json, tell)


def _list_groups(opened: Vault, which: Sequence[str]) -> list[str]:
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


def _answer(
    done: list[Receipt], failed: list[tuple[str, MemtuiError]], as_json: bool, tell: Callable[[str], str]
) -> int:
    if as_json:
        render.print_document(
            {
                "receipts": [documents.dump_receipt(receipt) for receipt in done],
                "failed": [{"id": named, "reason": str(error)} for named, error in failed],
            }
        )
    else:
        documents.say([receipt._replace(what=tell(receipt.what)) for receipt in done], back=False)
    for named, error in failed:
        render.print_remark(f"{named}: {error}")
        documents.explain(error)
    return max((error.exit_status for _find_held, error in failed), default=0)


UNDO = Command(
    "undo",
    "Undo the last decision, or the writes named; `memtui history` lists them with their ids.\n\n"
    "What somebody else changed since stays: where a write cannot be undone by itself, nothing is changed, and "
    "both texts are shown.",
    partial(run_undo, "undo"),
    (Argument("which", many=True, metavar="[ID]…", offers="offer_writes"),),
    (CommandOption(("--group",), "Undo all that was decided together with it.", "flag"), *EVERYWHERE),
    epilog="Exit status: 0 done, 2 no such write, 3 nothing to undo or the file has moved on, 4 could not. "
    "`memtui redo` does it again.",
)
REDO = Command(
    "redo",
    "Do again what was undone last, or what is named.",
    partial(run_undo, "redo"),
    (Argument("which", many=True, metavar="[ID]…", offers="offer_writes"),),
    EVERYWHERE,
    epilog="Exit status: 0 done, 2 no such write, 3 nothing to redo or the file has moved on, 4 could not.",
)


def run(verb: str | None, which: tuple[str, ...], *, home: tuple[str, ...], as_json: bool) -> int:
    """List what is in the trash, show some of it, or bring some of it back; 1 where there is nothing."""
    verb = verb or "list"
    if (verb == "list") is bool(which):
        raise UsageError(_("`memtui trash` lists, `memtui trash show|restore ID…` names what the list shows."))
    with open_vault(home, wait=False) as opened:
        held = opened.trash()
        if verb == "restore":
            held_ids = [one.id for one in _find_held(held, which)]
            return take_back(opened, "undo", held_ids, as_json, tell=describe_restored)
    shown = _find_held(held, which) if which else held
    if verb == "show":
        return _show(shown, as_json)
    if as_json:
        render.print_document({"trash": [dump_record(record) for record in shown]})
    elif shown:
        print_records(shown)
        render.print_remark(_("`memtui trash restore ID` brings one back."))
    else:
        render.print_remark(_("The trash is empty."))
    _tell_of_damage()
    return 0 if shown else 1


def _find_held(held: Sequence[Record], which: Sequence[str]) -> list[Record]:
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
    if as_json:
        render.print_document(
            {"trash": [dump_record(record) | {"diff": format_write_diff(record)} for record in shown]}
        )
        return 0
    for record in shown:
        render.print_line(render.paint(render.make_safe_line(f"{record.id}  {record.what}"), render.BOLD))
        for line in render.paint_diff(format_write_diff(record)):
            render.print_line(line)
    return 0


COMMAND = Command(
    "trash",
    "What was deleted; nothing is gone until it is restored or its month is over.\n\n"
    "\b\nmemtui trash                list it\nmemtui trash show ID…       what it held\n"
    "memtui trash restore ID…    bring it back, byte for byte",
    run,
    (
        Argument("verb", choices=("list", "show", "restore"), metavar="[list|show|restore]"),
        Argument("which", many=True, metavar="[ID]…", offers="offer_deleted"),
    ),
    EVERYWHERE,
    epilog="Exit status: 0 done, 1 the trash is empty, 2 wrong use, 3 something stands in its place, 4 could not.",
)
