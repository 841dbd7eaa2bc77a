"""`memtui card`: a year of memory as one picture, with nothing in it but counts and dates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import render
from memtui.cli.opening import open_vault
from memtui.cli.options import EVERYWHERE, Command, CommandOption
from memtui.store.year_card import CARD, count_year, draw_card, list_facts, save_card

if TYPE_CHECKING:
    from memtui.store.year_card import YearCounts


def run(
    *, output: str, year: int | None, light: bool, force: bool, home: tuple[str, ...], as_json: bool
) -> int:
    """Write the picture, or print its counts; 1 where nothing happened in that year."""
    with open_vault(home) as opened:
        counts = count_year(opened, year)
    if as_json:
        render.print_document(dump_year(counts))
        return 0 if counts.days else 1
    picture = draw_card(counts, light=light)
    if output == "-":
        for line in picture.splitlines():
            render.print_line(line)
    else:
        save_card(output, picture, force=force)
        render.print_remark(" · ".join([render.make_safe_line(output), *list_facts(counts)]))
    return 0 if counts.days else 1


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
        "days": [
            {"day": found.isoformat(), "count": number} for found, number in sorted(counts.days.items())
        ],
    }


COMMAND = Command(
    "card",
    "A year of memory as one picture (SVG) to show around: how busy each day was, and counts.\n\n"
    "Nothing else is in it: no text of a memory, no path, no name of a home.",
    run,
    (),
    (
        CommandOption(("--output", "-o"), "Where to; - is stdout.", "path", CARD, metavar="FILE"),
        CommandOption(
            ("--year",), "A calendar year; else the last twelve months.", "int", least=1970, metavar="YYYY"
        ),
        CommandOption(("--light",), "Dark on light.", "flag"),
        CommandOption(("--force",), "Replace the file if it is there.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 1 nothing happened in that year, 3 the file is there already, 4 could not.",
)
