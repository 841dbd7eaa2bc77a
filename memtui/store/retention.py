"""How long memories stay (spec 003): types, priorities, durations, decay; functions of a memory's fields and a clock.

Nobody's memory gets an end that nobody gave it: what is on disk expires only where it says when, and fades only
where it says that it is short-term. A memory is exempt where it is

* the person's own (layer profile),
* tagged #pinned or #evergreen (#置顶, #常青): a bullet's, a record's, a row's tags, or its document's frontmatter,
* marked `pinned: true` or `evergreen: true`: in frontmatter (for all of the document), in a comment
  `<!-- pinned: true -->` beside a bullet, as a member of a JSON record, in the `metadata` of OpenAkita's row,
* of priority permanent.

What is superseded, archived or deleted already is left as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memtui.core import clock
from memtui.core.errors import UsageError
from memtui.core.locale import _, _n
from memtui.core.model import PERISHABLE, Layer, Status
from memtui.core.startup import compile_pattern
from memtui.formats.memory_rows import KINDS, TASK_TAGS
from memtui.formats.records import parse_moment, parse_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.core.config import LifecycleConfig
    from memtui.core.model import Entry

DAY = 86400.0
HOUR = 3600.0

PERMANENT, LONG, SHORT, TRANSIENT = "permanent", "long_term", "short_term", "transient"
PRIORITIES: Mapping[str, float | None] = {PERMANENT: None, LONG: 30 * DAY, SHORT: 3 * DAY, TRANSIENT: DAY}
"""Priority -> seconds that a memory stays; None: for ever."""
WORDS: Mapping[str, float | None] = {**PRIORITIES, "session": 2 * HOUR, "never": None, "永不": None, "从不": None}
"""Durations that have a name; the others are a number and a unit (24h, 7d)."""
TYPES: Mapping[str, str] = {"fact": PERMANENT, "pref": PERMANENT, "skill": PERMANENT, "lesson": "7d", "rule": PERMANENT}
"""Kind -> how long one stays that is written for its default time; a fact's time is its writer's judgement."""
TASK_RULE = "24h"
"""Of a rule that is tagged as a task's."""

IMPORTANCE, RATE = 0.5, 0.1
"""What holds where a short-term memory says nothing readable: the defaults of OpenAkita's columns."""

_USED = ("last_accessed_at", "lastAccessedAt", "updated_at")
"""When it was used; the last stands beside an entry's fields only where it could not be read."""
_PINS = frozenset({"pinned", "evergreen", "置顶", "常青"})
_YES = frozenset({"true", "yes", "on", "1"})
_AGE = compile_pattern(r"([0-9]{1,6})\s*(s|min|h|d|w|mo|m|y)")
_SECONDS = {
    "s": 1.0, "min": 60.0, "h": HOUR, "d": DAY, "w": 7 * DAY, "m": 30 * DAY, "mo": 30 * DAY, "y": 365 * DAY,
}  # fmt: skip

Doing = Literal["remove", "expire", "demote"]


class RetentionVerdict(NamedTuple):
    """What is due to happen to a memory."""

    what: Doing
    why: str
    """For a person."""
    value: float | None = None
    """Its importance as it has faded; None: it does not fade."""


# -- durations ----------------------------------------------------------------------------------------------------


def is_duration(duration: str) -> bool:
    """Whether it is a duration: permanent, session, a priority, 7d or the like."""
    return _normalize_duration(duration) in WORDS or _AGE.fullmatch(duration.strip().lower()) is not None


def compute_expiry(duration: str, now: float) -> float | None:
    """When what is written now for that long expires (spec 003's map); None: never.

    Raises UsageError for what is no duration.
    """
    word = _normalize_duration(duration)
    if word in WORDS:
        seconds = WORDS[word]
        return None if seconds is None else now + seconds
    age = _AGE.fullmatch(duration.strip().lower())
    if age is None:
        raise UsageError(
            _("'{text}' is no duration: permanent, session, 24h, 7d and short_term are.").format(text=duration)
        )
    return now + int(age[1]) * _SECONDS[age[2]]


def _normalize_duration(duration: str) -> str:
    return duration.strip().lower().replace("-", "_").replace(" ", "_")


def choose_default_duration(kind: str, tags: tuple[str, ...] = ()) -> str:
    """How long one of this kind stays by default, as a duration: a lesson 7d, a task's rule 24h, others for good."""
    if kind == "rule" and not TASK_TAGS.isdisjoint(tag.lower() for tag in tags):
        return TASK_RULE
    return TYPES.get(KINDS.get(kind, kind), PERMANENT)


# -- what a memory says of itself -----------------------------------------------------------------------------------


def parse_priority(entry: Entry) -> str:
    """One of PRIORITIES, however it is spelled; empty where the memory names none of them."""
    said = entry.extra.get("priority")
    if not isinstance(said, str):
        return ""
    word = _normalize_duration(said.rpartition(".")[2])
    return word if word in PRIORITIES else ""


def explain_exemption(entry: Entry) -> str:
    """Why nothing here ever happens to it, for a person; empty: it is not exempt."""
    if entry.layer is Layer.PROFILE:
        return _("it is the person's own")
    if not _PINS.isdisjoint(tag.strip("# ").lower() for tag in entry.tags):
        return _("it is tagged to stay")
    metadata = entry.extra.get("metadata")
    if _is_pinned_by(entry.extra) or (isinstance(metadata, dict) and _is_pinned_by(metadata)):
        return _("it is pinned")
    return _("it is permanent") if parse_priority(entry) == PERMANENT else ""


def _is_pinned_by(said: Mapping[str, Any]) -> bool:
    return any(
        name.lower() in _PINS and (value is True or str(value).strip().lower() in _YES) for name, value in said.items()
    )


def count_idle_days(entry: Entry, now: float) -> float:
    """Days since it was last looked at, else changed, else made; what is dated later than now is of now.

    So is what says when it was used in words that nobody can read: not knowing is no reason to let it go.
    """
    since: float | None = None
    for name in _USED:
        said = entry.extra.get(name)
        if said not in (None, ""):
            since = parse_moment(said)
            if since is None:
                return 0.0
            break
    if since is None:
        since = next((at for at in (entry.updated, entry.created) if at is not None), now)
    return max(0.0, (now - since) / DAY)


def compute_faded_importance(entry: Entry, now: float) -> float | None:
    """Its importance by now, 0 to 1: importance × (1 - decay rate) ^ days; None where it does not fade.

    Only what says that it is short-term fades. What is out of range or unreadable counts as not said.
    """
    if parse_priority(entry) != SHORT:
        return None
    importance = IMPORTANCE if entry.importance is None or entry.importance < 0 else min(entry.importance, 1.0)
    rate = parse_number(entry.extra.get("decay_rate"))
    if rate is None or not 0 <= rate <= 1:
        rate = RATE
    return float(importance * (1 - rate) ** count_idle_days(entry, now))


def is_rarely_used(entry: Entry, used: int) -> bool:
    """Whether it was used less often than that. An unreadable count is no reason to let anything go."""
    said = entry.extra.get("access_count")
    if said in (None, ""):
        return used > 0
    count = parse_number(said)
    return count is not None and count < used


# -- what is due ------------------------------------------------------------------------------------------------


def compute_verdict(entry: Entry, now: float, config: LifecycleConfig) -> RetentionVerdict | None:
    """What is due at that moment, by spec 003's daily rules; None: nothing.

    In the order of the specification: what has faded away and was rarely used goes, what is past its end expires,
    what has faded becomes transient. With time a memory only moves up that order.
    """
    if entry.status not in {*PERISHABLE, Status.EXPIRED} or explain_exemption(entry):
        return None
    value = compute_faded_importance(entry, now) if entry.status is not Status.CANDIDATE else None
    if value is not None and value < config.remove and is_rarely_used(entry, config.used):
        return RetentionVerdict("remove", _explain_faint(entry, value, now), value)
    if entry.expires is not None and entry.expires <= now:
        return RetentionVerdict("expire", _("expired on {day}").format(day=clock.format_day(entry.expires)), value)
    if value is not None and value < config.demote and entry.status is Status.ACTIVE:
        return RetentionVerdict("demote", _explain_faint(entry, value, now), value)
    return None


def compute_transient_expiry(entry: Entry, now: float) -> float:
    """When a memory that becomes transient now expires: in a day, or before that where it says so itself."""
    end = now + DAY
    return end if entry.expires is None else min(entry.expires, end)


def _explain_faint(entry: Entry, value: float, now: float) -> str:
    days = int(count_idle_days(entry, now))
    # Cut, not rounded: what is due for being below 0.3 must not read as 0.30.
    shown = f"{int(value * 100) / 100:.2f}"
    if not days:
        return _("its importance is only {value}").format(value=shown)
    told = _n("importance faded to {value} after {count} day", "importance faded to {value} after {count} days", days)
    return told.replace("{value}", shown)
