"""What a tool takes, read from its function: the JSON Schema that agents get, the command's help, and the check.

The first parameter of a tool is who calls; the others are agents' words. `Annotated[int, Of("…", most=50)]`
says what one is for and how far it goes; the docstring says what the tool is for.
"""

from __future__ import annotations

import json
import math
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.core.startup import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", tuple: "array"}

_HUMP = compile_pattern(r"(?<=[a-z0-9])(?=[A-Z])")
_YES = {"true": True, "yes": True, "1": True, "on": True, "false": False, "no": False, "0": False, "off": False}


class Of(NamedTuple):
    """What a parameter is for, and how far it goes."""

    doc: str
    """For agents: a source string, never translated."""
    least: float | None = None
    most: float | None = None
    """Of numbers, which are brought inside; of texts and their lists, the most characters, which are refused."""
    also: tuple[str, ...] = ()
    """Other names that it is known by."""
    prose: bool = False
    """A list of sentences: where it comes as one text, commas do not divide it."""


class Parameter(NamedTuple):
    """One parameter of a tool."""

    name: str
    """The function's own word for it."""
    told: str
    """The word that agents use: 'from' for `from_`."""
    type: str
    """string, integer, number, boolean or array (of strings)."""
    choices: tuple[str, ...]
    required: bool
    default: Any
    of: Of

    @property
    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        found: dict[str, Any] = {"type": self.type, "description": self.of.doc}
        if self.type == "array":
            found["items"] = {"type": "string"}
        if self.choices:
            found["enum"] = [choice for choice in self.choices if choice]
        if self.type in {"integer", "number"}:
            bounds = {"minimum": self.of.least, "maximum": self.of.most}
            found |= {name: value for name, value in bounds.items() if value is not None}
        elif self.type == "string" and self.of.most is not None:
            found["maxLength"] = int(self.of.most)
        if self.default not in (None, "", ()):
            found["default"] = self.default
        return found


@cache
def list_parameters(run: Callable[..., Any]) -> tuple[Parameter, ...]:
    """What a tool takes, in order, without who calls."""
    hints = get_type_hints(run, localns={"Caller": object}, include_extras=True)
    code = run.__code__
    names = code.co_varnames[1 : code.co_argcount]
    defaults = run.__defaults__ or ()
    missing = len(names) - len(defaults)
    return tuple(
        _make_parameter(name, hints[name], at < missing, None if at < missing else defaults[at - missing])
        for at, name in enumerate(names)
    )


def _make_parameter(name: str, hint: Any, required: bool, default: Any) -> Parameter:
    of = Of("")
    if get_origin(hint) is Annotated:
        hint, *told = get_args(hint)
        of = next(note for note in told if isinstance(note, Of))
    # `int | None`: nothing said is nothing given.
    options = [option for option in get_args(hint) if option is not type(None)]
    if type(None) in get_args(hint):
        (hint,) = options
    choices = tuple(map(str, get_args(hint))) if get_origin(hint) is Literal else ()
    kind = str if choices else get_origin(hint) or hint
    return Parameter(name, name.rstrip("_"), TYPES[kind], choices, required, default, of)


def build_json_schema(taken: Iterable[Parameter]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    among = list(taken)
    return {
        "type": "object",
        "properties": {one.told: one.schema for one in among},
        "required": [one.told for one in among if one.required],
        "additionalProperties": False,
    }


def read_description(run: Callable[..., Any]) -> str:
    """A tool's docstring, its lines joined into paragraphs."""
    paragraphs = (run.__doc__ or "").strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def check_arguments(taken: Iterable[Parameter], given: object) -> dict[str, Any]:
    """The keywords for a tool, of what an agent gave: either spelling of a name, numbers as texts too.

    Raises UsageError for what is unknown, missing or of another type.
    """
    among = list(taken)
    if not isinstance(given, dict):
        raise UsageError(_("The arguments are to be one JSON object."))
    known = {word: one for one in among for word in (one.told, *one.of.also)}
    found: dict[str, Any] = {}
    for key, value in given.items():
        one = known.get(convert_to_snake_case(str(key)))
        if one is None:
            raise UsageError(_explain_unknown(str(key), known))
        if value is None:
            continue
        read = _read(one, value)
        if found.get(one.name, read) != read:
            raise UsageError(_("'{name}' is given twice, with different values.").format(name=one.told))
        found[one.name] = read
    for one in among:
        if one.required and one.name not in found:
            raise UsageError(_("'{name}' is missing: {doc}").format(name=one.told, doc=one.of.doc))
    return found


def convert_to_snake_case(name: str) -> str:
    """A parameter's name in snake_case, however it is spelled: 'maxResults', 'max-results'."""
    return _HUMP.sub("_", name[:80]).replace("-", "_").lower().strip("_")


def suggest_word(word: str, among: Iterable[str]) -> str:
    """The question 'Did you mean …?' for a word that is none of these; empty where none is near."""
    near = get_close_matches(convert_to_snake_case(word), list(among), 1, 0.5)
    return _("Did you mean '{word}'?").format(word=near[0]) if near else ""


def _explain_unknown(key: str, known: Mapping[str, Parameter]) -> str:
    names = dict.fromkeys(one.told for one in known.values())
    told = _("There is no parameter '{name}'.").format(name=key[:80])
    return f"{told} {suggest_word(key, known) or _('There are: {names}.').format(names=', '.join(names))}"


def _read(one: Parameter, value: object) -> Any:
    if one.type == "array":
        return _list(one, value)
    if one.type == "string":
        return _convert_to_text(one, value)
    if one.type == "boolean":
        if isinstance(value, bool):
            return value
        read = _YES.get(str(value).strip().lower())
        if read is None:
            raise _make_wrong_error(one)
        return read
    return _number(one, value)


def _convert_to_text(one: Parameter, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise _make_wrong_error(one)
    text = str(value)
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise UsageError(_("'{name}' holds half a character: it is no text.").format(name=one.told))
    if one.choices:
        folded = text.strip().lower()
        fit = next((choice for choice in one.choices if choice.lower() == folded), None)
        if fit is None:
            told = _("'{name}' is one of {choices}.").format(
                name=one.told, choices=", ".join(filter(None, one.choices))
            )
            raise UsageError(f"{told} {suggest_word(text, one.choices)}".strip())
        return fit
    if one.of.most is not None and len(text) > one.of.most:
        raise UsageError(_("'{name}' is longer than {most:,} characters.").format(name=one.told, most=int(one.of.most)))
    if one.required and not text.strip():
        raise UsageError(_("'{name}' is empty: {doc}").format(name=one.told, doc=one.of.doc))
    return text


def _list(one: Parameter, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        value = _divide(value, one.of.prose)
    if not isinstance(value, (list, tuple)):
        raise _make_wrong_error(one)
    found = tuple(filter(None, (_convert_to_text(one, item).strip() for item in value)))
    if one.of.most is not None and sum(map(len, found)) > one.of.most:
        raise UsageError(_("'{name}' is longer than {most:,} characters.").format(name=one.told, most=int(one.of.most)))
    return found


def _divide(text: str, prose: bool) -> list[str]:
    """The items of a list that came as one text: JSON, lines, or with commas between them."""
    if text.lstrip()[:1] == "[":
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, list):
            return found
    return (_PROSE if prose else _WORDS).split(text)


_WORDS = compile_pattern(r"[\n;；,，、]")
_PROSE = compile_pattern(r"[\n;；]|(?<!\d),(?=\S)|(?<=\d),(?=[^\s\d])")
"""A comma with nothing behind it is between two items, as scripts are given them ('a,b'); one with a blank, or a
Chinese one, stands within a sentence."""


def _number(one: Parameter, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise _make_wrong_error(one)
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise _make_wrong_error(one) from None
    if not math.isfinite(number) or (one.type == "integer" and number != int(number)):
        raise _make_wrong_error(one)
    if one.of.least is not None:
        number = max(number, one.of.least)
    if one.of.most is not None:
        number = min(number, one.of.most)
    return int(number) if one.type == "integer" else number


def _make_wrong_error(one: Parameter) -> UsageError:
    kinds = {
        "string": _("a text"),
        "integer": _("a whole number"),
        "number": _("a number"),
        "boolean": _("true or false"),
        "array": _("a list of texts"),
    }
    return UsageError(_("'{name}' is to be {kind}.").format(name=one.told, kind=kinds[one.type]))
