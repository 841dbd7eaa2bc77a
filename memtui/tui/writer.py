"""The thread that writes: one thing after the other, in the order in which they were decided, each to its end.

Unlike a reader's question a write is never overtaken and never dropped: what was decided is done, even if somebody
leaves meanwhile. The screen waits for none of it.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from memtui.errors import MemtuiError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

PATIENCE = 10.0
"""Seconds that leaving waits for what is still being written."""


class _Decided(NamedTuple):
    job: Callable[[], Any]
    then: Callable[[Any], None]
    failed: Callable[[MemtuiError], None]


class Writer:
    """One thread, made with the first write."""

    def __init__(self, deliver: Callable[[Callable[[], None]], object]) -> None:
        """`deliver` runs a function on the screen's thread."""
        self._deliver = deliver
        self._waiting: deque[_Decided] = deque()
        self._condition = threading.Condition()
        self._busy = self._closed = False
        self._thread: threading.Thread | None = None

    def write(
        self, job: Callable[[], T], then: Callable[[T], None], failed: Callable[[MemtuiError], None]
    ) -> None:
        """Run `job` when its turn comes, then `then(answer)` or `failed(error)` on the screen's thread."""
        with self._condition:
            self._waiting.append(_Decided(job, then, failed))
            if self._thread is None:
                # Not a daemon's business to be cut off in the middle: leaving waits for it, though not for ever.
                self._thread = threading.Thread(target=self._work, name="memtui-writer", daemon=True)
                self._thread.start()
            self._condition.notify_all()

    @property
    def idle(self) -> bool:
        """Whether all that was decided is done."""
        with self._condition:
            return not self._waiting and not self._busy

    def close(self, patience: float = PATIENCE) -> bool:
        """Finish what was decided, then stop; False where that takes longer than one waits."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join(patience)
        return self._thread is None or not self._thread.is_alive()

    def _work(self) -> None:
        while True:
            with self._condition:
                while not self._waiting and not self._closed:
                    self._condition.wait()
                if not self._waiting:
                    return
                decided = self._waiting.popleft()
                self._busy = True
            show = self._done(decided)
            with self._condition:
                self._busy = False
                closed = self._closed
            if not closed:
                self._deliver(show)

    @staticmethod
    def _done(decided: _Decided) -> Callable[[], None]:
        try:
            answer = decided.job()
        except MemtuiError as error:
            told = error
        except Exception as error:  # a mistake of ours must not take the screen, nor the next write, away
            fault = error

            def show() -> None:
                what = _("Something went wrong inside memtui ({what}).").format(what=type(fault).__name__)
                decided.failed(MemtuiError(what))
                # The app catches it, and keeps it in Health.
                raise fault

            return show
        else:
            return lambda: decided.then(answer)
        return lambda: decided.failed(told)
