"""Names of sessions as files may have them, whatever an agent, a hook or an attacker calls one (T33).

The canonical id is what spec 000 takes: the name of the agent's own file without its ending. For Codex that is the
rollout's, with the id that its hooks tell at its end; where no rollout is found the hook's id stands by itself.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memtui.digest import sha256
from memtui.disk.places import private, state
from memtui.pattern import pattern

if TYPE_CHECKING:
    from pathlib import Path

LONGEST = 128
SILENCE = 12 * 3600.0
"""Seconds after which a made-up id is not taken up again: whoever comes then is in another session."""

_FIT = pattern(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_UNFIT = pattern(r"[^A-Za-z0-9_-]+")
_TAKEN = pattern(r"(?:index|readme|con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_NOBODY = frozenset({"default", "unknown", "none", "null", "undefined"})
_UUID = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_WHOLE = pattern(_UUID)
_ROLLOUT = pattern(rf"rollout-\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d-(?P<id>{_UUID})")
_MARK = pattern(rb"<!--\s*HELLOAGENTS_SESSION_ID:\s*([\w.-]{1,128})\s*-->")
_MARKED = (
    ".helloagents/STATE.md",
    ".helloagents/context.md",
    ".helloagents/INDEX.md",
    "helloagents/STATE.md",
    "helloagents/project.md",
    "AGENTS.md",
    "CLAUDE.md",
)
_READ = 256 * 1024


def fit(value: Any) -> str:
    """Any value as an id: fit ones as they are, others changed and told apart by a digest; empty: there is none."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    text = str(value)[:65536].strip()
    if not text or text.casefold() in _NOBODY:
        return ""
    if _FIT.fullmatch(text) and text[-1] != "." and not _TAKEN.fullmatch(text):
        return text
    plain = _UNFIT.sub("-", text).strip("-_")[:64].rstrip("-_") or "session"
    digest = sha256(text.encode("utf-8", "surrogatepass"))[:12]
    return f"{plain}-{digest}"


def is_uuid(text: str) -> bool:
    """Whether it is one."""
    return _WHOLE.fullmatch(text) is not None


def inner(id: str) -> str:
    """The id that Codex's hooks tell, out of its rollout's name; empty for any other name."""
    match = _ROLLOUT.fullmatch(id)
    return match["id"] if match else ""


def marked(root: Path) -> str:
    """The id that an agent left in the project's live state, as spec 000 has it; the file that was written last."""
    found = (0.0, "")
    for name in _MARKED:
        descriptor = -1
        with suppress(OSError, ValueError):
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            descriptor = os.open(root / name, flags)
            match = _MARK.search(os.read(descriptor, _READ))
            own = fit(match[1].decode()) if match else ""
            if own:
                found = max(found, (os.fstat(descriptor).st_mtime, own))
        if descriptor >= 0:
            os.close(descriptor)
    return found[1]


def made(root: str) -> str:
    """An id of our own for whoever works in this directory, the same between calls while it is used."""
    digest = sha256(root.encode("utf-8", "surrogatepass"))[:16]
    file = state() / "sessions" / digest
    import uuid

    new = str(uuid.uuid4())
    with suppress(OSError):
        private(file.parent)
        kept = _kept(file)
        if kept:
            os.utime(file)
            return kept
        part = file.with_name(f"{digest}.{new}")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(new.encode())
        try:
            # Of two that come at once, the first one's holds for both.
            os.link(part, file)
        except FileExistsError:
            new = _kept(file) or _instead(part, file, new)
        except OSError:
            os.replace(part, file)
        with suppress(OSError):
            os.unlink(part)
    return new


def _instead(part: Path, file: Path, new: str) -> str:
    os.replace(part, file)
    return new


def _kept(file: Path) -> str:
    try:
        if time.time() - os.lstat(file).st_mtime > SILENCE:
            return ""
        text = file.read_bytes()[:64].decode("ascii", "replace")
    except OSError:
        return ""
    return text if is_uuid(text) else ""
