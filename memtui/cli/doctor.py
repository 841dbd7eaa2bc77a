"""`memtui doctor`: is everything well, and if not, what is the one line that mends it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from memtui.cli import checks, output
from memtui.cli.grammar import EVERYWHERE, Command
from memtui.cli.opening import settings, vault
from memtui.errors import MemtuiError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNS = {checks.OK: ("✓", output.GREEN), checks.NOTE: ("!", output.YELLOW), checks.WRONG: ("✗", output.RED)}


def run(*, home: tuple[str, ...], as_json: bool) -> int:
    """Run every check; 0 where nothing is wrong, else 1."""
    found = list(_all(home))
    wrong = sum(check.state == checks.WRONG for check in found)
    if as_json:
        output.document({"ok": not wrong, "checks": [check._asdict() for check in found]})
        return 1 if wrong else 0
    for check in found:
        sign, style = SIGNS[check.state]
        name = output.paint(output.safe(check.name), output.BOLD)
        output.line(f"{output.paint(sign, style)} {name}  {output.safe(check.what)}")
        if check.remedy:
            output.line(f"    {output.paint('→', output.DIM)} {output.safe(check.remedy)}")
    notes = sum(check.state == checks.NOTE for check in found)
    if wrong:
        output.talk(_("{wrong} wrong, {notes} to know").format(wrong=wrong, notes=notes))
    else:
        output.talk(_("nothing wrong, {notes} to know").format(notes=notes) if notes else _("all is well"))
    return 1 if wrong else 0


def _all(home: tuple[str, ...]) -> Iterator[checks.Check]:
    from memtui import __version__

    yield checks.Check("memtui", checks.OK, f"{__version__}, Python {sys.version.split()[0]}, {sys.platform}")
    yield from checks.sqlite()
    yield from checks.config()
    yield from checks.terminal()
    yield from checks.places()
    try:
        config = settings(warn=False)
        with vault(home, wait=False, config=config) as opened:
            homes = list(opened.homes)
            # Asking a damaged index anything has it made anew: it is looked at before.
            faults = {one.path: checks.damage(one, config.index.place) for one in homes}
            states = opened.status()
    except MemtuiError as error:
        yield checks.Check("homes", checks.WRONG, str(error), "memtui homes")
        return
    if not states:
        yield checks.Check(
            "homes",
            checks.NOTE,
            _("no memory home was found for this directory or this user"),
            _("run memtui where an agent has worked, or try memtui --demo"),
        )
    yield from checks.watcher(homes)
    for state in states:
        yield from checks.home(state, faults[state.home.path])


COMMAND = Command(
    "doctor",
    "Check SQLite, config, terminal, places, the watcher's limits, every home and its index.\n\n"
    "Nothing is changed. Each finding that needs something says what.",
    run,
    (),
    EVERYWHERE,
    epilog="Exit status: 0 nothing wrong, 1 something is.",
)
