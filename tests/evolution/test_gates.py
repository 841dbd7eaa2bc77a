"""The four gates of spec 002: each by itself, and as a function that no order and no clock can trick."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.config import EvolutionConfig
from memtui.evolution import skill_proposals, skill_records
from memtui.evolution.audit import Outcome, OutcomeStatus
from memtui.evolution.effects import Gate, Pattern
from memtui.evolution.skill_records import State
from tests.evolution.skills.skilled import scene

NOW = 1_795_000_000.0
HOUR = 3600.0
CONFIG = EvolutionConfig()
STATUSES = ("active", "addressed", "suppressed", "quiet")
WENT: tuple[OutcomeStatus, ...] = ("success", "partly", "failed", "unknown")


def pattern(count: int, status: str = "active") -> Pattern:
    return Pattern("error", "error", "", count, 8, "normal", status)


def went(*statuses: OutcomeStatus) -> list[Outcome]:
    return [Outcome(f"s{number}", None, status) for number, status in enumerate(statuses)]


def found(
    patterns: Sequence[Pattern] = (pattern(2), pattern(2)),
    outcomes: Sequence[Outcome] = (),
    state: State = State(),  # noqa: B008
    config: EvolutionConfig = CONFIG,
    env: dict[str, str] | None = None,
) -> dict[str, Gate]:
    outcomes = outcomes or went("success")
    return {
        gate.name: gate
        for gate in skill_proposals.compute_gates(patterns, outcomes, state, config, NOW, env or {})
    }


def test_all_four_are_there_in_the_order_of_the_specification() -> None:
    assert list(found()) == ["switch", "cooldown", "patterns", "success"]
    assert all(gate.open for gate in found().values())
    assert skill_proposals.shut(list(found().values())) == ""


@pytest.mark.parametrize(
    ("said", "opened"),
    [
        ("false", False),
        ("False", False),
        (" FALSE ", False),
        ("true", True),
        ("", True),
        ("1", True),
        ("0", False),
        ("off", False),
        ("No", False),
    ],
)
def test_the_switch(said: str, opened: bool) -> None:
    assert found(env={"CAPABILITY_GENERATION": said})["switch"].open is opened
    assert not found(env={"CAPABILITY_GENERATION": said}, config=CONFIG._replace(generation=False))[
        "switch"
    ].open


@pytest.mark.parametrize(
    ("hours", "opened"), [(23.99, False), (24.0, True), (24.01, True), (-5, False), (900, True)]
)
def test_the_cool_down(hours: float, opened: bool) -> None:
    gate = found(state=State(NOW - hours * HOUR))["cooldown"]
    assert gate.open is opened
    assert bool(gate.why) is not opened


def test_the_cool_down_shows_its_hours_and_when_it_opens() -> None:
    gate = found(state=State(NOW - 23 * HOUR))["cooldown"]
    assert gate.value == "23.0 hours"
    assert gate.wanted == "24 hours"
    assert "2026-11-18" in gate.why


@given(st.lists(st.builds(pattern, st.integers(0, 9), st.sampled_from(STATUSES)), max_size=6))
def test_two_patterns_that_nobody_dealt_with(patterns: list[Pattern]) -> None:
    many = sum(one.count >= 2 and one.status == "active" for one in patterns)
    gate = found(patterns)["patterns"]
    assert gate.open is (many >= 2)
    assert gate.value == str(many)


@given(st.lists(st.sampled_from(WENT), min_size=1, max_size=9))
def test_the_last_five_sessions(statuses: list[OutcomeStatus]) -> None:
    last = statuses[:5]
    gate = found(outcomes=went(*statuses))["success"]
    assert gate.open is (last.count("success") * 10 >= len(last) * 6)
    assert gate.value.startswith(f"{last.count('success')} of {len(last)}")
    assert ("unknown" in gate.value) is ("unknown" in last)


def test_what_is_not_known_did_not_go_well() -> None:
    gate = found(outcomes=went("success", "success", "success", "unknown", "failed"))["success"]
    assert (gate.value, gate.open) == ("3 of 5, 1 unknown", True)
    assert not found(outcomes=went("success", "success", "unknown", "unknown", "unknown"))["success"].open
    assert not skill_proposals.compute_gates([], [], State(), CONFIG, NOW, {})[3].open


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ('{"last_generation_at": "2026-11-20T10:00:00", "generation_count": 3}', "2026-11-20"),
        ('{"last_generation_at": null}', "2026-11-19"),
        ("[[[[", "2026-11-19"),
        ("", "2026-11-19"),
    ],
)
def test_the_log_stands_in_for_a_state_that_is_missing(text: str, last: str) -> None:
    log = [
        {"timestamp": "2026-11-18T10:00:00", "event_type": "generation", "capability_name": "auto-a"},
        {"type": "CapabilityGenerated", "ts": "2026-11-19T10:00:00", "name": "auto-b", "status": "generated"},
        {"type": "CapabilityFailed", "ts": "2026-11-21T10:00:00", "name": "auto-c", "status": "failed"},
        {"timestamp": "2026-11-21T11:00:00", "event_type": "removal", "capability_name": "auto-a"},
    ]
    events = skill_records.parse_skill_log("\n".join([*map(json.dumps, log), "torn {", "[]"]).encode())
    state = skill_records.state(text.encode(), events)
    assert state.last is not None
    assert skill_records._stamp(state.last).startswith(last)


def test_a_home_is_asked_for_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    place = scene()
    vault, home = place.open()
    with vault:
        assert all(gate.open for gate in skill_proposals.load_gates(vault, home))
        monkeypatch.setenv("CAPABILITY_GENERATION", "false")
        shut = [gate.name for gate in skill_proposals.load_gates(vault, home) if not gate.open]
    assert shut == ["switch"]


def test_a_session_without_an_outcome_counts_as_unknown() -> None:
    place = scene(log=False)
    vault, home = place.open()
    with vault:
        gate = skill_proposals.load_gates(vault, home)[3]
    assert gate.value == "0 of 5, 5 unknown"
    assert not gate.open
