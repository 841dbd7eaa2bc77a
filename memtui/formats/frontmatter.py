"""The `---` blocks at the head of Markdown files, read leniently, and their values as the fields of an entry.

Agents write what is only nearly YAML (descriptions with ': ', trailing spaces after 'metadata:', quotes that
never close), so this is a small reader of our own: no aliases, anchors or tags, every scalar is text, depth and
size are limited (reliability §2.10). Lists and mappings nest by indentation; '[a, b]' is a list, '{a: b}' a
mapping. The second part maps names to fields, hands them on to the entries below (`apply_template`), and reads
the state that plans, tickets and records tell of themselves.
"""

from __future__ import annotations

from memtui.core import clock
from memtui.core.model import ASIDE, Entry, Level, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.formats.dates import extend_to_day_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LINES = 1000
"""Most lines of one block; longer ones are body."""

SIZE = 64 * 1024
"""Most characters of one block."""

_PART = compile_pattern(r"(?:\"[^\"]*\"|'[^']*'|\[[^\]]*\]|[^,])+")
_DEPTH = 16
_KNOWN = frozenset({
    "name", "title", "description", "type", "kind", "keywords", "tags", "rollout_summary_files", "metadata", "created",
    "updated", "modified", "date", "status", "session", "session_id", "sessionid", "originsessionid", "node_type",
})  # fmt: skip


class _Line(NamedTuple):
    indent: int
    text: str


def find_frontmatter_end(lines: list[str], start: int) -> int:
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
        key = _parse_key(text)
        if not key and (start or not seen or text[0] == "#"):
            return -1
        seen = True
        known = known or key.lower() in _KNOWN
    return -1


def parse_frontmatter_fields(lines: list[str]) -> dict[str, Any]:
    """The lines between the markers as names and values: text, lists, nested mappings. Never raises."""
    rows = [_Line(len(raw) - len(raw.lstrip()), raw.rstrip()) for raw in (line.replace("\t", "  ") for line in lines)]
    value, _ = _parse_mapping(rows, 0, 0, 0)
    return value


def split_words(value: Any) -> tuple[str, ...]:
    """A value as separate words: a list's items, or text cut at commas."""
    if isinstance(value, list):
        items = [str(item) for item in value if isinstance(item, str)]
    elif isinstance(value, str):
        items = value.strip("[]").replace("，", ",").replace("、", ",").split(",")
    else:
        return ()
    return tuple(dict.fromkeys(word for word in (item.strip().strip("\"'#") for item in items) if word))


def _parse_key(text: str) -> str:
    """The name before the colon, where a line is 'name: value' or 'name:'; else empty."""
    name, colon, rest = text.partition(":")
    if not colon or (rest and rest[0] not in " \t"):
        return ""
    name = name.strip().strip("\"'")
    plain = name.replace("_", "a").replace("-", "a").replace(" ", "a").replace(".", "a")
    return name if 0 < len(name) <= 64 and plain.isalnum() and name[0] not in "-." else ""


def _blank(row: _Line) -> bool:
    return not row.text.strip()


def _parse_mapping(rows: list[_Line], index: int, indent: int, depth: int) -> tuple[dict[str, Any], int]:
    found: dict[str, Any] = {}
    while index < len(rows):
        row = rows[index]
        text = row.text.strip()
        if not text or text[0] == "#":
            index += 1
            continue
        if row.indent < indent:
            break
        key = _parse_key(text)
        if not key:
            # A line that belongs to nothing is kept with the value before it, as folded YAML would have it.
            if found and isinstance(found[last := next(reversed(found))], str):
                found[last] = f"{found[last]} {text}".strip()
            index += 1
            continue
        value, index = _parse_value(rows, index, text.partition(":")[2].strip(), row.indent, depth)
        found[key] = value
    return found, index


def _parse_value(rows: list[_Line], index: int, rest: str, indent: int, depth: int) -> tuple[Any, int]:
    """What stands behind 'name:' in row `index`, and the row to go on with."""
    if rest[:1] in {"|", ">"} and len(rest) <= 3:
        return _parse_scalar_block(rows, index + 1, indent, rest[0] == ">")
    if rest:
        return parse_scalar(rest), index + 1
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
    if _parse_key(text):
        return _parse_mapping(rows, below, row.indent, depth + 1)
    return _parse_scalar_block(rows, below, indent, True)


def _list(rows: list[_Line], index: int, indent: int) -> tuple[list[Any], int]:
    items: list[Any] = []
    while index < len(rows):
        row = rows[index]
        text = row.text.strip()
        if text:
            if row.indent < indent or (row.indent == indent and text[0] != "-"):
                break
            if row.indent == indent:
                items.append(parse_scalar(text[1:].strip()))
            elif items:
                items[-1] = f"{items[-1]} {text}".strip()
        index += 1
    return items, index


def _parse_scalar_block(rows: list[_Line], index: int, indent: int, folded: bool) -> tuple[str, int]:
    kept: list[str] = []
    while index < len(rows) and (_blank(rows[index]) or rows[index].indent > indent):
        kept.append(rows[index].text.strip() if folded else rows[index].text[indent:].strip())
        index += 1
    return (" " if folded else "\n").join(kept).strip(), index


def parse_scalar(text: str) -> Any:
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
            return {name.strip().strip("\"'"): parse_scalar(value.strip()) for name, _, value in pairs}
    cut = text.find(" #")
    if cut > 0 and text[cut + 2 : cut + 3] in {"", " "}:
        text = text[:cut].rstrip()
    return "" if text in {"~", "null"} else text


_NAMES = {
    "name": "title", "title": "title", "description": "text", "summary": "text", "type": "kind", "kind": "kind",
    "created": "created", "createdat": "created", "date": "created", "timestamp": "created",
    "modified": "updated", "updated": "updated", "updatedat": "updated", "lastupdated": "updated",
    "expires": "expires", "expiresat": "expires", "confidence": "confidence", "importance": "importance",
    "importancescore": "importance",
    "tags": "tags", "keywords": "tags", "entities": "entities", "status": "status", "source": "source",
    "originsessionid": "session", "session": "session", "sessionid": "session", "evidence": "evidence",
    "id": "key", "supersededby": "superseded_by",
}  # fmt: skip
_OF_PLANS = frozenset({"plan", "plans", "proposals", "specs", "计划", "方案"})
_OVER = frozenset({
    "done", "complete", "completed", "implemented", "shipped", "closed", "cancelled", "canceled", "abandoned",
    "archived", "superseded", "已完成", "已实现", "已归档", "已取消", "完了",
})  # fmt: skip
"""What the frontmatter of a plan says when there is nothing left of it to do."""
_GIVEN_UP = compile_pattern(
    r"\W{0,8}(?:(?:SUPERSEDED|DEPRECATED|OBSOLETE)"
    r"(?=\W{0,4}(?:$|[—–(.]|:(?!\W{0,4}the (?!doc|file|page|guide))|by\b))|Superseded by\b"
    r"|(?:已废弃|已弃用|已作废|已被取代|已過時|폐기됨)(?=\W|$))"
)
"""How a document begins of which nothing holds any more, in its description or right below its title."""
_RECORD = compile_pattern(r"\[[A-Z]{2,8}-\d{8}-\w{1,8}\]")
"""How a record that has a number of its own is titled: '[LRN-20260304-001] correction'."""
_STANDING = compile_pattern(r"^\**status\**\s*[:：]\s*\**\s*(\w+)", 2 | 8)
_FIELD = compile_pattern(r"\**[^:：\n`]{1,24}[:：]\**\s")
_FIELDS, _TICKETS = 3, 3
"""Fields of a task, and tasks of a list, at least."""
_SUGGESTED = compile_pattern(r"(?:suggested|recommended|proposed) (?:action|fix|change|step)s?", 2)
_WAITING = frozenset({"pending", "open", "in_progress"})
_CLOSED = frozenset({"resolved", "promoted", "promoted_to_skill", "done", "closed", "fixed", "wont_fix"})
_TIMES = frozenset({"created", "updated", "expires"})
_NUMBERS = frozenset({"confidence", "importance"})
_LISTS = frozenset({"tags", "entities"})
_PINS = ("pinned", "evergreen")
_HANDED = ("created", "updated", "expires", "importance", "confidence", "session", "source")


def build_frontmatter_entry(fields: Mapping[str, Any], start: int, end: int, kind: str) -> Entry:
    """The entry that frontmatter is: its name as title, its description as text, what no field takes in `extra`."""
    found = Entry("", start, end, kind)
    extra: dict[str, Any] = {}
    for name, value in _flatten_fields(fields):
        field = _NAMES.get(name.lower().replace("_", "").replace("-", ""), "")
        if not field or not _put(found, field, value):
            extra[name] = value
    found.extra = extra
    if found.superseded_by and found.status is Status.ACTIVE and "status" not in {name.lower() for name in fields}:
        found.status = Status.SUPERSEDED
    if rollouts := fields.get("rollout_summary_files"):
        _apply_newest_rollout(found, rollouts)
    return found


def _apply_newest_rollout(found: Entry, listed: Any) -> None:
    """Codex names what a block was made of: 'file.md (cwd=…, updated_at=…)'; the newest of them dates it."""
    files = [item.split() for item in listed if isinstance(item, str)] if isinstance(listed, list) else []
    found.links = tuple(dict.fromkeys(parts[0] for parts in files if parts))
    said = [part.strip("(),").partition("updated_at=")[2] for parts in files for part in parts[1:]]
    moments = [moment for moment in map(clock.parse, filter(None, said)) if moment is not None]
    if moments and found.updated is None:
        found.updated = max(moments)


def _flatten_fields(fields: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Names and values, with those under `metadata:` beside the others; what stands outside comes first."""
    flat = [(name, value) for name, value in fields.items() if name != "metadata" or not isinstance(value, dict)]
    nested = fields.get("metadata")
    if isinstance(nested, dict):
        flat += [(name, value) for name, value in nested.items() if name not in fields]
    return [(name, value) for name, value in flat if value not in ("", [], {})]


def _put(found: Entry, field: str, value: Any) -> bool:
    if field in _LISTS:
        setattr(found, field, split_words(value))
        return bool(getattr(found, field))
    if not isinstance(value, str) or (getattr(found, field) and field not in {"kind", "status"}):
        return False
    if field in _TIMES:
        at = clock.parse(value)
        if field == "expires":
            at = extend_to_day_end(value, at)
        setattr(found, field, at)
        return getattr(found, field) is not None
    if field in _NUMBERS:
        try:
            number = float(value)
        except ValueError:
            return False
        setattr(found, field, number if abs(number) <= 1e6 else None)
        return abs(number) <= 1e6
    if field == "status":
        if value.lower() not in set(Status) - ASIDE:
            return False
        found.status = Status(value.lower())
        return True
    setattr(found, field, value.strip().lower() if field == "kind" else value)
    return True


def apply_template(template: Entry, to: Entry) -> None:
    """Give an entry the fields of its section's stamp or its file's frontmatter, except those that it has itself."""
    for name in _HANDED:
        value = getattr(template, name)
        if value and not getattr(to, name):
            setattr(to, name, value)
    if template.tags:
        to.tags = tuple(dict.fromkeys((*to.tags, *template.tags)))
    if template.status is not Status.ACTIVE and to.status is Status.ACTIVE:
        to.status = template.status
    if template.extra:
        pins = {name: template.extra[name] for name in _PINS if name in template.extra}
        if pins:
            to.extra = {**pins, **to.extra}


def merge_templates(outer: Entry | None, inner: Entry) -> Entry:
    """A template of both, the inner one's word first."""
    if outer is not None:
        apply_template(outer, inner)
        inner.extra = {**outer.extra, **inner.extra}
    return inner


def is_over(found: Entry, path: str) -> bool:
    """Whether the frontmatter of a plan, in a directory of plans, says that it is done with."""
    folders = path.lower().split("/")[:-1]
    said = next((value for name, value in found.extra.items() if name.lower() == "status"), "")
    return isinstance(said, str) and said.strip("\"' ").lower() in _OVER and not _OF_PLANS.isdisjoint(folders)


def settle_topic(entries: Sequence[Entry], lines: Sequence[str], path: str) -> None:
    """A topic whose file is called a task is one, as are the items in it; they are done where its name or what it is
    about says so."""
    head = entries[0]
    if _TASK_FILE.search(path) is None or head.kind in _SAID_TO_AGENTS:
        return
    done = _SETTLED_TOPIC.search(head.title) is not None or _SETTLED_TOPIC.match(head.text) is not None
    for entry in entries:
        listed = _LISTED.match(lines[entry.start - 1]) if entry.start <= len(lines) else None
        if entry is head or listed:
            entry.kind = "todo"
            if done and (listed is None or not listed["open"]):
                entry.extra = {**entry.extra, "done": True}


_SAID_TO_AGENTS = frozenset({"rule", "feedback", "user", "reference"})
_LISTED = compile_pattern(r"\s*(?:[-*+]|\d{1,2}[.)]) (?P<open>\[ \])?")
_TASK_FILE = compile_pattern(r"(?:[-_ ](?:todos?|follow-?ups?)|待办)\.md$", 2)
_SETTLED_TOPIC = compile_pattern(
    r"(?:^\W*(?:status\W+)?|[—–:：(（\[] ?)"
    r"(?:resolved|done|fixed|shipped|completed|obsolete|已(?:解决|完成|修复|上线))"
    r"(?=\s*(?:$|[.。)）\]—–,，:：]|[(（]?20\d\d))",
    2,
)


def is_given_up(text: str) -> bool:
    """Whether what a document says of itself first is that it no longer holds."""
    return _GIVEN_UP.match(text) is not None


def find_tickets(entries: Iterable[Entry]) -> list[tuple[list[Entry], bool]]:
    """The sections of a list of tasks that are one task each: fields, of which one says how far it is; whether it is
    done with. Fewer than some of them are no list."""
    sections: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        for depth in range(2, len(entry.heading) + 1):
            sections.setdefault(entry.heading[:depth], []).append(entry)
    found = []
    for heading, some in sections.items():
        own = [entry for entry in some if entry.heading == heading]
        state = next((match[1].lower() for entry in own if (match := _STANDING.match(entry.text))), "")
        fields = sum(_FIELD.match(entry.text) is not None for entry in own)
        if state and fields >= _FIELDS and 2 * fields > len(own):
            found.append((some, state in _CLOSED | _OVER))
    return found if len(found) >= _TICKETS else []


def settle_records(entries: Iterable[Entry]) -> None:
    """What a record suggests is still to be done while it is pending, and done when the record is closed."""
    record, state = "", ""
    for entry in entries:
        above = entry.heading
        if not above:
            continue
        if entry.level is Level.CONTEXT and _RECORD.match(above[-1]):
            match = _STANDING.search(entry.text)
            record, state = above[-1], match[1].lower() if match else ""
        elif state and above[-2:-1] == (record,) and _SUGGESTED.fullmatch(above[-1]):
            if "code" in entry.extra or state not in _WAITING | _CLOSED:
                continue
            entry.kind = "todo"
            if state in _CLOSED:
                entry.extra = {**entry.extra, "done": True}
