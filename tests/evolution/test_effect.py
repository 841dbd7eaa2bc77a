"""Effects of experiences (spec 002): worked by hand, and what must hold of any log."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui import Vault
from memtui.core.config import EvolutionConfig
from memtui.core.model import Filter
from memtui.evolution import experiences
from memtui.evolution.audit import ExperienceRef, Log, Outcome, Verdict, merge_logs, parse_log
from memtui.evolution.effects import DAY, TREND, Effect, compute_effects, smooth_ratio

NOW = 1_800_000_000.0
CONFIG = EvolutionConfig()
A, B = "avoidance:aaaaaaaaaaaaaaaa", "rule:shop:Style:bbbbbbbbbbbbbbbb"


def of(log: Log, experience: str = A, now: float = NOW) -> Effect:
    return next(one for one in compute_effects(log, now, CONFIG) if one.experience == experience)


def test_by_hand() -> None:
    """Three sessions used it, two went well and one failed: (2 + 1) / (3 + 2) = .6; 90 days later half of that."""
    refs = tuple(ExperienceRef(A, f"s{number}", NOW - number * DAY) for number in range(3))
    log = Log(
        refs, (Outcome("s0", NOW, "success"), Outcome("s1", NOW, "failed"), Outcome("s2", NOW, "success"))
    )
    found = of(log)
    assert (found.refs, found.good, found.bad, found.p) == (3, 2, 1, 0.6)
    assert (found.first, found.last, found.sessions) == (NOW - 2 * DAY, NOW, ("s2", "s1", "s0"))
    assert found.value(NOW, 90) == 0.6
    assert found.value(NOW + 90 * DAY, 90) == pytest.approx(0.3)
    assert found.value(NOW + 30 * DAY, 30) == pytest.approx(0.3)
    # s2 went well: 2/3; s1 failed: 2/4; s0 went well: 3/5.
    assert found.trend == pytest.approx((2 / 3, 1 / 2, 3 / 5))


def test_nothing_known_is_one_half() -> None:
    found = of(Log((ExperienceRef(A, "s", NOW),)))
    assert (found.p, found.known, found.trend) == (0.5, 0, ())
    partly = of(
        Log(
            (ExperienceRef(A, "s", NOW), ExperienceRef(A, "t", NOW)),
            (Outcome("s", NOW, "partly"), Outcome("t", NOW, "unknown")),
        )
    )
    assert (partly.good, partly.bad, partly.p, partly.refs) == (0, 0, 0.5, 2)


def test_a_session_counts_once_by_its_last_word() -> None:
    refs = (ExperienceRef(A, "s", NOW - DAY), ExperienceRef(A, "s", NOW), ExperienceRef(B, "s", NOW))
    log = Log(
        refs, (Outcome("s", NOW, "success"), Outcome("other", NOW, "failed"), Outcome("s", NOW - 9, "failed"))
    )
    found = of(log)
    assert (found.refs, found.good, found.bad, found.first, found.last) == (1, 0, 1, NOW - DAY, NOW)
    assert of(log, B).bad == 1


def test_who_cannot_tell_takes_nothing_back() -> None:
    told = (Outcome("s", NOW, "success"), Outcome("s", NOW + 1, "unknown"))
    assert of(Log((ExperienceRef(A, "s", NOW),), told)).good == 1
    assert of(Log((ExperienceRef(A, "s", NOW),), (told[0], Outcome("s", NOW + 1, "partly")))).known == 0


def test_a_clock_ahead_makes_nothing_better() -> None:
    found = of(Log((ExperienceRef(A, "s", NOW + 400 * DAY),), (Outcome("s", NOW, "success"),)))
    assert found.decay(NOW, 90) == 1.0
    assert of(Log((ExperienceRef(A, "s", None),), (Outcome("s", None, "success"),))).value(
        NOW, 90
    ) == pytest.approx(2 / 3)


def test_verdicts_of_people() -> None:
    def said(*words: tuple[str, str]) -> Effect:
        verdicts = tuple(Verdict(A, word, NOW - 9 + at, who) for at, (who, word) in enumerate(words))  # type: ignore[arg-type]
        return of(Log((ExperienceRef(A, "s", NOW),), (Outcome("s", NOW, "success"),), verdicts))

    assert said(("person", "helpful")).p == (2 + 1) / 4
    assert said(("person", "wrong")).p == 2 / 4
    later = said(("person", "helpful"), ("person", "wrong"))
    assert (later.helpful, later.wrong) == (0, 1)
    two = said(("person", "helpful"), ("ann", "wrong"))
    assert (two.helpful, two.wrong) == (1, 1)
    assert said(("agent:codex", "helpful"), ("hook:Stop", "wrong")).p == 2 / 3
    assert said(("person", "stale")).stale and not said(("person", "stale"), ("person", "helpful")).stale
    assert said(("person", "wrong")).trend[-1] == said(("person", "wrong")).p


def test_a_verdict_needs_no_use() -> None:
    found = of(Log(verdicts=(Verdict(A, "wrong", NOW - 90 * DAY, "person"),)))
    assert (found.refs, found.p, found.last) == (0, 1 / 3, NOW - 90 * DAY)
    assert found.value(NOW, 90) == pytest.approx(1 / 6)


def test_a_rule_is_the_same_under_another_heading() -> None:
    refs = (
        ExperienceRef("rule:shop:Style:0123456789abcdef", "s", NOW - 1),
        ExperienceRef("rule:shop:Coding:0123456789abcdef", "t", NOW),
        ExperienceRef("rule:api:Style:0123456789abcdef", "u", NOW),
    )
    found = {one.experience: one.refs for one in compute_effects(Log(refs), NOW, CONFIG)}
    assert found == {"rule:shop:Coding:0123456789abcdef": 2, "rule:api:Style:0123456789abcdef": 1}


def test_the_trend_is_short() -> None:
    refs = tuple(ExperienceRef(A, f"s{number:02}", NOW + number) for number in range(20))
    went = tuple(Outcome(f"s{number:02}", NOW, "success") for number in range(20))
    found = of(Log(refs, went))
    assert len(found.trend) == TREND and found.trend[-1] == found.p == smooth_ratio(20, 0)


_IDS = st.sampled_from([A, B, "memory:12"])
_SESSIONS = st.sampled_from([f"s{number}" for number in range(6)])
_TIMES = st.one_of(st.none(), st.floats(NOW - 500 * DAY, NOW + 5 * DAY))
_REFS = st.lists(st.builds(ExperienceRef, _IDS, _SESSIONS, _TIMES), max_size=20)
_WENT = st.lists(
    st.builds(Outcome, _SESSIONS, _TIMES, st.sampled_from(["success", "failed", "partly", "unknown"])),
    max_size=12,
)
_SAID = st.lists(
    st.builds(
        Verdict,
        _IDS,
        st.sampled_from(["helpful", "wrong", "stale"]),
        _TIMES,
        st.sampled_from(["person", "ann"]),
    ),
    max_size=6,
)


@settings(deadline=None)
@given(_REFS, _WENT, _SAID, st.randoms())
def test_what_always_holds(
    refs: list[ExperienceRef], went: list[Outcome], said: list[Verdict], dice: random.Random
) -> None:
    log = Log(tuple(refs), tuple(went), tuple(said))
    found = compute_effects(log, NOW, CONFIG)
    values = [one.value(NOW, CONFIG.half_life_days) for one in found]
    assert values == sorted(values, reverse=True) and all(0 < value < 1 for value in values)
    named = {ref.experience for ref in refs} | {verdict.experience for verdict in said}
    assert {one.experience for one in found} == named
    for one in found:
        used = {ref.session for ref in refs if ref.experience == one.experience}
        assert (one.refs, set(one.sessions), len(one.sessions)) == (len(used), used, len(used))
        assert one.good + one.bad <= one.refs and one.helpful + one.wrong <= 2
        assert one.p == (one.good + one.helpful + 1) / (one.known + 2)
        assert (one.trend[-1] if one.trend else 0.5) == one.p
    # Lines of different sessions may stand in any order, and uses in any at all.
    order = {session: at for at, session in enumerate(dice.sample([f"s{number}" for number in range(6)], 6))}
    shuffled = sorted(went, key=lambda one: order[one.session])
    dice.shuffle(refs)
    assert compute_effects(Log(tuple(refs), tuple(shuffled), tuple(said)), NOW, CONFIG) == found
    assert compute_effects(merge_logs([log, Log()]), NOW, CONFIG) == compute_effects(
        merge_logs([Log(), log]), NOW, CONFIG
    )


@settings(deadline=None)
@given(_REFS, _WENT, st.floats(0, 1000), st.floats(0, 1000))
def test_age_only_takes_away(refs: list[ExperienceRef], went: list[Outcome], one: float, two: float) -> None:
    low, high = sorted((one, two))
    for found in compute_effects(Log(tuple(refs), tuple(went)), NOW, CONFIG):
        assert found.value(NOW + high * DAY, 90) <= found.value(NOW + low * DAY, 90) <= found.p


def test_both_dialects_tell_the_same() -> None:
    def line(**fields: Any) -> str:
        import json

        return json.dumps(fields)

    spec = [
        line(timestamp="2026-02-26T10:00:00", event_type="ref", experience_id=A, session_id="s"),
        line(
            timestamp="2026-02-26T11:00:00",
            event_type="outcome",
            session_id="s",
            outcome="success",
            corrections=0,
        ),
    ]
    scripts = [
        line(type="ExperienceReferenced", ts="2026-02-26T10:00:00", experience_id=A, session_id="s"),
        line(type="SessionOutcome", ts="2026-02-26T11:00:00", session_id="s", status="success", score=0.85),
    ]
    first, second = (
        compute_effects(parse_log("\n".join(lines).encode()), NOW, CONFIG) for lines in (spec, scripts)
    )
    assert first == second and first[0].good == 1


def test_of_several_logs_the_newest_word_holds() -> None:
    one = Log((ExperienceRef(A, "s", NOW),), (Outcome("s", NOW - 5, "failed"), Outcome("s", NOW, "success")))
    two = Log((), (Outcome("s", NOW - 1, "failed"), Outcome("s", NOW + 1, "unknown")))
    assert of(merge_logs([one, two])).good == of(merge_logs([two, one])).good == 1


@pytest.mark.parametrize(
    "again", ["- Use uv, not pip", "- Use *uv*, not pip (2026-03-01, auto)", "- **Use uv**, not pip"]
)
def test_a_history_outlives_another_markup(tmp_path: Path, again: str) -> None:
    """code-memory's scripts count code ticks: what memtui notes there tells the lesson without them, too."""
    home = tmp_path / ".claude" / "memory"
    (home / "areas/projects/shop").mkdir(parents=True)
    (home / "daily").mkdir()
    (home / "MEMORY.md").write_text("# 核心记忆\n\n## 避坑经验\n\n- Use `uv`, not pip\n", "utf-8")
    with Vault.open([home]) as vault:
        lesson = next(vault.memories(Filter(path="MEMORY.md")))
        experiences.append_verdict(vault, lesson, "helpful")
        (home / "MEMORY.md").write_text(f"# 核心记忆\n\n## 避坑经验\n\n{again}\n", "utf-8")
        vault.refresh()
        [(found, memory)] = experiences.load_effects(vault)
        assert found.helpful == 1
        assert memory is not None
        assert "uv" in memory.text
