"""Where skills are installed for a home: beside code-memory's, else where the agent of this user looks for them.

With them goes auto-capabilities.md (spec 002), which the agent reads at every start: a line for each skill that memtui
made. Other tools, and people, write to it as well: only our own lines come and go. A directory that is a link is
refused: what it leads to is nobody's to guess.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.disk.folder import real_path
from memtui.edits import Edit, Piece
from memtui.errors import OutsideError
from memtui.layouts.skills import INDEX, SKILL
from memtui.locale import _
from memtui.model import Home
from memtui.parse.fields import line
from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.config import EvolutionConfig

HEAD = (
    "# Auto capabilities\n\n"
    "Skills made from what came back in past sessions, each approved by the user."
    " Use one when its trigger words fit.\n\n"
)


class Anchor(NamedTuple):
    """A file by the nearest directory above it that is there, and the way down from that."""

    root: str
    path: str
    """'/'-separated."""

    @property
    def file(self) -> str:
        """The absolute path."""
        return os.path.join(self.root, *self.path.split("/"))

    @property
    def home(self) -> Home:
        """The directory as something that the vault writes to."""
        return Home(Path(self.root), "skills", "where skills are installed", Path(self.root).name)


class Place(NamedTuple):
    """Where the skills of a home go."""

    skills: Path
    """The directory that holds one directory for each skill."""
    listing: Path
    """auto-capabilities.md."""

    def skill(self, name: str) -> Anchor:
        """The file of a skill. Raises OutsideError where a link stands in the way."""
        return anchored(self.skills / name / SKILL, above=self.skills)

    @property
    def listed(self) -> Anchor:
        """The index. Raises OutsideError as `skill` does."""
        return anchored(self.listing, above=self.listing.parent)

    @property
    def homes(self) -> tuple[Home, ...]:
        """What must be open to be written to. Raises OutsideError as `skill` does."""
        return anchored(self.skills, above=self.skills).home, self.listed.home

    def taken(self) -> set[str]:
        """Names that something in the directory has, whatever it is, without regard to case."""
        with suppress(OSError):
            return {name.casefold() for name in os.listdir(self.skills)}
        return set()


def anchored(file: Path, *, above: Path) -> Anchor:
    """The file from the nearest directory over `above` that is there. Raises OutsideError for a link below that."""
    top = above.parent
    while not top.is_dir() and top != top.parent:
        top = top.parent
    root = real_path(top)
    parts = file.relative_to(top).parts
    for depth in range(1, len(parts) + 1):
        place = os.path.join(root, *parts[:depth])
        if os.path.islink(place):
            raise OutsideError(
                _(
                    "{path} is a link: skills are not installed through one. Name the real directory in "
                    "evolution.skills."
                ).format(path=place)
            )
    return Anchor(root, "/".join(parts))


def of(home: Home, config: EvolutionConfig, env: Mapping[str, str] | None = None) -> Place:
    """Where skills go that come from this home's patterns: `evolution.skills`, else the agent's own directory."""
    claude, codex, user = _agents(env)
    if home.layout == "code-memory":
        claude = home.path.parent
    if config.skills:
        skills = Path(config.skills).expanduser()
        skills = skills if skills.is_absolute() else user / skills
    elif home.layout == "code-memory" or claude.is_dir():
        skills = claude / "skills"
    elif codex.is_dir():
        skills = user / ".agents" / "skills"
    else:
        skills = home.path / "skills"
    loaded = home.layout == "code-memory" or Path(os.path.normpath(skills)).parent == claude
    skills = Path(os.path.normpath(skills))
    return Place(skills, (claude / "rules" if loaded else skills.parent) / INDEX)


def known(home: Home, config: EvolutionConfig, env: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Every directory that a skill of this home may have been installed to, today's first."""
    claude, _codex, user = _agents(env)
    own = home.path.parent if home.layout == "code-memory" else home.path
    others = (own / "skills", claude / "skills", user / ".agents" / "skills")
    return tuple(dict.fromkeys((of(home, config, env).skills, *others)))


def _agents(env: Mapping[str, str] | None) -> tuple[Path, Path, Path]:
    """Claude Code's directory, Codex's, and the user's."""
    from memtui.layouts import Surroundings

    env = os.environ if env is None else env
    user = Path(env.get("HOME") or os.path.expanduser("~"))
    around = Surroundings(user, user, env)
    claude = around.variable("CLAUDE_CONFIG_DIR", user / ".claude")
    codex = around.variable("CODEX_HOME", user / ".codex")
    return user / claude, user / codex, user


# -- auto-capabilities.md ------------------------------------------------------------------------------------------


def _entry(name: str, description: str) -> str:
    """A skill's line."""
    return f"- **{name}**: {line(safe_text(description, keep_newlines=False), 1100)}"


def indexed(data: bytes) -> set[str]:
    """The skills that have a line."""
    return {found.decode("ascii") for found in re.findall(rb"(?m)^- \*\*([a-z0-9-]{1,64})\*\*:", data)}


def with_line(at: Anchor, base: bytes | None, name: str, description: str) -> Edit:
    """The change that lists a skill at the end."""
    said = _entry(name, description) + "\n"
    if base is None:
        return Edit(at.root, at.path, None, (Piece(0, 0, (HEAD + said).encode("utf-8", "replace")),))
    end = "\r\n" if b"\r\n" in base else "\n"
    healed = end if base and not base.endswith(b"\n") else ""
    new = (healed + said.replace("\n", end)).encode("utf-8", "replace")
    return Edit(at.root, at.path, base, (Piece(len(base), len(base), new),))


def without_line(at: Anchor, base: bytes | None, name: str) -> Edit | None:
    """The change that takes its line out; the file with it where nothing but our head is left. None: it has none."""
    if base is None:
        return None
    start = re.search(rb"(?m)^- \*\*" + re.escape(name.encode()) + rb"\*\*:[^\n]*(?:\n|\Z)", base)
    if start is None:
        return None
    rest = base[: start.start()] + base[start.end() :]
    if rest.decode("utf-8", "replace").split() in ([], HEAD.split()):
        return Edit(at.root, at.path, base, (), remove=True)
    return Edit(at.root, at.path, base, (Piece(start.start(), start.end(), b""),))
