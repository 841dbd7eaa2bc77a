"""Where a home's conversations stand, layout by layout. Links are not followed, and no file is read.

Claude Code: the sessions beside a project's memory, and those of their sub-agents. Codex: rollouts. XingheBot:
`history.jsonl` of every agent of a run, beside the memory or in the project (spec 001 §1.1). OpenAkita (spec
003): the table conversation_turns, then react_traces, then conversation_history.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.layouts.git import find_project_roots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memtui.core.model import Home

MOST = 50_000
"""Files of one home that are looked at."""
_DEPTH = 8
_ROLLOUT = compile_pattern(r"rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\.jsonl")


class TranscriptSource(NamedTuple):
    """One transcript."""

    path: str
    """As a trace names it."""
    root: str
    """The directory that it is read in, never outside."""
    inside: str
    """Relative to `root`."""
    kind: str
    """claude, codex or message (JSONL), document (one JSON), table (SQLite)."""
    session: str
    """Empty: its records say it."""
    rank: int
    """A session in a source of a lower rank isn't repeated from one of a higher."""
    size: int
    modified: int
    """Nanoseconds."""
    inode: int


def list_transcript_sources(home: Home) -> list[TranscriptSource]:
    """Every transcript of the home, the one written last first."""
    listed = _LAYOUTS.get(home.layout.replace("-", "_"))
    found = [] if listed is None else list(listed(home))
    return sorted(found, key=lambda source: source.modified, reverse=True)


def has_transcripts(layout: str) -> bool:
    """Whether homes of this layout have conversations at all."""
    return layout.replace("-", "_") in _LAYOUTS


def _iterate_claude(home: Home) -> Iterator[TranscriptSource]:
    every = (home.path / "projects").is_dir()
    for path, status in _iterate_files(str(home.path), ".jsonl", "projects" if every else ""):
        *folders, name = path.split("/")
        folders = folders[2:] if every else folders
        alone = not folders
        helper = folders[1:] == ["subagents"] or (alone and name.startswith("agent-"))
        if alone or helper:
            session = folders[0] if folders else "" if helper else name.removesuffix(".jsonl")
            yield _build_source(path, home, "claude", session, 0, status)


def _iterate_codex(home: Home) -> Iterator[TranscriptSource]:
    folders = [name for name in ("sessions", "archived_sessions") if (home.path / name).is_dir()]
    for folder in folders or [""]:
        for path, status in _iterate_files(str(home.path), ".jsonl", folder):
            named = _ROLLOUT.fullmatch(path.rpartition("/")[2])
            if named:
                yield _build_source(path, home, "codex", named[1] or "", 0, status)


def _iterate_xinghebot(home: Home) -> Iterator[TranscriptSource]:
    beside = home.path.parent
    places = [(beside / "runs", "../runs")]
    if home.current:
        for project in find_project_roots(Path.cwd()):
            place = project / ".multi_agent" / "runs"
            if place.parent != beside:
                places.append((place, place.as_posix()))
    for root, shown in places:
        for path, status in _iterate_files(str(root), "history.jsonl"):
            run = path.partition("/")[0]
            if path.rpartition("/")[2] == "history.jsonl" and run != "history.jsonl":
                yield TranscriptSource(
                    f"{shown}/{path}", str(root), path, "message", run, 0, status.st_size, status.st_mtime_ns,
                    status.st_ino,
                )  # fmt: skip


def _iterate_openakita(home: Home) -> Iterator[TranscriptSource]:
    root = str(home.path)
    spaces = ["", *(f"workspaces/{name}/" for name in _list_visible_names(os.path.join(root, "workspaces")))]
    for space in spaces:
        # Opened at data/memory itself, that alone is the home.
        for memory in dict.fromkeys((f"{space}data/memory/", space)):
            for name in ("openakita.db", "memory.db"):
                status = _read_status(os.path.join(root, memory, name))
                if status is not None and stat.S_ISREG(status.st_mode):
                    log = _read_status(os.path.join(root, memory, f"{name}-wal"))
                    yield _build_source(f"{memory}{name}", home, "table", "", 0, status, log)
            for path, status in _iterate_files(root, ".jsonl", f"{memory}conversation_history"):
                session = path.rpartition("/")[2].removesuffix(".jsonl")
                yield _build_source(path, home, "message", session, 2, status)
        for path, status in _iterate_files(root, ".json", f"{space}data/react_traces"):
            yield _build_source(path, home, "document", "", 1, status)


_LAYOUTS: dict[str, Callable[[Home], Iterator[TranscriptSource]]] = {
    "claude": _iterate_claude,
    "codex": _iterate_codex,
    "xinghebot": _iterate_xinghebot,
    "openakita": _iterate_openakita,
}


def _build_source(
    path: str,
    home: Home,
    kind: str,
    session: str,
    rank: int,
    status: os.stat_result,
    log: os.stat_result | None = None,
) -> TranscriptSource:
    size, modified = status.st_size, status.st_mtime_ns
    if log is not None:
        size, modified = size + log.st_size, max(modified, log.st_mtime_ns)
    return TranscriptSource(path, str(home.path), path, kind, session, rank, size, modified, status.st_ino)


def _read_status(path: str) -> os.stat_result | None:
    try:
        return os.stat(path, follow_symlinks=False)
    except OSError:
        return None


def _list_visible_names(path: str) -> list[str]:
    try:
        return sorted(name for name in os.listdir(path) if not name.startswith(".") and name.isprintable())
    except OSError:
        return []


_NEVER = frozenset({"node_modules", "tool-results", "file-history", "memory"})


def _iterate_files(root: str, ending: str, start: str = "") -> Iterator[tuple[str, os.stat_result]]:
    """The regular files from `start` down whose names end so, as paths relative to `root`."""
    left = MOST
    waiting = [start]
    if os.path.islink(root):
        return
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                for entry in entries:
                    name = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.name.startswith(".") or "\\" in name or not name.isprintable():
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        if name.count("/") < _DEPTH and entry.name not in _NEVER:
                            waiting.append(name)
                    elif entry.name.endswith(ending):
                        status = entry.stat(follow_symlinks=False)
                        left -= 1
                        if stat.S_ISREG(status.st_mode) and left >= 0:
                            yield name, status
        except OSError:
            continue
