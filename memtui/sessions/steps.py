"""What a tool's call did, out of what it was given: which files, which command, whether it writes."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from memtui.parse.fields import line, plain
from memtui.parse.transcript import parameters
from memtui.parse.veil import veiled
from memtui.sessions.session import Step

if TYPE_CHECKING:
    from collections.abc import Mapping

GIVEN = 1200
"""Characters that are kept of what a tool was given."""
RETURNED = 1600
"""Characters that are kept of what came back: its beginning, and its end, where errors stand."""
_END = 600
_READ = 16_000
"""Characters that are looked at for secrets before a text is cut."""
_FILES = 64

_PATHS = (
    "file_path", "filePath", "notebook_path", "path", "file", "filename", "target_file", "absolute_path",
    "relative_path",
)  # fmt: skip
_SEVERAL = ("paths", "files", "file_paths")
_COMMANDS = ("command", "cmd", "script")
_WRITING = re.compile(r"(?:^|_)(?:edit|write|create|replace|patch|insert|update|append)(?:_|$)")
_LOOKING = re.compile(r"(?:^|_)(?:grep|glob|ls|list|find|search|tree)(?:_|$)")
_RUNNING = re.compile(r"(?:^|_)(?:bash|shell|exec|command|terminal|run|powershell|sh|cmd)(?:_|$)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PATCH = "*** Begin Patch"
_PATCHED = re.compile(r"^\*\*\* (?:(?:Update|Add|Delete) File|Move to): (.+)$", re.MULTILINE)
_SHELLS = frozenset({"bash", "sh", "zsh", "powershell", "pwsh", "cmd"})
_VIEWING = frozenset({"view", "undo_edit"})


def step(name: str, given: Any, time: float | None, at: int) -> Step:
    """One call, before anything came back."""
    said = given if isinstance(given, dict) else {}
    kind = _HUMP.sub("_", name.rpartition("__")[2] or name).lower().replace("-", "_")
    text = given if isinstance(given, str) else ""
    command = _command(said) if _RUNNING.search(kind) or not _WRITING.search(kind) else ""
    patch = next((part for part in (text, command, *_texts(said)) if _PATCH in part), "")
    if patch:
        files = _told(_PATCHED.findall(patch))
        return Step(name, at, time, files, "", _short(patch), writes=True)
    files = () if _LOOKING.search(kind) else _files(said)
    writes = bool(files) and bool(_WRITING.search(kind)) and said.get("command") not in _VIEWING
    shown = command if command and len(said) < 2 else parameters(given)
    return Step(name, at, time, files, _cut(command, GIVEN), _short(shown), writes=writes)


def returned(call: Step, text: str, failed: bool) -> Step:
    """The call with what came back; one that failed changed nothing."""
    return call._replace(
        result=ends(text), failed=call.failed or failed, writes=call.writes and not (call.failed or failed)
    )


def ends(text: str) -> str:
    """The beginning and the end of a long text, its secrets masked before it is cut."""
    text = text.strip()
    if len(text) > _READ:
        text = f"{text[: _READ // 2]}\n…\n{text[-_READ // 2 :]}"
    text = plain(veiled(text))
    return text if len(text) <= RETURNED else f"{text[: RETURNED - _END]}\n…\n{text[-_END:]}"


def _short(text: str) -> str:
    return _cut(plain(text).strip(), GIVEN)


def _cut(text: str, most: int) -> str:
    text = veiled(text[:_READ])
    return text if len(text) <= most else f"{text[:most]}…"


def _command(said: Mapping[str, Any]) -> str:
    found = next((said[key] for key in _COMMANDS if said.get(key)), "")
    if isinstance(found, str):
        return found
    if not isinstance(found, list):
        return ""
    words = [word for word in found if isinstance(word, str)]
    if len(words) > 2 and words[0].rpartition("/")[2] in _SHELLS and words[1].startswith(("-", "/")):
        return words[-1]
    return shlex.join(words)


def _texts(said: Mapping[str, Any]) -> list[str]:
    found = [value for value in said.values() if isinstance(value, str)]
    lists = [value for value in said.values() if isinstance(value, list)]
    return found + [part for parts in lists for part in parts[:_FILES] if isinstance(part, str)]


def _files(said: Mapping[str, Any]) -> tuple[str, ...]:
    named = [said[key] for key in _PATHS if isinstance(said.get(key), str)][:1]
    for key in _SEVERAL:
        several = said.get(key)
        named += [one for one in several if isinstance(one, str)] if isinstance(several, list) else []
    return _told(named)


def _told(names: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found for name in names[:_FILES] if (found := line(name, 1000))))
