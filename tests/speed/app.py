"""The app on a real pseudo-terminal: its start, its keys and its memory against the least that Textual can do."""

from __future__ import annotations

import statistics
import sys
from typing import TYPE_CHECKING

from memtui.vault import Vault
from tests.speed.corpus import home as made
from tests.speed.measure import Measure, Row, percentile
from tests.speed.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

ROUNDS = 7
KEYS = 40
SAVES = 40

MINIMAL = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    def compose(self):
        yield Static("ready to be read")
Minimal().run()
"""
INPUT = """
from textual.app import App
from textual.widgets import Input
class Bare(App):
    def compose(self):
        yield Input(placeholder="ready to be read")
Bare().run()
"""
LIST = """
from textual.app import App
from textual.widgets import OptionList
class Bare(App):
    def compose(self):
        yield OptionList("ready to be read", *(f"option number {n}" for n in range(500)))
Bare().run()
"""
ROWS_SCRIPT = """
import sys
from textual.app import App
from textual.widgets import Static
from memtui.tui.look import Look
from memtui.tui.rows import Rows
class Long(App):
    def compose(self):
        if sys.argv[1] == "0":
            yield Static("ready to be read")
        else:
            yield Rows(lambda item, brush: [[(f"row number {item}: ready to be read", "")]], self.look)
    def look(self):
        return Look(self.theme_variables, ansi=False, mono=False)
    def on_mount(self):
        for rows in self.query(Rows):
            rows.show(range(int(sys.argv[1])))
Long().run()
"""


def app(count: int) -> list[str]:
    """The command that opens the app on a home of that many files; its index is warm."""
    root = str(made(count).resolve())
    with Vault.open([root]):
        pass
    return [sys.executable, "-m", "memtui", root]


def python(script: str, *argv: str) -> list[str]:
    """A script as a command."""
    return [sys.executable, "-c", script, *argv]


def started(argv: Sequence[str], words: str) -> float:
    """Seconds until the words are on the screen."""
    with Terminal(argv) as terminal:
        return terminal.wait_for(words)


def against(ours: tuple[Sequence[str], str], limit: tuple[Sequence[str], str]) -> Measure:
    """Two programs started in turns."""
    turns = [(started(*ours), started(*limit)) for _ in range(ROUNDS + 1)][1:]
    one, other = (statistics.median(column) * 1000 for column in zip(*turns, strict=True))
    return Measure(statistics.median(a / b for a, b in turns), f"{one:.0f} ms against {other:.0f} ms")


def start(count: int) -> Measure:
    """Until the counts of Home stand over its rows."""
    return against((app(count), "Facts · L1 · "), (python(MINIMAL), "ready to be read"))


def painted(_count: int) -> Measure:
    """A hundred thousand rows, and an empty screen."""
    return against(
        (python(ROWS_SCRIPT, "100000"), "ready to be read"), (python(ROWS_SCRIPT, "0"), "ready to be read")
    )


def keys(ours: tuple[Sequence[str], str, bytes], limit: Sequence[str], pressed: Sequence[bytes]) -> Measure:
    """The same keys in both, one by one in turns; the worse of the medians' and the 95th percentiles' ratios,
    the latter allowed a third more.
    """
    argv, words, before = ours
    with Terminal(argv) as one, Terminal(limit) as other:
        one.wait_for(words)
        other.wait_for("ready to be read")
        one.quiet(0.5)
        other.quiet(0.5)
        for key in before.split(b" "):
            one.press(key)
        one.quiet(0.5)
        mine, theirs = [], []
        for key in pressed:
            mine.append(one.press(key))
            theirs.append(other.press(key))
    middle = statistics.median(mine) / statistics.median(theirs)
    worst = percentile(mine, 0.95) / percentile(theirs, 0.95)
    detail = (
        f"median {statistics.median(mine) * 1000:.1f} against {statistics.median(theirs) * 1000:.1f} ms"
        f" ({middle:.2f} ×),"
        f" p95 {percentile(mine, 0.95) * 1000:.1f} against {percentile(theirs, 0.95) * 1000:.1f} ms ({worst:.2f} ×)"
    )
    return Measure(max(middle, worst * 0.75), detail)


def typing(count: int) -> Measure:
    """Letters in Search, and in a bare input."""
    letters = [bytes([letter]) for letter in b"retry timeout deploy config session cache"][:KEYS]
    return keys((app(count), "Facts · L1 · ", b"/"), python(INPUT), letters)


def moving(count: int) -> Measure:
    """Down a list with the text beside it, and down a bare list."""
    return keys((app(count), "Facts · L1 · ", b"2"), python(LIST), [b"\x1b[B"] * KEYS)


def repainted(count: int) -> Measure:
    """Lines that another program appends to a journal, until they stand on Home: 95 of 100, in milliseconds."""
    journal = made(count) / "daily" / "000" / "2026-12-31-live.md"
    journal.unlink(missing_ok=True)
    times = []
    with Terminal(app(count)) as terminal:
        terminal.wait_for("● live")
        terminal.quiet(1.0)
        try:
            for number in range(SAVES):
                with journal.open("a", encoding="utf-8") as file:
                    file.write(f"- 2026-12-31T23:{number:02}:00Z [note] live{number}word 刚刚保存\n")
                times.append(terminal.see(f"live{number}word"))
                terminal.quiet(0.2, 0.6)
        finally:
            journal.unlink(missing_ok=True)
    lost = sum(one >= 5 for one in times)
    middle, late = percentile(times, 0.5) * 1000, percentile(times, 0.95) * 1000
    return Measure(late, f"p50 {middle:.1f} ms, the longest {max(times) * 1000:.1f}, {lost} of {SAVES} lost")


def resident(count: int) -> Measure:
    """Memory of the app when all is quiet, and of the least app."""
    with Terminal(app(count)) as one, Terminal(python(MINIMAL)) as other:
        one.wait_for("Facts · L1 · ")
        other.wait_for("ready to be read")
        one.quiet(1.5)
        other.quiet(0.5)
        mine, theirs = one.resident(), other.resident()
    return Measure(mine / theirs if theirs else 0.0, f"{mine:.1f} MB against {theirs:.1f} MB")


ROWS = (
    Row("start to the first frame with rows", 1.25, "×", start),
    Row("100,000 rows, first paint", 1.2, "×", painted),
    Row("a key in Search to its first bytes", 1.5, "×", typing),
    Row("a key in a list to its first bytes", 1.5, "×", moving),
    Row("saved by another process → on the screen, p95", 33.0, "ms", repainted),
    Row("resident memory of the app", 1.5, "×", resident),
)
