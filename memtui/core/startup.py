"""Replacements for standard modules that are slow to import, for hooks and commands that start hundreds of times a day.

- `NamedTuple`, `Protocol`, `cast` and others without importing `typing`, which takes as long as a search of a
  small home; type checkers read them as typing's own.
- `pattern`: a regular expression that is compiled on first use.
- `make_folders`: `os.makedirs` whose every new directory is for this user alone, whatever the umask says.
- `sha256`, `sha1`, `md5`: digests of small inputs without loading OpenSSL, which large inputs use.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from importlib import import_module
from operator import itemgetter

__all__ = ["TYPE_CHECKING", "Any", "NamedTuple", "Protocol", "cast", "overload", "runtime_checkable"]

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any, AnyStr, NamedTuple, Protocol, cast, overload, runtime_checkable
else:
    Any = object

    def cast(kind: object, value: object) -> object:
        """The value."""
        return value

    def overload(function: object) -> object:
        """The function."""
        return function

    class _Method(type):
        def __instancecheck__(cls, one: object) -> bool:
            if Protocol not in cls.__bases__:
                return type.__instancecheck__(cls, one)
            return all(hasattr(one, name) for name in vars(cls) if not name.startswith("_"))

    class Protocol(metaclass=_Method):
        """What has certain methods."""

        __slots__ = ()

    def runtime_checkable(kind: type) -> type:
        """The protocol: `isinstance` asks for its methods."""
        return kind

    try:
        from _collections import _tuplegetter as _getter
    except ImportError:
        from operator import itemgetter

        def _getter(index: int, doc: str) -> property:
            return property(itemgetter(index), doc=doc)

    _new = tuple.__new__

    class _Record(tuple):
        """What all of them can do."""

        __slots__ = ()
        _fields: tuple[str, ...] = ()

        @classmethod
        def _make(cls, values: Any) -> Any:
            made = _new(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **given: Any) -> Any:
            made = self._make(map(given.pop, self._fields, self))
            if given:
                raise ValueError(f"Got unexpected field names: {list(given)!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            told = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({told})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)

    class _Maker(type):
        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body.pop(field) for field in fields if field in body}
            if fields[len(fields) - len(defaults) :] != tuple(defaults):
                raise TypeError(f"{name}: a field without a default follows one with a default")
            body.update((field, _getter(at, "")) for at, field in enumerate(fields))
            body.update(__slots__=(), __match_args__=fields, _fields=fields, _field_defaults=defaults)
            every = tuple(defaults.values())

            def new(cls: Any, /, *given: Any, **named: Any) -> Any:
                # A class of settings is made of its defaults alone, and once.
                if not (given or named) and len(every) == len(fields):
                    return _new(cls, every)
                return _maker(made)(cls, *given, **named)

            body["__new__"] = new
            made = type(name, (_Record,), body)
            return made

    def _maker(kind: Any) -> Any:
        """The `__new__` of such a class, compiled by its first use: many classes are never used."""
        named = ", ".join(kind._fields)
        source = f"lambda _cls, {named}: _new(_cls, ({named}{',' if named else ''}))"
        make = eval(source, {"_new": _new, "__builtins__": {}, "__name__": kind.__module__})
        make.__name__, make.__qualname__ = "__new__", f"{kind.__qualname__}.__new__"
        make.__defaults__ = tuple(kind._field_defaults.values())
        kind.__new__ = staticmethod(make)
        return make

    class _Base:
        """What stands for `NamedTuple` among the bases of a class."""

        def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
            return (_BASE,)

    _BASE = type.__new__(_Maker, "NamedTuple", (), {})
    NamedTuple = _Base()


_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


class _Uncompiled:
    """What stands for a pattern; once compiled, its methods are the pattern's own."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def compile_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern as `re.compile` makes it, made by its first use, where re.error comes too: give it constants."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(source, flags))


_LEFT = [256 * 1024]
"""Bytes that are still digested the small way."""
_SMALL = {"md5": "_md5", "sha1": "_sha1", "sha256": "_sha2" if sys.version_info >= (3, 12) else "_sha256"}


def sha256(data: bytes) -> str:
    """The SHA-256 of the data, in hexadecimal."""
    _LEFT[0] -= len(data)
    return _digest("sha256", _LEFT[0] > 0, data)


def sha1(data: bytes) -> str:
    """The SHA-1 of a few bytes, in hexadecimal: a name for them, no protection."""
    return _digest("sha1", True, data)


def md5(data: bytes) -> str:
    """The MD5 of a few bytes, in hexadecimal: what others call things by."""
    return _digest("md5", True, data)


def _digest(name: str, small: bool, data: bytes) -> str:
    found: str = _function(name, small)(data, usedforsecurity=False).hexdigest()
    return found


@cache
def _function(name: str, small: bool) -> Any:
    if small:
        try:
            return getattr(import_module(_SMALL[name]), name)
        except ImportError:
            # Not every interpreter is built with it.
            pass
    return getattr(import_module("hashlib"), name)


def make_folders(folder: str | os.PathLike[str]) -> None:
    """Make a directory and what lacks above it, for this user alone: `os.makedirs` leaves those above to the umask.

    Raises OSError. One that exists stays as it is.
    """
    try:
        os.mkdir(folder, 0o700)
    except FileNotFoundError:
        above = os.path.dirname(os.path.abspath(folder))
        if above == os.path.abspath(folder):
            raise
        # Another process may be making the same: what is there by now is no error.
        make_folders(above)
        if not os.path.isdir(folder):
            try:
                os.mkdir(folder, 0o700)
            except FileExistsError:
                if not os.path.isdir(folder):
                    raise
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
