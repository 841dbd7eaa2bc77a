"""A model is asked by real processes and a real server: what it says comes back, whatever it does to whoever asks."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui import llm
from memtui.core.config import LlmConfig
from memtui.core.errors import UnavailableError
from tests.vectors.server import Reply
from tests.vectors.server import Server as VectorServer

SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., LlmConfig]:
    """Settings whose command is this Python program."""

    def made(source: str, *arguments: str, seconds: float = 20.0) -> LlmConfig:
        file = tmp_path / "model.py"
        file.write_text(source, "utf-8")
        return LlmConfig(command=(sys.executable, str(file), *arguments), seconds=seconds)

    return made


ECHO = """
import sys
sys.stdout.write(sys.stdin.read())
"""


def test_the_prompt_goes_in_and_the_answer_comes_out(script: Callable[..., LlmConfig]) -> None:
    assert llm.ask("数据 – data", script(ECHO), system="Be short.") == "Be short.\n\n数据 – data"


def test_a_prompt_longer_than_a_pipe_holds(script: Callable[..., LlmConfig]) -> None:
    prompt = "words and words " * 40_000
    assert llm.ask(prompt, script(ECHO)) == prompt.strip()


def test_a_command_that_does_not_read_its_prompt(script: Callable[..., LlmConfig]) -> None:
    assert llm.ask("words " * 100_000, script("print('done')")) == "done"


def test_arguments_are_not_a_shells(script: Callable[..., LlmConfig], tmp_path: Path) -> None:
    told = script("import sys; print(sys.argv[1:])", f"$(touch {tmp_path}/x)", "a b; c")
    assert llm.ask("p", told) == repr([f"$(touch {tmp_path}/x)", "a b; c"])
    assert not (tmp_path / "x").exists()


def test_it_runs_inside_and_elsewhere(script: Callable[..., LlmConfig], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    source = """
import os
names = ("MEMTUI_INSIDE", "MEMTUI_ASKED", "CLAUDECODE")
print([os.environ.get(name) for name in names], os.listdir(), os.getcwd())
"""
    said = llm.ask("p", script(source))
    assert said.startswith("['1', '1', None] [] ")
    assert said.split()[-1] not in {os.getcwd(), os.path.expanduser("~")}
    assert os.stat(said.split()[-1]).st_mode & 0o077 == 0 or sys.platform == "win32"


def test_inside_of_a_model_no_model_is_asked(script: Callable[..., LlmConfig], monkeypatch: pytest.MonkeyPatch) -> None:
    settings = script(ECHO)
    assert llm.why_not(settings) == ""
    monkeypatch.setenv(llm.INSIDE, "1")
    assert llm.why_not(settings) == "", "memtui's own worker may ask"
    monkeypatch.setenv(llm.ASKED, "1")
    assert "already" in llm.why_not(settings)
    with pytest.raises(UnavailableError):
        llm.ask("p", settings)


def test_secrets_stay_here(script: Callable[..., LlmConfig]) -> None:
    said = llm.ask(f"the token is {SECRET}", script(ECHO), system=f"key {SECRET}")
    assert SECRET not in said
    assert "the token is " in said


def test_a_failure_is_a_sentence(script: Callable[..., LlmConfig]) -> None:
    source = f"import sys; sys.stderr.write('no \\x1b[31mcredit {SECRET}\\nsecond line'); sys.exit(7)"
    with pytest.raises(UnavailableError) as raised:
        llm.ask("p", script(source))
    told = str(raised.value)
    assert "status 7: no ^[[31mcredit" in told
    assert "second" not in told
    assert "\x1b" not in told
    assert SECRET not in told


def test_bytes_that_are_no_text(script: Callable[..., LlmConfig]) -> None:
    said = llm.ask("p", script("import sys; sys.stdout.buffer.write(b'caf\\xc3\\xa9 \\xff!')"))
    assert said == "café �!"


def test_silence_is_no_answer(script: Callable[..., LlmConfig]) -> None:
    with pytest.raises(UnavailableError, match="nothing"):
        llm.ask("p", script("print('  ')"))


def test_an_envelope_is_opened(script: Callable[..., LlmConfig]) -> None:
    source = """
import json
print(json.dumps({"type": "result", "is_error": False, "result": "the words", "session_id": "x"}))
"""
    assert llm.ask("p", script(source)) == "the words"
    with pytest.raises(UnavailableError, match="could not answer: the words"):
        llm.ask("p", script(source.replace("False", "True")))
    own = '{"type": "a", "results": []}'
    assert llm.ask(own, script(ECHO)) == own


@pytest.mark.parametrize("drip", ["", "print('.', end='', flush=True)"])
def test_a_slow_command_is_not_waited_for(script: Callable[..., LlmConfig], drip: str) -> None:
    source = f"import time\nfor _ in range(600):\n    time.sleep(.1)\n    {drip}\n"
    before = time.monotonic()
    with pytest.raises(UnavailableError, match="within 1 seconds"):
        llm.ask("p", script(source, seconds=1.0))
    assert time.monotonic() - before < 40


def test_an_endless_answer_ends(script: Callable[..., LlmConfig]) -> None:
    source = "import sys\nwhile True:\n    sys.stdout.write('x' * 65536)\n"
    before = time.monotonic()
    with pytest.raises(UnavailableError, match="far more"):
        llm.ask("p", script(source))
    assert time.monotonic() - before < 60


STUBBORN = """
import os, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if len(sys.argv) == 2:
    child = subprocess.Popen([sys.executable, __file__, sys.argv[1], "child"])
    with open(sys.argv[1], "w") as file:
        file.write(f"{os.getpid()} {child.pid}")
time.sleep(60)
"""


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    # Nobody may be there to take a dead orphan away.
    return not (status.exists() and status.read_text("utf-8").rpartition(")")[2].split()[0] == "Z")


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_whole_family_ends(script: Callable[..., LlmConfig], tmp_path: Path) -> None:
    note = tmp_path / "pids"
    for seconds in (1.5, 15.0, 60.0):
        with pytest.raises(UnavailableError, match="within"):
            llm.ask("p", script(STUBBORN, str(note), seconds=seconds))
        # On a busy machine it may not have begun.
        if note.exists() and len(note.read_text("utf-8").split()) == 2:
            break
    pids = [int(word) for word in note.read_text("utf-8").split()]
    assert len(pids) == 2
    until = time.monotonic() + 60
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(alive, pids))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_what_is_left_running_does_not_hold_the_answer_back(script: Callable[..., LlmConfig], tmp_path: Path) -> None:
    source = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open(sys.argv[1], "w").write(str(child.pid))
print("the answer")
"""
    note = tmp_path / "pid"
    before = time.monotonic()
    assert llm.ask("p", script(source, str(note))) == "the answer"
    assert time.monotonic() - before < 40
    until = time.monotonic() + 40
    while alive(int(note.read_text("utf-8"))):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_why_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert "llm.command" in llm.why_not(LlmConfig())
    assert "no-such-model" in llm.why_not(LlmConfig(command=("no-such-model", "-p")))
    assert llm.why_not(LlmConfig(command=("",)))
    url = LlmConfig(url="https://models.example/v1", model="m")
    assert "OPENAI_API_KEY" in llm.why_not(url)
    assert "llm.url" in llm.why_not(url._replace(model=""))
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert llm.why_not(url) == ""
    assert "https" in llm.why_not(url._replace(url="http://models.example/v1"))
    assert "https" in llm.why_not(url._replace(url="file:///etc/passwd"))
    assert llm.why_not(url._replace(url="http://127.0.0.1:1/v1", key="")) == ""
    assert "password" in llm.why_not(url._replace(url=f"https://me:{SECRET}@models.example/v1"))
    monkeypatch.setenv("OPENAI_API_KEY", "two\nlines")
    assert "characters" in llm.why_not(url)


class Server(VectorServer):
    """Answers what stands in line, as a model does."""

    def says(self, words: Any, status: int = 200, drops: float = 0.0, **headers: str) -> None:
        body = {"choices": [{"message": {"role": "assistant", "content": words}}]} if status == 200 else words
        self.replies.append(Reply(status, json.dumps(body).encode(), tuple(headers.items()), drops=drops))

    def settings(self, seconds: float = 10.0) -> LlmConfig:
        return LlmConfig(
            url=self.url,
            model="small",
            key="TEST_KEY",
            seconds=seconds,
        )


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("TEST_KEY", SECRET)
    with Server() as made:
        yield made


def test_an_endpoint_is_asked(server: Server) -> None:
    server.says("  the answer ")
    assert llm.ask("a question", server.settings(), system="Be short.") == "the answer"
    [asked] = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.key == f"Bearer {SECRET}"
    assert asked.body["model"] == "small"
    assert asked.body["messages"] == [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": "a question"},
    ]
    assert "response_format" not in asked.body


def test_secrets_are_masked_before_they_leave(server: Server) -> None:
    server.says("ok")
    llm.ask(f"the token is {SECRET}", server.settings())
    assert SECRET not in json.dumps(server.asked[0].body)


def test_json_is_asked_for_and_done_without(server: Server) -> None:
    server.says({"error": {"message": "response_format is unknown"}}, status=400)
    server.says('{"a": 1}')
    assert llm.ask("p", server.settings(), json=True) == '{"a": 1}'
    assert [asked.body.get("response_format") for asked in server.asked] == [{"type": "json_object"}, None]


def test_an_answer_in_parts(server: Server) -> None:
    server.says([{"type": "text", "text": "one "}, {"type": "text", "text": "two"}])
    assert llm.ask("p", server.settings()) == "one two"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirects_are_not_followed(server: Server, status: int) -> None:
    with Server() as elsewhere:
        elsewhere.says("stolen")
        server.says({}, status=status, Location=f"{elsewhere.url}/chat/completions")
        with pytest.raises(UnavailableError, match=r"llm\.url"):
            llm.ask("p", server.settings())
        assert not elsewhere.asked


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 429, 500, 503])
def test_refusals_are_sentences_without_the_key(server: Server, status: int) -> None:
    server.says({"error": {"message": f"Incorrect API key {SECRET[:12]}… or {SECRET}"}}, status=status)
    with pytest.raises(UnavailableError) as raised:
        llm.ask("p", server.settings())
    told = str(raised.value)
    assert str(status) in told
    assert SECRET[4:12] not in told


@pytest.mark.parametrize(
    "content",
    [b"", b"<html>", b"[]", b'{"choices": []}', b'{"choices": [{"message": {"content": null}}]}', b"[" * 100_000],
)  # fmt: skip
def test_answers_of_another_kind(server: Server, content: bytes) -> None:
    server.replies.append(Reply(body=content))
    with pytest.raises(UnavailableError, match="something else"):
        llm.ask("p", server.settings())


def test_an_answer_without_end(server: Server) -> None:
    server.says("x" * (2 << 20))
    with pytest.raises(UnavailableError):
        llm.ask("p", server.settings())
    server.says("x" * (9 << 20))
    with pytest.raises(UnavailableError, match="far more"):
        llm.ask("p", server.settings())


@pytest.mark.parametrize("headers", [{}, {"Connection": "close"}])
def test_drips_are_not_waited_for(server: Server, headers: dict[str, str]) -> None:
    server.replies.append(Reply(200, b"a long answer " * 20, tuple(headers.items()), drops=0.1))
    before = time.monotonic()
    with pytest.raises(UnavailableError, match="within 1 seconds"):
        llm.ask("p", server.settings(seconds=1.0))
    assert time.monotonic() - before < 20
    until = time.monotonic() + 60
    while not server.hung_up and time.monotonic() < until:
        time.sleep(0.05)
    assert server.hung_up, "the connection is given up, not left"


def test_nobody_is_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings = LlmConfig(url=f"http://127.0.0.1:{taken.getsockname()[1]}/v1", model="m", key="")
        with pytest.raises(UnavailableError, match="cannot be reached"):
            llm.ask("p", settings)


def test_a_proxy_does_not_see_what_stays_on_this_machine(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")
    server.says("ok")
    assert llm.ask("p", server.settings()) == "ok"


def test_elsewhere_the_proxy_is_asked_for_a_tunnel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", SECRET)
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        monkeypatch.setenv("https_proxy", f"http://me:pass%20word@127.0.0.1:{proxy.getsockname()[1]}")
        monkeypatch.delenv("no_proxy", raising=False)
        heard: list[bytes] = []

        def refuse() -> None:
            connection, _address = proxy.accept()
            with connection:
                heard.append(connection.recv(4096))
                connection.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")

        thread = threading.Thread(target=refuse, daemon=True)
        thread.start()
        with pytest.raises(UnavailableError, match="cannot be reached"):
            llm.ask("p", LlmConfig(url="https://models.invalid/v1", model="m", key="TEST_KEY", seconds=5))
        thread.join(60)
    assert heard[0].startswith(b"CONNECT models.invalid:443 HTTP/1.")
    assert b"Proxy-Authorization: Basic bWU6cGFzcyB3b3Jk" in heard[0]
    assert SECRET.encode() not in heard[0]
