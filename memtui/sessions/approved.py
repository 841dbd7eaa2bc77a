"""Rules that a person approved: what a session is given to follow, where everything else is data to be judged.

What counts is a ledger in the state directory, never anything in a home: a repository that was cloned brings no
approvals along, and no agent that writes memories writes them. A rule is one as long as it stands, word for word, in
the file that it was approved for; whoever changes a word of it makes it a memory like any other.
"""

from __future__ import annotations

import json
import os
import unicodedata
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.digest import sha256
from memtui.disk.places import state
from memtui.edits import Append
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.edits import Change
    from memtui.sessions.passage import Passage, Patterns

LEDGER = "review/approved.jsonl"
TRUST = "approved"
"""The `trust` of what a person approved as a rule."""
BINDING = frozenset({"rule", "pref"})
"""Kinds that ask for something: a fact that was approved is true, and nothing to follow."""

_MOST = 4 << 20
"""Bytes of the ledger that are read, the newest."""

_Known = dict[tuple[str, str, str], tuple[str, str]]
"""Home, path and digest of a text -> its kind, and the day of its approval."""


def keep_approval(change: Change, text: str, kind: str) -> Append:
    """The line that keeps a person's approval of a text, to be written and undone with what it approves."""
    plain = {
        "timestamp": clock.local(clock.now()).isoformat(timespec="milliseconds"),
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
    known = _ledger({str(offer.home.path) for offer in offers})
    if not known:
        return [], offers
    rules: list[Passage] = []
    rest: list[Passage] = []
    for offer in offers:
        here = {key[2]: done for key, done in known.items() if key[:2] == (str(offer.home.path), offer.path)}
        found = list(_rules(offer, here, hidden)) if here and not offer.unwanted else []
        rules += found
        taken = {line for one in found for entry in one.entries for line in range(entry.start, entry.end + 1)}
        left = offer.without(taken) if taken else offer
        if left.says:
            rest.append(left)
    return rules, rest


def _rules(offer: Passage, known: Mapping[str, tuple[str, str]], hidden: Patterns) -> Iterator[Passage]:
    from memtui.sessions.passage import masked

    shown = {number for number, _line in offer.lines}
    for entry in offer.entries:
        kind, day = known.get(_digest(entry.text), ("", ""))
        if entry.start not in shown or not (kind in BINDING or (kind and offer.kind == "rule")):
            continue
        # What was approved and nothing else: a line may hold more than its entry says.
        lines = tuple(enumerate(masked(entry.text, hidden).split("\n"), entry.start))
        reason = _("a rule that a person approved on {day}").format(day=day)
        yield offer._replace(
            kind="rule",
            reason=reason,
            lines=lines,
            entries=(entry,),
            trust=TRUST,
            total=len(lines),
            whole=True,
        )


def _ledger(homes: set[str]) -> _Known:
    """What a person approved for these homes, as far as it was written down here."""
    found: _Known = {}
    for line in _told():
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


def _told() -> list[bytes]:
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
