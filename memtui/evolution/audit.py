"""Spec 002's audit log: its events as types and as lines, a log read whole, and the functions that append to it.

Two dialects are read alike: the specification's (`timestamp`, `event_type`) and the one that code-memory's
scripts write (`ts`, `type`). New lines are in the dialect of the log at hand; memtui's own events (`verdict`,
`signals`, `pattern`) are always in the first, which no script reads.

The log is only ever appended to, and it alone is the truth, whatever tables were made of it. Every writer takes
the home that the event is about; the log that it goes to is that home's own, or memtui's.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from memtui.core import clock
from memtui.core.edits import Append
from memtui.core.errors import VanishedError
from memtui.core.locale import _
from memtui.core.model import Layer
from memtui.core.startup import compile_pattern, sha256
from memtui.formats.records import find_first_text, fit_line, parse_moment, parse_number
from memtui.fs.files import compute_etag
from memtui.language.conversation import SIGNALS, Signal
from memtui.layouts import load_facts, load_layout
from memtui.store.project import find_own_home, make_home

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memtui.core.edits import Receipt
    from memtui.core.model import Home
    from memtui.store.writing import Writing

OutcomeStatus = Literal["success", "partly", "failed", "unknown"]
Verdicts = Literal["helpful", "wrong", "stale"]
PatternStatus = Literal["active", "addressed", "suppressed"]
"""How a pattern stands (spec 002)."""


class ExperienceRef(NamedTuple):
    """An experience was used in a session."""

    experience: str
    session: str
    time: float | None
    context: str = ""
    line: int = 0
    """In the log."""
    digest: str = ""
    """Of what the experience says without any markup, where its id is made otherwise: code-memory's are."""


class Outcome(NamedTuple):
    """How a session went."""

    session: str
    time: float | None
    status: OutcomeStatus
    corrections: int = 0
    """How often the person corrected the agent."""
    reason: str = ""
    line: int = 0


class Verdict(NamedTuple):
    """What a person said of an experience."""

    experience: str
    verdict: Verdicts
    time: float | None
    who: str = ""
    reason: str = ""
    line: int = 0
    digest: str = ""
    """As a `Ref` has it."""


class SessionSignals(NamedTuple):
    """All signals of one session; none is an answer, too."""

    session: str
    time: float | None
    """When the session ended."""
    signals: tuple[Signal, ...] = ()
    project: str = ""
    path: str = ""
    """The session's summary, relative to its home, else its transcript."""
    line: int = 0
    """In the log; 0: it was worked out, and stands in no log."""


class Settled(NamedTuple):
    """Somebody said how a pattern stands."""

    pattern: str
    status: PatternStatus
    time: float | None
    who: str = ""
    reason: str = ""
    line: int = 0


Event = ExperienceRef | Outcome | Verdict | SessionSignals | Settled

_GOOD = frozenset({"success", "succeeded", "successful", "ok", "passed", "complete", "completed", "成功", "完成"})
_BAD = frozenset({"failure", "failed", "fail", "error", "errored", "aborted", "失败"})
_PARTLY = frozenset({"partly", "partial", "mixed", "部分", "部分完成"})
_TIMES = ("timestamp", "ts", "at", "created_at")


def parse_outcome(word: str) -> OutcomeStatus:
    """An outcome as one of four words: 'failed: tests do not pass' is failed."""
    word = word.strip().lower().partition(":")[0].partition("：")[0].strip()
    for name, words in (("success", _GOOD), ("failed", _BAD), ("partly", _PARTLY)):
        if word in words:
            return name  # type: ignore[return-value]
    return "unknown"


def parse_event(record: Mapping[str, Any], at: int) -> Event | None:
    """The event in a line of the log; None where it is of no kind that counts here. Never raises."""
    plain = dict(record)
    name = (find_first_text(plain, "event_type", "event") or find_first_text(plain, "type")).lower()
    time = next((found for key in _TIMES if (found := parse_moment(plain.get(key))) is not None), None)
    session = fit_line(plain.get("session_id", ""))
    experience = fit_line(plain.get("experience_id", ""))
    reason = fit_line(plain.get("reason", "") or "")
    if name in {"ref", "experiencereferenced"} and experience:
        return ExperienceRef(
            experience, session, time, find_first_text(plain, "context"), at, fit_line(plain.get("digest", ""))
        )
    if name in {"outcome", "sessionoutcome"} and session:
        word = find_first_text(plain, "outcome", "status", "outcome_status")
        many = parse_number(plain.get("corrections", plain.get("user_corrections")))
        return Outcome(session, time, parse_outcome(word), int(many or 0), reason, at)
    if name == "verdict" and experience:
        said = fit_line(plain.get("verdict", ""))
        if said in {"helpful", "wrong", "stale"}:
            digest = fit_line(plain.get("digest", ""))
            return Verdict(experience, said, time, fit_line(plain.get("who", "")), reason, at, digest)  # type: ignore[arg-type]
    if name == "signals" and session:
        listed = plain.get("signals")
        signs = tuple(_parse_signals(listed if isinstance(listed, list) else ()))
        return SessionSignals(
            session, time, signs, fit_line(plain.get("project", "")), fit_line(plain.get("path", "")), at
        )
    if name == "pattern":
        said = fit_line(plain.get("status", ""))
        pattern = fit_line(plain.get("pattern", ""))
        if pattern and said in {"active", "addressed", "suppressed"}:
            return Settled(pattern, said, time, fit_line(plain.get("who", "")), reason, at)  # type: ignore[arg-type]
    return None


def _parse_signals(listed: Iterable[Any]) -> Iterable[Signal]:
    for one in listed:
        if isinstance(one, dict) and one.get("type") in SIGNALS:
            texts = {name: fit_line(one.get(name, "")) for name in ("text", "path", "about", "why")}
            at = one.get("line")
            yield Signal(one["type"], line=at if isinstance(at, int) and at > 0 else 0, **texts)


Plain = dict[str, Any]

LARGEST = 40 * 1024
"""Bytes of one session's signals: below what an append takes, as more goes with them and masking makes them longer."""

_OURS = compile_pattern(rb'"event_type"\s*:\s*"(?:verdict|signals|pattern)"')
_TEXTS = frozenset({"context", "reason", "text", "why", "about"})
"""Keys under which others' words stand."""
_CONTEXT, _REASON, _SAID, _ABOUT = 300, 300, 200, 80


def is_script_dialect(data: bytes, home: Home) -> bool:
    """Whether the log's newest event that tells is in the scripts' dialect; a new one by whose home it is."""
    for record in reversed(data.split(b"\n")):
        if b'"ts"' in record:
            return True
        if b'"event_type"' in record and _OURS.search(record) is None:
            return False
    return load_facts(home).log_dialect == "scripts"


def encode_use(experience: Experience, session: str, context: str, time: float | None = None) -> Plain:
    """An experience was used."""
    plain = _begin_record("ref", time) | {"experience_id": experience.id, "session_id": session}
    return plain | _drop_empty(context=fit_line(context, _CONTEXT), digest=experience.digest)


def encode_outcome(outcome: Outcome, *, errors: bool = False, updated: int = 0) -> Plain:
    """How a session went; the last two are for the scripts only: whether it had errors, experiences concerned."""
    return {
        **_begin_record("outcome", outcome.time),
        "session_id": outcome.session,
        "outcome": outcome.status,
        "corrections": outcome.corrections,
        **_drop_empty(reason=fit_line(outcome.reason, _REASON)),
        "has_errors": int(errors),
        "experiences_updated": updated,
    }


def encode_verdict(verdict: Verdict) -> Plain:
    """What a person said of an experience."""
    plain = _begin_record("verdict", verdict.time) | {"experience_id": verdict.experience, "verdict": verdict.verdict}
    return plain | _drop_empty(who=verdict.who, reason=fit_line(verdict.reason, _REASON), digest=verdict.digest)


def encode_signals(heard: SessionSignals) -> Plain:
    """All signals of a session, as many as one record holds."""
    plain = _begin_record("signals", heard.time) | {
        "session_id": heard.session,
        **_drop_empty(project=fit_line(heard.project), path=fit_line(heard.path, 500)),
    }
    signals = [_dump_signal(one) for one in heard.signals]
    room = LARGEST - len(_dump_line(plain).encode()) - 64
    kept: list[Plain] = []
    for one in signals:
        room -= len(_dump_line(one).encode()) + 2
        if room < 0:
            return {**plain, "signals": kept, "left": len(signals) - len(kept)}
        kept.append(one)
    return {**plain, "signals": kept}


def encode_settled(settled: Settled) -> Plain:
    """How a pattern stands from now on."""
    plain = _begin_record("pattern", settled.time) | {"pattern": settled.pattern, "status": settled.status}
    return plain | _drop_empty(who=settled.who, reason=fit_line(settled.reason, _REASON))


def record(events: Iterable[Plain], *, scripts: bool, trusted: bool) -> str:
    """The events as lines. Words that read like an order to agents are left out of what is not `trusted`."""
    lines = [_dump_line(_translate_event(event) if scripts else _drop_extra_keys(event)) for event in events]
    text = "\n".join(lines)
    if trusted:
        return text
    from memtui.safety.injection import examine

    if examine(text).action != "quarantine":
        return text
    harmless = [_remove_words(json.loads(one), lambda said: examine(said).action == "quarantine") for one in lines]
    text = "\n".join(map(_dump_line, harmless))
    if examine(text).action == "quarantine":
        text = "\n".join(_dump_line(_remove_words(one, bool)) for one in harmless)
    return text


def _dump_signal(one: Signal) -> Plain:
    return {
        "type": one.type,
        "text": fit_line(one.text, _SAID),
        **_drop_empty(path=fit_line(one.path, 500), line=max(one.line, 0)),
        **_drop_empty(about=fit_line(one.about, _ABOUT), why=fit_line(one.why, _ABOUT)),
    }


def _begin_record(kind: str, time: float | None) -> Plain:
    stamp = clock.convert_to_local(clock.now() if time is None else time).replace(tzinfo=None)
    return {"timestamp": stamp.isoformat(timespec="seconds"), "event_type": kind}


def _drop_empty(**named: Any) -> Plain:
    return {name: value for name, value in named.items() if value}


def _dump_line(plain: Any) -> str:
    # Half a character, which no file can hold, becomes a question mark.
    return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace").decode()


def _drop_extra_keys(event: Plain) -> Plain:
    return {key: value for key, value in event.items() if key not in {"has_errors", "experiences_updated"}}


def _translate_event(event: Plain) -> Plain:
    """An event as code-memory's own scripts write it."""
    kind, time, session = event["event_type"], event["timestamp"], event.get("session_id", "")
    if kind == "ref":
        plain = {"type": "ExperienceReferenced", "ts": time, "experience_id": event["experience_id"]}
        return plain | {"session_id": session} | _drop_empty(context=event.get("context"), digest=event.get("digest"))
    if kind != "outcome":
        return event
    return {
        "type": "SessionOutcome",
        "ts": time,
        "session_id": session,
        "status": "unknown" if event["outcome"] == "partly" else event["outcome"],
        # The scripts have no word for it.
        **_drop_empty(outcome="partly" if event["outcome"] == "partly" else ""),
        "has_errors": event["has_errors"],
        "user_corrections": event["corrections"],
        "experiences_updated": event["experiences_updated"],
        **_drop_empty(reason=event.get("reason")),
    }


def _remove_words(plain: Plain, bad: Any) -> Plain:
    """The event without words that are bad."""
    signals: Sequence[Plain] = plain.get("signals", ())
    kept = {key: value for key, value in plain.items() if key not in _TEXTS or not bad(value)}
    return kept | ({"signals": [_remove_words(one, bad) for one in signals]} if signals else {})


PATH = "evolution/audit.jsonl"


class Log(NamedTuple):
    """What it says, each part in the order of its lines. What cannot be read is counted."""

    refs: tuple[ExperienceRef, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    heard: tuple[SessionSignals, ...] = ()
    settled: tuple[Settled, ...] = ()
    skipped: int = 0
    """Lines that are no objects."""


class _Logs(dict[str, tuple[str, Log]]):
    """By home: the etag of the log, and what it says."""


def read(vault: Writing, home: Home) -> Log:
    """The log of a home as it stands now; empty where there is none. Read again only when it has changed."""
    try:
        data = vault.bytes_of(str(home.path), PATH)
    except VanishedError:
        # memtui's own home is made with the first event.
        return Log()
    if not data:
        return Log()
    mark = compute_etag(data)
    held = vault.kept.of(_Logs)
    known = held.get(str(home.path))
    if known is None or known[0] != mark:
        held[str(home.path)] = known = (mark, parse_log(data))
    return known[1]


def load_home_log(vault: Writing, home: Home) -> Log:
    """The log that has the events of this home: its own, else memtui's own home's."""
    return read(vault, find_log_home(home))


def load_settled(vault: Writing, home: Home) -> tuple[Settled, ...]:
    """What was said of this home's patterns, whichever log it stands in."""
    log, behind = load_home_log(vault, home), name_owner(home)
    if not behind:
        return tuple(one for one in log.settled if " @" not in one.pattern)
    ours = (one for one in log.settled if one.pattern.endswith(behind))
    return tuple(one._replace(pattern=one.pattern.removesuffix(behind)) for one in ours)


def name_owner(home: Home) -> str:
    """What stands behind the key of a pattern in a log that is not the home's own."""
    if find_log_home(home).path == home.path:
        return ""
    return f" @{sha256(str(home.path).encode('utf-8', 'surrogateescape'))[:12]}"


def parse_log(data: bytes) -> Log:
    """A log's bytes as events. Linear; never raises."""
    refs: list[ExperienceRef] = []
    outcomes: list[Outcome] = []
    verdicts: list[Verdict] = []
    heard: list[SessionSignals] = []
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
        match parse_event(record, number):
            case ExperienceRef() as found:
                refs.append(found)
            case Outcome() as found:
                outcomes.append(found)
            case Verdict() as found:
                verdicts.append(found)
            case SessionSignals() as found:
                heard.append(found)
            case Settled() as found:
                settled.append(found)
    return Log(tuple(refs), tuple(outcomes), tuple(verdicts), tuple(heard), tuple(settled), skipped)


W = TypeVar("W", bound="Writing")


def has_log(home: Home) -> bool:
    """Whether a home has a place for the log."""
    kind = load_layout(home.layout)
    role = kind.role(home.path, PATH) if kind.facts.log_dialect else None
    return role is not None and role.layer is Layer.EVOLUTION


def find_log_home(home: Home) -> Home:
    """The home whose log has the events of this one: itself, else memtui's own, which may not be there yet."""
    return home if home.writable and has_log(home) else find_own_home()


def prepare_log_home(vault: Writing, home: Home) -> Home:
    """The same, made where memtui's own was never there.

    Raises VanishedError where a home is gone that was open or keeps its own log: nothing is made in its place.
    """
    wanted, opened = find_log_home(home), {one.path for one in vault.homes}
    for one in (home, wanted) if has_log(home) else (wanted,):
        if (one.path in opened or one.path != find_own_home().path) and not one.path.is_dir():
            raise VanishedError(_("{root} is gone: is its disk there?").format(root=one.path))
    return make_home(wanted)


@contextmanager
def place(vault: W, home: Home) -> Iterator[tuple[W, Home]]:
    """The same to be written to. Raises as `prepare_log_home` does."""
    wanted = prepare_log_home(vault, home)
    held = next((one for one in vault.homes if one.path == wanted.path), None)
    if held is not None:
        yield vault, held
        return
    with vault.over(wanted) as mine:
        mine.current = False
        yield mine, wanted


def append_use(
    vault: Writing,
    home: Home,
    used: Experience,
    session: str,
    *,
    who: str,
    context: str = "",
    outcome: str = "",
    corrections: int = 0,
) -> Receipt:
    """Append the use, and the outcome where there is one."""
    told = [encode_use(used, session, context)]
    if outcome:
        went = Outcome(session, None, parse_outcome(outcome), corrections)
        told.append(encode_outcome(went, updated=1))
    what = _("noted that {experience} was used").format(experience=used.id)
    return append_events(vault, home, told, who=who, what=what)


def append_settled(vault: Writing, home: Home, settled: Settled, *, who: str) -> Receipt:
    """Append how a pattern stands from now on."""
    # In another home's log its name says whose it is, which nobody can read.
    pattern = settled.pattern.partition(" @")[0]
    what = _("noted that {pattern} is {status}").format(pattern=pattern, status=_(settled.status))
    return append_events(vault, home, [encode_settled(settled)], who=who, what=what)


def append_events(
    vault: Writing, home: Home, told: Sequence[Plain], *, who: str, what: str, group: str = ""
) -> Receipt:
    """Append events to the log that takes a home's. Raises what `Vault.apply` does, as all writers here do."""
    with place(vault, home) as (pen, kept):
        return pen.apply([build_log_append(pen, kept, told, who)], verb="feedback", who=who, what=what, group=group)


def build_log_append(vault: Writing, kept: Home, told: Sequence[Plain], who: str) -> Append:
    """The change that appends events to a home's own log, in the dialect that the log is in."""
    root = str(kept.path)
    data = vault.bytes_of(root, PATH) if kept.path.is_dir() else None
    scripts = is_script_dialect(data or b"", kept)
    return Append(root, PATH, record(told, scripts=scripts, trusted=who == "person"))


def merge_logs(logs: Iterable[Log]) -> Log:
    """Several logs as one: of a session that several tell about, the newest word holds that says how it went."""
    logs = list(logs)
    if len(logs) == 1:
        return logs[0]
    went: dict[str, Outcome] = {}
    for one in logs:
        for session, outcome in {outcome.session: outcome for outcome in one.outcomes}.items():
            known = went.get(session)
            # Who cannot tell does not contradict who could.
            if known is None or _rank_outcome(known) <= _rank_outcome(outcome):
                went[session] = outcome
    verdicts = sorted((said for one in logs for said in one.verdicts), key=lambda said: said.time or 0.0)
    return Log(
        tuple(ref for one in logs for ref in one.refs),
        tuple(went.values()),
        tuple(verdicts),
        tuple(heard for one in logs for heard in one.heard),
        tuple(settled for one in logs for settled in one.settled),
        sum(one.skipped for one in logs),
    )


def _rank_outcome(outcome: Outcome) -> tuple[bool, float]:
    return outcome.status != "unknown", outcome.time or 0.0


class Experience(NamedTuple):
    """What was used."""

    id: str
    """As spec 002 names it: 'avoidance:<16 digits>', 'rule:<project>:<category>:<16 digits>', 'memory:<id>'."""
    home: str
    """The home that it stands in; empty: not known."""
    digest: str = ""
    """Of what it says without any markup, where the id is made of the bullet as it stands."""
