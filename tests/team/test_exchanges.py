"""Pushes, pulls and watches: what they send, how they hear of each other, and what a lost connection costs."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.team.faults import run_absence, run_faults
from tests.team.scene import Machine, Proxy, exchange, use

if TYPE_CHECKING:
    from memtui.team.membership import Share
    from tests.team.conftest import Team

INSERT = "INSERT INTO memtui.file (team, owner, machine, home, path, etag, body, rev) VALUES "


def test_what_was_saved_is_pushed_alone_and_right(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """A push that is told what was saved leaves the server as a look at everything would."""
    from memtui.core.config import Config
    from memtui.team.exchange import Exchange
    from memtui.team.membership import load_memberships

    ann = team.add("ann", "laptop")
    for number in range(4):
        ann.write(f"areas/tools/t{number}/rules.md", f"- rule {number}\n")
    ann.share_all("knowledge", "core")
    use(ann, monkeypatch)
    held = Exchange(load_memberships()[0], Config())
    looked: list[str] = []
    walked = held._pusher.list_files

    def look(share: Share) -> Any:
        looked.append(share.home)
        return walked(share)

    monkeypatch.setattr(held._pusher, "list_files", look)

    def push(*paths: str) -> Any:
        looked.clear()
        done = held.run(fetch=False, saved=[str(ann.home / path) for path in paths])
        assert not done.error
        return done.pushed

    def read_rows() -> dict[str, bytes]:
        rows = team.owner.execute("SELECT path, body FROM memtui.file WHERE team = %s AND NOT gone", [team.name])
        return {path: bytes(body) for path, body in rows}

    try:
        assert push().shared == 4 and looked, "the first one looks at everything"
        ann.write("areas/tools/t1/rules.md", "- other\n")
        ann.write("areas/tools/new/rules.md", "- new\n")
        ann.write("user/profile.md", "- me\n")
        paths = ("areas/tools/t1/rules.md", "areas/tools/new/rules.md", "user/profile.md", ".memtui-test.tmp")
        done = push(*paths, "areas/tools/t1/.memtui-test.tmp")
        assert (done.sent, done.shared, looked) == (2, 5, [])
        ann.write("areas/tools/t2/rules.md", "- mine #private\n")
        assert push("areas/tools/t2/rules.md").gone == 1 and not looked, "what may leave no more goes"
        (ann.home / "areas/tools/t3/rules.md").unlink()
        (ann.home / "areas/tools/t0/rules.md").unlink()
        (ann.home / "areas/tools/t0/rules.md").symlink_to(ann.home / "user" / "profile.md")
        push("areas/tools/t0/rules.md", "areas/tools/t3/rules.md")
        assert looked and "areas/tools/t3/rules.md" not in read_rows()
        assert b"- me\n" not in read_rows().values()
        (ann.home / "areas/tools/t0/rules.md").unlink()
        push("areas/tools/t0/rules.md")
        assert read_rows() == {
            "areas/tools/t1/rules.md": b"- other\n",
            "areas/tools/new/rules.md": b"- new\n",
        }
        (ann.home).rename(ann.folder / "away")
        done = push("areas/tools/t1/rules.md", "MEMORY.md")
        assert done.away and not done.gone and len(read_rows()) == 2, "a home that is not there takes nothing with it"
    finally:
        held.close()


def test_a_watch_follows_what_is_shared_and_joined_meanwhile(team: Team) -> None:
    """What the app runs beside itself knows of a share that is begun, and of one that ends, in another terminal."""
    ann = team.add("ann", "laptop")
    ann.write("MEMORY.md", "- first\n")
    words = [sys.executable, "-m", "memtui.team.exchange"]
    child = subprocess.Popen(words, env=ann.env, stdin=subprocess.PIPE)

    def wait_for(count: int, text: bytes = b"") -> None:
        for _try in range(1200):
            rows = team.owner.execute(
                "SELECT body FROM memtui.file WHERE team = %s AND NOT gone", [team.name]
            ).fetchall()
            if len(rows) == count and all(text in bytes(row[0]) for row in rows):
                return
            time.sleep(0.05)
        raise AssertionError((count, rows))

    try:
        time.sleep(0.5)
        ann.share_all()
        wait_for(1)
        ann.write("MEMORY.md", "- second\n")
        wait_for(1, b"second")
        ann.run("team", "unshare")
        wait_for(0)
        ann.write("MEMORY.md", "- third\n")
        ann.share_all()
        wait_for(1, b"third")
        ann.write("MEMORY.md", "- fourth\n")
        wait_for(1, b"fourth")
    finally:
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(60) == 0


def test_a_watch_takes_in_at_once_what_it_heard_while_it_was_busy(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.core.config import Config
    from memtui.team.exchange import Exchange, Exchanged
    from memtui.team.membership import load_memberships

    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    ann.write("MEMORY.md", "- first\n")
    ann.share_all()
    bob.write("MEMORY.md", "- mine\n")
    bob.share_all()
    use(bob, monkeypatch)

    class Busy(Exchange):
        """Ann saves while it looks at everything, behind its own pull."""

        def run(self, **given: Any) -> Exchanged:
            done = super().run(**given)
            if given["saved"] is None:
                ann.write("MEMORY.md", "- while it was busy\n")
                ann.run("sync")
                self.open().execute("SELECT 1")
            return done

    stop, watched = threading.Event(), Busy(load_memberships()[0], Config())
    work = threading.Thread(target=watched.watch, args=(stop, lambda _done: None))
    work.start()
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until and b"busy" not in b"".join(bob.read_mirror().values()):
            time.sleep(0.05)
        assert b"busy" in b"".join(bob.read_mirror().values())
    finally:
        stop.set()
        watched.ring()
        work.join()


def test_a_network_that_went_away_is_noticed_and_made_up_for(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody says that a connection died where a laptop leaves its network; what was asked there has no answer."""
    from memtui.core.config import Config
    from memtui.team import exchange as module
    from memtui.team.membership import load_memberships

    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    ann.write("MEMORY.md", "- first\n")
    ann.share_all()
    for name, seconds in (("BEAT", 0.2), ("_QUIET", 0.1), ("_PATIENCE", 0.5)):
        monkeypatch.setattr(module, name, seconds)
    use(bob, monkeypatch)
    proxy, stop, failed = Proxy(team.dsn), threading.Event(), threading.Event()
    through = f"host=127.0.0.1 port={proxy.port} sslmode=disable gssencmode=disable user={bob.who}"
    member = load_memberships()[0]._replace(dsn=f"{through} dbname={team.owner.info.dbname} connect_timeout=2")
    watched = module.Exchange(member, Config())
    work = threading.Thread(target=watched.watch, args=(stop, lambda done: failed.set() if done.error else None))
    work.start()

    def wait_for(text: bytes) -> None:
        until = time.monotonic() + 60
        while text not in b"".join(bob.read_mirror().values()):
            assert time.monotonic() < until, text
            time.sleep(0.02)

    try:
        wait_for(b"first")
        assert not failed.is_set()
        until = time.monotonic() + 60
        while not failed.is_set():
            assert time.monotonic() < until, "the watch waits for an answer that never comes"
            # A question that is on its way is the system's to give up, after its time: here it is answered.
            proxy.silent = False
            time.sleep(0.3)
            proxy.silent = True
            failed.wait(5)
        assert "does not answer" in bob.ask("team", "status")[0]["error"]
        ann.write("MEMORY.md", "- second\n")
        ann.run("sync")
        proxy.silent = False
        wait_for(b"second")
    finally:
        stop.set()
        watched.ring()
        proxy.close()
        work.join()


def test_a_slow_commit_is_not_missed(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sequence would give the slow one the lower number, and a reader would have gone past it."""
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    row = INSERT + "(%s, %s, 'm', 'h.memtui.000000', %s, 'e', 'b', 0)"
    fast = threading.Event()
    with team.connect("ann") as slow:

        def insert() -> None:
            with team.connect("ann") as link:
                link.execute(row, [team.name, ann.who, "fast.md"])
            fast.set()

        with slow.transaction():
            slow.execute(row, [team.name, ann.who, "slow.md"])
            other = threading.Thread(target=insert)
            other.start()
            assert not fast.wait(0.3), "whoever writes later commits later"
            assert not exchange(bob, monkeypatch).pulled.written
        other.join(60)
    exchange(bob, monkeypatch)
    assert len(bob.read_mirror()) == 2


def test_a_pull_reads_an_index(team: Team) -> None:
    ann, _bob = team.add("ann", "laptop"), team.add("bob", "desk")
    with team.connect("ann") as link:
        link.execute(
            """INSERT INTO memtui.file (team, owner, machine, home, path, etag, body, rev)
            SELECT %s, %s, 'm', 'h', i::text, 'e', 'b', 0 FROM generate_series(1, 5000) i""",
            [team.name, ann.who],
        )
        link.execute("UPDATE memtui.file SET etag = 'f' WHERE path = '77'")
    team.owner.execute("ANALYZE memtui.file")
    with team.connect("bob") as link:
        told = "\n".join(
            line
            for (line,) in link.execute(
                """EXPLAIN (ANALYZE, COSTS OFF) SELECT owner, machine, home, path, body, rev, gone FROM memtui.file
                WHERE team = %s AND rev > 1 AND rev <= 9 AND NOT (owner = 'x' AND machine = 'y') ORDER BY rev""",
                [team.name],
            )
        )
    assert "Index Scan" in told and "file_rev" in told and "Seq Scan on file" not in told, told


def test_hostile_rows_stay_inside(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    outside = bob.folder / "outside"
    outside.mkdir()
    home = "h.memtui.000000"
    rows = [
        (ann.who, "laptop", home, path)
        for path in ("../x.md", "/etc/x.md", "a/../../x.md", "a\\..\\x.md", "a//b.md", "user/profile.md",
                     ".memtui-0123456789abcdef.tmp", "run.sh", "linked/x.md", "areas/ok.md")
    ]  # fmt: skip
    rows += [
        (ann.who, "laptop", name, "MEMORY.md")
        for name in ("..", "h.nothing.000000", "a/../../b.memtui.000000", "h.memtui.0")
    ]
    rows += [("..", "..", home, "MEMORY.md"), ("a/b", "m", home, "MEMORY.md"), ("", "m", home, "MEMORY.md")]
    for row in rows:
        # As the tables' owner, in the name of a member: what a broken server could hold.
        team.owner.execute("ALTER TABLE memtui.file DISABLE TRIGGER stamp; ")
        team.owner.execute(
            INSERT + "(%s, %s, %s, %s, %s, 'e', 'hostile', 1)",
            [team.name, *row],
        )
    team.owner.execute("ALTER TABLE memtui.file ENABLE TRIGGER stamp")
    team.owner.execute("UPDATE memtui.team SET rev = 1 WHERE id = %s", [team.name])
    place = bob.mirror / team.name / f"{ann.who}@laptop" / home
    place.mkdir(parents=True)
    (place / "linked").symlink_to(outside)
    (place / "areas").mkdir()
    (place / "areas" / "ok.md").symlink_to(outside / "target.md")
    done = exchange(bob, monkeypatch)
    assert done.pulled.written == 1 and done.pulled.refused == len(rows) - 1
    assert not list(outside.iterdir())
    assert (place / "areas" / "ok.md").read_text() == "hostile" and not (place / "areas" / "ok.md").is_symlink()
    assert (place / "areas" / "ok.md").stat().st_mode & 0o777 == 0o600
    found = {file.name for file in bob.folder.rglob("*") if file.is_file() and b"hostile" in file.read_bytes()[:9]}
    assert found == {"ok.md"}


def test_a_connection_cut_anywhere_is_made_up_for(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    for number in range(30):
        ann.write(f"areas/n{number}.md", f"- number {number}\n" * 50)
    ann.share_all()
    proxy = Proxy(team.dsn)
    try:
        through = f"host=127.0.0.1 port={proxy.port} sslmode=disable gssencmode=disable user=%s dbname=%s"
        name = team.owner.info.dbname

        def cut(machine: Machine, at: int | None) -> Any:
            proxy.cut_after(at)
            return exchange(machine, monkeypatch, dsn=through % (machine.who, name))

        bob.write("MEMORY.md", "- bob\n")
        bob.share_all()
        assert not cut(bob, None).error
        for machine, proxy.torn in ((ann, True), (ann, False), (bob, True), (bob, False)):
            # At every statement behind the greeting, which the driver repeats by itself.
            for at in range(1, 100):
                for number in range(3):
                    ann.write(f"areas/n{number}.md", f"- cut {at} number {number}\n" * 50)
                    bob.write(f"areas/b{number}.md", f"- cut {at} number {number}\n")
                failed = cut(machine, at).error
                for text in [*ann.read_mirror().values(), *bob.read_mirror().values()]:
                    assert len(set(text.splitlines())) == 1, "torn"
                if not failed:
                    break
            assert at > 8, "there are as many statements"
            assert not cut(machine, None).error
        proxy.closed = True
        assert cut(bob, None).error and bob.ask("team", "status")[0]["error"]
        proxy.closed = False
        for machine in (ann, bob, ann):
            assert not cut(machine, None).error
        shared = {f"{ann.who}@laptop/areas/{file.name}": file.read_bytes() for file in (ann.home / "areas").iterdir()}
        assert bob.read_mirror() == shared
        assert len(ann.read_mirror()) == 4
    finally:
        proxy.close()


def test_kills_on_both_sides_lose_nothing(team: Team) -> None:
    machines = [team.add(name, name) for name in ("ann", "bob")]
    counted = run_faults(machines, team.dsn, team.name, saves=24, chance=random.Random(7), crash=False)
    assert counted.killed and counted.saves == 48 and counted.seen
    assert (counted.torn, counted.lost, counted.foreign) == (0, 0, 0)


def test_a_server_that_was_away_is_made_up_for(team: Team) -> None:
    machines = [team.add(name, name) for name in ("ann", "bob")]
    for one in machines:
        one.write("areas/a1.md", "- first\n")
        one.share_all("core", "knowledge")
    away = run_absence(machines, team.dsn, seconds=3, clock=3600)
    assert away.saves and away.behind and not away.errors, away
    assert away.equal < 10, away
