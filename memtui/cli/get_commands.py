"""`memtui get`, `memtui route` and `memtui traces`.

`get`: some lines of one memory file (spec 001 §5.2). `route`: the documents that words lead to, without a
search, and the INDEX.md of memtui's own home. `traces`: what was said and done in conversations, with tools'
parameters and results (spec 003).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli import documents, render
from memtui.cli.opening import ProgressBar, format_place, load_settings, open_vault
from memtui.cli.options import DRY_RUN, EVERYWHERE, Argument, Command, CommandOption
from memtui.cli.search_commands import mark_snippet
from memtui.core import clock
from memtui.core.errors import UsageError
from memtui.core.locale import _, _n
from memtui.index.filters import BACKEND, ROLES, encode_trace
from memtui.language.conversation import Session
from memtui.layouts import load_facts
from memtui.review.proposals import render_difference
from memtui.sessions import rules
from memtui.store import project
from memtui.store.passage import split_reference
from memtui.store.route_documents import build_index_update
from memtui.store.routes import match_routes

if TYPE_CHECKING:
    from memtui.index.filters import Trace, Traces
    from memtui.store.reading import Excerpt
    from memtui.store.vault import Vault


def run_get(path: str, *, from_: int | None, lines: int, home: tuple[str, ...], as_json: bool) -> int:
    """Print the lines; 1 where there is no such file, 3 (raised) for a path that leaves its home."""
    with open_vault(home, wait=False, shared=True) as opened:
        found, place = _find_excerpt(opened, path, from_ or 1, lines)
        if place is None and from_ is None:
            name, at = split_reference(path)
            if at:
                found, place = _find_excerpt(opened, name, at, lines)
    if as_json:
        render.print_document(
            {
                "path": found.path,
                "from": found.from_,
                "lines": found.lines,
                "text": found.text,
                "total": found.total,
                "home": place,
            }
        )
    elif found.lines:
        render.print_line(render.make_safe_text(found.text))
    if place is None:
        render.print_remark(_("There is no '{path}' in any home that is open.").format(path=path))
        return 1
    last = found.from_ + found.lines - 1
    if found.lines and (found.from_ > 1 or last < found.total):
        render.print_remark(
            _("lines {first}–{last} of {total}").format(first=found.from_, last=last, total=found.total)
        )
    elif not found.lines:
        render.print_remark(_n("The file has {count} line.", "The file has {count} lines.", found.total))
    return 0


def _find_excerpt(opened: Vault, path: str, start: int, lines: int) -> tuple[Excerpt, str | None]:
    excerpt = opened.get(path, start, lines)
    for home in opened.homes:
        excerpt = opened.get(path, start, lines, home=str(home.path))
        if excerpt.total or (home.path / path).is_file():
            return excerpt, str(home.path)
    # A path as the shell completes it, from the working directory, is as good where it leads into a home.
    try:
        whole = os.path.join(os.getcwd(), path)
    except OSError:
        return excerpt, None
    for home in () if opened.beyond is None else opened.beyond.list_homes():
        # As a search names what is not copied: only the team's server has it so far.
        if whole.startswith(str(home.path) + os.sep):
            opened.bring(str(home.path), whole[len(str(home.path)) + 1 :].replace(os.sep, "/"))
    for home in opened.homes:
        root = str(home.path)
        if whole.startswith(root + os.sep) and os.path.isfile(whole):
            inside = whole[len(root) + 1 :].replace(os.sep, "/")
            return opened.get(inside, start, lines, home=root), root
    return excerpt, None


GET_COMMAND = Command(
    "get",
    "Print lines of one memory file. PATH is relative to its home; PATH:LINE starts at that line.",
    run_get,
    (Argument("path", required=True, type="path", metavar="PATH"),),
    (
        CommandOption(("--from",), "The first line, from 1.", "int", least=1, dest="from_", metavar="N"),
        CommandOption(("--lines",), "How many lines at most.", "int", 50, least=1, metavar="N"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 printed, 1 no such file, 3 the path leaves its home.",
)


def run_route(query: tuple[str, ...], *, regenerate: bool, dry_run: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Name the documents; 0 where there are any, else 1."""
    if regenerate:
        if query:
            raise UsageError(_("--regenerate takes no QUERY."))
        return _regenerate_index(dry_run, home, as_json)
    if not query or dry_run:
        raise UsageError(
            _("--dry-run belongs to --regenerate.") if query else _("What is it about? memtui route QUERY")
        )

    config, here = load_settings(warn=not as_json), Path.cwd()
    with open_vault(home, wait=False, config=config) as opened:
        session = Session("", "", str(here), "", project.name(here, config))
        found = match_routes(
            opened, " ".join(query), config, here=lambda: rules.name_file_project(opened.homes, "", session)
        )
    if as_json:
        render.print_document({"routes": [route._asdict() for route in found]})
    else:
        for route in found:
            about = f"{route.trigger}  {route.source}"
            place = render.make_safe_line(route.command or format_place(route.home, route.path))
            render.print_line(
                render.paint(place, render.CYAN) + "  " + render.paint(render.make_safe_line(about), render.DIM)
            )
        if not found:
            render.print_remark(
                _("No rule leads anywhere.") if config.routing.enabled else _("routing.enabled is off.")
            )
    return 0 if found else 1


def _regenerate_index(dry_run: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Make INDEX.md anew in memtui's own homes; 1 where none of them needed it."""
    with open_vault(home, wait=False) as opened:
        own = [one for one in opened.homes if load_facts(one).own]
        if not own:
            raise UsageError(_("INDEX.md is made in memtui's own home, and none is open here."))
        edits = [edit for one in own if one.writable and (edit := build_index_update(opened, one)) is not None]
        shown = render_difference(opened, edits)
        receipt = None
        if edits and not dry_run:
            what = _("regenerated {path} from the documents").format(path=edits[0].path)
            receipt = opened.apply(edits, verb="index", what=what, confirmed=True)
    if as_json:
        written = None if receipt is None else documents.dump_receipt(receipt)
        render.print_document({"dry_run": dry_run, "diff": shown, "receipt": written})
    elif receipt is not None:
        documents.say([receipt])
    elif edits:
        for line in render.paint_diff(shown):
            render.print_line(line)
    if not edits:
        render.print_remark(_("INDEX.md is up to date."))
    return 0 if edits else 1


ROUTE_COMMAND = Command(
    "route",
    "Name the documents that words lead to, without searching: by the trigger words of rules/memory-loader.md, by "
    "the keywords of INDEX.md, by routing.triggers of the config.\n\n"
    "--regenerate makes the INDEX.md of memtui's own home anew from the documents under areas/; what stands outside "
    "of its marks is kept. An approval that changes such a document does so by itself.",
    run_route,
    (Argument("query", many=True),),
    (CommandOption(("--regenerate",), "Regenerate the INDEX.md of memtui's own home.", "flag"), DRY_RUN, *EVERYWHERE),
    epilog="Exit status: 0 found or made, 1 nothing found or nothing to make, 2 wrong use, 3 refused, 4 could not.",
)


DAYS = 7.0


def run(
    keyword: tuple[str, ...],
    *,
    session: str | None,
    role: tuple[str, ...],
    days: float,
    max_results: int,
    show: str | None,
    home: tuple[str, ...],
    as_json: bool,
) -> int:
    """Search, or show one conversation from a place on; 0, or 1 where nothing matches."""
    if bool(keyword) == bool(show):
        raise UsageError(_("Say what to look for, or --show PATH:LINE."))
    with open_vault(home, wait=False, config=load_settings(warn=not as_json)) as opened:
        if show:
            return _print_unfolded(opened, show, max_results, as_json)
        untold = opened.untold()
        if untold:
            labels = ", ".join(place.label for place in untold)
            render.print_remark(_("Reading the conversations of {labels} for the first time.").format(labels=labels))
        progress = ProgressBar()
        try:
            found = opened.traces(
                " ".join(keyword),
                session=session or "",
                role=role,
                days_back=days,
                limit=max_results,
                # Somebody who sees the bar can stop it, and nothing that was done is lost.
                budget=None if sys.stderr.isatty() else 30.0,
                progress=progress,
            )
        finally:
            progress.done()
    if as_json:
        render.print_document({
            "results": [encode_trace(trace) for trace in found],
            "backend": found.backend,
            "warning": found.warning or None,
            "total": found.total,
            "more": found.more,
        })  # fmt: skip
    else:
        _print(found, days)
    return 0 if found else 1


def _place(trace: Trace) -> str:
    """`path:line`, as --show takes it and editors do."""
    folder, name = os.path.split(os.path.normpath(os.path.join(trace.home, trace.path)))
    return format_place(folder, name, trace.line)


def _describe_trace(trace: Trace) -> str:
    time = "" if trace.time is None else clock.format_minute(trace.time)
    return render.make_safe_line("  ".join(filter(None, (time, f"{trace.role} {trace.tool}".strip()))))


def _print(found: Traces, days: float) -> None:
    limit = render.count_columns()
    for trace in found:
        place = render.make_safe_line(_place(trace))
        about = _describe_trace(trace)
        if limit is None:
            render.print_line(f"{place}: [{about}] {render.make_safe_line(trace.snippet)}")
            continue
        render.print_line(render.paint(render.fit(place, limit), render.CYAN))
        render.print_line("  " + render.paint(render.fit(about, limit - 2), render.DIM))
        render.print_line("  " + mark_snippet(trace.snippet, trace.marks, limit - 2))
    if not found:
        within = _n("the last {count} day", "the last {count} days", round(days)).format(count=f"{days:g}")
        render.print_remark(
            _("Nothing matches in {within}; --days 0 looks at all.").format(within=within)
            if days
            else _("Nothing matches.")
        )
    elif found.total > len(found):
        render.print_remark(
            _("{shown} of {total}{more}; --max-results shows more, --session all of one").format(
                shown=len(found), total=f"{found.total:,}", more="+" if found.more else ""
            )
        )
    if found:
        render.print_remark(_("memtui traces --show PATH:LINE shows a conversation from there on"))
    if found.warning:
        render.print_remark(_("note: {warning}").format(warning=found.warning))


def _print_unfolded(opened: Vault, place: str, limit: int, as_json: bool) -> int:
    """The steps from `path:line` on, whole."""
    path, colon, number = place.rpartition(":")
    if not colon or not (number.isascii() and number.isdigit()):
        path, number = place, "1"
    found = opened.unfolded(path, int(number[:9]), limit)
    if as_json:
        results = [encode_trace(trace) for trace in found]
        render.print_document({"results": results, "backend": BACKEND, "warning": None, "total": len(results)})
    for trace in found if not as_json else ():
        render.print_line(render.paint(f"{trace.line}  {_describe_trace(trace)}", render.BOLD))
        render.print_line(render.make_safe_text(trace.snippet))
        render.print_line()
    if not found:
        render.print_remark(_("No home that is open has the conversation '{path}'.").format(path=path))
    return 0 if found else 1


COMMAND = Command(
    "traces",
    "Find what was said and done in conversations: turns, tools' calls with their parameters, and results.\n\n"
    "Transcripts of Claude Code, Codex, XingheBot and OpenAkita. Nothing of them is read until this is first asked; "
    "then they are indexed beside the home's index, with secrets masked, and each question takes in what is new.",
    run,
    (Argument("keyword", many=True),),
    (
        CommandOption(("--session",), "Only of the session whose id begins so.", metavar="ID"),
        CommandOption(
            ("--role",), f"Only of this role ({', '.join(ROLES)}); may be repeated.", many=True, choices=ROLES,
            metavar="ROLE",
        ),
        CommandOption(("--days",), "Not older than so many days; 0: of all time.", "float", DAYS, least=0, metavar="N"),
        CommandOption(("--max-results", "--limit", "-n"), "How many at most.", "int", 10, least=1, metavar="N"),
        CommandOption(("--show",), "Show the conversation from this place on, every step whole.", metavar="PATH:LINE"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 found, 1 nothing found, 2 wrong use, 4 could not.",
)  # fmt: skip
