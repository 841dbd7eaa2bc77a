"""What an agent says on a hook's stdin, read leniently: whatever is not as expected is not there.

It is hostile until shown otherwise: a field of the wrong type, with NUL in it or too long, is empty.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from memtui.pattern import pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST = 16 * 1024 * 1024
"""Characters of a payload that are looked at: a written file stands in it twice."""
PATH = 4096
MOST = 200
"""Files that one call names, at most."""

WRITING = frozenset({"edit", "write", "multiedit", "notebookedit", "apply_patch", "create", "str_replace"})
"""Tools that change files, folded."""
READING = frozenset({"read", "notebookread", "view", "read_file"})

_PATHS = ("file_path", "notebook_path", "path")
_RUN = pattern(r"(?:^\+.*\n?)+", re.MULTILINE)
_ADDED = pattern(r"^\+", re.MULTILINE)
_PATCHED = pattern(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE)


def read(stdin: str) -> dict[str, Any] | None:
    """The payload; None: there is none that could be read."""
    if not stdin or len(stdin) > LARGEST:
        return None
    try:
        found = json.loads(stdin.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def text(payload: Mapping[str, Any], key: str, longest: int = LARGEST) -> str:
    """A field that is a text; cut where it is longer."""
    found = payload.get(key)
    return found[:longest] if isinstance(found, str) and "\0" not in found else ""


def tool(payload: Mapping[str, Any]) -> str:
    """The tool's name, folded."""
    return text(payload, "tool_name", 200).casefold()


def sidechain(payload: Mapping[str, Any]) -> bool:
    """Whether a sub-agent fired it: it never writes (spec 000)."""
    return bool(payload.get("agent_id"))


def failed(payload: Mapping[str, Any]) -> bool:
    """Whether the tool says that it did nothing."""
    said = payload.get("tool_response")
    return isinstance(said, dict) and (
        said.get("success") is False or said.get("is_error") is True or bool(said.get("error"))
    )


def files(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """The files that a tool's call names, absolute and plain, each once, in order."""
    given = payload.get("tool_input")
    if isinstance(given, str):
        given = {"command": given}
    if not isinstance(given, dict):
        return ()
    named = [given[key] for key in _PATHS if isinstance(given.get(key), str)][:1]
    if not named:
        patches = [value for value in _texts(given) if "*** " in value]
        named = [one or other for patch in patches for one, other in _PATCHED.findall(patch)]
    here = text(payload, "cwd", PATH)
    found = (_absolute(name.strip(), here) for name in named)
    return tuple(dict.fromkeys(filter(None, found)))[:MOST]


def written(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """The new pieces of text that an edit put into a file; none where all of the file is new."""
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return ()
    edits = given.get("edits")
    several = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    told = [one.get(key) for one in (given, *several) for key in ("new_string", "new_source")]
    pieces = [piece for piece in told if isinstance(piece, str)]
    for patch in (value for value in _texts(given) if "*** Update File: " in value):
        pieces += [_ADDED.sub("", run[0]) for run in _RUN.finditer(patch)]
    return tuple(pieces)


def _texts(given: Mapping[str, Any]) -> list[str]:
    found = [value for value in given.values() if isinstance(value, str)]
    lists = [value for value in given.values() if isinstance(value, list)]
    return found + [part for parts in lists for part in parts[:MOST] if isinstance(part, str)]


def _absolute(name: str, here: str) -> str:
    if not name or len(name) > PATH or "\0" in name:
        return ""
    name = os.path.expanduser(name) if name.startswith("~/") else name
    if not os.path.isabs(name) and not os.path.isabs(here):
        return ""
    return os.path.normpath(os.path.join(here, name))


def agent_of(payload: Mapping[str, Any], event: str) -> str:
    """Which agent fired it, by what only it says."""
    if event == "notify" or "thread-id" in payload:
        return "codex"
    transcript = text(payload, "transcript_path", PATH).replace("\\", "/")
    if "/.codex/" in transcript or transcript.rpartition("/")[2].startswith("rollout-"):
        return "codex"
    # Codex names the turn, Claude Code the prompt; and Codex may keep no transcript, and says so.
    silent = "transcript_path" in payload and payload["transcript_path"] is None
    return "codex" if silent or ("turn_id" in payload and not transcript) else "claude-code"
