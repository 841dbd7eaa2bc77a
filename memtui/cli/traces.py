"""`memtui traces`: what was said and done in conversations, with tools' parameters and results (spec 003)."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from memtui import clock
from memtui.cli import cells, output
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import Progress, reference, settings, vault
from memtui.cli.search import marked
from memtui.errors import UsageError
from memtui.locale import _, _n
from memtui.traces.found import BACKEND, ROLES, plain

if TYPE_CHECKING:
    from memtui.traces.found import Trace, Traces
    from memtui.vault import Vault

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
    with vault(home, wait=False, config=settings(warn=not as_json)) as opened:
        if show:
            return _unfolded(opened, show, max_results, as_json)
        untold = opened.untold()
        if untold:
            labels = ", ".join(place.label for place in untold)
            output.talk(_("Reading the conversations of {labels} for the first time.").format(labels=labels))
        progress = Progress()
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
        output.document({
            "results": [plain(trace) for trace in found],
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
    return reference(folder, name, trace.line)


def _about(trace: Trace) -> str:
    time = "" if trace.time is None else f"{clock.local(trace.time):%Y-%m-%d %H:%M}"
    return output.safe("  ".join(filter(None, (time, f"{trace.role} {trace.tool}".strip()))))


def _print(found: Traces, days: float) -> None:
    limit = output.columns()
    for trace in found:
        place = output.safe(_place(trace))
        about = _about(trace)
        if limit is None:
            output.line(f"{place}: [{about}] {output.safe(trace.snippet)}")
            continue
        output.line(output.paint(cells.fit(place, limit), output.CYAN))
        output.line("  " + output.paint(cells.fit(about, limit - 2), output.DIM))
        output.line("  " + marked(trace.snippet, trace.marks, limit - 2))
    if not found:
        within = _n("the last {count} day", "the last {count} days", round(days)).format(count=f"{days:g}")
        output.talk(
            _("Nothing matches in {within}; --days 0 looks at all.").format(within=within)
            if days
            else _("Nothing matches.")
        )
    elif found.total > len(found):
        output.talk(
            _("{shown} of {total}{more}; --max-results shows more, --session all of one").format(
                shown=len(found), total=f"{found.total:,}", more="+" if found.more else ""
            )
        )
    if found:
        output.talk(_("memtui traces --show PATH:LINE shows a conversation from there on"))
    if found.warning:
        output.talk(_("note: {warning}").format(warning=found.warning))


def _unfolded(opened: Vault, place: str, limit: int, as_json: bool) -> int:
    """The steps from `path:line` on, whole."""
    path, colon, number = place.rpartition(":")
    if not colon or not (number.isascii() and number.isdigit()):
        path, number = place, "1"
    found = opened.unfolded(path, int(number[:9]), limit)
    if as_json:
        results = [plain(trace) for trace in found]
        output.document({"results": results, "backend": BACKEND, "warning": None, "total": len(results)})
    for trace in found if not as_json else ():
        output.line(output.paint(f"{trace.line}  {_about(trace)}", output.BOLD))
        output.line(output.text(trace.snippet))
        output.line()
    if not found:
        output.talk(_("No home that is open has the conversation '{path}'.").format(path=path))
    return 0 if found else 1


COMMAND = Command(
    "traces",
    "Find what was said and done in conversations: turns, tools' calls with their parameters, and results.\n\n"
    "Transcripts of Claude Code, Codex, XingheBot and OpenAkita. Nothing of them is read until this is first asked; "
    "then they are indexed beside the home's index, with secrets masked, and each question takes in what is new.",
    run,
    (Argument("keyword", many=True),),
    (
        Option(("--session",), "Only of the session whose id begins so.", metavar="ID"),
        Option(
            ("--role",), f"Only of this role ({', '.join(ROLES)}); may be repeated.", many=True, choices=ROLES,
            metavar="ROLE",
        ),
        Option(("--days",), "Not older than so many days; 0: of all time.", "float", DAYS, least=0, metavar="N"),
        Option(("--max-results", "--limit", "-n"), "How many at most.", "int", 10, least=1, metavar="N"),
        Option(("--show",), "Show the conversation from this place on, every step whole.", metavar="PATH:LINE"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 found, 1 nothing found, 2 wrong use, 4 could not.",
)  # fmt: skip
