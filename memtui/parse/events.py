"""Evolution's logs (spec 002): references, outcomes and capabilities, in the spec's dialect and the one really used.

`{"timestamp", "event_type": "ref" | "outcome" | "generation"}` and `{"ts", "type": "ExperienceReferenced" |
"SessionOutcome" | "ExperienceRegistered" | "CapabilityGenerated" | …}` are read alike; unknown events show as they are.
"""

from __future__ import annotations

from memtui.model import Entry, Layer, Parsed
from memtui.parse.fields import first, line, moment, number, rest, searchable
from memtui.parse.jsonl import Faults, records
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memtui.parse.source import Source

_TIMES = ("ts", "timestamp", "at", "created_at")
_TAKEN = frozenset({"ts", "timestamp", "session_id"})
_SHOWN = frozenset({*_TIMES, "type", "event_type", "event", "session_id", "experience_id"})


def parse(source: Source) -> Parsed:
    """An entry an event, in one readable line, with all of its fields in `extra`."""
    faults = Faults(source.path)
    entries: list[Entry] = []
    for number_, record in records(source, faults):
        if isinstance(record, dict) and record:
            entries.append(event(record, number_))
        else:
            faults.add(number_, "not an event: no object with something in it")
    return Parsed(source.text, entries, faults.close())


def event(record: dict[str, Any], number_: int) -> Entry:
    """One event. `key` is the capability's own id, else empty; experiences are entities, as many events name one."""
    name = first(record, "event_type", "event") or first(record, "type")
    kind, text = _told(name, record)
    session = line(record.get("session_id", ""))
    experience = line(record.get("experience_id", ""))
    context = first(record, "context", "trigger", "description", "error", "reason")
    return Entry(
        text=text,
        start=number_,
        end=number_,
        kind=kind,
        layer=Layer.EVOLUTION,
        created=next((found for key in _TIMES if (found := moment(record.get(key))) is not None), None),
        confidence=number(record.get("confidence")),
        entities=(experience,) if experience else (),
        session=session,
        source=first(record, "source_file", "output_path"),
        key=line(record.get("id", "")),
        search=searchable(text, experience, session, context),
        extra=rest(record, _TAKEN),
    )


def _told(name: str, record: dict[str, Any]) -> tuple[str, str]:
    """The kind of an event and its one line."""
    low = name.lower()
    session = line(record.get("session_id", ""))
    experience = line(record.get("experience_id", ""))
    where = f" in {session}" if session else ""
    if low in {"ref", "experiencereferenced"}:
        context = first(record, "context")
        return "event", f"ref {experience or '?'}{where}" + (f": {line(context)}" if context else "")
    if low in {"outcome", "sessionoutcome"}:
        return "outcome", _outcome(record, session)
    if low == "experienceregistered":
        source = first(record, "source_file")
        return "event", f"registered {experience or '?'}" + (f" from {source}" if source else "")
    if low.startswith("capability") or low == "generation" or "capability_name" in record:
        return "capability", _capability(name, record)
    if low == "signals" and isinstance(record.get("signals"), list):
        return "event", f"signals{where}: {_signals(record['signals'])}"
    what = experience if low == "verdict" else line(record.get("pattern", "")) if low == "pattern" else ""
    said = first(record, "verdict") if low == "verdict" else first(record, "status")
    if what and said:
        return "event", f"{low} {what}: {said}{_why(record)}"
    shown = "; ".join(f"{line(key)}: {line(value)}" for key, value in record.items() if key not in _SHOWN)
    text = " ".join(part for part in (line(name), experience) if part) + where
    return _kind(low), (f"{text}: {shown}" if shown and text else text or shown)[:2000] or "event"


def _kind(name: str) -> str:
    for kind in ("decision", "outcome", "signal"):
        if kind in name:
            return kind
    return "event"


def _outcome(record: dict[str, Any], session: str) -> str:
    parts = [first(record, "outcome", "status", "outcome_status") or "unknown"]
    score = number(record.get("score"))
    if score is not None:
        parts.append(f"score {score:g}")
    for key, word in (("corrections", "correction"), ("user_corrections", "correction")):
        count = number(record.get(key))
        if count:
            parts.append(f"{count:g} {word}{'' if count == 1 else 's'}")
    if record.get("has_errors") not in (None, 0, False, "", "0"):
        parts.append("with errors")
    return f"outcome of {session or 'a session'}: {', '.join(parts)}"


def _signals(listed: list[Any]) -> str:
    """What was heard in a session: each type with what it is about."""
    heard = (one for one in listed if isinstance(one, dict) and first(one, "type"))
    told = dict.fromkeys(
        f"{line(one['type'])} ({about})" if (about := first(one, "about")) else line(one["type"])
        for one in heard
    )
    return ", ".join(told)[:2000] or "none"


def _why(record: dict[str, Any]) -> str:
    who, reason = first(record, "who"), first(record, "reason")
    return (f", says {line(who)}" if who else "") + (f": {line(reason)}" if reason else "")


def _capability(name: str, record: dict[str, Any]) -> str:
    what = first(record, "capability_name", "name") or line(record.get("id", "")) or "?"
    failed = "fail" in name.lower() or first(record, "status").lower() == "failed"
    gone = "remov" in name.lower()
    kind = first(record, "type") if first(record, "event_type") else ""
    trigger = first(record, "trigger", "description")
    pattern = record.get("pattern_id")
    text = f"capability {what} {'failed' if failed else 'removed' if gone else 'generated'}"
    if gone:
        return text
    if kind:
        text += f" as {line(kind)}"
    if trigger:
        text += f" for {line(trigger)}"
    elif pattern not in (None, ""):
        text += f" from pattern {line(pattern)}"
    return text
