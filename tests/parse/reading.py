"""Reading a text with a parser, as the index does it, and the timezone that tests count days in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memtui.core.model import Layer, Role
from memtui.formats import parse
from memtui.formats.source import Source

if TYPE_CHECKING:
    from memtui.core.model import Parsed


def read(
    parser: str,
    text: str | bytes,
    path: str = "file",
    *,
    kind: str = "note",
    layer: Layer = Layer.KNOWLEDGE,
    size: int = 0,
) -> Parsed:
    """Parse a text as a file of this path and role; `size` greater than the text's makes it a file's head."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    role = Role(layer, kind, parser)
    return parse(Source(path, role, data, modified=1_770_000_000.0, size=size or len(data)))


def utc(*when: int) -> float:
    """Seconds of a moment in UTC."""
    return datetime(*when, tzinfo=UTC).timestamp()  # type: ignore[arg-type,misc]


def check_lines(parsed: Parsed) -> None:
    """Every span and problem lies inside the text, and text and search hold nothing that no file could."""
    lines = parsed.text.count("\n") + 1
    for entry in parsed.entries:
        assert 1 <= entry.start <= entry.end <= lines
        assert entry.text
        entry.text.encode()
        (entry.search or "").encode()
    for problem in parsed.problems:
        assert 0 <= problem.line <= lines
        assert problem.reason
