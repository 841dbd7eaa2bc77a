"""Which records of a branching transcript are its main thread: from its last word back to its first (spec 000).

What was rewound hangs on branches that the last word does not come from. Links that are missing are taken for the
record before, so that a broken file loses nothing; compactions keep what they compacted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Node(NamedTuple):
    """One record, as far as threads go."""

    id: str
    above: str | None
    """The id of the record that it answers; empty: of the one before it; None: it begins anew."""
    talk: bool
    """The person's or the agent's, of this session: a thread may end here."""
    message: str
    """One message of a model may be several records."""
    calls: tuple[str, ...]
    results: tuple[str, ...]


def node(record: Mapping[str, Any], talk: bool) -> Node:
    """A record of Claude Code's as a node."""
    above: str | None = _text(record.get("logicalParentUuid")) or _text(record.get("parentUuid"))
    if not above and "parentUuid" in record and record["parentUuid"] is None:
        compacted = record.get("isCompactSummary") or "compact" in _text(record.get("subtype"))
        above = "" if compacted else None
    message = record.get("message")
    message = message if isinstance(message, dict) else {}
    content = message.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    calls = tuple(_text(block.get("id")) for block in blocks if _kind(block).endswith("tool_use"))
    results = tuple(
        _text(block.get("tool_use_id")) for block in blocks if _kind(block).endswith("tool_result")
    )
    return Node(_text(record.get("uuid")), above, talk, _text(message.get("id")), calls, results)


def main(nodes: list[Node]) -> set[int]:
    """The positions of those that are on the main thread."""
    where = {one.id: at for at, one in reversed(list(enumerate(nodes))) if one.id}
    at = next((at for at in range(len(nodes) - 1, -1, -1) if nodes[at].talk and nodes[at].id), -1)
    if at < 0:
        return set(range(len(nodes)))
    found = {number for number in range(len(nodes)) if not nodes[number].id}
    while at >= 0 and at not in found:
        found.add(at)
        above = nodes[at].above
        if above is None:
            break
        # Forwards no thread goes: a link that says so is broken like one to nowhere.
        linked = where.get(above, -1)
        at = linked if 0 <= linked < at else _before(nodes, at)
    return found | _beside(nodes, found)


def _before(nodes: list[Node], at: int) -> int:
    return next((number for number in range(at - 1, -1, -1) if nodes[number].id), -1)


def _beside(nodes: list[Node], found: set[int]) -> set[int]:
    """Calls made at once answer side by side: the rest of a message on the thread, and what its calls returned."""
    messages = {nodes[at].message for at in found} - {""}
    more = {at for at, one in enumerate(nodes) if one.message in messages}
    calls = {call for at in found | more for call in nodes[at].calls} - {""}
    return more | {at for at, one in enumerate(nodes) if one.results and calls.issuperset(one.results)}


def _kind(block: Mapping[str, Any]) -> str:
    return _text(block.get("type"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
