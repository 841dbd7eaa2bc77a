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
    check     one of `CHECKS`: shapes that no table of names describes, one function each

Only the functions around the lines that the rule's pattern found are parsed; without a pattern, all of the
file. What this interpreter cannot parse has no shapes. `ast` itself is not imported, for it is slow; the trees
come from `_ast`.
"""

from __future__ import annotations

import re
import time
import warnings
from _ast import AST
from typing import TYPE_CHECKING, Any

from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.safety.redact import explain_unsafe_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Node = Any
"""A node of `_ast`."""

_ONLY_AST = 0x400
_DEFINITION = compile_pattern(r"[ \t]*(?:async[ \t]+)?def\b")
_GOES_ON = compile_pattern(r"[)\]}]|(?:else|elif|except|finally|case)\b")

DEEPEST = 20_000
"""Nodes waiting to be seen: what holds more was made to be slow."""


def iterate_trees(text: str, code: str, wanted: set[int] | None) -> Iterator[tuple[Node, int]]:
    """Trees that together hold the lines wanted (from 0; None: all), each with what to add to its line numbers.

    A line's tree is its function's, else its top-level statement's. `code` is the text with the insides of its
    strings blanked: a line there is no piece of a string.
    """
    if wanted is None:
        tree = parse_tree(text)
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
        tree = parse_tree(piece)
        if tree is None:
            tree = parse_tree(text)
            if tree is not None:
                yield tree, 0
            return
        done = end
        yield tree, first - 1 if indented else first


def parse_tree(text: str) -> Node | None:
    """The tree; None where this interpreter cannot read it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(text, "<edited>", "exec", _ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None


def _block(lines: list[str], number: int) -> tuple[int, int]:
    """First line, and line after the last, of the function or top-level statement that a line is in."""
    first, depth = number, _measure_depth(lines[number])
    found = _DEFINITION.match(lines[number]) is not None
    while first and not found and (depth or not _may_begin(lines[first])):
        first -= 1
        line = lines[first]
        if line.strip() and _measure_depth(line) < depth:
            depth = _measure_depth(line)
            found = _DEFINITION.match(line) is not None
    depth = _measure_depth(lines[first])
    end = first + 1
    while end < len(lines):
        line = lines[end]
        if (
            line.strip()
            and _measure_depth(line) <= depth
            and not (_measure_depth(line) == depth and _GOES_ON.match(line, depth))
        ):
            break
        end += 1
    return first, end


def _may_begin(line: str) -> bool:
    """Whether a top-level statement may begin on a line."""
    return bool(line.strip()) and not _measure_depth(line) and not _GOES_ON.match(line)


def _measure_depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def iterate_below(tree: Node, lines: Sequence[int] | None = None) -> Iterator[tuple[Node, str]]:
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
        waiting.extend((child, within) for child in iterate_children(node))


def iterate_children(node: Node) -> Iterator[Node]:
    """The nodes right below one."""
    for value in vars(node).values():
        if isinstance(value, list):
            yield from (item for item in value if isinstance(item, AST))
        elif isinstance(value, AST):
            yield value


def format_dotted_name(node: Node) -> str:
    """'a.b.c' for names and attributes of names; empty for anything else."""
    parts: list[str] = []
    while type(node).__name__ == "Attribute":
        parts.append(node.attr)
        node = node.value
    if type(node).__name__ != "Name":
        return ""
    return ".".join([node.id, *reversed(parts)])


_MUTATING = {"append", "extend", "insert", "add", "update", "setdefault", "pop", "remove", "discard", "clear"}
_MUTATING |= {"popitem", "appendleft", "sort", "reverse"}


def _find_bare_except(node: Node, kind: str) -> Iterator[Node]:
    """`except:` that neither raises again nor looks at what was raised."""
    if kind != "ExceptHandler" or node.type is not None:
        return
    for statement in node.body:
        for inner, _within in iterate_below(statement):
            if type(inner).__name__ == "Raise" or _looks_away(inner):
                return
    yield _cut_to_head(node)


def _looks_away(node: Node) -> bool:
    if type(node).__name__ != "Call":
        return False
    function = node.func
    name = function.attr if type(function).__name__ == "Attribute" else format_dotted_name(function)
    return any(part in name for part in ("exc", "error", "exit", "traceback", "abort"))


def _find_mutable_default(node: Node, kind: str) -> Iterator[Node]:
    """An empty list, dict or set as a default that the function then changes.

    One that is called a cache is meant so, and so is one of a function inside of another: it is that one's memory.
    """
    for name, default in _iterate_defaults(node, kind):
        if "cache" in name or "memo" in name or not _is_changed(node, name):
            continue
        first = (*node.args.posonlyargs, *node.args.args)[:1]
        if not node.col_offset or (first and first[0].arg in {"self", "cls"}):
            yield default


def _find_kept_default(node: Node, kind: str) -> Iterator[Node]:
    """A list, dict or set as a default that the object keeps: all objects made without it share one."""
    for name, default in _iterate_defaults(node, kind):
        if any(
            type(statement).__name__ == "Assign"
            and format_dotted_name(statement.value) == name
            and any(format_dotted_name(target).startswith("self.") for target in statement.targets)
            for statement in node.body
        ):
            yield default


def _iterate_defaults(node: Node, kind: str) -> Iterator[tuple[str, Node]]:
    """Names and values of the empty defaults of a function that can be changed; what begins with '_' is meant so."""
    if kind not in {"FunctionDef", "AsyncFunctionDef"}:
        return
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    pairs = [*zip(plain[len(plain) - len(given.defaults) :], given.defaults, strict=True)]
    pairs += [(name, value) for name, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value]
    for argument, default in pairs:
        if _is_mutable(default) and not argument.arg.startswith("_"):
            yield argument.arg, default


def _is_mutable(node: Node) -> bool:
    kind = type(node).__name__
    if kind == "Call":
        return format_dotted_name(node.func) in {"list", "dict", "set", "deque"} and not (node.args or node.keywords)
    return (kind == "List" and not node.elts) or (kind == "Dict" and not node.keys)


def _is_changed(function: Node, name: str) -> bool:
    """Whether a function changes the object that it got by that name. One that binds the name anew is let be."""
    hit = False
    for statement in function.body:
        for node, _within in iterate_below(statement):
            kind = type(node).__name__
            if kind == "Name" and node.id == name and type(node.ctx).__name__ != "Load":
                return False
            if kind == "Call" and format_dotted_name(node.func).startswith(name + "."):
                hit = hit or format_dotted_name(node.func)[len(name) + 1 :] in _MUTATING
            elif kind == "Subscript" and type(node.ctx).__name__ != "Load":
                hit = hit or format_dotted_name(node.value) == name
    return hit


def _find_none_compare(node: Node, kind: str) -> Iterator[Node]:
    """`== None` where a truth is asked for; in a query or a mask of a table it is an expression, and right."""
    if kind not in {"If", "While", "Assert", "IfExp"}:
        return
    waiting = [node.test]
    while waiting:
        test = waiting.pop()
        form = type(test).__name__
        if form == "BoolOp":
            waiting += test.values
        elif form == "UnaryOp":
            waiting.append(test.operand)
        elif form == "Compare" and type(test.ops[0]).__name__ in {"Eq", "NotEq"}:
            other = test.comparators[0]
            if type(other).__name__ == "Constant" and other.value is None:
                yield test


def _find_always_true(node: Node, kind: str) -> Iterator[Node]:
    """`assert (x, "why")`: a tuple is always true."""
    if kind == "Assert" and type(node.test).__name__ == "Tuple" and node.test.elts:
        yield node


def _is_literal(node: Node, kind: str) -> Iterator[Node]:
    """`x is "text"`, `x is 5`: whether two equal values are one object is chance."""
    if kind != "Compare":
        return
    sides = [node.left, *node.comparators]
    for number, operator in enumerate(node.ops):
        if type(operator).__name__ in {"Is", "IsNot"}:
            for side in sides[number : number + 2]:
                value = getattr(side, "value", None) if type(side).__name__ == "Constant" else None
                if isinstance(value, (str, bytes, int, float)) and not isinstance(value, bool):
                    yield node


def _find_runtime_union(node: Node, kind: str) -> Iterator[Node]:
    """`int | None` in an annotation, which a Python before 3.10 runs and fails at."""
    if kind == "arg":
        annotation = node.annotation
    elif kind in {"FunctionDef", "AsyncFunctionDef"}:
        annotation = node.returns
    elif kind == "AnnAssign":
        annotation = node.annotation
    else:
        return
    if annotation is None:
        return
    for inner, _within in iterate_below(annotation):
        if type(inner).__name__ == "BinOp" and type(inner.op).__name__ == "BitOr":
            yield inner
            return


def _cut_to_head(node: Node) -> Node:
    """A node as if it were no longer than its first line: what is said about it is said about that."""
    return _Line(node.lineno)


class _Line:
    def __init__(self, lineno: int) -> None:
        self.lineno = self.end_lineno = lineno


CHECKS: dict[str, Callable[[Node, str], Iterator[Node]]] = {
    "bare-except": _find_bare_except,
    "mutable-default": _find_mutable_default,
    "kept-default": _find_kept_default,
    "none-compare": _find_none_compare,
    "always-true": _find_always_true,
    "is-literal": _is_literal,
    "runtime-union": _find_runtime_union,
}
"""What `python.check` may name."""


LONGEST = 1000
"""Characters of a constant text that an expression sees."""

_KINDS: dict[str, type | tuple[type, ...]] = {
    "call": (str, list), "lacks": (str, list), "most": int, "keyword": dict, "text": str, "inside": str,
    "built": bool, "before": str, "statement": (str, list), "check": str,
}  # fmt: skip


def find_shape_fault(shape: Mapping[str, Any]) -> str:
    """What is wrong with a shape, in a few words; empty: nothing."""
    for key, value in shape.items():
        if key not in _KINDS or not isinstance(value, _KINDS[key]):
            return _("'python.{key}' is nothing that it can have").format(key=str(key)[:40])
    if shape.get("check", "") not in {"", *CHECKS}:
        return _("'python.check' is not one of {choices}").format(choices=", ".join(CHECKS))
    if not {"call", "built", "statement", "check"} & set(shape):
        return _("'python' names no call, built, statement or check")
    return ""


def match_shape(
    shape: Mapping[str, Any], text: str, code: str, lines: list[tuple[int, int]] | None, deadline: float
) -> Iterator[tuple[int, int]]:
    """The line (from 0), twice, of every place of that shape; of those on the lines given, where they are given."""
    wanted = None if lines is None else {first for first, _last in lines}
    if wanted is not None and not wanted:
        return
    for tree, offset in iterate_trees(text, code, wanted):
        local = None if wanted is None else [line + 1 - offset for line in wanted]
        for node, within in iterate_below(tree, local):
            if time.monotonic() > deadline:
                return
            for place in _iterate_fitting(shape, node, within):
                first = place.lineno - 1 + offset
                last = (place.end_lineno or place.lineno) - 1 + offset
                if wanted is None or any(first <= line <= last for line in wanted):
                    yield first, first


def _iterate_fitting(shape: Mapping[str, Any], node: Node, within: str) -> Iterator[Node]:
    kind = type(node).__name__
    if check := shape.get("check"):
        yield from CHECKS[check](node, kind)
    elif names := shape.get("call"):
        if kind == "Call" and _is_called(shape, node, names, within):
            yield node
    elif shape.get("built"):
        if _is_built(shape, node):
            yield node
    elif kind in _list_texts(shape.get("statement")):
        yield node


def _is_called(shape: Mapping[str, Any], node: Node, names: Any, within: str) -> bool:
    name = format_dotted_name(node.func)
    method = "." + node.func.attr if type(node.func).__name__ == "Attribute" else ""
    if not any(wanted == (method if wanted.startswith(".") else name) for wanted in _list_texts(names)):
        return False
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if set(_list_texts(shape.get("lacks"))) & set(given) or (shape.get("lacks") and None in given):
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
        return bool(node.args) and _is_built(shape, node.args[0])
    if "text" in shape:
        first = getattr(node.args[0], "value", None) if node.args else None
        return isinstance(first, str) and re.search(shape["text"], first[:LONGEST]) is not None
    return True


def _is_built(shape: Mapping[str, Any], node: Node) -> bool:
    """Whether a node is a text with values put into it, and its parts are those meant."""
    parts = _list_text_parts(node)
    if len(parts) < 2:
        return False
    if "text" in shape and not re.search(shape["text"], " ".join(parts)[:LONGEST]):
        return False
    return "before" not in shape or any(re.search(shape["before"], part[-LONGEST:]) for part in parts[:-1])


def _list_text_parts(node: Node) -> list[str]:
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
        return re.split(r"%(?:\(\w{1,40}\))?[sdr]", _read_constant(node.left))
    if kind == "BinOp" and type(node.op).__name__ == "Add":
        left, right = _read_constant(node.left), _read_constant(node.right)
        if left and type(node.right).__name__ not in {"Constant", "JoinedStr"}:
            return [left, right]
        return []
    if kind == "Call" and type(node.func).__name__ == "Attribute" and node.func.attr == "format":
        return re.split(r"\{\w{0,40}\}", _read_constant(node.func.value))
    return []


def _read_constant(node: Node) -> str:
    value = getattr(node, "value", None)
    if isinstance(value, str):
        return value
    # "…" + name + "…" + name: the text is what stands last on the left.
    if type(node).__name__ == "BinOp" and type(node.op).__name__ == "Add":
        return _read_constant(node.right)
    return ""


def _list_texts(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else [item for item in value or () if isinstance(item, str)]


def find_pattern_fault(pattern: str, ways: int) -> str:
    """Why a regular expression cannot be used; empty: it can."""
    return explain_unsafe_pattern(pattern, ways)
