"""Orders to agents are seen in every disguise, and agents' own instructions are left alone (reliability §4, T38)."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.safety.injection import examine
from tests.safety.orders import disguised, harmless, plain


def test_orders_are_seen() -> None:
    seen = [examine(order).action != "none" for order in plain()]
    assert sum(seen) / len(seen) >= 0.9


def test_disguises_help_nobody() -> None:
    seen = [examine(order).action != "none" for order in disguised()]
    assert sum(seen) / len(seen) >= 0.95


def test_instructions_are_no_orders() -> None:
    assert [line for line in harmless() if examine(line).action != "none"] == []


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_has_a_verdict(text: str) -> None:
    verdict = examine(text)
    assert (verdict.action == "none") == (verdict.rules == ())


@pytest.mark.parametrize(
    "unit", ["a", " ", "a ", "ignore ", "忽略之前", "send the ", "AAAA", "%41", "1a", "curl -u "]
)
def test_time_grows_with_the_length_and_no_faster(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        best = 9.0
        for _ in range(3):
            began = time.perf_counter()
            examine(text)
            best = min(best, time.perf_counter() - began)
        return best

    assert seconds(60_000) < 16 * seconds(10_000) + 0.05
