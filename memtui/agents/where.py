"""Which project a call is about: what it says itself, else what whoever started the server said, never a guess unsaid.

A parameter comes before --project, that before the environment, that before the client's roots, and the directory
that the server happens to stand in comes last; the answer says which it was (`project_from`).
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from memtui.agents import names
from memtui.agents.schema import Of
from memtui.errors import RefusedError, UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memtui.model import Home

VARIABLES = ("MEMTUI_PROJECT", "CLAUDE_PROJECT_DIR")
"""Environment variables that name the project's directory, the first that is set."""


class Place(NamedTuple):
    """Where a call belongs."""

    cwd: Path
    """The project's directory, or the one that stands for it."""
    key: str = ""
    """A project that homes know by this name; empty: the directory's own."""
    told: str = "cwd"
    """Who said so: parameter, --project, environment, roots, cwd."""


def about(
    caller: None,
    project: Annotated[
        str,
        Of(
            "The project that this is about: its absolute directory, or its key. "
            "Else what the server was told when it was started.",
            most=4096,
        ),
    ] = "",
    cwd: Annotated[
        str, Of("The absolute directory that you work in, where it is not the server's.", most=4096)
    ] = "",
) -> None:
    """What every tool takes besides its own parameters."""


def placed(
    project: str = "",
    cwd: str = "",
    *,
    started: str = "",
    env: Mapping[str, str] | None = None,
    roots: Iterable[str] = (),
) -> Place:
    """The place of a call that says `project` and `cwd`. `started` is the server's --project.

    Raises RefusedError for a directory that is none, or a key that could be a path.
    """
    env = os.environ if env is None else env
    key = "" if not project or os.path.isabs(project) else names.identifier(project, "'project'")
    if cwd:
        return Place(Path(names.directory(cwd)), key, "parameter")
    if project and not key:
        return Place(Path(names.directory(project)), "", "parameter")
    place = _started(started, env, roots)
    return place._replace(key=key, told="parameter") if key else place


def _started(started: str, env: Mapping[str, str], roots: Iterable[str]) -> Place:
    if started:
        return Place(Path(names.directory(os.path.realpath(os.path.expanduser(started)))), "", "--project")
    for name in VARIABLES:
        value = env.get(name, "").strip()
        if value and os.path.isdir(value):
            return Place(Path(os.path.realpath(value)), "", "environment")
    for root in roots:
        if os.path.isdir(root):
            return Place(Path(os.path.realpath(root)), "", "roots")
    try:
        return Place(Path.cwd())
    except OSError:
        return Place(Path.home())


def belonging(homes: Sequence[Home], key: str) -> list[Home]:
    """The homes with those of the project of that name first, as the current ones. Raises UsageError."""
    wanted = key.casefold()
    fit = {home.path for home in homes if wanted in known(home)}
    if not fit:
        from memtui.sessions import project

        every = sorted({name for home in homes for name in known(home)})
        near = project.near(key, every)
        told = _("No home here knows the project '{key}'.").format(key=key)
        raise UsageError(f"{told} " + _("Did you mean '{word}'?").format(word=near) if near else told)
    marked = [home._replace(current=home.path in fit) for home in homes]
    return sorted(marked, key=lambda home: not home.current)


def known(home: Home) -> set[str]:
    """The names by which a home knows its project, folded."""
    whole = (home.project, os.path.basename(home.project), home.label if home.project else "")
    return {name.casefold() for name in whole if name}


def within(named: str, roots: Iterable[str | Path]) -> None:
    """Check that a directory lies in one of these: a server on a socket opens no others. Raises RefusedError.

    What holds the person's whole home is no project, whoever started a server there: nothing below it counts. And
    nobody is told which directories there are.
    """
    mine = Path(os.path.realpath(os.path.expanduser("~")))
    with suppress(RefusedError):
        found = Path(names.directory(named))
        for root in map(Path, roots):
            if found == root or (found.is_relative_to(root) and not mine.is_relative_to(root)):
                return
    raise RefusedError(
        _("{path} is none of this server's projects: name one by its key.").format(path=named[:200])
    )
