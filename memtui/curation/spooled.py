"""What could not be appended at once: kept redacted, delivered by the next writer, once."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.disk import spool
from memtui.edits import Append, Draft
from memtui.errors import MemtuiError, QuarantinedError, UnavailableError

if TYPE_CHECKING:
    from memtui.config import Config
    from memtui.model import Home
    from memtui.writing import Writing

PATIENCE = 0.5
"""Seconds to wait for a home that is still locked."""


def keep(vault: Writing, home: Home, draft: Draft, *, form: str = "", who: str = "person") -> Path:
    """Keep a draft for later, with the moment it was said. Raises UnavailableError where not even that can be done."""
    now = clock.now()
    # The key makes delivering twice the same as delivering once.
    key = draft.key or f"log-{clock.local(now):%H%M%S}{int(now * 1000) % 1000:03d}-{os.urandom(2).hex()}"
    (masked,) = vault.prepared([Append(str(home.path), "", draft.text)], who)
    assert isinstance(masked, Append)
    return spool.put(
        {
            "time": now,
            "home": str(home.path),
            "layout": home.layout,
            "form": form,
            "who": who,
            "draft": draft._replace(text=masked.record, key=key)._asdict(),
        }
    )


def drain(config: Config) -> int:
    """Write what waits, as far as its homes can be written now, and answer how many records went."""
    stuck: set[str] = set()
    return spool.drain(lambda record: _delivered(record, config, stuck)) if spool.waiting() else 0


def _delivered(record: dict[str, Any], config: Config, stuck: set[str]) -> bool:
    from memtui.curation.append import append
    from memtui.curation.destination import made, own
    from memtui.layouts.discovery import at
    from memtui.writing import Writing

    if record.get("home") in stuck:
        return False
    try:
        draft = _draft(record["draft"])
        home = own()
        home = made(home) if str(home.path) == record["home"] else at(Path(record["home"]))
        with Writing([home], config) as vault:
            vault.wait = PATIENCE
            append(
                vault,
                home,
                draft,
                form=str(record["form"]),
                who=str(record["who"]),
                now=float(record["time"]),
            )
    except QuarantinedError:
        # It waits in Review now.
        return True
    except UnavailableError:
        # Nothing else goes there now, either: whoever waits for this waits once.
        stuck.add(str(record["home"]))
        return False
    except (MemtuiError, KeyError, TypeError, ValueError, OSError):
        return False
    return True


def _draft(said: dict[str, Any]) -> Draft:
    """The draft as it was kept. Raises KeyError, TypeError, ValueError for anything else, which then waits on."""
    fields: dict[str, Any] = {}
    for name in Draft._fields:
        # What waits may have been kept before there were projects.
        value = said.get(name, "") if name == "project" else said[name]
        if name in {"tags", "entities"}:
            fields[name] = tuple(map(str, value))
        elif name in {"confidence", "expires"}:
            fields[name] = None if value is None else float(value)
        else:
            fields[name] = str(value)
    return Draft(**fields)
