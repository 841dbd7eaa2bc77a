"""View 4: what was learnt, each number down to its lines and back, and what a person says of it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from memtui import Vault, demo
from memtui.core import clock, locale
from memtui.core.config import Config
from memtui.core.model import Home, HomeOrigin, Layer, Memory
from memtui.evolution.effects import Pattern
from memtui.language.conversation import Signal
from memtui.language.en import ENGLISH
from memtui.language.trouble import find_signs
from memtui.language.zh import CHINESE
from memtui.tui import evolution_model
from memtui.tui.app import MemtuiApp
from memtui.tui.candidate_rows import BESIDE, draw_side_by_side
from memtui.tui.evolution_model import All, ProblemRow
from memtui.tui.evolution_rows import draw_problem_row, draw_signal_line
from memtui.tui.panes.layer_view import LayerView
from memtui.tui.panes.listing import SectionList
from memtui.tui.row_list import Brush
from tests.tui.conftest import Desk, Written, running
from tests.tui.fake_vault import DAY, NOON, SHOP, FakeVault, memory, shop
from tests.tui.learnt import EXPERIENCE, LESSON, learnt


def taught() -> FakeVault:
    """A home with sessions that signal, and a report of another one."""
    made = shop()
    lesson = memory(LESSON, "MEMORY.md", 9, Layer.CORE, "rule", created=NOON - 20 * DAY)
    extra = {"signal": "recurring_issue", "count": 5, "priority": "critical", "status": "active"}
    made += [
        lesson,
        memory("recurring_issue", "evolution/report.md", 20, Layer.EVOLUTION, "signal", extra=extra),
        memory(f"ref {EXPERIENCE}", "evolution/audit.jsonl", 40, Layer.EVOLUTION, "event", entities=(EXPERIENCE,),
               session="s1", created=NOON - DAY),
    ]  # fmt: skip
    vault = FakeVault(made)
    vault.learnt = learnt(lesson)
    return vault


@pytest.fixture
def vault() -> FakeVault:
    return taught()


async def part(desk: Desk, key: str) -> None:
    """As if the sections' cursor had gone there."""
    view = desk.main.pane
    assert isinstance(view, LayerView)
    view.query_one(SectionList).held = None
    view.chosen = key
    view.reload()
    await desk.settled()
    view.focus_first()


def rows(desk: Desk) -> list[str]:
    return [line.split("┃", 1)[1].split("┃")[0] for line in desk.text().splitlines() if line.count("┃") > 1]


async def test_the_gravest_is_first_and_what_only_a_report_tells_is_there(desk: Desk) -> None:
    await desk.press("4")
    text = "\n".join(rows(desk))
    order = ["environment_issue", "redis", "dependency_issue", "imported from reports"]
    places = [text.index(word) for word in order]
    assert places == sorted(places)
    assert "CRITICAL" in rows(desk)[0]
    assert "recurring_issue" in text[places[-1] :]


async def test_the_lines_behind_a_number_stand_beside_it_without_a_key(desk: Desk) -> None:
    await desk.press("4")
    assert "of the last 8 sessions" in " ".join(desk.text().split())
    assert desk.text().count(":12 Redis") > 3


async def test_enter_goes_into_a_number_and_escape_comes_back_to_its_row(desk: Desk) -> None:
    await desk.press("4", "j", "j")
    here = desk.rows()
    held = here.held
    await desk.press("enter")
    assert "Signals › dependency_issue" in desk.text()
    await desk.press("j")
    assert desk.main.pane.source() == ("/homes/shop", "sessions/s3.md", 14)
    assert desk.main.pane.origin() == ("s3", 0)
    await desk.press("escape")
    assert "Signals ›" not in desk.text()
    assert here.held == held
    assert desk.main.view == "evolution"


async def test_one_glance_at_the_sections_tells_what_is_wrong(desk: Desk) -> None:
    await desk.press("4")
    told = {line.split("│")[1].strip(" ▏") for line in desk.text().splitlines() if line.startswith("│")}
    assert any(line.startswith("Signals") and "crit" in line for line in told)
    assert any(line.startswith("Failure streak") and "✗✗" in line for line in told)
    assert any(line.startswith("Capabilities") and "☑" in line and "☐" in line for line in told)
    assert any(line.startswith("Effects") and "weak" not in line for line in told)


async def test_what_changed_shows_from_what_to_what_even_where_its_name_is_long(desk: Desk) -> None:
    await desk.press("4")
    await part(desk, "week")
    assert rows(desk)[0].split() == ["▌", "▲", "new", "environment_issue", "normal", "→", "critical"]


async def test_a_gate_leads_to_what_it_counts(desk: Desk) -> None:
    await desk.press("4")
    await part(desk, "skills")
    await desk.press("enter")
    assert "nothing to open" in desk.main.said
    await desk.press("j", "j", "enter")
    assert [word for row in rows(desk) for word in row.split() if word.endswith("_issue")] == ["environment_issue"]
    await desk.press("escape", "j", "enter")
    assert [row.strip(" ▌")[:1] for row in rows(desk)[:5]] == ["✗", "✗", "✓", "✓", "✓"]


async def test_another_section_leads_out_of_what_was_gone_into(desk: Desk) -> None:
    await desk.press("4", "enter", "h", "j", "j", "l")
    assert "›" not in desk.text().splitlines()[2]


async def test_an_effect_lists_its_sessions_with_how_they_went(desk: Desk) -> None:
    await desk.press("4")
    await part(desk, "effects")
    assert "Evolution · Effects · 1" in desk.text()
    assert "── effect" in desk.text()
    found = desk.memory()
    assert found.text == LESSON
    await desk.press("enter")
    assert sum("✗" in row and "failed: the" in row for row in rows(desk)) == 2


async def test_an_event_reads_as_what_it_refers_to(desk: Desk) -> None:
    await desk.press("4")
    await part(desk, "kind:event")
    assert any(LESSON[:4] in row for row in rows(desk))


@pytest.mark.parametrize("size", [(120, 36), (56, 18)])
async def test_every_part_is_drawn_at_every_size(size: tuple[int, int]) -> None:
    async with running(taught(), size) as desk:
        await desk.press("4")
        for key in ("week", "signals", "streak", "effects", "skills", "report"):
            await part(desk, key)
            shown = desk.rows()
            assert shown.items, key
            assert all(len(line) <= 2 * size[0] for line in desk.lines())
            if key not in {"skills", "report"}:
                await desk.press("enter", "escape")


async def test_home_shows_failures_gates_and_effects() -> None:
    async with running(taught(), (160, 60)) as desk:
        for _attempt in range(40):
            if "3 of 4 gates open" in desk.text():
                break
            await desk.pilot.pause(0.05)
        assert "3 of 4 gates open" in desk.text()
        assert "2 sessions failed in a row" in desk.text()
        assert "CRITICAL" in desk.text()


async def test_a_verb_says_why_it_does_nothing(desk: Desk) -> None:
    await desk.press("1", "plus")
    assert "Only what agents are given can be judged" in desk.text()


# -- on a real home ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def on_demo(tmp_path: Path) -> AsyncIterator[Written]:
    root = demo.copy(tmp_path)[0]
    with Vault.open([root]) as vault:
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            desk = Written(app, pilot, vault, [root])
            await desk.settled()
            await desk.press("4")
            yield desk


AUDIT = "mei/evolution/audit.jsonl"


VERBS = (
    ("", "r", "set in the image", "addressed"), ("", "I", "", "suppressed"), ("", "B", None, "signals"),
    ("effects", "plus", None, "helpful"), ("effects", "minus", "no", "wrong"), ("effects", "tilde", "", "stale"),
)  # fmt: skip
"""Where, which key, what is typed then, and what the log says."""


async def test_each_verb_writes_to_the_log_and_u_brings_back_every_byte(tmp_path: Path) -> None:
    async with on_demo(tmp_path) as desk:
        before = desk.files()
        for where, key, typed, said in VERBS:
            if where:
                await part(desk, where)
            await desk.press(key)
            if typed is not None:
                await desk.type(typed, "enter")
            after = desk.files()
            assert {path for path in after if after[path] != before.get(path)} == {AUDIT}, key
            written = after[AUDIT][len(before[AUDIT]) :].decode()
            assert said in written
            assert (typed or "") in written
            await desk.press("u")
            assert desk.files() == before, key


async def test_what_is_settled_is_heeded_again_by_the_same_key(tmp_path: Path) -> None:
    async with on_demo(tmp_path) as desk:
        await desk.press("r", "enter")
        assert "addressed" in "\n".join(rows(desk))
        await desk.press("r")
        assert '"active"' in desk.files()[AUDIT].decode().splitlines()[-1]


async def test_a_drafted_skill_waits_in_review_and_names_the_gates_that_are_shut(tmp_path: Path) -> None:
    async with on_demo(tmp_path) as desk:
        before = desk.files()
        await desk.press("p")
        told = desk.main.said
        assert "drafted auto-" in told
        assert "5 shows it" in told
        assert desk.files() == before
        await desk.press("5")
        for _attempt in range(40):
            if "auto-" in desk.text():
                break
            await desk.pilot.pause(0.05)
        assert "the skill is installed" in desk.text()
        await desk.press("4", "u")
        assert "undid" in desk.main.said
        assert desk.files() == before


# -- side by side -----------------------------------------------------------------------------------------------


def _pair() -> tuple[Memory, Memory]:
    old = memory("订单服务端口是 8080", "MEMORY.md", 5, Layer.CORE, "fact", updated=NOON - 30 * DAY)
    new = memory("订单服务端口是 9090", "MEMORY.md", 9, Layer.CORE, "fact", updated=NOON - DAY)
    return new, old


def test_a_contradiction_stands_side_by_side_with_what_differs_marked() -> None:
    lines = draw_side_by_side(_pair(), BESIDE)
    (line,) = [line for line in lines if "8080" in "".join(text for text, _style in line)]
    marks = [text for text, style in line if style == "mark"]
    assert marks == ["8080", "9090"]
    heads = "".join(text for text, _style in lines[1])
    assert heads.index("older") < heads.index("newer")
    days = [clock.format_day(NOON - DAY), clock.format_day(NOON - timedelta(30).total_seconds())]
    assert all(day in heads for day in days)


def test_where_it_is_narrow_they_stand_one_under_the_other() -> None:
    lines = ["".join(text for text, _style in line) for line in draw_side_by_side(_pair(), 60)]
    assert not any("8080" in line and "9090" in line for line in lines)
    assert any("8080" in line for line in lines)
    assert any("9090" in line for line in lines)


ENDS = (
    "works not", "tests fail", "build fails", "works", "tests pass", "build passes", "committed", "thrown away",
    "left open", "given up", "reported", "gave up",
)  # fmt: skip
"""What `language.outcome` says of an end."""


def test_why_something_counts_is_said_in_the_persons_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signals and ends of sessions are stored in English or as they were spoken, and shown as they are read."""
    assert (*((ENGLISH.phrases[end], CHINESE.phrases[end]) for end in ENDS),) == evolution_model.ENDINGS
    signal = find_signs("The deploy failed because the port 8080 was already in use.")[0].sign
    monkeypatch.setenv("LANGUAGE", "zh")
    locale.choose_language("")
    try:
        shown = draw_signal_line(Signal(signal.type, "deploy", why=signal.why), 80)
        assert signal.why not in str(shown)
        assert locale._(signal.why) in str(shown)
        assert evolution_model.translate_ending("tests do not pass (`make`, line 3)") == "测试未通过 (`make`, line 3)"
        assert evolution_model.translate_ending("somebody says so") == "somebody says so"
    finally:
        monkeypatch.setenv("LANGUAGE", "en")
        locale.choose_language("")
    assert evolution_model.translate_ending("测试未通过") == "tests do not pass"


def test_how_often_leaves_room_for_how_it_stands_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row of 51 cells, as at 120 columns: what would not fit took the rest of the row with it."""
    pattern = Pattern("performance_issue", "performance_issue", "", 2, 8, "normal", "suppressed")
    [whose] = taught().learnt.homes
    for language in ("en", "zh"):
        monkeypatch.setenv("LANGUAGE", language)
        locale.choose_language("")
        try:
            [line] = draw_problem_row(ProblemRow(pattern.key, whose, pattern, "mei"), Brush(51))
            shown = "".join(text for text, _style in line)
            assert "mei" in shown and locale._("suppressed") in shown and locale._("performance_issue") in shown
            extra = {"signal": "performance_issue", "count": 2, "priority": "high", "status": "addressed"}
            reported = memory("performance_issue: 2×", "evolution/report.md", 9, Layer.EVOLUTION, "signal", extra=extra)
            [line] = evolution_model.draw_signal_row(reported, Brush(60))
            drawn = "".join(text for text, _style in line)
            assert all(locale._(word) in drawn for word in ("HIGH", "performance_issue", "addressed"))
            assert language == "en" or not any(word in drawn for word in ("HIGH", "performance_issue", "addressed"))
        finally:
            monkeypatch.setenv("LANGUAGE", "en")
            locale.choose_language("")


async def test_nothing_learnt_is_said() -> None:
    vault = FakeVault([])
    vault.learnt = All()
    async with running(vault) as desk:
        await desk.press("4")
        assert "No session signals yet" in desk.text()


async def test_past_sessions_without_a_summary_are_analyzed_from_any_view_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMTUI_HOME", str(tmp_path / "mine"))
    place = tmp_path / ".claude" / "projects" / "-code-shop"
    (place / "memory").mkdir(parents=True)
    (place / "memory" / "MEMORY.md").write_text("# Shop\n\n- Ports are polled\n", "utf-8")
    turns = [("user", "Why does the build fail?"), ("assistant", "Redis: connection refused on port 6379")]
    with (place / "0f3c1f54-8a4e-4d0e-9f6e-1d2b3c4d5e6f.jsonl").open("w", encoding="utf-8") as file:
        for number, (role, text) in enumerate(turns):
            line = {
                "type": role, "cwd": "/code/shop", "sessionId": "0f3c1f54-8a4e-4d0e-9f6e-1d2b3c4d5e6f",
                "uuid": str(number), "timestamp": f"2026-02-01T10:0{number}:00Z",
                "message": {"role": role, "content": text},
            }  # fmt: skip
            file.write(json.dumps(line) + "\n")
    with Vault.open([place], config=Config()) as vault:
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            desk = Desk(app, pilot)
            await desk.settled()
            await desk.press("2", "B")
            await desk.rest()
            assert desk.main.view == "evolution"
            # Its log stands in a home that no key of this window takes back from.
            assert desk.main.said.startswith("analyzed 1 past session · ")
            assert desk.main.said.endswith("/mine")
            await desk.press("B")
            await desk.rest()
            assert desk.main.said == "Every session here has been analyzed already."


def test_nobody_waits_for_what_a_colleagues_home_has_learnt() -> None:
    theirs = Home(Path("/team/bob@desk/notes"), "memtui", "shared", "bob", origin=HomeOrigin("bob", "desk", "crew"))

    def is_known(*homes: Home) -> bool:
        analyst = SimpleNamespace(load_overview=lambda _home, *, glance: None, load_effects=list)
        context = SimpleNamespace(vault=SimpleNamespace(homes=homes), analyst=analyst, homes=())
        return evolution_model.read(cast("Any", context), glance=True).known

    assert is_known(theirs)
    assert not is_known(SHOP)
    assert not is_known(SHOP, theirs)
