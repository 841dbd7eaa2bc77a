"""The `---` blocks at the head of Markdown files, read leniently into fields.

Our own small reader: what agents write is only nearly YAML (descriptions with ': ', trailing spaces after
'metadata:', quotes that never close). There are no aliases, anchors or tags, every scalar is text, and depth and
size are limited (reliability §2.10). Lists and mappings nest by indentation; '[a, b]' is a list, '{a: b}' a mapping.
"""

from __future__ import annotations

from memtui.pattern import pattern
from memtui.record import Any, NamedTuple

LINES = 1000
"""Most lines of one block; longer ones are body."""

SIZE = 64 * 1024
"""Most characters of one block."""

_PART = pattern(r"(?:\"[^\"]*\"|'[^']*'|\[[^\]]*\]|[^,])+")
_DEPTH = 16
_KNOWN = frozenset({
    "name", "title", "description", "type", "kind", "keywords", "tags", "rollout_summary_files", "metadata", "created",
    "updated", "modified", "date", "status", "session", "session_id", "sessionid", "originsessionid", "node_type",
})  # fmt: skip


class _Line(NamedTuple):
    indent: int
    text: str


def closing(lines: list[str], start: int) -> int:
    """The index of the '---' (or '...') that ends the block opened at `start`; -1: this is no frontmatter.

    At a file's head one field is enough. Further down every line must look like one and a name must be known,
    so that text between two thematic breaks is not taken for fields.
    """
    size, known = 0, start == 0
    seen = False
    for index in range(start + 1, min(len(lines), start + 1 + LINES)):
        raw = lines[index]
        text = raw.strip()
        size += len(raw)
        if size > SIZE or (not text and not seen and start):
            return -1
        if text in {"---", "..."} and raw[0] in "-.":
            return index if seen and known else -1
        if not text or (raw[0] in " \t" and seen) or (seen and text[0] == "-" and text[1:2] in {"", " "}):
            continue
        key = _key(text)
        if not key and (start or not seen or text[0] == "#"):
            return -1
        seen = True
        known = known or key.lower() in _KNOWN
    return -1


def fields(lines: list[str]) -> dict[str, Any]:
    """The lines between the markers as names and values: text, lists, nested mappings. Never raises."""
    rows = [
        _Line(len(raw) - len(raw.lstrip()), raw.rstrip())
        for raw in (line.replace("\t", "  ") for line in lines)
    ]
    value, _ = _mapping(rows, 0, 0, 0)
    return value


def words(value: Any) -> tuple[str, ...]:
    """A value as separate words: a list's items, or text cut at commas."""
    if isinstance(value, list):
        items = [str(item) for item in value if isinstance(item, str)]
    elif isinstance(value, str):
        items = value.strip("[]").replace("，", ",").replace("、", ",").split(",")
    else:
        return ()
    return tuple(dict.fromkeys(word for word in (item.strip().strip("\"'#") for item in items) if word))


def _key(text: str) -> str:
    """The name before the colon, where a line is 'name: value' or 'name:'; else empty."""
    name, colon, rest = text.partition(":")
    if not colon or (rest and rest[0] not in " \t"):
        return ""
    name = name.strip().strip("\"'")
    plain = name.replace("_", "a").replace("-", "a").replace(" ", "a").replace(".", "a")
    return name if 0 < len(name) <= 64 and plain.isalnum() and name[0] not in "-." else ""


def _blank(row: _Line) -> bool:
    return not row.text.strip()


def _mapping(rows: list[_Line], index: int, indent: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while index < len(rows):
        row = rows[index]
        text = row.text.strip()
        if not text or text[0] == "#":
            index += 1
            continue
        if row.indent < indent:
            break
        key = _key(text)
        if not key:
            # A line that belongs to nothing is kept with the value before it, as folded YAML would have it.
            if found and isinstance(found[last := next(reversed(found))], str):
                found[last] = f"{found[last]} {text}".strip()
            index += 1
            continue
        value, index = _value(rows, index, text.partition(":")[2].strip(), row.indent, depth)
        found[key] = value
    return found, index


def _value(rows: list[_Line], index: int, rest: str, indent: int, depth: int) -> tuple[Any, int]:
    """What stands behind 'name:' in row `index`, and the row to go on with."""
    if rest[:1] in {"|", ">"} and len(rest) <= 3:
        return _scalar_block(rows, index + 1, indent, rest[0] == ">")
    if rest:
        return scalar(rest), index + 1
    below = index + 1
    while below < len(rows) and _blank(rows[below]):
        below += 1
    if below >= len(rows) or depth >= _DEPTH:
        return "", index + 1
    row = rows[below]
    text = row.text.strip()
    if text[0] == "-" and text[1:2] in {"", " "} and row.indent >= indent:
        return _list(rows, below, row.indent)
    if row.indent <= indent:
        return "", index + 1
    if _key(text):
        return _mapping(rows, below, row.indent, depth + 1)
    return _scalar_block(rows, below, indent, True)


def _list(rows: list[_Line], index: int, indent: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    while index < len(rows):
        row = rows[index]
        text = row.text.strip()
        if text:
            if row.indent < indent or (row.indent == indent and text[0] != "-"):
                break
            if row.indent == indent:
                items.append(scalar(text[1:].strip()))
            elif items:
                items[-1] = f"{items[-1]} {text}".strip()
        index += 1
    return items, index


def _scalar_block(rows: list[_Line], index: int, indent: int, folded: bool) -> tuple[str, int]:
    kept: list[str] = []
    while index < len(rows) and (_blank(rows[index]) or rows[index].indent > indent):
        kept.append(rows[index].text.strip() if folded else rows[index].text[indent:].strip())
        index += 1
    return (" " if folded else "\n").join(kept).strip(), index


def scalar(text: str) -> Any:
    """One value: quotes off, '[a, b]' a list, '{a: b}' a mapping, a trailing ' # comment' dropped; all else stays."""
    if text[0:1] in {'"', "'"}:
        quote = text[0]
        end = text.rfind(quote)
        if end > 0:
            inner = text[1:end]
            if quote == '"':
                inner = inner.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
            return inner.replace("''", "'") if quote == "'" else inner
        return text[1:]
    if text.startswith("[") and text.endswith("]") and not text.startswith("[["):
        return [item.strip().strip("\"'") for item in _PART.findall(text[1:-1]) if item.strip()]
    if text.startswith("{") and text.endswith("}"):
        pairs = [part.partition(":") for part in _PART.findall(text[1:-1]) if part.strip()]
        # One level is what people write on a line.
        if all(colon and value.strip()[:1] != "{" for _, colon, value in pairs):
            return {name.strip().strip("\"'"): scalar(value.strip()) for name, _, value in pairs}
    cut = text.find(" #")
    if cut > 0 and text[cut + 2 : cut + 3] in {"", " "}:
        text = text[:cut].rstrip()
    return "" if text in {"~", "null"} else text
