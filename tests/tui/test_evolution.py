"""View 4: signals by gravity, then what experiences did, named by what they say."""

from __future__ import annotations

import hashlib

from memtui.model import Layer, Memory
from tests.tui.conftest import Desk, running
from tests.tui.fake_vault import DAY, NOON, FakeVault, memory, shop

LESSON = "端口没有就绪时轮询，不要 sleep"
EXPERIENCE = "lessons:" + hashlib.md5(LESSON.replace(" ", "").encode()).hexdigest()[:16]


def grown() -> list[Memory]:
    """Three counted signals in no order, and an experience that its rule still spells out."""
    made = shop()
    made.append(memory(LESSON, "areas/tools/e2e/rules.md", 2, Layer.KNOWLEDGE, "rule"))
    for line, (name, count, priority, status) in enumerate(
        [
            ("dependency_issue", 2, "normal", "active"),
            ("error", 7, "critical", "suppressed"),
            ("environment_issue", 5, "critical", "active"),
        ],
        20,
    ):
        extra = {"signal": name, "count": count, "priority": priority, "status": status}
        made.append(
            memory(
                name, "evolution/report.md", line, Layer.EVOLUTION, "signal", extra=extra, created=NOON - DAY
            )
        )
    for number in range(3):
        made.append(
            memory(
                f"ref {EXPERIENCE}", "evolution/audit.jsonl", 40 + number, Layer.EVOLUTION, "event",
                entities=(EXPERIENCE,), session=f"s{number}", created=NOON - DAY,
            )
        )  # fmt: skip
    return made


def rows(desk: Desk) -> list[str]:
    return [line.split("┃", 1)[1] for line in desk.text().splitlines() if "┃" in line]


async def test_the_gravest_open_signal_is_first() -> None:
    async with running(FakeVault(grown())) as desk:
        await desk.press("4")
        text = "\n".join(rows(desk))
        assert text.index("environment_issue") < text.index("dependency_issue") < text.index("suppressed")


async def test_effects_say_what_is_remembered_and_open_it() -> None:
    async with running(FakeVault(grown())) as desk:
        await desk.press("4", "h", "j")
        assert "Evolution · Effects · 2" in desk.text()
        assert LESSON[:8] in desk.text()
        await desk.press("l")
        found = desk.main.desk.memory()
        assert found is not None
        assert found.path in {"areas/tools/e2e/rules.md", "evolution/audit.jsonl"}
        await desk.press("j")
        assert "── effect" in desk.text()


async def test_an_event_reads_as_what_it_refers_to() -> None:
    async with running(FakeVault(grown())) as desk:
        await desk.press("4", "h", "G", "k", "k")
        assert LESSON[:8] in desk.text()
