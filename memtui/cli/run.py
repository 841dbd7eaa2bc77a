"""From an argument list to an exit status, with a sentence for all that can go wrong; without a command, the app."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module

from memtui import __version__
from memtui.cli import COMMANDS, OPEN, render
from memtui.cli.options import read
from memtui.cli.render import print_line
from memtui.core.errors import ConflictError, MemtuiError, UsageError
from memtui.core.locale import LANGUAGES, VARIABLE, _
from memtui.core.startup import TYPE_CHECKING
from memtui.fs.last_picture import hide_picture, show_picture
from memtui.fs.places import record

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
_COMPLETING = "_MEMTUI_COMPLETE"
_GLOBAL = {"--home", "--theme"}
"""Options before a command's name that take a value."""


def run(argv: Sequence[str]) -> int:
    """Do what the arguments say and answer the exit status. Nothing is raised, no traceback is shown."""
    json = "--json" in argv
    try:
        status = _dispatch(_take_language(list(argv)))
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _leave_pipe()
        return 0
    except ConflictError as error:
        return _answer_conflict(error, json)
    except MemtuiError as error:
        return _answer(str(error), error.exit_status, json)
    except Exception as error:
        if os.environ.get("MEMTUI_DEBUG", "").strip() not in {"", "0"}:
            raise
        return _answer(_explain_unexpected(error), MemtuiError.exit_status, json)


def _dispatch(argv: list[str]) -> int:
    if _COMPLETING in os.environ:
        return _run_click(argv, None)
    place, rest = _find_command(argv)
    if place is None:
        return _run_click(argv, None)
    if place == OPEN:
        show_picture()
    try:
        module, _sep, name = place.partition(":")
        command = getattr(import_module(module), name)
        values = read(command, rest)
        if values is None:
            return _run_click(rest, place)
        return int(command.run(**values))
    finally:
        # What went wrong is told where it can be read.
        hide_picture()


def _take_language(argv: list[str]) -> list[str]:
    """The arguments without `--lang`, which every command takes; what it says holds from here on."""
    end = argv.index("--") if "--" in argv else len(argv)
    for at, word in enumerate(argv[:end]):
        name, equals, value = word.partition("=")
        if name == "--lang":
            left = at + 1 if equals else at + 2
            value = value if equals else (argv[at + 1 : at + 2] or [""])[0]
            if value not in LANGUAGES:
                raise UsageError(_("--lang is one of {choices}.").format(choices=", ".join(LANGUAGES)))
            # Processes that are started from here speak it, too.
            os.environ[VARIABLE] = value
            return argv[:at] + argv[left:]
    return argv


def _find_command(argv: list[str]) -> tuple[str | None, list[str]]:
    """Which command is meant, and its own arguments; None where click should show help or the version.

    Options that come before the command's name are moved behind it: `memtui --home P search word`.
    """
    at = 0
    while at < len(argv) and argv[at].startswith("-") and argv[at] != "--":
        if argv[at] in {"-h", "--help", "--version"}:
            return None, argv
        at += 2 if argv[at] in _GLOBAL else 1
    if at < len(argv):
        for name, place, _help in COMMANDS:
            if name == argv[at]:
                return place, [*argv[:at], *argv[at + 1 :]]
    return OPEN, argv


def _run_click(argv: list[str], place: str | None) -> int:
    """Let click read them: it says best what is wrong."""
    import click

    from memtui.cli import tree

    tree.translate_click()
    try:
        if place is None:
            group = tree.group()
            return (
                _print_version() if "--version" in argv else int(group.main(argv, "memtui", standalone_mode=False) or 0)
            )
        command: click.Command = tree.load_click_command(place)
        prog = "memtui" if place == OPEN else f"memtui {command.name}"
        if place == OPEN and {"-h", "--help"} & set(argv):
            # Help for `memtui` itself names the commands too.
            command, argv = tree.group(), ["--help"]
        elif {"-h", "--help"} & set(argv) and (verb := tree.load_click_verb(place, argv[0])) is not None:
            command, argv, prog = verb, ["--help"], f"{prog} {verb.name}"
        return int(command.main(argv, prog, standalone_mode=False) or 0)
    except SystemExit as stop:
        # Completion ends so; and click does where the reader of a help text has left.
        return int(stop.code or 0) if _COMPLETING in os.environ else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.UsageError as error:
        raise UsageError(_format_wrong_use(error)) from None
    except click.ClickException as error:
        raise UsageError(error.format_message()) from None


def _format_wrong_use(error: object) -> str:
    import click

    assert isinstance(error, click.UsageError)
    message = error.format_message()
    if isinstance(error, click.MissingParameter) and message.endswith("'."):
        # click ends this one sentence itself.
        message = message[:-1] + _(".")
    if error.ctx is not None:
        message += "\n" + _("Try '{command} --help'.").format(command=error.ctx.command_path)
    return message


def _print_version() -> int:
    print_line(f"memtui {__version__}")
    return 0


def _answer_conflict(error: ConflictError, json: bool) -> int:
    """Both texts stand on stderr, and where the one that was not written is kept."""
    from memtui.cli import documents

    status = _answer(str(error), error.exit_status, json, conflict=documents.dump_conflict(error))
    with suppress(BrokenPipeError):
        documents.print_conflict(error)
    return status


def _answer(message: str, status: int, json: bool, **more: object) -> int:
    """Say it on stderr; with --json also as a document on stdout: a program never reads nothing."""
    try:
        if json and not render.has_answered():
            render.print_document({"error": message, "exit_status": status, **more})
        render.print_remark(message)
    except BrokenPipeError:
        _leave_pipe()
    return status


def _explain_unexpected(error: Exception) -> str:
    place = record(error)
    what = type(error).__name__
    if place is None:
        return _("Something went wrong inside memtui ({what}). MEMTUI_DEBUG=1 shows where.").format(what=what)
    return _(
        "Something went wrong inside memtui ({what}). Nothing was changed. What happened is in {place}; "
        "`memtui doctor` may know more."
    ).format(what=what, place=place)


def _leave_pipe() -> None:
    # The reader has seen enough; without this the interpreter complains while it flushes at exit.
    devnull = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(devnull, stream.fileno())
        except (OSError, ValueError, AttributeError):
            continue
    os.close(devnull)
