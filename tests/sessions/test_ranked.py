"""Lessons that help come first at a session's start and survive the budget; those that seldom help come last."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.core import clock
from memtui.core.config import Config
from memtui.evolution.audit import PATH
from memtui.evolution.effects import load_values
from memtui.language.conversation import Session
from memtui.language.similarity import digest
from memtui.layouts.discovery import open_home_at
from memtui.sessions.packing import SessionContext
from memtui.sessions.start import load_session_start
from memtui.store.writing import Writing
from tests.evolution.talks import own, scripts

LESSONS = tuple(
    f"{word} comes with a story that is told at some length here, number {number}"
    for number, word in enumerate(
        ["Amber", "Basalt", "Copper", "Dolomite", "Emerald", "Flint", "Garnet", "Halite"]
    )
)
WEAK, STRONG = LESSONS[0], LESSONS[6]


def used(path: Path, lesson: str, outcome: str, times: int) -> None:
    stamp = clock.convert_to_local(clock.now()).replace(tzinfo=None).isoformat(timespec="seconds")
    with (path / PATH).open("a", encoding="utf-8") as log:
        for number in range(times):
            session = f"{lesson[:5]}{number}"
            for event in (
                {"event_type": "ref", "experience_id": f"avoidance:{digest(lesson)}"},
                {"event_type": "outcome", "outcome": outcome},
            ):
                print(json.dumps({"timestamp": stamp, **event, "session_id": session}), file=log)


@pytest.fixture(params=[own, scripts])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    make: Callable[..., Path] = request.param
    return make(tmp_path / "h", *LESSONS)


def start(path: Path, tmp_path: Path, characters: int = 8000) -> SessionContext:
    config = Config()
    config = config._replace(context=config.context._replace(characters=characters, tokens=characters))
    session = Session("s", "codex", str(tmp_path), "p", "p", source="startup")
    with Writing([open_home_at(path)], config) as pen:
        return load_session_start(pen, session, config, values=load_values)


def order(text: str) -> list[str]:
    return sorted((lesson for lesson in LESSONS if lesson in text), key=text.index)


def test_nothing_changes_where_nothing_is_known(home: Path, tmp_path: Path) -> None:
    before = start(home, tmp_path)
    assert order(before.text) == list(LESSONS)
    used(home, WEAK, "unknown", 5)
    used(home, STRONG, "success", 1)  # .67: good, not strong
    assert start(home, tmp_path).text == before.text


def test_strong_first_weak_last_with_the_reason(home: Path, tmp_path: Path) -> None:
    used(home, WEAK, "failed", 5)
    used(home, STRONG, "success", 5)
    found = start(home, tmp_path)
    others = [lesson for lesson in LESSONS if lesson not in {WEAK, STRONG}]
    assert order(found.text) == [STRONG, *others, WEAK] and found.text.count(STRONG) == 1
    reasons = {item.reason: item.text for item in found.items if item.path == "MEMORY.md"}
    first = next(reason for reason in reasons if "effect .86" in reason)
    last = next(reason for reason in reasons if "effect .14" in reason)
    assert STRONG in reasons[first] and WEAK in reasons[last]
    assert reasons[first].startswith("#") and LESSONS[1] not in reasons[first]


def test_within_a_small_budget_the_strong_survive(home: Path, tmp_path: Path) -> None:
    plain = start(home, tmp_path, 1000)
    assert STRONG not in plain.text and WEAK in plain.text
    used(home, WEAK, "failed", 5)
    used(home, STRONG, "success", 5)
    found = start(home, tmp_path, 1000)
    assert STRONG in found.text and WEAK not in found.text and len(found.text) <= 1000
    assert any(WEAK in item.text for item in found.left)


def test_it_is_worked_out_once_and_again_when_the_log_grew(home: Path, tmp_path: Path) -> None:
    from memtui.fs.places import find_cache_directory

    used(home, STRONG, "success", 5)
    first = start(home, tmp_path)
    (kept,) = (find_cache_directory() / "effects").iterdir()
    assert start(home, tmp_path) == first
    for broken in (
        b"",
        b"[]",
        b'{"of": 1}',
        kept.read_bytes().replace(b"5", b"Infinity"),
        kept.read_bytes().replace(b"5", b'"x"'),
    ):
        kept.write_bytes(broken)
        assert start(home, tmp_path) == first
    used(home, LESSONS[3], "success", 6)
    assert order(start(home, tmp_path).text)[:2] == [LESSONS[3], STRONG]


def test_a_whole_file_of_strong_ones_leaves_no_empty_headings(home: Path, tmp_path: Path) -> None:
    for lesson in LESSONS:
        used(home, lesson, "success", 5)
    found = start(home, tmp_path)
    assert order(found.text) == list(LESSONS)
    assert len([item for item in found.items if item.path == "MEMORY.md"]) == 1
