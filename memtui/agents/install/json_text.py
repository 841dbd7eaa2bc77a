"""JSON changed as text: one value put in, replaced or taken out, every other byte where it was.

Only strict JSON: with comments, a trailing comma or the same key twice nobody knows what a program that reads the
file makes of it, and it is left alone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPACE = re.compile(r"[ \t\r\n]*")
_PLAIN = re.compile(r"[^\s,\]}]+")
_STRING = json.JSONDecoder()
SHORT = 72
"""Characters of a value that stands in one line."""
BOM = b"\xef\xbb\xbf"


class Node(NamedTuple):
    """A value and where it stands; `members` of an object or a list, in order."""

    start: int
    end: int
    members: tuple[Member, ...] = ()


class Member(NamedTuple):
    """One member: its key ('' in a list), where it begins, its value."""

    key: str
    start: int
    node: Node


def decoded(data: bytes, name: str) -> tuple[str, Any]:
    """The text without its mark of order, and what it says. Raises RefusedError for what is no strict JSON."""
    try:
        text = data.removeprefix(BOM).decode("utf-8")
        return text, json.loads(text, object_pairs_hook=_once, parse_constant=_number)
    except (ValueError, RecursionError) as error:
        reason = (
            _("it has comments") if b"//" in data or b"/*" in data else str(error) or _("it nests too deep")
        )
        raise RefusedError(
            _(
                "{path} is not plain JSON ({reason}), so it was left alone. `--print` shows what belongs in it."
            ).format(path=name, reason=reason)
        ) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [key for key, _value in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(_("the key '{key}' stands there twice").format(key=twice))
    return found


def _number(name: str) -> Any:
    raise ValueError(_("{name} is no number").format(name=name))


def inserted(text: str, trail: Sequence[str | int], key: str, value: Any) -> str:
    """The text with one member more, the last, in the object or list at the trail; `key` is for an object."""
    nodes = _way(text, trail)
    node = nodes[-1]
    end = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text)
    last = node.members[-1] if node.members else None
    spread = "\n" in text[node.start : last.start] if last else "\n" in text or len(text.strip()) < 3
    if not spread:
        body = _named(text, node, key) + json.dumps(value, ensure_ascii=False)
        at = last.node.end if last else node.start + 1
        return text[:at] + (", " if last else "") + body + text[at if last else node.end - 1 :]
    own = _margin(text, node.start)
    margin = _margin(text, last.start) if last else own + unit
    body = (_named(text, node, key) + shown(value, unit)).replace("\n", end + margin)
    if last:
        return f"{text[: last.node.end]},{end}{margin}{body}{text[last.node.end :]}"
    return f"{text[: node.start + 1]}{end}{margin}{body}{end}{own}{text[node.end - 1 :]}"


def replaced(text: str, trail: Sequence[str | int], value: Any) -> str:
    """The text with another value at the trail."""
    node = _way(text, trail)[-1]
    spread = "\n" in text[node.start : node.end]
    body = shown(value, _unit(text)) if spread else json.dumps(value, ensure_ascii=False)
    end = "\r\n" if "\r\n" in text else "\n"
    return text[: node.start] + body.replace("\n", end + _margin(text, node.start)) + text[node.end :]


def removed(text: str, trail: Sequence[str | int]) -> str:
    """The text without the member at the trail, and without the comma that went with it."""
    *above, last = trail
    node = _way(text, above)[-1]
    index = _index(node, last)
    members = node.members
    if len(members) == 1:
        return text[: node.start + 1] + text[node.end - 1 :]
    if index:
        return text[: members[index - 1].node.end] + text[members[index].node.end :]
    return text[: members[0].start] + text[members[1].start :]


def whole(value: Any) -> bytes:
    """A file of its own."""
    return (shown(value, "  ") + "\n").encode()


def shown(value: Any, unit: str) -> str:
    """The value in lines, what is short or a list of plain values in one: a person reads the difference."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or len(line) <= SHORT:
        return line
    items = list(value.values()) if isinstance(value, dict) else value
    if isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in items):
        return line
    heads = (
        [f"{json.dumps(key, ensure_ascii=False)}: " for key in value]
        if isinstance(value, dict)
        else [""] * len(items)
    )
    body = ",\n".join(head + shown(item, unit) for head, item in zip(heads, items, strict=True))
    body = f"\n{body}".replace("\n", f"\n{unit}")
    return f"{line[0]}{body}\n{line[-1]}"


def _way(text: str, trail: Sequence[str | int]) -> list[Node]:
    nodes = [_node(text, _skip(text, 0))]
    for step in trail:
        nodes.append(nodes[-1].members[_index(nodes[-1], step)].node)
    return nodes


def _index(node: Node, step: str | int) -> int:
    if isinstance(step, int):
        return step
    return next(index for index, member in enumerate(node.members) if member.key == step)


def _node(text: str, at: int) -> Node:
    start = at
    if text[at] not in "{[":
        if text[at] == '"':
            return Node(at, _STRING.raw_decode(text, at)[1])
        found = _PLAIN.match(text, at)
        return Node(at, found.end() if found else at)
    members = []
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        begins, key = at, ""
        if text[start] == "{":
            key, at = _STRING.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        node = _node(text, at)
        members.append(Member(key, begins, node))
        at = _skip(text, node.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return Node(start, at + 1, tuple(members))


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _named(text: str, node: Node, key: str) -> str:
    return f"{json.dumps(key, ensure_ascii=False)}: " if text[node.start] == "{" else ""


def _margin(text: str, at: int) -> str:
    """The white space that the line of a place begins with."""
    begins = text.rfind("\n", 0, at) + 1
    found = re.compile(r"[ \t]*").match(text, begins)
    return found.group() if found else ""


def _unit(text: str) -> str:
    """What one step of indentation is here: as the first member of all has it."""
    root = _node(text, _skip(text, 0))
    margin = _margin(text, root.members[0].start) if root.members else ""
    return margin or "  "
