"""The real Claude Code and a scripted model: by its settings, by the plugin, with a sub-agent, with a dead model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.clients.conftest import PREFERENCE, RULE, World
from tests.clients.model import Model, Say, Step, Use

SETTINGS = '{\n   "model": "sonnet",\n   "permissions": {"deny": ["Read(./secrets/**)"]},\n  "x": 1}'
"""A person's own: odd indentation, no end of line."""
REFUSED = "has rules that this session has not seen"
EVENTS = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"}


def edit(world: World, old: str = "x = 1", new: str = "x = 2") -> Use:
    return Use("Edit", {"file_path": str(world.file), "old_string": old, "new_string": new})


def read(world: World) -> Use:
    return Use("Read", {"file_path": str(world.file)})


def holds(request: dict[str, Any], *words: str) -> bool:
    text = json.dumps(request["messages"], ensure_ascii=False)
    return all(word in text for word in words)


def test_a_session_by_the_settings(world: World, claude: Path) -> None:
    settings = world.home / ".claude" / "settings.json"
    world.write(settings, SETTINGS)
    assert world.memtui("install", "claude-code", "--settings", "--yes").status == 0
    script: list[Step] = [edit(world), read(world), edit(world), Say("Done: x is 2 now, and the tests pass.")]
    prompt = "[MAIN] please change x to 2 in pay.py. We decided to use NATS for the event bus because it is simple."
    with Model(MAIN=script) as model:
        world.run_claude(claude, model, prompt)
    first, refused, told, done = model.find_requests("MAIN")
    assert holds(first, PREFERENCE), "what is remembered is in the first request"
    assert not holds(first, REFUSED)
    # The gate names a file that the agent may read without asking, and the rules come with it.
    assert holds(refused, REFUSED, f"Read {world.file} first")
    assert holds(told, "PreToolUse:Read hook additional context", RULE)
    assert holds(done, "has been updated successfully")
    assert world.file.read_text("utf-8") == "x = 2\n"
    summary = world.wait_for_summary("NATS", "pay.py")
    assert "**Goal:**" in summary
    assert world.read_fired() >= EVENTS
    assert world.memtui("uninstall", "claude-code", "--yes").status == 0
    assert settings.read_text("utf-8") == SETTINGS
    assert not (world.home / ".claude" / "skills").exists()


def test_the_rules_reach_each_agent(world: World, claude: Path) -> None:
    world.memtui("install", "claude-code", "--settings", "--yes")
    look = {"description": "look", "prompt": "[SUB] read pay.py", "subagent_type": "Explore"}
    main: list[Step] = [
        Use("Agent", {**look, "run_in_background": False}),
        edit(world),
        read(world),
        edit(world),
        Say("Done."),
    ]
    with Model(MAIN=main, SUB=[read(world), Say("It says x = 1.")]) as model:
        world.run_claude(claude, model, "[MAIN] look at pay.py, then change x to 2")
    of_helper = [one for one in model.find_requests("SUB") if not holds(one, "[MAIN]")]
    assert any(holds(one, "Read hook additional context", RULE) for one in of_helper)
    of_main = model.find_requests("MAIN")
    assert any(holds(one, REFUSED) for one in of_main), "what the helper read opens no gate for the main agent"
    assert any(holds(one, "Read hook additional context", RULE) for one in of_main)
    assert world.file.read_text("utf-8") == "x = 2\n"


def test_a_session_by_the_plugin(world: World, claude: Path) -> None:
    made = world.memtui("install", "claude-code", "--yes")
    assert (
        world.run(claude, "plugin", "validate", world.home / ".local/share/memtui/claude-code", "--strict").status == 0
    )
    for command in world.list_commands(made):
        assert world.run(claude, "plugin", *command[1:]).status == 0
    assert "✓ claude-code" in world.memtui("doctor").out
    tool = "mcp__plugin_memtui_memtui__memory_search"
    script: list[Step] = [
        Use("ToolSearch", {"query": f"select:{tool}", "max_results": 3}),
        Use(tool, {"query": "tabs"}),
        Say("Tabs."),
    ]
    with Model(MAIN=script) as model:
        done = world.run_claude(
            claude, model, "[MAIN] tabs or spaces?", "--allowedTools", tool,
            "--output-format", "stream-json", "--verbose",
        )  # fmt: skip
    started = next(json.loads(line) for line in done.out.splitlines() if '"subtype":"init"' in line)
    assert {tool, tool.replace("search", "append")} <= set(started["tools"])
    assert "memtui:recall" in started["slash_commands"]
    # A skill of that name would take the program's own command away.
    assert not [name for name in started["slash_commands"] if name.endswith(":memory")]
    answered = model.find_requests("MAIN", "sqlite_fts", PREFERENCE)
    assert answered, [one["messages"][-1] for one in model.requests]
    assert world.read_fired() >= {"SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"}
    taken = world.memtui("uninstall", "claude-code", "--yes")
    for command in world.list_commands(taken):
        assert world.run(claude, "plugin", *command[1:]).status == 0
    assert "memtui" not in world.run(claude, "plugin", "list").out
    assert "memtui" not in (world.home / ".claude" / "settings.json").read_text("utf-8")


def test_the_plugin_is_brought_up_to_date(world: World, claude: Path) -> None:
    for command in world.list_commands(world.memtui("install", "claude-code", "--yes")):
        assert world.run(claude, "plugin", *command[1:]).status == 0
    root = world.home / ".local/share/memtui/claude-code/memtui"
    # As if an earlier version had made it.
    for file in (root / "hooks" / "hooks.json", root / "skills" / "recall" / "SKILL.md"):
        world.write(
            file,
            file.read_text("utf-8").replace("Memory across", "Earlier: memory across").replace("# Memory", "# Old"),
        )
    assert "not as it should be" in world.memtui("doctor").out
    anew = world.memtui("install", "claude-code", "--yes")
    for command in world.list_commands(anew):
        assert world.run(claude, "plugin", *command[1:]).status == 0
    copies = [*(world.home / ".claude").rglob("SKILL.md"), *root.rglob("SKILL.md")]
    assert copies
    assert not [path for path in copies if "# Old" in path.read_text("utf-8")]
    assert "✓ claude-code" in world.memtui("doctor").out


def test_a_model_that_is_down_takes_nothing_away(world: World, claude: Path) -> None:
    world.memtui("install", "claude-code", "--settings", "--yes")
    world.memtui("config", "set", "llm.url", "http://127.0.0.1:9/v1")
    world.memtui("config", "set", "llm.model", "any")
    prompt = (
        "[MAIN] Please change x to 2 in pay.py, and look at the ledger while you are at it. "
        + "The services of the shop talk to each other over a bus that nobody looks after any more. " * 5
        + "We decided to use NATS for the event bus because it is simple."
    )
    with Model(MAIN=[read(world), edit(world), Say("Done: x is 2 now.")]) as model:
        world.run_claude(claude, model, prompt)
    summary = world.wait_for_summary("NATS")
    for _try in range(20):
        told = world.memtui("doctor").out
        if "summed up by rules alone" in told:
            break
    assert "1 session is summed up by rules alone, for the model failed" in told
    assert "127.0.0.1:9 cannot be reached" in told
    assert world.wait_for_summary("NATS") == summary
    assert "cannot be reached" not in summary
    assert "cannot be reached" not in world.memtui("context").out
