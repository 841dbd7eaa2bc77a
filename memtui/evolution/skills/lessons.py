"""What helped against a pattern in the sessions that had it: their decisions, rules, lessons and things done.

Only what speaks of the same things as what was heard, each line with the session that it comes from. Texts are from
disk: they come out as one harmless line each, and what reads like an order to agents or holds a secret is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memtui.parse.fields import line
from memtui.safety.injection import examine
from memtui.safety.redact import redact
from memtui.safety.safe_text import hidden_count, safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.evolution.events import Heard
    from memtui.evolution.patterns import Pattern
    from memtui.model import Home, Memory
    from memtui.vault import Vault

SESSIONS = 24
"""The newest so many sessions of a pattern are asked."""
STEPS, EACH = 7, 2
"""So many lines at most, and of one session."""
LONGEST = 240
"""Characters of a line."""
TRIGGERS = 10

_WORTH = {"lesson": 3.0, "rule": 2.5, "decision": 2.0, "event": 1.5, "fact": 1.0, "note": 1.0}
_HELPED = re.compile(
    r"(?i)\b(?:fix(?:ed|es)?|solv(?:ed|es)|resolv(?:ed|es)|switch(?:ed|ing) to|instead|worked|pinned|downgraded"
    r"|upgraded|replaced|needs? to|(?:re)?started (?:it|them|the)|restarted"
    r"|(?:and|then) (?:it|they|all|everything|(?:all |the )?tests) (?:pass(?:es|ed)?|works?))\b"
    r"|解决|修复|改用|改为|换成|升级到|降级到|必须|应该|应先|重启[了后]|启动后|(?:之后|后|就)(?:好了|通过|正常)"
)
_DULL = frozenset({
    "error", "errors", "fail", "failed", "failing", "fails", "failure", "issue", "problem", "because", "after", "again",
    "still", "while", "when", "错误", "问题", "失败",
})  # fmt: skip
"""Words that every trouble is told in."""
_TAG = re.compile(r"<(?=[!/?A-Za-z])")
_LEAD = re.compile(r"^(?:[#>*+=|\s-]+(?=\S)|`{3,})")


class Step(NamedTuple):
    """One line that helped."""

    text: str
    session: str
    time: float | None
    path: str
    """Relative to the home."""
    line: int


def harmless(text: str, most: int = LONGEST) -> str:
    """A text from disk as one line that hides nothing, orders nothing and holds no secret; else empty."""
    said = line(text, most)
    if hidden_count(said):
        return ""
    said = _TAG.sub("‹", _LEAD.sub("", safe_text(said, keep_newlines=False))).strip()
    # What stood behind the cut is looked at, too: half an order is none that anybody wants to keep.
    if not said or examine(text[: most * 40]).action != "none" or examine(said).action != "none":
        return ""
    return "" if redact(said).secrets else said


def steps(vault: Vault, home: Home, pattern: Pattern) -> list[Step]:
    """What helped, the best first. Empty where no session says."""
    ranked: list[tuple[float, Step]] = []
    for heard in pattern.sessions[-SESSIONS:]:
        ranked += _of(pattern, heard, _entries(vault, home, heard.session))
    ranked.sort(key=lambda one: (-one[0], -(one[1].time or 0.0), one[1].text))
    return _apart(step for _score, step in ranked)


def triggers(pattern: Pattern) -> list[str]:
    """Words that the trouble is told by: what it is about, then what its sessions say of it most often."""
    from memtui.search.stopwords import ENGLISH

    counts: Counter[str] = Counter()
    for heard in pattern.sessions[-SESSIONS:]:
        said = " ".join(harmless(sign.text) for sign in heard.signals if pattern.has(sign))
        # Each once, as they come: what is as frequent keeps the order in which it was said.
        once = dict.fromkeys(re.findall(r"[A-Za-z][\w.+-]{2,30}[\w+]|[\u3400-\u9fff]{2,6}", said))
        counts.update(once.keys())
    least = 2 if len(pattern.sessions) > 1 else 1
    often = [word for word, many in counts.most_common(60) if many >= least]
    found = dict.fromkeys(
        safe
        for word in (*harmless(pattern.about, 120).split(), *often)
        if word.casefold() not in ENGLISH | _DULL and (safe := harmless(word, 32)) and "‹" not in safe
    )
    known: dict[str, str] = {}
    for word in found:
        known.setdefault(word.casefold(), word)
    words = list(known.values())[:TRIGGERS]
    return words if examine(" ".join(words)).action == "none" else []


def _entries(vault: Vault, home: Home, session: str) -> Iterable[Memory]:
    from memtui.model import Filter, Layer

    wanted = Filter(
        layers=frozenset({Layer.SESSION, Layer.CORE, Layer.KNOWLEDGE}),
        kinds=frozenset(_WORTH),
        homes=frozenset({str(home.path)}),
        session=session,
    )
    return vault.memories(wanted)


def _of(pattern: Pattern, heard: Heard, entries: Iterable[Memory]) -> list[tuple[float, Step]]:
    from memtui.curation.similar import normal, shaped

    signs = [sign for sign in heard.signals if pattern.has(sign)]
    about = _telling(shaped(" ".join((pattern.about, *(sign.about for sign in signs)))).words)
    said = _telling(shaped(" ".join(sign.text for sign in signs)).words)
    at = {(sign.path, sign.line) for sign in signs if sign.line}
    told = {normal(sign.text) for sign in signs}
    found: list[tuple[float, Step]] = []
    for entry in entries:
        helped = _HELPED.search(entry.text) is not None
        same = (entry.path, entry.start) in at or normal(entry.text) in told
        if same and not helped and entry.kind not in {"lesson", "rule", "decision"}:
            # That is the trouble itself.
            continue
        words = shaped(entry.text[:2000]).words
        near = 2.0 * len(words & about) + len(words & said)
        if not near and not same:
            continue
        text = harmless(entry.text)
        if text:
            score = _WORTH[entry.kind] + (1.0 if helped else 0.0) + min(near, 6.0) / 2
            time = heard.time if heard.time is not None else entry.created
            found.append((score, Step(text, heard.session, time, entry.path, entry.start)))
    found.sort(key=lambda one: -one[0])
    return found[:EACH]


def _telling(words: frozenset[str]) -> frozenset[str]:
    from memtui.search.stopwords import CHINESE, ENGLISH

    return frozenset(word for word in words - _DULL if len(word) > 1 and word not in ENGLISH | CHINESE)


def _apart(steps: Iterable[Step]) -> list[Step]:
    """Those that say something that no better one says."""
    from memtui.curation.similar import likeness

    kept: list[Step] = []
    for step in steps:
        if len(kept) >= STEPS:
            break
        alike = (likeness(step.text, other.text) for other in kept)
        if not any(how is not None and how.kind != "differs" for how in alike):
            kept.append(step)
    return kept
