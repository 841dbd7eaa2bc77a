"""The command line. One file a family of commands, one line each in COMMANDS.

Importing this package loads no command, no click and no engine: `memtui search` runs in agents' hooks,
hundreds of times a day, and pays only for what it uses.
"""

from __future__ import annotations

COMMANDS: tuple[tuple[str, str, str], ...] = (
    (
        "homes",
        "memtui.cli.homes:COMMAND",
        "List the memory homes found here, and why each was taken for one.",
    ),
    (
        "search",
        "memtui.cli.search:COMMAND",
        "Find memories by words; Chinese and English, every home at once.",
    ),
    ("route", "memtui.cli.route:COMMAND", "Name the documents that words lead to, without searching."),
    ("get", "memtui.cli.get:COMMAND", "Print lines of one memory file."),
    (
        "traces",
        "memtui.cli.traces:COMMAND",
        "Find what was said and done in conversations: turns, tools' calls, results.",
    ),
    (
        "context",
        "memtui.cli.context:COMMAND",
        "What a session would be given at its start, and why; --off switches it off.",
    ),
    ("append", "memtui.cli.append:COMMAND", "Remember one thing for today, in the home's journal."),
    ("flush", "memtui.cli.flush:COMMAND", "Write what lasts of a text or a transcript into the journal."),
    (
        "profile",
        "memtui.cli.layers:PROFILE",
        "What is remembered about you (L0 and MEMORY.md): list, show, add, edit, init.",
    ),
    (
        "facts",
        "memtui.cli.layers:FACTS",
        "Facts, rules, summaries and topics (L1): list, show, and every verb that changes one.",
    ),
    (
        "sessions",
        "memtui.cli.sessions:COMMAND",
        "List sessions and journal days, show one with its turns (L2), write one down, collect.",
    ),
    (
        "evolution",
        "memtui.cli.evolution:COMMAND",
        "What comes back and what helps: signals, effects, gates, skills, the report.",
    ),
    (
        "review",
        "memtui.cli.review:COMMAND",
        "What waits for a decision: list, show, approve, reject, explain.",
    ),
    ("distill", "memtui.cli.distill:COMMAND", "Facts of the journals that belong in core memory, and why."),
    (
        "consolidate",
        "memtui.cli.consolidate:COMMAND",
        "Look after the homes by the day or by the week; a dry run first.",
    ),
    (
        "lifecycle",
        "memtui.cli.lifecycle:COMMAND",
        "What expires, fades or goes, and why; shown first, done with --apply.",
    ),
    ("tool", "memtui.cli.tool:COMMAND", "Call a tool for agents, or list them."),
    ("mcp", "memtui.cli.mcp:COMMAND", "Serve memory to agents over MCP, on pipes or a loopback socket."),
    ("undo", "memtui.cli.undo:UNDO", "Take back the last decision, or the writes named."),
    ("redo", "memtui.cli.undo:REDO", "Do again what was undone."),
    ("history", "memtui.cli.history:COMMAND", "Every write that memtui made, with its difference."),
    ("trash", "memtui.cli.trash:COMMAND", "What was deleted, and bringing it back."),
    ("status", "memtui.cli.status:COMMAND", "How many memories there are, and how fresh the index is."),
    ("index", "memtui.cli.index:COMMAND", "Bring the index up to date, or build it anew."),
    ("doctor", "memtui.cli.doctor:COMMAND", "Check that everything works, with a remedy for what does not."),
    ("init", "memtui.cli.init:COMMAND", "Make a new memory home, or what one lacks of its skeleton."),
    (
        "migrate",
        "memtui.cli.migrate:COMMAND",
        "Copy what a home holds into a home of another layout; a dry run first.",
    ),
    ("hook", "memtui.cli.hook:COMMAND", "What agents run at their events; `memtui install` sets it up."),
    (
        "install",
        "memtui.cli.install:INSTALL",
        "Let an agent use memtui: hooks, MCP server, skill; shown first.",
    ),
    ("uninstall", "memtui.cli.install:UNINSTALL", "Take back what install wrote, to the byte."),
    (
        "avoid",
        "memtui.cli.avoid:COMMAND",
        "Check files against rules of what went wrong before: check, list.",
    ),
    ("scrub", "memtui.cli.scrub:COMMAND", "Mask the secrets in a text: a filter."),
    ("config", "memtui.cli.config:COMMAND", "Show or change settings."),
    ("completion", "memtui.cli.completion:COMMAND", "Print the completion script for your shell."),
)
"""Name -> module:object (a `grammar.Command`), and its one line of help."""

OPEN = "memtui.cli.open:COMMAND"
"""What `memtui [PATH]…` does where no command is named."""
