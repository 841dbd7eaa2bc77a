"""Which directories are memory homes, and what each file in them is: one file a layout, one line in `LAYOUTS`.

A layout answers: where its homes are for this user and directory (`find`), whether a directory is one
(`recognise`), what a file in it is (`role`), and where a new memory goes (`target`). All but the last use names
and a few existence checks and read no memories.

Floor: above formats, below index; the only package that names a tool. Doors: `LAYOUTS`, `load_layout`,
`discovery.discover_homes`, `discovery.open_home_at`, `home_config`, `trace_sources`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from memtui.core.startup import TYPE_CHECKING, NamedTuple, Protocol, cast, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.core.edits import Draft, Target
    from memtui.core.model import Home, Layer, Role


class Surroundings(NamedTuple):
    """Where memtui was started: everything discovery may look at, so that tests can set it all."""

    cwd: Path
    user: Path
    """The user's home directory."""
    env: Mapping[str, str] = MappingProxyType({})
    projects: tuple[Path, ...] = ()
    """The project's own directories: its root first, then other worktrees of the same repository."""
    keys: tuple[str, ...] = ()
    """Names that homes know this project by, as its person configured them."""

    def variable(self, name: str, default: Path) -> Path:
        """A directory named by an environment variable ('~' expanded), else its default."""
        value = self.env.get(name, "").strip()
        if not value:
            return default
        if value == "~" or value.startswith("~/"):
            return self.user / value[2:]
        return Path(value)


class Layout(Protocol):
    """How one kind of home is arranged. Stateless; a module-level object `LAYOUT` in each layout's file."""

    name: str

    def find(self, around: Surroundings) -> Iterable[Home]:
        """Homes of this layout for this directory and this user; only ones that exist."""

    def recognise(self, path: Path) -> str:
        """Why this directory is a home of this layout, in a few words for a person; empty: it is not."""

    def role(self, home: Path, path: str) -> Role | None:
        """What the file at `path` (relative, '/'-separated) is; None: not a memory."""

    def prune(self, home: Path, path: str) -> bool:
        """Whether a directory (relative) holds nothing of ours, so that it is neither walked nor watched."""

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """Where a new memory of this layer goes: the file, its format, the section by the draft's kind.

        The answer's layer is the file's: PROFILE is written by a person only. Raises RefusedError with the reason
        where the home takes no such memory.
        """

    def append_only(self, path: str) -> bool:
        """Whether the file is only ever appended to, by whoever is no person."""

    def read_only(self, path: str) -> str:
        """Why the file is not to be written, for a person (a source string); empty: it may be."""


@runtime_checkable
class Naming(Protocol):
    """A layout whose homes are best called by something that their path does not say."""

    def label(self, path: Path) -> str:
        """A short name for the home at this path; empty where it has none."""


@runtime_checkable
class Recording(Protocol):
    """A layout in whose homes memtui writes the summaries of sessions (L2, spec 000)."""

    def session(self, home: Home, id: str, now: float) -> Target:
        """The one file of the session with this id, which fits a file's name; the format is the layout's name."""


@runtime_checkable
class Attaching(Protocol):
    """A layout whose homes hold files that are no memories, but that one tells of: attachments (spec 003)."""

    def attached(self, home: Path, path: str) -> bool:
        """Whether the file at `path` may be one by its place and name: only then it can go to the trash."""


LAYOUTS: tuple[str, ...] = (
    "memtui",
    "helloagents",
    "xinghebot",
    "code_memory",
    "openakita",
    "skillix",
    "claude",
    "claude_md",
    "codex",
    "openclaw",
    "plain",
)
"""In the order in which a directory is tried: the most telling first, any directory of Markdown last."""
APART = ("skills",)
"""Never looked for: opened by what writes there, and only there."""


def load_layout(name: str) -> Layout:
    """The layout of that name ('code-memory' and 'code_memory' are one). Raises KeyError for an unknown name."""
    if name.startswith("file:"):
        return cast("Layout", import_module("memtui.layouts.plain").Single(name.removeprefix("file:")))
    module = name.replace("-", "_")
    if module not in LAYOUTS and module not in APART:
        raise KeyError(name)
    return cast("Layout", import_module(f"memtui.layouts.{module}").LAYOUT)


def load_all_layouts() -> list[Layout]:
    """All of them, in order."""
    return [load_layout(name) for name in LAYOUTS]


def iterate_specific_layouts() -> Iterator[Layout]:
    """All but the last, which takes any directory; each is loaded when its turn comes."""
    return map(load_layout, LAYOUTS[:-1])
