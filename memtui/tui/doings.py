"""Actions that open something: a session, a file, an editor, a list to choose from. They read on readers' threads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.actions import ACTIONS, GROUPS
from memtui.actions import action as known
from memtui.desk import key_name
from memtui.locale import _, _n
from memtui.tui import draw
from memtui.tui.items import Fixed
from memtui.tui.keymap import keys_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.desk import Action
    from memtui.model import Memory
    from memtui.tui.context import Context
    from memtui.tui.given_sheet import Asked
    from memtui.tui.main import MainScreen
    from memtui.tui.sheets import Sheet
    from memtui.vault import HomeStatus


def open_item(screen: MainScreen) -> None:
    """A session's turns, what an index names, a file at its line, or from Home's boxes the view they stand for."""
    from memtui.tui.rows import Rows

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
        from memtui.tui import session_page

        session_page.of_memory(screen, memory)
    else:
        open_file(screen, memory.home, memory.path, memory.start)


def origin(screen: MainScreen) -> tuple[str, int] | None:
    """The session that what is under the cursor comes from, and the line of its transcript, 0 where nobody knows."""
    memory = screen.desk.memory()
    if memory is None:
        return screen.pane.origin()
    from memtui.sessions.ids import fit

    session = memory.session or (memory.source if memory.source == fit(memory.source) else "")
    return (session, 0) if session else None


def open_session(screen: MainScreen, session: str, line: int = 0) -> None:
    """A session's page, by its id, at a line of its transcript."""
    from memtui.tui import session_page

    session_page.of_id(screen, session, line)


def open_file(screen: MainScreen, home: str, path: str, line: int) -> None:
    """The whole file in the text window, at its line."""

    def show(text: str) -> None:
        from memtui.tui.viewer import Viewer

        if not text:
            screen.say(_("{path} is empty or gone.").format(path=draw.one_line(path)))
            return
        screen.app.push_screen(Viewer(home, path, text, line))

    screen.reader.ask("open", lambda _cancelled: screen.context.vault.text(home, path), show)


def show_palette(screen: MainScreen) -> None:
    """Textual's palette with our commands."""
    from memtui.tui.commands import Palette

    screen.app.push_screen(Palette())


def show_given(screen: MainScreen) -> None:
    """What a new session would be given now."""

    def job(_cancelled: Callable[[], bool]) -> Asked:
        from memtui.tui.given_sheet import asked

        return asked(screen.context, "startup")

    def done(found: Asked) -> None:
        from memtui.tui.given_sheet import GivenSheet

        screen.app.push_screen(GivenSheet(found))

    screen.reader.ask("given", job, done)


def reference(memory: Memory | None, context: Context) -> str:
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
    from memtui.tui.box import Box

    if not screen.query("#filter"):
        placeholder = _("narrow this list: words, kind:rule status:all since:7d expiring:7d home:shop")
        screen.mount(Box(placeholder=placeholder, id="filter", compact=True), before="#status")
    box = screen.query_one("#filter", Box)
    box.value = screen.pane.typed
    box.display = True
    box.focus()


# -- lists to choose from ---------------------------------------------------------------------------------------


def pick_homes(screen: MainScreen, then: Callable[[], None]) -> None:
    """Which homes are shown; `then` is called when that is something else now."""
    from memtui.tui.homes_sheet import HomesSheet

    context = screen.context

    def done(picked: frozenset[str] | None) -> None:
        if picked:
            context.choose(homes=picked if len(picked) < len(context.labels) else ())
            then()

    screen.app.push_screen(HomesSheet(context.vault.homes, context.homes), done)


def pick_theme(screen: MainScreen) -> None:
    """Themes, worn as the cursor moves; escape puts the former one back."""
    from memtui.tui.sheets import Choice
    from memtui.tui.themes import DARK, LIGHT

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
    """Every key, by group, or those of a window over the screen; enter does it."""
    from memtui.tui.sheets import Choice

    rows: list[Fixed] = []

    def add(action: Action, title: str, help: str) -> None:
        keys = " ".join(map(key_name, keys_of(action, screen.keymap)))
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

    def done(id: Any) -> None:
        if id:
            (screen.do if page is None else page.action_do)(id)

    hint = _("enter does it · esc close")
    screen.app.push_screen(Choice(_("Keys"), rows, screen.context.look, hint=hint), done)


def refresh(screen: MainScreen) -> None:
    """Look at the disk now."""
    from memtui.tui import headings

    vault = screen.context.vault

    def job(_cancelled: Callable[[], bool]) -> list[HomeStatus]:
        vault.refresh()
        return vault.status()

    def done(found: list[HomeStatus]) -> None:
        wrong = [status.warning for status in found if status.warning]
        screen.say(" · ".join(wrong) or _("up to date"))
        screen.pane.tick()
        headings.header(screen)

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
