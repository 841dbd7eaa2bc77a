"""Reading a text with a parser, as the index does it; taking edits of one back."""

from __future__ import annotations

from datetime import UTC, datetime

from memtui.core.edits import Piece
from memtui.core.model import Layer, Parsed, Role
from memtui.formats import Source, parse


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


def invert_pieces(base: bytes, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces that make the base again of what the pieces made of it."""
    found: list[Piece] = []
    shift = 0
    for piece in pieces:
        start = piece.start + shift
        found.append(Piece(start, start + len(piece.new), base[piece.start : piece.end], piece.frame))
        shift += len(piece.new) - (piece.end - piece.start)
    return tuple(found)


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
