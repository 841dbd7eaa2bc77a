"""Where everything is outdated at once, and what a run that took much away itself says of it afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.consolidation.outdated_files import ALL
from memtui.core.config import Config
from memtui.store.vault import Vault
from tests.consolidation.homes import look_after, session, step, write
from tests.curation.facts_of import DAY


def _home(root: Path, sessions: int, oldest: int = 0) -> Path:
    home = root / ".memtui"
    write(home, "MEMORY.md", "# MEMORY\n")
    for number in range(sessions):
        session(home, f"s-{number:03d}", oldest + number)
    return home


def test_a_clock_that_is_far_ahead_takes_nothing(tmp_path: Path) -> None:
    home = _home(tmp_path, ALL + 1)
    for day in range(1, ALL + 2):
        write(home, f"daily/2026-02-{day:02d}.md", f"- 2026-02-{day:02d}T10:00:00Z [note] {day}\n")
    found = step(look_after(home, later=400 * DAY), "retention")
    assert found.counts == {"sessions": 0, "daily": 0}
    assert {what for what, _why in found.left} == {"sessions", "daily"}
    assert "older than 30 days" in dict(found.left)["sessions"]
    assert len([*(home / "sessions").glob("s-*.md")]) == len([*(home / "daily").glob("2026-02-*")]) == ALL + 1


@pytest.mark.parametrize(("sessions", "gone"), [(ALL, ALL), (ALL + 1, 0)])
def test_a_small_home_is_as_its_rules_say(tmp_path: Path, sessions: int, gone: int) -> None:
    home = _home(tmp_path, sessions, 40)
    assert step(look_after(home), "retention").counts["sessions"] == gone


def test_they_go_once_newer_ones_stand_beside_them(tmp_path: Path) -> None:
    home = _home(tmp_path, ALL + 5, 40)
    # What the run of today may have made itself says nothing of the clock.
    session(home, "today", 0)
    assert step(look_after(home), "retention").counts["sessions"] == 0
    assert step(look_after(home, later=DAY), "retention").counts["sessions"] == ALL + 5


def test_what_it_took_itself_is_no_accident(tmp_path: Path) -> None:
    home = _home(tmp_path, 140)
    with Vault.open([home], config=Config()) as vault:
        assert sum(state.files for state in vault.status()) == 141
    report = look_after(home)
    assert step(report, "retention").counts["sessions"] == 109
    assert not step(report, "index").left
    with Vault.open([home]) as vault:
        vault.refresh()
        (state,) = vault.status()
        assert state.warning == "" and state.files < 141 - 109 + 10


def test_what_somebody_else_took_is_looked_at_again(tmp_path: Path) -> None:
    home = _home(tmp_path, 40)
    with Vault.open([home]) as vault:
        vault.refresh()
        for place in (home / "sessions").iterdir():
            place.unlink()
        vault.refresh()
        assert "40 files are gone at once" in vault.status()[0].warning
