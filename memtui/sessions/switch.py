"""Whether a session is given anything: switched off everywhere, for a project, or for one session only."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.digest import sha256
from memtui.disk.places import private, state
from memtui.errors import UsageError
from memtui.locale import _
from memtui.sessions.belonging import folded

if TYPE_CHECKING:
    from memtui.config import Config
    from memtui.sessions.session import Session

VARIABLE = "MEMTUI_OFF"
_NO = frozenset({"", "0", "false", "no", "off"})


class Levels(NamedTuple):
    """What is on, each level by itself; a session is given something where all of them are."""

    session: bool
    project: bool
    everywhere: bool


def levels(session: Session, config: Config) -> Levels:
    """How the switches stand for this session."""
    return Levels(
        not (session.id and _file(session).exists()),
        not any(_names(entry, session) for entry in config.context.off),
        config.context.enabled,
    )


def off(session: Session, config: Config) -> str:
    """Why this session is given nothing, in a sentence for a person; empty: it is given what is remembered."""
    if os.environ.get(VARIABLE, "").strip().lower() not in _NO:
        return _("{variable} switches it off.").format(variable=VARIABLE)
    if session.sidechain:
        return _("A sub-agent is told by the agent that started it.")
    if not config.context.enabled:
        return _("It is switched off everywhere: memtui context --on --everywhere switches it on.")
    named = next((entry for entry in config.context.off if _names(entry, session)), "")
    if named:
        told = _("It is switched off for {project}: memtui context --on --project switches it on.")
        return told.format(project=named)
    if session.id and _file(session).exists():
        return _("It is switched off for this session.")
    return ""


def switched(session: Session, on: bool) -> None:
    """Switch one session on or off. Raises UsageError where nobody knows which, OSError, RefusedError."""
    if not session.id:
        raise UsageError(_("Say which session: --session ID."))
    place = _file(session)
    if on:
        with suppress(FileNotFoundError):
            place.unlink()
        return
    private(place.parent)
    with suppress(FileExistsError):
        os.close(os.open(place, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def project_switched(session: Session, on: bool, config: Config) -> tuple[str, ...]:
    """Switch a project on or off in the settings; what stands there now. Raises what `config_keys.set` raises."""
    from memtui import config_keys

    kept = tuple(entry for entry in config.context.off if not _names(entry, session))
    name = session.project or session.cwd
    if not on and not name:
        raise UsageError(_("Nobody knows which project this is."))
    now = kept if on else config.context.off if kept != config.context.off else (*kept, name)
    if now != config.context.off:
        config_keys.set("context.off", now)
    return now


def everywhere_switched(on: bool) -> None:
    """Switch all sessions on or off in the settings. Raises what `config_keys.set` raises."""
    from memtui import config_keys

    config_keys.set("context.enabled", on)


def _names(entry: str, session: Session) -> bool:
    """Whether an entry of `context.off` means this session's project: its key, its name, or a directory around it."""
    if entry.startswith(("/", "~")) or os.sep in entry:
        place = Path(entry).expanduser()
        return bool(session.cwd) and Path(session.cwd).is_relative_to(place)
    return bool(entry.strip()) and folded(entry) in {folded(session.project), folded(session.name)} - {""}


def _file(session: Session) -> Path:
    name = sha256(session.id.encode("utf-8", "surrogatepass"))[:32]
    return state() / "switched-off" / name
