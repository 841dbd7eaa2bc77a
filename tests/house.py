"""How large the house is, and how far one walks in it: `python -m tests.house`.

Counts files, lines, names that stand twice, circles and local imports, the modules that a search and the first frame
load, and the files, functions and threads that three everyday things enter: a file that somebody saved until it stands
in the Facts pane, `a` in Review until it stands on the disk and the pane shows it, one letter in Search until the hits.
"""

from __future__ import annotations

import ast
import asyncio
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
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
    from collections.abc import Awaitable, Callable


class Trace:
    """The files, functions and threads of ours that run while it is on."""

    def __init__(self) -> None:
        self.functions: set[tuple[str, str, int]] = set()
        self.threads: set[int] = set()
        self.on = False

    def note(self, frame: Any, event: str, _argument: object) -> None:
        """The interpreter's profile hook."""
        if self.on and event == "call":
            code = frame.f_code
            if code.co_filename.startswith(str(ROOT)) and code.co_name != "<lambda>":
                self.functions.add((code.co_filename, code.co_name, code.co_firstlineno))
                self.threads.add(threading.get_ident())

    def describe(self) -> str:
        """Files, functions, threads."""
        files = {file for file, _name, _line in self.functions}
        return f"{len(files)} files, {len(self.functions)} functions, {len(self.threads)} threads"


async def walk_app(trace: Trace) -> dict[str, str]:
    """The three ways through the app, on a copy of the demo homes."""
    from memtui import Vault, demo
    from memtui.tui.app import MemtuiApp

    found: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as place:
        vault = Vault.open([str(path) for path in demo.copy(Path(place))])
        app = MemtuiApp(vault, vault.config)
        async with app.run_test(size=(120, 36)) as pilot:
            await pilot.pause(4)
            memory = next(Path(place).rglob("MEMORY.md"))

            async def save() -> None:
                memory.write_text(memory.read_text("utf-8") + "\n- a house of few rooms\n", "utf-8")
                await pilot.pause(2)

            async def approve() -> None:
                await pilot.press("a")
                await pilot.pause(2)

            async def search() -> None:
                await pilot.press("d")
                await pilot.pause(1)

            for name, keys, act in (
                ("file saved -> pane", ("2",), save),
                ("a in Review -> disk -> pane", ("5",), approve),
                ("a letter in Search -> hits", ("slash",), search),
            ):
                await pilot.press(*keys)
                await pilot.pause(2)
                found[name] = await trace_walk(trace, act)
    return found


async def trace_walk(trace: Trace, act: Callable[[], Awaitable[None]]) -> str:
    """What runs while something is done, less what runs anyway."""
    trace.functions.clear()
    trace.threads.clear()
    trace.on = True
    await act()
    trace.on = False
    return trace.describe()


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
        env = {**os.environ, "XDG_CACHE_HOME": place, "XDG_STATE_HOME": place, "MEMTUI_VECTOR_BACKEND": "off"}
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
import asyncio, sys, tempfile
from memtui import Vault, demo
from memtui.tui.app import MemtuiApp
async def show(keys):
    with tempfile.TemporaryDirectory() as place:
        vault = Vault.open([str(path) for path in demo.copy(place)])
        async with MemtuiApp(vault, vault.config).run_test(size=(120, 36)) as pilot:
            await pilot.pause(0.1)
            for key in keys:
                await pilot.press(key)
                await pilot.pause(1)
asyncio.run(show(sys.argv[1:]))
"""


def main() -> int:
    """Print the table."""
    trace = Trace()
    threading.setprofile(trace.note)
    sys.setprofile(trace.note)
    walks = asyncio.run(walk_app(trace))
    sys.setprofile(None)
    files, lines = count_lines(ROOT)
    twice = count_twice()
    circles = find_circles(at_once=False)
    local = sum(
        one.local and one.module.startswith("memtui") for name in modules() for one in module_imports(name)
    )
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
