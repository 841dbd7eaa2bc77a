"""Facts and homes to curate, as small as they can be told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memtui.core import clock
from memtui.core.model import Layer, Memory, Status

NOW = "2026-03-01T12:00:00+00:00"
DAY = 86400.0


def now() -> float:
    """The moment that these tests live in."""
    moment = clock.parse(NOW)
    assert moment is not None
    return moment


_numbers = iter(range(1, 1 << 30))


def fact(
    text: str,
    days: float | None = 10.0,
    confidence: float | None = 0.95,
    *,
    kind: str = "fact",
    layer: Layer = Layer.JOURNAL,
    path: str = "daily/2026-02-20.jsonl",
    status: Status = Status.ACTIVE,
    **more: Any,
) -> Memory:
    """A remembered fact, said so many days ago."""
    number = next(_numbers)
    made = Memory(
        text,
        number,
        number,
        kind,
        layer,
        status,
        created=None if days is None else now() - days * DAY,
        confidence=confidence,
        **more,
    )
    made.id, made.home, made.path, made.modified = f"m{number}", "/home", path, now()
    return made


def record(text: str, day: str, number: int = 1, **more: Any) -> str:
    """A line of spec 004's daily JSONL."""
    plain = {
        "id": f"log-{number}", "type": "fact", "memory_type": "W", "content": text, "entities": [],
        "confidence": 0.95, "timestamp": f"{day}T10:00:{number % 60:02d}Z", "source": {"session": "s-1"},
    }  # fmt: skip
    return json.dumps({**plain, **more}, ensure_ascii=False)


def skillix(root: Path, days: dict[str, list[str]], memory: str | bytes | None = None) -> Path:
    """A home of spec 004: lines of records by day, and its MEMORY.md."""
    home = root / ".cursor/skills/memory-data"
    (home / "daily").mkdir(parents=True)
    for day, lines in days.items():
        (home / "daily" / f"{day}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    if memory is not None:
        (home / "MEMORY.md").write_bytes(memory.encode() if isinstance(memory, str) else memory)
    return home


def memtui(root: Path, journal: dict[str, str], memory: str = "") -> Path:
    """A home of memtui's own: Markdown journals by day, and its MEMORY.md."""
    home = root / ".memtui"
    (home / "daily").mkdir(parents=True)
    (home / "areas/projects/shop").mkdir(parents=True)
    for day, text in journal.items():
        (home / "daily" / f"{day}.md").write_text(text, "utf-8")
    if memory:
        (home / "MEMORY.md").write_text(memory, "utf-8")
    return home
