"""How this memtui is called from elsewhere: by its absolute path, for agents have a PATH of their own."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import TYPE_CHECKING

from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES = {"memtui", "memtui.exe"}


def program() -> tuple[str, ...]:
    """The words that start this memtui: the command it was started by, else the one beside Python, else `-m`.

    A link is not followed: pipx and uv keep it in place when memtui is brought up to date.
    """
    beside = os.path.dirname(sys.executable)
    for path in (sys.argv[0], *(os.path.join(beside, name) for name in sorted(_NAMES))):
        whole = os.path.abspath(path)
        if os.path.basename(whole).lower() in _NAMES and runs(whole):
            return (whole,)
    return (sys.executable, "-m", "memtui")


def runs(path: str) -> bool:
    """Whether there is a program at an absolute path; a bare name is for the agent to find."""
    if not os.path.isabs(path):
        return True
    return os.path.isfile(path) and os.access(path, os.X_OK)


def warnings(program: Sequence[str]) -> tuple[str, ...]:
    """What a person should know of that program before an agent depends on it."""
    from importlib.util import find_spec

    found = []
    short_lived = [tempfile.gettempdir(), os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")]
    if any(program[0].startswith(place.rstrip(os.sep) + os.sep) for place in short_lived):
        found.append(
            _("{program} is in a place that is cleaned up: install memtui for good first.").format(
                program=program[0]
            )
        )
    if find_spec("mcp") is None:
        found.append(_("The MCP server needs an extra: pip install 'memtui[mcp]'. The hooks work without."))
    return tuple(found)
