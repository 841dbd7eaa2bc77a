"""Shapes that no table of names describes: one function each, asked about every node of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.agents.avoid.trees import Node, below, dotted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MUTATING = {"append", "extend", "insert", "add", "update", "setdefault", "pop", "remove", "discard", "clear"}
_MUTATING |= {"popitem", "appendleft", "sort", "reverse"}


def _bare_except(node: Node, kind: str) -> Iterator[Node]:
    """`except:` that neither raises again nor looks at what was raised."""
    if kind != "ExceptHandler" or node.type is not None:
        return
    for statement in node.body:
        for inner, _within in below(statement):
            if type(inner).__name__ == "Raise" or _looks(inner):
                return
    yield _head(node)


def _looks(node: Node) -> bool:
    if type(node).__name__ != "Call":
        return False
    function = node.func
    name = function.attr if type(function).__name__ == "Attribute" else dotted(function)
    return any(part in name for part in ("exc", "error", "exit", "traceback", "abort"))


def _mutable_default(node: Node, kind: str) -> Iterator[Node]:
    """An empty list, dict or set as a default that the function then changes.

    One that is called a cache is meant so, and so is one of a function inside of another: it is that one's memory.
    """
    for name, default in _defaults(node, kind):
        if "cache" in name or "memo" in name or not _changed(node, name):
            continue
        first = (*node.args.posonlyargs, *node.args.args)[:1]
        if not node.col_offset or (first and first[0].arg in {"self", "cls"}):
            yield default


def _kept_default(node: Node, kind: str) -> Iterator[Node]:
    """A list, dict or set as a default that the object keeps: all objects made without it share one."""
    for name, default in _defaults(node, kind):
        if any(
            type(statement).__name__ == "Assign"
            and dotted(statement.value) == name
            and any(dotted(target).startswith("self.") for target in statement.targets)
            for statement in node.body
        ):
            yield default


def _defaults(node: Node, kind: str) -> Iterator[tuple[str, Node]]:
    """Names and values of the empty defaults of a function that can be changed; what begins with '_' is meant so."""
    if kind not in {"FunctionDef", "AsyncFunctionDef"}:
        return
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    pairs = [*zip(plain[len(plain) - len(given.defaults) :], given.defaults, strict=True)]
    pairs += [(name, value) for name, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value]
    for argument, default in pairs:
        if _mutable(default) and not argument.arg.startswith("_"):
            yield argument.arg, default


def _mutable(node: Node) -> bool:
    kind = type(node).__name__
    if kind == "Call":
        return dotted(node.func) in {"list", "dict", "set", "deque"} and not (node.args or node.keywords)
    return (kind == "List" and not node.elts) or (kind == "Dict" and not node.keys)


def _changed(function: Node, name: str) -> bool:
    """Whether a function changes the object that it got by that name. One that binds the name anew is let be."""
    hit = False
    for statement in function.body:
        for node, _within in below(statement):
            kind = type(node).__name__
            if kind == "Name" and node.id == name and type(node.ctx).__name__ != "Load":
                return False
            if kind == "Call" and dotted(node.func).startswith(name + "."):
                hit = hit or dotted(node.func)[len(name) + 1 :] in _MUTATING
            elif kind == "Subscript" and type(node.ctx).__name__ != "Load":
                hit = hit or dotted(node.value) == name
    return hit


def _none_compare(node: Node, kind: str) -> Iterator[Node]:
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


def _always_true(node: Node, kind: str) -> Iterator[Node]:
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


def _runtime_union(node: Node, kind: str) -> Iterator[Node]:
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
    for inner, _within in below(annotation):
        if type(inner).__name__ == "BinOp" and type(inner.op).__name__ == "BitOr":
            yield inner
            return


def _head(node: Node) -> Node:
    """A node as if it were no longer than its first line: what is said about it is said about that."""
    return _Line(node.lineno)


class _Line:
    def __init__(self, lineno: int) -> None:
        self.lineno = self.end_lineno = lineno


CHECKS: dict[str, Callable[[Node, str], Iterator[Node]]] = {
    "bare-except": _bare_except,
    "mutable-default": _mutable_default,
    "kept-default": _kept_default,
    "none-compare": _none_compare,
    "always-true": _always_true,
    "is-literal": _is_literal,
    "runtime-union": _runtime_union,
}
"""What `python.check` may name."""
