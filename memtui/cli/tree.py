"""The same commands as click sees them, for help, wrong use and shell completion; and `memtui completion`."""

from __future__ import annotations

import os
import sys
from math import isnan
from typing import TYPE_CHECKING, Any, cast

import click

from memtui.cli import COMMANDS, OPEN, render
from memtui.cli.options import EVERYWHERE, Argument, Command
from memtui.core.errors import UsageError
from memtui.core.locale import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.cli.options import CommandOption

_WIDTH = 100
VERSION = "Show the version and exit."


def load_click_command(place: str, name: str | None = None) -> click.Command:
    """The click command for a line of `COMMANDS` ('module:object'). Its callback answers the exit status."""
    described = load(place)
    params: list[click.Parameter] = [_argument(a) for a in described.arguments]
    params.extend(_option(o) for o in described.options)
    return click.Command(
        name or described.name,
        params=params,
        callback=cast("Callable[..., Any]", described.run),
        help=described.help,
        epilog=described.epilog or None,
        context_settings={"max_content_width": _WIDTH, "help_option_names": ["-h", "--help"]},
    )


def load(place: str) -> Command:
    """The command described at 'module:object'."""
    from importlib import import_module

    module, _, name = place.partition(":")
    return cast("Command", getattr(import_module(module), name))


class CommandGroup(click.Group):
    """`memtui` itself: its commands load when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the registry, which is the order of use."""
        return [name for name, _, _ in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        return next(
            (load_click_command(place, name) for name, place, _ in COMMANDS if name == cmd_name), None
        )

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Both ways of calling it."""
        formatter.write_usage(ctx.command_path, "[PATH]… [--demo [LANG]] [--home PATH]… [--theme NAME]")
        formatter.write_usage(ctx.command_path, "COMMAND [ARGUMENTS]…", prefix="       ")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The one-line helps stand in the registry, so that listing them loads nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, _, text in COMMANDS])


def group() -> CommandGroup:
    """The whole tree."""
    described = load(OPEN)
    return CommandGroup(
        "memtui",
        params=[
            *(_option(o) for o in described.options),
            click.Option(["--version"], is_flag=True, help=_(VERSION)),
        ],
        help=described.help,
        epilog=described.epilog,
        context_settings={"max_content_width": _WIDTH, "help_option_names": ["-h", "--help"]},
    )


def _type(kind: str, choices: tuple[str, ...], least: float | None = None) -> click.ParamType[Any]:
    if choices:
        return click.Choice(choices)
    if kind == "int":
        return click.IntRange(min=None if least is None else int(least))
    if kind == "float":
        # `nan` passes every range, and nothing is meant by `inf`.
        return _Number(min=least, max=sys.float_info.max)
    if kind == "dir":
        return click.Path(file_okay=True)
    return click.Path() if kind == "path" else click.STRING


class _Number(click.FloatRange):
    """A number that is one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(_("{value!r} is not a number.").format(value=value), param, ctx)
        return number

    def _describe_range(self) -> str:
        return "" if self.min is None else f"x>={self.min}"


def _option(option: CommandOption) -> click.Option:
    if option.type == "flag":
        return click.Option([*option.names, option.key], is_flag=True, help=option.help)
    return click.Option(
        [*option.names, option.key],
        type=_type(option.type, option.choices, option.least),
        multiple=option.many,
        default=() if option.many else option.default,
        is_flag=False,
        flag_value=option.bare or None,
        show_default=not option.many and option.default not in {None, ""},
        metavar=option.metavar,
        help=option.help,
    )


def _argument(argument: Argument) -> click.Argument:
    return click.Argument(
        [argument.key],
        required=argument.required,
        nargs=-1 if argument.many else 1,
        type=_type(argument.type, argument.choices),
        metavar=argument.metavar,
    )


SHELLS = ("bash", "zsh", "fish")
PLACES = {
    "bash": "echo 'eval \"$(memtui completion bash)\"' >> ~/.bashrc",
    "zsh": "echo 'eval \"$(memtui completion zsh)\"' >> ~/.zshrc",
    "fish": "memtui completion fish > ~/.config/fish/completions/memtui.fish",
}


def run(shell: str | None, *, home: tuple[str, ...], as_json: bool) -> int:
    """Print the script for the shell named, else for the one in use."""
    del home  # every command takes it; a script does not depend on it
    import sys

    from click.shell_completion import get_completion_class

    shell = shell or os.path.basename(os.environ.get("SHELL", ""))
    kind = get_completion_class(shell)
    if kind is None or shell not in SHELLS:
        raise UsageError(_("Which shell? One of: {shells}.").format(shells=", ".join(SHELLS)))
    script = kind(group(), {}, "memtui", "_MEMTUI_COMPLETE").source()
    if as_json:
        render.print_document({"shell": shell, "script": script})
        return 0
    render.print_line(script)
    if sys.stdout.isatty():
        render.print_remark(_("To keep it: {command}").format(command=PLACES[shell]))
    return 0


COMMAND = Command(
    "completion",
    "Print the completion script for bash, zsh or fish (the shell in use unless one is named).\n\n"
    "\b\n" + "\n".join(PLACES.values()),
    run,
    (Argument("shell", choices=SHELLS, metavar="[bash|zsh|fish]"),),
    EVERYWHERE,
)
