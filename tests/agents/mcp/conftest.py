"""A server in a process of its own, and the SDK's own client at the other end of real pipes and sockets."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest

from tests.homes import write_files

pytest.importorskip("mcp")

from pathlib import Path

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import Implementation

SERVER = [sys.executable, "-W", "ignore", "-m", "memtui", "mcp"]
_PASSED = ("HOME", "XDG_", "MEMTUI_", "PATH", "PYTHON", "CLAUDE_", "TMP")


def environment() -> dict[str, str]:
    """What the server is started with: this test's own user."""
    return {name: value for name, value in os.environ.items() if name.startswith(_PASSED)}


def client(cwd: Path, *more: str, mode: str = "auto", name: str = "claude-code", **options: Any) -> Client:
    """A client that starts a server of its own in this directory."""
    parameters = StdioServerParameters(command=SERVER[0], args=[*SERVER[1:], *more], env=environment(), cwd=str(cwd))
    return Client(parameters, mode=mode, client_info=Implementation(name=name, version="1"), **options)


@pytest.fixture
def project(_own_user: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the server is started."""
    for variable in ("MEMTUI_PROJECT", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)
    place = _own_user / "work" / "shop"
    place.mkdir(parents=True)
    return place


@pytest.fixture
def home(_own_user: Path, project: Path) -> Path:
    """A small home of memtui's own."""
    place = _own_user / ".memtui"
    files = {
        "MEMORY.md": "# Memory\n\n## Preferences\n\n- Prefers ripgrep over grep\n",
        "user/profile.md": "# User\n\n- Lives in Chengdu\n",
        "daily/2026-02-24.md": "- 2026-02-24T10:15:02Z [decision] The payment gateway is Stripe #arch\n",
        "notes/a b.md": "# Zebra\n\n- A zebra <script> & co\n",
    }
    return write_files(place, files)
