"""What the generator of skills keeps (spec 002): capabilities.jsonl, the log, and generator_state.json, the cool-down.

Both dialects of the log are read: the specification's (`timestamp`, `event_type`) and the one that code-memory's
scripts really write (`ts`, `type`, ids as cap_003); each home's own is written. Keys that are not ours stay.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memtui import clock
from memtui.disk.files import etag
from memtui.edits import Append, Edit, between
from memtui.errors import RefusedError
from memtui.evolution import audit, dialect
from memtui.evolution.events import Settled
from memtui.locale import _
from memtui.parse.fields import first, line, moment, number
from memtui.parse.json_reader import BrokenJsonError, Decoder

if TYPE_CHECKING:
    from memtui.evolution.events import PatternStatus
    from memtui.model import Home
    from memtui.writing import Writing

LOG, STATE = "evolution/capabilities.jsonl", "evolution/generator_state.json"

_MADE = frozenset({"generation", "capabilitygenerated", "generated"})
_GONE = frozenset({"removal", "capabilityremoved", "removed"})
_ID = re.compile(r"cap_(\d{1,9})")
_INDENT = re.compile(r"\n([ \t]+)\S")


class Event(NamedTuple):
    """A skill was made, or taken away."""

    done: Literal["made", "gone"]
    name: str
    time: float | None
    path: str = ""
    """Of its SKILL.md, as it was written down."""
    pattern: str = ""
    type: str = ""
    many: int = 0
    """Sessions that had it."""
    digest: str = ""
    """Of the bytes that were installed; empty: nobody wrote it down."""


class State(NamedTuple):
    """When skills were made."""

    last: float | None = None
    """When the last one was."""
    many: int = 0
    generated: tuple[Event, ...] = ()
    """Those that are installed, as the state file lists them."""


def read(vault: Writing, home: Home) -> tuple[State, list[Event]]:
    """The state of a home and the events of its log, oldest first. What cannot be read is passed over."""
    root = str(home.path)
    if not home.path.is_dir():
        return State(), []
    events = parsed(vault.bytes_of(root, LOG) or b"")
    return state(vault.bytes_of(root, STATE) or b"", events), events


def parsed(data: bytes) -> list[Event]:
    """The log's bytes as events. Never raises."""
    return [found for raw in data.split(b"\n") if (found := _event(_object(raw))) is not None]


def state(data: bytes, events: list[Event]) -> State:
    """The state file's bytes; the newest event of the log stands in for a time that it does not tell. Never raises."""
    plain = _object(data) or {}
    listed = plain.get("generated")
    generated = [
        Event(
            "made",
            first(one, "name", "capability_name"),
            moment(one.get("generated_at")),
            first(one, "path", "output_path"),
            line(one.get("pattern", "") or ""),
            digest=line(one.get("digest", "") or ""),
        )
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict)
    ]
    last = moment(plain.get("last_generation_at"))
    made = [event for event in events if event.done == "made"]
    if last is None:
        last = max((event.time for event in made if event.time is not None), default=None)
    count = number(plain.get("generation_count"))
    return State(
        last, len(made) if count is None else int(count), tuple(one for one in generated if one.name)
    )


def digest(data: bytes) -> str:
    """What names the bytes of an installed skill."""
    return etag(data)


def noted(vault: Writing, home: Home, event: Event) -> Append:
    """The change that writes an event down, in the dialect that the log is in."""
    root = str(home.path)
    data = vault.bytes_of(root, LOG) if home.path.is_dir() else None
    scripts = dialect.scripted(data or b"", home)
    plain = _scripted(event, data or b"") if scripts else _specified(event)
    record = {name: value for name, value in plain.items() if value != ""}
    return Append(root, LOG, json.dumps(record, ensure_ascii=False))


def renewed(vault: Writing, home: Home, event: Event) -> Edit | None:
    """The change that brings the state file up to date with an event; None: it says so already.

    Raises RefusedError where it cannot be read.
    """
    root = str(home.path)
    base = vault.bytes_of(root, STATE) if home.path.is_dir() else None
    plain = _whole(base) if base and base.strip() else {}
    if plain is None or not isinstance(plain.get("generated", []), list):
        raise RefusedError(
            _("{path} cannot be read: mend it, or move it away.").format(path=str(home.path / STATE))
        )
    others = [one for one in plain.get("generated", []) if not _names(one, event.name)]
    if event.done == "gone":
        if base is None or len(others) == len(plain.get("generated", [])):
            return None
        wanted = plain | {"generated": others}
    else:
        entry = {"name": event.name, "path": event.path, "generated_at": _stamp(event.time)}
        entry |= {"pattern": event.pattern, "digest": event.digest}
        wanted = plain | {
            "last_generation_at": entry["generated_at"],
            "generation_count": int(number(plain.get("generation_count")) or 0) + 1,
            "generated": [*others, entry],
        }
    new = _written(wanted, base)
    return Edit(root, STATE, base, between(base or b"", new))


def settled(vault: Writing, home: Home, pattern: str, status: PatternStatus, reason: str, who: str) -> Append:
    """The change that says in the audit log how a pattern stands from now on."""
    said = dialect.settled(Settled(pattern, status, clock.now(), who, reason))
    return audit.appended(vault, home, [said], who)


def _written(plain: dict[str, Any], base: bytes | None) -> bytes:
    """JSON as the file has it: its indent, its line ends, its way with other letters than ASCII."""
    text = (base or b"").decode("utf-8", "replace")
    indented = _INDENT.search(text)
    indent = indented[1] if indented else None if text.strip() else 2
    said = json.dumps(plain, ensure_ascii="\\u" in text, indent=indent)
    if not text.strip() or text.endswith("\n"):
        said += "\n"
    said = ("\ufeff" if text.startswith("\ufeff") else "") + said
    return (said.replace("\n", "\r\n") if "\r\n" in text else said).encode("utf-8", "replace")


def _specified(event: Event) -> dict[str, Any]:
    kind = "generation" if event.done == "made" else "removal"
    return {
        "timestamp": _stamp(event.time),
        "event_type": kind,
        "capability_name": event.name,
        "type": "Skill",
        "trigger": event.type,
        **({"pattern_count": event.many} if event.done == "made" else {}),
        "pattern": event.pattern,
        "path": event.path,
        "digest": event.digest,
    }


def _scripted(event: Event, data: bytes) -> dict[str, Any]:
    made = event.done == "made"
    known = {event["name"]: event["id"] for event in _numbered(data)}
    last = max((int(found[1]) for named in known.values() if (found := _ID.fullmatch(named))), default=0)
    return {
        "type": "CapabilityGenerated" if made else "CapabilityRemoved",
        "ts": _stamp(event.time),
        "id": f"cap_{last + 1:03d}" if made else known.get(event.name, ""),
        "pattern_id": None,
        "output_path": event.path,
        "name": event.name,
        "status": "generated" if made else "removed",
        "trigger": event.type,
        "pattern": event.pattern,
        "digest": event.digest,
    }


def _numbered(data: bytes) -> list[dict[str, str]]:
    found = (_object(raw) or {} for raw in data.split(b"\n"))
    return [
        {"name": line(one.get("name", "")), "id": one["id"]}
        for one in found
        if isinstance(one.get("id"), str)
    ]


def _event(plain: dict[str, Any] | None) -> Event | None:
    if plain is None:
        return None
    kind = (first(plain, "event_type", "event") or first(plain, "type")).lower()
    name = first(plain, "capability_name", "name")
    if not name or kind not in _MADE | _GONE or first(plain, "status").lower() == "failed":
        return None
    time = next((found for key in ("timestamp", "ts") if (found := moment(plain.get(key))) is not None), None)
    return Event(
        "made" if kind in _MADE else "gone",
        name,
        time,
        first(plain, "path", "output_path"),
        first(plain, "pattern", "trigger"),
        first(plain, "trigger"),
        int(number(plain.get("pattern_count")) or 0),
        first(plain, "digest"),
    )


def _names(one: Any, name: str) -> bool:
    return isinstance(one, dict) and first(one, "name", "capability_name") == name


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        plain = json.loads(data.decode("utf-8", "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) else None


def _whole(data: bytes) -> dict[str, Any] | None:
    """JSON that can be written again with nothing lost: every byte is text, and no key stands twice."""
    decoder = Decoder()
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").strip()
        plain, end = decoder.decode(text, 0)
    except (BrokenJsonError, ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) and end == len(text) and not decoder.twice else None


def _stamp(time: float | None) -> str:
    stamp = clock.local(clock.now() if time is None else time).replace(tzinfo=None)
    return stamp.isoformat(timespec="seconds")
