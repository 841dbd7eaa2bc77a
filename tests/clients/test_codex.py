"""The real Codex and a scripted model: hooks that nobody trusted, a session with them, its config given back."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.install import codex_install
from tests.clients.conftest import PREFERENCE, RULE, Done, World
from tests.clients.model import Model, Say, Step, Use

CONFIG = """# mine
model = "gpt-5.5" # the tools go by the model
model_provider = "here"

[model_providers.here]
name = "here"
base_url = "{url}/v1"
env_key = "MODEL_KEY"
wire_api = "responses"
"""
PATCH = "*** Begin Patch\n*** Update File: pay.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n"
PROMPT = "[MAIN] please change x to 2 in pay.py. We decided to use NATS for the event bus because it is simple."
EVENTS = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"}


class AppServer:
    """Codex's own view of its configuration, which its terminal app asks, too."""

    def __init__(self, world: World, codex: Path) -> None:
        self.project = str(world.project)
        self.process = subprocess.Popen(
            [codex, "app-server"], cwd=world.project, env=world.env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.ask("initialize", clientInfo={"name": "tests", "version": "1"})
        self._tell({"method": "initialized"})

    def _tell(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, **params: Any) -> Any:
        self._tell({"id": 1, "method": method, "params": params})
        assert self.process.stdout is not None
        answers = (json.loads(line) for line in self.process.stdout)
        return next(answer for answer in answers if answer.get("id") == 1)["result"]

    def list_hooks(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.ask("hooks/list", cwds=[self.project])["data"][0]["hooks"]
        return found

    def trust(self, hooks: list[dict[str, Any]]) -> None:
        """What /hooks does when a person trusts all of them."""
        state = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}
        edit = {"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}
        assert self.ask("config/batchWrite", edits=[edit])["status"] == "ok"


@pytest.fixture
def model() -> Iterator[Model]:
    script: list[Step] = [
        Use("apply_patch", {}, PATCH),
        Use("apply_patch", {}, PATCH),
        Use("tool_search", {"query": "memory search"}),
        Use("mcp__memtui/memory_search", {"query": "tabs"}),
        Say("Done: x is 2 now."),
    ]
    with Model(MAIN=script) as found:
        yield found


def run_codex(world: World, codex: Path) -> Done:
    argv: list[str | Path] = [codex, "exec", "--skip-git-repo-check", "-s", "danger-full-access", PROMPT]
    done = world.run(*argv, env={"MODEL_KEY": "sk-test"})
    assert done.status == 0, done
    return done


def holds(request: dict[str, Any], *words: str) -> bool:
    text = json.dumps(request["input"], ensure_ascii=False)
    return all(word in text for word in words)


def test_a_session(world: World, codex: Path, model: Model) -> None:
    config = world.home / ".codex" / "config.toml"
    world.write(config, CONFIG.format(url=model.url))
    before = config.read_bytes()
    assert world.memtui("install", "codex", "--yes").status == 0

    # Nobody has trusted them: none is run, and Codex does not say so; we do.
    run_codex(world, codex)
    assert world.read_fired() == set()
    assert not holds(model.requests[0], PREFERENCE)
    assert "Codex runs 0 of its 9 hooks" in world.memtui("doctor").out

    server = AppServer(world, codex)
    hooks = server.list_hooks()
    file = world.home / ".codex" / "hooks.json"
    assert {hook["key"]: hook["currentHash"] for hook in hooks} == codex_install.list_trust_keys(
        file, file.read_bytes()
    )
    server.trust(hooks)
    assert {hook["trustStatus"] for hook in server.list_hooks()} == {"trusted"}
    server.process.terminate()
    server.process.communicate()
    assert "✓ codex" in world.memtui("doctor").out

    model.requests.clear()
    world.write(world.file, "x = 1\n")
    said = run_codex(world, codex)
    assert "clamping" not in said.err, "no hook asks for more time than there is"
    first, refused, *_others, last = model.requests
    assert holds(first, PREFERENCE), "what is remembered is in the first request"
    assert holds(refused, "blocked by PreToolUse hook", RULE)
    assert world.file.read_text("utf-8") == "x = 2\n"
    assert holds(last, "sqlite_fts", PREFERENCE), "the server's tool answered"
    assert world.read_fired() >= EVENTS
    world.wait_for_summary("NATS", "pay.py")

    # Codex has written into its config since; all of ours goes, and it is what it was.
    assert b"hooks.state" in config.read_bytes()
    assert world.memtui("uninstall", "codex", "--yes").status == 0
    assert config.read_bytes() == before
    assert not file.exists()


def test_what_codex_wrote_of_its_own_stays(world: World, codex: Path, model: Model) -> None:
    config = world.home / ".codex" / "config.toml"
    world.write(config, CONFIG.format(url=model.url))
    was = tomllib.loads(config.read_text("utf-8"))
    world.memtui("install", "codex", "--yes")
    server = AppServer(world, codex)
    server.trust(server.list_hooks())
    trusted = {
        "keyPath": "projects",
        "value": {str(world.project): {"trust_level": "trusted"}},
        "mergeStrategy": "upsert",
    }
    assert server.ask("config/batchWrite", edits=[trusted])["status"] == "ok"
    server.process.terminate()
    server.process.communicate()
    world.memtui("uninstall", "codex", "--yes")
    text = config.read_text("utf-8")
    assert tomllib.loads(text) == was | {"projects": {str(world.project): {"trust_level": "trusted"}}}
    assert text.startswith(CONFIG.format(url=model.url).rstrip())
