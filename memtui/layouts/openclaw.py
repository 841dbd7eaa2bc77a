"""OpenClaw workspaces: `~/.openclaw/workspace`, `workspace-<agent>`, the old `~/clawd`; opened at `~/.openclaw`, all.

The person's and the agent's own files at the top (SOUL.md, USER.md, …), MEMORY.md, and memory/ with dailies whose
date stands anywhere in the name, or nowhere: then it is a topic. The index lies outside and is not read.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache

from memtui import clock
from memtui.layouts.roles import MARKDOWN, by_name, standing_of
from memtui.model import Home, Layer, Status
from memtui.parse.dates import day_in
from memtui.parse.source import Role
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.edits import Draft, Target
    from memtui.layouts import Surroundings

_TELLING = ("SOUL.md", "IDENTITY.md", "HEARTBEAT.md", "BOOTSTRAP.md", "TOOLS.md", "USER.md", "AGENTS.md")
_PROFILE = Role(Layer.PROFILE, "note", "markdown", shipped=True)
_TOP = {
    "user.md": _PROFILE,
    "identity.md": _PROFILE,
    "soul.md": _PROFILE._replace(kind="rule"),
    "agents.md": _PROFILE._replace(kind="rule"),
    "bootstrap.md": _PROFILE._replace(kind="rule"),
    "tools.md": _PROFILE,
    "heartbeat.md": _PROFILE._replace(kind="todo"),
}
_DAY = Role(Layer.JOURNAL, "note", "journal", shipped=True)
_TOPIC = Role(Layer.KNOWLEDGE, "note", "markdown")
_SKILL = Role(Layer.KNOWLEDGE, "skill", "markdown", status=Status.SKILL)
_OWN = frozenset(
    {
        "memory.md",
        "lessons.md",
        "learnings.md",
        "decisions.md",
        "preferences.md",
        "todo.md",
        "todos.md",
        "tasks.md",
        "notes.md",
        "journal.md",
        "people.md",
        "contacts.md",
        "projects.md",
        "goals.md",
        "next.md",
        "improvements.md",
        "rules.md",
        "profile.md",
        "dreams.md",
        "working.md",
        "context.md",
        "state.md",
    }
)
"""Files at the top that hold memories beside those that every workspace has; any other is something that was made."""
_ABOUT = frozenset({"README", "CHANGELOG", "LICENSE", "CONTRIBUTING", "SECURITY", "CODE_OF_CONDUCT"})
"""Files that tell strangers of a repository."""
_DREAMT = ("memory/dreaming/", "DREAMS.md", "dreams.md")
"""What it writes by itself in its pauses, from what stands elsewhere."""
_MADE = frozenset({"docs", "reports", "research"})
"""Directories of what an agent made for its person: to be found, no memories."""
_KEPT = frozenset({"memory", "memories", ".learnings"})
"""Directories of memories, whatever else lies in them."""
_PROGRAMS = (
    ".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".sh", ".ps1", ".go", ".rs", ".java", ".rb", ".php", ".sql",
    ".c", ".cpp", ".cs", ".swift", ".kt", ".vue", ".html", ".css",
)  # fmt: skip
_PLACES = frozenset({
    "memory", "skills", "notes", "knowledge", "life", "areas", "sessions", "daily", "docs", "journal", "people",
    "research", "ideas", "archive", "reports", "tasks", "diary", "memories", ".learnings", "learnings",
})  # fmt: skip


class OpenClaw:
    """An agent's workspace."""

    name = "openclaw"

    def find(self, around: Surroundings) -> Iterator[Home]:
        """All the user's workspaces; the old place too, for it may hold what was never moved."""
        root = around.user / ".openclaw"
        here = around.cwd.resolve()
        for path in [*(root / name for name in _workspaces(root)), around.user / "clawd"]:
            reason = ""
            # One that may not be read keeps none of the others from being found.
            with suppress(OSError):
                reason = self.recognise(path)
                if not reason and path.is_dir() and _any_notes(path):
                    reason = f"notes in {path.name}"
            if reason:
                real = path.resolve()
                label = path.name.removeprefix("workspace-") if path.name != "workspace" else "openclaw"
                mine = here.is_relative_to(real)
                yield Home(real, self.name, reason, label, "", mine, os.access(real, os.W_OK))

    def recognise(self, path: Path) -> str:
        """Two of its files at the top, or one beside memory/; AGENTS.md and USER.md alone stand in other places too."""
        if path.name == "identity" and (path.parent / "data").is_dir():
            # OpenAkita's: a part of its workspace.
            return ""
        found = [name for name in _TELLING if (path / name).is_file()]
        own = [name for name in found if name in _TELLING[:4]]
        if not own and _noted(path) and any((path / name).is_dir() for name in (".clawhub", ".openclaw")):
            return "memory/ beside what OpenClaw keeps of its skills"
        if own and (len(found) > 1 or (path / "memory").is_dir() or (path / "MEMORY.md").is_file()):
            return " and ".join([*own, *(name for name in found if name not in own)][:2])
        in_place = path.parent.name == ".openclaw" and path.name.startswith("workspace")
        if in_place and (found or (path / "memory").is_dir() or (path / "MEMORY.md").is_file()):
            return "a workspace in .openclaw"
        several = [name for name in _workspaces(path) if self.recognise(path / name)]
        return f"{', '.join(several)} of OpenClaw" if several else ""

    def role(self, home: Path, path: str) -> Role | None:
        """Files at the top and in memory/; a workspace also holds whole projects, which are none of ours."""
        first, _, rest = path.partition("/")
        if _shared(home):
            if not rest or not _workspace(first):
                return None
            home /= first
            first, _, rest = (path := rest).partition("/")
        role = self._role(first, rest, path)
        if role is None or role.status is not Status.ACTIVE:
            return role
        if rest and first not in _KEPT and _of_project(home, path):
            return role._replace(status=Status.CODE)
        if role.parser == "markdown" and not role.shipped:
            role = role._replace(shipped=True)
        standing = Status.GENERATED if path.startswith(_DREAMT) else standing_of(path)
        return role if standing is Status.ACTIVE else role._replace(status=standing)

    def _role(self, first: str, rest: str, path: str) -> Role | None:
        if not rest:
            role = _TOP.get(first.lower()) or by_name(path)
            stem = first.rpartition(".")[0]
            # Workspaces keep their rules as the tool keeps its own: OPERATIONS.md, EMAIL_RULES.md.
            loud = stem.isupper() and stem.isascii() and stem not in _ABOUT
            made = role is not None and not loud and first.lower() not in _TOP and first.lower() not in _OWN
            return role._replace(status=Status.CODE) if made and role is not None else role
        role = by_name(path)
        if role is None or first.lower() not in _PLACES:
            return None
        if first == "skills":
            return _SKILL if path.endswith("/SKILL.md") else None
        if first.lower() in _MADE:
            return role._replace(status=Status.CODE)
        name = path.rsplit("/", 1)[-1]
        if first == "memory" and role.parser in {"markdown", "journal"} and name.lower().endswith(MARKDOWN):
            return _DAY if day_in(name) or role.parser == "journal" else _TOPIC._replace(kind=role.kind)
        return role

    def prune(self, home: Path, path: str) -> bool:
        """Hidden directories, and at the top all but those for notes."""
        first, _, rest = path.partition("/")
        if _shared(home):
            if not _workspace(first) or not rest:
                return not _workspace(first)
            first, _, rest = rest.partition("/")
        hidden = path.rsplit("/", 1)[-1].startswith(".") and path != ".learnings"
        return hidden or (not rest and first.lower() not in _PLACES)

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """USER.md, MEMORY.md, and memory/ by the local day; in all of the workspaces' home the first of them."""
        from memtui.layouts.places import place, refused

        inside = f"{found[0]}/" if (found := _workspaces(home.path)) else ""
        if layer is Layer.PROFILE:
            return place(home, f"{inside}USER.md", draft, layer, chinese=False)
        if layer in {Layer.CORE, Layer.KNOWLEDGE}:
            return place(home, f"{inside}MEMORY.md", draft, Layer.CORE, chinese=False)
        if layer is Layer.JOURNAL:
            path = f"{inside}memory/{clock.day(now)}.md"
            return place(home, path, draft, layer, "journal", append_only=True)
        raise refused(home, layer, "the agent keeps them outside of its workspace")

    def append_only(self, path: str) -> bool:
        """Nothing: its agents rewrite their notes."""
        return False

    def read_only(self, path: str) -> str:
        """Nothing is."""
        return ""


def _workspace(name: str) -> bool:
    return name == "workspace" or name.startswith("workspace-")


def _workspaces(root: Path) -> list[str]:
    """The workspaces that stand in OpenClaw's own directory, or in a copy of it."""
    try:
        found = sorted(filter(_workspace, os.listdir(root)))
    except OSError:
        return []
    if root.name == ".openclaw" or not found:
        return found
    # A copy of it goes by any name: then several of them say what they are, and the place itself is none.
    told = [name for name in found if any((root / name / own).is_file() for own in _TELLING[:2])]
    alone = any((root / own).is_file() for own in _TELLING[:2])
    return found if len(told) > 1 and not alone else []


@lru_cache(maxsize=64)
def _shared(home: Path) -> bool:
    """Whether it is OpenClaw's own directory, opened as one home of all its workspaces."""
    return bool(_workspaces(home))


def _noted(path: Path) -> bool:
    """Whether memory/ has a daily."""
    try:
        return any(day_in(name) and name.endswith(".md") for name in os.listdir(path / "memory"))
    except OSError:
        return False


def _of_project(home: Path, path: str) -> bool:
    """Whether a file stands in a directory of programs: a project beside the notes, with its papers and its data."""
    folder = home
    for name in path.split("/")[:-1]:
        folder /= name
        if _programmed(folder):
            return True
    return False


@lru_cache(maxsize=4096)
def _programmed(folder: Path) -> bool:
    """Whether a directory holds several programs, and more of them than notes."""
    try:
        names = os.listdir(folder)
    except OSError:
        return False
    programs = sum(name.endswith(_PROGRAMS) for name in names)
    return programs > 2 and programs > sum(name.endswith(MARKDOWN) for name in names)


def _any_notes(path: Path) -> bool:
    for folder in (path, path / "memory"):
        try:
            if any(name.endswith(".md") for name in os.listdir(folder)):
                return True
        except OSError:
            continue
    return False


LAYOUT = OpenClaw()
