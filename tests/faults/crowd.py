"""Many processes append at once, and some of them are killed: every acknowledged record is there, once, whole (F5)."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from memtui.core.edits import Append
from memtui.core.errors import LockedError
from tests.faults.scene import RECORDS, Count, scene, warm

if TYPE_CHECKING:
    from pathlib import Path

    from tests.faults.scene import Scene

WRITERS = 8
SIZES = (140, 18_000, 60_000)
PAUSE = 0.7
"""Seconds between two kills, on average."""


def _record(writer: int, number: int, size: int) -> str:
    beginning = f'{{"id": "{writer}-{number}", "content": "'
    return f'{beginning}{"z" * (size - len(beginning) - 2)}"}}'


def _acked(log: Path) -> list[int]:
    """The numbers that a writer was told are written."""
    return [int(line) for line in log.read_text().splitlines()] if log.exists() else []


def _write(place: Scene, writer: int, records: int, size: int) -> None:
    """Append what is left to append of one writer's records."""
    log = place.log / str(writer)
    done = set(_acked(log))
    with place.vault() as vault, open(log, "ab", buffering=0) as acks:
        home = str(vault.homes[0].path)
        left = sorted(set(range(records)) - done)
        # Killed before it was told: like anybody who was, it looks whether its record is there.
        if left and _record(writer, left[0], size).encode() in (place.home / RECORDS).read_bytes():
            acks.write(f"{left.pop(0)}\n".encode())
        for number in left:
            while True:
                try:
                    vault.apply([Append(home, RECORDS, _record(writer, number, size))], verb="append")
                    break
                except LockedError:
                    continue
            acks.write(f"{number}\n".encode())


def _started(place: Scene, writer: int, records: int, size: int) -> int:
    child = os.fork()
    if child == 0:
        status = 3
        try:
            _write(place, writer, records, size)
            status = 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(status)
    return child


def _run(place: Scene, records: int, size: int, wrong: Counter[str]) -> int:
    """All writers to their end, killed and started again in between: how many were killed."""
    chance = random.Random(size)
    running = {_started(place, writer, records, size): writer for writer in range(WRITERS)}
    killed = 0
    again = time.monotonic() + PAUSE
    while running:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child in running:
            writer = running.pop(child)
            ended = os.waitstatus_to_exitcode(status)
            if ended == -signal.SIGKILL:
                running[_started(place, writer, records, size)] = writer
            elif ended:
                wrong["writers that failed"] += 1
            continue
        time.sleep(0.002)
        if time.monotonic() > again:
            os.kill(chance.choice(sorted(running)), signal.SIGKILL)
            killed += 1
            again = time.monotonic() + chance.uniform(0.2, PAUSE * 2 - 0.2)
    return killed


def crowd(records: int, size: int) -> Count:
    """Eight writers append so many records each; whatever was acknowledged is looked for."""
    wrong: Counter[str] = Counter()
    warm()
    with scene() as place:
        place.log.mkdir()
        killed = _run(place, records, size, wrong)
        place.vault().close()
        acked = {writer: _acked(place.log / str(writer)) for writer in range(WRITERS)}
        found = Counter((place.home / RECORDS).read_bytes().split(b"\n"))
        found.pop(b"")
        for writer, numbers in acked.items():
            for number in numbers:
                often = found.pop(_record(writer, number, size).encode(), 0)
                wrong["acknowledged lost"] += often == 0
                wrong["written twice"] += often > 1
        # Every writer came to its end, so that every whole record is an acknowledged one.
        wrong["malformed"] += len(found)
        wrong["leftovers"] += len(place.leftovers())
    told = sum(map(len, acked.values()))
    kinds = ("acknowledged lost", "written twice", "malformed", "leftovers", "writers that failed")
    return Count(
        f"{WRITERS} processes append at once, {size:,} bytes each time, one killed now and then",
        f"{told:,} of {WRITERS * records:,}, {killed} kills",
        {kind: wrong[kind] for kind in kinds},
    )
