"""`memtui [PATH]…`: the app."""

from __future__ import annotations

import os
import sys

from memtui.cli.grammar import HOME, Argument, Command, Option
from memtui.errors import RefusedError, UsageError
from memtui.locale import _


def run(paths: tuple[str, ...], *, demo: bool, theme: str | None, home: tuple[str, ...]) -> int:
    """Open the app on the homes named, the demo, or what is found here."""
    wanted = [*paths, *home]
    if demo and wanted:
        raise UsageError(_("--demo opens the bundled homes; it takes no PATH beside it."))
    for path in wanted:
        _must_exist(path)
    _must_be_terminal()
    if demo:
        return _demo(theme)
    from memtui.disk import spool

    if spool.waiting():
        from memtui.cli.opening import settings
        from memtui.cli.writing import drained

        drained(settings(warn=False))
    from memtui.tui.app import run as run_app

    return run_app(wanted or None, theme=theme)


def _demo(theme: str | None) -> int:
    """The bundled homes, copied to a temporary directory that goes when the app does."""
    import tempfile
    from pathlib import Path

    from memtui.demo import copy
    from memtui.tui.app import run as run_app

    with tempfile.TemporaryDirectory(prefix="memtui-demo-", ignore_cleanup_errors=True) as folder:
        homes = copy(Path(folder))
        return run_app([str(home) for home in homes], theme=theme, index=os.path.join(folder, "index"))


def _must_exist(path: str) -> None:
    if os.path.lexists(os.path.expanduser(path)):
        return
    import difflib

    from memtui.cli import COMMANDS

    message = _("There is nothing at '{path}', and no command has that name.").format(path=path)
    near = difflib.get_close_matches(path.lower(), [name for name, _place, _help in COMMANDS], 1)
    if near:
        message += " " + _("Did you mean `memtui {command}`?").format(command=near[0])
    raise UsageError(message)


def _must_be_terminal() -> None:
    if os.environ.get("TERM") == "dumb":
        raise RefusedError(
            _("This terminal (TERM=dumb) cannot show the app. The commands work here: try `memtui status`.")
        )
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        raise RefusedError(
            _(
                "The app needs a terminal, and this is a pipe or a file. "
                "The commands work here: try `memtui status`."
            )
        )


COMMAND = Command(
    "memtui",
    "See, search and look after what your coding agents remember.\n\n"
    "Without a command the app opens: on the homes at PATH, else on every home found for this directory and "
    "this user.",
    run,
    (Argument("paths", many=True, type="dir", metavar="[PATH]…"),),
    (
        Option(("--demo",), "Open the app on a bundled demo home, copied to a temporary directory.", "flag"),
        HOME,
        Option(("--theme",), "The theme to use this time; `ctrl+p` in the app lists them.", metavar="NAME"),
    ),
    epilog="Exit status: 0 done, 1 nothing found, 2 wrong use, 3 refused, 4 could not.",
)
