"""What stands in for slow standard modules does what they do."""

from __future__ import annotations

import hashlib
import importlib
import os
import pkgutil
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import memtui
from memtui.core import startup
from memtui.core.startup import compile_pattern


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
            found |= {
                (one._source, int(one._flags)) for one in values if isinstance(one, startup._Uncompiled)
            }
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


def test_patterns_are_kept_only_where_python_keeps_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
