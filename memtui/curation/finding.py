"""A home's census -> candidates: what is proposed, where it would go, and what to know before saying yes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui import clock
from memtui.curation.approving import aimed, written
from memtui.curation.candidates import (
    BUDGET,
    DUPLICATE,
    EITHER,
    LOCKED,
    ORDER,
    SECRET,
    UNDATED,
    Candidate,
    Near,
    Refused,
    Source,
    identified,
)
from memtui.curation.distill import select, worded
from memtui.curation.obstacles import why_not
from memtui.curation.secrets import patterns
from memtui.curation.standing import form_of
from memtui.edits import Append, Draft, Edit, Target
from memtui.errors import MemtuiError
from memtui.locale import _
from memtui.model import Layer
from memtui.safety.injection import examine
from memtui.safety.redact import redact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.curation.census import Census, Clashes
    from memtui.curation.decisions import Decision
    from memtui.curation.distill import Chosen
    from memtui.model import Memory
    from memtui.vault import Vault

_NEAREST = 5
_FULL = 0.8
"""Share of the budget from which an approval is measured beforehand."""


def distilled(
    vault: Vault, count: Census, decided: Mapping[str, Decision], now: float
) -> tuple[list[Candidate], list[Refused]]:
    """The facts that belong in core memory, and why the others do not."""
    home = str(count.home.path)
    if not count.config.enabled or not count.facts:
        return [], []

    contradicted = {one.older.id: one.newer for one in count.contradictions}

    core = _core(count)

    def settled(fact: Memory) -> str:
        if fact.path == core:
            # OpenAkita makes its MEMORY.md of the rows themselves.
            return _("core memory is made of it: {path}").format(path=core)
        newer = contradicted.get(fact.id)
        if newer is not None:
            return _("{place} says otherwise since").format(place=f"{newer.path}:{newer.start}")
        decision = decided.get(identified("distilled", home, worded(fact)))
        if decision is None or decision.done == "reconsidered":
            return ""
        day = clock.day(decision.time) if decision.time is not None else "?"
        if decision.done == "approved":
            return _("approved on {day}, and taken out since").format(day=day)
        told = _("rejected on {day}").format(day=day)
        return f"{told}: {decision.reason}" if decision.reason else told

    found = select(
        count.facts, count.kept, count.config, now, known=count.known, groups=count.groups, settled=settled
    )
    refused = [_refused(left.fact, left.reason) for left in found.refused]
    made: list[Candidate] = []
    for chosen in found.chosen:
        candidate = completed(vault, count, _of(count, chosen, home))
        if candidate.target is None:
            # Where nothing can be written nothing is proposed.
            why = next(
                (text.partition(": ")[2] for text in candidate.warnings if text.startswith(LOCKED)), ""
            )
            refused += (_refused(fact, why) for fact in chosen.said)
        else:
            made.append(candidate)
    return made, refused


def _core(count: Census) -> str:
    """The file that core memory is written to; empty: none is."""
    try:
        return aimed(count.home, Layer.CORE, Draft("x", "fact")).path
    except (MemtuiError, OSError):
        return ""


def _of(count: Census, chosen: Chosen, home: str) -> Candidate:
    fact = chosen.fact
    stated = next((other.confidence for other in chosen.said if other.confidence is not None), None)
    draft = Draft(
        chosen.text,
        chosen.place.kind,
        chosen.place.section,
        fact.tags,
        fact.entities,
        None if stated is None else chosen.confidence,
        source=fact.session or fact.source,
        memory_type=chosen.type,
    )
    return Candidate(
        identified("distilled", home, chosen.text),
        "distilled",
        home,
        chosen.text,
        chosen.place.kind,
        Layer.CORE,
        None,
        chosen.confidence,
        chosen.parts,
        tuple(map(source, chosen.said)),
        chosen.days,
        tuple(near(count.kept[number], how.score) for number, how in chosen.near[:_NEAREST]),
        time=fact.created if fact.created is not None else fact.modified,
        memories=tuple(other.id for other in chosen.said),
        draft=draft,
    )


def contradictions(vault: Vault, count: Census) -> list[Candidate]:
    """Two facts that cannot both hold: approved, the newer supersedes the older. Only where that can be written."""
    home = str(count.home.path)
    return [
        Candidate(
            identified("contradiction", home, f"{newer.text}\0{older.text}"),
            "contradiction",
            home,
            newer.text,
            newer.kind,
            older.layer or Layer.KNOWLEDGE,
            _beside(count, older),
            0.9,
            (
                ("newer", _dated(newer)),
                ("older", _dated(older)),
                ("differs", reason),
            ),
            (source(newer), source(older)),
            near=(near(older, 0.9),),
            warnings=(f"{EITHER}: " + _("approved, the older one is given up"), *_undated(newer, older)),
            time=newer.created if newer.created is not None else newer.modified,
            memories=(newer.id, older.id),
            reason=_("{place} says otherwise: {reason}").format(
                place=f"{older.path}:{older.start}", reason=reason
            ),
        )
        for newer, older, reason in count.contradictions
        if not why_not("supersede", older, vault)
    ]


def duplicates(vault: Vault, count: Census | Clashes) -> list[Candidate]:
    """Two that say the same: approved, the one to keep supersedes the other."""
    home = str(count.home.path)
    clashing = {frozenset((one.newer.id, one.older.id)) for one in count.contradictions}
    return [
        Candidate(
            identified("duplicate", home, f"{keep.text}\0{other.text}\0{other.path}"),
            "duplicate",
            home,
            keep.text,
            keep.kind,
            other.layer or Layer.KNOWLEDGE,
            _beside(count, other),
            how.score,
            (
                ("keep", f"{keep.path}:{keep.start}"),
                ("other", f"{other.path}:{other.start}"),
                ("likeness", f"{how.score:.2f}"),
            ),
            (source(keep), source(other)),
            seen=2,
            near=(near(other, how.score),),
            time=keep.created if keep.created is not None else keep.modified,
            memories=(keep.id, other.id),
            reason=_("{place} says the same").format(place=f"{other.path}:{other.start}"),
        )
        for keep, other, how in count.duplicates
        if frozenset((keep.id, other.id)) not in clashing and not why_not("supersede", other, vault)
    ]


def completed(vault: Vault, count: Census, candidate: Candidate) -> Candidate:
    """A candidate for new text, with its place, what is like it, and its warnings."""
    draft = candidate.draft or Draft(candidate.text, candidate.kind)
    warnings: list[str] = []
    masked = redact(draft.text, patterns(vault))
    draft = draft._replace(text=masked.text)
    # What stands in a home comes masked; the line it comes from tells that it was.
    if masked.secrets or any((place.path, place.line) in count.leaking for place in candidate.sources):
        warnings.append(f"{SECRET}: {_('a secret in it is masked')}")
    alike = candidate.near
    if candidate.origin != "distilled":
        alike = tuple(
            near(count.kept[number], how.score)
            for number, how in count.known.like(draft.text, draft.entities)[:_NEAREST]
        )
    if alike:
        told = _("{place} says much the same").format(place=f"{alike[0].path}:{alike[0].line}")
        warnings.append(f"{DUPLICATE}: {told}")
    verdict = examine(draft.text)
    if verdict.action != "none":
        told = _("it reads like an order to agents ({rules})").format(rules=", ".join(verdict.rules))
        warnings.append(f"{ORDER}: {told}")
    candidate = candidate._replace(text=draft.text, draft=draft, near=alike)
    target = None
    try:
        target = aimed(count.home, candidate.layer, draft)
        over = _over(vault, candidate, target)
        if over:
            warnings.append(f"{BUDGET}: {over}")
    except (MemtuiError, OSError) as error:
        warnings.append(f"{LOCKED}: {error}")
        target = None
    return candidate._replace(target=target, warnings=tuple(warnings))


def _over(vault: Vault, candidate: Candidate, target: Target) -> str:
    """Why agents would not read all of the file any more, with the candidate in it; empty: they would."""
    if not target.path.endswith("MEMORY.md"):
        return ""
    most, size = vault.config.budget.lines, int(vault.config.budget.kilobytes * 1024)
    data = vault.bytes_of(target.home, target.path) or b""
    if data.count(b"\n") < most * _FULL and len(data) < size * _FULL:
        return ""
    for change in written(vault, candidate):
        if change.path == target.path and isinstance(change, (Edit, Append)):
            new = change.new if isinstance(change, Edit) else data + change.record.encode() + b"\n"
            lines = new.count(b"\n") + (not new.endswith(b"\n"))
            if lines > most:
                told = _("{path} would have {lines} lines; agents read {most}")
                return told.format(path=target.path, lines=lines, most=most)
            if len(new) > size:
                told = _("{path} would have {size:.1f} KB; agents read {most:g}")
                return told.format(path=target.path, size=len(new) / 1024, most=vault.config.budget.kilobytes)
    return ""


def _beside(count: Census | Clashes, memory: Memory) -> Target:
    heading = memory.heading[-1] if memory.heading else ""
    layer = memory.layer or Layer.KNOWLEDGE
    return Target(memory.home, memory.path, form_of(count.home, memory.path), heading, layer)


def _undated(newer: Memory, older: Memory) -> tuple[str, ...]:
    """A warning where nobody wrote down which of them is the newer one."""
    if newer.created is not None and (older.created is not None or (older.modified or 0.0) <= newer.created):
        return ()
    if newer.created is None and older.created is None and newer.path == older.path:
        return ()
    return (f"{UNDATED}: {_('not both are dated: make sure which one holds')}",)


def _dated(memory: Memory) -> str:
    """Where a memory stands, and since when where it says so itself."""
    place = f"{memory.path}:{memory.start}"
    return place if memory.created is None else f"{place} ({clock.day(memory.created)})"


def source(memory: Memory) -> Source:
    """Where a memory stands, as a candidate names it."""
    when = memory.created if memory.created is not None else memory.modified
    return Source(memory.home, memory.path, memory.start, memory.session or memory.source, when)


def near(memory: Memory, score: float) -> Near:
    """A memory as something alike."""
    return Near(memory.path, memory.start, memory.text, round(score, 4), memory.id)


def _refused(memory: Memory, reason: str) -> Refused:
    return Refused(memory.text, reason, memory.home, memory.path, memory.start)
