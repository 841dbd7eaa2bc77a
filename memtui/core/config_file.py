"""The config file: read as TOML, and one value changed in it with everything else left as it stands.

The line that holds the key is edited in place, or a line is added to its section; comments stay. Every edit is
checked before it is written: the new text, parsed, must say what the old text said and the new value, nothing
else.
"""

from __future__ import annotations

import os
import re
import secrets
import tomllib

from memtui.core.errors import RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern, make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST = 1024 * 1024
"""Bytes of a config file that are read."""

_HEADER = compile_pattern(r"\s*\[\s*(?:\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+))\s*\]\s*(?:#.*)?$")
_ANY_HEADER = compile_pattern(r"\s*\[")


def read(path: str, warnings: list[str]) -> dict[str, Any]:
    """What the file says, or nothing and a sentence in `warnings` where it cannot be read or is no TOML."""
    try:
        return _parse(_read_text(path))
    except OSError as error:
        reason = error.strerror or str(error)
        warnings.append(_("{path} cannot be read ({reason}); the defaults hold").format(path=path, reason=reason))
    except (ValueError, RecursionError) as error:
        warnings.append(_("{path} is not TOML ({error}); the defaults hold").format(path=path, error=error))
    return {}


def write(path: str, section: str, name: str, value: Any) -> None:
    """Set one key in the file, making it where there is none. A link is followed; mode and line ends are kept.

    Raises RefusedError where the file is no TOML or a comment would be lost, UnavailableError where it cannot be
    read or written.
    """
    target = os.path.realpath(path)
    try:
        text = _read_text(target)
    except FileNotFoundError:
        text = ""
    except (OSError, ValueError) as error:
        raise UnavailableError(_("{path} cannot be read: {error}").format(path=path, error=error)) from None
    try:
        changed = edit_setting(text, section, name, value)
        if changed is None and "#" not in text:
            import tomli_w

            changed = tomli_w.dumps(_set_value(text, section, name, value))
    except (ValueError, RecursionError) as error:
        raise RefusedError(
            _("{path} is not TOML ({error}); mend it first, nothing was written").format(path=path, error=error)
        ) from None
    if changed is None:
        raise RefusedError(
            _("setting {key} would lose comments in {path}; change it there by hand").format(
                key=f"{section}.{name}", path=path
            )
        )
    try:
        _replace(target, changed)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UnavailableError(_("{path} cannot be written: {reason}").format(path=path, reason=reason)) from None


def edit_setting(text: str, section: str, name: str, value: Any) -> str | None:
    """The text with one key set and all else as it was; None: that cannot be, or a comment would be lost.

    Raises ValueError or RecursionError where the text is no TOML.
    """
    wanted = _set_value(text, section, name, value)
    return next((new for new in _iterate_edits(text, section, name, value) if _is_same_setting(new, wanted)), None)


def _set_value(text: str, section: str, name: str, value: Any) -> dict[str, Any]:
    wanted = _parse(text)
    _put(wanted, section, name, value)
    return wanted


def _read_text(path: str) -> str:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(_("larger than a config file can be"))
    return data.decode("utf-8")


def _parse(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _put(values: dict[str, Any], section: str, name: str, value: Any) -> None:
    table = values.get(section)
    if not isinstance(table, dict):
        table = values[section] = {}
    if section == "keymap":
        _forget(table, name)
    table[name] = list(value) if isinstance(value, tuple) else value


def _forget(table: dict[str, Any], name: str) -> None:
    """Take the unquoted form of a keymap id ('item.edit', a table in TOML) out, so that one form says it."""
    head, dot, rest = name.partition(".")
    inner = table.get(head)
    if dot and isinstance(inner, dict):
        if rest in inner:
            del inner[rest]
        else:
            _forget(inner, rest)


def _flatten(values: Any, above: str = "") -> dict[str, Any]:
    """Tables as dotted names, so that the two ways to write a keymap's ids compare equal."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        flat |= _flatten(value, f"{above}{name}.") if isinstance(value, dict) else {above + name: value}
    return flat


def _is_same_setting(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return _flatten(_parse(text)) == _flatten(wanted)
    except (ValueError, RecursionError):
        return False


def _iterate_edits(text: str, section: str, name: str, value: Any) -> Iterator[str]:
    """Ways to write it, the gentlest first; the first that says the right thing is taken."""
    import tomli_w

    end = "\r\n" if "\r\n" in text else "\n"
    entry = tomli_w.dumps({name: list(value) if isinstance(value, tuple) else value}).strip().replace("\n", end)
    shown = entry.partition("=")[2].strip()
    lines = text.splitlines(keepends=True)
    yield from _edit_in_place(lines, section, name, shown)
    # At the end of its section, above the blank lines and comments that lead the next one.
    for start, stop in _iterate_ranges(lines, section):
        last = max((i for i in range(start, stop) if lines[i].strip()), default=start)
        for at in (last + 1, stop):
            before = "".join(lines[:at])
            yield before + ("" if before.endswith("\n") else end) + entry + end + "".join(lines[at:])
    gap = "" if not text or text.endswith("\n") else end
    yield f"{text}{gap}{end if text else ''}[{section}]{end}{entry}{end}"


def _edit_in_place(lines: list[str], section: str, name: str, shown: str) -> Iterator[str]:
    quoted = f"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')"
    inside = re.compile(rf"(\s*{quoted}\s*=\s*)(.*?)(\r?\n)?$", re.DOTALL)
    dotted = re.compile(rf"(\s*{re.escape(section)}\s*\.\s*{quoted}\s*=\s*)(.*?)(\r?\n)?$", re.DOTALL)
    places = [(i, inside) for start, stop in _iterate_ranges(lines, section) for i in range(start, stop)]
    places += [(i, dotted) for i in range(len(lines))]
    for index, form in places:
        found = form.match(lines[index])
        if found is None:
            continue
        yield from _replace_line_value(lines, index, found, shown)


def _replace_line_value(lines: list[str], index: int, found: re.Match[str], shown: str) -> Iterator[str]:
    """The line with its new value and its own comment; a value of several lines goes, unless one of them has one."""
    head, rest, end = found.group(1), found.group(2), found.group(3) or ""
    for mark in [match.start() for match in re.finditer(r"\s*#", rest)] + [len(rest)]:
        try:
            tomllib.loads(f"v = {rest[:mark]}")
        except (ValueError, RecursionError):
            continue
        yield "".join([*lines[:index], head, shown, rest[mark:], end, *lines[index + 1 :]])
        return
    whole = rest
    for stop in range(index + 1, min(len(lines), index + 200)):
        whole += "\n" + lines[stop]
        if "#" in whole:
            return
        try:
            tomllib.loads(f"v = {whole}")
        except (ValueError, RecursionError):
            continue
        yield "".join([*lines[:index], head, shown, end, *lines[stop + 1 :]])
        return


def _iterate_ranges(lines: list[str], section: str) -> Iterator[tuple[int, int]]:
    """The lines under '[section]': first, and behind the last. Long strings may fool it, `_is_same_setting` not."""
    start = -1
    for index, line in enumerate(lines):
        if not _ANY_HEADER.match(line):
            continue
        found = _HEADER.match(line)
        if start >= 0:
            yield start, index
            start = -1
        if found is not None and section in found.groups():
            start = index + 1
    if start >= 0:
        yield start, len(lines)


def _replace(path: str, text: str) -> None:
    folder = os.path.dirname(path)
    make_folders(folder)
    try:
        mode = os.stat(path).st_mode & 0o7777
    except FileNotFoundError:
        mode = 0o600
    temporary = os.path.join(folder, f".config-{secrets.token_hex(8)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
