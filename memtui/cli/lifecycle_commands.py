"""`memtui migrate`, `lifecycle`, `consolidate` and `distill`: each shows first, and writes when asked to.

`migrate`: a home copied into one of another layout. `lifecycle` (spec 003): what expires, fades or goes, and
why. `consolidate`: the daily or weekly care of the homes, in one report and one undo. `distill` (spec 004):
what of the journals belongs in core memory.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import documents, render, review_commands
from memtui.cli.documents import dump_memory, format_iso
from memtui.cli.facts_commands import drain_spool
from memtui.cli.opening import ProgressBar, format_place, load_settings, open_vault, shorten_path
from memtui.cli.options import DRY_RUN, EVERYWHERE, Argument, Command, CommandOption
from memtui.cli.render import count_line_cells, fit
from memtui.cli.review_commands import load_queue
from memtui.consolidation import consolidate, worker
from memtui.core.errors import UnavailableError, UsageError
from memtui.core.locale import _, _n
from memtui.fs.folder import translate_os_error
from memtui.fs.places import state
from memtui.layouts import load_all_layouts
from memtui.layouts.discovery import build_labelled_home, open_home_at
from memtui.lifecycle import bundle, expiry
from memtui.review import queue as queue_module
from memtui.store.consolidate_report import encode_report, load_latest_report
from memtui.store.project import find_own_home, make_home
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from memtui.core.model import Home, Memory
    from memtui.lifecycle.bundle import MigrationPlan
    from memtui.lifecycle.expiry import LifecyclePlan, LifecycleStep, SkippedStep
    from memtui.store.consolidate_report import Report

NAMES = tuple(kind.name.replace("_", "-") for kind in load_all_layouts() if kind.facts.takes_copies)
"""What can be copied to."""


def run_migrate(
    source: str, dest: str | None, *, to: str, apply: bool, dry_run: bool, home: tuple[str, ...], as_json: bool
) -> int:
    """Show what would be copied and what stays, or do it; 1 where nothing goes."""
    if home:
        raise UsageError(_("The homes are named as arguments: `memtui migrate FROM --to LAYOUT DEST`."))
    if apply and dry_run:
        raise UsageError(_("Either --dry-run or --apply."))

    config = load_settings()
    drain_spool(config)
    old, new = open_home_at(Path(source)), _choose_goal(dest, to)
    if old.path == new.path:
        raise UsageError(_("From a home to itself there is nothing to copy."))
    with open_vault([source], config=config) as opened:
        if not apply:
            with Vault([new] if new.path.is_dir() else [], config) as there:
                if there.homes:
                    there.refresh()
                return _show_migrate(bundle.plan(opened, old, there, new), as_json)
        with Vault([make_home(new)], config) as there:
            there.refresh()
            plan = bundle.plan(opened, old, there, new)
            done, failed = bundle.carry_out_move(there, plan)
    if as_json:
        render.print_document(
            _dump_migration(plan)
            | {
                "status": "applied",
                "receipts": [documents.dump_receipt(receipt) for receipt in done],
                "failed": [{"path": path, "reason": str(error)} for path, error in failed],
            }
        )
        documents.print_remarks(done)
    else:
        documents.say(done)
        _print_told(plan)
    for path, error in failed:
        render.print_remark(f"{path}: {error}")
    return max((error.exit_status for _path, error in failed), default=0 if done else 1)


def _choose_goal(dest: str | None, to: str) -> Home:
    """The home that it goes to, whether or not it is there."""
    mine = find_own_home()
    if dest is None:
        if to != "memtui":
            raise UsageError(_("Where to? `memtui migrate FROM --to {layout} DEST`.").format(layout=to))
        return mine
    path = Path(os.path.realpath(Path(dest).expanduser()))
    if path == mine.path and to == "memtui":
        return mine
    if path.is_dir() and any(path.iterdir()):
        there = open_home_at(path)
        if there.layout != to:
            raise UsageError(
                _("{path} is a home already, of layout {layout}.").format(
                    path=shorten_path(str(there.path)), layout=there.layout
                )
            )
        return there
    return build_labelled_home(path, to, "named as the goal")._replace(writable=True)


def _show_migrate(plan: MigrationPlan, as_json: bool) -> int:
    if as_json:
        render.print_document(_dump_migration(plan) | {"status": "dry_run", "receipts": [], "failed": []})
        return 0 if plan.copied else 1
    files = Counter((step.target.path, step.target.exists) for step in plan.copied if step.target is not None)
    render.print_table(
        (
            render.Column(_("memories"), right=True),
            render.Column(_("into"), render.CYAN, grows=True),
            render.Column("", render.GREEN),
        ),
        [(f"{count:,}", path, "" if there else _("new")) for (path, there), count in sorted(files.items())],
    )
    _print_told(plan)
    if plan.copied:
        render.print_remark(_("Nothing was written; --apply copies."))
    return 0 if plan.copied else 1


def _print_told(plan: MigrationPlan) -> None:
    where = f"{shorten_path(str(plan.home.path))} ({plan.home.layout})"
    render.print_remark(
        _n("{count} memory for {home}", "{count} memories for {home}", len(plan.copied)).format(home=where)
    )
    for reason, count in plan.left.most_common():
        render.print_remark(_n("{count} stays: {reason}", "{count} stay: {reason}", count).format(reason=reason))


def _dump_migration(plan: MigrationPlan) -> dict[str, Any]:
    return {
        "home": str(plan.home.path),
        "layout": plan.home.layout,
        "copied": len(plan.copied),
        "left": [{"reason": reason, "count": count} for reason, count in plan.left.most_common()],
        "memories": [
            {
                "id": step.memory.id,
                "text": step.memory.text,
                "from": format_place(step.memory.home, step.memory.path, step.memory.start),
                "path": None if step.target is None else step.target.path,
                "section": None if step.target is None else step.target.section,
                "reason": step.reason or None,
            }
            for step in plan.steps
        ],
    }


MIGRATE_COMMAND = Command(
    "migrate",
    "Copy what the home FROM holds into a home of another layout: DEST, or memtui's own. FROM stays as it is.\n\n"
    "Only shows, unless --apply is given: how many memories go into which file, and of every one that stays why. "
    "What was superseded or archived stays, sessions stay with the tool that wrote them, and what DEST says already "
    "is not written twice. Where each comes from is kept beside it.",
    run_migrate,
    (Argument("source", required=True, type="dir", metavar="FROM"), Argument("dest", type="dir", metavar="[DEST]")),
    (
        CommandOption(
            ("--to",),
            "The layout to copy to; memtui's own by default.",
            default="memtui",
            choices=NAMES,
            metavar="LAYOUT",
        ),
        CommandOption(("--apply",), "Copy; one undo takes all of it back.", "flag"),
        DRY_RUN,
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 there is nothing to copy, 2 wrong use, 3 refused, 4 could not.",
)


_TITLES = {
    "remove": ("{count} memory has faded away: to the trash", "{count} memories have faded away: to the trash"),
    "demote": ("{count} memory has faded: transient", "{count} memories have faded: transient"),
    "expire": ("{count} memory has expired: archived", "{count} memories have expired: archived"),
}
_LINES = 20
"""Lines of one sort on a terminal."""
_NOTHING = "Nothing is due: no memory has expired or faded."


def run_lifecycle(*, dry_run: bool, apply: bool, soon: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Show what is due, do it, or show what expires soon; 1 where there is nothing."""
    if apply and (dry_run or soon):
        raise UsageError(_("--apply does it; --dry-run and --soon only show."))
    config = load_settings()
    if apply:
        drain_spool(config)
    with open_vault(home, config=config) as opened:
        if soon:
            return _show_soon(expiry.list_expiring_soon(opened), as_json)
        planned = expiry.plan(opened)
        return _do(opened, planned, as_json) if apply else _show_lifecycle(opened, planned, as_json)


def _show_lifecycle(opened: Vault, planned: LifecyclePlan, as_json: bool) -> int:
    if as_json:
        steps = [*map(_dump_step, planned.steps)]
        render.print_document(
            {"status": "dry_run", "now": format_iso(planned.now), "steps": steps, "unread": _dump_unread(planned)}
        )
    else:
        _print_steps(opened, planned.steps)
        _print_nothing(planned)
    if not planned.steps:
        return _choose_idle_status(planned)
    if as_json:
        return 0
    render.print_remark(_("Nothing was written; --apply does it, and one undo takes it back."))
    return 0


def _do(opened: Vault, planned: LifecyclePlan, as_json: bool) -> int:
    bar = ProgressBar(_("checking {label}"))
    try:
        ran = expiry.run(opened, planned, progress=lambda done, of: bar.draw(_("memories"), done, of))
    finally:
        bar.done()
    if as_json:
        render.print_document(
            {
                "status": "applied",
                "group": ran.group or None,
                "steps": [*map(_dump_step, ran.done)],
                "left": [_dump_step(one.step) | {"obstacle": one.reason} for one in ran.left],
                "unread": _dump_unread(planned),
                "receipts": [*map(documents.dump_receipt, ran.receipts)],
            }
        )
        documents.print_remarks(ran.receipts)
    else:
        _print_steps(opened, ran.done)
        _print_left(ran.left)
        _print_nothing(planned)
        documents.print_remarks(ran.receipts)
        documents.print_undo(ran.receipts)
    return max((one.status for one in ran.left), default=0 if ran.done else _choose_idle_status(planned))


def _print_nothing(planned: LifecyclePlan) -> None:
    """What could not be looked at, and that nothing is due as far as all could be."""
    for one in planned.unread:
        place = format_place(one.home, one.path) if one.path else shorten_path(one.home)
        render.print_remark(_("{place} could not be read: {why}").format(place=place, why=one.reason))
    if not planned.steps:
        render.print_remark(_(_NOTHING if not planned.unread else "Nothing is due in what could be read."))


def _choose_idle_status(planned: LifecyclePlan) -> int:
    """The exit status where nothing was due: that of what could not be looked at, if there is such."""
    return UnavailableError.exit_status if planned.unread else 1


def _dump_unread(planned: LifecyclePlan) -> list[dict[str, str]]:
    return [one._asdict() for one in planned.unread]


def _show_soon(found: list[Memory], as_json: bool) -> int:
    if as_json:
        render.print_document({"expiring": [*map(dump_memory, found)]})
        return 0 if found else 1
    for memory in found:
        place = render.paint(render.make_safe_line(format_place(memory.home, memory.path, memory.start)), render.CYAN)
        render.print_line(f"{place}  {format_iso(memory.expires)}  {render.make_safe_line(_shorten_memory(memory))}")
    if not found:
        render.print_remark(_("Nothing expires soon (config: lifecycle.soon_days)."))
    return 0 if found else 1


def _print_steps(opened: Vault, steps: tuple[LifecycleStep, ...]) -> None:
    """Every step; on a terminal the first of each sort, one line each and one for why, cut to its width."""
    limit = render.count_columns()
    labels = {str(home.path): home.label for home in opened.homes}
    for what, titles in _TITLES.items():
        group = [step for step in steps if step.what == what]
        if not group:
            continue
        render.print_line(render.paint(_n(*titles, len(group)), render.BOLD))
        shown = group if limit is None else group[: _LINES // 2]
        for step in shown:
            memory = step.memory
            place = format_place(memory.home, memory.path, memory.start)
            if limit is not None:
                place = f"{labels.get(memory.home, '')}: {memory.path}:{memory.start}"
            _print_cut_line(2, place, _shorten_memory(memory), limit)
            why = _("cannot be done: {why}").format(why=step.obstacle) if step.obstacle else ""
            if why and limit is None:
                _print_cut_line(4, "", step.why, limit)
            _print_cut_line(4, "", why or step.why, limit, dim=not why)
        if len(group) > len(shown):
            more = _("… and {count:,} more (--json has all)").format(count=len(group) - len(shown))
            render.print_line(f"  {more}")


def _print_cut_line(margin: int, place: str, text: str, limit: int | None, *, dim: bool = False) -> None:
    """A place and what stands there, cut to the width of a terminal."""
    place, text = render.make_safe_line(place), render.make_safe_line(text)
    if limit is not None:
        room = max(limit - margin, 1)
        place = fit(place, max(room // 2, 1)) if place else ""
        text = fit(text, max(room - (count_line_cells(place) + 2 if place else 0), 0))
    shown = f"{render.paint(place, render.CYAN)}  " if place else ""
    render.print_line(" " * margin + shown + (render.paint(text, render.DIM) if dim else text))


def _print_left(left: tuple[SkippedStep, ...]) -> None:
    for one in left:
        memory = one.step.memory
        render.print_remark(f"{format_place(memory.home, memory.path, memory.start)}: {one.reason}")


def _shorten_memory(memory: Memory) -> str:
    text = " ".join((memory.title or memory.text).split())
    return text if len(text) <= 100 else f"{text[:99]}…"


def _dump_step(step: LifecycleStep) -> dict[str, Any]:
    """A step as a document: what, why, how faint, what becomes of it, and the memory with its place."""
    change = {name: format_iso(value) if isinstance(value, float) else value for name, value in step.change.items()}
    return {
        "step": step.what,
        "reason": step.why,
        "value": step.value,
        "change": change,
        "obstacle": step.obstacle or None,
        "memory": dump_memory(step.memory),
    }


LIFECYCLE_COMMAND = Command(
    "lifecycle",
    "What has expired, what fades and what has faded away, with the reason; nothing is written unless --apply says so."
    "\n\n"
    "Only what says when it ends expires, and only what says that it is short-term fades: its importance by a tenth a "
    "day since it was last used. What is pinned (#pinned, #evergreen, pinned: true), permanent or in your profile "
    "stays. Expired memories are archived by a mark, faded ones go to the trash; one undo takes it all back.",
    run_lifecycle,
    (),
    (
        DRY_RUN,
        CommandOption(("--apply",), "Do it.", "flag"),
        CommandOption(("--soon",), "List what expires soon instead (config: lifecycle.soon_days).", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 shown or done, 1 nothing is due, 2 wrong use, 3 some of it was refused, 4 could not.",
)


def run_consolidate(
    *, daily: bool, weekly: bool, dry_run: bool, last: bool, home: tuple[str, ...], as_json: bool
) -> int:
    """Do it, show what would be done, or show what was done last; 1 where there is no home, or no report yet."""
    if daily and weekly:
        raise UsageError(_("Either --daily or --weekly: the week's work begins with the day's."))
    if last:
        if dry_run:
            raise UsageError(_("--last only shows: there is nothing to try."))
        return _show_last_report(True if weekly else False if daily else None, as_json)
    config = load_settings()
    with open_vault(home, config=config) as opened:
        if not opened.homes:
            if as_json:
                render.print_document({"status": "no_home", "steps": []})
            render.print_remark(_("No memory home was found here; `memtui help homes` says where memtui looks."))
            return 1

        bar = ProgressBar("{label}")
        try:
            report = consolidate.run(opened, config, weekly=weekly, dry_run=dry_run, progress=bar.draw)
        except OSError as error:
            raise translate_os_error(error, str(error.filename or state())) from error
        finally:
            bar.done()
    _show_report(report, as_json)
    return 0 if report.whole else 4


def _show_last_report(weekly: bool | None, as_json: bool) -> int:
    report = load_latest_report(weekly)
    if report is not None:
        _show_report(report, as_json)
        return 0
    if as_json:
        render.print_document({"status": "none", "steps": []})
    render.print_remark(_("There was no consolidation yet: `memtui consolidate --daily` is one."))
    return 1


def _show_report(report: Report, as_json: bool) -> None:
    if as_json:
        status = "dry_run" if report.dry_run else "done" if report.whole else "partly"
        render.print_document({"status": status, **encode_report(report)})
    else:
        for line in report.text.rstrip("\n").split("\n"):
            head = line.startswith("#")
            render.print_line(render.paint(render.make_safe_line(line), render.BOLD if head else ""))
    if report.dry_run:
        render.print_remark(_("Nothing was written."))
    elif report.group and not as_json:
        render.print_remark(_("undo: {command}").format(command=f"memtui undo {report.group}"))


CONSOLIDATE_COMMAND = Command(
    "consolidate",
    "Look after the homes: what waits is written, what is said twice is merged or waits in Review, what is faint, "
    "expired or outdated is put away, and memtui's own sections of MEMORY.md and USER.md are made anew.\n\n"
    "--weekly also counts what went on, looks how everything hangs together, offers facts of several sessions, and "
    "detects the signs of trouble in them. Nothing is ever deleted: one undo takes a run back.",
    run_consolidate,
    (),
    (
        CommandOption(("--daily",), "The day's work (the default).", "flag"),
        CommandOption(("--weekly",), "The day's work, then the week's.", "flag"),
        CommandOption(("--dry-run",), "Show what would be done; write nothing.", "flag"),
        CommandOption(("--last",), "Show the report of the last run.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 no home or no report, 2 wrong use, 3 refused, 4 could not, or another is at it.",
)


SOME = 20
"""Facts that were not proposed, of which a person is told here why; all of them are in the document."""


def run(*, dry_run: bool, apply: bool, max_: int | None, home: tuple[str, ...], as_json: bool) -> int:
    """Show what would be proposed, or write it; 1 where there is nothing."""
    if dry_run and apply:
        raise UsageError(_("Either --dry-run or --apply."))
    config = load_settings()
    if not config.distill.enabled:
        if as_json:
            render.print_document({"status": "disabled", "candidates": [], "refused": [], "receipts": []})
        render.print_remark(_("Distillation is switched off: `memtui config set distill.enabled true` switches it on."))
        return 0
    if max_ is not None:
        config = config._replace(distill=config.distill._replace(max_items_per_run=max_))
    writes = apply or (config.distill.mode == "auto" and not dry_run)
    if writes:
        drain_spool(config)
    with open_vault(home, config=config) as opened:
        # In a project it is about the project's journals; --home names others (spec 004).
        mine = frozenset(str(one.path) for one in opened.homes if one.current and one.writable)
        homes = frozenset() if home else mine
        return _write(opened, homes, as_json) if writes else _show(opened, homes, as_json)


def _show(opened: Vault, homes: frozenset[str], as_json: bool) -> int:
    queue = load_queue(opened)
    chosen = [one for one in queue.waiting if one.origin == "distilled" and (not homes or one.home in homes)]
    refused = [one for one in queue.refused if not homes or one.home in homes]
    shown = [(one, queue_module.diff(opened, one)) for one in chosen]
    if as_json:
        render.print_document(
            {
                "status": "dry_run",
                "candidates": [review_commands.dump_candidate(one) | {"diff": diff} for one, diff in shown],
                "refused": [review_commands.dump_refused(fact) for fact in refused],
                "receipts": [],
            }
        )
        return 0 if chosen else 1
    for one, diff in shown:
        review_commands.page(one, diff)
        render.print_line()
    if refused:
        review_commands.print_refusals(refused[:SOME])
    if len(refused) > SOME:
        render.print_remark(
            _("… and {more:,} more; `memtui review explain --refused` lists all").format(more=len(refused) - SOME)
        )
    told = _n("{count} fact would be proposed", "{count} facts would be proposed", len(chosen))
    rest = _n("{count} would not", "{count} would not", len(refused))
    counts = _("{one}, {other}").format(one=told, other=rest)
    render.print_remark(
        _("{counts}. {rest}").format(
            counts=counts, rest=_("Nothing was written; --apply writes, `memtui review` decides one by one.")
        )
    )
    return 0 if chosen else 1


def _write(opened: Vault, homes: frozenset[str], as_json: bool) -> int:
    done, left, refused = worker.run(opened, homes)
    written = [receipt for _one, receipt in done]
    if as_json:
        render.print_document(
            {
                "status": "applied",
                "receipts": [documents.dump_receipt(receipt) for receipt in written],
                "waiting": [review_commands.dump_candidate(one) | {"obstacle": str(error)} for one, error in left],
                "refused": [review_commands.dump_refused(fact) for fact in refused],
            }
        )
        documents.print_remarks(written)
    else:
        documents.say(written)
        render.print_remark(_n("{count} fact was written.", "{count} facts were written.", len(done)))
    for one, error in left:
        render.print_remark(_("waits for you: {text} ({why})").format(text=one.text, why=error))
    if refused and not as_json and not done:
        render.print_remark(
            _n(
                "{count} fact was not proposed; `memtui review explain --refused` says why",
                "{count} facts were not proposed; `memtui review explain --refused` says why",
                len(refused),
            )
        )
    # What waits for a person is in order; what no disk would take is not.
    could_not = [error.exit_status for _one, error in left if isinstance(error, UnavailableError)]
    return max(could_not, default=0 if done or left else 1)


COMMAND = Command(
    "distill",
    "Facts of the journals that belong in core memory: which, into which section, with the difference; and of every "
    "other fact why not.\n\n"
    "Only shows, unless --apply is given or distill.mode is auto. Only appends, never what is there already, and never "
    "more than distill.max_items_per_run. What carries a warning waits for a person.",
    run,
    (),
    (
        DRY_RUN,
        CommandOption(
            ("--apply",), "Write what is chosen, appended under its sections; one undo takes it back.", "flag"
        ),
        CommandOption(
            ("--max",),
            "How many at most (config: distill.max_items_per_run).",
            "int",
            least=1,
            dest="max_",
            metavar="N",
        ),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done (or switched off), 1 nothing to distill, 2 wrong use, 3 refused, 4 could not.",
)
