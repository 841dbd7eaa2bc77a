"""A session's summary on disk: always the same file, written again at every trigger (spec 000, 记忆写入).

What a person changed in it since is kept: their lines and the new ones are put together. What reads like an order to
agents is left out, and waits in Review.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.curation.secrets import masked, patterns
from memtui.digest import sha256
from memtui.disk.places import private, state
from memtui.edits import Append, Draft, Edit, between
from memtui.errors import ConflictError, MemtuiError, RefusedError
from memtui.format.threeway import together
from memtui.layouts import Recording, layout
from memtui.locale import _
from memtui.safety.injection import examine
from memtui.sessions import forms, saved
from memtui.sessions.forms import Summary

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.edits import Receipt, Target
    from memtui.model import Home
    from memtui.sessions.extract import Extract
    from memtui.sessions.session import Conversation, Session
    from memtui.vault import Vault

LARGEST = 48 * 1024
"""Characters of a summary: more than that is no summary."""
_AGAIN = 3


def record(
    vault: Vault,
    home: Home,
    session: Session,
    found: Extract,
    talk: Conversation | None = None,
    *,
    trigger: str,
    now: float | None = None,
    group: str = "",
) -> Receipt | None:
    """Write the session's summary into its one file of this home; None: it says just that already.

    Raises RefusedError for a sub-agent's session, or a home that keeps no summaries, and what `Vault.apply` raises.
    """
    if session.sidechain:
        raise RefusedError(_("Sub-agents write no memories."))
    now = clock.now() if now is None else now
    time = talk.ended if talk is not None and talk.ended is not None else now
    target = place(home, session, time)
    who = f"agent:{session.agent or 'unknown'}"
    told = _kept(target, session.id).with_suffix(".said")
    if found.by == "agent":
        saved.keep(told, found, patterns(vault))
    else:
        found = saved.joined(told, found)
    found = _harmless(vault, home, session, found, who)
    summary = Summary(session, found, time, talk, headed=_headed(home))
    # Masked before it is compared with what is there, which was masked when it was written.
    text = masked(vault, Draft(forms.of(target.format, summary)[:LARGEST]))[0].text
    what = _("summary of {session} ({trigger})").format(session=session.id[:8], trigger=trigger)
    if target.append_only:
        if _said(vault, target, session) == _told(text):
            return None
        return vault.apply(
            [Append(target.home, target.path, text)], verb="capture", who=who, what=what, group=group
        )
    for left in range(_AGAIN, -1, -1):
        edit = _edit(vault, target, text)
        if edit is None:
            return None
        try:
            receipt = vault.apply([edit], verb="capture", who=who, what=what, group=group, confirmed=True)
        except ConflictError:
            if not left:
                raise
        else:
            _remember(target, edit.new)
            return receipt
    raise AssertionError


def place(home: Home, session: Session, time: float) -> Target:
    """The session's one file, whichever of its names it has already. Raises RefusedError."""
    kind = layout(home.layout)
    if not isinstance(kind, Recording):
        raise RefusedError(
            _("{home} ({layout}) keeps no summaries of sessions.").format(home=home.label, layout=home.layout)
        )
    from memtui.sessions.identity import names

    found = [kind.session(home, name, time) for name in dict.fromkeys([session.id, *names(session)])]
    return next((target for target in found if target.exists), found[0])


def _harmless(vault: Vault, home: Home, session: Session, found: Extract, who: str) -> Extract:
    """The summary without what reads like an order to agents; that waits for a person."""
    kept: dict[str, Any] = {}
    aside: list[str] = []
    for name in ("done", "points", "decisions", "todos", "files", "tools", "entities"):
        items: tuple[str, ...] = getattr(found, name)
        kept[name] = tuple(item for item in items if examine(item).action != "quarantine")
        left = [item for item in items if item not in kept[name]]
        # Harmless one by one, an order when they are read in a row.
        row = ", ".join(kept[name])
        if examine(row).action == "quarantine":
            kept[name], left = (), [*left, row]
        # A name that stands in no text is nothing to decide about.
        aside += left if name != "entities" else []
    texts = {name: getattr(found, name) for name in ("topic", "goal", "outcome", "text", "project")}
    for name, text in texts.items():
        if examine(text).action == "quarantine":
            aside.append(text)
            kept[name] = ""
    for text in dict.fromkeys(aside):
        _set_aside(vault, home, session, text, who)
    return found._replace(**kept)


def _set_aside(vault: Vault, home: Home, session: Session, text: str, who: str) -> None:
    from memtui.curation import review

    with suppress(MemtuiError):
        review.propose(vault, str(home.path), Draft(text[: review.LONGEST]), who, session=session.id)


def _edit(vault: Vault, target: Target, text: str) -> Edit | None:
    """The change that makes the file say this; what others changed in it since the last time stays."""
    base = vault.bytes_of(target.home, target.path)
    new = text.encode("utf-8", "replace")
    if base is not None and b"\r\n" in base:
        new = new.replace(b"\n", b"\r\n")
    if base == new:
        return None
    last = _last(target)
    if base is not None and last is not None and base != last:
        if last == new:
            return None
        new = together(last, base, new).data
    if base is None:
        from memtui.edits import Piece

        return Edit(target.home, target.path, None, (Piece(0, 0, new),))
    pieces = between(base, new)
    return Edit(target.home, target.path, base, pieces) if pieces else None


def _kept(target: Target, session: str = "") -> Path:
    """Where a file's last state is kept; with a session, for some homes have one file for all of them."""
    name = os.fsencode(target.home) + b"\0" + f"{target.path}\0{session}".encode("utf-8", "surrogateescape")
    return state() / "summaries" / sha256(name)[:24]


def _last(target: Target) -> bytes | None:
    """What was written the last time, masked as it is in the file; None: nothing, or nobody knows."""
    try:
        return _kept(target).read_bytes()
    except OSError:
        return None


def _remember(target: Target, written: bytes) -> None:
    file = _kept(target)
    with suppress(OSError, RefusedError):
        private(file.parent)
        part = file.with_suffix(f".{os.urandom(4).hex()}")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(written)
        os.replace(part, file)


def _headed(home: Home) -> bool:
    """Whether the newest summary of a code-memory home has headings, as its newer scripts write them."""
    if home.layout != "code-memory":
        return False
    newest: tuple[float, str] = (0.0, "")
    with suppress(OSError):
        for entry in os.scandir(home.path / "sessions"):
            if entry.name.endswith(".md") and entry.is_file(follow_symlinks=False):
                newest = max(newest, (entry.stat().st_mtime, entry.path))
        if newest[1]:
            with open(newest[1], "rb") as file:
                return b"\n## \xe4\xb8\xbb\xe9\xa2\x98" in file.read(16384)
    return False


def _said(vault: Vault, target: Target, session: Session) -> object:
    """What the newest record of a session says, its id and time aside."""
    data = vault.bytes_of(target.home, target.path) or b""
    mark = session.id.encode()
    lines = [line for line in data.split(b"\n") if mark in line]
    return next((told for line in reversed(lines) if (told := _told(line.decode("utf-8", "replace")))), None)


def _told(line: str) -> object:
    import json

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    return {name: value for name, value in found.items() if name not in {"id", "timestamp"}}
