"""The MCP server, `memtui mcp`: the tools of `agents.tools` for any client, over pipes or a loopback socket.

Only this package knows the SDK, which comes with `memtui[mcp]`; it is imported by nothing but its own command.
"""

from __future__ import annotations

from importlib.metadata import version
from importlib.util import find_spec

from memtui.core.errors import name_install_command
from memtui.core.locale import _


def why_not() -> str:
    """Why no server can be started, and what to do, for a person; empty: one can."""
    if find_spec("mcp") is not None and version("mcp").split(".")[0] != "1":
        return ""
    return _("The MCP server needs the extra memtui[mcp]: {command}").format(command=name_install_command("mcp"))
