"""Durable notes out of a text: a compaction's summary, a document, a pasted conversation (spec 001 §3.2, §4.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.model import Turn
from memtui.language.conversation import Learned
from memtui.language.items import find_entities, is_safe, is_weighty, keep_most
from memtui.language.languages import LANGUAGES, detect_language
from memtui.language.memories import Memories, find_category
from memtui.language.sentences import split, split_talk
from memtui.language.summary import merge
from memtui.language.wording import capitalize, make_standalone, strip_ends, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.language.conversation import Kind
    from memtui.language.cues import Language
    from memtui.language.sentences import Sentence

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
_NUMBERED = re.compile(
    r"\s{0,3}(?:\*\*)?\d{1,2}[.)]\s+(?:\*\*)?([A-Z一-鿿][^:：*]{2,60}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(.*)$"
)
_TITLED = re.compile(
    r"\s{0,3}(?:#{1,6}\s+(.{1,80}?)\s*#*|\*\*([^*]{2,60})\*\*\s*[:：]?|([A-Z][\w /&-]{2,40}|[一-鿿][一-鿿 、/]{1,14})[:：])\s*$"
)
_NONE = re.compile(
    r"^(?:none|n/?a|nothing|no (?:pending|open|remaining)\b.*|无|没有|暂无)[\s.。]*$", re.IGNORECASE
)
_MARKED = re.compile(
    r"(?:^|[，,;；。]\s*)(?:\*\*)?(?P<label>[^\s:：*`，,;；。][^:：*`，,;；。]{0,23}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(?P<rest>\S.*)$"
)
"""'TODO: …', '已提交，未完成：…'."""
_LABEL = re.compile(r"^(?:\*\*)?([^:：*`]{3,80}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(?=\S)")


class _Part(NamedTuple):
    kind: Kind | None
    lines: list[str]
    start: int


def read_notes(text: str) -> tuple[Learned, ...]:
    """Durable notes in a free text (spec 001 §4.2). Linear in its length; never raises."""
    return keep_most(list_notes(text))


def list_notes(text: str) -> list[Learned]:
    """Every durable note, in order; not yet limited in number."""
    lines = text[:_MOST].splitlines()
    spoken = _dialogue(lines)
    found = _said(spoken) if spoken else _written(lines)
    unique = {one.text: one for one in found}
    kept = [one for one in list(unique.values())[-200:] if is_safe(one.text)]
    return merge(kept, lambda one: one.text)


def _dialogue(lines: list[str]) -> tuple[Turn, ...]:
    """The turns of a pasted conversation; none where it is no conversation."""
    turns: list[tuple[str, int, list[str]]] = []
    for number, line in enumerate(lines, 1):
        speaker = _SPEAKER.match(line[:4000])
        if speaker:
            role = "user" if _by_person(speaker) else "assistant"
            turns.append((role, number, [speaker[2] + line[4000:]]))
        elif turns:
            turns[-1][2].append(line)
    if len(turns) < 2 or not any(role == "user" for role, _line, _texts in turns):
        return ()
    return tuple(Turn(role, "\n".join(texts), None, line) for role, line, texts in turns)


def _by_person(speaker: re.Match[str]) -> bool:
    return speaker[1].lower() in _PERSON


def _said(turns: tuple[Turn, ...]) -> list[Learned]:
    read = Memories(turns, split_talk(turns))
    learned = [lesson.learned for lesson in read.learned]
    learned += [
        Learned(item.text, "decision", "", item.line, 0.8, find_entities((item.text,), 6))
        for item in read.decisions
    ]
    learned += [
        Learned(item.text, "todo", "", item.line, 0.75, find_entities((item.text,), 6)) for item in read.open
    ]
    return sorted(learned, key=lambda one: one.line)


def _written(lines: list[str]) -> list[Learned]:
    found: list[Learned] = []
    lines = [
        said[2] if (said := _SPEAKER.match(line[:4000])) and _by_person(said) else line for line in lines
    ]
    for part in _parts(lines):
        for sentence in split("\n".join(part.lines), "", part.start):
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
    """What stands in a section of that name."""
    return next(
        (
            _KINDS.get({"open": "todo"}.get(name, name))
            for language in LANGUAGES
            for name, pattern in language.heads
            if name != "done" and pattern.search(title) is not None
        ),
        None,
    )


def _note(sentence: Sentence, kind: Kind | None) -> Learned | None:
    """What one sentence of a text is to be kept as: what its section says, else what it says itself."""
    language = detect_language(sentence.text)
    if kind is not None:
        if (
            sentence.asks
            or sentence.box == "x"
            or _NONE.match(sentence.text)
            or language.passing.search(sentence.bare)
        ):
            return None
        if language.doubt.search(sentence.bare) is not None and kind != "todo":
            return None
        said = make_standalone(_unlabelled(sentence.text, kind), language)
        return _learned(said, kind, 0.8) if said and len(said) >= 6 else None
    marked = _read_marked(sentence, language)
    if marked is not None:
        return marked
    turn = Turn("user", sentence.text, None, sentence.line)
    read = Memories((turn,), (sentence._replace(role="user", turn=0),))
    if read.learned and (read.learned[0].learned.kind != "fact" or read.learned[0].learned.asked):
        return read.learned[0].learned
    for items, named in ((read.decisions, "decision"), (read.open, "todo")):
        if items:
            return _learned(items[0].text, _KINDS[named], 0.7)
    return _read_noted(sentence, language)


def _read_marked(sentence: Sentence, language: Language) -> Learned | None:
    """What the word before a colon says that it is; it keeps its words, the verb with them."""
    marked = _MARKED.search(sentence.text)
    if marked is None or sentence.asks or sentence.box == "x" or language.passing.search(sentence.bare):
        return None
    kind = _kind(marked["label"]) or _KINDS.get(marked["label"].lower())
    said = _finish(marked["rest"])
    if kind is None or kind in {"lesson", "rule"} or len(said) < 3 or _NONE.match(said):
        return None
    return _learned(said, kind, 0.8)


def _read_noted(sentence: Sentence, language: Language) -> Learned | None:
    """What says by how it begins that it is somebody's note of the person or the project."""
    if sentence.asks or any(one.search(sentence.bare) for one in (language.passing, language.doubt)):
        return None
    kind = next((name for name, begins in language.noted if begins.search(sentence.bare)), "")
    said = _finish(sentence.text)
    return _learned(said, _KINDS[kind], 0.75) if kind and is_weighty(said) else None


def _finish(text: str) -> str:
    return capitalize(strip_ends(tidy(text).rstrip(".。")))


def _unlabelled(text: str, kind: Kind) -> str:
    if kind == "lesson":
        return text
    label = _LABEL.match(text)
    plain = label is not None and label[1].lower().strip() in _KINDS
    return text[label.end() :] if label is not None and plain else text


def _learned(text: str, kind: Kind, sure: float) -> Learned:
    return Learned(
        text, kind, find_category(text) if kind == "rule" else "", 0, sure, find_entities((text,), 6)
    )
