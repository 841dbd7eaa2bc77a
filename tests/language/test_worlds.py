"""Lines of many trades, and what comes back among them: heard of one by one, and found in a year of other things."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

from memtui.core.config import EvolutionConfig
from memtui.evolution.audit import SessionSignals
from memtui.evolution.patterns import compute_problems
from memtui.language.signals import find_signals

HERE = Path(__file__).parent / "lines"
LINES = [json.loads(line) for line in (HERE / "worlds.jsonl").read_text("utf-8").splitlines()]
TROUBLES = [json.loads(line) for line in (HERE / "recurring.jsonl").read_text("utf-8").splitlines()]


def test_trouble_is_heard_and_work_is_not() -> None:
    """A line of trouble may have any of its types, and that it comes back."""
    right = wrong = missed = 0
    for line in LINES:
        heard, wanted = {sign.type for sign in find_signals(line["text"])}, set(line["any"])
        right += bool(heard & wanted)
        missed += bool(wanted) and not heard & wanted
        wrong += bool(heard - wanted - {"recurring_issue"})
    assert right / (right + missed) >= 0.82, (right, missed)
    assert right / (right + wrong) >= 0.93, (right, wrong)


def test_what_comes_back_in_other_words_is_found_once_and_nothing_else() -> None:
    """Each trouble in a project of its own for a while, among single troubles that never come back."""
    dice = random.Random(3)
    known = {text for trouble in TROUBLES for text in trouble["lines"]}
    noise = [line["text"] for line in LINES if line["text"] not in known]
    sessions: list[SessionSignals] = []
    for number, trouble in enumerate(TROUBLES):
        for at in range(24):
            told = [dice.choice(noise)] if at % 3 else []
            if at in range(2, 18, 2):
                told.append(trouble["lines"][(at - 2) // 2 % len(trouble["lines"])])
            signs = tuple(sign for text in told for sign in find_signals(text))
            sessions.append(SessionSignals(f"s{number:03}-{at:03}", 86400.0 * len(sessions), signs, f"p{number}"))
    found = compute_problems(sessions, (), EvolutionConfig())
    right = set()
    for one in found:
        own, many = Counter(heard.project for heard in one.sessions).most_common(1)[0]
        if many > 0.6 * one.times and one.type in TROUBLES[int(own[1:])]["types"]:
            right.add(own)
    assert len(right) >= 0.8 * len(TROUBLES), [one.key for one in found]
    assert len(found) <= 1.1 * len(TROUBLES)
