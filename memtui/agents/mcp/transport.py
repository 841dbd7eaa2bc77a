"""The MCP server's transports: standard input and output, or streamable HTTP on a loopback address.

- `ClientInput`: the SDK ends a conversation with its input and drops unanswered requests, so the input ends
  only when all are answered.
- `serve_pipes`: nothing but the protocol ever reaches standard output.
- `serve`: HTTP for several clients, and for other machines through a proxy. A token is required, and only
  requests that name this very address are let in, so that no web page can reach it by DNS rebinding.
"""

from __future__ import annotations

import hmac
import io
import logging
import os
import re
import secrets
import signal
import socket
import stat
import sys
from hashlib import sha256
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple
from urllib.parse import urlsplit

import anyio
from mcp import types

from memtui.agents.mcp.server import Service
from memtui.core.errors import RefusedError, UnavailableError, UsageError
from memtui.core.locale import _
from memtui.fs.places import make_private_directory, state

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable
    from pathlib import Path

    from starlette.types import ASGIApp, Receive, Scope, Send

    from memtui.agents.mcp.server import OpenProjects

PATIENCE = 60.0
"""Seconds that answers may take once nothing more is asked: a flush may ask a model."""


class PendingRequests:
    """What one client is waiting for."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId] = set()
        self._none = anyio.Event()

    def asked(self, line: str) -> None:
        """A line of the client's. What is no message, or calls a request off, waits for nothing."""
        message = _message(line)
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settled((message.params or {}).get("requestId"))

    def answered(self, line: str) -> None:
        """A line of ours."""
        message = _message(line)
        if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._settled(message.id)

    async def over(self) -> None:
        """Come back when nothing is waited for, or has been for too long."""
        with anyio.move_on_after(PATIENCE):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()

    def _settled(self, id: object) -> None:
        self._ids = {one for one in self._ids if one != id}
        if not self._ids:
            self._none.set()


class ClientInput:
    """The client's lines, which end when it has been answered."""

    def __init__(self, file: anyio.AsyncFile[str], waiting: PendingRequests) -> None:
        self._file, self._waiting = file, waiting

    async def __aiter__(self) -> AsyncIterator[str]:
        """Line by line."""
        async for line in self._file:
            self._waiting.asked(line)
            yield line
        await self._waiting.over()


class Answered:
    """Where our lines go."""

    def __init__(self, file: anyio.AsyncFile[str], waiting: PendingRequests) -> None:
        self._file, self._waiting = file, waiting

    async def write(self, line: str) -> None:
        """One line."""
        await self._file.write(line)
        self._waiting.answered(line)

    async def flush(self) -> None:
        """Have it go."""
        await self._file.flush()


def _message(line: str) -> types.JSONRPCMessage | None:
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return None


class Wire(NamedTuple):
    """What the protocol is spoken over."""

    given: BinaryIO
    answered: BinaryIO


def claim_streams() -> Wire:
    """Take standard input and output for the protocol alone; whatever else is printed goes to standard error.

    Before anything heavy is imported: a library that prints, a child that reads, neither gets at the wire.
    """
    given, answered = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    # A thread that waits for input does not hear of it; what was being written the next start finishes.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return Wire(os.fdopen(given, "rb"), os.fdopen(answered, "wb"))


def serve_pipes(projects: OpenProjects, wire: Wire) -> None:
    """Serve one client until it closes its end, or dies."""
    import anyio

    anyio.run(_serve, projects, wire)


async def _serve(projects: OpenProjects, wire: Wire) -> None:
    from typing import cast

    import anyio
    from mcp.server.stdio import stdio_server

    server = Service(projects, local=True).server()
    waiting = PendingRequests()
    given = ClientInput(anyio.wrap_file(io.TextIOWrapper(wire.given, "utf-8", errors="replace")), waiting)
    answered = Answered(anyio.wrap_file(io.TextIOWrapper(wire.answered, "utf-8", newline="\n")), waiting)
    # The SDK reads lines of the one and writes lines to the other, and asks nothing else of them.
    async with stdio_server(cast("Any", given), cast("Any", answered)) as (read, write):
        await server.run(read, write, server.create_initialization_options())


PORT = 8377
LARGEST = 1024 * 1024
"""Bytes of one request."""
SESSIONS = 256
"""Clients at the same time."""

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_SHORTEST = 16
_HOST = re.compile(r"(?!-)[a-z0-9._-]{1,253}|[0-9a-f:]{2,45}")


def read_token(file: Path | None = None) -> tuple[str, Path]:
    """The token that clients must show, and the file it is in: made, for this user only, where there is none.

    Raises RefusedError for a file that others can read, UnavailableError.
    """
    place = file or state() / "mcp" / "token"
    try:
        if file is None:
            make_private_directory(place.parent)
        if os.path.lexists(place):
            return _read(place), place
        made = secrets.token_urlsafe(32)
        part = place.with_name(f"{place.name}.{secrets.token_hex(4)}")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as opened:
                opened.write(made + "\n")
            # Whole or not at all: another server that starts at the same time takes the one that is there first.
            os.link(part, place)
        except FileExistsError:
            return _read(place), place
        finally:
            os.unlink(part)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UnavailableError(
            _("The token cannot be kept in {place}: {reason}.").format(place=place, reason=reason.lower())
        ) from None
    return made, place


def _read(place: Path) -> str:
    descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as opened:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise RefusedError(_("{place} is no regular file.").format(place=place))
        if os.name != "nt" and status.st_mode & 0o077:
            raise RefusedError(
                _("Others can read {place}: chmod 600 it, or remove it for a new token.").format(place=place)
            )
        found = opened.read(4096).decode("utf-8", "replace").strip()
    if len(found) < _SHORTEST or not found.isascii() or not found.isprintable():
        raise RefusedError(
            _("{place} holds no token: at least {count} letters and digits.").format(
                place=place, count=_SHORTEST
            )
        )
    return found


def bound(host: str, port: int) -> socket.socket:
    """A socket at this address. Raises UsageError for one that is not loopback or none, UnavailableError: in use."""
    if host not in _LOOPBACK:
        raise UsageError(
            _("{host} is not loopback: serve 127.0.0.1, and let a proxy of yours in front.").format(host=host)
        )
    if port > 65535:
        raise UsageError(_("{port} is no port: they end at 65535.").format(port=port))
    family = socket.AF_INET6 if host == "::1" else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise UnavailableError(
            _("{host}:{port} cannot be served: {reason}.").format(
                host=host, port=port, reason=(error.strerror or str(error)).lower()
            )
        ) from None
    return found


class _Sentences(logging.Formatter):
    """What libraries have to say, without their tracebacks."""

    def formatException(self, ei: object) -> str:  # noqa: N802
        """Nothing."""
        return ""


class Guard:
    """In front of everything: who means another host, comes from a page elsewhere, or has no token, gets no further."""

    def __init__(self, app: ASGIApp, token: str, hosts: Iterable[str] = ()) -> None:
        """`hosts`: names besides loopback's by which a proxy of the person's own is asked for this server."""
        self._app = app
        self._token = sha256(token.encode()).digest()
        self._hosts = _LOOPBACK.union(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it through, or answer 403 or 401."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value.decode("latin-1"))
        status = self._refused(headers)
        if not status:
            await self._app(scope, receive, send)
            return
        more = [(b"www-authenticate", b'Bearer realm="memtui"')] if status == 401 else []
        kind = (b"content-type", b"text/plain; charset=utf-8")
        await send({"type": "http.response.start", "status": status, "headers": [kind, *more]})
        body = b"a bearer token is needed\n" if status == 401 else b"not from there\n"
        await send({"type": "http.response.body", "body": body})

    def _refused(self, headers: dict[bytes, list[str]]) -> int:
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or _name(f"//{hosts[0]}") not in self._hosts:
            return 403
        if any(_name(origin) not in self._hosts for origin in origins):
            return 403
        shown = headers.get(b"authorization", [])
        scheme, _space, value = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
        digest = sha256(value.strip().encode("latin-1")).digest()
        return 0 if scheme.lower() == "bearer" and hmac.compare_digest(digest, self._token) else 401


def _name(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def check_host(value: str) -> str:
    """A host's name as requests have it. Raises UsageError for what is none: a URL, a port, a pattern."""
    found = value.strip().strip("[]").rstrip(".").lower()
    if not _HOST.fullmatch(found):
        raise UsageError(
            _("{host!r} is no name of a host: like memory.example.org, without a port.").format(
                host=value[:80]
            )
        )
    return found


def serve(
    projects: OpenProjects,
    at: socket.socket,
    token: str,
    ready: Callable[[str], None],
    hosts: Iterable[str] = (),
) -> None:
    """Serve until it is told to stop; `ready` gets the address, `hosts` are those that a proxy is known by."""
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    if os.environ.get("MEMTUI_DEBUG", "").strip() in {"", "0"}:
        # A client that is cut off when the server ends is a line for uvicorn's log, not a traceback.
        said = logging.StreamHandler()
        said.setFormatter(_Sentences())
        logging.basicConfig(level=logging.WARNING, handlers=[said])
    # What the guard lets in needs no second look at its headers.
    settings = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app: Any = (
        Service(projects, local=False)
        .server()
        .streamable_http_app(
            transport_security=settings, max_request_body_size=LARGEST, max_sessions=SESSIONS
        )
    )
    config = uvicorn.Config(
        Guard(app, token, hosts),
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=3,
    )
    address, port = at.getsockname()[:2]
    at.listen(128)
    ready(f"http://{f'[{address}]' if ':' in address else address}:{port}/mcp")
    uvicorn.Server(config).run(sockets=[at])
