"""Planted contradictions and duplicates are proposed among hundreds of strangers, and little else is.

`fresh.jsonl` was written later, by somebody who had not seen the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.language.claims import find_claims, find_frame
from memtui.language.similarity import normalize_text
from memtui.language.statements import is_repeated, read_sentence
from memtui.review import queue
from memtui.store.vault import Vault
from tests.curation.facts_of import NOW
from tests.curation.truth import Pair, measured, pairs, planted, proposed, strangers

FLOORS = {"contradiction": (0.85, 0.88), "duplicate": (0.85, 0.92)}
"""Recall and precision of each half, a little below what is reached."""


@pytest.fixture(scope="module")
def proposals(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMTUI_NOW", NOW)
        return list(proposed(planted(tmp_path_factory.mktemp("world"), pairs(), strangers())))


@pytest.mark.parametrize("origin", sorted(FLOORS))
@pytest.mark.parametrize("held_out", [False, True])
def test_what_is_planted_is_found_and_little_else(
    proposals: list[tuple[str, str, str]], origin: str, held_out: bool
) -> None:
    half = [pair for pair in pairs() if pair.held_out is held_out]
    measure, missed, wrong = measured(origin, half, proposals)
    recall, precision = FLOORS[origin]
    assert measure.recall >= recall, missed
    assert measure.precision >= precision, wrong


def test_strangers_are_left_in_peace(proposals: list[tuple[str, str, str]]) -> None:
    among = {normalize_text(text) for text in strangers()}
    assert [(one, two) for _origin, one, two in proposals if {normalize_text(one), normalize_text(two)} <= among] == []


def test_the_newer_one_comes_first_where_both_are_dated(proposals: list[tuple[str, str, str]]) -> None:
    said_first = {normalize_text(one) for origin, one, _two in proposals if origin == "contradiction"}
    dated = [pair for pair in pairs() if pair.kind == "contradiction"][::5]
    assert not [pair for pair in dated if normalize_text(pair.older) in said_first]


def test_both_are_shown_with_their_days_and_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)
    shop = tmp_path / ".memtui/areas/projects/shop"
    shop.mkdir(parents=True)
    facts = [
        {"id": f"f{number}", "fact": text, "timestamp": f"2026-02-{day}T10:00:00Z", "status": "active"}
        for number, (text, day) in enumerate((("Cache TTL is 60 seconds", "03"), ("Cache TTL is 5 minutes", "21")))
    ]
    (shop / "facts.json").write_text(json.dumps({"facts": facts}), "utf-8")
    with Vault.open([tmp_path / ".memtui"]) as vault:
        (found,) = [one for one in queue.load_queue(vault).waiting if one.origin == "contradiction"]
    parts = dict(found.parts)
    assert found.text == "Cache TTL is 5 minutes" and found.near[0].text == "Cache TTL is 60 seconds"
    assert parts["newer"].endswith("(2026-02-21)") and parts["older"].endswith("(2026-02-03)")
    assert parts["differs"] == "60 seconds → 5 minutes" and "60 seconds → 5 minutes" in found.reason


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("Retries stop after 60 seconds", "Retries stop after 1 minute", True),
        ("Tests must not hit the network", "Tests must never hit the network", True),
        ("部署使用 Kubernetes 集群", "集群部署采用 K8s", True),
        ("Prefer tabs over spaces", "Prefer spaces over tabs", False),
        ("Orders need approval", "Refunds need approval", False),
        ("Debug builds contain symbols", "Debug builds do not contain symbols", False),
        (
            "Use Redis",
            "Use Redis for sessions, rate limits, locks and the job queue of all the services",
            False,
        ),
    ],
)
def test_two_wordings_of_one_thing(one: str, two: str, same: bool) -> None:
    assert is_repeated(one, two) is same
    assert is_repeated(two, one) is same


def test_a_sentence_is_read() -> None:
    read = read_sentence("**Never** keep `tokens` longer than 15 minutes")
    assert read.denied and [(n.raw, n.kind, n.value) for n in read.numbers] == [("15", "time", "900")]
    framed = find_frame("Shard 2 holds the orders of Europe")
    assert framed is not None and framed.valued == (False,)
    assert [claim.value for claim in find_claims("The docs site is built with Docusaurus (since 2026-04)")] == [
        "Docusaurus"
    ]
    # What a thing may have several of claims nothing.
    assert not find_claims("The parser supports TOML") and not find_claims("Sellers can edit their own products")
    weak = find_claims("The repository uses changesets")
    assert [claim.alone for claim in weak] == [False]


FRESH_FLOORS = {"contradiction": (0.85, 0.9), "duplicate": (0.7, 0.9)}
"""Recall and precision, a little below what is reached."""
FRESH = Path(__file__).parent / "truth/fresh.jsonl"


def _fresh() -> Iterator[Pair]:
    for line in FRESH.read_text("utf-8").splitlines():
        yield Pair(**json.loads(line))


@pytest.fixture(scope="module")
def fresh_proposals(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str, str]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMTUI_NOW", NOW)
        return list(proposed(planted(tmp_path_factory.mktemp("fresh"), _fresh(), strangers())))


@pytest.mark.parametrize("origin", sorted(FRESH_FLOORS))
def test_what_somebody_else_planted_is_found(fresh_proposals: list[tuple[str, str, str]], origin: str) -> None:
    measure, missed, wrong = measured(origin, _fresh(), fresh_proposals)
    recall, precision = FRESH_FLOORS[origin]
    assert measure.recall >= recall, missed
    assert measure.precision >= precision, wrong
