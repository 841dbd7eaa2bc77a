"""The MCP server's transports: standard input and output, or streamable HTTP on a loopback address.

- `ClientInput`: the SDK ends a conversation with its input and drops unanswered requests, so the input ends
  only when all are answered.
- `serve_pipes`: nothing but the protocol ever reaches standard output.
- `serve`: HTTP for several clients, and for other machines through a proxy (spec 001 §9). A token is required, and
  only requests that name this very address are let in, so that no web page can reach it by DNS rebinding. Clients
  have limits, and connections that send no request are closed.
"""

from __future__ import annotations

import io
import json
import logging
import os
import secrets
import signal
import socket
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast
from urllib.parse import urlsplit

import anyio
import uvicorn
from mcp import types
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from memtui.agents.mcp.open_projects import TOKEN
from memtui.agents.mcp.plain_door import PlainDoor, forget_answers, respond
from memtui.agents.mcp.server import Service
from memtui.core.errors import RefusedError, UnavailableError, UsageError
from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.fs.places import make_private_directory, read_private_file, state

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable
    from pathlib import Path

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from memtui.agents.mcp.open_projects import AccessToken, OpenProjects, TokenBook

PATIENCE = 60.0
"""Seconds that answers may take once nothing more is asked: a flush may ask a model."""


class PendingRequests:
    """What one client is waiting for."""

    def __init__(self) -> None:
        self._ids: set[types.RequestId] = set()
        self._none = anyio.Event()

    def asked(self, line: str) -> None:
        """A line of the client's. What is no message, or calls a request off, waits for nothing."""
        message = _parse_message(line)
        if isinstance(message, types.JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def answered(self, line: str) -> None:
        """A line of ours."""
        message = _parse_message(line)
        if isinstance(message, (types.JSONRPCResponse, types.JSONRPCError)):
            self._settle(message.id)

    async def over(self) -> None:
        """Come back when nothing is waited for, or has been for too long."""
        with anyio.move_on_after(PATIENCE):
            while self._ids:
                self._none = anyio.Event()
                await self._none.wait()

    def _settle(self, id: object) -> None:
        self._ids = {one for one in self._ids if one != id}
        if not self._ids:
            self._none.set()


class ClientInput:
    """The client's lines, which end when it has been answered."""

    def __init__(self, file: anyio.AsyncFile[str], waiting: PendingRequests) -> None:
        self._file, self._waiting = file, waiting

    async def __aiter__(self) -> AsyncIterator[str]:
        """Line by line."""
        async for said in self._file:
            line = mend_halves(said)
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


def _parse_message(line: str) -> types.JSONRPCMessage | None:
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return None


_HALF = compile_pattern(r"\\u[dD][89a-fA-F]")


def mend_halves(line: str) -> str:
    """A message without halves of characters: what cuts a text in the middle of an emoji sends one.

    The SDK takes such a line for none, and whoever sent it waits for an answer that never comes.
    """
    if _HALF.search(line) is None or _parse_message(line) is not None:
        return line
    try:
        mended = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return line
    return mended.encode("utf-8", "replace").decode("utf-8")


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
    anyio.run(_serve, projects, wire)


async def _serve(projects: OpenProjects, wire: Wire) -> None:
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
"""Conversations at the same time."""
CONNECTIONS = 1024
SLOWEST = 15.0
"""Seconds in which a request has to come, or its next piece; four times as many for all of it."""
BURST, RATE = 240.0, 20.0
"""Requests that one token may make at once, and in each second after that."""
AT_ONCE, WAITING = 16, 128
"""Requests of one token that are worked on at the same time, and that wait for their turn besides."""

_CLOSE = (b"connection", b"close")
"""What is left of such a request is not waited for."""
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_SHORTEST = 16
_HOST = compile_pattern(r"(?!-)[a-z0-9._-]{1,253}|[0-9a-f:]{2,45}")


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
    found = read_private_file(place).decode("utf-8", "replace").strip()
    if len(found) < _SHORTEST or not found.isascii() or not found.isprintable():
        raise RefusedError(
            _("{place} holds no token: at least {count} letters and digits.").format(place=place, count=_SHORTEST)
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


class _Quota(NamedTuple):
    """What is left to one client of its requests, and when that was."""

    left: float
    time: float


class Guard:
    """In front of everything: who means another host, comes from a page elsewhere, or has no token, gets no further.

    Nor does a client that asks too much: each token has `BURST` requests at once and `RATE` a second after that, and
    `AT_ONCE` of them at the same time; the others wait their turn. `/health` says that the server is there, and
    nothing else, to whoever asks.
    """

    def __init__(self, app: ASGIApp, book: TokenBook, hosts: Iterable[str] = (), plain: ASGIApp | None = None) -> None:
        """`hosts`: names besides loopback's by which a proxy of the person's own is asked for this server.

        `plain`: what answers below `/api/`.
        """
        self._app, self._plain = app, plain or app
        self._book = book
        self._hosts = _LOOPBACK.union(hosts)
        self._quotas: dict[str, _Quota] = {}
        self._running: Counter[str] = Counter()
        self._turns: dict[str, anyio.CapacityLimiter] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it through, or say why not."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value.decode("latin-1"))
        if self._is_strange(headers):
            await _refuse(send, 403, b"not from there\n")
            return
        if scope["path"] == "/health":
            await respond(send, 200, {"status": "ok"})
            return
        token = self._find_token(headers)
        if token is None:
            realm = (b"www-authenticate", b'Bearer realm="memtui"')
            await _refuse(send, 401, b"a bearer token is needed\n", realm)
            return
        if not self._spend(token.name) or self._running[token.name] >= WAITING:
            await _refuse(send, 429, b"too many requests\n", (b"retry-after", b"5"))
            return
        scope[TOKEN] = token
        # A stream that listens for news costs nothing; it is the work that is counted.
        door = self._plain if scope["path"].startswith("/api/") else self._app
        if scope["method"] != "POST":
            await door(scope, receive, send)
            return
        self._running[token.name] += 1
        try:
            # Whoever is slow to say what he wants takes no turn from those who said it.
            body = await _read_request(receive, send)
            if body is not None:
                async with self._turns.setdefault(token.name, anyio.CapacityLimiter(AT_ONCE)):
                    await door(scope, _replay(body, receive), send)
        finally:
            self._running[token.name] -= 1

    def _is_strange(self, headers: dict[bytes, list[str]]) -> bool:
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or _name(f"//{hosts[0]}") not in self._hosts:
            return True
        return any(_name(origin) not in self._hosts for origin in origins)

    def _find_token(self, headers: dict[bytes, list[str]]) -> AccessToken | None:
        shown = headers.get(b"authorization", [])
        scheme, _space, value = shown[0].partition(" ") if len(shown) == 1 else ("", "", "")
        return self._book.find(value.strip()) if scheme.lower() == "bearer" else None

    def _spend(self, name: str) -> bool:
        """Whether the client has a request left."""
        now = time.monotonic()
        old = self._quotas.get(name, _Quota(BURST, now))
        left = min(BURST, old.left + (now - old.time) * RATE)
        # What is refused costs nothing: who asks on and on would never be served again.
        self._quotas[name] = _Quota(left - 1 if left >= 1 else left, now)
        return left >= 1


async def _read_request(receive: Receive, send: Send) -> bytes | None:
    """A request's body; None: it did not come, or is too long, and that was answered."""
    parts: list[bytes] = []
    size = 0
    whole = False
    try:
        with anyio.fail_after(SLOWEST * 4):
            while not whole and size <= LARGEST:
                with anyio.fail_after(SLOWEST):
                    message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                whole = not message.get("more_body")
    except TimeoutError:
        await respond(send, 408, {"error": _("The request did not come to its end in time.")}, _CLOSE)
        return None
    if size > LARGEST:
        told = _("A request has at most {count} bytes.")
        await respond(send, 413, {"error": told.format(count=LARGEST)}, _CLOSE)
        return None
    return b"".join(parts)


def _replay(body: bytes, receive: Receive) -> Receive:
    """What a door hears: the request that was read, and then whether its sender is gone."""
    told = False

    async def hear() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body}

    return hear


async def _refuse(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [kind, *headers]})
    await send({"type": "http.response.body", "body": body})


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
            _("{host!r} is no name of a host: like memory.example.org, without a port.").format(host=value[:80])
        )
    return found


def define_protocol() -> Any:
    """How uvicorn speaks to a connection, with an end to its patience."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Impatient(H11Protocol):
        """A connection that is closed where no whole request comes: one that only stays open would stay for ever."""

        def connection_made(self, transport: Any) -> None:
            """Somebody is there."""
            super().connection_made(transport)
            self._since = self.loop.time()
            self.loop.call_later(SLOWEST / 2, self._look)

        def on_response_complete(self) -> None:
            """It has been answered, and may ask again."""
            super().on_response_complete()
            self._since = self.loop.time()

        def _look(self) -> None:
            if self.transport.is_closing():
                return
            waits = self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]  # before the first
            if waits and self.loop.time() - self._since > SLOWEST:
                self.transport.close()
                return
            self.loop.call_later(SLOWEST / 2, self._look)

    return Impatient


def serve(
    projects: OpenProjects, at: socket.socket, book: TokenBook, ready: Callable[[str], None], hosts: Iterable[str] = ()
) -> None:
    """Serve until it is told to stop; `ready` gets the address, `hosts` are those that a proxy is known by."""
    if os.environ.get("MEMTUI_DEBUG", "").strip() in {"", "0"}:
        # A client that is cut off when the server ends is a line for uvicorn's log, not a traceback.
        said = logging.StreamHandler()
        said.setFormatter(_Sentences())
        logging.basicConfig(level=logging.WARNING, handlers=[said])
    # What the guard lets in needs no second look at its headers.
    settings = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    service = Service(projects, local=False)
    app: Any = service.server().streamable_http_app(
        transport_security=settings, max_request_body_size=LARGEST, max_sessions=SESSIONS
    )
    config = uvicorn.Config(
        Guard(app, book, hosts, PlainDoor(service)),
        http=define_protocol(),
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="none",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=CONNECTIONS,
        timeout_graceful_shutdown=3,
    )
    address, port = at.getsockname()[:2]
    at.listen(128)
    forget_answers()
    server = uvicorn.Server(config)

    def end(_number: int, _frame: object) -> None:
        """What ended it uvicorn raises once more when all is closed: a service manager's signal is no failure."""
        server.should_exit = True

    signal.signal(signal.SIGTERM, end)
    ready(f"http://{f'[{address}]' if ':' in address else address}:{port}/mcp")
    server.run(sockets=[at])
