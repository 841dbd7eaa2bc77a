"""Distilling the homes without a person: what is chosen is written, and logged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.edits import Append, Edit
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.fs.places import state
from memtui.fs.write_journal import generate_record_id
from memtui.review import proposals
from memtui.review.census import load_census
from memtui.review.proposals import build_changes
from memtui.review.queue import approve
from memtui.store import candidates

if TYPE_CHECKING:
    from memtui.core.edits import Receipt
    from memtui.store.candidates import Candidate, Refused
    from memtui.store.vault import Vault

WHO = "distillation"
LOG = "review/distilled.jsonl"

_LONGEST = 60_000
"""Bytes of one line of the log: what no longer fits is counted."""
_EACH = 200


class ApprovalRun(NamedTuple):
    """What came of it."""

    done: list[tuple[Candidate, Receipt]]
    left: list[tuple[Candidate, MemtuiError]]
    """What waits for a person, with the reason."""
    refused: list[Refused]


def run(vault: Vault, homes: frozenset[str] = frozenset()) -> ApprovalRun:
    """Distil the homes (none named: all that are open) and write what is chosen."""
    group = generate_record_id()
    total = ApprovalRun([], [], [])
    for count in load_census(vault, homes):
        decided = candidates.load_decisions([count.home])
        limit = count.config.max_items_per_run
        # What waits for a person must not keep what comes after it from ever being written.
        most = count._replace(config=count.config._replace(max_items_per_run=limit * 4))
        waiting, refused = proposals.propose_distilled(vault, most, decided, clock.now())
        here = ApprovalRun([], [], refused)
        for candidate in waiting:
            if len(here.done) == limit:
                break
            try:
                here.done.append((candidate, _written(vault, candidate, group)))
            except MemtuiError as error:
                here.left.append((candidate, error))
        if here.done or here.left:
            _log(vault, str(count.home.path), here)
        total.done.extend(here.done)
        total.left.extend(here.left)
        total.refused.extend(here.refused)
    return total


def _written(vault: Vault, candidate: Candidate, group: str) -> Receipt:
    if candidate.warnings:
        raise RefusedError(candidate.warnings[0].partition(": ")[2])
    for change in build_changes(vault, candidate):
        if not isinstance(change, Append) and not (
            isinstance(change, Edit)
            and all(piece.start == piece.end for piece in change.pieces)
            and not change.remove
        ):
            raise RefusedError(_("it would change what stands in {path}").format(path=change.path))
    return approve(vault, candidate, group=group, who=WHO)


def _log(vault: Vault, home: str, run: ApprovalRun) -> None:
    plain: dict[str, Any] = {
        "timestamp": clock.convert_to_local(clock.now()).isoformat(timespec="seconds"),
        "type": "distilled",
        "home": home,
        "chosen": [
            {
                "id": candidate.id,
                "text": candidate.text[:_EACH],
                "path": candidate.target.path if candidate.target else "",
                "section": candidate.target.section if candidate.target else "",
                "write": receipt.id,
            }
            for candidate, receipt in run.done
        ],
        "left": [
            {"id": candidate.id, "text": candidate.text[:_EACH], "reason": str(error)}
            for candidate, error in run.left
        ],
        "refused": [],
        "more": 0,
    }
    room = _LONGEST - len(json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace"))
    for number, fact in enumerate(run.refused):
        told = {"text": fact.text[:_EACH], "reason": fact.reason, "path": fact.path, "line": fact.line}
        room -= len(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")) + 2
        if room < 0:
            plain["more"] = len(run.refused) - number
            break
        plain["refused"].append(told)
    line = json.dumps(plain, ensure_ascii=False)
    vault.apply(
        [Append(str(state()), LOG, line)], verb="log", who=WHO, what=_("wrote down what was distilled")
    )
