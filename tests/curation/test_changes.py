"""What a note tells was changed, beside what still gives the value from before."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.model import Layer, Memory, Status
from memtui.review.changes import compare_changes, find_changes
from memtui.review.queue import approve, load_queue


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- Review of the day: 15:30 → 16:30", [("15:30", "16:30")]),
        ("The digest moved from 30 minutes to 2 hours", [("30 minutes", "2 hours")]),
        ("对账时间从 09:00 调整为 10:30", [("09:00", "10:30")]),
        ("`ledger.md` was renamed: `ledger.md` → `books.md`", [("ledger.md", "books.md")]),
        # It leads from one to the other, is only thought of, is a chain, or was measured.
        # A span, where nothing says that an hour was moved; a code's expression is no name.
        ("Ferry GX40 09:05→12:35, 95 a head", []),
        ("Ferry GX40 leaves later: 09:05→12:35", [("09:05", "12:35")]),
        ("渡轮 GX40 09:05→12:35，每人 95", []),
        ("The field was changed from `text().optional()` to `number().int()`", []),
        ("Requests: `gateway.py` → `ledger.py`", []),
        ("We could go from 30 minutes to 2 hours", []),
        ("08:00 → 09:00 → 10:00", []),
        ("Score 81.9 → 83.3, price 690 → 700", []),
    ],
)
def test_what_tells_of_a_change(text: str, found: list[tuple[str, str]]) -> None:
    assert [(old, new) for old, new, _raw in find_changes(text)] == found


def note(text: str, path: str, line: int, created: float | None, layer: Layer, *heading: str) -> Memory:
    return Memory(
        id=f"{path}:{line}", home="/home", path=path, layer=layer, kind="note", text=text, start=line, end=line,
        status=Status.ACTIVE, created=created, heading=heading,
    )  # fmt: skip


def test_the_same_thing_by_its_words_and_by_its_day() -> None:
    change = note("Harbour review: 15:30 → 16:30", "memory/2026-03-31.md", 9, 2.0, Layer.JOURNAL)
    others = [
        note("Harbour review (15:30)", "MEMORY.md", 5, None, Layer.CORE),
        note("15:30 harbour review on weekdays", "memory/2026-03-30.md", 4, 1.0, Layer.JOURNAL),
        note("The train to the city leaves at 15:30", "USER.md", 5, None, Layer.PROFILE),
        note("Harbour review (15:30), as it is again", "memory/2026-04-02.md", 4, 3.0, Layer.JOURNAL),
        note("Harbour review moved to 16:30, no more 15:30", "TOOLS.md", 4, None, Layer.CORE),
    ]
    found = list(compare_changes([change, *others], lambda _memory: ""))
    assert [(newer.id, older.path, told) for newer, older, told in found] == [
        (change.id, "MEMORY.md", "15:30 → 16:30"),
        (change.id, "memory/2026-03-30.md", "15:30 → 16:30"),
    ]


def test_a_version_that_an_entry_of_its_day_tells() -> None:
    change = note("The seed catalogue was switched from `8.0` to `8.3`", "notes/garden.md", 9, 5.0, Layer.KNOWLEDGE)
    then = note(
        "The seed catalogue got `8.0` on the second shelf", "notes/garden.md", 40, 1.0, Layer.KNOWLEDGE, "March"
    )
    now = note("The seed catalogue is `8.0`", "TOOLS.md", 4, None, Layer.CORE)
    found = list(compare_changes([change, then, now], lambda _memory: ""))
    assert [older.path for _newer, older, _told in found] == ["TOOLS.md"]


def test_one_card_for_all_that_says_the_old_value(tmp_path: Path) -> None:
    home = tmp_path / "workspace"
    (home / "memory").mkdir(parents=True)
    (home / "SOUL.md").write_text("# SOUL\n\nBe brief.\n")
    (home / "AGENTS.md").write_text("# AGENTS\n\nRead USER.md first.\n")
    (home / "MEMORY.md").write_text("# Memory\n\n## Routines\n\n- Harbour review of the open orders (15:30)\n")
    (home / "memory/2026-03-30.md").write_text(
        "# 2026-03-30\n\n- 09:10 harbour review of the open orders at 15:30, weekdays\n"
    )
    (home / "memory/2026-03-31.md").write_text("# 2026-03-31\n\n- Harbour review of the open orders: 15:30 → 16:30\n")
    with Vault.open([home]) as vault:
        (card,) = [one for one in load_queue(vault).waiting if one.origin == "contradiction"]
        assert [source.path for source in card.sources] == ["memory/2026-03-31.md", "MEMORY.md", "memory/2026-03-30.md"]
        before = {path: path.read_bytes() for path in home.rglob("*.md")}
        receipt = approve(vault, card)
        assert "superseded" in (home / "MEMORY.md").read_text()
        assert "- 09:10 harbour review" in (home / "memory/2026-03-30.md").read_text()
        vault.undo(receipt.id)
        assert {path: path.read_bytes() for path in before} == before
