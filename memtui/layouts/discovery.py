"""Homes found without configuration, and the home at exactly the path that a person names.

Homes that others share, as memtui keeps copies of them: `<cache>/team/<team>/<owner>@<machine>/<home>`.

A home's name there is its label, its layout and a few digits, divided by dots; owner and machine are empty for what
belongs to a team as a whole. Nothing is written here: what stands in the copies comes from a team's server.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from pathlib import Path

from memtui.core.errors import UnavailableError, UsageError
from memtui.core.locale import _
from memtui.core.model import DATABASES, Home, HomeOrigin
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.fs.places import find_cache_directory
from memtui.layouts import (
    LAYOUTS,
    NAMED_OTHERS,
    OTHER_PROJECT_NAMES,
    OTHER_PROJECT_SIGNS,
    OTHER_USER_SIGNS,
    OTHER_VARIABLES,
    OTHERS,
    Holding,
    Layout,
    Naming,
    Surroundings,
    iterate_specific_layouts,
    load_all_layouts,
    load_layout,
)
from memtui.layouts.git import find_project_roots, iterate_project_directories
from memtui.layouts.roles import list_directory_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping


_CLOSED = "it may not be looked into: check its permissions"

_INSIDE = (
    ".cursor/skills/memory-data", "skills/memory-data", "memory-data", ".multi_agent/memory", ".claude/memory",
    "memory",
)  # fmt: skip


_BELOW = ("openclaw", "helloagents")
_LOOKED_INTO = 100
_NOT_INTO = frozenset({".git", "node_modules", ".venv", "venv"})
_LOOKED_AT = 5000
"""Files that are counted where two layouts know a directory."""


def detect_surroundings(cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Surroundings:
    """What discovery looks at: this directory, this user, this environment. A worktree brings its siblings."""
    env = os.environ if env is None else env
    user = Path(env["HOME"]) if env.get("HOME") else Path.home()
    try:
        here = Path.cwd() if cwd is None else cwd
    except OSError:
        # The directory is gone; what the user has anywhere is still there.
        here = user
    return Surroundings(here, user, env, find_project_roots(here, user))


def discover_homes(
    around: Surroundings, more: Iterable[Path] = (), without: Iterable[str] = (), *, shared: bool = False
) -> list[Home]:
    """Every home for this directory and this user, the current project's first.

    `more` are directories a person configured; `without` are layouts or paths to leave out. `shared`: also what
    others share, last: whoever looks for something wants it, whoever learns or acts by what homes say does not.
    """
    left_out = {name if "/" not in name else str(Path(name).expanduser()) for name in without}
    left_out |= {name.replace("_", "-") for name in left_out}
    found: dict[Path, Home] = {}
    _find(((kind, partial(kind.find, around)) for kind in load_all_layouts()), around, left_out, found)
    for path in more:
        if path.expanduser().is_dir():
            home = open_home_at(path)
            found.setdefault(home.path, home._replace(reason=_("{why}; named in the config").format(why=home.reason)))
    if all(home.layout == "claude_md" for home in found.values() if home.current):
        # Someone who clones a project with an agent's notes in it is there, whatever the tool; and what a person
        # tells Claude there is a part of them.
        for home in _find_homes_here(around, left_out):
            if home.path not in found or found[home.path].layout == "claude_md":
                found[home.path] = home
    folders = [folder for folder in iterate_project_directories(around) if folder != around.user.resolve()]
    if _has_other_signs(around, folders):
        others = ((kind, partial(_list_held, kind, around, folders)) for kind in map(load_layout, OTHERS))
        own = list(found.values())
        _find(others, around, left_out, found)
        for home in [one for one in found.values() if one not in own]:
            # An agent's workspace within a vault: its notes are read as its own.
            if any(other.path != home.path and _is_part_of_home(other, home.path) for other in own):
                del found[home.path]
    for home in find_mirrors() if shared else ():
        if home.layout not in left_out:
            found.setdefault(home.path, home)
    homes = [home for home in found.values() if str(home.path) not in left_out]
    return sorted(homes, key=lambda home: not home.current)


def open_named_homes(paths: Iterable[Path], without: Iterable[str] = ()) -> list[Home]:
    """The homes that somebody names, each once; those of the directory where memtui was started, or of its project,
    are the current project's, as they are without a name. Raises as `open_home_at` does.
    """
    left_out = tuple(without)
    found: dict[Path, Home] = {}
    here: frozenset[Path] | None = None
    for path in paths:
        homes = list_homes_at(path, left_out)
        if here is None:
            around = detect_surroundings()
            here = frozenset(iterate_project_directories(around)) - {around.user.resolve()}
        if (folder := path.expanduser().resolve()) in here:
            homes = [home._replace(project=home.project or str(folder), current=True) for home in homes]
        found.update((home.path, home) for home in homes)
    return list(found.values())


def _find(
    kinds: Iterable[tuple[Layout, Callable[[], Iterable[Home]]]],
    around: Surroundings,
    left_out: set[str],
    found: dict[Path, Home],
) -> None:
    """Add the homes that these layouts find where no earlier one has taken the directory."""
    for kind, find in kinds:
        if kind.name in left_out:
            continue
        try:
            for home in find():
                found.setdefault(home.path, home)
        except PermissionError as error:
            # It hides what its layout would find after it, and nothing else; that it is there is said.
            closed = Path(error.filename or around.user).parent
            label = _shorten_user_path(closed) or _label(closed)
            found.setdefault(closed, Home(closed, kind.name, _CLOSED, label, writable=False))
        except OSError:
            continue


def _list_held(kind: Layout, around: Surroundings, folders: list[Path]) -> Iterator[Home]:
    if isinstance(kind, Holding):
        yield from kind.list_of_user(around)
        for folder in folders:
            yield from kind.list_inside(folder)


def _has_other_signs(around: Surroundings, folders: list[Path]) -> bool:
    """Whether anything stands here, or at the user's, that the layouts of other tools know."""
    return (
        any(around.env.get(name) for name in OTHER_VARIABLES)
        or any(os.path.lexists(os.path.join(around.user, name)) for name in OTHER_USER_SIGNS)
        or any(os.path.lexists(os.path.join(folder, name)) for folder in folders for name in OTHER_PROJECT_SIGNS)
    )


def _find_homes_here(around: Surroundings, left_out: set[str]) -> list[Home]:
    """The homes in the directory where memtui was started, or in its project's root, that their layouts look for
    in places of their own only."""
    user = around.user.resolve()
    for folder in iterate_project_directories(around):
        try:
            found = list_homes_at(folder, left_out) if folder.resolve() != user else []
        except (UsageError, UnavailableError, OSError):
            continue
        if found and found[0].layout != "plain":
            return [home._replace(project=str(folder), current=True) for home in found]
    return []


def open_home_at(path: Path) -> Home:
    """The home at exactly this path, whatever its layout; for a file, the home around it, or that file alone.

    Raises UsageError where there is nothing, UnavailableError where it may not be read.
    """
    return list_homes_at(path)[0]


def list_homes_at(path: Path, without: Iterable[str] = ()) -> list[Home]:
    """The homes that a directory holds, the one that most is remembered in first: a project may have what its agent
    was told beside what it learned. `without` are layouts that are not to be tried. Raises as `open_home_at` does.
    """
    try:
        real = path.expanduser().resolve(strict=True)
    except FileNotFoundError:
        raise UsageError(_("there is nothing at {path}").format(path=path)) from None
    except (OSError, RuntimeError) as error:
        raise UnavailableError(_("{path} cannot be opened: {reason}").format(path=path, reason=error)) from None
    mirrored = [home for home in find_mirrors() if home.path == real] if "team" in real.parts else []
    if mirrored:
        return mirrored
    if not real.is_dir():
        return [_find_home_around(real)]
    if not os.access(real, os.R_OK | os.X_OK):
        raise UnavailableError(_("{path} may not be read: check its permissions").format(path=real))
    # A project is named by its own directory, however deep inside it a tool keeps what it remembers.
    left_out = {name.replace("_", "-") for name in without}
    found: list[Home] = []
    inside = () if real.name == ".claude" else _INSIDE
    if (real / ".claude" / "projects").is_dir():
        # What an agent remembers of a project may be committed as it stands with the user.
        inside = (*inside, ".claude")
    for folder in chain([real], (inner.resolve() for inner in map(real.joinpath, inside) if inner.is_dir())):
        if not any(_is_part_of_home(home, folder) for home in found):
            found += filter(None, [_recognize_home(folder, left_out)])
    if found and found[0].path != real:
        told = load_layout("claude_md").recognise(real / ".claude") or "CLAUDE.md" * (real / "CLAUDE.md").is_file()
        if told:
            found.append(build_labelled_home(real, "claude_md", told))
    if not found:
        # A repository may hold an agent's workspace beside what runs it, or several projects with a base each.
        inner = [real / name for name in list_directory_names(real)[:_LOOKED_INTO] if name not in _NOT_INTO]
        known = ((folder, kind, load_layout(kind).recognise(folder)) for folder in inner for kind in _BELOW)
        found = [build_labelled_home(folder, kind, reason) for folder, kind, reason in known if reason]
    # What a person tells an agent stands beside what it remembers, and says least where both are there.
    found.sort(key=lambda home: home.layout == "claude_md")
    found += _list_others(real, left_out, alone=not found)
    if not found:
        reason = load_layout("plain").recognise(real) or _explain_nothing(real)
        return [build_labelled_home(real, "plain", reason)]
    return found


def _list_others(real: Path, left_out: set[str], *, alone: bool) -> list[Home]:
    """What a directory holds of other tools': itself, where nobody else knows it, and what stands in it."""
    found: dict[Path, Home] = {}
    if not (alone or any(os.path.lexists(os.path.join(real, name)) for name in OTHER_PROJECT_NAMES)):
        return []
    for kind in (load_layout(name) for name in OTHERS if name.replace("_", "-") not in left_out):
        reason = kind.recognise(real) if alone else ""
        if reason:
            found.setdefault(real, build_labelled_home(real, kind.name, reason)._replace(writable=False))
        for home in kind.list_inside(real) if isinstance(kind, Holding) else ():
            if home.path != real:
                found.setdefault(home.path, home._replace(current=False))
    return sorted(found.values(), key=lambda home: home.path != real)


def _explain_nothing(real: Path) -> str:
    """Why there is nothing to show: a database that is nobody's we know is not the same as no memories."""
    named = [name for name in list_directory_names(real) if name.lower().endswith(DATABASES)]
    if named:
        return _("holds {name}, a database that memtui does not know how to read").format(name=named[0])
    return _("a directory with no memories in it yet")


def _recognize_home(folder: Path, left_out: set[str]) -> Home | None:
    """The home that a directory is; where several layouts know it, the one that explains most of its files."""
    known = [
        (kind, reason)
        for kind in iterate_specific_layouts(folder)
        if kind.name.replace("_", "-") not in left_out and (reason := kind.recognise(folder))
    ]
    if not known:
        return None
    if len(known) > 1:
        explained = {kind.name: _count_explained(kind, folder) for kind, _why in known}
        known.sort(key=lambda one: -explained[one[0].name])
        # What a person tells Claude is a part of any project, and no other reading of it; and what is arranged as
        # memtui's own is read as that.
        others = [kind.name for kind, _why in known[1:] if kind.name != "claude_md" and explained[kind.name]]
        others = others if known[0][0].name != "memtui" else []
        if others:
            own, why = known[0][0].name, known[0][1]
            hint = _("{why}; to read it as {other}: `memtui config set homes.exclude {own}`")
            return build_labelled_home(folder, own, hint.format(why=why, other=others[0], own=own))
    return build_labelled_home(folder, known[0][0].name, known[0][1])


def _is_part_of_home(home: Home, folder: Path) -> bool:
    """Whether what stands in a directory is a part of a home that was found already."""
    if not folder.is_relative_to(home.path):
        return False
    kind = load_layout(home.layout)
    inner = folder.relative_to(home.path)
    steps = ["/".join(inner.parts[: end + 1]) for end in range(len(inner.parts))]
    if any(kind.prune(home.path, step) for step in steps):
        return False
    names = (name for name in list_directory_names(folder) if name.endswith(".md"))
    return any(kind.role(home.path, f"{steps[-1]}/{name}") is not None for name in islice(names, _LOOKED_AT))


def _count_explained(kind: Layout, folder: Path) -> int:
    """How many files of a directory a layout has a role for, of the first ones."""
    count = looked = 0
    for place, folders, names in os.walk(folder):
        above = Path(place).relative_to(folder).as_posix()
        above = "" if above == "." else f"{above}/"
        folders[:] = sorted(name for name in folders if name != ".git" and not kind.prune(folder, above + name))
        looked += len(names)
        count += sum(kind.role(folder, above + name) is not None for name in names)
        if looked > _LOOKED_AT:
            break
    return count


def build_labelled_home(path: Path, name: str, reason: str) -> Home:
    """A home of that layout at this path, labelled by the last telling part of its path."""
    kind = load_layout(name)
    label = kind.label(path) if isinstance(kind, Naming) else ""
    return Home(
        path, kind.name, reason, _shorten_user_path(path) or label or _label(path), writable=os.access(path, os.W_OK)
    )


def _shorten_user_path(path: Path) -> str:
    """'~/.claude/memory' for what a tool keeps for the user; empty for anything else."""
    try:
        parts = path.relative_to(Path.home().resolve()).parts
    except (ValueError, RuntimeError, OSError):
        return ""
    return f"~/{'/'.join(parts)}" if parts and len(parts) < 3 and parts[0].startswith(".") else ""


def _find_home_around(file: Path) -> Home:
    for folder in file.parents:
        for kind in chain(iterate_specific_layouts(folder), map(load_layout, NAMED_OTHERS)):
            if kind.recognise(folder) and kind.role(folder, file.relative_to(folder).as_posix()) is not None:
                return build_labelled_home(folder, kind.name, f"the home around {file.name}")
    plain = load_layout("plain")
    if plain.role(file.parent, file.name) is None:
        raise UsageError(_("{path} is not a file memtui can read: Markdown, JSON and JSONL are").format(path=file))
    return build_labelled_home(file.parent, f"file:{file.name}", f"the file {file.name}")


def _label(path: Path) -> str:
    generic = {
        ".claude",
        ".cursor",
        ".kiro",
        ".windsurf",
        ".github",
        ".gemini",
        ".engram",
        "memory-bank",
        ".multi_agent",
        "memory",
        "memories",
        "workspace",
        ".helloagents",
        "helloagents",
        "memory-data",
        "data",
        "skills",
    }
    parts = [part for part in path.parts if part not in {"/", ""}]
    for part in reversed(parts):
        if part.lower() not in generic:
            return part
    return path.name or str(path)


CURSOR = "cursor.json"
"""Beside the copies: how far they are, and when they last were right."""

_PERSON = compile_pattern(r"[a-z0-9][a-z0-9._-]{0,47}")
_HOME = compile_pattern(r"([\w-]{1,60})\.([a-z_]{1,20})\.([0-9a-f]{6})")


class MirrorName(NamedTuple):
    """What the name of a copy says."""

    owner: str
    machine: str
    label: str
    layout: str


def split_mirror_name(folder: str) -> MirrorName | None:
    """What `<owner>@<machine>/<home>` says; None: memtui makes no such name."""
    person, _slash, home = folder.partition("/")
    owner, at, machine = person.partition("@")
    named = _HOME.fullmatch(home)
    if not at or named is None or named[2] not in LAYOUTS:
        return None
    if (owner or machine) and not (_PERSON.fullmatch(owner) and _PERSON.fullmatch(machine)):
        return None
    return MirrorName(owner, machine, named[1], named[2])


def find_mirrors() -> Iterator[Home]:
    """The homes that others share with this machine, by team and owner; one look where there are none."""
    top = find_cache_directory() / "team"
    for team in list_directory_names(top):
        seen, offline, who = _read_cursor(top / team)
        for person in list_directory_names(top / team):
            if "@" not in person:
                continue
            for name in list_directory_names(top / team / person):
                found = split_mirror_name(f"{person}/{name}")
                path = top / team / person / name
                if found is None or path.is_symlink() or not path.is_dir():
                    continue
                origin = HomeOrigin(found.owner, found.machine, team, seen, offline, found.owner == who != "")
                yield Home(
                    Path(os.path.realpath(path)),
                    found.layout,
                    f"shared by {origin.told}",
                    f"{found.label} {origin.told}",
                    writable=False,
                    origin=origin,
                )


UNMIRRORED = "unmirrored.json"
"""Beside a team's copies: the homes that are not copied."""
STARTED = 6
"""Which of what is noted of each says that what a session is given of it is here."""


def find_unmirrored() -> Iterator[Home]:
    """The homes that others share and only their team's server holds, of which a session is given nothing yet."""
    top = find_cache_directory() / "team"
    for team in list_directory_names(top):
        seen, offline, who = _read_cursor(top / team)
        with suppress(OSError, ValueError, TypeError, LookupError, AttributeError):
            for folder, *about in json.loads((top / team / UNMIRRORED).read_bytes()):
                found = split_mirror_name(folder)
                if found is not None and [folder, *about][STARTED:][:1] != [True]:
                    origin = HomeOrigin(found.owner, found.machine, team, seen, offline, found.owner == who != "")
                    path = Path(os.path.realpath(top / team), *folder.split("/"))
                    label = f"{found.label} {origin.told}"
                    yield Home(path, found.layout, f"shared by {origin.told}", label, writable=False, origin=origin)


def refresh_origin(home: Home) -> Home:
    """The home, with how fresh its copy is now. Reads one small file, and for the person's own nothing."""
    if home.origin is None:
        return home
    seen, offline, _who = _read_cursor(home.path.parent.parent)
    return home._replace(origin=home.origin._replace(seen_at=seen, offline=offline))


def _read_cursor(team: Path) -> tuple[float | None, bool, str]:
    """When a team's copies last were right, whether its server did not answer since, and who one is in it."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        plain = json.loads((team / CURSOR).read_bytes())
        return float(plain.get("at") or 0) or None, bool(plain.get("error")), str(plain.get("who", ""))
    return None, False, ""
