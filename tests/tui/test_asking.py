"""What a person types for a time, as the app understands it."""

from __future__ import annotations

import pytest

from memtui.core import clock
from memtui.tui.memory_verbs import parse_expiry

DAY = 86400.0


@pytest.mark.parametrize(
    ("said", "days"),
    [("", None), ("-", None), ("never", None), ("永不", None), ("permanent", None), ("session", 2 / 24),
     ("24h", 1), ("7d", 7), (" 2W ", 14), ("short_term", 3), ("long-term", 30), ("1m", 30), ("1y", 365)],
)  # fmt: skip
def test_the_words_of_retention(monkeypatch: pytest.MonkeyPatch, said: str, days: float | None) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T12:00:00Z")
    assert parse_expiry(said) == (None if days is None else clock.now() + days * DAY)


def test_a_date_and_what_is_no_time() -> None:
    assert parse_expiry("2026-12-31") == clock.parse("2026-12-31T23:59:59")
    with pytest.raises(ValueError):
        parse_expiry("soon")
