"""Homes with rules in them, as people keep them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from memtui.core.config import Config, RoutingConfig
from memtui.store.routes import match_routes
from memtui.store.vault import Vault
from tests.homes import write_files

HOMES = Path(__file__).parent.parent / "homes"
CONFIG = Config()


def claude(root: Path, loader: str, files: Mapping[str, str] | None = None) -> Path:
    """`.claude` with code-memory's home in it and its loader beside that; answers the home."""
    shutil.copytree(HOMES / "code_memory", root / ".claude/memory")
    write_files(root / ".claude", {"rules/memory-loader.md": loader})
    return write_files(root / ".claude/memory", files or {})


def led(vault: Vault, query: str, *triggers: str) -> list[str]:
    """The paths that a query leads to."""
    config = CONFIG._replace(routing=RoutingConfig(True, triggers))
    return [route.path for route in match_routes(vault, query, config)]


def opened(*homes: Path) -> Vault:
    """A vault whose index nobody made: routes need none."""
    return Vault.open(list(homes), wait=False)
