"""How one open home stands, for whoever shows it."""

from __future__ import annotations

from memtui.record import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.model import Home, Problem


class HomeStatus(NamedTuple):
    """How one home stands."""

    home: Home
    files: int
    """Files that the index holds."""
    memories: int
    """Those that hold: what lists show where nobody asks for more."""
    indexed: int
    total: int
    """Files that it should hold, as far as is known."""
    building: bool
    fresh_at: float | None
    """When index and disk were last seen to agree, in seconds; None: not yet."""
    backend: str
    """What searches are answered by: fts, scan or fts+scan."""
    watcher: str
    """watching, polling or off, with the reason where there is one."""
    problems: tuple[Problem, ...]
    index_path: str
    index_bytes: int
    warning: str = ""
    away: bool = False
    """The home itself was not there when it was last looked at."""
    vectors: int = 0
    """Memories that can be found by meaning, or hold nothing that has one."""
    vectors_total: int = 0
    model: str = ""
    """What makes their vectors; empty: not known yet, or nothing does."""
    vectors_why: str = ""
    """Why there are no vectors, or no more of them."""
    embedding: bool = False
    """Vectors are being made just now."""
    left_out: int = 0
    """Memories that no longer hold, and what stands in archives, templates and the like."""

    @property
    def unparsed(self) -> int:
        """Files with something in them that was not understood, however much."""
        return len({problem.path for problem in self.problems})
