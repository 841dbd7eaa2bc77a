"""The day's steps by themselves: the queue, what is said twice, what is faint or over."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.config import Config
from memtui.core.edits import Draft
from memtui.fs import displaced
from memtui.language.conversation import Session
from memtui.review import queue
from memtui.sessions import jobs
from memtui.store.vault import Vault
from tests.consolidation.homes import fact, facts, look_after, messy, step, write
from tests.homes import read_files
from tests.homes.openakita import build as openakita

AUTO = Config(distill=Config().distill._replace(mode="auto"))


def test_twins_wait_where_a_person_decides(tmp_path: Path) -> None:
    home = messy(tmp_path)
    before = (home / "areas/projects/shop/facts.json").read_bytes()
    found = step(look_after(home, weekly=False), "duplicates")
    assert found.counts == {"exact": 1, "waiting": 1} and "Review" in found.lines[0]
    with Vault.open([home]) as vault:
        assert [one.origin for one in queue.load_queue(vault).waiting].count("duplicate") == 1
    assert b"superseded" not in before


def test_what_did_not_change_is_not_compared_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.fs.places import find_cache_directory
    from memtui.review.census import load_clashes
    from memtui.store import consolidate_report

    home = messy(tmp_path)
    # The first run makes memtui's own sections of MEMORY.md.
    look_after(home, weekly=False)
    seen: list[object] = []

    def counted(*given: object, **more: object) -> object:
        seen.append(given)
        return load_clashes(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("memtui.consolidation.daily_steps.load_clashes", counted)
    first = step(look_after(home, weekly=False), "duplicates")
    again = step(look_after(home, weekly=False), "duplicates")
    assert len(seen) == 1 and (again.counts, again.lines) == (first.counts, first.lines)
    (derived,) = find_cache_directory().glob(f"*/{consolidate_report.DERIVED}")
    for number, damage in enumerate((b"", b"[]", b"{\xff", derived.read_bytes().replace(b"waiting", b"wai")), 2):
        derived.write_bytes(damage)
        assert step(look_after(home, weekly=False), "duplicates").counts == first.counts
        assert len(seen) == number
    with Vault.open([home]) as vault:
        queue.reject(vault, next(c for c in queue.load_queue(vault).waiting if c.origin == "duplicate"))
    assert step(look_after(home, weekly=False), "duplicates").counts["waiting"] == 0
    write(home, "areas/projects/shop/rules.md", "# Rules\n\n- A rule that is new (expires=2026-03-04)\n")
    look_after(home, weekly=False)
    assert len(seen) == 7
    look_after(home, weekly=False)
    many = len(seen)
    look_after(home, weekly=False, later=60.0)
    assert len(seen) == many
    # The new rule is over by then.
    look_after(home, weekly=False, later=5 * 86400.0)
    assert len(seen) == many + 1


def test_only_what_stands_letter_for_letter_is_merged(tmp_path: Path) -> None:
    home = tmp_path / ".memtui"
    write(home, "MEMORY.md", "# MEMORY\n\n- Order ids are ULIDs, never integers\n")
    facts(
        home,
        "shop",
        fact(1, "Refunds need two people to sign them"),
        fact(2, "Refunds need two people to sign them."),
        fact(3, "The weekly report is sent to finance on Mondays"),
        fact(5, "The weekly report is sent to the finance on Mondays"),
        fact(4, "Order ids are ULIDs, never integers"),
    )
    found = step(look_after(home, weekly=False, config=AUTO), "duplicates")
    text = (home / "areas/projects/shop/facts.json").read_text("utf-8")
    assert found.counts["merged"] == 1 and text.count('"superseded"') == 1
    # Core memory is the person's, and what only resembles is for them to say.
    assert found.counts["waiting"] >= 1 and "(superseded" not in (home / "MEMORY.md").read_text("utf-8")


def test_what_a_person_rejected_is_never_merged(tmp_path: Path) -> None:
    home = messy(tmp_path)
    with Vault.open([home]) as vault:
        (one,) = [one for one in queue.load_queue(vault).waiting if one.origin == "duplicate"]
        queue.reject(vault, one, "both are wanted")
    before = (home / "areas/projects/shop/facts.json").read_bytes()
    found = step(look_after(home, weekly=False, config=AUTO), "duplicates")
    assert found.counts == {"exact": 0, "waiting": 0}
    after = (home / "areas/projects/shop/facts.json").read_bytes()
    assert b"superseded" not in before and b"superseded" not in after


def test_what_hooks_left_is_done(tmp_path: Path) -> None:
    from memtui.store.append import keep

    home = messy(tmp_path)
    with Vault.open([home]) as vault:
        keep(vault, vault.homes[0], Draft("Kept while the home was locked", "note"), who="hook:Stop")
    jobs.put("start", Session("s-9", "claude-code", str(tmp_path), "shop", "shop", ""))
    dry = step(look_after(home, weekly=False, dry_run=True), "queue")
    assert dry.counts["waiting"] == 2 and displaced.list_spooled_records() and jobs.list_jobs()
    found = step(look_after(home, weekly=False), "queue")
    assert found.counts["written"] == 2 and not displaced.list_spooled_records() and not jobs.list_jobs()
    assert b"Kept while the home was locked" in read_files(home)["daily/2026-03-01.md"]


def test_a_worker_that_is_at_it_is_left_to_it(tmp_path: Path) -> None:
    from memtui.fs.locks import hold_lock
    from memtui.fs.places import make_private_directory, state

    home = messy(tmp_path)
    jobs.put("start", Session("s-9", "claude-code", str(tmp_path), "shop", "shop", ""))
    make_private_directory(state() / "locks")
    with hold_lock(state() / "locks" / "worker.lock"):
        report = look_after(home, weekly=False)
    assert jobs.list_jobs() and "worker" in step(report, "queue").left[0][1] and report.whole


def test_turns_that_openakita_has_not_read_are_offered_once(tmp_path: Path) -> None:
    home = openakita(tmp_path / "ws")
    database(home, "用户决定以后一律使用 pnpm，不再使用 npm。")
    first = step(look_after(home, weekly=False), "extraction")
    assert first.counts["waiting"] >= 1 and first.counts["proposed"] >= 1
    with Vault.open([home]) as vault:
        offered = [one for one in queue.load_queue(vault).waiting if one.origin == "proposed"]
        assert any("pnpm" in one.text for one in offered)
        for one in offered:
            queue.reject(vault, one)
    assert not step(look_after(home, weekly=False, later=60), "extraction").counts
    rows = rows_of(home, "select content, status from extraction_queue where session_id = 's-77'")
    assert rows == [("用户决定以后一律使用 pnpm，不再使用 npm。", "completed")]


def rows_of(home: Path, query: str) -> list[tuple[object, ...]]:
    import apsw

    connection = apsw.Connection(str(home / "data/memory/openakita.db"))
    found = connection.execute(query).fetchall()
    connection.close()
    return found


def database(home: Path, said: str) -> None:
    import apsw

    connection = apsw.Connection(str(home / "data/memory/openakita.db"))
    connection.execute(
        "insert into extraction_queue (session_id, turn_index, content, status, created_at) values (?, ?, ?, ?, ?)",
        ("s-77", 3, said, "pending", "2026-02-28T10:00:00"),
    )
    connection.close()


def test_a_home_that_may_not_be_written_is_only_looked_at(tmp_path: Path) -> None:
    import os

    if hasattr(os, "geteuid") and os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    home = messy(tmp_path)
    home.chmod(0o500)
    try:
        assert step(look_after(home, weekly=False), "sections").left
    finally:
        home.chmod(0o700)
