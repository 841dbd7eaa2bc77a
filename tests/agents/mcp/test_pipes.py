"""The server over standard input and output, as clients start it.

Whoever asks and hangs up at once is answered all the same.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import types
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from memtui.agents.tools import TOOLS
from tests.agents.mcp.conftest import SERVER, client, environment

TOKEN = "ghp_" + "q7Xw2LkP9vRt4YbN8sDf3GhJ6mZc1AeU5oKi"


async def ask(to: Client, tool: str, **given: object) -> dict[str, Any]:
    """The tool's answer, which is told as text and as data alike."""
    answer = await to.call_tool(tool, given)
    (content,) = answer.content
    assert isinstance(content, types.TextContent)
    told = json.loads(content.text)
    assert told == answer.structured_content
    assert bool(answer.is_error) == ("error" in told)
    assert isinstance(told, dict)
    return told


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_what_a_client_is_told(home: Path, project: Path, mode: str) -> None:
    async with client(project, mode=mode) as asking:
        listed = (await asking.list_tools()).tools
        assert [one.name for one in listed] == [one.name for one in TOOLS]
        for one, ours in zip(listed, TOOLS, strict=True):
            assert one.input_schema == ours.schema and one.description == ours.description
            hints = one.annotations
            assert hints is not None and hints.read_only_hint == ours.reads
            assert hints.destructive_hint is False and hints.open_world_hint is False
            assert hints.idempotent_hint == ours.again
        assert "memory_search before you answer" in (asking.instructions or "")
        answer = await ask(asking, "memory_search", query="payment gateway", maxResults="3")
        assert answer["results"][0]["path"] == "daily/2026-02-24.md"
        noted = await ask(asking, "memory_append", text="Deploys run from main", kind="decision")
        assert noted["appended"]
        found = await ask(asking, "memory_search", query="deploys main")
        assert found["results"][0]["path"] == noted["path"], "what was just written is found"
        assert (await ask(asking, "memory_search", query="x", corpus="nope"))["exit_status"] == 2
        assert (await ask(asking, "memory_serch", query="x"))["error"].endswith("'memory_search'?")


async def test_resources_and_prompts(home: Path, project: Path) -> None:
    async with client(project) as asking:
        uris = [one.uri for one in (await asking.list_resources()).resources]
        assert uris[:2] == ["memtui://context", "memtui://homes"]
        assert "memtui://memtui/MEMORY.md" in uris and "memtui://memtui/user/profile.md" in uris
        (template,) = (await asking.list_resource_templates()).resource_templates
        assert template.uri_template.startswith("memtui://")

        async def read(uri: str) -> str:
            (content,) = (await asking.read_resource(uri)).contents
            assert isinstance(content, types.TextResourceContents)
            return content.text

        homes = json.loads(await read("memtui://homes"))["homes"]
        assert [(one["name"], one["path"]) for one in homes] == [("memtui", str(home))]
        assert "Chengdu" in await read("memtui://context")
        text = await read("memtui://memtui/notes/a%20b.md")
        assert "A zebra &lt;script&gt; &amp; co" in text and "never instructions" in text
        outside = (
            "memtui://memtui/../x",
            "memtui://memtui/%2e%2e/x",
            "memtui://memtui//etc/passwd",
            "file:///etc/passwd",
        )
        for bad in (
            *outside,
            "memtui://nope/x.md",
            "memtui://memtui/none.md",
            "memtui://",
            "memtui://memtui/%252e%252e/x",
        ):
            with pytest.raises(MCPError):
                await read(bad)
        prompts = (await asking.list_prompts()).prompts
        assert [one.name for one in prompts] == ["search_before_you_answer", "propose_what_lasts"]
        got = await asking.get_prompt("search_before_you_answer", {"question": "Which gateway?"})
        assert isinstance(got.messages[0].content, types.TextContent)
        assert got.messages[0].content.text.endswith("Which gateway?")
        with pytest.raises(MCPError):
            await asking.get_prompt("nope")


async def test_two_servers_write_alternately(home: Path, project: Path) -> None:
    """T02: nobody's notes are lost to somebody's older picture of the file."""
    async with client(project) as one, client(project, name="codex") as other:
        for number in range(100):
            for name, asking in (("one", one), ("other", other)):
                answer = await ask(asking, "memory_append", text=f"note {number} of {name}")
                assert answer["appended"]
        found = await ask(one, "memory_search", query="note 99 of other")
        assert "note 99 of other" in found["results"][0]["snippet"]
    days = sorted((home / "daily").glob("*.md"))
    lines = [line for day in days[1:] for line in day.read_text().splitlines()]
    wanted = {f"note {number} of {name}" for number in range(100) for name in ("one", "other")}
    assert {match[0] for line in lines if (match := re.search(r"note \d+ of \w+", line))} == wanted
    assert len(lines) == 200


async def test_many_at_once_while_the_index_goes(home: Path, project: Path) -> None:
    """Calls go on being answered while the index is built anew, and after it was deleted."""
    many = int(os.environ.get("MEMTUI_TEST_CALLS", "150"))
    failed: list[object] = []
    missed: list[int] = []
    async with client(project) as asking:
        await ask(asking, "memory_search", query="gateway")

        async def one(number: int) -> None:
            if number % 5:
                answer = await ask(asking, "memory_search", query="payment gateway")
                if not answer.get("results"):
                    missed.append(number)
            else:
                answer = await ask(asking, "memory_append", text=f"concurrent note {number}")
            if "error" in answer:
                failed.append(answer)

        async def again() -> None:
            command = [*SERVER[:-1], "index", "--rebuild"]
            done = await anyio.run_process(command, env=environment(), cwd=str(project), check=False)
            assert done.returncode == 0
            # The server goes on writing there meanwhile.
            shutil.rmtree(os.path.join(os.environ["XDG_CACHE_HOME"], "memtui"), ignore_errors=True)

        async with anyio.create_task_group() as group:
            group.start_soon(again)
            for number in range(many):
                group.start_soon(one, number)
        for number in range(many, many + 20):
            await one(number)
    assert not failed and not missed
    lines = [line for day in (home / "daily").glob("*.md") for line in day.read_text().splitlines()]
    assert sum("concurrent note" in line for line in lines) == len(range(0, many + 20, 5))


def _started(cwd: Path, *more: str, **options: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*SERVER, *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=cwd, env=environment(), **options,
    )  # fmt: skip


def _hello() -> bytes:
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }  # fmt: skip
    done = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    return (json.dumps(hello) + "\n" + json.dumps(done) + "\n").encode()


def _search(number: int, query: str = "gateway") -> bytes:
    call = {
        "jsonrpc": "2.0", "id": number, "method": "tools/call",
        "params": {"name": "memory_search", "arguments": {"query": query}},
    }  # fmt: skip
    return (json.dumps(call) + "\n").encode()


def _answer(server: subprocess.Popen[bytes], number: int) -> dict[str, Any]:
    assert server.stdout is not None
    while True:
        line = server.stdout.readline()
        assert line, "the server is gone"
        told: dict[str, Any] = json.loads(line)
        if told.get("id") == number:
            return told


def test_nothing_but_the_protocol_on_stdout(home: Path, project: Path, tmp_path: Path) -> None:
    """Whatever prints: a warning of the config, a library, a child process."""
    noisy, over = tmp_path / "noisy", tmp_path / "over"
    noisy.mkdir()
    (noisy / "sitecustomize.py").write_text(
        "import sys, threading, os, time\n"
        "first = os.fstat(1).st_ino\n"
        "def noise():\n"
        "    end = time.monotonic() + 60\n"
        # Once the way out is the protocol's alone; and in any case after a while.
        "    while os.fstat(1).st_ino == first and time.monotonic() < end:\n"
        "        time.sleep(0.1)\n"
        "    time.sleep(0.1)\n"
        "    print('STRAY from a library', flush=True)\n"
        "    os.write(1, b'STRAY from C\\n')\n"
        "    os.system('echo STRAY from a child')\n"
        "    sys.stdout.write('STRAY unflushed')\n"
        f"    open({str(over)!r}, 'x').close()\n"
        "if sys.argv[-1:] == ['mcp'] or 'mcp' in sys.orig_argv:\n"
        "    threading.Thread(target=noise, daemon=True).start()\n"
    )
    config = tmp_path / "config.toml"
    config.write_text("[serch]\nmode = 3\n")
    env = {**environment(), "PYTHONPATH": str(noisy), "MEMTUI_CONFIG": str(config)}
    server = subprocess.Popen(
        SERVER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=project, env=env
    )
    assert server.stdin is not None
    server.stdin.write(_hello() + _search(2))
    server.stdin.flush()
    _answer(server, 2)
    until = time.monotonic() + 60
    while not over.exists() and time.monotonic() < until:
        time.sleep(0.02)
    server.stdin.write(_search(3))
    server.stdin.flush()
    _answer(server, 3)
    out, err = server.communicate(timeout=60)
    assert b"STRAY" not in out
    for said in (b"from a library", b"from C", b"from a child", b"serch"):
        assert said in err
    assert server.returncode == 0


def test_nonsense_does_not_end_it(home: Path, project: Path) -> None:
    server = _started(project)
    assert server.stdin is not None
    server.stdin.write(_hello() + b"{bad json\n\xff\xfe\n[1,2]\n{}\n" + b'{"jsonrpc":"2.0","id":7,"method":"nope"}\n')
    server.stdin.write(_search(8))
    server.stdin.flush()
    assert _answer(server, 8)["result"]["structuredContent"]["results"]
    _out, err = server.communicate(timeout=60)
    assert server.returncode == 0 and b"Traceback" not in err


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_client_that_dies_leaves_no_orphan(home: Path, project: Path, tmp_path: Path) -> None:
    """A client that is killed in the middle of its calls: the server ends by itself, and no note is half written."""
    program = tmp_path / "client.py"
    program.write_text(
        "import subprocess, sys, time\n"
        f"server = subprocess.Popen({SERVER!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd={str(project)!r})\n"
        f"server.stdin.write({_hello()!r})\n"
        "for number in range(2, 200):\n"
        f"    server.stdin.write({_search(99)!r}.replace(b'99', str(number).encode()))\n"
        "server.stdin.flush()\n"
        "server.stdout.readline()\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen([SERVER[0], str(program)], stdout=subprocess.PIPE, env=environment())
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        if _ended(pid):
            return
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the server goes on without a client")


def _ended(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


async def test_the_project_is_the_client_s(home: Path, project: Path, _own_user: Path) -> None:
    """Never the server's own directory where somebody says another, and the answer says who did."""
    blog = _own_user / "work" / "blog"
    for place, words in ((blog, "The blog runs on Hugo"), (project, "The shop runs on Django")):
        (place / ".multi_agent/memory").mkdir(parents=True)
        (place / ".multi_agent/memory/MEMORY.md").write_text(f"# MEMORY\n\n- {words}\n")

    async def roots(_context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=blog.as_uri())])  # type: ignore[arg-type]

    async with client(project, mode="legacy", list_roots_callback=roots) as asking:
        found = await ask(asking, "memory_search", query="Hugo")
        assert found["results"] and found["project_from"] == "roots"
        other = await ask(asking, "memory_search", query="Django", cwd=str(project))
        assert other["results"] and other["project_from"] == "parameter"
        noted = await ask(asking, "memory_append", text="The blog moved to Zola")
        assert noted["home"].startswith(str(blog))
    async with client(project, "--project", str(blog)) as asking:
        assert (await ask(asking, "memory_search", query="Hugo"))["project_from"] == "--project"
    async with client(project) as asking:
        found = await ask(asking, "memory_search", query="Django")
        assert found["results"] and found["project_from"] == "cwd"
        assert not (await ask(asking, "memory_search", query="Hugo"))["results"]


async def test_only_the_homes_that_were_named(home: Path, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "daily").mkdir(parents=True)
    (other / "MEMORY.md").write_text("# Memory\n\n- only here\n")
    (other / "daily/2026-02-01.md").write_text("- 2026-02-01T08:00:00Z [note] first\n")
    (other / "sessions").mkdir()
    async with client(project, "--home", str(other)) as asking:
        assert not (await ask(asking, "memory_search", query="ripgrep"))["results"]
        assert not (await ask(asking, "memory_search", query="ripgrep", project=str(project)))["results"]
        assert (await ask(asking, "memory_append", text="a note", tags=["x"]))["home"] == str(other)
        assert not (await ask(asking, "memory_get", path="user/profile.md", home=str(home)))["text"]


async def test_secrets_stay_out(home: Path, project: Path, _own_user: Path) -> None:
    """T39, F14: through the server, nothing that is kept anywhere holds the secret."""
    async with client(project) as asking:
        for tool, given in (
            ("memory_append", {"text": f"the deploy token is {TOKEN}"}),
            ("save_fact", {"content": f"the deploy token is {TOKEN}"}),
            ("save_summary", {"topic": "deploys", "summary": f"used {TOKEN}"}),
            ("memory_propose", {"text": f"deploy with {TOKEN}", "reason": f"because {TOKEN}"}),
            ("memory_feedback", {"experience_id": "avoidance:25696ce434f0d372", "context": f"with {TOKEN}"}),
            ("memory_flush", {"text": f"Remember: I prefer that deploys use the token {TOKEN}, always."}),
        ):
            assert TOKEN not in json.dumps(await ask(asking, tool, **given))
    leaks = [path for path in _own_user.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
    assert not leaks


HELLO: tuple[dict[str, Any], ...] = (
    {"jsonrpc": "2.0", "id": 0, "method": "initialize",
     "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)  # fmt: skip


def _piped(cwd: Path, *messages: dict[str, Any]) -> dict[object, dict[str, Any]]:
    lines = "".join(json.dumps(message) + "\n" for message in (*HELLO, *messages))
    done = subprocess.run(
        SERVER, input=lines.encode(), capture_output=True, cwd=cwd, env=environment(), timeout=120, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({answer["id"] for answer in answers}) == len(answers)
    return {answer["id"]: answer for answer in answers}


def _call(number: int, name: str, **given: object) -> dict[str, Any]:
    params = {"name": name, "arguments": given}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def test_all_is_answered_and_written(home: Path, project: Path) -> None:
    notes = [_call(number, "memory_append", text=f"piped note {number} end") for number in range(1, 21)]
    answers = _piped(project, *notes, _call(21, "memory_search", query="gateway"))
    assert set(answers) == set(range(22))
    assert all(answers[number]["result"]["structuredContent"]["appended"] for number in range(1, 21))
    assert answers[21]["result"]["structuredContent"]["results"]
    text = "".join(day.read_text() for day in (home / "daily").glob("*.md"))
    assert all(f"piped note {number} end" in text for number in range(1, 21))


def test_what_was_called_off_or_is_no_message_is_not_waited_for(home: Path, project: Path) -> None:
    began = time.monotonic()
    off = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    nonsense = {"jsonrpc": "2.0", "id": 2, "method": 5}
    answers = _piped(project, _call(1, "memory_search", query="gateway"), off, nonsense, _call(3, "memory_context"))
    assert answers[3]["result"]["structuredContent"]["text"]
    assert time.monotonic() - began < 90


def test_half_a_character_is_answered(home: Path, project: Path) -> None:
    """What cuts a text in the middle of an emoji sends '\\ud83d' alone, and used to wait for ever."""
    cut = _call(1, "memory_append", text="Deploys run from main \ud83d end", kind="decision")
    whole = _call(2, "memory_append", text="Ships on Tuesdays \U0001f680 end", kind="decision")
    answers = _piped(project, cut, whole)
    assert [answers[number]["result"]["structuredContent"]["appended"] for number in (1, 2)] == [True, True]
    text = "".join(day.read_text("utf-8") for day in (home / "daily").glob("*.md"))
    assert "Deploys run from main ? end" in text and "Tuesdays \U0001f680 end" in text
