"""What waits in Review, as every view knows it: read behind the screen's back, and less what was just decided."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.curation.candidates import Candidate, Queue
    from memtui.tui.context import Context

REST = 4
"""So many times as long as reading took, it is not read again: agents write to their journals all the time."""


SLOW = 0.5
"""Seconds of reading that need no rest."""

MUCH = 20_000
"""Memories above which what waits is worked out when somebody looks at it, and not behind every frame."""

PAUSE = 0.4
"""Seconds after a decision before the queue is read again."""


def read(context: Context) -> Queue:
    """The queue as it is now, on a reader's thread."""
    from memtui.curation import review

    return review.queue(context.vault, context.homes, rejected=context.hidden)


def kept(context: Context) -> object:
    """Changes whenever somebody proposes or decides, this app or another program: no index follows those records."""
    from memtui.curation import decisions, stored

    homes = context.vault.homes
    return decisions.stamp(homes), [stored.stamp(home) for home in homes]


class Waiting:
    """The queue. What somebody decided leaves it at once; it comes back if it could not be written."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self.queue: Queue | None = None
        """None: nobody has looked yet."""
        self.wanted = ""
        """The id of the candidate that Review is to stand on when it is shown."""
        self._changed: list[Callable[[], None]] = []
        self._later: Callable[[float, Callable[[], None]], object] = lambda _seconds, _then: None
        self._stamp: tuple[int, int] | None = None
        self._number = 0
        self._busy = self._settling = False
        self._rested = 0.0
        """When it may be read again."""
        self._kept: object = None
        self._decided: dict[str, int | None] = {}
        """Ids of what was decided -> how often the queue had been asked for when it was written; None: not yet."""

    def start(self, later: Callable[[float, Callable[[], None]], object]) -> None:
        """Look from now on; `later` calls back after some seconds."""
        self._later = later
        self.look()

    def follow(self, changed: Callable[[], None]) -> None:
        """Have `changed` called when it is another queue."""
        self._changed.append(changed)

    @property
    def busy(self) -> bool:
        """Whether it is being read, or will be soon."""
        return self._busy or self._settling

    @property
    def candidates(self) -> list[Candidate]:
        """What waits, less what was decided."""
        found = self.queue.waiting if self.queue is not None else []
        return [candidate for candidate in found if candidate.id not in self._decided]

    def look(self, *, asked: bool = False) -> None:
        """Read it again if anything has changed since. Of very much it is read only where somebody `asked`."""
        if self._busy or self._stamp == self._context.stamp:
            return
        if (early := self._rested - time.monotonic()) > 0:
            if not self._settling:
                self._settling = True
                self._later(early, self._settled)
            return
        self._busy, self._stamp = True, self._context.stamp
        self._number += 1
        number, much = self._number, not asked and self.queue is None

        def job(_cancelled: Callable[[], bool]) -> tuple[Queue | None, float]:
            begun = time.monotonic()
            self._kept = kept(self._context)
            try:
                if much and sum(self._context.vault.counts().values()) > MUCH:
                    return None, 0.0
                return read(self._context), time.monotonic() - begun
            finally:
                self._busy = False

        def show(answer: tuple[Queue | None, float]) -> None:
            found, took = answer
            if found is None:
                self._stamp = None
                return
            self.queue, self._rested = found, time.monotonic() + (took * REST if took > SLOW else 0.0)
            self._decided = {known: at for known, at in self._decided.items() if at is None or at >= number}
            self._tell()
            self.look(asked=asked)

        self._context.reader.ask("waiting", job, show)

    def listen(self) -> None:
        """Look whether another program proposed or decided something since; from time to time."""
        if self.queue is None or self.busy:
            return

        def show(found: object) -> None:
            if found != self._kept and not self.busy:
                self._stamp = None
                self.look()

        self._context.reader.ask("kept", lambda _cancelled: kept(self._context), show)

    def decide(self, ids: Iterable[str]) -> None:
        """These are decided: they are on their way to the disk."""
        self._decided.update(dict.fromkeys(ids))
        self._tell()

    def settle(self, ids: Iterable[str], *, done: bool) -> None:
        """They are written, or could not be and wait again."""
        for known in ids:
            if done:
                self._decided[known] = self._number
            else:
                self._decided.pop(known, None)
        self._tell()
        self.again()

    def again(self, *, rested: bool = False) -> None:
        """Read it again soon: what was decided shows in records of ours that no index follows.

        `rested`: somebody waits for what they have just put there.
        """
        self._stamp = None
        if rested:
            self._rested = 0.0
        if not self._settling:
            self._settling = True
            self._later(PAUSE, self._settled)

    def _settled(self) -> None:
        self._settling = False
        self.look()

    def _tell(self) -> None:
        for changed in self._changed:
            changed()
