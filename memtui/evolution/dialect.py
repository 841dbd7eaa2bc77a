"""Events of the audit log as lines (spec 002), in the dialect that the log at hand is written in.

The specification's has `timestamp` and `event_type`; code-memory's scripts write `ts` and `type`. memtui's own events
(verdict, signals, pattern) are in the first in both: no script reads them.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.parse.fields import line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.evolution.events import Heard, Outcome, Settled, Signal, Verdict
    from memtui.evolution.experience import Experience
    from memtui.model import Home

Plain = dict[str, Any]

LARGEST = 40 * 1024
"""Bytes of one session's signals: below what an append takes, as more goes with them and masking makes them longer."""

_OURS = re.compile(rb'"event_type"\s*:\s*"(?:verdict|signals|pattern)"')
_TEXTS = frozenset({"context", "reason", "text", "why", "about"})
"""Keys under which others' words stand."""
_CONTEXT, _REASON, _SAID, _ABOUT = 300, 300, 200, 80


def scripted(data: bytes, home: Home) -> bool:
    """Whether the log's newest event that tells is in the scripts' dialect; a new one by whose home it is."""
    for record in reversed(data.split(b"\n")):
        if b'"ts"' in record:
            return True
        if b'"event_type"' in record and _OURS.search(record) is None:
            return False
    return home.layout == "code-memory"


def used(experience: Experience, session: str, context: str, time: float | None = None) -> Plain:
    """An experience was used."""
    plain = _begun("ref", time) | {"experience_id": experience.id, "session_id": session}
    return plain | _told(context=line(context, _CONTEXT), digest=experience.digest)


def went(outcome: Outcome, *, errors: bool = False, updated: int = 0) -> Plain:
    """How a session went; the last two are for the scripts only: whether it had errors, experiences concerned."""
    return {
        **_begun("outcome", outcome.time),
        "session_id": outcome.session,
        "outcome": outcome.status,
        "corrections": outcome.corrections,
        **_told(reason=line(outcome.reason, _REASON)),
        "has_errors": int(errors),
        "experiences_updated": updated,
    }


def judged(verdict: Verdict) -> Plain:
    """What a person said of an experience."""
    plain = _begun("verdict", verdict.time) | {
        "experience_id": verdict.experience,
        "verdict": verdict.verdict,
    }
    return plain | _told(who=verdict.who, reason=line(verdict.reason, _REASON), digest=verdict.digest)


def heard(heard: Heard) -> Plain:
    """All signals of a session, as many as one record holds."""
    plain = _begun("signals", heard.time) | {
        "session_id": heard.session,
        **_told(project=line(heard.project), path=line(heard.path, 500)),
    }
    signals = [_signal(one) for one in heard.signals]
    room = LARGEST - len(_dumped(plain).encode()) - 64
    kept: list[Plain] = []
    for one in signals:
        room -= len(_dumped(one).encode()) + 2
        if room < 0:
            return {**plain, "signals": kept, "left": len(signals) - len(kept)}
        kept.append(one)
    return {**plain, "signals": kept}


def settled(settled: Settled) -> Plain:
    """How a pattern stands from now on."""
    plain = _begun("pattern", settled.time) | {"pattern": settled.pattern, "status": settled.status}
    return plain | _told(who=settled.who, reason=line(settled.reason, _REASON))


def record(events: Iterable[Plain], *, scripts: bool, trusted: bool) -> str:
    """The events as lines. Words that read like an order to agents are left out of what is not `trusted`."""
    lines = [_dumped(_translated(event) if scripts else _specified(event)) for event in events]
    text = "\n".join(lines)
    if trusted:
        return text
    from memtui.safety.injection import examine

    if examine(text).action != "quarantine":
        return text
    harmless = [_without(json.loads(one), lambda said: examine(said).action == "quarantine") for one in lines]
    text = "\n".join(map(_dumped, harmless))
    if examine(text).action == "quarantine":
        text = "\n".join(_dumped(_without(one, bool)) for one in harmless)
    return text


def _signal(one: Signal) -> Plain:
    return {
        "type": one.type,
        "text": line(one.text, _SAID),
        **_told(path=line(one.path, 500), line=max(one.line, 0)),
        **_told(about=line(one.about, _ABOUT), why=line(one.why, _ABOUT)),
    }


def _begun(kind: str, time: float | None) -> Plain:
    stamp = clock.local(clock.now() if time is None else time).replace(tzinfo=None)
    return {"timestamp": stamp.isoformat(timespec="seconds"), "event_type": kind}


def _told(**named: Any) -> Plain:
    return {name: value for name, value in named.items() if value}


def _dumped(plain: Any) -> str:
    # Half a character, which no file can hold, becomes a question mark.
    return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace").decode()


def _specified(event: Plain) -> Plain:
    return {key: value for key, value in event.items() if key not in {"has_errors", "experiences_updated"}}


def _translated(event: Plain) -> Plain:
    """An event as code-memory's own scripts write it."""
    kind, time, session = event["event_type"], event["timestamp"], event.get("session_id", "")
    if kind == "ref":
        plain = {"type": "ExperienceReferenced", "ts": time, "experience_id": event["experience_id"]}
        return (
            plain | {"session_id": session} | _told(context=event.get("context"), digest=event.get("digest"))
        )
    if kind != "outcome":
        return event
    return {
        "type": "SessionOutcome",
        "ts": time,
        "session_id": session,
        "status": "unknown" if event["outcome"] == "partly" else event["outcome"],
        # The scripts have no word for it.
        **_told(outcome="partly" if event["outcome"] == "partly" else ""),
        "has_errors": event["has_errors"],
        "user_corrections": event["corrections"],
        "experiences_updated": event["experiences_updated"],
        **_told(reason=event.get("reason")),
    }


def _without(plain: Plain, bad: Any) -> Plain:
    """The event without words that are bad."""
    signals: Sequence[Plain] = plain.get("signals", ())
    kept = {key: value for key, value in plain.items() if key not in _TEXTS or not bad(value)}
    return kept | ({"signals": [_without(one, bad) for one in signals]} if signals else {})
