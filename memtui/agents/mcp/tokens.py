"""Tokens of `memtui mcp --http`, one a person or a machine (spec 001 §9): who calls, and what they may.

A token is shown once, when it is made; what is kept is its SHA-256 (256 random bits need no salt), below the state
directory, for this user only. Revoking takes effect with the next request of a server that runs: it looks at the file
each time. A read-only token calls no tool that writes; one for some projects sees no home of any other, nor of none.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
from fnmatch import fnmatchcase
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.errors import RefusedError, UnavailableError, UsageError
from memtui.core.locale import _
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, read_private_file, replace_private_file, state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

LARGEST = 4 * 1024 * 1024
"""Bytes of the file: some ten thousand tokens."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


class AccessToken(NamedTuple):
    """Whose a token is, and what it is good for."""

    name: str
    """The person's or the machine's, as it stands in what they write; empty: the server's own token, of nobody."""
    digest: str = ""
    read_only: bool = False
    projects: tuple[str, ...] = ()
    """Patterns of the keys or names of projects, like `github.com_acme_*`; none: every project, and what is of none."""
    made: float = 0.0
    revoked: float = 0.0
    """Seconds since the epoch; 0: it is good."""

    def allows(self, names: Iterable[str]) -> bool:
        """Whether it is for a project that is called by one of these names."""
        if not self.projects:
            return True
        return any(fnmatchcase(name.casefold(), one.casefold()) for name in names for one in self.projects)


def locate_tokens() -> Path:
    """The file; not made here."""
    return state() / "mcp" / "tokens.json"


def list_tokens() -> list[AccessToken]:
    """All tokens, revoked ones too, in the order in which they were made. Raises UnavailableError, RefusedError."""
    place = locate_tokens()
    try:
        said = json.loads(read_private_file(place, LARGEST))
        return [_read_entry(one) for one in said["tokens"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
    except (ValueError, TypeError, KeyError, RecursionError):
        reason = _("it holds no list of tokens")
    raise UnavailableError(_("{path} cannot be read: {reason}.").format(path=place, reason=reason))


def _read_entry(said: dict[str, Any]) -> AccessToken:
    """One token of the file; what a newer version adds is passed over."""
    known = {name: said[name] for name in AccessToken._fields if name in said}
    return AccessToken(**{**known, "projects": tuple(said["projects"])})


def make_token(name: str, *, read_only: bool = False, projects: Iterable[str] = ()) -> str:
    """Make a token, and answer it, once. Raises UsageError for a name that is none or has one; UnavailableError."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            _(
                "{name!r} is no name for a token: letters, digits, dots, dashes and @, like ann@laptop."
            ).format(name=name[:80])
        )
    wanted = tuple(dict.fromkeys(one.strip() for one in projects if one.strip()))
    made = f"mt_{secrets.token_urlsafe(32)}"
    digest = sha256(made.encode()).hexdigest()

    def add(found: list[AccessToken]) -> list[AccessToken]:
        if any(one.name.casefold() == name.casefold() and not one.revoked for one in found):
            told = _("{name} has a token: `memtui mcp tokens revoke {name}` first, or choose another name.")
            raise UsageError(told.format(name=name))
        return [*found, AccessToken(name, digest, read_only, wanted, clock.now())]

    _change(add)
    return made


def revoke_token(name: str) -> None:
    """Have the token of that name open nothing any more. Raises UsageError where there is none, UnavailableError."""

    def mark(found: list[AccessToken]) -> list[AccessToken]:
        mine = [one for one in found if one.name.casefold() == name.casefold() and not one.revoked]
        if not mine:
            raise UsageError(_("There is no token of {name} that opens anything.").format(name=name[:80]))
        now = clock.now()
        return [one._replace(revoked=now) if one in mine else one for one in found]

    _change(mark)


def _change(change: Callable[[list[AccessToken]], list[AccessToken]]) -> None:
    place = locate_tokens()
    try:
        make_private_directory(place.parent)
        with hold_lock(place.with_suffix(".lock")):
            told = {"tokens": [one._asdict() for one in change(list_tokens())]}
            replace_private_file(place, json.dumps(told, indent=1).encode() + b"\n")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UnavailableError(
            _("{path} cannot be written: {reason}.").format(path=place, reason=reason)
        ) from None


class TokenBook:
    """The tokens as a running server knows them: read again when their file changed."""

    def __init__(self, shared: str = "") -> None:
        """`shared`: a token of nobody in particular, that of `--token-file`; empty: there is none."""
        self._shared = AccessToken("", sha256(shared.encode()).hexdigest()) if shared else None
        self._stamp: tuple[int, ...] = ()
        self._good: list[AccessToken] = []

    def find(self, shown: str) -> AccessToken | None:
        """Whose this is; None: nobody's, or it is revoked. Every token is compared, each in constant time."""
        digest = sha256(shown.encode("latin-1", "replace")).hexdigest()
        found = None
        for one in ([self._shared] if self._shared else []) + self._read():
            if hmac.compare_digest(digest, one.digest):
                found = one
        return found

    def _read(self) -> list[AccessToken]:
        try:
            status = os.stat(locate_tokens())
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            self._stamp, self._good = (), []
            return []
        if stamp != self._stamp:
            try:
                self._good = [one for one in list_tokens() if not one.revoked]
            except (UnavailableError, RefusedError):
                # What nobody can read opens nothing.
                self._good = []
            self._stamp = stamp
        return self._good
