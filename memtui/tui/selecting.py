"""Selecting in a list: one and step down, from here to there, all that are listed or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.locale import _, _n
from memtui.tui.marks import selectable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memtui.tui.hand import Hand
    from memtui.tui.rows import Rows

MOST = 10_000
"""More than these are not selected at once."""


def toggle(hand: Hand) -> None:
    """Select what the cursor is on, and step down; or take it out of the selection."""
    rows = hand.rows()
    if rows is None or not selectable(rows.current):
        return
    rows.marks.toggle(rows.key(rows.cursor), rows.current)
    rows.forget_strips()
    rows.move("down")
    _tell(hand, rows)


def draw(hand: Hand) -> None:
    """From here to where the cursor goes; again ends it."""
    rows = hand.rows()
    if rows is None:
        return
    rows.marks.begin(rows.cursor)
    if rows.marks.anchor is not None:
        rows.marks.draw(rows, rows.cursor)
        hand.screen.say(_("selecting: move, then v again"))
    else:
        _tell(hand, rows)


def everything(hand: Hand) -> None:
    """All that are listed; again none."""
    rows = hand.rows()
    if rows is None:
        return
    if rows.marks:
        rows.marks.clear()
        rows.forget_strips()
        _tell(hand, rows)
        return
    context = hand.screen.context
    items = list(rows.items)[:MOST]
    known = [rows.item(index) for index in range(len(items))]
    missing = [items[index] for index, item in enumerate(known) if item is None]

    def job(_cancelled: Callable[[], bool]) -> Mapping[Any, Any]:
        return context.load(missing)

    def show(found: Mapping[Any, Any]) -> None:
        for reference, item in zip(items, known, strict=True):
            made = found.get(reference) if item is None else item
            if made is not None and selectable(made):
                rows.marks.items[made.id] = made
        rows.forget_strips()
        _tell(hand, rows)

    if missing:
        context.reader.ask("select", job, show)
    else:
        show({})


def _tell(hand: Hand, rows: Rows) -> None:
    number = len(rows.marks)
    hand.screen.say(
        _n("{count} selected", "{count} selected", number) if number else _("nothing is selected")
    )
