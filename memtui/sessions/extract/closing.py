"""What the agent says at the end of a piece of work, where no word of it tells that something was done.

'Links expire after 90 days, filtered on read.' after files were changed is a report all the same: its first statement
is kept. Questions, offers, plans and what is still open are none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.core.startup import pattern
from memtui.sessions.extract.wording import standing, tongues
from memtui.sessions.extract.work import Deed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.language.conversation import Conversation
    from memtui.sessions.extract.sentences import Sentence

_LEAST = 10
"""Characters below which a statement says nothing; a Chinese one counts as three."""


_OFFERED = pattern(
    r"可以.{1,40}(?:也可以|或者?|还是)|要么|两种(?:方案|办法|选择)|\b(?:either|two|three|several) (?:options|ways|approaches|choices)\b"
    r"|\beither\b.{1,80}\bor\b|\b(?:could|would|might|may) (?:also )?(?:be|use|go|do)\b",
    re.IGNORECASE,
)


def statements(
    conversation: Conversation, spoken: Sequence[Sentence], reported: Sequence[Deed]
) -> list[Deed]:
    """The first statement of each turn that closes work on files, where none of it is reported already."""
    closing = _closing(conversation) - {deed.line for deed in reported}
    found: dict[int, Deed] = {}
    for sentence in spoken:
        if sentence.role == "assistant" and sentence.line in closing and sentence.line not in found:
            said = _stated(sentence)
            if said:
                found[sentence.line] = Deed(said, sentence.line, False)
    return [*found.values()]


def _stated(sentence: Sentence) -> str:
    if sentence.asks or sentence.head or sentence.box == " " or sentence.text.rstrip().endswith((":", "：")):
        return ""
    for tongue in tongues(sentence.text):
        no = (
            tongue.chatter,
            tongue.doubt,
            tongue.todo,
            tongue.gave_up,
            tongue.reported,
            tongue.decided,
            _OFFERED,
        )
        if any(one.search(sentence.bare) for one in no):
            return ""
    said = standing(sentence.text, tongues(sentence.text)[0])
    weight = len(said) + 2 * sum(char >= "\u2e80" for char in said)
    return said if weight >= _LEAST else ""


def _closing(conversation: Conversation) -> set[int]:
    """The lines of the agent's last words after it changed files, before each prompt and at the end."""
    events: list[tuple[int, str]] = [(turn.line, turn.role) for turn in conversation.said]
    events += [(step.line, "write") for step in conversation.steps if step.writes]
    found: set[int] = set()
    last, wrote = 0, False
    for line, what in [*sorted(events), (0, "user")]:
        if what == "user":
            if last and wrote:
                found.add(last)
            last, wrote = 0, False
        elif what == "write":
            last, wrote = 0, True
        elif what == "assistant":
            last = line
    return found
