"""F10: whatever stands in a file, each parser reads it: no exception, spans inside the text, in good time.

That no change changes nothing, and an undo brings every byte back, is `tests/faults/properties.py`.
"""

from __future__ import annotations

import time
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.model import Layer, Parsed, Role
from memtui.formats import PARSERS, Source, parse
from tests.homes.openakita import MEMORIES_V6
from tests.parse.reading import check_lines, read

ROWS = frozenset({"memory-rows", "store-rows"})
TEXTS = tuple(name for name, _place in PARSERS if name not in ROWS)
PATHS = {
    "journal": "daily/2026-02-24.md",
    "session": "sessions/s.md",
    "daily-jsonl": "daily/2026-02-24.jsonl",
}

_PIECES = st.sampled_from([
    "---\n", "name: x\n", "# H\n", "## 14:30 - 项目: a\n", "- item\n", "  - [ ] below\n", "1. **主题**: t\n",
    "| a | b |\n", "|---|---|\n", "```\n", "> q\n", "<!-- status: superseded by=x -->\n", "**文件**: `a.py`\n",
    "x" * 300, "偏好",
    "- 2026-02-24T10:12:33Z [pref] t #x (source=r)\n", "\u2028", "\x1b[31m", "null", "1e999", "-1", '"2026-02-30"',
    "{", "}", "[", "]", ",", ":", '"', '"fact"', '"facts"', '"id"', '"content"', '"timestamp"', '"type"', '"user"',
    '"message"', '"payload"', "\\ud800", "\n", "\r\n", "\r", "\0", "\ufeff",
    '{"type": "fact", "memory_type": "O", "content": "偏好"}\n',
    '{"type": "user", "message": {"role": "user", "content": 5}}\n',
    '{"type": "response_item", "payload": {"type": "message", "content": [{"text": []}]}}\n',
])  # fmt: skip
_FILES = st.one_of(
    st.lists(st.one_of(_PIECES.map(str.encode), st.binary(max_size=6)), max_size=24).map(b"".join),
    st.binary(max_size=200),
)
_VALUES = st.one_of(
    st.none(), st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=20), st.binary(max_size=8),
    st.sampled_from(["[]", "{", '["a", 1]', "2026-02-30T00:00", "FACT", "permanent"]),
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(_FILES)
def test_each_parser_reads_any_bytes(data: bytes) -> None:
    for name in TEXTS:
        parsed = read(name, data, PATHS.get(name, "file"))
        assert not [one for one in parsed.problems if "could not be understood" in one.reason], name
        check_lines(parsed)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(_VALUES, min_size=24, max_size=24), max_size=4))
def test_rows_of_any_values_are_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[object]]
) -> None:
    file = tmp_path_factory.mktemp("db") / "openakita.db"
    with apsw.Connection(str(file)) as connection:
        connection.execute(MEMORIES_V6)
        marks = ", ".join("?" * 24)
        for row in rows:
            connection.execute(f"INSERT OR IGNORE INTO memories VALUES ({marks})", tuple(row))
    check_lines(_read_rows(file))


def test_a_database_that_is_none_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "openakita.db"
    for data in (b"", b"SQLite format 3\0" + bytes(100), b"\xff" * 5000):
        file.write_bytes(data)
        assert not _read_rows(file).entries


def _read_rows(file: Path) -> Parsed:
    role = Role(Layer.KNOWLEDGE, "fact", "memory-rows")
    return parse(Source("openakita.db", role, b"", str(file), size=file.stat().st_size))


@pytest.mark.parametrize("name", TEXTS)
def test_a_large_file_takes_no_more_than_its_share(name: str) -> None:
    """A quarter of a megabyte of what each of them has to do with, in the second that a whole one may take."""
    bits = (
        "- 记下的一条 [x](y.md) #t\n",
        '{"type": "fact", "content": "a", "timestamp": "2026-02-24T10:12:33Z"}\n',
        "## 14:30 - 项目: a\n",
        "| a | b |\n",
        '{"type":"user","message":{"role":"user","content":"hi"}}\n',
        "<!-- a -->\n",
    )
    data = "".join(bits).encode() * 1400
    began = time.process_time()
    read(name, data, PATHS.get(name, "file"))
    assert time.process_time() - began < 4.0
