"""Opening a session's page, from a memory of it or by its id. What takes long to read follows when the page is open."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _
from memtui.sessions.page import SessionPage, called, gathered
from memtui.sessions.pairs import names
from memtui.tui import doings, draw
from memtui.tui.candidates import Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.curation.candidates import Candidate
    from memtui.model import Memory
    from memtui.tui.main import MainScreen
    from memtui.turns import Transcript
    from memtui.vault import Vault

AT_ONCE = 2 << 20
"""Bytes of a transcript that is read before its page opens."""


class Told(NamedTuple):
    """A session as it is read for its page."""

    page: SessionPage
    transcript: Transcript | None
    proposed: tuple[Row, ...] = ()
    """What waits in Review and comes from it."""
    reading: bool = False
    """Its transcript is long, and still to be read."""

    @property
    def source(self) -> Memory:
        """What its turns are read from."""
        return self.page.transcript or self.page.head


def told(
    vault: Vault,
    memory: Memory,
    before: Told | None = None,
    waiting: Iterable[Candidate] = (),
    *,
    at_once: bool = False,
) -> Told:
    """All that is known of a memory's session, now; a transcript that has not changed `before` is not read again.

    `at_once`: a long one is left for later.
    """
    page = gathered(vault, memory)
    own = {name for one in (page.id, page.head.session) for name in names(one)}
    rows = tuple(
        Row(candidate)
        for candidate in waiting
        if any(not own.isdisjoint(names(source.session)) for source in candidate.sources)
    )
    found = Told(page, None, rows)
    if at_once and _bytes(found.source) > AT_ONCE:
        return found._replace(reading=True)
    if before is not None and not before.reading and _stamp(before.source) == _stamp(found.source):
        return found._replace(transcript=before.transcript)
    return found._replace(transcript=vault.turns(found.source))


def _stamp(source: Memory) -> tuple[str, str, float | None]:
    return source.path, source.etag, source.modified


def _bytes(source: Memory) -> int:
    try:
        return os.path.getsize(os.path.join(source.home, source.path))
    except OSError:
        return 0


def of_memory(screen: MainScreen, memory: Memory) -> None:
    """Its session's page, or its file where nothing more is known of the session."""

    def otherwise(_said: str) -> None:
        doings.open_file(screen, memory.home, memory.path, memory.start)

    _open(screen, lambda: memory, 0, otherwise)


def of_id(screen: MainScreen, session: str, line: int = 0) -> None:
    """The page of the session with that id, at a line of its transcript (0: at its beginning)."""
    vault = screen.context.vault

    def otherwise(said: str) -> None:
        screen.say(said or _nowhere(session))

    _open(screen, lambda: called(vault, session), line, otherwise, lambda: _lost(vault, session))


def _lost(vault: Vault, session: str) -> str:
    """Where its summary went, as far as anybody knows."""
    for record in vault.trash():
        if any(session in done.path for done in record.changes):
            said = _(
                "The summary of session {id} is in the trash: `memtui trash restore {write}` brings it back."
            )
            return said.format(id=draw.one_line(session)[:8], write=record.id)
    return _nowhere(session)


def _nowhere(session: str) -> str:
    said = _("No open home has a summary or a transcript of session {id}.")
    return said.format(id=draw.one_line(session))


def _open(
    screen: MainScreen,
    memory: Callable[[], Memory | None],
    line: int,
    otherwise: Callable[[str], None],
    why: Callable[[], str] = str,
) -> None:
    """Its page, or `otherwise` with what `why` says, which is asked on the reader's thread, too."""
    screen.say(_("reading the session …"))
    waiting = screen.context.waiting.candidates

    def job(_cancelled: Callable[[], bool]) -> Told | str:
        found = memory()
        return why() if found is None else told(screen.context.vault, found, None, waiting, at_once=True)

    def done(found: Told | str) -> None:
        from memtui.tui.session_sheet import SessionSheet, laid_out

        screen.say("")
        if isinstance(found, str):
            otherwise(found)
        elif laid_out(found) or found.transcript is not None or found.reading:
            screen.app.push_screen(SessionSheet(found, screen.context.look, screen.pane.words, line))
        else:
            otherwise("")

    screen.reader.ask("open", job, done)
