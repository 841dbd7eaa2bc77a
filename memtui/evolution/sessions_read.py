"""The sessions of a home as far as they were read: how each went, and what its end leaves in the log.

- `judge_outcome`: by rules, in English and Chinese, with the line that told it.
- `note_session_end` (spec 002): lessons used, the outcome, the trouble that was heard.
- `load_heard_sessions`: what the log says of the sessions, else what their summaries say. A session counts
  once, under its own id; of a summary and a transcript the summary counts, and a transcript that nobody has
  read yet is none (see `backfill`). Computed once for each file as it stands.

Old sessions read once and for all: each that is in no log yet gets its signals and its outcome written down.

Oldest first, many at a time. What a killed run had written stays, and the next one continues from there; two
runs at once wait for each other, so that nothing is written twice.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.errors import StaleIndexError
from memtui.core.locale import _
from memtui.core.model import Filter, Layer, Status
from memtui.core.startup import compile_pattern
from memtui.evolution import audit, experiences
from memtui.evolution.audit import PATH, Outcome, SessionSignals, parse_event, parse_outcome
from memtui.evolution.effects import DAY, SummaryReading, load_values
from memtui.evolution.effects import find_experience as same
from memtui.evolution.experiences import find_used_lessons, identify_experience, load_known_experiences
from memtui.evolution.patterns import sort_by_time
from memtui.fs.files import find_modified_time
from memtui.fs.locks import hold_lock, lock_for
from memtui.fs.write_journal import generate_record_id
from memtui.index.queries import list_file_etags, list_session_entries
from memtui.language.classify import hear_talk
from memtui.language.conversation import Extract, Session
from memtui.language.outcome import find_corrections
from memtui.language.signals import find_in_entries, find_in_talk
from memtui.language.summary import extract
from memtui.language.transcript_reading import read
from memtui.language.work import has_failed, is_check_run, is_test_run
from memtui.store.reading import MemoryRef
from memtui.store.session_ids import (
    is_readable_transcript,
    is_subagent_transcript,
    list_session_names,
    name_session,
    read_transcript_directory,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from memtui.core.model import Home, Memory
    from memtui.evolution.audit import Log, Plain
    from memtui.language.classify import HeardTalk
    from memtui.language.conversation import Conversation, Step
    from memtui.store.vault import Vault


_WORDS = 80
_CHECKED = compile_pattern(r"\b(?:tests?|build)\b|测试|构建", re.IGNORECASE)
_TOLD = compile_pattern(r"\buser\b|用户|\bgiven up\b|放弃", re.IGNORECASE)


def judge_outcome(talk: Conversation, found: Extract, heard: HeardTalk | None = None) -> Outcome:
    """How a session went, with the reason: what told it, and the last correction."""
    told = found.outcome
    if not told:
        told = extract(talk, heard).outcome
    fixes = find_corrections(talk)
    why = told.replace("：", ":", 1).partition(":")[2].strip()
    parts = [f"{why} ({seen})" if (seen := _describe_evidence(talk, why)) and why else why]
    if fixes:
        parts.append(
            _("corrected: “{words}” (line {line})").format(words=_cut(fixes[-1].text), line=fixes[-1].line or "?")
        )
    reason = "; ".join(filter(None, parts))
    return Outcome(talk.session.id, talk.ended, parse_outcome(told), len(fixes), reason)


def _describe_evidence(talk: Conversation, why: str) -> str:
    """Where one can see it: the last test or build, or the person's last words."""
    if _CHECKED.search(why):
        step = _find_last_check(talk)
        if step is not None:
            return _("`{command}`, line {line}").format(command=_cut(step.command), line=step.line)
    if _TOLD.search(why) and talk.prompts:
        last = talk.prompts[-1]
        return _("“{words}”, line {line}").format(words=_cut(last.text), line=last.line)
    return ""


def _find_last_check(talk: Conversation) -> Step | None:
    checks = (step for step in reversed(talk.steps) if step.command)
    return next((one for one in checks if is_test_run(one.command) or is_check_run(one.command)), None)


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WORDS else f"{text[: _WORDS - 1].rstrip()}…"


def note_session_end(
    vault: Vault,
    home: Home,
    session: Session,
    found: Extract,
    talk: Conversation,
    heard: HeardTalk | None = None,
    *,
    path: str,
    group: str = "",
) -> None:
    """Append what is new since the last time; nothing for a sub-agent's session, or where all is said already.

    `path`: where its summary stands in the home; empty where the home keeps none. `heard`: as `found` was heard.
    Raises what `Vault.apply` raises, ReadOnlyError where no home can be made.
    """
    if session.sidechain:
        return
    before, every = (audit.load_home_log(vault, home), audit.merge_logs(experiences.load_all_logs(vault)))
    used = _make_use_records(vault, session, found, talk, every)
    told = [*used, *_make_outcome_records(judge_outcome(talk, found, heard), talk, (every, before), len(used))]
    told += _make_signal_records(home, session, talk, before, path, heard)
    if told:
        what = _("noted the end of session {session}").format(session=session.id)
        audit.append_events(vault, home, told, who=session.who, what=what, group=group)
        # The next session's start need not wait for it.
        load_values(vault.homes, vault.config.evolution, clock.now())


def _make_use_records(vault: Vault, session: Session, found: Extract, talk: Conversation, before: Log) -> list[Plain]:
    among = load_known_experiences(vault)
    noted = {(ref.experience, ref.digest) for ref in before.refs if ref.session == session.id}
    done = {memory.id for one in noted if (memory := same(among, *one)) is not None}
    return [
        audit.encode_use(identify_experience(vault, use.memory), session.id, use.context, _choose_time(talk))
        for use in find_used_lessons(vault, talk, found)
        if use.memory.id not in done
    ]


def _make_outcome_records(now: Outcome, talk: Conversation, logs: tuple[Log, Log], used: int) -> list[Plain]:
    """How it went, unless its own log, the last of them, says just that."""
    now = now._replace(time=_choose_time(talk))
    known, last = ({one.session: one for one in log.outcomes}.get(now.session) for log in logs)
    if known is not None and now.status == "unknown":
        # Rules that cannot tell do not contradict who could.
        now = now._replace(status=known.status, reason=now.reason or known.reason)
    if last is not None and (last.status, last.corrections) == (now.status, now.corrections):
        return []
    return [audit.encode_outcome(now, errors=any(map(has_failed, talk.steps)), updated=used)]


def _make_signal_records(
    home: Home, session: Session, talk: Conversation, before: Log, path: str, heard: HeardTalk | None
) -> list[Plain]:
    if not path or not (home.path / path).is_file():
        path = session.transcript
    elif audit.find_log_home(home).path != home.path:
        # In another home's log only the whole path says where that is.
        path = str(home.path / path)
    signals = find_in_talk(talk, heard)
    plain = audit.encode_signals(SessionSignals(session.id, _choose_time(talk), signals, session.name, path))
    # As the log gives it back: shortened, and as much of it as a record holds.
    now = parse_event(plain, 0)
    last = {one.session: one for one in before.heard}.get(session.id)
    return [] if last is not None and isinstance(now, SessionSignals) and _is_same_hearing(last, now) else [plain]


def _is_same_hearing(one: SessionSignals, two: SessionSignals) -> bool:
    """Whether the same was heard; secrets in the words were masked when they were written."""
    return [(sign.type, sign.line) for sign in one.signals] == [(sign.type, sign.line) for sign in two.signals]


def _choose_time(talk: Conversation) -> float:
    return clock.now() if talk.ended is None else talk.ended


_STATUSES = frozenset(Status) - {Status.DELETED}
_ASIDE = frozenset({"attachment", "turn", "queue", "state"})
"""What belongs to a session and is nothing that its summary says."""
_OUTCOMES = ("outcome", "Outcome", "结果", "result", "Result")


class _Listed(NamedTuple):
    named: dict[str, dict[str, list[MemoryRef]]]
    """Session -> path -> the entries of its summary there."""
    recordings: dict[str, str]
    """Session -> the path of its transcript."""


Heedings = dict[str, tuple[str, dict[str, SummaryReading | None]]]
"""By the path of a file: its etag, and what the sessions in it say; None: nothing."""


class _Held:
    """What was read and worked out, by home."""

    def __init__(self) -> None:
        self.lists: dict[str, tuple[int, _Listed]] = {}
        self.files: dict[str, Heedings] = {}
        self.answers: dict[str, tuple[object, list[SessionSignals], dict[str, Outcome]]] = {}


def load_heard_sessions(vault: Vault, home: Home) -> list[SessionSignals]:
    """Every session of the home that was or can be heard, oldest first."""
    return list(_load_known(vault, home)[0])


def load_outcomes(vault: Vault, home: Home) -> dict[str, Outcome]:
    """How each of them went: the log's last word, else its summary's own; unknown where neither says."""
    return dict(_load_known(vault, home)[1])


def list_session_files(vault: Vault, home: Home) -> tuple[frozenset[str], dict[str, str]]:
    """The sessions that have a summary in a home; and those with a transcript, each with its path. No text is read."""
    named, recordings = _list_home_sessions(vault, home)
    return frozenset(named), recordings


def import_readings(vault: Vault, home: Home, known: Heedings) -> None:
    """Take what another process understood of a home's files: those that changed since are read again."""
    files = vault.kept.of(_Held).files.setdefault(str(home.path), {})
    for path, one in known.items():
        files.setdefault(path, one)


def export_readings(vault: Vault, home: Home) -> Heedings:
    """What was understood of a home's files, for another process to give to `import_readings`."""
    return dict(vault.kept.of(_Held).files.get(str(home.path), {}))


def read_summaries(vault: Vault, home: Home, *, without: Collection[str] = ()) -> dict[str, SummaryReading]:
    """What the summaries of all sessions of a home say, but for some, by the sessions' names."""
    named, _recordings = _list_home_sessions(vault, home)
    return _read_named_summaries(vault, home, named, frozenset(named).difference(without))


def _load_known(vault: Vault, home: Home) -> tuple[list[SessionSignals], dict[str, Outcome]]:
    log = audit.load_home_log(vault, home)
    held = vault.kept.of(_Held).answers
    # A log that has not changed is the same object, so that comparing it costs nothing.
    key = (vault.generation, log)
    answer = held.get(str(home.path))
    if answer is None or answer[0] != key:
        answer = (key, *_compute_known(vault, home, log))
        held[str(home.path)] = answer
    return answer[1], answer[2]


def _compute_known(vault: Vault, home: Home, log: Log) -> tuple[list[SessionSignals], dict[str, Outcome]]:
    named, recordings = _list_home_sessions(vault, home)
    counts = _make_counting(vault, home, named.keys(), recordings.keys())
    heard = {
        name: one._replace(session=name)
        for name, one in ((name_session(one.session), one) for one in log.heard)
        if counts(name)
    }
    went: dict[str, Outcome] = {}
    for outcome in log.outcomes:
        name = name_session(outcome.session)
        if counts(name) and (outcome.status != "unknown" or name not in went):
            went[name] = outcome._replace(session=name)
    unsure = {name for name in named if name not in went or went[name].status == "unknown"}
    told = _read_named_summaries(vault, home, named, frozenset(unsure | (named.keys() - heard.keys())))
    for name, one in told.items():
        heard.setdefault(name, SessionSignals(name, one.time, one.signals, one.project, one.path))
        word = parse_outcome(one.outcome) if one.outcome else "unknown"
        if name in unsure and (word != "unknown" or name not in went):
            went[name] = Outcome(name, one.time, word, reason=_extract_reason(one.outcome))
    for name, session in heard.items():
        went.setdefault(name, Outcome(name, session.time, "unknown"))
    # One line dated far ahead would be the newest session for years: it counts as undated.
    latest = clock.now() + DAY
    every = [one._replace(time=None) if (one.time or 0.0) > latest else one for one in heard.values()]
    went = {name: one._replace(time=None) if (one.time or 0.0) > latest else one for name, one in went.items()}
    return sorted(every, key=sort_by_time), went


def _make_counting(
    vault: Vault, home: Home, named: Collection[str], recorded: Collection[str]
) -> Callable[[str], bool]:
    """Whether a session of the log counts at this home: where its summary is, else where its transcript is.

    What is kept in no open home counts where the log is.
    """
    ours = audit.find_log_home(home).path == home.path
    others = [_list_home_sessions(vault, one) for one in vault.homes if one.path != home.path]
    told = frozenset(name for other in others for name in other.named)
    kept = told.union(*(other.recordings for other in others))

    def counts(name: str) -> bool:
        if name in named:
            return True
        return name not in told if name in recorded else ours and name not in kept

    return counts


def _extract_reason(outcome: str) -> str:
    word = outcome.replace("：", ":")
    return word.partition(":")[2].strip()


def _make_session_filter(home: Home) -> Filter:
    return Filter(frozenset({Layer.SESSION}), homes=frozenset({str(home.path)}), statuses=_STATUSES)


def _list_home_sessions(vault: Vault, home: Home) -> _Listed:
    """The sessions that have a summary here, and those with a transcript."""
    held = vault.kept.of(_Held).lists
    known = held.get(str(home.path))
    if known is None or known[0] != vault.generation:
        held[str(home.path)] = known = (vault.generation, _look_through(vault, home))
    return known[1]


def _look_through(vault: Vault, home: Home) -> _Listed:
    wanted = _make_session_filter(home)
    heads = set(vault.ids(wanted._replace(kinds=frozenset({"session"}))))
    number = [str(one.path) for one in vault.homes].index(str(home.path))
    found: dict[str, dict[str, list[MemoryRef]]] = {}
    headed: set[tuple[str, str]] = set()
    transcripts: dict[str, bool] = {}
    recordings: dict[str, str] = {}
    for target in vault.targets(wanted):
        with suppress(StaleIndexError):
            for row, session, path in list_session_entries(target.index, wanted) if target.index is not None else ():
                if path not in transcripts:
                    transcripts[path] = is_readable_transcript(home, path)
                name, ref = name_session(session), MemoryRef(number, row)
                if transcripts[path]:
                    recordings[name] = path
                    continue
                found.setdefault(name, {}).setdefault(path, []).append(ref)
                if ref in heads:
                    headed.add((name, path))
    only = {
        name: {path: refs for path, refs in paths.items() if (name, path) in headed} for name, paths in found.items()
    }
    return _Listed({name: paths for name, paths in only.items() if paths}, recordings)


def _read_named_summaries(
    vault: Vault, home: Home, named: dict[str, dict[str, list[MemoryRef]]], wanted: frozenset[str]
) -> dict[str, SummaryReading]:
    """What the summaries of these sessions say; files that are as they were are not read again."""
    files = vault.kept.of(_Held).files.setdefault(str(home.path), {})
    stand: dict[str, str] = {}
    for target in vault.targets(_make_session_filter(home)):
        with suppress(StaleIndexError):
            stand |= list_file_etags(target.index, _make_session_filter(home)) if target.index is not None else {}
    for path in [path for path in files if files[path][0] != stand.get(path)]:
        del files[path]
    missing: list[tuple[str, str, list[MemoryRef]]] = []
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
        files[path][1][name] = _parse_summary(home, name, path, entries)
    answer: dict[str, SummaryReading] = {}
    for name in sorted(wanted & named.keys()):
        parts = [part for path in named[name] if (part := files[path][1].get(name)) is not None]
        if parts:
            answer[name] = _join_readings(parts)
    return answer


def _parse_summary(home: Home, name: str, path: str, entries: Iterable[Memory]) -> SummaryReading | None:
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
    return SummaryReading(
        name,
        max(times, default=heads[-1].modified),
        project if isinstance(project, str) and project else _name_home_project(home),
        path,
        find_in_entries(said),
        outcome,
        transcript if isinstance(transcript, str) else "",
    )


def _name_home_project(home: Home) -> str:
    """The project that all sessions of a home belong to, where it is a project's."""
    return os.path.basename(home.project.rstrip("/"))


def _join_readings(parts: list[SummaryReading]) -> SummaryReading:
    """A session that was written down several times, as one."""
    parts = sorted(parts, key=lambda one: (one.time or 0.0, one.path))
    last = parts[-1]
    signals = dict.fromkeys(signal for part in parts for signal in part.signals)
    outcome = next((part.outcome for part in reversed(parts) if part.outcome), "")
    transcript = next((part.transcript for part in reversed(parts) if part.transcript), "")
    return last._replace(signals=tuple(signals), outcome=outcome, transcript=transcript)


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
    return _list_missing(vault, home, audit.load_home_log(vault, home))


def backfill(
    vault: Vault, home: Home, *, progress: Callable[[int, int], None] | None = None, who: str, group: str = ""
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
                for number in _write_heard(pen, home, missing, who, group):
                    if progress is not None:
                        progress(number, len(missing))
        finally:
            vault.taken_in([str(kept.path / PATH)])
    return len(missing)


def _write_heard(pen: Vault, home: Home, missing: Sequence[Old], who: str, group: str) -> Iterator[int]:
    """Write what was heard, as much at a time as there is room for; yields how many are heard."""
    group = group or generate_record_id()
    waiting: list[Plain] = []
    room = ROOM
    for number, old in enumerate(missing, 1):
        told = _make_events(home, old)
        size = sum(len(str(event).encode("utf-8", "replace")) + 64 for event in told)
        if waiting and size > room:
            _write(pen, home, waiting, who, group)
            waiting, room = [], ROOM
        waiting += told
        room -= size
        yield number
    if waiting:
        _write(pen, home, waiting, who, group)


def _write(pen: Vault, home: Home, told: list[Plain], who: str, group: str) -> None:
    # Several of these are one decision: the number of one of them would not be that of the others.
    audit.append_events(pen, home, told, who=who, what=_("analyzed past sessions"), group=group)


def _list_missing(vault: Vault, home: Home, log: Log) -> list[Old]:
    heard = {name_session(one.session) for one in log.heard}
    known = {name_session(one.session) for one in log.outcomes if one.status != "unknown"}
    summaries = read_summaries(vault, home, without=heard)
    listed = {str(one.path): list_session_files(vault, one) for one in vault.homes}
    transcripts = {
        name: os.path.join(root, path)
        for root, (_read_named_summaries, found) in listed.items()
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
        path = path or (_check_transcript_path(name, told.transcript) if told is not None else "")
        if told is None and not path:
            continue
        time = told.time if told is not None else find_modified_time(path)
        found.append(Old(name, time, told, path, name in known))
    return sorted(found, key=lambda one: (one.time or float("-inf"), one.session))


def _check_transcript_path(name: str, path: str) -> str:
    """A transcript that a summary names, if it is one: a file of its own that bears the session's name."""
    stem, ending = os.path.splitext(os.path.basename(path))
    if ending != ".jsonl" or not os.path.isabs(path) or name not in list_session_names(stem):
        return ""
    return path if os.path.isfile(path) and not is_subagent_transcript(path) else ""


def _make_events(home: Home, old: Old) -> list[Plain]:
    """What is to be said of a session: by its transcript and its summary together, and by itself how it went."""
    talk = _read_talk(old)
    told = old.told
    heard = hear_talk(talk) if talk is not None else None
    signals = list(find_in_talk(talk, heard)) if talk is not None else []
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
            sign if os.path.isabs(sign.path) or not sign.path else sign._replace(path=str(home.path / sign.path))
            for sign in signals
        ]
    events = [audit.encode_signals(SessionSignals(old.session, time, tuple(signals), project, path))]
    went = None if old.outcome else _choose_outcome(old, talk, time, heard)
    return [*events, audit.encode_outcome(went)] if went is not None else events


def _read_talk(old: Old) -> Conversation | None:
    if not old.transcript:
        return None

    cwd = read_transcript_directory(old.transcript)
    name = os.path.basename(cwd.rstrip("/\\"))
    return read(Session(old.session, "", cwd, name, name, old.transcript))


def _choose_outcome(old: Old, talk: Conversation | None, time: float | None, heard: HeardTalk | None) -> Outcome | None:
    """How it went as its summary says, else as its transcript shows; None: nobody knows."""
    if old.told is not None and old.told.outcome:
        word = old.told.outcome.replace("：", ":")
        found = parse_outcome(word)
        if found != "unknown":
            return Outcome(old.session, time, found, reason=word.partition(":")[2].strip())
    if talk is None:
        return None

    seen = judge_outcome(talk, Extract(""), heard)
    return seen._replace(session=old.session, time=time) if seen.status != "unknown" else None
