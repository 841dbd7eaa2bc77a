"""What stands in for slow standard modules does what they do; tuples with names are as `typing` makes them.

What is loaded when: the engine brings no library of the app, a search none of click.
"""

from __future__ import annotations

import copy
import hashlib
import importlib
import json
import os
import pickle
import pkgutil
import re
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest

import memtui
from memtui.core import startup
from memtui.core.startup import NamedTuple, Protocol, cast, compile_pattern, runtime_checkable


def test_digests_are_the_usual_ones() -> None:
    for size in (0, 1, 1000, 300_000, 1000):
        data = b"x" * size
        assert startup.sha256(data) == hashlib.sha256(data).hexdigest()
        assert startup.sha1(data) == hashlib.sha1(data, usedforsecurity=False).hexdigest()


def test_it_is_compiled_by_its_first_use_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str | bytes] = []

    class Counting(startup._CompiledPatterns):
        def compile(self, source: str | bytes, flags: int) -> Any:
            made.append(source)
            return super().compile(source, flags)

    monkeypatch.setattr(startup, "_COMPILED", Counting(None))
    late = compile_pattern(r"(?P<word>b+)", re.IGNORECASE)
    assert not made
    assert late.sub("x", "aBBa") == "axa"
    assert [late.search("aB") is not None, late.findall("bab"), late.split("abc")] == [
        True,
        ["b", "b"],
        ["a", "b", "c"],
    ]
    assert made == [r"(?P<word>b+)"]


def _list_patterns() -> set[tuple[str | bytes, int]]:
    """Every pattern that is written down in the package."""
    found: set[tuple[str | bytes, int]] = set()
    for module in pkgutil.walk_packages(memtui.__path__, "memtui."):
        if not module.name.endswith("__main__"):
            values = vars(importlib.import_module(module.name)).values()
            found |= {(one._source, int(one._flags)) for one in values if isinstance(one, startup._Uncompiled)}
    return found


def test_patterns_kept_are_those_that_re_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "kept.patterns"
    every = sorted(_list_patterns(), key=repr)
    half = len(every) // 2
    for some in (every[:half], every[half:]):
        # Each process adds its own to those of others.
        maker = startup._CompiledPatterns(str(file))
        for source, flags in some:
            maker.compile(source, flags)
        maker.keep()
    monkeypatch.setattr(startup._CompiledPatterns, "_make", None)
    kept = startup._CompiledPatterns(str(file))
    assert len(every) > 500
    for source, flags in every:
        found, wanted = kept.compile(source, flags), re.compile(source, flags)
        # Patterns are equal where their code is.
        assert (found, found.groupindex, found.groups) == (wanted, wanted.groupindex, wanted.groups)
    # It gives up where anything of it fails.
    assert kept._file


@pytest.mark.parametrize("broken", ["torn", "other", "empty", "garbled", "away"])
def test_patterns_that_cannot_be_recalled_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "kept.patterns"
    maker = startup._CompiledPatterns(str(file))
    maker.compile("a+(b)", 0)
    maker.keep()
    reader = startup._CompiledPatterns(str(file))
    reader._list_places()
    data = file.read_bytes()
    changed = {
        "torn": data[:-3],
        "other": data.replace(sys.version[:5].encode(), b"2.7.1"),
        "empty": b"",
        "garbled": data[:-8] + bytes(8),
        "away": None,
    }[broken]
    if changed is None:
        file.unlink()
    else:
        file.write_bytes(changed)
    for one in (reader, startup._CompiledPatterns(str(file))):
        match = one.compile("a+(b)", 0).fullmatch("aab")
        assert match is not None and match[1] == "b"
        with pytest.raises(re.error):
            one.compile("(", 0)


def test_patterns_that_several_processes_compiled_are_kept_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "kept.patterns"
    makers = [startup._CompiledPatterns(str(file)) for _ in range(5)]
    sizes = set()
    for maker in makers:
        assert maker.compile("a+(b)", 0).match("ab") and maker.compile(b"a+(b)", 0).match(b"ab")
    for maker in makers:
        maker.keep()
        sizes.add(file.stat().st_size)
    assert len(sizes) == 1


def test_patterns_are_kept_only_where_python_keeps_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.patterns"
    for unwritable, place in ((True, file), (False, tmp_path / "nowhere" / "kept")):
        monkeypatch.setattr(sys, "dont_write_bytecode", unwritable)
        maker = startup._CompiledPatterns(str(place))
        assert maker.compile("a", 0).match("a")
        maker.keep()
    assert not os.listdir(tmp_path)


def test_bytes_and_attributes() -> None:
    late = compile_pattern(rb"a(.)")
    match = late.match(b"ab")
    assert match is not None and match[1] == b"b"
    assert (late.pattern, late.groups) == (rb"a(.)", 1)


class Ours(NamedTuple):
    """A place."""

    path: str
    line: int = 1
    marks: tuple[int, ...] = ()

    def told(self) -> str:
        return f"{self.path}:{self.line}"


class Theirs(typing.NamedTuple):
    """A place."""

    path: str
    line: int = 1
    marks: tuple[int, ...] = ()


class Under(Ours):
    __slots__ = ()

    def told(self) -> str:
        return super().told() + "!"


def plain(value: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(value)


def test_it_is_what_typing_makes() -> None:
    ours, theirs = Ours("a", marks=(3,)), Theirs("a", marks=(3,))
    assert plain(ours) == plain(theirs) == ("a", 1, (3,))
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert ours._fields == theirs._fields == Ours.__match_args__
    assert ours._field_defaults == theirs._field_defaults
    assert ours._asdict() == theirs._asdict()
    assert plain(ours._replace(line=7)) == plain(theirs._replace(line=7))
    assert plain(Ours._make(["a", 2, ()])) == plain(Theirs._make(["a", 2, ()]))
    assert Ours.__doc__ == "A place."
    assert ours.told() == "a:1"
    assert not hasattr(ours, "__dict__")


def test_it_is_made_from_classes_under_it_too() -> None:
    # Before its own first use and after it, `__new__` is inherited.
    assert type(Under("b")) is Under
    assert Under("b").told() == "b:1!"
    assert type(Under("b")._replace(line=2)) is Under


def test_it_is_copied_and_pickled() -> None:
    ours = Ours("a", 4)
    assert pickle.loads(pickle.dumps(ours)) == copy.copy(ours) == ours
    assert type(copy.deepcopy(ours)) is Ours


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Ours("a", 1, (), 2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Ours._make(["a"])
    with pytest.raises(ValueError, match="colour"):
        Ours("a")._replace(colour=1)  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        Ours("a").path = "b"  # type: ignore[misc]


class Settled(NamedTuple):
    """Made of its defaults alone."""

    one: int = 1
    two: str = "b"


def test_it_is_made_of_its_defaults() -> None:
    assert plain(Settled()) == (1, "b")
    assert type(Settled()) is Settled
    assert plain(Settled(two="c")) == (1, "c")
    # It can be called by all ways once it was called by one.
    assert plain(Settled()) == (1, "b")
    assert type(type("Below", (Settled,), {})()).__name__ == "Below"


@runtime_checkable
class Speaking(Protocol):
    """What speaks."""

    def speak(self) -> str:
        """Something."""


class Dog:
    def speak(self) -> str:
        return "woof"


class Own(Speaking):
    def speak(self) -> str:
        return ""


def test_a_protocol_is_what_has_its_methods() -> None:
    assert isinstance(Dog(), Speaking)
    assert isinstance(Own(), Speaking)
    assert isinstance(Own(), Own)
    assert not isinstance(Dog(), Own)
    assert not isinstance("dog", Speaking)
    assert cast("int", "as it is") == "as it is"  # type: ignore[comparison-overlap]


ROOT = Path(__file__).parents[2]
HEAVY = {"textual", "rich", "watchdog", "rapidfuzz", "markdown_it"}
SLOW = {
    "asyncio", "click", "dataclasses", "difflib", "gettext", "inspect", "logging", "memtui.core.config_keys",
    "memtui.vectors.models", "memtui.store.lookup", "memtui.formats.markdown", "memtui.safety.redact",
    "memtui.search.inline", "memtui.search.vector_jobs", "memtui.search.suggest", "memtui.vectors",
    "multiprocessing", "numpy", "platformdirs", "socket", "tempfile", "tomllib", "typing", "weakref",
}  # fmt: skip
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
    code = "from importlib import import_module\n" + "\n".join(f"import_module({name!r})" for name in engine())
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
    modules = loaded("import memtui.tui.app, memtui.tui.panes.home_pane, memtui.tui.today, memtui.analysis.derived")
    rules = {"memtui.language." + name for name in ("sentences", "items", "memories", "classify")}
    assert not modules & (rules | {"memtui.llm", "memtui.tui.candidate_rows"})


def _run_apart(folder: Path, code: str) -> str:
    env = {
        **os.environ,
        "PYTHONPYCACHEPREFIX": str(folder / "kept"),
        "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}",
    }
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    return told.stdout


def test_what_others_compile_when_imported_is_kept_and_nobody_s_words(tmp_path: Path) -> None:
    (tmp_path / "another.py").write_text(
        "import re\nONE = re.compile(r'z+(?P<inner>y)', re.I)\ntry:\n    re.compile('(')\nexcept re.error as error:\n"
        "    WRONG = str(error)\ndef look(word):\n    return re.search(word, 'what was said')\n"
    )
    begin = "import re; from memtui.core import startup; startup.keep_others_patterns(); import another\n"
    end = "print(another.ONE.groupindex, another.ONE.flags, another.ONE.match('Zy')['inner'], another.WRONG)\n"
    first = _run_apart(tmp_path, f"{begin}another.look('w[a]s said'); re.compile('my+own'); {end}")
    [file] = (tmp_path / "kept").rglob("*.patterns")
    kept = file.read_bytes()
    assert b"z+(?P<inner>y)" in kept
    assert b"w[a]s" not in kept
    assert b"my+own" not in kept
    stopped = "import re._parser; real = re._parser.parse\n"
    stopped += "def parse(source, *more):\n    assert '(?P' not in source, source\n    return real(source, *more)\n"
    again = _run_apart(tmp_path, f"{stopped}re._parser.parse = parse\n{begin}{end}")
    assert again == first
    assert first.startswith("{'inner': 1} 34 y missing )")


def test_a_start_loads_no_more_of_the_standard_library_than_it_needs(tmp_path: Path) -> None:
    code = (
        "import sys; from memtui.core import startup; startup.load_lean_modules()\n"
        "print(*{'ipaddress', 'urllib.parse'} & {*sys.modules})\n"
        "import datetime, pathlib, time, zoneinfo, urllib.parse\n"
        "print(pathlib.Path('/a b').as_uri(), datetime.datetime.strptime('2026-02-03', '%Y-%m-%d').date())\n"
        "print(urllib.parse.quote('a b'), datetime.datetime(2026, 2, 3, tzinfo=datetime.UTC).isoformat())\n"
    )
    loaded, *rest = _run_apart(tmp_path, code).splitlines()
    assert not loaded
    assert rest == ["file:///a%20b 2026-02-03", "a%20b 2026-02-03T00:00:00+00:00"]
