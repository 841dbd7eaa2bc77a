"""What actions do on the screen: the small verbs, and those that open something.

The desk: what actions do on the screen. Small verbs are here; those that open something are in `doings`.

Actions that open something: a session, a file, an editor, a list to choose from. They read on readers' threads.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.core.locale import _, _n
from memtui.core.startup import pattern
from memtui.store.session_ids import fit
from memtui.tui import bars, draw, terminal
from memtui.tui.actions import ACTIONS, GROUPS, format_key
from memtui.tui.actions import find_action as known
from memtui.tui.detail import Detail
from memtui.tui.draw import DARK, LIGHT
from memtui.tui.keymap import find_keys
from memtui.tui.row_list import Fixed, Rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.core.model import HomeStatus, Memory
    from memtui.tui.actions import Action, Where
    from memtui.tui.context import PaneContext
    from memtui.tui.context_sheet import ContextRequest
    from memtui.tui.panes.pane import Pane
    from memtui.tui.screen import MainScreen
    from memtui.tui.sheets import Sheet


def open_item(screen: MainScreen) -> None:
    """A session's turns, what an index names, a file at its line, or from Home's boxes the view they stand for."""
    pane = screen.pane
    memory = screen.desk.memory()
    if isinstance(screen.focused, Rows) and screen.focused.id == "sections":
        screen.remove_class("-sections")
        pane.focus_first()
    elif pane.enter():
        return
    elif screen.has_class("-tiny") and pane.detail() is not None and not screen.has_class("-zoom"):
        detail = pane.detail()
        if detail is not None:
            screen.desk.zoom_on(detail)
    elif ((opens := pane.opens()) and memory is None) or opens in {"review", "trash"}:
        if opens == "trash":
            from memtui.tui.history_sheet import HistorySheet

            screen.app.push_screen(HistorySheet(screen.hand, "delete"))
        else:
            screen.show(opens)
    elif (source := pane.source()) is not None:
        open_file(screen, *source)
    elif memory is None and (found := pane.origin()) is not None:
        open_session(screen, *found)
    elif memory is not None and memory.kind == "index" and memory.links:
        from memtui.tui import links

        links.follow(screen, memory.home, memory.path, memory.links, lambda: open_memory(screen, memory))
    elif memory is not None:
        open_memory(screen, memory)
    else:
        screen.say(_("There is nothing to open here."))


def open_memory(screen: MainScreen, memory: Memory) -> None:
    """A session's page; for any other memory its file."""
    if memory.kind == "session":
        from memtui.tui import session_sheet

        session_sheet.open_memory_session(screen, memory)
    else:
        open_file(screen, memory.home, memory.path, memory.start)


def find_screen_origin(screen: MainScreen) -> tuple[str, int] | None:
    """The session that what is under the cursor comes from, and the line of its transcript, 0 where nobody knows."""
    memory = screen.desk.memory()
    if memory is None:
        return screen.pane.origin()

    session = memory.session or (memory.source if memory.source == fit(memory.source) else "")
    return (session, 0) if session else None


def open_session(screen: MainScreen, session: str, line: int = 0) -> None:
    """A session's page, by its id, at a line of its transcript."""
    from memtui.tui import session_sheet

    session_sheet.open_session_by_id(screen, session, line)


def open_file(screen: MainScreen, home: str, path: str, line: int) -> None:
    """The whole file in the text window, at its line."""

    def show(text: str) -> None:
        from memtui.tui.viewer import Viewer

        if not text:
            screen.say(_("{path} is empty or gone.").format(path=draw.clip_to_line(path)))
            return
        screen.app.push_screen(Viewer(home, path, text, line))

    screen.reader.ask("open", lambda _cancelled: screen.context.vault.text(home, path), show)


def show_palette(screen: MainScreen) -> None:
    """Textual's palette with our commands."""
    from memtui.tui.palette import Palette

    screen.app.push_screen(Palette())


def show_given(screen: MainScreen) -> None:
    """What a new session would be given now."""

    def job(_cancelled: Callable[[], bool]) -> ContextRequest:
        from memtui.tui.context_sheet import load_session_context

        return load_session_context(screen.context, "startup")

    def done(found: ContextRequest) -> None:
        from memtui.tui.context_sheet import GivenSheet

        screen.app.push_screen(GivenSheet(found))

    screen.reader.ask("given", job, done)


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


def go_to(screen: MainScreen, memory: Memory) -> None:
    """Show a memory that the view at hand knows of."""
    screen.pane.go_to(memory)


def open_filter(screen: MainScreen) -> None:
    """A box above the footer; the list narrows as one types."""
    from memtui.tui.sheets import Box

    if not screen.query("#filter"):
        placeholder = _("filter this list: words, kind:rule status:all since:7d expiring:7d home:shop")
        screen.mount(Box(placeholder=placeholder, id="filter", compact=True), before="#status")
    box = screen.query_one("#filter", Box)
    box.value = screen.pane.typed
    box.display = True
    box.focus()


# -- lists to choose from ---------------------------------------------------------------------------------------


def pick_homes(screen: MainScreen, then: Callable[[], None]) -> None:
    """Which homes are shown; `then` is called when that is something else now."""
    from memtui.tui.sheets import HomesSheet

    context = screen.context

    def done(picked: frozenset[str] | None) -> None:
        if picked:
            context.choose(homes=picked if len(picked) < len(context.labels) else ())
            then()

    screen.app.push_screen(HomesSheet(context.vault.homes, context.homes), done)


def pick_theme(screen: MainScreen) -> None:
    """Themes, worn as the cursor moves; escape puts the former one back."""
    from memtui.tui.sheets import Choice

    former = screen.app.theme
    first = [DARK, LIGHT, "ansi-dark", "ansi-light"]
    names = [*first, *sorted(name for name in screen.app.available_themes if name not in first)]
    rows = [Fixed(name, ((f" {name}", ""),), value=name) for name in names]

    def done(name: Any) -> None:
        screen.use_theme(name or former)

    at = names.index(former) if former in names else 0
    sheet = Choice(_("Theme"), rows, screen.context.look, hint=_("enter keep · esc back"), at=at,
                   preview=screen.use_theme)  # fmt: skip
    screen.app.push_screen(sheet, done)


def show_keys(screen: MainScreen, page: Sheet[Any] | None = None) -> None:
    """Every key by group and the pages of the manual, or the keys of a window over the screen; enter does it."""
    from memtui.manual import TOPICS, Topic
    from memtui.tui.sheets import Choice

    rows: list[Fixed] = []

    def add(action: Action, title: str, help: str) -> None:
        keys = " ".join(map(format_key, find_keys(action, screen.keymap)))
        left = ((f"   {draw.pad(keys, 12)} ", "accent"), (draw.pad(_(title), 16), ""), (_(help), "dim"))
        rows.append(Fixed(action.id, left, value=action.id))

    if page is not None:
        for name, title in page.KEYS.items():
            add(known(name), title, "")
    for group in GROUPS if page is None else GROUPS[:1]:
        if rows:
            rows.append(Fixed(f"blank:{group}", (), rest=False))
        rows.append(Fixed(f"group:{group}", ((f" {_(group)}", "head"),), rest=False))
        for action in ACTIONS:
            if action.group == group and (page is None or action.motion):
                add(action, action.title, action.help)
    if page is None:
        rows.append(Fixed("blank:manual", (), rest=False))
        rows.append(Fixed("group:manual", ((f" {_('Manual')}", "head"),), rest=False))
        for topic in TOPICS:
            left = ((f"   {draw.pad(topic.name, 12)} ", "accent"), (_(topic.about), ""))
            rows.append(Fixed(f"manual:{topic.name}", left, value=topic))

    def done(chosen: Any) -> None:
        if isinstance(chosen, Topic):
            from memtui.tui.manual_viewer import open_page

            open_page(screen, chosen)
        elif chosen:
            (screen.do if page is None else page.action_do)(chosen)

    hint = _("enter does it · G manual · esc close") if page is None else _("enter does it · esc close")
    screen.app.push_screen(Choice(_("Keys"), rows, screen.context.look, hint=hint), done)


def refresh(screen: MainScreen) -> None:
    """Look at the disk now."""
    vault = screen.context.vault

    def job(_cancelled: Callable[[], bool]) -> list[HomeStatus]:
        vault.refresh()
        return vault.status()

    def done(found: list[HomeStatus]) -> None:
        wrong = [status.warning for status in found if status.warning]
        screen.say(" · ".join(wrong) or _("up to date"))
        screen.pane.tick()
        bars.update_header(screen)

    screen.say(_("looking at the disk …"))
    screen.reader.ask("refresh", job, done)


def rebuild(screen: MainScreen) -> None:
    """Ask first: it takes a while, though nothing is lost."""
    from memtui.tui.sheets import Question

    vault = screen.context.vault

    def done(yes: bool | None) -> None:
        if yes:
            screen.say(_("rebuilding …"))
            screen.reader.ask(
                "rebuild", lambda _cancelled: vault.rebuild(), lambda _none: screen.say(_("rebuilt"))
            )

    text = _n(
        "The index of {count} home is made anew from the files.",
        "The indexes of {count} homes are made anew from the files.",
        len(vault.homes),
    )
    text += " " + _("No memory is touched; searches go on meanwhile.")
    sheet = Question(_("Rebuild"), text, _("rebuild"), screen.context.look)
    screen.app.push_screen(sheet, done)


_CONTROLS = pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class ScreenDesk:
    """The main screen as actions see it (`memtui.tui.actions.Desk`)."""

    def __init__(self, screen: MainScreen) -> None:
        self.screen = screen

    @property
    def pane(self) -> Pane:
        """The view at hand."""
        return self.screen.pane

    def show(self, view: str) -> None:
        """Show a view."""
        self.screen.show(view)

    def step_view(self, by: int) -> None:
        """The next or the previous one on the tab line."""
        self.screen.step_view(by)

    def open_search(self) -> None:
        """Search, with the cursor in its box."""
        self.show("search")

    def move(self, where: Where) -> None:
        """The focused list or text; typing in the search box moves the hits."""
        if self.pane.move(where):
            return
        target = self.screen.focused if isinstance(self.screen.focused, (Rows, Detail)) else self.pane.rows()
        if isinstance(target, (Rows, Detail)):
            target.move(where)

    def memory(self) -> Memory | None:
        """What the reading pane shows when it has the focus, else what is under the cursor."""
        detail = self.pane.detail()
        if detail is not None and detail.has_focus and detail.memory is not None:
            return detail.memory
        return self.pane.memory()

    def focus_pane(self, by: int) -> None:
        """The next or previous thing that can be focused."""
        (self.screen.focus_next if by > 0 else self.screen.focus_previous)()
        self.screen.tell()

    def fold(self, open: bool) -> None:
        """Fold, else go left or right."""
        if not self.pane.fold(open):
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
        if self.screen.has_class("-tiny") and isinstance(target, Detail):
            self.pane.focus_first()

    def toggle_sections(self) -> None:
        """Beside the list where there is room, else over it."""
        screen = self.screen
        if not (screen.has_class("-narrow") or screen.has_class("-tiny")):
            screen.toggle_class("-no-sections")
        elif screen.toggle_class("-sections").has_class("-sections"):
            screen.call_after_refresh(self.pane.query_one("#sections").focus)
        else:
            self.pane.focus_first()

    def sections_missing(self) -> bool:
        """Only layer views have sections."""
        return not self.pane.query("#sections")

    def has_rows(self) -> bool:
        """Something to open."""
        rows = self.pane.rows()
        return rows is not None and bool(rows.items)

    def can_filter(self) -> bool:
        """Layer views."""
        return self.pane.narrows

    def searching(self) -> bool:
        """Search."""
        return self.screen.view == "search"

    def can_explain(self) -> bool:
        """A hit."""
        return self.pane.can_explain()

    def explain(self) -> None:
        """In place of the text; of everything, where the text has no place of its own."""
        self.pane.explain()
        detail = self.pane.detail()
        if detail is not None and not detail.display and not self.screen.has_class("-zoom"):
            self.zoom_on(detail)
        self.screen.tell()

    def ask_otherwise(self, what: str) -> None:
        """The view knows how."""
        self.pane.ask_otherwise(what)

    def can_find(self) -> bool:
        """Something is marked."""
        return bool(self.pane.words)

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
            return "What is said to have replaced this memory is nowhere to be found."
        return "Nothing is known that replaced this memory."

    def follow_chain(self, by: int) -> None:
        """Go along the chain."""
        detail = self.pane.detail()
        if detail is not None and detail.chain is not None:
            target = (detail.chain.after if by > 0 else detail.chain.before)[0]
            go_to(self.screen, target)

    def toggle_hidden(self) -> None:
        """Show what no longer holds, or hide it again."""
        self.screen.context.choose(hidden=not self.screen.context.hidden)
        self.screen.say(
            _("superseded, archived and expired: shown")
            if self.screen.context.hidden
            else _("only what still holds")
        )
        self._choice_changed()

    def next_order(self) -> None:
        """Sort."""
        if self.pane.narrows:
            self.screen.say(_("sorted by {order}").format(order=_(self.pane.sort())))

    def open_item(self) -> None:
        """Turns, file, or view."""
        open_item(self.screen)

    def open_session(self) -> None:
        """Its page, at the place."""
        if (found := find_screen_origin(self.screen)) is not None:
            open_session(self.screen, *found)

    def session_missing(self) -> str:
        """Whatever names one."""
        return "" if find_screen_origin(self.screen) else "This names no session that it comes from."

    def write(self, verb: str) -> None:
        """The hand does it."""
        self.screen.hand.do(verb)

    def why_not(self, verb: str) -> str:
        """The hand knows."""
        return self.screen.hand.why_not(verb)

    def open_link(self) -> None:
        """What the memory's links lead to."""
        from memtui.tui import links

        memory = self.memory()
        if memory is not None:
            links.follow(self.screen, memory.home, memory.path, memory.links)

    def reference(self) -> str:
        """path:line."""
        return str(format_reference(self.memory(), self.screen.context))

    def copy(self, text: str, what: str) -> None:
        """By OSC 52, which reaches the clipboard through ssh and tmux too."""
        # A terminal that is pasted into would obey these: no person means to copy them.
        plain = _CONTROLS.sub("", text).encode("utf-8", "replace").decode("utf-8")
        self.screen.app.copy_to_clipboard(plain)
        self.screen.say(_("copied {what}").format(what=what))

    def pick_homes(self) -> None:
        """Which homes are shown."""
        pick_homes(self.screen, self._choice_changed)

    def _choice_changed(self) -> None:
        """What is chosen to be seen is something else now."""
        self.pane.refresh_view()
        self.screen.context.waiting.look()
        if self.screen.view == "search":
            self.pane.reload()
        bars.update_tabs(self.screen)
        bars.update_header(self.screen)

    def rebuild(self) -> None:
        """Ask, then rebuild."""
        rebuild(self.screen)

    def refresh_now(self) -> None:
        """Look at the disk now."""
        refresh(self.screen)

    def help(self) -> None:
        """Every key."""
        show_keys(self.screen)

    def palette(self) -> None:
        """Textual's palette with our commands."""
        show_palette(self.screen)

    def show_given(self) -> None:
        """Its window."""
        show_given(self.screen)

    def pick_theme(self) -> None:
        """Themes, previewed."""
        pick_theme(self.screen)

    def quit(self) -> None:
        """Leave, unless something is not written yet that one would rather write first."""
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
        elif self.screen.has_class("-zoom"):
            self.zoom()
        elif self.pane.typed:
            self.pane.narrow("")
            self.screen.tell()
        elif self.screen.view == "search":
            self.show(self.screen.before)
        elif self.screen.has_class("-sections"):
            self.screen.remove_class("-sections")
        elif self.pane.narrows and self.pane.query("#sections:focus, #detail:focus"):
            self.pane.focus_first()
        elif self.screen.view != "home":
            self.show("home")

    def open_filter(self) -> None:
        """A box above the footer; the list narrows as one types."""
        open_filter(self.screen)
