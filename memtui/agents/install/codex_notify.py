"""The one slot that Codex's config.toml has for a notifier: ours in it, and the one that was there behind `--then`."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from memtui.agents.install import codex_toml
from memtui.agents.install.events import called
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

_KEY = re.compile(r"\s*(?:notify|\"notify\"|'notify')\s*=\s*")
_THEN = "--then"


def notifier(values: dict[str, Any]) -> tuple[str, ...]:
    """What the notifier calls memtui by; empty: it is somebody else's, or there is none."""
    argv = values.get("notify")
    if not isinstance(argv, list) or not all(isinstance(word, str) for word in argv):
        return ()
    found = called(argv, "hook")
    return found if argv[len(found) + 1 : len(found) + 2] == ["notify"] else ()


def put(text: str, program: Sequence[str]) -> str:
    """With our notifier in the slot, and whatever was there called after it. Raises RefusedError."""
    values = tomllib.loads(text)
    there = values.get("notify")
    previous = _previous(there) if notifier(values) else there
    if previous is not None and _words(previous) is None:
        raise RefusedError(_("its notify is not a list of words"))
    wanted = [*program, "hook", "notify", "--agent", "codex"]
    if previous:
        wanted += [_THEN, json.dumps(previous, ensure_ascii=False)]
    return text if wanted == there else _with(text, wanted)


def take(text: str) -> str:
    """With the notifier that was there before ours, or none. Raises RefusedError."""
    values = tomllib.loads(text)
    if not notifier(values):
        return text
    previous = _previous(values["notify"])
    if previous:
        return _with(text, previous)
    found = _slot(text)
    if found is None:
        raise RefusedError(_("its notify cannot be taken out; do it by hand"))
    del values["notify"]
    begins = text.rfind("\n", 0, found[0]) + 1
    ends = text.find("\n", found[1]) + 1 or len(text)
    return codex_toml.proved(text[:begins] + text[ends:], values)


def _with(text: str, argv: list[str]) -> str:
    shown = json.dumps(argv, ensure_ascii=False)
    found = _slot(text)
    if found is None:
        changed = codex_toml.with_line(text, f"notify = {shown}")
    else:
        old = text[found[0] : found[1]]
        if "\n" in old and "#" in old:
            raise RefusedError(_("its notify has comments inside, which would be lost; do it by hand"))
        changed = text[: found[0]] + shown + text[found[1] :]
    return codex_toml.proved(changed, tomllib.loads(text) | {"notify": argv})


def _slot(text: str) -> tuple[int, int] | None:
    """Where the value of the key begins and ends, a comment behind it left out; None: there is no such key."""
    lines = text.splitlines(keepends=True)
    at = 0
    for index in range(codex_toml.top(lines)):
        found = _KEY.match(lines[index])
        if found is not None:
            start, rest = at + found.end(), ""
            for line in [lines[index][found.end() :], *lines[index + 1 :]]:
                rest += line
                marks = [match.start() for match in re.finditer(r"\s*#", rest)] + [len(rest.rstrip())]
                ends = next((mark for mark in marks if _whole(rest[:mark])), None)
                if ends is not None:
                    return start, start + ends
        at += len(lines[index])
    return None


def _whole(value: str) -> bool:
    try:
        tomllib.loads(f"v = {value}")
    except (ValueError, RecursionError):
        return False
    return True


def _previous(argv: Any) -> list[str] | None:
    """What our notifier calls after itself."""
    try:
        return _words(json.loads(argv[argv.index(_THEN) + 1]))
    except (ValueError, IndexError, RecursionError):
        return None


def _words(found: Any) -> list[str] | None:
    return found if isinstance(found, list) and all(isinstance(word, str) for word in found) else None
