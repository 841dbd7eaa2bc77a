"""Much at once: two hundred proposals approved in one decision, and the week's consolidation of a year of sessions."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core.edits import Draft
from memtui.review import queue
from memtui.store.vault import Vault
from tests.evolution import year
from tests.speed.corpus import Words, make
from tests.speed.measure import Measure, Row, Scale

if TYPE_CHECKING:
    from collections.abc import Iterator

PROPOSALS = 200
SESSIONS, FACTS, PROJECTS = 600, 10_000, 40


@contextmanager
def world(name: str, **more: str) -> Iterator[Path]:
    """A directory for a home of one row, with caches and state of its own."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(prefix=f"memtui-{name}-") as directory:
        for kind in ("CACHE", "STATE", "CONFIG", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = os.path.join(directory, "xdg", kind.lower())
        os.environ |= {"MEMTUI_VECTOR_BACKEND": "off", **more}
        try:
            yield Path(directory).resolve()
        finally:
            os.environ.clear()
            os.environ.update(before)


def approving(_scale: Scale) -> Measure:
    """Seconds of processor for `A` on two hundred proposals of agents that nothing speaks against."""
    with world("approving") as base:
        make(base / "home", 100)
        with Vault.open([base / "home"]) as vault:
            words, home = Words(3), str(vault.homes[0].path)
            for number in range(PROPOSALS):
                draft = Draft(f"Lesson {number}: {words.sentence()}", "pref")
                queue.propose(vault, home, draft, "agent", compared=False)
            waiting = [one for one in queue.load_queue(vault).waiting if one.origin == "proposed"]
            safe = [one for one in waiting if not one.warnings]
            used, began = time.process_time(), time.perf_counter()
            done, left = queue.approve_all(vault, waiting)
            used, took = time.process_time() - used, time.perf_counter() - began
        assert len(safe) >= PROPOSALS * 0.9, f"only {len(safe)} of {len(waiting)} proposals were safe"
        told = [why for one, why in left if not one.warnings]
        assert not told, told[0]
        return Measure(used, f"{len(safe)} written in {took:.2f} s, {len(done)} receipts, {len(left)} left")


@cache
def consolidations(scale: Scale) -> tuple[tuple[float, float], ...]:
    """Seconds of processor and by the clock of `memtui consolidate --weekly`, and of the same again."""
    with world("consolidating", MEMTUI_NOW=year.NOW, MEMTUI_TZ="UTC") as base:
        home = base / "home"
        year.make(home, sessions=scale.times(SESSIONS, SESSIONS // 10))
        add_facts(home, scale.times(FACTS, FACTS // 10))
        shutil.rmtree(base / "xdg", ignore_errors=True)
        return _consolidated(home), _consolidated(home)


def add_facts(home: Path, count: int) -> None:
    """So many facts more, shared out among projects."""
    words = Words(5)
    draw = random.Random(5)
    for project in range(PROJECTS):
        facts = [
            {
                "id": f"fact-{number:05}",
                "fact": words.sentence(),
                "evidence": "",
                "timestamp": f"2026-{draw.randint(1, 10):02}-{draw.randint(1, 28):02}",
                "status": "active",
                "category": "manual",
            }
            for number in range(count // PROJECTS)
        ]
        folder = home / "areas" / "projects" / f"project{project}"
        folder.mkdir(parents=True)
        (folder / "facts.json").write_text(json.dumps({"facts": facts}, ensure_ascii=False, indent=1), "utf-8")


def _consolidated(home: Path) -> tuple[float, float]:
    words = [sys.executable, "-m", "memtui", "consolidate", "--weekly", "--home", str(home)]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    after, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, took


def first_week(scale: Scale) -> Measure:
    """The first time, the index and all that is computed of memories included."""
    used, took = consolidations(scale)[0]
    return Measure(used, f"{took:.1f} s by the clock{_less(scale)}")


def again(scale: Scale) -> Measure:
    """At once again: what did not change need not be computed again."""
    used, took = consolidations(scale)[1]
    return Measure(used, f"{took:.1f} s by the clock{_less(scale)}")


def _less(scale: Scale) -> str:
    return ", a tenth of them" if scale.quick else ""


ROWS = (
    Row("A on 200 proposals, processor", 1.0, "s", approving, once=True),
    Row("consolidate --weekly, 600 sessions, 10,000 facts, processor", 4.0, "s", first_week, once=True),
    Row("consolidate --weekly once more, processor", 1.0, "s", again, once=True),
)
