"""The app on a real pseudo-terminal: its start, its keys, its memory and its rest against the least Textual can do.

Where nothing else is said, vectors are off: they are made by a process of low priority for hours after a first start.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import time
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.fs.places import find_cache_directory, place
from memtui.index.queries import Index
from memtui.store.vault import Vault
from tests.speed.corpus import home as made
from tests.speed.index import build_cold
from tests.speed.measure import Measure, NotHereError, Row, Scale, percentile
from tests.speed.terminal import ROW, Rows, Terminal, command, settled

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from memtui.core.model import Home
    from memtui.fs.places import Place

ROUNDS = 7
KEYS = b"retry timeout deploy config session cache"
OFF = {"MEMTUI_VECTOR_BACKEND": "off"}
AWAY = 300
"""Seconds that a start may take before it counts as failed."""
STILL = 30
"""Seconds that Home may go on moving rows once the index is whole."""

MINIMAL = """
from textual.app import App
from textual.widgets import Static
class Minimal(App):
    def compose(self):
        yield Static("ready to be read")
Minimal().run()
"""
TICKING = MINIMAL.replace(
    "Minimal().run",
    """    def on_mount(self):
        self.set_interval(2, lambda: None)
Minimal().run""",
)
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
VIEWS = """
from textual.app import App
from textual.widgets import ContentSwitcher, OptionList
class Bare(App):
    BINDINGS = [("2", "show('first')", ""), ("3", "show('second')", "")]
    def compose(self):
        with ContentSwitcher(initial="first"):
            yield OptionList("ready to be read", *(f"option number {n}" for n in range(500)), id="first")
            yield OptionList(*(f"other number {n}" for n in range(500)), id="second")
    def action_show(self, view):
        self.query_one(ContentSwitcher).current = view
Bare().run()
"""
ROWS_SCRIPT = """
import sys
from textual.app import App
from textual.widgets import Static
from memtui.tui.draw import Look
from memtui.tui.row_list import Rows
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


# -- starting -------------------------------------------------------------------------------------------------------


def indexed(count: int) -> tuple[Home, Place]:
    """A home of that many files as the app takes it, its index current, and where that is."""
    with Vault.open([made(count).resolve()]) as vault:
        home = vault.homes[0]
    return home, place(home.path, home.layout)


def app(home: Home) -> list[str]:
    """The command that opens the app on a home."""
    return [sys.executable, "-m", "memtui", str(home.path)]


def python(script: str, *argv: str) -> list[str]:
    """A script as a command."""
    return [sys.executable, "-c", script, *argv]


def forget(where: Place, *, analysis: bool = False) -> None:
    """Remove a home's index with all that was computed of it, or what the analysis did alone."""
    if not analysis:
        shutil.rmtree(where.directory, ignore_errors=True)
        os.makedirs(where.directory, mode=0o700)
    for file in where.directory.glob("analysis*"):
        file.unlink()


def started(argv: Sequence[str], words: str | re.Pattern[bytes]) -> float:
    """Seconds until the words are on the screen."""
    with Terminal(argv, OFF) as terminal:
        return terminal.wait_for(words, AWAY)


def compare(
    ours: tuple[Sequence[str], str | re.Pattern[bytes]], limit: tuple[Sequence[str], str], rounds: int
) -> Measure:
    """Two programs started in turns."""
    turns = [(started(*ours), started(*limit)) for _ in range(rounds + 1)][1:]
    one, other = (statistics.median(column) * 1000 for column in zip(*turns, strict=True))
    return Measure(statistics.median(a / b for a, b in turns), f"{one:.0f} ms against {other:.0f} ms")


def start(scale: Scale) -> Measure:
    """Until rows stand on Home; the index is warm."""
    home, _ = indexed(scale.files)
    return compare((app(home), ROW), (python(MINIMAL), "ready to be read"), scale.times(ROUNDS, 4))


def picture(scale: Scale) -> Measure:
    """Until Home's rows stand there as they were when the app was left, before the app itself is loaded."""
    home, _ = indexed(scale.files)
    with Terminal(app(home), OFF) as first:
        first.wait_for(ROW, AWAY)
        first.rest(AWAY)
        first.press(b"q")
        first.pause(5)
    found = compare((app(home), "opening"), (python(MINIMAL), "ready to be read"), scale.times(ROUNDS, 4))
    shutil.rmtree(find_cache_directory() / "pictures")
    return found


class Cold(NamedTuple):
    """Starts of an app whose index is not there, the seconds of each."""

    first: list[float]
    """Until the first row stands on Home."""
    whole: list[float]
    """Until all rows of Home stand where they stay."""
    bare: list[float]
    """The first frame of the least app."""
    build: list[float]
    """The index alone, from its start to all searchable."""


@cache
def cold(scale: Scale) -> Cold:
    """Cold starts in turns with a bare app and the bare build."""
    home, where = indexed(scale.files)
    with Terminal(app(home), OFF) as warm:
        warm.wait_for(ROW, AWAY)
        warm.rest(AWAY)
        final = settled(warm.chunks)[1]
    found = Cold([], [], [], [])
    for _ in range(scale.times(5 if scale.files <= 1_000 else 2, 2)):
        found.bare.append(started(python(MINIMAL), "ready to be read"))
        found.build.append(build_cold(home, where))
        forget(where)
        with Terminal(app(home), OFF) as terminal:
            found.first.append(terminal.wait_for(ROW, AWAY))
            # Drawn once the index is whole: while it grows, nothing else is asked of this machine.
            _filled(terminal, where, scale.files)
            since, rows = settled(terminal.chunks)
            until = time.perf_counter() + STILL
            while rows != final and time.perf_counter() < until:
                terminal.pause(2)
                since, rows = settled(terminal.chunks)
        if rows != final:
            raise AssertionError(
                f"Home stays another after a cold start: {_text(rows - final)} for {_text(final - rows)}"
            )
        found.whole.append(since)
    indexed(scale.files)
    return found


def _text(rows: Rows) -> str:
    """Characters of the screen as they are read, line by line."""
    lines: dict[int, str] = {}
    for line, _, character in sorted(rows):
        lines[line] = lines.get(line, "") + character
    return repr(" / ".join(lines.values())[:120])


def _filled(terminal: Terminal, where: Place, count: int) -> None:
    """Until every file is in the index."""
    while terminal.began + AWAY > time.perf_counter():
        terminal.pause(0.5)
        try:
            with Index.open(where) as index:
                if index.db.execute("SELECT count(*) FROM file").get >= count:
                    break
        except Exception:
            continue
    terminal.pause(0.7)


def first_row(scale: Scale) -> Measure:
    """Cold: until the first row stands on Home, over the first frame of a bare app."""
    found = cold(scale)
    ratio = statistics.median(one / bare for one, bare in zip(found.first, found.bare, strict=True))
    one, other = statistics.median(found.first), statistics.median(found.bare)
    return Measure(ratio, f"{one * 1e3:,.0f} ms against {other * 1e3:.0f} ms")


def all_rows(scale: Scale) -> Measure:
    """Cold: until all rows stand on Home in their final order, over the index's build alone."""
    found = cold(scale)
    ratio = statistics.median(one / build for one, build in zip(found.whole, found.build, strict=True))
    one, other = statistics.median(found.whole), statistics.median(found.build)
    return Measure(ratio, f"{one:.2f} s, the build alone {other:.2f} s")


def long_list(scale: Scale) -> Measure:
    """A hundred thousand rows, and an empty screen."""
    return compare(
        (python(ROWS_SCRIPT, "100000"), "ready to be read"),
        (python(ROWS_SCRIPT, "0"), "ready to be read"),
        scale.times(ROUNDS, 4),
    )


# -- keys -----------------------------------------------------------------------------------------------------------


def judged(mine: list[float], theirs: list[float], more: str = "") -> Measure:
    """The worse of the medians' and the 95th percentiles' ratios, the latter allowed a third more."""
    middle = statistics.median(mine) / statistics.median(theirs)
    worst = percentile(mine, 0.95) / percentile(theirs, 0.95)
    detail = (
        f"median {statistics.median(mine) * 1000:.1f} against {statistics.median(theirs) * 1000:.1f} ms"
        f" ({middle:.2f} ×),"
        f" p95 {percentile(mine, 0.95) * 1000:.1f} against {percentile(theirs, 0.95) * 1000:.1f} ms ({worst:.2f} ×)"
    )
    return Measure(max(middle, worst * 0.75), detail + more)


def press(scale: Scale, before: bytes, limit: Sequence[str], pressed: Sequence[bytes]) -> Measure:
    """The same keys in the app and in a bare one, one by one in turns, once both are at rest."""
    home, _ = indexed(scale.files)
    pressed = pressed[: scale.times(len(pressed), 15)]
    with Terminal(app(home), OFF) as one, Terminal(limit) as other:
        one.wait_for(ROW, AWAY)
        other.wait_for("ready to be read")
        one.rest(scale.times(60, 10), 1)
        one.press(before)
        still = 0.05 if scale.quick else 0.12
        turns = [(one.press(key, still=still), other.press(key, still=still)) for key in pressed]
    mine, theirs = map(list, zip(*turns, strict=True))
    return judged(mine, theirs)


def typing(scale: Scale) -> Measure:
    """Letters in Search, and in a bare input."""
    return press(scale, b"/", python(INPUT), [bytes([letter]) for letter in KEYS])


def moving(scale: Scale) -> Measure:
    """Down a list with the text beside it, and down a bare list."""
    return press(scale, b"2", python(LIST), [b"\x1b[B"] * len(KEYS))


def typing_meanwhile(scale: Scale) -> Measure:
    """Letters in Search from the first row on, while memories are analyzed anew, and in a bare input."""
    home, where = indexed(scale.files)
    forget(where, analysis=True)
    turns: list[tuple[float, float]] = []
    busy = 0
    with Terminal(python(INPUT)) as other:
        other.wait_for("ready to be read")
        with Terminal(app(home), OFF) as one:
            one.wait_for(ROW, AWAY)
            one.press(b"/", still=0.03)
            for letter in KEYS[: scale.times(len(KEYS), 15)]:
                before = one.spent()
                turns.append((one.press(bytes([letter]), still=0.03), other.press(bytes([letter]), still=0.03)))
                busy += "analysis" in " ".join(map(command, one.family()[1:])) or one.spent() - before > 0.05
    mine, theirs = map(list, zip(*turns, strict=True))
    return judged(mine, theirs, f", at {busy} of {len(turns)} keys it was busy with more")


def views(scale: Scale) -> Measure:
    """From Facts to Timeline and back until rows stand there, and between two bare lists; 95 of 100 take no longer."""
    home, _ = indexed(scale.files)
    mine, theirs = [], []
    with Terminal(app(home), OFF) as one, Terminal(python(VIEWS)) as other:
        one.wait_for(ROW, AWAY)
        other.wait_for("ready to be read")
        one.rest(scale.times(60, 10), 1)
        still = 0.05 if scale.quick else 0.12
        for turn in range(scale.times(40, 12) + 4):
            key, words = (b"2", "option number") if turn % 2 else (b"3", "other number")
            ours, limit = one.show(key, ROW, still=still), other.show(key, words, still=still)
            # The first time a view is made.
            if turn >= 4:
                mine.append(ours)
                theirs.append(limit)
    worst = percentile(mine, 0.95) / percentile(theirs, 0.95)
    detail = (
        f"p95 {percentile(mine, 0.95) * 1000:.0f} against {percentile(theirs, 0.95) * 1000:.0f} ms,"
        f" median {statistics.median(mine) * 1000:.0f} against {statistics.median(theirs) * 1000:.0f} ms"
    )
    return Measure(worst, detail)


# -- at rest --------------------------------------------------------------------------------------------------------


class Rest(NamedTuple):
    """What an app costs once all is quiet."""

    own: float
    """Megabytes of the app's process."""
    bare: float
    """Megabytes of the least app."""
    shares: dict[str, float]
    """Megabytes by process, what they share counted once."""
    idle: float
    """Seconds of processor that all of them used in `seconds`."""
    ticking: float
    """The same of a bare app that only looks at the clock every two seconds."""
    seconds: float
    calm: bool


@cache
def rest(scale: Scale) -> Rest:
    """An app that has come to rest after its first analysis, looked at for a minute."""
    if sys.platform != "linux":
        raise NotHereError("only Linux tells what a family of processes holds")
    home, where = indexed(scale.files)
    forget(where, analysis=True)
    with Terminal(app(home), OFF) as one, Terminal(python(TICKING)) as other:
        one.wait_for(ROW, AWAY)
        other.wait_for("ready to be read")
        # What is computed of memories begins some seconds after the first frame.
        one.pause(scale.times(5, 3))
        calm = one.rest(scale.times(AWAY, 20))
        # What comes once after a start is no rest: where ten seconds have to do, the quieter ten of twenty.
        used, ticking, seconds = min(_idle_through(one, other, scale.times(60, 10)) for _ in range(scale.times(1, 2)))
        shares = {f"{command(process)[-40:]} ({process})": size for process, size in one.shares().items()}
        return Rest(one.resident(), other.resident(), shares, used, ticking, seconds, calm)


def _idle_through(one: Terminal, other: Terminal, seconds: float) -> tuple[float, float, float]:
    """Seconds of processor that both apps used meanwhile, and how long that was by the clock."""
    before, ticking, began = one.spent(), other.spent(), time.perf_counter()
    one.pause(seconds)
    return one.spent() - before, other.spent() - ticking, time.perf_counter() - began


def _rested(found: Rest) -> str:
    return "" if found.calm else ", and it had not come to rest"


def resident(scale: Scale) -> Measure:
    """Memory of the app's process at rest, after the first analysis."""
    found = rest(scale)
    return Measure(found.own, f"a bare app {found.bare:.1f} MB{_rested(found)}")


def resident_over(scale: Scale) -> Measure:
    """The same over a bare app's."""
    found = rest(scale)
    return Measure(found.own / (found.bare or 1), f"{found.own:.1f} MB against {found.bare:.1f} MB")


def together(scale: Scale) -> Measure:
    """Memory of all processes of the app at rest, shared pages counted once."""
    found = rest(scale)
    listed = ", ".join(f"{size:.1f} MB {name}" for name, size in found.shares.items())
    return Measure(sum(found.shares.values()), f"{len(found.shares)} processes: {listed}{_rested(found)}")


def idle(scale: Scale) -> Measure:
    """The share of a core that the app's processes use while nothing happens, beyond what a bare app's clock costs."""
    found = rest(scale)
    detail = f"{found.idle * 1e3:.0f} ms in {found.seconds:.0f} s, a bare app {found.ticking * 1e3:.0f} ms"
    return Measure(max(found.idle - found.ticking, 0) / found.seconds * 100, detail + _rested(found))


ROWS = (
    Row("cold start → the first row on Home", 3.0, "×", first_row),
    Row("cold start → all rows in their final order / build", 1.3, "×", all_rows, small=2.5),
    Row("warm start → the first row on Home", 1.25, "×", start),
    Row("warm start → Home's rows as they were", 0.5, "×", picture),
    Row("100,000 rows, first paint", 1.2, "×", long_list, once=True),
    Row("a key in Search to its first bytes", 1.5, "×", typing),
    Row("a key in Search, during analysis", 2.0, "×", typing_meanwhile, small=3.0),
    Row("a key in a list to its first bytes", 1.5, "×", moving),
    Row("a view switch, p95 over a bare one", 2.0, "×", views),
    Row("resident memory of the app's process", 60.0, "MB", resident),
    Row("resident memory over a bare app's", 1.6, "×", resident_over),
    Row("memory of all processes at rest", 120.0, "MB", together),
    # Ten seconds after a start are no minute of rest.
    Row("processor while nothing happens", 0.3, "%", idle, small=1.2),
)
