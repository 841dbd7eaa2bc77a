"""What a command takes, declared once: read quickly here, and by click for help, errors and completion.

Building click's own commands costs more than a whole search, so the quick reader (`read`) answers when it is
certain, and leaves everything else (help, a wrong option, a missing value) to click. Below it: the options that
narrow a list or a search and the Filter that they mean, and what `memtui facts` and `memtui profile` take
besides.
"""

from __future__ import annotations

from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.core.model import Filter, Layer, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple
from memtui.search import times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


def parse_time(text: str, *, end: bool = False) -> float:
    """Seconds since the epoch. A day is its local midnight; `end`: the midnight after. Raises UsageError."""
    found = times.parse_time(text, end=end)
    if found is None:
        raise UsageError(
            _("'{text}' is not a time I know. Try 7d, 12h, 3w, yesterday, or a date such as 2026-02-01.").format(
                text=text
            )
        )
    return found


if TYPE_CHECKING:
    Offers = Callable[[Mapping[str, Any]], Iterable[str | tuple[str, str]]]
    """Words that a shell offers, where they are no closed choice, some with what they stand for; from what stands on
    the line before them. By its name: a function of `cli.offering`, which is loaded when a shell asks."""


class CommandOption(NamedTuple):
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
    bare: str = ""
    """What it means without a value, where it may stand without one."""
    offers: Offers | str | None = None

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
    offers: Offers | str | None = None


class CommandVerb(NamedTuple):
    """One verb of a command, for a help of its own: `memtui COMMAND VERB --help`."""

    name: str
    usage: str
    """What stands behind its name."""
    help: str
    options: tuple[str, ...] = ()
    """The long names of the command's options that mean something here, besides --json."""
    examples: tuple[str, ...] = ()
    """Lines to type."""


class Command(NamedTuple):
    """A command: `run` gets every option and argument by keyword and answers the exit status."""

    name: str
    help: str
    run: Callable[..., int]
    arguments: tuple[Argument, ...] = ()
    options: tuple[CommandOption, ...] = ()
    epilog: str = ""
    verbs: tuple[CommandVerb, ...] = ()
    """Those that have a help of their own."""


HOME = CommandOption(
    ("--home",), "Use this home, whatever layout it is; may be given several times.", "dir", many=True, metavar="PATH"
)
JSON = CommandOption(("--json",), "Answer with one JSON document on stdout.", "flag", dest="as_json")
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
                if option is None or option.bare or (equals and not name.startswith("--")):
                    return None
                if option.type == "flag":
                    if equals:
                        return None
                    values[option.key] = True
                    continue
                checked = _check_value(option, value if equals else next(words))
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


def _check_value(option: CommandOption, value: str) -> Any:
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


LAYERS = tuple(layer.value for layer in Layer)
STATUSES = (*(status.value for status in Status), "all")

LAYER = CommandOption(
    ("--layer",), f"Only this layer ({', '.join(LAYERS)}); may be repeated.", many=True, choices=LAYERS, metavar="LAYER"
)
NARROW = (
    CommandOption(
        ("--kind",),
        "Only this kind (pref, decision, fact, rule, todo, …); may be repeated.",
        many=True,
        offers="offer_kinds",
    ),
    CommandOption(
        ("--status",),
        "Only this status (active, superseded, archived, deleted, expired, candidate), or all.",
        many=True,
        choices=STATUSES,
        metavar="STATUS",
    ),
    CommandOption(("--since",), "Not older than this: 7d, 12h, yesterday, 2026-02-01.", metavar="WHEN"),
    CommandOption(("--until",), "Not newer than this; a day counts to its end.", metavar="WHEN"),
    CommandOption(("--path",), "Only files whose path in the home begins so, or matches with * and ?.", metavar="PATH"),
)


def build_filter(
    *,
    layer: tuple[str, ...] = (),
    kind: tuple[str, ...] = (),
    status: tuple[str, ...] = (),
    since: str | None = None,
    until: str | None = None,
    path: str | None = None,
) -> Filter:
    """The filter that the options mean. Raises UsageError for a time that is none, or an empty span."""
    begin = end = None
    if since or until:
        begin = parse_time(since) if since else None
        end = parse_time(until, end=True) if until else None
    if begin is not None and end is not None and begin >= end:
        raise UsageError(_("--since {since} is later than --until {until}.").format(since=since, until=until))
    if "all" in status:
        statuses: frozenset[Status] = frozenset()
    else:
        statuses = frozenset(map(Status, status)) or Filter().statuses
    return Filter(
        layers=frozenset(map(Layer, layer)),
        kinds=frozenset(word.lower() for word in kind),
        statuses=statuses,
        since=begin,
        until=end,
        path=path or "",
    )


WRITING_VERBS = ("add", "edit", "supersede", "archive", "restore", "merge", "move", "tag", "expire", "delete")
PROFILE_VERBS = ("add", "edit", "init")

OPTIONS = (
    CommandOption(("--section",), "The heading a new one goes under.", default="", metavar="NAME"),
    CommandOption(
        ("--project",),
        "The project that a new one is about, in homes that keep areas; default: the one worked in.",
        default="",
        metavar="NAME",
    ),
    CommandOption(("--layer",), "The layer of a new one: core, knowledge or journal.", choices=LAYERS, metavar="LAYER"),
    CommandOption(("--tag", "-t"), "A tag that it gets; may be repeated.", many=True, metavar="TAG"),
    CommandOption(("--untag",), "A tag that goes; may be repeated.", many=True, metavar="TAG"),
    CommandOption(
        ("--expires",),
        "Until when it holds: 30d, 2026-12-31, never; session (2 hours), short_term (3 days), long_term (30 days); "
        "default: by its kind, a lesson a week.",
        metavar="WHEN",
    ),
    CommandOption(("--confidence",), "How sure it is, 0 to 1.", "float", least=0, metavar="X"),
    CommandOption(("--evidence",), "What it rests on.", default="", metavar="TEXT"),
    CommandOption(("--text",), "What the one that is kept shall say; for merge.", default="", metavar="TEXT"),
    CommandOption(("--to-section",), "Move it under this heading.", default="", metavar="NAME"),
    CommandOption(("--to-file",), "Move it to this file of the home.", default="", metavar="PATH"),
    CommandOption(("--to-home",), "Move it to this home.", "dir", default="", metavar="PATH"),
    CommandOption(("--yes", "-y"), "Delete without a question.", "flag"),
    CommandOption(("--dry-run",), "Show what would be written; write nothing.", "flag"),
)

DRY_RUN = CommandOption(("--dry-run",), "Show what would be written; write nothing.", "flag")
