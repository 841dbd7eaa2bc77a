"""What comes back is counted as spec 002 says, whatever the order of the log and however often it is counted.

Its four gates, each by itself, and as a function that no order and no clock can trick. A short year, learned from: what
was planted is found, and little else (`python -m tests.evolution` has all of it).
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.config import EvolutionConfig
from memtui.evolution import skill_proposals, skill_records
from memtui.evolution.audit import Outcome, OutcomeStatus, PatternStatus, SessionSignals, Settled
from memtui.evolution.effects import Gate, Pattern
from memtui.evolution.patterns import compute_patterns, compute_problems, compute_streak
from memtui.evolution.skill_records import State
from memtui.language.conversation import SIGNALS, Signal
from memtui.language.trouble_kinds import KINDS
from tests.evolution import replay, year
from tests.evolution.scores import Score, clusters, pairs, spearman
from tests.evolution.skills.skilled import scene

CONFIG = EvolutionConfig()
DAY = 86400.0


def heard(number: int, *signs: str, project: str = "", day: float | None = None) -> SessionSignals:
    """A session a day; a sign is 'type' or 'type:about'."""
    signals = tuple(
        Signal(kind, f"{kind} {about}", f"sessions/s-{number}.md", 12, about)
        for kind, _colon, about in (sign.partition(":") for sign in signs)
    )
    return SessionSignals(f"s-{number:03}", (number if day is None else day) * DAY, signals, project)


def days(*said: str, project: str = "") -> list[SessionSignals]:
    """One session for each word; '' hears nothing."""
    return [heard(number, *filter(None, [sign]), project=project) for number, sign in enumerate(said)]


def only(found: Sequence[Pattern]) -> Pattern:
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("many", "priority"), [(1, "normal"), (2, "normal"), (3, "high"), (4, "high"), (5, "critical"), (8, "critical")]
)
def test_the_window_is_eight_and_three_is_high_and_five_is_critical(many: int, priority: str) -> None:
    sessions = days(*["error"] * 4, *[""] * 9, *["error"] * many, *[""] * (8 - many))
    found = only(compute_patterns(sessions, (), CONFIG))
    assert (found.count, found.window, found.priority, found.status) == (many, 8, priority, "active")
    assert found.times == 4 + many
    assert [one.session for one in found.sessions] == [one.session for one in sessions[13 : 13 + many]]


def test_a_session_counts_once_however_much_is_heard_in_it() -> None:
    found = only(compute_patterns([heard(1, "error", "error", "error")], (), CONFIG))
    assert (found.count, found.window, found.times) == (1, 1, 1)


def test_what_is_not_in_the_window_is_quiet_and_has_its_history() -> None:
    found = only(compute_patterns(days(*["error"] * 6, *[""] * 12), (), CONFIG))
    assert (found.status, found.priority, found.count) == ("quiet", "normal", 0)
    assert found.last == 5 * DAY
    assert found.history == (2, 4, 0)


def test_thresholds_and_window_are_settings() -> None:
    config = CONFIG._replace(window=4, high=2, critical=3)
    assert only(compute_patterns(days("error", "error", "", ""), (), config)).priority == "high"
    assert only(compute_patterns(days("error", "error", "", "", ""), (), config)).count == 1


def test_a_problem_comes_back_within_a_window_and_twice_a_year_is_none() -> None:
    noise = days(*[f"error:name{number}" for number in range(40)])
    noise[3] = heard(3, "environment_issue:docker daemon")
    noise[30] = heard(30, "environment_issue:docker daemon")
    assert compute_problems(noise, (), CONFIG) == []
    noise[31] = heard(31, "environment_issue:docker daemon")
    assert compute_problems(noise, (), CONFIG) == []
    noise[37] = heard(37, "environment_issue:docker daemon")
    found = only(compute_problems(noise, (), CONFIG))
    assert (found.key, found.count, found.times) == ("environment_issue:docker daemon", 1, 4)
    assert [(one.session, sign.line) for one, sign in found.lines] == [
        ("s-003", 12), ("s-030", 12), ("s-031", 12), ("s-037", 12),
    ]  # fmt: skip


def test_a_burst_that_ended_is_a_problem_and_quiet() -> None:
    found = only(compute_problems(days(*["error:redis"] * 5, *[""] * 30), (), CONFIG))
    assert (found.status, found.priority, found.count, found.times) == ("quiet", "normal", 0, 5)


def test_a_project_has_a_window_of_its_own() -> None:
    sessions = [
        heard(number, *(["error:redis"] if number % 10 == 0 else []), project="shop" if number % 5 == 0 else "wiki")
        for number in range(50)
    ]
    found = only(compute_problems(sessions, (), CONFIG))
    assert (found.project, found.count, found.window) == ("shop", 4, 8)


def test_a_project_that_nobody_works_on_has_no_active_problems() -> None:
    shop = [heard(number, "error:redis", project="shop") for number in range(6)]
    wiki = [heard(100 + number, project="wiki") for number in range(20)]
    assert only(compute_problems([*shop, *wiki], (), CONFIG)).status == "quiet"


def test_signals_that_name_nothing_are_no_problem() -> None:
    assert compute_problems(days(*["error"] * 8), (), CONFIG) == []


def test_fewer_and_more_words_name_one_trouble_and_a_shared_word_does_not() -> None:
    said = ["error:redis", "error:redis refused", "error:redis port", "error:postgres refused", "error:kafka refused"]
    found = only(compute_problems(days(*said), (), CONFIG))
    assert (found.about, found.means) == ("redis", frozenset({"redis", "redis refused", "redis port"}))


def settled(status: PatternStatus, day: float, pattern: str = "error", who: str = "person") -> Settled:
    return Settled(pattern, status, day * DAY, who, "because")


def test_somebody_says_how_it_stands_and_the_newest_word_holds() -> None:
    sessions = days(*["error"] * 8)
    assert only(compute_patterns(sessions, [settled("addressed", 9)], CONFIG)).status == "addressed"
    found = only(compute_patterns(sessions, [settled("suppressed", 9.5, who="ann"), settled("addressed", 9)], CONFIG))
    assert (found.status, found.who, found.reason, found.priority) == ("suppressed", "ann", "because", "normal")
    again = only(compute_patterns(sessions, [settled("suppressed", 9), settled("active", 10)], CONFIG))
    assert (again.status, again.priority, again.who) == ("active", "critical", "person")


@pytest.mark.parametrize(("after", "status"), [(0, "addressed"), (2, "addressed"), (3, "active"), (5, "active")])
def test_what_was_addressed_is_active_again_when_it_came_back_often_enough(after: int, status: str) -> None:
    sessions = days(*["error"] * 8, *["error"] * after)
    found = only(compute_patterns(sessions, [settled("addressed", 7.5)], CONFIG))
    assert (found.status, found.returned) == (status, after >= 3)


def test_what_was_suppressed_stays_so_however_often_it_comes() -> None:
    found = only(compute_patterns(days(*["error"] * 30), [settled("suppressed", 2)], CONFIG))
    assert (found.status, found.returned) == ("suppressed", False)


def test_a_problem_stays_settled_under_any_of_its_names() -> None:
    sessions = days("error:redis refused", "error:redis", "error:redis")
    word = settled("addressed", 9, "error:redis refused")
    assert only(compute_problems(sessions, [word], CONFIG)).status == "addressed"


@pytest.mark.parametrize(
    ("went", "length", "priority"),
    [
        ("", 0, "normal"), ("sf", 1, "normal"), ("sff", 2, "normal"), ("sfff", 3, "high"),
        ("fffff", 5, "critical"), ("sfufuuf", 3, "high"), ("ffs", 0, "normal"), ("ffp", 0, "normal"),
        ("ffpf", 1, "normal"), ("ffuu", 2, "normal"),
    ],
)  # fmt: skip
def test_a_streak_is_of_failures_and_unknown_ones_neither_break_nor_lengthen_it(
    went: str, length: int, priority: str
) -> None:
    words: dict[str, OutcomeStatus] = {"s": "success", "f": "failed", "p": "partly", "u": "unknown"}
    sessions = days(*[""] * len(went))
    outcomes = {
        one.session: Outcome(one.session, one.time, words[letter]) for one, letter in zip(sessions, went, strict=True)
    }
    found = compute_streak(sessions, outcomes)
    assert (found.length, found.priority, found.flagged) == (length, priority, length >= 2)
    assert list(found.sessions) == sorted(found.sessions)


ABOUTS = ("", "redis", "redis refused", "docker daemon", "docker")
SESSIONS = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from(SIGNALS[:3]), st.sampled_from(ABOUTS)), max_size=3),
        st.sampled_from(("", "shop", "wiki")),
    ),
    max_size=40,
)


def made(drawn: list[tuple[list[tuple[str, str]], str]]) -> list[SessionSignals]:
    return [
        heard(number, *(f"{kind}:{about}" for kind, about in signs), project=project)
        for number, (signs, project) in enumerate(drawn)
    ]


@given(SESSIONS)
def test_counted_twice_it_is_the_same_and_every_number_fits(drawn: list[tuple[list[tuple[str, str]], str]]) -> None:
    sessions = made(drawn)
    for found in (compute_patterns(sessions, (), CONFIG), compute_problems(sessions, (), CONFIG)):
        for one in found:
            assert 0 <= one.count <= one.window <= CONFIG.window
            assert one.count <= one.times
            assert one.history[-1] == one.count
            assert all(any(one.has(sign) for sign in session.signals) for session in one.sessions)
            assert (one.priority != "normal") <= (one.status == "active" and one.count >= CONFIG.high)
    assert compute_patterns(sessions, (), CONFIG) == compute_patterns(list(sessions), (), CONFIG)
    assert compute_problems(sessions, (), CONFIG) == compute_problems(list(sessions), (), CONFIG)
    keys = [one.key for one in compute_problems(sessions, (), CONFIG)]
    assert len(keys) == len(set(keys))


@given(SESSIONS, st.integers(0, 2**16))
def test_the_order_of_signals_and_of_settled_events_is_nothing(
    drawn: list[tuple[list[tuple[str, str]], str]], seed: int
) -> None:
    dice = random.Random(seed)
    sessions = made(drawn)
    shuffled = [one._replace(signals=tuple(dice.sample(one.signals, len(one.signals)))) for one in sessions]
    words = [settled("addressed", 3), settled("suppressed", 5), settled("active", 4)]

    def plain(found: list[Pattern]) -> list[Pattern]:
        return [one._replace(sessions=()) for one in found]

    mixed = dice.sample(words, 3)
    assert plain(compute_patterns(shuffled, mixed, CONFIG)) == plain(compute_patterns(sessions, words, CONFIG))
    assert plain(compute_problems(shuffled, (), CONFIG)) == plain(compute_problems(sessions, (), CONFIG))


@given(SESSIONS, st.integers(0, 39))
def test_hearing_more_makes_nothing_less_urgent(drawn: list[tuple[list[tuple[str, str]], str]], at: int) -> None:
    sessions = made(drawn)
    if not sessions:
        return
    more = list(sessions)
    more[at % len(more)] = more[at % len(more)]._replace(
        signals=(*more[at % len(more)].signals, Signal("error", "it broke"))
    )
    before = {one.key: one.count for one in compute_patterns(sessions, (), CONFIG)}
    after = {one.key: one.count for one in compute_patterns(more, (), CONFIG)}
    assert all(after[key] >= count for key, count in before.items())


def test_a_thing_in_trouble_of_two_kinds_is_one_problem_and_two_things_are_two() -> None:
    said = ["performance_issue:slow query order", "performance_issue:timeout order"] * 3
    found = only(compute_problems(days(*said), (), CONFIG))
    assert (found.times, len(found.means)) == (6, 2)
    said = ["environment_issue:econnrefused redis", "environment_issue:econnrefused postgres"] * 3
    assert len(compute_problems(days(*said), (), CONFIG)) == 2
    said = ["error:keyerror cart", "error:typeerror cart"] * 3
    assert len(compute_problems(days(*said), (), CONFIG)) == 2


def test_kinds_of_different_times_or_projects_stay_apart() -> None:
    early, late = "performance_issue:slow query order", "performance_issue:timeout order"
    assert len(compute_problems(days(*[early] * 4, *[""] * 9, *[late] * 4), (), CONFIG)) == 2
    sessions = [
        heard(number, early if number % 2 else late, project="shop" if number % 2 else "wiki") for number in range(12)
    ]
    assert len(compute_problems(sessions, (), CONFIG)) == 2


def test_that_it_comes_back_is_no_problem_of_its_own() -> None:
    sessions = [heard(number, "dependency_issue:lombok", "recurring_issue:lombok") for number in range(4)]
    assert [one.type for one in compute_problems(sessions, (), CONFIG)] == ["dependency_issue"]
    assert [one.type for one in compute_problems(days(*["recurring_issue:lombok"] * 4), (), CONFIG)] == [
        "recurring_issue"
    ]


def test_ways_of_telling_count_together_and_what_was_said_once_makes_no_problem() -> None:
    slow, late = "performance_issue:slow query order", "performance_issue:timeout order"
    found = only(compute_problems(days(slow, "", late, "", slow, "", late), (), CONFIG))
    assert (found.count, found.priority) == (4, "high")
    assert compute_problems(days(slow, "", late, "", "performance_issue:oom order"), (), CONFIG) == []
    absorbed = only(compute_problems(days(slow, slow, late, slow), (), CONFIG))
    assert absorbed.times == 4


def test_a_class_of_exceptions_goes_with_what_names_none() -> None:
    said = ["error:nullpointerexception paymentsheet", "error:crash paymentsheet"] * 2
    assert only(compute_problems(days(*said), (), CONFIG)).times == 4


def test_an_unset_variable_of_a_tool_is_not_the_tool_that_does_not_run() -> None:
    def name(text: str) -> str:
        return next(kind[0] for kind in KINDS if kind.pattern.search(text))

    assert name("docker 环境变量没有生效") == "env-var"
    assert name("docker compose 里环境变量没设置好") == "env-var"
    assert name("docker 没启动，连不上") == name("docker daemon 未运行") == "not-running"


NOW = 1_795_000_000.0
HOUR = 3600.0
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
        gate.name: gate for gate in skill_proposals.compute_gates(patterns, outcomes, state, config, NOW, env or {})
    }


def test_all_four_are_there_in_the_order_of_the_specification() -> None:
    assert list(found()) == ["switch", "cooldown", "patterns", "success"]
    assert all(gate.open for gate in found().values())
    assert skill_proposals.shut(list(found().values())) == ""


@pytest.mark.parametrize(
    ("said", "opened"),
    [
        ("false", False), ("False", False), (" FALSE ", False), ("true", True), ("", True), ("1", True),
        ("0", False), ("off", False), ("No", False),
    ],
)  # fmt: skip
def test_the_switch(said: str, opened: bool) -> None:
    assert found(env={"CAPABILITY_GENERATION": said})["switch"].open is opened
    assert not found(env={"CAPABILITY_GENERATION": said}, config=CONFIG._replace(generation=False))["switch"].open


@pytest.mark.parametrize(("hours", "opened"), [(23.99, False), (24.0, True), (24.01, True), (-5, False), (900, True)])
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


@pytest.mark.parametrize("layout", ["memtui", "code-memory"])
def test_a_year_is_learned_from(layout: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", year.NOW)
    found = replay.measured(tmp_path / "home", layout, 11, 240)
    assert found["same"]
    for name in ("signals", "problems", "contradictions", "duplicates"):
        assert found[name]["precision"] >= 0.9, (name, found["misses"])
        assert found[name]["recall"] >= 0.75, (name, found["misses"])
    assert found["lessons"]["found"] == found["lessons"]["wanted"]
    assert found["lessons"]["spearman"] >= 0.75


def test_the_measures_can_fail() -> None:
    one, two = frozenset(("a", "b")), frozenset(("c", "d"))
    assert pairs([one, two], [one]) == Score(2, 1, 1, 1)
    assert clusters([("error", ["1", "2", "3"])], {("error", 0): ["7", "8"]}) == Score(1, 0, 0, 1)
    assert clusters([("error", ["1", "2"]), ("error", ["2"])], {("error", 0): ["1", "2"]}) == Score(2, 2, 1, 1)
    assert spearman([1, 2, 3], [3, 2, 1]) == -1.0
    assert spearman([1, 2, 3], [1, 2, 3]) == 1.0
