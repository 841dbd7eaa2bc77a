"""Saved on one machine → found, and seen, on another, over a real server; a first push and pull against tar and
PostgreSQL's own programs for the same bytes; what mirrors cost a search, and a watch that has nothing to do.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.config import Config
from memtui.store.vault import Vault
from tests.speed.measure import Measure, NotHereError, Row, Scale, in_turns, percentile
from tests.speed.terminal import Terminal, spent
from tests.team.scene import MISSING, Machine, find_program, start_server

if TYPE_CHECKING:
    from collections.abc import Iterator

SAVES = 40


class _Pair(NamedTuple):
    """Two people's machines in one team."""

    ann: Machine
    bob: Machine
    dsn: str
    """Of the tables' owner."""


@contextmanager
def _open_pair(files: int) -> Iterator[_Pair]:
    """Ann has so many files, all shared; nothing is pushed yet."""
    try:
        tables: Any = import_module("memtui.team.tables")
        driver: Any = import_module("psycopg")
        with start_server() as dsn, tempfile.TemporaryDirectory() as folder:
            with driver.connect(dsn, autocommit=True) as link:
                tables.migrate(link)
                tables.make_team(link, "speed", "team", "ann_speed")
            with driver.connect(dsn, user="ann_speed", autocommit=True) as link:
                tables.add_member(link, "speed", "bob_speed", "member", "x")
            ann, bob = (
                Machine(Path(folder) / name, dsn, f"{name}_speed", name).join("speed") for name in ("ann", "bob")
            )
            ann.write("areas/0/first.md", "# first\n\n- first\n")
            ann.share_all("knowledge", "core")
            words = [f"word{number}" for number in range(2000)]
            chance = random.Random(1)
            for number in range(files):
                lines = "".join(f"- {' '.join(chance.choices(words, k=12))}\n" for _line in range(30))
                ann.write(f"areas/{number % 100}/n{number}.md", f"# note {number}\n\n{lines}")
            yield _Pair(ann, bob, dsn)
    except ImportError:
        raise NotHereError(MISSING) from None


@contextmanager
def _as(machine: Machine) -> Iterator[None]:
    """This process is that machine."""
    held = {name: os.environ.get(name) for name in machine.env}
    os.environ.update(machine.env)
    try:
        yield
    finally:
        for name, value in held.items():
            if value is None:
                os.environ.pop(name)
            else:
                os.environ[name] = value


def _measure_first(scale: Scale) -> Measure:
    """The slower of a push and a first pull of all files over tar's time to pack and unpack the same."""
    with _open_pair(scale.files) as pair, tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with tarfile.open(f"{folder}/all.tar", "w") as tar:
            tar.add(pair.ann.home, "home")
        packed = time.perf_counter() - began
        with tarfile.open(f"{folder}/all.tar") as tar:
            tar.extractall(f"{folder}/out", filter="data")
        unpacked = time.perf_counter() - began - packed
        exchange: Any = import_module("memtui.team.exchange")

        def run(machine: Machine, *, nothing: bool = False) -> float:
            with _as(machine):
                (one,) = exchange.load_memberships()
                made = exchange.Exchange(one._replace(shares=()) if nothing else one, Config())
                began = time.perf_counter()
                done = made.run()
                took = time.perf_counter() - began
                made.close()
                assert not done.error, done.error
            return took

        whole, fetch = run(pair.ann), run(pair.bob)
        assert len(pair.bob.read_mirror()) == scale.files + 1
        dumped, restored = _measure_dump(pair.dsn, f"{folder}/all.dump")
        run(pair.ann, nothing=True)
        push = run(pair.ann)
    told = (
        f"push {push:.2f} s, {whole:.2f} s where every file is judged first; pull {fetch:.2f} s; tar {packed:.2f} and "
        f"{unpacked:.2f} s, pg_dump {dumped:.2f} and pg_restore {restored:.2f} s"
    )
    return Measure(max(push / (packed + restored), fetch / (dumped + unpacked)), told)


def _measure_dump(dsn: str, file: str) -> tuple[float, float]:
    """Seconds that PostgreSQL's own programs take to read the same rows out of the server, and into one."""
    driver: Any = import_module("psycopg")
    params = driver.conninfo.conninfo_to_dict(dsn)
    other = driver.conninfo.make_conninfo("", **params | {"dbname": f"{params['dbname']}_restored"})
    began = time.perf_counter()
    words = [find_program("pg_dump"), "-Fc", "-Z0", "-d", dsn, "-f", file]
    subprocess.run(words, check=True, capture_output=True)
    dumped = time.perf_counter() - began
    with driver.connect(dsn, autocommit=True) as link:
        link.execute(f"CREATE DATABASE {params['dbname']}_restored")
        try:
            began = time.perf_counter()
            subprocess.run([find_program("pg_restore"), "-d", other, file], check=True, capture_output=True)
            return dumped, time.perf_counter() - began
        finally:
            link.execute(f"DROP DATABASE {params['dbname']}_restored")


def _measure_saved(scale: Scale) -> Measure:
    """From the save on A to the hit on B, beside the watcher's own time on both."""
    with _open_pair(min(scale.files, 1000)) as pair, ExitStack() as held:
        pair.ann.run("sync")
        pair.bob.run("sync")
        words = [sys.executable, "-m", "memtui.team.exchange"]
        for machine in (pair.ann, pair.bob):
            child = subprocess.Popen(words, env=machine.env, stdin=subprocess.PIPE)
            held.callback(child.wait, 30)
            assert child.stdin is not None
            held.callback(child.stdin.close)
        held.enter_context(_as(pair.bob))
        (mirror,) = pair.bob.mirror.glob("*/*@*/*")
        vault = held.enter_context(Vault.open([mirror], config=Config(), wait=True))
        vault.watch()
        bell = threading.Event()
        vault.subscribe(lambda _generation: bell.set())
        time.sleep(3)
        took = []
        for number in range(scale.times(SAVES, 10)):
            time.sleep(0.3)
            bell.clear()
            began = time.perf_counter()
            pair.ann.write("areas/0/first.md", f"# first\n\n- arrived{number}x\n")
            while not vault.find(f"arrived{number}x", mode="fts"):
                assert time.perf_counter() - began < 60, "it never arrived"
                bell.wait(0.5)
                bell.clear()
            took.append((time.perf_counter() - began) * 1000)
    middle, slow = percentile(took, 0.5), percentile(took, 0.95)
    return Measure(slow, f"median {middle:.0f} ms, p95 {slow:.0f} ms, of {len(took)}")


def _leave_out(scale: Scale) -> None:
    """Raise NotHereError where there are no minutes for it."""
    if scale.quick:
        raise NotHereError("takes a minute: not with --quick")


def _measure_seen(scale: Scale) -> Measure:
    """From the save on A until B's terminal shows it: two apps, each with all that it runs beside itself."""
    _leave_out(scale)
    with _open_pair(0) as pair, ExitStack() as held:
        pair.ann.run("sync")
        pair.bob.run("sync")
        screens = []
        for machine in (pair.ann, pair.bob):
            words = f"cd {machine.folder} && exec {sys.executable} -m memtui"
            gone = dict.fromkeys(("MEMTUI_HOME", "MEMTUI_CONFIG"), "")
            screens.append(held.enter_context(Terminal(["/bin/sh", "-c", words], machine.env | gone)))
        for screen in screens:
            screen.wait_for("first", 60)
            # The exchange begins beside the app.
            screen.pause(6)
        took = []
        for number in range(scale.times(SAVES, 10)):
            screens[0].pause(0.1)
            screens[1].pause(0.3)
            began = time.perf_counter()
            pair.ann.write("areas/0/first.md", f"# first\n\n- arrived{number}x\n")
            screens[1].see(f"arrived{number}x", 30)
            took.append((time.perf_counter() - began) * 1000)
    middle, slow = percentile(took, 0.5), percentile(took, 0.95)
    return Measure(slow, f"median {middle:.0f} ms, p95 {slow:.0f} ms, of {len(took)}")


_MIRRORED = 3_400
"""Files of thirty entries: 100,000 chunks."""
_ASKED = ("word7", "word11 word12", "payments", "支付 回调", "“nothing like it”")


def _measure_mirrors(scale: Scale) -> Measure:
    """Searches of one's own homes with what four colleagues share, over the same without; the slowest of both."""
    chance = random.Random(2)
    words = [f"word{number}" for number in range(2000)]
    with tempfile.TemporaryDirectory() as folder, ExitStack() as held:
        kept = os.environ["XDG_CACHE_HOME"]
        held.callback(os.environ.__setitem__, "XDG_CACHE_HOME", kept)
        os.environ["XDG_CACHE_HOME"] = f"{folder}/cache"
        own = Path(folder) / ".memtui"
        mirror = Path(folder) / "cache" / "memtui" / "team" / "crew"
        homes = [
            own,
            *(mirror / f"p{number}@m" / f"home{number}.memtui.00000{number}" for number in range(4)),
        ]
        count = scale.times(_MIRRORED, 200)
        for number in range(count * 2):
            # Half of all is one's own: what is searched doubles, and what a search costs must not.
            home = own if number < count else homes[1 + number % 4]
            said = ["" if chance.randrange(99) else "支付回调一律幂等" for _line in range(30)]
            lines = "".join(f"- {' '.join(chance.choices(words, k=12))} {more}\n" for more in said)
            file = home / "areas" / str(number % 100) / f"n{number}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"# note {number}\n\n{lines}", encoding="utf-8")
        alone = held.enter_context(Vault.open([own], config=Config(), wait=True))
        every = held.enter_context(Vault.open(homes, config=Config(), wait=True))
        assert sum(home.origin is not None for home in every.homes) == 4
        told, ratios = [], []
        for query in _ASKED:
            ours = partial(every.find, query, mode="fts")
            limit = partial(alone.find, query, mode="fts")
            ours(), limit()
            ratio, with_them, without = in_turns(ours, limit, scale.times(15, 5))
            ratios.append(ratio)
            told.append(f"{query}: {with_them * 1e3:.1f} / {without * 1e3:.1f} ms")
        chunks = sum(status.memories for status in every.status() if status.home.origin is not None)
    return Measure(statistics.median(ratios), f"{chunks:,} mirrored; " + ", ".join(told))


def _measure_idle(scale: Scale) -> Measure:
    """What a watch costs a machine and the server while nothing happens: transactions beside those of its beats."""
    _leave_out(scale)
    driver: Any = import_module("psycopg")
    with _open_pair(200) as pair, ExitStack() as held:
        pair.ann.run("sync")
        words = [sys.executable, "-m", "memtui.team.exchange"]
        # In a directory of hers: what this one's project holds would be looked over.
        child = subprocess.Popen(words, env=pair.ann.env, stdin=subprocess.PIPE, cwd=pair.ann.folder)
        held.callback(child.wait, 30)
        assert child.stdin is not None
        held.callback(child.stdin.close)
        time.sleep(8)
        link = held.enter_context(driver.connect(pair.dsn, autocommit=True))

        def count() -> int:
            told = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()"
            time.sleep(1.2)
            link.execute("SELECT pg_stat_clear_snapshot()")
            return int(link.execute(told).fetchone()[0])

        before, worked, own = count(), spent(child.pid), 2
        seconds = scale.times(90, 35)
        time.sleep(seconds)
        worked = spent(child.pid) - worked
        asked = count() - before - own
    told = f"{asked} transactions and {worked * 1e3:.0f} ms of processor in {seconds} s"
    return Measure(worked * 1e3 / seconds, told)


ROWS = (
    Row("team: saved on A → on B's screen, p95", 200, "ms", _measure_seen, once=True, small=500),
    Row("team: search with 100,000 mirrored chunks / without", 1.2, "×", _measure_mirrors, once=True, small=2),
    Row("team: a watch with nothing to do, ms of a second", 2, "ms", _measure_idle, once=True, small=4),
    Row("team: saved on A → found on B, p95", 200, "ms", _measure_saved, once=True, small=500),
    Row("team: push (judged ahead) and pull / tar and pg_dump", 3, "×", _measure_first, small=12),
)
