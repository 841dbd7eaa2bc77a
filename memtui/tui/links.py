"""Where links lead: to a file of the same home, by its path, its name or its title. Addresses are only copied."""

from __future__ import annotations

import os
import posixpath
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from memtui.core.errors import MemtuiError
from memtui.core.locale import _
from memtui.core.model import Filter
from memtui.tui import draw
from memtui.tui.row_list import Fixed
from memtui.tui.sheets import Choice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.core.model import Memory
    from memtui.store.vault import Vault
    from memtui.tui.screen import MainScreen

_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|mailto:|www\.)", re.IGNORECASE)
_GAPS = re.compile(r"[\s_-]+")
_NEAR = 20


class LinkTarget(NamedTuple):
    """What a link leads to."""

    link: str
    path: str = ""
    """Relative to the home; empty: to nothing in it."""
    session: Memory | None = None
    """The session whose file it is."""


def follow(
    screen: MainScreen,
    home: str,
    path: str,
    links: Sequence[str],
    otherwise: Callable[[], None] = lambda: None,
) -> None:
    """Open what the only link in a file leads to, or let choose among several. `otherwise`: none leads anywhere."""

    def job(_cancelled: Callable[[], bool]) -> list[LinkTarget]:
        return [resolve_link(screen.context.vault, home, path, link) for link in dict.fromkeys(links)]

    def show(found: list[LinkTarget]) -> None:
        """Follow the only target, let one of several be chosen, or say that there is none."""
        if not any(one.path or _ADDRESS.match(one.link) for one in found):
            screen.say(
                _("{link} leads to nothing in this home.").format(link=draw.clip_to_line(found[0].link))
            )
            otherwise()
        elif len(found) == 1:
            _go(screen, home, found[0])
        else:
            _choose(screen, home, found)

    screen.reader.ask("open", job, show)


def _choose(screen: MainScreen, home: str, found: Iterable[LinkTarget]) -> None:
    rows = []
    for one in found:
        leads = draw.clip_to_line(one.path) or (
            _("an address: copied, not opened") if _ADDRESS.match(one.link) else _("nothing in this home")
        )
        left = ((f" {draw.pad(draw.clip_to_line(one.link), 36)} ", ""), (leads, "dim"))
        rows.append(Fixed(one.link, left, value=one))

    def done(one: Any) -> None:
        if one is not None:
            _go(screen, home, one)

    sheet = Choice(_("Links"), rows, screen.context.look, hint=_("enter opens it · esc close"))
    screen.app.push_screen(sheet, done)


def _go(screen: MainScreen, home: str, one: LinkTarget) -> None:
    if one.session is not None:
        screen.windows.open_memory(one.session)
    elif one.path:
        screen.windows.open_file(home, one.path, 1)
    elif _ADDRESS.match(one.link):
        screen.desk.copy(one.link, draw.clip_to_line(one.link))
    else:
        screen.say(_("{link} leads to nothing in this home.").format(link=draw.clip_to_line(one.link)))


def resolve_link(vault: Vault, home: str, path: str, link: str) -> LinkTarget:
    """What a link that stands in this file leads to. Reads files: on a reader's thread only."""
    if _ADDRESS.match(link):
        return LinkTarget(link)
    name = os.path.expanduser(unquote(link.partition("#")[0]).strip()).replace("\\", "/")
    name = name.removeprefix(home.rstrip("/") + "/")
    found = name and (_at(vault, home, path, name) or _named(vault, home, name) or _titled(vault, home, name))
    if not found:
        return LinkTarget(link)
    sessions = _within(home, found)._replace(kinds=frozenset({"session"}))
    held = vault.load(vault.ids(sessions, limit=1))
    return LinkTarget(link, found, held[0] if held else None)


def _within(home: str, path: str = "") -> Filter:
    return Filter(homes=frozenset({home}), statuses=frozenset(), path=path)


def _at(vault: Vault, home: str, path: str, name: str) -> str:
    """By its place: from the file that the link stands in, or from the home's root."""
    for folder in (posixpath.dirname(path), ""):
        for ending in ("", ".md"):
            place = posixpath.normpath(posixpath.join(folder, name + ending))
            try:
                if vault.text(home, place):
                    return place
            except MemtuiError:
                continue
    return ""


def _named(vault: Vault, home: str, name: str) -> str:
    """By its name, whatever directory it is in; wiki links write spaces, lines or nothing for a gap."""
    wild = _GAPS.sub("?", posixpath.basename(name).removesuffix(".md"))
    for pattern in (f"{wild}.*", f"*/{wild}.*"):
        for memory in vault.load(vault.ids(_within(home, pattern), "path", limit=1)):
            if memory is not None:
                return memory.path
    return ""


def _titled(vault: Vault, home: str, name: str) -> str:
    """By its title: of a document, or of a memory."""
    wanted = _folded(name)
    for hit in vault.find(name, _NEAR, filter=_within(home)):
        if hit.heading and _folded(hit.heading[0]) == wanted:
            return hit.path
        memory = vault.at(home, hit.path, hit.start_line)
        if memory is not None and _folded(memory.title) == wanted:
            return hit.path
    return ""


def _folded(name: str) -> str:
    return _GAPS.sub(" ", name).strip().casefold()
