"""kill -9 at any moment: no file is torn, nothing that was acknowledged is lost, nothing is left lying about (F1)."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

from memtui.core.edits import Append, Edit, Piece
from memtui.fs import folder
from memtui.fs.write_journal import Journal
from memtui.store.staging import apply_each
from tests.faults.scene import DAILY, RECORDS, Count, Scene, scene, warm

if TYPE_CHECKING:
    from memtui.core.edits import Change, Receipt
    from memtui.store.vault import Vault

EACH = 50
"""Kills of one scene."""
LONGEST = 0.08
"""Seconds that a writer lives at most once it began to write."""
PATIENCE = 30.0
"""Seconds that the first write of a writer may take."""

FILLER = b"".join(b"- line %d of what nobody touches\n" % number for number in range(4000))
_LINE = re.compile(rb"- 2026-02-24T10:12:33Z \[note\] record (\d+) x* end (\d+)")


def version(number: int) -> bytes:
    """MEMORY.md as it is at that version: 130 kB, each byte of it known."""
    return b"# MEMORY %d\n" % number + FILLER + b"- tail\n" * (number % 97) + b"<!-- end %d -->\n" % number


class Log:
    """What was begun (+) and what was acknowledged (=), outside the home, one line each."""

    def __init__(self, place: Scene) -> None:
        self.begun: set[tuple[str, int]] = set()
        self.acked: set[tuple[str, int]] = set()
        self.memory = {0}
        self.next = 1
        lines = place.log.read_text().splitlines() if place.log.exists() else []
        self.ids: set[str] = set()
        for line in lines:
            sign, what, number, *ids = line.split()
            self.ids.update(ids)
            key = (what, int(number))
            self.next = max(self.next, key[1] + 1)
            (self.acked if sign == "=" else self.begun).add(key)
            if what == "memory":
                self.memory = {key[1]} if sign == "=" else self.memory | {key[1]}
        self._path = place.log

    def say(self, sign: str, what: str, number: int, receipt: Receipt | None = None) -> None:
        """Write it down at once."""
        with open(self._path, "ab", buffering=0) as file:
            file.write(f"{sign} {what} {number} {receipt.id if receipt else ''}\n".encode())


def check(place: Scene, log: Log) -> Counter[str]:
    """What is wrong with the home, given what was acknowledged."""
    wrong: Counter[str] = Counter()
    data = (place.home / "MEMORY.md").read_bytes()
    number = int(data[:40].split(b"\n")[0].rpartition(b" ")[2] or -1) if data.startswith(b"# MEMORY ") else -1
    if number < 0 or data != version(number):
        wrong["torn"] += 1
    elif number not in log.memory:
        wrong["acknowledged lost"] += 1
    found: dict[str, Counter[int]] = {"line": Counter(), "record": Counter()}
    for what, path in (("line", DAILY), ("record", RECORDS)):
        lines = (place.home / path).read_bytes().split(b"\n")
        for line in lines[what == "line" : -1]:
            found[what][_number(what, line)] += 1
        wrong["torn"] += found[what].pop(-1, 0) + (lines[-1] != b"")
        wrong["acknowledged lost"] += sum(name == what and key not in found[what] for name, key in log.acked)
        wrong["written twice"] += sum(times > 1 for times in found[what].values())
    for name, key in log.acked:
        there = (place.home / "sessions" / f"{key}.md").exists()
        if name == "new" and not there and ("gone", key) not in log.begun:
            wrong["acknowledged lost"] += 1
        if name == "gone" and there:
            wrong["acknowledged lost"] += 1
    for name, key in log.begun:
        # A group's files: a new one, and a line in each of two that are appended to.
        stands = (place.home / "sessions" / f"{key}.md").exists() if name == "group" else True
        if name == "group" and {key in every for every in found.values()} != {stands}:
            wrong["half of a group"] += 1
        wrong["acknowledged lost"] += (name, key) in log.acked and not stands
    for file in (place.home / "sessions").iterdir():
        if not file.name.startswith(".memtui-") and file.read_bytes() != b"# %s\n" % file.stem.encode() * 50:
            wrong["torn"] += 1
    wrong["acknowledged lost"] += len(log.ids - {record.id for record in Journal().records()})
    wrong["leftovers"] += len(place.leftovers())
    return wrong


def _number(what: str, line: bytes) -> int:
    if what == "line":
        match = _LINE.fullmatch(line)
        return int(match[1]) if match and match[1] == match[2] else -1
    try:
        record = json.loads(line)
        return int(record["id"]) if record["id"] == record["end"] else -1
    except (ValueError, KeyError):
        return -1


def step(vault: Vault, home: str, log: Log, chance: random.Random) -> None:
    """One write, of any kind."""
    number, log.next = log.next, log.next + 1
    kind = chance.random()
    length = chance.choice([40, 400, 400, 4_000, 18_000, 60_000])
    if kind < 0.4:
        log.say("+", "line", number)
        text = f"- 2026-02-24T10:12:33Z [note] record {number} {'x' * length} end {number}"
        done = vault.apply([Append(home, DAILY, text)], verb="append")
        log.say("=", "line", number, done)
    elif kind < 0.6:
        log.say("+", "record", number)
        text = json.dumps({"id": number, "content": "y" * length, "end": number})
        done = vault.apply([Append(home, RECORDS, text)], verb="append")
        log.say("=", "record", number, done)
    elif kind < 0.9:
        base = vault.bytes_of(home, "MEMORY.md") or b""
        new = version(number)
        before = int(base[:40].split(b"\n")[0].rpartition(b" ")[2])
        start, end = base.index(b"\n") + 1, base.index(FILLER) + len(FILLER)
        head, tail = new[: new.index(b"\n") + 1], new[new.index(FILLER) + len(FILLER) :]
        pieces = (Piece(0, start, head), Piece(end, len(base), tail))
        log.say("+", "memory", number)
        done = vault.apply([Edit(home, "MEMORY.md", base, pieces)], verb="edit", confirmed=True)
        log.say("=", "memory", number, done)
        if kind > 0.85:
            log.say("+", "memory", before)
            done = vault.undo(done.id)
            log.say("=", "memory", before, done)
    elif kind < 0.94:
        log.say("+", "group", number)
        parts: list[Change] = [
            Append(home, DAILY, f"- 2026-02-24T10:12:33Z [note] record {number} {'x' * length} end {number}"),
            Append(home, RECORDS, json.dumps({"id": number, "end": number})),
            Edit(home, f"sessions/{number}.md", None, (Piece(0, 0, b"# %d\n" % number * 50),)),
        ]
        receipts, _left = apply_each(vault, parts, lambda stage, part: stage.apply([part], verb="add"))
        log.say("=", "group", number, receipts[0])
    else:
        whole, path = b"# %d\n" % number * 50, f"sessions/{number}.md"
        log.say("+", "new", number)
        done = vault.apply([Edit(home, path, None, (Piece(0, 0, whole),))], verb="add")
        log.say("=", "new", number, done)
        if kind > 0.97:
            log.say("+", "gone", number)
            done = vault.apply([Edit(home, path, whole, (), remove=True)], verb="delete")
            log.say("=", "gone", number, done)


def _live(place: Scene, answer: int, seed: int, *, index: bool) -> None:
    """A process that opens the vault, says what it finds, and writes until it is killed."""
    vault = place.vault(index=index)
    log = Log(place)
    os.write(answer, json.dumps(check(place, log)).encode() + b"\n")
    chance = random.Random(seed)
    while True:
        step(vault, str(vault.homes[0].path), log, chance)


def _await_write(place: Scene, before: int) -> None:
    end = time.monotonic() + PATIENCE
    while _count_acked(place) == before and time.monotonic() < end:
        time.sleep(0.001)


def _count_acked(place: Scene) -> int:
    return place.log.read_bytes().count(b"= ") if place.log.exists() else 0


def _killed(place: Scene, seed: int, chance: random.Random) -> Counter[str]:
    acked = _count_acked(place)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            _live(place, writing, seed, index=seed % 8 == 0)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(3)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        said = answer.readline()
    if said and seed % 2:
        # However late it begins: every other one is killed behind the first write it tells of.
        _await_write(place, acked)
    time.sleep(chance.uniform(0, LONGEST))
    os.kill(child, signal.SIGKILL)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    wrong: Counter[str] = Counter(json.loads(said) if said else {})
    wrong["writers that failed"] += ended != -signal.SIGKILL
    return wrong


def kills(times: int, seed: int = 1) -> Count:
    """Kill a writer that many times; each next one looks at what the last one left."""
    wrong: Counter[str] = Counter(torn=0)
    chance = random.Random(seed)
    acked = 0
    warm()
    for first in range(0, times, EACH):
        with scene() as place:
            (place.home / "MEMORY.md").write_bytes(version(0))
            # Every fourth scene has no exchange, and makes do with hard links.
            folder.AT_ONCE = first // EACH % 4 != 3
            for number in range(first, min(first + EACH, times)):
                wrong += _killed(place, seed + number, chance)
            place.vault().close()
            log = Log(place)
            wrong += check(place, log)
            acked += len(log.ids)
    folder.AT_ONCE = True
    kinds = (
        "torn", "half of a group", "acknowledged lost", "written twice", "leftovers", "writers that failed",
    )  # fmt: skip
    return Count(
        "kill -9 at any moment of a write, append, undo, removal or group of them",
        f"{times:,} kills, {acked:,} writes acknowledged",
        {kind: wrong[kind] for kind in kinds},
    ).with_least(acked, times // 4)
