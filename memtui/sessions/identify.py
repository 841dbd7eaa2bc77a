"""Which session this is (spec 000): told by a hook's input, else found by listing what agents keep, else made up.

The same id leads to the same file: a resumed or rewound session keeps its id, a cleared or forked one gets a
new one from its agent. For Codex the canonical id is its rollout's name, even where a hook tells only the id at
the end of that name; `list_id_forms` has both, so that a summary under the other name is found and continued.
`find_parent`: which session another one was forked from, as its transcript tells.

The files of the session that an agent is in, found by listing what it keeps of its sessions (spec 000).
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.language.conversation import Session
from memtui.layouts.git import find_project_roots
from memtui.layouts.tracks import AGENT_TITLES, TRACKS, find_track, fold, recognize_hook, recognize_payload
from memtui.store import project, session_ids
from memtui.store.session_ids import (
    FoundSession,
    SessionPlace,
    infer_transcript_agent,
    is_below_directory,
    is_subagent_transcript,
    list_track_directories,
    read_transcript_directory,
    resolve_transcript_path,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from memtui.core.config import Config
    from memtui.layouts.tracks import Track


_EARLIER = 5
"""So many of the last sessions are looked at: those before them were, when they were the last."""
SOURCES = frozenset({"startup", "resume", "clear", "compact", "fork"})
_IDS = ("session_id", "sessionId", "thread-id", "thread_id", "conversation_id", "conversationId")


def read_hook_session(
    payload: Mapping[str, Any], config: Config, env: Mapping[str, str] | None = None, *, agent: str = ""
) -> Session:
    """The session that a hook fired in, from what stood on its stdin; `agent`: whose hook it is, where that is known.

    Hostile or missing values are done without. Never raises.
    """
    env = os.environ if env is None else env
    place = _place(_choose_directory(payload, env), env)
    transcript = resolve_transcript_path(payload.get("transcript_path"), place, env, config)
    agent = agent or _recognise_agent(payload, transcript, place, env)
    side = _is_sidechain_event(payload) or bool(transcript and is_subagent_transcript(transcript))
    own = next((fine for key in _IDS if (fine := session_ids.fit(payload.get(key)))), "")
    stem = _stem(transcript) if transcript else ""
    if not own and not stem:
        newest = find_current_session(config, cwd=Path(place.here), env=env, agent=agent)
        return newest._replace(sidechain=side, source=_read_source(payload))
    track = find_track(agent)
    # Where directories are days, a file is named by its time besides the id.
    if track is not None and track.dated and own in {"", session_ids.extract_rollout_id(stem)}:
        own = stem
    elif (
        track is not None
        and track.dated
        and not session_ids.extract_rollout_id(own)
        and (file := _find_file(agent, own, place, env)) is not None
    ):
        own, transcript = file.id, transcript or file.path
    how = _("reported by the {agent} hook").format(agent=AGENT_TITLES.get(agent, _("an agent that is not known")))
    return _make_session(
        own or stem, agent, place, config, transcript=transcript, sidechain=side, source=_read_source(payload), how=how
    )


def find_current_session(
    config: Config, *, cwd: Path | None = None, env: Mapping[str, str] | None = None, agent: str = ""
) -> Session:
    """The session that an agent is in here: of `agent`, of the one that the environment betrays, or of any.

    Its own id where it tells one, else its newest session file, else the id in the project's live state, else one
    made up and kept while it is used. Never raises.
    """
    env = os.environ if env is None else env
    place = _place(str(cwd) if cwd is not None else _find_working_directory(), env)
    wanted = agent or next((track.agent for track in TRACKS if any(map(env.get, track.signs))), "")
    for track in TRACKS:
        own = next((fine for name in track.told if (fine := session_ids.fit(env.get(name)))), "")
        if own and track.agent == wanted:
            found = _find_file(wanted, own, place, env)
            how = _("{agent} says so in the environment").format(agent=AGENT_TITLES[wanted])
            path = found.path if found else ""
            return _make_session(found.id if found else own, wanted, place, config, transcript=path, how=how)
    newest = _find_newest(wanted, place, env)
    if newest is not None:
        path = "" if newest.track.key else newest.path
        how = _("the newest session of {agent} in this project").format(agent=AGENT_TITLES[newest.track.agent])
        return _make_session(newest.id, newest.track.agent, place, config, transcript=path, how=how)
    left = session_ids.read_live_session_id(Path(place.root))
    if left:
        return _make_session(left, wanted, place, config, how=_("the id that the project's live state holds"))
    how = _("no agent's session was found here: an id of its own")
    return _make_session(session_ids.make_session_id(place.root), wanted, place, config, how=how)


def find_named_session(named: str, config: Config) -> Session | None:
    """The session of this project that a person names by its id, the beginning of one, or its transcript's path."""
    env = os.environ
    place = _place(_find_working_directory(), env)
    if named.endswith(".jsonl"):
        path = resolve_transcript_path(
            os.path.abspath(os.path.join(place.here, os.path.expanduser(named))), place, env, config
        )
        return read_hook_session({"transcript_path": path, "cwd": place.here}, config, env) if path else None
    for track in TRACKS:
        one = find_session_file(track, named, place, env) or find_session_by_prefix(track, named, place, env)
        if one is not None:
            how = _("named by its id, a session of {agent}").format(agent=AGENT_TITLES[track.agent])
            return _make_session(one.id, track.agent, place, config, transcript=one.path, how=how)
    return None


def list_earlier_sessions(now: Session, config: Config, idle: float) -> list[Session]:
    """The last sessions of this project, other than this one, of agents that have no hooks (spec 001 §4.3).

    One is over when the same agent has begun another, else after so many seconds without a word.
    """
    place = _place(now.cwd or _find_working_directory(), os.environ)
    found: list[Session] = []
    for track in (one for one in TRACKS if one.silent):
        every = [one for one in list_sessions(track, place, os.environ) if one.id != now.id]
        over = [one for one in every if now.agent == track.agent or time.time() - one.time > idle]
        found += [_make_session(one.id, track.agent, place, config, transcript=one.path) for one in over[:_EARLIER]]
    return found


def list_id_forms(session: Session) -> tuple[str, ...]:
    """Every form of a session's id that its file may be called by, the canonical one first."""
    forms = [session.id, session_ids.extract_rollout_id(session.id)]
    stem = session_ids.fit(Path(session.transcript).stem) if session.transcript else ""
    if session_ids.extract_rollout_id(stem) and session_ids.extract_rollout_id(stem) in forms:
        forms.append(stem)
    return tuple(dict.fromkeys(filter(None, forms)))


def _make_session(id: str, agent: str, place: SessionPlace, config: Config, **more: Any) -> Session:
    here = Path(place.here)
    return Session(id, agent, place.here, project.derive_project_key(here, config), project.name(here, config), **more)


def _place(here: str, env: Mapping[str, str]) -> SessionPlace:
    user = env.get("HOME") or os.path.expanduser("~")
    root = here
    with suppress(OSError, ValueError, RuntimeError):
        root = str(find_project_roots(Path(here), Path(user))[0])
    return SessionPlace(here, root, user)


def _find_working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.path.expanduser("~")


def _choose_directory(payload: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """Where the agent works: as it says, unless its transcript lies under the name of the directory it began in."""
    roots = payload.get("workspace_roots")
    said = _check_path(payload.get("cwd")) or _check_path(roots[0] if isinstance(roots, list) and roots else None)
    began = _check_path(env.get("CLAUDE_PROJECT_DIR"))
    if said and began and not is_below_directory(said, began):
        transcript = payload.get("transcript_path")
        folder = fold(Path(transcript).parent.name) if isinstance(transcript, str) else ""
        if folder == fold(began) and folder not in {fold(str(path)) for path in (Path(said), *Path(said).parents)}:
            return began
    return said or began or _find_working_directory()


def _check_path(value: object) -> str:
    """A directory that somebody told; empty for what cannot be one."""
    if not isinstance(value, str) or not os.path.isabs(value) or len(value) > 4096 or "\0" in value:
        return ""
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        return ""
    return os.path.normpath(value)


def _recognise_agent(payload: Mapping[str, Any], transcript: str, place: SessionPlace, env: Mapping[str, str]) -> str:
    """Which agent speaks, by what the payload says first, for one agent may have been started by another."""
    if transcript and (agent := infer_transcript_agent(transcript, place, env)):
        return agent
    if agent := recognize_payload(payload):
        return agent
    signed = next((track.agent for track in TRACKS if any(map(env.get, track.signs))), "")
    return signed or recognize_hook(payload)


def _is_sidechain_event(payload: Mapping[str, Any]) -> bool:
    event = payload.get("hook_event_name")
    return bool(payload.get("agent_id")) or (isinstance(event, str) and event.startswith("Subagent"))


def _stem(transcript: str) -> str:
    """The id that a transcript's name holds, or its run's; empty for a sub-agent's."""
    path = Path(transcript)
    if path.name == "history.jsonl" and "runs" in path.parts[:-2]:
        return session_ids.fit(path.parts[path.parts.index("runs") + 1])
    return "" if path.name.startswith("agent-") else session_ids.fit(path.stem)


def _read_source(payload: Mapping[str, Any]) -> str:
    source = payload.get("source")
    return source if isinstance(source, str) and source in SOURCES else ""


def _find_file(agent: str, id: str, place: SessionPlace, env: Mapping[str, str]) -> FoundSession | None:
    track = next((track for track in TRACKS if track.agent == agent), None)
    return find_session_file(track, id, place, env) if track is not None else None


def _find_newest(agent: str, place: SessionPlace, env: Mapping[str, str]) -> FoundSession | None:
    found: FoundSession | None = None
    for track in TRACKS:
        one = find_newest_session(track, place, env) if agent in {"", track.agent} else None
        if one is not None and (found is None or one.time > found.time + MARGIN):
            found = one
    return found


_HEAD = 256 * 1024
_ID = compile_pattern(
    rb'"(?:forkedFrom|forked_from|parentSessionId|parent_session_id|forked_from_id|sessionId|session_id)"\s*:\s*'
    rb'(?:\{\s*"sessionId"\s*:\s*)?"([A-Za-z0-9._-]{1,128})"'
)


def find_parent(session: Session) -> str:
    """The id of the session it was forked from; empty: nobody knows. What was copied names the other session."""
    if session.source != "fork" or not session.transcript:
        return ""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(session.transcript, flags)
    except (OSError, ValueError):
        return ""
    try:
        head = os.read(handle, _HEAD)
    except OSError:
        return ""
    finally:
        os.close(handle)
    found = (match[1].decode() for match in _ID.finditer(head))
    return next((one for one in found if one != session.id), "")


MARGIN = 5.0
"""Seconds: what was written this much later is newer, whatever the order of days or of the table."""
_SHORT = 4
_LOOKS = 64
"""Transcripts that are looked into for the directory that they are about."""


def find_newest_session(track: Track, place: SessionPlace, env: Mapping[str, str]) -> FoundSession | None:
    """The agent's session that was last written to in this project; None: it has none here."""
    for base in list_track_directories(track, place, env):
        for pattern in track.files:
            found = list(_iterate_matching(track, base, pattern, place, env))
            found.sort(key=lambda one: (one.time, one.path), reverse=True)
            latest = _choose_first(found[:_LOOKS], place)
            if latest is None:
                continue
            if not track.dated:
                return latest
            # A session of another day that was resumed is newer than its directory.
            days = sorted(found, key=lambda one: (one.parts[:-1], one.time), reverse=True)
            of_day = _choose_first([*days[:_LOOKS], latest], place) or latest
            return latest if latest.time > of_day.time + MARGIN else of_day
    return None


def _choose_first(found: Iterable[FoundSession], place: SessionPlace) -> FoundSession | None:
    """The first session of this project; where all projects' lie together, one that does not say whose it is last."""
    silent: FoundSession | None = None
    for one in found:
        if one.id and _is_of_project(one, place):
            if not one.track.dated or read_transcript_directory(one.path):
                return one
            silent = silent or one
    return silent


def list_sessions(track: Track, place: SessionPlace, env: Mapping[str, str]) -> list[FoundSession]:
    """The agent's sessions of this project, the one written last first: of a run that stands twice the first form."""
    found: dict[str, FoundSession] = {}
    for base in list_track_directories(track, place, env):
        for pattern in track.files:
            for one in _iterate_matching(track, base, pattern, place, env):
                if one.id and _is_of_project(one, place):
                    found.setdefault(one.id, one)
    return sorted(found.values(), key=lambda one: one.time, reverse=True)


def find_session_file(track: Track, id: str, place: SessionPlace, env: Mapping[str, str]) -> FoundSession | None:
    """The file of the session with this id, whichever of its forms that is."""
    for base in list_track_directories(track, place, env):
        for pattern in () if track.key else track.files:
            for one in _iterate_matching(track, base, pattern, place, env, lambda name: track.part >= 0 or id in name):
                if id in {one.id, session_ids.extract_rollout_id(one.id)}:
                    return one
    return None


def find_session_by_prefix(track: Track, id: str, place: SessionPlace, env: Mapping[str, str]) -> FoundSession | None:
    """The one session whose id begins so; None where none or several do, or the beginning is too short to be one."""
    if len(id) < _SHORT or track.key:
        return None
    every = [
        one for base in list_track_directories(track, place, env) for pattern in track.files
        for one in _iterate_matching(track, base, pattern, place, env)
        if one.id.startswith(id) or session_ids.extract_rollout_id(one.id).startswith(id)
    ]  # fmt: skip
    return every[0] if len({one.path for one in every}) == 1 else None


def _iterate_matching(
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
        yield from _iterate_listed(track, base, (), pattern.split("/"), wanted)
        return
    folder = above.rstrip("/")
    for name in _list_project_directories(os.path.join(base, folder), place, env):
        yield from _iterate_listed(track, base, (folder, name), below.strip("/").split("/"), wanted)


def _iterate_listed(
    track: Track, base: str, done: tuple[str, ...], left: list[str], wanted: Callable[[str], bool]
) -> Iterator[FoundSession]:
    if len(left) > 1 and "*" not in left[0]:
        path = os.path.join(base, *done, left[0])
        if track.home != "." or not os.path.islink(path):
            yield from _iterate_listed(track, base, (*done, left[0]), left[1:], wanted)
        return
    with suppress(OSError), os.scandir(os.path.join(base, *done)) as entries:
        for entry in entries:
            name = entry.name
            if name[0] == "." or not fnmatchcase(name, left[0]) or (len(left) == 1 and not wanted(name)):
                continue
            with suppress(OSError):
                if len(left) > 1:
                    if entry.is_dir(follow_symlinks=False):
                        yield from _iterate_listed(track, base, (*done, name), left[1:], wanted)
                elif entry.is_file(follow_symlinks=False) and name[:6] != "agent-":
                    yield FoundSession(track, entry.path, (*done, name), entry.stat().st_mtime)


def _list_project_directories(folder: str, place: SessionPlace, env: Mapping[str, str]) -> list[str]:
    """Claude Code's directories of this project: by their names, whatever rule made them, else by what they tell."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    named = env.get("CLAUDE_PROJECT_DIR", "").strip()
    own = env.get("CLAUDE_CODE_PROJECT_DIR_NAME", "").strip()
    if own in names:
        return [own]
    given = named if named and (is_below_directory(place.here, named) or is_below_directory(named, place.root)) else ""
    for path in dict.fromkeys(filter(None, (given, *_list_upwards(place)))):
        wanted = {fold(path), fold(os.path.realpath(path))}
        found = [name for name in names if fold(name) in wanted and _list_transcripts(os.path.join(folder, name))]
        if found:
            return found
    return [name for name in names if _is_about_place(os.path.join(folder, name), place)]


def _list_upwards(place: SessionPlace) -> Iterable[str]:
    """Here, and every directory above as far as the project's root."""
    here = Path(place.here)
    return [str(path) for path in (here, *here.parents) if is_below_directory(str(path), place.root)]


def _is_about_place(folder: str, place: SessionPlace) -> bool:
    """Whether the newest transcript of a directory is about this project."""
    paths = sorted(_list_transcripts(folder), key=_read_write_time, reverse=True)
    return any(is_below_directory(read_transcript_directory(path), place.root) for path in paths[:2])


def _list_transcripts(folder: str) -> list[str]:
    with suppress(OSError):
        names = os.listdir(folder)
        return [os.path.join(folder, name) for name in names if name.endswith(".jsonl") and name[:6] != "agent-"]
    return []


def _read_write_time(path: str) -> float:
    try:
        return os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _is_of_project(found: FoundSession, place: SessionPlace) -> bool:
    """Whether a session is about this project, or does not say what it is about, and no sub-agent's."""
    if found.track.home == ".":
        return True
    if found.track.dated and is_subagent_transcript(found.path):
        return False
    told = read_transcript_directory(found.path)
    if not told or is_below_directory(told, place.root) or found.track.anywhere:
        return True
    # One that began elsewhere may lie here by its name; two paths that are named the same may not.
    by_name = any("{project}" in pattern for pattern in found.track.files)
    return by_name and fold(told) not in set(map(fold, _list_upwards(place)))
