"""What a command takes, written down once: read quickly here, and by click for help, errors and completion.

Building click's own commands costs more than a whole search; so the quick reader answers when it is certain,
and leaves everything else (help, a wrong option, a missing value) to click, which says it well.
"""

from __future__ import annotations

from memtui.record import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Option(NamedTuple):
    """One `--option`. `type` is one of flag, text, int, float, path, dir."""

    names: tuple[str, ...]
    """The long name first; it gives the keyword that `run` gets."""
    help: str
    type: str = "text"
    default: Any = None
    many: bool = False
    choices: tuple[str, ...] = ()
    least: float | None = None
    """The smallest value that makes sense, for numbers."""
    metavar: str | None = None
    dest: str = ""

    @property
    def key(self) -> str:
        """The keyword argument that carries it."""
        return self.dest or self.names[0].lstrip("-").replace("-", "_")


class Argument(NamedTuple):
    """One positional argument."""

    key: str
    required: bool = False
    many: bool = False
    """Takes all that are left."""
    choices: tuple[str, ...] = ()
    type: str = "text"
    metavar: str | None = None


class Command(NamedTuple):
    """A command: `run` gets every option and argument by keyword and answers the exit status."""

    name: str
    help: str
    run: Callable[..., int]
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    epilog: str = ""


HOME = Option(
    ("--home",),
    "Use this home, whatever layout it is; may be given several times.",
    "dir",
    many=True,
    metavar="PATH",
)
JSON = Option(("--json",), "Answer with one JSON document on stdout.", "flag", dest="as_json")
EVERYWHERE = (HOME, JSON)
"""What every command takes."""


class _UnsureError(Exception):
    """The quick reader leaves it to click."""


def read(command: Command, argv: Sequence[str]) -> dict[str, Any] | None:
    """The keywords for `command.run`, or None wherever click should have the word. Never raises."""
    table = {name: option for option in command.options for name in option.names}
    values: dict[str, Any] = {
        o.key: [] if o.many else (False if o.type == "flag" else o.default) for o in command.options
    }
    rest: list[str] = []
    words = iter(argv)
    try:
        for word in words:
            if word == "--":
                rest.extend(words)
            elif len(word) > 1 and word[0] == "-":
                name, equals, value = word.partition("=")
                option = table.get(name)
                if option is None or (equals and not name.startswith("--")):
                    return None
                if option.type == "flag":
                    if equals:
                        return None
                    values[option.key] = True
                    continue
                checked = _checked(option, value if equals else next(words))
                if option.many:
                    values[option.key].append(checked)
                else:
                    values[option.key] = checked
            else:
                rest.append(word)
        for option in command.options:
            if option.many:
                values[option.key] = tuple(values[option.key])
        _place(command.arguments, rest, values)
    except (_UnsureError, StopIteration, ValueError):
        return None
    return values


def _checked(option: Option, value: str) -> Any:
    if value.startswith("-") and len(value) > 1:
        raise _UnsureError
    if option.choices and value not in option.choices:
        raise _UnsureError
    if option.type in {"int", "float"}:
        number = int(value) if option.type == "int" else float(value)
        if number - number != 0 or (option.least is not None and number < option.least):
            raise _UnsureError
        return number
    return value


def _place(arguments: Sequence[Argument], rest: list[str], values: dict[str, Any]) -> None:
    left = list(rest)
    for argument in arguments:
        if argument.many:
            taken, left = left, []
            if argument.required and not taken:
                raise _UnsureError
            values[argument.key] = tuple(taken)
            continue
        value = left.pop(0) if left else None
        if value is None and argument.required:
            raise _UnsureError
        if value is not None and argument.choices and value not in argument.choices:
            raise _UnsureError
        values[argument.key] = value
    if left:
        raise _UnsureError
