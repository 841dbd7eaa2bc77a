"""The power fails: what was not yet made durable may be gone, in any mixture; nothing acknowledged is (F2).

A writer runs under `strace`, which writes down each call that changes a disk. The list is played again up to a moment,
on a disk that keeps what was asked to be kept (fsync of a file: its bytes; of a directory: its names) and of the rest
a part that chance chooses: some names, some of the writes, the last of them cut. The vault opens what is left. What
was never acknowledged may be there in part, and its temporary file too; directories stand once they are made.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from memtui.fs.places import state
from tests.faults.kills import Log, check, step, version
from tests.faults.scene import DAILY, RECORDS, Count, Scene, scene

STEPS = 30
"""Writes of one scene."""
_CALLS = "openat,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,unlink,unlinkat,ftruncate"
_CALL = re.compile(rb"^\d+ +(\w+)\((.*)\) += (\d+)(?:<([^>]*)>)?$")
_TEXT = re.compile(rb'(?:(AT_FDCWD|\d+)<([^>]*)>)?(?:, )?"((?:\\x[0-9a-f]{2})*)"')
_HEX = re.compile(rb"\\x([0-9a-f]{2})")


class Call(NamedTuple):
    """One call that changed something below the scene's directory, with the absolute paths that it names."""

    name: str
    paths: tuple[str, ...]
    data: bytes
    flags: str


def _plain(hexed: bytes) -> bytes:
    return bytes.fromhex(b"".join(_HEX.findall(hexed)).decode())


def _read(trace: Path, root: str) -> list[Call]:
    calls = []
    unfinished: dict[bytes, bytes] = {}
    for raw in trace.read_bytes().split(b"\n"):
        line = raw
        who = line.split(b" ", 1)[0]
        if line.endswith(b" <unfinished ...>"):
            unfinished[who] = line.removesuffix(b" <unfinished ...>")
            continue
        if b" resumed>" in line:
            line = unfinished.pop(who, b"") + line.partition(b" resumed>")[2]
        match = _CALL.match(line)
        if match is None:
            continue
        name, given = match[1].decode(), match[2]
        held = re.match(rb"\d+<([^>]*)>", given)
        data, paths = b"", []
        if name in {"write", "pwrite64", "fsync", "fdatasync", "ftruncate"}:
            if held is None:
                continue
            paths = [_plain(held[1]).decode()]
            texts = _TEXT.search(given)
            if texts is not None and "write" in name:
                data = _plain(texts[3])[: int(match[3])]
            elif name == "ftruncate":
                data = given.rpartition(b", ")[2]
        else:
            paths = [
                os.path.join(_plain(one[2] or b"").decode(), _plain(one[3]).decode()) for one in _TEXT.finditer(given)
            ]
        if paths and all(path.startswith(root) for path in paths):
            calls.append(Call(name, tuple(paths), data, given.decode("ascii", "replace")[-80:]))
    return calls


class _File:
    def __init__(self, data: bytes = b"") -> None:
        self.durable, self.live = data, data
        self.pending: list[bytes] = []
        """What it held after each call since."""


Names = dict[str, _File | None]


class Disk:
    """What is on it, what of that would be there after a cut, and what might be."""

    def __init__(self, root: str) -> None:
        self.durable: Names = {}
        self.live: Names = {}
        self.pending: dict[str, list[Names]] = {}
        """By directory: what each call since its fsync made of names."""
        for place, _inner, files in os.walk(root):
            for name in files:
                path = os.path.join(place, name)
                self.live[path] = _File(Path(path).read_bytes())
        self.durable.update(self.live)

    def take(self, call: Call) -> None:
        """One call more."""
        at = call.paths[0]
        file = self.live.get(at)
        if call.name == "openat":
            if "O_CREAT" in call.flags and file is None:
                self._name(at, {at: _File()})
            elif "O_TRUNC" in call.flags and file is not None:
                self._hold(file, b"")
        elif call.name in {"write", "pwrite64"} and file is not None:
            # All of ours append, or write a new file from its beginning to its end.
            self._hold(file, file.live + call.data)
        elif call.name == "ftruncate" and file is not None:
            self._hold(file, file.live[: int(call.data)].ljust(int(call.data), b"\0"))
        elif call.name in {"fsync", "fdatasync"}:
            if file is not None:
                file.durable, file.pending = file.live, []
            else:
                for names in self.pending.pop(at, ()):
                    self.durable.update(names)
        elif call.name.startswith("rename") and file is not None:
            to = call.paths[1]
            self._name(to, {at: self.live.get(to) if "EXCHANGE" in call.flags else None, to: file})
        elif call.name.startswith("link") and file is not None:
            self._name(call.paths[1], {call.paths[1]: file})
        elif call.name.startswith("unlink"):
            self._name(at, {at: None})

    def _name(self, path: str, names: Names) -> None:
        self.live.update(names)
        self.pending.setdefault(os.path.dirname(path), []).append(names)

    def _hold(self, file: _File, data: bytes) -> None:
        file.live = data
        file.pending.append(data)

    def cut(self, chance: random.Random) -> dict[str, bytes]:
        """What the files hold once the power is back."""
        names = dict(self.durable)
        for made in self.pending.values():
            # A journalling file system keeps the order; what the standard promises is less.
            kept = made[: chance.randint(0, len(made))] if chance.random() < 0.5 else made
            for one in kept:
                if kept is not made or chance.random() < 0.5:
                    names.update(one)
        found = {}
        for path, file in names.items():
            if file is not None:
                states = [file.durable, *file.pending]
                last = states[chance.randrange(len(states))]
                shorter = last[: len(last) - chance.randint(0, max(0, len(last) - len(file.durable)))]
                found[path] = shorter if file.pending and chance.random() < 0.5 else last
        return found


def _write(seed: int) -> None:
    place = Scene(Path(os.environ["HOME"]) / "home", Path(os.environ["HOME"]) / "log")
    with place.vault() as vault:
        log, chance = Log(place), random.Random(seed)
        for _number in range(STEPS):
            step(vault, str(vault.homes[0].path), log, chance)


def _played(place: Scene, calls: list[Call], disk: Disk, times: int, chance: random.Random) -> Counter[str]:
    wrong: Counter[str] = Counter()
    log = str(place.log)
    said = b""
    moments = sorted(chance.choices(range(len(calls)), k=times))
    for number, call in enumerate(calls):
        if call.paths[0] == log:
            said += call.data
        else:
            disk.take(call)
        while moments and moments[0] == number:
            moments.pop(0)
            for root in (place.home, state()):
                shutil.rmtree(root, ignore_errors=True)
            for directory in ("user", "daily", "sessions"):
                (place.home / directory).mkdir(parents=True, exist_ok=True)
            for path, data in disk.cut(chance).items():
                os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
                Path(path).write_bytes(data)
            place.log.write_bytes(said)
            with place.vault():
                kept = Log(place)
                wrong += check(place, kept)
                if kept.begun - kept.acked:
                    # What nobody was told of may stand in part: a line without its end, one file of a group.
                    whole = [(place.home / path).read_bytes() for path in (DAILY, RECORDS)]
                    wrong["torn"] -= sum(not data.endswith(b"\n") for data in whole if data)
    return wrong


def power(times: int, seed: int = 1) -> Count:
    """Cut the power that many times."""
    row = "the power fails: what was not made durable is gone, in part or whole"
    kinds = ("torn", "acknowledged lost", "written twice")
    if shutil.which("strace") is None:
        return Count(row, "0 cuts", {}, "not run: it needs strace")
    wrong: Counter[str] = Counter()
    chance = random.Random(seed)
    cuts = 0
    while cuts < times:
        with scene() as place:
            (place.home / "MEMORY.md").write_bytes(version(0))
            root = str(place.home.parent)
            disk, trace = Disk(root), place.home.parent / "cache.trace"
            inner = [sys.executable, "-m", "tests.faults.power", str(seed + cuts)]
            strace = ["strace", "-f", "-y", "-xx", "-s", "400000", "-o", str(trace), "-e", f"trace={_CALLS}"]
            done = subprocess.run([*strace, *inner], check=False, capture_output=True)
            if done.returncode:
                wrong["writers that failed"] += 1
                return Count(row, f"{cuts} cuts", {"writers that failed": 1}, done.stderr.decode()[-400:])
            skipped = (str(trace), os.path.join(root, "cache"))
            calls = [one for one in _read(trace, root) if not one.paths[0].startswith(skipped)]
            few = min(100, times - cuts)
            wrong += _played(place, calls, disk, few, chance)
            cuts += few
    return Count(row, f"{times:,} cuts", {kind: wrong[kind] for kind in kinds})


if __name__ == "__main__":
    _write(int(sys.argv[1]))
