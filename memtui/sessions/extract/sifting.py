"""What remains of what was found: no secret, no order to an agent, nothing twice, nothing that was taken back."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from memtui.language.similarity import denials, likeness, normal
from memtui.language.statements import slot
from memtui.safety.injection import examine
from memtui.safety.redact import redact
from memtui.sessions.extract.entities import entities
from memtui.sessions.extract.wording import tongues, weighty

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.safety.redact import Secret
    from memtui.sessions.extract import Learned
    from memtui.sessions.extract.sentences import Sentence

Item = TypeVar("Item")

COMPARED = 80
"""So many are compared with each other: the last ones."""

MOST = 12
"""So much is learned in one session."""

_ORDER = {"pref": 0, "rule": 1, "lesson": 2, "fact": 3, "decision": 4, "todo": 5}
_HIDDEN = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]|▯|\\[(?:已脱敏|redacted:)|[A-Za-z0-9_#-]…[A-Za-z0-9_-]"
)
"""Signs of what is hidden or was masked ('ghp_…Q7xa')."""


def safe(text: str, whole: str = "") -> bool:
    """Whether a text may be kept: it holds no secret (nor a part of one of `whole`, what it was taken from)."""
    if _HIDDEN.search(text) is not None or _secrets(text) or examine(text).action != "none":
        return False
    if not whole:
        return True
    return not any(
        part in text for secret in _secrets(whole) for part in _parts(whole[secret.start : secret.end])
    )


@lru_cache(maxsize=64)
def _secrets(text: str) -> tuple[Secret, ...]:
    # The same turn is asked about for each thing that was said in it.
    return redact(text).secrets


def _parts(secret: str) -> Iterable[str]:
    return [part for part in secret.split() if len(part) >= 4]


def without_secrets(text: str) -> str:
    """The text without the parts that hold a secret and what announces it; as it is, where it holds none."""
    spans = [(secret.start, secret.end) for secret in _secrets(text)]
    spans += [mask.span() for mask in _MASK.finditer(text)]
    for start, end in sorted(spans, reverse=True):
        before = _ANNOUNCES.sub("", text[:start])
        text = (before + text[end:]).strip(" ,，、;；:：")
    return text


def disclosed(learned: Learned) -> Learned:
    """What was learned, without the secrets in it."""
    text = without_secrets(learned.text)
    if text == learned.text or not weighty(text):
        return learned
    return learned._replace(text=text, entities=entities((text,), 6))


def names_denied(sentence: Sentence) -> frozenset[str]:
    """The names that a sentence no longer wants."""
    return frozenset(
        name.lower().rstrip(".")
        for tongue in tongues(sentence.text)
        for found in tongue.denied.finditer(sentence.bare)
        for name in found.groups()
        if name and name.lower() not in _PLAIN
    )


_MASK = re.compile(r"\[(?:已脱敏|redacted:)[^\]\n]{0,40}\]|[A-Za-z0-9_#-]{1,8}…[A-Za-z0-9_-]{1,8}")
"""What stands where a secret stood: transcripts are read masked."""
_ANNOUNCES = re.compile(
    r"[\s,，、;；和]*(?:\b(?:and )?(?:the|my|our|its|a|new) (?:new )?)?(?:[\w.-]*(?:密码|口令|密钥|令牌|password|passwd|pwd|token|secret|api[_ -]?key|key)[\w]{0,6})?\s*(?:是|为|is|=|:|：)?\s*$",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    [
        "the",
        "a",
        "an",
        "it",
        "that",
        "this",
        "to",
        "be",
        "only",
        "just",
        "in",
        "on",
        "for",
        "any",
        "use",
        "using",
        "what",
        "i",
        "we",
        "you",
        "your",
        "my",
        "me",
        "more",
        "too",
        "all",
        "one",
    ]
)


def affirms(text: str, name: str) -> bool:
    """Whether a text is for what the name stands for, not against it."""
    low = text.lower()
    at = low.find(name)
    if at < 0:
        return False
    end = at + len(name)
    if (low[at - 1 : at].isascii() and low[at - 1 : at].isalnum()) or (
        low[end : end + 1].isascii() and low[end : end + 1].isalnum()
    ):
        return False
    return denials(normal(low[max(0, at - 24) : at])) == 0 and not re.search(
        r"(?:instead of|rather than|over|而非|代替|替代|drop|replace|from)\s*(?:using |the )?[`\"']?$",
        low[max(0, at - 24) : at],
    )


def overtaken(text: str, line: int, denied: Sequence[tuple[int, frozenset[str]]]) -> bool:
    """Whether a report is for what the person no longer wanted after it."""
    if _REMOVES.search(text) is not None:
        return False
    return any(at > line and any(affirms(text, name) for name in names) for at, names in denied)


_REMOVES = re.compile(
    r"移除|删除|去掉|替换|换成|改[为成用]|迁移|remov|drop|replac|delet|migrat|switch", re.IGNORECASE
)


def merged(items: Sequence[Item], text: Callable[[Item], str]) -> list[Item]:
    """Each thing once, in order: the longer of two that say the same, the later of two that differ in a value."""
    kept: list[Item] = []
    for item in list({text(item): item for item in items}.values())[-COMPARED:]:
        for at, other in enumerate(kept):
            like = likeness(text(item), text(other))
            if like is None and not _other_value(text(item), text(other)):
                continue
            if like is None or like.kind in {"differs", "around"}:
                kept[at] = item
            elif like.kind == "near" and like.score < 0.72:
                continue
            elif len(text(item)) > len(text(other)) and like.kind != "inside":
                kept[at] = item
            break
        else:
            kept.append(item)
    return kept


def _other_value(one: str, two: str) -> bool:
    """Whether two texts give the same thing its value: the later one counts."""
    first, second = slot(one), slot(two)
    return first is not None and second is not None and first.subject == second.subject


def most(learned: Sequence[Learned]) -> tuple[Learned, ...]:
    """The ones that matter most, in the order in which they were said."""
    ranked = sorted(learned, key=lambda one: (not one.asked, -one.confidence, _ORDER[one.kind]))[:MOST]
    return tuple(one for one in learned if one in ranked)
