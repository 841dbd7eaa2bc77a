"""The year as the app and the commands see it, held against what is true of it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memtui import Vault
from memtui.consolidation import consolidate
from memtui.core.config import Config
from memtui.evolution.effects import Overview
from memtui.evolution.overview import load_overview
from memtui.evolution.sessions_read import backfill
from tests.curation.truth import every
from tests.evolution import world, year
from tests.evolution.scores import Score, clusters, pairs, spearman
from tests.evolution.year import Truth


def measured(path: Path, layout: str, seed: int, sessions: int) -> dict[str, Any]:
    """Make the year at `path` and beside it once more, learn from both, and say what was found."""
    seconds: dict[str, float] = {}
    truth = year.make(path, layout, seed, sessions)
    twin = path.with_name(f"{path.name}-again")
    year.make(twin, layout, seed, sessions)
    with Vault.open([path]) as vault:
        home = vault.homes[0]
        with _timed(seconds, "first look"):
            unheard = load_overview(vault, home)
        with _timed(seconds, "backfill"):
            backfill(vault, home, who="person")
            vault.refresh()
        with _timed(seconds, "look"):
            found = load_overview(vault, home)
        waiting = every(vault)
        asked = {
            origin: {
                frozenset(memory.text for named in one.memories if (memory := vault.memory(named)) is not None)
                for one in waiting
                if one.origin == origin
            }
            for origin in ("contradiction", "duplicate")
        }
    same_heard = _problems(unheard) == _problems(found)
    with _timed(seconds, "weekly consolidation"):
        _consolidated(path)
    first = _digest(path)
    with _timed(seconds, "the same again"):
        _consolidated(path)
    with Vault.open([twin]) as vault:
        backfill(vault, vault.homes[0], who="person")
    _consolidated(twin)
    result = _result(truth, found, asked)
    return {
        "layout": layout, "seed": seed, "sessions": sessions, **result,
        "same": same_heard and first == _digest(path) and first == _digest(twin),
        "seconds": seconds,
    }  # fmt: skip


def _consolidated(path: Path) -> None:
    with Vault.open([path]) as vault:
        consolidate.run(vault, Config(), weekly=True, dry_run=False)


@contextmanager
def _timed(seconds: dict[str, float], name: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    seconds[name] = round(time.perf_counter() - began, 3)


def _digest(path: Path) -> str:
    """All bytes of a home."""
    found = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        if file.is_file():
            found.update(str(file.relative_to(path)).encode() + b"\0" + file.read_bytes() + b"\0")
    return found.hexdigest()


def _problems(found: Overview) -> list[tuple[str, str, tuple[str, ...]]]:
    return sorted((one.type, one.about, tuple(heard.session for heard in one.sessions)) for one in found.problems)


def _result(truth: Truth, found: Overview, asked: dict[str, set[frozenset[str]]]) -> dict[str, Any]:
    problems = _problems(found)
    wanted = {(world.PLANTS[number].type, number): ids for number, ids in truth.planted.items()}
    heard = {one.session: {signal.type for signal in one.signals} for one in found.sessions}
    told = {(session, kind) for session, kinds in heard.items() for kind in kinds}
    meant = {(session, kind) for session, kinds in truth.types.items() for kind in kinds}
    values = {effect.experience: effect for effect in found.effects}
    shares = [share for name, share in truth.lessons.items() if name in values]
    hits = {key for key in wanted if clusters([(one[0], one[2]) for one in problems], {key: wanted[key]}).met}
    return {
        "signals": _plain(Score(len(told), len(told & meant), len(told & meant), len(meant))),
        "problems": _plain(clusters([(kind, ids) for kind, _about, ids in problems], wanted)),
        "lessons": {
            "found": len(shares),
            "wanted": len(truth.lessons),
            "spearman": round(spearman(shares, [values[name].p for name in truth.lessons if name in values]), 3),
        },
        "contradictions": _plain(pairs(asked["contradiction"], truth.opposed)),
        "duplicates": _plain(pairs(asked["duplicate"], truth.twice)),
        "misses": {
            "problems": [world.PLANTS[number].words[0] for _type, number in sorted(set(wanted) - hits)],
            "not planted": [f"{kind}: {about} ({len(ids)})" for kind, about, ids in problems
                            if not clusters([(kind, ids)], wanted).right],
            "signals": [f"{kind}: {session}" for session, kind in sorted(meant - told)][:40],
            "not meant": [
                f"{one.session} {signal.type}: {signal.text}"
                for one in found.sessions for signal in one.signals if (one.session, signal.type) not in meant
            ][:40],
            "contradictions": [" | ".join(sorted(pair)) for pair in truth.opposed - asked["contradiction"]],
            "no contradictions": [" | ".join(sorted(pair)) for pair in asked["contradiction"] - truth.opposed],
            "duplicates": [" | ".join(sorted(pair)) for pair in truth.twice - asked["duplicate"]],
            "no duplicates": [" | ".join(sorted(pair)) for pair in asked["duplicate"] - truth.twice],
        },
    }  # fmt: skip


def _plain(score: Score) -> dict[str, Any]:
    return {
        "precision": round(score.precision, 3), "recall": round(score.recall, 3), "found": score.found,
        "wanted": score.wanted,
    }  # fmt: skip
