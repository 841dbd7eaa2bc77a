"""Shapes of Python code that a rule can name: `python = { … }`, declared, never run.

    call      names of what is called: "eval", "yaml.load"; ".execute" is a method of that name on anything
      lacks     keywords of which none is given
      most      at most so many positional arguments (where `lacks` could be given by place)
      keyword   { shell = true }: keywords given with just this constant
      text      an expression for the first argument, a constant text
      inside    "async": in the body of an `async def`
    built     true: a text put together with values (f-string, %, +, .format); alone, or as a call's first argument
      before    an expression for what stands in that text right before a value
      text      an expression for the text's own parts
    statement names of nodes: "Match", "TryStar", "TypeAlias", "Assert", "Global", …
    check     one of `CHECKS`

Only the functions around the lines that the rule's pattern found are parsed; without a pattern, all of the file.
What this interpreter cannot parse has no shapes.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from memtui.agents.avoid.checks import CHECKS
from memtui.agents.avoid.trees import Node, around, below, dotted
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LONGEST = 1000
"""Characters of a constant text that an expression sees."""

_KINDS: dict[str, type | tuple[type, ...]] = {
    "call": (str, list),
    "lacks": (str, list),
    "most": int,
    "keyword": dict,
    "text": str,
    "inside": str,
    "built": bool,
    "before": str,
    "statement": (str, list),
    "check": str,
}


def fault(shape: Mapping[str, Any]) -> str:
    """What is wrong with a shape, in a few words; empty: nothing."""
    for key, value in shape.items():
        if key not in _KINDS or not isinstance(value, _KINDS[key]):
            return _("'python.{key}' is nothing that it can have").format(key=str(key)[:40])
    if shape.get("check", "") not in {"", *CHECKS}:
        return _("'python.check' is not one of {choices}").format(choices=", ".join(CHECKS))
    if not {"call", "built", "statement", "check"} & set(shape):
        return _("'python' names no call, built, statement or check")
    return ""


def shaped(
    shape: Mapping[str, Any], text: str, code: str, lines: list[tuple[int, int]] | None, deadline: float
) -> Iterator[tuple[int, int]]:
    """The line (from 0), twice, of every place of that shape; of those on the lines given, where they are given."""
    wanted = None if lines is None else {first for first, _last in lines}
    if wanted is not None and not wanted:
        return
    for tree, offset in around(text, code, wanted):
        local = None if wanted is None else [line + 1 - offset for line in wanted]
        for node, within in below(tree, local):
            if time.monotonic() > deadline:
                return
            for place in _fitting(shape, node, within):
                first = place.lineno - 1 + offset
                last = (place.end_lineno or place.lineno) - 1 + offset
                if wanted is None or any(first <= line <= last for line in wanted):
                    yield first, first


def _fitting(shape: Mapping[str, Any], node: Node, within: str) -> Iterator[Node]:
    kind = type(node).__name__
    if check := shape.get("check"):
        yield from CHECKS[check](node, kind)
    elif names := shape.get("call"):
        if kind == "Call" and _called(shape, node, names, within):
            yield node
    elif shape.get("built"):
        if _built(shape, node):
            yield node
    elif kind in _listed(shape.get("statement")):
        yield node


def _called(shape: Mapping[str, Any], node: Node, names: Any, within: str) -> bool:
    name = dotted(node.func)
    method = "." + node.func.attr if type(node.func).__name__ == "Attribute" else ""
    if not any(wanted == (method if wanted.startswith(".") else name) for wanted in _listed(names)):
        return False
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if set(_listed(shape.get("lacks"))) & set(given) or (shape.get("lacks") and None in given):
        return False
    if len(node.args) > shape.get("most", 1000):
        return False
    for key, value in shape.get("keyword", {}).items():
        constant = getattr(given.get(key), "value", None)
        if type(constant) is not type(value) or constant != value:
            return False
    if shape.get("inside", within) != within:
        return False
    if shape.get("built"):
        return bool(node.args) and _built(shape, node.args[0])
    if "text" in shape:
        first = getattr(node.args[0], "value", None) if node.args else None
        return isinstance(first, str) and re.search(shape["text"], first[:LONGEST]) is not None
    return True


def _built(shape: Mapping[str, Any], node: Node) -> bool:
    """Whether a node is a text with values put into it, and its parts are those meant."""
    parts = _parts(node)
    if len(parts) < 2:
        return False
    if "text" in shape and not re.search(shape["text"], " ".join(parts)[:LONGEST]):
        return False
    return "before" not in shape or any(re.search(shape["before"], part[-LONGEST:]) for part in parts[:-1])


def _parts(node: Node) -> list[str]:
    """What stands between the values of a text that is put together; fewer than two: it is none."""
    kind = type(node).__name__
    if kind == "JoinedStr":
        parts = [""]
        for value in node.values:
            if type(value).__name__ == "Constant":
                parts[-1] += str(value.value)
            else:
                parts.append("")
        return parts
    if kind == "BinOp" and type(node.op).__name__ == "Mod":
        return re.split(r"%(?:\(\w{1,40}\))?[sdr]", _constant(node.left))
    if kind == "BinOp" and type(node.op).__name__ == "Add":
        left, right = _constant(node.left), _constant(node.right)
        if left and type(node.right).__name__ not in {"Constant", "JoinedStr"}:
            return [left, right]
        return []
    if kind == "Call" and type(node.func).__name__ == "Attribute" and node.func.attr == "format":
        return re.split(r"\{\w{0,40}\}", _constant(node.func.value))
    return []


def _constant(node: Node) -> str:
    value = getattr(node, "value", None)
    if isinstance(value, str):
        return value
    # "…" + name + "…" + name: the text is what stands last on the left.
    if type(node).__name__ == "BinOp" and type(node.op).__name__ == "Add":
        return _constant(node.right)
    return ""


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [item for item in value or () if isinstance(item, str)]
