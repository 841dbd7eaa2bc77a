"""The central memory of spec 001 §9, by real processes: one server, nodes with homes of their own, their hooks."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from memtui.core.config import Config
from memtui.language.conversation import Extract, Learned, Session
from memtui.sessions.central import put_capture, put_note
from tests.agents.hooks.payloads import payload
from tests.forking import run_memtui
from tests.sessions.recorded import Claude

KEY = "github.com_acme_shop"
MEMTUI = [sys.executable, "-W", "ignore", "-m", "memtui"]
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8"


class User(NamedTuple):
    """A person with a directory, and a cache, of their own: a machine, as far as memtui can tell."""

    home: Path

    def env(self, **more: str) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "MEMTUI_", "CLAUDE"))}
        own = {f"XDG_{name}_HOME": str(self.home / f".{name.lower()}") for name in ("CACHE", "CONFIG", "STATE")}
        plain = {"HOME": str(self.home), "MEMTUI_VECTOR_BACKEND": "off", "MEMTUI_WORKER": "off", "MEMTUI_TZ": "UTC"}
        return {**kept, **own, **plain, **more}

    def run(self, *argv: str, said: str = "", cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        done = run_memtui(argv, given=said.encode(), env=self.env(**more), cwd=cwd or self.home)
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    def work(self) -> None:
        """What the detached worker does, here and now."""
        subprocess.run([sys.executable, "-m", "memtui.consolidation.worker"], env=self.env(), timeout=120, check=False)

    def waiting(self) -> list[Path]:
        return sorted((self.home / ".state/memtui/outbox").glob("*.json"))


class Central(NamedTuple):
    user: User
    port: int

    def start(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*MEMTUI, "mcp", "--http", "--port", str(self.port), "--new-project", "github.com_acme_*"],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=self.user.home, env=self.user.env(), text=True,
        )  # fmt: skip
        assert process.stderr is not None
        said: list[str] = []
        # Whatever it remarks before; at its end the last line is empty.
        while not said or (said[-1] and "Listening" not in said[-1]):
            said.append(process.stderr.readline())
        assert said[-1], "".join(said)
        return process

    def ask(self, path: str, token: str = "", body: Any = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        connection.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        with suppress(ValueError):
            return answer.status, json.loads(data)
        return answer.status, data

    def journal(self, key: str = KEY) -> str:
        folder = self.user.home / ".xinghebot/workspace" / key / "memory/daily"
        return "".join(file.read_text("utf-8") for file in sorted(folder.glob("*.md")))

    def summaries(self, key: str = KEY) -> dict[str, str]:
        folder = self.user.home / ".xinghebot/workspace" / key / "memory/sessions"
        return {file.name: file.read_text("utf-8") for file in folder.glob("*.md")}


@pytest.fixture
def central(tmp_path: Path) -> Central:
    home = tmp_path / "server"
    home.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return Central(User(home), free.getsockname()[1])


@pytest.fixture
def running(central: Central) -> Iterator[list[subprocess.Popen[str]]]:
    """The server's processes, the last one running."""
    processes = [central.start()]
    yield processes
    for one in processes:
        if one.poll() is None:
            one.terminate()
        one.communicate(timeout=60)


def make_node(tmp_path: Path, central: Central, name: str) -> tuple[User, Path]:
    """A machine with a checkout of the project, and the settings of a node."""
    user = User(tmp_path / name)
    cwd = user.home / "work" / f"shop-{name}"
    (cwd / ".git").mkdir(parents=True)
    (cwd / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (cwd / ".git/config").write_text('[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
    (user.home / ".memtui/user").mkdir(parents=True)
    (user.home / ".memtui/user/profile.md").write_text(f"# Profile\n\n- {name} prefers ripgrep\n")
    made = central.user.run("mcp", "tokens", "make", f"{name}@laptop", "--allow", "github.com_acme_*")
    assert made.returncode == 0, made.stderr
    token = user.home / "token"
    token.write_text(made.stdout)
    token.chmod(0o600)
    config = user.home / ".config/memtui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        f'[agents]\nremote = "http://127.0.0.1:{central.port}"\ntoken_file = "{token}"\nremote_seconds = 20\n'
    )
    return user, cwd


def have_session(user: User, cwd: Path, session: str, decision: str) -> str:
    """One session of Claude Code, as its hooks tell of it; what it was given at its start."""
    talk = Claude(session, str(cwd))
    talk.user(f"Let us settle the event bus. {decision}")
    talk.says(f"Decided: {decision}")
    talk.does("Edit", {"file_path": str(cwd / "bus.py"), "old_string": "a", "new_string": "b"})
    talk.user(f"remember that the staging key is {SECRET}")
    talk.says("Done.")
    transcript = str(talk.save(user.home))
    given = ""
    edited = {"tool_input": {"file_path": str(cwd / f"{session}.py"), "new_string": "b"}}
    events: tuple[tuple[str, dict[str, Any]], ...] = (
        ("SessionStart", {}),
        ("PostToolUse", edited),
        ("Stop", {}),
        ("SessionEnd", {}),
    )
    for event, more in events:
        said = payload(event, cwd, session_id=session, transcript_path=transcript, **more)
        done = user.run("hook", event, "--agent", "claude-code", said=json.dumps(said), cwd=cwd)
        assert (done.returncode, done.stderr) == (0, "")
        given = given or done.stdout
    user.work()
    return given


def test_nodes_share_it_and_lose_nothing(
    tmp_path: Path, central: Central, running: list[subprocess.Popen[str]]
) -> None:
    ann, shop_a = make_node(tmp_path, central, "ann")
    bob, shop_b = make_node(tmp_path, central, "bob")
    have_session(ann, shop_a, "aaaa-1", "Use NATS for the event bus because it is simple.")
    assert ann.waiting() == []
    (name,) = central.summaries()
    assert name.endswith("-aaaa-1.md") and "NATS" in central.summaries()[name]
    # Killed, not told to stop: what sessions leave waits, in its order, and they start with what is here.
    running[-1].kill()
    running[-1].wait(60)
    given = have_session(ann, shop_a, "aaaa-2", "Use Postgres for the orders because it is boring.")
    assert "not to be had" in given and "ann prefers ripgrep" in given
    waits = ann.waiting()
    kept = {file.name: file.read_text() for file in waits}
    assert len(kept) >= 2 and SECRET not in "".join(kept.values())
    have_session(bob, shop_b, "bbbb-1", "Use Redis for the sessions because it is fast.")
    running.append(central.start())
    for user in (ann, bob, ann):
        user.work()
        assert user.waiting() == []
    told = central.summaries()
    assert {name[11:] for name in told} == {"aaaa-1.md", "aaaa-2.md", "bbbb-1.md"}
    journal = central.journal()
    for session, who in (("aaaa-1", "ann"), ("aaaa-2", "ann"), ("bbbb-1", "bob")):
        assert journal.count(f"shop-{who}: edited `{session}.py` (source={session})") == 1, journal
    assert SECRET not in journal + "".join(told.values())
    # Sent once more, as a node does that heard no answer: nothing stands there twice, nor where the server forgot.
    for forgets in (False, True):
        if forgets:
            shutil.rmtree(central.user.home / ".state/memtui/mcp/answered")
        for name, text in kept.items():
            (ann.home / ".state/memtui/outbox" / name).write_text(text)
        ann.work()
        assert (ann.waiting(), central.journal(), central.summaries()) == ([], journal, told)
    # Whose it was says the history, by the person and the client, and nothing of the server's own.
    writes = json.loads(central.user.run("history", "--json", "--limit", "50").stdout)["writes"]
    assert {one["who"] for one in writes} == {"agent:claude-code@ann@laptop", "agent:claude-code@bob@laptop"}
    # And the other node's next session starts with what the first one left, and with its own person's file.
    said = payload("SessionStart", shop_b, session_id="bbbb-2", transcript_path="")
    start = bob.run("hook", "SessionStart", "--agent", "claude-code", said=json.dumps(said), cwd=shop_b).stdout
    assert "Postgres" in start and "bob prefers ripgrep" in start and "ann prefers" not in start


def test_where_neither_knows_anything_that_is_what_is_said(
    tmp_path: Path, central: Central, running: list[subprocess.Popen[str]]
) -> None:
    user, cwd = make_node(tmp_path, central, "ann")
    shutil.rmtree(user.home / ".memtui")
    done = user.run("context", cwd=cwd)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"central memory 127.0.0.1:{central.port} remembers anything of shop-ann yet" in done.stderr


def test_what_is_marked_private_is_not_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    session = Session("s1", "claude-code", str(tmp_path), KEY, "shop")
    put_note(session, Config(), "the salary is in shells #private", "note")
    said = ("orders go through NATS", "paid in shells #private", "in shells, too #私密")
    learned = tuple(Learned(text, "fact") for text in said)
    put_capture(session, Config(), Extract("in shells #private", decisions=said, learned=learned), "end", brief=False)
    (record,) = (json.loads(file.read_text()) for file in (tmp_path / "memtui/outbox").glob("*.json"))
    assert "shells" not in json.dumps(record)
    extract = record["body"]["extract"]
    assert extract["decisions"] == [said[0]] and [one["text"] for one in extract["learned"]] == [said[0]]


def test_who_may_do_what(central: Central, running: list[subprocess.Popen[str]]) -> None:
    def make(name: str, *more: str) -> str:
        done = central.user.run("mcp", "tokens", "make", name, *more)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    shop, other = {"project": KEY}, {"project": "git@github.com:acme/other.git"}
    ann, eve = make("ann"), make("eve", "--read-only", "--allow", KEY)
    bob = make("bob", "--allow", KEY)
    # Shown once, kept as a digest.
    kept = (central.user.home / ".state/memtui/mcp/tokens.json").read_text()
    listed = central.user.run("mcp", "tokens").stdout
    assert not any(token in kept + listed for token in (ann, eve, bob)) and "eve" in listed
    assert central.user.run("mcp", "tokens", "make", "ann").returncode == 2
    assert central.ask("/health") == (200, {"status": "ok"})
    assert central.ask("/api/append", "", {"text": "x", **shop})[0] == 401
    # New projects come by the server's list alone; a git origin is its key.
    assert central.ask("/api/append", ann, {"text": "It begins", "project": "github.com_evil_x"})[0] == 404
    assert central.ask("/api/append", ann, {"text": "Ships on Fridays", **shop})[0] == 200
    assert central.ask("/api/append", ann, {"text": "The blog runs on Hugo", **other})[0] == 200
    assert "Hugo" in central.journal("github.com_acme_other") and "Hugo" not in central.journal()
    # Nobody's notes end up among another's: where there are several projects one is named.
    for path in ("/api/append", "/api/tool/memory_append"):
        status, said = central.ask(path, ann, {"text": "Whose is it"})
        assert status == 404 and KEY in said["error"] and "github.com_acme_other" in said["error"]
    # A token that is for one project means that one, and sees no other.
    status, said = central.ask("/api/tool/memory_search", bob, {"query": "Hugo Fridays"})
    assert status == 200 and [one["snippet"].count("Fridays") for one in said["results"]] == [1]
    assert central.ask("/api/tool/memory_search", bob, {"query": "Hugo", **other})[0] == 403
    assert central.ask("/api/append", eve, {"text": "x", **shop})[0] == 403
    assert central.ask("/api/tool/memory_append", eve, {"text": "x", **shop})[0] == 403
    assert central.ask("/api/tool/memory_search", eve, {"query": "Fridays"})[1]["results"]
    # `who` and `source` are the visitor's.
    status, said = central.ask("/api/tool/memory_append", bob, {"text": "Bob was here"})
    assert status == 200 and "source=bob-api-" in said["line"], said
    wrongs: tuple[Any, ...] = ({}, {"text": 1}, {"text": "x", "time": "now"}, {"text": "x", "kind": "order"}, [])
    assert {central.ask("/api/append", bob, wrong)[0] for wrong in wrongs} == {422}
    assert central.ask("/api/append", bob, {"text": "x" * 2_000_000})[0] == 413
    # Revoked, it opens nothing, at once.
    assert central.user.run("mcp", "tokens", "revoke", "bob").returncode == 0
    assert central.ask("/api/tool/memory_search", bob, {"query": "Fridays"})[0] == 401
    # Told to stop, with a request that never ends: it stops, and that is no failure.
    with socket.create_connection(("127.0.0.1", central.port)) as half:
        half.sendall(b"POST /api/append HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        running[-1].terminate()
        assert running[-1].wait(60) == 0


def test_a_connection_that_asks_nothing_is_closed(central: Central) -> None:
    code = "import memtui.agents.mcp.transport as t; t.SLOWEST = 0.5; from memtui.__main__ import main; main()"
    argv = [sys.executable, "-W", "ignore", "-c", code, "mcp", "--http", "--port", str(central.port)]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True, env=central.user.env()) as server:
        assert server.stderr is not None and "Listening" in server.stderr.readline()
        token = (central.user.home / ".state/memtui/mcp/token").read_text().strip()
        lines = ("POST /mcp HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", "Content-Length: 9")
        stalled = "\r\n".join((*lines, "", "{"))
        for said in ("", "GET / HTTP/1.1\r\nHost:", stalled, stalled.replace("/mcp", "/api/append")):
            heard = b""
            with socket.create_connection(("127.0.0.1", central.port), timeout=60) as half:
                half.sendall(said.encode())
                with suppress(ConnectionError):
                    while more := half.recv(4096):
                        heard += more
            # Whose body does not come to its end made a mistake: the server did not.
            assert heard.startswith(b"HTTP/1.1 408 ") or "Content-Length" not in said, heard
        server.terminate()
