"""The threads behind the screen: those that read from the vault, and the one that writes.

`LatestOnlyExecutor`: of each group one question runs and the newest waits. Textual's own thread workers run
every question to its end, in turn; here a newer question replaces the one that waits in its group, never the
one that runs, so that homes that change all the time starve nobody. The visible view goes first, and one thread
is kept free for it. The threads are daemons: leaving the app waits for no disk.

`SerialExecutor`: writes in the order in which they were decided. None is overtaken or dropped, even if somebody
leaves meanwhile. The screen waits for none of it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from memtui.core.errors import MemtuiError
from memtui.core.locale import _

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

T = TypeVar("T")

FRONT, BETWEEN, BEHIND = range(3)
"""The visible view's questions; what a person asked for beside it; what nobody looks at, or what takes long."""


class _Question(NamedTuple):
    group: Hashable
    key: Hashable
    job: Callable[[Callable[[], bool]], Any]
    then: Callable[[Any], None]
    behind: bool
    done: threading.Event
    answer: list[Callable[[], None]]
    """What shows the answer, taken by whoever comes first: the asker who waits a little, or the message."""


class LatestOnlyExecutor:
    """A few threads and the questions they are asked, by group."""

    def __init__(
        self,
        deliver: Callable[[Callable[[], None]], object],
        failed: Callable[[str], None],
        threads: int = 3,
        views: frozenset[str] = frozenset(),
    ) -> None:
        """`deliver` runs a function on the screen's thread; `failed` shows a sentence (called there too).

        A group whose first part is one of the `views` belongs to that view.
        """
        self._deliver = deliver
        self._failed = failed
        self._views = views
        self._front = ""
        self._waiting: OrderedDict[Hashable, _Question] = OrderedDict()
        self._running: dict[Hashable, _Question] = {}
        self._last: dict[Hashable, _Question] = {}
        """By group: what was asked last. An answer to anything that has another key is not shown."""
        self._shown: dict[Hashable, _Question] = {}
        """By group: whose answer stands there. It may have more to say (`later`) until something else is asked."""
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
        key: Hashable = None,
        behind: bool = False,
        patience: float = 0.0,
    ) -> None:
        """Run `job(cancelled)` on a thread, then `then(answer)` on the screen's.

        Questions of a group with the same `key` are one question, asked again because the homes have changed: the one
        that runs goes on to its end and is shown. With another key, or with none, what was asked before is not wanted
        any more: a job that runs is told by `cancelled`, and its answer dropped. `behind`: it takes long, and whatever
        somebody waits for goes first. With `patience` (seconds) the answer is waited for that long and shown at once
        when it comes in time: the first frame has its rows, and no disk can hold it up.
        """
        key = object() if key is None else key
        question = _Question(group, key, job, then, behind, threading.Event(), [])
        with self._condition:
            self._last[group] = question
            if group in self._shown and self._shown[group].key != key:
                del self._shown[group]
            # One that waited keeps its turn, however often it is asked anew.
            self._waiting[group] = question
            if len(self._threads) < self._count and len(self._running) + len(self._waiting) > len(self._threads):
                thread = threading.Thread(target=self._work, name="memtui-reader", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._condition.notify_all()
        if patience and question.done.wait(patience):
            self._show(question)

    def forget(self, group: Hashable) -> None:
        """Nobody waits for this group's answer any more."""
        with self._condition:
            self._last.pop(group, None)
            self._shown.pop(group, None)
            self._waiting.pop(group, None)

    def bring_forward(self, view: str) -> None:
        """What this view asks goes before everything else from now on."""
        with self._condition:
            self._front = view
            self._condition.notify_all()

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

    # -- on the threads -----------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._condition:
                while (question := self._take()) is None and not self._closed:
                    self._condition.wait()
                if question is None or self._closed:
                    return
                self._running[question.group] = question
            self._run(question)

    def _take(self) -> _Question | None:
        """The question to run next, if there is one that may run now."""
        crowded = sum(self._rank(other) == BEHIND for other in self._running.values()) >= max(1, self._count - 1)
        able = (
            question
            for group, question in self._waiting.items()
            if group not in self._running and not (crowded and self._rank(question) == BEHIND)
        )
        question = min(able, key=self._rank, default=None)
        return None if question is None else self._waiting.pop(question.group)

    def _rank(self, question: _Question) -> int:
        view = question.group[0] if isinstance(question.group, tuple) else ""
        if question.behind or (view in self._views and view != self._front):
            return BEHIND
        return FRONT if view in self._views else BETWEEN

    def _run(self, question: _Question) -> None:
        def cancelled() -> bool:
            answered = self._shown.get(question.group) is question
            return self._closed or (self._is_unwanted(question) and not answered)

        try:
            answer = question.job(cancelled)
            show = lambda: question.then(answer)  # noqa: E731
        except MemtuiError as error:
            sentence = str(error)
            show = lambda: self._failed(sentence)  # noqa: E731
        except Exception as error:  # raised again where the app catches it: a fault must not end the thread
            fault = error

            def show() -> None:
                self._deliver(lambda: _raise(fault))

        with self._condition:
            question.answer.append(show)
            wanted = not cancelled()
        question.done.set()
        try:
            if wanted:
                self._deliver(lambda: self._show(question))
        finally:
            # Until its answer is on its way it runs: nobody may find that all is done before.
            with self._condition:
                del self._running[question.group]
                self._condition.notify_all()

    def _show(self, question: _Question) -> None:
        with self._condition:
            if self._closed or self._is_unwanted(question) or not question.answer:
                return
            show = question.answer.pop()
            self._shown[question.group] = question
            if self._last[question.group] is question:
                del self._last[question.group]
        show()

    def _is_unwanted(self, question: _Question) -> bool:
        """Whether the group was forgotten, or asked something else."""
        last = self._last.get(question.group)
        return last is None or last.key != question.key


def _raise(error: Exception) -> None:
    raise error


PATIENCE = 10.0
"""Seconds that leaving waits for what is still being written."""


class _Decided(NamedTuple):
    job: Callable[[], Any]
    then: Callable[[Any], None]
    failed: Callable[[MemtuiError], None]


class SerialExecutor:
    """One thread, made with the first write."""

    def __init__(self, deliver: Callable[[Callable[[], None]], object]) -> None:
        """`deliver` runs a function on the screen's thread."""
        self._deliver = deliver
        self._waiting: deque[_Decided] = deque()
        self._condition = threading.Condition()
        self._busy = self._closed = False
        self._thread: threading.Thread | None = None

    def write(self, job: Callable[[], T], then: Callable[[T], None], failed: Callable[[MemtuiError], None]) -> None:
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
            show = self._carry_out(decided)
            try:
                if not self._closed:
                    self._deliver(show)
            finally:
                with self._condition:
                    self._busy = False

    @staticmethod
    def _carry_out(decided: _Decided) -> Callable[[], None]:
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
