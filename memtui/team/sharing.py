"""What may leave this machine, and why not; and the answers for many files, worked out once for each content.

Nothing leaves but files of homes, projects and layers that a person named (`Share`). And whatever is named, some
things stay: the person's own files (L0), conversations, what was collected from other nodes, the evolution log, the
scratchpad, archives, skills, what is marked #private, and whole files that read like orders to agents. Secrets are
masked. A file that cannot be judged stays.

Judging a file (`prepare_outgoing`) costs milliseconds of a processor, reading and sending it a fraction of one. So
the answer is kept by the hash of what was judged: a file that was touched, renamed, unshared and shared again is not
judged again. `python -m memtui.team.sharing` is one of the processes that share a first push: it ends when its
parent does.
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
from memtui.core.locale import _, choose_language, find_language
from memtui.core.model import JSON, Layer, Status
from memtui.core.startup import sha256
from memtui.fs.files import compute_etag
from memtui.layouts.roles import infer_path_status
from memtui.safety.injection import examine
from memtui.safety.privacy import drop_private, drop_private_records
from memtui.safety.redact import compile_secret_patterns, redact
from memtui.team.membership import write_private

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from memtui.core.model import Role
    from memtui.team.membership import Audience, Share

    Progress = Callable[[str, int, int], None]

LARGEST = 4 << 20
"""Bytes of one file that are shared."""
NEVER = frozenset({Layer.PROFILE, Layer.JOURNAL, Layer.EVOLUTION})
"""Layers that no team is given."""
OFFERED: dict[Audience, tuple[Layer, ...]] = {
    "team": tuple(layer for layer in Layer if layer not in NEVER),
    "me": tuple(layer for layer in Layer if layer is not Layer.EVOLUTION),
}
"""Layers that may be named."""
USUAL = (Layer.CORE, Layer.KNOWLEDGE)
"""Those that are meant where none is named."""

_PERSONAL = frozenset({"user", "profile", "soul", "identity"})
_INTERNAL = frozenset({
    "trash", ".trash", "transcripts", "transcript", "traces", "trace", "evolution", "scratchpad", "candidates",
    "candidate", "quarantine", "rejected", "drafts", "undo", "private", "secrets", "logs",
})  # fmt: skip
_COLLECTED = "<!-- collected: etag="
"""How a copy ends that `sessions.collect` made of what another person's machine put out."""


class Outgoing(NamedTuple):
    """One file as others would see it, or why they do not."""

    body: bytes | None
    reason: str = ""
    """Why it stays, for a person."""
    masked: int = 0
    """Secrets that are masked in it."""
    dropped: int = 0
    """Lines that are left out of it."""


def explain_withheld(path: str, role: Role | None, share: Share, audience: Audience) -> str:
    """Why the file at `path` of a home stays here by its place and role; empty: it may leave, by those."""
    if role is None or not role.limit:
        return _("it is no file of memories")
    *folders, name = path.lower().split("/")
    stem = name.partition(".")[0]
    if role.parser.endswith("-transcript"):
        return _("conversations stay here")
    if role.layer is Layer.EVOLUTION or not _INTERNAL.isdisjoint((*folders, stem)):
        return _("it is nobody else's business")
    if role.kind == "todo" and stem == "scratchpad":
        return _("the scratchpad stays here")
    status = infer_path_status(path) if role.status is Status.ACTIVE else role.status
    if status is not Status.ACTIVE:
        return _("it holds no memories of now ({status})").format(status=status.value)
    personal = role.layer is Layer.PROFILE or not _PERSONAL.isdisjoint((*folders, stem))
    if personal and (audience == "team" or Layer.PROFILE not in share.layers):
        return _("it is about you")
    if audience == "team" and role.layer in NEVER:
        return _("daily notes stay here")
    if role.layer.value not in share.layers:
        return _("its layer ({layer}) is not shared").format(layer=role.layer.value)
    if share.project and role.project != share.project:
        return _("it is not of the project that is shared")
    return _("its name holds a secret") if redact(path).secrets else ""


def prepare_outgoing(path: str, data: bytes, patterns: Sequence[re.Pattern[str]] = ()) -> Outgoing:
    """The file as others may see it: what is private left out, secrets masked. `patterns` are the person's own.

    Its lines are those of the file, without those left out. Never raises.
    """
    if len(data) > LARGEST:
        return Outgoing(None, _("it is larger than {size} MB").format(size=LARGEST >> 20))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Outgoing(None, _("it is no text"))
    if "\0" in text:
        return Outgoing(None, _("it is no text"))
    if _COLLECTED in text:
        return Outgoing(None, _("it was collected from another node: that one shares it, or nobody"))
    kept: str | None
    if path.lower().endswith(JSON):
        kept = drop_private_records(text, lines=path.lower().endswith("l"))
    else:
        kept = drop_private(text)
    if kept is None or (not kept.strip() and text.strip()):
        return Outgoing(None, _("it is marked private"))
    if examine(kept).action == "quarantine":
        return Outgoing(None, _("it reads like an order to agents: see Review"))
    safe = redact(kept, patterns)
    return Outgoing(
        safe.text.encode(), masked=len(safe.secrets), dropped=len(text.splitlines()) - len(kept.splitlines())
    )


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
                    [sys.executable, "-m", "memtui.team.sharing"],
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
