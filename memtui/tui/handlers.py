"""What actions do on the screen where that takes more than one call. What opens over the screen is in `windows`."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.store.session_ids import fit
from memtui.tui import terminal
from memtui.tui.detail import Detail
from memtui.tui.row_list import Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.core.model import HomeStatus, Memory
    from memtui.tui.actions import Where
    from memtui.tui.context import PaneContext
    from memtui.tui.panes.pane import Pane
    from memtui.tui.screen import MainScreen
    from memtui.tui.windows import ScreenWindows


def format_reference(memory: Memory | None, context: PaneContext) -> str:
    """`path:line` as a shell and an editor understand it: relative inside the working directory, else absolute."""
    if memory is None:
        return ""
    whole = os.path.join(memory.home, *memory.path.split("/"))
    try:
        inside = os.path.relpath(whole)
    except (ValueError, OSError):
        inside = whole
    shown = whole if inside.startswith(os.pardir) else inside
    return f"{shown}:{memory.start}"


def find_screen_origin(screen: MainScreen) -> tuple[str, int] | None:
    """The session that what is under the cursor comes from, and the line of its transcript, 0 where nobody knows."""
    memory = screen.desk.memory()
    if memory is None:
        return screen.pane.origin()
    session = memory.session or (memory.source if memory.source == fit(memory.source) else "")
    return (session, 0) if session else None


def load_windows(screen: MainScreen) -> ScreenWindows:
    """What opens over the screen."""
    # The first frame opens nothing.
    from memtui.tui.windows import ScreenWindows

    return ScreenWindows(screen)


_CONTROLS = compile_pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class ScreenDesk:
    """What actions are given: the main screen, its view, its windows, and what one verb does with several of them."""

    def __init__(self, screen: MainScreen) -> None:
        self.screen = screen

    @cached_property
    def windows(self) -> ScreenWindows:
        """What opens over the screen, loaded with the first of them."""
        return load_windows(self.screen)

    @property
    def pane(self) -> Pane:
        """The view at hand."""
        return self.screen.pane

    def move(self, where: Where) -> None:
        """The focused list or text; typing in the search box moves the hits."""
        # Whoever moves on is not led back to what an undo brings.
        self.screen.context.waiting.wanted = ""
        if self.pane.move(where):
            return
        target = self.screen.focused if isinstance(self.screen.focused, (Rows, Detail)) else self.pane.rows()
        if isinstance(target, Rows) and where in {"top", "bottom"}:
            self.screen.leave_stand()
        if isinstance(target, (Rows, Detail)):
            target.move(where)

    def memory(self) -> Memory | None:
        """What the reading pane shows when it has the focus, else what is under the cursor."""
        if self.screen.hand.only is not None:
            return self.screen.hand.only
        detail = self.pane.detail()
        if detail is not None and detail.has_focus and detail.memory is not None:
            return detail.memory
        return self.pane.memory()

    def focus_pane(self, by: int) -> None:
        """The next or previous thing that can be focused."""
        (self.screen.focus_next if by > 0 else self.screen.focus_previous)()
        self.screen.tell()

    def fold(self, open: bool) -> None:
        """Fold, else go left or right; in a narrow window the sections come over the list from there."""
        over = self.screen.has_class("-sections")
        if self.pane.fold(open):
            return
        listed = isinstance(self.screen.focused, Rows) and self.screen.focused.id != "sections"
        if self._narrow and not self.sections_missing() and over == open and (over or listed):
            self.toggle_sections()
            return
        self.focus_pane(1 if open else -1)

    def scroll_detail(self, by: int) -> None:
        """A few lines, without leaving the list."""
        detail = self.pane.detail()
        if detail is not None:
            for _line in range(3):
                detail.move("down" if by > 0 else "up")

    def zoom_on(self, target: Rows | Detail) -> None:
        """One pane alone, with the focus."""
        self.screen.add_class("-zoom")
        target.add_class("-zoomed")
        self.screen.call_after_refresh(target.focus)
        self.screen.call_after_refresh(self.pane.fit)

    def zoom(self) -> None:
        """The focused pane alone, or all again."""
        target = self.screen.focused if isinstance(self.screen.focused, (Rows, Detail)) else self.pane.rows()
        if not self.screen.has_class("-zoom"):
            if target is not None:
                self.zoom_on(target)
            return
        self.screen.remove_class("-zoom")
        for widget in self.pane.query(".-zoomed"):
            widget.remove_class("-zoomed")
        self.screen.call_after_refresh(self.pane.fit)
        if self.screen.has_class("-tiny") and isinstance(target, Detail):
            self.pane.focus_first()

    def toggle_sections(self) -> None:
        """Beside the list where there is room, else over it."""
        screen = self.screen
        if not self._narrow:
            screen.toggle_class("-no-sections")
        elif screen.toggle_class("-sections").has_class("-sections"):
            screen.call_after_refresh(self.pane.query_one("#sections").focus)
        else:
            self.pane.focus_first()

    @property
    def _narrow(self) -> bool:
        return self.screen.has_class("-narrow") or self.screen.has_class("-tiny")

    def sections_missing(self) -> bool:
        """Only layer views have sections."""
        return not self.pane.query("#sections")

    def has_rows(self) -> bool:
        """Something to open."""
        rows = self.pane.rows()
        return rows is not None and bool(rows.items or self.pane.mend())

    def is_reading(self) -> bool:
        """What the view shows is read, or what waits for a decision is compared."""
        waits = self.screen.view == "review" and self.screen.context.waiting.queue is None
        return waits or not self.pane.settled

    def explain(self) -> None:
        """In place of the text; of everything, where the text has no place of its own."""
        self.pane.explain()
        detail = self.pane.detail()
        if detail is not None and not detail.display and not self.screen.has_class("-zoom"):
            self.zoom_on(detail)
        self.screen.tell()

    def find(self, by: int) -> None:
        """The next or previous mark in the text."""
        detail = self.pane.detail()
        if detail is None or not detail.find(by):
            self.screen.say(_("No match in this text."))

    def chain_missing(self, by: int) -> str:
        """Why the chain cannot be followed that way, as a source string; empty: it can."""
        detail = self.pane.detail()
        links = detail.chain if detail is not None else None
        if links is not None and (links.after if by > 0 else links.before):
            return ""
        if by < 0:
            return "It replaced nothing that is known."
        if links is not None and links.dangling:
            return "What replaced this memory is missing."
        return "Nothing is known that replaced this memory."

    def follow_chain(self, by: int) -> None:
        """Go along the chain."""
        detail = self.pane.detail()
        if detail is not None and detail.chain is not None:
            target = (detail.chain.after if by > 0 else detail.chain.before)[0]
            self.screen.leave_stand()
            self.pane.go_to(target)

    def toggle_hidden(self) -> None:
        """Show what no longer holds, or hide it again."""
        self.screen.context.choose(hidden=not self.screen.context.hidden)
        self.screen.say(
            _("superseded, archived and expired: shown") if self.screen.context.hidden else _("only what still holds")
        )
        self._follow_choice()

    def next_order(self) -> None:
        """Sort."""
        if self.pane.narrows:
            self.screen.say(_("order: {order}").format(order=_(self.pane.sort())))

    def open_item(self) -> None:
        """A session's turns, what an index names, a file at its line, or from Home's boxes the view they stand for."""
        screen, pane = self.screen, self.pane
        memory = self.memory()
        if isinstance(screen.focused, Rows) and screen.focused.id == "sections":
            screen.remove_class("-sections")
            pane.focus_first()
        elif pane.enter():
            return
        elif not self._has_items() and (mend := pane.mend()):
            screen.do(mend)
        elif screen.has_class("-tiny") and pane.detail() is not None and not screen.has_class("-zoom"):
            detail = pane.detail()
            if detail is not None:
                self.zoom_on(detail)
        elif ((opens := pane.opens()) and memory is None) or opens in {"review", "trash"}:
            if opens == "trash":
                self.windows.show_trash(screen.hand)
            elif opens.startswith("only:"):
                self._show_only(opens.removeprefix("only:"))
            else:
                screen.show(opens)
        elif (source := pane.source()) is not None:
            self.windows.open_file(*source)
        elif memory is None and (found := pane.origin()) is not None:
            self.windows.open_session(*found)
        elif memory is not None and memory.kind == "index" and memory.links:
            self.windows.follow_links(memory, lambda: self.windows.open_memory(memory))
        elif memory is not None:
            self.windows.open_memory(memory)
        else:
            screen.say(_("There is nothing to open here."))

    def _has_items(self) -> bool:
        rows = self.pane.rows()
        return rows is not None and bool(rows.items)

    def open_session(self) -> None:
        """Its page, at the place."""
        if (found := find_screen_origin(self.screen)) is not None:
            self.windows.open_session(*found)

    def resume_session(self) -> None:
        """By the memory, or by the session that it comes from."""
        memory, found = self.memory(), find_screen_origin(self.screen)
        if memory is not None and memory.kind == "session":
            self.windows.resume_session(memory)
        elif found is not None:
            self.windows.resume_session(found[0])

    def resume_missing(self) -> str:
        """Whatever is a session, or names one."""
        memory = self.memory()
        return "" if memory is not None and memory.kind == "session" else self.session_missing()

    def show_time(self) -> None:
        """Of the memory's lines; of a row that is no memory, its file."""
        memory = self.memory()
        if memory is not None:
            self.windows.show_time(memory.home, memory.path, memory.start, max(memory.end, memory.reach))
        elif (source := self.pane.source()) is not None:
            self.windows.show_time(source[0], source[1])

    def time_missing(self) -> str:
        """Whatever stands in a file has a history."""
        return "" if self.memory() or self.pane.source() else "There is no entry under the cursor."

    def session_missing(self) -> str:
        """Whatever names one."""
        return "" if find_screen_origin(self.screen) else "This names no session that it comes from."

    def open_link(self) -> None:
        """What the memory's links lead to."""
        memory = self.memory()
        if memory is not None:
            self.windows.follow_links(memory)

    def reference(self) -> str:
        """path:line."""
        return str(format_reference(self.memory(), self.screen.context))

    def copy(self, text: str, what: str) -> None:
        """By OSC 52, which reaches the clipboard through ssh and tmux too."""
        # A terminal that is pasted into would obey these: no person means to copy them.
        plain = _CONTROLS.sub("", text).encode("utf-8", "replace").decode("utf-8")
        self.screen.app.copy_to_clipboard(plain)
        self.screen.say(_("copied {what}").format(what=what))

    def show_shared(self) -> None:
        """As a section of Facts."""
        self.screen.context.sections["facts"] = "shared"
        self.screen.show("facts")

    def shared_missing(self) -> str:
        """It takes two tools."""
        return "" if self.screen.context.badges else "All memories shown here are of one agent."

    def pick_homes(self) -> None:
        """Which homes are shown."""
        self.windows.pick_homes(self._follow_choice)

    def _follow_choice(self) -> None:
        """What is chosen to be seen is something else now."""
        self.pane.refresh_view()
        self.screen.context.waiting.look()
        if self.screen.view == "search":
            self.pane.reload()
        self.screen.update_tabs()
        self.screen.update_header()

    def _show_only(self, path: str) -> None:
        """Home with one of the homes alone; with all of them again where it was alone already."""
        context = self.screen.context
        alone = context.homes == {path} or len(context.labels) < 2
        context.choose(homes=() if alone else {path})
        self._follow_choice()
        self.screen.show("home")
        if not alone and (home := context.home(path)) is not None:
            self.screen.say(_("only {home} is shown: w shows the others again").format(home=context.name(home)))

    def refresh_now(self, told: str = "") -> None:
        """Look at the disk now, and say so; `told`: say that instead."""
        screen, vault = self.screen, self.screen.context.vault

        def job(_cancelled: Callable[[], bool]) -> list[HomeStatus]:
            vault.refresh()
            return vault.status()

        def done(found: list[HomeStatus]) -> None:
            wrong = [_(status.warning) for status in found if status.warning]
            screen.say(told or " · ".join(wrong) or _("up to date"))
            screen.pane.tick()
            screen.update_header()

        screen.say(told or _("looking at the disk …"))
        screen.reader.ask("refresh", job, done)

    def quit(self) -> None:
        """Leave, unless something is not written yet that one would rather write first."""
        self.screen.wish = ""
        self.screen.hand.leave()

    def suspend(self) -> None:
        """By the terminal's own rules."""
        terminal.suspend_app(self.screen.app)

    def suspension_missing(self) -> str:
        """Not every system knows it."""
        known = terminal.can_suspend(self.screen.app)
        return "" if known else "This system cannot put a program aside: q leaves."

    def back(self) -> None:
        """Peel: prompt, what the view has of its own, zoom, filter, search, then Home."""
        if any(box.display for box in self.screen.query("#filter")):
            self.screen.hide_filter(clear=True)
        elif self.pane.peel():
            self.screen.tell()
        elif (rows := self.screen.hand.rows()) is not None and (rows.marks or rows.marks.anchor is not None):
            rows.release_marks()
            self.screen.tell()
        elif self.screen.has_class("-zoom"):
            self.zoom()
        elif self.pane.typed:
            self.pane.narrow("")
            self.screen.tell()
        elif self.screen.view == "search":
            self.screen.show(self.screen.before)
        elif self.screen.has_class("-sections"):
            self.screen.remove_class("-sections")
        elif self.pane.narrows and self.pane.query("#sections:focus, #detail:focus"):
            self.pane.focus_first()
        elif self.screen.view != "home":
            self.screen.show("home")
