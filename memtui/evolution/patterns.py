"""What comes back from session to session (spec 002, 循环检测), and what a person says of a pattern.

- `ProjectSessions.scopes`, pure: troubles that came back often enough within one window of
  sessions.
- `compute_patterns`, `compute_problems`, pure: a pattern is counted by the sessions that have it, in a window
  of eight; from three it is high, from five critical. Types are counted over the home's last sessions; what a
  signal is about is looked for in all of them and in those of each project, as projects are worked on in turns.
- `settle`: addressed, suppressed, or active again, with who said so, in the log. A home without a log has its
  patterns settled in that of memtui's home, under names that say whose they are.

Which lines tell of the same trouble, in whatever words.

What people call a trouble changes from session to session; what it is about is repeated, in one project and for
some time. So lines are compared by the words that were said of trouble there and then more than elsewhere: a
word that trouble of all projects has tells little, one that only the last weeks of one project have tells much.
Lines that share enough such words are one trouble, and so are those of one name, whenever they were said.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.evolution import audit
from memtui.evolution.audit import Settled
from memtui.evolution.effects import Pattern, Streak
from memtui.language.conversation import NARROW, SIGNAL_TYPES, SIGNALS
from memtui.language.naming import is_common, list_root_words, stem
from memtui.language.trouble_kinds import KINDS, ROUGH

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
    said = _map_newest(settled)
    found = []
    for name in SIGNALS:
        at = [place for place, one in enumerate(heard) if any(sign.type == name for sign in one.signals)]
        if at:
            group = Group(name, "", frozenset(), tuple(at), frozenset({name}))
            having = [heard[place] for place in at if place >= len(heard) - config.window]
            found.append(_make_pattern(group, Scope("", heard, at), having, heard, said.get(name), config))
    return _sort_patterns(found)


def compute_problems(
    heard: Sequence[SessionSignals], settled: Iterable[Settled], config: EvolutionConfig
) -> list[Pattern]:
    """What came back: heard of in enough sessions within one window at some time, in a project or in the home.

    What happens once or twice is none; what ended months ago is there, and quiet.
    """
    said = _map_newest(settled)
    projects = ProjectSessions(heard)
    found = []
    for group in (group for group in group_troubles(projects.heard) if projects.scopes(group, config)):
        # Where it stands out most: now, else when it was at its worst.
        spread = projects.scopes(group, config)
        scope = max(spread, key=lambda one: (_count(one, config), count_peak(one.at, config.window), one.project))
        keys = (f"{kind}:{one}" for kind in group.types for one in group.means)
        told = [said[key] for key in keys if key in said]
        word = max(told, key=_order, default=None)
        found.append(_make_pattern(group, scope, [heard[place] for place in group.places], heard, word, config))
    return _sort_patterns(found)


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


def _make_pattern(
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
        returned = status == "addressed" and _came_again(scope, settled, config)
    if returned:
        status = "active"
    if status == "active" and (not count or _is_long_ago(max(times, default=None), heard)):
        status = "quiet"
    urgent = status == "active"
    return Pattern(
        f"{group.type}:{group.about}" if group.about else group.type,
        group.type,
        group.about,
        count,
        min(config.window, len(among)),
        _choose_priority(count, config) if urgent else "normal",
        status,
        settled.who if settled is not None else "",
        settled.reason if settled is not None else "",
        min(times, default=None),
        max(times, default=None),
        len(group.places),
        _count_windows(scope, config.window),
        tuple(shown),
        returned,
        scope.project,
        group.means,
        group.types,
    )


def _choose_priority(count: int, config: EvolutionConfig) -> str:
    return "critical" if count >= config.critical else "high" if count >= config.high else "normal"


def _map_newest(settled: Iterable[Settled]) -> dict[str, Settled]:
    """The last word on each pattern; those without a time are older than those with one."""
    return {one.pattern: one for one in sorted(settled, key=_order)}


def _order(settled: Settled) -> tuple[float, int]:
    return (float("-inf") if settled.time is None else settled.time), settled.line


def _count(scope: Scope, config: EvolutionConfig) -> int:
    begin = len(scope.among) - config.window
    return sum(place >= begin for place in scope.at)


def _came_again(scope: Scope, settled: Settled, config: EvolutionConfig) -> bool:
    """Whether it has been heard often enough in one window since it was settled."""
    if settled.time is None:
        return False
    since = [place for place in scope.at if (scope.among[place].time or float("-inf")) > settled.time]
    return count_peak(since, config.window) >= config.high


def _is_long_ago(last: float | None, heard: Sequence[SessionSignals]) -> bool:
    newest = max((one.time for one in heard if one.time is not None), default=None)
    return last is not None and newest is not None and newest - last > QUIET_DAYS * _DAY


def _count_windows(scope: Scope, window: int) -> tuple[int, ...]:
    many = -(-len(scope.among) // window)
    counts = Counter((len(scope.among) - 1 - place) // window for place in scope.at)
    return tuple(counts[back] for back in reversed(range(min(many, WINDOWS))))


def _sort_patterns(found: list[Pattern]) -> list[Pattern]:
    return sorted(found, key=lambda one: (_RANK[one.status], -one.count, -(one.last or 0.0), one.key))


def settle(
    vault: Vault, home: Home, key: str, status: PatternStatus, reason: str = "", *, who: str = "person"
) -> Receipt:
    """Append that the pattern with this key stands so from now on: addressed, suppressed, or active again.

    Raises UsageError for what is no pattern's key, and what `Vault.apply` does.
    """
    if key.partition(":")[0] not in SIGNALS or key.endswith(":"):
        raise UsageError(_("'{key}' is no pattern: it begins with the type of a signal.").format(key=key[:80]))
    said = Settled(name_log_pattern(home, key), status, clock.now(), who, reason)
    return audit.append_settled(vault, home, said, who=who)


def name_log_pattern(home: Home, key: str) -> str:
    """What a pattern of this home is called in the log that takes its events."""
    return key + audit.name_owner(home)


def explain_settling(pattern: Pattern, status: PatternStatus, config: EvolutionConfig) -> str:
    """What to know before a pattern is settled so, for a person; empty: nothing."""
    if status == "suppressed" and pattern.count < config.high:
        return _("It is found in {count} of {window} sessions only: muting is meant for {high} and more.").format(
            count=pattern.count, window=pattern.window, high=config.high
        )
    return ""


NEAR = 9
"""So many sessions of a project apart, different words may tell of one trouble: a window."""
NOW = 2 * NEAR
"""Sessions of a project before and after in which a word of it is one of here and now."""
ALIKE = 0.62
"""What two lines must share: one word that is said here and now only, or several that are said here mostly."""
MEAN = 0.33
"""What all lines of one trouble must share on the average."""
_COMMON, _NAMED, _KIND = 0.55, 0.85, 0.2
"""What a word is worth that many things have, where the trouble is named by it, and where it is a kind of trouble."""
_OTHER_TYPE = 0.75
"""What words are worth that tell of two types of trouble."""
_FAULTS = frozenset(one.name for one in SIGNAL_TYPES if one.fault)
_SHARE, _AGAIN = 0.34, 0.6
"""Of a trouble's sessions, from how many it has the narrower type, and from how many its type is that it comes back."""


class Group(NamedTuple):
    """One trouble."""

    type: str
    about: str
    """The name that says most of it."""
    means: frozenset[str]
    """All of its names."""
    places: tuple[int, ...]
    """Which of the sessions have it, in order."""
    types: frozenset[str] = frozenset()
    """All types that its lines have."""


class _Line(NamedTuple):
    """What one session tells of trouble in one line."""

    place: int
    at: int
    """Among the sessions of its project."""
    family: str
    types: frozenset[str]
    abouts: frozenset[str]
    words: frozenset[str]
    named: frozenset[str]
    """The words of its name that are no kind of trouble."""


def group_troubles(heard: Sequence[SessionSignals]) -> list[Group]:
    """The troubles of these sessions. Signals that name nothing are in none."""
    projects = _collect_lines(heard)
    often = Counter(word for lines in projects.values() for word, _place in _pair_words(lines))
    crowds: list[list[_Line]] = []
    for _name, lines in sorted(projects.items()):
        crowds += _group_crowds(lines, often)
    found = [_group(name, crowd) for name, crowd in _join_same_names(crowds)]
    return sorted(found, key=lambda group: (-len(group.places), group.type, group.about))


def _collect_lines(heard: Iterable[SessionSignals]) -> dict[str, list[_Line]]:
    """All lines of each project, in order of time."""
    counts = Counter[str]()
    found: dict[str, list[_Line]] = defaultdict(list)
    for place, one in enumerate(heard):
        told: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for sign in one.signals:
            if sign.about:
                family = "" if sign.type in _FAULTS else sign.type
                told[family, sign.text].append((sign.type, sign.about))
        for (family, text), signs in sorted(told.items()):
            types, abouts = (frozenset(part) for part in zip(*signs, strict=True))
            named = frozenset(
                word for about in abouts for word in list_root_words("", about) if not _is_kind_word(word)
            )
            said = list_root_words(text, " ".join(sorted(abouts)))
            found[one.project].append(_Line(place, counts[one.project], family, types, abouts, said, named))
        counts[one.project] += 1
    return found


def _pair_words(lines: Iterable[_Line]) -> set[tuple[str, int]]:
    return {(word, line.place) for line in lines for word in line.words}


def _group_crowds(lines: Sequence[_Line], often: Counter[str]) -> list[list[_Line]]:
    """The lines of one project, those together that tell of the same."""
    alike = _measure_pairs(lines, often)
    crowd = {number: [number] for number in range(len(lines))}
    for (one, other), shared in sorted(alike.items(), key=lambda item: (-item[1], item[0])):
        mine, theirs = crowd[one], crowd[other]
        if shared < ALIKE:
            break
        if mine is theirs:
            continue
        # What is far apart in time was not held against each other: a long trouble is one by its neighbours.
        pairs = [(min(a, b), max(a, b)) for a in mine for b in theirs if abs(lines[a].at - lines[b].at) <= NEAR]
        if sum(alike.get(pair, 0.0) for pair in pairs) >= MEAN * len(pairs):
            mine += theirs
            crowd |= dict.fromkeys(theirs, mine)
    whole = {id(numbers): numbers for numbers in crowd.values()}
    return [[lines[number] for number in sorted(numbers)] for numbers in whole.values()]


def _measure_pairs(lines: Sequence[_Line], often: Counter[str]) -> dict[tuple[int, int], float]:
    """What pairs of lines share that are near each other."""
    at: dict[str, list[int]] = defaultdict(list)
    for word, place in sorted(_pair_words(line._replace(place=line.at) for line in lines), key=lambda one: one[1]):
        at[word].append(place)
    worth: dict[tuple[str, int], float] = {}
    near: dict[str, list[int]] = defaultdict(list)
    found: dict[tuple[int, int], float] = {}
    for number, line in enumerate(lines):
        shared: dict[int, float] = defaultdict(float)
        for word in sorted(line.words):
            before = near[word]
            for other in reversed(before):
                gap = line.at - lines[other].at
                if gap > NEAR:
                    break
                middle = line.at + lines[other].at
                if (word, middle) not in worth:
                    worth[word, middle] = _weigh_word(at[word], middle, often[word])
                named = word in line.named and word in lines[other].named
                weight = _KIND if _is_kind_word(word) else 1.0 if not is_common(word) else _NAMED if named else _COMMON
                shared[other] += worth[word, middle] * weight
            before.append(number)
        for other, value in shared.items():
            mate = lines[other]
            if mate.family == line.family and not _are_apart(mate, line):
                whole = value if mate.types & line.types else value * _OTHER_TYPE
                found[other, number] = min(whole, 1.5)
    return found


def _weigh_word(at: Sequence[int], middle: int, often: int) -> float:
    """The share of a word's sessions that are here and now, without one of them: said once it tells nothing."""
    near = bisect_right(at, middle / 2 + NOW) - bisect_left(at, middle / 2 - NOW)
    return (near - 1) / often


def _are_apart(one: _Line, other: _Line) -> bool:
    """Two classes of exceptions are two errors; an open door is no slow program, whatever stands behind it."""
    narrow, others = one.types & NARROW, other.types & NARROW
    if narrow and others and ("security_issue" in narrow) != ("security_issue" in others):
        return True
    mine, theirs = _find_classes(one), _find_classes(other)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _find_classes(line: _Line) -> frozenset[str]:
    return frozenset(word for about in line.abouts for word in about.split() if word.endswith(("error", "exception")))


def _join_same_names(crowds: Sequence[list[_Line]]) -> list[tuple[str, list[_Line]]]:
    """Crowds with their names. Those of one name are one trouble, whenever it was, and in whatever project.

    A name that says nothing of its own ('crash page') is the first's; the others have another one where they can.
    """
    found: dict[tuple[str, str], list[_Line]] = {}
    for crowd in sorted(crowds, key=lambda one: (-len(one), one)):
        family, names = crowd[0].family, _list_names(crowd)
        free = (name for name in names if _is_telling(name) or (family, name) not in found)
        found.setdefault((family, next(free, names[0])), []).extend(crowd)
    return [(name, sorted(crowd)) for (_family, name), crowd in found.items()]


def _list_names(crowd: Sequence[_Line]) -> list[str]:
    """All names of a crowd, first what says most of what most lines say."""
    shares = Counter(word for line in crowd for word in line.words)
    counts = Counter(about for line in crowd for about in line.abouts)

    def told(about: str) -> float:
        return sum(
            shares[word] * (0.5 if is_common(word) else 1.0) if shares[word] * 2 >= len(crowd) else -0.1
            for word in list_root_words("", about)
        )

    return sorted(counts, key=lambda about: (-round(told(about), 6), -counts[about], len(about), about))


def _is_telling(name: str) -> bool:
    return any(not is_common(word) for word in list_root_words("", name))


def _group(name: str, crowd: Sequence[_Line]) -> Group:
    places = tuple(sorted({line.place for line in crowd}))
    means = frozenset(about for line in crowd for about in line.abouts)
    types = frozenset(kind for line in crowd for kind in line.types)
    return Group(_choose_type(crowd, len(places)), name, means, places, types)


def _choose_type(crowd: Sequence[_Line], many: int) -> str:
    """The narrower type where a good part of the lines have it; that it comes back where nothing else is said."""
    counts = Counter(kind for kind, _place in {(kind, line.place) for line in crowd for kind in line.types})
    again = counts.pop("recurring_issue", 0)
    narrow = max(NARROW & counts.keys(), key=lambda kind: (counts[kind], kind), default="")
    if narrow and counts[narrow] >= _SHARE * many:
        return narrow
    if not counts or (counts.keys() == {"error"} and again >= _AGAIN * many):
        return "recurring_issue"
    return max(counts, key=lambda kind: (counts[kind], kind))


def _is_kind_word(word: str) -> bool:
    return word in _list_kind_words()


@cache
def _list_kind_words() -> frozenset[str]:
    names = {word for kind in (*KINDS, *ROUGH) for name in kind.name.split() for word in (name, *name.split("-"))}
    return frozenset(names | {stem(name) for name in names})
