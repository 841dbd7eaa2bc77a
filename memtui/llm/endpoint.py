"""An OpenAI-compatible endpoint: `POST {llm.url}/chat/completions`. Redirects are not followed."""

from __future__ import annotations

import json as codec
import time
from contextlib import suppress
from http.client import HTTPConnection, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from memtui.errors import UnavailableError
from memtui.llm import MOST
from memtui.locale import _
from memtui.safety.service import clean, here, key, said

if TYPE_CHECKING:
    from memtui.config import LlmConfig

ENVELOPE = 4 * MOST
"""Bytes of a response: what stands around the answer counts, too."""

_NO_FORMAT = frozenset({400, 404, 415, 422, 501})
"""What servers say that do not know `response_format`."""


class Response(NamedTuple):
    """What came back, all of it or a little more than fits."""

    status: int
    content: bytes


def answer(settings: LlmConfig, prompt: str, system: str, *, json: bool) -> str:
    """What the model says. Raises UnavailableError, in which the key never stands."""
    until = time.monotonic() + settings.seconds
    messages = [{"role": "system", "content": system}] if system else []
    asked: dict[str, Any] = {
        "model": settings.model,
        "messages": [*messages, {"role": "user", "content": prompt}],
        "stream": False,
    }
    form = {"response_format": {"type": "json_object"}} if json else {}
    response = _posted(settings, {**asked, **form}, until)
    if form and response.status in _NO_FORMAT:
        response = _posted(settings, asked, until)
    if response.status != 200:
        raise UnavailableError(_sentence(settings, response))
    return _content(response, _host(settings))


def _posted(settings: LlmConfig, asked: dict[str, Any], until: float) -> Response:
    """One request. A server that sends a little now and then is not waited for any longer than a silent one."""
    host = _host(settings)
    url = urlsplit(settings.url)
    body = codec.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")
    secret = key(settings.key)
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "memtui"}
    if secret:
        headers["Authorization"] = f"Bearer {secret}"
    path = url.path.rstrip("/")
    target = path if path.endswith("/chat/completions") else f"{path}/chat/completions"
    came: list[Response | Exception] = []
    open_: list[socket] = []
    connection = _connection(url, max(0.01, until - time.monotonic()))

    def exchange() -> None:
        try:
            connection.connect()
            open_.append(connection.sock)
            connection.request("POST", f"{target}?{url.query}" if url.query else target, body, headers)
            response = connection.getresponse()
            came.append(Response(response.status, response.read(ENVELOPE + 1)))
        except Exception as error:
            came.append(error)
        finally:
            connection.close()

    # In a thread: neither the search for a host's address nor a slow drip has a time limit of its own.
    thread = Thread(target=exchange, daemon=True)
    thread.start()
    thread.join(max(0.0, until - time.monotonic()))
    first = came[0] if came else TimeoutError()
    if not came:
        for one in open_ or [connection.sock]:
            # Wakes the thread that still reads from it; there is none before a name has an address.
            with suppress(OSError, AttributeError):
                one.shutdown(SHUT_RDWR)
    if isinstance(first, Response):
        return first
    if isinstance(first, TimeoutError):
        told = _("{host} did not answer within {seconds:g} seconds (llm.seconds)")
        raise UnavailableError(told.format(host=host, seconds=settings.seconds))
    why = str(first) if isinstance(first, OSError) else type(first).__name__
    raise UnavailableError(_("{host} cannot be reached ({why})").format(host=host, why=clean(why, secret)))


def _connection(url: SplitResult, seconds: float) -> HTTPConnection:
    """A connection that is not open yet; by the proxy of the environment, never to this machine itself."""
    host, port = url.hostname or "", url.port
    proxy = _proxy(url)
    if url.scheme == "http":
        return HTTPConnection(host, port, timeout=seconds)
    if proxy is None:
        return HTTPSConnection(host, port, timeout=seconds)
    connection = HTTPSConnection(proxy.hostname or "", proxy.port or 80, timeout=seconds)
    headers = {}
    if proxy.username:
        from base64 import b64encode

        told = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
        headers["Proxy-Authorization"] = f"Basic {b64encode(told).decode('ascii')}"
    connection.set_tunnel(host, port or 443, headers)
    return connection


def _proxy(url: SplitResult) -> SplitResult | None:
    if here(url.hostname or ""):
        return None
    from urllib.request import getproxies, proxy_bypass

    named = getproxies().get(url.scheme, "")
    if not named or proxy_bypass(url.hostname or ""):
        return None
    proxy = urlsplit(named if "//" in named else f"//{named}")
    return proxy if proxy.hostname else None


def _content(response: Response, host: str) -> str:
    if len(response.content) > ENVELOPE:
        raise UnavailableError(_("{name} answered far more than was asked for").format(name=host))
    try:
        told = codec.loads(response.content)["choices"][0]["message"]["content"]
    except (ValueError, RecursionError, LookupError, TypeError):
        told = None
    if isinstance(told, list):  # some servers answer in parts
        told = "".join(str(part["text"]) for part in told if isinstance(part, dict) and "text" in part)
    if not isinstance(told, str) or len(told) > MOST:
        raise UnavailableError(_("{host} answered something else than a model's words").format(host=host))
    return told


def _sentence(settings: LlmConfig, response: Response) -> str:
    status = response.status
    if status in {401, 403}:
        told = _("{host} does not take the key ({status}): llm.key names the variable that holds it")
    elif status == 404:
        told = _("{host} has no such model or address ({status}): look at llm.model and llm.url")
    elif 300 <= status < 400:
        told = _("{host} sends elsewhere ({status}), which is not followed: set llm.url to where it is")
    elif status == 429:
        told = _("{host} has had enough for now ({status})")
    elif status >= 500:
        told = _("{host} is in trouble ({status})")
    else:
        told = _("{host} does not take the request ({status})")
    sentence = told.format(host=_host(settings), status=status)
    words = clean(said(response.content[: 1 << 16]), key(settings.key))
    return f"{sentence}: {words}" if words else sentence


def _host(settings: LlmConfig) -> str:
    return clean(urlsplit(settings.url).netloc)
