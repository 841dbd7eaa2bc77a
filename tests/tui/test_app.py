"""What a person sees and does: every view, every key, at every size."""

from __future__ import annotations

import ast
from operator import attrgetter
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.events import MouseMove
from textual.widgets import Input

from memtui.core.config import Config, UiConfig
from memtui.core.model import Layer, Problem, Status
from memtui.tui import actions
from memtui.tui.handlers import ScreenDesk
from memtui.tui.panes import PANES
from memtui.tui.panes.layer_view import LayerView
from memtui.tui.panes.pane import LEAST
from memtui.tui.row_list import Rows
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import HOUR, NOON, FakeVault, memory, shop


def layer_view(desk: Desk) -> LayerView:
    assert isinstance(desk.main.pane, LayerView)
    return desk.main.pane


async def test_home_shows_four_live_panes(vault: FakeVault) -> None:
    async with running(vault) as desk:
        text = desk.text()
    for words in ("Profile · L0", "Facts · L1", "Timeline · L2", "Evolution", "偏好 pytest", "实现用户认证模块"):
        assert words in text
    assert "7 / 200 lines" in text
    assert "9 active · 2 superseded · 1 archived" in text
    assert "● live" in text


async def test_a_number_shows_its_view(desk: Desk) -> None:
    for key, words in (
        ("1", "Profile · All"),
        ("2", "Facts · All · 9"),
        ("3", "Timeline · Sessions · 4"),
        ("4", "Evolution · Signals"),
        ("6", "Parse errors"),
        ("slash", "Type to search every home"),
    ):
        await desk.press(key)
        assert words in desk.text()
        await desk.press("escape", "escape")
        assert "Facts · L1" in desk.text(), key


async def test_what_actions_call_is_there(vault: FakeVault) -> None:
    """They know their desk by its names only."""
    tree = ast.parse(Path(actions.__file__).read_text("utf-8"))
    called = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    paths = {path.removeprefix("desk.") for path in called if path.startswith("desk.") and "(" not in path}
    assert len(paths) > 40
    async with running(vault) as desk:
        screen_desk = ScreenDesk(desk.main)
        for path in paths:
            attrgetter(path)(screen_desk)


async def test_views_in_a_circle(desk: Desk) -> None:
    seen = []
    for _ in PANES:
        seen.append(desk.main.view)
        await desk.press("escape" if desk.main.view == "search" else "right_square_bracket")
    assert seen[:6] == ["home", "profile", "facts", "timeline", "evolution", "review"]
    await desk.press("2", "left_square_bracket")
    assert desk.main.view == "profile"


async def test_every_view_fits_every_size(vault: FakeVault) -> None:
    async with running(vault, (8, 4)) as desk:
        for size in ((8, 4), (20, 6), (40, 12), (59, 24), (60, 20), (80, 24), (120, 36), (200, 50)):
            await desk.pilot.resize_terminal(*size)
            for key in "01234560":
                await desk.press(key)
                lines = desk.lines()
                assert len(lines) == size[1]
                assert {cell_len(line) for line in lines} == {size[0]}, (size, key)


async def test_resizing_keeps_the_place(desk: Desk) -> None:
    await desk.press("2", "j", "j")
    held = layer_view(desk).middle.held
    for size in ((80, 24), (59, 20), (200, 50), (120, 36)):
        await desk.pilot.resize_terminal(*size)
        await desk.settled()
        assert layer_view(desk).middle.held == held
        assert "选择 RS256" in desk.text()


async def test_tiny_shows_the_list_and_enter_the_text(vault: FakeVault) -> None:
    async with running(vault, (59, 24)) as desk:
        await desk.press("2")
        assert "confidence" not in desk.text()
        await desk.press("enter")
        assert "confidence" in desk.text()
        assert "禁止在 DAO" not in desk.text()
        await desk.press("escape")
        assert "禁止在 DAO" in desk.text()


async def test_motions(desk: Desk) -> None:
    await desk.press("2")
    rows = layer_view(desk).middle
    for key, place in [
        ("j", 1),
        ("down", 2),
        ("k", 1),
        ("G", 8),
        ("j", 8),
        ("g", 0),
        ("up", 0),
        ("end", 8),
        ("home", 0),
        ("pagedown", 8),
        ("pageup", 0),
        ("ctrl+d", 8),
        ("ctrl+u", 0),
    ]:
        await desk.press(key)
        assert rows.cursor == place, key
    assert "1 / 9" in desk.text()


async def test_the_text_follows_the_cursor_and_scrolls_from_the_list(vault: FakeVault) -> None:
    async with running(vault, (120, 14)) as desk:
        await desk.press("2", "j", "j", "j")
        detail = layer_view(desk).detail()
        assert detail is not None
        assert detail.memory is not None
        assert detail.memory.key == "fact-004"
        assert "#network" in desk.text() or detail.max_scroll_y > 0
        await desk.press("J")
        assert detail.scroll_offset.y > 0
        await desk.press("K")
        assert detail.scroll_offset.y == 0
        assert layer_view(desk).middle.has_focus


async def test_sections_narrow_the_list_and_fold(desk: Desk) -> None:
    await desk.press("2", "h")
    rows = desk.main.pane.rows()
    assert rows is not None
    assert rows.id == "sections"
    await desk.press("j")
    assert "▾ Kinds" in desk.text()
    await desk.press("h")
    assert "▸ Kinds" in desk.text()
    await desk.press("l", "j", "j")
    assert "Facts · rule · 2" in desk.text()
    assert "WebSocket" not in desk.text()
    await desk.press("enter")
    assert layer_view(desk).middle.has_focus


async def test_superseded_is_one_section_away_and_shows_its_chain(desk: Desk) -> None:
    await desk.press("2")
    assert "→ fact-041" not in desk.text()
    await desk.press("full_stop")
    assert "→ fact-041" in desk.text()
    view = layer_view(desk)
    await desk.press("g")
    while not (current := view.memory()) or current.superseded_by != "fact-041":
        await desk.press("j")
    assert "replaced by fact-041" in desk.text()
    await desk.press("greater_than_sign")
    assert (now := view.memory()) is not None
    assert now.key == "fact-041"
    await desk.press("less_than_sign")
    assert (now := view.memory()) is not None
    assert now.superseded_by == "fact-041"
    await desk.press("G")
    assert "gone-7, which is nowhere" in " ".join(desk.text().split()) or "gone-7" in desk.text()


async def test_the_filter_narrows_as_one_types_and_escape_shows_all(desk: Desk) -> None:
    await desk.press("2", "f", *"sql")
    rows = layer_view(desk).middle
    assert len(rows.items) == 1
    assert "禁止在 DAO" in desk.text()
    await desk.press("enter")
    assert rows.has_focus
    assert "filter sql" in desk.text()
    await desk.press("escape")
    assert len(rows.items) == 9
    await desk.press("f", *"kind:rule")
    assert len(rows.items) == 2
    await desk.press("escape")
    assert len(rows.items) == 9


async def test_a_filter_that_matches_nothing_says_so(desk: Desk) -> None:
    await desk.press("2", "f", *"zzzzq")
    assert "nothing here matches 'zzzzq'" in desk.text()


async def test_sort_orders(desk: Desk) -> None:
    await desk.press("2", "S", "S")
    assert "order: confidence" in desk.text()
    known = [item for i in range(9) if (item := layer_view(desk).middle.item(i))]
    values = [item.confidence for item in known]
    assert values == sorted(values, reverse=True)


async def test_search_as_you_type_with_preview_and_reasons(desk: Desk) -> None:
    await desk.press("slash", *"rs256")
    text = desk.text()
    assert "Search · 2 · words" in text
    assert "facts.json:4" in text
    assert "▸ ███▋ · rs256" in text
    await desk.press("down", "enter")
    assert "esc close" in desk.text()
    await desk.press("escape")
    assert desk.main.focused is not None
    assert desk.main.focused.id == "box"


async def test_search_counts_what_it_hides_and_never_lies(desk: Desk) -> None:
    await desk.press("slash", *"localstorage")
    assert "Hidden: 1 superseded" in desk.text()
    desk.main.do("filter.hidden")
    await desk.settled()
    assert "Search · 1" in desk.text()
    await desk.press(*"zz")
    assert "Nothing matches, in 2 homes." in desk.text()


async def test_an_index_in_the_making_is_said(vault: FakeVault) -> None:
    vault.building = True
    vault.memories_ = []
    async with running(vault) as desk:
        assert "indexing 824 / 2,568" in desk.text()
        await desk.press("2")
        assert "indexing 824 / 2,568" in desk.text()


async def test_empty_homes_are_said_kindly() -> None:
    async with running(FakeVault([], homes=())) as desk:
        assert "no homes found" in desk.text()
        assert "What they did, day by day" in desk.text()
        await desk.press("2")
        assert "No memory home is open. Enter makes one" in " ".join(desk.text().split())
        await desk.press("6")
        assert "No home is open: 0 offers ways to begin." in desk.text()
        await desk.press("e")
        assert "There is no memory under the cursor." in desk.text()


async def test_health_says_what_was_not_understood(vault: FakeVault) -> None:
    vault.problems = (Problem("broken.json", 17, "expected a comma"),)
    vault.files["/homes/shop", "broken.json"] = "{\n" * 30
    async with running(vault) as desk:
        assert "✗ 1" in desk.lines()[0]
        await desk.press("6", "j", "j")
        assert "broken.json:17" in desk.text()
        assert "The rest of the home is shown" in desk.text()
        await desk.press("enter")
        assert "30 lines" in desk.text()


async def test_a_session_opens_to_its_turns_with_find(desk: Desk) -> None:
    await desk.press("3", "enter")
    text = desk.text()
    assert "5 steps · 1 broken line" in text
    assert "登录页在 Safari" in text
    await desk.press("slash", *"port", "enter")
    assert desk.app.screen.query_one("#turns", Rows).cursor == 4
    await desk.press("escape")
    assert desk.app.screen is desk.main


async def test_enter_shows_the_whole_file_at_its_line_with_find(desk: Desk) -> None:
    await desk.press("2", "j", "enter")
    area = desk.app.screen.query_one("#text")
    assert area.cursor_location == (2, 0)  # type: ignore[attr-defined]
    await desk.press("slash", *"react", "enter")
    assert area.cursor_location[0] == 7  # type: ignore[attr-defined]
    await desk.press("g")
    assert area.cursor_location == (0, 0)  # type: ignore[attr-defined]
    await desk.press("q")
    assert desk.app.screen is desk.main


async def test_the_cursor_stays_on_its_memory_when_others_appear(vault: FakeVault, desk: Desk) -> None:
    await desk.press("2", "j", "j", "j")
    held = layer_view(desk).middle.held
    new = [memory(f"new {n}", "new.md", n, Layer.KNOWLEDGE, "fact", created=NOON + n * HOUR) for n in range(1, 60)]
    vault.change([*new, *shop()])
    await desk.settled()
    rows = layer_view(desk).middle
    assert rows.held == held
    assert rows.cursor == 62
    assert "WebSocket" in desk.text()
    assert "shop: +59 memories" in desk.text()
    await desk.press("0", "2")
    assert layer_view(desk).middle.held == held


async def test_a_view_left_behind_is_right_when_it_is_shown_again(vault: FakeVault, desk: Desk) -> None:
    await desk.press("2", "1")
    vault.change([item for item in shop() if item.kind != "rule"])
    await desk.settled()
    await desk.press("2")
    assert "Facts · All · 7" in desk.text()


async def test_homes_can_be_chosen(desk: Desk) -> None:
    await desk.press("w")
    assert "☑ ~/.claude/memory" in desk.text()
    await desk.press("j", "space", "enter")
    assert "1 of 2" in desk.text()
    assert "偏好 pytest" not in desk.text()
    assert "commit message" in desk.text()


async def test_rebuild_asks_first(vault: FakeVault, desk: Desk) -> None:
    await desk.press("R")
    assert "No memory is touched" in " ".join(desk.text().split())
    await desk.press("n")
    assert vault.rebuilt == 0
    await desk.press("R", "y")
    assert vault.rebuilt == 1


async def test_copy_reaches_the_clipboard(desk: Desk) -> None:
    await desk.press("2", "y")
    assert desk.app.clipboard == "测试文件必须放在 tests/ 目录下"
    await desk.press("Y")
    assert desk.app.clipboard == "/homes/shop/areas/projects/shop/facts.json:2"


async def test_help_lists_every_action_and_does_the_one_chosen(vault: FakeVault) -> None:
    async with running(vault, (120, 170)) as desk:
        await desk.press("question_mark")
        text = desk.text()
        assert text.index("  Here") < text.index("  Views") < text.index("  Move")
        for words in ("Search everything, as you type", "Choose which homes are shown", "^d", "Every key"):
            assert words in text
        while "Facts" not in str(desk.app.screen.query_one(Rows).current):
            await desk.press("j")
        await desk.press("enter")
        assert desk.main.view == "facts"


async def test_zoom_gives_a_pane_the_screen(desk: Desk) -> None:
    await desk.press("tab", "z")
    assert "Facts · L1" in desk.text()
    assert "Profile · L0" not in desk.text()
    await desk.press("escape")
    assert "Profile · L0" in desk.text()


async def test_the_mouse(desk: Desk) -> None:
    header = desk.lines()[1]
    await desk.pilot.click("#tabs", offset=(header.index("2 Facts"), 0))
    await desk.settled()
    assert desk.main.view == "facts"
    rows = layer_view(desk).middle
    await desk.pilot.click("#list", offset=(10, 3))
    await desk.settled()
    assert rows.cursor == 2
    await desk.pilot.click("#list", offset=(10, 4), times=2)
    await desk.settled()
    assert "esc close" in desk.text()


async def test_the_line_between_list_and_text_can_be_dragged(desk: Desk) -> None:
    await desk.press("2")
    view = layer_view(desk)
    detail, middle = view.query_one("#detail"), view.middle
    edge, right = detail.region.x, detail.region.right

    async def drag(x: int) -> None:
        """Move with the button down."""
        await desk.pilot._post_mouse_events([MouseMove], offset=(x, 8), button=1)

    await desk.pilot.mouse_down(offset=(edge, 8))
    await drag(edge - 12)
    await desk.pilot.mouse_up(offset=(edge - 12, 8))
    await desk.settled()
    assert abs(detail.region.x - (edge - 12)) <= 1 and detail.region.right == right
    assert middle.region.right == detail.region.x
    # Neither side can be dragged away, and the other views have the same share.
    await desk.pilot.mouse_down(offset=(detail.region.x - 1, 8))
    await drag(right + 2 if right + 2 < 120 else right - 1)
    await desk.pilot.mouse_up(offset=(right - 1, 8))
    await desk.settled()
    assert detail.region.width >= LEAST
    width = detail.region.width
    # Let go, the mouse moves nothing any more.
    await desk.pilot.hover(offset=(edge, 8))
    assert detail.region.width == width
    await desk.press("3")
    assert abs(desk.main.query_one("TimelineView #detail").region.width - width) <= 1
    # Let go where nobody heard of it, or in another view, it holds the mouse no longer.
    timeline = desk.main.query_one("TimelineView #detail")
    await desk.pilot.mouse_down(offset=(timeline.region.x, 8))
    await desk.pilot.hover(offset=(timeline.region.x - 9, 8))
    assert timeline.region.width == width and desk.app.mouse_captured is None
    await desk.pilot.mouse_down(offset=(timeline.region.x, 8))
    await desk.press("2")
    assert desk.app.mouse_captured is None


async def test_nothing_blocks_a_key_while_the_vault_is_slow(vault: FakeVault, desk: Desk) -> None:
    await desk.press("2")
    vault.gate.clear()
    for key in ("j", "j", "3", "1", "6", "slash", "a", "b", "escape", "2", "j"):
        await desk.pilot.press(key)
    await desk.pilot.pause()
    assert desk.main.view == "facts"
    assert layer_view(desk).middle.cursor == 3
    vault.gate.set()
    await desk.settled()
    assert "Facts · All · 9" in desk.text()


async def test_a_slow_vault_does_not_hold_up_the_first_frame(vault: FakeVault) -> None:
    vault.gate.clear()
    from tests.tui.conftest import app_on

    app = app_on(vault)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert app.main.view == "home"
        vault.gate.set()


async def test_typing_fast_asks_the_newest_question_only(vault: FakeVault, desk: Desk) -> None:
    await desk.press("slash")
    vault.gate.clear()
    for key in "websocket":
        await desk.pilot.press(key)
    vault.gate.set()
    await desk.settled()
    assert vault.queries[-1] == "websocket"
    assert len(vault.queries) <= 5
    assert "Search · 1" in desk.text()


async def test_start_view_and_preview_come_from_the_config(vault: FakeVault) -> None:
    config = Config(ui=UiConfig(start="timeline", preview=False))
    async with running(vault, config=config) as desk:
        assert desk.main.view == "timeline"
        assert "── fields" not in desk.text()


async def test_keys_of_ones_own(vault: FakeVault) -> None:
    config = Config(keymap={"search.open": "F", "nonsense": "x", "app.quit": "j"})
    async with running(vault, config=config) as desk:
        notices = [str(notice.message) for notice in desk.app._notifications]
        assert any("nonsense" in notice for notice in notices)
        assert any("list.down" in notice for notice in notices)
        assert "F search" in desk.text()
        await desk.press("F")
        assert desk.main.view == "search"


async def test_every_theme_draws(vault: FakeVault) -> None:
    async with running(vault, theme="nope") as desk:
        assert desk.app.theme == "memtui-dark"
    async with running(vault, theme="ansi-dark") as desk:
        assert desk.app.theme == "ansi-dark"
        for theme in ("ansi-dark", "memtui-dark", "memtui-light", "ansi-light", "textual-dark"):
            desk.app.theme = theme
            await desk.press(*"0236")
            assert "Versions" in desk.text(), theme


async def test_no_color_uses_none(vault: FakeVault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(vault) as desk:
        await desk.press("2")
        assert desk.app.no_color
        assert desk.app.native_ansi_color
        assert "▌" in desk.text()


async def test_themes_are_previewed_and_put_back(desk: Desk) -> None:
    desk.main.do("app.theme")
    await desk.settled()
    await desk.press("j")
    assert desk.app.theme == "memtui-light"
    await desk.press("escape")
    assert desk.app.theme == "memtui-dark"
    desk.main.do("app.theme")
    await desk.settled()
    await desk.press("j", "enter")
    assert desk.app.theme == "memtui-light"


async def test_the_palette_finds_actions_and_memories(vault: FakeVault, desk: Desk) -> None:
    await desk.press("ctrl+p", *"localst")
    await desk.app.workers.wait_for_complete()
    await desk.press("escape", "escape")
    assert "localst" in vault.queries


async def test_nothing_moves_by_itself(desk: Desk) -> None:
    """Whatever asks for less motion has it: no animation, and no cursor that blinks."""
    assert desk.app.animation_level == "none"
    for keys in ("slash", "escape 2 f", "escape ctrl+p"):
        await desk.press(*keys.split())
        boxes = desk.app.screen.query(Input)
        assert boxes
        assert not any(box.cursor_blink for box in boxes), keys


async def test_expiring_memories_say_when(desk: Desk) -> None:
    await desk.press("2")
    assert "expires 1d" in desk.text()
    assert all(item.status is not Status.SUPERSEDED for i in range(9) if (item := layer_view(desk).middle.item(i)))


async def test_twenty_thousand_rows_cost_one_screen(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(f"fact {n}", "big.jsonl", n, Layer.KNOWLEDGE, "fact", created=NOON - n) for n in range(1, 20_001)
    ]
    async with running(vault) as desk:
        await desk.press("2")
        rows = layer_view(desk).middle
        assert len(rows.items) == 20_000
        assert len(rows._known) < 200
        await desk.press("G")
        assert "fact 20000" in desk.text()
        await desk.press("ctrl+u", "pageup", "g")
        assert "fact 1 " in desk.text()
        assert len(rows._known) < 1000


async def test_what_fits_without_a_scrollbar_has_none_whatever_was_read_before(vault: FakeVault) -> None:
    async with running(vault) as desk:
        await desk.press("2")
        detail = desk.main.pane.detail()
        assert detail is not None
        width, height = detail.content_region.size

        def compose(cells: int) -> list[list[tuple[str, str]]]:
            """As many lines as there are, one more where it is narrow."""
            return [[(str(number), "")] for number in range(height + (cells < width))]

        bars = []
        for lines in (lambda _cells: [[("line", "")]] * 3 * height, compose):
            detail.show(lines)
            await desk.settled()
            bars.append(detail.show_vertical_scrollbar)
        assert bars == [True, False]
        assert len(detail._lines) == height
