"""Entries -> bytes: the pieces that add, change, mark or remove one memory, in the words of its file's own format.

The other way round from `parse`, and as pure: bytes and an entry in, pieces out. What a format writes, its parser
reads back. To add one, write `format/<name>.py` with the functions of `Format` and one line in `FORMATS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.edits import Draft, Piece
    from memtui.model import Entry, Status


class Added(NamedTuple):
    """What adding a draft writes."""

    pieces: tuple[Piece, ...]
    key: str = ""
    """The home's own id of the new memory, where the format has ids."""


class Record(NamedTuple):
    """What an append-only file gets at its end."""

    text: str
    """Without the last newline."""
    key: str = ""
    header: str = ""
    """What a file that did not exist begins with."""


class Format(Protocol):
    """How one file format writes. A module with these functions; each raises RefusedError for what it cannot say.

    `data` is the whole file (empty: it does not exist or is empty), `entry` what its parser found in just these bytes,
    `now` seconds since the epoch. Nothing outside the pieces changes; new lines end as the file's lines do.
    """

    def add(self, data: bytes, draft: Draft, now: float, path: str) -> Added:
        """A new memory, under the draft's section, which is made where it is missing."""

    def record(self, draft: Draft, now: float, path: str) -> Record:
        """The same for an append-only file."""

    def change(self, data: bytes, entry: Entry, changes: Mapping[str, Any], now: float) -> tuple[Piece, ...]:
        """New values for fields of the entry: text, kind, tags, entities, expires, confidence, evidence, title."""

    def mark(
        self,
        data: bytes,
        entry: Entry,
        status: Status,
        now: float,
        *,
        successor: str = "",
        reason: str = "",
        alone: bool = True,
    ) -> tuple[Piece, ...]:
        """Another status, in the format's own way; `successor` is the key or text of what replaces it.

        Not `alone`: whoever puts several marks together reads once what they make, so this need not.
        """

    def remove(self, data: bytes, entry: Entry) -> tuple[Piece, ...]:
        """The entry's own lines go, and nothing else."""


FORMATS: tuple[tuple[str, str], ...] = (
    ("markdown", "memtui.format.markdown"),
    ("journal", "memtui.format.journal"),
    ("hours", "memtui.format.hours"),
    ("topic", "memtui.format.topic"),
    ("facts", "memtui.format.facts"),
    ("daily-jsonl", "memtui.format.records"),
)
"""Name (as in `Target.format`; the parser's where one writes what it reads) -> module."""


def format_named(name: str) -> Format:
    """The format of that name. Raises KeyError for one that nothing is written in."""
    return cast("Format", import_module(dict(FORMATS)[name]))
