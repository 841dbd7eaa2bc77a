"""One look at a home holds all of it, is worked out once, and knows what is another than a week ago."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memtui import Vault
from memtui.cli import documents
from memtui.core import clock
from memtui.evolution import overview, patterns
from memtui.evolution.audit import PATH
from memtui.evolution.overview import load_overview as overview_test_overview
from memtui.language import similarity
from tests.evolution import homes

GOOD, BAD = "Run the migrations before the service starts", "Delete the lock file when an install fails"


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", homes.NOW)


def used(place: Path, days: range) -> None:
    """Both lessons are used in sessions of these days; one of them ends well, the other does not."""
    (place / "MEMORY.md").write_text(f"# MEMORY\n\n## Lessons\n\n- {GOOD}\n- {BAD}\n", "utf-8")
    lines = []
    for number in days:
        stamp = clock.convert_to_local(homes.time(number)).replace(tzinfo=None).isoformat(timespec="seconds")
        for letter, text, went in (("g", GOOD, "success"), ("b", BAD, "failed")):
            session = f"{letter}-{number}"
            named = f"avoidance:{similarity.digest(text)}"
            lines.append(
                {"timestamp": stamp, "event_type": "ref", "experience_id": named, "session_id": session}
            )
            lines.append(
                {"timestamp": stamp, "event_type": "outcome", "session_id": session, "outcome": went}
            )
    (place / PATH).write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def kinds(vault: Vault) -> list[tuple[str, str]]:
    return [
        (one.kind, one.name.partition(" ")[0])
        for one in overview_test_overview(vault, vault.homes[0]).changes
    ]


def test_what_is_another_since_a_week_ago(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", troubled=(53, 55, 56, 58, 59), failed=(58, 59))
    used(place, range(54, 60))
    with Vault.open([place]) as vault:
        home = vault.homes[0]
        found = overview_test_overview(vault, home)
        assert {one.kind for one in found.changes} == {"new", "weak", "strong"}
        assert ("weak", "Delete") in kinds(vault)
        assert ("strong", "Run") in kinds(vault)
        assert [one.good for one in found.changes] == sorted(one.good for one in found.changes)
        assert all(one.said and one.name in one.said for one in found.changes)
        assert [found.experiences[one.experience].text for one in found.strong] == [GOOD]
        assert [found.experiences[one.experience].text for one in found.weak] == [BAD]
        problem = found.problems[0]
        patterns.settle(vault, home, problem.key, "addressed")
        after = overview_test_overview(vault, home)
        assert ("settled", problem.key) in {(one.kind, one.key) for one in after.changes}
        assert after.pattern(problem.key) is not None


def test_what_was_so_a_week_ago_is_no_news(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", troubled=range(30, 60), failed=range(50, 60))
    used(place, range(30, 50))
    with Vault.open([place]) as vault:
        found = overview_test_overview(vault, vault.homes[0])
        assert found.changes == ()
        assert found.problems[0].priority == "critical"
        assert found.streak.length == 10


def test_what_calmed_down_is_good_news(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", troubled=range(44, 51))
    with Vault.open([place]) as vault:
        found = overview_test_overview(vault, vault.homes[0])
        assert {(one.kind, one.before, one.after) for one in found.changes} == {
            ("calmed", "critical", "quiet")
        }


def test_it_is_worked_out_once_and_again_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = homes.make(tmp_path / "home", "memtui", troubled=(1, 2, 3), many=10)
    with Vault.open([place]) as vault:
        home = vault.homes[0]
        first = overview_test_overview(vault, home)
        assert overview_test_overview(vault, home) is first
        monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T12:10:00+00:00")
        later = overview_test_overview(vault, home)
        assert later is not first
        assert later.patterns == first.patterns
        patterns.settle(vault, home, first.problems[0].key, "suppressed")
        assert overview_test_overview(vault, home).problems[0].status == "suppressed"


def test_an_empty_home_has_nothing_to_show(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", many=0)
    with Vault.open([place]) as vault:
        found = overview_test_overview(vault, vault.homes[0])
        assert (found.patterns, found.problems, found.effects, found.changes, found.sessions) == ((),) * 5
        assert found.streak.length == 0
        assert len(found.gates) == 4


def test_an_id_that_is_a_secret_is_shown_masked(tmp_path: Path) -> None:
    place = homes.make(tmp_path / "home", "memtui", many=2)
    token = "ghp_" + "Zk3" * 12
    with (place / PATH).open("a", encoding="utf-8") as file:
        for number in range(4):
            plain = {"timestamp": f"2026-02-0{number + 1}T10:00:00", "event_type": "ref",
                     "experience_id": f"rule:{token}{number % 2}", "session_id": homes.name(0)}  # fmt: skip
            file.write(json.dumps(plain) + "\n")
    with Vault.open([place]) as vault:
        found = overview_test_overview(vault, vault.homes[0])
        assert found.effects and token not in repr(found.effects) + repr(found.changes)
        assert token not in json.dumps(documents.dump_effects(found)) + overview.render_report(found)
        assert len({one.experience for one in found.effects}) == len(found.effects)
