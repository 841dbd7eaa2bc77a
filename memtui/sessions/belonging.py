"""Whose a memory is: this session's project, another one, or nobody says. Other projects' memories are not given."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from memtui.pattern import pattern

if TYPE_CHECKING:
    from memtui.config import Config
    from memtui.model import Home
    from memtui.sessions.session import Session

_ODD = pattern(r"[^\w]+|_+")


class Belonging(NamedTuple):
    """One project, by every name that it goes by."""

    names: frozenset[str]
    roots: tuple[Path, ...]
    """Its directories: where the session works, its checkout, other worktrees."""

    def told(self, project: str, cwd: str = "") -> bool | None:
        """Whether something that names this project or directory is of ours; None where it names neither."""
        if cwd and self.holds(cwd):
            return True
        if project:
            return self.holds(project) if _is_path(project) else folded(project) in self.names
        return False if cwd else None

    def holds(self, path: str) -> bool:
        """Whether a directory is the project's, or inside of it."""
        from memtui.sessions.heads import inside

        return any(inside(path, str(root)) for root in self.roots)

    def home(self, home: Home) -> bool:
        """Whether a home is this project's or the person's own."""
        return home.current or not home.project or bool(self.told(home.project))


def belonging(session: Session, config: Config) -> Belonging:
    """The project that a session is about."""
    from memtui.layouts.git import project_roots

    user = Path.home()
    roots: tuple[Path, ...] = ()
    if session.cwd:
        cwd = Path(session.cwd)
        # All that a person has is inside of their own directory: working there is working on no project.
        roots = tuple(root for root in dict.fromkeys((cwd, *project_roots(cwd, user))) if root != user)
    names = {session.name, session.project, config.project.key, *(root.name for root in roots)}
    ours = {folded(name) for name in names if name}
    for alias in config.project.aliases:
        main, colon, others = alias.partition(":")
        every = {folded(name) for name in (main, *others.split("|")) if name.strip()}
        # 'shop: shop-api|old-shop' is about shop; a name alone is another of whatever project this is.
        if not colon or every & ours:
            ours |= every
    return Belonging(frozenset(ours), roots)


def folded(name: str) -> str:
    """A project's name as names are compared: 'My_Shop' and 'my-shop' are one."""
    return _ODD.sub("-", PurePath(name).name if _is_path(name) else name).strip("-").casefold()


def _is_path(name: str) -> bool:
    return name.startswith(("/", "~")) or name[1:3] in {":\\", ":/"}
