"""Homes and transcripts for tests of evolution, made as the tools make them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from memtui.language import summary, transcript_reading
from memtui.language.conversation import Conversation, Extract, Session
from tests.sessions.recorded import Claude

ID = "5f0c2f6e-6b1d-4a53-9a57-1c5f3a2b7d10"


class Ended(NamedTuple):
    """A session that is over."""

    session: Session
    talk: Conversation
    found: Extract


def ended(tape: Claude, path: Path, *, sidechain: bool = False) -> Ended:
    """The transcript written down and read again, as the worker does."""
    file = path / f"{tape.session}.jsonl"
    file.write_text(tape.text(), "utf-8")
    session = Session(tape.session, "claude-code", tape.cwd, "shop", "shop", str(file), sidechain)
    talk = transcript_reading.read(session)
    assert talk is not None
    return Ended(session, talk, summary.extract(talk))


def own(path: Path, *lessons: str) -> Path:
    """memtui's own kind of home, with lessons in MEMORY.md."""
    path = path / ".memtui"
    (path / "user").mkdir(parents=True)
    (path / "user" / "profile.md").write_text("# Profile\n\n- Writes from Chengdu\n", "utf-8")
    lines = "".join(f"- {lesson}\n" for lesson in lessons)
    (path / "MEMORY.md").write_text(f"# Memory\n\n## Lessons\n\n{lines}", "utf-8")
    (path / "evolution").mkdir()
    return path


def scripts(path: Path, *lessons: str) -> Path:
    """A home of code-memory's."""
    for folder in ("areas/projects/shop", "daily", "sessions", "evolution"):
        (path / folder).mkdir(parents=True)
    lines = "".join(f"- **{lesson}** (2026-02-26, auto)\n" for lesson in lessons)
    (path / "MEMORY.md").write_text(f"# 核心记忆\n\n## 避坑经验\n\n{lines}", "utf-8")
    return path
