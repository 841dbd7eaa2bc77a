"""auto-capabilities.md (spec 002): one line for each skill that memtui made, read by the agent at every start.

Other tools, and persons, write to it as well: only our own lines come and go.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.edits import Edit, Piece
from memtui.parse.fields import line
from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from memtui.evolution.skill_place import Anchor

HEAD = (
    "# Auto capabilities\n\n"
    "Skills made from what came back in past sessions, each approved by the user."
    " Use one when its trigger words fit.\n\n"
)


def entry(name: str, description: str) -> str:
    """A skill's line."""
    return f"- **{name}**: {line(safe_text(description, keep_newlines=False), 1100)}"


def names(data: bytes) -> set[str]:
    """The skills that have a line."""
    return {found.decode("ascii") for found in re.findall(rb"(?m)^- \*\*([a-z0-9-]{1,64})\*\*:", data)}


def added(at: Anchor, base: bytes | None, name: str, description: str) -> Edit:
    """The change that lists a skill at the end."""
    said = entry(name, description) + "\n"
    if base is None:
        return Edit(at.root, at.path, None, (Piece(0, 0, (HEAD + said).encode("utf-8", "replace")),))
    end = "\r\n" if b"\r\n" in base else "\n"
    healed = end if base and not base.endswith(b"\n") else ""
    new = (healed + said.replace("\n", end)).encode("utf-8", "replace")
    return Edit(at.root, at.path, base, (Piece(len(base), len(base), new),))


def left(at: Anchor, base: bytes | None, name: str) -> Edit | None:
    """The change that takes its line out; the file with it where nothing but our head is left. None: it has none."""
    if base is None:
        return None
    start = re.search(rb"(?m)^- \*\*" + re.escape(name.encode()) + rb"\*\*:[^\n]*(?:\n|\Z)", base)
    if start is None:
        return None
    rest = base[: start.start()] + base[start.end() :]
    if rest.decode("utf-8", "replace").split() in ([], HEAD.split()):
        return Edit(at.root, at.path, base, (), remove=True)
    return Edit(at.root, at.path, base, (Piece(start.start(), start.end(), b""),))
