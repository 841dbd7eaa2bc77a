"""Changes that colleagues ask for: a memory of somebody else's is never written, its owner is asked.

An offer is the lines before and after. On the owner's machine it becomes a candidate that waits in Review with its
exact difference; approving it is a write like any other, journalled and undone as any other. What became of it goes
back with the next exchange.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.edits import Edit
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.fs.files import compute_etag, split_home_path
from memtui.fs.places import state
from memtui.layouts import load_layout
from memtui.layouts.discovery import build_labelled_home
from memtui.safety.redact import redact
from memtui.store import candidates
from memtui.store.standing import locate_memory
from memtui.team.membership import connect_member, find_membership, translate_server_errors, write_private
from memtui.team.push import change_team_file, name_home

if TYPE_CHECKING:
    from memtui.core.model import Home, Memory
    from memtui.store.vault import Vault
    from memtui.team.membership import Membership

_AROUND = 2
"""Lines before and after that say where it is meant."""
_SINCE = 2
"""The version of the tables that knows offers."""


class ChangeOffer(NamedTuple):
    """A change to a file of somebody else's home."""

    team: str
    to: str
    machine: str
    home: str
    """What the home is called on the server."""
    path: str
    line: int
    old: str
    """Whole lines, with some around them; what stands there in the owner's file, or did."""
    new: str


def draft_offer(vault: Vault, memory: Memory, text: str) -> ChangeOffer:
    """What to ask for so that a memory in a mirror says `text`. Raises RefusedError, ConflictError; writes nothing."""
    home, base, data = _draft_change(vault, memory, text)
    origin = home.origin
    if origin is None or not origin.owner:
        raise RefusedError(_("Only what a colleague shares can be asked to be changed."))
    old, new = (data.decode("utf-8", "replace").splitlines(keepends=True) for data in (base, data))
    first = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    start, end = max(0, first - _AROUND), max(0, last - _AROUND)
    return ChangeOffer(
        origin.team, origin.owner, origin.machine, home.path.name, memory.path, first + 1,
        "".join(old[start : len(old) - end]), "".join(new[start : len(new) - end]),
    )  # fmt: skip


def _draft_change(vault: Vault, memory: Memory, text: str) -> tuple[Home, bytes, bytes]:
    """The mirrored home of a memory, its file as it stands there, and as it would say `text`."""
    home = next((one for one in vault.homes if str(one.path) == memory.home), None)
    if home is None or home.origin is None:
        raise RefusedError(_("Only what a colleague shares can be asked to be changed."))
    if not text.strip() or text.strip() == memory.text.strip():
        raise RefusedError(_("It says that already, or nothing: what is asked for must say something else."))
    changes = locate_memory(vault, memory, mine=text).revised({"text": redact(text).text})
    edit = next((one for one in changes if isinstance(one, Edit) and one.path == memory.path), None)
    if edit is None or edit.base is None:
        raise RefusedError(_("Files of this kind cannot be asked to be changed."))
    return home, edit.base, edit.new


def send_offer(link: Any, offer: ChangeOffer) -> str:
    """Ask the owner; the offer's id. Raises RefusedError, UnavailableError."""
    edit = {name: getattr(offer, name) for name in ("home", "path", "line", "old", "new")}
    with translate_server_errors():
        if link.execute("SELECT version FROM memtui.about").fetchone()[0] < _SINCE:
            raise RefusedError(_("The team's server is too old for that: its admin runs `memtui team init` again."))
        return str(
            link.execute(
                "INSERT INTO memtui.proposal (team, to_who, machine, edit) VALUES (%s, %s, %s, %s::jsonb) RETURNING id",
                [offer.team, offer.to, offer.machine, json.dumps(edit)],
            ).fetchone()[0]
        )


def change_shared(vault: Vault, memory: Memory, text: str) -> str:
    """Have a memory in a mirror say `text`: a colleague is asked, the team's own file is written where nobody changed
    it meanwhile. A sentence for a person. Raises RefusedError, ConflictError, UnavailableError.
    """
    home, base, new = _draft_change(vault, memory, text)
    assert home.origin is not None
    team, owner = home.origin.team, home.origin.owner
    link = connect_member(find_membership(team))
    try:
        if owner:
            send_offer(link, draft_offer(vault, memory, text))
            return _("{owner} is asked: it waits in their Review.").format(owner=owner)
        change_team_file(link, team, home.path.name, memory.path, compute_etag(base), new)
        return _("{path} is written for the team “{team}”; the copies follow.").format(path=memory.path, team=team)
    finally:
        link.close()


def take_offers(link: Any, member: Membership, version: int) -> int:
    """Have what colleagues ask for wait in Review, and tell them what became of it; how many are new."""
    if version < _SINCE:
        return 0
    with translate_server_errors():
        rows = link.execute(
            """SELECT id::text, from_who, edit, state FROM memtui.proposal
            WHERE team = %s AND to_who = %s AND machine = %s AND state IN ('waiting', 'taken')""",
            [member.team, member.who, member.machine],
        ).fetchall()
    homes = {name_home(share): build_labelled_home(Path(share.home), share.layout, "") for share in member.shares}
    taken = 0
    for named, asker, edit, standing in rows:
        home = homes.get(str(edit.get("home", "")))
        record = None if home is None else _make_record(member, home, named, str(asker), edit)
        if home is None or record is None:
            outcome = "rejected"
        elif standing == "waiting":
            candidates_there = candidates.list_candidate_files(_name_folder(home))
            if len(candidates_there) >= candidates.MOST:
                continue
            path = state() / Path(*f"{_name_folder(home)}/{record['id']}.json".split("/"))
            write_private(path, json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
            outcome, taken = "taken", taken + 1
        else:
            decision = candidates.load_decisions([home]).get(record["id"])
            if decision is None or decision.done not in {"approved", "rejected"}:
                continue
            outcome = decision.done
        with translate_server_errors():
            link.execute(
                "UPDATE memtui.proposal SET state = %s WHERE team = %s AND id = %s", [outcome, member.team, named]
            )
    return taken


def list_offers(link: Any, member: Membership) -> list[dict[str, Any]]:
    """What this person asked of others, the newest first, with what became of it."""
    with translate_server_errors():
        rows = link.execute(
            """SELECT id::text, to_who, machine, edit, state, extract(epoch FROM made)::float8 FROM memtui.proposal
            WHERE team = %s AND from_who = %s ORDER BY made DESC LIMIT 200""",
            [member.team, member.who],
        ).fetchall()
    return [
        {"id": named, "to": to, "machine": machine, **edit, "state": standing, "made": made}
        for named, to, machine, edit, standing, made in rows
    ]


def _name_folder(home: Home) -> str:
    return f"{candidates.PROPOSED}/{candidates.derive_candidate_folder(home)}"


def _make_record(member: Membership, home: Home, id: str, asker: str, edit: Any) -> dict[str, Any] | None:
    """What is kept of an offer; None: nothing that could be approved. A colleague's words are hostile, too."""
    try:
        path, old, new, line = str(edit["path"]), str(edit["old"]), str(edit["new"]), int(edit["line"])
        split_home_path(path)
        role = load_layout(home.layout).role(home.path, path)
    except (KeyError, TypeError, ValueError, MemtuiError):
        return None
    if role is None or not old.strip() or old == new:
        return None
    named = candidates.compute_candidate_id("asked", str(home.path), f"{id}\0{path}\0{old}\0{new}")
    return {
        "id": named,
        "time": clock.now(),
        "home": str(home.path),
        "who": f"{asker} ({member.team})",
        "layer": role.layer.value,
        "source": {"path": path, "line": line, "session": ""},
        "asked": {"old": old, "new": new},
    }
