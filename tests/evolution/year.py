"""A year of one developer's sessions as a home: summaries, the audit log, lessons and facts, and what is true of them.

The same seed makes the same bytes. Logs are written by hand here, as the tools of that layout write them.
"""

from __future__ import annotations

import json
import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from memtui.language import similarity
from memtui.language.conversation import Extract, Session
from memtui.layouts import load_layout
from memtui.sessions import forms
from memtui.sessions.forms import Summary
from tests.evolution import world

END = datetime(2026, 11, 16, 9, tzinfo=UTC)
"""The morning on which somebody looks back."""
NOW = END.isoformat()
_AGAIN = re.compile(r"\b(?:again|still)\b|又")
"""Who says so tells of something that comes back, besides of what it is."""


class Truth(NamedTuple):
    """What a careful person who knows the year would find."""

    planted: dict[int, tuple[str, ...]]
    """Number of a plant -> its sessions, oldest first."""
    types: dict[str, frozenset[str]]
    """Session -> the types of trouble in it, those that never come back among them; oldest first."""
    lessons: dict[str, float]
    """Id of an experience -> the share of successes it was given."""
    outcomes: tuple[tuple[str, str], ...]
    """Session and outcome, oldest first."""
    opposed: frozenset[frozenset[str]]
    """Texts of facts of which one at most holds."""
    twice: frozenset[frozenset[str]]


class _Made(NamedTuple):
    id: str
    time: datetime
    project: str
    found: Extract


def make(path: Path, layout: str = "memtui", seed: int = 7, sessions: int = 600) -> Truth:
    """Write the year as a home of that layout (memtui, code-memory) and answer what is true of it."""
    dice = random.Random(f"{seed} {layout}")
    planted: dict[int, list[str]] = {number: [] for number in range(len(world.PLANTS))}
    types: dict[str, set[str]] = {}
    once = _once(dice)
    made: list[_Made] = []
    for number in range(sessions):
        time = END - timedelta(days=364 * (1 - (number + 1) / (sessions + 1)), minutes=dice.randrange(240))
        project = dice.choice(list(world.PROJECTS))
        tongue = world.PROJECTS[project]
        name = f"{dice.getrandbits(32):08x}-{number:04d}-4000-8000-{dice.getrandbits(48):012x}"
        done = [_line(dice, world.WORK[tongue], tongue) for _each in range(dice.randint(1, 3))]
        if dice.random() < 0.5:
            done.append(_line(dice, world.HARMLESS[tongue], tongue))
        week = number * 52 // sessions
        types[name] = set()
        for index, plant in enumerate(world.PLANTS):
            if plant.project == project and plant.weeks[0] <= week <= plant.weeks[1] and dice.random() < plant.share:
                planted[index].append(name)
                told = dice.choice(plant.words)
                types[name] |= {plant.type, "recurring_issue"} if _AGAIN.search(told) else {plant.type}
                done.insert(dice.randrange(len(done) + 1), told)
        if dice.random() < 0.15 and once:
            which, tongues = once.pop()
            types[name].add(world.ONCE_TYPES[which])
            done.append(tongues[tongue])
        decisions = (_line(dice, world.DECISIONS[tongue], tongue),) if dice.random() < 0.4 else ()
        files = (f"src/{dice.choice(world.NAMES).lower()}.ts",)
        found = Extract(done[0], tuple(done), decisions=decisions, files=files)
        made.append(_Made(name, time, project, found))
    lessons, outcomes = _log(path, layout, made, dice)
    _summaries(path, layout, made, dict(outcomes))
    opposed, twice = _facts(path, dice)
    return Truth(
        {number: tuple(ids) for number, ids in planted.items()},
        {session: frozenset(found) for session, found in types.items()},
        lessons,
        outcomes,
        opposed,
        twice,
    )


def _line(dice: random.Random, among: tuple[str, ...], tongue: str) -> str:
    return dice.choice(among).format(noun=dice.choice(world.NOUNS[tongue]))


def _once(dice: random.Random) -> list[tuple[int, dict[str, str]]]:
    """Troubles that happen once, and which: each name is used for one of them only."""
    found = []
    for name in dice.sample(world.NAMES, len(world.NAMES)):
        which, number = dice.randrange(len(world.ONCE["en"])), dice.randrange(100, 1000)
        told = {tongue: every[which].format(name=name, number=number) for tongue, every in world.ONCE.items()}
        found.append((which, told))
    return found


def _summaries(path: Path, layout: str, made: list[_Made], outcomes: dict[str, str]) -> None:
    folder, form = path / "sessions", load_layout(layout).facts.summary_form
    folder.mkdir(parents=True)
    for one in made:
        session = Session(one.id, "claude-code", f"/home/ann/{one.project}", one.project, one.project)
        found = one.found._replace(outcome=outcomes[one.id])
        text = forms.render_summary(form, Summary(session, found, one.time.timestamp()))
        (folder / f"{one.id}.md").write_text(text, "utf-8")


def _log(
    path: Path, layout: str, made: list[_Made], dice: random.Random
) -> tuple[dict[str, float], tuple[tuple[str, str], ...]]:
    """Lessons in MEMORY.md, and the log of how the sessions went that used them."""
    bullets = [text for text, _share in world.LESSONS]
    head = "# MEMORY\n\n## 避坑经验\n\n"
    path.mkdir(parents=True, exist_ok=True)
    (path / "MEMORY.md").write_text(head + "".join(f"- **{text}** (2025-11-20, auto)\n" for text in bullets), "utf-8")
    ids = [f"avoidance:{similarity.digest(text)}" for text in bullets]
    lines: list[str] = []
    outcomes: list[tuple[str, str]] = []
    for number, one in enumerate(made):
        share = 0.8
        # Every lesson is still in use at the end, so that age tells nothing.
        if dice.random() < 0.6 or number >= len(made) - len(ids):
            which = number % len(ids)
            share = world.LESSONS[which][1]
            lines.append(_event(layout, one.time, "ref", experience_id=ids[which], session_id=one.id))
        status = "success" if dice.random() < share else "failed"
        outcomes.append((one.id, status))
        lines.append(_event(layout, one.time + timedelta(minutes=30), "outcome", session_id=one.id, outcome=status))
    (path / "evolution").mkdir(parents=True)
    (path / "evolution/audit.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return {name: share for name, (_text, share) in zip(ids, world.LESSONS, strict=True)}, tuple(outcomes)


def _event(layout: str, time: datetime, name: str, **more: Any) -> str:
    stamp = time.replace(tzinfo=None).isoformat(timespec="seconds")
    if layout == "code-memory":
        named = {"ref": "ExperienceReferenced", "outcome": "SessionOutcome"}[name]
        if "outcome" in more:
            more |= {"status": more.pop("outcome"), "user_corrections": 0}
        return json.dumps({"type": named, "ts": f"{stamp}.000001", **more})
    return json.dumps({"timestamp": stamp, "event_type": name, **more})


def _facts(path: Path, dice: random.Random) -> tuple[frozenset[frozenset[str]], frozenset[frozenset[str]]]:
    """Facts by project, dated through the year: pairs that cannot both hold, pairs that say the same, and the rest."""
    names = dice.sample(world.NAMES, len(world.NAMES))
    opposed, twice = set(), set()
    texts: list[tuple[str, int]] = []
    # Of different projects, so that a pair is told by its words and no number happens to fit another's.
    for form in world.OPPOSED * 3:
        name, a, b = names.pop(), dice.randrange(3000, 5000), dice.randrange(5000, 9000)
        older, newer = (text.format(name=name, a=a, b=b) for text in form)
        opposed.add(frozenset((older, newer)))
        texts += [(older, dice.randrange(200, 360)), (newer, dice.randrange(5, 190))]
    for form in world.TWICE * 4:
        name = names.pop()
        one, two = (text.format(name=name) for text in form)
        twice.add(frozenset((one, two)))
        texts += [(one, dice.randrange(180, 360)), (two, dice.randrange(5, 170))]
    for number in range(260):
        plain, tongue = (world.PLAIN[number % len(world.PLAIN)], "en" if number % len(world.PLAIN) < 9 else "zh")
        told = plain.format(
            name=names[number % len(names)], other=names[(number * 7 + 3) % len(names)], a=dice.randrange(2, 60),
            b=dice.randrange(60, 99), noun=dice.choice(world.NOUNS[tongue]),
        )  # fmt: skip
        texts.append((told, dice.randrange(5, 360)))
    dice.shuffle(texts)
    # The same thing is not said twice with other numbers but where that was planted.
    seen: dict[str, str] = {}
    kept = []
    for text, days in texts:
        key = "".join(char for char in text if not char.isdigit())
        pair = next((pair for pair in opposed if text in pair), None)
        if pair is not None or key not in seen:
            seen[key] = text
            kept.append((text, days))
    facts = [
        {
            "id": f"fact-{number:03d}", "fact": text, "evidence": "用户手动添加",
            "timestamp": (END - timedelta(days=days)).strftime("%Y-%m-%d"), "status": "active", "category": "manual",
        }
        for number, (text, days) in enumerate(kept, 1)
    ]  # fmt: skip
    folder = path / "areas/projects/platform"
    folder.mkdir(parents=True)
    (folder / "facts.json").write_text(json.dumps({"facts": facts}, ensure_ascii=False, indent=2), "utf-8")
    return frozenset(opposed), frozenset(twice)
