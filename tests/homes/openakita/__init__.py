"""An OpenAkita workspace: committed text files, and databases made when a test wants one."""

from __future__ import annotations

import shutil
from pathlib import Path

import apsw

MEMORIES_V6 = """CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT, type TEXT DEFAULT 'FACT',
 priority TEXT DEFAULT 'SHORT_TERM', source TEXT DEFAULT '', importance_score REAL DEFAULT 0.5,
 access_count INTEGER DEFAULT 0, tags TEXT DEFAULT '[]', created_at TEXT, updated_at TEXT, expires_at TEXT,
 metadata TEXT DEFAULT '{}', subject TEXT DEFAULT '', predicate TEXT DEFAULT '', confidence REAL DEFAULT 0.5,
 decay_rate REAL DEFAULT 0.1, last_accessed_at TEXT, superseded_by TEXT, source_episode_id TEXT,
 scope TEXT DEFAULT 'global', scope_owner TEXT DEFAULT '', agent_id TEXT DEFAULT '',
 user_id TEXT DEFAULT 'default', workspace_id TEXT DEFAULT 'default')"""

V6 = f"""
CREATE TABLE _schema_meta (key TEXT PRIMARY KEY, value TEXT);
INSERT INTO _schema_meta VALUES ('version', '6');
{MEMORIES_V6};
CREATE VIRTUAL TABLE memories_fts USING fts5(content, subject, predicate, tags, content='memories');
CREATE TRIGGER memories_ai AFTER INSERT ON memories BEGIN
 INSERT INTO memories_fts (rowid, content, subject, predicate, tags)
 VALUES (new.rowid, new.content, new.subject, new.predicate, new.tags); END;
CREATE TRIGGER memories_ad AFTER DELETE ON memories BEGIN
 INSERT INTO memories_fts (memories_fts, rowid, content, subject, predicate, tags)
 VALUES ('delete', old.rowid, old.content, old.subject, old.predicate, old.tags); END;
CREATE TRIGGER memories_au AFTER UPDATE ON memories BEGIN
 INSERT INTO memories_fts (memories_fts, rowid, content, subject, predicate, tags)
 VALUES ('delete', old.rowid, old.content, old.subject, old.predicate, old.tags);
 INSERT INTO memories_fts (rowid, content, subject, predicate, tags)
 VALUES (new.rowid, new.content, new.subject, new.predicate, new.tags); END;
CREATE TABLE episodes (id TEXT PRIMARY KEY, session_id TEXT, summary TEXT, goal TEXT DEFAULT '',
 outcome TEXT DEFAULT 'completed', started_at TEXT, ended_at TEXT, action_nodes TEXT DEFAULT '[]',
 entities TEXT DEFAULT '[]', tools_used TEXT DEFAULT '[]', linked_memory_ids TEXT DEFAULT '[]',
 tags TEXT DEFAULT '[]', importance_score REAL DEFAULT 0.5, access_count INTEGER DEFAULT 0,
 source TEXT DEFAULT 'session_end');
CREATE TABLE scratchpad (user_id TEXT PRIMARY KEY, content TEXT DEFAULT '', active_projects TEXT DEFAULT '[]',
 current_focus TEXT DEFAULT '', open_questions TEXT DEFAULT '[]', next_steps TEXT DEFAULT '[]', updated_at TEXT);
CREATE TABLE conversation_turns (id INTEGER PRIMARY KEY, session_id TEXT, turn_index INTEGER, role TEXT,
 content TEXT, UNIQUE (session_id, turn_index));
CREATE TABLE extraction_queue (id INTEGER PRIMARY KEY, session_id TEXT, turn_index INTEGER, content TEXT,
 retry_count INTEGER DEFAULT 0, status TEXT DEFAULT 'pending', created_at TEXT);
CREATE TABLE attachments (id TEXT PRIMARY KEY, session_id TEXT DEFAULT '', filename TEXT DEFAULT '',
 original_filename TEXT DEFAULT '', mime_type TEXT DEFAULT '', description TEXT DEFAULT '',
 transcription TEXT DEFAULT '', tags TEXT DEFAULT '[]', created_at TEXT);
CREATE TABLE embedding_cache (content_hash TEXT PRIMARY KEY, embedding BLOB);
"""

ROWS = (
    (
        (
            "INSERT INTO memories (id, content, type, priority, importance_score, tags, created_at, updated_at, confidence,"
            " subject, predicate, scope, metadata) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ),
        [
            (
                "m1", "用户偏好深色主题\n和紧凑的布局", "preference", "permanent", 0.9, '["界面", "theme"]',
                "2026-02-20T09:00:00.123456", "2026-02-21T09:00:00", 0.95, "用户", "偏好", "user",
                '{"from": "chat"}',
            ),
            (
                "m2", "Deploy only after the smoke test", "RULE", "LONG_TERM", 0.7, "not json", "bad date",
                None, None, "", "", "global", "{}",
            ),
            (
                "m3", "孤儿记忆", "fact", "short_term", 0.5, "[]", None, None, 0.5, "", "",
                "legacy_quarantine", "{}",
            ),
            (
                "m4", "pending one", "skill", "transient", 0.5, "[]", None, None, 0.5, "", "",
                "pending_consolidation", "{}",
            ),
            ("m5", "", "fact", "short_term", 0.5, "[]", None, None, 0.5, "", "", "global", "{}"),
            (
                "m6", "直接 rm -rf 丢过数据", "Error", "short_term", 0.4, '["教训"]', None, None, 0.5, "", "",
                "agent", "{}",
            ),
            (
                "m7", "likes blunt words", "persona_trait", "permanent", 0.4, "[]", None, None, 0.5, "", "",
                "user", "{}",
            ),
        ],
    ),
    (
        "INSERT INTO memories (id, content, superseded_by, expires_at) VALUES (?, ?, ?, ?)",
        [("m8", "old port 8080", "m2", "2026-03-01T00:00:00")],
    ),
    (
        (
            "INSERT INTO episodes (id, session_id, summary, goal, started_at, ended_at, entities, tools_used, tags,"
            " action_nodes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ),
        [
            (
                "e1", "s1", "定位到重复回调并加了幂等键", "修复支付回调", "2026-02-20T09:00:00+08:00",
                "2026-02-20T10:00:00+08:00", '["支付", "webhook"]', '["read_file", "shell"]', '["bug"]',
                '[{"tool_name": "shell", "success": true}]',
            ),
            ("e2", "s2", "", "only a goal", None, None, "[]", "[]", "[]", "[]"),
        ],
    ),
    (
        "INSERT INTO scratchpad (user_id, content, current_focus, open_questions, updated_at) VALUES (?, ?, ?, ?, ?)",
        [
            ("default", "", "迁移到 PostgreSQL 16", '["要不要停机？"]', "2026-02-21T08:00:00Z"),
            ("empty", "", "", "[]", None),
        ],
    ),
    (
        "INSERT INTO conversation_turns (session_id, turn_index, role, content) VALUES (?, ?, ?, ?)",
        [("s1", 0, "user", "不该成为记忆"), ("s1", 1, "assistant", "ok"), ("s3", 0, "user", "x")],
    ),
    (
        "INSERT INTO extraction_queue (session_id, content, status) VALUES (?, ?, ?)",
        [
            ("s1", "等待提取的一轮", "pending"),
            ("s1", "done already", "completed"),
            ("s1", "gave up", "failed"),
        ],
    ),
    (
        "INSERT INTO attachments (id, session_id, original_filename, description, transcription) VALUES (?, ?, ?, ?, ?)",
        [("a1", "s1", "录音.m4a", "语音备忘", "明天上线"), ("a2", "", "x.png", "", "")],
    ),
)  # fmt: skip

V2 = """
CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT, type TEXT, priority TEXT, importance_score REAL, tags TEXT,
 created_at TEXT);
INSERT INTO memories VALUES ('o1', '旧库里的事实', 'FACT', 'LONG_TERM', 0.8, '["旧"]', '2025-06-01T00:00:00Z');
INSERT INTO memories VALUES ('o2', 'an old experience', 'EXPERIENCE', 'PERMANENT', NULL, NULL, NULL);
"""


def database(file: Path, schema: int = 6, *, wal: bool = False) -> apsw.Connection:
    """Make a database of that schema; the connection is open, for tests that need a writer."""
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(file))
    if wal:
        connection.execute("PRAGMA journal_mode=WAL").fetchall()
    connection.execute(V6 if schema == 6 else V2)
    if schema == 6:
        for statement, rows in ROWS:
            connection.executemany(statement, rows)
    return connection


def build(path: Path, schema: int = 6) -> Path:
    """A workspace at `path`: the committed files and a database."""
    shutil.copytree(Path(__file__).with_name("workspace"), path, dirs_exist_ok=True)
    database(path / "data" / "memory" / "openakita.db", schema).close()
    return path
