"""Claude Code: a plugin, or its settings (conventions of its hooks, plugins and skills)."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from memtui.agents.install import hooks_file, json_text, plugin, server, skill
from memtui.agents.install.events import groups, line
from memtui.agents.install.wiring import Piece, Wiring, read
from memtui.errors import MemtuiError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memtui.agents.install.wiring import Places

_ID = f"{plugin.NAME}@{plugin.NAME}"


def wirings(places: Places, program: Sequence[str]) -> tuple[Wiring, ...]:
    """Every way to serve it here, what is done by default first."""
    folder = places.data / "claude-code"
    on = enabled(places)
    # Claude Code works with a copy, which it takes anew only for a new version.
    anew = (f"/plugin marketplace update {plugin.NAME}", f"/plugin uninstall {_ID}", f"/plugin install {_ID}")
    made = Wiring(
        "claude-code",
        "plugin",
        "user",
        folder,
        plugin.pieces(folder, program),
        anew if on else (f"/plugin marketplace add {folder}", f"/plugin install {_ID}"),
        (f"/plugin uninstall {_ID}", f"/plugin marketplace remove {plugin.NAME}"),
        _twice(places, plugged=True),
        on,
    )
    return (made, _settings(places, program, "user"), _settings(places, program, "project"))


def _settings(places: Places, program: Sequence[str], scope: str) -> Wiring:
    user = scope == "user"
    folder = places.claude if user else places.project / ".claude"
    inside = None if user else places.project
    settings, servers = folder / "settings.json", places.project / ".mcp.json"
    wanted = groups("claude-code", program)
    pieces = [
        Piece(
            settings,
            lambda old: hooks_file.put(old, wanted, str(settings)),
            lambda old: hooks_file.take(old, str(settings)),
            hooks_file.program,
            inside,
        ),
        skill.piece(folder / "skills" / "memtui", program, inside),
    ]
    if not user:
        pieces.append(
            Piece(
                servers,
                lambda old: server.put(old, program, str(servers)),
                lambda old: server.take(old, str(servers)),
                server.program,
                inside,
            )
        )
    shared = _("These files belong to the project, and what calls memtui on this machine stands in them.")
    return Wiring(
        "claude-code",
        "settings",
        scope,
        folder,
        tuple(pieces),
        # Its user-wide servers are in a file that it writes itself, all the time.
        (f"claude mcp add --scope user memtui -- {line([*program, 'mcp'])}",) if user else (),
        ("claude mcp remove --scope user memtui",) if user else (),
        (() if user else (shared,)) + _twice(places, plugged=False) + _both(places, scope),
        user and _serves(places),
    )


def _twice(places: Places, *, plugged: bool) -> tuple[str, ...]:
    """What to know where both ways would serve it: every hook would run twice."""
    files = [places.claude / "settings.json", places.project / ".claude" / "settings.json"]
    if plugged and any(hooks_file.program(_held(file)) for file in files):
        return (
            _(
                "Its settings call memtui already; take them back first: memtui uninstall claude-code --settings"
            ),
        )
    if not plugged and enabled(places):
        return (
            _("The plugin is switched on, too; take it back first: memtui uninstall claude-code --plugin"),
        )
    return ()


def _both(places: Places, scope: str) -> tuple[str, ...]:
    """The same for the settings of the user and of the project."""
    other, named = (places.project / ".claude", "project") if scope == "user" else (places.claude, "user")
    if places.project != places.user and hooks_file.program(_held(other / "settings.json")):
        command = f"memtui uninstall claude-code --settings --scope {named}"
        return (
            _("{place} calls memtui, too: take that back first: {command}").format(
                place=other, command=command
            ),
        )
    return ()


def enabled(places: Places) -> bool:
    """Whether Claude Code has our plugin switched on, for this user or this project."""
    for folder in (places.claude, places.project / ".claude"):
        for name in ("settings.json", "settings.local.json"):
            try:
                _text, said = json_text.decoded(_held(folder / name) or b"{}", name)
            except MemtuiError:
                continue
            plugins = said.get("enabledPlugins") if isinstance(said, dict) else None
            if isinstance(plugins, dict) and plugins.get(_ID) is True:
                return True
    return False


def _serves(places: Places) -> bool:
    """Whether Claude Code has an MCP server of our name for this user."""
    for folder in (places.user, places.claude):
        try:
            _text, said = json_text.decoded(_held(folder / ".claude.json") or b"{}", "")
        except MemtuiError:
            continue
        servers = said.get("mcpServers") if isinstance(said, dict) else None
        if isinstance(servers, dict) and "memtui" in servers:
            return True
    return False


def _held(path: Path) -> bytes:
    try:
        return read(path)[1] or b""
    except MemtuiError:
        return b""


def refused(folder: str) -> str:
    """What Claude Code's own validator has against the plugin; empty: nothing, or there is no Claude Code here."""
    own = shutil.which("claude")
    if own is None:
        return ""
    try:
        done = subprocess.run(
            [own, "plugin", "validate", folder, "--strict"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return (done.stderr + done.stdout).strip() if done.returncode else ""
