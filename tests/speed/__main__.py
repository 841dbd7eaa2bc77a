"""`python -m tests.speed`: the table of what memtui costs against what is possible.

    --large       homes of 100,000 files, too
    --files N     homes of so many files instead of 1,000 and 10,000; several times for several sizes
    --only NAME   only rows whose family or name holds this
    --quick       homes of 300 files and few rounds, in about a minute: a guard for every change
    --json FILE   write the figures there: all, or with --only in place of the same rows' earlier ones
    --readme      write them where the manual's table comes from, too, and that table

A row that raises is `failed: reason`, and the others go on; one whose peer is not installed is `left out`.
The exit status counts the rows that failed or missed their goals. With `--quick` it counts those only that could not
run or stand beyond twice their goal three times, rows in milliseconds and megabytes included: few rounds on a busy
machine tell no more.

To add rows, write `tests/speed/<family>.py` with `ROWS`, a tuple of `Row`, and its name in FAMILIES.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import tempfile
import time
import traceback
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from tests.speed.corpus import HOMES
from tests.speed.measure import NotHereError, Scale
from tests.speed.table import FIGURES, Figure, render_line, store_figures, today

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from tests.speed.measure import Row

FAMILIES = ("index", "live", "query", "vectors", "hybrid", "cli", "hooks", "app", "saves", "bulk", "team")
QUICK = 300
TRIES = 3
LONGEST = 3600
"""Seconds after which a row counts as stuck; a thirtieth of them where it has to be quick."""


def main() -> int:
    """Print the table; the exit status counts the rows that missed their goal."""
    options = _arguments()
    sizes = options.files or [1_000, 10_000] + ([100_000] if options.large else [])
    scales = [Scale(QUICK, quick=True)] if options.quick else [Scale(size) for size in sizes]
    # Both sides of every start are measured as installed: compiled once, as pip and Python do it.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Whoever ends this ends what it started, and leaves the homes as they were.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with _alone(), tempfile.TemporaryDirectory(prefix="memtui-speed-", ignore_cleanup_errors=True) as own:
        for kind in ("CACHE", "STATE", "CONFIG", "DATA"):
            os.environ[f"XDG_{kind}_HOME"] = os.path.join(own, kind.lower())
        began = time.perf_counter()
        print(f"{'what':58} {'files':>8} {'goal':>9} {'found':>10}   details")
        figures = []
        kept = [file for file in (options.json, FIGURES if options.readme else None) if file]
        for figure in measure(options.only, scales):
            figures.append(figure)
            print(render_line(figure), flush=True)
            for file in kept:
                store_figures(file, [figure])
    wrong = sum(one.broken if options.quick else one.missed for one in figures)
    print(f"{len(figures)} figures in {time.perf_counter() - began:.0f} s, {wrong} wrong")
    for file in kept if figures and not options.only else ():
        store_figures(file, figures, whole=True)
    if options.readme:
        from tests.readme import write_pages

        write_pages()
    return min(wrong, 100)


@contextmanager
def _alone() -> Iterator[None]:
    """One run at a time: two would measure each other, and write to the same homes."""
    HOMES.mkdir(parents=True, exist_ok=True)
    lock = FileLock(HOMES / "lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        print("waiting for another run of this to end", file=sys.stderr, flush=True)
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--files", type=int, action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--readme", action="store_true")
    options = parser.parse_args()
    if options.quick and (options.readme or options.large or options.files):
        parser.error("--quick has homes of its own, and nothing for a reader")
    return options


def measure(only: str, scales: list[Scale]) -> Iterator[Figure]:
    """Every row at every scale, one after the other."""
    for family in FAMILIES:
        try:
            rows: tuple[Row, ...] = import_module(f"tests.speed.{family}").ROWS
        except Exception as error:
            if only in family:
                yield Figure(family, family, 0, "×", 0, None, _reason(error), today())
            continue
        for row in rows:
            if only in f"{family} {row.name}":
                for scale in scales[:1] if row.once else scales:
                    yield (measure_again(family, row, scale) if scale.quick else measure_row(family, row, scale))


def measure_again(family: str, row: Row, scale: Scale) -> Figure:
    """One figure, the best of three where the first is broken: a busy moment passes, what is slow is slow each time."""
    best = measure_row(family, row, scale)
    for attempt in range(1, TRIES):
        if not best.broken:
            break
        found = measure_row(family, row, scale._replace(attempt=attempt))
        if best.value is None or (found.value is not None and found.value < best.value):
            best = found
    return best


def measure_row(family: str, row: Row, scale: Scale) -> Figure:
    """One figure; whatever a row raises is its reason."""
    gc.collect()
    files, goal = 0 if row.once else scale.files, row.wanted(scale)
    try:
        with _limited(scale.times(LONGEST, LONGEST // 30)):
            found = row.run(scale)
    except NotHereError as error:
        return Figure(family, row.name, goal, row.unit, files, None, str(error), today(), left_out=True)
    except Exception as error:
        return Figure(family, row.name, goal, row.unit, files, None, _reason(error), today())
    return Figure(family, row.name, goal, row.unit, files, found.value, found.detail, today())


def _reason(error: Exception) -> str:
    place = traceback.extract_tb(error.__traceback__)[-1]
    told = " ".join(str(error).split())[:300]
    return f"{type(error).__name__}: {told} ({os.path.basename(place.filename)}:{place.lineno})"


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    """Whatever takes longer raises a TimeoutError: one row that is stuck must not hide the others."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stuck(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, stuck)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    sys.exit(main())
