"""What waits in Review, as every view knows it: read behind the screen's back, and less what was just decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memtui.analysis.analyst import Known
    from memtui.curation.candidates import Candidate, Queue
    from memtui.tui.context import Context

PAUSE = 0.4
"""Seconds after a decision before the queue is read again."""


def read(context: Context) -> Known | None:
    """The queue as it is known now, on a reader's thread; None: nobody has worked it out yet."""
    return context.analyst.load_queue(context.homes, rejected=context.hidden)


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
        """None: nobody has worked it out yet."""
        self.total = 0
        """Of what waits, with what is not listed."""
        self.refused = 0
        """Facts that were not proposed."""
        self.at: float | None = None
        """When it was worked out; None: now."""
        self.wanted = ""
        """The id of the candidate that Review is to stand on when it is shown."""
        self._changed: list[Callable[[], None]] = []
        self._later: Callable[[float, Callable[[], None]], object] = lambda _seconds, _then: None
        self._stamp: object = None
        self._number = 0
        self._busy = self._settling = False
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
        """Whether it is being read or worked out, or will be soon."""
        return self._busy or self._settling or self._context.analyst.busy

    @property
    def candidates(self) -> list[Candidate]:
        """What waits, less what was decided."""
        found = self.queue.waiting if self.queue is not None else []
        return [candidate for candidate in found if candidate.id not in self._decided]

    @property
    def number(self) -> int:
        """How many wait, those that are not listed among them."""
        found = self.queue.waiting if self.queue is not None else []
        return max(0, self.total - len(found)) + len(self.candidates)

    def look(self) -> None:
        """Read it again if anything has changed since."""
        stamp = (self._context.stamp, self._context.analyst.turns)
        if self._busy or self._stamp == stamp:
            return
        self._busy, self._stamp = True, stamp
        self._number += 1
        number = self._number

        def job(_cancelled: Callable[[], bool]) -> Known | None:
            try:
                self._kept = kept(self._context)
                return read(self._context)
            finally:
                self._busy = False

        def show(found: Known | None) -> None:
            if found is not None:
                self.queue, self.total, self.refused, self.at = found
                self._decided = {
                    known: at for known, at in self._decided.items() if at is None or at >= number
                }
            self._tell()
            self.look()

        self._context.reader.ask("waiting", job, show, key=self._context.serial, behind=True)

    def listen(self) -> None:
        """Look whether another program proposed or decided something since; from time to time."""
        if self.queue is None or self._busy or self._settling:
            return

        def show(found: object) -> None:
            if found != self._kept and not self._busy:
                self._context.analyst.wake(now=True)
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

    def again(self) -> None:
        """Read it again soon: what was decided shows in records of ours that no index follows."""
        self._stamp = None
        self._context.analyst.wake(now=True)
        if not self._settling:
            self._settling = True
            self._later(PAUSE, self._settled)

    def _settled(self) -> None:
        self._settling = False
        self.look()

    def _tell(self) -> None:
        for changed in self._changed:
            changed()
