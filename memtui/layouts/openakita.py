"""OpenAkita (spec 003): a workspace with `data/memory/` (the database, v1's JSON, histories) and `identity/`.

Workspaces stand under `$OPENAKITA_ROOT` or `~/.openakita`, or a project is one itself. The specification calls
the database memory.db, and the tool writes openakita.db: both are read, by introspection and read-only.

Rows are written as its own code writes them: memories, a session's episode and its turns, the task at hand. Its
MEMORY.md and USER.md are made of the rows; memtui makes them anew where its own lifecycle would, and keeps no
`.bak`, for every write can be undone. The relational tables (mdrm_*) are only read. Records of memories.json are
changed where they stand, and new ones go to the database alone: the program makes it of that file at its start.
daily_summaries/ is read and not written: its present lifecycle leaves none there, and what memtui's own did on a day
`consolidate --last` tells.
"""

from __future__ import annotations

import os

from memtui.core.locale import _, _n
from memtui.core.model import Home, Layer, Role
from memtui.core.startup import TYPE_CHECKING
from memtui.layouts import Layout, LayoutFacts, ToolBadge
from memtui.layouts.git import iterate_project_directories
from memtui.layouts.roles import (
    GENERATED,
    TRANSCRIPT,
    build_home,
    build_layer_refusal,
    build_session_target,
    place,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings

_DATABASE = Role(Layer.KNOWLEDGE, "fact", "memory-rows", 0)
_V1 = Role(Layer.KNOWLEDGE, "fact", "memories-json")
_TURNS = Role(Layer.SESSION, "turn", "jsonl")
_DAY = Role(Layer.JOURNAL, "summary", "journal")
_DAY_JSON = Role(Layer.JOURNAL, "summary", "json")
_CORE = Role(Layer.CORE, "note", "markdown")
_PROFILE = Role(Layer.PROFILE, "note", "markdown")
_PERSONA = Role(Layer.PROFILE, "rule", "markdown")

_DATABASES = frozenset({"openakita.db", "memory.db"})
_TELLING = ("openakita.db", "memory.db", "memories.json")
_KEPT = frozenset({"data", "identity", "workspaces", "agents", "profiles", "memory"})
_MEMORY = frozenset({"conversation_history", "daily_summaries"})

MADE = "> 由记忆系统自动生成"
"""The line by which a USER.md says that the program made it."""

_PLACES = frozenset({
    "attachment", "attachments", "audio", "documents", "download", "downloads", "file", "files", "image", "images",
    "inbound", "media", "outbound", "output", "outputs", "received", "recordings", "screenshots", "sent", "temp",
    "tmp", "upload", "uploads", "video", "videos", "voice",
})  # fmt: skip
_MEDIA = frozenset({
    "aac", "amr", "avi", "bmp", "csv", "doc", "docx", "epub", "flac", "gif", "heic", "heif", "htm", "html", "jpeg",
    "jpg", "m4a", "mkv", "mov", "mp3", "mp4", "odp", "ods", "odt", "oga", "ogg", "opus", "pdf", "png", "ppt", "pptx",
    "rar", "rtf", "silk", "svg", "tar", "tiff", "tsv", "txt", "wav", "webm", "webp", "wma", "xls", "xlsx", "zip",
    "7z",
})  # fmt: skip
_PROGRAM = frozenset({
    "conf", "cfg", "db", "db-shm", "db-wal", "env", "ini", "key", "lock", "log", "pem", "plist", "py", "pyc",
    "sqlite", "sqlite3", "toml", "yaml", "yml",
})  # fmt: skip
_RUN = frozenset({"identity", "skills", "plugins", "config", "src", "venv", "node_modules"})
"""Folders of the program, in which nothing is anybody's attachment."""


class OpenAkita(Layout):
    """Workspaces of OpenAkita."""

    name = "openakita"
    facts = LayoutFacts(
        badge=ToolBadge("OA", "OpenAkita", "pink"),
        takes_copies=False,
        summary_form="episode-row",
        summaries_given=False,
        task_databases=(
            "data/memory/openakita.db",
            "data/memory/memory.db",
            "openakita.db",
            "memory.db",
        ),
        own_agents_file=True,
        made_files=("identity/MEMORY.md", "identity/USER.md"),
        made_mark=MADE,
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """Every workspace of the user, and the project where it is one itself."""
        root = around.variable("OPENAKITA_ROOT", around.user / ".openakita")
        here = list(iterate_project_directories(around))
        for path in [*_iterate_workspaces(root), *([root] if _describe_contents(root) else [])]:
            mine = any(folder.is_relative_to(path.resolve()) for folder in here)
            yield build_home(
                self.name,
                path,
                _("workspace {name}: {held}").format(name=path.name, held=_describe_contents(path)),
                path.name,
                "",
                mine,
            )
        for folder in here:
            held = _describe_contents(folder)
            if held:
                yield build_home(self.name, folder, held, folder.name, str(folder), True)

    def recognise(self, path: Path) -> str:
        """A workspace, the directory of all of them, or a workspace's `data/memory` by itself."""
        held = _describe_contents(path) or _find_telling_file(path, "")
        if held:
            return held
        found = list(_iterate_workspaces(path))
        several = _n("{count} workspace of OpenAkita", "{count} workspaces of OpenAkita", len(found))
        return several if found else ""

    def role(self, home: Path, path: str) -> Role | None:
        """The database is a file of memories; identity's files are the person's own but for MEMORY.md."""
        parts = path.split("/")
        if parts[0] == "workspaces" and len(parts) > 2:
            parts = parts[2:]
        name = parts[-1]
        if name.startswith("."):
            return None
        if "identity" in parts[:-1]:
            return self._find_identity_role(parts[parts.index("identity") + 1 :])
        if parts[:2] == ["data", "memory"] and len(parts) > 2:
            parts = parts[2:]
        elif len(parts) > 1 and parts[0] not in _MEMORY:
            return None
        if len(parts) == 1:
            return _DATABASE if name in _DATABASES else _V1 if name == "memories.json" else None
        if parts[0] == "conversation_history":
            return _TURNS if name.endswith(".jsonl") else None
        if parts[0] == "daily_summaries":
            return _DAY if name.endswith(".md") else _DAY_JSON if name.endswith(".json") else None
        return None

    def _find_identity_role(self, parts: list[str]) -> Role | None:
        if not parts[-1].endswith(".md"):
            return None
        if len(parts) > 1:
            return _PERSONA if parts[0] == "personas" else None
        if parts[0] == "MEMORY.md":
            return _CORE
        return _PROFILE if parts[0] == "USER.md" else _PERSONA

    def prune(self, home: Path, path: str) -> bool:
        """Everything but memory and identity: traces, runtime copies, quarantined databases, the program's own data."""
        parts = path.split("/")
        if parts[0] == "workspaces":
            parts = parts[2:]
            if not parts:
                return False
        if parts[-1].startswith("."):
            return True
        if "identity" in parts:
            inside = parts[parts.index("identity") + 1 :]
            return bool(inside) and inside[0] != "personas"
        if parts[0] == "data":
            if len(parts) == 1:
                return False
            parts = parts[1:]
            if parts[0] == "memory":
                return len(parts) > 1 and parts[1] not in _MEMORY
            return parts[0] not in {"agents", "profiles"} or len(parts) > 2
        if parts[0] in {"agents", "profiles"}:
            return len(parts) > 2
        return parts[0] not in _MEMORY

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """USER.md for the person; a row of the database for everything remembered."""
        if layer is Layer.PROFILE and (home.path / "identity").is_dir():
            return place(home, "identity/USER.md", draft, layer)
        if layer in {Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL}:
            # It has no journal: what somebody wants remembered is a row at once, as the program's own tool makes it.
            return place(home, self.database(home, layer), draft, Layer.KNOWLEDGE, "memory-rows")
        raise build_layer_refusal(home, layer, "OpenAkita writes them itself")

    def database(self, home: Home, layer: Layer = Layer.SESSION) -> str:
        """The path of its database. Raises RefusedError where there is none."""
        for path in self.facts.task_databases:
            if (home.path / path).is_file():
                return path
        raise build_layer_refusal(home, layer, "its database is not there; OpenAkita makes it when it is started")

    def session(self, home: Home, id: str, now: float) -> Target:
        """A row of its episodes (spec 003)."""
        return build_session_target(home, self.database(home), self.facts.summary_form)

    def attached(self, home: Path, path: str) -> bool:
        """A picture, a recording or a document in a folder of the workspace, or any file where such ones are put.

        Never a memory, nor what the program itself runs on: what a row says of a path is not to be trusted.
        """
        *folders, name = path.lower().split("/")
        if folders[:1] == ["workspaces"]:
            folders = folders[2:]
        ending = name.rpartition(".")[2]
        if not folders or any(part.startswith(".") for part in (*folders, name)) or ending in _PROGRAM:
            return False
        if folders[0] in _RUN or folders[:2] == ["data", "agents"] or self.role(home, path) is not None:
            return False
        return ending in _MEDIA or not _PLACES.isdisjoint(folders)

    def read_only(self, path: str) -> str:
        """Histories, and MEMORY.md, which is made from the database."""
        if path.endswith("identity/MEMORY.md"):
            return "made from OpenAkita's database: change the memory there"
        if "conversation_history/" in path or path.endswith(".jsonl"):
            return TRANSCRIPT
        return GENERATED if "daily_summaries/" in path else ""


def _iterate_workspaces(root: Path) -> Iterator[Path]:
    try:
        names = sorted(os.listdir(root / "workspaces"))
    except OSError:
        return
    for name in names:
        if not name.startswith(".") and _describe_contents(root / "workspaces" / name):
            yield root / "workspaces" / name


def _describe_contents(path: Path) -> str:
    """What of ours a workspace holds, in words: its database or v1's file, or both of its directories."""
    found = _find_telling_file(path / "data" / "memory", "data/memory/")
    if found:
        return found
    both = (path / "data" / "memory").is_dir() and (path / "identity").is_dir()
    return "data/memory, identity" if both else ""


def _find_telling_file(path: Path, prefix: str) -> str:
    """The database or v1's file; a lone memories.json or memory.db is ours under OpenAkita's own name only."""
    for name in _TELLING:
        if (path / name).is_file():
            sure = name == "openakita.db" or prefix or any((path / other).is_dir() for other in _MEMORY)
            return f"{prefix}{name}" if sure else ""
    return ""


LAYOUT = OpenAkita()
