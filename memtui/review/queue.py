"""Review: what waits for a decision, what approving it would write, and deciding it.

First the sources of candidates, each over one home's census; then the queue and the decisions. Nothing here
changes a home before somebody approves. Every decision is one write, journalled and undone as one together with
its record, so that the undo brings the candidate back.

What several tools remember in words of their own, found across homes: which agents know the same thing.

Nothing is proposed from it: that each tool has its own copy is how they work. A person sees that they agree.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from memtui.core import clock
from memtui.core.edits import Append, Draft
from memtui.core.errors import ConflictError, MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import Layer, Memory, Status
from memtui.formats.marks import KEY
from memtui.fs.write_journal import generate_record_id
from memtui.layouts import load_badge
from memtui.review import foremost, plausible, proposals, stale, verdicts
from memtui.review.census import load, load_census, load_remembered, part_memories, share_checkout
from memtui.review.duplicates import find_duplicates
from memtui.review.fields import join_passages
from memtui.review.proposals import (
    build_changes,
    choose_writer,
    index_staged,
    render_difference,
    write_candidate,
)
from memtui.safety.sanitize import sanitize_text
from memtui.store import attachments, secrets
from memtui.store import candidates as candidates_module
from memtui.store.candidates import ADDING, LOCKED, SETTLING, Candidate, Queue, Refused, compute_candidate_id
from memtui.store.passage import keep_approval
from memtui.store.proposing import propose_draft, quote_candidate
from memtui.store.staging import AGAIN, Stage, apply_each

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.core.edits import Change, Receipt
    from memtui.core.model import Home
    from memtui.review.census import Census
    from memtui.review.proposals import Evolved
    from memtui.store.candidates import Decision
    from memtui.store.vault import Vault


__all__ = [
    "approve",
    "approve_all",
    "build_changes",
    "diff",
    "diff_all",
    "load_queue",
    "propose",
    "reconsider",
    "reconsider_all",
    "reject",
    "reject_all",
    "write_candidate",
]  # fmt: skip


def list_aged(vault: Vault, home: Home, decided: Mapping[str, Decision], evolved: Evolved) -> Iterator[Candidate]:
    """What waits because of its age or its effect alone: for that nothing has to be compared."""
    found = load_remembered(vault, home)
    for propose_due in (
        attachments.propose_attachments,
        evolved.propose_weak,
        stale.propose_stale,
    ):
        for candidate in propose_due(vault, found):
            if is_undecided(candidate, decided):
                yield candidate


def is_undecided(candidate: Candidate, decided: Mapping[str, Decision]) -> bool:
    """Whether a candidate that is settled in the files themselves was not rejected."""
    done = decided.get(candidate.id)
    return done is None or done.done != "rejected"


def list_proposals(
    vault: Vault, count: Census, decided: Mapping[str, Decision], evolved: Evolved | None
) -> Iterator[Candidate]:
    """All that waits in one home but what is distilled; what was rejected is among it."""
    for candidate in candidates_module.list_waiting_candidates(count.home):
        done = decided.get(candidate.id)
        if done is None or done.done != "rejected":
            yield proposals.complete_candidate(vault, count, candidate)
    if evolved is not None:
        yield from evolved.propose_skills(vault, count)
    beside = [one for one in vault.own_homes if one.path != count.home.path and share_folder(one, count.home)]
    found = secrets.build_secret_candidates(vault, count.home, beside)
    yield from (one for one in found if not plausible.is_example_secret(one))
    yield from proposals.propose_contradictions(vault, count)
    twice = (one for one in proposals.propose_duplicates(vault, count) if not _was_distilled_from(one, decided))
    yield from join_passages(one for one in twice if not candidates_module.is_settled(one, decided))
    yield from attachments.propose_attachments(vault, count)
    if evolved is not None:
        yield from evolved.propose_weak(vault, count)
    yield from stale.propose_stale(vault, count)


def share_folder(home: Home, other: Home) -> bool:
    """Whether two homes are one to whoever opens them: of one checkout, or checkouts side by side in one directory,
    unless that is where a person's tools keep theirs."""
    parent = home.path.parent
    beside = parent == other.path.parent and parent not in {Path.home(), Path(parent.anchor)}
    return share_checkout(home, other) or (beside and not home.path.name.startswith("."))


def _was_distilled_from(candidate: Candidate, decided: Mapping[str, Decision]) -> bool:
    """Whether a person had the one be made of the other: the day's note is its evidence."""
    texts = (candidate.text, *(near.text for near in candidate.near))
    known = (decided.get(compute_candidate_id("distilled", candidate.home, text)) for text in texts)
    return any(done is not None and done.done == "approved" for done in known)


_ROUNDS = 4
"""How often others take the places of cards that could not be approved."""
_APART = frozenset({"secret", "capability"})
"""Origins of which each approval is a write of its own: a mask is never taken back, a skill goes where no home is."""


class _Queues(dict[tuple[frozenset[str], bool], "tuple[object, Queue]"]):
    """By homes, and whether what was rejected is listed: what it was worked out of, and what waits."""


def load_queue(
    vault: Vault,
    homes: frozenset[str] = frozenset(),
    rejected: bool = False,
    *,
    evolved: Evolved | None = None,
) -> Queue:
    """What waits for a decision in these homes (none named: in all), and the facts that were not proposed.

    `rejected` lists what was rejected as well. Nothing is written, and nothing is worked out twice: see `census`.
    """
    among = [home for home in vault.own_homes if not homes or str(home.path) in homes]
    now = clock.now()
    stamp = (
        vault.generation,
        candidates_module.stamp(among),
        tuple(map(candidates_module.stamp_stored, among)),
        tuple(map(verdicts.stamp_judged, among)),
        int(now // 60),
        vault.config.distill,
        vault.config.budget,
    )
    held = vault.kept.of(_Queues)
    known = held.get((homes, rejected))
    if known is None or known[0] != stamp:
        held[homes, rejected] = known = (stamp, _queue(vault, homes, among, rejected, now, evolved))
    found = known[1]
    return Queue(list(found.waiting), list(found.refused), list(found.rejected))


def _queue(
    vault: Vault,
    homes: frozenset[str],
    among: list[Home],
    rejected: bool,
    now: float,
    evolved: Evolved | None,
) -> Queue:
    decided = candidates_module.load_decisions(among)
    waiting: list[Candidate] = []
    refused: list[Refused] = []
    gathered = [
        (count.home, *gather_candidates(vault, count, decided, now, evolved)) for count in load_census(vault, homes)
    ]
    for home, candidates, left in gathered:
        # One directory that is several agents' home is one queue to whoever opens it.
        beside = [len(others) for other, others, _left in gathered if share_folder(home, other)]
        made, more = choose_shown(vault, home, candidates, allocate_cards(len(candidates), beside))
        waiting += made
        refused += (*left, *more)
    return Queue(
        sorted(waiting, key=candidates_module.rank_urgency),
        refused,
        candidates_module.list_rejected(among) if rejected else [],
    )


def gather_candidates(
    vault: Vault, count: Census, decided: Mapping[str, Decision], now: float, evolved: Evolved | None = None
) -> tuple[list[Candidate], list[Refused]]:
    """What one home's census has to be decided, in no order; and the facts that it does not propose."""
    waiting = [
        one for one in list_proposals(vault, count, decided, evolved) if not candidates_module.is_settled(one, decided)
    ]
    made, left = proposals.propose_distilled(vault, count, decided, now)
    return [*waiting, *made], left


def allocate_cards(own: int, beside: Iterable[int]) -> int:
    """How many cards a home with `own` candidates shows of those that it shares with the homes `beside` it, itself
    among them: what a home does not need the others have."""
    left, counts = foremost.MOST, sorted(beside)
    for place, some in enumerate(counts):
        share = left // (len(counts) - place)
        if some >= own:
            return share
        left -= min(some, share)
    return left


def choose_shown(
    vault: Vault, home: Home, candidates: list[Candidate], most: int
) -> tuple[list[Candidate], list[Refused]]:
    """The first `most` of a home's candidates that can be decided, and why the others are not shown."""
    looked: dict[int, str] = {}
    # Nothing is written: each file is read once for all of them.
    trial = Stage(vault)
    trial.from_disk = True
    for _round in range(_ROUNDS):
        shown, more = foremost.choose_foremost([one for one in candidates if not looked.get(id(one))], most)
        fresh = [one for one in shown if id(one) not in looked]
        looked |= {id(one): _find_obstacle(cast("Vault", trial), home, one) for one in fresh}
        if not any(looked[id(one)] for one in fresh):
            break
    left = [foremost.leave_out(one, looked[id(one)]) for one in candidates if looked.get(id(one))]
    return [one for one in shown if not looked[id(one)]], [*left, *more]


def _find_obstacle(vault: Vault, home: Home, candidate: Candidate) -> str:
    """Why approving it would be refused, though nothing on the card says so; else empty. No card refuses its keys."""
    told = any(warning.startswith(LOCKED) for warning in candidate.warnings)
    if candidate.origin not in SETTLING - {"secret", "attachment"} or told or not home.writable:
        return ""
    try:
        vault.prepared(build_changes(vault, candidate))
    except RefusedError as error:
        return str(error)
    except (MemtuiError, OSError):
        # What is no longer as it was is looked at again by itself.
        return ""
    return ""


def diff(
    vault: Vault,
    candidate: Candidate,
    *,
    text: str = "",
    section: str = "",
    path: str = "",
    home: str = "",
    evolved: Evolved | None = None,
) -> str:
    """A unified diff of what approving it would write to homes, new secrets masked. Raises as `build_changes`."""
    return render_difference(
        vault,
        build_changes(vault, candidate, text=text, section=section, path=path, home=home, evolved=evolved),
    )


def diff_all(vault: Vault, candidates: Iterable[Candidate], *, evolved: Evolved | None = None) -> str:
    """What approving each of these would write, one difference after the other; of what cannot be written, why not."""
    told: list[str] = []
    for candidate in candidates:
        try:
            told.append(diff(vault, candidate, evolved=evolved))
        except MemtuiError as error:
            told.append(f"\\ {sanitize_text(str(error), keep_newlines=False)}\n")
    return "".join(told)


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
    evolved: Evolved | None = None,
) -> Receipt:
    """Write it, in its place or in the one given, and answer the receipt. A file that moved on is no conflict.

    Raises what `build_changes` and `Vault.apply` raise; then nothing was written, and it still waits.
    """
    instead = {"text": text, "section": section, "path": path, "home": home}
    with candidates_module.hold_decision_lock():
        for left in range(AGAIN, -1, -1):
            try:
                return _approve_candidate(
                    vault, candidate, _list_approvals(vault, [candidate]), instead, who, group, evolved
                )
            except ConflictError:
                # Made anew from what stands there now: nothing is added twice, and what is marked is looked at again.
                if not left or candidate.origin in SETTLING:
                    raise
    raise AssertionError


def _approve_candidate(
    vault: Vault,
    candidate: Candidate,
    before: frozenset[str],
    instead: Mapping[str, str],
    who: str,
    group: str,
    evolved: Evolved | None,
) -> Receipt:
    given, told = secrets.mask_draft(vault, Draft(instead.get("text", ""), section=instead.get("section", "")))
    if candidate.origin in candidates_module.LASTING and candidate.id in before:
        raise RefusedError(_("Somebody has approved this already."))
    place = {"path": instead.get("path", ""), "home": instead.get("home", "")}
    wanted = build_changes(vault, candidate, text=given.text, section=given.section, evolved=evolved, **place)
    # What is masked shows that it is; and a mask is one file by itself, so that nothing ever has to go back.
    masked = candidate.origin == "secret"
    noted: tuple[Change, ...] = ()
    if not masked:
        noted = (_build_decision_record(vault, candidate, "approved", who, written=given.text),)
    if who == "person" and candidate.origin in ADDING and wanted:
        draft, _masked = secrets.mask_draft(vault, candidate.draft or Draft(candidate.text))
        noted = (*noted, keep_approval(wanted[0], given.text or draft.text, candidate.kind))
    receipts = [
        choose_writer(vault, candidate, evolved).apply(
            (*each, *noted),
            verb="mask" if masked else "approve",
            who=who,
            what=_describe_approval(candidate, each),
            group=group,
            confirmed=who == "person",
        )
        for each in ([(one,) for one in wanted] if masked else [wanted])
    ]
    return receipts[-1]._replace(warnings=(*told, *receipts[-1].warnings))


def _list_approvals(vault: Vault, candidates: Iterable[Candidate]) -> frozenset[str]:
    """What of the candidates' homes was approved since the queue was looked at, by whomever."""
    homes = {candidate.home for candidate in candidates}
    known = candidates_module.load_decisions(home for home in vault.homes if str(home.path) in homes)
    return frozenset(name for name, decision in known.items() if decision.done == "approved")


def reject(vault: Vault, candidate: Candidate, reason: str = "", *, group: str = "", who: str = "person") -> Receipt:
    """Have it never proposed again, unless its text changes. What was quarantined goes to the trash."""
    file = candidates_module.build_candidate_removal(candidate) if candidate.origin == "quarantine" else None
    wanted: tuple[Change, ...] = (
        *([file] if file else []),
        *(
            _build_decision_record(vault, one, "rejected", who, reason=reason)
            for one in candidate.members or (candidate,)
        ),
    )
    return vault.apply(
        wanted,
        verb="reject",
        who=who,
        what=_("rejected {text}").format(text=quote_candidate(candidate)),
        group=group,
    )


def reconsider(vault: Vault, candidate: Candidate, *, group: str = "", who: str = "person") -> Receipt:
    """Take a rejection back: it waits again, if there is still reason to propose it."""
    wanted = (_build_decision_record(vault, candidate, "reconsidered", who),)
    what = _("{text} waits again").format(text=quote_candidate(candidate))
    return vault.apply(wanted, verb="reconsider", who=who, what=what, group=group)


def approve_all(
    vault: Vault,
    candidates: Iterable[Candidate],
    *,
    who: str = "person",
    warned: bool = False,
    instead: Mapping[str, Mapping[str, str]] | None = None,
    evolved: Evolved | None = None,
) -> tuple[list[Receipt], list[tuple[Candidate, MemtuiError]]]:
    """Approve those without a warning (`warned`: all) as one write; and each that was left, with the reason.

    `instead`: the text, section, path or home to write a candidate with, by its id. A mask, and what is written where
    no home is, are writes of their own in the same group.
    """
    chosen = list(candidates)
    left: list[tuple[Candidate, MemtuiError]] = [
        (one, RefusedError(one.warnings[0])) for one in chosen if one.warnings and not warned
    ]
    chosen = [one for one in chosen if warned or not one.warnings]
    group = generate_record_id()
    together = [one for one in chosen if one.origin not in _APART]
    with candidates_module.hold_decision_lock():
        before = _list_approvals(vault, together)

        def approved(stage: Vault, one: Candidate) -> Receipt:
            return _approve_candidate(stage, one, before, (instead or {}).get(one.id, {}), who, group, evolved)

        done, failed = apply_each(vault, together, approved, group=group, finish=index_staged)
    for one in chosen:
        if one.origin in _APART:
            try:
                done.append(
                    approve(vault, one, group=group, who=who, evolved=evolved, **(instead or {}).get(one.id, {}))
                )
            except MemtuiError as error:
                failed.append((one, error))
    return done, [*left, *failed]


def reject_all(
    vault: Vault, candidates: Iterable[Candidate], reason: str = "", *, who: str = "person"
) -> tuple[list[Receipt], list[tuple[Candidate, MemtuiError]]]:
    """Reject them all as one write; and each that was left, with the reason."""
    return apply_each(
        vault,
        list(candidates),
        lambda stage, one: reject(stage, one, reason, who=who),
        group=generate_record_id(),
    )


def reconsider_all(
    vault: Vault, candidates: Iterable[Candidate], *, who: str = "person"
) -> tuple[list[Receipt], list[tuple[Candidate, MemtuiError]]]:
    """Take several rejections back as one write; and each that was left, with the reason."""
    return apply_each(
        vault,
        list(candidates),
        lambda stage, one: reconsider(stage, one, who=who),
        group=generate_record_id(),
    )


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
    made = propose_draft(vault, home, draft, who, layer=layer, path=path, line=line, session=session, group=group)
    if not made.stored:
        return made
    for count in load_census(vault, frozenset({home})) if compared else ():
        return proposals.complete_candidate(vault, count, made)
    return made


def approve_clear(vault: Vault, candidate: Candidate, *, who: str, group: str) -> bool:
    """Approve what was proposed just now, if there is no warning about it; whether there was none."""
    for count in load_census(vault, frozenset({candidate.home})):
        candidate = proposals.complete_candidate(vault, count, candidate)
    if candidate.warnings:
        return False
    approve(vault, candidate, who=who, group=group)
    return True


def _build_decision_record(
    vault: Vault, candidate: Candidate, done: str, who: str, *, reason: str = "", written: str = ""
) -> Append:
    whose = next((home for home in vault.homes if str(home.path) == candidate.home), None)
    return candidates_module.record(candidate, done, whose, who=who, reason=reason, written=written)


def _describe_approval(candidate: Candidate, wanted: Iterable[Change]) -> str:
    place = next((change.path for change in wanted), "")
    told = {
        "contradiction": _("replaced what contradicts {text} in {path}"),
        "duplicate": _("merged what says {text} twice in {path}"),
        "secret": _("masked a secret in {path}"),
        "weak": _("archived {text}, low success rate, in {path}"),
        "stale": _("archived {text}, which names what is gone, in {path}"),
        "attachment": _("took away what had expired: {text}"),
        "capability": _("made the skill {text}"),
    }.get(candidate.origin, _("approved {text} for {path}"))
    return told.format(text=quote_candidate(candidate), path=place)


HOME_MEMORIES = 3000
"""Memories of a home that are compared, in the order of its files: what is said twice is said early, and it costs."""
MOST_GROUPS = 200
"""Groups that are kept, those that most tools share first."""
LARGE = 8
"""Memories of a group: what is alike to more is a form of words."""
ALIKE, WEIGHT = 0.5, 9.0
"""Share and weight of the words that two have in common, from which they say the same."""


def find_echoes(vault: Vault) -> list[tuple[Memory, ...]]:
    """Memories of different tools that say the same, together; in each group one after the other by home."""
    tools = {str(home.path): load_badge(home.layout).letters for home in vault.homes}
    if len(set(tools.values())) < 2:
        return []
    every = [memory for home in tools for memory in _list_told(vault, home)]
    twice, near = find_duplicates(every, lambda _memory: "")
    pairs = [(one, two, how.score) for one, two, how in twice]
    pairs += [(pair.one, pair.two, pair.alike) for pair in near if pair.alike >= ALIKE and pair.both >= WEIGHT]
    groups: dict[str, list[Memory]] = {}
    for one, two, _score in sorted(pairs, key=lambda pair: -pair[2]):
        if tools[one.home] == tools[two.home]:
            continue
        first, second = groups.get(one.id, [one]), groups.get(two.id, [two])
        if first is second or len(first) + len(second) > LARGE:
            continue
        first += second
        groups |= {memory.id: first for memory in first}
    order = list(tools)
    found = [
        tuple(sorted(group, key=lambda memory: order.index(memory.home)))
        for group in {id(group): group for group in groups.values()}.values()
    ]
    found.sort(key=lambda group: -len({tools[memory.home] for memory in group}))
    return found[:MOST_GROUPS]


def _list_told(vault: Vault, home: str) -> Iterator[Memory]:
    """What a home keeps of facts, rules and preferences; not what its journal says in passing."""
    place = next(one for one in vault.homes if str(one.path) == home)
    stored, kept = part_memories(place, (one for one in load(vault, place) if KEY not in one.extra))
    known = [*kept, *(fact for fact in stored if fact.layer is Layer.KNOWLEDGE)]
    yield from [memory for memory in known if memory.status is Status.ACTIVE][:HOME_MEMORIES]
