"""The strip over Home: what is new, what to decide, one warning; the first minute, and the demo's story."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, cast

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color

from memtui.core.config import Config
from memtui.core.model import Home, HomeOrigin, Layer, Problem
from memtui.store.candidates import Candidate, CandidateSource, Queue
from memtui.team.membership import Membership
from memtui.tui import bars, draw, paint, today
from memtui.tui.bars import STORY, Tour
from memtui.tui.row_list import Brush, Fixed, Rows
from memtui.tui.today import TodayGoal, fold_today, load_looks, store_looks
from tests.tui.conftest import Desk, fill_boxes, filled, running
from tests.tui.fake_vault import NOON, NOTES, SHOP, FakeVault, memory, shop
from tests.tui.learnt import learnt

CODEX = Home(NOTES.path.parent / "codex", "codex", "there", "codex")
CLAUDE = Home(NOTES.path.parent / "claude", "claude", "there", "claude")


def waiting(origin: str, text: str, path: str = "daily/2026-11-20.md") -> Candidate:
    return Candidate(
        f"id-{origin}-{text}", cast("Any", origin), str(SHOP.path), text, "fact", Layer.CORE,
        None, 0.9,
        sources=(CandidateSource(str(SHOP.path), path, 7),),
    )  # fmt: skip


def strip(desk: Desk) -> list[str]:
    rows = desk.main.query_one("#home-today", Rows)
    return ["".join(text for text, _style in (*row.left, *row.right)).strip() for row in rows.items]


def told(vault: FakeVault) -> FakeVault:
    vault.queue = Queue(
        [
            waiting("contradiction", "Redis has 1000 clients"),
            waiting("secret", "token abcd", "notes/keys.md"),
            waiting("distilled", "Answers are short"),
            waiting("distilled", "Tests run first"),
        ], [], [],
    )  # fmt: skip
    return vault


async def test_the_strip_says_what_is_new_what_to_decide_and_what_is_wrong(vault: FakeVault) -> None:
    today_ = memory("use RS256", "MEMORY.md", 9, Layer.CORE, "decision", created=NOON - 3600)
    old = memory("use HS256", "MEMORY.md", 8, Layer.CORE, "decision", created=NOON - 40 * 86400)
    chat = memory("went for lunch", "daily/2026-11-20.md", 3, Layer.JOURNAL, "note", created=NOON - 60)
    vault.memories_ = [today_, old, chat]
    vault.problems = (Problem("broken.json", 3, "no JSON"),)
    async with filled(told(vault), (120, 48), faulty=True) as desk:
        rows = strip(desk)
        assert rows[0].startswith("learned   1 this week")
        assert "use RS256" in rows[0]
        decided = [row for row in rows if row.endswith("5") and "secret" not in row]
        assert [re.sub(r"\s+", " ", row) for row in decided] == [
            "decide XB conflict: Redis has 1000 clients 3 of 4 5",
            "XB journal: Answers are short 5",
            "XB journal: Tests run first 5",
        ]
        assert rows[-1].startswith("warning   ⚠ a secret stands in plain text in notes/keys.md:7")
        # By keyboard to what it tells of.
        await desk.press("0", "j", "j", "enter")
        assert desk.main.view == "review"
        assert desk.main.context.waiting.wanted in {"", "id-distilled-Answers are short"}


async def test_what_is_counted_as_learned_is_what_its_row_opens(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("use RS256", "MEMORY.md", 9, Layer.CORE, "decision", created=NOON - 3600),
        memory("went for lunch", "daily/2026-11-20.md", 3, Layer.JOURNAL, "note", created=NOON - 60),
        memory("use HS256", "MEMORY.md", 8, Layer.CORE, "decision", created=NOON - 40 * 86400),
    ]
    async with filled(vault, (120, 48)) as desk:
        assert strip(desk)[0].startswith("learned   1 this week")
        await desk.press("0", "enter")
        assert desk.main.view == "search"
        assert "Search · 1 · newest first" in desk.text() and "lunch" not in desk.text()
        # Asked otherwise, it is a search like any other.
        await desk.press("end", *",fact")
        assert "Search · 2 · newest first" in desk.text()


async def test_nothing_is_claimed_before_it_is_known(vault: FakeVault) -> None:
    vault.building = True
    async with running(vault) as desk:
        assert strip(desk) and all("0" not in row for row in strip(desk))
        assert "learned   …" in strip(desk)[0]


async def test_an_index_that_is_being_made_is_no_warning(vault: FakeVault) -> None:
    vault.states = {str(SHOP.path): {"warning": "there is no index yet", "building": True}}
    async with running(vault) as desk:
        assert not any("no index yet" in row for row in strip(desk))
    vault.states = {str(SHOP.path): {"warning": "there is no index yet"}}
    async with running(vault) as desk:
        assert any("no index yet" in row for row in strip(desk))


@pytest.mark.parametrize(("size", "most"), [((80, 24), 3), ((120, 36), 6), ((200, 50), 8), ((50, 24), 1)])
async def test_the_strip_is_small_and_folds(vault: FakeVault, size: tuple[int, int], most: int) -> None:
    async with filled(told(vault), size) as desk:
        shown = desk.main.query_one("#home-today", Rows)
        assert shown.outer_size.height <= most
        await desk.press("0", "h")
        assert (shown.outer_size.height, len(shown.items)) == (1, 1)
        await desk.press("enter" if most > 1 else "l")
        assert shown.outer_size.height <= most


def test_what_is_folded_ends_where_its_words_end() -> None:
    goal = TodayGoal("view.2")
    rows = [
        Fixed("a", ((" learned  ", "dim"), ("nothing new", "dim"), (" · ", "dim"), ("2 files", "dim")), value=goal),
        Fixed("b", ((" decide  ", "dim"), ("journal: ", "accent"), ("use RS256", "")), value=goal),
    ]
    said = "".join(text for text, _style in fold_today(rows).left)
    assert said == " ▸ Today  nothing new   journal: use RS256   "


def test_a_folded_row_says_more_than_whose_it_is() -> None:
    badge, words = ("mt", "tool-blue"), "Redis takes 1000 connections and not one more than that"
    row = Fixed("b", ((" decide  ", "dim"), badge, (" ", ""), ("conflict: ", "accent"), (words, "")))
    last = Fixed(
        "w", ((" warning ", "warn"), ("⚠ ", "warn"), ("a secret stands in plain text in notes/keys.md:3", "warn"))
    )
    said = "".join(text for text, _style in fold_today([row, last]).left)
    assert "mt conflict: Redis takes 1000" in said
    # What is decided leaves room for what is wrong.
    assert words not in said and said.rstrip().endswith("notes/keys.md:3")


async def test_a_secret_alone_is_not_called_nothing(vault: FakeVault) -> None:
    vault.queue = Queue([waiting("secret", "token abcd", "notes/keys.md")], [], [])
    async with filled(vault, (120, 48)) as desk:
        await desk.rest()
        rows = strip(desk)
        [decided] = [row for row in rows if row.startswith("decide")]
        assert decided.split() == ["decide", "only", "what", "the", "warning", "says", "5"]
        assert rows[-1].startswith("warning   ⚠ a secret stands in plain text")


async def test_what_sessions_stumble_over_is_decided_on_and_no_bare_count(vault: FakeVault) -> None:
    vault.learnt = learnt(next(memory for memory in vault.memories_ if memory.path == "MEMORY.md"))
    async with filled(vault, (120, 48)) as desk:
        await desk.rest()
        grave = [row for row in strip(desk) if "of the last" in row]
        assert len(grave) == 1 and "redis" in grave[0].lower()
        assert "environment_issue" not in grave[0], "how often there was any is a count, which view 4 has"


async def test_what_changed_since_the_last_look_is_told_once(vault: FakeVault) -> None:
    store_looks([str(SHOP.path)], folded=False)
    changed = memory("use RS256", "MEMORY.md", 9, Layer.CORE, "decision", created=NOON)
    changed.modified = NOON + 4 * 3600 + 600
    vault.memories_ = [changed]
    looked = load_looks()
    assert looked.known
    assert list(looked.homes) == [str(SHOP.path)]
    async with filled(vault, (120, 48)) as desk:
        row = next(row for row in strip(desk) if row.startswith("changed"))
        assert "1 file since you last looked" in row or "nothing since you last looked" in row


async def test_a_row_says_whose_it_is_where_there_are_several_tools() -> None:
    mine = memory("plan first", "MEMORY.md", 1, Layer.KNOWLEDGE, "rule", home=CLAUDE, created=NOON)
    theirs = memory("plans come first", "MEMORY.md", 1, Layer.KNOWLEDGE, "rule", home=CODEX, created=NOON)
    vault = FakeVault([mine, theirs], (CLAUDE, CODEX))
    vault.shared = [(mine, theirs)]
    async with running(vault) as desk:
        await desk.press("2")
        assert re.search(r"Cl +plan first +rule", desk.text())
        assert re.search(r"Cx +plans come first +rule", desk.text())
        await desk.press("ampersand")
        assert "2 agents say" in desk.text()
        assert "shared by agents · 2" in desk.text()
        await desk.press("j")
        found = desk.memory()
        assert found.text == "plans come first"
        # Heads are no memories: the list, its section and the place in it have the same number.
        assert "2 / 2 · agents" in desk.lines()[-2]
        assert re.search(r"= shared by agents +2 ", desk.text())
        await desk.press("S")
        assert desk.main.said == "These rows have one order only."
    async with running(FakeVault([mine], (CLAUDE,))) as desk:
        await desk.press("2")
        assert re.search(r"│▌? ?plan first|▌ plan first", desk.text())
        await desk.press("ampersand")
        assert "All memories shown here are of one agent." in desk.text()


def test_the_text_of_a_row_has_most_of_the_pane() -> None:
    row = memory("word" * 40, "a.md", 1, Layer.KNOWLEDGE, "pref", created=NOON)
    width = 54  # of a pane of 60 at 120 columns: without frame, scrollbar, cursor and badge
    for lines in (paint.draw_memory_row(row, Brush(width)), paint.draw_entry_row(row, Brush(width)),
                  paint.draw_dated_row(row, Brush(width), days=False)):  # fmt: skip
        text = "".join(text for text, _style in lines[0])
        assert draw.count_cells(lines[0]) == width
        assert len(re.search(r"word.*…", text)[0]) >= 0.7 * 60  # type: ignore[index]
        assert "●" not in text


@pytest.mark.parametrize("width", [80, 120])
def test_tabs_stay_where_they_are(width: int) -> None:
    def starts(view: str) -> list[int]:
        spots, _right = bars.draw_tabs(width, view, 12, hidden=False)
        line = "".join(text for text, _style, _action in spots)
        return [line.index(f" {number} ") for number in "0123456"]

    views = ("home", "facts", "timeline", "evolution", "review", "health", "search")
    assert len({tuple(starts(view)) for view in views}) == 1


async def test_sections_come_over_a_narrow_list() -> None:
    async with running(FakeVault(shop()), (80, 24)) as desk:
        await desk.press("2", "h")
        assert desk.main.query_one("#sections").display
        assert desk.main.has_class("-sections")
        await desk.press("l")
        assert not desk.main.has_class("-sections")


async def test_a_wide_home_shows_the_text_under_the_cursor(vault: FakeVault) -> None:
    async with filled(vault, (200, 50)) as desk:
        await desk.press("j")
        detail, found = desk.main.pane.detail(), desk.main.desk.memory()
        assert detail is not None
        assert detail.memory is found is not None
    async with running(vault, (120, 36)) as desk:
        assert desk.main.pane.detail() is None


async def test_an_empty_list_is_mended_by_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    async with filled(FakeVault([])) as desk:
        act = desk.main.do
        monkeypatch.setattr(desk.main, "do", done.append)
        act("item.open")
        for view in ("1", "2", "3"):
            act(f"view.{view}")
            await desk.settled()
            act("item.open")
        assert done == ["file.profile", "file.profile", "item.new", "item.new"]


@pytest.mark.parametrize("notes", [False, True])
async def test_where_nothing_was_found_the_strip_says_what_can_be_begun(
    notes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if notes:
        (tmp_path / "memory").mkdir()
        (tmp_path / "memory/notes.md").write_text("- the kiln is hot\n", encoding="utf-8")
    async with filled(FakeVault([], ()), (80, 24)) as desk:
        goals = [row.value.action for row in desk.main.query_one("#home-today", Rows).items]
        assert goals == ["homes.here"] * notes + ["homes.make", "demo.open", "agents.install"]
        # All of them are seen, on a low screen too.
        assert desk.main.query_one("#home-today", Rows).size.height >= len(goals)
        assert desk.main.pane.rows() is desk.main.query_one("#home-today", Rows)


async def test_rows_that_nothing_else_needs_tell_what_was_learned_last(vault: FakeVault) -> None:
    vault.memories_ = [
        memory(f"choice {n}", "MEMORY.md", n, Layer.CORE, "decision", created=NOON - (20 + n) * 86400)
        for n in range(1, 4)
    ]
    async with filled(vault, (120, 36)) as desk:
        rows = strip(desk)
        assert rows[0].startswith("learned   nothing new this week")
        assert [row.split("  ")[0] for row in rows[2:]] == ["latest", "choice 2"], rows
        assert rows[2].endswith("3w")


async def test_the_first_start_greets_once_and_says_what_leaves(
    vault: FakeVault, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew = Membership("crew", "team", "host=127.0.0.1 port=9", "ann", "laptop", "1")
    monkeypatch.setattr(today, "load_memberships", lambda: [crew])
    theirs = Home(Path("/team/bob@desk/notes"), "memtui", "shared", "bob", origin=HomeOrigin("bob", "desk", "crew"))
    vault.homes = (*vault.homes, theirs)
    vault.states = {str(theirs.path): {"away": True, "warning": "not there"}}
    async with running(vault, (160, 24)) as desk:
        desk.main.context.greets = True
        await fill_boxes(desk)
        desk.main.pane.on_resize()  # type: ignore[attr-defined]
        await desk.settled()
        assert strip(desk)[0].startswith("found     2 memory stores of XingheBot, code-memory")
        assert "1 that a colleague shares" in strip(desk)[0]
        assert strip(desk)[2].startswith("Only what you share leaves this machine, for “crew”")
        assert desk.main.context.badges[str(theirs.path)][0] == "@b"
        assert "no longer shared" in desk.lines()[0] and "⚠" not in desk.lines()[0]
        await desk.press("escape")
        assert strip(desk)[0].startswith("learned")


async def test_the_story_goes_on_with_the_right_key_and_ends(vault: FakeVault) -> None:
    async with running(vault, (80, 24)) as desk:
        desk.main.begin_tour()
        await desk.settled()
        line = desk.main.query_one("#tour", bars.Bar)
        assert line.text.startswith(" ▸ 1/10")
        await desk.press("5")
        assert line.text.startswith(" ▸ 1/10")
        await desk.press("0")
        assert line.text.startswith(" ▸ 2/10")
        await desk.press("Q")
        assert not desk.main.query("#tour")


def test_each_step_of_the_story_is_an_action_with_that_key_and_fits() -> None:
    from memtui.tui.actions import find_action, format_key

    tour = Tour()
    for step in STORY:
        assert step.key in map(format_key, find_action(step.action).keys)
        assert draw.count_cells([(text, "") for text, _style, _action in tour.tell(80)[0]]) <= 80 - 2
        left, _right = tour.tell(40)
        wide = draw.count_cells([(text, "") for text, _style, _action in left]) > 40
        assert left[0 if wide else 2][0] == f" {step.key} ", "where there is no room, the key stands first"
        assert tour.tell(120)[1], "how to end it"
        assert tour.hear(step.action)
    assert tour.step is None


async def test_a_terminal_without_signs_gets_ascii(vault: FakeVault) -> None:
    vault.memories_ = [
        memory("ports are in ports.md", "MEMORY.md", 1, Layer.CORE, "rule", created=NOON),
        memory("renew the certificate", "facts.md", 3, Layer.KNOWLEDGE, "todo", created=NOON),
        *(
            memory("done", "daily/d.md", 10 * day + line, Layer.JOURNAL, "note", created=NOON - day * 86400)
            for day in range(1, 5)
            for line in range(2 * day)
        ),
    ]
    vault.learnt = learnt(vault.memories_[0])
    plain = Config(ui=Config().ui._replace(symbols="ascii"))
    for size in ((120, 36), (40, 20), (300, 60)):
        async with filled(told(vault), size, config=plain, faulty=True) as desk:
            for keys in ("0", "2", "3", "C", "C 4", "5 j", "question_mark"):
                await desk.press(*keys.split())
                assert desk.text().isascii(), [line for line in desk.lines() if not line.isascii()]


def test_what_a_terminals_encoding_lacks_takes_the_cells_it_would_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python would write \\u504f\\u597d: lines three times as wide as they are."""
    ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.__stdout__", ascii_only)
    draw.has_blocks.cache_clear()
    try:
        line = draw.PlainSigns().apply([Segment("│ 偏好 pytest ✓ é")], Color(0, 0, 0))
        assert [segment.text for segment in line] == ["| ???? pytest + ?"]
        assert not draw.has_blocks()
    finally:
        draw.has_blocks.cache_clear()


def test_every_text_can_be_read_in_every_theme() -> None:
    app: App[None] = App()
    for ours in draw.OUR_THEMES:
        app.register_theme(ours)
    low: list[tuple[str, str, float]] = []
    for name, theme in app.available_themes.items():
        if theme.ansi:
            continue
        known = {**draw.build_default_variables(theme), **theme.to_color_system().generate(), **theme.variables}
        known |= draw.fit_frames(known, ansi=False)
        for shade, least in (("frame", 3.0), ("frame-focus", 4.5), ("title", 4.5), ("subtitle", 4.5)):
            for ground in ("background", "surface"):
                ratio = draw.measure_contrast(Color.parse(known[shade]), Color.parse(known[ground]))
                if ratio < least:
                    low.append((name, f"{shade} on {ground}", ratio))
        look = draw.Look(known, ansi=False, mono=False)
        front, back = Color.parse(known["foreground"]), Color.parse(known["background"])
        grounds = [back, *(_paper(look[ground], back) for ground in ("cursor", "blurred"))]
        grounds.append(Color.parse(known["surface"]))
        for style in {*look.styles, *(f"kind.{kind}" for kind in draw.HUES)} - {"frame"}:
            ink = look[style].color
            color = front if ink is None else Color(*ink.get_truecolor())
            own = [_paper(look[style], back)] if look[style].bgcolor else grounds
            ratio = min(draw.measure_contrast(color, ground) for ground in own)
            if ratio < draw.LEGIBLE:
                low.append((name, style, ratio))
    assert not low
    assert round(draw.measure_contrast(Color(0, 0, 0), Color(255, 255, 255)), 1) == 21.0


def test_the_cursor_of_an_ansi_theme_is_one_bar() -> None:
    """Reversed, a colour of its own would be the ground of a word: red on red, with a sign on it."""
    [theme] = [theme for theme in App[None]().available_themes.values() if theme.name == "ansi-dark"]
    known = {**draw.build_default_variables(theme), **theme.to_color_system().generate(), **theme.variables}
    look = draw.Look(known | draw.fit_frames(known, ansi=True), ansi=True, mono=False)
    pieces = [("⚠ ", "warn"), ("fact ", "kind.fact"), ("text", "")]
    line = draw.strip(pieces, 20, look, look[""], look["cursor"])
    assert {(part.style.color, part.style.reverse) for part in line if part.style} == {
        (Style.parse("default").color, True)
    }


FRAMES = frozenset("╭╮╰╯│─┏┓┗┛┃━▁▂▃▄▅▆▇█▉▊▋▌▍▎▏▔▕▀░▒▓├┤┬┴┼╌·•…◇ ")


@pytest.mark.parametrize("theme", ["memtui-dark", "memtui-light", "solarized-dark", "catppuccin-latte"])
async def test_what_stands_on_the_screen_can_be_seen(vault: FakeVault, theme: str) -> None:
    """Every piece of every view and of what lies over it, as it is drawn: text, boxes to type in, frames."""
    vault.learnt = learnt(next(memory for memory in vault.memories_ if memory.path == "MEMORY.md"))
    low: set[tuple[str, float, str]] = set()
    async with running(vault, theme=theme) as desk:
        for keys in ("0", "2 j", "3 C", "4", "5", "6", "slash t o", "escape 2 f x", "escape c", "escape ctrl+p o"):
            await desk.press(*keys.split())
            over = [child.region for child in desk.app.screen.children if child.display and child.id != "keys"]
            for y, line in enumerate(desk.app.screen._compositor.render_strips()):
                x = 0
                for piece in line:
                    text, start = piece.text.strip(), x + len(piece.text) - len(piece.text.lstrip())
                    x += piece.cell_length
                    # What lies under a window is meant to step back.
                    if not text or not any(region.contains(start, y) for region in over):
                        continue
                    assert piece.style is not None
                    ink, ground = piece.style.color, piece.style.bgcolor
                    assert ink is not None
                    assert ground is not None
                    ratio = draw.measure_contrast(*(Color(*one.get_truecolor()) for one in (ink, ground)))
                    if ratio < (draw.VISIBLE if FRAMES.issuperset(text) else draw.LEGIBLE):
                        low.add((keys, round(ratio, 2), text[:30]))
    assert not low


def _paper(style: Any, back: Color) -> Color:
    return Color(*style.bgcolor.get_truecolor()) if style.bgcolor else back
