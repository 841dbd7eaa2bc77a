"""Chinese substrings of one to six characters: all of them are found, and quoted nothing else is."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.core.text import CJK_RUN
from memtui.search import search
from memtui.search.texts import SearchTarget
from tests.search.conftest import Workshop

DRAW = random.Random(11)
CHARACTERS = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下"
WORDS = [
    "数据库", "连接池", "偏好", "缓存", "记忆", "超时", "熔断", "deploy", "pytest", "（", "，", "。", " ",
    "2026", "é", "カメラ",
]  # fmt: skip


def sentence() -> str:
    pieces = [
        DRAW.choice(WORDS) if DRAW.random() < 0.4 else "".join(DRAW.choices(CHARACTERS, k=DRAW.randint(1, 5)))
        for _ in range(DRAW.randint(2, 9))
    ]
    return "".join(pieces).strip() or "空"


LINES = list(dict.fromkeys(sentence() for _ in range(120)))
RUNS = [run for line in LINES for run in CJK_RUN.findall(line)]


@pytest.fixture(scope="module")
def target(shared_workshop: Workshop) -> SearchTarget:
    """One home with every line as an item of a list, spread over files."""
    files = {f"notes/{number}.md": "".join(f"- {line}\n" for line in LINES[number::8]) for number in range(8)}
    return shared_workshop.target(files)


def substring(run: str) -> st.SearchStrategy[str]:
    return st.tuples(st.integers(0, len(run) - 1), st.integers(1, 6)).map(lambda at: run[at[0] : at[0] + at[1]])


@pytest.mark.parametrize("mode", ["fts", "scan"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_substring_is_found_and_comes_first(target: SearchTarget, mode: str, data: st.DataObject) -> None:
    wanted = data.draw(st.sampled_from(RUNS).flatmap(substring))
    holding = {f"- {line}" for line in LINES if wanted in line}
    loose = [hit.snippet for hit in search([target], wanted, limit=1000, mode=mode)]
    assert holding <= set(loose)
    assert set(loose[: len(holding)]) == holding
    exact = [hit.snippet for hit in search([target], f'"{wanted}"', limit=1000, mode=mode)]
    assert set(exact) == holding
    assert len(exact) == len(holding)


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 6])
def test_each_length(target: SearchTarget, length: int) -> None:
    run = max(RUNS, key=len)
    assert len(run) >= 6
    wanted = run[1 : 1 + length] if len(run) > 6 else run[:length]
    found = search([target], wanted, limit=1000)
    assert any(run in hit.snippet for hit in found)
    assert wanted in found[0].snippet
    start, end = found[0].marks[0]
    assert wanted in found[0].snippet[start:end] or length == 1
