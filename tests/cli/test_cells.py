from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.cli.render import count_line_cells, fit, pad


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("abc", 3),
        ("支付", 4),
        ("ｆｕｌｌ", 8),
        ("é", 1),
        ("e\u0301", 1),
        ("🙂", 2),
        ("한글", 4),
        ("ｶﾅ", 2),
        ("a支", 3),
    ],
)
def test_width(text: str, cells: int) -> None:
    assert count_line_cells(text) == cells


def test_fit_cuts_between_characters_and_says_so() -> None:
    assert fit("支付回调", 8) == "支付回调"
    assert fit("支付回调", 7) == "支付回…"
    assert fit("支付回调", 6) == "支付…"
    assert fit("支付回调", 1) == "…"
    assert fit("支付", 0) == ""


def test_pad() -> None:
    assert pad("支", 4) == "支  "
    assert pad("支", 4, right=True) == "  支"
    assert pad("支付", 3) == "支付"


@settings(max_examples=200)
@given(st.text("ab支付e\u0301🙂 ", max_size=30), st.integers(0, 40))
def test_fit_never_exceeds(text: str, cells: int) -> None:
    cut = fit(text, cells)
    assert count_line_cells(cut) <= max(cells, 0)
    assert cut == text or cells <= 0 or cut.endswith("…")
    assert (cut == text) == (count_line_cells(text) <= cells) or text == ""
    assert count_line_cells(pad(cut, cells)) == max(cells, count_line_cells(cut))
