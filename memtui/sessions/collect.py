"""Summaries of other nodes' sessions, out of a directory where they were gathered (spec 001 §9).

Each goes below the home's own summaries, into `from-<node>/`, with a line that says where it comes from: no summary of
ours is ever touched, retention does not count them, and a second run writes nothing. What a person changed in such a
copy stays; what reads like an order to agents is not taken.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.disk.files import Reader, etag
from memtui.disk.journal import new_id
from memtui.edits import Edit, Piece
from memtui.errors import MemtuiError, RefusedError, UsageError
from memtui.layouts import Recording, layout
from memtui.layouts.roles import by_name
from memtui.locale import _
from memtui.model import Layer
from memtui.safety.injection import examine
from memtui.sessions.project import fit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.edits import Receipt
    from memtui.model import Home
    from memtui.vault import Vault

LARGEST = 1024 * 1024
"""Bytes of one summary."""
MOST = 5000
"""Summaries that one run looks at."""
_DEEP = 6
_CONTAINERS = frozenset({
    "sessions", "memory", "outbox", "inbox", "files", "workspace", "collected", ".cluster", ".multi_agent",
    ".xinghebot",
})  # fmt: skip
"""Directories on the way that are no node's name."""
_OTHERS = frozenset(
    {"daily", "areas", "user", "evolution", "index", "knowledge", "modules", "plans", "archive"}
)
_MARK = re.compile(rb"\n*<!-- collected: etag=([0-9a-f]{32}) kept=([0-9a-f]{32}) [^\n]*-->\n?\Z")


class Collected(NamedTuple):
    """What one run did."""

    copied: tuple[str, ...] = ()
    """Paths in the home, of what is new or newer."""
    same: int = 0
    """That were there already."""
    kept: tuple[str, ...] = ()
    """Paths in the home, of copies that somebody changed since: they stay as they are."""
    refused: tuple[tuple[str, str], ...] = ()
    """A file in the directory, and why it was not taken, for a person."""
    receipts: tuple[Receipt, ...] = ()
    """All of one group: undone together."""


class _Source(NamedTuple):
    path: str
    """Relative to the directory."""
    node: str
    name: str


def collect(vault: Vault, home: Home, directory: Path, who: str = "person") -> Collected:
    """Copy the summaries in `directory` (sessions/*.md of one node, or of a directory a node) into the home.

    Raises UsageError where there is no such directory, RefusedError for a home that keeps no summaries; what is wrong
    with one file stands in the answer.
    """
    if not directory.is_dir():
        raise UsageError(_("{path} is no directory.").format(path=directory))
    kind = layout(home.layout)
    target = kind.session(home, "x", clock.now()) if isinstance(kind, Recording) else None
    if target is None or target.append_only:
        raise RefusedError(
            _("{home} ({layout}) keeps no files of sessions.").format(home=home.label, layout=home.layout)
        )
    folder = target.path.rpartition("/")[0]
    copied: list[str] = []
    kept: list[str] = []
    refused: list[tuple[str, str]] = []
    receipts: list[Receipt] = []
    same, group = 0, new_id()
    taken: set[str] = set()
    with Reader(directory) as reader:
        for source in _sources(directory, home.path, refused):
            path = f"{folder}/from-{source.node}/{source.name}"
            if path.casefold() in taken:
                # Each would take the place of the other, in every run anew.
                refused.append((source.path, _("another of this node has the same name")))
                continue
            taken.add(path.casefold())
            try:
                edit = _edit(vault, home, path, source, reader)
                if isinstance(edit, Edit):
                    what = _("collected {name} from {node}").format(name=source.name, node=source.node)
                    receipts.append(
                        vault.apply([edit], verb="collect", who=who, what=what, group=group, confirmed=True)
                    )
                    copied.append(path)
                elif edit:
                    kept.append(path)
                else:
                    same += 1
            except FileNotFoundError:
                continue
            except MemtuiError as error:
                refused.append((source.path, str(error)))
    return Collected(tuple(copied), same, tuple(kept), tuple(refused), tuple(receipts))


def _edit(vault: Vault, home: Home, path: str, source: _Source, reader: Reader) -> Edit | bool:
    """The change that brings a summary in; True: our copy was changed since; False: there is nothing to bring."""
    data, _status = reader.read(source.path, LARGEST + 1)
    if len(data) > LARGEST:
        raise RefusedError(_("it is longer than a summary ever is"))
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    if not text.strip() or "\0" in text:
        raise RefusedError(_("it is no text"))
    if examine(text).action == "quarantine":
        raise RefusedError(_("it reads like an order to agents"))
    stamp, base = etag(data), vault.bytes_of(str(home.path), path)
    if base is not None:
        mark = _MARK.search(base)
        if mark is None or mark[2].decode() != etag(base[: mark.start()]):
            return True
        if mark[1].decode() == stamp:
            return False
    # What was masked is what is compared with later: a copy as we wrote it is ours to bring up to date.
    body = text.rstrip().encode()
    raw = Edit(str(home.path), path, None, (Piece(0, 0, body),))
    (masked,) = vault.prepared([raw])
    assert isinstance(masked, Edit)
    source_path = re.sub(r"-{2,}|[^\w./@-]", "-", source.path)[:200]
    # The digests first: behind a file called 'token' they would look like one.
    told = f"etag={stamp} kept={etag(masked.new)} node={source.node} source={source_path}"
    whole = masked.new + f"\n\n<!-- collected: {told} -->\n".encode()
    return raw._replace(base=base, pieces=(Piece(0, len(base or b""), whole),))


def _sources(directory: Path, own: Path, refused: list[tuple[str, str]]) -> Iterator[_Source]:
    """The summaries in a directory, in order; links, and names that no home may hold, are refused."""
    real = os.path.realpath(directory)
    here = [part for part in Path(real).parts if part not in _CONTAINERS and part not in {os.sep, ""}]
    count = 0
    for folder, folders, names in os.walk(real):
        inside = os.path.relpath(folder, real)
        parts = [] if inside == "." else inside.split(os.sep)
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        refused += [("/".join((*parts, name)), _("it is a link; links are not followed")) for name in links]
        folders[:] = sorted(
            name for name in folders
            if len(parts) < _DEEP and name not in _OTHERS and name not in links
            and (name[0] != "." or name in _CONTAINERS)
        )  # fmt: skip
        # Our own home may stand in the same tree.
        if Path(folder) == own:
            folders.clear()
            continue
        node = next((part for part in parts if part not in _CONTAINERS), here[-1] if here else "other")
        for name in sorted(names):
            if not _summary(name, Path(folder).name == "sessions"):
                continue
            path = "/".join((*parts, name))
            why = _unfit(os.path.join(folder, name), name)
            if why:
                refused.append((path, why))
                continue
            count += 1
            if count > MOST:
                refused.append((path, _("there are more than {count}").format(count=MOST)))
                return
            yield _Source(path, fit(node)[:64].rstrip("._-") or "other", name)


def _summary(name: str, among_sessions: bool) -> bool:
    """Whether a file is a session's summary, by its name and where it lies."""
    role = by_name(f"sessions/{name}")
    if role is None or role.parser != "session":
        return False
    plain = by_name(name)
    note = plain is not None and (
        plain.layer is Layer.JOURNAL or (plain.layer, plain.kind) == (Layer.KNOWLEDGE, "note")
    )
    return among_sessions or note


def _unfit(path: str, name: str) -> str:
    """Why a file is not taken, for a person; empty: it may be."""
    if os.path.islink(path):
        return _("it is a link; links are not followed")
    if len(os.fsencode(name)) > 200 or not name.isprintable() or re.search(r'[\\:*?"<>|]', name):
        return _("its name is none that a home may hold")
    with suppress(UnicodeEncodeError):
        name.encode()
        return ""
    return _("its name is none that a home may hold")
