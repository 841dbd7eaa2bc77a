"""What stands behind a memory's text on its line: tags, asides in brackets, comments. Each mark changed by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.format.bullet import tags as as_tags
from memtui.model import Status
from memtui.parse.asides import status
from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

_ASIDE = pattern(r"[ \t]*(?:\(([^()]*)\)|（([^（）]*)）)")
_COMMENTS = pattern(r"(?:\s*<!--(?:(?!-->).)*-->)*\s*$")
_TAG = pattern(r"[ \t,，、]*(?<![^\s,，、])#[\w][\w/.+-]{0,63}(?![\w/.+-])")
_CLOSERS = pattern(r"(?:\*\*|~~)*")
_ARROW = pattern(r"\s*→\s*[A-Za-z][\w:.-]{0,80}-?\d[\w-]*(?=\s*$|\s*<!--)")


def tagged(tail: str, words: Sequence[str]) -> str:
    """With these tags and no others."""
    bare = _outside_comments(tail, lambda part: _TAG.sub("", part))
    closers = _CLOSERS.match(bare)
    at = closers.end() if closers else 0
    return bare[:at] + "".join(f" #{word}" for word in as_tags(words)) + bare[at:]


def noted(tail: str, names: Sequence[str], value: str) -> str:
    """With `(name: value)`, changed where it stands, else behind the other marks; an empty value takes it out."""
    field = re.compile(
        rf"^\s*(?:{'|'.join(map(re.escape, names))})(\s*[:=：]\s*)(.*?)\s*$", re.IGNORECASE | re.DOTALL
    )
    for match in _ASIDE.finditer(tail):
        inner = match[1] if match[1] is not None else match[2]
        parts = re.split(r"([,，;])", inner)
        for index in range(0, len(parts), 2):
            found = field.match(parts[index])
            if not found:
                continue
            if value:
                start, end = found.span(2)
                parts[index] = parts[index][:start] + value + parts[index][end:]
            else:
                parts = _without(parts, index)
            return _replaced(tail, match, "".join(parts))
    return behind(tail, f"({names[0]}: {value})") if value else tail


def behind(tail: str, mark: str) -> str:
    """With a mark behind the others, before the comments at the end."""
    found = _COMMENTS.search(tail)
    at = found.start() if found else len(tail)
    return f"{tail[:at].rstrip()} {mark}{tail[at:]}"


def unmarked(tail: str) -> str:
    """Without anything that says it does not hold: `(superseded by fact-2)`, `(2026-02-26, archived)` but its date."""
    done = 0
    while (match := _ASIDE.search(tail, done)) is not None:
        inner = match[1] if match[1] is not None else match[2]
        parts = [inner] if status(inner) is not Status.ACTIVE else re.split(r"([,，;])", inner)
        index = next((at for at in range(0, len(parts), 2) if status(parts[at]) is not Status.ACTIVE), -1)
        if index < 0:
            done = match.end()
            continue
        tail = _replaced(tail, match, "".join(_without(parts, index)))
        done = match.start()
    return _ARROW.sub("", tail)


def _without(parts: list[str], index: int) -> list[str]:
    if index:
        return parts[: index - 1] + parts[index + 1 :]
    rest = parts[2:]
    return [rest[0].lstrip(), *rest[1:]] if rest else []


def _replaced(tail: str, match: re.Match[str], inner: str) -> str:
    if not inner.strip():
        return tail[: match.start()] + tail[match.end() :]
    at = match.start(1) if match[1] is not None else match.start(2)
    end = match.end(1) if match[1] is not None else match.end(2)
    return tail[:at] + inner + tail[end:]


def _outside_comments(tail: str, change: object) -> str:
    assert callable(change)
    found = _COMMENTS.search(tail)
    at = found.start() if found else len(tail)
    return f"{change(tail[:at])}{tail[at:]}"
