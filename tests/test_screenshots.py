"""The pictures in the README show what the app shows today."""

from __future__ import annotations

import pytest

from tests import screenshots


@pytest.mark.timeout(900)  # Every view is drawn: 40 seconds, and several times that beside other work.
def test_the_pictures_are_current_and_have_memories_in_them() -> None:
    drawn = screenshots.draw()
    stale = screenshots.list_stale(drawn)
    assert not stale, "\n".join(["run `python -m tests.screenshots`", *stale])
    for name, svg in drawn.items():
        shown = screenshots.words(svg)
        assert "memtui" in shown, name
        assert "openclaw" in shown or "支付" in shown or "shop" in shown, name


def test_staleness_sees_words_and_forgives_versions() -> None:
    old = "<!-- textual 8.2.8, Python 3.11 -->\n<svg><text x='1'>SQLite&#160;3.54.1</text><text>a 398 KB</text></svg>\n"
    other = (
        old.replace("8.2.8", "8.3.0")
        .replace("3.54.1", "3.55")
        .replace("398", "401")
        .replace("x='1'", "x='2'")
    )
    assert not screenshots.stale(old, old)
    assert not screenshots.stale(old, other)
    assert screenshots.stale(old, old.replace("x='1'", "x='2'"))
    assert screenshots.stale(old, other.replace(">a ", ">b "))
    assert screenshots.stale("", old)
