"""What comes back from session to session (spec 002, 循环检测), and what a person says of a pattern.

- `ProjectSessions`, `select_recurring`, pure: troubles that came back often enough within one window of
  sessions.
- `compute_patterns`, `compute_problems`, pure: a pattern is counted by the sessions that have it, in a window
  of eight; from three it is high, from five critical. Types are counted over the home's last sessions; what a
  signal is about is looked for in all of them and in those of each project, as projects are worked on in turns.
- `settle`: addressed, suppressed, or active again, with who said so, in the log. A home without a log has its
  patterns settled in that of memtui's home, under names that say whose they are.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.core.startup import sha256
from memtui.evolution import audit, clusters, experiences
from memtui.evolution.audit import Settled
from memtui.evolution.clusters import Group
from memtui.evolution.results import Pattern, Streak
from memtui.language.conversation import SIGNALS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memtui.core.config import EvolutionConfig
    from memtui.core.edits import Receipt
    from memtui.core.model import Home
    from memtui.evolution.audit import Outcome, PatternStatus, SessionSignals
    from memtui.store.vault import Vault


class Scope(NamedTuple):
    """Sessions that a pattern is counted over, and which of them have it."""

    project: str
    among: Sequence[SessionSignals]
    at: Sequence[int]


class ProjectSessions:
    """The sessions of the home, and of each project by themselves."""

    def __init__(self, heard: Sequence[SessionSignals]) -> None:
        self.heard = heard
        found: dict[str, list[int]] = {}
        for place, one in enumerate(heard):
            found.setdefault(one.project, []).append(place)
        self._among = {name: [heard[place] for place in places] for name, places in found.items()}
        self._at = {place: at for places in found.values() for at, place in enumerate(places)}
        self._several = len(found) > 1

    def scopes(self, group: Group, config: EvolutionConfig) -> list[Scope]:
        """Where a trouble came back within a window."""
        spread = [Scope("", self.heard, group.places)]
        own: dict[str, list[int]] = {}
        for place in group.places:
            own.setdefault(self.heard[place].project, []).append(self._at[place])
        if self._several:
            spread += [Scope(name, self._among[name], at) for name, at in own.items() if name]
        return [scope for scope in spread if count_peak(scope.at, config.window) >= config.high]


def select_recurring(projects: ProjectSessions, config: EvolutionConfig) -> list[Group]:
    """Those that came back often enough, the commonest first."""
    return [group for group in clusters.group_troubles(projects.heard) if projects.scopes(group, config)]


def count_peak(at: Sequence[int], window: int) -> int:
    """How many of these places fit into one window at most."""
    best = first = 0
    for last, place in enumerate(at):
        while place - at[first] >= window:
            first += 1
        best = max(best, last - first + 1)
    return best


QUIET_DAYS = 30.0
"""What was not heard for so long before the newest session is quiet, however few sessions its project had since."""
WINDOWS = 26
"""Most windows of a history: with eight sessions each, a good deal of a year."""
_DAY = 86400.0
_RANK = {"active": 0, "addressed": 1, "suppressed": 2, "quiet": 3}


def sort_by_time(heard: SessionSignals) -> tuple[float, str]:
    """What sessions are sorted by: those without a time come first."""
    return (float("-inf") if heard.time is None else heard.time), heard.session


def compute_patterns(
    heard: Sequence[SessionSignals], settled: Iterable[Settled], config: EvolutionConfig
) -> list[Pattern]:
    """One for each type that was ever heard, the most urgent first. `heard` is oldest first."""
    said = _newest(settled)
    found = []
    for name in SIGNALS:
        at = [place for place, one in enumerate(heard) if any(sign.type == name for sign in one.signals)]
        if at:
            group = Group(name, "", frozenset(), tuple(at), frozenset({name}))
            having = [heard[place] for place in at if place >= len(heard) - config.window]
            found.append(_pattern(group, Scope("", heard, at), having, heard, said.get(name), config))
    return _sorted(found)


def compute_problems(
    heard: Sequence[SessionSignals], settled: Iterable[Settled], config: EvolutionConfig
) -> list[Pattern]:
    """What came back: heard of in enough sessions within one window at some time, in a project or in the home.

    What happens once or twice is none; what ended months ago is there, and quiet.
    """
    said = _newest(settled)
    projects = ProjectSessions(heard)
    found = []
    for group in select_recurring(projects, config):
        # Where it stands out most: now, else when it was at its worst.
        spread = projects.scopes(group, config)
        scope = max(
            spread, key=lambda one: (_count(one, config), count_peak(one.at, config.window), one.project)
        )
        keys = (f"{kind}:{one}" for kind in group.types for one in group.means)
        told = [said[key] for key in keys if key in said]
        word = max(told, key=_order, default=None)
        found.append(_pattern(group, scope, [heard[place] for place in group.places], heard, word, config))
    return _sorted(found)


def compute_streak(heard: Sequence[SessionSignals], outcomes: Mapping[str, Outcome]) -> Streak:
    """The sessions that failed since the last one that did not; those of unknown outcome neither end nor lengthen it.

    Sessions that only the log knows by their outcome count in their time.
    """
    times = {name: outcome.time for name, outcome in outcomes.items()}
    times |= {one.session: one.time for one in heard if one.time is not None}
    failed: list[str] = []
    for name in sorted(times, key=lambda one: (times[one] or float("-inf"), one), reverse=True):
        status = outcomes[name].status if name in outcomes else "unknown"
        if status == "failed":
            failed.append(name)
        elif status != "unknown":
            break
    return Streak(len(failed), tuple(reversed(failed)))


def _pattern(
    group: Group,
    scope: Scope,
    shown: Sequence[SessionSignals],
    heard: Sequence[SessionSignals],
    settled: Settled | None,
    config: EvolutionConfig,
) -> Pattern:
    count, among = _count(scope, config), scope.among
    times = [time for place in group.places if (time := heard[place].time) is not None]
    status, returned = "active", False
    if settled is not None and settled.status != "active":
        status = settled.status
        returned = status == "addressed" and _again(scope, settled, config)
    if returned:
        status = "active"
    if status == "active" and (not count or _long_ago(max(times, default=None), heard)):
        status = "quiet"
    urgent = status == "active"
    return Pattern(
        f"{group.type}:{group.about}" if group.about else group.type,
        group.type,
        group.about,
        count,
        min(config.window, len(among)),
        _priority(count, config) if urgent else "normal",
        status,
        settled.who if settled is not None else "",
        settled.reason if settled is not None else "",
        min(times, default=None),
        max(times, default=None),
        len(group.places),
        _history(scope, config.window),
        tuple(shown),
        returned,
        scope.project,
        group.means,
        group.types,
    )


def _priority(count: int, config: EvolutionConfig) -> str:
    return "critical" if count >= config.critical else "high" if count >= config.high else "normal"


def _newest(settled: Iterable[Settled]) -> dict[str, Settled]:
    """The last word on each pattern; those without a time are older than those with one."""
    return {one.pattern: one for one in sorted(settled, key=_order)}


def _order(settled: Settled) -> tuple[float, int]:
    return (float("-inf") if settled.time is None else settled.time), settled.line


def _count(scope: Scope, config: EvolutionConfig) -> int:
    begin = len(scope.among) - config.window
    return sum(place >= begin for place in scope.at)


def _again(scope: Scope, settled: Settled, config: EvolutionConfig) -> bool:
    """Whether it has been heard often enough in one window since it was settled."""
    if settled.time is None:
        return False
    since = [place for place in scope.at if (scope.among[place].time or float("-inf")) > settled.time]
    return count_peak(since, config.window) >= config.high


def _long_ago(last: float | None, heard: Sequence[SessionSignals]) -> bool:
    newest = max((one.time for one in heard if one.time is not None), default=None)
    return last is not None and newest is not None and newest - last > QUIET_DAYS * _DAY


def _history(scope: Scope, window: int) -> tuple[int, ...]:
    many = -(-len(scope.among) // window)
    counts = Counter((len(scope.among) - 1 - place) // window for place in scope.at)
    return tuple(counts[back] for back in reversed(range(min(many, WINDOWS))))


def _sorted(found: list[Pattern]) -> list[Pattern]:
    return sorted(found, key=lambda one: (_RANK[one.status], -one.count, -(one.last or 0.0), one.key))


def settle(
    vault: Vault, home: Home, key: str, status: PatternStatus, reason: str = "", *, who: str = "person"
) -> Receipt:
    """Append that the pattern with this key stands so from now on: addressed, suppressed, or active again.

    Raises UsageError for what is no pattern's key, and what `Vault.apply` does.
    """
    if key.partition(":")[0] not in SIGNALS or key.endswith(":"):
        raise UsageError(
            _("'{key}' is no pattern: it begins with the type of a signal.").format(key=key[:80])
        )
    said = Settled(name_log_pattern(home, key), status, clock.now(), who, reason)
    return audit.append_settled(vault, home, said, who=who)


def name_log_pattern(home: Home, key: str) -> str:
    """What a pattern of this home is called in the log that takes its events."""
    return key + _whose(home)


def load_settled(vault: Vault, home: Home) -> tuple[Settled, ...]:
    """What was said of this home's patterns, whichever log it stands in."""
    log, behind = experiences.load_home_log(vault, home), _whose(home)
    if not behind:
        return tuple(one for one in log.settled if " @" not in one.pattern)
    ours = (one for one in log.settled if one.pattern.endswith(behind))
    return tuple(one._replace(pattern=one.pattern.removesuffix(behind)) for one in ours)


def explain_settling(pattern: Pattern, status: PatternStatus, config: EvolutionConfig) -> str:
    """What to know before a pattern is settled so, for a person; empty: nothing."""
    if status == "suppressed" and pattern.count < config.high:
        return _(
            "It is found in {count} of {window} sessions only: muting is meant for {high} and more."
        ).format(count=pattern.count, window=pattern.window, high=config.high)
    return ""


def _whose(home: Home) -> str:
    """What stands behind the key of a pattern in a log that is not the home's own."""
    if audit.find_log_home(home).path == home.path:
        return ""
    return f" @{sha256(str(home.path).encode('utf-8', 'surrogateescape'))[:12]}"
