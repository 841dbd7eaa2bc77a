"""The labelled set is sound: every label is one memory's line, and no category or language is missing."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.model import Filter, Memory, Status
from memtui.core.text import CJK_RUN
from tests.retrieval.__main__ import NOW, OWN
from tests.retrieval.backends import inside
from tests.retrieval.questions import CATEGORIES, LabelError, Place, questions

HOMES = sorted(path.name for path in (OWN / "homes").iterdir())
ASKED = questions(OWN)


def remembered(home: str, directory: Path) -> list[tuple[Place, Memory]]:
    """Every memory of a copy of the home with its parts, and where each stands."""
    path = directory.resolve() / home
    shutil.copytree(OWN / "homes" / home, path)
    with Vault.open([path]) as vault:
        found = list(vault.memories(Filter(statuses=frozenset(), parts=True)))
    return [(Place(inside(path, one.home, one.path), one.start, one.end), one) for one in found]


def test_every_label_is_one_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)
    count = 0
    layouts: set[str] = set()
    for home in HOMES:
        memories = remembered(home, tmp_path)
        count += len(memories)
        for question in (one for one in ASKED if one.home == home):
            for label in (*question.expected, *question.stale):
                holding = [memory for place, memory in memories if place.covers(label)]
                assert len(holding) == 1, f"{question.id}: {label} stands in {len(holding)} memories"
                right = label in question.expected
                assert not right or holding[0].status is Status.ACTIVE, f"{question.id}: {label} no longer holds"
        with Vault.open([tmp_path.resolve() / home]) as vault:
            layouts.update(one.layout for one in vault.homes)
    assert 900 <= count <= 1500
    assert len(layouts) == len(HOMES)


def test_no_question_is_asked_twice() -> None:
    assert len({question.id for question in ASKED}) == len(ASKED)
    assert len({(question.home, question.query.casefold()) for question in ASKED}) == len(ASKED)
    for question in ASKED:
        assert 1 <= len(set(question.expected)) == len(question.expected) <= 3
        assert not set(question.expected) & set(question.stale)


def test_categories_and_languages_are_balanced() -> None:
    assert len(ASKED) >= 240
    by_category = Counter(question.category for question in ASKED)
    assert set(by_category) == set(CATEGORIES)
    assert min(by_category.values()) >= 20
    languages = Counter((question.category, question.language) for question in ASKED)
    for category, number in by_category.items():
        assert 0.4 <= languages[category, "en"] / number <= 0.6, category
    assert {question.home for question in ASKED} == set(HOMES)


def test_a_question_across_languages_shares_no_script_with_its_line() -> None:
    for question in ASKED:
        if question.category == "cross":
            assert bool(CJK_RUN.search(question.query)) == (question.language == "zh"), question.id


@pytest.mark.parametrize(("text", "number"), [("one", 1), ("two", 2), ("three", 0)])
def test_a_text_label_is_exactly_one_line(tmp_path: Path, text: str, number: int) -> None:
    home = tmp_path / "homes" / "a"
    home.mkdir(parents=True)
    (home / "notes.md").write_text("- one and two\n- two\n", encoding="utf-8")
    label = {"path": "notes.md", "text": text}
    plain = {"id": "x", "query": "?", "category": "exact", "language": "en", "home": "a", "expected": [label]}
    (tmp_path / "questions.jsonl").write_text(json.dumps(plain) + "\n", encoding="utf-8")
    if number == 1:
        assert questions(tmp_path)[0].expected == (Place("notes.md", 1, 1),)
    else:
        with pytest.raises(LabelError, match=f"stands in {number} lines"):
            questions(tmp_path)
