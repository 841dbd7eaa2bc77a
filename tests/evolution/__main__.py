"""How well a year is learned from: `python -m tests.evolution [--sessions N] [--seed N] [--layout NAME]… [--json]`.

    --sessions N     how many sessions the year has (600)
    --seed N         another year of the same kind
    --layout NAME    memtui or code-memory; several times for both, which is what is measured unless one is named
    --keep DIR       make the homes there, and leave them
    --misses         what was missed, and what was found that nobody planted
    --json           one JSON document with everything
    --readme         keep the result for the README, and write its table

A year is made with known troubles, lessons of known worth and facts that are known to clash; then it is heard, shown
and consolidated as the app and the commands do it, and what they found is held against what is true.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.evolution import replay, table, year

LAYOUTS = ("memtui", "code-memory")


def main() -> int:
    """Measure; 1 where the year was not read twice the same."""
    asked = _arguments()
    os.environ |= {"MEMTUI_NOW": year.NOW, "MEMTUI_TZ": "UTC"}
    results: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="memtui-year-") as scratch:
        base = Path(asked.keep or scratch).resolve()
        for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            os.environ[name] = str(Path(scratch) / name.lower())
        os.environ["MEMTUI_VECTOR_BACKEND"] = "off"
        for layout in asked.layout or LAYOUTS:
            began = time.perf_counter()
            result = replay.measured(base / layout, layout, asked.seed, asked.sessions)
            result["seconds"]["all"] = round(time.perf_counter() - began, 2)
            results.append(result)
            if not asked.json:
                table.say(result, misses=asked.misses)
    if asked.json:
        json.dump(results, sys.stdout, ensure_ascii=False, indent=2)
        print()
    if asked.readme:
        table.keep(results)
    return 0 if all(result["same"] for result in results) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.evolution", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sessions", type=int, default=600)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--layout", action="append", choices=LAYOUTS)
    parser.add_argument("--keep", metavar="DIR", default="")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--readme", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
