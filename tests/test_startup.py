"""What stands in for slow standard modules does what they do."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from memtui.core import startup
from memtui.core.startup import compile_pattern

if TYPE_CHECKING:
    import pytest


def test_digests_are_the_usual_ones() -> None:
    for size in (0, 1, 1000, 300_000, 1000):
        data = b"x" * size
        assert startup.sha256(data) == hashlib.sha256(data).hexdigest()
        assert startup.sha1(data) == hashlib.sha1(data, usedforsecurity=False).hexdigest()


def test_it_is_compiled_by_its_first_use_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    usual = re.compile

    def counted(source: str, flags: int = 0) -> re.Pattern[str]:
        made.append(source)
        return usual(source, flags)

    monkeypatch.setattr(re, "compile", counted)
    late = compile_pattern(r"(?P<word>b+)", re.IGNORECASE)
    assert not made
    assert late.sub("x", "aBBa") == "axa"
    assert [late.search("aB") is not None, late.findall("bab"), late.split("abc")] == [
        True,
        ["b", "b"],
        ["a", "b", "c"],
    ]
    assert made == [r"(?P<word>b+)"]


def test_bytes_and_attributes() -> None:
    late = compile_pattern(rb"a(.)")
    match = late.match(b"ab")
    assert match is not None and match[1] == b"b"
    assert (late.pattern, late.groups) == (rb"a(.)", 1)
