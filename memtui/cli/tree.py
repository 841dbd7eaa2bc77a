"""The same commands as click sees them, for help, wrong use and shell completion; and `memtui completion`.

`memtui help`: the pages of the manual, and what a command takes.
"""

from __future__ import annotations

import gettext
import os
import shlex
import sys
from contextlib import suppress
from importlib import import_module
from math import isnan
from typing import TYPE_CHECKING, Any, cast

import click
from click.shell_completion import CompletionItem, get_completion_class

from memtui.cli import COMMANDS, OPEN, render
from memtui.cli.options import EVERYWHERE, JSON, Argument, Command, CommandOption
from memtui.core.config import load as load_config
from memtui.core.config_keys import suggest_name
from memtui.core.errors import MemtuiError, UnavailableError, UsageError
from memtui.core.locale import CATALOGUES, LANGUAGES, _, find_language
from memtui.manual import TOPICS, Topic, find_topic, flatten, lay_out, load_page, wrap, write_man

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.cli.options import Offers


_WIDTH = 100
VERSION = "Show the version and exit."
LANGUAGE = "The language of this call: en or zh."


EXAMPLES: dict[str, str] = {
    "homes": "memtui homes", "search": 'memtui search "payment callback" --kind rule --since 365d',
    "route": "memtui route deploy", "get": "memtui get MEMORY.md --lines 5",
    "traces": "memtui traces callback --days 0", "context": "memtui context --items",
    "append": 'memtui append "Deploys run from main" --kind decision --tag arch',
    "flush": "memtui flush notes.md", "profile": "memtui profile list --limit 5",
    "facts": "memtui facts list --kind rule", "sessions": "memtui sessions list --limit 5",
    "evolution": "memtui evolution signals", "review": "memtui review list",
    "distill": "memtui distill --max 3", "consolidate": "memtui consolidate --weekly --dry-run",
    "lifecycle": "memtui lifecycle --soon", "tool": "memtui tool memory_search query=callback max_results=3",
    "mcp": "memtui mcp --project .", "undo": "memtui undo", "redo": "memtui redo",
    "history": "memtui history --verb append", "card": "memtui card --output year.svg",
    "trash": "memtui trash", "status": "memtui status --json", "index": "memtui index --rebuild",
    "doctor": "memtui doctor --memories", "init": "memtui init notes --layout memtui",
    "migrate": "memtui migrate notes", "import": "memtui import notes.md --kind decision",
    "export": "memtui export --since 30d", "hook": "memtui hook session-start --agent claude-code",
    "install": "memtui install claude-code --print", "uninstall": "memtui uninstall claude-code --yes",
    "team": "memtui team status", "sync": "memtui sync --watch", "serve": "memtui serve --me",
    "avoid": "memtui avoid list", "scrub": "memtui scrub notes.md",
    "config": "memtui config set ui.locale zh", "help": "memtui help search",
    "completion": "memtui completion zsh --install",
}  # fmt: skip
"""A line for each command's help; tests run them in this order."""


def _close(described: Command, name: str) -> str | None:
    """What stands below a command's options: an example, and its exit statuses."""
    example = EXAMPLES.get(name, "")
    told = _("Example: {command}").format(command=example) if example else ""
    return "\n\n".join(part for part in (told, _(described.epilog) if described.epilog else "") if part) or None


def translate_click() -> None:
    """Have click ask our catalogue for its own words, in the language that the config or the environment names."""
    load_config()
    language = find_language()
    if language != "en":
        gettext.bindtextdomain("memtui", CATALOGUES)
        gettext.textdomain("memtui")
        os.environ["LANGUAGE"] = language


def load_click_command(place: str, name: str | None = None) -> click.Command:
    """The click command for a line of `COMMANDS` ('module:object'). Its callback answers the exit status."""
    described = load(place)
    params: list[click.Parameter] = [_make_argument(a) for a in described.arguments]
    params.extend(_make_option(o) for o in described.options)
    command = click.Command(
        name or described.name,
        params=params,
        callback=cast("Callable[..., Any]", described.run),
        help=_(described.help),
        epilog=_close(described, name or described.name),
        context_settings={"max_content_width": _WIDTH, "help_option_names": ["-h", "--help"]},
    )
    command.context_class = HelpContext
    return command


def load_click_verb(place: str, name: str) -> click.Command | None:
    """The click command for one verb of a command; None: it has no such verb, or none with a help of its own."""
    described = load(place)
    verb = next((one for one in described.verbs if one.name == name), None)
    if verb is None:
        return None
    options = [one for one in described.options if one is JSON or one.names[0] in verb.options]
    words = [click.Argument(["words"], nargs=-1, metavar=verb.usage)] if verb.usage else []
    command = click.Command(
        name,
        params=[*words, *map(_make_option, options)],
        help=_(verb.help),
        epilog="\b\n" + "\n".join([_("Examples:"), *(f"  {line}" for line in verb.examples)]),
        context_settings={"max_content_width": _WIDTH, "help_option_names": ["-h", "--help"]},
    )
    command.context_class = HelpContext
    return command


def load(place: str) -> Command:
    """The command described at 'module:object'."""
    module, _, name = place.partition(":")
    return cast("Command", getattr(import_module(module), name))


_USAGE = len("Usage: ") + 1
"""Cells that stand before the name of a command, and the space behind it."""


class _Formatter(click.HelpFormatter):
    """Wraps by cells: Chinese characters take two, and have no spaces between them to break at."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Choices that have no room in a line are broken between two of them."""
        begun = len(self.buffer)
        if prefix is None and (word := _("Usage:"))[-1] == "：":
            # A full-width colon brings its own space.
            prefix = word
        room = self.width - self.current_indent - len(prog) - _USAGE
        wide = max(map(len, args.split()), default=0) > room
        super().write_usage(prog, args.replace("|", "| ") if wide else args, prefix)
        if wide:
            self.buffer[begun:] = [part.replace("| ", "|") for part in self.buffer[begun:]]

    def write_text(self, text: str) -> None:
        super().write_text(_wrap(text, self.width - self.current_indent))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        rows = list(rows)
        first = min(max((len(name) for name, _text in rows), default=0), col_max) + col_spacing
        cells = max(self.width - first - 2, 10)
        super().write_dl([(name, _wrap(text, cells)) for name, text in rows], col_max, col_spacing)


class HelpContext(click.Context):
    """A call whose help is laid out so."""

    formatter_class = _Formatter


def _wrap(text: str, cells: int) -> str:
    if render.count_line_cells(text) == len(text):
        return text
    parts = (
        part if part.startswith("\b") else "\b\n" + "\n".join(map(flatten, wrap([(part, "")], cells)))
        for part in text.split("\n\n")
    )
    return "\n\n".join(parts)


class CommandGroup(click.Group):
    """`memtui` itself: its commands load when asked for."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the registry, which is the order of use."""
        return [name for name, _place, _about in COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        return next((load_click_command(place, name) for name, place, _about in COMMANDS if name == cmd_name), None)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Both ways of calling it."""
        formatter.write_usage(ctx.command_path, "[PATH]… [--demo [LANG]] [--home PATH]… [--theme NAME]")
        indent = " " * (render.count_line_cells(_("Usage:")) + (_("Usage:")[-1] == ":"))
        formatter.write_usage(ctx.command_path, "COMMAND [ARGUMENTS]…", prefix=indent)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The one-line helps stand in the registry, so that listing them loads nothing."""
        with formatter.section(_("Commands")):
            formatter.write_dl([(name, _(text)) for name, _place, text in COMMANDS])


def group() -> CommandGroup:
    """The whole tree."""
    described = load(OPEN)
    return CommandGroup(
        "memtui",
        params=[
            *(_make_option(o) for o in described.options),
            click.Option(
                ["--lang"], metavar="LANG", help=_(LANGUAGE), shell_complete=_make_completer(lambda _: LANGUAGES)
            ),
            click.Option(["--version"], is_flag=True, help=_(VERSION)),
        ],
        help=_(described.help),
        epilog=_(described.epilog),
        context_settings={"max_content_width": _WIDTH, "help_option_names": ["-h", "--help"]},
    )


def _make_type(kind: str, choices: tuple[str, ...], least: float | None = None) -> click.ParamType[Any]:
    if choices:
        return click.Choice(choices)
    if kind == "int":
        return _Whole(min=None if least is None else int(least))
    if kind == "float":
        # `nan` passes every range, and nothing is meant by `inf`.
        return _Number(min=least, max=sys.float_info.max)
    if kind == "dir":
        return click.Path(file_okay=True)
    return click.Path() if kind == "path" else click.STRING


class _Whole(click.IntRange):
    """A whole number, called so."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        self.name = _("whole number")
        whole: int = super().convert(value, param, ctx)
        return whole


class _Number(click.FloatRange):
    """A number that is one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        self.name = _("number")
        number: float = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(_("{value!r} is not a number.").format(value=value), param, ctx)
        return number

    def _describe_range(self) -> str:
        return "" if self.min is None else f"x>={self.min}"


def _make_option(option: CommandOption) -> click.Option:
    if option.type == "flag":
        return click.Option([*option.names, option.key], is_flag=True, help=_(option.help))
    # Named at all, this says that an option may stand without its value.
    bare: dict[str, Any] = {"flag_value": option.bare} if option.bare else {}
    return click.Option(
        [*option.names, option.key],
        **bare,
        type=_make_type(option.type, option.choices, option.least),
        multiple=option.many,
        default=() if option.many else option.default,
        is_flag=False,
        show_default=not option.many and option.default not in {None, ""},
        metavar=option.metavar,
        help=_(option.help),
        shell_complete=_make_completer(option.offers),
    )


def _make_argument(argument: Argument) -> click.Argument:
    return _Word(
        [argument.key],
        required=argument.required,
        nargs=-1 if argument.many else 1,
        type=_make_type(argument.type, argument.choices),
        metavar=argument.metavar,
        shell_complete=_make_completer(argument.offers),
    )


class _Word(click.Argument):
    """An argument that is called by its name where something is wrong with it: its choices are listed behind."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """VERB, or what its usage calls it where that is one word."""
        metavar = super().get_error_hint(ctx)
        return f"'{(self.name or '').upper()}'" if "|" in metavar and isinstance(self.type, click.Choice) else metavar


def _make_completer(offers: Offers | str | None) -> Callable[[click.Context, click.Parameter, str], list[Any]] | None:
    if offers is None:
        return None

    def complete(ctx: click.Context, _param: click.Parameter, begun: str) -> list[Any]:
        """What begins so. In the middle of a line nothing is said of what is wrong."""
        with suppress(MemtuiError, OSError):
            ask: Any = load(f"memtui.cli.offering:{offers}") if isinstance(offers, str) else offers
            pairs = (
                one if isinstance(one, tuple) else (one, "") for one in ask({**ctx.params, "command": ctx.info_name})
            )
            return [
                CompletionItem(word, help=render.fit(render.make_safe_line(told), TOLD) if told else None)
                for word, told in pairs
                if word.startswith(begun)
            ]
        return []

    return complete


TOLD = 60
"""Cells of what a shell says of a word that it offers."""

SHELLS = ("bash", "zsh", "fish")


def run(shell: str | None, *, install: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Print the script for the shell named, else for the one in use; or put it where that shell reads it."""
    del home  # every command takes it; a script does not depend on it
    shell = shell or os.path.basename(os.environ.get("SHELL", ""))
    kind = get_completion_class(shell)
    if kind is None or shell not in SHELLS:
        raise UsageError(_("Which shell? One of: {shells}.").format(shells=", ".join(SHELLS)))
    script = kind(group(), {}, "memtui", "_MEMTUI_COMPLETE").source()
    if install:
        written = _install_completion(shell, script)
        if as_json:
            render.print_document({"shell": shell, "written": written})
        for place in written:
            render.print_remark(_("wrote {path}").format(path=place))
        render.print_remark(_("It works in shells that are started from now on."))
        return 0
    if as_json:
        render.print_document({"shell": shell, "script": script})
        return 0
    render.print_line(script)
    if sys.stdout.isatty():
        render.print_remark(_("To keep it: {command}").format(command=f"memtui completion {shell} --install"))
    return 0


def _install_completion(shell: str, script: str) -> list[str]:
    """Put the script where the shell reads it; zsh has no such place, so a line in .zshrc names ours.

    Answers with what was written. Raises UnavailableError where it cannot be.
    """
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    place = {
        "bash": os.path.join(data, "bash-completion", "completions", "memtui"),
        "zsh": os.path.join(data, "memtui", "completion.zsh"),
        "fish": os.path.join(config, "fish", "completions", "memtui.fish"),
    }[shell]
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8", newline="\n") as file:
            file.write(script + "\n")
        if shell != "zsh":
            return [place]
        start = os.path.join(os.environ.get("ZDOTDIR") or os.path.expanduser("~"), ".zshrc")
        line = f"source {shlex.quote(place)}"
        with open(start, "a+", encoding="utf-8", errors="surrogateescape", newline="") as file:
            file.seek(0)
            known = file.read()
            if line in known.splitlines():
                return [place]
            file.write(("" if known.endswith("\n") or not known else "\n") + line + "\n")
        return [place, start]
    except OSError as error:
        raise UnavailableError(
            _("{path} cannot be written: {reason}").format(path=place, reason=error.strerror or error)
        ) from None


COMMAND = Command(
    "completion",
    "Print the completion script for bash, zsh or fish (the shell in use unless one is named), or install it.\n\n"
    "bash needs its bash-completion package; zsh gets a line at the end of .zshrc, which belongs after compinit.",
    run,
    (Argument("shell", choices=SHELLS, metavar="[bash|zsh|fish]"),),
    (CommandOption(("--install",), "Put it where the shell reads it, for good.", "flag"), *EVERYWHERE),
)


_WIDEST = 100
"""Cells of a line that is easy to read, however wide the terminal is."""

_STYLES = {"head": render.BOLD, "bold": render.BOLD, "code": render.CYAN, "dim": render.DIM}


def run_help(topic: str | None, *, man: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Show a page, or list them. A command that has no page shows its own help. 2 for a name that is neither."""
    del home  # every command takes it; a page does not depend on it
    translate_click()
    if man:
        if topic is not None or as_json:
            raise UsageError(_("--man prints the whole manual; it takes no PAGE and no --json."))
        _print_man()
    elif topic is None:
        _list_topics(as_json)
    elif (found := find_topic(topic)) is not None:
        _show_page(found, as_json)
    elif (place := next((place for name, place, _help in COMMANDS if name == topic), None)) is not None:
        _show_command(topic, place, as_json)
    else:
        known = _list_pages()
        message = _("There is no page '{topic}'.").format(topic=render.make_safe_line(topic))
        if near := suggest_name(topic.lower(), known):
            message += " " + _("Did you mean `memtui help {name}`?").format(name=near)
        raise UsageError(message + "\n" + _("`memtui help` lists them."))
    return 0


def _list_pages() -> list[str]:
    return list(dict.fromkeys([*(found.name for found in TOPICS), *(name for name, _place, _help in COMMANDS)]))


def _print_man() -> None:
    found = group()
    about = (found.help or "").partition("\n")[0].rstrip(".。")
    usage = found.get_usage(HelpContext(found, info_name="memtui"))
    lines = ["memtui" + line.partition("memtui")[2] for line in usage.splitlines()]
    render.print_line(write_man(about, lines).rstrip("\n"))


def _list_topics(as_json: bool) -> None:
    topics = [(topic.name, _(topic.about)) for topic in TOPICS]
    if as_json:
        render.print_document({"topics": [{"topic": name, "about": about} for name, about in topics]})
        return
    render.print_table([render.Column(_("page"), render.CYAN), render.Column(_("about"), grows=True)], topics)
    render.print_remark(_("`memtui help PAGE` shows one; `memtui COMMAND --help` explains a command's options."))


def _show_page(topic: Topic, as_json: bool) -> None:
    text = load_page(topic)
    width = render.count_columns()
    if as_json:
        render.print_document({"topic": topic.name, "about": _(topic.about), "text": text})
    elif width is None:
        render.print_line(text.rstrip("\n"))
    else:
        for line in lay_out(text, min(width, _WIDEST), ticks=not render.is_colour_wanted()):
            render.print_line("".join(render.paint(part, _STYLES.get(style, "")) for part, style in line))


def _show_command(name: str, place: str, as_json: bool) -> None:
    command = load_click_command(place, name)
    text = command.get_help(HelpContext(command, info_name=f"memtui {name}"))
    if as_json:
        render.print_document({"topic": name, "about": command.get_short_help_str(), "text": text})
    else:
        render.print_line(text)


HELP_COMMAND = Command(
    "help",
    "Show a page of the manual, or list the pages. In a pipe a page is plain Markdown.",
    run_help,
    (Argument("topic", metavar="[PAGE]", offers=lambda _typed: _list_pages()),),
    (CommandOption(("--man",), "Print the whole manual as a man page (roff) on stdout.", "flag"), *EVERYWHERE),
    epilog="Exit status: 0 done, 2 there is no such page.",
)
