"""Make the faults, print the table of counts: `python -m tests.faults [--quick] [--only NAME] [--seed N] [--readme]`.

--quick takes a few minutes instead of hours; --only makes one kind, such as `kills` or `interface`; --seed makes the
random events of a run again, `--start N` one start of the app of `interface` alone; --readme keeps the counts for the
manual's table. The exit status is 1 where anything went wrong that must not.
"""

from __future__ import annotations

import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.faults.calls import calls
from tests.faults.crowd import SIZES, crowd
from tests.faults.disks import disks
from tests.faults.interface import interface
from tests.faults.kills import kills
from tests.faults.live import indexes, soak, storms
from tests.faults.outsider import outsider
from tests.faults.power import power
from tests.faults.properties import properties
from tests.faults.scene import Count

if TYPE_CHECKING:
    from collections.abc import Callable

COUNTS = Path(__file__).with_name("counts.json")


def faults(quick: bool, only: str = "", seed: int | None = None, start: int | None = None) -> list[Callable[[], Count]]:
    """Every fault, or those of one name, as often as is asked for."""
    made = [
        partial(kills, 200 if quick else 2000),
        partial(calls, 3 if quick else 1),
        *(partial(crowd, 100 if quick else 1000, size) for size in SIZES),
        partial(outsider, 300 if quick else 1500),
        partial(properties, 60 if quick else 500),
        partial(disks, 60 if quick else 300),
        partial(interface, 3000 if quick else 100_000, (seed or 31) if quick else seed, start),
        partial(indexes, 8 if quick else 200, seed or 1),
        partial(storms, 1000 if quick else 100_000, seed or 1),
        partial(power, 200 if quick else 2000, seed or 1),
        partial(soak, 30 if quick else 6 * 3600, seed or 1),
    ]
    return [fault for fault in made if only in {"", fault.func.__name__}]


def _value(option: str) -> str:
    return sys.argv[sys.argv.index(option) + 1] if option in sys.argv[:-1] else ""


def _number(option: str) -> int | None:
    return int(_value(option)) if _value(option) else None


def table(counts: list[Count]) -> str:
    """The counts as a Markdown table."""
    return "\n".join(["| fault | tried | went wrong |", "|---|---|---|", *(count.row() for count in counts)])


def kept() -> list[Count]:
    """The counts of the last full run."""
    return [Count(**plain) for plain in json.loads(COUNTS.read_text(encoding="utf-8"))]


def main() -> int:
    """Run them all; 1 where anything went wrong."""
    if "--help" in sys.argv:
        print(__doc__)
        return 0
    if sys.platform == "win32":
        print("not run: these faults need fork and signals", file=sys.stderr)
        return 0
    found: list[Count] = []
    wanted = faults("--quick" in sys.argv, _value("--only"), _number("--seed"), _number("--start"))
    if not wanted:
        print("there is no such fault", file=sys.stderr)
        return 2
    for fault in wanted:
        began = time.monotonic()
        found.append(fault())
        print(f"{found[-1].row()} ({time.monotonic() - began:.0f} s)", file=sys.stderr, flush=True)
    print(table(found))
    if "--readme" in sys.argv:
        # Those of the kinds that were not made now stay as they are.
        merged = {count.fault: count for count in [*kept(), *found]}
        plain = [count._asdict() for count in merged.values()]
        COUNTS.write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return int(any(count.failures for count in found))


if __name__ == "__main__":
    sys.exit(main())
