"""What an agent offers in the middle of a sentence, and an answer that is a label."""

from __future__ import annotations

import pytest

from memtui.language.dialogue import list_options
from memtui.language.summary import extract
from tests.language.script import talk

OFFER = "The query does a sequential scan. Two options: A) add a GIN index, B) move to Meilisearch."


@pytest.mark.parametrize(
    "answer", ["A", "A.", "a please", "lets do A", "option A", "A. we don't want another service to run"]
)
def test_a_label_means_what_was_offered(answer: str) -> None:
    found = extract(
        talk(f"U: search is slow, find out why\nA: {OFFER}\nU: {answer}\nA: Done: search is at 84 ms.")
    )
    assert found.decisions == ("Chose option A: add a GIN index",)


def test_lists_within_a_line() -> None:
    assert [one.text for one in list_options("方案A：加索引；方案B：换引擎。")] == ["加索引", "换引擎"]
    for plain in ("v1.2 is at 3.4, see 1) this", "call f(a) then g(b)", "at 10.0.0.1: up", "a) only one"):
        assert list_options(plain) == []


def test_an_open_item_does_not_say_that_it_is_open() -> None:
    said = "U: fix search, then commit\nA: Fixed it.\n\nStill open: run migration 0042 on staging."
    assert extract(talk(said)).todos == ("Run migration 0042 on staging",)
