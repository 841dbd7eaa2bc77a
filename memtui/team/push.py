"""What this machine shares, sent: the difference between what may leave now and what the server has of this machine.

There is no queue. The disk is the truth, and a push that was cut off is done again from two lists of etags. What may
leave of a file is worked out once as long as the file stays what it is; only a home that is there and could be
listed makes rows go.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import __version__
from memtui.core.errors import ConflictError, MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import WHOLE, Problem
from memtui.core.startup import sha256
from memtui.fs.displaced import keep
from memtui.fs.files import HomeReader, compute_etag, split_home_path, walk
from memtui.layouts import load_layout
from memtui.layouts.discovery import build_labelled_home
from memtui.safety.redact import compile_secret_patterns
from memtui.team.membership import translate_server_errors, write_private
from memtui.team.sharing import Outgoing, explain_withheld, prepare_outgoing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui.core.config import Config
    from memtui.team.membership import Membership
    from memtui.team.sharing import Share

_ROWS, _BYTES = 500, 8 << 20
"""What one transaction takes at most: the team's counter is held for that long."""
_HELD = 64 << 20
"""Bytes of judged files that are kept until they are sent; those beyond are judged once more."""
_RULES = 1
"""Grows with every change of what may leave."""


class Shown(NamedTuple):
    """One file of a home that is shared, as the others would see it."""

    home: str
    """Its path here."""
    name: str
    """What it is called on the server."""
    path: str
    size: int
    """Bytes that leave; 0 where it stays."""
    etag: str
    """Of these bytes; empty: it stays."""
    reason: str
    masked: int
    dropped: int


class Pushed(NamedTuple):
    """What one push did."""

    sent: int = 0
    gone: int = 0
    bytes: int = 0
    shared: int = 0
    """Files that others can see now."""
    withheld: int = 0
    """Of the layers and projects named, those that stay."""
    away: tuple[str, ...] = ()
    """Homes that were not there, or could not be listed whole: their files stay on the server."""


class Pusher:
    """Pushes for one membership; keeps what it knows of the server as long as the connection lasts."""

    def __init__(self, member: Membership, config: Config) -> None:
        self.member = member
        self._own = compile_secret_patterns(config.redact.patterns)[0]
        self._off = tuple(str(Path(name).expanduser()) for name in config.context.off)
        rules = [_RULES, __version__, config.redact.patterns, member.audience, member.shares]
        self._rules = sha256(repr(rules).encode())[:16]
        self._known = self._load()
        self._bodies: dict[tuple[str, str], bytes] = {}
        """What was judged in this push and has not left yet: judging costs more than sending."""
        self._room = _HELD
        self._remote: dict[tuple[str, str], str] | None = None
        self._linked: Any = None

    # -- what would leave -----------------------------------------------------------------------------------------

    def list_files(self, share: Share) -> Iterator[Shown | Problem]:
        """Every file of a share that its layers and project name, with what becomes of it; and what could not be read.

        Raises OSError where the home is not there.
        """
        layout, root = load_layout(share.layout), Path(share.home)
        name = name_home(share)
        if share.home in self._off:
            return
        with HomeReader(root) as reader:
            for found in walk(root, partial(layout.role, root), partial(layout.prune, root)):
                if isinstance(found, Problem):
                    yield found
                    continue
                reason = explain_withheld(found.path, found.role, share, self.member.audience)
                if reason:
                    yield Shown(share.home, name, found.path, 0, "", reason, 0, 0)
                    continue
                key = f"{share.home}\0{found.path}"
                signature = [found.mtime_ns, found.size, found.ino, found.ctime_ns]
                known = self._known.get(key)
                if known is None or known[0] != signature:
                    try:
                        out = self._prepare(reader, found.path)
                    except FileNotFoundError:
                        continue
                    except MemtuiError as error:
                        yield Problem(found.path, 0, str(error))
                        continue
                    etag = "" if out.body is None else compute_etag(out.body)
                    size = len(out.body or b"")
                    if out.body is not None and self._room > size:
                        self._bodies[share.home, found.path] = out.body
                        self._room -= size
                    known = self._known[key] = (signature, etag, size, out.reason, out.masked, out.dropped)
                yield Shown(share.home, name, found.path, known[2], known[1], known[3], known[4], known[5])

    def _prepare(self, reader: HomeReader, path: str) -> Outgoing:
        data = reader.read(path, WHOLE)[0]
        return prepare_outgoing(path, data, self._own)

    # -- sending --------------------------------------------------------------------------------------------------

    def push(self, link: Any) -> Pushed:
        """Make the server's rows of this machine what may leave now. Raises UnavailableError, RefusedError."""
        if self._linked is not link:
            self._remote, self._linked = None, link
        wanted: dict[tuple[str, str], Shown] = {}
        withheld, away, kept = 0, [], set()
        for share in self.member.shares:
            try:
                for found in self.list_files(share):
                    if isinstance(found, Problem):
                        # What cannot be seen is not gone.
                        away.append(share.home)
                        kept.add(name_home(share))
                    elif found.etag:
                        wanted.setdefault((found.name, found.path), found)
                    else:
                        withheld += 1
            except OSError:
                away.append(share.home)
                kept.add(name_home(share))
        try:
            with translate_server_errors():
                remote = self._remote if self._remote is not None else self._list_remote(link)
                self._remote = None
                new = [one for key, one in wanted.items() if remote.get(key) != one.etag]
                gone = [key for key in remote if key not in wanted and key[0] not in kept]
                sent = size = 0
                for batch in self._batches(new):
                    self._send(link, batch)
                    for one, body in batch:
                        remote[one.name, one.path] = compute_etag(body)
                        sent, size = sent + 1, size + len(body)
                if gone:
                    self._drop(link, gone)
                    for key in gone:
                        del remote[key]
                self._remote = remote
        except BaseException:
            self._remote = None
            raise
        finally:
            self._bodies.clear()
            self._room = _HELD
            self._save(wanted)
        return Pushed(sent, len(gone), size, len(remote), withheld, tuple(dict.fromkeys(away)))

    def _list_remote(self, link: Any) -> dict[tuple[str, str], str]:
        member = self.member
        rows = link.execute(
            "SELECT home, path, etag FROM memtui.file WHERE team = %s AND owner = %s AND machine = %s AND NOT gone",
            [member.team, member.who, member.machine],
        )
        return {(home, path): etag for home, path, etag in rows}

    def _batches(self, files: Sequence[Shown]) -> Iterator[list[tuple[Shown, bytes]]]:
        batch: list[tuple[Shown, bytes]] = []
        size = 0
        readers: dict[str, HomeReader] = {}
        try:
            for one in files:
                if one.home not in readers:
                    readers[one.home] = HomeReader(one.home)
                with suppress(FileNotFoundError, MemtuiError):
                    # It may have been saved since: what is sent is what was judged, and the next push sends the rest.
                    body = self._bodies.pop((one.home, one.path), None)
                    if body is None:
                        body = self._prepare(readers[one.home], one.path).body
                    if body is not None:
                        batch.append((one, body))
                        size += len(body)
                if len(batch) >= _ROWS or size >= _BYTES:
                    yield batch
                    batch, size = [], 0
            if batch:
                yield batch
        finally:
            for reader in readers.values():
                reader.close()

    def _send(self, link: Any, batch: Sequence[tuple[Shown, bytes]]) -> None:
        member = self.member
        with link.transaction():
            # The counter first: two machines that write the same rows never wait for each other in a circle.
            link.execute("SELECT memtui.advance(%s)", [member.team])
            link.execute(
                """INSERT INTO memtui.file AS f (team, owner, machine, home, path, etag, body, rev, gone)
                SELECT %s, %s, %s, home, path, etag, body, 0, false
                FROM unnest(%s::text[], %s::text[], %s::text[], %b::bytea[]) AS new (home, path, etag, body)
                ON CONFLICT (team, owner, machine, home, path) DO UPDATE
                SET etag = excluded.etag, body = excluded.body, gone = false
                WHERE f.gone OR f.etag <> excluded.etag""",
                [
                    member.team,
                    member.who,
                    member.machine,
                    [one.name for one, _body in batch],
                    [one.path for one, _body in batch],
                    [compute_etag(body) for _one, body in batch],
                    [body for _one, body in batch],
                ],
            )

    def _drop(self, link: Any, keys: Sequence[tuple[str, str]]) -> None:
        member = self.member
        with link.transaction():
            link.execute("SELECT memtui.advance(%s)", [member.team])
            link.execute(
                """UPDATE memtui.file AS f SET gone = true, body = NULL, etag = ''
                FROM unnest(%s::text[], %s::text[]) AS old (home, path)
                WHERE f.team = %s AND f.owner = %s AND f.machine = %s AND f.home = old.home AND f.path = old.path
                AND NOT f.gone""",
                [
                    [home for home, _path in keys],
                    [path for _home, path in keys],
                    member.team,
                    member.who,
                    member.machine,
                ],
            )

    # -- what was worked out --------------------------------------------------------------------------------------

    @property
    def _cache(self) -> Path:
        return self.member.mirror / "judged.json"

    def _load(self) -> dict[str, tuple[Any, ...]]:
        try:
            plain = json.loads(self._cache.read_bytes())
            if plain["rules"] == self._rules:
                return {key: tuple(value) for key, value in plain["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return {}

    def _save(self, wanted: Mapping[tuple[str, str], Shown]) -> None:
        """Keep it where it is many files' worth of work; a lost one is worked out again."""
        stamp = len(self._known), sum(hash(value[1]) for value in self._known.values())
        if wanted and stamp != getattr(self, "_saved", None):
            with suppress(MemtuiError):
                plain = {"rules": self._rules, "files": self._known}
                write_private(self._cache, json.dumps(plain, ensure_ascii=True).encode())
                self._saved = stamp


def name_home(share: Share) -> str:
    """What a home is called on the server: its label, its layout, and what tells it from others of that label."""
    label = build_labelled_home(Path(share.home), share.layout, "").label
    plain = re.sub(r"[^\w-]+", "-", label).strip("-_")[:60] or "home"
    return f"{plain}.{share.layout}.{sha256(share.home.encode('utf-8', 'surrogateescape'))[:6]}"


# -- a home of the team's own: changed by whoever is in it, never blindly ------------------------------------------


def change_team_file(link: Any, team: str, home: str, path: str, expected: str, body: bytes) -> str:
    """Write a file of the team's own home if it is still the one with the etag `expected` (empty: none); the new etag.

    Raises ConflictError, with both texts, where somebody else changed it; the text to be written is kept here.
    """
    split_home_path(path)
    layout = home.rsplit(".", 2)[1] if home.count(".") > 1 else ""
    role = load_layout(layout).role(Path("/"), path) if layout else None
    if role is None:
        raise RefusedError(_("{path} is no file of memories in {home}.").format(path=path, home=home))
    out = prepare_outgoing(path, body)
    if out.body is None:
        raise RefusedError(_("{path} was not sent: {reason}.").format(path=path, reason=out.reason))
    etag = compute_etag(out.body)
    with translate_server_errors(), link.transaction():
        link.execute("SELECT memtui.advance(%s)", [team])
        if expected:
            done = link.execute(
                """UPDATE memtui.file SET etag = %s, body = %s, gone = false WHERE team = %s AND owner = ''
                AND machine = '' AND home = %s AND path = %s AND etag = %s RETURNING rev""",
                [etag, out.body, team, home, path, expected],
            ).fetchone()
        else:
            done = link.execute(
                """INSERT INTO memtui.file AS f (team, owner, machine, home, path, etag, body, rev)
                VALUES (%s, '', '', %s, %s, %s, %s, 0) ON CONFLICT (team, owner, machine, home, path)
                DO UPDATE SET etag = excluded.etag, body = excluded.body, gone = false WHERE f.gone RETURNING rev""",
                [team, home, path, etag, out.body],
            ).fetchone()
        if done is None:
            theirs = read_team_file(link, team, home, path)
    if done is None:
        kept = keep(path.rpartition("/")[2], out.body)
        raise ConflictError(
            _("Somebody changed {path} meanwhile. Nothing was written; your text is kept in {kept}.").format(
                path=path, kept=kept
            ),
            home=home,
            path=path,
            base=None,
            theirs=theirs,
            mine=out.body,
            kept=kept,
        )
    return etag


def read_team_file(link: Any, team: str, home: str, path: str) -> bytes | None:
    """A file of the team's own home; None: there is none."""
    with translate_server_errors():
        found = link.execute(
            """SELECT body FROM memtui.file WHERE team = %s AND owner = '' AND machine = '' AND home = %s
            AND path = %s AND NOT gone""",
            [team, home, path],
        ).fetchone()
    return None if found is None else bytes(found[0])
