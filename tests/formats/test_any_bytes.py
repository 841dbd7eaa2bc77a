"""F10: whatever stands in a file, each parser reads it: no exception, spans inside the text, in good time; and any JSON
at all becomes something a person can read.
"""

from __future__ import annotations

import time
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.model import Layer, Parsed, Role, Status
from memtui.formats import PARSERS, Source, parse
from tests.formats.reading import check_lines, read, utc
from tests.homes.openakita import MEMORIES_V6

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
def test_rows_of_any_values_are_read(tmp_path_factory: pytest.TempPathFactory, rows: list[list[object]]) -> None:
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


GENERATOR = """{
  "last_generation_at": "2026-02-26T12:00:00Z",
  "generation_count": 2,
  "nothing": null,
  "generated": [
    {"name": "auto-env-fix", "path": "~/.claude/skills/auto-env-fix/SKILL.md"},
    {"name": "自动迁移", "path": "x", "generated_at": "2026-02-26T12:00:00Z"}
  ],
  "limits": {"cooldown": 24, "unit": "小时"},
  "triggers": ["environment_issue", "依赖问题"]
}
"""


def test_an_object_gives_an_entry_a_key_and_a_list_of_objects_one_an_item() -> None:
    parsed = read("json", GENERATOR, kind="capability")
    assert not parsed.problems
    assert [(entry.text, entry.start, entry.end) for entry in parsed.entries] == [
        ("last_generation_at: 2026-02-26T12:00:00Z", 2, 2),
        ("generation_count: 2", 3, 3),
        ("auto-env-fix", 6, 6),
        ("自动迁移", 7, 7),
        ("cooldown: 24; unit: 小时", 9, 9),
        ("triggers: environment_issue, 依赖问题", 10, 10),
    ]
    assert {entry.kind for entry in parsed.entries} == {"capability"}
    assert parsed.entries[0].created == utc(2026, 2, 26, 12)
    assert parsed.entries[2].heading == ("generated",)
    assert parsed.entries[2].extra["path"].endswith("SKILL.md")
    assert parsed.entries[4].title == "limits"
    check_lines(parsed)


def test_an_array_of_objects_takes_the_likeliest_text() -> None:
    text = """[
      {"id": 7, "title": "Login", "description": "Use OIDC", "tags": "安全, sso", "updated_at": 1770000000000},
      {"role": "user", "content": [{"type": "text", "text": "你好"}, {"type": "image"}]},
      {"message": {"role": "assistant", "content": "hi"}},
      "bare", 12, {}, null
    ]"""
    parsed = read("json", text)
    first, second, third, bare, number = parsed.entries
    assert (first.text, first.title, first.key, first.tags) == ("Use OIDC", "Login", "7", ("安全", "sso"))
    assert first.updated == 1_770_000_000
    assert first.search == "Use OIDC\nLogin\n安全 sso"
    assert second.text == "user: 你好"
    assert third.text == "hi"
    assert (bare.text, number.text) == ("bare", "12")


def test_a_lone_value_and_nothing() -> None:
    assert [entry.text for entry in read("json", '"只有一句"').entries] == ["只有一句"]
    assert read("json", " \n").entries == []
    assert read("json", "{}").problems == []


def test_lone_surrogates_become_replacement_characters() -> None:
    parsed = read("json", '{"a": "\\ud800x", "\\udfff": "y"}')
    assert [entry.text for entry in parsed.entries] == ["a: ?x", "?: y"]
    check_lines(parsed)


def test_a_very_long_text_is_cut_and_the_cut_is_said() -> None:
    entry = read("json", '{"a": "' + "长" * 100_000 + '"}').entries[0]
    assert len(entry.text) < 70_000
    assert entry.text.endswith("characters)")


def test_times_of_a_document_date_what_stands_beside_them() -> None:
    text = '{"updatedAt": "2026-09-01T10:00:00Z", "outcome": "clean", "conclusion": "没有问题"}'
    parsed = read("json", text, ".helloagents/sessions/main/ab12cd34/artifacts/qa-review.json")
    assert [(entry.text, entry.session) for entry in parsed.entries] == [
        ("outcome: clean", "ab12cd34"), ("conclusion: 没有问题", "ab12cd34"),
    ]  # fmt: skip
    assert {entry.updated for entry in parsed.entries} == {utc(2026, 9, 1, 10)}
    assert len(read("json", '{"updatedAt": "2026-09-01T10:00:00Z"}').entries) == 1


def test_a_rule_is_told_by_its_words() -> None:
    (entry,) = read("json", '{"rules": [{"id": "r1", "rule": "no any", "pattern": "any"}]}').entries
    assert (entry.text, entry.key, entry.extra) == ("no any", "r1", {"pattern": "any"})


def test_what_a_program_reports_of_a_run_is_state() -> None:
    report = '{"timestamp": "2026-04-05", "total": 9, "removed": 2, "after": 7, "note": "Both were on the list twice."}'
    assert {entry.status for entry in read("json", report, "memory/sync-2026-04-05.json").entries} == {Status.STATE}
    run = '{"started_at": "2026-04-05T10:00:00Z", "duration_ms": 90, "output": "All the mails went out."}'
    assert {entry.status for entry in read("json", run).entries} == {Status.STATE}
    said = '{"updated": "2026-04-05", "rule": "Never mail on Sundays.", "tone": "Short and kind words.", "limit": 3}'
    assert Status.ACTIVE in {entry.status for entry in read("json", said).entries}
