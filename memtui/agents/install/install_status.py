"""What stands of every way to serve every agent, for Health and doctor (read-only); and the way for OpenClaw.

OpenClaw gets a skill in each of its workspaces, and the MCP server by its own command. Its settings are JSON5
that it rewrites itself, so nothing is edited there, and its own memory tools stay as they are: MCP tools carry
their server's name, so that `memory_search` may exist twice. To add an agent, write one line in `AGENTS`.
"""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING

from memtui.agents.install import claude_install, codex_install, cursor_install
from memtui.agents.install.wiring import (
    Installation,
    Wiring,
    find_agent_places,
    find_program,
    is_runnable,
    join_command_line,
    read,
)
from memtui.core.errors import MemtuiError
from memtui.core.locale import _
from memtui.layouts.tracks import find_named_workspaces

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memtui.agents.install.wiring import AgentPlaces, FilePiece


def list_openclaw_wirings(places: AgentPlaces, program: Sequence[str]) -> tuple[Wiring, ...]:
    """The one way: for this user."""
    root = places.openclaw
    known = [*sorted(root.glob("workspace*")), *find_named_workspaces(root, places.user)]
    found = [path for path in known if path.is_dir()] or [root / "workspace"]
    entry = json.dumps(claude_install.make_server_entry(program), ensure_ascii=False)
    return (
        Wiring(
            "openclaw",
            "skill",
            "user",
            root,
            tuple(claude_install.make_skill_piece(path / "skills" / "memtui", program) for path in found),
            (f"openclaw mcp set memtui {shlex.quote(entry)}",),
            ("openclaw mcp unset memtui",),
            () if root.is_dir() else (_("{path} is not there: is OpenClaw installed?").format(path=root),),
        ),
    )


AGENTS: tuple[tuple[str, Callable[[AgentPlaces, Sequence[str]], tuple[Wiring, ...]]], ...] = (
    ("claude-code", claude_install.list_claude_wirings),
    ("codex", codex_install.list_codex_wirings),
    ("openclaw", list_openclaw_wirings),
    ("cursor", cursor_install.list_cursor_wirings),
)


def list_wirings(agent: str, places: AgentPlaces, program: Sequence[str]) -> tuple[Wiring, ...]:
    """The ways of one agent, what is done by default first."""
    return dict(AGENTS)[agent](places, program)


def list_installed(env: Mapping[str, str] | None = None) -> list[Installation]:
    """What stands: one answer at least for each agent."""
    around = find_agent_places(env)
    found = []
    for agent, wirings in AGENTS:
        stand = [one for one in _of(around, wirings) if one.state != "missing"]
        first = wirings(around, find_program())[0]
        own = around.claude if agent == "claude-code" else first.place
        state, why = "missing", _("not installed")
        if not own.is_dir():
            state, why = "absent", _("{path} is not there").format(path=own)
        missing = Installation(agent, first.how, first.scope, str(first.place), state, why)
        found += stand or [missing]
    return found


def _of(
    around: AgentPlaces, wirings: Callable[[AgentPlaces, Sequence[str]], tuple[Wiring, ...]]
) -> list[Installation]:
    found = []
    for index, wiring in enumerate(wirings(around, find_program())):
        told = [_told(piece) for piece in wiring.pieces]
        called = next(filter(None, told), ())
        # Another memtui than this one may have installed it: then it is that one's to be whole.
        as_made = wirings(around, called)[index] if called else wiring
        found.append(_judged(as_made, called))
    seen: dict[tuple[str, str], Installation] = {}
    for one in found:
        # A project that is the user's own directory has the same files twice.
        seen.setdefault((one.how, one.place), one)
    return list(seen.values())


def _judged(wiring: Wiring, called: Sequence[str]) -> Installation:
    ours = [piece for piece in wiring.pieces if _told(piece)]
    lacking = [piece for piece in wiring.pieces if not _whole(piece)]
    state, why, remedy = "complete", "", ""
    if not ours:
        state = "missing"
    elif not is_runnable(called[0]):
        state, why = "broken", _("{program} is not there any more: install again").format(program=called[0])
    elif lacking:
        names = ", ".join(sorted(os.path.basename(piece.path) for piece in lacking))
        state, why = "partly", _("not as it should be: {names}; install again").format(names=names)
    elif wiring.idle:
        state, why, remedy = "partly", wiring.idle, wiring.remedy
    return Installation(
        wiring.agent,
        wiring.how,
        wiring.scope,
        str(wiring.place),
        state,
        why,
        join_command_line(called) if called else "",
        remedy,
    )


def _told(piece: FilePiece) -> tuple[str, ...]:
    data = _held(piece)
    return () if data is None else piece.program(data)


def _whole(piece: FilePiece) -> bool:
    data = _held(piece)
    try:
        return data is not None and piece.put(data) == data
    except MemtuiError:
        return False


def _held(piece: FilePiece) -> bytes | None:
    try:
        return read(piece.path, piece.inside)[1]
    except MemtuiError:
        return None
