"""What the sections of Evolution say of themselves before they are opened: one glance tells what is wrong."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memtui.locale import _
from memtui.tui import learning
from memtui.tui.learning_rows import FEWER, GRAVE, valued

if TYPE_CHECKING:
    from memtui.config import EvolutionConfig
    from memtui.tui.draw import Piece
    from memtui.tui.learnt import All


def stands(part: str, found: All, config: EvolutionConfig) -> Piece:
    """What a section says of itself before it is opened: '1 crit', '✗✗✗', '2 weak', '☑☑☐☐'."""
    match part:
        case "signals":
            grave = Counter(row.pattern.priority for row in learning.signals(found) if learning.pending(row))
            for priority, word in (("critical", _("crit")), ("high", _("high"))):
                if grave[priority]:
                    return f" {grave[priority]} {word}", GRAVE[priority][1]
        case "streak":
            longest = max(learning.runs(found), key=lambda one: one.streak.length, default=None)
            if longest is not None:
                return " " + "✗" * min(longest.streak.length, FEWER), GRAVE[longest.streak.priority][1]
        case "effects":
            weak = sum(valued(row.effect, config)[1] == _("weak") for row in learning.lessons(found))
            if weak:
                return " " + _("{count} weak").format(count=weak), "warn"
        case "skills":
            for learnt in learning.learners(found)[:1]:
                gates = [row.gate.open for row in learning.checked(learnt)]
                return " " + "".join("☑" if one else "☐" for one in gates), "ok" if all(gates) else "warn"
    return "", ""
