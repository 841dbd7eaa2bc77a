"""Under an app that is being used: its index breaks (F6), its files come in storms (F7), hours go by (F13)."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.faults.disks import mountable, small_disk
from tests.faults.interface import HANGS, Event, harmless, logged, session
from tests.faults.scene import Count, furnish, scene
from tests.homes import read_files

if TYPE_CHECKING:
    from tests.faults.interface import Session

SOON = 30.0
"""Seconds until what was written must be found, whatever became of the index."""

LOOKING = [
    b"0", b"1", b"2", b"3", b"4", b"5", b"6", b"j", b"k", b"G", b"g", b"l", b"h", b"]", b"z", b".", b"?",
    b"\x1b",
]  # fmt: skip
"""Keys that change nothing in a home."""

MISSED = """
import ctypes, errno
from watchdog.observers import inotify_c as c
{fault}
"""
WATCHES = """
left, add = [{limit}], c.inotify_add_watch
def limited(*given):
    left[0] -= 1
    if left[0] >= 0:
        return add(*given)
    ctypes.set_errno(errno.ENOSPC)
    return -1
c.inotify_add_watch = limited
"""
INSTANCES = """
left, init = [{limit}], c.inotify_init
def limited():
    left[0] -= 1
    if left[0] >= 0:
        return init()
    ctypes.set_errno(errno.EMFILE)
    return -1
c.inotify_init = limited
"""
QUEUE = """
parse = c.InotifyFD._parse_event_buffer
def limited(buffer):
    for number, event in enumerate(parse(buffer)):
        if number == {limit}:
            yield -1, int(c.InotifyConstants.IN_Q_OVERFLOW), 0, b""
            return
        yield event
c.InotifyFD._parse_event_buffer = staticmethod(limited)
"""
LIMITS = (
    ("max_queued_events=16", QUEUE, 16),
    ("max_user_watches=10", WATCHES, 10),
    ("max_user_instances=1", INSTANCES, 1),
)
"""What the kernel allows, made small in the app alone: the machine is not ours to limit."""


def _furnished(root: Path, files: int) -> Path:
    home = root / "live"
    furnish(home)
    for number in range(files):
        path = home / f"areas/tools/t{number % 40}/n{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# n {number}\n\n- 第 {number} 条 wombat{number}\n", "utf-8")
    return home


def _found(made: Session, word: str) -> bool:
    """Whether a search shows the file that a word stands in."""
    made.terminal.resize(120, 36)
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        # Out of whatever is open; a lone escape is told from a sequence by what does not follow.
        for _ in range(4):
            made.send(Event(b"\x1b"))
            made.terminal.quiet(0.15)
        for keys in (b"0", b"/", word.encode()):
            made.send(Event(keys))
            if not made.answers():
                return False
        with suppress(AssertionError):
            made.terminal.wait(f"{word}.md", 4.0)
            return True
    print(made.terminal.text, file=sys.stderr)
    return False


# -- the index --------------------------------------------------------------------------------------------------------


def _damage(folder: Path, chance: random.Random) -> str:
    """Something is done to one of the index's files: what."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    if not files:
        return "nothing there"
    path = chance.choice([*files, *(file for file in files if file.suffix == ".sqlite")])
    what = chance.choice(("delete", "truncate", "garbage", "flip", "fifo", "directory", "mode", "all", "link"))
    if path.suffix.endswith("-shm") and what in {"truncate", "garbage", "flip"}:
        # SQLite maps this file, in every program: who cuts it in place ends whoever has it open.
        what = "delete"
    with suppress(OSError):
        if what == "truncate":
            os.truncate(path, chance.randrange(path.stat().st_size + 1))
        elif what == "garbage":
            path.write_bytes(chance.randbytes(5000))
        elif what == "flip":
            with open(path, "r+b") as file:
                for _ in range(64):
                    file.seek(chance.randrange(max(1, path.stat().st_size)))
                    file.write(chance.randbytes(1))
        elif what == "mode":
            path.chmod(0)
        elif what == "all":
            shutil.rmtree(folder)
        else:
            path.unlink()
            if what == "fifo":
                os.mkfifo(path)
            elif what == "directory":
                path.mkdir()
            elif what == "link":
                path.symlink_to("/dev/full")
    return f"{what} of {path.suffix or path.name}"


def indexes(times: int, seed: int = 1) -> Count:
    """The index is damaged so often while somebody looks around; then it lies on a disk that is full, and read-only."""
    chance, wrong, done = random.Random(seed), Counter[str](), 0
    with scene() as place:
        harmless()
        root = place.home.parent
        home = _furnished(root, 200)
        with session([home], root, wrong) as made:
            for number in range(times):
                told = _damage(root / "cache", chance)
                done += 1
                word = f"quokka{number}"
                for _ in range(5):
                    made.send(Event(chance.choice(LOOKING)))
                if not made.answers():
                    print(f"  index fault {number}: {told}", file=sys.stderr)
                    break
                if number % 4 == 3:
                    (home / f"areas/tools/{word}.md").write_text(f"# q\n\n- {word} 短尾矮袋鼠\n", "utf-8")
                    before = read_files(home)
                    if not _found(made, word):
                        wrong["not found"] += 1
                        print(f"  index fault {number}: {told}: {word} is not found", file=sys.stderr)
                    wrong["user files changed"] += before != read_files(home)
        _inside(wrong)
    done += _full(chance, wrong)
    kinds = (
        "exits", "hangs", "tracebacks", "faults inside", "not found", "user files changed",
        "terminals not put back",
    )  # fmt: skip
    return Count(
        "the index is deleted, cut, overwritten, replaced by a FIFO, a directory, a link; on a full disk; read-only",
        f"{done:,} faults under a live app",
        {kind: wrong[kind] for kind in kinds},
    )


DISKS = (("full", 0.0), ("full", 0.4), ("full", 3.0), ("read-only", 0.0))
"""What becomes of the disk with the index, and how many seconds after the app was started."""


def _full(chance: random.Random, wrong: Counter[str]) -> int:
    """The index on a disk without room, before there is an index, while it is built and later; then on one that cannot
    be written. What is new is found meanwhile, and in the index once there is room again."""
    if mountable():
        return 0
    for turn, (what, after) in enumerate(DISKS):
        with scene() as place, ExitStack() as stack:
            harmless()
            root = place.home.parent
            home = _furnished(root, 300)
            (root / "cache").mkdir()
            disk = stack.enter_context(small_disk(root / "cache"))
            if not after:
                _spoil(disk, what)
            with session([home], root, wrong) as made:
                if after:
                    made.terminal.pump(after)
                    _spoil(disk, what)
                word = f"numbat{turn}"
                (home / f"areas/tools/{word}.md").write_text(f"# q\n\n- {word} 袋食蚁兽\n", "utf-8")
                for _ in range(20):
                    made.send(Event(chance.choice(LOOKING)))
                if not made.answers():
                    break
                if not _found(made, word):
                    wrong["not found"] += 1
                    print(f"  {what} disk after {after} s: {word} is not found", file=sys.stderr)
                if after:
                    (disk / "ballast").unlink()
                    if not _same(made, home, disk, SOON):
                        wrong["not found"] += 1
                        print(f"  {what} disk after {after} s: behind when there is room", file=sys.stderr)
            _inside(wrong)
    return len(DISKS)


def _spoil(disk: Path, what: str) -> None:
    if what == "read-only":
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True, capture_output=True)
        return
    with suppress(OSError), open(disk / "ballast", "wb", buffering=0) as file:
        while True:
            file.write(b"x" * 4096)


def _inside(wrong: Counter[str]) -> None:
    for found in logged():
        wrong["faults inside"] += 1
        print(f"  {found}", file=sys.stderr)


# -- storms -----------------------------------------------------------------------------------------------------------


def blow(home: Path, files: int, seed: int) -> None:
    """So many files are made, renamed, written again and removed; half of them stay."""
    chance = random.Random(seed)
    for number in range(files):
        path = home / f"areas/tools/s{number % 50}/f{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# s\n\n- storm {number} {chance.random()}\n", "utf-8")
        if number % 2:
            path.rename(path.with_name(f"r{number}.md"))
        if number % 4 == 0:
            path.unlink()


def _indexed(cache: Path) -> set[str]:
    """The files that the index holds, by looking into it from outside."""
    import apsw

    for pointer in sorted(cache.rglob("*.sqlite"), key=lambda path: path.stat().st_mtime, reverse=True):
        with suppress(apsw.Error, OSError):
            db = apsw.Connection(str(pointer), flags=apsw.SQLITE_OPEN_READONLY)
            try:
                return {str(row[0]) for row in db.execute("SELECT path FROM file") if str(row[0]).endswith(".md")}
            finally:
                db.close()
    return set()


def _same(made: Session, home: Path, cache: Path, patience: float) -> bool:
    """Whether the index comes to hold what the disk holds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        disk = {path.relative_to(home).as_posix() for path in home.rglob("*.md")}
        if _indexed(cache) == disk:
            return True
        if not made.alive():
            return False
        made.terminal.pump(0.5)
    print(f"  {len(disk ^ _indexed(cache)):,} of {len(disk):,} files differ", file=sys.stderr)
    return False


def storms(files: int, seed: int = 1) -> Count:
    """A storm of files, with keys in between: as it comes, while the app is stopped, and with a watcher that hears
    little or nothing.
    """
    wrong, slow, longest = Counter[str](), 0, 0.0
    ways: list[tuple[str, str]] = [("plain", ""), ("stopped", "")]
    ways += [(name, MISSED.format(fault=fault.format(limit=limit))) for name, fault, limit in LIMITS]
    for number, (name, more) in enumerate(ways):
        amount = files if number == 0 else max(200, files // 20)
        chance = random.Random(f"{seed} {name}")
        with scene() as place:
            harmless()
            root = place.home.parent
            home = _furnished(root, 100)
            command = [sys.executable, "-m", "tests.faults.live", str(home), str(amount), str(seed)]
            with session([home], root, wrong, more) as made:
                storm = subprocess.Popen(command)
                if name == "stopped":
                    made.terminal.process.send_signal(signal.SIGSTOP)
                    storm.wait()
                    time.sleep(5)
                    made.terminal.process.send_signal(signal.SIGCONT)
                while made.answers() and storm.poll() is None:
                    for _ in range(5):
                        made.send(Event(chance.choice(LOOKING)))
                storm.wait()
                if made.alive() and not _same(made, home, root / "cache", SOON + amount / 100):
                    wrong["index behind the disk"] += 1
                    print(f"  {name}: the index stays behind", file=sys.stderr)
                made.answers(HANGS)
                slow, longest = slow + made.slow, max(longest, made.longest)
            _inside(wrong)
    kinds = (
        "exits", "hangs", "tracebacks", "faults inside", "index behind the disk", "terminals not put back",
    )  # fmt: skip
    limits = ", ".join(name for name, _fault, _limit in LIMITS)
    return Count(
        f"storms of files under a live app: as they come; while it is stopped; {limits}",
        f"{files:,} files, then {max(200, files // 20):,} each; {slow} answers over 1 s, the longest {longest:.1f} s",
        {kind: wrong[kind] for kind in kinds},
    )


# -- hours ------------------------------------------------------------------------------------------------------------

_AGENT = """
import subprocess, sys, time
home, name, end = sys.argv[1], sys.argv[2], time.time() + float(sys.argv[3])
number = 0
while time.time() < end:
    number += 1
    said = f"{name} says {number} and no more"
    done = subprocess.run([sys.executable, "-m", "memtui", "append", "--home", home, said], capture_output=True)
    if done.returncode == 0:
        print(said, flush=True)
"""


def _held(process: int) -> tuple[int, int]:
    """The open files of a process, and its resident memory in kB."""
    status = Path(f"/proc/{process}/status").read_text()
    return len(os.listdir(f"/proc/{process}/fd")), int(status.partition("VmRSS:")[2].split()[0])


def soak(seconds: float, seed: int = 1) -> Count:
    """Two agents' hooks, a server of tools, an editor and git work on a home, under an app that is looked at,
    for so long (F13): every note that was acknowledged is there, the app holds no more files and memory than before.
    """
    wrong: Counter[str] = Counter()
    chance = random.Random(seed)
    acked: list[str] = []
    row = "hours of two agents, a server of tools, an editor and git under a live app"
    if not sys.platform.startswith("linux"):
        return Count(row, "0 seconds", {}, "not run: it needs /proc")
    with scene() as place, ExitStack() as stack:
        harmless()
        home = _furnished(place.home.parent, 200)
        git = ["git", "-C", str(home), "-c", "user.name=t", "-c", "user.email=t@t"]
        subprocess.run([*git, "init", "-q"], check=True)
        agents = [
            subprocess.Popen(
                [sys.executable, "-c", _AGENT, str(home), name, str(seconds)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for name in ("ann", "ben")
        ]
        server = stack.enter_context(_Server(home))
        with session([home], place.home.parent, wrong) as made:
            for key in LOOKING * 2:
                # What a view opens on its first visit is no leak.
                made.send(Event(key))
                made.pause(0.3)
            began, first, number = time.monotonic(), (0, 0), 0
            while (gone := time.monotonic() - began) < seconds and made.alive():
                number += 1
                acked += server.append(f"server says {number} and no more")
                edited = home / f"areas/tools/t{number % 40}/n{number % 40}.md"
                saved = edited.with_name(f".{edited.name}.swp")
                saved.write_text(f"# n\n\n- edited {number}\n", "utf-8")
                os.replace(saved, edited)
                if number % 20 == 0:
                    subprocess.run([*git, "add", "-A"], check=False, capture_output=True)
                    subprocess.run([*git, "commit", "-qm", "x"], check=False, capture_output=True)
                    subprocess.run([*git, "gc", "-q"], check=False, capture_output=True)
                made.send(Event(chance.choice(LOOKING)))
                made.pause(0.1)
                if not first[0] and gone > seconds / 2:
                    first = _held(made.terminal.process.pid)
            for agent in agents:
                acked += (agent.communicate()[0] or "").splitlines()
            files, memory = _held(made.terminal.process.pid)
            # A short run ends while views are first looked at: which files they keep open shows in hours only, and of
            # what Python's allocator keeps 16 MB are its margin.
            short = seconds < 600
            wrong["more files open"] += not short and files > first[0] * 1.1 + 3
            wrong["more memory"] += memory > first[1] * 1.1 + (16_384 if short else 0)
            wrong["hangs"] += not made.answers()
        text = "".join(path.read_text("utf-8") for path in home.rglob("daily/*.md"))
        wrong["acknowledged lost"] += sum(f"{said}" not in text for said in acked)
        _inside(wrong)
    kinds = (
        "acknowledged lost", "more files open", "more memory", "hangs", "exits", "tracebacks",
        "faults inside",
    )  # fmt: skip
    counted = {kind: wrong[kind] for kind in kinds}
    return Count(row, f"{seconds:,.0f} s, {len(acked):,} notes", counted).with_least(len(acked), 3)


class _Server:
    """The server of tools, asked over its pipes."""

    def __init__(self, home: Path) -> None:
        command = [sys.executable, "-W", "ignore", "-m", "memtui", "mcp", "--home", str(home)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._asked = 0
        self._ask(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "t", "version": "1"},
        )
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> _Server:
        return self

    def __exit__(self, *_error: object) -> None:
        self._process.communicate()

    def append(self, said: str) -> list[str]:
        """The note, if the server says that it is kept."""
        answer = self._ask("tools/call", name="memory_append", arguments={"text": said})
        return [said] if (answer.get("structuredContent") or {}).get("appended") else []

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _ask(self, method: str, **params: object) -> dict[str, Any]:
        assert self._process.stdout is not None
        self._asked += 1
        self._say({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params})
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._asked:
                return dict(answer.get("result") or {})
        return {}


if __name__ == "__main__":
    blow(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
