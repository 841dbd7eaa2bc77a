"""Which function does a verb in a list, and what it needs there. Loaded with the screen: the functions wait."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.tui.hand import Hand

VERBS = {
    "inline": "asking:inline",
    "new": "asking:new",
    "supersede": "asking:supersede",
    "tag": "asking:tag",
    "expire": "asking:expire",
    "archive": "arranging:archive",
    "delete": "arranging:delete",
    "move": "arranging:move",
    "merge": "arranging:merge",
    "diff": "arranging:diff",
    "edit": "editing:entry",
    "section": "editing:section",
    "editor": "editing:whole",
    "profile": "editing:profile",
    "undo": "taking_back:undo",
    "redo": "taking_back:redo",
    "history": "taking_back:history",
    "retry": "taking_back:retry",
    "toggle": "selecting:toggle",
    "range": "selecting:draw",
    "all": "selecting:everything",
    "helpful": "judging:helpful",
    "wrong": "judging:wrong",
    "stale": "judging:stale",
}
"""verb -> module:function, called with the hand."""

JUDGES = frozenset(["helpful", "wrong", "stale"])
"""What a person says of an experience."""

NEEDS = {
    "edit": "edit",
    "inline": "edit",
    "section": "",
    "editor": "",
    "supersede": "supersede",
    "archive": "archive",
    "delete": "delete",
    "tag": "tag",
    "move": "move",
    "expire": "expire",
    **dict.fromkeys(JUDGES, ""),
}
"""Verbs that need a memory -> what the engine calls them when it is asked whether they apply; empty: any memory."""

ONE = frozenset(["edit", "inline", "section", "editor", "supersede"])
"""Of these those that are about what the cursor is on, whatever is selected."""

HERE = {
    **dict.fromkeys(
        ("approve", "reject", "approve_safe", "reject_selected"),
        "There is nothing to decide here: 5 shows what waits.",
    ),
    **dict.fromkeys(
        ("resolve", "suppress", "draft", "backfill"),
        "That is for what sessions signal: 4 shows it.",
    ),
    "calendar": "The calendar is in Timeline: 3 shows it.",
}
"""Verbs of one view -> why they do nothing elsewhere (source strings)."""


SELECTS = frozenset(["toggle", "range", "all"])
"""Verbs that need a list with something to select."""


def run(verb: str, hand: Hand) -> None:
    """Do a verb the way it is done in any list."""
    module, _colon, name = VERBS[verb].partition(":")
    getattr(import_module(f"memtui.tui.{module}"), name)(hand)
