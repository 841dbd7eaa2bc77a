"""`memtui install schedule`: what would run `memtui consolidate` by the clock. It is printed; nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.cli.opening import short
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence


def shown(daily_at: str | None, homes: Sequence[str], as_json: bool) -> int:
    """Print the units, what switches them on, and the lines for cron."""
    from memtui.agents.install.schedule import DAILY_AT, schedule

    made = schedule(DAILY_AT if daily_at is None else daily_at, homes)
    if as_json:
        output.document(
            {
                "written": False,
                "files": [unit._asdict() for unit in made.units],
                "commands": list(made.commands),
                "cron": list(made.cron),
                "warnings": list(made.warnings),
            }
        )
        return 0
    for unit in made.units:
        output.line(output.paint(f"# {output.safe(short(unit.path))}", output.BOLD))
        output.line(output.text(unit.text))
    output.talk(_("Nothing was written. Put these files in their places, then switch the timers on:"))
    for command in made.commands:
        output.line(command)
    output.talk(_("They run while you are logged in; `loginctl enable-linger` has them run always."))
    output.talk(_("Or, with cron instead (`crontab -e`):"))
    for line in made.cron:
        output.line(output.safe(line))
    for warning in made.warnings:
        output.talk("! " + warning)
    return 0
