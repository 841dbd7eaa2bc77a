"""An approval that changes a document of memtui's own home brings its INDEX.md up to date in the same write."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.edits import Draft
from memtui.core.model import Layer
from memtui.review import queue
from memtui.store.candidates import Candidate
from memtui.store.vault import Vault
from tests.curation.facts_of import memtui
from tests.homes import read_files

MINE = "# Mine\n\n| keywords | document |\n|---|---|\n| x | areas/projects/shop/summary.md |\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = memtui(tmp_path, {"2026-02-20": "- 2026-02-20T10:00:00Z [note] hello\n"}, "# M\n\n## Rules\n\n- a\n")
    (home / "areas/projects/shop/summary.md").write_text("# shop\n\nSells things.\n", "utf-8")
    (home / "INDEX.md").write_text(MINE, "utf-8")
    return home


def proposed(vault: Vault, home: Path, text: str, *entities: str, layer: Layer = Layer.KNOWLEDGE) -> Candidate:
    draft = Draft(text, "fact", entities=("shop", *entities))
    return queue.propose(vault, str(home), draft, "agent:x", layer=layer)


def test_one_write_and_one_undo(vault: Vault, home: Path) -> None:
    before = read_files(home)
    found = proposed(vault, home, "Refunds go through Stripe", "Stripe")
    shown = queue.diff(vault, found)
    assert "+++ b/INDEX.md" in shown and "Stripe" in shown
    receipt = queue.approve(vault, found)
    index = (home / "INDEX.md").read_text("utf-8")
    assert index.startswith(MINE)
    assert "| shop, Stripe | Refunds go through Stripe | areas/projects/shop/facts.json |" in index
    assert "| shop | Sells things. | areas/projects/shop/summary.md |" in index
    assert "".join(f"+{line}\n" for line in index.split("\n")[len(MINE.split("\n")) :] if line) in shown.replace(
        "+\n", ""
    )
    assert {path.rpartition("/")[2] for path in receipt.paths} >= {"INDEX.md", "facts.json"}
    vault.undo(receipt.id)
    assert read_files(home) == before
    vault.redo()
    assert "Stripe" in (home / "INDEX.md").read_text("utf-8")


def test_an_older_approval_is_taken_back_although_the_index_moved_on(vault: Vault, home: Path) -> None:
    def ruled(text: str) -> str:
        draft = Draft(text, "rule", entities=("shop",))
        found = queue.propose(vault, str(home), draft, "agent:x", layer=Layer.KNOWLEDGE)
        return queue.approve(vault, found).id

    (home / "areas/projects/shop/rules.md").write_text("# shop\n\n## Rules\n\n- one\n", "utf-8")
    first = ruled("Refund with `stripe`")
    ruled("Send parcels by `hermes`")
    vault.undo(first)
    rules = (home / "areas/projects/shop/rules.md").read_text("utf-8")
    assert "hermes" in rules and "stripe" not in rules
    # What is derived stays as it was made last, until it is made anew.
    ruled("Prices in `cents`")
    index = (home / "INDEX.md").read_text("utf-8")
    assert "| shop, hermes, cents | one |" in index and index.startswith(MINE)


def test_what_is_approved_together_is_undone_together(vault: Vault, home: Path) -> None:
    before = read_files(home)
    both = [proposed(vault, home, text, text.split()[0]) for text in ("Stripe refunds", "Hermes sends parcels")]
    done, left = queue.approve_all(vault, both)
    assert (len(done), left) == (1, [])
    vault.undo(done[0].group)
    assert read_files(home) == before


def test_what_is_no_document_leaves_the_index_alone(vault: Vault, home: Path) -> None:
    queue.approve(vault, proposed(vault, home, "Answer in Chinese", layer=Layer.CORE))
    assert (home / "INDEX.md").read_text("utf-8") == MINE


def test_an_index_that_cannot_be_read_keeps_nobody_from_deciding(vault: Vault, home: Path) -> None:
    (home / "INDEX.md").unlink()
    (home / "INDEX.md").mkdir()
    queue.approve(vault, proposed(vault, home, "Refunds go through Stripe", "Stripe"))
    assert "Stripe" in (home / "areas/projects/shop/facts.json").read_text("utf-8")
