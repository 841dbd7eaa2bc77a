"""The labelled talks with the weights that ship: what was learned from them is still found, fast and from few bytes.

These talks were seen in training. What is found in talks that were not is measured by `python -m tests.language.check`.
"""

from __future__ import annotations

import time

import pytest

from memtui.language.classify import FILE, HEADS, describe, load_model
from memtui.language.conversation import Conversation
from memtui.language.sentences import split_talk
from memtui.language.signals import find_in_talk
from memtui.language.summary import extract
from memtui.language.trouble import STEMS
from tests.language import stems
from tests.language.__main__ import KINDS, Score
from tests.language.talks import HERE, Talk, conversation, read

LEAST = {
    "en": {"decision": 0.6, "learned": 0.74, "open": 0.7, "done": 0.75},
    "zh": {"decision": 0.6, "learned": 0.75, "open": 0.5, "done": 0.8},
}


@pytest.fixture(scope="module")
def talks() -> list[Talk]:
    return read([HERE])


@pytest.mark.parametrize("name", ["en", "zh"])
def test_what_was_learned_from_is_found(talks: list[Talk], name: str) -> None:
    score = Score()
    for talk in talks[::7]:
        if talk.chinese is (name == "zh"):
            score.add(talk)
    count = score.count
    for kind in KINDS:
        assert count[f"{kind} found"] >= LEAST[name][kind] * count[f"{kind} wanted"], (kind, count)
    extracted = sum(count[f"{kind} extracted"] for kind in KINDS)
    assert sum(count[f"{kind} false"] for kind in KINDS) <= 0.2 * extracted
    assert count["trapped"] <= 0.05 * count["traps"]
    assert count["outcome right"] >= 0.7 * count["outcomes"]


def test_a_session_twice_as_long_takes_twice_as_long(talks: list[Talk]) -> None:
    """Offline, in pure Python: every turn's end waits for it."""

    def take(lines: int) -> float:
        said, steps, line = [], [], 0
        for talk in talks:
            recorded = conversation(talk)
            said += [turn._replace(line=turn.line + line) for turn in recorded.said]
            steps += [step._replace(line=step.line + line) for step in recorded.steps]
            line += len(talk.lines)
            if line > lines:
                break
        long = Conversation(conversation(talks[0]).session, tuple(said), tuple(steps))
        assert len(split_talk(long.said)) >= lines // 2
        best = 1e9
        for _ in range(2):
            begun = time.process_time()
            extract(long)
            find_in_talk(long)
            best = min(best, time.process_time() - begun)
        return best / line

    take(60)
    assert take(900) < 2 * take(300)


def test_the_weights_are_small_and_know_every_head(talks: list[Talk]) -> None:
    assert FILE.stat().st_size < 500_000
    features = describe(split_talk(conversation(talks[0]).said))[0]
    assert len(load_model().score(features)) == len(HEADS)


def test_signs_and_their_stems_agree() -> None:
    assert STEMS.read_text("utf-8") == stems.text()
