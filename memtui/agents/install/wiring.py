"""The words of installing: a piece of a file that is ours, a way to serve an agent, a change of a file, a plan."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.disk.commit import current
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Options(NamedTuple):
    """What was asked for; an empty `how` or `scope`: the default, and for removing every one."""

    how: str = ""
    scope: str = ""
    blank: bool = False
    """As if none of the files were there: what a person puts in by hand."""


class Places(NamedTuple):
    """Where the agents keep their settings, for this user and this project."""

    user: Path
    claude: Path
    codex: Path
    openclaw: Path
    data: Path
    project: Path


def places(env: Mapping[str, str] | None = None) -> Places:
    """The places, from the environment and the working directory."""
    env = os.environ if env is None else env
    user = Path(env.get("HOME") or os.path.expanduser("~"))
    here = Path.cwd()
    root = next((path for path in (here, *here.parents) if (path / ".git").exists()), here)
    return Places(
        user,
        _named(env, "CLAUDE_CONFIG_DIR", user, ".claude"),
        _named(env, "CODEX_HOME", user, ".codex"),
        user / ".openclaw",
        _named(env, "XDG_DATA_HOME", user, ".local", "share") / "memtui",
        root,
    )


def _named(env: Mapping[str, str], name: str, user: Path, *default: str) -> Path:
    value = env.get(name, "").strip()
    if value == "~" or value.startswith("~/"):
        return user / value[2:]
    return Path(value) if os.path.isabs(value) else user.joinpath(*default)


class Piece(NamedTuple):
    """What of one file is ours: how it gets there, how it goes, by pure functions of the file's bytes."""

    path: Path
    put: Callable[[bytes | None], bytes]
    """The file with our part in it; the same bytes where it is there already. Raises RefusedError."""
    take: Callable[[bytes], bytes | None]
    """The file without it, None: no file; the same bytes where there is none of ours."""
    program: Callable[[bytes], tuple[str, ...]]
    """What our part calls memtui by; empty: there is none of ours, or it calls nothing."""
    inside: Path | None = None
    """Where a link must not lead out of: a project that somebody else wrote may hold any link."""


class Wiring(NamedTuple):
    """One way to serve one agent."""

    agent: str
    how: str
    scope: str
    place: Path
    """The directory that it is about, for a person."""
    pieces: tuple[Piece, ...]
    commands: tuple[str, ...] = ()
    """What is left to type."""
    undoing: tuple[str, ...] = ()
    """What is left to type when it goes."""
    warnings: tuple[str, ...] = ()
    served: bool = False
    """Whether the agent has taken it up already: where no file changes, nothing is left to type."""

    @property
    def key(self) -> tuple[str, ...]:
        """What its record is known by."""
        return self.agent, self.how, str(self.place)


class File(NamedTuple):
    """One file of a plan."""

    path: str
    """The file itself: absolute, links followed."""
    named: str
    """As its agent names it."""
    old: bytes | None
    new: bytes | None
    """None: the file goes."""
    without: bytes | None = None
    """What it would be without anything of ours."""


class Plan(NamedTuple):
    """What would be done. `files` are those that would change; nothing else is written."""

    agent: str
    how: str
    scope: str
    place: str
    files: tuple[File, ...]
    commands: tuple[str, ...]
    warnings: tuple[str, ...]
    removes: bool = False
    records: tuple[str, ...] = ()
    """Ids of what was installed and is to be forgotten."""


class Installation(NamedTuple):
    """What stands of one way to serve an agent, for Health and doctor."""

    agent: str
    how: str
    scope: str
    place: str
    state: str
    """complete; partly; broken (what it calls is not there); missing; absent (the agent itself is not here)."""
    why: str = ""
    command: str = ""


def read(path: Path, inside: Path | None = None) -> tuple[str, bytes | None]:
    """Where a file really is, and what it holds; None: there is none.

    Raises RefusedError where a link leads out of `inside`, or the file is none or too large; UnavailableError.
    """
    real = os.path.realpath(path)
    if inside is not None and not Path(real).is_relative_to(os.path.realpath(inside)):
        raise RefusedError(
            _("{path} is a link that leads out of the project, to {real}: nothing was written.").format(
                path=path, real=real
            )
        )
    root, rest = split(real)
    return real, current(root, rest)


def split(path: str) -> tuple[str, str]:
    """The nearest directory that is there, and the way on from it."""
    root, rest = os.path.split(path)
    while not os.path.isdir(root) and os.path.dirname(root) != root:
        root, last = os.path.split(root)
        rest = f"{last}/{rest}"
    return root, rest
