"""JSON with line numbers and byte spans, item by item; what stands before and after a fault is still read.

`JsonReader`: `json.loads` gives all or nothing and no positions, so this walks the outer one or two levels
itself and lets the C decoder take each item whole; every fact knows its first and last line (reliability
§2.10).

`Json`: where values stand in the bytes, and the pieces that change one. The structure of JSON is ASCII, so the
document is scanned as Latin-1 and offsets in that text are offsets in the bytes. White space, key order and
escapes follow what stands beside the place.
"""

from __future__ import annotations

import codecs
import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]

from memtui.core.edits import Piece
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.model import Problem
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DEPTH = 100
"""Deepest nesting of one record that is taken: deeper ones break whoever walks them next."""

MOST_FAULTS = 200
"""After so many faults a file is given up: it is no JSON that somebody wrote."""

_SPACE = compile_pattern(r"[ \t\r\n]*+")
_BRACKET = compile_pattern(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_CLOSES = {"{": "}", "[": "]"}
_NUMBER = compile_pattern(r"[-+.\w]*+")
_TRAILING = compile_pattern(r'("(?:[^"\\]|\\.)*+")|,(?=[ \t\r\n]*+[}\]])', re.DOTALL)


class JsonItem(NamedTuple):
    """A decoded value and the lines it stands on."""

    value: Any
    start: int
    end: int


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


class Decoder:
    """The C decoder, made strict: NaN and Infinity refused, keys that stand twice noted in `twice`."""

    def __init__(self, *, strict: bool = True) -> None:
        self.twice: list[str] = []
        self.raw = json.JSONDecoder(
            object_pairs_hook=self._build_object, parse_constant=_refuse, strict=strict
        ).raw_decode

    def _build_object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            few = len(keys) < 1000
            self.twice += [key for key in found if keys.count(key) > 1] if few else ["a name"]
        return found

    def decode(self, text: str, at: int) -> tuple[Any, int]:
        """The value at this offset and the offset after it. Raises ValueError with a reason for a person."""
        try:
            value, end = self.raw(text, at)
        except json.JSONDecodeError as error:
            if error.msg.startswith("Illegal trailing"):
                raise BrokenJsonError("a comma too many", error.pos) from None
            told = error.msg[0].lower() + error.msg[1:].removesuffix(" at").removesuffix(" starting")
            raise BrokenJsonError(f"not valid JSON: {told}", error.pos) from None
        except RecursionError:
            raise BrokenJsonError("nested too deep", at) from None
        except ValueError as error:
            digits = "exceeds the limit" in str(error).lower()
            raise BrokenJsonError("a number with thousands of digits" if digits else str(error), at) from None
        if text.count("[", at, end) + text.count("{", at, end) > DEPTH and measure_nesting(text, at, end) > DEPTH:
            raise BrokenJsonError("nested too deep", at)
        return value, end


class BrokenJsonError(ValueError):
    """What is wrong with the JSON, and the offset where it shows."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


def measure_nesting(text: str, start: int, end: int) -> int:
    """How deep the brackets nest between two offsets, strings left out."""
    level = deepest = 0
    for match in _BRACKET.finditer(text, start, end):
        char = match.group()
        if char in "[{":
            level += 1
            deepest = max(deepest, level)
        elif char in "]}":
            level -= 1
    return deepest


def shorten_member_name(name: str) -> str:
    """A name as a reason quotes it: short, and without what no file could hold."""
    return name[:40].encode("utf-8", "replace").decode()


class JsonReader:
    """A cursor over one JSON text. Faults go to `problems`; nothing is raised for what stands in the file."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.pos = 0
        self.problems: list[Problem] = []
        self._decoder = Decoder()
        self._line = 1
        self._counted = 0
        self._torn = False
        self._skip_space()

    def line(self, at: int) -> int:
        """The line of an offset; cheap as long as offsets grow."""
        if at < self._counted:
            return self.text.count("\n", 0, at) + 1
        self._line += self.text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        return self.text[self.pos : self.pos + 1]

    def fault(self, reason: str, at: int) -> None:
        """Note what is wrong; after too many faults the rest of the file is given up."""
        if len(self.problems) < MOST_FAULTS:
            self.problems.append(Problem(self.path, self.line(min(at, len(self.text))), reason))
        else:
            self.problems.append(Problem(self.path, self.line(at), "too many faults: the rest was not read"))
            self.pos = len(self.text)

    def value(self) -> JsonItem | None:
        """The value under the cursor, whole; None (and a problem) where it cannot be read. The cursor goes past it."""
        at = self.pos
        start = self.line(at)
        try:
            value, self.pos = self._decoder.decode(self.text, at)
        except BrokenJsonError as fault:
            return self._skip_broken_value(at, start, fault)
        end = start + self.text.count("\n", at, self.pos)
        if self._decoder.twice:
            names = ", ".join(f"“{shorten_member_name(key)}”" for key in dict.fromkeys(self._decoder.twice))
            self._decoder.twice.clear()
            self.fault(f"{names} stands twice in one object: the last one is shown", at)
        return JsonItem(value, start, end)

    def _skip_broken_value(self, at: int, start: int, fault: BrokenJsonError) -> JsonItem | None:
        self._decoder.twice.clear()
        if "control character" in fault.reason:
            # A line break typed into a string: wrong, but no reason to hide the memory.
            try:
                value, end = Decoder(strict=False).decode(self.text, at)
            except BrokenJsonError:
                pass
            else:
                self.fault("a line break or control character inside a text", fault.at)
                self.pos = end
                return JsonItem(value, start, start + self.text.count("\n", at, end))
        after = self._find_value_end(at)
        if after < 0:
            self.fault(f"{fault.reason}; the file seems to be cut off here", fault.at)
            self._torn = True
            self.pos = len(self.text)
            return None
        self.pos = after
        mended = _TRAILING.sub(lambda match: match.group(1) or "", self.text[at:after])
        if len(mended) < after - at:
            try:
                value, _ = self._decoder.decode(mended, 0)
            except BrokenJsonError:
                pass
            else:
                self.fault("a comma too many", fault.at)
                return JsonItem(value, start, start + self.text.count("\n", at, after))
        self.fault(fault.reason, fault.at)
        return None

    def _find_value_end(self, at: int) -> int:
        """The offset after a value that could not be decoded, by its brackets; -1: it never ends."""
        if self.text[at : at + 1] not in {"{", "[", '"'}:
            found = _NUMBER.match(self.text, at)
            return found.end() if found and found.end() > at else -1
        open_: list[str] = []
        for match in _BRACKET.finditer(self.text, at):
            char = match.group()
            if char in _CLOSES:
                open_.append(_CLOSES[char])
            elif char in "]}" and (not open_ or open_.pop() != char):
                # Left open, and what encloses it ends here.
                return match.start()
            if not open_:
                return match.end()
        return -1

    def items(self) -> Iterator[JsonItem]:
        """The values of the array under the cursor; the cursor ends up past it."""
        self._step()
        while self._has_element("]"):
            item = self.value()
            if item is not None:
                yield item
            if not self._step_over_comma("]"):
                return

    def members(self) -> Iterator[str]:
        """The keys of the object under the cursor, each with the cursor on its value, to be read or left alone."""
        self._step()
        seen: set[str] = set()
        while self._has_element("}"):
            try:
                key, self.pos = scanstring(self.text, self.pos + 1, False)
            except ValueError:
                self.fault("a name that never ends", self.pos)
                self.pos = len(self.text)
                return
            self._skip_space()
            if self.peek() != ":":
                self.fault(f"no ':' after “{shorten_member_name(key)}”", self.pos)
                self.pos = len(self.text)
                return
            self._step()
            if key in seen:
                self.fault(f"“{shorten_member_name(key)}” stands twice: both are shown", self.pos)
            seen.add(key)
            at = self.pos
            yield key
            if self.pos == at:
                self.value()
            if not self._step_over_comma("}"):
                return

    def end(self) -> None:
        """Note whatever stands after the document."""
        self._skip_space()
        tail = self.text[self.pos :]
        if tail and not tail.strip("\0 \t\r\n"):
            self.fault(f"{tail.count(chr(0))} NUL bytes after the end", self.pos)
        elif tail:
            self.fault("more text after the end of the JSON: not read", self.pos)

    def _skip_space(self) -> None:
        found = _SPACE.match(self.text, self.pos)
        if found:
            self.pos = found.end()

    def _step(self) -> None:
        self.pos += 1
        self._skip_space()

    def _has_element(self, close: str) -> bool:
        """Whether another element begins at the cursor; steps over the closing bracket."""
        while self.peek() == ",":
            self.fault("a comma too many", self.pos)
            self._step()
        char = self.peek()
        if char == close:
            self._step()
            return False
        if not char:
            if not self._torn:
                self.fault("the file ends in the middle", self.pos)
                self._torn = True
            return False
        if close == "}" and char != '"':
            self.fault("no name in quotes where one should begin", self.pos)
            self.pos = len(self.text)
            return False
        return True

    def _step_over_comma(self, close: str) -> bool:
        """Step over what stands between two elements; False at the end."""
        self._skip_space()
        char = self.peek()
        if char == ",":
            self._step()
            if self.peek() == close:
                self.fault("a comma too many", self.pos)
            return True
        if char and char != close:
            if char in "]}:":
                self.fault(f"a '{char}' that does not belong here", self.pos)
                self.pos = len(self.text)
                return False
            self.fault("a comma is missing", self.pos)
        return bool(char) or not self._torn


_ESCAPED = compile_pattern(rb"(?<!\\)(?:\\\\)*+\\u(?!00[0-7])[0-9a-fA-F]{4}")
_RAW = json.JSONDecoder(strict=False).raw_decode


class Gone:
    """Stands for the value of a member that goes."""


class JsonSpot(NamedTuple):
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
        self.top = self._skip_space(start)
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

    def decoded(self, spot: JsonSpot) -> Any:
        """The value that stands there."""
        return json.loads(self.data[spot.start : spot.end], strict=False)

    def kind(self, spot: JsonSpot) -> str:
        """Its first character: '{', '[', '"' or another."""
        return self.image[spot.start]

    def line(self, at: int) -> int:
        """The line of an offset, counted from 1; cheap as long as offsets grow."""
        before, line = self._counted if at >= self._counted[0] else (0, 1)
        self._counted = at, line + self.data.count(b"\n", before, at)
        return self._counted[1]

    def items(self, at: int) -> list[JsonSpot]:
        """The items of the array that begins at this offset."""
        return list(self._iterate_items(at))

    def _iterate_items(self, at: int) -> Iterator[JsonSpot]:
        at = self._skip_space(at + 1)
        while self.image[at] != "]":
            end = _RAW(self.image, at)[1]
            yield JsonSpot(at, end)
            at = self._find_next_start(end)

    def members(self, at: int) -> list[JsonSpot]:
        """The members of the object that begins at this offset, twice named ones twice."""
        return list(self._iterate_object_members(at))

    def _iterate_object_members(self, at: int) -> Iterator[JsonSpot]:
        at = self._skip_space(at + 1)
        while self.image[at] != "}":
            after = scanstring(self.image, at + 1, False)[1]
            name = json.loads(self.data[at:after], strict=False)
            start = self._skip_space(self._skip_space(after) + 1)
            end = _RAW(self.image, start)[1]
            yield JsonSpot(start, end, name, at)
            at = self._find_next_start(end)

    def _find_next_start(self, end: int) -> int:
        at = self._skip_space(end)
        return self._skip_space(at + 1) if self.image[at] == "," else at

    def _skip_space(self, at: int) -> int:
        found = _SPACE.match(self.image, at)
        return found.end() if found else at

    def elements(self, spot: JsonSpot) -> list[JsonSpot]:
        """The items of the array, or the members of the object, that stands there."""
        return self.items(spot.start) if self.kind(spot) == "[" else self.members(spot.start)

    # -- writing ------------------------------------------------------------------------------------------------

    def text(self, value: Any, style: Style | None = None) -> bytes:
        """A value as this document writes values."""
        return encode_json(value, ascii=self.ascii, separators=style.separators if style else None)

    @property
    def plain(self) -> Style:
        """How an object is written where nothing shows another way: two spaces a level, the file's line ends."""
        end = b"\r\n" if b"\r\n" in self.data else b"\n"
        return Style(end + b"  ", b"," + end + b"  ", b": ", end)

    def style(self, spot: JsonSpot, members: Sequence[JsonSpot]) -> Style:
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

    def changed(self, spot: JsonSpot, changes: Mapping[str, Any], after: str = "") -> tuple[Piece, ...]:
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
        staying: dict[str, JsonSpot] = {}
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

    def without(self, siblings: Sequence[JsonSpot], number: int) -> tuple[Piece, ...]:
        """The piece that takes one element out of an array or an object."""
        if len(siblings) > 1:
            return (_cut(siblings, number, number > 0),)
        only = siblings[0]
        before = len(self.image[: only.first].rstrip(" \t\r\n"))
        return (Piece(before, self._skip_space(only.end), b""),)


def _cut(siblings: Sequence[JsonSpot], number: int, kept: bool) -> Piece:
    """An element and the comma on the side where another one stays."""
    if kept:
        return Piece(siblings[number - 1].end, siblings[number].end, b"")
    return Piece(siblings[number].first, siblings[number + 1].first, b"")


def encode_json(value: Any, *, ascii: bool = False, separators: tuple[str, str] | None = None) -> bytes:
    """JSON that every reader takes: no NaN, no line separators, no half characters."""
    try:
        text = json.dumps(value, ensure_ascii=ascii, allow_nan=False, separators=separators)
        return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode()
    except UnicodeEncodeError:
        raise RefusedError(_("the text holds half of a character, which no file can keep")) from None
    except ValueError:
        raise RefusedError(_("a number that is none cannot be written as JSON")) from None
