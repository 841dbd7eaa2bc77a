"""The events of evolution's audit log as types (spec 002): what was used, how sessions went, what was heard in them.

Two dialects are in use and read alike: the specification's (`timestamp`, `event_type`) and the one that code-memory's
scripts really write (`ts`, `type`). Beyond both, memtui's own events: `verdict`, `signals`, `pattern`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memtui.parse.fields import first, line, moment, number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SIGNALS = (
    "error", "correction", "capability_gap", "recurring_issue", "environment_issue", "dependency_issue",
    "performance_issue", "security_issue",
)  # fmt: skip
"""Spec 002's eight types of signals."""

OutcomeStatus = Literal["success", "partly", "failed", "unknown"]
Verdicts = Literal["helpful", "wrong", "stale"]
PatternStatus = Literal["active", "addressed", "suppressed"]
"""How a pattern stands (spec 002)."""


class Signal(NamedTuple):
    """One sign of trouble in a session, and the line that it was heard in."""

    type: str
    """One of `SIGNALS`."""
    text: str
    """What was said, in one short line."""
    path: str = ""
    """Relative to the home where it stands in one, else the transcript's absolute path."""
    line: int = 0
    """1-based; 0: unknown."""
    about: str = ""
    """What it is about, the same for the same trouble in other words: 'econnrefused redis'; empty: nothing to name."""
    why: str = ""
    """What told it, for a person: 'a traceback', 'the user corrected the agent'."""


class Ref(NamedTuple):
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


class Heard(NamedTuple):
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


Event = Ref | Outcome | Verdict | Heard | Settled

_GOOD = frozenset(
    {"success", "succeeded", "successful", "ok", "passed", "complete", "completed", "成功", "完成"}
)
_BAD = frozenset({"failure", "failed", "fail", "error", "errored", "aborted", "失败"})
_PARTLY = frozenset({"partly", "partial", "mixed", "部分", "部分完成"})
_TIMES = ("timestamp", "ts", "at", "created_at")


def status(word: str) -> OutcomeStatus:
    """An outcome as one of four words: 'failed: tests do not pass' is failed."""
    word = word.strip().lower().partition(":")[0].partition("：")[0].strip()
    for name, words in (("success", _GOOD), ("failed", _BAD), ("partly", _PARTLY)):
        if word in words:
            return name  # type: ignore[return-value]
    return "unknown"


def event(record: Mapping[str, Any], at: int) -> Event | None:
    """The event in a line of the log; None where it is of no kind that counts here. Never raises."""
    plain = dict(record)
    name = (first(plain, "event_type", "event") or first(plain, "type")).lower()
    time = next((found for key in _TIMES if (found := moment(plain.get(key))) is not None), None)
    session = line(plain.get("session_id", ""))
    experience = line(plain.get("experience_id", ""))
    reason = line(plain.get("reason", "") or "")
    if name in {"ref", "experiencereferenced"} and experience:
        return Ref(experience, session, time, first(plain, "context"), at, line(plain.get("digest", "")))
    if name in {"outcome", "sessionoutcome"} and session:
        word = first(plain, "outcome", "status", "outcome_status")
        many = number(plain.get("corrections", plain.get("user_corrections")))
        return Outcome(session, time, status(word), int(many or 0), reason, at)
    if name == "verdict" and experience:
        said = line(plain.get("verdict", ""))
        if said in {"helpful", "wrong", "stale"}:
            digest = line(plain.get("digest", ""))
            return Verdict(experience, said, time, line(plain.get("who", "")), reason, at, digest)  # type: ignore[arg-type]
    if name == "signals" and session:
        listed = plain.get("signals")
        signs = tuple(_signals(listed if isinstance(listed, list) else ()))
        return Heard(session, time, signs, line(plain.get("project", "")), line(plain.get("path", "")), at)
    if name == "pattern":
        said = line(plain.get("status", ""))
        pattern = line(plain.get("pattern", ""))
        if pattern and said in {"active", "addressed", "suppressed"}:
            return Settled(pattern, said, time, line(plain.get("who", "")), reason, at)  # type: ignore[arg-type]
    return None


def _signals(listed: Iterable[Any]) -> Iterable[Signal]:
    for one in listed:
        if isinstance(one, dict) and one.get("type") in SIGNALS:
            texts = {name: line(one.get(name, "")) for name in ("text", "path", "about", "why")}
            at = one.get("line")
            yield Signal(one["type"], line=at if isinstance(at, int) and at > 0 else 0, **texts)
