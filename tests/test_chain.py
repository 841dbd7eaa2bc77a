"""What superseded what, where ids repeat and where records of one id follow each other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memtui import Vault
from memtui.model import Filter

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.chain import Chain


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
