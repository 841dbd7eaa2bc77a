"""The steps of a day (spec 003).

- Decay and expiry of memories, as `lifecycle.expiry` plans them; attachments whose time is over.
- `merge_duplicates` (语义去重合并): two that say the same wait in Review. Only where a person set
  `distill.mode` to auto, and only what stands letter for letter in stores of single facts, is the second marked
  as superseded by the first.
- What was left for later: hooks' jobs, notes of a home that was locked, turns that OpenAkita has not read yet.
- `Offers`: what is worth keeping is offered as a candidate in Review, never written, and nothing twice.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from memtui import llm
from memtui.consolidation import EVOLVED, worker
from memtui.consolidation.step_work import StepResult, is_unable, shorten_text
from memtui.core.edits import RowEdit
from memtui.core.errors import LockedError, MemtuiError, UnavailableError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer, Status
from memtui.fs import database_rows, displaced
from memtui.index.queries import list_file_etags
from memtui.language.kin import Kin
from memtui.language.similarity import normalize_text
from memtui.language.summary import read_notes
from memtui.lifecycle import expiry
from memtui.review import census, proposals, queue, verdicts
from memtui.review.census import (
    STORES,
    find_role,
    list_texts,
    load_clashes,
    load_distill_settings,
    load_remembered,
)
from memtui.review.proposals import mark_superseded
from memtui.review.queue import list_aged
from memtui.safety.injection import examine
from memtui.safety.redact import redact
from memtui.sessions import jobs
from memtui.sessions.distribute import make_note_draft
from memtui.store import candidates, consolidate_report
from memtui.store.append import drain
from memtui.store.candidates import ARCHIVING, ORIGINS, compute_candidate_id
from memtui.store.proposing import ASKED
from memtui.store.secrets import compile_vault_patterns, iterate_secret_lines
from memtui.store.standing import combine_changes, explain_refusal
from memtui.store.write_path import KEEPER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.consolidation.step_work import Work
    from memtui.core.edits import Change, Draft
    from memtui.core.model import Memory
    from memtui.lifecycle.expiry import LifecyclePlan, LifecycleStep
    from memtui.review.census import Clashes
    from memtui.store.candidates import Candidate

_SHOWN = 10
"""Of what waits anyway, so many are named."""
_COUNTED = {"remove": "archived", "demote": "demoted", "expire": "expired"}


class _Plans(dict[str, "tuple[object, LifecyclePlan]"]):
    """By home: what it was worked out of, and what is due."""


def decay_memories(work: Work) -> StepResult:
    """Memories below a limit of decay become transient or are archived; evergreen and pinned ones are exempt."""
    return _carry_out_steps(work, frozenset({"remove", "demote"}))


def expire_memories(work: Work) -> StepResult:
    """What says until when it holds, and that is past, is archived by a mark."""
    return _carry_out_steps(work, frozenset({"expire"}))


def _carry_out_steps(work: Work, wanted: frozenset[str]) -> StepResult:
    whole = _plan_lifecycle(work)
    failed = False
    planned = whole._replace(steps=tuple(step for step in whole.steps if step.what in wanted))
    if work.dry_run:
        done = tuple(step for step in planned.steps if not step.obstacle)
        left = tuple((_name(step), step.obstacle) for step in planned.steps if step.obstacle)
    else:
        ran = expiry.run(work.vault, planned, who=KEEPER, group=work.group, progress=work.tell)
        done = ran.done
        left = tuple((_name(one.step), one.reason) for one in ran.left)
        failed = any(one.status == UnavailableError.exit_status or not work.home.writable for one in ran.left)
    if "remove" in wanted:
        # The first of the two says for both what nobody could look at.
        left += tuple((one.path, one.reason) for one in whole.unread)
    counts: dict[str, int] = {}
    for step in done:
        name = _COUNTED[step.what]
        counts[name] = counts.get(name, 0) + 1
    return StepResult(counts, tuple(f"{_name(step)}: {step.why}" for step in done), left, failed=failed)


def _plan_lifecycle(work: Work) -> LifecyclePlan:
    """What is due, looked for once for both steps as long as nothing was written."""
    held = work.vault.kept.of(_Plans)
    stamp = (work.vault.generation, work.now)
    known = held.get(work.name)
    if known is None or known[0] != stamp:
        plan = expiry.plan(work.vault, frozenset({work.name}), work.now, census.load(work.vault, work.home))
        held[work.name] = known = (stamp, plan)
    return known[1]


def _name(step: LifecycleStep) -> str:
    memory = step.memory
    return f"{memory.path}:{memory.start} {shorten_text(memory.text)}"


def count_waiting(work: Work) -> StepResult:
    """Attachments whose time is over, and what seldom helped or is out of date: counted, for they wait in Review."""
    found = sorted(
        list_aged(work.vault, work.home, candidates.load_decisions([work.home]), EVOLVED),
        key=lambda candidate: ORIGINS.index(candidate.origin),
    )
    over = [one for one in found if one.origin == "attachment"]
    others = [one for one in found if one.origin in ARCHIVING]
    shown = (*over, *others[:_SHOWN])
    lines = [shorten_text(one.text) + (f": {one.reason}" if one.reason else "") for one in shown]
    if len(others) > _SHOWN:
        lines.append(_("… and {count} more").format(count=len(others) - _SHOWN))
    if over or others:
        lines.append(_("They wait in Review (5)."))
    return StepResult({"waiting": len(over), "stale": len(others)}, tuple(lines))


def merge_duplicates(work: Work) -> StepResult:
    """Ask the model about near pairs, where a person wants that; count what is said twice, and merge what may be."""
    asked, left, failed = _count_asked_pairs(work)
    told = _merge_duplicates(work)
    return told._replace(counts={**asked, **told.counts}, left=(*left, *told.left), failed=told.failed or failed)


def _count_asked_pairs(work: Work) -> tuple[dict[str, int], tuple[tuple[str, str], ...], bool]:
    """How many pairs the model was asked about; what it did not answer; whether that is to be noticed."""
    if not work.config.consolidate.model or work.dry_run or llm.why_not(work.config.llm):
        return {}, (), False
    near = [(one.one, one.two) for one in load_clashes(work.vault, work.home).near]
    try:
        found = verdicts.ask_about(work.home, near, work.config)
    except MemtuiError as error:
        return {}, ((_("near pairs"), str(error)),), is_unable(error)
    return ({"asked": len(found)} if found else {}), (), False


def _merge_duplicates(work: Work) -> StepResult:
    decided = candidates.load_decisions([work.home])
    rejected = sorted(name for name, one in decided.items() if one.done == "rejected")
    mode = load_distill_settings(work.vault, work.home).mode
    key = consolidate_report.digest(
        [
            work.name,
            work.home.layout,
            work.home.writable,
            mode,
            rejected,
            verdicts.stamp_judged(work.home),
            _list_looked_at(work),
        ]
    )
    known = _known(work, key)
    if known is not None:
        return StepResult(known, _describe_waiting() if known["waiting"] and mode != "auto" else ())
    count = load_clashes(work.vault, work.home, repeated=True)
    every = [one for one in proposals.propose_duplicates(work.vault, count) if one.id not in set(rejected)]
    pairs = [pair for one in every if (pair := _find_exact_pair(work, count, one)) is not None]
    told = _settle_pairs(work, count, every, pairs)
    if not work.dry_run and (mode != "auto" or not pairs):
        # Nothing was written: as long as nothing changes, and nothing expires, it is the same.
        ends = (one.expires for one in count.memories.values() if one.expires is not None)
        until = min((end for end in ends if end > work.now), default=None)
        consolidate_report.remember(work.home, {"key": key, "until": until, "counts": dict(told.counts)})
    return told


def _list_looked_at(work: Work) -> list[tuple[str, str]]:
    """The files that were looked at, each with the etag of its bytes."""
    stand: list[tuple[str, str]] = []
    wanted = Filter(layers=ASKED, statuses=frozenset(), parts=True, homes=frozenset({work.name}))
    for target in work.vault.targets(wanted):
        if target.index is None:
            # What no index follows is looked at anew each time.
            return [("", f"{work.now}")]
        stand += list_file_etags(target.index, wanted).items()
    return stand


def _known(work: Work, key: str) -> dict[str, int] | None:
    """What came of the same files the last time; None: it has to be worked out."""
    found = consolidate_report.recall(work.home)
    try:
        until, counts = found["until"], {name: int(found["counts"][name]) for name in ("exact", "waiting")}
        return counts if found["key"] == key and (until is None or work.now < float(until)) else None
    except (KeyError, TypeError, ValueError):
        return None


def _describe_waiting() -> tuple[str, ...]:
    return (_("They wait in Review (5): nothing is merged by itself while distill.mode is review."),)


def _find_exact_pair(work: Work, count: Clashes, candidate: Candidate) -> tuple[Memory, Memory] | None:
    """The one to keep and the other, where both stand in stores and say letter for letter the same."""
    keep, other = (count.memories.get(named) for named in candidate.memories[:2])
    if keep is None or other is None or normalize_text(keep.text) != normalize_text(other.text):
        return None
    for one in (keep, other):
        found = find_role(count.home, one.path)
        if found is None or found.parser not in STORES or one.status is not Status.ACTIVE:
            return None
    return None if explain_refusal("supersede", other, work.vault) else (keep, other)


def _settle_pairs(work: Work, count: Clashes, every: list[Candidate], pairs: list[tuple[Memory, Memory]]) -> StepResult:
    counts = {"exact": len(pairs), "waiting": len(every)}
    if not every:
        return StepResult(counts)
    if count.config.mode != "auto":
        return StepResult(counts, _describe_waiting())
    lines_: list[str] = []
    left: list[tuple[str, str]] = []
    changes: list[tuple[Change, ...]] = []
    for keep, other in pairs:
        try:
            changes.append(mark_superseded(work.vault, [other], keep))
        except MemtuiError as error:
            left.append((shorten_text(other.text), str(error)))
            continue
        lines_.append(
            _("{path}:{line} is superseded by {other}:{at}: {text}").format(
                path=other.path,
                line=other.start,
                other=keep.path,
                at=keep.start,
                text=shorten_text(other.text),
            )
        )
    if changes and not work.dry_run:
        what = _n("merged {count} that was said twice", "merged {count} that were said twice", len(changes))
        work.vault.apply(
            combine_changes(tuple(chain.from_iterable(changes))),
            verb="merge",
            who=KEEPER,
            what=what,
            group=work.group,
            confirmed=True,
        )
    rest = len(every) - len(lines_)
    return StepResult({"exact": len(pairs), "merged": len(lines_), "waiting": rest}, tuple(lines_), tuple(left))


_TURNS = 200
"""Turns of one home that are read at a time, the newest."""


def drain_jobs(work: Work) -> StepResult:
    """Do what hooks left and write what waits; unless another worker is at it. Those writes are the hooks' own."""
    todo, notes = jobs.list_jobs(), displaced.list_spooled_records()
    given_up = len(jobs.list_jobs(given_up=True))
    if work.dry_run or not (todo or notes):
        lines = tuple(f"{job.kind}: {shorten_text(job.session.id)}" for job in todo)
        return StepResult({"waiting": len(todo) + len(notes), "given_up": given_up}, lines)
    written = drain(work.config)
    left = _distribute_jobs(work) if todo else []
    done = len(todo) - len(jobs.list_jobs())
    if len(displaced.list_spooled_records()):
        left.append((_("notes"), _("their home cannot be written now: they wait on")))
    work.vault.refresh()
    counts = {"written": written + max(0, done), "waiting": len(jobs.list_jobs()), "given_up": given_up}
    return StepResult(counts, left=tuple(left))


def _distribute_jobs(work: Work) -> list[tuple[str, str]]:
    try:
        worker.drain_alone(work.config, 0.0)
    except LockedError:
        return [(_("sessions"), _("a worker is at them already"))]
    return [(f"{job.kind}: {shorten_text(job.session.id)}", job.error) for job in jobs.list_jobs() if job.error]


def extract_queue(work: Work) -> StepResult:
    """OpenAkita's extraction_queue: what lasts of the turns in it is offered, and the turns are done with.

    As its own lifecycle says: a turn that taught something is completed, one that did not has failed.
    """
    wanted = Filter(layers=frozenset({Layer.SESSION}), kinds=frozenset({"queue"}), homes=frozenset({work.name}))
    turns = [
        turn
        for turn in work.vault.load(work.vault.ids(wanted, "time", limit=_TURNS))
        if turn is not None and turn.extra.get("status", "pending") == "pending"
    ]
    if not turns:
        return StepResult()
    offers = Offers(work)
    lines: list[str] = []
    left: list[tuple[str, str]] = []
    failed = False
    for number, turn in enumerate(turns):
        work.tell(number, len(turns))
        try:
            found = _offer_notes(work, offers, turn)
            lines += found
            if not work.dry_run:
                _complete(work, turn, "completed" if found else "failed")
        except MemtuiError as error:
            left.append((shorten_text(turn.text), str(error)))
            failed = is_unable(error)
            break
    return StepResult({"waiting": len(turns), "proposed": len(lines)}, tuple(lines), tuple(left), failed=failed)


def _complete(work: Work, turn: Memory, status: str) -> None:
    key = turn.key.removeprefix("queue-")
    row = database_rows.read_row(work.name, turn.path, "extraction_queue", key)
    if row is not None:
        change = RowEdit(work.name, turn.path, "extraction_queue", key, {"status": row["status"]}, {"status": status})
        what = _("removed a turn from OpenAkita's queue")
        work.vault.apply([change], verb="extract", who=KEEPER, what=what, group=work.group)


def _offer_notes(work: Work, offers: Offers, turn: Memory) -> list[str]:
    found: list[str] = []
    # By rules alone: the same turns wait every day, and a model would be asked about them every day.
    for one in read_notes(turn.text):
        if one.kind != "todo" and offers.fresh(one.text):
            draft = make_note_draft(one, turn.session)
            offers.propose(draft, path=turn.path, line=turn.start, session=turn.session)
            found.append(shorten_text(one.text))
    return found


_SHORT, _LONG = 8, 400
"""Characters of what is worth a decision."""


class Offers:
    """What one home knows already, and what waits for it: asked before anything more is proposed."""

    def __init__(self, work: Work, *, without: frozenset[str] = frozenset()) -> None:
        """`without`: ids of memories that are not to count as known."""
        self._work = work
        self._decided = candidates.load_decisions([work.home])
        self._without = without
        self._waiting = [candidate.text for candidate in candidates.list_waiting_candidates(work.home)]
        self._new: list[str] = []

    @cached_property
    def _known(self) -> Kin:
        """What is kept and what waits: most of what is asked about is turned down before it is compared."""
        said = list_texts(load_remembered(self._work.vault, self._work.home))
        return Kin([*(text for named, text in said if named not in self._without), *self._waiting])

    @cached_property
    def _leaking(self) -> frozenset[tuple[str, int]]:
        """The lines that hold a secret, by file."""
        return frozenset((found.path, found.line) for found in iterate_secret_lines(self._work.vault, self._work.home))

    def fresh(self, text: str, path: str = "", line: int = 0) -> bool:
        """Whether it says something that is neither kept, nor waiting, nor decided, nor anything but a memory.

        `path` and `line`: where it was said. What is read there comes with its secrets masked.
        """
        if (
            not _SHORT <= len(text) <= _LONG
            or compute_candidate_id("proposed", self._work.name, text) in self._decided
            or (path, line) in self._leaking
        ):
            return False
        if examine(text).action == "quarantine" or redact(text, compile_vault_patterns(self._work.vault)).secrets:
            return False
        if any(how.covers for _number, how in self._known.like(text)):
            return False
        return not self._new or not any(
            how.covers or how.kind == "around" for _number, how in Kin(self._new).like(text)
        )

    def propose(
        self,
        draft: Draft,
        *,
        layer: Layer = Layer.KNOWLEDGE,
        path: str = "",
        line: int = 0,
        session: str = "",
    ) -> None:
        """Have it wait for a person. Raises what `queue.propose` does."""
        self._new.append(draft.text)
        if self._work.dry_run:
            return
        queue.propose(
            self._work.vault,
            self._work.name,
            draft,
            KEEPER,
            layer=layer,
            path=path,
            line=line,
            session=session,
            group=self._work.group,
            compared=False,
        )


def split_statements(texts: Iterable[str]) -> list[str]:
    """Texts as single statements: of a point in several sentences each by itself."""
    found: list[str] = []
    for text in texts:
        line = " ".join(text.split())
        at = 0
        for index, char in enumerate(line):
            whole = char in "。；;！!" or (char == "." and line[index + 1 : index + 2] == " ")
            if whole and index - at >= _SHORT:
                found.append(line[at:index].strip(" 。；;！!."))
                at = index + 1
        found.append(line[at:].strip(" 。；;！!."))
    return [text for text in dict.fromkeys(found) if text]
