"""Attachments of spec 003's home: proposed when their time is over, brought back to the byte."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui import Vault
from memtui.core.config import Config
from memtui.core.errors import ConflictError, RefusedError
from memtui.core.model import Filter, Status
from memtui.fs import database_rows
from memtui.layouts.openakita import LAYOUT
from memtui.lifecycle import expiry
from memtui.review import queue
from memtui.store import attachments
from memtui.store.candidates import Candidate
from tests.homes.openakita import MEMORIES_V6

DB = "data/memory/openakita.db"
TABLE = """CREATE TABLE attachments (id TEXT PRIMARY KEY, session_id TEXT DEFAULT '', episode_id TEXT DEFAULT '',
 filename TEXT DEFAULT '', original_filename TEXT DEFAULT '', mime_type TEXT DEFAULT '', file_size INTEGER DEFAULT 0,
 local_path TEXT DEFAULT '', url TEXT DEFAULT '', direction TEXT DEFAULT 'inbound', description TEXT DEFAULT '',
 transcription TEXT DEFAULT '', extracted_text TEXT DEFAULT '', tags TEXT DEFAULT '[]',
 linked_memory_ids TEXT DEFAULT '[]', created_at TEXT)"""
FTS = """CREATE VIRTUAL TABLE attachments_fts USING fts5(description, tags, content='attachments');
CREATE TRIGGER attachments_ai AFTER INSERT ON attachments BEGIN
 INSERT INTO attachments_fts (rowid, description, tags) VALUES (new.rowid, new.description, new.tags); END;
CREATE TRIGGER attachments_ad AFTER DELETE ON attachments BEGIN
 INSERT INTO attachments_fts (attachments_fts, rowid, description, tags)
 VALUES ('delete', old.rowid, old.description, old.tags); END;
CREATE TRIGGER attachments_au AFTER UPDATE ON attachments BEGIN
 INSERT INTO attachments_fts (attachments_fts, rowid, description, tags)
 VALUES ('delete', old.rowid, old.description, old.tags);
 INSERT INTO attachments_fts (rowid, description, tags) VALUES (new.rowid, new.description, new.tags); END;"""
PICTURE = b"\x89PNG\r\n\x1a\n\0\0\r\n" + bytes(range(256)) * 40
OLD, NEW = "2025-10-01T09:00:00.5", "2026-02-20T09:00:00"


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T12:00:00Z")
    monkeypatch.setattr(database_rows, "_copied_rows", set())


def put(place: Path, key: str, **said: Any) -> None:
    row = {
        "id": key,
        "original_filename": f"{key}.png",
        "description": f"what {key} shows",
        "created_at": OLD,
        **said,
    }
    connection = apsw.Connection(str(place / DB))
    names = ", ".join(row)
    connection.execute(f"INSERT INTO attachments ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
    connection.close()


def sql(place: Path, statement: str) -> list[Any]:
    connection = apsw.Connection(str(place / DB))
    try:
        return connection.execute(statement).fetchall()
    finally:
        connection.close()


def file(place: Path, name: str, data: bytes = PICTURE) -> str:
    path = place / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o640)
    return str(path)


@pytest.fixture
def akita(tmp_path: Path) -> Path:
    place = tmp_path / "ws"
    (place / "data/memory").mkdir(parents=True)
    connection = apsw.Connection(str(place / DB))
    connection.execute(f"{MEMORIES_V6}; {TABLE}; {FTS}")
    connection.execute("INSERT INTO memories (id, content) VALUES ('held', 'still holds')")
    connection.execute("INSERT INTO memories (id, content, superseded_by) VALUES ('over', 'no more', 'held')")
    connection.close()
    return place


def waiting(vault: Vault) -> list[Candidate]:
    return [one for one in queue.load_queue(vault).waiting if one.origin == "attachment"]


def test_what_is_shown_of_one(akita: Path) -> None:
    put(
        akita,
        "a1",
        file_size=10240,
        mime_type="image/png",
        direction="inbound",
        created_at=NEW,
        extracted_text="x",
    )
    with Vault.open([akita]) as vault:
        (shown,) = vault.memories(Filter(kinds=frozenset({"attachment"})))
    assert (shown.title, shown.text) == ("a1.png", "what a1 shows\nx")
    assert shown.created is not None
    assert {
        "file_size": 10240,
        "direction": "inbound",
        "mime_type": "image/png",
    }.items() <= shown.extra.items()


def test_which_ones_are_over(akita: Path) -> None:
    put(akita, "old")
    put(akita, "new", created_at=NEW)
    put(akita, "linked", linked_memory_ids='["held"]')
    put(akita, "unlinked", linked_memory_ids='["over", "nowhere"]')
    put(akita, "pinned", tags='["Pinned"]')
    put(akita, "undated", created_at="bad date")
    put(akita, "away", tags='["memtui:archived"]')
    with Vault.open([akita]) as vault:
        found = waiting(vault)
        assert [one.text.split(":")[0] for one in found] == ["old.png", "unlinked.png"]
        assert all("151 days old" in one.reason for one in found)
        vault.config = Config(lifecycle=Config().lifecycle._replace(attachments_days=5))
    with Vault.open([akita], config=vault.config) as vault:
        assert {one.text.split(":")[0] for one in waiting(vault)} == {"old.png", "unlinked.png", "new.png"}
    with Vault.open([akita], config=Config(lifecycle=Config().lifecycle._replace(attachments_days=0))) as vault:
        assert waiting(vault) == []


def test_its_own_end_comes_before_its_age(akita: Path) -> None:
    sql(akita, "ALTER TABLE attachments ADD COLUMN expires_at TEXT")
    put(akita, "past", created_at=NEW, expires_at="2026-02-25T00:00:00", linked_memory_ids='["held"]')
    put(akita, "ahead", expires_at="2026-09-25T00:00:00")
    with Vault.open([akita]) as vault:
        assert [(one.text, one.reason) for one in waiting(vault)] == [
            ("past.png: what past shows", "it expired on 2026-02-25")
        ]
        assert expiry.plan(vault).steps == ()


@pytest.mark.parametrize("place", ["data/media/a1.png", "uploads/report", "data/memory/attachments/声音.m4a"])
@pytest.mark.parametrize("absolute", [True, False])
def test_approved_and_taken_back(akita: Path, place: str, absolute: bool) -> None:
    whole = file(akita, place)
    put(akita, "a1", local_path=whole if absolute else place, tags='["图"]', file_size=len(PICTURE))
    before = sql(akita, "SELECT * FROM attachments")
    with Vault.open([akita]) as vault:
        (one,) = waiting(vault)
        assert dict(one.parts)["size"] == "10 kB"
        assert not one.warnings
        difference = queue.diff(vault, one)
        assert f"--- a/{place}" in difference and "10,252 bytes" in difference and "\x89" not in difference
        receipt = queue.approve(vault, one)
        assert not os.path.exists(whole)
        assert sql(akita, "SELECT tags FROM attachments") == [('["图", "memtui:archived"]',)]
        assert sql(akita, "SELECT count(*) FROM attachments_fts WHERE attachments_fts MATCH 'archived'") == [(1,)]
        (shown,) = vault.memories(Filter(kinds=frozenset({"attachment"}), statuses=frozenset()))
        assert shown.status is Status.ARCHIVED and shown.tags == ("图",)
        assert waiting(vault) == []
        assert [record.id for record in vault.trash()] == [receipt.id]
        vault.undo(receipt.id)
        assert (akita / place).read_bytes() == PICTURE
        assert (akita / place).stat().st_mode & 0o777 == 0o640
        assert sql(akita, "SELECT * FROM attachments") == before
        assert len(waiting(vault)) == 1


def test_an_empty_file_too(akita: Path) -> None:
    put(akita, "a1", local_path=file(akita, "data/media/a1.png", b""))
    with Vault.open([akita]) as vault:
        receipt = queue.approve(vault, waiting(vault)[0])
        vault.undo(receipt.id)
    assert (akita / "data/media/a1.png").read_bytes() == b""


@pytest.mark.parametrize(
    "said",
    ["../outside.png", "/etc/passwd", "data/memory/openakita.db", "identity/USER.md", ".env", "data/media/.env",
     "data/media/link.png", "data/linked/x.png", "data/config/llm.json", "data/agents/a/x.png", "data/media", "",
     "data/media/keys.pem", "skills/a/x.png", "data/media/\x00.png", "data/media/none.png"],
)  # fmt: skip
def test_what_a_row_says_of_a_path_is_not_trusted(akita: Path, tmp_path: Path, said: str) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(PICTURE)
    for name in ("identity/USER.md", ".env", "data/media/.env", "data/config/llm.json", "data/agents/a/x.png",
                 "data/media/keys.pem", "skills/a/x.png"):  # fmt: skip
        file(akita, name)
    (akita / "data/media/link.png").symlink_to(outside)
    (akita / "data/linked").symlink_to(tmp_path)
    (tmp_path / "x.png").write_bytes(PICTURE)
    put(akita, "a1", local_path=said)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and path.suffix != ".db"}
    with Vault.open([akita]) as vault:
        (one,) = waiting(vault)
        assert "only its row is marked" in one.warnings[0]
        queue.approve(vault, one)
        assert waiting(vault) == []
    assert {path: path.read_bytes() for path in before} == before


def test_a_file_that_another_one_has_stays(akita: Path) -> None:
    whole = file(akita, "data/media/both.png")
    put(akita, "a1", local_path=whole)
    put(akita, "a2", local_path="data/media/both.png", created_at=NEW)
    with Vault.open([akita]) as vault:
        queue.approve(vault, waiting(vault)[0])
    assert os.path.exists(whole)
    assert sql(akita, "SELECT id FROM attachments WHERE tags LIKE '%archived%'") == [("a1",)]


def test_a_database_that_cannot_be_marked_loses_only_the_file(akita: Path) -> None:
    whole = file(akita, "data/media/a1.png")
    put(akita, "a1", local_path=whole)
    put(akita, "a2", local_path="")
    sql(akita, "CREATE TABLE _schema_meta (key TEXT, value TEXT)")
    sql(akita, "INSERT INTO _schema_meta VALUES ('version', '7')")
    before = sql(akita, "SELECT * FROM attachments")
    with Vault.open([akita]) as vault:
        (one,) = waiting(vault)
        assert "only the file goes" in one.warnings[0]
        receipt = queue.approve(vault, one)
        assert not os.path.exists(whole)
        assert waiting(vault) == []
        vault.undo(receipt.id)
    assert (akita / "data/media/a1.png").read_bytes() == PICTURE
    assert sql(akita, "SELECT * FROM attachments") == before


def test_a_locked_database_keeps_both(akita: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_rows, "WAIT", 50)
    whole = file(akita, "data/media/a1.png")
    put(akita, "a1", local_path=whole)
    with Vault.open([akita]) as vault:
        (one,) = waiting(vault)
        connection = apsw.Connection(str(akita / DB))
        connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(Exception, match="try again"):
            queue.approve(vault, one)
        connection.close()
        assert os.path.exists(whole)
        queue.approve(vault, one)
    assert not os.path.exists(whole)


def test_what_has_changed_meanwhile_is_not_touched(akita: Path) -> None:
    whole = file(akita, "data/media/a1.png")
    put(akita, "a1", local_path=whole)
    with Vault.open([akita]) as vault:
        (one,) = waiting(vault)
        sql(akita, """UPDATE attachments SET linked_memory_ids = '["held"]'""")
        with pytest.raises((RefusedError, ConflictError)):
            queue.approve(vault, one)
    assert os.path.exists(whole)


def test_what_the_trash_cannot_hold_stays(akita: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attachments, "LARGEST", 1000)
    whole = file(akita, "data/media/a1.png")
    put(akita, "a1", local_path=whole)
    with Vault.open([akita]) as vault:
        (one,) = waiting(vault)
        assert [warning for warning in one.warnings if "at most" in warning]
        with pytest.raises(RefusedError, match="at most"):
            queue.approve(vault, one)
    assert os.path.exists(whole)
    assert sql(akita, "SELECT tags FROM attachments") == [("[]",)]


def test_only_attachments_go_this_way(akita: Path) -> None:
    """The write path lets a file go that is no memory only where it may be an attachment."""
    from memtui.core.edits import Edit

    for name in ("data/config/llm.json", "data/media/new.txt"):
        file(akita, name, b"x")
    with Vault.open([akita]) as vault:
        with pytest.raises(RefusedError):
            vault.apply([Edit(str(akita), "data/config/llm.json", b"x", (), remove=True)], verb="delete")
        with pytest.raises(RefusedError):
            vault.apply([Edit(str(akita), "data/media/new.txt", b"x", ())], verb="edit")
    assert LAYOUT.attached(akita, "workspaces/default/data/media/x.png")
    assert not LAYOUT.attached(akita, "workspaces/default/identity/x.png")
    assert not LAYOUT.attached(akita, "x.png")
