"""What superseded what, where ids repeat and where records of one id follow each other."""

from __future__ import annotations

import json
from pathlib import Path

from memtui import Vault
from memtui.core.model import Filter
from memtui.store.lookup import Chain


def chains(home: Path) -> dict[str, Chain]:
    with Vault.open([home]) as vault:
        every = list(vault.memories(Filter(statuses=frozenset())))
        return {memory.text: vault.chain(memory) for memory in every}


def test_of_the_records_of_one_id_the_earlier_ones_come_before(tmp_path: Path) -> None:
    (tmp_path / "daily").mkdir()
    records = [{"id": "log-1", "type": "fact", "content": text} for text in ("first", "second", "third")]
    (tmp_path / "daily/2026-02-24.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    found = chains(tmp_path)
    assert not found["first"].before
    assert [memory.text for memory in found["second"].before] == ["first"]
    assert {memory.text for memory in found["third"].before} == {"first", "second"}
    assert [memory.text for memory in found["first"].after] == ["third"]


def test_an_id_means_the_fact_of_the_same_file_first(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / "areas/projects" / name
        folder.mkdir(parents=True)
        facts = [
            {"id": "fact-001", "fact": f"{name} old", "status": "superseded", "supersededBy": "fact-002"},
            {"id": "fact-002", "fact": f"{name} new", "status": "active"},
        ]
        (folder / "facts.json").write_text(json.dumps({"facts": facts}))
    found = chains(tmp_path)
    assert [memory.text for memory in found["one old"].after] == ["one new"]
    assert [memory.text for memory in found["two new"].before] == ["two old"]


def test_a_bullet_names_its_successor_by_how_that_begins(tmp_path: Path) -> None:
    lines = [
        "- ~~Deploy on Fridays~~ (superseded 2026-11-21 → Never deploy on a Friday even if asked…)",
        "- Never deploy on a Friday, even if asked (casually); the on-call is one person",
        "- ~~gone~~ (superseded 2026-11-21 → nothing here begins so)",
    ]
    (tmp_path / "MEMORY.md").write_text("# M\n\n## Rules\n\n" + "\n".join(lines) + "\n")
    found = chains(tmp_path)
    new = lines[1].removeprefix("- ")
    assert [memory.text for memory in found["Deploy on Fridays"].after] == [new]
    assert [memory.text for memory in found[new].before] == ["Deploy on Fridays"]
    assert found["gone"].dangling == "nothing here begins so"


def test_a_topic_names_the_file_of_its_successor(tmp_path: Path) -> None:
    head = "---\nname: {}\ndescription: {} search\n{}---\n\nbody\n"
    (tmp_path / "old-search.md").write_text(
        head.format("old-search", "Old", "status: superseded\nsuperseded_by: new-search\n")
    )
    (tmp_path / "new-search.md").write_text(head.format("new-search", "New", ""))
    (tmp_path / "MEMORY.md").write_text("- [Old](old-search.md) — x\n")
    found = chains(tmp_path)
    assert [memory.path for memory in found["Old search"].after] == ["new-search.md"]
    assert [memory.path for memory in found["New search"].before] == ["old-search.md"]
