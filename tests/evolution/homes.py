"""Small homes with sixty sessions in the forms that their tools write, and one trouble in some of them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memtui.core.edits import Receipt
from memtui.core.model import Home
from memtui.evolution import audit
from memtui.evolution.audit import Outcome, SessionSignals
from memtui.language.conversation import Extract, Session
from memtui.layouts import load_layout
from memtui.sessions import forms
from memtui.sessions.forms import Summary
from memtui.store.vault import Vault

BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)
NOW = "2026-03-01T12:00:00+00:00"
TROUBLE = "Integration tests failed: Redis was not running, connection refused on port 6379"
PLACES = {
    "memtui": "sessions",
    "code-memory": "sessions",
    "helloagents": "sessions",
    "xinghebot": "sessions",
    "skillix": "",
}


def name(number: int) -> str:
    """A session's id."""
    return f"{number:08x}-0000-4000-8000-000000000000"


def time(number: int) -> float:
    """One session a day."""
    return (BEGIN + timedelta(days=number)).timestamp()


def make(
    path: Path,
    layout: str,
    *,
    troubled: Collection[int] = (),
    failed: Collection[int] = (),
    many: int = 60,
    project: str = "shop",
    said: str = TROUBLE,
) -> Path:
    """A home of that layout. The trouble is told in those sessions, and those failed."""
    records: list[str] = []
    folder = path / PLACES[layout]
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(many):
        session = Session(name(number), "claude-code", f"/home/ann/{project}", project, project)
        done = [f"Added page {number} to the list", *([said] if number in troubled else [])]
        outcome = "failed: the release was put off" if number in failed else "success"
        found = Extract(done[0], tuple(done), decisions=("Keep ids as they are",), outcome=outcome)
        text = forms.render_summary(load_layout(layout).facts.summary_form, Summary(session, found, time(number)))
        if layout == "skillix":
            records.append(text)
        elif layout == "xinghebot":
            (folder / f"2026-01-01-{name(number)}.md").write_text(text, "utf-8")
        else:
            (folder / f"{name(number)}.md").write_text(text, "utf-8")
    if records:
        (path / "sessions.jsonl").write_text("".join(f"{one}\n" for one in records), "utf-8")
    beside = {
        "memtui": ("user/profile.md", "areas/projects/shop/summary.md"),
        "code-memory": ("areas/projects/shop/facts.json", "MEMORY.md"),
        "helloagents": ("INDEX.md", "context.md"),
        "xinghebot": ("MEMORY.md", "daily/2026-02-24.md"),
        "skillix": ("MEMORY.md", "daily/2026-02-24.jsonl"),
    }[layout]
    for one in beside:
        (path / one).parent.mkdir(parents=True, exist_ok=True)
        (path / one).write_text(
            '{"facts": []}' if one.endswith(".json") else "# Notes\n" if one.endswith(".md") else ""
        )
    if layout in {"memtui", "code-memory"}:
        (path / "evolution").mkdir(exist_ok=True)
    return path


def told(vault: Vault, home: Home, event: SessionSignals | Outcome, who: str, *, errors: bool = False) -> Receipt:
    """What was heard in a session, or how it went, appended to its log."""
    plain = (
        audit.encode_signals(event) if isinstance(event, SessionSignals) else audit.encode_outcome(event, errors=errors)
    )
    return audit.append_events(vault, home, [plain], who=who, what="told")
