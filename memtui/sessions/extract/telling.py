"""A session as a model, or a person where the model fails, is told it: who said what, and which tools failed at what.

Secrets are masked before anything is cut: half a secret looks like none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.safety.redact import redact
from memtui.sessions.extract.limits import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.language.conversation import Conversation, Step

BUDGET = 24_000
"""Characters that a model is told: what small models take, and enough for a day's work in short."""

TURN = 2_000
"""Of one turn: its beginning and its end."""

LINES = 200
"""Of the dialogue that is kept where no model sums it up (spec 002)."""

_HEAD = 0.3
_MASKED = 50_000
_SEAM = 5_000
"""Characters behind what is kept of a text: the longest secret that begins in it ends there."""
_WIDTH = 400
_FIRST = 75
_CHINESE = re.compile("[\u3400-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")


class Telling(NamedTuple):
    """What was said, its secrets masked."""

    parts: tuple[tuple[int, str, str], ...]
    """Line, who, words: in order."""
    chinese: bool
    """Whether the person writes Chinese."""
    first: str
    """What the person wanted first, in short."""

    @property
    def characters(self) -> int:
        """Of dialogue (spec 002): what was said, without the tools."""
        return sum(len(words) for _line, who, words in self.parts if not who.startswith("Tool"))

    @property
    def short(self) -> str:
        """Within the budget: how it began, how it ended, and how much was left out between."""
        told = [_turn(who, _middle_out(words, TURN)) for _line, who, words in self.parts]
        if sum(map(len, told)) <= BUDGET:
            return "\n".join(told)
        first = _fitting(told, BUDGET * _HEAD)
        last = _fitting(told[first:][::-1], BUDGET * (1 - _HEAD))
        left = len(told) - first - last
        return "\n".join([*told[:first], f"[… {left} left out …]", *told[len(told) - last :]])

    @property
    def raw(self) -> str:
        """The head of the dialogue, as it was."""
        lines = [
            line[:_WIDTH]
            for _line, who, words in self.parts
            if not who.startswith("Tool")
            for line in _turn(who, words).splitlines()
        ]
        left = len(lines) - LINES
        return "\n".join([*lines[: LINES - 1], f"… (+{left + 1})"] if left > 0 else lines)


def telling(conversation: Conversation, patterns: Sequence[re.Pattern[str]] = ()) -> Telling:
    """A conversation, ready to be told; `patterns` are a person's own for secrets."""

    def masked(text: str) -> str:
        if len(text) > _MASKED:
            return redact(text[: _MASKED + _SEAM], patterns).text[:-_SEAM].strip()
        return redact(text, patterns).text.strip()

    names = {"user": "User", "assistant": "Agent", "summary": "Summary of what was before"}
    parts = [(turn.line, names.get(turn.role, "Agent"), masked(turn.text)) for turn in conversation.said]
    parts += [
        (step.line, f"Tool {step.tool[:40]}", _step(step, masked))
        for step in conversation.steps
        if step.failed or step.command
    ]
    parts = sorted((part for part in parts if part[2]), key=lambda part: part[0])
    prompts = " ".join(words for _line, who, words in parts if who == "User")[:BUDGET]
    letters = len(_LETTER.findall(prompts))
    first = next((words for _line, who, words in parts if who == "User"), "")
    return Telling(
        tuple(parts),
        chinese=len(_CHINESE.findall(prompts)) * 5 > letters > 0,
        first=shortened(" ".join(first.split()), _FIRST),
    )


def _step(step: Step, masked: Callable[[str], str]) -> str:
    done = masked(step.command or ", ".join(step.files) or step.given)[:300]
    return f"{done}\n=> failed: {masked(step.result)[-500:]}" if step.failed else done


def _turn(who: str, words: str) -> str:
    # Indented: a line 'User: …' in what an agent quotes is not the person's.
    return f"{who}: " + "\n  ".join(words.splitlines())


def _middle_out(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most * 2 // 3]} […] {text[-most // 3 :]}"


def _fitting(told: Sequence[str], room: float) -> int:
    """How many of the first fit."""
    for number, words in enumerate(told):
        room -= len(words) + 1
        if room < 0:
            return number
    return len(told)
