"""`python -m tests.team.faults [--machines N] [--saves N] [--gone SECONDS]`: kills on both sides, and nothing is lost.

Machines are processes with homes of their own that save and exchange; they are killed with SIGKILL in the middle of
it and begun again, and so is the server: its processes one by one, which makes it recover from a crash. Readers look
at the mirrors all the while. At the end every machine exchanges once and the mirrors are compared with the homes.

Then the server is away for so long, and for an hour by every machine's clock, while all of them go on saving.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.team.machine import read_version, render_version
from tests.team.scene import Machine, Proxy, start_server

if TYPE_CHECKING:
    from collections.abc import Sequence


class Counted(NamedTuple):
    """What one run came to."""

    saves: int
    killed: int
    """Machines' processes."""
    cut: int
    """The server's."""
    seen: int
    """Files looked at in mirrors while it ran."""
    torn: int
    lost: int
    foreign: int
    """Rows whose text is not their owner's."""

    def __str__(self) -> str:
        return ", ".join(f"{name} {value:,}" for name, value in self._asdict().items())


def run_faults(
    machines: Sequence[Machine], dsn: str, team: str, *, saves: int, chance: random.Random, crash: bool
) -> Counted:
    """Have every machine make that many saves, with kills on both sides; `crash`: the server's by SIGKILL."""
    driver: Any = import_module("psycopg")
    for one in machines:
        one.write("areas/n0.md", render_version(f"{one.who}@{one.name}", 0, 0))
        one.share_all("core", "knowledge")
    working: dict[int, subprocess.Popen[bytes]] = {}
    finished: set[int] = set()
    killed = cut = seen = torn = 0

    def begin(number: int, count: int) -> subprocess.Popen[bytes]:
        one = machines[number]
        words = [sys.executable, "-m", "tests.team.machine", str(one.home), str(count)]
        return subprocess.Popen(words, env=one.env, cwd=Path(__file__).parents[2], stderr=subprocess.DEVNULL)

    try:
        while len(finished) < len(machines):
            for number in range(len(machines)):
                child = working.get(number)
                if number not in finished and (child is None or child.poll() is not None):
                    if child is not None and child.returncode == 0:
                        finished.add(number)
                    else:
                        working[number] = begin(number, saves)
            time.sleep(chance.uniform(0.05, 0.4))
            if chance.random() < 0.5:
                child = working[chance.randrange(len(machines))]
                if child.poll() is None:
                    child.send_signal(signal.SIGKILL)
                    child.wait()
                    killed += 1
            elif chance.random() < 0.4:
                with suppress(driver.Error):
                    cut += _cut(driver, dsn, chance, crash)
            for file in machines[chance.randrange(len(machines))].mirror.glob("*/*@*/*/areas/*.md"):
                with suppress(FileNotFoundError):
                    text = file.read_text(encoding="utf-8")
                    seen += 1
                    try:
                        read_version(text)
                    except (ValueError, IndexError):
                        torn += 1
    finally:
        for child in working.values():
            if child.poll() is None:
                child.kill()
                child.wait()
    for _round in range(2):
        # Twice: what the last one sends, the first one has not seen yet.
        for number in range(len(machines)):
            assert begin(number, 0).wait(120) == 0
    lost = count_lost(machines)
    total = sum(
        max(read_version(file.read_text("utf-8"))[2] for file in (one.home / "areas").glob("n*.md")) for one in machines
    )
    for _try in range(50):
        with suppress(driver.Error), driver.connect(dsn) as link:
            rows = link.execute("SELECT owner, machine, body FROM memtui.file WHERE team = %s", [team]).fetchall()
            break
        time.sleep(0.2)
    foreign = sum(not bytes(body).startswith(f"# {who}@{name} ".encode()) for who, name, body in rows)
    return Counted(total, killed, cut, seen, torn, lost, foreign)


def count_lost(machines: Sequence[Machine]) -> int:
    """Files that a mirror has otherwise than their owner's home, or has and should not."""
    lost = 0
    for one in machines:
        mirror = one.read_mirror()
        for other in machines:
            if other is not one:
                for file in (other.home / "areas").glob("*.md"):
                    key = f"{other.who}@{other.name}/areas/{file.name}"
                    lost += mirror.pop(key, b"") != file.read_bytes()
        lost += len(mirror)
    return lost


class Away(NamedTuple):
    """What came of a time without the server."""

    saves: int
    behind: int
    """Files that others did not have when it came back."""
    equal: float
    """Seconds from then until all mirrors were right."""
    errors: str
    """What the machines' processes said, or that one of them ended."""


def run_absence(machines: Sequence[Machine], dsn: str, *, seconds: float, clock: float) -> Away:
    """Have all machines watch and save while the server is away so long, and `clock` seconds more by their clocks."""
    driver: Any = import_module("psycopg")
    proxy = Proxy(dsn)
    name = driver.conninfo.conninfo_to_dict(dsn).get("dbname", "postgres")
    with ExitStack() as held, tempfile.TemporaryDirectory() as folder:
        held.callback(proxy.close)
        ahead = Path(folder) / "clock"
        ahead.write_text("0")
        said = held.enter_context((Path(folder) / "said").open("w+"))
        children = []
        for one in machines:
            (kept,) = (one.folder / "state" / "memtui" / "team").glob("*.json")
            plain = json.loads(kept.read_bytes())
            through = f"host=127.0.0.1 port={proxy.port} sslmode=disable gssencmode=disable"
            kept.write_text(json.dumps(plain | {"dsn": f"{through} user={one.who} dbname={name}"}))
            held.callback(kept.write_text, json.dumps(plain))
            words = [sys.executable, "-m", "tests.team.machine", str(ahead), "watch"]
            child = subprocess.Popen(
                words, env=one.env, cwd=Path(__file__).parents[2], stdin=subprocess.PIPE, stderr=said
            )
            assert child.stdin is not None
            children.append(child)
            held.callback(child.wait, 60)
            held.callback(child.stdin.close)

        def save_each(version: int) -> None:
            for one in machines:
                one.write(
                    f"areas/a{version % 10}.md",
                    render_version(f"{one.who}@{one.name}", version % 10, version),
                )

        def wait_equal(limit: float) -> float:
            began = time.monotonic()
            while count_lost(machines) and time.monotonic() < began + limit:
                time.sleep(0.1)
            return time.monotonic() - began

        save_each(0)
        assert wait_equal(60) < 60, "they never met"
        proxy.closed = True
        end, saves = time.monotonic() + seconds, 0
        while time.monotonic() < end or not saves:
            saves += 1
            save_each(saves)
            time.sleep(0.4)
        ahead.write_text(str(clock))
        behind = count_lost(machines)
        proxy.closed = False
        equal = wait_equal(120)
        said.seek(0)
        errors = said.read() + "".join(
            f"{one.name} ended\n" for one, child in zip(machines, children, strict=True) if child.poll() is not None
        )
        return Away(saves * len(machines), behind, equal, errors)


def _cut(driver: Any, dsn: str, chance: random.Random, crash: bool) -> int:
    with driver.connect(dsn, autocommit=True, connect_timeout=2) as link:
        found = [
            pid
            for (pid,) in link.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'memtui' AND datname = current_database()"
            )
        ]
        if not found:
            return 0
        pid = chance.choice(found)
        if crash:
            os.kill(pid, signal.SIGKILL)
        else:
            link.execute("SELECT pg_terminate_backend(%s)", [pid])
    return 1


def main() -> int:
    """The exit status says whether anything was lost, torn or foreign."""
    from memtui.team.tables import add_member, make_team, migrate

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machines", type=int, default=8)
    parser.add_argument("--saves", type=int, default=1000)
    parser.add_argument("--gone", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    driver: Any = import_module("psycopg")
    with start_server() as dsn, tempfile.TemporaryDirectory() as folder:
        with driver.connect(dsn, autocommit=True) as link:
            migrate(link)
            make_team(link, "faults", "team", "p0")
        with driver.connect(dsn, user="p0", autocommit=True) as link:
            for number in range(1, given.machines):
                add_member(link, "faults", f"p{number}", "member", "x")
        machines = [
            Machine(Path(folder) / f"m{number}", dsn, f"p{number}", f"m{number}").join("faults")
            for number in range(given.machines)
        ]
        began = time.monotonic()
        chance = random.Random(given.seed)
        counted = run_faults(
            machines,
            dsn,
            "faults",
            saves=given.saves,
            chance=chance,
            crash="MEMTUI_TEAM_DSN" not in os.environ,
        )
        print(f"{given.machines} machines in {time.monotonic() - began:.0f} s: {counted}", flush=True)
        bad = bool(counted.torn or counted.lost or counted.foreign)
        for clock in (0.0, 3600.0):
            away = run_absence(machines, dsn, seconds=given.gone if not clock else 5, clock=clock)
            print(f"away, the clock ahead by {clock:.0f} s: {away}", flush=True)
            bad |= bool(away.errors) or away.equal > 10 or not away.behind
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main())
