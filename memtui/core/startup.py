"""Replacements for standard modules that are slow to import, for hooks and commands that start hundreds of times a day.

- `NamedTuple`, `Protocol`, `cast` and others without importing `typing`, which takes as long as a search of a
  small home; type checkers read them as typing's own.
- `compile_pattern`: a regular expression that is compiled on first use, once for all processes.
- `make_folders`: `os.makedirs` whose every new directory is for this user alone, whatever the umask says.
- `load_lean_modules`: pathlib and datetime without the modules that they load and hardly ever need.
- `sha256`, `sha1`, `md5`, `blake2b`: digests of small inputs without loading OpenSSL, which large inputs use.
"""

from __future__ import annotations

import atexit
import marshal
import os
import re
import sys
from array import array
from contextlib import suppress
from functools import cache
from importlib import import_module
from operator import itemgetter
from zlib import crc32

__all__ = ["TYPE_CHECKING", "Any", "NamedTuple", "Protocol", "cast", "overload", "runtime_checkable"]

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
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


def load_lean_modules() -> None:
    """Load `pathlib` and `datetime` without what nobody here asks them for; for the first thing that a process does.

    Those of Python 3.11 and 3.12 load urllib.parse and ipaddress for `Path.as_uri` alone, and all of datetime in Python
    only to put what is written in C in its place.
    """
    if sys.version_info >= (3, 13) or not {"pathlib", "urllib.parse", "datetime"}.isdisjoint(sys.modules):
        return
    spare = type(sys)("urllib.parse")
    spare.__dict__["quote_from_bytes"] = lambda data: import_module("urllib.parse").quote_from_bytes(data)
    sys.modules["urllib.parse"] = spare
    try:
        import_module("pathlib")
    finally:
        del sys.modules["urllib.parse"]
    if sys.version_info < (3, 12):
        with suppress(ImportError):
            written = vars(import_module("_datetime"))
            spec = import_module("_frozen_importlib_external").PathFinder.find_spec("datetime")
            made = import_module("_frozen_importlib").module_from_spec(spec)
            made.__dict__.update((name, one) for name, one in written.items() if not name.startswith("__"))
            sys.modules["datetime"] = made


_DEBUG = 128
"""The flag with which `re` prints what it compiles."""
_MOST = 4096
"""Patterns that are kept: those of old releases go with the first one beyond."""
_Places = tuple[int, dict[int, tuple[int, int, int]]]
_NOTHING: _Places = (0, {})


class _CompiledPatterns:
    """What patterns were compiled to, in a file beside this module's own compiled code and as trusted as that.

    `re` compiles in Python, a millisecond for each: a fifth of an app's start. The code that it ends with is checked by
    the interpreter and made a pattern in ten microseconds. Where anything is not as expected `re.compile` does it.

    The file: how long its head is and the head's checksum, four bytes each; the head, which says for which interpreter
    it is and by each pattern's number where its record begins behind the head, its bytes and their checksum; the
    records: the pattern, its flags, what else the interpreter wants to know, and the code. Each process reads the head
    whole and of the records a few.
    """

    def __init__(self, file: str | None) -> None:
        """`file`: None to keep nothing."""
        self._file = file if sys.implementation.name == "cpython" else None
        self._places: _Places | None = None
        """Where the records begin in the file, and its head's places."""
        self._new: dict[int, bytes] = {}

    def compile(self, source: str | bytes, flags: int) -> Any:
        """As `re.compile`, whose errors it raises."""
        if self._file is None:
            return re.compile(source, flags)
        try:
            return self._recall(source, int(flags)) or self._make(source, int(flags))
        except re.error:
            raise
        except Exception:  # private parts of the interpreter: in another release they may be anything
            self._file = None
            return re.compile(source, flags)

    def compile_other(self, source: Any, flags: int, make: Callable[[Any, int], Any]) -> Any:
        """What other modules than ours compile, by `make` where it is not known.

        Only what is compiled while a module is imported is kept: that is the same in every process, and nobody's words.
        """
        found = None
        if self._file is not None and type(source) in {str, bytes} and not flags & _DEBUG:
            # Whatever is wrong with it is for `make` to say.
            with suppress(Exception):
                found = self._recall(source, flags)
                if found is None and _is_importing():
                    found = self._make(source, flags)
        return make(source, flags) if found is None else found

    def _recall(self, source: str | bytes, flags: int) -> Any:
        base, places = self._list_places()
        place = places.get(_number(source, flags))
        if place is None or self._file is None:
            return None
        start, size, check = place
        with open(self._file, "rb", buffering=0) as file:
            file.seek(base + start)
            record = file.read(size)
        # Another process may have written it anew since its places were read.
        if crc32(record) != check:
            return None
        *known, told, code = marshal.loads(record)
        return _revive(source, told, code) if known == [source, flags] else None

    def _make(self, source: str | bytes, flags: int) -> Any:
        parsed = import_module("re._parser").parse(source, flags)
        code = array("I", import_module("re._compiler")._code(parsed, flags)).tobytes()
        groups = dict(parsed.state.groupdict)
        names = {number: name for name, number in groups.items()}
        told = (
            int(flags | parsed.state.flags),
            parsed.state.groups - 1,
            groups,
            tuple(map(names.get, range(parsed.state.groups))),
        )
        if not self._new:
            atexit.register(self.keep)
        self._new[_number(source, flags)] = marshal.dumps((source, flags, told, code))
        return _revive(source, told, code)

    def _list_places(self) -> _Places:
        if self._places is None:
            self._places = _NOTHING
            with suppress(OSError, ValueError, EOFError, TypeError), open(self._file or "", "rb") as file:
                size, check = int.from_bytes(file.read(4), "big"), int.from_bytes(file.read(4), "big")
                head = file.read(size)
                release, places = marshal.loads(head) if crc32(head) == check else (None, {})
                if release == _name_interpreter():
                    self._places = 8 + size, places
        return self._places

    def keep(self) -> None:
        """Write what this process had to compile itself: at its end, and when a long one has begun."""
        new, self._new = self._new, {}
        if not new or self._file is None or sys.dont_write_bytecode:
            return
        # Other processes have added theirs.
        self._places = None
        base, old = self._list_places()
        if len(old) + len(new) > _MOST:
            old = {}
        # What cannot be kept costs a millisecond each, as before.
        with suppress(OSError, ValueError):
            records: dict[int, bytes] = {}
            if old:
                with open(self._file, "rb") as file:
                    file.seek(base)
                    data = file.read()
                for number, (start, size, check) in old.items():
                    record = data[start : start + size]
                    if crc32(record) == check:
                        records[number] = record
            records |= new
            places: dict[int, tuple[int, int, int]] = {}
            end = 0
            for number, record in records.items():
                places[number] = end, len(record), crc32(record)
                end += len(record)
            head = marshal.dumps((_name_interpreter(), places))
            beside = f"{self._file}.{os.getpid()}"
            with open(beside, "wb") as file:
                file.write(len(head).to_bytes(4, "big") + crc32(head).to_bytes(4, "big") + head)
                file.write(b"".join(records.values()))
            os.replace(beside, self._file)


def _is_importing() -> bool:
    """Whether the caller runs because a module is being imported, and not the program itself."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__"


def _number(source: str | bytes, flags: int) -> int:
    """What a pattern is kept under; its record says whether it is that one."""
    data = source if isinstance(source, bytes) else source.encode("utf-8", "surrogatepass")
    return crc32(data, flags) << 32 | len(data) << 1 | isinstance(source, bytes)


def _name_interpreter() -> tuple[str, int]:
    return f"2 {sys.version}", import_module("_sre").MAGIC


def _revive(source: str | bytes, told: tuple[Any, ...], code: bytes) -> Any:
    flags, groups, names, numbers = told
    return import_module("_sre").compile(source, flags, array("I", code).tolist(), groups, names, numbers)


_BESIDE = __spec__.cached
_COMPILED = _CompiledPatterns(_BESIDE.removesuffix(".pyc") + ".patterns" if _BESIDE else None)


def keep_patterns() -> None:
    """Keep what this process compiled, for those that start later: one that may be killed does not wait for its end."""
    _COMPILED.keep()


def keep_others_patterns() -> None:
    """From now on, keep also what other modules compile with `re` while they are imported, as `compile_pattern` does:
    those of Textual take a twelfth of its import, those of json half of it."""
    with suppress(ImportError, AttributeError):
        compiler: Any = import_module("re._compiler")
        make = compiler.compile
        compiler.compile = lambda source, flags=0: _COMPILED.compile_other(source, flags, make)


_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


class _Uncompiled:
    """What stands for a pattern; once compiled, its methods are the pattern's own."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = _COMPILED.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def compile_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern as `re.compile` makes it, made by its first use, where re.error comes too: give it constants."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(source, flags))


_LEFT = [768 * 1024]
"""Bytes that are still digested the small way: OpenSSL takes as long to load as that many to digest."""
_SMALL = {
    "blake2b": "_blake2",
    "md5": "_md5",
    "sha1": "_sha1",
    "sha256": "_sha2" if sys.version_info >= (3, 12) else "_sha256",
}


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


def blake2b(data: bytes, size: int) -> str:
    """The BLAKE2b of a few bytes, so many bytes long, in hexadecimal."""
    found: str = _load_digest("blake2b", True)(data, digest_size=size).hexdigest()
    return found


def _digest(name: str, small: bool, data: bytes) -> str:
    found: str = _load_digest(name, small)(data, usedforsecurity=False).hexdigest()
    return found


@cache
def _load_digest(name: str, small: bool) -> Any:
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
