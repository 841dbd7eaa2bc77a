"""What a person decided where an agent's tool asked them: Claude Code's questions with choices, and its plans."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.core.startup import pattern
from memtui.sessions.extract.concluding import Conclusion
from memtui.sessions.extract.limits import shortened
from memtui.sessions.extract.options import planned
from memtui.sessions.extract.wording import closed, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.language.conversation import Conversation, Step

_QUESTIONS = frozenset({"askuserquestion", "ask_user_question"})
_PLANS = frozenset({"exitplanmode", "exit_plan_mode"})
_ANSWER = pattern(r"\"([^\"\n]{3,200})\"\s*=\s*\"([^\"\n]{1,200})\"")
_APPROVED = pattern(
    r"\b(?:approved|accepted)\b[^.\n]{0,40}\bplan\b|\bplan\b[^.\n]{0,40}\b(?:approved|accepted)\b",
    re.IGNORECASE,
)
_PLAN = pattern(r"^.*?(?:approved plan:|\"plan\"\s*:\s*\"|plan=|^plan:)", re.IGNORECASE | re.DOTALL)
_HEADING = re.compile(r"\s{0,3}#{1,3}\s+(?:plan\s*[:—–-]\s*)?(\S.{5,100})", re.IGNORECASE)
_NOTHING = frozenset({"other", "skip", "none", "you decide", "not sure"})


def answered(conversation: Conversation) -> list[Conclusion]:
    """Every answer and every plan that was approved, in order."""
    found: list[Conclusion] = []
    for step in conversation.steps:
        kind = step.tool.lower()
        if step.failed or kind not in _QUESTIONS | _PLANS:
            continue
        texts = _answers(step) if kind in _QUESTIONS else _approved(step)
        found += [Conclusion(text, step.line, -1, True, text) for text in texts]
    return found


def _answers(step: Step) -> Iterator[str]:
    for asked in _ANSWER.finditer(step.result):
        question, answer = tidy(asked[1]).rstrip("?？ "), closed(tidy(asked[2]))
        if answer.lower() not in _NOTHING:
            yield f"{shortened(question, 90)} → {answer}"


def _approved(step: Step) -> Iterator[str]:
    if _APPROVED.search(step.result[:400]) is None:
        return
    source = step.result if "plan:" in step.result.lower() else step.given
    plan = _PLAN.sub("", source.replace("\\n", "\n"), count=1).rstrip('"} \n')
    heading = next((found[1] for line in plan.splitlines() if (found := _HEADING.match(line))), "")
    told = planned(f"plan\n{plan}")
    if told:
        yield told
    elif heading:
        yield f"Approved plan: {closed(tidy(heading))}"
