"""Only what was appended is taken in; what was replaced is done anew; whoever is stopped goes on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memtui.core.errors import MemtuiError
from memtui.index import transcript_intake
from memtui.index.transcript_intake import IntakeResult, TranscriptShelf
from memtui.index.transcript_tables import connect, find_transcript_place
from memtui.layouts.discovery import open_home_at
from memtui.layouts.trace_sources import list_transcript_sources
from memtui.store.vault import Vault
from tests.traces.scenes import SESSION, age, ask, bash, claude, project, told


def place_of(home: Path) -> TranscriptShelf:
    """The home and its place, as a vault knows them."""
    with Vault.open([home], wait=False) as vault:
        return vault._conversations.shelves[0]


def take(home: Path, **options: object) -> IntakeResult:
    shelf = place_of(home)
    return transcript_intake.take(
        find_transcript_place(shelf.place),
        list_transcript_sources(shelf.home),
        [],
        "claude",
        **options,  # type: ignore[arg-type]
    )


def turns(home: Path) -> list[tuple[int, int]]:
    """Id and line of every turn in the index."""
    db = connect(find_transcript_place(place_of(home).place))
    try:
        return [(int(str(a)), int(str(b))) for a, b in db.execute("SELECT id, line FROM turn ORDER BY id")]
    finally:
        db.close()


def test_nothing_is_read_or_made_before_it_is_asked_for(tmp_path: Path) -> None:
    home = project(tmp_path, claude("one"))
    with Vault.open([home]) as vault:
        assert vault.find("one")
        assert [place.path for place in vault.untold()] == [home]
        pointer = find_transcript_place(vault._conversations.shelves[0].place).pointer
        assert not pointer.exists()
        assert vault.traces("one", days_back=None)
        assert pointer.exists()
        assert vault.untold() == []


def test_only_what_is_appended_is_taken_in(tmp_path: Path) -> None:
    home = project(tmp_path, claude("one fish", bash("t", "ls fish")))
    assert len(ask(home, "fish")) == 2
    before = turns(home)
    with open(home / f"{SESSION}.jsonl", "a", encoding="utf-8") as file:
        file.write(claude({"id": "t", "content": "red fish"}, "blue fish", start=2))
    assert [trace.tool for trace in ask(home, "red")] == ["Bash"]
    after = turns(home)
    assert after[: len(before)] == before
    assert [line for _id, line in after] == [1, 2, 3, 4]
    assert take(home).done == 0


def test_a_line_that_is_still_being_written(tmp_path: Path) -> None:
    whole = claude("one", "two penguins")
    home = project(tmp_path, whole[:-30])
    assert ask(home, "penguins") == []
    (home / f"{SESSION}.jsonl").write_text(whole + claude("three penguins", start=2), encoding="utf-8")
    assert [trace.line for trace in ask(home, "penguins")] == [3, 2]


def test_a_last_line_without_its_end_counts_once(tmp_path: Path) -> None:
    home = project(tmp_path, claude("one penguin").rstrip("\n"))
    assert [trace.line for trace in ask(home, "penguin")] == [1]
    with open(home / f"{SESSION}.jsonl", "a", encoding="utf-8") as file:
        file.write("\n" + claude("two penguins", start=1))
    assert sorted(trace.line for trace in ask(home, "penguin")) == [1, 2]


def test_broken_lines_are_passed_over_and_counted(tmp_path: Path) -> None:
    text = claude("one otter") + '{"torn\n\0\0\0\n[1]\n' + "{" * 5000 + "\n" + claude("two otters", start=1)
    home = project(tmp_path, text)
    assert sorted(trace.line for trace in ask(home, "otter")) == [1, 6]
    db = connect(find_transcript_place(place_of(home).place))
    assert db.execute("SELECT skipped FROM file").get == 4
    db.close()


@pytest.mark.parametrize("how", ["replaced", "cut", "rewritten"])
def test_a_file_that_is_another_is_done_anew(tmp_path: Path, how: str) -> None:
    home = project(tmp_path, claude("the first badger", "the second badger", "filler " * 300))
    file = home / f"{SESSION}.jsonl"
    assert len(ask(home, "badger")) == 2
    text = claude("the only badger") if how == "cut" else claude("a whole new badger", "x " * 2_000)
    if how == "replaced":
        (home / "new").write_text(text, encoding="utf-8")
        os.replace(home / "new", file)
    else:
        file.write_text(text, encoding="utf-8")
    [found] = ask(home, "badger")
    assert found.snippet in {"the only badger", "a whole new badger"}
    assert ask(home, "second") == []


def test_a_file_that_is_gone_is_forgotten_and_an_absent_disk_is_not(tmp_path: Path) -> None:
    home = project(tmp_path, claude("a lonely heron"))
    project(tmp_path, claude("another heron"), "1bb1c7de-1111-4222-8333-0123456789ab")
    assert len(ask(home, "heron")) == 2
    (home / f"{SESSION}.jsonl").unlink()
    assert [trace.snippet for trace in ask(home, "heron")] == ["another heron"]
    with Vault.open([home]) as vault:
        home.rename(tmp_path / "elsewhere")
        assert vault.traces("heron", days_back=None) == []
    (tmp_path / "elsewhere").rename(home)
    assert len(turns(home)) == 1


def test_what_changed_under_an_index_is_not_shown_for_what_it_was(tmp_path: Path) -> None:
    home = project(tmp_path, claude("the quiet lynx"))
    assert ask(home, "lynx")
    file = home / f"{SESSION}.jsonl"
    status = file.stat()
    file.write_text(file.read_text(encoding="utf-8").replace("quiet lynx", "noisy bear"), encoding="utf-8")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert ask(home, "lynx") == []


def test_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-02-22T09:00:00Z")
    home = project(tmp_path, claude("a recent moth"))
    project(tmp_path, claude("an old moth").replace("2026-02", "2026-01"), "1bb1c7de-1111-4222-8333-0123456789ab")
    for number, file in enumerate(sorted(home.glob("*.jsonl"))):
        age(file, 1771578000 - number * 30 * 86_400)
    assert [trace.snippet for trace in ask(home, "moth", days_back=7)] == ["a recent moth"]
    # What is too old for the question was not even read.
    assert len(turns(home)) == 1
    assert [trace.snippet for trace in ask(home, "moth", days_back=0)] == ["a recent moth", "an old moth"]
    assert ask(home, "moth", days_back=1) == []


def test_a_budget_and_a_cancellation_keep_what_was_done(tmp_path: Path) -> None:
    home = project(tmp_path, claude(*(f"hedgehog number {number}" for number in range(300))))
    found = ask(home, "hedgehog", budget=0.0)
    assert "still to be taken in" in found.warning
    calls = iter(range(1000))
    assert take(home, cancelled=lambda: next(calls) > 100).left
    part = len(turns(home))
    assert 100 < part < 200
    assert not ask(home, "hedgehog").warning
    assert [line for _id, line in turns(home)] == list(range(1, 301))


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    home = project(tmp_path, claude("a gnu"))
    file = home / f"{SESSION}.jsonl"
    project(tmp_path, claude("two gnus"), "1bb1c7de-1111-4222-8333-0123456789ab")
    file.chmod(0)
    if os.access(file, os.R_OK):
        pytest.skip("this user may read everything")
    found = ask(home, "gnu")
    assert len(found) == 1
    assert "no permission" in found.warning


def test_an_index_damaged_where_it_is_searched_is_made_anew(tmp_path: Path) -> None:
    home = project(tmp_path, claude("a gnu"))
    assert ask(home, "gnu")
    db = connect(find_transcript_place(place_of(home).place), write=True)
    db.execute("UPDATE fts_data SET block = x'ffffffffffffffff'")
    db.close()
    assert "rebuilt" in ask(home, "gnu").warning
    assert len(ask(home, "gnu")) == 1


def test_one_who_writes_at_a_time(tmp_path: Path) -> None:
    from memtui.fs.locks import hold_lock

    home = project(tmp_path, claude("a wombat"))
    assert ask(home, "wombat")
    with open(home / f"{SESSION}.jsonl", "a", encoding="utf-8") as file:
        file.write(claude("two wombats", start=1))
    with hold_lock(find_transcript_place(place_of(home).place).lock):
        found = ask(home, "wombat")
    assert len(found) == 1
    assert "another memtui" in found.warning
    assert len(ask(home, "wombat")) == 2


def test_a_damaged_index_is_made_anew(tmp_path: Path) -> None:
    home = project(tmp_path, claude("a stoat"))
    assert ask(home, "stoat")
    place = find_transcript_place(place_of(home).place)
    file = place.directory / place.pointer.read_text().strip()
    data = bytearray(file.read_bytes())
    data[4096:] = os.urandom(len(data) - 4096)
    file.write_bytes(data)
    for extra in ("-wal", "-shm"):
        file.with_name(file.name + extra).unlink(missing_ok=True)
    ask(home, "stoat")
    assert told(ask(home, "stoat")) == [(1, "user", "a stoat")]


_BUILD = """
import sys
from memtui.index import transcript_intake as taking
taking.COMMIT = 2_000
from memtui.store.vault import Vault
with Vault.open([sys.argv[1]], wait=False) as vault:
    vault.traces("x", days_back=None, budget=None)
"""


def so_far(home: Path) -> int:
    try:
        return len(turns(home))
    except MemtuiError:
        return 0


def test_killed_in_the_middle_it_goes_on(tmp_path: Path) -> None:
    home = project(tmp_path, claude(*(f"kangaroo {number} " + "word " * 200 for number in range(3_000))))
    seen = [0]
    for _round in range(3):
        child = subprocess.Popen([sys.executable, "-c", _BUILD, str(home)])
        until = time.monotonic() + 30
        while child.poll() is None and so_far(home) <= seen[-1] and time.monotonic() < until:
            time.sleep(0.005)
        child.kill()
        child.wait()
        seen.append(so_far(home))
    assert 0 < seen[1] < 3_000
    assert seen == sorted(seen)
    assert not ask(home, "kangaroo").warning
    assert [line for _id, line in turns(home)] == list(range(1, 3_001))
    db = connect(find_transcript_place(place_of(home).place))
    assert db.execute("SELECT count(*) FROM fts('kangaroo')").get == 3_000
    db.close()


def test_appended_while_it_is_read(tmp_path: Path) -> None:
    home = project(tmp_path, claude(*(f"ibis {number}" for number in range(50))))
    file = home / f"{SESSION}.jsonl"
    number = 50

    def grow(_done: int, _total: int) -> None:
        nonlocal number
        if number < 80:
            with open(file, "a", encoding="utf-8") as opened:
                opened.write(claude(f"ibis {number}", start=number))
            number += 1

    take(home, progress=grow)
    ask(home, "ibis")
    assert [line for _id, line in turns(home)] == list(range(1, 81))


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "secret.jsonl"
    outside.write_text(claude("an outside mongoose"), encoding="utf-8")
    home = project(tmp_path, claude("an inside mongoose"))
    (home / "1bb1c7de-1111-4222-8333-0123456789ab.jsonl").symlink_to(outside)
    assert [trace.snippet for trace in ask(home, "mongoose")] == ["an inside mongoose"]
    assert open_home_at(home).layout == "claude"
