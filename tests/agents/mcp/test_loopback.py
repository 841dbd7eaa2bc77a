"""The server on a loopback socket: who gets in, and who doesn't."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import stat
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import anyio
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from memtui.agents.mcp import open_projects, transport
from memtui.agents.mcp.plain_door import respond
from memtui.core.errors import RefusedError, UsageError
from memtui.fs.places import state
from tests.agents.mcp.conftest import SERVER, environment


class Served(NamedTuple):
    url: str
    port: int
    token: str
    said: str
    process: subprocess.Popen[str]


@contextmanager
def served(cwd: Path, *more: str) -> Iterator[Served]:
    process = subprocess.Popen(
        [*SERVER, "--http", "--port", "0", *more], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
        cwd=cwd, env=environment(), text=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        said = process.stderr.readline() + process.stderr.readline()
        found = re.search(r"http://[^\s]+:(\d+)/mcp", said)
        assert found, said + process.stderr.read()
        token = (state() / "mcp" / "token").read_text().strip() if "--token-file" not in more else ""
        yield Served(found[0], int(found[1]), token, said, process)
    finally:
        process.send_signal(signal.SIGINT)
        out, _err = process.communicate(timeout=60)
        assert out == ""


@asynccontextmanager
async def client(at: Served, token: str, mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        create_mcp_http_client(headers=headers) as speaking,
        Client(streamable_http_client(at.url, http_client=speaking), mode=mode) as asking,
    ):
        yield asking


def _post(at: Served, headers: dict[str, str], body: bytes = b"") -> tuple[int, bytes]:
    """A bare request, with just these headers besides those of every MCP client."""
    call = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
    ).encode()  # fmt: skip
    connection = http.client.HTTPConnection("127.0.0.1", at.port, timeout=60)
    told = {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers}
    try:
        connection.request("POST", "/mcp", body or call, told)
        answer = connection.getresponse()
        return answer.status, answer.read(2000)
    finally:
        connection.close()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_several_clients_share_it(home: Path, project: Path, mode: str) -> None:
    with served(project) as at:
        assert str(at.port) in at.said and "token" in at.said and at.token not in at.said
        if os.name != "nt":
            assert stat.S_IMODE((state() / "mcp" / "token").stat().st_mode) == 0o600
        async with client(at, at.token, mode) as one, client(at, at.token, mode) as other:
            noted = await one.call_tool("memory_append", {"text": "Deploys run from main"})
            assert noted.structured_content["appended"]
            found = await other.call_tool("memory_search", {"query": "deploys main"})
            assert found.structured_content["results"][0]["path"] == noted.structured_content["path"]

            failed: list[Any] = []

            async def again(number: int) -> None:
                answer = await (one, other)[number % 2].call_tool("memory_search", {"query": "gateway"})
                if answer.is_error or not answer.structured_content["results"]:
                    failed.append(answer)

            async with anyio.create_task_group() as group:
                for number in range(60):
                    group.start_soon(again, number)
            assert not failed


def test_nobody_else_gets_in(home: Path, project: Path) -> None:
    with served(project) as at:
        right = {"authorization": f"Bearer {at.token}"}
        assert _post(at, right)[0] == 200
        assert _post(at, {**right, "host": f"localhost:{at.port}", "origin": "http://localhost:3000"})[0] == 200
        shown = ("", "Bearer", "Bearer x", at.token, f"Basic {at.token}", f"Bearer {at.token}x", "Bearer ")
        for wrong in ({}, *({"authorization": value} for value in shown)):
            status, body = _post(at, wrong)
            assert status == 401 and at.token.encode() not in body
        hosts = ("evil.example", f"evil.example:{at.port}", "127.0.0.1.evil.example", "127.0.0.1@evil.example")
        origins = ("http://evil.example", "null", "http://127.0.0.1.evil.example", "https://localhost.evil.example:443")
        for wrong in (*({"host": value} for value in hosts), *({"origin": value} for value in origins)):
            assert _post(at, {**right, **wrong})[0] == 403, wrong
        assert _post(at, right, b"x" * (transport.LARGEST + 1))[0] == 413
        assert _post(at, right, b"{nonsense")[0] == 400
        assert _post(at, right)[0] == 200


def test_behind_a_proxy(home: Path, project: Path) -> None:
    """Spec 001 §9's central service: the proxy may keep its own name in requests, and no other name is let in."""
    with served(project, "--allow-host", "Memory.Example.org") as at:
        right = {"authorization": f"Bearer {at.token}", "host": "memory.example.org:443"}
        assert _post(at, right)[0] == 200
        assert _post(at, {**right, "origin": "https://memory.example.org"})[0] == 200
        assert _post(at, {"host": "memory.example.org"})[0] == 401
        for host in ("example.org", "a.memory.example.org", "memory.example.org.evil.example", "evil.example"):
            assert _post(at, {**right, "host": host})[0] == 403
            assert _post(at, {**right, "origin": f"https://{host}"})[0] == 403
    for wrong in ("*", "", "https://x.org", "x.org:443", "a b", "-x", "..", "a/b", "a,b"):
        with pytest.raises(UsageError):
            transport.check_host(wrong)


def test_a_client_that_is_cut_off_is_no_traceback(home: Path, project: Path) -> None:
    with served(project) as at, socket.create_connection(("127.0.0.1", at.port)) as slow:
        head = ("POST /mcp HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {at.token}", "Content-Length: 9")
        slow.sendall("\r\n".join((*head, "", "{")).encode())
        assert _post(at, {"authorization": f"Bearer {at.token}"})[0] == 200
        at.process.send_signal(signal.SIGINT)
        assert at.process.stderr is not None
        assert "Traceback" not in at.process.stderr.read()


async def test_it_opens_no_other_directories(home: Path, project: Path, tmp_path: Path) -> None:
    """Whoever has the token gets at this server's projects, not at every directory of the machine."""
    other = tmp_path / "elsewhere"
    (other / ".multi_agent/memory").mkdir(parents=True)
    (other / ".multi_agent/memory/MEMORY.md").write_text("# MEMORY\n\n- The blog runs on Hugo\n")
    with served(project) as at:
        async with client(at, at.token) as asking:
            both = {"cwd": str(other), "project": "shop"}
            for given in ({"cwd": str(other)}, {"project": str(other)}, {"cwd": "/"}, both, {"cwd": "/none/there"}):
                answer = await asking.call_tool("memory_search", {"query": "Hugo", **given})
                assert answer.is_error and answer.structured_content["exit_status"] == 3
                assert "none of this server's projects" in answer.structured_content["error"]
            inside = await asking.call_tool("memory_search", {"query": "gateway", "cwd": str(project)})
            assert inside.structured_content["results"]


async def test_started_at_home_it_opens_no_other_directories_either(home: Path, _own_user: Path) -> None:
    """A service manager starts it at `/`: that does not make every directory one of its projects."""
    other = _own_user / "private"
    (other / ".multi_agent/memory").mkdir(parents=True)
    (other / ".multi_agent/memory/MEMORY.md").write_text("# MEMORY\n\n- The blog runs on Hugo\n")
    for cwd in (_own_user, Path("/")):
        with served(cwd) as at:
            async with client(at, at.token) as asking:
                answer = await asking.call_tool("memory_search", {"query": "Hugo", "cwd": str(other)})
                assert answer.is_error and answer.structured_content["exit_status"] == 3
                here = await asking.call_tool("memory_search", {"query": "gateway", "cwd": str(cwd)})
                assert here.structured_content["results"]


def test_what_is_wrong_is_said_at_the_start(project: Path, tmp_path: Path) -> None:
    for wrong in (["--home", str(tmp_path / "none")], ["--project", str(tmp_path / "none")], ["--allow-host", "x"]):
        done = subprocess.run([*SERVER, *wrong], capture_output=True, cwd=project, env=environment(), check=False)
        assert done.returncode in {2, 3} and done.stderr and not done.stdout
    with pytest.raises(UsageError):
        transport.bound("127.0.0.1", 65536)


def test_a_program_is_told_where_it_is(project: Path) -> None:
    process = subprocess.Popen(
        [*SERVER, "--http", "--port", "0", "--json"], stderr=subprocess.DEVNULL, stdout=subprocess.PIPE,
        cwd=project, env=environment(), text=True,
    )  # fmt: skip
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == 0, "a service manager's signal is no failure"
    assert told["address"].startswith("http://127.0.0.1:") and told["pid"] == process.pid
    assert told["token_file"] == str(state() / "mcp" / "token")


def test_only_loopback_is_served() -> None:
    for host in ("0.0.0.0", "192.168.0.1", "example.org", "::", ""):
        with pytest.raises(UsageError):
            transport.bound(host, 0)


def test_the_token_is_kept(tmp_path: Path) -> None:
    made, place = transport.read_token()
    assert len(made) >= 32 and transport.read_token() == (made, place)
    own = tmp_path / "token"
    assert transport.read_token(own)[0] == own.read_text().strip()
    if os.name != "nt":
        own.chmod(0o644)
        with pytest.raises(RefusedError, match="chmod 600"):
            transport.read_token(own)
        own.chmod(0o600)
    own.write_text("short\n")
    with pytest.raises(RefusedError):
        transport.read_token(own)


def test_two_servers_that_start_at_once_share_the_token(tmp_path: Path) -> None:
    place = tmp_path / "token"
    with ThreadPoolExecutor(16) as pool:
        found = {made for made, _place in pool.map(lambda _number: transport.read_token(place), range(64))}
    assert found == {place.read_text().strip()}
    assert os.listdir(tmp_path) == ["token"]


async def test_a_token_has_limits_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "BURST", 3.0)
    monkeypatch.setattr(transport, "RATE", 0.0)
    ann = open_projects.make_token("ann")
    told: list[int] = []

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            told.append(message["status"])

    async def receive() -> Any:
        return {"type": "http.request"}

    guard = transport.Guard(app, open_projects.TokenBook("of nobody in particular"))
    for token in (*[ann] * 5, "of nobody in particular"):
        headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {token}".encode())]
        scope = {"type": "http", "path": "/mcp", "method": "POST", "headers": headers}
        await guard(scope, receive, send)
    assert told == [200, 200, 200, 429, 429, 200]


def test_who_asks_too_much_is_still_served_at_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen with processes: what was refused took what had come back, and a client that asked on got nothing more."""
    clock = [1000.0]
    monkeypatch.setattr(transport, "BURST", 3.0)
    monkeypatch.setattr(transport, "RATE", 20.0)
    monkeypatch.setattr(transport, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    guard = transport.Guard(lambda *_given: None, open_projects.TokenBook("of nobody"))  # type: ignore[arg-type]
    served = 0
    for _request in range(1000):
        served += guard._spend("ann")
        clock[0] += 0.01
    assert served == pytest.approx(3 + 20 * 10, abs=3)


def test_connections_that_only_stay_open_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half open, half a head, half a request, answered and silent since: each is closed, and who asks is served."""
    patience = 0.6
    monkeypatch.setattr(transport, "SLOWEST", patience)
    at = transport.bound("127.0.0.1", 0)
    at.listen(128)

    async def app(_scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass
        # Whoever is being answered is not silent, however long that takes.
        await anyio.sleep(patience * 3)
        await respond(send, 200, {"done": True})

    token = "of nobody in particular"
    guard = transport.Guard(app, open_projects.TokenBook(token))
    config = uvicorn.Config(guard, http=transport.define_protocol(), log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [at]}, daemon=True)
    thread.start()
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\nContent-Length: 9\r\n".encode()
    said = (b"", b"POST /mcp HT", head, head + b"\r\n{", b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    asking = http.client.HTTPConnection("127.0.0.1", at.getsockname()[1], timeout=60)
    opened = [socket.create_connection(at.getsockname()) for _number in range(60)]
    try:
        for number, one in enumerate(opened):
            one.sendall(said[number % len(said)])
        began = time.monotonic()
        asking.request("POST", "/mcp", b"{}", {"authorization": f"Bearer {token}"})
        assert json.loads(asking.getresponse().read()) == {"done": True}
        assert time.monotonic() - began > patience * 2
        for one in opened:
            one.settimeout(60)
            with suppress(ConnectionError):
                while one.recv(4096):
                    pass
    finally:
        asking.close()
        for one in opened:
            one.close()
        server.should_exit = True
        thread.join(60)
