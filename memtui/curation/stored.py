"""Candidates that are kept until somebody decides: what agents proposed, and what was quarantined as it was written.

One file each below the state directory, made once and never changed, on the write path like everything else: in the
undo journal, redacted before it touches the disk.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.curation.candidates import Candidate, Source, identified
from memtui.digest import sha256
from memtui.disk.places import state
from memtui.edits import Draft, Edit, Piece
from memtui.layouts import layout
from memtui.locale import _
from memtui.model import Layer
from memtui.parse import parse
from memtui.parse import source as sources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.model import Home

PROPOSED, QUARANTINED, SKILLS = "candidates", "quarantine", "capabilities"
MOST = 500
"""So many wait for one home; whoever proposes more is told to stop."""

_LARGEST = 256 * 1024


def put(home: Home, draft: Draft, who: str, layer: Layer, source: Source) -> tuple[Candidate, Edit]:
    """A proposal as a candidate, and the change that keeps it."""
    named = identified("proposed", str(home.path), draft.text)
    path = f"{PROPOSED}/{folder(home)}/{named}.json"
    plain = {
        "id": named,
        "time": clock.now(),
        "home": str(home.path),
        "who": who,
        "layer": layer.value,
        "source": {"path": source.path, "line": source.line, "session": source.session},
        "draft": draft._asdict(),
    }
    data = json.dumps(plain, ensure_ascii=False, indent=1).encode("utf-8", "replace")
    return _proposed(plain, home, path), Edit(str(state()), path, None, (Piece(0, 0, data),))


def waiting(home: Home) -> list[Candidate]:
    """What is kept for a home, oldest first. Files that cannot be read are passed over."""
    found = [
        _proposed(plain, home, path)
        for path in names(f"{PROPOSED}/{folder(home)}")
        if (plain := loaded(path)) and plain.get("home") == str(home.path)
    ]
    for path in names(QUARANTINED):
        plain = loaded(path)
        if plain and plain.get("home") == str(home.path):
            found.append(_quarantined(plain, home, path))
    found = [candidate for candidate in found if candidate.text.strip()]
    return sorted(found, key=lambda candidate: (candidate.time or 0.0, candidate.id))


def stamp(home: Home) -> tuple[object, ...]:
    """Changes whenever something is put there or taken away."""
    kept = (f"{PROPOSED}/{folder(home)}", f"{SKILLS}/{folder(home)}", QUARANTINED)
    return tuple(tuple(names(path)) for path in kept)


def gone(candidate: Candidate) -> Edit | None:
    """The change that takes a decided candidate's file away; None: it has none any more."""
    if not candidate.stored:
        return None
    from memtui.disk.files import read

    try:
        data = read(state(), candidate.stored, _LARGEST)[0]
    except FileNotFoundError:
        return None
    return Edit(str(state()), candidate.stored, data, (), remove=True)


def folder(home: Home) -> str:
    """The name of the folder that what waits for a home is kept in."""
    # A path that no disk can have (half a character, in a list of homes that somebody wrote) has a folder, too.
    path = str(home.path).encode("utf-8", "surrogatepass")
    with suppress(UnicodeEncodeError):
        path = os.fsencode(home.path)
    return sha256(path)[:16]


def names(folder: str) -> list[str]:
    """What is kept in a folder of the state directory, as paths below that."""
    try:
        names = os.listdir(os.path.join(state(), *folder.split("/")))
    except OSError:
        return []
    return [f"{folder}/{name}" for name in sorted(names) if name.endswith(".json") and name[0] != "."]


def loaded(path: str) -> dict[str, Any]:
    """What is kept in one file; empty where it cannot be read, or names no home."""
    from memtui.disk.files import read
    from memtui.errors import MemtuiError

    try:
        plain = json.loads(read(state(), path, _LARGEST)[0])
    except (MemtuiError, OSError, ValueError, RecursionError):
        return {}
    return plain if isinstance(plain, dict) and isinstance(plain.get("home"), str) else {}


def _proposed(plain: Mapping[str, Any], home: Home, path: str) -> Candidate:
    said = plain.get("draft")
    draft = _draft(said if isinstance(said, dict) else {"text": plain.get("text", "")})
    where = plain.get("source")
    where = where if isinstance(where, dict) else {}
    return Candidate(
        identified("proposed", str(home.path), draft.text),
        "proposed",
        str(home.path),
        draft.text,
        draft.kind,
        Layer(plain["layer"]) if plain.get("layer") in set(Layer) else Layer.CORE,
        None,
        draft.confidence or 0.0,
        sources=_sources(
            home,
            str(where.get("path", "")),
            where.get("line"),
            str(where.get("session") or draft.source),
            plain,
        ),
        time=_time(plain),
        who=str(plain.get("who", "")),
        draft=draft,
        stored=path,
    )


def _quarantined(plain: Mapping[str, Any], home: Home, path: str) -> Candidate:
    """Text that was on its way into a file: read as that file would be, so that approving it writes it anew."""
    target = str(plain.get("path", ""))
    text = str(plain.get("text", "")).strip()
    role = layout(home.layout).role(home.path, target) if target else None
    entries = (
        parse(sources.Source(target, role, text.encode("utf-8", "replace"))).entries
        if role and role.limit
        else []
    )
    draft = Draft(text)
    if entries:
        first = entries[0]
        said = "\n".join(entry.text for entry in entries)
        draft = Draft(
            said, first.kind, tags=first.tags, entities=first.entities, source=first.session or first.source
        )
    rules = plain.get("rules")
    told = ", ".join(map(str, rules)) if isinstance(rules, list) else ""
    # Whoever writes the same order twice has it put aside twice: the file tells them apart, not the text.
    return Candidate(
        identified("quarantine", str(home.path), f"{draft.text}\0{path}"),
        "quarantine",
        str(home.path),
        draft.text,
        draft.kind,
        role.layer if role else Layer.CORE,
        None,
        0.0,
        parts=(("rules", told),) if told else (),
        sources=_sources(home, target, 0, draft.source, plain),
        time=_time(plain),
        who=str(plain.get("who", "")),
        reason=_("put aside as it was written: it reads like an order to agents"),
        draft=draft,
        stored=path,
    )


def _sources(home: Home, path: str, line: Any, session: str, plain: Mapping[str, Any]) -> tuple[Source, ...]:
    if not path and not session:
        return ()
    return (Source(str(home.path), path, line if isinstance(line, int) else 0, session, _time(plain)),)


def _time(plain: Mapping[str, Any]) -> float | None:
    time = plain.get("time")
    return float(time) if isinstance(time, (int, float)) else None


def _draft(said: Mapping[str, Any]) -> Draft:
    """A draft as it was kept; what does not fit is left out."""
    texts = {
        name: said[name]
        for name in (
            "text",
            "kind",
            "section",
            "source",
            "evidence",
            "memory_type",
            "title",
            "key",
            "supersedes",
            "project",
        )
        if isinstance(said.get(name), str)
    }
    lists = {
        name: tuple(map(str, said[name]))
        for name in ("tags", "entities")
        if isinstance(said.get(name), (list, tuple))
    }
    numbers = {
        name: float(said[name])
        for name in ("confidence", "expires")
        if isinstance(said.get(name), (int, float))
    }
    return Draft(**{"text": "", **texts, **lists, **numbers})
