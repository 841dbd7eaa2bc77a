"""Old sessions read once and for all: each that is in no log yet gets its signals and its outcome written down.

Oldest first, many at a time. What a killed run had written stays, and the next one continues from there; two
runs at once wait for each other, so that nothing is written twice.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.locale import _n
from memtui.evolution import audit, experiences, sessions_read
from memtui.evolution.audit import PATH, Outcome, SessionSignals, parse_outcome
from memtui.fs.locks import hold_lock, lock_for
from memtui.fs.write_journal import generate_record_id
from memtui.language.conversation import Extract, Session
from memtui.language.signals import find_in_talk
from memtui.language.transcript_reading import read
from memtui.store.session_ids import (
    is_subagent_transcript,
    list_session_names,
    name_session,
    read_transcript_directory,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.core.model import Home
    from memtui.evolution.audit import Log, Plain
    from memtui.evolution.results import SummaryReading
    from memtui.language.conversation import Conversation
    from memtui.store.vault import Vault

ROOM = 48 * 1024
"""Bytes of events that are written at a time; an append takes 64 KiB, and the other dialect may be longer."""


class Old(NamedTuple):
    """A session that stands in no log."""

    session: str
    time: float | None
    told: SummaryReading | None
    """Its summary; None: there is none."""
    transcript: str
    """Absolute; empty: it is not there any more, or nobody knows where."""
    outcome: bool
    """Whether the log knows how it went."""


def list_unread_sessions(vault: Vault, home: Home) -> list[Old]:
    """The sessions of a home that are in no log yet, oldest first."""
    return _missing(vault, home, experiences.load_home_log(vault, home))


def backfill(
    vault: Vault,
    home: Home,
    *,
    progress: Callable[[int, int], None] | None = None,
    who: str,
    group: str = "",
) -> int:
    """Hear every old session, and answer how many those were. `progress`: done, in all.

    Raises what `Vault.apply` does; what was written until then stays, and the next run goes on.
    """
    if not list_unread_sessions(vault, home):
        return 0
    kept = audit.prepare_log_home(vault, home)
    with hold_lock(lock_for(str(kept.path), f"{PATH}#backfill"), vault.wait):
        # Somebody else may have heard them meanwhile.
        missing = list_unread_sessions(vault, home)
        try:
            with vault.over(kept) as pen:
                # The log is indexed once, when all of it is written.
                pen.current = False
                for number in _written(pen, home, missing, who, group):
                    if progress is not None:
                        progress(number, len(missing))
        finally:
            vault.taken_in([str(kept.path / PATH)])
    return len(missing)


def _written(pen: Vault, home: Home, missing: Sequence[Old], who: str, group: str) -> Iterator[int]:
    """Write what was heard, as much at a time as there is room for; yields how many are heard."""
    group = group or generate_record_id()
    waiting: list[Plain] = []
    room = ROOM
    many = 0
    for number, old in enumerate(missing, 1):
        told = _events(home, old)
        size = sum(len(str(event).encode("utf-8", "replace")) + 64 for event in told)
        if waiting and size > room:
            _write(pen, home, waiting, many, who, group)
            waiting, room, many = [], ROOM, 0
        waiting += told
        room -= size
        many += 1
        yield number
    if waiting:
        _write(pen, home, waiting, many, who, group)


def _write(pen: Vault, home: Home, told: list[Plain], many: int, who: str, group: str) -> None:
    what = _n("noted the signals of {count} old session", "noted the signals of {count} old sessions", many)
    audit.append_events(pen, home, told, who=who, what=what, group=group)


def _missing(vault: Vault, home: Home, log: Log) -> list[Old]:
    heard = {name_session(one.session) for one in log.heard}
    known = {name_session(one.session) for one in log.outcomes if one.status != "unknown"}
    summaries = sessions_read.read_summaries(vault, home, without=heard)
    listed = {str(one.path): sessions_read.list_session_files(vault, one) for one in vault.homes}
    transcripts = {
        name: os.path.join(root, path)
        for root, (_told, found) in listed.items()
        for name, path in found.items()
    }
    # What has its summary in another home counts there.
    elsewhere = {name for root, (told, _found) in listed.items() if root != str(home.path) for name in told}
    own = listed[str(home.path)][1].keys() - elsewhere
    found: list[Old] = []
    for name in (summaries.keys() | own) - heard:
        told = summaries.get(name)
        path = transcripts.get(name, "")
        path = "" if not path or is_subagent_transcript(path) else path
        path = path or (_kept(name, told.transcript) if told is not None else "")
        if told is None and not path:
            continue
        time = told.time if told is not None else _touched(path)
        found.append(Old(name, time, told, path, name in known))
    return sorted(found, key=lambda one: (one.time or float("-inf"), one.session))


def _kept(name: str, path: str) -> str:
    """A transcript that a summary names, if it is one: a file of its own that bears the session's name."""
    stem, ending = os.path.splitext(os.path.basename(path))
    if ending != ".jsonl" or not os.path.isabs(path) or name not in list_session_names(stem):
        return ""
    return path if os.path.isfile(path) and not is_subagent_transcript(path) else ""


def _touched(path: str) -> float | None:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None


def _events(home: Home, old: Old) -> list[Plain]:
    """What is to be said of a session: by its transcript and its summary together, and by itself how it went."""
    talk = _talk(old)
    told = old.told
    signals = list(find_in_talk(talk)) if talk is not None else []
    there = {(sign.type, sign.about) for sign in signals}
    if told is not None:
        signals += (sign for sign in told.signals if (sign.type, sign.about) not in there)
    time = old.time
    if told is None and talk is not None and talk.ended is not None:
        time = talk.ended
    path = told.path if told is not None else old.transcript
    project = told.project if told is not None else talk.session.name if talk is not None else ""
    if told is not None and audit.find_log_home(home).path != home.path:
        # In another home's log only the whole path says where that is.
        path = str(home.path / path)
        signals = [
            sign
            if os.path.isabs(sign.path) or not sign.path
            else sign._replace(path=str(home.path / sign.path))
            for sign in signals
        ]
    events = [audit.encode_signals(SessionSignals(old.session, time, tuple(signals), project, path))]
    went = None if old.outcome else _outcome(old, talk, time)
    return [*events, audit.encode_outcome(went)] if went is not None else events


def _talk(old: Old) -> Conversation | None:
    if not old.transcript:
        return None

    cwd = read_transcript_directory(old.transcript)
    name = os.path.basename(cwd.rstrip("/\\"))
    return read(Session(old.session, "", cwd, name, name, old.transcript))


def _outcome(old: Old, talk: Conversation | None, time: float | None) -> Outcome | None:
    """How it went as its summary says, else as its transcript shows; None: nobody knows."""
    if old.told is not None and old.told.outcome:
        word = old.told.outcome.replace("：", ":")
        found = parse_outcome(word)
        if found != "unknown":
            return Outcome(old.session, time, found, reason=word.partition(":")[2].strip())
    if talk is None:
        return None

    seen = sessions_read.judge_outcome(talk, Extract(""))
    return seen._replace(session=old.session, time=time) if seen.status != "unknown" else None
