"""Memories with parts, chains of what superseded what, and files that hold none: what lists, counts and searches make
of them, where ids repeat and where records of one id follow each other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.model import Filter, Level, Memory, Status
from memtui.store import verbs
from memtui.store.lookup import Chain

TOPIC = "---\nname: deploy\ndescription: Deploy on Mondays\n---\n\n# Deploy\n\n- freeze the branch\n- tell the others\n"


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    """Topics of Claude's beside each other, and a workspace of OpenClaw's."""
    topics, work = tmp_path / "shop" / ".claude" / "memory", tmp_path / "work"
    for path, text in (
        (topics / "MEMORY.md", "# Memory\n\n- [Deploy](deploy.md) — on Mondays\n- use uv everywhere\n"),
        (topics / "deploy.md", TOPIC),
        (work / "SOUL.md", "# SOUL\n\n_You're not a chatbot. You're becoming someone._\n\nI answer in Chinese.\n"),
        (work / "IDENTITY.md", "# IDENTITY\n\n- **Name:** Kes\n"),
        (work / "MEMORY.md", "# MEMORY\n\n- the freeze begins in May\n"),
        (work / "memory" / "heartbeat-state.json", '{"freeze": 1}'),
        (work / "memory" / "archive" / "2025-01-05.md", "- freeze the old branch\n"),
        (work / "memory_backup_2026" / "MEMORY.md", "- the freeze begins in May\n"),
        (work / "skills" / "branches" / "SKILL.md", "---\nname: branches\ndescription: freeze a branch\n---\n\nDo.\n"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with Vault.open([topics, work]) as opened:
        yield opened


def texts(vault: Vault, wanted: Filter | None = None) -> set[str]:
    return {memory.text for memory in vault.memories(wanted)}


def test_lists_have_each_memory_once(vault: Vault) -> None:
    assert texts(vault) == {
        "use uv everywhere", "Deploy on Mondays", "I answer in Chinese.", "**Name:** Kes", "the freeze begins in May",
    }  # fmt: skip
    assert sum(vault.counts(Filter(statuses=frozenset({Status.ACTIVE}))).values()) == sum(
        number for (*_, status), number in vault.counts().items()
    )
    held = sum(number for (*_, status), number in vault.counts().items() if status is Status.ACTIVE)
    assert held == len(vault.ids()) == 5


def test_what_stands_within_a_memory(vault: Vault) -> None:
    (topic,) = (memory for memory in vault.memories() if memory.text == "Deploy on Mondays")
    parts = vault.parts(topic)
    assert [part.text for part in parts] == ["freeze the branch", "tell the others"]
    assert {part.level for part in parts} == {Level.PART} and (topic.start, topic.last) == (1, 9)
    owner = vault.owner(parts[1])
    assert owner is not None and owner.id == topic.id and vault.owner(topic) is topic
    at = vault.at(topic.home, topic.path, 9)
    assert at is not None and at.text == "tell the others"
    assert vault.parts(parts[0]) == []


def test_search_finds_what_is_within_and_what_is_aside_when_asked(vault: Vault) -> None:
    found = vault.find("freeze branch", mode="fts")
    assert {hit.path for hit in found} == {"deploy.md", "MEMORY.md"} and found[0].start_line == 8
    assert {status.value for status in found.hidden} == {"archived", "skill", "state"}
    for mode in ("fts", "scan"):
        aside = vault.find("role:archive freeze", mode=mode)
        assert [hit.path for hit in aside] == ["memory/archive/2025-01-05.md"], mode
    assert len({hit.path for hit in vault.find("role:all freeze", mode="fts")}) >= 4
    assert texts(vault, Filter(statuses=frozenset({Status.TEMPLATE})))


def test_a_change_moves_the_parts_along(vault: Vault, tmp_path: Path) -> None:
    file = tmp_path / "shop" / ".claude" / "memory" / "deploy.md"
    file.write_text(TOPIC.replace("- freeze", "- build\n- freeze") + "- go home\n")
    vault.refresh()
    (topic,) = (memory for memory in vault.memories() if memory.text == "Deploy on Mondays")
    assert [part.text for part in vault.parts(topic)] == [
        "build", "freeze the branch", "tell the others", "go home"
    ]  # fmt: skip
    assert topic.last == 11 and len(vault.ids()) == 5


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


NEW = "Never deploy on a Friday"


@pytest.mark.parametrize(
    "lines",
    [
        "- {old}\n- {new}\n",
        "- {old}\r\n- {new} #ops (2026-02-08)\r\n",
        "- {old} (source=run-1)\n- {new} <!-- trigger: friday -->\n  - the on-call is one person\n",
        "{old}\n\n{new}",
        "- [x] {old}\n- [pref] {new}",
    ],
)
def test_an_item_is_named_by_an_id_that_it_carries(tmp_path: Path, lines: str) -> None:
    file = tmp_path / "MEMORY.md"
    file.write_bytes(b"# M\n\n## Rules\n\n" + lines.format(old="Deploy on Fridays", new=NEW).encode())
    before = file.read_bytes()
    with Vault.open([tmp_path]) as vault:
        old, new = (next(one for one in _every(vault) if one.text.startswith(text)) for text in ("Deploy on", NEW))
        receipt = verbs.merge(vault, new, [old])
        written = file.read_bytes()
        old = next(one for one in _every(vault) if one.text == "Deploy on Fridays")
        assert old.status is Status.SUPERSEDED
        assert re.fullmatch("m-[0-9a-f]{8}", old.superseded_by)
        (after,) = vault.chain(old).after
        assert (after.key, after.text, after.tags, after.kind) == (old.superseded_by, new.text, new.tags, new.kind)
        assert [one.text for one in vault.chain(after).before] == ["Deploy on Fridays"]
        # It is found by its id whatever it says by then, and again by another one that it replaces.
        verbs.edit(vault, after, {"text": new.text.replace(NEW, "Deploy from Monday to Thursday")})
        old = next(one for one in _every(vault) if one.text == "Deploy on Fridays")
        assert [one.text.split("\n")[0] for one in vault.chain(old).after] == ["Deploy from Monday to Thursday"]
        verbs.restore(vault, old)
        assert "superseded" not in file.read_text("utf-8")
        vault.undo()
        vault.undo()
        assert file.read_bytes() == written
        vault.undo(receipt.id)
    assert file.read_bytes() == before


def test_what_cannot_carry_an_id_is_named_by_how_it_begins(tmp_path: Path) -> None:
    file = tmp_path / "MEMORY.md"
    file.write_text("# M\n\n- the old port is 8080\n\n| what | port |\n|---|---|\n| shop | 8081 |\n")
    with Vault.open([tmp_path]) as vault:
        old, row = (next(one for one in _every(vault) if end in one.text) for end in ("8080", "8081"))
        verbs.merge(vault, row, [old])
        assert f"→ {row.text})" in file.read_text()
        old = next(one for one in _every(vault) if "8080" in one.text)
        assert [one.text for one in vault.chain(old).after] == [row.text]


def test_the_old_form_is_read_beside_an_id(tmp_path: Path) -> None:
    lines = "- ~~never on Fridays~~ (superseded 2026-11-21 → Never deploy on a Friday)\n- Deploy on Fridays\n"
    (tmp_path / "MEMORY.md").write_text(f"# M\n\n## Rules\n\n{lines}- {NEW}\n")
    with Vault.open([tmp_path]) as vault:
        old = next(one for one in _every(vault) if one.text == "Deploy on Fridays")
        new = next(one for one in _every(vault) if one.text == NEW)
        verbs.merge(vault, new, [old])
        new = next(one for one in _every(vault) if one.text == NEW)
        assert new.key
        assert {one.text for one in vault.chain(new).before} == {"never on Fridays", "Deploy on Fridays"}
        first = next(one for one in _every(vault) if one.text == "never on Fridays")
        assert [one.text for one in vault.chain(first).after] == [NEW]
        # An id that leads nowhere is said to.
        path = tmp_path / "MEMORY.md"
        path.write_text(path.read_text().replace(f" <!-- id: {new.key} -->", ""))
        vault.refresh()
        old = next(one for one in _every(vault) if one.text == "Deploy on Fridays")
        assert vault.chain(old).dangling == new.key


def _every(vault: Vault) -> list[Memory]:
    return list(vault.memories(Filter(statuses=frozenset(), parts=True)))


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
