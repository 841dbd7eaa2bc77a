"""Which session this is (spec 000): told by a hook's input, else found by listing what agents keep, else made up.

The same id leads to the same file: a resumed or rewound session keeps its id, a cleared or forked one gets a
new one from its agent. For Codex the canonical id is its rollout's name, even where a hook tells only the id at
the end of that name; `list_id_forms` has both, so that a summary under the other name is found and continued.
`find_parent`: which session another one was forked from, as its transcript tells.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path

from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Any
from memtui.language.conversation import Session
from memtui.layouts.git import find_project_roots
from memtui.layouts.tracks import AGENT_TITLES, TRACKS
from memtui.store import project, session_ids
from memtui.store.session_ids import (
    SessionPlace,
    infer_transcript_agent,
    is_below_directory,
    is_subagent_transcript,
    resolve_transcript_path,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.core.config import Config
    from memtui.sessions.agent_sessions import AgentSessions
    from memtui.store.session_ids import FoundSession

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
    place = _place(_directory(payload, env), env)
    transcript = resolve_transcript_path(payload.get("transcript_path"), place, env, config)
    agent = agent or _recognised(payload, transcript, place, env)
    side = _sidechain(payload) or bool(transcript and is_subagent_transcript(transcript))
    own = next((fine for key in _IDS if (fine := session_ids.fit(payload.get(key)))), "")
    stem = _stem(transcript) if transcript else ""
    if not own and not stem:
        newest = find_current_session(config, cwd=Path(place.here), env=env, agent=agent)
        return newest._replace(sidechain=side, source=_source(payload))
    if agent == "codex" and own in {"", session_ids.extract_rollout_id(stem)}:
        own = stem
    elif (
        agent == "codex"
        and not session_ids.extract_rollout_id(own)
        and (file := _file(agent, own, place, env)) is not None
    ):
        own, transcript = file.id, transcript or file.path
    how = _("reported by the {agent} hook").format(
        agent=AGENT_TITLES.get(agent, _("an agent that is not known"))
    )
    return _session(
        own or stem,
        agent,
        place,
        config,
        transcript=transcript,
        sidechain=side,
        source=_source(payload),
        how=how,
    )


def find_current_session(
    config: Config, *, cwd: Path | None = None, env: Mapping[str, str] | None = None, agent: str = ""
) -> Session:
    """The session that an agent is in here: of `agent`, of the one that the environment betrays, or of any.

    Its own id where it tells one, else its newest session file, else the id in the project's live state, else one
    made up and kept while it is used. Never raises.
    """
    env = os.environ if env is None else env
    place = _place(str(cwd) if cwd is not None else _here(), env)
    wanted = agent or next((track.agent for track in TRACKS if any(map(env.get, track.signs))), "")
    for track in TRACKS:
        own = next((fine for name in track.told if (fine := session_ids.fit(env.get(name)))), "")
        if own and track.agent == wanted:
            found = _file(wanted, own, place, env)
            how = _("{agent} says so in the environment").format(agent=AGENT_TITLES[wanted])
            path = found.path if found else ""
            return _session(found.id if found else own, wanted, place, config, transcript=path, how=how)
    newest = _newest(wanted, place, env)
    if newest is not None:
        path = "" if newest.track.key else newest.path
        how = _("the newest session of {agent} in this project").format(
            agent=AGENT_TITLES[newest.track.agent]
        )
        return _session(newest.id, newest.track.agent, place, config, transcript=path, how=how)
    left = session_ids.read_live_session_id(Path(place.root))
    if left:
        return _session(left, wanted, place, config, how=_("the id that the project's live state holds"))
    how = _("no agent's session was found here: an id of its own")
    return _session(session_ids.make_session_id(place.root), wanted, place, config, how=how)


def find_named_session(
    named: str, config: Config, *, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Session | None:
    """The session of this project that a person names by its id, the beginning of one, or its transcript's path."""
    env = os.environ if env is None else env
    place = _place(str(cwd) if cwd is not None else _here(), env)
    if named.endswith(".jsonl"):
        path = resolve_transcript_path(
            os.path.abspath(os.path.join(place.here, os.path.expanduser(named))), place, env, config
        )
        return read_hook_session({"transcript_path": path, "cwd": place.here}, config, env) if path else None
    known = _load_agent_sessions()
    for track in TRACKS:
        one = known.find_file(track, named, place, env) or known.find_by_prefix(track, named, place, env)
        if one is not None:
            how = _("named by its id, a session of {agent}").format(agent=AGENT_TITLES[track.agent])
            return _session(one.id, track.agent, place, config, transcript=one.path, how=how)
    return None


def list_earlier_sessions(
    now: Session, config: Config, idle: float, env: Mapping[str, str] | None = None
) -> list[Session]:
    """The last sessions of this project, other than this one, of agents that have no hooks (spec 001 §4.3).

    One is over when the same agent has begun another, else after so many seconds without a word.
    """
    env = os.environ if env is None else env
    place = _place(now.cwd or _here(), env)
    found: list[Session] = []
    for track in (one for one in TRACKS if one.silent):
        every = [one for one in _load_agent_sessions().list_all(track, place, env) if one.id != now.id]
        over = [one for one in every if now.agent == track.agent or time.time() - one.time > idle]
        found += [
            _session(one.id, track.agent, place, config, transcript=one.path) for one in over[:_EARLIER]
        ]
    return found


def list_id_forms(session: Session) -> tuple[str, ...]:
    """Every form of a session's id that its file may be called by, the canonical one first."""
    forms = [session.id, session_ids.extract_rollout_id(session.id)]
    stem = session_ids.fit(Path(session.transcript).stem) if session.transcript else ""
    if session_ids.extract_rollout_id(stem) and session_ids.extract_rollout_id(stem) in forms:
        forms.append(stem)
    return tuple(dict.fromkeys(filter(None, forms)))


def _session(id: str, agent: str, place: SessionPlace, config: Config, **more: Any) -> Session:
    here = Path(place.here)
    return Session(
        id, agent, place.here, project.derive_project_key(here, config), project.name(here, config), **more
    )


def _place(here: str, env: Mapping[str, str]) -> SessionPlace:
    user = env.get("HOME") or os.path.expanduser("~")
    root = here
    with suppress(OSError, ValueError, RuntimeError):
        root = str(find_project_roots(Path(here), Path(user))[0])
    return SessionPlace(here, root, user)


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.path.expanduser("~")


def _directory(payload: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """Where the agent works: as it says, unless its transcript lies under the name of the directory it began in."""
    roots = payload.get("workspace_roots")
    said = _path(payload.get("cwd")) or _path(roots[0] if isinstance(roots, list) and roots else None)
    began = _path(env.get("CLAUDE_PROJECT_DIR"))
    if said and began and not is_below_directory(said, began):
        from memtui.layouts.claude_projects import fold

        transcript = payload.get("transcript_path")
        folder = fold(Path(transcript).parent.name) if isinstance(transcript, str) else ""
        if folder == fold(began) and folder not in {
            fold(str(path)) for path in (Path(said), *Path(said).parents)
        }:
            return began
    return said or began or _here()


def _path(value: object) -> str:
    """A directory that somebody told; empty for what cannot be one."""
    if not isinstance(value, str) or not os.path.isabs(value) or len(value) > 4096 or "\0" in value:
        return ""
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        return ""
    return os.path.normpath(value)


def _recognised(
    payload: Mapping[str, Any], transcript: str, place: SessionPlace, env: Mapping[str, str]
) -> str:
    """Which agent speaks, by what the payload says first, for one agent may have been started by another."""
    if transcript and (agent := infer_transcript_agent(transcript, place, env)):
        return agent
    if "thread-id" in payload or payload.get("type") == "agent-turn-complete":
        return "codex"
    if "conversation_id" in payload and ("workspace_roots" in payload or "generation_id" in payload):
        return "cursor"
    # Codex's threads are numbered by time, and may have no transcript; Claude Code's sessions are neither.
    numbered = re.fullmatch(
        r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}", str(payload.get("session_id", ""))[:64]
    )
    silent = "transcript_path" in payload and payload["transcript_path"] is None
    if "turn_id" in payload or "turn-id" in payload or numbered or silent:
        return "codex"
    if any(key in payload for key in ("prompt_id", "permission_mode")):
        return "claude-code"
    signed = next((track.agent for track in TRACKS if any(map(env.get, track.signs))), "")
    return signed or ("claude-code" if "hook_event_name" in payload and "session_id" in payload else "")


def _sidechain(payload: Mapping[str, Any]) -> bool:
    event = payload.get("hook_event_name")
    return bool(payload.get("agent_id")) or (isinstance(event, str) and event.startswith("Subagent"))


def _stem(transcript: str) -> str:
    """The id that a transcript's name holds, or its run's; empty for a sub-agent's."""
    path = Path(transcript)
    if path.name == "history.jsonl" and "runs" in path.parts[:-2]:
        return session_ids.fit(path.parts[path.parts.index("runs") + 1])
    return "" if path.name.startswith("agent-") else session_ids.fit(path.stem)


def _source(payload: Mapping[str, Any]) -> str:
    source = payload.get("source")
    return source if isinstance(source, str) and source in SOURCES else ""


def _load_agent_sessions() -> type[AgentSessions]:
    # Hooks are told the session's file, mostly.
    from memtui.sessions.agent_sessions import AgentSessions

    return AgentSessions


def _file(agent: str, id: str, place: SessionPlace, env: Mapping[str, str]) -> FoundSession | None:
    track = next((track for track in TRACKS if track.agent == agent), None)
    return _load_agent_sessions().find_file(track, id, place, env) if track is not None else None


def _newest(agent: str, place: SessionPlace, env: Mapping[str, str]) -> FoundSession | None:
    known = _load_agent_sessions()
    found: FoundSession | None = None
    for track in TRACKS:
        one = known.find_newest(track, place, env) if agent in {"", track.agent} else None
        if one is not None and (found is None or one.time > found.time + known.margin):
            found = one
    return found


_HEAD = 256 * 1024
_ID = re.compile(
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
