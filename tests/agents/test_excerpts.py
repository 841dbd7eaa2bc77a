"""Agents are handed what a home counts among its memories, and nothing that its owner calls secret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.agents import tools
from memtui.agents.caller import Caller, open_caller, place_call
from memtui.core.config import Config, RedactConfig

BADGE = "ACME-123456"


@pytest.fixture
def home(_own_user: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = _own_user / ".memtui"
    for name, text in {
        "MEMORY.md": f"# Memory\n\n- The badge for the zebra room is {BADGE}\n",
        ".git/config.md": "- private words\n",
        ".kept/x.json": '{"private": "words"}',
        "daily/.old/2026-01-01.md": "- private words\n",
    }.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    monkeypatch.chdir(_own_user)
    return place


def _call(name: str, given: dict[str, str], config: Config | None = None) -> dict[str, Any]:
    return tools.call(name, given, lambda named, cwd: open_caller(place_call(named, cwd), config or Config()))


@pytest.mark.parametrize("path", [".git/config.md", ".kept/x.json", "daily/.old/2026-01-01.md"])
def test_directories_that_the_home_leaves_out(home: Path, path: str) -> None:
    answer = _call("memory_get", {"path": path})
    assert (answer["path"], answer["text"], answer["total"]) == (path, "", 0)
    from memtui.agents.mcp import server
    from memtui.core.errors import UsageError

    with open_caller(place_call(), Config()) as caller, pytest.raises(UsageError):
        server.read(caller, f"memtui://memtui/{path}")
    assert _resource("MEMORY.md")


def _resource(path: str, config: Config | None = None) -> str:
    from memtui.agents.mcp import server

    caller: Caller
    with open_caller(place_call(), config or Config()) as caller:
        return server.read(caller, f"memtui://memtui/{path}")[0]


def test_a_person_s_own_secrets(home: Path) -> None:
    """Those of `redact.patterns` are masked in what is read, too: the file may be older than the pattern."""
    config = Config(redact=RedactConfig(patterns=(r"ACME-\d{6}",)))
    for name, given in (
        ("memory_search", {"query": "zebra badge"}),
        ("search_memory", {"query": "zebra badge"}),
        ("memory_get", {"path": "MEMORY.md"}),
        ("memory_context", {}),
    ):
        assert BADGE in json.dumps(_call(name, given)), name
        assert BADGE not in json.dumps(_call(name, given, config)), name
    assert BADGE in _resource("MEMORY.md") and BADGE not in _resource("MEMORY.md", config)
