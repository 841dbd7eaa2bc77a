"""Three years of Chinese sessions in small: troubles in many wordings, troubles that come once, and ordinary work.

The first was written before the rules were looked at and they were made better on it, then on the second and the third,
each of which was measured before that.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from memtui.core.config import EvolutionConfig
from memtui.evolution.audit import SessionSignals
from memtui.evolution.patterns import compute_problems
from memtui.language.signals import find_in_entries, find_signals

if TYPE_CHECKING:
    from memtui.evolution.effects import Pattern

WORLDS = (1, 2, 3)


class Told(NamedTuple):
    """One trouble, or none, as it is told."""

    project: str
    """Empty: it does not come back."""
    type: str
    """Empty: it is no trouble."""
    maybe: frozenset[str]
    lines: tuple[str, ...]


def told(world: int) -> list[Told]:
    rows = map(json.loads, (Path(__file__).parent / "lines" / "chinese.jsonl").read_text("utf-8").splitlines())
    return [
        Told(row["project"], row["type"], frozenset(row["maybe"]), tuple(row["lines"]))
        for row in rows
        if row["world"] == world
    ]


@pytest.mark.parametrize("world", WORLDS)
def test_types_are_heard(world: int) -> None:
    right = wrong = met = wanted = 0
    for one in told(world):
        for line in one.lines:
            found = {signal.type for signal in find_signals(line)}
            fits = found & {one.type, *one.maybe}
            right, wrong = right + len(fits), wrong + len(found - fits)
            if one.type:
                wanted, met = wanted + 1, met + (one.type in found)
    assert met >= 0.88 * wanted, (met, wanted)
    assert right >= 0.92 * (right + wrong), (right, wrong)


@pytest.mark.parametrize("world", WORLDS)
def test_work_is_no_trouble(world: int) -> None:
    work = [line for one in told(world) if not one.type for line in one.lines]
    assert len(work) > 50
    assert sum(bool(find_signals(line)) for line in work) <= 0.04 * len(work)


@pytest.mark.parametrize("world", WORLDS)
def test_what_comes_back_is_found_once_and_nothing_else(world: int) -> None:
    troubles = {line: number for number, one in enumerate(told(world)) if one.project for line in one.lines}
    found = [{troubles.get(sign.text, -1) for _heard, sign in one.lines} for one in _problems(world)]
    wanted = set(troubles.values())
    assert len(wanted) >= 10
    hit = {next(iter(numbers)) for numbers in found if len(numbers) == 1} - {-1}
    assert len(hit) >= 0.85 * len(wanted), sorted(wanted - hit)
    assert len(found) <= 1.15 * len(wanted)
    assert all(len(numbers - {-1}) == 1 for numbers in found)


def _problems(world: int) -> list[Pattern]:
    """A session of each project in turn, with a line of its trouble of that month, and one of something else."""
    several = told(world)
    besides = [line for one in several if not one.project for line in one.lines]
    projects = sorted({one.project for one in several} - {""})
    months = {name: [one for one in several if one.project == name] for name in projects}
    heard: list[SessionSignals] = []
    for month in range(max(map(len, months.values()))):
        for turn in range(8):
            for name in projects:
                at = len(heard)
                lines = [besides[at * 7 % len(besides)]]
                if month < len(months[name]):
                    lines.append(months[name][month].lines[turn])
                signals = tuple(signal for line in lines for signal in find_signals(line))
                heard.append(SessionSignals(f"s{at:04d}", at * 3600.0, signals, name))
    return compute_problems(heard, (), EvolutionConfig())


def test_a_head_is_heard_with_all_that_it_says() -> None:
    from memtui.core.model import Memory

    extra = {"decisions": ["统一端口"], "todos": ["calcDiscount 空指针还没修好"]}
    head = Memory("接口联调；Nacos 连不上", 1, 1, "session", title="商品列表慢查询", extra=extra)
    assert {signal.type for signal in find_in_entries([head])} >= {
        "performance_issue",
        "environment_issue",
        "error",
    }
