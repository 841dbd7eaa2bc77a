"""`memtui [PATH]…`: the app."""

from __future__ import annotations

import difflib
import os
import sys

from memtui.cli import COMMANDS
from memtui.cli.opening import load_settings
from memtui.cli.options import HOME, Argument, Command, CommandOption
from memtui.core.errors import RefusedError, UsageError
from memtui.core.locale import LANGUAGES, _
from memtui.fs import displaced
from memtui.tui.app import run
from memtui.tui.draw import list_themes


def run_open(paths: tuple[str, ...], *, demo: str | None, theme: str | None, home: tuple[str, ...]) -> int:
    """Open the app on the homes named, the demo, or what is found here."""
    wanted = [*paths, *home]
    if demo is not None:
        if wanted:
            raise UsageError(_("--demo opens the bundled homes; it takes no PATH beside it."))
        _check_demo_language(demo)
    for path in wanted:
        _check_exists(path)
    _check_terminal()
    if demo is not None:
        return run(theme=theme, demo=demo)
    if displaced.list_spooled_records():
        # What writes waits for the first frame, unless something waits for it.
        from memtui.cli.facts_commands import drain_spool

        drain_spool(load_settings(warn=False))
    return run(wanted or None, theme=theme)


def _check_demo_language(language: str) -> None:
    if language not in LANGUAGES:
        raise UsageError(
            _("The demo is not told in '{language}'. It is told in {languages}: try `memtui --demo zh`.").format(
                language=language, languages=_(" and ").join(LANGUAGES)
            )
        )


def _check_exists(path: str) -> None:
    if os.path.lexists(os.path.expanduser(path)):
        return
    message = _("There is nothing at '{path}', and no command has that name.").format(path=path)
    near = difflib.get_close_matches(path.lower(), [name for name, _place, _help in COMMANDS], 1)
    if near:
        message += " " + _("Did you mean `memtui {command}`?").format(command=near[0])
    raise UsageError(message)


def _check_terminal() -> None:
    if os.environ.get("TERM") == "dumb":
        raise RefusedError(
            _("This terminal (TERM=dumb) cannot show the app. The commands work here: try `memtui status`.")
        )
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        raise RefusedError(
            _("The app needs a terminal, and this is a pipe or a file. The commands work here: try `memtui status`.")
        )


COMMAND = Command(
    "memtui",
    "See, search and look after what your coding agents remember.\n\n"
    "Without a command the app opens: on the homes at PATH, else on every home found for this directory and "
    "this user.",
    run_open,
    (Argument("paths", many=True, type="dir", metavar="[PATH]…"),),
    (
        CommandOption(
            ("--demo",),
            "Open the app on the bundled demo homes, copied to a temporary directory; LANG is en or zh.",
            metavar="[LANG]",
            bare="en",
            offers=lambda _typed: LANGUAGES,
        ),
        HOME,
        CommandOption(
            ("--theme",),
            "The theme to use this time; `ctrl+p` in the app lists them.",
            metavar="NAME",
            offers=lambda _typed: list_themes(),
        ),
    ),
    epilog="Exit status: 0 done, 1 nothing found, 2 wrong use, 3 refused, 4 could not.",
)
