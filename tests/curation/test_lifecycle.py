"""The lifecycle of whole homes: planned without a write, carried out as one decision, taken back to the byte."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui import Vault
from memtui.core.config import Config
from memtui.core.model import Filter, Memory, Status
from memtui.fs import database_rows
from memtui.lifecycle import expiry
from tests.homes import read_files, write_files
from tests.homes.openakita import build

NOW = "2026-03-01T12:00:00+00:00"
DB = "data/memory/openakita.db"
FACTS = {
    "facts": [
        {"id": "fact-001", "fact": "Ports are 8081", "status": "active", "expires_at": "2026-02-20"},
        {"id": "fact-002", "fact": "Freeze until the release", "status": "active", "expires_at": "2026-03-04"},
        {"id": "fact-003", "fact": "Kept whatever it says", "expires_at": "2026-02-20", "pinned": True},
        {"id": "fact-004", "fact": "Old one", "status": "archived", "expires_at": "2026-02-20"},
        {"id": "fact-005", "fact": "Somebody is on leave", "status": "active", "priority": "short_term",
         "importance": 0.4, "timestamp": "2026-02-22"},
        {"id": "fact-006", "fact": "A build was red", "status": "active", "priority": "SHORT_TERM",
         "timestamp": "2026-01-02", "access_count": 1},
        {"id": "fact-007", "fact": "No end at all", "status": "active", "timestamp": "2024-01-02"},
    ]
}  # fmt: skip
CORE = """# Memory

## Notes

- The old office is open (expires: 2026-02-01)
- Evergreen as oaks (expires: 2026-02-01) #evergreen
- Holds for ever
- The new office opens (expires: 2026-03-05)

## Kept
<!-- pinned: true -->

- Below a pin (expires: 2026-02-01)
"""
DAY = (
    '{"id":"log-1","type":"fact","memory_type":"W","content":"uses uv","timestamp":"2026-02-24T10:00:00Z",'
    '"expires_at":"2026-02-25T10:00:00Z"}\n'
    '{"id":"log-2","type":"fact","memory_type":"O","content":"likes short answers",'
    '"timestamp":"2026-02-24T10:01:00Z"}\n'
)
TOPIC = (
    "---\nname: moving\ndescription: We move house\ntype: project\nexpires: 2026-02-01\n---\n\n"
    "Boxes are in the hall.\n\n- the lift is booked\n"
)


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)
    monkeypatch.setattr(database_rows, "_copied_rows", set())


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return write_files(
        tmp_path / ".memtui",
        {
            "MEMORY.md": CORE,
            "user/profile.md": "# About me\n\n- In Chengdu (expires: 2026-02-01)\n",
            "areas/projects/shop/facts.json": json.dumps(FACTS, ensure_ascii=False, indent=2),
            "daily/2026-02-24.jsonl": DAY,
            "daily/2026-02-24.md": "- 2026-02-24T10:12:33Z [todo] water the plants (expires: 2026-02-26)\n",
        },
    )


ADD = (
    "INSERT INTO memories (id, content, type, priority, importance_score, access_count, tags, created_at, updated_at,"
    " expires_at, metadata, decay_rate, last_accessed_at, superseded_by) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)
ROWS: dict[str, dict[str, Any]] = {
    "past": {"expires_at": "2026-02-20T09:00:00.123456"},
    "ahead": {"expires_at": "2026-03-04T09:00:00"},
    "faint": {"priority": "SHORT_TERM", "updated_at": "2026-02-22T12:00:00"},
    "gone": {"priority": "short_term", "updated_at": "2026-01-22T12:00:00.5", "access_count": 2},
    "used": {"priority": "short_term", "updated_at": "2026-01-22T12:00:00", "access_count": 3},
    "fresh": {"priority": "short_term", "updated_at": "2026-01-22T12:00:00",
              "last_accessed_at": "2026-03-01T11:00:00"},
    "long": {"priority": "long_term", "updated_at": "2024-01-22T12:00:00"},
    "pin": {"expires_at": "2026-02-20T09:00:00", "tags": '["Pinned"]'},
    "meta": {"expires_at": "2026-02-20T09:00:00", "metadata": '{"pinned": true}'},
    "perm": {"expires_at": "2026-02-20T09:00:00", "priority": "PERMANENT"},
    "bare": {"priority": "short_term", "importance_score": None, "access_count": None, "decay_rate": None,
             "updated_at": None, "created_at": None, "metadata": None, "tags": None},
    "odd": {"priority": "short_term", "decay_rate": "fast", "updated_at": "bad date", "importance_score": "high"},
    "ahead-of-time": {"priority": "short_term", "updated_at": "2031-01-01T00:00:00"},
    "away": {"expires_at": "2026-02-20T09:00:00", "superseded_by": "past"},
}  # fmt: skip
_USUAL: dict[str, Any] = {
    "type": "fact", "priority": "long_term", "importance_score": 0.5, "access_count": 0, "tags": "[]",
    "created_at": "2026-01-01T00:00:00", "updated_at": "2026-01-01T00:00:00", "expires_at": None, "metadata": "{}",
    "decay_rate": 0.1, "last_accessed_at": None, "superseded_by": None,
}  # fmt: skip


@pytest.fixture
def akita(tmp_path: Path) -> Path:
    place = build(tmp_path / "ws")
    connection = apsw.Connection(str(place / DB))
    connection.execute("DELETE FROM memories")
    for name, said in ROWS.items():
        row = {**_USUAL, **said}
        connection.execute(ADD, (name, f"the row {name}", *row.values()))
    connection.close()
    return place


def dumped(place: Path) -> list[Any]:
    """Every row of the database as it stands."""
    connection = apsw.Connection(str(place / DB), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return connection.execute("SELECT * FROM memories ORDER BY id").fetchall()
    finally:
        connection.close()


def column(place: Path, name: str, *columns: str) -> tuple[Any, ...]:
    connection = apsw.Connection(str(place / DB), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = connection.execute(f"SELECT {', '.join(columns)} FROM memories WHERE id = ?", (name,))
        return tuple(found.fetchall()[0])
    finally:
        connection.close()


def told(plan: expiry.LifecyclePlan) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for step in plan.steps:
        found.setdefault(step.what, set()).add(step.memory.key or step.memory.text)
    return found


def statuses(vault: Vault) -> dict[str, Status]:
    every: list[Memory] = list(vault.memories(Filter(statuses=frozenset()), "path"))
    return {memory.key or memory.text: memory.status for memory in every}


# -- memtui's own home --------------------------------------------------------------------------------------------


def test_what_is_planned(mine: Path) -> None:
    before = read_files(mine)
    with Vault.open([mine]) as vault:
        plan = expiry.plan(vault)
    assert told(plan) == {
        "remove": {"fact-006"},
        "demote": {"fact-005"},
        "expire": {"fact-001", "The old office is open", "log-1", "water the plants"},
    }
    assert [step.what for step in plan.steps] == ["remove", "demote", "expire", "expire", "expire", "expire"]
    assert all(step.why and not step.obstacle for step in plan.steps)
    assert read_files(mine) == before


def test_carried_out_once_and_taken_back(mine: Path) -> None:
    before = read_files(mine)
    seen: list[tuple[int, int]] = []
    with Vault.open([mine]) as vault:
        ran = expiry.run(vault, expiry.plan(vault), progress=lambda done, of: seen.append((done, of)))
        assert not ran.left and len(ran.done) == 6 and seen[-1] == (6, 6)
        held = statuses(vault)
        assert {held[name] for name in ("fact-001", "The old office is open", "log-1", "water the plants")} == {
            Status.ARCHIVED
        }
        assert "fact-006" not in held
        assert held["fact-003"] is Status.EXPIRED and held["fact-007"] is Status.ACTIVE
        facts = {
            fact["id"]: fact for fact in json.loads((mine / "areas/projects/shop/facts.json").read_text())["facts"]
        }
        assert facts["fact-005"]["priority"] == "transient"
        assert facts["fact-005"]["expires_at"] == "2026-03-02T12:00:00+00:00"
        assert facts["fact-004"] == FACTS["facts"][3]
        assert (mine / "user/profile.md").read_bytes() == before["user/profile.md"]
        day = (mine / "daily/2026-02-24.jsonl").read_bytes()
        assert day.startswith(DAY.encode()), "a file that only grows was rewritten"
        assert expiry.plan(vault).steps == ()
        assert [record.verb for record in vault.trash()] == ["delete"]
        after = read_files(mine)
        assert expiry.run(vault, expiry.plan(vault)) == expiry.Ran()
        assert read_files(mine) == after
        vault.undo(ran.group)
        assert read_files(mine) == before
        assert told(expiry.plan(vault))["remove"] == {"fact-006"}


def test_a_later_day_is_a_later_plan(mine: Path) -> None:
    with Vault.open([mine]) as vault:
        now = expiry.plan(vault).now + 7 * 86400
        plan = expiry.plan(vault, now=now)
    assert "fact-002" in told(plan)["expire"] and "The new office opens" in told(plan)["expire"]


def test_only_the_homes_that_are_asked(mine: Path, akita: Path) -> None:
    with Vault.open([mine, akita]) as vault:
        assert {step.memory.home for step in expiry.plan(vault).steps} == {str(mine), str(akita)}
        assert {step.memory.home for step in expiry.plan(vault, frozenset({str(akita)})).steps} == {str(akita)}


def test_what_expires_soon(mine: Path, akita: Path) -> None:
    with Vault.open([mine, akita]) as vault:
        found = expiry.list_expiring_soon(vault)
        assert [memory.key or memory.text for memory in found] == [
            "ahead",
            "fact-002",
            "The new office opens",
        ]
        assert expiry.list_expiring_soon(vault, frozenset({str(akita)}))[0].key == "ahead"
        vault.config = Config(lifecycle=Config().lifecycle._replace(soon_days=4))
        assert [memory.key for memory in expiry.list_expiring_soon(vault)] == ["ahead", "fact-002"]
        vault.config = Config(lifecycle=Config().lifecycle._replace(soon_days=0))
        assert expiry.list_expiring_soon(vault) == []


# -- other homes --------------------------------------------------------------------------------------------------


def test_a_topic_goes_as_a_whole(tmp_path: Path) -> None:
    files = {"MEMORY.md": "- [moving](moving.md) — We move house\n", "moving.md": TOPIC}
    place = write_files(tmp_path / ".claude/projects/-x/memory", files)
    before = read_files(place)
    with Vault.open([place]) as vault:
        plan = expiry.plan(vault)
        assert [(step.what, step.memory.title) for step in plan.steps] == [("expire", "moving")]
        ran = expiry.run(vault, plan)
        assert not ran.left
        assert "status: archived" in (place / "moving.md").read_text()
        assert "archived" in (place / "MEMORY.md").read_text()
        assert set(statuses(vault).values()) == {Status.ARCHIVED}
        assert expiry.plan(vault).steps == ()
        vault.undo(ran.group)
    assert read_files(place) == before


def test_a_pinned_document_stays_with_all_below(tmp_path: Path) -> None:
    place = write_files(
        tmp_path / "memory", {"MEMORY.md": "", "moving.md": TOPIC.replace("type:", "pinned: true\ntype:")}
    )
    with Vault.open([place]) as vault:
        assert expiry.plan(vault).steps == ()
        assert expiry.list_expiring_soon(vault, now=expiry.plan(vault).now - 30 * 86400) == []


@pytest.mark.parametrize("name", ["xinghebot", "code_memory"])
def test_other_layouts(tmp_path: Path, name: str) -> None:
    import shutil

    place = tmp_path / name
    shutil.copytree(Path(__file__).parent.parent / "homes" / name, place)
    with Vault.open([place]) as vault:
        assert expiry.plan(vault).steps == (), "an end that nobody gave"
    memory = place / "MEMORY.md"
    memory.write_text(memory.read_text("utf-8") + "\n## More\n\n- 临时端口 9000 (expires: 2026-02-01)\n", "utf-8")
    if name == "code_memory":
        file = place / "areas/projects/demo/facts.json"
        document = json.loads(file.read_text("utf-8"))
        document["facts"].append({"id": "fact-900", "fact": "freeze", "status": "active", "expires_at": "2026-02-01"})
        file.write_text(json.dumps(document, ensure_ascii=False, indent=2), "utf-8")
    shutil.rmtree(place / "index", ignore_errors=True)
    before = read_files(place)
    with Vault.open([place]) as vault:
        ran = expiry.run(vault, expiry.plan(vault))
        assert not ran.left and len(ran.done) == (2 if name == "code_memory" else 1)
        assert "临时端口 9000 (expires: 2026-02-01) (archived 2026-03-01)" in memory.read_text("utf-8")
        vault.undo(ran.group)
    assert {path: data for path, data in read_files(place).items() if path in before} == before


# -- OpenAkita ----------------------------------------------------------------------------------------------------


def test_rows_are_marked_never_deleted(akita: Path) -> None:
    before = dumped(akita)
    with Vault.open([akita]) as vault:
        plan = expiry.plan(vault)
        assert told(plan) == {"remove": {"gone"}, "demote": {"faint", "used"}, "expire": {"past"}}
        ran = expiry.run(vault, plan)
        assert not ran.left and len(ran.done) == 4
        assert len(dumped(akita)) == len(before)
        assert column(akita, "past", "superseded_by") == ("memtui:archived",)
        assert column(akita, "gone", "superseded_by", "content") == ("memtui:deleted", "the row gone")
        assert column(akita, "faint", "priority", "expires_at") == ("transient", "2026-03-02T12:00:00")
        assert expiry.plan(vault).steps == ()
        vault.undo(ran.group)
    assert dumped(akita) == before


def test_a_row_that_its_program_uses_meanwhile_is_left(akita: Path) -> None:
    with Vault.open([akita]) as vault:
        plan = expiry.plan(vault)
        connection = apsw.Connection(str(akita / DB))
        connection.execute("UPDATE memories SET last_accessed_at = '2026-03-01T11:59:00' WHERE id = 'faint'")
        connection.execute("UPDATE memories SET content = 'said better' WHERE id = 'past'")
        connection.close()
        ran = expiry.run(vault, plan)
        assert {left.step.memory.key for left in ran.left} == {"faint", "past"}
        assert all(left.reason and left.status == 3 for left in ran.left)
        assert {step.memory.key for step in ran.done} == {"gone", "used"}
    assert column(akita, "past", "superseded_by") == (None,)
    assert column(akita, "faint", "priority") == ("SHORT_TERM",)


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        ("# Memory\n", "# Memory\n\n- one more\n", 0),
        ("office is open", "office is still open", 1),
        ("## Notes\n", "## Notes\n<!-- pinned: true -->\n", 1),
        (CORE, "", 1),
    ],
)
def test_a_file_that_somebody_edits_meanwhile(mine: Path, old: str, new: str, left: int) -> None:
    with Vault.open([mine]) as vault:
        plan = expiry.plan(vault)
        theirs = CORE.replace(old, new)
        (mine / "MEMORY.md").write_text(theirs)
        ran = expiry.run(vault, plan)
        assert [one.step.memory.path for one in ran.left] == ["MEMORY.md"] * left
        assert len(ran.done) == 6 - left
    now = (mine / "MEMORY.md").read_text()
    assert now == theirs if left else now.replace(" (archived 2026-03-01)", "") == theirs


def _locked(place: Path) -> Callable[[], None]:
    connection = apsw.Connection(str(place / DB))
    connection.execute("BEGIN IMMEDIATE")
    return connection.close


def test_a_locked_database_is_left_and_the_rest_done(akita: Path, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_rows, "WAIT", 50)
    before = dumped(akita)
    with Vault.open([akita, mine]) as vault:
        plan = expiry.plan(vault)
        close = _locked(akita)
        ran = expiry.run(vault, plan)
        close()
        assert {left.step.memory.home for left in ran.left} == {str(akita)} and len(ran.left) == 4
        assert all(left.status == 4 and "try again" in left.reason for left in ran.left)
        assert len(ran.done) == 6
        assert dumped(akita) == before
        assert not expiry.run(vault, expiry.plan(vault)).left


@pytest.mark.parametrize("sql", ["UPDATE _schema_meta SET value = '7'", "DROP TRIGGER memories_au"])
def test_a_database_that_may_not_be_written_says_so_beforehand(akita: Path, sql: str) -> None:
    connection = apsw.Connection(str(akita / DB))
    connection.execute(sql)
    connection.close()
    before = dumped(akita)
    with Vault.open([akita]) as vault:
        plan = expiry.plan(vault)
        assert len(plan.steps) == 4 and all(step.obstacle for step in plan.steps)
        ran = expiry.run(vault, plan)
        assert len(ran.left) == 4 and not ran.done and not ran.group
    assert dumped(akita) == before


def test_an_old_schema_without_the_columns(tmp_path: Path) -> None:
    place = build(tmp_path / "ws", schema=2)
    connection = apsw.Connection(str(place / DB))
    connection.execute("INSERT INTO memories VALUES ('o3', 'faint', 'FACT', 'SHORT_TERM', 0.2, NULL, '2025-06-01')")
    connection.close()
    before = dumped(place)
    with Vault.open([place]) as vault:
        plan = expiry.plan(vault)
        assert [(step.what, step.memory.key) for step in plan.steps] == [("remove", "o3")]
        ran = expiry.run(vault, plan)
        assert "superseded_by" in ran.left[0].reason
    assert dumped(place) == before


def test_two_at_once_do_it_once(akita: Path) -> None:
    """Two consolidations of one home: together they do what one would, and neither harms the other."""
    done: list[expiry.Ran] = []

    def work() -> None:
        with Vault.open([akita]) as vault:
            plan = expiry.plan(vault)
            gate.wait()
            done.append(expiry.run(vault, plan))

    gate = threading.Barrier(2)
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(step.memory.key for ran in done for step in ran.done) == ["faint", "gone", "past", "used"]
    assert column(akita, "gone", "superseded_by") == ("memtui:deleted",)


@pytest.mark.parametrize("bad", [b"not a database at all\n" * 300, b"", b"cut"])
def test_a_database_that_cannot_be_read_is_named(akita: Path, mine: Path, bad: bytes) -> None:
    place = akita / DB
    for beside in place.parent.glob(f"{place.name}-*"):
        beside.unlink()
    place.write_bytes(place.read_bytes()[:5000] if bad == b"cut" else bad)
    with Vault.open([akita, mine]) as vault:
        plan = expiry.plan(vault, frozenset({str(akita)}))
        assert not plan.steps
        (one,) = plan.unread
        assert (one.home, one.path) == (str(akita), DB) and one.reason
        assert not expiry.plan(vault, frozenset({str(mine)})).unread


def test_a_database_that_can_be_read_is_not(akita: Path) -> None:
    with Vault.open([akita]) as vault:
        assert not expiry.plan(vault).unread
