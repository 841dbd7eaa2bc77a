"""The marks around what memtui keeps up to date in a file that is otherwise a person's: begin and end, by name.

`<!-- memtui:begin NAME sha=… -->` and `<!-- memtui:end NAME -->`, each on a line of its own. The digest is of what
memtui wrote between them, so that a person's edit there is noticed (`format.owned`).
"""

from __future__ import annotations

from memtui.pattern import pattern
from memtui.record import NamedTuple

KEY = "owned"
"""In `Entry.extra`: the name of the section that an entry stands in. It is a copy of what is remembered elsewhere."""

_MARK = pattern(r"memtui:(begin|end)\s+([\w.-]{1,40})(?:\s+sha=([0-9a-f]{0,64}))?")


class Mark(NamedTuple):
    """One of the two marks."""

    begins: bool
    name: str
    sha: str
    """Empty: nobody said."""


def mark(comment: str) -> Mark | None:
    """The mark that a comment's text is; None: it is another comment."""
    found = _MARK.fullmatch(comment.strip()) if "memtui:" in comment else None
    return None if found is None else Mark(found[1] == "begin", found[2], found[3] or "")
