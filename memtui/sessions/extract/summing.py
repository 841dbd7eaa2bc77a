"""What is left open at the end, and the key points."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.language.similarity import likeness
from memtui.language.statements import meant
from memtui.sessions.extract import commands, mishaps, sifting
from memtui.sessions.extract.limits import shortened
from memtui.sessions.extract.undone import thrown_away
from memtui.sessions.extract.wording import standing, tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.language.conversation import Conversation, Step
    from memtui.sessions.extract import Learned
    from memtui.sessions.extract.concluding import Conclusion
    from memtui.sessions.extract.work import Deed

POINTS = 3
OPEN = 5

_LISTED = re.compile(
    r"\"(?:content|step)\"\s*:\s*\"(?P<a>[^\"]{3,200})\"[^{}]{0,200}?\"status\"\s*:\s*\"(?P<b>\w+)\"|\"status\"\s*:\s*\"(?P<c>\w+)\"[^{}]{0,200}?\"(?:content|step)\"\s*:\s*\"(?P<d>[^\"]{3,200})\""
)
_WELL = re.compile(
    r"成功|(?:都|已|全部|测试|构建|编译)通过|修复|\b(?:pass(?:es|ed)?|succeed(?:s|ed)|works|green|fixed)\b",
    re.IGNORECASE,
)
_PLANS = frozenset({"todowrite", "update_plan", "todo_write"})


_LABELLED = re.compile(
    r"^(?:(?:what(?:'s| is) )?(?:still )?(?:open|left|to ?do|missing|pending|remaining|outstanding)(?: to do| items?| points?)?"
    r"|todos?|follow-?ups?|next(?: steps?)?|未完成|待办(?:事项)?|还[差剩]|遗留(?:问题)?|后续(?:工作|事项|待办)?|下一步)\s*[:：]\s*(?=\S)",
    re.IGNORECASE,
)
"""What only says that it is open: that is said by where it stands."""


def left_open(
    conversation: Conversation, told: Sequence[Conclusion], deeds: Sequence[Deed], han: bool
) -> list[str]:
    """What was said to be open and not done since, what a plan still holds, and the failure at the end."""
    later = [(deed.line, deed.text) for deed in deeds]
    later += [(turn.line, turn.text[:300]) for turn in conversation.prompts]
    open_ = [
        item.text
        for item in told
        if not any(line > item.line and _same(item.text, text) for line, text in later)
        and not (item.text.startswith("You") and any(turn.line > item.line for turn in conversation.prompts))
    ]
    open_ += _planned(conversation)
    last = mishaps.unsolved(conversation.steps)
    if last is not None and last.line > thrown_away(conversation) and not _passed_since(last, deeds):
        error = mishaps.error(last)
        if sifting.safe(error):
            command = shortened(commands.bare(last.command), 50)
            open_.append(
                f"`{command}` 仍失败" + (f"：{error}" if error else "")
                if han
                else f"`{command}` still fails" + (f": {error}" if error else "")
            )
    said = (_LABELLED.sub("", text, count=1) for text in open_)
    return sifting.merged([text[:1].upper() + text[1:] for text in said if text], str)[:OPEN]


def _passed_since(last: Step, deeds: Sequence[Deed]) -> bool:
    """Whether somebody tells after a failure that it went well."""
    return any(deed.line > last.line and _WELL.search(deed.text) is not None for deed in deeds)


def _same(one: str, two: str) -> bool:
    like = likeness(one, two)
    if like is not None:
        return True
    words, others = meant(one), meant(two)
    return len(words) >= 2 and len(words & others) * 10 >= len(words) * 6


def _planned(conversation: Conversation) -> list[str]:
    """What the last plan of an agent's own list has not ticked off."""
    plan = next((step for step in reversed(conversation.steps) if step.tool.lower() in _PLANS), None)
    if plan is None:
        return []
    found = []
    for item in _LISTED.finditer(plan.given[:20000]):
        text, status = item["a"] or item["d"], item["b"] or item["c"]
        said = standing(text, tongues(text)[0])
        if status in {"pending", "in_progress"} and said and sifting.safe(said):
            found.append(said)
    return found


def points(
    conversation: Conversation,
    learned: Sequence[Learned],
    reported: Sequence[Deed],
    done: Sequence[str],
    han: bool,
) -> list[str]:
    """Key points: what was learned of the project, and how many tests pass."""
    found = [one.text for one in learned if one.kind in {"fact", "lesson"}]
    found += [deed.text for deed in reported if deed.text not in done and re.search(r"\d|`", deed.text)]
    last = next(
        (step for step in reversed(conversation.steps) if step.command and commands.tests(step.command)), None
    )
    count = commands.passed(last) if last is not None and not commands.failed(last) else 0
    if count:
        found.append(
            f"{count} 个测试通过" if han else f"{count} tests pass" if count > 1 else "1 test passes"
        )
    return sifting.merged(found, str)[:POINTS]
