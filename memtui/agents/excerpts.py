"""What of a home's files agents are handed: what the home counts among its memories, with a person's secrets masked.

Secrets that memtui knows are masked wherever a file is read; the patterns of `redact.patterns` are masked here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.agents import names
from memtui.layouts import layout
from memtui.sessions.passage import masked, patterns

if TYPE_CHECKING:
    from memtui.agents.caller import Caller
    from memtui.config import Config
    from memtui.model import Home
    from memtui.reading import Excerpt


def excerpt(caller: Caller, home: Home, path: str, from_: int, lines: int) -> Excerpt | None:
    """Some lines of a home's file; None where there is none, or it lies in a directory that the home leaves out.

    Raises OutsideError for a path that could lead out of it.
    """
    names.relative(path)
    kind = layout(home.layout)
    parts = path.split("/")
    if any(kind.prune(home.path, "/".join(parts[:end])) for end in range(1, len(parts))):
        return None
    found = caller.vault.get(path, from_, lines, home=str(home.path))
    return found._replace(text=veiled(found.text, caller.config)) if found.total else None


def veiled(text: str, config: Config) -> str:
    """A text without what a person's own patterns call secret."""
    return masked(text, patterns(config))
