"""The records of a JSONL file, a line at a time: from any place in it, and with what had to be left out counted."""

from __future__ import annotations

from memtui.parse.json_reader import BrokenJsonError, Decoder
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

LONGEST_LINE = 16 * 1024 * 1024
"""Lines beyond that (pictures, whole files) are counted as skipped: one line must not fill the memory."""


class Stream:
    """One reading of an open file. `start` and `end` are the bytes of the record that came last."""

    def __init__(
        self,
        file: BinaryIO,
        limit: int | None = None,
        *,
        offset: int = 0,
        line: int = 1,
        growing: bool = False,
    ) -> None:
        """`line` is the number of the one at `offset`. `growing`: a last line that is torn is still being written."""
        self._file = file
        self._limit = limit
        self._growing = growing
        self.start = self.end = offset
        self.line = line
        """The number of the line at `end`."""
        self.skipped = 0
        """Lines that were truncated, malformed or no objects."""
        self.truncated = False

    def records(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Line numbers and objects."""
        decoder = Decoder(strict=False)
        done = 0
        self._file.seek(self.end)
        while raw := self._file.readline(LONGEST_LINE):
            size = len(raw)
            last = raw[-1:]
            whole = size < LONGEST_LINE or last == b"\n"
            while last != b"\n" and size >= LONGEST_LINE and (more := self._file.readline(1 << 20)):
                size += len(more)
                last = more[-1:]
            done += size
            if self._limit is not None and done > self._limit:
                self.truncated = True
                return
            record = self._record(decoder, raw) if whole else None
            if record is None and self._growing and last != b"\n":
                return
            number = self.line
            self.start, self.end = self.end, self.end + size
            self.line += last == b"\n"
            if record:
                yield number, record
            elif record is None:
                self.skipped += 1

    def _record(self, decoder: Decoder, raw: bytes) -> dict[str, Any] | None:
        """The object on a line; an empty one for a line with nothing on it, None for one that is broken."""
        text = raw.decode("utf-8", "replace").strip(" \t\r\n\0\ufeff")
        if not text:
            return None if b"\0" in raw else {}
        try:
            record, _ = decoder.decode(text, 0)
        except BrokenJsonError:
            record = None
        decoder.twice.clear()
        return record if isinstance(record, dict) else None
