"""What is loaded when: the engine brings no library of the app, a search none of click."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = {"textual", "rich", "watchdog", "rapidfuzz", "markdown_it"}
SLOW = {
    "asyncio",
    "click",
    "dataclasses",
    "difflib",
    "gettext",
    "inspect",
    "logging",
    "memtui.core.config_keys",
    "memtui.vectors.models",
    "memtui.store.lookup",
    "memtui.formats.markdown",
    "memtui.safety.redact",
    "memtui.search.inline",
    "memtui.search.vector_jobs",
    "memtui.search.suggest",
    "memtui.vectors",
    "multiprocessing",
    "numpy",
    "platformdirs",
    "socket",
    "tempfile",
    "tomllib",
    "typing",
    "weakref",
}
"""What costs more to import than it is worth to a search."""
OFF = "MEMTUI_VECTOR_BACKEND"
ENGINE = ("core", "safety", "fs", "formats", "layouts", "index", "search", "store", "demo")


def loaded(code: str, *argv: str, cwd: Path = ROOT, env: dict[str, str] | None = None) -> set[str]:
    """The modules that a fresh interpreter holds after `code`; what it prints is thrown away."""
    import os

    ending = "\nimport json as _j, sys as _s\n_s.stderr.write('\\n' + _j.dumps(sorted(_s.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code + ending, *argv],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=cwd,
        # What the other tests are told of vectors would be read as a setting here.
        env={**{key: value for key, value in os.environ.items() if key != OFF}, **(env or {})},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stderr.rpartition("\n")[2]))


def engine() -> list[str]:
    found = []
    for path in sorted((ROOT / "memtui").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if len(parts) > 1 and parts[1] in ENGINE and parts[-1] != "__main__":
            found.append(".".join(parts).removesuffix(".__init__"))
    return found


def test_the_engine_brings_no_heavy_library() -> None:
    code = "from importlib import import_module\n" + "\n".join(
        f"import_module({name!r})" for name in engine()
    )
    assert not HEAVY & loaded(code)


def test_the_package_brings_nothing() -> None:
    assert not {m for m in loaded("import memtui") if m.startswith("memtui.")}


def test_the_command_line_is_cheap_to_import() -> None:
    modules = loaded("import memtui.cli")
    assert not modules & {
        "click",
        "json",
        "dataclasses",
        "inspect",
        "re",
        "memtui.store.vault",
        "memtui.core.model",
    } - loaded("")
    assert not modules & HEAVY


@pytest.mark.parametrize("flags", [(), ("--json",)], ids=["lines", "json"])
def test_a_search_brings_only_what_it_uses(tmp_path: Path, flags: tuple[str, ...]) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "MEMORY.md").write_text("# 偏好\n\n- 测试一律用 pytest\n", encoding="utf-8")
    code = "import sys\nfrom memtui.cli.run import run\nassert run(sys.argv[1:]) == 0"
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_STATE_HOME": str(tmp_path / "state")}
    argv = ("search", "pytest", "--home", str(home), *flags)
    loaded(code, *argv, env=env)
    modules = loaded(code, *argv, env=env)
    assert not modules & (HEAVY | SLOW)


def test_home_brings_no_rules_of_language() -> None:
    """They cost a quarter of a second of the one in which the first save after a start comes."""
    modules = loaded(
        "import memtui.tui.app, memtui.tui.panes.home_pane, memtui.tui.today, memtui.analysis.derived"
    )
    rules = {"memtui.language." + name for name in ("sentences", "items", "memories", "classify")}
    assert not modules & (rules | {"memtui.llm", "memtui.tui.candidate_rows"})
