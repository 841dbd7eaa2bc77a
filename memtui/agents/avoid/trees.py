"""Python's own syntax tree, of no more of a file than a rule asks about. `ast` itself is not imported: it is dear."""

from __future__ import annotations

import re
import warnings
from _ast import AST
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Node = Any
"""A node of `_ast`."""

_ONLY_AST = 0x400
_DEFINITION = re.compile(r"[ \t]*(?:async[ \t]+)?def\b")
_GOES_ON = re.compile(r"[)\]}]|(?:else|elif|except|finally|case)\b")

DEEPEST = 20_000
"""Nodes waiting to be seen: what holds more was made to be slow."""


def around(text: str, code: str, wanted: set[int] | None) -> Iterator[tuple[Node, int]]:
    """Trees that together hold the lines wanted (from 0; None: all), each with what to add to its line numbers.

    A line's tree is its function's, else its top-level statement's. `code` is the text with the insides of its
    strings blanked: a line there is no piece of a string.
    """
    if wanted is None:
        tree = parsed(text)
        if tree is not None:
            yield tree, 0
        return
    lines, blanked = text.split("\n"), code.split("\n")
    done = -1
    for number in sorted(wanted):
        if number < done or number >= len(lines):
            continue
        first, end = _block(blanked, number)
        indented = lines[first][:1] in {" ", "\t"}
        piece = "\n".join((["if 1:"] if indented else []) + lines[first:end])
        tree = parsed(piece)
        if tree is None:
            tree = parsed(text)
            if tree is not None:
                yield tree, 0
            return
        done = end
        yield tree, first - 1 if indented else first


def parsed(text: str) -> Node | None:
    """The tree; None where this interpreter cannot read it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(text, "<edited>", "exec", _ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _block(lines: list[str], number: int) -> tuple[int, int]:
    """First line, and line after the last, of the function or top-level statement that a line is in."""
    first, depth = number, _depth(lines[number])
    found = _DEFINITION.match(lines[number]) is not None
    while first and not found and (depth or not _begins(lines[first])):
        first -= 1
        line = lines[first]
        if line.strip() and _depth(line) < depth:
            depth = _depth(line)
            found = _DEFINITION.match(line) is not None
    depth = _depth(lines[first])
    end = first + 1
    while end < len(lines):
        line = lines[end]
        if (
            line.strip()
            and _depth(line) <= depth
            and not (_depth(line) == depth and _GOES_ON.match(line, depth))
        ):
            break
        end += 1
    return first, end


def _begins(line: str) -> bool:
    """Whether a top-level statement may begin on a line."""
    return bool(line.strip()) and not _depth(line) and not _GOES_ON.match(line)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def below(tree: Node, lines: Sequence[int] | None = None) -> Iterator[tuple[Node, str]]:
    """Every node that has a line, each with "async" or "" for the function that its code runs in.

    `lines`: only those that hold one of these, counted as the tree does.
    """
    waiting: list[tuple[Node, str]] = [(tree, "")]
    while waiting and len(waiting) < DEEPEST:
        node, within = waiting.pop()
        if hasattr(node, "lineno"):
            if lines is not None and not any(node.lineno <= line <= node.end_lineno for line in lines):
                continue
            yield node, within
        kind = type(node).__name__
        if kind in {"FunctionDef", "Lambda"}:
            within = ""
        elif kind == "AsyncFunctionDef":
            within = "async"
        waiting.extend((child, within) for child in children(node))


def children(node: Node) -> Iterator[Node]:
    """The nodes right below one."""
    for value in vars(node).values():
        if isinstance(value, list):
            yield from (item for item in value if isinstance(item, AST))
        elif isinstance(value, AST):
            yield value


def dotted(node: Node) -> str:
    """'a.b.c' for names and attributes of names; empty for anything else."""
    parts: list[str] = []
    while type(node).__name__ == "Attribute":
        parts.append(node.attr)
        node = node.value
    if type(node).__name__ != "Name":
        return ""
    return ".".join([node.id, *reversed(parts)])
