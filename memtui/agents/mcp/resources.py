"""What clients may attach: the homes, what a session is given, and files of memory, `memtui://{home}/{path}`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from memtui.agents.excerpts import excerpt
from memtui.errors import UsageError
from memtui.locale import _
from memtui.model import Filter, Layer
from memtui.safety.safe_text import safe_text
from memtui.sessions import framing

if TYPE_CHECKING:
    from memtui.agents.caller import Caller
    from memtui.model import Home

SCHEME = "memtui://"
TEMPLATE = SCHEME + "{home}/{+path}"
MARKDOWN, JSON = "text/markdown", "application/json"
PAGE = 100
"""Resources of one page of the list."""

_LINES = 2000
"""Lines of a file that are handed out."""


class Resource(NamedTuple):
    """One thing to attach."""

    uri: str
    name: str
    about: str
    mime: str = MARKDOWN


FIXED = (
    Resource(
        SCHEME + "context", "context", "What a session of this project is given at its start.", MARKDOWN
    ),
    Resource(SCHEME + "homes", "homes", "The memory homes that are open, and how much is in each.", JSON),
)


def listed(caller: Caller, begin: int = 0) -> tuple[list[Resource], int | None]:
    """A page of resources from that place on, and where the next one begins: profiles and core memory by name."""
    caller.fresh()
    found = list(FIXED)
    slugs = {str(home.path): name for name, home in named(caller).items()}
    wanted = Filter(layers=frozenset({Layer.PROFILE, Layer.CORE}))
    for home, outline in caller.vault.outlines(wanted):
        uri = f"{SCHEME}{slugs[str(home.path)]}/{quote(outline.path)}"
        found.append(Resource(uri, safe_text(f"{home.label}: {outline.path}"), _("A memory file.")))
    end = begin + PAGE
    return found[begin:end], end if end < len(found) else None


def named(caller: Caller) -> dict[str, Home]:
    """The open homes by the name that they have in addresses."""
    found: dict[str, Home] = {}
    for home in caller.vault.homes:
        plain = re.sub(r"[^A-Za-z0-9]+", "-", home.label).strip("-").lower() or "home"
        name, number = plain, 1
        while name in found or name in {"context", "homes"}:
            number += 1
            name = f"{plain}-{number}"
        found[name] = home
    return found


def read(caller: Caller, uri: str) -> tuple[str, str]:
    """The text behind an address, and its type. Raises UsageError for none of ours, OutsideError."""
    rest = uri.removeprefix(SCHEME)
    if not uri.startswith(SCHEME) or not rest:
        raise UsageError(_("{uri} is no address of a memory.").format(uri=uri[:200]))
    if rest == "homes":
        return _homes(caller), JSON
    if rest == "context":
        from memtui.agents.recall import memory_context

        return str(memory_context(caller)["text"]), MARKDOWN
    name, _slash, path = rest.partition("/")
    home = named(caller).get(name.lower())
    if home is None:
        raise UsageError(_("No home that is open has the name '{name}'.").format(name=name[:80]))
    path = unquote(path)
    found = excerpt(caller, home, path, 1, _LINES)
    if found is None:
        raise UsageError(_("There is no '{path}' in any home that is open.").format(path=path[:200]))
    told = [framing.framed(found.text, source=f"{path}#L1-L{found.lines}", trust="auto")]
    if found.lines < found.total:
        told.append(_("lines {first}–{last} of {total}").format(first=1, last=found.lines, total=found.total))
    return framing.block(told), MARKDOWN


def _homes(caller: Caller) -> str:
    caller.fresh()
    counts: dict[str, int] = {}
    for (home, _layer, _kind, _status), number in caller.vault.counts().items():
        counts[home] = counts.get(home, 0) + number
    told = [
        {
            "name": name,
            "label": safe_text(home.label),
            "path": str(home.path),
            "layout": home.layout,
            "reason": safe_text(home.reason),
            "project": home.project,
            "current": home.current,
            "writable": home.writable,
            "memories": counts.get(str(home.path), 0),
            "notes_go_here": home == caller.home,
        }
        for name, home in named(caller).items()
    ]
    return json.dumps(
        {"homes": told, "project": caller.session.project, "project_from": caller.told}, ensure_ascii=False
    )
