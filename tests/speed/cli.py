"""The command line as a process: what a search costs an agent that starts one."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
from typing import TYPE_CHECKING

from memtui.vault import Vault
from tests.speed.corpus import RARE
from tests.speed.corpus import home as made
from tests.speed.measure import Measure, Row, timed

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS = 9


def started(argv: Sequence[str]) -> float:
    """Seconds of a whole process, which must succeed."""
    return timed(lambda: subprocess.run(argv, stdout=subprocess.DEVNULL, check=True, env=os.environ))


def search(count: int) -> Measure:
    """`memtui search`, less the query itself, over an interpreter that imports sqlite3; and ripgrep beside it."""
    home = str(made(count).resolve())
    ours = [sys.executable, "-m", "memtui", "search", RARE, "--home", home, "--json"]
    limit = [sys.executable, "-c", "import sqlite3"]
    grep = [shutil.which("rg") or "", "-i", "--no-messages", RARE, home]
    with Vault.open([home]) as vault:
        vault.find(RARE)
        query = min(timed(lambda: vault.find(RARE)) for _ in range(ROUNDS))
    started(ours)
    turns = [(started(ours), started(limit), started(grep) if grep[0] else 0.0) for _ in range(ROUNDS)]
    whole, bare, beside = (statistics.median(column) for column in zip(*turns, strict=True))
    ratio = statistics.median((one - query) / other for one, other, _ in turns)
    against = f", ripgrep {beside * 1000:.0f} ms" if grep[0] else ""
    detail = f"{whole * 1000:.0f} ms against {bare * 1000:.0f} ms, the query {query * 1000:.1f} ms{against}"
    return Measure(ratio, detail)


def imported(_count: int) -> Measure:
    """Milliseconds that `import memtui.cli` adds to an interpreter."""
    ours = [sys.executable, "-c", "import memtui.cli"]
    bare = [sys.executable, "-c", "pass"]
    turns = [(started(ours), started(bare)) for _ in range(ROUNDS)]
    added = statistics.median(one - other for one, other in turns)
    return Measure(added * 1000, "over `python -c pass`")


ROWS = (
    Row("memtui search, as a process", 2.0, "×", search),
    Row("import memtui.cli", 30.0, "ms", imported),
)
