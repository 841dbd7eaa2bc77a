"""Pictures of what was learnt from use: view 4, what a number counts, the calendar, two lines side by side."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.core.model import Layer
from memtui.store.candidates import Candidate, CandidateSource, Queue
from tests.tui.conftest import Desk, app_on
from tests.tui.fake_vault import DAY, NOON, SHOP, memory
from tests.tui.test_evolution import part, taught

KEYS = {
    "signals": "4",
    "lines": "4 enter j",
    "effects": "4",
    "skills": "4",
    "calendar": "3 C h k",
    "contradiction": "5",
}


@pytest.mark.parametrize("size", [(120, 36), (80, 24)], ids=["120", "80"])
@pytest.mark.parametrize("name", list(KEYS))
def test_screen(snap_compare: Any, monkeypatch: pytest.MonkeyPatch, name: str, size: tuple[int, int]) -> None:
    monkeypatch.setattr("textual.widgets.Input.cursor_blink", False)
    monkeypatch.setattr("memtui.review.queue.diff", lambda *_given, **_named: "")
    vault = taught()
    for back in range(0, 400, 2):
        for number in range(back % 5):
            vault.memories_.append(
                memory(f"note {back}", "daily/old.md", 9 * back + number, Layer.JOURNAL, "note",
                       created=NOON - back * DAY)
            )  # fmt: skip
    old = memory("订单服务的端口是 8080，写在 compose 里", "MEMORY.md", 70, Layer.CORE, "fact", updated=NOON - 40 * DAY)
    new = memory("订单服务的端口是 9090，写在 .env 里", "MEMORY.md", 74, Layer.CORE, "fact", updated=NOON - DAY)
    vault.memories_ += [old, new]
    source = CandidateSource(str(SHOP.path), "MEMORY.md", 74, "", NOON - DAY)
    vault.queue = Queue(
        [
            Candidate(
                "c1", "contradiction", str(SHOP.path), new.text, "fact", Layer.CORE, None, 0.9, sources=(source,),
                memories=(new.id, old.id), time=NOON - DAY, reason="8080 → 9090",
            )
        ], [], [],
    )  # fmt: skip
    app = app_on(vault)

    async def before(pilot: Pilot[None]) -> None:
        desk = Desk(app, pilot)
        await desk.settled()
        await desk.press(*KEYS[name].split())
        if name in {"effects", "skills"}:
            await part(desk, name)
        await desk.rest()

    assert snap_compare(app, terminal_size=size, run_before=before)
