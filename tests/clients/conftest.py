"""The real programs, and a user and a project of their own for each test.

They come from npm, in the versions that these tests were written against, and stay in one directory below the
system's for temporary files (MEMTUI_CLIENTS: another one). Where they cannot be had, everything here is skipped.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.clients.model import Model

VERSIONS = {"@anthropic-ai/claude-code": "2.1.331", "@openai/codex": "0.169.0"}
RULE = "Never use var in this project"
PREFERENCE = "Prefers tabs over spaces everywhere"
PATIENCE = 30.0
"""Seconds that the worker may take for what a hook left to it, on a machine with other things to do."""


def install_program(package: str, *found: str) -> Path:
    """The program of a package, by where it may stand below node_modules; installed where it is not there yet."""
    place = Path(os.environ.get("MEMTUI_CLIENTS") or Path(tempfile.gettempdir()) / "memtui-clients")
    folder = place / f"{package.rpartition('/')[2]}-{VERSIONS[package]}"
    programs = [path for pattern in found for path in folder.glob(f"node_modules/{pattern}")]
    npm = shutil.which("npm")
    if not programs and npm is None:
        pytest.skip("npm is not here")
    if not programs:
        folder.mkdir(parents=True, exist_ok=True)
        wanted = f"{package}@{VERSIONS[package]}"
        # Nothing of theirs is run for it: each of them is one program in a package for this system.
        argv = [
            npm or "npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit", "--no-fund",
            wanted,
        ]  # fmt: skip
        done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
        programs = [path for pattern in found for path in folder.glob(f"node_modules/{pattern}")]
        if done.returncode or not programs:
            pytest.skip(f"{wanted} cannot be had: {(done.stderr or done.stdout)[-300:]}")
    shown = subprocess.run([programs[0], "--version"], capture_output=True, text=True, timeout=60, check=False)
    if shown.returncode:
        pytest.skip(f"{package} does not run here: {shown.stderr[-300:]}")
    return programs[0]


@pytest.fixture(scope="session")
def claude() -> Path:
    """Claude Code."""
    return install_program("@anthropic-ai/claude-code", "@anthropic-ai/claude-code-*/claude*")


@pytest.fixture(scope="session")
def codex() -> Path:
    """Codex."""
    return install_program("@openai/codex", ".bin/codex")


class Done(NamedTuple):
    """What came of a command."""

    status: int
    out: str
    err: str


class World:
    """A user who has memories, and a project of theirs that has rules."""

    def __init__(self, place: Path) -> None:
        self.home, self.project = place / "home", place / "proj"
        self.memories = self.home / ".memtui"
        self.file = self.project / "pay.py"
        self.write(self.memories / "user/profile.md", f"# Profile\n\n- {PREFERENCE}\n")
        self.write(self.memories / "areas/projects/proj/rules.md", f"# proj\n\n## General\n- {RULE} (2026-11-01)\n")
        self.write(self.file, "x = 1\n")
        subprocess.run(["git", "init", "-q", str(self.project)], check=True)
        # Nothing of whoever runs the tests, and nothing that calls home.
        self.env = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "TMPDIR") if name in os.environ}
        self.env |= {
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_TELEMETRY": "1",
        }

    @staticmethod
    def write(path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *argv: str | Path, env: Mapping[str, str] | None = None) -> Done:
        """A command in the project."""
        done = subprocess.run(
            [*map(str, argv)], cwd=self.project, env={**self.env, **(env or {})}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        return Done(done.returncode, done.stdout, done.stderr)

    def memtui(self, *argv: str) -> Done:
        """memtui of this tree."""
        done = self.run(sys.executable, "-m", "memtui", *argv)
        assert done.status in {0, 1}, done
        return done

    def list_commands(self, done: Done) -> list[list[str]]:
        """What an installation leaves to be typed in the program, as words for its own command line."""
        return [shlex.split(line) for line in done.out.splitlines() if line.startswith("/plugin ")]

    def read_fired(self) -> set[str]:
        """The hooks that fired so far."""
        file = self.home / ".local/state/memtui/hooks/fired.jsonl"
        text = file.read_text("utf-8") if file.exists() else ""
        return {line.split('"event": "')[1].split('"')[0] for line in text.splitlines()}

    def wait_for_summary(self, *words: str) -> str:
        """A session's summary with these words in it, once the worker has written it."""
        until = time.monotonic() + PATIENCE
        while True:
            found = [path.read_text("utf-8") for path in self.memories.glob("sessions/*.md")]
            fit = next((text for text in found if all(word in text for word in words)), "")
            if fit or time.monotonic() > until:
                assert fit, found
                return fit
            time.sleep(0.2)

    def run_claude(self, claude: Path, model: Model, prompt: str, *more: str) -> Done:
        """One session of Claude Code."""
        env = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "sk-test"}
        # It waits for its servers before the first request, however slow the machine is.
        env["MCP_CONNECTION_NONBLOCKING"] = "0"
        argv: list[str | Path] = [claude, "-p", prompt, "--permission-mode", "acceptEdits", *more]
        done = self.run(*argv, env=env)
        assert done.status == 0, done
        return done


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A user and a project."""
    return World(tmp_path)
