"""Where agents keep the files of their sessions, and how an id is got from one (spec 000): one table, found by listing.

A path that is told from outside is taken only where it lies in one of these places and passes through no link.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from memtui.sessions import ids
from memtui.sessions.heads import keyed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memtui.config import Config


class Track(NamedTuple):
    """What one agent leaves of its sessions."""

    agent: str
    home: str
    """The user's directory of it; '.': the project's root."""
    variable: str
    """The environment variable that moves it."""
    files: tuple[str, ...]
    """Below it; '{project}' is a directory named by the project's path. The first of these that has any."""
    inside: tuple[str, ...]
    """Directories below it in which its transcripts lie."""
    part: int = -1
    """Which part of such a path is the id, its ending aside."""
    key: str = ""
    """The files are JSON, and the id stands under this key."""
    told: tuple[str, ...] = ()
    """Environment variables that hold the id."""
    signs: tuple[str, ...] = ()
    """Environment variables that nobody but this agent sets."""
    dated: bool = False
    """Its directories are days: the newest day comes first."""


TRACKS = (
    Track(
        "claude-code", "~/.claude", "CLAUDE_CONFIG_DIR", ("projects/{project}/*.jsonl",), ("projects",),
        told=("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"),
        signs=("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR"),
    ),
    Track(
        "codex", "~/.codex", "CODEX_HOME", ("sessions/*/*/*/rollout-*.jsonl", "sessions/rollout-*.jsonl"),
        ("sessions", "archived_sessions"), told=("CODEX_THREAD_ID", "CODEX_SESSION_ID"),
        signs=("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"), dated=True,
    ),
    Track(
        "openclaw", "~/.openclaw", "OPENCLAW_STATE_DIR", ("agents/*/sessions/*.jsonl",), ("agents",),
        told=("OPENCLAW_SESSION_ID",), signs=("OPENCLAW_SESSION_ID", "OPENCLAW_SHELL"),
    ),
    Track(
        "xinghebot", ".", "",
        (
            ".multi_agent/runs/*/agents/primary/history.jsonl", ".multi_agent/runs/*/primary/history.jsonl",
            ".multi_agent/runs/*/history.jsonl",
        ),
        (".multi_agent/runs",), part=2, told=("XINGHEBOT_RUN_ID",), signs=("XINGHEBOT_RUN_ID",),
    ),
    Track("helloagents", ".", "", (".helloagents/sessions/active.json",), (), key="session"),
)  # fmt: skip


class Place(NamedTuple):
    """The directories of whoever asks."""

    here: str
    """Where the agent works."""
    root: str
    """The checkout around it."""
    user: str


class Found(NamedTuple):
    """A session's file."""

    track: Track
    path: str
    parts: tuple[str, ...]
    """Of its path below the agent's directory."""
    time: float
    """When it was last written."""

    @property
    def id(self) -> str:
        """As the agent's table says; empty: it holds none."""
        if self.track.key:
            return keyed(self.path, self.track.key)
        return ids.fit(self.parts[self.track.part].removesuffix(".jsonl"))


def bases(track: Track, place: Place, env: Mapping[str, str]) -> list[str]:
    """The directories that hold it: the one that the environment names, else its own."""
    if track.home == ".":
        return list(dict.fromkeys((place.root, place.here)))
    named = env.get(track.variable, "").strip()
    default = os.path.join(place.user, track.home[2:])
    return [os.path.join(place.user, named[2:]) if named.startswith("~/") else named or default]


def contained(path: object, place: Place, env: Mapping[str, str], config: Config) -> str:
    """A transcript's path as it may be opened; empty for what lies elsewhere or passes through a link.

    The file need not be there yet: agents write it when they have something to say.
    """
    if not isinstance(path, str) or not path.endswith(".jsonl") or len(path) > 4096 or "\0" in path:
        return ""
    path = os.path.join(place.user, path[2:]) if path.startswith("~/") else path
    if not os.path.isabs(path) or os.path.normpath(path) != path:
        return ""
    for root, inside in _places(place, env, config):
        real = os.path.realpath(root)
        for spelt in dict.fromkeys((root, real)):
            prefix = os.path.join(spelt, inside, "") if inside else os.path.join(spelt, "")
            if path.startswith(prefix) and _plain(real, path[len(os.path.join(spelt, "")) :]):
                return os.path.join(real, path[len(os.path.join(spelt, "")) :])
    return ""


def agent_of(path: str, place: Place, env: Mapping[str, str]) -> str:
    """Whose transcript it is, by where it lies; empty: nobody knows."""
    for track in TRACKS:
        for base in bases(track, place, env):
            for inside in track.inside:
                if path.startswith(os.path.join(os.path.realpath(os.path.join(base, inside)), "")):
                    return track.agent
    return ""


def _places(place: Place, env: Mapping[str, str], config: Config) -> Iterator[tuple[str, str]]:
    """Directories, resolved once, and what below them is looked at without following links."""
    for track in TRACKS:
        for base in bases(track, place, env):
            for inside in track.inside:
                # What a repository holds may be anything; what the user's own directory links to is the user's.
                yield (base, inside) if track.home == "." else (os.path.join(base, inside), "")
    for named in config.homes.paths:
        yield os.path.expanduser(named), ""


def _plain(root: str, path: str) -> bool:
    """Whether a path below the root is made of directories and a file, none of them a link."""
    at = root
    parts = path.split(os.sep)
    for number, part in enumerate(parts):
        at = os.path.join(at, part)
        try:
            mode = os.lstat(at).st_mode
        except FileNotFoundError:
            return True
        except (OSError, ValueError):
            return False
        if not (stat.S_ISREG(mode) if number == len(parts) - 1 else stat.S_ISDIR(mode)):
            return False
    return True
