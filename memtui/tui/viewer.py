"""A file over the whole screen, read-only: read, searched, copied from, and followed while others write to it.

`Page` is what it shares with a session's turns. Long files are shown in parts, and it says which.

A page of the manual in the text window.

Where links lead: to a file of the same home, by its path, its name or its title. Addresses are only copied.
"""

from __future__ import annotations

import os
import posixpath
import re
import time
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple
from urllib.parse import unquote

from textual.content import Content
from textual.widgets import TextArea
from textual.widgets.text_area import Selection

from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n
from memtui.core.model import Filter
from memtui.core.startup import compile_pattern
from memtui.formats.marks import extract_links
from memtui.manual import flatten, lay_out, load_page
from memtui.safety.sanitize import clip, sanitize_text
from memtui.tui import draw, editing
from memtui.tui.actions import ACTIONS, find_action, make_bindings
from memtui.tui.choices import Choice, show_keys
from memtui.tui.context import VaultChanged
from memtui.tui.row_list import Fixed
from memtui.tui.sheets import Box, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widget import Widget
    from textual.widgets import Input

    from memtui.core.model import Memory
    from memtui.manual import Topic
    from memtui.store.vault import Vault
    from memtui.tui.screen import MainScreen


CHANGES = {
    "item.edit", "item.inline", "item.archive", "item.delete", "item.tag", "item.move", "item.expire", "fact.supersede",
}  # fmt: skip
"""What is done to the memory of the line that the cursor is on."""

REST = 4
"""So many times as long as reading took, nothing is read again: a long session is written to all the time."""


class Page(Sheet[None]):
    """What the text window and a session's turns have in common. A page knows what it shows: `read`, `follow`."""

    BINDINGS: ClassVar[list[BindingType]] = [*make_bindings(ACTIONS)]
    """All keys: one that does nothing here says so."""
    KEYS: ClassVar[dict[str, str]] = {
        "search.open": "find",
        "find.next": "next match",
        "item.editor": "editor",
        "copy.text": "copy line",
        "link.open": "link",
        "time.show": "its history",
        "app.help": "keys",
        "app.back": "close",
    }

    def __init__(self, home: str, path: str) -> None:
        super().__init__()
        self.home, self.path = home, path
        self.sought = ""
        """What is searched for, lower case."""
        self._asked = self._news = False
        self._unsubscribe: Callable[[], None] = lambda: None

    def content(self) -> Iterable[Widget]:
        """What stands above the find box."""
        return ()

    @abstractmethod
    def first(self) -> Widget:
        """What has the keys while nothing is typed."""

    @abstractmethod
    def read(self) -> Any:
        """What is on the disk now, on a reader's thread."""

    @abstractmethod
    def follow(self, found: Any) -> None:
        """Show what `read` answered; None: it cannot be read any more."""

    @abstractmethod
    def here(self) -> tuple[int, str]:
        """The line that the cursor is on, in the file, and its text."""

    def compose(self) -> ComposeResult:
        """The page, and a box for what is sought."""
        yield from self.content()
        box = Box(placeholder=_("find here"), id="find", compact=True)
        box.display = False
        yield box

    # -- following ----------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        self._unsubscribe = self.main.context.vault.subscribe(self._tell_news)

    def on_unmount(self) -> None:
        """Nothing is read for a page that is closed."""
        self._unsubscribe()

    def _tell_news(self, generation: int) -> None:
        self.post_message(VaultChanged(generation))

    def on_vault_changed(self, _event: VaultChanged) -> None:
        """Read again, once at a time: a newer question would take the place of one that is being answered."""
        self._news = True
        if not self._asked:
            self._ask()

    def _ask(self) -> None:
        self._asked, self._news = True, False

        def job(_cancelled: Callable[[], bool]) -> tuple[Any, float]:
            begun = time.monotonic()
            try:
                found = self.read()
            except MemtuiError:
                found = None
            return found, time.monotonic() - begun

        def show(answer: tuple[Any, float]) -> None:
            if not self.stands:
                return
            found, took = answer
            self.follow(found)
            self.set_timer(took * REST, self._rested)

        self.main.reader.ask(("page", id(self)), job, show)

    def _rested(self) -> None:
        self._asked = False
        if self._news:
            self._ask()

    # -- keys ---------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Leave; it can be come back to."""
        self.main.leave_stand(self.name_place())
        super().close()

    def name_place(self) -> tuple[str, ...]:
        """What opens it again: see `Stand.window`."""
        return "file", self.home, self.path, str(self.here()[0])

    def act(self, id: str) -> None:
        """The find box, the editor and the clipboard, besides the motions."""
        box = self.query_one("#find", Box)
        if id in {"search.open", "filter.open"}:
            box.display = True
            box.select_all()
            box.focus()
            self.main.turns += 1
        elif id == "app.back" and box.display:
            self._close_box()
        elif id == "item.editor":
            editing.edit_file(self.main.hand, self.home, self.path, self.here()[0])
        elif id == "copy.text":
            self.main.desk.copy(self.here()[1], _("the text"))
        elif id == "link.open":
            self._open_link(self.here()[1])
        elif id in {"jump.back", "jump.forward"}:
            self.main.jump(-1 if id == "jump.back" else 1, self.name_place(), super().close)
        elif id == "time.show":
            self.main.windows.show_time(self.home, self.path)
        elif id == "app.help":
            show_keys(self.main, self)
        elif id.startswith("view."):
            self.close()
            self.main.do(id)
        elif id in {"edit.undo", "edit.redo", "edit.history", "edit.trash", "edit.retry"}:
            self.main.do(id)
        elif find_action(id).motion:
            super().act(id)
        else:
            self.main.say(
                _("“{title}” does nothing in this window: ? lists its keys.").format(title=_(find_action(id).title))
            )

    def _open_link(self, text: str) -> None:
        if found := extract_links(text):
            follow(self.main, self.home, self.path, found)
        else:
            self.main.say(_("There is no link on this line."))

    def _close_box(self) -> None:
        self.query_one("#find", Box).display = False
        self.first().focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the box: the first match from here on."""
        event.stop()
        self.sought = event.value.lower()
        self._close_box()
        self.seek()

    @abstractmethod
    def seek(self) -> None:
        """Go to the first match."""


PART = 4000
"""Lines at a time: the text window needs time for every line it is given."""

WIDE = 4000
"""Cells of a line that are shown."""


class Viewer(Page):
    """`j k g G`, pages, `/` find, `n N`; `[ ]` the part before and after; the verbs, on the memory of the line."""

    KEYS: ClassVar[dict[str, str]] = {"item.edit": "edit entry", **Page.KEYS, "item.editor": "edit file"}

    def __init__(self, home: str, path: str, text: str, line: int = 1) -> None:
        """`line` is 1-based."""
        super().__init__(home, path)
        self._text, self._lines = text, _split_lines(text)
        self._line = max(1, min(line, len(self._lines)))
        self._first = 0

    def content(self) -> Iterable[Widget]:
        area = TextArea("", read_only=True, show_line_numbers=True, soft_wrap=True, id="text", classes="sheet wide")
        area.cursor_blink = False
        yield area

    @property
    def area(self) -> TextArea:
        """The text window."""
        return self.query_one("#text", TextArea)

    def first(self) -> Widget:
        return self.area

    def on_mount(self) -> None:
        self.area.border_title = Content(sanitize_text(self.path, keep_newlines=False))
        self._show_part((self._line - 1) // PART * PART if len(self._lines) > PART else 0, self._line - 1)

    @property
    def _cursor(self) -> int:
        """The line that the cursor is on, counted from 0."""
        return self.area.cursor_location[0] + self._first

    def here(self) -> tuple[int, str]:
        return self._cursor + 1, self._lines[self._cursor]

    # -- following ----------------------------------------------------------------------------------------------

    def read(self) -> str:
        return self.main.context.vault.text(self.home, self.path)

    def follow(self, found: str | None) -> None:
        """The file as it is now, at the line that was read; whoever was at its end stays there."""
        if not found:
            self.area.border_subtitle = Content(_("gone from the disk, or empty: this is what it was"))
            return
        if found == self._text:
            self._tell()
            return
        before, lines, at = self._lines, _split_lines(found), self._cursor
        if at and at == len(before) - 1:
            place = len(lines) - 1
        elif lines[: at + 1] != before[: at + 1] and lines[at - len(before) :] == before[at:]:
            place = at + len(lines) - len(before)
        else:
            place = min(at, len(lines) - 1)
        top = self.area.scroll_offset.y
        self._text, self._lines = found, lines
        self._show_part(place // PART * PART, place)
        self.area.scroll_to(y=max(0, top + place - at), animate=False)
        self.area.scroll_cursor_visible()

    def _show_part(self, first: int, line: int) -> None:
        """Lines from `first`, the cursor at `line` (both 0-based)."""
        self._first = max(0, min(first, len(self._lines) - 1))
        part = self._lines[self._first : self._first + PART]
        self.area.line_number_start = self._first + 1
        self.area.load_text("\n".join(clip(text, WIDE) for text in part))
        self._go(line)
        self._tell()

    def _tell(self) -> None:
        last = min(self._first + PART, len(self._lines))
        if last - self._first < len(self._lines):
            told = _("lines {first:,}–{last:,} of {all:,} · [ ] others").format(
                first=self._first + 1, last=last, all=len(self._lines)
            )
        else:
            told = _n("{count} line", "{count} lines", len(self._lines))
        self.area.border_subtitle = Content(told)

    def _go(self, line: int, column: int = 0, length: int = 0) -> None:
        area = self.area
        place = max(0, line - self._first)
        area.selection = Selection((place, column), (place, column + length))
        if area.size.height:
            area.scroll_cursor_visible(center=True, animate=False)
        else:
            # It has no height before it is laid out: its line would stand at the top, without what is above it.
            area.call_after_refresh(area.scroll_cursor_visible, center=True, animate=False)

    def act(self, id: str) -> None:
        """Motions on the text."""
        height = max(1, self.area.size.height - 1)
        steps = {
            "list.down": 1,
            "list.up": -1,
            "list.half_down": height // 2,
            "list.half_up": -(height // 2),
            "list.page_down": height,
            "list.page_up": -height,
            "detail.down": height // 2,
            "detail.up": -(height // 2),
            "list.top": -len(self._lines),
            "list.bottom": len(self._lines),
        }
        if id in steps:
            self._move(self._cursor + steps[id])
        elif id in {"view.prev", "view.next"}:
            self._turn(1 if id == "view.next" else -1)
        elif id in CHANGES:
            self._change(id.rpartition(".")[2])
        elif id == "copy.ref":
            place = f"{self.path}:{self.here()[0]}"
            self.main.desk.copy(place, draw.clip_to_line(place))
        else:
            super().act(id)

    def _change(self, verb: str) -> None:
        """Do a verb to the memory of this line."""
        line = self.here()[0]

        def show(memory: Memory | None) -> None:
            if not self.stands:
                return
            if memory is None:
                self.main.say(_("No memory stands on this line: E edits the whole file."))
            else:
                self.main.hand.do_to(memory, verb)

        self.main.reader.ask("at", lambda _cancelled: self.main.context.vault.at(self.home, self.path, line), show)

    def _move(self, line: int) -> None:
        line = max(0, min(line, len(self._lines) - 1))
        if not self._first <= line < self._first + PART:
            self._show_part(line // PART * PART, line)
        else:
            self.area.move_cursor((line - self._first, 0))

    def _turn(self, by: int) -> None:
        first = self._first + by * PART
        if 0 <= first < len(self._lines):
            self._show_part(first, first)

    def seek(self) -> None:
        self.find(1, here=True)

    def find(self, by: int, *, here: bool = False) -> None:
        """The next or previous line that holds what is sought, around the ends."""
        if not self.sought:
            return
        start, count = self._cursor, len(self._lines)
        for step in range(0 if here else 1, count + 1):
            line = (start + by * step) % count
            column = clip(self._lines[line], WIDE).lower().find(self.sought)
            if column >= 0:
                self._move(line)
                self._go(line, column, len(self.sought))
                return
        self.area.border_subtitle = Content(
            _("'{text}' is not in this file").format(text=sanitize_text(self.sought[:40]))
        )

    def on_key(self, event: Any) -> None:
        """Text areas take the arrow keys themselves; enter must not reach the screen below."""
        if event.key == "enter" and self.area.has_focus:
            event.stop()


def _split_lines(text: str) -> list[str]:
    lines = text.split("\n")
    return lines[:-1] if len(lines) > 1 and not lines[-1] else lines


_WIDEST = 100
"""Cells of a line that is easy to read."""

_FRAME = 12
"""Cells that the window's frame, its scrollbar and the screen around it take."""


class ManualViewer(Viewer):
    """Laid out once, for the width at which it was opened; the window wraps what no longer fits."""

    KEYS: ClassVar[dict[str, str]] = {
        name: title for name, title in Viewer.KEYS.items() if name not in {"item.edit", "item.editor", "link.open"}
    }

    def __init__(self, topic: Topic, cells: int) -> None:
        lines = lay_out(load_page(topic), cells, ticks=True)
        super().__init__("", f"memtui help {topic.name}", "\n".join(map(flatten, lines)) + "\n")

    def on_mount(self) -> None:
        """No line numbers: they mean nothing here."""
        self.area.show_line_numbers = False

    def read(self) -> str:
        return self._text

    def act(self, id: str) -> None:
        """As in any text, but for what belongs to a file of a home."""
        if id == "item.editor" or id in CHANGES:
            self.main.say(_("A page of the manual cannot be edited."))
        else:
            super().act(id)


def open_page(screen: MainScreen, topic: Topic) -> None:
    """Show a page over the screen."""
    cells = max(20, min(screen.app.size.width - _FRAME, _WIDEST))
    screen.app.push_screen(ManualViewer(topic, cells))


_ADDRESS = compile_pattern(r"(?:[a-z][a-z0-9+.-]*://|mailto:|www\.)", re.IGNORECASE)
_GAPS = compile_pattern(r"[\s_-]+")
_NEAR = 20


class LinkTarget(NamedTuple):
    """What a link leads to."""

    link: str
    path: str = ""
    """Relative to the home; empty: to nothing in it."""
    session: Memory | None = None
    """The session whose file it is."""


def follow(
    screen: MainScreen, home: str, path: str, links: Sequence[str], otherwise: Callable[[], None] = lambda: None
) -> None:
    """Open what the only link in a file leads to, or let choose among several. `otherwise`: none leads anywhere."""

    def job(_cancelled: Callable[[], bool]) -> list[LinkTarget]:
        return [resolve_link(screen.context.vault, home, path, link) for link in dict.fromkeys(links)]

    def show(found: list[LinkTarget]) -> None:
        """Follow the only target, let one of several be chosen, or say that there is none."""
        if not any(one.path or _ADDRESS.match(one.link) for one in found):
            screen.say(_("{link} leads to nothing in this home.").format(link=draw.clip_to_line(found[0].link)))
            otherwise()
        elif len(found) == 1:
            _go(screen, home, found[0])
        else:
            _choose(screen, home, found)

    screen.reader.ask("open", job, show)


def _choose(screen: MainScreen, home: str, found: Iterable[LinkTarget]) -> None:
    rows = []
    for one in found:
        leads = draw.clip_to_line(one.path) or (
            _("an address: copied, not opened") if _ADDRESS.match(one.link) else _("nothing in this home")
        )
        left = ((f" {draw.pad(draw.clip_to_line(one.link), 36)} ", ""), (leads, "dim"))
        rows.append(Fixed(one.link, left, value=one))

    def done(one: Any) -> None:
        if one is not None:
            _go(screen, home, one)

    sheet = Choice(_("Links"), rows, screen.context.look, hint=_("enter opens it · esc close"))
    screen.app.push_screen(sheet, done)


def _go(screen: MainScreen, home: str, one: LinkTarget) -> None:
    if one.session is not None:
        screen.windows.open_memory(one.session)
    elif one.path:
        screen.windows.open_file(home, one.path, 1)
    elif _ADDRESS.match(one.link):
        screen.desk.copy(one.link, draw.clip_to_line(one.link))
    else:
        screen.say(_("{link} leads to nothing in this home.").format(link=draw.clip_to_line(one.link)))


def resolve_link(vault: Vault, home: str, path: str, link: str) -> LinkTarget:
    """What a link that stands in this file leads to. Reads files: on a reader's thread only."""
    if _ADDRESS.match(link):
        return LinkTarget(link)
    name = os.path.expanduser(unquote(link.partition("#")[0]).strip()).replace("\\", "/")
    name = name.removeprefix(home.rstrip("/") + "/")
    found = name and (
        _find_by_place(vault, home, path, name) or _find_by_name(vault, home, name) or _find_by_title(vault, home, name)
    )
    if not found:
        return LinkTarget(link)
    sessions = _make_filter(home, found)._replace(kinds=frozenset({"session"}))
    held = vault.load(vault.ids(sessions, limit=1))
    return LinkTarget(link, found, held[0] if held else None)


def _make_filter(home: str, path: str = "") -> Filter:
    return Filter(homes=frozenset({home}), statuses=frozenset(), path=path)


def _find_by_place(vault: Vault, home: str, path: str, name: str) -> str:
    """By its place: from the file that the link stands in, or from the home's root."""
    for folder in (posixpath.dirname(path), ""):
        for ending in ("", ".md"):
            place = posixpath.normpath(posixpath.join(folder, name + ending))
            try:
                if vault.text(home, place):
                    return place
            except MemtuiError:
                continue
    return ""


def _find_by_name(vault: Vault, home: str, name: str) -> str:
    """By its name, whatever directory it is in; wiki links write spaces, lines or nothing for a gap."""
    wild = _GAPS.sub("?", posixpath.basename(name).removesuffix(".md"))
    for pattern in (f"{wild}.*", f"*/{wild}.*"):
        for memory in vault.load(vault.ids(_make_filter(home, pattern), "path", limit=1)):
            if memory is not None:
                return memory.path
    return ""


def _find_by_title(vault: Vault, home: str, name: str) -> str:
    """By its title: of a document, or of a memory."""
    wanted = _fold_name(name)
    for hit in vault.find(name, _NEAR, filter=_make_filter(home)):
        if hit.heading and _fold_name(hit.heading[0]) == wanted:
            return hit.path
        memory = vault.at(home, hit.path, hit.start_line)
        if memory is not None and _fold_name(memory.title) == wanted:
            return hit.path
    return ""


def _fold_name(name: str) -> str:
    return _GAPS.sub(" ", name).strip().casefold()
