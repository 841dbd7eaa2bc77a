"""Which project a directory belongs to (spec 001 §2.1), and what people call it.

A key is the config's own, else made of git's origin, else of the directory's name and its path; the worktrees of one
repository are one project. In `project.aliases` 'shop: shop-api|github.com_old_shop' says that the others are shop; a
name alone is another of whatever project this is.
"""

from __future__ import annotations

import os
import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.digest import sha256
from memtui.layouts.git import address_key, directory_key, main_root, origin
from memtui.pattern import pattern
from memtui.safety.characters import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.config import Config

LONGEST = 128
"""Characters of a key."""
LONGEST_NAME = 64
"""Characters of a name."""
NEAR = 74.0
"""How alike two names must be, of 100, for one to be meant by the other."""

_FIT = pattern(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_UNFIT = pattern(r"[^A-Za-z0-9._-]")
_HARMFUL = pattern(rf"(?:[^\w .+@()&=,-]|[{HIDDEN}])+|\.\.+")
_DEVICE = pattern(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_PLAIN = pattern(r"[\W_]+")


def key(cwd: Path, config: Config) -> str:
    """The project's key: letters, digits, dots, underscores and dashes, at most 128; never empty. Never raises."""
    own = config.project.key.strip()
    root = _root(os.fspath(cwd), _user())
    found = fit(own or _of_origin(root) or _of_directory(root), str(root))
    return _meant(config).get(found.casefold()) or _meant(config).get(root.name.casefold()) or found


def name(cwd: Path, config: Config) -> str:
    """What a person calls the project: the config's key, else its directory's name; one harmless line."""
    own = config.project.key.strip()
    root = _root(os.fspath(cwd), _user())
    found = harmless(own or root.name.removesuffix(".git")) or key(cwd, config)
    return f"project-{_digest(found)}" if _odd(found) else found


def resolved(called: str, cwd: Path, config: Config) -> str:
    """The key that a name means here: an alias of this project, its name or its key; empty: another project's."""
    wanted = called.strip().casefold()
    here = key(cwd, config)
    mine = {here.casefold(), name(cwd, config).casefold()}
    mine |= {alias.strip().casefold() for alias in config.project.aliases if ":" not in alias}
    if wanted and wanted in mine:
        return here
    return _meant(config).get(wanted, "")


def near(called: str, known: Iterable[str]) -> str:
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


def harmless(text: str) -> str:
    """A name that a file may have, a terminal may show and a model may read; empty where nothing is left of it."""
    text = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8"))
    text = " ".join(_HARMFUL.sub("-", text).split())[:LONGEST_NAME].strip(" .-")
    return f"{text}-" if _DEVICE.fullmatch(text) else text


def _of_origin(root: Path) -> str:
    address = origin(root)
    found = address_key(address)
    # 'gitlab.com/团队/甲' and 'gitlab.com/团队/乙' are not one project.
    return found if address.isascii() else f"{found}_{_digest(address)}"


def _of_directory(root: Path) -> str:
    return directory_key(root)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass"))[:8]


def _compared(text: str) -> str:
    return _PLAIN.sub("", text.casefold())


@lru_cache(maxsize=64)
def _odd(name: str) -> bool:
    """Whether it reads like an order: others name repositories, and the name stands in every note."""
    from memtui.sessions import innocent, vetted

    if innocent.known(name):
        return False
    if vetted.named_oddly(f"{name}.md"):
        return True
    innocent.remember(name)
    return False


def _user() -> str:
    return os.environ.get("HOME") or os.path.expanduser("~")


@lru_cache(maxsize=64)
def _root(cwd: str, user: str) -> Path:
    """A process serves few directories and asks for each a dozen times."""
    try:
        return main_root(Path(cwd.replace("\0", "")), Path(user))
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
