"""Near in words, near in meaning, and what a model says of near pairs: proposed, never decided."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.config import Config
from memtui.core.errors import UnavailableError
from memtui.core.model import Layer, Memory, Status
from memtui.review import verdicts
from memtui.review.census import load_census as census_test_nearness
from memtui.review.duplicates import select_reworded
from memtui.review.nearness import Meaning, find_near_pairs
from memtui.review.queue import approve, load_queue

NEWER = "Backups of the ledger are copied to the second data centre each night"
OLDER = "Ledger backups leave for another data centre after dark, by rsync"


def memory(text: str, path: str, line: int = 1) -> Memory:
    return Memory(
        id=f"{path}:{line}", home="/home", path=path, layer=Layer.KNOWLEDGE, kind="fact", text=text, start=line,
        end=line, status=Status.ACTIVE,
    )  # fmt: skip


def meaning(*found: tuple[int, int, float]) -> Meaning:
    def near(memories: Sequence[Memory]) -> list[tuple[int, int, float]]:
        return list(found)

    return near


def same(memories: list[Memory], means: Meaning) -> list[tuple[str, str]]:
    return [(near.one.id, near.two.id) for near, _how in select_reworded(find_near_pairs(memories, means))]


def test_meaning_vouches_for_few_words() -> None:
    pair = [memory(NEWER, "one.md"), memory(OLDER, "two.md")]
    assert same(pair, meaning()) == []
    assert same(pair, meaning((0, 1, 0.7))) == [("one.md:1", "two.md:1")]
    # Near, and hardly a word in common: about one thing, and who knows what they say of it.
    apart = [memory("Refunds need two signatures", "one.md"), memory("退款必须由两个人签字确认", "two.md")]
    assert same(apart, meaning((0, 1, 0.7))) == []
    assert [near.cosine for near in find_near_pairs(apart, meaning((0, 1, 0.7)))] == [0.7]


def test_rules_and_topics_tell_one_thing_with_other_remarks() -> None:
    rule = "Invoices leave through the courier gateway with `retry_budget` set, and the operator gets a digest"
    topic = (
        "Courier gateway: invoices leave with `retry_budget` set; built in spring by the harbour team, it speaks"
        " to three carriers and logs each parcel"
    )
    pair = [memory(rule, "AGENTS.md"), memory(topic, "memory/courier.md")]
    assert same(pair, meaning()) == []
    pair[0].layer = Layer.PROFILE
    assert same(pair, meaning()) == [("AGENTS.md:1", "memory/courier.md:1")]


def test_a_number_or_a_not_tells_near_ones_apart() -> None:
    means = meaning((0, 1, 0.9))
    for one, two in (
        (
            "Logs of the gateway are kept for 30 days on disk",
            "The gateway's logs are kept on disk for 90 days",
        ),
        (
            "The nightly export never touches the archive bucket",
            "The nightly export touches the archive bucket",
        ),
    ):
        assert same([memory(one, "one.md"), memory(two, "two.md")], means) == []


def test_lines_of_one_file_are_near_to_others_only() -> None:
    assert find_near_pairs([memory(NEWER, "one.md"), memory(OLDER, "one.md", 9)], meaning((0, 1, 0.9))) == []


def make_home(tmp_path: Path) -> Path:
    home = tmp_path / "project/.claude/memory"
    home.mkdir(parents=True)
    (home / "MEMORY.md").write_text(f"# Memory\n\n- {NEWER}\n- Tests run with pytest\n", "utf-8")
    (home / "ops.md").write_text(
        f"---\nname: ops\ndescription: How it is run\n---\n\n- {OLDER}\n- Alerts go to the duty phone\n",
        "utf-8",
    )
    return tmp_path / "project"


def model(tmp_path: Path, answer: str) -> Config:
    script = tmp_path / "model.py"
    script.write_text(
        f"import sys\nopen({str(tmp_path / 'asked')!r}, 'a').write(sys.stdin.read())\nprint({answer!r})\n",
        "utf-8",
    )
    return Config(
        llm=Config().llm._replace(command=(sys.executable, str(script))),
        consolidate=Config().consolidate._replace(model=True),
    )


def say(says: str) -> str:
    return json.dumps({"pairs": [{"pair": 1, "says": says, "why": "both tell where the backups go"}]})


@pytest.mark.parametrize(("says", "origin"), [("same", "duplicate"), ("conflict", "contradiction"), ("other", "")])
def test_what_the_model_says_of_a_pair_waits_in_review(tmp_path: Path, says: str, origin: str) -> None:
    config = model(tmp_path, f"Here it is:\n{say(says)}")
    with Vault.open([make_home(tmp_path)]) as vault:
        near = next(census_test_nearness(vault)).near
        pairs = [(one.one, one.two) for one in near]
        assert [{one.text, two.text} for one, two in pairs] == [{NEWER, OLDER}]
        assert load_queue(vault).waiting == []
        home = vault.homes[0]
        assert [one.says for one in verdicts.ask_about(home, pairs, config).values()] == [says]
        # Once is enough.
        assert verdicts.ask_about(home, pairs, config) == {}
        assert (tmp_path / "asked").read_text("utf-8").count("<memory src") == 2
        found = load_queue(vault).waiting
        assert [one.origin for one in found] == ([origin] if origin else [])
        for candidate in found:
            before = {path: path.read_bytes() for path in (tmp_path / "project").rglob("*.md")}
            receipt = approve(vault, candidate)
            assert load_queue(vault).waiting == []
            vault.undo(receipt.id)
            assert {path: path.read_bytes() for path in before} == before


def test_an_answer_in_no_form_is_said_and_forgotten(tmp_path: Path) -> None:
    with Vault.open([make_home(tmp_path)]) as vault:
        pairs = [(one.one, one.two) for one in next(census_test_nearness(vault)).near]
        for answer in ("no idea", "{}", '{"pairs": 3}', '{"pairs": [{"pair": 7, "says": "same"}]}'):
            with pytest.raises(UnavailableError):
                verdicts.ask_about(vault.homes[0], pairs, model(tmp_path, answer))
        assert verdicts.read_verdicts(vault.homes[0]) == {}


def test_verdicts_that_somebody_else_wrote_are_read_with_care(tmp_path: Path) -> None:
    from memtui.store import consolidate_report

    with Vault.open([make_home(tmp_path)]) as vault:
        home = vault.homes[0]
        told: tuple[object, ...] = ([], {"a": 1}, {"a": ["approve", "x"]}, {"a": ["same"]})
        for said in told:
            consolidate_report.write("judged.json", said, consolidate_report.find_home_index_directory(home))
            assert verdicts.read_verdicts(home) == {}


def test_what_speaks_for_a_restatement_is_added_up() -> None:
    from memtui.review.nearness import NearPair, weigh_restatement

    one = memory("Invoices leave on Fridays through the courier gateway", "one.md")
    two = memory("On Fridays the courier gateway sends the invoices", "two.md")
    worth = dict.fromkeys(("invoic", "friday", "courier", "gateway", "leav", "send"), 4.0)
    near = NearPair(one, two, 16.0, 20.0, 20.0, 0.0, short=False, worth=worth)
    assert weigh_restatement(near._replace(rare=4)) > weigh_restatement(near)
    assert weigh_restatement(near) > weigh_restatement(near._replace(both=8.0))
    assert weigh_restatement(near) > weigh_restatement(near._replace(less=40.0))
    assert weigh_restatement(near._replace(worth={})) < -5, "nobody knows what its words are worth"
