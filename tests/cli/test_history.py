"""`memtui undo`, `redo`, `history` and `trash`: what was written, and taking it back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from memtui.core.config import Config
from memtui.core.edits import Edit
from memtui.layouts.discovery import open_home_at
from memtui.store.vault import Vault
from tests.cli.conftest import Caller
from tests.homes import read_files


def removed(home: Path, path: str) -> str:
    """A file in the trash, by way of the vault: the id of the write."""
    with Vault([open_home_at(home)], Config()) as vault:
        edit = Edit(str(home), path, (home / path).read_bytes(), (), remove=True)
        return vault.apply([edit], verb="delete").id


def test_history_lists_what_was_written_newest_first(call: Caller, home: Path) -> None:
    assert call("history").status == 1
    assert call("history", "--json").json == {"writes": [], "more": False}
    call("append", "一")
    call("append", "two", "--kind", "pref")
    writes = call("history", "--json").json["writes"]
    assert [one["verb"] for one in writes] == ["append", "append"]
    assert writes[0]["paths"] == [str(home / "daily/2026-02-28.md")]
    assert writes[0]["homes"] == [str(home)]
    assert {"id", "time", "verb", "who", "what", "paths", "warnings", "state", "undone"} <= writes[0].keys()
    rows = [line.split("\t") for line in call("history").out.splitlines()]
    assert [row[1] for row in rows] == [one["id"] for one in writes]
    assert call("history", "-n", "1", "--json").json["more"] is True


def test_filters(call: Caller, home: Path, alone: Path) -> None:
    call("append", "one")
    call("append", "two")
    call("undo")

    def count(*argv: str) -> int:
        return len(call("history", "--json", *argv).json["writes"])

    assert count() == 3
    assert count("--verb", "append") == 2
    assert count("--verb", "append", "--verb", "undo") == 3
    assert count("--undone") == 1
    assert count("--who", "person") == 3
    assert count("--who", "distillation") == 0
    assert count("--path", "daily/") == 3
    assert count("--path", "*.jsonl") == 0
    assert count("--since", "1h") == 3
    assert count("--since", "2026-03-01") == 0
    assert call("history", "--since", "soon").status == 2
    (alone / "other" / "daily").mkdir(parents=True)
    assert count("--home", "other") == 0
    assert count("--home", "other", "--everywhere") == 3


def test_show_gives_the_difference(call: Caller, home: Path) -> None:
    write = call("append", "显示我", "--json").json["receipt"]["id"]
    done = call("history", "show", write, "--json").json
    assert "+- 2026-02-28T12:00:00Z [note] 显示我" in done["diff"].splitlines()
    assert done["obstacle"] is None
    page = call("history", "show", write[-8:])
    assert "显示我" in page.out
    assert f"memtui undo {write}" in page.err
    assert call("history", "show").status == 2
    assert call("history", "show", "nothing").status == 2
    call("undo", write)
    assert call("history", "show", write, "--json").json["obstacle"]


def test_undo_and_redo_across_processes(call: Caller, home: Path) -> None:
    before = read_files(home)

    def process(*argv: str) -> int:
        return subprocess.run(
            [sys.executable, "-m", "memtui", *argv], capture_output=True, check=False, env=dict(os.environ)
        ).returncode

    assert process("append", "from elsewhere") == 0
    after = read_files(home)
    done = call("undo", "--json")
    assert (done.status, done.json["receipts"][0]["verb"], done.json["failed"]) == (0, "undo", [])
    assert read_files(home) == before
    assert process("redo") == 0
    assert read_files(home) == after
    assert process("undo") == 0
    assert read_files(home) == before
    nothing = call("undo")
    assert nothing.status == 3
    assert "nothing to undo" in nothing.err
    assert call("undo", "0123456789").status == 2
    assert call("undo", "--group").status == 2


def test_several_at_once_and_those_in_the_way_are_said(call: Caller, home: Path) -> None:
    before = read_files(home)
    ids = [call("append", f"note {n}", "--json").json["receipt"]["id"] for n in range(3)]
    day = home / "daily" / "2026-02-28.md"
    day.write_text(day.read_text("utf-8").replace("note 1", "note one"), "utf-8")
    done = call("undo", *reversed(ids), "--json")
    assert done.status == 3
    assert len(done.json["receipts"]) == 2
    assert [one["id"] for one in done.json["failed"]] == [ids[1]]
    assert "note one" in done.err
    assert day.read_text("utf-8") == "- 2026-02-28T12:00:00Z [note] note one\n"
    day.unlink()
    assert read_files(home) == before


def test_a_conflict_shows_both_texts(call: Caller, home: Path) -> None:
    call("append", "mine")
    day = home / "daily" / "2026-02-28.md"
    day.write_text("- 2026-02-28T12:00:00Z [note] theirs\x1b[2J\n", "utf-8")
    before = read_files(home)
    done = call("undo", "--json")
    assert done.status == 3
    assert done.json["exit_status"] == 3
    assert done.json["conflict"]["path"] == "daily/2026-02-28.md"
    assert "+- 2026-02-28T12:00:00Z [note] theirs" in done.json["conflict"]["theirs"]
    people = call("undo")
    assert (people.status, people.out) == (3, "")
    assert "theirs" in people.err
    assert "mine" in people.err
    assert "\x1b" not in people.err + done.out
    assert read_files(home) == before


def test_a_group_is_taken_back_at_once(call: Caller, home: Path) -> None:
    before = read_files(home)
    with Vault([open_home_at(home)], Config()) as vault:
        from memtui.core.edits import Draft
        from memtui.store.append import append

        receipts = [append(vault, vault.homes[0], Draft(f"n {n}"), group="g1").receipt for n in range(3)]
    assert receipts[0] is not None
    done = call("undo", receipts[0].id, "--group", "--json")
    assert (done.status, len(done.json["receipts"])) == (0, 1)
    assert read_files(home) == before


def test_trash(call: Caller, home: Path) -> None:
    assert call("trash").status == 1
    before = read_files(home)
    write = removed(home, "areas/projects/shop/rules.md")
    assert not (home / "areas/projects/shop/rules.md").exists()
    assert [one["id"] for one in call("trash", "--json").json["trash"]] == [write]
    assert write in call("trash").out
    shown = call("trash", "show", write[-8:], "--json").json["trash"]
    assert "-- 禁止在 DAO 层拼接 SQL 字符串" in shown[0]["diff"].splitlines()
    assert "禁止" in call("trash", "show", write).out
    for wrong in (["restore"], ["show"], ["list", write], ["restore", "nothing"], ["restore", write[:3]]):
        assert call("trash", *wrong).status == 2, wrong
    assert call("trash", "restore", write).status == 0
    assert read_files(home) == before
    assert call("trash").status == 1


def test_what_stands_in_its_place_stays(call: Caller, home: Path) -> None:
    write = removed(home, "areas/projects/shop/rules.md")
    (home / "areas/projects/shop/rules.md").write_text("# new\n", "utf-8")
    done = call("trash", "restore", write)
    assert done.status == 3
    assert (home / "areas/projects/shop/rules.md").read_text("utf-8") == "# new\n"
