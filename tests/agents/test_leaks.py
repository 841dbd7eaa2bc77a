"""F14, T39: what goes in through any door with a secret in it leaves that secret nowhere on the disk.

And agents are handed what a home counts among its memories, nothing that its owner calls secret.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memtui.agents import tools
from memtui.agents.caller import Caller, open_caller, place_call
from memtui.core.config import Config, RedactConfig
from tests.agents.played import Talk
from tests.agents.test_forty_sessions import settled
from tests.forking import run_memtui
from tests.safety.secrets import Maker, tokens

DAILY = ".cursor/skills/memory-data/daily/2026-02-01.jsonl"


@pytest.fixture
def shop(_own_user: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("MEMTUI_INSIDE", "MEMTUI_OFF", "MEMTUI_WORKER", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    place = _own_user / "work" / "shop"
    (place / ".git").mkdir(parents=True)
    return place


def say(shop: Path, *words: str, given: str = "") -> None:
    done = run_memtui(words, given=given.encode(), cwd=shop)
    assert done.returncode in {0, 1}, (words, done)


def test_no_secret_is_kept_whatever_door_it_came_through(_own_user: Path, shop: Path) -> None:
    secrets = [token for _family, token in tokens(Maker(14))]
    parts = [secrets[first : first + 24] for first in range(0, len(secrets), 24)]
    texts = [" and ".join(f"the key is {one}" for one in part) for part in parts]
    _by_commands(shop, texts)
    _by_tools(shop, texts)
    talk = _by_hooks(_own_user, shop, texts)
    source = _by_distilling(shop, secrets)
    given = (talk, source, shop / "src/a.py")
    kept = [file for file in _own_user.rglob("*") if file.is_file() and file not in given]
    held = {file: file.read_bytes() for file in kept}
    assert any(b"Deploys run from main" in data for data in held.values()), "something was written at all"
    assert not [(file, one) for file, data in held.items() for one in secrets if one.encode() in data]
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            called = command.read_bytes()
        except OSError:
            continue
        assert not [one for one in secrets if one.encode() in called], command


def _by_commands(shop: Path, texts: Sequence[str]) -> None:
    say(shop, "append", "Deploys run from main")
    for text in texts:
        say(shop, "append", "-", given=text)
    say(shop, "flush", "-", given="\n".join(f"Remember: we decided that {text}." for text in texts))
    say(shop, "review", "propose", "-", given="\n".join(texts))


def _by_tools(shop: Path, texts: Sequence[str]) -> None:
    for text in texts:
        say(shop, "tool", "save_fact", "-", given=json.dumps({"content": text, "entities": text.split()[-1:]}))
        say(shop, "tool", "memory_propose", "-", given=json.dumps({"text": text, "reason": text[:900]}))
    summary = {"topic": texts[0][:300], "summary": texts[1], "decisions": [text[:500] for text in texts]}
    say(shop, "tool", "save_summary", "-", given=json.dumps(summary))


def _by_hooks(user: Path, shop: Path, texts: Sequence[str]) -> Path:
    talk = Talk(user, shop, 14)
    talk.start()
    for text in texts:
        talk.asks(f"Remember: use this from now on, {text}")
        talk.runs(f"curl -H '{text}' https://api.example", f"HTTP 401 for {text}", failed=True)
        talk.edits("src/a.py", text)
        talk.answers(f"It works now. We decided to keep it so: {text}")
    talk.fire("PreCompact", trigger="auto")
    talk.ends()
    settled()
    return talk.tape.save(user)


def _by_distilling(shop: Path, secrets: Sequence[str]) -> Path:
    """A journal that another tool wrote, secrets and all; what is taken out of it has none."""
    file = shop / DAILY
    file.parent.mkdir(parents=True)
    record = {"type": "fact", "memory_type": "O", "confidence": 0.95, "timestamp": "2026-02-01T10:00:00Z"}
    lines = [
        json.dumps(record | {"id": f"f{number}", "content": f"The user prefers that {one} is the key of CI {number}"})
        for number, one in enumerate(secrets)
    ]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    for _run in range(2):
        say(shop, "distill", "--apply")
    say(shop, "review", "approve", "--all")
    return file


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
