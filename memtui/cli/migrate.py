"""`memtui migrate`: copy what a home holds into a home of another layout, after showing what that would be."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import output, receipts
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import reference, settings, short, vault
from memtui.cli.writing import DRY_RUN, drained
from memtui.errors import UsageError
from memtui.layouts import LAYOUTS
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.curation.migrate import Plan
    from memtui.model import Home

NAMES = tuple(name.replace("_", "-") for name in LAYOUTS if name not in {"claude", "openakita"})
"""What can be copied to: not to homes that keep an index or a database beside, where each memory is several writes."""


def run(
    source: str,
    dest: str | None,
    *,
    to: str,
    apply: bool,
    dry_run: bool,
    home: tuple[str, ...],
    as_json: bool,
) -> int:
    """Show what would be copied and what stays, or do it; 1 where nothing goes."""
    if home:
        raise UsageError(_("The homes are named as arguments: `memtui migrate FROM --to LAYOUT DEST`."))
    if apply and dry_run:
        raise UsageError(_("Either --dry-run or --apply."))
    from memtui.curation import migrate
    from memtui.curation.destination import made
    from memtui.layouts.discovery import at
    from memtui.vault import Vault

    config = settings()
    drained(config)
    old, new = at(Path(source)), _goal(dest, to)
    if old.path == new.path:
        raise UsageError(_("From a home to itself there is nothing to copy."))
    with vault([source], config=config) as opened:
        if not apply:
            with Vault([new] if new.path.is_dir() else [], config) as there:
                if there.homes:
                    there.refresh()
                return _show(migrate.plan(opened, old, there, new), as_json)
        with Vault([made(new)], config) as there:
            there.refresh()
            plan = migrate.plan(opened, old, there, new)
            done, failed = migrate.carry_out(there, plan)
    if as_json:
        output.document(
            _plain(plan)
            | {
                "status": "applied",
                "receipts": [receipts.plain(receipt) for receipt in done],
                "failed": [{"path": path, "reason": str(error)} for path, error in failed],
            }
        )
        receipts.notes(done)
    else:
        receipts.say(done)
        _told(plan)
    for path, error in failed:
        output.talk(f"{path}: {error}")
    return max((error.exit_status for _path, error in failed), default=0 if done else 1)


def _goal(dest: str | None, to: str) -> Home:
    """The home that it goes to, whether or not it is there."""
    from memtui.curation.destination import own
    from memtui.layouts.discovery import at, home_of

    mine = own()
    if dest is None:
        if to != "memtui":
            raise UsageError(_("Where to? `memtui migrate FROM --to {layout} DEST`.").format(layout=to))
        return mine
    path = Path(os.path.realpath(Path(dest).expanduser()))
    if path == mine.path and to == "memtui":
        return mine
    if path.is_dir() and any(path.iterdir()):
        there = at(path)
        if there.layout != to:
            raise UsageError(
                _("{path} is a home already, of layout {layout}.").format(
                    path=short(str(there.path)), layout=there.layout
                )
            )
        return there
    return home_of(path, to, "named as the goal")._replace(writable=True)


def _show(plan: Plan, as_json: bool) -> int:
    if as_json:
        output.document(_plain(plan) | {"status": "dry_run", "receipts": [], "failed": []})
        return 0 if plan.copied else 1
    files = Counter((step.target.path, step.target.exists) for step in plan.copied if step.target is not None)
    output.table(
        (
            output.Column(_("memories"), right=True),
            output.Column(_("into"), output.CYAN, grows=True),
            output.Column("", output.GREEN),
        ),
        [(f"{count:,}", path, "" if there else _("new")) for (path, there), count in sorted(files.items())],
    )
    _told(plan)
    if plan.copied:
        output.talk(_("Nothing was written; --apply copies."))
    return 0 if plan.copied else 1


def _told(plan: Plan) -> None:
    where = f"{short(str(plan.home.path))} ({plan.home.layout})"
    output.talk(
        _n("{count} memory for {home}", "{count} memories for {home}", len(plan.copied)).format(home=where)
    )
    for reason, count in plan.left.most_common():
        output.talk(_n("{count} stays: {reason}", "{count} stay: {reason}", count).format(reason=reason))


def _plain(plan: Plan) -> dict[str, Any]:
    return {
        "home": str(plan.home.path),
        "layout": plan.home.layout,
        "copied": len(plan.copied),
        "left": [{"reason": reason, "count": count} for reason, count in plan.left.most_common()],
        "memories": [
            {
                "id": step.memory.id,
                "text": step.memory.text,
                "from": reference(step.memory.home, step.memory.path, step.memory.start),
                "path": None if step.target is None else step.target.path,
                "section": None if step.target is None else step.target.section,
                "reason": step.reason or None,
            }
            for step in plan.steps
        ],
    }


COMMAND = Command(
    "migrate",
    "Copy what the home FROM holds into a home of another layout: DEST, or memtui's own. FROM stays as it is.\n\n"
    "Only shows, unless --apply is given: how many memories go into which file, and of every one that stays why. "
    "What was superseded or archived stays, sessions stay with the tool that wrote them, and what DEST says already "
    "is not written twice. Where each comes from is kept beside it.",
    run,
    (
        Argument("source", required=True, metavar="FROM"),
        Argument("dest", metavar="[DEST]"),
    ),
    (
        Option(
            ("--to",),
            "The layout to copy to; memtui's own by default.",
            default="memtui",
            choices=NAMES,
            metavar="LAYOUT",
        ),
        Option(("--apply",), "Copy; one undo takes all of it back.", "flag"),
        DRY_RUN,
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 there is nothing to copy, 2 wrong use, 3 refused, 4 could not.",
)
