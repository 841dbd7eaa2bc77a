"""Every verb a person has, once: its id, keys, title and help, when it cannot be done, and what it does.

Footer, palette, help and the manual's key table are made from `ACTIONS`; a keymap in the config overrides keys
by id. What a verb is given is `memtui.tui.handlers.ScreenDesk`, with the screen, its view and its windows behind it:
naming that class here would close a circle of imports. Verbs that change something go to the screen's hand.

Below the table: Textual's bindings made from it, and a person's own keys, checked once. Textual takes overrides
silently, even ones that make keys vanish.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from textual.binding import Binding

from memtui.core.locale import _
from memtui.tui.panes import PANES, Tab

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memtui.core.model import Memory

Where = Literal["down", "up", "top", "bottom", "half_down", "half_up", "page_down", "page_up"]


class Desk(Protocol):
    """What windows, bars and the hand ask of the screen's desk. Everything here returns at once."""

    def memory(self) -> Memory | None:
        """The memory under the cursor, whatever pane has the focus."""

    def has_rows(self) -> bool:
        """Whether there is a list with anything in it."""

    def is_reading(self) -> bool:
        """Whether what the list holds is not known yet."""

    def copy(self, text: str, what: str) -> None:
        """Put text on the clipboard and say so."""

    def refresh_now(self, told: str = "") -> None:
        """Look at the disk now, and say so; `told`: say that instead."""


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
    run: Callable[[Any], None]
    why_not: Callable[[Any], str] = lambda _desk: ""
    """A reason why it cannot be done now (a source string), or empty."""
    footer: bool = False
    """Whether it has a place in the footer."""
    palette: bool = True
    """Whether the palette offers it: moving a cursor by palette helps nobody."""
    motion: bool = False
    """Whether a window over the screen (help, a file, a session) understands it too."""
    view: str = ""
    """The view it belongs to: from any other one it leads there first. Empty: it is done where one is."""
    also: str = ""
    """Another view in which it is done where one is."""
    at_once: bool = False
    """Whether it is done as soon as that view is there: it chooses nothing that nobody has seen."""
    words: str = ""
    """What people call it besides: the palette finds it by these, too (a source string)."""

    def is_here(self, view: str) -> bool:
        """Whether it is done in that view, and leads to no other one first."""
        return not self.view or view in {self.view, self.also}


SHOWN = {
    "slash": "/", "question_mark": "?", "colon": ":", "full_stop": ".", "left_square_bracket": "[",
    "right_square_bracket": "]", "greater_than_sign": ">", "less_than_sign": "<", "enter": "↵", "escape": "esc",
    "pagedown": "pgdn", "pageup": "pgup", "shift+tab": "⇧tab", "down": "↓", "up": "↑", "left": "←", "right": "→",
    "left_curly_bracket": "{", "right_curly_bracket": "}",
    "equals_sign": "=", "ampersand": "&", "space": "␣", "plus": "+", "minus": "-", "tilde": "~", "comma": ",",
}  # fmt: skip
"""How keys with long names are written for people."""


def format_key(key: str) -> str:
    """A key as people read it: `/`, `↵`, `^p`."""
    if key in SHOWN:
        return SHOWN[key]
    return "^" + key.removeprefix("ctrl+") if key.startswith("ctrl+") else key


def _verb(
    id: str,
    keys: tuple[str, ...],
    title: str,
    help: str,
    group: str,
    *,
    footer: bool = False,
    view: str = "",
    also: str = "",
    at_once: bool = False,
    words: str = "",
) -> Action:
    name = id.rpartition(".")[2]

    def run(desk: Any) -> None:
        desk.screen.hand.do(name)

    def why_not(desk: Any) -> str:
        return str(desk.screen.hand.why_not(name))

    return Action(
        id, keys, title, help, group, run, why_not, footer=footer, view=view, also=also, at_once=at_once, words=words
    )


DECISIONS: tuple[Action, ...] = (
    _verb("review.approve", ("a",), "approve", "Approve the candidate, or those selected (j skips it); "
          "reconsider a rejected one", "Decide", footer=True, view="review", words="accept keep yes"),
    _verb("review.reject", ("x",), "reject", "Reject the candidate, or those selected, at once; in Health, dismiss "
          "what only reads like an order (u takes it back)", "Decide", footer=True, view="review", also="health",
          words="decline refuse no dismiss fine"),
    _verb("review.reject_why", ("X",), "reject, why", "Reject the candidate, or those selected, with a reason",
          "Decide", view="review", words="decline refuse because"),
    _verb("item.edit", ("e",), "edit", "Edit the entry in $VISUAL or $EDITOR; in Review, its text before "
          "it is approved", "Write", footer=True),
    _verb("review.approve_safe", ("A",), "all safe", "Approve every candidate without a warning (asks first)",
          "Decide", footer=True, view="review", words="accept everything bulk"),
    _verb("item.diff", ("equals_sign",), "compare", "Compare with its duplicate, or with what replaced it",
          "Decide", footer=True),
)  # fmt: skip

LEARNING: tuple[Action, ...] = (
    _verb("signal.resolve", ("r",), "resolve", "Resolve this problem, or reopen it; a reason may be given",
          "Learn", footer=True, view="evolution", words="problem error fixed done"),
    _verb("signal.suppress", ("I",), "ignore", "Ignore this problem, or stop ignoring it", "Learn", footer=True,
          view="evolution", words="problem mute quiet"),
    _verb("skill.draft", ("p",), "draft skill", "Draft a skill against this problem, to be decided in Review; says "
          "which gates are shut", "Learn", footer=True, view="evolution", words="propose capability"),
    _verb("signal.backfill", ("B",), "analyze past", "Analyze past sessions that are not analyzed yet",
          "Learn", view="evolution", at_once=True, words="old sessions history import"),
    _verb("effect.helpful", ("plus",), "helpful", "Say that this lesson helped", "Learn"),
    _verb("effect.wrong", ("minus",), "wrong", "Say that this lesson is wrong; a reason may be given", "Learn"),
    _verb("effect.stale", ("tilde",), "stale", "Say that this lesson no longer fits; a reason may be given", "Learn"),
    _verb("timeline.calendar", ("C",), "calendar", "A calendar of activity, day by day", "Look",
          footer=True, view="timeline", at_once=True, words="days heatmap year month activity date"),
)  # fmt: skip
"""Spec 002: what people say of signals and experiences."""

WRITES: tuple[Action, ...] = (
    _verb("item.inline", ("i",), "edit here", "Edit the text in one line, here", "Write"),
    _verb("item.new", ("o",), "new", "Write a new one: a fact, an entry under this section, a line in today's journal",
          "Write", footer=True),
    _verb("fact.supersede", ("s",), "supersede", "Write what replaces this memory; the old one stays, marked",
          "Write", footer=True),
    _verb("item.archive", ("d",), "archive", "Archive what is selected or under the cursor, or restore it",
          "Write", footer=True),
    _verb("item.delete", ("D", "delete"), "delete", "Take its lines out of the file (asks first)", "Write",
          words="remove trash bin"),
    _verb("item.tag", ("t",), "tags", "Change its tags", "Write"),
    _verb("item.move", ("m",), "move", "To another section, file or home; in Review, before it is approved", "Write"),
    _verb("item.merge", ("M",), "merge", "Merge those selected into one memory", "Write"),
    _verb("item.expire", ("T",), "expiry", "Set when it expires", "Write"),
    _verb("item.section", ("ctrl+e",), "edit section", "Edit its whole section in $VISUAL or $EDITOR", "Write"),
    _verb("item.editor", ("E",), "edit file", "Edit the whole file, at its line, in $VISUAL or $EDITOR", "Write"),
    _verb("file.profile", ("P",), "profile", "Edit a profile or a MEMORY.md whole, from any view; make a profile",
          "Write", words="MEMORY.md USER.md core"),
    _verb("edit.undo", ("u",), "undo", "Undo the last write", "Write", footer=True, words="back revert"),
    _verb("edit.redo", ("ctrl+r",), "redo", "Redo what was undone", "Write"),
    _verb("edit.history", ("U",), "history", "Every write, with its difference; undo any of them", "Write",
          words="log journal changes audit"),
    _verb("edit.trash", ("Z",), "trash", "What was deleted: what, when, by whom; restore any of it", "Write",
          words="bin deleted removed recover restore undelete"),
    _verb("edit.retry", ("W",), "retry", "Retry a write that failed", "Write"),
    _verb("select.toggle", ("space",), "select", "Select this one and step down", "Select", footer=True),
    _verb(
        "select.range",
        ("v",),
        "range",
        "Select from here to where the cursor goes; v again ends it, esc clears",
        "Select",
    ),
    _verb("select.all", ("ctrl+a",), "all", "Select all that are listed, or none", "Select"),
)  # fmt: skip


def _memory_missing(desk: Any) -> str:
    return "" if desk.memory() else "There is no memory under the cursor."


def _rows_missing(desk: Any) -> str:
    if desk.has_rows():
        return ""
    return "This list is still being read." if desk.is_reading() else "There is nothing in this list."


def _marks_missing(desk: Any) -> str:
    return "" if desk.pane.words else "Nothing is searched for: / or f first."


def _links_missing(desk: Any) -> str:
    memory = desk.memory()
    return _memory_missing(desk) if memory is None or memory.links else "There is no link in this memory."


def _chain_missing(by: int) -> Callable[[Any], str]:
    return lambda desk: _memory_missing(desk) or desk.chain_missing(by)


def _search_missing(desk: Any) -> str:
    return "" if desk.screen.view == "search" else "This is about Search: / opens it."


def _copy_text(desk: Any) -> None:
    memory = desk.memory()
    if memory is not None:
        desk.copy(memory.text, _("the text"))


def _copy_reference(desk: Any) -> None:
    if reference := desk.reference():
        desk.copy(reference, reference)


def _motion(id: str, keys: tuple[str, ...], title: str, help: str, where: Where) -> Action:
    def run(desk: Any) -> None:
        desk.move(where)

    return Action(f"list.{id}", keys, title, help, "Move", run, palette=False, motion=True)


def _view(tab: Tab) -> Action:
    def run(desk: Any) -> None:
        desk.screen.show(tab.view)

    return Action(f"view.{tab.number}", (tab.number,), tab.title, tab.about, "Views", run)


GROUPS = ("Move", "Views", "Look", "Find", "Decide", "Learn", "Write", "Select", "Take", "App")
"""The order in which help shows the groups."""

ACTIONS: tuple[Action, ...] = (
    Action("item.open", ("enter",), "open", "Open the session's turns, or the whole file at its line", "Look",
           lambda desk: desk.open_item(), _rows_missing, footer=True, motion=True),
    Action("search.why", ("ctrl+y",), "why", "Why this hit is there: what matched, its score, who answered", "Find",
           lambda desk: desk.explain(),
           lambda desk: _search_missing(desk)
           or ("" if desk.pane.can_explain() else "There is no hit under the cursor."),
           footer=True, view="search", words="explain rank score"),
    Action("search.mode", ("ctrl+t",), "mode", "Ask by words and meaning, by words only, by meaning only", "Find",
           lambda desk: desk.pane.ask_otherwise("mode"), _search_missing, footer=True, view="search", at_once=True),
    Action("search.fusion", (), "fusion", "Put words and meaning together otherwise: zscore, rrf, weighted", "Find",
           lambda desk: desk.pane.ask_otherwise("fusion"), _search_missing, view="search", at_once=True),
    Action("search.narrow", ("ctrl+f",), "narrow", "Narrow the hits by source, kind or layer, with their counts",
           "Find", lambda desk: desk.pane.narrow_by_facet(), _search_missing, view="search", at_once=True,
           words="facets counts source kind layer"),
    Action("search.pin", ("ctrl+s",), "pin", "Pin this search, or unpin it: an empty box offers what is pinned", "Find",
           lambda desk: desk.pane.pin_search(), _search_missing, view="search", at_once=True,
           words="save saved keep recent"),
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
    Action("tree.fold", ("h", "left"), "fold", "Fold the section or the rows below, or focus the pane to the left",
           "Move", lambda desk: desk.fold(False), palette=False),
    Action("tree.unfold", ("l", "right"), "unfold",
           "Unfold the section or what stands in the row, or focus the pane to the right", "Move",
           lambda desk: desk.fold(True), palette=False),
    Action("search.open", ("slash",), "search", "Search everything, as you type", "Find",
           lambda desk: desk.screen.show("search"), footer=True),
    Action(
        "filter.open", ("f",), "filter",
        "Filter this list: words, or chips such as kind:rule since:7d status:all", "Find",
        lambda desk: desk.windows.open_filter(),
        lambda desk: "" if desk.pane.narrows else "This view has no list to filter.",
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
           lambda desk: "" if desk.pane.narrows and not desk.pane.ordered else "These rows have one order only."),
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
    Action("session.resume", ("ctrl+g",), "resume",
           "Go on with the session under the cursor in its own agent (asks first; memtui waits meanwhile)", "Look",
           lambda desk: desk.resume_session(),
           lambda desk: desk.resume_missing(),
           words="continue reopen agent session open"),
    Action("time.show", ("H",), "its history",
           "The history of this entry, step by step, and who wrote each line in which session", "Look",
           lambda desk: desk.show_time(), lambda desk: desk.time_missing(),
           words="blame git log versions time machine who wrote session diff"),
    Action("jump.back", ("ctrl+o",), "back to", "Back to where you were before: view, cursor, file", "Move",
           lambda desk: desk.screen.jump(-1), words="previous place jump list return"),
    Action("jump.forward", ("ctrl+n",), "forward to", "Forward again, to where you went back from", "Move",
           lambda desk: desk.screen.jump(1), words="next place jump list"),
    Action("pane.wider", ("right_curly_bracket",), "wider text", "Give the text beside the list more of the width",
           "Look", lambda desk: desk.screen.pane.widen(1), words="width column preview larger"),
    Action("pane.narrower", ("left_curly_bracket",), "narrower text", "Give the list more of the width", "Look",
           lambda desk: desk.screen.pane.widen(-1), words="width column preview smaller"),
    Action("pane.layers", ("b",), "sections", "Show or hide the sections", "Look",
           lambda desk: desk.toggle_sections(),
           lambda desk: "This view has no sections." if desk.sections_missing() else ""),
    Action("context.show", ("c",), "context",
           "Session context preview: what a session would be given now, why, and its switches", "Look",
           lambda desk: desk.windows.show_given(), words="inject prompt start budget"),
    *(_view(tab) for tab in PANES if tab.number.isdigit()),
    Action("facts.shared", ("ampersand",), "shared", "What several agents remember, each in its own words", "Views",
           lambda desk: desk.show_shared(), lambda desk: desk.shared_missing()),
    Action("view.prev", ("left_square_bracket",), "previous view", "Previous view", "Views",
           lambda desk: desk.screen.step_view(-1), palette=False),
    Action("view.next", ("right_square_bracket",), "next view", "Next view", "Views",
           lambda desk: desk.screen.step_view(1), palette=False),
    Action("homes.pick", ("w",), "homes", "Choose which homes are shown", "App",
           lambda desk: desk.pick_homes(),
           lambda desk: "" if desk.screen.context.labels else "No home is open: 0 offers ways to begin.",
           footer=True),
    Action("homes.here", (), "open this directory", "Open the Markdown of the directory that memtui was started in",
           "App", lambda desk: desk.screen.leave_for("here")),
    Action("homes.make", (), "make a home", "Make a memory home of your own, and open it", "App",
           lambda desk: desk.windows.make_home()),
    Action("agents.install", (), "install hooks", "Install hooks for the agents that are here (asks first)", "App",
           lambda desk: desk.windows.install_hooks()),
    Action("demo.open", (), "demo", "Open the bundled demo instead of these homes", "App",
           lambda desk: desk.screen.leave_for("demo")),
    Action("tour.end", ("Q",), "end the tour", "End the demo's story", "App", lambda desk: desk.screen.end_tour(),
           lambda desk: "" if desk.screen.tour is not None else "No story is told: `memtui --demo` tells one."),
    Action("index.refresh", ("ctrl+l", "f5"), "refresh", "Compare with the disk now", "App",
           lambda desk: desk.refresh_now()),
    Action("index.rebuild", ("R",), "rebuild", "Delete the derived index and rebuild it (asks first)", "App",
           lambda desk: desk.windows.rebuild()),
    Action("app.card", (), "card", "The last year as one picture (SVG) of counts alone, saved in this directory", "App",
           lambda desk: desk.screen.hand.do("card"), words="svg share picture year image heatmap export"),
    Action("app.export", (), "export",
           "Save the memories that are shown as one JSON bundle, or as Markdown, in this directory", "App",
           lambda desk: desk.screen.hand.do("export"), words="save backup bundle json markdown download"),
    Action("app.import", (), "import",
           "Have what another tool's home, a database, a bundle or a file holds wait in Review (asks first)", "App",
           lambda desk: desk.screen.hand.do("import"), words="claude-mem engram migrate load bundle restore"),
    Action("app.settings", ("comma",), "settings", "Every setting: what it means, its value, and another one for it",
           "App", lambda desk: desk.screen.hand.do("settings"), words="config preferences options"),
    Action("app.theme", (), "theme", "Choose a theme: dark, light, or the terminal's own colours", "App",
           lambda desk: desk.windows.pick_theme()),
    Action("app.help", ("question_mark", "f1"), "help", "Every key, and the pages of the manual", "App",
           lambda desk: desk.windows.show_keys(), footer=True),
    Action("app.palette", ("ctrl+p", "colon"), "palette", "Every command, and every memory, by name", "App",
           lambda desk: desk.windows.show_palette(), footer=True, palette=False),
    Action("app.back", ("escape",), "back", "Back: out of a prompt, a selection, a zoom, a filter, a view", "App",
           lambda desk: desk.back(), palette=False, motion=True),
    Action("app.suspend", ("ctrl+z",), "suspend", "Suspend the app; `fg` in the shell resumes it", "App",
           lambda desk: desk.suspend(), lambda desk: desk.suspension_missing(), motion=True),
    Action("app.quit", ("q",), "quit", "Leave", "App", lambda desk: desk.quit(), motion=True),
)  # fmt: skip


def find_action(id: str) -> Action:
    """The action of that id. Raises KeyError for an unknown one."""
    return _BY_ID[id]


_BY_ID = {action.id: action for action in ACTIONS}


RESERVED = frozenset({"ctrl+q", "ctrl+c", "ctrl+m", "ctrl+i", "ctrl+h", "ctrl+j"})
"""Leave and interrupt are Textual's; the others are enter, tab and backspace on most terminals."""

LONG_NAMES = {
    "/": "slash", "?": "question_mark", ":": "colon", ".": "full_stop", ",": "comma", ";": "semicolon",
    "[": "left_square_bracket", "]": "right_square_bracket", "<": "less_than_sign", ">": "greater_than_sign",
    "=": "equals_sign", "-": "minus", "+": "plus", "#": "number_sign", "@": "at", "!": "exclamation_mark",
    "'": "apostrophe", '"': "quotation_mark", "~": "tilde", "_": "underscore", "*": "asterisk",
    "|": "vertical_line", "&": "ampersand", "%": "percent_sign", "$": "dollar_sign", "^": "circumflex_accent",
    "(": "left_parenthesis", ")": "right_parenthesis", "{": "left_curly_bracket", "}": "right_curly_bracket",
    "\\": "backslash", "`": "grave_accent", " ": "space", "pgdn": "pagedown", "pgup": "pageup",
    "esc": "escape", "return": "enter",
}  # fmt: skip


class CheckedKeymap(NamedTuple):
    """The keymap that holds, and a sentence for everything that does not."""

    keymap: dict[str, str]
    """Action id -> keys by Textual's names, joined by commas."""
    warnings: list[str]


def make_bindings(actions: Iterable[Action]) -> list[Binding]:
    """One binding an action, with its id, so that a keymap can override it. The screen's own footer shows them."""
    return [
        Binding(",".join(action.keys), f"do({action.id!r})", action.title, show=False, id=action.id)
        for action in actions
        if action.keys
    ]


def normalize_key(key: str) -> str:
    """A key as Textual names it, from what people write: '/', 'pgdn', 'Ctrl+X'."""
    key = key.strip() or " "
    if key in LONG_NAMES:
        return LONG_NAMES[key]
    if len(key) == 1:
        return key
    *modifiers, last = key.split("+")
    last = last.lower() if modifiers or len(last) > 1 else last
    return "+".join([*(modifier.lower() for modifier in modifiers), LONG_NAMES.get(last, last)])


def check_keymap(given: Mapping[str, str]) -> CheckedKeymap:
    """The overrides that can be obeyed: known ids, no reserved key, no key that then means two things."""
    wanted: dict[str, tuple[str, ...]] = {}
    warnings: list[str] = []
    for name, text in given.items():
        if name not in _BY_ID:
            near = difflib.get_close_matches(name, _BY_ID, 1)
            hint = " " + _("Did you mean {id}?").format(id=near[0]) if near else ""
            warnings.append(_("keymap: there is no action '{id}'.").format(id=name) + hint)
            continue
        keys = tuple(normalize_key(part) for part in text.split(",") if part.strip()) or (
            (normalize_key(text),) if text else ()
        )
        taken = [key for key in keys if key in RESERVED]
        if not keys or taken:
            reason = _("the key {key} is reserved").format(key=taken[0]) if taken else _("no key is given")
            warnings.append(f"keymap: {name}: {reason}")
            continue
        wanted[name] = keys
    for _round in range(len(wanted) + 1):
        clash = _clash(wanted)
        if clash is None:
            break
        name, key, other = clash
        warnings.append(
            _("keymap: {id}: {key} already means {other}; give that another key too.").format(
                id=name, key=key, other=other
            )
        )
        del wanted[name]
    return CheckedKeymap({name: ",".join(keys) for name, keys in wanted.items()}, warnings)


def _clash(wanted: Mapping[str, tuple[str, ...]]) -> tuple[str, str, str] | None:
    owner: dict[str, str] = {}
    for name, action in _BY_ID.items():
        if name not in wanted:
            owner.update(dict.fromkeys(action.keys, name))
    for name, keys in wanted.items():
        for key in keys:
            if owner.get(key, name) != name:
                return name, key, owner[key]
            owner[key] = name
    return None


def find_keys(action: Action, keymap: Mapping[str, str]) -> tuple[str, ...]:
    """The keys that an action has now."""
    return tuple(keymap[action.id].split(",")) if action.id in keymap else action.keys
