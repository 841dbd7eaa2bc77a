"""What persons decided about candidates: appended records, so that nothing rejected is proposed again.

A decision is about a text: the candidate's id names its home, origin and normalised text, and with another text it is
another candidate. The last record of an id holds, so that reconsidering is one more line and an undo takes one away.
Rejections stand in the state directory; approvals in the home's own evolution/decisions.jsonl where the layout has
one (memtui), else beside the rejections.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui import clock
from memtui.curation.candidates import ORIGINS, Candidate
from memtui.disk.locks import lock_for, locked
from memtui.disk.places import private, state
from memtui.edits import Append, Draft
from memtui.model import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.model import Home

REJECTED = "review/rejected.jsonl"
APPROVED = "review/decisions.jsonl"
OWN = "evolution/decisions.jsonl"

_TEXT = 4000
"""Characters of a text that a record keeps."""


LASTING = frozenset({"distilled", "proposed", "quarantine"})
"""Origins of which an approval holds: what is settled in the files themselves shows there whether it still is."""


class Decision(NamedTuple):
    """What was decided last about one candidate."""

    id: str
    done: str
    """approved, rejected or reconsidered."""
    time: float | None
    who: str
    reason: str
    home: str
    origin: str
    text: str
    kind: str
    layer: Layer


def record(
    candidate: Candidate, done: str, home: Home | None, *, who: str, reason: str = "", written: str = ""
) -> Append:
    """The change that writes a decision down. `written` is the text that was approved, where it was edited first."""
    plain: dict[str, Any] = {
        "timestamp": clock.local(clock.now()).isoformat(timespec="milliseconds"),
        "type": done,
        "id": candidate.id,
        "origin": candidate.origin,
        "home": candidate.home,
        "text": candidate.text[:_TEXT],
        "kind": candidate.kind,
        "layer": candidate.layer.value,
        "who": who,
        "reason": reason[:_TEXT],
        "written": written[:_TEXT] if written != candidate.text else "",
    }
    line = json.dumps({name: value for name, value in plain.items() if value != ""}, ensure_ascii=False)
    if done == "approved" and home is not None and home.layout == "memtui":
        return Append(str(home.path), OWN, line)
    return Append(str(state()), APPROVED if done == "approved" else REJECTED, line)


@contextmanager
def alone() -> Iterator[None]:
    """One decision at a time, whichever process it is made in: who comes second sees what the first one decided."""
    private(state())
    with locked(lock_for(state(), f"{APPROVED}#alone")):
        yield


def decided(homes: Iterable[Home]) -> dict[str, Decision]:
    """The last decision about each candidate, by its id."""
    found: dict[str, Decision] = {}
    for file in _files(homes):
        for decision in _read(file):
            known = found.get(decision.id)
            if known is None or (decision.time or 0.0) >= (known.time or 0.0):
                found[decision.id] = decision
    return found


def stamp(homes: Iterable[Home]) -> tuple[object, ...]:
    """Changes whenever somebody decided something."""
    return tuple(map(_signature, _files(homes)))


def _files(homes: Iterable[Home]) -> list[str]:
    own = [os.path.join(home.path, *OWN.split("/")) for home in homes if home.layout == "memtui"]
    return [*own, *(os.path.join(state(), *name.split("/")) for name in (APPROVED, REJECTED))]


def _signature(file: str) -> tuple[int, ...]:
    try:
        status = os.stat(file)
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns


def _read(file: str) -> list[Decision]:
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            records = [_plain(line) for line in lines]
    except OSError:
        return []
    return [found for found in map(_decision, records) if found is not None]


def _plain(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _decision(plain: Any) -> Decision | None:
    """What a line says; None for lines of other tools, which may use the same file."""
    if not isinstance(plain, dict) or plain.get("type") not in {"approved", "rejected", "reconsidered"}:
        return None
    said = {
        name: plain.get(name, "")
        for name in ("id", "type", "who", "reason", "home", "origin", "text", "kind")
    }
    if not all(isinstance(value, str) for value in said.values()) or not said["id"]:
        return None
    layer = plain.get("layer")
    return Decision(
        said["id"],
        said["type"],
        clock.parse(str(plain.get("timestamp", ""))),
        said["who"],
        said["reason"],
        said["home"],
        said["origin"],
        said["text"],
        said["kind"],
        Layer(layer) if layer in set(Layer) else Layer.CORE,
    )


def is_settled(candidate: Candidate, decided: Mapping[str, Decision]) -> bool:
    """Whether somebody decided it already, so that it does not wait."""
    done = decided.get(candidate.id)
    return done is not None and (
        done.done == "rejected" or (done.done == "approved" and candidate.origin in LASTING)
    )


def urgency(candidate: Candidate) -> tuple[int, float]:
    """What a queue is sorted by: by origin, and what is said twice by how alike it is."""
    return (
        ORIGINS.index(candidate.origin),
        -candidate.score if candidate.origin == "duplicate" else 0.0,
    )


def list_rejected(among: Iterable[Home]) -> list[Candidate]:
    """What was rejected in these homes, newest first, as far as it was written down."""
    among = list(among)
    return _rejected(decided(among), {str(home.path) for home in among})


def _rejected(decided: Mapping[str, Decision], homes: set[str]) -> list[Candidate]:
    """What was rejected, newest first, as far as it was written down."""
    found = [done for done in decided.values() if done.done == "rejected" and done.home in homes]
    found.sort(key=lambda done: -(done.time or 0.0))
    return [
        Candidate(
            done.id,
            next((origin for origin in ORIGINS if origin == done.origin), "distilled"),
            done.home,
            done.text,
            done.kind or "note",
            done.layer,
            None,
            0.0,
            time=done.time,
            who=done.who,
            reason=done.reason,
            draft=Draft(done.text, done.kind or "note"),
        )
        for done in found
    ]
