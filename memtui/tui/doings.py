"""Actions that open something: a session, a file, an editor, a list to choose from. They read on readers' threads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.actions import ACTIONS, GROUPS, key_name
from memtui.errors import MemtuiError
from memtui.locale import _
from memtui.safety.safe_text import safe_text
from memtui.tui import draw
from memtui.tui.items import Fixed
from memtui.tui.keymap import keys_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.model import Memory, Transcript
    from memtui.tui.context import Context
    from memtui.tui.main import MainScreen

DATABASES = (".db", ".sqlite", ".sqlite3")


def open_item(screen: MainScreen) -> None:
    """A session's turns, a file at its line, or from Home's boxes the view they stand for."""
    from memtui.tui.panes.health import HealthView
    from memtui.tui.panes.home import HomeView
    from memtui.tui.rows import Rows

    pane = screen.pane
    memory = screen.desk.memory()
    if isinstance(screen.focused, Rows) and screen.focused.id == "sections":
        screen.remove_class("-sections")
        pane.focus_first()
    elif screen.has_class("-tiny") and pane.detail() is not None and not screen.has_class("-zoom"):
        detail = pane.detail()
        if detail is not None:
            screen.desk.zoom_on(detail)
    elif isinstance(pane, HealthView) and (fault := pane.fault()) is not None:
        open_file(screen, str(fault.home.path), fault.problem.path, fault.problem.line or 1)
    elif memory is not None:
        open_memory(screen, memory)
    elif isinstance(pane, HomeView) and pane.opens():
        screen.show(pane.opens())


def open_memory(screen: MainScreen, memory: Memory) -> None:
    """Its session's turns where a transcript can be read, else its file."""

    def show(found: Transcript | None) -> None:
        if found is None:
            open_file(screen, memory.home, memory.path, memory.start)
            return
        from memtui.tui.transcript import TranscriptSheet

        title = memory.title or memory.path
        screen.app.push_screen(TranscriptSheet(title, found, screen.context.look, screen.pane.words))

    if memory.kind != "session":
        show(None)
        return
    screen.say(_("reading the session …"))

    def done(found: Transcript | None) -> None:
        screen.say("")
        show(found)

    screen.reader.ask("open", lambda _cancelled: screen.context.vault.turns(memory), done)


def open_file(screen: MainScreen, home: str, path: str, line: int) -> None:
    """The whole file in the text window, at its line."""

    def show(text: str) -> None:
        from memtui.tui.viewer import Viewer

        if not text:
            screen.say(_("{path} is empty or gone.").format(path=draw.one_line(path)))
            return
        screen.app.push_screen(Viewer(path, text, line))

    screen.reader.ask("open", lambda _cancelled: screen.context.vault.text(home, path), show)


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


def open_editor(screen: MainScreen) -> None:
    """The file at its line, in the person's editor; then what changed in it."""
    from memtui.tui import editor

    memory = screen.desk.memory()
    if memory is None:
        return
    if memory.path.lower().endswith(DATABASES):
        screen.say(
            _("{path} is a database: an editor would show its bytes.").format(path=draw.one_line(memory.path))
        )
        return
    context = screen.context
    whole = os.path.join(memory.home, *memory.path.split("/"))
    try:
        before = context.vault.text(memory.home, memory.path)
        words = editor.command(whole, memory.start, os.environ)
        failed = _in_editor(screen, words)
    except MemtuiError as error:
        screen.say(safe_text(str(error)))
        return
    if failed:
        screen.say(safe_text(failed))

    def job(_cancelled: Callable[[], bool]) -> str:
        context.vault.refresh([whole])
        return context.vault.text(memory.home, memory.path)

    def show(after: str) -> None:
        added, removed, lines = editor.changes(before, after)
        name = draw.one_line(memory.path)
        if not (added or removed):
            screen.say(failed or _("{path}: nothing changed").format(path=name))
            return
        screen.say(f"{name}: +{added} −{removed}")
        text = "\n".join(draw.cut(safe_text(line, keep_newlines=False), 70) for line in lines)
        screen.notify(text, title=f"{name}  +{added} −{removed}", markup=False, timeout=6)
        screen.pane.refresh_view()

    screen.reader.ask("editor", job, show)


def _in_editor(screen: MainScreen, words: list[str]) -> str:
    from textual.app import SuspendNotSupported

    from memtui.tui import editor

    failed = ""
    try:
        with screen.app.suspend():
            # Nothing may be raised in here: the terminal would stay asleep.
            failed = editor.run(words)
    except SuspendNotSupported:
        failed = _("This terminal cannot be handed to an editor.")
    return failed


# -- lists to choose from ---------------------------------------------------------------------------------------


def pick_homes(screen: MainScreen) -> None:
    """Tick the homes that are shown; at once, for all views."""
    from memtui.tui.sheets import Choice

    context = screen.context
    everything = frozenset(str(home.path) for home in context.vault.homes)

    def rows() -> list[Fixed]:
        shown = context.homes or everything
        out = [Fixed("all", ((f" {_('All homes')}", "bold"),), value="all")]
        for home in context.vault.homes:
            path = str(home.path)
            box = "☑" if path in shown else "☐"
            left = ((f" {box} ", "accent"), (draw.pad(draw.one_line(home.label), 26) + " ", ""),
                    (draw.pad(draw.one_line(home.layout), 12) + " ", "dim"),
                    (draw.one_line(home.reason), "faint"))  # fmt: skip
            out.append(Fixed(path, left, value=path))
        return out

    def chosen(value: str) -> list[Fixed]:
        shown = context.homes or everything
        picked = everything if value == "all" else shown ^ {value}
        context.choose(homes=frozenset() if picked in (everything, frozenset()) else picked)
        screen.pane.refresh_view()
        if screen.view == "search":
            screen.pane.reload()
        from memtui.tui import headings

        headings.header(screen)
        return rows()

    hint = _("space tick · esc close")
    screen.app.push_screen(Choice(_("Homes"), rows(), context.look, hint=hint, chosen=chosen))


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


def show_keys(screen: MainScreen) -> None:
    """Every key, by group; enter does it."""
    from memtui.tui.sheets import Choice

    rows: list[Fixed] = []
    for group in GROUPS:
        if rows:
            rows.append(Fixed(f"blank:{group}", (), rest=False))
        rows.append(Fixed(f"group:{group}", ((f" {_(group)}", "head"),), rest=False))
        for action in ACTIONS:
            if action.group == group:
                keys = " ".join(map(key_name, keys_of(action, screen.keymap)))
                left = ((f"   {draw.pad(keys, 12)} ", "accent"), (draw.pad(_(action.title), 16), ""),
                        (_(action.help), "dim"))  # fmt: skip
                rows.append(Fixed(action.id, left, value=action.id))

    def done(id: Any) -> None:
        if id:
            screen.do(id)

    hint = _("enter does it · esc close")
    screen.app.push_screen(Choice(_("Keys"), rows, screen.context.look, hint=hint), done)


def rebuild(screen: MainScreen) -> None:
    """Ask first: it takes a while, though nothing is lost."""
    from memtui.tui.sheets import Question

    vault = screen.context.vault
    count = len(vault.homes)

    def done(yes: bool | None) -> None:
        if yes:
            screen.say(_("rebuilding …"))
            screen.reader.ask(
                "rebuild", lambda _cancelled: vault.rebuild(), lambda _none: screen.say(_("rebuilt"))
            )

    text = _(
        "The index of {count} homes is made anew from the files. No memory is touched; searches go on meanwhile."
    )
    sheet = Question(_("Rebuild"), text.format(count=count), _("rebuild"), screen.context.look)
    screen.app.push_screen(sheet, done)
