"""Whole conversations of different people, and what a careful person would have kept of each.

talks/*.txt: `=== name`, then a script (see talk.py) with the expectations below it: `? kind|kind: word & word` must be
among the items of one of these kinds, `! word` in none of them, `. nothing else` says that there is no decision, open
item or lesson that nobody expected.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from memtui.sessions.extract import rules
from memtui.sessions.extract.limits import MOST, characters
from tests.sessions.extract.talk import talk

if TYPE_CHECKING:
    from memtui.sessions.extract import Extract

_EXPECTED = re.compile(r"([?!.]) (?:([a-z|]+): )?(.*)")
_BOTH = {"pref": {"pref", "rule"}, "rule": {"pref", "rule"}}


class Case(NamedTuple):
    name: str
    script: str
    expected: tuple[tuple[str, str, str], ...]


def cases() -> list[Case]:
    found = []
    for file in sorted(Path(__file__).with_name("talks").glob("*.txt")):
        for block in re.split(r"^=== ", file.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            name, _, body = block.partition("\n")
            lines = [(line, _EXPECTED.fullmatch(line)) for line in body.splitlines()]
            script = "\n".join(line for line, match in lines if not match)
            expected = tuple((match[1], match[2] or "", match[3]) for _line, match in lines if match)
            found.append(Case(name, script, expected))
    return found


def items(found: Extract) -> list[tuple[str, str]]:
    """Everything that is kept, by kind."""
    parts = {
        "topic": (found.topic, found.goal),
        "outcome": (found.outcome,),
        "decision": found.decisions,
        "todo": found.todos,
        "done": found.done,
        "file": found.files,
    }
    told = [(kind, text) for kind, texts in parts.items() for text in texts]
    return told + [(one.kind, one.text) for one in found.learned]


def says(text: str, wanted: str) -> bool:
    return all(re.search(word.strip(), text, re.IGNORECASE) for word in wanted.split(" & "))


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_what_is_kept(case: Case) -> None:
    found = rules.extract(talk(case.script))
    kept = items(found)
    known: set[tuple[str, str]] = set()
    for mark, kinds, wanted in case.expected:
        if mark == "?":
            kind = set().union(*(_BOTH.get(one, {one}) for one in kinds.split("|")))
            assert any(one in kind and says(text, wanted) for one, text in kept), (kinds, wanted, kept)
            known |= {item for item in kept if says(item[1], wanted)}
        elif mark == "!":
            assert not any(wanted in text for _kind, text in kept), (wanted, kept)
        else:
            loose = {"topic", "outcome", "done", "file"}
            assert [item for item in kept if item[0] not in loose and item not in known] == []
    assert characters(found) <= MOST
