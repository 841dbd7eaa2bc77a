"""`memtui consolidate`: look after the homes by the day or by the week, in one report and one undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Command, Option
from memtui.cli.opening import Progress, settings, vault
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.curation.consolidate.report import Report


def run(*, daily: bool, weekly: bool, dry_run: bool, last: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Do it, show what would be done, or show what was done last; 1 where there is no home, or no report yet."""
    if daily and weekly:
        raise UsageError(_("Either --daily or --weekly: the week's work begins with the day's."))
    if last:
        if dry_run:
            raise UsageError(_("--last only shows: there is nothing to try."))
        return _last(True if weekly else False if daily else None, as_json)
    config = settings()
    with vault(home, config=config) as opened:
        if not opened.homes:
            if as_json:
                output.document({"status": "no_home", "steps": []})
            output.talk(_("No memory home was found here; `memtui homes` says where it looks."))
            return 1
        from memtui.curation import consolidate

        bar = Progress("{label}")
        try:
            report = consolidate.run(opened, config, weekly=weekly, dry_run=dry_run, progress=bar.draw)
        except OSError as error:
            from memtui.disk.folder import reason
            from memtui.disk.places import state

            raise reason(error, str(error.filename or state())) from error
        finally:
            bar.done()
    _shown(report, as_json)
    return 0 if report.whole else 4


def _last(weekly: bool | None, as_json: bool) -> int:
    from memtui.curation.consolidate.kept import latest

    report = latest(weekly)
    if report is not None:
        _shown(report, as_json)
        return 0
    if as_json:
        output.document({"status": "none", "steps": []})
    output.talk(_("There was no consolidation yet: `memtui consolidate --daily` is one."))
    return 1


def _shown(report: Report, as_json: bool) -> None:
    from memtui.curation.consolidate.report import plain

    if as_json:
        status = "dry_run" if report.dry_run else "done" if report.whole else "partly"
        output.document({"status": status, **plain(report)})
    else:
        for line in report.text.rstrip("\n").split("\n"):
            head = line.startswith("#")
            output.line(output.paint(output.safe(line), output.BOLD if head else ""))
    if report.dry_run:
        output.talk(_("Nothing was written."))
    elif report.group and not as_json:
        output.talk(_("undo: {command}").format(command=f"memtui undo {report.group}"))


COMMAND = Command(
    "consolidate",
    "Look after the homes: what waits is written, what is said twice is merged or waits in Review, what is faint, "
    "expired or outdated is put away, and memtui's own sections of MEMORY.md and USER.md are made anew.\n\n"
    "--weekly also counts what went on, looks how everything hangs together, offers facts of several sessions, and "
    "hears the signs of trouble in them. Nothing is ever deleted: one undo takes a run back.",
    run,
    (),
    (
        Option(("--daily",), "The day's work (the default).", "flag"),
        Option(("--weekly",), "The day's work, then the week's.", "flag"),
        Option(("--dry-run",), "Show what would be done; write nothing.", "flag"),
        Option(("--last",), "Show the report of the last run.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 no home or no report, 2 wrong use, 3 refused, 4 could not, or another is at it.",
)
