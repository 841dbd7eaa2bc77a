"""The front doors for agents: tools, the MCP server, hooks, and what installs them.

Floor: above analysis, below tui and cli. Doors: `tools.TOOLS` and `tools.call`, `mcp` (`memtui mcp`),
`hooks.run_hook` (`memtui hook EVENT`), `install`, `avoid.gate.examine`.
"""
