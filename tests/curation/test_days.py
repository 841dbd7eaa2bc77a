"""What the notes of days repeat of one another and of what is kept, and which of it a person is asked first."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.model import Layer, Memory
from memtui.language.similarity import Likeness
from memtui.review import queue
from memtui.review.census import load_census
from memtui.review.duplicates import find_duplicates
from memtui.review.fields import limit_pages
from memtui.review.nearness import find_answers
from memtui.store.candidates import Candidate
from memtui.store.vault import Vault
from tests.curation.facts_of import fact

ENGLISH = (
    "The flour mill wants its sieve rinsed in lukewarm vinegar before barley is ground",
    "Ovens three and four share one fuse, so never preheat both of them before dawn",
)
CHINESE = (
    "磨坊的筛网在磨大麦之前必须先用温醋冲洗一遍，否则会堵住出粉口",
    "三号炉和四号炉共用一个保险丝，天亮之前绝对不能同时预热这两个炉子",
)


def waiting(vault: Vault) -> list[Candidate]:
    return [one for one in queue.load_queue(vault).waiting if one.origin == "duplicate"]


def make_bakery(home: Path) -> None:
    (home / "memory").mkdir(parents=True)
    (home / "SOUL.md").write_text("# Soul\n\nBe brief.\n", "utf-8")
    (home / "AGENTS.md").write_text("# Agents\n\nRead USER.md first.\n", "utf-8")
    (home / "USER.md").write_text("# User\n\n- **Name:** Odile\n", "utf-8")
    (home / "MEMORY.md").write_text("# Memory\n\n- The bakery opens at dawn\n", "utf-8")


def day(text: str, number: int) -> Memory:
    return fact(text, 10.0 - number, kind="note", layer=Layer.JOURNAL, path=f"memory/2026-02-0{number}.md")


@pytest.mark.parametrize("said", [ENGLISH, CHINESE])
def test_what_a_days_note_told_and_memory_keeps_is_told_twice(tmp_path: Path, said: tuple[str, ...]) -> None:
    home = tmp_path / "bakery"
    make_bakery(home)
    lines = "".join(f"- {text}\n" for text in said)
    (home / "MEMORY.md").write_text(f"# Memory\n\n{lines}", "utf-8")
    (home / "memory/2026-02-03.md").write_text(f"# 2026-02-03\n\n{lines}", "utf-8")
    with Vault.open([home]) as vault:
        (found,) = waiting(vault)
        assert [len(found.members), found.sources[0].path] == [2, "MEMORY.md"], "one card, and memory stays"


@pytest.mark.parametrize("said", [ENGLISH, CHINESE])
def test_one_note_of_two_days_and_what_comes_back_every_day(said: tuple[str, ...]) -> None:
    twice = [day(said[0], 1), day(said[0], 2), day(said[1], 3)]
    assert [{one.path, two.path} for one, two, _how in find_duplicates([], lambda _memory: "", notes=twice)[0]] == [
        {"memory/2026-02-01.md", "memory/2026-02-02.md"}
    ]
    routine = [day(said[0], number) for number in range(1, 7)]
    assert not find_duplicates([], lambda _memory: "", notes=routine)[0], "what each day has is its form"
    more = f"{said[0]}; {said[1]}"
    assert not find_duplicates([], lambda _memory: "", notes=[day(said[0], 1), day(more, 2)])[0], "a day told of more"


def test_pages_are_limited_and_days_are_not() -> None:
    def pair(one: str, two: str, layer: Layer) -> tuple[Memory, Memory, Likeness]:
        mine, theirs = (fact("Rule", None, kind="note", layer=layer, path=path) for path in (one, two))
        return mine, theirs, Likeness("same", 0.9)

    pages = [pair("memory/a.md", f"memory/{number}.md", Layer.KNOWLEDGE) for number in range(4)]
    again = [pair("memory/0.md", "memory/a.md", Layer.KNOWLEDGE)]
    days = [pair("memory/2026-02-01.md", f"memory/2026-02-0{number}.md", Layer.JOURNAL) for number in range(2, 8)]
    assert limit_pages([*pages, *again, *days], "always") == [*pages[:3], *again, *days], "by files, not by lines"


def test_what_was_remembered_twice_comes_before_what_is_instructed_twice(tmp_path: Path) -> None:
    home = tmp_path / "bakery"
    make_bakery(home)
    told = "Ovens three and four share one fuse, so never preheat both of them before dawn"
    ordered = "Answer the wholesalers in the evening and always confirm how many crates they want"
    (home / "SOUL.md").write_text(f"# Soul\n\n- {ordered}\n", "utf-8")
    (home / "AGENTS.md").write_text(f"# Agents\n\n- {ordered}\n", "utf-8")
    (home / "USER.md").write_text(f"# User\n\n- {told}\n", "utf-8")
    (home / "MEMORY.md").write_text(f"# Memory\n\n- {told}\n", "utf-8")
    with Vault.open([home]) as vault:
        assert [one.text for one in waiting(vault)] == [told, ordered]


@pytest.mark.parametrize("folder", ["workspace-till/memory", "workspace-till/playbooks"])
def test_each_of_several_agents_has_its_memory_in_its_workspace(tmp_path: Path, folder: str) -> None:
    home = tmp_path / "agents"
    for name in ("workspace-till", "workspace-mill"):
        make_bakery(home / name)
    (home / folder).mkdir(exist_ok=True)
    said = "The drawer of the market stall has to be counted twice before somebody locks it"
    (home / "workspace-till/MEMORY.md").write_text(f"# Memory\n\n- {said}\n", "utf-8")
    (home / folder / "till.md").write_text(f"# Till\n\n- {said}\n", "utf-8")
    with Vault.open([home]) as vault:
        assert bool(waiting(vault)) is folder.endswith("memory"), "a playbook is read by itself"


@pytest.mark.parametrize(
    ("asked", "told", "beside"),
    [
        (
            "Order a second sieve for the flour mill",
            "The mill has its second sieve since the order of Monday",
            "The flour of the market stall is stored in the cellar",
        ),
        ("给磨坊订购第二个筛网", "磨坊的第二个筛网星期一已经装上了", "市场摊位的面粉放在地窖里"),
    ],
)
def test_an_open_task_beside_what_may_have_settled_it(asked: str, told: str, beside: str) -> None:
    task = fact(asked, 8.0, kind="todo", layer=Layer.JOURNAL, path="memory/2026-02-02.md")
    later = [day(told, 5), day(beside, 4)]
    assert [one.two.text for one in find_answers([task], later)] == [told]
    assert not find_answers([task], [day(told, 1)]), "what was told before it settles nothing"
    assert not find_answers([task], [day(told, 2)]), "its own list"


def test_a_model_is_asked_whether_a_task_is_settled(tmp_path: Path) -> None:
    home = tmp_path / "bakery"
    make_bakery(home)
    (home / "memory/2026-02-02.md").write_text("# 2026-02-02\n\n- [ ] Order a second sieve for the flour mill\n")
    (home / "memory/2026-02-05.md").write_text("# 2026-02-05\n\n- The mill got that second sieve, it fits the frame\n")
    with Vault.open([home]) as vault:
        (found,) = load_census(vault)
        assert [(one.one.kind, one.two.path) for one in found.near] == [("todo", "memory/2026-02-05.md")]
