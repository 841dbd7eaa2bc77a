"""How large the house is, and how far one walks in it: `python -m tests.house`.

Counts files, lines, names that stand twice, circles and local imports, the modules that a search and the first frame
load, and the files, functions and threads that three everyday things enter: a file that somebody saved until it stands
in the Facts pane, `a` in Review until it stands on the disk and the pane shows it, one letter in Search until the hits.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.test_floors import (
    ROOT,
    find_circles,
    module_imports,
    modules,
    parse_module,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.tui.conftest import Desk


PATIENCE = 240.0
"""Seconds for one walk, on a machine that has much else to do."""


class Trace:
    """The files, functions and threads of ours that run while it is on."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, str, int]] = set()
        self.threads: dict[int, str] = {}
        self.on = False

    def begin(self) -> None:
        """What runs from now on counts."""
        self.functions.clear()
        self.threads.clear()
        self.on = True

    def note(self, frame: Any, event: str, _argument: object) -> None:
        """The interpreter's profile hook."""
        if self.on and event == "call":
            code = frame.f_code
            # A body of a module or class runs once, when it is imported; what is in angle brackets is no function.
            named = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
            if named and code.co_filename.startswith(str(ROOT)):
                self.functions.add((code.co_filename, code.co_name, code.co_firstlineno))
                if (me := threading.get_ident()) not in self.threads:
                    self.threads[me] = threading.current_thread().name

    def end(self) -> str:
        """Files, functions, threads until now; and which threads."""
        self.on = False
        files = {file for file, _name, _line in self.functions}
        # watchdog's own have numbers.
        names = Counter(name.split("-")[-1] if name.startswith("memtui") else name for name in self.threads.values())
        which = ", ".join(f"{name} × {count}" if count > 1 else name for name, count in sorted(names.items()))
        return f"{len(files)} files, {len(self.functions)} functions, {len(self.threads)} threads ({which})"


async def walk_app(trace: Trace) -> dict[str, str]:
    """The three ways through the app and its threads, on a copy of the demo homes."""
    from memtui import Vault, demo
    from memtui.core.config import load
    from memtui.tui.app import MemtuiApp
    from tests.tui.conftest import Desk

    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        homes = demo.copy(Path(place))
        vault = Vault.open([str(path) for path in homes], config=load()[0], shared=True)
        app = MemtuiApp(vault, vault.config)
        analyst = app.main.context.analyst
        # As `memtui` runs it: what is computed of memories is computed in the analysis process.
        analyst.prepare()
        async with app.run_test(size=(120, 36)) as pilot:
            desk = Desk(app, pilot)
            vault.watch()
            app.main.analyse()
            rules = next(Path(place).rglob("rules.md"))

            def save() -> None:
                rules.write_text(
                    f"{rules.read_text('utf-8')}\n- A house of few rooms is soon walked through\n", "utf-8"
                )

            async def walk(name: str, act: Callable[[], object], shown: Callable[[], bool]) -> None:
                # It rests after a run; whoever presses a key mostly does so when it is done.
                analyst.wake(now=True)
                await until(lambda: not analyst.busy)
                await rest(desk)
                trace.begin()
                done = act()
                if inspect.isawaitable(done):
                    await done
                await until(shown)
                found[name] = trace.end()

            await pilot.press("2", "G")
            await walk("file saved -> pane", save, lambda: "· 106 ━" in desk.text())
            await pilot.press("5")
            await rest(desk)
            # Those above are asked about before they are written.
            await pilot.press("j", "j", "j")
            await walk("a in Review -> disk -> pane", partial(pilot.press, "a"), lambda: " approved “" in desk.text())
            await pilot.press("slash")
            await walk("a letter in Search -> hits", partial(pilot.press, "d"), lambda: "─ Search · " in desk.text())
        vault.close()
    return found


async def until(told: Callable[[], bool]) -> None:
    """Until it is so, to the millisecond: what comes behind it belongs to no walk."""
    end = time.monotonic() + PATIENCE
    while not told():
        assert time.monotonic() < end
        await asyncio.sleep(0.001)


async def rest(desk: Desk) -> None:
    """Nothing has run for a while: what follows is of what is done next."""
    for _turn in range(4):
        await desk.settled()
        await desk.pilot.pause(0.5)


def count_lines(root: Path) -> tuple[int, int]:
    """Python files under a directory, and their lines."""
    files = [path for path in root.rglob("*.py") if "homes" not in path.relative_to(root).parts]
    return len(files), sum(path.read_text("utf-8").count("\n") for path in files)


def count_twice() -> tuple[int, int]:
    """Names that stand more than once: modules, public classes."""
    names = Counter(name.split(".")[-1] for name in modules() if name.count("."))
    classes = Counter(
        node.name
        for name in modules()
        for node in parse_module(name).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return (
        sum(times > 1 for times in names.values()),
        sum(times > 1 for times in classes.values()),
    )


def count_loaded(code: str, *argv: str) -> int:
    """Modules of ours that a fresh interpreter holds once `code` has run."""
    ending = "\nimport sys as _s; _s.stderr.write(str(sum(m.startswith('memtui') for m in _s.modules)))"
    with tempfile.TemporaryDirectory() as place:
        env = {**os.environ, "XDG_CACHE_HOME": place, "XDG_STATE_HOME": place}
        for _turn in range(2):
            done = subprocess.run(
                [sys.executable, "-c", code + ending, *argv],
                capture_output=True,
                text=True,
                check=True,
                cwd=ROOT.parent,
                env=env,
            )
    return int(done.stderr.split()[-1])


SEARCH = "import sys\nfrom memtui.cli.run import run\nrun(sys.argv[1:])"
FRAME = """
import asyncio, os, sys
from pathlib import Path
from memtui import Vault, demo
from memtui.tui import screen
from memtui.tui.app import MemtuiApp
async def show(keys):
    if not keys:
        # On a machine that has much else to do, what is loaded behind the first frame would count as well.
        screen.SOON = screen.LATER = 60.0
    # As `memtui` runs it: nothing is indexed or analysed in this process, but what the first start has to.
    known = Path(os.environ["XDG_CACHE_HOME"], "demo.txt")
    first = not known.exists()
    if first:
        known.write_text("\\n".join(map(str, demo.copy(known.parent / "demo"))), encoding="utf-8")
    vault = Vault.open(known.read_text(encoding="utf-8").splitlines(), wait=first, shared=True)
    app = MemtuiApp(vault, vault.config)
    app.main.context.analyst.prepare()
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause(0.1)
        for key in keys:
            await pilot.press(key)
            await pilot.pause(1)
asyncio.run(show(sys.argv[1:]))
"""


def main() -> int:
    """Print the table."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as user:
        for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            os.environ[name] = user
        os.environ["MEMTUI_VECTOR_BACKEND"] = "off"
        return _measure()


def _measure() -> int:
    trace = Trace()
    threading.setprofile(trace.note)
    sys.setprofile(trace.note)
    walks = asyncio.run(walk_app(trace))
    sys.setprofile(None)
    files, lines = count_lines(ROOT)
    twice = count_twice()
    circles = find_circles(at_once=False)
    local = sum(one.local and one.module.startswith("memtui") for name in modules() for one in module_imports(name))
    home = str(ROOT.parent / "tests" / "retrieval" / "homes")
    rows = {
        "files, lines in memtui/": f"{files}, {lines:,}",
        "files, lines in tests/": "{}, {:,}".format(*count_lines(ROOT.parent / "tests")),
        **walks,
        "names that stand twice: modules, classes": "{}, {}".format(*twice),
        "circles (modules in them), local imports": f"{len(circles)} ({sum(map(len, circles))}), {local}",
        "modules at `memtui search`": str(count_loaded(SEARCH, "search", "test", "--home", home)),
        "modules at the first frame": str(count_loaded(FRAME)),
        "modules once all views were shown": str(count_loaded(FRAME, *"123456", "slash")),
    }
    for name, value in rows.items():
        print(f"{name:44}{value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
