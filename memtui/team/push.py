"""What this machine shares, sent: the difference between what may leave now and what the server has of this machine.

There is no queue. The disk is the truth, and a push that was cut off is done again from two lists of etags. What may
leave of a file is worked out once for each content (`sharing`); only a home that is there and could be listed makes
rows go. A push of which it is known what was saved looks at those files alone.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.errors import ConflictError, MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import WHOLE, Problem
from memtui.core.startup import sha256
from memtui.fs.displaced import keep
from memtui.fs.files import DEPTH, HomeReader, build_file_state, compute_etag, is_never_entered, split_home_path, walk
from memtui.layouts import load_layout
from memtui.layouts.discovery import build_labelled_home
from memtui.team.membership import Membership, Share, translate_server_errors
from memtui.team.sharing import USUAL, Judge, Unjudged, explain_withheld, prepare_outgoing

if TYPE_CHECKING:
    import threading
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.fs.files import FoundFile
    from memtui.team.sharing import Progress

_ROWS, _BYTES = 500, 8 << 20
"""What one transaction takes at most: the team's counter is held for that long."""
_HELD = 64 << 20
"""Bytes of judged files that are kept until they are sent; those beyond are read once more."""
_READ = 16 << 20
"""Bytes of files that are read before they are judged together."""
_AHEAD = 48
"""Files that are judged together ahead of time: too few to begin processes for, and soon done with."""


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

    def __init__(self, member: Membership, config: Config, progress: Progress | None = None) -> None:
        """`progress` is told how many files of a home are judged, and of the team sent, and of how many."""
        self.member = member
        self._progress: Progress = progress or (lambda _label, _done, _total: None)
        self._judge = Judge(member.mirror / "judged.json", config.redact.patterns)
        self._off = tuple(str(Path(name).expanduser()) for name in config.context.off)
        self._bodies: dict[tuple[str, str], bytes] = {}
        """What was judged in this push and has not left yet."""
        self._room = _HELD
        self._remote: dict[tuple[str, str], str] | None = None
        self._withheld: int | None = None
        """As of the last push that looked at everything; None: it could not see everything."""
        self._linked: Any = None

    def close(self) -> None:
        """Keep what was worked out."""
        self._judge.save(always=True)

    # -- what would leave -----------------------------------------------------------------------------------------

    def list_files(self, share: Share) -> Iterator[Shown | Problem]:
        """Every file of a share that its layers and project name, with what becomes of it; and what could not be read.

        Raises OSError where the home is not there.
        """
        if share.home not in self._off:
            layout, root = load_layout(share.layout), Path(share.home)
            yield from self._show(share, walk(root, partial(layout.role, root), partial(layout.prune, root)))

    def _show(self, share: Share, files: Iterable[FoundFile | Problem]) -> Iterator[Shown | Problem]:
        """As `list_files`, of these."""
        name = name_home(share)
        unread: list[FoundFile] = []
        size = 0
        with HomeReader(share.home) as reader:
            for found in files:
                if isinstance(found, Problem):
                    yield found
                    continue
                reason = explain_withheld(found.path, found.role, share, self.member.audience)
                if reason:
                    yield Shown(share.home, name, found.path, 0, "", reason, 0, 0)
                elif known := self._judge.recall(f"{share.home}\0{found.path}", _sign(found)):
                    yield Shown(share.home, name, found.path, known.size, known.etag, *known[2:])
                else:
                    unread.append(found)
                    size += found.size
                if size > _READ:
                    yield from self._judge_files(share, name, reader, unread)
                    unread, size = [], 0
            yield from self._judge_files(share, name, reader, unread)

    def _judge_files(
        self, share: Share, name: str, reader: HomeReader, files: Sequence[FoundFile]
    ) -> Iterator[Shown | Problem]:
        read: list[Unjudged] = []
        for one in files:
            try:
                data = reader.read(one.path, WHOLE)[0]
                read.append(Unjudged(f"{share.home}\0{one.path}", _sign(one), one.path, data))
            except FileNotFoundError:
                continue
            except MemtuiError as error:
                yield Problem(one.path, 0, str(error))

        def hold(number: int, body: bytes) -> None:
            if self._room > len(body):
                self._bodies[share.home, read[number].path] = body
                self._room -= len(body)

        label = build_labelled_home(Path(share.home), share.layout, "").label
        judged = self._judge.judge(read, hold, partial(self._progress, label))
        for file, known in zip(read, judged, strict=True):
            yield Shown(share.home, name, file.path, known.size, known.etag, *known[2:])

    def judge_ahead(self, homes: Iterable[Home], stop: threading.Event) -> None:
        """Work out what of these homes could leave, though nobody shares them yet: whoever does need not wait for it.

        Nothing is sent, and of a text nothing is kept but its hash and the answer.
        """
        for home in homes:
            share = Share(str(home.path), home.layout, "", tuple(layer.value for layer in USUAL))
            layout, root = load_layout(share.layout), Path(share.home)
            if share.home in self._off:
                continue
            with suppress(OSError):
                files = walk(root, partial(layout.role, root), partial(layout.prune, root))
                while not stop.is_set() and (some := list(islice(files, _AHEAD))):
                    for _shown in self._show(share, some):
                        pass
                    self._bodies.clear()
                    self._room = _HELD
                    self._judge.save()
        self.close()

    # -- sending --------------------------------------------------------------------------------------------------

    def push(self, link: Any, saved: Collection[str] | None = None) -> Pushed:
        """Make the server's rows of this machine what may leave now. Raises UnavailableError, RefusedError.

        `saved`: the full paths of what was saved or removed since the last push, where that is known; None, or
        anything among them that is no plain file: everything is looked at.
        """
        if self._linked is not link:
            self._remote, self._linked = None, link
        some = saved is not None and self._remote is not None and self._withheld is not None
        touched = self._find(saved or ()) if some else None
        wanted: dict[tuple[str, str], Shown] = {}
        withheld, away, kept = 0, [], set()
        for share in self.member.shares:
            try:
                for found in self.list_files(share) if touched is None else self._show(share, touched[share]):
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
                looked = (
                    remote
                    if touched is None
                    else [(name_home(share), one.path) for share, files in touched.items() for one in files]
                )
                gone = [key for key in looked if key in remote and key not in wanted and key[0] not in kept]
                sent = size = 0
                for batch in self._batches(new):
                    self._send(link, batch)
                    for one, body in batch:
                        remote[one.name, one.path] = compute_etag(body)
                        sent, size = sent + 1, size + len(body)
                    self._progress(self.member.team, sent, len(new))
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
            self._judge.save()
        if touched is not None:
            withheld = self._withheld or 0
        self._withheld = None if away else withheld
        return Pushed(sent, len(gone), size, len(remote), withheld, tuple(dict.fromkeys(away)))

    def _find(self, saved: Collection[str]) -> dict[Share, list[FoundFile]] | None:
        """The files of memories among what was saved; None: only a look at everything says what is shared now."""
        found: dict[Share, list[FoundFile]] = {share: [] for share in self.member.shares}
        for full in saved:
            shares = [share for share in found if full.startswith(share.home + os.sep)]
            if not shares:
                return None
            for share in shares:
                layout, root = load_layout(share.layout), Path(share.home)
                path = full[len(share.home) + 1 :].replace(os.sep, "/")
                parts = path.split("/")
                folders = ["/".join(parts[:count]) for count in range(1, len(parts))]
                role = layout.role(root, path)
                if role is None or share.home in self._off:
                    continue
                if any(map(is_never_entered, parts[:-1])) or any(layout.prune(root, one) for one in folders):
                    continue
                try:
                    split_home_path(path)
                    status = os.lstat(full)
                except (OSError, MemtuiError):
                    # A file that is gone may be the first of a home that goes.
                    return None
                if not stat.S_ISREG(status.st_mode) or len(parts) > DEPTH:
                    return None
                found[share].append(build_file_state(path, status, role))
        return found

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
                        body = self._judge.prepare(one.path, readers[one.home].read(one.path, WHOLE)[0])
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
        # One statement, one journey: its trigger takes the team's counter before any row.
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


def _sign(file: FoundFile) -> tuple[int, ...]:
    return (file.mtime_ns, file.size, file.ino, file.ctime_ns)


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
