"""Our entry in a file of MCP servers (`.mcp.json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.agents.install import json_text
from memtui.agents.install.events import server_program
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEY = "mcpServers"


def entry(program: Sequence[str]) -> dict[str, Any]:
    """How the server is started over stdio."""
    return {"command": program[0], "args": [*program[1:], "mcp"]}


def put(data: bytes | None, called: Sequence[str], name: str) -> bytes:
    """The file with our server in it. Raises RefusedError where another has its name, or it is no strict JSON."""
    wanted = entry(called)
    if data is None or not data.removeprefix(json_text.BOM).strip():
        return json_text.whole({_KEY: {"memtui": wanted}})
    text, said = json_text.decoded(data, name)
    servers = said.get(_KEY, {}) if isinstance(said, dict) else None
    there = servers.get("memtui") if isinstance(servers, dict) else None
    if not isinstance(servers, dict) or (there is not None and not server_program(there)):
        raise RefusedError(
            _("{path} has something else where the server memtui belongs, so it was left alone.").format(
                path=name
            )
        )
    if _KEY not in said:
        text = json_text.inserted(text, [], _KEY, {"memtui": wanted})
    elif there is None:
        text = json_text.inserted(text, [_KEY], "memtui", wanted)
    elif there | wanted == there:
        return data
    else:
        # A person may have added to it: what they did stays.
        text = json_text.replaced(text, [_KEY, "memtui"], there | wanted)
    return _bytes(data, text)


def take(data: bytes, name: str) -> bytes:
    """The file without our server."""
    if not program(data):
        return data
    text, said = json_text.decoded(data, name)
    return _bytes(data, json_text.removed(text, [_KEY] if len(said[_KEY]) == 1 else [_KEY, "memtui"]))


def program(data: bytes) -> tuple[str, ...]:
    """What our server in it is called by; empty: there is none."""
    try:
        _text, said = json_text.decoded(data, "")
    except RefusedError:
        return ()
    servers = said.get(_KEY) if isinstance(said, dict) else None
    return server_program(servers.get("memtui")) if isinstance(servers, dict) else ()


def _bytes(data: bytes, text: str) -> bytes:
    return (json_text.BOM if data.startswith(json_text.BOM) else b"") + text.encode()
