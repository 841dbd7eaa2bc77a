"""What Search says to what people type in it: words, filters alone, slips, ids, and what is not searched."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from textual import events
from textual.widgets import Input

from memtui.core.model import Filter, Hit, Layer, Results
from memtui.search import inline
from memtui.tui import draw, paint
from memtui.tui.panes.search_pane import SearchView
from memtui.tui.row_list import Brush
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import NOON, FakeVault, memory


async def search(desk: Desk, text: str) -> SearchView:
    if desk.main.view != "search":
        await desk.press("slash")
    pane = desk.main.pane
    assert isinstance(pane, SearchView)
    pane.box.value = text
    await desk.settled()
    return pane


def status(desk: Desk) -> str:
    return desk.lines()[-2]


async def test_filters_alone_are_a_list_newest_first(vault: FakeVault, desk: Desk) -> None:
    pane = await search(desk, "kind:fact")
    assert "Search · 6 · newest first" in desk.text()
    times = [hit.time or 0 for hit in pane.results]
    assert times == sorted(times, reverse=True)
    assert "WebSocket 需要心跳保活" in desk.text()
    assert vault.queries == []
    await search(desk, "kind:fact status:archived")
    assert "订单导出限流" in desk.text()
    await search(desk, "kind:event since:1h")
    assert "No memory passes these filters." in desk.text()


async def test_what_was_not_understood_is_said_as_long_as_it_stands_there(vault: FakeVault) -> None:
    vault.memories_.append(memory("-token home:nosuch 文件", "x.md", 1, Layer.KNOWLEDGE, "note", created=NOON))
    async with running(vault) as desk:
        for text, told in (
            ("sinec:7d retry", "There is no filter 'sinec': did you mean since:?"),
            ("home:nosuch 文件", "'home:nosuch': no open home has that in its name"),
            ("since:banana token", "'since:banana' is no time"),
            ("kind:fcat token", "Did you mean fact?"),
            ("-token", "by itself it is looked for"),
        ):
            await search(desk, text)
            assert told in " ".join(desk.text().split())
            await search(desk, "websocket")
            assert told not in " ".join(desk.text().split())


@pytest.mark.parametrize("text", ["http://localhost:3000", "std::vector", "note: this", "time:12:30", "kind:rule x"])
def test_a_colon_is_not_always_a_slip(text: str) -> None:
    assert not inline.parse_inline_filters(text, Filter(), ()).wrong


async def test_a_status_that_is_typed_hides_nothing_that_a_key_would_show(desk: Desk) -> None:
    await search(desk, "status:superseded token")
    assert "hidden" not in status(desk)
    await search(desk, "status:superseded websocket")
    text = " ".join(desk.text().split())
    assert "Others match: 1 active" in text
    assert ". or" not in text
    await search(desk, "token")
    assert "hidden: 1 superseded (. shows them)" in status(desk)


async def test_little_found_says_what_of_conversations_is_searched(vault: FakeVault) -> None:
    told = "Of conversations, only titles and first prompts are searched; `memtui traces` finds more."
    async with running(vault) as desk:
        await search(desk, "websocket")
        assert told not in status(desk)
    vault.memories_.append(memory("hello", "projects/x.jsonl", 1, Layer.SESSION, "session", created=NOON))
    async with running(vault) as desk:
        await search(desk, "websocket")
        assert told in status(desk)
        await search(desk, "websocket kind:fact")
        assert told not in status(desk)


async def test_typing_takes_the_place_of_the_former_question(desk: Desk) -> None:
    pane = await search(desk, "支付")
    await desk.press("escape", "slash", "a")
    assert pane.box.value == "a"
    await desk.press("escape", "slash", "right", "b")
    assert pane.box.value == "ab"


async def test_filters_are_offered_while_they_are_typed(desk: Desk) -> None:
    pane = await search(desk, "")
    await desk.press("k", "i")
    assert "kind:" in desk.text()
    assert pane.box.value == "ki"
    await desk.press("right")
    assert pane.box.value == "kind:"
    await desk.press("p", "r", "e", "right")
    await desk.settled()
    assert pane.box.value == "kind:pref"
    assert "newest first" in desk.text()
    await desk.press("left", "right", "x")
    assert pane.box.value == "kind:prefx"


async def test_lines_of_a_document_are_folded_into_its_best(vault: FakeVault) -> None:
    """One row a document; `l` shows its other lines and `h` folds them, with the cursor on the best."""
    core, day = Layer.CORE, Layer.JOURNAL
    made = [memory(f"osprey {number} at the pier", "MEMORY.md", number, core, "fact") for number in (3, 5, 9)]
    made += [memory(f"osprey of day {number}", f"daily/{number}.md", 1, day, "note") for number in range(4)]
    made += [memory(f"osprey deed {number}", "facts.json", number, core, "fact") for number in (1, 2)]
    vault.change(made)
    async with running(vault) as desk:
        pane = await search(desk, "osprey")
        rows = pane.rows()
        assert rows is not None
        assert "Search · 9 in 7 documents" in desk.text()
        assert [hit.snippet for hit in rows.items] == [made[0].text, *(one.text for one in made[3:])]
        assert "+2 lines" in desk.text()
        assert "▸" in desk.text()
        assert "osprey 5 at the pier" not in desk.text()
        await desk.press("tab", "l")
        assert [hit.start_line for hit in rows.items[:4]] == [3, 5, 9, 1]
        assert rows.current.start_line == 3
        assert pane.place() == "1 / 9"
        assert "▾" in desk.text()
        assert "+2 lines" not in desk.text()
        await desk.press("down", "down")
        await desk.settled()
        found = pane.memory()
        assert found is not None
        assert found.start == 9
        # An answer to the same question leaves it as it is, a letter more folds it.
        vault.change([*made, memory("osprey, the last", "last.md", 1, core, "fact")])
        await desk.settled()
        assert (rows.current.start_line, len(rows.items)) == (9, 10)
        await desk.press("left")
        assert (rows.current.start_line, len(rows.items)) == (3, 8)
        # Of few documents nothing is folded.
        await search(desk, "osprey pier")
        assert [hit.start_line for hit in rows.items] == [3, 5, 9]
        assert "Search · 3 in 1 document ·" in desk.text()


async def test_what_was_meant_is_taken_with_enter(vault: FakeVault) -> None:
    class Corrected(FakeVault):
        """As the real one: nothing for a slip, but what was meant."""

        def find(self, query: str, *args: Any, **named: Any) -> Results:
            found = super().find(query, *args, **named)
            if query == "websokcet":
                found.suggestion = "websocket"
            if query == "webscket":
                found = Results(super().find("websocket", *args, **named))
                found.total, found.suggestion = len(found), "websocket"
            return found

    async with running(Corrected(vault.memories_)) as desk:
        pane = await search(desk, "kind:fact websokcet")
        assert "Did you mean websocket?" in " ".join(desk.text().split())
        await desk.press("enter")
        await desk.settled()
        assert pane.box.value == "kind:fact websocket"
        assert "WebSocket 需要心跳保活" in desk.text()
        assert "Did you mean" not in desk.text()
        # What is near in meaning stands there: enter opens that.
        pane.box.value = ""
        pane.box.focus()
        await search(desk, "webscket")
        assert "did you mean websocket? → takes it" in desk.text()
        await desk.press("end", "left", "right")
        assert pane.box.value == "webscket"
        await desk.press("right")
        await desk.settled()
        assert pane.box.value == "websocket"
        assert "did you mean" not in desk.text()


async def test_pasted_lines_become_one(desk: Desk) -> None:
    pane = await search(desk, "")
    pane.box.post_message(events.Paste("TimeoutError:\n  port 9222\r\nnot ready\n"))
    await desk.settled()
    assert pane.box.value == "TimeoutError: port 9222 not ready"


async def test_a_hit_says_its_home_where_there_are_several(desk: Desk) -> None:
    await search(desk, "commit")
    assert "~/.claude/memory  user/shortcuts.md:2" in desk.text()
    await search(desk, "commit home:claude")
    assert "user/shortcuts.md:2" in desk.text()
    desk.main.context.choose(homes=["/homes/claude/memory"])
    await search(desk, "commit ")
    assert "~/.claude/memory  user/shortcuts.md:2" not in desk.text()


def hit(text: str, word: str, **more: object) -> Hit:
    at = text.index(word)
    made = Hit("/h", "daily/2026.md", 3, 3, 0.5, text, Layer.JOURNAL, "fact", word, marks=((at, at + len(word)),))
    return made._replace(**more)  # type: ignore[arg-type]


@pytest.mark.parametrize("width", [30, 60, 80, 120, 200])
@pytest.mark.parametrize("filler", ["word " * 40, "很长的一行中文" * 14])
def test_a_row_shows_its_match(width: int, filler: str) -> None:
    first, second = paint.draw_hit(hit(f"- {filler}needle{filler}"[:240], "needle"), Brush(width), "shop")
    assert ("needle", "mark") in first
    for line in (first, second):
        assert sum(cell_len(text) for text, _style in line) == width


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("- 2026-02-26T01:01:00Z [fact] the needle", "the needle"),
        ("- 2026-02-26T01:01:00Z [needle] a thing", "[needle] a thing"),
        ("- [x] **Label**: a `needle` here", "Label: a needle here"),
        ("description: only the needle", "only the needle"),
        ("needle: `a**b`", "needle: ab"),
        ("| 17:18 | the `needle` | wait |", "17:18 · the needle · wait"),
        ("    call(needle)", "call(needle)"),
        ("- plan: [the needle](archive/needle.md)", "plan: the needle"),
        ("- plan: [words](archive/needle/)", "plan: [words](archive/needle/)"),
        ("- the needle goes by date <!-- trigger: thread -->", "the needle goes by date"),
        ("- by date <!-- trigger: needle -->", "by date <!-- trigger: needle -->"),
        ("- the needle is done #shop (source=c3b84b88-60d6)", "the needle is done #shop"),
        ("**", "**"),
    ],
)
def test_a_row_is_as_clean_as_in_other_lists(text: str, shown: str) -> None:
    found = hit(text, "needle") if "needle" in text else hit(text, "*", marks=())
    first, _second = paint.draw_hit(found, Brush(120))
    line = "".join(piece for piece, _style in first)
    assert line[2:].startswith(f"{shown}  ") or line[1:].startswith(f"{shown}  ")
    if "needle" in text:
        assert ("needle", "mark") in first


def told(found: Hit, width: int) -> list[str]:
    rows = paint.draw_hit(found, Brush(width), "a home with a long name")
    assert {draw.count_cells(row) for row in rows} == {width}
    return ["".join(text for text, _style in row) for row in rows]


@pytest.mark.parametrize("width", [40, 60, 90])
def test_strength_is_a_bar_and_more_lines_of_a_memory_are_counted(width: int) -> None:
    found = hit("- cache at five", "cache")._replace(score=0.75)
    first, second = told(found, width)
    assert first.endswith(" ███  ") and not any(map(str.isdigit, first))
    assert "line" not in second
    assert " +3 lines" in told(found._replace(others=3), width)[1]
    assert " +1 line " in told(found._replace(others=1), width)[1]


async def test_letters_right_behind_an_editing_key_do_not_overtake_it(desk: Desk) -> None:
    await desk.press("slash")
    for key in ("o", "l", "d", "ctrl+u", "n", "e", "e", "backspace", "w"):
        desk.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await desk.settled()
    assert desk.main.query_one("#box", Input).value == "new"
