"""One file as a parser is given it: its role in the home, its bytes, its text, its lines, its secrets masked.

In this order: bytes that are not UTF-8 as text (GB18030, which editors on Chinese systems still write, else
byte by byte); the lines as spans count them, and what was odd about the bytes; secrets masked in what others
wrote, line for line, so that spans hold and JSON stays JSON (the file itself is never altered); `Source`.
"""

from __future__ import annotations

import codecs
from functools import cached_property

from memtui.core.model import Problem, Role
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.safety.sanitize import needs_secret_scan, redact_text

if TYPE_CHECKING:
    from collections.abc import Collection

    from memtui.core.model import Entry, Parsed

_COMMON = compile_pattern(rb"[\xa1-\xf7][\xa1-\xfe]")
"""A character of GB 2312, the part of the standard in which people write."""


def decode_text(data: bytes) -> tuple[str, str]:
    """The text, and in what it was written: gb18030, or bytes where that is unknown (bad ones as lone surrogates)."""
    lenient = data.decode("utf-8", "surrogateescape")
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return lenient, "bytes"
    odd = len(text) - len(text.encode("ascii", "ignore"))
    bad = len(data) - len(lenient.encode("utf-8", "ignore"))
    good = len(lenient) - len(lenient.encode("ascii", "ignore")) - bad
    # Broken UTF-8 is mostly whole, and the accents of Western encodings stand alone between letters; a character
    # or two may be what a torn write left.
    if odd > 2 and bad > 2 * good and 10 * len(_COMMON.findall(data)) >= 9 * odd:
        return text, "gb18030"
    return lenient, "bytes"


_LONG = 1024 * 1024
_SINGLY = 8
_SURROGATE = compile_pattern("[\ud800-\udfff]")


def split_readable_lines(source: Source) -> tuple[list[str], list[Problem]]:
    """The lines, numbered as the file's own, and the problems. NUL bytes (a gap after a power loss, T22) are left out.

    Bytes that are no text become U+FFFD, so that whatever is made of the lines can be written anywhere.
    """
    lines = source.lines
    problems: list[Problem] = []
    text = source.text
    if "\0" in text:
        gaps = [(index, line.count("\0")) for index, line in enumerate(lines) if "\0" in line]
        lines = list(lines)
        for index, _ in gaps:
            lines[index] = lines[index].replace("\0", "")
        if len(gaps) > _SINGLY:
            gaps = [(gaps[0][0], text.count("\0"))]
        for index, count in gaps:
            problems.append(Problem(source.path, index + 1, f"{count:,} NUL byte{'s' * (count > 1)}"))
    if "\ufeff" in text:
        # Where a program put one file above another, the mark at the head of the lower one stands amid the text.
        lines = [line.removeprefix("\ufeff") if line.startswith("\ufeff#") else line for line in lines]
    if source.encoding == "bytes":
        lines = [line if line.isascii() else _SURROGATE.sub("\ufffd", line) for line in lines]
    if source.cut:
        read = f"only the first {len(source.data):,} of {source.size:,} bytes were read"
        problems.append(Problem(source.path, len(lines), read))
    if len(text) > _LONG:
        problems += [
            Problem(source.path, index + 1, f"a line of {len(line):,} characters: shown shortened")
            for index, line in enumerate(lines)
            if len(line) > _LONG
        ][:16]
    return lines, problems


def report_undecoded(source: Source, known: Collection[int]) -> list[Problem]:
    """What is to be said of a text that is no UTF-8, whoever parsed it; `known` lines have a problem already."""
    if source.encoding == "gb18030":
        return [
            Problem(
                source.path, 0, "written in GB18030, not UTF-8: shown, but other programs may not read it"
            )
        ]
    if source.encoding != "bytes":
        return []
    bad = [
        index
        for index, line in enumerate(source.lines, 1)
        if index not in known and not line.isascii() and _SURROGATE.search(line)
    ]
    more = f" (and {len(bad) - 1:,} more line{'s' * (len(bad) > 2)})" if len(bad) > 1 else ""
    return [Problem(source.path, bad[0], f"bytes that are not UTF-8{more}")] if bad else []


AFTERWARDS = frozenset({
    "memory-rows", "store-rows", "claude-transcript", "codex-transcript", "gemini-transcript", "copilot-transcript",
})  # fmt: skip
"""Parsers whose entries are veiled once made: a database has no text before, of a transcript little is kept."""


def mask_text_secrets(text: str, data: bytes | None = None) -> str:
    """The text with its secrets masked; `data` are its bytes in UTF-8, where they are at hand."""
    if not needs_secret_scan(text.encode("utf-8", "surrogatepass") if data is None else data):
        return text
    # Only where something may be found: the rules cost more to load than most files to read.
    found = redact_text(text)
    if not found.secrets or text.lstrip()[:1] not in {"{", "["}:
        return found.text
    parts: list[str] = []
    done = 0
    for secret in found.secrets:
        mask = secret.mask
        if text[secret.start : secret.end].isdigit() and text[secret.start - 1 : secret.start] not in {
            '"',
            "\\",
        }:
            # A number in JSON: the mask must be a value, too.
            bare = text[max(0, secret.start - 40) : secret.start].rstrip()[-1:] in {":", ",", "["}
            mask = f'"{mask}"' if bare else mask
        parts += (text[done : secret.start], mask)
        done = secret.end
    parts.append(text[done:])
    return "".join(parts)


def mask_parsed_entries(parsed: Parsed, parser: str) -> Parsed:
    """The entries' own words veiled, where they were made of text that was not; and a database's text view."""
    for entry in parsed.entries:
        _veil(entry)
    text = mask_text_secrets(parsed.text) if parser.endswith("-rows") else parsed.text
    return parsed._replace(title=mask_text_secrets(parsed.title), text=text)


def _veil(entry: Entry) -> None:
    entry.text = mask_text_secrets(entry.text)
    if entry.title:
        entry.title = mask_text_secrets(entry.title)
    if entry.search is not None:
        entry.search = mask_text_secrets(entry.search)
    if entry.heading:
        entry.heading = tuple(map(mask_text_secrets, entry.heading))
    if entry.extra:
        entry.extra = {
            name: mask_text_secrets(value) if isinstance(value, str) else value
            for name, value in entry.extra.items()
        }


HEAD = 256 * 1024
"""Enough of a transcript to name it; its turns are read when somebody opens it."""


class Source:
    """What a parser gets. `text` has exactly the lines that spans count ('\\n' ends a line, nothing else does)."""

    def __init__(
        self,
        path: str,
        role: Role,
        data: bytes = b"",
        file: str = "",
        modified: float = 0.0,
        size: int = 0,
        *,
        masked: bool = False,
    ) -> None:
        self.path = path
        """Relative to the home, '/'-separated."""
        self.role = role
        self.data = data
        self.file = file
        """The absolute path, for parsers that must open the file themselves."""
        self.modified = modified
        self.size = size
        """The file's full size; greater than len(data) where only its head was read."""
        self.masked = masked
        """To be shown or indexed, not written: the secrets in it are masked."""
        self.encoding = "utf-8"

    @cached_property
    def text(self) -> str:
        """Decoded leniently: UTF-8 (a BOM is dropped), UTF-16 by its BOM, else as `decode_text` has it."""
        text = self._decoded()
        if not self.masked or self.role.parser in AFTERWARDS:
            return text
        return mask_text_secrets(text, self.data if self.encoding in {"utf-8", "bytes"} else None)

    def _decoded(self) -> str:
        if self.data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            self.encoding = "utf-16"
            return self.data.decode("utf-16", "replace")
        data = self.data.removeprefix(codecs.BOM_UTF8)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            text, self.encoding = decode_text(data)
            return text

    @cached_property
    def lines(self) -> list[str]:
        """The text's lines without their '\\n' ('\\r' stays); a final newline adds no empty line."""
        lines = self.text.split("\n")
        if lines and not lines[-1]:
            lines.pop()
        return lines

    @property
    def cut(self) -> bool:
        """Whether the file is longer than what was read."""
        return self.size > len(self.data) > 0
