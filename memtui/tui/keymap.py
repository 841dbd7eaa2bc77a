"""Keys: Textual bindings made from the actions, and a person's own keys from the config, checked once.

Textual takes overrides silently, even ones that make keys vanish, so nothing reaches it that was not checked
here.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from textual.binding import Binding

from memtui.core.locale import _
from memtui.tui.actions import ACTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtui.tui.actions import Action

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
    known = {action.id: action for action in ACTIONS}
    wanted: dict[str, tuple[str, ...]] = {}
    warnings: list[str] = []
    for name, text in given.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
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
        clash = _clash(wanted, known)
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


def _clash(wanted: Mapping[str, tuple[str, ...]], known: Mapping[str, Action]) -> tuple[str, str, str] | None:
    owner: dict[str, str] = {}
    for name, action in known.items():
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
