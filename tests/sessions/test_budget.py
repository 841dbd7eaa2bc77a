"""Tokens are estimated for what they cost; a text is cut where something ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.sessions.packing import Budget, count_fitting, estimate_tokens


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("", 0),
        ("The quick brown fox jumps over the lazy dog", 11),
        ("用户偏好简洁的回答", 9),
        ("选择 SQLite，因为零依赖。", 11),
        ("0123456789", 5),
        ("éèà", 2),
        ("😀", 1),
    ],
)
def test_what_a_text_costs(text: str, about: int) -> None:
    assert estimate_tokens(text) == about


@given(st.text(max_size=200), st.text(max_size=200))
def test_parts_never_cost_less_than_the_whole(one: str, two: str) -> None:
    assert estimate_tokens(one + two) <= estimate_tokens(one) + estimate_tokens(two)
    assert estimate_tokens(one + two) >= max(estimate_tokens(one), estimate_tokens(two))


def test_it_is_cut_where_something_ends() -> None:
    lines = [(number, f"- line {number} with some words in it") for number in range(1, 21)]
    ends = frozenset({5, 9, 14, 20})
    assert count_fitting(lines, ends, Budget(400, 1000)) == 9
    assert count_fitting(lines, ends, Budget(10_000, 10_000)) == 20
    assert count_fitting(lines, ends, Budget(10_000, 80)) == 5
    assert count_fitting(lines, ends, Budget(60, 1000)) == 0
