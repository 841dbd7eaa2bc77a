"""What a verb is, and what it needs of the screen it is used on.

The `Desk` stands between the two, so that verbs know no widget and the screen knows no verb.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.model import Memory

Where = Literal["down", "up", "top", "bottom", "half_down", "half_up", "page_down", "page_up"]


class Desk(Protocol):
    """What a verb needs of the screen it is used on. Everything here returns at once."""

    def move(self, where: Where) -> None:
        """Move the cursor of the focused list, or scroll the focused text."""

    def memory(self) -> Memory | None:
        """The memory under the cursor, whatever pane has the focus."""

    def show(self, view: str) -> None:
        """Show a view by its id."""

    def step_view(self, by: int) -> None:
        """Show the next view (1) or the previous one (-1)."""

    def focus_pane(self, by: int) -> None:
        """Focus the next pane (1) or the previous one (-1)."""

    def fold(self, open: bool) -> None:
        """Unfold or fold the section under the cursor; where nothing folds, focus the pane right or left."""

    def open_item(self) -> None:
        """Open what is under the cursor: the session's turns, or the whole file at its line."""

    def open_session(self) -> None:
        """Open the page of the session that what is under the cursor comes from."""

    def session_missing(self) -> str:
        """Why there is no such session, as a source string; empty: there is one, as far as its name goes."""

    def scroll_detail(self, by: int) -> None:
        """Scroll the reading pane without leaving the list."""

    def zoom(self) -> None:
        """Give the focused pane the whole screen, or give it back."""

    def toggle_sections(self) -> None:
        """Show or hide the sections beside the list."""

    def open_search(self) -> None:
        """Show Search with the cursor in its box."""

    def open_filter(self) -> None:
        """Narrow this list as you type."""

    def explain(self) -> None:
        """Show why the hit under the cursor is there, in place of its text, or its text again."""

    def ask_otherwise(self, what: Literal["mode", "fusion"]) -> None:
        """Put the question of Search in the next mode, or fuse words and meaning in the next way."""

    def find(self, by: int) -> None:
        """Go to the next or previous match in the reading pane."""

    def toggle_hidden(self) -> None:
        """Show or hide superseded, archived, deleted and expired memories."""

    def next_order(self) -> None:
        """Sort the list by the next order."""

    def follow_chain(self, by: int) -> None:
        """Go to what replaced this memory (1) or what it replaced (-1)."""

    def open_link(self) -> None:
        """Open what the memory's link leads to, or let choose among several."""

    def copy(self, text: str, what: str) -> None:
        """Put text on the clipboard and say so."""

    def reference(self) -> str:
        """`path:line` of the memory under the cursor, as editors understand it; empty where there is none."""

    def pick_homes(self) -> None:
        """Choose which homes are shown."""

    def rebuild(self) -> None:
        """Ask, then rebuild the indexes."""

    def refresh_now(self) -> None:
        """Look at the disk now."""

    def help(self) -> None:
        """Show every key."""

    def palette(self) -> None:
        """Open the command palette."""

    def show_given(self) -> None:
        """Show what a session would be given at its start, with the switches for it."""

    def pick_theme(self) -> None:
        """Choose a theme."""

    def suspend(self) -> None:
        """Put the app aside, for the shell to fetch back."""

    def suspension_missing(self) -> str:
        """Why that cannot be done here, as a source string."""

    def back(self) -> None:
        """Peel one layer: prompt, filter, zoom, view."""

    def quit(self) -> None:
        """Leave."""

    def sections_missing(self) -> bool:
        """Whether the view at hand has no sections."""

    def has_rows(self) -> bool:
        """Whether there is a list with anything in it."""

    def can_filter(self) -> bool:
        """Whether the view at hand has a list that can be narrowed."""

    def searching(self) -> bool:
        """Whether Search is the view at hand."""

    def can_explain(self) -> bool:
        """Whether the cursor is on a hit, or one is explained."""

    def can_find(self) -> bool:
        """Whether anything is highlighted that could be gone to."""

    def chain_missing(self, by: int) -> str:
        """Why there is no successor (1) or predecessor (-1) to go to, as a source string; empty: there is one."""

    def write(self, verb: str) -> None:
        """Do a verb that changes something: see `memtui.verbs`."""

    def why_not(self, verb: str) -> str:
        """Why that verb cannot be done here and now, as a source string; empty: it can."""


@dataclass(frozen=True, slots=True)
class Action:
    """One verb. Titles and help are source strings: translate them when they are shown."""

    id: str
    """`room.verb`: what a keymap overrides, what the palette and the help go by."""
    keys: tuple[str, ...]
    """Keys by Textual's names; the first one is shown. Empty: in the palette only."""
    title: str
    """One or two words, for the footer."""
    help: str
    """What it does, in one line."""
    group: str
    run: Callable[[Desk], None]
    why_not: Callable[[Desk], str] = lambda _desk: ""
    """A reason why it cannot be done now (a source string), or empty."""
    footer: bool = False
    """Whether it has a place in the footer."""
    palette: bool = True
    """Whether the palette offers it: moving a cursor by palette helps nobody."""
    motion: bool = False
    """Whether a window over the screen (help, a file, a session) understands it too."""


SHOWN = {
    "slash": "/", "question_mark": "?", "colon": ":", "full_stop": ".", "left_square_bracket": "[",
    "right_square_bracket": "]", "greater_than_sign": ">", "less_than_sign": "<", "enter": "↵", "escape": "esc",
    "pagedown": "pgdn", "pageup": "pgup", "shift+tab": "⇧tab", "down": "↓", "up": "↑", "left": "←", "right": "→",
    "equals_sign": "=", "space": "␣", "plus": "+", "minus": "-", "tilde": "~",
}  # fmt: skip
"""How keys with long names are written for people."""


def key_name(key: str) -> str:
    """A key as people read it: `/`, `↵`, `^p`."""
    if key in SHOWN:
        return SHOWN[key]
    return "^" + key.removeprefix("ctrl+") if key.startswith("ctrl+") else key
