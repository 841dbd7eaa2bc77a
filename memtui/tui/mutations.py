"""What changes things: verbs are handed to the writer's thread, and receipts come back to the status line.

- `run`: which function does a verb in a list, and what it needs there.
- `Hand`: what a person does with memories, whatever the view.
- Undo, redo, the history of every write.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from memtui.core.errors import ConflictError, MemtuiError, QuarantinedError, UnavailableError, UnconfirmedError
from memtui.core.locale import _, _n
from memtui.core.model import Layer, Memory, Status
from memtui.fs.places import state
from memtui.safety.sanitize import sanitize_text
from memtui.tui.context import Ready
from memtui.tui.executor import SerialExecutor
from memtui.tui.row_list import Rows, is_selectable

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Sequence

    from textual.app import App
    from textual.message import Message
    from textual.notifications import SeverityLevel

    from memtui.core.edits import Receipt
    from memtui.store.vault import Vault
    from memtui.tui.actions import Desk
    from memtui.tui.context import PaneContext
    from memtui.tui.detail import Detail
    from memtui.tui.executor import LatestOnlyExecutor
    from memtui.tui.hand_work import Drafts, HandWork


def load_hand_work() -> type[HandWork]:
    """What writes."""
    # The first frame writes nothing.
    from memtui.tui.hand_work import HandWork

    return HandWork


VERBS = {
    "inline": "memtui.tui.memory_verbs:edit_inline",
    "new": "memtui.tui.memory_verbs:add_memory",
    "supersede": "memtui.tui.memory_verbs:supersede",
    "tag": "memtui.tui.memory_verbs:tag",
    "expire": "memtui.tui.memory_verbs:expire",
    "archive": "memtui.tui.memory_verbs:archive",
    "delete": "memtui.tui.memory_verbs:delete",
    "move": "memtui.tui.memory_verbs:move",
    "merge": "memtui.tui.memory_verbs:merge",
    "diff": "memtui.tui.memory_verbs:diff",
    "edit": "memtui.tui.memory_verbs:edit",
    "section": "memtui.tui.editing:edit_section",
    "editor": "memtui.tui.editing:edit_whole_file",
    "profile": "memtui.tui.editing:edit_profile",
    "settings": "memtui.tui.settings_sheet:show_settings",
    "undo": "memtui.tui.mutations:undo",
    "redo": "memtui.tui.mutations:redo",
    "history": "memtui.tui.mutations:show_history",
    "trash": "memtui.tui.mutations:show_trash",
    "retry": "memtui.tui.history_sheet:retry",
    "toggle": "memtui.tui.memory_verbs:toggle",
    "range": "memtui.tui.memory_verbs:draw",
    "all": "memtui.tui.memory_verbs:select_all_rows",
    "helpful": "memtui.tui.memory_verbs:mark_helpful",
    "wrong": "memtui.tui.memory_verbs:mark_wrong",
    "stale": "memtui.tui.memory_verbs:mark_stale",
    "card": "memtui.tui.bundles:save_year",
    "export": "memtui.tui.bundles:export_memories",
    "import": "memtui.tui.bundles:import_memories",
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

SAVES = frozenset(["card", "export", "import", "settings"])
"""Verbs that are about files, and no row of a list."""

SELECTS = frozenset(["toggle", "range", "all"])
"""Verbs that need a list with something to select."""


def run(verb: str, hand: Hand) -> None:
    """Do a verb the way it is done in any list."""
    module, _colon, name = VERBS[verb].partition(":")
    getattr(import_module(module), name)(hand)


LATE = 2.5
"""Seconds after a write when it is known whether somebody still had the old file open."""


class Windows(Protocol):
    """What opens over the screen: loaded with the first of them."""

    def open_file(self, home: str, path: str, line: int) -> None:
        """The whole file in the text window, at its line."""

    def open_memory(self, memory: Memory) -> None:
        """A session's page; for any other memory its file."""

    def ask(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        """A question; `then` where the answer is yes."""

    def show_conflict(self, error: ConflictError, hand: Hand, job: Callable[[], Any], *, whole: bool) -> None:
        """A file has moved on under a write: what is to hold?"""

    def show_history(self, hand: Hand, verb: str = "") -> None:
        """Every write, or those of one verb."""

    def show_trash(self, hand: Hand) -> None:
        """What was deleted and not restored."""

    def show_time(self, home: str, path: str, first: int = 0, last: int = 0) -> None:
        """How a file, or some lines of it, came to be."""

    def open_session(self, session: str, line: int = 0) -> None:
        """A session's page, at a line of its transcript."""


class HandView(Protocol):
    """What the hand asks of the view that is shown."""

    def expect(self, text: str, home: str = "", path: str = "") -> None:
        """This was just written, there if anybody knows: the cursor goes to it once it is listed."""

    def write(self, verb: str, hand: Hand) -> bool:
        """Do a verb in this view's own way; False where it has none."""

    def why_not(self, verb: str) -> str | None:
        """Why this view does not do a verb, as a source string; None: it is done as in any list."""

    def rows(self) -> Rows | None:
        """The list that matters."""

    def list_rows(self) -> Rows:
        """The list beside the sections."""

    def detail(self) -> Detail | None:
        """The reading pane."""

    def layer_here(self) -> Layer:
        """The layer that something new belongs to here."""

    def again(self) -> None:
        """Something was written that no index follows."""


class HandScreen(Protocol):
    """What the hand needs of the screen."""

    keys_for: object

    def hold_keys(self) -> asyncio.Event:
        """Have keys wait for what opens now, until the answer is set."""

    @property
    def app(self) -> App[object]:
        """The app."""

    @property
    def context(self) -> PaneContext:
        """What the views are given."""

    @property
    def reader(self) -> LatestOnlyExecutor:
        """Reads behind the screen's back."""

    @property
    def desk(self) -> Desk:
        """What actions do."""

    @property
    def pane(self) -> HandView:
        """The view that is shown."""

    @property
    def windows(self) -> Windows:
        """What opens over it."""

    def say(self, sentence: str) -> None:
        """A sentence in the status line, for a while."""

    def tell(self) -> None:
        """Have the status line and the footer follow."""

    def show_banner(self, unwritten: int, *, again: bool) -> None:
        """So many texts are not written; whether the next can be tried again."""

    def post_message(self, message: Message) -> bool:
        """Have it handled on the screen's own thread."""

    def set_timer(self, delay: float, callback: Callable[[], None]) -> object:
        """Call back after some seconds."""

    def notify(self, message: str, *, severity: SeverityLevel, markup: bool, timeout: float) -> None:
        """A sentence over the screen."""


class Hand:
    """What a person does with memories, whatever the view."""

    def __init__(self, screen: HandScreen) -> None:
        self.screen = screen
        self.writer = SerialExecutor(lambda show: screen.post_message(Ready(show)))
        self._drafts: Drafts | None = None
        self._facts: type[HandWork] | None = None
        self.can_undo = False
        """Whether there is anything to undo, as far as anybody has looked."""
        self.only: Memory | None = None
        """What a verb is about that is begun in a window over the view."""
        self._about = ""
        """The text of the first memory that the next write is about."""
        self.written: list[str] = []
        """Of each write of this window that was not undone, the text that an undo stands on; empty: not known."""

    @property
    def vault(self) -> Vault:
        """What is written to."""
        return self.screen.context.vault

    @property
    def drafts(self) -> Drafts:
        """What could not be written."""
        self._drafts = self._drafts or load_hand_work().make_drafts()
        return self._drafts

    def wake(self) -> None:
        """Behind the first frame: load what knows which verb applies, and look for what was left unwritten."""

        def job(_cancelled: Callable[[], bool]) -> type[HandWork]:
            self.drafts.found()
            return load_hand_work()

        def show(facts: type[HandWork]) -> None:
            self._facts = facts
            self.changed()

        self.screen.reader.ask("hand", job, show)

    # -- verbs --------------------------------------------------------------------------------------------------

    def do(self, verb: str) -> None:
        """Do it: the view's own way where it has one."""
        if not self.screen.pane.write(verb, self):
            run(verb, self)

    def do_to(self, memory: Memory, verb: str) -> None:
        """Do it to one memory, as in any list, whatever is selected in the view below."""
        if reason := self.why_not_to(memory, verb):
            self.screen.say(_(reason))
            return
        self.only = memory
        try:
            run(verb, self)
        finally:
            self.only = None

    def why_not(self, verb: str) -> str:
        """Why it cannot be done here and now, as a source string."""
        own = self.screen.pane.why_not(verb)
        if own is not None:
            return own
        if verb == "diff" and not self._can_compare():
            return "Nothing to compare it with: select two, or stand on a replaced one."
        rows = self.rows()
        if verb in SELECTS:
            here = rows.current if rows is not None and rows.items else None
            # What is still being read will be something.
            reading = rows is not None and bool(rows.items) and here is None
            return "" if reading or is_selectable(here) else "Nothing can be selected here."
        if verb == "new" and self.screen.context.only_reads:
            return "memtui only reads the homes that are open: “make a home” in ^p begins one of your own."
        if verb not in NEEDS:
            return ""
        marked = rows.marks.items.values() if rows is not None and verb not in ONE else ()
        if any(isinstance(item, Memory) for item in marked):
            return ""
        memory = self.screen.desk.memory()
        return "There is no memory under the cursor." if memory is None else self.why_not_to(memory, verb)

    def why_not_to(self, memory: Memory, verb: str) -> str:
        """Why it cannot be done to this memory, as a source string."""
        if verb in JUDGES:
            kept = memory.layer in {Layer.CORE, Layer.KNOWLEDGE}
            return "" if kept else "Only what agents are given can be judged: lessons, rules, facts."
        home = self.screen.context.home(memory.home)
        if home is not None and home.origin is not None:
            told = "Others share it: e asks its owner for another text, or writes what is the team's own."
            return "" if verb in {"edit", "inline"} else told
        if home is not None and not home.writable:
            return "memtui only reads this home: y copies the text, Y its place for your editor."
        away = memory.status not in {Status.ACTIVE, Status.CANDIDATE, Status.EXPIRED}
        known = "restore" if verb == "archive" and away else NEEDS[verb]
        return self._facts.explain_refusal(known, memory, self.vault) if known and self._facts is not None else ""

    def _can_compare(self) -> bool:
        rows, detail = self.rows(), self.screen.pane.detail()
        chain = detail.chain if detail is not None else None
        return bool((chain is not None and (chain.after or chain.before)) or (rows is not None and len(rows.marks) > 1))

    def rows(self) -> Rows | None:
        """The list that has selections: never the sections."""
        rows = self.screen.pane.rows()
        if rows is not None and rows.id == "sections":
            return self.screen.pane.list_rows()
        return rows

    def selected(self) -> list[Memory]:
        """What is selected, else what is under the cursor."""

        rows = self.rows() if self.only is None else None
        found = [item for item in rows.marks.items.values() if isinstance(item, Memory)] if rows else []
        memory = self.screen.desk.memory()
        return found or ([memory] if memory is not None else [])

    def fresh(self, memory: Memory) -> Memory:
        """The same memory as it stands now: its file may have moved on around it. On the writer's thread."""
        return load_hand_work().reload_memory(self.vault, memory)

    def changed(self, *, look: bool = True) -> None:
        """The bars say what applies now, and what is not written yet; `look`: whether there is anything to undo."""
        self.screen.keys_for = None
        waiting = self.drafts.waiting
        self.screen.show_banner(len(waiting), again=bool(waiting) and waiting[0].job is not None)
        self.screen.tell()
        if not look:
            return

        def show(found: bool) -> None:
            if found != self.can_undo:
                self.can_undo, self.screen.keys_for = found, None
                self.screen.tell()

        self.screen.reader.ask("undo", lambda _cancelled: self.vault.can_undo(), show)

    def leave(self) -> None:
        """Leave the app; ask first while something is not written."""
        app, number = self.screen.app, len(self.drafts.waiting) if self._drafts is not None else 0
        if not number:
            app.exit()
            return
        text = _n("{count} text is not written yet.", "{count} texts are not written yet.", number)
        places = ", ".join(filter(None, (unwritten.place for unwritten in self.drafts.waiting)))
        text += " " + (_("Kept in {place}.").format(place=places) if places else _("Only this window has it."))
        self.ask(_("Leave?"), text, _("leave"), app.exit)

    # -- writing ------------------------------------------------------------------------------------------------

    def write(
        self,
        job: Callable[[], Any],
        *,
        then: Callable[[], None] = lambda: None,
        failed: Callable[[], None] = lambda: None,
        again: Callable[[], Any] | None = None,
        typed: str = "",
    ) -> None:
        """Have `job` done; it answers with a receipt, with several, or with none. `again` is the job where somebody
        has confirmed that so much may change; `typed` is what must not be lost."""
        about, self._about = self._about, ""
        if not about and (memory := self.screen.desk.memory()) is not None:
            about = memory.text

        def done(answer: Any) -> None:
            if answer:
                self.written.append(about)
            self.receive(answer)
            self.screen.pane.expect(typed)
            then()
            self.changed(look=not self.can_undo)

        def wrong(error: MemtuiError) -> None:
            self.refuse(error, again=again, typed=typed, job=job)
            failed()

        self.writer.write(job, done, wrong)

    def receive(self, answer: Any) -> None:
        """Say what was done, and how to take it back."""
        receipts: Sequence[Receipt] = answer if isinstance(answer, list) else [answer] if answer else []
        if not receipts:
            return
        # A write to a home can be undone; of what memtui notes for itself only the journal knows.
        own = os.path.join(state(), "")
        self.can_undo = self.can_undo or any(not path.startswith(own) for one in receipts for path in one.paths)
        if (rows := self.rows()) is not None and rows.marks:
            rows.release_marks()
        told = receipts[0].what
        if len(receipts) > 1:
            told = _n("{count} written", "{count} written", len(receipts)) + f" · {told} …"
        self.screen.set_timer(LATE, self.late)
        warned = [text for receipt in receipts for text in receipt.warnings]
        self.screen.say(" · ".join([sanitize_text(told), *map(sanitize_text, dict.fromkeys(warned)), _("u undo")]))

    def late(self) -> None:
        """Say where it is kept if a program went on writing into a file that had just been replaced."""

        def show(found: list[str]) -> None:
            for told in found:
                text = _("Another program had it open and wrote on. Kept: {told}").format(told=sanitize_text(told))
                self.screen.notify(text, severity="warning", markup=False, timeout=10)

        self.screen.reader.ask("late", lambda _cancelled: self.vault.overtaken(), show)

    def refuse(
        self,
        error: MemtuiError,
        *,
        job: Callable[[], Any],
        again: Callable[[], Any] | None = None,
        typed: str = "",
        whole: bool = True,
    ) -> None:
        """Say why nothing was written; ask where somebody must decide; keep what was typed.

        `whole`: what a conflict has of mine is the whole file, and not only some lines.
        """
        if isinstance(error, ConflictError):
            whole = error.base is not None and whole
            self.screen.windows.show_conflict(error, self, job, whole=whole)
        elif isinstance(error, UnconfirmedError) and again is not None:
            self.ask(_("So much?"), str(error), _("do it"), lambda: self.write(again, typed=typed))
        elif isinstance(error, QuarantinedError):
            self.screen.say(sanitize_text(str(error)) + " · " + _("5 shows it"))
        elif typed:
            passing = isinstance(error, UnavailableError)
            unwritten = self.drafts.add(typed, job if passing else None)
            self.screen.reader.ask(("draft", id(unwritten)), lambda _c: self.drafts.put(unwritten), lambda _none: None)
            way = _("your text is kept: W tries again") if passing else _("your text is kept: W gives it back")
            self.screen.say(f"{sanitize_text(str(error))} · {way}")
            self.changed()
        else:
            self.screen.say(sanitize_text(str(error)))

    def ask(self, title: str, text: str, yes: str, then: Callable[[], None]) -> None:
        """A question; `then` where the answer is yes."""
        self.screen.windows.ask(title, sanitize_text(text), yes, then)

    def each(self, memories: Sequence[Memory], one: Callable[[Vault, Memory], Receipt]) -> Callable[[], list[Receipt]]:
        """A job that does the same with every memory, as one write; what cannot be done is told with the rest."""

        self._about = memories[0].text

        def job() -> list[Receipt]:
            """Do it with each in one write; a single memory raises what the verb raises."""
            if len(memories) == 1:
                return [one(self.vault, self.fresh(memories[0]))]
            done, left = load_hand_work().apply_each(
                self.vault,
                memories,
                lambda vault, memory: one(vault, load_hand_work().reload_memory(vault, memory)),
                group=secrets.token_hex(8),
            )
            return merge_receipts(done, [error for _memory, error in left])

        return job


def merge_receipts(done: list[Receipt], left: Sequence[MemtuiError]) -> list[Receipt]:
    """The receipts, the first of them telling what was left and why. Raises where nothing was done."""
    if not left:
        return done
    told = f"{_n('{count} was left', '{count} were left', len(left)).format(count=len(left))}{_(': ')}{left[0]}"
    if not done:
        raise left[0] if isinstance(left[0], ConflictError) else type(left[0])(told)
    return [done[0]._replace(warnings=(*done[0].warnings, told)), *done[1:]]


def read_restored(vault: Vault, receipt: Receipt) -> tuple[str, str, str]:
    """What an undo put back, and its home and path; empty: nothing, or nobody knows. On the writer's thread."""
    if receipt.verb == "undo" and receipt.undoes:
        with contextlib.suppress(MemtuiError):
            return load_hand_work().quote_restored(vault.record(receipt.undoes[0]))
    return "", "", ""


def undo(hand: Hand) -> None:
    """Take the last write back."""
    _say(hand, hand.vault.undo, _("^r redo"))


def redo(hand: Hand) -> None:
    """Do it again after all."""
    _say(hand, hand.vault.redo, _("u undo"))


def _say(hand: Hand, act: Callable[[], Receipt], back: str) -> None:
    def job() -> tuple[Receipt, tuple[str, str, str]]:
        receipt = act()
        return receipt, read_restored(hand.vault, receipt)

    def done(answer: tuple[Receipt, tuple[str, str, str]]) -> None:
        """Say what came of it; what an undo brought back is where the cursor goes."""
        receipt, (restored, *place) = answer
        told = [receipt.what, *receipt.warnings]
        hand.screen.say(" · ".join([*map(sanitize_text, told), back]))
        hand.screen.context.waiting.follow_undo(receipt)
        hand.screen.pane.again()
        if receipt.verb != "undo":
            hand.written.append("")
        else:
            hand.screen.pane.expect((hand.written.pop() if hand.written else "") or restored, *place)
        hand.changed()

    hand.writer.write(job, done, lambda error: hand.refuse(error, job=job, whole=False))


def show_history(hand: Hand) -> None:
    """Every write, over the screen."""
    hand.screen.windows.show_history(hand)


def show_trash(hand: Hand) -> None:
    """What was deleted, over the screen."""
    hand.screen.windows.show_trash(hand)
