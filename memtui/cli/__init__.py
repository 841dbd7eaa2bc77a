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
    ("get", "memtui.cli.get:COMMAND", "Print lines of one memory file."),
    ("profile", "memtui.cli.layers:PROFILE", "List or show what is remembered about you (L0 and MEMORY.md)."),
    ("facts", "memtui.cli.layers:FACTS", "List or show facts, rules, summaries and topics (L1)."),
    (
        "sessions",
        "memtui.cli.layers:SESSIONS",
        "List sessions and journal days, or show one with its turns (L2).",
    ),
    ("evolution", "memtui.cli.layers:EVOLUTION", "List or show audit events, signals and capabilities."),
    ("status", "memtui.cli.status:COMMAND", "How many memories there are, and how fresh the index is."),
    ("index", "memtui.cli.index:COMMAND", "Bring the index up to date, or build it anew."),
    ("doctor", "memtui.cli.doctor:COMMAND", "Check that everything works, with a remedy for what does not."),
    ("config", "memtui.cli.config:COMMAND", "Show or change settings."),
    ("completion", "memtui.cli.completion:COMMAND", "Print the completion script for your shell."),
)
"""Name -> module:object (a `grammar.Command`), and its one line of help."""

OPEN = "memtui.cli.open:COMMAND"
"""What `memtui [PATH]…` does where no command is named."""
