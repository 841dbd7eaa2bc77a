"""The hostile home: it can be built, twice the same, and `safe_text` disarms every string in it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from memtui.safety.sanitize import count_hidden, sanitize_text
from tests.homes import hostile

if TYPE_CHECKING:
    from pathlib import Path

ARMED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\ufeff\u2028\u2029\ud800-\uf8ff]"
)


def test_it_is_built_the_same_every_time(tmp_path: Path) -> None:
    first = hostile.bytes_of(hostile.build(tmp_path / "one" / "home"))
    assert first == hostile.bytes_of(hostile.build(tmp_path / "two" / "home"))
    assert len(first) > 60
    assert os.path.lexists(tmp_path / "one" / "home" / "user" / "escape.md")


def test_every_string_and_name_in_it_is_disarmed(tmp_path: Path) -> None:
    home = hostile.build(tmp_path / "home")
    texts = [*hostile.STRINGS.values(), *hostile.NAMES]
    for folder, folders, files in os.walk(home):
        texts += [folder, *folders, *files]
    texts += [data.decode("utf-8", "surrogateescape") for data in hostile.bytes_of(home).values()]
    assert any(ARMED.search(text) for text in texts)
    for text in texts:
        assert not ARMED.search(sanitize_text(text, keep_newlines=False))


def test_the_strings_are_as_hostile_as_they_say() -> None:
    harmless = {
        "slash",
        "open",
        "close",
        "link",
        "click",
        "brackets",
        "emoji",
        "fts",
        "template",
        "injection",
    }
    for name, text in hostile.STRINGS.items():
        assert (count_hidden(text) > 0) != (name in harmless), name
