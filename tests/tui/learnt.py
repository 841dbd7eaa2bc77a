"""What a small home has learnt, made by the policies themselves from a few sessions."""

from __future__ import annotations

from memtui.core.config import EvolutionConfig
from memtui.core.model import Memory
from memtui.evolution.audit import ExperienceRef, Log, Outcome, SessionSignals
from memtui.evolution.effects import Overview, Shift, compute_effects
from memtui.evolution.patterns import compute_patterns, compute_problems, compute_streak
from memtui.evolution.skill_proposals import compute_gates
from memtui.evolution.skill_records import State
from memtui.language.conversation import Signal
from memtui.tui.evolution_model import All, Learnt
from tests.tui.fake_vault import DAY, HOUR, NOON, SHOP

LESSON = "端口没有就绪时轮询，不要 sleep"
EXPERIENCE = "avoidance:0123456789abcdef"
NOW = NOON + 3 * HOUR


def sessions() -> list[SessionSignals]:
    """Nine sessions, oldest first: an environment that is missing in most of them, a dependency now and then."""
    found = []
    for number in range(9):
        path = f"sessions/s{number}.md"
        signs = []
        if number > 2:
            text = f"Redis: connection refused {number}"
            signs.append(Signal("environment_issue", text, path, 12, "redis", "a connection was refused"))
        if number in {0, 3}:
            signs.append(Signal("dependency_issue", "aiolimiter 2 改了时钟", path, 14, "aiolimiter"))
        found.append(SessionSignals(f"s{number}", NOON - (9 - number) * DAY, tuple(signs), "shop", path))
    return found


def learnt(lesson: Memory) -> All:
    """All that is shown of it."""
    config, heard = EvolutionConfig(), sessions()
    went = {
        one.session: Outcome(one.session, one.time, "success" if number < 7 else "failed",
                             reason="" if number < 7 else "the tests do not pass", corrections=number // 7)
        for number, one in enumerate(heard)
    }  # fmt: skip
    refs = tuple(ExperienceRef(EXPERIENCE, one.session, one.time) for one in heard[1:])
    told = compute_effects(Log(refs, tuple(went.values())), NOW, config)
    found = compute_patterns(heard, (), config)
    overview = Overview(
        SHOP,
        NOW,
        config,
        tuple(found),
        tuple(compute_problems(heard, (), config)),
        compute_streak(heard, went),
        tuple(told),
        compute_gates(found, [went[one.session] for one in heard[::-1]], State(), config, NOW, {}),
        tuple(heard),
        went,
        (Shift("new", found[0].key, found[0].key, "normal", "critical"),),
        {},
        9,
    )
    return All((Learnt(SHOP, overview, ()),), tuple((effect, lesson) for effect in told))
