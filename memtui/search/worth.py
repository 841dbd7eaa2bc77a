"""What a line is worth as an answer: who asks is not answered by a question, an exclamation or a label.

Models put questions next to questions and exclamations next to everything; measured on conversations kept as
memories, this is the greatest single gain by meaning. A question also says what its answer looks like: a number, a
path, a reason (`read_bearing`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from memtui.core.model import TOPICS, Layer, Level, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.search.terms import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.search.candidate import SearchCandidate


def _match_any(words: str) -> Callable[[str], object]:
    """Whether a folded text holds one of these; _ stands for a space."""
    held = tuple(word.replace("_", " ") for word in words.split())
    return lambda text: any(map(text.__contains__, held))


ASKING = 1.2
"""Standard deviations of meaning that a line of nothing but questions loses to somebody who asks."""

THIN = 0.6
"""Standard deviations of meaning that an empty line would lose; one of `FULL` bytes loses nothing."""

SPOKEN = 0.8
"""Standard deviations of meaning that 'Ann: …' gains where the query names Ann."""

BOOKKEPT, LISTED, BOOKS = 0.6, 0.4, 2.0
"""What a score by words is worth of what tools write down about themselves (that something was referred to, began or
ended, where it stands), of a mere name in a list of files, and the standard deviations of meaning that both lose."""

LABEL, CHANGE = 0.6, 0.6
"""What a score by words is worth to whoever asks in a sentence, of a line that only introduces others, and of an entry
in a log of changes: it names what the question names, but says what was done, not how it is. Who asks when is answered
by such a log."""

RECORDED = 0.6
"""What it is worth of a conversation that was recorded word by word: what came of it was written down elsewhere."""

DONE, DECISION = 0.4, 0.8
"""What it is worth of an archive, and what to whoever asks why: plans that are done hold the reasons."""

CURATED = 1.1
"""What it is worth of core memory and of topics: somebody chose it out of all else."""

UNTOLD = 1.0
"""Standard deviations of meaning that such a line would lose if it were worth nothing by words."""

QUESTION = 0.5
"""What a line of nothing but questions loses of its score to somebody who asks: it rarely is the answer."""

FULL = 60
"""Bytes, so that a Chinese character counts as three letters."""

ANSWER, WHEN = 0.7, 0.2
"""What a question lends of its score to the line that answers it; less where the query asks when: times stand in the
lines that tell, not in answers to questions."""

GAP = 2
"""Lines that two neighbours may be apart: one blank line between them."""

_INQUIRY = compile_pattern(r"？|\?(?!\w)")
_ENDS = compile_pattern("""[?？][\\s*_`"'”’」』)）]*\\Z""")
_TAIL = 16
_WHEN = compile_pattern(
    r"\bwhen\b|\b(?:what|which)\s+(?:day|date|time|month|year|week)\b|\bhow\s+long\s+ago\b"
    "|什么时候|什麼時候|何时|何時|几号|幾號|几月|幾月|几点|幾點|哪天|哪一天|哪年|哪一年|哪个月|哪個月|多久",
    re.IGNORECASE,
)
TOPIC, CORE, EMPHASIS, RULE, FIGURE, CHANGED, DECIDED = 0.25, 0.17, 0.13, 0.11, 0.07, 0.06, 0.5
SESSION, OUTLINE, PART = -0.07, -0.18, -0.17
"""The same for what somebody chose to remember, what is set off at its beginning, lays down a rule, gives a number,
says that something is no longer as it was, and, where a reason is asked for, for a decision; for a line of a session,
one that only introduces others, and a part of a longer memory. These weights, and those of `_ANSWERS`, were fitted
to questions over real homes and to the labelled set at once, and measured on homes that had no part in it."""

_DIGIT = compile_pattern(r"\d")
_RULES = _match_any("never always must only don't should 禁止 必须 必須 不要 不能 绝不 絕不 nie immer нельзя")
_ANSWERS = (
    (
        compile_pattern(
            r"\bwhy\b|\breason|为什么|為什麼|为何|為何|怎么会|怎麼會|\bwarum\b|почему|なぜ|por qu[eé]|pourquoi|왜",
            2,
        ),
        0.36,
        _match_any(
            "because cause reason due_to lesson 原因 因为 因為 由于 由於 根因 导致 導致 教训 教訓 weil ursache"
            " потому причин 理由 porque 이유 때문"
        ),
    ),
    (
        compile_pattern(
            r"\bhow (?:many|much|old|long|often|big|large|far)\b|\bport\b|\bversion\b|多少|几|幾|多大|多久|多长|多長"
            r"|端口|版本|\bwie (?:viel|alt|oft)|сколько|いくら|何個|cuánt|\bquant|몇",
            2,
        ),
        0.24,
        _DIGIT.search,
    ),
    (_WHEN, 0.07, _DIGIT.search),
    (
        compile_pattern(
            r"\bwhere\b|\bwhich (?:file|folder|directory|path|address|url|port)\b|哪里|哪裡|哪儿|目录|目錄|地址|在哪"
            r"|什么地方|什麼地方|哪個|\bwo\b|\bgde\b|где|dónde|\bonde\b|どこ|어디",
            2,
        ),
        0.18,
        _match_any("/ ~ `"),
    ),
    (
        compile_pattern(
            r"\bhow (?:do|does|did|can|could|should|to|is|are|was|were)\b|怎么|怎麼|怎样|怎樣|如何|\bwie\b|\bкак\b",
            2,
        ),
        0.14,
        _match_any(
            "fix solution solved workaround resolved lesson use_ run_ instead 解决 解決 修复 修復 改为 改為 改用"
            " 改成 教训 执行"
        ),
    ),
    (
        compile_pattern(
            r"\ballowed\b|\b(?:may|can|must|should) (?:i|you|we|it|they)\b|能不能|可不可以|允许|允許|该不该|要不要|吗"
            r"|嗎|\bdarf\b|можно",
            2,
        ),
        0.1,
        _RULES,
    ),
    (
        compile_pattern(
            r"\bhow (?:long|often)\b|多久|几天|幾天|多长|多長|几个月|几小时|几分钟|有效期|过期|wie lange", 2
        ),
        0.4,
        compile_pattern(
            r"\d\s*(?:秒|分|小时|小時|天|日|周|个月|月|年"
            r"|(?:ms|s|secs?|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?)\b)"
        ).search,
    ),
    (
        compile_pattern(r"几点|幾點|\bwhat time\b|\bat what hour\b|um wie viel uhr", 2),
        0.3,
        compile_pattern(r"\d:\d\d|\d\s*[点點]|\d\s*[ap]m\b").search,
    ),
    (
        compile_pattern(r"多少钱|多少錢|费用|費用|价格|價格|\bhow much\b|\b(?:costs?|prices?|charge|spen[dt])\b", 2),
        0.3,
        compile_pattern(r"[$€£¥]\s?\d|\d\s?(?:元|万|块|美元|(?:usd|eur|euros?|dollars?)\b)").search,
    ),
    (compile_pattern(r"谁|誰|\bwho(?:m|se)?\b|\bqui\b|\bwer\b", 2), 0.3, _match_any("@")),
)
"""Questions, what a line gains that answers one of them, and whether a folded text does."""

_CHANGES = _match_any(
    "_now no_longer _moved changed change_ switched replaced instead after_all gives_up given_up since_ goes_from"
    " retired renamed dropped 改为 改為 改成 改用 改存 改由 改到 不再 换成 換成 变更 變更 更新为 更新為 调整为 調整為"
    " 放宽 放寬 扩到 擴到 降回 现在 現在 已改"
)

_SENTENCE = compile_pattern(r"[^.!?。！？\n]*[.!?。！？\n]+|[^.!?。！？\n]+$")
_ENGLISH = compile_pattern(
    r"\s*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|could|would|should|will|has"
    r"|have|had)\b",
    re.IGNORECASE,
)
_CHINESE = compile_pattern(
    "什么|什麼|谁|誰|哪|怎么|怎麼|怎样|怎樣|如何|为何|為何|多少|几|幾|吗|嗎|呢|是否|何时|何時|是不是|有没有|有沒有"
)
# As it stands above a conversation: 'Session: 2026-03-01 10:00:00 UTC', '对话 2026-03-01 10:00'.
_RECORD = compile_pattern(
    r"(?:session|conversation|chat|transcript|sitzung|сессия|sesión|sessão|会话|會話|对话|對話|聊天|セッション)"
    r"[^\x1f]{0,16}?\d{4}-\d\d-\d\d[T ]\d\d:\d\d",
    re.IGNORECASE,
)
_BOOKS = frozenset({"index", "session_start", "session_end", "session_metrics", "audit", "outcome"})
_QUOTES = frozenset({"event", "note", "signal"})
"""Of the evolution layer: they repeat lines of sessions and journals, which answer by themselves."""
_MARKED = ("?", "？")
_NAME = 120
"""Characters of the longest line that may be nothing but the name of a file."""

# Behind a bullet, a time and a kind; bold or not.
_SPEAKER = compile_pattern(
    r"\s*(?:[-*+]\s+)?(?:\d{4}-\d\d-\d\d[T ]\S+\s+)?(?:\[[^\]\n]{1,24}\]\s*)*"
    r"(?:\*\*)?([^\W\d_][\w .'’-]{0,24}?)(?:\*\*)?\s?(?:：|:(?:\*\*)?\s)"
)


def is_question(query: str) -> bool:
    """Whether a query is a question."""
    text = query.strip()
    if text.endswith(_MARKED) or (" " in text and _ENGLISH.match(text) is not None):
        return True
    return not text.isascii() and _CHINESE.search(text) is not None


def measure_question_share(text: str) -> float:
    """The share of a memory's text that stands in questions, 0 to 1."""
    if "?" not in text and "？" not in text:
        return 0.0
    sentences = _SENTENCE.findall(_strip_markup(text))
    total = sum(map(len, sentences))
    return sum(len(one) for one in sentences if one.rstrip().endswith(_MARKED)) / total if total else 0.0


def has_question(text: str) -> bool:
    """Whether somebody asks something in a memory's text: an address may have a question mark, too."""
    return ("?" in text or "？" in text) and _INQUIRY.search(text) is not None


def is_reason_question(query: str) -> bool:
    """Whether a query asks for a reason."""
    return _ANSWERS[0][0].search(query) is not None


def is_time_question(query: str) -> bool:
    """Whether a query asks for a time."""
    return _WHEN.search(query) is not None


def share_question_scores(candidates: Iterable[SearchCandidate], when: bool) -> dict[int, float]:
    """What each candidate, by its `id`, gets of the question before it in its section, whose score by itself counts.

    Who asks uses the words of whoever looks for the answer later; who answers does not repeat them.
    """
    share = WHEN if when else ANSWER
    return {id(answer): share * asked.score for asked, answer in find_answers(candidates)}


def find_answers(candidates: Iterable[SearchCandidate]) -> list[tuple[SearchCandidate, SearchCandidate]]:
    """The lines that end in a question, each with the line of its section that comes next."""
    told = [one for one in candidates if one.prose and one.kind != "todo"]
    asked = [
        one
        for one in told
        if one.score > 0 and has_question(one.raw) and _ENDS.search(one.raw, max(0, len(one.raw) - _TAIL))
    ]
    if not asked:
        return []
    lines: dict[tuple[int, str, str], dict[int, SearchCandidate]] = {}
    for one in told:
        lines.setdefault((id(one.home), one.path, one.heading), {})[one.line] = one
    found: list[tuple[SearchCandidate, SearchCandidate]] = []
    for one in asked:
        below = lines[id(one.home), one.path, one.heading]
        answer = next((below[line] for line in range(one.last + 1, one.last + 1 + GAP) if line in below), None)
        if answer is not None:
            found.append((one, answer))
    return found


def is_bookkeeping(candidate: SearchCandidate) -> bool:
    """Whether a tool wrote it down about itself."""
    return candidate.kind in _BOOKS or (candidate.layer is Layer.EVOLUTION and candidate.kind in _QUOTES)


def is_bare_name(candidate: SearchCandidate) -> bool:
    """Whether a line is nothing but the name of a file."""
    raw = candidate.raw
    return candidate.kind == "file" or (
        len(raw) < _NAME and "/" in raw and raw.isascii() and " " not in raw.strip("-*+` \n")
    )


def is_blank_field(text: str) -> bool:
    """Whether a line names what would stand behind it, and nothing does: '- **Time zone:**'."""
    line = text.strip()
    return "\n" not in line and line.rstrip("*_` ").endswith((":", "："))


def matches_change(candidate: SearchCandidate) -> bool:
    """Whether a line says that something is no longer as it was."""
    return bool(_CHANGES(candidate.body[: FULL * 5]))


def weigh_answer(candidate: SearchCandidate, when: bool, why: bool = False) -> float:
    """What a score by words is worth to whoever asks in a sentence; `when`: for a time, `why`: for a reason."""
    if candidate.level == Level.CONTEXT:
        return LABEL
    if is_conversation_heading(candidate.heading):
        return RECORDED
    if candidate.status is Status.ARCHIVED:
        return DECISION if why else DONE
    if not when and (candidate.kind in TOPICS or (candidate.layer is Layer.CORE and candidate.kind != "index")):
        return CURATED
    changed = candidate.kind == "event" and candidate.layer is Layer.KNOWLEDGE
    return CHANGE if changed and not when else 1.0


@lru_cache(maxsize=1 << 10)
def is_conversation_heading(heading: str) -> bool:
    """Whether what stands below these headings is a conversation, word by word."""
    return _RECORD.match(heading) is not None


def matches_speaker(text: str, query: str) -> bool:
    """Whether a memory begins with the name of who says it, and the folded query names him."""
    match = _SPEAKER.match(text) if ":" in text or "：" in text else None
    if match is None:
        return False
    name = fold(match[1])
    if not name.isascii():
        return name in query
    at = query.find(name)
    while at >= 0:
        # No pattern of its own for every name: to compile one takes longer than all else here.
        if not query[max(0, at - 1) : at].islower() and not query[at + len(name) :][:1].islower():
            return True
        at = query.find(name, at + 1)
    return False


def measure_thinness(text: str) -> float:
    """How little a memory says, 0 to 1."""
    return 0.0 if len(text) > 3 * FULL else _measure_thinness(text)


@lru_cache(maxsize=1 << 13)
def _measure_thinness(text: str) -> float:
    return max(0.0, 1 - len(_strip_markup(text).encode("utf-8", "replace")) / FULL)


def _strip_markup(text: str) -> str:
    # Most queries are words, and are answered by words alone.
    from memtui.search.vector_jobs import build_vector_text

    return build_vector_text("", text, None, "")


def read_bearing(query: str) -> Callable[[SearchCandidate], float]:
    """What a line is worth as an answer to a sentence, whatever words it holds: shares of the best score, below 0 where
    it is hardly one."""
    question, when = is_question(query), is_time_question(query)
    asked = [(gain, test) for pattern, gain, test in _ANSWERS if pattern.search(query)]
    # What a decision gains.
    reason = DECIDED if _ANSWERS[0][0].search(query) else 0.0

    def measure_bearing(one: SearchCandidate) -> float:
        """What this line gains."""
        text = one.body[: FULL * 10]
        gain = sum([more for more, test in asked if test(text)])
        if not when:
            gain += CORE if one.layer is Layer.CORE else TOPIC if one.kind in TOPICS else 0.0
        gain += EMPHASIS if "**" in one.raw[:FULL] else 0.0
        gain += RULE if _RULES(text) else 0.0
        gain += FIGURE if _DIGIT.search(text) else 0.0
        gain += SESSION if one.layer is Layer.SESSION else 0.0
        gain += OUTLINE if one.level == Level.CONTEXT else 0.0
        gain += PART if one.level == Level.PART else 0.0
        gain += CHANGED if matches_change(one) else 0.0
        gain += reason if one.kind == "decision" else 0.0
        return gain * (1 - QUESTION * measure_question_share(one.raw) if question else 1.0)

    return measure_bearing
