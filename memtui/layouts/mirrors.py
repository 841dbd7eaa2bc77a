"""Homes that others share, as memtui keeps copies of them: `<cache>/team/<team>/<owner>@<machine>/<home>`.

A home's name there is its label, its layout and a few digits, divided by dots; owner and machine are empty for what
belongs to a team as a whole. Nothing is written here: what stands in the copies comes from a team's server.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from memtui.core.model import Home
from memtui.core.origin import HomeOrigin
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.fs.places import find_cache_directory
from memtui.layouts import APART, LAYOUTS

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    if not at or named is None or named[2] not in LAYOUTS or named[2] in APART:
        return None
    if (owner or machine) and not (_PERSON.fullmatch(owner) and _PERSON.fullmatch(machine)):
        return None
    return MirrorName(owner, machine, named[1], named[2])


def find_mirrors() -> Iterator[Home]:
    """The homes that others share with this machine, by team and owner; one look where there are none."""
    top = find_cache_directory() / "team"
    for team in _names(top):
        seen, offline = _read_cursor(top / team)
        for person in _names(top / team):
            if "@" not in person:
                continue
            for name in _names(top / team / person):
                found = split_mirror_name(f"{person}/{name}")
                path = top / team / person / name
                if found is None or path.is_symlink() or not path.is_dir():
                    continue
                origin = HomeOrigin(found.owner, found.machine, team, seen, offline)
                yield Home(
                    Path(os.path.realpath(path)),
                    found.layout,
                    f"shared by {origin.told}",
                    f"{found.label} {origin.told}",
                    writable=False,
                    origin=origin,
                )


def refresh_origin(home: Home) -> Home:
    """The home, with how fresh its copy is now. Reads one small file, and for the person's own nothing."""
    if home.origin is None:
        return home
    seen, offline = _read_cursor(home.path.parent.parent)
    return home._replace(origin=home.origin._replace(seen_at=seen, offline=offline))


def _read_cursor(team: Path) -> tuple[float | None, bool]:
    """When a team's copies last were right, and whether its server did not answer since."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        plain = json.loads((team / CURSOR).read_bytes())
        return float(plain.get("at") or 0) or None, bool(plain.get("error"))
    return None, False


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
