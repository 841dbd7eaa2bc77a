"""A home's audit log, read whole (spec 002): the log alone is the truth, whatever tables were made of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from memtui.disk.files import etag
from memtui.errors import VanishedError
from memtui.evolution.events import Heard, Outcome, Ref, Settled, Verdict, event

if TYPE_CHECKING:
    from memtui.model import Home
    from memtui.writing import Writing

PATH = "evolution/audit.jsonl"


class Log(NamedTuple):
    """What it says, each part in the order of its lines. What cannot be read is counted."""

    refs: tuple[Ref, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    heard: tuple[Heard, ...] = ()
    settled: tuple[Settled, ...] = ()
    skipped: int = 0
    """Lines that are no objects."""


_held: WeakKeyDictionary[Writing, dict[str, tuple[str, Log]]] = WeakKeyDictionary()


def read(vault: Writing, home: Home) -> Log:
    """The log of a home as it stands now; empty where there is none. Read again only when it has changed."""
    try:
        data = vault.bytes_of(str(home.path), PATH)
    except VanishedError:
        # memtui's own home is made with the first event.
        return Log()
    if not data:
        return Log()
    mark = etag(data)
    held = _held.setdefault(vault, {})
    known = held.get(str(home.path))
    if known is None or known[0] != mark:
        held[str(home.path)] = known = (mark, parsed(data))
    return known[1]


def parsed(data: bytes) -> Log:
    """A log's bytes as events. Linear; never raises."""
    refs: list[Ref] = []
    outcomes: list[Outcome] = []
    verdicts: list[Verdict] = []
    heard: list[Heard] = []
    settled: list[Settled] = []
    skipped = 0
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8", "replace").lstrip("\ufeff"))
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            skipped += 1
            continue
        match event(record, number):
            case Ref() as found:
                refs.append(found)
            case Outcome() as found:
                outcomes.append(found)
            case Verdict() as found:
                verdicts.append(found)
            case Heard() as found:
                heard.append(found)
            case Settled() as found:
                settled.append(found)
    return Log(tuple(refs), tuple(outcomes), tuple(verdicts), tuple(heard), tuple(settled), skipped)
