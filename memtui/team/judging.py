"""What may leave of many files, worked out once for each content, and by several processes where it is a lot.

Judging a file (`sharing.prepare_outgoing`) costs milliseconds of a processor, reading and sending it a fraction of
one. So the answer is kept by the hash of what was judged: a file that was touched, renamed, unshared and shared
again is not judged again. `python -m memtui.team.judging` is one of the processes that share a first push: it
ends when its parent does.
"""

from __future__ import annotations

import json
import marshal
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from memtui.core import __version__
from memtui.core.errors import MemtuiError
from memtui.core.locale import choose_language, find_language
from memtui.core.startup import sha256
from memtui.fs.files import compute_etag
from memtui.safety.redact import compile_secret_patterns
from memtui.team.membership import write_private
from memtui.team.sharing import Outgoing, prepare_outgoing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    Progress = Callable[[str, int, int], None]

_RULES = 3
"""Grows with every change of what may leave."""
_MANY, _MUCH = 64, 256 << 10
"""Files, and bytes, from which on several processes are begun for them."""
_PIECE = 32
"""Files that a process is given at once."""
_MOST = 8
"""Processes."""
_UNSAVED = 50
"""Answers that may be lost: fewer are written only when all is done."""
_KEPT = 200_000
"""Answers that are kept."""


class Judgement(NamedTuple):
    """What becomes of a content; it is kept, so it holds nothing of the text."""

    etag: str
    """Of the bytes that leave; empty: it stays."""
    size: int
    reason: str
    masked: int
    dropped: int


class Unjudged(NamedTuple):
    """A file that may leave."""

    key: str
    """Tells it from all others of this machine."""
    signature: tuple[int, ...]
    """Its status before it was read."""
    path: str
    """In its home."""
    data: bytes


class Judge:
    """Judges files' contents, and remembers. One thread at a time."""

    def __init__(self, cache: Path, patterns: Sequence[str]) -> None:
        """`patterns` are the person's own expressions for secrets; `cache` is where the answers are kept."""
        self._patterns = list(patterns)
        self._own = compile_secret_patterns(patterns)[0]
        self._cache = cache
        self._rules = sha256(repr([_RULES, __version__, self._patterns]).encode())[:16]
        self._known: dict[str, Judgement] = {}
        self._files: dict[str, tuple[tuple[int, ...], str]] = {}
        """Of each file its status when it was read, and what its content is called."""
        self._unsaved = 0
        self._load()

    def prepare(self, path: str, data: bytes) -> bytes | None:
        """The bytes of a file that leave; None: it stays."""
        known = self._known.get(_name_content(path, data))
        if known is not None and known.etag in {"", compute_etag(data)}:
            return data if known.etag else None
        return prepare_outgoing(path, data, self._own).body

    def recall(self, key: str, signature: tuple[int, ...]) -> Judgement | None:
        """What became of the file of that name, if it still is the one with that status."""
        held = self._files.get(key)
        return self._known.get(held[1]) if held is not None and held[0] == signature else None

    def judge(
        self,
        files: Sequence[Unjudged],
        hold: Callable[[int, bytes], None],
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> list[Judgement]:
        """What becomes of each file; the bytes that leave of number n are given to `hold`, where they are at hand.

        `progress` is told of those that were never judged before.
        """
        names = [_name_content(one.path, one.data) for one in files]
        unknown = {name: number for number, name in enumerate(names) if name not in self._known}
        bodies: dict[str, bytes] = {}
        prepared = self._prepare_all([(files[at].path, files[at].data) for at in unknown.values()], progress)
        for name, out in zip(unknown, prepared, strict=True):
            body = out.body
            self._known[name] = Judgement(
                "" if body is None else compute_etag(body), len(body or b""), out.reason, out.masked, out.dropped
            )
            if body is not None:
                bodies[name] = body
        found = []
        for number, (name, one) in enumerate(zip(names, files, strict=True)):
            verdict = self._known[name]
            found.append(verdict)
            if self._files.get(one.key) != (one.signature, name):
                self._files[one.key] = (one.signature, name)
                self._unsaved += 1
            if name in bodies:
                hold(number, bodies[name])
            elif verdict.etag and len(one.data) == verdict.size and compute_etag(one.data) == verdict.etag:
                # All of it leaves as it is.
                hold(number, one.data)
        return found

    def save(self, *, always: bool = False) -> None:
        """Keep the answers where they are many, or `always`; lost ones are worked out again."""
        if self._unsaved >= (1 if always else _UNSAVED):
            plain = {"rules": self._rules} | {
                name: dict(list(kept.items())[-_KEPT:])
                for name, kept in (("contents", self._known), ("files", self._files))
            }
            with suppress(MemtuiError):
                write_private(self._cache, json.dumps(plain).encode())
                self._unsaved = 0

    def _load(self) -> None:
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            plain = json.loads(self._cache.read_bytes())
            if plain["rules"] == self._rules:
                known = {name: Judgement(*answer) for name, answer in plain["contents"].items()}
                files = {key: (tuple(signature), name) for key, (signature, name) in plain["files"].items()}
                self._known, self._files = known, files

    def _prepare_all(self, files: Sequence[tuple[str, bytes]], progress: Callable[[int, int], None]) -> list[Outgoing]:
        found: list[Outgoing] = []
        count = min(len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1, _MOST)
        pieces = [files[at : at + _PIECE] for at in range(0, len(files), _PIECE)]
        with ExitStack() as held:
            prepare = self._prepare_piece
            outs: Iterable[list[Outgoing]]
            if count > 1 and len(files) >= _MANY and sum(len(data) for _path, data in files) >= _MUCH:
                prepare = held.enter_context(_Workers(self._patterns, count)).prepare
                outs = held.enter_context(ThreadPoolExecutor(count)).map(prepare, pieces)
            else:
                outs = map(prepare, pieces)
            for piece in outs:
                found += piece
                progress(len(found), len(files))
        return found

    def _prepare_piece(self, files: Sequence[tuple[str, bytes]]) -> list[Outgoing]:
        return [prepare_outgoing(path, data, self._own) for path, data in files]


def _name_content(path: str, data: bytes) -> str:
    """What is judged: a content, as records or as a text (`prepare_outgoing` asks the path for no more)."""
    kind = path.lower().rpartition(".")[2]
    return sha256(f"{kind if kind in {'json', 'jsonl'} else ''}\0".encode() + data)[:32]


class _Workers:
    """Processes that judge. Where one cannot be begun, or dies, this process does its work."""

    def __init__(self, patterns: Sequence[str], count: int) -> None:
        self._own = compile_secret_patterns(patterns)[0]
        self._children: list[subprocess.Popen[bytes]] = []
        self._free: SimpleQueue[subprocess.Popen[bytes] | None] = SimpleQueue()
        for _number in range(count):
            try:
                child = subprocess.Popen(
                    [sys.executable, "-m", "memtui.team.judging"],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                )  # fmt: skip
                self._children.append(child)
                _write(child.stdin, [find_language(), list(patterns)])
                self._free.put(child)
            except OSError:
                self._free.put(None)

    def __enter__(self) -> _Workers:
        return self

    def __exit__(self, *given: object) -> None:
        for child in self._children:
            for end in (child.stdin, child.stdout):
                with suppress(OSError):
                    end.close()  # type: ignore[union-attr]
            with suppress(subprocess.TimeoutExpired):
                child.wait(2)
            if child.poll() is None:
                child.kill()
                child.wait()

    def prepare(self, files: Sequence[tuple[str, bytes]]) -> list[Outgoing]:
        """From any of as many threads as there are processes."""
        child = self._free.get()
        try:
            if child is not None:
                _write(child.stdin, list(files))
                return [Outgoing(*plain) for plain in _read(child.stdout)]
        except (OSError, EOFError, ValueError, TypeError):
            child = None
        finally:
            self._free.put(child)
        return [prepare_outgoing(path, data, self._own) for path, data in files]


def _write(pipe: IO[bytes] | None, value: Any) -> None:
    assert pipe is not None
    data = marshal.dumps(value)
    pipe.write(len(data).to_bytes(8, "big") + data)
    pipe.flush()


def _read(pipe: IO[bytes] | None) -> Any:
    """What the other end wrote. Raises EOFError when it is gone."""
    assert pipe is not None
    size = int.from_bytes(pipe.read(8), "big")
    return marshal.loads(pipe.read(size)) if size else marshal.loads(b"")


def main() -> int:
    """Judge what comes in until nothing comes any more."""
    # Whoever presses ctrl+c ends the parent, which ends this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)
    language, patterns = _read(sys.stdin.buffer)
    choose_language(language)
    own = compile_secret_patterns(patterns)[0]
    with suppress(EOFError, OSError):
        while True:
            files = _read(sys.stdin.buffer)
            _write(sys.stdout.buffer, [tuple(prepare_outgoing(path, data, own)) for path, data in files])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
