"""What has a number is open here and closed there."""

from __future__ import annotations

import pytest

from memtui.core.model import Layer, Memory
from memtui.review.changes import find_ticket_states
from memtui.review.contradictions import find_contradictions
from tests.curation.facts_of import fact


def kept(text: str, path: str, days: float | None = None, **more: object) -> Memory:
    layer = more.pop("layer", Layer.KNOWLEDGE)
    return fact(text, days, layer=layer, path=path, kind="note", **more)  # type: ignore[arg-type]


def found(*others: Memory) -> list[tuple[str, str, str]]:
    return [(one.newer.path, one.older.path, one.reason) for one in find_contradictions((), others=others)]


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("step-3 is done, phase-2 pending, PHASE-4 closed, STEP-1 merged, v2-3 shipped", []),
        ("Seed labels: issue #204 is closed", [("#204", "closed")]),
        ("PR #31 merged, the beds are watered", [("#31", "closed")]),
        ("浇水脚本 PR #31 已合并", [("#31", "closed")]),
        ("[#7](https://example.org/garden/issues/7) is queued", [("#7", "open")]),
        ("工单 #88 尚未修复", [("#88", "open")]),
        ("BED-12 stays open until spring", [("BED-12", "open")]),
        ("#204 sort the seeds by name", [("#204", "")]),
        # Of a part, on a condition, of anything that is counted, of a licence.
        ("Items 2 and 3 of #204 are done", []),
        ("Once #204 is merged, water the beds", []),
        ("Our #1 task is done", []),
        ("The label is under GPL-3.0 and done", []),
        ("The colour is #20433a, done", []),
    ],
)
def test_the_state_that_stands_beside_a_number(text: str, states: list[tuple[str, str]]) -> None:
    assert [(name, state) for name, state in find_ticket_states(text) if state or text[0] == "#"] == states


def test_what_is_open_here_and_closed_there() -> None:
    over = kept("The label printer is fixed. Issues #204 and #211 closed", "notes/printer.md", 2)
    closes = ("notes/printer.md", "notes/labels.md", "“#204” is done there")
    assert found(kept("Wrong labels are tracked in issue #204", "notes/labels.md", 9), over) == [closes]
    listed = kept("#204 prints wrong labels", "notes/labels.md", 9, heading=("Garden", "Open issues"))
    assert found(listed, over) == [closes]
    assert found(kept("标签打印错误，见工单 #204，待修复", "notes/labels.md", 9), over) == [closes]


def test_what_is_another_one_or_open_again() -> None:
    over = kept("The label printer is fixed. Issues #204 and #211 closed", "notes/printer.md", 5)
    for text in ("Wrong labels are tracked in issue #205", "#204 is closed, its twin #205 open", "See issue #204"):
        assert not found(kept(text, "notes/labels.md", 9), over)
    assert not found(kept("Issue #204 is open again", "notes/labels.md", 2), over)
    # What tells of much else stays, and of one day its evening is read beside its morning.
    assert not found(kept("#204 is pending. " + "The beds are dug over once a year. " * 20, "notes/labels.md", 9), over)
    day = {"path": "memory/2026-03-04.md", "layer": Layer.JOURNAL}
    assert not found(kept("PR #31 open", days=3, **day), kept("PR #31 merged", days=3, **day))


@pytest.mark.parametrize(
    ("wanted", "heading", "there"),
    [
        ("Rainbase (station API token)", "What I need access to", "Rainbase · `$RAINBASE_TOKEN` · ✅ Active"),
        ("Get Rainbase access", "Priorities", "✅ **Rainbase API** - confirmed working"),
        ("申请 Rainbase 权限", "待办", "Rainbase · 已接入"),
    ],
)
def test_what_access_was_wanted_to_is_there(wanted: str, heading: str, there: str) -> None:
    task = kept(wanted, "MEMORY.md", heading=("Garden", heading), layer=Layer.CORE)
    task.kind, task.extra = "todo", {"done": False}
    has = kept(there, "TOOLS.md", heading=("Tools", "Services"))
    assert found(task, has) == [("TOOLS.md", "MEMORY.md", "“Rainbase” is done there")]
    # Another one's, not had any more, not had yet; or the task is to do something with it.
    for other in (
        "Rainmaker · ✅ Active",
        "Rainbase · ❌ revoked",
        "Rainbase · pending",
        "Rainbase is asked each hour",
    ):
        assert not found(task, kept(other, "TOOLS.md", heading=("Tools", "Services")))
    task.text, task.heading = "Rainbase - chart the API's answers", ("Garden", "Priorities")
    assert not found(task, has)
