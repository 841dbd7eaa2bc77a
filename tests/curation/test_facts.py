"""What a person does with memories, in every layout: each verb one write, undone to the byte."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui import Vault
from memtui.core.edits import Draft
from memtui.core.errors import ConflictError, OutsideError, RefusedError
from memtui.core.model import Filter, Layer, Memory, Status
from memtui.fs import database_rows
from memtui.store import verbs
from tests.homes import write_files
from tests.homes.openakita import build

HOMES = Path(__file__).parent.parent / "homes"
CORE = """# Memory

## Preferences

- Prefers ripgrep over grep
- 测试一律用 pytest (2026-02-01)

## Decisions

- Deploys run from main
"""
RULES = "# shop 开发规范\n\n## 接口\n\n- 接口返回统一结构 (2026-02-08)\n- 表必须有 created_at\n"
FACTS = {
    "owner": {"team": "支付"},
    "facts": [
        {
            "id": "fact-001", "fact": "Ports are 8081", "timestamp": "2026-02-08", "status": "active",
            "category": "rule",
        },
        {"id": "fact-002", "fact": "支付回调必须幂等", "timestamp": "2026-02-09", "status": "active"},
        {
            "id": "fact-003", "fact": "端口是 8081", "timestamp": "2026-02-10", "status": "active",
            "tags": ["net"],
        },
    ],
}  # fmt: skip
DAY = (
    '{"id":"log-1","type":"fact","memory_type":"W","content":"uses uv","timestamp":"2026-02-24T10:00:00Z"}\n'
    '{"id":"log-2","type":"fact","memory_type":"O","content":"likes short answers",'
    '"timestamp":"2026-02-24T10:01:00Z"}\n'
)
TOPIC = (
    '---\nname: deploying\ndescription: "How we deploy: from main"\nmetadata: \n  node_type: memory\n'
    "  type: project\n---\n\nDeploys run from main.\n\n- smoke test first\n"
)


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-02-28T12:00:00Z")
    monkeypatch.setattr(database_rows, "_copied_rows", set())


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """memtui's own home."""
    return write_files(
        tmp_path / ".memtui",
        {
            "MEMORY.md": CORE,
            "user/profile.md": "# About me\n\n## Preferences\n\n- Lives in Chengdu\n",
            "areas/projects/shop/facts.json": json.dumps(FACTS, ensure_ascii=False, indent=2),
            "areas/projects/shop/rules.md": RULES,
            "areas/projects/other/facts.json": '{"facts":[{"id":"fact-001","fact":"another one"}]}',
            "daily/2026-02-24.jsonl": DAY,
        },
    )


@pytest.fixture
def skillix(tmp_path: Path) -> Path:
    place = tmp_path / "memory-data"
    return write_files(place, {"daily/2026-02-24.jsonl": DAY, "MEMORY.md": CORE, "sessions.jsonl": ""})


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    index = "- [Deploying](deploying.md) — How we deploy: from main\n- [Testing](testing.md) — pytest only\n"
    return write_files(
        tmp_path / "memory",
        {"MEMORY.md": index, "deploying.md": TOPIC, "testing.md": "# Testing\n\n- pytest only\n"},
    )


@pytest.fixture
def akita(tmp_path: Path) -> Path:
    return build(tmp_path / "ws")


def everything(vault: Vault) -> list[Memory]:
    return list(vault.memories(Filter(statuses=frozenset(), parts=True)))


def one(vault: Vault, text: str) -> Memory:
    """The memory that says this, as it now stands; the last one where several do."""
    found = [memory for memory in everything(vault) if memory.text == text]
    assert found, text
    return max(found, key=lambda memory: memory.start)


def tree(place: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(place)): file.read_bytes()
        for file in sorted(place.rglob("*"))
        if file.is_file() and ".db" not in file.name and ".sqlite" not in file.name and file.parent.name != "index"
    }


def table(place: Path) -> list[Any]:
    file = place / "data/memory/openakita.db"
    if not file.exists():
        return []
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return connection.execute("SELECT * FROM memories ORDER BY id").fetchall()
    finally:
        connection.close()


@contextmanager
def undone(place: Path, times: int = 1) -> Iterator[Vault]:
    """A vault whose writes inside the block are taken back at its end, byte for byte."""
    before = tree(place), table(place)
    with Vault.open([place]) as vault:
        yield vault
        assert (tree(place), table(place)) != before
        for _time in range(times):
            vault.undo()
        assert (tree(place), table(place)) == before


EACH = [
    ("mine", "Ports are 8081"),
    ("mine", "Prefers ripgrep over grep"),
    ("mine", "接口返回统一结构"),
    ("mine", "uses uv"),
    ("mine", "Lives in Chengdu"),
    ("skillix", "uses uv"),
    ("claude", "smoke test first"),
    ("claude", "How we deploy: from main"),
    ("akita", "Deploy only after the smoke test"),
]


@pytest.fixture(params=EACH, ids=[f"{name}: {text}" for name, text in EACH])
def case(request: pytest.FixtureRequest) -> tuple[Path, str]:
    name, text = request.param
    return request.getfixturevalue(name), text


def test_editing(case: tuple[Path, str]) -> None:
    place, text = case
    with undone(place) as vault:
        old = next(memory for memory in everything(vault) if memory.text == text)
        receipt = verbs.edit(vault, old, {"text": "它 says “this” now"})
        assert receipt.verb == "edit"
        assert one(vault, "它 says “this” now").path == old.path
        held = [memory for memory in everything(vault) if memory.text == text and memory.path == old.path]
        assert all(memory.status is Status.SUPERSEDED for memory in held)


def test_archiving_and_restoring(case: tuple[Path, str]) -> None:
    place, text = case
    with undone(place) as vault:
        verbs.archive(vault, next(memory for memory in everything(vault) if memory.text == text))
        assert one(vault, text).status is Status.ARCHIVED
        before = tree(place), table(place)
        verbs.restore(vault, one(vault, text))
        assert one(vault, text).status is Status.ACTIVE
        vault.undo()
        assert (tree(place), table(place)) == before


def test_superseding_shows_the_chain_both_ways(case: tuple[Path, str]) -> None:
    place, text = case
    with undone(place) as vault:
        old = next(memory for memory in everything(vault) if memory.text == text)
        verbs.supersede(vault, old, Draft("What holds since today", old.kind, title="since today"))
        old = one(vault, text)
        assert old.status is Status.SUPERSEDED
        chain = vault.chain(old)
        assert [memory.text for memory in chain.after] == ["What holds since today"]
        assert not chain.dangling
        # It is named by an id, or by its file.
        assert " " not in old.superseded_by
        assert text in [memory.text for memory in vault.chain(chain.after[0]).before]
        assert chain.after[0].status is Status.ACTIVE
        assert chain.after[0].path == old.path or "description" in text or place.name == "memory"


def test_what_was_superseded_can_hold_again(case: tuple[Path, str]) -> None:
    place, text = case
    with undone(place, 2) as vault:
        old = next(memory for memory in everything(vault) if memory.text == text)
        verbs.supersede(vault, old, Draft("What holds since today", old.kind))
        verbs.restore(vault, one(vault, text))
        old = one(vault, text)
        assert (old.status, old.superseded_by) == (Status.ACTIVE, "")


def test_deleting_is_undone_and_in_the_trash(case: tuple[Path, str]) -> None:
    place, text = case
    with undone(place) as vault:
        verbs.delete(vault, next(memory for memory in everything(vault) if memory.text == text))
        left = [memory for memory in everything(vault) if memory.text == text]
        assert all(memory.status is not Status.ACTIVE for memory in left)


def test_expiry_comes_and_goes(case: tuple[Path, str]) -> None:
    place, text = case
    with undone(place, 3) as vault:
        old = next(memory for memory in everything(vault) if memory.text == text)
        verbs.expire(vault, old, 1_772_000_000.0)
        assert one(vault, text).status is Status.EXPIRED
        verbs.restore(vault, one(vault, text))
        found = one(vault, text)
        assert (found.status, found.expires) == (Status.ACTIVE, None)
        verbs.expire(vault, found, 1_900_000_000.0)
        assert one(vault, text).expires is not None


def test_tags(case: tuple[Path, str]) -> None:
    place, text = case
    with undone(place) as vault:
        old = next(memory for memory in everything(vault) if memory.text == text)
        verbs.tag(vault, old, (*old.tags, "#net", "net", " "))
        assert one(vault, text).tags == (*old.tags, "net")


def test_a_file_that_moved_on_is_a_conflict(case: tuple[Path, str]) -> None:
    place, text = case
    with Vault.open([place]) as vault:
        old = next(memory for memory in everything(vault) if memory.text == text)
        file = place / old.path
        if file.suffix == ".db":
            connection = apsw.Connection(str(file))
            connection.execute("UPDATE memories SET content = 'theirs' WHERE id = ?", (old.key,))
            connection.close()
        else:
            file.write_bytes(b"\n" + file.read_bytes())
        before = tree(place), table(place)
        refusals: list[Callable[[], object]] = [
            lambda: verbs.edit(vault, old, {"text": "mine"}),
            lambda: verbs.supersede(vault, old, Draft("mine")),
            lambda: verbs.archive(vault, old),
            lambda: verbs.delete(vault, old),
            lambda: verbs.tag(vault, old, ("x",)),
        ]
        for verb in refusals:
            with pytest.raises(ConflictError):
                verb()
        assert (tree(place), table(place)) == before


def test_merging_keeps_one(mine: Path) -> None:
    with undone(mine) as vault:
        keep, other = one(vault, "Ports are 8081"), one(vault, "端口是 8081")
        verbs.merge(vault, keep, [other], "The port is 8081")
        assert one(vault, "The port is 8081").key == "fact-001"
        assert (one(vault, "端口是 8081").status, one(vault, "端口是 8081").superseded_by) == (
            Status.SUPERSEDED, "fact-001",
        )  # fmt: skip
        assert one(vault, "支付回调必须幂等").status is Status.ACTIVE
        with pytest.raises(RefusedError):
            verbs.merge(vault, one(vault, "The port is 8081"), [])


def test_merging_across_files_is_one_decision(mine: Path, akita: Path) -> None:
    before = tree(mine), tree(akita), table(akita)
    with Vault.open([mine, akita]) as vault:
        others = ["uses uv", "接口返回统一结构", "likes blunt words"]
        verbs.merge(vault, one(vault, "端口是 8081"), [one(vault, text) for text in others])
        marked = {text: (one(vault, text).status, one(vault, text).superseded_by) for text in others}
        # In another home the id would mean something else, or nothing: there it is put away without it.
        assert marked == {
            "uses uv": (Status.SUPERSEDED, "fact-003"),
            "接口返回统一结构": (Status.SUPERSEDED, "fact-003"),
            "likes blunt words": (Status.ARCHIVED, ""),
        }
        assert [memory.text for memory in vault.chain(one(vault, "uses uv")).after] == ["端口是 8081"]
        vault.undo()
        verbs.merge(vault, one(vault, "Ports are 8081"), [one(vault, "another one"), one(vault, "uses uv")])
        assert {one(vault, text).status for text in ("another one", "uses uv")} == {Status.ARCHIVED}
        vault.undo()
        assert (tree(mine), tree(akita), table(akita)) == before


MOVES = [
    ("Ports are 8081", {"path": "MEMORY.md", "section": "Decisions"}, "MEMORY.md"),
    ("Ports are 8081", {"path": "areas/projects/other/facts.json"}, "areas/projects/other/facts.json"),
    ("Prefers ripgrep over grep", {"section": "Decisions"}, "MEMORY.md"),
    ("Prefers ripgrep over grep", {"section": "Brand new"}, "MEMORY.md"),
    (
        "Prefers ripgrep over grep",
        {"path": "areas/projects/shop/facts.json"},
        "areas/projects/shop/facts.json",
    ),
    ("接口返回统一结构", {"path": "MEMORY.md"}, "MEMORY.md"),
    ("uses uv", {"path": "areas/projects/shop/facts.json"}, "areas/projects/shop/facts.json"),
    ("likes short answers", {"path": "user/profile.md", "section": "Preferences"}, "user/profile.md"),
]


@pytest.mark.parametrize(("text", "goal", "path"), MOVES)
def test_moving(mine: Path, text: str, goal: dict[str, str], path: str) -> None:
    with undone(mine) as vault:
        old = one(vault, text)
        verbs.move(vault, old, **goal)
        holding = [memory for memory in everything(vault) if memory.text == text and memory.status is Status.ACTIVE]
        assert [memory.path for memory in holding] == [path]
        if goal.get("section"):
            assert holding[0].heading[-1] == goal["section"]
        assert holding[0].kind == old.kind or path.endswith(".md")


def test_lines_are_carried_as_they_stand(mine: Path) -> None:
    with undone(mine) as vault:
        verbs.move(vault, one(vault, "测试一律用 pytest"), section="Decisions")
        expected = CORE.replace("- 测试一律用 pytest (2026-02-01)\n", "") + "- 测试一律用 pytest (2026-02-01)\n"
        assert (mine / "MEMORY.md").read_text("utf-8") == expected
    with undone(mine) as vault:
        verbs.move(vault, one(vault, "接口返回统一结构"), path="MEMORY.md", section="Decisions")
        assert (mine / "MEMORY.md").read_text("utf-8") == CORE + "- 接口返回统一结构 (2026-02-08)\n"


def test_a_days_notes_change_in_the_days_own_file(mine: Path) -> None:
    day = mine / "daily/2026-02-20.md"
    day.write_text("- 2026-02-20T10:12:33Z [pref] short answers #style\n- 2026-02-20T10:13:00Z [todo] x y z\n")
    with undone(mine) as vault:
        verbs.supersede(vault, one(vault, "short answers"), Draft("long answers", "pref"))
        assert day.read_text().splitlines()[-1] == "- 2026-02-28T12:00:00Z [pref] long answers"
        assert [memory.text for memory in vault.chain(one(vault, "short answers")).after] == ["long answers"]
    with undone(mine) as vault:
        verbs.move(vault, one(vault, "short answers"), path="MEMORY.md", section="Preferences")
        assert "short answers" not in day.read_text()
        with pytest.raises(RefusedError, match="no sections"):
            verbs.move(vault, one(vault, "x y z"), section="Decisions")


def test_what_no_longer_holds_is_not_moved(mine: Path) -> None:
    with Vault.open([mine]) as vault:
        verbs.archive(vault, one(vault, "Ports are 8081"))
        with pytest.raises(RefusedError, match="restore it"):
            verbs.move(vault, one(vault, "Ports are 8081"), path="MEMORY.md")


def test_a_fact_keeps_its_date_when_it_moves(mine: Path) -> None:
    with undone(mine) as vault:
        verbs.move(vault, one(vault, "uses uv"), path="areas/projects/shop/facts.json")
        fact = json.loads((mine / "areas/projects/shop/facts.json").read_text("utf-8"))["facts"][-1]
        assert (fact["id"], fact["fact"], fact["timestamp"]) == ("log-1", "uses uv", "2026-02-24")


def test_moving_to_another_home(mine: Path, akita: Path) -> None:
    before = tree(mine), tree(akita), table(akita)
    with Vault.open([mine, akita]) as vault:
        verbs.move(vault, one(vault, "Ports are 8081"), home=str(akita))
        assert one(vault, "Ports are 8081").home == str(akita)
        assert "Ports are 8081" not in (mine / "areas/projects/shop/facts.json").read_text("utf-8")
        vault.undo()
        assert (tree(mine), tree(akita), table(akita)) == before
        verbs.move(vault, one(vault, "likes blunt words"), home=str(mine))
        found = [m for m in everything(vault) if m.text == "likes blunt words"]
        assert {(m.home, m.status) for m in found} == {
            (str(mine), Status.ACTIVE),
            (str(akita), Status.ARCHIVED),
        }
        vault.undo()
        assert (tree(mine), tree(akita), table(akita)) == before


def test_a_chain_is_not_torn_by_a_move(mine: Path) -> None:
    with Vault.open([mine]) as vault:
        verbs.supersede(vault, one(vault, "支付回调必须幂等"), Draft("幂等键放在请求头", "fact"))
        other = Draft("another chain", "fact")
        for _number in range(3):
            home = vault.homes[0]
            verbs.add(vault, home, other, path="areas/projects/other/facts.json")
        with pytest.raises(RefusedError, match="fact-004"):
            verbs.move(vault, one(vault, "幂等键放在请求头"), path="areas/projects/other/facts.json")


@pytest.mark.parametrize("path", ["../x.md", "/etc/passwd", "areas/../../x", "a\0b", "index.sqlite", "notes.txt", ""])
def test_no_name_leads_out_or_to_what_is_no_memory(mine: Path, path: str) -> None:
    before = tree(mine)
    with Vault.open([mine]) as vault, pytest.raises((OutsideError, RefusedError)):
        verbs.move(vault, one(vault, "Ports are 8081"), path=path)
    with Vault.open([mine]) as vault, pytest.raises((OutsideError, RefusedError)):
        verbs.add(vault, vault.homes[0], Draft("x"), path=path or "..")
    with Vault.open([mine]) as vault, pytest.raises(RefusedError):
        verbs.move(vault, one(vault, "Ports are 8081"), home="/etc")
    assert tree(mine) == before


def test_adding_says_what_is_there_already(mine: Path) -> None:
    with undone(mine) as vault:
        home = vault.homes[0]
        receipt = verbs.add(vault, home, Draft("支付回调必须幂等", "fact"), path="areas/projects/shop/facts.json")
        assert any("areas/projects/shop/facts.json" in warning for warning in receipt.warnings)
        assert "fact-004" in receipt.what
    with undone(mine) as vault:
        assert not verbs.add(vault, vault.homes[0], Draft("Nobody ever said this", "fact")).warnings
    with Vault.open([mine]) as vault, pytest.raises(RefusedError):
        verbs.add(vault, vault.homes[0], Draft("  "))


def test_a_new_topic_gets_its_line_in_the_index(claude: Path) -> None:
    with undone(claude) as vault:
        verbs.add(vault, vault.homes[0], Draft("We page on errors only", "project", title="Paging"))
        assert (claude / "paging.md").exists()
        assert "(paging.md)" in (claude / "MEMORY.md").read_text()


def test_the_index_says_what_its_topic_says(claude: Path) -> None:
    index = claude / "MEMORY.md"
    with undone(claude) as vault:
        verbs.edit(vault, one(vault, "How we deploy: from main"), {"text": "How we deploy: from trunk"})
        assert "[Deploying](deploying.md) — How we deploy: from trunk\n" in index.read_text("utf-8")
    with undone(claude) as vault:
        verbs.archive(vault, one(vault, "How we deploy: from main"))
        assert "(archived 2026-02-28)" in index.read_text("utf-8")
    with undone(claude) as vault:
        old = one(vault, "How we deploy: from main")
        verbs.supersede(vault, old, Draft("Blue and green take turns", "project", title="Blue green"))
        assert "(blue-green.md)" in index.read_text("utf-8")
        assert "superseded" in index.read_text("utf-8")
        assert "superseded_by: blue-green\n" in (claude / "deploying.md").read_text("utf-8")
    index.write_text(index.read_text("utf-8").replace("How we deploy: from main", "mind the queue"), "utf-8")
    with undone(claude) as vault:
        verbs.edit(vault, one(vault, "How we deploy: from main"), {"text": "How we deploy: from trunk"})
        assert "mind the queue" in index.read_text("utf-8")


def test_a_whole_topic_is_not_moved_in_parts(claude: Path) -> None:
    with Vault.open([claude]) as vault, pytest.raises(RefusedError, match="whole file"):
        verbs.move(vault, one(vault, "How we deploy: from main"), path="testing.md")


def test_a_topic_and_its_line_go_together(claude: Path) -> None:
    with undone(claude) as vault:
        verbs.delete(vault, one(vault, "How we deploy: from main"))
        assert not (claude / "deploying.md").exists()
        assert (claude / "MEMORY.md").read_text() == "- [Testing](testing.md) — pytest only\n"


def test_the_persons_own_files_are_written_by_the_person_only(mine: Path) -> None:
    before = tree(mine)
    with Vault.open([mine]) as vault:
        memory = one(vault, "Lives in Chengdu")
        refusals: list[Callable[[], object]] = [
            lambda: verbs.edit(vault, memory, {"text": "Lives on Mars"}, who="agent:x"),
            lambda: verbs.supersede(vault, memory, Draft("Lives on Mars"), who="agent:x"),
            lambda: verbs.archive(vault, memory, who="distillation"),
            lambda: verbs.delete(vault, memory, who="hook:Stop"),
            lambda: verbs.add(vault, vault.homes[0], Draft("x y"), layer=Layer.PROFILE, who="agent:x"),
            lambda: verbs.move(vault, one(vault, "uses uv"), path="user/profile.md", who="agent:x"),
        ]
        for verb in refusals:
            with pytest.raises(RefusedError, match="own"):
                verb()
    assert tree(mine) == before


def test_several_at_once_are_one_decision(mine: Path) -> None:
    before = tree(mine)
    with Vault.open([mine]) as vault:
        for text in ("Ports are 8081", "支付回调必须幂等", "uses uv"):
            verbs.archive(vault, one(vault, text), group="g1")
        vault.undo()
        assert tree(mine) == before


def test_an_only_growing_file_keeps_every_line(mine: Path) -> None:
    file = mine / "daily/2026-02-24.jsonl"
    with Vault.open([mine]) as vault:
        verbs.edit(vault, one(vault, "uses uv"), {"text": "uses uv and ruff"})
        verbs.tag(vault, one(vault, "uses uv and ruff"), ("tools",))
        verbs.archive(vault, one(vault, "uses uv and ruff"))
        verbs.delete(vault, one(vault, "uses uv and ruff"))
    assert file.read_text().startswith(DAY)
    assert len(file.read_text().splitlines()) == 6
    assert all(json.loads(line) for line in file.read_text().splitlines())


def test_broken_json_is_refused_with_its_line(mine: Path) -> None:
    file = mine / "areas/projects/shop/facts.json"
    file.write_text(file.read_text("utf-8")[:-3] + "\n", "utf-8")
    before = file.read_bytes()
    with Vault.open([mine]) as vault:
        with pytest.raises(RefusedError, match=r"shop/facts\.json: line \d+"):
            verbs.archive(vault, one(vault, "Ports are 8081"))
        with pytest.raises(RefusedError, match=r"shop/facts\.json: line \d+"):
            verbs.add(vault, vault.homes[0], Draft("x y z", "fact"), path="areas/projects/shop/facts.json")
    assert file.read_bytes() == before


def test_a_secret_is_masked_wherever_it_is_written(mine: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    with Vault.open([mine]) as vault:
        for text in ("Ports are 8081", "Prefers ripgrep over grep", "uses uv"):
            receipt = verbs.edit(vault, one(vault, text), {"text": f"the token is {secret}"})
            assert receipt.warnings
    assert all(secret.encode() not in data for data in tree(mine.parent).values())


@pytest.mark.parametrize(
    ("verb", "text", "there"),
    [
        ("edit", "Ports are 8081", False),
        ("restore", "Ports are 8081", True),
        ("archive", "Ports are 8081", False),
        ("move", "Ports are 8081", False),
    ],
)
def test_why_not(mine: Path, verb: str, text: str, there: bool) -> None:
    with Vault.open([mine]) as vault:
        assert bool(verbs.explain_refusal(verb, one(vault, text), vault)) is there


def test_why_not_says_why(mine: Path, akita: Path) -> None:
    with Vault.open([mine, akita]) as vault:
        verbs.supersede(vault, one(vault, "Ports are 8081"), Draft("Ports are 9090", "rule"))
        old = one(vault, "Ports are 8081")
        assert "replaced already" in verbs.explain_refusal("supersede", old, vault)
        assert "restore it" in verbs.explain_refusal("move", old, vault)
        assert not verbs.explain_refusal("restore", old, vault)
        episode = next(m for m in everything(vault) if m.kind == "session" and m.path.endswith(".db"))
        assert "only memories" in verbs.explain_refusal("edit", episode, vault)
        summary = next(m for m in everything(vault) if m.home == str(akita) and m.kind == "turn")
        assert verbs.explain_refusal("edit", summary, vault)
        old.home = "/elsewhere"
        assert "not open" in verbs.explain_refusal("edit", old, vault)


def test_nothing_to_change_is_said(mine: Path) -> None:
    before = tree(mine)
    with Vault.open([mine]) as vault:
        memory = one(vault, "端口是 8081")
        refusals: list[Callable[[], object]] = [
            lambda: verbs.restore(vault, memory),
            lambda: verbs.tag(vault, memory, ("net",)),
            lambda: verbs.edit(vault, memory, {"text": " "}),
            lambda: verbs.supersede(vault, memory, Draft("端口是 8081")),
            lambda: verbs.move(vault, memory, section="x"),
            lambda: verbs.move(vault, one(vault, "Deploys run from main"), section="Decisions"),
        ]
        for verb in refusals:
            with pytest.raises(RefusedError):
                verb()
    assert tree(mine) == before


def test_a_minified_file_is_worked_through_from_any_list(tmp_path: Path) -> None:
    from memtui.store.standing import reload_memory

    record = [{"id": f"fact-{n:03d}", "fact": f"fact number {n}", "status": "active"} for n in range(1, 9)]
    place = tmp_path / ".memtui"
    text = json.dumps({"facts": record}, separators=(",", ":"))
    write_files(place, {"areas/projects/a/facts.json": text, "MEMORY.md": CORE})
    with undone(place) as vault:
        every = [memory for memory in everything(vault) if memory.key]
        for memory in every:
            verbs.archive(vault, reload_memory(vault, memory), group="g")
        assert text.replace("active", "archived") == (place / "areas/projects/a/facts.json").read_text()


def test_the_committed_homes_stay_byte_for_byte(tmp_path: Path) -> None:
    for name in (
        "code_memory",
        "memtui",
        "xinghebot",
        "helloagents/project/.helloagents",
        "openclaw",
        "claude",
    ):
        place = tmp_path / name
        shutil.copytree(HOMES / name, place)
        before = tree(place)
        with Vault.open([place]) as vault:
            done = 0
            for memory in everything(vault):
                if memory.status is Status.ACTIVE and not verbs.explain_refusal("archive", memory, vault):
                    try:
                        verbs.archive(vault, memory)
                    except RefusedError:
                        continue
                    done += 1
                    vault.undo()
                    assert tree(place) == before, (name, memory.path, memory.start)
            assert done, name


STEPS = """# Memory

## Rules

回滚的步骤：

1. stop the worker
2. restore the dump

## Other

- the port is 8080
"""


@contextmanager
def stepping(tmp_path: Path) -> Iterator[tuple[Vault, Path, Callable[[str], Memory]]]:
    """A home with a memory that has parts."""
    home = tmp_path / ".claude" / "memory"
    home.mkdir(parents=True)
    (home / "MEMORY.md").write_text(STEPS, encoding="utf-8")

    def one(text: str) -> Memory:
        every = vault.memories(Filter(statuses=frozenset(), parts=True))
        return next(memory for memory in every if memory.text == text)

    with Vault.open([home]) as vault:
        yield vault, home / "MEMORY.md", one


def test_what_is_put_away_takes_its_parts_along_and_comes_back_with_them(tmp_path: Path) -> None:
    with stepping(tmp_path) as (vault, file, one):
        verbs.archive(vault, one("回滚的步骤："))
        assert one("stop the worker").status is Status.ARCHIVED
        assert one("the port is 8080").status is Status.ACTIVE
        verbs.restore(vault, one("回滚的步骤："))
        assert one("stop the worker").status is Status.ACTIVE
        verbs.archive(vault, one("stop the worker"))
        assert one("回滚的步骤：").status is Status.ACTIVE
        assert one("restore the dump").status is Status.ACTIVE
        vault.undo()
        assert file.read_text(encoding="utf-8") == STEPS


def test_what_is_deleted_leaves_no_part_behind(tmp_path: Path) -> None:
    with stepping(tmp_path) as (vault, file, one):
        verbs.delete(vault, one("回滚的步骤："))
        left = file.read_text(encoding="utf-8")
        assert "worker" not in left and "dump" not in left
        assert "## Other\n\n- the port is 8080" in left
        vault.undo()
        assert file.read_text(encoding="utf-8") == STEPS


def test_no_other_words_and_no_other_place_leave_parts_alone(tmp_path: Path) -> None:
    with stepping(tmp_path) as (vault, file, one):
        with pytest.raises(RefusedError, match="no longer belong"):
            verbs.edit(vault, one("回滚的步骤："), {"text": "Roll back like this"})
        with pytest.raises(RefusedError, match="stay behind"):
            verbs.move(vault, one("回滚的步骤："), section="Other")
        assert file.read_text(encoding="utf-8") == STEPS
        verbs.edit(vault, one("回滚的步骤："), {"text": "To roll back:"})
        assert [part.text for part in vault.parts(one("To roll back:"))] == [
            "stop the worker",
            "restore the dump",
        ]


def test_what_replaces_a_row_is_about_the_same_and_matters_as_much(tmp_path: Path) -> None:
    """OpenAkita makes USER.md of subject and predicate, and MEMORY.md of the importance (spec 003)."""
    root = build(tmp_path / "ws")
    file = root / "data/memory/openakita.db"
    connection = apsw.Connection(str(file))
    connection.execute(
        "INSERT INTO memories (id, content, type, subject, predicate, importance_score) VALUES"
        " ('mine', '称呼为林晓', 'fact', '用户', '称呼', 0.9)"
    )
    connection.close()
    with Vault.open([root]) as vault:
        vault.refresh()
        receipt = verbs.supersede(vault, one(vault, "称呼为林晓"), Draft("改称林小晓", "fact"))
    read = "SELECT subject, predicate, importance_score FROM memories WHERE content = '改称林小晓'"
    connection = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    assert list(connection.execute(read)) == [("用户", "称呼", 0.9)]
    connection.close()
    assert receipt.verb == "supersede"
