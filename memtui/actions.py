"""Every verb a person has, once: its id, keys, title and help, when it cannot be done, and what it does.

Footer, palette, help and the README's key table are made from `ACTIONS`; a keymap in the config overrides keys by id.
Those that only look stand here; those that change something in `verbs`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.desk import Action, Desk
from memtui.verbs import DECISIONS, LEARNING, WRITES

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.desk import Where


def _memory_missing(desk: Desk) -> str:
    return "" if desk.memory() else "There is no memory under the cursor."


def _rows_missing(desk: Desk) -> str:
    return "" if desk.has_rows() else "There is nothing in this list."


def _marks_missing(desk: Desk) -> str:
    return "" if desk.can_find() else "Nothing is searched for: / or f first."


def _links_missing(desk: Desk) -> str:
    memory = desk.memory()
    return _memory_missing(desk) if memory is None or memory.links else "There is no link in this memory."


def _chain_missing(by: int) -> Callable[[Desk], str]:
    return lambda desk: _memory_missing(desk) or desk.chain_missing(by)


def _search_missing(desk: Desk) -> str:
    return "" if desk.searching() else "This is about Search: / opens it."


def _copy_text(desk: Desk) -> None:
    memory = desk.memory()
    if memory is not None:
        desk.copy(memory.text, "text")


def _copy_reference(desk: Desk) -> None:
    if reference := desk.reference():
        desk.copy(reference, reference)


def _motion(id: str, keys: tuple[str, ...], title: str, help: str, where: Where) -> Action:
    def run(desk: Desk) -> None:
        desk.move(where)

    return Action(f"list.{id}", keys, title, help, "Move", run, palette=False, motion=True)


def _view(number: int, id: str, title: str, help: str) -> Action:
    def run(desk: Desk) -> None:
        desk.show(id)

    return Action(f"view.{number}", (str(number),), title, help, "Views", run)


GROUPS = ("Move", "Views", "Look", "Find", "Decide", "Learn", "Write", "Select", "Take", "App")
"""The order in which help shows the groups."""

ACTIONS: tuple[Action, ...] = (
    Action("item.open", ("enter",), "open", "Open the session's turns, or the whole file at its line", "Look",
           lambda desk: desk.open_item(), _rows_missing, footer=True, motion=True),
    Action("search.why", ("ctrl+y",), "why", "Why this hit is there: what matched, its score, who answered", "Find",
           lambda desk: desk.explain(),
           lambda desk: _search_missing(desk) or ("" if desk.can_explain() else "There is no hit under the cursor."),
           footer=True),
    Action("search.mode", ("ctrl+t",), "mode", "Ask by words and meaning, by words only, by meaning only", "Find",
           lambda desk: desk.ask_otherwise("mode"), _search_missing, footer=True),
    Action("search.fusion", (), "fusion", "Put words and meaning together otherwise: zscore, rrf, weighted", "Find",
           lambda desk: desk.ask_otherwise("fusion"), _search_missing),
    *DECISIONS,
    *LEARNING,
    *WRITES,
    _motion("down", ("j", "down"), "down", "Next row", "down"),
    _motion("up", ("k", "up"), "up", "Previous row", "up"),
    _motion("top", ("g", "home"), "top", "First row", "top"),
    _motion("bottom", ("G", "end"), "bottom", "Last row", "bottom"),
    _motion("half_down", ("ctrl+d",), "half page down", "Half a page down", "half_down"),
    _motion("half_up", ("ctrl+u",), "half page up", "Half a page up", "half_up"),
    _motion("page_down", ("pagedown",), "page down", "A page down", "page_down"),
    _motion("page_up", ("pageup",), "page up", "A page up", "page_up"),
    Action("tree.fold", ("h", "left"), "fold", "Fold the section, or focus the pane to the left", "Move",
           lambda desk: desk.fold(False), palette=False),
    Action("tree.unfold", ("l", "right"), "unfold", "Unfold the section, or focus the pane to the right", "Move",
           lambda desk: desk.fold(True), palette=False),
    Action("search.open", ("slash",), "search", "Search everything, as you type", "Find",
           lambda desk: desk.open_search(), footer=True),
    Action(
        "filter.open", ("f",), "filter",
        "Narrow this list: words, or chips such as kind:rule since:7d status:all", "Find",
        lambda desk: desk.open_filter(),
        lambda desk: "" if desk.can_filter() else "This view has no list to narrow.",
        footer=True,
    ),
    Action("find.next", ("n",), "next match", "Next match in the text", "Find",
           lambda desk: desk.find(1), _marks_missing, motion=True),
    Action("find.previous", ("N",), "previous match", "Previous match in the text", "Find",
           lambda desk: desk.find(-1), _marks_missing, motion=True),
    Action("filter.hidden", ("full_stop",), "hidden",
           "Show or hide what is superseded, archived, deleted or expired, and transcripts beside their summaries",
           "Find",
           lambda desk: desk.toggle_hidden()),
    Action("list.order", ("S",), "sort", "Sort by the next order: recent, time, confidence, path", "Find",
           lambda desk: desk.next_order(),
           lambda desk: "" if desk.can_filter() else "This view has one order only."),
    Action("focus.next", ("tab",), "pane", "Next pane", "Move",
           lambda desk: desk.focus_pane(1), footer=True, palette=False, motion=True),
    Action("focus.previous", ("shift+tab",), "previous pane", "Previous pane", "Move",
           lambda desk: desk.focus_pane(-1), palette=False, motion=True),
    Action("pane.zoom", ("z",), "zoom", "Give this pane the whole screen, or give it back", "Look",
           lambda desk: desk.zoom(), footer=True),
    Action("copy.text", ("y",), "copy", "Copy the text", "Take", _copy_text, _memory_missing, footer=True),
    Action("copy.ref", ("Y",), "copy path:line", "Copy path:line", "Take", _copy_reference, _memory_missing),
    Action("detail.down", ("J",), "scroll text", "Scroll the text down, from the list", "Look",
           lambda desk: desk.scroll_detail(1), palette=False, motion=True),
    Action("detail.up", ("K",), "scroll text up", "Scroll the text up, from the list", "Look",
           lambda desk: desk.scroll_detail(-1), palette=False, motion=True),
    Action("chain.newer", ("greater_than_sign",), "newer", "Go to what replaced this memory", "Look",
           lambda desk: desk.follow_chain(1), _chain_missing(1)),
    Action("chain.older", ("less_than_sign",), "older", "Go to what this memory replaced", "Look",
           lambda desk: desk.follow_chain(-1), _chain_missing(-1)),
    Action("link.open", ("L",), "link", "Open what a link in the memory leads to, or choose among several", "Look",
           lambda desk: desk.open_link(), _links_missing),
    Action("session.open", ("O",), "session", "Open the page of the session that this comes from", "Look",
           lambda desk: desk.open_session(), lambda desk: desk.session_missing()),
    Action("pane.layers", ("b",), "sections", "Show or hide the sections", "Look",
           lambda desk: desk.toggle_sections(),
           lambda desk: "This view has no sections." if desk.sections_missing() else ""),
    Action("context.show", ("c",), "given", "What a session would be given now, why, and the switches for it", "Look",
           lambda desk: desk.show_given()),
    _view(0, "home", "Home", "Profile, facts, timeline and evolution, side by side"),
    _view(1, "profile", "Profile", "What is known about the user: L0 and core memory, with its budget"),
    _view(2, "facts", "Facts", "L1: facts, rules, summaries, patterns and tools"),
    _view(3, "timeline", "Timeline", "Sessions and journal, by day"),
    _view(4, "evolution", "Evolution", "Signals, effects and capabilities"),
    _view(5, "review", "Review", "What waits to be decided, and exactly what would be written"),
    _view(6, "health", "Health", "Homes, freshness, and what could not be read"),
    Action("view.prev", ("left_square_bracket",), "previous view", "Previous view", "Views",
           lambda desk: desk.step_view(-1), palette=False),
    Action("view.next", ("right_square_bracket",), "next view", "Next view", "Views",
           lambda desk: desk.step_view(1), palette=False),
    Action("homes.pick", ("w",), "homes", "Choose which homes are shown", "App",
           lambda desk: desk.pick_homes(), footer=True),
    Action("index.refresh", ("ctrl+l",), "refresh", "Look at the disk now", "App",
           lambda desk: desk.refresh_now()),
    Action("index.rebuild", ("R",), "rebuild", "Throw the derived index away and build it anew (asks first)", "App",
           lambda desk: desk.rebuild()),
    Action("app.theme", (), "theme", "Choose a theme: dark, light, or the terminal's own colours", "App",
           lambda desk: desk.pick_theme()),
    Action("app.help", ("question_mark",), "help", "Every key", "App", lambda desk: desk.help(), footer=True),
    Action("app.palette", ("ctrl+p", "colon"), "palette", "Every command, and every memory, by name", "App",
           lambda desk: desk.palette(), footer=True, palette=False),
    Action("app.back", ("escape",), "back", "Back: out of a prompt, a filter, a zoom, a view", "App",
           lambda desk: desk.back(), palette=False, motion=True),
    Action("app.suspend", ("ctrl+z",), "suspend", "Put the app aside; `fg` in the shell fetches it back", "App",
           lambda desk: desk.suspend(), lambda desk: desk.suspension_missing(), motion=True),
    Action("app.quit", ("q",), "quit", "Leave", "App", lambda desk: desk.quit(), motion=True),
)  # fmt: skip


def action(id: str) -> Action:
    """The action of that id. Raises KeyError for an unknown one."""
    return _BY_ID[id]


_BY_ID = {action.id: action for action in ACTIONS}
