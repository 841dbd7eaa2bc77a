"""The agents' front doors: tools, the MCP server, hooks, and what installs them."""
