"""Spec 002's audit log: which experience was used in which session, and how that went; only ever appended to.

Two dialects are in use, and a file goes on in its own: the specification's (`timestamp`, `event_type`), which a new
log of memtui's home begins with, and the one that code-memory's scripts really write (`ts`, `type`).
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui import clock
from memtui.edits import Append
from memtui.errors import UsageError
from memtui.evolution.log import PATH
from memtui.layouts import layout
from memtui.locale import _
from memtui.model import Layer

if TYPE_CHECKING:
    from memtui.edits import Receipt
    from memtui.model import Home, Memory
    from memtui.vault import Vault


_EXPERIENCE = re.compile(r"(?:avoidance|rule|skill|fact|memory|experience):\S[^\x00-\x1f\x7f]{0,280}")
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_STATUS = {"partly": "unknown"}
"""Outcomes that code-memory's scripts have no word for."""


class Experience(NamedTuple):
    """What was used."""

    id: str
    """As spec 002 names it: 'avoidance:<16 digits>', 'rule:<project>:<category>:<16 digits>', 'memory:<id>'."""
    home: str
    """The home that it stands in; empty: not known."""


def experience(vault: Vault, named: str) -> Experience:
    """What an agent means, by an experience's id or a memory's. Raises UsageError for neither."""
    memory = vault.memory(named)
    if memory is not None:
        return Experience(_id(memory), memory.home)
    if _EXPERIENCE.fullmatch(named) and ".." not in named:
        return Experience(named, "")
    raise UsageError(_("There is no memory '{id}': memory_search gives ids.").format(id=named[:80]))


def _id(memory: Memory) -> str:
    """As code-memory's scripts count: by the bullet's text without emphasis, a last aside and blanks."""
    core = _ASIDE.sub("", memory.text.replace("**", "").strip())
    digest = hashlib.md5("".join(core.split()).encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[
        :16
    ]
    folders = memory.path.split("/")
    if memory.layer is Layer.CORE:
        return f"avoidance:{digest}"
    if folders[-1] == "rules.md" and len(folders) > 1:
        return f"rule:{folders[-2]}:{memory.heading[-1] if memory.heading else ''}:{digest}"
    return f"memory:{memory.id}"


def keeps(home: Home) -> bool:
    """Whether a home has a place for the log: memtui's own kind, and code-memory's."""
    role = layout(home.layout).role(home.path, PATH) if home.layout in {"memtui", "code-memory"} else None
    return role is not None and role.layer is Layer.EVOLUTION


def noted(
    vault: Vault,
    home: Home,
    used: Experience,
    session: str,
    *,
    who: str,
    context: str = "",
    outcome: str = "",
    corrections: int = 0,
) -> Receipt:
    """Append the use, and the outcome where there is one, in the log's own dialect. Raises what `Vault.apply` does."""
    data = vault.bytes_of(str(home.path), PATH) or b""
    events = [_used(used.id, session, context)]
    if outcome:
        events.append(_went(session, outcome, corrections))
    if _scripted(data, home):
        events = [_translated(event) for event in events]
    record = "\n".join(json.dumps(event, ensure_ascii=False) for event in events)
    what = _("noted that {experience} was used").format(experience=used.id)
    return vault.apply([Append(str(home.path), PATH, record)], verb="feedback", who=who, what=what)


def _used(id: str, session: str, context: str) -> dict[str, Any]:
    told = {"timestamp": _now(), "event_type": "ref", "experience_id": id, "session_id": session}
    return {**told, "context": " ".join(context.split())} if context else told


def _went(session: str, outcome: str, corrections: int) -> dict[str, Any]:
    return {
        "timestamp": _now(), "event_type": "outcome", "session_id": session, "outcome": outcome,
        "corrections": corrections,
    }  # fmt: skip


def _now() -> str:
    return clock.local(clock.now()).replace(tzinfo=None).isoformat(timespec="seconds")


def _scripted(data: bytes, home: Home) -> bool:
    """Whether the log's newest event that says so is in the scripts' dialect; a new one by whose home it is."""
    for line in reversed(data[-65536:].split(b"\n")):
        if b'"event_type"' in line:
            return False
        if b'"ts"' in line:
            return True
    return home.layout == "code-memory"


def _translated(event: dict[str, Any]) -> dict[str, Any]:
    """An event as code-memory's own scripts write it."""
    if event["event_type"] == "ref":
        told = {"type": "ExperienceReferenced", "ts": event["timestamp"], "experience_id": event["experience_id"],
                "session_id": event["session_id"]}  # fmt: skip
        return {**told, "context": event["context"]} if "context" in event else told
    status = event["outcome"]
    return {
        "type": "SessionOutcome",
        "ts": event["timestamp"],
        "session_id": event["session_id"],
        "status": _STATUS.get(status, status),
        "user_corrections": event["corrections"],
    }
