"""The command line: one file a family of commands, one line a command in `COMMANDS`.

Importing this package loads no command, no click and no engine: `memtui search` runs in agents' hooks, hundreds
of times a day, and pays only for what it uses.

Floor: the highest, above tui. Doors: `run.run`, which `python -m memtui` calls, and `COMMANDS`.
"""

from __future__ import annotations

COMMANDS: tuple[tuple[str, str, str], ...] = tuple(
    (name, f"memtui.cli.{place}", about)
    for name, place, about in (
        ("homes", "status_commands:COMMAND",
         "List the memory homes found here, and why each was taken for one."),
        ("search", "search_commands:COMMAND",
         "Find memories by words; Chinese and English, every home at once."),
        ("route", "get_commands:ROUTE_COMMAND", "Name the documents that words lead to, without searching."),
        ("get", "get_commands:GET_COMMAND", "Print lines of one memory file."),
        ("traces", "get_commands:COMMAND",
         "Find what was said and done in conversations: turns, tools' calls, results."),
        ("context", "context_commands:COMMAND",
         "What a session would be given at its start, and why; --off switches it off."),
        ("append", "append_commands:APPEND_COMMAND", "Remember one thing for today, in the home's journal."),
        ("flush", "append_commands:COMMAND", "Write what lasts of a text or a transcript into the journal."),
        ("profile", "sessions_commands:PROFILE",
         "What is remembered about you (L0 and MEMORY.md): list, show, add, edit, init."),
        ("facts", "sessions_commands:FACTS",
         "Facts, rules, summaries and topics (L1): list, show, and every verb that changes one."),
        ("sessions", "sessions_commands:COMMAND",
         "List sessions and journal days, show one with its turns (L2), write one down, collect."),
        ("evolution", "evolution_commands:COMMAND",
         "Problems that come back, and what helps: signals, effects, gates, skills, the report."),
        ("review", "review_commands:COMMAND", "The review queue: list, show, approve, reject, explain."),
        ("distill", "lifecycle_commands:COMMAND",
         "Facts of the journals that belong in core memory, and why."),
        ("consolidate", "lifecycle_commands:CONSOLIDATE_COMMAND",
         "Daily or weekly maintenance of the homes; a dry run first."),
        ("lifecycle", "lifecycle_commands:LIFECYCLE_COMMAND",
         "What expires, fades or goes, and why; shown first, done with --apply."),
        ("tool", "serve_commands:TOOL_COMMAND", "Call a tool for agents, or list them."),
        ("mcp", "serve_commands:COMMAND", "Serve memory to agents over MCP, on pipes or a loopback socket."),
        ("undo", "history_commands:UNDO", "Undo the last decision, or the writes named."),
        ("redo", "history_commands:REDO", "Redo what was undone."),
        ("history", "history_commands:HISTORY_COMMAND", "Every write that memtui made, with its difference."),
        ("card", "bundle_commands:CARD_COMMAND", "A year of memory as one picture (SVG) of counts alone."),
        ("trash", "history_commands:COMMAND", "What was deleted, and how to restore it."),
        ("status", "status_commands:STATUS_COMMAND",
         "How many memories there are, and how fresh the index is."),
        ("index", "status_commands:INDEX_COMMAND", "Update the index, or rebuild it."),
        ("doctor", "doctor_commands:COMMAND",
         "Check that everything works, with a remedy for what does not."),
        ("init", "facts_commands:COMMAND", "Make a new memory home, or what one lacks of its skeleton."),
        ("migrate", "lifecycle_commands:MIGRATE_COMMAND",
         "Copy what a home holds into a home of another layout; a dry run first."),
        ("import", "bundle_commands:IMPORT_COMMAND",
         "Let what another tool remembers wait in Review: a home, a database, a folder, a bundle."),
        ("export", "bundle_commands:EXPORT_COMMAND", "Print memories as one JSON bundle, or as Markdown."),
        ("hook", "install_commands:COMMAND", "What agents run at their events; `memtui install` sets it up."),
        ("install", "install_commands:INSTALL",
         "Let an agent use memtui: hooks, MCP server, skill; shown first."),
        ("uninstall", "install_commands:UNINSTALL", "Undo what install wrote, to the byte."),
        ("team", "team_commands:COMMAND",
         "Share memory with your machines or a team: init, join, share, members, status."),
        ("sync", "share_commands:SYNC", "Send what you share, fetch what others share."),
        ("serve", "team_commands:SERVE", "Run a PostgreSQL of your own for a team or your machines."),
        ("avoid", "scrub_commands:AVOID_COMMAND",
         "Check files against rules of what went wrong before: check, list."),
        ("scrub", "scrub_commands:COMMAND", "Mask the secrets in a text: a filter."),
        ("config", "config_commands:COMMAND", "Show or change settings."),
        ("help", "tree:HELP_COMMAND", "Show a page of the manual, or list them."),
        ("completion", "tree:COMMAND", "Print the completion script for your shell."),
    )
)  # fmt: skip
"""Name -> module:object (an `options.Command`), and its one line of help."""

OPEN = "memtui.cli.app_commands:COMMAND"
"""What `memtui [PATH]…` does where no command is named."""
