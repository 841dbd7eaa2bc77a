"""What a stranger meets in the first hour: keys that are shown do something, lines are whole, the cursor stays put."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual import events

from memtui.core.model import Home, Layer, Status
from memtui.store import verbs
from memtui.store.project import find_own_home, make_home
from memtui.store.vault import Vault
from memtui.tui import paint
from memtui.tui.bars import Bar
from memtui.tui.row_list import Brush, Rows
from tests.tui.conftest import Desk, Written, filled, list_shown, on_home, running
from tests.tui.fake_vault import HOUR, NOON, SHOP, FakeVault, memory
from tests.tui.test_review import config, reviewing, texts

DAY = 24 * HOUR


async def test_what_was_just_said_needs_no_cursor_beside_it(vault: FakeVault) -> None:
    async with running(vault, (80, 24)) as desk:
        await desk.press("2")
        place = desk.main.pane.place()
        desk.main.say("x" * 70)
        await desk.settled()
        assert desk.lines()[-2].strip() == "x" * 70
        desk.main.say("x" * 60)
        await desk.settled()
        assert desk.lines()[-2].split() == ["x" * 60, *place.split()]


async def test_the_first_page_of_a_low_screen_has_its_three_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    async with running(FakeVault([]), (80, 24)) as desk:
        desk.main.context.greets = True
        await desk.press("2", "0")
        strip = "\n".join(desk.lines()[2:6])
        assert "/ finds anything" in strip and "? every key" in strip and "esc" in strip
        assert "no model is asked unless you set one." in strip
        assert "…" not in strip
        await desk.press("escape")
        assert "every key" not in "\n".join(desk.lines()[2:6])


async def test_a_day_of_another_year_says_which(vault: FakeVault) -> None:
    other = memory("done last year", "d.md", 1, Layer.JOURNAL, "note", created=NOON - 522 * DAY)
    this = memory("done this year", "d.md", 2, Layer.JOURNAL, "note", created=NOON - 30 * DAY)
    async with running(FakeVault([other, this]), (200, 36)) as desk:
        await desk.press("3")
        [new] = [line for line in desk.lines() if "done this year" in line][:1]
        [old] = [line for line in desk.lines() if "done last year" in line][:1]
        assert "10-22 Thu 12:00" in new and "2026" not in new.partition("done")[0]
        assert "2025-06-17 12:00" in old
        assert new.index("done") == old.index("done")


async def test_review_shows_the_keys_that_do_something(tmp_path: Path) -> None:
    async with on_home(tmp_path, config=config()) as desk:
        view = await reviewing(desk, 3)
        footer = desk.main.query_one("#footer", Bar)
        assert "A all safe" in str(view.queue.border_subtitle) and "A all safe" in footer.text
        await desk.press("x")
        await desk.press("x")
        await desk.press("x")
        assert not texts(view)
        assert not str(view.queue.border_subtitle or "")
        assert "approve" not in footer.text and "A all safe" not in footer.text


async def test_undo_in_review_stands_on_what_came_back(tmp_path: Path) -> None:
    async with on_home(tmp_path, config=config()) as desk:
        view = await reviewing(desk, 4)
        await desk.press("j")
        second = texts(view)[1]
        await desk.press("x")
        assert texts(view)[1] != second
        await desk.press("u")
        assert view.row is not None and view.row.of.text == second


async def test_a_home_that_is_only_read_says_what_to_do() -> None:
    home = Home(Path("/homes/bank"), "cline", "", "bank", current=True, writable=False)
    vault = FakeVault([memory("it builds", "progress.md", 3, Layer.KNOWLEDGE, "fact", home=home)], homes=(home,))
    async with running(vault) as desk:
        await desk.press("2")
        assert "o new" not in desk.main.query_one("#footer", Bar).text
        await desk.press("o")
        assert "“make a home” in ^p" in desk.main.said
        await desk.press("e")
        assert "Y its place" in desk.main.said
        assert isinstance(desk.main.hand.rows(), Rows)
        await desk.press("1")
        await desk.rest()
        assert "and memtui only reads" in desk.text()
        await desk.press("enter")
        assert "Make a home" in desk.text(), "the key that is named does something"


async def test_the_question_names_every_key_that_answers_it(written: Written) -> None:
    before = written.files()
    for key in ("n", "escape"):
        await written.press("2", "D")
        assert "y or ↵ delete · n or esc cancel" in written.text()
        await written.press(key)
        assert written.files() == before
    await written.press("D", "enter")
    assert written.files() != before
    await written.press("u")
    assert written.files() == before


async def test_nothing_waits_is_not_said_while_homes_are_still_compared(vault: FakeVault, desk: Desk) -> None:
    waiting, analyst = desk.main.context.waiting, desk.main.context.analyst
    # It is at work; then it rests, but what it has seen was half an index.
    waiting._whole, analyst.busy = False, True
    waiting.again()
    await desk.press("5")
    assert "comparing what is remembered …" in desk.text()
    analyst.doing = "duplicates", 1, 5
    desk.main.pane.show_analysis()
    await desk.settled()
    assert "comparing what is remembered … step 2 of 5" in desk.text()
    await desk.press("X")
    assert "Review is still being read." in desk.text() and "nothing to decide" not in desk.text()
    vault.states = {str(SHOP.path): {"building": True}}
    analyst.busy = False
    waiting.again()
    await desk.rest()
    assert "Review · …" in desk.text() and "comparing what is remembered …" in desk.text()
    assert "Nothing waits" not in desk.text()
    vault.states = {}
    waiting.again()
    await desk.rest()
    assert "Review · 0" in desk.text() and "Nothing waits to be decided." in desk.text()


async def test_again_is_offered_once_where_the_line_itself_was_changed(written: Written) -> None:
    core = written.roots[0] / "MEMORY.md"
    await written.to("缩进用空格", "1")
    await written.press("i")
    await written.type("!")
    core.write_text(core.read_text("utf-8").replace("缩进用空格", "缩进用制表符"), "utf-8")
    await written.press("enter")
    assert "again " in written.text()
    await written.press("enter")
    assert "changed meanwhile" in written.text()
    assert "again " not in written.text() and "in your editor, your text at its end" in written.text()
    await written.press("escape")
    assert "W gives it back" in written.text() and "tries again" not in written.text()


async def test_what_is_decided_later_is_tried_again_where_the_file_is_back(written: Written) -> None:
    core = written.roots[0] / "MEMORY.md"
    before = core.read_text("utf-8")
    await written.to("缩进用空格", "1")
    await written.press("i")
    await written.type("!")
    core.unlink()
    await written.press("enter")
    assert "changed meanwhile" in written.text()
    await written.press("escape")
    assert "W tries again" in written.text()
    core.write_text(before, "utf-8")
    await written.press("W")
    assert core.read_text("utf-8") == before.replace("缩进用空格", "缩进用空格!", 1) != before
    assert "not written yet" not in written.text()


@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_help_opens_by_the_keys_that_people_try(desk: Desk, key: str) -> None:
    await desk.press("slash", "f1" if key == "f1" else "escape", *([] if key == "f1" else [key]))
    assert "Compare with the disk now" in desk.text() or "Every key" in desk.text()
    assert len(desk.app.screen_stack) == 2


async def test_f5_and_delete_do_what_they_do_elsewhere(written: Written) -> None:
    await written.press("f5")
    assert written.main.said
    await written.press("2", "delete")
    assert "y or ↵ delete" in written.text()


async def test_no_sign_is_drawn_that_terminals_do_not_agree_on_how_wide_it_is() -> None:
    """A sign whose picture is asked for takes two cells or one: what stands behind it would move."""
    told = memory("Never touch ⚠️ the prod database ✅", "MEMORY.md", 1, Layer.CORE, "rule", heading=("❤️ Rules",))
    async with running(FakeVault([told])) as desk:
        await desk.press("1")
        shown = desk.text()
        assert shown.count("Never touch ⚠ the prod database ✅") == 2, "in the list and beside it"
        assert "❤ Rules" in shown and "\ufe0f" not in shown
        assert desk.main.desk.memory() == told


async def test_what_only_touches_its_neighbour_is_cut(vault: FakeVault) -> None:
    async with running(vault, (80, 24)) as desk:
        bar = desk.main.query_one("#status", Bar)
        for length in range(68, 76):
            bar.set([("x" * length, "", "")], [("1 / 17 ", "", "")])
            line = "".join(segment.text for segment in bar.render_line(0))
            assert "x1" not in line and "…1" not in line, length


async def test_boxes_that_borrow_their_rows_count_none_and_the_view_says_where_they_stand() -> None:
    known = [memory(f"Rule number {n} of the house", "MEMORY.md", n, Layer.CORE, "rule") for n in range(1, 60)]
    known.append(memory("run()", "skills/a.py", 1, Layer.KNOWLEDGE, "code", status=Status.SKILL))
    async with filled(FakeVault(known, (SHOP,))) as desk:
        assert list_shown(desk, "facts")
        title = next(line for line in desk.lines() if "Facts · L1" in line)
        assert "Facts · L1 ─" in title
        assert "no facts yet: more of what the profile says" in desk.text()
        await desk.press("2")
        assert "All that is known stands in the profile" in " ".join(desk.text().split())
        await desk.press(".")
        assert "run()" in desk.text()


async def test_the_profile_begins_with_the_person(vault: FakeVault) -> None:
    paths = ("AGENTS.md", "IDENTITY.md", "MEMORY.md", "SOUL.md", "USER.md")
    known = [memory(f"said in {path}", path, 3, Layer.CORE, "note") for path in paths]
    async with running(FakeVault(known, (SHOP,))) as desk:
        await desk.press("1")
        shown = [line for line in desk.lines() if "said in" in line]
        assert [line.partition("said in ")[2].split()[0] for line in shown][:2] == ["USER.md", "MEMORY.md"]
        assert len(shown) == 5
        files = [line.split()[1] for line in desk.lines() if ".md" in line[:24]]
        assert files[:2] == ["USER.md", "MEMORY.md"]


async def test_the_footer_of_a_box_shows_no_letters_for_they_would_be_typed(desk: Desk) -> None:
    footer = desk.main.query_one("#footer", Bar)
    assert "? help" in footer.text and "w homes" in footer.text
    await desk.press("slash", *"pytest")
    await desk.rest()
    shown = footer.text.split("  ")
    assert "f1 help" in [one.strip() for one in shown] and "^p palette" in footer.text
    assert not [one for one in map(str.strip, shown) if one and len(one.split()[0]) == 1 and one[0] != "↵"]
    await desk.press("tab")
    assert "? help" in footer.text and "w homes" in footer.text
    await desk.press("escape", "2", "f")
    await desk.rest()
    assert "f1 help" in footer.text and "w homes" not in footer.text


async def test_the_next_start_begins_with_no_day_that_was_only_looked_at(desk: Desk) -> None:
    await desk.press("3")
    before = desk.main.pane.keep()
    await desk.press("C", "k", "k")
    await desk.rest()
    assert desk.main.pane.keep()["section"] == before["section"]
    await desk.press("escape")
    assert desk.main.pane.keep()["section"] == before["section"]


async def test_without_a_home_each_empty_box_says_what_enter_does_there() -> None:
    async with filled(FakeVault([], ())) as desk:
        for view in "12345":
            await desk.press(view)
            await desk.rest()
            assert "No memory home is open. Enter makes one" in " ".join(desk.text().split()), view
            await desk.press("enter")
            assert "Make a home" in desk.text(), view
            await desk.press("n")


async def test_the_cursor_stays_with_what_is_written_and_deleted_in_the_profile(
    tmp_path: Path, written: Written
) -> None:
    (tmp_path / "memtui" / "AGENTS.md").write_text("# Agents\n\n- Ask before a release\n", "utf-8")
    written.vault.refresh()
    await written.press("1", "G")
    rows = written.rows()
    last = rows.current
    await written.press("D", "y")
    await written.rest()
    assert rows.current is not None and rows.current.id != last.id
    await written.press("u")
    await written.rest()
    assert rows.current.text == last.text
    paths = list(dict.fromkeys(item.path for item in map(rows.item, range(len(rows.items))) if item))
    assert paths.index("user/profile.md") < paths.index("MEMORY.md")


async def test_home_calls_a_project_by_its_name_where_all_are_opened_at_once() -> None:
    path = "projects/-Users-ana-work-shop-api/memory/MEMORY.md"
    rows = [memory("use uv", path, 3, Layer.CORE, "note", created=NOON, heading=("Memory",))]
    async with filled(FakeVault(rows), (120, 36)) as desk:
        await desk.rest()
        assert "shop-api/MEMORY.md:3" in desk.text()
        assert "-Users-ana" not in desk.text()


async def test_what_is_done_is_told_in_the_profile_by_a_sign_and_no_colour_alone() -> None:
    open_ = memory("ship the importer", "MEMORY.md", 3, Layer.CORE, "todo", created=NOON)
    done = memory("write the importer", "MEMORY.md", 4, Layer.CORE, "todo", created=NOON, extra={"done": True})
    gone = memory("use pip", "MEMORY.md", 5, Layer.CORE, "note", created=NOON, status=Status.SUPERSEDED)
    async with running(FakeVault([open_, done, gone]), (120, 36)) as desk:
        await desk.press("1", "full_stop")
        await desk.rest()
        for said in ("☐ ship the importer", "☑ write the importer", "◌ use pip"):
            assert said in desk.text()


async def test_a_home_that_was_made_meanwhile_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_HOME", str(tmp_path / "mine"))
    async with running(FakeVault([], ())) as desk:
        await desk.press("w")
        assert desk.main.said == "No home is open: 0 offers ways to begin."
        place = find_own_home()
        with Vault([make_home(place)], desk.main.context.config) as opened:
            verbs.make(opened, place, verbs.find_missing_skeleton(place, profile=True))
        await desk.press("1", "enter", "y")
        await desk.rest()
        assert desk.main.wish == "again"


async def test_a_question_is_as_high_as_its_words() -> None:
    async with running(FakeVault([], ()), (120, 36)) as desk:
        await desk.press("1", "enter")
        frame = desk.app.screen.query_one(".question")
        shown = [line for line in desk.lines() if "┃" in line and "memory home" not in line]
        assert "y or ↵" in "\n".join(shown)
        # The answers, and the frame's last line right below them.
        [at] = [number for number, line in enumerate(desk.lines()) if "y or ↵" in line]
        assert frame.region.bottom == at + 2


async def test_the_cursor_stays_where_something_was_deleted_whatever_its_file_has_below(tmp_path: Path) -> None:
    facts = [
        {"id": f"fact-{n:03}", "fact": f"worker {n} listens on port {8000 + n}", "status": "active",
         "timestamp": f"2026-02-{day:02}"}
        for n, day in ((1, 20), (2, 3), (3, 19), (4, 18), (5, 17))
    ]  # fmt: skip
    async with on_home(tmp_path) as desk:
        folder = tmp_path / "memtui" / "areas" / "projects" / "ports"
        folder.mkdir(parents=True)
        (folder / "facts.json").write_text(json.dumps({"facts": facts}, indent=1), "utf-8")
        desk.vault.refresh()
        await desk.to("worker 1 ", "2", "S")
        rows = desk.rows()
        at = rows.cursor
        below = rows.item(at + 1)
        assert below.text.startswith("worker 3 ")
        await desk.press("D", "y")
        await desk.rest()
        # Not worker 2, which came up in the file to where it stood.
        assert (rows.cursor, rows.current.text) == (at, below.text)


async def test_what_is_offered_is_no_mistake_before_enter(written: Written) -> None:
    await written.press("2", "s")
    assert "The old one stays, marked as replaced." in written.text()
    await written.press("enter")
    assert "This is the same text: write the new one." in written.text()


async def test_what_is_pasted_is_seen_at_its_end_in_any_width(tmp_path: Path) -> None:
    async with on_home(tmp_path, size=(80, 24)) as desk:
        await desk.press("2", "o")
        focused = desk.app.screen.focused
        assert focused is not None
        focused.post_message(events.Paste("这里很长，" * 40 + "到此为止"))
        await desk.settled()
        assert "到此为止" in desk.text()
        await desk.pilot.resize_terminal(50, 20)
        await desk.settled()
        assert "到此为止" in desk.text()


def test_a_text_goes_on_where_its_row_has_nothing_else_to_say() -> None:
    words = "the queue is read by one worker only and never by two"
    plain = memory(words, "facts.json", 3, Layer.KNOWLEDGE, "fact")
    [shown] = paint.draw_memory_row(plain, Brush(len(words) + 2))
    assert "".join(text for text, _style in shown) == f" {words} "
    [aged] = paint.draw_memory_row(
        memory(words, "facts.json", 3, Layer.KNOWLEDGE, "fact", created=NOON), Brush(len(words) + 2)
    )
    assert "…" in "".join(text for text, _style in aged)


def test_a_sections_name_takes_what_a_short_text_leaves() -> None:
    def drawn(text: str) -> str:
        named = ("Me", "Communication style")
        entry = memory(text, "user/profile.md", 3, Layer.PROFILE, "pref", heading=named)
        [pieces] = paint.draw_entry_row(entry, Brush(56))
        return "".join(piece for piece, _style in pieces)

    assert drawn("keep it short").startswith(" Communication style  keep it short")
    assert drawn("keep it short, and say first what it is all about").startswith(" Communicatio")
    assert "Communication style" not in drawn("keep it short, and say first what it is all about")
