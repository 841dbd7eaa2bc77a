"""Durable notes out of a text: a compaction's summary, a document, a pasted dialogue, dated lines (spec 001 §3.2, §4.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.model import Turn
from memtui.sessions.extract import Learned, sifting
from memtui.sessions.extract.concluding import decision, todo
from memtui.sessions.extract.entities import entities
from memtui.sessions.extract.hearing import heard
from memtui.sessions.extract.sentences import sentences
from memtui.sessions.extract.teaching import Context, category, taught
from memtui.sessions.extract.wording import standing, tongues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.sessions.extract import Kind
    from memtui.sessions.extract.sentences import Sentence

_MOST = 100_000
"""Characters that are read of a text."""

_DATED = re.compile(
    r"\s*-\s+\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)\s+\[(\w{2,20})\]\s+(.{3,2000}?)(?:\s+#[\w/#. -]+)?(?:\s+\([\w-]+=[^()]*\))?\s*$"
)
_SPEAKER = re.compile(
    r"\s*(?:[-*>]\s*)?(?:\*\*|#{1,4}\s*)?(user|human|me|用户|我|人类|assistant|agent|ai|claude|codex|chatgpt|gpt|助手|助理|模型)(?:\*\*)?\s*[:：](?:\*\*)?\s*(.*)$",
    re.IGNORECASE,
)
_PERSON = frozenset({"user", "human", "me", "用户", "我", "人类"})
_KINDS: dict[str, Kind] = {
    "pref": "pref", "preference": "pref", "decision": "decision", "todo": "todo", "fact": "fact", "lesson": "lesson", "rule": "rule", "avoidance": "lesson",
}  # fmt: skip
_SECTIONS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("pref", re.compile(r"\bpreferences?\b|user (?:habits|style)|偏好|习惯|沟通风格", re.IGNORECASE)),
    ("decision", re.compile(r"\bdecisions?\b|决策|决定", re.IGNORECASE)),
    (
        "todo",
        re.compile(
            r"\bto-?dos?\b|pending|remaining|next steps?|open (?:items|questions|issues)|unfinished|follow-?ups?|待办|未完成|下一步|遗留|后续",
            re.IGNORECASE,
        ),
    ),
    (
        "lesson",
        re.compile(
            r"errors? and fix|lessons?|gotchas?|pitfalls?|avoidances?|避坑|踩坑|经验|教训|错误与修复|错误和修复",
            re.IGNORECASE,
        ),
    ),
    (
        "rule",
        re.compile(r"\brules?\b|conventions?|guidelines?|coding standards?|规范|规则|约定", re.IGNORECASE),
    ),
    (
        "fact",
        re.compile(r"(?:project|key|durable) facts?|^facts?$|项目事实|项目背景|关键事实", re.IGNORECASE),
    ),
)
_NUMBERED = re.compile(
    r"\s{0,3}(?:\*\*)?\d{1,2}[.)]\s+(?:\*\*)?([A-Z一-鿿][^:：*]{2,60}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(.*)$"
)
_TITLED = re.compile(
    r"\s{0,3}(?:#{1,6}\s+(.{1,80}?)\s*#*|\*\*([^*]{2,60})\*\*\s*[:：]?|([A-Z][\w /&-]{2,40}|[一-鿿][一-鿿 、/]{1,14})[:：])\s*$"
)
_DECIDES = re.compile(r"决定|敲定|选定|\b(?:decided|decision)\b", re.IGNORECASE)
_NONE = re.compile(
    r"^(?:none|n/?a|nothing|no (?:pending|open|remaining)\b.*|无|没有|暂无)[\s.。]*$", re.IGNORECASE
)
_LABEL = re.compile(r"^(?:\*\*)?([^:：*`]{3,80}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(?=\S)")


class _Part(NamedTuple):
    kind: Kind | None
    lines: list[str]
    start: int


def noted(text: str) -> list[Learned]:
    """Every durable note, in order; not yet limited in number."""
    lines = text[:_MOST].splitlines()
    spoken = _dialogue(lines)
    found = _said(spoken) if spoken else _written(lines)
    unique = {one.text: one for one in found}
    kept = [one for one in list(unique.values())[-200:] if sifting.safe(one.text)]
    return sifting.merged(kept, lambda one: one.text)


def _dialogue(lines: list[str]) -> tuple[Turn, ...]:
    """The turns of a pasted conversation; none where it is no conversation."""
    turns: list[tuple[str, int, list[str]]] = []
    for number, line in enumerate(lines, 1):
        speaker = _SPEAKER.match(line[:4000])
        if speaker:
            turns.append(
                ("user" if speaker[1].lower() in _PERSON else "assistant", number, [speaker[2] + line[4000:]])
            )
        elif turns:
            turns[-1][2].append(line)
    if len(turns) < 2 or not any(role == "user" for role, _line, _texts in turns):
        return ()
    return tuple(Turn(role, "\n".join(texts), None, line) for role, line, texts in turns)


def _said(turns: tuple[Turn, ...]) -> list[Learned]:
    from memtui.sessions.extract.sentences import spoken

    found = heard(spoken(turns), turns)
    learned = [lesson.learned for lesson in found.learned]
    learned += [
        Learned(item.text, "decision", "", item.line, 0.8, entities((item.text,), 6))
        for item in found.decisions
    ]
    learned += [
        Learned(item.text, "todo", "", item.line, 0.75, entities((item.text,), 6)) for item in found.todos
    ]
    return sorted(learned, key=lambda one: one.line)


def _written(lines: list[str]) -> list[Learned]:
    found: list[Learned] = []
    for part in _parts(lines):
        for sentence in sentences("\n".join(part.lines), "", part.start):
            one = _note(sentence, part.kind)
            if one is not None:
                found.append(one._replace(line=0))
    for number, line in enumerate(lines, 1):
        dated = _DATED.match(line[:2400])
        kind = _KINDS.get(dated[1].lower()) if dated else None
        if dated and kind:
            found.append(_learned(dated[2].strip(), kind, 0.9)._replace(line=number))
    return found


def _parts(lines: list[str]) -> Iterator[_Part]:
    """The text by its sections, dated lines left out."""
    part = _Part(None, [], 1)
    for number, line in enumerate(lines, 1):
        if _DATED.match(line[:2400]):
            continue
        numbered = _NUMBERED.match(line[:400])
        titled = None if numbered else _TITLED.match(line[:200])
        if numbered or titled:
            yield part
            title = numbered[1] if numbered else next(filter(None, titled.groups()), "") if titled else ""
            rest = numbered[2] if numbered else ""
            part = _Part(_kind(title), [rest] if rest.strip() else [], number)
            continue
        part.lines.append(line)
    yield part


def _kind(title: str) -> Kind | None:
    return next((kind for kind, pattern in _SECTIONS if pattern.search(title) is not None), None)


def _note(sentence: Sentence, kind: Kind | None) -> Learned | None:
    """What one sentence of a text is to be kept as: what its section says, else what it says itself."""
    person = sentence._replace(role="user")
    tongue = tongues(sentence.text)[0]
    if kind is not None:
        if (
            sentence.asks
            or sentence.box == "x"
            or _NONE.match(sentence.text)
            or tongue.passing.search(sentence.bare)
        ):
            return None
        if tongue.doubt.search(sentence.bare) is not None and kind != "todo":
            return None
        said = standing(_unlabelled(sentence.text, kind), tongue)
        return _learned(said, kind, 0.8) if said and len(said) >= 6 else None
    found = taught(person, Context())
    decided = decision(sentence, ()) or decision(person, ())
    if found is not None and found.kind != "fact" and not (decided and _DECIDES.search(sentence.bare)):
        return found
    for conclusion, named in (
        (decided, "decision"),
        (todo(sentence), "todo"),
    ):
        if conclusion is not None:
            return _learned(conclusion.text, _KINDS[named], 0.7)
    return found if found is not None and found.asked else None


def _unlabelled(text: str, kind: Kind) -> str:
    if kind == "lesson":
        return text
    label = _LABEL.match(text)
    plain = label is not None and label[1].lower().strip() in _KINDS
    return text[label.end() :] if label is not None and plain else text


def _learned(text: str, kind: Kind, sure: float) -> Learned:
    return Learned(text, kind, category(text) if kind == "rule" else "", 0, sure, entities((text,), 6))
