"""The files of the session that an agent is in, found by listing what it keeps of its sessions (spec 000)."""

from __future__ import annotations

import os
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.layouts.claude_projects import fold
from memtui.store import session_ids
from memtui.store.session_ids import (
    FoundSession,
    is_below_directory,
    is_subagent_transcript,
    list_track_directories,
    read_transcript_directory,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from memtui.layouts.tracks import Track
    from memtui.store.session_ids import SessionPlace

MARGIN = 5.0
"""Seconds: what was written this much later is newer, whatever the order of days or of the table."""
_SHORT = 4
_LOOKS = 64
"""Transcripts that are looked into for the directory that they are about."""


def find_newest_session(track: Track, place: SessionPlace, env: Mapping[str, str]) -> FoundSession | None:
    """The agent's session that was last written to in this project; None: it has none here."""
    for base in list_track_directories(track, place, env):
        for pattern in track.files:
            found = list(_matching(track, base, pattern, place, env))
            found.sort(key=lambda one: (one.time, one.path), reverse=True)
            latest = next((one for one in found[:_LOOKS] if one.id and _ours(one, place)), None)
            if latest is None:
                continue
            if not track.dated:
                return latest
            # A session of another day that was resumed is newer than its directory.
            days = sorted(found, key=lambda one: (one.parts[:-1], one.time), reverse=True)
            of_day = next(one for one in [*days[:_LOOKS], latest] if one.id and _ours(one, place))
            return latest if latest.time > of_day.time + MARGIN else of_day
    return None


def list_sessions(track: Track, place: SessionPlace, env: Mapping[str, str]) -> list[FoundSession]:
    """The agent's sessions of this project, the one written last first: of a run that stands twice the first form."""
    found: dict[str, FoundSession] = {}
    for base in list_track_directories(track, place, env):
        for pattern in track.files:
            for one in _matching(track, base, pattern, place, env):
                if one.id and _ours(one, place):
                    found.setdefault(one.id, one)
    return sorted(found.values(), key=lambda one: one.time, reverse=True)


def find_session_file(
    track: Track, id: str, place: SessionPlace, env: Mapping[str, str]
) -> FoundSession | None:
    """The file of the session with this id, whichever of its forms that is."""
    for base in list_track_directories(track, place, env):
        for pattern in () if track.key else track.files:
            for one in _matching(
                track, base, pattern, place, env, lambda name: track.part >= 0 or id in name
            ):
                if id in {one.id, session_ids.extract_rollout_id(one.id)}:
                    return one
    return None


def find_session_by_prefix(
    track: Track, id: str, place: SessionPlace, env: Mapping[str, str]
) -> FoundSession | None:
    """The one session whose id begins so; None where none or several do, or the beginning is too short to be one."""
    if len(id) < _SHORT or track.key:
        return None
    every = [
        one for base in list_track_directories(track, place, env) for pattern in track.files
        for one in _matching(track, base, pattern, place, env)
        if one.id.startswith(id) or session_ids.extract_rollout_id(one.id).startswith(id)
    ]  # fmt: skip
    return every[0] if len({one.path for one in every}) == 1 else None


def _matching(
    track: Track,
    base: str,
    pattern: str,
    place: SessionPlace,
    env: Mapping[str, str],
    wanted: Callable[[str], bool] = lambda _name: True,
) -> Iterator[FoundSession]:
    """The files of a pattern, their names as wanted."""
    above, project, below = pattern.partition("{project}")
    if not project:
        yield from _listed(track, base, (), pattern.split("/"), wanted)
        return
    folder = above.rstrip("/")
    for name in _projects(os.path.join(base, folder), place, env):
        yield from _listed(track, base, (folder, name), below.strip("/").split("/"), wanted)


def _listed(
    track: Track, base: str, done: tuple[str, ...], left: list[str], wanted: Callable[[str], bool]
) -> Iterator[FoundSession]:
    if len(left) > 1 and "*" not in left[0]:
        path = os.path.join(base, *done, left[0])
        if track.home != "." or not os.path.islink(path):
            yield from _listed(track, base, (*done, left[0]), left[1:], wanted)
        return
    with suppress(OSError), os.scandir(os.path.join(base, *done)) as entries:
        for entry in entries:
            name = entry.name
            if name[0] == "." or not fnmatchcase(name, left[0]) or (len(left) == 1 and not wanted(name)):
                continue
            with suppress(OSError):
                if len(left) > 1:
                    if entry.is_dir(follow_symlinks=False):
                        yield from _listed(track, base, (*done, name), left[1:], wanted)
                elif entry.is_file(follow_symlinks=False) and name[:6] != "agent-":
                    yield FoundSession(track, entry.path, (*done, name), entry.stat().st_mtime)


def _projects(folder: str, place: SessionPlace, env: Mapping[str, str]) -> list[str]:
    """Claude Code's directories of this project: by their names, whatever rule made them, else by what they tell."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    named = env.get("CLAUDE_PROJECT_DIR", "").strip()
    own = env.get("CLAUDE_CODE_PROJECT_DIR_NAME", "").strip()
    if own in names:
        return [own]
    given = (
        named
        if named and (is_below_directory(place.here, named) or is_below_directory(named, place.root))
        else ""
    )
    for path in dict.fromkeys(filter(None, (given, *_upwards(place)))):
        wanted = {fold(path), fold(os.path.realpath(path))}
        found = [name for name in names if fold(name) in wanted and _transcripts(os.path.join(folder, name))]
        if found:
            return found
    return [name for name in names if _tells(os.path.join(folder, name), place)]


def _upwards(place: SessionPlace) -> Iterable[str]:
    """Here, and every directory above as far as the project's root."""
    here = Path(place.here)
    return [str(path) for path in (here, *here.parents) if is_below_directory(str(path), place.root)]


def _tells(folder: str, place: SessionPlace) -> bool:
    """Whether the newest transcript of a directory is about this project."""
    paths = sorted(_transcripts(folder), key=_written, reverse=True)
    return any(is_below_directory(read_transcript_directory(path), place.root) for path in paths[:2])


def _transcripts(folder: str) -> list[str]:
    with suppress(OSError):
        names = os.listdir(folder)
        return [
            os.path.join(folder, name) for name in names if name.endswith(".jsonl") and name[:6] != "agent-"
        ]
    return []


def _written(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _ours(found: FoundSession, place: SessionPlace) -> bool:
    """Whether a session is about this project, or does not say what it is about, and no sub-agent's."""
    if found.track.home == ".":
        return True
    if found.track.dated and is_subagent_transcript(found.path):
        return False
    told = read_transcript_directory(found.path)
    if not told or is_below_directory(told, place.root) or found.track.anywhere:
        return True
    # One that began elsewhere may lie here by its name; two paths that are named the same may not.
    return found.track.agent == "claude-code" and fold(told) not in set(map(fold, _upwards(place)))


class AgentSessions:
    """The sessions that agents keep, under one name."""

    margin = MARGIN
    find_file = staticmethod(find_session_file)
    find_by_prefix = staticmethod(find_session_by_prefix)
    find_newest = staticmethod(find_newest_session)
    list_all = staticmethod(list_sessions)
