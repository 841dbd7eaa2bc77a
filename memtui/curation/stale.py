"""Memories that name files, commands or branches which the project at hand does not have any more: proposed, no more.

A project is at hand where a home tells its directory or lies in it, and where it is the one that memtui was started
in. What a session did is history and names what there was; only what is to hold now can be stale.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.curation.candidates import Candidate, identified
from memtui.curation.finding import source
from memtui.curation.mentions import mentions, names_any
from memtui.curation.obstacles import why_not
from memtui.curation.project_tree import Tree
from memtui.layouts import layout
from memtui.layouts.claude_projects import project
from memtui.locale import _
from memtui.model import Layer, Status
from memtui.parse.kinds import TOPICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.curation.census import Census, Remembered
    from memtui.curation.mentions import Mention
    from memtui.model import Home, Memory
    from memtui.vault import Vault

LONGEST = 1200
"""Characters of a memory beyond which it is a document, and what it names is for its author to keep up."""

_LASTING = frozenset({"fact", "pref", "decision", "rule", "lesson", "note", "skill", "experience", *TOPICS})
_MARKS = (
    ".git", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "build.gradle", "Makefile", "Gemfile",
    "composer.json", "setup.py", "CMakeLists.txt",
)  # fmt: skip
_AT_THE_TOP = frozenset({"helloagents", "claude_md", "single"})
"""Layouts whose home may be the project's directory itself."""
_UP = 4
"""Directories above a home that may be the project it lies in."""
_TOLD = 3


def candidates(vault: Vault, count: Census | Remembered) -> Iterator[Candidate]:
    """What one home remembers of things that are no more, in the order of its files."""
    home = count.home
    own, here = root_of(home, vault), _Here(vault)
    trees: dict[Path, Tree] = {}
    for memory in count.memories.values():
        if not _lasts(memory):
            continue
        if own is None and not names_any(memory.text):
            continue
        root = own or here.root(_named(home, memory))
        told = mentions(memory.text, str(root)) if root is not None else ()
        if root is None or not told:
            continue
        tree = trees.get(root)
        if tree is None:
            tree = trees[root] = Tree(root)
        gone = [one for one in told if tree.lacks(one)]
        if gone and not why_not("archive", memory, vault):
            yield _candidate(memory, told, gone, tree)


def root_of(home: Home, vault: Vault) -> Path | None:
    """The directory of the project that a home belongs to; None: it belongs to none, or nobody knows where it is."""
    if home.project and os.path.isabs(home.project):
        return _directory(home.project)
    if home.layout == "claude" and not home.project:
        told = project(home.path.parent if home.path.name == "memory" else home.path)
        if told is not None and told.cwd:
            return _directory(told.cwd)
    if home.layout in _AT_THE_TOP and any(os.path.lexists(home.path / mark) for mark in _MARKS):
        return home.path
    inside = _around(str(home.path), os.environ.get("HOME") or os.path.expanduser("~"))
    if inside is not None:
        return inside
    # A workspace of XingheBot is named after its project's origin.
    called = home.project or (home.label if home.layout == "xinghebot" else "")
    return _Here(vault).root(called) if called else None


class _Here:
    """The project that memtui was started in, by the names that homes have for it."""

    def __init__(self, vault: Vault) -> None:
        self._config = vault.config
        self._known: dict[str, Path | None] = {}

    def root(self, called: str) -> Path | None:
        if not called:
            return None
        if called not in self._known:
            self._known[called] = self._found(called)
        return self._known[called]

    def _found(self, called: str) -> Path | None:
        from memtui.layouts.git import main_root
        from memtui.sessions.project import resolved

        try:
            here = Path.cwd()
            return main_root(here) if resolved(called, here, self._config) else None
        except (OSError, ValueError):
            return None


def _lasts(memory: Memory) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.layer in {Layer.CORE, Layer.KNOWLEDGE}
        and memory.kind in _LASTING
        and len(memory.text) <= LONGEST
    )


def _named(home: Home, memory: Memory) -> str:
    """The project of one memory, in a home of many."""
    role = layout(home.layout).role(home.path, memory.path)
    return (role.project if role is not None else "") or str(memory.extra.get("project", ""))


@lru_cache(maxsize=256)
def _around(path: str, user: str) -> Path | None:
    """The project that a directory lies in, by what projects have; the user's own directory is none."""
    folder = Path(path)
    closed = {Path(user), Path(os.path.realpath(user)), Path(folder.anchor)}
    for above in list(folder.parents)[:_UP]:
        if above in closed:
            return None
        if any(os.path.lexists(above / mark) for mark in _MARKS):
            return above
    return None


def _directory(path: str) -> Path | None:
    try:
        found = Path(path).resolve()
        return found if found.is_dir() and found != Path(found.anchor) else None
    except (OSError, ValueError, RuntimeError):
        return None


def _candidate(memory: Memory, told: tuple[Mention, ...], gone: list[Mention], tree: Tree) -> Candidate:
    names = [one.name for one in gone]
    return Candidate(
        identified("stale", memory.home, f"{memory.text}\0{' '.join(sorted(names))}"),
        "stale",
        memory.home,
        memory.text,
        memory.kind,
        memory.layer or Layer.KNOWLEDGE,
        None,
        len(gone) / len(told),
        tuple(("gone", _said(one, tree)) for one in gone),
        (source(memory),),
        time=memory.created if memory.created is not None else memory.modified,
        memories=(memory.id,),
        reason=_reason(gone, tree),
    )


def _reason(gone: list[Mention], tree: Tree) -> str:
    """What is gone, in a sentence."""
    shown = ", ".join(_said(one, tree) for one in gone[:_TOLD])
    if len(gone) > _TOLD:
        shown += ", …"
    return _("no longer in {project}: {names}").format(project=tree.root.name, names=shown)


def _said(mention: Mention, tree: Tree) -> str:
    name = mention.name
    if mention.kind == "branch":
        return _("the branch {name}").format(name=name)
    if mention.kind in {"script", "make", "just"}:
        tool = {"script": "npm run", "make": "make", "just": "just"}[mention.kind]
        return f"{tool} {name}"
    place = tree.perhaps(name)
    return _("{name} (now {place}?)").format(name=name, place=place) if place else name
