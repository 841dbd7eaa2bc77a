"""Deciding in Review: approve, reject, edit or move first, all that are safe, reconsider, compare, go to the source.

A decided candidate leaves the list at once and the cursor stands on the next one; the disk follows behind.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memtui.curation.candidates import ADDING
from memtui.locale import _, _n
from memtui.tui import draw
from memtui.tui.arranging import Goal, choose
from memtui.tui.asking import ask
from memtui.tui.candidates import undoable
from memtui.tui.prompt import Prompt, needed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from memtui.curation.candidates import Candidate
    from memtui.edits import Receipt
    from memtui.errors import MemtuiError
    from memtui.tui.hand import Hand
    from memtui.tui.panes.review import ReviewView

    Decided = tuple[list[Receipt], list[tuple[Candidate, MemtuiError]]]
    """The writes that were made, and what was left with its reason."""

EVERYWHERE = frozenset(
    ["undo", "redo", "history", "retry", "toggle", "range", "all", "profile"],
)
"""Verbs that mean here what they mean in any list."""

DECIDES = frozenset(
    ["approve", "reject", "edit", "inline", "editor", "move", "diff", "reject_selected", "approve_safe"]
)


_FILES = 4
"""Files that a question names."""


def why_not(view: ReviewView, verb: str) -> str | None:
    """Why it cannot be done here, as a source string; None: ask as in any list."""
    if verb in EVERYWHERE:
        return None
    if verb not in DECIDES:
        return "That is for memories: here it is decided what becomes one."
    if verb == "approve_safe":
        return "" if view.context.waiting.candidates else "There is nothing to decide."
    row = view.row
    if verb == "reject_selected" or view.queue.marks:
        return "" if view.queue.marks else "Nothing is selected: space selects."
    if row is None:
        return "There is nothing to decide."
    if row.candidate is None:
        return "It was not proposed, so there is nothing to decide: enter shows where it stands."
    if row.rejected:
        return "" if verb == "approve" else "It is rejected: a takes that back."
    if verb == "diff":
        return "" if row.candidate.near else "Nothing that is kept is much like it."
    if verb in {"edit", "inline", "editor", "move"} and row.candidate.target is None:
        return "It writes no text of its own: approve it or reject it."
    return ""


def decide(view: ReviewView, hand: Hand, verb: str) -> bool:
    """Do a verb; False where it means here what it means everywhere."""
    if verb in EVERYWHERE:
        return False
    chosen = selected(view)
    row = view.row
    if verb == "approve" and row is not None and row.rejected and not view.queue.marks:
        reconsider(hand, chosen)
    elif verb == "approve" and not all(map(undoable, chosen)):
        text = _("What is masked is kept nowhere, so this cannot be undone.")
        hand.ask(_("Mask the secret"), text, _("mask it"), lambda: approve(view, hand, chosen))
    elif verb == "approve":
        approve(view, hand, chosen)
    elif verb in {"reject", "reject_selected"}:
        reject(view, hand, chosen)
    elif verb == "approve_safe":
        approve_safe(view, hand)
    elif chosen and verb in {"edit", "inline", "editor"}:
        edit(view, hand, chosen[0], at_length=verb == "editor")
    elif chosen and verb == "move":
        move(view, hand, chosen[0])
    elif chosen and verb == "diff":
        compare(view, hand, chosen[0])
    return True


def selected(view: ReviewView) -> list[Candidate]:
    """What is selected, in the list's order, else what is under the cursor."""
    rows = [row for row in view.queue.marks.items.values() if row.candidate is not None]
    order = {getattr(item, "id", None): number for number, item in enumerate(view.queue.items)}
    rows.sort(key=lambda row: order.get(row.id, 0))
    here = view.row
    if not rows and here is not None:
        rows = [here]
    return [row.candidate for row in rows if row.candidate is not None]


def _leave(view: ReviewView, candidates: Sequence[Candidate]) -> list[str]:
    """They leave the list, and the cursor goes to the next one that stays."""
    ids = [candidate.id for candidate in candidates]
    rows = view.queue
    gone = set(ids)
    after = [index for index in range(rows.cursor, len(rows.items)) if rows.key(index) not in gone]
    before = [index for index in range(rows.cursor - 1, -1, -1) if rows.key(index) not in gone]
    place = next((index for index in after + before if getattr(rows.items[index], "rest", True)), None)
    rows.held = rows.key(place) if place is not None else None
    rows.marks.clear()
    view.context.waiting.decide(ids)
    return ids


def approve(view: ReviewView, hand: Hand, chosen: Sequence[Candidate], text: str = "") -> None:
    """Write them: exactly what was shown."""
    from memtui.curation import review

    if not chosen:
        return
    instead = {candidate.id: view.changed.pop(candidate.id, {}) for candidate in chosen}
    if text:
        instead[chosen[0].id]["text"] = text

    def decide() -> Decided:
        if len(chosen) == 1:
            return [review.approve(hand.vault, chosen[0], **instead[chosen[0].id])], []
        return review.approve_all(hand.vault, chosen, warned=True, instead=instead)

    def back(ids: Iterable[str]) -> None:
        view.changed.update({known: wanted for known in ids if (wanted := instead[known])})

    _write_all(view, hand, chosen, decide, back)


def _write_all(
    view: ReviewView,
    hand: Hand,
    chosen: Sequence[Candidate],
    decide: Callable[[], Decided],
    back: Callable[[Iterable[str]], None] = lambda _ids: None,
) -> None:
    """Decide them as one write; those that could not be decided wait again (`back`), and it is said why."""
    from memtui.tui.hand import with_left

    waiting = view.context.waiting
    ids = _leave(view, chosen)
    stay: set[str] = set()

    def job() -> list[Receipt]:
        done, left = decide()
        stay.clear()
        stay.update(candidate.id for candidate, _error in left)
        return with_left(done, [error for _candidate, error in left])

    def settle(stay: Collection[str]) -> None:
        back(stay)
        waiting.settle([known for known in ids if known not in stay], done=True)
        if stay:
            waiting.settle(stay, done=False)

    hand.write(job, then=lambda: settle(stay), failed=lambda: settle(ids))


def reject(view: ReviewView, hand: Hand, chosen: Sequence[Candidate]) -> None:
    """Never propose them again; a reason may be given."""
    from memtui.curation import review

    if not chosen:
        return

    def write(reason: str) -> None:
        def job() -> Decided:
            if len(chosen) == 1:
                return [review.reject(hand.vault, chosen[0], reason)], []
            return review.reject_all(hand.vault, chosen, reason)

        _write_all(view, hand, chosen, job)

    title = _n("Reject {count} candidate", "Reject {count} candidates", len(chosen))
    told = "\n".join(draw.one_line(candidate.text) for candidate in chosen[:3])
    hint = _("Why? Enter alone rejects without a reason.")
    ask(hand, Prompt(title, told=told, hint=hint, placeholder=_("reason, or nothing")), write)


def reconsider(hand: Hand, chosen: Sequence[Candidate]) -> None:
    """Rejected ones wait again."""
    from memtui.curation import review
    from memtui.tui.hand import with_left

    def job() -> list[Receipt]:
        done, left = review.reconsider_all(hand.vault, chosen)
        return with_left(done, [error for _candidate, error in left])

    hand.write(job, then=hand.screen.context.waiting.again)


def approve_safe(view: ReviewView, hand: Hand) -> None:
    """Every new memory that carries no warning, of what is listed; what it writes where is asked first. What strikes
    out, masks or puts away what stands there is decided one by one."""
    from memtui.curation import review

    listed = [row.candidate for row in view.queue.items if hasattr(row, "candidate") and not row.rejected]
    offered = [candidate for candidate in listed if candidate is not None]
    added = [candidate for candidate in offered if candidate.origin in ADDING]
    safe = [candidate for candidate in added if not candidate.warnings and undoable(candidate)]
    warned = len(added) - len(safe)
    if not safe:
        hand.screen.say(_("None of them only adds a memory without a warning: decide them one by one."))
        return

    def write() -> None:
        _write_all(view, hand, safe, lambda: review.approve_all(hand.vault, safe))

    text = _("approve {safe:,} of {all:,}?").format(safe=len(safe), all=len(offered))
    kinds = Counter(candidate.origin for candidate in safe)
    text += " " + ", ".join(f"{number:,} {_(origin)}" for origin, number in kinds.most_common()) + ": "
    files = Counter(one.target.path for one in safe if one.target is not None)
    text += ", ".join(f"{draw.one_line(path)} +{number:,}" for path, number in files.most_common(_FILES))
    if len(files) > _FILES:
        text += _n(" and {count} more file", " and {count} more files", len(files) - _FILES)
    text += "."
    if warned:
        text += " " + _n("{count} carries a warning and stays.", "{count} carry a warning and stay.", warned)
    hand.ask(_("All that are safe"), text, _("approve"), write)


def edit(view: ReviewView, hand: Hand, candidate: Candidate, *, at_length: bool) -> None:
    """Another text, then approve it: in a line, or in the editor where it has several."""
    text = view.changed.get(candidate.id, {}).get("text", candidate.text)
    if at_length or "\n" in text:
        from memtui.tui.editing import text_in_editor

        edited = text_in_editor(hand.screen, text)
        if edited is not None and edited.strip():
            approve(view, hand, [candidate], edited.strip())
        return
    sheet = Prompt(_("Edit, then approve"), text, check=needed, hint=_("Enter approves it with this text."))
    ask(hand, sheet, lambda typed: approve(view, hand, [candidate], typed))


def move(view: ReviewView, hand: Hand, candidate: Candidate) -> None:
    """Another section, file or home, before it is approved."""
    target = candidate.target
    assert target is not None

    def go(goal: Goal) -> None:
        wanted = view.changed.setdefault(candidate.id, {})
        wanted.update(section=goal.section)
        if goal.path != target.path or goal.home != target.home:
            wanted.update(path=goal.path)
        if goal.home != target.home:
            wanted.update(home=goal.home)
        view.follow()
        hand.screen.say(_("a approves it there"))

    title = _("Write it to") + " · " + draw.cut(draw.one_line(candidate.text), 60)
    choose(hand, title, Goal(target.home, target.path, target.section), go)


def compare(view: ReviewView, hand: Hand, candidate: Candidate) -> None:
    """What is much like it and kept already."""
    from memtui.tui import diffs
    from memtui.tui.look_sheet import LookSheet
    from memtui.tui.prose import wrapped

    def lines(cells: int) -> list[list[tuple[str, str]]]:
        made: list[list[tuple[str, str]]] = []
        for near in candidate.near:
            where = draw.one_line(f"{near.path}:{near.line}")
            told = diffs.unified(
                near.text.encode("utf-8", "replace"), candidate.text.encode("utf-8", "replace"), ""
            )
            made += [*wrapped([(f"{near.likeness:.0%} ", "warn"), (where, "bold")], cells)]
            made += [*diffs.drawn(told, cells), []] if told else [[(_("exactly the same words"), "ok")], []]
        return made

    hand.screen.app.push_screen(LookSheet(_("Kept already (−) and the candidate (+)"), lines))
