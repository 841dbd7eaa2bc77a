"""Narrowing a list (`f`): what a memory holds is found, the order stays, the cursor goes where one looks."""

from __future__ import annotations

import pytest
from textual import events

from memtui.core import clock
from memtui.core.model import Layer, Memory, Status
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import DAY, NOON, FakeVault, memory

PLACE = "areas/projects/shop/facts.json"


def facts() -> list[Memory]:
    texts = [
        "Retries are capped\nthe idempotency key is sent along",
        "登录页的缓存五分钟过期",
        "Payments use the idempotency key",
        "Redis keys carry a TTL",
    ]
    return [
        memory(text, PLACE, line, Layer.KNOWLEDGE, "fact", created=NOON - line * DAY, tags=("net",) * (line == 5))
        for line, text in enumerate(texts, 2)
    ]


@pytest.fixture
def vault() -> FakeVault:
    return FakeVault(facts())


def chain() -> list[Memory]:
    old = memory("old token", PLACE, 12, Layer.KNOWLEDGE, "fact", key="f-1", superseded_by="f-2")
    old.status = Status.SUPERSEDED
    new = memory("new token", PLACE, 13, Layer.KNOWLEDGE, "fact", key="f-2")
    lost = memory("lost token", PLACE, 14, Layer.KNOWLEDGE, "fact", key="f-3", superseded_by="f-999")
    lost.status = Status.SUPERSEDED
    return [old, new, lost]


async def typed(desk: Desk, text: str) -> None:
    await desk.press("f", *[{" ": "space", ":": "colon", "-": "minus"}.get(char, char) for char in text])


def headlines(desk: Desk) -> list[str]:
    rows = desk.main.pane.rows()
    assert rows is not None
    return [rows.item(n).text.partition("\n")[0] for n in range(len(rows.items))]


async def test_words_are_found_wherever_the_memory_has_them_and_the_order_stays(desk: Desk) -> None:
    await desk.press("2")
    await typed(desk, "idempotency")
    assert headlines(desk) == ["Retries are capped", "Payments use the idempotency key"]
    assert "1 / 2 · recent" in desk.text()


async def test_tags_chinese_other_case_and_paths_count(desk: Desk) -> None:
    await desk.press("2")
    for word in ("net", "缓存", "REDIS", "shop"):
        await typed(desk, word)
        assert headlines(desk), word
        assert "nearest" not in desk.text()
        await desk.press("escape")


async def test_a_slip_of_the_finger_shows_what_is_nearest_and_says_so(desk: Desk) -> None:
    await desk.press("2")
    await typed(desk, "pymnts")
    assert headlines(desk) == ["Payments use the idempotency key"]
    assert "nearest" in desk.text()


async def test_the_cursor_is_on_the_first_match_and_escape_goes_back(desk: Desk) -> None:
    await desk.press("2", "G")
    assert "4 / 4" in desk.text()
    await typed(desk, "key")
    found = desk.main.pane.memory()
    assert found is not None
    assert found.text.startswith("Retries")
    await desk.press("escape")
    assert "4 / 4" in desk.text()


async def test_what_was_chosen_stays_when_the_filter_goes(desk: Desk) -> None:
    await desk.press("2")
    await typed(desk, "key")
    await desk.press("enter", "j", "escape")
    found = desk.main.pane.memory()
    assert found is not None
    assert found.text.startswith("Payments")


async def test_following_a_chain_out_of_the_list_takes_the_verbs_along() -> None:
    async with running(FakeVault(chain())) as desk:
        await desk.press("2")
        await typed(desk, "status:superseded")
        await desk.press("enter")
        while desk.main.pane.memory() and desk.main.pane.memory().text != "old token":  # type: ignore[union-attr]
            await desk.press("j")
        await desk.press("greater_than_sign")
        found = desk.memory()
        assert found.text == "new token"
        await desk.press("less_than_sign")
        found = desk.memory()
        assert found.text == "old token"


async def test_a_chain_that_leads_nowhere_is_not_denied() -> None:
    async with running(FakeVault(chain())) as desk:
        await desk.press("2")
        await typed(desk, "status:superseded lost")
        await desk.press("enter", "greater_than_sign")
        assert "replaced by f-999, which" in desk.text()


async def test_another_section_begins_at_its_beginning() -> None:
    async with running(FakeVault([*facts(), *chain()])) as desk:
        await desk.press("2", "G", "h", "j", "j")
        assert "1 / " in desk.text()


async def test_ages_of_all_rows_move_on_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-11-21T12:00:30Z")
    saved = clock.parse("2026-11-21T11:58:00Z")
    made = [memory(f"line {n}", PLACE, n, Layer.KNOWLEDGE, "fact", created=saved) for n in (2, 3)]
    async with running(FakeVault(made)) as desk:
        await desk.press("2")
        desk.main.pane.tick()
        assert desk.text().count(" 2m ") >= 2
        monkeypatch.setenv("MEMTUI_NOW", "2026-11-21T12:07:30Z")
        desk.main.pane.tick()
        await desk.settled()
        assert desk.text().count(" 9m ") >= 2
        assert " 2m " not in desk.text()


async def test_a_letter_right_behind_escape_is_no_text(desk: Desk) -> None:
    """A terminal sends alt and a letter as escape and the letter: in one breath they cannot be told apart."""
    await desk.press("2")
    await typed(desk, "pay")
    assert len(headlines(desk)) == 1
    desk.app.post_message(events.Key("alt+x", "x"))
    await desk.settled()
    assert len(headlines(desk)) == 4, "escape closed the line, and the letter did nothing"
