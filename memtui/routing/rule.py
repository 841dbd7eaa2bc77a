"""A rule: words that lead to documents, wherever it was written down."""

from __future__ import annotations

from memtui.pattern import pattern
from memtui.record import NamedTuple

MOST = 2000
"""Rules of one file: what is beyond them is no table that a person keeps."""
PLACEHOLDER = pattern(r"\$?\{[^{}/\\]{0,40}\}|<[^<>/\\]{1,40}>|\*")
"""A part of a path, or of a trigger, that stands for any thing of its kind: `{项目}`, `<project>`, `*`."""


class Rule(NamedTuple):
    """Words that lead to documents."""

    triggers: tuple[str, ...]
    """As the rule has them."""
    targets: tuple[str, ...]
    """Paths as written, placeholders and all."""
    source: str
    """File and line, for a person."""
    naming: bool = False
    """It fires when the query names the thing that a placeholder of the path stands for."""
    bases: tuple[str, ...] = ("",)
    """Directories of the home in which the targets may stand, each empty or with its '/'."""
    claims: bool = True
    """The file says that the documents are there, so that one that is not is a fault of it."""
    layered: bool = False
    """Only knowledge (L1) is routed to: what else an index names is loaded anyway (spec 000)."""
