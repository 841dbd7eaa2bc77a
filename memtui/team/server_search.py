"""Homes too large to copy: the server is asked for what their owners' machines sent of them (`chunks`).

It answers with the texts of a bounded first page, the newest places of each word and, where it has vectors of the
model that made the query's, the nearest; they are ranked beside everything else, by the same code. A server that is
away, or slow, is left out of the answer, which says so.

Threads: one a team while its server is asked, which alone uses that connection.
"""

from __future__ import annotations

import json
import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.errors import MemtuiError, RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.core.model import PERISHABLE, Home, HomeOrigin, Layer, Level, Status
from memtui.core.startup import compile_pattern
from memtui.fs.locks import hold_lock
from memtui.index.filters import matches_filter
from memtui.layouts.discovery import UNMIRRORED, split_mirror_name
from memtui.search.candidate import Pool, SearchCandidate, Spread
from memtui.search.terms import stem_text
from memtui.team.membership import (
    connect_member,
    find_exchange_lock,
    load_cursor,
    load_driver,
    load_memberships,
    load_unmirrored,
    stamp_memberships,
    translate_server_errors,
)
from memtui.team.pull import Mirror
from memtui.vectors import models

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.core.config import VectorConfig
    from memtui.core.model import Filter
    from memtui.search.query import Query
    from memtui.team.membership import Membership, Unmirrored

PATIENCE = 0.3
"""Seconds that a search waits for a server."""
_FIRST = 0.7
"""Seconds more while there is no connection yet."""
_AGAIN = 5.0
"""Seconds until a server that did not answer is asked again."""
_SLOW = 60.0
"""Seconds in which a server is asked for words alone that took too long to compare a home's vectors."""
_WORDS = 16
"""Words of a query that a server is asked for; all of them are weighed."""
_SURE = 2000
"""Places of a word that the server counts."""
_LONGEST_TOKEN = 200
_ASKED = compile_pattern(r'"([^"]*)"( \*)?')


class Beyond:
    """What stands beyond this machine's copies, for searches: homes that only a team's server holds."""

    def __init__(self, settings: VectorConfig) -> None:
        """`settings`: of the model that a query's vector is of."""
        self._servers: dict[str, _Server] = {}
        self._stamp = -1
        self._settings = settings
        for server in self._list():
            server.begin(None)

    def close(self) -> None:
        """Let go of the connections."""
        for server in self._servers.values():
            server.close()

    def _list(self) -> list[_Server]:
        if (stamp := stamp_memberships()) != self._stamp:
            self._stamp, before = stamp, self._servers
            self._servers = {}
            for member in load_memberships():
                held = before.pop(member.team, None)
                same = held is not None and held.member == member
                self._servers[member.team] = held if held is not None and same else _Server(member)
                if held is not None and not same:
                    held.close()
            for held in before.values():
                held.close()
        return [server for server in self._servers.values() if server.homes()]

    def list_homes(self) -> list[Home]:
        """Those homes, whether or not a file of them was brought."""
        return [home for server in self._list() for home, _one in server.homes()]

    def ask(
        self, query: Query, wanted: Filter, depth: int, embed: Callable[[], Any] | None, *, words: bool
    ) -> Callable[[], list[Pool]]:
        """Begin to ask, beside what else is searched; what is called later waits for a moment, and no longer."""
        until = time.monotonic() + PATIENCE
        asked = []
        questions = list_questions(query) if words else []
        for server in self._list():
            homes = [(h, one) for h, one in server.homes() if not wanted.homes or str(h.path) in wanted.homes]
            meant = embed if any(one.meant > 0 for _home, one in homes) else None
            if homes and (questions or meant is not None):
                numbers = [one.id for _home, one in homes]
                question = ServerQuestion(numbers, questions, depth, meant, self._settings)
                asked.append((server, homes, server.begin(question)))
        return lambda: [pool for one in asked for pool in _collect(*one, query, wanted, until)]

    def bring(self, home: str, path: str) -> bool:
        """Write one file of such a home into the copies, as a pull would; whether it is there now.

        Raises UnavailableError, RefusedError, LockedError.
        """
        for server in self._list():
            if any(str(one.path) == home for one, _about in server.homes()):
                return fetch_file(server.member, os.path.relpath(home, os.path.realpath(server.member.mirror)), path)
        return False


class ServerQuestion(NamedTuple):
    """What one server is asked."""

    homes: Sequence[int]
    """By their numbers there."""
    words: Sequence[str]
    depth: int
    embed: Callable[[], Any] | None
    """Gives the query's vector; None: words are all that is asked."""
    settings: VectorConfig


Answer = tuple[list[Any], str]
"""Rows, and why there are none."""


class _Server:
    """One team's, and the connection to it."""

    def __init__(self, member: Membership) -> None:
        self.member = member
        self._link: Any = None
        self._using = threading.Lock()
        self._failed = 0.0
        self._why = ""
        self._slow = 0.0
        """When it last took too long to compare all of a home."""
        self._stamp: object = None
        self._homes: list[tuple[Home, Unmirrored]] = []

    def close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            with suppress(Exception):
                link.close()

    def homes(self) -> list[tuple[Home, Unmirrored]]:
        """Its homes that are not copied, as copies would be called."""
        try:
            stamp: object = (self.member.mirror / UNMIRRORED).stat().st_mtime_ns
        except OSError:
            stamp = None
        if stamp != self._stamp:
            self._stamp, self._homes = stamp, []
            cursor = load_cursor(self.member)
            for one in load_unmirrored(self.member) if stamp else ():
                found = split_mirror_name(one.folder)
                if found is not None:
                    origin = HomeOrigin(
                        found.owner, found.machine, self.member.team, cursor.at or None, bool(cursor.error),
                        found.owner == self.member.who,
                    )  # fmt: skip
                    path = Path(os.path.realpath(self.member.mirror), *one.folder.split("/"))
                    label = f"{found.label} {origin.told}"
                    home = Home(path, found.layout, f"shared by {origin.told}", label, writable=False, origin=origin)
                    self._homes.append((home, one))
        return self._homes

    def begin(self, question: ServerQuestion | None) -> Callable[[float], Answer]:
        """Ask on a thread, or only connect; what it answered by a moment."""
        if self._failed and time.monotonic() - self._failed < _AGAIN:
            return lambda _until: ([], self._why)
        answer: list[Answer] = []
        later = 0.0 if self._link is not None else _FIRST

        def work() -> None:
            try:
                with self._using:
                    rows = self._ask(question)
                answer.append((rows, ""))
            except MemtuiError as error:
                self._failed, self._why = time.monotonic(), str(error)
                answer.append(([], str(error)))

        thread = threading.Thread(target=work, name=f"memtui-{self.member.team}-search", daemon=True)
        thread.start()

        def wait(until: float) -> Answer:
            thread.join(max(0.0, until + later - time.monotonic()))
            return answer[0] if answer else ([], _("it takes longer than a search waits"))

        return wait

    def _ask(self, question: ServerQuestion | None) -> list[Any]:
        if self._link is None or self._link.closed:
            link = connect_member(self.member)
            with translate_server_errors():
                link.execute(f"SET statement_timeout = {round(1000 * PATIENCE)}")
            self._link = link
        if question is None:
            return []
        meant = None
        if question.embed is not None and not (self._slow and time.monotonic() - self._slow < _SLOW):
            model = models.identify_model(question.settings)
            meant = question.embed() if model else None
        if meant is None and not question.words:
            return []
        function, given = "search_chunks(%s::bigint[], %s::text[], %s)", []
        if meant is not None:
            function = "search_meaning(%s::bigint[], %s::text[], %s, %s, %s)"
            given = [model, str(meant.tolist())]
        sql = f"SELECT * FROM memtui.{function}"
        try:
            with translate_server_errors():
                asked = [question.homes, question.words, question.depth, *given]
                found: list[Any] = self._link.execute(sql, asked, binary=True).fetchall()
                return found
        except (UnavailableError, RefusedError) as error:
            self.close()
            if meant is not None and isinstance(error.__cause__, load_driver().errors.QueryCanceled):
                # Words are found sooner; by and by the server has in memory what it reads.
                self._slow = time.monotonic()
            raise


def render_question(fts: str) -> str:
    """An expression of a term, as FTS5 has it, as the server reads it; empty: nothing is left of it."""
    ways = []
    for phrase, begun in _ASKED.findall(fts):
        tokens = [one[:_LONGEST_TOKEN] for one in stem_text(phrase) if "'" not in one and "\\" not in one]
        if tokens:
            ways.append(" <-> ".join(f"'{token}'" for token in tokens) + (":*" if begun else ""))
    return " | ".join(f"({way})" for way in dict.fromkeys(ways))


def list_questions(query: Query) -> list[str]:
    """What the server is asked for: all that is demanded, or all words together, and each of them."""
    strong = [term for term in query.terms if term.fts and not term.faint] or [t for t in query.terms if t.fts]
    if query.required:
        strong = query.required
    words = list(filter(None, (render_question(term.fts) for term in strong[:_WORDS])))
    together = [" & ".join(f"({word})" for word in words)] if len(words) > 1 else []
    return together if query.required and together else [*together, *words]


def _collect(
    server: _Server,
    homes: list[tuple[Home, Unmirrored]],
    wait: Callable[[float], Answer],
    query: Query,
    wanted: Filter,
    until: float,
) -> list[Pool]:
    """What a server answered, as the homes' candidates."""
    rows, why = wait(until)
    pools = {one.id: Pool(one.chunks, backend="server") for _home, one in homes}
    named = {one.id: home for home, one in homes}
    now = clock.now()
    for home, path, number, about, told, raw, held, *meant in rows:
        pool = pools.get(home)
        if pool is None:
            continue
        pool.more = pool.more or max(held or [0]) >= _SURE
        near, spread = meant or (None, (None, 0.0, 0.0))
        if spread[0] and spread[1] is not None:
            pool.meant, pool.spread = int(spread[0]), Spread(spread[1], spread[2])
        if os.path.lexists(named[home].path / path):
            # It was brought, and is searched here.
            continue
        with suppress(ValueError, TypeError, AttributeError):
            candidate = _make_candidate(named[home], path, number, json.loads(about), told, raw, wanted, now)
            if candidate is None:
                continue
            candidate.cosine = near
            if wanted.statuses and candidate.status not in wanted.statuses:
                pool.hidden[candidate.status] = pool.hidden.get(candidate.status, 0) + 1
                continue
            pool.candidates.append(candidate)
            pool.total += 1
    if why:
        missing = ", ".join(home.label for home, _one in homes)
        told_why = _("{homes}: not searched, only the team's server holds it: {reason}")
        next(iter(pools.values())).warning = told_why.format(homes=missing, reason=why.rstrip("."))
    return list(pools.values())


def _make_candidate(
    home: Home, path: str, number: int, about: Any, told: str | None, raw: Any, wanted: Filter, now: float
) -> SearchCandidate | None:
    """One row as a candidate; None: the filter leaves it out. Raises ValueError, TypeError for what is none."""
    line, last, layer, kind, status, moment, expires, heading, level, reach, turn, tags, session = about
    standing = Status(status)
    if expires is not None and expires <= now and standing in PERISHABLE:
        standing = Status.EXPIRED
    one = SearchCandidate(
        home, path, int(line), int(last), Layer(layer), str(kind), standing, moment, str(heading),
        prose=told is None, order=number,
    )  # fmt: skip
    one.turn, one.level, one.memory, one.reach = int(turn), Level(level), number, int(reach)
    passes = matches_filter(
        wanted._replace(statuses=frozenset()), layer=one.layer, kind=one.kind, path=path, status=standing,
        moment=moment, tags=tuple(map(str, tags)), session=str(session), expires=expires,
    )  # fmt: skip
    if not passes:
        return None
    if told is None:
        one.fill(bytes(raw or b"").decode("utf-8", "replace"), None)
    else:
        shown, searched = json.loads(told)
        one.fill(str(shown), str(searched))
    one.trim()
    return one


def fetch_file(member: Membership, folder: str, path: str) -> bool:
    """One file of a home that is not copied, written among the copies; whether the server has it."""
    person, _slash, home = folder.replace(os.sep, "/").partition("/")
    owner, _at, machine = person.partition("@")
    with hold_lock(find_exchange_lock(member), 2.0):
        link = connect_member(member)
        try:
            with translate_server_errors():
                row = link.execute(
                    """SELECT body FROM memtui.file WHERE team = %s AND owner = %s AND machine = %s AND home = %s
                    AND path = %s AND NOT gone""",
                    [member.team, owner, machine, home, path],
                    binary=True,
                ).fetchone()
        finally:
            link.close()
        if row is None:
            return False
        mirror = Mirror(member)
        try:
            return mirror.bring(owner, machine, home, path, bytes(row[0]))
        finally:
            mirror.close()
