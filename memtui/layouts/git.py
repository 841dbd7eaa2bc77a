"""Which directories are one project: a checkout and its worktrees, read from `.git` without running git.

Everything read here is hostile: files are opened for their first kilobytes only, and what cannot be understood
counts as "no repository".
"""

from __future__ import annotations

import os
import re

from memtui.core.startup import TYPE_CHECKING, sha1

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memtui.layouts import Surroundings

_MARKS = (
    ".helloagents",
    "helloagents",
    ".multi_agent",
    ".memtui",
    ".cursor",
    ".claude",
    "CLAUDE.md",
    "AGENTS.md",
)
_HEAD = 64 * 1024
_WORKTREES = 256
_SECTION = r'^\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]'
_ADDRESS = r"^(?:[A-Za-z][\w+.-]*://)?(?:[^@/]*@)?(\[[^\]]*\]|[^:/]+)(?::\d+(?=/)|:)?/*(.*)$"
_UNFIT = r"[^A-Za-z0-9.\-_]"


def find_project_roots(cwd: Path, user: Path | None = None) -> tuple[Path, ...]:
    """The project around a directory: the checkout it stands in, the main one, then the other worktrees.

    Outside a repository it is the nearest directory, from here up and below the user's own, in which an agent has
    left something; else this one. Only directories that exist; links are resolved.
    """
    here = _resolve_path(cwd)
    top = _find_git_top(here)
    if top is None:
        return (_find_marked_directory(here, user),)
    common = _find_common_directory(top)
    roots = [top]
    if common is not None:
        roots += _list_main_checkouts(common)
        roots += _list_worktrees(common)
    return tuple(dict.fromkeys(root for root in map(_resolve_path, roots) if root.is_dir()))


def find_main_root(cwd: Path, user: Path | None = None) -> Path:
    """The one directory that stands for a project: its main checkout, the bare repository of its worktrees, or itself.

    Whether or not it exists; links are resolved.
    """
    here = _resolve_path(cwd)
    top = _find_git_top(here)
    if top is None:
        return _find_marked_directory(here, user)
    common = _find_common_directory(top)
    if common is None:
        return top
    found = [root for root in map(_resolve_path, _list_main_checkouts(common)) if root.is_dir()]
    return found[0] if found else _resolve_path(common)


def derive_origin_key(root: Path) -> str:
    """The repository's name as spec 001 §2.1 derives it from its origin: 'github.com_owner_repo'.

    Worktrees answer as their main checkout does. Empty without a repository or an origin.
    """
    return derive_address_key(read_origin_address(root))


def read_origin_address(root: Path) -> str:
    """The address of the repository's origin as it stands in its config; empty without one."""
    top = _find_git_top(_resolve_path(root))
    common = _find_common_directory(top) if top is not None else None
    return _read_git_setting(common, "remote", "origin", "url") if common is not None else ""


def derive_address_key(address: str) -> str:
    """A remote's address as a key: scheme, user, port and '.git' left out, odd characters as '_'."""
    address = address.strip()
    if not address:
        return ""
    if address.startswith(("/", "./", "../", "file:")) or re.match(r"[A-Za-z]:[\\/]", address):
        plain = address.removeprefix("file:").strip("/\\")
    else:
        match = re.match(_ADDRESS, address)
        if match is None:
            return ""
        plain = f"{match[1]}/{match[2]}"
    plain = plain.replace("\\", "/").strip("/").removesuffix(".git")
    return re.sub(_UNFIT, "_", plain).strip("_")


def derive_directory_key(folder: Path) -> str:
    """`<dirname>_<sha1(abspath)[:8]>`: a project's key where there is no git origin (spec 001 §2.1)."""
    digest = sha1(os.fsencode(os.path.abspath(folder)))
    return f"{folder.name}_{digest[:8]}"


def iterate_project_directories(around: Surroundings) -> Iterator[Path]:
    """Where a project may keep memory: here, each directory above as far as the project's root, its worktrees.

    Never the user's home directory itself, unless it is where memtui was started.
    """
    here, user = _resolve_path(around.cwd), _resolve_path(around.user)
    roots = [_resolve_path(root) for root in around.projects]
    seen = {here}
    yield here
    if any(here.is_relative_to(root) for root in roots):
        for folder in here.parents:
            if folder == user or not any(folder.is_relative_to(root) for root in roots):
                break
            if folder not in seen:
                seen.add(folder)
                yield folder
    for root in roots:
        if root not in seen and root != user:
            seen.add(root)
            yield root


def _resolve_path(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path.absolute()


def is_checkout(cwd: Path) -> bool:
    """Whether a directory stands in a repository."""
    return _find_git_top(_resolve_path(cwd)) is not None


def _find_git_top(here: Path) -> Path | None:
    """The nearest directory, from here up, with a '.git' that is one."""
    for folder in (here, *here.parents):
        git = folder / ".git"
        if os.path.isfile(git) or os.path.exists(git / "HEAD") or os.path.exists(git / "config"):
            return folder
    return None


def _find_marked_directory(here: Path, user: Path | None) -> Path:
    own = _resolve_path(user) if user is not None else None
    for folder in (here, *here.parents):
        if folder in {own, folder.parent}:
            break
        if any(os.path.exists(folder / mark) for mark in _MARKS):
            return folder
    return here


def _read_head(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _find_common_directory(top: Path) -> Path | None:
    """The repository's own directory, which all its worktrees share."""
    git = top / ".git"
    if git.is_dir():
        return git
    text = _read_head(git)
    if not text.startswith("gitdir:"):
        return None
    own = top / text.partition(":")[2].strip().split("\n")[0]
    shared = _read_head(own / "commondir").strip()
    common = own / shared if shared else own
    return common if common.is_dir() else None


def _list_main_checkouts(common: Path) -> list[Path]:
    """The main checkout: beside '.git', or where the repository says its files are; bare ones have none."""
    common = _resolve_path(common)
    if common.name == ".git":
        return [common.parent]
    place = _read_git_setting(common, "core", "", "worktree")
    return [common / place] if place else []


def _list_worktrees(common: Path) -> list[Path]:
    try:
        names = sorted(os.listdir(common / "worktrees"))[:_WORKTREES]
    except OSError:
        return []
    found: list[Path] = []
    for name in names:
        place = _read_head(common / "worktrees" / name / "gitdir").strip()
        if place and (common / "worktrees" / name / place).name == ".git":
            found.append((common / "worktrees" / name / place).parent)
    return found


def _read_git_setting(common: Path, section: str, part: str, name: str) -> str:
    """The last value of a key in the repository's config; quotes and trailing comments taken off."""
    value, inside = "", False
    for raw in _read_head(common / "config").splitlines():
        line = raw.strip()
        match = re.match(_SECTION, line)
        if match:
            inside = match[1].lower() == section and (match[2] or "") == part
            line = line[match.end() :].strip()
        if inside and "=" in line:
            key, _, rest = line.partition("=")
            if key.strip().lower() == name:
                rest = rest.strip()
                value = rest[1:].partition('"')[0] if rest.startswith('"') else re.split(r"\s[#;]", rest)[0].strip()
    return value


def list_branches(root: Path) -> frozenset[str] | None:
    """The branches that a checkout knows, its own and those of its remotes; None where that cannot be told."""
    top = _find_git_top(_resolve_path(root))
    common = _find_common_directory(top) if top is not None else None
    # A shallow clone knows one branch; what keeps its references in tables is not read here.
    if common is None or (common / "shallow").exists() or (common / "reftable").exists():
        return None
    found: set[str] = set()
    for line in _read_head(common / "packed-refs").splitlines():
        name = line.partition(" ")[2]
        if name.startswith("refs/heads/"):
            found.add(name[11:])
        elif name.startswith("refs/remotes/"):
            found.add(name[13:].partition("/")[2])
    for folder, remote in (("refs/heads", False), ("refs/remotes", True)):
        base = common / folder
        for place, _folders, names in os.walk(base):
            inner = os.path.relpath(place, base).replace(os.sep, "/")
            for name in names:
                whole = name if inner == "." else f"{inner}/{name}"
                found.add(whole.partition("/")[2] if remote else whole)
    head = _read_head(common / "HEAD").strip().partition("refs/heads/")[2]
    return frozenset({*found, head} - {"", "HEAD"}) or None
