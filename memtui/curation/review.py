"""Review: what waits for a decision, what approving it would write, and deciding it.

Nothing here changes a home before somebody approves. Every decision is one write, journalled and undone as one, that
holds the record of the decision, too; a candidate that was decided comes back with the undo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memtui import clock
from memtui.curation import decisions, finding, secrets, stored
from memtui.curation.approving import changes, difference, pen, written
from memtui.curation.candidates import ORIGINS, SETTLING, Candidate, Queue, Refused, Source
from memtui.curation.census import census
from memtui.curation.proposing import proposals
from memtui.curation.standing import home_of
from memtui.edits import Draft
from memtui.errors import ConflictError, MemtuiError, RefusedError
from memtui.locale import _
from memtui.model import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memtui.curation.decisions import Decision
    from memtui.edits import Append, Change, Receipt
    from memtui.model import Home
    from memtui.vault import Vault

__all__ = ["approve", "approve_all", "changes", "diff", "propose", "queue", "reconsider", "reject", "written"]

LONGEST = 8000
"""Characters of a proposal."""
_AGAIN = 3
"""So often an edit is made anew where somebody writes to the same file at the same moment."""
_LASTING = frozenset({"distilled", "proposed", "quarantine"})
"""Origins of which an approval holds: what is settled in the files themselves shows there whether it still is."""

_queues: WeakKeyDictionary[Vault, dict[tuple[frozenset[str], bool], tuple[object, Queue]]] = (
    WeakKeyDictionary()
)


def queue(vault: Vault, homes: frozenset[str] = frozenset(), rejected: bool = False) -> Queue:
    """What waits for a decision in these homes (none named: in all), and the facts that were not proposed.

    `rejected` lists what was rejected as well. Nothing is written, and nothing is worked out twice: see `census`.
    """
    among = [home for home in vault.homes if not homes or str(home.path) in homes]
    now = clock.now()
    stamp = (
        vault.generation,
        decisions.stamp(among),
        tuple(map(stored.stamp, among)),
        int(now // 60),
        vault.config.distill,
        vault.config.budget,
    )
    held = _queues.setdefault(vault, {})
    known = held.get((homes, rejected))
    if known is None or known[0] != stamp:
        held[homes, rejected] = known = (stamp, _queue(vault, homes, among, rejected, now))
    found = known[1]
    return Queue(list(found.waiting), list(found.refused), list(found.rejected))


def _queue(vault: Vault, homes: frozenset[str], among: list[Home], rejected: bool, now: float) -> Queue:
    decided = decisions.decided(among)
    waiting: list[Candidate] = []
    refused: list[Refused] = []
    for count in census(vault, homes):
        for candidate in proposals(vault, count, decided):
            done = decided.get(candidate.id)
            if done is None or not (
                done.done == "rejected" or (done.done == "approved" and candidate.origin in _LASTING)
            ):
                waiting.append(candidate)
        made, left = finding.distilled(vault, count, decided, now)
        waiting += made
        refused += left
    waiting.sort(
        key=lambda candidate: (
            ORIGINS.index(candidate.origin),
            candidate.origin == "duplicate" and -candidate.score,
        )
    )
    names = {str(home.path) for home in among}
    return Queue(waiting, refused, _rejected(decided, names) if rejected else [])


def _over(decision: Decision | None) -> bool:
    return decision is not None and decision.done == "rejected"


def _rejected(decided: Mapping[str, Decision], homes: set[str]) -> list[Candidate]:
    """What was rejected, newest first, as far as it was written down."""
    found = [done for done in decided.values() if done.done == "rejected" and done.home in homes]
    found.sort(key=lambda done: -(done.time or 0.0))
    return [
        Candidate(
            done.id,
            next((origin for origin in ORIGINS if origin == done.origin), "distilled"),
            done.home,
            done.text,
            done.kind or "note",
            done.layer,
            None,
            0.0,
            time=done.time,
            who=done.who,
            reason=done.reason,
            draft=Draft(done.text, done.kind or "note"),
        )
        for done in found
    ]


def diff(
    vault: Vault, candidate: Candidate, *, text: str = "", section: str = "", path: str = "", home: str = ""
) -> str:
    """A unified diff of the bytes that approving it would write to homes, new secrets masked. Raises as `changes`."""
    return difference(vault, changes(vault, candidate, text=text, section=section, path=path, home=home))


def approve(
    vault: Vault,
    candidate: Candidate,
    *,
    text: str = "",
    section: str = "",
    path: str = "",
    home: str = "",
    group: str = "",
    who: str = "person",
) -> Receipt:
    """Write it, in its place or in the one given, and answer the receipt. A file that moved on is no conflict.

    Raises what `changes` and `Vault.apply` raise; then nothing was written, and it still waits.
    """
    given, told = secrets.masked(vault, Draft(text, section=section))
    with decisions.alone():
        if candidate.origin in _LASTING and _already(vault, candidate):
            raise RefusedError(_("Somebody has approved this already."))
        for left in range(_AGAIN, -1, -1):
            wanted = changes(vault, candidate, text=given.text, section=given.section, path=path, home=home)
            # What is masked shows that it is; and a mask is one file by itself, so that nothing ever has to go back.
            masked = candidate.origin == "secret"
            noted = () if masked else (_noted(vault, candidate, "approved", who, written=given.text),)
            verb = "mask" if masked else "approve"
            try:
                receipt = pen(vault, candidate).apply(
                    (*wanted, *noted),
                    verb=verb,
                    who=who,
                    what=_what(candidate, wanted),
                    group=group,
                    confirmed=who == "person",
                )
                return receipt._replace(warnings=(*told, *receipt.warnings))
            except ConflictError:
                # Made anew from what stands there now: nothing is added twice, and what is marked is looked at again.
                if not left or candidate.origin in SETTLING:
                    raise
    raise AssertionError


def _already(vault: Vault, candidate: Candidate) -> bool:
    """Whether it was approved since the queue was looked at, by whomever."""
    done = decisions.decided(home for home in vault.homes if str(home.path) == candidate.home).get(
        candidate.id
    )
    return done is not None and done.done == "approved"


def reject(
    vault: Vault, candidate: Candidate, reason: str = "", *, group: str = "", who: str = "person"
) -> Receipt:
    """Have it never proposed again, unless its text changes. What was quarantined goes to the trash."""
    file = stored.gone(candidate) if candidate.origin == "quarantine" else None
    wanted: tuple[Change, ...] = (
        *([file] if file else []),
        _noted(vault, candidate, "rejected", who, reason=reason),
    )
    return vault.apply(
        wanted, verb="reject", who=who, what=_("rejected {text}").format(text=_short(candidate)), group=group
    )


def reconsider(vault: Vault, candidate: Candidate, *, group: str = "", who: str = "person") -> Receipt:
    """Take a rejection back: it waits again, if there is still reason to propose it."""
    wanted = (_noted(vault, candidate, "reconsidered", who),)
    what = _("{text} waits again").format(text=_short(candidate))
    return vault.apply(wanted, verb="reconsider", who=who, what=what, group=group)


def approve_all(
    vault: Vault, candidates: Iterable[Candidate], *, group: str = "", who: str = "person"
) -> tuple[list[Receipt], list[tuple[Candidate, str]]]:
    """Approve those without a warning, as one decision; and each that was left, with the reason."""
    from memtui.disk.journal import new_id

    group = group or new_id()
    done: list[Receipt] = []
    left: list[tuple[Candidate, str]] = []
    for candidate in candidates:
        if candidate.warnings:
            left.append((candidate, candidate.warnings[0]))
            continue
        try:
            done.append(approve(vault, candidate, group=group, who=who))
        except MemtuiError as error:
            left.append((candidate, str(error)))
    return done, left


def propose(
    vault: Vault,
    home: str,
    draft: Draft,
    who: str,
    *,
    layer: Layer = Layer.CORE,
    path: str = "",
    line: int = 0,
    session: str = "",
    group: str = "",
    compared: bool = True,
) -> Candidate:
    """Keep what somebody proposes until a person decides. `path`, `line` and `session` say where it comes from.

    Proposed twice it waits once; what was rejected is answered with its reason and does not wait again. Whoever is
    in a hurry has it not `compared` with all that is kept: Review does that anyway.
    Raises RefusedError for an empty text, or where too much waits already.
    """
    whose = home_of(vault, home)
    if not draft.text.strip():
        raise RefusedError(_("There is nothing to propose in an empty text."))
    if len(draft.text) > LONGEST:
        raise RefusedError(
            _("{number:,} characters are no memory: propose less.").format(number=len(draft.text))
        )
    draft, _told = secrets.masked(vault, draft)
    candidate, edit = stored.put(whose, draft, who, layer, Source(home, path, line, session))
    decided = decisions.decided([whose])
    if _over(decided.get(candidate.id)):
        return candidate._replace(stored="", reason=decided[candidate.id].reason or _("rejected before"))
    waiting = [other for other in stored.waiting(whose) if not _over(decided.get(other.id))]
    known = next((other for other in waiting if other.id == candidate.id), None)
    if known is None:
        if len(waiting) >= stored.MOST:
            raise RefusedError(
                _("{count} proposals wait already: decide some of them first.").format(count=len(waiting))
            )
        what = _("proposed {text}").format(text=_short(candidate))
        vault.apply([edit], verb="propose", who=who, what=what, group=group)
    for count in census(vault, frozenset({home})) if compared else ():
        return finding.completed(vault, count, known or candidate)
    return known or candidate


def _noted(
    vault: Vault, candidate: Candidate, done: str, who: str, *, reason: str = "", written: str = ""
) -> Append:
    whose = next((home for home in vault.homes if str(home.path) == candidate.home), None)
    return decisions.record(candidate, done, whose, who=who, reason=reason, written=written)


def _what(candidate: Candidate, wanted: Iterable[Change]) -> str:
    place = next((change.path for change in wanted), "")
    told = {
        "contradiction": _("replaced what contradicts {text} in {path}"),
        "duplicate": _("merged what says {text} twice in {path}"),
        "secret": _("masked a secret in {path}"),
        "weak": _("archived {text}, which seldom helped, in {path}"),
        "stale": _("archived {text}, which names what is gone, in {path}"),
        "attachment": _("took away what had expired: {text}"),
        "capability": _("made the skill {text}"),
    }.get(candidate.origin, _("approved {text} for {path}"))
    return told.format(text=_short(candidate), path=place)


def _short(candidate: Candidate) -> str:
    text = " ".join(candidate.said.split())
    return f"“{text[:39]}…”" if len(text) > 40 else f"“{text}”"
