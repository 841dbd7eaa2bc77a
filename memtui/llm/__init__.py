"""One question to a language model, where a person configured one: by a command or an OpenAI-compatible endpoint.

Floor: above safety, beside fs. Doors: `why_not` and `ask`. Texts are masked before they leave; nothing
is asked on memtui's own account.

- Services in general: `explain_missing_service`, `read_key`. Texts leave this machine over https, or over http
  to this machine itself. A key stands in the environment and nowhere else, and no message shows a part of it.
- `ask`: nobody waits longer than `llm.seconds`, and what is sent has its secrets masked.
- `ask_command`: a command that reads the question on stdin (`claude -p`, `codex exec -`, `llm`, a script). It
  runs without a shell, in an empty directory of memtui's own, in a process group that is ended as a whole.
- `ask_endpoint`: `POST {llm.url}/chat/completions`; redirects are not followed. `post_until` is one such request.
"""

from __future__ import annotations

import ipaddress
import json as codec
import os
import signal
import subprocess
import sys
import time
from base64 import b64encode
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from socket import SHUT_RDWR, socket
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from memtui.core.errors import RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.fs.places import find_cache_directory, make_private_directory
from memtui.safety.redact import redact
from memtui.safety.sanitize import sanitize_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.config import LlmConfig


PIECE = 8
"""Characters of a key in a row that no message shows: some servers repeat its beginning."""


def explain_missing_service(section: str, url: str, model: str, variable: str) -> str:
    """Why an endpoint may not be asked, by the names of its settings; empty: it may. It is not asked."""
    if not url or not model:
        told = _("{section}.url and {section}.model are not both set: they name the endpoint and its model")
        return told.format(section=section)
    parts = _split_url(url)
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        told = _("{section}.url must be a web address up to /v1, like https://host/v1")
        return told.format(section=section)
    if parts.username or parts.password:
        told = _("{section}.url holds a name or a password: put the key in the variable that {section}.key names")
        return told.format(section=section)
    if parts.scheme == "http" and not is_local_host(parts.hostname):
        told = _(
            "{section}.url is http to another machine, where others could read your memories on the way: use https"
        )
        return told.format(section=section)
    if not is_local_host(parts.hostname) and variable and not read_key(variable):
        told = _("the environment variable {name} ({section}.key) holds no key")
        return told.format(name=variable, section=section)
    if not all("!" <= character <= "~" for character in read_key(variable)):
        name = _("the config") if variable.startswith("=") else variable
        return _("the key in {name} holds characters that no key has").format(name=name)
    return ""


def read_key(variable: str) -> str:
    """The key that stands in the environment; empty: none. '=…' is the key itself, from a tool's own config."""
    if variable.startswith("="):
        return variable[1:].strip()
    return os.environ.get(variable, "").strip() if variable else ""


def is_local_host(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def read_server_words(content: bytes) -> str:
    """A server's own words about what it does not do; empty: it has none."""
    try:
        told = codec.loads(content)
    except (ValueError, RecursionError):
        return ""
    for name in ("error", "message", "detail"):
        if isinstance(told, dict) and told.get(name):
            told = told[name]
    return told if isinstance(told, str) else ""


def clean(text: str, key: str = "") -> str:
    """Somebody else's words, short and harmless: some servers repeat the key."""
    if key:
        text = _drop_key(text.replace(key, "…"), key)
    return sanitize_text(redact(" ".join(text[:2000].split())).text)[:200]


def explain_refusal(section: str, host: str, status: int, content: bytes, key: str, *, later: bool = False) -> str:
    """Why a server gave no answer, for a person: by its status, and in its own words. `later`: it is asked again."""
    if status in {401, 403}:
        told = _("{host} does not take the key ({status}): {section}.key names the variable that holds it")
    elif status == 404:
        told = _("{host} has no such model or address ({status}): look at {section}.model and {section}.url")
    elif 300 <= status < 400:
        told = _("{host} sends elsewhere ({status}), which is not followed: set {section}.url to where it is")
    elif status == 429:
        told = _("{host} has had enough for now ({status})")
    elif status >= 500:
        told = _("{host} is in trouble ({status})")
    else:
        told = _("{host} does not take the request ({status})")
    sentence = told.format(host=host, status=status, section=section)
    if later and (status == 429 or status >= 500):
        sentence = _("{reason}; the rest follows later").format(reason=sentence)
    words = clean(read_server_words(content), key)
    return f"{sentence}: {words}" if words else sentence


def _drop_key(text: str, key: str) -> str:
    """The text without the words that hold a piece of the key."""
    pieces = {key[at : at + PIECE] for at in range(max(1, len(key) - PIECE + 1))}

    def shown(word: str) -> str:
        return "…" if any(word[at : at + PIECE] in pieces for at in range(len(word))) else word

    return " ".join(map(shown, text[:2000].split()))


def _split_url(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  # reading it is what checks it
    except ValueError:
        return None
    return parts


INSIDE = "MEMTUI_INSIDE"
"""The environment variable that whatever answers finds set: an agent that is asked has hooks, and they do nothing."""

ASKED = "MEMTUI_ASKED"
"""And the one by which no model is asked from inside of another: its tools may be memtui's."""

MOST = 1 << 20
"""Bytes of an answer."""


def why_not(settings: LlmConfig) -> str:
    """Why no model can be asked, with what to do about it; empty: it can. It is not asked."""
    if os.environ.get(ASKED):
        return _("this is already the session of a model that memtui asks")
    if settings.command:
        if find_program(settings.command):
            return ""
        told = _("there is no command {name}: install it, or set llm.command to another one")
        return told.format(name=clean(settings.command[0]))
    if not settings.url and not settings.model:
        return _("no model is set: llm.command names a command, llm.url and llm.model an endpoint")
    return explain_missing_service("llm", settings.url, settings.model, settings.key)


def explain_silence(settings: LlmConfig) -> str:
    """Why no model can be asked, or why nobody is there to be asked; empty: somebody is. Nothing is sent."""
    why = why_not(settings)
    if why or settings.command:
        return why
    connection = _make_connection(urlsplit(settings.url), 2.0)
    try:
        connection.connect()
    except (OSError, HTTPException) as error:
        told = _("{host} cannot be reached ({why})")
        return told.format(host=_name_host(settings), why=clean(str(error) or type(error).__name__))
    finally:
        connection.close()
    return ""


def ask(prompt: str, settings: LlmConfig, *, system: str = "", json: bool = False) -> str:
    """The model's answer, never empty. `json`: an endpoint is asked for one JSON object.

    Takes at most `settings.seconds`; no lock may be held meanwhile. Raises UnavailableError, also when it takes longer.
    """
    why = why_not(settings)
    if why:
        raise UnavailableError(why)
    prompt, system = (redact(text).text.replace("\0", " ") for text in (prompt, system))
    if settings.command:
        said = ask_command(settings.command, f"{system}\n\n{prompt}" if system else prompt, settings.seconds)
    else:
        said = ask_endpoint(settings, prompt, system, json=json)
    if not said.strip():
        raise UnavailableError(_("the model answered nothing"))
    return said.strip()


LEAVE = 0.3
"""Seconds between asking a process to end and ending it."""

_PIECE = 1 << 16
_COMPLAINTS = 1 << 13
_SESSION = frozenset(
    {"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_ENV_FILE", "CLAUDE_PROJECT_DIR"}
)
"""What tells an agent in which session it is: another one must not take itself for part of it, or refuse to start."""


def find_program(command: Sequence[str]) -> str:
    """The absolute path of the program; empty: there is none."""
    import shutil

    path = shutil.which(os.path.expanduser(command[0])) if command[0].strip() else None
    return os.path.abspath(path) if path else ""


def ask_command(command: Sequence[str], prompt: str, seconds: float) -> str:
    """What the command prints, UTF-8 read leniently. Raises UnavailableError."""
    until = time.monotonic() + seconds
    child = _start(command)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    said, complaints = bytearray(), bytearray()
    data = prompt.encode("utf-8", "replace")
    reading = Thread(target=_read, args=(child.stdout, said, MOST), daemon=True)
    threads = [
        reading,
        Thread(target=_read, args=(child.stderr, complaints, _COMPLAINTS), daemon=True),
        Thread(target=_give, args=(child.stdin, data), daemon=True),
    ]
    try:
        for thread in threads:
            thread.start()
        ended = _wait_for_end(child, reading, said, until)
    finally:
        if child.returncode is None or reading.is_alive():
            _end(child)
        for thread in threads:
            thread.join(LEAVE)
    if len(said) > MOST:
        raise UnavailableError(_("{name} answered far more than was asked for").format(name=_name(command)))
    if not ended:
        told = _("{name} did not answer within {seconds:g} seconds (llm.seconds)")
        raise UnavailableError(told.format(name=_name(command), seconds=seconds))
    if child.returncode:
        raise UnavailableError(_explain_failure(command, child.returncode, bytes(complaints) or bytes(said)))
    return _unwrap_answer(command, bytes(said).decode("utf-8", "replace"))


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    directory = find_cache_directory() / "llm"
    own = {name: value for name, value in os.environ.items() if name not in _SESSION}
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        # Agents read the instructions of the directory they are in and of those above it: none but the user's.
        make_private_directory(directory)
        return subprocess.Popen(
            [find_program(command), *command[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=directory,
            env={**own, INSIDE: "1", ASKED: "1", "PWD": str(directory)},
            start_new_session=sys.platform != "win32",
            creationflags=flags,
        )
    except (OSError, ValueError, RefusedError) as error:
        told = _("{name} cannot be started ({why})")
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnavailableError(told.format(name=_name(command), why=clean(why))) from None


def _read(pipe: IO[bytes], into: bytearray, most: int) -> None:
    """All that comes, of which a little more than `most` is kept: the rest is let through, so that nobody waits."""
    with suppress(OSError, ValueError), pipe:
        while piece := pipe.read(_PIECE):
            into += piece[: max(0, most + 1 - len(into))]


def _give(pipe: IO[bytes], data: bytes) -> None:
    with suppress(OSError, ValueError), pipe:
        rest = memoryview(data)
        while rest:
            rest = rest[pipe.write(rest) :]


def _wait_for_end(child: subprocess.Popen[bytes], reading: Thread, said: bytearray, until: float) -> bool:
    """Whether it came to its end in time, with no more than fits."""
    while reading.is_alive() and child.poll() is None and len(said) <= MOST:
        left = until - time.monotonic()
        if left <= 0:
            return False
        reading.join(min(left, 0.05))
    if reading.is_alive() and len(said) <= MOST:
        # What it left running may still hold the pipe, and has nothing more to say.
        reading.join(min(LEAVE, max(0.0, until - time.monotonic())))
    if len(said) > MOST:
        return False
    with suppress(subprocess.TimeoutExpired):
        child.wait(max(0.01, until - time.monotonic()))
    return child.returncode is not None


def _end(child: subprocess.Popen[bytes]) -> None:
    """End the whole group: first it is asked to, then it is not."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(child.pid)], capture_output=True, check=False)
        child.kill()
    else:
        # The number of a group is not given away while one of it lives.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGTERM)
            until = time.monotonic() + LEAVE
            while time.monotonic() < until:
                time.sleep(0.01)
                child.poll()
                os.killpg(child.pid, 0)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        child.wait(LEAVE)


def _explain_failure(command: Sequence[str], status: int, complaints: bytes) -> str:
    told = _("{name} ended with status {status}").format(name=_name(command), status=status)
    lines = complaints.decode("utf-8", "replace").strip().splitlines()
    return f"{told}: {clean(lines[0])}" if lines else told


def _name(command: Sequence[str]) -> str:
    return clean(os.path.basename(command[0]))


def _unwrap_answer(command: Sequence[str], said: str) -> str:
    """What was said, out of the envelope that `--output-format json` puts it in. Raises UnavailableError."""
    if not said.lstrip().startswith("{") or '"result"' not in said:
        return said
    try:
        told = codec.loads(said)
    except (ValueError, RecursionError):
        return said
    if not isinstance(told, dict) or "type" not in told or not isinstance(told.get("result"), str):
        return said
    if told.get("is_error") is True:
        why = _("{name} could not answer: {why}")
        raise UnavailableError(why.format(name=_name(command), why=clean(told["result"])))
    return str(told["result"])


ENVELOPE = 4 * MOST
"""Bytes of a response: what stands around the answer counts, too."""

_NO_FORMAT = frozenset({400, 404, 415, 422, 501})
"""What servers say that do not know `response_format`."""


class Response(NamedTuple):
    """What came back, all of it or a little more than fits."""

    status: int
    content: bytes


def ask_endpoint(settings: LlmConfig, prompt: str, system: str, *, json: bool) -> str:
    """What the model says. Raises UnavailableError, in which the key never stands."""
    until = time.monotonic() + settings.seconds
    messages = [{"role": "system", "content": system}] if system else []
    asked: dict[str, Any] = {
        "model": settings.model,
        "messages": [*messages, {"role": "user", "content": prompt}],
        "stream": False,
    }
    form = {"response_format": {"type": "json_object"}} if json else {}
    response = _post(settings, {**asked, **form}, until)
    if form and response.status in _NO_FORMAT:
        response = _post(settings, asked, until)
    if response.status != 200:
        told = response.content[: 1 << 16]
        key = read_key(settings.key)
        raise UnavailableError(explain_refusal("llm", _name_host(settings), response.status, told, key))
    return _read_content(response, _name_host(settings))


def _post(settings: LlmConfig, asked: dict[str, Any], until: float) -> Response:
    """One request to the model's endpoint. Raises UnavailableError."""
    host = _name_host(settings)
    url = urlsplit(settings.url)
    body = codec.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")
    secret = read_key(settings.key)
    path = url.path.rstrip("/")
    target = path if path.endswith("/chat/completions") else f"{path}/chat/completions"
    try:
        return post_until(url, f"{target}?{url.query}" if url.query else target, body, secret, until)
    except TimeoutError:
        told = _("{host} did not answer within {seconds:g} seconds (llm.seconds)")
        raise UnavailableError(told.format(host=host, seconds=settings.seconds)) from None
    except (OSError, HTTPException, ValueError) as error:
        why = clean(str(error) if isinstance(error, OSError) else type(error).__name__, secret)
        raise UnavailableError(_("{host} cannot be reached ({why})").format(host=host, why=why)) from None


def post_until(url: SplitResult, target: str, body: bytes, secret: str, until: float) -> Response:
    """What a server answers to JSON before `until` (monotonic seconds): one that drips is waited for no longer.

    Raises TimeoutError, another OSError, HTTPException, ValueError.
    """
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "memtui"}
    if secret:
        headers["Authorization"] = f"Bearer {secret}"
    came: list[Response | Exception] = []
    open_: list[socket] = []
    connection = _make_connection(url, max(0.01, until - time.monotonic()))

    def exchange() -> None:
        """Ask once, on a thread of its own; `came` gets the response, or what went wrong."""
        try:
            connection.connect()
            open_.append(connection.sock)
            connection.request("POST", target, body, headers)
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
    if came:
        if isinstance(came[0], Response):
            return came[0]
        raise came[0]
    for one in open_ or [connection.sock]:
        # Wakes the thread that still reads from it; there is none before a name has an address.
        with suppress(OSError, AttributeError):
            one.shutdown(SHUT_RDWR)
    raise TimeoutError


def _make_connection(url: SplitResult, seconds: float) -> HTTPConnection:
    """A connection that is not open yet; by the proxy of the environment, never to this machine itself."""
    host, port = url.hostname or "", url.port
    proxy = _find_proxy(url)
    if url.scheme == "http":
        return HTTPConnection(host, port, timeout=seconds)
    if proxy is None:
        return HTTPSConnection(host, port, timeout=seconds)
    connection = HTTPSConnection(proxy.hostname or "", proxy.port or 80, timeout=seconds)
    headers = {}
    if proxy.username:
        told = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
        headers["Proxy-Authorization"] = f"Basic {b64encode(told).decode('ascii')}"
    connection.set_tunnel(host, port or 443, headers)
    return connection


def _find_proxy(url: SplitResult) -> SplitResult | None:
    if is_local_host(url.hostname or ""):
        return None
    from urllib.request import getproxies, proxy_bypass

    named = getproxies().get(url.scheme, "")
    if not named or proxy_bypass(url.hostname or ""):
        return None
    proxy = urlsplit(named if "//" in named else f"//{named}")
    return proxy if proxy.hostname else None


def _read_content(response: Response, host: str) -> str:
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


def _name_host(settings: LlmConfig) -> str:
    return clean(urlsplit(settings.url).netloc)
