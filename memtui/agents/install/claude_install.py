"""Claude Code: a plugin with a marketplace of its own around it, or its settings.

In this order: the skill that teaches an agent when to search and when to propose (SKILL.md with portable
frontmatter only); our entry in a file of MCP servers (`.mcp.json`); the plugin, files that are wholly ours
below our own data directory; the ways to serve Claude Code.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui import __version__
from memtui.agents.install import edited_json
from memtui.agents.install.wiring import (
    FilePiece,
    Wiring,
    build_hook_groups,
    join_command_line,
    read_entry_program,
    read_readable,
)
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.agents.install.wiring import AgentPlaces

_MARK = 'metadata: {"made-by": "memtui install", "command": '


def render_skill_file(name: str, program: Sequence[str]) -> bytes:
    """The skill of that name, which is its directory's; `program`: what a shell calls memtui by."""
    source = Path(__file__).with_name("SKILL.md").read_text("utf-8")
    for key, value in (
        ("{name}", name),
        ("{program}", json.dumps(list(program), ensure_ascii=False)),
        ("{shell}", join_command_line(program)),
    ):
        source = source.replace(key, value)
    return source.encode()


def read_skill_program(data: bytes) -> tuple[str, ...]:
    """What the skill calls memtui by; empty: it is not ours."""
    for head in data.decode("utf-8", "replace").splitlines()[:10]:
        if head.startswith(_MARK):
            try:
                told = json.loads(head.removeprefix("metadata: "))["command"]
            except (ValueError, KeyError, RecursionError):
                continue
            return tuple(map(str, told)) if isinstance(told, list) else ()
    return ()


def make_skill_piece(folder: Path, called: Sequence[str], inside: Path | None = None) -> FilePiece:
    """The skill in its directory. A skill of that name by somebody else is refused, and never taken away."""
    path = folder / "SKILL.md"

    def put(old: bytes | None) -> bytes:
        if old is not None and not read_skill_program(old):
            raise RefusedError(_("{path} is a skill of somebody else: move it away first.").format(path=path))
        return render_skill_file(folder.name, called)

    return FilePiece(path, put, lambda old: None if read_skill_program(old) else old, read_skill_program, inside)


_KEY = "mcpServers"


def make_server_entry(program: Sequence[str]) -> dict[str, Any]:
    """How the server is started over stdio."""
    return {"command": program[0], "args": [*program[1:], "mcp"]}


def put(data: bytes | None, called: Sequence[str], name: str) -> bytes:
    """The file with our server in it. Raises RefusedError where another has its name, or it is no strict JSON."""
    wanted = make_server_entry(called)
    if data is None or not data.removeprefix(edited_json.BOM).strip():
        return edited_json.render_file({_KEY: {"memtui": wanted}})
    text, said = edited_json.decode_json_file(data, name)
    servers = said.get(_KEY, {}) if isinstance(said, dict) else None
    there = servers.get("memtui") if isinstance(servers, dict) else None
    if not isinstance(servers, dict) or (there is not None and not read_entry_program(there)):
        raise RefusedError(
            _("{path} has something else where the server memtui belongs, so it was left alone.").format(path=name)
        )
    if _KEY not in said:
        text = edited_json.insert_member(text, [], _KEY, {"memtui": wanted})
    elif there is None:
        text = edited_json.insert_member(text, [_KEY], "memtui", wanted)
    elif there | wanted == there:
        return data
    else:
        # A person may have added to it: what they did stays.
        text = edited_json.replace_value(text, [_KEY, "memtui"], there | wanted)
    return edited_json.encode_json_file(data, text)


def take(data: bytes, name: str) -> bytes:
    """The file without our server."""
    if not read_server_program(data):
        return data
    text, said = edited_json.decode_json_file(data, name)
    return edited_json.encode_json_file(
        data, edited_json.remove_member(text, [_KEY] if len(said[_KEY]) == 1 else [_KEY, "memtui"])
    )


def read_server_program(data: bytes) -> tuple[str, ...]:
    """What our server in it is called by; empty: there is none."""
    try:
        _text, said = edited_json.decode_json_file(data, "")
    except RefusedError:
        return ()
    servers = said.get(_KEY) if isinstance(said, dict) else None
    return read_entry_program(servers.get("memtui")) if isinstance(servers, dict) else ()


NAME = "memtui"
"""Of the plugin and of its marketplace."""
_SKILL = "recall"
_ABOUT = "Memory across sessions: search it before answering, propose what should be kept."
_AUTHOR = {"name": "The memtui authors"}


def make_plugin_pieces(folder: Path, program: Sequence[str]) -> tuple[FilePiece, ...]:
    """Every file of the marketplace and its plugin."""
    return tuple(_make_whole_piece(folder / path, data) for path, data in render_plugin(program).items())


def render_plugin(program: Sequence[str]) -> dict[str, bytes]:
    """Path -> bytes."""
    marketplace = {
        "name": NAME,
        "owner": _AUTHOR,
        "metadata": {"description": "The plugin of the memtui on this machine.", "version": __version__},
        "plugins": [
            {"name": NAME, "source": f"./{NAME}", "description": _ABOUT, "version": __version__, "category": "memory"}
        ],
    }
    manifest = {
        "name": NAME,
        "version": __version__,
        "description": _ABOUT,
        "author": _AUTHOR,
        "license": "MIT",
        "keywords": ["memory", "search", "mcp"],
    }
    hooks = {"description": _ABOUT, "hooks": edited_json.build_hook_lists(build_hook_groups("claude-code", program))}
    return {
        ".claude-plugin/marketplace.json": edited_json.render_file(marketplace),
        f"{NAME}/.claude-plugin/plugin.json": edited_json.render_file(manifest),
        f"{NAME}/hooks/hooks.json": edited_json.render_file(hooks),
        f"{NAME}/.mcp.json": edited_json.render_file({"mcpServers": {NAME: make_server_entry(program)}}),
        # Not `memory`: that would take Claude Code's own /memory away.
        f"{NAME}/skills/{_SKILL}/SKILL.md": render_skill_file(_SKILL, program),
    }


def _make_whole_piece(path: Path, data: bytes) -> FilePiece:
    told: dict[str, Callable[[bytes], tuple[str, ...]]] = {
        "hooks.json": edited_json.read_hook_program,
        ".mcp.json": read_server_program,
        "SKILL.md": read_skill_program,
    }
    return FilePiece(path, lambda _old: data, lambda _old: None, told.get(path.name, lambda _old: ()))


_ID = f"{NAME}@{NAME}"


def list_claude_wirings(places: AgentPlaces, program: Sequence[str]) -> tuple[Wiring, ...]:
    """Every way to serve it here, what is done by default first."""
    folder = places.data / "claude-code"
    on = is_plugin_enabled(places)
    # Claude Code works with a copy, which it takes anew only for a new version.
    anew = (f"/plugin marketplace update {NAME}", f"/plugin uninstall {_ID}", f"/plugin install {_ID}")
    made = Wiring(
        "claude-code",
        "plugin",
        "user",
        folder,
        make_plugin_pieces(folder, program),
        anew if on else (f"/plugin marketplace add {folder}", f"/plugin install {_ID}"),
        (f"/plugin uninstall {_ID}", f"/plugin marketplace remove {NAME}"),
        _warn_of_two_ways(places, plugged=True),
        "" if on else _("the plugin is made, but not switched on in Claude Code"),
        f"/plugin marketplace add {folder}; /plugin install {_ID}",
        on,
    )
    return (made, _make_settings_wiring(places, program, "user"), _make_settings_wiring(places, program, "project"))


def _make_settings_wiring(places: AgentPlaces, program: Sequence[str], scope: str) -> Wiring:
    user = scope == "user"
    folder = places.claude if user else places.project / ".claude"
    inside = None if user else places.project
    settings, servers = folder / "settings.json", places.project / ".mcp.json"
    wanted = build_hook_groups("claude-code", program)
    pieces = [
        FilePiece(
            settings,
            lambda old: edited_json.put(old, wanted, str(settings)),
            lambda old: edited_json.take(old, str(settings)),
            edited_json.read_hook_program,
            inside,
        ),
        make_skill_piece(folder / "skills" / "memtui", program, inside),
    ]
    if not user:
        pieces.append(
            FilePiece(
                servers,
                lambda old: put(old, program, str(servers)),
                lambda old: take(old, str(servers)),
                read_server_program,
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
        (f"claude mcp add --scope user memtui -- {join_command_line([*program, 'mcp'])}",) if user else (),
        ("claude mcp remove --scope user memtui",) if user else (),
        (() if user else (shared,)) + _warn_of_two_ways(places, plugged=False) + _warn_of_both_scopes(places, scope),
        served=user and _has_server(places),
    )


def _warn_of_two_ways(places: AgentPlaces, *, plugged: bool) -> tuple[str, ...]:
    """What to know where both ways would serve it: every hook would run twice."""
    files = [places.claude / "settings.json", places.project / ".claude" / "settings.json"]
    if plugged and any(edited_json.read_hook_program(read_readable(file)) for file in files):
        return (_("Its settings call memtui already; take them back first: memtui uninstall claude-code --settings"),)
    if not plugged and is_plugin_enabled(places):
        return (_("The plugin is switched on, too; take it back first: memtui uninstall claude-code --plugin"),)
    return ()


def _warn_of_both_scopes(places: AgentPlaces, scope: str) -> tuple[str, ...]:
    """The same for the settings of the user and of the project."""
    other, named = (places.project / ".claude", "project") if scope == "user" else (places.claude, "user")
    if places.project != places.user and edited_json.read_hook_program(read_readable(other / "settings.json")):
        command = f"memtui uninstall claude-code --settings --scope {named}"
        return (_("{place} calls memtui, too: take that back first: {command}").format(place=other, command=command),)
    return ()


def is_plugin_enabled(places: AgentPlaces) -> bool:
    """Whether Claude Code has our plugin switched on, for this user or this project."""
    for folder in (places.claude, places.project / ".claude"):
        for name in ("settings.json", "settings.local.json"):
            try:
                _text, said = edited_json.decode_json_file(read_readable(folder / name) or b"{}", name)
            except MemtuiError:
                continue
            plugins = said.get("enabledPlugins") if isinstance(said, dict) else None
            if isinstance(plugins, dict) and plugins.get(_ID) is True:
                return True
    return False


def _has_server(places: AgentPlaces) -> bool:
    """Whether Claude Code has an MCP server of our name for this user."""
    for folder in (places.user, places.claude):
        try:
            _text, said = edited_json.decode_json_file(read_readable(folder / ".claude.json") or b"{}", "")
        except MemtuiError:
            continue
        servers = said.get("mcpServers") if isinstance(said, dict) else None
        if isinstance(servers, dict) and "memtui" in servers:
            return True
    return False


def validate_plugin(folder: str) -> str:
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
