"""`memtui install` and `memtui uninstall`, as a person types them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Caller

SETTINGS = '{\n  "model": "opus"\n}\n'


@pytest.fixture
def settings(alone: Path) -> Path:
    path = alone / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(SETTINGS, encoding="utf-8")
    return path


def test_without_yes_it_is_shown_and_nothing_is_written(call: Caller, settings: Path) -> None:
    done = call("install", "claude-code", "--settings")
    assert done.status == 3
    assert '+    "SessionStart": [' in done.out
    assert "--yes" in done.err
    assert settings.read_text("utf-8") == SETTINGS


def test_a_dry_run_writes_nothing(call: Caller, settings: Path, alone: Path) -> None:
    done = call("install", "claude-code", "--settings", "--dry-run", "--yes")
    assert (done.status, settings.read_text("utf-8")) == (0, SETTINGS)
    assert "Nothing was written." in done.err
    assert not (alone / ".state" / "memtui" / "install").exists()


def test_there_and_back(call: Caller, settings: Path) -> None:
    done = call("install", "claude-code", "--settings", "--yes")
    assert done.status == 0
    assert "claude mcp add --scope user memtui -- " in done.out
    assert "kept in" in done.err
    assert call("install", "claude-code", "--settings", "--yes").status == 1
    shown = call("uninstall", "claude-code")
    assert (shown.status, settings.read_text("utf-8") == SETTINGS) == (3, False)
    assert call("uninstall", "claude-code", "--yes").status == 0
    assert settings.read_text("utf-8") == SETTINGS
    assert call("uninstall", "claude-code", "--yes").status == 1


def test_by_default_a_plugin_and_what_to_type(call: Caller, alone: Path) -> None:
    done = call("install", "claude-code", "--yes")
    place = alone / ".data" / "memtui" / "claude-code"
    assert done.status == 0
    assert done.out.splitlines()[-2:] == [f"/plugin marketplace add {place}", "/plugin install memtui@memtui"]
    assert (place / "memtui" / ".claude-plugin" / "plugin.json").exists()


@pytest.mark.parametrize("agent", ["claude-code", "codex", "openclaw", "cursor"])
def test_by_hand_everything_is_printed_and_nothing_written(call: Caller, alone: Path, agent: str) -> None:
    before = sorted(alone.rglob("*"))
    done = call("install", agent, "--print")
    assert done.status == 0
    assert "memtui" in done.out
    assert sorted(path for path in alone.rglob("*") if ".cache" not in path.parts) == before


def test_by_hand_works_where_the_settings_cannot_be_read(call: Caller, settings: Path) -> None:
    settings.write_text("{} // mine", encoding="utf-8")
    refused = call("install", "claude-code", "--settings", "--yes")
    assert (refused.status, "--print" in refused.err) == (3, True)
    done = call("install", "claude-code", "--settings", "--print")
    assert (done.status, '"SessionStart"' in done.out) == (0, True)


def test_one_document(call: Caller, settings: Path) -> None:
    done = call("install", "claude-code", "--settings", "--yes", "--json")
    assert done.status == 0
    assert done.json["written"] is True
    assert [file["action"] for file in done.json["files"]] == ["change", "create"]
    assert json.loads(settings.read_bytes())["model"] == "opus"
    gone = call("uninstall", "claude-code", "--yes", "--json")
    assert [file["action"] for file in gone.json["files"]] == ["change", "remove"]


def test_asked_on_a_terminal(call: Caller, settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pty = pytest.importorskip("pty")
    master, slave = pty.openpty()
    with os.fdopen(slave, "r", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
        os.write(master, b"n\n")
        assert call("install", "claude-code", "--settings").status == 3
        assert settings.read_text("utf-8") == SETTINGS
        os.write(master, b"y\n")
        assert call("install", "claude-code", "--settings").status == 0
        assert settings.read_text("utf-8") != SETTINGS
    os.close(master)


@pytest.mark.parametrize(
    "argv",
    [
        ("install", "vim"),
        ("install", "codex", "--plugin"),
        ("install", "claude-code", "--plugin", "--settings"),
        ("install", "openclaw", "--scope", "project"),
        ("install", "codex", "--notify", "--scope", "project"),
        ("install",),
    ],
)
def test_wrong_use(call: Caller, alone: Path, argv: tuple[str, ...]) -> None:
    done = call(*argv)
    assert (done.status, "Traceback" in done.err) == (2, False)
    assert done.err


def test_doctor_says_what_is_installed(call: Caller, settings: Path, home: Path) -> None:
    call("install", "claude-code", "--settings", "--yes")
    checks = {check["name"]: check for check in call("doctor", "--json").json["checks"]}
    assert checks["claude-code"]["state"] == "ok"
    assert "codex" not in checks
    settings.write_text(settings.read_text("utf-8").replace('"SessionEnd"', '"Setup"'), encoding="utf-8")
    checks = {check["name"]: check for check in call("doctor", "--json").json["checks"]}
    assert checks["claude-code"]["state"] == "note"
    assert checks["claude-code"]["remedy"] == "memtui install claude-code --settings --scope user"
