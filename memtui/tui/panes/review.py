"""5 Review: what waits to be decided, why, and exactly what would be written; what was not proposed, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui import clock
from memtui.locale import _
from memtui.text import normal
from memtui.tui import candidates, draw
from memtui.tui.candidates import Row
from memtui.tui.detail import Detail
from memtui.tui.messages import Chosen
from memtui.tui.panes import tab
from memtui.tui.panes.pane import Pane
from memtui.tui.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.timer import Timer

    from memtui.curation.candidates import Candidate, Refused
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.hand import Hand
    from memtui.tui.items import Brush
    from memtui.tui.upshot import Upshot

ORDERS = ("worth", "time", "score")

DEBOUNCE = 0.06
"""Seconds that the cursor must rest before what would be written is worked out."""

STALE = 60.0
"""Seconds after which it is said how old the queue is, while another one is worked out."""

KEPT = 200
"""Differences that are kept."""


class ReviewView(Pane):
    """The queue, and beside it the bytes that approving would write."""

    view: ClassVar[str] = "review"
    number: ClassVar[str] = "5"
    title: ClassVar[str] = "Review"
    narrows: ClassVar[bool] = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.typed = ""
        self.order = ORDERS[0]
        self.changed: dict[str, dict[str, str]] = {}
        """By the candidate's id: the text, section, path or home that a person wants instead."""
        self._diffs: dict[tuple[Any, ...], Upshot] = {}
        self._timer: Timer | None = None
        context.waiting.follow(self._offer)

    def compose(self) -> ComposeResult:
        """The queue, then what the one under the cursor would write."""
        rows = Rows(self.paint, self.context.look, id="queue")
        rows.empty = ((_("reading …"), "dim"),)
        rows.border_subtitle = Content(_("a approve · x reject · e edit first · A all safe"))
        yield rows
        yield Detail(self.context.look, id="detail")

    def paint(self, item: Row, brush: Brush) -> list[list[Piece]]:
        """A row."""
        if item.candidate is None:
            return candidates.refused(item.of, brush)  # type: ignore[arg-type]
        return candidates.row(item.candidate, brush, rejected=item.rejected)

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
            row.rejected,
            row.candidate is not None and (bool(row.candidate.near), row.candidate.target is None),
        )

    @property
    def row(self) -> Row | None:
        """What the cursor is on."""
        found = self.queue.current
        return found if isinstance(found, Row) else None

    # -- showing ------------------------------------------------------------------------------------------------

    def reload(self, *, patience: float = 0.0) -> None:
        """The queue as it is known; it is read behind the screen's back."""
        self.context.waiting.look()
        self._offer()

    def refresh_view(self, *, patience: float = 0.0) -> None:
        """What was decided is gone from it at once: it is offered anew whenever it is shown."""
        self.reload(patience=patience)

    def _offer(self) -> None:
        if not self.is_mounted:
            return
        waiting = self.context.waiting
        rows = self.queue
        found = [Row(candidate) for candidate in self._sorted(waiting.candidates) if self._matches(candidate)]
        items: list[Any] = list(found)
        if self.context.hidden and waiting.queue is not None:
            rejected = [Row(item, True) for item in waiting.queue.rejected if self._matches(item)]
            refused = [Row(item) for item in waiting.queue.refused if self._matches(item)]
            items += candidates.group(_("Rejected"), rejected) + candidates.group(_("Not proposed"), refused)
        rows.empty = ((self._why_empty(), "dim"),)
        whole = waiting.number
        number = f"{len(found):,}" if len(found) == whole else f"{len(found):,} / {whole:,}"
        if waiting.queue is None:
            number = "…"
        elif self.context.analyst.busy and waiting.at is not None and clock.now() - waiting.at > STALE:
            number += " · " + _("as of {age} ago").format(age=clock.ago(waiting.at))
        rows.border_title = Content(f"{_('Review')} · {number}")
        rows.marks.keep(item.id for item in items if isinstance(item, Row))
        wanted = self.context.waiting.wanted
        at = next((n for n, row in enumerate(found) if wanted and row.id == wanted), None)
        self.context.waiting.wanted = "" if at is not None else wanted
        rows.show(items, at=at)

    def _why_empty(self) -> str:
        if self.context.waiting.queue is None:
            return self.context.analyst.trouble or _("comparing what is remembered …")
        if self.typed:
            return _("nothing here matches '{text}' · esc shows all").format(text=self.typed[:60])
        left = self.context.waiting.refused
        more = " " + _("{count:,} facts were not proposed: . says why.").format(count=left) if left else ""
        return _(tab(self.view).nothing) + more

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
        text = normal(" ".join(parts)).lower()
        return all(word in text for word in normal(self.typed).lower().split())

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
        self.post_message(Chosen("place"))
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
            detail.show(lambda cells: candidates.told_refused(refused, cells), key=row.id, title=refused.path)
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
        near = [item.candidate for item in self.queue.items[here : here + 2] if isinstance(item, Row)]
        wanted = [
            (candidate, self._key(candidate), dict(self.changed.get(candidate.id, {})))
            for candidate in near
            if candidate is not None and self._key(candidate) not in self._diffs
        ]

        def job(cancelled: Callable[[], bool]) -> dict[tuple[Any, ...], Upshot]:
            from memtui.tui.upshot import worked_out

            vault = self.context.vault
            return {
                key: worked_out(vault, candidate, instead)
                for candidate, key, instead in wanted
                if not cancelled()
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
        title = candidates.heading(shown, self.context)
        detail.show(lambda cells: candidates.told(candidate, told, cells), key=candidate.id, title=title)

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
            if found and candidates.inside(found[0])
            else None
        )

    def origin(self) -> tuple[str, int] | None:
        """The session that it was last said in, and where in its transcript."""
        found = self.row.candidate if self.row is not None else None
        return candidates.origin(found) if found is not None else None

    # -- deciding -----------------------------------------------------------------------------------------------

    def write(self, verb: str, hand: Hand) -> bool:
        """Approve, reject, and the verbs that mean something else before it is approved."""
        from memtui.tui import deciding

        return deciding.decide(self, hand, verb)

    def why_not(self, verb: str) -> str | None:
        """What can be decided here."""
        from memtui.tui import deciding

        if self.context.waiting.queue is None and verb in deciding.DECIDES:
            return "Review is still being read."
        return deciding.why_not(self, verb)

    def place(self) -> str:
        """3 / 14 · worth"""
        rows = self.queue
        return f"{rows.cursor + 1:,} / {len(rows.items):,} · {_(self.order)}" if rows.items else ""

    def chips(self) -> str:
        """What was typed to narrow it."""
        return draw.one_line(self.typed)
