"""Finished analyses as JSON, and back: a closed set of value types, nothing that could run code.

A value is a JSON scalar or a list that begins with a tag: '' a tuple, 'l' a list, 's' a frozenset, 'd' a dict, 'r' one
of the shared values, else the name of a class in `TYPES` followed by its fields. Sessions and memories are named by
many rows and written once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from memtui.config import Config
from memtui.curation.candidates import Candidate, Finding, Near, Refused, Source
from memtui.digest import sha256
from memtui.edits import Draft, Target
from memtui.evolution.effect import Effect
from memtui.evolution.events import Heard, Outcome, Signal
from memtui.evolution.gates import Gate
from memtui.evolution.overview import Overview
from memtui.evolution.past import Told
from memtui.evolution.patterns import Pattern, Streak
from memtui.evolution.shifts import Shift
from memtui.model import Home, Layer, Level, Memory, Status

if TYPE_CHECKING:
    from collections.abc import Callable

_VALUES: tuple[type[Any], ...] = (
    Candidate, Near, Refused, Source, Finding, Told, Draft, Target, Effect, Heard, Outcome, Signal, Gate, Overview,
    Pattern, Streak, Shift, Home, Config, *{type(part): None for part in Config() if hasattr(part, "_fields")},
)  # fmt: skip
_ENUMS: tuple[type[Enum], ...] = (Layer, Level, Status)
_FIELDS = tuple(name for kind in Memory.__mro__[-2::-1] for name in getattr(kind, "__slots__", ()))
_TYPES: dict[str, type[Any]] = {kind.__name__: kind for kind in _VALUES}
_SHARED = (Heard, Memory)

FINGERPRINT = sha256(
    repr([(kind.__name__, kind._fields) for kind in _VALUES] + [("Memory", _FIELDS)]).encode()
)[:16]
"""Of the types as they are in this version: what another version wrote is worked out anew."""


def encode(value: object) -> bytes:
    """A value made of `TYPES`, tuples, lists, dicts, frozensets and scalars. Raises TypeError for any other type."""
    shared: dict[int, int] = {}
    table: list[Any] = []

    def walk(one: Any) -> Any:
        if one is None or type(one) in {str, int, float, bool}:
            return one
        kind = type(one)
        if kind in _SHARED:
            known = shared.get(id(one))
            if known is None:
                made = _fields(one)
                known = shared[id(one)] = len(table)
                table.append(made)
            return ["r", known]
        if kind is tuple:
            return ["", *map(walk, one)]
        if kind.__name__ in _TYPES and isinstance(one, tuple):
            return [kind.__name__, *map(walk, one)]
        if kind is list:
            return ["l", *map(walk, one)]
        if kind is frozenset:
            return ["s", *map(walk, sorted(one, key=repr))]
        if isinstance(one, Mapping):
            return ["d", *(walk(part) for pair in one.items() for part in pair)]
        if isinstance(one, Enum):
            return [kind.__name__, one.value]
        if isinstance(one, PurePath):
            return ["Path", str(one)]
        raise TypeError(f"{kind.__name__} is no value of an analysis")

    def _fields(one: Any) -> list[Any]:
        if isinstance(one, Memory):
            every = one.fields() | {"extra": _plain(one.extra)}
            return ["Memory", *(walk(every[name]) for name in _FIELDS)]
        return [type(one).__name__, *map(walk, one)]

    root = walk(value)
    return json.dumps([table, root], separators=(",", ":")).encode("ascii")


def _plain(extra: Any) -> dict[str, Any]:
    """Keys that JSON holds as they are; what a home's own format had besides is read from the home when wanted."""
    return {
        name: value
        for name, value in extra.items()
        if isinstance(name, str) and (value is None or isinstance(value, str | int | float | bool))
    }


def decode(data: bytes) -> Any:
    """What was encoded. Raises ValueError for anything else."""
    try:
        table, root = json.loads(data)
        shared: list[Any] = []
        walk = _walker(shared)
        # What is shared may name what was shared before it.
        for one in table:
            shared += [walk(one)]
        return walk(root)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise ValueError(f"not an analysis: {error}") from error


def _walker(shared: list[Any]) -> Callable[[Any], Any]:
    makers: dict[str, Callable[[list[Any]], Any]] = {
        "": tuple,
        "l": list,
        "s": frozenset,
        "d": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
        "r": lambda parts: shared[parts[0]],
        "Path": lambda parts: Path(*parts),
        "Memory": lambda parts: _memory(dict(zip(_FIELDS, parts, strict=True))),
    }
    makers |= {kind.__name__: lambda parts, kind=kind: kind(*parts) for kind in _ENUMS}  # type: ignore[misc]
    makers |= {name: lambda parts, kind=kind: kind._make(parts) for name, kind in _TYPES.items()}  # type: ignore[misc]

    def walk(one: Any) -> Any:
        if type(one) is not list:
            return one
        return makers[one[0]]([walk(part) for part in one[1:]])

    return walk


def _memory(fields: dict[str, Any]) -> Memory:
    return Memory(**fields)
