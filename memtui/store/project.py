"""Which project a directory belongs to (spec 001 §2.1), and passages without what reads like an order to agents.

- `is_known_safe`: hashes of texts in which no order was found, in the cache, because hooks give the same few
  files again and again. A hash covers the rules as well: other rules look again.
- `remove_orders`: passages without orders (reliability §4). Files are never altered, and what a person approved
  in Review stays as long as its text is the one that was approved.
- `derive_project_key`: the config's own key, else made of git's origin, else of the directory's name and path;
  the worktrees of one repository are one project. In `project.aliases` 'shop: shop-api|github.com_old_shop'
  says that the others are shop; a name alone is another name of this project.
"""

from __future__ import annotations

import os
import re
import unicodedata
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

from memtui import safety
from memtui.core.errors import RefusedError
from memtui.core.startup import TYPE_CHECKING, compile_pattern, sha256
from memtui.fs.places import find_cache_directory, make_private_directory
from memtui.layouts.git import derive_address_key, derive_directory_key, find_main_root, read_origin_address
from memtui.layouts.home_config import read_home_config
from memtui.safety.sanitize import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.store.passage import Passage

_NAME = "innocent"
_MOST = 64 * 1024
"""Bytes of the file; when it is full it begins anew."""
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def is_known_safe(text: str) -> bool:
    """Whether this text was looked through before, and nothing was found."""
    try:
        with open(find_cache_directory() / _NAME, "rb") as file:
            return _key(text) in file.read(_MOST + 1).split(b"\n")
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
            os.write(handle, _key(text) + b"\n")
        finally:
            os.close(handle)


def _key(text: str) -> bytes:
    said = text.encode("utf-8", "surrogatepass")
    return sha256(_rules() + b"\0" + said).encode()


@cache
def _rules() -> bytes:
    """Changes with the rules: the sizes and times of the files that hold them."""
    told: list[tuple[str, int, int]] = []
    for folder in safety.__path__:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith((".py", ".so", ".pyd")):
                    status = entry.stat()
                    told.append((entry.name, status.st_size, status.st_mtime_ns))
    return repr(sorted(told)).encode()


if TYPE_CHECKING:
    Lines = Sequence[tuple[int, str]]

ORDER = "it reads like an order to agents"
"""Why something is not given, for a person."""


def remove_orders(found: Passage) -> tuple[Passage, list[tuple[int, str]]]:
    """The passage without its orders; and those, each with the line that it begins on."""
    if is_known_safe(found.text):
        return found, []
    if not _orders(found.text):
        remember(found.text)
        return found, []
    allowed: set[int] = set()
    bad: dict[int, str] = {}
    for entry in found.entries:
        if _orders(entry.text):
            if _approved(found.home, entry.text):
                allowed.update(range(entry.start, entry.end + 1))
            else:
                bad.update((line, "") for line in range(entry.start + 1, entry.end + 1))
                bad[entry.start] = entry.text
    lines = [item for item in found.lines if item[0] not in bad]
    for _again in range(len(lines)):
        asked = [item for item in lines if item[0] not in allowed]
        if not _orders(_joined(asked)):
            break
        worst = _first_bad(asked)
        bad[worst[0]] = worst[1]
        lines.remove(worst)
    return found._replace(lines=tuple(lines)), [item for item in sorted(bad.items()) if item[1]]


def has_order_name(path: str) -> bool:
    """Whether a file is called what reads like an order: its name is given with what stands in it."""
    if is_known_safe(path):
        return False
    spoken = path.rpartition(".")[0].replace("-", " ").replace("_", " ").replace("/", "\n")
    if _orders(path) or _orders(spoken):
        return True
    remember(path)
    return False


def _orders(text: str) -> bool:
    # The rules cost more to load than all that is given to read.
    from memtui.safety.injection import examine

    return examine(text).action == "quarantine"


def _first_bad(lines: Lines) -> tuple[int, str]:
    """The line with which it begins to read like an order: one that is divided has no line of its own."""
    low, high = 1, len(lines)
    while low < high:
        middle = (low + high) // 2
        if _orders(_joined(lines[:middle])):
            high = middle
        else:
            low = middle + 1
    return lines[low - 1]


def _joined(lines: Iterable[tuple[int, str]]) -> str:
    return "\n".join(line for _number, line in lines)


def _approved(home: Home, text: str) -> bool:
    """Whether a person approved just this text for this home."""
    from memtui.store import candidates
    from memtui.store.destination import find_own_home

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
    root = _root(os.fspath(cwd), _user())
    found = fit(
        own or _of_config(root) or derive_remote_key(read_origin_address(root)) or _of_directory(root),
        str(root),
    )
    return _meant(config).get(found.casefold()) or _meant(config).get(root.name.casefold()) or found


def _of_config(root: Path) -> str:
    """The key that the project's own config.json names (spec 001 §2.1)."""
    section = read_home_config(root).get("memory")
    key = section.get("project_key") if isinstance(section, dict) else ""
    return key.strip() if isinstance(key, str) else ""


def name(cwd: Path, config: Config) -> str:
    """What a person calls the project: the config's key, else its directory's name; one harmless line."""
    own = config.project.key.strip()
    root = _root(os.fspath(cwd), _user())
    found = sanitize_name(own or root.name.removesuffix(".git")) or derive_project_key(cwd, config)
    return f"project-{_digest(found)}" if _odd(found) else found


def resolve_project_key(called: str, cwd: Path, config: Config) -> str:
    """The key that a name means here: an alias of this project, its name or its key; empty: another project's."""
    wanted = called.strip().casefold()
    here = derive_project_key(cwd, config)
    mine = {here.casefold(), name(cwd, config).casefold()}
    mine |= {alias.strip().casefold() for alias in config.project.aliases if ":" not in alias}
    if wanted and wanted in mine:
        return here
    return _meant(config).get(wanted, "")


def suggest_project(called: str, known: Iterable[str]) -> str:
    """The one of the known names that was probably meant; empty: none is like it, or it is one of them itself."""
    from rapidfuzz import fuzz

    wanted = _compared(called)
    names = list(dict.fromkeys(known))
    if not wanted or called in names:
        return ""
    best, score = "", NEAR
    for one in names:
        whole = _compared(one)
        # 'shop' may mean 'github.com_acme_shop', whose last part it is; that may be misspelt, too.
        last = _compared(re.split(r"[_/]", one.rstrip("_/"))[-1])
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


def _of_directory(root: Path) -> str:
    return derive_directory_key(root)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass"))[:8]


def _compared(text: str) -> str:
    return _PLAIN.sub("", text.casefold())


@lru_cache(maxsize=64)
def _odd(name: str) -> bool:
    """Whether it reads like an order: others name repositories, and the name stands in every note."""
    if is_known_safe(name):
        return False
    if has_order_name(f"{name}.md"):
        return True
    remember(name)
    return False


def _user() -> str:
    return os.environ.get("HOME") or os.path.expanduser("~")


@lru_cache(maxsize=64)
def _root(cwd: str, user: str) -> Path:
    """A process serves few directories and asks for each a dozen times."""
    try:
        return find_main_root(Path(cwd.replace("\0", "")), Path(user))
    except (OSError, ValueError, RuntimeError):
        return Path(os.path.abspath(os.sep))


@lru_cache(maxsize=8)
def _meanings(aliases: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in aliases:
        head, colon, others = line.partition(":")
        if colon and head.strip():
            for other in others.split("|"):
                if other.strip():
                    found[other.strip().casefold()] = fit(head.strip())
    return found


def _meant(config: Config) -> dict[str, str]:
    """Names, folded -> the key that the config says they mean."""
    return _meanings(config.project.aliases)
