"""The processes that read a home for a build, while another writes: what they find comes through pipes, in order.

Reading costs more than twice what SQLite does. So there are two of them where the machine has room for three
processes: they read the blocks by turns, and hand each other the numbers that are free (`rows.BlockShare`).
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
import threading
from contextlib import ExitStack, suppress
from itertools import cycle
from typing import TYPE_CHECKING

from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.fs.files import HomeReader
from memtui.index.rows import BlockShare, iterate_batches
from memtui.index.writer import deduplicate_batch_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from memtui.core.model import Home
    from memtui.index.plan import SyncPlan
    from memtui.index.queries import Index
    from memtui.index.rows import Batch, Numbers

PIPES = 8
"""Batches go into them by turns: what a pipe of the system's holds is too little to read on while a segment of the
full-text index is written."""

MANY = 2000
"""Files from which on a second process that reads pays."""

_FORK = hasattr(os, "fork")


def receive_batches(
    home: Home, plan: SyncPlan, numbers: Numbers, index: Index, alone: bool, behind: bool
) -> Iterator[Batch]:
    """The changed files as batches, from other processes where there may be any; `index` is opened anew then.

    `behind`: an app is open, for which a processor stays free. Raises UnavailableError where a process died.
    """
    if alone or not _FORK or threading.active_count() > 1:
        with HomeReader(home.path) as reader:
            yield from iterate_batches(reader, plan.changed, numbers)
        return
    # SQLite must not be carried over a fork.
    index.db.close()
    count = _count_readers(len(plan.changed), behind)
    batons = [os.pipe() for _ in range(count)]
    groups: list[list[int]] = []
    children: list[int] = []
    for place in range(count):
        pipes = [_open_pipe() for _ in range(PIPES)]
        child = os.fork()
        if not child:
            for receive in (*(receive for receive, _ in pipes), *(one for group in groups for one in group)):
                os.close(receive)
            for number, (receive, send) in enumerate(batons):
                # The end of one is that of all: nobody else may keep its pipes open.
                if number != place:
                    os.close(receive)
                if number != (place + 1) % count:
                    os.close(send)
            share = BlockShare(place, count, batons[place][0], batons[(place + 1) % count][1])
            if behind:
                # The process that writes does not: it would keep the lock for longer.
                os.nice(5)
            _read_on([send for _, send in pipes], home, plan, numbers, share, helping=not behind)
        for _receive, send in pipes:
            os.close(send)
        groups.append([receive for receive, _ in pipes])
        children.append(child)
    for baton in batons:
        for end in baton:
            os.close(end)
    # The other processes have the list now; here it would only take memory.
    plan.changed.clear()
    index.reopen()
    try:
        with ExitStack() as stack:
            files = [
                cycle([stack.enter_context(os.fdopen(one, "rb", buffering=1 << 20)) for one in group])
                for group in groups
            ]
            yield from _read_by_turns(files)
    finally:
        statuses = [os.waitpid(child, 0)[1] for child in children]
        if any(statuses):
            raise UnavailableError(_("the process that reads the home ended too soon"))


def _read_by_turns(readers: Sequence[Iterator[BinaryIO]]) -> Iterator[Batch]:
    """The batches of each block from the process whose turn it is."""
    for pipes in cycle(readers):
        ended = False
        while not ended:
            pipe = next(pipes)
            length = int.from_bytes(pipe.read(4), "big")
            if not length:
                return
            batch: Batch = marshal.loads(pipe.read(length))
            ended = batch[-1]
            yield batch


def _count_readers(files: int, behind: bool) -> int:
    """How many processes read so many files. A machine with two processors has room for a second one only while no app
    wants one of them."""
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return 2 if files >= MANY and usable > (2 if behind else 1) else 1


def _open_pipe() -> tuple[int, int]:
    """A pipe as deep as one may be without asking the administrator."""
    receive, send = os.pipe()
    if sys.platform == "linux":
        import fcntl

        with suppress(OSError):
            fcntl.fcntl(send, fcntl.F_SETPIPE_SZ, 1 << 20)
    return receive, send


def _count_unread_bytes(pipe: BinaryIO) -> int:
    """How many bytes wait in a pipe for the other process to read them; 0 where the system does not say."""
    try:
        import termios
        from fcntl import ioctl

        return int.from_bytes(ioctl(pipe.fileno(), termios.FIONREAD, bytes(4)), sys.byteorder)
    except (ImportError, OSError):
        return 0


def _read_on(
    pipes: list[int], home: Home, plan: SyncPlan, numbers: Numbers, share: BlockShare, *, helping: bool
) -> None:
    """The other process: never returns, and runs nothing that the first one had planned for its end.

    `helping`: it cuts into words while the writing process has more to do. Where that one's lock is waited for it does
    not, for then each batch would be waited for with the lock held.
    """
    status = 1
    try:
        gc.disable()
        with HomeReader(home.path) as reader, ExitStack() as stack:
            files = [stack.enter_context(os.fdopen(send, "wb")) for send in pipes]
            begins, behind = True, False
            for batch, pipe in zip(iterate_batches(reader, plan.changed, numbers, share), cycle(files), strict=False):
                if begins:
                    # Cutting into words is for whoever has time: a block is read before any of it is sent.
                    behind = helping and all(map(_count_unread_bytes, files))
                begins = batch[-1]
                data = marshal.dumps(deduplicate_batch_words(batch) if behind else batch)
                pipe.write(len(data).to_bytes(4, "big"))
                pipe.write(data)
                pipe.flush()
        status = 0
    except BrokenPipeError:
        status = 0
    finally:
        os._exit(status)
