"""The sessions of a home as far as they were heard: what its log says of them, else what their summaries say.

A session counts once, under its own id; where it is kept as a summary and as a transcript the summary counts, and a
transcript that nobody has heard yet is none: `backfill` hears it. Worked out once for each file as it stands.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from memtui import clock
from memtui.errors import StaleIndexError
from memtui.evolution import audit, ledger
from memtui.evolution.effect import DAY
from memtui.evolution.events import Heard, Outcome, status
from memtui.evolution.patterns import moment
from memtui.model import Filter, Layer, Status
from memtui.refs import Ref
from memtui.sessions import ids

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from memtui.evolution.events import Signal
    from memtui.evolution.log import Log
    from memtui.model import Home, Memory
    from memtui.vault import Vault

_STATUSES = frozenset(Status) - {Status.DELETED}
_ASIDE = frozenset({"attachment", "turn", "queue", "state"})
"""What belongs to a session and is nothing that its summary says."""
_OUTCOMES = ("outcome", "Outcome", "结果", "result", "Result")


class Told(NamedTuple):
    """What one session's summary says."""

    session: str
    time: float | None
    project: str
    path: str
    signals: tuple[Signal, ...]
    outcome: str
    """As it is written: 'failed: the tests do not pass'; empty: it does not say."""
    transcript: str
    """Where it says that the transcript is; empty: nowhere."""


class _Listed(NamedTuple):
    named: dict[str, dict[str, list[Ref]]]
    """Session -> path -> the entries of its summary there."""
    recordings: dict[str, str]
    """Session -> the path of its transcript."""


_lists: WeakKeyDictionary[Vault, dict[str, tuple[int, _Listed]]] = WeakKeyDictionary()
_files: WeakKeyDictionary[Vault, dict[str, dict[str, tuple[str, dict[str, Told | None]]]]] = (
    WeakKeyDictionary()
)
"""Home -> path -> etag, and what the sessions in that file say."""
_answers: WeakKeyDictionary[Vault, dict[str, tuple[object, list[Heard], dict[str, Outcome]]]] = (
    WeakKeyDictionary()
)


def called(session: str) -> str:
    """The name that a session goes by here, whichever of its names it was told by."""
    return ids.inner(session) or session


def sessions(vault: Vault, home: Home) -> list[Heard]:
    """Every session of the home that was or can be heard, oldest first."""
    return list(_known(vault, home)[0])


def outcomes(vault: Vault, home: Home) -> dict[str, Outcome]:
    """How each of them went: the log's last word, else its summary's own; unknown where neither says."""
    return dict(_known(vault, home)[1])


def listed(vault: Vault, home: Home) -> tuple[frozenset[str], dict[str, str]]:
    """The sessions that have a summary in a home; and those with a transcript, each with its path. No text is read."""
    named, recordings = _listed(vault, home)
    return frozenset(named), recordings


Heedings = dict[str, tuple[str, dict[str, Told | None]]]
"""By the path of a file: its etag, and what the sessions in it say; None: nothing."""


def recall(vault: Vault, home: Home, known: Heedings) -> None:
    """Take what another process understood of a home's files: those that changed since are read again."""
    files = _files.setdefault(vault, {}).setdefault(str(home.path), {})
    for path, one in known.items():
        files.setdefault(path, one)


def recollect(vault: Vault, home: Home) -> Heedings:
    """What was understood of a home's files, for another process to `recall`."""
    return dict(_files.get(vault, {}).get(str(home.path), {}))


def summaries(vault: Vault, home: Home, *, without: Collection[str] = ()) -> dict[str, Told]:
    """What the summaries of all sessions of a home say, but for some, by the sessions' names."""
    named, _recordings = _listed(vault, home)
    return _told(vault, home, named, frozenset(named).difference(without))


def _known(vault: Vault, home: Home) -> tuple[list[Heard], dict[str, Outcome]]:
    log = ledger.of(vault, home)
    held = _answers.setdefault(vault, {})
    # A log that has not changed is the same object, so that comparing it costs nothing.
    key = (vault.generation, log)
    answer = held.get(str(home.path))
    if answer is None or answer[0] != key:
        answer = (key, *_worked_out(vault, home, log))
        held[str(home.path)] = answer
    return answer[1], answer[2]


def _worked_out(vault: Vault, home: Home, log: Log) -> tuple[list[Heard], dict[str, Outcome]]:
    named, recordings = _listed(vault, home)
    counts = _counting(vault, home, named.keys(), recordings.keys())
    heard = {
        name: one._replace(session=name)
        for name, one in ((called(one.session), one) for one in log.heard)
        if counts(name)
    }
    went: dict[str, Outcome] = {}
    for outcome in log.outcomes:
        name = called(outcome.session)
        if counts(name) and (outcome.status != "unknown" or name not in went):
            went[name] = outcome._replace(session=name)
    unsure = {name for name in named if name not in went or went[name].status == "unknown"}
    told = _told(vault, home, named, frozenset(unsure | (named.keys() - heard.keys())))
    for name, one in told.items():
        heard.setdefault(name, Heard(name, one.time, one.signals, one.project, one.path))
        word = status(one.outcome) if one.outcome else "unknown"
        if name in unsure and (word != "unknown" or name not in went):
            went[name] = Outcome(name, one.time, word, reason=_reason(one.outcome))
    for name, session in heard.items():
        went.setdefault(name, Outcome(name, session.time, "unknown"))
    # One line dated far ahead would be the newest session for years: it counts as undated.
    latest = clock.now() + DAY
    every = [one._replace(time=None) if (one.time or 0.0) > latest else one for one in heard.values()]
    went = {
        name: one._replace(time=None) if (one.time or 0.0) > latest else one for name, one in went.items()
    }
    return sorted(every, key=moment), went


def _counting(
    vault: Vault, home: Home, named: Collection[str], recorded: Collection[str]
) -> Callable[[str], bool]:
    """Whether a session of the log counts at this home: where its summary is, else where its transcript is.

    What is kept in no open home counts where the log is.
    """
    ours = audit.where(home).path == home.path
    others = [_listed(vault, one) for one in vault.homes if one.path != home.path]
    told = frozenset(name for other in others for name in other.named)
    kept = told.union(*(other.recordings for other in others))

    def counts(name: str) -> bool:
        if name in named:
            return True
        return name not in told if name in recorded else ours and name not in kept

    return counts


def _reason(outcome: str) -> str:
    word = outcome.replace("：", ":")
    return word.partition(":")[2].strip()


def _wanted(home: Home) -> Filter:
    return Filter(frozenset({Layer.SESSION}), homes=frozenset({str(home.path)}), statuses=_STATUSES)


def _listed(vault: Vault, home: Home) -> _Listed:
    """The sessions that have a summary here, and those with a transcript."""
    held = _lists.setdefault(vault, {})
    known = held.get(str(home.path))
    if known is None or known[0] != vault.generation:
        held[str(home.path)] = known = (vault.generation, _looked_through(vault, home))
    return known[1]


def _looked_through(vault: Vault, home: Home) -> _Listed:
    from memtui.index.lists import born
    from memtui.sessions.pairs import recorded

    wanted = _wanted(home)
    heads = set(vault.ids(wanted._replace(kinds=frozenset({"session"}))))
    number = [str(one.path) for one in vault.homes].index(str(home.path))
    found: dict[str, dict[str, list[Ref]]] = {}
    headed: set[tuple[str, str]] = set()
    transcripts: dict[str, bool] = {}
    recordings: dict[str, str] = {}
    for target in vault.targets(wanted):
        with suppress(StaleIndexError):
            for row, session, path in born(target.index, wanted) if target.index is not None else ():
                if path not in transcripts:
                    transcripts[path] = recorded(home, path)
                name, ref = called(session), Ref(number, row)
                if transcripts[path]:
                    recordings[name] = path
                    continue
                found.setdefault(name, {}).setdefault(path, []).append(ref)
                if ref in heads:
                    headed.add((name, path))
    only = {
        name: {path: refs for path, refs in paths.items() if (name, path) in headed}
        for name, paths in found.items()
    }
    return _Listed({name: paths for name, paths in only.items() if paths}, recordings)


def _told(
    vault: Vault, home: Home, named: dict[str, dict[str, list[Ref]]], wanted: frozenset[str]
) -> dict[str, Told]:
    """What the summaries of these sessions say; files that are as they were are not read again."""
    from memtui.index.lists import marks

    files = _files.setdefault(vault, {}).setdefault(str(home.path), {})
    stand: dict[str, str] = {}
    for target in vault.targets(_wanted(home)):
        with suppress(StaleIndexError):
            stand |= marks(target.index, _wanted(home)) if target.index is not None else {}
    for path in [path for path in files if files[path][0] != stand.get(path)]:
        del files[path]
    missing: list[tuple[str, str, list[Ref]]] = []
    for name in sorted(wanted & named.keys()):
        for path, refs in named[name].items():
            known = files.setdefault(path, (stand.get(path, ""), {}))[1]
            if name not in known:
                missing.append((name, path, refs))
    # Of one file after the other, so that each is parsed once.
    missing.sort(key=lambda one: one[1])
    loaded = iter(vault.load([ref for _name, _path, refs in missing for ref in refs]))
    for name, path, refs in missing:
        entries = [entry for _ref in refs if (entry := next(loaded)) is not None]
        files[path][1][name] = _summary(home, name, path, entries)
    answer: dict[str, Told] = {}
    for name in sorted(wanted & named.keys()):
        parts = [part for path in named[name] if (part := files[path][1].get(name)) is not None]
        if parts:
            answer[name] = _joined(parts)
    return answer


def _summary(home: Home, name: str, path: str, entries: Iterable[Memory]) -> Told | None:
    from memtui.evolution.hearing import of_entries

    said = sorted((one for one in entries if one.kind not in _ASIDE), key=lambda one: one.start)
    # Records of other sessions may bear the same id, and seem to replace each other.
    holding = [one for one in said if one.status is not Status.SUPERSEDED]
    said = holding if any(one.kind == "session" for one in holding) else said
    heads = [one for one in said if one.kind == "session"]
    if not heads:
        return None
    times = [time for one in heads for time in (one.updated, one.created) if time is not None]
    extra = {key: value for one in reversed(heads) for key, value in one.extra.items()}
    outcome = next((value for key in _OUTCOMES if isinstance(value := extra.get(key), str) and value), "")
    project = extra.get("project")
    transcript = extra.get("transcript")
    return Told(
        name,
        max(times, default=heads[-1].modified),
        project if isinstance(project, str) and project else _project(home),
        path,
        of_entries(said),
        outcome,
        transcript if isinstance(transcript, str) else "",
    )


def _project(home: Home) -> str:
    """The project that all sessions of a home belong to, where it is a project's."""
    return os.path.basename(home.project.rstrip("/"))


def _joined(parts: list[Told]) -> Told:
    """A session that was written down several times, as one."""
    parts = sorted(parts, key=lambda one: (one.time or 0.0, one.path))
    last = parts[-1]
    signals = dict.fromkeys(signal for part in parts for signal in part.signals)
    outcome = next((part.outcome for part in reversed(parts) if part.outcome), "")
    transcript = next((part.transcript for part in reversed(parts) if part.transcript), "")
    return last._replace(signals=tuple(signals), outcome=outcome, transcript=transcript)
