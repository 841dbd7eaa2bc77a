"""Effects of experiences (spec 002): worked by hand, and what must hold of any log; and their ids, as code-memory's
scripts count, the same however a lesson is marked up.
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui import Vault
from memtui.core.config import EvolutionConfig
from memtui.core.errors import UsageError
from memtui.core.model import Filter, Memory
from memtui.evolution import effects, experiences
from memtui.evolution.audit import ExperienceRef, Log, Outcome, Verdict, merge_logs, parse_log
from memtui.evolution.effects import DAY, TREND, Effect, compute_effects, smooth_ratio
from memtui.language import similarity

NOW = 1_800_000_000.0
CONFIG = EvolutionConfig()
A, B = "avoidance:aaaaaaaaaaaaaaaa", "rule:shop:Style:bbbbbbbbbbbbbbbb"


def of(log: Log, experience: str = A, now: float = NOW) -> Effect:
    return next(one for one in compute_effects(log, now, CONFIG) if one.experience == experience)


def test_by_hand() -> None:
    """Three sessions used it, two went well and one failed: (2 + 1) / (3 + 2) = .6; 90 days later half of that."""
    refs = tuple(ExperienceRef(A, f"s{number}", NOW - number * DAY) for number in range(3))
    log = Log(refs, (Outcome("s0", NOW, "success"), Outcome("s1", NOW, "failed"), Outcome("s2", NOW, "success")))
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
    log = Log(refs, (Outcome("s", NOW, "success"), Outcome("other", NOW, "failed"), Outcome("s", NOW - 9, "failed")))
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
    assert of(Log((ExperienceRef(A, "s", None),), (Outcome("s", None, "success"),))).value(NOW, 90) == pytest.approx(
        2 / 3
    )


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
    st.builds(Outcome, _SESSIONS, _TIMES, st.sampled_from(["success", "failed", "partly", "unknown"])), max_size=12
)
_SAID = st.lists(
    st.builds(
        Verdict, _IDS, st.sampled_from(["helpful", "wrong", "stale"]), _TIMES, st.sampled_from(["person", "ann"])
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
        line(timestamp="2026-02-26T11:00:00", event_type="outcome", session_id="s", outcome="success", corrections=0),
    ]
    scripts = [
        line(type="ExperienceReferenced", ts="2026-02-26T10:00:00", experience_id=A, session_id="s"),
        line(type="SessionOutcome", ts="2026-02-26T11:00:00", session_id="s", status="success", score=0.85),
    ]
    first, second = (compute_effects(parse_log("\n".join(lines).encode()), NOW, CONFIG) for lines in (spec, scripts))
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


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:16]


def home(path: Path, lesson: str, rule: str = "- Never build SQL from strings") -> Path:
    rules = path / "areas/projects/shop/rules.md"
    rules.parent.mkdir(parents=True)
    rules.write_text(f"# shop 开发规范\n\n## Style\n{rule}\n", "utf-8")
    (path / "MEMORY.md").write_text(f"# 核心记忆\n\n## 避坑经验\n{lesson}\n", "utf-8")
    (path / "evolution").mkdir()
    (path / "daily").mkdir()
    return path


def first(vault: Vault, path: str) -> Memory:
    return next(memory for memory in vault.memories(Filter(path=path), "path"))


@pytest.mark.parametrize(
    ("bullet", "counted"),
    [
        ("- **加密前先 base64** (2026-02-26, auto)", "加密前先base64"),
        ("- Use `uv`, not pip", "Use`uv`,notpip"),
        ("- [2026-02-20] 不要在循环里查库", "[2026-02-20]不要在循环里查库"),
        ("- **Ask Lin (not Wang)** (2026-02-26, auto)", "AskLin(notWang)"),
        ("- Never push on Fridays (really)", "NeverpushonFridays"),
    ],
)
def test_what_the_scripts_of_code_memory_count(tmp_path: Path, bullet: str, counted: str) -> None:
    path = home(tmp_path / ".claude" / "memory", bullet)
    (path / "config.json").write_text('{"project_name_map": {}}', "utf-8")
    with Vault.open([path]) as vault:
        assert vault.homes[0].layout == "code-memory"
        memory = first(vault, "MEMORY.md")
        assert experiences.identify_experience(vault, memory).id == f"avoidance:{md5(counted)}"
        assert experiences.load_known_experiences(vault)[f"avoidance:{md5(counted)}"].id == memory.id
        assert experiences.load_known_experiences(vault)[md5(counted)].id == memory.id


@pytest.mark.parametrize("lesson", ["Use `uv` instead of *pip* for installs", "不要在循环里查询数据库"])
def test_the_same_however_it_is_marked_up(tmp_path: Path, lesson: str) -> None:
    plain = lesson.replace("`", "").replace("*", "")
    forms = [
        lesson, plain, f"**{plain}**", f"**{lesson}** (2026-02-26)", f"[2026-02-20] {plain}", f"{plain} (see the wiki)",
        f"{lesson} (2026-02-26, auto)", plain.replace(" ", "  "), plain.replace("uv", "[uv](https://x.dev)"),
    ]  # fmt: skip
    ids = set()
    for number, form in enumerate(forms):
        root = home(tmp_path / f"{number}" / ".memtui", f"- {form}")
        (root / "user").mkdir()
        with Vault.open([root]) as vault:
            assert vault.homes[0].layout == "memtui"
            memory = first(vault, "MEMORY.md")
            ids.add(experiences.identify_experience(vault, memory).id)
            # What a home of code-memory's wrote is known here, too.
            assert experiences.load_known_experiences(vault)[f"avoidance:{similarity.digest(form)}"].id == memory.id
    assert len(ids) == 1


def test_rules_by_project_and_category(tmp_path: Path) -> None:
    path = home(tmp_path / ".memtui", "- Ask before you push", "- Never build **SQL** from strings (2026-02-08)")
    (path / "user").mkdir()
    with Vault.open([path]) as vault:
        memory = first(vault, "areas/")
        digits = md5("NeverbuildSQLfromstrings")
        assert experiences.identify_experience(vault, memory).id == f"rule:shop:Style:{digits}"
        known = experiences.load_known_experiences(vault)
        assert effects.find_experience(known, f"rule:shop:Coding:{digits}") is known[f"rule:shop:Style:{digits}"]
        assert effects.find_experience(known, f"rule:other:Style:{digits}") is None
        assert effects.find_experience(known, "avoidance:0000000000000000") is None
        assert experiences.resolve_experience(vault, memory.id).id == f"rule:shop:Style:{digits}"
        assert experiences.resolve_experience(vault, "avoidance:0123").home == ""
        for bad in ("nothing", "avoidance:../../x", "rule:a\nb"):
            with pytest.raises(UsageError):
                experiences.resolve_experience(vault, bad)


def test_known_again_after_a_change(tmp_path: Path) -> None:
    path = home(tmp_path / ".memtui", "- Ask before you push")
    (path / "user").mkdir()
    with Vault.open([path]) as vault:
        before = experiences.load_known_experiences(vault)
        assert experiences.load_known_experiences(vault) is before
        (path / "MEMORY.md").write_text("# M\n\n## 避坑经验\n- Always tag a release\n", "utf-8")
        vault.refresh()
        assert md5("Alwaystagarelease") in experiences.load_known_experiences(vault)
        assert md5("Askbeforeyoupush") not in experiences.load_known_experiences(vault)


_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="*()\x00"), min_size=1, max_size=60)


@settings(deadline=None)
@given(_TEXT, st.sampled_from(["", " (2026-02-26, auto)", " (x)", "（又一个）"]))
def test_the_digest_leaves_out_what_the_scripts_leave_out(text: str, aside: str) -> None:
    counted = "".join((text + ("" if aside.isascii() else aside)).split())
    assert similarity.digest(f"**{text}**{aside}") == similarity.digest(f" {text} {aside} ")
    assert similarity.digest(f"{text}{aside}") == hashlib.md5(counted.encode(), usedforsecurity=False).hexdigest()[:16]


def test_a_hostile_line_takes_no_time() -> None:
    import time

    begun = time.process_time()
    for text in (" " * 65000 + "x", "(" * 65000, "[" * 65000, "*" * 65000, "a(" * 30000, "[a](" * 16000):
        similarity.digest(text)
        similarity.strip_list_mark(text)
    assert time.process_time() - begun < 1.0
