"""Where the values of a JSON document stand in its bytes, and the pieces that change one of them.

Structure in JSON is ASCII, so the document is scanned as Latin-1: offsets in that text are offsets in the bytes.
White space, key order and escapes are taken from what stands beside the place, so a file keeps its own hand.
"""

from __future__ import annotations

import codecs
import json
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.edits import Piece
from memtui.errors import RefusedError
from memtui.locale import _
from memtui.parse.json_reader import BrokenJsonError, Decoder
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SPACE = pattern(r"[ \t\r\n]*+")
_ESCAPED = pattern(rb"(?<!\\)(?:\\\\)*+\\u(?!00[0-7])[0-9a-fA-F]{4}")
_RAW = json.JSONDecoder(strict=False).raw_decode


class Gone:
    """Stands for the value of a member that goes."""


class Spot(NamedTuple):
    """A value in the bytes: [start, end); with its name, where it is a member, and where that name begins."""

    start: int
    end: int
    name: str = ""
    at: int = -1

    @property
    def first(self) -> int:
        """Where the element begins: the name of a member, an item itself."""
        return self.start if self.at < 0 else self.at


class Style(NamedTuple):
    """How an object is written: what stands after '{', between members, between name and value, before '}'."""

    opening: bytes = b""
    between: bytes = b", "
    colon: bytes = b": "
    closing: bytes = b""

    @property
    def separators(self) -> tuple[str, str]:
        """What divides the parts of a value on one line, in such an object."""
        return (", ", ": ") if self.colon.strip(b":") else (",", ":")


class Json:
    """A JSON document by its bytes."""

    def __init__(self, data: bytes, *, start: int = 0, end: int | None = None, line: int = 1) -> None:
        """The document in data[start:end), or one record of a line. Raises RefusedError where it is no valid JSON."""
        self.data = data
        self._counted = (0, 1)
        self.image = data.decode("latin-1")
        self.ascii = data.isascii() and _ESCAPED.search(data) is not None
        """Whether what is not ASCII is written as escapes here."""
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise RefusedError(_("it is written in UTF-16, which memtui reads but does not write"))
        if not start and data.startswith(codecs.BOM_UTF8):
            start = len(codecs.BOM_UTF8)
        stop = len(data) if end is None else end
        self.top = self._space(start)
        """Where the outermost value begins."""
        try:
            text = data[start:stop].decode()
        except UnicodeDecodeError as error:
            at = data.count(b"\n", start, start + error.start) + line
            raise RefusedError(_("line {line} is not UTF-8").format(line=at)) from None
        lead = len(text) - len(text.lstrip(" \t\r\n"))
        try:
            self.value, after = Decoder(strict=end is None).decode(text, lead)
        except BrokenJsonError as fault:
            at = text.count("\n", 0, fault.at) + line
            raise RefusedError(_("line {line}: {reason}").format(line=at, reason=fault.reason)) from None
        if text[after:].strip(" \t\r\n"):
            at = text.count("\n", 0, after) + line
            raise RefusedError(_("line {line}: more text after the end of the JSON").format(line=at))
        self.end = len(data[:start]) + len(text[:after].encode())

    def decoded(self, spot: Spot) -> Any:
        """The value that stands there."""
        return json.loads(self.data[spot.start : spot.end], strict=False)

    def kind(self, spot: Spot) -> str:
        """Its first character: '{', '[', '"' or another."""
        return self.image[spot.start]

    def line(self, at: int) -> int:
        """The line of an offset, counted from 1; cheap as long as offsets grow."""
        before, line = self._counted if at >= self._counted[0] else (0, 1)
        self._counted = at, line + self.data.count(b"\n", before, at)
        return self._counted[1]

    def items(self, at: int) -> list[Spot]:
        """The items of the array that begins at this offset."""
        return list(self._items(at))

    def _items(self, at: int) -> Iterator[Spot]:
        at = self._space(at + 1)
        while self.image[at] != "]":
            end = _RAW(self.image, at)[1]
            yield Spot(at, end)
            at = self._next(end)

    def members(self, at: int) -> list[Spot]:
        """The members of the object that begins at this offset, twice named ones twice."""
        return list(self._members(at))

    def _members(self, at: int) -> Iterator[Spot]:
        at = self._space(at + 1)
        while self.image[at] != "}":
            after = scanstring(self.image, at + 1, False)[1]
            name = json.loads(self.data[at:after], strict=False)
            start = self._space(self._space(after) + 1)
            end = _RAW(self.image, start)[1]
            yield Spot(start, end, name, at)
            at = self._next(end)

    def _next(self, end: int) -> int:
        at = self._space(end)
        return self._space(at + 1) if self.image[at] == "," else at

    def _space(self, at: int) -> int:
        found = _SPACE.match(self.image, at)
        return found.end() if found else at

    def elements(self, spot: Spot) -> list[Spot]:
        """The items of the array, or the members of the object, that stands there."""
        return self.items(spot.start) if self.kind(spot) == "[" else self.members(spot.start)

    # -- writing ------------------------------------------------------------------------------------------------

    def text(self, value: Any, style: Style | None = None) -> bytes:
        """A value as this document writes values."""
        return written(value, ascii=self.ascii, separators=style.separators if style else None)

    @property
    def plain(self) -> Style:
        """How an object is written where nothing shows another way: two spaces a level, the file's line ends."""
        end = b"\r\n" if b"\r\n" in self.data else b"\n"
        return Style(end + b"  ", b"," + end + b"  ", b": ", end)

    def style(self, spot: Spot, members: Sequence[Spot]) -> Style:
        """How the object there, which has members, is written."""
        first, last = members[0], members[-1]
        opening = self.data[spot.start + 1 : first.first]
        named = scanstring(self.image, first.first + 1, False)[1]
        colon = self.data[named : first.start]
        between = b"," + (opening or colon.partition(b":")[2])
        if len(members) > 1:
            between = self.data[first.end : members[1].first]
        return Style(opening, between, colon, self.data[last.end : spot.end - 1])

    def object(self, record: Mapping[str, Any], style: Style) -> bytes:
        """A new object in that style."""
        told = [self.text(name) + style.colon + self.text(value, style) for name, value in record.items()]
        return b"{" + style.opening + style.between.join(told) + style.closing + b"}"

    def changed(self, spot: Spot, changes: Mapping[str, Any], after: str = "") -> tuple[Piece, ...]:
        """The pieces that give members of an object new values; new ones come behind `after`, or at the end.

        Of a name that stands twice the last one counts, as every reader has it. `Gone` takes a member away, twice
        named ones all of them.
        """
        members = self.members(spot.start)
        style = self.style(spot, members)
        last = {member.name: number for number, member in enumerate(members)}
        end = members[-1]
        pieces: list[Piece] = []
        fresh: list[bytes] = []
        staying: dict[str, Spot] = {}
        for number, member in enumerate(members):
            if changes.get(member.name) is Gone:
                pieces.append(_cut(members, number, bool(staying)))
                continue
            staying[member.name] = end = member
            if member.name in changes and last[member.name] == number:
                value = changes[member.name]
                if self.decoded(member) != value or isinstance(value, bool):
                    pieces.append(Piece(member.start, member.end, self.text(value, style)))
        for name, value in changes.items():
            if name not in last and value is not Gone:
                fresh += (style.between, self.text(name), style.colon, self.text(value, style))
        if fresh:
            at = staying.get(after, end).end
            pieces.append(Piece(at, at, b"".join(fresh)))
        return tuple(sorted(pieces, key=lambda piece: (piece.start, piece.end)))

    def without(self, siblings: Sequence[Spot], number: int) -> tuple[Piece, ...]:
        """The piece that takes one element out of an array or an object."""
        if len(siblings) > 1:
            return (_cut(siblings, number, number > 0),)
        only = siblings[0]
        before = len(self.image[: only.first].rstrip(" \t\r\n"))
        return (Piece(before, self._space(only.end), b""),)


def _cut(siblings: Sequence[Spot], number: int, kept: bool) -> Piece:
    """An element and the comma on the side where another one stays."""
    if kept:
        return Piece(siblings[number - 1].end, siblings[number].end, b"")
    return Piece(siblings[number].first, siblings[number + 1].first, b"")


def written(value: Any, *, ascii: bool = False, separators: tuple[str, str] | None = None) -> bytes:
    """JSON that every reader takes: no NaN, no line separators, no half characters."""
    try:
        text = json.dumps(value, ensure_ascii=ascii, allow_nan=False, separators=separators)
        return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode()
    except UnicodeEncodeError:
        raise RefusedError(_("the text holds half of a character, which no file can keep")) from None
    except ValueError:
        raise RefusedError(_("a number that is none cannot be written as JSON")) from None
