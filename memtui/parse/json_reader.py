"""JSON with line numbers, item by item: what stands before and after a fault is still read.

`json.loads` gives all or nothing and no positions. This walks the outer one or two levels itself and lets the C
decoder take each item whole, so that every fact knows its first and last line (reliability §2.10).
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]

from memtui.model import Problem
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

DEPTH = 100
"""Deepest nesting of one record that is taken: deeper ones break whoever walks them next."""

MOST_FAULTS = 200
"""After so many faults a file is given up: it is no JSON that somebody wrote."""

_SPACE = pattern(r"[ \t\r\n]*+")
_BRACKET = pattern(r'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)
_CLOSES = {"{": "}", "[": "]"}
_NUMBER = pattern(r"[-+.\w]*+")
_TRAILING = pattern(r'("(?:[^"\\]|\\.)*+")|,(?=[ \t\r\n]*+[}\]])', re.DOTALL)


class Item(NamedTuple):
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
            object_pairs_hook=self._object, parse_constant=_refuse, strict=strict
        ).raw_decode

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
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
        if text.count("[", at, end) + text.count("{", at, end) > DEPTH and depth(text, at, end) > DEPTH:
            raise BrokenJsonError("nested too deep", at)
        return value, end


class BrokenJsonError(ValueError):
    """What is wrong with the JSON, and the offset where it shows."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


def depth(text: str, start: int, end: int) -> int:
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


def shown(name: str) -> str:
    """A name as a reason quotes it: short, and without what no file could hold."""
    return name[:40].encode("utf-8", "replace").decode()


class Reader:
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
        self._space()

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

    def value(self) -> Item | None:
        """The value under the cursor, whole; None (and a problem) where it cannot be read. The cursor goes past it."""
        at = self.pos
        start = self.line(at)
        try:
            value, self.pos = self._decoder.decode(self.text, at)
        except BrokenJsonError as fault:
            return self._broken(at, start, fault)
        end = start + self.text.count("\n", at, self.pos)
        if self._decoder.twice:
            names = ", ".join(f"“{shown(key)}”" for key in dict.fromkeys(self._decoder.twice))
            self._decoder.twice.clear()
            self.fault(f"{names} stands twice in one object: the last one is shown", at)
        return Item(value, start, end)

    def _broken(self, at: int, start: int, fault: BrokenJsonError) -> Item | None:
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
                return Item(value, start, start + self.text.count("\n", at, end))
        after = self._after(at)
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
                return Item(value, start, start + self.text.count("\n", at, after))
        self.fault(fault.reason, fault.at)
        return None

    def _after(self, at: int) -> int:
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

    def items(self) -> Iterator[Item]:
        """The values of the array under the cursor; the cursor ends up past it."""
        self._step()
        while self._more("]"):
            item = self.value()
            if item is not None:
                yield item
            if not self._comma("]"):
                return

    def members(self) -> Iterator[str]:
        """The keys of the object under the cursor, each with the cursor on its value, to be read or left alone."""
        self._step()
        seen: set[str] = set()
        while self._more("}"):
            try:
                key, self.pos = scanstring(self.text, self.pos + 1, False)
            except ValueError:
                self.fault("a name that never ends", self.pos)
                self.pos = len(self.text)
                return
            self._space()
            if self.peek() != ":":
                self.fault(f"no ':' after “{shown(key)}”", self.pos)
                self.pos = len(self.text)
                return
            self._step()
            if key in seen:
                self.fault(f"“{shown(key)}” stands twice: both are shown", self.pos)
            seen.add(key)
            at = self.pos
            yield key
            if self.pos == at:
                self.value()
            if not self._comma("}"):
                return

    def end(self) -> None:
        """Note whatever stands after the document."""
        self._space()
        tail = self.text[self.pos :]
        if tail and not tail.strip("\0 \t\r\n"):
            self.fault(f"{tail.count(chr(0))} NUL bytes after the end", self.pos)
        elif tail:
            self.fault("more text after the end of the JSON: not read", self.pos)

    def _space(self) -> None:
        found = _SPACE.match(self.text, self.pos)
        if found:
            self.pos = found.end()

    def _step(self) -> None:
        self.pos += 1
        self._space()

    def _more(self, close: str) -> bool:
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

    def _comma(self, close: str) -> bool:
        """Step over what stands between two elements; False at the end."""
        self._space()
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
