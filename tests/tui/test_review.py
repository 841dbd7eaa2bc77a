"""Review on a real home: what is shown is what is written, nothing waits for the disk, and all of it comes back."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from memtui.analysis.analyst import QueueState
from memtui.core import clock
from memtui.core.config import Config, DistillConfig
from memtui.core.edits import Receipt
from memtui.core.model import Layer
from memtui.store.candidates import Candidate
from memtui.tui import context as context_module
from memtui.tui.candidate_rows import draw_candidate_row
from memtui.tui.panes.review_pane import ReviewView
from memtui.tui.row_list import Brush
from tests.tui.conftest import Desk, Written, on_home

CORE = "memtui/MEMORY.md"
SUBJECTS = [
    "代码", "测试", "提交", "文档", "接口", "日志", "命名", "缓存", "队列", "迁移",
    "监控", "告警", "部署", "回滚", "配置", "权限", "界面", "翻译", "排版", "评审",
]  # fmt: skip
WISHES = ["先写后改", "每天一次", "只用英文", "不超三行", "附上原因"]


def noted(root: Path, count: int) -> None:
    """So many opinions, a week old, none like the other."""
    lines = [
        {
            "id": f"o-{n}", "type": "fact", "memory_type": "O", "confidence": 0.95, "entities": [],
            "content": f"偏好{SUBJECTS[n % 20]}{WISHES[n // 20]}，第 {n} 条，{chr(0x4E00 + 37 * n) * 3}",
            "timestamp": "2026-02-20T10:00:00Z",
        }
        for n in range(count)
    ]  # fmt: skip
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    for other in (root / "daily").iterdir():
        other.unlink()
    (root / "daily/2026-02-20.jsonl").write_text(text + "\n", "utf-8")


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T10:00:00Z")


def config(most: int = 200) -> Config:
    return Config(distill=DistillConfig(max_items_per_run=most))


@pytest.fixture
async def reviewed(tmp_path: Path) -> AsyncIterator[Written]:
    """The app on memtui's home, where little waits at once."""
    async with on_home(tmp_path, config=config()) as desk:
        yield desk


async def reviewing(desk: Written, count: int) -> ReviewView:
    noted(desk.roots[0], count)
    desk.vault.refresh()
    await desk.press("5")
    view = desk.main.pane
    assert isinstance(view, ReviewView)
    for _try in range(50):
        if len(view.queue.items) == count:
            break
        await desk.settled()
    return view


def texts(view: ReviewView) -> list[str]:
    return [row.of.text for row in view.queue.items if hasattr(row, "of")]


async def test_what_is_shown_is_what_is_written(reviewed: Written) -> None:
    view = await reviewing(reviewed, 3)
    text = reviewed.text()
    first = texts(view)[0]
    assert "What will be written · MEMORY.md § 用户偏好" in text
    assert f"+ - {first}" in text
    assert "adds 1 line · journalled, undo with u" in text
    assert "from daily/2026-02-20.jsonl:" in text
    before = reviewed.files()
    [shown] = [line[3:].strip() for line in text.replace("│", "").split("\n") if line.strip().startswith("+ - ")]
    await reviewed.press("a")
    assert f"+ {shown.removeprefix('+ ')}" not in before[CORE].decode()
    assert first in reviewed.files()[CORE].decode()
    assert texts(view)[0] != first
    assert "u undo" in reviewed.text()
    await reviewed.press("u")
    assert reviewed.files() == before
    assert first in texts(view)


async def test_edit_and_move_before_it_is_approved(reviewed: Written) -> None:
    view = await reviewing(reviewed, 3)
    before = reviewed.files()
    first, second = texts(view)[:2]
    await reviewed.press("e", "end")
    await reviewed.type("（改过）", "enter")
    assert first + "（改过）" in reviewed.files()[CORE].decode()
    assert texts(view)[0] == second
    await reviewed.press("m")
    assert "重要决策" in reviewed.text()
    await reviewed.press("enter")
    assert "§ 重要决策" in reviewed.text()
    await reviewed.press("a")
    data = reviewed.files()[CORE].decode()
    assert data.index("重要决策") < data.index(second)
    await reviewed.press("u", "u")
    assert reviewed.files() == before


async def test_a_rejected_one_never_comes_back_until_somebody_says_so(reviewed: Written) -> None:
    view = await reviewing(reviewed, 3)
    first = texts(view)[0]
    await reviewed.press("X")
    assert "Enter alone rejects without a reason" in " ".join(reviewed.text().split())
    await reviewed.type("太短", "enter")
    assert first not in texts(view)
    reviewed.vault.refresh()
    await reviewed.press("0", "5")
    assert first not in texts(view)
    await reviewed.press("full_stop")
    assert first in texts(view)
    assert "Rejected" in reviewed.text()
    await reviewed.to(first)
    await reviewed.press("e")
    assert "It is rejected: a takes that back." in reviewed.text()
    await reviewed.press("a", "full_stop")
    assert first in texts(view)
    await reviewed.press("X", "escape")
    assert first in texts(view)


async def test_a_selection_is_one_decision(reviewed: Written) -> None:
    view = await reviewing(reviewed, 6)
    before = reviewed.files()
    chosen = texts(view)[1:4]
    await reviewed.press("j", "v", "j", "j", "v", "a")
    assert all(text in reviewed.files()[CORE].decode() for text in chosen)
    assert len(texts(view)) == 3
    await reviewed.press("u")
    assert reviewed.files() == before
    await reviewed.press("g", "space", "space", "X", "enter")
    assert len(texts(view)) == 4
    await reviewed.press("u")
    assert len(texts(view)) == 6


async def test_all_that_are_safe_after_a_count(reviewed: Written) -> None:
    view = await reviewing(reviewed, 5)
    before = reviewed.files()
    await reviewed.press("f")
    await reviewed.type("测试", "enter", "A")
    assert "approve 1 of 1?" in reviewed.text()
    await reviewed.press("n", "escape", "A")
    safe = len([row for row in view.queue.items if row.candidate and not row.candidate.warnings])
    assert f"approve {safe} of {len(view.queue.items)}?" in reviewed.text()
    await reviewed.press("y")
    assert reviewed.files()[CORE] != before[CORE]
    await reviewed.press("u")
    assert reviewed.files() == before


async def test_the_badge_and_home_say_how_many_wait(reviewed: Written) -> None:
    await reviewing(reviewed, 12)
    number = len(reviewed.main.context.waiting.candidates)
    assert f"5 Review {number}" in reviewed.lines()[1]
    await reviewed.press("0")
    reviewed.main.say("")
    await reviewed.settled()
    assert f"{number} candidates wait in Review (5)" in reviewed.text()


async def test_the_source_of_a_candidate(reviewed: Written) -> None:
    await reviewing(reviewed, 2)
    await reviewed.press("enter")
    assert "daily/2026-02-20.jsonl" in reviewed.text()
    assert reviewed.app.screen is not reviewed.main


async def test_fifty_candidates_without_the_mouse_and_without_waiting(reviewed: Written) -> None:
    """Forty are approved and ten rejected by single keys; no key waits for the disk, and all of it is written."""
    view = await reviewing(reviewed, 50)
    whole = len(texts(view))
    before = reviewed.files()
    slowest = 0.0
    for number in range(50):
        keys = ("x",) if number % 5 == 4 else ("a",)
        for key in keys:
            pressed = time.monotonic()
            await reviewed.pilot.press(key)
            slowest = max(slowest, time.monotonic() - pressed)
    await reviewed.settled()
    assert slowest < 30
    added = reviewed.files()[CORE].decode()
    assert added.count("，第 ") == 40
    assert len(texts(view)) == whole - 50
    for _write in range(50):
        await reviewed.pilot.press("u")
    await reviewed.settled()
    assert reviewed.files() == before
    assert len(texts(view)) == whole


async def test_a_candidate_that_cannot_be_written_waits_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.core.errors import FullError

    async with on_home(tmp_path, config=config()) as desk:
        view = await reviewing(desk, 3)
        first = texts(view)[0]

        def full(*_given: object, **_named: object) -> None:
            raise FullError("No room on the disk: free some space.")

        monkeypatch.setattr("memtui.review.queue.approve", full)
        await desk.press("a")
        assert "No room on the disk" in desk.text()
        assert texts(view)[0] == first


async def test_review_is_kind_when_nothing_waits(desk: Desk) -> None:
    await desk.press("5")
    assert "Nothing waits to be decided." in desk.text()
    await desk.press("a", "x", "A", "e", "m", "s", "d", "=", "space", "v")
    assert desk.app.screen is desk.main


async def test_review_fits_every_size(tmp_path: Path) -> None:
    from rich.cells import cell_len

    async with on_home(tmp_path, size=(20, 6), config=config()) as desk:
        await reviewing(desk, 3)
        for size in ((20, 6), (40, 12), (59, 20), (80, 24), (120, 36)):
            await desk.pilot.resize_terminal(*size)
            await desk.press("j")
            assert {cell_len(line) for line in desk.lines()} == {size[0]}


async def test_masking_a_secret_asks_and_is_never_among_the_safe(tmp_path: Path, reviewed: Written) -> None:
    view = await reviewing(reviewed, 2)
    file = tmp_path / "memtui/MEMORY.md"
    file.write_bytes(file.read_bytes() + b"- db postgres://shop:Tr4vel-Light@db.internal:5432/shop\n")
    reviewed.vault.refresh()
    for _try in range(50):
        if len(view.queue.items) == 3:
            break
        await reviewed.settled()
    await reviewed.to("postgres")
    assert "cannot be undone" in reviewed.text()
    assert "Tr4vel" not in reviewed.text()
    before = reviewed.files()
    await reviewed.press("A")
    assert "approve 2 of 3?" in reviewed.text()
    await reviewed.press("n", "a", "n")
    assert reviewed.files() == before
    await reviewed.press("a", "y")
    assert b"Tr4vel" not in file.read_bytes()


def test_a_secrets_row_begins_with_what_the_line_says() -> None:
    """Not with a journal's stamp: the kind and the age stand in columns of their own."""
    said = "- 2026-11-19T10:41:10Z [note] db postgres://shop:[redacted:url-password]@db.internal/shop"
    secret = Candidate("1", "secret", "/home", said, "note", Layer.JOURNAL, None, 1.0)
    row = draw_candidate_row(secret, Brush(80))
    assert "db postgres" in "".join(text for text, _style in row[0])
    assert "2026-11-19" not in str(row)


async def test_a_queue_that_is_behind_says_how_old_it_is(desk: Desk) -> None:
    await desk.press("5")
    waiting, analyst = desk.main.context.waiting, desk.main.context.analyst
    assert "as of" not in desk.text()
    waiting.at, analyst.busy = clock.now() - 7200, True
    desk.main.pane.reload()
    await desk.pilot.pause()
    try:
        assert "Review · 0 · as of 2h ago" in desk.text()
    finally:
        analyst.busy = False


def test_what_was_decided_stays_away_until_the_queue_is_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue that was worked out before the write still has it; what is taken back waits again at once."""

    class Now:
        """A context whose reader answers at once."""

        stamp, serial = 0, 0
        analyst = SimpleNamespace(turns=0, busy=False, behind=False, wake=lambda **_how: None)
        vault = SimpleNamespace(progress=list)
        reader = SimpleNamespace(ask=lambda _name, job, show, **_how: show(job(lambda: False)))

    told: dict[str, Any] = {"at": 1000.0, "ids": ["a", "b"]}

    def read(_context: object) -> Any:
        waiting = [SimpleNamespace(id=one) for one in told["ids"]]
        return SimpleNamespace(waiting=waiting), len(waiting), 0, told["at"]

    monkeypatch.setattr(context_module, "read", lambda context: QueueState(*read(context)))
    monkeypatch.setattr(context_module, "stamp_candidates", lambda _context: 0)
    monkeypatch.setenv("MEMTUI_NOW", "1970-01-01T00:16:45Z")
    now: Any = Now()
    queue = context_module.WaitingQueue(now)
    queue.start(lambda _seconds, then: then())

    def waits() -> list[str]:
        return [candidate.id for candidate in queue.candidates]

    queue.decide(["a"])
    queue.settle(["a"], done=True, writes=["w1"])
    assert waits() == ["b"]
    told.update(ids=["b"])
    queue.again()
    queue.decide(["b"])
    queue.settle(["b"], done=True, writes=["w2"])
    told.update(ids=[], at=1004.0)
    queue.again()
    assert waits() == []
    taken_back = Receipt("u", 0.0, "undo", "person", "")
    # A write of something else, and one of another program.
    queue.follow_undo(taken_back)
    queue.follow_undo(taken_back._replace(undoes=("w9",)))
    assert waits() == []
    # Every one is there at once, in its place, though the queue that is known lacks it.
    queue.follow_undo(taken_back._replace(undoes=("w2",)))
    assert (waits(), queue.wanted, queue.number) == (["b"], "b", 1)
    queue.follow_undo(taken_back._replace(undoes=("w1", "group")))
    assert (waits(), queue.wanted, queue.number) == (["a", "b"], "a", 2)
    queue.follow_undo(Receipt("r", 0.0, "redo", "person", "", undoes=("w1",)))
    assert waits() == ["b"]
    queue.follow_undo(taken_back._replace(undoes=("w1",)))
    told.update(ids=["a", "b"])
    queue.decide(["a"])
    queue.settle(["a"], done=True)
    told.update(at=1006.0)
    # Worked out since: it was proposed anew.
    queue.again()
    assert waits() == ["a", "b"]


async def test_undo_brings_each_decision_back_before_anything_is_worked_out_again(
    monkeypatch: pytest.MonkeyPatch, reviewed: Written
) -> None:
    view = await reviewing(reviewed, 8)
    await reviewed.press("g")
    before, files = texts(view), reviewed.files()
    await reviewed.press("a", "x", "space", "space", "a", "a")
    for _try in range(50):
        if len(reviewed.main.hand.written) == 4:
            break
        await reviewed.settled()
    assert len(texts(view)) == len(before) - 5
    # The queue as the analysis knows it now stays: no other is worked out.
    waiting = reviewed.main.context.waiting
    assert waiting.queue is not None
    known = {one.id for one in waiting.candidates}
    waiting.queue = waiting.queue._replace(waiting=[one for one in waiting.queue.waiting if one.id in known])
    monkeypatch.setattr(waiting, "look", lambda: None)
    for count in (4, 2, 1, 0):
        await reviewed.press("u")
        assert len(texts(view)) == len(before) - count, reviewed.text()
        assert view.row is not None and view.row.of.text in before
    assert texts(view) == before
    assert reviewed.files() == files
    await reviewed.press("ctrl+r")
    assert texts(view) == before[1:]
