"""Saved on one machine → found on another, over a real server; a first push and pull against tar of the same bytes."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.config import Config
from memtui.store.vault import Vault
from tests.speed.measure import Measure, NotHereError, Row, Scale, percentile
from tests.team.scene import MISSING, Machine, start_server

if TYPE_CHECKING:
    from collections.abc import Iterator

SAVES = 40


class _Pair(NamedTuple):
    """Two people's machines in one team."""

    ann: Machine
    bob: Machine


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
                Machine(Path(folder) / name, dsn, f"{name}_speed", name).join("speed")
                for name in ("ann", "bob")
            )
            ann.write("areas/0/first.md", "# first\n\n- first\n")
            ann.share_all("knowledge", "core")
            words = [f"word{number}" for number in range(2000)]
            chance = random.Random(1)
            for number in range(files):
                lines = "".join(f"- {' '.join(chance.choices(words, k=12))}\n" for _line in range(30))
                ann.write(f"areas/{number % 100}/n{number}.md", f"# note {number}\n\n{lines}")
            yield _Pair(ann, bob)
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
        run(pair.ann, nothing=True)
        push = run(pair.ann)
    told = (
        f"push {push:.2f} s, {whole:.2f} s where every file is judged first; pull {fetch:.2f} s; tar {packed:.2f} and "
        f"{unpacked:.2f} s"
    )
    return Measure(max(push / packed, fetch / unpacked), told)


def _measure_saved(scale: Scale) -> Measure:
    """From the save on A to the hit on B, beside the watcher's own time on both."""
    with _open_pair(min(scale.files, 1000)) as pair, ExitStack() as held:
        pair.ann.run("sync")
        pair.bob.run("sync")
        words = [sys.executable, "-m", "memtui.team.exchange"]
        for machine in pair:
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


ROWS = (
    Row("team: saved on A → found on B, p95", 200, "ms", _measure_saved, once=True, small=500),
    Row("team: push and pull of all files against tar", 3, "×", _measure_first, small=12),
)
