"""Approving, rejecting, reconsidering and proposing, from the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.cli import candidates, diffs, output, receipts
from memtui.cli.writing import drained, passage, root, where, writer
from memtui.edits import Draft
from memtui.errors import MemtuiError, RefusedError
from memtui.locale import _, _n
from memtui.model import Layer

if TYPE_CHECKING:
    from memtui.curation.candidates import Candidate
    from memtui.edits import Receipt
    from memtui.vault import Vault

DONE = {
    "approve": ("{count} candidate was approved.", "{count} candidates were approved."),
    "reject": ("{count} candidate was rejected.", "{count} candidates were rejected."),
    "reconsider": ("{count} candidate waits again.", "{count} candidates wait again."),
}
WOULD = {
    "approve": ("{count} candidate would be approved.", "{count} candidates would be approved."),
    "reject": ("{count} candidate would be rejected.", "{count} candidates would be rejected."),
    "reconsider": ("{count} candidate would wait again.", "{count} candidates would wait again."),
}


def decide(opened: Vault, verb: str, chosen: list[Candidate], as_json: bool, said: dict[str, Any]) -> int:
    """Decide the chosen ones, as one decision that is undone at once; 3 where some of them could not be."""
    if not chosen:
        if as_json:
            output.document({"receipts": [], "failed": []})
        output.talk(_("Nothing waits for a decision."))
        return 1
    goal = root(opened, said["to_home"]) if said["to_home"] else ""
    changed = {"text": said["text"], "section": said["section"], "path": said["file"], "home": goal}
    changed = {name: value for name, value in changed.items() if value}
    if said["dry_run"]:
        return _would(opened, verb, chosen, as_json, changed)
    drained(opened.config)
    done, failed = _decided(opened, verb, chosen, changed, said["reason"])
    decided = [one for one in chosen if all(one is not other for other, _error in failed)]
    if as_json:
        output.document(
            {
                "receipts": [receipts.plain(receipt) for receipt in done],
                "decided": [one.id for one in decided],
                "failed": [{"id": one.id, "reason": str(error)} for one, error in failed],
            }
        )
        receipts.notes(done)
    else:
        if verb == "approve":
            receipts.say(done)
        elif done:
            receipts.undoing(done)
        output.talk(_n(*_translated(DONE[verb]), len(decided)))
    for one, error in failed:
        output.talk(f"{one.id[: candidates.SHOWN]}: {error}")
        receipts.explain(error)
    return max((error.exit_status for _one, error in failed), default=0)


def _decided(
    opened: Vault, verb: str, chosen: list[Candidate], changed: dict[str, str], reason: str
) -> tuple[list[Receipt], list[tuple[Candidate, MemtuiError]]]:
    """The writes that were made, and what is in the way of the others."""
    from memtui.curation import review

    if len(chosen) > 1:
        if verb == "approve":
            return review.approve_all(opened, chosen, warned=True, who=_whose())
        if verb == "reject":
            return review.reject_all(opened, chosen, reason)
        return review.reconsider_all(opened, chosen)
    try:
        if verb == "approve":
            return [review.approve(opened, chosen[0], who=_whose(), **changed)], []
        if verb == "reject":
            return [review.reject(opened, chosen[0], reason)], []
        return [review.reconsider(opened, chosen[0])], []
    except MemtuiError as error:
        return [], [(chosen[0], error)]


def _whose() -> str:
    """Who approves: in an agent's own shell the agent, for what a person approves is given to agents as their rules."""
    from memtui.sessions.tracks import TRACKS

    agent = next((track.agent for track in TRACKS if any(map(os.environ.get, track.signs))), "")
    return f"agent:{agent}" if agent else "person"


def _would(opened: Vault, verb: str, chosen: list[Candidate], as_json: bool, changed: dict[str, str]) -> int:
    from memtui.curation import review

    found: list[tuple[Candidate, str, str]] = []
    for one in chosen:
        try:
            found.append((one, review.diff(opened, one, **changed) if verb == "approve" else "", ""))
        except MemtuiError as error:
            found.append((one, "", str(error)))
    possible = sum(not why for _one, _diff, why in found)
    if as_json:
        output.document(
            {
                "dry_run": True,
                "count": possible,
                "candidates": [
                    candidates.plain(one) | {"diff": diff, "obstacle": why or None}
                    for one, diff, why in found
                ],
            }
        )
    else:
        for one, diff, why in found:
            output.line(output.paint(output.safe(f"{one.id[: candidates.SHOWN]}  {one.text}"), output.BOLD))
            for line in diffs.painted(diff):
                output.line(line)
            if why:
                output.talk(why)
        output.talk(_n(*_translated(WOULD[verb]), possible) + " " + _("Nothing was written."))
    return 0 if possible == len(found) else RefusedError.exit_status


def _translated(forms: tuple[str, str]) -> tuple[str, str]:
    return _(forms[0]), _(forms[1])


def propose(words: tuple[str, ...], home: tuple[str, ...], as_json: bool, said: dict[str, Any]) -> int:
    """Let a text wait for a decision: stored, and nothing else."""
    draft = Draft(passage(words), said["kind"].lower(), section=said["section"])
    who = f"agent:{said['who']}" if said["who"] else "person"
    with writer(home, Layer.CORE, draft) as (opened, place):
        from memtui.curation import review

        one = review.propose(opened, str(place.path), draft, who)
    waits = bool(one.stored)
    if as_json:
        output.document({"candidate": candidates.plain(one), "waiting": waits})
    else:
        output.line(output.safe(one.id))
    if not waits:
        output.talk(
            _("That was decided before ({reason}): it does not wait again.").format(reason=one.reason)
        )
        return RefusedError.exit_status
    if as_json:
        return 0
    output.talk(_("It waits in review, for {home}.").format(home=where(place)))
    for warning in one.warnings:
        output.talk(_("note: {text}").format(text=warning))
    return 0
