from __future__ import annotations

import pytest

from memtui.cli.options import parse_time
from memtui.core import clock
from memtui.core.errors import UsageError


@pytest.fixture(autouse=True)
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T10:30:00+08:00")
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")


def shown(seconds: float) -> str:
    return clock.convert_to_local(seconds).strftime("%Y-%m-%d %H:%M")


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("7d", "2026-02-22 10:30"),
        ("７ｄ", "2026-02-22 10:30"),
        ("12h", "2026-02-28 22:30"),
        ("2w", "2026-02-15 10:30"),
        ("1mo", "2026-01-30 10:30"),
        ("90min", "2026-03-01 09:00"),
        (" 1Y ", "2025-03-01 10:30"),
        ("today", "2026-03-01 00:00"),
        ("昨天", "2026-02-28 00:00"),
        ("2026-02-01", "2026-02-01 00:00"),
        ("2026-02-01 14:30", "2026-02-01 14:30"),
        ("2026-02-01T00:00:00Z", "2026-02-01 08:00"),
    ],
)
def test_since(text: str, begin: str) -> None:
    assert shown(parse_time(text)) == begin


def test_until_a_day_is_until_its_end() -> None:
    assert shown(parse_time("2026-02-28", end=True)) == "2026-03-01 00:00"
    assert shown(parse_time("today", end=True)) == "2026-03-02 00:00"
    assert shown(parse_time("2026-02-28 14:30", end=True)) == "2026-02-28 14:30"


@pytest.mark.parametrize("text", ["", "soon", "7 x", "-3d", "d", "2026-02-30", "9999999d"])
def test_nonsense_is_wrong_use(text: str) -> None:
    with pytest.raises(UsageError, match="time"):
        parse_time(text)
