"""The figures of a run: judged by their goals, kept as JSON, and shown in the manual."""

from __future__ import annotations

import json
import os
import platform
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

FIGURES = Path(__file__).with_name("figures.json")
GUARD = 2
"""A quick run on a busy machine lets a row stand at up to so many times its goal."""


class Figure(NamedTuple):
    """One row, measured with homes of one size."""

    family: str
    name: str
    goal: float
    unit: str
    files: int
    """0: the row brings its own home."""
    value: float | None
    """None: it could not run, or was left out, and `detail` says why."""
    detail: str
    date: str = ""
    left_out: bool = False

    @property
    def missed(self) -> bool:
        """Whether it could not run, or stands above its goal."""
        return not self.left_out and (self.value is None or self.value > self.goal)

    @property
    def broken(self) -> bool:
        """Whether it could not run, or stands so far above its goal that no busy machine explains it."""
        return not self.left_out and (self.value is None or self.value > self.goal * GUARD)


def render_line(figure: Figure) -> str:
    """One line for a terminal; `!` where the goal was missed."""
    files = f"{figure.files:,}" if figure.files else ""
    goal = f"{figure.goal:g} {figure.unit}"
    if figure.value is None:
        what = "left out" if figure.left_out else "failed"
        return f"{figure.name:58} {files:>8} {goal:>9} {what}: {figure.detail}"
    mark = "!" if figure.missed else " "
    return f"{figure.name:58} {files:>8} {goal:>9} {render_value(figure):>10} {mark} {figure.detail}"


def render_value(figure: Figure) -> str:
    """The value with its unit, in about three digits."""
    value = figure.value or 0.0
    if figure.unit == "lost":
        return f"{value:,.0f} lost"
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f} {figure.unit}"


def store_figures(file: Path, figures: Sequence[Figure], *, whole: bool = False) -> None:
    """Write the figures into a file, in place of the same rows' earlier ones; the others stay unless these are all."""
    known = {} if whole else {(one.family, one.name, one.files): one for one in load_figures(file)}
    known |= {(one.family, one.name, one.files): one for one in figures}
    plain = {"machine": _machine(), "figures": [one._asdict() for one in known.values()]}
    file.write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def load_figures(file: Path = FIGURES) -> list[Figure]:
    """The figures that a file holds; none where there is no such file."""
    if not file.exists():
        return []
    return [Figure(**one) for one in json.loads(file.read_text(encoding="utf-8"))["figures"]]


def _machine() -> dict[str, Any]:
    with open("/proc/meminfo", encoding="ascii") if os.path.exists("/proc/meminfo") else open(os.devnull) as file:
        memory = int((file.readline().split() or ["", "0"])[1]) // 1024**2
    return {
        "cores": os.cpu_count(),
        "memory": f"{memory} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def today() -> str:
    """The day of a measurement."""
    return time.strftime("%Y-%m-%d")


def table(file: Path = FIGURES) -> str:
    """The manual's table: every row with its goal, what missed it in bold, and where and when that was measured."""
    figures = load_figures(file)
    if not figures:
        return "Nothing was measured yet."
    machine = json.loads(file.read_text(encoding="utf-8"))["machine"]
    sizes = sorted({one.files for one in figures if one.files})
    rows = [["", "goal", *(f"{size:,} files" for size in sizes)], ["---", *["--:"] * (len(sizes) + 1)]]
    cells: dict[tuple[str, str], list[str]] = {}
    for one in figures:
        row = cells.setdefault((one.family, one.name), [f"≤ {one.goal:g} {one.unit}", *[""] * len(sizes)])
        found = render_value(one) if one.value is not None else "left out" if one.left_out else "failed"
        # What brings its own home stands in the first column; its name says how large that is.
        row[1 + (sizes.index(one.files) if one.files else 0)] = f"**{found}**" if one.missed else found
    rows += [[name.replace("|", "\\|"), *row] for (_, name), row in cells.items()]
    days = sorted({one.date for one in figures})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    about = f"{machine['cores']} cores, {machine['memory']}, {machine['system']}, Python {machine['python']}, {when}."
    return "\n".join([*(f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows), "", about])
