"""The Claude Code plugin, with a marketplace of its own around it: files that are wholly ours, below our own data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui import __version__
from memtui.agents.install import hooks_file, json_text, server, skill
from memtui.agents.install.events import groups
from memtui.agents.install.wiring import Piece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

NAME = "memtui"
"""Of the plugin and of its marketplace."""
_ABOUT = "Memory across sessions: search it before answering, propose what should be kept."
_AUTHOR = {"name": "The memtui authors"}


def pieces(folder: Path, program: Sequence[str]) -> tuple[Piece, ...]:
    """Every file of the marketplace and its plugin."""
    return tuple(_whole(folder / path, data) for path, data in contents(program).items())


def contents(program: Sequence[str]) -> dict[str, bytes]:
    """Path -> bytes."""
    marketplace = {
        "name": NAME,
        "owner": _AUTHOR,
        "metadata": {"description": "The plugin of the memtui on this machine.", "version": __version__},
        "plugins": [
            {
                "name": NAME,
                "source": f"./{NAME}",
                "description": _ABOUT,
                "version": __version__,
                "category": "memory",
            }
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
    hooks = {"description": _ABOUT, "hooks": hooks_file.wanted_lists(groups("claude-code", program))}
    return {
        ".claude-plugin/marketplace.json": json_text.whole(marketplace),
        f"{NAME}/.claude-plugin/plugin.json": json_text.whole(manifest),
        f"{NAME}/hooks/hooks.json": json_text.whole(hooks),
        f"{NAME}/.mcp.json": json_text.whole({"mcpServers": {NAME: server.entry(program)}}),
        f"{NAME}/skills/memory/SKILL.md": skill.text("memory", program),
    }


def _whole(path: Path, data: bytes) -> Piece:
    told: dict[str, Callable[[bytes], tuple[str, ...]]] = {
        "hooks.json": hooks_file.program,
        ".mcp.json": server.program,
        "SKILL.md": skill.program,
    }
    return Piece(path, lambda _old: data, lambda _old: None, told.get(path.name, lambda _old: ()))
