"""A part of a memory file as it may be given to an agent: current and masked, and either an approved rule or data.

A passage is read from the file itself, never from an index, so that a session's start waits for nothing. Only
what holds is in it: not what was superseded, archived, has expired or was never approved (specs 002 to 004),
nor comments.

Approved rules are given to follow, everything else as data. Approvals are a ledger in the state directory,
never in a home: a cloned repository brings none along, and no agent writes them. A rule counts as long as it
stands word for word in the file that it was approved for.

The last part says what of the journal a session still sees (spec 004): all of the last days, a few a day before, then
only sure facts. It is a function of facts and a clock. Limits keep the newest: of a day's facts the last three, of all
facts the last fifteen.
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from typing import Protocol, TypeVar

from memtui.core import clock
from memtui.core.edits import Append
from memtui.core.errors import MemtuiError
from memtui.core.locale import _
from memtui.core.model import PERISHABLE, Layer, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern, sha256
from memtui.formats import Source, parse
from memtui.fs.files import HomeReader
from memtui.fs.places import state
from memtui.layouts import load_layout
from memtui.safety.sanitize import compile_own_patterns, redact_text

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from memtui.core.config import Config
    from memtui.core.edits import Change
    from memtui.core.model import Entry, Home, Role


LONGEST = 256 * 1024
"""Bytes of one file that are read: no session is given more."""

_COMMENT = compile_pattern(r"<!--.*?-->", re.DOTALL)
_HEADING = compile_pattern(r"#{1,6}\s")

Patterns = tuple[re.Pattern[str], ...]


class Passage(NamedTuple):
    """Some lines of one file, and why they are offered."""

    home: Home
    path: str
    layer: Layer
    kind: str
    reason: str
    lines: tuple[tuple[int, str], ...]
    """Those that may be given, each with its number in the file."""
    total: int = 0
    """Lines of the whole file."""
    ends: frozenset[int] = frozenset()
    """Lines behind which it may be cut: an entry or a section ends there."""
    entries: tuple[Entry, ...] = ()
    trust: str = "auto"
    whole: bool = True
    """False: the file is longer than what was read of it."""
    unwanted: str = ""
    """Why it is not given after all, for a person."""

    @property
    def text(self) -> str:
        """The lines, without blank ones at either end."""
        return "\n".join(line for _number, line in self.lines).strip("\n")

    @property
    def says(self) -> bool:
        """Whether anything stands below its headings: a form that nobody has filled in says nothing."""
        return any(line.strip() and not _HEADING.match(line) for _number, line in self.lines)

    @property
    def line(self) -> int:
        """The first of them that says something."""
        return next((number for number, line in self.lines if line.strip()), 0)

    def without(self, gone: Container[int]) -> Passage:
        """The passage without these lines, and without headings that nothing is left below."""
        kept = _drop_empty_headings([pair for pair in self.lines if pair[0] not in gone])
        return self._replace(lines=_squeeze_blanks(kept))


def compile_config_patterns(config: Config) -> Patterns:
    """A person's own patterns for secrets."""
    return compile_own_patterns(config.redact.patterns)


def open_source(home: Home, path: str) -> Source | None:
    """A file of a home, its secrets masked; None where it is gone, no memory, or may not be read."""
    role = load_layout(home.layout).role(home.path, path)
    if role is None or not role.limit:
        return None
    return open_role_source(home, path, role)


def open_role_source(home: Home, path: str, role: Role, limit: int = LONGEST) -> Source | None:
    """A file of a home whose role is known."""
    try:
        with HomeReader(home.path) as reader:
            data, status = reader.read(path, limit)
    except (MemtuiError, OSError):
        return None
    if status.st_size > len(data):
        # A half line says something else than the whole one.
        data = data[: data.rfind(b"\n") + 1]
    return Source(path, role, data, str(home.path / path), status.st_mtime, status.st_size, masked=True)


def build_passage(
    home: Home, path: str, reason: str, *, now: float, hidden: Patterns = (), kind: str = ""
) -> Passage | None:
    """What of a file may be given; None where that is nothing."""
    source = open_source(home, path)
    if source is None:
        return None
    entries = tuple(parse(source).entries)
    dropped = {line for entry in entries if not holds(entry, now) for line in range(entry.start, entry.end + 1)}
    text = mask_own_secrets("\n".join(source.lines), hidden)
    if "<!--" in text:
        text = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    every = [line.rstrip() for line in text.split("\n")]
    lines = tuple((number, line) for number, line in enumerate(every, 1) if number not in dropped)
    if dropped:
        lines = _drop_empty_headings(lines)
    ends = {entry.end for entry in entries}
    ends |= {number - 1 for number, line in lines if _HEADING.match(line)}
    role = source.role
    found = Passage(
        home,
        path,
        role.layer,
        kind or role.kind,
        reason,
        _squeeze_blanks(lines),
        _count_lines(home, path, role) if source.cut else len(every),
        frozenset(ends | {len(every)}),
        entries,
        "user" if role.layer is Layer.PROFILE else "auto",
        not source.cut,
    )
    return found if found.says else None


def _count_lines(home: Home, path: str, role: Role) -> int:
    """Lines of a file that is too long to be looked through."""
    with HomeReader(home.path) as reader:
        data, _status = reader.read(path, role.limit)
    return data.count(b"\n") + (not data.endswith(b"\n"))


def mask_own_secrets(text: str, hidden: Patterns) -> str:
    """The text without the secrets that a person's own patterns find: the others are masked as it is read."""
    return redact_text(text, hidden).text if hidden else text


def holds(entry: Entry, now: float) -> bool:
    """Whether an entry is current: approved, and nothing took its place."""
    perished = entry.expires is not None and entry.expires <= now and entry.status in PERISHABLE
    return entry.status is Status.ACTIVE and not perished


def _drop_empty_headings(lines: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """Without the headings that nothing is left below."""
    kept: list[tuple[int, str]] = []
    waiting: list[tuple[int, tuple[int, str]]] = []
    fenced = False
    for number, line in lines:
        heading = _HEADING.match(line) if not fenced else None
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        if heading is not None:
            level = len(heading[0].strip())
            waiting = [one for one in waiting if one[0] < level] + [(level, (number, line))]
        elif line.strip():
            kept += [one for _level, one in waiting]
            waiting = []
            kept.append((number, line))
        elif not waiting:
            kept.append((number, line))
    return tuple(kept)


def _squeeze_blanks(lines: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """Never two blank lines one after the other: they cost and say nothing."""
    kept: list[tuple[int, str]] = []
    for number, line in lines:
        if line or (kept and kept[-1][1]):
            kept.append((number, line))
    return tuple(kept)


LEDGER = "review/approved.jsonl"
TRUST = "approved"
"""The `trust` of what a person approved as a rule."""
OWN = "own"
"""The `trust` of a project's rules in a person's own home, which they keep for agents to write code by (spec 002)."""
BINDING = frozenset({"rule", "pref"})
"""Kinds that ask for something: a fact that was approved is true, and nothing to follow."""

_MOST = 4 << 20
"""Bytes of the ledger that are read, the newest."""

_Known = dict[tuple[str, str, str], tuple[str, str]]
"""Home, path and digest of a text -> its kind, and the day of its approval."""


def keep_approval(change: Change, text: str, kind: str) -> Append:
    """The line that keeps a person's approval of a text, to be written and undone with what it approves."""
    plain = {
        "timestamp": clock.convert_to_local(clock.now()).isoformat(timespec="milliseconds"),
        "home": change.home,
        "path": change.path,
        "kind": kind,
        "digest": _digest(text),
    }
    return Append(str(state()), LEDGER, json.dumps(plain, ensure_ascii=False))


def split_rules(offers: Iterable[Passage], hidden: Patterns) -> tuple[list[Passage], list[Passage]]:
    """The rules that a person approved, each a passage of its own; and the passages without them.

    `hidden`: a person's own patterns for secrets.
    """
    offers = list(offers)
    known = _load_ledger({str(offer.home.path) for offer in offers})
    if not known:
        return [], offers
    rules: list[Passage] = []
    rest: list[Passage] = []
    for offer in offers:
        here = {key[2]: done for key, done in known.items() if key[:2] == (str(offer.home.path), offer.path)}
        found = list(_list_rules_in(offer, here, hidden)) if here and not offer.unwanted else []
        rules += found
        taken = {line for one in found for entry in one.entries for line in range(entry.start, entry.end + 1)}
        left = offer.without(taken) if taken else offer
        if left.says:
            rest.append(left)
    return rules, rest


def _list_rules_in(offer: Passage, known: Mapping[str, tuple[str, str]], hidden: Patterns) -> Iterator[Passage]:
    shown = {number for number, _line in offer.lines}
    for entry in offer.entries:
        kind, day = known.get(_digest(entry.text), ("", ""))
        if entry.start not in shown or not (kind in BINDING or (kind and offer.kind == "rule")):
            continue
        # What was approved and nothing else: a line may hold more than its entry says.
        lines = tuple(enumerate(mask_own_secrets(entry.text, hidden).split("\n"), entry.start))
        reason = _("a rule that a person approved on {day}").format(day=day)
        yield offer._replace(
            kind="rule", reason=reason, lines=lines, entries=(entry,), trust=TRUST, total=len(lines), whole=True
        )


def _load_ledger(homes: set[str]) -> _Known:
    """What a person approved for these homes, as far as it was written down here."""
    found: _Known = {}
    for line in _read_ledger_lines():
        try:
            plain: Any = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(plain, dict) or plain.get("home") not in homes:
            continue
        values = [plain.get(name) for name in ("home", "path", "digest", "kind", "timestamp")]
        home, path, digest, kind, timestamp = (value if isinstance(value, str) else "" for value in values)
        if digest and kind:
            found[home, path, digest] = kind, timestamp[:10]
    return found


def _read_ledger_lines() -> list[bytes]:
    try:
        with open(os.path.join(state(), *LEDGER.split("/")), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _MOST))
            return file.read(_MOST).split(b"\n")
    except OSError:
        return []


def _digest(text: str) -> str:
    """Of the words to the letter: only how they are spaced may differ."""
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    return sha256(plain.encode("utf-8", "surrogatepass"))


_LINE = compile_pattern(r":(\d{1,9})(?:-\d{1,9})?$|#L(\d{1,9})(?:-L?\d{1,9})?$", re.ASCII)


def split_reference(path: str) -> tuple[str, int]:
    """`daily/2026-02-24.md:12` as people are shown it, `…#L12-L20` as agents are; 0 where there is no line."""
    found = _LINE.search(path)
    if found is None or not found.start():
        return path, 0
    return path[: found.start()], int(found[1] or found[2])


DAY = 86400.0


class Dated(Protocol):
    """All that the window asks of a fact."""

    created: float | None
    confidence: float | None


class Window(NamedTuple):
    """How far back a session sees; ages in whole local days, today being 0."""

    load_days_full: int = 2
    """So many days are seen whole."""
    load_days_partial: int = 5
    """Until then `partial_per_day` of each day."""
    load_days_max: int = 7
    """Until then what is important; beyond, nothing."""
    partial_per_day: int = 3
    facts_limit: int = 15
    """Of all that is left, so many."""
    important_confidence: float = 0.9


Fact = TypeVar("Fact", bound=Dated)


def select_visible_facts(facts: Iterable[Fact], now: float, window: Window | None = None) -> list[Fact]:
    """The facts that a session beginning at `now` would be given, newest first. Those without a time are not."""
    window = window or Window()
    dated = [(fact.created, fact) for fact in facts if fact.created is not None]
    # Stable: of facts of one moment the one that was written last comes first.
    dated.reverse()
    dated.sort(key=lambda item: -item[0])
    kept: list[Fact] = []
    counts: dict[int, int] = {}
    for created, fact in dated:
        age = count_midnights(created, now)
        if age < window.load_days_full:
            kept.append(fact)
        elif age < window.load_days_partial:
            counts[age] = counts.get(age, 0) + 1
            if counts[age] <= window.partial_per_day:
                kept.append(fact)
        elif age < window.load_days_max and (fact.confidence or 0.0) >= window.important_confidence:
            kept.append(fact)
    return kept[: window.facts_limit]


def count_midnights(then: float, now: float) -> int:
    """How many midnights, local, lie between; what is dated later than now is of today."""
    if then >= now:
        return 0
    return max(0, clock.convert_to_local(now).toordinal() - clock.convert_to_local(then).toordinal())
