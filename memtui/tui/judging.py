"""What a person says of an experience: it helped, it is wrong, it no longer fits (spec 002's effect counts it)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.locale import _
from memtui.tui import draw
from memtui.tui.asking import ask, place
from memtui.tui.prompt import Prompt

if TYPE_CHECKING:
    from memtui.edits import Receipt
    from memtui.evolution.events import Verdicts
    from memtui.model import Memory
    from memtui.tui.hand import Hand
    from memtui.vault import Vault


def helpful(hand: Hand) -> None:
    """It helped: no more needs to be said."""
    _judge(hand, "helpful", "")


def wrong(hand: Hand) -> None:
    """It misled."""
    _ask(hand, "wrong", _("Wrong"))


def stale(hand: Hand) -> None:
    """It was true once."""
    _ask(hand, "stale", _("No longer fits"))


def _ask(hand: Hand, verdict: Verdicts, title: str) -> None:
    memories = hand.selected()
    about = f"{title} · " + (place(hand, memories[0]) if len(memories) == 1 else str(len(memories)))
    told = "\n".join(draw.one_line(memory.text) for memory in memories[:3])
    hint = _("Why? Enter alone gives no reason.")
    sheet = Prompt(about, told=told, hint=hint, placeholder=_("reason, or nothing"))
    ask(hand, sheet, lambda reason: _judge(hand, verdict, reason))


def _judge(hand: Hand, verdict: Verdicts, reason: str) -> None:
    from memtui.evolution import audit

    def one(vault: Vault, memory: Memory) -> Receipt:
        return audit.verdict(vault, memory, verdict, reason)

    hand.write(hand.each(hand.selected(), one), then=hand.screen.pane.again)
