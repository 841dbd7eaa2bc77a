"""`memtui export` and `memtui import`: memories as one file, and what other tools hold as candidates.

`memtui card`: a year of memory as one picture, with nothing in it but counts and dates.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import render
from memtui.cli.facts_commands import drain_spool
from memtui.cli.opening import describe_home, load_settings, open_vault
from memtui.cli.options import DRY_RUN, EVERYWHERE, LAYER, NARROW, Argument, Command, CommandOption, build_filter
from memtui.core.errors import UsageError
from memtui.core.locale import _, _n
from memtui.layouts.discovery import open_home_at
from memtui.lifecycle import bundle
from memtui.store.happenings import CARD, count_year, draw_card, list_facts, save_card
from memtui.store.project import find_own_home, make_home
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from memtui.lifecycle.bundle import ImportPlan
    from memtui.store.happenings import YearCounts


def run_export(*, form: str, home: tuple[str, ...], as_json: bool, **narrow: Any) -> int:
    """Print what the homes hold; 1 where nothing of it is asked for."""
    if as_json and form == "markdown":
        raise UsageError(_("Either --json or --format markdown."))
    asked = build_filter(**narrow)
    with open_vault(home) as opened:
        found = list(opened.memories(asked, "path"))
        if form == "markdown":
            for line in bundle.render_markdown(found, opened.homes):
                render.print_line(render.make_safe_line(line))
        else:
            render.print_document(bundle.build_bundle(found, opened.homes))
    render.print_remark(_n("{count:,} memory", "{count:,} memories", len(found)).format(count=len(found)))
    return 0 if found else 1


def run_import(source: str, *, dry_run: bool, home: tuple[str, ...], as_json: bool, **narrow: Any) -> int:
    """Let what the source holds wait in Review; 1 where nothing new does."""
    if len(home) > 1:
        raise UsageError(_("An import goes to one home: name one with --home."))
    config = load_settings()
    drain_spool(config)
    asked = build_filter(**narrow)
    goal = open_home_at(Path(home[0])) if home else find_own_home()
    taken_for, found = bundle.load_foreign(Path(source), config, asked)
    there = goal.path.is_dir()
    with Vault([goal if there or dry_run else make_home(goal)] if there or not dry_run else [], config) as opened:
        if opened.homes:
            opened.refresh()
        plan = bundle.plan_import(found, opened, goal)
        if not dry_run:
            bundle.carry_out(opened, plan)
    if as_json:
        render.print_document(_dump(plan, taken_for, "dry_run" if dry_run else "imported"))
    else:
        _print_plan(plan, taken_for, dry_run=dry_run)
    return 0 if plan.drafts else 1


def _print_plan(plan: ImportPlan, taken_for: str, *, dry_run: bool) -> None:
    for draft, _layer, _memory in plan.drafts if dry_run else ():
        render.print_line(render.make_safe_line(f"[{draft.kind}] {' '.join(draft.text.split())[:200]}"))
    count, where = len(plan.drafts), describe_home(plan.home)
    told = (
        _n(
            "{count:,} memory would wait in Review for {home}",
            "{count:,} memories would wait in Review for {home}",
            count,
        )
        if dry_run
        else _n("{count:,} memory waits in Review for {home}", "{count:,} memories wait in Review for {home}", count)
    )
    render.print_remark(f"{taken_for}: {told.format(count=count, home=where)}")
    for reason, number in plan.left.most_common():
        render.print_remark(
            _n("{count:,} is left: {reason}", "{count:,} are left: {reason}", number).format(
                count=number, reason=reason
            )
        )
    if plan.masked:
        render.print_remark(
            _n("In {count:,} a secret is masked.", "In {count:,} secrets are masked.", plan.masked).format(
                count=plan.masked
            )
        )
    if plan.orders:
        render.print_remark(
            _n(
                "{count:,} reads like an order to agents: look at it before you approve.",
                "{count:,} read like orders to agents: look at them before you approve.",
                plan.orders,
            ).format(count=plan.orders)
        )
    if count and not dry_run:
        render.print_remark(_("`memtui review` decides; `memtui undo` takes the import back."))


def _dump(plan: ImportPlan, taken_for: str, status: str) -> dict[str, Any]:
    return {
        "status": status,
        "source": taken_for,
        "home": str(plan.home.path),
        "imported": len(plan.drafts),
        "left": [{"reason": reason, "count": count} for reason, count in plan.left.most_common()],
        "masked": plan.masked,
        "orders": plan.orders,
        "memories": [
            {
                "text": draft.text,
                "kind": draft.kind,
                "layer": layer.value,
                "source": draft.source,
                "evidence": draft.evidence,
            }
            for draft, layer, _memory in plan.drafts
        ],
    }


EXPORT_COMMAND = Command(
    "export",
    "Print what the homes hold as one JSON bundle, or as Markdown for people.\n\n"
    "`memtui help homes` describes the bundle. Secrets are masked. What no longer holds is left out, unless --status "
    "asks for it.",
    run_export,
    (),
    (
        CommandOption(
            ("--format",), "json (the bundle), or markdown.", default="json", dest="form", choices=("json", "markdown"),
            metavar="FORMAT",
        ),
        LAYER,
        *NARROW,
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 printed, 1 there is nothing to export, 2 wrong use.",
)  # fmt: skip

IMPORT_COMMAND = Command(
    "import",
    "Let what FROM holds wait in Review for memtui's own home, or for the one that --home names; nothing is written "
    "until you approve it.\n\n"
    "FROM is the home of any tool that memtui knows, a claude-mem or engram database, a basic-memory folder, a bundle "
    "of `memtui export`, or a Markdown or JSON file. Dates and where each comes from are kept. The same twice is once: "
    "what the home says already, what waits, and what you decided before is passed over. FROM stays as it is.",
    run_import,
    (Argument("source", required=True, type="path", metavar="FROM"),),
    (LAYER, *NARROW, DRY_RUN, *EVERYWHERE),
    epilog="Exit status: 0 something new waits, 1 nothing new, 2 wrong use, 3 refused, 4 could not.",
)


def run_card(*, output: str, year: int | None, light: bool, force: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Write the picture, or print its counts; 1 where nothing happened in that year."""
    with open_vault(home) as opened:
        counts = count_year(opened, year)
    if as_json:
        render.print_document(dump_year(counts))
        return 0 if counts.days else 1
    if not counts.days:
        render.print_remark(
            _("Nothing happened from {first} to {last}: no picture is made.").format(
                first=counts.first.isoformat(), last=counts.last.isoformat()
            )
        )
        return 1
    picture = draw_card(counts, light=light)
    if output == "-":
        for line in picture.splitlines():
            render.print_line(line)
    else:
        save_card(output, picture, force=force)
        render.print_remark(" · ".join([render.make_safe_line(output), *list_facts(counts)]))
    return 0


def dump_year(counts: YearCounts) -> dict[str, object]:
    """The counts as a document."""
    day, most = counts.busiest
    return {
        "first": counts.first.isoformat(),
        "last": counts.last.isoformat(),
        "memories": counts.memories,
        "sessions": counts.sessions,
        "homes": counts.homes,
        "active_days": len(counts.days),
        "longest_run": counts.run,
        "busiest": {"day": day.isoformat(), "count": most} if most else None,
        "days": [{"day": found.isoformat(), "count": number} for found, number in sorted(counts.days.items())],
    }


CARD_COMMAND = Command(
    "card",
    "A year of memory as one picture (SVG) to show around: how busy each day was, and counts.\n\n"
    "Nothing else is in it: no text of a memory, no path, no name of a home.",
    run_card,
    (),
    (
        CommandOption(("--output", "-o"), "Where to; - is stdout.", "path", CARD, metavar="FILE"),
        CommandOption(("--year",), "A calendar year; else the last twelve months.", "int", least=1970, metavar="YYYY"),
        CommandOption(("--light",), "Dark on light.", "flag"),
        CommandOption(("--force",), "Replace the file if it is there.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 nothing happened in that year, 3 the file is there already, 4 could not.",
)
