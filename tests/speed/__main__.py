"""`python -m tests.speed [--large] [--only NAME]`: the table of what memtui costs against what is possible.

To add rows, write `tests/speed/<family>.py` with `ROWS`, a tuple of `Row`, and its name in FAMILIES.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
from importlib import import_module

FAMILIES = ("index", "live", "query", "vectors", "hybrid", "cli", "hooks", "app")


def main() -> int:
    """Print the table; the exit status counts the rows that missed their goal."""
    parser = argparse.ArgumentParser(prog="python -m tests.speed", description=__doc__)
    parser.add_argument("--large", action="store_true", help="with homes of 100,000 files, too")
    parser.add_argument(
        "--files", type=int, action="append", help="sizes of homes instead of 1,000 and 10,000"
    )
    parser.add_argument("--only", default="", help="only rows whose family or name holds this")
    options = parser.parse_args()
    sizes = options.files or [1_000, 10_000] + ([100_000] if options.large else [])
    missed = 0
    # Both sides of every start are measured as installed: compiled once, as pip and Python do it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="memtui-speed-") as own:
        for kind in ("CACHE", "STATE", "CONFIG", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = os.path.join(own, kind.lower())
        print(f"{'what':44} {'files':>8} {'goal':>9} {'found':>9}   details")
        for family in FAMILIES:
            for row in getattr(import_module(f"tests.speed.{family}"), "ROWS", ()):
                if options.only not in f"{family} {row.name}":
                    continue
                for size in sizes:
                    gc.collect()
                    found = row.run(size)
                    missed += found.value > row.goal
                    mark = " " if found.value <= row.goal else "!"
                    goal, value = f"{row.goal:g} {row.unit}", f"{found.value:.2f} {row.unit}"
                    print(f"{row.name:44} {size:8,} {goal:>9} {value:>9} {mark} {found.detail}", flush=True)
    return missed


if __name__ == "__main__":
    sys.exit(main())
