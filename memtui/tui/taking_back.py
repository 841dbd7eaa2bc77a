"""Undo, redo, the history of every write, and writing again what could not be written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.locale import _
from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from memtui.edits import Receipt
    from memtui.tui.drafts import Unwritten
    from memtui.tui.hand import Hand


def undo(hand: Hand) -> None:
    """Take the last write back."""
    _say(hand, hand.vault.undo, _("^r does it again"))


def redo(hand: Hand) -> None:
    """Do it again after all."""
    _say(hand, hand.vault.redo, _("u undo"))


def _say(hand: Hand, job: object, back: str) -> None:
    def done(receipt: Receipt) -> None:
        told = [receipt.what, *receipt.warnings]
        hand.screen.say(" · ".join([*map(safe_text, told), back]))
        hand.screen.context.waiting.again()
        hand.changed()

    assert callable(job)
    hand.writer.write(job, done, lambda error: hand.refuse(error, job=job, whole=False))


def history(hand: Hand) -> None:
    """Every write, over the screen."""
    from memtui.tui.history_sheet import HistorySheet

    hand.screen.app.push_screen(HistorySheet(hand))


def retry(hand: Hand) -> None:
    """Write what could not be written."""
    if not hand.drafts.waiting:
        hand.screen.say(_("Everything is written."))
        return
    unwritten = hand.drafts.waiting[0]
    if unwritten.job is None:
        _give_back(hand, unwritten)
        return

    # Whichever way it ends, a text that still waits is kept anew by then.
    def done() -> None:
        hand.drafts.forget(unwritten)

    hand.drafts.waiting.remove(unwritten)
    hand.write(unwritten.job, then=done, failed=done, typed=unwritten.text)


def _give_back(hand: Hand, unwritten: Unwritten) -> None:
    """What it was typed for is over, or nobody knows any more: its person may have it back."""

    def let_go() -> None:
        hand.screen.app.copy_to_clipboard(unwritten.text)
        hand.drafts.waiting.remove(unwritten)
        hand.drafts.forget(unwritten)
        hand.changed()

    text = unwritten.text[:500] + ("…" if len(unwritten.text) > 500 else "")
    if unwritten.place:
        text += "\n\n" + _("Kept in {place}.").format(place=unwritten.place)
    hand.ask(_("Not written yet"), text, _("to the clipboard, and let it go"), let_go)
