"""Skills made from what comes back (spec 002, 能力自动生成): proposed behind four gates, installed when approved.

Nothing is written outside of the state directory before a person approves. An approval is one write, journalled and
undone as one: the SKILL.md, its line in auto-capabilities.md, the home's log and state, and the pattern as addressed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui import clock
from memtui.curation import decisions
from memtui.curation.candidates import ORDER, Candidate
from memtui.curation.standing import home_of
from memtui.curation.stored import gone
from memtui.edits import Edit, Piece
from memtui.errors import RefusedError
from memtui.evolution import audit, gates, settling
from memtui.evolution.skills import places, proposed, records, skill
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memtui.curation.census import Census, Remembered
    from memtui.curation.decisions import Decision
    from memtui.edits import Change
    from memtui.evolution.patterns import Pattern
    from memtui.model import Home
    from memtui.vault import Vault
    from memtui.writing import Writing


def propose(
    vault: Vault, home: Home, pattern_key: str = "", *, force: bool = False, who: str, group: str = ""
) -> Candidate:
    """Draft a skill for a pattern, or for the gravest that has none, and have it wait in Review.

    `force`, for a person only, goes past gates that are shut: the candidate's warnings say which. Waiting already, it
    is that one. Raises RefusedError where a gate is shut, where there is no such pattern, or it was rejected.
    """
    closed = gates.shut(gates.of(vault, home))
    if closed and not (force and who == "person"):
        raise RefusedError(_("No skill is made now. {why}.").format(why=closed))
    from memtui.evolution.skills import drafting, lessons

    pattern = _chosen(vault, home, pattern_key)
    known = _waiting(vault, home).get(pattern.key)
    if known is not None:
        return known
    place = places.of(audit.where(home), vault.config.evolution)
    kept = proposed.waiting(home, vault.config)
    taken = place.taken() | {one.draft.title for one in kept if one.draft is not None}
    name = skill.named(pattern.type, pattern.about, taken)
    steps = tuple(lessons.steps(vault, home, pattern))
    drafted = drafting.draft(pattern, steps, name, vault.config)
    text = _masked(vault, skill.read(drafted.text).text)
    told = (
        *([_("proposed past a gate that is shut: {why}").format(why=closed)] if closed else []),
        *([drafted.warning] if drafted.warning else []),
        *_orders(text),
    )
    named, edit = proposed.put(home, pattern, name, text, steps, who, told)
    what = _("proposed the skill {name}").format(name=name)
    vault.apply([edit], verb="propose", who=who, what=what, group=group)
    return next(one for one in proposed.waiting(home, vault.config) if one.id == named)


def candidates(vault: Vault, count: Census | Remembered) -> Iterator[Candidate]:
    """Skills that wait for a person in one home."""
    yield from proposed.waiting(count.home, vault.config)


def pen(vault: Vault, home: Home) -> Writing:
    """What writes where an approval for this home goes: it opens the directory of the skills as well."""
    kept = audit.ready(vault, home)
    return vault.beside([kept, *places.of(kept, vault.config.evolution).homes])


def changes(vault: Vault, candidate: Candidate, text: str = "") -> tuple[Change, ...]:
    """What approving a candidate writes, with another text where a person has changed it.

    Where somebody has taken its name meanwhile it gets another one. Raises RefusedError where it was decided, where
    the text is no skill, or a link stands in the way.
    """
    home = home_of(vault, candidate.home)
    plain = proposed.kept(home, candidate.id)
    if not plain:
        raise RefusedError(_("Somebody has decided this already."))
    kept = audit.where(home)
    place = places.of(kept, vault.config.evolution)
    wanted = skill.read(_masked(vault, text or plain["text"]))
    index = place.listed
    lines = vault.bytes_of(index.root, index.path)
    name = skill.free(wanted.name, place.taken() | places.indexed(lines or b""))
    if name != wanted.name:
        wanted = skill.read(skill.renamed(wanted, name).text)
    if wanted.name != name:
        raise RefusedError(_("There is a skill {name} already: name this one otherwise.").format(name=name))
    at = place.skill(name)
    data = wanted.text.encode("utf-8", "replace")
    event = records.Event(
        "made",
        name,
        clock.now(),
        at.file,
        settling.named(home, plain["pattern"]),
        plain["type"],
        plain["count"] if isinstance(plain.get("count"), int) else 0,
        records.digest(data),
    )
    state = records.renewed(vault, kept, event)
    file = gone(candidate._replace(stored=candidate.stored or proposed.path(home, candidate.id)))
    return (
        Edit(at.root, at.path, None, (Piece(0, 0, data),), mode=0o644),
        places.with_line(index, lines, name, wanted.description),
        records.noted(vault, kept, event),
        *([state] if state else []),
        records.settled(
            vault, kept, event.pattern, "addressed", _("the skill {name}").format(name=name), "person"
        ),
        *([file] if file else []),
    )


def _chosen(vault: Vault, home: Home, key: str) -> Pattern:
    """The pattern of that key; without one the gravest that is active, waits for nobody and was not rejected."""
    decided = decisions.decided([home])
    problems, types = gates.unsettled(vault, home)
    if key:
        pattern = next((one for one in (*problems, *types) if one.key == key), None)
        if pattern is None:
            raise RefusedError(_("There is no pattern {key}.").format(key=key))
        if pattern.status in {"addressed", "suppressed"}:
            raise RefusedError(_("{key} is {status} already.").format(key=key, status=_(pattern.status)))
        if done := _rejected(home, pattern, decided):
            why = f": {done.reason}" if done.reason else "."
            raise RefusedError(_("A skill for {key} was rejected").format(key=key) + why)
        return pattern
    out = set(_waiting(vault, home))
    out |= {one.key for one in (*problems, *types) if _rejected(home, one, decided)}
    # What is told more closely makes the better skill; a type has one for what no problem of its own explains.
    for pattern in (*problems, *gates.unsettled(vault, home, frozenset(out))[1]):
        if pattern.status == "active" and pattern.count >= gates.COUNT and pattern.key not in out:
            return pattern
    raise RefusedError(_("Every pattern is dealt with, waits in Review or was rejected."))


def _rejected(home: Home, pattern: Pattern, decided: Mapping[str, Decision]) -> Decision | None:
    done = (decided.get(named) for named in proposed.graver(home, pattern))
    return next((one for one in done if one is not None and one.done == "rejected"), None)


def _waiting(vault: Vault, home: Home) -> dict[str, Candidate]:
    """What waits for a decision, by its pattern."""
    decided = decisions.decided([home])
    return {
        one.draft.key: one
        for one in proposed.waiting(home, vault.config)
        if one.draft is not None and ((done := decided.get(one.id)) is None or done.done != "rejected")
    }


def _masked(vault: Vault, text: str) -> str:
    from memtui.curation.secrets import patterns
    from memtui.safety.redact import redact

    return redact(text, patterns(vault)).text


def _orders(text: str) -> tuple[str, ...]:
    from memtui.safety.injection import examine

    rules = examine(text).rules
    told = _("it may read like an order to agents ({rules})").format(rules=", ".join(rules))
    return (f"{ORDER}: {told}",) if rules else ()
