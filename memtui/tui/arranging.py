"""Verbs that put memories elsewhere, together or away: archive and restore, delete, move, merge, compare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.locale import _, _n
from memtui.model import Filter, Layer, Memory, Status
from memtui.tui import diffs, draw
from memtui.tui.asking import ask, place
from memtui.tui.items import Fixed
from memtui.tui.prompt import Prompt, needed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.edits import Receipt
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.hand import Hand
    from memtui.vault import Vault

MOST = 400
"""Places that are offered."""


class Goal(NamedTuple):
    """Where something may go."""

    home: str
    path: str
    section: str


def archive(hand: Hand) -> None:
    """Archive; what is put away already is restored."""
    from memtui.curation import facts

    memories = hand.selected()
    back = all(memory.status not in {Status.ACTIVE, Status.CANDIDATE, Status.EXPIRED} for memory in memories)

    def one(vault: Vault, memory: Memory) -> Receipt:
        return (facts.restore if back else facts.archive)(vault, memory)

    hand.write(hand.each(memories, one))


def delete(hand: Hand) -> None:
    """Take the lines out of their files, when that is really meant."""
    from memtui.curation import facts

    memories = hand.selected()
    first = memories[0]
    text = _n(
        "{count} memory goes out of its file:", "{count} memories go out of their files:", len(memories)
    )
    text += f"\n\n{draw.cut(draw.one_line(first.text), 200)}\n\n"
    if any(memory.reach > memory.end for memory in memories):
        text += _("What belongs to it goes, too.") + " "
    text += _("The trash keeps it, and u brings it back. d only archives.")

    def one(vault: Vault, memory: Memory) -> Receipt:
        return facts.delete(vault, memory)

    hand.ask(_("Delete"), text, _("delete"), lambda: hand.write(hand.each(memories, one)))


def move(hand: Hand) -> None:
    """To another section, file or home."""
    from memtui.curation import facts

    memories = hand.selected()

    def go(goal: Goal) -> None:
        def one(vault: Vault, memory: Memory) -> Receipt:
            home = goal.home if goal.home != memory.home else ""
            path = goal.path if home or goal.path != memory.path else ""
            return facts.move(vault, memory, home=home, path=path, section=goal.section)

        hand.write(hand.each(memories, one))

    first = memories[0]
    title = _("Move to") + " · " + draw.cut(draw.one_line(first.text), 60)
    choose(hand, title, Goal(first.home, first.path, first.heading[-1] if first.heading else ""), go)


def choose(hand: Hand, title: str, here: Goal, then: Callable[[Goal], None]) -> None:
    """Let a place be chosen: the sections of this file first, then of this home, then of the others."""
    context = hand.screen.context

    def show(goals: list[Goal]) -> None:
        from memtui.tui.sheets import Choice

        rows = [Fixed("new", ((" " + _("another section of this file …"), "accent"),), value="new")]
        rows += [Fixed(goal, _told(goal, here, context), value=goal) for goal in goals if goal != here]

        def chosen(value: Any) -> None:
            if value == "new":
                sheet = Prompt(_("The name of the section"), check=needed, hint=draw.one_line(here.path))
                ask(hand, sheet, lambda name: then(here._replace(section=name.lstrip("# "))))
            elif isinstance(value, Goal):
                then(value)

        hint = _("enter moves it there · esc leaves it")
        hand.screen.app.push_screen(
            Choice(title, rows, context.look, hint=hint, at=min(1, len(rows) - 1)), chosen
        )

    context.reader.ask("goals", lambda _cancelled: goals(context, here), show)


def goals(context: Context, here: Goal) -> list[Goal]:
    """Every section of the files that keep memories, the nearest first. On a reader's thread."""
    from memtui.curation.standing import form_of
    from memtui.layouts import layout

    layers = frozenset({Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE})
    found: list[Goal] = []
    for home, outline in context.vault.outlines(Filter(layers, statuses=frozenset())):
        if home.writable and form_of(home, outline.path) and not layout(home.layout).read_only(outline.path):
            names = [name for name in outline.sections if outline.path.endswith((".md", ".markdown"))]
            found += [Goal(str(home.path), outline.path, name) for name in names or [""]]
    found.sort(key=lambda goal: (goal.home != here.home, goal.path != here.path))
    return found[:MOST]


def _told(goal: Goal, here: Goal, context: Context) -> tuple[Piece, ...]:
    home = context.home(goal.home)
    whose = context.name(home) + "  " if home is not None and goal.home != here.home else ""
    section = f" § {draw.one_line(goal.section)}" if goal.section else ""
    style = "" if goal.path == here.path else "dim"
    return ((" " + whose, "dim"), (draw.one_line(goal.path), style), (section, "bold"))


def merge(hand: Hand) -> None:
    """One memory of several: the text is offered, the others are marked as replaced."""
    from memtui.curation import facts

    memories = hand.selected()
    if len(memories) < 2:
        hand.screen.say(_("Select two or more first: space."))
        return
    here = hand.screen.desk.memory()
    keep = here if here is not None and any(here.id == memory.id for memory in memories) else memories[0]
    others = [memory for memory in memories if memory.id != keep.id]

    def write(text: str) -> None:
        def job() -> Any:
            changed = "" if text == keep.text else text
            return facts.merge(hand.vault, hand.fresh(keep), list(map(hand.fresh, others)), text=changed)

        hand.write(job, typed=text)

    told = "\n".join(f"- {draw.one_line(memory.text)}" for memory in memories)
    title = _("Merge into") + " · " + place(hand, keep)
    hint = _n(
        "{count} other is marked as replaced by it.",
        "{count} others are marked as replaced by it.",
        len(others),
    )
    ask(hand, Prompt(title, draw.one_line(keep.text), told=told, hint=hint, check=needed), write)


def diff(hand: Hand) -> None:
    """Two selected ones side by side; else a memory and what replaced it, or what it replaced."""
    memories = hand.selected()
    detail = hand.screen.pane.detail()
    chain = detail.chain if detail is not None else None
    if len(memories) >= 2:
        compare(hand, memories[0], memories[1])
    elif memories and chain is not None:
        old, new = (memories[0], chain.after[0]) if chain.after else (chain.before[0], memories[0])
        compare(hand, old, new)


def compare(hand: Hand, old: Memory, new: Memory) -> None:
    """The difference of two memories' texts, over the screen."""
    from memtui.tui.look_sheet import LookSheet

    told = diffs.unified(old.text.encode("utf-8", "replace"), new.text.encode("utf-8", "replace"), old.path)

    def lines(cells: int) -> Sequence[list[Piece]]:
        same = [[(_("They say exactly the same."), "ok")]]
        return [
            [("- ", "bad"), (place(hand, old), "dim")],
            [("+ ", "ok"), (place(hand, new), "dim")],
            [],
            *(diffs.drawn(told, cells) if told else same),
        ]

    hand.screen.app.push_screen(LookSheet(_("Compared"), lines))
