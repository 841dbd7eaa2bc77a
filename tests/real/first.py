"""What stands on Home's first page, against what a reader wants to see first: `python -m tests.real.first HOMES`.

The app is opened on each checkout in a terminal of 120x36 (or `--size 80x24`), and the rows that its boxes show are
read once the whole index is there: one of "first" in the truth is there if a row's memory covers its line. A todo that
the strip above the boxes shows is on the page, too. `--verbose` names what is missing; with `--page` also homes of no
truth are shown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui import Vault
from memtui.core.model import Memory
from memtui.tui.app import MemtuiApp
from memtui.tui.row_list import Fixed, Rows
from memtui.tui.today import TodayGoal
from tests.real.__main__ import TRUTH

if TYPE_CHECKING:
    from collections.abc import Iterator

TOLD = 24
"""Characters from which a line is known by its words."""
PATIENCE = 120.0
"""Seconds until the boxes hold all that they will."""


async def read_page(vault: Vault, size: tuple[int, int]) -> tuple[list[Memory], set[tuple[str, str, int]], str]:
    """The memories whose rows are seen, the places that the strip's rows lead to, and the page as text."""
    app = MemtuiApp(vault, vault.config)
    async with app.run_test(size=size) as pilot:
        before: list[object] = []
        for _turn in range(int(PATIENCE / 0.3)):
            await pilot.pause(0.3)
            whole = not any(status.building for status in await asyncio.to_thread(vault.status))
            now: list[object] = [[getattr(item, "id", item) for item in rows.items] for rows in app.main.query(Rows)]
            if whole and app.main.reader.idle and now == before:
                break
            before = now if whole and app.main.reader.idle else []
        seen: list[Memory] = []
        places: set[tuple[str, str, int]] = set()
        lines: list[str] = []
        for rows in app.main.query(Rows):
            if not (rows.id or "").startswith("home-"):
                continue
            height = rows.scrollable_content_region.height
            lines.append(str(rows.border_title or ""))
            lines += [rows.render_line(y).text.rstrip() for y in range(height)]
            shown = rows.items[: height // rows.tall]
            seen += [item for item in shown if isinstance(item, Memory)]
            places |= {item.value.place for item in shown if isinstance(item, Fixed) and _leads(item.value)}
        return seen, places, "\n".join(lines)


def _leads(goal: object) -> bool:
    return isinstance(goal, TodayGoal) and goal.place is not None


def measure(root: Path, wanted: list[tuple[str, int]], size: tuple[int, int]) -> Iterator[tuple[str, int, bool]]:
    """Whether each wanted line is covered by a row on the page; first the page itself, as line 0."""
    with Vault.open([root]) as vault:
        seen, places, page = asyncio.run(read_page(vault, size))
    yield page, 0, True
    covered: dict[str, list[Memory]] = {}
    told = {((Path(home) / path).relative_to(root).as_posix(), line) for home, path, line in places}
    said = "\n".join(one.text for one in seen)
    for one in seen:
        covered.setdefault((Path(one.home) / one.path).relative_to(root).as_posix(), []).append(one)
    for path, line in wanted:
        there = (path, line) in told or any(one.start <= line <= one.last for one in covered.get(path, []))
        # The same words kept for another agent are on the page as well.
        yield path, line, there or _words(root / path, line) in said


def _words(file: Path, line: int) -> str:
    text = file.read_text(encoding="utf-8", errors="replace").splitlines()[line - 1].strip().lstrip("-*+>#0123456789. ")
    return text if len(text) >= TOLD else "\0"


def main() -> int:
    """Measure the homes that are there, print a line for each."""
    reading = argparse.ArgumentParser(prog="python -m tests.real.first", description=__doc__)
    reading.add_argument("homes", type=Path)
    reading.add_argument("--only", default="")
    reading.add_argument("--size", default="120x36")
    reading.add_argument("--verbose", action="store_true")
    reading.add_argument("--page", action="store_true", help="print what the boxes show")
    asked = reading.parse_args()
    width, _sign, height = asked.size.partition("x")
    good = total = 0
    for root in sorted(one.resolve() for one in asked.homes.iterdir()):
        file = TRUTH / f"{root.name}.json"
        if not root.is_dir() or asked.only not in root.name or not (file.is_file() or asked.page):
            continue
        truth = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {"first": []}
        wanted = [(one["path"], one["line"]) for one in truth["first"]]
        (page, _line, _there), *found = measure(root, wanted, (int(width), int(height)))
        seen = sum(there for _path, _number, there in found)
        good, total = good + seen, total + len(found)
        print(f"{truth.get('tool', ''):14} {root.name:44} {seen} of {len(found)}", flush=True)
        if asked.page:
            print(page)
        for path, line, there in found if asked.verbose else ():
            if not there:
                print(f"    missing: {path}:{line}")
    print(f"{good} of {total}" + (f" ({good / total:.0%})" if total else f": no home of {TRUTH} is at {asked.homes}"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
