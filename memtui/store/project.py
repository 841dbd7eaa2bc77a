"""Which project a directory belongs to (spec 001 §2.1), and passages without what reads like an order to agents.

- `is_known_safe`: hashes of texts in which no order was found, in the cache, because hooks give the same few
  files again and again. A hash covers the rules as well: other rules look again.
- `remove_orders`: passages without orders (reliability §4). Files are never altered, and what a person approved
  in Review stays as long as its text is the one that was approved.
- `derive_project_key`: the config's own key, else made of git's origin, else of the directory's name and path;
  the worktrees of one repository are one project. In `project.aliases` 'shop: shop-api|github.com_old_shop'
  says that the others are shop; a name alone is another name of this project.

Which home a new memory goes to where nobody says, and where a session's notes and its summary go.

A new memory goes to the current project's home, else to memtui's own, which is made where the person has no home of
another tool's for all projects; a session's to
the project's, else to the agent's own, else to memtui's. Nothing is indexed here, because hooks wait for it.
"""

from __future__ import annotations

import os
import re
import unicodedata
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path

from memtui import safety
from memtui.core import clock
from memtui.core.errors import ReadOnlyError, RefusedError, describe_os_error
from memtui.core.locale import _
from memtui.core.model import Home, Layer
from memtui.core.startup import TYPE_CHECKING, compile_pattern, sha256
from memtui.fs.places import find_cache_directory, make_private_directory
from memtui.layouts import Founding, Recording, can_take, load_all_layouts, load_facts, load_layout
from memtui.layouts.discovery import detect_surroundings, discover_homes, open_home_at
from memtui.layouts.git import derive_address_key, derive_directory_key, find_main_root, read_origin_address
from memtui.layouts.home_config import read_home_config
from memtui.layouts.roles import find_area
from memtui.safety.sanitize import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeVar

    from memtui.core.config import Config
    from memtui.core.edits import Draft
    from memtui.language.conversation import Session
    from memtui.layouts import Surroundings
    from memtui.store.passage import Passage
    from memtui.store.vault import Vault
    from memtui.store.writing import Writing

    Lines = Sequence[tuple[int, str]]
    W = TypeVar("W", bound="Writing")

_NAME = "innocent"
_MOST = 64 * 1024
"""Bytes of the file; when it is full it begins anew."""
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def is_known_safe(text: str) -> bool:
    """Whether this text was looked through before, and nothing was found."""
    try:
        with open(find_cache_directory() / _NAME, "rb") as file:
            return _derive_verdict_key(text) in file.read(_MOST + 1).split(b"\n")
    except OSError:
        return False


def remember(text: str) -> None:
    """It was looked through, and nothing was found. Never raises: it is looked through again."""
    with suppress(OSError, RefusedError):
        make_private_directory(find_cache_directory())
        handle = os.open(find_cache_directory() / _NAME, _FLAGS, 0o600)
        try:
            if os.fstat(handle).st_size > _MOST:
                os.ftruncate(handle, 0)
            os.write(handle, _derive_verdict_key(text) + b"\n")
        finally:
            os.close(handle)


def _derive_verdict_key(text: str) -> bytes:
    said = text.encode("utf-8", "surrogatepass")
    return sha256(_fingerprint_rules() + b"\0" + said).encode()


@cache
def _fingerprint_rules() -> bytes:
    """Changes with the rules: the sizes and times of the files that hold them."""
    told: list[tuple[str, int, int]] = []
    for folder in safety.__path__:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".so", ".pyd")):
                    status = entry.stat()
                    told.append((entry.name, status.st_size, status.st_mtime_ns))
    return repr(sorted(told)).encode()


ORDER = "it reads like an order to agents"
"""Why something is not given, for a person."""


def remove_orders(found: Passage) -> tuple[Passage, list[tuple[int, str]]]:
    """The passage without its orders; and those, each with the line that it begins on."""
    if is_known_safe(found.text):
        return found, []
    if not _is_order(found.text):
        remember(found.text)
        return found, []
    allowed: set[int] = set()
    bad: dict[int, str] = {}
    for entry in found.entries:
        if _is_order(entry.text):
            if _is_approved(found.home, entry.text):
                allowed.update(range(entry.start, entry.end + 1))
            else:
                bad.update((line, "") for line in range(entry.start + 1, entry.end + 1))
                bad[entry.start] = entry.text
    lines = [item for item in found.lines if item[0] not in bad]
    for _again in range(len(lines)):
        asked = [item for item in lines if item[0] not in allowed]
        if not _is_order(_join_lines(asked)):
            break
        worst = _find_first_bad(asked)
        bad[worst[0]] = worst[1]
        lines.remove(worst)
    return found._replace(lines=tuple(lines)), [item for item in sorted(bad.items()) if item[1]]


def has_order_name(path: str) -> bool:
    """Whether a file is called what reads like an order: its name is given with what stands in it."""
    if is_known_safe(path):
        return False
    spoken = path.rpartition(".")[0].replace("-", " ").replace("_", " ").replace("/", "\n")
    if _is_order(path) or _is_order(spoken):
        return True
    remember(path)
    return False


def _is_order(text: str) -> bool:
    # The rules cost more to load than all that is given to read.
    from memtui.safety.injection import examine

    return examine(text).action == "quarantine"


def _find_first_bad(lines: Lines) -> tuple[int, str]:
    """The line with which it begins to read like an order: one that is divided has no line of its own."""
    low, high = 1, len(lines)
    while low < high:
        middle = (low + high) // 2
        if _is_order(_join_lines(lines[:middle])):
            high = middle
        else:
            low = middle + 1
    return lines[low - 1]


def _join_lines(lines: Iterable[tuple[int, str]]) -> str:
    return "\n".join(line for _number, line in lines)


def _is_approved(home: Home, text: str) -> bool:
    """Whether a person approved just this text for this home."""
    from memtui.store import candidates

    # What a home brings along from elsewhere nobody here has approved.
    return home.path == find_own_home().path and candidates.is_approved_text(home, text)


LONGEST = 128
"""Characters of a key."""
LONGEST_NAME = 64
"""Characters of a name."""
NEAR = 74.0
"""How alike two names must be, of 100, for one to be meant by the other."""

_FIT = compile_pattern(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_UNFIT = compile_pattern(r"[^A-Za-z0-9._-]")
_HARMFUL = compile_pattern(rf"(?:[^\w .+@()&=,-]|[{HIDDEN}])+|\.\.+")
_DEVICE = compile_pattern(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_PLAIN = compile_pattern(r"[\W_]+")


def derive_project_key(cwd: Path, config: Config) -> str:
    """The project's key: letters, digits, dots, underscores and dashes, at most 128; never empty. Never raises."""
    own = config.project.key.strip()
    root = _find_root(os.fspath(cwd), _find_user_directory())
    found = fit(
        own or _read_configured_key(root) or derive_remote_key(read_origin_address(root)) or derive_directory_key(root),
        str(root),
    )
    return _map_meanings(config).get(found.casefold()) or _map_meanings(config).get(root.name.casefold()) or found


def _read_configured_key(root: Path) -> str:
    """The key that the project's own config.json names (spec 001 §2.1)."""
    section = read_home_config(root).get("memory")
    key = section.get("project_key") if isinstance(section, dict) else ""
    return key.strip() if isinstance(key, str) else ""


def name(cwd: Path, config: Config) -> str:
    """What a person calls the project: the config's key, else its directory's name; one harmless line."""
    own = config.project.key.strip()
    root = _find_root(os.fspath(cwd), _find_user_directory())
    found = sanitize_name(own or root.name.removesuffix(".git")) or derive_project_key(cwd, config)
    return f"project-{_digest(found)}" if _is_odd_name(found) else found


def resolve_project_key(called: str, cwd: Path, config: Config) -> str:
    """The key that a name means here: an alias of this project, its name or its key; empty: another project's."""
    wanted = called.strip().casefold()
    here = derive_project_key(cwd, config)
    mine = {here.casefold(), name(cwd, config).casefold()}
    mine |= {alias.strip().casefold() for alias in config.project.aliases if ":" not in alias}
    if wanted and wanted in mine:
        return here
    return _map_meanings(config).get(wanted, "")


def suggest_project(called: str, known: Iterable[str]) -> str:
    """The one of the known names that was probably meant; empty: none is like it, or it is one of them itself."""
    from rapidfuzz import fuzz

    wanted = _fold_for_comparison(called)
    names = list(dict.fromkeys(known))
    if not wanted or called in names:
        return ""
    best, score = "", NEAR
    for one in names:
        whole = _fold_for_comparison(one)
        # 'shop' may mean 'github.com_acme_shop', whose last part it is; that may be misspelt, too.
        last = _fold_for_comparison(re.split(r"[_/]", one.rstrip("_/"))[-1])
        alike = max(fuzz.ratio(wanted, part) - loss for part, loss in ((whole, 0.0), (last, 1.0)))
        if alike >= score and (not best or alike > score):
            best, score = one, alike
    return best


def fit(text: str, salt: str = "") -> str:
    """Any text as a key; what had to be changed beyond separators is told apart by a digest of it."""
    if _FIT.fullmatch(text) and not _DEVICE.fullmatch(text) and text[-1] != ".":
        return text
    plain = _UNFIT.sub("_", text).strip("._")[: LONGEST - 9].rstrip("._")
    digest = _digest(text or salt)
    return f"{plain}_{digest}" if plain else f"project_{digest}"


def sanitize_name(text: str) -> str:
    """A name that a file may have, a terminal may show and a model may read; empty where nothing is left of it."""
    text = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))
    text = " ".join(_HARMFUL.sub("-", text).split())[:LONGEST_NAME].strip(" .-")
    return f"{text}-" if _DEVICE.fullmatch(text) else text


def derive_remote_key(address: str) -> str:
    """The key of the project that git fetches from there: `github.com_owner_repo`; empty for no address."""
    found = fit(derive_address_key(address)) if address else ""
    # 'gitlab.com/团队/甲' and 'gitlab.com/团队/乙' are not one project.
    return found if address.isascii() else f"{found}_{_digest(address)}"


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass"))[:8]


def _fold_for_comparison(text: str) -> str:
    return _PLAIN.sub("", text.casefold())


@lru_cache(maxsize=64)
def _is_odd_name(name: str) -> bool:
    """Whether it reads like an order: others name repositories, and the name stands in every note."""
    if is_known_safe(name):
        return False
    if has_order_name(f"{name}.md"):
        return True
    remember(name)
    return False


def _find_user_directory() -> str:
    return os.environ.get("HOME") or os.path.expanduser("~")


@lru_cache(maxsize=64)
def _find_root(cwd: str, user: str) -> Path:
    """A process serves few directories and asks for each a dozen times."""
    try:
        return find_main_root(Path(cwd.replace("\0", "")), Path(user))
    except (OSError, ValueError, RuntimeError):
        return Path(os.path.abspath(os.sep))


@lru_cache(maxsize=8)
def _parse_meanings(aliases: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in aliases:
        head, colon, others = line.partition(":")
        if colon and head.strip():
            for other in others.split("|"):
                if other.strip():
                    found[other.strip().casefold()] = fit(head.strip())
    return found


def _map_meanings(config: Config) -> dict[str, str]:
    """Names, folded -> the key that the config says they mean."""
    return _parse_meanings(config.project.aliases)


def find_own_home() -> Home:
    """memtui's own home, `$MEMTUI_HOME` or `~/.memtui`, whether or not it is there yet."""
    named = os.environ.get("MEMTUI_HOME", "").strip()
    path = Path(named or "~/.memtui").expanduser()
    path = Path(os.path.realpath(path))
    reason = _("named by MEMTUI_HOME") if named else _("memtui's own home")
    return Home(path, "memtui", reason, path.name if named else "~/.memtui")


def choose_home(homes: Iterable[Home], layer: Layer, draft: Draft) -> Home:
    """The first home of the current project that takes such a memory; else memtui's own, which may not be there yet.

    For knowledge a home of the person's in which the draft's project has an area comes before one where it has none,
    and before one of the project's outside of it in which nothing was remembered yet.
    Where there is none of memtui's, one that an agent of the person's learns into for all projects is as good; for
    L0 the person's own directory of another tool's (spec 000).
    """
    listed = list(homes)
    if layer is Layer.PROFILE:
        own = _find_profile_home(listed, draft)
        if own is not None:
            return own
    unmade = find_unmade_home(listed, layer)
    if unmade is not None:
        listed.append(unmade)
    mine = find_own_home()
    own = next((home for home in listed if home.path == mine.path), None)
    fit = [one for one in listed if one.path != mine.path and one.writable and can_take(one, layer, draft)]
    theirs = ((one, load_facts(one)) for one in fit if not one.project)
    persons = next(
        (one for one, about in theirs if about.learner or (layer is Layer.PROFILE and about.user_skeleton)), None
    )
    mine = own or (None if mine.path.is_dir() else persons) or mine
    current = next((home for home in fit if home.current), None)
    if layer is Layer.KNOWLEDGE and (current is None or not _is_begun(current, layer, draft)):
        areas = (mine, *(home for home in fit if not home.project))
        current = next((home for home in areas if find_area(home, [draft.project])), current)
    return current or mine


def _is_begun(home: Home, layer: Layer, draft: Draft) -> bool:
    """Whether anything was remembered yet where an agent does so by itself: it may only keep its sessions there."""
    if not os.path.isabs(home.project) or home.path.is_relative_to(home.project):
        return True
    place = load_layout(home.layout).target(home, layer, draft, clock.now()).path
    return (home.path / place).parent.is_dir()


def find_unmade_home(homes: Iterable[Home], layer: Layer, around: Surroundings | None = None) -> Home | None:
    """The home that a tool at work here makes on its first use, where this project has none of it yet."""
    current = {home.layout for home in homes if home.current}
    for kind in load_all_layouts():
        if isinstance(kind, Founding) and kind.name not in current:
            found = kind.found_home(around or detect_surroundings(), layer)
            if found is not None:
                return found
    return None


def find_keyed_home(key: str) -> Home | None:
    """The home of a project that is known by nothing but its key (spec 001 §2.1); it may not be there yet."""
    for kind in load_all_layouts():
        if kind.facts.keyed_place:
            path = Path.home() / kind.facts.keyed_place.format(key=key)
            return Home(path.resolve(), kind.name, "the workspace of this project", key, key, True)
    return None


def _find_profile_home(homes: Iterable[Home], draft: Draft) -> Home | None:
    """Where L0 stands for a project of a tool that keeps it in the person's own directory (spec 000)."""
    given = list(homes)
    for current in (home for home in given if home.current):
        kind = load_layout(current.layout)
        own = kind.found_home(detect_surroundings(), Layer.PROFILE) if isinstance(kind, Founding) else None
        if own is not None:
            there = next((home for home in given if home.path == own.path), own)
            return there if can_take(there, Layer.PROFILE, draft) else None
    return None


def make_home(home: Home) -> Home:
    """The home with its directory, made for this user only where it is missing. Raises ReadOnlyError, RefusedError."""
    if not home.path.is_dir():
        try:
            make_private_directory(home.path)
        except OSError as error:
            reason = describe_os_error(error)
            raise ReadOnlyError(_("{path} cannot be made: {reason}").format(path=home.path, reason=reason)) from error
    return home


def detect_session_surroundings(session: Session, config: Config) -> Surroundings:
    """What discovery looks at for a session: its own directory, not the one this process stands in."""
    known = [name for name in (config.project.key, *config.project.aliases, session.project) if name]
    cwd = Path(session.cwd) if session.cwd else None
    found = detect_surroundings(cwd if cwd is not None and cwd.is_dir() else None)
    return found._replace(keys=tuple(dict.fromkeys(known)))


@contextmanager
def open_session_vault(session: Session, config: Config) -> Iterator[tuple[Vault, Home]]:
    """The vault over the homes of a session, and the one its summary goes to, made where it is missing.

    Raises UsageError for a configured home that is not there, ReadOnlyError where none can be made.
    """
    from memtui.store.vault import Vault

    homes, home = _choose_written_homes(session, config)
    with Vault(homes, config) as vault:
        vault.current = False
        yield vault, home


@contextmanager
def open_session_writing(session: Session, config: Config) -> Iterator[tuple[Writing, Home]]:
    """The same where nothing is to be found, only written: what hooks wait for loads no index."""
    from memtui.store.writing import Writing

    homes, home = _choose_written_homes(session, config)
    with Writing(homes, config) as pen:
        yield pen, home


def find_session_homes(session: Session, config: Config) -> list[Home]:
    """The homes around a session."""
    return discover_homes(
        detect_session_surroundings(session, config), map(Path, config.homes.paths), config.homes.exclude
    )


def _choose_written_homes(session: Session, config: Config) -> tuple[list[Home], Home]:
    homes = find_session_homes(session, config)
    home = choose_summary_home(homes, session, config)
    if home not in homes:
        homes.append(make_home(home))
    return homes, home


def choose_summary_home(homes: Sequence[Home], session: Session, config: Config) -> Home:
    """Which home the summary goes to; memtui's own may not be there yet."""
    if config.agents.home:
        named = open_home_at(Path(config.agents.home))
        return next((home for home in homes if home.path == named.path), named)
    mine = find_own_home()
    fit = [home for home in homes if home.writable and _can_record(home)]
    current = [home for home in fit if home.current and home.path != mine.path]
    if not current:
        unmade = find_unmade_home(homes, Layer.SESSION, detect_session_surroundings(session, config))
        current = [unmade] if unmade is not None else []
    agents = [home for home in fit if session.agent and load_facts(home).learner == session.agent]
    own = next((home for home in homes if home.path == mine.path), None)
    # Spec 000: where no project's base is, the person's own directory keeps them.
    persons = [home for home in fit if not home.project and load_facts(home).user_skeleton is not None]
    if not session.agent and not mine.path.is_dir():
        persons += [home for home in fit if not home.project and load_facts(home).learner]
    return next(iter([*current, *agents, *([own] if own else persons)]), mine)


def _can_record(home: Home) -> bool:
    """Whether the home has a place for the summaries of sessions."""
    layout = load_layout(home.layout)
    try:
        return isinstance(layout, Recording) and bool(layout.session(home, "x", clock.now()))
    except RefusedError:
        return False


@contextmanager
def open_taking_home(
    vault: W, first: Home, layer: Layer, draft: Draft, *, now: float | None = None
) -> Iterator[tuple[W, Home]]:
    """The home that such a memory goes to: the session's if it takes it, another of the project, else memtui's own."""
    if first.writable and can_take(first, layer, draft):
        yield vault, first
        return
    home = choose_home(vault.homes, layer, draft)
    if home in vault.homes:
        yield vault, home
        return
    with vault.over(make_home(home)) as mine:
        yield mine, home
