"""5 Review: what waits to be decided, why, exactly what would be written; what was not proposed, and why not.

First the verbs: approve, reject, edit or move first, approve all that are safe, reconsider, compare. A decided
candidate leaves the list at once and the cursor stands on the next one; the disk follows. Then the view.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui.consolidation import EVOLVED
from memtui.core.locale import _, _n
from memtui.core.text import normalize_width
from memtui.review import queue
from memtui.store.candidates import ADDING
from memtui.tui import candidate_rows, draw
from memtui.tui.candidate_rows import CandidateRow, compute_upshot, is_safe, is_undoable
from memtui.tui.context import ActionClicked
from memtui.tui.detail import Detail
from memtui.tui.editing import edit_text
from memtui.tui.memory_verbs import Goal, ask, choose
from memtui.tui.mutations import SAVES, merge_receipts
from memtui.tui.panes import find_tab
from memtui.tui.panes.pane import Pane
from memtui.tui.prose import wrap_pieces
from memtui.tui.row_list import Rows
from memtui.tui.sheets import LookSheet, Prompt, Question, RejectPrompt, refuse_empty

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from textual.app import ComposeResult
    from textual.timer import Timer

    from memtui.core.edits import Receipt
    from memtui.core.errors import MemtuiError
    from memtui.store.candidates import Candidate, Refused
    from memtui.tui.candidate_rows import Upshot
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.mutations import Hand
    from memtui.tui.row_list import Brush

    Decided = tuple[list[Receipt], list[tuple[Candidate, MemtuiError]]]
    """The writes that were made, and what was left with its reason."""

EVERYWHERE = SAVES | {"undo", "redo", "history", "trash", "retry", "toggle", "range", "all", "profile"}
"""Verbs that mean here what they mean in any list."""

DECIDES = frozenset(["approve", "reject", "edit", "inline", "editor", "move", "diff", "reject_why", "approve_safe"])

_FILES = 4
"""Files that a question names."""


def why_not(view: ReviewView, verb: str) -> str | None:
    """Why it cannot be done here, as a source string; None: ask as in any list."""
    if verb in EVERYWHERE:
        return None
    if verb not in DECIDES:
        return "That is for memories: here it is decided what becomes one."
    if verb == "approve_safe" and view.offered:
        return "" if view.safe else "None of them only adds a memory without a warning: decide them one by one."
    if verb == "approve_safe":
        return "There is nothing to decide."
    row = view.row
    if view.queue.marks:
        return ""
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
    chosen = list_selected(view)
    row = view.row
    if verb == "approve" and row is not None and row.rejected and not view.queue.marks:
        reconsider(hand, chosen)
    elif verb == "approve" and not all(map(is_undoable, chosen)):
        text = _("What is masked is kept nowhere, so this cannot be undone.")
        hand.ask(_("Mask the secret"), text, _("mask it"), lambda: approve(view, hand, chosen))
    elif verb == "approve":
        approve(view, hand, chosen)
    elif verb in {"reject", "reject_why"}:
        reject(view, hand, chosen, ask_why=verb == "reject_why")
    elif verb == "approve_safe":
        approve_safe(view, hand)
    elif chosen and verb in {"edit", "inline", "editor"}:
        edit(view, hand, chosen[0], at_length=verb == "editor")
    elif chosen and verb == "move":
        move(view, hand, chosen[0])
    elif chosen and verb == "diff":
        compare(view, hand, chosen[0])
    return True


def list_selected(view: ReviewView) -> list[Candidate]:
    """What is selected, in the list's order, else what is under the cursor."""
    rows = [row for row in view.queue.marks.items.values() if row.candidate is not None]
    order = {getattr(item, "id", None): number for number, item in enumerate(view.queue.items)}
    rows.sort(key=lambda row: order.get(row.id, 0))
    rows = rows or ([view.row] if view.row is not None else [])
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
    if not chosen:
        return
    instead = {candidate.id: view.changed.pop(candidate.id, {}) for candidate in chosen}
    if text:
        instead[chosen[0].id]["text"] = text

    def decide() -> Decided:
        if len(chosen) == 1:
            return [queue.approve(hand.vault, chosen[0], evolved=EVOLVED, **instead[chosen[0].id])], []
        return queue.approve_all(hand.vault, chosen, warned=True, instead=instead, evolved=EVOLVED)

    _write_all(view, hand, chosen, decide, lambda ids: view.changed.update({one: instead[one] for one in ids}))


def _write_all(
    view: ReviewView,
    hand: Hand,
    chosen: Sequence[Candidate],
    decide: Callable[[], Decided],
    back: Callable[[Iterable[str]], None] = lambda _ids: None,
) -> None:
    """Decide them as one write; those that could not be decided wait again (`back`), and it is said why."""
    waiting = view.context.waiting
    ids = _leave(view, chosen)
    stay, writes = set[str](), set[str]()

    def job() -> list[Receipt]:
        done, left = decide()
        writes.update(known for receipt in done for known in (receipt.id, receipt.group) if known)
        stay.clear()
        stay.update(candidate.id for candidate, _error in left)
        return merge_receipts(done, [error for _candidate, error in left])

    def settle(stay: Collection[str]) -> None:
        back(stay)
        waiting.settle([known for known in ids if known not in stay], done=True, writes=writes)
        if stay:
            waiting.settle(stay, done=False)

    hand.write(job, then=lambda: settle(stay), failed=lambda: settle(ids))


def reject(view: ReviewView, hand: Hand, chosen: Sequence[Candidate], *, ask_why: bool) -> None:
    """Never propose them again: at once, or with a reason. Undo takes it back."""
    if not chosen:
        return

    def write(reason: str) -> None:
        def job() -> Decided:
            if len(chosen) == 1:
                return [queue.reject(hand.vault, chosen[0], reason)], []
            return queue.reject_all(hand.vault, chosen, reason)

        _write_all(view, hand, chosen, job)

    if not ask_why:
        write("")
        return
    title = _n("Reject {count} candidate", "Reject {count} candidates", len(chosen))
    told = "\n".join(draw.clip_to_line(candidate.text) for candidate in chosen[:3])
    hint = _("Why? Enter alone rejects without a reason.")
    ask(hand, RejectPrompt(title, told=told, hint=hint, placeholder=_("reason, or nothing")), write)


def reconsider(hand: Hand, chosen: Sequence[Candidate]) -> None:
    """Rejected ones wait again."""

    def job() -> list[Receipt]:
        done, left = queue.reconsider_all(hand.vault, chosen)
        return merge_receipts(done, [error for _candidate, error in left])

    hand.write(job, then=hand.screen.context.waiting.again)


def approve_safe(view: ReviewView, hand: Hand) -> None:
    """Every new memory that carries no warning, of what is listed; what it writes where is asked first. What strikes
    out, masks or puts away what stands there is decided one by one."""
    offered, safe = view.offered, view.safe
    warned = sum(candidate.origin in ADDING for candidate in offered) - len(safe)

    def write() -> None:
        _write_all(view, hand, safe, lambda: queue.approve_all(hand.vault, safe, evolved=EVOLVED))

    text = _("approve {safe:,} of {all:,}?").format(safe=len(safe), all=len(offered))
    kinds = Counter(candidate.origin for candidate in safe)
    text += " " + _(", ").join(f"{number:,} {_(origin)}" for origin, number in kinds.most_common()) + _(": ")
    files = Counter(one.target.path for one in safe if one.target is not None)
    text += _(", ").join(f"{draw.clip_to_line(path)} +{number:,}" for path, number in files.most_common(_FILES))
    if len(files) > _FILES:
        text += _n(" and {count} more file", " and {count} more files", len(files) - _FILES)
    text += "."
    if warned:
        text += " " + _n("{count} carries a warning and stays.", "{count} carry a warning and stay.", warned)
    look = hand.screen.context.look
    question = Question(_("All that are safe"), text, _("approve"), look, lambda: show_differences(hand, safe))
    hand.screen.app.push_screen(question, lambda sure: write() if sure else None)


def show_differences(hand: Hand, chosen: Sequence[Candidate]) -> None:
    """All that approving these writes, in one sheet."""

    def show(told: str) -> None:
        sheet = LookSheet(_("All that are safe"), lambda cells: candidate_rows.draw_diff(told, cells))
        hand.screen.app.push_screen(sheet)

    hand.screen.reader.ask("differences", lambda _cancelled: queue.diff_all(hand.vault, chosen, evolved=EVOLVED), show)


def edit(view: ReviewView, hand: Hand, candidate: Candidate, *, at_length: bool) -> None:
    """Another text, then approve it: in a line, or in the editor where it has several."""
    text = view.changed.get(candidate.id, {}).get("text", candidate.text)
    if at_length or "\n" in text:
        edited = edit_text(hand.screen, text)
        if edited is not None and edited.strip():
            approve(view, hand, [candidate], edited.strip())
        return
    sheet = Prompt(_("Edit, then approve"), text, check=refuse_empty, hint=_("Enter approves it with this text."))
    ask(hand, sheet, lambda typed: approve(view, hand, [candidate], typed))


def move(view: ReviewView, hand: Hand, candidate: Candidate) -> None:
    """Another section, file or home, before it is approved."""
    target = candidate.target
    assert target is not None

    def go(goal: Goal) -> None:
        """Note the place as the candidate's own, and show the difference anew."""
        wanted = view.changed.setdefault(candidate.id, {})
        wanted.update(section=goal.section)
        if goal.path != target.path or goal.home != target.home:
            wanted.update(path=goal.path)
        if goal.home != target.home:
            wanted.update(home=goal.home)
        view.follow()
        hand.screen.say(_("a approves it there"))

    title = _("Write it to") + " · " + draw.cut(draw.clip_to_line(candidate.text), 60)
    choose(hand, title, Goal(target.home, target.path, target.section), go)


def compare(view: ReviewView, hand: Hand, candidate: Candidate) -> None:
    """What is much like it and kept already."""

    def lines(cells: int) -> list[list[tuple[str, str]]]:
        """Each near memory with its difference to the candidate, in lines of at most so many cells."""
        made: list[list[tuple[str, str]]] = []
        for near in candidate.near:
            where = draw.clip_to_line(f"{near.path}:{near.line}")
            told = candidate_rows.diff_contents(
                near.text.encode("utf-8", "replace"), candidate.text.encode("utf-8", "replace"), ""
            )
            made += [*wrap_pieces([(f"{near.likeness:.0%} ", "warn"), (where, "bold")], cells)]
            made += (
                [*candidate_rows.draw_diff(told, cells), []] if told else [[(_("exactly the same words"), "ok")], []]
            )
        return made

    hand.screen.app.push_screen(LookSheet(_("Kept already (−) and the candidate (+)"), lines))


ORDERS = ("priority", "time", "score")

DEBOUNCE = 0.06
"""Seconds that the cursor must rest before what would be written is worked out."""

KEPT = 200
"""Differences that are kept."""


class ReviewView(Pane):
    """The queue, and beside it the bytes that approving would write."""

    view: ClassVar[str] = "review"
    number: ClassVar[str] = "5"
    title: ClassVar[str] = "Review"
    narrows: ClassVar[bool] = True

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self.typed = ""
        self.order = ORDERS[0]
        self.changed: dict[str, dict[str, str]] = {}
        """By the candidate's id: the text, section, path or home that a person wants instead."""
        self.offered: list[Candidate] = []
        self.safe: list[Candidate] = []
        """Of those that are offered, what may be approved all at once."""
        self._diffs: dict[tuple[Any, ...], Upshot] = {}
        self._timer: Timer | None = None
        context.waiting.follow(self._offer)

    def compose(self) -> ComposeResult:
        """The queue, then what the one under the cursor would write."""
        rows = Rows(self.paint, self.context.look, id="queue")
        rows.badges = self.context.badges
        rows.empty = ((_("reading …"), "dim"),)
        yield rows
        yield Detail(self.context.look, id="detail")

    def paint(self, item: CandidateRow, brush: Brush) -> list[list[Piece]]:
        """A row."""
        if item.candidate is None:
            return candidate_rows.draw_refused_row(item.of, brush)  # type: ignore[arg-type]
        return candidate_rows.draw_candidate_row(item.candidate, brush, rejected=item.rejected)

    @property
    def queue(self) -> Rows:
        """The list."""
        return self.query_one("#queue", Rows)

    def rows(self) -> Rows | None:
        """The one list."""
        return self.queue

    def detail(self) -> Detail | None:
        """What would be written."""
        return self.query_one("#detail", Detail)

    def focus_first(self) -> None:
        """The queue."""
        self.queue.focus()

    def stage(self) -> object:
        """Candidates, rejected ones and refused facts have verbs of their own."""
        row = self.row
        if row is None:
            return None
        return (
            bool(self.safe),
            row.rejected,
            row.candidate is not None and (bool(row.candidate.near), row.candidate.target is None),
        )

    @property
    def row(self) -> CandidateRow | None:
        """What the cursor is on."""
        found = self.queue.current
        return found if isinstance(found, CandidateRow) else None

    # -- showing ------------------------------------------------------------------------------------------------

    def reload(self, *, patience: float = 0.0) -> None:
        """The queue as it is known; it is read behind the screen's back."""
        self.context.waiting.look()
        self._offer()

    def refresh_view(self, *, patience: float = 0.0) -> None:
        """What was decided is gone from it at once: it is offered anew whenever it is shown."""
        self.reload(patience=patience)

    def _offer(self) -> None:
        if not (self.is_mounted and self.display):
            return
        waiting = self.context.waiting
        rows = self.queue
        self.offered = [one for one in self._sorted(waiting.candidates) if self._matches(one)]
        self.safe = [one for one in self.offered if is_safe(one)]
        found = [CandidateRow(candidate) for candidate in self.offered]
        items: list[Any] = list(found)
        if self.context.hidden and waiting.queue is not None:
            rejected = [CandidateRow(item, True) for item in waiting.queue.rejected if self._matches(item)]
            refused = [CandidateRow(item) for item in waiting.queue.refused if self._matches(item)]
            items += candidate_rows.group(_("Rejected"), rejected) + candidate_rows.group(_("Not proposed"), refused)
        rows.empty = ((self._why_empty(), "dim"),)
        keys = _("a approve · x reject · X with a reason · e edit first") if found else ""
        rows.border_subtitle = Content(keys + (" · " + _("A all safe") if self.safe else ""))
        rows.border_title = Content(f"{_('Review')} · {candidate_rows.count_queue(self.context, len(found))}")
        rows.marks.keep(item.id for item in items if isinstance(item, CandidateRow))
        at = next((n for n, row in enumerate(found) if row.id == waiting.wanted), None)
        waiting.wanted = "" if at is not None else waiting.wanted
        rows.show(items, at=at)

    def show_analysis(self) -> None:
        """How far it has come, as long as nothing else can be shown."""
        if self.context.waiting.unsure:
            self._offer()

    def mend(self) -> str:
        """Where no home is open, one is made."""
        return "" if self.context.labels or self.queue.items else "homes.make"

    def _why_empty(self) -> str:
        if not self.context.labels:
            return find_tab(self.view).describe_nothing(self.context)
        if self.context.waiting.unsure:
            return self.context.analyst.trouble or candidate_rows.describe_progress(self.context.analyst)
        if self.typed:
            return _("nothing here matches '{text}' · esc shows all").format(text=self.typed[:60])
        told = _(find_tab(self.view).nothing)
        if left := self.context.waiting.refused:
            told += " " + _("{count:,} facts were not proposed: . says why.").format(count=left)
        return told

    def _sorted(self, found: Sequence[Candidate]) -> list[Candidate]:
        if self.order == "time":
            return sorted(found, key=lambda candidate: -(candidate.time or 0))
        if self.order == "score":
            return sorted(found, key=lambda candidate: -candidate.score)
        return list(found)

    def _matches(self, item: Candidate | Refused) -> bool:
        if not self.typed:
            return True
        target = getattr(item, "target", None)
        parts = (
            item.text, getattr(item, "kind", ""), getattr(item, "origin", ""), getattr(item, "who", ""),
            f"{target.path} {target.section}" if target is not None else "", " ".join(getattr(item, "warnings", ())),
        )  # fmt: skip
        text = normalize_width(" ".join(parts)).lower()
        return all(word in text for word in normalize_width(self.typed).lower().split())

    def narrow(self, text: str) -> None:
        """Narrow the queue to what is typed."""
        if text != self.typed:
            self.typed = text
            self.words = tuple(text.lower().split())
            self.queue.words = self.words
            self._offer()

    def sort(self) -> str:
        """Take the next order and name it."""
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        self._offer()
        return self.order

    # -- what would be written ----------------------------------------------------------------------------------

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """The difference follows the cursor."""
        event.stop()
        self.post_message(ActionClicked("place"))
        self.follow()

    def follow(self) -> None:
        """Show what is under the cursor; what it would write comes when the cursor rests."""
        if self._timer is not None:
            self._timer.stop()
        row, detail = self.row, self.detail()
        if detail is None:
            return
        if row is None:
            detail.clear()
        elif row.candidate is None:
            refused: Any = row.of
            detail.show(
                lambda cells: candidate_rows.draw_refused_detail(refused, cells),
                key=row.id,
                title=refused.path,
            )
        else:
            self._present(row.candidate)
            if self._key(row.candidate) not in self._diffs:
                self._timer = self.set_timer(DEBOUNCE, self._work_out)

    def _key(self, candidate: Candidate) -> tuple[Any, ...]:
        wanted = self.changed.get(candidate.id, {})
        return (candidate.id, *sorted(wanted.items()), self.context.generation)

    def _work_out(self) -> None:
        """What approving the one under the cursor would write, and the one after it: work goes downwards."""
        here = self.queue.cursor
        near = [item.candidate for item in self.queue.items[here : here + 2] if isinstance(item, CandidateRow)]
        wanted = [
            (candidate, self._key(candidate), dict(self.changed.get(candidate.id, {})))
            for candidate in near
            if candidate is not None and self._key(candidate) not in self._diffs
        ]

        def job(cancelled: Callable[[], bool]) -> dict[tuple[Any, ...], Upshot]:
            """Work out what each would change, as far as somebody waits for it."""
            vault = self.context.vault
            return {
                key: compute_upshot(vault, candidate, instead) for candidate, key, instead in wanted if not cancelled()
            }

        def show(found: dict[tuple[Any, ...], Upshot]) -> None:
            if len(self._diffs) > KEPT:
                self._diffs.clear()
            self._diffs.update(found)
            row = self.row
            if row is not None and row.candidate is not None and self._key(row.candidate) in found:
                self._present(row.candidate)

        if wanted:
            self.context.reader.ask((self.view, "diff"), job, show)

    def _present(self, candidate: Candidate) -> None:
        detail = self.detail()
        assert detail is not None
        told, instead = self._diffs.get(self._key(candidate)), self.changed.get(candidate.id, {})
        shown = candidate
        if candidate.target is not None and instead.keys() - {"text"}:
            target = candidate.target
            shown = candidate._replace(
                target=target._replace(
                    home=instead.get("home") or target.home,
                    path=instead.get("path") or target.path,
                    section=instead.get("section", target.section),
                )
            )
        title = candidate_rows.describe_destination(shown, self.context)
        detail.show(
            lambda cells: candidate_rows.draw_candidate_detail(candidate, told, cells),
            key=candidate.id,
            title=title,
        )

    def source(self) -> tuple[str, str, int] | None:
        """Where it was said last, if that is a file of its home."""
        row = self.row
        if row is None:
            return None
        if row.candidate is None:
            refused: Any = row.of
            return refused.home, refused.path, refused.line
        found = row.candidate.sources[:1]
        return (
            (found[0].home, found[0].path, found[0].line or 1)
            if found and candidate_rows.is_inside_home(found[0])
            else None
        )

    def origin(self) -> tuple[str, int] | None:
        """The session that it was last said in, and where in its transcript."""
        found = self.row.candidate if self.row is not None else None
        return candidate_rows.find_origin(found) if found is not None else None

    # -- deciding -----------------------------------------------------------------------------------------------

    def write(self, verb: str, hand: Hand) -> bool:
        """Approve, reject, and the verbs that mean something else before it is approved."""
        return decide(self, hand, verb)

    def why_not(self, verb: str) -> str | None:
        """What can be decided here."""
        if self.context.waiting.unsure and verb in DECIDES:
            return "Review is still being read."
        return why_not(self, verb)

    def keep(self) -> dict[str, Any]:
        """Order and words, too."""
        return {**super().keep(), "order": self.order, "typed": self.typed}

    def restore(self, kept: Mapping[str, Any]) -> None:
        """The queue in that order, the cursor where it was."""
        self.order = next((one for one in ORDERS if one == kept.get("order")), self.order)
        self.narrow(str(kept.get("typed") or ""))
        super().restore(kept)

    def place(self) -> str:
        """3 / 14 · worth"""
        rows = self.queue
        return f"{rows.cursor + 1:,} / {len(rows.items):,} · {_(self.order)}" if rows.items else ""

    def chips(self) -> str:
        """What was typed to narrow it."""
        return draw.clip_to_line(self.typed)
