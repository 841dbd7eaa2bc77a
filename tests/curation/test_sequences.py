"""Any verbs, in any order, on memories of several homes; then taken back, every byte is there again."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.edits import Draft, Receipt
from memtui.core.errors import RefusedError
from memtui.core.model import Filter, Layer, Memory
from memtui.fs import database_rows
from memtui.store import verbs
from tests.curation.test_facts import table, tree
from tests.homes.openakita import build

ROOT = Path(__file__).parent.parent.parent
SOURCES = {
    ".memtui": "tests/homes/memtui",
    "memory-data": "tests/homes/skillix/.cursor/skills/memory-data",
    "memory": "memtui/demo/zh/claude/projects/-home-mei-code-shop/memory",
    "code": "tests/homes/code_memory",
}
TEXTS = (
    "new {n}", "多行\n第二行 {n}", "# head {n}", "- bullet `x` {n} #t", "a|b <!-- c --> {n}", '“q” \\ " {n}',
)  # fmt: skip
VERBS = (
    "edit", "archive", "restore", "supersede", "expire", "tag", "merge", "move", "leave", "delete", "add",
)  # fmt: skip


def act(vault: Vault, dice: random.Random, verb: str, one: Memory, other: Memory, text: str) -> Receipt:
    """One verb, its arguments by chance."""
    if verb == "edit":
        return verbs.edit(vault, one, {"text": text})
    if verb == "supersede":
        return verbs.supersede(vault, one, Draft(text, one.kind, tags=("z",)))
    if verb == "expire":
        return verbs.expire(vault, one, dice.choice([None, 2e9, 1.5e9]))
    if verb == "tag":
        return verbs.tag(vault, one, dice.sample(["a", "b", "标签"], 2))
    if verb == "merge":
        return verbs.merge(vault, one, [other], dice.choice(["", text]))
    if verb == "move":
        return verbs.move(vault, one, path=dice.choice(["", other.path]), section=dice.choice(["", "新的"]))
    if verb == "leave":
        return verbs.move(vault, one, home=str(dice.choice(vault.homes).path))
    if verb == "add":
        draft = Draft(text, dice.choice(["fact", "pref", "rule"]))
        return verbs.add(vault, dice.choice(vault.homes), draft, layer=dice.choice(list(Layer)))
    return {"archive": verbs.archive, "restore": verbs.restore, "delete": verbs.delete}[verb](vault, one)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_was_done_is_undone(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_rows, "_copied_rows", set())
    dice = random.Random(seed)
    places = [tmp_path / name for name in SOURCES]
    for place, source in zip(places, SOURCES.values(), strict=True):
        shutil.copytree(ROOT / source, place)
    places.append(build(tmp_path / "ws"))
    before = [(tree(place), table(place)) for place in places]
    done = 0
    with Vault.open(places) as vault:
        for number in range(30):
            every = list(vault.memories(Filter(statuses=frozenset())))
            every = [memory for memory in every if not verbs.explain_refusal("edit", memory, vault)]
            one = dice.choice(every)
            other = dice.choice([memory for memory in every if memory.home == one.home])
            problems = sum(len(home.problems) for home in vault.status())
            try:
                # A conflict is a refusal, too: nobody else writes here, so none may come.
                act(vault, dice, dice.choice(VERBS), one, other, dice.choice(TEXTS).format(n=number))
            except RefusedError as error:
                assert type(error) is RefusedError, error
                continue
            done += 1
            assert sum(len(home.problems) for home in vault.status()) <= problems
        assert done
        for _time in range(done):
            vault.undo()
    assert [(tree(place), table(place)) for place in places] == before
