"""What was measured, on the terminal and in the manual."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

KEPT = Path(__file__).with_name("results.json")
NAMES = {
    "signals": "signals, by session and type",
    "problems": "problems that come back",
    "contradictions": "facts that contradict",
    "duplicates": "duplicate facts",
}


def say(result: Mapping[str, Any], *, misses: bool) -> None:
    """One home, for a person."""
    print(f"{result['layout']}: {result['sessions']} sessions, seed {result['seed']}")
    for name, title in NAMES.items():
        score = result[name]
        told = f"precision {score['precision']:.3f}  recall {score['recall']:.3f}"
        print(f"  {title:30} {told}  ({score['found']} found, {score['wanted']} planted)")
    lessons = result["lessons"]
    print(f"  {'lessons by their success':30} Spearman {lessons['spearman']:.3f}  ({lessons['found']} lessons)")
    print(f"  {'twice the same':30} {'yes' if result['same'] else 'NO'}")
    for name, seconds in result["seconds"].items():
        print(f"  {name:30} {seconds:.2f} s")
    for name, lines in result["misses"].items() if misses else ():
        for line in lines:
            print(f"    {name}: {line}")


def table(results: Sequence[Mapping[str, Any]]) -> str:
    """One column a home, as the manual shows it."""
    rows = [
        ["", *(f"{one['layout']}, {one['sessions']} sessions" for one in results)],
        ["---", *["--:"] * len(results)],
    ]
    for name, title in NAMES.items():
        cells = (f"{one[name]['precision']:.2f} / {one[name]['recall']:.2f}" for one in results)
        rows.append([f"{title}, precision / recall", *cells])
    ranks = (f"{one['lessons']['spearman']:.2f}" for one in results)
    rows.append(["lessons ranked as their success was planted, Spearman", *ranks])
    rows.append(["twice the same", *("yes" if one["same"] else "no" for one in results)])
    rows += [
        [f"{name}, seconds", *(f"{one['seconds'][name]:.1f}" for one in results)]
        for name in ("backfill", "weekly consolidation")
    ]
    return "\n".join(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows)


def kept() -> list[dict[str, Any]]:
    """What was measured last."""
    found: list[dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))
    return found


def keep(results: Sequence[Mapping[str, Any]]) -> None:
    """Keep what was measured, and write the manual's table of it."""
    from tests.readme import write_pages

    plain = [{key: value for key, value in one.items() if key != "misses"} for one in results]
    KEPT.write_text(json.dumps(plain, indent=2) + "\n", "utf-8")
    write_pages()
