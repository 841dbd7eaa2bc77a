"""The verbs that change something: what is kept is decided in Review, everything else is written from any list.

Each is done by the screen's hand (`Desk.write`), which also knows why it cannot be done: `Desk.why_not`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.desk import Action

if TYPE_CHECKING:
    from memtui.desk import Desk


def _verb(
    id: str, keys: tuple[str, ...], title: str, help: str, group: str, *, footer: bool = False
) -> Action:
    name = id.rpartition(".")[2]

    def run(desk: Desk) -> None:
        desk.write(name)

    def why_not(desk: Desk) -> str:
        return desk.why_not(name)

    return Action(id, keys, title, help, group, run, why_not, footer=footer)


DECISIONS: tuple[Action, ...] = (
    _verb("review.approve", ("a",), "approve", "Approve the candidate, or those selected (j skips it); "
          "reconsider a rejected one", "Decide", footer=True),
    _verb("review.reject", ("x",), "reject", "Reject the candidate; a reason may be given", "Decide", footer=True),
    _verb("item.edit", ("e",), "edit", "Edit the entry in $VISUAL or $EDITOR; in Review, its text before "
          "it is approved", "Write", footer=True),
    _verb("review.approve_safe", ("A",), "all safe", "Approve every candidate without a warning (asks first)",
          "Decide", footer=True),
    _verb("review.reject_selected", ("X",), "reject selected", "Reject every candidate that is selected", "Decide"),
    _verb("item.diff", ("equals_sign",), "compare", "Compare with its duplicate, or with what replaced it",
          "Decide", footer=True),
)  # fmt: skip

LEARNING: tuple[Action, ...] = (
    _verb("signal.resolve", ("r",), "resolve", "Say that this problem is seen to, or take that back; a reason may be "
          "given", "Learn", footer=True),
    _verb("signal.suppress", ("I",), "ignore", "Leave this problem out of account, or heed it again", "Learn",
          footer=True),
    _verb("skill.draft", ("p",), "draft skill", "Draft a skill against this problem, to be decided in Review; says "
          "which gates are shut", "Learn", footer=True),
    _verb("signal.backfill", ("B",), "hear old ones", "Listen to old sessions that no signals were taken from yet",
          "Learn"),
    _verb("effect.helpful", ("plus",), "helpful", "Say that this lesson helped", "Learn"),
    _verb("effect.wrong", ("minus",), "wrong", "Say that this lesson is wrong; a reason may be given", "Learn"),
    _verb("effect.stale", ("tilde",), "stale", "Say that this lesson no longer fits; a reason may be given", "Learn"),
    _verb("timeline.calendar", ("C",), "calendar", "A calendar of what was done and noted, day by day", "Look",
          footer=True),
)  # fmt: skip
"""Spec 002: what people say of signals and experiences."""

WRITES: tuple[Action, ...] = (
    _verb("item.inline", ("i",), "edit here", "Edit the text in one line, here", "Write"),
    _verb("item.new", ("o",), "new", "Write a new one: a fact, an entry under this section, a line in today's journal",
          "Write", footer=True),
    _verb("fact.supersede", ("s",), "supersede", "Write what replaces this memory; the old one stays, marked",
          "Write", footer=True),
    _verb("item.archive", ("d",), "archive", "Archive what is selected or under the cursor, or restore it",
          "Write", footer=True),
    _verb("item.delete", ("D",), "delete", "Take its lines out of the file (asks first)", "Write"),
    _verb("item.tag", ("t",), "tags", "Change its tags", "Write"),
    _verb("item.move", ("m",), "move", "To another section, file or home; in Review, before it is approved", "Write"),
    _verb("item.merge", ("M",), "merge", "Make one memory of those selected", "Write"),
    _verb("item.expire", ("T",), "expiry", "Say until when it holds", "Write"),
    _verb("item.section", ("ctrl+e",), "edit section", "Edit its whole section in $VISUAL or $EDITOR", "Write"),
    _verb("item.editor", ("E",), "edit file", "Edit the whole file, at its line, in $VISUAL or $EDITOR", "Write"),
    _verb("file.profile", ("P",), "profile", "Edit a profile or a MEMORY.md whole, from any view; make a profile",
          "Write"),
    _verb("edit.undo", ("u",), "undo", "Take the last write back", "Write", footer=True),
    _verb("edit.redo", ("ctrl+r",), "redo", "Do it again after all", "Write"),
    _verb("edit.history", ("U",), "history", "Every write, with its difference; take back any of them", "Write"),
    _verb("edit.retry", ("W",), "write again", "Write what could not be written", "Write"),
    _verb("select.toggle", ("space",), "select", "Select this one and step down", "Select", footer=True),
    _verb("select.range", ("v",), "range", "Select from here to where the cursor goes; v again ends it", "Select"),
    _verb("select.all", ("ctrl+a",), "all", "Select all that are listed, or none", "Select"),
)  # fmt: skip
