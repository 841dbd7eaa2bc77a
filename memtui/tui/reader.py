"""Threads that read from the vault while the screen stays quick, and answer with the newest question only.

Textual's own thread workers run every question to its end, in turn; typing ten letters against a slow disk would
mean ten searches. Here a newer question of a group takes the place of one that waits, and tells one that runs.
The threads are daemons: leaving the app waits for no disk.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from memtui.errors import MemtuiError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

T = TypeVar("T")

_log = logging.getLogger(__name__)


class _Question(NamedTuple):
    number: int
    job: Callable[[Callable[[], bool]], Any]
    then: Callable[[Any], None]
    done: threading.Event
    answer: list[Callable[[], None]]
    """What shows the answer, taken by whoever comes first: the asker who waits a little, or the message."""


class Reader:
    """A few threads and the questions they are asked, by group."""

    def __init__(
        self, deliver: Callable[[Callable[[], None]], object], failed: Callable[[str], None], threads: int = 3
    ) -> None:
        """`deliver` runs a function on the screen's thread; `failed` shows a sentence (called there too)."""
        self._deliver = deliver
        self._failed = failed
        self._waiting: OrderedDict[Hashable, _Question] = OrderedDict()
        self._newest: dict[Hashable, int] = {}
        self._running = 0
        self._condition = threading.Condition()
        self._closed = False
        self._count = threads
        self._threads: list[threading.Thread] = []

    def ask(
        self,
        group: Hashable,
        job: Callable[[Callable[[], bool]], T],
        then: Callable[[T], None],
        *,
        patience: float = 0.0,
    ) -> None:
        """Run `job(cancelled)` on a thread, then `then(answer)` on the screen's, unless a newer question was asked.

        With `patience` (seconds) the answer is waited for that long and shown at once when it comes in time: the
        first frame has its rows, and no disk can hold it up.
        """
        with self._condition:
            number = self._newest.get(group, 0) + 1
            self._newest[group] = number
            question = _Question(number, job, then, threading.Event(), [])
            self._waiting.pop(group, None)
            self._waiting[group] = question
            if len(self._threads) < self._count and self._running + len(self._waiting) > len(self._threads):
                thread = threading.Thread(target=self._work, name="memtui-reader", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._condition.notify()
        if patience and question.done.wait(patience):
            self._show(group, question)

    def forget(self, group: Hashable) -> None:
        """Nobody waits for this group's answer any more."""
        with self._condition:
            self._newest[group] = self._newest.get(group, 0) + 1
            self._waiting.pop(group, None)

    def later(self, show: Callable[[], None]) -> None:
        """Run `show` on the screen's thread: for a job that has more to say than its answer."""
        if not self._closed:
            self._deliver(show)

    @property
    def idle(self) -> bool:
        """Whether nothing is asked and nothing runs."""
        with self._condition:
            return not self._waiting and not self._running

    def close(self) -> None:
        """Take no more questions and drop the answers."""
        with self._condition:
            self._closed = True
            self._waiting.clear()
            self._condition.notify_all()

    def _work(self) -> None:
        while True:
            with self._condition:
                while not self._waiting and not self._closed:
                    self._condition.wait()
                if self._closed:
                    return
                group, question = self._waiting.popitem(last=False)
                self._running += 1
            self._run(group, question)

    def _run(self, group: Hashable, question: _Question) -> None:
        def cancelled() -> bool:
            return self._closed or self._newest.get(group) != question.number

        try:
            answer = question.job(cancelled)
            show = lambda: question.then(answer)  # noqa: E731
        except MemtuiError as error:
            sentence = str(error)
            show = lambda: self._failed(sentence)  # noqa: E731
        except Exception as error:  # a reader's fault must not take the screen away
            _log.exception("a reader failed")
            sentence = f"{type(error).__name__}: {error}"
            show = lambda: self._failed(sentence)  # noqa: E731
        with self._condition:
            question.answer.append(show)
            self._running -= 1
            stale = cancelled()
        question.done.set()
        if not stale:
            self._deliver(lambda: self._show(group, question))

    def _show(self, group: Hashable, question: _Question) -> None:
        with self._condition:
            if self._closed or self._newest.get(group) != question.number or not question.answer:
                return
            show = question.answer.pop()
        show()
