"""OpenAkita's databases, of every age and in every state, read without a trace; and what a verb means in the columns of
its rows.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.core.edits import Draft, RowEdit, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Entry, Layer, Parsed, Role, Status
from memtui.formats import Source, memories_json, memory_rows, parse
from memtui.fs import database_rows
from tests.formats.reading import check_lines, read, utc
from tests.homes.openakita import build, database

ROLE = Role(Layer.KNOWLEDGE, "fact", "memory-rows", 0)


def opened(file: Path) -> Parsed:
    parsed = parse(Source("data/memory/openakita.db", ROLE, b"", str(file)))
    check_lines(parsed)
    return parsed


def by_key(parsed: Parsed) -> dict[str, Entry]:
    return {entry.key: entry for entry in parsed.entries}


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir() if file.is_file()}


@pytest.fixture
def six(tmp_path: Path) -> Path:
    return build(tmp_path / "ws") / "data" / "memory" / "openakita.db"


def test_memories_with_all_columns(six: Path) -> None:
    found = by_key(opened(six))
    first = found["m1"]
    assert first.text == "用户偏好深色主题\n和紧凑的布局"
    assert (first.kind, first.layer, first.tags) == ("pref", Layer.KNOWLEDGE, ("界面", "theme"))
    assert (first.importance, first.confidence) == (0.9, 0.95)
    assert first.created is not None
    assert first.updated is not None
    assert first.extra["metadata"] == {"from": "chat"}
    assert first.extra["scope"] == "user"
    assert first.extra["priority"] == "permanent"
    assert first.search is not None
    assert "theme" in first.search
    kinds = {key: found[key].kind for key in ("m2", "m3", "m4", "m6", "m7", "m8")}
    assert kinds == {"m2": "rule", "m3": "fact", "m4": "skill", "m6": "lesson", "m7": "pref", "m8": "fact"}
    assert found["m2"].tags == ("not json",)
    assert found["m2"].created is None
    assert "m5" not in found


def test_hidden_scopes_are_candidates_and_superseded_ones_say_by_what(six: Path) -> None:
    found = by_key(opened(six))
    assert found["m3"].status is Status.CANDIDATE
    assert found["m4"].status is Status.CANDIDATE
    assert (found["m8"].status, found["m8"].superseded_by) == (Status.SUPERSEDED, "m2")
    assert found["m8"].expires is not None
    assert found["m1"].status is Status.ACTIVE


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.DELETED])
def test_our_own_marks_stand_for_no_successor(six: Path, status: Status) -> None:
    connection = apsw.Connection(str(six))
    connection.execute("UPDATE memories SET superseded_by = ? WHERE id = 'm1'", (f"memtui:{status.value}",))
    connection.close()
    found = by_key(opened(six))["m1"]
    assert (found.status, found.superseded_by) == (status, "")


def test_episodes_are_sessions_that_know_their_turns(six: Path) -> None:
    found = by_key(opened(six))
    episode = found["e1"]
    assert (episode.kind, episode.layer, episode.title) == ("session", Layer.SESSION, "修复支付回调")
    assert (episode.session, episode.entities, episode.tags) == ("s1", ("支付", "webhook"), ("bug",))
    assert episode.created == utc(2026, 2, 20, 1)
    assert episode.extra["turns"] == 2
    assert episode.extra["tools_used"] == ["read_file", "shell"]
    assert episode.extra["action_nodes"] == [{"tool_name": "shell", "success": True}]
    assert found["e2"].text == "only a goal"


def test_working_memory_queue_and_attachments(six: Path) -> None:
    parsed = opened(six)
    pad, *others = [entry for entry in parsed.entries if entry.kind == "scratchpad"]
    assert not others
    assert pad.text == "迁移到 PostgreSQL 16\nopen questions: 要不要停机？"
    assert [entry.text for entry in parsed.entries if entry.kind == "queue"] == ["等待提取的一轮", "gave up"]
    attached = [(entry.title, entry.text) for entry in parsed.entries if entry.kind == "attachment"]
    assert attached == [("录音.m4a", "语音备忘\n明天上线"), ("", "x.png")]


def test_the_text_view_has_one_line_a_row(six: Path) -> None:
    parsed = opened(six)
    lines = parsed.text.split("\n")
    for entry in parsed.entries:
        assert entry.start == entry.end
        assert lines[entry.start - 1].startswith(f"- [{entry.kind}]")
    assert lines[0] == "# memories"
    assert "用户偏好深色主题 ⏎ 和紧凑的布局 #界面 #theme (id m1, 2026-02-21 09:00)" in lines[1]
    assert "# conversation_turns: 3 rows, not listed" in lines
    assert "不该成为记忆" not in parsed.text


@pytest.mark.parametrize(
    "change", ["superseded_by = 'm2'", "scope = 'agent'", "confidence = 0.1", "expires_at = '2026-05-01'"]
)
def test_any_change_of_a_row_changes_the_view(six: Path, change: str) -> None:
    before = opened(six).text
    connection = apsw.Connection(str(six))
    connection.execute(f"UPDATE memories SET {change} WHERE id = 'm3'")
    connection.close()
    assert opened(six).text != before


def test_an_old_schema_with_missing_columns_and_upper_case(tmp_path: Path) -> None:
    file = tmp_path / "openakita.db"
    database(file, schema=2).close()
    parsed = opened(file)
    assert not parsed.problems
    assert [(entry.key, entry.kind, entry.importance) for entry in parsed.entries] == [
        ("o1", "fact", 0.8),
        ("o2", "experience", None),
    ]
    assert parsed.entries[0].created == utc(2025, 6, 1)


def test_unknown_columns_are_kept(tmp_path: Path) -> None:
    connection = database(tmp_path / "a.db", schema=2)
    connection.execute("ALTER TABLE memories ADD COLUMN mood TEXT DEFAULT '好'")
    connection.close()
    assert opened(tmp_path / "a.db").entries[0].extra["mood"] == "好"


@pytest.mark.parametrize("wal", [False, True])
def test_reading_leaves_no_trace(tmp_path: Path, wal: bool) -> None:
    database(tmp_path / "db" / "a.db", wal=wal).close()
    before = tree(tmp_path / "db")
    assert len(before) == 1
    assert len(opened(tmp_path / "db" / "a.db").entries) > 10
    assert tree(tmp_path / "db") == before


WRITER = """
import sys
from pathlib import Path
from tests.homes.openakita import database
writer = database(Path(sys.argv[1]), wal=True)
writer.execute("INSERT INTO memories (id, content) VALUES ('new', '还在 WAL 里')")
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_live_writer_is_read_without_touching_its_files(tmp_path: Path) -> None:
    file = tmp_path / "db" / "a.db"
    command = [sys.executable, "-c", WRITER, str(file)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        before = tree(file.parent)
        assert before.keys() == {"a.db", "a.db-wal", "a.db-shm"}
        assert by_key(opened(file))["new"].text == "还在 WAL 里"
        assert tree(file.parent) == before


def test_a_wal_without_its_shm_is_read_from_a_copy(tmp_path: Path) -> None:
    writer = database(tmp_path / "live" / "a.db", wal=True)
    writer.execute("INSERT INTO memories (id, content) VALUES ('new', '只在 WAL 里')")
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in ("a.db", "a.db-wal"):
        (copy / name).write_bytes((tmp_path / "live" / name).read_bytes())
    writer.close()
    before = tree(copy)
    assert by_key(opened(copy / "a.db"))["new"].text == "只在 WAL 里"
    assert tree(copy) == before


@pytest.mark.parametrize("shm", ["stale", "empty", "rubbish"])
def test_a_crashed_writer_left_all_three_files(tmp_path: Path, shm: str) -> None:
    writer = database(tmp_path / "live" / "a.db", wal=True)
    writer.execute("INSERT INTO memories (id, content) VALUES ('new', '只在 WAL 里')")
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for file in (tmp_path / "live").iterdir():
        (crashed / file.name).write_bytes(file.read_bytes())
    writer.close()
    if shm != "stale":
        (crashed / "a.db-shm").write_bytes(b"" if shm == "empty" else b"\xa5" * 32768)
    before = tree(crashed)
    parsed = opened(crashed / "a.db")
    assert parsed.problems or by_key(parsed)["new"].text == "只在 WAL 里"
    assert tree(crashed) == before
    assert shm != "stale" or not parsed.problems


def test_a_copy_that_would_be_too_large_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_rows, "LARGEST_COPY", 10)
    writer = database(tmp_path / "live.db", wal=True)
    (tmp_path / "a.db").write_bytes((tmp_path / "live.db").read_bytes())
    (tmp_path / "a.db-wal").write_bytes(b"x" * 100)
    writer.close()
    parsed = opened(tmp_path / "a.db")
    assert not parsed.entries
    assert "-wal" in parsed.problems[0].reason


def test_a_locked_database_says_so(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    writer = database(file)
    writer.execute("BEGIN EXCLUSIVE")
    parsed = opened(file)
    writer.execute("ROLLBACK")
    assert "locked" in parsed.problems[0].reason
    assert opened(file).problems == []


@pytest.mark.parametrize("data", [b"", b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 500])
def test_what_is_no_database_says_so(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "a.db"
    file.write_bytes(data)
    parsed = opened(file)
    assert not parsed.entries
    assert parsed.problems
    assert "Error" not in parsed.problems[0].reason


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    assert opened(tmp_path / "none.db").problems


@pytest.mark.parametrize("seed", range(24))
def test_damage_anywhere_is_survived(six: Path, tmp_path: Path, seed: int) -> None:
    data = bytearray(six.read_bytes())
    at = 100 + (len(data) - 200) * seed // 24
    data[at : at + 64] = b"\xa5" * 64
    file = tmp_path / "hurt.db"
    file.write_bytes(data)
    opened(file)
    file.write_bytes(data[:at])
    torn = opened(file)
    assert torn.problems or len(torn.entries) == len(opened(six).entries)


def test_text_that_is_no_utf8_is_shown_with_the_bad_bytes_replaced(tmp_path: Path) -> None:
    connection = database(tmp_path / "a.db", schema=2)
    connection.execute("UPDATE memories SET content = CAST(X'62ff61' AS TEXT) WHERE id = 'o2'")
    connection.execute("INSERT INTO memories (id, content) VALUES (X'00ff', 7)")
    connection.close()
    parsed = opened(tmp_path / "a.db")
    assert [entry.text for entry in parsed.entries] == ["旧库里的事实", "b\ufffda", "7"]


def test_a_view_in_place_of_a_table_is_not_run(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / "a.db"))
    connection.execute(
        "CREATE VIEW memories AS WITH RECURSIVE n(content) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT * FROM n"
    )
    connection.close()
    assert "no tables" in opened(tmp_path / "a.db").problems[0].reason


def test_reading_has_an_end(six: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = apsw.Connection(str(six))
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO memories (id, content) VALUES (?, 'x')", [(f"n{n}",) for n in range(20_000)])
    connection.execute("COMMIT")
    connection.close()
    monkeypatch.setattr(database_rows, "PATIENCE", -1.0)
    assert any("longer than" in problem.reason for problem in opened(six).problems)


def test_names_that_a_uri_would_misread(tmp_path: Path) -> None:
    file = tmp_path / "a b?mode=rwc#%41 中文" / "openakita.db"
    database(file, schema=2).close()
    assert len(opened(file).entries) == 2
    assert os.listdir(tmp_path) == [file.parent.name]


def test_memories_json_of_v1() -> None:
    text = (Path(__file__).parent.parent / "homes/openakita/workspace/data/memory/memories.json").read_text("utf-8")
    parsed = read("memories-json", text, path="data/memory/memories.json")
    assert [(entry.key, entry.kind, entry.start, entry.end) for entry in parsed.entries] == [
        ("a1b2c3d4", "pref", 2, 3),
        ("e5f6a7b8", "lesson", 4, 4),
    ]
    assert parsed.entries[0].tags == ("语言", "python")
    assert [problem.line for problem in parsed.problems] == [6]


@pytest.mark.parametrize(
    "text",
    [
        '{"memories": [{"id": "a", "content": "x"}]}',
        '{"memories": {"a": {"content": "x"}}}',
        '{"a": {"content": "x"}}',
    ],
)
def test_memories_json_in_other_shapes(text: str) -> None:
    parsed = read("memories-json", text)
    assert [(entry.key, entry.text) for entry in parsed.entries] == [("a", "x")]
    assert not parsed.problems


NOW = 1_771_000_000.5
ROW: dict[str, Any] = {
    "id": "m1", "content": "用户偏好深色主题", "type": "PREFERENCE", "priority": "permanent", "importance_score": 0.9,
    "tags": '["界面"]', "created_at": "2026-02-20T09:00:00.123456", "updated_at": "2026-02-21T09:00:00",
    "expires_at": None, "superseded_by": None, "confidence": 0.95, "scope": "user", "scope_owner": "lin",
    "agent_id": "", "user_id": "u1", "workspace_id": "w1", "metadata": "{}", "source": "chat",
}  # fmt: skip


def applied(row: dict[str, Any], change: RowEdit) -> Entry:
    assert change.after is not None
    found = memory_rows.parse_memory_row({**row, **change.after, "id": change.key}, 1, 1)
    assert found is not None
    return found


@pytest.mark.parametrize("kind", ["fact", "pref", "rule", "lesson", "skill", "experience", "note"])
def test_a_new_row(kind: str) -> None:
    draft = Draft("喜欢深色", kind, tags=("界面", "theme"), confidence=0.8, expires=NOW + 60, source="s1")
    made = memory_rows.build_row_insert("/h", "openakita.db", draft, NOW, ROW)
    assert re.fullmatch(r"[0-9a-f]{8}", made.key)
    assert made.before is None
    assert made.after is not None
    entry = applied({}, made)
    assert (entry.text, entry.kind, entry.tags, entry.confidence) == (
        "喜欢深色",
        kind,
        ("界面", "theme"),
        0.8,
    )
    assert (entry.created, entry.updated, entry.expires) == (NOW, NOW, NOW + 60)
    assert made.after["created_at"] == "2026-02-13T16:26:40.500000"
    assert {name: made.after[name] for name in ("scope", "scope_owner", "user_id", "workspace_id")} == {
        "scope": "user", "scope_owner": "lin", "user_id": "u1", "workspace_id": "w1",
    }  # fmt: skip
    assert made.after.keys() <= ROW.keys()
    assert "confidence" not in (memory_rows.build_row_insert("/h", "d", Draft("x"), NOW, ROW).after or {})


def test_what_is_said_of_the_person_is_found_as_theirs() -> None:
    """OpenAkita's USER.md is made of the rows whose subject is the user, and of no others."""
    for text, kind, subject in (
        ("深色主题", "pref", "用户"),
        ("用户在上海", "fact", "用户"),
        ("端口 80", "fact", None),
    ):
        made = memory_rows.build_row_insert("/h", "d", Draft(text, kind), NOW, {**ROW, "subject": ""})
        assert (made.after or {}).get("subject") == subject


def test_a_database_without_rows_or_columns() -> None:
    bare = dict.fromkeys(("id", "content", "tags"))
    made = memory_rows.build_row_insert("/h", "d", Draft("x", tags=("a",)), NOW, bare)
    assert made.after == {"content": "x", "tags": '["a"]'}
    with pytest.raises(RefusedError, match="superseded_by"):
        memory_rows.build_row_status("/h", "d", {"id": "m1", "content": "x"}, Status.ARCHIVED, NOW)


def test_a_change_expects_all_that_it_changes() -> None:
    change = memory_rows.build_row_update(
        "/h", "d", ROW, {"text": "new", "tags": ("a",), "kind": "rule", "expires": None}, NOW
    )
    assert change.before == {
        "content": "用户偏好深色主题", "tags": '["界面"]', "type": "PREFERENCE", "expires_at": None,
        "updated_at": "2026-02-21T09:00:00",
    }  # fmt: skip
    entry = applied(ROW, change)
    assert (entry.text, entry.tags, entry.kind, entry.expires) == ("new", ("a",), "rule", None)
    assert entry.created == memory_rows.parse_memory_row(ROW, 1, 1).created  # type: ignore[union-attr]


def test_what_says_the_same_is_left_as_it_is_written() -> None:
    change = memory_rows.build_row_update("/h", "d", ROW, {"kind": "pref", "tags": ("界面",)}, NOW)
    assert change.after == {}


@pytest.mark.parametrize("status", [Status.ARCHIVED, Status.DELETED, Status.SUPERSEDED])
def test_a_status_is_out_of_the_agents_sight_and_restorable(status: Status) -> None:
    change = memory_rows.build_row_status("/h", "d", ROW, status, NOW, successor="m2")
    entry = applied(ROW, change)
    assert entry.status is status
    assert entry.superseded_by == ("m2" if status is Status.SUPERSEDED else "")
    assert change.after is not None
    # Upstream's own condition, and never its retention's.
    assert change.after["superseded_by"]
    assert "expires_at" not in change.after
    back = memory_rows.build_row_status("/h", "d", {**ROW, **change.after}, Status.ACTIVE, NOW)
    assert applied(ROW, back).status is Status.ACTIVE


def test_what_it_cannot_say_is_refused() -> None:
    with pytest.raises(RefusedError, match="evidence"):
        memory_rows.build_row_update("/h", "d", ROW, {"evidence": "x"}, NOW)
    with pytest.raises(RefusedError):
        memory_rows.build_row_status("/h", "d", ROW, Status.CANDIDATE, NOW)
    with pytest.raises(RefusedError):
        memory_rows.build_row_status("/h", "d", ROW, Status.SUPERSEDED, NOW)
    with pytest.raises(RefusedError, match="half of a character"):
        memory_rows.build_row_insert("/h", "d", Draft("x\ud800"), NOW, ROW)


@pytest.mark.parametrize(
    ("kind", "seconds", "lasting", "priority"),
    [
        ("fact", 7200, True, "transient"), ("fact", 86_400, True, "transient"),
        ("fact", 3 * 86_400, True, "short_term"),
        ("fact", 7 * 86_400, True, "long_term"), ("fact", None, False, "permanent"),
        ("lesson", None, False, "long_term"),
        ("lesson", None, True, "permanent"),
        ("rule", None, False, "permanent"), ("rule #任务", None, False, "transient"),
        ("rule #Task", None, True, "permanent"), ("pref #task", None, False, "permanent"),
    ],
)  # fmt: skip
def test_a_priority_follows_how_long_it_holds(kind: str, seconds: int | None, lasting: bool, priority: str) -> None:
    kind, _blank, tag = kind.partition(" #")
    tags = (tag,) if tag else ()
    draft = Draft("x", kind, tags=tags, expires=None if seconds is None else NOW + seconds, lasting=lasting)
    after = memory_rows.build_row_insert("/h", "d", draft, NOW, ROW).after or {}
    assert after["priority"] == priority
    assert (after["expires_at"] is None) is (priority == "permanent")
    if kind == "lesson" and not lasting:
        assert after["expires_at"] == "2026-02-20T16:26:40.500000"
    changed = memory_rows.build_row_update("/h", "d", ROW, {"expires": NOW + 86_400}, NOW).after or {}
    assert changed["priority"] == "transient"


V1 = """[
  {"id": "v1", "content": "用户喜欢深色", "type": "PREFERENCE", "tags": ["界面"], "updated_at": "2026-02-20T09:00:00"},
  {"id": "v2", "content": "别直接删文件", "type": "ERROR"}
]
"""


def v1(data: bytes) -> dict[str, Entry]:
    source = Source("memories.json", Role(Layer.KNOWLEDGE, "fact", "memories-json"), data)
    return {entry.key: entry for entry in memory_rows.parse_json(source).entries}


@pytest.mark.parametrize("text", [V1, V1.replace("[\n", '{"memories": [\n', 1).replace("\n]\n", "\n]}\n")])
def test_a_record_of_version_1_is_changed_where_it_stands(text: str) -> None:
    data = text.encode()
    entry = v1(data)["v2"]
    changed = splice_pieces(
        data,
        memories_json.change(data, entry, {"text": "先备份再删", "kind": "rule", "tags": ("备份",)}, NOW),
    )
    read = v1(changed)["v2"]
    assert (read.text, read.kind, read.tags) == ("先备份再删", "rule", ("备份",))
    assert b'"type": "RULE"' in changed and changed.split(b"\n")[:2] == data.split(b"\n")[:2]
    put_away = splice_pieces(data, memories_json.mark(data, v1(data)["v1"], Status.ARCHIVED, NOW))
    assert v1(put_away)["v1"].status is Status.ARCHIVED and b"2026-02-13T16:26:40.500000" in put_away
    back = splice_pieces(put_away, memories_json.mark(put_away, v1(put_away)["v1"], Status.ACTIVE, NOW))
    assert v1(back)["v1"].status is Status.ACTIVE and b"superseded_by" not in back
    gone = splice_pieces(data, memories_json.remove(data, v1(data)["v1"]))
    assert v1(gone).keys() == {"v2"}
    with pytest.raises(RefusedError):
        memories_json.mark(data, entry, Status.CANDIDATE, NOW)
