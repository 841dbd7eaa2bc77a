"""What a line is worth as an answer, whatever it holds: a question rarely answers one, 'That's great!' nothing, and
what somebody did is told by himself.

Models put questions next to questions, and short exclamations next to everything. Measured on conversations kept as
memories this is the greatest single gain by meaning; where the words match, they outweigh it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memtui.model import Layer, Level
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING
from memtui.search.words import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.search.candidate import Candidate

ASKING = 1.2
"""Standard deviations of meaning that a line of nothing but questions loses to somebody who asks."""

THIN = 0.6
"""Standard deviations of meaning that an empty line would lose; one of `FULL` bytes loses nothing."""

SPOKEN = 0.8
"""Standard deviations of meaning that 'Ann: …' gains where the query names Ann."""

TOLD = 1.15
"""By how much its score by words grows where words are all there is."""

BOOKKEPT, BOOKS = 0.6, 2.0
"""What a score by words is worth of what tools write down about themselves (that something was referred to, began or
ended, where it stands), and the standard deviations of meaning that it loses."""

LABEL, CHANGE = 0.6, 0.6
"""What a score by words is worth to whoever asks in a sentence, of a line that only introduces others, and of an entry
in a log of changes: it names what the question names, but says what was done, not how it is. Who asks when is answered
by such a log."""

RECORDED = 0.6
"""What it is worth of a conversation that was recorded word by word: what came of it was written down elsewhere."""

UNTOLD = 1.0
"""Standard deviations of meaning that such a line would lose if it were worth nothing by words."""

FULL = 60
"""Bytes, so that a Chinese character counts as three letters."""

ANSWER, WHEN = 0.7, 0.2
"""What a question lends of its score to the line that answers it; less where the query asks when: times stand in the
lines that tell, not in answers to questions."""

GAP = 2
"""Lines that two neighbours may be apart: one blank line between them."""

_INQUIRY = pattern(r"？|\?(?!\w)")
_ENDS = pattern("""[?？][\\s*_`"'”’」』)）]*\\Z""")
_TAIL = 16
_WHEN = pattern(
    r"\bwhen\b|\b(?:what|which)\s+(?:day|date|time|month|year|week)\b|\bhow\s+long\s+ago\b"
    "|什么时候|什麼時候|何时|何時|几号|幾號|几月|幾月|几点|幾點|哪天|哪一天|哪年|哪一年|哪个月|哪個月|多久",
    re.IGNORECASE,
)
_SENTENCE = pattern(r"[^.!?。！？\n]*[.!?。！？\n]+|[^.!?。！？\n]+$")
_ENGLISH = pattern(
    r"\s*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|would|should|will|has"
    r"|have|had)\b",
    re.IGNORECASE,
)
_CHINESE = pattern(
    "什么|什麼|谁|誰|哪|怎么|怎麼|怎样|怎樣|如何|为何|為何|多少|几|幾|吗|嗎|呢|是否|何时|何時|是不是|有没有|有沒有"
)
# As it stands above a conversation: 'Session: 2026-03-01 10:00:00 UTC', '对话 2026-03-01 10:00'.
_RECORD = pattern(
    r"(?:session|conversation|chat|transcript|sitzung|сессия|sesión|sessão|会话|會話|对话|對話|聊天|セッション)"
    r"[^\x1f]{0,16}?\d{4}-\d\d-\d\d[T ]\d\d:\d\d",
    re.IGNORECASE,
)
_BOOKS = frozenset({"index", "session_start", "session_end", "session_metrics", "audit", "outcome"})
_MARKED = ("?", "？")
# Behind a bullet, a time and a kind; bold or not.
_SPEAKER = pattern(
    r"\s*(?:[-*+]\s+)?(?:\d{4}-\d\d-\d\d[T ]\S+\s+)?(?:\[[^\]\n]{1,24}\]\s*)*"
    r"(?:\*\*)?([^\W\d_][\w .'’-]{0,24}?)(?:\*\*)?\s?(?:：|:(?:\*\*)?\s)"
)


def asks(query: str) -> bool:
    """Whether a query is a question."""
    text = query.strip()
    if text.endswith(_MARKED) or (" " in text and _ENGLISH.match(text) is not None):
        return True
    return not text.isascii() and _CHINESE.search(text) is not None


def asking(text: str) -> float:
    """The share of a memory's text that stands in questions, 0 to 1."""
    if "?" not in text and "？" not in text:
        return 0.0
    # Most queries are words, and are answered by words alone.
    from memtui.search.passage import passage

    sentences = _SENTENCE.findall(passage("", text, None, ""))
    total = sum(map(len, sentences))
    return sum(len(one) for one in sentences if one.rstrip().endswith(_MARKED)) / total if total else 0.0


def inquires(text: str) -> bool:
    """Whether somebody asks something in a memory's text: an address may have a question mark, too."""
    return ("?" in text or "？" in text) and _INQUIRY.search(text) is not None


def asks_when(query: str) -> bool:
    """Whether a query asks for a time."""
    return _WHEN.search(query) is not None


def lend(candidates: Iterable[Candidate], when: bool) -> dict[int, float]:
    """What each candidate, by its `id`, gets of the question before it in its section, whose score by itself counts.

    Who asks uses the words of whoever looks for the answer later; who answers does not repeat them.
    """
    lines: dict[tuple[int, str, str], dict[int, Candidate]] = {}
    asked: list[Candidate] = []
    for one in candidates:
        if one.prose and one.kind != "todo":
            lines.setdefault((id(one.home), one.path, one.heading), {})[one.line] = one
            if one.score > 0 and inquires(one.raw) and _ENDS.search(one.raw, max(0, len(one.raw) - _TAIL)):
                asked.append(one)
    lent: dict[int, float] = {}
    for one in asked:
        below = lines[id(one.home), one.path, one.heading]
        answer = next(
            (below[line] for line in range(one.last + 1, one.last + 1 + GAP) if line in below), None
        )
        if answer is not None:
            lent[id(answer)] = (WHEN if when else ANSWER) * one.score
    return lent


def bookkept(candidate: Candidate) -> bool:
    """Whether a tool wrote it down about itself."""
    return candidate.kind in _BOOKS or (candidate.kind == "event" and candidate.layer is Layer.EVOLUTION)


def telling(candidate: Candidate, when: bool) -> float:
    """What a score by words is worth to whoever asks in a sentence; `when`: for a time."""
    if candidate.level == Level.CONTEXT:
        return LABEL
    if recorded(candidate.heading):
        return RECORDED
    changed = candidate.kind == "event" and candidate.layer is Layer.KNOWLEDGE
    return CHANGE if changed and not when else 1.0


@lru_cache(maxsize=1 << 10)
def recorded(heading: str) -> bool:
    """Whether what stands below these headings is a conversation, word by word."""
    return _RECORD.match(heading) is not None


def told_by(text: str, query: str) -> bool:
    """Whether a memory begins with the name of who says it, and the folded query names him."""
    match = _SPEAKER.match(text) if ":" in text or "：" in text else None
    if match is None:
        return False
    name = fold(match[1])
    if not name.isascii():
        return name in query
    return re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", query) is not None


def thin(text: str) -> float:
    """How little a memory says, 0 to 1."""
    return 0.0 if len(text) > 3 * FULL else _thin(text)


@lru_cache(maxsize=1 << 13)
def _thin(text: str) -> float:
    from memtui.search.passage import passage

    return max(0.0, 1 - len(passage("", text, None, "").encode("utf-8", "replace")) / FULL)
