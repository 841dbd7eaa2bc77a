"""The command line as a process: what a search costs an agent that starts one."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from memtui.store.vault import Vault
from tests.speed.app import AWAY, OFF, app, indexed
from tests.speed.corpus import RARE
from tests.speed.measure import Measure, Row, Scale, timed
from tests.speed.terminal import ROW, Terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS = 15


def started(argv: Sequence[str]) -> float:
    """Seconds of a whole process, which must succeed."""
    return timed(lambda: subprocess.run(argv, stdout=subprocess.DEVNULL, check=True, env={**os.environ, **OFF}))


def search(scale: Scale, *, beside: bool) -> Measure:
    """`memtui search` over an interpreter that does nothing, alone or beside an app that keeps the index current."""
    home, _ = indexed(scale.files)
    rounds = scale.times(ROUNDS, 7)
    ours = [sys.executable, "-m", "memtui", "search", RARE, "--home", str(home.path), "--json"]
    limit = [sys.executable, "-c", "pass"]
    grep = [shutil.which("rg") or "", "-i", "--no-messages", RARE, str(home.path)]
    with Terminal(app(home), OFF) if beside else nullcontext() as terminal:
        if terminal:
            terminal.wait_for(ROW, AWAY)
            terminal.rest(scale.times(60, 10), 1)
        started(ours)
        turns = [(started(ours), started(limit), started(grep) if grep[0] else 0.0) for _ in range(rounds)]
    with Vault.open([str(home.path)]) as vault:
        vault.find(RARE)
        query = min(timed(lambda: vault.find(RARE)) for _ in range(rounds))
    whole, bare, other = (statistics.median(column) for column in zip(*turns, strict=True))
    ratio = statistics.median(one / two for one, two, _ in turns)
    told = f", ripgrep {other * 1000:.0f} ms" if grep[0] else ""
    return Measure(ratio, f"{whole * 1000:.0f} ms against {bare * 1000:.0f} ms, the query {query * 1000:.1f} ms{told}")


def imported(scale: Scale) -> Measure:
    """Milliseconds that `import memtui.cli` adds to an interpreter."""
    ours = [sys.executable, "-c", "import memtui.cli"]
    bare = [sys.executable, "-c", "pass"]
    turns = [(started(ours), started(bare)) for _ in range(scale.times(ROUNDS, 7))]
    added = statistics.median(one - other for one, other in turns)
    return Measure(added * 1000, "over `python -c pass`")


ROWS = (
    Row("memtui search, a process, over a bare Python", 5.0, "×", partial(search, beside=False)),
    Row("memtui search beside an open app", 4.0, "×", partial(search, beside=True)),
    Row("import memtui.cli", 30.0, "ms", imported, once=True),
)
