"""Codex's config.toml changed as text: its switch for hooks, and our MCP server.

A person's comments and order stay; every change is proved by reading the result, and refused where it cannot be made
that gently.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

from memtui import config_file
from memtui.agents.install.events import server_program
from memtui.agents.install.server import entry
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_HEADER = re.compile(r"\s*\[")
_SERVER = re.compile(r"\s*\[\s*mcp_servers\s*\.\s*[\"']?memtui[\"']?\s*\]\s*(?:#.*)?$")
_BOM = "\ufeff"


def changed(data: bytes | None, name: str, change: Callable[[str], str]) -> bytes:
    """The file after a change of its text. Raises RefusedError where it is no TOML, or cannot be changed gently."""
    try:
        text = (data or b"").decode("utf-8")
        tomllib.loads(text.removeprefix(_BOM))
    except (ValueError, RecursionError) as error:
        raise RefusedError(
            _("{path} is not TOML ({error}), so it was left alone.").format(path=name, error=error)
        ) from None
    try:
        return ((_BOM if text.startswith(_BOM) else "") + change(text.removeprefix(_BOM))).encode()
    except RefusedError as error:
        raise RefusedError(f"{name}: {error}") from None


def hooks_on(text: str) -> str:
    """With `[features] hooks = true`."""
    features = tomllib.loads(text).get("features")
    if isinstance(features, dict) and features.get("hooks") is True:
        return text
    gently = config_file.edited(text, "features", "hooks", True)
    if gently is not None:
        return gently
    # Where the table is written as dotted keys it takes no header.
    wanted = tomllib.loads(text)
    wanted["features"] = dict(features or {}) | {"hooks": True}
    return proved(with_line(text, "features.hooks = true"), wanted)


def with_server(text: str, program: Sequence[str]) -> str:
    """With our MCP server. Raises RefusedError where another has its name."""
    servers = tomllib.loads(text).get("mcp_servers", {})
    there = servers.get("memtui") if isinstance(servers, dict) else None
    wanted = entry(program)
    if there is None:
        import tomli_w

        end = "\r\n" if "\r\n" in text else "\n"
        block = tomli_w.dumps({"mcp_servers": {"memtui": wanted}}).replace("\n", end)
        gap = "" if not text else end if text.endswith("\n") else end * 2
        return proved(f"{text}{gap}{block}", _put(text, wanted))
    if not server_program(there):
        raise RefusedError(_("another MCP server is called memtui there"))
    if there | wanted == there:
        return text
    left = without_server(text)
    if left == text:
        raise RefusedError(
            _("its MCP server memtui was made more of, and calls another memtui; do it by hand")
        )
    return with_server(left, program)


def without_server(text: str) -> str:
    """Without our MCP server; as it is where a person made more of it."""
    values = tomllib.loads(text)
    servers = values.get("mcp_servers")
    there = servers.get("memtui") if isinstance(servers, dict) else None
    if not server_program(there) or set(there or ()) - {"command", "args"}:
        return text
    lines = text.splitlines(keepends=True)
    start = next((index for index, line in enumerate(lines) if _SERVER.match(line)), None)
    if start is None:
        return text
    stop = next((index for index in range(start + 1, len(lines)) if _HEADER.match(lines[index])), len(lines))
    # What leads the next table is its own.
    while stop < len(lines) and lines[stop - 1].lstrip().startswith("#"):
        stop -= 1
    head = "".join(lines[:start])
    if stop == len(lines) and head.endswith(("\n\n", "\r\n\r\n")):
        head = head.removesuffix("\n").removesuffix("\r")
    return proved(head + "".join(lines[stop:]), _put(text, None))


def server(data: bytes) -> tuple[str, ...]:
    """What our MCP server is called by; empty: there is none."""
    servers = said(data).get("mcp_servers")
    return server_program(servers.get("memtui")) if isinstance(servers, dict) else ()


def said(data: bytes) -> dict[str, Any]:
    """What the file says; nothing where it cannot be read."""
    try:
        return tomllib.loads(data.decode("utf-8").removeprefix(_BOM))
    except (ValueError, RecursionError):
        return {}


def _put(text: str, server: dict[str, Any] | None) -> dict[str, Any]:
    values = tomllib.loads(text)
    servers = values.setdefault("mcp_servers", {})
    if server is not None:
        servers["memtui"] = server
    else:
        del servers["memtui"]
        if not servers:
            del values["mcp_servers"]
    return values


def proved(text: str, wanted: dict[str, Any]) -> str:
    """The text, if it says what it should. Raises RefusedError."""
    try:
        values = tomllib.loads(text)
    except ValueError:
        values = {}
    # An empty table that stays behind says nothing.
    before, after = ({key: value for key, value in one.items() if value != {}} for one in (wanted, values))
    if before != after:
        raise RefusedError(_("that cannot be changed as it is written; do it by hand, see `--print`"))
    return text


def with_line(text: str, line: str) -> str:
    """The text with one line more among its keys of no table."""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    keys = [
        index
        for index in range(top(lines))
        if lines[index].strip() and not lines[index].lstrip().startswith("#")
    ]
    at = keys[-1] + 1 if keys else 0
    before = "".join(lines[:at])
    gap = "" if not before or before.endswith("\n") else end
    return f"{before}{gap}{line}{end}{''.join(lines[at:])}"


def top(lines: Sequence[str]) -> int:
    """How many lines stand above the first table."""
    return next((index for index, line in enumerate(lines) if _HEADER.match(line)), len(lines))
