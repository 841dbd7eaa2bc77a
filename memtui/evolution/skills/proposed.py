"""Drafted skills that wait for a person: one file each below the state directory, as other proposals are kept.

A candidate is about a pattern, not about its text: rejected, it is not proposed again until the pattern is graver or
has come back.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.curation import stored
from memtui.curation.candidates import Candidate, Source, identified
from memtui.disk.places import state
from memtui.edits import Draft, Edit, Piece, Target
from memtui.errors import MemtuiError
from memtui.evolution.skills import places
from memtui.locale import _, _n
from memtui.model import Layer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.config import Config
    from memtui.evolution.patterns import Pattern
    from memtui.evolution.skills.lessons import Step
    from memtui.model import Home

SOURCES = 20
"""So many places that it comes from are kept."""

_SOURCE = ("session", "path", "line", "time")
_PRIORITIES = ("normal", "high", "critical")


def identity(home: Home, pattern: Pattern, priority: str = "") -> str:
    """The id of the candidate for a pattern as it stands, or as it stood with another priority."""
    came = "again" if pattern.returned else ""
    return identified("capability", str(home.path), f"{pattern.key}\0{priority or pattern.priority}\0{came}")


def graver(home: Home, pattern: Pattern) -> list[str]:
    """Its id, and those it had were it graver than it is: rejected then, it is none the more wanted now."""
    at = _PRIORITIES.index(pattern.priority) if pattern.priority in _PRIORITIES else 0
    return [identity(home, pattern, one) for one in _PRIORITIES[at:]]


def put(
    home: Home,
    pattern: Pattern,
    name: str,
    text: str,
    steps: tuple[Step, ...],
    who: str,
    told: tuple[str, ...],
) -> tuple[str, Edit]:
    """A draft's id, and the change that keeps it. `told`: what a person should know before approving."""
    named = identity(home, pattern)
    told_by = [(step.session, step.path, step.line, step.time) for step in steps]
    named_by = {step.session for step in steps}
    told_by += [
        (heard.session, heard.path, 0, heard.time)
        for heard in reversed(pattern.sessions[-SOURCES:])
        if heard.session not in named_by
    ]
    plain = {
        "id": named,
        "time": clock.now(),
        "home": str(home.path),
        "who": who,
        "name": name,
        "text": text,
        "pattern": pattern.key,
        "type": pattern.type,
        "count": pattern.count,
        "window": pattern.window,
        "warnings": told,
        "sources": [dict(zip(_SOURCE, one, strict=True)) for one in told_by[:SOURCES]],
    }
    data = json.dumps(plain, ensure_ascii=False, indent=1).encode("utf-8", "replace")
    return named, Edit(str(state()), path(home, named), None, (Piece(0, 0, data),))


def path(home: Home, named: str) -> str:
    """The file of a candidate, below the state directory."""
    return f"{stored.SKILLS}/{stored.folder(home)}/{named}.json"


def waiting(home: Home, config: Config) -> list[Candidate]:
    """What is kept for a home, oldest first. Files that cannot be read are passed over."""
    found = [
        _candidate(plain, home, file, config)
        for file in stored.names(f"{stored.SKILLS}/{stored.folder(home)}")
        if (plain := stored.loaded(file)) and plain.get("home") == str(home.path) and _whole(plain)
    ]
    return sorted(found, key=lambda candidate: (candidate.time or 0.0, candidate.id))


def kept(home: Home, named: str) -> dict[str, Any]:
    """What is kept of one candidate; empty: it is decided."""
    plain = stored.loaded(path(home, named))
    return plain if plain.get("home") == str(home.path) and _whole(plain) else {}


def _whole(plain: Mapping[str, Any]) -> bool:
    texts = all(
        isinstance(plain.get(name), str) and plain[name] for name in ("id", "name", "text", "pattern")
    )
    return texts and isinstance(plain.get("type"), str)


def _candidate(plain: Mapping[str, Any], home: Home, file: str, config: Config) -> Candidate:
    count, window, time = (plain.get(name) for name in ("count", "window", "time"))
    count, window = (value if isinstance(value, int) else 0 for value in (count, window))
    warnings = plain.get("warnings")
    target, why = _target(home, plain["name"], config)
    return Candidate(
        plain["id"],
        "capability",
        str(home.path),
        plain["text"],
        "skill",
        Layer.EVOLUTION,
        target,
        0.0,
        parts=((_("pattern"), plain["pattern"]),),
        sources=tuple(_sources(plain.get("sources"), home)),
        warnings=(*(map(str, warnings) if isinstance(warnings, list) else ()), *([why] if why else [])),
        time=float(time) if isinstance(time, (int, float)) else None,
        who=str(plain.get("who", "")) if plain.get("who") != "person" else "",
        reason=_n(
            "it came back in {count} of the last {window} sessions, and nobody has dealt with it",
            "it came back in {count} of the last {window} sessions, and nobody has dealt with it",
            count,
        ).format(count=count, window=window),
        draft=Draft(plain["text"], "skill", title=plain["name"], key=plain["pattern"]),
        stored=file,
    )


def _target(home: Home, name: str, config: Config) -> tuple[Target | None, str]:
    from memtui.evolution.audit import where

    try:
        at = places.of(where(home), config.evolution).skill(name)
    except MemtuiError as error:
        return None, str(error)
    return Target(at.root, at.path, "markdown", layer=Layer.EVOLUTION, exists=False), ""


def _sources(said: object, home: Home) -> list[Source]:
    found: list[Source] = []
    for one in said if isinstance(said, list) else ():
        if isinstance(one, dict):
            line, time = one.get("line"), one.get("time")
            found.append(
                Source(
                    str(home.path),
                    str(one.get("path", "")),
                    line if isinstance(line, int) else 0,
                    str(one.get("session", "")),
                    float(time) if isinstance(time, (int, float)) else None,
                )
            )
    return sorted(found, key=lambda one: -(one.time or 0.0))
